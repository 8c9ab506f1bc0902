"""The body of a note: callouts, relations, running text, and what lines hold."""

from __future__ import annotations

import datetime as dt
from inspect import cleandoc

from kg.model import EdgeStrength, Kind, Method, Relation, Span
from kg.notes.body.body_reader import read_body
from kg.notes.parsed_note import ParsedNote
from tests.support.corpora import parsed_note_of
from tests.support.every_row import every_row


def claim(body: str, head: str = "type: claim") -> str:
    return f"---\n{head}\n---\n\n{cleandoc(body)}\n"


def rules(note: ParsedNote) -> list[tuple[str, int, int]]:
    return [(p.rule, p.span.line, p.span.column) for p in note.diagnostics]


# -- callouts ------------------------------------------------------------------------------


def test_callouts_become_statements_with_an_edge_to_what_holds_them() -> None:
    note = parsed_note_of(
        claim("""
            # Top

            Text.

            > [!evidence] Found *it* é ^found
            > Counted 77.5%. [@wu2025]
            > (method:: benchmark) (sample:: 120 turns) (reason:: it (really) counts)
            > (strength:: Weak)
            >
            > > [!counter-evidence]- Not found ^not
            > > Elsewhere. [@li2020, p. 2]
            > > - undercuts:: [[other#^edge]] — why not ^deep
            >
            > More.

            > [!counter-claim]+ Otherwise (camp:: optimist)
            > (mutual:: yes)

            > [!CLAIM] Another ^another

            After.
        """),
        "n.md",
    )
    top, evidence, not_found, other, another = note.statements
    assert (top.id, top.body) == ("n", "Text.\n\nAfter.")
    assert (evidence.id, evidence.title, evidence.parent) == ("n#found", "Found *it* é", "n")
    assert evidence.body == "Counted 77.5%. [@wu2025]\n\nMore."
    assert (evidence.method, evidence.sample, evidence.sample_unit) == (
        Method.BENCHMARK,
        120,
        "turns",
    )
    assert (not_found.id, not_found.parent, not_found.kind) == ("n#not", "n#found", Kind.EVIDENCE)
    assert (not_found.body, not_found.citations[0].key) == ("Elsewhere. [@li2020, p. 2]", "li2020")
    assert (other.id, other.kind, other.camp) == ("n#otherwise", Kind.COUNTER_CLAIM, "optimist")
    assert (another.id, another.kind, another.parent) == ("n#another", Kind.CLAIM, "n")
    assert [(e.origin, e.relation, e.target, e.nested) for e in note.edges] == [
        ("n#found", Relation.SUPPORTS, "n", True),
        ("n#not", Relation.CONTRADICTS, "n#found", True),
        ("n#not", "undercuts", "other#^edge", False),
        ("n#otherwise", Relation.CONTRADICTS, "n", True),
    ]
    assert (note.edges[0].reason, note.edges[0].strength) == (
        "it (really) counts",
        EdgeStrength.WEAK,
    )
    assert (note.edges[2].reason, note.edges[2].block) == ("why not", "deep")
    assert note.edges[3].mutual
    assert rules(note) == []
    assert [(s.span.line, s.span.column) for s in note.statements] == [
        (5, 1),
        (9, 3),
        (14, 5),
        (20, 3),
        (23, 3),
    ]


def test_the_id_of_a_callout_may_stand_before_its_fields() -> None:
    it = parsed_note_of(
        claim("> [!evidence] Found ^f (method:: survey)", "type: claim"), "n.md"
    ).statements[1]
    assert (it.id, it.title, it.method) == ("n#f", "Found", Method.SURVEY)


def test_callouts_with_one_title_get_ids_of_their_own() -> None:
    body = "> [!evidence] Same\n\n> [!evidence] Same\n\n> [!evidence] Same"
    note = parsed_note_of(claim(body), "n.md")
    assert [s.id for s in note.statements] == ["n", "n#same", "n#same-2", "n#same-3"]
    assert rules(note) == []


