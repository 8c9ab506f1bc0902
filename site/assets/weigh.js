/* Weighs a line's answer again in the browser: with statements muted, works fallen, evidence of another
   quality, other settings. It says what `kg whatif` says; the rules, and the names used here for
   what they speak of, stand in docs/how-strength-is-computed.md. */
"use strict";
(() => {
  const { abs, exp, log, log1p, max, min, sign: signOf } = Math;
  const { entries, fromEntries, values } = Object, ints = (length) => new Int32Array(length);
  const setOf = (items) => new Set(items), mapOf = (pairs) => new Map(pairs);
  const MOST_COPIES = 20000, MOST_LOG_ODDS = 700, LEAST_BASE = 1e-9;
  const CLOSED = 1 - 1e-12, TIE = 1e-12, HAIR = 1e-8, NO_SLOPE = 1e-12, SLACK = 1e-9;
  const SIGN = { supports: 1, contradicts: -1, qualifies: -1 };
  const clip = (odds) => max(-MOST_LOG_ODDS, min(MOST_LOG_ODDS, odds));
  const logOdds = (p) => clip(log(p) - log1p(-p));

  /* -- what counts in a scenario --------------------------------------------------------------- */

  /* Statements that are the same are one node, numbered like the first of them. */
  const nodeOf = ({ statements }, at) => statements[at].one ?? at;

  const mutedNodes = (data, { mute = [], only = [], since }) => {
    const named = setOf(mute), muted = setOf(), evidence = setOf(), kept = setOf();
    data.statements.forEach((one, at) => {
      const node = nodeOf(data, at);
      if (named.has(one.id)) muted.add(node);
      if (one.quality === undefined) return;
      evidence.add(node);
      if (only.every((filter) => one[filter]) && (!since || one.year >= since)) kept.add(node);
    });
    for (const node of evidence) if (!kept.has(node) && node !== nodeOf(data, data.asks)) muted.add(node);
    return muted;
  };

  /* By node the independent sources of evidence, each with its part, and the base of each node. */
  const baseNodes = (data, muted, fallen) => {
    const { statements, works, keys, units } = data;
    const above = [...Array(units).keys()];
    const find = (unit) => (above[unit] === unit ? unit : (above[unit] = find(above[unit])));
    const bearers = keys.map((key) => key.bearers ?? 0);
    const borne = (at) => (muted.has(nodeOf(data, at)) ? [] : statements[at].keys ?? []);
    statements.forEach(({ works: cited = [] }, at) => {
      const own = borne(at);
      for (const key of own) bearers[key]++;
      if (cited.length > 1 || !own.length) return;
      const first = find(keys[own[0]].unit);
      for (const one of [...own.map((key) => keys[key]), ...cited.map((work) => works[work])]) above[find(one.unit)] = first;
    });
    const parts = (at, cited) => {
      const own = borne(at), many = statements[at].works?.length > 1;
      const told = many ? own.filter((key) => bearers[key] > 1) : cited.length ? [] : own.slice(0, 1);
      const names = told.length ? told.map((key) => keys[key]) : cited.map((work) => works[work]);
      const found = mapOf();
      for (const { unit } of names) found.set(find(unit), (found.get(find(unit)) ?? 0) + 1 / names.length);
      return names.length ? found : mapOf([[units + at, 1]]);
    };
    const nodes = statements.map((one, at) => (nodeOf(data, at) === at ? { whole: 0.5, base: 0.5, heard: 0, parts: mapOf() } : null));
    statements.forEach(({ quality, works: cited = [] }, at) => {
      if (quality === undefined) return;
      const node = nodes[nodeOf(data, at)];
      const listed = cited.filter((work) => works[work].title !== undefined);
      const left = cited.filter((work) => !fallen.has(work));
      const lost = cited.length - left.length;
      const base = quality * (listed.length ? 1 - lost / listed.length : 1);
      if (!node.evidence || quality > node.whole || (quality === node.whole && base > node.base)) Object.assign(node, { whole: quality, base });
      node.evidence = true;
      const standing = lost && !left.length ? mapOf() : parts(at, left);
      node.heard += signOf(standing.size);
      for (const unit of parts(at, cited).keys()) node.parts.set(unit, node.parts.get(unit) ?? 0);
      for (const [unit, part] of standing) node.parts.set(unit, (node.parts.get(unit) ?? 0) + part);
    });
    nodes.forEach((node, at) => {
      if (!node) return;
      const found = node.evidence ? [...node.parts] : [[units + at, 1]];
      node.units = found.map(([unit]) => unit);
      node.parts = found.map(([, part]) => part / (node.heard || 1));
      node.whole = max(node.whole, LEAST_BASE);
    });
    return nodes;
  };

  /* Statements that pass nothing on, as something that counts supersedes them. */
  const supersededStatements = ({ edges, statements, works, ...data }, muted, fallen) => {
    const later = mapOf();
    for (const { from, relation, to } of edges) {
      const listed = (statements[from].works ?? []).filter((work) => works[work].title !== undefined);
      const gone = listed.length && listed.every((work) => fallen.has(work));
      if (relation === "supersedes" && !gone && !muted.has(nodeOf({ statements }, from))) later.set(to, [...(later.get(to) ?? []), from]);
    }
    const leadsTo = (first, last) => {
      const seen = setOf([first]);
      for (const at of seen) {
        if (at === last) return true;
        for (const next of later.get(at) ?? []) seen.add(next);
      }
      return false;
    };
    return setOf([...later.keys()].filter((old) => later.get(old).some((fresh) => !leadsTo(fresh, old))));
  };

  const weightOf = ({ relation, strength, panel }, settings) => {
    const limit = relation === "qualifies" ? settings.qualifies : 1;
    const noted = { moderate: settings.moderate, weak: settings.weak }[strength] ?? 1;
    if (panel && relation in SIGN) return panel[0] * limit * (panel[1] === 1 ? noted : 1);
    return (SIGN[relation] ?? 1) * limit * noted;
  };

  /* Nodes and the arcs between them that may bear on the answer. Gates are numbered after statements. */
  const graphOf = (data, scenario, settings) => {
    const fallen = setOf(scenario.falls ?? []);
    const lost = setOf(data.works.flatMap((work, at) => (work.fallen || (work.title !== undefined && fallen.has(work.key)) ? [at] : [])));
    const muted = mutedNodes(data, scenario), nodes = baseNodes(data, muted, lost), old = supersededStatements(data, muted, lost);
    const places = mapOf(data.statements.map(({ id }, at) => [id, nodeOf(data, at)]));
    for (const [id, base] of entries(scenario.base ?? {})) if (places.has(id)) nodes[places.get(id)].base = base;
    const size = nodes.length, arcs = [], weighed = [], gates = mapOf();
    let joints = 0;
    data.edges.forEach((edge, at) => {
      const { relation, to, with: others = [] } = edge, undercuts = relation === "undercuts";
      const [from, target] = [nodeOf(data, edge.from), undercuts ? to : nodeOf(data, to)];
      const add = (src, dst, joint = -1) => {
        arcs.push({ src, dst, w: weightOf(edge, settings), fall: relation === "depends-on", joint, edge: at });
        weighed[at] = true;
      };
      const live = !old.has(edge.from);
      if (relation === "supersedes" || (!undercuts && from === target)) return;
      if (relation === "depends-on") {
        if (live) add(target, from);
        if (live) arcs.at(-1).w *= -1;
      } else if (undercuts ? weighed[to] && live : live || (edge.both && !old.has(to))) {
        const end = undercuts ? gates.get(to) ?? size + gates.size : target;
        const premises = setOf([edge.from, ...others].map((one) => nodeOf(data, one)));
        if (others.some((one) => old.has(one)) || premises.has(end)) return;
        if (undercuts) gates.set(to, end);
        const joint = premises.size > 1 ? joints++ : -1;
        if (live) for (const premise of premises) add(premise, end, joint);
        if (edge.both && !old.has(to)) add(target, from);
      }
    });
    const mute = setOf(arcs.filter((arc) => muted.has(arc.src) && arc.joint >= 0).map((arc) => arc.joint));
    const into = [...Array(size + gates.size)].map(() => []);
    for (const arc of arcs) {
      arc.gate = gates.get(arc.edge) ?? -1;
      if (muted.has(arc.src) || mute.has(arc.joint)) arc.w = 0;
      into[arc.dst].push(arc);
    }
    return { nodes, size, into, units: data.units + size, asks: nodeOf(data, data.asks), settings };
  };

  /* -- circles: each statement is weighed as if nothing that rests on it spoke ------------------- */

  const endsBefore = (arc) => (arc.gate < 0 ? [arc.src] : [arc.src, arc.gate]);

  /* Whatever has a way to the answer, by edges that weigh nothing too. */
  const ancestors = ({ into, asks }) => {
    const seen = setOf([asks]);
    for (const node of seen) for (const arc of into[node]) for (const one of endsBefore(arc)) seen.add(one);
    return seen;
  };

  /* The number of the circle in which each node stands, or -1 (Tarjan's algorithm). */
  const circlesOf = (into, reached) => {
    const circle = ints(into.length).fill(-1), index = ints(into.length), low = ints(into.length);
    const stack = [], open = setOf();
    let count = 0, circles = 0;
    const visit = (node) => {
      index[node] = low[node] = ++count;
      stack.push(node);
      open.add(node);
      for (const arc of into[node]) {
        for (const one of arc.w ? endsBefore(arc) : []) {
          if (!index[one]) visit(one);
          if (open.has(one)) low[node] = min(low[node], low[one]);
        }
      }
      if (low[node] !== index[node]) return;
      const members = stack.splice(stack.indexOf(node));
      for (const one of members) open.delete(one);
      if (members.length < 2) return;
      for (const one of members) circle[one] = circles;
      circles++;
    };
    for (const node of reached) if (!index[node]) visit(node);
    return circle;
  };

  /* Copies of nodes, one for each context, each after all that bears on it; null where there are too many.
     Contexts are sets of nodes of one circle that may not speak, each kept once with its copies. */
  const unfold = ({ into, size }, reached) => {
    const circle = circlesOf(into, reached), contexts = mapOf(), copies = [], counts = [];
    const heard = into.map((arcs) => arcs.filter((arc) => arc.w));
    const inside = (one, node) => one >= 0 && circle[one] >= 0 && circle[one] === circle[node];
    heard.forEach((arcs, node) => {
      for (const arc of arcs) {
        const joined = arc.joint < 0 ? [arc] : arcs.filter(({ joint }) => joint === arc.joint);
        arc.premises = joined.map(({ src }) => src).filter((one) => inside(one, node));
        arc.ends = [arc.src, arc.gate].filter((one) => inside(one, node));
      }
    });
    const arcsInCircle = heard.map((arcs) => arcs.filter(({ premises, ends }) => premises.length || ends.length));
    const kept = (members) => {
      const name = members.sort((a, b) => a - b).join();
      if (!contexts.has(name)) contexts.set(name, { members, copy: mapOf(), wide: mapOf() });
      return contexts.get(name);
    };
    const nothing = kept([]), silent = new Uint8Array(into.length), seen = new Uint8Array(into.length);
    /* Of those silent, the ones that would be heard at `node`: the others make no difference. */
    const narrowContext = (node, { members }) => {
      const met = setOf(node < size ? [node] : []), passed = [node], quiet = [...members, ...met];
      for (const one of quiet) silent[one] = 1;
      seen[node] = 1;
      for (const at of passed) {
        for (const { premises, ends } of arcsInCircle[at]) {
          let said = true;
          for (const one of premises) {
            if (!silent[one]) continue;
            met.add(one);
            said = false;
          }
          for (const one of said ? ends : []) {
            if (seen[one]) continue;
            seen[one] = 1;
            passed.push(one);
          }
        }
      }
      for (const one of passed) seen[one] = 0;
      for (const one of quiet) silent[one] = 0;
      return kept([...met]);
    };
    const copyOf = (node, wide) => {
      const known = wide.wide.get(node);
      if (known !== undefined) return known;
      const context = circle[node] < 0 ? nothing : narrowContext(node, wide);
      let copy = context.copy.get(node);
      if (copy === undefined) {
        const from = (one) => copyOf(one, inside(one, node) ? context : nothing);
        const arcs = heard[node].filter(({ premises }) => !premises.some((one) => context.members.includes(one)))
          .map((arc) => ({ arc, src: from(arc.src), gate: arc.gate < 0 ? -1 : from(arc.gate) }));
        if (circle[node] >= 0 && (counts[circle[node]] = (counts[circle[node]] ?? 0) + 1) > MOST_COPIES) throw RangeError();
        context.copy.set(node, copy = copies.push({ node, arcs }) - 1);
      }
      wide.wide.set(node, copy);
      return copy;
    };
    try {
      const roots = mapOf([...reached].filter((node) => node < size).map((node) => [node, copyOf(node, nothing)]));
      return { copies, roots };
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
  };

  /* -- which sources meet where: the same whatever the numbers ------------------------------------ */

  /* A voice is what a copy passes on of one source, a row a voice on an arc; rows of one source on one
     side of a copy are a slot, and a claim hands on its slots for. What is of one copy lies together. */
  const layOut = ({ nodes, size, units, asks }, { copies, roots }) => {
    const rows = { voice: [], slot: [], first: [] }, slots = { pro: [], unit: [] }, voices = { unit: [], part: [], slot: [] }, made = [];
    const place = ints(2 * (units + size)), taken = place.map(() => -1);
    copies.forEach(({ node, arcs }, at) => {
      const gate = node >= size, { evidence, units: own = [] } = nodes[node] ?? {};
      const copy = { node, gate, evidence, arcs: [], rows: rows.voice.length, slots: slots.pro.length, voices: voices.unit.length };
      const joints = {};
      for (const { arc, src, gate: by } of arcs) {
        const item = { src: made[src], gate: made[by], size: abs(arc.w), fall: arc.fall, joint: arc.joint >= 0, hearing: 1, rows: rows.voice.length };
        const pro = arc.w > 0, excluded = pro && evidence ? own : [];
        const meet = (voice, unit) => {
          if (excluded.includes(unit)) return;
          const name = 2 * unit + pro;
          if (taken[name] !== at) {
            taken[name] = at;
            place[name] = slots.unit.push(unit) - 1;
            slots.pro.push(pro);
          }
          rows.first.push(rows.voice.push(voice) - 1);
          rows.slot.push(place[name]);
        };
        if (arc.fall) meet(-1, units + arc.src);
        else for (let voice = item.src.voices; voice < item.src.toVoice; voice++) meet(voice, voices.unit[voice]);
        item.end = rows.voice.length;
        if (item.joint) (joints[arc.joint] ??= []).push(item);
        copy.arcs.push(item);
      }
      copy.joints = values(joints);
      for (const items of copy.joints) {
        const firsts = mapOf();
        for (const item of items) {
          for (let row = item.rows; row < item.end; row++) {
            if (!firsts.has(rows.slot[row])) firsts.set(rows.slot[row], row);
            rows.first[row] = firsts.get(rows.slot[row]);
          }
        }
      }
      copy.toRow = rows.voice.length;
      copy.toSlot = slots.pro.length;
      const speak = (unit, part, slot) => { voices.unit.push(unit); voices.part.push(part); voices.slot.push(slot); };
      own.forEach((unit, one) => speak(unit, nodes[node].parts[one], -1));
      copy.heirs = voices.unit.length;
      for (let slot = copy.slots; slot < copy.toSlot; slot++) if (!gate && !evidence && slots.pro[slot]) speak(slots.unit[slot], 0, slot);
      copy.toVoice = voices.unit.length;
      made.push(copy);
    });
    const numbers = (of, ...names) => names.forEach((name) => { of[name] = new Float64Array(of.unit?.length ?? of.voice.length); });
    numbers(rows, "brought");
    numbers(slots, "best", "sum", "counted", "by", "ties");
    numbers(voices, "nats", "by");
    const root = made[roots.get(asks)], needed = setOf([root]);
    for (const copy of needed) {
      copy.needed = true;
      for (const { src, gate } of copy.arcs) needed.add(src).add(gate ?? src);
    }
    return { copies: made, rows, slots, voices, root, roots };
  };

  /* -- one pass from evidence to the answer, and one back ------------------------------------------ */

  const forceOf = ({ evidence, voiced, s }) => voiced * (evidence ? s : max(0, 2 * s - 1));

  /* How strong each copy is and what it passes on: of all, or of what the answer needs where `quiet` nodes
     say nothing, or claims at one half start a hair above it, which tells what of them would be heard. */
  const pass = ({ nodes, settings: { gain, repeat } }, { copies, rows, slots, voices }, { quiet, raised } = {}) => {
    const { brought } = rows, { best, sum, counted } = slots, { nats } = voices;
    for (const copy of copies) {
      if ((quiet || raised) && !copy.needed) continue;
      for (const items of copy.joints) {
        const told = items.map(({ src }) => (copy.gate ? forceOf(src) : src.total));
        const least = min(...told) + TIE, count = told.filter((one) => one <= least).length;
        items.forEach((item, at) => { item.hearing = told[at] <= least ? 1 / count : 0; });
      }
      for (const { src, gate, size, fall, hearing, joint, rows: from, end } of copy.arcs) {
        const weight = size * (gate ? gate.s : 1);
        const cut = copy.gate && src.total > 0 ? -log1p(-min(weight * forceOf(src), CLOSED)) / src.total : 0;
        const carried = (copy.gate ? cut : weight) * hearing;
        for (let row = from; row < end; row++) brought[row] = carried * (fall ? src.fall : nats[rows.voice[row]]);
        for (let row = joint ? from : end; row < end; row++) {
          if (rows.first[row] === row) continue;
          brought[rows.first[row]] += brought[row];
          brought[row] = 0;
        }
      }
      best.fill(0, copy.slots, copy.toSlot);
      sum.fill(0, copy.slots, copy.toSlot);
      for (let row = copy.rows; row < copy.toRow; row++) {
        const slot = rows.slot[row];
        if (brought[row] > best[slot]) best[slot] = brought[row];
        sum[slot] += brought[row];
      }
      copy.pro = copy.con = 0;
      for (let slot = copy.slots; slot < copy.toSlot; slot++) {
        counted[slot] = (1 - repeat) * best[slot] + repeat * sum[slot];
        copy[slots.pro[slot] ? "pro" : "con"] += counted[slot];
      }
      if (copy.gate) copy.s = exp(-copy.pro - copy.con);
      else speak(copy, voices, counted, nodes[copy.node], gain, quiet?.has(copy.node) ? 0 : 1, raised);
    }
  };

  const speak = (copy, voices, counted, { base, whole, evidence }, gain, voiced, raised) => {
    copy.base = raised && !evidence && abs(base - 0.5) < HAIR ? 0.5 + HAIR : base;
    const start = logOdds(copy.base), own = max(start, 0), backed = copy.pro + own;
    copy.s = copy.base / (copy.base + (1 - copy.base) * exp(clip(copy.con - copy.pro)));
    copy.voiced = voiced;
    copy.left = backed > 0 ? max(0, 1 - (copy.con + max(-start, 0)) / backed) : 0;
    copy.fall = voiced * gain * max(0, 1 - copy.s / whole);
    const nats = voiced * (evidence ? gain * copy.s : own * copy.left);
    copy.total = 0;
    for (let at = copy.voices; at < copy.toVoice; at++) {
      voices.nats[at] = at < copy.heirs ? nats * voices.part[at] : voiced * counted[voices.slot[at]] * copy.left;
      copy.total += voices.nats[at];
    }
  };

  /* By node the derivative of the answer by its base, as that rises: the chain rule from the end, through
     the pass that was made last. */
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
    if (s < whole) copy.byS -= copy.byFall * gain / whole;
    let own = 0, byLeft = 0;
    for (let at = copy.voices; at < copy.heirs; at++) own += voices.by[at] * voices.part[at];
    if (copy.evidence) copy.byS += own * gain;
    const byOdds = copy.byS * s * (1 - s);
    copy.byPro += byOdds;
    copy.byCon -= byOdds;
    if (copy.evidence) {
      const decay = exp(clip(con - pro));
      return copy.byS * decay / (base + (1 - base) * decay) ** 2;
    }
    const start = logOdds(base), backed = pro + max(start, 0), doubted = con + max(-start, 0);
    for (let at = copy.heirs; at < copy.toVoice; at++) byLeft += voices.by[at] * slots.counted[voices.slot[at]];
    byLeft = left > 0 ? (byLeft + own * max(start, 0)) / backed : 0;
    const byBacked = left > 0 ? byLeft * doubted / backed : 0;
    copy.byPro += byBacked;
    copy.byCon -= byLeft;
    const rise = base >= 0.5 ? own * left + byBacked + byOdds : byOdds + byLeft;
    return rise / max(base * (1 - base), LEAST_BASE);
  };

  /* From reasons to the voices and gates that bring them; equally good rows of a slot share. */
  const throughArcs = (copy, { rows, slots, voices }, repeat) => {
    for (let slot = copy.slots; slot < copy.toSlot; slot++) {
      slots.by[slot] = slots.pro[slot] ? copy.byPro : copy.byCon;
      slots.ties[slot] = 0;
    }
    for (let at = copy.heirs; at < copy.toVoice; at++) slots.by[voices.slot[at]] += voices.by[at] * copy.left;
    const isBest = (row) => rows.brought[row] > 0 && rows.brought[row] >= slots.best[rows.slot[row]] - TIE;
    for (let row = copy.rows; row < copy.toRow; row++) if (isBest(row)) slots.ties[rows.slot[row]]++;
    for (const { src, gate, size, fall, hearing, rows: from, end } of copy.arcs) {
      const weight = size * (gate ? gate.s : 1);
      let byGate = 0, byForce = 0;
      for (let row = from; row < end; row++) {
        const slot = rows.slot[row], voice = rows.voice[row], nats = fall ? src.fall : voices.nats[voice];
        const by = slots.by[slot] * hearing * ((isBest(rows.first[row]) ? (1 - repeat) / slots.ties[slot] : 0) + repeat);
        if (copy.gate) byForce += by * (src.total > 0 ? nats / src.total : 1 / (src.toVoice - src.voices));
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

  /* -- camps --------------------------------------------------------------------------------------- */

  /* By node the side on which its chains of edges lead to the answer: 0 for neither, or for both. */
  const sidesOfChains = ({ into, asks }) => {
    const seen = mapOf([[asks, setOf([1])]]), waiting = [[asks, 1]];
    for (const [node, side] of waiting) {
      for (const { src, gate, w, fall } of into[node]) {
        const sign = signOf(w);
        for (const [one, step] of [[src, side * (fall ? 1 : sign)], [gate, -side * sign]]) {
          const known = seen.get(one) ?? setOf();
          if (one < 0 || known.has(step)) continue;
          seen.set(one, known.add(step));
          waiting.push([one, step]);
        }
      }
    }
    return (node) => [...(seen.get(node) ?? [])].reduce((sum, side) => sum + side, 0);
  };

  /* By node how far its strength, less what it starts from, moves the answer, and by camp the nodes that it
     alone would not hear: other camps', and what speaks against its side. */
  const campsOf = (data, graph, plan, strengths) => {
    const { asks, nodes } = graph, chain = sidesOfChains(graph);
    pass(graph, plan, { raised: true });
    const slopes = slopesOf(graph, plan);
    const members = [...strengths.keys()];
    const campOf = (node) => (node === asks ? undefined : data.statements[node].camp);
    const sideOf = (node) => (node === asks ? 0 : abs(slopes[node]) > NO_SLOPE ? signOf(slopes[node]) : chain(node));
    const place = (camp) => data.camps.indexOf(camp) + 1 || Infinity;
    const named = [...setOf(members.map(campOf))].filter(Boolean).sort((one, other) => place(one) - place(other) || (one < other ? -1 : 1));
    const moves = mapOf(members.map((node) => [node, slopes[node] * max(strengths.get(node) - (nodes[node].evidence ? 0 : 0.5), 0)]));
    const signs = mapOf(named.map((camp) => {
      const own = members.filter((node) => campOf(node) === camp);
      const total = own.reduce((sum, node) => sum + moves.get(node), 0) || own.reduce((sum, node) => sum + slopes[node], 0);
      return [camp, abs(total) > 5e-13 ? signOf(total) : 0];
    }));
    const opposed = (side) => setOf(members.filter((node) => sideOf(node) * side < 0));
    if (named.length < 2) return { moves, quiet: { for: opposed(1), against: opposed(-1) } };
    const unheard = (camp) => setOf(members.filter((node) => (campOf(node) ? campOf(node) !== camp : sideOf(node) * signs.get(camp) < 0)));
    return { moves, quiet: fromEntries(named.map((camp) => [camp, unheard(camp)])) };
  };

  /* -- the whole ----------------------------------------------------------------------------------- */

  const wordFor = (strength, pro, con, { open_below, even_within, contested_below, leaning_below, strong_from }) => {
    const firm = max(strength, 1 - strength), toward = strength > 0.5 ? "supported" : "refuted";
    const least = open_below - SLACK;
    if (max(pro, con) < least) return "open";
    if (abs(strength - 0.5) < even_within - SLACK) return "evenly balanced";
    if (firm < contested_below - SLACK) return min(pro, con) >= least ? "contested" : `thinly ${toward}`;
    if (firm < leaning_below - SLACK) return `leans ${toward}`;
    return firm < strong_from - SLACK ? toward : `strongly ${toward}`;
  };

  /* A strength to two places, as render_strength in kg/reasoning/strength_words.py words it. */
  const strengthInWords = ({ settings: { even_within, contested_below, leaning_below, strong_from } }, strength) => {
    const bounds = [contested_below, leaning_below, strong_from, 0.5 + even_within];
    const two = Number(strength.toFixed(2)), passed = (one) => bounds.map((bound) => max(one, 1 - one) >= bound - SLACK).join();
    return passed(two) === passed(strength) ? strength.toFixed(2) : `just ${two > strength ? "under" : "over"} ${strength.toFixed(2)}`;
  };

  /* The plan of the last scenario of each line, which serves all that differ in bases, gain and repeat alone. */
  const plans = new WeakMap();
  const planOf = (data, graph, { mute, falls, only, since }) => {
    const name = JSON.stringify([mute, falls, only, since ?? 0, { ...graph.settings, gain: 0, repeat: 0 }]);
    if (plans.get(data)?.name !== name) {
      const unfolded = unfold(graph, ancestors(graph));
      plans.set(data, { name, plan: unfolded && layOut(graph, unfolded) });
    }
    return plans.get(data).plan;
  };

  /* What the answer is in a scenario: {mute: ids of statements, falls: keys of works, base: {id: quality},
     only: some of "read", "reviewed" and "people", since: a year, settings: {gain: …}}. Strengths and `moves` are by id, of all
     that bear on it then; `camps` are what each alone would see. Null where circles are too large. */
  const weigh = (data, scenario = {}) => {
    const graph = graphOf(data, scenario, { ...data.settings, ...scenario.settings });
    const plan = planOf(data, graph, scenario);
    if (!plan) return null;
    pass(graph, plan);
    const strengths = mapOf([...plan.roots].map(([node, root]) => [node, plan.copies[root].s]));
    const { s: strength, pro, con, base } = plan.root;
    const start = graph.nodes[graph.asks].evidence ? 0 : logOdds(base);
    const answer = { strength, pro: pro + max(start, 0), con: con + max(-start, 0) };
    const { moves, quiet } = campsOf(data, graph, plan, strengths), camps = {};
    for (const [camp, unheard] of entries(quiet)) {
      pass(graph, plan, { quiet: unheard });
      camps[camp] = plan.root.s;
    }
    const byId = (found) => fromEntries(data.statements.map(({ id }, at) => [id, found.get(nodeOf(data, at))]).filter(([, one]) => one !== undefined));
    return { ...answer, word: wordFor(strength, answer.pro, answer.con, graph.settings), strengths: byId(strengths), moves: byId(moves), camps };
  };

  /* Where an answer stands on a scale, as held_strength in kg/reasoning/sureness_words.py finds it: no farther than
     its word reaches; `reach` has how far each does. */
  const heldStrength = (reach, sureness, side, strength) =>
    (side && sureness ? 0.5 + side * min(abs(strength - 0.5), reach[sureness]) : strength);

  /* Where a strength lies on the scale, as place_on_scale in kg/publish/graphics/dial.py finds it. */
  const placeOnScale = (steps, strength) => {
    const distance = abs(strength - 0.5), at = steps.findLastIndex(([bound]) => bound <= distance);
    const [low, start] = steps[at], [high, end] = steps[at + 1] ?? [1, start];
    return 0.5 + (strength > 0.5 ? 1 : -1) * (start + (end - start) * (distance - low) / (high - low));
  };

  window.kgWeigh = { weigh, strengthInWords, heldStrength, placeOnScale };
})();
