"""Track dependencies of pages: every look-up in the corpus while a page is rendered.

Pages read a corpus, its addresses and its weights through tables that record each key read. A
page is kept as long as all values that it read are the same. Reads that no table covers count as
reading the whole corpus, so that pages are rendered too often, never too seldom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar, cast

from msgspec.structs import replace

from kg.corpus import Corpus
from kg.corpus.independent_sources import count_uses_of_keys
from kg.corpus.lazy_collections import LazyMapping
from kg.corpus.look_ups import LookUps, claims_among, evidence_among
from kg.corpus.reasons_for_and_against import reasons_by_side, undercuts_of
from kg.corpus.same_and_superseded import first_of_same, same_by_statement, superseded_statements
from kg.corpus.site_files import attachments_by_link
from kg.git.note_history import History
from kg.history.past_answers import AnswerHistory
from kg.model import Span, Statement
from kg.publish.context.read_log import ReadLog
from kg.publish.context.read_marks import MembersByReads, members_of
from kg.publish.context.site_answers import SiteAnswers
from kg.publish.context.site_context import SiteContext
from kg.publish.context.site_standings import SiteStandings
from kg.publish.context.standings import Standings
from kg.publish.context.weighing_inputs import OF_THE_INPUTS
from kg.publish.markup.address import Addresses, AddressTables
from kg.publish.markup.link_maker import LinkMaker, is_disputed
from kg.publish.markup.phrases import source_names
from kg.publish.markup.render_markdown import Renderer
from kg.publish.markup.shown_files import LinkTargets, ShownFiles
from kg.runtime.memoize import MemoizedFunction

WHOLE_TABLE = "\0"  # the key of a whole table, which is no id
EXISTENCE_SUFFIX = "?"  # suffix of tables that record whether a key exists
STANDINGS_PREFIX = "standings."  # prefix of tables of weights
# Tables of a corpus that depend only on the input of the weights, apart from places within files,
# which no page shows; so moving text within a file renders no other page again. (`edges_from` is of
# one file.) So do those of which keys there are. A table in neither is compared at each build,
# which takes longer. Elsewhere `follows_inputs` says so.
INPUT_TABLES = frozenset(("aliases", "default_camps", "edges_by_id", "edges_to", "edges_with"))
TABLES_OF_INPUT_KEYS = frozenset(f"{name}?" for name in ("statements", "lines", "sources"))
_CORPUS, _CONTEXT = members_of(Corpus), members_of(SiteContext)
_STANDINGS, _ANSWERS = members_of(SiteStandings), members_of(SiteAnswers)
_RESULT_TABLES: tuple[tuple[str, MemoizedFunction[Corpus, [], Any]], ...] = (
    ("superseded", superseded_statements),
    ("key_uses", count_uses_of_keys),
    ("same", same_by_statement),
    ("first_of_same", first_of_same),
)
_FIELDS_WITHOUT_BODY = tuple(name for name in Statement.__struct_fields__ if name != "body")


class TrackedTable(LazyMapping[Any]):
    """A lazy mapping that records which keys are read.

    Iterating over it counts as reading all of it. `follows_inputs` says whether what pages show of
    it depends on the input of the weights alone.
    """

    def __init__(
        self,
        log: ReadLog,
        name: str,
        make: Callable[[], Mapping[str, Any]],
        follows_inputs: bool = False,
    ) -> None:
        super().__init__(make)
        self._add = log.numbers_read.append
        self._numbers = log.numbers(name, self.value, follows_inputs)
        self._existence_numbers = log.numbers(name + EXISTENCE_SUFFIX, self.holds, follows_inputs)

    def value(self, key: str) -> Any:
        """The value of `key`, or None, without recording it."""
        return (
            list(self._entries_read.items()) if key == WHOLE_TABLE else self._entries_read.get(key)
        )

    def holds(self, key: str) -> bool:
        """Return whether `key` exists, without recording it."""
        return key in self._entries_read

    def __getitem__(self, key: str) -> Any:
        self._add(self._numbers[key])
        return self._entries_read[key]

    def get(self, key: str, default: object = None) -> Any:
        self._add(self._numbers[key])
        return self._entries_read.get(key, default)

    def __contains__(self, key: object) -> bool:
        self._add(self._existence_numbers[key])  # type: ignore[index]
        return key in self._entries_read

    def __iter__(self) -> Iterator[str]:
        self.walk()
        return iter(self._entries_read)

    def __len__(self) -> int:
        self.walk()
        return len(self._entries_read)

    def values(self) -> Any:
        self.walk()
        return self._entries_read.values()

    def items(self) -> Any:
        self.walk()
        return self._entries_read.items()

    def walk(self) -> None:
        """Record that all of it was read."""
        self._add(self._numbers[WHOLE_TABLE])


class TrackedFunction:
    """A function of an id that records its calls."""

    def __init__(
        self,
        log: ReadLog,
        name: str,
        function: Callable[[str], Any],
        follows_inputs: bool = False,
    ) -> None:
        self._find = function
        self._add = log.numbers_read.append
        self._numbers = log.numbers(name, self.value, follows_inputs)

    def value(self, key: str) -> Any:
        """The function's result for `key`, or None, without recording it."""
        try:
            return self._find(key)
        except KeyError:
            return None

    def __call__(self, key: str) -> Any:
        self._add(self._numbers[key])
        return self._find(key)


