/* The picture on the page of graphs: vis-network draws boxes and links where explorer-layout.js puts them, and
   the words are written over its boxes. */
"use strict";
{
  const { make } = window.kg;
  const {
    Layout,
    MIN_WIDTH,
    PADDING,
    QUIET,
    SCALE_HEIGHT,
    THINNEST,
    THICKEST,
    amountOf,
    fontOf,
    makeLinkToPaper,
    nameOfLink,
    titleOf,
    widthOfEdge,
  } = window.kg.graphs;
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

  function readColours(area, groups) {
    const probes = groups.map((className) => make("span", { className }));
    area.append(...probes);
    const read = (node, property) => getComputedStyle(node).getPropertyValue(property).trim();
    const own = (name) => read(area, `--kg-${name}`);
    const camps = new Map(groups.map((group, at) => [group, read(probes[at], "--camp") || own("soft")]));
    for (const probe of probes) probe.remove();
    const names = ["for", "against", "ground", "raised", "ink", "soft", "line"];
    return { camps, ...Object.fromEntries(names.map((name) => [name, own(name)])) };
  }

  /* -- what vis-network draws ------------------------------------------------------------------ */

  const canPick = (box) => box?.picks ?? box?.page ?? box?.opens;
  /* The ends of dashes are round: each is longer by the width of the link. */
  const dashesOf = ({ dashes }, width) =>
    dashes &&
    dashes.map((each, at) => Math.max(0.1, each * Math.max(1, width / 3) + (at % 2 ? width : -width)));
  function nodeOfBox(box, isMiddle, graph, colours) {
    const border = box.tone && !box.opens ? colours.ground : (colours.camps.get(box.group) ?? colours.soft);
    const color = { border, background: isMiddle ? colours.raised : colours.ground };
    const marked = canPick(box) || isMiddle ? { border: colours.ink, background: colours.raised } : color;
    return {
      id: box.id,
      x: box.x,
      y: box.y,
      title: titleOf(graph, box.edge),
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
      title: titleOf(graph, edge),
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
      nodes: [
        ...[...boxes.values()].map((box) => nodeOfBox(box, box.id === middle, graph, colours)),
        ...ends,
      ],
      edges: links.map((link) => edgeOfLink(link, graph, colours)),
    };
  }
  /* Above a link how much its reason adds, and beneath it what it is. */
  function writeOnLinks(context, { links, family, middleWidth }, colours) {
    context.font = fontOf(QUIET, family);
    context.fillStyle = colours.soft;
    context.textAlign = "center";
    for (const { edge, from, to } of links) {
      const [y, isLevel] = [from[1] - THICKEST / 2 - QUIET.height / 2, from[1] === to[1]];
      if (!edge) continue;
      const [name, amount] = [nameOfLink(edge), edge.conclusion ? "" : amountOf(edge)];
      if (isLevel) {
        context.fillText(amount, (from[0] + to[0]) / 2, y);
        context.fillText(name, (from[0] + to[0]) / 2, from[1] + THICKEST / 2 + QUIET.height / 2);
      } else {
        const words = [name, amount].filter(Boolean).join(", ");
        context.fillText(words, from[0] + middleWidth / 4, (from[1] + to[1]) / 2);
      }
    }
    context.textAlign = "start";
  }
  /* The scale of the answer under its words: a bar from the middle, and the answers at the ends. */
  function drawScale(context, { boxes, family, graph }, colours) {
    const box = [...boxes.values()].find(({ scale }) => scale);
    if (!box) return;
    const [left, y] = [box.x - box.width / 2, box.y + box.textHeight / 2 + SCALE_HEIGHT / 4];
    const [start, end] = [0.5, graph.bar]
      .sort((one, other) => one - other)
      .map((at) => left + at * box.width);
    context.fillStyle = colours.line;
    context.fillRect(left, y - 2, box.width, 4);
    context.fillStyle = colours.ink;
    context.fillRect(start, y - 4, Math.max(2, end - start), 8);
    context.fillStyle = colours.soft;
    context.fillRect(box.x, y - 7, 1, 14);
    box.scale.forEach((lines, at) => {
      const isReached = at ? graph.bar > 0.5 : graph.bar < 0.5;
      context.textAlign = at ? "end" : "start";
      context.font = `${isReached ? "bold " : ""}${fontOf(QUIET, family)}`;
      context.fillStyle = isReached ? colours.ink : colours.soft;
      lines.forEach((line, row) =>
        context.fillText(line, left + at * box.width, y + QUIET.height * (row + 1)),
      );
    });
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
      this.network.moveTo({ position: { x: this.layout.centre, y: height / 2 - PADDING }, scale: 1 });
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
        writeOnLinks(context, this.layout, this.colours);
        drawScale(context, this.layout, this.colours);
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
        : [this.layout.middleWidth / 2 + 2 * PADDING, link.from[1]];
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
