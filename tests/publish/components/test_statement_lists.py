"""Lists of statements: counted by kind, camp by camp, and where running text leads to one."""

from __future__ import annotations

from msgspec import structs

from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import reasons_by_side
from kg.model import Kind
from kg.publish.components.statement_lists import (
    MAX_CONTEXT_LETTERS,
    add_claims_by_camp,
    backlinks,
    describe_shared_origin,
    kind_counts,
    notices_of_statement,
    same_statements_paragraph,
    sentence_around,
    statement_list,
    superseded_paragraph,
)
from kg.publish.markup.html import join_children
from tests.support.corpora import corpus_of_notes
from tests.support.note_texts import builder_of, claim_text, evidence_text, visible_text


def render_sample() -> Corpus:
    return corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        reply=claim_text("Reply", "skeptic", "contradicts:: [[asked]]"),
        loose="---\ntype: claim\n---\n\n# Loose\n",
        study=evidence_text("Study", 0.5, "supports:: [[asked]]") + "\n[@s]\n",
        references="@book{s, title={S}, author={Ann Doe}, year=2024}",
    )


def test_kinds_are_counted_in_words_and_those_that_are_not_there_left_out() -> None:
    corpus = render_sample()
    assert kind_counts([*corpus.statements.values()]) == ["3 claims", "1 finding"]
    assert kind_counts([]) == []
    reply = structs.replace(corpus.statements["reply"], kind=Kind.COUNTER_CLAIM)
    assert kind_counts([reply]) == ["1 counter-claim"], "not a claim of which one is"
    assert kind_counts([reply, corpus.statements["asked"]]) == [
        "2 claims, 1 of them a counter-claim"
    ]


def test_each_statement_tells_where_it_stands_and_evidence_its_sources() -> None:
    corpus = render_sample()
    html = statement_list(builder_of(corpus), [corpus.statements["asked"], *corpus.evidence])
    query, study = map(visible_text, html.split("<li>")[1:])
    assert query.strip().endswith("Perhaps, depends on Doe 2024")
    assert study.endswith("Doe 2024")
    assert "Fair: graded by its note" in study
    assert statement_list(builder_of(corpus), []) == ""


def test_claims_stand_with_their_camp_and_those_of_no_camp_apart() -> None:
    corpus = render_sample()
    builder = builder_of(corpus)
    add_claims_by_camp(builder, [*corpus.statements.values()])
    whole = join_children(builder.parts)
    assert [entry.id for entry in builder.toc] == ["claims", "no-camp"]
    claims, loose = (visible_text(part) for part in whole.split("</h2>")[1:])
    assert claims.index("Asked") < claims.index("Reply")
    assert "Loose" not in claims
    assert loose.startswith("Loose")


def test_what_makes_two_findings_one_source_is_named() -> None:
    books = {"a": "lab:x", "b": "lab:x, data:y", "c": "data:y"}
    corpus = corpus_of_notes(
        references="\n".join(
            f"@book{{{key}, title={{{key}}}, author={{A B}}, year=2020, independence={{{keys}}}}}"
            for key, keys in books.items()
        ),
        **{f"of_{key}": evidence_text(key, 0.5) + f"\n[@{key}]\n" for key in books},
        again=evidence_text("Again", 0.5) + "\n[@a]\n",
    )
    shared_origins = {
        id: describe_shared_origin(corpus, "of_b", id) for id in ("of_a", "of_b", "of_c")
    }
    assert shared_origins == {
        "of_a": "by the same team",
        "of_b": "from the same source",
        "of_c": "on the same data",
    }
    assert describe_shared_origin(corpus, "of_a", "again") == "from the same source"
    by_others = describe_shared_origin(corpus, "of_a", "of_c")
    assert by_others == "one source with it by way of other sources"


LONG = "Before it. " * 30 + "Is it the one that we mean? After it. " + "And so on. " * 30


def test_of_a_long_paragraph_the_sentence_with_the_link_is_shown() -> None:
    assert sentence_around(LONG, "the one") == "Is it the one that we mean?"
    assert sentence_around("Before it. Is it the one?", "the one") == "Before it. Is it the one?"
    cut = sentence_around(LONG, "not in it")
    assert cut.endswith(" …")
    assert len(cut) <= MAX_CONTEXT_LETTERS + 2
    assert LONG.startswith(cut.removesuffix(" …"))


def test_where_running_text_leads_here_each_sentence_is_quoted_once() -> None:
    text = "---\ntype: claim\n---\n\n# {}\n\nIt is [[asked|so]].\n\nIt is [[asked|so]].\n"
    text += "\nIf [[asked|so]], then.\n"
    corpus = corpus_of_notes(asked=claim_text("Asked", "optimist"), one=text.format("One"))
    text = visible_text(backlinks(builder_of(corpus), "asked"))
    assert (text.count("It is so"), text.count("If so")) == (1, 1)
    assert backlinks(builder_of(corpus), "one") == ""


def test_a_statement_names_its_successor_and_statements_that_say_the_same() -> None:
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        again=claim_text("Again", "optimist", "same-as:: [[asked]]"),
        old=claim_text("Old", "skeptic", "contradicts:: [[asked]]"),
        new=claim_text("New", "skeptic", "supersedes:: [[old]]"),
    )
    builder = builder_of(corpus)
    one_with = same_statements_paragraph(builder, "asked")
    assert one_with is not None
    words = (
        "One statement with Again (Optimist claim): what counts for or against one counts for both."
    )
    assert visible_text(one_with) == words
    assert same_statements_paragraph(builder, "new") is None
    assert [visible_text(each) for each in notices_of_statement(builder, "old")] == [
        "Superseded by New (Sceptic claim): it no longer counts."
    ]
    assert notices_of_statement(builder, "new") == []
    gone = superseded_paragraph(builder, reasons_by_side(corpus, "asked"), "asked")
    assert gone is not None
    assert "Old" in visible_text(gone)
    assert superseded_paragraph(builder, reasons_by_side(corpus, "new"), "new") is None


def test_a_statement_says_to_how_many_of_its_links_there_are_objections() -> None:
    def notice(*objections: str) -> str:
        corpus = corpus_of_notes(
            asked=claim_text("Asked", "optimist"),
            other=claim_text("Other", "optimist"),
            pro=claim_text(
                "Pro", "optimist", "supports:: [[asked]] ^one", "supports:: [[other]] ^two"
            ),
            cut=claim_text("Cut", "skeptic", *objections),
        )
        return "".join(map(visible_text, notices_of_statement(builder_of(corpus), "pro")))

    to_one, to_both = "undercuts:: [[pro#^one]]", "undercuts:: [[pro#^two]]"
    assert notice() == ""
    assert notice(to_one).startswith("Objection to 1 of its 2 links: Cut")
    assert notice(to_one, to_both).startswith("Objection to all its links: Cut")
