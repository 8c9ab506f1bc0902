"""Import inquiry pages: a question, an essay that names notes by title, and the notes' texts.

Titles are not marked in running text. A title is a question in the middle of a sentence, or one
after which the sentence continues; a question between two sentences is the essay's own.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from kg.importing.import_records import (
    Imported,
    ImportInput,
    InputFile,
    Item,
    escape_line,
    escape_text,
    id_slot,
    join_paragraphs,
)
from kg.model.config import Camp
from kg.notes.new_note import NewEdge, NewNote, fold_title
from kg.text.plurals import pluralize

_LISTED = re.compile(r"Sources \d+ notes?")
_NEXT_LINES_HEADING = re.compile(r"Next inquiring lines?", re.IGNORECASE)
_PAGE_LABEL = "INQUIRING LINE"
_QUESTION_TITLE = re.compile(
    r"\b(?:Are|Can|Could|Did|Does|Do|Has|Have|How|Is|May|Might|Must|Should|Was|Were|What|When"
    r"|Where|Which|Whose|Who|Why|Will|Would)(?:n['’]t)?\b(?=[^?\n]*\?)"
)
_SENTENCE_END = re.compile(r"[.!?][\"”’)*_]*\s+$|^\s*$")
_NEW_SENTENCE = re.compile(r"\s+[\"“‘(*_]*[A-Z0-9]|\s*$")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"“*])")
_LONG_WORD = re.compile(r"[a-z]{4,}")
_STEM = 6  # leading letters by which words are compared
_MAX_REASON_CHARACTERS = 200  # two lines of a note: a longer reason is the essay again
_RELATION_CUES = (
    ("explains", re.compile(r"\b(?:shows why|explains|traced|mechanism|the reason)\b")),
    ("contradicts", re.compile(r"\b(?:but|yet|however|in contrast|twist)\b", re.IGNORECASE)),
    ("supports", re.compile(r"\b(?:companion|same|likewise|points the same way|also)\b")),
)
"""Relations, and the words between two notes that may indicate them."""


class _NamedNote(NamedTuple):
    """A note named in a paragraph, with its range."""

    title: str
    start: int
    end: int


@dataclass
class _Page:
    """One page in its parts."""

    file: InputFile
    question: str
    standfirst: str
    essay: list[str]
    listed: list[tuple[str, str, int]]
    """The entries under the sources: title (empty if there is none), text and line."""
    named: list[list[_NamedNote]] = field(default_factory=list)
    line: int = 1


@dataclass
class _Note:
    """A note as collected from the pages."""

    title: str
    file: str
    line: int
    text: str = ""
    suggested: dict[str, None] = field(default_factory=dict)


def read_pages(input: ImportInput) -> Imported:
    """Read a line for each page, and a claim for each note that they name."""
    remarks: list[str] = []
    pages = [page for file in input.files if (page := _page(file, remarks))]
    known = sorted(
        {title for page in pages for title, _, _ in page.listed if title}, key=len, reverse=True
    )
    notes: dict[str, _Note] = {}
    for page in pages:
        page.named = [_find_titles(part, known) for part in page.essay]
        _collect_notes(page, notes, remarks)
    claims = [_claim(key, note) for key, note in notes.items()]
    lines = [_line_item(page, input.camps) for page in pages]
    return Imported((*claims, *lines), remarks=tuple(remarks))


def _page(file: InputFile, remarks: list[str]) -> _Page | None:
    rows = [(at, row.strip()) for at, row in enumerate(file.text.splitlines(), 1) if row.strip()]
    rows = [each for each in rows if each[1] != _PAGE_LABEL]
    cut = next((at for at, (_, row) in enumerate(rows) if _LISTED.fullmatch(row)), None)
    if cut is None or cut < 2:
        remarks.append(
            f"{file.name}: not an inquiry page, as no line says `Sources … notes`; left out"
        )
        return None
    end = next(
        (at for at, (_, row) in enumerate(rows) if _NEXT_LINES_HEADING.fullmatch(row)), len(rows)
    )
    listed: list[tuple[str, str, int]] = []
    title = ""
    for line, row in rows[cut + 1 : end]:
        if row.endswith("?") and not title:
            title = row
        else:
            listed.append((title, row, line))
            title = ""
    (line, question), (_, standfirst), *essay = rows[:cut]
    return _Page(file, question, standfirst, [row for _, row in essay], listed, line=line)


# -- titles in running text ----------------------------------------------------------------------


def _find_titles(text: str, known: list[str]) -> list[_NamedNote]:
    """The notes that a paragraph names, in order."""
    found: list[_NamedNote] = []
    begin = 0
    while (end := text.find("?", begin) + 1) > 0:
        title = next((t for t in known if text.endswith(t, begin, end)), "")
        starts = [each.start() for each in _QUESTION_TITLE.finditer(text, begin, end)]
        start = end - len(title) if title else starts[-1] if starts else -1
        if start >= 0 and (title or _is_title(text, start, end, found)):
            found.append(_NamedNote(text[start:end], start, end))
        begin = end
    return found


def _is_title(text: str, start: int, end: int, before: list[_NamedNote]) -> bool:
    follows = bool(before) and not text[before[-1].end : start].strip()
    # a sentence may end just before a title, with only quotes and brackets in between
    begins = not follows and _SENTENCE_END.search(text[max(0, start - 40) : start]) is not None
    return not re.search(r"[.!?]\s", text[start:end]) and not (
        begins and _NEW_SENTENCE.match(text, end)
    )


# -- notes ---------------------------------------------------------------------------------------


def _collect_notes(page: _Page, notes: dict[str, _Note], remarks: list[str]) -> None:
    """Add a page's texts and suggested relations to its notes."""
    order = {fold_title(n.title): n.title for part in page.named for n in part}
    texts = {fold_title(title): (text, line) for title, text, line in page.listed if title}
    order |= {fold_title(title): title for title, _, _ in page.listed if title}
    bare = [(text, line) for title, text, line in page.listed if not title]
    missing = [key for key in order if key not in texts]
    texts |= _align_texts(missing, bare, _contexts(page))
    if lost := len(bare) + sum(bool(title) for title, _, _ in page.listed) - len(texts):
        remarks.append(
            f"{page.file.name}: {pluralize(lost, 'text')} of notes that the essay does not name"
        )
    for key, title in order.items():
        text, line = texts.get(key, ("", page.line))
        note = notes.setdefault(key, _Note(title, page.file.name, line))
        note.text = note.text or text
        if key not in texts:
            remarks.append(f"{page.file.name}: no text for {title!r}")
    for part, named in zip(page.essay, page.named, strict=True):
        for first, second in pairwise(named):
            for row in _guess_relation(part, first, second):
                notes[fold_title(second.title)].suggested[row] = None


