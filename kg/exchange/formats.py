"""The table of export formats, and functions that write them."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import pyoxigraph as ox

from kg.corpus import Corpus
from kg.exchange.profiles import profile_quads
from kg.exchange.rdf_formats import (
    write_corpus_nquads,
    write_jsonld,
    write_nquads,
    write_rdfxml,
    write_trig,
    write_turtle,
)
from kg.exchange.writers.argument_maps import write_aif, write_argdown, write_xaif
from kg.exchange.writers.bibliographies import write_bibtex, write_csl
from kg.exchange.writers.csv_tables import write_csv, write_parquet
from kg.exchange.writers.data_set import write_cff, write_crate, write_datacite
from kg.exchange.writers.diagrams import (
    write_canvas,
    write_dot,
    write_gexf,
    write_graphml,
    write_mermaid,
)
from kg.exchange.writers.property_graph import write_neo4j
from kg.exchange.writers.reports import write_latex, write_report
from kg.files.folder_tree import FolderTree, folders_around, open_folder_tree
from kg.files.staging_folder import staging_folder
from kg.graphs_with_strengths.rdf_with_strengths import strength_quads
from kg.model.errors import KgError
from kg.model.settings.config import CONFIG_NAME
from kg.rdf.quads import as_quads


class Format(NamedTuple):
    """A format: RDF formats write quads, and so support profiles; the others write the corpus, or
    a part of it with what only the whole can tell, such as strengths.
    """

    name: str
    suffix: str
    title: str
    write_quads: Callable[[Iterable[ox.Quad], Path], None] | None = None
    write: Callable[[Corpus, Path], None] | None = None
    write_part: Callable[[Corpus, Path, Corpus], None] | None = None
    has_graphs: bool = False

    @property
    def is_folder(self) -> bool:
        """Whether the format is a folder of files."""
        return not self.suffix


FORMATS: tuple[Format, ...] = (
    Format("ttl", ".ttl", "Turtle, all notes in one graph", write_turtle),
    Format(
        "nq",
        ".nq",
        "N-Quads, one graph a note",
        write_nquads,
        write_corpus_nquads,
        has_graphs=True,
    ),
    Format("trig", ".trig", "TriG, one graph a note", write_trig, has_graphs=True),
    Format("jsonld", ".jsonld", "JSON-LD, with its context", write_jsonld, has_graphs=True),
    Format("rdfxml", ".rdf", "RDF/XML, all notes in one graph", write_rdfxml),
    Format("graphml", ".graphml", "GraphML: statements and edges", write_part=write_graphml),
    Format("gexf", ".gexf", "GEXF: statements and edges, for Gephi", write_part=write_gexf),
    Format("dot", ".dot", "DOT: statements and edges, for Graphviz", write=write_dot),
    Format("mermaid", ".mmd", "Mermaid: a flowchart, for Markdown pages", write=write_mermaid),
    Format("canvas", ".canvas", "JSON Canvas: cards, for Obsidian", write=write_canvas),
    Format("csv", "", "a folder of CSV tables", write=write_csv),
    Format("parquet", "", "a folder of the same tables as Parquet, by polars", write=write_parquet),
    Format("neo4j", "", "a folder of CSV for Neo4j, and Cypher to load it", write_part=write_neo4j),
    Format("bibtex", ".bib", "BibTeX: the sources", write_part=write_bibtex),
    Format("csl", ".json", "CSL JSON: the sources, for Zotero and Pandoc", write_part=write_csl),
    Format(
        "report", ".md", "a report in Markdown, with Pandoc's citations", write_part=write_report
    ),
    Format("latex", ".tex", "the report as LaTeX", write_part=write_latex),
    Format("argdown", ".argdown", "Argdown: statements and arguments", write=write_argdown),
    Format("aif", ".json", "AIF JSON: the argument graph, for OVA and AIFdb", write=write_aif),
    Format("xaif", ".json", "xAIF JSON: the same, for argument mining", write=write_xaif),
    Format("cff", ".cff", "CITATION.cff: how to cite the notes", write=write_cff),
    Format("datacite", ".json", "DataCite JSON: the notes, to get a DOI", write=write_datacite),
    Format("ro-crate", ".json", "RO-Crate: the notes as a data set", write=write_crate),
)


class NoSuchExport(KgError, ValueError):
    """A requested export is not possible; the message lists what is."""


def get_format(name: str) -> Format:
    """The format called `name`; raises `NoSuchExport`."""
    for format in FORMATS:
        if format.name == name:
            return format
    names = ", ".join(format.name for format in FORMATS)
    raise NoSuchExport(f"there is no format {name!r}: use one of {names}")


class WouldReplaceNotes(KgError):
    """An export would replace a file from which the corpus is read."""


def write_export(
    corpus: Corpus,
    name: str,
    target: Path,
    profile: str | None = None,
    *,
    whole_corpus: Corpus | None = None,
    with_strengths: bool = False,
) -> None:
    """Write the corpus, or a profile of it, to `target`, atomically.

    Strengths are those in `whole_corpus`, of which this may be a part; RDF contains them, and
    verdicts, only `with_strengths`. Raises `NoSuchExport`, `UnknownProfile`, `WouldReplaceNotes`,
    and `PathBlocked` if it would write through a link beside the notes.
    """
    format = get_format(name)
    whole_corpus = whole_corpus or corpus
    _require_no_notes(whole_corpus, target)
    _require_profile_of(format, profile)
    if with_strengths and (profile or not format.write_quads):
        raise NoSuchExport(f"strengths go with the RDF formats, without a profile, not with {name}")
    with ExitStack() as stack:
        tree = stack.enter_context(open_folder_tree(target.parent, folders_around(corpus.folder)))
        staged = stack.enter_context(staging_folder(tree.path, ".export-")) / "made"
        try:
            if format.write_part:
                format.write_part(corpus, staged, whole_corpus)
            elif format.write and not (profile or with_strengths):
                format.write(corpus, staged)
            elif format.write_quads:
                quads = profile_quads(corpus, profile) if profile else as_quads(corpus)
                strengths = strength_quads(corpus, whole_corpus) if with_strengths else ()
                format.write_quads(chain(quads, strengths), staged)
        except OSError as error:  # it may name the staged: name the target instead
            reason = error.strerror or str(error)
            raise OSError(error.errno or errno.EIO, reason, str(target)) from None
        _move_export(staged, tree, target.name)


def _require_no_notes(corpus: Corpus, target: Path) -> None:
    if corpus.folder is None:
        return
    notes = corpus.folder.real
    real_target = Path(os.path.realpath(target))
    settings = {notes / CONFIG_NAME, corpus.folder.around / CONFIG_NAME}
    # a set, as one bibliography may hold thousands of sources
    source_paths = {source.span.path for source in corpus.sources.values()}
    source_files = {Path(os.path.realpath(notes / path)) for path in source_paths}
    is_corpus_file = real_target.is_file() and (
        real_target in settings | source_files or notes in real_target.parents
    )
    if is_corpus_file or real_target == notes:
        raise WouldReplaceNotes(f"{target} is what the corpus is read from: name another file")


def _require_profile_of(format: Format, profile: str | None) -> None:
    if profile and not format.write_quads:
        names = ", ".join(format.name for format in FORMATS if format.write_quads)
        raise NoSuchExport(f"{format.name} has no profiles: use one of {names}")
    if profile == "nanopub" and not format.has_graphs:
        names = ", ".join(format.name for format in FORMATS if format.has_graphs)
        raise NoSuchExport(f"nanopublications are made of named graphs: use one of {names}")


def _move_export(staged: Path, tree: FolderTree, target: str) -> None:
    """Move a file or folder to its target; other files in an existing folder are kept."""
    if staged.is_file() or tree.stat(target) is None:
        tree.move_in(staged, target)
    else:
        for file in staged.iterdir():
            tree.move_in(file, f"{target}/{file.name}")


def render_export(corpus: Corpus, name: str, profile: str | None = None, **options: Any) -> bytes:
    """The bytes that `write_export` would write, for formats of one file."""
    if get_format(name).is_folder:
        raise NoSuchExport(f"{name} is a folder of files: name it with `--output DIR`")
    folder = Path(tempfile.mkdtemp())
    try:
        write_export(corpus, name, folder / "export", profile, **options)
        return (folder / "export").read_bytes()
    finally:
        shutil.rmtree(folder)
