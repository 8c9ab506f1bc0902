"""`[map]` of `kg.toml`: how to read notes that were not written for `kg`, in its own terms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from kg.model.relation import Relation, RelationEnds
from kg.model.settings.frozen_settings import FrozenSettings

LEFT_OUT = "none"  # in place of a type, for notes that are not to be read at all
NoteType = Literal["claim", "counter-claim", "evidence", "line", "source", "glossary", "none"]
NoteKey = Literal[
    "type",
    "id",
    "title",
    "aliases",
    "topics",
    "status",
    "created",
    "updated",
    "reviewed",
    "camp",
    "about",
    "asserted_by",
    "open",
    "method",
    "sample",
    "independence",
    "integrity",
    "proposition",
    "cites",
    "authors",
    "year",
    "venue",
    "doi",
    "url",
]
# The one name that is not a key of the format: its links are read as citations.
CITATION_KEY_WORD = "cites"
# Names that are not keys of the format either: fields of the work, in a source's note.
WORK_FIELDS = frozenset(("authors", "year", "venue", "doi", "url"))
_RELATION_AND_DIRECTION = {
    word: (relation, back)
    for relation in Relation
    if relation.entry.joins is not RelationEnds.EDGE
    # as written comes last: the word of a symmetric relation is its own inverse
    for word, back in ((relation.entry.inverse, True), (relation.value, False))
}


def fold_map_word(name: str) -> str:
    """A word in the form in which words of a mapping are compared: `supported-by`."""
    return "-".join(name.casefold().replace("_", " ").replace("-", " ").split())


def _folded_keys(table: object) -> Any:
    return {fold_map_word(str(key)): value for key, value in _get_table(table).items()}


def _types_by_tag(table: object) -> Any:
    return {str(key).lstrip("#").casefold(): value for key, value in _get_table(table).items()}


def _types_by_folder(table: object) -> Any:
    return {
        str(key).strip("/").removeprefix("."): value for key, value in _get_table(table).items()
    }


def _get_table(value: object) -> Mapping[Any, Any]:
    if not isinstance(value, Mapping):
        raise ValueError("should be a table of words")
    return value


def _relation_words(table: Mapping[str, str]) -> Mapping[str, str]:
    for word in table.values():
        if word not in _RELATION_AND_DIRECTION:
            raise ValueError(
                f"{word!r} is not a relation: use {', '.join(sorted(_RELATION_AND_DIRECTION))}"
            )
    return table


class NoteMap(FrozenSettings):
    """The mapping of notes that use other words for types, keys and relations.

    Keys of each table are words in the notes, ignoring case; values are `kg`'s words. Of
    `folders` the longest match applies; `titles` are beginnings of titles and file names.
    `connectives` are words that turn a link after them within a sentence, as in
    `since [[other]], …`, into an edge with that sentence as its reason. `keep` are keys of front
    matter that are kept without a warning, and `links` says whether an item
    `- [[other]] — why` is a link with a reason.
    """

    keys: Annotated[Mapping[str, NoteKey], BeforeValidator(_folded_keys)] = {}
    types: Annotated[Mapping[str, NoteType], BeforeValidator(_folded_keys)] = {}
    tags: Annotated[Mapping[str, NoteType], BeforeValidator(_types_by_tag)] = {}
    titles: Mapping[Annotated[str, Field(min_length=1)], NoteType] = {}
    folders: Annotated[Mapping[str, NoteType], BeforeValidator(_types_by_folder)] = {}
    relations: Annotated[
        Mapping[str, str], BeforeValidator(_folded_keys), AfterValidator(_relation_words)
    ] = {}
    connectives: Annotated[
        Mapping[str, str], BeforeValidator(_folded_keys), AfterValidator(_relation_words)
    ] = {}
    keep: tuple[str, ...] = ()
    links: bool = False

    def __bool__(self) -> bool:
        """Return whether anything is mapped."""
        return bool(self.model_fields_set)

    def relation_of(self, word: str) -> tuple[Relation, bool] | None:
        """The relation that a word stands for, and whether inversely; None for other words."""
        relation_word = self.relations.get(fold_map_word(word)) or self.connectives.get(
            fold_map_word(word)
        )
        return None if relation_word is None else _RELATION_AND_DIRECTION[relation_word]
