"""Terms of a glossary: every form of an entry, and what is none."""

from __future__ import annotations

from kg.model import Span
from kg.model.glossary_term import GlossaryTerm
from kg.notes.glossary import parse_glossary

TEXT = """# Glossary

## Tests

- **SJT**, **situational judgement test**: A small scene,
  and which act is best.
* **Upkeep:** What keeps
	a talk going.
+ **Face** — Standing in the eyes of others.
- no term

```
- **fenced**: code is no entry
```
"""


def test_items_become_terms_with_their_heading_and_line() -> None:
    terms, others = parse_glossary(TEXT, "g.md", 5)
    assert terms == (
        GlossaryTerm(
            names=("SJT", "situational judgement test"),
            text="A small scene, and which act is best.",
            span=Span("g.md", 9),
            group="Tests",
        ),
        GlossaryTerm(
            names=("Upkeep",), text="What keeps a talk going.", span=Span("g.md", 11), group="Tests"
        ),
        GlossaryTerm(
            names=("Face",),
            text="Standing in the eyes of others.",
            span=Span("g.md", 13),
            group="Tests",
        ),
    )
    assert others == (Span("g.md", 14),)


def test_what_stands_in_a_fence_is_no_entry() -> None:
    code = "- **a**: b\n\n```\n- **c**: d\n- **x**: y\n~~~\n- **e**: f\n```\n\n- **g**: h\n"
    terms, others = parse_glossary(code, "g.md", 1)
    assert ([term.names for term in terms], others) == ([("a",), ("g",)], ())


def test_many_spaces_in_an_entry_are_read_at_once() -> None:
    """The pattern once tried every way to share them out, which took minutes."""
    terms, others = parse_glossary("- **a**," + " " * 200_000 + "b", "g.md", 1)
    assert (terms, others) == ((), (Span("g.md", 1),))
    (term,), _ = parse_glossary("- **a**,   **b** :   c   d", "g.md", 1)
    assert (term.names, term.text) == (("a", "b"), "c d")
