"""The page of a source."""

from __future__ import annotations

from kg.publish.pages.sources.source import source_page
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.note_texts import (
    builder_of,
    claim_text,
    visible_text,
)


def test_a_key_joins_a_work_to_others_that_have_it() -> None:
    def text_of_page(other_keys: str) -> str:
        head = "---\ntype: source\nindependence: [{}]\n---\n\nA book.\n"
        corpus = corpus_of_notes(
            references="@book{a, title={A}, year=1}\n@book{b, title={B}, year=1}",
            a=head.format("lab:Huh"),
            b=head.format(other_keys),
        )
        return visible_text(source_page(builder_of(corpus).context, corpus.sources["a"]).html)

    assert "The same team (Huh): " in text_of_page("lab:Huh")
    assert "count as one source" in text_of_page("lab:Huh")
    assert "Huh" not in text_of_page("lab:Doe")
    assert "count as one source" not in text_of_page("lab:Doe")


def test_a_source_begins_with_what_it_found_and_then_says_who_wrote_it() -> None:
    study = "---\ntype: evidence\nmethod: {}\n---\n\n# {}\n\n[@doe]\n\n- {}:: [[asked]]\n"
    corpus = corpus_of_notes(
        references="@book{doe, title={Naps}, author={Ann Doe}, year=2020}\n@book{o, title={O}}",
        asked=claim_text("Asked", "optimist") + "\n[@doe]\n",
        thought=study.format("argument", "It was thought", "supports"),
        seen=study.format("experiment", "It was seen", "qualifies"),
    )
    page = source_page(builder_of(corpus).context, corpus.sources["doe"])
    assert [each.text for each in page.toc] == [
        "What it found",
        "The source",
        "Claims that cite it",
        "About this page",
    ]
    findings, work, claims = map(visible_text, page.html.split("</h2>")[1:4])
    assert findings.index("It was seen") < findings.index("It was thought"), (
        "findings before arguments"
    )
    assert "limits Asked" in findings
    assert work.startswith("Ann Doe, 2020")
    assert "Asked" in claims
    assert page.description == "Doe 2020: Naps. It was seen. It was thought."
    uncited = source_page(builder_of(corpus).context, corpus.sources["o"])
    assert "no statement cites it yet" in uncited.html


@every_row("verb", ["supports", "contradicts"])
def test_findings_that_move_more_come_first_each_with_what_it_moves_most_first(verb: str) -> None:
    study = "---\ntype: evidence\nquality: {}\n---\n\n# {}\n\n[@doe]\n\n"
    corpus = corpus_of_notes(
        references="@book{doe, title={Naps}, author={Ann Doe}, year=2020}",
        asked=claim_text("Asked", "optimist"),
        other=claim_text("Other", "optimist"),
        a=study.format(0.2, "It moves little") + "- supports:: [[asked]]\n",
        b=study.format(0.8, "It moves much")
        + f"- supports:: [[other]] (strength:: weak)\n- {verb}:: [[asked]]\n",
    )
    page = source_page(builder_of(corpus).context, corpus.sources["doe"])
    findings = visible_text(page.html.split("</h2>")[1])
    much, little = findings.index("It moves much"), findings.index("It moves little")
    assert much < findings.index("Asked") < findings.index("Other") < little
    assert page.description == "Doe 2020: Naps. It moves much. It moves little."
