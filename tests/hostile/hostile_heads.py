"""Front matter that was made to do harm."""

from __future__ import annotations

from tests.hostile.hostile_case import Case, claim

DEEP = 20_000


def _head(name: str, head: str, message: str = "") -> Case:
    return Case(f"head: {name}", {"notes/bad.md": claim(f"{head}\n")}, message)


def _file(name: str, data: bytes, message: str = "") -> Case:
    return Case(f"head: {name}", {"notes/bad.md": data}, message)


_BOMB = "a: &a [x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(24)
)
_WHOLE = claim().encode()

CASES = (
    _head("an anchor and an alias", "topics: &a [x]\nabout: *a", "anchors"),
    _head("aliases that double 24 times", _BOMB.rstrip(), "bad.md"),
    _head("an anchor that holds itself", "topics: &a [*a]", "bad.md"),
    _head("a merge key", "base: &b {status: draft}\n<<: *b", "bad.md"),
    _head("a merge key without an anchor", "<<: {status: draft}", "unknown-key"),
    _head(
        "a tag that makes an object", "topics: !!python/object/apply:os.system ['echo x']", "tag"
    ),
    _head("a tag that reads a file", "title: !include ../../outside/secret.md", "tag"),
    _head("a tag for bytes", "title: !!binary aGVsbG8=", "tag"),
    _head("a tag of its own", "%TAG ! tag:evil,2000:\ntopics: !x y", "bad.md"),
    _head("the same key twice", "camp: optimist\ncamp: skeptic", "bad.md"),
    _head("a number of 100,000 digits", "quality: " + "9" * 100_000, "bad.md"),
    _head("a number too large for any float", "quality: 1e999", "quality"),
    _head("a number that is none", "quality: .nan", "quality"),
    _head("a number without bounds", "quality: -.inf", "quality"),
    _head("a sample of 400 digits", "sample: " + "9" * 400 + " people", "sample"),
    _head("an effect too large for any float", "effect: d=1e999 [1e400, 1e401]", "effect"),
    _head("a p of nothing", "p: <0", "bad.md"),
    _head("a number in base 60", "quality: 1:1:1:1", "quality"),
    _head("a number in hexadecimal", "quality: 0x7fffffffffffffffffff", "quality"),
    _head("a date of year 0", "updated: 0000-00-00", "updated"),
    _head("a date of year 10,000", "updated: 10000-01-01", "updated"),
    _head("a date before all others", "updated: 0001-01-01"),
    _head("a date after all others", "updated: 9999-12-31", "bad.md"),
    _head("a date with U+FFFF behind it", "updated: 2024-01-01\uffff", "updated"),
    _head("a time in the place of a date", "updated: 2024-01-01T00:00:00+99:99", "updated"),
    _head("digits of other scripts as a date", "updated: ٢٠٢٤-٠١-٠١", "updated"),
    _head("a list 20,000 deep", "topics: " + "[" * DEEP + "]" * DEEP, "bad.md"),
    _head("a mapping 20,000 deep", "topics: " + "{a: " * DEEP + "}" * DEEP, "bad.md"),
    _head("sequences nested by dashes", "topics: " + "- " * DEEP + "x", "bad.md"),
    _head("question marks without end", "? " * DEEP, "bad.md"),
    _head("a list that is never closed", "topics: [" + "x," * 4000, "bad.md"),
    _head("a quote that is never closed", 'title: "' + "x" * 100_000, "bad.md"),
    _head("tabs for indentation", "topics:\n\t- a\n\t- b", "bad.md"),
    _head("400 topics", "topics: [" + ", ".join(f"t{n}" for n in range(400)) + "]"),
    _head("2,000 keys that nobody knows", "\n".join(f"k{n}: x" for n in range(2000)), "k0"),
    _head("a key of 100,000 characters", "k" * 100_000 + ": x", "bad.md"),
    _head("keys that are no words", "1: a\ntrue: b\n~: c\n[x]: d", "bad.md"),
    _head("keys of Python's own", "__class__: x\n__proto__: y\nconstructor: z", "unknown-key"),
    _head(
        "values of the wrong kinds", "topics: {a: b}\nstatus: [draft]\ncamp: 1\nid: true", "bad.md"
    ),
    _head("a mapping for a title", "title: {a: b}", "title"),
    _head("a folded text of 100,000 lines", "title: >\n" + "  x\n" * 100_000, ""),
    _head("an end of document within", "x: y\n...\ncamp: optimist", "bad.md"),
    _head("two documents", "x: y\n--- # more\ncamp: optimist", "bad.md"),
    _head("a directive", "%YAML 9.9", "bad.md"),
    _head("escapes for control characters", 'title: "a\\x1b[31m\\0\\u202E\\uFFFF"', "bad.md"),
    _head("half of a surrogate pair as an escape", 'title: "\\ud800"', "bad.md"),
    _head("U+FFFF in a title", "title: a\uffff and \ufffe b"),
    _head("an alias that is the id of another", "aliases: [naps]", "naps"),
    _head("an alias of its own id", "aliases: [bad]"),
    _head("1,000 aliases", "aliases: [" + ", ".join(f"a{n}" for n in range(1000)) + "]"),
    _head("an id that is a path", "id: ../../outside/secret", "id"),
    _head("an id of percent codes", "id: '%2e%2e%2fsecret'", "bad.md"),
    _head("an id that a script has", "id: __proto__"),
    _head("an id that a list has", "id: constructor"),
    _head("an id that a page has", "id: index"),
    _head("an id that Windows has", "id: con"),
    _head("an id with a slash", "id: a/b", "bad.md"),
    _head("an id with a line break", 'id: "a\\nb"', "bad.md"),
    _head("an id with markup", "id: '<img src=x onerror=alert(1)>'", "bad.md"),
    _head("an id that looks like another", "id: nаps"),
    _head("an id of 4,000 characters", "id: " + "x" * 4000, "bad.md"),
    _head("an id that is empty", "id: ''", "bad.md"),
    _head("a snapshot above the vault", "snapshot: ../../outside/secret.txt", "snapshot"),
    _file("a byte order mark", b"\xef\xbb\xbf" + _WHOLE),
    _file("two byte order marks", b"\xef\xbb\xbf\xef\xbb\xbf" + _WHOLE, "bad.md"),
    _file("UTF-16", claim().encode("utf-16"), "UTF-16"),
    _file("UTF-16 without a mark", claim().encode("utf-16-le"), "NUL"),
    _file("UTF-32", claim().encode("utf-32"), "bad.md"),
    _file("NUL", _WHOLE + b"\0", "NUL"),
    _file("carriage returns alone", _WHOLE.replace(b"\n", b"\r")),
    _file("an overlong slash", _WHOLE + b"\xc0\xaf", "not UTF-8"),
    _file("a surrogate in UTF-8", _WHOLE + b"\xed\xa0\x80", "not UTF-8"),
    _file("a character beyond Unicode", _WHOLE + b"\xf4\x90\x80\x80", "not UTF-8"),
    _file("front matter without an end", b"---\ntype: claim\n" + b"x\n" * 50_000, "bad.md"),
    _file("nothing but dashes", b"---\n" * 20_000, "bad.md"),
    _file("an empty file", b"", "bad.md"),
    _file("one line of 1 MB", b"x" * 1_000_000, "bad.md"),
    _file(
        "a merge conflict in the front matter",
        b"---\n<<<<<<< a\ntype: claim\n=======\ntype: line\n>>>>>>> b\n---\n\n# A\n",
        "conflict",
    ),
)
