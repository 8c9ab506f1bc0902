"""Formulas are drawn of known elements alone, and are else left as they were written."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from kg.notes.markdown.maths import MAX_FORMULA_CHARACTERS
from kg.publish.markup.formulas import render_formula
from tests.support.every_row import every_row

TAG = re.compile(r"<(/?\w+)([^<>]*)>")


def test_a_formula_is_mathml() -> None:
    output = render_formula(r"\frac{1}{2}", False)
    assert output.startswith('<math display="inline" alttext="\\frac{1}{2}">')
    assert "<mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac>" in output


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
