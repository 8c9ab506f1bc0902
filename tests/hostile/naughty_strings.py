"""Strings that something may take for more than text, and a vault with each in every field."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

_CONTROLS = (
    *("\x00", "\x01", "\x07", "\x08", "\x0b", "\x0c", "\x1b[31m", "\x1b]0;t\x07", "\x1bc", "\x7f"),
    *("\x80", "\x85", "\x90", "\x9b5m", "\x9d0;t\x9c", "a\tb", "a\r\nb", "a\nb", "a\rb", "\n\n# b"),
    *("\u00ad", "\u061c", "\u200b", "\u200e", "\u202e", "\u2066", "\u2069", "\u2028", "\u2029"),
    *("\ufeff", "\ufffe", "\uffff", "\U0001fffe", "\U000e0041", "\ue000", "\u3164", "\ufff9"),
)
_WEB = (
    *("<script>alert(1)</script>", "</script><script>alert(1)</script>", "]]>", "-->", "<!--"),
    *("<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "</title></textarea></style>"),
    *("javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", "&#106;avascript:a"),
    *("data:text/html,<b>", "vbscript:x", "//evil.example", "&lt;b&gt; &amp;", "&x;", "<?xml ?>"),
    *("<!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/x'>]>", "<![CDATA[", "%00", "%0d%0aX: y", "%2e"),
)
_PROGRAMS = (
    *("=1+1", "+1+1", "-1+1", "@SUM(1)", "\t=1+1", "=cmd|' /c x'!A1", '"', "'", '"""', "'''", "`"),
    *("`x`", "\\", "\\\\", "\\n", "\\u0000", "\\ud800", "\ud800", '","', ";", "|", "a | b", "\\|"),
    *('" . <x> <y> <z> . "', "> <x", "} ; DROP ALL ; {", "?x ; # y", "^^<x>", "@en", "_:b"),
    *("../../etc/x", "..\\x", "/etc/x", "CON", "C:\\x", "~/x", "file:///etc/x", "$HOME", "${HOME}"),
    *("$(id)", "%s%n", "%(x)s", "{}", "{0.__class__}", "{{ 7*7 }}", "{% x %}", "{{}}", "<%= x %>"),
    *("\\input{/etc/x}", "\\write18{id}", "$x^2$", "$$", "#$%&_{}~^", "!!python/object:x", "&a *a"),
    *(
        "- [ ] x",
        "---",
        "...",
        "# x",
        "> x",
        "[[a|b]]",
        "![[a]]",
        "[x](javascript:a)",
        "^x",
        "a::b",
    ),
    *("[@x]", "%%", "%% x %%", "(reason:: x)", "null", "true", "NaN", "1e999", "0x1", "", " ", "."),
)
_LETTERS = (
    *("مرحبا بالعالم", "עברית abc", "Z̵̡͇̀a̸͙͝l̷̫̆g̵̝̓o̴̙͝", "👩‍👩‍👧‍👦", "🏳️‍🌈", "e\u0301", "ﷺ", "İ", "ß"),
    *("x" * 3000, "́" * 60, "，。「」", "𝔘𝔫𝔦", "ſ", "ﬁ", "１２", "\u00a0", "a\u00a0b", "__proto__"),
)
LONG = 1000  # letters of a string, beyond which not all fields hold it
STRINGS = (*_CONTROLS, *_WEB, *_PROGRAMS, *_LETTERS)


def in_value(number: int) -> str:
    """A string at the beginning and at the end of a value, with a word to find it by."""
    return f"{STRINGS[number]} {marker_word(number)} {STRINGS[number]}"


def marker_word(number: int) -> str:
    """The word that a value of the string of this number holds, and no other."""
    return f"zq{number:03}qz"


def quoted_text(text: str) -> str:
    """A string as YAML, TOML and JSON read it."""
    return "".join(_escaped_sign(sign) for sign in json.dumps(text, ensure_ascii=False))


def _escaped_sign(sign: str) -> str:
    if sign.isprintable():
        return sign
    return f"\\u{ord(sign):04x}" if ord(sign) < 0x10000 else f"\\U{ord(sign):08x}"


def _heads(number: int) -> Iterator[tuple[str, str]]:
    """Notes of every type with the string in every field of their front matter."""
    text = quoted_text(in_value(number))
    key = quoted_text(in_value(number)[:LONG])
    fields = f"title: {text}\naliases: [{text}]\ntopics: [{text}]\n{key}: {text}\n"
    wording = f"{fields}about: [{text}]\nasserted_by: {text}\ncamp: {text}\n"
    yield (
        f"c{number}",
        f"---\ntype: claim\nopen: {text}\nupdated: {text}\n{wording}---\n\nText.\n\n- contradicts:: [[e{number}]]\n",
    )
    yield (
        f"e{number}",
        f"---\ntype: evidence\n{wording}method: {text}\nsample: {text}\neffect: {text}\np: {text}\n"
        f"independence: [{text}]\n---\n\nText. [@s{number}] [@j{number}]\n\n- supports:: [[c{number}]]\n",
    )
    yield (
        f"s{number}",
        f"---\ntype: source\n{fields}author: {text}\njournal: {text}\ndoi: {text}\nurl: {text}\n"
        f"verification: {text}\nsnapshot: {text}\nintegrity: {text}\n---\n\nText.\n",
    )
    if number % 3 == 0:  # to weigh a line takes long
        yield (
            f"l{number}",
            f"---\ntype: line\n{fields}proposition: c{number}\nanswers: {{holds: {text}, fails: {text}}}\n"
            f"doubt: {text}\n---\n\nAsked.\n\n- skeptic:: [[e{number}]]\n",
        )


def _bodies(number: int) -> Iterator[tuple[str, str]]:
    """The string, as it is, wherever words stand in the text of a note."""
    text = in_value(number)
    yield (
        f"b{number}",
        f"---\ntype: claim\ncamp: skeptic\n---\n\n# {text}\n\n{text}\n\n## {text}\n\n> {text}\n\n"
        f"“{text}” [@j{number}, p. {text}] See [[c{number}|{text}]], [[{text}]], [{text}]({text}).\n\n"
        f"![{text}]({text})\n\n| {text} | b |\n|---|---|\n| {text} | b |\n\n`{text}`\n\n${text}$\n\n"
        f"> [!evidence] {text} ^x\n> {text} [@j{number}] (method:: {text}) (reason:: {text})\n\n"
        f"- supports:: [[c{number}]] (scope:: {text}) (by:: {text}) (locator:: {text}) — {text}\n"
        f"- contradicts:: [[e{number}]] — {text}\n\n```mermaid\n{text}\n```\n",
    )


def _source(number: int) -> dict[str, object]:
    text = in_value(number)
    return {
        **{"id": f"j{number}", "type": "article-journal", "title": text, "container-title": text},
        **{"author": [{"family": text, "given": text}], "publisher": text, "DOI": text},
        **{"URL": text, "volume": text, "page": text, "issued": {"date-parts": [[2020]]}},
    }


def _settings(numbers: Iterable[int]) -> str:
    texts = {n: in_value(n).replace("\ud800", "?") for n in numbers}
    name = quoted_text(" ".join(text for text in texts.values() if len(text) < LONG))
    camps = (f'[[camps]]\nid = "k{n}"\nlabel = {quoted_text(text)}\n' for n, text in texts.items())
    site = f"[site]\nname = {name}\ndescription = {name}\nauthors = [{name}]\n"
    more = f"[dataset]\nversion = {name}\npublisher = {name}\npeople = [{name}]\n"
    own_text = '[[camps]]\nid = "skeptic"\nlabel = "Sceptic"\n'
    return f"name = {name}\n{own_text}{''.join(camps)}{site}{more}"


def write_vault(top: Path, numbers: Iterable[int]) -> None:
    """A vault with the strings of these numbers in every field, and in the settings."""
    notes = top / "notes"
    notes.mkdir(parents=True)
    for number in numbers:
        for name, text in (*_heads(number), *_bodies(number)):
            data = text.encode("utf-8", "surrogatepass")
            (notes / f"{name}.md").write_bytes(data)
        try:
            names = notes / f"{STRINGS[number][:60]} f{number}.md"
            names.write_text("---\ntype: claim\ncamp: skeptic\n---\n\n# A file\n", "utf-8")
        except (OSError, ValueError):  # no name of a file here
            pass
    # JSON may hold half of a pair as an escape
    books = json.dumps([_source(number) for number in numbers])
    (notes / "books.json").write_text(books, "utf-8")
    texts = (" ".join(in_value(n).split()).replace("\ud800", "?") for n in numbers)
    items = (f"- **{text}**: {text}, {quote(text)}\n" for text in texts)
    (notes / "glossary.md").write_text(
        f"---\ntype: glossary\n---\n\n# Glossary\n\n{''.join(items)}", "utf-8"
    )
    (top / "kg.toml").write_text(_settings(numbers), "utf-8")
