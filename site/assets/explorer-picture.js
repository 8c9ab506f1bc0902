/* The picture on the page of graphs: in the middle the way from an answer down to one statement and to its
   sources, on the sides what speaks for that statement and against it, the heaviest on top; for it on the side
   of the scale where the claim of the question holds. Where each box and link stands is worked out here; vis-network draws them, and the words are written
   over its boxes. */
"use strict";
{
  const { make } = window.kg;
  const {
    FROM_HERE,
    MIN_WIDTH,
    THINNEST,
    THICKEST,
    countShown,
    describeEdge,
    sentenceOnEdge,
    describeReasons,
    describeSources,
    findEdge,
    readEnd,
    sidesOf,
    labelOfMore,
    makeLinkToPaper,
    shareInFigures,
    widthOfEdge,
  } = window.kg.graphs;
  const SIDE_WIDTH = 430; // pixels of text in a box, at most
  const MIDDLE_WIDTH = 220;
  const COLUMN_GAP = 56; // pixels from column to column, where the links run
  const [ROW_GAP, STEP_GAP, PADDING] = [8, 18, 7];
  const MAX_LINES = 3; // of words in a box, and in the middle one twice as many
  const NOTHING = "Nothing recorded";
  const MAX_SOURCES = 3;
  const FIRM = { size: 15, height: 20 }; // letters of what is stated
  const QUIET = { size: 13, height: 18 }; // of what is said of it
  const LARGE = { size: 18, height: 24 }; // and in the middle
  const ROOM_FOR_LINK = " "; // a line of a box, over which a link lies
  const TIP_DELAY = 700; // milliseconds that the pointer rests first: a note covers the box beneath
  const HELD_BACK = "kg-tip-held-back"; // vis-network shows a note anew with every move of the pointer
  const OPTIONS = {
    physics: { enabled: false },
    layout: { improvedLayout: false },
    interaction: {
      hover: true,
      tooltipDelay: TIP_DELAY,
      selectConnectedEdges: false,
      dragNodes: false,
      dragView: false,
      zoomView: false,
    },
    nodes: {
      shape: "box",
      margin: PADDING,
      shapeProperties: { borderRadius: 4 },
      label: "·",
      font: { size: 1, color: "transparent" },
      chosen: { label: false },
    },
  };

  /* -- words ----------------------------------------------------------------------------------- */

  /* Pieces of a word that each fit into a line. */
  function cutWord(word, width, measure) {
    if (measure(word) <= width) return [word];
    let end = word.length - 1;
    while (end > 1 && measure(word.slice(0, end)) > width) end -= 1;
    return [word.slice(0, end), ...cutWord(word.slice(end), width, measure)];
  }
  function wrapText(text, width, measure, maxLines) {
    const lines = [""];
    for (const word of text.split(" ").flatMap((each) => cutWord(each, width, measure))) {
      const longer = `${lines.at(-1)} ${word}`.trim();
      if (lines.at(-1) && measure(longer) > width) lines.push(word);
      else lines[lines.length - 1] = longer;
    }
    if (lines.length <= maxLines) return lines;
    let last = lines[maxLines - 1];
    while (measure(`${last}…`) > width) last = last.slice(0, -1);
    return [...lines.slice(0, maxLines - 1), `${last}…`];
  }
  const pen = make("canvas", {}).getContext("2d");
  const fontOf = ({ size }, family) => `${size}px ${family}`;
  function linesOf(text, width, font, family, maxLines) {
    pen.font = fontOf(font, family);
    return text ? wrapText(text, width, (part) => pen.measureText(part).width, maxLines) : [];
  }
  function readColours(area, groups) {
    const probes = groups.map((className) => make("span", { className }));
    area.append(...probes);
    const read = (node, property) => getComputedStyle(node).getPropertyValue(property).trim();
    const own = (name) => read(area, `--kg-${name}`);
    const camps = new Map(groups.map((group, at) => [group, read(probes[at], "--camp") || own("soft")]));
    for (const probe of probes) probe.remove();
    const names = ["for", "against", "ground", "raised", "ink", "soft"];
    return { camps, ...Object.fromEntries(names.map((name) => [name, own(name)])) };
  }

  /* -- where boxes and links stand ------------------------------------------------------------- */

  /* Boxes with their lines of words, by id. `column` is -1, 0 or 1; a box leads to a statement (`picks`), a
     `page`, or more reasons on a side (`opens`). */
  class Layout {
    constructor(graph, width, family) {
      Object.assign(this, { graph, width, family, boxes: new Map(), links: [] });
      const room = (width - MIDDLE_WIDTH - 2 * COLUMN_GAP - 8 * PADDING) / 2;
      this.sideWidth = Math.min(SIDE_WIDTH, Math.floor(room));
      this.columnWidth = (MIDDLE_WIDTH + this.sideWidth) / 2 + 2 * PADDING + COLUMN_GAP;
    }

    makeBox(id, title, column, { maxLines = MAX_LINES, remarks = [], font = FIRM, ...more } = {}) {
      const width = column ? this.sideWidth : MIDDLE_WIDTH;
      const firm = linesOf(title, width, font, this.family, maxLines);
      const quiet = remarks.flatMap((text) => linesOf(text, width, QUIET, this.family, 2 * MAX_LINES));
      const textHeight = firm.length * font.height + quiet.length * QUIET.height;
      const place = {
        column,
        width,
        x: column * this.columnWidth,
        textHeight,
        height: textHeight + 2 * PADDING,
      };
      return { id, lines: [...firm, ...quiet], firmLines: firm.length, font, ...place, ...more };
    }

    makeStatementBox(id, node, column, properties) {
      return this.makeBox(id, `${node.mark} ${node.label}`, column, {
        mark: node.mark,
        group: node.group,
        ...properties,
      });
    }

    /* Boxes below each other; gives where the next would begin. */
    stack(boxes, top) {
      for (const box of boxes) {
        box.y = top + box.height / 2;
        top += box.height + (box.column ? ROW_GAP : STEP_GAP);
        this.boxes.set(box.id, box);
      }
      return top;
    }

    /* The reasons on a side, each with its link; gives the foot of the last link. */
    addSide([side, column], node, way, isOpen, top) {
      const count = countShown(node[side].length, isOpen);
      const boxes = node[side].slice(0, count).map((edge, at) => {
        const reason = this.graph.nodes.get(edge.origin);
        const remarks = [
          way.includes(edge.origin) && FROM_HERE,
          describeSources(reason),
          edge.without ?? edge.loss,
        ];
        return this.makeStatementBox(`${side} ${at}`, reason, column, { edge, picks: edge.origin, remarks });
      });
      const bottom = this.stack(boxes, top);
      const rim = (width) => column * (width / 2 + PADDING);
      for (const { id, x, y, edge } of boxes) {
        this.links.push({ id, edge, from: [x - rim(this.sideWidth), y], to: [rim(MIDDLE_WIDTH), y] });
      }
      const rest = node[side].length - count;
      if (rest)
        this.stack(
          [this.makeBox(`more ${side}`, labelOfMore(rest), column, { tone: "soft", opens: side })],
          bottom,
        );
      return boxes.length ? boxes.at(-1).y + THICKEST + PADDING : top;
    }

    /* The boxes at the sides stand beside the middle one, which is as high as they need: each link is
       level. */
    addMiddle(id, node, step, top, foot) {
      const remarks = [
        node.word ?? node.standing,
        node.seen,
        describeReasons(node),
        step && sentenceOnEdge(step),
      ];
      const box = this.makeStatementBox(id, node, 0, {
        maxLines: 2 * MAX_LINES,
        font: LARGE,
        page: node.page,
        remarks,
      });
      box.height = Math.max(box.height, foot - top);
      const sources = node.sources
        .slice(0, MAX_SOURCES)
        .map(({ name, label, page, paper }, at) =>
          this.makeBox(`source ${at}`, name, 0, { page, paper, remarks: [label, paper && ROOM_FOR_LINK] }),
        );
      this.stack([box, ...sources], top);
    }

    addLinksDown(way) {
      const column = [...this.boxes.values()].filter(({ column }) => !column);
      column.slice(1).forEach((box, at) => {
        const above = column[at];
        const edge = findEdge(this.graph, way[at + 1], way[at], way[at - 1]);
        this.links.push({
          id: `down ${at + 1}`,
          edge,
          from: [0, box.y - box.height / 2],
          to: [0, above.y + above.height / 2],
        });
      });
    }

    fill(way, openSides) {
      const id = way.at(-1);
      const node = readEnd(this.graph, way);
      const steps = way
        .slice(0, -1)
        .map((step, at) =>
          this.makeStatementBox(`step ${at}`, this.graph.nodes.get(step), 0, { maxLines: 2, picks: step }),
        );
      const sides = sidesOf(this.graph, id);
      const hasReasons = sides.some(([side]) => node[side].length);
      const heads = (hasReasons ? sides : []).map(([side, column, title, tone]) =>
        this.makeBox(`head ${side}`, title, column, { tone }),
      );
      const top = Math.max(this.stack(steps, 0), heads[0] ? heads[0].height + ROW_GAP : 0);
      for (const head of heads) this.stack([head], top - head.height - ROW_GAP);
      for (const [side, column] of hasReasons ? sides.filter(([side]) => !node[side].length) : [])
        this.stack([this.makeBox(`none ${side}`, NOTHING, column, { tone: "soft" })], top);
      const feet = sides.map((side) => this.addSide(side, node, way, openSides.has(side[0]), top));
      this.addMiddle(id, node, findEdge(this.graph, ...way.slice(-3).reverse()), top, Math.max(...feet));
      this.addLinksDown(way);
      this.height =
        Math.max(...[...this.boxes.values()].map(({ y, height }) => y + height / 2)) + 2 * PADDING;
      return this;
    }
  }

  /* -- what vis-network draws ------------------------------------------------------------------ */

  const canPick = (box) => box?.picks ?? box?.page ?? box?.opens;
  const titleOf = (edge) =>
    edge && [describeEdge(edge), edge.moves].filter(Boolean).join("; ").replace(".; ", "; ");
  /* The ends of dashes are round: each is longer by the width of the link. */
  const dashesOf = ({ dashes }, width) =>
    dashes &&
    dashes.map((each, at) => Math.max(0.1, each * Math.max(1, width / 3) + (at % 2 ? width : -width)));
  function nodeOfBox(box, isMiddle, colours) {
    const border = box.tone && !box.opens ? colours.ground : (colours.camps.get(box.group) ?? colours.soft);
    const color = { border, background: isMiddle ? colours.raised : colours.ground };
    const marked = canPick(box) || isMiddle ? { border: colours.ink, background: colours.raised } : color;
    return {
      id: box.id,
      x: box.x,
      y: box.y,
      title: titleOf(box.edge),
      color: { ...color, highlight: marked, hover: marked },
      borderWidth: isMiddle ? 3 : 1.5,
      borderWidthSelected: 3,
      widthConstraint: { minimum: box.width },
      heightConstraint: { minimum: box.height - 2 * PADDING },
    };
  }
  const nodeOfEnd = (id, [x, y]) => ({
    id,
    x,
    y,
    shape: "dot",
    size: 0.1,
    label: "",
    borderWidth: 0,
    chosen: false,
    color: "transparent",
  });
  function edgeOfLink({ id, edge }, graph, colours) {
    const width = edge ? widthOfEdge(graph, edge) : THINNEST;
    const color = colours.soft; // camps have colours, and the heads say which side it is
    return {
      id,
      width,
      from: `from ${id}`,
      to: `to ${id}`,
      title: titleOf(edge),
      dashes: edge && dashesOf(edge, width),
      smooth: false,
      hoverWidth: 0,
      selectionWidth: 0,
      color: { color, highlight: colours.ink, hover: colours.ink, opacity: 0.85 },
    };
  }
  function networkOf({ boxes, links, graph }, middle, colours) {
    const ends = links.flatMap(({ id, from, to }) => [
      nodeOfEnd(`from ${id}`, from),
      nodeOfEnd(`to ${id}`, to),
    ]);
    return {
      nodes: [...[...boxes.values()].map((box) => nodeOfBox(box, box.id === middle, colours)), ...ends],
      edges: links.map((link) => edgeOfLink(link, graph, colours)),
    };
  }
  /* The share of a reason above its link, as in the sum on the page of the question. */
  function writeShares(context, { graph, links, family }, colours) {
    context.font = fontOf(QUIET, family);
    context.fillStyle = colours.soft;
    context.textAlign = "center";
    for (const { edge, from, to } of links) {
      const [y, isLevel] = [from[1] - THICKEST / 2 - QUIET.height / 2, from[1] === to[1]];
      const [x, middle] = [from[0] + MIDDLE_WIDTH / 4, (from[1] + to[1]) / 2];
      if (!edge || edge.conclusion) continue;
      if (isLevel) context.fillText(shareInFigures(graph, edge), (from[0] + to[0]) / 2, y);
      else context.fillText(`adds ${shareInFigures(graph, edge).replace("+", "")}`, x, middle);
    }
    context.textAlign = "start";
  }
  function writeWords(context, { boxes, family }, colours) {
    context.textBaseline = "middle";
    for (const { x, y, lines, firmLines, font, width, textHeight, mark, group, tone } of boxes.values()) {
      const left = x - width / 2;
      let top = y - textHeight / 2;
      lines.forEach((line, at) => {
        const letters = at < firmLines ? font : QUIET;
        const middle = top + letters.height / 2;
        context.font = fontOf(letters, family);
        context.fillStyle = colours[tone ?? (at < firmLines ? "ink" : "soft")];
        context.fillText(line, left, middle);
        if (mark && !at) {
          context.fillStyle = colours.camps.get(group);
          context.fillText(mark, left, middle);
        }
        top += letters.height;
      });
    }
  }

  /* -- the picture ----------------------------------------------------------------------------- */

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  /* The nearest of some boxes in the direction of an arrow; up and down within a column. */
  function findNext(boxes, at, [right, down]) {
    const ahead = ({ x, y }) => (x - at.x) * right + (y - at.y) * down;
    const aside = ({ x, y }) => Math.abs((x - at.x) * down) + Math.abs((y - at.y) * right);
    const far = (box) => ahead(box) + aside(box);
    return boxes
      .filter((box) => ahead(box) > 0 && !(down && aside(box)))
      .sort((one, other) => far(one) - far(other))[0];
  }

  /* Draws the way to a statement (`show`), and calls `pick` with each box that a reader picks. */
  class Picture {
    constructor(canvas, graph, pick) {
      Object.assign(this, { canvas, graph, pick, network: null, way: [], openSides: new Set() });
      this.colours = readColours(canvas, graph.groups);
      this.themes = new MutationObserver(() => {
        this.colours = readColours(canvas, graph.groups);
        this.redraw();
      });
      this.themes.observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
      this.stop = new AbortController();
      window.addEventListener("beforeprint", () => this.hideButtons(), { signal: this.stop.signal });
      window.addEventListener("afterprint", () => this.redraw(), { signal: this.stop.signal });
    }

    get middle() {
      return this.way.at(-1);
    }

    show(way, openSides) {
      const { canvas } = this;
      Object.assign(this, { way, openSides });
      const family = getComputedStyle(canvas).fontFamily;
      this.layout = new Layout(this.graph, canvas.clientWidth, family).fill(way, openSides);
      const { width, height } = this.layout;
      canvas.style.height = `${height}px`;
      const network = networkOf(this.layout, this.middle, this.colours);
      if (this.network) this.network.setData(network);
      else this.start(network);
      this.forgetTip();
      for (const part of canvas.querySelectorAll("[tabindex]")) {
        part.tabIndex = -1;
        part.style.outline = "none";
      }
      this.network.setSize(`${width}px`, `${height}px`);
      this.network.moveTo({ position: { x: 0, y: height / 2 - PADDING }, scale: 1 });
      this.showLinksToPapers();
      canvas.kgBoxes = this.layout.boxes;
      canvas.kgNetwork = this.network;
      canvas.dataset.kgMiddle = this.middle;
    }

    /* Over the last line of their boxes, for who points; the list names them for all others. */
    showLinksToPapers() {
      for (const link of this.links ?? []) link.remove();
      const boxes = [...this.layout.boxes.values()].filter(({ paper }) => paper);
      this.links = boxes.map(({ paper, x, y, width, textHeight }) => {
        const link = makeLinkToPaper(paper);
        link.classList.add("kg-graph-paper");
        link.tabIndex = -1;
        link.ariaHidden = "true";
        const place = this.network.canvasToDOM({ x: x - width / 2, y: y + textHeight / 2 - QUIET.height });
        Object.assign(link.style, { left: `${place.x}px`, top: `${place.y}px` });
        this.canvas.append(link);
        return link;
      });
    }

    start(network) {
      const { canvas } = this;
      this.network = new vis.Network(canvas, network, OPTIONS);
      this.network.on("afterDrawing", (context) => {
        writeWords(context, this.layout, this.colours);
        writeShares(context, this.layout, this.colours);
      });
      this.network.on("selectNode", ({ nodes: [id], event }) => {
        const box = this.layout.boxes.get(id);
        this.network.unselectAll();
        this.pickedAt = event.center;
        if (canPick(box)) this.pick(box);
      });
      this.network.on("hoverNode", ({ node }) => {
        canvas.style.cursor = canPick(this.layout.boxes.get(node)) ? "pointer" : "";
      });
      this.network.on("showPopup", (id) => this.showTip(id));
      this.network.on("hidePopup", () => {
        if (canvas.classList.contains(HELD_BACK)) this.pickedAt = null;
      });
      this.network.on("blurNode", () => {
        canvas.style.cursor = "";
      });
      canvas.onkeydown = (event) => this.onKey(event);
    }

    /* vis-network would go on showing what it said of a box that was picked, and is elsewhere now. */
    forgetTip() {
      const { interactionHandler } = this.network;
      interactionHandler.popup?.hide();
      interactionHandler.popupObj = undefined;
    }

    /* Not of the box that comes to lie under the pointer by a pick, until the pointer has left it. */
    showTip(id) {
      const { left, top } = this.canvas.getBoundingClientRect();
      const { x, y } = this.pickedAt ?? {};
      const isHeldBack = this.pickedAt && this.network.getNodeAt({ x: x - left, y: y - top }) === id;
      this.canvas.classList.toggle(HELD_BACK, Boolean(isHeldBack));
      if (isHeldBack) return;
      this.pickedAt = null;
      this.placeTip(id);
    }

    /* What is said of a box or its link stands beneath the box, in its column, and what is said of a link in
       the middle beside that: the statement in the middle stays in sight. vis-network would put it beside
       the pointer. */
    placeTip(id) {
      const box = this.layout.boxes.get(id);
      const link = this.layout.links.find((each) => each.id === id);
      const [left, bottom] = box
        ? [box.x - box.width / 2 - PADDING, box.y + box.height / 2 + PADDING / 2]
        : [MIDDLE_WIDTH / 2 + 2 * PADDING, link.from[1]];
      const { x, y } = this.network.canvasToDOM({ x: left, y: bottom });
      const { style } = this.canvas;
      style.setProperty("--kg-tip-left", `${x}px`);
      style.setProperty("--kg-tip-top", `${y}px`);
      style.setProperty("--kg-tip-width", `${this.layout.sideWidth + 2 * PADDING}px`);
    }

    /* The arrows go from box to box, Enter picks, Escape goes a step up. */
    onKey(event) {
      const { boxes } = this.layout;
      const [selected] = this.network.getSelectedNodes();
      const box = boxes.get(selected ?? this.middle);
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (ARROWS[event.key]) {
        const stops = [...boxes.values()].filter((each) => canPick(each) || each.id === this.middle);
        const next = findNext(stops, box, ARROWS[event.key]);
        if (next) this.network.selectNodes([next.id]);
      } else if (event.key === "Enter" && selected && canPick(box)) this.pick(box);
      else if (event.key === "Escape" && this.way.length > 1) this.pick({ picks: this.way.at(-2) });
      else return;
      event.preventDefault();
    }

    /* On paper nothing can be clicked. */
    hideButtons() {
      const ids = [...(this.layout?.boxes.values() ?? [])].filter(({ opens }) => opens).map(({ id }) => id);
      this.network?.body.data.nodes.remove(ids);
      for (const id of ids) this.layout.boxes.delete(id);
      this.network?.redraw();
    }

    redraw() {
      if (this.network && this.canvas.clientWidth >= MIN_WIDTH) this.show(this.way, this.openSides);
    }

    end() {
      this.stop.abort();
      this.themes.disconnect();
      this.network?.destroy();
      this.canvas.replaceChildren();
    }
  }

  window.kg.makePicture = (canvas, graph, pick) => new Picture(canvas, graph, pick);
}
