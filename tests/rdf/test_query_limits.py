"""A query that is too large is refused, one that would never end is stopped, and any other is
answered as ever.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from kg.corpus import Corpus
from kg.loader import load_corpus
from kg.rdf import query_limits
from kg.rdf.ontology import named_queries
from kg.rdf.query_limits import (
    BadQuery,
    QueryLimits,
    QueryStopped,
    require_bounded,
    run_within_limits,
)
from kg.rdf.run_query import sparql
from tests.support.every_row import every_row
from tests.support.patience import PATIENCE

COUNTS_FOR_EVER = (
    "SELECT (COUNT(*) AS ?n) {" + " ".join(f"?a{n} ?b{n} ?c{n} ." for n in range(9)) + "}"
)
LISTS_FOR_EVER = COUNTS_FOR_EVER.replace("(COUNT(*) AS ?n)", "*")
SORTS_FOR_EVER = LISTS_FOR_EVER + " ORDER BY ?c1"
SAYS_WHEN_ASKED = """
from kg.__main__ import run
from kg.rdf import query_limits

start = query_limits._QueryThread.start
query_limits._QueryThread.start = lambda thread: (start(thread), print("asked", flush=True))
run()
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    for number in range(20):
        note = (
            f"---\ntype: claim\n---\n\n# Claim {number}\n\n- supports:: [[c{number // 2}]] - so\n"
        )
        (tmp_path / "notes").mkdir(exist_ok=True)
        (tmp_path / "notes" / f"c{number}.md").write_text(note)
    return load_corpus(tmp_path / "notes")


def test_what_takes_too_long_is_left_behind() -> None:
    may_end, ended = threading.Event(), list[bool]()
    with pytest.raises(QueryStopped, match=r"more than 0\.2 s"):
        run_within_limits(QueryLimits(seconds=0.2), lambda: ended.append(may_end.wait(60)))
    assert ended == []
    may_end.set()


def test_what_takes_too_much_memory_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = iter([10, 20, 26])  # before the query, and while it runs
    monkeypatch.setattr(query_limits, "_peak_memory", lambda: next(sizes) * 1024**2)
    with pytest.raises(QueryStopped, match="more than 15 MiB"):
        run_within_limits(QueryLimits(60, 15 * 1024**2), lambda: time.sleep(5))
    assert [*sizes] == [], "what the process held before is not the query's"


