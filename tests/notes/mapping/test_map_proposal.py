"""What `kg init --from` proposes for a folder of notes, and what it never guesses.

Of `kg/notes/mapping/note_survey.py`, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.files.read_files import NotesFolder
from kg.model.settings.config import parse_config
from kg.model.settings.note_map import NoteMap
from kg.notes.mapping.map_proposal import Proposal, propose_map
from tests.support.every_row import every_row

Propose = Callable[[dict[str, str]], Proposal]

MANY = "".join(f"- [[x{n}]]\n" for n in range(5))


@pytest.fixture
def propose(tmp_path: Path) -> Propose:
    def write_and_propose(notes: dict[str, str]) -> Proposal:
        for path, text in notes.items():
            place = tmp_path / "vault" / f"{path}.md"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, "utf-8")
        return propose_map(NotesFolder.from_path(tmp_path / "vault"))

    return write_and_propose


def proposed_map(proposal: Proposal) -> NoteMap:
    assert parse_config(proposal.text, "kg.toml") == proposal.config
    return proposal.config.map


def test_words_for_types_are_read_by_what_they_mean(propose: Propose) -> None:
    notes = {
        f"naps help people to remember {n}": "---\nkind: hypothesis\nmood: calm\n---\nText"
        for n in range(3)
    }
    notes |= {"sleep": f"---\ntype: MOC\n---\n{MANY}", "me": "---\nkind: contact\n---\nText"}
    proposal = propose(notes)
    proposed = proposed_map(proposal)
    assert proposed.keys == {"kind": "type"}
    assert proposed.types == {"hypothesis": "claim", "moc": "line", "contact": "none"}
    assert proposed.keep == ("mood",)
    assert (proposal.count_of_type, proposal.omitted_count) == ({"claim": 3, "line": 1}, 1)
    assert "4 use `kind:`" in proposal.remarks
    assert "  3 say `hypothesis`: read as `claim`" in proposal.remarks


def test_a_word_that_names_no_type_is_read_by_titles_that_state_something(propose: Propose) -> None:
    front = "---\ntype: concept\n---\n"
    proposal = propose({"Sleep": f"{front}Text"})
    assert proposed_map(proposal).types == {"concept": "none"}
    assert '"concept" = "none"  # 1\n' in proposal.text
    proposal = propose(
        {"Rest": f"{front}- [[Sleep]] — why", "Naps": f"{front}supports:: [[Sleep]]"}
    )
    assert proposed_map(proposal).types == {"concept": "none"}
    assert '; may be "claim": please decide' in proposal.text
    assert proposal.count_of_type == {}
    proposal = propose({f"Naps help people a lot {n}": f"{front}Text" for n in "abcdefghi"})
    assert proposed_map(proposal).types == {"concept": "claim"}


def test_titles_folders_and_tags_say_what_notes_are(propose: Propose) -> None:
    proposed = proposed_map(
        propose(
            {
                "EVD - they slept": "Text",
                "@doe2020": "Text",
                "Daily/2026-01-02": "Text",
                "Ideas/naps help people to remember": "Text",
                "Findings/they slept": "Text",
                "Templates/EVD - template": "Text",
                "tagged": "---\ntags: [note/finding, result]\n---\nText",
            }
        )
    )
    assert proposed.titles == {"EVD - ": "evidence", "@": "source"}
    assert proposed.folders == {
        "Daily": "none",
        "Findings": "evidence",
        "Ideas": "claim",
        "": "none",
    }
    assert proposed.tags == {"note/finding": "evidence"}


def test_templates_are_ignored(propose: Propose) -> None:
    proposal = propose({"a": "Text", "Meta/Templates/claim": "---\ntype: claim\n---\n# {{title}}"})
    assert proposal.config.ignore == ("Meta/Templates/**",)
    assert proposal.survey.note_count == 1


def test_fields_are_relations_and_labels_are_asked_for(propose: Propose) -> None:
    body = "---\ntype: claim\nrefutes: '[[a]]'\n---\n# It holds\n\n"
    body += "- [[a]] — supports: so\n- [[b]] — extends: so\n" * 3
    body += "\n**Supports**\n- [[c]] — so\n\nup:: [[d]]\nup:: [[e]]\nup:: [[f]]\n"
    proposal = propose({"n": body})
    proposed = proposed_map(proposal)
    assert proposed.links
    assert proposed.relations == {"refutes": "contradicts", "extends": "extends"}
    assert '# "supports" = ""  # 4' in proposal.text
    assert '# "up" = ""  # 3' in proposal.text
    assert proposal.reasoned_count == 7


def test_a_key_whose_values_mean_something_else_is_kept(propose: Propose) -> None:
    front = "type: claim\nstatus: seedling\ncreated: 2026-01-02T10:00\nsource: '[[a b]]'"
    proposed = proposed_map(propose({"n": f"---\n{front}\n---\n# It holds"}))
    assert proposed.keep == ("source", "status")
    proposed = proposed_map(
        propose({"n": "---\ntype: claim\nsource: '[[@doe2020]]'\n---\n# It holds"})
    )
    assert (proposed.keep, proposed.keys) == ((), {"source": "cites"})
    half = "---\ntype: claim\nsource: ['[[@doe2020]]', '[[a b]]']\n---\n# It holds"
    assert proposed_map(propose({"n": half})).keys == {}


def test_a_date_field_is_known_in_any_case_and_with_any_value(propose: Propose) -> None:
    front = "---\ntype: claim\ncreated: 03/02/2025\nReviewed: soon\n---\n# It holds"
    assert proposed_map(propose({"n": front})).keep == ()


def test_notes_written_for_kg_need_nothing(propose: Propose) -> None:
    proposal = propose({"n": "---\ntype: claim\n---\n# It holds\n\n- supports:: [[m]] — so\n"})
    proposed = proposed_map(proposal)
    assert {name for name, value in proposed if value} == set()
    assert proposal.count_of_type == {"claim": 1}


def test_keys_of_sources_are_proposed_where_there_are_sources(propose: Propose) -> None:
    front = "---\nauthor: Anna Roe\nyear: 2019\n---\nText"
    assert proposed_map(propose({"a note": front})).keys == {}
    assert proposed_map(propose({"@roe2019": front})).keys == {"author": "authors", "year": "year"}


def test_a_folder_is_read_by_titles_that_state_or_ask_something(
    propose: Propose,
) -> None:
    text = ("Sleep improves memory a lot", "Naps help", "Rest restores most of us")
    others = ("Does it help?", "Why do we sleep?", "Inbox")
    proposal = propose({f"Ideas/{title}": "Text" for title in text} | dict.fromkeys(others, ""))
    assert proposed_map(proposal).folders == {"Ideas": "claim", "": "line"}
    proposal = propose({f"Thoughts/{title}": "- [[x]] — why" for title in ("Naps", "Rest")})
    assert proposed_map(proposal).folders == {"Ideas": "claim", "": "line", "Thoughts": "none"}
    assert '"Thoughts" = "none"  # may be "claim": please decide' in proposal.text


def test_a_map_of_content_is_a_line_only_if_it_asks_or_leads_through_many(
    propose: Propose,
) -> None:
    notes = {"Home": "---\ntags: [moc]\n---\n[[x]]", "MOCs/Does sleep help?": "[[x]]"}
    proposal = propose({**notes, "Hub": f"---\ntype: hub\n---\n{MANY}"})
    proposed = proposed_map(proposal)
    assert (proposed.tags, proposed.folders) == ({"moc": "none"}, {"": "none", "MOCs": "line"})
    assert proposed.types == {"hub": "line"}
    assert '"moc" = "none"  # 1; may be "line": please decide' in proposal.text


def test_a_vault_without_camps_has_none(propose: Propose) -> None:
    assert propose({"n": "---\ntype: line\n---\n[[x]]"}).config.camps == ()
    assert len(propose({"m": "- optimist:: [[x]] — why"}).config.camps) == 2


def test_prose_before_a_word_is_no_part_of_a_field(propose: Propose) -> None:
    body = "---\ntype: claim\n---\nIt is so, text opposes:: [[x]], as (seen in:: [[y]]) it is.\n"
    text = propose({f"n{number}": body for number in range(3)}).text
    assert re.findall(r'^# "(.*)" = ""', text, re.M) == ["seen-in"]


def test_a_list_of_plain_links_gives_no_reasons(propose: Propose) -> None:
    assert propose({"n": MANY}).survey.reasons == 0
    assert propose({"m": f"{MANY}- [[y]] — it says why\n"}).survey.reasons == 1


def test_headings_above_lists_of_links_are_asked_for(propose: Propose) -> None:
    body = "---\ntype: claim\n---\n## Supporting evidence\n- [[x]]\n"
    text = propose({f"n{number}": body for number in range(3)}).text
    assert '# "supporting-evidence" = ""  # 3' in text
    assert re.findall(r"^\[map\..*", text, re.M) == ["[map.relations]"]


def test_since_and_because_before_links_are_proposed_without_weight(propose: Propose) -> None:
    body = "---\ntype: claim\n---\nSince [[x]], so. Because **[[y]]**, too. It was since x."
    assert proposed_map(propose({"n": body})).connectives == {}
    proposed = proposed_map(propose({f"n{number}": body for number in range(3)}))
    assert proposed.connectives == {"since": "relates", "because": "relates"}


def test_signs_that_a_terminal_acts_on_are_escaped(propose: Propose) -> None:
    notes = {f"n{n}": '---\n"k\u009b\u202e\x7fey": 1\n---\n# N\n' for n in range(3)}
    proposal = propose(notes)
    assert proposed_map(proposal).keep  # and it is TOML that says the same
    text = proposal.text
    assert "\\U0000202e" in text
    assert all(sign.isprintable() or sign == "\n" for sign in text)


def test_the_most_frequent_words_for_types_are_listed_and_all_are_mapped(propose: Propose) -> None:
    words = [f"w{chr(97 + number)}" for number in range(13)]
    proposal = propose(
        {
            f"{word} {copy}": f"---\ntype: {word}\n---\nText"
            for word in words
            for copy in range(1 if word == "wa" else 2)
        }
    )
    listed = [remark.split("`")[1] for remark in proposal.remarks if " say `" in remark]
    assert sorted(listed) == words[1:]
    assert sorted(proposed_map(proposal).types) == words


@every_row(
    ("folder", "name"), [("garden", "garden"), ("garden/notes", "garden"), ("Notes", "Notes")]
)
def test_a_vault_is_called_by_its_folder_unless_that_is_merely_notes(
    folder: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / folder).mkdir(parents=True)
    (tmp_path / folder / "n.md").write_text("---\ntype: claim\n---\n# N\n", "utf-8")
    config = propose_map(NotesFolder.from_path(tmp_path / folder)).config
    assert (config.name, config.site.name) == (name, name)
