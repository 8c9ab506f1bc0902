"""Every field has every place: asked for, shown, exported, or named here as not meant to be.

Of `kg/queries/conditions/field_types.py`, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import msgspec

from kg.corpus import Corpus
from kg.history.find_changes import STATEMENT_FIELDS
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.pages.line import line_page
from kg.publish.pages.sources.source import source_page
from kg.publish.pages.statement import statement_page
from kg.queries.conditions.corpus_index import records_of
from kg.queries.conditions.field_types import RecordKind
from kg.queries.conditions.fields import FIELDS_BY_KIND
from kg.queries.connection import connect_store
from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find
from kg.queries.language.builders import edges, lines, sources, statements
from kg.queries.language.selection import Selection
from kg.rdf.quad_store import as_store
from kg.rdf.quads import as_nquads
from kg.rdf.vocabulary import EDGE, LINE, SOURCE, STATEMENT, FieldTable
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row

TABLES: Mapping[RecordKind, FieldTable] = {
    RecordKind.STATEMENT: STATEMENT,
    RecordKind.SOURCE: SOURCE,
    RecordKind.LINE: LINE,
    RecordKind.EDGE: EDGE,
}
EVERYTHING: Mapping[RecordKind, Selection] = {
    RecordKind.STATEMENT: statements(),
    RecordKind.SOURCE: sources(),
    RecordKind.LINE: lines(),
    RecordKind.EDGE: edges(),
}
# Texts are searched for words, aliases are names by which records are found, a quality is asked for
# as it is weighed, and the other two say where a record of a source lies.
NOT_ASKED = {
    RecordKind.STATEMENT: {"body", "aliases", "quality"},
    RecordKind.SOURCE: {"body", "aliases", "note", "snapshot"},
    RecordKind.LINE: {"standfirst", "doubt", "open", "essay", "aliases"},
    RecordKind.EDGE: set[str](),
}
NOT_COMPARED = {"aliases", "created", "updated", "reviewed"}  # they change no argument
# Only answers and linked data tell where a source's note and text are and what it is on, whether
# a line is a draft, and who draws an edge; an edge that a callout draws looks like any other.
NOT_SHOWN = {
    RecordKind.STATEMENT: set[str](),
    RecordKind.SOURCE: {"note", "snapshot", "topics"},
    RecordKind.LINE: {"status"},
    RecordKind.EDGE: {"by", "locator", "nested"},
}
NOTES = {
    "found": """
        ---
        type: evidence
        aliases: [was-found]
        topics: [tea-topic, b-topic]
        status: draft
        created: 2020-01-01
        updated: 2021-01-01
        reviewed: 2022-01-01
        about: [Abouted, Other]
        asserted_by: [Asserta]
        reported: true
        open: Opened
        method: survey
        sample: 5678 gnomes
        sample_class: people
        effect: d=0.42 [0.11, 0.73]
        p: <0.003
        replications: 4321
        failed_replications: 8765
        preregistered: false
        peer_reviewed: true
        concerns: [imprecision]
        independence: [lab:elves]
        seen_in: secondary
        quality: 0.37
        ---

        # It was found

        A body. [@work]

        - contradicts:: [[other]] (strength:: weak) (mutual:: yes) — a reason
        - supports:: [[other]] (scope:: here) (by:: Wu) (locator:: p. 4)
        """,
    "other": "---\ntype: claim\n---\n\n# Other\n\n> [!evidence] Inner\n> (supports:: this)\n",
    "line": """
        ---
        type: line
        aliases: [was-line]
        topics: [c-topic]
        doubt: Nobody asked.
        open: Nothing is weighed yet.
        status: draft
        created: 2020-01-01
        updated: 2021-01-01
        reviewed: 2022-01-01
        ---

        # Asked?

        It stands first.

        An essay.

        ## Camps

        - optimist:: [[other]]
        """,
    "work": """
        ---
        type: source
        aliases: [was-work]
        topics: [d-topic]
        integrity: corrected
        independence: [lab:trolls]
        snapshot: snapshots/work.txt
        verification: B
        peer_reviewed: true
        ---

        What it is.
        """,
    # of the same teams, for a name that nothing else has is not shown
    "also": "---\ntype: evidence\nindependence: [lab:elves]\n---\n\n# Found too\n\nIt. [@sister]\n",
    "sister": "---\ntype: source\nindependence: [lab:trolls]\n---\n\nAnother work.\n",
    "references": """
        @article{sister, title={Sister}, author={Ro, Bo}, year={2020}, journal={Venue}}
        @article{work, title={Work}, author={Le, Ada}, year={2019}, journal={Venue},
          doi={10.1000/xyz}, eprint={2001.00001}, archiveprefix={arXiv},
          url={https://example.org/work}}
        """,
}


CORPUS = corpus_of_notes(**NOTES)
STORED = connect_store(as_store(CORPUS)).engine
WRITTEN = [
    (record_kind, name) for record_kind, table in TABLES.items() for name in table.properties
]
ASKED = [
    (record_kind, name)
    for record_kind, fields in FIELDS_BY_KIND.items()
    for name in fields
    if fields[name].attribute
]


def page_of(corpus: Corpus, record_kind: RecordKind) -> object:
    """What readers see of the record in which everything is written."""
    context = SiteContext(Addresses(corpus))
    if record_kind is RecordKind.SOURCE:
        page = source_page(context, corpus.sources["work"])
    elif record_kind is RecordKind.LINE:
        page = line_page(context, corpus.lines["line"])
    else:
        page = statement_page(context, corpus.statements["found"])
    return page.html, page.aliases


def without(corpus: Corpus, record_kind: RecordKind, name: str) -> Corpus:
    """The corpus where a field is not written in any record of a kind."""
    default = TABLES[record_kind].properties[name].default
    empty = {name: "" if default is msgspec.NODEFAULT else default}
    if record_kind is RecordKind.EDGE:
        edges = tuple(msgspec.structs.replace(edge, **empty) for edge in corpus.edges)
        return replace(corpus, edges=edges)
    records = {
        id: msgspec.structs.replace(record, **empty)
        for id, record in records_of(corpus, record_kind).items()
    }
    return replace(corpus, **{f"{record_kind}s": records})


def test_every_field_that_notes_hold_can_be_asked_for() -> None:
    rows = {
        (record_kind, field.attribute)
        for record_kind in FIELDS_BY_KIND
        for field in FIELDS_BY_KIND[record_kind].values()
    }
    expected = {each for each in WRITTEN if each[1] not in NOT_ASKED[each[0]]}
    assert rows & {*WRITTEN} == expected


@every_row(("record_kind", "name"), ASKED)
def test_every_field_is_found_in_memory_and_in_a_store(record_kind: RecordKind, name: str) -> None:
    stored, memory = STORED, MemoryEngine(CORPUS)
    ids = list(records_of(CORPUS, record_kind))
    values = memory.values(record_kind, name, ids)
    assert values
    values_of_field = stored.values(record_kind, name, ids)
    assert {id: set(values_of_field) for id, values_of_field in values_of_field.items()} == {
        id: set(values_of_field) for id, values_of_field in values.items()
    }
    for value in {value for values_of_field in values.values() for value in values_of_field}:
        bound = f"<{value}" if FIELDS_BY_KIND[record_kind][name].sign_field else value
        has = EVERYTHING[record_kind].has(name, bound)
        assert find(stored, has).ids == find(memory, has).ids != ()


@every_row("record_kind", FIELDS_BY_KIND)
def test_every_field_that_notes_hold_is_shown_on_a_page(record_kind: RecordKind) -> None:
    whole_page, names = (
        page_of(CORPUS, record_kind),
        [name for each, name in WRITTEN if each == record_kind],
    )
    listed_names = {
        name
        for name in names
        if page_of(without(CORPUS, record_kind, name), record_kind) != whole_page
    }
    assert listed_names == {*names} - {*NOT_SHOWN[record_kind]}


@every_row("record_kind", FIELDS_BY_KIND)
def test_every_field_that_notes_hold_is_exported(record_kind: RecordKind) -> None:
    whole, everything = {*as_nquads(CORPUS)}, EVERYTHING[record_kind]
    text = find(MemoryEngine(CORPUS), everything).to_json()
    for name in (name for each, name in WRITTEN if each == record_kind):
        less = without(CORPUS, record_kind, name)
        assert {*as_nquads(less)} != whole, name
        assert find(MemoryEngine(less), everything).to_json() != text, name


def test_every_field_that_notes_hold_is_compared() -> None:
    assert {*STATEMENT.properties} - {*STATEMENT_FIELDS} == {*NOT_COMPARED}
