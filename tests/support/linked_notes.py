"""Notes that link to each other in every form, made at random."""

from __future__ import annotations

from hypothesis import strategies as st

from kg.model.settings.config import Camp, Config

LINKS = (
    "[[a]]",
    "[[b|words]]",
    "[[c#^shown]]",
    "[[notes/a.md]]",
    "[[A]]",
    "[words](b.md)",
    "[w](./c.md#^shown)",
    "[w](<with space.md>)",
    "[w](with%20space.md)",
    "[w][ref]",
    "[[former]]",
    "[[nowhere]]",
    "[[#Heading]]",
    "[[#^shown]]",
    "[[ a ]]",
    "[[b#Title b]]",
    "`[[a]]`",
    "![[a]]",
    "[[@roe]]",
    "[site](https://x.test/a.md)",
    "[@roe; @doe, p. 4]",
    "[see @roe]",
    "é „[[a]]“",
)
RELATIONS = ("supports", "contradicts", "Qualifies", "undercuts", "same-as", "depends-on", "x")
link, relation = st.sampled_from(LINKS), st.sampled_from(RELATIONS)
target = st.sampled_from([each for each in LINKS if "[ref]" not in each])  # it stands elsewhere
edge = st.builds("- {}:: {}{}".format, relation, target, st.sampled_from((
    "", " — so", " with [[b]] — so", " (strength:: weak) — as [[c]] says [@roe]", " ^named-{n}",
    " [[c]] — two", " (with:: [[a]] and [[b]]) — so",
)))  # fmt: skip
paragraph = st.builds("Words {} and {}.{}".format, link, link, st.sampled_from(("", " ^par-{n}")))
callout = st.builds(
    "> [!{}] Title {} (camp:: left) ^{}-{{n}}\n> Seen {}. (topics:: one, two)\n>\n> {}".format,
    st.sampled_from(("evidence", "counter-claim", "note", "claim")),
    link,
    st.sampled_from(("shown", "other")),
    link,
    edge,
)
blocks = st.lists(st.one_of(edge, paragraph, callout), max_size=5)


def note_text(head: str, name: str, parts: list[str]) -> str:
    body = "\n\n".join(part.replace("{n}", str(n)) for n, part in enumerate(parts))
    text = "> [!evidence] Seen ^shown\n> Here. [@roe]"
    return f"---\n{head}\n---\n\n# Title {name}\n\n{text}\n\n{body}\n\n[ref]: a.md\n"


CLAIM = "type: claim\ntopics: [one, 'two words']\ncamp: left\nasserted_by: roe"
HEADS = {
    "a": CLAIM,
    "b": f'{CLAIM}\naliases:\n  - former\n  - "é b"',
    "c": "type: counter-claim\nTopics: one, three\nabout: [x]\n",
    "with space": "type: claim",
}


LIBRARY = "@misc{roe, title={Roe}}\n@misc{doe, title={Doe}, crossref = {roe}}\n"
CAMPS = ("left", "optimist", "skeptic")
SETTINGS = "".join(f'[[camps]]\nid = "{each}"\nlabel = "{each}"\n\n' for each in CAMPS)
CONFIG = Config(camps=tuple(Camp(id=each, label=each) for each in CAMPS))


@st.composite
def linked_notes(draw: st.DrawFn) -> dict[str, str]:
    """Notes by path: three claims and a line, with links, relations, fields and citations."""
    texts = {f"{name}.md": note_text(HEADS[name], name, draw(blocks)) for name in HEADS}
    rows = "- optimist:: [[a]] — so\n- skeptic:: [[b]], [[c]]\n- next:: what then?"
    head = "type: line\nproposition: [[a]]"
    return texts | {"l.md": note_text(head, "l", [*draw(blocks), rows])}
