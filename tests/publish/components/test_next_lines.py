"""Where an inquiry goes on: the lines that are close, each with why."""

from __future__ import annotations

from kg.publish.components.next_lines import neighbouring_lines, next_lines
from tests.support.every_row import every_row
from tests.support.note_texts import builder_of, claim, line, visible_text


def test_lines_that_share_statements_come_first_then_those_that_contradict(corpus_of):
    corpus = corpus_of(
        a=claim("A", "optimist"),
        b=claim("B", "optimist"),
        c=claim("C", "skeptic", "contradicts:: [[a]]"),
        d=claim("D", "skeptic"),
        here=line("Here?", "optimist:: [[a]]", "optimist:: [[b]]"),
        shares=line("Shares?", "optimist:: [[b]]"),
        opposes=line("Opposes?", "skeptic:: [[c]]"),
        far=line("Far?", "skeptic:: [[d]]"),
    )
    found = neighbouring_lines(corpus, corpus.lines["here"])
    assert [(n.line_id, n.shared_ids, [(t.left, t.right) for t in n.tensions]) for n in found] == [
        ("opposes", [], [("a", "c")]),
        ("shares", ["b"], []),
    ]


@every_row("answered", [False, True])
def test_an_answered_contradiction_is_no_open_tension(corpus_of, answered):
    notes = {
        "a": claim("A", "optimist"),
        "c": claim("C", "skeptic", "contradicts:: [[a]]"),
        "here": line("Here?", "optimist:: [[a]]"),
        "opposes": line("Opposes?", "skeptic:: [[c]]"),
    }
    if answered:
        notes["e"] = claim("E", "optimist", "contradicts:: [[c]]")
    corpus = corpus_of(**notes)
    near = [each.line_id for each in neighbouring_lines(corpus, corpus.lines["here"])]
    assert near == ([] if answered else ["opposes"])


def test_next_lines_say_why(corpus_of):
    corpus = corpus_of(
        a=claim("A", "optimist"),
        here=line("Here?", "optimist:: [[a]]"),
        there=line("There?", "skeptic:: [[a]]"),
    )
    html = next_lines(builder_of(corpus), corpus.lines["here"])
    near = html[html.index('id="next-computed"') :]
    assert near.index("lines/there.html") < near.index("<summary>1 statement in both</summary>")


def test_a_line_that_is_named_already_is_not_listed_again(corpus_of):
    corpus = corpus_of(
        a=claim("A", "optimist"),
        here=line("Here?", "optimist:: [[a]]") + "\n## Next\n\n- next:: [[there]] — for a reason\n",
        there=line("There?", "skeptic:: [[a]]"),
    )
    html = next_lines(builder_of(corpus), corpus.lines["here"])
    assert "next-computed" not in html
    written = html[html.index('id="next-written"') :]
    assert "For a reason." in written
    assert "in both" not in written


def test_a_next_question_that_no_line_asks_is_said_to_be_unanswered(corpus_of):
    corpus = corpus_of(
        here=line("Here?") + "\n## Next\n\n- next:: Who else?\n- next:: [[there]] — so\n",
        there=line("There?"),
    )
    html = next_lines(builder_of(corpus), corpus.lines["here"])
    assert visible_text(html).endswith("So.Not answered here:Who else?")
