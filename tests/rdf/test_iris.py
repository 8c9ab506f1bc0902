"""IRIs lead back to what they were made of, and no two things share one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.rdf.iris import CAMPS, EDGES, LINES, SOURCES, STATEMENTS, Iris
from tests.support.effort import examples
from tests.support.every_row import every_row

BASES = st.sampled_from(("https://example.org/x/", "https://example.org/x#"))
FOLDERS = st.sampled_from((STATEMENTS, LINES, SOURCES, EDGES, CAMPS))
NAMES = st.text("ab.-_~ %/?&é\udc80", min_size=1, max_size=5)
IDS = st.tuples(NAMES, st.none() | NAMES).map(lambda id: id[0] if id[1] is None else "#".join(id))


@given(BASES, FOLDERS, IDS, IDS)
@examples(50, derandomize=True)
def test_an_id_comes_back_from_its_iri(base: str, folder: str, id: str, other: str) -> None:
    iris = Iris(base)
    iri = iris.iri_of(folder, id)
    assert iri.startswith(base)
    assert iris.id_of(iri) == id
    assert (iris.iri_of(folder, other) == iri) == (other == id)
    parts = {iris.part(iri, name, n) for name in ("citation", "field") for n in (1, 2)}
    sections = {iris.section(iri, name) for name in ("told", "history")}
    assert len({iri} | parts | sections) == 7
    assert all(each.startswith(iri) for each in parts | sections)


@given(BASES, st.lists(NAMES.filter(lambda name: "/" not in name), min_size=1, max_size=3))
@examples(15, derandomize=True)
def test_a_path_comes_back_from_the_iri_of_its_note(base: str, names: list[str]) -> None:
    path = "/".join(names)
    assert Iris(base).path_of(Iris(base).note(path)) == path


@every_row(
    ("id", "escaped"),
    [(".", "%2E"), ("..", "%2E%2E"), ("...", "..."), (".a", ".a"), ("a.b", "a.b")],
)
def test_no_name_in_an_iri_is_a_step_of_a_path(id: str, escaped: str) -> None:
    """Programs that resolve an IRI drop `.` and `..`, and with them what stands before."""
    assert Iris("https://example.org/x/").iri_of(SOURCES, id).endswith(f"/{escaped}")


@every_row("key", ["doi", "arxiv-id", "year2", "x_", "ключ", "a b"])
def test_a_field_comes_back_from_its_property_which_xml_can_name(key: str) -> None:
    iris = Iris("https://example.org/x/")
    property = iris.field("entry/", key)
    assert iris.key_of(property) == key
    assert property[-1].isalpha() or property[-1] == "_"
