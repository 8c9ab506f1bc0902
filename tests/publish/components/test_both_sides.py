"""Both sides of a line: each reason beside the best reply to it, and what else is said."""

from __future__ import annotations

from kg.corpus import Corpus
from kg.publish.components.both_sides import both_sides
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.page_builder import PageBuilder
from kg.queries.line_scope import LineScope
from tests.support.note_texts import claim, evidence, line, visible_text


def sides_of(corpus: Corpus, line: str = "here") -> str:
    builder = PageBuilder(SiteContext(Addresses(corpus)), "index.html", line)
    return "".join(map(str, both_sides(builder, LineScope(corpus, corpus.lines[line]))))


def test_where_nothing_is_weighed_the_first_pairs_are_unfolded(corpus_of) -> None:
    more = {f"n{n}": claim(f"N {n}", "skeptic", "contradicts:: [[pro]]") for n in range(4)}
    for others, folded in ((0, False), (3, False), (4, True)):
        names = list(more)[:others]
        rows = [f"skeptic:: [[{id}]]" for id in ("con", "other", *names)]
        corpus = corpus_of(
            pro=claim("Pro", "optimist", "contradicts:: [[con]] — a reason"),
            con=claim("Con", "skeptic", "contradicts:: [[pro]] — another"),
            other=claim("Other", "skeptic", "contradicts:: [[pro]]"),
            here=line("Q?", "optimist:: [[pro]]", *rows),
            **{id: more[id] for id in names},
        )
        html = sides_of(corpus)
        assert 'class="kg-clash"' in html.partition("<details")[0]
        assert ("<summary>1 more pair of opposed statements</summary>" in html) is folded


def test_beside_the_reasons_of_a_line_stand_only_disputes_about_them(corpus_of) -> None:
    """`reply` opposes a reason; `other` opposes what is none."""
    corpus = corpus_of(
        asked=claim("Asked", "optimist"),
        reason=claim("Reason", "optimist", "supports:: [[asked]]"),
        reply=claim("Reply", "skeptic", "contradicts:: [[reason]]"),
        far=claim("Far", "optimist"),
        other=claim("Other", "skeptic", "contradicts:: [[far]]"),
        shown=evidence("Shown", 0.5, "supports:: [[reason]]", "supports:: [[far]]"),
        here=line(
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


def test_each_side_has_its_reasons_each_with_the_best_reply(corpus_of) -> None:
    reasons = {
        f"pro{n}": evidence(f"Pro {n}", 0.9 - n / 9, "supports:: [[asked]]") for n in range(5)
    }
    corpus = corpus_of(
        asked=claim("Asked", "optimist"),
        reply=claim("Reply", "skeptic", "contradicts:: [[pro0]] — not so"),
        shown=evidence("Shown", 0.5, "supports:: [[reply]]"),
        idle=claim("Idle", "skeptic", "qualifies:: [[asked]]"),
        here=line("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
        **reasons,
    )
    html = sides_of(corpus)
    first, second, *_ = html.split("<li>")[1:]
    assert "For “It holds”" in visible_text(html)
    assert visible_text(first).startswith(
        "Bears directly on the answerPro 0 (Evidence)Against this reasonReply"
    )
    assert "Not so." in first
    assert "No reply recorded." in visible_text(second)
    assert "<summary>3 lighter reasons</summary>" in html
    assert "None." in html.partition("Against “It holds”")[2]
    assert "<summary>1 more reason has no effect</summary>" in html


def test_a_firm_finding_stands_in_view_beside_a_second_hand_one_of_no_greater_reach(corpus_of):
    def found(name: str, quality: float, seen: str, how: str) -> str:
        text = evidence(name, quality, f"supports:: [[asked]] (strength:: {how})")
        return text.replace("---\n", f"---\nseen_in: {seen}\n", 1)

    corpus = corpus_of(
        asked=claim("Asked", "optimist"),
        told=found("Told", 0.9, "secondary", "moderate"),
        told2=found("Told too", 0.8, "secondary", "moderate"),
        afar=found("Afar", 0.9, "primary", "weak"),
        firm=found("Firm", 0.5, "primary", "moderate"),
        here=line("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
    )
    unfolded = visible_text(sides_of(corpus).partition("<details")[0])
    assert "Needs a further assumption; seen only in a work about itTold" in unfolded
    assert "Needs a further assumptionFirm" in unfolded
    assert "Afar" not in unfolded


def test_each_camp_has_its_best_case_among_the_reasons(corpus_of) -> None:
    many = {f"n{n}": claim(f"N {n}", "optimist", "supports:: [[asked]]") for n in range(5)}
    corpus = corpus_of(
        asked=claim("Asked", "optimist"),
        pro=claim("Pro", "optimist", "supports:: [[asked]]"),
        weak=claim("Weak", "skeptic", "supports:: [[asked]] (strength:: weak)"),
        p=evidence("P", 0.9, "supports:: [[pro]]"),
        w=evidence("W", 0.1, "supports:: [[weak]]"),
        here=line("Here?", "optimist:: [[pro]]", "skeptic:: [[weak]]", head="proposition: asked\n"),
        **many,
        **{f"for-{id}": evidence(f"For {id}", 0.9, f"supports:: [[{id}]]") for id in many},
    )
    html = sides_of(corpus)
    unfolded = html.partition("<details")[0]
    assert "N 4" not in unfolded
    assert "Weak" in unfolded
    assert "<summary>4 lighter reasons</summary>" in html


def test_a_camp_without_a_direct_reason_is_heard_by_what_is_backed_best(corpus_of) -> None:
    corpus = corpus_of(
        asked=claim("Asked", "optimist"),
        apart=claim("Apart", "skeptic"),
        p=evidence("P", 0.9, "supports:: [[asked]]"),
        a=evidence("A", 0.9, "supports:: [[apart]]"),
        here=line(
            "Here?", "optimist:: [[asked]]", "skeptic:: [[apart]]", head="proposition: asked\n"
        ),
    )
    html = visible_text(sides_of(corpus))
    assert "Sceptic: no reason bears directly on the answer. Its best-backed claim: Apart" in html
