"""Rules about the dates of notes."""

from __future__ import annotations

import datetime as dt
import itertools

from tests.checks.rule_problems import problems_of_rule
from tests.support.every_row import every_row

TODAY = dt.date.today()


@every_row(
    ("dates", "keys"),
    [
        ("created: 2020-01-02\nupdated: 2020-01-02", []),
        ("created: 2020-01-02\nupdated: 2020-01-01", ["updated"]),
        ("created: 2020-01-02\nupdated: 2020-01-01\nreviewed: 2020-01-01", ["updated", "reviewed"]),
        # it may already be tomorrow elsewhere
        (f"updated: {TODAY + dt.timedelta(days=1)}", []),
        (f"updated: {TODAY + dt.timedelta(days=3)}", ["updated"]),
    ],
)
def test_each_date_out_of_order_is_reported(dates: str, keys: list[str]) -> None:
    claim = f"---\ntype: claim\nopen: nobody looked\n{dates}\n---\n\n# It harms\n"
    problems = problems_of_rule("dates-out-of-order", o=claim)
    assert [each.message.split("`")[1] for each in problems] == keys


@every_row(
    ("updated", "count"),
    [
        ("2020-12-31", 0),
        ("2020-07-02", 0),  # an article may appear before its volume's year
        ("2020-07-01", 1),
    ],
)
def test_evidence_cannot_cite_what_was_not_yet_written(updated: str, count: int) -> None:
    entry = "@article{k, title={It}, author={Doe, Jo}, year={2021}}"
    claim = f"---\ntype: claim\nupdated: {updated}\n---\n\n# It harms\n\n"
    claim += "> [!evidence] It was seen ^seen\n> In one place. [@k] (reason:: it was)\n"
    assert len(problems_of_rule("dates-out-of-order", o=claim, references=entry)) == count


@every_row(
    ("is_around", "key"), itertools.product((True, False), ("created", "updated", "reviewed"))
)
def test_each_date_of_evidence_and_of_the_note_around_it_counts(is_around: bool, key: str) -> None:
    entry = "@article{k, title={It}, author={Doe, Jo}, year={2021}}"
    for year, count in ((2020, 0), (2019, 1)):
        head, field = f"{key}: {year}-12-31\n", f"({key}:: {year}-12-31)"
        claim = f"---\ntype: claim\n{head if is_around else ''}---\n\n# It harms\n\n"
        claim += f"> [!evidence] It was seen ^seen\n> So. [@k] {'' if is_around else field}\n"
        assert len(problems_of_rule("dates-out-of-order", o=claim, references=entry)) == count
