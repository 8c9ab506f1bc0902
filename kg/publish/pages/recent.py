"""Recent changes: day by day from git if possible, else by the dates in the notes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from functools import partial

from kg.model import InquiryLine, Statement
from kg.publish.components.history import (
    day_of_last_commit,
    describe_answer_move,
    describe_asked_anew,
    has_changed_side,
    is_asked_now,
)
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.changed_words import before_and_after, marked_words
from kg.publish.markup.html import Child, Html, collapsible, element, join, row_name, table
from kg.publish.markup.phrases import KINDS, count_of, render_date
from kg.publish.page import WHOLE_CORPUS, LazyPage, Page
from kg.publish.page_builder import PageBuilder
from kg.queries.history.change_summary import ChangeGroup, ChangeSummary, Step
from kg.queries.history.changes import LEAST_MOVE_REMARKED, Cause, VerdictChange
from kg.queries.history.move_reasons import Happening, HappeningKind

RECENT = 100  # notes, without git
_SORTS: dict[str, tuple[str] | tuple[str, str]] = {
    "line": ("question",),
    "statement": ("claim",),
    "evidence": ("piece of evidence", "pieces of evidence"),
    "source": ("source",),
}
_COUNTED_TOGETHER = ("reworded", "changed")  # what became of things that are neither new nor gone
_FATE_WORDS = {
    "changed": "changed in detail",
    "merged": "merged into others",
    "concern": "under an expression of concern",
    "ok": "found to stand",
}


def recent_pages(context: SiteContext) -> Iterator[LazyPage]:
    """One page of the latest changes."""
    yield LazyPage("recent.html", partial(_recent_page, context), WHOLE_CORPUS)


def _recent_page(context: SiteContext) -> Page:
    builder = PageBuilder(context, "recent.html")
    feed = element("a", "feed", href=builder.root + "feed.xml")
    steps = context.past.steps
    if steps:
        builder.section("now", "The answers now", _answers_now(builder))
    for step in steps:
        _answers(builder, step)
    _add_other_changes(builder, steps)
    if not steps:
        _by_date(builder)
    lead: Child = ("The latest first; the same comes as a ", feed, ".")
    if steps:
        small = f"Moves of less than {LEAST_MOVE_REMARKED:.2f} that change no word are left out."
        then = "Each day has the strengths (0 to 1) and the questions of that day."
        lead = ("Which answers moved, and why? Also as a ", feed, f". {then} {small}")
    description = "The latest changes of the notes."
    return builder.overview("What changed lately", description, lead=lead)


# -- from git ------------------------------------------------------------------------------


def _answers_now(builder: PageBuilder) -> Html | None:
    """Where each answer stands today, so that nobody takes an old number for it."""
    rows: list[list[Child]] = [
        [
            row_name(builder.link_of(line.id)),
            builder.sureness_word(verdict.sureness),
            "no number" if verdict.strength is None else f"{verdict.strength:.2f}",
        ]
        for line in builder.context.corpus.lines.values()
        if (verdict := builder.context.strengths.verdict(line.id)) is not None
    ]
    return table(("Question", "Answer so far", "Strength"), rows, "The answers now") or None


def _answers(builder: PageBuilder, step: Step) -> None:
    """Add the answers and questions that changed on a day, or on several: answers that turned round
    first, then those that moved, the furthest first, then the questions that are put otherwise.
    """
    summary = step.summary
    answers = sorted(
        summary.verdicts, key=lambda moved: (not has_changed_side(moved), -_size_of_move(moved))
    )
    rows = [_verdict_change(builder, summary, moved) for moved in answers]
    compared = {moved.line for moved in (*summary.anew, *summary.verdicts)}
    recast = [
        id for group in summary.groups if _is_of_replaced_questions(group) for id in group.first
    ]
    rows += [
        _question_asked_anew(builder, summary, moved, moved.line in recast)
        for moved in summary.anew
    ]
    rows += [_question_replaced_row(builder, summary, id) for id in recast if id not in compared]
    still = [
        id
        for id in _lines_with_reworded_question(summary)
        if id not in compared and id not in recast
    ]
    rows += [_rewording_alone(builder, summary, id) for id in still]
    listed = element("ul", *rows, class_="kg-plain kg-changes") if rows else None
    builder.section(f"day-{step.day.isoformat()}", _days(step), listed)


def _size_of_move(moved: VerdictChange) -> float:
    """How far an answer moved."""
    return abs((moved.after or 0.0) - (moved.before or 0.0))


def _add_other_changes(builder: PageBuilder, steps: Sequence[Step]) -> None:
    """Add the changes other than answers, with a fold for each day."""
    rows = [
        element("li", rest, id=f"else-{step.day.isoformat()}")
        for step in steps
        if (rest := _describe_other_changes(builder, step)) is not None
    ]
    listed = element("ul", *rows, class_="kg-plain") if rows else None
    builder.section("all-else", "All else that changed", listed)


def _days(step: Step) -> str:
    first, last = render_date(step.since), render_date(step.day)
    return last if first == last else f"{first} to {last}"


def _is_of_replaced_questions(group: ChangeGroup) -> bool:
    """Whether the group is of lines that now weigh another claim, so answers cannot be compared."""
    return (group.sort, group.fate) == ("line", "recast")


def _question_replaced_row(builder: PageBuilder, summary: ChangeSummary, id: str) -> Html:
    """Say that a line now weighs another claim."""
    did = "The claim that it weighs was changed."
    return element("li", _line_then(builder, summary, id), " ", did, _both_wordings(summary, id))


def _question_asked_anew(
    builder: PageBuilder, summary: ChangeSummary, moved: VerdictChange, is_recast: bool
) -> Html:
    question = _question(builder, summary, moved)
    asks_otherwise = moved.line in _lines_with_reworded_question(summary)
    same = "It is asked in other words." if asks_otherwise else "Its claim is put in other words."
    did = "It weighs another claim." if is_recast else same
    answers = describe_asked_anew(moved)
    return element("li", question, " ", did, " ", answers, _both_wordings(summary, moved.line))


def _rewording_alone(builder: PageBuilder, summary: ChangeSummary, id: str) -> Html:
    """Say that a line asks in other words, and that its answer is as strong as it was."""
    did = "It is asked in other words; its answer hardly moved."
    return element("li", _line_then(builder, summary, id), " ", did, _both_wordings(summary, id))


def _both_wordings(summary: ChangeSummary, id: str) -> list[Html]:
    """A line's question and the claim that it weighs, before and after, and why they differ."""
    fields = {field: (was, now) for field, was, now in summary.rewordings.get(id, ())}
    pairs = [("Question", *fields.get("question", ("", "")))]
    pairs.append(("Claim weighed", *summary.claims.get(id, ("", ""))))
    shown = [before_and_after(name, was, now) for name, was, now in pairs if was and was != now]
    given = summary.given.get(id)
    why = (
        element("p", f"The record of the change says: “{given}”", class_="kg-small")
        if given
        else None
    )
    return [*shown, *([why] if why else [])]


