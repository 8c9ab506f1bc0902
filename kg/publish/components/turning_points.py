"""What a line's answer depends on: why it is no surer, and what would change it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from kg.model import InquiryLine
from kg.publish.context.site_strengths import EVIDENCE_SUBSETS
from kg.publish.markup.html import (
    EMPTY,
    Child,
    Html,
    collapsible,
    element,
    join,
    join_children,
    row_name,
    table,
)
from kg.publish.markup.phrases import count_of, describe_move, join_names
from kg.publish.page_builder import PageBuilder

if TYPE_CHECKING:
    from kg.reasoning.answers.crux import Crux, Cruxes
    from kg.reasoning.answers.flips import Flips
    from kg.reasoning.answers.robustness import Robustness
    from kg.reasoning.answers.verdict import Verdict
    from kg.reasoning.attribution.independence import SourceEffect
    from kg.reasoning.weighed_answer import SideChange

LEAST_MOVE_SHOWN, TINY = 0.01, 1e-9  # of strength, and rounding
LITTLE = 0.05  # of strength: less is a small change
PARTNERS = 2  # works of the same team named after the first
NAMED = 4  # sources named in a sentence
CRUXES_UNFOLDED = 2  # claims to settle; the rest is folded
_LEAD_IN_OF_KIND = {
    "crux": "Of the claims that divide the camps, ",
    "claim it hangs on": "Of the claims that are most open, ",
}
_EACH_WOULD_CHANGE_IT = "these would change the answer if they were settled."
_NONE_DOES = "none would change the answer by itself if it were settled."
_ONLY_DENIAL = "none but a plain denial of the answer would change it if it were settled."
_HEAVIEST_SOURCE_LEAD_IN = "The independent source that moves the answer most is "
_EFFECT_IN_WORDS = {"turns": "turns round", "undoes": "becomes undecided", "decides": "is decided"}
_BECOMES = _EFFECT_IN_WORDS | {"undoes": "is undecided", "rewords": "stays"}


# -- how sure an answer is, and why no surer ---------------------------------------------------


def sureness_paragraph(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> Html | None:
    """Whether the answer depends on a single source, and why it is no surer."""
    strengths = builder.context.strengths
    robustness, flips = strengths.robustness(line.id), strengths.flips(line.id)
    if robustness is None or flips is None or verdict.strength is None:
        return None
    return element(
        "p",
        element("span", "How sure: ", class_="kg-label"),
        *(
            _losses_that_turn(builder, line, verdict, flips)
            if verdict.side
            else _deciding_losses(builder, line, flips)
        ),
        f" {_describe_limits(builder, verdict, robustness)}".rstrip(),
        f" {answer_on_part_of_evidence(builder, line, verdict)}".rstrip(),
        class_="kg-why",
    )


def _losses_that_turn(
    builder: PageBuilder, line: InquiryLine, verdict: Verdict, flips: Flips
) -> list[Child]:
    """Without which sources the answer would leave its side, and against how many new studies."""
    single_units = [flip.removed[0] for flip in (*flips.singles, *flips.undoing)]
    studies = _new_studies_in_words(verdict)
    if single_units:
        studies_clause = f", or if {studies}" if studies else ""
        return [
            "It would leave its side if ",
            *_any_one_of(builder, line, single_units),
            f"{studies_clause}.",
        ]
    from kg.reasoning.verdict_words import LEANING

    stays = "It stays on its side whichever one source is left out"
    if not (word_by_unit := builder.context.strengths.less_sure_without(line.id)):
        return [stays, "."]
    word = max(word_by_unit.values(), key=[*word_by_unit.values()].count)
    units_with_word = [unit for unit, word_without in word_by_unit.items() if word_without == word]
    weaker = "only lean that way" if word == LEANING else f"be “{word}”"
    return [stays, f"; it would {weaker} if ", *_any_one_of(builder, line, units_with_word), "."]


def _new_studies_in_words(verdict: Verdict) -> str:
    """How many new flawless studies to the contrary would undo the answer, in words; empty if
    none.
    """
    if not verdict.side or not verdict.fail_safe:
        return ""
    study_count = verdict.fail_safe
    studies = f"{study_count} new flawless studies" if study_count > 1 else "one new flawless study"
    return f"{studies} found the opposite"


def count_together(builder: PageBuilder, line: InquiryLine, units: Sequence[str]) -> str:
    """`3 independent sources (7 works) together`."""
    independence = builder.context.strengths.sources(line.id)
    effects = independence.effects if independence else ()
    works = sum(len(each.sources) for each in effects if each.unit in units)
    works_note = f" ({count_of(works, 'work')})" if works > len(units) else ""
    return f"{count_of(len(units), 'independent source')}{works_note} together"


def _deciding_losses(builder: PageBuilder, line: InquiryLine, flips: Flips) -> list[Child]:
    """Without which sources an undecided answer would be decided."""
    single_units = [flip.removed[0] for flip in flips.singles]
    if not single_units:
        return ["It would still be undecided whichever one source were left out."]
    return ["It would be decided if ", *_any_one_of(builder, line, single_units), "."]


def _any_one_of(builder: PageBuilder, line: InquiryLine, units: Sequence[str]) -> list[Child]:
    """`any one of 4 sources (Doe 2020; …) were left out`."""
    if len(units) == 1:
        return [name_source(builder, line, units[0]), " were left out"]
    return [
        "any one of ",
        builder.independent_sources(len(units)),
        *_source_names(builder, line, units),
        " were left out",
    ]


def _source_names(builder: PageBuilder, line: InquiryLine, units: Sequence[str]) -> list[Child]:
    """` (Doe 2020; Roe 2021; Poe 2022; and 3 more)`."""
    shown_units = units if len(units) <= NAMED else units[: NAMED - 1]
    names: list[Child] = [name_source(builder, line, unit) for unit in shown_units]
    if len(shown_units) < len(units):
        names.append(f"and {len(units) - len(shown_units)} more")
    return [" (", join("; ", names), ")"]


def name_source(builder: PageBuilder, line: InquiryLine, unit: str) -> Html:
    """An independent source, named by its works; evidence citing none, by its title."""
    independence = builder.context.strengths.sources(line.id)
    effects = independence.effects if independence else ()
    effect = next((each for each in effects if each.unit == unit), None)
    if effect is not None and not effect.sources:
        return join("; ", [builder.statement(id) for id in effect.evidence])
    return name_team(builder, effect.carried_by if effect else (unit.removeprefix("@"),))


def name_team(builder: PageBuilder, works: Sequence[str], papers: bool = False) -> Html:
    """The works of one independent source, the one that carries most first."""
    maker = builder.link_maker
    first, *others = (
        maker.papers((work,), builder.root)
        if papers
        else maker.source_or_missing(work, builder.root)
        for work in works
    )
    partners = join_names(others) if len(others) <= PARTNERS else f"{len(others)} more works"
    return Html(f"{first} with {partners} of its team") if others else first


def _leave_out_button(builder: PageBuilder, line: InquiryLine, units: Sequence[str]) -> Html | None:
    """A button that leaves sources out on the page's scales, if it has any."""
    strengths, corpus = builder.context.strengths, builder.context.corpus
    independence = strengths.sources(line.id)
    if independence is None or strengths.weighing(line.id) is None:
        return None
    lost_effects = [each for each in independence.effects if each.unit in units]
    falls = [key for each in lost_effects for key in each.sources if key in corpus.sources]
    # evidence that cites nothing in the bibliography is left out by its own id
    mute = [
        id
        for each in lost_effects
        for id in each.evidence
        if corpus.sources.keys().isdisjoint(corpus.statements[id].sources)
    ]
    href = f"#weigh?{urlencode({'mute': mute, 'falls': falls}, True)}"
    return element("a", "Leave them out on the scales", href=href, class_="kg-button kg-scripted")


