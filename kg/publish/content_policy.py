"""The Content-Security-Policy of a page: what it may load and run."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable

_SCRIPT = re.compile(r"<script((?:\s[^>]*)?)>(.*?)</script>", re.DOTALL)
_NOT_CODE = re.compile(r"""\bsrc=|\btype=["']?application/""")
_CHARSET = re.compile(r"<meta charset=[^>]*>")
# `data:` images are icons in the styles.
DIRECTIVES = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "frame-src": "'self'",
    "worker-src": "'self'",
    "manifest-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
}
ALLOW_NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'"


def policy_rules(hosts: Iterable[str]) -> dict[str, str]:
    """The rules for every page; pictures may also come from `hosts`."""
    pictures = [DIRECTIVES["img-src"], *(f"https://{host}" for host in hosts)]
    return {**DIRECTIVES, "img-src": " ".join(pictures)}


def with_policy(html: str, hosts: Iterable[str] = ()) -> str:
    """`html` with a policy that allows exactly its own inline scripts."""
    hashes = dict.fromkeys(_hash_source(code) for code in find_inline_scripts(html))
    rules = {**policy_rules(hosts), "script-src": " ".join([DIRECTIVES["script-src"], *hashes])}
    text = "; ".join(f"{name} {value}" for name, value in rules.items())
    return insert_policy(html, text)


def insert_policy(html: str, policy: str) -> str:
    """`html` with `policy` right after the charset, before anything that it must cover."""
    tag = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    match = _CHARSET.search(html)
    if match is None:
        raise ValueError("the page names no character set, so a policy has no place in it")
    return f"{html[: match.end()]}\n{tag}{html[match.end() :]}"


def find_inline_scripts(html: str) -> list[str]:
    """The code of the page's inline scripts."""
    return [code for head, code in _SCRIPT.findall(html) if not _NOT_CODE.search(head)]


def _hash_source(code: str) -> str:
    digest = hashlib.sha256(code.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
