"""What is named beside the notes: keys, judged edges, camps."""

from __future__ import annotations

from kg.editing.references.table_references import (
    references_in_bibliography,
    references_in_judgements,
    references_in_settings,
)

READERS = {
    "bib": references_in_bibliography,
    "json": references_in_bibliography,
    "csv": references_in_judgements,
    "toml": references_in_settings,
}


def names_of(path: str, text: str) -> list[tuple[str, str]]:
    references = list(READERS[path.rpartition(".")[2]](text, path))
    assert all(text[each.start : each.end] == each.name for each in references)
    return [(each.kind.value, each.name) for each in references]


def test_a_bibliography_names_its_keys_and_what_they_inherit_from() -> None:
    entries = (
        '@inproceedings{ roe:1, xdata = {all, more}, title="@misc{x,"}\n@proceedings(all,\n}\n'
    )
    names = names_of("references.bib", entries.replace("(all,", "{all,"))
    inherited = [("inherited", "all"), ("inherited", "more")]
    assert names == [("key", "roe:1"), *inherited, ("key", "all")]
    assert names_of("references.json", '[{"title": "id", "id": "roe"}]') == [("key", "roe")]


def test_a_table_names_the_edges_that_are_judged() -> None:
    table = 'note, Edge ,label\n"a, ""b""\nc",a--supports--b,supports\nx,"c#d ",neutral\n,,\n'
    names = names_of("judgements/one.csv", table)
    assert names == [("judged-edge", "a--supports--b"), ("judged-edge", "c#d")]
    assert names_of("judgements/two.csv", "label,note\nx,y\n") == []
    assert names_of("judgements/three.csv", "edge\nno--line--end") == [
        ("judged-edge", "no--line--end")
    ]


def test_settings_name_their_camps() -> None:
    settings = (
        '# id = "left"\n[[camps]]\nlabel = "id = \'left\'"\nid = "left"\n[[camps]]\nid = \'b\'\n'
    )
    assert names_of("kg.toml", settings) == [("camp-id", "left"), ("camp-id", "b")]
    assert names_of("kg.toml", "[[camps") == []
