/* What of a question's data counts in a scenario, as a graph: nodes with their bases and independent sources,
   and arcs with their weights. The rules, and the names used here for what they speak of, stand in
   docs/how-strength-is-computed.md; the data are those of kg/publish/context/weighing.py. */
"use strict";
{
  const LEAST_BASE = 1e-9;
  const SIGN = { supports: 1, contradicts: -1, qualifies: -1 };

  /* Statements that are the same are one node, numbered like the first of them. */
  const nodeOf = ({ statements }, at) => statements[at].one ?? at;

  const mutedNodes = (data, { mute = [], only = [], since }) => {
    const [ids, muted, evidence, counted] = [new Set(mute), new Set(), new Set(), new Set()];
    data.statements.forEach((one, at) => {
      const node = nodeOf(data, at);
      if (ids.has(one.id)) muted.add(node);
      if (one.quality === undefined) return;
      evidence.add(node);
      if (only.every((filter) => one[filter]) && (!since || one.year >= since)) counted.add(node);
    });
    for (const node of evidence) if (!counted.has(node) && node !== nodeOf(data, data.asks)) muted.add(node);
    return muted;
  };

  /* By node the independent sources of evidence, each with its part, and the base of each node. */
  const baseNodes = (data, muted, fallen) => {
    const { statements, works, keys, units } = data;
    const above = [...Array(units).keys()];
    const find = (unit) => (above[unit] === unit ? unit : (above[unit] = find(above[unit])));
    const bearers = keys.map((key) => key.bearers ?? 0);
    const keysOf = (at) => (muted.has(nodeOf(data, at)) ? [] : (statements[at].keys ?? []));
    statements.forEach(({ works: ownWorks = [] }, at) => {
      const own = keysOf(at);
      for (const key of own) bearers[key]++;
      if (ownWorks.length > 1 || !own.length) return;
      const first = find(keys[own[0]].unit);
      for (const one of [...own.map((key) => keys[key]), ...ownWorks.map((work) => works[work])])
        above[find(one.unit)] = first;
    });
    const parts = (at, ownWorks) => {
      const own = keysOf(at);
      const many = statements[at].works?.length > 1;
      const shared = many ? own.filter((key) => bearers[key] > 1) : ownWorks.length ? [] : own.slice(0, 1);
      const sources = shared.length ? shared.map((key) => keys[key]) : ownWorks.map((work) => works[work]);
      const byUnit = new Map();
      for (const { unit } of sources)
        byUnit.set(find(unit), (byUnit.get(find(unit)) ?? 0) + 1 / sources.length);
      return sources.length ? byUnit : new Map([[units + at, 1]]);
    };
    const nodes = statements.map((one, at) =>
      nodeOf(data, at) === at ? { whole: 0.5, base: 0.5, count: 0, parts: new Map() } : null,
    );
    statements.forEach(({ quality, works: ownWorks = [] }, at) => {
      if (quality === undefined) return;
      const node = nodes[nodeOf(data, at)];
      const worksWithTitle = ownWorks.filter((work) => works[work].title !== undefined);
      const left = ownWorks.filter((work) => !fallen.has(work));
      const lost = ownWorks.length - left.length;
      const base = quality * (worksWithTitle.length ? 1 - lost / worksWithTitle.length : 1);
      if (!node.evidence || quality > node.whole || (quality === node.whole && base > node.base))
        Object.assign(node, { whole: quality, base });
      node.evidence = true;
      const rest = lost && !left.length ? new Map() : parts(at, left);
      node.count += Math.sign(rest.size);
      for (const unit of parts(at, ownWorks).keys()) node.parts.set(unit, node.parts.get(unit) ?? 0);
      for (const [unit, part] of rest) node.parts.set(unit, (node.parts.get(unit) ?? 0) + part);
    });
    nodes.forEach((node, at) => {
      if (!node) return;
      const parts = node.evidence ? [...node.parts] : [[units + at, 1]];
      node.units = parts.map(([unit]) => unit);
      node.parts = parts.map(([, part]) => part / (node.count || 1));
      node.whole = Math.max(node.whole, LEAST_BASE);
    });
    return nodes;
  };

  /* Statements that pass nothing on, as something that counts supersedes them. */
  const supersededStatements = ({ edges, statements, works, ...data }, muted, fallen) => {
    const later = new Map();
    for (const { origin, relation, target } of edges) {
      const worksWithTitle = (statements[origin].works ?? []).filter(
        (work) => works[work].title !== undefined,
      );
      const gone = worksWithTitle.length && worksWithTitle.every((work) => fallen.has(work));
      if (relation === "supersedes" && !gone && !muted.has(nodeOf({ statements }, origin)))
        later.set(target, [...(later.get(target) ?? []), origin]);
    }
    const leadsTo = (first, last) => {
      const seen = new Set([first]);
      for (const at of seen) {
        if (at === last) return true;
        for (const next of later.get(at) ?? []) seen.add(next);
      }
      return false;
    };
    return new Set([...later.keys()].filter((old) => later.get(old).some((fresh) => !leadsTo(fresh, old))));
  };

  const weightOf = ({ relation, strength, panel }, settings) => {
    const limit = relation === "qualifies" ? settings.qualifies : 1;
    const byStrength = { moderate: settings.moderate, weak: settings.weak }[strength] ?? 1;
    if (panel && relation in SIGN) return panel[0] * limit * (panel[1] === 1 ? byStrength : 1);
    return (SIGN[relation] ?? 1) * limit * byStrength;
  };

  /* Nodes and the arcs between them that may bear on the answer. Gates are numbered after statements. */
  const buildGraph = (data, scenario, settings) => {
    const fallen = new Set(scenario.falls ?? []);
    const lost = new Set(
      data.works.flatMap((work, at) =>
        work.fallen || (work.title !== undefined && fallen.has(work.key)) ? [at] : [],
      ),
    );
    const muted = mutedNodes(data, scenario);
    const nodes = baseNodes(data, muted, lost);
    const old = supersededStatements(data, muted, lost);
    const places = new Map(data.statements.map(({ id }, at) => [id, nodeOf(data, at)]));
    for (const [id, base] of Object.entries(scenario.base ?? {}))
      if (places.has(id)) nodes[places.get(id)].base = base;
    const size = nodes.length;
    const arcs = [];
    const withArcs = [];
    const gates = new Map();
    let joints = 0;
    data.edges.forEach((edge, at) => {
      const { relation, target: to, together = [] } = edge;
      const undercuts = relation === "undercuts";
      const from = nodeOf(data, edge.origin);
      const target = undercuts ? to : nodeOf(data, to);
      const add = (src, dst, joint = -1) => {
        arcs.push({
          src,
          dst,
          weight: weightOf(edge, settings),
          fall: relation === "depends-on",
          joint,
          edge: at,
        });
        withArcs[at] = true;
      };
      const live = !old.has(edge.origin);
      if (scenario.cut?.has(at) || relation === "supersedes" || (!undercuts && from === target)) return;
      if (relation === "depends-on") {
        if (live) add(target, from);
        if (live) arcs.at(-1).weight *= -1;
      } else if (undercuts ? withArcs[to] && live : live || (edge.mutual && !old.has(to))) {
        const end = undercuts ? (gates.get(to) ?? size + gates.size) : target;
        const premises = new Set([edge.origin, ...together].map((one) => nodeOf(data, one)));
        if (together.some((one) => old.has(one)) || premises.has(end)) return;
        if (undercuts) gates.set(to, end);
        const joint = premises.size > 1 ? joints++ : -1;
        if (live) for (const premise of premises) add(premise, end, joint);
        if (edge.mutual && !old.has(to)) add(target, from);
      }
    });
    const silentJoints = new Set(
      arcs.filter((arc) => muted.has(arc.src) && arc.joint >= 0).map((arc) => arc.joint),
    );
    const into = [...Array(size + gates.size)].map(() => []);
    for (const arc of arcs) {
      arc.gate = gates.get(arc.edge) ?? -1;
      if (muted.has(arc.src) || silentJoints.has(arc.joint)) arc.weight = 0;
      into[arc.dst].push(arc);
    }
    return { nodes, size, into, units: data.units + size, asks: nodeOf(data, data.asks), settings };
  };

  window.kgWeigh = { buildGraph, nodeOf };
}
