"""Track dependencies of pages: every look-up in the corpus while a page is rendered.

Pages read a corpus, its addresses and its weights through tables that record each key read. A
page is kept as long as all values that it read are the same. Reads that no table covers count as
reading the whole corpus, so that pages are rendered too often, never too seldom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
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
from kg.publish.context.line_answers import LineAnswers
from kg.publish.context.read_log import ReadLog
from kg.publish.context.site_context import SiteContext
from kg.publish.context.site_strengths import SiteStrengths
from kg.publish.context.standings import Standings
from kg.publish.markup.address import Addresses, AddressTables
from kg.publish.markup.link_maker import LinkMaker, is_disputed
from kg.publish.markup.phrases import source_names
from kg.publish.markup.render_markdown import Renderer
from kg.publish.markup.shown_files import LinkTargets, ShownFiles

WHOLE_TABLE = "\0"  # the key of a whole table, which is no id
EXISTENCE_SUFFIX = "?"  # suffix of tables that record whether a key exists
WEIGHTS_PREFIX = "strengths."  # prefix of tables of weights
# Tables that depend only on the input of the weights, apart from places within files, which no page
# shows; so moving text within a file renders no other page again. (`edges_from` is of one file.)
INPUT_TABLES = frozenset((
    "edges_by_id", "edges_to", "edges_with", "aliases", "default_camps",
    "lines_by_proposition", "lines_by_topic", "source_groups", "disputed", "source_names",
    "record_files", "record_addresses", "addresses.things",
    "superseded", "same", "first_of_same", "sides", "undercuts",
))  # fmt: skip
TABLES_WITH_INPUT_KEYS = frozenset(("statements", "lines", "sources"))
# Reading a table that is not named here counts as reading everything, and each edit would render
# every page again; so a test holds these lists to the classes.
CORPUS_TABLES = (
    "statements", "sources", "lines", "aliases", "figures_in_abstracts", "unwritten", "glossary",
    "edges_by_id", "edges_from", "edges_to", "edges_with", "edges_by_relation",
    "placements_of", "default_camps", "statements_citing", "topics", "about",
    "mentions_from", "backlinks",
)  # fmt: skip
CONTEXT_TABLES = (
    "texts_beside_notes", "statements_with_bodies", "record_addresses", "record_files",
    "lines_by_proposition", "lines_by_topic", "sources_by_independence_key", "source_groups",
    "seen_figures", "statements_by_name",
)  # fmt: skip
STRENGTHS_BY_ID = (
    "of", "quality_words", "share", "share_if_heard", "quality_of",
)  # fmt: skip
ANSWERS_BY_LINE = (
    "count_bearing", "verdict", "weighing", "answers_on_subsets", "answers_offered",
    "answers_on_pairs", "cruxes", "objection_effects", "answers_without_reasons",
    "effects_on_answer", "flips", "robustness", "sources", "losses_of",
)  # fmt: skip
_RESULT_TABLES: tuple[tuple[str, Callable[[Corpus], Mapping[str, Any]]], ...] = (
    ("superseded", superseded_statements),
    ("key_uses", count_uses_of_keys),
    ("same", same_by_statement),
    ("first_of_same", first_of_same),
)
_FIELDS_WITHOUT_BODY = tuple(name for name in Statement.__struct_fields__ if name != "body")


def depends_on_inputs_alone(table: str) -> bool:
    """Return whether what pages show of a table depends only on the input of the weights."""
    name = table.removesuffix(EXISTENCE_SUFFIX)
    input_tables = INPUT_TABLES if name == table else INPUT_TABLES | TABLES_WITH_INPUT_KEYS
    return table.startswith(WEIGHTS_PREFIX) or name in input_tables


class TrackedTable(LazyMapping[Any]):
    """A lazy mapping that records which keys are read.

    Iterating over it counts as reading all of it.
    """

    def __init__(self, log: ReadLog, name: str, make: Callable[[], Mapping[str, Any]]) -> None:
        super().__init__(make)
        self._add = log.numbers_read.append
        self._numbers = log.numbers(name, self.value)
        self._existence_numbers = log.numbers(name + EXISTENCE_SUFFIX, self.holds)

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

    def __init__(self, log: ReadLog, name: str, function: Callable[[str], Any]) -> None:
        self._find = function
        self._add = log.numbers_read.append
        self._numbers = log.numbers(name, self.value)

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
            {make: TrackedTable(log, name, partial(make, corpus)) for name, make in _RESULT_TABLES}
        )
        self._by_id = {
            make: TrackedFunction(log, name, partial(make, corpus))
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
            name: TrackedTable(log, name, without_texts.get(name, partial(getattr, corpus, name)))
            for name in CORPUS_TABLES
        }
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


def _tracked_strengths(
    strengths: SiteStrengths, log: ReadLog, read_inputs: Callable[[], object]
) -> SiteStrengths:
    corpus_wide = TrackedFunction(log, WEIGHTS_PREFIX + "corpus", partial(getattr, strengths))
    walks: dict[str, Callable[[], object]] = {
        name: partial(corpus_wide, name) for name in ("tensions", "gaps", "claims_without_evidence")
    }
    walks |= dict.fromkeys(("count_independent", "standings"), read_inputs)
    return _proxy_of(strengths, log, _tracked_by_id(strengths, STRENGTHS_BY_ID, log), walks)


def _tracked_answers(
    answers: LineAnswers, log: ReadLog, read_inputs: Callable[[], object]
) -> LineAnswers:
    walks = dict.fromkeys(("answer_without", "count_findings_left"), read_inputs)
    return _proxy_of(answers, log, _tracked_by_id(answers, ANSWERS_BY_LINE, log), walks)


def _tracked_by_id(
    original: object, names: Iterable[str], log: ReadLog
) -> dict[str, TrackedFunction]:
    return {
        name: TrackedFunction(log, WEIGHTS_PREFIX + name, getattr(original, name)) for name in names
    }


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
                log, f"addresses.{name}", partial(getattr, original.addresses.tables, name)
            )
            for name in AddressTables._fields
        )
        tracked_corpus = cast(Corpus, _TrackedCorpus(corpus, log))
        super().__init__(Addresses(tracked_corpus, AddressTables(*tables)))
        is_disputed_tracked = TrackedFunction(log, "disputed", partial(is_disputed, corpus))
        names = TrackedTable(log, "source_names", lambda: source_names(corpus.sources.values()))
        self.link_maker = LinkMaker(tracked_corpus, self.addresses, is_disputed_tracked, names)
        links = TrackedTable(log, "files", partial(attachments_by_link, corpus))
        targets = _TrackedTargets(LinkTargets(corpus), log)
        self.renderer = Renderer(self.link_maker, targets, ShownFiles(links, corpus.config))
        inputs = TrackedFunction(
            log, f"{WEIGHTS_PREFIX}inputs", lambda _: original.strengths.inputs_digest
        )
        read_inputs = partial(inputs, "")
        self.strengths = _tracked_strengths(original.strengths, log, read_inputs)
        self.line_answers = _tracked_answers(original.line_answers, log, read_inputs)
        self.history = _tracked_history(original.history, log)
        self.past = _tracked_past(original.past, log)
        for name in CONTEXT_TABLES:
            setattr(self, name, TrackedTable(log, name, partial(getattr, original, name)))


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
