"""Slips that would lose what an author meant are pointed out; prose never is.

Of `kg/notes/body/near_callouts.py` and `kg/notes/body/unrendered_markdown.py`, too.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.notes.body import unrendered_markdown
from kg.notes.body.near_misses import find_near_misses, may_hold_near_miss, second_title
from kg.notes.markdown.blocks import scan_blocks
from kg.notes.parsed_note import ParsedNote
from tests.support.corpora import parsed_note_of
from tests.support.every_row import every_row

HEAD = "---\ntype: claim\n---\n\n# T\n\n"


def problem_places(note: ParsedNote) -> list[tuple[str, int, int]]:
    return [(p.rule, p.span.line, p.span.column) for p in note.diagnostics]


@every_row(
    ("text", "rule", "line", "column", "help"),
    [
        ("- supports [[x]] — why", "almost-a-relation", 7, 3, "`- supports:: [[target]]"),
        ("- supports: [[x]] — why", "almost-a-relation", 7, 3, "`- supports:: [[target]]"),
        ("- **Supports**:: [[x]]", "almost-a-relation", 7, 5, "`- supports::"),
        ("- supports :: [x](x.md)", "almost-a-relation", 7, 3, "`- supports::"),
        ("- depends-on -> [[x]]", "almost-a-relation", 7, 3, "`- depends-on::"),
        ("Text\nsupports:: [[x]] — why", "almost-a-relation", 8, 1, "list"),
        ("- supports:: [[x]]\n  contradicts:: [[y]]", "almost-a-relation", 8, 3, "list"),
        ("- supports:: [[x]] - why", "unread-words", 7, 20, "` — why`"),
        ("- supports:: [[x]] because", "unread-words", 7, 20, "` — because`"),
        ("- supports:: [[x]] —because", "unread-words", 7, 20, "` — because`"),
        ("- supports:: the claim [[x]] — why", "unread-words", 7, 14, "the claim"),
        ("- supports:: [[x]] (strength: weak)", "almost-a-field", 7, 20, "(strength:: weak)"),
        ("- supports:: [[x]] — why ^my_id", "bad-value", 7, 26, "`^my-id`"),
        ("- supports:: x", "missing-target", 7, 3, "[[x]]"),
        ("- supports:: [[x] — why", "missing-target", 7, 3, "[[x]]"),
        ("> [!evidence] É ^my_id", "bad-value", 7, 17, "`^my-id`"),
        ("- supports::: [[x]] — why", "almost-a-relation", 7, 3, "`- supports::"),
        ("-supports:: [[x]] — why", "almost-a-relation", 7, 1, "a space after `-`"),
        ("- supports:: ![[x]] — why", "missing-target", 7, 3, "without `!`"),
        ("- supports:: [x](x.md — why", "missing-target", 7, 3, "`)`"),
        ("- supports:: [x](https://x.org) — why", "missing-target", 7, 3, "`[@key]`"),
        ("- supports:: [[]] — why", "missing-target", 7, 3, "between the brackets"),
        ("- supports:: [[x]] (strength:: medium)", "bad-value", 7, 32, "`moderate`"),
        ("- supports:: [[x]] (reason:: so)", "unknown-key", 7, 21, "follows a dash"),
        ("> [!evidence] X ^x more", "bad-value", 7, 17, "at the end"),
        ("> [!evidence] X ^\U0001f600", "bad-value", 7, 17, "`^name`"),
        ("> [!evidence] X ^x\n> (concerns:: inprecision)", "bad-value", 8, 15, ""),
        ("> [!evidense] X\n> (reason:: so)", "unknown-callout", 7, 3, "[!evidence]"),
        ("Text (reason:: so)", "almost-a-field", 7, 6, "`> `"),
        ("See [[some-note for more", "unclosed-bracket", 7, 5, "`[[some-note]]`"),
        ("# Another", "second-title", 7, 1, "`## …`"),
        ("> [!evidence] X ^x\n> t (method: survey)", "almost-a-field", 8, 5, "(method:: survey)"),
        ("> [!evidence] X (method: survey) ^x", "almost-a-field", 7, 17, "(method:: survey)"),
        ("> [!evidence] X ^x\n> [sample:: 5]", "almost-a-field", 8, 3, "(sample:: 5)"),
        ("> [!evidence] X ^x\n> (sample:: 5", "almost-a-field", 8, 3, "`)`"),
        ("> [!evidence]\n> text", "missing-title", 7, 3, "[!evidence]"),
        ("[!evidence] X ^x", "unknown-callout", 7, 1, "> [!evidence]"),
        ("> [!evidense] X", "unknown-callout", 7, 3, "[!evidence]"),
        ("It was asked (method:: survey).", "almost-a-field", 7, 14, "method: survey"),
        ("é [[some-note] too", "unclosed-bracket", 7, 3, "`[[some-note]]`"),
        ("See [[some-note", "unclosed-bracket", 7, 5, "`[[some-note]]`"),
        ("See [[some note", "unclosed-bracket", 7, 5, "`[[some note]]`"),
        ("It is so [@wu2025, p. 4.", "unclosed-bracket", 7, 10, "`[@wu2025]`"),
        ("-\u00a0supports:: [[x]] — why", "almost-a-relation", 7, 1, "a plain space after `-`"),
        ("• supports:: [[x]] — why", "almost-a-relation", 7, 1, "not `•`"),
        ("Text\n–\tsupports:: [[x]] — why", "almost-a-relation", 8, 1, "not `–`"),
        ("- supports：： [[x]] — why", "almost-a-relation", 7, 3, "`- supports::"),
        ("So (supports:: [[x]]).", "almost-a-relation", 7, 4, "list: `- supports::"),
        ("[supports:: [[x]]]", "almost-a-relation", 7, 1, "list: `- supports::"),
        ("It is. supports:: [[x]]", "almost-a-relation", 7, 8, "list: `- supports::"),
        ("**supports**:: [[x]]", "almost-a-relation", 7, 1, "list: `- supports::"),
        ("Supported by:: [[x]]", "almost-a-relation", 7, 1, "target's note: `- supports::"),
        ("- Supported by: [[x]]", "almost-a-relation", 7, 3, "target's note: `- supports::"),
        ("Text\nopposes: [[x]]", "almost-a-relation", 8, 1, "list: `- contradicts::"),
        ("It opposes:: [[x]]", "almost-a-relation", 7, 4, "list: `- contradicts::"),
        ("- supports:: [[x]] — y\n-- qualifies:: [[z]]", "almost-a-relation", 8, 1, "not `--`"),
        ("> [!evidence] It fell by 3%^x-1", "bad-value", 7, 28, "` ^x-1`"),
        ("- supports:: [[x]] — why^it", "bad-value", 7, 25, "` ^it`"),
        ("> [!evidence] It cost $5 each^it", "bad-value", 7, 30, "` ^it`"),
        ("- depends on:: [[x]] — why", "almost-a-relation", 7, 3, "`- depends-on::"),
        ("- same as: [[x]] — why", "almost-a-relation", 7, 3, "`- same-as::"),
        ("    - supports:: [[x]] — why", "almost-a-relation", 7, 5, "at the margin"),
        ("\t- supports:: [[x]] — why", "almost-a-relation", 7, 2, "at the margin"),
        ("    > [!evidence] X ^x", "almost-a-relation", 7, 5, "at the margin"),
        ("- supports:: [[x]] ― why", "unread-words", 7, 20, "` — why`"),
        ("- supports:: [[x]] (as it is)", "unread-words", 7, 20, "` — as it is`"),
        ("- supports:: [[x]] contradicts:: [[y]] — z", "unread-words", 7, 20, "line of its own"),
        ("- supports:: \\[\\[x-y\\]\\] — why", "missing-target", 7, 3, "[[x-y]]"),
        ("- supports:: `[[x]]` — why", "missing-target", 7, 3, "[[id]]"),
        ("- supports:: <x-y.md> — why", "missing-target", 7, 3, "[[x-y]]"),
        ("- supports:: [x](x-y) — why", "missing-target", 7, 3, "[[x-y]]"),
        ("- supports:: [x](/notes/x-y.md) — why", "missing-target", 7, 3, "[[x-y]]"),
        ("- supports:: [x](a/x-y.html#z) — why", "missing-target", 7, 3, "[[x-y]]"),
        ("- supports:: [x](My note.md) — why", "missing-target", 7, 3, "[[My note]]"),
        ("```\nx\n\n- supports:: [[x]]", "unclosed-bracket", 7, 1, "```"),
        ("```\nx\n``` md\n\n- supports:: [[x]]", "unclosed-bracket", 7, 1, "```"),
        ("It is.\n\n%%", "unclosed-bracket", 9, 1, "`%%`"),
        ("~~~~ md\nx\n~~~\n\n- supports:: [[x]]", "unclosed-bracket", 7, 1, "end it"),
        ("Text\n\n<!-- later\n\n- supports:: [[x]]", "unclosed-bracket", 9, 1, "`-->`"),
        ("See ![[x]]", "dead-link", 7, 5, "`[[x]]`"),
        ("See [[#Nothing]]", "dead-link", 7, 5, ""),
        ("## Some things\n\nSee [it](#some-thing)", "dead-link", 9, 5, "`[[#Some things]]`"),
        ("As said.[^1]", "dead-link", 7, 9, "`[^1]: …`"),
        ("As said \\citep[p. 4]{wu2025,li2020}.", "almost-a-citation", 7, 9, "[@wu2025; @li2020]"),
        ("As said [@wu2025, @li2020].", "almost-a-citation", 7, 10, "; @li2020]"),
        ("> [! evidence] X ^x", "unknown-callout", 7, 3, "[!evidence]"),
        ("> [!Counter Evidence] X ^x\n> (reason:: so)", "unknown-callout", 7, 3, "[!counter-e"),
        ("> [!evidence|wide] X ^x", "unknown-callout", 7, 3, "[!evidence]"),
        ("> \\[!evidence\\] X", "unknown-callout", 7, 3, "[!evidence]"),
        ("> [!objection]- X ^x", "unknown-callout", 7, 3, "[!counter-claim]"),
        ("&gt; [!evidence] X ^x", "unknown-callout", 7, 1, "> [!evidence]"),
        ("> [!evidence] X ^x\n> t\n> [!claim] Y ^y", "unknown-callout", 9, 3, "empty line"),
        ("> [!note] X\n> (method:: survey)", "almost-a-field", 8, 3, "[!evidence]"),
        ("> [!evidence] X ^x\n\n> (method:: survey)", "almost-a-field", 9, 3, "no empty line"),
        ("> [!evidence] X ^x\n> method:: survey", "almost-a-field", 8, 3, "(method:: survey)"),
        ("> [!evidence] X ^x\n> Sample: 5 cats", "almost-a-field", 8, 3, "(sample:: 5 cats)"),
        ("> [!evidence] X ^x\n> （sample：：5）", "almost-a-field", 8, 3, "(sample:: 5)"),
        ("> [!evidence] X\n> text\n> ^x", "unread-words", 9, 3, "… ^x"),
        ("> [!evidence] X\n> text\n\n^x", "unread-words", 10, 1, "… ^x"),
        ("camp:: optimist", "almost-a-field", 7, 1, "`camp: optimist`"),
        ("It is [camp:: optimist].", "almost-a-field", 7, 7, "`camp: optimist`"),
    ],
)
def test_a_slip_has_one_clear_message(
    text: str, rule: str, line: int, column: int, help: str
) -> None:
    note = parsed_note_of(f"{HEAD}{text}\n")
    assert problem_places(note) == [(rule, line, column)]
    assert help in note.diagnostics[0].help


@every_row(
    "prose",
    [
        "- See also: [x](x.md)",
        "- Added [[x]] to the list",
        "- supports many things, such as [[x]]",
        "- Supports [[x]] in part",
        "- next: the book",
        "Next: [[x]] supports: nothing",
        "Answers: [[x]] says what it needs: [[y]]",
        "This much `(supports:: [[x]])` is code, and so is $(supports:: [[x]])$",
        "> [!evidence] It is x^ab",
        "> [!evidence] It grows as $e^{2}$ or $a^bc$",
        "> [!evidence] It is $10 or $10^it",
        "The sign `%%` hides words, and [^a-z] is a pattern",
        "| supports:: [[x]] |\n|---|",
        "- supports:: [[x]], [[y]] and [[z]]. [@k]",
        "- supports:: [[x]] ([@k, p. 4]) — why (see: [[y]])",
        "The sample (n: 555) and (see: [[x]])",
        "> [!evidence] X ^x\n> In the lab (about: 5 people), by: me (status: fine)",
        "> [!note] Hm\n> (reason: none)",
        "a[0] and [[1] Smith] and array[[i]",
        "$[0, 1)$, He wrote [sic",
        "`[[x]`, `supports:: [[x]]` and `(method:: survey)`",
        "std::vector and (std::string) and smile :: face",
        "me@example.org, [me@example.org",
        "[!note] hi, x^2 ^",
        "supports:: nothing",
        "- Relations\n    - supports:: [[x]] — why\n        - contradicts:: [[y]] — why",
        "```\n    - supports:: [[x]]\n```",
        "    code, not - supports:: [[x]]",
        "```\n<!-- `\n```\n\n````\n```\n````",
        "Some `<!--` and `![[x]]` and `[^1]` in code",
        "<!-- ![[x]] \\cite{x} -->",
        "[^1] is said below.\n\n[^1]: Here.",
        "![A figure](figure.png) and x^2",
        "See [[#T]], [[#^name]], [up](#t) and [top](#)",
        "> [!note] Method: none\n> sample: 5",
        "> [!evidence] X ^x\n> Quality: it was high.\n> Method: we asked them.",
        "Matches [^a-z] and [^0]",
        '<a id="foo"></a>\n\n## Part {#bar}\n\nSee [x](#foo), [y](#bar) and [z](#part)',
        "> [!evidence] X ^x\n> There were two methods: a survey, and more.",
        "> [!question] What [!claim] is it?",
        "As said [see @wu2025, p. 4; also @li2020].",
        "[@wu2025, mail to me@example.org]",
        "Depends on [[x]], or the same as: [[y]]",
    ],
)
def test_prose_is_never_reported_as_a_near_miss(prose: str) -> None:
    assert problem_places(parsed_note_of(f"{HEAD}{prose}\n")) == []


WORDS = st.sampled_from(
    [
        "the",
        "model",
        "supports",
        "contradicts:",
        "(see",
        "sample)",
        "by:",
        "—",
        "-",
        "[sic]",
        "[1]",
        "[[x]]",
        "[@k]",
        "12:30",
        "x^2",
        "::",
        "^",
        "(n",
        "=",
        "5)",
        "note:",
        "[y](y.md)",
    ]
)


@given(st.lists(WORDS, max_size=20).map(" ".join), st.sampled_from(["", "- ", "> "]))
def test_words_in_any_order_are_prose(words: str, mark: str) -> None:
    rules = {problem.rule for problem in parsed_note_of(f"{HEAD}{mark}So {words}\n").diagnostics}
    assert rules == set()


def test_an_edge_in_a_code_block_is_text_and_behind_it_a_slip() -> None:
    text = "```\n" + "    - supports:: [[a]]\n" * 9 + "```\n\n    - supports:: [[a]]\n"
    near_misses = list(unrendered_markdown.find_unrendered(text, scan_blocks(text).blocks))
    assert [hint.rule for hint in near_misses] == ["almost-a-relation"]


def test_a_near_miss_says_where_it_is_and_what_replaces_it() -> None:
    raw = "- supports [[x]] — why"
    (near_miss,) = find_near_misses(raw, is_item=True, in_callout=False, is_quoted=False)
    assert raw[near_miss.offset :].startswith(near_miss.old)
    assert raw.replace(near_miss.old, near_miss.new, 1) == "- supports:: [[x]] — why"
    assert may_hold_near_miss("a: [[x]]")
    assert not may_hold_near_miss("Plain prose, with [[x]].")


@every_row(("text", "old"), [("# Another", "#"), ("Another\n===", "")])
def test_a_second_title_is_corrected_only_where_it_has_a_sign(text: str, old: str) -> None:
    assert second_title(text, 0).old == old
