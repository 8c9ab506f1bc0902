"""What speaks for and against a statement: lists and trees of reasons, and pairs that clash."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kg.corpus import Corpus
from kg.corpus.sides import near_end, other_end, sides_of, undercuts_of
from kg.corpus.units import one_with, superseded
from kg.model import CampPlacement, Edge, Relation
from kg.publish.components.strength_bar import draw_bar, standing_words
from kg.publish.markup.html import EMPTY, Child, Html, element, escape
from kg.publish.markup.words import BACKWARD, FORWARD
from kg.publish.page_builder import PageBuilder
from kg.publish.strengths import BACK

UNFOLDED, WITH_WORDS = 6, 12  # reasons before the rest is folded, and before it is links alone
SUPPORTS = Relation.SUPPORTS  # looked up here, since that is slow in a class of an enumeration
_STARTS = {
    relation: tuple(
        Html('<div class="kg-arg">')
        + element("span", words[relation], class_=f"kg-rel kg-rel-{relation}")
        + " "
        for words in (BACKWARD, FORWARD)
    )
    for relation in Relation
}


def by_weight(builder: PageBuilder, edges: Sequence[Edge], id: str) -> list[Edge]:
    """Edges for and against a statement, those that weigh most first."""
    return sorted(edges, key=lambda edge: (-round(abs(share_of(builder, edge, id)), 6), edge.span))


def share_of(builder: PageBuilder, edge: Edge, id: str) -> float:
    """What an edge adds to a statement at one of its ends."""
    ends = one_with(builder.context.corpus, id)
    return builder.context.strengths.share(edge.id if edge.target in ends else edge.id + BACK)


def tree(builder: PageBuilder, edges: Sequence[Edge], around: str) -> Html | None:
    """Edges into `around` as a list of reasons, each with the replies to it folded away beneath.

    The heaviest come first, the lighter ones are folded, the lightest are links alone.
    """
    if not edges:
        return None
    corpus = builder.context.corpus
    items = [_branch(builder, edge, around) for edge in edges[:WITH_WORDS]]
    items += [
        Html("<li>" + builder.statement(other_end(corpus, edge, around)) + "</li>")
        for edge in edges[WITH_WORDS:]
    ]
    if len(items) <= UNFOLDED + 1:
        return _listed(items)
    more = element("summary", f"{len(items) - UNFOLDED} lighter ones") + _listed(items[UNFOLDED:])
    return Html(_listed(items[:UNFOLDED]) + "<details>" + more + "</details>")


def _listed(items: Iterable[Html]) -> Html:
    return Html('<ul class="kg-tree">' + "".join(items) + "</ul>")


def _branch(builder: PageBuilder, edge: Edge, around: str) -> Html:
    corpus = builder.context.corpus
    id, at = other_end(corpus, edge, around), near_end(corpus, edge, around)
    beneath = _undercuts(builder, edge) + _replies(builder, id, around)
    return _item(builder, edge, id, beneath, at="" if at == around else at)


def _item(
    builder: PageBuilder, edge: Edge, id: str, beneath: str = "", own: str = "", at: str = ""
) -> Html:
    row = reason_row(builder, edge, id, own=own, at=at) + beneath
    return Html(f'<li class="kg-{side_of(edge)}">' + row + "</li>")


def reason_row(
    builder: PageBuilder, edge: Edge, id: str, forward: bool = True, own: str = "", at: str = ""
) -> Html:
    """One edge in words: relation, statement, what it counts together with, reason, strength.

    `own` is the premise that the page is about, where that is not the edge's own statement; `at`
    the statement that is one with the page's and that the edge was written for.
    """
    row = _STARTS[edge.relation][forward] + builder.statement(id) + " "
    row += draw_bar(builder.context.strengths.of(id))
    if edge.strength:
        row += f'<span class="kg-note">{edge.strength} link</span>'
    if edge.together:
        row += _together(builder, edge.others(own or edge.source))
    if edge.scope:
        row += f'<span class="kg-note">within: {escape(edge.scope)}</span>'
    if at:
        row += '<span class="kg-note">recorded at ' + builder.statement(at) + "</span>"
    return Html(row + reason_of(builder, edge) + "</div>")


def _together(builder: PageBuilder, others: Iterable[str]) -> Html:
    """The other premises of an edge, which counts only with all of them."""
    names = Html(", ").join(map(builder.statement, others))
    return Html('<span class="kg-note kg-together">together with ' + names + "</span>")


def reason_of(builder: PageBuilder, given: Edge | CampPlacement) -> Html:
    """The reason that a note gives for an edge or a placement, if it gives one."""
    if not given.reason:
        return EMPTY
    words = builder.words(given.reason, given.span.path)
    return Html('<span class="kg-reason">' + words + "</span>")


def _undercuts(builder: PageBuilder, edge: Edge) -> Html:
    """The undercuts of an edge: who makes them, and how much of the edge they leave."""
    found = undercuts_of(builder.context.corpus, edge)
    if not found:
        return EMPTY
    rows = [
        element("li", reason_row(builder, one, one.source), class_="kg-against") for one in found
    ]
    return element(
        "div",
        element("p", f"This step is undercut: it {left_of(builder, edge)}.", class_="kg-disputed"),
        _listed(rows),
        class_="kg-undercuts",
    )


def left_of(builder: PageBuilder, edge: Edge) -> str:
    """`counts 0.12 instead of 0.53`: what undercuts leave of what an edge brings, in nats."""
    strengths = builder.context.strengths
    now, whole = f"{abs(strengths.share(edge.id)):.2f}", strengths.share_if_heard(edge.id)
    if whole is None:
        return f"counts {now}"
    before = f"{abs(whole):.2f}"
    return f"counts {now}" + (" all the same" if now == before else f" instead of {before}")


def _replies(builder: PageBuilder, id: str, around: str) -> Html:
    """What speaks for and against a reason, but for the statement that it is given to."""
    corpus = builder.context.corpus
    edges, given_to = sides_of(corpus, id).both, one_with(corpus, around)
    fresh = [edge for edge in edges if other_end(corpus, edge, id) not in given_to]
    if not fresh:
        return EMPTY
    if len(fresh) < len(edges):
        return _folded(builder, fresh, id)
    return builder.context.once(
        ("replies", id, builder.root, builder.line), _folded, builder, fresh, id
    )


def _folded(builder: PageBuilder, edges: Sequence[Edge], id: str) -> Html:
    corpus, ranked = builder.context.corpus, by_weight(builder, edges, id)
    pro = [edge for edge in ranked if edge.relation is SUPPORTS]
    con = [edge for edge in ranked if edge.relation is not SUPPORTS]
    rows = [_item(builder, edge, other_end(corpus, edge, id)) for edge in (*pro, *con)[:WITH_WORDS]]
    if len(ranked) > WITH_WORDS:
        rows.append(
            element("li", f"{len(ranked) - WITH_WORDS} more on the page of ", builder.statement(id))
        )
    return element("details", element("summary", summary(len(pro), len(con))), _listed(rows))


def summary(pro: int, con: int) -> str:
    """`2 for, 1 against`."""
    return ", ".join(
        part for part in (f"{pro} for" if pro else "", f"{con} against" if con else "") if part
    )


def side_of(edge: Edge) -> str:
    """`for`, `against`, or nothing for edges that take no side."""
    return edge.relation.side


def effects_on_others(builder: PageBuilder, id: str) -> Html | None:
    """What a statement does to others, each with its reason."""
    corpus = builder.context.corpus
    edges = (*corpus.edges_from.get(id, ()), *corpus.edges_with.get(id, ()))
    rows = [row for edge in edges if (row := _effect(builder, edge, id))]
    return _listed(rows) if rows else None


def _effect(builder: PageBuilder, edge: Edge, id: str) -> Html | None:
    corpus = builder.context.corpus
    if edge.target in corpus.statements:
        return _item(builder, edge, edge.target, _undercuts(builder, edge), own=id)
    if edge.target in corpus.edge:
        row = undercut_row(builder, edge, corpus.edge[edge.target])
        return element("li", row, class_="kg-against")
    if corpus.find_id(edge.target) is not None:
        return element("li", FORWARD[edge.relation], " ", builder.any(edge.target))
    return None


def undercut_row(builder: PageBuilder, edge: Edge, step: Edge, whose: bool = False) -> Html:
    """`undercuts the step from … to …`, after the statement that does where `whose` is asked."""
    corpus = builder.context.corpus
    end = builder.statement(step.target) if step.target in corpus.statements else "another step"
    return element(
        "div",
        [builder.statement(edge.source), " "] if whose else None,
        element("span", "undercuts", class_="kg-rel kg-rel-undercuts"),
        " the step from ",
        builder.statement(step.source),
        f" that {FORWARD[step.relation]} ",
        end,
        reason_of(builder, edge),
        class_="kg-arg",
    )


def others(builder: PageBuilder, id: str) -> Iterable[Html]:
    """Incoming edges that take no side: what depends on it, extends it, replaces it."""
    for edge in builder.context.corpus.edges_to.get(id, ()):
        if not edge.relation.entry.side and edge.source in builder.context.corpus.statements:
            yield element("li", reason_row(builder, edge, edge.source, forward=False))


# -- clashes -------------------------------------------------------------------------------


class Clash(NamedTuple):
    """Two statements, and the edges by which one opposes the other or both do."""

    left: str
    right: str
    edges: tuple[Edge, ...]

    @property
    def is_mutual(self) -> bool:
        """Whether each opposes the other."""
        return any(e.both_ways for e in self.edges) or len({e.source for e in self.edges}) > 1

    def is_live(self, corpus: Corpus) -> bool:
        """Whether neither is superseded, and so counted nowhere."""
        replaced = corpus.derive(superseded)
        return self.left not in replaced and self.right not in replaced


def pair_up(corpus: Corpus, edges: Iterable[Edge], line: str | None = None) -> list[Clash]:
    """Edges between statements as pairs, in the order of their first edges.

    The statement of the camp that `kg.toml` names first stands on the left, in every pair.
    """
    camps = corpus.config.camp_ids
    found: dict[frozenset[str], list[Edge]] = {}
    for edge in edges:
        found.setdefault(frozenset((edge.source, edge.target)), []).append(edge)

    def column(id: str) -> int:
        camp = corpus.camp_of(id, line)
        return camps.index(camp) if camp in camps else len(camps)

    pairs = []
    for together in found.values():
        left, right = together[0].source, together[0].target
        if column(right) < column(left):
            left, right = right, left
        pairs.append(Clash(left, right, tuple(together)))
    return pairs


def answerers(corpus: Corpus, clash: Clash, edge: Edge) -> list[str]:
    """Statements outside a clash that speak against the one that attacks."""
    inside = (*one_with(corpus, clash.left), *one_with(corpus, clash.right))
    against = sides_of(corpus, edge.source).con
    ends = (other_end(corpus, one, edge.source) for one in against)
    return list(dict.fromkeys(end for end in ends if end not in inside))


def is_answered(corpus: Corpus, clash: Clash) -> bool:
    """Whether something else speaks against every statement that attacks here."""
    return all(answerers(corpus, clash, edge) for edge in clash.edges)


def clash_list(builder: PageBuilder, clashes: Sequence[Clash]) -> Html:
    """Clashes under each other, the two sides of each in two columns."""
    return element("ul", *[_pair(builder, clash) for clash in clashes], class_="kg-clash-list")


def _pair(builder: PageBuilder, clash: Clash) -> Html:
    return element(
        "li",
        element(
            "div",
            _end(builder, clash, clash.left),
            element("div", _between(clash), class_="kg-versus"),
            _end(builder, clash, clash.right),
            class_="kg-clash",
        ),
    )


def _between(clash: Clash) -> Html:
    """Which of the two opposes the other and how, in words beside the arrow."""
    first = clash.edges[0]
    if clash.is_mutual:
        words, arrow = "contradict each other", "⇄"
        if any(edge.relation is not Relation.CONTRADICTS for edge in clash.edges):
            words = "limit each other"
    else:
        words, arrow = FORWARD[first.relation], "→" if first.source == clash.left else "←"
    return element(
        "span",
        element("span", arrow, class_="kg-arrow", aria_hidden="true"),
        element("span", words),
        class_="kg-versus-words",
    )


def _end(builder: PageBuilder, clash: Clash, id: str) -> Html:
    corpus = builder.context.corpus
    reasons: list[Child] = [
        element("p", builder.words(edge.reason, edge.span.path), class_="kg-reason")
        for edge in clash.edges
        if edge.source == id and edge.reason
    ]
    sides = sides_of(corpus, id)
    backing = f" · {len(sides.pro)} for, {len(sides.con)} against"
    return element(
        "div",
        element("p", builder.statement(id), class_="kg-card-title"),
        *reasons,
        element("p", standing_words(builder, id), backing, class_="kg-small"),
        class_=f"kg-end {builder.link_maker.camp_class(corpus.camp_of(id, builder.line))}",
    )
