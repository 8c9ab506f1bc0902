"""The answer of a line: as sure as it stands, with the best reason of each side.

Of `kg/publish/components/line/answer_computation.py`, too.
"""

from __future__ import annotations

import re

from msgspec import structs

from kg.corpus import Corpus
from kg.model.settings.reasoning_settings import Reasoning
from kg.publish.components.line.best_reasons import BEST_AGAINST, BEST_FOR
from kg.publish.components.line.line_answer import DOUBT, best_reasons, line_answer
from kg.publish.components.line.turning_points import describe_if_settled, turning_points
from kg.publish.components.strength_bar import draw_bar
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


def html_of(corpus: Corpus) -> str:
    return line_answer(builder_of(corpus), corpus.lines["here"], ())


def test_a_crux_that_leaves_the_answer_as_it_is_settles_nothing():
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        disputed=claim_text(
            "Disputed", "optimist", "supports:: [[asked]] (strength:: weak) — because"
        ),
        agreed=claim_text("Agreed", "optimist", "supports:: [[asked]] — because"),
        for_it=evidence_text("For", 0.8, "supports:: [[disputed]]", "supports:: [[agreed]]"),
        reply=claim_text("Reply", "skeptic", "contradicts:: [[disputed]] — not so"),
        against=evidence_text("Against", 0.8, "supports:: [[reply]]"),
        here=line_text(
            "Here?",
            "optimist:: [[disputed]]",
            "skeptic:: [[reply]]",
            head="proposition: asked\n",
        ),
    )
    cruxes = builder_of(corpus).context.answers.cruxes("here")
    assert cruxes is not None
    assert cruxes.cruxes[0].statement == "disputed"
    assert max(cruxes.cruxes, key=lambda each: abs(each.swing)).statement == "agreed"
    assert not any(each.undoes for each in cruxes.cruxes if each.score)
    html = html_of(corpus)
    assert not any(words in html for words in ("What would shake it", "the answer stays"))
    assert re.search("What would undo it: .*or the loss of one source", visible_text(html))


def test_an_answer_with_nothing_on_the_other_side_is_not_called_contested():
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        pro=evidence_text("Pro", 0.35, "supports:: [[asked]]"),
        here=line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
    )
    html = html_of(corpus)
    answer, _, computed = html.partition("How is this computed?")
    assert re.search(r'"kg-answer-words"><a [^>]*>Perhaps</a>', answer)
    assert ">Perhaps</a>" in computed
    for word in ("hinly", "ontested"):
        assert word not in html
    assert "kg-bar-for" in draw_bar(builder_of(corpus).context.standings.of("asked"), Reasoning())


def test_the_chief_doubt_follows_the_answer():
    def box(head: str) -> str:
        return html_of(
            corpus_of_notes(
                asked=claim_text("Asked", "optimist"), here=line_text("Here?", "", head=head)
            )
        )

    head = "proposition: asked\n"
    assert "Our main doubt" not in box(head)
    doubted = box(head + "doubt: Nobody *asked* why.\n")
    end = "Our main doubt</span>: </span>Nobody <em>asked</em> why.</p>"
    answer, doubt, _ = doubted.partition(end)
    assert doubt
    assert "kg-answer-words" in answer
    assert "kg-cases" not in answer


def test_what_one_kind_of_evidence_would_say_follows_the_doubt():
    def doubts(head: str) -> list[str]:
        head = f"proposition: asked\n{head}"
        pros = {f"pro{n}": evidence_text(f"Pro {n}", 0.9, "supports:: [[asked]]") for n in range(2)}
        read = evidence_text("Read", 0.5, AGAINST).replace(
            "quality: 0.5", "quality: 0.5\nseen_in: primary"
        )
        note_text, here = claim_text("Asked", "optimist"), line_text("Here?", "", head=head)
        box = html_of(corpus_of_notes(asked=note_text, here=here, read=read, **pros))
        return [visible_text(p) for p in re.findall(r'(<p class="kg-doubt">.*?)</p>', box)]

    [alone] = doubts("")
    assert alone.startswith("If we counted only findings seen in the paper or its abstract, we ")
    assert doubts("doubt: Nobody asked why.\n") == [f"{DOUBT}Nobody asked why. {alone}"]


