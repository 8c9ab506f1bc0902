"""A twin of a folder: the same files under second names, changed unseen, then put in its place.

So whoever opens the folder by its name finds all files as they were, or all as they are to be.
Afterwards the folder that was replaced is made like the new one, for processes that still have it
open: a server, a mounted volume.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Collection, Iterator, Mapping

from kg.files.folder_tree import FolderTree


class TwinFolder:
    """A folder and its twin, by `names` in a tree; any step may be repeated after a killed run.

    The folder holds the files `stays` and `goes`, by address; it is to hold `stays` and `comes`.
    """

    def __init__(
        self,
        tree: FolderTree,
        names: tuple[str, str],
        stays: Collection[str],
        comes: Collection[str],
        goes: Collection[str],
    ) -> None:
        self._tree = tree
        self._folder, self._twin = names
        self._stays = stays
        self._comes = comes
        self._goes = goes

    def prepare(self, inodes: Mapping[str, int]) -> list[str]:
        """Link into the twin all files that stay; return the addresses of those it lacked.

        `inodes` are those of the folder's files, and tell whether two names are of one file. Raises
        `OSError` where folders cannot be exchanged, files have no second names, or others changed
        the folder.
        """
        tree = self._tree
        twin = self._twin
        known_urls = {*self._stays, *self._comes, *self._goes}
        if inodes.keys() - known_urls or not all(url in inodes for url in self._stays):
            raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        if tree.stat(twin) is None:
            self._require_exchange()
        twin_inodes = {url: file_stat.st_ino for url, file_stat in tree.walk(twin)}
        for url in twin_inodes.keys() - self._stays:
            if url not in self._comes:
                tree.remove(f"{twin}/{url}", within=twin)
        urls_to_link = [url for url in self._stays if twin_inodes.get(url) != inodes[url]]
        for url in urls_to_link:
            tree.remove(f"{twin}/{url}", within=twin)
            tree.link(self._path_in_folder(url), f"{twin}/{url}")
        return urls_to_link

    def exchange(self) -> None:
        """Put the twin in the folder's place, in one step; raises `OSError`."""
        tree = self._tree
        twin = self._twin
        tree.make_folder(twin)
        for part in {"", *(each for url in self._stays for each in folders_of(url))}:
            tree.copy_access_rights(
                self._path_in_folder(part).rstrip("/"), f"{twin}/{part}".rstrip("/")
            )
        tree.exchange(twin, self._folder)

    def synchronize_twin(self, staging_folder: str) -> None:
        """Make the twin, which held the folder's place before, like the folder, and move back what
        others put there.

        `staging_folder` is a path in the tree. A new file gets its second name there first, and is
        then moved over the old one: a process that has the twin open always finds a whole file.
        """
        tree = self._tree
        twin = self._twin
        for url, _ in list(tree.walk(twin)):
            if url in self._goes:
                tree.remove(f"{twin}/{url}", within=twin)
            elif not (
                url in self._stays or url in self._comes or tree.stat(self._path_in_folder(url))
            ):
                tree.move(f"{twin}/{url}", self._path_in_folder(url))
        for url in self._comes:
            if not tree.stat(f"{staging_folder}/{url}"):
                tree.link(self._path_in_folder(url), f"{staging_folder}/{url}")
            tree.move(f"{staging_folder}/{url}", f"{twin}/{url}")

    def _path_in_folder(self, url: str) -> str:
        return f"{self._folder}/{url}"

    def _require_exchange(self) -> None:
        """Raise `OSError` where two folders cannot be exchanged; tried on two empty ones."""
        first_folder = f"{self._twin}/1"
        second_folder = f"{self._twin}/2"
        self._tree.make_folder(first_folder)
        self._tree.make_folder(second_folder)
        try:
            self._tree.exchange(first_folder, second_folder)
        finally:
            self._tree.remove_empty(self._twin)
        self._tree.make_folder(self._twin)


def folders_of(url: str) -> Iterator[str]:
    """The folders that a file is in, the outermost first."""
    parts = url.split("/")[:-1]
    for end in range(1, len(parts) + 1):
        yield "/".join(parts[:end])
