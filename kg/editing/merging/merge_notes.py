"""Merge two notes on one thing, two citation keys, or two topics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kg.corpus import Corpus
from kg.corpus.same_and_superseded import are_of_one_sort
from kg.editing.change import Change, ChangeBuilder
from kg.editing.edit_front_matter import add_line, add_words, remove_word, set_word, yaml_word
from kg.editing.folder_files import FolderFiles, NotEditable, TextEdit, cut_text
from kg.editing.merging.merge_sources import merge_sources
from kg.editing.moving.move_part import PartMove, rewrite_links_to_part
from kg.editing.named_things import get_note, topics_of
from kg.editing.references import find_references
from kg.editing.references.reference import Reference, ReferenceForm, ReferenceKind
from kg.editing.references.resolve_reference import resolve
from kg.editing.rename import build_topic_renaming
from kg.model import Relation, Span, Statement, StatementId
from kg.model.ids import is_given_name, is_part, part_name_of
from kg.model.settings.note_map import fold_map_word
from kg.notes.body import RELATION
from kg.notes.frontmatter import fold_key, parse_mapping, split_front_matter
from kg.notes.markdown import find_blocks

_LISTS = ("topics", "about", "asserted_by", "independence", "concerns")
_OF_THE_NOTE = (
    "type", "id", "title", "aliases", "camp", "status", "created", "updated", "reviewed"
)  # fmt: skip
_MAX_LISTED = 3  # items that a remark names


def merge_notes(
    files: FolderFiles, corpus: Corpus, keep: str, drop: str, *, force: bool = False
) -> Change:
    """Merge the note, source or topic `drop` into `keep`; its id stays as an alias.

    Edges of both are written once, and edges between the two are removed. Raises `NotEditable` if
    one opposes the other or a line places them in different camps, unless `force` is given.
    """
    if {keep, drop} <= corpus.lines.keys():
        raise NotEditable(
            "two lines are two questions: `kg retire` one of them, and link it to the other"
        )
    sources = [corpus.find_id(name.removeprefix("@")) for name in (keep, drop)]
    if all(each in corpus.sources for each in sources):
        return merge_sources(files, corpus, *map(str, sources))
    if any(each in corpus.sources for each in sources):
        raise NotEditable(f"{keep!r} and {drop!r} are not two sources")
    topics = topics_of(corpus)
    if drop in topics and corpus.find_id(drop) is None:
        return _merge_topics(files, corpus, keep, drop)
    kept_id, path = get_note(corpus, keep)
    old_id, old_path = get_note(corpus, drop)
    if kept_id == old_id or not are_of_one_sort(corpus, kept_id, old_id):
        raise NotEditable(
            f"{kept_id!r} and {old_id!r} are not two claims, or two pieces of evidence"
        )
    _require_distinct_names(corpus, kept_id, old_id)
    _require_agreement(corpus, kept_id, old_id, force)
    builder = ChangeBuilder(files)
    text = files.text(old_path).text
    body_start = len(text) - len(split_front_matter(text).body)
    names = frozenset(_given_part_names(corpus, old_id))
    ids = {old_id: kept_id}
    move = PartMove(old_id, old_path, body_start, len(text), kept_id, path, names, ids)
    inner_edits = rewrite_links_to_part(files, corpus, builder, move)
    inner_edits += _drop_items(builder, corpus, kept_id, old_id, old_path)
    body, heading = _body_and_title(text, old_path, body_start, inner_edits)
    _append_body(builder, path, body, heading)
    _merge_front_matter(builder, corpus, kept_id, old_id, text)
    builder.remove(old_path)
    builder.new_ids[old_id] = kept_id
    return builder.change(f"merge {old_id} into {kept_id}")


def _given_part_names(corpus: Corpus, note: str) -> Iterator[str]:
    """The names that a note gives to its callouts and edges, as `^name`."""
    for id in (*corpus.statements, *corpus.edges_by_id):
        if id.startswith(f"{note}#") and is_given_name(id):
            yield part_name_of(id)


def _require_distinct_names(corpus: Corpus, kept_id: StatementId, old_id: StatementId) -> None:
    kept_names = {*_given_part_names(corpus, kept_id)}
    if common_names := kept_names.intersection(_given_part_names(corpus, old_id)):
        first = min(common_names)
        raise NotEditable(
            f"both have `^{first}`, to which links lead: first `kg rename {old_id}#{first} ANOTHER`"
        )


def _require_agreement(
    corpus: Corpus, kept_id: StatementId, old_id: StatementId, force: bool
) -> None:
    pair = {kept_id, old_id}
    opposing_edges = [
        edge
        for edge in corpus.edges
        if {edge.origin, edge.target} == pair and edge.relation.entry.side < 0
    ]
    if opposing_edges and not force:
        edge = opposing_edges[0]
        edge_words = f"{edge.origin} {edge.relation.value} {edge.target}"
        raise NotEditable(f"{edge_words}, so they cannot be merged; `--force` removes that edge")
    for line in corpus.lines.values():
        camps = {each.camp for each in line.placements if each.statement in pair}
        if len(camps) > 1 and not force:
            raise NotEditable(
                f"{line.id!r} places them in different camps; `--force` keeps that of {kept_id!r}"
            )


def _drop_items(
    builder: ChangeBuilder, corpus: Corpus, kept_id: StatementId, old_id: StatementId, old_path: str
) -> list[TextEdit]:
    """Remove the items of edges between the two, and of those that both have.

    Return the edits in the dropped note.
    """
    repeated_items = [
        *_duplicate_edges(corpus, kept_id, old_id),
        *_duplicate_placements(corpus, kept_id, old_id),
    ]
    inner_edits = []
    for span, target, description in repeated_items:
        text = builder.files.text(span.path).text
        edit = _edit_removing_target(corpus, text, span, target, description)
        if span.path == old_path:
            inner_edits.append(edit)
        else:
            builder.remove_edits(span.path, edit.start, edit.end)
            builder.edit(span.path, *edit)
    listed = "; ".join(description for _, _, description in repeated_items[:_MAX_LISTED])
    unlisted = len(repeated_items) - _MAX_LISTED
    remainder = f" and {unlisted} more" if unlisted > 0 else ""
    if repeated_items:
        builder.remarks.append(f"left out, as repeated or about itself: {listed}{remainder}")
    return inner_edits


def _duplicate_edges(
    corpus: Corpus, kept_id: StatementId, old_id: StatementId
) -> Iterator[tuple[Span, str, str]]:
    """Edges between the two, and edges that both have: place, target, and description."""
    merged_ids = {old_id: kept_id}
    seen_triples: set[tuple[str, str, str]] = set()
    edges = [edge for edge in corpus.edges if not edge.nested]
    for edge in sorted(edges, key=lambda edge: old_id in (edge.origin, edge.target)):
        premise, target = (merged_ids.get(id, id) for id in (edge.origin, edge.target))
        triple = (premise, edge.relation.value, target)
        if old_id in (edge.origin, edge.target) and (premise == target or triple in seen_triples):
            why = f" — {edge.reason}" if edge.reason else ""
            yield edge.span, edge.target, f"{edge.origin} {edge.relation.value} {edge.target}{why}"
        seen_triples.add(triple)


def _duplicate_placements(
    corpus: Corpus, kept_id: StatementId, old_id: StatementId
) -> Iterator[tuple[Span, str, str]]:
    """Placements of the dropped note in lines that also place the kept one."""
    for line in corpus.lines.values():
        placed = [each for each in line.placements if each.statement in (kept_id, old_id)]
        is_kept_placed = any(each.statement == kept_id for each in placed)
        for each in placed:
            if each.statement == old_id and is_kept_placed:
                yield each.span, old_id, f"{line.id} places {old_id}"


def _edit_removing_target(
    corpus: Corpus, text: str, span: Span, target: str, description: str
) -> TextEdit:
    """The edit that removes the list item on a line, or one of its several targets."""
    front = split_front_matter(text)
    body_start = len(text) - len(front.body)
    for block in find_blocks(front.body).blocks:
        start = block.start + body_start
        end = block.end + body_start
        if block.kind != "item" or text.count("\n", 0, start) + 1 != span.line:
            continue
        targets = [
            each
            for each in find_references(text, span.path)
            if each.kind is ReferenceKind.TARGET and start <= each.start < end
        ]
        if len(targets) == 1:
            first = text.rfind("\n", 0, start) + 1
            last = text.find("\n", end)
            return TextEdit(first, len(text) if last < 0 else last + 1, "")
        wiki = all(each.form is ReferenceForm.WIKI for each in targets)
        for number, each in enumerate(targets if wiki else ()):
            if resolve(corpus, each) == target:
                return _edit_removing_link(text, targets, number)
    raise NotEditable(f"{span}: {description}: remove that by hand first")


def _edit_removing_link(text: str, targets: Sequence[Reference], number: int) -> TextEdit:
    """The edit that removes one of several wikilinks, with its separator."""
    ends = [text.index("]]", each.end) + 2 for each in targets]
    starts = [text.rindex("[[", 0, each.start + 1) for each in targets]
    if number:
        return TextEdit(ends[number - 1], ends[number], "")
    return TextEdit(starts[0], starts[1], "")


def _body_and_title(text: str, path: str, start: int, edits: list[TextEdit]) -> tuple[str, str]:
    """A note's body, which begins at `start`, without its title, and the title."""
    title = ""
    rest_start = start
    for each in find_references(text, path):
        if each.kind is ReferenceKind.TITLE and each.start >= start:
            title = each.name
            end = text.find("\n", each.end)
            rest_start = len(text) if end < 0 else end + 1
            break
    cuts = [edit for edit in edits if edit.text == "" and edit.end > edit.start]

    def is_cut_away(edit: TextEdit) -> bool:
        return edit not in cuts and any(cut.start <= edit.start < cut.end for cut in cuts)

    edits_left = [edit for edit in edits if edit.start >= rest_start and not is_cut_away(edit)]
    above = text[start:rest_start].rpartition("#")[0].strip()
    body = cut_text(text, rest_start, len(text), edits_left).strip()
    return f"{above}\n\n{body}".strip() if above.strip("# ") else body, title


