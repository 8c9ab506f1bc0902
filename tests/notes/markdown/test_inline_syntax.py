"""Citations, inline fields, block ids, reasons and link targets within a run of text."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from kg.notes.markdown import inline_syntax
from tests.support.any_text import any_text
from tests.support.every_row import every_row


@every_row(
    ("text", "cited_sources"),
    [
        ("[@a]", [("a", "", "")]),
        ("[@a, p. 4]", [("a", "", "p. 4")]),
        ("[@a p. 4]", [("a", "", "p. 4")]),
        ("[see @a; @b]", [("a", "see", ""), ("b", "", "")]),
        ("[see @a, pp. 33–35 and *passim*; also @b, ch. 1]", None),
        ("[-@a]", [("a", "", "")]),
        ("[@a]; [@b]", [("a", "", ""), ("b", "", "")]),
        ("[@a_b:c.d-e/f+2]", [("a_b:c.d-e/f+2", "", "")]),
        ("[@a.]", [("a", "", ".")]),
        ("[@müller2020]", [("müller2020", "", "")]),
        ("[@a,\np. 4]", [("a", "", "p. 4")]),
        ("[@a](b.md)", []),
        ("[@a][b]", []),
        ("[write to me@example.org]", []),
        ("[me@example.org; @b]", [("b", "", "")]),
        ("[@ a]", []),
        ("[@a", []),
        ("@a says", []),
        ("[[@a]]", []),
        ("[]", []),
    ],
)
def test_citations_are_those_of_pandoc(
    text: str, cited_sources: list[tuple[str, str, str]] | None
) -> None:
    rows = [(c.key, c.prefix, c.locator) for c in inline_syntax.find_citations(text)]
    if cited_sources is None:
        cited_sources = [("a", "see", "pp. 33–35 and *passim*"), ("b", "also", "ch. 1")]
    assert rows == cited_sources
    assert all(text[c.start] == "@" for c in inline_syntax.find_citations(text))


@every_row(
    ("text", "fields"),
    [
        ("(method:: experiment) (sample:: 555)", [("method", "experiment"), ("sample", "555")]),
        ("(reason:: a (b) c)", [("reason", "a (b) c")]),
        ("(reason:: a (b (c (d)) e) f)", [("reason", "a (b (c (d)) e) f")]),
        ("(about::[x])", [("about", "[x]")]),
        ("(reason:: on\ntwo lines)", [("reason", "on\ntwo lines")]),
        ("(reason:: never closed", []),
        ("(method: experiment)", []),
        ("((camp:: skeptic))", [("camp", "skeptic")]),
        ("(empty::)", [("empty", "")]),
        ("f(std::string)", []),
        ("prose (see std::move) here", []),
    ],
)
def test_fields_are_read_up_to_their_own_parenthesis(
    text: str, fields: list[tuple[str, str]]
) -> None:
    assert [(m[1], m[2]) for m in inline_syntax.find_fields(text)] == fields


@every_row(
    ("destination", "wiki", "target"),
    [
        ("note", True, "note"),
        (" claims/note.md ", True, "note"),
        ("folder\\note#^block", True, "note#^block"),
        ("note#Heading", True, "note#Heading"),
        ("#^here", True, "#^here"),
        ("b.md", False, "/claims/b.md"),
        ("../lines/a%20b.md#^x", False, "/lines/a b.md#^x"),
        ("./b.md", False, "/claims/b.md"),
        ("../../out.md", False, "/../out.md"),
        ("https://example.org/b.md", False, None),
        ("mailto:a@b.md", False, None),
        ("//host/b.md", False, None),
        ("/b.md", False, None),
        ("#^here", False, None),
        ("#heading", False, None),
        ("picture.png", False, None),
        ("b.md?raw=1", False, None),
        ("", False, None),
    ],
)
def test_a_link_destination_gives_the_id_or_path_it_leads_to(
    destination: str, wiki: bool, target: str | None
) -> None:
    assert inline_syntax.find_target(destination, wiki, "claims/a.md") == target


@every_row(
    ("heading", "text"),
    [
        ("# People prefer C#", "People prefer C#"),
        ("## So  it is ##  ", "So it is"),
        ("# C# #", "C#"),
        ("#", ""),
        ("## ##", ""),
        ("People prefer\nC #\n===", "People prefer C #"),
        ("#no-mark\n---", "#no-mark"),
    ],
)
def test_a_heading_ends_with_a_mark_only_after_a_space(heading: str, text: str) -> None:
    assert inline_syntax.heading_text(heading) == text


SIGNS = st.sampled_from(["[@a", "@b", "]", ";", ",", " ", "-@é", "\n", "(", "p. 3", "{", ":"])


@given(st.lists(SIGNS, max_size=12).map("".join))
@example("see [@a, p. 3; -@b]")
def test_citations_never_raise_and_stay_in_the_text(text: str) -> None:
    for citation in inline_syntax.find_citations(text):
        assert text[citation.start] == "@"
        assert text.startswith(citation.key, citation.start + 1)


@given(
    st.lists(st.sampled_from(["(a:: ", "b", "(", ")", "::", " ", "\n"]), max_size=15).map("".join)
)
@example("(a:: b (c) d)")
def test_fields_are_balanced(text: str) -> None:
    for field in inline_syntax.find_fields(text):
        assert field[2].count("(") == field[2].count(")")


@given(any_text(max_size=30), st.booleans(), st.sampled_from(["a.md", "x/y/é.md"]))
def test_any_destination_has_a_target_or_none(destination: str, wiki: bool, path: str) -> None:
    target = inline_syntax.find_target(destination, wiki, path)
    if wiki:
        assert target is None or not target.partition("#")[0].endswith("/")
    else:
        assert (target is None) is not destination.partition("#")[0].endswith(".md")


@every_row("piece", ["(a:: ", "[@a ", "[", "(a:: (", "^", " — ", "[@", "(a::b\n"])
def test_repeated_openings_do_not_multiply(piece: str) -> None:
    text = piece * 20_000
    inline_syntax.find_citations(text)
    inline_syntax.find_fields(text)
    inline_syntax.BLOCK_ID.search(text)
    inline_syntax.REASON.search(text)
