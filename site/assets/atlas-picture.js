/* The picture of the atlas: a graph in packed columns, drawn on a canvas that moves and zooms.
   What is chosen, searched and listed is none of its business; that is atlas.js. */
"use strict";
(() => {
  const LINKS = 2500;
  const ROADS = 150;
  const NAMES = 25;
  const PIECE = 150;
  const CELL = 40;
  const TURN = 2 * Math.PI;
  const TRACES = {
    circle: (p, x, y, r) => { p.moveTo(x + r, y); p.arc(x, y, r, 0, TURN); },
    diamond: (p, x, y, r) => { r *= 1.25; p.moveTo(x, y - r); p.lineTo(x + r, y); p.lineTo(x, y + r); p.lineTo(x - r, y); p.closePath(); },
    triangle: (p, x, y, r) => { r *= 1.2; p.moveTo(x, y - r); p.lineTo(x + r, y + r * 0.8); p.lineTo(x - r, y + r * 0.8); p.closePath(); },
    square: (p, x, y, r) => { p.rect(x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8); },
  };
  TRACES.hexagon = TRACES.star = TRACES.ring = TRACES.circle;

  /* -- the graph ----------------------------------------------------------------------- */

  const unpack = (text) => {
    const bytes = atob(text.slice(1));
    const held = new Uint8Array(bytes.length);
    for (let at = 0; at < bytes.length; at++) held[at] = bytes.charCodeAt(at);
    return new { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array }[text[0]](held.buffer);
  };
  const starts = (counts) => {
    const found = new Uint32Array(counts.length + 1);
    for (let at = 0; at < counts.length; at++) found[at + 1] = found[at] + counts[at];
    return found;
  };

  /* The columns of the graph, and for each statement the edges that touch it. */
  const readGraph = (packed) => {
    const graph = { ...packed };
    for (const name of ["x", "y", "kind", "camp", "year", "topicCount", "topic", "out", "to", "relation"]) graph[name] = unpack(packed[name]);
    const total = (graph.total = graph.x.length);
    graph.x = Float32Array.from(graph.x, (steps) => packed.corner[0] + steps * packed.step);
    graph.y = Float32Array.from(graph.y, (steps) => packed.corner[1] + steps * packed.step);
    graph.topicStart = starts(graph.topicCount);
    graph.from = new Uint32Array(graph.to.length);
    const out = starts(graph.out);
    for (let node = 0; node < total; node++) graph.from.fill(node, out[node], out[node + 1]);
    graph.degree = new Uint32Array(total);
    for (const ends of [graph.from, graph.to]) for (const node of ends) graph.degree[node]++;
    graph.nearStart = starts(graph.degree);
    graph.near = new Uint32Array(2 * graph.to.length);
    const next = graph.nearStart.slice();
    for (let edge = 0; edge < graph.to.length; edge++) {
      graph.near[next[graph.from[edge]]++] = edge;
      graph.near[next[graph.to[edge]]++] = edge;
    }
    graph.edgesOf = (node) => graph.near.subarray(graph.nearStart[node], graph.nearStart[node + 1]);
    graph.otherEnd = (edge, node) => (graph.from[edge] === node ? graph.to[edge] : graph.from[edge]);
    graph.side = (edge) => graph.relations[graph.relation[edge]][2];
    graph.disc = new Uint32Array(total);
    graph.discs.reduce((start, disc, number) => graph.disc.fill(number, start, start + disc[4]) && start + disc[4], 0);
    return graph;
  };

  /* -- the picture --------------------------------------------------------------------- */

  const startPicture = (graph, view, canvas, rested) => {
    const { x: xs, y: ys, total } = graph;
    const size = Float32Array.from(graph.degree, (edges) => 2.2 + Math.min(5, Math.sqrt(edges)));
    const alike = new Map();
    for (let node = 0; node < total; node++) {
      const hollow = graph.kinds[graph.kind[node]][0] === "evidence";
      const key = graph.camp[node] * 2 + hollow;
      if (!alike.has(key)) alike.set(key, { camp: graph.camp[node], hollow, nodes: [] });
      alike.get(key).nodes.push(node);
    }
    const context = canvas.getContext("2d");
    const kept = document.createElement("canvas");
    const at = { x: 0, y: 0, scale: 1 };
    /* Close by, statements grow no further, so that there is room for their names. */
    const radius = (node) => size[node] * Math.min(1, 2.2 / at.scale);
    let drawn = { ...at };
    let wide = 0, tall = 0, dense = 1;
    let shown = new Uint8Array(total).fill(1);
    let roads = null;
    let picked = -1, over = -1;
    let settling = 0;
    let asked = false;
    let ink = null;

    const readColours = () => {
      const looks = ["", ...graph.camps.map((camp) => camp.class)];
      const probes = looks.map((look) => Object.assign(document.createElement("span"), { className: look }));
      view.append(...probes);
      const all = getComputedStyle(probes[0]);
      const [text, soft, line, ground, raised, pro, con] = ["ink", "soft", "line", "ground", "raised", "for", "against"].map((name) => all.getPropertyValue(`--kg-${name}`).trim());
      const camps = probes.slice(1).map((probe) => getComputedStyle(probe).getPropertyValue("--camp").trim());
      ink = { text, line, ground, raised, sides: [pro, con, soft], camps: [soft, ...camps] };
      probes.forEach((probe) => probe.remove());
    };

    const fit = () => {
      if (!graph.discs.length) return;
      let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
      for (const [, x, y, r] of graph.discs) {
        left = Math.min(left, x - r); right = Math.max(right, x + r);
        top = Math.min(top, y - r); bottom = Math.max(bottom, y + r);
      }
      at.scale = Math.min(wide / (right - left + 20), tall / (bottom - top + 30), 2.5);
      at.x = wide / 2 - at.scale * (left + right) / 2;
      at.y = tall / 2 - at.scale * (top + bottom) / 2 + 5;
      settle(0);
    };
    const resize = () => {
      const room = view.getBoundingClientRect();
      if (!room.width || (room.width === wide && room.height === tall)) return;
      const before = wide;
      dense = Math.min(2, devicePixelRatio || 1);
      wide = room.width; tall = room.height;
      for (const one of [canvas, kept]) { one.width = wide * dense; one.height = tall * dense; }
      if (before) settle(0); else fit();
    };
    const inWords = (words) => (p) => { p.setTransform(dense, 0, 0, dense, 0, 0); words(p); };
    const inPlaces = (p) => p.setTransform(dense * at.scale, 0, 0, dense * at.scale, dense * at.x, dense * at.y);

    /* The whole picture is drawn when movement rests; while it lasts, the last one is moved about. */
    const paint = () => {
      const p = kept.getContext("2d");
      p.setTransform(1, 0, 0, 1, 0, 0);
      p.clearRect(0, 0, kept.width, kept.height);
      inPlaces(p);
      const room = { left: -at.x / at.scale, top: -at.y / at.scale, right: (wide - at.x) / at.scale, bottom: (tall - at.y) / at.scale };
      const inside = (node) => xs[node] >= room.left && xs[node] <= room.right && ys[node] >= room.top && ys[node] <= room.bottom;
      const links = linksNear(inside);
      p.fillStyle = ink.raised;
      p.strokeStyle = ink.line;
      p.lineWidth = 1 / at.scale;
      for (const [, x, y, r] of graph.discs) { p.beginPath(); p.arc(x, y, r - 5, 0, TURN); p.fill(); if (!links) p.stroke(); }
      if (links) paintLinks(p, links); else paintRoads(p);
      for (const group of alike.values()) paintAlike(p, group, room);
      inWords(() => paintNames(p, inside))(p);
      drawn = { ...at };
    };

    /* Links with an end in view; where those are too many, with both ends; null where even those are. */
    const linksNear = (inside) => {
      const one = [], both = [];
      for (let edge = 0; edge < graph.to.length; edge++) {
        const from = graph.from[edge], to = graph.to[edge];
        if (!shown[from] || !shown[to]) continue;
        const held = inside(from) + inside(to);
        if (held && one.length <= LINKS) one.push(edge);
        if (held === 2 && both.push(edge) > LINKS) return null;
      }
      return one.length <= LINKS ? one : both;
    };
    const paintLinks = (p, links) => {
      p.lineWidth = 0.8 / at.scale;
      p.globalAlpha = links.length > 800 ? 0.16 : 0.36;
      for (const side of [2, 0, 1]) {
        p.strokeStyle = ink.sides[side];
        inPieces(links.filter((edge) => graph.side(edge) === side), (edge) => {
          p.moveTo(xs[graph.from[edge]], ys[graph.from[edge]]);
          p.lineTo(xs[graph.to[edge]], ys[graph.to[edge]]);
        }, p, () => p.stroke());
      }
      p.globalAlpha = 1;
    };
    /* Long paths are slow: the browser looks for crossings within each. */
    const inPieces = (nodes, trace, p, finish) => {
      for (let start = 0; start < nodes.length; start += PIECE) {
        p.beginPath();
        for (let n = start; n < Math.min(nodes.length, start + PIECE); n++) trace(nodes[n]);
        finish();
      }
    };

    /* From afar, what leads from topic to topic, taken together: the heaviest of these ways. */
    const findRoads = () => {
      const many = graph.discs.length;
      const found = new Map();
      for (let edge = 0; edge < graph.to.length; edge++) {
        const from = graph.from[edge], to = graph.to[edge];
        if (!shown[from] || !shown[to] || graph.disc[from] === graph.disc[to]) continue;
        const a = Math.min(graph.disc[from], graph.disc[to]), b = Math.max(graph.disc[from], graph.disc[to]);
        if (!found.has(a * many + b)) found.set(a * many + b, { a, b, count: 0, sides: [0, 0, 0] });
        const road = found.get(a * many + b);
        road.count++;
        road.sides[graph.side(edge)]++;
      }
      return [...found.values()].sort((one, other) => other.count - one.count || one.a - other.a || one.b - other.b).slice(0, ROADS);
    };
    const paintRoads = (p) => {
      roads ??= findRoads();
      const most = roads.length ? roads[0].count : 1;
      p.globalAlpha = 0.16;
      for (const { a, b, count, sides } of roads) {
        const [, x1, y1] = graph.discs[a], [, x2, y2] = graph.discs[b];
        const far = Math.hypot(x2 - x1, y2 - y1) || 1;
        const width = (1 + 5 * count / most) / at.scale;
        let aside = -width / 2;
        sides.forEach((held, side) => {
          const part = width * held / count;
          const shift = aside + part / 2;
          const dx = -(y2 - y1) / far * shift, dy = (x2 - x1) / far * shift;
          aside += part;
          p.strokeStyle = ink.sides[side];
          p.lineWidth = part;
          p.beginPath();
          p.moveTo(x1 + dx, y1 + dy);
          p.lineTo(x2 + dx, y2 + dy);
          if (part) p.stroke();
        });
      }
      p.globalAlpha = 1;
    };
    const paintAlike = (p, { camp, hollow, nodes }, room) => {
      const look = TRACES[camp ? graph.camps[camp - 1].shape : "circle"] || TRACES.circle;
      const seen = nodes.filter((node) => xs[node] + 9 > room.left && xs[node] - 9 < room.right && ys[node] + 9 > room.top && ys[node] - 9 < room.bottom);
      p.fillStyle = ink.line;
      inPieces(seen.filter((node) => !shown[node]), (node) => look(p, xs[node], ys[node], radius(node) * 0.6), p, () => p.fill());
      p.fillStyle = hollow ? ink.ground : ink.camps[camp];
      p.strokeStyle = ink.camps[camp];
      p.lineWidth = 1.4 * Math.min(1, 2.2 / at.scale);
      inPieces(seen.filter((node) => shown[node]), (node) => look(p, xs[node], ys[node], hollow ? radius(node) * 0.8 : radius(node)), p, () => { p.fill(); if (hollow) p.stroke(); });
    };
    /* The room that the buttons over the picture take. */
    const buttons = () => {
      const room = view.getBoundingClientRect(), box = view.parentNode.querySelector(".kg-atlas-zooms").getBoundingClientRect();
      return { left: box.left - room.left, right: box.right - room.left + 4, top: box.top - room.top, bottom: box.bottom - room.top };
    };
    const largest = [...graph.discs].sort((a, b) => b[3] - a[3]);
    const paintNames = (p, inside) => {
      const taken = [buttons()];
      const write = (text, x, ...places) => {
        const half = p.measureText(text).width / 2 + 4;
        const middle = Math.max(half, Math.min(wide - half, x));
        const free = (y) => y > 12 && y < tall - 4 && taken.every((box) => middle + half < box.left || middle - half > box.right || y + 4 < box.top || y - 12 > box.bottom);
        const y = x < 0 || x > wide ? undefined : places.find(free);
        if (y === undefined) return;
        taken.push({ left: middle - half, right: middle + half, top: y - 12, bottom: y + 4 });
        p.strokeText(text, middle, y);
        p.fillText(text, middle, y);
      };
      p.textAlign = "center";
      p.fillStyle = ink.text;
      p.strokeStyle = ink.ground;
      p.lineWidth = 3;
      p.lineJoin = "round";
      p.font = `600 ${wide < 500 ? 11 : 12}px system-ui, sans-serif`;
      for (const [topic, x, y, r] of largest) write(topic < 0 ? "No topic" : graph.topics[topic][1], at.x + x * at.scale, at.y + (y - r) * at.scale + 8, at.y + (y + r) * at.scale);
      if (!graph.title) return;
      const named = [];
      for (let node = 0; node < total; node++) if (shown[node] && inside(node)) named.push(node);
      if (at.scale < 2.2 && named.length > 4 * NAMES) return;
      p.font = "11px system-ui, sans-serif";
      named.sort((a, b) => size[b] - size[a] || a - b);
      for (const node of named.slice(0, NAMES)) write(short(graph.title[node]), at.x + xs[node] * at.scale, at.y + (ys[node] + radius(node)) * at.scale + 12);
    };
    const short = (text) => (text.length > 46 ? `${text.slice(0, 45)}…` : text);

    const show = () => {
      asked = false;
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, canvas.width, canvas.height);
      const ratio = at.scale / drawn.scale;
      context.setTransform(ratio, 0, 0, ratio, dense * (at.x - drawn.x * ratio), dense * (at.y - drawn.y * ratio));
      context.drawImage(kept, 0, 0);
      const marked = [...new Set([picked, over])].filter((node) => node >= 0);
      inPlaces(context);
      marked.forEach(ring);
      inWords(() => marked.forEach(label))(context);
    };
    const ring = (node) => {
      context.lineWidth = 1.6 / at.scale;
      for (const edge of graph.edgesOf(node)) {
        const other = graph.otherEnd(edge, node);
        context.strokeStyle = ink.sides[graph.side(edge)];
        context.beginPath();
        context.moveTo(xs[node], ys[node]);
        context.lineTo(xs[other], ys[other]);
        context.stroke();
      }
      context.strokeStyle = ink.text;
      context.lineWidth = 2 / at.scale;
      context.beginPath();
      context.arc(xs[node], ys[node], radius(node) + 3 / at.scale, 0, TURN);
      context.stroke();
    };
    const label = (node) => {
      if (!graph.title) return;
      const text = graph.title[node].length > 80 ? `${graph.title[node].slice(0, 79)}…` : graph.title[node];
      context.font = "12px system-ui, sans-serif";
      const room = Math.min(wide - 8, context.measureText(text).width + 12);
      const left = Math.max(4, Math.min(wide - room - 4, at.x + xs[node] * at.scale - room / 2));
      const top = Math.max(4, at.y + (ys[node] - radius(node)) * at.scale - 30);
      context.fillStyle = ink.ground;
      context.strokeStyle = ink.sides[2];
      context.lineWidth = 1;
      context.fillRect(left, top, room, 22);
      context.strokeRect(left, top, room, 22);
      context.fillStyle = ink.text;
      context.textAlign = "left";
      context.fillText(text, left + 6, top + 15, room - 12);
    };
    const soon = () => { if (!asked) { asked = true; requestAnimationFrame(show); } };
    const settle = (wait = 120) => {
      clearTimeout(settling);
      soon();
      settling = setTimeout(() => { paint(); soon(); rested(); }, wait);
    };

    /* -- finding, moving ----------------------------------------------------------------- */

    let grid = null;
    const findGrid = () => {
      const found = new Map();
      for (let node = 0; node < total; node++) {
        const key = `${Math.floor(xs[node] / CELL)} ${Math.floor(ys[node] / CELL)}`;
        if (!found.has(key)) found.set(key, []);
        found.get(key).push(node);
      }
      return found;
    };
    const under = (left, top) => {
      grid ??= findGrid();
      const x = (left - at.x) / at.scale, y = (top - at.y) / at.scale;
      const reach = 9 / at.scale;
      let best = -1, least = Infinity;
      for (let i = Math.floor((x - reach - 8) / CELL); i <= Math.floor((x + reach + 8) / CELL); i++) {
        for (let j = Math.floor((y - reach - 8) / CELL); j <= Math.floor((y + reach + 8) / CELL); j++) {
          for (const node of grid.get(`${i} ${j}`) || []) {
            const far = Math.hypot(xs[node] - x, ys[node] - y) - radius(node);
            if (shown[node] && far < reach && far < least) { best = node; least = far; }
          }
        }
      }
      return best;
    };
    const zoomBy = (factor, left = wide / 2, top = tall / 2) => {
      const scale = Math.max(0.03, Math.min(12, at.scale * factor));
      at.x = left - (left - at.x) * scale / at.scale;
      at.y = top - (top - at.y) * scale / at.scale;
      at.scale = scale;
      settle();
    };
    const moveBy = (x, y) => { at.x += x; at.y += y; settle(); };
    const goTo = (node) => {
      at.scale = Math.max(at.scale, 1.6);
      at.x = wide / 2 - xs[node] * at.scale;
      at.y = tall / 2 - ys[node] * at.scale;
      settle(0);
    };

    readColours();
    resize();
    return {
      fit, resize, under, zoomBy, moveBy, goTo,
      draw: () => { clearTimeout(settling); paint(); show(); },
      show: (now) => { shown = now; roads = null; settle(0); },
      mark: (node) => { picked = node; soon(); },
      point: (node) => { over = node; soon(); },
      recolour: () => { readColours(); settle(0); },
    };
  };

  window.kgAtlas = Object.assign(window.kgAtlas || {}, { readGraph, startPicture });
})();
