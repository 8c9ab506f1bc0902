"""How names of the code are made (`docs/contributing/words.md`), and of what each test file is."""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterator
from enum import Enum
from functools import cache
from pathlib import Path

import kg.model
from kg.cli import COMMANDS
from tests.support.source_code import ROOT, SOURCES, files_by_module, nodes_of, tree_of

VAGUE = """
alone apart asked at brought built by chosen cited come counted done drawn found given gone held
here hidden into joined kept known least linked looked made marked meant most moved named on out
own passed per reached said seen shown sought spoken stated taken there told tried wanted weighed
whole written"""
"""Words that alone do not say of what: no name."""
VAGUE_IN_TESTS = """
asked at brought built chosen cited come counted done drawn found given held hidden into joined
kept least linked looked made marked meant most named now out passed per reached said seen shown so
sought spoken stated told tried wanted weighed written"""
"""Those of them, and two more, that name nothing in the tests either."""
GUIDE = "docs/contributing/words.md, “How names are made”"
KNOWN_TO_USERS = """
kg/api.py: flips by
kg/api.py: stored
kg/checks/rule.py: Finding related
kg/corpus/corpus.py: Corpus unresolved
kg/endpoints/push_and_pull.py: PushResult removed
kg/endpoints/push_and_pull.py: PushResult unchanged
kg/endpoints/push_and_pull.py: PushResult written
kg/exchange/writers/bibliographic_works.py: Person given
kg/files/read_files.py: NotesFolder shown
kg/model/source.py: retracted
kg/publish/context/standings.py: ClaimsByResult undecided
kg/history/changes.py: renamed
kg/history/changes.py: retired
kg/queries/language/selection.py: named
kg/reasoning/answers/flips.py: flips by"""
"""Participles and prepositions that notes, options, JSON or formats call so."""
LINES_BY_ID = {
    "kg/api.py: view_line",
    "kg/cli/exchanging.py: export_command",
    "kg/corpus/look_ups.py: camp_of",
}
"""Where users call the id of a line `line`."""
SUBJECTS = {
    "checks": "fixes together what_follows",
    "cli": "at_once command_line diffs every_name faults golden_commands kills names refusals",
    "editing": ("dataview mapped_vault nothing_is_lost sources_beside"),
    "endpoints": "lying_servers",
    "files": "attacks races sealed swapped",
    "git": "git_attacks git_borrowed git_endless",
    "importing": "import_command",
    "lsp": "problems_of_one_note server",
    "model": "methods",
    "notes/bibliography": "exports",
    "notes/frontmatter": "schema",
    "notes": "outer_bibliographies",
    "publish/build": "files_for_programs pages_made_anew unchanged_folder",
    "publish/components": "cite study",
    "publish/pages": "agreement folding history pages repeated_lists same_numbers topic_matrix",
    "publish": "golden_site",
    "queries/engines": "groups",
    "queries": "thirty_questions",
    "rdf/shacl": "own_shapes validation",
    "rdf": "hints named_queries",
    "reasoning/answers": "answer_cases plotted",
    "reasoning/default_rule": "reused_circles worked_example",
    "reasoning/other_rules": "settled_loops",
    "reasoning": (
        "calibration_claims formulas_of_the_page invariants linked_premises "
        "metamorphic replications shared_sources strength_cases worked_examples"
    ),
    "serve": "soak",
}
"""Test files, by room, that are not of one module: what they hold of a whole room."""
NAMES_OF_TWO_THINGS = {"run", "table"}
"""What starts the program, as a process and within one; a table of HTML, and one of a report."""
QUOTED = re.compile(r"(?<!`)`([A-Za-z_]\w*)(?:\([^`?]*\))?`(?!`)")

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


@cache
def arguments_and_fields() -> tuple[tuple[str, ast.arg | ast.AnnAssign], ...]:
    """By `file: name`, the parameters of functions, and the fields of what no JSON shows."""
    rows: list[tuple[str, ast.arg | ast.AnnAssign]] = []
    for place, node in definitions():
        if isinstance(node, Function):
            rows += [(place, each) for each in ast.walk(node.args) if isinstance(each, ast.arg)]
        elif re.search(
            "NamedTuple|dataclass", " ".join(map(ast.unparse, node.bases + node.decorator_list))
        ):
            rows += [(place, each) for each in node.body if isinstance(each, ast.AnnAssign)]
    return tuple(rows)


def is_word_of_users(place: str, node: Function | ast.ClassDef) -> bool:
    """Whether users read the name: of a rule, or of a word of queries."""
    makers = {ast.unparse(each).partition("(")[0] for each in node.decorator_list}
    return not makers.isdisjoint({"rule", "parsing_rule"}) or place.startswith(
        "kg/queries/language/builders.py"
    )


