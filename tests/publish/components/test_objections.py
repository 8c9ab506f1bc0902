"""What is said against a statement, the most telling first."""

from __future__ import annotations

import pytest

from kg.publish.components.objections import bears_on_many, objections_to, why_not_counted
from kg.publish.context.site_standings import SiteStandings
from kg.publish.markup.phrases import LEAST_NATS_COUNTED
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.note_texts import builder_of, claim_text, evidence_text

BEARS_ON_TEN = [f"supports:: [[other{n}]]" for n in range(10)]


def test_a_reply_to_this_reason_comes_before_one_to_everything() -> None:
    studies = {
        f"s{n}": evidence_text(f"Study {n}", 0.9, f"supports:: [[asked]] ^s{n}") for n in range(12)
    }
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        general=evidence_text(
            "All may err", 0.9, *(f"undercuts:: [[s{n}#^s{n}]]" for n in range(12))
        ),
        special=evidence_text("It was small", 0.2, "undercuts:: [[s0#^s0]]"),
        denial=evidence_text("Not seen again", 0.1, "contradicts:: [[s0]]"),
        idle=claim_text("Idle", "skeptic", "undercuts:: [[s1#^s1]]"),
        **studies,
    )
    builder = builder_of(corpus)
    order = [[each.origin for each in objections_to(builder, study)] for study in ("s0", "s1")]
    assert order[0] == ["special", "denial", "general"], "the heaviest first, whatever its kind"
    assert order[1] == ["general", "idle"], "but what is counted before what is not"


def test_what_is_just_heard_comes_before_what_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    nats = {"just#edge": LEAST_NATS_COUNTED, "less#edge": LEAST_NATS_COUNTED - 1e-9}
    monkeypatch.setattr(SiteStandings, "share", lambda _, edge_id: nats[edge_id])
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        less=evidence_text("Less", 0.9, "contradicts:: [[asked]] ^edge"),
        just=evidence_text("Just", 0.9, "contradicts:: [[asked]] ^edge", *BEARS_ON_TEN),
        **{f"other{n}": claim_text(f"Other {n}", "optimist") for n in range(10)},
    )
    assert bears_on_many(corpus, "just")
    objections = objections_to(builder_of(corpus), "asked")
    assert [each.origin for each in objections] == ["just", "less"], "though it is general"


def test_a_statement_that_bears_on_ten_is_not_general() -> None:
    links = {"ten": BEARS_ON_TEN, "eleven": [*BEARS_ON_TEN, "supports:: [[ten]]"]}
    corpus = corpus_of_notes(
        **{id: claim_text(id.title(), "optimist", *edges) for id, edges in links.items()},
        **{f"other{n}": claim_text(f"Other {n}", "optimist") for n in range(10)},
    )
    assert [id for id in links if bears_on_many(corpus, id)] == ["eleven"]


@every_row(
    ("objecting", "relation", "expected"),
    [
        ("alone", "contradicts", "not counted: no evidence supports it"),
        ("alone", "undercuts", "not counted: no evidence supports it"),
        ("even", "contradicts", "not counted: at least as much speaks against it as for it"),
        ("even", "undercuts", "not counted: at least as much speaks against it as for it"),
        ("backed", "contradicts", "not counted: its evidence already counts in another way"),
        ("backed", "undercuts", "not counted"),
        ("weak", "contradicts", "not counted: its evidence already counts in another way"),
        ("weak", "undercuts", "not counted"),
    ],
)
def test_why_an_objection_does_not_count(objecting: str, relation: str, expected: str) -> None:
    target = "asked" if relation == "contradicts" else "study#^edge"
    notes = {
        "alone": claim_text("Alone", "skeptic"),
        "even": claim_text("Even", "skeptic"),
        "backed": claim_text("Backed", "skeptic"),
        "weak": evidence_text("Weak", 0.3),
    }
    notes[objecting] += f"- {relation}:: [[{target}]] ^edge\n"
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        study=evidence_text("Study", 0.9, "supports:: [[asked]] ^edge"),
        pro=evidence_text("Pro", 0.9, "supports:: [[even]]", "supports:: [[backed]]"),
        con=evidence_text("Con", 0.9, "contradicts:: [[even]]"),
        **notes,
    )
    (edge,) = corpus.edges_from[objecting]
    assert why_not_counted(builder_of(corpus), edge, objecting) == expected
