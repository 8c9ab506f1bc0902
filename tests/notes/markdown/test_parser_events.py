"""Markdown as events: sums of money are no formulas, and where code and links stand."""

from __future__ import annotations

from kg.notes.markdown.parser_events import find_code, find_links_and_pictures, read_events
from tests.support.every_row import every_row


@every_row(
    ("text", "formulas", "words"),
    [
        ("It is $x^2$.", ["x^2"], "It is ."),
        ("It costs $5 and $6.", [], "It costs $5 and $6."),
        ("It costs $5 and é is $x$.", ["x"], "It costs $5 and é is ."),
        ("$$\na\n$$", ["\na\n"], ""),
        ("$$a$$", ["a"], ""),
        ("~~gone~~ [x] `$y$`", [], "gone[x]"),
    ],
)
def test_dollars_of_money_are_text(text: str, formulas: list[str], words: str) -> None:
    events = [event for event in read_events(text) if isinstance(event, dict)]
    maths = [e.get("InlineMath") or e.get("DisplayMath") for e in events if "Math" in str([*e])]
    assert maths == formulas
    wording = "".join(str(event["Text"]) for event in events if "Text" in event)
    assert wording.replace(" ", "") == words.replace(" ", "")


@every_row(
    ("text", "code"),
    [
        ("é `a` b ``c`d``", ["`a`", "``c`d``"]),
        ("```\na\n```\n\nb `c`", ["```\na\n```", "`c`"]),
        ("~~~ py\na\n~~~\n", ["~~~ py\na\n~~~"]),
        ("    indented\n", []),
        ("$`$ `a`", ["`a`"]),
        ("`never closed", []),
    ],
)
def test_code_stands_between_backticks_or_fences(text: str, code: list[str]) -> None:
    assert [text[start:end].rstrip() for start, end in find_code(text)] == code


@every_row(
    ("text", "expected"),
    [
        ("é [[a]]", (2, "a", True, False, False, "a")),
        ("é [[a|the `b` c]]", (2, "a", True, False, True, "the b c")),
        ("[w *x*](y.md)", (0, "y.md", False, False, True, "w x")),
        ("éé ![w](y.png)", (3, "y.png", False, True, True, "w")),
        ("![[a.png|20]]", (0, "a.png", True, True, True, "20")),
    ],
)
def test_a_link_has_its_place_its_kind_and_its_words(
    text: str, expected: tuple[object, ...]
) -> None:
    assert [*find_links_and_pictures(text)] == [expected]


def test_a_picture_within_a_link_ends_first() -> None:
    links_and_pictures = find_links_and_pictures("[see ![w](a.png)](b.md)")
    rows = [(each.destination, each.words) for each in links_and_pictures]
    assert rows == [("a.png", "w"), ("b.md", "see w")]


@every_row("text", ["costs $5 and $6", "US$5-$6", "a $ b $ c"])
def test_money_is_no_formula(text: str) -> None:
    assert not [e for e in read_events(text) if isinstance(e, dict) and "InlineMath" in e]


@every_row(
    ("text", "kind"),
    [("so $x_1$.", "InlineMath"), ("$$x$$", "DisplayMath"), ("é$_$ ($y$)", "InlineMath")],
)
def test_a_formula_is_found(text: str, kind: str) -> None:
    assert [e for e in read_events(text) if isinstance(e, dict) and kind in e]


@every_row("text", ["$$\nx\n- c\n$$", "So $$\nx\n# c\n=\n$$ it is", "> $$\n> 1. c\n> $$"])
def test_a_line_of_a_formula_begins_no_list_and_no_heading(text: str) -> None:
    events = read_events(text)
    (formula,) = (e["DisplayMath"] for e in events if isinstance(e, dict) and "DisplayMath" in e)
    assert " c\n" in formula
    assert "{}" not in formula
    assert not any(word in str(events) for word in ("List", "Heading"))
