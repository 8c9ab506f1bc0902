"""Map front matter, tags, title and folder of a note to the terms of `kg`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum, auto
from typing import Any, NamedTuple

from kg.model.settings.note_map import (
    CITATION_KEY_WORD,
    LEFT_OUT,
    WORK_FIELDS,
    NoteMap,
    NoteType,
    fold_map_word,
)
from kg.notes.frontmatter.front_matter import FrontMatter, fold_key, split_front_matter
from kg.notes.frontmatter.note_fields import DATE_PATTERN, find_type, split_prefix
from kg.notes.frontmatter.value_parsers import show_value
from kg.notes.frontmatter.yaml import offset_of_value
from kg.notes.mapping.note_links import without_brackets
from kg.notes.markdown.inline_syntax import CITATION_KEY, REASON, WIKI_LINK

# Values that YAML refuses or reads as lists, while other programs read them as text.
_BARE_VALUE = re.compile(
    r"^([\w-][\w -]*:[ \t]+)(?=@|\[\[@|\[\[[^\[\]\n]*\]\][ \t]*[^\s\]]|\[\[\[\[|\w[^\n]*:[ \t])"
    r"([^\n]*\S)",
    re.MULTILINE,
)
_KEY = re.compile(rf"@?({CITATION_KEY.pattern})")
_HASHTAG = re.compile(r"(?<!\S)#([^\W\d][\w/-]*)")
FENCED_FRONT_MATTER = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^# +([^\n]+)", re.MULTILINE)
_CITED_AT_END = re.compile(rf"(?<=\S)\s+-\s+@({CITATION_KEY.pattern})\s*\Z")
DATES = ("created", "updated", "reviewed")
_KEYS_OF_WORDS = ("topics", "about", "asserted_by", "aliases", "proposition")
_TAG_KEYS = ("tags", "tag", "topics")


class FrontLink(NamedTuple):
    """A link in front matter with a relation, at an offset in its text."""

    word: str
    target: str
    reason: str
    offset: int


class MappedFront(NamedTuple):
    """A note's front matter in the terms of `kg`, and what has no place there.

    `kept_fields` are those without a meaning here, `citations` the keys of cited sources with their
    offsets, and `work` the bibliographic data: by a source's field, the key as written and value.
    """

    front: FrontMatter
    kept_fields: dict[str, str]
    links: list[FrontLink]
    citations: list[tuple[str, int]]
    work: dict[str, tuple[str, Any]]
    left_out: bool = False


def split_bare(text: str) -> FrontMatter:
    """A note's front matter, also with unquoted values such as `@key` and `[[EVD]] - words`."""
    front = split_front_matter(text)
    end = text.find("\n---", 3)
    if front.problem is None or end < 0:
        return front
    quoted = split_front_matter(_BARE_VALUE.sub(_quote_value, text[:end]) + text[end:])
    return front if quoted.problem else quoted


def _quote_value(match: re.Match[str]) -> str:
    value = match[2].replace("\\", "\\\\").replace('"', '\\"')
    return f'{match[1]}"{value}"'


class _KeyKind(Enum):
    """The kind of value that a key is read as."""

    CITATIONS = auto()
    RELATION = auto()
    WORK = auto()
    KEPT = auto()
    FIELD = auto()


def map_front(front: FrontMatter, path: str, stem: str, note_map: NoteMap) -> MappedFront:
    """Front matter mapped by `note_map`; keys as written are kept, to find their places."""
    keys = _keys_by_kind(front, note_map)
    new_front = _map_fields(front, keys[_KeyKind.FIELD], note_map)
    mapping = new_front.mapping
    unread_dates = _unread_dates(mapping)  # reported later, and kept
    for date in unread_dates:
        del mapping[date]
    if stem.startswith("@") and new_front.value("id") is None:
        mapping["id"] = stem[1:]
    if not isinstance(new_front.value("title"), str) and _is_titled_by_file(front, stem, note_map):
        mapping["title"] = stem
    type = _type_of_note(new_front, _tags_of_note(front), path, stem, note_map)
    if type is not None and type != LEFT_OUT:
        mapping.pop(new_front.key_as_written.get("type", "type"), None)
        mapping["type"] = type
    return MappedFront(
        front=new_front,
        kept_fields=_kept_fields(front, keys) | unread_dates,
        links=list(_front_links(front, keys[_KeyKind.RELATION])),
        citations=list(_citations_of(front, keys[_KeyKind.CITATIONS])),
        work=_work_of(front, keys[_KeyKind.WORK], note_map),
        left_out=type == LEFT_OUT,
    )


