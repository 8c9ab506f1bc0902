/* The page of graphs: one question at a time, one statement in the middle with what speaks against it on the left
   and what speaks for it on the right, the heaviest on top. The picture is drawn by vis-network where there is room
   for it; below it, and on a narrow screen alone, the same reasons are links in words. The address holds what is
   shown, so that one can go back and send it. */
"use strict";
(() => {
  const { make, atLeave, root } = window.kg;
  const NARROW = 700; // pixels: with less there is no picture
  const WIDEST = 300; // pixels of text in a row
  const BETWEEN = 100; // pixels from column to column, where the links run
  const SHOWN = 8; // reasons a side in the picture; one more is drawn rather than left out alone
  const ROWS = 4; // of words in a box
  const APART = 10, PAD = 7, ROW = 18, SIZE = 14; // of boxes and letters
  const PORT = 15; // from link to link at the middle box
  const HIGHEST = 110; // pixels above the middle box, at most
  const THINNEST = 1.2, THICKEST = 9;
  const OPTIONS = {
    physics: { enabled: false },
    layout: { improvedLayout: false },
    interaction: { hover: true, tooltipDelay: 80, dragNodes: false, dragView: false, zoomView: false, selectConnectedEdges: false, keyboard: false },
    nodes: { shape: "box", margin: PAD, chosen: { label: false }, shapeProperties: { borderRadius: 4 } },
  };
  const SIDES = [["against", -1, "speaks against it, or limits it"], ["for", 1, "speaks for it"]];

  const heaviest = (edges) => (edges.length <= SHOWN + 1 ? edges : edges.slice(0, SHOWN));
  const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
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
    if (rows.length <= ROWS) return rows;
    const kept = rows.slice(0, ROWS);
    while (measure(`${kept[ROWS - 1]}…`) > room) kept[ROWS - 1] = kept[ROWS - 1].slice(0, -1);
    return [...kept.slice(0, -1), `${kept[ROWS - 1]}…`];
  };
  const colours = (area, names) => {
    const probes = names.map((name) => make("span", { className: name }));
    area.append(...probes);
    const read = (probe, property) => getComputedStyle(probe).getPropertyValue(property).trim();
    const own = (property) => read(area, property);
    const ink = {
      camps: new Map(names.map((name, at) => [name, read(probes[at], "--camp") || own("--kg-soft")])),
      for: own("--kg-for"), against: own("--kg-against"), ground: own("--kg-ground"), raised: own("--kg-raised"), text: own("--kg-ink"), soft: own("--kg-soft"),
    };
    probes.forEach((probe) => probe.remove());
    return ink;
  };

  /* What a graph holds, by statement. */
  const read = ({ nodes, edges }) => {
    const known = new Map(nodes.map((node) => [node.id, { ...node, for: [], against: [], ahead: [] }]));
    for (const edge of edges) {
      known.get(edge.to)[edge.share > 0 ? "for" : "against"].push(edge);
      known.get(edge.from).ahead.push(edge);
    }
    return { known, asked: nodes[0].id, groups: [...new Set(nodes.map(({ group }) => group))] };
  };

  /* The picture of one statement: `show` draws it, a box that is picked is told to `pick`. */
  const drawPicture = (canvas, heads, graph, pick) => {
    const family = getComputedStyle(canvas).fontFamily;
    const pen = make("canvas", {}).getContext("2d");
    pen.font = `${SIZE}px ${family}`;
    const measure = (text) => pen.measureText(text).width;
    const boxes = new Map();
    let network = null, middle = "", ink = colours(canvas, graph.groups);

    const layOut = () => {
      const wide = canvas.clientWidth, room = Math.min(WIDEST, Math.floor((wide - 2 * BETWEEN - 4 * PAD) / 3) - 2 * PAD);
      const column = room + 2 * PAD + BETWEEN, { known } = graph, node = known.get(middle);
      boxes.clear();
      const boxOf = (id, label, at, least = 0) => {
        const rows = inRows(label, room, measure);
        return { id, rows, at, x: at * column, y: 0, high: Math.max(rows.length * ROW, least) + 2 * PAD };
      };
      const shown = Object.fromEntries(SIDES.map(([side]) => [side, heaviest(node[side])]));
      const ports = Math.max(shown.for.length, shown.against.length);
      const centre = boxOf(middle, `${node.mark} ${node.label}`, 0, (ports - 1) * PORT);
      for (const [side, at] of SIDES) {
        const list = shown[side].map((edge, row) => {
          const { mark, label } = known.get(edge.from);
          return { ...boxOf(`${side} ${row}`, `${mark} ${label}`, at), edge, picks: edge.from };
        });
        const others = node[side].length - list.length;
        if (others) list.push({ ...boxOf(`more ${side}`, `and ${others} lighter, in the list below`, at), more: true });
        let top = 0;
        for (const box of list) {
          box.y = top + box.high / 2;
          top += box.high + APART;
          boxes.set(box.id, box);
        }
      }
      /* The middle one stays near the top, since of a long column the middle is out of view. */
      const lowest = Math.max(0, ...[...boxes.values()].map(({ y, high }) => y + high / 2));
      centre.y = Math.max(centre.high / 2, Math.min(lowest / 2, centre.high / 2 + HIGHEST));
      boxes.set(centre.id, centre);
      const tall = Math.max(lowest, centre.y + centre.high / 2) + 2 * PAD;
      canvas.style.height = `${tall}px`;
      heads.style.width = `${2 * column + room + 2 * PAD}px`;
      heads.style.setProperty("--kg-column", `${room + 2 * PAD}px`);
      return { wide, tall, room, half: room / 2 + PAD, greatest: Math.max(0, ...[...node.for, ...node.against].map(({ share }) => Math.abs(share))), ports: shown };
    };
    const anchor = (id, x, y) => ({ id, x, y, shape: "dot", size: 0.1, label: "", borderWidth: 0, chosen: false, color: "transparent" });
    const drawn = ({ room, half, greatest, ports }) => {
      const nodes = [], edges = [], marked = { border: ink.text, background: ink.raised };
      for (const { id, x, y, rows, high, at, edge, picks, more } of boxes.values()) {
        const border = more ? ink.ground : ink.camps.get(graph.known.get(picks ?? middle).group), background = at ? ink.ground : ink.raised;
        nodes.push({
          id, x, y, label: rows.join("\n"), borderWidth: at ? 1.5 : 3, borderWidthSelected: 3, chosen: more ? false : { label: false },
          widthConstraint: { minimum: room }, heightConstraint: { minimum: high - 2 * PAD, valign: "middle" },
          font: { size: SIZE, face: family, color: more ? ink.soft : ink.text, align: "left" }, color: { border, background, highlight: marked, hover: marked },
        });
        if (!edge) continue;
        const side = at > 0 ? "for" : "against", count = ports[side].length, row = ports[side].indexOf(edge);
        /* Each link has its own place at the middle box, so that none lies on another. */
        nodes.push(anchor(`from ${id}`, x - at * half, y), anchor(`to ${id}`, at * half, boxes.get(middle).y + (row - (count - 1) / 2) * PORT));
        const width = Math.max(THINNEST, THICKEST * Math.abs(edge.share) / greatest);
        edges.push({
          id, from: `from ${id}`, to: `to ${id}`, title: edge.title, dashes: edge.dashes, width, hoverWidth: 0, selectionWidth: 0,
          smooth: { enabled: true, type: "cubicBezier", forceDirection: "horizontal", roundness: 0.5 },
          color: { color: ink[side], highlight: ink.text, hover: ink.text, opacity: 0.85 },
        });
      }
      return { nodes, edges };
    };
    const show = (id) => {
      middle = id;
      const size = layOut(), next = drawn(size);
      if (!network) {
        network = new vis.Network(canvas, next, OPTIONS);
        network.on("selectNode", ({ nodes: [box] }) => { if (boxes.get(box)?.picks) pick(boxes.get(box).picks); else network.unselectAll(); });
        network.on("hoverNode", ({ node }) => { canvas.style.cursor = boxes.get(node)?.picks ? "pointer" : ""; });
        network.on("blurNode", () => { canvas.style.cursor = ""; });
      } else network.setData(next);
      canvas.querySelectorAll("[tabindex]").forEach((part) => { part.tabIndex = -1; });
      network.setSize(`${size.wide}px`, `${size.tall}px`);
      network.moveTo({ position: { x: 0, y: size.tall / 2 - PAD }, scale: 1 });
      canvas.kgBoxes = boxes;
      canvas.kgNetwork = network;
      canvas.dataset.kgNodes = boxes.size;
      canvas.dataset.kgMiddle = middle;
    };
    const again = () => { if (canvas.clientWidth >= NARROW) show(middle); };
    const themes = new MutationObserver(() => { ink = colours(canvas, graph.groups); again(); });
    themes.observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
    const end = () => { themes.disconnect(); network?.destroy(); network = null; };
    return { show, end, again };
  };

  window.kg.explore = (area, { loadGraph, loadDrawing }) => {
    const questions = new Map([...area.querySelectorAll("[data-kg-line]")].map((link) => [link.dataset.kgLine, link]));
    const answers = new Map([...questions].map(([line, link]) => [line, link.parentNode.querySelector(".kg-reason")?.textContent ?? ""]));
    const choice = make("select", {}, ...[...questions].map(([line, link]) => make("option", { value: line }, link.textContent)));
    const answer = make("p", { className: "kg-graph-answer" });
    const said = make("div", { className: "kg-graph-said", "aria-live": "polite", tabindex: "-1" });
    const heads = make("div", { className: "kg-graph-heads", "aria-hidden": "true" }, ...SIDES.map(([side, , words]) => make("p", { className: `kg-graph-${side}` }, `What ${words}`)));
    const canvas = make("div", { className: "kg-graph-canvas", "aria-hidden": "true" });
    const trouble = make("p", { className: "kg-graph-trouble", role: "status" });
    const lists = make("div", { className: "kg-graph-lists" });
    const legend = area.parentNode.querySelector(".kg-legend");
    area.replaceChildren(
      make("div", { className: "kg-tools" }, make("label", { className: "kg-field" }, "Question ", choice)), answer, said,
      ...[heads, canvas, trouble, legend, lists].filter(Boolean),
    );
    area.classList.add("kg-drawn");

    const graphs = new Map(); // by line
    let shown = {}, picture = null, graph = null, picked = false;
    const addressOf = (line, at) => `#${new URLSearchParams(at ? { line, at } : { line })}`;
    /* Without an event of the address, at which the theme would bring the page anew and lose the focus. */
    const goTo = (address) => { history.pushState(null, "", address); return follow(); };
    const go = (at) => goTo(addressOf(shown.line, at === graph.asked ? "" : at));
    const linkTo = (id) => make("a", { href: addressOf(shown.line, id === graph.asked ? "" : id), "data-kg-at": id, className: `kg-graph-pick ${graph.known.get(id).group}` }, make("span", { className: "kg-graph-mark" }, graph.known.get(id).mark), ` ${graph.known.get(id).label}`);
    const counts = ({ for: pro, against, idle, beyond }) => [
      pro.length + against.length ? `${pro.length} for it, ${against.length} against it` : "no reason here adds anything to it",
      idle ? `${idle} more ${idle === 1 ? "adds" : "add"} nothing so far` : "", beyond ? `${plural(beyond, "reason")} only on its page` : "",
    ].filter(Boolean).join("; ");
    const weighed = ({ title, adds }) => title.replace(/(?=: |$)/, ` (${adds})`);
    const say = () => {
      const node = graph.known.get(shown.at), page = new URL(node.page, root).href;
      const ahead = node.ahead.map((edge) => {
        const [relation, ...reason] = edge.title.split(": ");
        return make("li", {}, `${relation} `, linkTo(edge.to), reason.length ? make("span", { className: "kg-reason" }, reason.join(": ")) : "");
      });
      const back = shown.at === graph.asked ? "" : make("p", { className: "kg-small" }, make("a", { href: addressOf(shown.line), "data-kg-at": graph.asked }, "Back to what is asked"));
      said.replaceChildren(
        make("p", { className: "kg-graph-middle" }, make("a", { href: page, className: `kg-chip ${node.group}`, "data-kg": "statement" }, node.label)),
        make("p", { className: "kg-small" }, `${node.kind}. ${node.standing}. Reasons: ${counts(node)}. `, make("a", { href: page }, "Open its page")),
        ...(back ? [make("ul", { className: "kg-small" }, ...ahead), back] : []),
      );
      const listOf = (edges) => make("ul", { className: "kg-plain" }, ...edges.map((edge) => make("li", {}, linkTo(edge.from), make("span", { className: "kg-reason" }, weighed(edge)))));
      const folded = (edges) => make("details", {}, make("summary", {}, `${edges.length} lighter`), listOf(edges));
      lists.replaceChildren(...SIDES.map(([side, , words]) => {
        const all = node[side], first = heaviest(all);
        return make("section", { className: `kg-graph-list kg-graph-${side}` },
          make("h2", {}, `What ${words} (${all.length})`),
          all.length ? listOf(first) : make("p", { className: "kg-none" }, "Nothing that adds anything."),
          ...(first.length < all.length ? [folded(all.slice(first.length))] : []),
        );
      }));
    };
    const draw = async () => {
      const hidden = area.clientWidth < NARROW;
      area.classList.toggle("kg-graph-narrow", hidden);
      if (hidden) { picture?.end(); picture = null; canvas.replaceChildren(); return; }
      const { line } = shown;
      await loadDrawing();
      if (!area.isConnected || line !== shown.line) return;
      picture ??= drawPicture(canvas, heads, graph, go);
      picture.show(shown.at);
    };
    const fail = (error) => {
      const again = make("button", { type: "button", className: "kg-button" }, "Try again");
      again.addEventListener("click", follow);
      trouble.replaceChildren(`The graph could not be drawn: ${error.message}. `, again);
    };
    /* Show what the address asks for: the first question if none. */
    const follow = async () => {
      if (!area.isConnected) return;
      const asked = new URLSearchParams(location.hash.slice(1)), line = questions.has(asked.get("line")) ? asked.get("line") : [...questions.keys()][0];
      try {
        if (!graphs.has(line)) graphs.set(line, read(await loadGraph(questions.get(line).dataset.kgGraph)));
        if (!area.isConnected) return;
        if (shown.line !== line) { picture?.end(); picture = null; canvas.replaceChildren(); }
        graph = graphs.get(line);
        shown = { line, at: graph.known.has(asked.get("at")) ? asked.get("at") : graph.asked };
        choice.value = line;
        answer.replaceChildren(answers.get(line), " ", make("a", { href: questions.get(line).href }, "Read both sides"));
        say();
        if (picked) said.focus({ preventScroll: true }); // what was picked is gone from the list
        picked = false;
        await draw();
        trouble.replaceChildren();
        area.dataset.kgShown = shown.at;
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
      go(link.dataset.kgAt);
      area.scrollIntoView({ block: "nearest" });
    });
    window.addEventListener("hashchange", follow);
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
