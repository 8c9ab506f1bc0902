"""The help of each rule as a file, to which the name of a rule beside a problem leads."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from kg.checks import RULES
from kg.files.state import shared_state_folder
from kg.files.tree import open_tree


def rule_pages() -> Callable[[str], str]:
    """Write the help of all rules into the user's cache, and give the address of each page; it is
    empty where nothing can be kept.
    """
    folder = shared_state_folder("rules")
    if folder is None:
        return lambda rule: ""
    with suppress(OSError), open_tree(folder) as tree:
        for rule in RULES:
            page = f"# {rule.name}\n\n{rule.severity.value}\n\n{rule.reason}\n".encode()
            name = f"{rule.name}.md"
            if tree.look(name) is not None:
                if tree.read(name) == page:
                    continue
                tree.remove(name)
            tree.create(name, page)
    return lambda rule: (folder / f"{rule}.md").as_uri()