Original = TypeVar("Original")


class _Tracked:
    """A proxy for `original` that records reads.

    `tracked` replaces attributes by name; for those in `walks`, the function is called first; any
    other attribute counts as reading everything.
    """

    def __init__(
        self,
        original: Any,
        log: ReadLog,
        tracked: Mapping[str, TrackedTable | TrackedFunction],
        walks: Mapping[str, Callable[[], object]],
    ) -> None:
        for name, replacement in tracked.items():
            setattr(self, name, replacement)  # found before `__getattr__` is asked
        self._original = original
        self._log = log
        self._walks = walks

    def __getattr__(self, name: str) -> Any:
        self._walks.get(name, self._log.record_all)()
        return getattr(self._original, name)


def _proxy_of(
    original: Original,
    log: ReadLog,
    tracked: Mapping[str, TrackedTable | TrackedFunction],
    walks: Mapping[str, Callable[[], object]],
) -> Original:
    """A `_Tracked`, for whoever reads it an object of the class of `original`."""
    return cast(Original, _Tracked(original, log, tracked, walks))


class StatementWithoutBody(Statement, frozen=True):
    """A statement whose body a page must look up, so that only pages that show it follow it."""

    @property  # type: ignore[misc]
    def body(self) -> str:
        """Raises `AttributeError`: an empty text would pass for that of the note."""
        raise AttributeError(f"the body of {self.id} is in SiteContext.statements_with_bodies")


def _as_card(statement: Statement) -> StatementWithoutBody:
    fields = {name: getattr(statement, name) for name in _FIELDS_WITHOUT_BODY}
    return StatementWithoutBody(**fields)


class _TrackedResults(dict[object, Any]):
    """What memoized functions give of a corpus: some results are read by key, all others count as
    reading everything.
    """

    def __init__(self, corpus: Corpus, log: ReadLog) -> None:
        super().__init__(
            {
                make: TrackedTable(log, name, partial(make, corpus), make in OF_THE_INPUTS)
                for name, make in _RESULT_TABLES
            }
        )
        self._by_id = {
            make: TrackedFunction(log, name, partial(make, corpus), follows_inputs=True)
            for name, make in (("sides", reasons_by_side), ("undercuts", undercuts_of))
        }
        self._corpus = corpus
        self._log = log

    def __contains__(self, key: object) -> bool:
        return True

    def __missing__(self, key: Any) -> object:
        make, args, kwargs, _ = key if isinstance(key, tuple) else (key, (), (), ())
        if make in self._by_id:
            return self._by_id[make](*args)
        self._log.record_all()
        return make(self._corpus, *args, **dict(kwargs))


class _TrackedCorpus(LookUps, _Tracked):
    """A corpus whose statements are each a `StatementWithoutBody`.

    `LookUps` run on the tracked tables, so that each key is recorded.
    """

    def __init__(self, corpus: Corpus, log: ReadLog) -> None:
        without_texts = _tables_without_texts(corpus)
        tables = {
            name: TrackedTable(
                log,
                name,
                without_texts.get(name, partial(getattr, corpus, name)),
                name in INPUT_TABLES,
            )
            for name in _CORPUS.mappings
        }
        log.input_tables |= TABLES_OF_INPUT_KEYS
        walks = {
            "terms": tables["glossary"].walk,
            "edges": tables["edges_by_id"].walk,
            "placements": tables["lines"].walk,
        }
        find_id = TrackedFunction(log, "names", corpus.find_id)
        super().__init__(corpus, log, {**tables, "find_id": find_id}, walks)
        self.config = corpus.config
        self.memoized_results = _TrackedResults(corpus, log)

    # Not kept, unlike those of a corpus, as each page must record what it reads.
    @property
    def claims(self) -> tuple[Statement, ...]:
        return claims_among(self.statements)

    @property
    def evidence(self) -> tuple[Statement, ...]:
        return evidence_among(self.statements)


