"""Tables of models: a column for each, a row for each sample, or shares."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.judgements.model_labels import load_models


def test_a_file_of_models_gives_their_labels_and_its_problems(tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text(
        "edge,model:a,model:b,why\ne1,supports,neutral=2,x\ne2,,often,\n,supports,,\n", "utf-8"
    )
    models, problems = load_models(file)
    assert models == {"a": {"e1": (1.0, 0.0, 0.0)}, "b": {"e1": (0.0, 0.0, 1.0)}}
    assert [one.rule for one in problems] == ["judgement-column", "judgement-row", "judgement-row"]
    file.write_text("label\nsupports\n", "utf-8")
    assert [one.rule for one in load_models(file)[1]] == ["judgement-file"]
    file.write_bytes(b"edge,label\n\xff\xfe")
    assert [one.rule for one in load_models(file)[1]] == ["judgement-file"]


def test_a_model_may_be_samples_or_shares(tmp_path: Path) -> None:
    samples, shares = tmp_path / "samples.csv", tmp_path / "shares.csv"
    samples.write_text("edge,label\ne0,supports\ne0,supports\ne0,neutral\ne1,never\n", "utf-8")
    shares.write_text("edge,supports,contradicts,neutral\ne0,2,1,1\ne1,x,0,0\n", "utf-8")
    models, problems = load_models(samples)
    assert models["samples"]["e0"] == pytest.approx((2 / 3, 0.0, 1 / 3))
    assert len(problems) == 1
    models, problems = load_models(shares)
    assert models == {"shares": {"e0": (0.5, 0.25, 0.25)}}
    assert len(problems) == 1
