"""The reasons for and against a statement, as lists and trees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from kg.corpus.reasons_for_and_against import reasons_by_side, undercuts_of
from kg.corpus.same_and_superseded import same_statements
from kg.model import Bearing, CampPlacement, Edge, Relation
from kg.model.relation import WEIGHTLESS
from kg.publish.components.statement_lists import describe_shared_origin, main_page_of_same
from kg.publish.components.strength_bar import describe_quality_and_works, draw_bar
from kg.publish.context.standings import direction_key
from kg.publish.markup.html import (
    EMPTY,
    Child,
    Html,
    collapse_after,
    collapsible_on_screen,
    element,
    escape,
    join,
)
from kg.publish.markup.phrases import (
    BACKWARD,
    FORWARD,
    LEAST_NATS_COUNTED,
    CountOfReasons,
    as_sentence,
    describe_if_adds_nothing,
)
from kg.publish.page_builder import PageBuilder, first_items
from kg.text.plurals import count_of

LEAST_NATS_SHOWN = 1e-6  # nats; less is rounding
LEAST_PART_SHOWN = 0.01  # of a link's weight; less counts as nothing
MIDDLE_STRENGTH = 0.5  # the neutral strength
SHOWN_AT_FIRST, WITH_WORDS = 3, 12  # reasons shown, then collapsed, then links only


def relation_label(relation: Relation, words: str = "") -> Html:
    """`+ supports`: a relation in words, or in these `words`, with its sign and colour."""
    return element("span", words or FORWARD[relation], class_=f"kg-rel kg-rel-{relation}")


def _starts_of_rows(words: Mapping[Relation, str]) -> dict[Relation, Html]:
    """Render the beginning of an edge's row, by its relation."""
    return {
        relation: Html(f'<div class="kg-arg">{relation_label(relation, label)!s} ')
        for relation, label in words.items()
    }


_OUTGOING, _INCOMING = _starts_of_rows(FORWARD), _starts_of_rows(BACKWARD)
# of the reasons of the statement that a page is about, which is “it”
_OF_SUBJECT = _starts_of_rows(
    {each: f"{words} it" if each.entry.side else words for each, words in FORWARD.items()}
)


def sort_by_weight(builder: PageBuilder, reasons: Sequence[Bearing]) -> list[Bearing]:
    """The reasons, the heaviest first."""
    return sorted(
        reasons,
        key=lambda reason: (-round(abs(nats_of(builder, reason)), 6), reason.edge.span),
    )


def nats_of(builder: PageBuilder, reason: Bearing) -> float:
    """The nats that a reason adds to its target."""
    return builder.context.standings.share(direction_key(reason))


def count_reasons(builder: PageBuilder, reasons: Iterable[Bearing]) -> CountOfReasons:
    """Count the reasons on each side, and those that have no effect."""
    return CountOfReasons.from_reasons(
        (each.edge.relation, nats_of(builder, each)) for each in reasons
    )


def reason_tree(builder: PageBuilder, reasons: Sequence[Bearing], subject_id: str) -> Html | None:
    """The reasons of `subject_id` as a list, each with a link to the replies to it.

    The heaviest come first, lighter ones are collapsed, and the lightest are only links. Reasons
    that add nothing have their own collapsible below the others, and an objection to several
    of them says why only once.
    """
    if not reasons:
        return None
    reasons_that_count = [
        each for each in reasons if abs(nats_of(builder, each)) >= LEAST_NATS_COUNTED
    ]
    main_reasons = reasons_that_count or reasons
    # of reasons that all add nothing, none is set apart
    idle_reasons = [
        each
        for each in reasons
        if reasons_that_count and abs(nats_of(builder, each)) < LEAST_NATS_COUNTED
    ]
    in_words = main_reasons[:WITH_WORDS]
    branches = _branches(builder, [*in_words, *idle_reasons[:WITH_WORDS]], subject_id)
    keeper = main_page_of_same(builder, subject_id)
    in_full = keeper == subject_id

    def links_to_lighter(reasons: Sequence[Bearing]) -> list[Html]:
        light_reasons = first_items(reasons, in_full)[WITH_WORDS:]
        return [Html("<li>" + builder.statement(each.origin) + "</li>") for each in light_reasons]

    rows = branches[: len(in_words)] + links_to_lighter(main_reasons)
    label = f"{len(main_reasons) - SHOWN_AT_FIRST} lighter ones"
    more = builder.more_of(main_reasons, keeper, in_full)
    tree = collapse_after(rows, SHOWN_AT_FIRST, label, _tree_list, more=more)
    if not idle_reasons:
        return tree
    idle_rows = branches[len(in_words) :] + links_to_lighter(idle_reasons)
    more = builder.more_of(idle_reasons, keeper, in_full)
    label = count_reasons(builder, idle_reasons).idle_words
    return Html(tree + collapsible_on_screen(label, _tree_list(idle_rows), more))


