"""Names of people as BibTeX writes them."""

from __future__ import annotations

from kg.notes.entries.people import parse_names
from tests.support.every_row import every_row


@every_row(
    ("written", "people"),
    [
        ("{World Bank}", [("World Bank", True)]),
        ("{{World Bank}}", [("World Bank", True)]),
        ("{OpenAI}", [("OpenAI", True)]),
        ("{von Wright}, Georg Henrik", [("Georg Henrik von Wright", False)]),
        ("Roe, {Ann, B.}", [("Ann, B. Roe", False)]),
        ("{A, B and C} and Li, Bo", [("A, B and C", True), ("Bo Li", False)]),
        ("family=Meer, given=Gerard, prefix=van der, useprefix=true", [("Gerard van der Meer", 0)]),
        ("prefix=d', family={Arc}, given=Jeanne", [("Jeanne d'Arc", False)]),
        ("family=King, suffix=Jr., given=M. L. and Li, Bo", [("M. L. King, Jr.", 0), ("Bo Li", 0)]),
        ("de La Fontaine, III, Jean", [("Jean de La Fontaine, III", False)]),
        ("Wu, Ann AND others", [("Ann Wu", False), ("et al.", False)]),
        ("Wu, Ann and {others}", [("Ann Wu", False), ("et al.", False)]),
        ("and Wu, Ann and ", [("Ann Wu", False)]),
        (r"Garc{\'\i}a, Jos\'e", [("José García", False)]),
        (r"Stein, {\noopsort{stein}}Karl", [("Karl Stein", False)]),
        ("王, 小明", [("王小明", False)]),
        ("{Wu", [("Wu", False)]),
    ],
)
def test_names(written: str, people: list[tuple[str, bool]]) -> None:
    assert [each[:2] for each in parse_names(written)] == people
