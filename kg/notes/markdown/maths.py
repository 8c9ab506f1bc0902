"""Formulas: found between dollar signs, `\\( \\)` or `\\[ \\]`, and read as MathML.

No link or edge is read in them. No other module uses the library that reads TeX.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from kg.model.errors import KgError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

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

MAX_FORMULA_CHARACTERS = 2000  # which the library reads in about 0.03 s; the time is in proportion
MAX_ELEMENTS = 5000  # of one formula; a page full of it has some hundreds
_DEFINING_COMMANDS = re.compile(
    r"\\(?:[gex]?def|let|(?:re)?new|provide|Declare|require|href|style|class)"
)
_ALLOWED_ELEMENTS = (
    "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle mpadded mphantom menclose mover "
    "munder munderover msub msup msubsup mmultiscripts mprescripts none mtable mtr mtd"
)
_ELEMENTS = set(_ALLOWED_ELEMENTS.split())
_CHARACTER_REFERENCE = re.compile(r"&#x([0-9A-Fa-f]{5});")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_PARTS = re.compile(r"\\(left|right|begin|end)(?![A-Za-z])")


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
    return _within_displays(text, partial(_BEGINS_BLOCK.sub, r"\1{}"))


def _within_displays(text: str, change: Callable[[str], str]) -> str:
    """`text` with each line within a formula of several lines replaced by what `change` returns."""
    if "$$" not in text and "\\[" not in text:
        return text
    lines = text.split("\n")
    for first, last, closing_sign in _displays_of_several_lines(lines):
        words, sign, rest = lines[last].partition(closing_sign)
        inner_lines = [*lines[first + 1 : last], words]
        # two dollar signs that mean money may enclose relations
        has_relation = any("::" in inner_line for inner_line in inner_lines)
        if lines[first].strip(" \t>").startswith(closing_sign) or not has_relation:
            lines[first + 1 : last + 1] = map(change, inner_lines)
            lines[last] += sign + rest
    return "\n".join(lines)


def _displays_of_several_lines(lines: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """The first and the last line of each formula of several lines, and the sign that closes it."""
    fence = closing_sign = ""
    first_line = 0
    for number, line in enumerate(lines):
        if closing_sign:
            is_closed = closing_sign in line
            if is_closed:
                yield first_line, number, closing_sign
            if is_closed or not line.strip(" \t>"):
                closing_sign = ""
        elif mark := _FENCE.match(line):
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        elif not fence and (opening := _LINE_OF_MATHS.match(line)):
            closing_sign = _ENDS[opening[1] or opening[2]]
            first_line = number


def _blanked_line(text_line: str) -> str:
    """The line with the letter x for each sign behind its margin, so that no place moves."""
    margin = len(text_line) - len(text_line.lstrip(" \t>"))
    return text_line[:margin] + _SIGN.sub("x", text_line[margin:])


class UnreadableFormula(KgError, ValueError):
    """A formula cannot be shown; the message says why. `$\\frac{1$`"""


@lru_cache(maxsize=4096)
def read_formula(latex: str, display: bool) -> Element:
    """A formula as MathML, with only known elements. Raises `UnreadableFormula`."""
    from latex2mathml.converter import convert_to_element

    if len(latex) > MAX_FORMULA_CHARACTERS:
        raise UnreadableFormula(f"it has more than {MAX_FORMULA_CHARACTERS} characters")
    if defining := _DEFINING_COMMANDS.search(latex):
        raise UnreadableFormula(f"`{defining[0]}` is not allowed in it")
    if unclosed := next(_find_unclosed(latex), ""):
        raise UnreadableFormula(unclosed)
    try:
        formula = convert_to_element(latex, display="block" if display else "inline")
    except Exception:  # the library raises errors of many types
        raise UnreadableFormula("a part of it is missing, or occurs twice") from None
    for number, part in enumerate(formula.iter()):
        text = decode_entities(part.text)
        if part.tag != "mtext" and text.startswith("\\"):
            raise UnreadableFormula(f"`{text[:40]}` is not known")
        if part.tag not in _ELEMENTS or number >= MAX_ELEMENTS:
            raise UnreadableFormula("it has too many parts, or unknown ones")
    return formula


def _find_unclosed(latex: str) -> Iterator[str]:
    """Messages about braces, `\\left` and `\\begin` without their other half, or the reverse."""
    signs = _BRACE.findall(latex)
    if missing := signs.count("{") - signs.count("}"):
        yield f"a `{'}' if missing > 0 else '{'}` is missing"
    parts = _PARTS.findall(latex)
    for first, last in (("left", "right"), ("begin", "end")):
        if missing := parts.count(first) - parts.count(last):
            yield f"a `\\{last if missing > 0 else first}` is missing"


def decode_entities(text: str | None) -> str:
    """Text with characters instead of the codes that the library writes for browsers."""
    return _CHARACTER_REFERENCE.sub(lambda match: chr(int(match[1], 16)), text or "")
