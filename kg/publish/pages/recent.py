"""Recent changes: day by day from git if possible, else by the dates in the notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby

from kg.history.change_summary import ChangeGroup, ChangeSummary, HistoryStep
from kg.history.move_causes import MoveCause, MoveCauseKind
from kg.history.moved_answers import MovedAnswer, MovedReason
from kg.model import InquiryLine, Statement
from kg.publish.components.answer_history import anchor_of_step
from kg.publish.components.answer_moves import (
    answers_now,
    count_moves,
    describe_answer_move,
    describe_moved_reason,
    has_changed_side,
    has_changed_word,
    is_asked_now,
)
from kg.publish.components.marked_wordings import before_and_after, marked_words
from kg.publish.components.note_record import day_of_page
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.html import Child, Html, collapsible, element, item_list, join
from kg.publish.markup.phrases import KINDS, render_date
from kg.publish.page import WHOLE_CORPUS, LazyPage, Page
from kg.publish.page_builder import PageBuilder
from kg.reasoning.line_answers import LEAST_MOVE_REMARKED
from kg.text.plurals import count_of

RECENT = 100  # notes, without git
_SORTS: dict[str, tuple[str] | tuple[str, str]] = {
    "line": ("question",),
    "statement": ("claim",),
    "evidence": ("finding",),
    "source": ("source",),
}
_FROM_AFAR = "its own reasons are the same; marks or reasons beneath them changed"
_RECAST = " Another claim decides it now."
_HARDLY_MOVED = " The question was reworded; its answer hardly moved."
_NUMBERS = (
    ". Numbers are strengths, from 0 to 1, before any check. Moves of less than "
    f"{LEAST_MOVE_REMARKED:.2f} that change no word are left out."
)
_DRAFTS = (
    "These questions were worded otherwise when their answers moved: take these answers for drafts."
)
_ADVERBS = {"weak": "weakly", "moderate": "moderately", "strong": "strongly", "full": "in full"}
_COUNTED_TOGETHER = ("reworded", "changed")  # what became of things that are neither new nor gone
_FATE_WORDS = {
    "changed": "changed in detail",
    "merged": "merged into others",
    "concern": "under an expression of concern",
    "ok": "found to stand",
}


def recent_pages(context: SiteContext) -> Iterator[LazyPage]:
    """Yield one page of the latest changes."""
    yield LazyPage("recent.html", partial(_recent_page, context), WHOLE_CORPUS)


def _recent_page(context: SiteContext) -> Page:
    builder = PageBuilder(context, "recent.html")
    feed = element("a", "feed", href=builder.root + "feed.xml")
    steps = context.past.steps
    if steps:
        builder.section("now", "The answers now", answers_now(builder))
    count, drafts = _count_since_present_wording(builder, steps), list[Html]()
    latest = next((step for step in steps[:count] if _moved_answers(step.summary)), None)
    for number, step in enumerate(steps):
        changes = _list_changed_answers(builder, step, is_latest=step is latest)
        if number < count:
            builder.section(anchor_of_step(step), _days_of_step(step), changes)
        elif changes:
            answers = count_of(len(_moved_answers(step.summary)), "answer")
            details = collapsible(f"{_days_of_step(step)}: {answers} moved", changes)
            drafts.append(element("div", details, id=anchor_of_step(step)))
    builder.section("drafts", "While the questions were still reworded", *drafts, lead=_DRAFTS)
    _add_other_changes(builder, steps)
    lead: Child = ("Also as a ", feed, ".")
    if steps:
        builder.add(element("p", "Also as a ", feed, _NUMBERS, class_="kg-small"))
        moves = _latest_move(builder, latest) if latest else _no_move_since(steps)
        lead = [_span_of_record(steps), moves] if context.corpus.lines else None
    else:
        _by_date(builder)
    return builder.overview(
        "Changes", "The latest changes of the notes.", lead=lead, names=("What changed lately",)
    )


def _count_since_present_wording(builder: PageBuilder, steps: Sequence[HistoryStep]) -> int:
    """Count the latest steps, back to the first answer to a question in its present words."""
    corpus = builder.context.corpus
    counts = [
        count
        for count, step in enumerate(steps, start=1)
        if any(is_asked_now(corpus, each) for each in step.summary.compared_answers)
    ]
    return counts[-1] if counts else 0


def _span_of_record(steps: Sequence[HistoryStep]) -> str:
    """`Changes since 20 November 2026, the last on 30 November 2026. `"""
    first, last = render_date(steps[-1].since), render_date(steps[0].day)
    return f"Changes since {first}, the last on {last}. "


def _no_move_since(steps: Sequence[HistoryStep]) -> str:
    """Say that no answer has moved, since when at the latest, and how often answers had before."""
    day = next((step.day for step in steps if step.summary.has_new_wording), None)
    if day is None:
        return "No answer has moved in that time."
    moves = sum(len(_moved_answers(step.summary)) for step in steps)
    words = f"since the last question got its present words on {render_date(day)}"
    drafts = f" Before that, answers moved {count_of(moves, 'time')}: see below." if moves else ""
    return f"No answer has moved {words}.{drafts}"


def _list_changed_answers(builder: PageBuilder, step: HistoryStep, *, is_latest: bool) -> Html:
    """The answers and questions that changed on a day, or on several: answers first, then the
    questions that are put otherwise. Why answers moved is collapsed but for the latest moves.
    """
    summary = step.summary
    moved_answers = _moved_answers(summary)
    others = [each for each in summary.compared_answers if each not in moved_answers]
    rows = [
        _answer_move(builder, summary, each, is_latest=is_latest)
        for each in (*moved_answers, *others)
    ]
    compared_ids = {change.line for change in summary.compared_answers}
    remarks = dict.fromkeys(summary.lines_with_reworded_question, _HARDLY_MOVED)
    remarks |= dict.fromkeys(summary.lines_of_fate("recast"), _RECAST)
    rows += [
        _reworded_question(builder, summary, id, remark)
        for id, remark in remarks.items()
        if id not in compared_ids
    ]
    return item_list(rows, "kg-plain kg-changes")


def _latest_move(builder: PageBuilder, step: HistoryStep) -> Child:
    """`28 November 2026: both answers shifted; one changed its word: When …?`."""
    corpus, answers = builder.context.corpus, _moved_answers(step.summary)
    is_reworded = not is_asked_now(corpus, answers[0]) and corpus.find_id(answers[0].line)
    question = _question_then(builder, step.summary, answers[0])
    end = ". " if is_reworded else " "  # a remark in brackets follows a reworded question
    words = count_moves(answers, len(corpus.lines))
    return [f"{_days_of_step(step)}: {words}", question, end]


def _moved_answers(summary: ChangeSummary) -> list[MovedAnswer]:
    """The answers that moved, also to claims put in other words, but not to other claims.

    First come those that turned round or have another word, then the rest, the farthest first.
    """
    recast_ids = summary.lines_of_fate("recast")

    def rank(change: MovedAnswer) -> tuple[bool, bool, float]:
        distance = abs((change.strength_after or 0.0) - (change.strength_before or 0.0))
        return not has_changed_side(change), not has_changed_word(change), -distance

    return sorted((a for a in summary.compared_answers if a.line not in recast_ids), key=rank)


def _add_other_changes(builder: PageBuilder, steps: Sequence[HistoryStep]) -> None:
    """Add the changes other than answers, with a collapsible for each day."""
    rows = [
        element("li", rest, id=f"else-{step.day.isoformat()}")
        for step in steps
        if (rest := _describe_other_changes(builder, step))
    ]
    builder.section("all-else", "All else that changed", item_list(rows))


def _days_of_step(step: HistoryStep) -> str:
    first, last = render_date(step.since), render_date(step.day)
    return last if first == last else f"{first} to {last}"


def _reworded_question(
    builder: PageBuilder, summary: ChangeSummary, id: str, remark: Child
) -> Html:
    """A line that asks something else, or in other words, with a remark on its answer."""
    return element(
        "li", _line_then(builder, summary, id), remark, _collapsible_wordings(summary, id)
    )


def _collapsible_wordings(summary: ChangeSummary, id: str) -> Html | None:
    """A line's question and the claim that it weighs, before and after, collapsed."""
    fields = {field: (old, new) for field, old, new in summary.rewordings.get(id, ())}
    pairs = {
        "Question": fields.get("question", ("", "")),
        "Claim weighed": summary.claims.get(id, ("", "")),
    }
    wordings = [
        before_and_after(name, old, new) for name, (old, new) in pairs.items() if old and old != new
    ]
    return collapsible("The words before and now", *wordings) if wordings else None


