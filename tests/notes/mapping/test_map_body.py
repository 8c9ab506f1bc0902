"""Links that say why, and fields that say how, as edges; nothing is guessed that bears weight.

Of `kg/notes/mapping/sentence_edges.py`, too.
"""

from __future__ import annotations

import pytest

from kg.model import Relation
from kg.model.settings.config import parse_config
from kg.notes.mapping.map_body import map_body
from tests.notes.mapping.conftest import ParseMapped, ReadMapped

CLAIM = "---\ntype: claim\n---\n# It holds\n\n"
LINKS = "map.links = true"
WORDS = """
[map.relations]
opposes = "contradicts"
"Supported by" = "supported-by"
grounds = "supports"
"""


def edges(parse_mapped: ParseMapped, settings: str, body: str) -> list[tuple[str, ...]]:
    note = parse_mapped(settings, CLAIM + body)
    assert note.diagnostics == ()
    return [(edge.relation, edge.target, edge.reason) for edge in note.edges]


@pytest.mark.parametrize(
    "item",
    [
        "- [[x y]] — since it is so",
        "- [[x y]] -- since it is so",
        "- [[x y]] - since it is so",
        "* **[[x y|that]]** – since it is so",
        "- [[x y]]: since it is so",
        "1. [[folder/x y]] — since it is so",
        "- [[x y]] — since it is\n  so",
        "- [[x y]] → since it is so",
    ],
)
def test_a_list_item_that_says_why_is_a_link_with_a_reason(
    parse_mapped: ParseMapped, item: str
) -> None:
    assert edges(parse_mapped, LINKS, item) == [("relates", "x y", "since it is so")]


def test_a_markdown_link_is_a_link(parse_mapped: ParseMapped) -> None:
    note = parse_mapped(LINKS, CLAIM + "- [That](../b/x.md) — why", "a/n.md")
    assert [(edge.target, edge.span.line) for edge in note.edges] == [("/b/x.md", 6)]


@pytest.mark.parametrize(
    "item",
    [
        "- [[x]]",
        "- see [[x]] — why",
        "- [x](https://example.org/x.md) — why",
        "- `[[x]] — why`",
        "[[x]] — why",
        "- [[#Part]] — why",
        "- supports [[x]] — why",
        "- ![[x]] — why",
        "> - [[x]] — why",
        "- up:: [[x]] — why",
        "- [ ] [[x]] — why",
        "1. [x] **opposes**:: [[x]]",
    ],
)
def test_other_links_are_mentions(parse_mapped: ParseMapped, item: str) -> None:
    assert [edge.target for edge in parse_mapped(LINKS + WORDS, CLAIM + item).edges] == []


def test_a_to_do_cites_nothing_and_gives_no_reason(parse_mapped: ParseMapped) -> None:
    body = "- [ ] read [[@doe2020]] since [[x]] [@roe2021, p. 3]\n- [[@poe2022]] does not say it"
    note = parse_mapped(SENTENCES, CLAIM + body)
    assert ([citation.key for citation in note.statements[0].citations], note.edges) == (
        ["poe2022"],
        (),
    )
    assert [mention.target for mention in note.mentions] == ["x"]


def test_a_word_for_a_relation_counts_in_every_form(parse_mapped: ParseMapped) -> None:
    body = """
- opposes:: [[a]] — why
- **Opposes**:: [[b]]
- [opposes:: [[c]]]

**opposes::** [[d]], [[e]]

Here (opposes:: [[f]]) stands within words.

- [[g]] — opposes: why
"""
    result_edges = edges(parse_mapped, WORDS, body)
    assert {relation for relation, _, _ in result_edges} == {"contradicts"}
    assert sorted(target for _, target, _ in result_edges) == list("abcdefg")
    assert ("contradicts", "g", "why") in result_edges


def test_a_label_above_a_list_counts_only_where_the_settings_say_so(
    parse_mapped: ParseMapped,
) -> None:
    body = "**Supported by:**\n- [[a]] — it was seen\n- [[b]]\n\nSupports:\n- [[c]]\n"
    note = parse_mapped(WORDS, CLAIM + body)
    assert [(e.relation, e.target, e.backward) for e in note.edges] == [
        ("supports", "a", True),
        ("supports", "b", True),
    ]
    body = "- Grounds::\n  - [[a]]\n- Other\n  - [[b]]\n"
    assert edges(parse_mapped, WORDS, body) == [("supports", "a", "")]


