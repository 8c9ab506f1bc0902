"""What changed between two states of a corpus, each state shown."""

from __future__ import annotations

from collections.abc import Callable

from kg.corpus import Corpus
from kg.queries.history.changes import count_changes, has_moved
from kg.queries.history.find_changes import diff
from tests.support.every_row import every_row

Make = Callable[..., Corpus]
CLAIM = "---\ntype: claim\ncamp: {camp}\n---\n\n# {title}\n\n{body}\n"
LINE = (
    "---\ntype: line\nproposition: p\nreviewed: {day}\n---\n\n# Q?\n\n[[a]] and [[b]].\n\n{camps}\n"
)


def claim(title: str, body: str = "", camp: str = "optimist") -> str:
    return CLAIM.format(camp=camp, title=title, body=body)


def line(day: str = "2026-01-01", camps: str = "- optimist:: [[a]]\n- skeptic:: [[b]]") -> str:
    return LINE.format(day=day, camps=camps)


def evidence(edge: str, extra: str = "method: experiment\nsample: 900") -> str:
    return f"---\ntype: evidence\n{extra}\n---\n\n# E [@s]\n\n- {edge}\n"


BOOKS = "@misc{s, title={S}, year={2020}}"


def test_equal_corpora_differ_in_nothing(corpus_of: Make) -> None:
    notes = {"p": claim("P"), "a": claim("A", "- supports:: [[p]]"), "line": line()}
    changes = diff(corpus_of(**notes), corpus_of(**notes))
    assert changes.is_empty
    assert count_changes(changes) == "Nothing changed."


def test_what_a_line_asks_weighs_and_answers(corpus_of: Make) -> None:
    old = "---\ntype: line\nproposition: p\nanswers: {holds: so, fails: no}\n---\n\n# Q?\n"
    new = (
        "---\ntype: line\nproposition: a\nanswers: {holds: so, fails: nay}\n"
        "doubt: Nobody looked.\n---\n\n# Is it?\n"
    )
    claims = {"p": claim("P"), "a": claim("A")}
    changes = diff(corpus_of(**claims, line=old), corpus_of(**claims, line=new))
    assert [(c.line, c.field, c.before, c.after) for c in changes.lines_changed] == [
        ("line", "question", "Q?", "Is it?"),
        ("line", "proposition", "p", "a"),
        ("line", "answer if it fails", "no", "nay"),
        ("line", "chief doubt", None, "Nobody looked."),
    ]
    assert "| line | answer if it fails | no | nay |" in changes.to_markdown()
    bare = diff(corpus_of(**claims, line=old), corpus_of(**claims, line=line()))
    assert [c.after for c in bare.lines_changed] == [None, None]
    assert "| line | answer if it holds | so | nothing |" in bare.to_markdown()


def test_a_proposition_that_is_only_renamed_is_the_same(corpus_of: Make) -> None:
    text = "---\ntype: line\nproposition: {}\n---\n\n# Q?\n"
    before = corpus_of(p=claim("P holds always"), line=text.format("p"))
    renamed = claim("P holds always").replace("camp:", "aliases: [p]\ncamp:")
    after = corpus_of(q=renamed, line=text.format("q"))
    assert diff(before, after).lines_changed == ()


def test_changes_of_statements_edges_and_camps_are_told_apart(corpus_of: Make) -> None:
    before = corpus_of(
        p=claim("P"),
        a=claim("A", "- supports:: [[p]] — because"),
        b=claim("B", "- contradicts:: [[p]]"),
        line=line(),
    )
    after = corpus_of(
        p=claim("P"),
        a=claim("A is sharper", "- supports:: [[p]] — since"),
        c=claim("Quite another thing", "- qualifies:: [[p]]"),
        line=line(camps="- skeptic:: [[a]]"),
    )
    changes = diff(before, after)
    assert changes.added == ("c",)
    assert changes.removed == ("b",)
    assert [(change.id, change.fields) for change in changes.changed] == [("a", ("title",))]
    assert [edge.id for edge in changes.edges_added] == ["c--qualifies--p"]
    assert [edge.id for edge in changes.edges_changed] == ["a--supports--p"]
    assert [edge.id for edge in changes.edges_removed] == ["b--contradicts--p"]
    placed = {(p.statement, p.before, p.after) for p in changes.placings}
    assert placed == {("a", "optimist", "skeptic"), ("b", "skeptic", None)}
    assert [(stale.line, stale.because) for stale in changes.stale] == [("line", ("a", "b"))]


