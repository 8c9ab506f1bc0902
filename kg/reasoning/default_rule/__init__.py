"""Strengths by the default rule: each independent source counts once, by its best voice.

`unfolded_circles` unfolds circles, `voice_planner` puts the result in order as a `voice_plan`,
and `voice_pass` evaluates that for `strengths_by_voices`, which has the formulas and the
derivatives. `tests/reasoning/default_rule/reference_solver.py` computes the same strengths one by
one, with dictionaries. Three examples to follow by hand; a test runs them.

**A source that is heard twice.** Evidence e (node 0, strength .8, source s) supports claim c
(node 1) by arc 0 and, less strongly (.6), question q (node 2) by arc 2; c supports q by arc 1. A
*voice* is what one node passes on of one source, in nats. The `VoicePlan` of this graph, “twice”,
has three, one of s at each node:

    >>> plan = plan_voices(twice)
    >>> plan.speaker.tolist()  # the node of each voice
    [0, 1, 2]
    >>> plan.source_group.tolist()  # its source: all are of s
    [0, 0, 0]
    >>> plan.bare.nodes.tolist()  # nothing bears on e
    [0]

c is the target of the first `TargetLevel`, q of the second. A *row* is a voice on an arc. Rows of
one source for one side of a target share a *slot*, as both rows at q do: of these the best counts:

    >>> of_c, of_q = plan.levels
    >>> of_q.nodes.tolist(), of_q.row_voices.tolist()  # q hears the voices of c and of e …
    ([2], [1, 0])
    >>> of_q.arcs.tolist(), of_q.size.tolist()  # … by these arcs, with these weights
    ([1, 2], [1.0, 0.6])
    >>> of_q.slot_of.tolist()
    [0, 0]

e passes on .8 nats; c hears 1 · .8, so its strength is σ(.8) = .69, and passes on as much; q hears
the better of 1 · .8 and .6 · .8. So s counts once, and q is as strong as c:

    >>> solve_by_voices(twice, None).state[:3, 0].round(2).tolist()  # e, c, q
    [0.8, 0.69, 0.69]

**An undercut, and joint premises.** Evidence e (node 0, strength .8, source s) and f (node 1, .5,
source t) support claim q (node 3) only together, and evidence g (node 2, .6, source u) undercuts
that. The edge of e and f becomes two arcs, 0 and 1, of one joint reason. As it is undercut, it has
a *gate*, node 4; the undercut is arc 2, from g to the gate:

    >>> joint.arc_premise.tolist(), joint.arc_target.tolist(), joint.joint.tolist()
    ([0, 1, 2], [3, 3, 4], [0, 0, -1])
    >>> joint.gate.tolist()  # the gate that each arc passes; 5 stands for none
    [4, 4, 5]

The gate is the target of the first level, since what it lets through must be known when q is
weighed. Row by row, `pass_level` computes the nats that voices bring; an undercut of force .6
brings −ln(1 − .6), so that the gate, e to minus the sum, is open by 1 − .6 = .4:

    >>> of_gate, of_q = plan_voices(joint).levels
    >>> of_gate.nodes.tolist(), of_gate.cutting_rows.tolist()  # its only row is an undercut
    ([4], [0])
    >>> run = VoicePass(joint, None, plan_voices(joint))
    >>> run.pass_level(of_gate).round(3).tolist(), run.state[4].round(3).tolist()
    ([[0.916]], [0.4])

q hears two rows, each in a slot of its own, as s and t are two sources. Both pass the gate. Of the
joint premises the one that passes on the least is heard, f; so .5 · .4 nats arrive:

    >>> of_q.row_voices.tolist(), of_q.slot_of.tolist(), of_q.gated_rows.tolist()
    ([0, 1], [0, 1], [0, 1])
    >>> run.heard_parts(of_q).tolist()  # rows × scenarios, of which there is one
    [[0.0], [1.0]]
    >>> run.pass_level(of_q).round(3).tolist(), run.state[3].round(3).tolist()  # q: σ(.2)
    ([[0.0], [0.2]], [0.55])

**A circle.** Claim a (node 0) hears c, b (node 1) hears a and evidence e, and c (node 2) hears b.
What a says must not come back to a: where a is weighed, c is heard as one who may not quote a, and
there b as one who may quote neither. `CircleCopies` makes a copy for each such hearing, numbered
from 4, after e (node 3):

    >>> unfolded = unfold_circles(circle)
    >>> [circle.ids[number] for number in unfolded.origin[4:]]
    ['c', 'a', 'b', 'b', 'c', 'a']
    >>> list(zip(unfolded.arc_premise.tolist(), unfolded.arc_target.tolist(), strict=True))
    [(4, 0), (5, 1), (3, 1), (6, 2), (7, 4), (8, 5), (9, 6), (3, 6), (3, 7)]

a hears 4, c without a, which hears 7, b without a and c, which hears e alone. b hears e and 5, a
without b, which hears 8, c without a and b, who hears nobody. c hears 6, b without c, which hears e
and 9, a without b and c, who hears nobody. Now nothing is in a circle, and levels can be made:

    >>> [level.nodes.tolist() for level in plan_voices(circle).levels]
    [[5, 6, 7], [1, 2, 4], [0]]

In each hearing e is the only source, and counts once: a, b and c are all as strong as c above.

    >>> solve_by_voices(circle, None).state[:4, 0].round(2).tolist()  # a, b, c, e
    [0.69, 0.69, 0.69, 0.8]
"""
