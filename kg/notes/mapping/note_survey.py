"""Count what notes use: keys, types, tags, titles, links with reasons."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from kg.model import Diagnostic, Relation
from kg.model.settings.note_map import fold_map_word
from kg.notes.corrections import INVERSE_RELATIONS, RELATION_SYNONYMS
from kg.notes.frontmatter.front_matter import FrontMatter, fold_key
from kg.notes.frontmatter.note_fields import find_type, split_prefix
from kg.notes.mapping.map_front import FENCED_FRONT_MATTER, split_bare
from kg.notes.mapping.note_links import without_brackets
from kg.notes.note_files import NoteFile, decode_file
from kg.text.questions import is_question

TYPE_KEYS = (
    "type",
    "kind",
    "note-type",
    "notetype",
    "node-type",
    "nodetype",
    "dg-type",
)
_ARGUMENTS = frozenset((*(each.value for each in Relation), *RELATION_SYNONYMS, *INVERSE_RELATIONS))
_LINKED = r"(?:\[\[[^\[\]\n]+\]\]|\[[^\[\]\n]*\]\([^()\n]+\.md[^()\n]*\))"
_WIKI_LINK_START = re.compile(r"\[\[([^\[\]|#\n]+)")
_REASONED = re.compile(
    rf"^[ \t]*[-*+] [*\"“]*{_LINKED}[*\"”]*(?: +(?:—|–|--|-)|:) +(?:(\w[\w -]{{0,30}}?):\s)?",
    re.MULTILINE,
)
_FIELD = re.compile(
    rf"(?:^[ \t]*(?:[-*+][ ]+)?|[\[(])[*_]*(\w[\w -]{{0,30}}?)[*_]*::[*_]*\s*{_LINKED}",
    re.MULTILINE,
)
_LABEL = re.compile(rf"^(?:#+ |\*\*)([^\n]{{2,40}}?):?(?:\*\*)?:?\n+[-*+] {_LINKED}", re.MULTILINE)
CONNECTIVES = ("since", "because")  # conjunctions that introduce a reason
_CONNECTED = re.compile(rf"\b({'|'.join(CONNECTIVES)})\s+[\"“*_]*\[\[", re.IGNORECASE)
_PREFIX = re.compile(r"(@|[A-Z]{2,4}[ ]?[-–—:][ ])")
_SENTENCE = re.compile(
    r"(?!(?:untitled|inbox|scratch|to-?do|notes?|list|how to|draft)\b)\S+(?:\s+\S+){2,}"
    r"\s+(?!(?:\d{4}|\d+[./-][\d./-]+)\Z)\S*[^\s:?]\Z",
    re.IGNORECASE,
)
_MAP_LINKS = 5  # fewest links of a note that leads through others


@dataclass
class TitleCount:
    """Counts of how some notes' titles read, and whether the notes argue."""

    notes: int = 0
    sentences: int = 0
    questions: int = 0
    arguing_notes: int = 0
    leading_notes: int = 0

    def add(self, title: str, argues: bool, links: int) -> None:
        """Count one more note, whether it `argues`, and how many notes it links to."""
        self.notes += 1
        self.leading_notes += is_question(title) or links >= _MAP_LINKS
        self.arguing_notes += argues
        self.questions += is_question(title)
        self.sentences += bool(_SENTENCE.match(title.strip()))

    @property
    def type(self) -> str | None:
        """The most likely type of such notes; None if nothing indicates one."""
        if self.questions * 2 > self.notes:
            return "line"
        return (
            "claim" if self.are_mostly_sentences or self.arguing_notes * 2 >= self.notes else None
        )

    @property
    def are_mostly_sentences(self) -> bool:
        """Whether most of the titles may be sentences."""
        # well over half: topics mistaken for claims are worse than the reverse
        return self.sentences * 10 >= self.notes * 6

    @property
    def leads_to_others(self) -> bool:
        """Whether most of the notes ask something, or lead through many others."""
        return self.leading_notes * 2 > self.notes


def _counter_of_titles() -> defaultdict[str, TitleCount]:
    return defaultdict(TitleCount)


