"""Settings that were made to do harm."""

from __future__ import annotations

from tests.hostile.hostile_case import Case

CAMP = '[[camps]]\nid = "{0}"\nlabel = "{0}"\n'


def _refused_settings(name: str, text: str | bytes, refused: str) -> Case:
    return Case(f"settings: {name}", {"kg.toml": text}, refused=refused)


def _read(name: str, text: str, message: str = "") -> Case:
    return Case(f"settings: {name}", {"kg.toml": text}, message)


CASES = (
    _read("no camps", "camps = []\n", "camp"),
    _refused_settings("a camp for all camps", "camps = 1\n", "camps"),
    _refused_settings("a camp without a name", "[[camps]]\nlabel = 'x'\n", "id"),
    _refused_settings("a camp called as a script calls itself", CAMP.format("__proto__"), "id"),
    _refused_settings("a camp called as a relation", CAMP.format("supports"), "meaning of its own"),
    _refused_settings(
        "a camp's colour as a style",
        '[[camps]]\nid = "a"\nlabel = "a"\ncolour = "red;background:url(//x)"\n',
        "colour",
    ),
    _refused_settings("a gain without bounds", "[reasoning]\ngain = inf\n", "gain"),
    _refused_settings("a gain that is no number", "[reasoning]\ngain = nan\n", "gain"),
    _refused_settings("a gain of 400 digits", f"[reasoning]\ngain = {'9' * 400}\n", "gain"),
    _refused_settings(
        "a number of 5,000 digits", f"[reasoning]\nbudget = {'9' * 5000}\n", "digits"
    ),
    _refused_settings(
        "a budget without end", "[reasoning]\nbudget = 9223372036854775807\n", "budget"
    ),
    _refused_settings("a top of nothing", "[quality]\ntop = 0\n", "top"),
    _refused_settings("a ladder of infinities", "[quality]\nbase = inf\n", "quality"),
    _refused_settings(
        "an address of the graph that is none", 'base_iri = "javascript:alert(1)"\n', "base_iri"
    ),
    _refused_settings(
        "an address of the graph with a line break",
        'base_iri = "https://a.b/\\n> <x>"\n',
        "base_iri",
    ),
    _refused_settings(
        "an address of the graph with a bracket", 'base_iri = "https://a.b/>"\n', "base_iri"
    ),
    _refused_settings(
        "an address of the site that is a script", '[site]\nurl = "javascript:alert(1)"\n', "url"
    ),
    _refused_settings(
        "an address of the site with a quote", "[site]\nurl = 'https://a.b/\"><script>'\n", "url"
    ),
    _refused_settings(
        "a repository that is a script", '[site]\nrepository = "data:text/html,x"\n', "repository"
    ),
    _refused_settings("a list 1,000 deep", "a = " + "[" * 1000 + "]" * 1000, "nested"),
    _refused_settings("a table 1,000 deep", "a = " + "{a=" * 1000 + "1" + "}" * 1000, "nested"),
    _refused_settings("a key of 1,000 parts", "a" + ".a" * 1000 + " = 1", "nested"),
    _refused_settings("a list 300 deep", "a = " + "[" * 300 + "]" * 300, "no such key"),
    _refused_settings("a million spaces", " " * 1_000_000, "64 KiB"),
    _refused_settings("NUL", "name = 'a\0b'\n", "not valid TOML"),
    _refused_settings("bytes that are no text", b"name = '\xff'\n", "not valid TOML"),
    _refused_settings("UTF-16", "name = 'x'\n".encode("utf-16"), "not valid TOML"),
    _refused_settings("the same key twice", "name = 'a'\nname = 'b'\n", "not valid TOML"),
    _refused_settings(
        "values of every wrong kind",
        "name = 1\nbibliographies = 'x'\nignore = 1\nsite = []\nquality = 1\nreasoning = 'x'\nmap = []\n",
        "name",
    ),
    _refused_settings("a date for a name", "name = 2024-01-01\n", "name"),
    _refused_settings(
        "keys that nobody knows", "".join(f"k{n} = 1\n" for n in range(3000)), "no such key"
    ),
    _refused_settings("a key of control characters", '"\\u001b[2J" = 1\n', "no such key"),
    _refused_settings("a pattern of 10,000 stars", "ignore = ['" + "*" * 10_000 + "']\n", "ignore"),
    _refused_settings(
        "hosts that are none",
        "image_hosts = ['*', 'evil.example/x', \"a.b' 'unsafe-inline\"]\n",
        "image_hosts",
    ),
    _refused_settings("an identifier with a space", '[dataset]\ndoi = "10.1/a b"\n', "doi"),
    _refused_settings("a builder of its own", '[site]\nbuilder = "sh"\n', "builder"),
    _refused_settings(
        "a merge conflict", "<<<<<<< a\nname = 'a'\n=======\nname = 'b'\n>>>>>>> b\n", "conflict"
    ),
    _read(
        "patterns of many stars",
        "ignore = [" + ", ".join(f"'{'**/*a*b*' * 20}c{n}'" for n in range(200)) + "]\n",
    ),
    _read(
        "bibliographies above the vault",
        "bibliographies = ['../outside/secret.bib', '/etc/passwd', '/dev/zero']\n",
        "secret.bib",
    ),
    _read(
        "texts of markup",
        "name = '<script>alert(1)</script>'\n[site]\nname = '</title><script>alert(1)</script>'\ndescription = '\"><img src=x onerror=alert(1)>'\nauthors = ['<b>x', '=1+1']\n",
    ),
    _read(
        "texts of control characters",
        '[site]\nname = "a\\u001b[2J\\uffff\\u202e\\u0000b"\ndescription = "a\\u0085\\u2028b"\n',
    ),
    _read(
        "texts of 10,000 characters",
        f"[site]\nname = '{'x' * 10_000}'\ndescription = '{'y ' * 10_000}'\n",
    ),
    _read(
        "an address that is not ASCII",
        'base_iri = "https://ex.org/ä/"\n[site]\nurl = "https://ex.org/ä/"\n',
    ),
    _read("300 camps", "".join(CAMP.format(f"c{n}") for n in range(300)), "camp"),
    _read(
        "a map of everything to everything",
        "[map]\nlinks = true\n[map.keys]\nkind = 'type'\n[map.types]\n'' = 'claim'\n",
        "",
    ),
)
