"""Pictures and links to files, as notes show them."""

from __future__ import annotations

from collections.abc import Mapping

from kg.corpus.site_files import Attachment, is_allowed_host, link_key
from kg.model.config import Config
from kg.notes.markdown.file_links import is_remote, split_size
from kg.notes.markdown.inline import names_a_file
from kg.publish.markup.address import file_name
from kg.publish.markup.html import Child, Html, element, join_children, web_address
from kg.publish.markup.link_maker import missing_link

FILES = "files"  # the folder of the site that they stand in
_STEM = 80  # letters of a name that are kept


def file_url(file: Attachment) -> str:
    """Where a file stands on the site: another content has another address."""
    name, _, suffix = file.path.rpartition("/")[2].lower().rpartition(".")
    return f"{FILES}/{file_name(name[:_STEM])}-{file.digest}.{suffix}"


class ShownFiles:
    """Makes elements of links to files; `files` are those that go with the site, by `link_key`."""

    def __init__(self, files: Mapping[str, Attachment], config: Config) -> None:
        self._files = files
        self._config = config

    def is_file(self, destination: str, wiki: bool) -> bool:
        """Whether a link leads to a file of the corpus, there or not."""
        return names_a_file(destination) and (wiki or not is_remote(destination))

    def link(self, path: str, destination: str, wiki: bool, root: str, words: Html) -> Html:
        """A link to a file, with its kind and size."""
        file = self._files.get(link_key(path, destination, wiki))
        if file is None:
            return missing_link(words)
        kind = file.path.rpartition(".")[2].upper()
        size = element("span", f" ({kind}, {_size(file.bytes)})", class_="kg-file-size")
        return element("a", words, size, href=root + file_url(file), class_="kg-file")

    def picture(
        self, path: str, destination: str, wiki: bool, root: str, text: str, flat: bool
    ) -> Html:
        """A picture; a link where it lies on another host, words where it cannot be shown."""
        said, width, height = split_size(text)
        label = join_children(("Picture: ", said or "without description"))
        file = self._files.get(link_key(path, destination, wiki))
        if file is not None and not file.is_picture:
            name = Html(join_children((said or file.path.rpartition("/")[2],)))
            return self.link(path, destination, wiki, root, name)
        if flat and file is not None:
            return element("a", label, href=root + file_url(file), class_="kg-file")
        if file is not None:
            size = _shown_size(file, width, height)
            return _image(root + file_url(file), said, *size)
        href = None if wiki else web_address(destination)
        if href is None:
            return missing_link(label)
        if not flat and is_allowed_host(self._config, href):
            return _image(href, said, width, height)
        return element("a", label, href=href, rel="noopener noreferrer external", class_="kg-out")


def _image(source: str, said: str, width: Child, height: Child) -> Html:
    return element(
        "img",
        src=source,
        alt=said,
        width=width or None,
        height=height or None,
        loading="lazy",
        decoding="async",
        referrerpolicy="no-referrer",
        class_="kg-picture",
    )


def _shown_size(file: Attachment, width: int | None, height: int | None) -> tuple[int, int]:
    """The width and height of a picture, as asked for; its own where nothing was asked for."""
    if not width:
        return file.width, file.height
    if not height and file.width:
        height = max(1, round(width * file.height / file.width))
    return width, height or 0


def _size(count: int) -> str:
    if count < 1000:
        return f"{count} bytes"
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"
