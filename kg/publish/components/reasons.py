"""The reasons for and against a statement, as lists and trees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kg.corpus.reasons_for_and_against import reasons_by_side, undercuts_of
from kg.corpus.same_and_superseded import statements_same_as
from kg.model import Bearing, CampPlacement, Edge, Relation
from kg.model.relation import WEIGHTLESS
from kg.publish.components.statement_lists import page_of_same
from kg.publish.components.strength_bar import draw_bar, study_in_short
from kg.publish.context.site_strengths import BACKWARD_MARK
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
UNFOLDED, WITH_WORDS = 4, 12  # reasons shown, then folded, then links only
_STARTS = {
    relation: tuple(
        Html('<div class="kg-arg">')
        + element("span", words[relation], class_=f"kg-rel kg-rel-{relation}")
        + " "
        for words in (BACKWARD, FORWARD)
    )
    for relation in Relation
}


def sort_by_weight(builder: PageBuilder, reasons: Sequence[Bearing]) -> list[Bearing]:
    """The reasons, the heaviest first."""
    return sorted(
        reasons,
        key=lambda reason: (-round(abs(nats_of(builder, reason)), 6), reason.edge.span),
    )


def nats_of(builder: PageBuilder, reason: Bearing) -> float:
    """The nats that a reason adds to its target."""
    return builder.context.strengths.share(_direction_key(reason))


def _direction_key(reason: Bearing) -> str:
    """The key by which `SiteStrengths` knows one direction of an edge."""
    return reason.edge.id + BACKWARD_MARK * reason.is_reversed


def reason_tree(builder: PageBuilder, reasons: Sequence[Bearing], around: str) -> Html | None:
    """The reasons of `around` as a list, each with a link to the replies to it.

    The heaviest come first, lighter ones are folded, and the lightest are only links. Reasons that
    add nothing have their own fold below the others, and an objection to several steps gives
    its reason only once.
    """
    if not reasons:
        return None
    objectors_explained: set[str] = set()
    idle = [each for each in reasons if abs(nats_of(builder, each)) < HEARD]
    if 1 < len(idle) < len(reasons) <= WITH_WORDS:
        heard = [each for each in reasons if each not in idle]
        items = [_branch(builder, each, around, objectors_explained) for each in heard]
        nothing = _tree_list(_branch(builder, each, around, objectors_explained) for each in idle)
        below = collapsible(f"{len(idle)} that add nothing", nothing, class_="kg-on-paper")
        return Html(_fold_items(items, len(heard)) + below)
    items = [
        _branch(builder, reason, around, objectors_explained) for reason in reasons[:WITH_WORDS]
    ]
    keeper = page_of_same(builder, around)
    listed = first_items(reasons, keeper == around)
    items += [
        Html("<li>" + builder.statement(reason.source) + "</li>") for reason in listed[WITH_WORDS:]
    ]
    if len(items) <= UNFOLDED + 1:
        return _tree_list(items)
    rest = _tree_list(items[UNFOLDED:]) + builder.more_of(reasons, keeper, keeper == around)
    more = collapsible(f"{len(reasons) - UNFOLDED} lighter ones", Html(rest), class_="kg-on-paper")
    return Html(_tree_list(items[:UNFOLDED]) + more)


def _fold_items(items: Sequence[Html], total: int) -> Html:
    """The first items, with the rest in a fold if there is more than one left."""
    if total <= UNFOLDED + 1:
        return _tree_list(items)
    rest = _tree_list(items[UNFOLDED:])
    more = collapsible(f"{total - UNFOLDED} lighter ones", rest, class_="kg-on-paper")
    return Html(_tree_list(items[:UNFOLDED]) + more)


def _tree_list(items: Iterable[Html]) -> Html:
    return Html('<ul class="kg-tree">' + "".join(items) + "</ul>")


def _idle_row(builder: PageBuilder, step: Bearing) -> Html:
    why = _describe_idle_step(builder, step, "it")
    return element("p", f"{adds_in_words(0.0)}, as ", *why, class_="kg-small")


def _branch(
    builder: PageBuilder, reason: Bearing, around: str, objectors_explained: set[str]
) -> Html:
    """A reason with the replies to it; `said` are the objectors whose reason was already given."""
    share, cut = nats_of(builder, reason), _describe_undercuts(builder, reason, objectors_explained)
    idle = _idle_row(builder, reason) if not cut and adds_in_words(share) else EMPTY
    beneath = idle + cut + _replies(builder, reason.source, around)
    at, nats = "" if reason.target == around else reason.target, None if idle else share
    return _item(builder, reason.edge, reason.source, beneath, at=at, share=nats)


def _item(
    builder: PageBuilder,
    edge: Edge,
    id: str,
    beneath: str = "",
    own: str = "",
    at: str = "",
    share: float | None = None,
) -> Html:
    row = reason_row(builder, edge, id, own=own, at=at, share=share) + beneath
    return Html(f'<li class="kg-{edge.relation.side}">' + row + "</li>")


def reason_row(
    builder: PageBuilder,
    edge: Edge,
    id: str,
    forward: bool = True,
    own: str = "",
    at: str = "",
    share: float | None = None,
) -> Html:
    """One edge in words: relation, statement, other premises, reason, strength.

    `own` is the premise that the page is about, if it is not the edge's own statement; `at` is a
    statement that says the same as the page's and that the edge was written for; `share` is what
    the edge adds, in nats.
    """
    row = _STARTS[edge.relation][forward] + builder.statement(id) + " "
    standing = builder.context.strengths.of(id)
    row += draw_bar(standing)
    if share is not None and (adds := adds_in_words(share)):
        link = f", by a {edge.strength} link" if edge.strength else ""
        row += f'<span class="kg-note" title="{abs(share):.2f}{link}">{adds}</span>'
    if edge.together:
        row += _together(builder, edge, own)
    if edge.scope:
        row += f'<span class="kg-note">within: {escape(edge.scope)}</span>'
    if at:
        row += '<span class="kg-note">recorded at ' + builder.statement(at) + "</span>"
    row += reason_of(builder, edge)
    if standing.quality is not None:
        study = study_in_short(builder, builder.context.corpus.statements[id])
        row += element("span", *study, class_="kg-study")
    return Html(row + "</div>")


def _together(builder: PageBuilder, edge: Edge, own: str) -> Html:
    """The other premises of an edge, which counts only if they all hold."""
    others = edge.others(own or edge.source)
    names = builder.names_of(others, edge.source, own == edge.source, ", ")
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
    """The objections to a step: who makes them, how much they take from it, and why, unless that
    was `said` above; who is among the `named` is not named again.
    """
    undercuts = undercuts_of(builder.context.corpus, step.edge)
    if not undercuts:
        return EMPTY
    sources = dict.fromkeys(one.source for one in undercuts)
    kind = "an objection" if len(sources) == 1 else "objections"
    who: list[Child] = [
        join("; ", [builder.statement(one) for one in sources]),
        f": {kind} to this link; ",
    ]
    if already_named is not None and sources.keys() <= already_named:
        who = [f"The same objection{'s' if len(sources) > 1 else ''} to this link: "]
    if already_named is not None:
        already_named.update(sources)
    words = [*who, *undercut_loss(builder, step), "."]
    fresh = [one for one in undercuts if one.source not in objectors_explained]
    objectors_explained.update(one.source for one in undercuts)
    why = [reason for one in fresh if (reason := reason_of(builder, one))]
    return element("div", element("p", *words, *why, class_="kg-disputed"), class_="kg-undercuts")


def undercut_loss(builder: PageBuilder, step: Bearing) -> list[Child]:
    """`it takes 56% of its weight`: how much objections weaken a step; if they do not, why."""
    strengths, cuts = builder.context.strengths, undercuts_of(builder.context.corpus, step.edge)
    cutting = dict.fromkeys(one.source for one in cuts)
    whole, now = strengths.share_if_heard(_direction_key(step)), abs(nats_of(builder, step))
    takes = "it takes" if len(cutting) == 1 else "together they take"
    if whole is None:
        return [f"with {'it' if len(cutting) == 1 else 'them'} the link adds {now:.2f}"]
    before, loss = abs(whole), abs(whole) - now
    if before < HEARD:
        return [
            f"even without {'it' if len(cutting) == 1 else 'them'} the link would add nothing, as ",
            *_describe_idle_step(builder, step, builder.statement(step.source)),
        ]
    if now < HEARD and (other := same_source(builder, step)):
        # a little less is enough for another finding of its source to say more
        weakened = "with it" if len(cutting) == 1 else "with them"
        return [f"{weakened}, ", *_pointer_to_heavier_reason(builder, other)]
    if now < HEARD:
        return [f"{takes} all its weight"]
    if loss >= LEAST_NATS_SHOWN:
        part = (
            f"{loss / before:.0%} of" if loss / before >= LEAST_PART_SHOWN else "next to nothing of"
        )
        numbers = f"{loss:.2f} of {before:.2f}"
        return [element("span", f"{takes} {part} its weight", title=numbers)]
    backing = [strengths.of(one).strength for one in cutting]
    if all(strength is not None and strength <= MIDDLE_STRENGTH for strength in backing):
        weak = "the objection itself is" if len(cutting) == 1 else "the objections themselves are"
        return [f"{takes} nothing of its weight, as {weak} not backed"]
    return [f"{takes} nothing of its weight"]


def describe_objections(builder: PageBuilder, id: str) -> dict[str, bool]:
    """The objections to a statement or to a step from it, each with whether it has any weight."""
    corpus, strengths = builder.context.corpus, builder.context.strengths
    shares = [(each.source, nats_of(builder, each)) for each in reasons_by_side(corpus, id).con]
    for step in corpus.bearings_from(id):
        cuts = undercuts_of(corpus, step.edge)
        shares += [(cut.source, strengths.share(cut.id)) for cut in cuts]
    heard = {source for source, share in shares if abs(share) >= HEARD}
    return {source: source in heard for source, _ in shares}


def _describe_idle_step(builder: PageBuilder, step: Bearing, name: Child) -> list[Child]:
    """Why a step adds nothing, objections or not; its source is called `name`."""
    standing = builder.context.strengths.of(step.source)
    if standing.strength is None:
        return [name, " has no stable strength itself"]
    if standing.quality is None and standing.strength <= MIDDLE_STRENGTH:
        return [name, " is not backed itself"]
    if standing.strength < HEARD:
        return ["nothing is left of its quality"]
    other = same_source(builder, step)
    if other:
        return _pointer_to_heavier_reason(builder, other)
    return ["what stands behind it counts by another way already"]


def _pointer_to_heavier_reason(builder: PageBuilder, other: str) -> list[Child]:
    words = "another finding of its source or team says more, and counts instead: "
    return [words, builder.statement(other)]


def same_source(builder: PageBuilder, step: Bearing) -> str | None:
    """The statement whose step to the same target, on the same side, counts for their source."""
    corpus, units = builder.context.corpus, builder.context.units
    if step.target not in corpus.statements:
        return None
    near = [
        reason
        for reason in reasons_by_side(corpus, step.target).both
        if reason.source != step.source and reason.sign == step.sign
        if abs(nats_of(builder, reason)) >= HEARD
    ]
    heaviest = (reason.source for reason in sort_by_weight(builder, near))
    own = set(units.get(step.source, ()))
    return next((id for id in heaviest if not own.isdisjoint(units.get(id, ()))), None)


def _replies(builder: PageBuilder, id: str, around: str) -> Html:
    """How many reasons a reason has for and against it, apart from the statement around it: a link,
    which scripts in the browser unfold in place.
    """
    corpus = builder.context.corpus
    reasons, given_to = reasons_by_side(corpus, id).both, statements_same_as(corpus, around)
    fresh = [reason for reason in reasons if reason.source not in given_to]
    if not fresh:
        return EMPTY
    pro = sum(reason.sign > 0 for reason in fresh)
    href = escape(builder.root + builder.context.addresses.of(id))
    limits = sum(reason.edge.relation is Relation.QUALIFIES for reason in fresh)
    words = f"Replies to this: {count_sides(pro, len(fresh) - pro - limits, limits)}"
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
    own = [e for e in corpus.edges_from.get(id, ()) if e.relation in WEIGHTLESS]
    rows = [_item(builder, edge, edge.target) for edge in own if edge.target in corpus.statements]
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
        return _item(
            builder, edge, end, _describe_undercuts(builder, step, set(), already_named), own=id
        )
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
        element("span", "undercuts", class_="kg-rel kg-rel-undercuts"),
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
        idle = edge.relation.entry.side or edge.relation in WEIGHTLESS
        if not idle and edge.source in builder.context.corpus.statements:
            yield element("li", reason_row(builder, edge, edge.source, forward=False))
