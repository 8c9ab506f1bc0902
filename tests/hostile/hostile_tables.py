"""Judgements, bibliographies, snapshots and pictures that were made to do harm."""

from __future__ import annotations

from tests.hostile.hostile_case import SOURCE, Case

JUDGEMENTS = "notes/judgements/a.csv"
HEAD = "edge,annotator,label\n"
BIB, CSL = "notes/books.bib", "notes/references.json"
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xff\xff\xff\xff\xff\xff\xff\x08\x06\0\0\0\0\0\0\0"


def _table(name: str, text: str | bytes, message: str = "") -> Case:
    return Case(f"judgements: {name}", {JUDGEMENTS: text}, message)


def _bib(name: str, text: str | bytes, message: str = "") -> Case:
    return Case(f"bibliography: {name}", {BIB: text}, message)


def _csl(name: str, text: str | bytes, message: str = "") -> Case:
    return Case(f"CSL: {name}", {CSL: text}, message)


def _snapshot(name: str, path: str, message: str, **files: bytes) -> Case:
    source = SOURCE.replace("type: source", f"type: source\nsnapshot: {path}")
    quoted = "\n> what nobody said\n> [@doe]\n"
    notes = {"notes/doe.md": source, "notes/bad.md": f"---\ntype: claim\n---\n\n# A\n{quoted}"}
    return Case(f"snapshot: {name}", {**notes, **files}, message)


def _picture(name: str, file: str, data: bytes, message: str = "") -> Case:
    body = f"---\ntype: claim\n---\n\n# A\n\n![a]({file})\n"
    return Case(f"picture: {name}", {f"notes/{file}": data, "notes/bad.md": body}, message)


