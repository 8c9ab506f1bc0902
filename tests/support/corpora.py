"""Corpora for the tests: from Markdown in the test itself, and at random with hostile words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import blake2b
from inspect import cleandoc
from typing import Any, TypeVar

import msgspec
from hypothesis import strategies as st

from kg.corpus import Corpus, assemble
from kg.model import (
    LINKABLE,
    AnswerWords,
    CampPlacement,
    Citation,
    Edge,
    EdgeStrength,
    InquiryLine,
    Integrity,
    Kind,
    Mention,
    Method,
    NextStep,
    Quotation,
    Relation,
    SampleClass,
    SeenIn,
    Source,
    Span,
    Statement,
    Status,
)
from kg.model.settings.config import Camp, Config
from kg.notes.bibliography.bibliography import parse_bibliography
from kg.notes.note_files import NoteFile
from kg.notes.parse_note import parse_note
from kg.notes.parsed_note import ParsedNote
from tests.support.any_text import any_text

T = TypeVar("T")
HOSTILE = (
    '"',
    "'",
    '"""',
    "\\",
    "\\u0022",
    "<script>alert(1)</script>",
    "> <http://evil.example/p> <http://evil.example/o",
    '" . <http://evil.example/s> <http://evil.example/p> "',
    "} ; DROP ALL ; #",
    "?s",
    "\n\r\t",
    "a b",
    "%23",
    "%2F..",
    "..",
    ".",
    "#",
    "é\u202e\U0001f600",
    "=cmd|'/c calc'!A0",
    "@prefix kg: <x> .",
    "]]>",
    "{}|^`",
    "statements/x#citation/1",
)


def note_file_of(path: str, text: str | bytes) -> NoteFile:
    """A file as reading a folder gives it."""
    data = text if isinstance(text, bytes) else text.encode()
    return NoteFile(path, data, blake2b(data, digest_size=16).digest())


def parsed_note_of(text: str | bytes, path: str = "note.md") -> ParsedNote:
    """One parsed note."""
    return parse_note(note_file_of(path, text))


def corpus_of_notes(references: str = "", config: Config | None = None, **notes: str) -> Corpus:
    """A corpus of notes given as text: `corpus_of_notes(a="…", references="…")`.

    Names are ids, or paths without `.md`; notes are joined in the order given. `references`
    is BibTeX, or CSL JSON.
    """
    parsed = [parsed_note_of(cleandoc(text), f"{name}.md") for name, text in notes.items()]
    kind = "references.json" if references.lstrip().startswith(("[", "{")) else "references.bib"
    library = parse_bibliography(note_file_of(kind, cleandoc(references)))
    corpus = assemble(parsed, library.sources, library.diagnostics if references else (), config)
    return replace(corpus, figures_in_abstracts=library.figures_in_abstracts)


words = st.one_of(st.sampled_from(HOSTILE), any_text(max_size=12))
visible = st.characters(exclude_categories=("Cs", "Cc"))
_stems = st.one_of(
    st.sampled_from([word for word in HOSTILE if "#" not in word and word.isprintable()]),
    st.text(visible, min_size=1, max_size=8).filter(lambda text: "#" not in text),
)
# Made once: to make a strategy takes longer than to draw from it. One of several values is one
# draw, where `st.none() |` would be two.
_lists = st.lists(words, max_size=3).map(tuple)
_entries = st.dictionaries(words, words, max_size=2)
_days = st.none() | st.dates()
_years = st.none() | st.integers(1, 9999)
_flags = st.sampled_from([None, True, False])
_is_told = st.booleans()
_counts = st.none() | st.integers(-(10**20), 10**20)
_numbers = st.none() | st.floats(allow_nan=False)
_places = st.integers(1, 9)
_keys = st.lists(_stems, min_size=1, max_size=2, unique=True)
_up_to = [st.integers(0, maximum) for maximum in range(5)]
_kinds, _statuses, _relations = map(st.sampled_from, (Kind, Status, Relation))
_strengths, _integrities, _places_seen, _classes = (
    st.sampled_from([None, *choices]) for choices in (EdgeStrength, Integrity, SeenIn, SampleClass)
)
_methods = st.sampled_from([None, *map(str, Method), "natural-experiment"])
_camps = st.sampled_from(["left", "right"])
_any_camp = st.sampled_from([None, "left", "right"])
_bases = st.sampled_from(["https://x.test/kg/", "https://x.test/kg#", "urn:x:"])
_answers = st.builds(AnswerWords, holds=words, fails=words, undecided=words)


