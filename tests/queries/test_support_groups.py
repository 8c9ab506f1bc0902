"""Items that share a source or a key are one group, however they are connected."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import kg
from kg.checks import check
from kg.corpus import assemble
from kg.notes.bibliography.bibliography import parse_bibliography
from kg.notes.note_files import NoteFile
from kg.notes.parse_note import parse_note
from kg.queries.engines.engine import MemoryEngine
from kg.queries.engines.sparql_engine import engine_of_store
from kg.queries.find import find
from kg.queries.support_groups import GroupedSupport, evidence_group_counts, support_of
from kg.rdf.ontology import named_query
from kg.rdf.quad_store import as_store
from kg.rdf.run_query import sparql
from kg.rdf.sparql_result import columns_and_rows
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.shorthand import corpus_of_shorthand

BOOKS = "".join(f"@misc{{s{n}, title={{S}}}}\n" for n in range(5))
CLAIM = "---\ntype: claim\n---\n\n# {title}\n\n{body}\n"


def item(cited_text: str, keys: str = "", target: str = "a") -> str:
    return (
        f"---\ntype: evidence\nindependence: [{keys}]\n---\n\n# E {cited_text}\n\n"
        f"- supports:: [[{target}]]\n"
    )


def test_shared_sources_and_keys_make_one_group() -> None:
    corpus = corpus_of_notes(
        references=BOOKS,
        a=CLAIM.format(title="A", body=""),
        b=CLAIM.format(title="B", body="- supports:: [[a]]"),
        e1=item("[@s1]"),
        e2=item("[@s1]"),
        e3=item("[@s2]", "lab-x"),
        e4=item("", "lab-x", "b"),
        e5=item("[@s3]", "", "b"),
        e6=item(""),
    )
    support = support_of(corpus, "a")
    assert support.evidence_groups == (("e1", "e2"), ("e3", "e4"), ("e5",), ("e6",))
    assert str(support) == "6 items from 4 separate groups"
    assert str(support_of(corpus, "b")) == "2 items from 2 separate groups"
    assert str(support_of(corpus, "e1")) == "no evidence"


@every_row(
    ("standing", "words"),
    [(0, "no evidence (2 retracted)"), (1, "1 item from 1 separate group (2 more retracted)")],
)
def test_retracted_evidence_is_more_only_beside_other_evidence(standing: int, words: str) -> None:
    assert str(GroupedSupport(("e",) * standing, (("e",),) * standing, ("r", "s"))) == words


def test_an_item_that_rests_on_two_sources_joins_them() -> None:
    corpus = corpus_of_notes(
        references=BOOKS,
        a=CLAIM.format(title="A", body=""),
        e1=item("[@s1]"),
        e2=item("[@s2]"),
        e3=item("[@s1; @s2]"),
    )
    assert str(support_of(corpus, "a")) == "3 items from 1 separate group"
    assert evidence_group_counts(corpus)["a"] == 1


def test_groups_are_counted_in_circles_of_support() -> None:
    corpus = corpus_of_notes(
        references=BOOKS,
        a=CLAIM.format(title="A", body="- supports:: [[b]]"),
        b=CLAIM.format(title="B", body="- supports:: [[a]]"),
        e1=item("[@s1]"),
    )
    assert evidence_group_counts(corpus) == {"a": 1, "b": 1}


ITEMS = st.lists(
    st.tuples(
        st.sets(st.integers(0, 4), max_size=2),
        st.sets(st.sampled_from("xy"), max_size=1),
        st.sampled_from("abc"),
    ),
    max_size=7,
)
ARCS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), max_size=4)


@given(items=ITEMS, arcs=ARCS)
def test_counting_bits_counts_the_groups(
    items: list[tuple[set[int], set[str], str]], arcs: list[tuple[str, str]]
) -> None:
    texts = {
        f"e{n}": item("".join(f"[@s{s}]" for s in sorted(cited_sources)), ", ".join(keys), target)
        for n, (cited_sources, keys, target) in enumerate(items)
    }
    for name in "abc":
        body = "\n".join(f"- supports:: [[{b}]]" for a, b in arcs if a == name != b)
        texts[name] = CLAIM.format(title=name, body=body)
    files = [NoteFile(f"{name}.md", text.encode(), b"") for name, text in texts.items()]
    books = parse_bibliography(NoteFile("references.bib", BOOKS.encode(), b"")).sources
    corpus = assemble([parse_note(file) for file in files], books)
    counted_items = evidence_group_counts(corpus)
    for name in "abc":
        assert counted_items.get(name, 0) == len(support_of(corpus, name).evidence_groups)


def test_the_support_of_what_is_the_same_is_support_in_every_answer() -> None:
    text = "claim a\nclaim b\nb same-as a\nevidence e .6 @s\ne supports {}\nclaim lone\n"
    for names in ("a", "b"):
        corpus = corpus_of_shorthand(text.format(names))
        checked = {p.span.path for p in check(corpus) if p.rule == "unsupported-claim"}
        assert checked == {"lone.md"}
        bare = kg.claims() - kg.claims().supported_by()
        assert find(MemoryEngine(corpus), bare).ids == ("lone",)
        assert engine_of_store(as_store(corpus)).find_ids(bare.query) == ("lone",)
        assert find(MemoryEngine(corpus), kg.claims().supporters(1)).ids == ("a", "b")
        assert [gap.statement for gap in kg.gaps(corpus).gaps] == ["lone"]
        rows = columns_and_rows(sparql(corpus, named_query("unsupported").text))[1]
        assert len(list(rows)) == 1
    both = corpus_of_shorthand("claim a\nclaim b\nb same-as a\n")
    assert {p.span.path for p in check(both) if p.rule == "unsupported-claim"} == {"a.md", "b.md"}


def test_a_retracted_source_in_between_counts_for_nothing() -> None:
    corpus = corpus_of_notes(
        references=BOOKS + "@misc{bad, title={B}, integrity={retracted}}\n",
        a=CLAIM.format(title="A", body=""),
        e1=item("[@s1]"),
        e2=item("[@bad]"),
        e3=item("[@s3]"),
    )
    assert evidence_group_counts(corpus)["a"] == 2
