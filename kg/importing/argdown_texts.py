"""Import Argdown texts as claims and the edges between them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kg.importing.argdown_parser import (
    ArgdownLink,
    ArgdownText,
    ArgumentStep,
    Element,
    parse_argdown,
)
from kg.importing.import_records import (
    Imported,
    ImportInput,
    InputFile,
    Item,
    escape_line,
    escape_text,
    id_slot,
)
from kg.model import Kind
from kg.model.config import Camp
from kg.model.ids import is_given_name, part_name_of
from kg.notes.new_note import NewEdge, NewNote

_RELATIONS = {"support": "supports", "attack": "contradicts", "contradiction": "contradicts"}
_OWN_ID = re.compile(r"[\w-]+(?:#[\w-]+)?")
_QUALIFYING_PREFIX = "Not without limits: "


@dataclass
class _MapEdge:
    """A future edge: premises, relation, target, and reason."""

    premises: list[str]
    relation: str
    target: str
    reason: str = ""
    argument: str = ""
    mutual: bool = False
    block: str = ""


@dataclass
class _Conversion:
    """The state of converting one text to notes."""

    file: InputFile
    text: ArgdownText
    drawn: list[_MapEdge] = field(default_factory=list)
    steps: dict[str, list[ArgumentStep]] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    """Elements that become the reason of an edge, not a note."""


def read_argdown(input: ImportInput) -> Imported:
    """Read a claim for each statement, and for each argument without steps."""
    items: list[Item] = []
    remarks: list[str] = []
    for file in input.files:
        parts = _Conversion(file, parse_argdown(file))
        for step in parts.text.steps:
            parts.steps.setdefault(step.argument, []).append(step)
        _add_edges_of_steps(parts)
        cuts = [link for link in parts.text.links if link.how == "undercut"]
        _find_undercutting_arguments(parts, cuts)
        for link in parts.text.links:
            if link.how != "undercut":
                _add_edge(parts, link)
        for link in cuts:
            _add_undercut(parts, link)
        items += _items(parts, input.camps)
        remarks += parts.text.remarks
    return Imported(tuple(items), remarks=tuple(remarks))


def _add_edges_of_steps(parts: _Conversion) -> None:
    """Add an edge for each inference; one that concludes `Not so: …` opposes its target."""
    against = {
        link.start: link for link in parts.text.links if link.how in ("attack", "contradiction")
    }
    for argument, steps in parts.steps.items():
        said = parts.text.elements[argument]
        parts.gone.add(argument)
        for step in steps:
            end, relation, mutual = step.conclusion, "supports", False
            opposite = parts.text.elements[end]
            if opposite.title == f"{said.title} !" and end in against:
                limited = any(text.startswith(_QUALIFYING_PREFIX) for text in opposite.texts)
                relation = "qualifies" if limited else "contradicts"
                parts.gone.add(end)
                mutual = against[end].how == "contradiction"
                end = against[end].end
            drawn = _MapEdge(step.premises, relation, end, " ".join(said.texts), argument, mutual)
            parts.drawn.append(drawn)


def _find_undercutting_arguments(parts: _Conversion, cuts: list[ArgdownLink]) -> None:
    """Find arguments that only undercut: they become the reason for which their supporters do."""
    for link in cuts:
        start = parts.text.elements[link.start]
        others = [each for each in parts.text.links if link.start in (each.start, each.end)]
        held = [each for each in others if each.end == link.start and each.how == "support"]
        plain = start.is_argument and link.start not in parts.steps and held
        if plain and len(held) + 1 == len(others) and not any(e.start in parts.gone for e in held):
            parts.gone.add(link.start)


def _add_edge(parts: _Conversion, link: ArgdownLink) -> None:
    start = _final_conclusion(parts, link.start)
    end = _subject(parts, link)
    if link.start in parts.gone and link.start not in parts.steps:
        return  # the negation of what it opposes
    if link.end in parts.gone and link.end not in parts.steps:
        return  # support for an argument that only undercuts
    if not end:
        parts.text.remarks.append(
            f"{parts.file.place(link.line)}: not carried: {link.how} of the argument"
            f" {link.end}, which does not say of which premise"
        )
    elif start != end and not _is_inferred(parts, link.start, end):
        mutual = link.how == "contradiction"
        argument = link.start if link.start.startswith("<") else ""
        parts.drawn.append(_MapEdge([start], _RELATIONS[link.how], end, "", argument, mutual))


def _final_conclusion(parts: _Conversion, key: str) -> str:
    """The final conclusion of an argument."""
    return parts.steps[key][-1].conclusion if key in parts.steps else key


def _subject(parts: _Conversion, link: ArgdownLink) -> str:
    """The target of a relation to an argument: its only premise; empty if it has several."""
    if link.end not in parts.steps:
        return link.end
    inferred = {step.conclusion for step in parts.steps[link.end]}
    premises = [p for step in parts.steps[link.end] for p in step.premises if p not in inferred]
    return premises[0] if len(premises) == 1 else ""


def _is_inferred(parts: _Conversion, argument: str, end: str) -> bool:
    """Whether the argument's steps already conclude `end`."""
    return argument in parts.steps and parts.steps[argument][-1].conclusion == end