def test_a_reviewed_essay_is_not_stale(corpus_of: Make) -> None:
    before = corpus_of(p=claim("P"), a=claim("A"), line=line("2026-01-01"))
    after = corpus_of(p=claim("P"), a=claim("A is sharper"), line=line("2026-02-01"))
    assert diff(before, after).stale == ()


def test_a_note_that_was_retired_is_listed_as_retired(corpus_of: Make) -> None:
    before = corpus_of(a=claim("A"))
    after = corpus_of(a=claim("A").replace("camp:", "status: retired\ncamp:"))
    (change,) = diff(before, after).retired
    assert diff(before, corpus_of(a=claim("Other"))).retired == ()
    assert (change.id, change.fields) == ("a", ("status",))


def test_a_note_whose_alias_is_its_former_id_is_renamed_with_its_parts(corpus_of: Make) -> None:
    nested = "> [!evidence] Seen ^seen\n> So. (method:: survey)\n"
    before = corpus_of(p=claim("P"), old=claim("A", nested + "\n- supports:: [[p]] ^e"),
                       u=claim("U", "- undercuts:: [[old#^e]]"))  # fmt: skip
    moved = claim("A", nested + "\n- supports:: [[p]] ^e").replace("camp:", "aliases: [old]\ncamp:")
    after = corpus_of(p=claim("P"), new=moved, u=claim("U", "- undercuts:: [[new#^e]]"))
    changes = diff(before, after)
    assert {(change.was, change.id) for change in changes.renamed} == {
        ("old", "new"),
        ("old#seen", "new#seen"),
    }
    assert (changes.added, changes.removed) == ((), ())
    assert (changes.edges_added, changes.edges_removed) == ((), ())


def test_a_statement_of_the_same_text_under_another_id_is_renamed(corpus_of: Make) -> None:
    text = "Raters reward answers that sound finished, so habits that interrupt go first."
    before = corpus_of(one=claim("Tuning strips acts", text), two=claim("Same title"))
    after = corpus_of(
        uno=claim("Tuning strips the acts", text),
        dos=claim("Same title", "With more words than it had before."),
        tre=claim("Wholly new"),
    )
    changes = diff(before, after)
    assert {(c.was, c.id) for c in changes.renamed} == {("one", "uno"), ("two", "dos")}
    assert changes.added == ("tre",)


def test_sources_flagged_say_what_rests_on_them(corpus_of: Make) -> None:
    notes = {"p": claim("P"), "e": evidence("supports:: [[p]]")}
    flag = "---\ntype: source\nintegrity: retracted\n---\n\nWithdrawn.\n"
    books = BOOKS + "\n@misc{as-before, title={T}}"
    changes = diff(
        corpus_of(references=books, **notes), corpus_of(references=books, s=flag, **notes)
    )
    (flagged,) = changes.sources_flagged
    assert (flagged.source, flagged.before, flagged.after) == ("s", None, "retracted")
    assert flagged.resting == ("e",)


def test_verdicts_that_moved_name_the_reason(corpus_of: Make) -> None:
    notes = {"p": claim("P"), "a": claim("A", "- supports:: [[p]]"), "line": line()}
    before = corpus_of(references=BOOKS, **notes)
    after = corpus_of(references=BOOKS, e=evidence("supports:: [[p]]"), **notes)
    (moved,) = diff(before, after).verdicts
    assert (moved.line, moved.proposition) == ("line", "p")
    assert moved.before is not None
    assert moved.after is not None
    assert moved.after > moved.before
    assert [cause.statement for cause in moved.causes] == ["e"]
    assert moved.causes[0].before is None


TWICE = "- supports:: [[p]] — one\n- supports:: [[p]] — two"


