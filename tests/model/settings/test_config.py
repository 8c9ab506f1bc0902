"""`kg.toml`: all that is wrong in it is told at once, each with its line.

Of `kg/model/settings/reasoning_settings.py` and `kg/model/settings/frozen_settings.py`, too.
"""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.model.settings.config import (
    MAX_CONFIG_CHARACTERS,
    MAX_MESSAGES,
    Config,
    ConfigError,
    KeyPath,
    lines_of_keys,
    parse_config,
)
from kg.model.settings.frozen_settings import WrongKeys
from kg.model.settings.reasoning_settings import Reasoning, follows_routes
from tests.support.every_row import every_row

BROKEN = '''\
# [site]
name = 3
base_iri = """
[camps]
id = 'not one'"""

[[camps]]
id = "a"
label = "A"

[[camps]] # the second
id = "B C"
colour = "#zz"

[site]
nmae = "x"

[quality]
kinds.experimnt = 3
kinds."Natural" = 2
[quality.seen]
notepage = 1

[reasoning]
budget = [
  1,
]
repeat = inf
'''


def error_lines(text: str) -> list[str]:
    with pytest.raises(ConfigError) as error:
        parse_config(text, "kg.toml")
    return str(error.value).splitlines()


@every_row(
    ("second", "wrong"),
    [
        ("a", "kg.toml:5: camps, no. 2, id: 'a' is also the id of another camp"),
        ("next", "kg.toml:5: camps, no. 2, id: 'next' has a meaning of its own in notes"),
        ("supports", "kg.toml:5: camps, no. 2, id: 'supports' has a meaning of its own in notes"),
    ],
)
def test_a_camp_has_a_name_of_its_own(second: str, wrong: str) -> None:
    text = f'[[camps]]\nid = "a"\nlabel = "A"\n[[camps]]\nid = "{second}"\nlabel = "B"\n'
    with pytest.raises(ConfigError) as caught:
        parse_config(text, "kg.toml")
    assert str(caught.value) == wrong


def test_what_a_data_set_says_is_in_the_words_that_others_read() -> None:
    assert error_lines(
        '[dataset]\nlicense = "CC BY"\ndoi = "https://doi.org/10.1/x"\nlicence = "x"'
    ) == [
        "kg.toml:2: dataset, license: 'CC BY' should be a name of the SPDX list such as CC-BY-4.0",
        "kg.toml:3: dataset, doi: 'https://doi.org/10.1/x' should be a DOI such as "
        "10.5281/zenodo.1234567",
        "kg.toml:4: dataset, licence: there is no such key; did you mean `license`?",
    ]


def test_settings_have_up_to_64_kib() -> None:
    text = "#" * MAX_CONFIG_CHARACTERS
    assert parse_config(text, "kg.toml") == Config()
    assert error_lines(f"{text}#") == [
        "kg.toml: too large for settings: over 64 KiB, or nested too deeply"
    ]


def test_the_help_on_camps_by_their_names_says_how_to_write_them() -> None:
    assert error_lines('[camps]\na = "A"\n') == [
        "kg.toml:1: camps: should be a list of tables, each begun by `[[camps]]`"
    ]
    assert error_lines('camps = "a"\n') == ["kg.toml:1: camps: should be a list"]


def test_all_problems_are_reported_at_once_with_their_lines() -> None:
    assert [":".join(line.split(":")[:3]) for line in error_lines(BROKEN)] == [
        "kg.toml:2: name",
        "kg.toml:3: base_iri",
        "kg.toml:11: camps, no. 2, label",
        "kg.toml:12: camps, no. 2, id",
        "kg.toml:13: camps, no. 2, colour",
        "kg.toml:16: site, nmae",
        "kg.toml:19: quality, kinds, experimnt",
        "kg.toml:20: quality, kinds, Natural",
        "kg.toml:22: quality, seen, notepage",
        "kg.toml:25: reasoning, budget",
        "kg.toml:28: reasoning, repeat",
    ]


@every_row(
    ("text", "where"),
    [
        ('site = { name = "x", nmae = "y" }', "kg.toml:1: site, nmae: there is no such key"),
        ('"a\\nb" = 1', r"kg.toml:1: 'a\nb': there is no such key"),
        ('\nsite.nmae = "y"', "kg.toml:2: site, nmae"),
        ('\r\n[ "site" ]\r\n"nmae" = 1\r\n', "kg.toml:3: site, nmae"),
        (
            'camps = [\n  {id = "a", label = "A"},\n  {id = "b"},\n]',
            "kg.toml:1: camps, no. 2, label: is missing",
        ),
        (
            "[quality]\nhighest = 3\n",
            "kg.toml:1: quality, kinds, meta-analysis: meta-analysis = 4 is not on",
        ),
        ("\n\na = \n", "kg.toml:3:5: not valid TOML: Invalid value"),
        ("\n\na = [1,\n\n", "kg.toml:3: not valid TOML: Invalid value, at the end of the file"),
        ('base_iri = "x y"', "kg.toml:1: base_iri: must be an http(s) address or a urn"),
        ('ignore = "a"', "kg.toml:1: ignore: should be a list"),
        ("a = " + "1" * 5000, "kg.toml: a number has more digits than any setting needs"),
    ],
)
def test_a_key_is_found_however_it_is_written(text: str, where: str) -> None:
    assert error_lines(text)[0].startswith(where)


def test_a_file_full_of_errors_has_a_short_report() -> None:
    lines = error_lines("".join(f"k{number} = 1\n" for number in range(20 * MAX_MESSAGES)))
    assert len(lines) == MAX_MESSAGES + 1
    assert lines[-1].startswith("and ")
    assert len(error_lines("x = [\n" + "1,\n" * (20 * MAX_MESSAGES) + "]\n")) == 1