def test_beside_the_answer_stands_the_best_reason_of_each_side():
    study = "\n\n> [!evidence] Seen ^seen\n> In a trial. (method:: experiment)\n"
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        strong=claim_text("Strong", "optimist", "supports:: [[asked]] — this shows it" + study),
        weak=claim_text(
            "Weak", "optimist", "supports:: [[asked]] (strength:: weak) — this hints at it"
        ),
        con=claim_text(
            "Con", "skeptic", "contradicts:: [[asked]] (strength:: weak) — not so" + study
        ),
        here=line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
    )
    html = html_of(corpus)
    cases = html.partition('class="kg-cases"')[2].partition("</ul>")[0]
    pro, con = cases.split('<li class="kg-case ')[1:]
    assert "Best reason towards “It holds”" in pro
    assert "This shows it." in pro
    assert "Best reason towards “It does not hold”" in con
    assert "Not so." in con
    assert "this hints at it" not in cases


def test_the_best_reason_for_an_answer_is_that_which_refutes_what_is_asked():
    corpus = corpus_with_question(
        pro=evidence_text("Pro", 0.2, "supports:: [[asked]]"),
        con=evidence_text("Con", 0.9, "contradicts:: [[asked]]"),
    )
    verdict = builder_of(corpus).context.answers.verdict("here")
    assert verdict is not None
    rows = [(name, reason.statement) for name, reason in best_reasons(corpus, verdict)]
    assert rows == [
        (BEST_FOR, "con"),
        (BEST_AGAINST, "pro"),
    ]


BIB = "\n".join(f"@book{{s{n}, title={{S{n}}}, author={{Ann Doe{n}}}}}" for n in range(4))


def cited_study(quality: float, n: int, step: str = "supports:: [[asked]]") -> str:
    return evidence_text(f"Study {n}", quality, step) + f"\n[@s{n}]\n"


def test_where_no_single_claim_or_source_would_change_the_answer_the_box_says_so():
    pros = {f"pro{n}": cited_study(0.6, n) for n in range(3)}
    corpus = corpus_with_question(references=BIB, **pros, con=cited_study(0.2, 3, AGAINST))
    html = visible_text(html_of(corpus))
    assert ", but not dropping any one source or claim." in html
    assert "Why “probably”, and other checksFor “very probably” the reasons together" in html


def test_that_the_opposite_claim_would_undo_the_answer_is_not_said():
    pros = {f"pro{n}": cited_study(0.9, n) for n in range(2)}
    opposite = claim_text("Opposite", "skeptic", AGAINST)
    html = visible_text(html_of(corpus_with_question(references=BIB, **pros, opposite=opposite)))
    assert ", but not dropping any one source or claim." in html


def test_needed_studies_are_named_by_the_answer_that_they_would_support():
    pros = {f"pro{n}": cited_study(0.6, n) for n in range(3)}
    answers = "answers:\n  holds: 'Yes: it does.'\n  fails: 'Hardly: it does not.'\n"
    head = f"proposition: asked\n{answers}"
    corpus = corpus_of_notes(
        references=BIB,
        asked=claim_text("Asked", "optimist"),
        here=line_text("Here?", "", head=head),
        **pros,
    )
    assert "new top-quality studies for “hardly”, but not" in visible_text(html_of(corpus))


def test_the_word_of_the_answer_leads_to_why_it_is_no_surer():
    html = html_of(corpus_with_question(pro=cited_study(0.9, 0), references=BIB))
    assert re.search(r'"kg-answer-words"><a href="#how-firm"[^>]*>Perhaps</a>', html)
    assert '<div id="how-firm">' in html
    why = "Added up, the reasons give “probably”. But it depends on Doe0. So we say"
    assert f"Why only “perhaps”, and other checks{why} “perhaps”." in visible_text(html)


AGAINST = "contradicts:: [[asked]]"


def test_what_a_claim_would_make_of_the_answer_is_what_the_crux_says():
    corpus = corpus_with_question(
        pro=evidence_text("Pro", 0.9, "supports:: [[asked]]"),
        rival=claim_text("Rival", "skeptic", "contradicts:: [[asked]]"),
        behind=evidence_text("Behind", 0.3, "supports:: [[rival]]"),
    )
    cruxes = builder_of(corpus).context.answers.cruxes("here")
    assert cruxes is not None
    first = cruxes.cruxes[0]
    turning = structs.replace(
        first, when_true="turns", when_false="keeps", if_true=0.03, if_false=0.74
    )
    assert visible_text(describe_if_settled(turning, Reasoning())) == (
        "If that is true, the answer turns round."
    )
    apart = structs.replace(first, when_true="turns", when_false="undoes")
    assert visible_text(describe_if_settled(apart, Reasoning())) == (
        "If that is true, the answer turns round; if that is false, the answer becomes undecided."
    )
    assert 'title="by the weights alone 0.03 if true, 0.74 if false"' in describe_if_settled(
        turning, Reasoning()
    )
    unmoved = structs.replace(
        first, when_true="keeps", when_false="keeps", if_true=0.6, if_false=0.74
    )
    assert (
        visible_text(describe_if_settled(unmoved, Reasoning()))
        == "True or false, the answer stays."
    )
    both = structs.replace(first, when_true="undoes", when_false="undoes")
    assert visible_text(describe_if_settled(both, Reasoning())) == (
        "True or false, the answer becomes undecided."
    )


