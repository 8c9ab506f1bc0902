"""Rules about drafts: what leans on what readers do not see."""

from __future__ import annotations

from collections.abc import Iterator

from kg.checks.locate import place_of_link
from kg.checks.rule import Finding, rule
from kg.corpus import Corpus
from kg.corpus.drafts import find_drafts
from kg.model import Severity, Span


@rule(Severity.INFO)
def link_to_a_draft(corpus: Corpus) -> Iterator[Finding]:
    """A link from what is no draft to a draft.

    Drafts stay off the site and out of verdicts and exports. There, such a link is plain text, and
    a relation to a draft is left out; with `--drafts`, both count.
    """
    drafts = find_drafts(corpus)
    if not drafts:
        return
    for edge in corpus.edges:
        if edge.source not in drafts:
            for id in (edge.target, *edge.together):
                if id in drafts:
                    yield _draft_finding(place_of_link(corpus, edge.span, id), id, "relation")
    for line in corpus.lines.values():
        if line.id not in drafts:
            for placed in line.placements:
                if placed.statement in drafts:
                    place = place_of_link(corpus, placed.span, placed.statement)
                    yield _draft_finding(place, placed.statement, "entry")
            if line.proposition in drafts:
                yield _draft_finding(line.span, line.proposition or "", "proposition")
    for mention in corpus.mentions:
        if mention.origin not in drafts and mention.target in drafts:
            yield _draft_finding(mention.span, mention.target, "link")


def _draft_finding(span: Span, id: str, what: str) -> Finding:
    help = "when it is done, remove `status: draft` from it"
    return Finding(span, f"this {what} leads to `{id}`, which is a draft", help)
