"""How names of the code are made (`docs/contributing/words.md`), and of what each test file is."""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.support.source_code import (
    ROOT,
    SOURCES,
    files_by_module,
    modules_tested_by,
    nodes_of,
    tree_of,
)

VAGUE = re.compile(
    r"""_*(after|alone|apart|asked|at|before|brought|built|by|chosen|cited|come|counted|done|drawn|found|given|gone
    |held|here|hidden|into|joined|kept|known|least|linked|looked|made|marked|meant|most|moved|named|on
    |out|own|passed|per|reached|said|seen|shown|sought|spoken|stated|taken|there|told|tried|wanted
    |weighed|whole|written)""",
    re.VERBOSE,
)
"""Words that alone do not say of what: no name of what others call or pass."""
PARTICIPLE = re.compile(r"_*[a-z]+[^e]ed")
GUIDE = "docs/contributing/words.md, “How names are made”"
KNOWN_TO_USERS = """
kg/api.py: flips by
kg/api.py: stored
kg/exchange/writers/bibliographic_works.py: Person given
kg/model/source.py: retracted
kg/publish/context/standings.py: ClaimsByResult undecided
kg/history/changes.py: renamed
kg/history/changes.py: retired
kg/queries/language/selection.py: named
kg/reasoning/answers/flips.py: flips by"""
"""Participles and prepositions that notes, options, JSON or formats call so."""
LINES_BY_ID = {
    "kg/api.py: view_line line",
    "kg/cli/exchanging.py: export_command line",
    "kg/corpus/look_ups.py: camp_of line",
}
"""Where users call the id of a line `line`."""
SUBJECTS = {
    "checks": "together",
    "cli": "at_once diffs every_name faults golden_commands kills refusals",
    "editing": "dataview mapped_vault nothing_is_lost sources_beside",
    "files": "attacks races swapped",
    "git": "git_attacks git_borrowed",
    "model": "methods",
    "notes": "outer_bibliographies",
    "notes/frontmatter": "schema",
    "publish": "golden_site",
    "publish/build": "pages_made_anew",
    "publish/pages": "agreement collapsing history repeated_lists same_numbers",
    "queries": "thirty_questions",
    "rdf/shacl": "own_shapes",
    "reasoning": (
        "calibration_claims formulas_of_the_page invariants metamorphic replications "
        "shared_sources strength_cases worked_examples"
    ),
    "reasoning/answers": "answer_cases",
    "serve": "soak",
}
"""Test files, by room, that name no module: what they hold of a whole room."""
NAMES_OF_TWO_THINGS = {"run", "table"}
"""What starts the program, as a process and within one; a table of HTML, and one of a report."""
QUOTED = re.compile(r"(?<!`)`([A-Za-z_]\w*)(?:\([^`?]*\))?`(?!`)")
MANY_DECISIONS, DECISIONS_WITH_OWN_FILE = 15, 34

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def definitions() -> tuple[tuple[str, Function | ast.ClassDef], ...]:
    """Each function, method and class of the program, by `file: name`."""
    return tuple(
        (f"{file.relative_to(ROOT).as_posix()}: {node.name}", node)
        for file in SOURCES
        for node in nodes_of(file)
        if isinstance(node, Function | ast.ClassDef)
    )


def parameters_and_fields() -> Iterator[tuple[str, str, str]]:
    """By `file: name of what has it`, the name and type of each but the fields that JSON shows."""
    for place, node in definitions():
        if isinstance(node, Function):
            args = node.args
            for each in (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg):
                if each is not None:
                    yield place, each.arg, ast.unparse(each.annotation) if each.annotation else ""
        elif re.search(
            "NamedTuple|dataclass", " ".join(map(ast.unparse, node.bases + node.decorator_list))
        ):
            for item in node.body:
                if isinstance(item, ast.AnnAssign):
                    yield place, ast.unparse(item.target), ast.unparse(item.annotation)


def is_word_of_users(place: str, node: ast.AST) -> bool:
    """Whether users read the name: of a rule, or of a word of queries."""
    makers = {ast.unparse(each).partition("(")[0] for each in getattr(node, "decorator_list", ())}
    return not makers.isdisjoint({"rule", "parsing_rule"}) or place.startswith(
        "kg/queries/language/builders.py"
    )


