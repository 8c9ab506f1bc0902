"""Rules about pictures and other files that notes show or link to."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from kg.checks.note_places import fix_word, place_of_key
from kg.checks.rule import Finding, Scope, rule
from kg.checks.suggestions import did_you_mean
from kg.corpus import Corpus
from kg.corpus.site_files import is_allowed_host, linked_files
from kg.model import Severity, Span
from kg.notes.ignored import IgnoreGlobs
from kg.notes.markdown.file_links import list_attachments, may_go_with_site
from kg.notes.markdown.inline_syntax import ATTACHMENTS, PICTURES
from kg.notes.parsed import FileLink
from kg.runtime.memoize import memoized_method
from kg.text.spelling import BoundedNameSearch, similar_names

_PUBLISHED_SUFFIXES = ", ".join(f"`.{suffix}`" for suffix in (*PICTURES, *ATTACHMENTS))


@rule(Severity.WARNING)
def missing_file(corpus: Corpus) -> Iterator[Finding]:
    """A picture or another file that a note links to, but that is not in the notes folder.

    The site shows its words as plain text. Only files in the notes folder are published.
    """
    for link, file in corpus.derive(linked_files):
        if file is None and may_go_with_site(link.destination):
            subject = "this picture" if link.shown else "this link"
            message = f"{subject} leads to `{link.destination}`, but there is no such file"
            span = _span_of_link(corpus, link)
            nearest = _near_files(corpus, link)[:1]
            fix = fix_word(corpus, span, link.destination, *nearest or (None,))
            help = did_you_mean(nearest) or "put the file into the notes folder"
            yield Finding(span, message, help, (), fix)


def _attachment_paths(corpus: Corpus) -> tuple[str, ...]:
    if corpus.folder is None:
        return ()
    return tuple(list_attachments(corpus.folder, IgnoreGlobs(corpus.config.ignore)))


def _near_files(corpus: Corpus, link: FileLink) -> tuple[str, ...]:
    """Files in the notes folder that a link most likely means, as the link would name them."""
    folder = "" if link.wiki else posixpath.dirname(link.span.path) or "."
    return corpus.derive(_FileNames).search.nearest(f"{folder}\n{link.destination}") or ()


class _FileNames:
    """The names of the files in the notes folder, as links in each folder write them."""

    def __init__(self, corpus: Corpus) -> None:
        self._paths = corpus.derive(_attachment_paths)
        self.search = BoundedNameSearch(self._similar_names, len(self._paths))

    def _similar_names(self, folder_and_name: str) -> tuple[str, ...]:
        folder, _, destination = folder_and_name.partition("\n")
        return similar_names(destination, self._names_in_folder(folder))

    @memoized_method
    def _names_in_folder(self, folder: str) -> list[str]:
        """Names relative to a folder; if empty, bare names as in wikilinks."""
        if not folder:
            return [path.rpartition("/")[2] for path in self._paths]
        return [posixpath.relpath(path, folder).replace(" ", "%20") for path in self._paths]


@rule(Severity.WARNING)
def file_not_published(corpus: Corpus) -> Iterator[Finding]:
    """A file that is not published with the site, though a note shows it or links to it.

    It is too large, of a kind that browsers run or do not know, or not of the kind its name says.
    """
    for link, file in corpus.derive(linked_files):
        if file is not None and file.trouble:
            message = f"`{file.path}` is not published with the site: {file.trouble}"
            yield Finding(_span_of_link(corpus, link), message)
        elif file is None and not may_go_with_site(link.destination):
            message = (
                f"`{link.destination}` is not published with the site: files of its kind are not"
            )
            yield Finding(_span_of_link(corpus, link), message, f"these are: {_PUBLISHED_SUFFIXES}")


@rule(Severity.INFO, Scope.NOTE)
def picture_without_words(corpus: Corpus) -> Iterator[Finding]:
    """A picture without alternative text.

    Readers who cannot see it, and searches, do not learn what it shows.
    """
    for link in corpus.files:
        if link.shown and not link.words and _is_picture(link.destination):
            name = link.destination
            help = f"![[{name}|what it shows]]" if link.wiki else f"![what it shows]({name})"
            yield Finding(
                _span_of_link(corpus, link),
                "this picture has no alternative text",
                f"write `{help}`",
            )


def _span_of_link(corpus: Corpus, link: FileLink) -> Span:
    return place_of_key(corpus, link.span, link.destination)


def _is_picture(destination: str) -> bool:
    suffix = destination.partition("#")[0].rpartition(".")[2].strip().lower()
    return suffix in PICTURES or suffix not in ATTACHMENTS


@rule(Severity.INFO)
def remote_picture(corpus: Corpus) -> Iterator[Finding]:
    """A picture on another host, which pages do not load: they show a link to it.

    Readers' browsers would tell that host who reads what, and the picture may disappear one day.
    """
    for link in corpus.files:
        if link.shown and link.remote and not is_allowed_host(corpus.config, link.destination):
            help = "copy it into the notes folder, or name its host in `image_hosts` in `kg.toml`"
            yield Finding(
                _span_of_link(corpus, link), "pages show only a link in place of this picture", help
            )
