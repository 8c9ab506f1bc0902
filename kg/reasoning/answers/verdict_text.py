"""The wording of a verdict: its leading sentences, and the remarks beside its reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kg.model import InquiryLine, SourceKey, StatementId
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.answers.independence import ContributingSources
from kg.reasoning.answers.robustness import (
    Robustness,
    describe_contrary,
    describe_loss,
)
from kg.reasoning.asked_question import SEMANTICS_IN_WORDS, AskedQuestion
from kg.reasoning.other_rules.dung_labelling import label_differs, side_of_label
from kg.reasoning.reasons.direct_reasons import (
    LEAST_SHARE_LISTED,
    Balance,
    Reason,
    describe_losses_to_objections,
)
from kg.reasoning.sensitivity.filed_directly import FiledDirectly
from kg.reasoning.sensitivity.other_settings_and_rules import UnderDefaults
from kg.reasoning.strength_words import StrengthWord, find_strength_word, render_strength, side_of
from kg.reasoning.sureness_words import (
    BY_WEIGHTS,
    FRAGILE_BELOW,
    STRICTER_CHECK,
    Sureness,
    SurenessLimit,
    answer_phrase,
    count_rules_apart,
    describe_undecided,
    held_strength,
    is_held_back,
)
from kg.text.plurals import join_with_and, number_in_words
from kg.text.sentences import quote_title

_TRIALS = "trials with slightly changed weights"
OBJECTIONS_ALONE = "objections alone"
# The rule by which an objection that nothing answers decides, whatever its strength.
MAX_SETTINGS_NAMED = 3
# Least effect of filing on the strength that is remarked on; less would not mislead a reader.
LEAST_OWED_TO_FILING = 0.1
# In nats, by default a quarter and the whole of a top-quality study: a source with less than the
# first is slight, and an answer with more than the second in all rests on something.
SLIGHT_NATS, SUBSTANTIAL_NATS = 0.25, 1.0
# The semantics that do not add reasons up, by their names.
NON_ADDITIVE_SEMANTICS = {"dfquad": "DF-QuAD", "eulertop": "Euler-top", "hcat": "the h-categoriser"}


def verdict_sentence(
    title: str,
    words: tuple[str, Sureness],
    answer: str,
    strength: float | None,
    remark: str,
    settings: Reasoning,
) -> str:
    """The verdict in one sentence; `words` are its strength word and its sureness,
    `remark` a further sentence or nothing. Where the sureness holds the answer back, the strength
    is said to be that of the weights alone.
    """
    title = quote_title(title)
    word, sureness = words
    if word == StrengthWord.UNSETTLED or strength is None:
        return f"No stable strength could be found for {title}, so there is no verdict."
    if find_strength_word(word) is None:
        quality_meaning = f"how much the evidence {title} can carry, from 0 to 1."
        return f"{word.capitalize()}: {quality_meaning}"
    # what depends on a claim that is undecided has no answer, however strong its own reasons
    side = 0 if sureness == Sureness.UNDECIDED else side_of(word)
    first = f"{_with_full_stop(qualified_answer(sureness, side, answer))} " if answer else ""
    if word == StrengthWord.OPEN:
        return f"{first}Undecided: too little in this corpus bears on {title} to say."
    strength_text = render_strength(strength, settings)
    place = held_strength(sureness, side_of(word), strength, settings)
    by_weights = f"{BY_WEIGHTS} " if is_held_back(strength, place) else ""
    backs = f"{by_weights}this corpus backs {title} at {strength_text} on a scale from 0 to 1"
    if answer and side:
        return f"{first}{backs[:1].upper()}{backs[1:]}.{remark}"
    sureness_words = answer_phrase(word, sureness) if side else describe_undecided(word)
    return f"{first}{sureness_words.capitalize()}: {backs}.{remark}"


def _with_full_stop(text: str) -> str:
    """`text` with a full stop, unless it ends like a sentence."""
    return text if text.endswith((".", "?", "!")) else text + "."


def qualified_answer(sureness: str, side: int, answer: str) -> str:
    """An answer with its sureness, “Perhaps not reliably: …”; empty if the line gives none."""
    return " ".join(filter(None, sureness_and_answer(sureness, side, answer)))


def split_answer(answer: str) -> tuple[str, str]:
    """An answer in short, and the detail after its first colon as a sentence of its own, empty
    where there is none. `Not reliably: in six tests …` is `Not reliably` and `In six tests …`.
    """
    short, _, detail = answer.partition(": ")
    detail = detail.strip()
    return short.strip(), detail[:1].upper() + detail[1:]


def sureness_and_answer(sureness: str, side: int, answer: str) -> tuple[str, str]:
    """The sureness of an answer, and the answer as it follows that; without a side the answer
    alone, as it says so itself. What it only leans towards is in quotation marks.
    """
    if not side or not answer or not sureness:
        return "", answer
    if sureness == Sureness.UNDECIDED_WITH_LEAD:
        short, colon, detail = answer.partition(": ")
        return sureness.capitalize(), f"“{_in_lower_case(short.rstrip('.'))}”{colon}{detail}"
    return sureness.capitalize(), _in_lower_case(answer)


def _in_lower_case(answer: str) -> str:
    """An answer as it goes on within a sentence; a name keeps its capital."""
    first = answer.split(maxsplit=1)[0]
    has_digit = any(letter.isdigit() for letter in first)
    is_name = first == "I" or has_digit or first[1:] != first[1:].lower()
    return answer if is_name else answer[:1].lower() + answer[1:]


def describe_best_reasons(reasons: Sequence[Reason], balance: Balance, floor: float) -> str:
    """The best reason on each side, and how many more there are; a side carries weight from
    `floor` nats.
    """
    if not balance.lessened and all(abs(reason.share) < LEAST_SHARE_LISTED for reason in reasons):
        return ""
    pro = [reason for reason in reasons if reason.share >= LEAST_SHARE_LISTED]
    con = [reason for reason in reasons if -reason.share >= LEAST_SHARE_LISTED]
    lost_nats = {
        loss.side: f"; {describe_losses_to_objections(loss)}" for loss in reversed(balance.lessened)
    }
    sentences = []
    for name, other_side, own_reasons, total in (
        ("For", -1, pro, balance.pro),
        ("Against", 1, con, balance.con),
    ):
        where = " it directly" if other_side in lost_nats else ""
        lead = _lead_reason(own_reasons, total, floor)
        sentences.append(f"{name}{where}: {lead}{lost_nats.get(other_side, '')}.")
    return " ".join(sentences)


def _lead_reason(reasons: Sequence[Reason], total: float, floor: float) -> str:
    """The first of the reasons of a side, whose sum is `total`, and how many more there are."""
    if not reasons:
        return "nothing"
    rest = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
    partners = join_with_and(reasons[0].together)
    first = reasons[0].words if reasons[0].fallen else quote_title(reasons[0].words)
    first += (f", together with {partners}" if partners else "") + rest
    if total < floor - LEAST_SHARE_LISTED:
        return f"nothing that carries weight, {first} at {total:.2f}"
    return first


def describe_robustness(
    word: str,
    band: tuple[float | None, float | None],
    studies: int | None,
    question: AskedQuestion,
    robustness: Robustness | None,
) -> str:
    """The range of strengths in the trials, and what would take the answer from its side: the loss
    found by `robustness`, or that number of top-quality `studies`.
    """
    trials = describe_trials(word, band, robustness)
    if not trials:
        return ""
    undoing = describe_taking_from_side(word, studies, question, robustness)
    ending = f"; {undoing}" if undoing else ""
    if robustness is None:
        return f"{trials}{ending}."
    return f"{trials}{ending}. {describe_other_settings_and_rules(robustness)}"


def describe_trials(
    word: str, band: tuple[float | None, float | None], robustness: Robustness | None
) -> str:
    """Say in how many of the trials the answer stays on its side, and between what strengths they
    lie; empty without trials.
    """
    low, high = band
    if low is None or high is None or find_strength_word(word) is None:
        return ""
    ends = f"{low:.2f}", f"{high:.2f}"
    span = f"at {ends[0]}" if ends[0] == ends[1] else "between {} and {}".format(*ends)
    if robustness is None:
        return f"{span} in nine of ten {_TRIALS}"
    draws, has_side = robustness.draws, bool(side_of(word))
    needed = f" (we ask for {FRAGILE_BELOW * draws:.0f})" if has_side else ""
    kept = f"{'the side' if has_side else 'it'} stayed {'the same' if has_side else 'undecided'}"
    kept += f" in {robustness.fraction_kept * draws:.0f}"
    if robustness.fraction_kept == 1.0:
        kept = "the side never changed" if has_side else "it always stayed undecided"
    return f"in {draws} {_TRIALS} {kept}{needed}, and in nine of ten its strength was {span}"


def describe_taking_from_side(
    word: str, studies: int | None, question: AskedQuestion, robustness: Robustness | None
) -> str:
    """Say what would take the answer from its side: the loss found by `robustness`, or that number
    of top-quality `studies`; empty if it has no side.
    """
    if not side_of(word):
        return ""
    contrary = describe_contrary(studies, question) if studies else ""
    if robustness is None:
        return f"{contrary} would undo it" if contrary else ""
    if robustness.smallest_loss is None:
        studies_text = f", but {contrary} would" if contrary else ""
        return f"no loss of evidence that was tried would undo it{studies_text}"
    loss = describe_loss(robustness.smallest_loss, robustness.loss_exact)
    return f"{loss} would undo it" + (f", and so would {contrary}" if contrary else "")


def describe_other_settings_and_rules(robustness: Robustness, *, with_names: bool = True) -> str:
    """Count the other settings and the other rules under which the answer has another side. A few
    of these variants are named, with formulas and rules if `with_names`. It also says if the
    strengths by other rules lie outside the range of the trials.
    """
    rules = _rules_that_change_side(robustness)
    which_rules = f" ({join_with_and(rules)})" if with_names and rules else ""
    side, others = side_of(robustness.word), robustness.other_rules
    # the labels of `grounded` are a rule too, beside those of its `words`
    of_rules = f"of the {number_in_words(len(others.words) + 1)} other rules of weighing"
    by_rules = count_rules_apart(side, others.words, others.grounded) if side else ""
    if rules and not side:
        by_rules = f"{number_in_words(len(rules))} {of_rules} would give it a side"
    by_rules = by_rules or f"none {of_rules} disagrees"
    return (
        f"{_describe_other_settings(robustness, with_names)} "
        f"{by_rules[:1].upper()}{by_rules[1:]}{which_rules}."
        f"{_describe_rules_outside_range(robustness)}"
    )


def _describe_other_settings(robustness: Robustness, with_names: bool) -> str:
    """`In one of seven variants of our method (…) the answer would be undecided.`"""
    side = side_of(robustness.word)
    number = number_in_words(len(robustness.other_settings))
    changed = [each for each in robustness.other_settings if side_of(each.word) != side]
    if not changed:
        stays = "keeps its side" if side else "stays undecided"
        return f"It {stays} in all {number} variants of our method."
    names = [each.setting for each in changed]
    if not with_names:
        names = [each.partition(" (")[0] for each in names]
    which = f" ({'; '.join(names)})" if len(names) <= MAX_SETTINGS_NAMED else ""
    sides = {side_of(each.word) for each in changed}
    outcome = "not hold" if len(sides) > 1 else "turn round" if any(sides) else "be undecided"
    outcome = outcome if side else "take a side"
    in_variants = f"In {number_in_words(len(changed))} of {number} variants of our method"
    return f"{in_variants}{which} the answer would {outcome}."


def _rules_that_change_side(robustness: Robustness) -> list[str]:
    """The other rules under which the answer comes out on the other side."""
    side = side_of(robustness.word)
    words = robustness.other_rules.words.items()
    rules = [SEMANTICS_IN_WORDS.get(name, name) for name, word in words if side_of(word) != side]
    if label_differs(side, robustness.other_rules.grounded):
        rules.append(OBJECTIONS_ALONE)
    return rules


def _describe_rules_outside_range(robustness: Robustness) -> str:
    """A further sentence, if every other rule of adding up gives a strength outside the range of
    nine in ten trials.
    """
    if robustness.low is None or robustness.high is None:
        return ""
    # compared as printed, or the sentence could contradict itself
    low = round(robustness.low, 2)
    high = round(robustness.high, 2)
    others = sorted(
        round(each, 2) for each in robustness.other_rules.strengths.values() if each is not None
    )
    if not others or any(low <= each <= high for each in others):
        return ""
    strengths_text = join_with_and([f"{each:.2f}" for each in others])
    return (
        f" Those that add up the same reasons put it at {strengths_text}, outside what nine in ten "
        f"trials give ({low:.2f} to {high:.2f})."
    )


def remark_on_other_rules(side: int, words: Mapping[str, str]) -> str:
    """Says if the same reasons, added up by another rule, do not come out on its side."""
    if not side or all(side_of(word) == side for word in words.values()):
        return ""
    return "Another rule of adding up the same reasons does not come out on this side."


def remark_on_label(grounded: str, grounded_says: str) -> str:
    """Says if it is on the other side by Dung's label alone, and why."""
    end = "yes" if side_of_label(grounded) > 0 else "no"
    opening = f"By objections alone, {STRICTER_CHECK}, the answer is"
    return f"{opening} {end}: {grounded_says}." if grounded_says else ""