def test_the_memory_that_a_process_has_had_is_measured() -> None:
    before = query_limits._peak_memory()
    if not before:
        pytest.skip("this system does not tell")
    blocks = []
    for _ in range(before // 2**24 + 4):  # as much as it ever had, if all of that is free again
        blocks.append(b"x" * 2**24)
        if query_limits._peak_memory() > before + 40 * 1024**2:
            return
    pytest.fail("what is held was not told")


def test_a_query_that_ends_is_answered_as_without_limits(corpus: Corpus) -> None:
    for query in ("SELECT ?s { ?s a kg:Claim } ORDER BY ?s", "ASK { ?s a kg:Claim }"):
        assert sparql(corpus, query, limits=QueryLimits()) == sparql(corpus, query)
    for wrong in ("SELECT", "SELECT ?s { ?s a wrong:Claim }"):
        with pytest.raises(BadQuery):
            sparql(corpus, wrong, limits=QueryLimits())


@pytest.mark.integration
@pytest.mark.parametrize("strengths", [[], ["--strengths"]], ids=["store", "memory"])
def test_a_query_that_never_ends_is_ended_in_one_line(strengths: list[str], corpus: Corpus) -> None:
    processes = [
        _start_query(corpus, "--timeout", "0.5", query, *strengths)
        for query in (COUNTS_FOR_EVER, LISTS_FOR_EVER, SORTS_FOR_EVER)
    ]
    for process in processes:
        with process:
            text, errors = process.communicate(timeout=PATIENCE)
        assert (text, errors) == (b"", b"error: the query was stopped: it took more than 0.5 s\n")
        assert process.returncode == 2
    with _start_query(corpus, "ASK { ?s a kg:Claim }", *strengths) as process:
        text, errors = process.communicate(timeout=PATIENCE)
    assert text.split() == [b"answer", b"true", b"1", b"row"]


@pytest.mark.integration
def test_a_query_that_never_ends_is_ended_by_ctrl_c(corpus: Corpus) -> None:
    with _start_query(corpus, COUNTS_FOR_EVER, program=["-c", SAYS_WHEN_ASKED]) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"asked\n"
        process.send_signal(signal.SIGINT)
        text, errors = process.communicate(timeout=PATIENCE)
    assert (text, b"more than" in errors, process.returncode) == (b"", False, 130)


def _start_query(
    corpus: Corpus, *words: str, program: Sequence[str] = ("-m", "kg")
) -> subprocess.Popen[bytes]:
    assert corpus.folder is not None
    command = [sys.executable, "-P", *program, "sparql", *words]
    return subprocess.Popen(
        command,
        cwd=Path(corpus.folder).parent,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


@every_row(
    ("begin", "opening", "closing"),
    [
        ("", "{ ", "}"),
        ("", "{ SELECT * { ", "}}"),
        ("", "FILTER EXISTS { ", "}"),
        ("FILTER", "(", ")"),
        ("FILTER ?x IN ", "(", ")"),
        ("BIND(1 AS ?x) FILTER(1 = ", "IF(1, 1, ", ")"),
        ("?s ?p ", "(", ")"),
        ("?s ?p ", "[ <a:b> ", "]"),
        ("VALUES ?x ", "{", "}"),
    ],
)
def test_a_query_that_nests_without_end_is_refused_before_it_is_parsed(
    two_camps: Corpus, begin: str, opening: str, closing: str
) -> None:
    query = f"SELECT * {{ {begin}{opening * 3000} {closing * 3000} }}"
    with pytest.raises(BadQuery, match=r"nests too deep: more than 50 brackets are open at 1:\d+$"):
        sparql(two_camps, query)


@every_row(
    "part",
    [
        "FILTER(?o != 1) ",
        "OPTIONAL { ?s <a:b> ?o } ",
        "BIND(1 AS ?x) ",
        "UNION { } ",
        "?s ?p ?o . ",
        "?s ?p ?o ; ",
        "!",
        "/ <a:b> ",
    ],
)
def test_a_query_of_very_many_parts_is_refused_before_it_is_parsed(
    two_camps: Corpus, part: str
) -> None:
    with pytest.raises(BadQuery, match="more than 500 brackets and operators at 1:"):
        sparql(two_camps, "SELECT * { ?s ?p ?o " + part * 20_000 + "}")


@every_row("part", ["!", "- ", "1 = ", "1 || "])
def test_expressions_among_values_count(two_camps: Corpus, part: str) -> None:
    with pytest.raises(BadQuery, match="more than 500"):
        sparql(two_camps, f"SELECT * {{ ?s ?p ?o FILTER(?o IN ({part * 20_000} 1)) }}")


def test_a_list_of_very_many_members_is_refused_before_it_is_parsed(two_camps: Corpus) -> None:
    for member in ("1 ", "?o ", "<a:b> ", "true ", '"x" '):
        with pytest.raises(BadQuery, match="more than 500"):
            sparql(two_camps, "SELECT * { ?s ?p (" + member * 20_000 + ") }")


def test_brackets_are_found_behind_what_looks_like_an_address(two_camps: Corpus) -> None:
    hidden_text = "FILTER(1<" + "(" * 3000 + "1" + ")" * 2998 + "&&1>(1)))"
    for query in ("SELECT * { " + hidden_text + " }", "SELECT * { ?s ?p <a:" + "(" * 3000 + "> }"):
        with pytest.raises(BadQuery, match="nests too deep"):
            sparql(two_camps, query)


@every_row(
    ("most_allowed", "one_more", "expected_message"),
    [
        ("{" * 50 + "}" * 50, "{" * 51, "more than 50 brackets are open at 1:51$"),
        ("!" * 500, "!" * 501, "more than 500 brackets and operators at 1:501$"),
        ("[]" * 250, "[]" * 250 + "!", "more than 500 brackets and operators at 1:501$"),
    ],
)
def test_as_much_as_the_bound_is_allowed(
    most_allowed: str, one_more: str, expected_message: str
) -> None:
    require_bounded(most_allowed)
    with pytest.raises(BadQuery, match=expected_message):
        require_bounded(one_more)


@every_row(
    ("part", "part_count"),
    [("?a<(1)&&2>?b ", 498), ("?a<([1])&&2>?b ", 249), ("<a:(1)> ", 498), ("?a<(1&&2>(1)) ", 99)],
)
def test_hidden_brackets_count_up_to_the_bound(part: str, part_count: int) -> None:
    require_bounded(f"ASK {{ {part * part_count}}}")
    with pytest.raises(BadQuery, match="more than 500 brackets and operators at 1:"):
        require_bounded(f"ASK {{ {part * (part_count + 1)}}}")


def test_brackets_in_texts_addresses_and_comments_do_not_count(two_camps: Corpus) -> None:
    many = "([{!" * 1000
    query = f'# {many}\nSELECT * {{ ?s ?p "{many}", """{many}""", <a:b(1)> FILTER(?s != ?p) }}'
    assert not sparql(two_camps, query)


def test_values_may_be_very_many(two_camps: Corpus) -> None:
    rows = "(<a:b> 1.5) " * 5000
    assert len(sparql(two_camps, f"SELECT * {{ VALUES (?a ?b) {{ {rows} }} }}")) == 5000
    texts = ", ".join(f'"{number}", {number}, 1.5' for number in range(5000))
    assert not sparql(two_camps, f"SELECT * {{ ?s kg:topic ?o FILTER(?o NOT IN ({texts}, ?o)) }}")


def test_a_query_that_is_too_long_is_refused(two_camps: Corpus) -> None:
    for sign in "1.-a <'\"#":
        with pytest.raises(BadQuery):
            sparql(two_camps, sign * 1_000_001)


def test_every_query_that_is_kept_is_within_bounds() -> None:
    queries = named_queries()
    assert queries
    for query in queries:
        require_bounded(query.text * 3)  # far from them