SETTINGS = Path(__file__).parents[3] / "docs" / "conventions.md"


def documented_settings() -> dict[str, tuple[str, str]]:
    rows = re.findall(
        r"^\| `(\w+)` \| (\S+) \| ([^|]+) \|", SETTINGS.read_text("utf-8"), re.MULTILINE
    )
    return {key: (default, bounds) for key, default, bounds in rows}


def test_every_setting_of_reasoning_is_documented_with_its_default() -> None:
    defaults = {key: default for key, (default, _) in documented_settings().items()}
    plain = Reasoning().model_dump()
    values = {
        key: value if isinstance(plain[key], str) else float(Fraction(value))
        for key, value in defaults.items()
    }
    assert values == {k: f'"{v}"' if isinstance(v, str) else v for k, v in plain.items()}


@every_row("key", [k for k, v in Reasoning() if not isinstance(v, str)])
def test_a_number_outside_its_documented_range_is_refused(key: str) -> None:
    bounds = documented_settings()[key][1]
    low, high = re.findall(r"\d*\.?\d+", bounds)[:2]
    step = 1 if key == "budget" else 0.001
    for beyond in (type(step)(float(low)) - step, type(step)(float(high)) + step):
        (line,) = error_lines(f"[reasoning]\n{key} = {beyond}\n")
        assert line.startswith(f"kg.toml:2: reasoning, {key}: should be"), line
    for value in ("true", '"0.7"', "nan"):
        (line,) = error_lines(f"[reasoning]\n{key} = {value}\n")
        assert line.startswith(f"kg.toml:2: reasoning, {key}: should be"), line


@every_row(
    ("text", "wrong"),
    [
        (
            "even_within = 0.1",
            "even_within: ½ plus even_within (0.1) must be less than contested_below (0.6)",
        ),
        (
            "contested_below = 0.8",
            "contested_below: contested_below (0.8) must be less than leaning_below (0.75)",
        ),
        (
            "strong_from = 0.7",
            "strong_from: leaning_below (0.75) must be less than strong_from (0.7)",
        ),
        (
            "strong_from = 0.75",
            "strong_from: leaning_below (0.75) must be less than strong_from (0.75)",
        ),
        ("moderate = 0.2", "moderate: weak (0.3) must be no more than moderate (0.2)"),
    ],
)
def test_bounds_in_a_wrong_order_are_refused(text: str, wrong: str) -> None:
    assert error_lines(f"\n[reasoning]\n{text}\n") == [f"kg.toml:3: reasoning, {wrong}"]


def test_what_is_weak_may_count_as_much_as_what_is_moderate() -> None:
    assert parse_config("[reasoning]\nmoderate = 0.3\n", "kg.toml").reasoning.moderate == 0.3
    assert str(WrongKeys({("a",): "one", ("b",): "two"})) == "one; two"


def test_a_text_or_a_boolean_is_refused_as_a_number_of_the_ladder() -> None:
    for text in ("top = true", 'p = "1"', "kinds.experiment = true", "seen.primary = false"):
        (line,) = error_lines(f"[quality]\n{text}\n")
        assert "should be a valid number" in line


KEYS = st.sampled_from(["a", "b", '"c.d"', "'#'", '"[x]"', '"é"'])
VALUES = st.sampled_from(
    ["1", '"# [a]"', "'''\n[a]\nb = 1\n'''", '[\n "]", # [\n]', "{ a = 1, b = [2] }", '"""\\"\n"""']
)
TABLES = st.sampled_from(["", "[t]", "[t.u] # x", "[[l]]", "[l.m]", "[[l.n]]", '["t"."c.d"]'])


def _places(value: Any, place: KeyPath = ()) -> set[KeyPath]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    places = {place} if place else set()
    if isinstance(value, dict | list):
        for key, each in inner:
            places |= (
                _places(each, (*place, key)) if isinstance(each, dict | list) else {(*place, key)}
            )
    return places


@given(st.lists(st.tuples(TABLES, st.dictionaries(KEYS, VALUES, max_size=3)), max_size=5))
def test_every_key_of_a_text_has_a_line_on_which_it_stands(tables: list[Any]) -> None:
    parts = [
        "\n".join([head, *(f"{key} = {value}" for key, value in keys.items())])
        for head, keys in tables
    ]
    text = "\n".join(parts)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    lines = lines_of_keys(text)
    assert set(lines) == _places(data)
    for place, line in lines.items():
        names = [str(part) for part in place if isinstance(part, str)]
        assert names[-1] in text.split("\n")[line - 1]


def test_signs_that_a_terminal_obeys_are_left_out_of_the_name_of_a_site() -> None:
    text = '[site]\nname = "a\\u001b[31m\\u202eb"\ndescription = "c\\u0085d"\n'
    site = parse_config(text, "kg.toml").site
    assert (site.name, site.description) == ("a�[31m�b", "c d")


@every_row(
    ("name", "id"),
    [
        ("skeptic", "skeptic"),
        (" Sceptic ", "skeptic"),
        ("Those in doubt", "skeptic"),
        ("optimist", "optimist"),
        ("doubt", None),
        ("", None),
    ],
)
def test_a_camp_is_found_by_its_id_or_label_however_it_is_spelt(name: str, id: str | None) -> None:
    camps = [{"id": "optimist", "label": "O"}, {"id": "skeptic", "label": "those in doubt"}]
    assert Config.model_validate({"camps": camps}).find_camp(name) == id


def test_only_the_logistic_rule_can_follow_sources_along_routes() -> None:
    assert follows_routes("routes", "logistic")
    assert not follows_routes("routes", "qe")
    assert not follows_routes("plain", "logistic")
