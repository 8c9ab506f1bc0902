"""What would change an answer is told apart: what turns it, decides it, leaves it undecided."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qs

import pytest

from kg.corpus import Corpus
from kg.model.settings.config import Config
from kg.model.settings.reasoning_settings import Reasoning
from kg.publish.components.line.turning_points import (
    LITTLE,
    _describe_outcome,
    any_one_of,
    cruxes_that_settle,
    describe_if_settled,
    turning_points,
    what_would_change,
)
from kg.publish.markup.html import element
from kg.reasoning import crux, flips, impact, reading_of
from kg.reasoning.answers.crux import Crux, Cruxes, SideChange
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.note_texts import (
    builder_of,
    claim_text,
    corpus_with_question,
    evidence_text,
    line_text,
    visible_text,
)
from tests.support.own import own_corpus


def turns_of(corpus: Corpus) -> str:
    return turning_points(builder_of(corpus), corpus.lines["here"])


def test_losses_that_would_decide_an_even_answer_are_said_to():
    pros = {f"pro{n}": evidence_text(f"Pro {n}", 0.5, "supports:: [[asked]]") for n in range(5)}
    cons = {f"con{n}": evidence_text(f"Con {n}", 0.5, "contradicts:: [[asked]]") for n in range(5)}
    turns = turns_of(corpus_with_question(**pros, **cons))
    losses = turns.partition("Without this source alone")[2]
    assert losses.count("is decided") == 10
    assert "turns round" not in losses


def test_a_source_without_which_it_is_undecided_is_listed():
    corpus = corpus_with_question(
        pro=evidence_text("Pro", 0.9, "supports:: [[asked]]"),
        con=evidence_text("Con", 0.2, "contradicts:: [[asked]]"),
    )
    losses = turns_of(corpus).partition("Without this source alone")[2]
    [row] = re.findall(r"<tr><th scope=\"row\">.*?</tr>", losses)
    assert visible_text(row) == "Pro (Finding)becomes undecided"


def test_sources_that_only_together_undo_the_answer_are_listed():
    pros = {f"pro{n}": evidence_text(f"Pro {n}", 0.6, "supports:: [[asked]]") for n in range(4)}
    cons = {f"con{n}": evidence_text(f"Con {n}", 0.6, "contradicts:: [[asked]]") for n in range(2)}
    turns = turns_of(corpus_with_question(**pros, **cons))
    lost = (
        "No single source would undo the answer. Leave out both of these, and it becomes undecided."
    )
    button, _, listed = turns.partition(lost)[2].partition("<ul>")
    lost_matches = re.findall(r"statements/(pro\d)\.html", listed.partition("</ul>")[0])
    assert len(lost_matches) == 2
    assert (
        f'<a href="#weigh?mute={lost_matches[0]}&amp;mute={lost_matches[1]}" class="kg-button'
        in button
    )
    assert "<details" not in button


def test_many_sources_that_are_lost_together_are_folded():
    pros = {f"pro{n}": evidence_text(f"Pro {n}", 0.6, "supports:: [[asked]]") for n in range(9)}
    con = evidence_text("Con", 0.6, "contradicts:: [[asked]]")
    together = turns_of(corpus_with_question(**pros, con=con)).partition("No single ")[2]
    number = re.search(r"Leave out all (\w+) of these", together)
    assert number is not None
    assert (
        f'<details class="kg-on-paper"><summary>The {number[1]} sources</summary><ul>' in together
    )
    assert together.index("kg-button") < together.index("<details")


def test_all_works_of_a_team_are_named_and_the_scales_leave_out_the_same() -> None:
    works = "".join(f"@book{{s{n}, title={{S{n}}}, author={{A Doe{n}}}}}\n" for n in range(5))
    pros = {
        f"pro{n}": evidence_text(f"Pro {n}", 0.6, "supports:: [[asked]]").replace(
            "quality: 0.6", "quality: 0.6" + "\nindependence: lab:x" * (n < 2)
        )
        + f"\n[@s{n}]\n"
        for n in range(5)
    }
    cons = {f"con{n}": evidence_text(f"Con {n}", 0.6, "contradicts:: [[asked]]") for n in range(2)}
    corpus = corpus_with_question(references=works, **pros, **cons)
    turns = turns_of(corpus)
    together = flips(corpus, "here", by="source").minimal_undoing[0]
    assert "@s0" in together.removed
    assert "Doe0 (counted as one source with Doe1" in visible_text(turns)
    address = re.search(r'href="#weigh\?([^"]*)"', turns)
    assert address is not None
    falls = parse_qs(unescape(address[1]))["falls"]
    assert {"s0", "s1"} < {*falls}
    after = {each.statement: each.strength_after for each in impact(corpus, falls).falls}
    assert after["asked"] == together.strength
    assert f'title="by the weights alone {together.strength:.2f}"' in turns


def test_an_answer_that_no_loss_undoes_says_so() -> None:
    corpus = corpus_with_question(pro="---\ntype: claim\n---\n\n# Pro\n\n- supports:: [[asked]]\n")
    assert "The answer would stand after every loss" in turns_of(corpus)


def test_a_strength_of_zero_is_shown_as_a_number() -> None:
    config = Config(reasoning=Reasoning(semantics="dfquad"))
    corpus = corpus_with_question(
        config=config,
        bridge=claim_text("Bridge", "skeptic"),
        **{f"seen{n}": evidence_text(f"Seen {n}", 0.99, "supports:: [[bridge]]") for n in range(4)},
        **{
            f"con{n}": evidence_text(f"Con {n}", 0.99, "contradicts:: [[asked]] with [[bridge]]")
            for n in range(5)
        },
    )
    assert round(reading_of(corpus).strength("asked") or 1.0, 6) == 0.0
    assert ", now 0.00" in turns_of(corpus)


@every_row(
    ("strength", "new_strength", "words"),
    [
        (0.7, 0.8, "stays, firmer"),
        (0.7, 0.6, "stays, less firm"),
        (0.7, 0.74, "stays"),
        (0.7, 0.66, "stays"),
        (0.3, 0.2, "stays, firmer"),
        (0.3, 0.4, "stays, less firm"),
        (0.3, 0.26, "stays"),
        (0.3, 0.34, "stays"),
        (0.25, 0.3125, "stays, less firm"),
        (0.5, 0.5 + 1.1 * LITTLE, "stays, firmer"),
        (0.5, 0.5 - 1.1 * LITTLE, "stays, firmer"),
        (0.5, 0.5 - 0.9 * LITTLE, "stays"),
        (0.0, 0.3, "stays, less firm"),
        (None, 0.9, "stays"),
    ],
)
def test_an_answer_that_stays_is_firmer_farther_from_one_half(
    strength: float | None, new_strength: float, words: str
) -> None:
    html = _describe_outcome("keeps", strength, new_strength, Reasoning())
    assert visible_text(html) == words


@every_row(
    ("when_true", "when_false", "expected"),
    [
        ("turns", "keeps", "If that is true, the answer turns round."),
        ("keeps", "undoes", "If that is false, the answer becomes undecided."),
        (
            *("turns", "decides"),
            "If that is true, the answer turns round; if that is false, the question is decided.",
        ),
        ("turns", "turns", "True or false, the answer turns round."),
        ("keeps", "keeps", "True or false, the answer stays."),
    ],
)
def test_what_a_settled_claim_does_is_said_of_each_way_that_changes_the_answer(
    when_true: SideChange, when_false: SideChange, expected: str
) -> None:
    effects = {"if_true": 0.9, "if_false": 0.1, "swing": 0.8, "disagreement": 0.0, "score": 0.0}
    kinds = {"turns": True, "undoes": True, "when_true": when_true, "when_false": when_false}
    crux = Crux(statement="a", title="A", strength=0.5, views={}, **effects, **kinds)
    assert visible_text(describe_if_settled(crux, Reasoning())) == expected


def test_a_line_that_weighs_nothing_has_no_turning_points() -> None:
    assert (
        turns_of(
            corpus_of_notes(
                a=claim_text("A", "optimist"), here=line_text("Here?", "optimist:: [[a]]")
            )
        )
        == ""
    )


@pytest.mark.integration
def test_what_a_page_names_as_changing_the_answer_is_what_the_command_names() -> None:
    corpus = own_corpus()
    builder = builder_of(corpus)
    assert corpus.lines
    for each in corpus.lines.values():
        answer = crux(corpus, each.id)
        assert isinstance(answer, Cruxes)
        on_page = next(iter(cruxes_that_settle(builder, each)), None)
        assert (answer.undoing and answer.undoing.statement) == (on_page and on_page.statement)
        first = answer.cruxes[0] if answer.cruxes else None
        if answer.undoing and first and answer.undoing.statement != first.statement:
            assert f"{answer.undoing.effect_name} is “{answer.undoing.title}”" in answer.sentence


@every_row(("count", "omitted"), [(4, ""), (5, "; and 2 more"), (6, "; and 3 more")])
def test_up_to_four_sources_are_all_named(count: int, omitted: str) -> None:
    pros = {f"pro{n}": evidence_text(f"Pro {n}", 0.6, "supports:: [[asked]]") for n in range(count)}
    corpus = corpus_with_question(**pros)
    names = any_one_of(builder_of(corpus), corpus.lines["here"], [*pros])
    shown_count = 3 if omitted else count
    assert visible_text(element("p", *names)).count("Pro ") == shown_count
    assert omitted in visible_text(element("p", *names))


def test_that_only_some_sources_were_tried_is_not_said_where_all_were() -> None:
    corpus = corpus_with_question(
        pro=evidence_text("Pro", 0.9, "supports:: [[asked]]"),
        con=evidence_text("Con", 0.2, "contradicts:: [[asked]]"),
    )
    assert "heaviest" not in turns_of(corpus)


def test_new_studies_and_a_lost_source_would_change_an_answer_that_hangs_on_it() -> None:
    corpus = corpus_with_question(pro=evidence_text("Pro", 0.9, "supports:: [[asked]]"))
    sentence = visible_text(what_would_change(builder_of(corpus), corpus.lines["here"]) or "")
    assert re.fullmatch(r"What would undo it: .+, or the loss of one source\.", sentence)
    undecided = corpus_with_question()
    assert what_would_change(builder_of(undecided), undecided.lines["here"]) is None
