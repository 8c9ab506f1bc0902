"""Rules about references: what a note points to must be there, be clear, and be no draft."""

from __future__ import annotations

from collections.abc import Iterator

from kg.checks.citations import find_bare_citations, list_citations
from kg.checks.note_places import fix_word, place_of, place_of_key, place_of_link, place_of_relation
from kg.checks.rule import RuleViolation, notes_with_diagnostics, rule
from kg.checks.suggestions import (
    TOO_MANY_LINKS,
    TargetsWithinNotes,
    did_you_mean,
    find_near_placements,
    fix_undercut,
    source_key_search,
    suggest_links,
    suggest_target,
    sure_correction,
    targets_within_notes,
)
from kg.corpus import Corpus, Unresolved, UnresolvedReason
from kg.corpus.drafts import find_drafts
from kg.model import LINKABLE, Citation, Relation, RelationEnds, Severity, Span
from kg.model.ids import note_id_of, split_id
from kg.notes.body import WITH
from kg.notes.corrections import INVERSE_RELATIONS, RELATION_SYNONYMS, find_intended
from kg.notes.markdown import find_links_and_pictures, find_target
from kg.notes.new_note import PLACEHOLDERS
from kg.notes.note_files import reread_file
from kg.notes.note_listing import README
from kg.notes.parsed_note import NEXT, PROPOSITION, PendingMention
from kg.text.line_starts import TextLineStarts

_HELP_WITHOUT_NAME = "write the note, or name another; if it was renamed, add `aliases:` to it"
_HELP_WITHOUT_SOURCE = "add it to a bibliography, or write a source note"
RELATION_NAMES = tuple(relation.value for relation in Relation)
_ENDS_IN_WORDS = {NEXT: "an inquiry line or a question"} | {
    relation.value: "two notes of one kind"
    for relation in Relation
    if relation.entry.joins is RelationEnds.ALIKE
}


def _find_unresolved(corpus: Corpus, *reasons: UnresolvedReason) -> Iterator[Unresolved]:
    return (item for item in corpus.unresolved_edges if item.reason in reasons)


@rule(Severity.ERROR)
def unknown_target(corpus: Corpus) -> Iterator[RuleViolation]:
    """An edge to a note that does not exist.

    The edge is left out of the graph until its target exists. If the note exists but cannot be
    read, only that is reported.
    """
    unread_names = _unread_note_names(corpus)
    unresolved_names = _unresolved_edge_names(corpus)
    for item in _find_unresolved(corpus, UnresolvedReason.UNKNOWN_TARGET):
        target = item.edge.target.lstrip("/")
        if _file_stem(target) in unread_names or _edge_name(corpus, target) in unresolved_names:
            continue
        if item.edge.relation == PROPOSITION:
            span = place_of(corpus, corpus.lines[item.edge.origin], PROPOSITION, target)
            message = f"`proposition` names `{target}`, but there is no such statement"
            help, fix = suggest_target(corpus, target, span)
            yield RuleViolation(span, message, help or "write it, or name another", (), fix)
            continue
        span = place_of_link(corpus, item.edge.span, item.edge.target)
        if target in PLACEHOLDERS:
            yield _unfilled_slot(span, f"[[{target}]]", PLACEHOLDERS[target])
            continue
        if target.replace("#^", "#") in corpus.edges_by_id:
            message = f"`{item.edge.relation}::` needs a statement, but `{target}` is an edge"
            yield RuleViolation(span, message, "link to one of the two that it joins")
            continue
        help, fix = suggest_target(corpus, item.edge.target, span)
        message = f"`{item.edge.relation}::` leads to `{target}`, but there is no such note"
        yield RuleViolation(span, message, help or _HELP_WITHOUT_NAME, (), fix)


def _unfilled_slot(span: Span, link_text: str, replacement: str) -> RuleViolation:
    """The violation for a placeholder that `kg new` left to fill in."""
    return RuleViolation(span, f"`{link_text}` is a placeholder", f"replace it with {replacement}")


@rule(Severity.ERROR)
def ambiguous_target(corpus: Corpus) -> Iterator[RuleViolation]:
    """An edge whose target could be any of several notes.

    Nothing is guessed: the edge is left out until it names one of them.
    """
    for item in _find_unresolved(corpus, UnresolvedReason.AMBIGUOUS):
        names = " or ".join(f"`{name}`" for name in item.candidates)
        span = place_of_link(corpus, item.edge.span, item.edge.target)
        yield RuleViolation(
            span, f"`{item.edge.target}` may mean {names}", "name one of them by its id"
        )