def test_a_block_id_used_twice_is_a_problem() -> None:
    callouts = parsed_note_of(claim("> [!evidence] A ^x\n\n> [!evidence] B ^x"), "n.md")
    assert rules(callouts) == [("duplicate-id", 7, 3)]
    assert len({s.id for s in callouts.statements}) == 3
    edges = parsed_note_of(claim("- supports:: [[a]] ^x\n- supports:: [[b]] ^x"))
    assert rules(edges) == [("duplicate-id", 6, 1)]
    both = parsed_note_of(claim("> [!evidence] A ^x\n\n- supports:: [[b]] ^x"))
    assert rules(both) == [("duplicate-id", 7, 1)]


def test_other_callouts_and_quotes_stay_text() -> None:
    note = parsed_note_of(claim("> [!note] Hm\n> text\n\n> plain\n\n[!evidence] no quote"))
    assert len(note.statements) == 1
    assert "[!note] Hm" in note.statements[0].body
    assert parsed_note_of(claim("> [!evidense] X ^x")).diagnostics[0].rule == "unknown-callout"


def test_a_callout_keeps_the_markdown_inside_it() -> None:
    note = parsed_note_of(
        claim(
            "> [!evidence] A ^x\n> ```\n> > code\n> ```\n>\n> > quoted\n> > on\n>\n>     indented"
        )
    )
    assert note.statements[1].body == "```\n> code\n```\n\n> quoted\n> on\n\n    indented"


def test_a_callout_in_a_line_belongs_to_no_statement() -> None:
    note = parsed_note_of(claim("# Q?\n\nText.\n\n> [!evidence] A ^x", "type: line"), "q.md")
    assert [(s.id, s.parent) for s in note.statements] == [("q#x", None)]
    assert note.edges == ()


def test_a_callout_in_a_source_is_not_lost() -> None:
    note = parsed_note_of(claim("# T\n\n> [!evidence] A ^x\n> [@s]", "type: source"), "s.md")
    assert [(s.id, s.parent) for s in note.statements] == [("s#x", None)]


# -- relations -----------------------------------------------------------------------------


def edges(note: ParsedNote) -> list[tuple[str, str, str, str]]:
    return [(e.relation, e.target, e.reason, e.block) for e in note.edges]


@every_row(
    ("item", "expected"),
    [
        ("- supports:: [[a]]", [("supports", "a", "", "")]),
        ("- supports:: [[a]] — because é ^b", [("supports", "a", "because é", "b")]),
        ("- supports:: [[a]] – because", [("supports", "a", "because", "")]),
        ("- supports:: [[a]] -- because", [("supports", "a", "because", "")]),
        ("* Supports:: [[a]] — x", [("supports", "a", "x", "")]),
        ("+ supports::[[a]]", [("supports", "a", "", "")]),
        ("1. supports:: [[a]]", [("supports", "a", "", "")]),
        ("- [ ] supports:: [[a]]", [("supports", "a", "", "")]),
        ("- supports:: [[a|words]]", [("supports", "a", "", "")]),
        ("- [supports:: [[a]]] — x ^b", [("supports", "a", "x", "b")]),
        ("- [Supports:: [[a|words]]] (by:: c) — x", [("supports", "a", "x", "")]),
        (
            "- [supports:: [[a]], [b](b.md)] — x [y]",
            [("supports", "a", "x [y]", ""), ("supports", "/b.md", "x [y]", "")],
        ),
        ("- supports:: [[claims/a.md]]", [("supports", "a", "", "")]),
        ("- undercuts:: [[a#^b]] — x", [("undercuts", "a#^b", "x", "")]),
        ("- undercuts:: [[#^b]] — x", [("undercuts", "note#^b", "x", "")]),
        ("- supports:: [A](a%20b.md)", [("supports", "/a b.md", "", "")]),
        ("- supports:: [A](../x/a.md#^e) — y", [("supports", "/../x/a.md#^e", "y", "")]),
        (
            "- supports:: [[a]], [[b]] and [c](c.md) — all ^e",
            [
                ("supports", "a", "all", "e"),
                ("supports", "b", "all", "e"),
                ("supports", "/c.md", "all", "e"),
            ],
        ),
        ("- supports:: [[a]] — one — two -- three", [("supports", "a", "one — two -- three", "")]),
        ("- supports:: [[a]] — as in [[b]]", [("supports", "a", "as in [[b]]", "")]),
        ("- supports:: [[a — b]] — c", [("supports", "a — b", "c", "")]),
        ("- supports:: [[a]] — `x -- y` é", [("supports", "a", "`x -- y` é", "")]),
        ("- supports:: [[a]] — says [@k, p. 4]", [("supports", "a", "says [@k, p. 4]", "")]),
        ("- supports:: [[a]]\n  — on\n  two lines ^e", [("supports", "a", "on two lines", "e")]),
        ("- supports:: [[a]] —\n  below", [("supports", "a", "below", "")]),
        ("- supports:: [[a]] (by:: [[b]]) — c", [("supports", "a", "c", "")]),
        (
            "- depends-on:: [[a]] — x^2 and ^not-an-id here",
            [("depends-on", "a", "x^2 and ^not-an-id here", "")],
        ),
    ],
)
def test_a_relation_item_becomes_edges_with_reason_and_name(
    item: str, expected: list[tuple[str, ...]]
) -> None:
    note = parsed_note_of(claim(item))
    assert edges(note) == expected
    assert note.statements[0].body == ""
    assert rules(note) == []


