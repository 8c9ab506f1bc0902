"""Measure a picture, and check that its file holds what its name says and nothing that runs."""

from __future__ import annotations

import io
import re
import warnings
from xml.parsers import expat

from kg.model.errors import KgError

MAX_PIXELS = 50_000_000  # 200 MB when decoded
_FORMATS = {
    "png": "PNG",
    "jpg": "JPEG",
    "jpeg": "JPEG",
    "gif": "GIF",
    "webp": "WEBP",
    "avif": "AVIF",
}
MAX_SIDE_PIXELS = 100_000  # a larger SVG counts as one without a size
_ORIENTATIONS_THAT_SWAP_SIDES = frozenset(
    {5, 6, 7, 8}
)  # EXIF orientations that swap width and height
_ORIENTATION = 0x0112  # the tag of Exif that says how a picture is turned
_FILE_SIGNATURES = {"pdf": b"%PDF-", "xlsx": b"PK", "ods": b"PK"}
_SVG = "http://www.w3.org/2000/svg"
_XHTML = "http://www.w3.org/1999/xhtml"
_ACTIVE = frozenset({"script", "foreignobject", "iframe", "handler", "listener", "set"})
_ENCODINGS = frozenset({"utf-8", "utf-16", "us-ascii", "iso-8859-1"})  # what expat itself reads
_HARMLESS_LINK = re.compile(r"#|https?://|data:image/(?:png|jpeg|gif|webp);base64,", re.IGNORECASE)
_FETCHING_STYLE = re.compile(
    r"@import|image-set\(|\\|url\(\s*[\"']?(?!#|data:image/(?:png|jpeg))", re.IGNORECASE
)
_LENGTH = re.compile(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*(px|pt|pc|mm|cm|in|)\s*\Z")
_PIXELS = {"": 1, "px": 1, "pt": 4 / 3, "pc": 16, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96}


class UnpublishableFile(KgError, ValueError):
    """A file cannot go with the site; the message says why."""


def measure_picture(path: str, data: bytes) -> tuple[int, int]:
    """Width and height of a picture, 0 and 0 for other files. Raises `UnpublishableFile`."""
    suffix = path.rpartition(".")[2].lower()
    if suffix == "svg":
        return _measure_drawing(data)
    if suffix in _FORMATS:
        return _measure_photo(suffix, data)
    if suffix in _FILE_SIGNATURES:
        if not data.startswith(_FILE_SIGNATURES[suffix]):
            raise UnpublishableFile(f"it is not in {suffix.upper()} format")
        return 0, 0
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        raise UnpublishableFile("it is no text in UTF-8") from None
    return 0, 0


def _measure_photo(suffix: str, data: bytes) -> tuple[int, int]:
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=[_FORMATS[suffix]]) as picture:
                width, height = picture.size
                turned = picture.getexif().get(_ORIENTATION) in _ORIENTATIONS_THAT_SWAP_SIDES
    except Exception:  # a damaged picture may raise anything
        raise UnpublishableFile(f"it is not in {_FORMATS[suffix]} format") from None
    if width * height > MAX_PIXELS:
        raise UnpublishableFile(f"it has more than {MAX_PIXELS // 10**6} million pixels")
    return (height, width) if turned else (width, height)


def _measure_drawing(data: bytes) -> tuple[int, int]:
    reader = _SvgReader()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.StartDoctypeDeclHandler = reader.doctype
    parser.EntityDeclHandler = reader.entity
    parser.ProcessingInstructionHandler = reader.instruction
    parser.XmlDeclHandler = reader.declaration
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise UnpublishableFile(f"it is no SVG: {error}") from None
    return reader.size


class _SvgReader:
    """Reads an SVG, and refuses scripts, external references and entities."""

    def __init__(self) -> None:
        self.size = (0, 0)
        self.depth = 0
        self.styles: list[str] | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        space, _, local = name.rpartition(" ")
        if not self.depth:
            if (space, local) != (_SVG, "svg"):
                raise UnpublishableFile("it is not an SVG")
            self.size = _size_of(attributes)
        self.depth += 1
        word = local.lower()
        if space == _XHTML or word in _ACTIVE or word.startswith("animate"):
            raise UnpublishableFile(f"this SVG holds what a browser runs, `<{local}>`")
        for key, value in attributes.items():
            attribute = key.rpartition(" ")[2].lower()
            if attribute.startswith("on"):
                raise UnpublishableFile(f"this SVG holds what a browser runs, `{attribute}`")
            if attribute in ("href", "src") and not _HARMLESS_LINK.match(value.strip()):
                raise UnpublishableFile("this SVG leads to something outside it")
            if attribute == "href" and word != "a" and value.strip().lower().startswith("http"):
                raise UnpublishableFile("this SVG leads to something outside it")
            if _FETCHING_STYLE.search(value) and ("url" in value.lower() or attribute == "style"):
                raise UnpublishableFile("a style in this SVG leads outside it")
        if word == "style":
            self.styles = []

    def end(self, name: str) -> None:
        """An element ends."""
        self.depth -= 1
        if self.styles is not None and name.rpartition(" ")[2].lower() == "style":
            if _FETCHING_STYLE.search("".join(self.styles)):
                raise UnpublishableFile("a style in this SVG leads outside it")
            self.styles = None

    def text(self, text: str) -> None:
        """Handle text in an element."""
        if self.styles is not None:
            self.styles.append(text)

    def declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        """Refuse an encoding that a browser may read otherwise, or that Python cannot read."""
        if encoding and encoding.lower() not in _ENCODINGS:
            raise UnpublishableFile(
                "this SVG is in an encoding other than UTF-8, UTF-16 or ISO-8859-1"
            )

    def doctype(self, _name: str, _system: object, _public: object, has_subset: int) -> None:
        """Refuse a document type with an internal subset."""
        if has_subset:
            raise UnpublishableFile("this SVG declares entities")

    def entity(self, *_: object) -> None:
        """Refuse an entity declaration."""
        raise UnpublishableFile("this SVG declares entities")

    def instruction(self, target: str, _data: str) -> None:
        """Refuse a processing instruction for a style sheet."""
        if target.lower() == "xml-stylesheet":
            raise UnpublishableFile("this SVG asks for a style sheet")


def _size_of(attributes: dict[str, str]) -> tuple[int, int]:
    """The size that an SVG declares; 0 and 0 if it declares none."""
    lengths = [_LENGTH.match(attributes.get(key, "")) for key in ("width", "height")]
    sizes = [float(match[1]) * _PIXELS[match[2]] for match in lengths if match]
    if len(sizes) < 2:
        box = re.findall(r"-?\d+(?:\.\d+)?", attributes.get("viewBox", ""))
        sizes = [float(number) for number in box[2:4]]
    if len(sizes) < 2 or not all(0 < size < MAX_SIDE_PIXELS for size in sizes):
        return 0, 0
    return max(1, round(sizes[0])), max(1, round(sizes[1]))
