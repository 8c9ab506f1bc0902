"""The essay of an inquiry line, with the statements it rests on in the margin."""

from __future__ import annotations

from functools import partial

from kg.model import InquiryLine, Kind, Statement, StatementId
from kg.publish.components.evidence import objection_in_short
from kg.publish.components.line.best_reasons import best_reasons, main_evidence
from kg.publish.components.line.essay_tables import CountedTables
from kg.publish.components.strength_bar import legend_of_signs, signs_of
from kg.publish.markup.html import (
    EMPTY,
    Html,
    collapsible,
    element,
    item_list,
    join_children,
)
from kg.publish.markup.phrases import capitalize_first, render_date
from kg.publish.markup.prose import TextPlace
from kg.publish.page_builder import PageBuilder
from kg.queries.review import has_changed_since_review, statements_changed_since_review
from kg.text.plurals import count_of, number_in_words

MAX_NOTES_IN_MARGIN = 2  # beside one paragraph
# Characters of a paragraph per card, and in the gap beneath it; with more cards, they would drift
# away from it.
LETTERS_PER_NOTE, LETTERS_PER_GAP = 330, 60


def add_essay(builder: PageBuilder, line: InquiryLine) -> list[frozenset[StatementId]]:
    """Add the essay, with statements in the margin, and marks where these have changed since;
    return the sets of findings that a reader may leave out by its tables.
    """
    if not line.essay:
        return []
    tables = CountedTables(builder, line)
    place = TextPlace(
        path=line.span.path,
        root=builder.root,
        line_id=line.id,
        mark="essay-",
        deeper=1,
        beside=_Margin(builder, line).cards_beside,
        signs=partial(_link_marks, builder, line),
        for_table=tables.add_to,
    )
    essay = builder.context.prose(line.essay, place)
    body = element("div", Html(essay.html), class_="kg-body kg-essay")
    notes = _claims_without_evidence(builder, line)
    tools = element(
        "div", legend_of_signs(builder), notes, data_kg_weights=True, class_="kg-reading"
    )
    builder.section("essay", "Essay", standfirst(builder, line), tools, body)
    builder.toc += essay.headings
    return tables.losses


def standfirst(builder: PageBuilder, line: InquiryLine) -> Html | None:
    """The paragraph on what is known and what is in dispute."""
    if not line.standfirst:
        return None
    return element(
        "p", builder.inline_html(line.standfirst, line.span.path), class_="kg-standfirst"
    )


def _link_marks(builder: PageBuilder, line: InquiryLine, id: str) -> Html:
    """The marks at a link: its statement's standing, whether it has changed since the review, and
    on paper, which has no margin, the works of a finding.
    """
    statement = builder.context.corpus.statements.get(id)
    if statement is None:
        return signs_of(builder, id)
    changed = papers = None
    if has_changed_since_review(statement, line, builder.context.history):
        title = "Changed since the essay was reviewed"
        changed = element("span", "↻", class_="kg-changed", title=title)
    if statement.kind is Kind.EVIDENCE and statement.sources:
        names = (builder.link_maker.names.get(key, key) for key in statement.sources)
        papers = element("span", f" ({'; '.join(names)})", class_="kg-paper-cite")
    return join_children((signs_of(builder, id), changed, papers))