def _tree_list(items: Iterable[Html]) -> Html:
    return Html('<ul class="kg-tree">' + "".join(items) + "</ul>")


def _branches(builder: PageBuilder, reasons: Sequence[Bearing], subject_id: str) -> list[Html]:
    """Render each reason with the replies to it."""
    branches = []
    explained_ids: set[str] = set()
    for reason in reasons:
        branches.append(_branch(builder, reason, subject_id, explained_ids))
        undercuts = undercuts_of(builder.context.corpus, reason.edge.id)
        explained_ids.update(each.origin for each in undercuts)
    return branches


def _branch(
    builder: PageBuilder, reason: Bearing, subject_id: str, explained_ids: Set[str]
) -> Html:
    """A reason with the replies to it; what `explained_ids` object is explained above it."""
    edge, share = reason.edge, nats_of(builder, reason)
    undercut_note = _undercut_note(builder, reason, explained_ids=explained_ids)
    notes = _conditions_of_edge(builder, edge)
    below = undercut_note + _link_to_replies(builder, reason.origin, subject_id)
    if (adds_nothing := describe_if_adds_nothing(share)) and undercut_note:
        link = f", by a {edge.strength} link" if edge.strength else ""
        title = f"{abs(share):.2f}{link}"
        notes = f'<span class="kg-note" title="{title}">{adds_nothing}</span>' + notes
    elif adds_nothing:
        why = _why_reason_is_idle(builder, reason, "it")
        below = element("p", f"It {adds_nothing}, as ", *why, ".", class_="kg-small") + below
    if reason.target != subject_id:
        # the edge was written for another statement that says the same
        notes += '<span class="kg-note">recorded at ' + builder.statement(reason.target) + "</span>"
    row = _row_of_edge(builder, edge, reason.origin, _OF_SUBJECT, notes)
    return _item_of_row(edge, row + below)


def _item_of_row(edge: Edge, row: str) -> Html:
    return Html(f'<li class="kg-{edge.relation.side}">' + row + "</li>")


def _row_of_edge(
    builder: PageBuilder, edge: Edge, id: str, starts: Mapping[Relation, Html], notes: str
) -> Html:
    """An edge in words: its relation, the statement `id` at one end, notes, and its reason."""
    standing = builder.standing(id)
    row = (
        starts[edge.relation]
        + builder.statement(id)
        + " "
        + draw_bar(standing, builder.settings)
        + notes
    )
    row += reason_of(builder, edge)
    if standing.quality is not None:
        study = describe_quality_and_works(builder, builder.context.corpus.statements[id])
        row += element("span", *study, class_="kg-study")
    return Html(row + "</div>")


def _conditions_of_edge(builder: PageBuilder, edge: Edge, premise: str = "") -> str:
    """The premises that must hold as well, other than `premise` or that of the edge's own note, and
    the scope.
    """
    notes = ""
    if edge.together:
        partners = edge.together_with(premise or edge.origin)
        names = builder.names_of(partners, edge.origin, premise == edge.origin, ", ")
        notes += '<span class="kg-note kg-together">together with ' + names + "</span>"
    if edge.scope:
        notes += f'<span class="kg-note">within: {escape(edge.scope)}</span>'
    return notes


def _incoming_row(builder: PageBuilder, edge: Edge) -> Html:
    """An edge on the page of its target."""
    conditions = _conditions_of_edge(builder, edge)
    return _row_of_edge(builder, edge, edge.origin, _INCOMING, conditions)


def _outgoing_row(builder: PageBuilder, edge: Edge, end: str, premise: str = "") -> Html:
    """An edge on the page of its first premise, or of another `premise`."""
    conditions = _conditions_of_edge(builder, edge, premise)
    return _row_of_edge(builder, edge, end, _OUTGOING, conditions)


