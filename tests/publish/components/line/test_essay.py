"""Links in an essay carry signs, a paragraph has notes beside it, and rows of tables have boxes.

Of `kg/publish/components/line/essay_tables.py`.
"""

from __future__ import annotations

import re
from html import unescape

from kg.corpus import Corpus
from kg.publish.components.line.essay import add_essay
from kg.publish.markup.html import join_children
from kg.publish.pages.line import line_page
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.note_texts import builder_of, claim_text, evidence_text, line_text, visible_text


def essay_html(corpus: Corpus) -> str:
    builder = builder_of(corpus)
    add_essay(builder, corpus.lines["here"])
    return join_children(builder.parts)


def essay_of(updated: str) -> str:
    corpus = corpus_of_notes(
        calm=claim_text("Calm", "optimist"),
        disputed=claim_text("Disputed", "optimist", head=f"updated: {updated}\n"),
        pro=claim_text("Pro", "optimist", "supports:: [[disputed]]"),
        con=claim_text("Con", "skeptic", "contradicts:: [[disputed]]"),
        here=line_text(
            "Here?",
            "optimist:: [[calm]]",
            essay="It leans on [[calm|one thing]] and [[disputed|another]].",
            head="reviewed: 2026-05-01\n",
        ),
    )
    html = essay_html(corpus)
    return html[html.index("It leans on") :]


def test_a_link_shows_camp_strength_and_dispute_without_colour():
    html = essay_of("2026-04-01")
    calm, disputed = (html[html.index(f"statements/{id}.html") :] for id in ("calm", "disputed"))
    calm, disputed = calm[: calm.index("</a>")], disputed[: disputed.index("</a>")]
    for link in (calm, disputed):
        assert "strength 0." in link
        assert "Optimist claim" in link
    assert ", disputed</title>" in disputed
    assert "disputed)" in disputed
    assert "disputed" not in calm
    shapes = [link[link.index("<path") :].partition("</path>")[0] for link in (calm, disputed)]
    assert shapes[0] != shapes[1]


@every_row(("updated", "marked_part"), [("2026-05-01", False), ("2026-05-02", True)])
def test_a_link_is_marked_where_its_statement_changed_after_the_review(updated, marked_part):
    assert ("Changed since the essay was reviewed" in essay_of(updated)) is marked_part


@every_row("days", [(), ("2026-05-02",), ("2026-05-02", "2026-05-03")])
def test_a_review_and_what_changed_since_are_in_one_sentence(days):
    corpus = corpus_of_notes(
        **{
            f"c{n}": claim_text(f"C{n}", "optimist", head=f"updated: {d}\n")
            for n, d in enumerate(days)
        },
        here=line_text(
            "Here?",
            "",
            essay="It leans on " + ", ".join(f"[[c{n}]]" for n in range(len(days))) or "nothing.",
            head="reviewed: 2026-05-01\n",
        ),
    )
    text = unescape(visible_text(line_page(builder_of(corpus).context, corpus.lines["here"]).html))
    assert text.casefold().count("reviewed 1 may 2026") == 1
    changed = re.findall(r"Reviewed 1 May 2026; (\d statements? that .* changed since)", text)
    have = "has" if len(days) == 1 else "have"
    statements = f"{len(days)} statement{'s' * (len(days) > 1)}"
    message = f"{statements} that the essay refers to {have} changed since"
    assert changed == ([message] if days else [])


def test_a_paragraph_has_as_many_notes_beside_it_as_it_has_room_for():
    links = "[[a|One]], [[b|two]] and [[said|said]]"
    many_words = "and more words " * 120
    for essay, beside in (
        (links, 1),
        (f"{links} {many_words}", 2),
        ("[[a|One]].\n\nAnd [[b|two]].", 1),  # where the first card still stands
        (f"[[a|One]].\n\n{many_words}\n\nAnd [[b|two]].", 2),
    ):
        corpus = corpus_of_notes(
            a=evidence_text("A", 0.5),
            b=evidence_text("B", 0.5),
            said=claim_text("Said", "optimist"),
            here=line_text("Here?", "optimist:: [[said]]", essay=essay),
        )
        assert essay_html(corpus).count('class="kg-margin-note') == beside


def test_no_note_stands_beside_an_essay_on_a_study_that_is_in_the_box():
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        best=evidence_text("Best", 0.9, "supports:: [[asked]]"),
        other=evidence_text("Other", 0.3, "supports:: [[asked]]"),
        here=line_text("Here?", "", essay="[[best]] and [[other]].", head="proposition: asked\n"),
    )
    (note,) = re.findall('class="kg-margin-note.*?</div>', essay_html(corpus))
    assert "Other" in note


@every_row(("sample", "is_other_part"), [("25 questions", True), ("585 questions", False)])
def test_a_note_beside_an_essay_says_that_its_sample_is_another_than_the_first_of_its_study(
    sample, is_other_part
):
    finding = "---\ntype: evidence\nsample: {}\n---\n\n# {}\n\nFound [@lee].\n"
    corpus = corpus_of_notes(
        first=finding.format("585 questions", "First"),
        second=finding.format(sample, "Second"),
        other=evidence_text("Other", 0.5),
        here=line_text(
            "Here?", "", essay=f"[[other]], [[first]].\n\n{'words ' * 60}\n\n[[second]]."
        ),
        references="@misc{lee, title={Work}}",
    )
    _, note = re.findall('class="kg-margin-note.*?</div>', essay_html(corpus))
    assert ("Another part of the study." in note) == is_other_part


def test_claims_of_the_essay_without_a_study_are_counted_and_listed():
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        bare=claim_text("Bare", "optimist", "supports:: [[asked]] — because"),
        borne=claim_text("Borne", "optimist", "supports:: [[asked]] — because"),
        pro=evidence_text("Pro", 0.9, "supports:: [[borne]]"),
        here=line_text(
            "Here?",
            "optimist:: [[asked]]",
            essay="As [[bare]] says, and [[borne]], too.",
            head="proposition: asked\n",
        ),
    )
    listed = (
        essay_html(corpus).partition('class="kg-without-evidence')[2].partition("</details>")[0]
    )
    assert "One claim below has no evidence, so it does not count" in listed
    assert "statements/bare.html" in listed
    assert "statements/borne.html" not in listed


TABLE = """| Study | Found |
|---|---|
| A | [[for-it]] |
| B | [[against-it]] |
| C | [[asked]] and [[elsewhere]] |
"""


def test_rows_of_a_table_that_move_the_answer_have_a_box_and_beneath_stands_the_answer() -> None:
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        **{
            "for-it": evidence_text("For it", 0.8, "supports:: [[asked]]"),
            "against-it": evidence_text("Against it", 0.5, "contradicts:: [[asked]]"),
            "elsewhere": evidence_text("Elsewhere", 0.9),
        },
        here=line_text("Here?", "optimist:: [[asked]]", essay=TABLE, head="proposition: asked\n"),
    )
    html = essay_html(corpus)
    assert re.findall(r'aria-label="(Counts: .*?)"', html) == [
        "Counts: For it",
        "Counts: Against it",
    ]
    assert "With both: undecided" in visible_text(html)
    assert "kg-counted" not in essay_html(
        corpus_of_notes(here=line_text("Here?", essay=TABLE), asked=claim_text("Asked", "optimist"))
    )