def _tables_without_texts(corpus: Corpus) -> dict[str, Callable[[], Mapping[str, Any]]]:
    """The tables that pages read by key, without parts that they do not show."""
    cards = {id: _as_card(each) for id, each in corpus.statements.items()}

    def groups(name: str) -> Mapping[str, Any]:
        items = getattr(corpus, name).items()
        return {key: tuple(cards[s.id] for s in members) for key, members in items}

    def terms() -> Mapping[str, Any]:
        # an entry that moves within its file stays the same
        items = corpus.glossary.items()
        return {key: replace(term, span=Span(term.span.path)) for key, term in items}

    grouped = {name: partial(groups, name) for name in ("statements_citing", "topics", "about")}
    return {"statements": lambda: cards, "glossary": terms, **grouped}


class _TrackedTargets(LinkTargets):
    def __init__(self, targets: LinkTargets, log: ReadLog) -> None:
        self._resolved = TrackedFunction(log, "targets", targets.resolve)

    def resolve(self, target: str) -> str | None:
        id: str | None = self._resolved(target)
        return id


def _tracked_weights(
    original: Original, members: MembersByReads, log: ReadLog, read_inputs: Callable[[], object]
) -> Original:
    """What weighs, whose results follow from the inputs, of which few stay as they were."""
    tracked = {
        name: TrackedFunction(
            log, STANDINGS_PREFIX + name, getattr(original, name), follows_inputs=True
        )
        for name in members.by_id
    }
    walks: dict[str, Callable[[], object]] = dict.fromkeys(members.follow_inputs, read_inputs)
    compared = TrackedFunction(
        log, STANDINGS_PREFIX + type(original).__name__, partial(getattr, original), True
    )
    walks |= {name: partial(compared, name) for name in members.compared_whole}
    return _proxy_of(original, log, tracked, walks)


def _tracked_history(history: History, log: ReadLog) -> History:
    tracked = {"of": TrackedFunction(log, "history", history.of)}
    state = TrackedFunction(log, "git", lambda _: (history.known, history.shallow))
    return _proxy_of(history, log, tracked, dict.fromkeys(("known", "shallow"), partial(state, "")))


def _tracked_past(past: AnswerHistory, log: ReadLog) -> AnswerHistory:
    tracked = {"of": TrackedFunction(log, "past", past.of)}
    steps = TrackedFunction(log, "steps", lambda _: past.steps)
    return _proxy_of(past, log, tracked, {"steps": partial(steps, "")})


class _TrackedContext(SiteContext):
    """A context whose parts record reads of `original` in a log.

    All parts are made at once, as the log must know every table before it takes over the reads of
    an earlier build. They replace the parts that a context makes on first use.
    """

    def __init__(self, original: SiteContext, log: ReadLog) -> None:
        corpus = original.corpus
        tables = (
            TrackedTable(
                log,
                f"addresses.{name}",
                partial(getattr, original.addresses.tables, name),
                name == "things",
            )
            for name in AddressTables._fields
        )
        tracked_corpus = cast(Corpus, _TrackedCorpus(corpus, log))
        super().__init__(Addresses(tracked_corpus, AddressTables(*tables)))
        is_disputed_tracked = TrackedFunction(
            log, "disputed", partial(is_disputed, corpus), follows_inputs=True
        )
        names = TrackedTable(
            log, "source_names", lambda: source_names(corpus.sources.values()), follows_inputs=True
        )
        self.link_maker = LinkMaker(tracked_corpus, self.addresses, is_disputed_tracked, names)
        links = TrackedTable(log, "files", partial(attachments_by_link, corpus))
        targets = _TrackedTargets(LinkTargets(corpus), log)
        self.renderer = Renderer(self.link_maker, targets, ShownFiles(links, corpus.config))
        inputs = TrackedFunction(
            log, f"{STANDINGS_PREFIX}inputs", lambda _: original.standings.inputs_digest, True
        )
        read_inputs = partial(inputs, "")
        self.standings = _tracked_weights(original.standings, _STANDINGS, log, read_inputs)
        self.answers = _tracked_weights(original.answers, _ANSWERS, log, read_inputs)
        self.history = _tracked_history(original.history, log)
        self.past = _tracked_past(original.past, log)
        for name in _CONTEXT.mappings:
            make = partial(getattr, original, name)
            setattr(self, name, TrackedTable(log, name, make, name in _CONTEXT.follow_inputs))


def tracked_context(
    corpus: Corpus, log: ReadLog, known_standings: Standings | None = None
) -> SiteContext:
    """The `SiteContext` of a corpus, which records reads in `log`.

    `known_standings` come from an earlier build with the same inputs.
    """
    original = SiteContext(Addresses(corpus), known_standings=known_standings)
    context = _TrackedContext(original, log)
    log.numbers_read.clear()
    return context