@rule(Severity.ERROR)
def wrong_target(corpus: Corpus) -> Iterator[RuleViolation]:
    """An edge to a target of the wrong kind.

    `undercuts` attacks an edge, so its target must be one; others need a statement.
    """
    paths_of_unclear_type = notes_with_diagnostics(corpus, "missing-type")
    for item in _find_unresolved(corpus, UnresolvedReason.WRONG_KIND, UnresolvedReason.NOT_AN_EDGE):
        word = item.edge.relation
        target = item.candidates[0]
        if (
            item.reason is UnresolvedReason.WRONG_KIND
            and corpus.note_of(target) in paths_of_unclear_type
        ):
            continue  # its true type may be right
        span = place_of_link(corpus, item.edge.span, item.edge.target)
        if item.reason is UnresolvedReason.NOT_AN_EDGE:
            message = f"`undercuts::` needs an edge, but `{target}` is a statement"
            help = "end the edge's line with an id (`^why`) and link to that: `[[note#^why]]`"
            fix = fix_undercut(corpus, span, item.edge.target, target)
            yield RuleViolation(span, message, help, (), fix)
        else:
            expected_thing = _ENDS_IN_WORDS.get(word, "a statement")
            name = f"`{word}::`"
            if word == PROPOSITION:
                span = place_of(corpus, corpus.lines[item.edge.origin], word, target)
                name = word
            yield RuleViolation(
                span, f"{name} needs {expected_thing}, but `{target}` is something else"
            )


@rule(Severity.ERROR)
def wrong_premise(corpus: Corpus) -> Iterator[RuleViolation]:
    """A `with` that joins premises that cannot count together.

    Only `supports`, `contradicts`, `qualifies` and `undercuts` take further premises, and these
    may be neither the statement itself nor its target. The edge is left out.
    """
    for item in _find_unresolved(corpus, UnresolvedReason.NOT_LINKABLE):
        message = f"`{item.edge.relation}::` takes no other premises"
        help = f"`with` goes with {', '.join(sorted(LINKABLE))}; other links go after the dash"
        yield RuleViolation(place_of_key(corpus, item.edge.span, WITH), message, help)
    for item in _find_unresolved(corpus, UnresolvedReason.OWN_PREMISE):
        with_place = place_of_key(corpus, item.edge.span, WITH)
        span = place_of_link(corpus, with_place, item.candidates[0])
        is_own_origin = item.candidates[0] == item.edge.origin
        name = "the statement itself" if is_own_origin else "what it bears on"
        yield RuleViolation(
            span, f"`with` names {name}", "name another premise, or leave `with` out"
        )


@rule(Severity.ERROR)
def wrong_mutual(corpus: Corpus) -> Iterator[RuleViolation]:
    """A `mutual` on a relation that cannot be mutual: it has no effect.

    Only a contradiction between two statements can be mutual. Any other relation in the reverse
    direction is another reason, and counts once it is written as an edge of its own.
    """
    for edge in corpus.edges:
        if edge.mutual and not edge.goes_both_ways:
            joint = " with other premises" if edge.together else ""
            message = f"`{edge.relation}::`{joint} cannot be mutual"
            help = "leave `mutual` out, and write the other direction as an edge of its own"
            yield RuleViolation(place_of_key(corpus, edge.span, "mutual"), message, help)


@rule(Severity.ERROR, of_one_note=True)
def unknown_relation(corpus: Corpus) -> Iterator[RuleViolation]:
    """A list item with `::` whose word is not a relation."""
    reported_spans: set[Span] = set()  # an item may have several targets
    for item in _find_unresolved(corpus, UnresolvedReason.UNKNOWN_RELATION):
        if item.edge.span in reported_spans:
            continue
        reported_spans.add(item.edge.span)
        word = item.edge.relation
        origin = item.edge.origin
        target = item.edge.target
        intended_word = None
        if word == NEXT:
            help = "only a line has `next`: a note with `type: line`"
        elif word in corpus.config.camp_ids:
            help = f"write `camp: {word}` in the front matter, or place the note in a line"
        elif word in INVERSE_RELATIONS:
            inverse = INVERSE_RELATIONS[word]
            help = f"write it in reverse, in `{target}`: `- {inverse}:: [[{origin}]]`"
        else:
            intended_word = find_intended(word, RELATION_NAMES, RELATION_SYNONYMS)
            relations_text = f"relations are {', '.join(RELATION_NAMES)}"
            help = f"did you mean `{intended_word}`?" if intended_word else relations_text
        span = place_of_relation(corpus, item.edge.span)
        fix = fix_word(corpus, span, word, intended_word)
        yield RuleViolation(span, f"there is no relation `{word}`", help, (), fix)


