"""The joined corpus: what its names mean, what bears on what, and whose camp a statement is in.

Of `kg/corpus/names/asked_names.py`, `kg/corpus/camps_by_note.py` and
`kg/corpus/look_ups.py`, too.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis.vendor.pretty import pretty

import kg
from kg.corpus import Corpus, UnknownId
from kg.corpus.names.asked_names import find_by_name
from kg.corpus.reasons_for_and_against import reasons_by_side
from kg.model.settings.config import Config
from kg.publish.markup.link_maker import is_disputed
from kg.queries.engines.engine import MemoryEngine
from kg.queries.engines.sparql_engine import engine_of_store
from kg.queries.find import find
from kg.queries.reason_trees import against
from kg.queries.timeline import timeline
from kg.rdf.quad_store import as_store
from kg.rdf.query_bindings import named_node_of
from kg.reasoning import flips, impact, verdict
from tests.support.corpora import corpus_of_notes
from tests.support.corpus_parts import claim, corpus_of_parts
from tests.support.every_row import every_row

CLAIM = "---\ntype: claim\n---\n\n# {}\n\n{}"
EVIDENCE = "---\ntype: evidence\n---\n\n# {1} [@{0}]\n\n- supports:: [[{2}]] — yes\n"


def test_a_mutual_contradiction_opposes_both_its_ends() -> None:
    corpus = corpus_of_notes(
        a=CLAIM.format("It is so", "- contradicts:: [[b]] — no (mutual:: yes)\n"),
        b=CLAIM.format("It is not so", ""),
        e=EVIDENCE.format("one", "Seen", "a"),
        f=EVIDENCE.format("two", "Not seen", "b"),
        references="@book{one, title={One}, year={2001}}\n@book{two, title={Two}, year={2002}}",
    )
    for id, other, item in (("a", "b", "f"), ("b", "a", "e")):
        assert other in [bearing.origin for bearing in corpus.bearings_on(id)]
        assert other in [bearing.target for bearing in corpus.bearings_from(id)]
        (reason,) = reasons_by_side(corpus, id).con
        assert (reason.origin, reason.target) == (other, id)
        assert [branch.statement for branch in against(corpus, id).branches] == [other]
        years = timeline(corpus, id).years
        assert [each for year in years for each in year.added_against] == [item]
    assert {id for id in corpus.statements if is_disputed(corpus, id)} == {"a", "b"}
    assert find(MemoryEngine(corpus), kg.statements().where(opponents=1)).ids == ("a", "b")


def test_an_edge_that_is_not_mutual_opposes_its_target_alone() -> None:
    corpus = corpus_of_notes(
        a=CLAIM.format("It is so", "- contradicts:: [[b]] — no\n"),
        b=CLAIM.format("It is not so", ""),
    )
    assert [(each.origin, each.target) for each in corpus.bearings_on("b")] == [("a", "b")]
    assert [(each.origin, each.target) for each in corpus.bearings_from("a")] == [("a", "b")]
    assert corpus.bearings_on("a") == corpus.bearings_from("b") == ()
    assert reasons_by_side(corpus, "a").con == ()
    assert [reason.origin for reason in reasons_by_side(corpus, "b").con] == ["a"]


@pytest.fixture
def two_called_same() -> Corpus:
    same = CLAIM.format("Same", "")
    return corpus_of_notes(a=same, b=same.replace("Same", "  sAME "), c=CLAIM.format("Other", ""))


def test_a_record_of_any_kind_is_there_by_its_id_alone() -> None:
    corpus = corpus_of_notes(
        references="@misc{wu, title={T}}",
        c="---\ntype: claim\naliases: other\n---\n# C\n",
        l="---\ntype: line\n---\n# L\n",
    )
    assert [corpus.record(id) for id in ("c", "l", "wu")] == [
        *(corpus.statement("c"), corpus.line("l"), corpus.source("wu")),
    ]
    assert corpus.record("other") is corpus.record("C") is None


@pytest.mark.parametrize(
    "ask",
    [
        lambda corpus: corpus.statement("Same"),
        lambda corpus: verdict(corpus, "same"),
        lambda corpus: impact(corpus, "Same"),
        lambda corpus: flips(corpus, "c", protect=["Same"]),
        lambda corpus: named_node_of(corpus, "Same"),
        lambda corpus: find(MemoryEngine(corpus), kg.statements().supporting("Same")),
        lambda corpus: find(engine_of_store(as_store(corpus)), kg.statements().supporting("Same")),
    ],
)
def test_a_title_of_two_settles_nothing_and_both_are_named(
    two_called_same: Corpus, ask: Callable[[Corpus], object]
) -> None:
    assert two_called_same.look_up("Same") is None
    with pytest.raises(UnknownId, match=r"^2 are called '[Ss]ame': ask by id, a, b$"):
        ask(two_called_same)


def test_a_title_means_the_one_thing_of_the_kind_asked_for() -> None:
    corpus = corpus_of_notes(a=CLAIM.format("Same", ""), q="---\ntype: line\n---\n\n# Same\n")
    assert (corpus.statement("Same").id, corpus.line("same").id) == ("a", "q")
    assert corpus.look_up("Same") is None
    assert corpus_of_notes(a=CLAIM.format("Same", "")).look_up("same") == "a"
    with pytest.raises(UnknownId, match=r"^2 are called 'Same': ask by id, a, q$"):
        verdict(corpus, "Same")


def test_of_many_with_one_title_a_few_are_named() -> None:
    corpus = corpus_of_notes(**{name: CLAIM.format("Same", "") for name in "abcdefgh"})
    with pytest.raises(UnknownId, match=r"^8 are called 'Same': ask by id, a, b, c, d, e, f, …$"):
        corpus.statement("Same")


ASKED = {
    "of another sort": ("line", "naps", "in the corpus: that is a claim"),
    "a line that weighs": (
        *("statement", "ask"),
        "in the corpus: that is an inquiry line, which weighs naps",
    ),
    "evidence": ("source", "seen", "in the corpus: that is a piece of evidence"),
    "a source": ("statement", "doe2020", "in the corpus: that is a source"),
    "near": ("statement", "nasp", "did you mean naps?"),
    "near to nothing, and few": ("line", "xyzzy", "in the corpus, which has ask"),
}


@every_row(("ask", "name", "message"), ASKED.values())
def test_an_unknown_name_is_refused_with_what_may_be_meant(
    ask: str, name: str, message: str
) -> None:
    corpus = corpus_of_notes(
        naps=CLAIM.format("Naps help", "") + "\n> [!evidence] One slept ^seen\n",
        seen="---\ntype: evidence\n---\n\n# It was seen [@doe2020]\n",
        ask="---\ntype: line\nproposition: naps\n---\n\n# Do they?\n",
        references="@misc{doe2020, title={Dreams of sheep}, year={2020}}",
    )
    with pytest.raises(UnknownId) as error:
        getattr(corpus, ask)(name)
    assert message in str(error.value)
    assert corpus.suggest("naps hlep") == ("naps",)
    assert corpus.suggest("naps#een")[0] == "naps#seen"
    assert "naps#seen" not in corpus.suggest("naps-seen")
    assert corpus.suggest("dreams of sheeps") == ("doe2020",)
    assert corpus.suggest("DREAMS  of sheeps") == ("doe2020",)
    assert corpus.suggest("dreams-of-sheeps") == ()
    assert corpus.suggest("xyzzy") == corpus.suggest("xyzzy and nothing") == ()
    with pytest.raises(TypeError, match="what ids should look like is text"):
        corpus.suggest(7)  # type: ignore[arg-type]


def test_of_records_with_one_title_the_first_is_suggested() -> None:
    corpus = corpus_of_notes(**{id: CLAIM.format("Naps help", "") for id in ("first", "second")})
    assert corpus.suggest("naps hlep") == ("first",)


def test_a_mention_of_a_part_that_leads_to_the_whole_is_loose() -> None:
    text = "> [!evidence] Seen ^seen\n> It was.\n"
    corpus = corpus_of_notes(
        a=CLAIM.format("A", text), b=CLAIM.format("B", "[[a]], [[a#^seen]], [[a#No heading]].")
    )
    assert [mention.target for mention in corpus.mentions] == ["a", "a#seen", "a"]
    assert [each.target for each in corpus.loose_links] == ["a#No heading"]


@every_row("name", ["naps", "ask", "doe2020", "a-nap"])
def test_whatever_has_an_id_or_an_alias_is_in_the_corpus(name: str) -> None:
    corpus = corpus_of_notes(
        naps="---\ntype: claim\naliases: [a-nap]\n---\n\n# Naps help\n",
        ask="---\ntype: line\n---\n\n# Do they?\n",
        references="@misc{doe2020, title={Dreams}, year={2020}}",
    )
    assert name in corpus
    assert corpus.find_id(name) == ("naps" if name == "a-nap" else name)
    assert "Naps help" not in corpus
    assert corpus.find_id("Naps help") is None


def test_an_id_that_no_file_name_has_is_found_as_it_stands() -> None:
    odd = "\uf900"  # a letter that Unicode composes into another
    assert find_by_name(odd, {}, dict, {odd: 1}) == odd
    assert find_by_name(odd, {}, dict, {"\u8c48": 1}) == "\u8c48"


def test_nested_evidence_argues_for_the_camp_around_it_if_it_supports_that() -> None:
    callouts = (
        "> [!evidence] Seen ^for\n\n> [!counter-evidence] Not seen ^against\n>\n"
        "> - supports:: [[b]] — if it is not seen, it is not so\n\n"
        "> [!evidence] Seen by others ^own\n> (camp:: skeptic)\n\n> [!claim] So be it ^claim\n"
    )
    note = "---\ntype: claim\ncamp: optimist\n---\n\n# It is so\n\n" + callouts
    corpus = corpus_of_notes(
        a=note, b=CLAIM.format("It is not so", "> [!evidence] Seen too ^for\n")
    )
    assert corpus.default_camps == {"a": "optimist", "a#for": "optimist", "a#own": "skeptic"}


def test_nested_evidence_without_the_statement_around_it_is_in_no_camp() -> None:
    note = "---\ntype: claim\ncamp: optimist\n---\n\n# It is so\n\n> [!evidence] Seen ^for\n"
    corpus = corpus_of_notes(a=note)
    evidence = corpus.statements["a#for"]
    assert corpus.default_camps[evidence.id] == "optimist"
    assert Corpus({evidence.id: evidence}, corpus.edges).default_camps == {}


def test_statements_are_claims_or_evidence() -> None:
    corpus = corpus_of_notes(
        a=CLAIM.format("It is so", ""),
        b=CLAIM.format("It is not", "").replace("claim", "counter-claim"),
        e=EVIDENCE.format("one", "Seen", "a"),
    )
    assert [each.id for each in corpus.claims] == ["a", "b"]
    assert [each.id for each in corpus.evidence] == ["e"]


def test_a_failing_example_prints_only_what_was_drawn() -> None:
    """Of `tests/support/short_repr.py`."""
    parts = (claim("a"), claim("b"), "a supports b")
    text = pretty(corpus_of_parts(*parts, config=Config(name="Drawn")))
    assert text.startswith("Corpus(statements=")
    assert "edges=(<edge a supports b>,)" in text
    assert "config=Config(name='Drawn')" in text
    assert len(text) < 250
    assert pretty(corpus_of_parts()) == "Corpus(statements=mappingproxy({}))"
