"""What answers declare about themselves is so.

Of `kg/reasoning/word_and_side.py`, `kg/reasoning/asked_question.py` and
`kg/reasoning/line_without_proposition.py`, too.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from msgspec.structs import replace

import kg.reasoning
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import gaps, reading_of, verdict, weighed_answer
from kg.reasoning.asked_question import describe_settings, parameters_of
from kg.reasoning.line_without_proposition import LineWithoutProposition
from kg.reasoning.solution import CERTIFICATES
from kg.reasoning.weighed_answer import STRENGTH_HEADINGS, TERMS_IN_NATS
from kg.reasoning.word_and_side import (
    SideChange,
    describe_side_change,
    side_by_strength,
    side_change,
    verdict_word_of,
)
from kg.reporting.report import Report, Table, TableOf, render_text
from tests.support import corpora
from tests.support.corpus_parts import corpus_of_direct_evidence, require_verdict
from tests.support.every_row import every_row

ROOM = Path(kg.reasoning.__file__).parent


@every_row("heading", (*STRENGTH_HEADINGS, *TERMS_IN_NATS))
def test_each_heading_that_is_explained_is_used(heading: str) -> None:
    explained_in = Path(weighed_answer.__file__)  # which would find its own keys
    others = [path for path in ROOM.rglob("*.py") if path != explained_in]
    declared = "".join(path.read_text("utf-8") for path in others)
    assert re.search(rf'[" ]{re.escape(heading)}[",:]', declared)


def test_what_a_table_says_of_its_numbers_names_its_headings() -> None:
    names = (each.name for each in walk_packages([str(ROOM)], "kg.reasoning."))
    values = [value for name in names for value in vars(import_module(name)).values()]
    shapes = [each for each in values if isinstance(each, TableOf) and each.meaning]
    assert len(shapes) > 5
    for shape in shapes:
        headings = {heading for heading, _ in shape.columns}
        explained = [part.partition(":")[0] for part in shape.meaning.split("; ") if ":" in part]
        assert all(each in headings or {*each.split(", ")} <= headings for each in explained)


@every_row("changed", [{"moderate": 0.7}, {"weak": 0.2}, {"qualifies": 0.5}])
def test_settings_other_than_the_default_are_named(changed: dict[str, float]) -> None:
    corpus = corpus_of_direct_evidence(pa=0.9, ca=0.6)
    usual = require_verdict(verdict(corpus, "q"))
    other = require_verdict(verdict(reading_of(corpus, Reasoning(**changed)), "q"))
    ((name, value),) = changed.items()
    assert f"{name} {value:g}" in str(other.terms(frozenset()))
    assert "how:" not in str(usual.terms(frozenset()))
    assert other.asked.parameters != usual.asked.parameters


def terms_with_proof(name: str | None) -> str:
    """What is said of how an answer was weighed, were it proved so."""
    answer = require_verdict(verdict(corpus_of_direct_evidence(pa=0.9, ca=0.6), "q"))
    certificate = answer.asked.certificate
    assert certificate is not None
    certificate = replace(certificate, name=name) if name else None
    return str(
        replace(answer, asked=replace(answer.asked, certificate=certificate)).terms(frozenset())
    )


USUAL_PROOFS = ("acyclic", "unfolded")


@every_row("proof", [None, *USUAL_PROOFS])
def test_the_default_certificate_is_not_mentioned(proof: str | None) -> None:
    assert "how:" not in terms_with_proof(proof)


@every_row("proof", sorted(CERTIFICATES.keys() - USUAL_PROOFS))
def test_a_certificate_other_than_the_default_is_named(proof: str) -> None:
    assert re.search(f"how: .*{re.escape(CERTIFICATES[proof])}", terms_with_proof(proof))


def test_settings_are_described_by_the_rules_in_force() -> None:
    usual = parameters_of(Reasoning())
    assert describe_settings(usual) == (
        "each independent source counts once per statement, by its best route; "
        "reasons add up as odds multiply (in log-odds)"
    )
    assert "its other routes count 20%" in describe_settings(replace(usual, repeat=0.2))
    assert describe_settings(replace(usual, semantics="dfquad", loops="sum", repeat=0.5)) == (
        "DF-QuAD; reasons and objections that go in a circle are added up; a statement passes on "
        "only what it has earned above its starting point; a source that is heard again counts 50%"
    ), "other rules follow no routes"
    plain = describe_settings(replace(usual, transfer="plain"))
    assert "a statement passes on its whole strength" in plain
    assert "only the strongest of each count" in plain


@every_row(
    ("old", "new", "change", "words"),
    [
        (1, 1, "keeps", "–"),
        (0, 0, "keeps", "–"),
        (0, -1, "decides", "is decided"),
        (1, -1, "turns", "turns"),
        (-1, 0, "undoes", "is undone"),
    ],
)
def test_a_change_of_side_is_named_and_put_into_words(
    old: int, new: int, change: SideChange, words: str
) -> None:
    assert side_change(old, new) == change
    assert describe_side_change(change) == words


def test_a_line_without_a_proposition_lists_its_claims_the_best_backed_first() -> None:
    study = "---\ntype: evidence\nquality: 0.9\n---\n\n# S\n\n- supports:: [[b]]\n"
    claim = "---\ntype: claim\n---\n\n# It is {}.\n"
    line = "---\ntype: line\n---\n\n# Which?\n\n## Camps\n\n- optimist:: [[a]], [[b]]\n"
    notes = {"a": claim.format("A"), "b": claim.format("B"), "s": study, "which": line}
    answer = verdict(corpora.corpus_of_notes(**notes), "which")
    assert isinstance(answer, LineWithoutProposition)
    assert [each.statement for each in answer.candidates] == ["b", "a"]
    assert "\ncandidates\nstatement  camp      strength\nb          optimist  0.711\n" in str(
        answer
    )
    assert answer.sentence.endswith(
        "so it has no verdict; of its 2 claims the best backed is “It is B.”."
    )
    empty = verdict(corpora.corpus_of_notes(which=line.partition("## Camps")[0]), "which")
    assert isinstance(empty, LineWithoutProposition)
    assert empty.sentence.endswith("so it has no verdict.")


def test_what_is_asked_of_evidence_is_its_quality_and_it_takes_no_side() -> None:
    corpus = corpus_of_direct_evidence(pa=0.9, ca=0.6)
    of_claim, of_evidence = (reading_of(corpus).question(name) for name in ("q", "pa"))
    assert (verdict_word_of(of_claim), side_by_strength(of_claim)) == ("contested", 0)
    assert (verdict_word_of(of_evidence), side_by_strength(of_evidence)) == ("quality 0.90", 0)
    assert side_by_strength(reading_of(corpus_of_direct_evidence(ca=0.9)).question("q")) == -1


def test_a_report_has_the_facts_that_there_are_the_terms_it_uses_and_whether_it_is_all() -> None:
    answer = require_verdict(gaps(corpus_of_direct_evidence(pa=0.9), "q"))
    lines = str_of(answer.as_report({"strength": 0.5, "word": "", "tried": 0}))
    assert lines[1:3] == ["  strength: 0.500", "  tried: 0"]
    assert "  word:" not in "".join(lines)
    cut_short = "the search was cut short: what is listed holds, and there may be more"
    assert cut_short not in "".join(lines)
    assert str_of(replace(answer, complete=False).as_report({}))[-1] == cut_short
    assert any(line.startswith("strength: how far") for line in lines)
    none = Table("t", ("score",), [], meaning="score: how far")
    assert len(str_of(answer.as_report({}, none))) == 1
    assert "score: " in "".join(str_of(answer.as_report({}, none._replace(rows=[("1",)]))))


def str_of(report: Report) -> list[str]:
    return render_text(report).split("\n")
