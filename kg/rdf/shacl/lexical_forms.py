"""Which texts are values of the datatypes of XML Schema."""

from __future__ import annotations

import base64
import binascii
import re
from calendar import monthrange

from kg.rdf.shacl.node_text import XSD

_RANGES = {
    "integer": (None, None),
    "long": (-(2**63), 2**63 - 1),
    "int": (-(2**31), 2**31 - 1),
    "short": (-(2**15), 2**15 - 1),
    "byte": (-(2**7), 2**7 - 1),
    "unsignedLong": (0, 2**64 - 1),
    "unsignedInt": (0, 2**32 - 1),
    "unsignedShort": (0, 2**16 - 1),
    "unsignedByte": (0, 2**8 - 1),
    "nonNegativeInteger": (0, None),
    "positiveInteger": (1, None),
    "nonPositiveInteger": (None, 0),
    "negativeInteger": (None, -1),
}
_ZONE = r"(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d|[+-]14:00)"
_YEAR = r"-?(?:[1-9]\d{3,}|0\d{3})"
_MONTH = r"(?:0[1-9]|1[0-2])"
_DAY = r"(?:0[1-9]|[12]\d|3[01])"
_TIME = r"(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?|24:00:00(?:\.0+)?)"
_CLOCK = r"T(?=.)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?"
_FLOAT = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|[+-]?INF|NaN"
_FORMS = {
    "boolean": r"true|false|0|1",
    "decimal": r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)",
    "double": _FLOAT,
    "float": _FLOAT,
    "date": f"{_YEAR}-{_MONTH}-{_DAY}{_ZONE}?",
    "dateTime": f"{_YEAR}-{_MONTH}-{_DAY}T{_TIME}{_ZONE}?",
    "dateTimeStamp": f"{_YEAR}-{_MONTH}-{_DAY}T{_TIME}{_ZONE}",
    "time": f"{_TIME}{_ZONE}?",
    "gYear": f"{_YEAR}{_ZONE}?",
    "gYearMonth": f"{_YEAR}-{_MONTH}{_ZONE}?",
    "gMonth": f"--{_MONTH}{_ZONE}?",
    "gMonthDay": f"--{_MONTH}-{_DAY}{_ZONE}?",
    "gDay": f"---{_DAY}{_ZONE}?",
    "duration": rf"-?P(?=.)(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:{_CLOCK})?",
    "dayTimeDuration": rf"-?P(?=.)(?:\d+D)?(?:{_CLOCK})?",
    "yearMonthDuration": r"-?P(?=.)(?:\d+Y)?(?:\d+M)?",
    "hexBinary": r"(?:[0-9a-fA-F]{2})*",
    "language": r"[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*",
    "normalizedString": r"[^\t\n\r]*",
    "token": r"(?:[^\t\n\r ]+(?: [^\t\n\r ]+)*)?",
}
_INTEGER = re.compile(r"[+-]?\d+", re.A)
_COMPILED = {name: re.compile(form, re.A) for name, form in _FORMS.items()}
_DATED = re.compile(rf"({_YEAR})-({_MONTH})-({_DAY})", re.A)


def is_well_formed(lexical: str, datatype: str) -> bool:
    """Whether a text is one of a datatype's; those that nobody here knows take any."""
    name = datatype.removeprefix(XSD) if datatype.startswith(XSD) else ""
    if name in _RANGES:
        return _is_integer(lexical, *_RANGES[name])
    if name == "base64Binary":
        return _is_base64(lexical)
    form = _COMPILED.get(name)
    if form is None:
        return True
    return bool(form.fullmatch(lexical)) and _is_of_calendar(lexical, name)


def _is_integer(lexical: str, least: int | None, most: int | None) -> bool:
    if not _INTEGER.fullmatch(lexical):
        return False
    digits = lexical.lstrip("+-").lstrip("0")
    if len(digits) > 20:  # longer than any bound: nothing to work out
        return most is None if lexical[0] != "-" else least is None
    value = int(lexical)
    return (least is None or value >= least) and (most is None or value <= most)


def _is_base64(lexical: str) -> bool:
    try:
        base64.b64decode("".join(lexical.split()), validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


def _is_of_calendar(lexical: str, name: str) -> bool:
    if name not in {"date", "dateTime", "dateTimeStamp"}:
        return True
    found = _DATED.match(lexical)
    assert found
    year, month, day = (int(part) for part in found.groups())
    return day <= monthrange(2000 + year % 400, month)[1]
