"""Settings for a folder of notes that were not written for `kg`, with the counts behind them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import NamedTuple

from kg.files.read_files import NotesFolder
from kg.model import Relation
from kg.model.relation import WEIGHTLESS
from kg.model.settings.config import Config, parse_config
from kg.model.settings.note_map import CITATION_KEY_WORD, LEFT_OUT
from kg.notes.corrections import INVERSE_RELATIONS, RELATION_SYNONYMS, TYPE_SYNONYMS
from kg.notes.frontmatter.front_matter import fold_key
from kg.notes.frontmatter.note_fields import fields_of_every_type, find_type, parse_fields
from kg.notes.mapping.map_front import DATES
from kg.notes.mapping.mapped_note import note_parser
from kg.notes.mapping.note_survey import TYPE_KEYS, Survey, TitleCount, survey_notes
from kg.notes.note_files import NoteFile, read_listed_files
from kg.notes.note_listing import list_notes
from kg.text.printable import replace_unprintable

_MAPS = ("moc", "map", "map-of-content", "hub")
_TYPES = {
    **TYPE_SYNONYMS,
    **dict.fromkeys(("clm", "hyp", "con", "insight", "principle", "structured-claim"), "claim"),
    **dict.fromkeys(("evd", "res"), "evidence"),
    **dict.fromkeys(("que", *_MAPS), "line"),
    **dict.fromkeys(("src", "@", "literature-note", "reference-note"), "source"),
    **dict.fromkeys(("daily", "daily-note", "daily-notes", "journal", "log", "meeting"), LEFT_OUT),
    **dict.fromkeys(("template", "person", "people", "project", "task", "index"), LEFT_OUT),
}
_KEYS = {"tags": "topics", "modified": "updated", "last-modified": "updated", "date": "created"}
_KEYS_OF_SOURCES = {
    **dict.fromkeys(("author", "authors"), "authors"),
    **dict.fromkeys(("year", "published"), "year"),
    **dict.fromkeys(("venue", "journal", "publication", "publisher"), "venue"),
    **{"doi": "doi", "url": "url"},
}
_TEMPLATES = ("templates", "_templates", "template")
_RELATION_WORDS = {relation.value for relation in Relation}
_RELATED = ("related", "see-also", "related-notes", "relevant-notes")
_MAX_WORDS_LISTED = 12  # words for types to report
_MIN_USES = 3  # uses of a possible relation for which it is worth a line


@dataclass
class Proposal:
    """The settings `kg init --from` would write, and what was counted."""

    survey: Survey
    text: str
    config: Config
    remarks: list[str]
    count_of_type: Counter[str] = field(default_factory=Counter)
    unread: int = 0
    omitted_count: int = 0
    reasoned_count: int = 0


@dataclass
class _Tables:
    """The lines of each table in the settings."""

    keys: dict[str, str] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    folders: dict[str, str] = field(default_factory=dict)
    relations: dict[str, str] = field(default_factory=dict)
    connectives: dict[str, str] = field(default_factory=dict)
    undecided_words: dict[str, int] = field(default_factory=dict)  # words to decide on
    doubtful: dict[tuple[str, str], str] = field(default_factory=dict)  # types to decide on

    def add(self, table: str, word: str, type: str, is_certain: bool = True) -> str:
        """Map a word to a type; if not `is_certain`, leave such notes out. Return a description."""
        getattr(self, table)[word] = type if is_certain else LEFT_OUT
        if not is_certain:
            self.doubtful[table, word] = type
            return f"left out; `{type}` if you decide so"
        return "left out" if type == LEFT_OUT else f"read as `{type}`"


def propose_map(folder: NotesFolder) -> Proposal:
    """Propose settings for reading the notes of a folder; nothing is written."""
    listed = list_notes(folder).notes
    templates = sorted({part for file in listed if (part := _template_folder(file.path))})
    files, _ = read_listed_files([f for f in listed if not _template_folder(f.path)])
    survey = survey_notes(files)
    named_folder = folder.real
    # a folder `notes` says nothing: the corpus is called like the folder around it
    if named_folder.name == "notes" and named_folder.parent != named_folder:
        named_folder = named_folder.parent
    name = named_folder.name
    text, remarks = _propose_settings(survey, name, templates)
    config = parse_config(text, "the proposed settings")
    proposal = Proposal(survey, text, config, remarks)
    _try_on_notes(proposal, files)
    return proposal


def _template_folder(path: str) -> str:
    for parent in PurePosixPath(path).parents:
        if parent.name.casefold() in _TEMPLATES:
            return str(parent)
    return ""


def _try_on_notes(proposal: Proposal, files: tuple[NoteFile, ...]) -> None:
    """Parse the notes with the proposed settings, and count the results."""
    parse = note_parser(proposal.config)
    for file in files:
        note = parse(file)
        kinds = [each.kind.value for each in note.statements if each.parent is None][:1]
        kinds += ["line"] if note.line else []
        kinds += ["source"] if note.source else []
        proposal.count_of_type.update(kinds)
        proposal.reasoned_count += sum(bool(edge.reason) for edge in note.edges)
        if not kinds and not note.terms:
            proposal.unread += bool(note.diagnostics)
            proposal.omitted_count += not note.diagnostics


# -- what is proposed ----------------------------------------------------------------------


def _propose_settings(survey: Survey, name: str, templates: list[str]) -> tuple[str, list[str]]:
    tables = _Tables()
    remarks = [f"{survey.understood} of {survey.note_count} notes state their type in kg's terms"]
    _map_types(survey, tables, remarks)
    for key, count in survey.keys.items():
        if (meant_key := _KEYS.get(key)) and meant_key not in survey.keys:
            tables.keys[key] = meant_key
            remarks.append(f"{count} have `{key}:`, read as `{meant_key}`")
    types = (tables.types, tables.tags, tables.titles, tables.folders)
    if survey.sources or any("source" in table.values() for table in types):
        for key in sorted(survey.keys & _KEYS_OF_SOURCES.keys()):
            tables.keys[key] = _KEYS_OF_SOURCES[key]
            remarks.append(
                f"{survey.keys[key]} have `{key}:`, of a source its `{tables.keys[key]}`"
            )
    _map_fields(survey, tables, remarks)
    _map_first_words(survey, tables, remarks)
    keep = sorted(_keys_to_keep(survey, tables))
    if survey.reasons:
        remarks.append(f"{survey.reasons} list items give a reason after a link: `relates`")
    for word, count in survey.connectives.most_common():
        if count >= _MIN_USES:
            tables.connectives[word] = Relation.RELATES.value
            remarks.append(
                f"{count} links follow `{word}`, with the sentence as the reason: `relates`"
            )
    return _render_settings(name, templates, keep, tables, survey), remarks


class _TypeEntry(NamedTuple):
    """A word of a table that stands for a type, and how many notes use it, in words."""

    table: str
    word: str
    type: str
    is_certain: bool
    use: str


def _map_types(survey: Survey, tables: _Tables, remarks: list[str]) -> None:
    for key, count in survey.type_keys.most_common():
        if key != "type":
            tables.keys[key] = "type"
        remarks.append(f"{count} use `{key}:`")
    for entries in (_entries_of_words, _entries_of_titles, _entries_of_tags, _entries_of_folders):
        for entry in entries(survey):
            description = tables.add(entry.table, entry.word, entry.type, entry.is_certain)
            if entry.use:
                remarks.append(f"{entry.use}: {description}")


def _entries_of_words(survey: Survey) -> Iterator[_TypeEntry]:
    """Values of a key for types; only the use of the most frequent is given."""
    titles_of_words = sorted(survey.types.items(), key=lambda each: -each[1].notes)
    for number, (word, titles) in enumerate(titles_of_words):
        if find_type(word) is None:
            last = PurePosixPath(word).name.removesuffix(".md").replace("note-", "")
            named_type = _TYPES.get(word) or _TYPES.get(last)
            use = f"  {titles.notes} say `{word}`" if number < _MAX_WORDS_LISTED else ""
            yield _TypeEntry("types", word, *_type_and_certainty(named_type, last, titles), use)


def _entries_of_titles(survey: Survey) -> Iterator[_TypeEntry]:
    for prefix, titles in sorted(survey.titles.items()):
        word = prefix.rstrip(" -–—:").casefold()
        if titles.notes > 1 or word in _TYPES:
            type_and_certainty = _type_and_certainty(_TYPES.get(word), word, titles)
            use = f"{titles.notes} have titles that begin with `{prefix}`"
            yield _TypeEntry("titles", prefix, *type_and_certainty, use)


def _entries_of_tags(survey: Survey) -> Iterator[_TypeEntry]:
    for tag, titles in sorted(survey.tags.items()):
        word = tag.rpartition("/")[2]
        grouped = "/" in tag or word == "moc"  # other tags may be topics
        if tag_type := find_type(word) or (grouped and _TYPES.get(word)):
            type_and_certainty = _type_and_certainty(str(tag_type), word, titles)
            use = f"{titles.notes} have the tag `{tag}`"
            yield _TypeEntry("tags", tag, *type_and_certainty, use)


def _entries_of_folders(survey: Survey) -> Iterator[_TypeEntry]:
    for folder, titles in sorted(survey.folders.items()):
        word = folder.casefold().replace(" ", "-").rstrip("s")
        named_type = find_type(word) or _TYPES.get(word) or _TYPES.get(f"{word}s")
        type_and_certainty = _type_and_certainty(
            str(named_type) if named_type else None, word, titles
        )
        use = f"{titles.notes} {f'in `{folder}`' if folder else 'in no folder'} have no type"
        yield _TypeEntry("folders", folder or ".", *type_and_certainty, use)


def _type_and_certainty(type: str | None, word: str, titles: TitleCount) -> tuple[str, bool]:
    """The type that a word names, or else that titles suggest; and whether it is sure enough.

    Notes titled by whole sentences state something; notes that only argue may be anything.
    """
    if type is None:
        return titles.type or LEFT_OUT, titles.type != "claim" or titles.are_mostly_sentences
    return type, titles.leads_to_others or word not in _MAPS


def _map_fields(survey: Survey, tables: _Tables, remarks: list[str]) -> None:
    """Map fields whose names are known as relations; the author is asked about frequent others."""
    for word, count in (survey.fields + survey.front_fields).most_common():
        if word in ("source", "sources"):
            if _are_sources(survey, word):
                tables.keys[word] = CITATION_KEY_WORD
        elif word in _RELATION_WORDS:
            if word in survey.front_fields:
                tables.relations[word] = word
        elif known_relation := _known_relation(word):
            tables.relations[word] = known_relation
        elif word not in survey.keys and count >= _MIN_USES:
            tables.undecided_words[word] = count
        if word in tables.relations:
            remarks.append(f"{count} fields `{word}`, read as `{tables.relations[word]}`")


def _map_first_words(survey: Survey, tables: _Tables, remarks: list[str]) -> None:
    """Map first words of reasons to relations without weight; the author is asked about others."""
    words_to_decide = {*_RELATION_WORDS, *RELATION_SYNONYMS, *INVERSE_RELATIONS, *survey.labels}
    for word, count in (survey.first_words + survey.labels).most_common():
        if word in tables.relations or count < _MIN_USES:
            continue
        if word in _RELATION_WORDS and Relation(word) in WEIGHTLESS:
            tables.relations[word] = word
            remarks.append(f"{count} reasons begin with `{word}:`, read as that relation")
        elif word in words_to_decide:
            tables.undecided_words[word] = count


def _known_relation(word: str) -> str | None:
    """The relation that a field's name stands for, in other words than those of `kg`."""
    if proper_word := RELATION_SYNONYMS.get(word):
        return proper_word
    if inverted_word := INVERSE_RELATIONS.get(word):
        return Relation(inverted_word).entry.inverse
    return Relation.RELATES.value if word in _RELATED else None


