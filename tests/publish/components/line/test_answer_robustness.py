"""Why an answer is no surer, what a part of the evidence alone would say, and what was tried."""

from __future__ import annotations

import re
from html import unescape

import pytest

import kg
from kg.corpus import Corpus
from kg.publish.components.line.answer_robustness import (
    answers_on_kinds,
    describe_objections,
    robustness_facts,
    why_no_surer,
)
from kg.publish.components.line.line_answer import line_answer
from kg.publish.components.line.turning_points import turning_points
from kg.publish.context.site_answers import EVIDENCE_SUBSETS
from kg.publish.markup.html import join_children
from kg.publish.page_builder import PageBuilder
from kg.reasoning import flips
from kg.reasoning.answers.flips import Flips
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.strength_words import side_of
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

AGAINST = "contradicts:: [[asked]]"
ADDED_UP = "Added up, the reasons give “probably”."
ONLY_STRONG = (
    "In one of seven variants of our method (only strong reasons count) the answer would be "
    "undecided."
)
BIB = "\n".join(
    f"@book{{s{n}, title={{S{n}}}, author={{Ann Doe{n}}}, year={{{2000 + n}}}}}" for n in range(6)
)


def builder_and_verdict(corpus: Corpus) -> tuple[PageBuilder, Verdict]:
    builder = builder_of(corpus)
    verdict = builder.context.answers.verdict("here")
    assert verdict is not None
    return builder, verdict


def why_of(corpus: Corpus) -> str:
    """What stands beside the word of the answer."""
    builder, verdict = builder_and_verdict(corpus)
    why = join_children(why_no_surer(builder, corpus.lines["here"], verdict))
    return unescape(visible_text(why))


def facts_of(corpus: Corpus) -> dict[str, str]:
    """The facts beneath the box, by their names."""
    builder, verdict = builder_and_verdict(corpus)
    html = robustness_facts(builder, corpus.lines["here"], verdict)
    matches = re.findall(r"<dt>([^<]+)</dt><dd>(.*?)</dd>", html)
    return {name: unescape(visible_text(fact)) for name, fact in matches}


def checks_of(corpus: Corpus) -> str:
    """What stands above the figures beneath the box."""
    builder, verdict = builder_and_verdict(corpus)
    html = robustness_facts(builder, corpus.lines["here"], verdict)
    return unescape(visible_text(html.partition("<details")[0]))


def cited_study(quality: float, n: int, step: str = "supports:: [[asked]]") -> str:
    return evidence_text(f"Study {n}", quality, step) + f"\n[@s{n}]\n"


def test_why_names_the_source_without_which_the_answer_would_leave_its_side():
    why = why_of(corpus_with_question(references=BIB, pro=cited_study(0.9, 0)))
    end = "it depends on Doe0 2000. So we say “perhaps”."
    assert why == f"{ADDED_UP} But {end}"


def test_all_that_holds_a_word_back_stands_in_one_sentence():
    pro, con = cited_study(0.9, 0), cited_study(0.4, 1, f"{AGAINST} (strength:: moderate)")
    why = why_of(corpus_with_question(references=BIB, pro=pro, con=con))
    assert why == (
        f"{ADDED_UP} But it depends on Doe0 2000, and we also run a stricter check, in "
        "which one objection that nobody has refuted is enough; here that is “Study 1”. So we "
        "say “perhaps”."
    )


def test_works_that_count_as_the_one_source_of_an_answer_are_all_named():
    def why(*shared: str) -> str:
        keys = {
            f"s{n}": f"---\ntype: source\nindependence: [{key}]\n---\n\n# S\n"
            for n, key in enumerate(shared)
        }
        pros = {f"pro{n}": cited_study(0.6, n) for n in range(2)}
        return why_of(corpus_with_question(references=BIB, **pros, **keys))

    for key in ("lab:doe", "data:doe"):
        assert "it depends on Doe0 2000 and Doe1 2001. So" in why(key, key)


