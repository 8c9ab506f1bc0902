/* The page of graphs (`data-kg-graphs`): what speaks for and against one statement, as a picture where there
   is room (explorer-picture.js), and as links. It reads the graph of a question from the file beside its
   page, which kg/publish/graphics/explorer.py writes; the address holds the way to the statement, to go back
   and to send. */
"use strict";
{
  const { make, makeButton, loadData, loadScripts, whenLeft, root } = window.kg;
  const PICTURE = {
    "vis-network.min.js": () => window.vis,
    "explorer-layout.js": () => window.kg.graphs.Layout,
    "explorer-picture.js": () => window.kg.makePicture,
  };
  const MIN_WIDTH = 700; // pixels: with less there is no picture, only links
  const SHOWN_IN_PICTURE = 5; // reasons a side; one more is shown rather than left out alone
  const SHOWN_WHEN_NARROW = 3;
  const [THINNEST, THICKEST] = [1, 6];
  const WIDTH_OF_OBJECTION = 2;
  const FROM_HERE = "(where you came from)";
  const SIDES = [
    ["against", "What speaks against it or limits it"],
    ["for", "What speaks for it"],
  ];
  /* From left to right, each with its column, and the colour of its heading: as on the scale of the question, so
     that an end of it has one side everywhere. What speaks for and against the answer itself is told by the ends
     of its scale, neither of which is good or bad. */
  const sidesOf = ({ isMirrored, answer, ends }, id) => {
    const told = SIDES.map(([side, title], at) =>
      id === answer ? [side, `Towards “${ends[at]}”`, "ink"] : [side, title, side],
    );
    return (isMirrored ? told.reverse() : told).map(([side, title, tone], at) => [
      side,
      at ? 1 : -1,
      title,
      tone,
    ]);
  };

  /* -- a graph --------------------------------------------------------------------------------- */

  function readGraph({ nodes: list, edges, ends, isMirrored, bar }) {
    const nodes = new Map(
      list.map((node) => [node.id, { sources: [], ...node, for: [], against: [], onward: [] }]),
    );
    for (const edge of edges) {
      nodes.get(edge.target)[edge.share > 0 ? "for" : "against"].push(edge);
      nodes.get(edge.origin).onward.push(edge);
    }
    const groups = [...new Set(list.map(({ group }) => group))];
    return { nodes, answer: list[0].id, groups, ends, isMirrored, bar };
  }
  /* `above` is the statement before `to` on the way: an objection undercuts the link of `to` to it. */
  const findEdge = ({ nodes }, from, to, above) =>
    nodes
      .get(from)
      ?.onward.find((edge) => edge.target === to && (!edge.conclusion || edge.conclusion === above));
  /* The last statement of a way, with the objections to its link to the one above it, and its reasons. */
  function readEnd({ nodes }, way) {
    const node = nodes.get(way.at(-1));
    const objections = node.against.filter(({ conclusion }) => conclusion && conclusion === way.at(-2));
    return { ...node, against: [...objections, ...node.against.filter(({ conclusion }) => !conclusion)] };
  }
  /* From the answer by these statements; if they are no way, the shortest to the last, which a graph names
     first. */
  function findWay(graph, ids) {
    const way = [graph.answer, ...ids];
    const isWay =
      new Set(way).size === way.length && ids.every((id, at) => findEdge(graph, id, way[at], way[at - 1]));
    if (isWay) return way;
    const found = graph.nodes.has(ids.at(-1)) ? [ids.at(-1)] : [graph.answer];
    while (found[0] !== graph.answer) {
      const { target, conclusion } = graph.nodes.get(found[0]).onward[0];
      found.unshift(...[conclusion, target].filter(Boolean));
    }
    return found;
  }
  const countShown = (count, isOpen, max = SHOWN_IN_PICTURE) => (isOpen || count <= max + 1 ? count : max);
  /* As wide as it weighs among the reasons for the same statement; an objection to a link is not one of them. */
  function widthOfEdge({ nodes }, edge) {
    if (edge.conclusion) return WIDTH_OF_OBJECTION;
    const reasons = SIDES.flatMap(([side]) => nodes.get(edge.target)[side]).filter(
      ({ conclusion }) => !conclusion,
    );
    const shares = reasons.map(({ share }) => Math.abs(share));
    return Math.max(THINNEST, (THICKEST * Math.abs(edge.share)) / Math.max(...shares));
  }

  /* How much a reason adds, in words; and what its link is, unless that is plain from a full line. */
  const amountOf = ({ adds }) => `adds ${adds}`;
  const nameOfLink = ({ dashes, title }) => (dashes ? title.split(/[: ]/)[0] : "");
  /* A sign says whether it is for its target or against it; of what stands beneath an end of the scale the
     end says so. */
  const shareInFigures = ({ answer }, { share, target }) =>
    (target === answer ? "" : share > 0 ? "+" : "−") + Math.abs(share).toFixed(2);

  /* -- words ----------------------------------------------------------------------------------- */

  const labelOfMore = (count) => `Show ${count} more, lighter`;
  const describeEdge = ({ title, adds }) => title.replace(/(?=: |$)/, ` (${adds} weight)`);
  const titleOf = (graph, edge) =>
    edge &&
    [
      edge.conclusion
        ? describeEdge(edge)
        : edge.title.replace(/(?=: |$)/, ` (${edge.adds} weight, ${shareInFigures(graph, edge)})`),
      edge.moves,
    ]
      .filter(Boolean)
      .join("; ")
      .replace(".; ", "; ");
  const sentenceOnEdge = (edge) => `It ${describeEdge(edge)}.`.replace(/([.?!…])\.$/, "$1");
  const describeSources = ({ sources: [first, ...others] }) =>
    first && first.name + (others.length ? ` and ${others.length} more` : "");
  const describeReasons = ({ counts, beyond }) =>
    [counts, beyond && `${beyond} of them only on its page`].filter(Boolean).join("; ");
  const makeLinkToPaper = (paper) =>
    make("a", { href: paper, rel: "noopener noreferrer external", className: "kg-out" }, "Read the paper ↗");
  window.kg.graphs = {
    FROM_HERE,
    MIN_WIDTH,
    THINNEST,
    THICKEST,
    amountOf,
    countShown,
    describeReasons,
    describeSources,
    sentenceOnEdge,
    findEdge,
    readEnd,
    sidesOf,
    labelOfMore,
    makeLinkToPaper,
    nameOfLink,
    titleOf,
    widthOfEdge,
  };

  /* -- parts of the page ----------------------------------------------------------------------- */

  const ARIA_LABEL =
    "Picture of the list below. Arrow keys go from box to box, Enter shows what one rests on, Escape goes a step up.";
  function makeParts(area, questions) {
    const options = [...questions].map(([line, link]) => make("option", { value: line }, link.textContent));
    const lists = make("div", { className: "kg-graph-lists" });
    const parts = {
      lists,
      question: make("select", {}, ...options),
      answer: make("p", { className: "kg-graph-answer" }),
      description: make("div", { className: "kg-graph-said", "aria-live": "polite", tabindex: "-1" }),
      tree: make("div", { className: "kg-graph-tree" }),
      canvas: make("div", {
        className: "kg-graph-canvas",
        tabindex: "0",
        role: "img",
        "aria-label": ARIA_LABEL,
      }),
      trouble: make("p", { className: "kg-graph-trouble", role: "status" }),
      asList: make("details", { className: "kg-on-paper" }, make("summary", {}, "As a list"), lists),
    };
    const legend = area.parentNode.querySelector(".kg-legend");
    const label = make("label", { className: "kg-field" }, "Question ", parts.question);
    const head = make("div", { className: "kg-graph-head" }, label, parts.answer);
    const { description, tree, canvas, trouble, asList } = parts;
    area.replaceChildren(...[head, legend, description, tree, canvas, trouble, asList].filter(Boolean));
    area.classList.add("kg-drawn");
    return parts;
  }
  const makeSpan = (className, text) => make("span", { className }, text);
  const makeQuiet = (text) => text && makeSpan("kg-reason kg-graph-quiet", text);
  const makeSmall = (text) => make("p", { className: "kg-small" }, text);
  const urlOf = (page) => new URL(page, root).href;

  function makeSource({ name, label, page, paper }) {
    const link = make("a", { href: urlOf(page) }, name);
    const outward = paper ? [" ", makeLinkToPaper(paper)] : [];
    return make("li", {}, "Study: ", link, " ", make("cite", {}, label), ...outward);
  }
  /* What the picture shows in the middle, in words. */
  function makeMiddle(node, edge) {
    const className = `kg-chip ${node.group}${/inding$/.test(node.kind) ? " kg-hollow" : ""}`;
    const chip = make("a", { href: urlOf(node.page), className, "data-kg": "statement" }, node.label);
    const reasons = describeReasons(node);
    const sentences = [
      `${node.kind}.`,
      `${node.standing}.`,
      node.seen && `${node.seen}.`,
      reasons && `Reasons: ${reasons}.`,
    ];
    return make(
      "li",
      { className: node.group },
      make("p", { className: "kg-graph-middle" }, chip),
      edge && makeSmall(sentenceOnEdge(edge)),
      makeSmall(sentences.filter(Boolean).join(" ")),
    );
  }
  const makeList = (...items) => make("ul", { className: "kg-plain" }, ...items);
  /* The reasons on each side as links, of which some may be folded. */
  function makeSides(graph, node, makeReason, max = Infinity) {
    const sides = sidesOf(graph, node.id).filter(([side]) => node[side].length);
    return sides.map(([side, column, title, tone]) => {
      const reasons = node[side].map(makeReason);
      const count = countShown(reasons.length, false, max);
      const rest = reasons.slice(count);
      const more =
        rest.length && make("details", {}, make("summary", {}, labelOfMore(rest.length)), makeList(...rest));
      const head = make("h2", {}, `${title} (${reasons.length})`);
      return make(
        "section",
        { className: `kg-graph-list kg-graph-${tone}${column > 0 ? " kg-graph-right" : ""}` },
        head,
        makeList(...reasons.slice(0, count)),
        more,
      );
    });
  }

  /* -- the page -------------------------------------------------------------------------------- */

  class Explorer {
    constructor(area) {
      const links = [...area.querySelectorAll("[data-kg-line]")];
      this.questions = new Map(links.map((link) => [link.dataset.kgLine, link]));
      Object.assign(this, { area, graphs: new Map(), way: [], picture: null, hasPicked: false });
      this.parts = makeParts(area, this.questions);
      this.listen();
    }

    listen() {
      const { area, parts } = this;
      const follow = () => this.follow();
      parts.question.onchange = () => this.goTo(this.addressOf(parts.question.value));
      area.addEventListener("click", (event) => this.onClick(event));
      window.addEventListener("hashchange", follow);
      /* Who goes by keys cannot go through the picture. */
      area.addEventListener("keyup", ({ key }) => {
        if (key === "Tab") parts.asList.open = true;
      });
      let width = area.clientWidth;
      const sizes = new ResizeObserver(() => {
        if (!this.graph || !area.clientWidth || area.clientWidth === width) return;
        width = area.clientWidth;
        this.draw().catch((error) => this.fail(error));
      });
      sizes.observe(area);
      whenLeft(area, () => {
        window.removeEventListener("hashchange", follow);
        sizes.disconnect();
        this.endPicture();
      });
    }

    /* The theme would bring the page anew. */
    onClick(event) {
      const link = event.target.closest("[data-kg-at]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      this.hasPicked = true;
      this.pick({ picks: link.dataset.kgAt });
      this.area.scrollIntoView({ block: "nearest" });
    }

    addressOf(line, way = []) {
      return `#${new URLSearchParams([["line", line], ...way.slice(1).map((id) => ["at", id])])}`;
    }

    wayTo(id) {
      return this.way.includes(id) ? this.way.slice(0, this.way.indexOf(id) + 1) : [...this.way, id];
    }

    /* Without an event of the address, at which the theme would bring the page anew and lose the focus. */
    goTo(address) {
      history.pushState(null, "", address);
      return this.follow();
    }

    pick({ picks, page, opens }) {
      if (picks) this.goTo(this.addressOf(this.line, this.wayTo(picks)));
      else if (page) location.assign(urlOf(page));
      else if (opens) this.picture.show(this.way, this.openSides.add(opens));
    }

    /* Show what the address names: the first question if none. */
    async follow() {
      const { area, graphs } = this;
      if (!area.isConnected) return;
      const address = new URLSearchParams(location.hash.slice(1));
      const link = this.questions.get(address.get("line")) ?? this.questions.values().next().value;
      const line = link.dataset.kgLine;
      try {
        if (!graphs.has(line)) graphs.set(line, readGraph(await loadData(link.dataset.kgGraph)));
        if (!area.isConnected) return;
        if (this.line !== line) this.endPicture();
        const graph = graphs.get(line);
        Object.assign(this, { line, graph, way: findWay(graph, address.getAll("at")), openSides: new Set() });
        this.describe(link);
        await this.draw();
        this.parts.trouble.replaceChildren();
        area.dataset.kgShown = this.way.at(-1);
      } catch (error) {
        this.fail(error);
      }
    }

    linkTo(id, ...content) {
      const properties = { href: this.addressOf(this.line, this.wayTo(id)), "data-kg-at": id };
      return make(
        "a",
        { ...properties, className: `kg-graph-pick ${this.graph.nodes.get(id).group}` },
        ...content,
      );
    }

    describe(question) {
      const { graph, way, parts } = this;
      const node = readEnd(graph, way);
      const readBoth = make("a", { href: question.href }, "Read both sides");
      const steps = way
        .slice(0, -1)
        .map((id, at) => this.linkTo(id, at ? graph.nodes.get(id).label : question.textContent));
      const path = [...steps, make("span", { "aria-current": "step" }, node.label)].map((step) =>
        make("li", {}, step),
      );
      const middle = makeMiddle(node, findEdge(graph, ...way.slice(-3).reverse()));
      const makeReason = (edge) => this.makeReason(edge);
      parts.question.value = this.line;
      parts.answer.replaceChildren(question.nextSibling?.textContent ?? "", " ", readBoth);
      parts.description.replaceChildren(
        steps.length ? make("ul", { className: "kg-graph-path", "aria-label": "The way here" }, ...path) : "",
        make("ul", { className: "kg-graph-way" }, middle, ...node.sources.map(makeSource)),
      );
      parts.tree.replaceChildren(...makeSides(graph, node, makeReason, SHOWN_WHEN_NARROW));
      parts.lists.replaceChildren(...makeSides(graph, node, makeReason));
      parts.asList.hidden = !parts.lists.firstChild;
      /* What was picked is gone from the list. */
      if (this.hasPicked) parts.description.focus({ preventScroll: true });
      this.hasPicked = false;
    }

    makeReason(edge) {
      const reason = this.graph.nodes.get(edge.origin);
      const remarks = [this.way.includes(edge.origin) && FROM_HERE, describeSources(reason)].map(makeQuiet);
      const share = !edge.conclusion && `${amountOf(edge)} (${shareInFigures(this.graph, edge)})`;
      const link = this.linkTo(
        edge.origin,
        makeSpan("kg-graph-mark", reason.mark),
        ` ${reason.label}`,
        ...remarks,
      );
      const row = make(
        "li",
        {},
        link,
        makeSpan("kg-reason", sentenceOnEdge(edge)),
        makeQuiet([share, edge.without ?? edge.loss].filter(Boolean).join("; ")),
      );
      row.style.setProperty("--kg-breadth", `${widthOfEdge(this.graph, edge)}px`);
      return row;
    }

    async draw() {
      const { area, line, parts } = this;
      if (matchMedia("print").matches) return; // as it stands
      const isNarrow = area.clientWidth < MIN_WIDTH;
      area.classList.toggle("kg-graph-narrow", isNarrow);
      if (isNarrow) {
        this.endPicture();
        return;
      }
      await loadScripts(PICTURE);
      if (!parts.canvas.clientWidth || line !== this.line) return; // left, on paper, or another was asked for
      this.picture ??= window.kg.makePicture(parts.canvas, this.graph, (box) => this.pick(box));
      this.picture.show(this.way, this.openSides);
    }

    endPicture() {
      this.picture?.end();
      this.picture = null;
    }

    fail(error) {
      const { asList, trouble } = this.parts;
      asList.open = true;
      trouble.replaceChildren(
        `The graph could not be drawn: ${error.message}. `,
        makeButton("Try again", () => this.follow()),
      );
    }
  }

  window.kg.explore = (area) => new Explorer(area).follow();
}