CASES = (
    _table("a quote that is never closed, over 128 KiB", f'{HEAD}"{"x" * 200_000}', "a.csv"),
    _table(
        "a quote that is never closed, over 128 KiB of rows",
        f'{HEAD}"' + "a,b,c\n" * 40_000,
        "a.csv",
    ),
    _table("a cell of 200,000 characters", f'{HEAD}"{"x" * 200_000}",a,supports\n', "a.csv"),
    _table("2,000 columns", ",".join(f"x{n}" for n in range(2000)) + "\n", "a.csv"),
    _table("1,000 rows about nothing", HEAD + "gone,a,supports\n" * 1000, "a.csv"),
    _table("NUL", f"{HEAD}a\0,b,c\n", "a.csv"),
    _table("UTF-16", HEAD.encode("utf-16"), "a.csv"),
    _table("bytes that are no text", HEAD.encode() + b"\xff,\xfe,x\n", "a.csv"),
    _table("formulas", f"{HEAD}=1+1,@a,+x\n", "a.csv"),
    _table(
        "the same column again and again", "edge,edge,label,label,annotator\na,b,c,d,e\n", "a.csv"
    ),
    _table("nothing", b"", "a.csv"),
    _table("carriage returns alone", f"{HEAD}a,b,c\n".replace("\n", "\r"), "a.csv"),
    _bib("a string that holds itself", "@string{a = a # a}\n@article{x, title = a # a}\n"),
    _bib(
        "strings that double 30 times",
        "@string{s0 = {xx}}\n"
        + "".join(f"@string{{s{n + 1} = s{n} # s{n}}}\n" for n in range(30))
        + "@article{x, title = s30}\n",
        "expand to more",
    ),
    _bib(
        "crossref in a circle",
        "@article{a, crossref = {b}}\n@article{b, crossref = {a}}\n@book{c, crossref = {c}}\n",
        "",
    ),
    _bib(
        "2,000 works, each in the next",
        "".join(f"@inbook{{k{n}, title={{t}}, crossref = {{k{n + 1}}}}}\n" for n in range(1000)),
        "",
    ),
    _bib("braces 5,000 deep", "@article{a, title = {" + "{" * 5000 + "}" * 5000 + "}}\n", ""),
    _bib("braces that are never closed", "@article{a, title = {" + "{x" * 5000, "books.bib"),
    _bib(
        "names of 2,000 people",
        "@article{a, title={T}, author = {"
        + " and ".join(f"A{n}, B" for n in range(2000))
        + "}}\n",
        "",
    ),
    _bib(
        "an author of 10,000 particles",
        "@article{a, title={T}, author = {" + "von " * 10_000 + "X}}\n",
        "",
    ),
    _bib("the same key 500 times", "@article{a, title={T}}\n" * 300, "books.bib"),
    _bib(
        "keys of markup",
        "@article{<img/onerror=x>, title={T}}\n@article{../../x, title={T}}\n@article{__proto__, title={T}}\n@article{con, title={T}}\n",
        "",
    ),
    _bib(
        "links to scripts",
        "@article{a, title={\\href{javascript:alert(1)}{x}}, url={javascript:alert(1)}, doi={javascript:alert(1)}, year={2020}}\n",
        "",
    ),
    _bib(
        "TeX that reads and runs",
        "@article{a, title={\\input{../../outside/secret.txt} \\write18{touch x} \\immediate \\openin}}\n",
        "",
    ),
    _bib("a year of 400 digits", f"@article{{a, title={{T}}, year={{{'9' * 400}}}}}\n", ""),
    _bib(
        "a file and a note of one's own",
        "@article{a, title={T}, file={/home/me/x.pdf}, note={private}}\n",
        "",
    ),
    _bib("NUL and control characters", "@article{a, title={a\x00b\x1b[2J\x9bc}}\n", ""),
    _bib("bytes that are no text", b"@article{a, title={\xff\xfe}}\n", ""),
    _csl("lists 20,000 deep", "[" * 20_000, "references.json"),
    _csl(
        "a number of 5,000 digits",
        '[{"id": "a", "title": "T", "issued": {"date-parts": [[' + "9" * 5000 + "]]}}]",
        "",
    ),
    _csl(
        "values of every wrong kind",
        '[{"id": {}, "title": []}, {"id": 1, "title": 2, "author": "x", "issued": []}, 3, null, [], {"id": "b", "author": [1, {"family": []}], "DOI": {}, "URL": 7}]',
        "",
    ),
    _csl(
        "infinities",
        '[{"id": "a", "title": "T", "volume": 1e999, "issued": {"date-parts": [[1e400, -1]]}}]',
        "",
    ),
    _csl(
        "keys of Python's and JavaScript's own",
        '[{"__class__": "x", "__proto__": {"x": 1}, "constructor": 1, "id": "constructor", "title": "T"}]',
        "",
    ),
    _csl("half of a surrogate pair", '[{"id": "a", "title": "\\ud800"}]', ""),
    _csl(
        "the same key twice in one entry",
        '[{"id": "a", "id": "b", "title": "T", "title": "U"}]',
        "",
    ),
    _csl("no list", '{"a": 1}', ""),
    _csl("a byte order mark", b"\xef\xbb\xbf[]", ""),
    _snapshot("a path above the vault", "../../outside/secret.txt", "snapshot"),
    _snapshot("a path from the root", "/etc/passwd", "snapshot"),
    _snapshot("a device", "/dev/zero", "snapshot"),
    _snapshot("a path of percent codes", "'%2e%2e/%2e%2e/outside/secret.txt'", "snapshot"),
    _snapshot("a path with NUL", '"a\\0b"', "snapshot"),
    _snapshot("bytes that are no text", "x.txt", "", **{"notes/x.txt": b"\xff\xfe\0\x81" * 1000}),
    _snapshot("one line of 4 MB", "x.txt", "", **{"notes/x.txt": b"what nobody " * 350_000}),
    _picture("a picture of 2^64 pixels", "a.png", PNG),
    _picture("a page that is called a picture", "a.png", b"<script>alert(1)</script>"),
    _picture(
        "a drawing with a script",
        "a.svg",
        b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    ),
    _picture(
        "a drawing that unfolds",
        "a.svg",
        b'<!DOCTYPE s [<!ENTITY a "xx"><!ENTITY b "&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg">&b;</svg>',
    ),
    _picture(
        "a drawing that reads a file",
        "a.svg",
        b'<!DOCTYPE s [<!ENTITY a SYSTEM "../../outside/secret.txt">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>',
    ),
    _picture(
        "a drawing of elements 20,000 deep",
        "a.svg",
        b'<svg xmlns="http://www.w3.org/2000/svg">'
        + b"<g>" * 20_000
        + b"</g>" * 20_000
        + b"</svg>",
    ),
    _picture("an empty picture", "a.jpg", b""),
)
