"""TeX in the values of a bibliography as plain text."""

from __future__ import annotations

import re
import unicodedata

_ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306",
    ".": "\u0307", '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "d": "\u0323",
    "c": "\u0327", "k": "\u0328", "b": "\u0331",
}  # fmt: skip
_LETTERS = {
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ",
    "OE": "Œ", "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ",
    "TH": "Þ", "dj": "đ", "DJ": "Đ", "TeX": "TeX", "LaTeX": "LaTeX", "BibTeX": "BibTeX",
    "hyphen": "-", "slash": "/", "textendash": "–", "textemdash": "—", "ldots": "…", "dots": "…",
    "textellipsis": "…", "textquoteright": "’", "textquoteleft": "‘", "textquotedblleft": "“",
    "textquotedblright": "”", "textasciitilde": "\ue004", "textunderscore": "_",
    "textbackslash": "\ue000", "textbraceleft": "\ue002", "textbraceright": "\ue003",
    "textless": "<", "textgreater": ">", "textregistered": "®", "texttrademark": "™",
    "textcopyright": "©", "textdegree": "°", "textbar": "|", "textasciicircum": "^",
    "textquotesingle": "'", "textpm": "±", "texttimes": "×",
    "guillemotleft": "«", "guillemotright": "»", "S": "§",
}  # fmt: skip
_STYLES = (
    "emph|textit|textbf|textsc|textrm|textsf|texttt|textup|textsl|textnormal|textmd|mkbibemph"
    "|mkbibbold|mkbibitalic|text|mbox|uppercase|lowercase|autocap|url|path|nolinkurl|ensuremath"
    "|textsuperscript|textsubscript|mkbibsuperscript|relax|protect|upshape|itshape|bfseries"
    "|scshape|NoCaseChange|texorpdfstring"
)
_ACCENT = re.compile(
    r"\\(?:([`'^~=.\"])\s*(?:\{\s*\\?([A-Za-z])\s*\}|\\([ij])(?![A-Za-z])|([A-Za-z]))"
    r"|([uvHcdbkr])(?:\s*\{\s*\\?([A-Za-z])\s*\}|\s+\\?([A-Za-z])(?![A-Za-z])))"
)
_LETTER = re.compile(
    rf"\\({'|'.join(sorted(_LETTERS, key=len, reverse=True))})(?![A-Za-z])(?:\{{\}}|\s+)?"
)
_STYLE = re.compile(rf"\\(?:{_STYLES})(?![A-Za-z])\s*")
_QUOTE = re.compile(r"\\(?:mkbibquote|enquote\*?)\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_TEX_HREF = re.compile(r"\\href\s*\{[^{}]*\}")
_INVISIBLE_COMMAND = re.compile(r"\\(?:noopsort|[vh]?phantom|[hv]space\*?)\s*\{[^{}]*\}")
_DEGREES = re.compile(r"\^\s*(?:\\circ(?![A-Za-z])|\{\s*\\circ\s*\})")
_INDEX = re.compile(r"\$\s*[_^]\s*\{?([\w+-]+)\}?\s*\$")
_SIGN = re.compile(r"\\([&%$#_ /,;!@{}-]|~\{\}|\\)")
_SIGNS = {"$": "\ue001", "{": "\ue002", "}": "\ue003", "~{}": "\ue004", "\\": " "}
_SIGNS |= dict.fromkeys(("/", ",", ";", "!", "@", "-"), "")
# placeholders for characters that would otherwise be read as TeX
_ESCAPED_SIGNS = str.maketrans(
    {"\ue000": "\\", "\ue001": "$", "\ue002": "{", "\ue003": "}", "\ue004": "~"}
)
# `%` and `&` are literal in a value, and so is a single dollar sign
_IN_WORDS = re.compile(r"(\\.)|([%&])", re.DOTALL)
_IN_WORDS_WITHOUT_FORMULAS = re.compile(r"(\\.)|([%&$])", re.DOTALL)
_DASHES = re.compile(r"(?<!-)(---?)(?!-)")


def tex_to_plain_text(value: str) -> str:
    """A title or a name as plain text on one line, without braces and TeX."""
    has_tex = "\\" in value or "$" in value
    if has_tex:
        value = _as_plain_text(value)
    if "~" in value:
        value = value.replace("~", " ")
    if "--" in value:
        value = _DASHES.sub(lambda dashes: "—" if len(dashes[1]) == 3 else "–", value)
    if "''" in value or "``" in value:
        value = value.replace("``", "“").replace("''", "”")
    value = _without_braces(value)
    return value.translate(_ESCAPED_SIGNS) if has_tex else value


def unescape_tex(value: str) -> str:
    """An address or a number, with only the TeX escapes in it undone."""
    if "\\" in value or "$" in value:
        value = _without_braces(_as_plain_text(value.replace("$<$", "<").replace("$>$", ">")))
        return value.translate(_ESCAPED_SIGNS)
    return _without_braces(value)


def _without_braces(value: str) -> str:
    """`value` without braces, its words separated by single spaces."""
    if "{" in value or "}" in value:
        value = value.replace("{", "").replace("}", "")
    return " ".join(value.split())


def _as_plain_text(value: str) -> str:
    """Plain text by patterns for common TeX; formulas and the rest are left to a TeX parser, which
    takes 45 times as long for a title with accents.
    """
    if "quote" in value:
        value = _QUOTE.sub("“\\1”", value)
    value = _DEGREES.sub(r"{\\textdegree}", _INVISIBLE_COMMAND.sub("", _TEX_HREF.sub("", value)))
    value = _INDEX.sub("\\1", value)
    text = _SIGN.sub(lambda sign: _SIGNS.get(sign[1], sign[1]), value)
    text = _ACCENT.sub(_accented_letter, text)
    text = _LETTER.sub(lambda letter: _LETTERS[letter[1]], text)
    text = _STYLE.sub("", text)
    return _parse_tex(value) if "\\" in text or "$" in text else text


def _accented_letter(match: re.Match[str]) -> str:
    accent = match[1] or match[5]
    letter = next(filter(None, match.group(2, 3, 4, 6, 7)))
    return unicodedata.normalize("NFC", letter + _ACCENTS[accent])


def _parse_tex(value: str) -> str:
    """Accents, symbols and formulas as Unicode; TeX that cannot be parsed is left unchanged."""
    from pylatexenc.latex2text import LatexNodes2Text

    signs = _IN_WORDS if value.count("$") > 1 else _IN_WORDS_WITHOUT_FORMULAS
    value = signs.sub(lambda sign: sign[1] or rf"\{sign[2]}", value)
    try:
        text: str = LatexNodes2Text().latex_to_text(value)
    except Exception:  # pylatexenc fails in many ways on TeX that is not well formed
        return value
    return text
