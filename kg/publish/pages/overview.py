"""The overview pages of the whole corpus: home, the list of lines, and its README."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from kg.model import InquiryLine, Kind, LineId
from kg.notes.note_listing import README
from kg.publish.components.countable_bars import countable_bars
from kg.publish.components.downloads_and_citation import cite_site
from kg.publish.components.line.answer_robustness import answers_on_kinds
from kg.publish.components.line.best_reasons import best_on_side, main_evidence
from kg.publish.components.line.line_answer import DOUBT, answer_words, doubt_words
from kg.publish.components.line.next_lines import describe_answers_of_lines, lines_beneath
from kg.publish.components.statement_lists import have_thin_support, thin_claims
from kg.publish.components.strength_bar import describe_study, draw_bar
from kg.publish.context.site_context import SiteContext
from kg.publish.graphics.dial import legend_of_small_dials, small_dial
from kg.publish.markup.html import (
    Child,
    Html,
    element,
    fact_row,
    item_list,
    join,
    join_children,
    web_address,
)
from kg.publish.markup.phrases import render_date, shorten_question
from kg.publish.page import WHOLE_CORPUS, LazyPage, Page
from kg.publish.page_builder import ABOUT, PageBuilder
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.partial_evidence.evidence_subsets import EVIDENCE_SUBSETS, PEOPLE_SUBSET
from kg.reasoning.sureness_words import is_held_back, is_undecided
from kg.text.plurals import count_of, join_with_and, number_in_words

HEAVY = 0.25  # in nats, of a direct reason: a quarter of what one top-quality study brings
_WALK = "See an answer added up"
_GUESS = "Guess before you read"
_SCRIPTED = "kg-scripted"  # for links to something that needs scripts


def readme_pages(context: SiteContext) -> Iterator[LazyPage]:
    """The page with the authors' own words about the corpus, if they wrote any."""
    if context.readme_page:
        yield LazyPage(context.readme_page, partial(_about_page, context), WHOLE_CORPUS)


def _about_page(context: SiteContext) -> Page:
    builder = PageBuilder(context, context.readme_page)
    text = context.texts_beside_notes[README].strip()
    first, _, rest = text.partition("\n")
    text = rest if first.startswith("# ") else text  # the menu's name of the page is its title
    body = builder.prose(text, README, in_toc=True)
    builder.add(
        element("h1", ABOUT),
        _imprint_of_site(context),
        element("div", body, class_="kg-essay kg-body"),
    )
    day = _last_reviewed(context)
    if day or context.corpus.config.site.authors:
        builder.section("cite", "Cite this site", cite_site(context, day))
    return builder.page(
        "overview",
        ABOUT,
        "Who made this site, and how.",
        search_text="\n\n".join([*context.corpus.config.site.authors, text]),
        names=("Who wrote this, and how", "About this corpus"),
        keywords="the authors of this site, who made and wrote this website, can it be trusted",
        facets={"kind": ("Guide",)},
        aliases=("about-this-corpus.html",),
    )


def _imprint_of_site(context: SiteContext) -> Html:
    """The authors, the day of the last review, the site's address, and where its notes are kept and
    errors can be reported.
    """
    site, day = context.corpus.config.site, _last_reviewed(context)
    authors = f"By {join_with_and(site.authors)}" if site.authors else None
    url, repository = (web_address(each) for each in (site.url, site.repository))
    return fact_row(
        authors,
        f"Answers last reviewed on {render_date(day)}" if day else None,
        element("a", url, href=url) if url else None,
        ["to read the notes or report an error: ", element("a", repository, href=repository)]
        if repository
        else None,
    )


def _last_reviewed(context: SiteContext) -> dt.date | None:
    """The latest day on which a line was reviewed."""
    days = [each.reviewed for each in context.corpus.lines.values() if each.reviewed]
    return max(days, default=None)


def overview_pages(context: SiteContext) -> Iterator[LazyPage]:
    """Home, and every page that lists things from all notes."""
    yield LazyPage("index.html", partial(_home_page, context), WHOLE_CORPUS)
    yield LazyPage("lines/index.html", partial(_lines_page, context), WHOLE_CORPUS)


