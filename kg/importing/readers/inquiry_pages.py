"""Import inquiry pages: a question, an essay that names notes by title, and the notes' texts.

Titles are not marked in running text. A title is a question in the middle of a sentence, or one
after which the sentence continues; a question between two sentences is the essay's own.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from kg.importing.import_records import (
    ImportedNote,
    ImportInput,
    ImportResult,
    InputFile,
    escape_line,
    escape_text,
    id_placeholder,
    join_paragraphs,
)
from kg.model.settings.config import Camp
from kg.notes.new_note import NewEdge, NewNote
from kg.text.folding import fold_title
from kg.text.plurals import pluralize
from kg.text.sentences import STOP, first_sentence, split_sentences

_SOURCES_HEADING = re.compile(r"Sources \d+ notes?")
_NEXT_LINES_HEADING = re.compile(r"Next inquiring lines?", re.IGNORECASE)
_PAGE_LABEL = "INQUIRING LINE"
_QUESTION_TITLE = re.compile(
    r"\b(?:Are|Can|Could|Did|Does|Do|Has|Have|How|Is|May|Might|Must|Should|Was|Were|What|When"
    r"|Where|Which|Whose|Who|Why|Will|Would)(?:n['’]t)?\b(?=[^?\n]*\?)"
)
_SENTENCE_END = re.compile(rf"{STOP}\s+$|^\s*$")
# a quotation mark that closes is no part of it: a title in such marks is one that the essay names
_NEW_SENTENCE = re.compile(r"\s+[\"“‘(*_]*[A-Z0-9]|\s*$")
_LONG_WORD = re.compile(r"[a-z]{4,}")
_STEM = 6  # leading letters by which words are compared
_MAX_REASON_CHARACTERS = 200  # two lines of a note: a longer reason is the essay again
# Relations, and the words between two notes that may indicate them.
_RELATION_CUES = (
    ("explains", re.compile(r"\b(?:shows why|explains|traced|mechanism|the reason)\b")),
    ("contradicts", re.compile(r"\b(?:but|yet|however|in contrast|twist)\b", re.IGNORECASE)),
    ("supports", re.compile(r"\b(?:companion|same|likewise|points the same way|also)\b")),
)


class _NamedNote(NamedTuple):
    """A note named in a paragraph, with its range."""

    title: str
    start: int
    end: int


class _PageEntry(NamedTuple):
    """An entry under the sources: its title, empty if it has none, its text, and its line."""

    title: str
    text: str
    line: int


@dataclass
class _Page:
    """One page in its parts."""

    file: InputFile
    question: str
    standfirst: str
    essay: list[str]
    entries: list[_PageEntry]
    named_notes: list[list[_NamedNote]] = field(default_factory=list)
    line: int = 1


@dataclass
class _Note:
    """A note as collected from the pages."""

    title: str
    file: str
    line: int
    text: str = ""
    suggestions: dict[str, None] = field(default_factory=dict)


def read_inquiry_pages(input: ImportInput) -> ImportResult:
    """Read a line for each page, and a claim for each note that they name."""
    remarks: list[str] = []
    pages = [page for file in input.files if (page := _parse_page(file, remarks))]
    titles = {entry.title for page in pages for entry in page.entries if entry.title}
    known_titles = sorted(titles, key=len, reverse=True)
    notes: dict[str, _Note] = {}
    for page in pages:
        page.named_notes = [_find_titles(part, known_titles) for part in page.essay]
        _collect_notes(page, notes, remarks)
    claims = [_claim_note(key, note) for key, note in notes.items()]
    lines = [_line_note(page, input.camps) for page in pages]
    return ImportResult((*claims, *lines), remarks=tuple(remarks))


def _parse_page(file: InputFile, remarks: list[str]) -> _Page | None:
    numbered_lines = [
        (number, row.strip()) for number, row in enumerate(file.text.splitlines(), 1) if row.strip()
    ]
    numbered_lines = [each for each in numbered_lines if each[1] != _PAGE_LABEL]
    rows = [row for _, row in numbered_lines]
    sources_row = _first_match(_SOURCES_HEADING, rows)
    if sources_row is None or sources_row < 2:  # a question and a standfirst come before
        remarks.append(
            f"{file.name}: not an inquiry page, as no line says `Sources … notes`; left out"
        )
        return None
    end = _first_match(_NEXT_LINES_HEADING, rows)
    entries: list[_PageEntry] = []
    title = ""
    for line_number, row in numbered_lines[sources_row + 1 : end]:
        if row.endswith("?") and not title:
            title = row
        else:
            entries.append(_PageEntry(title, row, line_number))
            title = ""
    question, standfirst, *essay = rows[:sources_row]
    return _Page(file, question, standfirst, essay, entries, line=numbered_lines[0][0])


def _first_match(pattern: re.Pattern[str], rows: list[str]) -> int | None:
    """The place of the first row that a pattern matches whole."""
    return next((place for place, row in enumerate(rows) if pattern.fullmatch(row)), None)


# -- titles in running text ----------------------------------------------------------------------


def _find_titles(text: str, known_titles: list[str]) -> list[_NamedNote]:
    """The notes that a paragraph names, in order."""
    named_notes: list[_NamedNote] = []
    search_start = 0
    while (end := text.find("?", search_start) + 1) > 0:
        title = next((t for t in known_titles if text.endswith(t, search_start, end)), "")
        starts = [each.start() for each in _QUESTION_TITLE.finditer(text, search_start, end)]
        start = end - len(title) if title else starts[-1] if starts else -1
        if start >= 0 and (title or _is_title(text, start, end, named_notes)):
            named_notes.append(_NamedNote(text[start:end], start, end))
        search_start = end
    return named_notes


def _is_title(text: str, start: int, end: int, earlier_notes: list[_NamedNote]) -> bool:
    follows = bool(earlier_notes) and not text[earlier_notes[-1].end : start].strip()
    # a sentence may end just before a title, with only quotes and brackets in between
    begins = not follows and _SENTENCE_END.search(text[max(0, start - 40) : start]) is not None
    return len(split_sentences(text[start:end])) == 1 and not (
        begins and _NEW_SENTENCE.match(text, end)
    )


# -- notes ---------------------------------------------------------------------------------------


def _collect_notes(page: _Page, notes: dict[str, _Note], remarks: list[str]) -> None:
    """Add a page's texts and suggested relations to its notes."""
    titled_entries = [entry for entry in page.entries if entry.title]
    title_by_key = {
        fold_title(note.title): note.title for part in page.named_notes for note in part
    }
    title_by_key |= {fold_title(entry.title): entry.title for entry in titled_entries}
    texts = {fold_title(entry.title): (entry.text, entry.line) for entry in titled_entries}
    untitled = [(entry.text, entry.line) for entry in page.entries if not entry.title]
    keys_without_text = [key for key in title_by_key if key not in texts]
    texts |= _texts_by_key(keys_without_text, untitled, _contexts_of_titles(page))
    if lost := len(page.entries) - len(texts):
        remarks.append(
            f"{page.file.name}: {pluralize(lost, 'text')} of notes that the essay does not name"
        )
    for key, title in title_by_key.items():
        text, line_number = texts.get(key, ("", page.line))
        note = notes.setdefault(key, _Note(title, page.file.name, line_number))
        note.text = note.text or text
        if key not in texts:
            remarks.append(f"{page.file.name}: no text for {title!r}")
    for part, named_notes in zip(page.essay, page.named_notes, strict=True):
        for first, second in pairwise(named_notes):
            for row in _guess_relation(part, first, second):
                notes[fold_title(second.title)].suggestions[row] = None