def reason_of(builder: PageBuilder, link: Edge | CampPlacement) -> Html:
    """The reason that a note gives for an edge or a placement, if any, as a sentence."""
    if not link.reason:
        return EMPTY
    words = builder.inline_html(as_sentence(link.reason), link.span.path)
    return Html('<span class="kg-reason">' + words + "</span>")


def _undercut_note(
    builder: PageBuilder,
    reason: Bearing,
    *,
    explained_ids: Set[str] = frozenset(),
    named_ids: Set[str] = frozenset(),
) -> Html:
    """The objections to a reason: who makes them, how much they take from it, and why, as far as
    that is not explained or named above.
    """
    undercuts = undercuts_of(builder.context.corpus, reason.edge.id)
    if not undercuts:
        return EMPTY
    doubters = dict.fromkeys(each.origin for each in undercuts)
    who: list[Child] = ["The same objection holds here"]
    if not doubters.keys() <= named_ids:
        names = join("; ", [builder.statement(each) for each in doubters])
        who = [names, " objects" if len(doubters) == 1 else " object", " to its use here"]
    why = [reason_of(builder, each) for each in undercuts if each.origin not in explained_ids]
    loss = undercut_loss(builder, reason)
    words = element("p", who, ": ", loss, ".", why, class_="kg-disputed")
    return element("div", words, class_="kg-undercuts")


def undercut_loss(builder: PageBuilder, reason: Bearing) -> list[Child]:
    """`so it counts 56% less`: how much objections weaken a reason; if they do not, why."""
    standings = builder.context.standings
    undercuts = undercuts_of(builder.context.corpus, reason.edge.id)
    objectors = dict.fromkeys(each.origin for each in undercuts)
    is_single = len(objectors) == 1
    full_share, nats = (
        standings.share_unless_undercut(direction_key(reason)),
        abs(nats_of(builder, reason)),
    )
    if full_share is None:
        return [f"with {'it' if is_single else 'them'} it adds {nats:.2f}"]
    full_nats, loss = abs(full_share), abs(full_share) - nats
    if full_nats < LEAST_NATS_COUNTED:
        why = _why_reason_is_idle(builder, reason, builder.statement(reason.origin))
        return ["it does not count here anyway, as ", *why]
    if nats < LEAST_NATS_COUNTED and (heavier_id := heavier_reason_of_source(builder, reason)):
        # a little less is enough for another finding of its source to say more
        why = _pointer_to_heavier_reason(builder, reason, heavier_id)
        return ["it does not count here, as ", *why]
    if nats < LEAST_NATS_COUNTED:
        return ["so it does not count"]
    if loss >= LEAST_NATS_SHOWN:
        share = loss / full_nats
        part = f"{share:.0%}" if share >= LEAST_PART_SHOWN else "hardly"
        numbers = f"{loss:.2f} of {full_nats:.2f}"
        return [element("span", f"so it counts {part} less", title=numbers)]
    backing = [standings.of(each).strength for each in objectors]
    if all(strength is not None and strength <= MIDDLE_STRENGTH for strength in backing):
        subject = "the objection itself is" if is_single else "the objections themselves are"
        return [f"yet it counts no less, because {subject} not backed"]
    return ["yet it counts no less"]


def _why_reason_is_idle(builder: PageBuilder, reason: Bearing, name: Child) -> list[Child]:
    """Explain why a reason adds nothing, objections or not; its premise is called `name`."""
    standing = builder.standing(reason.origin)
    if standing.strength is None:
        return [name, " has no stable strength itself"]
    if standing.quality is None and standing.strength <= MIDDLE_STRENGTH:
        return [name, " is not backed itself"]
    if standing.strength < LEAST_NATS_COUNTED:
        return ["its quality has fallen to nothing"]
    if heavier_id := heavier_reason_of_source(builder, reason):
        return _pointer_to_heavier_reason(builder, reason, heavier_id)
    return ["its evidence already counts in another way"]


def _pointer_to_heavier_reason(
    builder: PageBuilder, reason: Bearing, heavier_id: str
) -> list[Child]:
    origin = describe_shared_origin(builder.context.corpus, reason.origin, heavier_id)
    return [builder.statement(heavier_id), f", {origin}, counts instead"]


