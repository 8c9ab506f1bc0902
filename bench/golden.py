"""What the program gives out, as sums: to see that moving its parts about changed nothing.

`python -m bench.golden FILE` writes the sums, or, where FILE is there already, compares: it names
whatever came out otherwise and ends with 1. It takes the notes of this folder and a vault made for
the purpose, and of each the site, every export, and every command as text and as JSON.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from click.testing import CliRunner

from bench.vault import write_vault
from kg.api import load
from kg.cli import main as kg

SIZE = 300
"""Notes of the vault: enough for every kind of page, few enough for a minute in all."""
RDF = ("ttl", "nq", "trig", "jsonld", "rdfxml")
EXPORTS = (
    *RDF,
    "graphml",
    "gexf",
    "dot",
    *(
        f"trig --profile {name}"
        for name in ("cito", "prov", "schema", "discourse-graph", "nanopub")
    ),
)
CORPUS_COMMANDS = (
    "check --strict",
    "check --format json",
    "check --format sarif",
    "show",
    "show --ladder",
    "gaps",
    "gaps --circles",
    "tensions",
    "agreement",
    "agreement --models",
    "help rules",
    "find claims",
    "find evidence --sort -quality",
    "find sources",
    "find edges",
    "find has:source",
    "find lines",
    "search study",
)
LINE_COMMANDS = (
    "verdict",
    "verdict --detail",
    "crux",
    "verdict --flips",
    "verdict --flips --by source",
    "verdict --robustness",
    "verdict --independence",
    "gaps",
    "tensions",
    "tensions --positions",
    "show",
    "why",
)
STATEMENT_COMMANDS = (
    "verdict",
    "verdict --flips",
    "why",
    "why --against",
    "why --by-year",
    "show",
    "show --quality",
    "whatif --falls",
)
STATEMENTS = 6
"""How many statements are asked about, evenly through the corpus."""


def commands(notes: Path) -> Iterator[str]:
    """Every question that the command line can put to a folder of notes, without its format."""
    corpus = load(notes)
    yield from CORPUS_COMMANDS
    for line in corpus.lines:
        yield from (f"{word} {line}" for word in LINE_COMMANDS)
        yield from (f"verdict {line} --case {camp}" for camp in corpus.config.camp_ids)
    ids = sorted(corpus.statements)
    some = ids[:: max(1, len(ids) // STATEMENTS)]
    for id, other in zip(some, some[1:] + some[:1], strict=True):
        yield from (f"{word} {id}" for word in STATEMENT_COMMANDS)
        yield from (f"why {id} --to {other}", f"compare {id} {other}", f"whatif --mute {id}")


def answers(name: str, notes: Path) -> Iterator[tuple[str, bytes]]:
    """What each command prints, as text and as JSON, errors included."""
    for command in commands(notes):
        forms = [""] if "--format" in command else ["", " --format json"]
        for form in forms:
            words = (
                f"{command}{form} --notes {notes}" if command != "help rules" else command + form
            )
            result = CliRunner().invoke(kg, words.split())
            said = result.output.replace(str(notes), "NOTES")
            yield f"{name}: kg {command}{form}", f"{result.exit_code}\n{said}".encode()
    for export in EXPORTS:
        result = CliRunner().invoke(kg, f"export {export} --notes {notes}".split())
        yield f"{name}: kg export {export}", result.output.encode()


def pages(name: str, notes: Path, place: Path) -> Iterator[tuple[str, bytes]]:
    """Every file of the site, and of the tables."""
    for words in (
        f"build --notes {notes} --out {place / 'site'}",
        f"export csv --notes {notes} --output {place / 'tables'}",
    ):
        result = CliRunner().invoke(kg, words.split())
        assert result.exit_code == 0, result.output
    for file in sorted([*(place / "site" / "html").rglob("*"), *(place / "tables").rglob("*")]):
        if file.is_file():
            yield f"{name}: {file.relative_to(place)}", file.read_bytes()


def digests() -> dict[str, str]:
    """A sum for each thing that the program gives out."""
    with tempfile.TemporaryDirectory() as room:
        place = Path(room)
        vault = write_vault(place / "vault" / "notes", SIZE)
        found: dict[str, str] = {}
        for name, notes in (("ours", Path("notes")), ("vault", vault)):
            for what, data in (*answers(name, notes), *pages(name, notes, place / name)):
                found[what] = hashlib.blake2b(data, digest_size=16).hexdigest()
    return found


def main(file: Path) -> int:
    """Write the sums, or compare with those that were written."""
    found = digests()
    if not file.exists():
        file.write_text(json.dumps(found, indent=0), "utf-8")
        print(f"{len(found):,} sums written to {file}")
        return 0
    before = json.loads(file.read_text("utf-8"))
    other = [what for what in {**before, **found} if before.get(what) != found.get(what)]
    print(*other, f"{len(other):,} of {len(found):,} came out otherwise", sep="\n")
    return int(bool(other))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