@every_row(
    ("now", "added", "changed", "removed"),
    [
        (TWICE.replace("one", "won"), [], ["won"], []),
        (TWICE.replace("two", "too"), [], ["too"], []),
        ("- supports:: [[p]] — two", [], [], ["one"]),
        ("- supports:: [[p]] — one", [], [], ["two"]),
        ("- supports:: [[p]] — nought\n" + TWICE, ["nought"], [], []),
        ("- supports:: [[p]] — two\n- supports:: [[p]] — one", [], [], []),
    ],
)
def test_edges_that_link_the_same_are_told_apart(
    corpus_of: Make, now: str, added: list[str], changed: list[str], removed: list[str]
) -> None:
    before = corpus_of(p=claim("P"), a=claim("A", TWICE))
    changes = diff(before, corpus_of(p=claim("P"), a=claim("A", now)))
    assert [edge.reason for edge in changes.edges_added] == added
    assert [edge.reason for edge in changes.edges_changed] == changed
    assert [edge.reason for edge in changes.edges_removed] == removed


def test_an_edge_is_known_by_its_name_before_what_it_says(corpus_of: Make) -> None:
    named = claim("A", "- supports:: [[p]] — one ^x\n- supports:: [[p]] — two ^y")
    swapped = claim("A", "- supports:: [[p]] — two ^x\n- supports:: [[p]] — three ^y")
    changes = diff(corpus_of(p=claim("P"), a=named), corpus_of(p=claim("P"), a=swapped))
    assert [edge.id for edge in changes.edges_changed] == ["a#x", "a#y"]


def test_an_undercut_follows_the_edge_that_it_denies(corpus_of: Make) -> None:
    links = "- supports:: [[p]] — one ^x\n- supports:: [[p]] — two ^y"
    notes = {"p": claim("P"), "a": claim("A", links)}
    on_x, on_y = (claim("U", f"- undercuts:: [[a#^{name}]]") for name in "xy")
    moved = diff(corpus_of(**notes, u=on_x), corpus_of(**notes, u=on_y))
    assert [edge.target for edge in moved.edges_removed] == ["a#x"]
    assert [edge.target for edge in moved.edges_added] == ["a#y"]
    renamed = links.replace("^x", "^z")
    again = corpus_of(p=claim("P"), a=claim("A", renamed), u=claim("U", "- undercuts:: [[a#^z]]"))
    assert diff(corpus_of(**notes, u=on_x), again).is_empty


def test_a_changed_premise_is_a_change_and_a_renamed_one_is_none(corpus_of: Make) -> None:
    text = "- supports:: [[p]] with [[{}]]"
    held = {"p": claim("P"), "b": claim("B"), "c": claim("C")}
    before = corpus_of(**held, a=claim("A", text.format("b")))
    changes = diff(before, corpus_of(**held, a=claim("A", text.format("c"))))
    assert [edge.together for edge in changes.edges_changed] == [("c",)]
    renamed = {"p": claim("P"), "d": claim("B"), "c": claim("C")}
    after = corpus_of(**renamed, a=claim("A", text.format("d")))
    assert diff(before, after).edges_changed == ()


def test_of_two_reasons_with_other_premises_the_right_one_is_gone(corpus_of: Make) -> None:
    held = {"p": claim("P"), "b": claim("B"), "c": claim("C")}
    links = ["- supports:: [[p]] with [[b]]", "- supports:: [[p]] with [[c]]"]
    before = corpus_of(**held, a=claim("A", "\n".join(links)))
    stronger = f"{links[1]} (strength:: strong)"
    changes = diff(before, corpus_of(**held, a=claim("A", stronger)))
    assert [edge.together for edge in changes.edges_removed] == [("b",)]
    assert [edge.together for edge in changes.edges_changed] == [("c",)]


@every_row(
    ("before", "after", "moved"),
    [
        (0.9189, 0.9368, True),  # shown as 0.92 and 0.94
        (0.9449, 0.9251, False),  # shown as 0.94 and 0.93
        (0.72, 0.70, True),
        (0.72, 0.71, False),
        (None, 0.5, True),
        (None, None, False),
    ],
)
def test_a_strength_has_moved_if_readers_see_it(
    before: float | None, after: float | None, moved: bool
) -> None:
    assert has_moved(before, after) is moved
    assert has_moved(after, before) is moved
