"""What stands in a formula is no link, no citation and no edge; money is no formula."""

from __future__ import annotations

from kg.notes.markdown.maths import (
    blank_display_formulas,
    find_formulas,
    protect_display_formulas,
)
from kg.notes.parsed_note import ParsedNote
from tests.support.corpora import parsed_note_of
from tests.support.every_row import every_row

HEAD = "---\ntype: claim\n---\n\n# T\n\n"


def read(note: ParsedNote) -> list[str]:
    targets = [each.target for each in note.mentions] + [each.target for each in note.edges]
    return targets + [each.key for each in note.statements[0].citations]


@every_row(
    "formula",
    [
        "$[[a]]$",
        "It is $x_{[@a]} = [[a]]$ so",
        "It is ($[[a]]$), é $[[b]]$.",
        "$$[[a]]\n+ [[b]]$$",
        "$$\n- supports:: [[a]]\n# [[b]]\n===\n$$",
        "So $$x$$ grows as $$\n- [[a]]\n# [[b]]\n$$ has it",
        "> [!claim] X ^x\n> $$\n> - supports:: [[a]]\n> $$",
        "\\([[a]] \\times [@b]\\)",
        "\\[\nsupports:: [[a]]\n\\]",
        "- as $[[a]]$ has it",
    ],
)
def test_a_formula_holds_no_link(formula: str) -> None:
    note = parsed_note_of(f"{HEAD}{formula}\n")
    assert read(note) == []
    assert note.diagnostics == ()


@every_row(
    "text",
    [
        "It costs $5 and [[a]] costs $6",
        "from US$5 [[a]] to US$6",
        "($5) [[a]] ($6)",
        "`$` [[a]] `$`",
        "```sh\n$$\n```\n\n[[a]]\n\n```sh\n$$\n```",
        "$$ [[a]]",
        "$$\n\n- supports:: [[a]]\n\n$$",
        "> $$\n>\n> [[a]]\n> $$",
        "Hotels at $$\n- supports:: [[a]]\n- and $$",
        "\\$[[a]]\\$",
        "\\[[[a]]\\] it",
    ],
)
def test_money_code_and_what_is_never_closed_begin_none(text: str) -> None:
    assert read(parsed_note_of(f"{HEAD}{text}\n")) == ["a"]


@every_row(
    ("text", "formulas"),
    [
        ("so $a_1$ and $$b$$", ["$a_1$", "$$b$$"]),
        (r"so \(a\) is", [r"\(a\)"]),
        ("it costs $5 or $6 each", []),
        (r"\$a\$ is escaped", []),
        ("$ a$ touches no sign", []),
    ],
)
def test_formulas_are_found_with_their_signs(text: str, formulas: list[str]) -> None:
    assert [text[start:end] for start, end in find_formulas(text)] == formulas


def test_lines_of_a_formula_keep_their_length_and_begin_no_block() -> None:
    text = "$$\na\n- b\n# c\n$$\n"
    blanked = blank_display_formulas(text)
    assert [len(line) for line in blanked.split("\n")] == [len(line) for line in text.split("\n")]
    assert "-" not in blanked
    assert "#" not in blanked
    assert protect_display_formulas(text) == "$$\na\n{}- b\n{}# c\n$$\n"
