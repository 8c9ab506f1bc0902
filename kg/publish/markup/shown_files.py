"""The target of a note's link: a page of the site, or a picture or file that goes with it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from kg.corpus import Corpus
from kg.corpus.site_files import Attachment, is_allowed_host, link_key
from kg.model.settings.config import Config
from kg.notes.body import is_remote, split_size
from kg.notes.markdown import find_target, has_file_suffix
from kg.publish.markup.address import file_name
from kg.publish.markup.html import Child, Html, element, join_children, web_address
from kg.publish.markup.link_maker import missing_link
from kg.text.folding import compose_accents

FILES = "files"  # the folder of the site for them
_MAX_STEM_LETTERS = 80  # of a name, without its suffix
A_NOTE_LEFT_OUT = ""  # in place of an id


def file_url(file: Attachment) -> str:
    """The address of a file on the site, which depends on its content."""
    name, _, suffix = file.path.rpartition("/")[2].lower().rpartition(".")
    return f"{FILES}/{file_name(name[:_MAX_STEM_LETTERS])}-{file.digest}.{suffix}"


class ShownFiles:
    """Makes HTML for links to files; `files` are those copied to the site, by `link_key`."""

    def __init__(self, files: Mapping[str, Attachment], config: Config) -> None:
        self._files = files
        self._config = config

    def is_file(self, destination: str, wiki: bool) -> bool:
        """Return whether a link leads to a file of the corpus, existing or not."""
        return has_file_suffix(destination) and (wiki or not is_remote(destination))

    def link(self, path: str, destination: str, wiki: bool, root: str, words: Html) -> Html:
        """A link to a file, with its kind and size."""
        file = self._files.get(link_key(path, destination, wiki))
        if file is None:
            return missing_link(words)
        kind = file.path.rpartition(".")[2].upper()
        size = element("span", f" ({kind}, {_describe_size(file.bytes)})", class_="kg-file-size")
        return element("a", words, size, href=root + file_url(file), class_="kg-file")

    def picture(
        self, path: str, destination: str, wiki: bool, root: str, text: str, flat: bool
    ) -> Html:
        """A picture; a link if it is on another host, only words if it cannot be shown."""
        alt_text, width, height = split_size(text)
        label = join_children(("Picture: ", alt_text or "without description"))
        file = self._files.get(link_key(path, destination, wiki))
        if file is not None and not file.is_picture:
            name = Html(join_children((alt_text or file.path.rpartition("/")[2],)))
            return self.link(path, destination, wiki, root, name)
        if flat and file is not None:
            return element("a", label, href=root + file_url(file), class_="kg-file")
        if file is not None:
            size = _shown_size(file, width, height)
            return _image_element(root + file_url(file), alt_text, *size)
        href = None if wiki else web_address(destination)
        if href is None:
            return missing_link(label)
        if not flat and is_allowed_host(self._config, href):
            return _image_element(href, alt_text, width, height)
        return element("a", label, href=href, rel="noopener noreferrer external", class_="kg-out")


def _image_element(source: str, alt_text: str, width: Child, height: Child) -> Html:
    return element(
        "img",
        src=source,
        alt=alt_text,
        width=width or None,
        height=height or None,
        loading="lazy",
        decoding="async",
        referrerpolicy="no-referrer",
        class_="kg-picture",
    )


def _shown_size(file: Attachment, width: int | None, height: int | None) -> tuple[int, int]:
    """The width and height of a picture: as requested, else its own."""
    if not width:
        return file.width, file.height
    if not height and file.width:
        height = max(1, round(width * file.height / file.width))
    return width, height or 0


def _describe_size(count: int) -> str:
    if count < 1000:
        return f"{count} bytes"
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"


class LinkTargets:
    """Ids by everything that a link may use: id, alias or path, in upper or lower case."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._left_out_names = {*(corpus.drafts or ()), *_names_left_out(corpus)}
        self._paths: dict[str, str] = {}
        self._ids_by_folded_name: defaultdict[str, set[str]] = defaultdict(set)
        for id, path in _ids_and_paths(corpus):
            self._paths.setdefault("/" + path, id)
        for id in (*corpus.statements, *corpus.lines, *corpus.sources, *corpus.aliases):
            self._ids_by_folded_name[id.casefold()].add(corpus.find_id(id) or id)

    def find_id(self, destination: str, wiki: bool, path: str) -> str | None:
        """The id that a link in the note at `path` leads to: `A_NOTE_LEFT_OUT` for a draft or what
        the settings leave out, None if it leads nowhere.
        """
        target = _full_target(destination, wiki, path)
        return None if target is None else self.resolve(target)

    def resolve(self, target: str) -> str | None:
        """The id that `target` leads to: a name or path, with or without `#block`."""
        name, mark, block = target.partition("#")
        note = self._id_of_note(name)
        if note is None and (
            name in self._left_out_names or name.casefold() in self._left_out_names
        ):
            return A_NOTE_LEFT_OUT
        if note is None or not (mark and block.startswith("^")):
            return note
        nested = self._corpus.find_id(f"{note}#{block[1:]}")  # by an alias, too
        return nested if nested in self._corpus.statements else None

    def is_internal(self, destination: str, wiki: bool, path: str) -> bool:
        """Return whether the link is to a note, known or not."""
        return _full_target(destination, wiki, path) is not None

    def _id_of_note(self, name: str) -> str | None:
        if name.startswith("/"):
            return self._paths.get(name)
        id = self._corpus.find_id(name)
        ids = self._ids_by_folded_name.get(name.casefold(), set())
        return id or (next(iter(ids)) if len(ids) == 1 else None)


def _full_target(destination: str, wiki: bool, path: str) -> str | None:
    """The target of a link in the note at `path`; one to a block alone is in the same note."""
    if destination.startswith("#^"):
        return f"/{path}{destination.strip()}"
    return find_target(destination, wiki, path)


def _ids_and_paths(corpus: Corpus) -> Iterable[tuple[str, str]]:
    for statement in corpus.statements.values():
        if statement.parent is None:
            yield statement.id, statement.span.path
    for line in corpus.lines.values():
        yield line.id, line.span.path
    for source in corpus.sources.values():
        if source.note:
            yield source.key, source.span.path


def _names_left_out(corpus: Corpus) -> Iterable[str]:
    for path in corpus.left_out:
        yield f"/{compose_accents(path)}"
        yield compose_accents(path).rpartition("/")[2].removesuffix(".md").casefold()