def test_no_public_name_is_a_participle_or_preposition_alone() -> None:
    """No parameter is a vague word; nor are functions, classes and fields, or any word in -ed."""
    names = {place for place, node in definitions() if not is_word_of_users(place, node)}
    parameters = set()
    for place, name, type in parameters_and_fields():
        if place[place.index(": ") + 2].isupper():
            names |= {f"{place} {name}"} if not re.search("bool|Bools", type) else set()
        else:
            parameters.add(f"{place} {name}")
    assert len(parameters) > 5000
    wrong = {each for each in names | parameters if VAGUE.fullmatch(each.split()[-1])}
    wrong |= {each for each in names if PARTICIPLE.fullmatch(each.split()[-1])}
    known_to_users = {*KNOWN_TO_USERS.strip().split("\n")}
    assert {each for each in wrong if not each.split()[-1].startswith("_")} == known_to_users, (
        "the last word of each of these does not say of what: add the noun (`kept_edges`), or take "
        f"it alone (`edges`); what is gone is taken out of KNOWN_TO_USERS; {GUIDE}"
    )


def test_the_id_of_a_line_is_called_line_id() -> None:
    """`line` alone is the record, but for what users name so."""
    places = {
        f"{place} {name}"
        for place, name, type in parameters_and_fields()
        if name == "line" and re.search(r"\b(?:str|LineId)\b", type)
    }
    assert places == LINES_BY_ID, (
        "`line` is the record here: call the id of an inquiry line `line_id`, or take what is "
        f"gone out of LINES_BY_ID; {GUIDE}"
    )


def test_what_a_function_returns_fits_its_name() -> None:
    returns = {
        place: ast.unparse(node.returns)
        for place, node in definitions()
        if isinstance(node, Function) and node.returns and not is_word_of_users(place, node)
    }
    questions = {place for place in returns if re.search(": _*(is|has|can|may|are|wants)_", place)}
    assert len(questions) > 50
    assert {each for each in questions if returns[each] not in ("bool", "Bools")} == set(), (
        f"a name that begins like a question of yes or no returns a bool; {GUIDE}"
    )
    makers = {name for name, type in returns.items() if re.match(r"Diagnostic\b(?!.*[,\]])", type)}
    assert len(makers) > 20
    assert {name for name in makers if not name.endswith("_problem")} == set(), (
        f"what returns one diagnostic ends in `_problem`; {GUIDE}"
    )


def names_at_the_top(file: Path) -> Iterator[str]:
    """The public functions and constants of a module, and its types that stand for another."""
    for node in tree_of(file).body:
        if isinstance(node, Function) and not is_word_of_users(file.as_posix(), node):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            value = ast.unparse(node.value or ast.Constant(None))
            if not re.match(r"parsing_rule\(|(?:typing\.)?TypeVar\(", value):
                parts = (part for target in targets for part in ast.walk(target))
                names = (part for part in parts if isinstance(part, ast.Name))
                yield from (part.id for part in names if isinstance(part.ctx, ast.Store))


def test_a_public_function_or_constant_and_each_class_has_a_name_of_its_own() -> None:
    counts = Counter(node.name for _, node in definitions() if isinstance(node, ast.ClassDef))
    counts.update(name for file in SOURCES for name in names_at_the_top(file) if name[0] != "_")
    assert len(counts) > 1500
    assert {name for name, count in counts.items() if count > 1} == NAMES_OF_TWO_THINGS, (
        "two things have this name: say in one of them what sets it apart, or make private what "
        f"only its module uses (or take it out of NAMES_OF_TWO_THINGS); {GUIDE}"
    )