def _span(draw: st.DrawFn, path: str) -> Span:
    return Span(path, draw(_places), draw(_places))


def _draw_up_to(draw: st.DrawFn, maximum: int, make: Callable[[], T]) -> tuple[T, ...]:
    return tuple(make() for _ in range(draw(_up_to[maximum])))


def small_numbers(statement: Statement) -> Statement:
    """The statement with numbers that Virtuoso 7 can hold: under 64 bits, of six digits."""
    limit = 2**62
    counts = {
        name: max(-limit, min(limit, value))
        for name in ("sample", "replications", "failed_replications")
        if (value := getattr(statement, name)) is not None
    }
    numbers = {
        name: 2.5
        for name in ("quality", "effect", "effect_low", "effect_high", "p")
        if getattr(statement, name) is not None
    }
    return msgspec.structs.replace(statement, **numbers, **counts)


@st.composite
def random_corpora(draw: st.DrawFn) -> Corpus:
    """Small corpora in which anything may be anywhere that the model allows it."""
    stems = draw(st.lists(_stems, min_size=4, max_size=7, unique=True))
    notes, lines, keys = stems[:-3], [stems[-3]], stems[-2:]
    ids = [*notes, *(f"{note}#{draw(_stems)}" for note in notes[:2])]
    ids = list(dict.fromkeys(ids))
    paths = {
        stem: f"{draw(_stems).replace('/', '~')}/{number}.md" for number, stem in enumerate(stems)
    }
    statements = {id: _statement(draw, id, ids, keys, paths[id.partition("#")[0]]) for id in ids}
    edges = _edges(draw, ids, lines, keys, paths)
    return Corpus(
        statements=statements,
        edges=edges,
        sources={key: _source(draw, key, paths[key]) for key in keys},
        lines={line: _line(draw, line, ids, keys, paths[line]) for line in lines},
        mentions=tuple(
            _mention(draw, draw(st.sampled_from(ids)), [*stems], paths) for _ in range(2)
        ),
        aliases={"another name": ids[0]},
        config=Config(
            name=draw(words),
            base_iri=draw(_bases),
            camps=(
                Camp(id="left", label=draw(words)),
                Camp(id="right", label="R", colour="#123456"),
            ),
        ),
    )


def _citing_fields(draw: st.DrawFn, keys: list[str], path: str) -> dict[str, Any]:
    key = st.sampled_from(keys)
    return {
        "citations": _draw_up_to(
            draw,
            2,
            lambda: Citation(
                key=draw(key), span=_span(draw, path), locator=draw(words), prefix=draw(words)
            ),
        ),
        "quotations": _draw_up_to(
            draw,
            1,
            lambda: Quotation(
                text=draw(words), key=draw(key), span=_span(draw, path), locator=draw(words)
            ),
        ),
        "aliases": draw(_lists),
        "topics": draw(_lists),
        "status": draw(_statuses),
        "created": draw(_days),
        "updated": draw(_days),
        "reviewed": draw(_days),
        "extra": draw(_entries),
    }


def _statement(draw: st.DrawFn, id: str, ids: list[str], keys: list[str], path: str) -> Statement:
    return Statement(
        id=id,
        kind=draw(_kinds),
        title=draw(words),
        span=_span(draw, path),
        body=draw(words),
        note=id.partition("#")[0],
        parent=id.partition("#")[0] if "#" in id else None,
        camp=draw(_any_camp),
        about=draw(_lists),
        asserted_by=draw(_lists),
        reported=bool(draw(_flags)),
        open=draw(words),
        **_citing_fields(draw, keys, path),
        **(_study(draw) if draw(_is_told) else {}),
    )


def _study(draw: st.DrawFn) -> dict[str, Any]:
    """What is recorded of how a piece of evidence was found."""
    return {
        "method": draw(_methods),
        "sample": draw(_counts),
        "sample_unit": draw(words),
        "sample_class": draw(_classes),
        "effect": draw(_numbers),
        "effect_kind": draw(words),
        "effect_low": draw(_numbers),
        "effect_high": draw(_numbers),
        "p": draw(_numbers),
        "p_sign": draw(words),
        "replications": draw(_counts),
        "failed_replications": draw(_counts),
        "preregistered": draw(_flags),
        "peer_reviewed": draw(_flags),
        "concerns": draw(_lists),
        "independence": draw(_lists),
        "seen_in": draw(_places_seen),
        "quality": draw(_numbers),
    }