def _are_sources(survey: Survey, word: str) -> bool:
    """Return whether most links in a key's values lead to sources, as in `[[@key]]`."""
    links = survey.front_links[word]
    return 2 * sum(link.startswith("@") for link in links) > len(links)


def _keys_to_keep(survey: Survey, tables: _Tables) -> Iterator[str]:
    """Keys without a meaning here, and those whose values do not fit it."""
    model = fields_of_every_type()
    for key in survey.keys:
        name = fold_key(key)
        is_mapped = key in tables.keys or key in TYPE_KEYS or key in tables.relations
        if is_mapped or name in DATES:
            continue
        values = [value for value in survey.values[name] if value is not None]
        wrong = sum(bool(parse_fields(model, {name: value}).bad_values) for value in values)
        if name not in model.model_fields or wrong * 2 > len(values):
            yield key


# -- as TOML -------------------------------------------------------------------------------


def _render_settings(
    name: str, templates: list[str], keep: list[str], tables: _Tables, survey: Survey
) -> str:
    lines = [
        "# How to read notes that were not written for kg: docs/your-vault.md",
        f"name = {_toml_string(name)}",
    ]
    if templates:
        lines.append(f"ignore = {_toml_string([f'{each}/**' for each in templates])}")
    if "camp" not in survey.keys and survey.fields.keys().isdisjoint(Config().camp_ids):
        lines.append("camps = []")
    lines += ["", "[site]", f"name = {_toml_string(name)}", "", "[map]"]
    lines.append(f"links = {json.dumps(bool(survey.reasons))}")
    lines += [f"keep = {_toml_string(keep)}"] if keep else []
    counts = {"types": survey.types, "titles": survey.titles, "tags": survey.tags}
    for table in ("keys", "types", "tags", "titles", "folders", "relations", "connectives"):
        value_of_word: Mapping[str, str] = getattr(tables, table)
        if not value_of_word and not (table == "relations" and tables.undecided_words):
            continue
        lines += ["", f"[map.{table}]"]
        counts_by_word: Mapping[str, TitleCount] = counts.get(table, {})
        for word, value in value_of_word.items():
            remarks = [str(counts_by_word[word].notes)] if word in counts_by_word else []
            if maybe := tables.doubtful.get((table, word)):
                remarks.append(f"may be {_toml_string(maybe)}: please decide")
            toml_line = f"{_toml_string(word)} = {_toml_string(value)}"
            lines.append(f"{toml_line}  # {'; '.join(remarks)}" if remarks else toml_line)
        if table == "relations" and tables.undecided_words:
            lines.append("# Decide what these mean, such as `supports` or `supported-by`:")
            lines += [
                f'# {_toml_string(word)} = ""  # {n}' for word, n in tables.undecided_words.items()
            ]
    return "\n".join(lines) + "\n"


def _toml_string(value: str | list[str]) -> str:
    # JSON escapes neither DEL, as TOML requires, nor signs that a terminal acts on or hides
    return replace_unprintable(
        json.dumps(value, ensure_ascii=False), lambda sign: f"\\U{ord(sign):08x}"
    )
