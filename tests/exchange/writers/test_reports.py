"""Reports as Markdown, which Pandoc reads, and as LaTeX, which is compiled where there is a TeX."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given

from kg.cli import main as kg
from kg.corpus import Corpus
from kg.exchange.escaped_text import without_controls
from kg.exchange.formats import render_export
from kg.exchange.writers.reports import MAX_REASONS, escape_pandoc
from tests.support.corpora import HOSTILE, corpus_of_notes, random_corpora
from tests.support.corpus_parts import claim, corpus_of_parts
from tests.support.effort import examples
from tests.support.own import NOTES, own_corpus


def hostile() -> Corpus:
    """Hostile words in each title, reason and place of a citation, of a line that weighs one."""
    notes = {
        f"n{position}": f"---\ntype: claim\ntitle: {json.dumps(word or 'x')}\n---\n"
        f"See [@k, {word}].\n\n- supports:: [[n0]] — {word}\n"
        for position, word in enumerate(HOSTILE)
    }
    line = "---\ntype: line\nproposition: n0\n---\n# A line\n\nSaid so.\n\n## Camps\n\n"
    placed = zip(notes, HOSTILE, strict=True)
    line += "".join(f"- optimist:: [[{id}]] — as {word}\n" for id, word in placed)
    return corpus_of_notes(
        references="@misc{k, title={A {b} 100\\% $x$}, year={2020}}", a=line, **notes
    )


def report_on(*part: str, name: str = "report") -> str:
    result = CliRunner().invoke(kg, ["export", name, *part, "--notes", str(NOTES)])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.integration
def test_a_line_has_its_verdict_camps_reasons_and_sources() -> None:
    text = report_on("--line", "social-grounding")
    line, verdict = own_corpus().lines["social-grounding"], own_corpus().verdict("social-grounding")
    assert escape_pandoc(verdict.sentence) in text
    assert all(f"\n## {camp.label}\n" in text for camp in own_corpus().config.camps)
    for place in line.placements:
        assert escape_pandoc(own_corpus().statements[place.statement].title) in text
        assert escape_pandoc(place.reason) in text
    (references_json,) = re.findall(r"^references: (.*)$", text, re.M)
    references = json.loads(references_json)
    assert {item["id"] for item in references} == set(re.findall(r"@([\w-]+)", _body(text)))


def _body(text: str) -> str:
    return text.split("\n---\n", 1)[1]


def test_what_a_title_and_the_text_cite_is_cited_once() -> None:
    note = "---\ntype: claim\n---\n# It holds [@k]\n\nSee [@k] and [@k, p. 3].\n"
    corpus = corpus_of_notes(references="@misc{k, title={Once}}", a=note)
    assert "\nClaim [@k; @k, p. 3]." in render_export(corpus, "report").decode()


def test_a_camp_that_the_settings_do_not_declare_is_named_by_its_id() -> None:
    corpus = corpus_of_parts(claim("q", camp="optimist"), claim("r", camp="stranger"))
    text = render_export(corpus, "report").decode()
    assert "\nClaim, optimist.\n" in text
    assert "\nClaim, stranger.\n" in text


def test_what_comes_next_is_a_question_in_words_or_a_line_by_its_title() -> None:
    head = "---\ntype: line\n---\n\n# {}\n\n"
    steps = "- next:: [[m]] — why\n- next:: What else is there?\n"
    corpus = corpus_of_notes(l=head.format("L") + steps, m=head.format("M?"))
    text = render_export(corpus, "report").decode()
    assert "\n\n- M? – why\n- What else is there?\n" in text


def test_evidence_beneath_a_placement_says_on_which_side_it_is() -> None:
    text = "---\ntype: evidence\n---\n\n# {}\n\nSo.\n\n- {} — why\n"
    corpus = corpus_of_notes(
        l="---\ntype: line\n---\n\n# L\n\n- optimist:: [[q]] — so\n",
        q="---\ntype: claim\n---\n\n# Q\n\nSo.\n",
        p="---\ntype: claim\n---\n\n# P\n\nSo.\n\n- supports:: [[q]] — no evidence\n",
        e=text.format("E", "supports:: [[q]]"),
        f=text.format("F", "contradicts:: [[q]] (with:: [[p]])"),
    )
    message = render_export(corpus, "report").decode()
    assert re.findall(r"^#+ .*", message, re.M) == ["## Optimist"], "the title is not repeated"
    assert (
        "\n\n- Q – so\n    - For: E – why\n    - Against, together with “P”: F – why\n"
    ) in message


@pytest.mark.integration
def test_a_statement_has_both_sides() -> None:
    text = report_on("--where", "id:models-overconverge")
    assert text.index("## For it") < text.index("- ") < text.index("## Sources")
    reasons = own_corpus().bearings_on("models-overconverge")
    against = [own_corpus().statements[r.origin].title for r in reasons if r.side < 0]
    assert against
    assert all(escape_pandoc(title) in text.split("## Against it")[1] for title in against)


@pytest.mark.parametrize(("count", "rest"), [(MAX_REASONS, []), (MAX_REASONS + 2, ["2"])])
def test_reasons_beyond_the_most_are_counted(count: int, rest: list[str]) -> None:
    reason = "---\ntype: claim\n---\n\n# Reason {}\n\n- supports:: [[asked]] — so\n"
    notes = {f"r{n}": reason.format(n) for n in range(count)}
    corpus = corpus_of_notes(asked="---\ntype: claim\n---\n\n# Asked\n", **notes)
    text = render_export(corpus, "report").decode()
    assert text.count("\n- Reason ") == MAX_REASONS
    assert re.findall(r"and (\d+) more", text) == rest


def _words(tree: Any) -> Iterator[str]:
    """The kinds of elements in a document, and the texts."""
    if isinstance(tree, list):
        for each in tree:
            yield from _words(each)
    elif isinstance(tree, dict):
        yield tree.get("t", "")
        for each in tree.values():
            yield from _words(each)


@pytest.mark.integration
def test_pandoc_reads_hostile_words_as_words(tmp_path: Path) -> None:
    pandoc = pytest.importorskip("pypandoc", reason="pypandoc-binary, of the extra `test`")
    corpus = hostile()
    file = tmp_path / "x.md"
    file.write_bytes(render_export(corpus, "report"))
    read_back = json.loads(pandoc.convert_file(str(file), "json", format="markdown"))
    inert = {"Str", "Space", "Para", "Plain", "Header", "BulletList", "Cite", "Quoted", "Div"}
    quotes = {"SingleQuote", "DoubleQuote", "NormalCitation", "AuthorInText", "SuppressAuthor"}
    assert set(_words(read_back["blocks"])) - inert - quotes - {"", "SoftBreak"} == set()
    cited_matches = re.findall(r'"citationId": ?"([^"]*)"', json.dumps(read_back["blocks"]))
    assert set(cited_matches) == {"k"}
    plain = pandoc.convert_file(str(file), "plain", format="markdown", extra_args=["--citeproc"])
    assert "A b 100% x" in " ".join(plain.split())
    assert len(pandoc.convert_file(str(file), "docx", outputfile=str(tmp_path / "x.docx"))) == 0
    assert (tmp_path / "x.docx").stat().st_size > 1000


@pytest.mark.integration
def test_words_of_a_source_are_words_to_pandoc(tmp_path: Path) -> None:
    """Pandoc reads metadata as Markdown."""
    pandoc = pytest.importorskip("pypandoc", reason="pypandoc-binary, of the extra `test`")
    word = "<img src=x onerror=alert(1)> <i>E. coli</i> [a](javascript:b) **bold** `c`{=html} $x$"
    item = {
        "id": "k", "type": "article-journal", "title": f"T {word}", "container-title": f"J {word}",
        "author": [{"family": f"Doe {word}", "given": "Jo"}, {"literal": f"The League {word}"}],
        "issued": {"date-parts": [[2020]]}, "DOI": "10.1/a_b_c*d*",
    }  # fmt: skip
    corpus = corpus_of_notes(
        references=json.dumps([item]), n0="---\ntype: claim\n---\n# A claim\n\n[@k]\n"
    )
    assert corpus.sources[
        "k"
    ].title == "T <img src=x onerror=alert(1)> E. coli [a](javascript:b)" + (
        " **bold** `c`{=html} $x$"
    )
    file = tmp_path / "x.md"
    file.write_bytes(render_export(corpus, "report"))
    markdown = pandoc.convert_file(
        str(file), "html", format="markdown", extra_args=["--citeproc", "--standalone"]
    ).split("<body>")[1]
    assert "onerror" in markdown
    assert set(re.findall(r"<(\w+)", markdown)) <= {
        *("header", "h1", "h2", "p", "span", "div", "a", "em")
    }
    assert "javascript" not in "".join(re.findall(r"<[^>]*>", markdown))
    assert "**bold**" in markdown
    assert 'href="https://doi.org/10.1/a_b_c*d*"' in markdown


@pytest.mark.integration
def test_a_missing_source_is_cited_apart_from_the_others(tmp_path: Path) -> None:
    pandoc = pytest.importorskip("pypandoc", reason="pypandoc-binary, of the extra `test`")
    claim = "---\ntype: claim\n---\n# A claim\n\nSo. [@k, p. 4; @gone]\n"
    corpus = corpus_of_notes(
        references="@misc{k, title={A}, author={Doe, J and others}, year={2020}}", n0=claim
    )
    text = pandoc.convert_text(
        render_export(corpus, "report").decode(),
        "plain",
        format="markdown",
        extra_args=["--citeproc"],
    )
    assert "(Doe et al. 2020, 4) (gone)" in " ".join(text.split())
    assert "Doe, J et al. 2020" in " ".join(text.split())
    assert "\\cite[{p. 4}]{k} (gone)" in render_export(corpus, "latex").decode()


@given(random_corpora())
@examples(3)
def test_latex_is_balanced_whatever_the_notes_hold(corpus: Corpus) -> None:
    """Braces match, lists are closed, and no sign of a note is left that TeX acts on."""
    text = render_export(corpus, "latex").decode().split("\\begin{document}")[1]
    bare = re.sub(r"\\[\\{}$%&#_]", "", text)
    assert bare.count("{") == bare.count("}")
    assert not re.search(r"[$%#&^]", bare)
    assert text.count("\\begin{itemize}") == text.count("\\end{itemize}")
    allowed = (
        "title date maketitle section subsection begin end item cite bibitem "
        "textbackslash textasciitilde textasciicircum textbraceleft textbraceright"
    )
    assert set(re.findall(r"\\([a-z]+)", bare)) <= set(allowed.split())


def test_latex_declares_the_signs_that_its_fonts_lack_and_no_others() -> None:
    note = "---\ntype: claim\n---\n# Café – ☺ → 王 ☺\n"
    text = render_export(corpus_of_notes(a=note), "latex").decode()
    declared = re.findall(r"\\DeclareUnicodeCharacter\{(\w+)\}\{\[U\+(\w+)\]\}\n", text)
    assert declared == [("263A", "263A"), ("738B", "738B")]


@pytest.mark.integration
@pytest.mark.skipif(not shutil.which("pdflatex"), reason="pdflatex is not here: install TeX Live")
@pytest.mark.parametrize("part", ["own", "hostile"])
def test_latex_compiles(part: str, tmp_path: Path) -> None:
    corpus = own_corpus() if part == "own" else hostile()
    tmp_path.joinpath("x.tex").write_bytes(render_export(corpus, "latex"))
    command = ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "x.tex"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=240)
    text = result.stdout.decode("utf-8", "replace")
    assert [line for line in text.splitlines() if line.startswith("!")] == []
    assert result.returncode == 0


def test_text_is_put_on_one_line_without_control_characters() -> None:
    assert without_controls("a\n\n# b\x00\u2028c") == "a # b c"
