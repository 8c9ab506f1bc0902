"""Both sides of a line: each reason beside the best reply to it, and what else is said."""

from __future__ import annotations

import re

from kg.corpus import Corpus
from kg.publish.components.line.both_sides import both_sides
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.page_builder import PageBuilder
from kg.queries.line_scope import LineScope
from tests.support.corpora import corpus_of_notes
from tests.support.note_texts import claim_text, evidence_text, line_text, visible_text


def sides_of(corpus: Corpus, line: str = "here") -> str:
    builder = PageBuilder(SiteContext(Addresses(corpus)), "index.html", line)
    return "".join(map(str, both_sides(builder, LineScope(corpus, corpus.lines[line]))))


def test_where_nothing_is_weighed_the_first_pairs_are_unfolded() -> None:
    more = {f"n{n}": claim_text(f"N {n}", "skeptic", "contradicts:: [[pro]]") for n in range(4)}
    for others, folded in ((0, False), (3, False), (4, True)):
        names = list(more)[:others]
        rows = [f"skeptic:: [[{id}]]" for id in ("con", "other", *names)]
        corpus = corpus_of_notes(
            pro=claim_text("Pro", "optimist", "contradicts:: [[con]] — a reason"),
            con=claim_text("Con", "skeptic", "contradicts:: [[pro]] — another"),
            other=claim_text("Other", "skeptic", "contradicts:: [[pro]]"),
            here=line_text("Q?", "optimist:: [[pro]]", *rows),
            **{id: more[id] for id in names},
        )
        html = sides_of(corpus)
        assert 'class="kg-clash"' in html.partition("<details")[0]
        assert ("<summary>1 more pair of opposed statements</summary>" in html) is folded


def test_beside_the_reasons_of_a_line_stand_only_disputes_about_them() -> None:
    """`reply` opposes a reason; `other` opposes what is none."""
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        reason=claim_text("Reason", "optimist", "supports:: [[asked]]"),
        reply=claim_text("Reply", "skeptic", "contradicts:: [[reason]]"),
        far=claim_text("Far", "optimist"),
        other=claim_text("Other", "skeptic", "contradicts:: [[far]]"),
        shown=evidence_text("Shown", 0.5, "supports:: [[reason]]", "supports:: [[far]]"),
        here=line_text(
            "Here?",
            "optimist:: [[reason]]",
            *(f"skeptic:: [[{id}]]" for id in ("reply", "far", "other")),
            head="proposition: asked\n",
        ),
    )
    html = sides_of(corpus).partition('class="kg-camps"')[0]
    assert "<summary>1 more pair of opposed statements</summary>" in html
    pairs = visible_text(html.partition("more pair")[2].partition("All ")[0])
    assert "Reply" in pairs
    assert "Other" not in pairs


def test_a_side_without_a_direct_reason_shows_the_heaviest_objection_to_the_other() -> None:
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        pro=claim_text("Pro", "optimist", "supports:: [[asked]]"),
        seen=evidence_text("Seen", 0.9, "supports:: [[pro]]"),
        light=evidence_text("Light", 0.2, "contradicts:: [[pro]]"),
        heavy=evidence_text("Heavy", 0.6, "contradicts:: [[pro]]"),
        here=line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
    )
    other_side = visible_text(sides_of(corpus).partition("Towards “It does not hold”")[2])
    assert "Nothing recorded here speaks directly for “It does not hold”." in other_side
    assert "The nearest objection:Heavy" in other_side


def test_each_side_has_its_reasons_each_with_the_best_reply() -> None:
    reasons = {
        f"pro{n}": evidence_text(f"Pro {n}", 0.9 - n / 9, "supports:: [[asked]]") for n in range(5)
    }
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        reply=claim_text("Reply", "skeptic", "contradicts:: [[pro0]] — not so"),
        shown=evidence_text("Shown", 0.5, "supports:: [[reply]]"),
        idle=claim_text("Idle", "skeptic", "qualifies:: [[asked]]"),
        here=line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
        **reasons,
    )
    html = sides_of(corpus)
    first, second, *_ = html.split("<li>")[1:]
    assert "Towards “It holds”" in visible_text(html)
    assert visible_text(first).startswith("Pro 0 (Finding)Against this reasonReply")
    assert "Not so." in first
    assert "No reply recorded." in visible_text(second)
    assert "<summary>3 more reasons towards “It holds”</summary>" in html
    assert (
        "What is said directly for “It does not hold” is not counted."
        in html.partition("Towards “It does not hold”")[2]
    )
    assert "<summary>1 more reason has no effect</summary>" in html


