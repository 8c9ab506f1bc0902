"""What would change an answer is told apart: what turns it, decides it, leaves it undecided."""

from __future__ import annotations

from collections.abc import Callable

from kg.corpus import Corpus
from kg.publish.components.turning_points import turning_points
from tests.support.note_texts import builder_of, claim, evidence, line, weighed, words_of


def turns_of(corpus: Corpus) -> str:
    return turning_points(builder_of(corpus), corpus.lines["here"])


def test_losses_that_would_decide_an_even_answer_are_not_said_to_turn_it(corpus_of):
    pros = {f"pro{n}": evidence(f"Pro {n}", 0.5, "supports:: [[asked]]") for n in range(5)}
    cons = {f"con{n}": evidence(f"Con {n}", 0.5, "contradicts:: [[asked]]") for n in range(5)}
    turns = turns_of(weighed(corpus_of, **pros, **cons))
    assert "evenly balanced, on neither side; losing any one of 10 pieces of evidence" in turns
    _, _, losses = turns.partition("10 pieces of evidence would decide it</summary>")
    assert losses.count("leans") == 10
    assert "turn" not in losses.partition("</ul>")[0]


def test_what_would_only_leave_it_undecided_is_listed_apart_from_what_turns_it(corpus_of):
    corpus = weighed(
        corpus_of,
        pro=evidence("Pro", 0.9, "supports:: [[asked]]"),
        con=evidence("Con", 0.2, "contradicts:: [[asked]]"),
    )
    turns = turns_of(corpus)
    assert "would turn the answer to the other side" not in turns
    assert "It would be left undecided by losing one piece of evidence</summary>" in turns


def test_the_smallest_set_that_only_undoes_the_answer_stands_beside_the_one_that_turns_it(
    corpus_of,
):
    pros = {f"pro{n}": evidence(f"Pro {n}", 0.6, "supports:: [[asked]]") for n in range(4)}
    cons = {f"con{n}": evidence(f"Con {n}", 0.6, "contradicts:: [[asked]]") for n in range(2)}
    turns = turns_of(weighed(corpus_of, **pros, **cons))
    turning, _, undoing = turns.partition("It would be left undecided by losing 2 together")
    assert "3 together would</summary>" in turning, "all smaller sets were tried, as by the command"
    assert undoing.partition("</ul>")[0].count("statements/pro") == 2


def test_what_no_single_loss_moves_to_the_other_side_says_so(
    corpus_of: Callable[..., Corpus],
) -> None:
    pros = {f"pro{n}": evidence(f"Pro {n}", 0.9, "supports:: [[asked]]") for n in range(2)}
    turns = turns_of(weighed(corpus_of, **pros))
    assert "No loss of evidence that was tried turns the answer to the other side." in turns


def test_a_line_that_weighs_nothing_has_no_turning_points(corpus_of: Callable[..., Corpus]) -> None:
    assert (
        turns_of(corpus_of(a=claim("A", "optimist"), here=line("Here?", "optimist:: [[a]]"))) == ""
    )


def test_the_source_that_moves_the_answer_most_is_named_with_the_answer_without_it(
    corpus_of: Callable[..., Corpus],
) -> None:
    corpus = weighed(
        corpus_of,
        strong=evidence("Strong", 0.9, "supports:: [[asked]]") + "\n[@s]\n",
        slight=evidence("Slight", 0.2, "supports:: [[asked]]") + "\n[@t]\n",
        references="@book{s, title={S}, author={Ann Doe}}\n@book{t, title={T}, author={Bo Roe}}",
    )
    said = words_of(turns_of(corpus)).partition(
        "The independent source that moves the answer most"
    )[2]
    assert said.startswith(" is Doe; without it the strength would be 0.")
    assert "Roe" not in said
