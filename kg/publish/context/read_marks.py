"""What a page depends on that reads a member of a class, as its type or the mark beside it says.

A mapping is read by key, and a method that takes one `str` by what it is given. Any other counts as
the whole corpus, unless it is marked as one that `follows_inputs` or is `compared_whole`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from inspect import isfunction, unwrap
from typing import Any, NamedTuple, TypeVar, get_origin, get_type_hints

Function = TypeVar("Function", bound=Callable[..., Any])


def follows_inputs(function: Function) -> Function:
    """Mark what depends, in all that pages show of it, on the input of the weights alone."""
    function.__dict__["read_mark"] = follows_inputs
    return function


def compared_whole(function: Function) -> Function:
    """Mark what follows the inputs, and is itself compared, as it seldom changes with them."""
    function.__dict__["read_mark"] = compared_whole
    return function


class MembersByReads(NamedTuple):
    """The public members of a class, by how pages read them."""

    mappings: list[str]
    by_id: list[str]
    follow_inputs: set[str]
    compared_whole: set[str]


def members_of(kind: type) -> MembersByReads:
    """The members that `kind` defines, and its fields that are mappings."""
    # types themselves rather than their texts: an id is a `str` under each of its names
    types = {name: type for name, type in get_type_hints(kind).items() if name[0] != "_"}
    members = dict(_public_functions(kind))
    for name, function in members.items():
        if isinstance(vars(kind)[name], cached_property):
            types[name] = get_type_hints(function)["return"]
    marks = {name: vars(function).get("read_mark") for name, function in members.items()}
    return MembersByReads(
        mappings=[name for name, type in types.items() if get_origin(type) is Mapping],
        by_id=[
            name
            for name, function in members.items()
            if [type for each, type in get_type_hints(function).items() if each != "return"]
            == [str]
        ],
        follow_inputs={name for name, mark in marks.items() if mark is follows_inputs},
        compared_whole={name for name, mark in marks.items() if mark is compared_whole},
    )


def _public_functions(kind: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The methods and properties of a class, without what memoizes them."""
    for name, member in vars(kind).items():
        if isinstance(member, cached_property):
            member = member.func
        elif isinstance(member, property):
            member = member.fget
        if name[0] != "_" and isfunction(unwrap(member)):
            yield name, unwrap(member)