def test_why_names_the_sources_without_which_the_word_would_be_less_sure():
    corpus = corpus_with_question(
        references=BIB, **{f"pro{n}": cited_study(0.6, n) for n in range(2)}
    )
    assert why_of(corpus) == ""
    assert (
        "Without any one of 2 independent sources (Doe0 2000; Doe1 2001) it would be less sure: "
        "“perhaps”."
    ) in unescape(visible_text(turning_points(builder_of(corpus), corpus.lines["here"])))
    found_flips = flips(corpus, "here", by="source")
    assert isinstance(found_flips, Flips)
    left = {flip.removed[0]: flip.sureness for flip in found_flips.words}
    assert left == {"@s0": "perhaps", "@s1": "perhaps"}
    for key, word in left.items():
        without = corpus_with_question(references=BIB, pro=cited_study(0.6, 1 - int(key[-1])))
        verdict = builder_of(without).context.answers.verdict("here")
        assert verdict is not None
        assert verdict.sureness == word


def test_why_says_what_would_decide_what_is_undecided():
    pro, con = cited_study(0.6, 0), cited_study(0.6, 1, AGAINST)
    why = why_of(corpus_with_question(references=BIB, pro=pro, con=con))
    assert why.startswith(
        "it would be decided without any one of 2 independent sources (Doe0 2000; Doe1 2001)."
    )


def kinds_of(corpus: Corpus) -> list[str]:
    """What the answer would be by each kind of evidence alone that gives another one."""
    builder, verdict = builder_and_verdict(corpus)
    return answers_on_kinds(builder, corpus.lines["here"], verdict)[1]


PRO = {f"pro{n}": evidence_text(f"Pro {n}", 0.9, "supports:: [[asked]]") for n in range(3)}
PEOPLE = evidence_text("Con", 0.9, AGAINST).replace(
    "quality: 0.9", "method: experiment\nsample: 900 people\nseen_in: primary"
)


def test_why_says_what_keeps_an_answer_from_being_surer():
    thin = why_of(corpus_with_question(pro=evidence_text("Pro", 0.3, "supports:: [[asked]]")))
    assert thin == "the reasons are thin."
    robust = why_of(corpus_with_question(**PRO))
    assert robust == ""
    moderate = {
        f"pro{n}": evidence_text(f"Pro {n}", 0.9, "supports:: [[asked]] (strength:: moderate)")
        for n in range(5)
    }
    assert ONLY_STRONG in checks_of(corpus_with_question(**moderate))


def test_a_kind_of_evidence_alone_is_mentioned_only_where_it_changes_the_answer():
    turned = kinds_of(corpus_with_question(con=PEOPLE, **PRO))
    assert turned == [
        "None of the three reasons for the answer rests on tests with people. "
        "If we counted only these, we would give the other answer, “perhaps”.",
        "None of the three reasons for the answer "
        "rests on findings seen in the paper or its abstract. "
        "If we counted only these, we would give the other answer, “perhaps”.",
    ]
    assert kinds_of(corpus_with_question(pro=PEOPLE.replace(AGAINST, "supports:: [[asked]]"))) == []
    read = PRO["pro0"].replace("quality: 0.9", "quality: 0.9\nseen_in: primary")
    assert kinds_of(corpus_with_question(**PRO, read=read)) == [
        "Only one of the four reasons for the answer "
        "rests on findings seen in the paper or its abstract. "
        "If we counted only these, we would say “perhaps”."
    ]


def test_the_gravest_change_by_a_kind_of_evidence_stands_in_the_box_and_others_beneath():
    both = {f"con{n}": PEOPLE for n in range(2)}
    reviewed = PRO["pro0"].replace("quality: 0.9", "quality: 0.1\npeer_reviewed: true")
    corpus = corpus_with_question(**both, **PRO, pro3=PRO["pro0"], reviewed=reviewed)
    kinds = kinds_of(corpus)
    assert [line.partition("we would ")[2] for line in kinds] == [
        "give the other answer, “probably”.",
        "give the other answer, “probably”.",
        "say “undecided”.",
    ]
    builder, _ = builder_and_verdict(corpus)
    box = unescape(visible_text(line_answer(builder, corpus.lines["here"], ())))
    in_short = "If we counted only tests with people, we would give the other answer"
    assert box.index(in_short) < box.index("Best reason")
    assert facts_of(corpus)["A part of the evidence"] == " ".join(kinds)
    assert kinds[0] not in box.partition("Best reason")[0]


