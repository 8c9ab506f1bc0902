"""The Content-Security-Policy of every page: nothing foreign, no code but the theme's own."""

from __future__ import annotations

import base64
import hashlib
import re

_SCRIPT = re.compile(r"<script((?:\s[^>]*)?)>(.*?)</script>", re.DOTALL)
_NOT_CODE = re.compile(r"""\bsrc=|\btype=["']?application/""")
_CHARSET = re.compile(r"<meta charset=[^>]*>")

# `data:` images are the icons inside the theme's styles.
RULES = {
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
NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'"


def with_policy(html: str) -> str:
    """`html` with a policy that allows exactly the inline scripts standing in it."""
    hashes = dict.fromkeys(_hash(code) for code in find_inline_scripts(html))
    rules = {**RULES, "script-src": " ".join([RULES["script-src"], *hashes])}
    text = "; ".join(f"{name} {value}" for name, value in rules.items())
    return insert_policy(html, text)


def insert_policy(html: str, policy: str) -> str:
    """`html` with `policy` right after its character set, before anything it must govern."""
    tag = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    found = _CHARSET.search(html)
    if found is None:
        raise ValueError("the page names no character set, so a policy has no place in it")
    return f"{html[: found.end()]}\n{tag}{html[found.end() :]}"


def find_inline_scripts(html: str) -> list[str]:
    """The code of the scripts that a browser would run from the page itself."""
    return [code for head, code in _SCRIPT.findall(html) if not _NOT_CODE.search(head)]


def _hash(code: str) -> str:
    digest = hashlib.sha256(code.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
