"""Whether words agree with what fact-checkers said: `python -m bench.claims`.

Reads `tests/data/claim_votes.csv` (CLIMATE-FEVER, Diggelmann et al. 2020): claims, five passages
each, and how annotators voted on each passage. Writes them down as notes, reads these with `kg` at
its defaults, and prints how often the word agrees with the label; `docs/calibration.md` says what
this is not.
"""

from __future__ import annotations

import csv
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import kg
from kg import reasoning
from kg.corpus import Corpus
from kg.reasoning.reading import Reading
from kg.reasoning.strength_words import StrengthWord, side_of, strength_word
from kg.reasoning.word_and_side import outcome_of

DATA = Path(__file__).parents[1] / "tests" / "data" / "claim_votes.csv"
LABELS = ("SUPPORTS", "REFUTES", "DISPUTED", "NOT_ENOUGH_INFO")
RELATIONS = {"SUPPORTS": "supports", "REFUTES": "contradicts"}
CALLOUTS = {"SUPPORTS": "evidence", "REFUTES": "counter-evidence"}


class Passage(NamedTuple):
    """One passage of an article, the majority's label, and votes for, against and for neither."""

    article: str
    label: str
    votes: tuple[int, int, int]


class CheckedClaim(NamedTuple):
    """A claim, the label that the data give it, and its passages."""

    number: str
    label: str
    passages: tuple[Passage, ...]


def load_claims(file: Path = DATA) -> list[CheckedClaim]:
    """The claims of `file`."""
    labels: dict[str, str] = {}
    passages: defaultdict[str, list[Passage]] = defaultdict(list)
    with file.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            votes = (
                int(row["votes_supports"]),
                int(row["votes_refutes"]),
                int(row["votes_not_enough_info"]),
            )
            labels[row["claim"]] = row["claim_label"]
            passages[row["claim"]].append(Passage(row["source"], row["evidence_label"], votes))
    return [CheckedClaim(number, labels[number], tuple(held)) for number, held in passages.items()]


def notes_by_majority(claims: Iterable[CheckedClaim]) -> dict[str, str]:
    """Notes by path: passages that the majority finds to tell are callouts of the claim, others
    are noted without an edge.
    """
    claims, notes = list(claims), {}
    for claim in claims:
        callouts = []
        for place, passage in enumerate(claim.passages):
            said = f"Passage {place} on claim {claim.number}"
            if kind := CALLOUTS.get(passage.label):
                callouts.append(f"> [!{kind}] {said} ^p{place}\n> Seen. [@a{passage.article}]\n")
            else:
                notes[f"p{claim.number}-{place}.md"] = _evidence(said, passage)
        notes[f"c{claim.number}.md"] = _claim(claim) + "\n".join(callouts)
    return {**notes, "references.bib": _references(claims)}


def notes_by_votes(claims: Iterable[CheckedClaim]) -> dict[str, str]:
    """Notes by path: every passage bears on its claim, and the votes are judgements of the edge."""
    claims, notes = list(claims), {}
    rows = ["edge,annotator,label"]
    for claim in claims:
        notes[f"c{claim.number}.md"] = _claim(claim)
        for place, passage in enumerate(claim.passages):
            name, (pro, con, neither) = f"p{claim.number}-{place}", passage.votes
            relation = "supports" if pro >= con else "contradicts"
            edge = f"- {relation}:: [[c{claim.number}]] — as annotators say ^tells\n"
            said = _evidence(f"Passage {place} on claim {claim.number}", passage)
            notes[f"{name}.md"] = f"{said}\n{edge}"
            labels = ["supports"] * pro + ["contradicts"] * con + ["neutral"] * neither
            rows += [f"{name}#tells,judge{k},{label}" for k, label in enumerate(labels)]
    judged = {"judgements/votes.csv": "\n".join(rows) + "\n"}
    return {**notes, "references.bib": _references(claims), **judged}


def notes_by_article(claims: Iterable[CheckedClaim]) -> dict[str, str]:
    """As `by_majority`, but what an article says for or against is a claim on the way."""
    claims, notes = list(claims), {}
    for claim in claims:
        notes[f"c{claim.number}.md"] = _claim(claim)
        for place, passage in enumerate(claim.passages):
            relation = RELATIONS.get(passage.label)
            said = f"> [!evidence] Passage {place} ^p{place}\n> Seen. [@a{passage.article}]\n"
            name = f"c{claim.number}-{relation}-{passage.article}.md"
            start = f"---\ntype: claim\n---\n\n# Article {passage.article} {relation} it\n\n"
            start += f"- {relation}:: [[c{claim.number}]] — as it says ^tells\n\n"
            if relation:
                notes[name] = notes.get(name, start) + said + "\n"
    return {**notes, "references.bib": _references(claims)}


def _claim(claim: CheckedClaim) -> str:
    return f"---\ntype: claim\n---\n\n# Claim {claim.number}\n\n"


def _evidence(title: str, passage: Passage) -> str:
    return f"---\ntype: evidence\n---\n\n# {title}\n\nSeen. [@a{passage.article}]\n"


def _references(claims: Iterable[CheckedClaim]) -> str:
    articles = dict.fromkeys(p.article for claim in claims for p in claim.passages)
    return "".join(f"@misc{{a{each}, title={{Article {each}}}}}\n" for each in articles)


def load_notes(folder: Path, notes: Mapping[str, str]) -> Corpus:
    """The corpus of notes, written into a folder."""
    for path, text in notes.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return kg.load(folder)


def words_of(reading: Reading, claims: Iterable[CheckedClaim]) -> dict[str, str]:
    """The word for each claim, by its number."""
    return {
        claim.number: strength_word(
            outcome_of(reading.question(f"c{claim.number}")), reading.settings
        )
        for claim in claims
    }


def word_agrees(word: str, label: str) -> bool:
    """Whether a word says what a label does."""
    if label == "DISPUTED":
        return word in (StrengthWord.CONTESTED, StrengthWord.EVEN)
    if label == "NOT_ENOUGH_INFO":
        return word == StrengthWord.OPEN
    return side_of(word) == {"SUPPORTS": 1, "REFUTES": -1}[label]


def tally(claims: Iterable[CheckedClaim], words: Mapping[str, str]) -> dict[str, Counter[str]]:
    """Per label, how often which word."""
    found: dict[str, Counter[str]] = {label: Counter() for label in LABELS}
    for claim in claims:
        found[claim.label][words[claim.number]] += 1
    return found


def agreement_rate(counts: Mapping[str, Counter[str]], *labels: str) -> float:
    """The share of claims with `labels` (all, unless some are named) on whose word both agree."""
    chosen = labels or LABELS
    hits = sum(
        n for label in chosen for word, n in counts[label].items() if word_agrees(word, label)
    )
    return hits / sum(sum(counts[label].values()) for label in chosen)


def main() -> None:
    """Print rates and counts under each way of writing the data down."""
    claims = load_claims()
    for name, write in (
        ("majority", notes_by_majority),
        ("article", notes_by_article),
        ("votes", notes_by_votes),
    ):
        with tempfile.TemporaryDirectory() as folder:
            reading = reasoning.reading_of(load_notes(Path(folder), write(claims)))
        counts = tally(claims, words_of(reading, claims))
        print(f"{name}: {agreement_rate(counts):.3f} of {len(claims)}")
        for label in LABELS:
            shown = ", ".join(f"{word} {n}" for word, n in counts[label].most_common())
            print(f"  {label:16} {agreement_rate(counts, label):.3f}  {shown}")


if __name__ == "__main__":
    main()
