"""Rules about references: what a note points to must be there, and be clear."""

from __future__ import annotations

from collections.abc import Iterator

from kg.checks.places import place_of
from kg.checks.rule import Finding, rule
from kg.corpus import Corpus, Unresolved, Why, nearest
from kg.model import Citation, Relation, Severity

WORDS = tuple(relation.value for relation in Relation)
_NEEDED = {"next": "an inquiry line or a question", "supersedes": "two notes of one kind"}


def _unresolved(corpus: Corpus, *reasons: Why) -> Iterator[Unresolved]:
    return (item for item in corpus.unresolved if item.why in reasons)


def _suggest(names: tuple[str, ...], *, link: bool = False) -> str:
    if not names:
        return ""
    shown = [f"`[[{name}]]`" if link else f"`{name}`" for name in names]
    return f"did you mean {' or '.join(shown)}?"


def _meant(corpus: Corpus, target: str) -> str:
    """Which notes a link that leads nowhere may have meant."""
    wanted = target.rpartition("/")[2].replace(".md", "").replace("#^", "#")
    names = (name.replace("#", "#^") for name in corpus.suggest(wanted))
    return _suggest(tuple(names), link=True)


@rule(Severity.ERROR)
def unknown_target(corpus: Corpus) -> Iterator[Finding]:
    """An edge to a note that is not there.

    The edge is left out of the graph until its target exists.
    """
    for item in _unresolved(corpus, Why.UNKNOWN_TARGET):
        target = item.edge.target.lstrip("/")
        yield Finding(
            item.edge.span,
            f"`{item.edge.relation}::` leads to `{target}`, and there is no such note",
            _meant(corpus, target) or "write the note, or name another",
        )


@rule(Severity.ERROR)
def ambiguous_target(corpus: Corpus) -> Iterator[Finding]:
    """An edge whose target could be any of several notes.

    Nothing is guessed: the edge is left out until it names one of them.
    """
    for item in _unresolved(corpus, Why.AMBIGUOUS):
        names = " or ".join(f"`{name}`" for name in item.candidates)
        yield Finding(
            item.edge.span, f"`{item.edge.target}` may mean {names}", "name one of them by its id"
        )


@rule(Severity.ERROR)
def wrong_target(corpus: Corpus) -> Iterator[Finding]:
    """An edge to something that it cannot bear on.

    `undercuts` denies an edge, so it needs one; other relations and camps need a statement.
    """
    for item in _unresolved(corpus, Why.WRONG_KIND, Why.NOT_AN_EDGE):
        word, target = item.edge.relation, item.candidates[0]
        if item.why is Why.NOT_AN_EDGE:
            yield Finding(
                item.edge.span,
                f"`undercuts::` needs an edge, and `{target}` is a statement",
                "end the edge's line with an id (`^why`) and link to that: `[[note#^why]]`",
            )
        else:
            needed = _NEEDED.get(word, "a statement")
            yield Finding(item.edge.span, f"`{word}::` needs {needed}, and `{target}` is none")


@rule(Severity.ERROR)
def unknown_relation(corpus: Corpus) -> Iterator[Finding]:
    """A list item with `::` whose word is no relation."""
    for item in _unresolved(corpus, Why.UNKNOWN_RELATION):
        word = item.edge.relation
        help = _suggest(nearest(word, WORDS)[:1]) or f"relations are {', '.join(WORDS)}"
        yield Finding(item.edge.span, f"no relation is called `{word}`", help)


@rule(Severity.ERROR)
def unknown_camp(corpus: Corpus) -> Iterator[Finding]:
    """A camp that `kg.toml` does not declare, in a line or as a note's default."""
    camps = corpus.config.camp_ids
    listed = f"camps are {', '.join(camps)}"
    for item in _unresolved(corpus, Why.UNKNOWN_CAMP):
        word = item.edge.relation
        help = _suggest(nearest(word, (*camps, "next"))[:1]) or f"{listed}; a line also has `next`"
        yield Finding(item.edge.span, f"no camp is called `{word}`", help)
    for statement in corpus.statements.values():
        if statement.camp is not None and statement.camp not in camps:
            help = _suggest(nearest(statement.camp, camps)[:1]) or listed
            place = place_of(corpus, statement, "camp", statement.camp)
            yield Finding(place, f"no camp is called `{statement.camp}`", help)


@rule(Severity.ERROR)
def unknown_citation(corpus: Corpus) -> Iterator[Finding]:
    """A citation of a source that neither a bibliography nor a source note knows."""
    for citation in _citations(corpus):
        if citation.key not in corpus.sources:
            help = _suggest(tuple(f"@{key}" for key in nearest(citation.key, corpus.sources)[:2]))
            yield Finding(
                citation.span,
                f"no source has the key `{citation.key}`",
                help or "add it to references.bib, or write a source note",
            )


def _citations(corpus: Corpus) -> Iterator[Citation]:
    for statement in corpus.statements.values():
        yield from statement.citations
    for line in corpus.lines.values():
        yield from line.citations


@rule(Severity.WARNING)
def dead_link(corpus: Corpus) -> Iterator[Finding]:
    """A link in running text to a note that is not there."""
    for mention in corpus.dead_links:
        target = mention.target.lstrip("/")
        yield Finding(
            mention.span,
            f"this link leads to `{target}`, and there is no such note",
            _meant(corpus, target),
        )


@rule(Severity.ERROR)
def duplicate_id(corpus: Corpus) -> Iterator[Finding]:
    """Two notes with one id: links to it would be a matter of luck.

    The first one, by path, keeps the id; the other is left out.
    """
    for double in corpus.duplicates:
        yield Finding(
            double.span,
            f"the id `{double.id}` is taken by {double.first.path}:{double.first.line}",
            "rename one of the files, or give it its own `id:`",
            (double.first,),
        )
