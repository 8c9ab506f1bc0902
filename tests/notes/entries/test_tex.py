"""TeX as plain text."""

from __future__ import annotations

from kg.notes.entries.tex import tex_to_plain_text
from tests.support.every_row import every_row


@every_row(
    ("written", "text"),
    [
        (r"Erd{\H o}s, {\v{S}}afa{\v r}{\'\i}k, \c{C}a, {\aa}, \o", "Erdős, Šafařík, Ça, å, ø"),
        (r"\'{\i}\^\i\~{n}\"{u}\=a\.z\r{u}\k{a}\d{h}\b{d}", "íîñüāżůąḥḏ"),
        (r"CO$_2$, H\textsubscript{2}O and 10$^{-3}$", "CO2, H2O and 10-3"),
        (r"\enquote{Yes} --- \mkbibquote{no {x}}, 1--2", "“Yes” — “no x”, 1–2"),
        (r"A \& B, 5\% of \$3 \#1 a\_b \{c\}", "A & B, 5% of $3 #1 a_b {c}"),
        (r"see \href{https://x.org/a}{here} \textbackslash{} \~{}", "see here \\ ~"),
        (r"$\alpha$-\emph{decay}", "α-decay"),
        (r"20\,$^\circ$C", "20 °C"),
        ("a~b  {{C}}\n d", "a b C d"),
        (r"\unknowncommand{kept}", "kept"),
        (r"Signs & Wonders: 50% of $x$ & more", "Signs & Wonders: 50% of x & more"),
        (r"$\alpha$ costs \$5 \& 5\%", "α costs $5 & 5%"),
        ("For $5 & up", "For $5 & up"),
    ],
)  # fmt: skip
def test_tex_becomes_plain_text(written: str, text: str) -> None:
    assert tex_to_plain_text(written) == text
