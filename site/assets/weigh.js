/* Weighs the answer to a question again in the browser: with statements muted, works left out, evidence of
   another quality, other settings. It says what `kg whatif` says; the rules, and the names used here for what
   they speak of, stand in docs/how-strength-is-computed.md. It needs weigh-graph.js and weigh-plan.js. */
"use strict";
{
  const { buildGraph, makePlan, nodeOf } = window.kgWeigh;
  const { abs, exp, log, log1p, max, min, sign: signOf } = Math;
  const { entries, fromEntries } = Object;
  /* Each repeats the constant in kg/reasoning that is named beside it: with another value the browser could
     say something else than the program. */
  const MAX_LOG_ODDS = 700; // so that e to their power is a number: graph/arrays.py
  const LEAST_BASE = 1e-9; // so that nothing is divided by 0: graph/graph.py
  const MAX_UNDERCUT = 1 - 1e-12; // so that the logarithm of what is left is a number: default_rule/voice_pass.py
  const TIE_NATS = 1e-12; // nats that differ by less tie, as rounding may part them: default_rule/voice_pass.py
  const JUST_ABOVE_HALF = 1e-8; // more than rounding, too little to bend a slope: strengths_by_voices.py
  const LEAST_EFFECT = 1e-12; // a smaller slope is rounding: reasons/camp_views.py
  const LEAST_TOTAL = 5e-13; // a smaller sum of a camp is 0 to the twelve places of reasons/camp_views.py
  const ROUNDING = 1e-9; // strengths and nats that differ by less are equal: graph/arrays.py
  const clip = (odds) => max(-MAX_LOG_ODDS, min(MAX_LOG_ODDS, odds));
  const logOdds = (p) => clip(log(p) - log1p(-p));

  /* -- one pass from evidence to the answer, and one back -------------------------------------- */

  const forceOf = ({ evidence, voiced, strength }) =>
    voiced * (evidence ? strength : max(0, 2 * strength - 1));

  /* Of premises that count only together the weakest are heard, in equal parts. */
  const hearWeakestPremises = (copy) => {
    for (const items of copy.joints) {
      const forces = items.map(({ src }) => (copy.gate ? forceOf(src) : src.total));
      const most = min(...forces) + TIE_NATS;
      const count = forces.filter((force) => force <= most).length;
      items.forEach((item, number) => {
        item.hearing = forces[number] <= most ? 1 / count : 0;
      });
    }
  };

  /* What each row of a copy's arcs brings it, in nats; to a gate, what it takes of the reason. */
  const bringRows = (copy, { rows, voices }) => {
    const { brought } = rows;
    for (const { src, gate, size, fall, hearing, joint, rows: start, endRow } of copy.arcs) {
      const weight = size * (gate ? gate.strength : 1);
      const cut =
        copy.gate && src.total > 0 ? -log1p(-min(weight * forceOf(src), MAX_UNDERCUT)) / src.total : 0;
      const carried = (copy.gate ? cut : weight) * hearing;
      for (let row = start; row < endRow; row++)
        brought[row] = carried * (fall ? src.fall : voices.nats[rows.voice[row]]);
      for (let row = joint ? start : endRow; row < endRow; row++) {
        if (rows.first[row] === row) continue;
        brought[rows.first[row]] += brought[row];
        brought[row] = 0;
      }
    }
  };

  /* What counts of the rows of each source, and what that adds up to on either side. */
  const countSources = (copy, { rows, slots }, repeat) => {
    const { best, sum, counted } = slots;
    best.fill(0, copy.slots, copy.endSlot);
    sum.fill(0, copy.slots, copy.endSlot);
    for (let row = copy.rows; row < copy.endRow; row++) {
      const slot = rows.slot[row];
      const nats = rows.brought[row];
      if (nats > best[slot]) best[slot] = nats;
      sum[slot] += nats;
    }
    copy.pro = copy.con = 0;
    for (let slot = copy.slots; slot < copy.endSlot; slot++) {
      counted[slot] = (1 - repeat) * best[slot] + repeat * sum[slot];
      copy[slots.pro[slot] ? "pro" : "con"] += counted[slot];
    }
  };

  /* How strong each copy is (a gate: how far it is open) and what it passes on: of all, or of what the answer
     needs where `quiet` nodes say nothing, or where claims at one half are `raised` a hair above it, which
     tells what of them would be heard. */
  const pass = ({ nodes, settings }, plan, { quiet, raised } = {}) => {
    for (const copy of plan.copies) {
      if ((quiet || raised) && !copy.needed) continue;
      hearWeakestPremises(copy);
      bringRows(copy, plan);
      countSources(copy, plan, settings.repeat);
      if (copy.gate) copy.strength = exp(-copy.pro - copy.con);
      else {
        copy.voiced = quiet?.has(copy.node) ? 0 : 1;
        speak(copy, plan, nodes[copy.node], settings.gain, raised);
      }
    }
  };

  const speak = (copy, { slots, voices }, { base, whole, evidence }, gain, raised) => {
    const { voiced } = copy;
    const isRaised = raised && !evidence && abs(base - 0.5) < JUST_ABOVE_HALF;
    copy.base = isRaised ? 0.5 + JUST_ABOVE_HALF : base;
    const start = logOdds(copy.base);
    const own = max(start, 0);
    const backed = copy.pro + own;
    copy.strength = copy.base / (copy.base + (1 - copy.base) * exp(clip(copy.con - copy.pro)));
    copy.left = backed > 0 ? max(0, 1 - (copy.con + max(-start, 0)) / backed) : 0;
    copy.fall = voiced * gain * max(0, 1 - copy.strength / whole);
    const nats = voiced * (evidence ? gain * copy.strength : own * copy.left);
    copy.total = 0;
    for (let voice = copy.voices; voice < copy.endVoice; voice++) {
      voices.nats[voice] =
        voice < copy.passedOn
          ? nats * voices.part[voice]
          : voiced * slots.counted[voices.slot[voice]] * copy.left;
      copy.total += voices.nats[voice];
    }
  };

  /* By node the derivative of the answer by its base, as that rises: the chain rule from the end, through the
     pass that was made last. */
  const slopesOf = ({ nodes, settings: { gain, repeat } }, plan) => {
    const byBase = new Float64Array(nodes.length);
    for (const copy of plan.copies) copy.byStrength = copy.byPro = copy.byCon = copy.byFall = 0;
    plan.voices.by.fill(0);
    plan.root.byStrength = 1;
    for (let number = plan.copies.length - 1; number >= 0; number--) {
      const copy = plan.copies[number];
      if (!copy.needed) continue;
      if (copy.gate) copy.byPro -= copy.byStrength * copy.strength;
      else byBase[copy.node] += throughStatement(copy, plan, nodes[copy.node].whole, gain);
      throughArcs(copy, plan, repeat);
    }
    return byBase;
  };

  const throughStatement = (copy, { slots, voices }, whole, gain) => {
    const { base, pro, con, strength, left } = copy;
    if (strength < whole) copy.byStrength -= (copy.byFall * gain) / whole;
    let own = 0;
    let byLeft = 0;
    for (let voice = copy.voices; voice < copy.passedOn; voice++)
      own += voices.by[voice] * voices.part[voice];
    if (copy.evidence) copy.byStrength += own * gain;
    const byOdds = copy.byStrength * strength * (1 - strength);
    copy.byPro += byOdds;
    copy.byCon -= byOdds;
    if (copy.evidence) {
      const decay = exp(clip(con - pro));
      return (copy.byStrength * decay) / (base + (1 - base) * decay) ** 2;
    }
    const start = logOdds(base);
    const backed = pro + max(start, 0);
    const opposed = con + max(-start, 0);
    for (let voice = copy.passedOn; voice < copy.endVoice; voice++)
      byLeft += voices.by[voice] * slots.counted[voices.slot[voice]];
    byLeft = left > 0 ? (byLeft + own * max(start, 0)) / backed : 0;
    const byBacked = left > 0 ? (byLeft * opposed) / backed : 0;
    copy.byPro += byBacked;
    copy.byCon -= byLeft;
    const rise = base >= 0.5 ? own * left + byBacked + byOdds : byOdds + byLeft;
    return rise / max(base * (1 - base), LEAST_BASE);
  };

  /* Equally good rows of a slot share what is heard of the best. */
  const isBest = (row, { rows, slots }) =>
    rows.brought[row] > 0 && rows.brought[row] >= slots.best[rows.slot[row]] - TIE_NATS;
  const countTies = (copy, { rows, slots }) => {
    slots.ties.fill(0, copy.slots, copy.endSlot);
    for (let row = copy.rows; row < copy.endRow; row++)
      if (isBest(row, { rows, slots })) slots.ties[rows.slot[row]]++;
  };
  const partHeard = (row, { rows, slots }, repeat) =>
    (isBest(row, { rows, slots }) ? (1 - repeat) / slots.ties[rows.slot[row]] : 0) + repeat;

  /* By node what each direct reason that counts adds to a copy, in nats, negative if against; each premise of a joint
     reason has all that this adds. It tells of the pass that was made last. */
  const sharesOf = (copy, { rows, slots }, repeat) => {
    const [shares, byArc] = [new Map(), new Map()];
    countTies(copy, { rows, slots });
    for (const arc of copy.arcs) {
      let share = 0;
      for (let row = arc.rows; row < arc.endRow; row++)
        share +=
          rows.brought[row] * partHeard(row, { rows, slots }, repeat) * (slots.pro[rows.slot[row]] ? 1 : -1);
      byArc.set(arc, share);
    }
    for (const premises of copy.joints) {
      const whole = premises.reduce((sum, arc) => sum + byArc.get(arc), 0);
      for (const arc of premises) byArc.set(arc, whole);
    }
    for (const [{ src }, share] of byArc) shares.set(src.node, (shares.get(src.node) ?? 0) + share);
    return new Map([...shares].filter(([, share]) => abs(share) > LEAST_EFFECT));
  };

  /* From reasons to the voices and gates that bring them. */
  const throughArcs = (copy, { rows, slots, voices }, repeat) => {
    for (let slot = copy.slots; slot < copy.endSlot; slot++)
      slots.by[slot] = slots.pro[slot] ? copy.byPro : copy.byCon;
    for (let voice = copy.passedOn; voice < copy.endVoice; voice++)
      slots.by[voices.slot[voice]] += voices.by[voice] * copy.left;
    countTies(copy, { rows, slots });
    for (const { src, gate, size, fall, hearing, rows: start, endRow } of copy.arcs) {
      const weight = size * (gate ? gate.strength : 1);
      let byGate = 0;
      let byForce = 0;
      for (let row = start; row < endRow; row++) {
        const slot = rows.slot[row];
        const voice = rows.voice[row];
        const nats = fall ? src.fall : voices.nats[voice];
        const by = slots.by[slot] * hearing * partHeard(rows.first[row], { rows, slots }, repeat);
        if (copy.gate) byForce += by * (src.total > 0 ? nats / src.total : 1 / (src.endVoice - src.voices));
        else if (fall) src.byFall += by * weight;
        else voices.by[voice] += by * weight;
        byGate += by * size * nats;
      }
      if (copy.gate) {
        const force = forceOf(src);
        byForce /= 1 - min(weight * force, MAX_UNDERCUT);
        byGate = byForce * size * force;
        /* at one half the slope to the right, as bases are asked what they do when they rise */
        src.byStrength += byForce * weight * (src.evidence ? 1 : src.strength >= 0.5 - TIE_NATS ? 2 : 0);
      }
      if (gate) gate.byStrength += byGate;
    }
  };

  /* -- camps ----------------------------------------------------------------------------------- */

  /* By node the side on which its chains of edges lead to the answer: 0 for neither, or for both. */
  const sidesOfChains = ({ into, asks }) => {
    const sides = new Map([[asks, new Set([1])]]);
    const waiting = [[asks, 1]];
    for (const [node, side] of waiting) {
      for (const { src, gate, weight, fall } of into[node]) {
        const sign = signOf(weight);
        for (const [end, sideOfEnd] of [
          [src, side * (fall ? 1 : sign)],
          [gate, -side * sign],
        ]) {
          const known = sides.get(end) ?? new Set();
          if (end < 0 || known.has(sideOfEnd)) continue;
          sides.set(end, known.add(sideOfEnd));
          waiting.push([end, sideOfEnd]);
        }
      }
    }
    return (node) => [...(sides.get(node) ?? [])].reduce((sum, side) => sum + side, 0);
  };

  /* By node how far its strength, less what it starts from, moves the answer, and by camp the nodes that it
     alone would not hear: other camps', and what speaks against its side. */
  const campsOf = (data, graph, plan, strengths) => {
    const { asks, nodes } = graph;
    const chain = sidesOfChains(graph);
    pass(graph, plan, { raised: true });
    const slopes = slopesOf(graph, plan);
    const members = [...strengths.keys()];
    const campOf = (node) => (node === asks ? undefined : data.statements[node].camp);
    const sideOf = (node) =>
      node === asks ? 0 : abs(slopes[node]) > LEAST_EFFECT ? signOf(slopes[node]) : chain(node);
    const place = (camp) => data.camps.indexOf(camp) + 1 || Infinity;
    const camps = [...new Set(members.map(campOf))]
      .filter(Boolean)
      .sort((camp, other) => place(camp) - place(other) || (camp < other ? -1 : 1));
    const moves = new Map(
      members.map((node) => [
        node,
        slopes[node] * max(strengths.get(node) - (nodes[node].evidence ? 0 : 0.5), 0),
      ]),
    );
    const signs = new Map(
      camps.map((camp) => {
        const own = members.filter((node) => campOf(node) === camp);
        const total =
          own.reduce((sum, node) => sum + moves.get(node), 0) ||
          own.reduce((sum, node) => sum + slopes[node], 0);
        return [camp, abs(total) > LEAST_TOTAL ? signOf(total) : 0];
      }),
    );
    const opposed = (side) => new Set(members.filter((node) => sideOf(node) * side < 0));
    if (camps.length < 2) return { moves, quiet: { for: opposed(1), against: opposed(-1) } };
    const unheard = (camp) =>
      new Set(
        members.filter((node) => (campOf(node) ? campOf(node) !== camp : sideOf(node) * signs.get(camp) < 0)),
      );
    return { moves, quiet: fromEntries(camps.map((camp) => [camp, unheard(camp)])) };
  };

  /* -- the whole ------------------------------------------------------------------------------- */

  const wordFor = (
    strength,
    pro,
    con,
    { open_below, even_within, contested_below, leaning_below, strong_from },
  ) => {
    const firm = max(strength, 1 - strength);
    const toward = strength > 0.5 ? "supported" : "refuted";
    const least = open_below - ROUNDING;
    if (max(pro, con) < least) return "open";
    if (abs(strength - 0.5) < even_within - ROUNDING) return "evenly balanced";
    if (firm < contested_below - ROUNDING) return min(pro, con) >= least ? "contested" : `thinly ${toward}`;
    if (firm < leaning_below - ROUNDING) return `leans ${toward}`;
    return firm < strong_from - ROUNDING ? toward : `strongly ${toward}`;
  };

  /* A strength to two places, as render_strength in kg/reasoning/strength_words.py words it. */
  const strengthInWords = (
    { settings: { even_within, contested_below, leaning_below, strong_from } },
    strength,
  ) => {
    const bounds = [contested_below, leaning_below, strong_from, 0.5 + even_within];
    const two = Number(strength.toFixed(2));
    const boundsWithin = (value) =>
      bounds.filter((bound) => max(value, 1 - value) >= bound - ROUNDING).length;
    return boundsWithin(two) === boundsWithin(strength)
      ? strength.toFixed(2)
      : `just ${two > strength ? "under" : "over"} ${strength.toFixed(2)}`;
  };

  /* The plan of the last scenario of each line, which serves all that differ in bases, gain and repeat
     alone. */
  const plans = new WeakMap();
  const planOf = (data, graph, { mute, falls, only, since, cut = [] }) => {
    const name = JSON.stringify([
      mute,
      falls,
      only,
      since ?? 0,
      [...cut],
      { ...graph.settings, gain: 0, repeat: 0 },
    ]);
    if (plans.get(data)?.name !== name) {
      plans.set(data, { name, plan: makePlan(graph) });
    }
    return plans.get(data).plan;
  };

  /* What the answer is in a scenario: {mute: ids of statements, falls: keys of works, base: {id: quality},
     only: some of "read", "reviewed" and "people", since: a year, cut: a set of the numbers of edges that do
     not count, settings: {gain: …}}. Strengths and `moves` are by id, of all that bear on it then, and
     `shares` of its direct reasons; `camps` are what each alone would see. Null where circles are too large. */
  const weigh = (data, scenario = {}) => {
    const graph = buildGraph(data, scenario, { ...data.settings, ...scenario.settings });
    const plan = planOf(data, graph, scenario);
    if (!plan) return null;
    pass(graph, plan);
    const strengths = new Map([...plan.roots].map(([node, root]) => [node, plan.copies[root].strength]));
    const { strength, pro, con, base } = plan.root;
    const start = graph.nodes[graph.asks].evidence ? 0 : logOdds(base);
    const answer = { strength, pro: pro + max(start, 0), con: con + max(-start, 0) };
    const shares = sharesOf(plan.root, plan, graph.settings.repeat);
    const { moves, quiet } = campsOf(data, graph, plan, strengths);
    const camps = {};
    for (const [camp, unheard] of entries(quiet)) {
      pass(graph, plan, { quiet: unheard });
      camps[camp] = plan.root.strength;
    }
    const byId = (found) =>
      fromEntries(
        data.statements
          .map(({ id }, number) => [id, found.get(nodeOf(data, number))])
          .filter(([, value]) => value !== undefined),
      );
    return {
      ...answer,
      word: wordFor(strength, answer.pro, answer.con, graph.settings),
      strengths: byId(strengths),
      moves: byId(moves),
      shares: byId(shares),
      camps,
    };
  };

  /* Where an answer stands on a scale, as held_strength in kg/reasoning/sureness_words.py finds it: no
     farther than its word reaches; `reach` has how far each does. */
  const heldStrength = (reach, sureness, side, strength) =>
    side && sureness ? 0.5 + side * min(abs(strength - 0.5), reach[sureness]) : strength;

  /* Where a strength lies on the scale, as place_on_scale in kg/publish/graphics/dial.py finds it. */
  const placeOnScale = (steps, strength) => {
    const distance = abs(strength - 0.5);
    const step = steps.findLastIndex(([bound]) => bound <= distance);
    const [low, start] = steps[step];
    const [high, end] = steps[step + 1] ?? [1, start];
    return 0.5 + (strength > 0.5 ? 1 : -1) * (start + ((end - start) * (distance - low)) / (high - low));
  };

  Object.assign(window.kgWeigh, { weigh, strengthInWords, heldStrength, placeOnScale });
}
