"""Figures and sources in rows."""

from __future__ import annotations

from kg.publish.components.evidence import (
    SOURCES_SHOWN_AT_FIRST,
    describe_effect_size,
    evidence_list,
    sources_counted,
    sources_in_answer,
    sources_table,
)
from kg.publish.markup.html import Child, join_children
from kg.reasoning.answers.independence import ContributingSources
from tests.support.corpora import corpus_of_notes
from tests.support.note_texts import builder_of, claim_text, evidence_text, visible_text


def test_figures_are_shown_as_far_as_they_are_recorded() -> None:
    rows = {
        "effect: d=0.42 [0.1, 0.7]\np: 0.003": "d=0.42 [0.1, 0.7], p=0.003",
        "p: <.001": "p<0.001",
        "effect: r=0.3": "r=0.3",
        "": "",
    }
    notes = {
        f"n{number}": f"---\ntype: evidence\n{head}\n---\n\n# N\n"
        for number, head in enumerate(rows)
    }
    corpus = corpus_of_notes(**notes)
    assert [describe_effect_size(corpus.statements[id]) for id in notes] == [*rows.values()]


def test_sources_that_carry_most_come_first_and_no_two_are_collapsed() -> None:
    def text_of_table(count: int) -> str:
        keys = [f"s{number}" for number in range(count)]
        books = "\n".join(f"@book{{{key}, title={{T{key}}}, author={{A}}}}" for key in keys)
        carried: dict[str, list[Child]] = {key: ["one"] for key in keys}
        carried[keys[-1]] = ["one", "two"]
        return visible_text(sources_table(builder_of(corpus_of_notes(references=books)), carried))

    assert "more sources" not in text_of_table(SOURCES_SHOWN_AT_FIRST + 2)
    first, _, collapsed = text_of_table(SOURCES_SHOWN_AT_FIRST + 3).partition("3 more sources")
    assert first.index(f"Ts{SOURCES_SHOWN_AT_FIRST + 2}") < first.index("Ts0")
    assert f"Ts{SOURCES_SHOWN_AT_FIRST + 1}" in collapsed


def test_independent_sources_are_counted_in_words() -> None:
    builder = builder_of(corpus_of_notes(a=claim_text("A", "optimist")))
    texts = [
        visible_text(join_children((sources_counted(builder, number, "count", "here"),)))
        for number in range(3)
    ]
    assert texts == [
        "no source counts here",
        "1 independent source counts here",
        "2 independent sources count here",
    ]


def test_many_light_sources_are_not_sold_as_so_many_heavy_ones() -> None:
    builder = builder_of(corpus_of_notes(a=claim_text("A", "optimist")))

    def text_of(count: int, effective: float) -> str:
        sources = ContributingSources(count, effective, 1.0, 0.5)
        return visible_text(join_children((sources_in_answer(builder, sources),)))

    assert text_of(63, 23.4).endswith("count in the answer, some far more than others")
    assert text_of(10, 6.1).endswith("count in the answer")
    assert text_of(10, 5.9).endswith("some far more than others")


def test_each_finding_of_a_list_stands_with_the_best_objection_to_it() -> None:
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        light=evidence_text("Light", 0.3, "supports:: [[asked]] ^light"),
        heavy=evidence_text("Heavy", 0.9, "supports:: [[asked]] ^heavy"),
        bare=evidence_text("Bare", 0.2, "supports:: [[asked]]"),
        gone=evidence_text("Gone", 0.1, "supports:: [[asked]]"),
        new=evidence_text("New", 0.8, "supports:: [[asked]]", "supersedes:: [[gone]]"),
        small=evidence_text("Too small", 0.4, "undercuts:: [[heavy#^heavy]]"),
        smaller=evidence_text("Too short", 0.2, "undercuts:: [[heavy#^heavy]]"),
        idle=claim_text("Idle", "skeptic", "undercuts:: [[light#^light]]"),
    )
    ids = ("light", "gone", "bare", "heavy")
    rows = evidence_list(builder_of(corpus), [corpus.statements[id] for id in ids]).split("<li>")
    parts = [visible_text(row).partition("raded by its note")[::2] for row in rows[1:]]
    assert [title.partition(" (")[0] for title, _ in parts] == ["Heavy", "Light", "Bare", "Gone"]
    heavy, light, bare, lost_part = (rest.partition(". ")[2] for _, rest in parts)
    assert heavy == "Objection: Too small (Finding)"
    assert light == "Objection (not counted: no evidence supports it): Idle (Sceptic claim)"
    assert bare == ""
    assert lost_part == "Counts nowhere, as superseded by New (Finding)"


def test_a_general_objection_is_shown_by_the_reason_of_its_link() -> None:
    studies = {
        f"s{n}": evidence_text(f"Study {n}", 0.5, f"supports:: [[asked]] ^s{n}") for n in range(12)
    }
    links = [f"undercuts:: [[s{n}#^s{n}]] — nobody looked at the {n}th" for n in range(12)]
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        general=evidence_text("All may err", 0.9, *links),
        **studies,
    )
    text = visible_text(evidence_list(builder_of(corpus), [corpus.statements["s7"]]))
    assert text.endswith("Objection: nobody looked at the 7th (Finding)")
