"""How pages name sources, count things and say what evidence is."""

from __future__ import annotations

from kg.corpus.quality.evidence_quality import grade_evidence
from kg.model import Kind, Method, Relation, Source, Span, Statement
from kg.model.settings.quality_settings import QualityLadder
from kg.publish.markup.phrases import (
    QUALITY_WORDS,
    CountOfReasons,
    author_year,
    describe_amount,
    describe_balance,
    describe_if_adds_nothing,
    describe_quality,
    describe_shared,
    is_visible_move,
    render_authors,
    render_sample,
    shorten_question,
    shown_move,
    source_names,
    topic_label,
)
from tests.support.every_row import every_row
from tests.support.source_code import ROOT


@every_row(
    ("pro", "con", "limits", "idle", "text"),
    [
        (2, 1, 0, 0, "2 for it, 1 against it"),
        (0, 1, 1, 0, "1 against it, 1 limits it"),
        (0, 0, 3, 1, "3 limit it"),
        (16, 1, 9, 7, "16 for it, 1 against it, 9 limit it"),
        (0, 0, 0, 2, "2 have no effect"),
        (0, 0, 0, 0, ""),
    ],
)
def test_reasons_are_counted_by_side_without_those_of_no_effect(
    pro: int, con: int, limits: int, idle: int, text: str
) -> None:
    supports, contradicts, qualifies = Relation.SUPPORTS, Relation.CONTRADICTS, Relation.QUALIFIES
    reasons = [(supports, 0.4)] * pro + [(contradicts, -0.2)] * con + [(qualifies, -0.1)] * limits
    assert CountOfReasons.from_reasons([*reasons, *[(qualifies, -0.004)] * idle]).words == text


def _source(*names: str, year: int | None = 2024, title: str = "A title") -> Source:
    return Source(key="key", title=title, span=Span("a.bib"), authors=names, year=year)


@every_row(
    ("names", "text"),
    [
        (("Holger Lyre",), "Lyre 2024"),
        (("Ann Doe", "Bo Roe"), "Doe and Roe 2024"),
        (("Ann Doe", "Bo Roe", "Cy Poe"), "Doe et al. 2024"),
        (("Ann Doe", "et al."), "Doe et al. 2024"),
        (("et al.",), "A title 2024"),
        (("Plato",), "Plato 2024"),
        (("Max van der Berg",), "van der Berg 2024"),
        ((), "A title 2024"),
    ],
)
def test_running_text_names_a_source_by_authors_and_year(names: tuple[str, ...], text: str) -> None:
    assert author_year(_source(*names)) == text


def test_a_source_without_authors_whose_title_is_long_is_named_by_its_key() -> None:
    assert author_year(_source(title="A title " * 9)) == "key 2024"
    assert author_year(_source("Ann Doe", year=None)) == "Doe"


def test_works_of_one_year_by_the_same_authors_have_different_labels() -> None:
    def work(key: str, name: str, year: int | None, title: str) -> Source:
        return Source(key=key, title=title, span=Span("a.bib"), authors=(name,), year=year)

    works = [
        work("x", "Ann Doe", 2024, "Zeal"),
        work("y", "Ann Doe", 2024, "alp"),
        work("z", "Ann Doe", 2023, "Alp"),
        work("v", "Ann Doe", None, "One"),
        work("w", "Ann Doe", None, "Two"),
    ]
    text = {"x": "Doe 2024b", "y": "Doe 2024a", "z": "Doe 2023", "v": "Doe a", "w": "Doe b"}
    assert source_names(works) == text
    many = [work(f"k{n:03}", "Bo Roe", 2020, f"{n:03}") for n in range(30)]
    assert [*source_names(many).values()][25:28] == ["Roe 2020z", "Roe 2020aa", "Roe 2020ab"]


def test_many_authors_are_cut_short() -> None:
    assert render_authors(_source("A A", "B B", "C C"), limit=2) == "A A, B B et al."
    assert render_authors(_source("A A", "B B", "et al.")) == "A A, B B et al."
    assert render_authors(_source("A A", "B B"), limit=2) == "A A and B B"


@every_row(
    ("name", "text"),
    [
        ("social-grounding", "Social grounding"),
        ("self-play", "Self-play"),
        ("norms", "Norms"),
        ("GPT-4", "GPT-4"),
        ("Theory of mind", "Theory of mind"),
        ("a--b", "a--b"),
        ("<b>", "<b>"),
        ("", ""),
    ],
)
def test_a_slug_is_shown_in_words_and_any_other_name_as_it_is_written(name: str, text: str) -> None:
    assert topic_label(name) == text


@every_row(
    ("group", "text"),
    [
        ("data:key", "the same data (Doe 2024)"),
        ("lab:north-wing", "the same team (North wing)"),
        ("data:north-wing", "the same data"),
        ("one-team", "One team"),
        ("data:", "data:"),
        (":x", ":x"),
    ],
)
def test_a_group_is_named_by_what_its_members_share(group: str, text: str) -> None:
    assert describe_shared(group, {"key": "Doe 2024"}) == text


