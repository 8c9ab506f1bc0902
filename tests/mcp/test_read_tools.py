"""What a program is told of the notes.

Of `kg/mcp/tool_server.py`, too.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.loader import load_corpus
from kg.mcp.read_tools import MAX_SNIPPET_CHARACTERS, ask_find, ask_search, ask_show, require_text
from kg.model.errors import Misuse
from tests.mcp.conftest import NAPS, REST, asking
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row

pytestmark = [pytest.mark.integration, pytest.mark.anyio]

READ = [
    ("search", {"text": "memory"}, "naps (claim) Naps help memory [claims/naps.md:6]"),
    ("search", {"text": "memory"}, "1 found, best match first; the first 1 have all the words"),
    ("search", {"text": "memory"}, "[claims/naps.md:6]\n  They do. "),
    ("search", {"text": "zebra"}, "nothing found"),
    ("find", {"query": "contradicted_by:rest"}, "naps (claim)"),
    ("find", {"query": "claims count:yes"}, "2"),
    ("show", {"id": "naps#seen"}, """It was seen
evidence · naps#seen · claims/naps.md:11:3
In a trial. [@doe2024]
quality 0.60
method: experiment
Sources: key | title
doe2024 | A trial
Bears on: relation | statement | reason
+ supports | naps | seeing it is a reason
"""),
    ("show", {"id": "doe2024"}, "rests on it: id | kind | title\nnaps#seen | evidence | It "),
    ("why", {"id": "naps"}, "\n  supports: It was seen  [naps#seen] @doe2024\n    seeing it"),
    ("why", {"id": "naps", "against": True}, "\n  contradicts: Rest is enough  [rest]\n"),
    ("verdict", {"id": "naps"}, "share | reason | id\n+0.60 | It was seen | naps#seen\n"),
    ("crux", {"id": "naps"}, "cruxes, weighed for what was asked: statement | if true | if false"
     " | once settled | score\nrest | 0.018 | 0.646 | turns it if true | 0.628\n"),
    ("show", {"id": "naps#seen", "as_written": True}, NAPS),
]  # fmt: skip


async def test_a_corpus_is_read(folder: Path) -> None:
    (folder / "draft.md").write_text(f"---\nstatus: draft\n{REST[4:]}", "utf-8")
    (folder / "books.bib").write_text("@misc{lee2011, title={Lee}, note={mine}}\n", "utf-8")

    async with asking(folder) as (_, ask):
        for tool, arguments, text in READ:
            assert text in await ask(tool, **arguments), (tool, arguments)
        assert "claims/naps.md" in await ask("show", id="naps#seen", as_written=True)
        for id in ("../x.md", "draft.md", "draft", "books.bib", "lee2011"):
            assert (await ask("show", id=id, as_written=True)).startswith("error: "), id


async def test_words_of_a_vault_are_shown_as_they_stand_there(folder: Path) -> None:
    (folder / "kg.toml").write_text("map.links = true\n", "utf-8")
    tea = "---\ntype: claim\n---\n# Tea\n\nSo [[@doe2024]].\n\n- [[naps]] — as [[@doe2024]]\n"
    (folder / "tea.md").write_text(tea, "utf-8")

    async with asking(folder) as (_, ask):
        answer = await ask("show", id="tea")
        assert "\nSo [[@doe2024]].\n" in answer
        assert "naps | as [[@doe2024]]\n" in answer


@every_row("text", ["", " ", "\n\t"])
def test_a_blank_text_is_refused_by_name(text: str) -> None:
    with pytest.raises(Misuse, match="`why` is empty"):
        require_text("why", text)
    assert require_text("why", f" so{text}") == f" so{text}"


def test_a_long_text_of_a_match_is_cut_and_the_cut_is_marked(folder: Path) -> None:
    sign_count = MAX_SNIPPET_CHARACTERS - len("Owls ")
    for number, mark in ((sign_count, ""), (sign_count + 1, "…")):
        text = f"Owls {'x' * number}"
        owl = f"---\ntype: claim\n---\n\n# Birds\n\n{text}\n"
        (folder / "owl.md").write_text(owl, "utf-8")
        [entry] = ask_search(load_corpus(folder), "owls").entries
        snippet = entry.partition("\n  ")[2]
        assert snippet == (f"{text[: MAX_SNIPPET_CHARACTERS - 1]}…" if mark else text)
        assert len(snippet) == MAX_SNIPPET_CHARACTERS


def test_without_an_id_what_there_is_is_counted_and_edges_are_sentences(folder: Path) -> None:
    line = "---\ntype: line\n---\n# L?\n\n- optimist:: [[naps]]\n"
    (folder / "l.md").write_text(line, "utf-8")
    corpus = load_corpus(folder)
    answer = ask_show(corpus, "")
    assert answer.summary.startswith("lines 1, claims 2, ")
    assert answer.entries == ["l (line) L? [l.md]"]
    assert ask_find(corpus, "edges target:naps").entries == [
        "naps#seen supports naps - seeing it is a reason",
        "rest contradicts naps - it does as much",
    ]
    assert ask_find(corpus, "claims group:kind").entries == ["claim | 2"]


BOOKS = "@book{ok2020, title={Ok}, author={Jo Doe}, year={2020}, publisher={P}, doi={10.1/x}}\n"


def test_a_claim_whose_word_is_held_back_is_shown_so_and_each_joint_premise_has_its_edge() -> None:
    step = "- supports:: [[q]] (with:: [[c]])\n"
    notes = {
        "q": "---\ntype: claim\n---\n\n# Q\n",
        "c": "---\ntype: evidence\nquality: .9\n---\n\n# C\n\n[@ok2020]\n",
        "e": f"---\ntype: evidence\nquality: .9\n---\n\n# E\n\n[@ok2020]\n\n{step}",
    }
    corpus = corpus_of_notes(BOOKS, **notes)
    assert "perhaps, strength 0.71 by the weights alone" in ask_show(corpus, "q").entries
    assert "+ supports | q;   together with e | " in ask_show(corpus, "c").entries
    assert ask_find(corpus, "edges target:q").entries == ["e supports q with c"]
    assert ask_find(corpus, "sources").entries == ["ok2020 (source, 2020) Ok [references.bib]"]
