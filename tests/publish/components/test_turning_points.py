"""What would change an answer is told apart: what turns it, decides it, leaves it undecided."""

from __future__ import annotations

from collections.abc import Callable

from kg.corpus import Corpus
from kg.publish.components.turning_points import turning_points
from tests.support.note_texts import builder_of, claim, evidence, line, weighed, words_of


def turns_of(corpus: Corpus) -> str:
    return turning_points(builder_of(corpus), corpus.lines["here"])


def test_losses_that_would_decide_an_even_answer_are_said_to(corpus_of):
    pros = {f"pro{n}": evidence(f"Pro {n}", 0.5, "supports:: [[asked]]") for n in range(5)}
    cons = {f"con{n}": evidence(f"Con {n}", 0.5, "contradicts:: [[asked]]") for n in range(5)}
    turns = turns_of(weighed(corpus_of, **pros, **cons))
    losses = turns.partition("Without this source alone")[2]
    assert losses.count("is decided") == 10
    assert "turns round" not in losses


def test_a_source_without_which_it_is_undecided_is_listed(corpus_of):
    corpus = weighed(
        corpus_of,
        pro=evidence("Pro", 0.9, "supports:: [[asked]]"),
        con=evidence("Con", 0.2, "contradicts:: [[asked]]"),
    )
    losses = turns_of(corpus).partition("Without this source alone")[2]
    assert "statements/pro" in losses
    assert "is undecided" in losses or "turns round" in losses
    assert "statements/con" not in losses.partition("</table>")[0]


def test_sources_that_only_together_undo_the_answer_are_listed(corpus_of):
    pros = {f"pro{n}": evidence(f"Pro {n}", 0.6, "supports:: [[asked]]") for n in range(4)}
    cons = {f"con{n}": evidence(f"Con {n}", 0.6, "contradicts:: [[asked]]") for n in range(2)}
    turns = turns_of(weighed(corpus_of, **pros, **cons))
    together = turns.partition("Without these 2 sources together the answer is undecided")[2]
    assert together.partition("</ul>")[0].count("statements/pro") == 2


def test_an_answer_that_no_loss_undoes_says_so(corpus_of: Callable[..., Corpus]) -> None:
    corpus = weighed(corpus_of, pro="---\ntype: claim\n---\n\n# Pro\n\n- supports:: [[asked]]\n")
    assert "No loss of sources that was tried would change" in turns_of(corpus)


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
