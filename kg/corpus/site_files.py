"""Files that notes show or link to: which may go with the site, and why others may not."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import NamedTuple
from urllib.parse import urlsplit

from kg.corpus.corpus import Corpus
from kg.files.measure_picture import UnpublishableFile, measure_picture
from kg.files.read_files import TooLarge, read_input, render_size
from kg.model import Value
from kg.model.settings.config import Config
from kg.notes.body import AttachmentFinder, list_attachments
from kg.notes.ignore_globs import IgnoreGlobs
from kg.notes.markdown import PICTURES
from kg.notes.parsed_note import FileLink
from kg.runtime.memoize import memoize

MAX_ATTACHMENT_BYTES = 16 * 1024 * 1024
MAX_SITE_FILES_BYTES = 256 * 1024 * 1024  # of all files that go with a site


class Attachment(Value, frozen=True):
    """A file that a note links to: its path in the notes folder, and a digest of its content.

    For a picture also its width and height; for a file that cannot go with the site, why.
    """

    path: str
    digest: str = ""
    bytes: int = 0
    width: int = 0
    height: int = 0
    trouble: str = ""

    @property
    def is_picture(self) -> bool:
        """Whether it is a picture, which is shown rather than only linked."""
        return self.path.lower().endswith(tuple(f".{suffix}" for suffix in PICTURES))


class LinkedFile(NamedTuple):
    """A link to a file within the notes, and the file; None if it does not exist."""

    link: FileLink
    file: Attachment | None


@memoize
def linked_files(corpus: Corpus) -> tuple[LinkedFile, ...]:
    """Return every link to a file within the notes, in reading order."""
    links = [link for link in corpus.files if not link.remote]
    if corpus.folder is None or not links:
        return ()
    ignored = IgnoreGlobs(corpus.config.ignore)
    files = AttachmentFinder(list_attachments(corpus.folder, ignored))
    attachments: dict[str, Attachment] = {}
    bytes_left = MAX_SITE_FILES_BYTES
    files_of_links = []
    for link in links:
        path = files.find(link)
        if path is not None and path not in attachments:
            attachments[path] = _read_attachment_record(corpus, path, bytes_left)
            bytes_left -= attachments[path].bytes
        files_of_links.append(LinkedFile(link, attachments[path] if path else None))
    return tuple(files_of_links)


def _read_attachment_record(corpus: Corpus, path: str, bytes_left: int) -> Attachment:
    """Read and check a file, of which at most `bytes_left` bytes still fit into the site."""
    try:
        data = read_attachment(corpus, path)
        if len(data) > bytes_left:
            total = render_size(MAX_SITE_FILES_BYTES)
            return Attachment(path=path, trouble=f"with it, the files would hold more than {total}")
        width, height = measure_picture(path, data)
    except TooLarge as error:
        return Attachment(path=path, trouble=str(error.strerror))
    except UnpublishableFile as error:
        return Attachment(path=path, trouble=str(error))
    except OSError as error:
        return Attachment(path=path, trouble=f"it cannot be read: {error.strerror or error}")
    digest = digest_of_file(data)
    return Attachment(path=path, digest=digest, bytes=len(data), width=width, height=height)


def digest_of_file(data: bytes) -> str:
    """A digest of a file's content."""
    return blake2b(data, digest_size=8).hexdigest()


def read_attachment(corpus: Corpus, path: str) -> bytes:
    """The bytes of a file within the notes. Raises the same errors as `read_input`."""
    if corpus.folder is None:
        raise FileNotFoundError(path)
    return read_input(corpus.folder / path, MAX_ATTACHMENT_BYTES, corpus.folder)


@memoize
def attachments_by_link(corpus: Corpus) -> Mapping[str, Attachment]:
    """Files that go with the site, by `link_key`."""
    return {
        link_key(link.span.path, link.destination, link.wiki): file
        for link, file in linked_files(corpus)
        if file and not file.trouble
    }


def is_allowed_host(config: Config, address: str) -> bool:
    """Return whether pages may show a picture from this address, according to `image_hosts`."""
    parts = urlsplit(address) if address.lower().startswith("https://") else None
    try:
        return parts is not None and parts.port is None and parts.hostname in config.image_hosts
    except ValueError:
        return False


def link_key(path: str, destination: str, wiki: bool) -> str:
    """A key for a link in the note at `path`."""
    return f"{path}\n{'[[' if wiki else ''}{destination}"
