/* Graphs to explore, drawn by vis-network as boxes in columns: what is asked about in the middle, what
   speaks against it on the left, what speaks for it on the right, and further out what bears on each that is
   picked, for or against it. Boxes never lie on each other, and links run behind them, so every title can be read. */
"use strict";
(() => {
  const { make, atLeave, root } = window.kg;
  const NARROW = 600; // pixels: where less is to be had, everything unfolds to the right
  const WIDE_BOX = 185, NARROW_BOX = 140; // pixels of text in a row
  const BETWEEN = 62; // from column to column
  const APART = 9; // from box to box in a column
  const PAD = 6;
  const ROW = 16;
  const SIZE = 13; // of letters
  const LEAST_SCALE = 1; // what does not fit is moved to, for smaller letters could not be read
  const OPTIONS = {
    autoResize: true,
    physics: { enabled: false },
    layout: { improvedLayout: false },
    interaction: { hover: true, tooltipDelay: 80, dragNodes: false },
    edges: {
      arrows: { to: { enabled: true, scaleFactor: 0.5 } },
      smooth: { enabled: true, type: "cubicBezier", forceDirection: "horizontal", roundness: 0.9 },
    },
    nodes: { shape: "box", margin: PAD, chosen: { label: false }, shapeProperties: { borderRadius: 4 } },
  };
  const LINKS = { for: "--kg-for", against: "--kg-against", neither: "--kg-soft" };

  const inRows = (label, room, measure) => {
    const rows = [""];
    const parts = (word) => {
      if (measure(word) <= room) return [word];
      let end = word.length - 1;
      while (end > 1 && measure(word.slice(0, end)) > room) end -= 1;
      return [word.slice(0, end), ...parts(word.slice(end))];
    };
    for (const word of label.split(" ").flatMap(parts)) {
      const longer = `${rows.at(-1)} ${word}`.trim();
      if (rows.at(-1) && measure(longer) > room) rows.push(word);
      else rows[rows.length - 1] = longer;
    }
    return rows;
  };
  /* The free place in a column that is nearest to the wanted one. */
  const freePlace = (column, wanted, high) => {
    const fits = (y) => column.every((box) => Math.abs(box.y - y) >= (box.high + high) / 2 + APART);
    const ends = column.flatMap((box) => {
      const far = (box.high + high) / 2 + APART;
      return [box.y - far, box.y + far];
    });
    return [wanted, ...ends].filter(fits).sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0];
  };

  const colours = (area, names) => {
    const probes = names.map((name) => make("span", { className: name }));
    area.append(...probes);
    const read = (probe, property) => getComputedStyle(probe).getPropertyValue(property).trim();
    const found = new Map(names.map((name, at) => [name, read(probes[at], "--camp")]));
    const own = (property) => read(area, property);
    const sides = Object.fromEntries(Object.entries(LINKS).map(([side, property]) => [side, own(property)]));
    const ink = { camps: found, sides, ground: own("--kg-ground"), raised: own("--kg-raised"), text: own("--kg-ink") };
    probes.forEach((probe) => probe.remove());
    return ink;
  };

  window.kg.explore = (area, graph) => {
    const canvas = area.querySelector(".kg-graph-canvas");
    const said = area.querySelector(".kg-graph-said");
    area.classList.add("kg-drawn");
    canvas.setAttribute("aria-label", `${area.dataset.kgLabel}. N and P go from statement to statement, Space unfolds what bears on one, Enter opens it.`);
    canvas.setAttribute("role", "application");
    canvas.tabIndex = 0;
    const { clientWidth: wide, clientHeight: tall } = canvas;
    const narrow = wide < NARROW, room = narrow ? NARROW_BOX : WIDE_BOX, column = room + 2 * PAD + (narrow ? BETWEEN / 2 : BETWEEN);
    const known = new Map(graph.nodes.map((node) => [node.id, node]));
    /* What bears on each, the heaviest first, as the nodes are listed. */
    const behind = new Map(graph.nodes.map(({ id }) => [id, new Map()]));
    for (const { from, to, mutual, side } of graph.edges) {
      behind.get(to).set(from, side);
      if (mutual) behind.get(from).set(to, side);
    }
    const [{ id: middle }] = graph.nodes;
    const family = getComputedStyle(area).fontFamily;
    const pen = make("canvas", {}).getContext("2d");
    pen.font = `${SIZE}px ${family}`;
    const measure = (text) => pen.measureText(text).width;
    const boxes = new Map(); // of what is shown: its rows, place and height
    const hidden = (id) => [...behind.get(id).keys()].filter((other) => !boxes.has(other));
    const labelled = (id) => {
      const rows = [...boxes.get(id).rows], more = hidden(id).length;
      if (more) rows[rows.length - 1] += ` +${more}`;
      return rows.join("\n");
    };
    const place = (id, at, wanted) => {
      const rows = inRows(known.get(id).label, room - (behind.get(id).size ? 22 : 0), measure);
      const high = rows.length * ROW + 2 * PAD;
      const y = freePlace([...boxes.values()].filter((box) => box.at === at), wanted, high);
      boxes.set(id, { rows, at, x: at * column, y, high });
    };
    const unfoldBoxes = (id) => {
      const from = boxes.get(id);
      const order = graph.nodes.map((node) => node.id);
      for (const other of hidden(id).sort((a, b) => order.indexOf(a) - order.indexOf(b))) {
        const outward = from.at || (behind.get(id).get(other) === "for" || narrow ? 1 : -1);
        place(other, from.at + Math.sign(outward), from.y);
      }
    };
    place(middle, 0, 0);
    unfoldBoxes(middle);

    const groups = [...new Set(graph.nodes.map(({ group }) => group))];
    let ink = colours(area, groups);
    const look = () => ({
      nodes: [...boxes].map(([id, { x, y }]) => {
        const { group, title } = known.get(id), camp = ink.camps.get(group), marked = { border: ink.text, background: ink.raised };
        return {
          id, x, y, title, label: labelled(id), borderWidth: id === middle ? 3 : 1.5,
          widthConstraint: { minimum: room },
          font: { size: SIZE, face: family, color: ink.text, align: "left" },
          color: { border: camp, background: ink.ground, highlight: marked, hover: marked },
        };
      }),
      edges: graph.edges.map((edge, id) => ({ ...edge, id })).filter(({ from, to }) => boxes.has(from) && boxes.has(to))
        .map(({ side, mutual, ...edge }) => ({ ...edge, color: { color: ink.sides[side], highlight: ink.text, hover: ink.text, opacity: 0.75 } })),
    });
    const first = look();
    const data = { nodes: new vis.DataSet(first.nodes), edges: new vis.DataSet(first.edges) };
    const network = new vis.Network(canvas, data, OPTIONS);
    area.dataset.kgNodes = boxes.size;
    area.kgBoxes = boxes;
    const ends = (axis, half) => {
      const all = [...boxes.values()];
      return [Math.min(...all.map((box) => box[axis] - half(box))), Math.max(...all.map((box) => box[axis] + half(box)))];
    };
    /* All in view, or as much of it as can be read. */
    const home = () => {
      const [left, right] = ends("x", () => room / 2 + PAD), [top, bottom] = ends("y", (box) => box.high / 2);
      const scale = Math.min(1, (wide - 2 * PAD) / (right - left), (tall - 2 * PAD) / (bottom - top));
      const seen = Math.max(scale, LEAST_SCALE);
      const x = (right - left) * seen > wide ? left + wide / 2 / seen - PAD : (left + right) / 2;
      network.moveTo({ position: { x, y: (bottom - top) * seen > tall ? 0 : (top + bottom) / 2 }, scale: seen });
    };
    home();
    canvas.firstChild.tabIndex = -1;

    const page = (id) => new URL(known.get(id).page, root).href;
    let picked = null;
    const redraw = () => {
      const next = look();
      data.nodes.update(next.nodes);
      data.edges.update(next.edges);
      area.dataset.kgNodes = boxes.size;
    };
    const announce = (id) => {
      const { title, group } = known.get(id);
      picked = id;
      said.replaceChildren(make("a", { href: page(id), className: `kg-chip ${group}`, "data-kg": "statement" }, title));
    };
    /* The view follows to boxes that are not in it; the last comes first where not all have room. */
    const show = (ids) => {
      const at = network.getViewPosition(), scale = network.getScale();
      for (const id of ids) {
        const { x, y, high } = boxes.get(id);
        const within = (from, to, half, size) => Math.max(to + half - size / 2 / scale, Math.min(to - half + size / 2 / scale, from));
        at.x = within(at.x, x, room / 2 + 3 * PAD, wide);
        at.y = within(at.y, y, high / 2 + 2 * PAD, tall);
      }
      network.moveTo({ position: at });
    };
    /* What a reader has found stays where it is. */
    const unfold = (id) => {
      const more = hidden(id);
      if (!more.length) return;
      unfoldBoxes(id);
      redraw();
      network.selectNodes([id]);
      show([...more.slice(0, 1), id]);
    };
    const step = (way) => {
      const ids = [...boxes.keys()], at = ids.indexOf(picked);
      const id = ids[at < 0 ? (way > 0 ? 0 : ids.length - 1) : (at + way + ids.length) % ids.length];
      network.selectNodes([id]);
      show([id]);
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
