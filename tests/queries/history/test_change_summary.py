"""What readers are told of a change."""

from __future__ import annotations

from kg.corpus import Corpus
from kg.queries.history.change_summary import ChangeGroup, ChangeSummary, summarize_changes
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.note_texts import claim_text, evidence_text

CLAIM = "---\ntype: claim\n---\n\n# {}\n"
LINE = "---\ntype: line\n{}---\n\n# Q?\n"


@every_row(
    ("was", "after", "recast"),
    [
        ("proposition: nothing\n", "proposition: p\n", True),
        ("proposition: p\n", "proposition: nothing\n", True),
        ("", "proposition: p\n", False),
        ("proposition: p\n", "", False),
        ("proposition: p\n", "proposition: p\n", False),
    ],
)
def test_a_line_is_recast_where_it_weighed_a_claim_and_weighs_another(
    was: str, after: str, recast: bool
) -> None:
    claims = {"p": CLAIM.format("P"), "nothing": CLAIM.format("Nothing comes of nothing")}
    summary = summarize_changes(
        corpus_of_notes(**claims, line=LINE.format(was)),
        corpus_of_notes(**claims, line=LINE.format(after)),
    )
    assert (("line", "recast") in [(group.sort, group.fate) for group in summary.groups]) is recast
    titles = {"proposition: p\n": "P", "": "", "proposition: nothing\n": "Nothing comes of nothing"}
    if recast:
        assert summary.claims["line"] == (titles[was], titles[after])


ALIASED = "---\ntype: claim\naliases: [{}]\n---\n\n# {}\n"


@every_row(
    ("after", "merged"),
    [
        ({"a": ALIASED.format("b", "A"), "c": CLAIM.format("Sea")}, ("b",)),
        ({"d": ALIASED.format("a, b", "All else"), "c": CLAIM.format("Sea")}, ("b",)),
        ({"d": ALIASED.format("a", "All else"), "b": CLAIM.format("Bees")}, ()),
        (
            {"a": CLAIM.format("A"), "d": ALIASED.format("c, b", "D"), "e": CLAIM.format("E")},
            ("c",),
        ),
    ],
)
def test_what_was_merged_is_told_so_that_the_counts_add_up(
    after: dict[str, str], merged: tuple[str, ...]
) -> None:
    before = corpus_of_notes(a=CLAIM.format("A"), b=CLAIM.format("Bees"), c=CLAIM.format("Sea"))
    corpus = corpus_of_notes(**after)
    groups = {group.fate: group for group in summarize_changes(before, corpus).groups}
    counts = {fate: group.count for fate, group in groups.items()}
    gone = counts.get("removed", 0) + counts.get("merged", 0)
    assert len(corpus.statements) - len(before.statements) == counts.get("added", 0) - gone
    assert (groups["merged"].first if "merged" in groups else ()) == merged


def test_an_answer_that_is_no_longer_as_sure_is_told_with_what_keeps_it_from_that() -> None:
    bib = "\n".join(f"@book{{s{n}, title={{S{n}}}, author={{A{n} Doe}}}}" for n in range(6))

    def corpus_with(studies: int) -> Corpus:
        pros = {
            f"pro{n}": f"{evidence_text(f'Pro {n}', 0.6, 'supports:: [[asked]]')}\n[@s{n}]\n"
            for n in range(studies)
        }
        note_text = claim_text("Asked", "optimist")
        return corpus_of_notes(
            references=bib, asked=note_text, here=LINE.format("proposition: asked\n"), **pros
        )

    summary = summarize_changes(corpus_with(6), corpus_with(1))
    assert summary.sureness == {"here": ("very probably", "perhaps, hangs on one source")}
    assert summarize_changes(corpus_with(6), corpus_with(5)).sureness == {}


def test_lines_with_other_words_are_named_where_the_former_words_are_known() -> None:
    ids_by_fate = {
        ("line", "recast"): ("a",),
        ("line", "reworded"): ("b", "c", "unknown"),
        ("statement", "reworded"): ("d",),
    }
    summary = ChangeSummary(
        groups=tuple(
            ChangeGroup(sort=sort, fate=fate, count=len(ids), first=ids)
            for (sort, fate), ids in ids_by_fate.items()
        ),
        rewordings={
            "a": (("question", "Old?", "New?"),),
            "b": (("doubt", "old", "new"), ("question", "Old?", "New?")),
            "c": (("doubt", "old", "new"),),
            "d": (("question", "Old?", "New?"),),
        },
    )
    assert summary.lines_of_fate("recast") == ["a"]
    assert summary.reworded_lines == ["b", "c"]
    assert summary.lines_with_reworded_question == ["b"]