class _Margin:
    """The cards beside an essay, filled from its first paragraph to its last."""

    def __init__(self, builder: PageBuilder, line: InquiryLine) -> None:
        corpus = builder.context.corpus
        verdict = builder.context.answers.verdict(line.id) if line.proposition else None
        self.builder = builder
        self.line = line
        self.ids_in_box = {
            main_evidence(builder, reason.statement)
            for _, reason in (best_reasons(corpus, verdict) if verdict else ())
        }
        self.shown = set[object]()  # the papers on earlier cards
        self.first_of_paper = dict[
            object, Statement
        ]()  # the finding that a paper is first cited for
        self.letters_taken = 0  # of the next paragraph, by cards of earlier ones

    def cards_beside(self, linked_ids: list[str], letters: int) -> Html:
        """Small cards beside a paragraph on the studies that it links to, as many as fit, one for
        each paper, but for those in the box: of a claim, the link says all that a card would.
        """
        statements = self.builder.context.corpus.statements
        linked_statements = [statements[id] for id in linked_ids if id in statements]
        for each in linked_statements:
            self.first_of_paper.setdefault(each.sources or each.id, each)
        by_paper = {
            each.sources or each.id: each
            for each in reversed(linked_statements)
            if each.kind is Kind.EVIDENCE and each.id not in self.ids_in_box
        }
        studies = [by_paper[key] for key in reversed(by_paper) if key not in self.shown]
        number = max(1, min(MAX_NOTES_IN_MARGIN, letters // LETTERS_PER_NOTE))
        if self.letters_taken > letters / 2:
            number = 0
        notes = [self._note(each) for each in studies[:number]]
        self.shown |= {each.sources or each.id for each in studies[:number]}
        letters_of_notes = LETTERS_PER_NOTE * len(notes)
        self.letters_taken += letters_of_notes - letters - LETTERS_PER_GAP
        self.letters_taken = max(0, self.letters_taken)
        return element("div", *notes, class_="kg-margin") if notes else EMPTY

    def _note(self, finding: Statement) -> Html:
        """A card; after another sample of the same paper it says so, as two would seem an error."""
        first = self.first_of_paper[finding.sources or finding.id]
        is_other_part = _sample_of(first) != _sample_of(finding)
        return _margin_note(self.builder, self.line, finding, is_other_part=is_other_part)


def _sample_of(finding: Statement) -> tuple[int | None, str | None]:
    return finding.sample, finding.sample_unit


def _margin_note(
    builder: PageBuilder, line: InquiryLine, statement: Statement, *, is_other_part: bool
) -> Html:
    """What the sentence beside it does not say: the paper, how good the study is, and what is said
    against it.
    """
    camp = builder.link_maker.camp_shown(statement.id, line.id)
    paper = builder.link_maker.papers(statement.sources, builder.root)
    facts = builder.context.standings.quality_words(statement.id)
    part = "Another part of the study. " if is_other_part else None
    is_newer = has_changed_since_review(statement, line, builder.context.history)
    change_mark = element("span", "changed since this was reviewed. ", class_="kg-changed")
    return element(
        "div",
        element("p", paper or builder.statement(statement.id), class_="kg-margin-title"),
        element("p", change_mark if is_newer else None, part, facts, ".", class_="kg-small"),
        objection_in_short(builder, statement.id),
        class_=f"kg-margin-note {builder.link_maker.camp_class(camp)}",
    )


def changes_since_review(builder: PageBuilder, line: InquiryLine) -> Html | None:
    """Say when the essay was reviewed, with the statements in it that have changed since in a fold;
    nothing if none has.
    """
    newer_ids = statements_changed_since_review(
        builder.context.corpus, line, builder.context.history
    )
    if not newer_ids or not line.reviewed or not line.essay:
        return None
    have = "has" if len(newer_ids) == 1 else "have"
    words = (
        f"Reviewed {render_date(line.reviewed)}; {count_of(len(newer_ids), 'statement')} that the "
        f"essay refers to {have} changed since"
    )
    return collapsible(words, item_list(map(builder.statement, newer_ids)), class_="kg-newer")


def _claims_without_evidence(builder: PageBuilder, line: InquiryLine) -> Html | None:
    """The claims in the essay that do not count, as no finding or argument supports them."""
    without_evidence = {*builder.context.standings.claims_without_evidence}
    linked_ids = dict.fromkeys(
        m.target for m in builder.context.corpus.mentions_from.get(line.id, ())
    )
    uncounted_ids = [id for id in linked_ids if id in without_evidence]
    if not uncounted_ids:
        return None
    one = "claim below has no evidence, so it does not count"
    several = "claims below have no evidence, so they do not count"
    number = capitalize_first(number_in_words(len(uncounted_ids)))
    words = f"{number} {one if len(uncounted_ids) == 1 else several}"
    claims = item_list(map(builder.statement, uncounted_ids))
    return collapsible(words, claims, class_="kg-without-evidence kg-on-paper")
