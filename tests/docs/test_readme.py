"""The README, run: what it asks finds something."""

from __future__ import annotations

import re
import shlex

import pytest

import kg
from tests.support import command
from tests.support.own import own_corpus
from tests.support.source_code import ROOT

ASKING = re.compile(r"^kg (?:find|search|why|verdict|whatif) .+$", re.M)


@pytest.mark.integration
def test_every_question_has_an_answer() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    commands = [shlex.split(command, comments=True)[1:] for command in ASKING.findall(text)]
    assert len(commands) == 5
    for words in commands:
        ended = command.kg(ROOT, *words)
        assert (ended.returncode, ended.stderr) == (0, ""), words
        assert len(ended.stdout.splitlines()) > 2, f"{words} finds nothing: {ended.stdout}"


@pytest.mark.integration
def test_the_examples_in_python_find_something() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    examples = re.findall(r"^corpus\.(?:find|sparql)\(.*\)$", text, re.M)
    assert len(examples) == 2
    for example in examples:
        assert eval(example, {"kg": kg, "corpus": own_corpus()}), f"{example} finds nothing"
