"""Items of Zotero, as Better BibTeX writes them in JSON of its own, as entries of CSL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_NO_WORKS = frozenset(("attachment", "note", "annotation"))
_TYPES = {
    "journalArticle": "article-journal",
    "magazineArticle": "article-magazine",
    "newspaperArticle": "article-newspaper",
    "bookSection": "chapter",
    "conferencePaper": "paper-conference",
    "encyclopediaArticle": "entry-encyclopedia",
    "preprint": "article",
    "blogPost": "post-weblog",
    "presentation": "speech",
}
_NAMES = {
    "container-title": "publicationTitle bookTitle proceedingsTitle encyclopediaTitle websiteTitle",
    "publisher": "publisher university institution repository",
    "collection-title": "series",
    "citation-key": "citationKey citekey",
    "id": "citationKey citekey itemID",
    "page": "pages",
    "note": "extra",
    "abstract": "abstractNote",
    "event-title": "conferenceName",
    "publisher-place": "place",
    "number": "archiveID number reportNumber",
    "URL": "url",
}
_SAME = ["title", "DOI", "ISBN", "ISSN", "volume", "issue", "edition", "language"]


def as_csl(item: Mapping[str, Any]) -> dict[str, Any] | None:
    """An item as an entry of CSL; None for an attachment or a note, which are no works."""
    kind = item.get("itemType")
    if kind in _NO_WORKS or not isinstance(kind, str):
        return None
    entry: dict[str, Any] = {"type": _TYPES.get(kind, kind.lower())}
    entry |= {name: item[name] for name in _SAME if item.get(name)}
    for name, theirs in _NAMES.items():
        value = next((item[each] for each in theirs.split() if item.get(each)), None)
        if value is not None:
            entry[name] = value
    if item.get("date"):
        entry["issued"] = {"raw": item["date"]}
    creators = item.get("creators")
    for creator in creators if isinstance(creators, list) else ():
        if isinstance(creator, dict):
            person = {"given": creator.get("firstName"), "family": creator.get("lastName")}
            whole = {"literal": creator.get("name")} if creator.get("name") else person
            entry.setdefault(str(creator.get("creatorType")), []).append(whole)
    return entry
