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
    ImportedNote,
    ImportInput,
    ImportResult,
    InputFile,
    escape_line,
    escape_text,
    given_block_name,
    id_placeholder,
)
from kg.model import Kind
from kg.model.settings.config import Camp
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
    edges: list[_MapEdge] = field(default_factory=list)
    steps: dict[str, list[ArgumentStep]] = field(default_factory=dict)
    replaced_keys: set[str] = field(default_factory=set)
    """Elements that become an edge or its reason, not a note."""


def read_argdown(input: ImportInput) -> ImportResult:
    """Read a claim for each statement, and for each argument without steps."""
    notes: list[ImportedNote] = []
    remarks: list[str] = []
    for file in input.files:
        conversion = _Conversion(file, parse_argdown(file))
        for step in conversion.text.steps:
            conversion.steps.setdefault(step.argument, []).append(step)
        _add_edges_of_steps(conversion)
        undercuts = [link for link in conversion.text.links if link.relation == "undercut"]
        _find_undercutting_arguments(conversion, undercuts)
        for link in conversion.text.links:
            if link.relation != "undercut":
                _add_edge(conversion, link)
        for link in undercuts:
            _add_undercut(conversion, link)
        notes += _notes_of_conversion(conversion, input.camps)
        remarks += conversion.text.remarks
    return ImportResult(tuple(notes), remarks=tuple(remarks))


def _add_edges_of_steps(conversion: _Conversion) -> None:
    """Add an edge for each inference; one that concludes `Not so: …` opposes its target."""
    attacks_by_start = {
        link.start: link
        for link in conversion.text.links
        if link.relation in ("attack", "contradiction")
    }
    for argument, steps in conversion.steps.items():
        element = conversion.text.elements[argument]
        conversion.replaced_keys.add(argument)
        for step in steps:
            end = step.conclusion
            relation = "supports"
            mutual = False
            opposite = conversion.text.elements[end]
            if opposite.title == f"{element.title} !" and end in attacks_by_start:
                is_limited = any(text.startswith(_QUALIFYING_PREFIX) for text in opposite.texts)
                relation = "qualifies" if is_limited else "contradicts"
                conversion.replaced_keys.add(end)
                mutual = attacks_by_start[end].relation == "contradiction"
                end = attacks_by_start[end].end
            edge = _MapEdge(step.premises, relation, end, " ".join(element.texts), argument, mutual)
            conversion.edges.append(edge)


def _find_undercutting_arguments(conversion: _Conversion, undercuts: list[ArgdownLink]) -> None:
    """Find arguments that only undercut: they become the reason for which their supporters do."""
    for link in undercuts:
        start = conversion.text.elements[link.start]
        others = [each for each in conversion.text.links if link.start in (each.start, each.end)]
        supports = [
            each for each in others if each.end == link.start and each.relation == "support"
        ]
        plain = start.is_argument and link.start not in conversion.steps and supports
        if (
            plain
            and len(supports) + 1 == len(others)
            and not any(e.start in conversion.replaced_keys for e in supports)
        ):
            conversion.replaced_keys.add(link.start)


def _add_edge(conversion: _Conversion, link: ArgdownLink) -> None:
    start = _final_conclusion(conversion, link.start)
    end = _target_of_link(conversion, link)
    if link.start in conversion.replaced_keys and link.start not in conversion.steps:
        return  # the negation of what it opposes
    if link.end in conversion.replaced_keys and link.end not in conversion.steps:
        return  # support for an argument that only undercuts
    if not end:
        conversion.text.remarks.append(
            f"{conversion.file.place(link.line)}: not carried: {link.relation} of the argument"
            f" {link.end}, which does not say of which premise"
        )
    elif start != end and not _is_inferred(conversion, link.start, end):
        mutual = link.relation == "contradiction"
        argument = link.start if link.start.startswith("<") else ""
        conversion.edges.append(
            _MapEdge([start], _RELATIONS[link.relation], end, "", argument, mutual)
        )


def _final_conclusion(conversion: _Conversion, key: str) -> str:
    """The final conclusion of an argument."""
    return conversion.steps[key][-1].conclusion if key in conversion.steps else key


def _target_of_link(conversion: _Conversion, link: ArgdownLink) -> str:
    """The target of a relation to an argument: its only premise; empty if it has several."""
    if link.end not in conversion.steps:
        return link.end
    inferred = {step.conclusion for step in conversion.steps[link.end]}
    premises = [
        p for step in conversion.steps[link.end] for p in step.premises if p not in inferred
    ]
    return premises[0] if len(premises) == 1 else ""