def _append_body(builder: ChangeBuilder, path: str, body: str, heading: str) -> None:
    """Append the dropped note's body to a note, under its title unless it has only relations."""
    if not body:
        return
    rows = [row for row in body.split("\n") if row.strip()]
    if all(RELATION.match(row) for row in rows):
        builder.append_relations(path, body)
        return
    section = f"\n\n## {heading}\n\n{body}\n" if heading else f"\n\n{body}\n"
    builder.append_at_end(path, lambda _: section)


def _merge_front_matter(
    builder: ChangeBuilder, corpus: Corpus, kept_id: StatementId, old_id: StatementId, text: str
) -> None:
    """Merge front matter: join lists, add missing keys, and keep the kept note's other values."""
    kept_note = corpus.statements[kept_id]
    old_note = corpus.statements[old_id]
    path = kept_note.path
    # a corpus may have its own words for keys, in the table `map.keys` of its settings
    key_of_word = corpus.config.map.keys
    word_of_key: dict[str, str] = {key: word for word, key in key_of_word.items()}
    for key in _LISTS:
        add_words(builder, path, word_of_key.get(key, key), getattr(old_note, key))
    add_words(builder, path, "aliases", (old_id, *(a for a in old_note.aliases if a != kept_id)))
    _join_dates(builder, kept_note, old_note, word_of_key)
    kept_keys = {fold_key(key) for key in split_front_matter(builder.files.text(path).text).mapping}
    for word, value in parse_mapping(split_front_matter(text).text).items():
        name = fold_key(word)
        is_merged_above = key_of_word.get(fold_map_word(word), name) in (*_LISTS, *_OF_THE_NOTE)
        if is_merged_above or value is None:
            continue
        if name == "open" and _has_support_besides(corpus, kept_id, old_id):
            builder.remarks.append(f"`open` of {old_id} is left out: {kept_id} has support")
        elif name in kept_keys:
            builder.remarks.append(f"`{name}` is kept from {kept_id}")
        elif isinstance(value, list | dict):
            builder.remarks.append(f"`{name}` of {old_id} is left out")
        else:
            add_line(builder, path, f"{name}: {yaml_word(_render_value(value))}")
    if old_note.camp and old_note.camp != kept_note.camp:
        builder.remarks.append(f"{old_id} had the camp {old_note.camp}")