def test_a_kind_of_evidence_by_which_the_answer_would_be_surer_is_no_doubt():
    read = PRO["pro0"].replace("quality: 0.9", "quality: 0.9\nseen_in: primary")
    con = evidence_text("Con", 0.9, AGAINST)
    corpus = corpus_with_question(con=con, **{f"pro{n}": read for n in range(3)})
    builder, verdict = builder_and_verdict(corpus)
    in_box, (sentence,) = answers_on_kinds(builder, corpus.lines["here"], verdict)
    assert (verdict.sureness, in_box) == ("perhaps", "")
    assert sentence.endswith("we would say “probably”.")


def test_the_box_says_on_which_kind_no_reason_rests():
    weak = PEOPLE.replace(AGAINST, f"{AGAINST} (strength:: weak)").replace("900", "3")
    corpus = corpus_with_question(con=weak, **PRO)
    builder, verdict = builder_and_verdict(corpus)
    in_box, beneath = answers_on_kinds(builder, corpus.lines["here"], verdict)
    message = "None of the three reasons for the answer rests on tests with people. If "
    assert in_box == "None of the reasons for the answer rests on tests with people."
    assert [each.startswith(message) for each in beneath] == [True, False]


@pytest.mark.integration
@every_row("line", sorted(own_corpus().lines))
def test_answers_on_kinds_of_evidence_are_those_of_whatif(line):
    corpus = own_corpus()
    builder = builder_of(corpus)
    verdict = builder.context.answers.verdict(line)
    weighing = builder.context.answers.weighing(line)
    assert verdict is not None
    assert weighing is not None
    findings = [each for each in weighing.statements if each.quality is not None]
    in_box, beneath = answers_on_kinds(builder, corpus.lines[line], verdict)
    text = " ".join([in_box, *beneath])
    for kind, words in EVIDENCE_SUBSETS.items():
        left_out = [each.id for each in findings if not getattr(each, kind)]
        then = {turn.line: turn for turn in kg.whatif(corpus, mute=left_out).verdicts}.get(line)
        word = then.sureness_after.partition(",")[0] if then else ""
        text_alone = f" on {words}. If we counted only these, we would say “{word}”"
        assert (text_alone in text) is (then is not None)


@pytest.mark.integration
@every_row("line", sorted(own_corpus().lines))
def test_the_command_says_the_same_of_what_was_measured_on_people_as_the_box(line):
    corpus = own_corpus()
    builder = builder_of(corpus)
    verdict = builder.context.answers.verdict(line)
    robust = builder.context.answers.robustness(line)
    assert verdict is not None
    assert robust is not None
    _, sentences = answers_on_kinds(builder, corpus.lines[line], verdict)
    assert [robust.people_say] == ([each for each in sentences if "with people" in each] or [""])


def test_rules_that_do_not_back_an_answer_are_counted_by_what_they_say():
    pros = {f"pro{n}": evidence_text(f"Pro {n}", 0.3, "supports:: [[asked]]") for n in range(8)}
    corpus = corpus_with_question(**pros, con=evidence_text("Con", 0.9, AGAINST))
    robust = builder_of(corpus).context.answers.robustness("here")
    assert robust is not None
    words = [*robust.other_rules.words.values()]
    opposed, undecided = (sum(side_of(word) == side for word in words) for side in (-1, 0))
    assert (opposed, undecided) == (0, 1)
    message = (
        "one of the three other rules of weighing leaves it undecided and one says the opposite"
    )
    assert robust.other_rules.grounded == "out"
    why = why_of(corpus)
    assert why == f"{ADDED_UP} But {message}. So we say “perhaps”."
    released = "Without Con (Finding) it would be surer: “probably”, as then all rules"
    turns = unescape(visible_text(turning_points(builder_of(corpus), corpus.lines["here"])))
    assert turns.count(released) == 1