def test_what_is_said_against_a_reason_is_said_of_its_study_where_the_reason_has_none():
    def case(**more: str) -> str:
        corpus = corpus_with_question(
            mid=claim_text("Mid", "optimist", "supports:: [[asked]]"),
            seen=evidence_text("Seen", 0.9, "supports:: [[mid]] ^step"),
            **more,
        )
        return case_of(corpus)

    assert "No reply of the other side to it is recorded." in case()
    step = "undercuts:: [[seen#^step]]"
    bare = case(cut=claim_text("Not so seen", "skeptic", step))
    text = "Against the study behind it (not counted: no evidence supports it): "
    assert text + "Not so seen" in bare
    cut = case(
        cut=claim_text("Not so seen", "skeptic", step),
        shown=evidence_text("Shown", 0.8, "supports:: [[cut]]"),
    )
    assert "Against the study behind it: Not so seen" in cut
    assert "No reply of the other side to it is recorded." not in cut
    assert "not counted" not in cut


def test_what_speaks_for_the_answer_itself_is_no_reply_of_the_other_side():
    corpus = corpus_with_question(
        best=claim_text("Best", "optimist", "supports:: [[asked]]"),
        seen=evidence_text("Seen", 0.9, "supports:: [[best]]"),
        ally=claim_text(
            "Ally", "optimist", "supports:: [[asked]] (strength:: weak)", "qualifies:: [[best]]"
        ),
        shown=evidence_text("Shown", 0.4, "supports:: [[ally]]"),
    )
    case = case_of(corpus)
    assert "Best" in case
    assert "No reply of the other side to it is recorded." in case
    assert "Ally" not in case


def test_the_claim_asked_about_is_no_reply_to_a_reason_against_it():
    def case(**more: str) -> str:
        corpus = corpus_of_notes(
            asked=claim_text("Asked", "optimist", "contradicts:: [[rival]]"),
            here=line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
            seen=evidence_text("Seen", 0.9, "supports:: [[asked]]"),
            rival=claim_text("Rival", "skeptic", "qualifies:: [[asked]]"),
            shown=evidence_text("Shown", 0.5, "supports:: [[rival]]"),
            **more,
        )
        return html_of(corpus).partition("Best reason towards “It does not hold”")[2]

    text_alone = "No reply of the other side to it is recorded."
    assert text_alone in case()
    replied = case(
        reply=claim_text("Reply", "optimist", "contradicts:: [[rival]]"),
        found=evidence_text("Found", 0.4, "supports:: [[reply]]"),
    )
    assert text_alone not in replied
    assert "Against this reason: Reply" in visible_text(replied)


def test_a_reason_that_rests_on_what_was_not_read_in_its_source_says_so():
    def rests(seen_in: str) -> str:
        study = evidence_text("Seen", 0.9, "supports:: [[asked]]").replace(
            "---\n\n", f"{seen_in}---\n\n"
        )
        return case_of(corpus_with_question(references=BIB, seen=study + "\n[@s0]\n"))

    assert "Doe0: strong evidence, second-hand" in rests("seen_in: note-page\n")
    for silent in ("", "seen_in: primary\n"):
        assert "Doe0" in rests(silent)
        assert "; seen" not in rests(silent)


def test_a_reason_that_rests_on_one_finding_read_in_its_source_is_not_second_hand():
    def rests(*seen_in: str) -> str:
        studies = {
            f"study{n}": evidence_text(f"Study {n}", 0.9, "supports:: [[mid]]").replace(
                "---\n\n", f"seen_in: {each}\n---\n\n"
            )
            + "\n[@s0]\n"
            for n, each in enumerate(seen_in)
        }
        mid = claim_text("Mid", "optimist", "supports:: [[asked]]")
        return case_of(corpus_with_question(references=BIB, mid=mid, **studies))

    assert "Doe0 (second-hand)" in rests("note-page", "note-page")
    mixed = rests("note-page", "primary")
    assert "It rests most on: Doe0" in mixed
    assert "(second-hand)" not in mixed


