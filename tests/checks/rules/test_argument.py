"""Rules about the argument: what excuses a note, and what does not."""

from __future__ import annotations

from kg.checks import check
from kg.model import Diagnostic, Status
from tests.checks.rule_problems import CLAIM, problems_of_rule
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row

OTHER = "---\ntype: claim\nopen: nobody looked\n---\n\n# It harms\n\n"


def lines_of(problems: list[Diagnostic]) -> list[tuple[str, int]]:
    return [(each.span.path, each.span.line) for each in problems]


@every_row(
    ("relations", "count"),
    [
        ("- supports:: [[c]] — so\n- contradicts:: [[c]] — not so\n", 1),
        ("- same-as:: [[c]] — in other words\n- contradicts:: [[c]] — not so\n", 1),
        ("- supports:: [[c]] — so\n- qualifies:: [[c]] — within limits\n", 0),
        # together with another premise, a statement may well do the opposite
        ("- supports:: [[c]] — so\n- contradicts:: [[c]] (with:: [[d]]) — not so\n", 0),
    ],
)
def test_one_statement_may_not_support_and_contradict_the_same(relations: str, count: int) -> None:
    problems = problems_of_rule("supports-and-contradicts", o=OTHER + relations, d=OTHER)
    assert len(problems) == count


def test_a_claim_that_is_the_same_as_a_contradicted_one_is_found_from_either_side() -> None:
    problems = problems_of_rule(
        "supports-and-contradicts",
        c=f"{CLAIM}- same-as:: [[o]] — in other words\n",
        o=f"{OTHER}- contradicts:: [[c]] — not so\n",
    )
    assert len(problems) == 1


@every_row(
    ("head", "count"),
    [
        ("", 1),
        ("open: nobody looked\n", 0),
        ("reported: true\n", 0),
        ("status: retired\n", 0),
    ],
)
def test_a_claim_without_support_has_a_reminder_unless_it_is_open_reported_or_retired(
    head: str, count: int
) -> None:
    claim = f"---\ntype: claim\n{head}---\n\n# It harms\n"
    assert len(problems_of_rule("unsupported-claim", o=claim)) == count


@every_row(("type", "count"), [("claim", 1), ("statment about things", 0)])
def test_a_note_of_unknown_type_keeps_its_status_and_lacks_nothing(type: str, count: int) -> None:
    corpus = corpus_of_notes(o=f"---\ntype: {type}\nstatus: draft\n---\n\n# It harms\n")
    best_guess = corpus.best_guess or corpus
    assert best_guess.statements["o"].status is Status.DRAFT
    assert [each.rule for each in check(corpus)].count("unsupported-claim") == count


def test_a_callout_in_a_note_of_unknown_type_is_held_to_all_rules() -> None:
    callout = "> [!claim] Is it a question? ^part\n> So it is.\n"
    assert len(problems_of_rule("question-as-title", o=f"# Is it one?\n\n{callout}")) == 1


def test_support_through_a_claim_that_is_the_same_counts() -> None:
    claim = "---\ntype: claim\n---\n\n# It harms\n"
    supported = f"{claim}\n> [!evidence] It was seen ^seen\n> (reason:: it was) (method:: survey)\n"
    same = "---\ntype: claim\n---\n\n# It does harm\n\n- same-as:: [[o]] — in other words\n"
    assert not problems_of_rule("unsupported-claim", o=supported, s=same)


def test_a_misspelt_callout_hides_that_its_claim_lacks_support_and_no_other_claim() -> None:
    claim = "---\ntype: claim\n---\n\n# It harms\n"
    misspelt = "> [!evidense] It was seen\n"
    problems = problems_of_rule(
        "unsupported-claim",
        **{"CLM - It helps": misspelt, "o": f"{claim}\n{misspelt}", "p": claim},
    )
    assert lines_of(problems) == [("p.md", 5)]


def test_the_same_relation_with_other_premises_is_not_written_twice() -> None:
    twice = "- supports:: [[c]] — so\n- supports:: [[c]] — once more\n"
    joint = "- supports:: [[c]] — so\n- supports:: [[c]] (with:: [[d]]) — together\n"
    assert lines_of(problems_of_rule("written-twice", o=OTHER + twice)) == [("o.md", 9)]
    assert not problems_of_rule("written-twice", o=OTHER + joint, d=OTHER)


@every_row("relation", ["supports", "depends-on", "supersedes"])
def test_a_circle_is_one_problem_that_shows_all_its_edges(relation: str) -> None:
    rule = {
        "supports": "circular-support",
        "depends-on": "dependence-in-a-circle",
        "supersedes": "superseded-in-a-circle",
    }[relation]
    (problem,) = problems_of_rule(
        rule,
        c=f"{CLAIM}- {relation}:: [[d]] — so\n",
        d=f"{OTHER}- {relation}:: [[e]] — so\n",
        e=f"{OTHER}- {relation}:: [[c]] — so\n",
    )
    assert "`c`, `d` and `e`" in problem.message
    assert [each.path for each in (problem.span, *problem.related)] == ["c.md", "d.md", "e.md"]
