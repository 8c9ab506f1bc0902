"""The shell of the site: the few pages that MkDocs renders, cached by their input.

Only this module runs MkDocs, or a program that reads the same projects. It runs in a folder of its
own, never in the repository, because MkDocs empties its output folder first.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from kg.corpus import Corpus
from kg.corpus.site_files import attachments_by_link, digest_of_file, read_attachment
from kg.files.cache_files import STAGING_PREFIX, read_sealed_as, shared_state_folder, write_sealed
from kg.files.locks import LOCK, hold_lock
from kg.model import Value
from kg.model.errors import KgError
from kg.model.settings.config import Builder, Site
from kg.notes.frontmatter import parse_typed_yaml, render_yaml
from kg.publish.graphics.card import SITE_CARD, site_card
from kg.publish.markup.camp_and_relation_styles import render_camp_styles, render_relation_styles
from kg.publish.markup.shown_files import file_url
from kg.runtime.forked_workers import can_fork, fork_process

FORMAT = "1"
SHELLS_KEPT = 7  # besides the current one, as all sites share them
SHELLS = "shells"
SEAL = "seal"
SHELL_FORMAT = "shell 1"
# The name of a shell (`_shell_key`) or of a staged one.
_IS_SHELL = re.compile(rf"(?:{STAGING_PREFIX})?[0-9a-f]{{24}}|{STAGING_PREFIX}\w{{8}}")
# The pages of the documentation that say how answers come about: every site has them, too.
METHOD_PAGES = ("how-strength-is-computed.md", "quality.md")
# A link to another of its pages, which no site has; its words are the first group.
_LINK_TO_DOCUMENTATION = re.compile(
    rb"\[([^\]]*)\]\((?!#|how-strength-is-computed\.md|quality\.md)[^)]*\)"
)
VIS_SCRIPT = "vis-network.min.js"
SLOT = "kg-slot-"
SITE_NAME = SLOT + "site-name"
PACKAGES: dict[Builder, tuple[str, ...]] = {
    "mkdocs": ("mkdocs", "mkdocs-material", "Markdown"),
    "properdocs": ("properdocs", "mkdocs-material", "Markdown"),
    "zensical": ("zensical", "Markdown"),
}
QUIET_ENVIRONMENT = {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
STENCIL = f"""---
title: {SLOT}title
description: {SLOT}description
stencil: true
hide: [navigation]
---

# {SLOT}title