def heavier_reason_of_source(builder: PageBuilder, reason: Bearing) -> str | None:
    """The statement whose reason to the same target, on the same side, counts for their source."""
    corpus, source_groups = builder.context.corpus, builder.context.source_groups
    if reason.target not in corpus.statements:
        return None
    rival_reasons = [
        rival
        for rival in reasons_by_side(corpus, reason.target).both
        if rival.origin != reason.origin and rival.side == reason.side
        if abs(nats_of(builder, rival)) >= LEAST_NATS_COUNTED
    ]
    own_groups = set(source_groups.get(reason.origin, ()))
    for rival in sort_by_weight(builder, rival_reasons):
        if not own_groups.isdisjoint(source_groups.get(rival.origin, ())):
            return rival.origin
    return None


def _link_to_replies(builder: PageBuilder, id: str, subject_id: str) -> Html:
    """Link to the reasons for and against a reason, counted as on its own page, if the statement
    around it is not the only one. Scripts in the browser expand the link in place.
    """
    corpus = builder.context.corpus
    reasons, same_ids = reasons_by_side(corpus, id).both, same_statements(corpus, subject_id)
    if all(reason.origin in same_ids for reason in reasons):
        return EMPTY
    href = escape(builder.root + builder.context.addresses.of(id))
    words = f"Replies to this: {count_reasons(builder, reasons).words}"
    return Html(f'<a class="kg-replies" href="{href}#for-and-against">{words}</a>')


def effects_on_others(builder: PageBuilder, id: str) -> Html | None:
    """The effects of a statement on others, each with its reason, without those of no weight."""
    corpus = builder.context.corpus
    joint = (Bearing(edge, edge.origin, edge.target) for edge in corpus.edges_with.get(id, ()))
    reasons = [r for r in (*corpus.bearings_from(id), *joint) if r.edge.relation not in WEIGHTLESS]
    already_named: set[str] = set()
    rows = [row for reason in reasons if (row := _effect(builder, reason, id, already_named))]
    return _tree_list(rows) if rows else None


def weightless_links(builder: PageBuilder, id: str) -> Html | None:
    """A collapsible of the links without weight, from a statement and to it."""
    corpus = builder.context.corpus
    own_edges = [e for e in corpus.edges_from.get(id, ()) if e.relation in WEIGHTLESS]
    rows = [
        _item_of_row(edge, _outgoing_row(builder, edge, edge.target))
        for edge in own_edges
        if edge.target in corpus.statements
    ]
    rows += [
        element("li", _incoming_row(builder, edge))
        for edge in corpus.edges_to.get(id, ())
        if edge.relation in WEIGHTLESS and edge.origin in corpus.statements
    ]
    if not rows:
        return None
    return collapsible_on_screen(
        f"{count_of(len(rows), 'link')} for neither side", _tree_list(rows)
    )


def _effect(builder: PageBuilder, reason: Bearing, id: str, already_named: set[str]) -> Html | None:
    corpus, edge, end = builder.context.corpus, reason.edge, reason.target
    if end in corpus.statements:
        note = _undercut_note(builder, reason, named_ids=already_named)
        already_named.update(each.origin for each in undercuts_of(corpus, edge.id))
        return _item_of_row(edge, _outgoing_row(builder, edge, end, id) + note)
    if end in corpus.edges_by_id:
        row = undercut_row(builder, edge, corpus.edges_by_id[end])
        return element("li", row, class_="kg-against")
    if corpus.find_id(end) is not None:
        return element("li", FORWARD[edge.relation], " ", builder.link_of(end))
    return None


def undercut_row(builder: PageBuilder, edge: Edge, undercut_edge: Edge) -> Html:
    """`doubts the link from … to …`, and why."""
    corpus = builder.context.corpus
    target = undercut_edge.target
    end = builder.statement(target) if target in corpus.statements else "another link"
    return element(
        "div",
        relation_label(Relation.UNDERCUTS),
        " the link from ",
        builder.statement(undercut_edge.origin),
        f" that {FORWARD[undercut_edge.relation]} ",
        end,
        reason_of(builder, edge),
        class_="kg-arg",
    )


def other_edges(builder: PageBuilder, id: str) -> Iterable[Html]:
    """Incoming edges that matter but take no side: what depends on it, what replaces it."""
    for edge in builder.context.corpus.edges_to.get(id, ()):
        is_listed_elsewhere = edge.relation.entry.side or edge.relation in WEIGHTLESS
        if not is_listed_elsewhere and edge.origin in builder.context.corpus.statements:
            yield element("li", _incoming_row(builder, edge))
