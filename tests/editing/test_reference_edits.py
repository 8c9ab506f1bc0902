"""Links and edges that name what is renamed: each follows in its own form."""

from __future__ import annotations

from pathlib import Path

from kg.editing.change_effect import effect_of
from kg.editing.reference_edits import NewIds
from kg.files.read_files import NotesFolder
from kg.loader import load_changed, load_corpus
from kg.reasoning import judgements_of
from tests.editing.edited_folder import CLAIM, change_by_rename, text_after, write
from tests.support.every_row import every_row


@every_row(
    ("link", "then"),
    [
        ("[[old]]", "[[new]]"),
        ("[[old|words]]", "[[new|words]]"),
        ("[[ old#Heading | words ]]", "[[ new#Heading | words ]]"),
        ("[[deep/old.md]]", "[[deep/new.md]]"),
        ("[[Old]]", "[[new]]"),
        ("[[old#^seen]]", "[[new#^seen]]"),
        ("[w](deep/old.md)", "[w](deep/new.md)"),
        ("[w](./deep/old.md#^seen)", "[w](./deep/new.md#^seen)"),
        ('[w](<deep/old.md> "title")', '[w](<deep/new.md> "title")'),
        ("[w](deep/%6Fld.md)", "[w](deep/new.md)"),
        ("[w][r]\n\n[r]: deep/old.md", "[w][r]\n\n[r]: deep/new.md"),
        ("[[former]]", "[[former]]"),
        ("[[older]]", "[[older]]"),
        ("`[[old]]`", "`[[old]]`"),
        ("- supports:: [[old]] with [[old]] — as [[old]]", None),
    ],
)
def test_a_link_is_rewritten_in_its_own_form(tmp_path: Path, link: str, then: str | None) -> None:
    old = "---\ntype: claim\naliases: former\n---\n\n# Old\n\n> [!evidence] Seen ^seen\n> [@x]\n"
    notes = {"deep/old.md": old, "b.md": CLAIM.format("b") + link + "\n"}
    write(tmp_path, notes | {"older.md": CLAIM.format("older")})
    change = change_by_rename(tmp_path, "old", "new")
    then = then if then is not None else link.replace("old", "new")
    after = text_after(change, "b.md") if "b.md" in change.files_after else notes["b.md"]
    assert after == CLAIM.format("b") + then + "\n"
    assert "aliases: [former, old]\n" in text_after(change, "deep/new.md")
    assert change.moves == {"deep/old.md": "deep/new.md"}


JUDGED = "edge,annotator,label\nold--supports--b,me,supports\nold#so,me,supports\nb#t,me,neutral\n"

UNDERCUT = "- undercuts:: [[old--supports--b]] — no\n- undercuts:: [[old#^so]] — no ^t\n"


def test_judgements_and_undercuts_follow(tmp_path: Path) -> None:
    edges = "- supports:: [[b]] — one\n- contradicts:: [[b]] — two ^so\n"
    notes = {"old.md": CLAIM.format("old") + edges, "b.md": CLAIM.format("b") + UNDERCUT}
    folder = write(tmp_path, {**notes, "judgements/us.csv": JUDGED})
    before = load_corpus(folder)
    change = change_by_rename(folder, "old", "new")
    after = load_changed(folder, change.files_after)
    names = NewIds(before, {"old": "new"})
    assert sorted(edge.id for edge in after.edges) == sorted(
        names.new_id(edge.id) for edge in before.edges
    )
    assert {row.edge for row in judgements_of(after).rows} == {
        names.new_id(row.edge) for row in judgements_of(before).rows
    }
    assert len(judgements_of(after).rows) == 3
    assert effect_of(before, change, NotesFolder.from_path(folder)).verdicts == ()


@every_row("before", ["", "- ", "> "])
def test_what_embeds_a_note_follows(tmp_path: Path, before: str) -> None:
    text = "![[old]], ![[old#^seen|words]], ![[old.md]], ![[old.png]] and `![[old]]`\n"
    notes = {"old.md": CLAIM.format("old"), "b.md": CLAIM.format("b") + before + text}
    after = text.replace("![[old", "![[new").replace("new.png", "old.png")
    after = after.replace("`![[new]]`", "`![[old]]`")
    change = change_by_rename(write(tmp_path, notes), "old", "new")
    assert text_after(change, "b.md") == CLAIM.format("b") + before + after


def test_what_embeds_a_callout_follows(tmp_path: Path) -> None:
    callout = "> [!evidence] Seen ^seen\n> [@x]\n"
    notes = {"a.md": CLAIM.format("a") + callout, "b.md": CLAIM.format("b") + "![[a#^seen]]\n"}
    change = change_by_rename(write(tmp_path, notes), "a#seen", "found")
    assert text_after(change, "b.md") == CLAIM.format("b") + "![[a#^found]]\n"


@every_row("text", ["a--supports--b", '"a--supports--b"'])
def test_an_edge_in_a_table_is_in_quotes_where_it_must(tmp_path: Path, text: str) -> None:
    judged = "edge,annotator,label\n{},me,neutral\n"
    notes = {"a.md": CLAIM.format("a") + "- supports:: [[b]] — so\n", "b.md": CLAIM.format("b")}
    write(tmp_path, {**notes, "judgements/x.csv": judged.format(text)})
    change = change_by_rename(tmp_path, "a", "c, d")
    assert text_after(change, "judgements/x.csv") == judged.format('"c, d--supports--b"')
