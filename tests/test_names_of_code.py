"""How names of the code are made: `docs/contributing/words.md`."""

from __future__ import annotations

import ast
import builtins
import importlib
import re
from collections import Counter
from collections.abc import Iterator
from enum import Enum
from functools import cache
from pathlib import Path

import kg.model
from kg.checks.rule import Rule
from kg.cli import COMMANDS
from kg.exchange.formats import FORMATS
from kg.importing.importers import IMPORTERS
from tests.support.source_code import ROOT, SOURCES, nodes_of, tree_of
from tests.support.tests_of_modules import files_by_module

IRREGULAR = {  # participles that end neither in -ed nor in -ing
    *("drawn", "found", "given", "heard", "held", "kept", "left", "made", "meant", "met", "said"),
    *("seen", "shown", "told", "undone"),
}
CLASSES = {*IRREGULAR, "asked", "listed", "looked", "named", "stated", "typed", "wanted"}
NOUNS = {  # that end as participles do
    *(
        "backing",
        "beginning",
        "ending",
        "feed",
        "heading",
        "listing",
        "mapping",
        "meaning",
        "pending",
    ),
    *("reading", "rewording", "setting", "spelling", "standing", "string", "thing", "warning"),
    *("weighing",),
}
PREPOSITIONS = {
    *("among", "at", "by", "for", "from", "in", "into", "of", "off", "on", "out", "over", "to"),
    *("under", "up", "with", "without"),
}
BY_A_PARTICIPLE = {
    "kg/api.py: stored": "known to users",
    "kg/model/records.py: retracted": "a property called as the field of a note",
    "kg/queries/comparison.py: parted_over": "called as in JSON",
    "kg/queries/history/changes.py: renamed": "a property beside the fields `added` and `removed`",
    "kg/queries/history/changes.py: retired": "a property beside the fields `added` and `removed`",
    "kg/queries/language/selection.py: named": "a word of queries that people type",
    "kg/rdf/shacl/value_components.py: failing_in": "of the component `sh:in`",
}
VAGUE = """
alone apart asked at brought built by chosen cited come counted done drawn found given gone held
here hidden into joined kept known least linked looked made marked meant most moved named
of on out own passed per reached said seen shown sought spoken stated taken there together told
tried wanted weighed whole written"""
"""Words that alone do not say of what: no name of a variable."""
VAGUE_BUT_KNOWN = {
    "kg/cli/weighing.py: verdict_command by": "the option `--by`",
    "kg/api.py: flips by": "known to users",
    "kg/reasoning/answers/flips.py: flips by": "known to users",
}
FIELDS_BY_A_PARTICIPLE = {
    "kg/checks/rule.py: Finding related": "of a diagnostic, as its JSON has it",
    "kg/corpus/corpus.py: Corpus _derived": "what `derive` made",
    "kg/corpus/corpus.py: Corpus left_out": "known to users",
    "kg/corpus/corpus.py: Corpus unresolved": "known to users",
    "kg/endpoints/push_and_pull.py: PushResult removed": "a count, as the command prints it",
    "kg/endpoints/push_and_pull.py: PushResult unchanged": "a count, as the command prints it",
    "kg/endpoints/push_and_pull.py: PushResult written": "a count, as the command prints it",
    "kg/exchange/writers/bibliographic_works.py: Person given": "a given name, in CSL",
    "kg/files/read_files.py: NotesFolder shown": "known to users",
    "kg/publish/components/clashes.py: Clash left": "the opposite of right",
    "kg/publish/context/standings.py: ClaimsByResult undecided": "a result",
}
LINES_BY_ID = {
    "kg/api.py: view_line line": "known to users",
    "kg/cli/exchanging.py: export_command line": "the option `--line`",
    "kg/corpus/corpus.py: camp_of line": "known to users",
}
DOES_AND_TELLS = {  # verbs of functions that do something, and return whether they did
    *("accept", "add", "confirm", "count", "create", "keep", "lock", "parse", "read", "record"),
    *("refresh", "remove", "shorten", "spread", "take", "try", "undo", "update", "write"),
}
SUBJECTS = {
    "checks": "fixes together what_follows",
    "cli": "at_once command_line diffs every_name faults golden_commands kills names refusals",
    "corpus/cache": "answers_from_cache",
    "editing": ("dataview mapped_vault nothing_is_lost sources_beside"),
    "endpoints": "lying_servers",
    "files": "attacks races sealed swapped",
    "git": "git_attacks git_borrowed git_endless",
    "importing": "import_command",
    "lsp": "problems_of_one_note server",
    "model": "methods p_values",
    "notes/entries": "exports page_ranges",
    "notes/frontmatter": "schema",
    "notes": "outer_bibliographies",
    "publish/build": "files_for_programs pages_made_anew unchanged_folder",
    "publish/components": "cite study",
    "publish/pages": "agreement folding history pages repeated_lists same_numbers topic_matrix",
    "publish": "golden_site",
    "queries/engines": "groups",
    "queries": "thirty_questions",
    "rdf/shacl": "own_shapes validation",
    "rdf": "hints named_queries query_reach turtle",
    "reasoning/answers": "answer_cases plotted",
    "reasoning/default_rule": "reused_circles worked_example",
    "reasoning/other_rules": "settled_loops",
    "reasoning": (
        "calibration_claims formulas_of_the_page invariants linked_premises "
        "metamorphic replications shared_sources strength_cases worked_examples"
    ),
    "reasoning/sensitivity": "changed_bases filed_directly",
    "serve": "soak",
}
"""Test files, by room, that are not of one module: what they hold of a whole room."""
TRUTHS = {"bool", "Bools"}  # Bools: a truth for each of many
WORD = re.compile(r"(?<!`)`([A-Za-z_]\w*)`(?!`)")
QUOTED = re.compile(r"`((?:[^`\s(]+\()[^`]*)`")  # not `text (in brackets)`

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