def _source(draw: st.DrawFn, key: str, path: str) -> Source:
    return Source(
        key=key,
        title=draw(words),
        span=_span(draw, path),
        type=draw(words),
        authors=draw(_lists),
        year=draw(_years),
        venue=draw(words),
        doi=draw(words),
        arxiv=draw(words),
        url=draw(words),
        body=draw(words),
        note=draw(words),
        aliases=draw(_lists),
        topics=draw(_lists),
        integrity=draw(_integrities),
        independence=draw(_lists),
        verification=draw(words),
        snapshot=draw(words),
        peer_reviewed=draw(_flags),
        entry=draw(_entries),
        extra=draw(_entries),
    )


def _line(draw: st.DrawFn, id: str, ids: list[str], keys: list[str], path: str) -> InquiryLine:
    statement, step = st.sampled_from(ids), st.sampled_from([None, id])
    placements = _draw_up_to(
        draw,
        2,
        lambda: CampPlacement(
            line=id,
            statement=draw(statement),
            camp=draw(_camps),
            span=_span(draw, path),
            reason=draw(words),
        ),
    )
    steps = _draw_up_to(
        draw,
        2,
        lambda: NextStep(
            span=_span(draw, path), target=draw(step), question=draw(words), reason=draw(words)
        ),
    )
    return InquiryLine(
        id=id,
        title=draw(words),
        span=_span(draw, path),
        standfirst=draw(words),
        essay=draw(words),
        proposition=draw(statement) if draw(_flags) else None,
        **({"answers": draw(_answers)} if draw(_flags) else {}),
        doubt=draw(words),
        open=draw(words),
        placements=placements,
        next=steps,
        **_citing_fields(draw, keys, path),
    )


def _edges(
    draw: st.DrawFn, ids: list[str], lines: list[str], keys: list[str], paths: dict[str, str]
) -> tuple[Edge, ...]:
    edges: list[Edge] = []
    for number in range(draw(_up_to[4])):
        relation = draw(_relations)
        targets = ids
        if relation is Relation.UNDERCUTS:
            targets = [edge.id for edge in edges]
        elif relation is Relation.SUPERSEDES:
            targets = [*ids, *lines, *keys]
        if targets:
            edges.append(_edge(draw, number, relation, draw(st.sampled_from(ids)), targets, paths))
    return tuple(sorted(edges, key=lambda edge: (edge.span, edge.id)))


def _premises(ids: list[str], ends: tuple[str, str]) -> st.SearchStrategy[tuple[str, ...]]:
    """Up to two other premises of an edge; edges are not among them."""
    others = [id for id in ids if id not in ends and "--" not in id and "#^" not in id]
    return (
        st.lists(st.sampled_from(others), max_size=2, unique=True).map(tuple)
        if others
        else (st.just(()))
    )


def _edge(
    draw: st.DrawFn,
    number: int,
    relation: Relation,
    source: str,
    targets: list[str],
    paths: dict[str, str],
) -> Edge:
    target = draw(st.sampled_from(targets))
    return Edge(
        id=draw(
            st.sampled_from([f"{source}--{relation}--{target}--{number}", f"{source}#^{number}"])
        ),
        origin=source,
        relation=relation,
        target=target,
        span=_span(draw, paths[source.partition("#")[0]]),
        reason=draw(words),
        strength=draw(_strengths),
        mutual=bool(draw(_flags)),
        together=draw(_premises(targets, (source, target))) if relation in LINKABLE else (),
        nested=bool(draw(_flags)),
        scope=draw(words),
        by=draw(words),
        locator=draw(words),
    )


def _mention(draw: st.DrawFn, origin: str, targets: list[str], paths: dict[str, str]) -> Mention:
    return Mention(
        origin=origin,
        target=draw(st.sampled_from(targets)),
        span=_span(draw, paths[origin.partition("#")[0]]),
        text=draw(words),
        context=draw(words),
    )


def require_same(one: Corpus, two: Corpus) -> None:
    """That two corpora say the same, in whatever order."""
    assert dict(one.statements) == dict(two.statements)
    assert sorted(one.edges, key=lambda e: e.id) == sorted(two.edges, key=lambda e: e.id)
    assert dict(one.sources) == dict(two.sources)
    assert dict(one.lines) == dict(two.lines)
    whole_data = msgspec.json.encode  # two mentions may show themselves alike and differ in place
    assert sorted(one.mentions, key=whole_data) == sorted(two.mentions, key=whole_data)
    assert one.config.camps == two.config.camps
    assert one.config.base_iri == two.config.base_iri