## {SLOT}heading
"""
LONE_STENCIL = "stencil.md"
MADE_ASSETS = ("assets/camps.css", "assets/relations.css")


class ShellError(KgError, RuntimeError):
    """MkDocs failed; the message has its output."""


@dataclass(frozen=True, slots=True)
class Shell:
    """The output of MkDocs in `folder`; `stencils` and `written_pages` are addresses in it.

    A stencil is a page into which others are spliced; a written page is from `site/pages`.
    """

    folder: Path
    stencils: tuple[str, ...]
    written_pages: tuple[str, ...]

    @property
    def key(self) -> str:
        """A digest of all that it was made of, which names its folder in the cache."""
        return self.folder.parent.name


def build_shell(inputs: Path, shells: Path | None = None, site: Site | None = None) -> Shell:
    """The shell for these inputs, from the cache folder `shells` if it was built before.

    `site` has the address of the site, and the program that renders the shell. The default for
    `shells` is a folder shared by all sites. Raises `ShellError`.
    """
    site = site or Site()
    project_files = _all_project_files(inputs, load_settings(inputs, site))
    shells = shells or shared_state_folder(SHELLS) or _temporary_shells()
    shell_folder = shells / _shell_key(project_files, site.builder)
    # `kg serve` and the builds that it starts may run this at the same time.
    with hold_lock(shells / LOCK, str(shells)):
        is_new = not _is_complete(shell_folder)
        if is_new:
            _build_shell(shell_folder, project_files, site.builder)
        os.utime(shell_folder)
        if is_new:
            _remove_other_shells(shell_folder)
    pages = sorted(name for name in project_files if name.startswith("pages/"))
    is_stencil = {name: project_files[name] == STENCIL.encode() for name in pages}
    return Shell(
        shell_folder / "html",
        tuple(_address_of_page(name) for name in pages if is_stencil[name]),
        tuple(_address_of_page(name) for name in pages if not is_stencil[name]),
    )


@contextmanager
def build_shell_meanwhile(inputs: Path, site: Site) -> Iterator[None]:
    """Let a copy of this process build a shell that does not exist yet, while the caller does
    something else. If that fails, so does `build_shell`, and says why.
    """
    shells = shared_state_folder(SHELLS)
    project_files = _all_project_files(inputs, load_settings(inputs, site))
    if (
        shells is None
        or not can_fork()
        or (shells / _shell_key(project_files, site.builder)).is_dir()
    ):
        yield
        return
    copy = fork_process(lambda: build_shell(inputs, shells, site).folder.name.encode())
    try:
        yield
    finally:
        copy.receive()


@cache
def _temporary_shells() -> Path:
    """A folder that is removed with this process, if there is no cache folder."""
    folder, owner = tempfile.mkdtemp(prefix="kg-shells-"), os.getpid()

    def remove_folder() -> None:
        if os.getpid() == owner:  # not in a forked process
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove_folder)
    return Path(folder)


def _is_complete(shell_folder: Path) -> bool:
    """Return whether a shell exists with exactly the files that were built."""
    digests = read_sealed_as(
        shell_folder / SEAL, SHELL_FORMAT, msgspec.msgpack.Decoder(dict[str, bytes]).decode
    )
    try:
        return bool(digests) and digests == _digests_of_files(shell_folder / "html")
    except OSError:
        return False


def _digests_of_files(folder: Path) -> dict[str, bytes]:
    return {
        name: hashlib.blake2b(text, digest_size=16).digest()
        for name, text in _files_with_bytes(folder)
    }


def copy_project(inputs: Path, settings: Mapping[str, object], folder: Path) -> None:
    """Write a MkDocs project to `folder`: settings, overrides, and handwritten pages."""
    for name, text in _project_files(inputs, settings).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    (folder / "pages").mkdir(exist_ok=True)


def run_builder(folder: Path, builder: Builder) -> None:
    """Build the MkDocs project in `folder` into its `html`; raises `ShellError`."""
    quiet_option = ["--quiet"] if builder != "zensical" else []
    # -P: no file in the folder can shadow a package.
    command = [sys.executable, "-P", "-m", builder, "build", *quiet_option, "-f", "mkdocs.yml"]
    process = subprocess.run(
        command, cwd=folder, env={**os.environ, **QUIET_ENVIRONMENT}, capture_output=True, text=True
    )
    # Zensical exits with 0 even if it fails.
    if process.returncode or not (folder / "html" / "index.html").is_file():
        output = (process.stderr or process.stdout).strip()
        raise ShellError(f"{builder} could not build the shell of the site:\n{output}")


def load_settings(inputs: Path, site: Site) -> dict[str, Any]:
    """`mkdocs.yml`, with the address of the site and only existing assets."""
    settings = parse_typed_yaml((inputs / "mkdocs.yml").read_text("utf-8"))
    settings["site_name"], settings["not_in_nav"] = SITE_NAME, "*"
    settings["docs_dir"], settings["site_dir"] = "pages", "html"
    settings["theme"]["custom_dir"] = "overrides"
    if site.builder == "zensical":
        settings["theme"]["variant"] = "classic"
    if site.url:
        settings["site_url"] = site.url
    for key in ("extra_css", "extra_javascript"):
        settings[key] = [
            name
            for name in settings.get(key, ())
            if name in MADE_ASSETS or (inputs / name).is_file()
        ]
    return settings


def _project_files(inputs: Path, settings: Mapping[str, Any]) -> dict[str, bytes]:
    """The files of a MkDocs project that are the same for every corpus, by path."""
    files = {f"overrides/{name}": text for name, text in _files_with_bytes(inputs / "overrides")}
    files.update({f"pages/{name}": text for name, text in _files_with_bytes(inputs / "pages")})
    for name in METHOD_PAGES:
        in_checkout = inputs.parent / "docs" / name  # an installed package has it among its pages
        if in_checkout.is_file():
            files[f"pages/{name}"] = in_checkout.read_bytes()
        if text := files.get(f"pages/{name}"):
            files[f"pages/{name}"] = _LINK_TO_DOCUMENTATION.sub(rb"\1", text)
    files["mkdocs.yml"] = render_yaml(settings).encode()
    return files


def _all_project_files(inputs: Path, settings: Mapping[str, Any]) -> dict[str, bytes]:
    """Return every file of the shell's MkDocs project, by its path."""
    files = [file for entry in settings["nav"] for file in entry.values()]
    stencils = dict.fromkeys([f"pages/{file}" for file in (*files, LONE_STENCIL)], STENCIL.encode())
    return {**stencils, **_project_files(inputs, settings)}