def test_a_page_says_what_an_answer_owes_to_limits():
    def facts_with_objections(*objections: str, strength: str = "(strength:: moderate)") -> str:
        corpus = corpus_of_notes(
            asked=claim_text("Asked", "optimist"),
            pro=evidence_text("Pro", 0.9, f"supports:: [[asked]] {strength} — it shows so"),
            con=evidence_text("Con", 0.9, *objections),
            other=evidence_text("Other", 0.9, *objections[1:]),
            here=line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
        )
        return facts_of(corpus)

    limit = "qualifies:: [[asked]] (strength:: moderate) — not there"
    one_limit = (
        "The one objection does not deny it but limits it, and counts 30% as much as a denial. "
        "If partial objections counted as full ones, the answer would"
    )
    assert "Its objections" not in facts_with_objections()
    assert facts_with_objections(limit)["Its objections"] == f"{one_limit} be undecided."
    carried = facts_with_objections(
        limit.replace("moderate", "weak"), strength="(strength:: strong)"
    )
    assert carried["Its objections"] == f"{one_limit} stay."
    both = facts_with_objections(
        "contradicts:: [[asked]] (strength:: weak) — no", limit, strength="(strength:: strong)"
    )
    text = "Of 2 objections 1 denies it; the other limits it, and counts 30% as much as a denial."
    assert both["Its objections"].startswith(text)


def test_objections_are_counted_as_what_they_are_and_as_on_the_page_of_the_claim():
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist", "depends-on:: [[premise]]"),
        premise=evidence_text("Premise", 0.6),
        shaken=evidence_text("Shaken", 0.3, "contradicts:: [[premise]]"),
        **{f"pro{n}": evidence_text(f"Pro {n}", 0.9, "supports:: [[asked]]") for n in range(4)},
        limit=evidence_text("Limit", 0.5, "qualifies:: [[asked]]"),
        idle=claim_text("Idle", "skeptic", "qualifies:: [[asked]]"),
        here=line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
    )
    verdict = builder_of(corpus).context.answers.verdict("here")
    assert verdict is not None
    objections = builder_of(corpus), verdict
    assert describe_objections(*objections) == (
        "Of 3 objections (1 not counted) 1 is a premise that has fallen; "
        "the others limit it, and count 30% as much as a denial."
    )


def test_a_strength_just_past_a_bound_says_so():
    def strength(quality: float) -> str:
        pro = evidence_text("Pro", quality, "supports:: [[asked]]")
        return facts_of(corpus_with_question(pro=pro))["Strength"]

    assert strength(0.3) == ("0.57 on a scale from 0 to 1, just past where “perhaps” begins (0.53)")
    assert strength(0.9) == ("0.71 on a scale from 0 to 1, if the reasons are only added up")


def test_a_claim_without_sources_shows_its_strength_and_no_sources_or_objections():
    corpus = corpus_with_question()
    assert why_of(corpus) == ""
    facts = facts_of(corpus)
    assert facts["Strength"] == "0.50 on a scale from 0 to 1"
    assert {"Sources and findings", "Its objections"}.isdisjoint(facts)


def test_one_source_is_not_compared_with_others():
    corpus = corpus_with_question(references=BIB, pro=cited_study(0.9, 0))
    assert facts_of(corpus)["Sources and findings"] == (
        "1 independent source counts. Of 1 finding linked to it at any depth, 1 moves it."
    )


def test_the_answer_from_newer_evidence_alone_is_given_for_the_year_that_keeps_half_of_it():
    years = (2019, 2023, 2025)
    bib = "\n".join(f"@book{{s{n}, title={{S}}, year={{{y}}}}}" for n, y in enumerate(years))
    pros = {f"pro{n}": cited_study(0.9 if n else 0.1, n) for n in range(3)}
    corpus = corpus_with_question(references=bib, **pros)
    part = (
        "Two of the three reasons for the answer rest on findings published since 2023. "
        "If we counted only these, we would still say “"
    )
    assert facts_of(corpus)["Newer evidence alone"].startswith(part)
    assert "published since" not in why_of(corpus)
    turned = {"old": cited_study(0.9, 0), "new": cited_study(0.9, 2, "contradicts:: [[asked]]")}
    corpus = corpus_with_question(references=bib, **turned)
    fact = (
        "Only one of the two reasons rests on findings published since 2025. "
        "If we counted only these, we would say “perhaps not”."
    )
    assert facts_of(corpus)["Newer evidence alone"].startswith(fact)
    assert "published since" not in why_of(corpus)
