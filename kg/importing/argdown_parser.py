"""Parse Argdown into elements: statements, arguments and their steps, and relations.

Only a subset of the language is read; anything else is reported with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from kg.importing.import_records import InputFile, key_from_text, printable_line

_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)|/\*.*?(?:\*/|\Z)|(?<![:\\\S])//[^\n]*", re.DOTALL)
_FRONT = re.compile(r"\A\s*={3,}[ \t]*\n.*?\n={3,}[ \t]*(?=\n|\Z)", re.DOTALL)
_DATA = re.compile(r"(?<!\\)\{[^{}\n]*\}")
_ROW = re.compile(r"([ \t]*)(.*)")
_RELATION = re.compile(r"(\+>|->|_>|<\+|<-|<_|><|\+|-|_)(?:[ \t]+|(?=[\[<]))(?=\S)")
_STEP = re.compile(r"\((\d+)\)[ \t]*(.*)")
_INFERENCE = re.compile(r"-{4,}|--(?!-).*?--")
_RULE_BEGINS = re.compile(r"--(?!-)")
_USES = re.compile(r"\{\s*uses:\s*\[([\d,\s]+)\]\s*\}")
_NAMED = re.compile(
    r"(\[(?P<s>[^\[\]\n]+)\]|<(?P<a>[^<>\n]+)>)(?:[ \t]*(?P<colon>:)(?:\s|$)|(?=\s|$))"
)
_ARGDOWN_TAG = re.compile(r"(?<![\w\\])#(?:\(([^()\n]+)\)|([\w-]+))")
_MENTION = re.compile(r"@(?:\[([^\[\]]{1,300})\]|<([^<>]{1,300})>)")
_MARKDOWN_LINK = re.compile(r"\[([^\[\]]{0,300})\]\([^()\s]{0,2000}\)")
_STRONG = re.compile(r"(\*\*|__)(?=\S)(.{1,600}?)(?<=\S)\1")
_EMPHASIS = re.compile(r"(?<!\w)([*_])(?=\S)(.{1,300}?)(?<=\S)\1(?!\w)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_ESCAPED_SIGN = re.compile("[\ue100-\ue17f]")
ArgdownRelation = Literal["support", "attack", "undercut", "contradiction"]
_INCOMING: Mapping[str, ArgdownRelation] = {
    "+": "support",
    "<+": "support",
    "-": "attack",
    "<-": "attack",
    "_": "undercut",
    "<_": "undercut",
}
_OUTGOING: Mapping[str, ArgdownRelation] = {
    "+>": "support",
    "->": "attack",
    "_>": "undercut",
    "><": "contradiction",
}


@dataclass
class Element:
    """A statement or an argument, with its texts and tags."""

    key: str
    is_argument: bool
    title: str
    line: int
    texts: dict[str, None] = field(default_factory=dict)
    tags: list[str] = field(default_factory=list)


class ArgdownLink(NamedTuple):
    """A relation from `start` to `end`."""

    start: str
    relation: ArgdownRelation
    end: str
    line: int


@dataclass
class ArgumentStep:
    """An inference in an argument: its premises and its conclusion."""

    argument: str
    premises: list[str]
    conclusion: str


@dataclass
class ArgdownText:
    """A parsed text; elements, links and steps are in the order of the text."""

    elements: dict[str, Element] = field(default_factory=dict)
    links: list[ArgdownLink] = field(default_factory=list)
    steps: list[ArgumentStep] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


class _LogicalTextLine(NamedTuple):
    """A line that begins an element, joined with the lines that continue it."""

    line: int
    indent: int
    text: str


def parse_argdown(file: InputFile) -> ArgdownText:
    """Parse a text; what is not understood becomes a remark."""
    return _Parser(file).parse()


class _Parser:
    def __init__(self, file: InputFile) -> None:
        self.file = file
        self.parsed = ArgdownText()
        self.parents: list[tuple[int, str]] = []
        """The elements that relations below may belong to, with their indentation."""
        self.known_links: set[tuple[str, str, str]] = set()
        self.argument = ""
        self.pending: list[str] = []
        self.keys_by_number: dict[int, str] = {}
        self.is_below_inference = False

    def parse(self) -> ArgdownText:
        for row in self._logical_lines():
            self._read_row(row)
        return self.parsed

    def _logical_lines(self) -> Iterator[_LogicalTextLine]:
        """Lines that begin an element, each joined with the lines that continue it."""
        text = _FRONT.sub(_line_breaks_of, self.file.text.replace("\r\n", "\n"))
        text = _HIDDEN.sub(_line_breaks_of, _ESCAPED.sub(lambda e: chr(0xE100 + ord(e[1])), text))
        row: _LogicalTextLine | None = None  # the line that began the element
        row_texts: list[str] = []  # its text, and that of the lines that continue it
        blank = True
        for number, text_line in enumerate(text.split("\n"), 1):
            indent, line_text = _ROW.fullmatch(text_line).groups()  # type: ignore[union-attr]
            line_text = line_text.strip()
            if not line_text:
                blank = True
                continue
            if (
                row
                and not blank
                and (_rule_name_continues(row_texts) or not _begins_element(line_text, indent))
            ):
                row_texts.append(line_text)
            else:
                if row:
                    yield row._replace(text=" ".join(row_texts))
                row = _LogicalTextLine(number, len(indent.expandtabs(4)), line_text)
                row_texts = [line_text]
            blank = False
        if row:
            yield row._replace(text=" ".join(row_texts))

    def _read_row(self, row: _LogicalTextLine) -> None:
        if row.text.startswith("#") and re.match(r"#+\s", row.text):
            self._close_element()
        elif _INFERENCE.fullmatch(row.text):
            self._read_inference(row)
        elif match := _STEP.fullmatch(row.text):
            self._read_step(row, int(match[1][:9]), match[2])
        elif row.indent and (relation := _RELATION.match(row.text)):
            self._read_relation(row, relation)
        elif re.match(r"[*-]\s|\d+\.\s|\|", row.text):
            self._add_remark(row.line, "a list or a table", row.text)
        else:
            element = self._element_named(row.line, row.text)
            self.parents = [(row.indent, element.key)]
            self._close_element()
            self.argument = element.key if element.is_argument else ""

    def _close_element(self) -> None:
        self.pending = []
        self.keys_by_number = {}
        self.is_below_inference = False
        self.argument = ""

    def _read_inference(self, row: _LogicalTextLine) -> None:
        """Read the line between premises and conclusion, which may name the premises used."""
        self.is_below_inference = bool(self.pending)
        if uses := _USES.search(row.text):
            numbers = [int(each[:9]) for each in re.findall(r"\d+", uses[1])]
            used_keys = [
                self.keys_by_number[each] for each in numbers if each in self.keys_by_number
            ]
            self.pending = list(dict.fromkeys(used_keys)) or self.pending

    def _read_step(self, row: _LogicalTextLine, number: int, text: str) -> None:
        """Read a numbered statement: a premise, or a conclusion below an inference."""
        if not self.argument:
            self.argument = f"<line {row.line}>"
            self.parsed.elements[self.argument] = Element(self.argument, True, "", row.line)
        element = self._element_named(row.line, text)
        self.parents = [(row.indent, element.key)]
        self.keys_by_number[number] = element.key
        if element.is_argument:
            self._add_remark(row.line, "an argument as a step", row.text)
        elif self.is_below_inference:
            self.parsed.steps.append(ArgumentStep(self.argument, self.pending, element.key))
            self.pending = [element.key]
            self.is_below_inference = False
        else:
            self.pending.append(element.key)

    def _read_relation(self, row: _LogicalTextLine, relation: re.Match[str]) -> None:
        above = [key for indent, key in self.parents if indent < row.indent]
        if not above:
            self._add_remark(row.line, "a relation of nothing", row.text)
            return
        element = self._element_named(row.line, row.text[relation.end() :])
        sign = relation[1]
        if sign in _INCOMING:
            triple = (element.key, _INCOMING[sign], above[-1])
        else:
            triple = (above[-1], _OUTGOING[sign], element.key)
        if triple not in self.known_links:  # it may be written at both of its ends
            self.known_links.add(triple)
            self.parsed.links.append(ArgdownLink(*triple, row.line))
        self.parents = [each for each in self.parents if each[0] < row.indent]
        self.parents.append((row.indent, element.key))

    def _element_named(self, line_number: int, text: str) -> Element:
        """The statement or argument that a text names or states; created if new."""
        if _DATA.search(text):
            self._add_remark(line_number, "data in braces", _DATA.search(text)[0])  # type: ignore[index]
            text = _DATA.sub("", text)
        name_match = _NAMED.match(text)
        rest = text[name_match.end() :] if name_match else text
        is_argument = bool(name_match and name_match["a"])
        title = _without_marks(name_match["s"] or name_match["a"]) if name_match else ""
        key = f"<{title}>" if is_argument else f"[{title}]" if title else f"line {line_number}"
        while key in self.parsed.elements and not title:
            key += "'"
        element = self.parsed.elements.setdefault(
            key, Element(key_from_text(key), is_argument, title, line_number)
        )
        element.tags += [_without_marks(tag[1] or tag[2]) for tag in _ARGDOWN_TAG.finditer(rest)]
        plain_text = _without_marks(_ARGDOWN_TAG.sub("", rest))
        if plain_text:
            element.texts[plain_text] = None
        return element

    def _add_remark(self, line_number: int, noun: str, text: str) -> None:
        excerpt = printable_line(_ESCAPED_SIGN.sub(_restore_sign, text))[:60]
        self.parsed.remarks.append(
            f"{self.file.place(line_number)}: not carried: {noun}: {excerpt!r}"
        )


def _rule_name_continues(text_lines: list[str]) -> bool:
    """Return whether the name of a rule has begun, and goes on: `-- by`, and then `rest --`."""
    ends = text_lines[-1].endswith("--") and (
        len(text_lines) > 1 or len(text_lines[0]) >= len("----")
    )
    return bool(_RULE_BEGINS.match(text_lines[0])) and not ends


def _begins_element(text: str, indent: str) -> bool:
    """Return whether a line begins an element even without a blank line above."""
    if (
        re.match(r"#+\s", text)
        or _STEP.match(text)
        or _RULE_BEGINS.match(text)
        or _INFERENCE.fullmatch(text)
    ):
        return True
    name_match = _NAMED.match(text)
    return bool(indent and _RELATION.match(text)) or bool(
        not indent and name_match and name_match["colon"]
    )


def _line_breaks_of(match: re.Match[str]) -> str:
    """Return as many line breaks as the hidden text has."""
    return "\n" * match[0].count("\n")


def _without_marks(text: str) -> str:
    """Text without markup, and with escaped characters restored."""
    text = _MENTION.sub(lambda match: match[1] or match[2], _MARKDOWN_LINK.sub(r"\1", text))
    text = _EMPHASIS.sub(r"\2", _STRONG.sub(r"\2", text))
    return printable_line(_ESCAPED_SIGN.sub(_restore_sign, text))


def _restore_sign(match: re.Match[str]) -> str:
    return chr(ord(match[0]) - 0xE100)
