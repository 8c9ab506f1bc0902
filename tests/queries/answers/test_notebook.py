"""Answers in a notebook: tables with links, and a drawing of the edges."""

from __future__ import annotations

from kg.queries.language.builders import claims, sources
from tests.queries.answers.conftest import Ask


def test_links_lead_to_sources_on_the_web_alone(ask: Ask) -> None:
    html = ask(sources())._repr_html_()
    assert 'href="https://example.org/s"' in html
    assert "javascript:" not in html
    assert "&lt;b&gt;S" in html


def test_a_drawing_shows_the_edges(ask: Ask) -> None:
    html = ask(claims().contradicting("a"))._repr_html_()
    assert html.count("<line ") == 1
    assert html.count("<circle ") == 2
    assert "<svg" not in ask(claims().camp("skeptic"))._repr_html_()
