"""The queries that `kg sparql` knows by name, kept as files of the ontology."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kg.ontology import load_text, ontology_folder


@dataclass(frozen=True, slots=True)
class NamedQuery:
    """A query of the ontology's folder: its name, what it finds, and its text."""

    name: str
    title: str
    text: str

    @property
    def parameters(self) -> dict[str, str]:
        """Variables to bind to a value, and what they stand for."""
        return dict(re.findall(r"^# \?(\w+)(?: \(needed\))?: (.+)$", self.text, re.M))

    @property
    def needed(self) -> tuple[str, ...]:
        """Variables without a value for which the query would answer about everything at once."""
        return tuple(re.findall(r"^# \?(\w+) \(needed\):", self.text, re.M))


def named_queries() -> tuple[NamedQuery, ...]:
    """The queries that `kg sparql` knows by name, in alphabetical order."""
    names = sorted(
        file.name.removesuffix(".rq")
        for file in ontology_folder().joinpath("queries").iterdir()
        if file.name.endswith(".rq")
    )
    return tuple(named_query(name) for name in names)


def named_query(name: str) -> NamedQuery:
    """One of the kept queries. Raises `FileNotFoundError` for any other name."""
    text = load_text("queries", f"{name}.rq")
    return NamedQuery(name, text.partition("\n")[0].removeprefix("# "), text)
