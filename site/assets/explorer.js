/* Graphs to explore, drawn by vis-network at the places that the builder computed. The places are
   stretched over the room there is, and as many names are written as do not touch. */
"use strict";
(() => {
  const { make, atLeave, root } = window.kg;
  const NARROW = 600;
  const EDGE = 22;
  const LETTER = 6.1;
  const ROW = 15;
  const LINKS = { for: "--kg-for", against: "--kg-against", neither: "--kg-soft" };

  /* Places in pixels around 0; the sides of the camps are above and below on an upright screen. */
  const spread = (nodes, wide, tall) => {
    const turned = tall > wide;
    const places = nodes.map(({ x, y }) => (turned ? [y, x] : [x, y]));
    const stretch = (axis, room) => {
      const values = places.map((place) => place[axis]);
      const least = Math.min(...values), most = Math.max(...values);
      const scale = Math.min(2.5, Math.max(40, room) / (most - least || 1));
      return (value) => (value - (least + most) / 2) * scale;
    };
    const across = stretch(0, wide - (wide < NARROW ? 3 : 7) * EDGE), down = stretch(1, tall - 4 * EDGE);
    return places.map(([x, y]) => [across(x), down(y) - EDGE / 2]);
  };
  /* Which names have room: those of the most joined first, none over another, its dot or the rim. */
  const named = (nodes, edges, places, most, wide, tall) => {
    const degree = new Map();
    for (const { from, to } of edges) for (const end of [from, to]) degree.set(end, (degree.get(end) || 0) + 1);
    const taken = [];
    const chosen = new Set();
    nodes.forEach(({ id, label, size }, at) => {
      const [x, y] = places[at];
      const half = Math.min(76, label.length * LETTER / 2 + 4);
      const rows = Math.ceil(label.length * LETTER / 144);
      const box = { left: x - half, right: x + half, top: y - size, bottom: y + size + 6 + rows * ROW };
      const apart = (other) => box.right < other.left || box.left > other.right || box.bottom < other.top || box.top > other.bottom;
      const inside = box.left > -wide / 2 && box.right < wide / 2 && box.bottom < tall / 2;
      const matters = nodes.length <= most || degree.get(id) > 1;
      if (chosen.size === most || !matters || !inside || !taken.every(apart)) return;
      taken.push(box);
      chosen.add(id);
    });
    return chosen;
  };

  const colours = (area, names) => {
    const probes = names.map((name) => make("span", { className: name }));
    area.append(...probes);
    const read = (probe, property) => getComputedStyle(probe).getPropertyValue(property).trim();
    const found = new Map(names.map((name, at) => [name, read(probes[at], "--camp")]));
    const own = (property) => read(area, property);
    const sides = Object.fromEntries(Object.entries(LINKS).map(([side, property]) => [side, own(property)]));
    const ink = { camps: found, sides, ground: own("--kg-ground"), text: own("--kg-ink") };
    probes.forEach((probe) => probe.remove());
    return ink;
  };
  const dress = (graph, area, places, labelled) => {
    const ink = colours(area, [...new Set(graph.nodes.map(({ group }) => group))]);
    const nodes = graph.nodes.map(({ id, label, group, hollow, shape, size, title }, at) => {
      const camp = ink.camps.get(group);
      const background = hollow ? ink.ground : camp;
      return {
        id, shape, size, title, label: labelled.has(id) ? label : " ", x: places[at][0], y: places[at][1],
        color: { border: camp, background, highlight: { border: ink.text, background }, hover: { border: ink.text, background } },
        font: { color: ink.text, strokeWidth: 3, strokeColor: ink.ground },
      };
    });
    const opacity = graph.edges.length > 150 ? 0.4 : 0.7;
    const edges = graph.edges.map(({ side, ...edge }, id) => ({ ...edge, id, color: { color: ink.sides[side], highlight: ink.text, hover: ink.text, opacity } }));
    return { nodes, edges };
  };

  window.kg.explore = (area, graph) => {
    const canvas = area.querySelector(".kg-graph-canvas");
    const said = area.querySelector(".kg-graph-said");
    area.classList.add("kg-drawn");
    canvas.setAttribute("aria-label", `${area.dataset.kgLabel}. N and P go from statement to statement, Enter opens one.`);
    canvas.setAttribute("role", "application");
    canvas.tabIndex = 0;
    const { clientWidth: wide, clientHeight: tall } = canvas;
    const small = wide < NARROW ? 0.7 : 1;
    const nodes = graph.nodes.map((node) => ({ ...node, size: node.size * small }));
    const places = spread(nodes, wide, tall);
    const labelled = named(nodes, graph.edges, places, graph.labels, wide, tall);
    const look = () => dress({ ...graph, nodes }, area, places, labelled);
    const first = look();
    const data = { nodes: new vis.DataSet(first.nodes), edges: new vis.DataSet(first.edges) };
    const network = new vis.Network(canvas, data, graph.options);
    const home = () => network.moveTo({ position: { x: 0, y: 0 }, scale: 1 });
    home();
    canvas.firstChild.tabIndex = -1;

    const at = new Map(graph.nodes.map(({ id }, number) => [id, number]));
    const page = (id) => new URL(graph.nodes[at.get(id)].page, root).href;
    const tell = (id) => {
      const { title, group } = graph.nodes[at.get(id)];
      said.replaceChildren(make("a", { href: page(id), className: `kg-chip ${group}`, "data-kg": "statement" }, title));
    };
    let picked = -1;
    const step = (way) => {
      picked = (picked + way + graph.nodes.length) % graph.nodes.length;
      const { id } = graph.nodes[picked];
      network.selectNodes([id]);
      network.moveTo({ position: { x: places[picked][0], y: places[picked][1] } });
      tell(id);
    };
    const move = (x, y) => () => {
      const { x: left, y: top } = network.getViewPosition();
      network.moveTo({ position: { x: left + x / network.getScale(), y: top + y / network.getScale() } });
    };
    const zoom = (factor) => () => network.moveTo({ scale: Math.max(0.1, Math.min(8, network.getScale() * factor)) });
    const KEYS = {
      ArrowLeft: move(-50, 0), ArrowRight: move(50, 0), ArrowUp: move(0, -50), ArrowDown: move(0, 50),
      "+": zoom(1.3), "=": zoom(1.3), "-": zoom(1 / 1.3), 0: home, n: () => step(1), p: () => step(-1),
      Enter: () => { if (picked >= 0) location.href = page(graph.nodes[picked].id); },
    };
    canvas.addEventListener("keydown", (event) => {
      const act = KEYS[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    });
    network.on("selectNode", ({ nodes: [id] }) => { picked = at.get(id); tell(id); });
    network.on("doubleClick", ({ nodes: [id] }) => { if (id) location.href = page(id); });
    network.once("afterDrawing", () => { area.dataset.kgNodes = graph.nodes.length; });
    const watcher = new MutationObserver(() => {
      const next = look();
      data.nodes.update(next.nodes);
      data.edges.update(next.edges);
    });
    watcher.observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
    atLeave(area, () => { watcher.disconnect(); network.destroy(); });
    area.kgNetwork = network;
  };
})();