def remark_on_limit(
    sureness: str, limit: SurenessLimit, works: Sequence[SourceKey], depends_on: StatementId
) -> str:
    """Names the source that the answer hangs on, or the claim that it depends on, if that keeps
    it from being surer.
    """
    names = depends_on or join_with_and([f"@{work}" for work in works])
    return f"It is called no more than “{sureness}”, as {limit.clause}: {names}." if names else ""


def remark_on_superseded(successor: StatementId) -> str:
    """Says if another statement supersedes the one asked about."""
    return (
        f"It is superseded by {successor}, and bears on nothing else: ask about that."
        if successor
        else ""
    )


def remark_on_declared_same(same: Sequence[StatementId]) -> str:
    """Names the statements declared the same, which share its strength and reasons."""
    names = join_with_and(same)
    return f"It is one statement with {names}: what bears on any counts." if names else ""


def remark_on_settings(under_defaults: UnderDefaults) -> str:
    """Names the settings that differ from the defaults, and gives the result with the defaults."""
    if not under_defaults.set_here:
        return ""
    settings_text = ", ".join(
        f"{key} = {value:g}" if isinstance(value, float) else f'{key} = "{value}"'
        for key, value in under_defaults.set_here.items()
    )
    word, strength = under_defaults.word, under_defaults.strength
    if strength is not None and find_strength_word(word) is not None:
        word = render_strength(strength, Reasoning())
    return f"kg.toml sets {settings_text}; at the defaults: {word}."


