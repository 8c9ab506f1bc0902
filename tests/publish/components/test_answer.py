"""The answer of a line: as sure as it stands, with the best reason of each side."""

from __future__ import annotations

import re

from msgspec import structs

from kg.corpus import Corpus
from kg.publish.components.answer import best_reasons, line_answer, what_if
from kg.publish.components.strength_bar import strength_bar
from tests.support.note_texts import builder_of, claim, evidence, line, weighed


def html_of(corpus: Corpus) -> str:
    return line_answer(builder_of(corpus), corpus.lines["here"], ())


def test_the_crux_is_called_so_and_not_what_moves_the_answer_most(corpus_of):
    corpus = corpus_of(
        asked=claim("Asked", "optimist"),
        disputed=claim("Disputed", "optimist", "supports:: [[asked]] (weak) — because"),
        agreed=claim("Agreed", "optimist", "supports:: [[asked]] — because"),
        for_it=evidence("For", 0.8, "supports:: [[disputed]]", "supports:: [[agreed]]"),
        reply=claim("Reply", "skeptic", "contradicts:: [[disputed]] — not so"),
        against=evidence("Against", 0.8, "supports:: [[reply]]"),
        here=line(
            "Here?",
            "optimist:: [[disputed]]",
            "skeptic:: [[reply]]",
            head="proposition: asked\n",
        ),
    )
    cruxes = builder_of(corpus).context.strengths.cruxes("here")
    assert cruxes is not None
    assert cruxes.cruxes[0].statement == "disputed"
    assert max(cruxes.cruxes, key=lambda each: abs(each.swing)).statement == "agreed"
    settles = html_of(corpus).partition("What it hangs on most: ")[2].partition("</p>")[0]
    assert "statements/disputed.html" in settles


def test_an_answer_with_nothing_on_the_other_side_is_not_called_contested(corpus_of):
    corpus = corpus_of(
        asked=claim("Asked", "optimist"),
        pro=evidence("Pro", 0.35, "supports:: [[asked]]"),
        here=line("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
    )
    html = html_of(corpus)
    answer, _, computed = html.partition("How is this computed?")
    assert re.search(r"The answer so far: <strong><a [^>]*>perhaps</a></strong>", answer)
    assert ">Thinly supported</a>" not in answer
    assert ">Thinly supported</a>" in computed
    assert "Contested" not in html
    assert "kg-bar-for" in strength_bar(builder_of(corpus), "asked")


def test_the_chief_doubt_follows_the_answer_where_the_line_has_one(corpus_of):
    def box(head: str) -> str:
        return html_of(
            corpus_of(asked=claim("Asked", "optimist"), here=line("Here?", "", head=head))
        )

    head = "proposition: asked\n"
    assert "Chief doubt" not in box(head)
    doubted = box(head + "doubt: Nobody *asked* why.\n")
    answer, _, rest = doubted.partition("Chief doubt: </span>Nobody <em>asked</em> why.</p>")
    assert "kg-answer-words" in answer
    assert "Why:" in rest


def test_beside_the_answer_stands_the_best_reason_of_each_side(corpus_of):
    study = "\n\n> [!evidence] Seen ^seen\n> In a trial. (method:: experiment)\n"
    corpus = corpus_of(
        asked=claim("Asked", "optimist"),
        strong=claim("Strong", "optimist", "supports:: [[asked]] — this shows it" + study),
        weak=claim("Weak", "optimist", "supports:: [[asked]] (weak) — this hints at it"),
        con=claim("Con", "skeptic", "contradicts:: [[asked]] (weak) — not so" + study),
        here=line("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
    )
    html = html_of(corpus)
    cases = html.partition('class="kg-cases"')[2].partition("</ul>")[0]
    pro, con = cases.split('<li class="kg-case ')[1:]
    assert "The best reason for it" in pro
    assert "this shows it" in pro
    assert "The best reason against it" in con
    assert "not so" in con
    assert "this hints at it" not in cases


def test_the_best_reason_for_an_answer_is_that_which_refutes_what_is_asked(corpus_of):
    corpus = weighed(
        corpus_of,
        pro=evidence("Pro", 0.2, "supports:: [[asked]]"),
        con=evidence("Con", 0.9, "contradicts:: [[asked]]"),
    )
    found = builder_of(corpus).context.strengths.verdict("here")
    assert found is not None
    named = [(name, reason.statement) for name, reason in best_reasons(found)]
    assert named == [("The best reason for it", "con"), ("The best reason against it", "pro")]


def why_of(html: str) -> str:
    return html[html.index("Why:") : html.index('class="kg-gauged"')]


def test_the_answer_says_what_would_undo_it(corpus_of):
    corpus = weighed(corpus_of, pro=evidence("Pro", 0.9, "supports:: [[asked]]"))
    assert "; the loss of 1 piece of evidence, or " in why_of(html_of(corpus))


def test_the_answer_says_where_part_of_the_evidence_says_otherwise(corpus_of):
    people = evidence("Con", 0.9, "contradicts:: [[asked]]").replace(
        "quality: 0.9", "method: experiment\nsample: 900 people\nseen_in: primary"
    )
    pros = {f"pro{n}": evidence(f"Pro {n}", 0.9, "supports:: [[asked]]") for n in range(3)}
    why = why_of(html_of(weighed(corpus_of, con=people, **pros)))
    assert "Counting only what was read in its source, it would be the other answer, “" in why
    assert "; counting only work with people, it would be the other answer, “" in why


def test_why_says_the_same_three_things_in_the_same_order(corpus_of):
    for quality in (0.9, 0.0):
        pro = evidence("Pro", quality, "supports:: [[asked]]")
        why = why_of(html_of(weighed(corpus_of, pro=pro)))
        places = [why.index(part) for part in (" trials that shift", " other settings", "ounting ")]
        assert places == sorted(places)
        assert why.count("<li>") == 3


def test_claims_of_the_essay_without_a_study_are_counted_and_listed(corpus_of):
    essay = "\n\nAs [[bare]] says, and [[borne]], too.\n"
    corpus = corpus_of(
        asked=claim("Asked", "optimist"),
        bare=claim("Bare", "optimist", "supports:: [[asked]] — because"),
        borne=claim("Borne", "optimist", "supports:: [[asked]] — because"),
        pro=evidence("Pro", 0.9, "supports:: [[borne]]"),
        here=line("Here?", "optimist:: [[asked]]", head="proposition: asked\n") + essay,
    )
    idle = html_of(corpus).partition('class="kg-idle')[2].partition("</details>")[0]
    assert "1 statement that the essay argues with counts for nothing here" in idle
    assert "statements/bare.html" in idle
    assert "statements/borne.html" not in idle


def test_what_a_claim_would_make_of_the_answer_is_what_the_crux_says(corpus_of):
    corpus = weighed(
        corpus_of,
        pro=evidence("Pro", 0.9, "supports:: [[asked]]"),
        rival=claim("Rival", "skeptic", "contradicts:: [[asked]]"),
        behind=evidence("Behind", 0.3, "supports:: [[rival]]"),
    )
    cruxes = builder_of(corpus).context.strengths.cruxes("here")
    assert cruxes is not None
    first = cruxes.cruxes[0]
    turning = structs.replace(first, settles="turns it if true", if_true=0.03, if_false=0.74)
    assert what_if(turning) == "It turns the answer if true: 0.03 if true, 0.74 if false."
    unmoved = structs.replace(first, settles="", if_true=0.6, if_false=0.74)
    assert what_if(unmoved).startswith("Settled, it would leave the answer on its side: at 0.60")