@every_row(
    ("before", "after", "text"),
    [
        (0.88, 0.76, "−0.12"),
        (0.5, 0.5041, "+0.004"),
        (0.8763, 0.8672, "−0.009"),
        (0.705, 0.6149, "−0.09"),
        (0.5, 0.5001, ""),
    ],
)
def test_a_move_is_the_difference_of_the_numbers_shown(
    before: float, after: float, text: str
) -> None:
    assert shown_move(before, after) == text


@every_row(
    ("before", "after", "far"),
    [
        (0.5, 0.52, True),
        (0.5, 0.504, False),
        (None, 0.0, True),
        (0.0, None, True),
        (None, None, False),
    ],
)
def test_losing_or_gaining_a_stable_strength_is_a_visible_move(
    before: float | None, after: float | None, far: bool
) -> None:
    assert is_visible_move(before, after) is far


@every_row(
    ("word", "pro", "con", "text"),
    [
        ("evenly balanced", 1.0, 0.98, "As much speaks against it as for it, or nearly."),
        ("contested", 1.85, 1.5, "Both sides carry weight, and neither decides it."),
        ("thinly supported", 0.3, 0.0, "A little speaks for it, and nothing against it."),
        ("thinly refuted", 0.1, 0.4, "A little speaks against it, and little for it."),
        ("leans refuted", 0.5, 1.0, "More speaks against it than for it."),
        ("leans supported", 0.6, 0.1, "Something speaks for it, and little against it."),
        ("supported", 3.0, 0.3, "Much more speaks for it than against it."),
        ("strongly refuted", 0.0, 4.0, "Much speaks against it, and nothing for it."),
        ("quality 0.25", 0.0, 0.0, "a finding: this is how much it can carry."),
        ("open", 0.2, 0.0, "Too little here speaks for or against it to say anything."),
        ("not settled", 0.0, 0.0, "No stable strength was found."),
    ],
)
def test_an_answer_says_in_words_how_the_reasons_weigh(word, pro, con, text):
    assert text in describe_balance(word, pro, con)


@every_row(
    ("share", "text"),
    [
        (0.004, "adds nothing"),
        (-0.2, ""),
        (0.25, ""),
        (-0.75, ""),
    ],
)
def test_what_a_reason_adds_is_said_in_words(share: float, text: str) -> None:
    assert describe_if_adds_nothing(share) == text


@every_row(
    ("nats", "text"),
    [(0.0, "nothing"), (0.005, "little"), (0.25, "some"), (0.75, "much"), (9.0, "much")],
)
def test_the_weight_of_a_side_is_put_into_words(nats: float, text: str) -> None:
    assert describe_amount(nats) == text


@every_row(
    ("title", "short"),
    [
        ("Does sleep help?", "Does sleep help?"),
        (
            "Does a nap help memory, or does any rest at all do as well?",
            "Does a nap help memory…",
        ),
        (
            "Yes, but does a nap help the memory of those who slept at night?",
            "Yes, but does a nap help the memory of those…",
        ),
    ],
)
def test_a_long_question_is_cut_at_its_first_clause_or_word(title: str, short: str) -> None:
    assert shorten_question(title) == short


def study(**more: object) -> Statement:
    return Statement(id="s", kind=Kind.EVIDENCE, title="S", span=Span("s.md"), **more)


@every_row(
    ("more", "text"),
    [
        ({}, ""),
        ({"sample": 1200, "sample_unit": "people"}, "1,200 people"),
        ({"sample": 5}, "5"),
    ],
)
def test_a_sample_is_shown_with_its_unit(more: dict[str, object], text: str) -> None:
    assert render_sample(study(**more)) == text


@every_row(
    ("more", "text"),
    [
        ({}, "method not recorded, sample size unknown, not known to be peer reviewed"),
        (
            {"method": Method.BENCHMARK, "peer_reviewed": True},
            "benchmark, sample size unknown, peer reviewed",
        ),
        ({"method": Method.SURVEY, "sample": 5}, "survey, 5, not known to be peer reviewed"),
        ({"method": Method.ARGUMENT}, "argument, not known to be peer reviewed"),
        ({"method": Method.SURVEY, "quality": 0.3}, "survey, graded by its note"),
        (
            {"method": Method.SURVEY, "sample": 5, "concerns": ("risk-of-bias!", "imprecision")},
            "survey, 5, not known to be peer reviewed, very serious risk of bias, imprecision",
        ),
    ],
)
def test_what_a_grade_follows_from_stands_after_its_word(
    more: dict[str, object], text: str
) -> None:
    evidence = study(**more)
    grade = grade_evidence(evidence, (), QualityLadder())
    assert describe_quality(evidence, grade, 0.55, 0.55) == f"Fair: {text}"
    assert describe_quality(evidence, grade, 0.55, 0.1).startswith("Fair, weak after objections: ")
    assert describe_quality(evidence, grade, 0.55, 0.9).startswith("Fair, strong with support: ")


def test_the_page_for_readers_gives_the_limits_of_each_word_of_quality() -> None:
    *bounded, (_, best) = QUALITY_WORDS
    limits = ", ".join(f"{word} below {limit:g}" for limit, word in bounded)
    page = (ROOT / "site/pages/how-to-read.md").read_text("utf-8")
    assert f"Pages call it {limits}, and else {best}." in page