def _home_page(context: SiteContext) -> Page:
    site, builder = context.corpus.config.site, PageBuilder(context, "index.html")
    builder.add(
        element("h1", site.name),
        element("p", site.description, class_="kg-standfirst"),
    )
    bars = _bars_of_first(builder)
    lines = [*context.corpus.lines.values()]
    others, title = (lines[1:], "More questions") if bars else (lines, "Start with a question")
    builder.add(bars or _finding_of_first(builder))
    if others or not lines:
        builder.section("lines", title, _line_cards(builder, others, "h3", in_full=True))
    builder.add(
        fact_row(
            element("a", "How to read this site", href="how-to-read.html"),
            None if bars else _link_to_walk(context),
            _link_to_guesses(context),
        ),
    )
    caveat = join(" ", filter(None, (_answers_on_people(builder), _answers_on_one_side(builder))))
    remarks = filter(None, (_shared_reasons(builder), caveat, _sources_of_corpus(builder)))
    builder.section("basis", "What the answers rest on", *(element("p", each) for each in remarks))
    name, text = site.name, site.description
    return builder.page("home", name, name, search_text=text, facets={"kind": ("Overview",)})


def _link_to_walk(context: SiteContext) -> Html | None:
    """A link to an answer that a browser can weigh, which is then added up step by step. It is the
    first that says what the sum of its reasons says, if there is one.
    """
    answers = context.answers
    walks = [id for id in context.corpus.lines if answers.weighing(id) is not None]
    if not walks:
        return None
    verdicts = {id: verdict for id in walks if (verdict := answers.verdict(id))}
    plain = (id for id, v in verdicts.items() if not is_held_back(v.strength, v.held_strength))
    address = context.addresses.of(next(plain, walks[0]))
    return element("a", _WALK, href=f"{address}#walk", class_=_SCRIPTED)


def _link_to_guesses(context: SiteContext) -> Html | None:
    """A link to the list of questions where readers guess the answers, if one has a scale."""
    verdicts = map(context.answers.verdict, context.corpus.lines)
    if all(each is None or each.strength is None for each in verdicts):
        return None
    return element("a", _GUESS, href="lines/index.html#guess", class_=_SCRIPTED)


def _bars_of_first(builder: PageBuilder) -> Html | None:
    """The bars of the first question's essay, if it has some."""
    line = next(iter(builder.context.corpus.lines.values()), None)
    return countable_bars(builder, line) if line and line.essay else None


def _finding_of_first(builder: PageBuilder) -> Html | None:
    """A finding on the first question, with its study: what readers may remember.

    It is the first that the essay names, as its author knows best what readers understand at once,
    else that behind the best reason for the answer.
    """
    corpus = builder.context.corpus
    line = next(iter(corpus.lines.values()), None)
    verdict = builder.context.answers.verdict(line.id) if line else None
    if not line or not verdict:
        return None
    ids = [mention.target for mention in corpus.mentions_from.get(line.id, ())]
    if best := best_on_side(corpus, verdict, verdict.side_shown):
        ids.append(main_evidence(builder, best.statement) or "")
    for finding in map(corpus.statements.get, ids):
        if finding and finding.kind is Kind.EVIDENCE:
            label = element("p", "One finding", class_="kg-small")
            words = element("p", builder.statement(finding.id), class_="kg-finding")
            study = element("p", describe_study(builder, finding), class_="kg-small")
            return element("div", label, words, study, class_="kg-teaser")
    return None