def _is_of_lines(group: ChangeGroup) -> bool:
    """Whether the group is of lines with a reworded question or answer, which are shown in full."""
    return (group.sort, group.fate) == ("line", "reworded")


def _describe_other_changes(builder: PageBuilder, step: Step) -> Child:
    """The other changes of a day: counted in a sentence, and named in its fold."""
    counts, listed = _count_rest(step.summary), _list_rest(builder, step.summary)
    if not counts:
        return None
    words = f"{_days(step)}: {', '.join(counts)}"
    return collapsible(words, element("ul", *listed, class_="kg-plain")) if listed else words


def _reworded_lines(summary: ChangeSummary) -> list[str]:
    """The lines that ask, answer or doubt in other words, of which it is known in which."""
    ids = [id for group in summary.groups if _is_of_lines(group) for id in group.first]
    return [id for id in ids if summary.rewordings.get(id)]


def _lines_with_reworded_question(summary: ChangeSummary) -> list[str]:
    """The lines whose question is put in other words."""
    return [
        id
        for id in _reworded_lines(summary)
        if "question" in {field for field, *_ in summary.rewordings[id]}
    ]


def _other_groups(summary: ChangeSummary) -> list[ChangeGroup]:
    """What is not told of each line by itself."""
    return [
        each
        for each in summary.groups
        if not _is_of_lines(each) and not _is_of_replaced_questions(each)
    ]


