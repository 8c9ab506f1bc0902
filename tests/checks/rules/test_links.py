"""Links that lead nowhere."""

from __future__ import annotations

from tests.support.rule_problems import CLAIM, problems_of_rule


def test_a_link_to_what_cannot_be_read_hides_no_other() -> None:
    rows = "- supports:: [[untyped]] — so\n- supports:: [[nowhere]] — so\n"
    found = problems_of_rule(
        "unknown-target", a=CLAIM + rows, untyped="---\nstatus: stable\n---\n\n# So\n"
    )
    assert [each.span.line for each in found] == [9]


def test_a_target_that_may_be_of_the_right_kind_hides_no_other() -> None:
    rows = "- supports:: [[untyped]] — so\n- supports:: [[line]] — so\n- undercuts:: [[b]] — so\n"
    found = problems_of_rule(
        "wrong-target",
        a=CLAIM + rows,
        b=CLAIM,
        line="---\ntype: line\n---\n\n# So?\n",
        untyped="---\ntype: sorce\n---\n\n# So\n",
    )
    assert [each.message for each in found] == [
        "`supports::` needs a statement, but `line` is something else",
        "`undercuts::` needs an edge, but `b` is a statement",
    ]