def _answers_on_people(builder: PageBuilder) -> str | None:
    """Count the answers that would be undecided by tests with people alone, and say which word
    these would give one that is undecided now.
    """
    answers = builder.context.answers
    parts = [
        (part.sureness, verdict.sureness)
        for id in builder.context.corpus.lines
        for part in answers.answers_on_subsets(id)
        if part.name == PEOPLE_SUBSET and part.counted and (verdict := answers.verdict(id))
    ]
    undecided_count = sum(is_undecided(each) for each, _ in parts)
    if len(parts) < 2 or not undecided_count:
        return None
    undecided = f"{number_in_words(undecided_count)} of the {number_in_words(len(parts))} answers"
    gained = {each for each, now in parts if is_undecided(now) and not is_undecided(each)}
    others = (
        f", and one that is undecided now would be “{'” or “'.join(sorted(gained))}”"
        if gained
        else ""
    )
    subset = EVIDENCE_SUBSETS[PEOPLE_SUBSET]
    return f"If we counted only {subset}, {undecided} would be undecided{others}."


def _answers_on_one_side(builder: PageBuilder) -> str | None:
    """Says so if no answer denies the claim that its line weighs: readers may then suspect that
    the claims were worded to be true.
    """
    verdicts = map(builder.context.answers.verdict, builder.context.corpus.lines)
    sides = [each.side for each in verdicts if each]
    if sides.count(1) < 2 or -1 in sides:
        return None
    all_answers = "Both" if len(sides) == 2 else f"All {number_in_words(len(sides))}"
    answers = all_answers if 0 not in sides else "All decided"
    return (
        f"{answers} answers came out on the side that we had written down first. That may be a "
        "fault of our method."
    )


def _sources_of_corpus(builder: PageBuilder) -> Html | None:
    """Count the findings, their sources and how many of these are independent, and the claims that
    have little more than one.
    """
    corpus, standings = builder.context.corpus, builder.context.standings
    independent = standings.count_independent([each.id for each in corpus.evidence])
    if not independent:
        return None
    evidence = count_of(len(corpus.evidence), "finding")
    cited_keys = {key for each in corpus.evidence for key in each.sources if key in corpus.sources}
    origin = f" from {count_of(len(cited_keys), 'source')}" if cited_keys else ""
    sources: list[Child] = [f"Recorded here: {evidence}{origin}"]
    if independent < len(cited_keys):
        number = builder.independent_sources(f"{independent:,}")
        sources += ["; counting each team or data set once, ", number]
    thin_count = len(thin_claims(builder.context))
    if not thin_count:
        return join("", [*sources, "."])
    claims = count_of(len(corpus.claims), "claim")
    share = f"{thin_count} of {claims} {have_thin_support(thin_count)}"
    link = element("a", share, href="gaps.html#thin")
    return join("", [*sources, ". ", link, "."])


def _lines_page(context: SiteContext) -> Page:
    builder, lines = PageBuilder(context, "lines/index.html"), [*context.corpus.lines.values()]
    cards = _line_cards(builder, lines, "h2", in_full=False)
    builder.add(element("div", cards, id="guess", data_kg_guess=True))
    return builder.overview("Questions", "The questions asked here.", lead=_how_sure(builder))


def _line_cards(
    builder: PageBuilder, lines: Sequence[InquiryLine], heading: str, *, in_full: bool
) -> Html:
    """A row for each line, with the question as a heading and the current answer.

    `in_full`, the chief doubt follows, collapsed; else those see it who guessed the answer.
    """
    if not lines:
        return element("p", "No question yet.", class_="kg-none")
    verdicts = [*_answers_by_line(builder).values()]
    rows = [_line_row(builder, line, heading, in_full) for line in lines]
    key = legend_of_small_dials(builder, verdicts)
    return join_children((key, item_list(rows, "kg-questions")))


def _how_sure(builder: PageBuilder) -> str | None:
    """Count the answers of each sureness: `Of 5 answers 4 are “probably” and 1 is “perhaps”.`"""
    answers = _answers_by_line(builder)
    if len(answers) < 2:
        return None
    counts = Counter(each.sureness.partition(",")[0] for each in answers.values()).most_common()
    parts = [f"{count} {'is' if count == 1 else 'are'} “{word}”" for word, count in counts]
    return f"Of {len(answers)} answers {join_with_and(parts)}."