def functions(*beginnings: str) -> dict[str, str]:
    """What the functions return whose names begin so, as their annotations say."""
    return {
        name: ast.unparse(node.returns) if node.returns else ""
        for name, node in definitions()
        if isinstance(node, Function) and node.name.lstrip("_").startswith(beginnings)
    }


def test_what_raises_is_called_require() -> None:
    assert functions("need_") == {}


def test_what_requires_returns_nothing() -> None:
    found = functions("require_")
    assert list(found.values()).count("None") > 5
    wrong = {name for name, returned in found.items() if returned != "None"}
    assert wrong == set()


def test_a_truth_is_true_or_false() -> None:
    found = functions("is_", "has_", "can_", "may_", "are_", "wants_")
    assert list(found.values()).count("bool") > 50
    wrong = {name for name, returned in found.items() if returned not in TRUTHS}
    assert wrong == set()


def is_bare_participle(name: str) -> bool:
    """Whether the name of a function is a participle alone, or one before a preposition."""
    first, *rest = name.strip("_").split("_")
    if name.startswith("__") or (rest and rest[0] not in PREPOSITIONS):
        return False
    return first in IRREGULAR or (
        first not in NOUNS and re.search("..(?:ed|ing)$", first) is not None
    )


def is_word_of_users(place: str, node: Function | ast.ClassDef) -> bool:
    """Whether users read the name: of a rule, or of a word of queries."""
    called = {ast.unparse(each).partition("(")[0] for each in node.decorator_list}
    return not called.isdisjoint({"rule", "parsing_rule"}) or place.startswith(
        "kg/queries/language/builders.py"
    )


def test_no_function_or_class_is_called_by_a_participle_alone() -> None:
    found = {
        name
        for name, node in definitions()
        if (
            node.name.strip("_").lower() in CLASSES
            if isinstance(node, ast.ClassDef)
            else is_bare_participle(node.name) and not is_word_of_users(name, node)
        )
    }
    assert found == set(BY_A_PARTICIPLE)


def names_of_aliases(file: Path) -> Iterator[str]:
    """The types that a module makes of others, but for the variables of its generic functions."""
    for node in tree_of(file).body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=made):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as made):
                pass
            case _:
                continue
        is_variable = isinstance(made, ast.Call) and ast.unparse(made.func) == "TypeVar"
        if re.fullmatch(r"_?[A-Z]\w*[a-z]\w*", name) and not is_variable:
            yield name