def test_the_fields_of_an_edge_are_read() -> None:
    note = parsed_note_of(
        claim(
            "- contradicts:: [[a]] (strength:: Strong) (mutual:: yes) (scope:: in (a) b) — w ^i"
            "\n- supports:: [[b]] — w (by:: Wu) (locator:: p. 4)"
        )
    )
    first, second = note.edges
    assert (first.strength, first.mutual, first.scope) == (EdgeStrength.STRONG, True, "in (a) b")
    assert (first.reason, first.block) == ("w", "i")
    assert (second.by, second.locator, second.reason) == ("Wu", "p. 4", "w")
    assert (second.span.line, second.span.column) == (6, 1)


@every_row(
    "prose",
    [
        "- Added [[x]] to the list",
        "- See also: [x](x.md)",
        "- `supports:: [[x]]`",
        "- std::vector is a type",
        "supports the claim that [[x]] holds",
        "    supports:: [[x]]",
        "```\n    - supports:: [[x]]\n```",
        "\\- supports:: [[x]]",
        "- note: supports many things",
        "| supports:: [[x]] |\n|---|\n| y |",
    ],
)
def test_prose_is_left_alone(prose: str) -> None:
    note = parsed_note_of(f"---\ntype: claim\n---\n\n# T\n\nText.\n\n{prose}\n")
    assert (note.edges, note.diagnostics) == ((), ())


@every_row(
    ("item", "rule"),
    [
        ("- supports::", "missing-target"),
        ("- supports:: words only", "missing-target"),
        ("- supports:: [x](https://example.org)", "missing-target"),
        ("- supports:: [[a]] (colour:: red)", "unknown-key"),
        ("- supports:: [[a]] (strength:: huge)", "bad-value"),
        ("- supports:: [[a]] (mutual:: perhaps)", "bad-value"),
    ],
)
def test_wrong_relations_are_problems(item: str, rule: str) -> None:
    mark = {"unknown-key": "(", "bad-value": ":: "}.get(rule, "") if "(" in item else ""
    column = item.rindex(mark) + len(mark) + 1 if mark else 3
    assert rules(parsed_note_of(claim(f"Text.\n\n{item}"))) == [(rule, 7, column)]


def test_what_is_quoted_from_a_reason_counts_as_cited_and_mentioned() -> None:
    note = parsed_note_of(claim("- supports:: [[a]] — as [[b|B]] and [@k] say"))
    assert [m.target for m in note.mentions] == ["b"]
    assert [c.key for c in note.statements[0].citations] == ["k"]


# -- links, quotations ---------------------------------------------------------------------


def test_links_in_running_text_are_mentions_with_their_paragraph() -> None:
    note = parsed_note_of(
        claim(
            "É first [[a|the words]]\nand [b *c*](../b.md#^x), [r][], [web](https://x.org)."
            "\n\n[r]: r.md"
        ),
        "claims/n.md",
    )
    assert [(m.origin, m.target, m.text) for m in note.mentions] == [
        ("n", "a", "the words"),
        ("n", "/b.md#^x", "b *c*"),
        ("n", "/claims/r.md", "r"),
    ]
    first, second, _ = note.mentions
    assert (first.span.line, first.span.column, second.span.column) == (5, 9, 5)
    assert first.context.startswith("É first [[a|the words]] and [b")


