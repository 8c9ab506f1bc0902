"""The checks of the notes: each rule is one function, with one page."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from kg.checks.note_places import keep_folders_open
from kg.checks.rule import Rule, RuleViolation
from kg.checks.rules import (
    argument,
    dates,
    differing_figures,
    files_and_formulas,
    identity,
    links,
    parsing_rules,
    sources,
    wording,
)
from kg.corpus import Corpus
from kg.model import Diagnostic
from kg.runtime.gc_pauses import pause_gc

RULES: tuple[Rule, ...] = (
    parsing_rules.unreadable_file,
    parsing_rules.merge_conflict,
    parsing_rules.broken_front_matter,
    parsing_rules.missing_type,
    parsing_rules.bad_value,
    parsing_rules.unknown_key,
    parsing_rules.unknown_unit,
    parsing_rules.unknown_callout,
    parsing_rules.second_title,
    parsing_rules.unread_file,
    parsing_rules.outside_link,
    parsing_rules.missing_target,
    links.almost_a_relation,
    parsing_rules.almost_a_field,
    parsing_rules.unread_words,
    parsing_rules.unclosed_bracket,
    parsing_rules.deep_nesting,
    parsing_rules.broken_bibliography,
    parsing_rules.lost_crossref,
    links.unknown_relation,
    links.unknown_target,
    links.ambiguous_target,
    links.wrong_target,
    links.wrong_premise,
    links.wrong_mutual,
    identity.duplicate_id,
    links.unknown_citation,
    links.almost_a_citation,
    wording.unknown_camp,
    links.dead_link,
    identity.unportable_name,
    identity.alias_taken,
    dates.dates_out_of_order,
    links.link_to_a_draft,
    files_and_formulas.broken_formula,
    files_and_formulas.missing_file,
    files_and_formulas.file_not_published,
    files_and_formulas.picture_without_words,
    files_and_formulas.remote_picture,
    wording.missing_title,
    wording.missing_reason,
    wording.nearly_equal_topic,
    identity.nearly_equal_title,
    wording.unexplained_name,
    argument.self_edge,
    argument.supports_and_contradicts,
    argument.written_twice,
    argument.counter_claim_without_target,
    argument.unsupported_claim,
    argument.evidence_for_nothing,
    argument.question_as_title,
    argument.line_without_both_camps,
    argument.line_without_proposition,
    argument.line_without_answers,
    argument.answers_without_proposition,
    argument.circular_support,
    argument.dependence_in_a_circle,
    argument.superseded_in_a_circle,
    sources.contradictory_figures,
    differing_figures.figures_differ_from_text,
    differing_figures.figures_seen_otherwise,
    sources.unsourced_evidence,
    sources.doubtful_entry,
    sources.retracted_source,
    sources.study_beside_another,
    sources.same_work_twice,
    sources.missing_author,
    sources.page_out_of_range,
    sources.figures_of_a_claim,
    sources.misquoted_source,
    sources.missing_snapshot,
    parsing_rules.judgement_file,
    parsing_rules.judgement_column,
    parsing_rules.judgement_row,
    parsing_rules.judged_edge_unknown,
    parsing_rules.judged_twice,
)


def check(corpus: Corpus) -> list[Diagnostic]:
    """Return every problem in the notes, found while reading or by a rule, in reading order.

    Rules see notes of unclear type as what they most likely are, so that one mistake does not hide
    others. Problems that only follow from another one are not reported.
    """
    best_guess = corpus.with_guesses
    with pause_gc(), keep_folders_open(best_guess):
        problems = [*corpus.diagnostics, *(each for rule in RULES for each in rule.run(best_guess))]
    return sorted(problems, key=lambda problem: (problem.span, problem.rule))


def diagnostics_in(problems: Iterable[Diagnostic], paths: Collection[str]) -> list[Diagnostic]:
    """The problems in these files or folders, and those related to a place in them."""
    folders = tuple(f"{path}/" for path in paths)
    return [
        problem
        for problem in problems
        if any(
            span.path in paths or span.path.startswith(folders)
            for span in (problem.span, *problem.related)
        )
    ]


__all__ = ["RULES", "Rule", "RuleViolation", "check", "diagnostics_in"]
