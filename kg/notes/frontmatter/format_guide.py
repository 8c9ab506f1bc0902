"""The note format in a page, for a program that is to write notes and knows nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from kg.model import Relation, SeenIn, Status

EXAMPLE = {
    "claims/naps-help-memory.md": """---
type: claim
topics: [sleep, memory]
---

# A short nap helps people to remember what they have just learned

What is meant, in a few sentences, with the limits of what was seen. [@doe2024, p. 3]

> [!evidence] People who napped recalled more word pairs than people who rested ^recall
> Forty students learned word pairs; half of them slept for an hour. [@doe2024, p. 3]
> (method:: experiment) (sample:: 40 students) (seen_in:: primary)
> (reason:: the two groups differed in sleep alone)
""",
    "claims/rest-is-enough.md": """---
type: counter-claim
topics: [sleep, memory]
open: nobody has compared naps with rest in the dark
---

# Lying down quietly may do as much for memory as sleep does

- qualifies:: [[naps-help-memory]] (strength:: moderate) — quiet rest was not tried
- undercuts:: [[naps-help-memory#^recall]] — those who rested did so in a bright room
""",
    "naps.bib": """@article{doe2024,
  author = {Doe, Ann},
  title = {Naps and word pairs},
  journal = {Journal of Sleep},
  year = {2024}
}
""",
}
"""Notes and a bibliography that keep each rule, by their paths."""

_GUIDE = """# Notes that argue: the format in a page

One note is one UTF-8 Markdown file below the notes folder, with YAML front matter. Its file's
name without `.md` is its id: lower case, with dashes, unlike any other. `type:` is one of claim,
counter-claim, evidence, source, line, glossary.
- Title (`# …`): what is asserted, in one sentence that can be true or false; never a question,
  but for a line.
- Cite with `[@key]` or `[@key, p. 4]`: the key of a BibTeX entry in a `.bib` file of the folder.
  A note `type: source` of that name adds what the source says. Never invent a source, a figure or
  a page.
- Link with `[[id]]`. A relation that leads nowhere is an error, and so is a citation without a
  source; a link in prose that does is a warning (`dead-link`).

## Statements
- **claim**: needs support. Nest evidence in it as a callout (below), or write evidence notes that
  support it; if it stands without, say why with `open:` in its front matter.
- **counter-claim**: a claim that replies; it needs a relation that contradicts, qualifies or
  undercuts something.
- **evidence**: what was found, where, with how many; cites a source, and `supports::` or
  `contradicts::` a claim.
- Callout in a note: `> [!evidence] Title ^block-id`, then its text. `[!counter-evidence]` and
  `[!counter-claim]` contradict the statement around them. Its id is `note#block-id`; links to it
  are `[[note#^block-id]]`. The edge it draws takes `(reason:: …)`.
- Keys of evidence, in front matter or as `(key:: value)`: method ({methods}); sample (`201
  judges`); effect (`d=0.42 [0.1, 0.7]`); p (`<.001`); preregistered, peer_reviewed (yes, no);
  seen_in ({seen_in}). Leave out what is not known.
- Other keys: topics, about (named models, data sets), status ({statuses}), created,
  updated (2026-01-31){camps}

## Relations
List items, one each, with a reason after the dash: `- relation:: [[target]] — why`. They stand in
the note they lead from:
{relations}
Write one direction only. Fields: `(strength:: weak|moderate|strong)`, `(scope:: …)`. Reasons that
hold only together: `- supports:: [[c]] with [[b]] — why both`. A relation ending in `^id` can be
undercut: `- undercuts:: [[note#^id]] — …`.

## Lines
`type: line`; the title is the question; `proposition:` the id of the yes/no claim that it weighs;
`answers:` with `holds: "…"` and `fails: "…"`. Then a standfirst, an essay that links to
statements, and placements: `- CAMP:: [[claim]] — why`.

## Example: {count} files that pass `kg check --strict`
{example}
Check what you write: `kg check --strict`, or `kg check - --as claims/x.md` for a text that stands
nowhere yet.
"""


def format_guide(camps: Sequence[str], methods: Sequence[str]) -> str:
    """The format in less than 1,500 tokens, with the camps and methods of a corpus."""
    relations = "\n".join(f"- `{each.value}`: {each.entry.meaning}" for each in Relation)
    example = "\n".join(f"{path}:\n```\n{text}```" for path, text in EXAMPLE.items())
    named = f", camp ({', '.join(camps)})" if camps else ""
    return _GUIDE.format(
        methods=", ".join(methods),
        seen_in=", ".join(SeenIn),
        statuses=", ".join(Status),
        camps=named + ".",
        relations=relations,
        count=len(EXAMPLE),
        example=example,
    )