def _describe_limits(builder: PageBuilder, verdict: Verdict, robustness: Robustness) -> str:
    """Why the answer is no surer."""
    weaknesses = _list_weaknesses(verdict, robustness) if verdict.side else []
    if verdict.premise:
        premise = builder.context.corpus.statements[verdict.premise].title
        weaknesses.append(f"what it depends on is no surer: “{premise}”")
    because = " and because ".join(weaknesses)
    return f"It is no surer than “{verdict.sureness}” because {because}." if weaknesses else ""


def _list_weaknesses(verdict: Verdict, robustness: Robustness) -> list[str]:
    """The trials, other rules and thin reasons that make an answer less sure."""
    from kg.reasoning.answers.robustness import describe_fraction_kept
    from kg.reasoning.verdict_words import FRAGILE_BELOW, find_word

    weaknesses, word = [], find_word(verdict.word)
    if word and word.is_thin:
        weaknesses.append("the reasons are thin")
    elif robustness.smallest_loss == 1:
        weaknesses.append(f"it {verdict.limit}" if verdict.hangs_on else "it hangs on one source")
    if robustness.kept < FRAGILE_BELOW:
        fraction_kept = f"{describe_fraction_kept(robustness.kept).removesuffix('%')} times in 100"
        condition = "if the sources are graded a little differently"
        weaknesses.append(f"it stays on its side only {fraction_kept} {condition}")
    if robustness.depends_on_semantics:
        weaknesses.append(_describe_rules_apart(robustness))
    return weaknesses


