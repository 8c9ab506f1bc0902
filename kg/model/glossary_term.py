"""Terms of a glossary, and the form in which they are compared."""

from __future__ import annotations

from kg.model.value import Span, Value


class GlossaryTerm(Value, frozen=True):
    """The meaning of a topic, a name or a technical term, from a glossary.

    `names` are the name shown and then its synonyms; `text` is Markdown.
    """

    names: tuple[str, ...]
    text: str
    span: Span
    group: str = ""

    @property
    def name(self) -> str:
        """The name that is shown."""
        return self.names[0]

    def __str__(self) -> str:
        others = f" ({', '.join(self.names[1:])})" if self.names[1:] else ""
        return f"{self.name}{others}: {self.text}"


def fold_term(name: str) -> str:
    """A term in the form in which terms are compared: lower case, spaces for hyphens and `_`."""
    return " ".join(name.casefold().replace("-", " ").replace("_", " ").split())
