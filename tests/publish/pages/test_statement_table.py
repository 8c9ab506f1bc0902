"""Of `kg/publish/pages/statement_table.py`: what stands where in the table of statements."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from kg.corpus import Corpus
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.markup.html import escape
from kg.publish.page import Page, make_page
from kg.publish.pages import statement_table
from kg.publish.pages.statement_table import NO_LINE, statements_pages
from tests.support.corpora import corpus_of_notes
from tests.support.note_texts import claim_text, evidence_text, line_text, visible_text

BIB = "".join(f"@article{{{key}, title = {{{key}}}, year = {{2020}}}}\n" for key in ("s", "t"))


def study(key: str, *claims: str) -> str:
    below = "\n".join(f"- supports:: [[{id}]]" for id in claims)
    return f"---\ntype: evidence\nquality: 0.8\n---\n\n# By {key}\n\nSeen [@{key}].\n\n{below}\n"


def data_of(page: Page) -> Any:
    """What scripts make the table of."""
    (alternate,) = page.alternates
    return json.loads(alternate.data.decode().removeprefix("kgRows(").removesuffix(");\n"))


def table_of(corpus: Corpus) -> Page:
    (draft,) = statements_pages(SiteContext(Addresses(corpus)))
    return make_page(draft)


@pytest.fixture
def two_lines() -> Corpus:
    """`slight` and `heavy` bear on the first line, `shared` on both; `alone` is of neither."""
    firm, shaky = (f"supports:: [[{id}]]" for id in ("firm-claim", "shaky-claim"))
    return corpus_of_notes(
        references=BIB,
        first=line_text("Firm?", "optimist:: [[firm-claim]]", head="proposition: firm-claim\n"),
        second=line_text("Shaky?", "optimist:: [[shaky-claim]]", head="proposition: shaky-claim\n"),
        **{
            "firm-claim": claim_text("Firm claim", "optimist"),
            "shaky-claim": claim_text("Shaky claim", "optimist"),
            "alone": claim_text("Alone", "optimist"),
            "slight": claim_text("Slight", "optimist", f"{firm} (strength:: weak)"),
            "heavy": claim_text("Heavy", "optimist", firm),
            "shared": claim_text("Shared", "optimist", f"{firm} (strength:: weak)", shaky),
            "found": study("s", "slight", "heavy"),
            "found-too": study("t", "shared"),
        },
    )


def test_claims_stand_under_the_question_whose_answer_they_move_most(
    two_lines: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statement_table, "FINDINGS_SHOWN_AT_FIRST", 0)
    html = table_of(two_lines).html
    rows = re.findall(r"<tr>.*?</tr>", html, re.DOTALL)[1:]
    assert [re.findall(r">(\w[^<]*)<", row)[0] for row in rows] == [
        *("Q1 ", "Firm claim", "Heavy", "Slight", "1 more finding"),
        *("Q2 ", "Shaky claim", "Shared", "1 more finding"),
        *(escape(NO_LINE), "Alone"),
    ]
    assert visible_text(rows[0]) == "Q1 Firm?Perhaps"
    assert "<details" in rows[4]
    assert "Also for Q1" in visible_text(rows[7])
    assert 'title="Firm?">Q1</a>' in rows[7]
    monkeypatch.setattr(statement_table, "FINDINGS_SHOWN_AT_FIRST", 1)
    assert "<details" not in table_of(two_lines).html


def test_a_statement_stands_only_under_questions_that_list_it() -> None:
    """`beneath` moves the answer of the first line, by way of `reason`; the second places it."""
    corpus = corpus_of_notes(
        references=BIB,
        first=line_text("Firm?", head="proposition: firm-claim\n"),
        second=line_text(
            "Other, in more words than would fit a column of a table?", "skeptic:: [[beneath]]"
        ),
        **{
            "firm-claim": claim_text("Firm claim", "optimist"),
            "reason": claim_text("Reason", "optimist", "supports:: [[firm-claim]]"),
            "beneath": claim_text("Beneath", "optimist", "supports:: [[reason]]"),
            "deeper": claim_text("Deeper", "optimist", "supports:: [[beneath]]"),
            "found": study("s", "deeper", "reason"),
        },
    )
    rows = {row[0]: row[12] for row in data_of(table_of(corpus))["rows"]}
    assert rows == {"Firm claim": [0], "Reason": [0], "By s": [0], "Beneath": [1], "Deeper": []}


def test_scripts_get_the_rows_in_the_order_of_the_page(two_lines: Corpus) -> None:
    page = table_of(two_lines)
    data = data_of(page)
    shared = next(row for row in data["rows"] if row[0] == "Shared")
    assert [data["lines"][place][0] for place in shared[-1]] == ["Shaky?", "Firm?"]
    titles = [row[0] for row in data["rows"]]
    assert titles == sorted(titles, key=lambda title: page.html.index(f">{title}<"))


def test_a_bar_shows_both_sides_and_says_them() -> None:
    corpus = corpus_of_notes(
        references=BIB, one=claim_text("One", "optimist"), by_s=study("s", "one")
    )
    (bar,) = bars_of(corpus)
    data = data_of(table_of(corpus))
    pro = next(row[7] for row in data["rows"] if row[0] == "One")
    assert f'title="nothing against it (0.00), much for it ({pro:.2f})"' in bar
    assert f'<i class="kg-wide-0"></i><b class="kg-wide-{round(25 * pro)}"></b>' in bar


def test_a_bar_is_full_however_much_is_said() -> None:
    studies = {f"by_{n}": evidence_text(f"Study {n}", 0.99, "supports:: [[one]]") for n in range(9)}
    (bar,) = bars_of(corpus_of_notes(one=claim_text("One", "optimist"), **studies))
    assert '<i class="kg-wide-0"></i><b class="kg-wide-50"></b>' in bar


def bars_of(corpus: Corpus) -> list[str]:
    return re.findall(r'<span class="kg-bar kg-pro-and-con".*?</span>', table_of(corpus).html)


def test_a_statement_says_why_its_word_is_no_surer(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = corpus_of_notes(
        references=BIB,
        one=claim_text("One", "optimist"),
        two=claim_text("Two", "skeptic"),
        found=study("s", "two"),
    )

    def html_of_table() -> str:
        return table_of(corpus).html

    matches = re.findall(r'title="No surer: ([^"]*)"', html_of_table())
    assert matches == ["depends on one source", "too little evidence"]
    assert "tried one by one" not in html_of_table()
    monkeypatch.setattr(statement_table, "SEARCH_LIMIT", 2)
    assert "tried one by one" in html_of_table()


def test_the_table_of_statements_begins_with_how_many_there_are_and_how_claims_come_out() -> None:
    corpus = corpus_of_notes(
        references=BIB,
        one=claim_text("One says so", "optimist"),
        other=claim_text("Nobody says so", "optimist"),
        by_s=study("s", "one"),
        by_t=study("t", "one"),
    )
    lead, results, *_ = table_of(corpus).html.partition("</h1>")[2].split("</p>")
    assert visible_text(lead) == "Everything the answers rest on: 2 claims and 2 findings."
    assert "Of 2 claims 1 is “probably” and 1 is undecided." in visible_text(results)


def test_a_claim_that_serves_one_camp_here_and_another_there_is_said_to_go_by_question() -> None:
    page = table_of(
        corpus_of_notes(
            both="---\ntype: claim\n---\n\n# Both\n",
            neither="---\ntype: claim\n---\n\n# Neither\n",
            first=line_text("First?", "optimist:: [[both]]"),
            second=line_text("Second?", "skeptic:: [[both]]"),
        )
    )
    camps = {title: camp for title, _, _, camp, *_ in data_of(page)["rows"]}
    assert camps == {"Both": "By question", "Neither": None}
    assert data_of(page)["camps"][-1]["label"] == "By question"
    assert page.html.count("By question") == 1
