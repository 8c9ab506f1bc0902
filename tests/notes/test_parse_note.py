"""One file becomes statements, a line or a source, with everything its author wrote."""

from __future__ import annotations

import datetime as dt
from inspect import cleandoc

from hypothesis import example, given
from hypothesis import strategies as st

from kg.model import AnswerWords, Kind, Method, SampleClass, SeenIn, Span, Status
from kg.notes.note_files import NoteFile
from kg.notes.parse_note import parse_note
from kg.notes.parsed_note import ParsedNote, PendingMethod
from tests.support.any_text import any_text
from tests.support.corpora import parsed_note_of
from tests.support.every_row import every_row


def claim(body: str, head: str = "type: claim") -> str:
    return f"---\n{head}\n---\n\n{cleandoc(body)}\n"


def rules(note: ParsedNote) -> list[tuple[str, int, int]]:
    return [(p.rule, p.span.line, p.span.column) for p in note.diagnostics]


# -- front matter --------------------------------------------------------------------------


@every_row("breaking", ["\\n", "\\r", "\\N", "\\L", "\\v"])
def test_an_id_is_one_line_and_one_with_line_breaks_is_a_problem(breaking: str) -> None:
    note = parsed_note_of(claim("# A", f'type: claim\ncamp: skeptic\nid: "a{breaking}b"'))
    assert note.id == note.statements[0].id == "a b"
    assert rules(note) == [("bad-value", 4, 5)]


