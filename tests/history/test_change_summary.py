"""What readers are told of a change."""

from __future__ import annotations

from kg.corpus import Corpus
from kg.history.change_summary import ChangeGroup, ChangeSummary, summarize_changes
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
def test_merged_statements_are_a_group_and_the_counts_of_the_groups_add_up(
    after: dict[str, str], merged: tuple[str, ...]
) -> None:
    before = corpus_of_notes(a=CLAIM.format("A"), b=CLAIM.format("Bees"), c=CLAIM.format("Sea"))
    corpus = corpus_of_notes(**after)
    groups = {group.fate: group for group in summarize_changes(before, corpus).groups}
    counts = {fate: group.count for fate, group in groups.items()}
    gone = counts.get("removed", 0) + counts.get("merged", 0)
    assert len(corpus.statements) - len(before.statements) == counts.get("added", 0) - gone
    assert (groups["merged"].first if "merged" in groups else ()) == merged


def _corpus_with_studies(count: int) -> Corpus:
    bib = "\n".join(f"@book{{s{n}, title={{S{n}}}, author={{A{n} Doe}}}}" for n in range(6))
    pros = {
        f"pro{n}": f"{evidence_text(f'Pro {n}', 0.6, 'supports:: [[asked]]')}\n[@s{n}]\n"
        for n in range(count)
    }
    note_text = claim_text("Asked", "optimist")
    return corpus_of_notes(
        references=bib, asked=note_text, here=LINE.format("proposition: asked\n"), **pros
    )


def test_an_answer_that_is_less_sure_has_its_former_words_and_why_it_is_no_surer() -> None:
    [move] = summarize_changes(_corpus_with_studies(6), _corpus_with_studies(1)).moved_answers
    assert (move.sureness_before, move.limit_before) == ("very probably", "")
    assert (move.sureness_after, move.limit_after) == ("perhaps", "depends on one source")


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


ASKED = "---\ntype: line\nproposition: {}\ndoubt: {}\n---\n\n# {}\n"
BOOKS = "@misc{{s, title={{S}}, year={{2020}}{}}}\n@misc{{{}, title={{Work}}, year={{2020}}}}\n"
SHARED = {
    "p": claim_text("P", "optimist"),
    "still": f"{evidence_text('Still', 0.6, 'supports:: [[p]]')}\n[@s]\n",
    "same": ASKED.format("p", "none", "Kept?"),
}
BEFORE = {
    "references": BOOKS.format("", "old"),
    "a": claim_text("First words", "optimist"),
    "b": claim_text("B", "optimist"),
    "gone": claim_text("Gone for good", "skeptic", "contradicts:: [[p]]"),
    "lost": evidence_text("Lost finding", 0.6, "supports:: [[a]]"),
    "other": ASKED.format("p", "old doubt", "Was it so?"),
    "over": ASKED.format("p", "none", "Another?"),
}
AFTER = {
    "references": BOOKS.format(", integrity={retracted}", "new"),
    "a": claim_text("Other wording of it", "optimist"),
    "b": claim_text("B", "skeptic"),
    "fresh": claim_text("Fresh claim here", "optimist", "supports:: [[b]]"),
    "seen": evidence_text("Seen newly", 0.6, "supports:: [[b]]"),
    "other": ASKED.format("p", "new doubt", "Is it so?"),
    "anew": ASKED.format("b", "none", "Brand new question?"),
}


def test_a_summary_has_each_group_that_there_is_and_what_moved_by_what() -> None:
    before, after = corpus_of_notes(**SHARED, **BEFORE), corpus_of_notes(**SHARED, **AFTER)
    summary = summarize_changes(before, after)
    assert [(group.sort, group.fate, group.first) for group in summary.groups] == [
        ("source", "retracted", ("s",)),
        ("line", "added", ("anew",)),
        ("line", "reworded", ("other",)),
        ("line", "removed", ("over",)),
        ("statement", "added", ("fresh",)),
        ("statement", "reworded", ("a",)),
        ("statement", "changed", ("b",)),
        ("statement", "removed", ("gone",)),
        ("evidence", "added", ("seen",)),
        ("evidence", "removed", ("lost",)),
        ("source", "added", ("new",)),
        ("source", "removed", ("old",)),
    ]
    assert summary.links == (2, 0, 2)
    # what is asked in other words cannot be compared
    assert [change.line for change in summary.moved_answers] == ["same"]
    assert [change.line for change in summary.recast_answers] == ["other"]
    assert summary.rewordings["other"] == (
        ("question", "Was it so?", "Is it so?"),
        ("chief doubt", "old doubt", "new doubt"),
    )
    assert summary.former == {"other": "Was it so?", "a": "First words"}
    assert {summary.titles[id] for id in ("a", "gone", "old", "still")} == {
        *("Other wording of it", "Gone for good", "Work", "Still"),
    }
    assert summary.claims == {"same": ("P", "P"), "other": ("P", "P")}
    ((reason, causes),) = summary.move_causes["same"].items()
    assert (reason, {cause.statement for cause in causes}) == ("still", {"still"})
    assert (summary.is_empty, summary.has_new_wording) == (False, True)
    back = summarize_changes(after, before)
    assert (back.groups[0].sort, back.groups[0].fate) == ("source", "no longer flagged")
    nothing = summarize_changes(before, before)
    assert (nothing, nothing.is_empty, nothing.has_new_wording) == (ChangeSummary(), True, False)