def _files_with_bytes(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.name.startswith("."):
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def _shell_key(project_files: Mapping[str, bytes], builder: Builder) -> str:
    try:
        parts = [FORMAT, *(f"{name} {version(name)}" for name in PACKAGES[builder])]
    except PackageNotFoundError as error:
        raise ShellError(f"[site] builder = {builder!r} needs the package {error.name}") from None
    digest = hashlib.blake2b("\n".join(parts).encode(), digest_size=12)
    for name, text in sorted(project_files.items()):
        digest.update(f"\n{len(name)} {name} {len(text)}\n".encode() + text)
    return digest.hexdigest()


def _build_shell(shell_folder: Path, project_files: Mapping[str, bytes], builder: Builder) -> None:
    staged = Path(tempfile.mkdtemp(prefix=STAGING_PREFIX, dir=shell_folder.parent))
    try:
        for name, text in project_files.items():
            (staged / name).parent.mkdir(parents=True, exist_ok=True)
            (staged / name).write_bytes(text)
        run_builder(staged, builder)
        write_sealed(
            staged / SEAL, SHELL_FORMAT, msgspec.msgpack.encode(_digests_of_files(staged / "html"))
        )
        shutil.rmtree(shell_folder, ignore_errors=True)
        staged.rename(shell_folder)
    except OSError as error:
        error.filename = error.filename or str(staged)  # an error for a full disk has no file name
        raise
    finally:
        shutil.rmtree(staged, ignore_errors=True)


def _remove_other_shells(shell_folder: Path) -> None:
    """Remove what killed builds left, and all but the most recently used shells.

    Another process may still be reading the previous one. `KG_CACHE_DIR` may contain a folder of
    this name with other content, so shells are recognised by their names.
    """
    shells = []
    for other in shell_folder.parent.iterdir():
        if not _IS_SHELL.fullmatch(other.name):
            continue
        if other.name.startswith(STAGING_PREFIX):
            shutil.rmtree(other, ignore_errors=True)
        elif other.is_dir() and other != shell_folder:
            shells.append((other.stat().st_mtime_ns, other))
    for _, other in sorted(shells, reverse=True)[SHELLS_KEPT:]:
        # Rename it first: if we are stopped, a partial shell must not pass for a complete one.
        staged = other.rename(other.with_name(STAGING_PREFIX + other.name))
        shutil.rmtree(staged, ignore_errors=True)


def _address_of_page(name: str) -> str:
    return name.removeprefix("pages/").removesuffix(".md") + ".html"


class NoInputs(KgError, FileNotFoundError):
    """The theme's inputs are missing; the message says where they were looked for."""


@cache
def get_inputs() -> Path:
    """The folder with `mkdocs.yml`, `overrides/`, `assets/` and `pages/`; raises `NoInputs`."""
    package = Path(str(files("kg")))
    folders = (package / "_site", package.parent / "site")
    for folder in folders:
        if (folder / "mkdocs.yml").is_file():
            return folder
    raise NoInputs(f"no mkdocs.yml in {' or '.join(map(str, folders))}; reinstall inquiry-lines")


class SiteAsset(Value, frozen=True):
    """A file of the site; `path` is relative to the site's root."""

    path: str
    content: bytes


def find_assets(corpus: Corpus) -> Iterator[SiteAsset]:
    """Styles of camps and relations, the script that draws graphs, the picture of the site."""
    yield SiteAsset(path="assets/camps.css", content=render_camp_styles(corpus.config).encode())
    yield SiteAsset(path="assets/relations.css", content=render_relation_styles().encode())
    yield SiteAsset(path=f"assets/{VIS_SCRIPT}", content=read_vis_script())
    if card := site_card(corpus.config.site):
        yield SiteAsset(path=SITE_CARD, content=card)


def attachment_paths_by_url(corpus: Corpus) -> dict[str, str]:
    """The files that notes show or link to: address to path in the notes folder."""
    return {file_url(file): file.path for file in attachments_by_link(corpus).values()}


def read_shown_file(corpus: Corpus, url: str, path: str) -> bytes | None:
    """The content for `url`; None if the file has changed since."""
    try:
        data = read_attachment(corpus, path)
    except OSError:
        return None
    return data if digest_of_file(data) in url else None


def read_vis_script() -> bytes:
    """The script that draws graphs, from pyvis, which need not be imported for it."""
    spec = find_spec("pyvis")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).with_name("lib").joinpath("vis-9.1.2", VIS_SCRIPT).read_bytes()