def test_bars_compare_what_reasons_add_on_either_side() -> None:
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        pro=evidence_text("Pro", 0.9, "supports:: [[asked]]"),
        weak=evidence_text("Weak", 0.9, "supports:: [[asked]] (strength:: weak)"),
        con=evidence_text("Con", 0.45, "contradicts:: [[asked]]"),
        idle=claim_text("Idle", "skeptic", "contradicts:: [[asked]]"),
        here=line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
    )
    rows = sides_of(corpus).split("<li>")[1:]
    widths = [re.findall(r"kg-share kg-wide-(\d+)", row) for row in rows[:3]]
    weak_of_config = corpus.config.reasoning.weak
    assert widths == [["100"], [f"{100 * weak_of_config:.0f}"], ["50"]]
    assert "kg-share" not in "".join(rows[3:])


def test_a_reply_seen_second_hand_says_so_without_a_separator_where_columns_have_a_head() -> None:
    reply = evidence_text("Reply", 0.5, "contradicts:: [[pro]]")
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        pro=evidence_text("Pro", 0.9, "supports:: [[asked]]"),
        reply=reply.replace("---\n", "---\nseen_in: secondary\n", 1),
        here=line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
    )
    assert 'Second-hand<span class="kg-usual"> · against this reason</span>' in sides_of(corpus)


def test_a_firm_finding_stands_in_view_beside_a_second_hand_one_of_no_greater_reach():
    def finding(name: str, quality: float, expected: str, how: str) -> str:
        text = evidence_text(name, quality, f"supports:: [[asked]] (strength:: {how})")
        return text.replace("---\n", f"---\nseen_in: {expected}\n", 1)

    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        told=finding("Told", 0.9, "secondary", "moderate"),
        told2=finding("Told too", 0.8, "secondary", "moderate"),
        afar=finding("Afar", 0.9, "primary", "weak"),
        away=finding("Away", 0.9, "primary", "weak"),
        firm=finding("Firm", 0.5, "primary", "moderate"),
        here=line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
    )
    html = sides_of(corpus)
    unfolded = visible_text(html.partition("<details")[0])
    assert "Second-handTold" in unfolded
    assert "Firm" in unfolded
    assert "Afar" not in unfolded
    assert "<summary>2 more reasons towards “It holds”</summary>" in html


def test_no_single_reason_is_folded() -> None:
    """Not even the last of four, of which the third is in view as a firm finding."""
    told = {
        f"told{n}": evidence_text(f"Told {n}", 0.9, "supports:: [[asked]]").replace(
            "---\n", "---\nseen_in: secondary\n", 1
        )
        for n in range(3)
    }
    html = sides_of(
        corpus_of_notes(
            asked=claim_text("Asked", "optimist"),
            firm=evidence_text("Firm", 0.5, "supports:: [[asked]]"),
            here=line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
            **told,
        )
    )
    assert "more reason" not in html
    assert html.count("Told ") == 3


def test_each_camp_has_its_best_case_among_the_reasons() -> None:
    many = {f"n{n}": claim_text(f"N {n}", "optimist", "supports:: [[asked]]") for n in range(5)}
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        pro=claim_text("Pro", "optimist", "supports:: [[asked]]"),
        weak=claim_text("Weak", "skeptic", "supports:: [[asked]] (strength:: weak)"),
        p=evidence_text("P", 0.9, "supports:: [[pro]]"),
        w=evidence_text("W", 0.1, "supports:: [[weak]]"),
        here=line_text(
            "Here?", "optimist:: [[pro]]", "skeptic:: [[weak]]", head="proposition: asked\n"
        ),
        **many,
        **{f"for-{id}": evidence_text(f"For {id}", 0.9, f"supports:: [[{id}]]") for id in many},
    )
    html = sides_of(corpus)
    unfolded = html.partition("<details")[0]
    assert "N 4" not in unfolded
    assert "Weak" in unfolded
    assert "<summary>4 more reasons towards “It holds”</summary>" in html


def test_a_camp_without_a_direct_reason_is_heard_by_what_is_backed_best() -> None:
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        apart=claim_text("Apart", "skeptic"),
        p=evidence_text("P", 0.9, "supports:: [[asked]]"),
        a=evidence_text("A", 0.9, "supports:: [[apart]]"),
        here=line_text(
            "Here?", "optimist:: [[asked]]", "skeptic:: [[apart]]", head="proposition: asked\n"
        ),
    )
    html = visible_text(sides_of(corpus))
    assert (
        "Sceptic: none of its reasons speaks directly to the answer. Its best-backed claim: Apart"
        in html
    )