def _describe_other_changes(builder: PageBuilder, step: HistoryStep) -> Child:
    """The other changes of a day: counted in a sentence, and named in its collapsible."""
    counts = _count_rest(step.summary)
    if not counts:
        return None
    words = f"{_days_of_step(step)}: {', '.join(counts)}"
    names = item_list(_list_rest(builder, step.summary))
    return collapsible(words, names) if names else words


def _other_groups(summary: ChangeSummary) -> list[ChangeGroup]:
    """The groups of changes that are not listed line by line."""
    return [
        each
        for each in summary.groups
        if each.sort != "line" or each.fate not in ("recast", "reworded")
    ]


def _count_rest(summary: ChangeSummary) -> list[str]:
    """`2 claims added`, `1 link removed`: what is new or gone by its sort, the rest in one."""
    others = _other_groups(summary)
    counted_groups = [each for each in others if each.fate not in _COUNTED_TOGETHER]
    counts = [f"{count_of(g.count, *_SORTS[g.sort])} {_describe_fate(g)}" for g in counted_groups]
    small_count = (
        sum(g.count for g in others if g not in counted_groups)
        + sum(summary.links)
        + len(summary.reworded_lines)
    )
    noun = "smaller change" if counted_groups else "change"
    return [*counts, count_of(small_count, noun)] if small_count else counts


