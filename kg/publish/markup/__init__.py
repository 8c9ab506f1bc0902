"""Small parts of a page: HTML, tables, links, addresses, phrases, colours, and safe Markdown."""
