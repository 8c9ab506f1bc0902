/* Graphs to explore, drawn by vis-network at the places that the builder computed. First comes the
   statement in the middle with what bears on it; each that is picked unfolds what bears on it. The
   places are stretched over the room there is, and as many names are written as do not touch anything. */
"use strict";
(() => {
  const { make, atLeave, root } = window.kg;
  const NARROW = 600;
  const EDGE = 22;
  const ROUNDS = 30;
  const NEAR = 90; // pixels from what was unfolded to what bears on it
  const ROOM = 130;
  const ROW = 14;
  const SIZE = 12; // of letters
  const ROWS = 2; // of a name: the whole title shows when its dot is touched
  const HALO = 5;
  const FIRST = 5; // that are named even over dots
  const MOST_NAMED = 30; // of the statements that make up most of the answer
  const OPTIONS = {
    autoResize: true,
    physics: { enabled: false },
    layout: { improvedLayout: false },
    interaction: { hover: true, tooltipDelay: 80 },
    edges: { smooth: false, width: 1.2, arrows: { to: { enabled: true, scaleFactor: 0.5 } } },
    nodes: { borderWidth: 2 },
  };
  const LINKS = { for: "--kg-for", against: "--kg-against", neither: "--kg-soft" };

  /* Places in pixels around 0; the sides of the camps are above and below on an upright screen. */
  const fitToArea = (nodes, wide, tall) => {
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
  /* Places around one that was unfolded, on its outer side and within the room there is. */
  const fan = ([x, y], many, wide, tall) => {
    const out = Math.atan2(y, x || 0.1), open = Math.min(2 * Math.PI * (1 - 1 / many), many * 0.55);
    const within = (value, room) => Math.max(-room / 2 + 3 * EDGE, Math.min(room / 2 - 3 * EDGE, value));
    return Array.from({ length: many }, (_, at) => {
      const angle = out + (many > 1 ? open * (at / (many - 1) - 0.5) : 0), far = NEAR + (at % 2 ? NEAR / 2 : 0);
      return [within(x + far * Math.cos(angle), wide), within(y + far * Math.sin(angle), tall)];
    });
  };
  /* Dots that lie on each other, moved apart until they no longer do; those that were there before stay. */
  const separateDots = (nodes, places, stay = new Map()) => {
    for (let round = 0; round < ROUNDS; round++) {
      nodes.forEach(({ size }, one) => {
        for (let other = 0; other < one; other++) {
          const x = places[one][0] - places[other][0], y = places[one][1] - places[other][1] || 0.1;
          const far = Math.hypot(x, y);
          const push = Math.min(1, (size + nodes[other].size + 3 - far) / 2 / far);
          if (push <= 0) continue;
          const [a, b] = [one, other].map((at) => Number(!stay.has(nodes[at].id)));
          const share = 2 * push / (a + b || 1);
          places[one] = [places[one][0] + a * x * share, places[one][1] + a * y * share];
          places[other] = [places[other][0] - b * x * share, places[other][1] - b * y * share];
        }
      });
    }
    return places;
  };
  const inRows = (label, measure) => {
    const rows = [""];
    for (const word of label.split(" ")) {
      const longer = `${rows.at(-1)} ${word}`.trim();
      if (rows.at(-1) && measure(longer) > ROOM) rows.push(word);
      else rows[rows.length - 1] = longer;
    }
    return rows.length > ROWS ? [...rows.slice(0, ROWS - 1), `${rows[ROWS - 1]} …`] : rows;
  };
  const areApart = (one, other) => one.right < other.left || one.left > other.right || one.bottom < other.top || one.top > other.bottom;
  const around = (x, y, half, high) => ({ left: x - half, right: x + half, top: y - high, bottom: y + high });
  /* Which names have room, and where: those that weigh most first, each under, over or beside its
     dot, none over another name or the rim, nor over another dot, or hardly where room is scarce. The
     heaviest are named in any case, and where few dots are in view, also what one link joins. */
  const named = (nodes, edges, places, most, wide, tall, measure) => {
    const degree = new Map();
    for (const { from, to } of edges) for (const end of [from, to]) degree.set(end, (degree.get(end) || 0) + 1);
    const dots = nodes.map(({ size }, at) => around(...places[at], size, size));
    const names = [];
    const isSeen = ([x, y]) => Math.abs(x) < wide / 2 && Math.abs(y) < tall / 2;
    const many = places.filter(isSeen).length > most;
    const bearable = wide < NARROW ? 2 : 0;
    nodes.forEach(({ id, label, folded, size }, at) => {
      if (names.length === most || !isSeen(places[at]) || (many && !(degree.get(id) > 1))) return;
      const rows = inRows(label, measure);
      if (folded) rows[rows.length - 1] += ` +${folded}`;
      const half = Math.max(...rows.map(measure)) / 2 + 4, high = rows.length * ROW / 2 + 2;
      const down = size + high, across = size + half;
      const boxes = [[0, down], [0, -down], [across, 0], [-across, 0], [half, down], [-half, down], [half, -down], [-half, -down]].map(([x, y]) =>
        ({ id, rows, x, y, ...around(places[at][0] + x, places[at][1] + y, half, high) }));
      const inside = (box) => box.left > -wide / 2 && box.right < wide / 2 && box.top > -tall / 2 && box.bottom < tall / 2;
      const covers = (box) => dots.reduce((sum, dot, other) => sum + (other !== at && !areApart(box, dot)) * (nodes[other].hollow ? 1 : 2), 0);
      const free = boxes.filter((box) => inside(box) && names.every((name) => areApart(name, box)));
      const [best] = free.sort((a, b) => covers(a) - covers(b));
      if (best && (at < FIRST || covers(best) <= bearable)) names.push(best);
    });
    return names;
  };
  /* Names keep their size, however near one looks. */
  const drawLabels = (pen, names, network, ink, family) => {
    const scale = network.getScale();
    pen.font = `${SIZE / scale}px ${family}`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineWidth = HALO / scale;
    pen.lineJoin = "round";
    pen.strokeStyle = ink.ground;
    pen.fillStyle = ink.text;
    const places = network.getPositions(names.map(({ id }) => id));
    for (const { id, rows, x, y } of names) {
      rows.forEach((row, number) => {
        const at = [row, places[id].x + x / scale, places[id].y + (y + (number - (rows.length - 1) / 2) * ROW) / scale];
        pen.strokeText(...at);
        pen.fillText(...at);
      });
    }
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
  const styleGraph = (graph, ink, places) => {
    const nodes = graph.nodes.map(({ id, group, hollow, shape, size, title }, at) => {
      const camp = ink.camps.get(group);
      const background = hollow ? ink.ground : camp;
      return {
        id, shape, size, title, x: places[at][0], y: places[at][1],
        color: { border: camp, background, highlight: { border: ink.text, background }, hover: { border: ink.text, background } },
      };
    });
    const faint = graph.edges.length > 150 ? 0.3 : 0.6;
    const edges = graph.edges.map(({ side, mutual, ...edge }) => ({ ...edge, color: { color: ink.sides[side], highlight: ink.text, hover: ink.text, opacity: Math.min(0.9, faint * edge.width) } }));
    return { nodes, edges };
  };

  window.kg.explore = (area, graph) => {
    const canvas = area.querySelector(".kg-graph-canvas");
    const said = area.querySelector(".kg-graph-said");
    area.classList.add("kg-drawn");
    canvas.setAttribute("aria-label", `${area.dataset.kgLabel}. N and P go from statement to statement, Space unfolds what bears on one, Enter opens it.`);
    canvas.setAttribute("role", "application");
    canvas.tabIndex = 0;
    const { clientWidth: wide, clientHeight: tall } = canvas;
    const small = wide < NARROW ? 0.7 : 1;
    const all = graph.nodes.map((node) => ({ ...node, size: node.size * small }));
    const behind = new Map(all.map(({ id }) => [id, new Set()]));
    for (const { from, to, mutual } of graph.edges) {
      behind.get(to).add(from);
      if (mutual) behind.get(from).add(to);
    }
    const [{ id: middle }] = all;
    const shown = new Set([middle, ...behind.get(middle)]);
    const hidden = (id) => [...behind.get(id)].filter((other) => !shown.has(other));
    let nodes, edges, places;
    const settle = (from, stay = new Map()) => {
      nodes = all.filter(({ id }) => shown.has(id)).map((node) => ({ ...node, folded: hidden(node.id).length }));
      edges = graph.edges.map((edge, id) => ({ ...edge, id })).filter(({ from, to }) => shown.has(from) && shown.has(to));
      const fresh = nodes.filter(({ id }) => !stay.has(id));
      const around = from === undefined ? fitToArea(nodes, wide, tall) : fan(stay.get(from), fresh.length, wide, tall);
      places = separateDots(nodes, nodes.map((node) => stay.get(node.id) ?? around[fresh.indexOf(node)]), stay);
      area.dataset.kgNodes = nodes.length;
    };
    const family = getComputedStyle(area).fontFamily;
    const pen = make("canvas", {}).getContext("2d");
    pen.font = `${SIZE}px ${family}`;
    const measure = (text) => pen.measureText(text).width;
    const groups = [...new Set(graph.nodes.map(({ group }) => group))];
    let ink = colours(area, groups);
    const look = () => styleGraph({ nodes, edges }, ink, places);
    settle();
    const first = look();
    const data = { nodes: new vis.DataSet(first.nodes), edges: new vis.DataSet(first.edges) };
    const network = new vis.Network(canvas, data, OPTIONS);
    let held = false, namedAt = "";
    const name = () => {
      const scale = network.getScale(), { x, y } = network.getViewPosition();
      const view = [scale, x, y].join();
      if (held || view === namedAt) return;
      namedAt = view;
      const now = network.getPositions();
      const near = nodes.map((node) => ({ ...node, size: node.size * scale }));
      const seen = nodes.map(({ id }) => [(now[id].x - x) * scale, (now[id].y - y) * scale]);
      area.kgNames = named(near, edges, seen, MOST_NAMED, wide, tall, measure);
    };
    network.on("dragStart", () => { held = true; });
    network.on("dragEnd", () => { held = false; namedAt = ""; network.redraw(); });
    network.on("afterDrawing", (context) => { name(); drawLabels(context, area.kgNames, network, ink, family); });
    const home = () => network.moveTo({ position: { x: 0, y: 0 }, scale: 1 });
    home();
    canvas.firstChild.tabIndex = -1;

    const known = new Map(graph.nodes.map((node) => [node.id, node]));
    const page = (id) => new URL(known.get(id).page, root).href;
    let picked = null;
    const redraw = () => {
      const next = look();
      data.nodes.update(next.nodes);
      data.edges.update(next.edges);
      namedAt = "";
    };
    const announce = (id) => {
      const { title, group } = known.get(id);
      picked = id;
      said.replaceChildren(make("a", { href: page(id), className: `kg-chip ${group}`, "data-kg": "statement" }, title));
    };
    const unfold = (id) => {
      const more = hidden(id);
      if (!more.length) return;
      /* What a reader has found stays where it is. */
      const now = network.getPositions();
      const stay = new Map(nodes.map((node) => [node.id, [now[node.id].x, now[node.id].y]]));
      more.forEach((other) => shown.add(other));
      settle(id, stay);
      redraw();
      network.selectNodes([id]);
    };
    const step = (way) => {
      const at = picked === null ? -1 : nodes.findIndex(({ id }) => id === picked);
      const next = at < 0 ? (way > 0 ? 0 : nodes.length - 1) : (at + way + nodes.length) % nodes.length;
      const { id } = nodes[next];
      network.selectNodes([id]);
      network.moveTo({ position: { x: places[next][0], y: places[next][1] } });
      announce(id);
    };
    const move = (x, y) => () => {
      const { x: left, y: top } = network.getViewPosition();
      network.moveTo({ position: { x: left + x / network.getScale(), y: top + y / network.getScale() } });
    };
    const zoom = (factor) => () => network.moveTo({ scale: Math.max(0.1, Math.min(8, network.getScale() * factor)) });
    const KEYS = {
      ArrowLeft: move(-50, 0), ArrowRight: move(50, 0), ArrowUp: move(0, -50), ArrowDown: move(0, 50),
      "+": zoom(1.3), "=": zoom(1.3), "-": zoom(1 / 1.3), 0: home, n: () => step(1), p: () => step(-1),
      " ": () => { if (picked !== null) unfold(picked); },
      Enter: () => { if (picked !== null) location.href = page(picked); },
    };
    canvas.addEventListener("keydown", (event) => {
      const act = KEYS[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    });
    network.on("selectNode", ({ nodes: [id] }) => { announce(id); unfold(id); });
    network.on("doubleClick", ({ nodes: [id] }) => { if (id) location.href = page(id); });
    const watcher = new MutationObserver(() => {
      ink = colours(area, groups);
      redraw();
    });
    watcher.observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
    atLeave(area, () => { watcher.disconnect(); network.destroy(); });
    area.kgNetwork = network;
  };
})();
