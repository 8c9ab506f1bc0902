"""Links find what they mean, or are kept aside with the reason."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.corpus import Corpus, UnresolvedReason, assemble
from kg.corpus.joining.join_records import Records
from kg.corpus.joining.resolve_links import LinkResolver
from kg.corpus.names.linkable_names import LinkableNames
from kg.model import Relation
from kg.model.settings.config import Config
from kg.notes.parsed_note import ParsedNote
from tests.support.corpora import corpus_of_notes, parsed_note_of
from tests.support.every_row import every_row


def c(body: str, head: str = "type: claim") -> str:
    return f"---\n{head}\n---\n\n# T\n\n{body}\n"


def aside(corpus: Corpus) -> list[tuple[str, UnresolvedReason, tuple[str, ...]]]:
    return [(u.edge.target, u.reason, u.candidates) for u in corpus.unresolved_edges]


def targets(corpus: Corpus) -> list[str]:
    return [edge.target for edge in corpus.edges]


def test_a_name_that_may_mean_several_is_ambiguous() -> None:
    corpus = corpus_of_notes(
        a=c("- supports:: [[x]]\n- supports:: [[Twin]]"),
        b=c("", "type: claim\naliases: x"),
        d=c("", "type: claim\naliases: x"),
        TWIN=c(""),
        twin=c(""),
    )
    assert aside(corpus) == [
        ("x", UnresolvedReason.AMBIGUOUS, ("b", "d")),
        ("Twin", UnresolvedReason.AMBIGUOUS, ("TWIN", "twin")),
    ]
    assert corpus.edges == ()


def test_what_leads_nowhere_is_kept_and_the_nearest_names_are_known() -> None:
    corpus = corpus_of_notes(
        a=c("- supports:: [[grounding-is-urned]]\n- supports:: [[qqq]]"),
        **{"grounding-is-earned": c("> [!evidence] E ^found")},
    )
    assert aside(corpus) == [
        ("grounding-is-urned", UnresolvedReason.UNKNOWN_TARGET, ()),
        ("qqq", UnresolvedReason.UNKNOWN_TARGET, ()),
    ]
    assert corpus.suggest("grounding-is-urned")[0] == "grounding-is-earned"
    assert corpus.suggest("qqq") == ()


def test_callouts_are_targets_and_prose_may_link_to_any_block() -> None:
    corpus = corpus_of_notes(
        a=c("- supports:: [[b#^found]]\n\nSee [[b#^found]], [[b#^para]], [[b#^why]], [[#^own]]."),
        b=c("> [!evidence] E ^found\n\nText ^para\n\n- supports:: [[c]] — x ^why"),
        c=c(""),
    )
    assert targets(corpus)[0] == "b#found"
    assert [m.target for m in corpus.mentions] == ["b#found", "b", "b", "a"]
    assert corpus.dead_links == ()


def test_a_link_in_prose_to_a_note_that_is_not_read_is_not_dead() -> None:
    note = parsed_note_of(c("See [[Log]], [[log#^day]] and [[gone]]."), "a.md")
    corpus = assemble([note, ParsedNote(path="log.md", id="log", left_out=True)])
    assert [link.target for link in corpus.dead_links] == ["gone"]


# -- undercuts -----------------------------------------------------------------------------


def test_undercuts_lead_to_edges() -> None:
    corpus = corpus_of_notes(
        a=c("- undercuts:: [[b#^why]] — no ^no\n- undercuts:: [[b#^found]] — no\n"
            "- undercuts:: [[b--supports--c]] — no\n- undercuts:: [[b]] — no"),
        b=c("> [!evidence] E ^found\n\n- supports:: [[c]] — x ^why\n- supports:: [[c]]"),
        c=c(""),
    )  # fmt: skip
    assert [(e.id, e.target) for e in corpus.edges_from["a"]] == [
        ("a#no", "b#why"),
        ("a--undercuts--b#found--supports--b", "b#found--supports--b"),
        ("a--undercuts--b--supports--c", "b--supports--c"),
    ]
    assert aside(corpus) == [("b", UnresolvedReason.NOT_AN_EDGE, ("b",))]


def test_an_undercut_may_be_undercut_even_in_a_circle() -> None:
    corpus = corpus_of_notes(
        a=c("- undercuts:: [[b#^b2]] — x ^a1"),
        b=c("- undercuts:: [[c#^c1]] — y ^b2"),
        c=c("- supports:: [[a]] ^c1"),
        d=c("- undercuts:: [[e#^e1]] — x ^d1"),
        e=c("- undercuts:: [[d#^d1]] — y ^e1"),
        f=c("- undercuts:: [[g#^g1]] — x ^f1"),
        g=c("- undercuts:: [[gone#^g1]] — y ^g1"),
    )
    assert [(e.id, e.target) for e in corpus.edges] == [
        ("a#a1", "b#b2"),
        ("b#b2", "c#c1"),
        ("c#c1", "a"),
        ("d#d1", "e#e1"),
        ("e#e1", "d#d1"),
    ]
    assert [u.edge.origin for u in corpus.unresolved_edges] == ["f", "g"]


def test_edges_come_in_reading_order() -> None:
    corpus = corpus_of_notes(
        a=c("- undercuts:: [[b#^w]] — n\n- supports:: [[b]]\n\n> [!evidence] E ^e"),
        b=c("- supports:: [[a]] ^w"),
    )
    assert [e.span for e in corpus.edges] == sorted(e.span for e in corpus.edges)
    assert len(corpus.edges) == 4


def test_edges_have_ids_of_their_own() -> None:
    corpus = corpus_of_notes(
        a=c("- supports:: [[b]]\n- supports:: [[b]] — again\n- supports:: [[b]], [[d]] ^x"),
        b=c(""),
        d=c(""),
    )
    assert [e.id for e in corpus.edges] == [
        "a--supports--b",
        "a--supports--b--2",
        "a#x",
        "a#x--2",
    ]


# -- kinds ---------------------------------------------------------------------------------


@every_row(
    ("item", "why"),
    [
        ("- suports:: [[b]]", UnresolvedReason.UNKNOWN_RELATION),
        ("- optimist:: [[b]]", UnresolvedReason.UNKNOWN_RELATION),
        ("- supports:: [[q]]", UnresolvedReason.WRONG_KIND),
        ("- supports:: [[s]]", UnresolvedReason.WRONG_KIND),
        ("- supersedes:: [[q]]", UnresolvedReason.WRONG_KIND),
        ("- supports:: [[gone]]", UnresolvedReason.UNKNOWN_TARGET),
    ],
)
def test_edges_that_cannot_be_are_kept_aside_with_the_reason(
    item: str, why: UnresolvedReason
) -> None:
    corpus = corpus_of_notes(a=c(item), b=c(""), q=c("", "type: line"), s=c("", "type: source"))
    assert ([u.reason for u in corpus.unresolved_edges], corpus.edges) == ([why], ())


def test_a_source_supports_nothing_but_may_supersede_a_source() -> None:
    corpus = corpus_of_notes(
        s=c("- supports:: [[a]]\n- supersedes:: [[old]]", "type: source"),
        old=c("", "type: source"),
        a=c(""),
    )
    assert [(e.relation, e.target) for e in corpus.edges] == [(Relation.SUPERSEDES, "old")]
    assert aside(corpus) == [("a", UnresolvedReason.WRONG_KIND, ("s",))]


def test_mutual_edges_are_marked_and_made_once() -> None:
    corpus = corpus_of_notes(a=c("- contradicts:: [[b]] (mutual:: yes)"), b=c(""))
    assert [(e.origin, e.target, e.mutual) for e in corpus.edges] == [("a", "b", True)]


def test_many_wrong_links_are_read_in_a_moment() -> None:
    notes = [
        parsed_note_of(c(f"- supports:: [[not-{n}-about]]"), f"note-{n:04}-about-something.md")
        for n in range(1500)
    ]
    records = Records([], lambda statement: statement)
    assert all(map(records.add, notes))
    resolver = LinkResolver(records, LinkableNames(notes, records.statements), Config())
    resolver.resolve_all(notes)
    assert len(resolver.links.unresolved_edges) == 1500


LINES = st.lists(
    st.tuples(
        st.sampled_from(
            ["supports", "contradicts", "undercuts", "same-as", "next", "optimist", "x"]
        ),
        st.sampled_from(["a", "b", "c", "A", "b#^e", "c#^f", "a#x", "gone", "q"]),
        st.sampled_from(["", " ^e", " ^f", " — why"]),
    ),
    max_size=4,
).map(lambda items: "\n".join(f"- {word}:: [[{to}]]{end}" for word, to, end in items))


@given(LINES, LINES, LINES, LINES)
def test_every_edge_is_either_made_or_kept_aside(a: str, b: str, d: str, q: str) -> None:
    corpus = corpus_of_notes(a=c(a), b=c(b), c=c(d), q=c(q, "type: line"))
    placed = sum(len(line.placements) + len(line.next) for line in corpus.lines.values())
    total = sum(body.count("::") for body in (a, b, d, q))
    aside = {(item.edge.origin, item.edge.span) for item in corpus.unresolved_edges}
    assert len(corpus.edges) + placed + len(aside) == total
    assert len({edge.id for edge in corpus.edges}) == len(corpus.edges)
    for edge in corpus.edges:
        ends = {
            Relation.UNDERCUTS: corpus.edges_by_id,
            Relation.SUPERSEDES: {**corpus.statements, **corpus.lines},
        }
        assert edge.target in ends.get(edge.relation, corpus.statements)


@every_row("premise", ["a", "b"])
def test_an_edge_is_no_premise_of_its_own_ends(premise: str) -> None:
    corpus = corpus_of_notes(a=c(f"- supports:: [[b]] with [[{premise}]] — so"), b=c(""))
    assert (targets(corpus), aside(corpus)) == (
        [],
        [(premise, UnresolvedReason.OWN_PREMISE, (premise,))],
    )


def test_other_premises_are_read_each_once_and_none_may_lead_nowhere() -> None:
    corpus = corpus_of_notes(
        a=c(
            "- supports:: [[b]] with [[d]], [[e]], [[d]] — so\n"
            "- contradicts:: [[b]] with [[gone]] — no\n"
            "- same-as:: [[b]] with [[d]] — no"
        ),
        **dict.fromkeys("bde", c("")),
    )
    assert [(edge.target, edge.together) for edge in corpus.edges] == [("b", ("d", "e"))]
    assert [reason for _, reason, _ in aside(corpus)] == [
        UnresolvedReason.UNKNOWN_TARGET,
        UnresolvedReason.NOT_LINKABLE,
    ]


def test_a_line_places_statements_in_camps_names_what_is_next_and_supports_nothing() -> None:
    corpus = corpus_of_notes(
        q=c(
            "- optimist:: [[a]] — so\n- optmist:: [[a]]\n- supports:: [[a]]\n- next:: [[r]]\n"
            "- next:: Why?\n- skeptic:: [[gone]]\n- optimist:: [[a]] with [[b]]",
            "type: line",
        ),
        r=c("", "type: line"),
        **dict.fromkeys("ab", c("")),
    )
    line = corpus.lines["q"]
    assert [(each.statement, each.camp, each.reason) for each in line.placements] == [
        ("a", "optimist", "so")
    ]
    assert [(each.target, each.question) for each in line.next] == [("r", ""), (None, "Why?")]
    assert [(target, reason) for target, reason, _ in aside(corpus)] == [
        ("a", UnresolvedReason.UNKNOWN_CAMP),
        ("a", UnresolvedReason.UNKNOWN_CAMP),
        ("gone", UnresolvedReason.UNKNOWN_TARGET),
        ("a", UnresolvedReason.NOT_LINKABLE),
    ]
