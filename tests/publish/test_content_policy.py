from __future__ import annotations

import re

import pytest

from kg.publish.content_policy import find_inline_scripts, insert_policy, with_policy

PAGE = '<html><head><meta charset="utf-8">{}</head></html>'


def test_inline_code_of_the_theme_is_allowed_by_its_hash_and_no_other() -> None:
    html = with_policy(PAGE.format("<script>alert(1)</script>"))
    # Known answer: base64 of sha256("alert(1)").
    assert "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='" in html
    assert "unsafe-inline" not in html


def test_the_policy_comes_before_what_it_governs() -> None:
    html = with_policy(PAGE.format('<link rel="stylesheet" href="a.css"><script>x</script>'))
    assert html.index("Content-Security-Policy") < html.index("<link")


def test_nothing_foreign_may_be_asked_for() -> None:
    content = re.search(r'content="([^"]+)"', with_policy(PAGE.format("")))
    assert content
    rules = dict(rule.split(" ", 1) for rule in content[1].split("; "))
    assert rules["default-src"] == "'none'"
    allowed = {source for value in rules.values() for source in value.split()}
    assert allowed == {"'self'", "'none'", "data:"}


def test_data_blocks_and_files_are_no_inline_code() -> None:
    html = (
        '<script src="a.js"></script><script type="application/ld+json">{}</script>'
        '<script type="module">code</script>'
    )
    assert find_inline_scripts(html) == ["code"]


def test_a_page_without_a_character_set_is_refused() -> None:
    with pytest.raises(ValueError, match="character set"):
        insert_policy("<html></html>", "default-src 'none'")
