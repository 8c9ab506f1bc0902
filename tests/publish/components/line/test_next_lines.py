"""Where an inquiry goes on: the lines that are close, each with why."""

from __future__ import annotations

from kg.publish.components.line.next_lines import (
    lines_affirming,
    lines_beneath,
    neighbouring_lines,
    next_lines,
)
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.note_texts import (
    builder_of,
    claim_text,
    evidence_text,
    line_text,
    visible_text,
)


def test_lines_that_share_statements_come_first_then_those_that_contradict():
    corpus = corpus_of_notes(
        a=claim_text("A", "optimist"),
        b=claim_text("B", "optimist"),
        c=claim_text("C", "skeptic", "contradicts:: [[a]]"),
        d=claim_text("D", "skeptic"),
        here=line_text("Here?", "optimist:: [[a]]", "optimist:: [[b]]"),
        agrees=line_text("Agrees?", "optimist:: [[b]]"),
        opposes=line_text("Opposes?", "skeptic:: [[c]]"),
        far=line_text("Far?", "skeptic:: [[d]]"),
    )
    neighbours = neighbouring_lines(corpus, corpus.lines["here"])
    assert [
        (n.line_id, n.shared_ids, [(t.left, t.right) for t in n.tensions]) for n in neighbours
    ] == [
        ("opposes", [], [("a", "c")]),
        ("agrees", ["b"], []),
    ]


@every_row("answered", [False, True])
def test_an_answered_contradiction_is_no_open_tension(answered):
    notes = {
        "a": claim_text("A", "optimist"),
        "c": claim_text("C", "skeptic", "contradicts:: [[a]]"),
        "here": line_text("Here?", "optimist:: [[a]]"),
        "opposes": line_text("Opposes?", "skeptic:: [[c]]"),
    }
    if answered:
        notes["e"] = claim_text("E", "optimist", "contradicts:: [[c]]")
    corpus = corpus_of_notes(**notes)
    near = [each.line_id for each in neighbouring_lines(corpus, corpus.lines["here"])]
    assert near == ([] if answered else ["opposes"])


def test_next_lines_are_listed_with_their_reasons():
    corpus = corpus_of_notes(
        a=claim_text("A", "optimist"),
        here=line_text("Here?", "optimist:: [[a]]"),
        there=line_text("There?", "skeptic:: [[a]]"),
    )
    html = next_lines(builder_of(corpus), corpus.lines["here"])
    near = html[html.index('id="next-computed"') :]
    assert near.index("lines/there.html") < near.index("<summary>1 statement in both</summary>")


def test_a_line_that_is_named_already_is_not_listed_again():
    corpus = corpus_of_notes(
        a=claim_text("A", "optimist"),
        here=line_text("Here?", "optimist:: [[a]]")
        + "\n## Next\n\n- next:: [[there]] — for a reason\n",
        there=line_text("There?", "skeptic:: [[a]]"),
    )
    html = next_lines(builder_of(corpus), corpus.lines["here"])
    assert "next-computed" not in html
    rest = html[html.index('id="next-written"') :]
    assert "For a reason." in rest
    assert "in both" not in rest


def test_a_next_question_that_no_line_asks_is_said_to_be_unanswered():
    corpus = corpus_of_notes(
        here=line_text("Here?") + "\n## Next\n\n- next:: Who else?\n- next:: [[there]] — so\n",
        there=line_text("There?"),
    )
    html = next_lines(builder_of(corpus), corpus.lines["here"])
    assert visible_text(html).endswith("So.Not answered here:Who else?")


def test_only_other_lines_that_answer_yes_affirm_a_reason():
    corpus = corpus_of_notes(
        a=claim_text("A", "optimist"),
        b=claim_text("B", "optimist"),
        c=claim_text("C", "optimist", "supports:: [[a]]"),
        pro=evidence_text("Pro", 0.9, "supports:: [[c]]"),
        con=evidence_text("Con", 0.9, "contradicts:: [[b]]"),
        **{
            name: f"---\ntype: line\nproposition: {id}\n---\n\n# {name}?\n\n- optimist:: [[{id}]]\n"
            for name, id in (("here", "a"), ("there", "a"), ("beneath", "c"), ("no", "b"))
        },
    )
    builder, here = builder_of(corpus), corpus.lines["here"]
    assert [each.id for each in lines_affirming(builder, here, "a")] == ["there"]
    assert lines_affirming(builder, here, "b") == []
    assert [each.id for each in lines_beneath(builder, here)] == ["beneath"]
    assert lines_beneath(builder, corpus.lines["beneath"]) == []