def _contexts(page: _Page) -> dict[str, str]:
    """The essay's words around each title."""
    found: dict[str, str] = {}
    for part, named in zip(page.essay, page.named, strict=True):
        begin = 0
        for each in named:
            key = fold_title(each.title)
            after = _SENTENCE.split(part[each.end : each.end + 1000])[0].partition("?")[0]
            found[key] = f"{found.get(key, '')} {part[begin : each.end]} {after}"
            begin = each.end
    return found


def _align_texts(
    keys: list[str], texts: list[tuple[str, int]], contexts: dict[str, str]
) -> dict[str, tuple[str, int]]:
    """Assign texts to titles: both are in the same order, but either may have gaps."""
    if len(keys) == len(texts):
        return dict(zip(keys, texts, strict=True))
    said = [_stems(contexts.get(key, key)) for key in keys]
    told = [_stems(text) for text, _ in texts]
    best = [[0] * (len(texts) + 1) for _ in range(len(keys) + 1)]
    for i in range(len(keys) - 1, -1, -1):
        for j in range(len(texts) - 1, -1, -1):
            alike = len(said[i] & told[j])
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + alike)
    found = {}
    i = j = 0
    while i < len(keys) and j < len(texts):
        if best[i][j] == best[i + 1][j]:
            i += 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            found[keys[i]] = texts[j]
            i, j = i + 1, j + 1
    return found


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in _LONG_WORD.findall(text.casefold())}


def _guess_relation(text: str, first: _NamedNote, second: _NamedNote) -> Iterator[str]:
    """A suggested relation from the words between two notes, if any."""
    between = text[first.end : second.start]
    for relation, cue in _RELATION_CUES:
        if cue.search(between) and first.title != second.title:
            target = id_slot(fold_title(first.title))
            yield f"- {relation}:: [[{target}]] — {escape_line(between).strip(' .')}".replace(
                "%", ""
            )
            return


