"""One file becomes statements, a line or a source, with everything its author wrote."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from inspect import cleandoc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.model import Answers, EdgeStrength, Kind, Method, Relation, SampleClass, SeenIn, Status
from kg.notes.parsed import ParsedNote

NoteOf = Callable[..., ParsedNote]


def claim(body: str, head: str = "type: claim") -> str:
    return f"---\n{head}\n---\n\n{cleandoc(body)}\n"


def rules(note: ParsedNote) -> list[tuple[str, int, int]]:
    return [(p.rule, p.span.line, p.span.column) for p in note.diagnostics]


# -- front matter --------------------------------------------------------------------------


def test_a_claim_with_everything(note_of: NoteOf) -> None:
    note = note_of(
        claim(
            "# It *holds*\n\nText é [@wu2025, p. 4].",
            """type: Claim
id: other-id
aliases: [old one, older]
camp: skeptic
topics: [a, b-c]
about: X 1, Y
asserted_by: [wu2025, "Li, Ben"]
reported: true
open: is it?
method: Meta Analysis
sample: 1,555 turns of talk
replications: 2
preregistered: yes
concerns: [risk-of-bias]
independence: lab:x
seen_in: not_seen
quality: 0.5
status: draft
created: 2026-01-02
new-key: kept 007""",
        ),
        "claims/stem.md",
    )
    (it,) = note.statements
    assert (it.id, it.kind, it.title, it.body) == (
        "other-id",
        Kind.CLAIM,
        "It *holds*",
        "Text é [@wu2025, p. 4].",
    )
    assert (it.aliases, it.topics, it.about) == (("old one", "older"), ("a", "b-c"), ("X 1", "Y"))
    assert (it.asserted_by, it.reported, it.open) == (("wu2025", "Li, Ben"), True, "is it?")
    assert (it.method, it.sample, it.sample_unit) == (Method.META_ANALYSIS, 1555, "turns of talk")
    assert it.sample_class is SampleClass.ITEMS
    assert (it.replications, it.preregistered, it.quality) == (2, True, 0.5)
    assert (it.status, it.seen_in) == (Status.DRAFT, SeenIn.NOT_SEEN)
    assert (it.created, it.extra) == (dt.date(2026, 1, 2), {"new-key": "kept 007"})
    assert [(c.key, c.locator, c.span.line, c.span.column) for c in it.citations] == [
        ("wu2025", "p. 4", 26, 9)
    ]
    assert rules(note) == [("unknown-key", 21, 1)]


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("claim", Kind.CLAIM),
        ("Claim", Kind.CLAIM),
        ("Counter-Claim", Kind.COUNTER_CLAIM),
        ("counter claim", Kind.COUNTER_CLAIM),
        ("CounterClaim", Kind.COUNTER_CLAIM),
        ("Evidence", Kind.EVIDENCE),
        ("EVIDENCE", Kind.EVIDENCE),
    ],
)
def test_types_are_known_in_any_case(note_of: NoteOf, written: str, kind: Kind) -> None:
    assert note_of(claim("# T", f"type: {written}")).statements[0].kind is kind


@pytest.mark.parametrize("written", ["SourceDocument", "source document", "source"])
def test_open_knowledge_format_sources(note_of: NoteOf, written: str) -> None:
    note = note_of(claim("# T\n\nAbout it.", f"type: {written}\nintegrity: Retracted"), "wu2025.md")
    assert note.source is not None
    assert (note.source.key, note.source.title, note.source.retracted) == ("wu2025", "T", True)


@pytest.mark.parametrize("written", ["InquiryLine", "inquiry line", "Line"])
def test_open_knowledge_format_lines(note_of: NoteOf, written: str) -> None:
    line = note_of(claim("# Is it?", f"type: {written}\nproposition: '[[x]]'")).line
    assert line is not None
    assert (line.title, line.proposition) == ("Is it?", "[[x]]")


@pytest.mark.parametrize(
    "written",
    [
        'answers: {holds: "Yes: it is", fails: "No"}',
        "answers:\n  holds: 'Yes: it\n    is'\n  fails: No\n  undecided:",
        'Answers:\n  Fails: "No"\n  HOLDS: " Yes:  it is "',
    ],
)
def test_a_line_says_what_its_answer_means(note_of: NoteOf, written: str) -> None:
    note = note_of(claim("# Is it?", f"type: line\nproposition: x\n{written}"))
    assert note.line is not None
    assert note.line.answers == Answers(holds="Yes: it is", fails="No")
    assert rules(note) == []
    told = [note.line.answer_for(side) for side in (1, -1, 0)]
    assert told == ["Yes: it is", "No", "Undecided: the notes do not settle it."]


@pytest.mark.parametrize(
    "written",
    [
        "answers: perhaps",
        "answers: [a, b]",
        "answers: []",
        "answers: {}",
        "answers: {holds: a}",
        "answers: {fails: a, holds: }",
        "answers: {holds: a, fails: {b: c}}",
        "answers: {holds: a, fails: [b, c]}",
        "answers: {holds: a, fails: b, Holds: c}",
        "answers: {holds: a, fails: b, [x]: c}",
        "answers: {holds: a, fails: " + "b" * 201 + "}",
    ],
)
def test_wrong_answers_are_told_once_and_left_out(note_of: NoteOf, written: str) -> None:
    note = note_of(claim("# Is it?", f"type: line\nproposition: x\n{written}"))
    assert [rule for rule, *_ in rules(note)] == ["bad-value"]
    assert note.diagnostics[0].message.startswith("`answers` should be ")
    assert note.line is not None
    assert not note.line.answers.written
    assert [note.line.answer_for(side) for side in (1, -1)] == ["", ""]


def test_answers_are_for_lines(note_of: NoteOf) -> None:
    note = note_of(claim("# It is", "type: claim\nanswers: {holds: a, fails: b}"))
    assert rules(note) == [("unknown-key", 3, 1)]
    assert note.diagnostics[0].help == "it is a key of another type of note"


@pytest.mark.parametrize(
    ("prefix", "found"), [("CLM", "claim"), ("EVD", "evidence"), ("QUE", "line"), ("SRC", "source")]
)
def test_discourse_graph_prefixes_say_the_type(note_of: NoteOf, prefix: str, found: str) -> None:
    by_name = note_of("Text.", f"{prefix} - It holds.md")
    by_heading = note_of(f"# {prefix} - It holds\n\nText.", "x.md")
    by_name_under_another_heading = note_of("# It holds\n\nText.", f"{prefix} - x.md")
    for note in (by_name, by_heading, by_name_under_another_heading):
        thing = note.line or note.source or note.statements[0]
        assert thing.title == "It holds"
        assert getattr(thing, "kind", "line" if note.line else "source") == found
        assert rules(note) == []


def test_keys_are_known_in_any_case(note_of: NoteOf) -> None:
    note = note_of(claim("# T", "Type: claim\nAsserted-By: Wu\nPEER_REVIEWED: true"))
    assert (note.statements[0].asserted_by, note.statements[0].peer_reviewed) == (("Wu",), True)
    assert rules(note) == []


@pytest.mark.parametrize(
    ("title", "head", "body"),
    [
        ("From the head", "title: From the head", "# In the body"),
        ("007", "title: 007", "# In the body"),
        ("true", "title: true", ""),
        ("In the body", "", "# In the body #"),
        ("In the body", "", "In the body\n==="),
        ("the-stem", "", "No heading.\n\n## Second level"),
        ("the-stem", "", "> # In a quote"),
        ("the-stem", "", "- # In a list"),
        ("On two lines", "", "On\ntwo lines\n==="),
    ],
)
def test_where_the_title_comes_from(note_of: NoteOf, title: str, head: str, body: str) -> None:
    note = note_of(claim(body, f"type: claim\n{head}".strip()), "the-stem.md")
    assert note.statements[0].title == title


@pytest.mark.parametrize(
    ("value", "sample", "unit"),
    [
        ("555", 555, ""),
        ("1,555 people", 1555, "people"),
        ("1 555 people", 1555, "people"),
        ("555 7-point ratings", 555, "7-point ratings"),
        ("0", 0, ""),
    ],
)
def test_samples(note_of: NoteOf, value: str, sample: int, unit: str) -> None:
    it = note_of(claim("# T", f"type: evidence\nsample: {value}")).statements[0]
    assert (it.sample, it.sample_unit) == (sample, unit)


@pytest.mark.parametrize(
    "line",
    [
        "created: 2026-13-01",
        "created: 2026-02-30",
        "created: 2026",
        "created: 86400",
        "created: yesterday",
        "effect: big",
        "effect: z=2",
        "effect: d=0.5 [0.6, 0.7]",
        "effect: {d: 1}",
        "p: 0",
        "p: 1.2",
        "p: small",
        "replications: -1",
        "replications: many",
        "quality: 1.5",
        "quality: nan",
        "reported: perhaps",
        "status: finished",
        "sample: many",
        "sample: 12.5",
        "sample: 10k",
        "sample: 10%",
        f"sample: {'9' * 5000}",
        "topics: {a: b}",
        "status: [draft, stable]",
        "method: []",
        "created: [2026-01-01, 2026-01-02]",
        "sample: [1, 2]",
        "title: [a, b]",
        "id: a#b",
        "id: 'a|b'",
        "id: '[[x]]'",
    ],
)
def test_a_wrong_value_is_one_problem_and_the_rest_is_kept(note_of: NoteOf, line: str) -> None:
    note = note_of(claim("# T", f"type: evidence\n{line}\ncamp: optimist"))
    assert rules(note) == [("bad-value", 3, line.index(": ") + 3)]
    it = note.statements[0]
    assert (it.title, it.camp, it.created, it.method, it.sample) == (
        "T",
        "optimist",
        None,
        None,
        None,
    )


def test_a_broken_head_leaves_the_text(note_of: NoteOf) -> None:
    note = note_of("---\ntype: claim\ntitle: a: b\n---\n# T\n")
    assert rules(note) == [("broken-front-matter", 3, 9)]
    assert note.statements == ()


def test_a_head_that_is_never_closed_is_one_problem(note_of: NoteOf) -> None:
    assert rules(note_of("---\ntype: claim\n\n# T\n")) == [("broken-front-matter", 1, 1)]


def test_a_note_without_a_type_is_one_problem(note_of: NoteOf) -> None:
    for text in ("# T\n", "", "---\ncamp: optimist\n---\n# T\n", "---\n---\n# T\n"):
        assert [rule for rule, _, _ in rules(note_of(text))] == ["missing-type"]
    assert rules(note_of("---\ncamp: x\ntype: clam\n---\n")) == [("missing-type", 3, 7)]


def test_what_is_meant_by_an_unclear_note_is_kept_beside_its_problems(note_of: NoteOf) -> None:
    body = "\n# T\n\n> [!evidence] E ^e\n> x\n\n- supports:: [[b]] — r\n"
    right = note_of(f"---\ntype: claim\ncamp: x\n---\n{body}")
    for head in (
        "type: claimm\ncamp: x",
        "camp: x\ntype: Hypothesis",
        "type: claim\ncamp: x\nk: a: b",
    ):
        note = note_of(f"---\n{head}\n---\n{body}")
        assert (note.statements, note.edges, len(note.diagnostics)) == ((), (), 1)
        assert note.best_guess is not None
        meant = note.best_guess.statements
        assert [(s.id, s.kind, s.camp) for s in meant] == [
            (s.id, s.kind, s.camp) for s in right.statements
        ]
        assert [edge.target for edge in note.best_guess.edges] == [e.target for e in right.edges]
    for head in ("type: memo", "camp: x", "type:\n  a: b"):
        assert note_of(f"---\n{head}\n---\n{body}").best_guess is None


@pytest.mark.parametrize("list", ["[a: b, c]", "\n  - a: b\n  - c", "[{a: b}, [c]]"])
def test_a_phrase_with_a_colon_in_a_list_stays_a_phrase(note_of: NoteOf, list: str) -> None:
    (it,) = note_of(f"---\ntype: claim\ntopics: {list}\naliases: {list}\n---\n# T\n").statements
    assert it.topics == it.aliases == ("a: b", "c")


def test_every_broken_line_of_front_matter_is_told(note_of: NoteOf) -> None:
    note = note_of("---\ntype: claim\ntitle: a: b\ncamp: x\nopen: c: d\ntopics: [a\ncamp: y\n---\n")
    assert rules(note) == [
        ("broken-front-matter", line, at) for line, at in ((3, 9), (5, 8), (6, 9), (7, 1))
    ]
    assert note.best_guess is not None
    assert (note.best_guess.statements[0].title, note.best_guess.statements[0].open) == (
        "a: b",
        "c: d",
    )


def test_front_matter_without_an_end_ends_at_the_first_empty_line(note_of: NoteOf) -> None:
    note = note_of("---\ntype: claim\ntopics: [a]\n\n# T\n\nText.\n")
    assert rules(note) == [("broken-front-matter", 1, 1)]
    assert note.best_guess is not None
    (it,) = note.best_guess.statements
    assert (it.title, it.topics, it.span.line) == ("T", ("a",), 5)


@pytest.mark.parametrize("data", [b"a\0b", b"\xff\xfe", "é".encode("latin-1")])
def test_what_is_no_text_is_one_problem(note_of: NoteOf, data: bytes) -> None:
    note = note_of(data, "a/b.md")
    assert [p.rule for p in note.diagnostics] == ["unreadable-file"]
    assert (note.id, note.statements) == ("b", ())


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_byte_order_marks_and_line_ends_change_nothing(
    note_of: NoteOf, mark: str, end: str
) -> None:
    text = claim(
        "# é T\n\nText\nmore [@a].\n\n> [!evidence] E ^e\n> x\n\n- supports:: [[b]] — r ^s"
    )
    plain = note_of(text)
    assert note_of(mark + text.replace("\n", end)) == plain
    assert plain.statements[0].citations[0].span.line == 8


# -- callouts ------------------------------------------------------------------------------


def test_callouts_become_statements_with_an_edge_to_what_holds_them(note_of: NoteOf) -> None:
    note = note_of(
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
    top, found, not_found, other, another = note.statements
    assert (top.id, top.body) == ("n", "Text.\n\nAfter.")
    assert (found.id, found.title, found.parent) == ("n#found", "Found *it* é", "n")
    assert found.body == "Counted 77.5%. [@wu2025]\n\nMore."
    assert (found.method, found.sample, found.sample_unit) == (Method.BENCHMARK, 120, "turns")
    assert (not_found.id, not_found.parent, not_found.kind) == ("n#not", "n#found", Kind.EVIDENCE)
    assert (not_found.body, not_found.citations[0].key) == ("Elsewhere. [@li2020, p. 2]", "li2020")
    assert (other.id, other.kind, other.camp) == ("n#otherwise", Kind.COUNTER_CLAIM, "optimist")
    assert (another.id, another.kind, another.parent) == ("n#another", Kind.CLAIM, "n")
    assert [(e.source, e.relation, e.target, e.nested) for e in note.edges] == [
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


def test_the_id_of_a_callout_may_stand_before_its_fields(note_of: NoteOf) -> None:
    it = note_of(
        claim("> [!evidence] Found ^f (method:: survey)", "type: claim"), "n.md"
    ).statements[1]
    assert (it.id, it.title, it.method) == ("n#f", "Found", Method.SURVEY)


def test_callouts_with_one_title_get_ids_of_their_own(note_of: NoteOf) -> None:
    body = "> [!evidence] Same\n\n> [!evidence] Same\n\n> [!evidence] Same"
    note = note_of(claim(body), "n.md")
    assert [s.id for s in note.statements] == ["n", "n#same", "n#same-2", "n#same-3"]
    assert rules(note) == []


def test_a_block_id_used_twice_is_a_problem(note_of: NoteOf) -> None:
    callouts = note_of(claim("> [!evidence] A ^x\n\n> [!evidence] B ^x"), "n.md")
    assert rules(callouts) == [("duplicate-id", 7, 3)]
    assert len({s.id for s in callouts.statements}) == 3
    edges = note_of(claim("- supports:: [[a]] ^x\n- supports:: [[b]] ^x"))
    assert rules(edges) == [("duplicate-id", 6, 1)]
    both = note_of(claim("> [!evidence] A ^x\n\n- supports:: [[b]] ^x"))
    assert rules(both) == [("duplicate-id", 7, 1)]


def test_other_callouts_and_quotes_stay_text(note_of: NoteOf) -> None:
    note = note_of(claim("> [!note] Hm\n> text\n\n> plain\n\n[!evidence] no quote"))
    assert len(note.statements) == 1
    assert "[!note] Hm" in note.statements[0].body
    assert note_of(claim("> [!evidense] X ^x")).diagnostics[0].rule == "unknown-callout"


def test_a_callout_keeps_the_markdown_inside_it(note_of: NoteOf) -> None:
    note = note_of(
        claim(
            "> [!evidence] A ^x\n> ```\n> > code\n> ```\n>\n> > quoted\n> > on\n>\n>     indented"
        )
    )
    assert note.statements[1].body == "```\n> code\n```\n\n> quoted\n> on\n\n    indented"


def test_a_callout_in_a_line_belongs_to_no_statement(note_of: NoteOf) -> None:
    note = note_of(claim("# Q?\n\nText.\n\n> [!evidence] A ^x", "type: line"), "q.md")
    assert [(s.id, s.parent) for s in note.statements] == [("q#x", None)]
    assert note.edges == ()


def test_a_callout_in_a_source_is_not_lost(note_of: NoteOf) -> None:
    note = note_of(claim("# T\n\n> [!evidence] A ^x\n> [@s]", "type: source"), "s.md")
    assert [(s.id, s.parent) for s in note.statements] == [("s#x", None)]


# -- relations -----------------------------------------------------------------------------


def edges(note: ParsedNote) -> list[tuple[str, str, str, str]]:
    return [(e.relation, e.target, e.reason, e.block) for e in note.edges]


@pytest.mark.parametrize(
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
def test_relations(note_of: NoteOf, item: str, expected: list[tuple[str, ...]]) -> None:
    note = note_of(claim(item))
    assert edges(note) == expected
    assert note.statements[0].body == ""
    assert rules(note) == []


def test_fields_of_an_edge(note_of: NoteOf) -> None:
    note = note_of(
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


@pytest.mark.parametrize(
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
def test_prose_is_left_alone(note_of: NoteOf, prose: str) -> None:
    note = note_of(f"---\ntype: claim\n---\n\n# T\n\nText.\n\n{prose}\n")
    assert (note.edges, note.diagnostics) == ((), ())


@pytest.mark.parametrize(
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
def test_wrong_relations_are_problems(note_of: NoteOf, item: str, rule: str) -> None:
    mark = {"unknown-key": "(", "bad-value": ":: "}.get(rule, "") if "(" in item else ""
    column = item.rindex(mark) + len(mark) + 1 if mark else 1
    assert rules(note_of(claim(f"Text.\n\n{item}"))) == [(rule, 7, column)]


def test_what_is_quoted_from_a_reason_counts_as_cited_and_mentioned(note_of: NoteOf) -> None:
    note = note_of(claim("- supports:: [[a]] — as [[b|B]] and [@k] say"))
    assert [m.target for m in note.mentions] == ["b"]
    assert [c.key for c in note.statements[0].citations] == ["k"]


# -- links, quotations ---------------------------------------------------------------------


def test_links_in_running_text_are_mentions_with_their_paragraph(note_of: NoteOf) -> None:
    note = note_of(
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


def test_a_long_paragraph_is_not_told_again_for_each_of_its_links(note_of: NoteOf) -> None:
    note = note_of(claim("[[a]] " * 4000))
    assert len(note.mentions) == 4000
    assert max(len(mention.context) for mention in note.mentions) < 1000
    assert "[[a]] [[a]]" in note.mentions[2000].context


def test_quotations_end_in_a_citation(note_of: NoteOf) -> None:
    note = note_of(
        claim("> “Words of\n> theirs” [@wu2025, p. 4].\n\n> No source\n\n“Inline” [@li].")
    )
    (quotation,) = note.statements[0].quotations
    assert (quotation.text, quotation.key, quotation.locator) == (
        "Words of theirs",
        "wu2025",
        "p. 4",
    )
    assert [c.key for c in note.statements[0].citations] == ["wu2025", "li"]


# -- lines ---------------------------------------------------------------------------------


def test_a_line_has_a_standfirst_an_essay_camps_and_next_steps(note_of: NoteOf) -> None:
    note = note_of(
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


def test_an_essay_that_begins_with_a_heading_has_no_standfirst(note_of: NoteOf) -> None:
    line = note_of(claim("# Q?\n\n## Part\n\nText.", "type: line")).line
    assert line is not None
    assert (line.standfirst, line.essay) == ("", "## Part\n\nText.")


# -- whatever the text ---------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        "---\n",
        "type: claim\n",
        "type: line\n",
        "type: source\n",
        "camp: x\n",
        "# T\n",
        "\n",
        "\n\n",
        "> [!evidence] ",
        "> > [!claim] ",
        ">",
        "> ",
        "^id",
        "(method:: survey)",
        "(a:: (b) c)",
        "- supports:: ",
        "- next:: ",
        "[[a]]",
        "[[a#^b|c]]",
        "[t](u.md)",
        "[@k, p. 1]",
        " — ",
        "why",
        "`c`",
        "```\n",
        "é",
        "🜚",
        "|",
        "  ",
        "\t",
        "<b>",
        "\r\n",
        "## H\n",
        "::",
        "(",
        ")",
        "[",
        "]",
    ]
)
TEXTS = st.lists(PIECES, max_size=40).map("".join)


@given(TEXTS | st.text(max_size=80))
def test_no_text_raises_and_every_place_is_in_the_file(note_of: NoteOf, text: str) -> None:
    encoded = text.encode("utf-8", "surrogatepass")
    note = note_of(encoded)
    lines = text.replace("\r\n", "\n").removeprefix("\ufeff").split("\n")
    places = [p.span for p in note.diagnostics] + [m.span for m in note.mentions]
    places += [e.span for e in note.edges] + [s.span for s in note.statements]
    places += [c.span for s in note.statements for c in (*s.citations, *s.quotations)]
    for span in places:
        assert 1 <= span.line <= len(lines)
        assert 1 <= span.column <= len(lines[span.line - 1]) + 1


TITLES = st.integers(0, 10**6).map("titleé{}end".format)
NESTED = st.recursive(
    TITLES.map(lambda title: [f"[!evidence] {title}", "text [@k]"]),
    lambda inner: st.tuples(TITLES, st.lists(inner, max_size=2)).map(
        lambda it: [
            f"[!claim] {it[0]}",
            "text",
            *(r for rows in it[1] for r in ["", *(f"> {row}" for row in rows)]),
        ]
    ),
    max_leaves=5,
)


@given(st.lists(NESTED, max_size=3))
def test_no_body_holds_the_title_of_another_statement(
    note_of: NoteOf, callouts: list[list[str]]
) -> None:
    body = "\n\n".join("\n".join(f"> {row}" for row in rows) for rows in callouts)
    note = note_of(f"---\ntype: claim\n---\n# Whole\n\nText.\n\n{body}\n\nEnd.\n")
    assert len(note.statements) == 1 + body.count("[!")
    for statement in note.statements:
        assert "titleé" not in statement.body
        assert "Whole" not in statement.body
        assert "[!" not in statement.body


@given(TEXTS, TEXTS)
def test_a_note_is_read_alone(note_of: NoteOf, text: str, other: str) -> None:
    before = note_of(text)
    note_of(other, "other.md")
    assert note_of(text) == before