def _has_support_besides(corpus: Corpus, id: StatementId, other_id: StatementId) -> bool:
    """Return whether a statement other than `other_id` supports `id`."""
    return any(
        edge.relation is Relation.SUPPORTS and edge.origin != other_id
        for edge in corpus.edges_to.get(id, ())
    )


def _join_dates(
    builder: ChangeBuilder,
    kept_note: Statement,
    old_note: Statement,
    word_of_key: Mapping[str, str],
) -> None:
    """Keep the earlier `created` and the later `updated`; drop `reviewed`, as the note is new."""
    for name, first in (("created", min), ("updated", max)):
        days = [day for each in (kept_note, old_note) if (day := getattr(each, name))]
        if days and (day := first(days)) != getattr(kept_note, name):
            set_word(builder, kept_note.path, word_of_key.get(name, name), str(day))
            builder.remarks.append(f"`{name}` is taken from {old_note.id}: {day}")
    reviewed_word = word_of_key.get("reviewed", "reviewed")
    remove_word(builder, kept_note.path, reviewed_word, str(kept_note.reviewed))
    builder.remarks += [
        f"`reviewed` of {each.id} is left out: the merged note has not been reviewed"
        for each in (kept_note, old_note)
        if each.reviewed
    ]


def _render_value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _merge_topics(files: FolderFiles, corpus: Corpus, keep: str, drop: str) -> Change:
    if keep == drop or keep not in topics_of(corpus):
        raise corpus.unknown_id_error(keep, topics_of(corpus), "topic")
    builder = build_topic_renaming(files, corpus, drop, keep)
    for things in (corpus.statements, corpus.lines, corpus.sources):
        for id, thing in things.items():
            if not is_part(id) and {keep, drop} <= set(thing.topics):
                for each in find_references(files.text(thing.span.path).text, thing.span.path):
                    head = each.kind is ReferenceKind.TOPIC and each.holder == id
                    if head and each.name == drop:
                        builder.remove_edits(each.path, each.start, each.end)
                remove_word(builder, thing.span.path, "topics", drop)
    return builder.change(f"merge topic {drop} into {keep}")