def test_no_name_is_a_participle_or_preposition_alone() -> None:
    """No variable is a vague word; nor are functions, classes and fields, or any word in -ed."""
    variables = {
        f"{place} {each.arg}" for place, each in arguments_and_fields() if isinstance(each, ast.arg)
    }
    fields = {
        f"{place} {ast.unparse(each.target)}"
        for place, each in arguments_and_fields()
        if isinstance(each, ast.AnnAssign)
        and not re.search("bool|Bools", ast.unparse(each.annotation))
    }
    definers = {place for place, node in definitions() if not is_word_of_users(place, node)}
    variables |= {
        f"{place} {inner.id}"
        for place, node in definitions()
        for inner in (ast.walk(node) if isinstance(node, Function) else ())
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
    }
    assert len(variables) > 5000
    assert len(fields) > 500
    vague = "|".join(VAGUE.split())
    names = {name for name in variables if re.search(f" _*({vague})$", name)}
    names |= {name for name in definers | fields if re.search(rf" _*({vague}|[a-z]+[^e]ed)$", name)}
    known_to_users = {*KNOWN_TO_USERS.strip().split("\n")}
    assert names - known_to_users == set(), (
        "the last word of each of these does not say of what: add the noun (`kept_edges`), or take "
        f"it alone (`edges`); {GUIDE}"
    )
    assert known_to_users - names == set(), "these are gone: take them out of KNOWN_TO_USERS"


def names_bound_in(file: Path) -> Iterator[tuple[int, str]]:
    """The line and name of each variable, parameter, field, function and class of a file."""
    for node in nodes_of(file):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield node.lineno, name
            case ast.ClassDef(name=name):
                yield node.lineno, name.lower()


def test_no_name_in_tests_is_a_vague_word() -> None:
    vague = re.compile(rf"_*(?:{'|'.join(VAGUE_IN_TESTS.split())})\d*")
    names = [
        f"{file.relative_to(ROOT)}:{line_number} {name}"
        for file in sorted((ROOT / "tests").rglob("*.py"))
        for line_number, name in names_bound_in(file)
        if vague.fullmatch(name)
    ]
    advice = (
        "these do not say what they hold: name each by its value (`corpus`, `problems`, `verdict`, "
        f"`message`, `expected`), a function by what it returns; {GUIDE}"
    )
    assert names == [], "\n".join([advice, *names])


def test_a_test_says_how_something_is_reported() -> None:
    names = [
        f"{file.relative_to(ROOT)}: {name}"
        for file in sorted((ROOT / "tests").rglob("*.py"))
        for _, name in names_bound_in(file)
        if re.match(r"test_(?:\w+_)?told_", name + "_")
    ]
    assert names == [], "say whether it is reported, shown, described or an error; tests/README.md"


def test_the_id_of_a_line_is_called_line_id() -> None:
    """`line` alone is the record, but for what users name so."""
    places = {
        place
        for place, node in arguments_and_fields()
        if (node.arg if isinstance(node, ast.arg) else ast.unparse(node.target)) == "line"
        and node.annotation
        and re.search(r"\b(?:str|LineId)\b", ast.unparse(node.annotation))
    }
    assert places - LINES_BY_ID == set(), (
        f"`line` is the record here: call the id of an inquiry line `line_id`; {GUIDE}"
    )
    assert LINES_BY_ID - places == set(), "these are gone: take them out of LINES_BY_ID"


def test_line_in_the_name_of_a_class_is_an_inquiry_line() -> None:
    """Or of text, which the name says: `TextLine`."""
    names = [
        f"{place.partition(':')[0]}: {node.name}"
        for place, node in definitions()
        if isinstance(node, ast.ClassDef)
        if re.search(r"(?<!Text)(?<!TextWith)Lines?(?![a-z])", node.name)
        if not re.search(
            r"InquiryLine|LineId|line_id|inquiry line",
            (ROOT / place.partition(":")[0]).read_text("utf-8"),
        )
    ]
    assert names == [], (
        "nothing here is of inquiry lines: call a line of text `TextLine`, one that is drawn "
        f"`Stroke`; {GUIDE}"
    )


def test_a_question_is_answered_by_yes_or_no() -> None:
    questions = {
        name: ast.unparse(node.returns or ast.Constant(None))
        for name, node in definitions()
        if isinstance(node, Function) and re.match("_*(?:is|has|can|may|are|wants)_", node.name)
    }
    assert len(questions) > 50
    wrong = {name: type for name, type in questions.items() if type not in ("bool", "Bools")}
    assert wrong == {}, (
        "a name that begins like a question of yes or no returns a bool: name these by what they "
        f"return; {GUIDE}"
    )