def _is_inferred(conversion: _Conversion, argument: str, end: str) -> bool:
    """Return whether the argument's steps already conclude `end`."""
    return argument in conversion.steps and conversion.steps[argument][-1].conclusion == end


def _add_undercut(conversion: _Conversion, link: ArgdownLink) -> None:
    """Add an undercut of an inference as an undercut of that inference's edge."""
    undercut_edges = [each for each in conversion.edges if each.argument == link.end]
    if not undercut_edges and not link.end.startswith("<"):
        undercut_edges = [each for each in conversion.edges if each.premises == [link.end]]
    if not undercut_edges:
        conversion.text.remarks.append(
            f"{conversion.file.place(link.line)}: not carried:"
            f" what undercuts {link.end}, which has no step"
        )
        return
    step = undercut_edges[-1]
    step.block = step.block or _block_name(step, conversion)
    target = f"{step.premises[0]}\0{step.block}"
    start = conversion.text.elements[link.start]
    if link.start in conversion.replaced_keys and link.start not in conversion.steps:
        supporters = [each.start for each in conversion.text.links if each.end == link.start]
        undercut = _MapEdge(supporters, "undercuts", target, " ".join(start.texts), link.start)
    else:
        undercut = _MapEdge(
            [_final_conclusion(conversion, link.start)], "undercuts", target, "", link.start
        )
    conversion.edges.append(undercut)


def _block_name(step: _MapEdge, conversion: _Conversion) -> str:
    """A name for a step: its own if that is a valid name."""
    own_name = given_block_name(step.argument[1:-1])
    return own_name or f"step-{conversion.edges.index(step) + 1}"


# -- notes ---------------------------------------------------------------------------------------


def _notes_of_conversion(conversion: _Conversion, camps: tuple[Camp, ...]) -> list[ImportedNote]:
    edges_by_source: dict[str, list[NewEdge]] = {}
    for map_edge in conversion.edges:
        edges_by_source.setdefault(map_edge.premises[0], []).append(
            _edge_of_map(conversion, map_edge)
        )
    used = {key for map_edge in conversion.edges for key in (*map_edge.premises, map_edge.target)}
    return [
        _note_of_element(conversion, element, edges_by_source.get(key, []), camps)
        for key, element in conversion.text.elements.items()
        if (key not in conversion.replaced_keys or key in used) and (element.title or element.texts)
    ]


def _edge_of_map(conversion: _Conversion, map_edge: _MapEdge) -> NewEdge:
    target, _, block = map_edge.target.partition("\0")
    link = id_placeholder(_note_key(conversion, target)) + (f"#^{block}" if block else "")
    together = [id_placeholder(_note_key(conversion, each)) for each in map_edge.premises[1:]]
    fields = {"mutual": "yes"} if map_edge.mutual else {}
    return NewEdge(
        map_edge.relation, link, escape_line(map_edge.reason), together, fields, map_edge.block
    )


def _note_key(conversion: _Conversion, key: str) -> str:
    return f"{key} in {conversion.file.name}"


def _note_of_element(
    conversion: _Conversion, element: Element, edges: list[NewEdge], camps: tuple[Camp, ...]
) -> ImportedNote:
    """The note of a statement or argument of Argdown, whose tags name its kind, camp or topics."""
    fields: dict[str, str | int | float | bool | list[str | int] | dict[str, str]] = {}
    kind = "claim"
    topics = []
    camps_by_name = {name: camp.id for camp in camps for name in (camp.id, camp.label)}
    for tag in dict.fromkeys(element.tags):
        if tag in {*Kind}:
            kind = tag
        elif tag in camps_by_name:
            fields["camp"] = camps_by_name[tag]
        else:
            topics.append(tag.replace(",", " "))
    if topics:
        fields["topics"] = [*topics]
    title, *other_texts = [*element.texts, element.title or "untitled"]
    body = "\n\n".join(map(escape_text, other_texts[:-1])) if element.texts else ""
    wanted_id = element.title if _OWN_ID.fullmatch(element.title) else ""
    new_note = NewNote(kind, title, wanted_id, fields, body, edges)
    return ImportedNote(
        conversion.file.name, _note_key(conversion, element.key), new_note, element.line
    )
