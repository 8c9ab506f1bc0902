/* The atlas: every statement on a canvas, to move through, filter and search. Loaded by kg.js on
   the one page that has it. Whatever is chosen stands in the address, so that it can be sent on. */
"use strict";
(() => {
  const make = (name, properties = {}, ...children) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (value === undefined || value === null || value === false) continue;
      node.setAttribute(key === "className" ? "class" : key, value === true ? "" : value);
    }
    node.append(...children.filter((child) => child !== null));
    return node;
  };
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const CELL = 40;
  const LISTED = 40;
  const TRACES = {
    circle: (p, x, y, r) => { p.moveTo(x + r, y); p.arc(x, y, r, 0, 6.2832); },
    diamond: (p, x, y, r) => { r *= 1.25; p.moveTo(x, y - r); p.lineTo(x + r, y); p.lineTo(x, y + r); p.lineTo(x - r, y); p.closePath(); },
    triangle: (p, x, y, r) => { r *= 1.2; p.moveTo(x, y - r); p.lineTo(x + r, y + r * 0.8); p.lineTo(x - r, y + r * 0.8); p.closePath(); },
    square: (p, x, y, r) => { p.rect(x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8); },
  };
  TRACES.hexagon = TRACES.star = TRACES.ring = TRACES.circle;

  window.kgStartAtlas = (area, graph) => {
    const total = graph.id.length;
    const texts = graph.title.map(fold);
    const near = Array.from({ length: total }, () => []);
    graph.from.forEach((from, edge) => { near[from].push(edge); near[graph.to[edge]].push(edge); });
    const size = near.map((edges) => 2.2 + Math.min(5, Math.sqrt(edges.length)));

    /* -- what is chosen ------------------------------------------------------------------- */

    const chosen = { topic: "", camp: "", kind: "", relation: "", from: "", to: "", words: "" };
    let shown = new Uint8Array(total).fill(1);
    let picked = -1;
    let over = -1;
    const years = graph.year.filter(Boolean);
    const first = years.length ? Math.min(...years) : 0;
    const last = years.length ? Math.max(...years) : 0;

    const filter = () => {
      const words = fold(chosen.words).split(/\s+/).filter(Boolean);
      const from = Number(chosen.from) || 0;
      const to = Number(chosen.to) || 9999;
      const relation = chosen.relation === "" ? null : Number(chosen.relation);
      for (let node = 0; node < total; node++) {
        shown[node] = Number(
          (chosen.camp === "" || graph.camp[node] === Number(chosen.camp)) &&
          (chosen.kind === "" || graph.kind[node] === Number(chosen.kind)) &&
          (chosen.topic === "" || graph.topics[node].includes(Number(chosen.topic))) &&
          ((!chosen.from && !chosen.to) || (graph.year[node] >= from && graph.year[node] <= to)) &&
          words.every((word) => texts[node].includes(word)) &&
          (relation === null || near[node].some((edge) => graph.relation[edge] === relation)));
      }
    };

    /* -- controls --------------------------------------------------------------------------- */

    const controls = {};
    const field = (name, label, control) => {
      controls[name] = control;
      control.addEventListener(control.tagName === "SELECT" ? "change" : "input", () => {
        chosen[name] = control.value;
        changed();
      });
      return make("label", { className: "kg-field" }, make("span", {}, label), control);
    };
    const select = (words) => make("select", {}, make("option", { value: "" }, "All"), ...words.map((word, index) => make("option", { value: index }, word)));
    const said = make("p", { className: "kg-small", "aria-live": "polite" });
    const tools = make("div", { className: "kg-tools" },
      field("words", "Words", make("input", { type: "search", autocomplete: "off" })),
      field("camp", "Camp", select(graph.camps.map((camp) => camp.label))),
      field("kind", "Kind", select(graph.kinds)),
      field("relation", "Has a link that", select(graph.relations)),
      field("topic", "Topic", select(graph.discs.map((disc) => disc[0] || "none"))));
    if (first < last) {
      const year = (name, label) => field(name, label, make("input", { type: "number", min: first, max: last, placeholder: name === "from" ? first : last, className: "kg-year" }));
      tools.append(year("from", "Source from"), year("to", "to"));
    }
    const canvas = make("canvas", { tabindex: "0", role: "application", "aria-label": "Atlas of statements. Arrow keys move, plus and minus zoom, N and P go from statement to statement, Enter opens one.", "aria-describedby": "kg-atlas-said" });
    const view = make("div", { className: "kg-atlas-view" }, canvas);
    const detail = make("div", { className: "kg-atlas-detail", "aria-live": "polite", id: "kg-atlas-said" });
    const list = make("ul", { className: "kg-plain" });
    const button = (label, words, act) => {
      const made = make("button", { type: "button", className: "kg-button", "aria-label": label }, words);
      made.addEventListener("click", act);
      return made;
    };
    const zooms = make("div", { className: "kg-map-tools", role: "group", "aria-label": "Zoom" },
      button("Zoom in", "+", () => zoomAt(1.4)), button("Zoom out", "−", () => zoomAt(1 / 1.4)), button("Show everything", "All", () => fit()));
    area.replaceChildren(tools, said, zooms, view, detail, make("details", {}, make("summary", {}, "The statements found, as a list"), list));

    /* -- colours ------------------------------------------------------------------------------ */

    let ink = {};
    const readColours = () => {
      const colour = (name, property) => {
        const probe = make("span", { className: name });
        area.append(probe);
        const found = getComputedStyle(probe).getPropertyValue(property).trim();
        probe.remove();
        return found;
      };
      ink = {
        text: colour("", "--kg-ink"), soft: colour("", "--kg-soft"), line: colour("", "--kg-line"), ground: colour("", "--kg-ground"), raised: colour("", "--kg-raised"),
        pro: colour("", "--kg-for"), con: colour("", "--kg-against"), camps: graph.camps.map((camp) => colour(camp.class, "--camp")),
      };
    };

    /* -- drawing ------------------------------------------------------------------------------- */

    const context = canvas.getContext("2d");
    const kept = document.createElement("canvas");
    let wide = 0, tall = 0, dense = 1;
    const at = { x: 0, y: 0, scale: 1 };
    let drawn = { x: 0, y: 0, scale: 1 };
    let settling = 0;
    let asked = false;

    const box = () => {
      let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
      for (const [, x, y, r] of graph.discs) {
        left = Math.min(left, x - r); right = Math.max(right, x + r);
        top = Math.min(top, y - r - 14); bottom = Math.max(bottom, y + r);
      }
      return { left, top, right, bottom };
    };
    const fit = () => {
      const all = box();
      at.scale = Math.min(wide / (all.right - all.left + 40), tall / (all.bottom - all.top + 40), 2.5);
      at.x = wide / 2 - at.scale * (all.left + all.right) / 2;
      at.y = tall / 2 - at.scale * (all.top + all.bottom) / 2;
      settle(0);
    };
    const resize = () => {
      const room = view.getBoundingClientRect();
      if (!room.width) return;
      const before = wide;
      dense = Math.min(2, devicePixelRatio || 1);
      wide = room.width; tall = room.height;
      for (const one of [canvas, kept]) { one.width = wide * dense; one.height = tall * dense; }
      if (before) settle(0); else fit();
    };

    /* The whole picture is drawn when movement rests; while it lasts, the last one is moved about. */
    const paint = () => {
      const p = kept.getContext("2d");
      p.setTransform(dense, 0, 0, dense, 0, 0);
      p.clearRect(0, 0, wide, tall);
      p.setTransform(dense * at.scale, 0, 0, dense * at.scale, dense * at.x, dense * at.y);
      p.fillStyle = ink.raised;
      for (const [, x, y, r] of graph.discs) { p.beginPath(); p.arc(x, y, r - 5, 0, 6.2832); p.fill(); }
      paintEdges(p);
      paintNodes(p);
      paintNames(p);
      drawn = { ...at };
    };
    const inView = () => ({ left: -at.x / at.scale, top: -at.y / at.scale, right: (wide - at.x) / at.scale, bottom: (tall - at.y) / at.scale });
    const paintEdges = (p) => {
      const side = [new Path2D(), new Path2D(), new Path2D()];
      const room = inView();
      for (let edge = 0; edge < graph.from.length; edge++) {
        const a = graph.from[edge], b = graph.to[edge];
        if (!shown[a] || !shown[b]) continue;
        const x1 = graph.x[a], y1 = graph.y[a], x2 = graph.x[b], y2 = graph.y[b];
        if (Math.max(x1, x2) < room.left || Math.min(x1, x2) > room.right || Math.max(y1, y2) < room.top || Math.min(y1, y2) > room.bottom) continue;
        const path = side[[0, 1, 1, 1, 2, 2, 2][graph.relation[edge]]];
        path.moveTo(x1, y1);
        path.lineTo(x2, y2);
      }
      p.lineWidth = 0.7 / at.scale;
      p.globalAlpha = graph.from.length > 5000 ? 0.1 : 0.32;
      [ink.pro, ink.con, ink.soft].forEach((colour, index) => { p.strokeStyle = colour; p.stroke(side[index]); });
      p.globalAlpha = 1;
    };
    const paintNodes = (p) => {
      const room = inView();
      const groups = new Map();
      const pale = new Path2D();
      for (let node = 0; node < total; node++) {
        const x = graph.x[node], y = graph.y[node], r = size[node];
        if (x + r < room.left || x - r > room.right || y + r < room.top || y - r > room.bottom) continue;
        const camp = graph.camp[node];
        const trace = TRACES[camp < 0 ? "circle" : graph.camps[camp].shape] || TRACES.circle;
        if (!shown[node]) { trace(pale, x, y, r * 0.6); continue; }
        const hollow = graph.kind[node] === graph.kinds.length - 1;
        const key = `${camp} ${hollow}`;
        if (!groups.has(key)) groups.set(key, { path: new Path2D(), camp, hollow });
        trace(groups.get(key).path, x, y, hollow ? r * 0.8 : r);
      }
      p.fillStyle = ink.line;
      p.fill(pale);
      for (const { path, camp, hollow } of groups.values()) {
        const colour = camp < 0 ? ink.soft : ink.camps[camp];
        p.fillStyle = hollow ? ink.ground : colour;
        p.fill(path);
        p.strokeStyle = colour;
        p.lineWidth = hollow ? 1.4 : 0.5;
        p.stroke(path);
      }
    };
    const paintNames = (p) => {
      p.setTransform(dense, 0, 0, dense, 0, 0);
      p.textAlign = "center";
      p.fillStyle = ink.text;
      p.strokeStyle = ink.ground;
      p.lineWidth = 3;
      p.font = "600 12px system-ui, sans-serif";
      const taken = [];
      const write = (text, x, y) => {
        const half = p.measureText(text).width / 2 + 4;
        if (taken.some(([a, b, w]) => Math.abs(a - x) < w + half && Math.abs(b - y) < 15)) return;
        taken.push([x, y, half]);
        p.strokeText(text, x, y);
        p.fillText(text, x, y);
      };
      for (const [name, x, y, r] of graph.discs) write(name || "no topic", at.x + x * at.scale, at.y + (y - r) * at.scale + 6);
      if (at.scale < 2.2) return;
      p.font = "11px system-ui, sans-serif";
      const room = inView();
      const named = [];
      for (let node = 0; node < total; node++) {
        if (shown[node] && graph.x[node] > room.left && graph.x[node] < room.right && graph.y[node] > room.top && graph.y[node] < room.bottom) named.push(node);
      }
      named.sort((a, b) => size[b] - size[a] || a - b);
      for (const node of named.slice(0, 25)) {
        const title = graph.title[node];
        write(title.length > 46 ? `${title.slice(0, 45)}…` : title, at.x + graph.x[node] * at.scale, at.y + graph.y[node] * at.scale + size[node] * at.scale + 13);
      }
    };
    const show = () => {
      asked = false;
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, canvas.width, canvas.height);
      const ratio = at.scale / drawn.scale;
      context.setTransform(ratio, 0, 0, ratio, dense * (at.x - drawn.x * ratio), dense * (at.y - drawn.y * ratio));
      context.drawImage(kept, 0, 0);
      context.setTransform(dense * at.scale, 0, 0, dense * at.scale, dense * at.x, dense * at.y);
      for (const node of new Set([picked, over])) if (node >= 0) ring(node);
    };
    const ring = (node) => {
      context.lineWidth = 1.6 / at.scale;
      for (const edge of near[node]) {
        const other = graph.from[edge] === node ? graph.to[edge] : graph.from[edge];
        context.strokeStyle = [ink.pro, ink.con, ink.con, ink.con, ink.soft, ink.soft, ink.soft][graph.relation[edge]];
        context.beginPath();
        context.moveTo(graph.x[node], graph.y[node]);
        context.lineTo(graph.x[other], graph.y[other]);
        context.stroke();
      }
      context.strokeStyle = ink.text;
      context.lineWidth = 2 / at.scale;
      context.beginPath();
      context.arc(graph.x[node], graph.y[node], size[node] + 3 / at.scale, 0, 6.2832);
      context.stroke();
    };
    const soon = () => { if (!asked) { asked = true; requestAnimationFrame(show); } };
    const settle = (wait = 120) => {
      clearTimeout(settling);
      soon();
      settling = setTimeout(() => { paint(); soon(); remember(); }, wait);
    };

    /* -- finding, moving ------------------------------------------------------------------------- */

    const grid = new Map();
    graph.x.forEach((x, node) => {
      const key = `${Math.floor(x / CELL)} ${Math.floor(graph.y[node] / CELL)}`;
      if (!grid.has(key)) grid.set(key, []);
      grid.get(key).push(node);
    });
    const under = (left, top) => {
      const x = (left - at.x) / at.scale, y = (top - at.y) / at.scale;
      const reach = 9 / at.scale;
      let best = -1, least = Infinity;
      for (let i = Math.floor((x - reach - 8) / CELL); i <= Math.floor((x + reach + 8) / CELL); i++) {
        for (let j = Math.floor((y - reach - 8) / CELL); j <= Math.floor((y + reach + 8) / CELL); j++) {
          for (const node of grid.get(`${i} ${j}`) || []) {
            const far = Math.hypot(graph.x[node] - x, graph.y[node] - y) - size[node];
            if (shown[node] && far < reach && far < least) { best = node; least = far; }
          }
        }
      }
      return best;
    };
    const zoomAt = (factor, left = wide / 2, top = tall / 2) => {
      const scale = Math.max(0.05, Math.min(12, at.scale * factor));
      at.x = left - (left - at.x) * scale / at.scale;
      at.y = top - (top - at.y) * scale / at.scale;
      at.scale = scale;
      settle();
    };
    const goTo = (node) => {
      at.scale = Math.max(at.scale, 1.6);
      at.x = wide / 2 - graph.x[node] * at.scale;
      at.y = tall / 2 - graph.y[node] * at.scale;
      settle(0);
    };
    const link = (node) => make("a", { href: graph.page[node], className: `kg-chip ${graph.camp[node] < 0 ? "kg-camp-none" : graph.camps[graph.camp[node]].class}`, "data-kg": "statement" }, graph.title[node]);
    const pick = (node) => {
      picked = node;
      detail.replaceChildren();
      if (node >= 0) {
        const side = graph.camp[node] < 0 ? "" : `${graph.camps[graph.camp[node]].label} `;
        const rows = near[node].slice(0, 12).map((edge) => {
          const out = graph.from[edge] === node;
          const other = out ? graph.to[edge] : graph.from[edge];
          const words = graph.relations[graph.relation[edge]];
          return out ? make("li", {}, `${words} `, link(other)) : make("li", {}, link(other), ` ${words} it`);
        });
        detail.append(make("p", { className: "kg-card-title" }, link(node), make("span", { className: "kg-small" }, ` ${side}${graph.kinds[graph.kind[node]].toLowerCase()}`)), make("ul", { className: "kg-plain" }, ...rows));
        if (near[node].length > 12) detail.append(make("p", { className: "kg-small" }, `and ${near[node].length - 12} more links`));
      }
      soon();
      remember();
    };

    let held = null;
    const pointers = new Map();
    const spot = (event) => { const room = canvas.getBoundingClientRect(); return [event.clientX - room.left, event.clientY - room.top]; };
    canvas.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, spot(event));
      canvas.setPointerCapture(event.pointerId);
      held = { at: spot(event), moved: false };
    });
    canvas.addEventListener("pointermove", (event) => {
      const [x, y] = spot(event);
      if (!pointers.has(event.pointerId)) {
        const node = under(x, y);
        if (node !== over) { over = node; canvas.title = node < 0 ? "" : graph.title[node]; canvas.classList.toggle("kg-over", node >= 0); soon(); }
        return;
      }
      const [a, b] = pointers.get(event.pointerId);
      if (pointers.size === 2) {
        const other = [...pointers.entries()].find(([id]) => id !== event.pointerId)[1];
        zoomAt(Math.hypot(x - other[0], y - other[1]) / (Math.hypot(a - other[0], b - other[1]) || 1), (x + other[0]) / 2, (y + other[1]) / 2);
      } else {
        at.x += x - a;
        at.y += y - b;
        settle();
      }
      if (held && Math.hypot(x - held.at[0], y - held.at[1]) > 5) held.moved = true;
      pointers.set(event.pointerId, [x, y]);
    });
    const up = (event) => {
      if (pointers.delete(event.pointerId) && event.type === "pointerup" && held && !held.moved) pick(under(...held.at));
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("dblclick", (event) => { const node = under(...spot(event)); if (node >= 0) location.href = graph.page[node]; });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      zoomAt(Math.exp(-event.deltaY * 0.0016), ...spot(event));
    }, { passive: false });
    const order = [...near.keys()].sort((a, b) => near[b].length - near[a].length || a - b);
    const step = (way) => {
      const among = order.filter((node) => shown[node]);
      if (!among.length) return;
      const place = among.indexOf(picked);
      const next = among[(place + way + among.length) % among.length];
      pick(next);
      goTo(next);
    };
    const KEYS = {
      ArrowLeft: () => { at.x += 60; settle(); }, ArrowRight: () => { at.x -= 60; settle(); },
      ArrowUp: () => { at.y += 60; settle(); }, ArrowDown: () => { at.y -= 60; settle(); },
      "+": () => zoomAt(1.3), "=": () => zoomAt(1.3), "-": () => zoomAt(1 / 1.3), 0: fit,
      n: () => step(1), p: () => step(-1), Escape: () => pick(-1),
      Enter: () => { if (picked >= 0) location.href = graph.page[picked]; },
    };
    canvas.addEventListener("keydown", (event) => {
      const act = KEYS[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    });

    /* -- the address ------------------------------------------------------------------------------- */

    const remember = () => {
      const words = new URLSearchParams(Object.entries(chosen).filter(([, value]) => value));
      if (picked >= 0) words.set("at", graph.id[picked]);
      const hash = words.toString();
      if (hash !== location.hash.slice(1)) history.replaceState(history.state, "", hash ? `#${hash}` : location.pathname + location.search);
    };
    const recall = () => {
      const words = new URLSearchParams(location.hash.slice(1));
      for (const name of Object.keys(chosen)) {
        chosen[name] = words.get(name) || "";
        if (controls[name]) controls[name].value = chosen[name];
      }
      return graph.id.indexOf(words.get("at") || "");
    };
    const changed = () => {
      filter();
      const found = shown.reduce((sum, one) => sum + one, 0);
      said.textContent = `${found.toLocaleString("en")} of ${total.toLocaleString("en")} statements`;
      list.replaceChildren(...order.filter((node) => shown[node]).slice(0, LISTED).map((node) => make("li", {}, link(node))));
      if (found > LISTED) list.append(make("li", { className: "kg-small" }, `and ${(found - LISTED).toLocaleString("en")} more`));
      settle(0);
    };

    readColours();
    const start = recall();
    resize();
    changed();
    paint();
    show();
    if (start >= 0) { pick(start); goTo(start); }
    new ResizeObserver(resize).observe(view);
    new MutationObserver(() => { readColours(); settle(0); }).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
    area.dataset.kgNodes = total;
  };
})();
