"""Formulas between dollar signs, `\\( \\)` or `\\[ \\]`, in which no link or edge is read."""

from __future__ import annotations

import re
from collections.abc import Callable

# A dollar sign that may mean money begins no formula: a formula's signs touch it, and touch no
# letter or digit outside. `\[` is an escaped bracket unless it has its lines to itself.
_FORMULA = re.compile(
    r"""
      \$\$(?:[^$\\]|\\.)++\$\$
    | (?<![\w$])\$(?![\s$])(?:[^$\\]|\\.)++(?<!\s)\$(?![\w$])
    | \\\((?:[^\\]|\\[^()])*+\\\)
    | (?:^|(?<=\n))[ \t]*\\\[(?:[^\\]|\\[^\[\]])*+\\\][ \t]*(?=\n|\Z)
    | \\.
    """,
    re.VERBOSE | re.DOTALL,
)
_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_LINE_OF_MATHS = re.compile(
    r"[ \t>]*(\\\[)(?:(?!\\\]).)*$"
    r"|(?:`+[^`]*`+|\$\$(?:(?!\$\$).)*\$\$|\\.|[^`$\\]|\$(?!\$))*+(\$\$)(?!\$)(?:(?!\$\$).)*$"
)
_ENDS = {"$$": "$$", "\\[": "\\]"}
_BEGINS_BLOCK = re.compile(r"\A([ \t>]*)(?=[-+*#=_~|]|\d+[.)])")
_SIGN = re.compile(r"\S")


def find_formulas(text: str) -> list[tuple[int, int]]:
    """The ranges of formulas in the text of one block without code."""
    if text.count("$") < 2 and "\\(" not in text and "\\[" not in text:
        return []
    spans = (match.span() for match in _FORMULA.finditer(text))
    return [(start, end) for start, end in spans if end - start > 2]  # longer than an escape


def blank_display_formulas(text: str) -> str:
    """`text` with the inner lines of multi-line formulas replaced by letters.

    Markdown might read such lines as list items or headings.
    """
    return _within_displays(text, _blanked_line)


def protect_display_formulas(text: str) -> str:
    """`text` with `{}`, which TeX ignores, before whatever would begin a Markdown block on the
    inner lines of multi-line formulas.
    """
    return _within_displays(text, _escaped_formula_line)


def _within_displays(text: str, change: Callable[[str], str]) -> str:
    if "$$" not in text and "\\[" not in text:
        return text
    lines = text.split("\n")
    fence = ""
    closing_sign = ""
    first_line = 0
    for number, line in enumerate(lines):
        if closing_sign:
            if closing_sign in line:
                last, sign, rest = line.partition(closing_sign)
                inner_lines = [*lines[first_line + 1 : number], last]
                # two dollar signs that mean money may enclose relations
                has_relation = any("::" in inner_line for inner_line in inner_lines)
                if lines[first_line].strip(" \t>").startswith(closing_sign) or not has_relation:
                    lines[first_line + 1 : number + 1] = map(change, inner_lines)
                    lines[number] += sign + rest
            if closing_sign in line or not line.strip(" \t>"):
                closing_sign = ""
        elif mark := _FENCE.match(line):
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        elif not fence and (opening := _LINE_OF_MATHS.match(line)):
            closing_sign = _ENDS[opening[1] or opening[2]]
            first_line = number
    return "\n".join(lines)


def _escaped_formula_line(text_line: str) -> str:
    return _BEGINS_BLOCK.sub(r"\1{}", text_line)


def _blanked_line(text_line: str) -> str:
    """The line with the letter x for each sign behind its margin, so that no place moves."""
    margin = len(text_line) - len(text_line.lstrip(" \t>"))
    return text_line[:margin] + _SIGN.sub("x", text_line[margin:])