def case_of(corpus: Corpus) -> str:
    """What the box says of the best reason for the answer."""
    cases = html_of(corpus).partition('class="kg-cases"')[2].partition("</ul>")[0]
    return visible_text(cases.split('<li class="kg-case ')[1])


def test_an_objection_to_another_step_of_a_reason_is_none_to_the_reason():
    corpus = corpus_with_question(
        pro=evidence_text("Pro", 0.8, "supports:: [[asked]]", "supports:: [[other]] ^aside"),
        other=claim_text("Other", "optimist"),
        cut=claim_text("Not of that", "skeptic", "undercuts:: [[pro#^aside]]"),
        shown=evidence_text("Shown", 0.8, "supports:: [[cut]]"),
    )
    assert "No reply of the other side to it is recorded." in case_of(corpus)
    assert "Not of that" not in case_of(corpus)


def test_a_reason_rests_on_the_works_that_it_would_lose_most_without():
    def text_of_case(*qualities: float) -> str:
        works = range(len(qualities))
        bib = "\n".join(f"@book{{s{n}, title={{S{n}}}, author={{A Doe{n}}}}}" for n in works)
        texts = {
            f"study{n}": evidence_text(
                f"Study {n}", qualities[n], f"supports:: [[mid{n % 2}]]"
            ).replace("---\n\n", "seen_in: primary\n---\n\n")
            + f"\n[@s{n}]\n"
            for n in works
        }
        corpus = corpus_with_question(
            references=bib,
            mid=claim_text("Mid", "optimist", "supports:: [[asked]]"),
            mid0=claim_text("Mid 0", "optimist", "supports:: [[mid]]"),
            mid1=claim_text("Mid 1", "optimist", "supports:: [[mid]] (strength:: weak)"),
            **texts,
        )
        cases = html_of(corpus).partition('class="kg-cases"')[2]
        return visible_text(cases.partition("</ul>")[0])

    first = text_of_case(0.3, 0.01, 0.6)
    assert re.search(r"It rests most on: Doe2 \(by way of Mid 0[^;]*; Doe0 \(by way", first), (
        "each reaches it only through another claim"
    )
    assert "Doe1" not in first, "what it would hardly lose is not named"
    many = text_of_case(*[0.05] * 40)
    assert re.search(r"It rests on \d+ independent sources, none of which moves it alone", many)


def test_a_reason_that_undoes_an_answer_is_said_to_shake_it_and_a_plain_denial_is_not_named():
    def box(*edges: str) -> str:
        corpus = corpus_of_notes(
            asked=claim_text("Asked", "optimist"),
            pro=evidence_text("Pro", 0.9, "supports:: [[asked]]"),
            also=evidence_text("Also", 0.8, "supports:: [[asked]]"),
            rival=claim_text("Rival", "skeptic", *edges),
            limit=claim_text("Limit", "skeptic", "qualifies:: [[asked]]"),
            some=evidence_text("Some", 0.1, "supports:: [[rival]]", "supports:: [[limit]]"),
            more=evidence_text("More", 0.1, "contradicts:: [[rival]]", "contradicts:: [[limit]]"),
            here=line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
        )
        return visible_text(html_of(corpus).partition('class="kg-settles"')[2])

    turning = box("contradicts:: [[asked]] (strength:: moderate)")
    assert turning.startswith(">What would overturn it: Rival (Sceptic claim")
    denied = box("contradicts:: [[asked]]")
    assert denied.startswith(">What would shake it most: Limit (Sceptic claim")
    assert "Rival" not in denied.partition("How is this computed?")[0]
    assert "the answer becomes undecided" in denied


def test_the_box_names_what_the_table_of_changes_begins_with():
    def box(edge: str) -> str:
        corpus = corpus_of_notes(
            asked=claim_text("Asked", "optimist"),
            pro=evidence_text("Pro", 0.5, "supports:: [[asked]]"),
            limit=claim_text("Limit", "skeptic", edge),
            some=evidence_text("Some", 0.2, "supports:: [[limit]]"),
            more=evidence_text("More", 0.1, "contradicts:: [[limit]]"),
            here=line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
        )
        cruxes = builder_of(corpus).context.answers.cruxes("here")
        assert cruxes is not None
        assert [each.statement for each in cruxes.cruxes if each.undoes] == ["limit"]
        assert "Limit" in visible_text(turning_points(builder_of(corpus), corpus.lines["here"]))
        return visible_text(html_of(corpus).partition('class="kg-settles"')[2])

    for strength in ("moderate", "weak"):
        sentence = box(f"qualifies:: [[asked]] (strength:: {strength})")
        assert sentence.startswith(">What would shake it most: ")


