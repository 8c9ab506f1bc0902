"""The answer of a line: as sure as it stands, with the best reason of each side."""

from __future__ import annotations

import re

from msgspec import structs

from kg.corpus import Corpus
from kg.publish.components.answer import DOUBT, best_reasons, line_answer, what_if
from kg.publish.components.strength_bar import strength_bar
from tests.support.note_texts import builder_of, claim, evidence, line, weighed, words_of


def html_of(corpus: Corpus) -> str:
    return line_answer(builder_of(corpus), corpus.lines["here"], ())


def test_a_crux_that_leaves_the_answer_as_it_is_settles_nothing(corpus_of):
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
    assert not any(each.undoes for each in cruxes.cruxes)
    html = html_of(corpus)
    assert not any(words in html for words in ("kg-settles", "What decides", "the answer stays"))


def test_an_answer_with_nothing_on_the_other_side_is_not_called_contested(corpus_of):
    corpus = corpus_of(
        asked=claim("Asked", "optimist"),
        pro=evidence("Pro", 0.35, "supports:: [[asked]]"),
        here=line("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
    )
    html = html_of(corpus)
    answer, _, computed = html.partition("How is this computed?")
    assert re.search(r"The answer so far: <strong><a [^>]*>perhaps</a></strong>", answer)
    assert ">Perhaps</a>" in computed
    for word in ("hinly", "ontested"):
        assert word not in html
    assert "kg-bar-for" in strength_bar(builder_of(corpus), "asked")


def test_the_doubt_is_said_to_be_the_essays_and_follows_the_reasons(corpus_of):
    def box(head: str) -> str:
        return html_of(
            corpus_of(asked=claim("Asked", "optimist"), here=line("Here?", "", head=head))
        )

    head = "proposition: asked\n"
    assert "own doubt" not in box(head)
    doubted = box(head + "doubt: Nobody *asked* why.\n")
    answer, doubt, _ = doubted.partition(f"{DOUBT}</span>Nobody <em>asked</em> why.</p>")
    assert doubt
    assert "kg-answer-words" in answer
    assert "Why:" in answer


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


def why_of(corpus: Corpus) -> str:
    html = html_of(corpus)
    return words_of(html[html.index("Why:") : html.index('class="kg-gauged"')])


BIB = "\n".join(f"@book{{s{n}, title={{S{n}}}, author={{Ann Doe{n}}}}}" for n in range(4))


def cited(quality: float, n: int, step: str = "supports:: [[asked]]") -> str:
    return evidence(f"Study {n}", quality, step) + f"\n[@s{n}]\n"


def test_why_names_the_source_without_which_the_answer_would_not_hold(corpus_of):
    why = why_of(weighed(corpus_of, references=BIB, pro=cited(0.9, 0)))
    assert why.startswith(
        "Why: 1 independent source moves this answer noticeably, by 0.01 or more "
    )
    assert "It would no longer hold if Doe0 were left out, or if one new, faultless study" in why


def test_why_names_the_sources_that_only_together_decide(corpus_of):
    pros = {f"pro{n}": cited(0.6, n) for n in range(3)}
    why = why_of(weighed(corpus_of, references=BIB, **pros, con=cited(0.2, 3, AGAINST)))
    assert "It holds if any single one of them is left out; it would no longer hold without " in why
    assert re.search(r"without [23] of them together \(Doe\d; Doe\d", why)


AGAINST = "contradicts:: [[asked]]"


def test_why_says_what_would_decide_what_is_undecided(corpus_of):
    pro, con = cited(0.6, 0), cited(0.6, 1, AGAINST)
    why = why_of(weighed(corpus_of, references=BIB, pro=pro, con=con))
    assert "It would be decided if any one of 2 of them (" in why
    assert "faultless" not in why


def test_why_says_what_keeps_an_answer_from_being_surer_and_what_a_part_says(corpus_of):
    people = evidence("Con", 0.9, AGAINST).replace(
        "quality: 0.9", "method: experiment\nsample: 900 people\nseen_in: primary"
    )
    pros = {f"pro{n}": evidence(f"Pro {n}", 0.9, "supports:: [[asked]]") for n in range(3)}
    why = why_of(weighed(corpus_of, con=people, **pros))
    part = "what was seen in the paper or its abstract or only work with people"
    assert f"counting only {part} it would be the other answer, “" in why
    thin = why_of(weighed(corpus_of, pro=evidence("Pro", 0.3, "supports:: [[asked]]")))
    assert "It is no surer than “perhaps” because little speaks on either side" in thin
    firm = why_of(weighed(corpus_of, **pros))
    assert "It still holds if the sources are graded or added up somewhat differently" in firm


def test_a_reason_that_hardly_moves_the_answer_is_said_to(corpus_of):
    corpus = weighed(
        corpus_of,
        pro=evidence("Pro", 0.9, "supports:: [[asked]]"),
        con=evidence("Con", 0.1, AGAINST),
    )
    cases = html_of(corpus).partition('class="kg-cases"')[2].partition("</ul>")[0]
    pro, con = cases.split('<li class="kg-case ')[1:]
    assert "it moves the answer little" in con
    assert "moves the answer little" not in pro
    assert "nearly as far" not in pro
    many = {f"pro{n}": evidence(f"Pro {n}", 0.9, "supports:: [[asked]]") for n in range(6)}
    cases = html_of(weighed(corpus_of, **many)).partition('class="kg-cases"')[2]
    assert "Without it the other reasons would carry the answer nearly as far." in cases


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
    assert "The essay argues with 1 more claim that does not count here" in idle
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
    assert words_of(what_if(turning)) == (
        "If it is shown to be true, the answer turns round; "
        "if it is shown to be false, the answer stays."
    )
    assert 'title="Strength 0.03 if true, 0.74 if false"' in what_if(turning)
    unmoved = structs.replace(first, settles="", if_true=0.6, if_false=0.74)
    assert words_of(what_if(unmoved)) == "True or false, the answer stays."
    both = structs.replace(first, settles="undoes it either way")
    assert words_of(what_if(both)) == "True or false, the answer becomes undecided."


def test_the_walk_tells_an_objection_to_the_study_where_the_reason_has_none(corpus_of):
    def walk(**more: str) -> str:
        corpus = weighed(
            corpus_of,
            mid=claim("Mid", "optimist", "supports:: [[asked]]"),
            seen=evidence("Seen", 0.9, "supports:: [[mid]] ^step"),
            **more,
        )
        return words_of(html_of(corpus).partition("Walk through it")[2])

    assert "Nothing here answers it yet." in walk()
    cut = walk(cut=claim("Not so seen", "skeptic", "undercuts:: [[seen#^step]]"))
    assert "The strongest objection to the study: Not so seen" in cut
    assert "Nothing here answers it yet." not in cut