def _count_rest(summary: ChangeSummary) -> list[str]:
    """`2 claims added`, `1 link removed`: what is new or gone by its sort, the rest in one."""
    others = _other_groups(summary)
    large = [each for each in others if each.fate not in _COUNTED_TOGETHER]
    counts = [f"{count_of(g.count, *_SORTS[g.sort])} {_describe_fate(g)}" for g in large]
    small = (
        sum(g.count for g in others if g not in large)
        + sum(summary.links)
        + len(_reworded_lines(summary))
    )
    return counts + [count_of(small, f"{'smaller ' if large else ''}change")] * bool(small)


def _list_rest(builder: PageBuilder, summary: ChangeSummary) -> list[Html]:
    """The same by name; links have none and are counted."""
    listed = [_rewording(builder, summary, id) for id in _reworded_lines(summary)]
    listed += [_group(builder, summary, group) for group in _other_groups(summary)]
    fates = zip(summary.links, ("added", "changed", "removed"), strict=True)
    links = ", ".join(f"{count_of(count, 'link')} {fate}" for count, fate in fates if count)
    return [*listed, element("li", element("p", links, "."))] if links else listed


def _rewording(builder: PageBuilder, summary: ChangeSummary, id: str) -> Html:
    """A line's question, answer or doubts, before and after."""
    rows = [
        before_and_after(field.capitalize(), was, now)
        for field, was, now in summary.rewordings[id]
        if field != "question"
    ]
    head = element("p", _line_then(builder, summary, id), ":")
    return element("li", head, *rows)


def _line_then(builder: PageBuilder, summary: ChangeSummary, id: str) -> Child:
    """A line in the words of that day; if it is asked otherwise now, with a link to it."""
    corpus = builder.context.corpus
    now = corpus.find_id(id)
    then = summary.titles.get(id, id)
    if now is None or now not in corpus.lines or corpus.lines[now].title == then:
        return _link_or_title(builder, summary, id)
    return _old_title_and_link(builder, then, now)


def _old_title_and_link(builder: PageBuilder, then: str, now: str) -> Html:
    href = builder.root + builder.context.addresses.of(now)
    since = element("a", "since reworded", href=href)
    return join("", [then, " (", since, ")"])


def _link_or_title(builder: PageBuilder, summary: ChangeSummary, id: str) -> Child:
    """A link to what still exists, or the title that it had."""
    now = builder.context.corpus.find_id(id)
    return summary.titles.get(id, id) if now is None else builder.link_of(now)


def _question(builder: PageBuilder, summary: ChangeSummary, moved: VerdictChange) -> Child:
    """The question as it was worded then, since the answer was given to that wording."""
    corpus = builder.context.corpus
    if is_asked_now(corpus, moved):
        return _link_or_title(builder, summary, moved.line)
    now = corpus.find_id(moved.line)
    if now is None:
        return moved.asked[0]
    return _old_title_and_link(builder, moved.asked[0], now)


def _verdict_change(builder: PageBuilder, summary: ChangeSummary, moved: VerdictChange) -> Html:
    question = _question(builder, summary, moved)
    parts: list[Child] = [question, " ", describe_answer_move(moved)]
    happened = summary.happened.get(moved.line, {})
    causes = [
        element(
            "li",
            [_link_or_title(builder, summary, c.statement), " ", _describe_cause(c)],
            _describe_happenings(builder, summary, c.statement, happened.get(c.statement, ())),
        )
        for c in moved.causes
    ]
    because = element("p", "Mostly because", class_="kg-small")
    return element(
        "li",
        element("strong", *parts) if has_changed_side(moved) else parts,
        [because, element("ul", *causes, class_="kg-small")] if causes else None,
    )


