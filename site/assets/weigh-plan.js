/* From the graph of a scenario (weigh-graph.js) the plan by which weigh.js computes: copies of nodes, each
   after all that bears on it, and what each passes on. It stays the same whatever bases and settings are. */
"use strict";
{
  const MAX_COPIES = 20000;

  /* -- circles: each statement is weighed as if nothing that rests on it spoke ----------------- */

  const endsBefore = (arc) => (arc.gate < 0 ? [arc.src] : [arc.src, arc.gate]);

  /* Whatever has a way to the answer, by edges that weigh nothing too. */
  const ancestors = ({ into, asks }) => {
    const nodes = new Set([asks]);
    for (const node of nodes) for (const arc of into[node]) for (const one of endsBefore(arc)) nodes.add(one);
    return nodes;
  };

  /* The number of the circle in which each node stands, or -1 (Tarjan's algorithm). */
  const circlesOf = (into, nodes) => {
    const circle = new Int32Array(into.length).fill(-1);
    const index = new Int32Array(into.length);
    const low = new Int32Array(into.length);
    const stack = [];
    const open = new Set();
    let count = 0;
    let circles = 0;
    const visit = (node) => {
      index[node] = low[node] = ++count;
      stack.push(node);
      open.add(node);
      for (const arc of into[node]) {
        for (const one of arc.weight ? endsBefore(arc) : []) {
          if (!index[one]) visit(one);
          if (open.has(one)) low[node] = Math.min(low[node], low[one]);
        }
      }
      if (low[node] !== index[node]) return;
      const members = stack.splice(stack.indexOf(node));
      for (const one of members) open.delete(one);
      if (members.length < 2) return;
      for (const one of members) circle[one] = circles;
      circles++;
    };
    for (const node of nodes) if (!index[node]) visit(node);
    return circle;
  };

  /* -- copies of nodes, one for each context --------------------------------------------------- */

  /* Whether two nodes are of one circle. */
  const areInCircle = (circle, one, other) => one >= 0 && circle[one] >= 0 && circle[one] === circle[other];
  /* By node the arcs that weigh something, each with what of the same circle it depends on: premises, and
     ends. */
  const weightyArcs = (into, circle) =>
    into.map((arcs, node) => {
      const weighty = arcs.filter((arc) => arc.weight);
      const isInside = (one) => areInCircle(circle, one, node);
      for (const arc of weighty) {
        const joint = arc.joint < 0 ? [arc] : weighty.filter(({ joint }) => joint === arc.joint);
        arc.premises = joint.map(({ src }) => src).filter(isInside);
        arc.ends = [arc.src, arc.gate].filter(isInside);
      }
      return weighty;
    });

  /* Contexts are sets of nodes of one circle that may not speak, each made once and held with its copies. */
  class Contexts {
    constructor(arcs, size) {
      this.arcsInCircle = arcs.map((own) =>
        own.filter(({ premises, ends }) => premises.length || ends.length),
      );
      this.size = size;
      this.byName = new Map();
      this.isSilent = new Uint8Array(arcs.length);
      this.isPassed = new Uint8Array(arcs.length);
      this.empty = this.get([]);
    }

    get(members) {
      const name = members.sort((a, b) => a - b).join();
      if (!this.byName.has(name))
        this.byName.set(name, { members, copies: new Map(), widerCopies: new Map() });
      return this.byName.get(name);
    }

    /* Of those silent, the ones that would be heard at `node`: the others make no difference. */
    narrow(node, { members }) {
      const { isSilent, isPassed } = this;
      const met = new Set(node < this.size ? [node] : []);
      const silent = [...members, ...met];
      const passed = [node];
      for (const one of silent) isSilent[one] = 1;
      isPassed[node] = 1;
      for (const at of passed) {
        for (const { premises, ends } of this.arcsInCircle[at]) {
          let speaks = true;
          for (const one of premises) {
            if (!isSilent[one]) continue;
            met.add(one);
            speaks = false;
          }
          for (const one of speaks ? ends : []) {
            if (isPassed[one]) continue;
            isPassed[one] = 1;
            passed.push(one);
          }
        }
      }
      for (const one of passed) isPassed[one] = 0;
      for (const one of silent) isSilent[one] = 0;
      return this.get([...met]);
    }
  }

  /* Copies, each after all that bears on it, and by node that with nothing silenced; null where there are too
     many. */
  const unfold = ({ into, size }, nodes) => {
    const circle = circlesOf(into, nodes);
    const arcsInto = weightyArcs(into, circle);
    const contexts = new Contexts(arcsInto, size);
    const [copies, counts] = [[], []];
    const makeCopy = (node, context) => {
      const from = (one) => copyOf(one, areInCircle(circle, one, node) ? context : contexts.empty);
      const arcs = arcsInto[node]
        .filter(({ premises }) => !premises.some((one) => context.members.includes(one)))
        .map((arc) => ({ arc, src: from(arc.src), gate: arc.gate < 0 ? -1 : from(arc.gate) }));
      const number = circle[node];
      if (number >= 0 && (counts[number] = (counts[number] ?? 0) + 1) > MAX_COPIES) throw RangeError();
      return copies.push({ node, arcs }) - 1;
    };
    const copyOf = (node, wider) => {
      const known = wider.widerCopies.get(node);
      if (known !== undefined) return known;
      const context = circle[node] < 0 ? contexts.empty : contexts.narrow(node, wider);
      if (!context.copies.has(node)) context.copies.set(node, makeCopy(node, context));
      const copy = context.copies.get(node);
      wider.widerCopies.set(node, copy);
      return copy;
    };
    try {
      const statements = [...nodes].filter((node) => node < size);
      return { copies, roots: new Map(statements.map((node) => [node, copyOf(node, contexts.empty)])) };
    } catch (error) {
      if (error instanceof RangeError) return null; // too many copies, or too deep
      throw error;
    }
  };

  /* -- which sources meet where ---------------------------------------------------------------- */

  /* A voice is what a copy passes on of one source, a row a voice on an arc; rows of one source on one side
     of a copy are a slot, and a claim hands on its slots for. What is of one copy lies together, `rows` to
     `endRow` and so on. */
  class Layout {
    constructor({ nodes, size, units }) {
      Object.assign(this, { nodes, size, units, copies: [] });
      this.rows = { voice: [], slot: [], first: [] };
      this.slots = { pro: [], unit: [] };
      this.voices = { unit: [], part: [], slot: [] };
      this.slotOf = new Int32Array(2 * (units + size)); // by source and side, in the copy of `copyOfSlot`
      this.copyOfSlot = new Int32Array(2 * (units + size)).fill(-1);
    }

    addRow(at, voice, unit, isPro) {
      const name = 2 * unit + isPro;
      if (this.copyOfSlot[name] !== at) {
        this.copyOfSlot[name] = at;
        this.slotOf[name] = this.slots.unit.push(unit) - 1;
        this.slots.pro.push(isPro);
      }
      this.rows.first.push(this.rows.voice.push(voice) - 1);
      this.rows.slot.push(this.slotOf[name]);
    }

    /* What an arc brings, but for evidence its own sources on the side for it. */
    addArc(at, { arc, src, gate }, own) {
      const isPro = arc.weight > 0;
      const item = {
        src: this.copies[src],
        gate: this.copies[gate],
        size: Math.abs(arc.weight),
        fall: arc.fall,
        joint: arc.joint >= 0,
        hearing: 1,
        rows: this.rows.voice.length,
        endRow: 0,
      };
      const add = (voice, unit) => (isPro && own.includes(unit)) || this.addRow(at, voice, unit, isPro);
      if (arc.fall) add(-1, this.units + arc.src);
      else
        for (let voice = item.src.voices; voice < item.src.endVoice; voice++)
          add(voice, this.voices.unit[voice]);
      item.endRow = this.rows.voice.length;
      return item;
    }

    /* Premises that are joint bring what is of one slot in its first row. */
    joinRows(items) {
      const firsts = new Map();
      for (const item of items) {
        for (let row = item.rows; row < item.endRow; row++) {
          if (!firsts.has(this.rows.slot[row])) firsts.set(this.rows.slot[row], row);
          this.rows.first[row] = firsts.get(this.rows.slot[row]);
        }
      }
    }

    addVoice(unit, part, slot) {
      this.voices.unit.push(unit);
      this.voices.part.push(part);
      this.voices.slot.push(slot);
    }

    addCopy({ node, arcs }, at) {
      const { rows, slots, voices } = this;
      const { evidence, units = [], parts } = this.nodes[node] ?? {};
      const gate = node >= this.size;
      const copy = {
        node,
        gate,
        evidence,
        rows: rows.voice.length,
        slots: slots.pro.length,
        voices: voices.unit.length,
      };
      copy.arcs = arcs.map((one) => this.addArc(at, one, evidence ? units : []));
      const joints = new Map();
      arcs.forEach(({ arc }, one) => {
        if (arc.joint >= 0) joints.set(arc.joint, [...(joints.get(arc.joint) ?? []), copy.arcs[one]]);
      });
      copy.joints = [...joints.values()];
      for (const items of copy.joints) this.joinRows(items);
      copy.endRow = rows.voice.length;
      copy.endSlot = slots.pro.length;
      units.forEach((unit, one) => this.addVoice(unit, parts[one], -1));
      copy.passedOn = voices.unit.length;
      for (let slot = copy.slots; slot < copy.endSlot; slot++) {
        if (!gate && !evidence && slots.pro[slot]) this.addVoice(slots.unit[slot], 0, slot);
      }
      copy.endVoice = voices.unit.length;
      this.copies.push(copy);
    }

    /* Room for the numbers of a pass. */
    addNumbers() {
      const { rows, slots, voices } = this;
      rows.brought = new Float64Array(rows.voice.length);
      for (const name of ["best", "sum", "counted", "by", "ties"])
        slots[name] = new Float64Array(slots.unit.length);
      for (const name of ["nats", "by"]) voices[name] = new Float64Array(voices.unit.length);
    }
  }

  /* Null where circles are too large. */
  const makePlan = (graph) => {
    const unfolded = unfold(graph, ancestors(graph));
    if (!unfolded) return null;
    const layout = new Layout(graph);
    unfolded.copies.forEach((copy, at) => layout.addCopy(copy, at));
    layout.addNumbers();
    const { copies, rows, slots, voices } = layout;
    const root = copies[unfolded.roots.get(graph.asks)];
    const needed = new Set([root]);
    for (const copy of needed) {
      copy.needed = true;
      for (const { src, gate } of copy.arcs) needed.add(src).add(gate ?? src);
    }
    return { copies, rows, slots, voices, root, roots: unfolded.roots };
  };

  Object.assign(window.kgWeigh, { makePlan });
}
