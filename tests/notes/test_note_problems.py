"""What is wrong in a note is told once, at its place, and the rest is kept."""

from __future__ import annotations

from inspect import cleandoc

from kg.notes.parsed_note import ParsedNote
from tests.support.corpora import parsed_note_of
from tests.support.every_row import every_row


def claim(body: str, head: str = "type: claim") -> str:
    return f"---\n{head}\n---\n\n{cleandoc(body)}\n"


def rules(note: ParsedNote) -> list[tuple[str, int, int]]:
    return [(p.rule, p.span.line, p.span.column) for p in note.diagnostics]


@every_row(
    "text",
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
def test_wrong_answers_are_reported_once_and_left_out(text: str) -> None:
    note = parsed_note_of(claim("# Is it?", f"type: line\nproposition: x\n{text}"))
    assert [rule for rule, *_ in rules(note)] == ["bad-value"]
    assert note.diagnostics[0].message.startswith("`answers` should be ")
    assert note.line is not None
    assert not note.line.answers.has_any
    assert [note.line.answer_for(side) for side in (1, -1)] == ["", ""]


def test_answers_are_for_lines() -> None:
    note = parsed_note_of(claim("# It is", "type: claim\nanswers: {holds: a, fails: b}"))
    assert rules(note) == [("unknown-key", 3, 1)]
    assert note.diagnostics[0].help == "it is a key of another type of note"


@every_row(
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
def test_a_wrong_value_is_one_problem_and_the_rest_is_kept(line: str) -> None:
    note = parsed_note_of(claim("# T", f"type: evidence\n{line}\ncamp: optimist"))
    assert rules(note) == [("bad-value", 3, line.index(": ") + 3)]
    it = note.statements[0]
    assert (it.title, it.camp, it.created, it.method, it.sample) == (
        "T",
        "optimist",
        None,
        None,
        None,
    )


def test_a_misspelt_key_hides_nothing() -> None:
    note = parsed_note_of(
        claim("# T", "type: claim\nstatsu: finished\ncolour: red\nopne: so\nopen: no")
    )
    assert rules(note) == [
        ("unknown-key", 3, 1),
        ("bad-value", 3, 9),
        ("unknown-key", 4, 1),
        ("unknown-key", 5, 1),
    ]
    fixes = [problem.fix and problem.fix.edits[0].text for problem in note.diagnostics]
    assert fixes == ["status", None, None, None]  # `open` is written below


@every_row(
    ("text", "rule", "line", "help"),
    [
        ("---\ntype claim\n---\n", "broken-front-matter", 2, "key: value"),
        ("---\ncamp: x\ntype claim\nopen: y\n---\n", "broken-front-matter", 3, "colon"),
        ("---\ntype:claim\n---\n", "broken-front-matter", 2, "space"),
        ("---\ntype: claim\ntopics:\n\t- a\n---\n", "broken-front-matter", 4, "spaces"),
        ("---\ntype: claim\ntitle: Why: it\n---\n", "broken-front-matter", 3, "quotes"),
        ("---\ntype: claim\n# T\n", "broken-front-matter", 1, "`---`"),
        ("\n---\ntype: claim\n---\n", "missing-type", 1, "first line"),
        ("type: claim\n\n# T\n", "missing-type", 1, "`---`"),
        ("---\nType: Claims\n---\n", "missing-type", 2, "`claim`"),
        ("# T\n", "missing-type", 1, "`type:`"),
        ("---\ntype: claim\nsupports: b\n---\n", "unknown-key", 3, "`- supports:: [[target]]"),
        ("---\ntype: claim\ntopic: b\n---\n", "unknown-key", 3, "`topics`"),
        ("---\ntype: claim\nintegrity: ok\n---\n", "unknown-key", 3, "another type"),
        ("---\ntype:\u00a0claim\nopen: x\n---\n", "broken-front-matter", 2, "plain space"),
        ("---\nopen: x\ntype:claim\ncamp: x\n---\n", "broken-front-matter", 3, "`type: claim`"),
        ("---\ntype: claim\ntitle: “A: b”\n---\n", "broken-front-matter", 3, "straight"),
        ("---\ntype: evidence\np: >.05\n---\n", "broken-front-matter", 3, '`p: ">.05"`'),
        ("---\ntype: claim\ntopics: a, “b c”\n---\n", "bad-value", 3, '`"b c"`'),
        ("---\ntype: claim\ntopics: [“a”]\n---\n", "bad-value", 3, '`"a"`'),
        ("---\ntype: claim\nopen: ‘so: it’\n---\n", "broken-front-matter", 3, "quotes"),
        ("---\ntype: “claim”\n---\n", "missing-type", 2, "`claim`"),
        ("+++\ntype = 'claim'\n+++\n# T\n", "missing-type", 1, "not `+++`"),
        ("----\ncamp: x\ntype: claim\n----\n# T\n", "missing-type", 1, "not `----`"),
        ("—\ntype: claim\n—\n# T\n", "missing-type", 1, "not `—`"),
        ("```yaml\ntype: claim\n```\n# T\n", "missing-type", 1, "code block"),
        ("---\ntype: memo\n---\n", "missing-type", 2, "types are"),
        ("---\ntype: claim\n***\n\n# T\n", "broken-front-matter", 1, "not `***`"),
        ("---\ntype: claim\n----\n\n# T\n", "broken-front-matter", 1, "not `----`"),
        ("---\ntype: hypothesis\n---\n", "missing-type", 2, "`claim`"),
        ("---\ntype: paper\n---\n", "missing-type", 2, "`source`"),
    ],
)
def test_a_slip_in_front_matter_has_one_clear_message(
    text: str, rule: str, line: int, help: str
) -> None:
    (problem,) = parsed_note_of(text).diagnostics
    assert (problem.rule, problem.span.line) == (rule, line)
    assert help in problem.help


@every_row(
    ("lines", "place"),
    [
        (["---", "type: claim", "---", "<<<<<<< a", "# T", "=======", "# U", ">>>>>>> b"],
         " around the title"),
        (["---", "type: claim", "---", "<<<<<<< a", "One.", "=======", "Two.", ">>>>>>> b", "# T"],
         ""),
        (["---", "<<<<<<< a", "type: claim", "=======", "type: line", ">>>>>>> b", "---", "# T"],
         " in the front matter"),
    ],
)  # fmt: skip
def test_a_conflict_is_placed_in_the_head_around_the_title_or_elsewhere(
    lines: list[str], place: str
) -> None:
    (problem,) = parsed_note_of("\n".join(lines) + "\n").diagnostics
    assert problem.message == f"unresolved merge conflict{place}"
