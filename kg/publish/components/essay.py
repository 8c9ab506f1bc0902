"""The essay of an inquiry line with what it leans on, and when its note was changed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from kg.corpus import Corpus
from kg.git.log import Commit
from kg.model import InquiryLine, Kind, NextStep, Relation, Statement
from kg.publish.components.clashes import Clash, is_answered, pair_up
from kg.publish.components.evidence import sample
from kg.publish.components.strength_bar import draw_bar, signs_of
from kg.publish.markup.html import EMPTY, Child, Html, element, folded, join_children
from kg.publish.markup.link_maker import TextPlace
from kg.publish.markup.phrases import count_of, date, method_name
from kg.publish.page_builder import PageBuilder
from kg.publish.site_context import SiteContext
from kg.queries.line_view import LineScope

CHANGES_SHOWN = 5  # changes, before the rest is folded
_SHALLOW = (
    "This site was built from a shallow clone, which holds only the latest commits: earlier "
    "changes are not shown."
)


def note_history(builder: PageBuilder, path: str) -> Html:
    """The commits that touched a note, the latest first; nothing where notes are in no git."""
    history = builder.context.history
    if not history.known:
        return EMPTY
    changes = history.of(path)
    parts: list[Child] = []
    if changes:
        parts.append(_listed(changes))
    elif not history.shallow:
        parts.append(element("p", "This note has not been committed yet.", class_="kg-none"))
    if history.shallow:
        parts.append(element("p", _SHALLOW, class_="kg-small"))
    return element("div", *parts)


def last_change(context: SiteContext, path: str) -> dt.date | None:
    """The day of the latest commit that touched a note; None where git does not know."""
    changes = context.history.of(path)
    return changes[0].day if changes else None


def _listed(changes: tuple[Commit, ...]) -> Html:
    items = [_change(change) for change in changes]
    rest = items[CHANGES_SHOWN:]
    more = folded(f"{len(rest)} earlier", element("ol", *rest, class_="kg-past"))
    return element(
        "div", element("ol", *items[:CHANGES_SHOWN], class_="kg-past"), more if rest else None
    )


def _change(change: Commit) -> Html:
    return element(
        "li",
        element("time", date(change.day), datetime=change.day.isoformat()),
        element("span", change.subject),
        element("code", change.commit),
    )


MARGIN = 2  # notes beside one paragraph
# Letters of a paragraph that stand beside one note; with more notes, they would drift from it.
LETTERS_PER_NOTE = 330
_SIGNS = (
    "The mark before a link shows a camp, the gauge after it how firmly the notes back what it "
    "leads to; of evidence, in grey, how much it can carry. A gauge with tips at both ends "
    "says that they hold reasons on both sides."
)


def add_essay(builder: PageBuilder, line: InquiryLine) -> None:
    """The essay, with what it leans on in the margin, and a mark where that has changed since."""
    if not line.essay:
        return
    place = TextPlace(
        path=line.span.path,
        root=builder.root,
        line=line.id,
        mark="essay-",
        deeper=1,
        beside=partial(_margin, builder, line),
        signs=partial(_signs, builder, line),
    )
    found = builder.context.prose(line.essay, place)
    body = element("div", Html(found.html), class_="kg-body kg-essay")
    builder.section("essay", "Essay", _changed_since(builder, line), body, lead=_SIGNS)
    builder.toc += found.headings


def _signs(builder: PageBuilder, line: InquiryLine, id: str) -> Html:
    """The marks at a link: how firmly its statement stands, and whether it changed since."""
    statement = builder.context.corpus.statements.get(id)
    if statement is None or not _is_newer(builder, statement, line):
        return signs_of(builder, id)
    mark = element("span", "↻", class_="kg-changed", title="Changed since the essay was reviewed")
    return Html(signs_of(builder, id) + mark)


def _margin(builder: PageBuilder, line: InquiryLine, linked: list[str], letters: int) -> Html:
    """Small cards beside a paragraph, as it has room: the evidence it names, else its claims."""
    statements = builder.context.corpus.statements
    known = [statements[id] for id in linked if id in statements]
    first = [s for s in known if s.kind is Kind.EVIDENCE] or known
    notes = [
        _note(builder, line, s) for s in first[: max(1, min(MARGIN, letters // LETTERS_PER_NOTE))]
    ]
    return element("div", *notes, class_="kg-margin") if notes else EMPTY


def _note(builder: PageBuilder, line: InquiryLine, statement: Statement) -> Html:
    camp = builder.context.corpus.camp_of(statement.id, line.id)
    standing = builder.context.strengths.of(statement.id)
    facts: list[Child] = [standing.word.capitalize(), " ", draw_bar(standing)]
    if statement.kind is Kind.EVIDENCE:
        method = method_name(statement, "Method not recorded")
        size = f", n = {sample(statement)}" if statement.sample is not None else ""
        sources = builder.link_maker.sources(statement.sources, builder.root)
        facts = [
            f"{method}{size}",
            f". {standing.word.capitalize()}. ",
            sources,
        ]
    newer = _is_newer(builder, statement, line)
    changed = element("span", "changed since this was reviewed. ", class_="kg-changed")
    return element(
        "div",
        element("p", builder.statement(statement.id), class_="kg-margin-title"),
        element("p", changed if newer else None, facts, class_="kg-small"),
        class_=f"kg-margin-note {builder.link_maker.camp_class(camp)}",
    )


def _is_newer(builder: PageBuilder, statement: Statement, line: InquiryLine) -> bool:
    """Whether a statement changed after its line was reviewed, by its own date, else by git's."""
    changed = statement.updated or last_change(builder.context, statement.span.path)
    return bool(line.reviewed and changed and changed > line.reviewed)


