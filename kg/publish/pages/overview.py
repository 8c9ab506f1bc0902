"""The pages that look over the whole corpus: home, the list of lines, and its own README."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from kg.corpus.same_and_superseded import superseded_statements, with_same
from kg.model import InquiryLine, Relation
from kg.notes.discover import README
from kg.publish.components.answer import answer_words
from kg.publish.components.dial import draw_dial
from kg.publish.components.evidence import size_words
from kg.publish.components.line_camps import placements_in_camp
from kg.publish.components.strength_bar import draw_bar, standing_words
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.html import EMPTY, Html, element, fact_row, page_kind_line, web_address
from kg.publish.markup.phrases import count_of, join_names
from kg.publish.page import WHOLE_CORPUS, Page, PageDraft
from kg.publish.page_builder import ABOUT, PageBuilder
from kg.queries.line_view import LineScope


def readme_pages(context: SiteContext) -> Iterator[PageDraft]:
    """What the authors say of the corpus, where they say something."""
    if context.readme_page:
        yield PageDraft(context.readme_page, partial(_about, context), WHOLE_CORPUS)


def _about(context: SiteContext) -> Page:
    builder = PageBuilder(context, context.readme_page)
    text = context.beside[README].strip()
    first, _, rest = text.partition("\n")
    title = first.lstrip("# ").strip() if first.startswith("# ") else "About this corpus"
    body = builder.prose(rest if first.startswith("# ") else text, README, listed=True)
    builder.add(
        page_kind_line("Overview"),
        element("h1", title),
        _imprint(context),
        element("div", body, class_="kg-essay"),
    )
    return builder.page(
        "overview",
        title,
        f"{title}: how it was made and how to read it.",
        search_text="\n\n".join([*context.corpus.config.site.authors, rest or text]),
        names=(ABOUT,),
        keywords="the authors of this site, who made and wrote it",
        facets={"kind": ("Guide",)},
    )


def _imprint(context: SiteContext) -> Html:
    """Who wrote it, where the site stands, and where its notes are kept and can be corrected."""
    site = context.corpus.config.site
    written = f"By {join_names(site.authors)}" if site.authors else None
    url, kept = (web_address(each) for each in (site.url, site.repository))
    return fact_row(
        written,
        element("a", url, href=url) if url else None,
        ["the notes, to read and to correct: ", element("a", kept, href=kept)] if kept else None,
    )


DISPUTES = 6
WAYS_IN = (
    ("disagreements.html", "Where the corpus disagrees", "contradictions with both of their sides"),
    (
        "gaps.html",
        "Gaps and open questions",
        "claims without evidence, questions nobody has taken up",
    ),
    ("figures.html", "Figures", "every number, with its source and where it was seen"),
    ("statements/index.html", "All statements", "one table to sort and filter"),
    ("sources/index.html", "Sources", "the most loaded first"),
    ("topics/index.html", "Topics", "how sure the claims of each are"),
    ("about/index.html", "What the notes speak of by name", "studies, methods, works"),
    ("camps/index.html", "Camps", "what each side holds"),
    ("glossary.html", "Glossary", "what topics, names and terms of art mean"),
    ("recent.html", "What changed lately", "the latest notes first"),
)
_SCALE = (
    "The further right the needle, the more speaks for the answer above the scale. The broad bar "
    "shows how far it shifts if the sources are graded a little differently; the small marks, "
    "where each camp’s own reasons would put it."
)
_BAR = (
    "Claims with weighty reasons on both sides, beside those that the questions above ask about. "
    "Green to the right speaks for a claim, red to the left against it."
)


def overview_pages(context: SiteContext) -> Iterator[PageDraft]:
    """Home, and every page that lists things of all notes."""
    yield PageDraft("index.html", partial(_home, context), WHOLE_CORPUS)
    yield PageDraft("lines/index.html", partial(_lines, context), WHOLE_CORPUS)


def _home(context: SiteContext) -> Page:
    corpus = context.corpus
    builder = PageBuilder(context, "index.html")
    builder.add(
        element("h1", corpus.config.site.name),
        element("p", corpus.config.site.description, class_="kg-standfirst"),
        fact_row(
            count_of(len(corpus.lines), "inquiry line"),
            count_of(len(corpus.claims), "claim"),
            count_of(len(corpus.evidence), "piece of evidence", "pieces of evidence"),
            count_of(len(corpus.sources), "source"),
            element("a", "How to read this site", href="how-to-read.html"),
            builder.about_link(),
        ),
    )
    builder.section("lines", "Start with a question", _line_cards(builder, "h3"), lead=_SCALE)
    builder.section("disputes", "Most argued about", _disputes(builder), lead=_BAR)
    builder.section("ways-in", "Other ways in", _ways_in(context))
    name = corpus.config.site.name
    said = corpus.config.site.description
    return builder.page("home", name, name, search_text=said, facets={"kind": ("Overview",)})


def _disputes(builder: PageBuilder) -> Html:
    """The claims on which most is said on both sides, but for those that lines ask about and those
    that contradict one of these and are contradicted by it.
    """
    corpus = builder.context.corpus
    asked = {
        same for line in corpus.lines.values() for same in with_same(corpus, line.proposition or "")
    }
    against = [edge for edge in corpus.edges if edge.relation is Relation.CONTRADICTS]
    ends = {(edge.source, edge.target) for edge in against}
    ends |= {(edge.target, edge.source) for edge in against if edge.both_ways}
    asked |= {one for one, other in ends if other in asked and (other, one) in ends}
    found, left_out = (
        builder.context.strengths.tensions,
        {*corpus.derive(superseded_statements), *asked},
    )
    rows = [
        element(
            "li",
            element("span", builder.statement(one.statement)),
            element("p", standing_words(builder, one.statement), class_="kg-small"),
        )
        for one in (found.conflicts if found else ())
        if one.statement not in left_out
    ]
    return element("ul", *rows[:DISPUTES], class_="kg-ranked") if rows else EMPTY


def _ways_in(context: SiteContext) -> Html:
    empty = {
        "glossary.html": not context.corpus.terms,
        "about/index.html": not context.corpus.about,
        "topics/index.html": not context.corpus.topics,
    }
    rows = [
        element("li", element("a", name, href=url), element("span", words, class_="kg-reason"))
        for url, name, words in WAYS_IN
        if not empty.get(url)
    ]
    return element("ul", *rows, class_="kg-plain kg-ways")


def _lines(context: SiteContext) -> Page:
    builder = PageBuilder(context, "lines/index.html")
    lead = element("p", _SCALE, class_="kg-lead-in")
    builder.add(lead, _line_cards(builder, "h2"))
    return builder.overview("Inquiry lines", "Inquiry lines")


def _line_cards(builder: PageBuilder, heading: str) -> Html:
    """Each line in a row: what is asked as a heading, and where the answer stands."""
    rows = [_line_row(builder, line, heading) for line in builder.context.corpus.lines.values()]
    if not rows:
        return element("p", "No inquiry line yet.", class_="kg-none")
    return element("ul", *rows, class_="kg-questions")


def _line_row(builder: PageBuilder, line: InquiryLine, heading: str) -> Html:
    scope = LineScope(builder.context.corpus, line)
    sizes = []
    for camp in builder.context.corpus.config.camps:
        counting, _ = placements_in_camp(scope.corpus, line, camp.id)
        words = f"{camp.label}: {count_of(len(counting), 'statement')}"
        sizes.append(element("span", builder.link_maker.mark(camp.id), words))
    found = size_words(builder, scope.near, scope.statements_by_source)
    sizes += [element("span", size) for size in found]
    return element(
        "li",
        element(heading, builder.any(line.id), class_="kg-card-title"),
        _answer(builder, line),
        element("p", builder.words(line.standfirst, line.span.path), class_="kg-asked")
        if line.standfirst
        else None,
        element("p", *sizes, class_="kg-small kg-sizes"),
    )


def _answer(builder: PageBuilder, line: InquiryLine) -> Html | None:
    """The answer so far in the words of the question, and on the scale with the camps' views."""
    if line.proposition is None:
        return None
    found = builder.context.strengths.verdict(line.id)
    if found is None or found.strength is None:
        standing = builder.context.strengths.of(line.proposition)
        word = element("strong", builder.answer_word(standing))
        shown = [element("p", word), draw_bar(standing), builder.statement(line.proposition)]
    else:
        shown = [
            *answer_words(builder, line, found),
            draw_dial(builder, found, found.strength),
        ]
    return element("div", *shown, class_="kg-answer")
