"""The panel in which readers weigh a line's answer themselves: its place, and what it weighs."""

from __future__ import annotations

import posixpath

from kg.model import InquiryLine
from kg.publish.markup.html import EMPTY, Html, as_script_json, element, join_children
from kg.publish.page import Alternate
from kg.publish.page_builder import PageBuilder

DATA = ".weigh.js"  # how the address of what a line's answer follows from ends
_GUESS = "Guess first, if you like: how far do the notes back what is weighed?"


def weigh_panel(builder: PageBuilder, line: InquiryLine) -> tuple[Html, tuple[Alternate, ...]]:
    """The closed panel, and the file that is fetched when somebody opens it; neither where the
    browser could not say what the program says.
    """
    context = builder.context
    found = context.strengths.weighing(line.id)
    if found is None:
        return EMPTY, ()
    marks = {
        camp.id: {
            "label": context.link_maker.camp_label(camp.id),
            "mark": context.link_maker.mark_classes(camp.id),
        }
        for camp in context.corpus.config.camps
    }
    content = {
        "weighing": found,
        "pages": [context.addresses.of(each.id) for each in found.statements],
        "camps": marks,
        "answers": {side: line.answer_for(side) for side in (1, -1)},
    }
    script = f"kgWeighing({as_script_json(content)});\n"
    name = posixpath.basename(builder.url).removesuffix(".html") + DATA
    return _closed(name, builder.root), (Alternate(DATA, "text/javascript", script),)


def _closed(name: str, root: str) -> Html:
    guess = element("input", type="range", min=0, max=1, step=0.01, value=0.5)
    panel = element(
        "div",
        element("label", element("span", _GUESS), guess, class_="kg-field kg-weigh-guess"),
        element("button", "Open the scales", type="button", class_="kg-button"),
        element("p", role="status", class_="kg-small kg-weigh-said"),
        class_="kg-weigh",
        data_kg_weigh=name,
        data_kg_root=root,
    )
    without = ("This needs scripts; ", element("code", "kg whatif"), " says the same without.")
    return join_children((panel, element("noscript", element("p", *without, class_="kg-none"))))
