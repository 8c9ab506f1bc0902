"""Notes are joined by the names that they call each other by."""

from __future__ import annotations

from kg.corpus import UnresolvedReason, assemble
from kg.model import Relation
from tests.support.corpora import corpus_of_notes, parsed_note_of

HEAD = "---\ntype: claim\n---\n"


def c(body: str, head: str = "type: claim") -> str:
    return f"---\n{head}\n---\n\n# T\n\n{body}\n"


def test_a_link_in_a_table_has_its_bar_escaped() -> None:
    corpus = corpus_of_notes(a=c("| x |\n|---|\n| [[b\\|words]] |"), b=c(""))
    assert [(each.target, each.text) for each in corpus.mentions] == [("b", "words")]


def test_a_second_note_of_one_id_is_left_out_with_all_it_says() -> None:
    corpus = corpus_of_notes(
        **{
            "a/x": c("First."),
            "b/x": c("Second, see [[y]].\n\n> [!evidence] E ^e\n\n- supports:: [[y]]"),
            "y": c(""),
        }
    )
    assert corpus.statements["x"].body == "First."
    assert [(d.id, d.span.path, d.first.path) for d in corpus.duplicates] == [
        ("x", "b/x.md", "a/x.md")
    ]
    assert (corpus.edges, corpus.mentions, list(corpus.statements)) == ((), (), ["x", "y"])


def test_a_source_and_a_statement_cannot_share_an_id() -> None:
    corpus = corpus_of_notes(x=c(""), **{"z/x": "---\ntype: source\n---\n# S\n"})
    assert [d.id for d in corpus.duplicates] == ["x"]
    assert list(corpus.sources) == []


def test_a_source_note_adds_to_its_bibliography_entry() -> None:
    corpus = corpus_of_notes(
        references="@article{wu2025, title={From the library}, year={2025}}",
        wu2025="---\ntype: source\nintegrity: retracted\naliases: [wu]\n---\n\nWhat I think.\n",
        li2020="---\ntype: source\n---\n\n# Li\n",
        a=c("- supports:: [[b]]\n\n[@wu2025], [[@wu2025]], [[wu]]"),
        b=c(""),
    )
    wu = corpus.source("wu")
    assert (wu.title, wu.year, wu.retracted, wu.body, wu.note) == (
        "From the library",
        2025,
        True,
        "What I think.",
        "wu2025",
    )
    assert corpus.source("li2020").title == "Li"
    assert [m.target for m in corpus.mentions] == ["wu2025", "wu2025"]
    assert [s.id for s in corpus.statements_citing["wu2025"]] == ["a"]


def test_a_source_cited_by_an_alias_is_cited_under_its_own_key() -> None:
    corpus = corpus_of_notes(
        wu2025="---\ntype: source\naliases: [wu]\n---\n",
        a=c("One [@wu, p. 3; @wu2025; @none].\n\n> Word for word.\n> [@wu]"),
        l="---\ntype: line\n---\n\n# L?\n\nTwo [@wu].\n",
    )
    citations = corpus.statement("a").citations
    assert [(one.key, one.locator) for one in citations] == [
        ("wu2025", "p. 3"),
        ("wu2025", ""),
        ("none", ""),
        ("wu2025", ""),
    ]
    assert [one.key for one in corpus.statement("a").quotations] == ["wu2025"]
    assert [one.key for one in corpus.line("l").citations] == ["wu2025"]
    assert [statement.id for statement in corpus.statements_citing["wu2025"]] == ["a"]


def test_lines_place_statements_in_camps() -> None:
    corpus = corpus_of_notes(
        q=c(
            "- optimist:: [[a]] — r\n- skeptics:: [[b]]\n- skeptic:: [[p]]\n- supports:: [[a]]\n"
            "- next:: [[p]]\n- next:: Why?\n- next:: [[a]]\n- supersedes:: [[p]]",
            "type: line\nproposition: '[[A]]'",
        ),
        p=c("", "type: line\nproposition: q"),
        a=c(""),
        b=c("> [!counter-claim] N ^n", "type: claim\ncamp: skeptic"),
    )
    line = corpus.lines["q"]
    assert [(p.camp, p.statement, p.reason) for p in line.placements] == [("optimist", "a", "r")]
    assert (line.proposition, corpus.lines["p"].proposition) == ("a", None)
    assert [(n.target, n.question) for n in line.next] == [("p", ""), (None, "Why?")]
    assert [(e.relation, e.target) for e in corpus.edges if e.origin == "q"] == [
        (Relation.SUPERSEDES, "p")
    ]
    assert [(u.edge.relation, u.reason) for u in corpus.unresolved_edges] == [
        ("skeptics", UnresolvedReason.UNKNOWN_CAMP),
        ("skeptic", UnresolvedReason.WRONG_KIND),
        ("supports", UnresolvedReason.UNKNOWN_CAMP),
        ("next", UnresolvedReason.WRONG_KIND),
        ("proposition", UnresolvedReason.WRONG_KIND),
    ]
    assert corpus.camp_of("a", "q") == "optimist"
    assert (corpus.camp_of("b", "q"), corpus.camp_of("b#n")) == ("skeptic", None)


def test_notes_in_any_order_give_the_same_edges() -> None:
    notes = [
        parsed_note_of(c("- supports:: [[b]]\n- undercuts:: [[b#^x]]"), "a.md"),
        parsed_note_of(c("- supports:: [[a]] ^x"), "b.md"),
    ]
    corpus_there, back = assemble(notes), assemble(notes[::-1])
    assert {e.id for e in corpus_there.edges} == {e.id for e in back.edges}
