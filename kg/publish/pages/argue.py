"""What speaks for and against a statement, as lists and trees of reasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kg.corpus import Corpus
from kg.model import OPPOSING, Edge, Relation
from kg.publish.html import Child, Html, element, inside
from kg.publish.pages.meter import bar
from kg.publish.pages.sheet import Sheet
from kg.publish.words import BACKWARD, FORWARD

OPEN, WIDTH = 6, 12


def edges_for(corpus: Corpus, id: str) -> list[Edge]:
    """Edges by which others support a statement."""
    return [edge for edge in corpus.edges_to.get(id, ()) if edge.relation is Relation.SUPPORTS]


def edges_against(corpus: Corpus, id: str) -> list[Edge]:
    """Edges by which others oppose a statement; a mutual contradiction counts from either end."""
    against = [edge for edge in corpus.edges_to.get(id, ()) if edge.relation in OPPOSING]
    against += [
        edge
        for edge in corpus.edges_from.get(id, ())
        if edge.mutual and edge.relation in OPPOSING and edge.target in corpus.statements
    ]
    return against


def by_weight(sheet: Sheet, edges: Sequence[Edge]) -> list[Edge]:
    """Edges that weigh most first."""
    scales = sheet.press.scales
    return sorted(edges, key=lambda edge: (-round(abs(scales.share(edge.id)), 6), edge.span))


def other_end(edge: Edge, id: str) -> str:
    """The statement at the far end of an edge."""
    return edge.target if edge.source == id else edge.source


def replies(corpus: Corpus, id: str) -> int:
    """How many statements speak for or against a statement."""
    return len(edges_for(corpus, id)) + len(edges_against(corpus, id))


def tree(sheet: Sheet, edges: Sequence[Edge], around: str) -> Html | None:
    """Edges into `around` as a list of reasons, each with the replies to it folded away beneath.

    The heaviest come first, the lighter ones are folded, the lightest are links alone.
    """
    if not edges:
        return None
    items = [_branch(sheet, edge, other_end(edge, around), around) for edge in edges[:WIDTH]]
    items += [element("li", sheet.statement(other_end(edge, around))) for edge in edges[WIDTH:]]
    rest = items[OPEN + 1 :] and items[OPEN:]
    more = element(
        "details",
        element("summary", f"{len(rest)} lighter ones"),
        element("ul", *rest, class_="kg-tree"),
    )
    first = element("ul", *(items[:OPEN] if rest else items), class_="kg-tree")
    return inside((first, more)) if rest else first


def _branch(sheet: Sheet, edge: Edge, id: str, around: str) -> Html:
    return element(
        "li",
        reason_row(sheet, edge, id),
        _undercuts(sheet, edge),
        _replies(sheet, id, around),
        class_=f"kg-{side_of(edge)}",
    )


def reason_row(sheet: Sheet, edge: Edge, id: str, forward: bool = True) -> Html:
    """One edge in words: relation, statement, reason, strength."""
    words = (FORWARD if forward else BACKWARD)[edge.relation]
    return element(
        "div",
        element("span", words, class_=f"kg-rel kg-rel-{edge.relation}"),
        " ",
        sheet.statement(id),
        " ",
        bar(sheet.press.scales.of(id)),
        element("span", f"{edge.strength} link", class_="kg-note") if edge.strength else None,
        element("span", "within: ", edge.scope, class_="kg-note") if edge.scope else None,
        element("span", sheet.words(edge.reason, edge.span.path), class_="kg-reason")
        if edge.reason
        else None,
        class_="kg-arg",
    )


def _undercuts(sheet: Sheet, edge: Edge) -> Html | None:
    """Who denies that this reason bears on its conclusion."""
    corpus = sheet.press.corpus
    found = corpus.edges_to.get(edge.id, ())
    if not found:
        return None
    rows = [element("li", reason_row(sheet, one, one.source), class_="kg-against") for one in found]
    return element(
        "div",
        element("p", "This step itself is disputed:", class_="kg-disputed"),
        element("ul", *rows, class_="kg-tree"),
        class_="kg-undercuts",
    )


def _replies(sheet: Sheet, id: str, around: str) -> Html | None:
    """What speaks for and against a reason, but for the statement that it is given to."""
    corpus = sheet.press.corpus
    edges = [*edges_for(corpus, id), *edges_against(corpus, id)]
    fresh = [edge for edge in edges if other_end(edge, id) != around]
    if not fresh:
        return None
    if len(fresh) < len(edges):
        return _folded(sheet, fresh, id)
    return sheet.press.once(("replies", id, sheet.root, sheet.line), _folded, sheet, fresh, id)


def _folded(sheet: Sheet, edges: Sequence[Edge], id: str) -> Html:
    ranked = by_weight(sheet, edges)
    pro = [edge for edge in ranked if edge.relation is Relation.SUPPORTS]
    con = [edge for edge in ranked if edge.relation is not Relation.SUPPORTS]
    rows = [
        element("li", reason_row(sheet, edge, other_end(edge, id)), class_=f"kg-{side_of(edge)}")
        for edge in (*pro, *con)[:WIDTH]
    ]
    if len(ranked) > WIDTH:
        rows.append(
            element("li", f"{len(ranked) - WIDTH} more on the page of ", sheet.statement(id))
        )
    return element(
        "details",
        element("summary", summary(len(pro), len(con))),
        element("ul", *rows, class_="kg-tree"),
    )


def summary(pro: int, con: int) -> str:
    """`2 for, 1 against`."""
    return ", ".join(
        part for part in (f"{pro} for" if pro else "", f"{con} against" if con else "") if part
    )


def side_of(edge: Edge) -> str:
    """`for`, `against`, or nothing for edges that take no side."""
    return (
        "against"
        if edge.relation in OPPOSING
        else "for"
        if edge.relation is Relation.SUPPORTS
        else "neither"
    )


def bearing(sheet: Sheet, id: str) -> Html | None:
    """What a statement does to others, each with its reason."""
    corpus = sheet.press.corpus
    rows: list[Child] = []
    for edge in corpus.edges_from.get(id, ()):
        if edge.target in corpus.statements:
            rows.append(
                element("li", reason_row(sheet, edge, edge.target), class_=f"kg-{side_of(edge)}")
            )
        elif edge.target in corpus.edge:
            rows.append(
                element(
                    "li", undercut_row(sheet, edge, corpus.edge[edge.target]), class_="kg-against"
                )
            )
        elif corpus.find_id(edge.target) is not None:
            rows.append(element("li", FORWARD[edge.relation], " ", sheet.any(edge.target)))
    return element("ul", *rows, class_="kg-tree") if rows else None


def undercut_row(sheet: Sheet, edge: Edge, step: Edge, whose: bool = False) -> Html:
    """`undercuts the step from … to …`, after the statement that does where `whose` is asked."""
    corpus = sheet.press.corpus
    end = sheet.statement(step.target) if step.target in corpus.statements else "another step"
    return element(
        "div",
        [sheet.statement(edge.source), " "] if whose else None,
        element("span", "undercuts", class_="kg-rel kg-rel-undercuts"),
        " the step from ",
        sheet.statement(step.source),
        f" that {FORWARD[step.relation]} ",
        end,
        element("span", sheet.words(edge.reason, edge.span.path), class_="kg-reason")
        if edge.reason
        else None,
        class_="kg-arg",
    )


def others(sheet: Sheet, id: str) -> Iterable[Html]:
    """Incoming edges that take no side: what depends on it, equals it, replaces it."""
    for edge in sheet.press.corpus.edges_to.get(id, ()):
        if (
            edge.relation in (Relation.DEPENDS_ON, Relation.SAME_AS, Relation.SUPERSEDES)
            and edge.source in sheet.press.corpus.statements
        ):
            yield element("li", reason_row(sheet, edge, edge.source, forward=False))