def test_what_supports_a_note_leads_to_it(read_mapped: ReadMapped) -> None:
    corpus = read_mapped(
        WORDS,
        {
            "a.md": CLAIM + "## Supported by\n\n- [[b]] — it was seen ^seen\n",
            "b.md": "---\ntype: evidence\n---\n# It was seen\n",
        },
    )
    [edge] = corpus.edges
    assert (edge.origin, edge.relation, edge.target) == ("b", Relation.SUPPORTS, "a")
    assert (edge.reason, edge.span.path) == ("it was seen", "a.md")


def test_a_list_that_becomes_edges_leaves_the_text_and_links_in_its_reasons_count(
    parse_mapped: ParseMapped,
) -> None:
    body = "Words.\n\nRelevant notes:\n- [[a]] — as [[b]] says [@doe2020]\n\nSee:\n- [[c]]\n"
    note = parse_mapped(LINKS, CLAIM + body)
    [statement] = note.statements
    assert statement.body == "Words.\n\nSee:\n- [[c]]"
    assert [mention.target for mention in note.mentions] == ["b", "c"]
    assert [citation.key for citation in statement.citations] == ["doe2020"]


def test_a_field_on_a_line_of_its_own_takes_that_line_alone(parse_mapped: ParseMapped) -> None:
    note = parse_mapped(WORDS, CLAIM + "Of [[m]].\nopposes:: [[d]], [[e]]\nAs [[n]] says.\n")
    assert [edge.target for edge in note.edges] == ["d", "e"]
    assert [mention.target for mention in note.mentions] == ["m", "n"]
    assert note.statements[0].body == "Of [[m]].\n\nAs [[n]] says."


@pytest.mark.parametrize("item", ["- [[x]] — unless so", "- supports:: [[x]] — unless so"])
def test_a_field_right_below_an_item_is_no_part_of_its_reason(
    parse_mapped: ParseMapped, item: str
) -> None:
    body = f"Of [[m]]:\n\n{item}\nContradicts:: [[y]], [[z]]\n  (opposes:: [[w]]) too\nup:: [[u]]\n"
    note = parse_mapped(LINKS + WORDS, CLAIM + body)
    rows = [(edge.relation, edge.target, edge.reason, edge.span.line) for edge in note.edges]
    assert rows[0][1:] == ("x", "unless so", 8)
    assert rows[1:] == [
        ("contradicts", "y", "", 9),
        ("contradicts", "z", "", 9),
        ("contradicts", "w", "", 10),
    ]
    assert [mention.target for mention in note.mentions] == ["m", "u"]
    assert note.statements[0].body == "Of [[m]]:\n\n  (opposes:: [[w]]) too\nup:: [[u]]"


@pytest.mark.parametrize(
    ("body", "reason", "left"),
    [
        ("Supports:: [[x]] only in children, not in [[y]]", "only in children, not in [[y]]", ""),
        ("opposes:: [[x]]. This is weak.", "This is weak.", ""),
        ("**opposes:: [[x]]**, [@doe2020]", "[@doe2020]", ""),
        ("(opposes:: [[x]] now and then)", "now and then", ""),
        ("- **Opposes**:: [[x]] (in children)", "(in children)", ""),
        ("Supported by:\n- [[x]] in children", "in children", ""),
        ("(opposes:: [[x]] — so) it is said.", "so", "(opposes:: [[x]] — so) it is said."),
    ],
)
def test_words_behind_a_field_are_its_reason(
    parse_mapped: ParseMapped, body: str, reason: str, left: str
) -> None:
    note = parse_mapped(WORDS, CLAIM + body)
    assert [(edge.target, edge.reason) for edge in note.edges] == [("x", reason)]
    assert [citation.key for citation in note.statements[0].citations] == ["doe2020"] * (
        "@" in body
    )
    assert note.statements[0].body == left
    assert note.diagnostics == ()


def test_an_item_that_holds_others_stays_in_the_text(parse_mapped: ParseMapped) -> None:
    note = parse_mapped(LINKS, CLAIM + "- [[a]] — why\n  - more of it\n")
    assert [edge.target for edge in note.edges] == ["a"]
    assert note.statements[0].body == "- [[a]] — why\n  - more of it"