def _describe_happenings(
    builder: PageBuilder, summary: ChangeSummary, around: str, happened: Sequence[Happening]
) -> Child:
    """What happened at a reason or beneath it: `: the objection was added: …`."""
    told = [_describe_happening(builder, summary, around, each) for each in happened]
    return [": ", join("; ", told)] if told else None


def _describe_happening(
    builder: PageBuilder, summary: ChangeSummary, around: str, each: Happening
) -> Child:
    itself = each.statement == around
    named = "" if itself else _link_or_title(builder, summary, each.statement)
    of = "" if itself else [" of ", named]
    if each.kind is HappeningKind.LINK:
        link = "its link" if itself else ["the link from ", named]
        return [
            link,
            f" now {_describe_link(each.now)}, and before {_describe_link(each.was, was=True)}",
        ]
    if each.kind is HappeningKind.GRADE:
        return ["the quality", of, f" went from {each.was} to {each.now}"]
    if each.kind is HappeningKind.SOURCE:
        return ["a source", of, f" is now marked: {each.now}"]
    return [f"{each.kind}, ", named]


def _describe_link(word: str, *, was: bool = False) -> str:
    """How much a link carries according to the notes, as a verb."""
    if word == "full":
        return "counted in full" if was else "counts in full"
    return f"{'was' if was else 'is'} called {word}"


def _describe_cause(cause: Cause) -> str:
    """What happened to a reason: it was added, removed, or has another weight in the answer."""
    if cause.before is None or cause.after is None:
        return "is a new reason" if cause.before is None else "is no longer a reason"
    if cause.before * cause.after < 0:
        return "speaks for the other side"
    return "weighs more" if abs(cause.after) > abs(cause.before) else "weighs less"


def _group(builder: PageBuilder, summary: ChangeSummary, group: ChangeGroup) -> Html:
    was = group.fate == "merged"
    name = _line_then if group.sort == "line" else _link_or_title
    rows = [
        element(
            "li",
            [summary.titles[id], " → "] if was else None,
            name(builder, summary, id),
            _former_wording(summary, id) if group.fate == "reworded" else None,
        )
        for id in group.first
    ]
    if more := group.count - len(rows):
        rows.append(element("li", f"and {more} more", class_="kg-small"))
    head = element("p", f"{count_of(group.count, *_SORTS[group.sort])} {_describe_fate(group)}:")
    return element("li", head, element("ul", *rows, class_="kg-plain kg-touched"))


def _former_wording(summary: ChangeSummary, id: str) -> Html | None:
    """The title before, with the words marked that are gone, where it has another one since."""
    if id not in summary.former:
        return element("span", " (its text, not its title)", class_="kg-small")
    was, now = summary.former[id], summary.titles[id]
    return element("div", "before: ", *marked_words(was, now, "del"), class_="kg-small")


def _describe_fate(group: ChangeGroup) -> str:
    return _FATE_WORDS.get(group.fate, group.fate)


# -- by dates ------------------------------------------------------------------------------


def _by_date(builder: PageBuilder) -> None:
    context, corpus = builder.context, builder.context.corpus
    notes: list[InquiryLine | Statement] = [*corpus.lines.values(), *corpus.statements.values()]
    dated = [
        (day, n.id)
        for n in notes
        if "#" not in n.id
        and (day := n.updated or day_of_last_commit(context, n.span.path) or n.created)
    ]
    dated.sort(key=lambda item: item[1])
    dated.sort(key=lambda item: item[0], reverse=True)
    days: dict[dt.date, list[Child]] = {}
    for day, id in dated[:RECENT]:
        kind = KINDS[corpus.statements[id].kind] if id in corpus.statements else "Inquiry line"
        days.setdefault(day, []).append(
            element("li", builder.link_of(id), element("span", kind, class_="kg-small"))
        )
    for day, items in days.items():
        builder.section(
            f"day-{day.isoformat()}", render_date(day), element("ul", *items, class_="kg-plain")
        )
    if not days:
        builder.add(element("p", "No note carries a date.", class_="kg-none"))
