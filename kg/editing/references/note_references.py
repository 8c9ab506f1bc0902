"""References in a note: in front matter, links and fields, and definitions of names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from kg.editing.references.reference import Reference, ReferenceForm, ReferenceKind
from kg.model import RecordId
from kg.model.ids import split_id
from kg.notes.body import (
    RELATION,
    BodyPart,
    ListItem,
    Quotes,
    find_item,
    find_with_fields,
    read_body,
)
from kg.notes.frontmatter import (
    GLOSSARY_TYPE,
    YamlError,
    find_scalars,
    find_type,
    fold_key,
    split_front_matter,
)
from kg.notes.glossary import TERM_NAME, parse_glossary
from kg.notes.markdown import (
    BLOCK_ID,
    CLOSING_MARKS,
    NO_QUOTE,
    Block,
    Link,
    find_blocks,
    find_citations,
    find_fields,
    find_target,
    replace_with_spaces,
)
from kg.text.line_starts import TextLineStarts

_HEAD_KINDS = {
    "id": ReferenceKind.ID,
    "title": ReferenceKind.TITLE,
    "aliases": ReferenceKind.ALIAS,
    "topics": ReferenceKind.TOPIC,
    "about": ReferenceKind.ABOUT,
    "camp": ReferenceKind.CAMP,
    "asserted_by": ReferenceKind.HOLDER,
    "proposition": ReferenceKind.PROPOSITION,
}
_IN_CALLOUTS = ("topics", "about", "camp", "asserted_by")
_OF_SEVERAL = ("topics", "about")
_LIST_ITEM = re.compile(r"[^,\[\]\s](?:[^,\[\]]*[^,\[\]\s])?")
_PROPOSED = re.compile(r"[^\[\]|#\s](?:[^\[\]|#]*[^\[\]|#\s])?")
_DEFINITION = re.compile(r"^ {0,3}\[([^\[\]]+)\]:[ \t]*<?([^\s<>]+)", re.MULTILINE)
_INLINE = re.compile(r"\s*(?:<([^<>\n]*)>|((?:[^\s()]|\([^\s()]*\))*))")
_BEGIN_OF_HEADING = re.compile(r"[ \t>]*(?:#+[ \t]*)?")
_EMBED = re.compile(r"!\[\[([^\[\]|\n]++)[^\[\]\n]*+\]\]")
_CARET = len("^")  # before a block's name


def references_in_note(text: str, path: str) -> Iterator[Reference]:
    """Yield every reference in a note."""
    front = split_front_matter(text)
    given_id = front.value("id")
    stem = path.rpartition("/")[2].removesuffix(".md")
    id = given_id if isinstance(given_id, str) and given_id else stem
    body_start = len(text) - len(front.body)
    if body_start:
        yield from _references_in_front_matter(text, front.text, path, id)
    reader = BodyReferences(front.body, path, front.first_line, id)
    for reference in reader.references():
        yield reference._replace(start=reference.start + body_start, end=reference.end + body_start)
    if find_type(front.value("type")) == GLOSSARY_TYPE:
        yield from _term_references(text, body_start, path, front.first_line, id)


def _references_in_front_matter(
    text: str, front: str, path: str, id: RecordId
) -> Iterator[Reference]:
    front_start = text.index("\n") + 1
    try:
        scalars = list(find_scalars(front))
    except YamlError:
        return  # unreadable front matter is reported elsewhere
    for scalar in scalars:
        key = fold_key(scalar.key)
        kind = _HEAD_KINDS.get(key)
        if kind is None or not scalar.value:
            continue
        raw_value = front[scalar.start : scalar.end]
        spans: list[tuple[int, int]] = []
        if key in _OF_SEVERAL:
            spans = [match.span() for match in _LIST_ITEM.finditer(raw_value)]
        elif key == "proposition" and (link := _PROPOSED.search(raw_value)):
            spans = [link.span()]  # what follows a `|` is the link's text
        for start, end in spans or [(0, len(raw_value))]:
            # a name with escapes is written differently in the file
            name = raw_value[start:end] if raw_value == scalar.value else scalar.value
            value_start = front_start + scalar.start
            fragment = _fragment_of(raw_value[end:]) if key == "proposition" else ""
            yield Reference(
                path,
                value_start + start,
                value_start + end,
                kind,
                name,
                name + fragment,
                fragment,
                ReferenceForm.WORDS,
                id,
                key,
            )


def _fragment_of(rest: str) -> str:
    return re.match(r"(?:#[^\[\]|]*)?", rest)[0].rstrip()  # type: ignore[index]


def _term_references(
    text: str, body_start: int, path: str, first_line: int, id: RecordId
) -> Iterator[Reference]:
    starts = TextLineStarts(text)
    for term in parse_glossary(text[body_start:], path, first_line)[0]:
        for match in TERM_NAME.finditer(text, starts.offset(term.span.line)):
            name = match[1].strip().removesuffix(":").rstrip()
            if name.removesuffix(":") not in term.names:
                break
            start = match.start(1) + match[1].index(name)
            yield Reference(
                path, start, start + len(name), ReferenceKind.TERM, name, name, holder=id
            )


class BodyReferences:
    """Finds the references in a body in one walk over its blocks, by the patterns of the parser."""

    def __init__(self, text: str, path: str, first_line: int, id: RecordId) -> None:
        self.text = text
        self.path = path
        self.id = id
        self.scan = find_blocks(text)
        parts = read_body(text, path, first_line, id).parts
        self.quotes = Quotes(text, self.scan.quotes)
        self.parts = {part.quote: part for part in parts}
        self.titled = False

    def references(self) -> Iterator[Reference]:
        for block in self.scan.blocks:
            part = self._part_of(block)
            if block.edge is not None:
                yield from self._references_in_edge(block, part)
            else:
                yield from self._references_in_block(block, part)

    def field_spans(self, part: BodyPart) -> list[tuple[int, int]]:
        """The ranges of a callout's fields, including those in its title."""
        all_spans = []
        for block in self.scan.blocks:
            if self._part_of(block) is not part or block.edge is not None:
                continue
            raw = self.quotes.text_of(block)
            hidden_spans = [(start - block.start, end - block.start) for start, end in block.opaque]
            blank = replace_with_spaces(raw, hidden_spans)
            if block.kind == "item" and RELATION.match(blank):
                continue  # its fields are those of the edge
            spans = [match.span() for match in find_fields(blank)]
            all_spans += [(block.start + start, block.start + end) for start, end in spans]
        return all_spans

    def _part_of(self, block: Block) -> BodyPart:
        visited = []
        quote = block.quote
        while quote not in self.parts:
            visited.append(quote)
            quote = self.scan.quotes[quote].around
        # cached, as quotes may nest thousands deep
        self.parts |= dict.fromkeys(visited, self.parts[quote])
        return self.parts[quote]

    def _name_at(
        self,
        offset: int,
        name: str,
        kind: ReferenceKind,
        part: BodyPart,
        word: str = "",
    ) -> Reference:
        """A reference in plain words at `offset`."""
        return Reference(
            self.path, offset, offset + len(name), kind, name, name, holder=part.id, word=word
        )

    # -- blocks ------------------------------------------------------------------------

    def _references_in_edge(self, block: Block, part: BodyPart) -> Iterator[Reference]:
        """The references in an edge in its common form."""
        word, target, _, name = block.edge or ("", "", None, None)
        relation = word.casefold()
        word_start = self.text.index(word, block.start)
        yield self._name_at(word_start, word, ReferenceKind.RELATION, part)
        start = self.text.index("[[", word_start)
        end = start + len(target) + 4
        link = Link(start, end, target, True)
        yield from self._references_in_link(link, ReferenceKind.TARGET, part, relation)
        if name:
            yield self._reference_to_block(name, block, part)

    def _reference_to_block(self, name: str, block: Block, part: BodyPart) -> Reference:
        name_start = self.text.rindex(f"^{name}", block.start, block.end) + _CARET
        return self._name_at(name_start, name, ReferenceKind.BLOCK, part)

    def _references_in_block(self, block: Block, part: BodyPart) -> Iterator[Reference]:
        """Yield each place in a block where a record, source, block or edge is named, sort by
        sort.
        """
        raw = self.quotes.text_of(block)
        title = raw.partition("\n")[0] if self._begins_callout(block, part) else ""
        yield from self._references_in_callout_title(block, title, part)
        hidden_spans = [(start - block.start, end - block.start) for start, end in block.opaque]
        raw = replace_with_spaces(raw, [(0, len(title)), *hidden_spans])
        for citation in find_citations(raw):
            offset = block.start + citation.start + len("@")
            yield self._name_at(offset, citation.key, ReferenceKind.CITATION, part)
        if block.kind == "heading":
            yield from self._references_to_heading(block, part)
        links = [(link.start - block.start, link.end - block.start) for link in block.links]
        is_item = block.kind == "item" and "::" in raw
        if is_item and (item := find_item(raw, raw, links)) is not None:
            yield from self._references_in_item(block, raw, item, part)
        else:
            yield from self._references_in_text(block, title, raw, part)

    def _references_in_text(
        self, block: Block, title: str, raw: str, part: BodyPart
    ) -> Iterator[Reference]:
        """The references in the fields and links of a block that is no edge, and its name."""
        premises = find_with_fields(title)
        if part.callout and "::" in raw:
            yield from self._references_in_fields(block.start, raw, part)
            premises += find_with_fields(raw)
        for link in block.links:
            offset = link.start - block.start
            if any(start <= offset < end for start, end in premises):
                yield from self._references_in_link(link, ReferenceKind.PREMISE, part, part.callout)
            else:
                yield from self._references_in_link(link, ReferenceKind.MENTION, part, "")
        yield from self._references_in_embeds(block, part)
        if block.kind in ("paragraph", "item") and not self._begins_callout(block, part):
            yield from self._block_name_in(raw, block, part)

    def _begins_callout(self, block: Block, part: BodyPart) -> bool:
        return bool(part.callout) and block.start == part.start

    def _block_name_in(self, text: str, block: Block, part: BodyPart) -> Iterator[Reference]:
        """The name that `^name` at the end of a text from the start of a block gives it."""
        if mark := BLOCK_ID.search(text):
            yield self._name_at(block.start + mark.start(1), mark[1], ReferenceKind.BLOCK, part)

    def _references_in_embeds(self, block: Block, part: BodyPart) -> Iterator[Reference]:
        """The references in `![[…]]`, which kg does not read as links, but Obsidian does."""
        code = sorted(block.opaque)
        next_code = 0
        for match in _EMBED.finditer(self.text, block.start, block.end):
            while next_code < len(code) and code[next_code][1] <= match.start():
                next_code += 1
            if next_code < len(code) and code[next_code][0] < match.start():
                continue
            link = Link(match.start() + 1, match.end(), match[1], True)
            yield from self._references_in_link(link, ReferenceKind.EMBED, part, "")

    def _references_in_callout_title(
        self, block: Block, title: str, part: BodyPart
    ) -> Iterator[Reference]:
        yield from self._references_in_fields(block.start, title, part)
        blank = replace_with_spaces(title, [field.span() for field in find_fields(title)])
        yield from self._block_name_in(blank, block, part)

    def _references_in_fields(
        self, block_start: int, raw: str, part: BodyPart
    ) -> Iterator[Reference]:
        for field in find_fields(raw):
            key = fold_key(field["key"])
            if key not in _IN_CALLOUTS:
                continue
            value, value_start = field["value"], block_start + field.start("value")
            names = [(0, value.strip())]
            if key in _OF_SEVERAL:
                names = [(word.start(), word[0]) for word in _LIST_ITEM.finditer(value)]
            for start, name in names:
                yield self._name_at(value_start + start, name, _HEAD_KINDS[key], part, key)

    def _references_to_heading(self, block: Block, part: BodyPart) -> Iterator[Reference]:
        raw_heading = self.text[block.start : block.end]
        prefix = _BEGIN_OF_HEADING.match(raw_heading)
        words_start = prefix.end() if prefix else 0
        first_line = raw_heading[words_start:].partition("\n")[0]
        words = CLOSING_MARKS.sub("", first_line).rstrip(" \t")
        if not words:
            return
        outside = block.quote == NO_QUOTE and not block.listed
        first = block.level == 1 and outside and not self.titled
        self.titled |= first
        kind = ReferenceKind.TITLE if first else ReferenceKind.HEADING
        yield self._name_at(block.start + words_start, words, kind, part)

    def _references_in_item(
        self, block: Block, raw: str, item: ListItem, part: BodyPart
    ) -> Iterator[Reference]:
        relation = RELATION.match(raw)
        if relation is not None:
            word_start = block.start + relation.start(1)
            yield self._name_at(word_start, relation[1], ReferenceKind.RELATION, part)
        groups = (
            (item.targets, ReferenceKind.TARGET),
            (item.together, ReferenceKind.PREMISE),
            (item.others, ReferenceKind.MENTION),
        )
        for numbers, kind in groups:
            for number in numbers:
                word = "" if kind is ReferenceKind.MENTION else item.word
                yield from self._references_in_link(block.links[number], kind, part, word)
        if item.block:
            yield self._reference_to_block(item.block, block, part)

    # -- links -------------------------------------------------------------------------

    def _references_in_link(
        self, link: Link, kind: ReferenceKind, part: BodyPart, word: str
    ) -> Iterator[Reference]:
        """The reference in a link; none if it leads out of the notes."""
        if link.destination.startswith("#"):
            within = link.destination.startswith("#^")
            target: str | None = self.id + link.destination if within else ""
        else:
            target = find_target(link.destination, link.wiki, self.path)
        destination_text = self._destination_range(link)
        if target is None or destination_text is None:
            return
        start, end = destination_text
        destination = self.text[start:end]
        name, mark, block = split_id(destination)
        start += len(name) - len(name.lstrip())
        name = name.strip()
        form = ReferenceForm.WIKI if link.wiki else ReferenceForm.PATH
        yield Reference(
            self.path,
            start,
            start + len(name),
            kind,
            name,
            target,
            mark + block,
            form,
            part.id,
            word,
        )

    def _destination_range(self, link: Link) -> tuple[int, int] | None:
        """The range of a link's destination; None if it is not found."""
        link_text = self.text[link.start : link.end]
        if link.wiki:
            inner = link_text[2:-2].partition("|")[0]
            return link.start + 2, link.start + 2 + len(inner)
        if (middle := link_text.rfind("](")) >= 0:
            match = _INLINE.match(link_text, middle + 2)
            assert match is not None  # it also matches the empty string
            start, end = match.span(match.lastindex or 0)
            return link.start + start, link.start + end
        return self._find_definition(link_text)

    def _find_definition(self, link_text: str) -> tuple[int, int] | None:
        """The range of the destination of a reference link, `[words][label]`."""
        label = link_text.removesuffix("[]").rpartition("[")[2]
        folded_label = " ".join(label.rstrip("]").casefold().split())
        return self._definition_ranges.get(folded_label)

    @cached_property
    def _definition_ranges(self) -> dict[str, tuple[int, int]]:
        """The range of the destination of each label; the first definition counts."""
        matches = reversed([*_DEFINITION.finditer(self.text)])
        return {" ".join(each[1].casefold().split()): each.span(2) for each in matches}