def test_a_line_keeps_its_list_and_relates_to_what_it_lists(read_mapped: ReadMapped) -> None:
    line = "---\ntype: line\n---\n# What holds?\n\n- [[a]] — it does\n- optimist:: [[a]] — so\n"
    corpus = read_mapped(LINKS, {"map.md": line, "a.md": CLAIM})
    [edge] = corpus.edges
    assert (edge.origin, edge.relation, edge.target) == ("map", Relation.RELATES, "a")
    assert "- [[a]] — it does" in corpus.lines["map"].essay + corpus.lines["map"].standfirst
    assert [each.camp for each in corpus.lines["map"].placements] == ["optimist"]


def test_fields_of_other_programs_are_left_alone(parse_mapped: ParseMapped) -> None:
    body = "- participants:: 353 people\n- up:: [[x]]\n\nstatus:: done\n"
    note = parse_mapped(LINKS, CLAIM + body)
    assert (note.edges, note.diagnostics) == ((), ())
    assert [mention.target for mention in note.mentions] == ["x"]


def test_the_format_itself_is_read_as_ever(parse_mapped: ParseMapped) -> None:
    body = "- supports:: [[x]] with [[y]] (strength:: weak) — so ^why\n"
    [edge] = parse_mapped(LINKS, CLAIM + body).edges
    assert (edge.relation, edge.together, edge.block) == ("supports", ("y",), "why")


def test_an_edge_that_leads_nowhere_is_a_dead_link(read_mapped: ReadMapped) -> None:
    settings = LINKS + '\n[map.types]\ndaily = "none"'
    corpus = read_mapped(
        settings,
        {
            "a.md": CLAIM + "- [[nowhere]] — why\n- [[today]] — why\n",
            "today.md": "---\ntype: daily\n---\nText",
        },
    )
    assert (corpus.edges, corpus.unresolved_edges) == ((), ())
    assert [link.target for link in corpus.dead_links] == ["nowhere"]
    assert corpus.left_out == ("today.md",)


SENTENCES = (
    '[map]\nlinks = true\n[map.connectives]\nsince = "relates"\nin-light-of = "supported-by"'
)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("One. Since [[x y]], it is so. Two.", [("relates", "x y", "it is so.")]),
        ("It is so since [[x y]]. Two.", [("relates", "x y", "It is so since [[x y]].")]),
        (
            "So\nsince **[[x|that]]** holds,\nyes",
            [("relates", "x", "So since **[[x|that]]** holds, yes")],
        ),
        ("- It is so, since [[x]]", [("relates", "x", "It is so, since [[x]]")]),
        ("In light of [[x]], yes.", [("supports", "x", "yes.")]),
        ("Since [[x]], yes.\n\n- [[x]] — why", [("relates", "x", "why")]),
        (
            "In light of [[x]], yes.\n\n- [[x]] — why",
            [("supports", "x", "yes."), ("relates", "x", "why")],
        ),
        ("Since [[x]], yes. Since [[x]], again.", [("relates", "x", "yes.")]),
        ("Sincerely [[x]]. Ever since. [[x]] `since [[x]]` since [[#Part]]", []),
        ("> Since [[x]], yes.", []),
        ("## Since [[x]], yes", []),
    ],
)
def test_a_link_behind_a_connective_has_its_sentence_as_the_reason(
    parse_mapped: ParseMapped, body: str, expected: list[tuple[str, ...]]
) -> None:
    note = parse_mapped(SENTENCES, CLAIM + body)
    assert [(edge.relation, edge.target, edge.reason) for edge in note.edges] == expected


def test_a_sentence_stays_in_the_text_with_its_link(parse_mapped: ParseMapped) -> None:
    body = "Since [[x]], it is so."
    note = parse_mapped(SENTENCES, CLAIM + body)
    assert note.statements[0].body == body
    assert [mention.target for mention in note.mentions] == ["x"]


def test_a_list_that_becomes_edges_is_blanked_so_that_no_place_shifts() -> None:
    settings = parse_config(f"{LINKS}\n{WORDS}", "kg.toml")
    body = (
        "**Grounds:**\n\n- [[x y]] — since it is so\n- [[[[CLM]] - z]]\n\nAs [[@roe2020]] says.\n"
    )
    text, scan = map_body(body, "a.md", settings.map, frozenset(), cut_edges=True, known_titles=())
    assert len(text) == len(body)
    edges = [block.edge for block in scan.blocks if block.edge]
    assert edges == [("grounds", "x y", "since it is so", None), ("grounds", "CLM - z", "", None)]
    kept_body, _ = map_body(
        body, "a.md", settings.map, frozenset(), cut_edges=False, known_titles=()
    )
    assert "Grounds" in kept_body
    assert "Grounds" not in text
