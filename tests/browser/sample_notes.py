"""Notes with every kind of page in them, a hundred statements, and hostile titles."""

from __future__ import annotations

from pathlib import Path

MORE = 130
STATEMENTS = MORE + 4
EVIL = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>" onmouseover="window.ran=1'
CLAIM = (
    "---\ntype: claim\ncamp: {camp}\ntopics: [{topics}]\naliases: [{alias}]\n"
    "about: [Thing]\n---\n\n# {title}\n\n"
    "Text of {title}, as in [[{link}|{link} said]].\n\n{edges}\n"
)
LINE = """---
type: line
proposition: asked
topics: [talk]
reviewed: 2026-01-01
---

# Is it so, {evil}?

A standfirst on [[pro|a claim]].

The essay leans on [[pro|a claim]] and on [[pro#^found|a finding]] [@doe2020].

Once more [[pro#^found|the finding]].

| Study | What was asked of it | Who took part | How many there were | What came out |
|---|---|---|---|---|
| First | whether one thing follows | several people | more than fifty | hardly anything |

## Camps

- optimist:: [[pro]] — because
- skeptic:: [[con]]
"""
FOUND = (
    "> [!evidence] Found 77% of it ^found\n> In a trial. [@doe2020] (method:: "
    "experiment) (sample:: 555)\n\n"
)
BIB = (
    "@article{doe2020, title = {A Study}, author = {Doe, Ann}, year = {2020}, journal = {J}, "
    "doi = {10.1/j}}\n"
)


def write_sample(folder: Path) -> Path:
    """Write the notes into `folder`."""
    texts = {
        "asked": _claim(f"Asked {EVIL}", "optimist", "pro"),
        "pro": _claim("Pro", "optimist", "con", FOUND + "- supports:: [[asked]] — a reason"),
        "con": _claim(
            "Con",
            "skeptic",
            "pro",
            "- contradicts:: [[asked]]\n- contradicts:: [[pro]] — not so",
            alias="an-older-name",
        ),
        "line": LINE.format(evil=EVIL),
        "glossary": "---\ntype: glossary\n---\n\n# Words\n\n## Few\n\n- **widget**: A tool.\n\n"
        "## Many\n\n" + "".join(f"- **{c}{n}**: It is {n}.\n" for c in "xyz" for n in range(11)),
    }
    for number in range(MORE):
        texts[f"more{number}"] = _claim(
            f"More {number}",
            "skeptic",
            "con",
            "- supports:: [[con]]",
            topics=f"talk, part-{number % 3}",
        )
    for name, text in texts.items():
        folder.joinpath(f"{name}.md").write_text(text, "utf-8")
    folder.joinpath("references.bib").write_text(BIB, "utf-8")
    return folder


def _claim(
    title: str, camp: str, link: str, edges: str = "", alias: str = "", topics: str = "talk"
) -> str:
    return CLAIM.format(title=title, camp=camp, link=link, edges=edges, alias=alias, topics=topics)