def _keys_by_kind(front: FrontMatter, note_map: NoteMap) -> dict[_KeyKind, list[str]]:
    """The keys as written, by what the settings make of them."""
    kept_names = frozenset(map(fold_map_word, note_map.keep))
    keys: dict[_KeyKind, list[str]] = {kind: [] for kind in _KeyKind}
    for written_key in front.mapping:
        name = fold_map_word(written_key)
        key = note_map.keys.get(name)
        if key == CITATION_KEY_WORD:
            kind = _KeyKind.CITATIONS
        elif name in note_map.relations:
            kind = _KeyKind.RELATION
        elif key in WORK_FIELDS:
            kind = _KeyKind.WORK
        else:
            kind = _KeyKind.KEPT if key is None and name in kept_names else _KeyKind.FIELD
        keys[kind].append(written_key)
    return keys


def _kept_fields(front: FrontMatter, keys: Mapping[_KeyKind, list[str]]) -> dict[str, str]:
    """The values that are no edges and no fields here, among them those without an expected link.

    They are in the order of the note.
    """
    with_links = (*keys[_KeyKind.CITATIONS], *keys[_KeyKind.RELATION])
    kept_keys = {*keys[_KeyKind.KEPT], *keys[_KeyKind.WORK]}
    kept_keys.update(key for key in with_links if not any(_links_in_value(front, key)))
    return {key: show_value(value) for key, value in front.mapping.items() if key in kept_keys}


def _front_links(front: FrontMatter, written_keys: list[str]) -> Iterator[FrontLink]:
    for key in written_keys:
        for target, reason, offset in _links_in_value(front, key):
            yield FrontLink(fold_map_word(key), target, reason, offset)


def _citations_of(front: FrontMatter, written_keys: list[str]) -> Iterator[tuple[str, int]]:
    for key in written_keys:
        for target, _, offset in _links_in_value(front, key):
            if match := _KEY.fullmatch(target):
                yield match[1], offset


def _work_of(
    front: FrontMatter, written_keys: list[str], note_map: NoteMap
) -> dict[str, tuple[str, Any]]:
    """Find for each field of a source the first key that gives it, as written, and its value."""
    work: dict[str, tuple[str, Any]] = {}
    for key in written_keys:
        work.setdefault(note_map.keys[fold_map_word(key)], (key, front.mapping[key]))
    return work


def _map_fields(front: FrontMatter, written_keys: list[str], note_map: NoteMap) -> FrontMatter:
    """Front matter with these keys alone, by their proper names; words of equal keys are joined."""
    mapping: dict[str, Any] = {}
    key_as_written = dict(front.key_as_written)
    for written_key in written_keys:
        value = front.mapping[written_key]
        key = note_map.keys.get(fold_map_word(written_key))
        if key is None:
            mapping[written_key] = _strip_marks(fold_key(written_key), value)
        elif mapping.get(key) is None:
            mapping[key] = _strip_marks(key, value)
            key_as_written[key] = written_key
        else:
            mapping[key] = _merge_words(mapping[key], _strip_marks(key, value))
    return front._replace(mapping=mapping, key_as_written=key_as_written)


def _unread_dates(mapping: Mapping[str, Any]) -> dict[str, str]:
    """The dates that are written in another form than `kg` reads."""
    days = {date: mapping.get(date) for date in DATES}
    return {
        date: day
        for date, day in days.items()
        if isinstance(day, str) and not DATE_PATTERN.fullmatch(day)
    }


def _is_titled_by_file(front: FrontMatter, stem: str, note_map: NoteMap) -> bool:
    """Return whether a note without a title is called as its file, as other programs do, which use
    first-level headings as sections; but a source's key is not a title.
    """
    if split_title(stem, note_map.titles)[0] is not None and not stem.startswith("@"):
        return True
    return len(_HEADING.findall(FENCED_FRONT_MATTER.sub("", front.body))) > 1