@dataclass
class Survey:
    """Counts of what the notes of a folder use.

    Titles are counted by each word for a type, tag and title prefix; notes without a type or
    prefix also by folder.
    """

    note_count: int = 0
    understood: int = 0
    sources: int = 0  # marked as such in kg's terms
    keys: Counter[str] = field(default_factory=Counter)
    type_keys: Counter[str] = field(default_factory=Counter)
    types: defaultdict[str, TitleCount] = field(default_factory=_counter_of_titles)
    tags: defaultdict[str, TitleCount] = field(default_factory=_counter_of_titles)
    titles: defaultdict[str, TitleCount] = field(default_factory=_counter_of_titles)
    folders: defaultdict[str, TitleCount] = field(default_factory=_counter_of_titles)
    values: defaultdict[str, list[object]] = field(default_factory=lambda: defaultdict(list))
    fields: Counter[str] = field(default_factory=Counter)
    front_fields: Counter[str] = field(default_factory=Counter)
    front_links: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    labels: Counter[str] = field(default_factory=Counter)
    first_words: Counter[str] = field(default_factory=Counter)
    connectives: Counter[str] = field(default_factory=Counter)
    reasons: int = 0


def survey_notes(files: Iterable[NoteFile]) -> Survey:
    """Survey the notes; those that cannot be read are skipped."""
    survey = Survey()
    for file in files:
        text = decode_file(file)
        if not isinstance(text, Diagnostic):
            _count_note(survey, file.path, split_bare(text))
    return survey


class _NoteTraits(NamedTuple):
    """The traits of a note that each count by a word uses: its title, whether it argues, its
    links.
    """

    title: str
    argues: bool
    links: int


def _count_note(survey: Survey, path: str, front: FrontMatter) -> None:
    """Add one note to each count."""
    stem = without_brackets(path.rpartition("/")[2].removesuffix(".md"))
    body = FENCED_FRONT_MATTER.sub("", front.body)
    titles = _titles_of_note(stem, front)
    fields = _count_body(survey, body)
    argues = bool(_REASONED.search(body)) or any(field in _ARGUMENTS for field in fields)
    # the heading, which readers see, before `title:`, and that before the file's name
    traits = _NoteTraits(titles[-1], argues, len(set(_WIKI_LINK_START.findall(body))))
    survey.note_count += 1
    survey.sources += "source" in (find_type(front.value("type")), split_prefix(stem)[0])
    survey.understood += bool(find_type(front.value("type")) or split_prefix(stem)[0])
    states_type = _count_keys(survey, front, traits)
    for word in _words_in_value(front.value("tags")):
        survey.tags[word.lstrip("#").casefold()].add(*traits)
    prefix = next(filter(None, map(_PREFIX.match, titles)), None)
    if prefix is not None:
        survey.titles[prefix[1]].add(*traits)
    elif not states_type:
        survey.folders[path.rpartition("/")[0].partition("/")[0]].add(*traits)


def _titles_of_note(stem: str, front: FrontMatter) -> list[str]:
    """List the titles that a note has: the name of its file, its `title:` and its heading."""
    heading = re.search(r"^# +([^\n]+)", front.body, re.MULTILINE)
    titles = (stem, front.value("title"), heading and heading[1])
    return [without_brackets(each) for each in titles if isinstance(each, str)]


def _count_keys(survey: Survey, front: FrontMatter, traits: _NoteTraits) -> bool:
    """Count the keys of a front matter; whether one of them says what the note is."""
    states_type = False
    for key, value in front.mapping.items():
        name = fold_map_word(key)
        survey.keys[name] += 1
        survey.values[fold_key(key)].append(value)
        value_words = list(_words_in_value(value))
        if name in TYPE_KEYS and value_words:
            states_type = True
            survey.type_keys[name] += 1
            for word in value_words:
                survey.types[fold_map_word(word)].add(*traits)
        elif any("[[" in word for word in value_words):
            survey.front_fields[name] += 1
            survey.front_links[name] += [
                link for word in value_words for link in _WIKI_LINK_START.findall(word)
            ]
    return states_type


def _count_body(survey: Survey, body: str) -> list[str]:
    """Count the reasons, fields, labels and connectives of a text; its fields by name."""
    for reason in _REASONED.finditer(body):
        survey.reasons += 1
        if reason[1]:
            survey.first_words[fold_map_word(reason[1])] += 1
    fields = [fold_map_word(field) for field in _FIELD.findall(body)]
    survey.fields.update(fields)
    survey.connectives.update(map(str.casefold, _CONNECTED.findall(body)))
    survey.labels.update(fold_map_word(each.strip("*: ")) for each in _LABEL.findall(body))
    return fields


def _words_in_value(value: object) -> Iterator[str]:
    for each in value if isinstance(value, tuple) else (value,):
        if isinstance(each, str) and each.strip():
            yield each
