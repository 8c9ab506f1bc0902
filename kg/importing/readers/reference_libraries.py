"""Import libraries of Zotero and others: works as sources, annotations as draft evidence."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from kg.importing.import_records import (
    ImportedNote,
    ImportInput,
    ImportResult,
    InputFile,
    escape_line,
    escape_text,
    join_paragraphs,
    key_from_text,
    printable_line,
)
from kg.model import Severity, Source
from kg.notes.bibliography import (
    Bibliography,
    find_annotations,
    parse_bibtex,
    parse_csl,
    tex_to_plain_text,
)
from kg.notes.markdown import CITATION_KEY
from kg.notes.new_note import NewNote

_NOT_IN_KEYS = re.compile(r"[^\w:.+/-]+")
_PAGE = re.compile(r"\b(?:pp?|S|Seite|page|pages)\.?\s*([\divxlc]+(?:\s*[-–]\s*[\divxlc]+)?)", re.I)
_QUOTED = re.compile(
    r"[“\"„](.+?)[”\"“](?:\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\))?\s*(.*)", re.DOTALL
)
_BLOCKS = re.compile(r"</?(?:p|div|br|li|h\d|blockquote|ul|ol)\b[^>]*>", re.IGNORECASE)
_HTML_TAG = re.compile(r"<[^>]{0,2000}>")
_WORDS_OF_TITLE = 14  # a title of a line and a half; the whole text is below it
_TYPES = {
    "journalArticle": "article-journal",
    "conferencePaper": "paper-conference",
    "bookSection": "chapter",
    "book": "book",
    "thesis": "thesis",
    "report": "report",
    "webpage": "webpage",
    "preprint": "article",
    "dataset": "dataset",
}
_FIELDS = {
    "publicationTitle": "container-title",
    "bookTitle": "container-title",
    "proceedingsTitle": "container-title",
    "volume": "volume",
    "issue": "issue",
    "pages": "page",
    "publisher": "publisher",
    "university": "publisher",
    "institution": "publisher",
    "place": "publisher-place",
    "series": "collection-title",
    "edition": "edition",
    "DOI": "DOI",
    "url": "URL",
    "ISBN": "ISBN",
    "title": "title",
    "archiveID": "archive_location",
    "extra": "note",
}
_IGNORED_ITEM_TYPES = ("attachment", "note", "annotation")


class _Annotation(NamedTuple):
    """An annotation: the quotation, its page, and the comment on it."""

    key: str
    id: str
    quotation: str
    page: str
    comment: str


def read_library(input: ImportInput) -> ImportResult:
    """The works of all files, and their annotations."""
    sources: dict[str, Source] = {}
    notes: dict[str, ImportedNote] = {}
    remarks: list[str] = []
    for file in input.files:
        bibliography, annotations = (
            _parse_bibtex_library(file)
            if file.name.lower().endswith(".bib")
            else _parse_json_library(file)
        )
        keys = {source.key: _as_source_key(source.key) for source in bibliography.sources}
        for source in bibliography.sources:
            sources.setdefault(keys[source.key], replace(source, key=keys[source.key]))
        remarks += [
            f"{file.place(problem.span.line)}: {problem.message}"
            for problem in bibliography.diagnostics
            if problem.severity is Severity.ERROR
        ]
        evidence_notes = (
            _note_of_annotation(file, annotation, keys[annotation.key])
            for annotation in annotations
            if annotation.key in keys
        )
        for note in evidence_notes:  # a passage may be annotated twice
            notes.setdefault(note.key, note)
    return ImportResult(tuple(notes.values()), tuple(sources.values()), tuple(remarks))


def _as_source_key(key: str) -> str:
    """A valid citation key."""
    if CITATION_KEY.fullmatch(key):
        return key
    return _NOT_IN_KEYS.sub("_", key).strip("_:.+/-") or "untitled"


# -- reading files -------------------------------------------------------------------------------


def _parse_bibtex_library(file: InputFile) -> tuple[Bibliography, list[_Annotation]]:
    texts_by_key = find_annotations(file.text)
    annotations = [
        annotation
        for key, text in texts_by_key.items()
        for annotation in _annotations_in_text(key, tex_as_text(text))
    ]
    return parse_bibtex(file.text, file.name), annotations


def tex_as_text(text: str) -> str:
    """TeX as plain text, with its paragraphs kept."""
    return "\n\n".join(tex_to_plain_text(part) for part in re.split(r"\n\s*\n|\\par\b", text))


def _parse_json_library(file: InputFile) -> tuple[Bibliography, list[_Annotation]]:
    library = file.json()
    entries = library.get("items") if isinstance(library, dict) else library
    if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
        raise file.error_at(
            1, "this is not a library", "export it as BibTeX, CSL JSON or BetterBibTeX JSON"
        )
    zotero_items = [each for each in entries if "itemType" in each]
    if not zotero_items:
        annotations = [
            annotation
            for each in entries
            for name in ("annote", "annotation")
            if isinstance(each.get(name), str)
            for annotation in _annotations_in_text(
                key_from_text(each.get("citation-key") or each.get("id", "")), each[name]
            )
        ]
        return parse_csl(file.text, file.name), annotations
    works = [each for each in zotero_items if each["itemType"] not in _IGNORED_ITEM_TYPES]
    csl = [_as_csl(each, number) for number, each in enumerate(works, 1)]
    annotations = [
        annotation
        for item, each in zip(csl, works, strict=True)
        for annotation in _find_annotations(item["id"], each)
    ]
    return parse_csl(json.dumps(csl), file.name), annotations


def _as_csl(item: dict[str, Any], number: int) -> dict[str, Any]:
    """A Zotero item as a CSL item."""
    text_of_field = {
        name: value for name, value in item.items() if isinstance(value, str) and value.strip()
    }
    key = next(
        (
            text_of_field[n]
            for n in ("citationKey", "citekey", "itemKey", "key")
            if n in text_of_field
        ),
        "",
    )
    csl_item: dict[str, Any] = {
        "id": key_from_text(key) or f"item{number}",
        "type": _TYPES.get(text_of_field.get("itemType", ""), "document"),
    }
    for zotero_name, csl_name in _FIELDS.items():
        if zotero_name in text_of_field:
            csl_item.setdefault(csl_name, text_of_field[zotero_name])
    if year := re.search(r"\b\d{4}\b", text_of_field.get("date", "")):
        csl_item["issued"] = {"date-parts": [[int(year[0])]]}
    people = item.get("creators")
    for person in people if isinstance(people, list) else ():
        if isinstance(person, dict):
            role = "editor" if person.get("creatorType") == "editor" else "author"
            csl_item.setdefault(role, []).append(_csl_person(person))
    return csl_item


def _csl_person(person: dict[str, Any]) -> dict[str, str]:
    if isinstance(person.get("name"), str):
        return {"literal": person["name"]}
    parts = {"family": person.get("lastName"), "given": person.get("firstName")}
    return {name: part for name, part in parts.items() if isinstance(part, str)}


# -- annotations ---------------------------------------------------------------------------------


def _find_annotations(key: str, item: dict[str, Any]) -> Iterator[_Annotation]:
    for attachment in _dicts_in(item.get("attachments")):
        for each in _dicts_in(attachment.get("annotations")):
            values = {n: v for n, v in each.items() if isinstance(v, str | int)}
            quotation = printable_line(values.get("annotationText", ""))
            comment = str(values.get("annotationComment", ""))
            if quotation or comment.strip():
                page = printable_line(values.get("annotationPageLabel", ""))
                yield _Annotation(
                    key, key_from_text(values.get("key", "")), quotation, page, comment
                )
    for note in item.get("notes", ()) if isinstance(item.get("notes"), list) else ():
        text = note.get("note", "") if isinstance(note, dict) else note
        if isinstance(text, str):
            yield from _annotations_in_text(key, text)


def _dicts_in(value: object) -> Iterator[dict[str, Any]]:
    return (
        (each for each in value if isinstance(each, dict)) if isinstance(value, list) else iter(())
    )


def _annotations_in_text(key: str, text: str) -> Iterator[_Annotation]:
    """The annotations in a note, one a paragraph: quotations with their pages, and remarks."""
    plain = html.unescape(_HTML_TAG.sub("", _BLOCKS.sub("\n\n", text)))
    for part in re.split(r"\n\s*\n", plain):
        if not part.strip():
            continue
        match = _QUOTED.match(part.strip())
        page = _PAGE.search(match[2] or "" if match else part)
        place = page[1].replace("–", "-") if page else ""
        if match:
            yield _Annotation(key, "", printable_line(match[1]), place, match[3])
        else:
            yield _Annotation(key, "", "", place, part)


def _note_of_annotation(file: InputFile, annotation: _Annotation, key: str) -> ImportedNote:
    """A draft of evidence: the quotation from the source `key`, then the reader's comment."""
    words = (printable_line(annotation.comment) or annotation.quotation).split()
    title = " ".join(words[:_WORDS_OF_TITLE]) + (" …" if len(words) > _WORDS_OF_TITLE else "")
    page = re.sub(r"[\[\]@;,]", " ", annotation.page)
    citation = f"[@{key}, p. {printable_line(page)}]" if page.strip() else f"[@{key}]"
    quotation = f"> {escape_line(annotation.quotation)} {citation}" if annotation.quotation else ""
    remark = escape_text(annotation.comment)
    body = join_paragraphs((quotation, remark if quotation else f"{remark} {citation}"))
    annotation_key = (
        annotation.id or f"{annotation.page} {annotation.quotation[:40]} {annotation.comment[:40]}"
    )
    new_note = NewNote("evidence", title, "", {"status": "draft"}, body)
    return ImportedNote(file.name, key_from_text(f"{key} {annotation_key}"), new_note)
