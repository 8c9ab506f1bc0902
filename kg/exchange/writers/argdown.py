"""Write statements, and edges as arguments, in Argdown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from kg.corpus import Corpus
from kg.exchange.escaped_text import assign_safe_names, on_one_line
from kg.model import Edge, Relation, Statement

_HIDDEN = (
    r"\x00-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff"
)
_NOT_IN_TITLES = re.compile(rf"[\[\]<>@\\]|[^\S ]|[{_HIDDEN}]|^[- ]+|  +| $|^$")
_MARKS = re.compile(r"[\\\[\]<>{}#@*_/]|(?<=-)-|(?<==)=|[.:](?=\S)|^[-+]")
_NOT_IN_TAGS = re.compile(r"[()\\]")


def write_argdown(corpus: Corpus, file: Path, whole_corpus: Corpus) -> None:
    """Write each statement by its id, and each edge for or against something as an argument."""
    names = assign_safe_names(corpus.statements, _NOT_IN_TITLES)
    argued_edges = [edge for edge in corpus.edges if edge.relation.entry.side]
    arguments = assign_safe_names([edge.id for edge in argued_edges], _NOT_IN_TITLES)
    title = json.dumps(on_one_line(corpus.config.name).replace("==", "="))
    labels = {camp.id: camp.label for camp in corpus.config.camps}
    rows = ["===", f"title: {title}", "===", ""]
    for id, statement in corpus.statements.items():
        camp = corpus.default_camps.get(id) or ""
        tags = (statement.kind.value, labels.get(camp, camp))
        rows += [_render_element(f"[{names[id]}]", statement.title, tags), ""]
    for edge in argued_edges:
        rows += [*_argument_of_edge(corpus, edge, names, arguments), ""]
    file.write_text("\n".join(rows), "utf-8")


def _render_element(name: str, text: str, tags: tuple[str, ...] = ()) -> str:
    text = _MARKS.sub(r"\\\g<0>", on_one_line(text))
    words = [f"#({_NOT_IN_TAGS.sub('_', on_one_line(tag))})" for tag in tags if tag]
    return " ".join([f"{name}: {text}" if text else name, *words])


def _argument_of_edge(
    corpus: Corpus, edge: Edge, names: dict[str, str], arguments: dict[str, str]
) -> Iterator[str]:
    """An edge as an argument: support concludes the target, opposition its negation."""
    name = arguments[edge.id]
    premises = [f"[{names[id]}]" for id in edge.premises if id in names]
    yield _render_element(f"<{name}>", edge.reason)
    if edge.relation is Relation.UNDERCUTS and edge.target in arguments:
        yield from (f"    + {premise}" for premise in premises)
        yield f"    _> <{arguments[edge.target]}>"
        return
    if edge.target not in names or not premises:
        return
    yield ""
    yield from (f"({number}) {premise}" for number, premise in enumerate(premises, 1))
    yield "----"
    target = f"[{names[edge.target]}]"
    if edge.relation.entry.side > 0:
        yield f"({len(premises) + 1}) {target}"
        return
    opposite = _render_element(
        f"[{name} !]", _denial_of_target(edge, corpus.statements[edge.target])
    )
    yield f"({len(premises) + 1}) {opposite}"
    yield f"    {'><' if edge.goes_both_ways else '->'} {target}"


def _denial_of_target(edge: Edge, target: Statement) -> str:
    is_qualified = edge.relation is Relation.QUALIFIES
    return f"{'Not without limits' if is_qualified else 'Not so'}: {target.title}"
