"""The styles of camps and relations: shapes, strokes, and legible colours."""

from __future__ import annotations

from kg.model import EdgeStroke, Relation
from kg.model.settings.config import Camp, Config

SHAPES = ("circle", "diamond", "triangle", "hexagon", "star")
NO_CAMP = "square"  # the shape of what belongs to no camp
# Corners around the centre 0,0; a circle has none.
SHAPE_POINTS = {
    "diamond": "0,-6 6,0 0,6 -6,0",
    "triangle": "0,-6 6,5 -6,5",
    "square": "-5,-5 5,-5 5,5 -5,5",
    "hexagon": "-3,-5 3,-5 6,0 3,5 -3,5 -6,0",
    "star": "0,-7 2,-2 7,-2 3,1 4,6 0,3 -4,6 -3,1 -7,-2 -2,-2",
}
# The shapes as characters, filled and hollow, for graphs, and for paper: there a mask shows its
# edge.
SIGNS = dict(zip((*SHAPES, NO_CAMP), ("●○", "◆◇", "▲△", "⬢⬡", "★☆", "■□"), strict=True))
LIGHT = "#ffffff"
DARK = "#1e2129"
# Contrast of a camp's words with the page. WCAG asks for 4.5: with this, it is 4.9 or more on the
# other grounds of `kg.css`, too.
TEXT_CONTRAST = 5.6
_COLOURS = {"for": "--kg-for", "against": "--kg-against", "neither": "--kg-soft"}
_DASHES = {EdgeStroke.DASHED: "5 3", EdgeStroke.DOTTED: "1.5 3", EdgeStroke.CHAINED: "8 2 2 2"}
_FOOT = "font:7pt sans-serif;color:#59616e;"  # of a sheet of paper
_STEPS = 100  # from a camp's own colour to black or white


def camp_shape(config: Config, camp: str | None) -> str:
    """The shape that marks a camp, or a statement without one."""
    ids = config.camp_ids
    return SHAPES[ids.index(camp) % len(SHAPES)] if camp in ids else NO_CAMP


def render_camp_styles(config: Config) -> str:
    """The style sheet of the camps' colours, with enough contrast on either background, and for
    paper what their signs mean, and at the foot of each sheet where the site is and the sheet's
    number.
    """
    camps = list(enumerate(config.camps, 1))
    light = "".join(
        _rule_of_camp(number, camp, LIGHT, _mask_of_shape(camp_shape(config, camp.id)))
        for number, camp in camps
    )
    dark = "".join(_rule_of_camp(number, camp, DARK) for number, camp in camps)
    return (
        f".kg-camp-none{{{_mask_of_shape(NO_CAMP)}}}\n{light}@media "
        f"screen{{{dark.replace('.kg-camp', '[data-md-color-scheme=slate] .kg-camp')}}}\n"
        f'@media print{{.kg .kg-printed::before{{content:"{_key_for_paper(config)}"}}}}\n'
        f'@page{{@bottom-left{{{_FOOT}content:"{_place_for_paper(config)}"}}'
        f"@bottom-right{{{_FOOT}content:counter(page)}}}}\n"
    )


def _key_for_paper(config: Config) -> str:
    """The meaning of the signs in one line, escaped for a style sheet."""
    camps = [f"{SIGNS[camp_shape(config, each.id)][0]} {each.label}" for each in config.camps]
    signs = [
        *camps,
        f"{SIGNS[NO_CAMP][0]} no camp",
        f"{SIGNS[NO_CAMP][1]} hollow: finding",
        "a bar right of its middle: for; left of it: against",
    ]
    return _escape_for_style(f"Signs: {'; '.join(signs)}.")


def _place_for_paper(config: Config) -> str:
    """The site's name and its address, if it has one, escaped for a style sheet."""
    return _escape_for_style(": ".join(filter(None, (config.site.name, config.site.url))))


def _escape_for_style(text: str) -> str:
    return "".join(c if c.isascii() and c.isalnum() else f"\\{ord(c):06x}" for c in text)


def render_relation_styles() -> str:
    """The style sheet of relations, for their words in trees of reasons and the lines of graphs,
    and of the widths of bars, in hundredths.
    """
    widths = "".join(f".kg-wide-{part}{{--wide:{part}%}}\n" for part in range(101))
    return "".join(map(_rules_of_relation, Relation)) + widths


def _rules_of_relation(relation: Relation) -> str:
    entry, colour = relation.entry, f"var({_COLOURS[relation.side]})"
    rules = [f".kg-rel-{relation}{{color:{colour}}}"]
    if entry.mark:
        sign = _escape_for_style(entry.mark)
        rules.append(f'.kg-rel-{relation}::before{{content:"{sign}"}}')
    if (stroke := stroke_of(relation)) in _DASHES:
        rules.append(f".kg-link-{relation}{{stroke-dasharray:{_DASHES[stroke]}}}")
    return "\n".join(rules) + "\n"


def stroke_of(relation: Relation) -> EdgeStroke:
    """Return how a legend that shows all relations draws one of them."""
    # limits are dotted as well
    return EdgeStroke.CHAINED if relation is Relation.UNDERCUTS else relation.entry.stroke


def make_legible(colour: str, ground: str) -> str:
    """The colour nearest to `colour`, lighter or darker, that has enough contrast for text."""
    limit = 255 if _luminance_of(ground) < 0.5 else 0
    start = _red_green_blue(colour)
    for step in range(_STEPS + 1):
        mixed_parts = tuple(round(part + (limit - part) * step / _STEPS) for part in start)
        candidate = "#{:02x}{:02x}{:02x}".format(*mixed_parts)
        if contrast_ratio(candidate, ground) >= TEXT_CONTRAST:
            return candidate
    return f"#{limit:02x}{limit:02x}{limit:02x}"


def contrast_ratio(first: str, second: str) -> float:
    """The contrast ratio of two colours, as WCAG 2.2 defines it, from 1 to 21."""
    lighter, darker = sorted((_luminance_of(first), _luminance_of(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _rule_of_camp(number: int, camp: Camp, ground: str, mark: str = "") -> str:
    colour = make_legible(camp.colour, ground)
    red, green, blue = _red_green_blue(colour)
    soft = f"rgb({red} {green} {blue}/.09)"
    return f".kg-camp-{number}{{--camp:{colour};--camp-soft:{soft};{mark}}}\n"


def _mask_of_shape(shape: str) -> str:
    """A shape as a mask for links to statements; hollow for evidence."""
    shape_markup = (
        f"<polygon points='{SHAPE_POINTS[shape]}' %s/>"
        if shape in SHAPE_POINTS
        else "<circle r='5.4' %s/>"
    )
    hollow_shape = (
        shape_markup % "fill='none' stroke='%23000' stroke-width='2.4' transform='scale(.8)'"
    )
    masks = f"--filled:{_mask(shape_markup % '')};--hollow:{_mask(hollow_shape)}"
    filled_sign, hollow_sign = map(_escape_for_style, SIGNS[shape])
    return f'{masks};--mark:{shape};--sign:"{filled_sign}";--hollow-sign:"{hollow_sign}"'


def _mask(shape: str) -> str:
    svg = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='-7 -7 14 14'>{shape}</svg>"
    return f'url("data:image/svg+xml,{svg.replace("<", "%3C").replace(">", "%3E")}")'


def _red_green_blue(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance_of(colour: str) -> float:
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in _red_green_blue(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
