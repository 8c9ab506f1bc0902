/* The page of graphs: in the middle the way from an answer down to one statement and to the sources of evidence, on the
   left what speaks against that statement, on the right what speaks for it, the heaviest on top. vis-network draws it
   where there is room; on a narrow screen boxes of links do. The address holds the way, to go back and to send. */
"use strict";
(() => {
  const { make, atLeave, root } = window.kg;
  const NARROW = 700; // pixels: with less the picture is links, and upright
  const WIDEST = 430, MIDDLE = 220; // pixels of text in a row, at the sides and in the middle
  const BETWEEN = 56; // pixels from column to column, where the links run
  const SHOWN = 5; // reasons a side in the picture; one more is drawn rather than left out alone
  const FEW = 3; // reasons a side on a narrow screen, and sources
  const ROWS = 3; // of words in a box, and in the middle one twice as many
  const APART = 8, STEP = 18, PAD = 7; // of boxes
  const FIRM = { size: 15, row: 20 }, QUIET = { size: 13, row: 18 }, LARGE = { size: 18, row: 24 }; // letters of what is stated, of what is said of it, and in the middle
  const THINNEST = 1, THICKEST = 6;
  const OPTIONS = {
    physics: { enabled: false },
    layout: { improvedLayout: false },
    interaction: { hover: true, tooltipDelay: 80, dragNodes: false, dragView: false, zoomView: false, selectConnectedEdges: false },
    nodes: { shape: "box", margin: PAD, label: "·", font: { size: 1, color: "transparent" }, chosen: { label: false }, shapeProperties: { borderRadius: 4 } },
  };
  const SIDES = [["against", -1, "What speaks against it, or limits it"], ["for", 1, "What speaks for it"]];

  const heaviest = ({ length }, isOpen, most = SHOWN) => (isOpen || length <= most + 1 ? length : most);
  const CAME = "(where you came from)";
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
  const weighed = ({ title, adds }) => title.replace(/(?=: |$)/, ` (${adds} weight)`);
  const sentence = (edge) => `It ${weighed(edge)}.`.replace(/([.?!…])\.$/, "$1");
  /* The ends of dashes are round: each is longer by the breadth of the link. */
  const dashesOf = ({ dashes }, width) => dashes && dashes.map((each, at) => Math.max(0.1, each * Math.max(1, width / 3) + (at % 2 ? width : -width)));
  const told = (edge) => [weighed(edge), edge.moves].filter(Boolean).join("; ").replace(".; ", "; "); // to who points at it
  const cited = ({ sources: [first, ...others] }) => first && first.name + (others.length ? ` and ${others.length} more` : "");
  const counted = ({ counts, beyond }) => [counts, beyond && `${beyond} of them only on its page`].filter(Boolean).join("; ");
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
    const fontOf = ({ size }) => `${size}px ${family}`;
    const written = (label, width, font, most) => {
      pen.font = fontOf(font);
      return label ? inRows(label, width, (text) => pen.measureText(text).width, most) : [];
    };
    const boxes = new Map();
    let network = null, way = [], middle = "", open = new Set(), ink = colours(canvas, graph.groups);

    const canPick = (box) => box?.picks ?? box?.page ?? box?.opens;
    const layOut = () => {
      const wide = canvas.clientWidth, room = Math.min(WIDEST, Math.floor((wide - MIDDLE - 2 * BETWEEN - 8 * PAD) / 2));
      const column = (MIDDLE + room) / 2 + 2 * PAD + BETWEEN, { known } = graph, node = known.get(middle);
      boxes.clear();
      const boxOf = (id, label, at, { most = ROWS, beneath = [], font = FIRM, ...more }) => {
        const width = at ? room : MIDDLE, firm = written(label, width, font, most), quiet = beneath.flatMap((words) => written(words, width, QUIET, 2 * ROWS));
        const words = firm.length * font.row + quiet.length * QUIET.row;
        return { id, rows: [...firm, ...quiet], firm: firm.length, font, at, width, x: at * column, words, high: words + 2 * PAD, ...more };
      };
      const stack = (list, top) => {
        for (const box of list) {
          box.y = top + box.high / 2;
          top += box.high + (box.at ? APART : STEP);
          boxes.set(box.id, box);
        }
        return top;
      };
      const markedOf = (id) => ({ mark: known.get(id).mark, camp: known.get(id).group }), named = (id) => `${known.get(id).mark} ${known.get(id).label}`;
      const above = way.slice(0, -1).map((id, at) => boxOf(`step ${at}`, named(id), 0, { most: 2, picks: id, ...markedOf(id) }));
      const heads = SIDES.filter(([side]) => node[side].length).map(([side, at, words]) => boxOf(`head ${side}`, words, at, { tone: side }));
      /* The boxes at the sides stand beside the middle one, which is as high as they need: each link is level. */
      const top = Math.max(stack(above, 0), heads[0] ? heads[0].high + APART : 0);
      heads.forEach((head) => stack([head], top - head.high - APART));
      const links = [];
      let foot = top;
      for (const [side, at] of SIDES) {
        const first = heaviest(node[side], open.has(side)), others = node[side].length - first;
        const list = node[side].slice(0, first).map((edge, row) => boxOf(`${side} ${row}`, named(edge.from), at, { edge, picks: edge.from, ...markedOf(edge.from), beneath: [way.includes(edge.from) && CAME, cited(known.get(edge.from)), edge.without] }));
        const lowest = stack(list, top), rim = (width) => at * (width / 2 + PAD);
        if (list.length) foot = Math.max(foot, list.at(-1).y + THICKEST + PAD);
        list.forEach(({ id, x, y, edge }) => links.push({ id, edge, from: [x - rim(room), y], to: [rim(MIDDLE), y] }));
        stack(others ? [boxOf(`more ${side}`, moreWords(others), at, { tone: "soft", opens: side })] : [], lowest);
      }
      const step = stepTo(graph, middle, way.at(-2));
      const centre = boxOf(middle, named(middle), 0, { most: 2 * ROWS, font: LARGE, page: node.page, ...markedOf(middle), beneath: [node.word ?? node.standing, node.seen, counted(node), step && sentence(step)] });
      centre.high = Math.max(centre.high, foot - top);
      stack([centre, ...node.sources.slice(0, FEW).map(({ name, label, page }, at) => boxOf(`source ${at}`, name, 0, { page, beneath: [label] }))], top);
      [...boxes.values()].filter(({ at }) => !at).reduce(({ y, high }, box, at) => {
        links.push({ id: `down ${at}`, edge: stepTo(graph, way[at], way[at - 1]), from: [0, box.y - box.high / 2], to: [0, y + high / 2] });
        return box;
      });
      const tall = Math.max(...[...boxes.values()].map(({ y, high }) => y + high / 2)) + 2 * PAD;
      canvas.style.height = `${tall}px`;
      return { wide, tall, links };
    };
    /* The words of all boxes, over the boxes. */
    const write = (context) => {
      context.textBaseline = "middle";
      for (const { x, y, rows, firm, font: large, width, words: tall, mark, camp, tone } of boxes.values()) {
        let line = y - tall / 2;
        rows.forEach((words, at) => {
          const font = at < firm ? large : QUIET, left = x - width / 2, middle = line + font.row / 2;
          context.font = fontOf(font);
          context.fillStyle = ink[tone ?? (at < firm ? "text" : "soft")];
          context.fillText(words, left, middle);
          if (mark && !at) { context.fillStyle = ink.camps.get(camp); context.fillText(mark, left, middle); }
          line += font.row;
        });
      }
    };
    const anchor = (id, [x, y]) => ({ id, x, y, shape: "dot", size: 0.1, label: "", borderWidth: 0, chosen: false, color: "transparent" });
    const drawn = ({ links }) => {
      const nodes = [], marked = { border: ink.text, background: ink.raised };
      for (const { id, x, y, width, high, edge, camp, tone, opens } of boxes.values()) {
        const border = tone && !opens ? ink.ground : ink.camps.get(camp) ?? ink.soft, background = id === middle ? ink.raised : ink.ground;
        nodes.push({
          id, x, y, title: edge && told(edge), borderWidth: id === middle ? 3 : 1.5, borderWidthSelected: 3,
          widthConstraint: { minimum: width }, heightConstraint: { minimum: high - 2 * PAD }, color: canPick(boxes.get(id)) || id === middle ? { border, background, highlight: marked, hover: marked } : { border, background, highlight: { border, background }, hover: { border, background } },
        });
      }
      const edges = links.map(({ id, from, to, edge }) => {
        nodes.push(anchor(`from ${id}`, from), anchor(`to ${id}`, to));
        const width = edge ? breadth(graph, edge) : THINNEST;
        return {
          id, width, from: `from ${id}`, to: `to ${id}`, title: edge && told(edge), dashes: edge && dashesOf(edge, width), hoverWidth: 0, selectionWidth: 0,
          smooth: false,
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
        network.on("afterDrawing", write);
        network.on("selectNode", ({ nodes: [id] }) => { network.unselectAll(); if (canPick(boxes.get(id))) pick(boxes.get(id)); });
        network.on("hoverNode", ({ node }) => { canvas.style.cursor = canPick(boxes.get(node)) ? "pointer" : ""; });
        canvas.onkeydown = onKey;
        network.on("blurNode", () => { canvas.style.cursor = ""; });
      } else network.setData(next);
      /* of the box that was picked, and is elsewhere now */
      for (const tip of canvas.querySelectorAll(".vis-tooltip")) tip.style.visibility = "hidden";
      canvas.querySelectorAll("[tabindex]").forEach((part) => { part.tabIndex = -1; part.style.outline = "none"; });
      network.setSize(`${size.wide}px`, `${size.tall}px`);
      network.moveTo({ position: { x: 0, y: size.tall / 2 - PAD }, scale: 1 });
      canvas.kgBoxes = boxes;
      canvas.kgNetwork = network;
      canvas.dataset.kgMiddle = middle;
    };
    /* The arrows go from box to box, Enter picks, Escape goes a step up. */
    const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const onKey = (event) => {
      const [chosen] = network.getSelectedNodes(), marked = chosen ?? middle, at = boxes.get(marked), arrow = ARROWS[event.key];
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (arrow) {
        const [right, down] = arrow, ahead = ({ x, y }) => (x - at.x) * right + (y - at.y) * down, aside = ({ x, y }) => Math.abs((x - at.x) * down) + Math.abs((y - at.y) * right);
        const [next] = [...boxes.values()].filter((box) => (canPick(box) || box.id === middle) && ahead(box) > 0 && !(down && aside(box))).sort((one, other) => ahead(one) + aside(one) - ahead(other) - aside(other));
        if (next) network.selectNodes([next.id]);
      } else if (event.key === "Enter" && chosen && canPick(at)) pick(at);
      else if (event.key === "Escape" && way.length > 1) pick({ picks: way.at(-2) });
      else return;
      event.preventDefault();
    };
    const themes = new MutationObserver(() => { ink = colours(canvas, graph.groups); if (canvas.clientWidth >= NARROW) show(way, open); });
    themes.observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
    /* What can only be clicked is not on paper. */
    const onPaper = () => {
      const unseen = [...boxes.values()].filter(({ opens }) => opens).map(({ id }) => id);
      network?.body.data.nodes.remove(unseen);
      unseen.forEach((id) => boxes.delete(id));
      network?.redraw();
    };
    const onScreen = () => { if (network && canvas.clientWidth >= NARROW) show(way, open); };
    window.addEventListener("beforeprint", onPaper);
    window.addEventListener("afterprint", onScreen);
    const end = () => {
      window.removeEventListener("beforeprint", onPaper);
      window.removeEventListener("afterprint", onScreen);
      themes.disconnect();
      network?.destroy();
      canvas.replaceChildren();
    };
    return { show, end };
  };

  window.kg.explore = (area, { loadGraph, loadDrawing }) => {
    const questions = new Map([...area.querySelectorAll("[data-kg-line]")].map((link) => [link.dataset.kgLine, link]));
    const choice = make("select", {}, ...[...questions].map(([line, link]) => make("option", { value: line }, link.textContent)));
    const answer = make("p", { className: "kg-graph-answer" });
    const said = make("div", { className: "kg-graph-said", "aria-live": "polite", tabindex: "-1" });
    const tree = make("div", { className: "kg-graph-tree" });
    const canvas = make("div", { className: "kg-graph-canvas", tabindex: "0", role: "img", "aria-label": "Picture of the list below. Arrow keys go from box to box, Enter shows what one rests on, Escape goes a step up." });
    const trouble = make("p", { className: "kg-graph-trouble", role: "status" });
    const lists = make("div", { className: "kg-graph-lists" });
    const asList = make("details", { className: "kg-on-paper" }, make("summary", {}, "As a list"), lists);
    const legend = area.parentNode.querySelector(".kg-legend");
    area.replaceChildren(
      make("div", { className: "kg-graph-head" }, make("label", { className: "kg-field" }, "Question ", choice), answer), legend ?? "", said,
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
    const say = () => {
      const { way } = shown, middle = way.at(-1), node = known(middle), reasons = counted(node);
      const small = (...words) => make("p", { className: "kg-small" }, ...words), span = (name, text) => make("span", { className: name }, text), marked = (id) => span("kg-graph-mark", known(id).mark);
      const chip = make("a", { href: new URL(node.page, root).href, className: `kg-chip ${node.group}${/vidence$/.test(node.kind) ? " kg-hollow" : ""}`, "data-kg": "statement" }, node.label);
      const edge = stepTo(graph, middle, way.at(-2));
      const steps = way.map((id, at) => make("li", {}, id === middle ? make("span", { "aria-current": "step" }, node.label) : linkTo(id, at ? known(id).label : questions.get(shown.line).textContent)));
      const here = make("li", { className: node.group }, make("p", { className: "kg-graph-middle" }, chip), edge ? small(sentence(edge)) : "",
        small(`${node.kind}. ${node.standing}.${node.seen ? ` ${node.seen}.` : ""}${reasons && ` Reasons: ${reasons}.`}`));
      const sources = node.sources.map(({ name, label, page, paper }) => make("li", { className: "kg-graph-source" }, make("span", {}, "Study: ", make("a", { href: new URL(page, root).href }, name), " ", make("cite", {}, label)), ...(paper ? [" ", make("a", { href: paper, rel: "noopener noreferrer external", className: "kg-out" }, "the paper")] : [])));
      said.replaceChildren(way.length > 1 ? make("ul", { className: "kg-graph-path", "aria-label": "The way here" }, ...steps) : "", make("ul", { className: "kg-graph-way" }, here, ...sources));
      const rowOf = (edge) => {
        const { label } = known(edge.from), work = cited(known(edge.from));
        const row = make("li", {}, linkTo(edge.from, marked(edge.from), ` ${label}`, ...[shown.way.includes(edge.from) && CAME, work].filter(Boolean).map((words) => span("kg-reason kg-graph-quiet", words))), span("kg-reason", sentence(edge)), edge.without && span("kg-reason kg-graph-quiet", edge.without));
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
