"""Suggestions for names that lead nowhere: the notes, and the parts of notes, most likely meant."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from kg.checks.note_places import end_of_line, fix_word, headings_of
from kg.corpus import Corpus
from kg.model import Fix, InquiryLine, Span
from kg.model.diagnostic import fix_at
from kg.model.ids import is_part, link_target, note_id_of, part_id, split_id
from kg.notes.body import Headings
from kg.runtime.memoize import ResultsKeeper, memoize
from kg.text.spelling import BoundedNameSearch, count_slips, similar_names

_BLOCK_NAME = re.compile(r"\^([^\s^]+)[ \t]*$", re.MULTILINE)
_NAME_OF_EDGE = "why"
TOO_MANY_LINKS = (
    "too many dead links to suggest targets for all: fix the first ones, and check again"
)


class NamesInNote(NamedTuple):
    """Link targets within a note; `blocks` maps its statements' titles and names to `^name`."""

    headings: Headings
    all_names: Headings
    blocks: Mapping[str, str]


class TargetsWithinNotes(ResultsKeeper):
    """Link targets by note, each read only once: `targets_within_notes(corpus)`."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._aliases = {alias.casefold(): id for alias, id in corpus.aliases.items()}
        self._paths: dict[str, str] = {}
        self._ids: dict[str, str] = {}
        for records in (corpus.statements, corpus.lines, corpus.sources):
            for id, record in records.items():
                self._ids.setdefault(id.casefold(), id)
                if record.span.path.endswith(".md"):
                    self._paths.setdefault(id.casefold(), record.span.path)
        self._statements = defaultdict(list)
        self._in_file = defaultdict(list)
        for statement in corpus.statements.values():
            self._statements[statement.note].append(statement)
            self._in_file[statement.span.path].append(statement)
        self._parts = defaultdict(list)
        for name in (*corpus.statements, *corpus.edges_by_id):
            note, mark, part = split_id(name)
            if mark:
                self._parts[note].append(part)

    def path_of(self, name: str) -> str | None:
        """The path of the note that a link names, in any case."""
        return self._paths.get(self._linked_id(name.removeprefix("@")).casefold())

    def _linked_id(self, name: str) -> str:
        """The id that a link means, in any case."""
        id = self._corpus.find_id(name) or self._aliases.get(name.casefold())
        return id or self._ids.get(name.casefold(), name)

    def parts_of(self, id: str) -> list[str]:
        """The names of the statements and edges within a note."""
        return self._parts.get(id, [])

    @memoize
    def block_names_in(self, note: str) -> frozenset[str]:
        """Names (`^name`) of paragraphs, statements and edges in a note."""
        id = self._linked_id(note)
        texts = [statement.body for statement in self._statements.get(id, ())]
        if line := self._corpus.lines.get(id):
            texts += [line.standfirst, line.essay]
        if source := self._corpus.sources.get(id):
            texts.append(source.body)
        return frozenset(self.parts_of(id)).union(*map(_BLOCK_NAME.findall, texts))

    @memoize
    def names_in(self, path: str) -> NamesInNote | None:
        """The headings and statements of a note; None if it cannot be read."""
        headings = headings_of(self._corpus, path)
        if headings is None:
            return None
        blocks: dict[str, str] = {}
        for statement in self._in_file[path]:
            _, mark, name = split_id(statement.id)
            if mark:
                blocks |= {statement.title: f"^{name}", f"^{name}": f"^{name}"}
        return NamesInNote(Headings(headings), Headings([*headings, *blocks]), blocks)


@memoize
def targets_within_notes(corpus: Corpus) -> TargetsWithinNotes:
    """The link targets of a corpus."""
    return TargetsWithinNotes(corpus)


@memoize
def source_key_search(corpus: Corpus) -> BoundedNameSearch:
    """The keys of sources, to compare unknown keys with."""
    keys = list(corpus.sources)
    return BoundedNameSearch(lambda key: similar_names(key, keys), len(keys))


@memoize
def _near_ids(corpus: Corpus) -> BoundedNameSearch:
    return BoundedNameSearch(partial(_nearest_ids, corpus), corpus.searched_name_count)


@memoize
def _near_parts(corpus: Corpus) -> BoundedNameSearch:
    return BoundedNameSearch(
        partial(_near_blocks, corpus), len(corpus.statements) + len(corpus.edges)
    )


def did_you_mean(names: tuple[str, ...], *, link: bool = False) -> str:
    """The question whether one of `names` was meant; empty if there are none."""
    if not names:
        return ""
    quoted_names = [f"`[[{name}]]`" if link else f"`{name}`" for name in names]
    return f"did you mean {' or '.join(quoted_names)}?"


def suggest_target(corpus: Corpus, target: str, span: Span) -> tuple[str, Fix | None]:
    """Help for a dead link at `span`, with the notes it most likely means, and the fix if there
    is just one. The `target` of a relative link begins with `/`.
    """
    # a link may lead to a file and to `note#^name`, but an id is `note#name`
    wanted_name = target.rpartition("/")[2].replace(".md", "").replace("#^", "#")
    if not is_part(wanted_name):
        wanted_name = wanted_name.replace("^", "#")  # the `#` was forgotten
    nearest = _near_parts(corpus).nearest(wanted_name)
    if not nearest:
        invisible_sign = next((sign for sign in wanted_name if not sign.isprintable()), "")
        if invisible_sign:
            code = f"U+{ord(invisible_sign):04X}"
            return f"it holds an invisible character ({code}): write the link again", None
        nearest = _near_ids(corpus).nearest(wanted_name)
    if nearest is None:
        return TOO_MANY_LINKS, None
    return suggest_links(corpus, target, span, tuple(map(link_target, nearest)))


def suggest_links(
    corpus: Corpus, target: str, span: Span, names: tuple[str, ...]
) -> tuple[str, Fix | None]:
    """Help and fix for a link to `target` that should lead to one of `names`, in its syntax."""
    is_wiki = not target.startswith("/")
    if not is_wiki:  # a relative link: written from the folder of its own note
        folder = posixpath.dirname(span.path)
        target = posixpath.relpath(target[1:], folder or ".")
        names = tuple(filter(None, (_relative_link(corpus, name, folder) for name in names)))
    fix = fix_word(corpus, span, target, sure_correction(target, names))
    return did_you_mean(names, link=is_wiki), fix


def _nearest_ids(corpus: Corpus, wanted_name: str) -> tuple[str, ...]:
    """Ids similar to a name; if some are equal or one slip away, only those."""
    names = corpus.suggest(wanted_name)
    for max_slips in (0, 1):
        if nearest := tuple(name for name in names if count_slips(name, wanted_name) <= max_slips):
            return nearest
    return names


def _relative_link(corpus: Corpus, name: str, folder: str) -> str:
    """A relative link to `name`; empty if it has no note."""
    note, mark, part = split_id(name)
    path = corpus.note_of(note)
    if path is None:
        return ""
    if not part.startswith("^"):
        part = "-".join(part.casefold().split())
    return posixpath.relpath(path, folder or ".").replace(" ", "%20") + mark + part


def digits_of(name: str) -> str:
    """The digits of a name: similar names with other digits most likely differ in meaning."""
    return "".join(filter(str.isdecimal, name))


def sure_correction(name: str, candidates: tuple[str, ...]) -> str | None:
    """The only candidate for a misspelt name, unless it has other digits."""
    if len(candidates) == 1 and digits_of(candidates[0]) == digits_of(name):
        return candidates[0]
    return None


def fix_undercut(corpus: Corpus, link: Span, target: str, id: str) -> Fix | None:
    """The fix for an undercut that links to the statement `id`: link to its only edge instead,
    and name that edge if it has no name. None if that is ambiguous.
    """
    edges = [edge for edge in corpus.edges_from.get(id, ()) if not edge.nested and not edge.mutual]
    if len(edges) != 1 or is_part(target):
        return None
    edge = edges[0]
    note = note_id_of(id)
    name = edge.id.removeprefix(f"{note}#") if edge.is_named else ""
    link_fix = fix_word(corpus, link, target, f"{note}#^{name or _NAME_OF_EDGE}")
    if name or link_fix is None:
        return link_fix
    if part_id(note, _NAME_OF_EDGE) in {*corpus.edges_by_id, *corpus.statements}:
        return None
    end = end_of_line(corpus, edge.span)
    if end is None:
        return None
    name_fix = fix_at(end, "", f" ^{_NAME_OF_EDGE}")
    return Fix(title="Name the edge, and link to it", edits=(*name_fix.edits, *link_fix.edits))


def _near_blocks(corpus: Corpus, target: str) -> tuple[str, ...]:
    """The most similar name within the note of `note#name`, if that note exists."""
    note, mark, block = split_id(target)
    if not mark or not (id := corpus.find_id(note)):
        return ()
    blocks = targets_within_notes(corpus).parts_of(id)
    return tuple(part_id(note, name) for name in similar_names(block, blocks)[:1])


def find_near_placements(corpus: Corpus, line: InquiryLine) -> Iterator[tuple[str, str]]:
    """Camp and first words of each item that is almost a placement in a camp."""
    camps = "|".join(map(re.escape, corpus.config.camp_ids))
    if not camps:
        return
    item = re.compile(
        rf"^[ \t]*([-*+] [*_`]*({camps})[*_`]*[ \t]*(?::|=|->|→)[*_`]*)[ \t]*\[", re.I | re.M
    )
    for match in item.finditer(f"{line.standfirst}\n{line.essay}"):
        yield match[2].lower(), match[1]
