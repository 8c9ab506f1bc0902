"""The wording of names, numbers, dates and verdicts on pages."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from math import inf
from typing import NamedTuple

from kg.corpus.quality.evidence_quality import Quality
from kg.model import Integrity, Kind, Method, Relation, SeenIn, Source, Statement
from kg.model.settings.reasoning_settings import Reasoning
from kg.model.source import TEAM_KIND, parse_independence_key
from kg.reasoning.strength_words import StrengthWord, find_strength_word, side_of
from kg.reporting.report import render_signed
from kg.text.plurals import join_with_and
from kg.text.sentences import first_sentence as first_sentence

KINDS = {Kind.CLAIM: "Claim", Kind.COUNTER_CLAIM: "Counter-claim", Kind.EVIDENCE: "Finding"}
FORWARD = {relation: relation.label for relation in Relation}
BACKWARD = {relation: relation.label_back for relation in Relation}

METHODS: dict[str, str] = {
    Method.META_ANALYSIS: "Meta-analysis",
    Method.REGISTERED_REPLICATION: "Registered replication",
    Method.EXPERIMENT: "Experiment",
    Method.BENCHMARK: "Benchmark",
    Method.OBSERVATIONAL: "Observation",
    Method.SURVEY: "Survey",
    Method.QUALITATIVE: "Qualitative study",
    Method.REVIEW: "Review",
    Method.ARGUMENT: "Argument",
    Method.DEMONSTRATION: "Demonstration",
    Method.ANECDOTE: "Anecdote",
}
QUALITY_WORDS = ((0.25, "weak"), (0.5, "limited"), (0.7, "fair"), (0.85, "good"), (inf, "strong"))
SOURCE_TYPES = {
    "article": "Journal article",
    "inproceedings": "Conference paper",
    "proceedings": "Proceedings",
    "book": "Book",
    "incollection": "Book chapter",
    "inbook": "Book chapter",
    "phdthesis": "Doctoral thesis",
    "mastersthesis": "Master's thesis",
    "techreport": "Report",
    "unpublished": "Unpublished",
    "online": "Web page",
}
SEEN = {
    SeenIn.PRIMARY: "the paper or its abstract",
    SeenIn.SECONDARY: "a source about it",
    SeenIn.NOTE_PAGE: "a reading note",
    SeenIn.NOT_SEEN: "no place that could be checked",
}
NOTICES: dict[Integrity | None, str] = {
    Integrity.CORRECTED: "correction",
    Integrity.CONCERN: "expression of concern",
    Integrity.RETRACTED: "retraction",
}
MARKS: dict[Integrity | None, str] = {
    Integrity.CORRECTED: "corrected",
    Integrity.CONCERN: "publisher’s concern",
    Integrity.RETRACTED: "retracted",
}
LEAST_NATS_COUNTED = 0.005  # nats: the least that shows with two decimal places
_LIGHT = Reasoning().open_below  # nats below which a side has no weight
LEAST_MOVE_IN_TWO_DECIMALS = 0.01  # of strength; less is shown in three
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_HYPHEN = re.compile(r"(?<!\bself)-")
# The nats below which the reasons of a side come to so much, in words.
AMOUNTS = ((LEAST_NATS_COUNTED, "nothing"), (_LIGHT, "little"), (3 * _LIGHT, "some"), (inf, "much"))
_INNER_QUOTES = str.maketrans("“”", "‘’")
SHORT_QUESTION, SHORT_CLAUSE = 48, 16  # the most letters of a question, the fewest of a clause


def method_name(statement: Statement, default: str) -> str:
    """The method of a piece of evidence in words; a method defined by the corpus as it is."""
    if statement.method is None:
        return default
    name = METHODS.get(statement.method)
    return name or statement.method.replace("-", " ").capitalize()


def render_sample(evidence: Statement) -> str:
    """`555 scenarios`; empty if no size is recorded."""
    if evidence.sample is None:
        return ""
    return f"{evidence.sample:,} {evidence.sample_unit}".strip()


def describe_quality(
    evidence: Statement, quality: Quality, before_objections: float, left: float
) -> str:
    """`Fair: benchmark, 504 problems, not known to be peer reviewed`: how much evidence can
    carry, and what most decides that.

    Concerns are included, and what objections leave of it, if another word. An argument has no
    sample. What was not seen in its source is `second-hand`.
    """
    words = [_quality_word(each) for each in (before_objections, left)]
    change = f", {words[1]} {'after objections' if left < before_objections else 'with support'}"
    word = f"{capitalize_first(words[0])}{change if words[0] != words[1] else ''}"
    if quality.given:
        facts = [method_name(evidence, "").lower(), "graded by its note", second_hand(evidence)]
        return f"{word}: {', '.join(filter(None, facts))}"
    is_reviewed = any(term.field == "peer_reviewed" for term in quality.terms)
    unknown = "" if evidence.method == Method.ARGUMENT else "sample size unknown"
    facts = [
        method_name(evidence, "Method not recorded").lower(),
        render_sample(evidence) or unknown,
        "peer reviewed" if is_reviewed else "not known to be peer reviewed",
        second_hand(evidence),
        *describe_concerns(evidence),
    ]
    return f"{word}: {', '.join(filter(None, facts))}"


def describe_concerns(evidence: Statement) -> list[str]:
    """`very serious risk of bias`: the concerns that a piece of evidence carries."""
    return [
        ("very serious " if each.endswith("!") else "") + each.rstrip("!").replace("-", " ")
        for each in evidence.concerns
    ]


def describe_quality_briefly(evidence: Statement, left: float) -> str:
    """`fair evidence, 504 problems, second-hand`: what objections leave of a study's quality, its
    sample if it is known, and whether it was not seen in its source.
    """
    noun = "argument" if evidence.method == Method.ARGUMENT else "evidence"
    facts = (f"{_quality_word(left)} {noun}", render_sample(evidence), second_hand(evidence))
    return ", ".join(filter(None, facts))


def _quality_word(quality: float) -> str:
    return next(word for limit, word in QUALITY_WORDS if quality < limit)


def second_hand(evidence: Statement) -> str:
    """`second-hand` for evidence that was not seen in its own source; empty for other evidence."""
    return "" if evidence.seen_in in (None, SeenIn.PRIMARY) else "second-hand"


def is_visible_move(strength_before: float | None, strength_after: float | None) -> bool:
    """Return whether two strengths differ in the two decimals shown, or only one of them has a
    value.
    """
    if strength_before is None or strength_after is None:
        return strength_before is not strength_after
    return abs(strength_after - strength_before) >= LEAST_MOVE_IN_TWO_DECIMALS


def shown_move(strength_before: float, strength_after: float) -> str:
    """The difference of two strengths as rounded to two places, or to three if it is small; empty
    if they are the same then.
    """
    places = 2 if is_visible_move(strength_before, strength_after) else 3
    difference = round(strength_after, places) - round(strength_before, places)
    return render_signed(difference, places) if difference else ""


def topic_label(name: str) -> str:
    """A topic or group as readers see it: `Social grounding`, `Self-play`.

    A name that already has capitals or spaces is left unchanged.
    """
    if not _SLUG.fullmatch(name):
        return name
    return capitalize_first(_HYPHEN.sub(" ", name))


def quote(words: str) -> str:
    """`words` in quotation marks; those within become single ones."""
    return f"“{words.translate(_INNER_QUOTES)}”"


def capitalize_first(words: str) -> str:
    """`words` with a capital at the beginning."""
    return words[:1].upper() + words[1:]


def as_sentence(words: str) -> str:
    """`words` with a capital and a full stop, unless they end a sentence already."""
    is_ended = words.rstrip("”\"’')*_").endswith((".", "?", "!", "…"))
    return capitalize_first(words) + ("" if is_ended else ".")


def describe_shared(group: str, names: Mapping[str, str], page_key: str = "") -> str:
    """Say what the members of a group share: `the same data (Song et al. 2025)`; on the page of the
    source `page_key` that it comes from, `its own data`. `names` are the names of sources.
    """
    kind, name = parse_independence_key(group)
    if not kind:
        return topic_label(group)
    if name == page_key:
        return f"its own {kind}"
    if name in names:
        return f"the same {kind} ({names[name]})"
    # data have names for the notes alone, teams those of people
    return f"the same team ({topic_label(name)})" if kind == TEAM_KIND else f"the same {kind}"


def render_date(day: dt.date) -> str:
    """A day as pages show it: `20 November 2026`."""
    return f"{day.day} {day:%B %Y}"


def author_year(source: Source) -> str:
    """`Shaikh et al. 2024`: the name of a source in running text."""
    untitled = source.title if len(source.title) <= 40 else source.key
    short = source.short_authors or untitled
    return f"{short} {source.year}" if source.year and str(source.year) not in short else short


def source_names(sources: Iterable[Source]) -> dict[str, str]:
    """The name of each source in running text; those with the same authors and year are
    distinguished, in the order of their titles, as `Doe 2024a` and `Doe 2024b`.
    """
    sources_by_name: dict[str, list[Source]] = {}
    for source in sources:
        sources_by_name.setdefault(author_year(source), []).append(source)
    names_by_key: dict[str, str] = {}
    for name, namesakes in sources_by_name.items():
        namesakes.sort(key=lambda source: (source.title.casefold(), source.key))
        for number, source in enumerate(namesakes):
            gap = "" if name[-1:].isdigit() else " "
            names_by_key[source.key] = (
                f"{name}{gap}{_number_in_letters(number)}" if len(namesakes) > 1 else name
            )
    return names_by_key


def _number_in_letters(number: int) -> str:
    """“a”, “b”, …, “z”, “aa”, …"""
    prefix = _number_in_letters(number // 26 - 1) if number >= 26 else ""
    return prefix + chr(ord("a") + number % 26)


def render_authors(source: Source, limit: int = 8) -> str:
    """The authors in words, at most `limit`, the rest as `et al.`."""
    names = list(source.authors)
    if len(names) > limit:
        return ", ".join(names[:limit]) + " et al."
    if names[-1:] == ["et al."] and len(names) > 1:
        return ", ".join(names[:-1]) + " et al."
    return join_with_and(names)


# -- verdicts ------------------------------------------------------------------------------


def describe_balance(word: str, pro: float, con: float) -> str:
    """Explain a claim's word by its reasons for and against, in nats; numbers are not mentioned,
    as readers do not know their scale.
    """
    known_word = find_strength_word(word)
    meaning_by_word = {
        None: "What is weighed is a finding: this is how much it can carry.",
        StrengthWord.UNSETTLED: "No stable strength was found.",
        StrengthWord.OPEN: "Too little here speaks for or against it to say anything.",
        StrengthWord.EVEN: "As much speaks against it as for it, or nearly.",
        StrengthWord.CONTESTED: "Both sides carry weight, and neither decides it.",
    }
    if known_word is None or known_word in meaning_by_word:
        return meaning_by_word[known_word]
    sides = ("for it", "against it")
    leading_side, other_side = sides if side_of(known_word) > 0 else sides[::-1]
    only_leans = known_word in (StrengthWord.LEANS_REFUTED, StrengthWord.LEANS_SUPPORTED)
    if known_word.is_thin or min(pro, con) < _LIGHT:
        amount = "A little" if known_word.is_thin else "Something" if only_leans else "Much"
        other_amount = "little" if min(pro, con) else "nothing"
        return f"{amount} speaks {leading_side}, and {other_amount} {other_side}."
    return f"{'More' if only_leans else 'Much more'} speaks {leading_side} than {other_side}."


def describe_if_adds_nothing(share: float) -> str:
    """`adds nothing` for a reason of no nats; empty for the others."""
    return "adds nothing" if abs(share) < LEAST_NATS_COUNTED else ""


def describe_no_effect(count: int) -> str:
    """`have no effect`: what is said of `count` reasons that pictures and sums leave out."""
    return f"{'has' if count == 1 else 'have'} no effect"


class CountOfReasons(NamedTuple):
    """The numbers of reasons that count for a statement, count against it, and only limit it. The
    `idle` ones have no effect and are in none of these.
    """

    pro: int
    con: int
    limits: int
    idle: int

    @classmethod
    def from_reasons(cls, reasons: Iterable[tuple[Relation, float]]) -> CountOfReasons:
        """`reasons` have a relation each, and nats, which are negative if they count against."""
        sorts = Counter(_sort_of_reason(relation, nats) for relation, nats in reasons)
        return cls(*(sorts[name] for name in cls._fields))

    @property
    def against(self) -> str:
        """`1 against it, 9 limit it`."""
        con = f"{self.con} against it" if self.con else ""
        limits = f"{self.limits} {'limits' if self.limits == 1 else 'limit'} it"
        return ", ".join(filter(None, (con, limits if self.limits else "")))

    @property
    def idle_words(self) -> str:
        """`7 have no effect`; empty if each has one."""
        return f"{self.idle} {describe_no_effect(self.idle)}" if self.idle else ""

    @property
    def words(self) -> str:
        """`16 for it, 1 against it, 9 limit it`; the idle ones only if there are no others."""
        pro = f"{self.pro} for it" if self.pro else ""
        return ", ".join(filter(None, (pro, self.against))) or self.idle_words


def _sort_of_reason(relation: Relation, nats: float) -> str:
    if abs(nats) < LEAST_NATS_COUNTED:
        return "idle"
    return "pro" if nats > 0 else "limits" if relation is Relation.QUALIFIES else "con"


def describe_amount(nats: float) -> str:
    """An amount of nats in words: nothing, little, some or much."""
    return next(word for limit, word in AMOUNTS if nats < limit)


def shorten_question(title: str) -> str:
    """A question short enough for a link or a column: unchanged if it is, else cut after its first
    clause, else after as many words as fit.
    """
    if len(title) <= SHORT_QUESTION:
        return title
    clause = re.split(r"[,;:]", title, maxsplit=1)[0]
    if SHORT_CLAUSE <= len(clause) <= SHORT_QUESTION:
        return f"{clause}…"
    return f"{title[:SHORT_QUESTION].rsplit(' ', 1)[0].rstrip(',;:')}…"