def test_every_field_of_a_claim_is_read() -> None:
    note = parsed_note_of(
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


@every_row(
    ("text", "kind"),
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
def test_types_are_known_in_any_case(text: str, kind: Kind) -> None:
    assert parsed_note_of(claim("# T", f"type: {text}")).statements[0].kind is kind


@every_row("text", ["SourceDocument", "source document", "source"])
def test_sources_of_the_open_knowledge_format_are_read(text: str) -> None:
    note = parsed_note_of(
        claim("# T\n\nAbout it.", f"type: {text}\nintegrity: Retracted"), "wu2025.md"
    )
    assert note.source is not None
    assert (note.source.key, note.source.title, note.source.retracted) == ("wu2025", "T", True)


@every_row("text", ["InquiryLine", "inquiry line", "Line"])
def test_lines_of_the_open_knowledge_format_are_read(text: str) -> None:
    line = parsed_note_of(claim("# Is it?", f"type: {text}\nproposition: '[[x]]'")).line
    assert line is not None
    assert (line.title, line.proposition) == ("Is it?", "x")


@every_row(
    "text",
    [
        'answers: {holds: "Yes: it is", fails: "No"}',
        "answers:\n  holds: 'Yes: it\n    is'\n  fails: No\n  undecided:",
        'Answers:\n  Fails: "No"\n  HOLDS: " Yes:  it is "',
    ],
)
def test_a_line_says_what_its_answer_means(text: str) -> None:
    note = parsed_note_of(claim("# Is it?", f"type: line\nproposition: x\n{text}"))
    assert note.line is not None
    assert note.line.answers == AnswerWords(holds="Yes: it is", fails="No")
    assert rules(note) == []
    answers = [note.line.answer_for(side) for side in (1, -1, 0)]
    assert answers == ["Yes: it is", "No", "Undecided: the notes do not settle it."]


def test_a_line_says_its_chief_doubt_in_a_sentence() -> None:
    text = "No study\n  asks why" + " so" * 60 + "."
    note = parsed_note_of(claim("# Is it?", f"type: line\ndoubt: {text}"))
    assert rules(note) == []
    assert note.line is not None
    assert note.line.doubt == text.replace("\n ", "")
    longer = parsed_note_of(claim("# Is it?", "type: line\ndoubt: " + "b" * 201))
    assert longer.line is not None
    assert longer.line.doubt == ""
    assert longer.diagnostics[0].message == ("`doubt` should be at most 200 characters, not 201")


@every_row(
    ("prefix", "expected"),
    [("CLM", "claim"), ("EVD", "evidence"), ("QUE", "line"), ("SRC", "source")],
)
def test_discourse_graph_prefixes_say_the_type(prefix: str, expected: str) -> None:
    by_name = parsed_note_of("Text.", f"{prefix} - It holds.md")
    by_heading = parsed_note_of(f"# {prefix} - It holds\n\nText.", "x.md")
    by_name_under_another_heading = parsed_note_of("# It holds\n\nText.", f"{prefix} - x.md")
    for note in (by_name, by_heading, by_name_under_another_heading):
        thing = note.line or note.source or note.statements[0]
        assert thing.title == "It holds"
        assert getattr(thing, "kind", "line" if note.line else "source") == expected
        assert rules(note) == []


def test_keys_are_known_in_any_case() -> None:
    note = parsed_note_of(claim("# T", "Type: claim\nAsserted-By: Wu\nPEER_REVIEWED: true"))
    assert (note.statements[0].asserted_by, note.statements[0].peer_reviewed) == (("Wu",), True)
    assert rules(note) == []


@every_row(
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
def test_the_title_comes_from_the_head_the_heading_or_the_file_name(
    title: str, head: str, body: str
) -> None:
    note = parsed_note_of(claim(body, f"type: claim\n{head}".strip()), "the-stem.md")
    assert note.statements[0].title == title


@every_row(("body", "title"), [("# wu2025", "wu2025"), ("# W", "W"), ("No heading.", "")])
def test_the_name_of_its_file_alone_is_no_title_of_a_source(body: str, title: str) -> None:
    source = parsed_note_of(claim(body, "type: source"), "wu2025.md").source
    assert source is not None
    assert source.title == title


@every_row(
    ("relation", "is_kept"),
    [("next:: What is asked next?", True), ("next::", False), ("supports:: x", False)],
)
def test_only_a_question_asked_next_needs_no_target(relation: str, is_kept: bool) -> None:
    note = parsed_note_of(claim(f"# T\n\n- {relation}", "type: line"))
    assert len(note.edges) == is_kept
    assert [each.rule for each in note.diagnostics] == ([] if is_kept else ["missing-target"])


def test_an_id_that_no_link_can_hold_is_reported_only_where_it_is_written() -> None:
    assert rules(parsed_note_of(claim("# T"), "a|b.md")) == []
    assert rules(parsed_note_of(claim("# T", "type: claim\nid: a|b"))) == [("bad-value", 3, 5)]


@every_row(
    ("value", "sample", "unit"),
    [
        ("555", 555, ""),
        ("1,555 people", 1555, "people"),
        ("1 555 people", 1555, "people"),
        ("555 7-point ratings", 555, "7-point ratings"),
        ("0", 0, ""),
    ],
)
def test_a_sample_is_read_as_a_number_and_a_unit(value: str, sample: int, unit: str) -> None:
    it = parsed_note_of(claim("# T", f"type: evidence\nsample: {value}")).statements[0]
    assert (it.sample, it.sample_unit) == (sample, unit)


def test_a_method_of_ones_own_is_kept_as_it_is_written_with_its_place() -> None:
    callout = "> [!evidence] E ^e\n> (method:: by ear) [@x]"
    note = parsed_note_of(claim(f"# T\n\n{callout}", "type: evidence\nmethod: Own Eyes"))
    assert note.methods == (
        PendingMethod("note", "own-eyes", Span("note.md", 3, 9), "Own Eyes"),
        PendingMethod("note#e", "by-ear", Span("note.md", 9, 13), "by ear"),
    )


@every_row("figure", ["sample: 5 people", "effect: d = 0.5", "p: <0.01"])
def test_a_note_of_unknown_type_may_have_the_keys_of_any(figure: str) -> None:
    untyped = parsed_note_of(f"---\ndoubt: no study\n{figure}\nmood: calm\n---\n# T\n")
    assert [rule for rule, *_ in rules(untyped)] == ["missing-type", "unknown-key"]
    line = parsed_note_of(claim("# T", f"type: line\ndoubt: no study\n{figure}"))
    assert rules(line) == [("unknown-key", 4, 1)]


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


@given(TEXTS | TEXTS.map("---\ntype: claim\n---\n\n# T\n".__add__) | any_text(max_size=80))
@example(
    "---\ntype: claim\n---\n\n# T\n\n- supports:: [[a]] — é\n\n> [!evidence] E\n> “q” [@k] [[b]]\n"
)
def test_no_text_raises_and_every_place_is_in_the_file(text: str) -> None:
    encoded = text.encode("utf-8", "surrogatepass")
    note = parsed_note_of(encoded)
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
def test_no_body_holds_the_title_of_another_statement(callouts: list[list[str]]) -> None:
    body = "\n\n".join("\n".join(f"> {row}" for row in rows) for rows in callouts)
    note = parsed_note_of(f"---\ntype: claim\n---\n# Whole\n\nText.\n\n{body}\n\nEnd.\n")
    assert len(note.statements) == 1 + body.count("[!")
    for statement in note.statements:
        assert "titleé" not in statement.body
        assert "Whole" not in statement.body
        assert "[!" not in statement.body


@given(TEXTS, TEXTS)
def test_a_note_is_read_alone(text: str, other: str) -> None:
    before = parsed_note_of(text)
    parsed_note_of(other, "other.md")
    assert parsed_note_of(text) == before


def test_a_name_in_parts_is_the_name_in_one() -> None:
    assert parsed_note_of(claim("# T"), "cafe\u0301.md").id == "caf\u00e9"


def test_a_key_without_a_value_breaks_nothing_beside_other_letters() -> None:
    note = parsed_note_of(claim("# It hölds", "type: claim\ntags: é\nsource:"))
    assert [statement.title for statement in note.statements] == ["It hölds"]


@every_row("data", [b"\xff\xfe#\0", b"# A\0", b"---\ntype: claim\n---\n# \xff"])
def test_bytes_that_are_no_text_are_a_problem_of_the_file(data: bytes) -> None:
    note = parse_note(NoteFile("claims/a.md", data, b""))
    assert [problem.rule for problem in note.diagnostics] == ["unreadable-file"]
    assert (note.path, note.id, note.statements) == ("claims/a.md", "a", ())