def _contexts_of_titles(page: _Page) -> dict[str, str]:
    """The essay's words around each title."""
    contexts: dict[str, str] = {}
    for part, named_notes in zip(page.essay, page.named_notes, strict=True):
        start = 0
        for each in named_notes:
            key = fold_title(each.title)
            next_words = first_sentence(part[each.end : each.end + 1000]).partition("?")[0]
            contexts[key] = f"{contexts.get(key, '')} {part[start : each.end]} {next_words}"
            start = each.end
    return contexts


def _texts_by_key(
    keys: list[str], texts: list[tuple[str, int]], contexts: dict[str, str]
) -> dict[str, tuple[str, int]]:
    """The text for each key, with its line: both are in the same order, but either may have gaps.

    `contexts` are words near a title, by its key, to compare with the texts.
    """
    if len(keys) == len(texts):
        return dict(zip(keys, texts, strict=True))
    key_stems = [_stems_of_words(contexts.get(key, key)) for key in keys]
    text_stems = [_stems_of_words(text) for text, _ in texts]
    best_scores = [[0] * (len(texts) + 1) for _ in range(len(keys) + 1)]
    for i in range(len(keys) - 1, -1, -1):
        for j in range(len(texts) - 1, -1, -1):
            shared_stems = len(key_stems[i] & text_stems[j])
            best_scores[i][j] = max(
                best_scores[i + 1][j],
                best_scores[i][j + 1],
                best_scores[i + 1][j + 1] + shared_stems,
            )
    texts_by_key = {}
    i = j = 0
    while i < len(keys) and j < len(texts):
        if best_scores[i][j] == best_scores[i + 1][j]:
            i += 1
        elif best_scores[i][j] == best_scores[i][j + 1]:
            j += 1
        else:
            texts_by_key[keys[i]] = texts[j]
            i = i + 1
            j = j + 1
    return texts_by_key


def _stems_of_words(text: str) -> set[str]:
    return {word[:_STEM] for word in _LONG_WORD.findall(text.casefold())}


