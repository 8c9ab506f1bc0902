"""Links that lead nowhere."""

from __future__ import annotations

from tests.support.rule_problems import CLAIM, problems_of_rule


def test_a_link_to_what_cannot_be_read_hides_no_other() -> None:
    rows = "- supports:: [[untyped]] — so\n- supports:: [[nowhere]] — so\n"
    found = problems_of_rule(
        "unknown-target", a=CLAIM + rows, untyped="---\nstatus: stable\n---\n\n# So\n"
    )
    assert [each.span.line for each in found] == [9]