def _changed_since(builder: PageBuilder, line: InquiryLine) -> Html | None:
    """Statements of the essay that changed after it was last reviewed."""
    corpus = builder.context.corpus
    linked = dict.fromkeys(m.target for m in corpus.mentions_from.get(line.id, ()))
    newer = [
        id
        for id in linked
        if id in corpus.statements and _is_newer(builder, corpus.statements[id], line)
    ]
    if not newer or not line.reviewed:
        return None
    rows = [element("li", builder.statement(id)) for id in newer]
    words = (
        f"Since the essay was reviewed on {date(line.reviewed)}, "
        f"{count_of(len(newer), 'statement')} it leans on changed:"
    )
    return element(
        "div", element("p", words), element("ul", *rows, class_="kg-plain"), class_="kg-caution"
    )


LISTED = 4  # lines that nobody wrote down as next


class Neighbour(NamedTuple):
    """Another line, the statements that both use, and the unanswered clashes between the two."""

    line: str
    shared: list[str]
    tensions: list[Clash]


def neighbours(corpus: Corpus, line: InquiryLine) -> list[Neighbour]:
    """Lines that share statements with `line`, or contradict it unanswered; the nearest first.

    A shared statement counts one, an open tension two: it is a question both must face.
    """
    here = set(LineScope(corpus, line).members)
    found = []
    for other in corpus.lines.values():
        if other.id == line.id:
            continue
        there = set(LineScope(corpus, other).members)
        shared = [id for id in sorted(here & there) if id in corpus.statements]
        tensions = _tensions(corpus, here - there, there - here)
        if shared or tensions:
            found.append(Neighbour(other.id, shared, tensions))
    return sorted(found, key=lambda n: (-len(n.shared) - 2 * len(n.tensions), n.line))


def _tensions(corpus: Corpus, here: set[str], there: set[str]) -> list[Clash]:
    """Contradictions from one line's own claims to the other's that nothing answers."""
    crossing = [
        edge
        for id in sorted(here | there)
        for edge in corpus.edges_from.get(id, ())
        if edge.relation is Relation.CONTRADICTS
        and edge.target in (there if id in here else here)
        and corpus.statements[id].kind is not Kind.EVIDENCE
    ]
    return [clash for clash in pair_up(corpus, crossing) if not is_answered(corpus, clash)]


def next_lines(builder: PageBuilder, line: InquiryLine) -> Html:
    """Next questions as written, then other computed ones, each with why."""
    found = {near.line: near for near in neighbours(builder.context.corpus, line)}
    parts: list[Child] = []
    if line.next:
        rows = [_written(builder, step, found.pop(step.target or "", None)) for step in line.next]
        parts += [
            element("h3", "What the essay leads to", id="next-written"),
            element("ul", *rows, class_="kg-plain"),
        ]
    if found:
        lead = (
            "Computed: inquiry lines that use the same statements, or whose claims contradict "
            "claims of this one without an answer so far."
        )
        rows = [
            element("li", builder.any(one.line), _ties(builder, one), class_="kg-near")
            for one in list(found.values())[:LISTED]
        ]
        title = "Other lines close to this one" if line.next else "Lines close to this one"
        parts += [
            element("h3", title, id="next-computed"),
            element("p", lead, class_="kg-lead-in"),
            element("ul", *rows, class_="kg-plain"),
        ]
    return join_children(parts)


def _written(builder: PageBuilder, step: NextStep, near: Neighbour | None) -> Html:
    if step.target is None:
        return element("li", builder.words(step.question, step.span.path))
    why = builder.words(step.reason, step.span.path)
    return element(
        "li",
        builder.any(step.target),
        element("span", why, class_="kg-reason") if why else None,
        _ties(builder, near) if near else None,
    )


def _ties(builder: PageBuilder, near: Neighbour) -> list[Html | None]:
    """What two lines share, and where they clash."""
    tensions = [
        [builder.statement(one.left), " against ", builder.statement(one.right)]
        for one in near.tensions
    ]
    return [
        _why(
            f"{count_of(len(near.shared), 'statement')} in both",
            map(builder.statement, near.shared),
        ),
        _why(f"{count_of(len(tensions), 'contradiction')} between the two, unanswered", tensions),
    ]


def _why(label: str, things: Iterable[Child]) -> Html | None:
    """A count that unfolds into the things that were counted."""
    items = [element("li", thing) for thing in things]
    if not items:
        return None
    return folded(label, element("ul", *items, class_="kg-plain"))