def test_what_returns_a_diagnostic_is_called_a_problem() -> None:
    returns = {
        name: ast.unparse(node.returns)
        for name, node in definitions()
        if isinstance(node, Function) and node.returns and not is_word_of_users(name, node)
    }
    makers = {name for name, type in returns.items() if re.match(r"Diagnostic\b(?!.*[,\]])", type)}
    assert len(makers) > 20
    assert {name for name in makers if not name.endswith("_problem")} == set(), (
        f"what returns one diagnostic ends in `_problem`; {GUIDE}"
    )


def test_a_class_has_a_name_of_its_own() -> None:
    """But for the corpus: with its questions and without (decision 0012).

    So has a type that only stands for another: `Ids = Set[str]`.
    """
    aliases = [
        target.id
        for file in SOURCES
        for node in tree_of(file).body
        if isinstance(node, ast.Assign) and not ast.unparse(node.value).startswith("TypeVar(")
        for target in node.targets
        if isinstance(target, ast.Name) and re.fullmatch(r"_?[A-Z]\w*[a-z]\w*", target.id)
    ]
    assert len(aliases) > 50
    classes = [node.name for _, node in definitions() if isinstance(node, ast.ClassDef)]
    counts = Counter(classes + aliases)
    assert {name for name, count in counts.items() if count > 1} - {"Corpus"} == set(), (
        "two things have this name: say in one of them what sets it apart (“One word per idea”, "
        "docs/contributing/words.md)"
    )


def public_names(file: Path) -> Iterator[str]:
    """The functions and constants of a module, without rules, type variables and private names."""
    for node in tree_of(file).body:
        if isinstance(node, Function):
            is_named_for_users = is_word_of_users(file.relative_to(ROOT).as_posix(), node)
            names = [] if is_named_for_users else [node.name]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            value = ast.unparse(node.value or ast.Constant(None))
            is_constant = not re.match(r"parsing_rule\(|(?:typing\.)?TypeVar\(", value)
            parts = (each for target in targets for each in ast.walk(target) if is_constant)
            names = [each.id for each in parts if isinstance(each, ast.Name)]
        else:
            continue
        yield from (name for name in names if not name.startswith("_"))


def test_a_public_function_or_constant_has_a_name_of_its_own() -> None:
    counts = Counter(name for file in SOURCES for name in public_names(file))
    assert len(counts) > 1500
    assert {name for name, count in counts.items() if count > 1} == NAMES_OF_TWO_THINGS, (
        "two things have this name: say in one of them what sets it apart, or make private what "
        f"only its module uses (or take it out of NAMES_OF_TWO_THINGS); {GUIDE}"
    )


def words_of_users() -> set[str]:
    """What the guides and the ontology quote by itself, commands, and values of the model."""
    guides = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
    quotes = (re.findall(r"`([A-Za-z_]\w*):{0,2}`", file.read_text("utf-8")) for file in guides)
    ontology = (ROOT / "ontology").glob("*.ttl")
    terms = (re.findall(r"\b(?:kg|shapes):(\w+)", file.read_text("utf-8")) for file in ontology)
    enums = (
        each
        for each in vars(kg.model).values()
        if isinstance(each, type) and issubclass(each, Enum)
    )
    values = ([str(member.value) for member in each] for each in enums)
    return {name for name, *_ in COMMANDS}.union(*quotes, *terms, *values)


def names_in(file: Path) -> set[str]:
    """All names in a module: defined, imported, taken, used, or quoted as a word."""
    names: set[str] = set()
    for node in nodes_of(file):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                names.add(name)
            case ast.keyword(arg=str(name)) | ast.Constant(value=str(name)):
                names.add(name)
            case ast.alias(name=name):
                names |= {*name.split(".")}
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
    return names


def test_names_in_docstrings_are_known_where_they_stand() -> None:
    """A name is known in its module; everywhere, what is defined, and words of users."""
    known_names = {*dir(builtins), "kg", *words_of_users()}
    known_names |= {
        name
        for place, node in definitions()
        for name in (node.name, Path(place.partition(":")[0]).stem)
    }
    known_names |= {
        part for file in SOURCES for part in file.relative_to(ROOT).with_suffix("").parts
    }
    known_names |= {
        ast.unparse(each.target)
        for _, each in arguments_and_fields()
        if isinstance(each, ast.AnnAssign)
    }
    known_names |= {
        name.id
        for file in SOURCES
        for each in tree_of(file).body
        if isinstance(each, ast.Assign | ast.AnnAssign)
        for name in ast.walk(each)
        if isinstance(name, ast.Name)
    }
    count, wrong = 0, []
    for file in SOURCES:
        own = known_names | names_in(file)
        for node in nodes_of(file):
            match node:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    words = QUOTED.findall(text)
                    count += len(words)
                    wrong += [
                        f"{file.relative_to(ROOT)}: {word}" for word in words if word not in own
                    ]
    assert count > 1000
    assert wrong == [], "put a word that is no name of the code between “ and ”"


