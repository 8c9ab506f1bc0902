"""Every place in a note that names something: found where it stands.

Of `kg/editing/references/__init__.py`, too.
"""

from __future__ import annotations

from kg.editing.references import find_references
from kg.editing.references.note_references import references_in_note


def names_of(path: str, text: str) -> list[tuple[str, str]]:
    references = list(find_references(text, path))
    assert all(text[each.start : each.end] == each.name for each in references)
    if path.endswith(".md"):
        assert list(references) == list(references_in_note(text, path))
    return [(each.kind.value, each.name) for each in references]


def test_broken_front_matter_names_nothing_and_the_body_does() -> None:
    assert names_of("a.md", "---\ncamp: [\n---\n\n[[b]]\n") == [("mention", "b")]


def test_front_matter_is_named_word_by_word() -> None:
    head = "id: 'a'\naliases: [\"x y\", z]\ntopics: one, two words\nproposition: '[[b#^c|words]]'"
    assert names_of("n.md", f"---\n{head}\nCamp: left\n---\n") == [
        ("id", "a"),
        ("alias", "x y"),
        ("alias", "z"),
        ("topic", "one"),
        ("topic", "two words"),
        ("proposition", "b"),
        ("camp", "left"),
    ]


def test_what_looks_like_a_field_names_something_in_callouts_alone() -> None:
    field = "(asserted_by:: roe)"
    assert names_of("a.md", f"---\ntype: claim\n---\n\n# A\n\nSaid. {field}\n") == [("title", "A")]
    names = names_of("a.md", f"---\ntype: claim\n---\n\n# A\n\n> [!evidence] E\n> Seen. {field}\n")
    assert ("holder", "roe") in names


def test_an_item_names_its_relation_target_premises_mentions_and_itself() -> None:
    items = (
        "- supports:: [[b]] (with:: [[c]] and [[d]]) — as [[e]] says ^n\n"
        "- [qualifies:: [[f]] — so]\n- no relation: [[g]]\n"
    )
    assert names_of("a.md", f"---\ntype: claim\n---\n\n# A\n\nSo it is.\n\n{items}") == [
        *(("title", "A"), ("relation", "supports"), ("target", "b"), ("premise", "c")),
        *(("premise", "d"), ("mention", "e"), ("block", "n"), ("relation", "qualifies")),
        *(("target", "f"), ("mention", "g")),
    ]


def test_an_embed_right_after_code_is_found_and_one_within_is_not() -> None:
    text = "---\ntype: claim\n---\n\n# A\n\n`x`![[b]] `![[c]]`\n"
    assert names_of("a.md", text) == [("title", "A"), ("embed", "b")]


def test_a_heading_is_named_up_to_its_closing_marks() -> None:
    assert names_of("a.md", "---\ntype: claim\n---\n\n# Why C#\n\n## So ##\n") == [
        ("title", "Why C#"),
        ("heading", "So"),
    ]


def test_an_entry_of_a_glossary_names_each_of_its_terms() -> None:
    text = (
        "---\ntype: glossary\n---\n\n# Words\n\n- **SJT**, **judgement test**: a **small** scene\n"
    )
    names = [name for kind, name in names_of("g.md", text) if kind == "term"]
    assert names == ["SJT", "judgement test"]