def test_a_class_has_a_name_of_its_own() -> None:
    """But for the corpus: as it is sealed, and with its questions (decision 0012).

    So has a type that only stands for another: `Ids = Set[str]`.
    """
    classes = [node.name for _, node in definitions() if isinstance(node, ast.ClassDef)]
    aliases = [name for file in SOURCES for name in names_of_aliases(file)]
    assert len(aliases) > 80
    names = Counter((*classes, *aliases))
    assert {name for name, count in names.items() if count > 1} == {"Corpus"}


def methods() -> dict[Function, str]:
    """The class of each method of the program."""
    return {
        inner: node.name
        for _, node in definitions()
        if isinstance(node, ast.ClassDef)
        for inner in node.body
        if isinstance(inner, Function)
    }


def test_with_returns_what_is_given_with_one_thing_changed() -> None:
    classes, checked, wrong = methods(), 0, []
    for name, node in definitions():
        if isinstance(node, Function) and re.match("_*with(?:out)?_", node.name):
            given = {ast.unparse(arg.annotation) for arg in node.args.args if arg.annotation}
            given |= {"Self", classes[node]} if node in classes else set()
            checked += 1
            if not node.returns or ast.unparse(node.returns) not in given:
                wrong.append(name)
    assert checked > 25
    assert wrong == []


def test_what_answers_yes_or_no_says_so() -> None:
    """By a beginning, by a verb in the third person, or by the verb of what it does first."""
    truths = ("is_", "has_", "have_", "can_", "may_", "are_", "wants_", "was_", "would_")
    exempt = {"readable": "called so by io", "retracted": "called as the field of a note"}
    wrong = {
        name
        for name, node in definitions()
        if isinstance(node, Function)
        and node.returns
        and ast.unparse(node.returns) == "bool"
        and not node.name.startswith("__")
        and node.name not in exempt
        and not (words := node.name.strip("_")).startswith(truths)
        and words.split("_")[0] not in DOES_AND_TELLS
        and not re.search(r"[^s]s(?:_|$)", words)
    }
    assert wrong == set()


