"""A selection finds the same in memory and as SPARQL: random corpora, random selections.

Of `kg/queries/engines/compile_query.py`, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from kg.corpus import Corpus, assemble
from kg.model import Relation
from kg.model.errors import NotACorpus
from kg.notes.bibliography.bibliography import parse_bibliography
from kg.notes.note_files import NoteFile
from kg.notes.parse_note import parse_note
from kg.queries.conditions.sparql_patterns import MAX_ALTERNATIVES, Patterns, TooManyAlternatives
from kg.queries.engines.compile_query import compile_query
from kg.queries.engines.engine import MemoryEngine
from kg.queries.engines.sparql_engine import engine_of_store
from kg.queries.find import find
from kg.queries.language.builders import (
    Edges,
    Lines,
    Sources,
    Statements,
    claims,
    edges,
    evidence,
    lines,
    sources,
    statements,
)
from kg.queries.language.selection import Selection
from kg.rdf.iris import Iris
from kg.rdf.quad_store import as_store
from tests.support.corpora import corpus_of_notes
from tests.support.effort import examples
from tests.support.every_row import every_row

IDS = ("n0", "n1", "n2", "n3", "n4")
TOPICS = ("Norms", "grounding é", 'quo"ted')
RELATIONS = ("supports", "contradicts", "qualifies", "depends-on", "same-as", "supersedes")
WORDS = ("Talk", "turn", 'say "so"', "back\\slash", "ÉTÉ", "straße")
BOOKS = "@article{s0, title={Talk}, author={Roe, Ann}, year={2019}, journal={Letters}}\n"
BOOKS += "@misc{s1, title={Turns}, year={2025}}\n@misc{s2, title={None}}\n"

some = st.sampled_from
few = st.lists


@st.composite
def notes(draw: st.DrawFn) -> Corpus:
    """Up to five statements, three sources and two lines, linked at random."""
    texts = {id: draw(note(id)) for id in IDS[: draw(st.integers(1, 5))]}
    for name in ("l0", "l1"):
        texts[name] = draw(line())
    files = [NoteFile(f"{name}.md", text.encode(), b"") for name, text in texts.items()]
    library = parse_bibliography(NoteFile("references.bib", BOOKS.encode(), b""))
    return assemble([parse_note(file) for file in files], library.sources, library.diagnostics)


@st.composite
def note(draw: st.DrawFn, id: str) -> str:
    kind = draw(some(["claim", "counter-claim", "evidence"]))
    head = [f"type: {kind}", f"topics: {draw(few(some(['Norms', 'grounding é']), max_size=2))}"]
    if draw(st.booleans()):
        head.append(f"camp: {draw(some(['optimist', 'skeptic']))}")
    if draw(st.booleans()):
        head.append(f"status: {draw(some(['draft', 'stable', 'retired']))}")
    if kind == "evidence":
        head += [f"method: {draw(some(['experiment', 'survey']))}"]
        head += [
            f"sample: {draw(some([5, 100, 101]))}",
            f"peer_reviewed: {draw(some(['true', 'false']))}",
        ]
        head += [f"independence: [lab:{draw(some(['x', 'y']))}]"]
    cited_example = draw(some(["", "[@s0]", "[@s1; @s0]", "[@unknown]"]))
    body = [f"# {draw(some(WORDS))} {id}", "", f"{draw(some(WORDS))}\nnext {cited_example}", ""]
    if draw(st.booleans()):
        body += [
            f"> [!evidence] {draw(some(WORDS))} ^x",
            "> Seen. (method:: survey) (sample:: 7)",
            "",
        ]
    for number, relation in enumerate(draw(few(some(RELATIONS), max_size=3))):
        mutual = " (mutual:: yes)" if draw(st.booleans()) else ""
        body.append(
            f"- {relation}:: [[{draw(some(IDS))}]]{mutual} — {draw(some(WORDS))} ^e{number}"
        )
    if draw(st.booleans()):
        body.append(f"- undercuts:: [[{draw(some(IDS))}#^e0]] — no")
    return "\n".join(["---", *head, "---", "", *body]) + "\n"


@st.composite
def line(draw: st.DrawFn) -> str:
    places = draw(few(st.tuples(some(["optimist", "skeptic"]), some(IDS)), max_size=3))
    listed = "\n".join(f"- {camp}:: [[{id}]]" for camp, id in places)
    about = draw(some(IDS))
    head = f"---\ntype: line\nproposition: {about}\n---\n\n"
    return f"{head}# Q?\n\nTurn [@s1].\n\n## Camps\n\n{listed}\n"


Narrowable = Callable[[Any], Any]


def narrowings(inner: st.SearchStrategy[Statements]) -> st.SearchStrategy[Narrowable]:
    """Ways to narrow statements, some by other statements."""
    linked_ends = [
        "supporting", "supported_by", "contradicting", "contradicted_by", "qualifying",
        "qualified_by", "undercutting", "undercut_by", "answering", "answered_by",
        "depending_on", "needed_by", "same_as", "part_of", "reaching", "reachable_from",
    ]  # fmt: skip
    camp = some(["optimist", "skeptic"])
    return st.one_of(
        st.tuples(some(linked_ends), inner).map(lambda c: lambda s: getattr(s, c[0])(c[1])),
        camp.map(lambda c: lambda s: s.camp(c)),
        camp.map(lambda c: lambda s: s.camp(c, line=lines())),
        st.just(lambda s: s.line("l0")),
        some(["claim", "evidence"]).map(lambda k: lambda s: s.kind(k)),
        some(["draft", "stable", "retired"]).map(lambda w: lambda s: s.status(w)),
        some(["experiment", "survey"]).map(lambda m: lambda s: s.method(m)),
        some([5, 100, 101]).map(lambda n: lambda s: s.sample(over=n)),
        st.booleans().map(lambda yes: lambda s: s.peer_reviewed(yes)),
        some([(2019, 2024), (2025, None), (None, 2019)]).map(lambda y: lambda s: s.year(*y)),
        some(WORDS).map(lambda w: lambda s: s.text(f'"{w}"' if '"' not in w else "say")),
        st.just(lambda s: s.citing()),
        st.just(lambda s: s.citing(sources().author("Roe"))),
        some([(1, 1), (0, 0), (2, None)]).map(lambda n: lambda s: s.studies(*n)),
        some([(1, 1), (0, 0), (2, None)]).map(lambda n: lambda s: s.supporters(*n)),
        st.integers(1, 3).map(lambda n: lambda s: s.order_by("-sample", "title").limit(n)),
        st.tuples(inner, st.integers(1, 3)).map(
            lambda c: lambda s: s.reachable_from(c[0], ("supports", "contradicts"), depth=c[1])
        ),
        st.just(lambda s: s.has("sample")),
    )


def narrowed_statements(inner: st.SearchStrategy[Statements]) -> st.SearchStrategy[Statements]:
    """Statements narrowed, or joined with others."""
    return st.one_of(
        st.tuples(inner, narrowings(inner)).map(lambda c: c[1](c[0])),
        st.tuples(inner, inner, some("&|-")).map(lambda c: _combine(*c)),
    )


def _combine(one: Statements, other: Statements, sign: str) -> Statements:
    return one & other if sign == "&" else one | other if sign == "|" else one - other


narrowed_choice = st.recursive(
    some([statements(), claims(), evidence()]), narrowed_statements, max_leaves=5
)
others: st.SearchStrategy[Sources | Lines | Edges] = st.one_of(
    narrowed_choice.map(lambda s: sources().cited_by(s)),
    st.just(sources().year(2025) | sources().text("talk")),
    st.just(sources() - sources().cited_by(lines())),
    st.just(sources().has("type", "misc")),
    narrowed_choice.map(lambda s: lines().placing(s, camp="skeptic")),
    narrowed_choice.map(lambda s: lines().weighing(s)),
    narrowed_choice.map(lambda s: edges().origin(s).relation("supports", "undercuts")),
    narrowed_choice.map(lambda s: edges().target(s)),
    st.just(edges().target(edges().relation("contradicts"))),
    st.just(edges().text("turn").order_by("-reason")),
    st.just(edges().has("nested", False)),
    st.just(edges().has("mutual", True)),
)


@examples(6, suppress_health_check=list(HealthCheck))
@given(corpus=notes(), selections=few(st.one_of(narrowed_choice, others), min_size=4, max_size=4))
def test_the_store_answers_as_memory_does(corpus: Corpus, selections: list[Selection]) -> None:
    here, there = MemoryEngine(corpus), engine_of_store(as_store(corpus))
    for selection in selections:
        try:
            expected = find(here, selection)
        except KeyError as error:
            with pytest.raises(KeyError, match=str(error)[:30].replace("(", ".")):
                find(there, selection)
            continue
        answer = find(there, selection)
        assert answer.ids == expected.ids
        assert repr(answer) == repr(expected)
        assert [edge.id for edge in answer.edges] == [edge.id for edge in expected.edges]


@every_row("words", ["heard", '"a talk"', "HEARD talk", "talkheard", '"talk heard"'])
def test_words_are_found_in_any_text_of_a_record_but_not_across_two(words: str) -> None:
    corpus = corpus_of_notes(
        a="---\ntype: claim\n---\n\n# A  talk\n\nHeard\nof it.\n",
        b="---\ntype: line\n---\n\n# A  talk\n\nHeard\nof it.\n",
    )
    here, there = MemoryEngine(corpus), engine_of_store(as_store(corpus))
    is_found = words not in ("talkheard", '"talk heard"')
    for selection, id in ((statements(), "a"), (lines(), "b")):
        expected = (id,) if is_found else ()
        assert find(here, selection.text(words)).ids == expected
        assert find(there, selection.text(words)).ids == expected


def test_hostile_names_stay_literals() -> None:
    iris = Iris("https://example.org/x/")
    text = statements().topic('a" . ?s ?p ?o } #').named("a> <b").text('"} UNION {"')
    query = compile_query(text.query, iris)
    assert '"a\\" . ?s ?p ?o } #"' in query
    assert "<https://example.org/x/statements/a%3E%20%3Cb>" in query


def test_a_store_without_a_corpus_says_so() -> None:
    store = as_store(corpus_of_notes(a="---\ntype: claim\n---\n\n# A\n"))
    store.clear()
    with pytest.raises(NotACorpus, match="no corpus"):
        find(engine_of_store(store), claims())


def test_alternatives_have_a_bound_and_steps_are_optional_ones() -> None:
    patterns = Patterns(Iris("https://example.org/x/"))
    union_pattern = patterns.union_pattern("?x", ["?x ?y ?z"] * MAX_ALTERNATIVES)
    assert union_pattern.count("UNION") == MAX_ALTERNATIVES - 1
    with pytest.raises(TooManyAlternatives):
        patterns.union_pattern("?x", ["?x ?y ?z"] * (MAX_ALTERNATIVES + 1))
    for steps, path in ((1, "s"), (2, "s/(s)?"), (3, "s/(s/(s)?)?"), (None, "s+")):
        [way] = patterns.edge_patterns([Relation.SUPPORTS], "?x", "?y", steps)
        assert way.replace("kg:supports", "s") == f"?x {path} ?y ."
