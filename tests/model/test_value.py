"""How records show themselves: in a line, and in a notebook.

Of `kg/model/edge.py`, `kg/model/glossary_term.py`, `kg/model/inquiry_line.py`,
`kg/model/source.py`, `kg/model/statement.py`, too.
"""

from __future__ import annotations

from kg.model import Span
from kg.model.glossary_term import GlossaryTerm, fold_term
from kg.model.value import MAX_SHORT_TITLE_CHARACTERS, render_card, render_short
from tests.support.corpora import corpus_of_notes

EVIL = "<b>Naps</b> help"
CLAIM = (
    f"---\ntype: claim\ncamp: skeptic\n---\n\n# {EVIL}\n\nText. [@k]\n\n"
    "- supports:: [[b]] — so <i>it</i> is\n"
)
LINE = "---\ntype: line\nproposition: b\n---\n\n# Is it?\n\nAsked.\n\n- optimist:: [[b]] — x\n"


def test_records_show_themselves_in_a_line() -> None:
    corpus = corpus_of_notes(
        a=CLAIM, b=f"---\ntype: claim\n---\n\n# {'long ' * 40}\n\nSee [[a]].\n", line=LINE,
        references="@article{k, title={On naps}, author={Doe, Ann}, year={2020}}",
    )  # fmt: skip
    assert repr(corpus.statements["a"]) == f"<claim a: {EVIL}>"
    assert len(repr(corpus.statements["b"])) == 101
    longest_text = "x" * MAX_SHORT_TITLE_CHARACTERS
    assert render_short("claim", "b", longest_text) == f"<claim b: {longest_text}>"
    assert render_card("<T>", "b", ("claim", "", "x")) == (
        "<p><strong>&lt;T&gt;</strong><br><code>b</code> claim · x</p>"
    )
    assert render_short("claim", "b", f"{longest_text}x") == f"<claim b: {longest_text[:-1]}…>"
    assert repr(corpus.edges[0]) == "<edge a supports b: so <i>it</i> is>"
    assert repr(corpus.sources["k"]) == "<source k: On naps>"
    assert repr(corpus.lines["line"]) == "<line line: Is it?>"
    assert str(corpus.statements["b"]) == f"{('long ' * 40).strip()}  [b]"
    assert str(corpus.sources["k"]) == "On naps  [k]"
    assert str(corpus.lines["line"]) == "Is it?  [line]"
    assert repr(corpus.mentions[0]) == "<mention of a by b: a>"


def test_a_line_shows_what_its_answer_means() -> None:
    text = 'answers: {holds: "Yes: <b>it</b> is", fails: "No"}\n'
    line = corpus_of_notes(
        b="---\ntype: claim\n---\n\n# B\n", line=LINE.replace("proposition", f"{text}proposition")
    ).line("line")
    assert str(line).splitlines() == [
        "Is it?  [line]",
        "  if the proposition holds: Yes: <b>it</b> is",
        "  if the proposition fails: No",
    ]
    assert "Yes: &lt;b&gt;it&lt;/b&gt; is" in line._repr_html_()


def test_in_a_notebook_what_they_hold_is_text() -> None:
    corpus = corpus_of_notes(
        a=CLAIM,
        b="---\ntype: claim\n---\n\n# B\n",
        line=LINE,
        references="@article{k, title={<i>On</i> naps}, author={Doe, Ann}, year={2020}}",
    )
    html = corpus.statements["a"]._repr_html_()
    assert "<strong>&lt;b&gt;Naps&lt;/b&gt; help</strong>" in html
    assert "claim · skeptic · k" in html
    assert "<p>so &lt;i&gt;it&lt;/i&gt; is</p>" in corpus.edges[0]._repr_html_()
    assert "Doe" in corpus.sources["k"]._repr_html_()
    assert "inquiry line · 1 placed" in corpus.lines["line"]._repr_html_()
    for record in (corpus.statements["a"], corpus.edges[0], corpus.sources["k"]):
        assert "<i>" not in record._repr_html_()


def test_a_term_shows_its_other_names_and_is_found_however_it_is_spelt() -> None:
    span = Span("glossary.md", 3, 2)
    assert str(GlossaryTerm(names=("nap", "siesta", "doze"), text="A sleep.", span=span)) == (
        "nap (siesta, doze): A sleep."
    )
    assert str(GlossaryTerm(names=("nap",), text="A sleep.", span=span)) == "nap: A sleep."
    assert fold_term(" Short_Nap-time ") == fold_term("short nap  TIME") == "short nap time"
    assert str(span) == "glossary.md:3:2"