def _list_rest(builder: PageBuilder, summary: ChangeSummary) -> list[Html]:
    """The same by name; links have none and are counted."""
    items = [_rewording_of_line(builder, summary, id) for id in summary.reworded_lines]
    items += [_group_of_changes(builder, summary, group) for group in _other_groups(summary)]
    fates = zip(summary.links, ("added", "changed", "removed"), strict=True)
    links = ", ".join(f"{count_of(count, 'link')} {fate}" for count, fate in fates if count)
    return [*items, element("li", element("p", links, "."))] if links else items


def _rewording_of_line(builder: PageBuilder, summary: ChangeSummary, id: str) -> Html:
    """A line's question, answer or doubts, before and after."""
    rows = [
        before_and_after(field.capitalize(), old, new)
        for field, old, new in summary.rewordings[id]
        if field != "question"
    ]
    return element("li", element("p", _line_then(builder, summary, id), ":"), *rows)


def _line_then(builder: PageBuilder, summary: ChangeSummary, id: str) -> Child:
    """A line in the words of that day; if it is asked otherwise now, with a link to it."""
    corpus = builder.context.corpus
    line = corpus.lines.get(corpus.find_id(id) or "")
    title = summary.titles.get(id, id)
    if line is None or line.title == title:
        return _link_or_title(builder, summary, id)
    return _old_title_and_link(builder, title, line.id)


def _old_title_and_link(builder: PageBuilder, old_title: str, current_id: str) -> Html:
    href = builder.root + builder.context.addresses.of(current_id)
    return join("", [old_title, " (", element("a", "since reworded", href=href), ")"])


def _link_or_title(builder: PageBuilder, summary: ChangeSummary, id: str) -> Child:
    """A link to what still exists, or the title that it had."""
    current_id = builder.context.corpus.find_id(id)
    return summary.titles.get(id, id) if current_id is None else builder.link_of(current_id)


def _question_then(builder: PageBuilder, summary: ChangeSummary, change: MovedAnswer) -> Child:
    """The question as it was worded then, since the answer was given to that wording."""
    corpus = builder.context.corpus
    if is_asked_now(corpus, change):
        return _link_or_title(builder, summary, change.line)
    current_id = corpus.find_id(change.line)
    if current_id is None:
        return change.asked[0]
    return _old_title_and_link(builder, change.asked[0], current_id)


def _answer_move(
    builder: PageBuilder, summary: ChangeSummary, change: MovedAnswer, *, is_latest: bool
) -> Html:
    """How an answer moved, whether the question was put in other words, and what moved it."""
    move = describe_answer_move(change, builder.settings)
    parts: list[Child] = [_question_then(builder, summary, change), " ", move]
    head: Child = parts
    if has_changed_side(change) and not change.reworded:
        head = element("strong", *parts)
    is_recast = change.line in summary.lines_of_fate("recast")
    if is_recast or change in summary.recast_answers:
        asks_otherwise = change.line in summary.lines_with_reworded_question
        what = "The question" if asks_otherwise else "Its claim"
        remark = "Another claim decides it." if is_recast else f"{what} was reworded."
        head = [head, " ", remark, _collapsible_wordings(summary, change.line)]
    causes_by_reason = summary.move_causes.get(change.line, {})
    causes: list[Child] = [
        [
            [_link_or_title(builder, summary, c.statement), " ", describe_moved_reason(c)],
            _describe_move_causes(builder, summary, c, causes_by_reason.get(c.statement, ())),
        ]
        for c in ([] if is_recast else change.reasons)
    ]
    label, cause_list = "Mostly because", item_list(causes, "kg-small")
    if not causes:
        return element("li", head)
    if is_latest:
        return element("li", head, element("p", label, class_="kg-small"), cause_list)
    return element("li", head, collapsible(label, cause_list))