def _shared_reasons(builder: PageBuilder) -> Html | None:
    """Name the answers that lean on one another: `The answers to “…”, “…” and “…” share
    evidence: …`; nothing if none do.
    """
    connected = _lines_that_share_reasons(_answers_by_line(builder))
    if len(connected) < 2:
        return None
    names = [
        builder.link_maker.line(line.id, builder.root, f"“{shorten_question(line.title)}”")
        for line in builder.context.corpus.lines.values()
        if line.id in connected
    ]
    all_of_them = "both" if len(names) == 2 else f"all {number_in_words(len(names))}"
    remark = f" share evidence: if it is wrong, {all_of_them} may be."
    return join("", ["The answers to ", Html(join_with_and([*map(str, names)])), remark])


def _answers_by_line(builder: PageBuilder) -> dict[LineId, Verdict]:
    verdicts = {id: builder.context.answers.verdict(id) for id in builder.context.corpus.lines}
    return {id: each for id, each in verdicts.items() if each is not None}


def _lines_that_share_reasons(answers: Mapping[LineId, Verdict]) -> list[LineId]:
    """The largest group of lines of which each shares a heavy reason with another one, or is a
    heavy reason of it.
    """
    groups: list[tuple[list[LineId], set[str]]] = []
    for line_id, answer in answers.items():
        reasons = {answer.asked.statement} | {
            each.statement for each in answer.reasons if each.share * answer.side >= HEAVY
        }
        touching_groups = [group for group in groups if not group[1].isdisjoint(reasons)]
        groups = [group for group in groups if group not in touching_groups]
        ids = [id for members, _ in touching_groups for id in members]
        shared_reasons = reasons.union(*(shared for _, shared in touching_groups))
        groups.append(([*ids, line_id], shared_reasons))
    return max((members for members, _ in groups), key=len, default=[])


def _line_row(builder: PageBuilder, line: InquiryLine, heading: str, in_full: bool) -> Html:
    verdict = builder.context.answers.verdict(line.id) if line.proposition else None
    scale = number = None
    if len(builder.context.corpus.lines) > 1:
        number = f"{builder.number_of_line(line.id)} "
    if verdict is not None and verdict.strength is not None:
        scale = element("div", small_dial(builder, line, verdict), class_="kg-gauged")
    return element(
        "li",
        element(heading, number, builder.link_of(line.id), class_="kg-card-title"),
        _answer_in_card(builder, line, verdict),
        scale,
        _remarks_on_answer(builder, line, is_collapsible=in_full),
    )


def _remarks_on_answer(
    builder: PageBuilder, line: InquiryLine, *, is_collapsible: bool
) -> Html | None:
    """The chief doubt, what a kind of evidence alone would answer, and the other answers that this
    one rests on. They are collapsed, or hidden until a guess at the answer is made.
    """
    lead_in = "Its best reason is the answer to: "
    rests = describe_answers_of_lines(builder, lines_beneath(builder, line), lead_in)
    verdict = builder.context.answers.verdict(line.id) if line.proposition else None
    doubt = doubt_words(
        builder, line, answers_on_kinds(builder, line, verdict)[0] if verdict else ""
    )
    if not (rests or doubt):
        return None
    if is_collapsible:
        summary = element("summary", DOUBT.removesuffix(": "))
        return element("details", summary, doubt, rests, class_="kg-caveats kg-on-paper")
    return element("div", doubt, rests, class_="kg-caveats", hidden=True)


def _answer_in_card(
    builder: PageBuilder, line: InquiryLine, verdict: Verdict | None
) -> Html | None:
    """The current answer in the words of the question, or else the standing of what it weighs."""
    if line.proposition is None:
        return None
    if verdict is not None and verdict.strength is not None:
        return element("div", answer_words(builder, line, verdict), class_="kg-answer")
    standing = builder.standing(line.proposition)
    word = element("strong", builder.answer_word(standing))
    claim = builder.statement(line.proposition)
    bar = draw_bar(standing, builder.settings)
    return element("div", element("p", word), bar, claim, class_="kg-answer")