def _add_undercut(parts: _Conversion, link: ArgdownLink) -> None:
    """Add an undercut of an inference as an undercut of that inference's edge."""
    denied = [each for each in parts.drawn if each.argument == link.end]
    if not denied and not link.end.startswith("<"):
        denied = [each for each in parts.drawn if each.premises == [link.end]]
    if not denied:
        parts.text.remarks.append(
            f"{parts.file.place(link.line)}: not carried:"
            f" what undercuts {link.end}, which has no step"
        )
        return
    step = denied[-1]
    step.block = step.block or _block_name(step, parts)
    target = f"{step.premises[0]}\0{step.block}"
    start = parts.text.elements[link.start]
    if link.start in parts.gone and link.start not in parts.steps:
        held = [each.start for each in parts.text.links if each.end == link.start]
        cut = _MapEdge(held, "undercuts", target, " ".join(start.texts), link.start)
    else:
        cut = _MapEdge([_final_conclusion(parts, link.start)], "undercuts", target, "", link.start)
    parts.drawn.append(cut)


def _block_name(step: _MapEdge, parts: _Conversion) -> str:
    """A name for a step: its own if that is a valid name."""
    named = part_name_of(step.argument[1:-1])
    if named and is_given_name(named) and re.fullmatch(r"[A-Za-z0-9][\w-]*", named):
        return named
    return f"step-{parts.drawn.index(step) + 1}"


# -- notes ---------------------------------------------------------------------------------------


def _items(parts: _Conversion, camps: tuple[Camp, ...]) -> list[Item]:
    held: dict[str, list[NewEdge]] = {}
    for drawn in parts.drawn:
        held.setdefault(drawn.premises[0], []).append(_edge(parts, drawn))
    used = {key for drawn in parts.drawn for key in (*drawn.premises, drawn.target)}
    return [
        _claim(parts, element, held.get(key, []), camps)
        for key, element in parts.text.elements.items()
        if (key not in parts.gone or key in used) and (element.title or element.texts)
    ]


def _edge(parts: _Conversion, drawn: _MapEdge) -> NewEdge:
    target, _, block = drawn.target.partition("\0")
    link = id_slot(_item_key(parts, target)) + (f"#^{block}" if block else "")
    others = [id_slot(_item_key(parts, each)) for each in drawn.premises[1:]]
    fields = {"mutual": "yes"} if drawn.mutual else {}
    return NewEdge(drawn.relation, link, escape_line(drawn.reason), others, fields, drawn.block)


def _item_key(parts: _Conversion, key: str) -> str:
    return f"{key} in {parts.file.name}"


def _claim(
    parts: _Conversion, element: Element, edges: list[NewEdge], camps: tuple[Camp, ...]
) -> Item:
    fields: dict[str, str | int | float | bool | list[str | int] | dict[str, str]] = {}
    kind, topics = "claim", []
    sides = {name: camp.id for camp in camps for name in (camp.id, camp.label)}
    for tag in dict.fromkeys(element.tags):
        if tag in {*Kind}:
            kind = tag
        elif tag in sides:
            fields["camp"] = sides[tag]
        else:
            topics.append(tag.replace(",", " "))
    if topics:
        fields["topics"] = [*topics]
    title, *more = [*element.texts, element.title or "untitled"]
    body = "\n\n".join(map(escape_text, more[:-1])) if element.texts else ""
    wish = element.title if _OWN_ID.fullmatch(element.title) else ""
    new_note = NewNote(kind, title, wish, fields, body, edges)
    return Item(parts.file.name, _item_key(parts, element.key), new_note, element.line)
