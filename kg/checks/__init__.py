"""What is wrong with the notes: one rule, one function, one page."""

from __future__ import annotations

from kg.checks import argument, figures, links, reading, sources, wording
from kg.checks import argument as lines
from kg.checks.rule import Finding, Rule
from kg.corpus import Corpus
from kg.model import Diagnostic

RULES: tuple[Rule, ...] = (
    reading.unreadable_file,
    reading.broken_front_matter,
    reading.missing_type,
    reading.bad_value,
    reading.unknown_key,
    reading.unknown_unit,
    reading.unknown_callout,
    reading.second_title,
    reading.unread_file,
    reading.outside_link,
    reading.missing_target,
    links.almost_a_relation,
    reading.almost_a_field,
    reading.unread_words,
    reading.unclosed_bracket,
    reading.broken_bibliography,
    links.unknown_relation,
    links.unknown_target,
    links.ambiguous_target,
    links.wrong_target,
    links.wrong_premise,
    links.duplicate_id,
    links.unknown_citation,
    links.almost_a_citation,
    links.unknown_camp,
    links.dead_link,
    links.unportable_name,
    wording.missing_title,
    wording.missing_reason,
    wording.nearly_equal_topic,
    wording.nearly_equal_title,
    argument.self_edge,
    argument.supports_and_contradicts,
    argument.counter_claim_without_target,
    argument.unsupported_claim,
    argument.line_without_both_camps,
    lines.line_without_answers,
    lines.answers_without_proposition,
    argument.circular_support,
    figures.contradictory_figures,
    sources.unsourced_evidence,
    sources.doubtful_entry,
    sources.retracted_source,
    sources.study_beside_another,
    sources.misquoted_source,
    sources.missing_snapshot,
    figures.judgement_file,
    figures.judgement_column,
    figures.judgement_row,
    figures.judged_edge_unknown,
    figures.judged_twice,
)


def check(corpus: Corpus) -> list[Diagnostic]:
    """Every problem in the notes, found while reading or by a rule, in reading order.

    The rules look at what notes of an unclear type most likely are, so that one mistake hides no
    other, and nothing that follows from it is told.
    """
    meant = corpus if corpus.meant is None else corpus.meant
    found = [problem for rule in RULES for problem in rule.run(meant)]
    return sorted([*corpus.diagnostics, *found], key=lambda problem: (problem.span, problem.rule))


__all__ = ["RULES", "Finding", "Rule", "check"]
