"""The page of all terms."""

from __future__ import annotations

import re

from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.page import make_page
from kg.publish.pages.glossary import glossary_pages
from tests.support.corpora import corpus_of_notes


def test_a_long_glossary_is_in_the_order_of_its_letters() -> None:
    names = [f"{letter}{number}" for letter in "pcb" for number in range(11)]
    entries = "".join(f"- **{name}**: It is {name}.\n" for name in names)
    corpus = corpus_of_notes(glossary=f"---\ntype: glossary\n---\n\n{entries}")
    [page] = [make_page(draft) for draft in glossary_pages(SiteContext(Addresses(corpus)))]
    assert re.findall(r'href="#letter-\d-\d">(.)<', page.html) == ["B", "C", "P"]
    assert re.findall(r"It is (\w+)", page.html) == sorted(names)
