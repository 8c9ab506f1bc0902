"""What an author wrote for nobody else is gone before anything is read; all else stays in place.

Of `kg/notes/markdown/parser_events.py`, too.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.notes.markdown.comments import close_gaps, hide_comments, hide_in_file
from kg.notes.markdown.parser_events import read_events
from kg.notes.note_files import NoteFile
from kg.notes.parse_note import parse_note
from kg.notes.parsed_note import ParsedNote
from tests.support.every_row import every_row

HEAD = "---\ntype: claim\n---\n\n"


def _parse(body: str) -> ParsedNote:
    return parse_note(NoteFile("n.md", (HEAD + body).encode(), b""))


@every_row(
    "text",
    [
        "a %%secret%% b",
        "a <!-- secret --> b",
        "%%\nsecret\n\nsecret\n%%\nb",
        "> quoted %%secret%%\n> more",
        "- item <!--\nsecret\n-->",
        "a\n\n%% secret, and never closed\n\nsecret",
        "<!-- secret, and never closed\n\nsecret",
        "`code` %%secret%%\n```\ncode\n```\n%%secret%%",
        "``a ` b`` %%secret%%",
    ],
)
def test_a_comment_is_gone_and_lines_stay(text: str) -> None:
    hidden_part = hide_comments(text)
    assert "secret" not in hidden_part
    assert hidden_part.count("\n") == text.count("\n")


@every_row(("text", "visible"), [("A %%%% b", "A b"), ("A <!----> b", "A b")])
def test_an_empty_comment_is_gone(text: str, visible: str) -> None:
    assert close_gaps(hide_comments(text)) == visible


@every_row(
    "text",
    ["`%% code %%`", "```\n%% code %%\n```", "~~~\n<!-- code -->\n~~~", "5%% of all", "a <!-- b"],
)
def test_code_and_numbers_are_no_comments(text: str) -> None:
    assert hide_comments(text) == text


@every_row(
    "text",
    [
        "- a ` b\n- %%secret%% c ` d",
        "# H ` x\ntext %%secret%% ` y",
        "| a | b |\n|-|-|\n| ` | %%secret%% |\n| ` | x |",
        "a ` b\n> %%secret%% ` c",
        "a ` b\n \n%%secret%% ` c",
        "a \\` b %%secret%% ` c",
        "<a href='`'> %%secret%% `",
        "$`$ %%secret%% `",
        "> ```\n%%secret%%",
        "    ```\n%%secret%%",
        "a %%`%% b ` c\n- %%secret%% `",
        "%%```%%\n\n%%secret%%",
        "a \\\\%%secret%% b",
    ],
)
def test_backticks_in_different_blocks_do_not_protect_a_comment(text: str) -> None:
    assert "secret" not in hide_comments(text)


def test_backticks_in_front_matter_do_not_protect_a_comment() -> None:
    text = "---\ntype: claim\nopen: a ` b\ntitle: %%secret%% ` c\n---\n\n# A `%%code%%`\n"
    message = hide_in_file(text)
    assert "secret" not in message
    assert "`%%code%%`" in message


def test_no_key_of_front_matter_holds_a_comment() -> None:
    head = 'type: claim\n"mine %%secret%%": {"in <!-- secret -->": x}'
    note = parse_note(NoteFile("n.md", f"---\n{head}\n---\n\n# A\n".encode(), b""))
    assert note.statements[0].extra["mine"] == "in: x"
    assert "secret" not in repr(note)


AROUND = [
    "`",
    "``",
    "- ",
    "\n",
    "\n\n",
    "> ",
    "# ",
    "| ",
    "```\n",
    "~~~\n",
    "    ",
    "1. ",
    "$",
    "*",
]
COMMENTS = ["<!--`-->", "<!--\n```\n-->", "%%secret%%"]


@given(st.lists(st.sampled_from([*AROUND, *COMMENTS, "a "]), max_size=24))
def test_whatever_stands_around_a_comment_no_page_shows_it_but_as_code(pieces: list[str]) -> None:
    in_code = False
    for event in read_events(hide_comments("".join(pieces))):
        if isinstance(event, dict) and "CodeBlock" in repr(event.get("Start", event.get("End"))):
            in_code = "Start" in event
        elif isinstance(event, dict) and "Code" not in event and not in_code:
            assert "secret" not in repr(event)


def test_what_stands_around_a_comment_stays_where_it_was() -> None:
    assert hide_comments("a %%x%% b").index("b") == len("a %%x%% b") - 1
    assert close_gaps(hide_comments("a %%x%% b\nc %%x%%\nd")) == "a b\nc\nd"


def test_what_follows_a_comment_at_the_margin_is_no_code() -> None:
    assert _parse("# T\n\n%% a remark %% Words.\n").statements[0].body.strip() == "Words."


def test_no_part_of_a_note_holds_a_comment() -> None:
    note = _parse(
        "# T %%secret%%\n\nWords %%secret%%, [[x|y %%secret%%]].\n\n- supports:: [[b]] — why "
        "%%secret%% so\n\n> [!evidence] E <!-- secret -->\n> F (p:: .05) %%secret%%\n\n%%\n- "
        "supports:: [[secret]]\n%%\n"
    )
    assert "secret" not in repr(note)
    assert [statement.title for statement in note.statements] == ["T", "E"]
    assert {edge.reason for edge in note.edges} >= {"why so"}


@every_row("comment", ["%% ask Ann\n> about %%", "<!-- ask\n> Ann\n> about -->"])
def test_a_comment_over_several_lines_of_a_callout_leaves_the_callout_whole(comment: str) -> None:
    fields = "(method:: experiment) (sample:: 40) (reason:: so)"
    note = _parse(f"# T\n\n> [!evidence] E\n> {comment}\n> F {fields}\n")
    assert note.diagnostics == ()
    assert (note.statements[1].method, note.statements[1].sample) == ("experiment", 40)
    assert note.edges[0].reason == "so"


def test_only_marks_of_the_quote_around_a_comment_stay() -> None:
    assert hide_comments("> a %% b\n\n> c %% d") == "> a" + " \t\t\t\t\n\n" + "d" + "\t" * 6
    assert hide_comments("a %% b\n> c %% d") == "a \t\t\t\t\nd" + "\t" * 6


def test_a_comment_that_is_never_closed_is_reported() -> None:
    problems = _parse("# T\n\n%% to be done\n\n- supports:: [[b]]\n").diagnostics
    assert [(p.rule, p.span.line) for p in problems] == [("unclosed-bracket", 7)]


@given(st.text(alphabet="%<!->`~\n a1\\", max_size=60))
def test_nothing_but_white_space_comes_of_a_comment(text: str) -> None:
    hidden_part = hide_comments(text)
    assert hidden_part.count("\n") == text.count("\n")
    assert not set(hidden_part) - set(text) - {"\t"}
