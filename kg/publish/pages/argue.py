"""What speaks for and against a statement, as lists and trees of reasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kg.corpus import Corpus
from kg.model import OPPOSING, Edge, Relation
from kg.publish.html import Child, Html, element
from kg.publish.pages.meter import bar
from kg.publish.pages.sheet import Sheet
from kg.publish.words import BACKWARD, FORWARD

DEPTH = 3
WIDTH = 12


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


def tree(sheet: Sheet, edges: Sequence[Edge], around: str, seen: frozenset[str] = frozenset()) -> Html | None:
    """Edges into `around` as a list of reasons, each with its own replies folded away beneath it."""
    if not edges:
        return None
    seen = seen | {around}
    shown, rest = edges[:WIDTH], edges[WIDTH:]
    items = [_branch(sheet, edge, other_end(edge, around), seen) for edge in shown]
    if rest:
        more = element("p", f"and {len(rest)} more: ", sheet.statement(around), class_="kg-more")
        items.append(element("li", more))
    return element("ul", *items, class_="kg-tree")


def _branch(sheet: Sheet, edge: Edge, id: str, seen: frozenset[str]) -> Html:
    corpus = sheet.press.corpus
    return element(
        "li", reason_row(sheet, edge, id), _undercuts(sheet, edge), _replies(sheet, corpus, id, seen), class_=f"kg-{side_of(edge)}"
    )


def reason_row(sheet: Sheet, edge: Edge, id: str, forward: bool = True) -> Html:
    """One edge in words: relation, statement, reason, strength."""
    words = (FORWARD if forward else BACKWARD)[edge.relation]
    strength = element("span", edge.strength, class_="kg-note") if edge.strength else None
    scope = element("span", "within: ", edge.scope, class_="kg-note") if edge.scope else None
    return element(
        "div",
        element("span", words, class_=f"kg-rel kg-rel-{edge.relation}"),
        " ",
        sheet.statement(id),
        " ",
        bar(sheet.press.scales.of(id)),
        strength,
        scope,
        element("span", sheet.words(edge.reason, edge.span.path), class_="kg-reason") if edge.reason else None,
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
        "div", element("p", "This step itself is disputed:", class_="kg-disputed"), element("ul", *rows, class_="kg-tree"), class_="kg-undercuts"
    )


def _replies(sheet: Sheet, corpus: Corpus, id: str, seen: frozenset[str]) -> Html | None:
    edges = [*by_weight(sheet, edges_for(corpus, id)), *by_weight(sheet, edges_against(corpus, id))]
    fresh = [edge for edge in edges if other_end(edge, id) not in seen]
    if not fresh:
        return None
    pro = sum(edge.relation is Relation.SUPPORTS for edge in fresh)
    label = summary(pro, len(fresh) - pro)
    if len(seen) >= DEPTH:
        return element("p", f"{label} on its own page", class_="kg-more")
    return element("details", element("summary", label), tree(sheet, fresh, id, seen))


def summary(pro: int, con: int) -> str:
    """`2 for, 1 against`."""
    return ", ".join(part for part in (f"{pro} for" if pro else "", f"{con} against" if con else "") if part)


def side_of(edge: Edge) -> str:
    """`for`, `against`, or nothing for edges that take no side."""
    return "against" if edge.relation in OPPOSING else "for" if edge.relation is Relation.SUPPORTS else "neither"


def bearing(sheet: Sheet, id: str) -> Html | None:
    """What a statement does to others, each with its reason."""
    corpus = sheet.press.corpus
    rows: list[Child] = []
    for edge in corpus.edges_from.get(id, ()):
        if edge.target in corpus.statements:
            rows.append(element("li", reason_row(sheet, edge, edge.target), class_=f"kg-{side_of(edge)}"))
        elif edge.target in corpus.edge:
            rows.append(element("li", _undercut_row(sheet, edge, corpus.edge[edge.target]), class_="kg-against"))
        elif corpus.find_id(edge.target) is not None:
            rows.append(element("li", FORWARD[edge.relation], " ", sheet.any(edge.target)))
    return element("ul", *rows, class_="kg-tree") if rows else None


def _undercut_row(sheet: Sheet, edge: Edge, step: Edge) -> Html:
    """`undercuts the step from … to …`."""
    corpus = sheet.press.corpus
    end = sheet.statement(step.target) if step.target in corpus.statements else "another step"
    return element(
        "div",
        element("span", "undercuts", class_="kg-rel kg-rel-undercuts"),
        " the step from ",
        sheet.statement(step.source),
        f" that {FORWARD[step.relation]} ",
        end,
        element("span", sheet.words(edge.reason, edge.span.path), class_="kg-reason") if edge.reason else None,
        class_="kg-arg",
    )


def others(sheet: Sheet, id: str) -> Iterable[Html]:
    """Incoming edges that neither support nor oppose: what depends on it, equals it, replaces it."""
    for edge in sheet.press.corpus.edges_to.get(id, ()):
        if edge.relation in (Relation.DEPENDS_ON, Relation.SAME_AS, Relation.SUPERSEDES) and edge.source in sheet.press.corpus.statements:
            yield element("li", reason_row(sheet, edge, edge.source, forward=False))
