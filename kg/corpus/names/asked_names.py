"""The record that a question names, by id, alias or title, or the error if there is none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from kg.model import InquiryLine, Kind, Statement
from kg.model.errors import KgError, require_type
from kg.model.ids import split_id
from kg.text.folding import compose_accents, fold_name
from kg.text.spelling import similar_names

MAX_LISTED = 6  # names that an error lists if none is similar


class UnknownId(KgError, KeyError):
    """Nothing in the corpus has this id; the message suggests the nearest ones.

    `where` is empty for names that belong to the program, such as those of rules. `shared` means
    that several records have this title; then `nearest` are their ids.

    `corpus.why("sycofancy")`
    """

    def __init__(
        self,
        name: str,
        nearest: tuple[str, ...],
        kind: str = "id",
        where: str = " in the corpus",
        shared: bool = False,
    ) -> None:
        self.wanted = name
        self.nearest = nearest
        self.kind = kind
        self.where = where
        self.shared = shared
        super().__init__(name)

    def __str__(self) -> str:
        if self.shared:
            ids = ", ".join(self.nearest[:MAX_LISTED])
            if len(self.nearest) > MAX_LISTED:
                ids += ", …"
            return f"{len(self.nearest)} are called {self.wanted!r}: ask by id, {ids}"
        hint = f"; did you mean {' or '.join(self.nearest)}?" if self.nearest else ""
        return f"no {self.kind} {self.wanted!r}{self.where}{hint}"


def find_by_name(
    name: str,
    aliases: Mapping[str, str],
    ids_by_title: Callable[[], Mapping[str, Sequence[str]]],
    *tables: Mapping[str, object],
) -> str | None:
    """The id in one of `tables`, by the id, by an alias, or else by a title that only one has."""
    require_type(name, str, "an id, alias or title is text")
    # as given first: records read from quads may have ids that no file name would have
    for id in (name, *_ids_by_aliases(aliases, compose_accents(name))):
        if any(id in records for records in tables):
            return id
    titles = ids_by_title()  # only now, as titles are indexed on first use
    ids = [id for id in find_by_title(name, titles) if any(id in records for records in tables)]
    return ids[0] if len(ids) == 1 else None


def find_by_title(title: str, ids_by_title: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The ids of all records with a title, ignoring case and spacing."""
    return tuple(ids_by_title.get(fold_case_and_spacing(title), ()))


def unknown_name_error(
    name: str, candidates: Iterable[str], kind: str, ids_by_title: Mapping[str, Sequence[str]]
) -> UnknownId:
    """The error for a name of nothing: with the ids of the records that share it as a title, the
    nearest of `candidates`, or all of them if they are few.
    """
    if ids := find_by_title(name, ids_by_title):
        return UnknownId(name, ids, kind, shared=True)
    names = list(candidates)
    nearest = similar_names(name, names)
    choices = (
        f", which has {', '.join(names)}" if not nearest and 0 < len(names) <= MAX_LISTED else ""
    )
    return UnknownId(name, nearest, kind, f" in the corpus{choices}")


def describe_kind_of_record(record: Statement | InquiryLine | None) -> str:
    """Name the kind of a record; None stands for a source."""
    if isinstance(record, Statement):
        return "a piece of evidence" if record.kind is Kind.EVIDENCE else f"a {record.kind.value}"
    if record is None:
        return "a source"
    return "an inquiry line" + (
        f", which weighs {record.proposition}" if record.proposition else ""
    )


def ids_by_title(*tables: Mapping[str, Any]) -> Mapping[str, Sequence[str]]:
    """Ids by title, ignoring case and spacing."""
    ids_by_folded_title: defaultdict[str, list[str]] = defaultdict(list)
    for records in tables:
        for id, record in records.items():
            ids_by_folded_title[fold_case_and_spacing(record.title)].append(id)
    return ids_by_folded_title


def _ids_by_aliases(aliases: Mapping[str, str], name: str) -> Iterator[str]:
    plain = name.removeprefix("@").replace("#^", "#")
    for each in (name, plain):
        yield each
        yield aliases.get(each, each)
    note, mark, part = split_id(plain)
    yield f"{aliases.get(note, note)}{mark}{part}"


def fold_case_and_spacing(title: str) -> str:
    """A title in the form in which titles are compared: in any case and spacing."""
    return " ".join(fold_name(title).split())