def names_of_variables(function: Function) -> set[str]:
    """The parameters and variables of a function, with those of functions within it."""
    nodes = [*ast.walk(function)]
    return {node.arg for node in nodes if isinstance(node, ast.arg)} | {
        node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def test_no_variable_is_called_by_a_participle_or_preposition_alone() -> None:
    variables = {
        f"{name} {variable}"
        for name, node in definitions()
        if isinstance(node, Function)
        for variable in names_of_variables(node)
    }
    assert len(variables) > 1000
    vague = set(VAGUE.split())
    assert {each for each in variables if each.split()[-1] in vague} == set(VAGUE_BUT_KNOWN)


def fields_of_data_classes() -> Iterator[tuple[str, ast.arg | ast.AnnAssign]]:
    """The fields of data classes and named tuples, which no JSON shows, by `file: Class field`."""
    for place, node in definitions():
        if isinstance(node, ast.ClassDef):
            makers = {*map(ast.unparse, node.bases)}
            makers |= {ast.unparse(each).partition("(")[0] for each in node.decorator_list}
            for each in node.body if makers & {"NamedTuple", "dataclass"} else ():
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                    yield f"{place} {each.target.id}", each


def test_what_describes_something_returns_words() -> None:
    """Of a sentence, in a text or on a page."""
    returned_types = {
        place: ast.unparse(node.returns or node)
        for place, node in definitions()
        if isinstance(node, Function) and node.name.lstrip("_").startswith("describe_")
    }
    assert len(returned_types) > 50
    words = {"str", "Html", "Child", "None"}
    found = {place: type for place, type in returned_types.items() if {*type.split(" | ")} - words}
    assert found == {}


def test_no_field_is_called_by_a_participle_or_preposition_alone() -> None:
    """But for truths, and what notes, formats or users call so."""
    fields = dict(fields_of_data_classes())
    assert len(fields) > 500
    vague = {*VAGUE.split(), *PREPOSITIONS}
    found = {
        place
        for place, node in fields.items()
        if ast.unparse(node.annotation or node).removesuffix(" | None") not in TRUTHS
        and ((name := place.split()[-1]) in vague or is_bare_participle(name))
    }
    assert found == set(FIELDS_BY_A_PARTICIPLE)


def test_the_id_of_a_line_is_called_line_id() -> None:
    """`line` alone is the record, but for what users name so."""
    arguments: list[tuple[str, ast.arg | ast.AnnAssign]] = [
        (f"{place} {arg.arg}", arg)
        for place, node in definitions()
        if isinstance(node, Function)
        for arg in ast.walk(node.args)
        if isinstance(arg, ast.arg)
    ]
    assert any(place.endswith(" line_id") for place, _ in arguments)
    found = {
        place
        for place, node in (*arguments, *fields_of_data_classes())
        if place.endswith(" line")
        and node.annotation
        and re.search(r"\b(?:str|LineId)\b", ast.unparse(node.annotation))
    }
    assert found == set(LINES_BY_ID)


def calls_named_in(file: Path) -> Iterator[tuple[str, set[str]]]:
    """What docstrings of a file quote that calls something, and the names it calls."""
    for node in nodes_of(file):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                for quoted in QUOTED.findall(text):
                    try:
                        tree = ast.parse(quoted.replace("…", "..."), mode="eval")
                    except SyntaxError:
                        continue
                    calls = [each.func for each in ast.walk(tree) if isinstance(each, ast.Call)]
                    yield (
                        quoted,
                        {
                            func.id if isinstance(func, ast.Name) else func.attr
                            for func in calls
                            if isinstance(func, ast.Name | ast.Attribute)
                        },
                    )


def names_taken_as_arguments(file: Path) -> set[str]:
    """Names of parameters and fields in a file, which may hold what is called."""
    nodes = nodes_of(file)
    fields = [node.target for node in nodes if isinstance(node, ast.AnnAssign)]
    return {node.arg for node in nodes if isinstance(node, ast.arg)} | {
        field.id for field in fields if isinstance(field, ast.Name)
    }


def test_calls_in_docstrings_name_what_exists() -> None:
    known = {node.name for _, node in definitions()} | set(dir(builtins))
    wrong, seen = [], 0
    for file in SOURCES:
        for quoted, names in calls_named_in(file):
            seen += len(names)
            if names - known and names - known - names_taken_as_arguments(file):
                wrong.append((file.relative_to(ROOT).as_posix(), quoted))
    assert seen > 100
    assert wrong == []


@cache
def words_of_users() -> frozenset[str]:
    """What the guides and the ontology quote by itself, commands, and values of the model."""
    quotes = (
        match[1]
        for file in [*(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
        for match in re.finditer(r"`([A-Za-z_]\w*):{0,2}`", file.read_text("utf-8"))
    )
    terms = (
        match[1]
        for file in (ROOT / "ontology").glob("*.ttl")
        for match in re.finditer(r"\b(?:kg|shapes):(\w+)", file.read_text("utf-8"))
    )
    values = (
        str(member.value)
        for each in vars(kg.model).values()
        if isinstance(each, type) and issubclass(each, Enum)
        for member in each
    )
    return frozenset(quotes).union(terms, values, (name for name, *_ in COMMANDS))


def room_of(file: Path) -> str:
    """The room of a module, or the module itself if it lies in none."""
    return file.relative_to(ROOT / "kg").parts[0].removesuffix(".py")


@cache
def public_names_by_room() -> dict[str, set[str]]:
    """The modules of each room, and the functions, classes and constants that they give."""
    names: dict[str, set[str]] = {}
    for file in SOURCES:
        assigned = (
            target.id
            for node in tree_of(file).body
            if isinstance(node, ast.Assign | ast.AnnAssign)
            for each in (node.targets if isinstance(node, ast.Assign) else [node.target])
            for target in (each.elts if isinstance(each, ast.Tuple) else [each])
            if isinstance(target, ast.Name)
        )
        found = {file.stem, file.parent.name, *top_level_names(file), *assigned}
        names.setdefault(room_of(file), set()).update(n for n in found if not n.startswith("_"))
    return names


@cache
def exceptions() -> frozenset[str]:
    """What the program raises, which a docstring names wherever it passes."""
    bases = {
        node.name: {ast.unparse(base).rpartition(".")[2] for base in node.bases}
        for _, node in definitions()
        if isinstance(node, ast.ClassDef)
    }
    found = {name for name in dir(builtins) if name.endswith(("Error", "Exception"))}
    while fresh := {name for name in bases if name not in found and bases[name] & found}:
        found |= fresh
    return frozenset(found)


def names_in(*nodes: ast.AST) -> set[str]:
    """All names in some code: defined, imported, taken, used, or quoted as a word."""
    names: set[str] = set()
    for node in (inner for each in nodes for inner in ast.walk(each)):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                names.add(name)
            case ast.keyword(arg=str(name)) | ast.Constant(value=str(name)):
                names.add(name)
            case ast.alias(name=name, asname=other_name):
                names |= {*name.split("."), other_name or name}
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
    return names


@cache
def fields_by_class() -> dict[str, set[str]]:
    """The names in the body of each class, with those of the classes that it is made of."""
    classes = {node.name: node for _, node in definitions() if isinstance(node, ast.ClassDef)}

    def fields(node: ast.ClassDef) -> set[str]:
        bases = names_in(*node.bases) - {node.name}
        own_names = (
            {each.name} if isinstance(each, Function) else names_in(each) for each in node.body
        )
        return set().union(*own_names, *(fields(classes[b]) for b in bases if b in classes))

    return {name: fields(node) for name, node in classes.items()}


Definition = Function | ast.ClassDef


def words_in_docstrings(
    node: ast.AST, around: tuple[Definition, ...] = ()
) -> Iterator[tuple[str, tuple[Definition, ...]]]:
    """The bare names that docstrings in some code quote, each with what it stands within."""
    for inner in ast.iter_child_nodes(node):
        match inner:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield from words_in_docstrings(inner, (*around, inner))
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield from ((word, around) for word in WORD.findall(text))
            case ast.stmt():
                yield from words_in_docstrings(inner, around)


@cache
def names_known_within(node: Definition) -> set[str]:
    """The names in a function or class, with those of the classes that a class is made of."""
    return names_in(node) | fields_by_class().get(node.name, set())


def test_names_in_docstrings_are_known_where_they_stand() -> None:
    """A parameter that was renamed is renamed in the docstring, too.

    A name is known in the function, its class, its module, and by a class that the module imports;
    in a room, what its modules give; everywhere, rooms, exceptions and words of users.
    """
    trees = {file: tree_of(file) for file in SOURCES}
    rooms = public_names_by_room()
    known = {"kg", *rooms, *dir(builtins)} | exceptions() | words_of_users()
    wrong: dict[str, set[str]] = {}
    seen = 0
    for file, tree in trees.items():
        statements = [each for each in tree.body if not isinstance(each, Function | ast.ClassDef)]
        scope = names_in(*statements) | {
            each.name for each in tree.body if isinstance(each, Function | ast.ClassDef)
        }
        scope |= {field for name in scope for field in fields_by_class().get(name, ())}
        for word, around in words_in_docstrings(tree):
            seen += 1
            if word in known | scope | rooms[room_of(file)]:
                continue
            if not any(word in names_known_within(each) for each in around):
                wrong.setdefault(file.relative_to(ROOT).as_posix(), set()).add(word)
    assert seen > 1000
    assert wrong == {}, "put a word that is no name of the code between “ and ”"


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
    assert subjects == {room: set(names.split()) for room, names in SUBJECTS.items()}


def test_no_test_file_takes_a_helper_from_another() -> None:
    """What several need stands beside them, or in `tests/support`; a test may be run again."""
    shared = [
        f"{file.relative_to(ROOT)}: {each.name} of {node.module}"
        for file in sorted((ROOT / "tests").rglob("*.py"))
        for node in nodes_of(file)
        if isinstance(node, ast.ImportFrom) and ".test_" in (node.module or "")
        for each in node.names
        if not each.name.startswith("test_") and "browser" not in file.parts
    ]
    assert shared == []


@cache
def imported_names(file: Path) -> frozenset[str]:
    """The modules and names that a file imports, also by their path, as `monkeypatch` takes it."""
    names: set[str] = set()
    for node in nodes_of(file):
        match node:
            case ast.Import():
                names |= {each.name for each in node.names}
            case ast.ImportFrom(module=str(module)):
                names |= {module, *(f"{module}.{each.name}" for each in node.names)}
            case ast.Constant(value=str(text)) if re.fullmatch(r"kg(?:\.\w+)+", text):
                names.add(text)
    return frozenset(names)


def names_reached_by(file: Path) -> set[str]:
    """The names of the program that a test file imports, or a helper of the tests for it."""
    names: set[str] = set()
    waiting, visited = [file], {file}
    while waiting:
        for name in imported_names(waiting.pop()):
            helper = ROOT / f"{name.replace('.', '/')}.py"
            if name.startswith("kg."):
                names.add(name)
            elif name.startswith("tests.") and helper.is_file() and helper not in visited:
                visited.add(helper)
                waiting.append(helper)
    return names


def names_in_tables(module: str) -> set[str]:
    """By what names users and tables call what a module defines: rules, formats, commands."""
    values = vars(importlib.import_module(module)).values()
    return {
        *(each.name for each in values if isinstance(each, Rule)),
        *(each.name for each in IMPORTERS if each.read.__module__ == module),
        *(each.name for each in FORMATS if getattr(each.write, "__module__", "") == module),
        *(name for name, command_module, _ in COMMANDS if f"kg.cli.{command_module}" == module),
    }


def quotes_any(file: Path, names: set[str]) -> bool:
    """Whether a string of a file holds one of some words."""
    strings = (
        node.value
        for node in nodes_of(file)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return any(not names.isdisjoint(re.findall(r"[\w-]+", text)) for text in strings)


@cache
def top_level_names(file: Path) -> frozenset[str]:
    """The functions and classes of a module."""
    nodes = tree_of(file).body
    return frozenset(node.name for node in nodes if isinstance(node, Function | ast.ClassDef))


def is_defined_in(name: str, module_file: Path) -> bool:
    """Whether a name is the module, is in it, or is one that a package gives on from it."""
    module = ".".join(module_file.relative_to(ROOT).with_suffix("").parts)
    package, _, last = name.rpartition(".")
    if name == module or package == module:
        return True
    return last in top_level_names(module_file) and (ROOT / package.replace(".", "/")).is_dir()


def test_a_test_file_named_after_a_module_imports_it() -> None:
    """Or it quotes by what name a table calls what the module defines: a rule, a command."""
    checked, wrong = 0, []
    for file, place in places_by_test_file().items():
        module_file = place.with_suffix(".py")
        if module_file.is_file():
            checked += 1
            is_reached = any(is_defined_in(name, module_file) for name in names_reached_by(file))
            module = ".".join(place.relative_to(ROOT).parts)
            if not is_reached and not quotes_any(file, names_in_tables(module)):
                wrong.append(file.relative_to(ROOT).as_posix())
    assert checked > 150
    assert wrong == []


MANY_DECISIONS, DECISIONS_WITH_OWN_FILE = 20, 34


def decisions_in(file: Path) -> int:
    """How many conditions and comparisons a module has."""
    kinds = (ast.If, ast.IfExp, ast.While, ast.BoolOp, ast.Compare)
    return sum(isinstance(node, kinds) for node in nodes_of(file))


def test_a_module_that_decides_much_has_a_test_file_that_says_so() -> None:
    """By its name, or in its docstring: “Of `kg/loader.py`.”"""
    tested = files_by_module()
    deciding = {
        file.relative_to(ROOT).as_posix()
        for file in SOURCES
        if decisions_in(file) >= MANY_DECISIONS
    }
    assert len(deciding) > 200
    assert deciding - tested.keys() == set()


def test_a_module_that_decides_most_has_a_test_file_of_its_name() -> None:
    """Where anyone would look first for what it promises."""
    deciding = {file for file in SOURCES if decisions_in(file) >= DECISIONS_WITH_OWN_FILE}
    assert len(deciding) > 100
    places = {file: file.relative_to(ROOT / "kg") for file in deciding}
    assert {
        place.as_posix()
        for place in places.values()
        if not (ROOT / "tests" / place.with_name(f"test_{place.name}")).is_file()
    } == set()


def test_what_a_test_file_says_it_tests_is_there() -> None:
    assert [module for module in files_by_module() if not (ROOT / module).is_file()] == []
