"""Whether anything that a site rests on has changed since it was built, told without reading it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path

import msgspec

from kg.files.read import NotesFolder, leads_outside, read_file
from kg.git import state_files
from kg.model import Value
from kg.notes.cache import READERS
from kg.notes.discover import LARGEST_BIBLIOGRAPHY, README, list_files, list_judgements
from kg.notes.settings import config_places
from kg.ontology import ontology_folder
from kg.publish.graphics.card import can_draw
from kg.publish.theme.shell import PACKAGES
from kg.version import VERSION

CACHED = "__pycache__"
DRAWERS = ("networkx", "numpy", "pyvis", "scipy")  # what pictures and numbers are made with
COARSEST_CLOCK = 2_000_000_000  # nanoseconds: FAT keeps times in steps of two seconds


class Look(Value, frozen=True, array_like=True):
    """How a file looked; `digest` is of its content where its times are too young to trust."""

    size: int
    modified: int
    changed: int
    digest: bytes = b""


Stamp = dict[bytes, Look]  # by the file's name as the system has it, which need not be Unicode


def find_sources(notes: NotesFolder, inputs: Path) -> list[str]:
    """Every file that a site of the folder `notes` is made from, but for the program."""
    found = list_files(notes)
    beside = [*list_judgements(notes), notes / README]
    found += [str(file) for file in beside if not leads_outside(file, notes)]
    found += [str(file) for file in config_places(notes) if not leads_outside(file, file.parent)]
    return [*found, *state_files(notes), *files_below(inputs)]


def take_stamp(files: Iterable[str]) -> Stamp:
    """How each of the files that are there looks now."""
    now = time.time_ns()
    found = {}
    for file in map(os.fsencode, files):
        try:
            state = os.stat(file)
            is_young = max(state.st_mtime_ns, state.st_ctime_ns) > now - COARSEST_CLOCK
            digest = _digest(file) if is_young else b""
        except OSError:
            continue
        found[file] = Look(state.st_size, state.st_mtime_ns, state.st_ctime_ns, digest)
    return found


def is_same(old: Stamp, new: Stamp) -> bool:
    """Whether the files are surely those of the older stamp, content and all."""
    return old.keys() == new.keys() and all(
        _fits(old[file], look, file) for file, look in new.items()
    )


def _fits(old: Look, new: Look, file: bytes) -> bool:
    if (old.size, old.modified, old.changed) != (new.size, new.modified, new.changed):
        return False
    try:
        return not old.digest or old.digest == (new.digest or _digest(file))
    except OSError:
        return False


def _digest(file: bytes) -> bytes:
    data = read_file(os.fsdecode(file), LARGEST_BIBLIOGRAPHY)
    return blake2b(data, digest_size=16).digest()


def program() -> str:
    """A digest of all that makes pages: Python, ourselves as we stand here, what we call on."""
    folders = (str(files("kg")), str(ontology_folder()))
    ours = (file for folder in folders for file in files_below(Path(folder)) if CACHED not in file)
    found = sorted((file, look.size, look.modified) for file, look in take_stamp(ours).items())
    called = sorted({*READERS, *DRAWERS, *(name for names in PACKAGES.values() for name in names)})
    whole = (VERSION, sys.version, [(name, _version(name)) for name in called], can_draw(), found)
    return blake2b(msgspec.msgpack.encode(whole), digest_size=12).hexdigest()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def files_below(folder: Path) -> list[str]:
    """Every file below a folder, but for those whose names begin with a dot."""
    return [
        os.path.join(place, name)
        for place, _, names in os.walk(folder)
        for name in names
        if not name.startswith(".")
    ]
