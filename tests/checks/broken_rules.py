"""Notes that break the rules which shapes share: each rule, and any of them at random."""

from __future__ import annotations

from hypothesis import strategies as st

from kg.corpus import Corpus
from tests.support.corpora import corpus_of_notes

CLAIM = "---\ntype: claim\nopen: not yet\n---\n# {}\n"
SHARED = {
    "unknown-citation",
    "unknown-camp",
    "self-edge",
    "supports-and-contradicts",
    "counter-claim-without-target",
    "unsupported-claim",
    "line-without-both-camps",
    "line-without-answers",
    "answers-without-proposition",
    "circular-support",
    "retracted-source",
}


ANSWERS = "answers: {holds: so, fails: not so}\n"
BROKEN = {
    "unknown-citation": corpus_of_notes(a=CLAIM.format("A") + "\nSo. [@nobody, p. 3]\n"),
    "unknown-camp": corpus_of_notes(a="---\ntype: claim\nopen: yes\ncamp: fence\n---\n# A\n"),
    "self-edge": corpus_of_notes(a=CLAIM.format("A") + "\n- supports:: [[a]]\n"),
    "supports-and-contradicts": corpus_of_notes(
        a=CLAIM.format("A") + "\n- supports:: [[b]]\n- contradicts:: [[b]]\n", b=CLAIM.format("B")
    ),
    "counter-claim-without-target": corpus_of_notes(
        a="---\ntype: counter-claim\nopen: yes\n---\n# A\n\n- supports:: [[b]]\n",
        b="---\ntype: claim\n---\n# B\n",
    ),
    "unsupported-claim": corpus_of_notes(a="---\ntype: claim\n---\n# A\n"),
    "line-without-both-camps": corpus_of_notes(
        a=CLAIM.format("A"),
        l=f"---\ntype: line\nproposition: a\n{ANSWERS}---\n# L?\n\n- optimist:: [[a]]\n",
    ),
    "line-without-answers": corpus_of_notes(
        a=CLAIM.format("A"),
        l="---\ntype: line\nproposition: a\n---\n# L?\n\n- optimist:: [[a]]\n- skeptic:: [[a]]\n",
        m="---\ntype: line\nproposition: a\nstatus: retired\n---\n# M?\n",
    ),
    "answers-without-proposition": corpus_of_notes(
        a=CLAIM.format("A"),
        l=f"---\ntype: line\n{ANSWERS}---\n# L?\n\n- optimist:: [[a]]\n- skeptic:: [[a]]\n",
    ),
    "circular-support": corpus_of_notes(
        a=CLAIM.format("A") + "\n- supports:: [[b]]\n",
        b=CLAIM.format("B") + "\n- supports:: [[a]]\n",
    ),
    "retracted-source": corpus_of_notes(
        a=CLAIM.format("A") + "\nSo. [@s]\n",
        s="---\ntype: source\nintegrity: retracted\n---\n",
        references="@book{s, title={T}}",
    ),
}


@st.composite
def arguments(draw: st.DrawFn) -> Corpus:
    """Three statements and a line that may break every rule that shapes share."""
    notes = {}
    for id in ("a", "b", "c"):
        head = [f"type: {draw(st.sampled_from(['claim', 'counter-claim']))}"]
        head += draw(st.sampled_from([[], ["open: yes"], ["status: retired"], ["reported: true"]]))
        head += draw(st.sampled_from([[], ["camp: optimist"], ["camp: fence"]]))
        cited_example = draw(
            st.sampled_from(["", "[@s]", "[@old, p. 3]", "[@gone]", "[@s; @gone]"])
        )
        edge = st.tuples(RELATIONS, st.sampled_from("abc"), st.booleans())
        body = [
            f"- {relation}:: [[{target}]]{' (mutual:: yes)' if mutual else ''} — {number}"
            for number, (relation, target, mutual) in enumerate(draw(st.lists(edge, max_size=3)))
        ]
        notes[id] = "\n".join(
            ["---", *head, "---", f"# {id}", "", f"So. {cited_example}", "", *body, ""]
        )
    camps = draw(st.sets(st.sampled_from(["optimist", "skeptic"])))
    placed = "".join(f"- {camp}:: [[a]]\n" for camp in sorted(camps))
    example = draw(st.sampled_from(["", "proposition: a\n"])) + draw(st.sampled_from(["", ANSWERS]))
    return corpus_of_notes(
        **notes,
        l=f"---\ntype: line\n{example}---\n# L?\n\nNow.\n\n## Camps\n\n{placed}",
        s="---\ntype: source\nintegrity: retracted\naliases: [old]\n---\n",
        references="@book{s, title={T}}",
    )


RELATIONS = st.sampled_from(["supports", "contradicts", "qualifies", "same-as"])
