"""Which fields of an entry leave the bibliography: those that describe the work."""

from __future__ import annotations

import re
from collections.abc import Mapping

from kg.text.spelling import nearest_name

OF_BIBTEX = (
    "address afterword annotator archiveprefix author bookauthor booksubtitle booktitle "
    "booktitleaddon chapter commentator crossref date day doi edition editor editora editorb "
    "editorc editortype eid entrysubtype eprint eprintclass eprinttype eventdate eventtitle "
    "foreword holder howpublished institution introduction isan isbn ismn isrn issn issue "
    "issuetitle iswc journal journalsubtitle journaltitle langid language location mainsubtitle "
    "maintitle maintitleaddon month nameaddon number organization origdate origlanguage "
    "origlocation origpublisher origtitle pages pagetotal part pmcid pmid primaryclass publisher "
    "pubstate school series shortauthor shortjournal shorttitle subtitle title titleaddon "
    "translator type url urldate venue version volume volumes year"
)
OF_CSL = (
    "authority chapter-number collection-number collection-title container-title "
    "container-title-short dimensions division event event-place event-title genre "
    "journalabbreviation jurisdiction medium number-of-pages number-of-volumes original-date "
    "original-publisher original-publisher-place original-title page page-first part-number "
    "part-title printing publisher-place references reviewed-genre reviewed-title scale section "
    "status supplement title-short volume-title"
)
OF_OURS = "independence integrity"
PUBLIC = frozenset(f"{OF_BIBTEX} {OF_CSL} {OF_OURS}".split())
"""All else stays where it is: files, notes, tags, abstracts, and what no format knows."""

_A_SLIP = 0.78  # `titel`, and neither `file` nor `subtitle`
_LOCAL = re.compile(
    r"file:|zotero:|(?<![\w/.:])(?:[A-Za-z]:[\\/]|\\\\|~/|/(?:Users|home|mnt|Volumes|tmp|var)/)"
)


def public_fields(fields: Mapping[str, str]) -> dict[str, str]:
    """What may be shown to everybody; a path on somebody's disk may not, whatever its field."""
    public = PUBLIC
    if "title" not in fields and (meant := nearest_name("title", fields, _A_SLIP)):
        public = PUBLIC | {meant}  # so that it can be pointed out
    return {
        name: value
        for name, value in fields.items()
        if value and name.casefold() in public and not _LOCAL.search(value)
    }