def test_a_long_paragraph_is_not_repeated_for_each_of_its_links() -> None:
    note = parsed_note_of(claim("[[a]] " * 4000))
    assert len(note.mentions) == 4000
    assert max(len(mention.context) for mention in note.mentions) < 1000
    assert "[[a]] [[a]]" in note.mentions[2000].context


def test_quotations_end_in_a_citation() -> None:
    note = parsed_note_of(
        claim("> “Words of\n> theirs” [@wu2025, p. 4].\n\n> No source [sic].\n\n“Inline” [@li].")
    )
    (quotation,) = note.statements[0].quotations
    assert (quotation.text, quotation.key, quotation.locator) == (
        "Words of theirs",
        "wu2025",
        "p. 4",
    )
    assert [c.key for c in note.statements[0].citations] == ["wu2025", "li"]


# -- lines ---------------------------------------------------------------------------------


def test_a_line_has_a_standfirst_an_essay_camps_and_next_steps() -> None:
    note = parsed_note_of(
        claim(
            """
            # Is it so?

            One sentence
            first.

            The essay leans on [this](../claims/a.md) [@wu2025].

            ## Part

            ### Sub

            ```
            ## no heading

            code
            ```

            > “Quoted.” [@li]

            ## Camps

            - optimist:: [[a]] — because

            ### Skeptics

            - skeptic:: [[b]]

            ## Next

            - next:: [[other-line]] — further
            - next:: Does it *come* back — or not?
            """,
            "type: line\nreviewed: 2026-11-20",
        ),
        "lines/q.md",
    )
    line = note.line
    assert line is not None
    assert (line.title, line.standfirst) == ("Is it so?", "One sentence first.")
    assert line.essay == (
        "The essay leans on [this](../claims/a.md) [@wu2025].\n\n## Part\n\n### Sub\n\n"
        "```\n## no heading\n\ncode\n```\n\n> “Quoted.” [@li]"
    )
    assert line.reviewed == dt.date(2026, 11, 20)
    assert [q.key for q in line.quotations] == ["li"]
    assert [m.target for m in note.mentions] == ["/claims/a.md"]
    assert edges(note) == [
        ("optimist", "a", "because", ""),
        ("skeptic", "b", "", ""),
        ("next", "other-line", "further", ""),
        ("next", "", "Does it *come* back — or not?", ""),
    ]
    assert rules(note) == []


def test_an_essay_that_begins_with_a_heading_has_no_standfirst() -> None:
    line = parsed_note_of(claim("# Q?\n\n## Part\n\nText.", "type: line")).line
    assert line is not None
    assert (line.standfirst, line.essay) == ("", "## Part\n\nText.")


def test_a_list_ends_the_paragraph_above_it() -> None:
    line = parsed_note_of(
        claim("# Q?\n\nClaims\nof it:\n- [[a]]\n- [[b]]\n\nText.", "type: line")
    ).line
    assert line is not None
    assert (line.standfirst, line.essay) == ("Claims of it:", "- [[a]]\n- [[b]]\n\nText.")
    line = parsed_note_of(claim("# Q?\n\n- [[a]]\n- [[b]]\n", "type: line")).line
    assert line is not None
    assert (line.standfirst, line.essay) == ("", "- [[a]]\n- [[b]]")


def test_places_are_counted_from_the_line_on_which_the_body_begins() -> None:
    body = read_body("# T\n\nSee [[b]].\n\n- supports:: [[c]] — why\n", "a.md", 7, "a")
    assert body.title == "T"
    assert body.title_span == Span("a.md", 7)
    assert [(each.target, each.span) for each in body.mentions] == [("b", Span("a.md", 9, 5))]
    assert [(each.target, each.span) for each in body.edges] == [("c", Span("a.md", 11))]
    assert body.text_of(body.parts[0]) == "See [[b]]."
