"""The reasons for and against a statement, as lists and trees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kg.corpus.reasons_for_and_against import reasons_by_side, undercuts_of
from kg.corpus.same_and_superseded import group_of_same
from kg.model import Bearing, CampPlacement, Edge, Relation
from kg.model.relation import WEIGHTLESS
from kg.publish.components.statement_lists import describe_shared_origin, page_of_same
from kg.publish.components.strength_bar import draw_bar, study_in_short
from kg.publish.context.standings import direction_key
from kg.publish.markup.html import EMPTY, Child, Html, collapsible, element, escape, join
from kg.publish.markup.phrases import (
    BACKWARD,
    FORWARD,
    HEARD,
    adds_in_words,
    capitalize_first,
    count_of,
)
from kg.publish.page_builder import PageBuilder, first_items

LEAST_NATS_SHOWN = 1e-6  # nats; less is rounding
LEAST_PART_SHOWN = 0.01  # of a link's weight; less counts as nothing
MIDDLE_STRENGTH = 0.5  # the neutral strength
UNFOLDED, WITH_WORDS = 3, 12  # reasons shown, then folded, then links only


def relation_label(relation: Relation, words: str = "") -> Html:
    """`+ supports`: a relation in words, or in these `words`, with its sign and colour."""
    return element("span", words or FORWARD[relation], class_=f"kg-rel kg-rel-{relation}")


def _start_of_row(relation: Relation, words: str) -> Html:
    return Html(f'<div class="kg-arg">{relation_label(relation, words)!s} ')


_STARTS = {
    relation: tuple(_start_of_row(relation, words[relation]) for words in (BACKWARD, FORWARD))
    for relation in Relation
}
_STARTS_OF_REASONS = {
    relation: _start_of_row(relation, f"{words} it" if relation.entry.side else words)
    for relation, words in FORWARD.items()
}
"""Of the reasons of the statement that a page is about, which is “it”."""


def sort_by_weight(builder: PageBuilder, reasons: Sequence[Bearing]) -> list[Bearing]:
    """The reasons, the heaviest first."""
    return sorted(
        reasons,
        key=lambda reason: (-round(abs(nats_of(builder, reason)), 6), reason.edge.span),
    )


def nats_of(builder: PageBuilder, reason: Bearing) -> float:
    """The nats that a reason adds to its target."""
    return builder.context.strengths.share(direction_key(reason))


def reason_tree(builder: PageBuilder, reasons: Sequence[Bearing], subject_id: str) -> Html | None:
    """The reasons of `subject_id` as a list, each with a link to the replies to it.

    The heaviest come first, lighter ones are folded, and the lightest are only links. Reasons that
    add nothing have their own fold below the others, and an objection to several steps gives
    its reason only once.
    """
    if not reasons:
        return None
    objectors_explained: set[str] = set()
    idle_reasons = [each for each in reasons if abs(nats_of(builder, each)) < HEARD]
    if 1 < len(idle_reasons) < len(reasons) <= WITH_WORDS:
        heard_reasons = [each for each in reasons if each not in idle_reasons]
        items = [_branch(builder, each, subject_id, objectors_explained) for each in heard_reasons]
        idle_list = _tree_list(
            _branch(builder, each, subject_id, objectors_explained) for each in idle_reasons
        )
        idle_fold = collapsible(
            f"{len(idle_reasons)} that add nothing", idle_list, class_="kg-on-paper"
        )
        return Html(_fold_items(items, len(heard_reasons)) + idle_fold)
    items = [
        _branch(builder, reason, subject_id, objectors_explained) for reason in reasons[:WITH_WORDS]
    ]
    keeper = page_of_same(builder, subject_id)
    shown_reasons = first_items(reasons, keeper == subject_id)
    items += [
        Html("<li>" + builder.statement(reason.source) + "</li>")
        for reason in shown_reasons[WITH_WORDS:]
    ]
    more = builder.more_of(reasons, keeper, keeper == subject_id)
    return _fold_items(items, len(reasons), more)


def _fold_items(items: Sequence[Html], total: int, more: Html = EMPTY) -> Html:
    """The first items, with the rest in a fold if there is more than one left."""
    if len(items) <= UNFOLDED + 1:
        return _tree_list(items)
    rest = Html(_tree_list(items[UNFOLDED:]) + more)
    folded_rest = collapsible(f"{total - UNFOLDED} lighter ones", rest, class_="kg-on-paper")
    return Html(_tree_list(items[:UNFOLDED]) + folded_rest)


def _tree_list(items: Iterable[Html]) -> Html:
    return Html('<ul class="kg-tree">' + "".join(items) + "</ul>")


def _idle_row(builder: PageBuilder, step: Bearing) -> Html:
    why = _why_step_is_idle(builder, step, "it")
    return element("p", f"{adds_in_words(0.0)}, as ", *why, class_="kg-small")


def _branch(
    builder: PageBuilder, reason: Bearing, subject_id: str, objectors_explained: set[str]
) -> Html:
    """A reason with the replies to it; the reasons of `objectors_explained` are given above."""
    share = nats_of(builder, reason)
    undercuts = _describe_undercuts(builder, reason, objectors_explained)
    idle_row = _idle_row(builder, reason) if not undercuts and adds_in_words(share) else EMPTY
    content_below = idle_row + undercuts + _link_to_replies(builder, reason.source, subject_id)
    recorded_at = "" if reason.target == subject_id else reason.target
    nats = None if idle_row else share
    row = reason_row(
        builder, reason.edge, reason.source, recorded_at=recorded_at, share=nats, of_subject=True
    )
    return _item_of_row(reason.edge, row + content_below)


def _item_of_row(edge: Edge, row: str) -> Html:
    return Html(f'<li class="kg-{edge.relation.side}">' + row + "</li>")


def reason_row(
    builder: PageBuilder,
    edge: Edge,
    id: str,
    *,
    forward: bool = True,
    premise: str = "",
    recorded_at: str = "",
    share: float | None = None,
    of_subject: bool = False,
) -> Html:
    """One edge in words: relation, statement, other premises, reason, strength.

    `of_subject` says that the edge is a reason of the statement that the page is about;
    `premise` is the one that the page is about, if it is not the edge's own statement;
    `recorded_at` is a statement that says the same as the page's and that the edge was written
    for; `share` is what the edge adds, in nats.
    """
    start = _STARTS_OF_REASONS[edge.relation] if of_subject else _STARTS[edge.relation][forward]
    row = start + builder.statement(id) + " "
    standing = builder.context.strengths.of(id)
    row += draw_bar(standing)
    if share is not None and (effect := adds_in_words(share)):
        link = f", by a {edge.strength} link" if edge.strength else ""
        row += f'<span class="kg-note" title="{abs(share):.2f}{link}">{effect}</span>'
    if edge.together:
        row += _other_premises(builder, edge, premise)
    if edge.scope:
        row += f'<span class="kg-note">within: {escape(edge.scope)}</span>'
    if recorded_at:
        row += '<span class="kg-note">recorded at ' + builder.statement(recorded_at) + "</span>"
    row += reason_of(builder, edge)
    if standing.quality is not None:
        study = study_in_short(builder, builder.context.corpus.statements[id])
        row += element("span", *study, class_="kg-study")
    return Html(row + "</div>")


def _other_premises(builder: PageBuilder, edge: Edge, premise: str) -> Html:
    """The other premises of an edge, which counts only if they all hold."""
    others = edge.others(premise or edge.source)
    names = builder.names_of(others, edge.source, premise == edge.source, ", ")
    return Html('<span class="kg-note kg-together">together with ' + names + "</span>")


def reason_of(builder: PageBuilder, link: Edge | CampPlacement, *, in_full: bool = False) -> Html:
    """The reason that a note gives for an edge or a placement, if any; with `in_full`, as a
    complete sentence.
    """
    reason = link.reason
    if not reason:
        return EMPTY
    if in_full:
        reason = capitalize_first(reason) + ("" if reason.endswith((".", "?", "!")) else ".")
    words = builder.inline_html(reason, link.span.path)
    return Html('<span class="kg-reason">' + words + "</span>")


def _describe_undercuts(
    builder: PageBuilder,
    step: Bearing,
    objectors_explained: set[str],
    already_named: set[str] | None = None,
) -> Html:
    """The objections to a step: who makes them, how much they take from it, and why, unless they
    are among `objectors_explained`; who is among `already_named` is not named again.
    """
    undercuts = undercuts_of(builder.context.corpus, step.edge)
    if not undercuts:
        return EMPTY
    sources = dict.fromkeys(each.source for each in undercuts)
    verb = "doubts" if len(sources) == 1 else "doubt"
    introduction: list[Child] = [
        join("; ", [builder.statement(each) for each in sources]),
        f" {verb} how far this tells: ",
    ]
    if already_named is not None and sources.keys() <= already_named:
        introduction = ["The same doubt of how far this tells: "]
    if already_named is not None:
        already_named.update(sources)
    words = [*introduction, *undercut_loss(builder, step), "."]
    unexplained = [each for each in undercuts if each.source not in objectors_explained]
    objectors_explained.update(each.source for each in undercuts)
    why = [reason for each in unexplained if (reason := reason_of(builder, each))]
    return element("div", element("p", *words, *why, class_="kg-disputed"), class_="kg-undercuts")


def undercut_loss(builder: PageBuilder, step: Bearing) -> list[Child]:
    """`so it counts 56% less`: how much objections weaken a step; if they do not, why."""
    strengths = builder.context.strengths
    undercuts = undercuts_of(builder.context.corpus, step.edge)
    objectors = dict.fromkeys(each.source for each in undercuts)
    full_share, nats = strengths.share_if_heard(direction_key(step)), abs(nats_of(builder, step))
    them = "it" if len(objectors) == 1 else "them"
    if full_share is None:
        return [f"with {them} it adds {nats:.2f}"]
    full_nats, loss = abs(full_share), abs(full_share) - nats
    if full_nats < HEARD:
        return [
            "it does not count here in any case, as ",
            *_why_step_is_idle(builder, step, builder.statement(step.source)),
        ]
    if nats < HEARD and (heavier_id := same_source(builder, step)):
        # a little less is enough for another finding of its source to say more
        return [
            "it does not count here, as ",
            *_pointer_to_heavier_reason(builder, step, heavier_id),
        ]
    if nats < HEARD:
        return ["so it counts nothing"]
    if loss >= LEAST_NATS_SHOWN:
        share = loss / full_nats
        part = f"{share:.0%}" if share >= LEAST_PART_SHOWN else "hardly"
        numbers = f"{loss:.2f} of {full_nats:.2f}"
        return [element("span", f"so it counts {part} less", title=numbers)]
    backing = [strengths.of(each).strength for each in objectors]
    if all(strength is not None and strength <= MIDDLE_STRENGTH for strength in backing):
        subject = (
            "the objection itself is" if len(objectors) == 1 else "the objections themselves are"
        )
        return [f"yet it counts no less, as {subject} not backed"]
    return ["yet it counts no less"]


def _why_step_is_idle(builder: PageBuilder, step: Bearing, name: Child) -> list[Child]:
    """Why a step adds nothing, objections or not; its source is called `name`."""
    standing = builder.context.strengths.of(step.source)
    if standing.strength is None:
        return [name, " has no stable strength itself"]
    if standing.quality is None and standing.strength <= MIDDLE_STRENGTH:
        return [name, " is not backed itself"]
    if standing.strength < HEARD:
        return ["nothing is left of its quality"]
    heavier_id = same_source(builder, step)
    if heavier_id:
        return _pointer_to_heavier_reason(builder, step, heavier_id)
    return ["what stands behind it counts by another way already"]


def _pointer_to_heavier_reason(builder: PageBuilder, step: Bearing, heavier_id: str) -> list[Child]:
    origin = describe_shared_origin(builder.context.corpus, step.source, heavier_id)
    return [builder.statement(heavier_id), f", {origin}, counts instead"]


def same_source(builder: PageBuilder, step: Bearing) -> str | None:
    """The statement whose step to the same target, on the same side, counts for their source."""
    corpus, source_groups = builder.context.corpus, builder.context.source_groups
    if step.target not in corpus.statements:
        return None
    rival_reasons = [
        reason
        for reason in reasons_by_side(corpus, step.target).both
        if reason.source != step.source and reason.side == step.side
        if abs(nats_of(builder, reason)) >= HEARD
    ]
    heaviest = (reason.source for reason in sort_by_weight(builder, rival_reasons))
    own_groups = set(source_groups.get(step.source, ()))
    return next(
        (id for id in heaviest if not own_groups.isdisjoint(source_groups.get(id, ()))), None
    )


def _link_to_replies(builder: PageBuilder, id: str, subject_id: str) -> Html:
    """How many reasons a reason has for and against it, as its own page counts them, if the
    statement around it is not the only one: a link, which scripts in the browser unfold in place.
    """
    corpus = builder.context.corpus
    reasons, same_ids = reasons_by_side(corpus, id).both, group_of_same(corpus, subject_id)
    if all(reason.source in same_ids for reason in reasons):
        return EMPTY
    pro = sum(reason.side > 0 for reason in reasons)
    href = escape(builder.root + builder.context.addresses.of(id))
    limits = sum(reason.edge.relation is Relation.QUALIFIES for reason in reasons)
    words = f"Replies to this: {count_sides(pro, len(reasons) - pro - limits, limits)}"
    return Html(f'<a class="kg-replies" href="{href}#for-and-against">{words}</a>')


def count_sides(pro: int, con: int, limits: int = 0) -> str:
    """`2 for, 1 against, 1 limiting`."""
    counts = ((pro, "for"), (con, "against"), (limits, "limiting"))
    return ", ".join(f"{count} {word}" for count, word in counts if count)


def effects_on_others(builder: PageBuilder, id: str) -> Html | None:
    """What a statement does to others, each with its reason, but for what bears no weight."""
    corpus = builder.context.corpus
    joint = (Bearing(edge, edge.source, edge.target) for edge in corpus.edges_with.get(id, ()))
    steps = [s for s in (*corpus.bearings_from(id), *joint) if s.edge.relation not in WEIGHTLESS]
    already_named: set[str] = set()
    rows = [row for step in steps if (row := _effect(builder, step, id, already_named))]
    return _tree_list(rows) if rows else None


def weightless_links(builder: PageBuilder, id: str) -> Html | None:
    """A fold of the links that bear no weight, from a statement and to it."""
    corpus = builder.context.corpus
    own_edges = [e for e in corpus.edges_from.get(id, ()) if e.relation in WEIGHTLESS]
    rows = [
        _item_of_row(edge, reason_row(builder, edge, edge.target))
        for edge in own_edges
        if edge.target in corpus.statements
    ]
    rows += [
        element("li", reason_row(builder, edge, edge.source, forward=False))
        for edge in corpus.edges_to.get(id, ())
        if edge.relation in WEIGHTLESS and edge.source in corpus.statements
    ]
    if not rows:
        return None
    label = f"{count_of(len(rows), 'link')} without weight"
    return collapsible(label, _tree_list(rows), class_="kg-on-paper")


def _effect(builder: PageBuilder, step: Bearing, id: str, already_named: set[str]) -> Html | None:
    corpus, edge, end = builder.context.corpus, step.edge, step.target
    if end in corpus.statements:
        undercuts = _describe_undercuts(builder, step, set(), already_named)
        return _item_of_row(edge, reason_row(builder, edge, end, premise=id) + undercuts)
    if end in corpus.edges_by_id:
        row = undercut_row(builder, edge, corpus.edges_by_id[end])
        return element("li", row, class_="kg-against")
    if corpus.find_id(end) is not None:
        return element("li", FORWARD[edge.relation], " ", builder.link_of(end))
    return None


def undercut_row(builder: PageBuilder, edge: Edge, step: Edge) -> Html:
    """`undercuts the link from … to …`, and why."""
    corpus = builder.context.corpus
    end = builder.statement(step.target) if step.target in corpus.statements else "another link"
    return element(
        "div",
        relation_label(Relation.UNDERCUTS),
        " the link from ",
        builder.statement(step.source),
        f" that {FORWARD[step.relation]} ",
        end,
        reason_of(builder, edge),
        class_="kg-arg",
    )


def other_edges(builder: PageBuilder, id: str) -> Iterable[Html]:
    """Incoming edges that take no side and yet bear: what depends on it, what replaces it."""
    for edge in builder.context.corpus.edges_to.get(id, ()):
        is_listed_elsewhere = edge.relation.entry.side or edge.relation in WEIGHTLESS
        if not is_listed_elsewhere and edge.source in builder.context.corpus.statements:
            yield element("li", reason_row(builder, edge, edge.source, forward=False))