def _describe_move_causes(
    builder: PageBuilder, summary: ChangeSummary, reason: MovedReason, causes: Sequence[MoveCause]
) -> Child:
    """Describe what happened at a reason that is neither new nor gone, or beneath it."""
    if None in (reason.share_before, reason.share_after):
        return None
    parts = [_describe_move_cause(builder, summary, reason.statement, each) for each in causes]
    return [": ", join("; ", parts or [_FROM_AFAR])]


def _describe_move_cause(
    builder: PageBuilder, summary: ChangeSummary, reason_id: str, cause: MoveCause
) -> Child:
    is_itself = cause.statement == reason_id
    name = "" if is_itself else _link_or_title(builder, summary, cause.statement)
    of_statement = "" if is_itself else [" of ", name]
    if cause.kind is MoveCauseKind.LINK:
        what = ("it bears ", " on the question") if is_itself else (name, " bears ", " on it")
        start, end = what[:-1], f"{what[-1]}, not {_ADVERBS[cause.was]}"
        return ["we now think ", *start, _ADVERBS[cause.now], end]
    if cause.kind is MoveCauseKind.QUALITY:
        return ["the quality", of_statement, f" went from {cause.was} to {cause.now}"]
    if cause.kind is MoveCauseKind.SOURCE:
        return ["a source", of_statement, f" is now marked: {cause.now}"]
    return [f"{cause.kind}, ", name]


def _group_of_changes(builder: PageBuilder, summary: ChangeSummary, group: ChangeGroup) -> Html:
    is_merged = group.fate == "merged"
    make_name = _line_then if group.sort == "line" else _link_or_title
    rows: list[Child] = [
        [
            [summary.titles[id], " → "] if is_merged else None,
            make_name(builder, summary, id),
            _former_wording(summary, id) if group.fate == "reworded" else None,
        ]
        for id in group.first
    ]
    if omitted := group.count - len(rows):
        rows.append(element("li", f"and {omitted} more", class_="kg-small"))
    head = element("p", f"{count_of(group.count, *_SORTS[group.sort])} {_describe_fate(group)}:")
    return element("li", head, item_list(rows, "kg-plain kg-touched"))


def _former_wording(summary: ChangeSummary, id: str) -> Html | None:
    """The title before, with the words marked that are gone, where it has another one since."""
    if id not in summary.former:
        return element("span", " (its text, not its title)", class_="kg-small")
    old_title, new_title = summary.former[id], summary.titles[id]
    return element("div", "before: ", *marked_words(old_title, new_title, "del"), class_="kg-small")


def _describe_fate(group: ChangeGroup) -> str:
    return _FATE_WORDS.get(group.fate, group.fate)


# -- by dates ------------------------------------------------------------------------------


def _by_date(builder: PageBuilder) -> None:
    context, corpus = builder.context, builder.context.corpus
    notes: list[InquiryLine | Statement] = [*corpus.lines.values(), *corpus.statements.values()]
    days_and_ids = [
        (day, note.id)
        for note in notes
        if "#" not in note.id and (day := day_of_page(context, note))
    ]
    days_and_ids.sort(key=lambda item: (-item[0].toordinal(), item[1]))
    for day, notes_of_day in groupby(days_and_ids[:RECENT], key=lambda item: item[0]):
        items: list[Child] = []
        for _, id in notes_of_day:
            kind = KINDS[corpus.statements[id].kind] if id in corpus.statements else "Question"
            items.append([builder.link_of(id), " ", element("span", kind, class_="kg-small")])
        builder.section(f"day-{day.isoformat()}", render_date(day), item_list(items))
    if not days_and_ids:
        builder.add(element("p", "No note carries a date.", class_="kg-none"))