def _describe_rules_apart(robustness: Robustness) -> str:
    """The results of the other rules that differ from the side of the answer."""
    from kg.reasoning.answers.verdict_text import rules_that_change_side
    from kg.reasoning.verdict_words import side_of

    names, rules = rules_that_change_side(robustness), len(robustness.other_words) + 1
    differing_count = len(names)
    undecided = sum(side_of(word) == 0 for word in robustness.other_words.values())
    counts = ((undecided, "undecided"), (differing_count - undecided, "on the other side"))
    (first, where), *others = [(count, side) for count, side in counts if count]
    rest = "".join(f" and {count} {side}" for count, side in others)
    verb = "comes" if first == 1 else "come"
    return f"{first} of {rules} other rules of weighing {verb} out {where}{rest}"


def answer_on_part_of_evidence(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> str:
    """What the answer would be on a part of the evidence, where its side or word would differ."""
    parts_by_answer = dict[str, list[str]]()
    has_year = False
    for each in builder.context.strengths.answers_on_subsets(line.id):
        if not each.counted or (each.side, each.sureness) == (verdict.side, verdict.sureness):
            continue
        # of the years the earliest, as it leaves out least
        if each.name not in EVIDENCE_SUBSETS and has_year:
            continue
        has_year |= each.name not in EVIDENCE_SUBSETS
        other = "the other answer, " if each.side * verdict.side < 0 else ""
        answer_text = f"{other}“{each.sureness.partition(',')[0]}”"
        parts_by_answer.setdefault(answer_text, []).append(
            f"{each.part} ({each.counted} of {each.total} findings)"
        )
    sentence_text = "; ".join(
        f"counting only {' or only '.join(parts)}, it would be {answer_text}"
        for answer_text, parts in parts_by_answer.items()
    )
    return f"{sentence_text[:1].upper()}{sentence_text[1:]}." if sentence_text else ""


# -- what would change it ---------------------------------------------------------------------


def turning_points(builder: PageBuilder, line: InquiryLine) -> Html:
    """The cruxes of a line, and what would turn its answer round."""
    if line.proposition is None:
        return EMPTY
    strengths = builder.context.strengths
    cruxes, flips, sources = (
        strengths.cruxes(line.id),
        strengths.flips(line.id),
        strengths.sources(line.id),
    )
    if cruxes is None or flips is None:
        return element(
            "p",
            "Too many statements bear on this line to search them all while the site is built.",
            class_="kg-none",
        )
    return element(
        "div",
        crux_table(builder, line, cruxes),
        _lost_sources(builder, line, flips),
        _heaviest_source(builder, line, sources.effects[0])
        if sources and sources.effects
        else None,
    )


def ranked_cruxes(builder: PageBuilder, line: InquiryLine) -> list[Crux]:
    """The claims that the answer depends on, by what settling them would do to it."""
    from kg.reasoning.answers.crux import rank_by_effect

    cruxes = builder.context.strengths.cruxes(line.id)
    return rank_by_effect(cruxes.cruxes) if cruxes else []


def cruxes_that_settle(builder: PageBuilder, line: InquiryLine) -> list[Crux]:
    """The `ranked_cruxes` that take the answer from its side, except those that merely deny it:
    the first is the one that `kg crux` names as `undoing`.
    """
    cruxes = ranked_cruxes(builder, line)
    return [each for each in cruxes if each.undoes and not each.denies]


def crux_table(
    builder: PageBuilder, line: InquiryLine, cruxes: Cruxes, *, lead_in: bool = True
) -> Html | None:
    """The claims that would change an answer, were they settled, and how; or that none would."""
    all_cruxes = ranked_cruxes(builder, line)
    settling_cruxes = cruxes_that_settle(builder, line)
    if not all_cruxes:
        return None
    lead = element(
        "p",
        _LEAD_IN_OF_KIND[cruxes.kind],
        _count_effects(all_cruxes, settling_cruxes),
        class_="kg-lead-in",
    )
    if not settling_cruxes:
        return lead
    current_strength = builder.context.strengths.of(line.proposition or "").strength
    rows: list[list[Child]] = [
        [
            element("th", builder.statement(crux.statement), scope="row"),
            _describe_outcome(crux.when_true, current_strength, crux.if_true),
            _describe_outcome(crux.when_false, current_strength, crux.if_false),
        ]
        for crux in settling_cruxes
    ]
    head = ("Once settled", "If true, the answer", "If false, the answer")
    name = f"Cruxes: {line.title}"  # a page may hold those of many lines
    first, rest = rows[:CRUXES_UNFOLDED], rows[CRUXES_UNFOLDED:]
    folded_rest = collapsible(
        count_of(len(rest), "more claim"),
        table(head, rest, f"{name}, continued", "kg-cruxes"),
        class_="kg-on-paper",
    )
    first_table = table(head, first, name, "kg-cruxes")
    return element("div", lead if lead_in else None, first_table, folded_rest if rest else None)


def _count_effects(all_cruxes: Sequence[Crux], listed_cruxes: Sequence[Crux]) -> str:
    """What settling them would do to the answer; the table lists `listed_cruxes`."""
    if listed_cruxes:
        return _EACH_WOULD_CHANGE_IT
    return _ONLY_DENIAL if any(crux.undoes for crux in all_cruxes) else _NONE_DOES


def _describe_outcome(effect: SideChange, strength: float | None, new_strength: float) -> Html:
    """What becomes of the answer if its strength changes to `new_strength`."""
    strength_now = "not settled" if strength is None else f"{strength:.2f}"
    numbers = f"strength {new_strength:.2f}, now {strength_now}"
    if effect != "keeps":
        effect_text = element("strong" if effect == "turns" else "span", _EFFECT_IN_WORDS[effect])
    else:
        gain = 0.0 if strength is None else abs(new_strength - 0.5) - abs(strength - 0.5)
        word = ", firmer" if gain >= LITTLE else ", less firm" if gain <= -LITTLE else ""
        effect_text = element("span", f"stays{word}")
    return element("span", effect_text, title=numbers)


def _lost_sources(builder: PageBuilder, line: InquiryLine, flips: Flips) -> Html:
    """The sources without which the answer would leave its side, and where it would stand."""
    single_flips = [*flips.singles, *flips.undoing]
    if single_flips:
        rows: list[list[Child]] = [
            [row_name(name_source(builder, line, flip.removed[0])), _BECOMES[flip.does]]
            for flip in single_flips
        ]
        head = ("Without this source alone", "The answer")
        return table(head, rows, "Without one source")
    if not flips.minimal_undoing:
        words = "No loss of sources that was tried would change which side the answer is on."
        return element("p", words)
    smallest = flips.minimal_undoing[0]
    names = [name_source(builder, line, unit) for unit in smallest.removed]
    source_count = count_together(builder, line, smallest.removed)
    ending = f" the answer {_BECOMES[smallest.does]}; no single one does that: "
    strength_title = f"Strength {smallest.strength:.2f}" if smallest.strength is not None else None
    sentence = element(
        "p", f"Without these {source_count}", ending, join("; ", names), ".", title=strength_title
    )
    return join_children((sentence, _leave_out_button(builder, line, smallest.removed)))


def _heaviest_source(builder: PageBuilder, line: InquiryLine, effect: SourceEffect) -> Html | None:
    """The source whose loss moves the answer most; None if even that moves it little."""
    if abs(effect.effect or 0.0) < LITTLE:
        return None
    current_strength = builder.context.strengths.of(line.proposition or "").strength
    strength_now, strength_without, _ = describe_move(current_strength, effect.strength)
    name = name_source(builder, line, effect.unit)
    return element(
        "p",
        _HEAVIEST_SOURCE_LEAD_IN,
        name,
        ".",
        title=f"Strength {strength_without} without it, now {strength_now}",
    )