def places_by_test_file() -> dict[Path, Path]:
    """What each test file of a room is named after, as a path without suffix, by the file."""
    places = {}
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        room = file.parent.relative_to(ROOT / "tests")
        if room.parts and (ROOT / "kg" / room.parts[0]).is_dir():
            places[file] = ROOT / "kg" / room / file.stem.removeprefix("test_")
    return places  # without the documents, the browser, the whole: they are not of a room


def test_test_files_are_named_after_a_module_or_a_subject() -> None:
    subjects: dict[str, set[str]] = {}
    for file, place in places_by_test_file().items():
        if not place.is_dir() and not place.with_suffix(".py").is_file():
            room = file.parent.relative_to(ROOT / "tests").as_posix()
            subjects.setdefault(room, set()).add(place.name)
    listed = {room: set(names.split()) for room, names in SUBJECTS.items()}
    assert subjects == listed, (
        "a test file has the name and place of the module that it tests; one of a whole room is "
        "listed in SUBJECTS, and taken out when it is gone; tests/README.md"
    )


def test_no_test_file_takes_a_helper_from_another() -> None:
    """What several need stands beside them, or in `tests/support`; a test may be run again."""
    shared = [
        f"{file.relative_to(ROOT)}: {each.name} of {node.module}"
        for file in sorted((ROOT / "tests").rglob("*.py"))
        if ".test_" in file.read_text("utf-8")
        for node in nodes_of(file)
        if isinstance(node, ast.ImportFrom) and ".test_" in (node.module or "")
        for each in node.names
        if not each.name.startswith("test_") and "browser" not in file.parts
    ]
    assert shared == [], "move the helper beside both, or to tests/support; tests/README.md"


MANY_DECISIONS, DECISIONS_WITH_OWN_FILE = 20, 34


def decisions_in(file: Path) -> int:
    """How many conditions and comparisons a module has."""
    kinds = (ast.If, ast.IfExp, ast.While, ast.BoolOp, ast.Compare)
    return sum(isinstance(node, kinds) for node in nodes_of(file))


def importers_by_module() -> Counter[str]:
    """How many modules import each one."""
    importers: Counter[str] = Counter()
    for file in SOURCES:
        imported = {
            f"{node.module}.{name}".rstrip(".").replace(".", "/") + ".py"
            for node in nodes_of(file)
            if isinstance(node, ast.ImportFrom) and node.module
            for name in ("", *(each.name for each in node.names))
        }
        importers.update(imported)
    return importers


def test_a_module_that_decides_much_or_that_many_import_has_a_test_file_that_says_so() -> None:
    """By its name, or in its docstring: “Of `kg/loader.py`.” A value alone decides nothing."""
    tested = files_by_module()
    importers = importers_by_module()
    places = {file: file.relative_to(ROOT).as_posix() for file in SOURCES}
    central = {
        place
        for file, place in places.items()
        if (decisions := decisions_in(file)) and decisions + importers[place] >= MANY_DECISIONS
    }
    assert len(central) > 300
    assert central - tested.keys() == set(), (
        "these decide much, or many modules import them, and no test file is of them: write one "
        "of the module's name, or add “Of `kg/….py`.” to the docstring of the "
        "one that tests it; tests/README.md"
    )


def test_a_module_that_decides_most_has_a_test_file_of_its_name() -> None:
    """Where anyone would look first for what it promises."""
    deciding = {file for file in SOURCES if decisions_in(file) >= DECISIONS_WITH_OWN_FILE}
    assert len(deciding) > 100
    places = {file: file.relative_to(ROOT / "kg") for file in deciding}
    assert {
        place.as_posix()
        for place in places.values()
        if not (ROOT / "tests" / place.with_name(f"test_{place.name}")).is_file()
    } == set(), "these decide most: write a test file of the module's name; tests/README.md"


def test_what_a_test_file_says_it_tests_is_there() -> None:
    missing = [module for module in files_by_module() if not (ROOT / module).is_file()]
    assert missing == [], "a docstring says “Of `…`.” of these: name the module as it is called now"