@rule(Severity.WARNING)
def almost_a_relation(corpus: Corpus) -> Iterator[RuleViolation]:
    """A line that has a relation or a camp and a link, but is not written as an edge.

    Only list items `- relation:: [[target]]` are edges; all else is prose.
    """
    for line in corpus.lines.values():
        for camp, start in find_near_placements(corpus, line):
            span = place_of_key(corpus, line.span, start)
            help = f"write `- {camp}:: [[statement]] — why`"
            message = f"this item names the camp `{camp}` but places nothing"
            fix = fix_word(corpus, span, start, f"- {camp}::")
            yield RuleViolation(span, message, help, (), fix)


@rule(Severity.ERROR)
def unknown_citation(corpus: Corpus) -> Iterator[RuleViolation]:
    """A citation of a source that is in no bibliography and has no source note."""
    for citation in list_citations(corpus):
        if citation.key in corpus.sources:
            continue
        if citation.key in PLACEHOLDERS:
            yield _unfilled_slot(citation.span, f"[@{citation.key}]", PLACEHOLDERS[citation.key])
            continue
        nearest_keys = source_key_search(corpus).nearest(citation.key)
        candidates = tuple(f"@{key}" for key in (nearest_keys or ())[:2])
        help = did_you_mean(candidates) or _HELP_WITHOUT_SOURCE
        if nearest_keys is None:
            help = TOO_MANY_LINKS
        # a key with another year most likely means another work
        correction = sure_correction(citation.key, candidates)
        fix = fix_word(corpus, citation.span, f"@{citation.key}", correction)
        message = f"no source has the key `{citation.key}`"
        yield RuleViolation(citation.span, message, help, (), fix)


def _texts_with_citations(corpus: Corpus) -> Iterator[tuple[str, tuple[Citation, ...], Span]]:
    """The texts of the notes, with their citations and places."""
    yield from ((s.body, s.citations, s.span) for s in corpus.statements.values())
    for line in corpus.lines.values():
        yield f"{line.standfirst}\n{line.essay}", line.citations, line.span
    yield from ((edge.reason, (), edge.span) for edge in corpus.edges if not edge.nested)


@rule(Severity.WARNING)
def almost_a_citation(corpus: Corpus) -> Iterator[RuleViolation]:
    """A source's key in the text without brackets or without `@`, which cites nothing."""
    for text, citations, span in _texts_with_citations(corpus):
        for key in find_bare_citations(corpus, text, citations):
            message = f"`{key}` is a source's key, but is not read as a citation"
            place = place_of_key(corpus, span, key)
            new = f"[@{key}]"
            start = Span(place.path, place.line, max(place.column - 2, 1))
            replacements = ((f"[{key}]", new), (f"@{key}", new), (f"; {key}", f"; @{key}"))
            fixes = (fix_word(corpus, start, old, replacement) for old, replacement in replacements)
            fix = next((each for each in fixes if each and each.edits[0].line == place.line), None)
            yield RuleViolation(place, message, f"write `{new}`", (), fix)


@rule(Severity.WARNING)
def dead_link(corpus: Corpus) -> Iterator[RuleViolation]:
    """A link in running text to a missing note, or any link to a missing heading."""
    unread_names = _unread_note_names(corpus)
    for mention in (*corpus.dead_links, *_dead_links_of_readme(corpus)):
        target = mention.target.lstrip("/")
        if _file_stem(target) in unread_names:
            continue
        message = f"this link leads to `{target}`, but there is no such note"
        help, fix = suggest_target(corpus, mention.target, mention.span)
        yield RuleViolation(mention.span, message, help, (), fix)
    targets_in_notes = targets_within_notes(corpus)
    for mention in corpus.loose_links:
        note, _, name = split_id(mention.target.lstrip("/"))
        if not name.startswith("^"):
            yield from _missing_heading(corpus, targets_in_notes, mention)
        elif name[1:] not in targets_in_notes.block_names_in(_file_stem(note)):
            message = f"this link leads to `{name}`, but nothing in that note has that name"
            help, fix = suggest_target(corpus, mention.target, mention.span)
            yield RuleViolation(mention.span, message, help, (), fix)


