"""What a topic or a thing is, on its page, on its tag, and in the glossary.

Of `kg/publish/pages/glossary.py`, too.
"""

from __future__ import annotations

import re
from pathlib import Path

from kg.loader import load_corpus
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.page import make_page
from kg.publish.pages.glossary import glossary_pages
from kg.publish.pages.topics import (
    name_list_pages,
    named_thing_pages,
    topic_matrix_pages,
    topic_pages,
)
from tests.support.note_texts import visible_text

NOTE = """---
type: claim
topics: [rem-sleep]
---

# Dreams come and go
"""
GLOSSARY = """---
type: glossary
---

# Glossary

- **REM sleep**, **paradoxical sleep**: A phase with <script>most</script> *dreams*.
"""


def site_of(folder: Path, **notes: str) -> SiteContext:
    (folder / "notes").mkdir()
    for name, text in notes.items():
        (folder / "notes" / f"{name}.md").write_text(text, "utf-8")
    return SiteContext(Addresses(load_corpus(folder / "notes")))


def test_the_names_of_most_are_said_first_where_there_are_more_than_those(tmp_path: Path) -> None:
    for count, is_said in ((5, False), (6, True)):
        names = ", ".join(f"name {n}" for n in range(count))
        text = NOTE.replace("topics: [rem-sleep]", f"about: [{names}]")
        (tmp_path / f"{count}").mkdir()
        site = site_of(tmp_path / f"{count}", dreams=text)
        (page,) = (make_page(each).html for each in name_list_pages(site))
        assert ("Most is said about" in page) is is_said


def test_a_topic_says_what_it_is_and_the_glossary_leads_to_it(tmp_path: Path) -> None:
    site = site_of(tmp_path, dreams=NOTE, glossary=GLOSSARY)
    (topic,) = (make_page(draft).html for draft in topic_pages(site))
    assert "A phase with" in topic
    assert "<em>dreams</em>" in topic
    assert "<script>most</script>" not in topic
    (page,) = (make_page(draft).html for draft in glossary_pages(site))
    link = '<a href="topics/rem-sleep.html">REM sleep</a>'
    assert f'<dt id="term-rem-sleep"><strong>{link}' in page
    tag = site.link_maker.topic("rem-sleep", "")
    assert 'title="A phase with' in tag
    assert "<script" not in tag


def test_what_the_glossary_explains_is_found_by_every_name(tmp_path: Path) -> None:
    more = GLOSSARY + "- **lucid dream**, **LD**: One that the dreamer knows for a dream.\n"
    site = site_of(tmp_path, dreams=NOTE, glossary=more)
    (topic,) = map(make_page, topic_pages(site))
    assert topic.names == ("paradoxical sleep",)
    assert topic.search_text.startswith("A phase with")
    (glossary,) = map(make_page, glossary_pages(site))
    (part,) = glossary.passages  # the topic's own page is found instead of its entry
    assert part.names == ("lucid dream", "LD")
    assert f'<dt id="{part.id}"><strong>lucid dream' in glossary.html


def test_without_a_glossary_there_is_no_page_of_it(tmp_path: Path) -> None:
    site = site_of(tmp_path, dreams=NOTE)
    assert list(glossary_pages(site)) == []
    assert "title=" not in site.link_maker.topic("rem-sleep", "")


def test_names_of_one_entry_are_one_page_and_the_former_address_leads_to_it(tmp_path: Path) -> None:
    notes = {
        name: f"---\ntype: claim\nabout: [{thing}]\n---\n\n# {name}\n"
        for name, thing in (("one", "REM sleep"), ("two", "paradoxical sleep"), ("three", "Naps"))
    }
    site = site_of(tmp_path, glossary=GLOSSARY, **notes)
    naps, rem = sorted(map(make_page, named_thing_pages(site)), key=lambda page: page.url)
    assert (naps.title, rem.title) == ("Naps", "REM sleep")
    assert "one.html" in rem.html
    assert "two.html" in rem.html
    assert rem.aliases == ("about/paradoxical~20~sleep.html",)
    assert site.addresses.about("paradoxical sleep") == rem.url


def test_the_table_of_topics_counts_claims_and_evidence_apart(tmp_path: Path) -> None:
    study = NOTE.replace("claim", "evidence\nquality: 0.5").replace("Dreams", "Studies")
    site = site_of(tmp_path, dreams=NOTE, one=study, two=study, three=study)
    (page,) = (make_page(draft).html for draft in topic_matrix_pages(site))
    assert 'data-label="Claims"><span>1</span>' in page
    segments = re.findall('<rect x="(.*?)" y="0" width="(.*?)" height="10" class="(.*?)">', page)
    assert segments == [("0.0", "199.0", "kg-part-undecided")]
    assert (
        'data-label="Findings">3 <span class="kg-small">from 3 independent sources</span>' in page
    )


def test_a_named_thing_tells_by_which_statements_it_bears_on_which_question(
    tmp_path: Path,
) -> None:
    head = "---\ntype: evidence\nquality: 0.8\nabout: [Naps]\n---\n\n"
    study = head + "# Study {}\n\n- supports:: [[{}]]\n"
    site = site_of(
        tmp_path,
        asked="---\ntype: claim\n---\n\n# Asked\n",
        other="---\ntype: claim\n---\n\n# Other\n",
        first="---\ntype: line\nproposition: asked\n---\n\n# First?\n",
        second="---\ntype: line\nproposition: other\n---\n\n# Second?\n",
        **{f"study{n}": study.format(n, "asked") for n in range(5)},
    )
    (page,) = (visible_text(make_page(draft).html) for draft in named_thing_pages(site))
    assert "in 1 question" in page
    assert re.search(r"QuestionsQ1 First\?By: (Study \d \(Finding\); ){3}and 2 more", page)
    assert "Second?" not in page