def _guess_relation(text: str, first: _NamedNote, second: _NamedNote) -> Iterator[str]:
    """A suggested relation from the words between two notes, if any."""
    between = text[first.end : second.start]
    for relation, cue in _RELATION_CUES:
        if cue.search(between) and first.title != second.title:
            target = id_placeholder(fold_title(first.title))
            yield f"- {relation}:: [[{target}]] — {escape_line(between).strip(' .')}".replace(
                "%", ""
            )
            return


def _claim_note(key: str, note: _Note) -> ImportedNote:
    rows = "\n".join(note.suggestions)
    comment = (
        f"%% Relations that the page may mean; move those that it does below this:\n{rows}\n%%"
    )
    body = join_paragraphs((escape_text(note.text), comment if rows else ""))
    return ImportedNote(note.file, key, NewNote("claim", note.title, body=body), note.line)


# -- lines ---------------------------------------------------------------------------------------


def _line_note(page: _Page, camps: tuple[Camp, ...]) -> ImportedNote:
    essay = map(_link_titles, page.essay, page.named_notes)
    body = join_paragraphs((escape_text(page.standfirst), *essay, "## Camps"))
    edges = sorted(_placements_of(page, camps), key=lambda edge: edge.relation == "relates")
    new_note = NewNote("line", page.question, body=body, edges=edges)
    return ImportedNote(page.file.name, f"? {fold_title(page.question)}", new_note, page.line)


def _placements_of(page: _Page, camps: tuple[Camp, ...]) -> Iterable[NewEdge]:
    """Each statement that the essay names, in the camp where it is first named in one."""
    placements: dict[str, NewEdge] = {}
    for text, named_notes in zip(page.essay, page.named_notes, strict=True):
        camps_by_start = _camps_in(text, camps)
        for each in named_notes:
            key = fold_title(each.title)
            index = bisect_right(camps_by_start, each.start, key=itemgetter(0)) - 1
            camp = camps_by_start[index][1]
            if key not in placements or (camp and placements[key].relation == "relates"):
                reason = _sentence_at(text, each)
                placements[key] = NewEdge(camp or "relates", id_placeholder(key), reason)
    return placements.values()


def _link_titles(text: str, named_notes: list[_NamedNote]) -> str:
    """A paragraph with its titles turned into links."""
    parts = []
    offset = 0
    for each in named_notes:
        parts += [escape_text(text[offset : each.start]), _link_to_title(each.title)]
        offset = each.end
    parts.append(escape_text(text[offset:]))
    return re.sub(r" ([.,;:)])", r"\1", " ".join(filter(None, parts)))


def _link_to_title(title: str) -> str:
    link_text = re.sub(r"[\[\]|]", " ", title)
    return f"[[{id_placeholder(fold_title(title))}|{escape_line(link_text)}]]"


def _sentence_at(text: str, note: _NamedNote) -> str:
    """The words before a title, as the reason for its placement."""
    # no sentence is longer; without a limit, a long paragraph would be split again for each title
    words_before = split_sentences(text[max(0, note.start - 2000) : note.start].strip())[-1]
    words_after = first_sentence(text[note.end : note.end + 1000].strip())
    # fewer than about three words, as in “But see”, are not a reason by themselves
    words = words_before if len(words_before) > 20 else f"{words_before} … {words_after}"
    words = re.sub(r"\s*(?:[—–]|--)\s*", ", ", words).strip(" .,")
    reason = words[-_MAX_REASON_CHARACTERS:]
    reason = reason if reason == words else f"… {reason.partition(' ')[2]}"
    return escape_line(reason) or "named in the essay"


def _camps_in(text: str, camps: tuple[Camp, ...]) -> list[tuple[int, str]]:
    """The start of each sentence, and the camp that the paragraph is about by then.

    A sentence that names several camps is about none.
    """
    camps_by_start: list[tuple[int, str]] = []
    camp = ""
    start = 0
    for sentence in split_sentences(text):
        named_camps = [each.id for each in camps if _names_camp(sentence, each)]
        camp = named_camps[0] if len(named_camps) == 1 else "" if named_camps else camp
        camps_by_start.append((start, camp))
        start += len(sentence)
    return camps_by_start


def _names_camp(sentence: str, camp: Camp) -> bool:
    """Return whether a sentence names a camp by its id or label, as whole words.

    “optimists” and “optimistic” name the camp “optimist”; “present” does not name “pro”.
    """
    names = "|".join(re.escape(_plain_spelling(name)) for name in (camp.id, camp.label))
    pattern = rf"(?<!\w)(?:{names})(?:s|ic|al)?(?!\w)"
    return re.search(pattern, _plain_spelling(sentence)) is not None


def _plain_spelling(text: str) -> str:
    """Text in a uniform spelling, to find camps in it: “Sceptics”, “new-realists”."""
    return text.casefold().replace("sceptic", "skeptic").replace("-", " ")
