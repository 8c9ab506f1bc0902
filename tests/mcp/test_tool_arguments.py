"""What a tool is called with."""

from __future__ import annotations

import pytest

from kg.mcp.tool_arguments import require_text
from kg.model.errors import Misuse
from tests.support.every_row import every_row


@every_row("text", ["", " ", "\n\t"])
def test_a_blank_text_is_refused_by_name(text: str) -> None:
    with pytest.raises(Misuse, match="`why` is empty"):
        require_text("why", text)


def test_a_text_is_passed_on_as_it_is() -> None:
    assert require_text("why", " so\n") == " so\n"
