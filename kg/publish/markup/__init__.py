"""Small parts of a page: HTML, links, addresses, words, and Markdown made safe."""

__all__ = [
    "address",
    "html",
    "links",
    "plain_text",
    "render",
    "words",
]
