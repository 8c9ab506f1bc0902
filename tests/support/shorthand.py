"""A corpus in shorthand, a line for each statement and edge, made of Markdown notes.

claim q                          a claim; `claim q quality=.7` gives it a base of its own
evidence e .6 @s @t lab:me       evidence: its quality, sources it cites, independence keys
e supports q weak                an edge; `weak` and `moderate` are its strength
u undercuts e>q                  an undercut of the edge from e to q
line l q                         an inquiry line that weighs q; `l optimist e` places e
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import kg
from kg.corpus import Corpus
from kg.model import Relation
from tests.support import corpora

RELATIONS = {relation.value for relation in Relation}
CLAIM = "---\ntype: claim\n{head}---\n\n# Claim {name}\n\nSaid.{cited}\n\n"
EVIDENCE = "---\ntype: evidence\n{head}---\n\n# Evidence {name}\n\nSeen.{cited}\n\n"
LINE = "---\ntype: line\nproposition: {of}\n---\n\n# Line {name}?\n\nAsked.\n\n"
BOTH_WAYS = "claim q\nevidence e1 .6 @s\nevidence e2 .6 @s\ne1 supports q\ne2 supports q\n"


def notes_of_shorthand(
    statements: str, retracted: str = "", years: Mapping[str, int] | None = None
) -> dict[str, str]:
    """The notes, by file name, and the bibliography; `retracted` names sources, and `years` says
    when some of them were published, if not in 2020.
    """
    heads: dict[str, str] = {}
    edges: dict[str, list[str]] = {}
    sources: dict[str, None] = {}
    for words in filter(None, map(str.split, statements.splitlines())):
        if words[0] in ("claim", "evidence", "line"):
            heads[words[1]] = _note(words)
            sources |= dict.fromkeys(word[1:] for word in words if word[0] == "@")
        else:
            edges.setdefault(words[0], []).append(_item(words))
    lost = set(retracted.split())
    notes = {f"{name}.md": text + "\n".join(edges.get(name, [])) for name, text in heads.items()}
    notes |= {f"{key}.md": _source(key) for key in sources if key in lost}
    note_texts = dict.fromkeys(sources, 2020) | dict(years or {})
    entries = [
        f"@article{{{key}, title={{Work {key}}}, author={{A, B}}, year={{{year}}}}}"
        for key, year in note_texts.items()
    ]
    return {**notes, "references.bib": "\n".join(entries) + "\n"}


def _note(words: list[str]) -> str:
    kind, name, *rest = words
    if kind == "line":
        return LINE.format(name=name, of=rest[0])
    fields = [f"{field.replace('=', ': ')}\n" for field in rest if "=" in field]
    fields += [f"quality: {field}\n" for field in rest if field[0] in ".0123456789"]
    keys = [field for field in rest if ":" in field]
    fields += [f"independence: [{', '.join(keys)}]\n"] if keys else []
    cited_text = "; ".join(field for field in rest if field[0] == "@")
    text = CLAIM if kind == "claim" else EVIDENCE
    return text.format(
        name=name, head="".join(fields), cited=f" [{cited_text}]" if cited_text else ""
    )


def _item(words: list[str]) -> str:
    source, relation, target, *strength = words
    if relation not in RELATIONS:
        return f"- {relation}:: [[{target}]]"
    end = f"{target.partition('>')[0]}#^{_name(target)}" if ">" in target else target
    fields = f" (strength:: {strength[0]})" if strength else ""
    # only what may be named as a target needs a name
    name = "" if relation in ("same-as", "supersedes") else f" ^{_name(f'{source}>{target}')}"
    return f"- {relation}:: [[{end}]]{fields} — so{name}"


def _name(edge: str) -> str:
    return "to-" + edge.partition(">")[2].replace(">", "-to-")


def _source(key: str) -> str:
    return f"---\ntype: source\nintegrity: retracted\n---\n\n# Work {key}\n"


def load_shorthand(folder: Path, statements: str, retracted: str = "") -> Corpus:
    """The corpus of the notes, written to `folder` and read from there without any problem."""
    for name, text in notes_of_shorthand(statements, retracted).items():
        (folder / name).write_text(text, "utf-8")
    corpus = kg.load(folder)
    return _require_no_problem(corpus)


def corpus_of_shorthand(
    statements: str, retracted: str = "", years: Mapping[str, int] | None = None
) -> Corpus:
    """The same without files."""
    notes = notes_of_shorthand(statements, retracted, years)
    references = notes.pop("references.bib")
    return _require_no_problem(
        corpora.corpus_of_notes(
            references=references, **{k.removesuffix(".md"): v for k, v in notes.items()}
        )
    )


def _require_no_problem(corpus: Corpus) -> Corpus:
    assert [str(each) for each in corpus.diagnostics if each.severity == "error"] == []
    return corpus


def independent_studies(count: int, quality: float = 0.6) -> str:
    """`count` independent studies that support q."""
    each = "evidence e{0} {1} @s{0}\ne{0} supports q\n"
    return "claim q\n" + "".join(each.format(k, quality) for k in range(count))


def strength_of(corpus: Corpus, name: str = "q") -> float:
    """The strength of a statement; 0 for one that has none."""
    return float(kg.strengths(corpus)[name] or 0.0)
