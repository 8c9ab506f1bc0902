"""Rules about the argument: claims have support, opposition is represented, no circles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from kg.checks.note_places import place_of_link, place_of_relation
from kg.checks.rule import RuleViolation, is_exempt, notes_with_diagnostics, rule
from kg.checks.suggestions import find_near_placements
from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import is_supported
from kg.model import CampPlacement, Edge, Kind, Relation, Severity, Span, StatementId
from kg.model.ids import is_part
from kg.notes.parsed_note import PROPOSITION
from kg.reachability import Reachability
from kg.text.plurals import join_first
from kg.text.questions import is_question

_NOT_BOTH = {Relation.SUPPORTS: "supports", Relation.SAME_AS: "is the same as"}

# What an edge must not say if another denies it: the relation, the premises, the target.
_Claim = tuple[Relation, tuple[str, ...], str]

MAX_NOTES_OF_CIRCLE_NAMED = 12  # listed in a message
_ADD_ANSWERS = 'add `answers: {holds: "Yes: …", fails: "No: …"}`, in the question\'s words'


@rule(Severity.ERROR, of_one_note=True)
def self_edge(corpus: Corpus) -> Iterator[RuleViolation]:
    """A statement that bears on itself, or a line whose next step is itself."""
    for edge in corpus.edges:
        if edge.origin == edge.target:
            span = place_of_link(corpus, edge.span, edge.target)
            message = f"this statement {edge.relation} itself"
            yield RuleViolation(span, message, "link to the other statement")
    for line in corpus.lines.values():
        for step in line.next:
            if step.target == line.id:
                yield RuleViolation(
                    step.span, "this line's next step is itself", "link to another line"
                )


@rule(Severity.ERROR)
def supports_and_contradicts(corpus: Corpus) -> Iterator[RuleViolation]:
    """A statement that both supports another one, or is the same, and contradicts it.

    Split it, or use `qualifies` to say within which limits it holds. A mutual contradiction counts
    in both directions; together with other premises, a statement may well do the opposite.
    """
    edges_by_claim: defaultdict[_Claim, dict[str, Edge]] = defaultdict(dict)
    for edge in corpus.edges_by_relation.get(Relation.CONTRADICTS, ()):
        for premises, target in _premises_and_targets(edge):
            for relation in _NOT_BOTH:
                edges_by_claim[relation, premises, target][edge.id] = edge
    contradicted_ids = {target for _, _, target in edges_by_claim}
    for edge in corpus.edges:
        if edge.relation not in _NOT_BOTH or contradicted_ids.isdisjoint(
            (edge.origin, edge.target)
        ):
            continue
        for premises, target in _premises_and_targets(edge):
            if (edge.relation, premises, target) in edges_by_claim:
                edges_by_claim[edge.relation, premises, target][edge.id] = edge
    reported_pairs = set()
    for (relation, premises, target), edges in edges_by_claim.items():
        last_edge = max(edges.values(), key=lambda edge: (edge.span, edge.id))
        denies = last_edge.relation is Relation.CONTRADICTS
        opposite_edges = [
            e for e in edges.values() if (e.relation is Relation.CONTRADICTS) is not denies
        ]
        if opposite_edges and (last_edge.id, opposite_edges[0].id) not in reported_pairs:
            reported_pairs.add((last_edge.id, opposite_edges[0].id))
            yield RuleViolation(
                place_of_relation(corpus, last_edge.span),
                f"`{'` with `'.join(premises)}` both {_NOT_BOTH[relation]} and contradicts "
                f"`{target}`",
                "split the statement, or use `qualifies`",
                (place_of_relation(corpus, opposite_edges[0].span),),
            )


def _premises_and_targets(edge: Edge) -> list[tuple[tuple[str, ...], str]]:
    """Premises and target of an edge, in both directions if it goes both ways."""
    is_symmetric = edge.relation is Relation.SAME_AS
    ends = (*edge.directions, *(((edge.target, edge.origin),) if is_symmetric else ()))
    return [(tuple(sorted((premise, *edge.together))), target) for premise, target in ends]


@rule(Severity.WARNING)
def written_twice(corpus: Corpus) -> Iterator[RuleViolation]:
    """The same relation between the same two statements twice, or a statement twice in one camp.

    One of the two was most likely meant to be something else.
    """
    first_edges: dict[tuple[object, ...], Edge] = {}
    for edge in corpus.edges:
        premises = frozenset(edge.premises)
        first_edge = first_edges.setdefault(
            (edge.relation, premises, edge.target, edge.scope), edge
        )
        if first_edge is not edge:
            message = f"`{edge.relation}::` leads from here to `{edge.target}` twice"
            yield RuleViolation(
                edge.span, message, "keep one, with both reasons", (first_edge.span,)
            )
    for line in corpus.lines.values():
        first_placements: dict[tuple[str, str], CampPlacement] = {}
        for placement in line.placements:
            first_placement = first_placements.setdefault(
                (placement.statement, placement.camp), placement
            )
            if first_placement is not placement:
                message = f"this line places `{placement.statement}` in one camp twice"
                yield RuleViolation(placement.span, message, "keep one", (first_placement.span,))


@rule(Severity.ERROR)
def counter_claim_without_target(corpus: Corpus) -> Iterator[RuleViolation]:
    """A counter-claim that counters nothing.

    It is a reply: it must contradict, qualify or undercut something. Otherwise it is a claim.
    """
    unresolved_ids = _ids_with_unresolved_edges(corpus)
    for statement in corpus.claims:
        if statement.kind is not Kind.COUNTER_CLAIM or is_exempt(corpus, statement):
            continue
        if statement.id in unresolved_ids:
            continue
        if not any(bearing.side < 0 for bearing in corpus.bearings_from(statement.id)):
            yield RuleViolation(
                statement.span,
                "this counter-claim counters nothing",
                "add `- contradicts:: [[claim]] — why`, or make it a claim",
            )


@rule(Severity.WARNING)
def unsupported_claim(corpus: Corpus) -> Iterator[RuleViolation]:
    """A claim without support, of its own or through `same-as`.

    Readers cannot tell such a claim from a guess. Link evidence to it, or say with `open:`
    why it has none. A claim that its note only reports (`reported: true`) needs none.

    Any support that is written counts here. `kg gaps` and `kg review` ask for more: a chain of
    support down to evidence.
    """
    misread_ids = _statements_with_misread_evidence(corpus)
    for claim in corpus.claims:
        if not claim.owes_support or is_exempt(corpus, claim):
            continue
        if claim.id not in misread_ids and not is_supported(corpus, claim.id):
            yield RuleViolation(
                claim.span,
                f"nothing supports this {claim.kind.value}",
                "add `> [!evidence] …` to its note, or `open: why it has no support`",
            )


def _statements_with_misread_evidence(corpus: Corpus) -> set[StatementId]:
    """Statements around a misspelt callout that was most likely meant as their evidence."""
    callouts_by_path: defaultdict[str, list[Span]] = defaultdict(list)
    for each in corpus.diagnostics:
        if each.rule == "unknown-callout" and each.about == Kind.EVIDENCE.value:
            callouts_by_path[each.span.path].append(each.span)
    statement_around: dict[Span, tuple[Span, StatementId]] = {}
    for statement in corpus.statements.values() if callouts_by_path else ():
        start = statement.span if is_part(statement.id) else Span(statement.span.path, 0, 0)
        for span in callouts_by_path.get(start.path, ()):
            if start.line < span.line and start.column < span.column:
                candidate = start, statement.id
                statement_around[span] = max(statement_around.get(span, candidate), candidate)
    return {id for _, id in statement_around.values()}


@rule(Severity.WARNING)
def evidence_for_nothing(corpus: Corpus) -> Iterator[RuleViolation]:
    """Evidence that bears on nothing: it has no edge, and no line places it.

    It affects no verdict. A callout in a line or a source note has no edge by itself.
    """
    unresolved_ids = _ids_with_unresolved_edges(corpus)
    paths_with_lost_edges = notes_with_diagnostics(
        corpus, "almost-a-relation", "missing-target", "unread-words"
    )
    for item in corpus.evidence:
        tables = (corpus.edges_from, corpus.edges_to, corpus.edges_with, corpus.placements_of)
        if any(item.id in table for table in tables) or is_exempt(corpus, item):
            continue
        if item.id not in unresolved_ids and item.span.path not in paths_with_lost_edges:
            message = "this evidence bears on nothing"
            yield RuleViolation(item.span, message, "add `- supports:: [[claim]] — why` to it")


@rule(Severity.WARNING, of_one_note=True)
def question_as_title(corpus: Corpus) -> Iterator[RuleViolation]:
    """A claim or evidence whose title is a question: nobody can support or contradict one."""
    for statement in corpus.statements.values():
        if is_question(statement.title) and not is_exempt(corpus, statement):
            kind = "evidence" if statement.kind is Kind.EVIDENCE else f"a {statement.kind.value}"
            help = "state a claim; questions go into notes of `type: line`"
            yield RuleViolation(statement.span, f"a question cannot be {kind}", help)


@rule(Severity.WARNING)
def line_without_both_camps(corpus: Corpus) -> Iterator[RuleViolation]:
    """An inquiry line in which a declared camp has no statement."""
    unresolved_ids = _ids_with_unresolved_edges(corpus)
    for line in corpus.lines.values():
        present_camps = {placement.camp for placement in line.placements}
        present_camps |= {camp for camp, _ in find_near_placements(corpus, line)}
        missing_camps = [camp for camp in corpus.config.camp_ids if camp not in present_camps]
        if missing_camps and not is_exempt(corpus, line) and line.id not in unresolved_ids:
            names = " and ".join(f"`{name}`" for name in missing_camps)
            yield RuleViolation(
                line.span,
                f"this line has no statement for {names}",
                f"add `- {missing_camps[0]}:: [[statement]] — why` under a heading `## Camps`",
            )


def _ids_with_unresolved_edges(corpus: Corpus) -> set[str]:
    """Sources of unresolved edges, which are already reported and may explain other violations."""
    return {
        item.edge.origin for item in corpus.unresolved_edges if item.edge.relation != PROPOSITION
    }


@rule(Severity.WARNING)
def circular_support(corpus: Corpus) -> Iterator[RuleViolation]:
    """Statements that support each other in a circle: together they rest on nothing."""
    yield from _circle_violations(
        corpus, Relation.SUPPORTS, "support", "drop the edge that adds no reason"
    )


@rule(Severity.WARNING)
def dependence_in_a_circle(corpus: Corpus) -> Iterator[RuleViolation]:
    """Statements that depend on each other in a circle: none of them comes first."""
    help = "drop the edge from the premise"
    yield from _circle_violations(corpus, Relation.DEPENDS_ON, "depend on", help)


@rule(Severity.WARNING)
def superseded_in_a_circle(corpus: Corpus) -> Iterator[RuleViolation]:
    """Statements that supersede each other in a circle: none of them is replaced."""
    help = "keep the edges that start from the newest"
    yield from _circle_violations(corpus, Relation.SUPERSEDES, "supersede", help)


def _circle_violations(
    corpus: Corpus, relation: Relation, verb: str, help: str
) -> Iterator[RuleViolation]:
    for circle in _circles_of_relation(corpus, relation):
        members = sorted(circle)
        chain = [_edge_within(corpus, member, circle, relation) for member in members]
        names = join_first([f"`{name}`" for name in members], MAX_NOTES_OF_CIRCLE_NAMED)
        message = f"these {verb} each other in a circle: {names}"
        first, *others = (place_of_relation(corpus, edge.span) for edge in chain)
        yield RuleViolation(first, message, help, tuple(others))


def _edge_within(
    corpus: Corpus, id: StatementId, circle: frozenset[StatementId], relation: Relation
) -> Edge:
    return next(
        edge
        for edge in corpus.edges_from[id]
        if edge.relation is relation and edge.target in circle and edge.target != id
    )


def _circles_of_relation(corpus: Corpus, relation: Relation) -> list[frozenset[StatementId]]:
    """Strongly connected components of a relation with two or more members."""
    targets_of: defaultdict[str, list[str]] = defaultdict(list)
    for edge in corpus.edges_by_relation.get(relation, ()):
        if edge.origin != edge.target:
            targets_of[edge.origin].append(edge.target)
    return Reachability([*targets_of], lambda id: targets_of.get(id, ())).circles()


@rule(Severity.INFO, of_one_note=True)
def line_without_proposition(corpus: Corpus) -> Iterator[RuleViolation]:
    """An inquiry line that weighs no proposition, so that its question gets no answer.

    If no true-or-false claim can answer the question, say so with `open:`.
    """
    unresolved_lines = {
        item.edge.origin for item in corpus.unresolved_edges if item.edge.relation == PROPOSITION
    }
    broken_paths = notes_with_diagnostics(corpus, "broken-front-matter", "unknown-key", "bad-value")
    for line in corpus.lines.values():
        if line.proposition or line.open or line.answers.has_any or line.id in unresolved_lines:
            continue
        if not is_exempt(corpus, line) and line.span.path not in broken_paths:
            help = "add `proposition:` and the id of a yes/no claim, or `open: why there is none`"
            yield RuleViolation(line.span, "this line weighs no proposition", help)


@rule(Severity.WARNING)
def line_without_answers(corpus: Corpus) -> Iterator[RuleViolation]:
    """An inquiry line that weighs a proposition, but does not say what it means for its question.

    A question may be the opposite of its proposition, or no yes/no question at all. Then
    "supported" answers nothing.
    """
    reported_paths = {each.span.path for each in corpus.diagnostics if each.about == "answers"}
    reported_paths |= notes_with_diagnostics(corpus, "broken-front-matter")
    for line in corpus.lines.values():
        if not line.proposition or line.answers.has_any or is_exempt(corpus, line):
            continue
        if line.span.path not in reported_paths:
            message = f"if `{line.proposition}` holds, what is the answer to this question?"
            yield RuleViolation(line.span, message, _ADD_ANSWERS)


@rule(Severity.ERROR, of_one_note=True)
def answers_without_proposition(corpus: Corpus) -> Iterator[RuleViolation]:
    """Answers in a line that weighs no proposition, so that none of them can be chosen."""
    unresolved_lines = {
        item.edge.origin for item in corpus.unresolved_edges if item.edge.relation == PROPOSITION
    }
    for line in corpus.lines.values():
        if line.answers.has_any and line.proposition is None and line.id not in unresolved_lines:
            yield RuleViolation(
                line.span,
                "`answers` need a proposition, but this line weighs none",
                "add `proposition:` and the id of a yes/no claim",
            )