def remark_on_products(semantics: str) -> str:
    """Says that the shares do not add up, if reasons combine in another way."""
    if semantics not in NON_ADDITIVE_SEMANTICS:
        return ""
    return (
        f"Under {NON_ADDITIVE_SEMANTICS[semantics]} reasons do not add up to the strength: "
        "the shares show which are heavy, not how far each moves it."
    )


def remark_on_filing(
    strength: float | None, word: str, direct: FiledDirectly, set_here: Mapping[str, float | str]
) -> str:
    """Say what the answer owes to filing, if that changes its strength word or much of its
    strength.
    """
    if strength is None or direct.strength is None:
        return ""
    if abs(strength - direct.strength) < LEAST_OWED_TO_FILING and direct.word == word:
        return ""
    side, direct_side = side_of(word), side_of(direct.word)
    side_note = ""
    if side != direct_side:
        turned = " (the other side)" if side else " (no longer undecided)"
        side_note = turned if direct_side else " (undecided)"
    changed_settings = {
        key: value for key, value in set_here.items() if key in Reasoning.model_fields
    }
    settings = Reasoning.model_validate(changed_settings)
    return (
        "Filed as reasons of the question itself instead of through claims, the same evidence "
        f"would come to {render_strength(direct.strength, settings)}{side_note}."
    )


def remark_on_slight_sources(total: float, sources: ContributingSources) -> str:
    """Says if each source of an answer brings little of the `total` nats, which are many."""
    heaviest = sources.heaviest
    if total <= SUBSTANTIAL_NATS or max(heaviest, total - sources.nats) >= SLIGHT_NATS:
        return ""
    return (
        f"No source weighs much: the heaviest of {sources.count} independent ones weighs "
        f"{heaviest:.2f} of {total:.2f} in all."
    )


def answer_of_line(line: InquiryLine, word: str, side: int) -> str:
    """The answer in the words of the line's question; empty where the line gives none."""
    return "" if word == StrengthWord.UNSETTLED else line.answer_for(side)
