"""Files that notes show or link to: which of them may go with the site, and why others may not."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import NamedTuple
from urllib.parse import urlsplit

from kg.corpus.corpus import Corpus
from kg.corpus.pictures import UnfitFile, measure_picture
from kg.files.read import TooLarge, read_input, render_size
from kg.model import Value
from kg.model.config import Config
from kg.notes.ignored import Ignored
from kg.notes.markdown.attachments import Files, list_attachments
from kg.notes.markdown.inline import PICTURES
from kg.notes.parsed import FileLink

MAX_ATTACHMENT_BYTES = 16 * 1024 * 1024  # bytes
MAX_SITE_FILES_BYTES = 256 * 1024 * 1024  # of all files that go with a site


class Attachment(Value, frozen=True):
    """A file that a note links to: its path in the notes folder, and a digest of what it holds.

    Of a picture also the width and height; of a file that cannot go with the site, why.
    """

    path: str
    digest: str = ""
    bytes: int = 0
    width: int = 0
    height: int = 0
    trouble: str = ""

    @property
    def is_picture(self) -> bool:
        """Whether it is shown, and not only linked to."""
        return self.path.lower().endswith(tuple(f".{suffix}" for suffix in PICTURES))


class LinkedFile(NamedTuple):
    """A link to a file within the notes, and the file; None where it is not there."""

    link: FileLink
    file: Attachment | None


def linked_files(corpus: Corpus) -> tuple[LinkedFile, ...]:
    """Every link to a file within the notes, in reading order."""
    links = [link for link in corpus.files if not link.remote]
    if corpus.folder is None or not links:
        return ()
    ignored = Ignored(corpus.config.ignore)
    files = Files(list_attachments(corpus.folder, ignored))
    known: dict[str, Attachment] = {}
    left = MAX_SITE_FILES_BYTES
    found = []
    for link in links:
        path = files.find(link)
        if path is not None and path not in known:
            known[path] = _look_at(corpus, path, left)
            left -= known[path].bytes
        found.append(LinkedFile(link, known[path] if path else None))
    return tuple(found)


def _look_at(corpus: Corpus, path: str, left: int) -> Attachment:
    """What a file holds; files are linked in reading order, and the first ones have room."""
    try:
        data = read_attachment(corpus, path)
        if len(data) > left:
            total = render_size(MAX_SITE_FILES_BYTES)
            return Attachment(path=path, trouble=f"with it, the files would hold more than {total}")
        width, height = measure_picture(path, data)
    except TooLarge as error:
        return Attachment(path=path, trouble=str(error.strerror))
    except UnfitFile as error:
        return Attachment(path=path, trouble=str(error))
    except OSError as error:
        return Attachment(path=path, trouble=f"it cannot be read: {error.strerror or error}")
    digest = digest_of_file(data)
    return Attachment(path=path, digest=digest, bytes=len(data), width=width, height=height)


def digest_of_file(data: bytes) -> str:
    """What tells files of different content apart."""
    return blake2b(data, digest_size=8).hexdigest()


def read_attachment(corpus: Corpus, path: str) -> bytes:
    """The bytes of a file within the notes. Raises what `read_input` does."""
    if corpus.folder is None:
        raise FileNotFoundError(path)
    return read_input(corpus.folder / path, MAX_ATTACHMENT_BYTES, corpus.folder)


def attachments_by_link(corpus: Corpus) -> Mapping[str, Attachment]:
    """Files that go with the site, by `link_key`."""
    return {
        link_key(link.span.path, link.destination, link.wiki): file
        for link, file in corpus.derive(linked_files)
        if file and not file.trouble
    }


def is_allowed_host(config: Config, address: str) -> bool:
    """Whether pages may show a picture that lies there, as `image_hosts` says."""
    parts = urlsplit(address) if address.lower().startswith("https://") else None
    try:
        return parts is not None and parts.port is None and parts.hostname in config.image_hosts
    except ValueError:
        return False


def link_key(path: str, destination: str, wiki: bool) -> str:
    """What a link on the note at `path` is known by."""
    return f"{path}\n{'[[' if wiki else ''}{destination}"
