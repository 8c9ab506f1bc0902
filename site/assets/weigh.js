/* Weighs the answer to a question again in the browser: with statements muted, works left out, evidence of
   another quality, other settings. It says what `kg whatif` says; the rules, and the names used here for what
   they speak of, stand in docs/how-strength-is-computed.md. It needs weigh-graph.js and weigh-plan.js. */
"use strict";
{
  const { buildGraph, makePlan, nodeOf } = window.kgWeigh;
  const { abs, exp, log, log1p, max, min, sign: signOf } = Math;
  const { entries, fromEntries } = Object;
  const MOST_LOG_ODDS = 700;
  const LEAST_BASE = 1e-9;
  const CLOSED = 1 - 1e-12;
  const TIE = 1e-12;
  const HAIR = 1e-8;
  const NO_SLOPE = 1e-12;
  const SLACK = 1e-9;
  const clip = (odds) => max(-MOST_LOG_ODDS, min(MOST_LOG_ODDS, odds));
  const logOdds = (p) => clip(log(p) - log1p(-p));

  /* -- one pass from evidence to the answer, and one back -------------------------------------- */

  const forceOf = ({ evidence, voiced, s }) => voiced * (evidence ? s : max(0, 2 * s - 1));

  /* How strong each copy is and what it passes on: of all, or of what the answer needs where `quiet` nodes
     say nothing, or claims at one half start a hair above it, which tells what of them would be heard. */
  const pass = (
    { nodes, settings: { gain, repeat } },
    { copies, rows, slots, voices },
    { quiet, raised } = {},
  ) => {
    const { brought } = rows;
    const { best, sum, counted } = slots;
    const { nats } = voices;
    for (const copy of copies) {
      if ((quiet || raised) && !copy.needed) continue;
      for (const items of copy.joints) {
        const forces = items.map(({ src }) => (copy.gate ? forceOf(src) : src.total));
        const least = min(...forces) + TIE;
        const count = forces.filter((one) => one <= least).length;
        items.forEach((item, at) => {
          item.hearing = forces[at] <= least ? 1 / count : 0;
        });
      }
      for (const { src, gate, size, fall, hearing, joint, rows: from, endRow } of copy.arcs) {
        const weight = size * (gate ? gate.s : 1);
        const cut = copy.gate && src.total > 0 ? -log1p(-min(weight * forceOf(src), CLOSED)) / src.total : 0;
        const carried = (copy.gate ? cut : weight) * hearing;
        for (let row = from; row < endRow; row++)
          brought[row] = carried * (fall ? src.fall : nats[rows.voice[row]]);
        for (let row = joint ? from : endRow; row < endRow; row++) {
          if (rows.first[row] === row) continue;
          brought[rows.first[row]] += brought[row];
          brought[row] = 0;
        }
      }
      best.fill(0, copy.slots, copy.endSlot);
      sum.fill(0, copy.slots, copy.endSlot);
      for (let row = copy.rows; row < copy.endRow; row++) {
        const slot = rows.slot[row];
        if (brought[row] > best[slot]) best[slot] = brought[row];
        sum[slot] += brought[row];
      }
      copy.pro = copy.con = 0;
      for (let slot = copy.slots; slot < copy.endSlot; slot++) {
        counted[slot] = (1 - repeat) * best[slot] + repeat * sum[slot];
        copy[slots.pro[slot] ? "pro" : "con"] += counted[slot];
      }
      if (copy.gate) copy.s = exp(-copy.pro - copy.con);
      else speak(copy, voices, counted, nodes[copy.node], gain, quiet?.has(copy.node) ? 0 : 1, raised);
    }
  };

  const speak = (copy, voices, counted, { base, whole, evidence }, gain, voiced, raised) => {
    copy.base = raised && !evidence && abs(base - 0.5) < HAIR ? 0.5 + HAIR : base;
    const start = logOdds(copy.base);
    const own = max(start, 0);
    const backed = copy.pro + own;
    copy.s = copy.base / (copy.base + (1 - copy.base) * exp(clip(copy.con - copy.pro)));
    copy.voiced = voiced;
    copy.left = backed > 0 ? max(0, 1 - (copy.con + max(-start, 0)) / backed) : 0;
    copy.fall = voiced * gain * max(0, 1 - copy.s / whole);
    const nats = voiced * (evidence ? gain * copy.s : own * copy.left);
    copy.total = 0;
    for (let at = copy.voices; at < copy.endVoice; at++) {
      voices.nats[at] =
        at < copy.passedOn ? nats * voices.part[at] : voiced * counted[voices.slot[at]] * copy.left;
      copy.total += voices.nats[at];
    }
  };

  /* By node the derivative of the answer by its base, as that rises: the chain rule from the end, through the
     pass that was made last. */
  const slopesOf = ({ nodes, settings: { gain, repeat } }, plan) => {
    const byBase = new Float64Array(nodes.length);
    for (const copy of plan.copies) copy.byS = copy.byPro = copy.byCon = copy.byFall = 0;
    plan.voices.by.fill(0);
    plan.root.byS = 1;
    for (let at = plan.copies.length - 1; at >= 0; at--) {
      const copy = plan.copies[at];
      if (!copy.needed) continue;
      if (copy.gate) copy.byPro -= copy.byS * copy.s;
      else byBase[copy.node] += throughStatement(copy, plan, nodes[copy.node].whole, gain);
      throughArcs(copy, plan, repeat);
    }
    return byBase;
  };

  const throughStatement = (copy, { slots, voices }, whole, gain) => {
    const { base, pro, con, s, left } = copy;
    if (s < whole) copy.byS -= (copy.byFall * gain) / whole;
    let own = 0;
    let byLeft = 0;
    for (let at = copy.voices; at < copy.passedOn; at++) own += voices.by[at] * voices.part[at];
    if (copy.evidence) copy.byS += own * gain;
    const byOdds = copy.byS * s * (1 - s);
    copy.byPro += byOdds;
    copy.byCon -= byOdds;
    if (copy.evidence) {
      const decay = exp(clip(con - pro));
      return (copy.byS * decay) / (base + (1 - base) * decay) ** 2;
    }
    const start = logOdds(base);
    const backed = pro + max(start, 0);
    const opposed = con + max(-start, 0);
    for (let at = copy.passedOn; at < copy.endVoice; at++)
      byLeft += voices.by[at] * slots.counted[voices.slot[at]];
    byLeft = left > 0 ? (byLeft + own * max(start, 0)) / backed : 0;
    const byBacked = left > 0 ? (byLeft * opposed) / backed : 0;
    copy.byPro += byBacked;
    copy.byCon -= byLeft;
    const rise = base >= 0.5 ? own * left + byBacked + byOdds : byOdds + byLeft;
    return rise / max(base * (1 - base), LEAST_BASE);
  };

  /* From reasons to the voices and gates that bring them; equally good rows of a slot share. */
  const throughArcs = (copy, { rows, slots, voices }, repeat) => {
    for (let slot = copy.slots; slot < copy.endSlot; slot++) {
      slots.by[slot] = slots.pro[slot] ? copy.byPro : copy.byCon;
      slots.ties[slot] = 0;
    }
    for (let at = copy.passedOn; at < copy.endVoice; at++)
      slots.by[voices.slot[at]] += voices.by[at] * copy.left;
    const isBest = (row) => rows.brought[row] > 0 && rows.brought[row] >= slots.best[rows.slot[row]] - TIE;
    for (let row = copy.rows; row < copy.endRow; row++) if (isBest(row)) slots.ties[rows.slot[row]]++;
    for (const { src, gate, size, fall, hearing, rows: from, endRow } of copy.arcs) {
      const weight = size * (gate ? gate.s : 1);
      let byGate = 0;
      let byForce = 0;
      for (let row = from; row < endRow; row++) {
        const slot = rows.slot[row];
        const voice = rows.voice[row];
        const nats = fall ? src.fall : voices.nats[voice];
        const by =
          slots.by[slot] *
          hearing *
          ((isBest(rows.first[row]) ? (1 - repeat) / slots.ties[slot] : 0) + repeat);
        if (copy.gate) byForce += by * (src.total > 0 ? nats / src.total : 1 / (src.endVoice - src.voices));
        else if (fall) src.byFall += by * weight;
        else voices.by[voice] += by * weight;
        byGate += by * size * nats;
      }
      if (copy.gate) {
        const force = forceOf(src);
        byForce /= 1 - min(weight * force, CLOSED);
        byGate = byForce * size * force;
        /* at one half the slope to the right, as bases are asked what they do when they rise */
        src.byS += byForce * weight * (src.evidence ? 1 : src.s >= 0.5 - TIE ? 2 : 0);
      }
      if (gate) gate.byS += byGate;
    }
  };

  /* -- camps ----------------------------------------------------------------------------------- */

  /* By node the side on which its chains of edges lead to the answer: 0 for neither, or for both. */
  const sidesOfChains = ({ into, asks }) => {
    const sides = new Map([[asks, new Set([1])]]);
    const waiting = [[asks, 1]];
    for (const [node, side] of waiting) {
      for (const { src, gate, w, fall } of into[node]) {
        const sign = signOf(w);
        for (const [one, step] of [
          [src, side * (fall ? 1 : sign)],
          [gate, -side * sign],
        ]) {
          const known = sides.get(one) ?? new Set();
          if (one < 0 || known.has(step)) continue;
          sides.set(one, known.add(step));
          waiting.push([one, step]);
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
      node === asks ? 0 : abs(slopes[node]) > NO_SLOPE ? signOf(slopes[node]) : chain(node);
    const place = (camp) => data.camps.indexOf(camp) + 1 || Infinity;
    const camps = [...new Set(members.map(campOf))]
      .filter(Boolean)
      .sort((one, other) => place(one) - place(other) || (one < other ? -1 : 1));
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
        return [camp, abs(total) > 5e-13 ? signOf(total) : 0];
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
    const least = open_below - SLACK;
    if (max(pro, con) < least) return "open";
    if (abs(strength - 0.5) < even_within - SLACK) return "evenly balanced";
    if (firm < contested_below - SLACK) return min(pro, con) >= least ? "contested" : `thinly ${toward}`;
    if (firm < leaning_below - SLACK) return `leans ${toward}`;
    return firm < strong_from - SLACK ? toward : `strongly ${toward}`;
  };

  /* A strength to two places, as render_strength in kg/reasoning/strength_words.py words it. */
  const strengthInWords = (
    { settings: { even_within, contested_below, leaning_below, strong_from } },
    strength,
  ) => {
    const bounds = [contested_below, leaning_below, strong_from, 0.5 + even_within];
    const two = Number(strength.toFixed(2));
    const boundsWithin = (one) => bounds.filter((bound) => max(one, 1 - one) >= bound - SLACK).length;
    return boundsWithin(two) === boundsWithin(strength)
      ? strength.toFixed(2)
      : `just ${two > strength ? "under" : "over"} ${strength.toFixed(2)}`;
  };

  /* The plan of the last scenario of each line, which serves all that differ in bases, gain and repeat
     alone. */
  const plans = new WeakMap();
  const planOf = (data, graph, { mute, falls, only, since }) => {
    const name = JSON.stringify([mute, falls, only, since ?? 0, { ...graph.settings, gain: 0, repeat: 0 }]);
    if (plans.get(data)?.name !== name) {
      plans.set(data, { name, plan: makePlan(graph) });
    }
    return plans.get(data).plan;
  };

  /* What the answer is in a scenario: {mute: ids of statements, falls: keys of works, base: {id: quality},
     only: some of "read", "reviewed" and "people", since: a year, settings: {gain: …}}. Strengths and `moves`
     are by id, of all that bear on it then; `camps` are what each alone would see. Null where circles are too
     large. */
  const weigh = (data, scenario = {}) => {
    const graph = buildGraph(data, scenario, { ...data.settings, ...scenario.settings });
    const plan = planOf(data, graph, scenario);
    if (!plan) return null;
    pass(graph, plan);
    const strengths = new Map([...plan.roots].map(([node, root]) => [node, plan.copies[root].s]));
    const { s: strength, pro, con, base } = plan.root;
    const start = graph.nodes[graph.asks].evidence ? 0 : logOdds(base);
    const answer = { strength, pro: pro + max(start, 0), con: con + max(-start, 0) };
    const { moves, quiet } = campsOf(data, graph, plan, strengths);
    const camps = {};
    for (const [camp, unheard] of entries(quiet)) {
      pass(graph, plan, { quiet: unheard });
      camps[camp] = plan.root.s;
    }
    const byId = (found) =>
      fromEntries(
        data.statements
          .map(({ id }, at) => [id, found.get(nodeOf(data, at))])
          .filter(([, one]) => one !== undefined),
      );
    return {
      ...answer,
      word: wordFor(strength, answer.pro, answer.con, graph.settings),
      strengths: byId(strengths),
      moves: byId(moves),
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
    const at = steps.findLastIndex(([bound]) => bound <= distance);
    const [low, start] = steps[at];
    const [high, end] = steps[at + 1] ?? [1, start];
    return 0.5 + (strength > 0.5 ? 1 : -1) * (start + ((end - start) * (distance - low)) / (high - low));
  };

  Object.assign(window.kgWeigh, { weigh, strengthInWords, heldStrength, placeOnScale });
}
