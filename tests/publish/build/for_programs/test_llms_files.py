"""The claims as text for programs."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kg.corpus import Corpus
from kg.loader import load_corpus
from kg.publish.build.for_programs.api_files import list_address
from kg.publish.build.site import build_site
from kg.reasoning.verdict_words import SURENESS
from tests.support.corpora import corpus_of_notes

pytestmark = pytest.mark.integration

NOTES = Path(__file__).parents[2] / "golden" / "notes"


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load_corpus(NOTES)


@pytest.fixture(scope="module")
def site(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_site(corpus, tmp_path_factory.mktemp("site")).index.parent


@cache
def _load(site: Path, address: str) -> Any:
    return json.loads((site / address).read_text("utf-8"))


def test_text_for_models_holds_the_claims(corpus: Corpus, site: Path) -> None:
    short, full = ((site / name).read_text("utf-8") for name in ("llms.txt", "llms-full.txt"))
    statements = {row["id"]: row for row in _load(site, list_address("statements"))["items"]}
    assert corpus.claims
    assert corpus.sources
    reasons = [edge.reason for edge in corpus.edges if edge.target in corpus.statements]
    assert reasons
    for claim in corpus.claims:
        row = statements[claim.id]
        for text in (short, full):
            told = next(line for line in text.splitlines() if f"]({row['page']}): " in line)
            assert claim.title in told
            assert any(f": {word}" in told for word in SURENESS)
            assert all(key in told for key in claim.sources)
    for source in corpus.sources.values():
        assert f"{source.title}](" in full
    for reason in reasons:
        assert " ".join(reason.split()) in full


def test_a_title_cannot_end_its_row(tmp_path: Path) -> None:
    corpus = corpus_of_notes(a="---\ntype: claim\nopen: yes\n---\n# A [x](y)\\\n")
    site = build_site(corpus, tmp_path).index.parent
    assert "- [A (x)(y)\\\\](statements/a.html): " in (site / "llms.txt").read_text("utf-8")


def test_no_text_of_a_note_is_a_link(tmp_path: Path) -> None:
    link, tag = "[y](javascript:alert(1))", "<javascript:alert(2)> <b>"
    corpus = corpus_of_notes(
        a=f"---\ntype: claim\nopen: yes\n---\n# A {tag}\n",
        b=f"---\ntype: claim\nopen: yes\n---\n# B\n\n- contradicts:: [[a]] — {link} {tag}\n",
        line=f"---\ntype: line\n---\n# Q?\n\n{link} {tag}\n\n- relates:: [[a]]\n",
    )
    site = build_site(corpus, tmp_path).index.parent
    for name in ("llms.txt", "llms-full.txt"):
        text = (site / name).read_text("utf-8")
        assert "javascript:" in text
        assert "](javascript:" not in text
        assert "<" not in text
