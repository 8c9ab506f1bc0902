"""Two corpora side by side: what is known again, and where they part."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg import api
from kg.cli import main
from kg.history.corpus_comparison import (
    CorpusComparison,
    JudgementDifference,
    _difference_in_strength,
    compare_corpora,
)
from tests.support.every_row import every_row

CLAIM = "---\ntype: claim\n"
OURS = {
    "a.md": f"{CLAIM}camp: optimist\n---\n\n# Talk grounds\n\n- supports:: [[b]]\n",
    "b.md": f"{CLAIM}---\n\n# Models speak\n",
    "e.md": "---\ntype: evidence\nmethod: experiment\nsample: 100 people\n---\n\n# Tried\n\n"
    "[@early]\n\n- supports:: [[b]]\n",
    "line.md": "---\ntype: line\nproposition: b\n---\n\n# So?\n",
    "references.bib": "@misc{early, title={Early}, year={2019}, doi={10.1/AB}}\n"
    "@misc{t1, title={Same Title}, year={2019}}\n@misc{only, title={Only}, year={2019}}\n",
}
THEIRS = {
    "talk.md": f"{CLAIM}camp: skeptic\n---\n\n# Talk grounds\n\n- contradicts:: [[b]]\n",
    "b.md": OURS["b.md"],
    "e.md": OURS["e.md"].replace("early", "first").replace("100", "90"),
    "more.md": "---\ntype: evidence\nmethod: survey\n---\n\n# More\n\n- contradicts:: [[b]]\n",
    "so.md": OURS["line.md"],
    "references.bib": "@misc{first, title={Ealry}, year={2019}, doi={10.1/ab}}\n"
    "@misc{t2, title={Same title}, year={2019}}\n",
}


def write(folder: Path, files: Mapping[str, str]) -> Path:
    folder.mkdir()
    for name, text in files.items():
        folder.joinpath(name).write_text(text, "utf-8")
    return folder


@pytest.fixture
def folders(tmp_path: Path) -> tuple[str, str]:
    return str(write(tmp_path / "ours", OURS)), str(write(tmp_path / "theirs", THEIRS))


@pytest.fixture
def compared(folders: tuple[str, str]) -> CorpusComparison:
    ours, theirs = map(api.load, folders)
    return ours.compare(theirs)


def pairs_of_kind(compared: CorpusComparison, kind: str) -> set[tuple[str | None, str | None, str]]:
    return {(each.first, each.second, each.by) for each in getattr(compared, kind)}


def test_records_of_two_corpora_are_matched_by_id_title_doi_or_ends(
    compared: CorpusComparison,
) -> None:
    assert pairs_of_kind(compared, "statements") == {
        *(("b", "b", "id"), ("e", "e", "id"), ("a", "talk", "title"), (None, "more", ""))
    }
    assert pairs_of_kind(compared, "sources") == {
        *(("early", "first", "DOI"), ("t1", "t2", "title"), ("only", None, ""))
    }
    assert pairs_of_kind(compared, "lines") == {("line", "so", "title")}
    assert pairs_of_kind(compared, "edges") == {
        ("e--supports--b", "e--supports--b", "ends"),
        ("a--supports--b", None, ""),
        (None, "talk--contradicts--b", ""),
        (None, "more--contradicts--b", ""),
    }
    differing = {each.first: each.differing for each in compared.statements if each.differing}
    # a source by another key is the same
    assert differing == {"e": ("body", "sample"), "a": ("camp",)}


def test_what_two_records_say_differently_is_named(tmp_path: Path) -> None:
    line = "---\ntype: line\nproposition: b\n---\n\n# So?\n\n- optimist:: [[b]]\n"
    book = "@misc{k, title={K}, year={2019}}"
    ours = {"b.md": OURS["b.md"], "l.md": line, "references.bib": book}
    moved_text = line.replace("optimist::", "skeptic::").replace("So?", "Is it so?")
    lost_text = book.replace("2019}", "2020}, integrity={retracted}")
    theirs = {"b.md": OURS["b.md"], "l.md": moved_text, "references.bib": lost_text}
    comparison = api.load(write(tmp_path / "a", ours)).compare(
        api.load(write(tmp_path / "b", theirs))
    )
    assert [each.differing for each in comparison.sources] == [("integrity", "year")]
    assert [each.differing for each in comparison.lines] == [("question", "placements")]
    assert "integrity, year" in str(comparison)


def test_statements_that_two_corpora_judge_differently_are_listed(
    compared: CorpusComparison,
) -> None:
    judged = {each.first: each for each in compared.judged}
    assert (judged["a"].first_camp, judged["a"].second_camp) == ("optimist", "skeptic")
    assert (judged["b"].first_strength or 0) > (judged["b"].second_strength or 0)
    assert [(each.line, each.word_before) for each in compared.verdicts] == [
        ("so", "leans supported")
    ]
    assert compared.first_against == ()
    assert {edge.origin for edge in compared.second_against} == {"talk", "more"}


def test_a_corpus_differs_in_nothing_from_itself(folders: tuple[str, str]) -> None:
    ours = api.load(folders[0])
    same = compare_corpora(ours, ours)
    ids = (*same.statements, *same.sources, *same.lines, *same.edges)
    assert all(each.first == each.second and not each.differing for each in ids)
    assert (same.judged, same.verdicts, same.first_against, same.second_against) == ((),) * 4


def test_a_comparison_turned_round_says_the_same(
    folders: tuple[str, str], compared: CorpusComparison
) -> None:
    ours, theirs = map(api.load, folders)
    turned = theirs.compare(ours)
    for kind in ("statements", "sources", "lines", "edges"):
        pairs = {(each.second, each.first) for each in getattr(turned, kind)}
        assert pairs == {(each.first, each.second) for each in getattr(compared, kind)}
    assert turned.first_against == compared.second_against


def test_the_command_compares_folders(folders: tuple[str, str]) -> None:
    def output_of(*arguments: str) -> str:
        return CliRunner().invoke(main, ["compare", *folders, *arguments]).output

    assert "Judged differently" in output_of()
    assert "Edges of both that read differently" not in output_of()
    assert output_of("--format", "csv").startswith("table,first,second,by,differing\n")
    assert "talk" in output_of("--format", "csv", "--table", "judged")
    assert '"first_against": []' in output_of("--format", "json").replace("\n", "")
    assert "### Sources only in ours (1)" in output_of("--format", "markdown")
    assert "not with two folders" in output_of("--notes", folders[0])
    nothing = CliRunner().invoke(main, ["compare", folders[0], "./nothing"])
    assert "there is no folder" in str(nothing.exception)


def test_edges_with_the_same_ends_are_compared_with_their_premises(tmp_path: Path) -> None:
    links = "- supports:: [[b]] — one\n- supports:: [[b]] — two\n- supports:: [[b]] with [[c]]\n"
    ours = {name: f"{CLAIM}---\n\n# {name}\n" for name in ("b.md", "c.md", "d.md")}
    ours["a.md"] = f"{CLAIM}---\n\n# A\n\n{links}"
    theirs = ours | {"a.md": ours["a.md"].replace("— one", "— won").replace("[[c]]", "[[d]]")}
    shorter = ours | {"a.md": ours["a.md"].replace("- supports:: [[b]] — one\n", "")}
    folders = [write(tmp_path / name, files) for name, files in
               (("a", ours), ("b", theirs), ("c", shorter))]  # fmt: skip
    first, second, third = map(api.load, folders)
    comparison = compare_corpora(first, second)
    assert sorted(each.differing for each in comparison.edges) == [(), ("reason",), ("together",)]
    edges_alone = [each for each in compare_corpora(first, third).edges if each.second is None]
    assert [first.edges_by_id[each.first or ""].reason for each in edges_alone] == ["one"]


def test_opposition_counts_where_only_one_corpus_has_it_and_through_the_edge_it_denies(
    tmp_path: Path,
) -> None:
    theirs = api.load(write(tmp_path / "theirs", THEIRS))
    assert theirs.compare(theirs).second_against == ()
    supporting = OURS["a.md"].replace("[[b]]", "[[b]] ^s")
    notes = {"a.md": supporting, "b.md": OURS["b.md"]}
    denying = {**notes, "u.md": f"{CLAIM}---\n\n# Denial\n\n- undercuts:: [[a#^s]]\n"}
    first = api.load(write(tmp_path / "first", notes))
    comparison = first.compare(api.load(write(tmp_path / "second", denying)))
    assert [edge.origin for edge in comparison.second_against] == ["u"]


@every_row(
    ("first", "second", "difference"),
    [(None, None, 0.0), (None, 0.0, 1.0), (0.0, None, 1.0), (0.25, 0.75, 0.5)],
)
def test_a_strength_that_one_corpus_lacks_differs_most(
    first: float | None, second: float | None, difference: float
) -> None:
    judged = JudgementDifference("a", "a", None, None, first, second)
    assert _difference_in_strength(judged) == difference