def _claim(key: str, note: _Note) -> Item:
    rows = "\n".join(note.suggested)
    comment = (
        f"%% Relations that the page may mean; move those that it does below this:\n{rows}\n%%"
    )
    body = join_paragraphs((escape_text(note.text), comment if rows else ""))
    return Item(note.file, key, NewNote("claim", note.title, body=body), note.line)


# -- lines ---------------------------------------------------------------------------------------


def _line_item(page: _Page, camps: tuple[Camp, ...]) -> Item:
    placed: dict[str, NewEdge] = {}
    essay = []
    for text, named in zip(page.essay, page.named, strict=True):
        essay.append(_link_titles(text, named))
        spoken = _camps_in(text, camps)
        for each in named:
            key = fold_title(each.title)
            at = bisect_right(spoken, each.start, key=itemgetter(0)) - 1
            camp = spoken[at][1]
            if key not in placed or (camp and placed[key].relation == "relates"):
                reason = _sentence_at(text, each)
                placed[key] = NewEdge(camp or "relates", id_slot(key), reason)
    body = join_paragraphs((escape_text(page.standfirst), *essay, "## Camps"))
    edges = sorted(placed.values(), key=lambda edge: edge.relation == "relates")
    key = fold_title(page.question)
    new_note = NewNote("line", page.question, body=body, edges=edges)
    return Item(page.file.name, f"? {key}", new_note, page.line)


def _link_titles(text: str, named: list[_NamedNote]) -> str:
    """A paragraph with its titles turned into links."""
    parts, at = [], 0
    for each in named:
        parts += [escape_text(text[at : each.start]), _link(each.title)]
        at = each.end
    parts.append(escape_text(text[at:]))
    return re.sub(r" ([.,;:)])", r"\1", " ".join(filter(None, parts)))


def _link(title: str) -> str:
    shown = re.sub(r"[\[\]|]", " ", title)
    return f"[[{id_slot(fold_title(title))}|{escape_line(shown)}]]"


def _sentence_at(text: str, named: _NamedNote) -> str:
    """The words before a title, as the reason for its placement."""
    # no sentence is longer; without a limit, a long paragraph would be split again for each title
    before = _SENTENCE.split(text[max(0, named.start - 2000) : named.start].strip())[-1]
    after = _SENTENCE.split(text[named.end : named.end + 1000].strip())[0]
    # fewer than about three words, as in “But see”, are not a reason by themselves
    words = before if len(before) > 20 else f"{before} … {after}"
    words = re.sub(r"\s*(?:[—–]|--)\s*", ", ", words).strip(" .,")
    kept = words[-_MAX_REASON_CHARACTERS:]
    kept = kept if kept == words else f"… {kept.partition(' ')[2]}"
    return escape_line(kept) or "named in the essay"


def _camps_in(text: str, camps: tuple[Camp, ...]) -> list[tuple[int, str]]:
    """The start of each sentence, and the camp that the paragraph is about by then.

    A sentence that names several camps is about none.
    """
    found: list[tuple[int, str]] = []
    camp = ""
    begin = 0
    for sentence in _SENTENCE.split(text):
        named = [each.id for each in camps if _names_camp(sentence, each)]
        camp = named[0] if len(named) == 1 else "" if named else camp
        found.append((begin, camp))
        begin += len(sentence) + 1
    return found


def _names_camp(sentence: str, camp: Camp) -> bool:
    """Whether a sentence names a camp by its id or label, as whole words.

    `optimists` and `optimistic` name the camp `optimist`; `present` does not name `pro`.
    """
    names = "|".join(re.escape(_plain_spelling(name)) for name in (camp.id, camp.label))
    whole = rf"(?<!\w)(?:{names})(?:s|ic|al)?(?!\w)"
    return re.search(whole, _plain_spelling(sentence)) is not None


def _plain_spelling(text: str) -> str:
    """Text in a uniform spelling, to find camps in it: `Sceptics`, `new-realists`."""
    return text.casefold().replace("sceptic", "skeptic").replace("-", " ")
