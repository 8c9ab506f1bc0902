/* The page of graphs: in the middle the way from an answer down to one statement and to the sources of evidence, on the
   left what speaks against that statement, on the right what speaks for it, the heaviest on top. vis-network draws it
   where there is room; on a narrow screen boxes of links do. The address holds the way, to go back and to send. */
"use strict";
(() => {
  const { make, atLeave, root } = window.kg;
  const NARROW = 700; // pixels: with less the picture is links, and upright
  const WIDEST = 420, MIDDLE = 180; // pixels of text in a row, at the sides and in the middle
  const BETWEEN = 90; // pixels from column to column, where the links run
  const SHOWN = 8; // reasons a side in the picture; one more is drawn rather than left out alone
  const FEW = 3; // reasons a side on a narrow screen, and sources
  const ROWS = 4; // of words in a box; on the way three
  const APART = 10, STEP = 26, PAD = 7, ROW = 20, SIZE = 16; // of boxes and letters
  const PORT = 15; // from link to link at the middle box
  const HIGHEST = 110; // pixels above the middle box, at most
  const THINNEST = 1, THICKEST = 10;
  const OPTIONS = {
    physics: { enabled: false },
    layout: { improvedLayout: false },
    interaction: { hover: true, tooltipDelay: 80, dragNodes: false, dragView: false, zoomView: false, selectConnectedEdges: false },
    nodes: { shape: "box", margin: PAD, chosen: { label: false }, shapeProperties: { borderRadius: 4 } },
  };
  const SIDES = [["against", -1, "What speaks against it, or limits it"], ["for", 1, "What speaks for it"]];

  const heaviest = ({ length }, isOpen, most = SHOWN) => (isOpen || length <= most + 1 ? length : most);
  const moreWords = (count) => `Show ${count} more, lighter`;
  const inRows = (label, room, measure, most) => {
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
    if (rows.length <= most) return rows;
    let last = rows[most - 1];
    while (measure(`${last}…`) > room) last = last.slice(0, -1);
    return [...rows.slice(0, most - 1), `${last}…`];
  };
  const colours = (area, names) => {
    const probes = names.map((name) => make("span", { className: name }));
    area.append(...probes);
    const read = (probe, property) => getComputedStyle(probe).getPropertyValue(property).trim(), own = (property) => read(area, `--kg-${property}`);
    const ink = {
      camps: new Map(names.map((name, at) => [name, read(probes[at], "--camp") || own("soft")])),
      for: own("for"), against: own("against"), ground: own("ground"), raised: own("raised"), text: own("ink"), soft: own("soft"),
    };
    probes.forEach((probe) => probe.remove());
    return ink;
  };

  /* What a graph holds, by statement. */
  const read = ({ nodes, edges }) => {
    const known = new Map(nodes.map((node) => [node.id, { sources: [], ...node, for: [], against: [], ahead: [] }]));
    for (const edge of edges) {
      known.get(edge.to)[edge.share > 0 ? "for" : "against"].push(edge);
      known.get(edge.from).ahead.push(edge);
    }
    return { known, asked: nodes[0].id, groups: [...new Set(nodes.map(({ group }) => group))] };
  };
  const breadth = ({ known }, { to, share }) => Math.max(THINNEST, THICKEST * Math.abs(share) / Math.max(...SIDES.flatMap(([side]) => known.get(to)[side].map((each) => Math.abs(each.share)))));
  const weighed = ({ title, adds }) => title.replace(/(?=: |$)/, ` (${adds})`);
  const stepTo = ({ known }, id, onto) => known.get(id)?.ahead.find(({ to }) => to === onto);
  /* From the answer by way of these statements; if they are no way, the shortest to the last, which a graph names first. */
  const wayTo = (graph, ids) => {
    const way = [graph.asked, ...ids];
    if (new Set(way).size === way.length && ids.every((id, at) => stepTo(graph, id, way[at]))) return way;
    const found = graph.known.has(ids.at(-1)) ? [ids.at(-1)] : [graph.asked];
    while (found[0] !== graph.asked) found.unshift(graph.known.get(found[0]).ahead[0].to);
    return found;
  };

  /* The picture of the way to a statement: `show` draws it, a box that is picked is told to `pick`. */
  const drawPicture = (canvas, graph, pick) => {
    const family = getComputedStyle(canvas).fontFamily;
    const pen = make("canvas", {}).getContext("2d");
    pen.font = `${SIZE}px ${family}`;
    const measure = (text) => pen.measureText(text).width;
    const boxes = new Map();
    let network = null, way = [], middle = "", open = new Set(), ink = colours(canvas, graph.groups);

    const layOut = () => {
      const wide = canvas.clientWidth, room = Math.min(WIDEST, Math.floor((wide - MIDDLE - 2 * BETWEEN - 8 * PAD) / 2));
      const column = (MIDDLE + room) / 2 + 2 * PAD + BETWEEN, { known } = graph, node = known.get(middle);
      boxes.clear();
      const boxOf = (id, label, at, more) => {
        const width = at ? room : MIDDLE, rows = inRows(label, width, measure, more.most ?? ROWS);
        if (more.beneath) rows.push(...inRows(more.beneath, width, measure, ROWS));
        return { id, rows, at, width, x: at * column, high: Math.max(rows.length * ROW, more.least ?? 0) + 2 * PAD, ...more };
      };
      const links = [], named = (id) => `${known.get(id).mark} ${known.get(id).label}`;
      const ports = Math.max(...SIDES.map(([side]) => heaviest(node[side], open.has(side))));
      const centre = boxOf(middle, named(middle), 0, { most: 3, beneath: node.standing, least: (ports - 1) * PORT });
      const stack = (list, top) => {
        for (const box of list) {
          box.y = top + box.high / 2;
          top += box.high + (box.at ? APART : STEP);
          boxes.set(box.id, box);
        }
        return top;
      };
      const sides = SIDES.map(([side, at, words]) => {
        const first = heaviest(node[side], open.has(side)), others = node[side].length - first;
        const list = node[side].slice(0, first).map((edge, row) => boxOf(`${side} ${row}`, named(edge.from), at, { edge, picks: edge.from, beneath: edge.without }));
        if (first) list.unshift(boxOf(`head ${side}`, words, at, { tone: side }));
        if (others) list.push(boxOf(`more ${side}`, moreWords(others), at, { tone: "soft", opens: side }));
        return { at, list, tall: list.reduce((sum, { high }) => sum + high + APART, 0) };
      });
      const above = way.slice(0, -1).map((id, at) => boxOf(`step ${at}`, named(id), 0, { most: 3, picks: id }));
      const lower = [centre, ...node.sources.slice(0, FEW).map(({ label, page }, at) => boxOf(`source ${at}`, `Source: ${label}`, 0, { page }))];
      /* The middle one stays near the top, since of a long column the middle is out of view. */
      const tallest = Math.max(...sides.map(({ tall }) => tall));
      const top = Math.max(stack(above, 0), Math.min((tallest - centre.high) / 2, HIGHEST));
      const lowest = Math.max(stack(lower, top), tallest);
      for (const { at, list, tall } of sides) {
        stack(list, Math.max(0, centre.y - tall / 2));
        /* Each link has its own place at the middle box, so that none lies on another. */
        const rim = (width) => at * (width / 2 + PAD), linked = list.filter(({ edge }) => edge);
        linked.forEach(({ id, x, y, edge }, row) => links.push({ id, edge, from: [x - rim(room), y], to: [rim(MIDDLE), centre.y + (row - (linked.length - 1) / 2) * PORT] }));
      }
      [...above, ...lower].reduce(({ y, high }, box, at) => {
        links.push({ id: `down ${at}`, edge: stepTo(graph, way[at], way[at - 1]), from: [0, box.y - box.high / 2], to: [0, y + high / 2] });
        return box;
      });
      const tall = lowest + 2 * PAD;
      canvas.style.height = `${tall}px`;
      return { wide, tall, links };
    };
    const anchor = (id, [x, y]) => ({ id, x, y, shape: "dot", size: 0.1, label: "", borderWidth: 0, chosen: false, color: "transparent" });
    const drawn = ({ links }) => {
      const nodes = [], marked = { border: ink.text, background: ink.raised };
      for (const { id, x, y, rows, width, high, picks, page, tone, opens } of boxes.values()) {
        const border = tone && !opens ? ink.ground : page || opens ? ink.soft : ink.camps.get(graph.known.get(picks ?? middle).group), background = id === middle ? ink.raised : ink.ground;
        nodes.push({
          id, x, y, label: rows.join("\n"), borderWidth: id === middle ? 3 : 1.5, borderWidthSelected: 3,
          widthConstraint: { minimum: width }, heightConstraint: { minimum: high - 2 * PAD, valign: "middle" },
          font: { size: SIZE, face: family, color: ink[tone ?? "text"], align: "left" }, color: { border, background, highlight: marked, hover: marked },
        });
      }
      const edges = links.map(({ id, from, to, edge }) => {
        nodes.push(anchor(`from ${id}`, from), anchor(`to ${id}`, to));
        const width = edge ? breadth(graph, edge) : THINNEST;
        return {
          id, width, from: `from ${id}`, to: `to ${id}`, title: edge && weighed(edge), dashes: edge?.dashes && edge.dashes.map((each) => each * Math.max(1, width / 4)), hoverWidth: 0, selectionWidth: 0,
          smooth: { enabled: from[0] !== to[0], type: "cubicBezier", forceDirection: "horizontal", roundness: 0.5 },
          color: { color: edge ? ink[edge.share > 0 ? "for" : "against"] : ink.soft, highlight: ink.text, hover: ink.text, opacity: 0.85 },
        };
      });
      return { nodes, edges };
    };
    const show = (ids, opened) => {
      way = ids;
      open = opened;
      middle = way.at(-1);
      const size = layOut(), next = drawn(size);
      if (!network) {
        network = new vis.Network(canvas, next, OPTIONS);
        network.on("selectNode", ({ nodes: [id] }) => { network.unselectAll(); if (boxes.has(id) && id !== middle) pick(boxes.get(id)); });
        network.on("hoverNode", ({ node }) => { canvas.style.cursor = boxes.has(node) && node !== middle ? "pointer" : ""; });
        network.on("blurNode", () => { canvas.style.cursor = ""; });
      } else network.setData(next);
      canvas.querySelectorAll("[tabindex]").forEach((part) => { part.tabIndex = -1; });
      network.setSize(`${size.wide}px`, `${size.tall}px`);
      network.moveTo({ position: { x: 0, y: size.tall / 2 - PAD }, scale: 1 });
      canvas.kgBoxes = boxes;
      canvas.kgNetwork = network;
      canvas.dataset.kgMiddle = middle;
    };
    const themes = new MutationObserver(() => { ink = colours(canvas, graph.groups); if (canvas.clientWidth >= NARROW) show(way, open); });
    themes.observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
    const end = () => { themes.disconnect(); network?.destroy(); canvas.replaceChildren(); };
    return { show, end };
  };

  window.kg.explore = (area, { loadGraph, loadDrawing }) => {
    const questions = new Map([...area.querySelectorAll("[data-kg-line]")].map((link) => [link.dataset.kgLine, link]));
    const choice = make("select", {}, ...[...questions].map(([line, link]) => make("option", { value: line }, link.textContent)));
    const answer = make("p", { className: "kg-graph-answer" });
    const said = make("div", { className: "kg-graph-said", "aria-live": "polite", tabindex: "-1" });
    const tree = make("div", { className: "kg-graph-tree" });
    const canvas = make("div", { className: "kg-graph-canvas", "aria-hidden": "true" });
    const trouble = make("p", { className: "kg-graph-trouble", role: "status" });
    const lists = make("div", { className: "kg-graph-lists" });
    const asList = make("details", { className: "kg-on-paper" }, make("summary", {}, "As a list"), lists);
    const legend = area.parentNode.querySelector(".kg-legend");
    area.replaceChildren(
      make("div", { className: "kg-tools" }, make("label", { className: "kg-field" }, "Question ", choice)), answer, legend ?? "", said,
      ...[tree, canvas, trouble, asList].filter(Boolean),
    );
    area.classList.add("kg-drawn");

    const graphs = new Map(); // by line
    let shown = {}, picture = null, graph = null, picked = false;
    const addressOf = (line, way = []) => `#${new URLSearchParams([["line", line], ...way.slice(1).map((id) => ["at", id])])}`;
    const wayWith = (id) => (shown.way.includes(id) ? shown.way.slice(0, shown.way.indexOf(id) + 1) : [...shown.way, id]);
    /* Without an event of the address, at which the theme would bring the page anew and lose the focus. */
    const goTo = (address) => { history.pushState(null, "", address); return follow(); };
    const go = ({ picks, page, opens }) => {
      if (picks) goTo(addressOf(shown.line, wayWith(picks)));
      else if (page) location.assign(new URL(page, root));
      else if (opens) { shown.open.add(opens); picture.show(shown.way, shown.open); }
    };
    const known = (id) => graph.known.get(id);
    const linkTo = (id, ...words) => make("a", { href: addressOf(shown.line, wayWith(id)), "data-kg-at": id, className: `kg-graph-pick ${known(id).group}` }, ...words);
    const counts = ({ for: { length: pro }, against: { length: con }, idle, beyond }) => [
      pro + con ? `${pro} for it, ${con} against it` : "",
      idle ? `${idle}${pro + con ? " more" : ""} ${idle === 1 ? "has" : "have"} no effect` : "", beyond ? `${beyond} more only on its page` : "",
    ].filter(Boolean).join("; ");
    const say = () => {
      const { way } = shown, middle = way.at(-1), node = known(middle), reasons = counts(node);
      const small = (...words) => make("p", { className: "kg-small" }, ...words);
      const chip = (id) => make("a", { href: new URL(known(id).page, root).href, className: `kg-chip ${known(id).group}${/vidence$/.test(known(id).kind) ? " kg-hollow" : ""}`, "data-kg": "statement" }, known(id).label);
      const steps = way.map((id, at) => {
        const edge = stepTo(graph, id, way[at - 1]);
        return make("li", { className: known(id).group }, ...(id === middle ? [
          make("p", { className: "kg-graph-middle" }, chip(id)), edge ? small(weighed(edge)) : "",
          small(`${node.kind}. ${node.standing}.${reasons && ` Reasons: ${reasons}.`}`),
        ] : [chip(id), edge ? make("span", { className: "kg-small" }, ` ${weighed(edge).split(": ")[0]}`) : ""]));
      });
      const sources = node.sources.map(({ label, page }) => make("li", {}, "Source: ", make("a", { href: new URL(page, root).href }, make("cite", {}, label))));
      const back = way.slice(0, -1).map((id, at) => (at && at < way.length - 2 ? "" : linkTo(id, at ? "One step up" : "Back to what is asked")));
      said.replaceChildren(back.length ? small(...back) : "", make("ol", { className: "kg-graph-way" }, ...steps, ...sources));
      const rowOf = (edge) => {
        const { mark, label } = known(edge.from), span = (name, text) => make("span", { className: name }, text);
        const row = make("li", {}, linkTo(edge.from, span("kg-graph-mark", mark), ` ${label}`), span("kg-reason", weighed(edge)), edge.without && span("kg-reason kg-graph-without", edge.without));
        row.style.setProperty("--kg-breadth", `${breadth(graph, edge)}px`);
        return row;
      };
      const sides = (most = Infinity) => SIDES.filter(([side]) => node[side].length).map(([side, , words]) => {
        const rows = node[side].map(rowOf), first = heaviest(rows, false, most), list = (...own) => make("ul", { className: "kg-plain" }, ...own), others = rows.length - first;
        return make("section", { className: `kg-graph-list kg-graph-${side}` }, make("h2", {}, `${words} (${rows.length})`), list(...rows.slice(0, first)),
          others ? make("details", {}, make("summary", {}, moreWords(others)), list(...rows.slice(first))) : "");
      });
      tree.replaceChildren(...sides(FEW));
      lists.replaceChildren(...sides());
      asList.hidden = !lists.firstChild;
    };
    const clear = () => { picture?.end(); picture = null; };
    const draw = async () => {
      if (matchMedia("print").matches) return; // as it stands
      const hidden = area.clientWidth < NARROW;
      area.classList.toggle("kg-graph-narrow", hidden);
      if (hidden) return clear();
      const { line } = shown;
      await loadDrawing();
      if (!canvas.clientWidth || line !== shown.line) return; // left, on paper, or another was asked for
      picture ??= drawPicture(canvas, graph, go);
      picture.show(shown.way, shown.open);
    };
    const fail = (error) => {
      const again = make("button", { type: "button", className: "kg-button" }, "Try again");
      again.addEventListener("click", follow);
      asList.open = true;
      trouble.replaceChildren(`The graph could not be drawn: ${error.message}. `, again);
    };
    /* Show what the address asks for: the first question if none. */
    const follow = async () => {
      if (!area.isConnected) return;
      const asked = new URLSearchParams(location.hash.slice(1)), link = questions.get(asked.get("line")) ?? questions.values().next().value, line = link.dataset.kgLine;
      try {
        if (!graphs.has(line)) graphs.set(line, read(await loadGraph(link.dataset.kgGraph)));
        if (!area.isConnected) return;
        if (shown.line !== line) clear();
        graph = graphs.get(line);
        shown = { line, way: wayTo(graph, asked.getAll("at")), open: new Set() };
        choice.value = line;
        answer.replaceChildren(link.nextSibling?.textContent ?? "", " ", make("a", { href: link.href }, "Read both sides"));
        say();
        if (picked) said.focus({ preventScroll: true }); // what was picked is gone from the list
        picked = false;
        await draw();
        trouble.replaceChildren();
        area.dataset.kgShown = shown.way.at(-1);
      } catch (error) { fail(error); }
    };
    choice.addEventListener("change", () => goTo(addressOf(choice.value)));
    /* The theme would bring the page anew. */
    area.addEventListener("click", (event) => {
      const link = event.target.closest("[data-kg-at]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      picked = true;
      go({ picks: link.dataset.kgAt });
      area.scrollIntoView({ block: "nearest" });
    });
    window.addEventListener("hashchange", follow);
    /* Who goes by keys cannot go through the picture. */
    area.addEventListener("keyup", ({ key }) => { if (key === "Tab") asList.open = true; });
    let wide = area.clientWidth;
    const sizes = new ResizeObserver(() => {
      if (!graph || !area.clientWidth || area.clientWidth === wide) return;
      wide = area.clientWidth;
      draw().catch(fail);
    });
    sizes.observe(area);
    atLeave(area, () => { window.removeEventListener("hashchange", follow); sizes.disconnect(); picture?.end(); });
    return follow();
  };
})();