def _links_in_value(front: FrontMatter, key: str) -> Iterator[tuple[str, str, int]]:
    """Yield each link in the value of a key: its name, the reason after it, and its place."""
    value = front.mapping[key]
    for words in value if isinstance(value, tuple) else (value,):
        if not isinstance(words, str):
            continue
        wiki_links = list(WIKI_LINK.finditer(words))
        # YAML reads a bare `[[name]]` as a nested list, without its brackets
        if not wiki_links and (words.startswith("@") or f"[[{words}]]" in front.text):
            yield words.strip(), "", offset_of_value(front.text, key, words)
        for number, link in enumerate(wiki_links):
            end = wiki_links[number + 1].start() if number + 1 < len(wiki_links) else len(words)
            dash = REASON.search(words, link.end() - 1, end)
            reason = words[dash.end() : end].strip() if dash else ""
            name = link["name"].partition("#")[0].rpartition("/")[2].strip()
            yield name, reason, offset_of_value(front.text, key, name)


def _strip_marks(key: str, value: object) -> Any:
    """A value without the marks of links and tags, if the key takes words."""
    if key in DATES and isinstance(value, str) and (day := DATE_PATTERN.match(value)):
        return day[0]
    if key not in _KEYS_OF_WORDS or value is None:
        return value
    words = value if isinstance(value, tuple) else (value,)
    plain = tuple(
        _word_of_link(each) for each in words if isinstance(each, str) and _word_of_link(each)
    )
    if isinstance(value, tuple):
        return plain
    return plain[0] if plain else None


def _word_of_link(text: str) -> str:
    return WIKI_LINK.sub(lambda link: link["name"], text).lstrip("#").strip()


def _merge_words(first: object, second: object) -> Any:
    """Two values of one key as one, if they are words."""
    both = [*(first if isinstance(first, tuple) else (first,))]
    both += [*(second if isinstance(second, tuple) else (second,))]
    return tuple(dict.fromkeys(each for each in both if isinstance(each, str)))


def _tags_of_note(front: FrontMatter) -> list[str]:
    """The tags of a note: those of its front matter first."""
    words: list[str] = []
    for key in _TAG_KEYS:
        value = front.value(key)
        for each in value if isinstance(value, tuple) else (value,):
            words += re.split(r"[\s,]+", each) if isinstance(each, str) else []
    words += [match[1] for match in _HASHTAG.finditer(front.body)]
    return [word.lstrip("#").casefold() for word in words]


def _type_of_note(
    front: FrontMatter, tags: list[str], path: str, stem: str, note_map: NoteMap
) -> NoteType | None:
    """The type of a note, by its `type` key, a tag, its title, or its folder, in this order."""
    value = front.value("type")
    for word in value if isinstance(value, tuple) else (value,):
        if type := note_map.types.get(fold_map_word(str(word))) or find_type(word):
            return type
    for tag in tags:
        if type := note_map.tags.get(tag):
            return type
    titles = [stem, front.value("title"), *_HEADING.findall(front.body)[:1]]
    for title in titles:
        if isinstance(title, str) and (type := split_title(title, note_map.titles)[0]):
            return type
    return _type_of_folder(path, note_map.folders)


def split_title(title: str, prefixes: Mapping[str, NoteType]) -> tuple[NoteType | None, str]:
    """The type that a title's prefix stands for, and the title without it."""
    title = without_brackets(title)
    for prefix in sorted(prefixes, key=len, reverse=True):
        plain = without_brackets(prefix)
        if title.casefold().startswith(plain.casefold()):
            return prefixes[prefix], title[len(plain) :].strip() or title
    return split_prefix(title)


def split_source_off_title(title: str) -> tuple[str, str]:
    """A title without the source named at its end, `… - @key`, and that source's key."""
    citation = _CITED_AT_END.search(title)
    return (title[: citation.start()], citation[1]) if citation else (title, "")


def _type_of_folder(path: str, folders: Mapping[str, NoteType]) -> NoteType | None:
    """The type of notes in the nearest mapped folder."""
    folder = path
    while folder:
        folder = folder.rpartition("/")[0]
        if folder in folders:
            return folders[folder]
    return None
