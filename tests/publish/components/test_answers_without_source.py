"""What a source does to the answers: what each would be without it, and by which reasons."""

from __future__ import annotations

from kg.corpus import Corpus
from kg.model.settings.config import Camp, Config
from kg.publish.components.answers_without_source import _describe_move
from kg.publish.context.site_context import SiteContext
from kg.publish.context.standings import SourceLoss
from kg.publish.markup.address import Addresses
from kg.publish.markup.html import element
from kg.publish.pages.sources.source import source_page
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.note_texts import (
    builder_of,
    claim_text,
    corpus_with_question,
    evidence_text,
    visible_text,
)

BOOKS = """
@article{much, title={Much}, author={Doe, Jane}, year={2020}}
@article{little, title={Little}, author={Roe, Richard}, year={2021}}
"""
CLAIM = """---
type: claim
---

# Naps help

> [!evidence] It was seen
> [@much] (method:: meta-analysis) (sample:: 9000 people) (peer_reviewed:: yes) (reason:: so)

> [!evidence] It was thought
> [@little] (method:: argument) (quality:: 0.01) (reason:: so)
"""
LINE = "---\ntype: line\nproposition: naps\n---\n\n# Do naps help?\n\n- optimist:: [[naps]]\n"
CONFIG = Config(camps=(Camp(id="optimist", label="Optimist"),))


def test_the_loss_of_a_source_includes_works_that_count_as_one_with_it() -> None:
    def text_of_page(other_key: str) -> str:
        head = "---\ntype: source\nindependence: [{}]\n---\n\nA work.\n"
        keys = {"much": head.format("lab:Huh"), "little": head.format(other_key)}
        corpus = corpus_of_notes(BOOKS, CONFIG, naps=CLAIM, line=LINE, **keys)
        return visible_text(source_page(builder_of(corpus).context, corpus.sources["much"]).html)

    falls = "What each answer would be if this source"
    assert f"{falls} and those that count as one with it were left out." in text_of_page("lab:Huh")
    assert f"{falls} were left out." in text_of_page("lab:Doe")


def test_a_line_that_a_loss_hardly_moves_has_no_row() -> None:
    corpus = corpus_of_notes(BOOKS, CONFIG, naps=CLAIM, line=LINE)
    context = SiteContext(Addresses(corpus))
    lost, apart = {}, {}
    for key, source in corpus.sources.items():
        (fall,) = context.answers.losses_of(key)
        lost[key] = abs(fall.strength_before - fall.strength_after)
        html = source_page(context, source).html
        apart[key] = "Every answer stays as it is." in html
        assert ("Without it" in html) is not apart[key]
    assert apart == {"much": False, "little": True}
    assert lost["little"] < 0.01 < lost["much"]


def test_a_source_without_which_the_answer_is_less_sure_says_how_sure_it_would_be():
    pros = {
        f"pro{n}": evidence_text(f"Study {n}", 0.6, "supports:: [[asked]]") + f"\n[@s{n}]\n"
        for n in range(2)
    }
    context = builder_of(corpus_with_question(references=bibliography(2), **pros)).context
    assert len(context.corpus.sources) == 2
    for source in context.corpus.sources.values():
        html = source_page(context, source).html
        assert ">“probably it holds”</td>" in html
        assert ">would be “perhaps it holds”<" in html, "0.60 has a side anyhow"


def test_an_answer_with_a_side_near_the_middle_says_why_it_has_one():
    pros = {
        f"pro{n}": evidence_text(f"Study {n}", quality, "supports:: [[asked]]") + f"\n[@s{n}]\n"
        for n, quality in enumerate((0.3, 0.6))
    }
    context = builder_of(corpus_with_question(references=bibliography(2), **pros)).context
    (fall,) = context.answers.losses_of("s1")
    assert 0.5 < fall.strength_after < 0.6
    assert not fall.takes_from_side
    html = source_page(context, context.corpus.sources["s1"]).html
    assert "would be “perhaps it holds”: <a " in html
    assert ">only that side has weight</a>" in html


def text_of_losses(corpus: Corpus, key: str) -> str:
    html = source_page(builder_of(corpus).context, corpus.sources[key]).html
    return visible_text(html.partition("The answers without it")[2].partition("<h2")[0])


def bibliography(count: int) -> str:
    books = (f"@book{{s{n}, title={{S{n}}}, author={{Ann Doe{n}}}}}" for n in range(count))
    return "\n".join(books)


def test_the_way_from_a_source_to_an_answer_is_its_findings_and_the_claims_between() -> None:
    corpus = corpus_with_question(
        references=bibliography(1),
        study=evidence_text("Study", 0.9, "supports:: [[doubt]]") + "\n[@s0]\n",
        doubt=claim_text("Doubt", "skeptic", "contradicts:: [[asked]]"),
    )
    assert "Through: Study (Finding) → Doubt (Sceptic claim)“" in text_of_losses(corpus, "s0")


def test_of_a_source_that_others_carry_the_way_begins_with_theirs() -> None:
    head = "---\ntype: source\nindependence: [lab:Huh]\n---\n\nA work.\n"
    corpus = corpus_with_question(
        references=bibliography(2),
        s0=head,
        s1=head,
        strong=evidence_text("Strong", 0.9, "supports:: [[asked]]") + "\n[@s0]\n",
        weak=evidence_text("Weak", 0.3, "supports:: [[asked]]") + "\n[@s1]\n",
    )
    assert "Through: Doe0 → Strong (Finding)" in text_of_losses(corpus, "s1")
    assert "Through: Strong (Finding)" in text_of_losses(corpus, "s0")


@every_row(
    ("count", "sentence"),
    [
        (2, "Without Doe1 as well, it would lose its lead."),
        (3, "Without Doe1 and Doe2 as well, it would lose its lead."),
        (4, ""),  # too many to be named
    ],
)
def test_sources_that_carry_an_answer_only_together_name_each_other(
    count: int, sentence: str
) -> None:
    pros = {
        f"pro{n}": evidence_text(f"Study {n}", 0.6, "supports:: [[asked]]") + f"\n[@s{n}]\n"
        for n in range(count)
    }
    corpus = corpus_with_question(references=bibliography(count), **pros)
    text = text_of_losses(corpus, "s0")
    assert sentence in text
    assert ("as well" in text) is bool(sentence)


@every_row(
    ("before", "after", "text"),
    [
        (0.8, 0.9, "would stay so, but firmer"),
        (0.9, 0.8, "would stay so, but less firm"),
        (0.2, 0.1, "would stay so, but firmer"),
        (0.1, 0.2, "would stay so, but less firm"),
        (0.7, 0.55, "would stay so, but less firm: only that side has weight"),
        (0.3, 0.45, "would stay so, but less firm: only that side has weight"),
    ],
)
def test_an_answer_without_a_source_is_firmer_farther_from_one_half(
    before: float, after: float, text: str
) -> None:
    corpus = corpus_with_question(pro=evidence_text("Pro", 0.9, "supports:: [[asked]]"))
    word = "leans supported" if before > 0.5 else "leans refuted"
    loss = SourceLoss("here", (), before, after, word, False)
    assert visible_text(element("p", _describe_move(builder_of(corpus), loss))) == text