def words_in(node: ast.AST) -> Iterator[str]:
    """The name that a node defines, imports, takes or uses, or the text that it is."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
            yield name
        case ast.keyword(arg=str(name)) | ast.Constant(value=str(name)):
            yield name
        case ast.alias(name=name):
            yield from name.split(".")
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name


def test_what_docstrings_quote_is_a_name_or_a_value() -> None:
    """One that the code has somewhere, or a word that the guides quote."""
    quotes = {
        (file.relative_to(ROOT).as_posix(), word)
        for file in SOURCES
        for node in nodes_of(file)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for word in QUOTED.findall(str(node.value.value))
    }
    assert len(quotes) > 1000
    known_words = {word for file in SOURCES for node in nodes_of(file) for word in words_in(node)}
    known_words.update(
        dir(builtins), *(file.relative_to(ROOT).with_suffix("").parts for file in SOURCES)
    )
    assert {each for each in quotes if each[1] not in known_words} == set(), (
        "no name or value of the code is called so: a word between “ and ”, or the new name"
    )


def test_test_files_are_named_after_a_module_or_a_subject() -> None:
    subjects: dict[str, set[str]] = {}
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        room = file.parent.relative_to(ROOT / "tests")
        place = ROOT / "kg" / room / file.stem.removeprefix("test_")
        is_of_a_room = room.parts and (ROOT / "kg" / room.parts[0]).is_dir()
        if is_of_a_room and not place.is_dir() and not modules_tested_by(file):
            subjects.setdefault(room.as_posix(), set()).add(place.name)
    assert subjects == {room: set(names.split()) for room, names in SUBJECTS.items()}, (
        "a test file has the name and place of the module that it tests, or says “Of `kg/….py`.”; "
        "one of a whole room is listed in SUBJECTS, and taken out when it is gone; tests/README.md"
    )


def test_no_test_file_takes_a_helper_from_another() -> None:
    """What several need stands beside them, or in `tests/support`; a test may be run again."""
    shared = [
        f"{file.relative_to(ROOT)}: {names}"
        for file in sorted((ROOT / "tests").rglob("*.py"))
        if "browser" not in file.parts
        for names in re.findall(
            r"^from tests\.\S*\.test_\w+ import (.*)", file.read_text("utf-8"), re.MULTILINE
        )
        if not all(name.strip().startswith("test_") for name in names.split(","))
    ]
    assert shared == [], "move the helper beside both, or to tests/support; tests/README.md"


def test_a_module_that_decides_much_has_a_test_file_and_one_that_decides_most_has_its_own() -> None:
    """By its name, or in its docstring: “Of `kg/loader.py`.” A value alone decides nothing."""
    kinds = (ast.If, ast.IfExp, ast.While, ast.BoolOp, ast.Compare)
    decisions = {
        file.relative_to(ROOT / "kg"): sum(isinstance(node, kinds) for node in nodes_of(file))
        for file in SOURCES
    }
    much = {f"kg/{file.as_posix()}" for file, count in decisions.items() if count >= MANY_DECISIONS}
    assert len(much) > 300
    assert much - files_by_module().keys() == set(), (
        "these decide much, and no test file is of them: write one of the module's name, or add "
        "“Of `kg/….py`.” to the docstring of the one that tests it; tests/README.md"
    )
    most = {file for file, count in decisions.items() if count >= DECISIONS_WITH_OWN_FILE}
    assert len(most) > 100
    test_files = {file: ROOT / "tests" / file.with_name(f"test_{file.name}") for file in most}
    assert [file for file, test_file in test_files.items() if not test_file.is_file()] == [], (
        "these decide most: write a test file of the module's name; tests/README.md"
    )


def test_a_function_that_all_rooms_stand_on_is_named_in_a_test_of_its_module() -> None:
    """In other rooms, what is seen from outside is tested: a command, a rule, an answer."""
    rooms = ("text", "model", "runtime", "endpoints")
    unnamed = [
        f"{file.relative_to(ROOT)}: {function.name}"
        for file in SOURCES
        if file.relative_to(ROOT / "kg").parts[0] in rooms
        for function in tree_of(file).body
        if isinstance(function, ast.FunctionDef) and not function.name.startswith("_")
        if any(
            isinstance(node, ast.If | ast.IfExp | ast.BoolOp | ast.Compare)
            for node in ast.walk(function)
        )
        if not any(
            re.search(rf"\b{function.name}\b", (ROOT / test_file).read_text("utf-8"))
            for test_file in files_by_module().get(file.relative_to(ROOT).as_posix(), ())
        )
    ]
    assert unnamed == [], "test these where the module is tested"


def test_what_a_test_file_says_it_tests_is_there() -> None:
    missing = [module for module in files_by_module() if not (ROOT / module).is_file()]
    assert missing == [], "a docstring says “Of `…`.” of these: name the module as it is called now"
