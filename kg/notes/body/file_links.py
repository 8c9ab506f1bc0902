"""Pictures and other files that notes link to, and the files of a folder that may be meant."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from urllib.parse import unquote

from kg.files.read_files import FolderHandles, StrPath, real_path_of
from kg.model import Span
from kg.notes.body.body_parts import Body
from kg.notes.ignore_globs import IgnoreGlobs
from kg.notes.markdown.inline_syntax import ATTACHMENTS, FILE_ENDING, PICTURES, has_file_suffix
from kg.notes.markdown.parser_events import find_links_and_pictures
from kg.notes.parsed_note import FileLink
from kg.text.folding import fold_name

_SCHEME = re.compile(r"[A-Za-z][\w+.-]*:|//")
_FILE_NAME = re.compile(rf"{FILE_ENDING}(?!\w)", re.IGNORECASE)
_SIZE = re.compile(r"(\d{1,4})(?:x(\d{1,4}))?")
MAX_ENTRIES_LOOKED_AT = 100_000  # of all folders together
_SUFFIXES = tuple(f".{suffix}" for suffix in (*PICTURES, *ATTACHMENTS))


def is_remote(destination: str) -> bool:
    """Return whether a link has a scheme or a host, and so leads out of the notes."""
    return _SCHEME.match(destination) is not None


def split_size(words: str) -> tuple[str, int | None, int | None]:
    """The words of a picture, and its width and height if given: `a fit|300`, `300x200`."""
    description, _, last = words.rpartition("|")
    size = _SIZE.fullmatch(last.strip())
    if size is None:
        return words.strip(), None, None
    return description.strip(), int(size[1]), int(size[2]) if size[2] else None


def find_file_links(body: Body, span: Callable[[int], Span]) -> Iterator[FileLink]:
    """Yield every picture, and every link to a file, in the order of the text."""
    # most notes link only to notes, and need not be parsed again
    if not ("!" in body.text and "![" in body.text) and not _FILE_NAME.search(body.text):
        return
    open_parts = [body.parts[0]]
    parts_ahead = deque(sorted(body.parts[1:], key=attrgetter("start")))
    for link in find_links_and_pictures(body.text):
        is_outside = not link.wiki and is_remote(link.destination)
        is_file = has_file_suffix(link.destination)
        # an embed that is not a file is a note
        if (link.is_picture and (is_file or not link.wiki)) or (is_file and not is_outside):
            while parts_ahead and parts_ahead[0].start <= link.offset:
                open_parts.append(parts_ahead.popleft())
            while len(open_parts) > 1 and open_parts[-1].end <= link.offset:
                open_parts.pop()
            yield FileLink(
                origin=open_parts[-1].id,
                destination=link.destination,
                span=span(link.offset),
                wiki=link.wiki,
                shown=link.is_picture,
                remote=is_outside,
                words=split_size(link.words)[0] if link.has_bar else "",
            )


def list_attachments(folder: StrPath, ignored: IgnoreGlobs) -> dict[str, str]:
    """The files that may be published with the site: path in the folder to real path.

    Hidden and ignored ones are left out, and no link is followed.
    """
    attachments: dict[str, str] = {}
    waiting = [("", real_path_of(folder))]
    entry_count = 0
    with FolderHandles() as folders:
        while waiting and entry_count < MAX_ENTRIES_LOOKED_AT:
            prefix, real = waiting.pop()
            try:
                entries = folders.list(real)
            except OSError:
                continue
            for entry in entries:
                entry_count += 1
                path = prefix + entry.name
                whole_path = f"{real.rstrip('/')}/{entry.name}"
                if entry.name.startswith(".") or ignored.matches(path):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append((f"{path}/", whole_path))
                elif path.lower().endswith(_SUFFIXES) and entry.is_file(follow_symlinks=False):
                    attachments[path] = whole_path
    return attachments


def may_go_with_site(destination: str) -> bool:
    """Return whether a file with this name may be published with a site."""
    return destination.partition("#")[0].strip().lower().endswith(_SUFFIXES)


class AttachmentFinder:
    """Resolves links to files as Obsidian and Markdown do."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths_by_name = {fold_name(path): path for path in sorted(paths, reverse=True)}
        self._paths_by_base_name: defaultdict[str, list[str]] = defaultdict(list)
        for folded, path in self._paths_by_name.items():
            self._paths_by_base_name[posixpath.basename(folded)].append(path)

    def find(self, link: FileLink) -> str | None:
        """The path of the linked file, or None; of several, the one nearest the top folder."""
        name = link.destination.partition("#")[0].strip()
        if not link.wiki:
            name = unquote(name.partition("?")[0])
        name = name.replace("\\", "/")
        folder = posixpath.dirname(link.span.path)
        paths = [name.lstrip("/")] if name.startswith("/") else [posixpath.join(folder, name)]
        if link.wiki:
            paths.append(name.lstrip("/"))
        for path in paths:
            if known_path := self._paths_by_name.get(fold_name(posixpath.normpath(path))):
                return known_path
        if not link.wiki or "/" in name:
            return None
        return min(
            self._paths_by_base_name.get(fold_name(name), ()),
            key=lambda p: (p.count("/"), p),
            default=None,
        )
