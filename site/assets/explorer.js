/* Graphs to explore, drawn by vis-network: one statement in the middle, what speaks against it on the left, what
   speaks for it on the right, and above and below what it bears on itself. A statement that is picked comes to the
   middle, and what is known of it stands below. All that is drawn is in view: links run between the columns, and of
   many reasons the heaviest come first. */
"use strict";
(() => {
  const { make, atLeave, root } = window.kg;
  const NARROW = 700; // pixels: where less is to be had, all reasons stand on the right
  const WIDEST = 240; // pixels of text in a row
  const BETWEEN = 80, NARROW_BETWEEN = 44; // from column to column, where the links run
  const SHOWN = 8, NARROW_SHOWN = 4; // reasons a side
  const TARGETS = 2; // of what a statement bears on, those that are drawn
  const APART = 10; // from box to box in a column
  const AWAY = 56; // from the middle to what it bears on
  const PAD = 6;
  const ROW = 17;
  const SIZE = 14; // of letters
  const OPTIONS = {
    physics: { enabled: false },
    layout: { improvedLayout: false },
    interaction: { hover: true, tooltipDelay: 80, dragNodes: false, dragView: false, zoomView: false, selectConnectedEdges: false },
    edges: { arrows: { to: { enabled: true, scaleFactor: 0.5 } } },
    nodes: { shape: "box", margin: PAD, chosen: { label: false }, shapeProperties: { borderRadius: 4 } },
  };
  const LINKS = { for: "--kg-for", against: "--kg-against", neither: "--kg-soft" };
  const CURVE = { enabled: true, type: "cubicBezier", forceDirection: "horizontal", roundness: 0.5 };

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
    canvas.setAttribute("aria-label", `${area.dataset.kgLabel}. N and P go from box to box, Space puts one in the middle, Enter opens its page.`);
    canvas.setAttribute("role", "application");
    canvas.tabIndex = 0;
    const known = new Map(graph.nodes.map((node, at) => [node.id, { ...node, at }]));
    /* What bears on each, and what each bears on. */
    const behind = new Map(graph.nodes.map(({ id }) => [id, new Map()]));
    const ahead = new Map(graph.nodes.map(({ id }) => [id, new Map()]));
    const join = (from, to, edge) => {
      if (edge.side !== "neither") behind.get(to).set(from, edge); // a claim that depends on it is no reason
      ahead.get(from).set(to, edge);
    };
    for (const edge of graph.edges) {
      join(edge.from, edge.to, edge);
      if (edge.mutual) join(edge.to, edge.from, edge);
    }
    const byWeight = (ids) => [...ids].sort((a, b) => known.get(a).at - known.get(b).at);
    const reasons = (id, pro) => byWeight(behind.get(id).keys()).filter((other) => (behind.get(id).get(other).side === "for") === pro);
    const [{ id: asked }] = graph.nodes;
    const family = getComputedStyle(area).fontFamily;
    const pen = make("canvas", {}).getContext("2d");
    pen.font = `${SIZE}px ${family}`;
    const measure = (text) => pen.measureText(text).width;

    const boxes = new Map(); // of what is shown: its rows, column, place and height
    const starts = { for: 0, against: 0 }; // of each side, how many reasons were leafed through
    let middle = asked, picked = asked, wide = 0, tall = 0, room = 0, column = 0, narrow = false;
    const boxOf = (id, label, at) => {
      const rows = inRows(label, room, measure);
      return { id, rows, at, x: at * column, y: 0, high: rows.length * ROW + 2 * PAD };
    };
    const stack = (list) => {
      let top = -(list.reduce((sum, { high }) => sum + high + APART, 0) - APART) / 2;
      for (const box of list) {
        box.y = top + box.high / 2;
        top += box.high + APART;
      }
    };
    const shownOf = (pro, at) => {
      const all = reasons(middle, pro), few = narrow ? NARROW_SHOWN : SHOWN, side = pro ? "for" : "against";
      const list = all.slice(starts[side], starts[side] + few).map((id) => boxOf(id, known.get(id).label, at));
      const others = all.length - list.length;
      return others > 0 ? [...list, { ...boxOf(`more ${side}`, `${others} more ${side} it`, at), more: side }] : list;
    };
    const layOut = () => {
      wide = canvas.clientWidth;
      narrow = wide < NARROW;
      const between = narrow ? NARROW_BETWEEN : BETWEEN, columns = narrow ? 2 : 3;
      room = Math.min(WIDEST, Math.floor((wide - 4 * PAD - (columns - 1) * between) / columns) - 2 * PAD);
      column = room + 2 * PAD + between;
      boxes.clear();
      const centre = boxOf(middle, known.get(middle).label, 0);
      const pro = shownOf(true, 1), con = shownOf(false, narrow ? 1 : -1);
      if (narrow) {
        stack([...pro, ...con]);
        /* The middle one stands at the top, since a long column would have it out of view. */
        const [first] = [...pro, ...con];
        const down = first ? first.high / 2 - first.y - centre.high / 2 : 0;
        for (const box of [...pro, ...con]) box.y += down;
      }
      else [pro, con].forEach(stack);
      for (const box of [centre, ...pro, ...con]) boxes.set(box.id, box);
      byWeight(ahead.get(middle).keys()).filter((id) => !boxes.has(id)).slice(0, TARGETS).forEach((id, at) => {
        const box = boxOf(id, known.get(id).label, 0);
        box.y = (at ? 1 : -1) * ((centre.high + box.high) / 2 + AWAY);
        boxes.set(id, box);
      });
      const all = [...boxes.values()];
      const top = Math.min(...all.map(({ y, high }) => y - high / 2)), bottom = Math.max(...all.map(({ y, high }) => y + high / 2));
      tall = bottom - top + 4 * PAD;
      canvas.style.height = `${tall}px`;
      return { x: narrow ? column / 2 : 0, y: (top + bottom) / 2 };
    };

    const groups = [...new Set(graph.nodes.map(({ group }) => group))];
    let ink = colours(area, groups);
    const drawnBox = ({ id, x, y, rows, more }) => {
      const marked = { border: ink.text, background: ink.raised };
      return {
        id, x, y, label: rows.join("\n"), borderWidth: id === middle ? 3 : more ? 0 : 1.5, borderWidthSelected: 3,
        widthConstraint: { minimum: room },
        font: { size: SIZE, face: family, color: ink.text, align: "left" },
        color: { border: ink.camps.get(known.get(id)?.group) ?? ink.ground, background: more ? ink.raised : ink.ground, highlight: marked, hover: marked },
      };
    };
    /* Links end at the sides of boxes, so that none runs behind one. */
    const anchor = (id, x, y) => ({ id, x, y, shape: "dot", size: 0.1, label: "", borderWidth: 0, chosen: false, color: "transparent" });
    const drawn = () => {
      const nodes = [...boxes.values()].map(drawnBox), edges = [], half = room / 2 + PAD;
      const link = (edge, from, to, smooth) => {
        const { title, dashes, width, mutual } = edge;
        const arrows = { to: { enabled: true }, from: { enabled: Boolean(mutual) } };
        edges.push({ id: `${from} ${to}`, from, to, title, dashes, width, arrows, smooth, color: { color: ink.sides[edge.side], highlight: ink.text, hover: ink.text, opacity: 0.85 } });
      };
      nodes.push(anchor("right of it", half, 0), anchor("left of it", -half, 0));
      for (const { id, at, x, y, more } of boxes.values()) {
        if (more || id === middle) continue;
        if (at) {
          nodes.push(anchor(`beside ${id}`, x - at * half, y));
          link(behind.get(middle).get(id), `beside ${id}`, at > 0 ? "right of it" : "left of it", CURVE);
        } else link(ahead.get(middle).get(id), middle, id, { enabled: false });
      }
      return { nodes, edges };
    };
    let position = layOut();
    const first = drawn();
    const data = { nodes: new vis.DataSet(first.nodes), edges: new vis.DataSet(first.edges) };
    const network = new vis.Network(canvas, data, OPTIONS);
    area.kgBoxes = boxes;
    const home = () => network.moveTo({ position, scale: 1 });
    const fit = () => {
      network.setSize(`${wide}px`, `${tall}px`);
      area.dataset.kgNodes = boxes.size;
      area.dataset.kgMiddle = middle;
      home();
    };
    fit();
    canvas.firstChild.tabIndex = -1;

    const page = (id) => new URL(known.get(id).page, root).href;
    const linkTo = (id) => make("a", { href: page(id), className: `kg-chip ${known.get(id).group}`, "data-kg": "statement" }, known.get(id).name);
    /* What is known of what was picked, and what it bears on, each with the reason that its note gives. */
    const announce = () => {
      if (!known.has(picked)) return;
      const pro = reasons(picked, true).length, con = reasons(picked, false).length;
      const borne = byWeight(ahead.get(picked).keys()).map((id) => {
        const [relation, ...reason] = ahead.get(picked).get(id).title.split(": ");
        return make("li", {}, `${relation} `, linkTo(id), reason.length ? `: ${reason.join(": ")}` : "");
      });
      const back = make("button", { type: "button", className: "kg-button" }, "Back to what is asked");
      back.addEventListener("click", () => centre(asked));
      said.replaceChildren(...[
        make("p", {}, make("strong", {}, linkTo(picked))),
        make("p", { className: "kg-small" }, [known.get(picked).standing, pro + con ? `${pro} for it and ${con} against it in this graph` : "Nothing else here bears on it"].join(". "), ". ", make("a", { href: page(picked) }, "Open its page")),
        borne.length ? make("ul", { className: "kg-small" }, ...borne) : null,
        middle === asked ? null : back,
      ].filter(Boolean));
    };
    const redraw = () => {
      position = layOut();
      const next = drawn();
      for (const [set, items] of [[data.edges, next.edges], [data.nodes, next.nodes]]) {
        set.clear();
        set.add(items);
      }
      fit();
      if (boxes.has(picked)) network.selectNodes([picked]);
    };
    const centre = (id) => {
      starts.for = starts.against = 0;
      middle = picked = id;
      redraw();
      announce();
    };
    const leaf = (way) => {
      const few = narrow ? NARROW_SHOWN : SHOWN, count = reasons(middle, way === "for").length;
      starts[way] = starts[way] + few < count ? starts[way] + few : 0;
      redraw();
    };
    const choose = (id) => {
      const { more } = boxes.get(id) ?? {};
      if (more) leaf(more);
      else if (known.has(id)) centre(id);
    };
    const step = (way) => {
      const ids = [...boxes.keys()], at = ids.indexOf(picked);
      picked = ids[at < 0 ? (way > 0 ? 0 : ids.length - 1) : (at + way + ids.length) % ids.length];
      network.selectNodes([picked]);
      announce();
    };
    const move = (x, y) => () => {
      const { x: left, y: top } = network.getViewPosition();
      network.moveTo({ position: { x: left + x / network.getScale(), y: top + y / network.getScale() } });
    };
    const zoom = (factor) => () => network.moveTo({ scale: Math.max(0.1, Math.min(8, network.getScale() * factor)) });
    const KEYS = {
      ArrowLeft: move(-50, 0), ArrowRight: move(50, 0), ArrowUp: move(0, -50), ArrowDown: move(0, 50),
      "+": zoom(1.3), "=": zoom(1.3), "-": zoom(1 / 1.3), 0: home, n: () => step(1), p: () => step(-1),
      " ": () => choose(picked),
      Enter: () => { if (known.has(picked)) location.href = page(picked); else choose(picked); },
    };
    canvas.addEventListener("keydown", (event) => {
      const act = KEYS[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    });
    network.on("selectNode", ({ nodes: [id] }) => choose(id));
    announce();
    const watcher = new MutationObserver(() => {
      ink = colours(area, groups);
      redraw();
    });
    watcher.observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
    const sizes = new ResizeObserver(() => { if (canvas.clientWidth && canvas.clientWidth !== wide) redraw(); });
    sizes.observe(area);
    atLeave(area, () => { watcher.disconnect(); sizes.disconnect(); network.destroy(); });
    area.kgNetwork = network;
  };
})();
