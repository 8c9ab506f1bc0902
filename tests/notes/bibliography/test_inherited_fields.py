"""What an entry of BibTeX takes from another."""

from __future__ import annotations

from inspect import cleandoc

from kg.notes.bibliography.bibtex import parse_bibtex
from kg.notes.bibliography.inherited_fields import find_parent_entries, inherits
from kg.notes.bibliography.parsed_bibliography import Bibliography


def read(text: str) -> Bibliography:
    return parse_bibtex(cleandoc(text), "My Bibliography.bib")


def test_what_is_inherited_follows_biblatex() -> None:
    bibliography = read("""
        @xdata{place, location = {Bonn}, xdata = {house}}
        @xdata{house, publisher = {Dümmler}}
        @inproceedings{a, title = {A}, author = {Wu, Ann}, crossref = {p}}
        @inproceedings{b, title = {B}, booktitle = {Own}, year = 2001, crossref = {p}}
        @proceedings{p, title = {P}, subtitle = {Sub}, editor = {Li, Bo}, date = {2000-01},
          month = jan,
          doi = {10.1/p}, pages = {1--9}, note = {mine}, xdata = {place}}
        @inbook{c, title = {C}, crossref = {o}}
        @book{o, title = {O}, author = {Roe, Jo}, year = 1999}
        @incollection{e, title = {E}, crossref = {s}}
        @collection{s, title = {S}, author = {Roe, Jo}}
        @article{d, title = {D}, crossref = {r}}
        @periodical{r, title = {R}, year = 1998}
        @misc{loop, title = {L}, crossref = {pool}, author = {Li, Bo}}
        @misc{pool, title = {M}, crossref = {loop}, year = 1997}
    """)
    sources = {source.key: source for source in bibliography.sources}
    assert bibliography.diagnostics == ()
    assert "place" not in sources
    a, b = sources["a"], sources["b"]
    assert (a.venue, a.year, a.authors, a.doi, a.title) == ("P", 2000, ("Ann Wu",), "", "A")
    assert (a.entry["publisher"], a.entry["location"]) == ("Dümmler", "Bonn")
    assert a.entry["booksubtitle"] == "Sub"
    assert "pages" not in a.entry
    assert (b.venue, b.year, b.authors) == ("Own", 2001, ("Bo Li",))
    assert not b.entry.keys() & {"date", "month"}, "a year of its own, so no part of another date"
    assert {"date", "month"} <= a.entry.keys()
    assert (sources["c"].authors, sources["c"].venue, sources["c"].year) == (("Jo Roe",), "O", 1999)
    assert "bookauthor" in sources["c"].entry
    assert "bookauthor" not in sources["e"].entry, "nobody is the author of a collection"
    assert (sources["d"].venue, sources["d"].year) == ("R", 1998)
    assert (sources["loop"].year, sources["pool"].authors) == (1997, ("Bo Li",))


def test_entries_that_all_take_from_each_other_are_read() -> None:
    keys = [f"k{number}" for number in range(200)]
    bibliography = read("\n".join(f"@misc{{{key}, xdata = {{{','.join(keys)}}}}}" for key in keys))
    assert len(bibliography.sources) == 200
    chain = (f"@book{{k{number}, crossref = {{k{number + 1}}}}}" for number in range(3000))
    assert len(read("\n".join(chain)).sources) == 3000


def test_a_single_field_is_taken_from_another_entry() -> None:
    bibliography = read(
        """
        @xdata{press, author = {Bell, Ann and Hall, Bo}, publisher = {The Press and Others}}
        @book{taken, title = {T}, author = {xdata=press-author-2 and Wu, Li},
          publisher = {xdata=press-publisher-1}, address = {xdata=press-publisher-9}}
        @book{lost, title = {L}, author = {Wu, Li}, publisher = {xdata=pres-publisher}}
        """
    )
    taken, lost = bibliography.sources
    assert taken.authors == ("Bo Hall", "Li Wu")
    assert taken.venue == "The Press"
    assert taken.entry["address"] == "xdata=press-publisher-9"
    assert lost.venue == "xdata=pres-publisher"
    (problem,) = bibliography.diagnostics
    assert (problem.rule, problem.help) == ("lost-crossref", "did you mean `press`?")


def test_an_entry_takes_from_all_its_parents_but_from_the_first_of_a_set() -> None:
    fields = {"entryset": "s, t", "crossref": "{p}", "xdata": "a, b"}
    assert [*find_parent_entries(fields)] == [
        ("xdata", "a"),
        ("xdata", "b"),
        ("crossref", "p"),
        ("entryset", "s"),
    ]
    assert inherits(fields)
    assert inherits({"author": "xdata=a-author"})
    assert not inherits({"title": "xdata"})


def test_a_part_of_a_field_of_another_entry_is_filled_in_by_its_number() -> None:
    def place(reference: str) -> str:
        entries = (
            f"@xdata{{press, location = {{Bonn and Kiel}}}}\n@book{{k, location = {{{reference}}}}}"
        )
        return read(entries).sources[0].entry["location"]

    assert place("xdata=press-location-1") == "Bonn"
    assert place("xdata=press-location-2") == "Kiel"
    assert place("xdata=press-location") == "Bonn and Kiel"
    assert place("xdata=press-location-3") == "xdata=press-location-3"
    assert place("xdata=gone-location") == "xdata=gone-location"