def _dead_links_of_readme(corpus: Corpus) -> Iterator[PendingMention]:
    """Links to no note in the page about the corpus, which is not read as a note."""
    readme = None if corpus.folder is None else reread_file(corpus.folder, README)
    if readme is None:
        return
    text = readme.data.decode("utf-8", "replace")
    paths = {*_paths_of_records(corpus), *corpus.left_out}
    ids = (*corpus.statements, *corpus.lines, *corpus.sources, *corpus.aliases)
    names = {*ids, *(corpus.drafts or ()), *map(_file_stem, corpus.left_out)}
    folded_names = {name.casefold() for name in (*names, *(f"/{path}" for path in paths))}
    starts = TextLineStarts(text)
    for link in find_links_and_pictures(text):
        target = None if link.is_picture else find_target(link.destination, link.wiki, README)
        name = note_id_of(target or "").casefold()
        if target and name and name not in folded_names:  # a heading of its own has no name
            yield PendingMention("", target, Span(README, *starts.place(link.offset)))


def _missing_heading(
    corpus: Corpus, targets_in_notes: TargetsWithinNotes, link: PendingMention
) -> Iterator[RuleViolation]:
    """The violation for a link to a heading, if its note has no such heading."""
    name, _, heading = split_id(link.target)
    path = name[1:] if name.startswith("/") else targets_in_notes.path_of(name)
    names = targets_in_notes.names_in(path) if path else None
    if names is None or not heading or heading in names.headings:
        return
    nearest = names.all_names.nearest(heading)
    suggestion = nearest and f"{_file_stem(name)}#{names.blocks.get(nearest, nearest)}"
    message = f"that note has no heading `{heading}`"
    span = place_of_link(corpus, link.span, link.target)
    help, fix = suggest_links(corpus, link.target, span, (suggestion,) if suggestion else ())
    yield RuleViolation(span, message, help, (), fix)


def _file_stem(target: str) -> str:
    """The stem of the file that a link most likely means."""
    return note_id_of(target).rpartition("/")[2].removesuffix(".md")


def _unresolved_edge_names(corpus: Corpus) -> set[str]:
    """Names of edges that could not be resolved, each of which is reported."""
    edges = (item.edge for item in corpus.unresolved_edges if item.edge.block)
    return {f"{note_id_of(edge.origin)}#^{edge.block}" for edge in edges}


def _edge_name(corpus: Corpus, target: str) -> str:
    """The name of the edge that a link most likely means."""
    stem = _file_stem(target)
    _, mark, name = split_id(target)
    return corpus.aliases.get(stem, stem) + mark + name


def _unread_note_names(corpus: Corpus) -> set[str]:
    """Names of notes that exist but are not read: broken, or left out as duplicates."""
    broken_paths = notes_with_diagnostics(
        corpus, "unreadable-file", "missing-type", "broken-front-matter"
    )
    duplicate_paths = {duplicate.span.path for duplicate in corpus.duplicates}
    return {
        _file_stem(path) for path in (broken_paths - _paths_of_records(corpus)) | duplicate_paths
    }


def _paths_of_records(corpus: Corpus) -> set[str]:
    """The paths of all files of which something is in the corpus."""
    paths = {each.span.path for each in corpus.statements.values()}
    paths |= {each.span.path for each in corpus.lines.values()}
    return paths | {each.span.path for each in corpus.sources.values()}


@rule(Severity.INFO)
def link_to_a_draft(corpus: Corpus) -> Iterator[RuleViolation]:
    """A link to a draft from something that is not a draft.

    Drafts are left out of the site, verdicts and exports. There, such a link is plain text, and
    a relation to a draft is left out; with `--drafts`, both count.
    """
    drafts = find_drafts(corpus)
    if not drafts:
        return
    for edge in corpus.edges:
        if edge.origin not in drafts:
            for id in (edge.target, *edge.together):
                if id in drafts:
                    yield _draft_violation(place_of_link(corpus, edge.span, id), id, "relation")
    for line in corpus.lines.values():
        if line.id not in drafts:
            for placement in line.placements:
                if placement.statement in drafts:
                    span = place_of_link(corpus, placement.span, placement.statement)
                    yield _draft_violation(span, placement.statement, "entry")
            if line.proposition in drafts:
                yield _draft_violation(line.span, line.proposition or "", "proposition")
    for mention in corpus.mentions:
        if mention.origin not in drafts and mention.target in drafts:
            yield _draft_violation(mention.span, mention.target, "link")


def _draft_violation(span: Span, id: str, noun: str) -> RuleViolation:
    help = "when it is done, remove `status: draft` from it"
    return RuleViolation(span, f"this {noun} leads to `{id}`, which is a draft", help)
