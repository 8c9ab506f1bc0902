"""The context that all pages of one corpus share: links, renderer, weights and history."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from typing import TypeAlias
from urllib.parse import quote

from kg.checks.figures_in_sources import FigureInSources, figures_by_statement
from kg.corpus import Corpus
from kg.corpus.drafts import without_links
from kg.corpus.independent_sources import independent_sources
from kg.corpus.site_files import attachments_by_link
from kg.files.read_files import read_input
from kg.git.note_history import History, find_history
from kg.grouping import group_by, group_by_each
from kg.history.past_answers import AnswerHistory, find_answer_history
from kg.model import LineId, SourceKey, Statement, StatementId
from kg.notes.markdown import hide_comments
from kg.notes.note_listing import MAX_NOTE_BYTES, README
from kg.publish.context.read_marks import follows_inputs
from kg.publish.context.site_answers import SiteAnswers
from kg.publish.context.site_standings import SiteStandings
from kg.publish.context.standings import Standings
from kg.publish.markup.address import Addresses, names_as_one
from kg.publish.markup.html import Html
from kg.publish.markup.link_maker import LinkMaker
from kg.publish.markup.prose import Prose, TextPlace
from kg.publish.markup.render_markdown import Renderer
from kg.publish.markup.shown_files import LinkTargets, ShownFiles
from kg.publish.page import LazyPage, Page
from kg.runtime.memoize import memoize
from kg.text.merge_conflicts import keep_first_versions

RECORDS_URL = "api/v1/records/"
MAX_IN_FILE = 128  # records, roughly: ids are assigned to files by hash
README_PAGE = "about.html"
# Words and marks without a meaning in Markdown or HTML, not beginning as a numbered list.
_TEXT_WITHOUT_MARKUP = re.compile(r"(?!\d+[.)])\w(?:[\w ,.;:?()/%—–’-]*[\w.?)])?")


@memoize
def record_files(corpus: Corpus) -> dict[str, list[str]]:
    """The ids in each file of records, by its address without a suffix.

    Other things affect only the number of files, not which of them a thing is in, so an
    edit of one note touches few.
    """
    ids_by_file: dict[str, list[str]] = {}
    kinds: tuple[tuple[str, Iterable[str], int], ...] = (
        ("lines", corpus.lines, len(corpus.lines)),
        ("statements", corpus.statements, len(corpus.statements)),
        ("sources", corpus.sources, len(corpus.sources)),
    )
    for kind, ids, count in kinds:
        files = 1 << max(0, (count - 1) // MAX_IN_FILE).bit_length()
        names = [f"{RECORDS_URL}{kind}-{number:x}" for number in range(files)]
        ids_by_file.update((name, []) for name in names)
        for id in ids:
            digest = blake2b(id.encode(), digest_size=8).digest()
            ids_by_file[names[int.from_bytes(digest) % files]].append(id)
    return {name: ids for name, ids in ids_by_file.items() if ids}


@memoize
def record_addresses(corpus: Corpus) -> dict[str, str]:
    """The address of each record: its file, and a JSON Pointer (RFC 6901) in it."""
    return {
        id: f"{file}.json#/{quote(id.replace('~', '~0').replace('/', '~1'), safe='~')}"
        for file, ids in record_files(corpus).items()
        for id in ids
    }


class SiteContext:
    """One corpus and what its pages share, each part made when a page first needs it.

    Unless `weigh_past`, only the remembered past is used. `known_standings` are those of a corpus
    with the same inputs.
    """

    def __init__(
        self,
        addresses: Addresses,
        weigh_past: bool = True,
        known_standings: Standings | None = None,
    ) -> None:
        self.corpus: Corpus = addresses.corpus
        self._weigh_past = weigh_past
        self._known_standings = known_standings
        self.addresses = addresses

    @cached_property
    def link_maker(self) -> LinkMaker:
        """Makes links to everything in the corpus."""
        return LinkMaker(self.corpus, self.addresses)

    @cached_property
    def renderer(self) -> Renderer:
        files = ShownFiles(attachments_by_link(self.corpus), self.corpus.config)
        return Renderer(self.link_maker, LinkTargets(self.corpus), files)

    @cached_property
    def standings(self) -> SiteStandings:
        return SiteStandings(self.corpus, self._known_standings)

    @cached_property
    def answers(self) -> SiteAnswers:
        return SiteAnswers(self.standings)

    @cached_property
    def history(self) -> History:
        """The commits that added and changed each note, from git."""
        return find_history(self.corpus.folder)

    @cached_property
    def past(self) -> AnswerHistory:
        """The lines' answers at earlier commits, and what changed since."""
        return find_answer_history(self.corpus, weigh=self._weigh_past)

    @cached_property
    def texts_beside_notes(self) -> Mapping[str, str]:
        """Texts beside the notes that are not statements, by name: the `README.md`."""
        folder = self.corpus.folder
        try:
            data = read_input(folder / README, MAX_NOTE_BYTES, folder) if folder else None
        except OSError:
            data = None
        if data is None:
            return {}
        text = keep_first_versions(data.decode("utf-8", "replace"), markdown=True).text
        return {README: without_links(hide_comments(text), README, self.corpus.drafts or {})}

    @property
    def readme_page(self) -> str:
        """The address of the page about the corpus; empty if its authors wrote none."""
        return README_PAGE if README in self.texts_beside_notes else ""

    @cached_property
    def statements_with_bodies(self) -> Mapping[StatementId, Statement]:
        """Statements with their `body`, for the few pages that show it.

        A corpus that records look-ups has statements without bodies, so that an edit of a text
        does not rebuild pages that show only the title.
        """
        return self.corpus.statements

    @cached_property
    @follows_inputs
    def record_addresses(self) -> Mapping[str, str]:
        """The address of each thing's record as JSON."""
        return record_addresses(self.corpus)

    @cached_property
    @follows_inputs
    def record_files(self) -> Mapping[str, Sequence[str]]:
        """The ids in each file of records, by its address without a suffix."""
        return record_files(self.corpus)

    @cached_property
    @follows_inputs
    def lines_by_proposition(self) -> Mapping[StatementId, tuple[LineId, ...]]:
        """The lines whose question each statement answers."""
        asking = [line for line in self.corpus.lines.values() if line.proposition]
        grouped = group_by(asking, lambda line: line.proposition or "")
        return {claim: tuple(line.id for line in lines) for claim, lines in grouped.items()}

    @cached_property
    @follows_inputs
    def lines_by_topic(self) -> Mapping[str, tuple[LineId, ...]]:
        """The lines that have each topic."""
        grouped = group_by_each(self.corpus.lines.values(), lambda line: dict.fromkeys(line.topics))
        return {topic: tuple(line.id for line in lines) for topic, lines in grouped.items()}

    @cached_property
    def sources_by_independence_key(self) -> Mapping[str, tuple[SourceKey, ...]]:
        """The sources that share each team, data set or system."""
        sources = self.corpus.sources.values()
        groups = group_by_each(sources, lambda source: dict.fromkeys(source.independence))
        return {group: tuple(source.key for source in members) for group, members in groups.items()}

    @cached_property
    @follows_inputs
    def source_groups(self) -> Mapping[StatementId, tuple[str, ...]]:
        """The independent sources of each piece of evidence, by representative names."""
        fractions_by_id = independent_sources(self.corpus).fractions
        return {id: tuple(sorted(fractions)) for id, fractions in fractions_by_id.items()}

    @cached_property
    def seen_figures(self) -> Mapping[StatementId, tuple[FigureInSources, ...]]:
        """The places of figures of evidence in the available texts of its sources."""
        return figures_by_statement(self.corpus)

    @cached_property
    def statements_by_name(self) -> Mapping[str, tuple[StatementId, ...]]:
        """The statements about each named thing; all names of one glossary entry are one thing."""
        ids_by_name: dict[str, dict[StatementId, None]] = {}
        for name, representative in names_as_one(self.corpus).items():
            of_name = dict.fromkeys(each.id for each in self.corpus.about[name])
            ids_by_name.setdefault(representative, {}).update(of_name)
        return {name: tuple(ids) for name, ids in ids_by_name.items()}

    def prose(self, text: str, place: TextPlace) -> Prose:
        """A note's Markdown as HTML."""
        return self.renderer.render(text, place)

    def inline_html(self, text: str, path: str, root: str, line_id: str | None = None) -> Html:
        """A single line of a note's Markdown as HTML: a reason, a standfirst, a caution."""
        if not text or (_TEXT_WITHOUT_MARKUP.fullmatch(text) and "_" not in text):
            return Html(text)
        place = TextPlace(path=path, root=root, line_id=line_id, flat=True)
        return Html(self.renderer.render(text, place).html.strip())


# Says what pages there are. Reading the `body` of a statement of `context.corpus` raises:
# `statements_with_bodies` has it.
PageMaker: TypeAlias = Callable[[SiteContext], Iterable[Page | LazyPage]]
