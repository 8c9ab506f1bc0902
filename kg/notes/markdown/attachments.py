"""Pictures and other files of a notes folder that notes may show or link to: found, not read."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable
from urllib.parse import unquote

from kg.files.read import FolderHandles, StrPath, real_path_of
from kg.notes.ignored import Ignored
from kg.notes.markdown.inline import ATTACHMENTS, PICTURES
from kg.notes.parsed import FileLink
from kg.text.folding import fold_name

MAX_ENTRIES_LOOKED_AT = 100_000  # entries of folders that are looked at
_SUFFIXES = tuple(f".{suffix}" for suffix in (*PICTURES, *ATTACHMENTS))


def list_attachments(folder: StrPath, ignored: Ignored) -> dict[str, str]:
    """Every file of a kind that may go with the site: its path in the folder, and its place.

    Hidden ones and what is ignored are left alone, and no link is followed.
    """
    found: dict[str, str] = {}
    waiting, seen = [("", real_path_of(folder))], 0
    with FolderHandles() as folders:
        while waiting and seen < MAX_ENTRIES_LOOKED_AT:
            prefix, real = waiting.pop()
            try:
                entries = folders.list(real)
            except OSError:
                continue
            for entry in entries:
                seen += 1
                path, place = prefix + entry.name, f"{real.rstrip('/')}/{entry.name}"
                if entry.name.startswith(".") or ignored.holds(path):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append((f"{path}/", place))
                elif path.lower().endswith(_SUFFIXES) and entry.is_file(follow_symlinks=False):
                    found[path] = place
    return found


def may_go_with_site(destination: str) -> bool:
    """Whether files that are called so may go with a site."""
    return destination.partition("#")[0].strip().lower().endswith(_SUFFIXES)


class Files:
    """Which of some files a link means, as Obsidian and Markdown have it."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._known = {fold_name(path): path for path in sorted(paths, reverse=True)}
        self._named: defaultdict[str, list[str]] = defaultdict(list)
        for folded, path in self._known.items():
            self._named[posixpath.basename(folded)].append(path)

    def find(self, link: FileLink) -> str | None:
        """The path of the file; None where there is none. The one nearest the top is meant."""
        name = link.destination.partition("#")[0].strip()
        if not link.wiki:
            name = unquote(name.partition("?")[0])
        name = name.replace("\\", "/")
        here = posixpath.dirname(link.span.path)
        tries = [name.lstrip("/")] if name.startswith("/") else [posixpath.join(here, name)]
        if link.wiki:
            tries.append(name.lstrip("/"))
        for path in tries:
            if found := self._known.get(fold_name(posixpath.normpath(path))):
                return found
        if not link.wiki or "/" in name:
            return None
        return min(
            self._named.get(fold_name(name), ()), key=lambda p: (p.count("/"), p), default=None
        )
