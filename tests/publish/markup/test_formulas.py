"""Formulas become MathML of known elements, or stay as they were written."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from kg.notes.markdown.maths import MAX_FORMULA_CHARACTERS
from kg.notes.markdown.parser_events import read_events
from kg.publish.markup.formulas import render_formula
from tests.support.every_row import every_row

TAG = re.compile(r"<(/?\w+)([^<>]*)>")


def test_a_formula_is_mathml() -> None:
    shown = render_formula(r"\frac{1}{2}", False)
    assert shown.startswith('<math display="inline" alttext="\\frac{1}{2}">')
    assert "<mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac>" in shown


@every_row(
    "latex",
    [
        r"\frac{a}{",
        r"\nosuchcommand{x}",
        r"\def\a{xx}\a",
        r"\href{javascript:alert(1)}{x}",
        r"\style{background:url(x)}{y}",
        "x" * (MAX_FORMULA_CHARACTERS + 1),
        "{" * 900,
    ],
)
def test_what_is_not_drawn_stays_as_it_was_written(latex: str) -> None:
    assert re.fullmatch(
        r'<code class="kg-formula-text">\$[^<>]*\$</code>', render_formula(latex, False)
    )


@given(
    st.lists(
        st.sampled_from(
            [
                r"\text{",
                "<script>",
                "</math>",
                "}",
                '" onload=x "',
                "&lt;",
                r"\color{",
                "x",
                "^",
                "_",
                r"\frac",
                "{",
                r"\mathrm{",
                r"\begin{matrix}",
                "&",
                r"\\",
                r"\end{matrix}",
                "<",
                ">",
                "'",
            ]
        ),
        max_size=8,
    ).map("".join)
)
def test_nothing_but_known_elements_comes_of_a_formula(latex: str) -> None:
    tags = TAG.findall(render_formula(latex, True))
    assert tags
    for name, attributes in tags:
        assert name.strip("/") in ("code", "span", "math") or name.strip("/").startswith("m")
        assert not re.search(r"\s(on\w+|style|href|src)=", re.sub(r'"[^"]*"', '""', attributes))


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
