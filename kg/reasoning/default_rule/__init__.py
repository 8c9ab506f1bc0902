"""Strengths by the default rule: each independent source counts once, by its best voice.

`unfolded_circles` unfolds circles, `voice_planner` puts the result in order as a `voice_plan`,
and `voice_pass` evaluates that for `strengths_by_voices`, which has the formulas and the
derivatives.

An example. Evidence e (node 0, strength .8, source s) supports claim c (node 1) by arc 0 and, less
strongly (.6), question q (node 2) by arc 2; c supports q by arc 1. A *voice* is what one node
passes on of one source, in nats. `VoicePlan` has three, one of s at each node:

    speaker      0 1 2      the node of each voice
    source group 0 0 0      its source: all are of s
    voice_start  0 1 2      per node its first voice

Nothing bears on e, so it is in `bare`. c is the target of the first `Level`, q of the second:

                 c     q
    rows         0     1 0     the voices heard: q hears that of c and that of e
    arcs         0     1 2     the arcs that carry them
    size         1     1 .6    the weights of those arcs
    slot_of      0     0 0     both rows at q are of one source for one side: they share a slot

The best row of a slot counts. e passes on .8 nats; c hears 1 · .8 and passes on as much; q hears
the better of 1 · .8 and .6 · .8, so s counts once, and `pro` of q is .8: σ(.8) = .69.
"""