def test_the_best_reason_against_the_answer_is_not_named_twice_as_what_would_overturn_it():
    corpus = corpus_with_question(
        pro=evidence_text("Pro", 0.9, "supports:: [[asked]]"),
        also=evidence_text("Also", 0.8, "supports:: [[asked]]"),
        rival=claim_text("Rival", "skeptic", "contradicts:: [[asked]] (strength:: moderate)"),
        some=evidence_text("Some", 0.2, "supports:: [[rival]]"),
        more=evidence_text("More", 0.1, "contradicts:: [[rival]]"),
    )
    settles = visible_text(html_of(corpus).partition('class="kg-settles"')[2])
    assert settles.startswith(
        ">What would overturn it: the best reason against the answer (Sceptic"
    )


def test_a_reason_that_is_the_answer_of_another_line_says_so():
    def cases(side: str) -> str:
        corpus = corpus_with_question(
            mid=claim_text("Mid", "optimist", "supports:: [[asked]]"),
            pro=evidence_text("Pro", 0.9, f"{side}:: [[mid]]"),
            also=evidence_text("Also", 0.5, "supports:: [[asked]]"),
            there=line_text("There?", "optimist:: [[mid]]", head="proposition: mid\n"),
        )
        return visible_text(html_of(corpus).partition('class="kg-cases"')[2].partition("</ul>")[0])

    assert "It is itself the answer to: There?" in cases("supports")
    assert "It is itself the answer" not in cases("contradicts")


def test_a_plain_denial_is_the_best_reason_only_where_nothing_else_has_weight():
    def best(**more: str) -> str:
        corpus = corpus_of_notes(
            asked=claim_text("Asked", "optimist"),
            pro=evidence_text("Pro", 0.9, "supports:: [[asked]]"),
            rival=claim_text("Rival", "skeptic", "contradicts:: [[asked]]"),
            seen=evidence_text("Seen", 0.9, "supports:: [[rival]]"),
            here=line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
            **more,
        )
        verdict = builder_of(corpus).context.answers.verdict("here")
        assert verdict is not None
        return dict(best_reasons(corpus, verdict))[BEST_AGAINST].statement

    assert best() == "rival"
    assert best(idle=claim_text("Idle", "skeptic", "qualifies:: [[asked]]")) == "rival"
    assert (
        best(limit=evidence_text("Limit", 0.3, "qualifies:: [[asked]] (strength:: weak)"))
        == "limit"
    )


def test_the_other_reason_may_be_of_the_same_camp():
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        pro=claim_text("Pro", "optimist", "supports:: [[asked]]"),
        ally=claim_text("Ally", "optimist", "contradicts:: [[asked]] (moderate)"),
        p=evidence_text("P", 0.9, "supports:: [[pro]]"),
        a=evidence_text("A", 0.5, "supports:: [[ally]]"),
        here=line_text("Here?", "optimist:: [[pro]]", head="proposition: asked\n"),
    )
    cases = html_of(corpus).partition('class="kg-cases"')[2].partition("</ul>")[0]
    pro, con = re.findall(r'class="kg-case (kg-camp-\d)', cases)
    assert pro == con


def test_the_reason_that_would_shake_an_answer_is_named_by_its_place_in_the_box():
    corpus = corpus_with_question(
        mid=claim_text("Mid", "optimist", "supports:: [[asked]]"),
        seen=evidence_text("Seen", 0.9, "supports:: [[mid]]"),
    )
    settles = visible_text(html_of(corpus).partition('class="kg-settles"')[2].partition("</p>")[0])
    assert "the best reason for the answer" in settles
    assert settles.endswith("false, the answer becomes undecided.")


@every_row(("quality", "is_said"), [(0.504, True), (0.5, False)])
def test_rows_that_do_not_add_up_as_printed_are_said_to_be_rounded(
    quality: float, is_said: bool
) -> None:
    pros = {f"p{n}": evidence_text(f"P{n}", quality, "supports:: [[asked]]") for n in range(2)}
    con = evidence_text("Con", 0.2, "contradicts:: [[asked]]")
    text = visible_text(html_of(corpus_with_question(con=con, **pros)))
    total = "1.01" if is_said else "1.00"
    rounded = " (rows are rounded)" if is_said else ""
    assert f"In all {total} for and 0.20 against{rounded}, which gives" in text
