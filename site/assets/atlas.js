/* The atlas: what is chosen, searched, picked and listed around its picture (atlas-picture.js).
   Whatever is chosen stands in the address, by name, so that it can be sent on and outlasts a
   build. Loaded by kg.js on the one page that has it. */
"use strict";
(() => {
  const { make, fold, atLeave } = window.kg;
  const STEP = 100;
  const LINKED = 12;
  const HELP = "Atlas of statements. Arrow keys move, plus and minus zoom, N and P go from statement to statement, Enter opens one.";

  const start = (area, packed, loadWords) => {
    const graph = window.kgAtlas.readGraph(packed);
    const { total } = graph;
    const chosen = { words: "", camp: "", kind: "", relation: "", topic: "", from: "", to: "", view: "" };
    const controls = {};
    let shown = new Uint8Array(total).fill(1);
    let texts = null;
    let picked = -1;
    let listed = 0;

    /* -- what is chosen -------------------------------------------------------------- */

    const numberOf = (names, name) => (name ? names.indexOf(name) : null);
    const filter = () => {
      const words = fold(chosen.words).split(/\s+/).filter(Boolean);
      const from = Number(chosen.from) || 0;
      const to = Number(chosen.to) || Infinity;
      const camp = numberOf(["", ...graph.camps.map(({ id }) => id)], chosen.camp);
      const kind = numberOf(graph.kinds.map(([name]) => name), chosen.kind);
      const relation = numberOf(graph.relations.map(([name]) => name), chosen.relation);
      const topic = numberOf(graph.topics.map(([name]) => name), chosen.topic);
      const ofTopic = (node) => graph.topic.subarray(graph.topicStart[node], graph.topicStart[node + 1]).includes(topic);
      const dated = chosen.from || chosen.to;
      shown = new Uint8Array(total);
      for (let node = 0; node < total; node++) {
        shown[node] = Number(
          (camp === null || graph.camp[node] === camp) &&
          (kind === null || graph.kind[node] === kind) &&
          (!dated || (graph.year[node] >= from && graph.year[node] <= to)) &&
          (topic === null || ofTopic(node)) &&
          (relation === null || graph.edgesOf(node).some((edge) => graph.relation[edge] === relation)) &&
          words.every((word) => texts[node].includes(word)));
      }
    };
    const changed = async () => {
      if (chosen.words && !(await named())) return;
      filter();
      picture.show(shown);
      const found = shown.reduce((sum, one) => sum + one, 0);
      said.textContent = `${found.toLocaleString("en")} of ${total.toLocaleString("en")} statements`;
      list();
    };

    /* Titles, ids and pages come after the picture, which does without. */
    let naming = null;
    const named = () => (naming ??= loadWords().then((words) => {
      for (const name of ["id", "title", "page"]) graph[name] = words[name].split("\n");
      texts = graph.title.map(fold);
      return true;
    }).catch(() => {
      naming = null;
      said.textContent = "The titles of the statements could not be loaded.";
      return false;
    }));

    /* -- controls -------------------------------------------------------------------- */

    const field = (name, label, control) => {
      controls[name] = control;
      control.addEventListener(control.tagName === "SELECT" ? "change" : "input", () => {
        chosen[name] = control.value;
        changed();
        remember();
      });
      return make("label", { className: "kg-field" }, make("span", {}, label), control);
    };
    const select = (pairs) => make("select", {}, make("option", { value: "" }, "All"), ...pairs.map(([value, word]) => make("option", { value }, word)));
    const years = () => {
      const known = graph.year.filter(Boolean);
      const first = known.reduce((a, b) => Math.min(a, b), Infinity), last = known.reduce((a, b) => Math.max(a, b), 0);
      if (first >= last) return [];
      const year = (name, label, hint) => field(name, label, make("input", { type: "number", min: first, max: last, placeholder: hint, className: "kg-year" }));
      return [year("from", "Source from", first), year("to", "to", last)];
    };
    const words = field("words", "Words", make("input", { type: "search", autocomplete: "off" }));
    const filters = make("div", { className: "kg-tools" },
      field("camp", "Camp", select(graph.camps.map(({ id, label }) => [id, label]))),
      field("kind", "Kind", select(graph.kinds)),
      field("relation", "Has a link that", select(graph.relations)),
      field("topic", "Topic", select(graph.topics)),
      ...years());
    const folded = make("details", { className: "kg-atlas-filters" }, make("summary", {}, "Filters"), filters);
    folded.open = matchMedia("(min-width: 60em)").matches;
    const said = make("p", { className: "kg-small kg-atlas-said", "aria-live": "polite" }, `${total.toLocaleString("en")} statements`);
    const canvas = make("canvas", { tabindex: "0", role: "application", "aria-label": HELP, "aria-describedby": "kg-atlas-picked" });
    const view = make("div", { className: "kg-atlas-view" }, canvas);
    const detail = make("div", { className: "kg-atlas-detail", "aria-live": "polite", id: "kg-atlas-picked" });
    const button = (label, words, act) => {
      const made = make("button", { type: "button", className: "kg-button", "aria-label": label }, words);
      made.addEventListener("click", act);
      return made;
    };
    const zooms = make("div", { className: "kg-atlas-zooms", role: "group", "aria-label": "Zoom" },
      button("Zoom in", "+", () => picture.zoomBy(1.4)), button("Zoom out", "−", () => picture.zoomBy(1 / 1.4)), button("Show all", "All", () => picture.fit()));
    const see = (name, words) => {
      const made = make("button", { type: "button", className: "kg-button", "aria-pressed": "false" }, words);
      made.addEventListener("click", () => { chosen.view = name; turn(); remember(); });
      return made;
    };
    const asMap = see("", "Map"), asTable = see("table", "Table");
    const map = make("div", { className: "kg-atlas-map" }, view, zooms,
      make("p", { className: "kg-small" }, "Drag to move, scroll or pinch to zoom, select a statement to see its links. By keyboard: arrows, + and −, N and P, Enter."), detail);
    const rows = make("tbody", {});
    const columns = ["Statement", "Kind", "Camp", "Topics", "Year", "Links"];
    const heads = columns.map((head) => make("th", { scope: "col" }, head));
    const more = button("Show more statements", "Show more", () => listMore());
    const table = make("div", { className: "kg-atlas-table", hidden: true },
      make("div", { className: "kg-scroll", tabindex: "0", role: "region", "aria-label": "Statements found" },
        make("table", { className: "kg-table" }, make("thead", {}, make("tr", {}, ...heads)), rows)), more);
    const head = make("div", { className: "kg-tools" }, words,
      make("div", { className: "kg-atlas-views", role: "group", "aria-label": "Show as" }, asMap, asTable), said);
    area.replaceChildren(head, folded, map, table);
    const picture = window.kgAtlas.startPicture(graph, view, canvas, () => {});

    /* -- the same as a table --------------------------------------------------------- */

    let order = null;
    const inOrder = () => (order ??= Array.from(graph.degree.keys()).sort((a, b) => graph.degree[b] - graph.degree[a] || a - b));
    const side = (node) => graph.camps[graph.camp[node] - 1];
    const link = (node) => make("a", { href: graph.page[node], className: `kg-chip ${side(node) ? side(node).class : "kg-camp-none"}`, "data-kg": "statement" }, graph.title[node]);
    const row = (node) => {
      const topics = Array.from(graph.topic.subarray(graph.topicStart[node], graph.topicStart[node + 1]), (topic) => graph.topics[topic][1]);
      const cells = [graph.kinds[graph.kind[node]][1], side(node) ? side(node).label : "–", topics.join(", ") || "–", graph.year[node] || "–", graph.degree[node]];
      return make("tr", {}, make("th", { scope: "row" }, link(node)), ...cells.map((cell, number) =>
        make("td", { "data-label": columns[number + 1], className: cell === "–" ? "kg-blank" : number === 2 ? "" : "kg-short" }, String(cell))));
    };
    const list = () => {
      if (table.hidden) return;
      rows.replaceChildren();
      listed = 0;
      listMore();
    };
    const listMore = async () => {
      if (!(await named())) return;
      const found = inOrder().filter((node) => shown[node]);
      rows.append(...found.slice(listed, listed + STEP).map(row));
      listed += STEP;
      more.hidden = listed >= found.length;
    };
    const turn = () => {
      table.hidden = chosen.view !== "table";
      map.hidden = !table.hidden;
      asMap.setAttribute("aria-pressed", String(table.hidden));
      asTable.setAttribute("aria-pressed", String(!table.hidden));
      list();
      if (!map.hidden) picture.resize();
    };

    /* -- one statement --------------------------------------------------------------- */

    const pick = async (node) => {
      picked = node;
      picture.mark(node);
      if (!(await named()) || node !== picked) return;
      detail.replaceChildren();
      if (node >= 0) detail.append(...about(node));
      picture.mark(node);
      remember();
    };
    const about = (node) => {
      const edges = [...graph.edgesOf(node)];
      const links = edges.slice(0, LINKED).map((edge) => {
        const words = graph.relations[graph.relation[edge]][1];
        const other = link(graph.otherEnd(edge, node));
        return graph.from[edge] === node ? make("li", {}, `${words} `, other) : make("li", {}, other, ` ${words} it`);
      });
      const kind = graph.kinds[graph.kind[node]][1].toLowerCase();
      const what = make("span", { className: "kg-small" }, ` ${side(node) ? `${side(node).label} ` : ""}${kind}`);
      const rest = edges.length > LINKED ? [make("p", { className: "kg-small" }, `and ${edges.length - LINKED} more links`)] : [];
      return [make("p", { className: "kg-card-title" }, link(node), what), make("ul", { className: "kg-plain" }, ...links), ...rest];
    };
    const step = (way) => {
      const among = inOrder().filter((node) => shown[node]);
      if (!among.length) return;
      const next = among[(among.indexOf(picked) + way + among.length) % among.length];
      pick(next);
      picture.goTo(next);
    };
    const open = async (node) => { if (await named()) location.href = graph.page[node]; };

    /* -- fingers, mice and keys ------------------------------------------------------ */

    let held = null;
    const pointers = new Map();
    const spot = (event) => { const room = canvas.getBoundingClientRect(); return [event.clientX - room.left, event.clientY - room.top]; };
    const point = (node) => { picture.point(node); canvas.classList.toggle("kg-over", node >= 0); };
    canvas.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, spot(event));
      canvas.setPointerCapture(event.pointerId);
      held = { at: spot(event), moved: false };
    });
    canvas.addEventListener("pointermove", (event) => {
      const [x, y] = spot(event);
      if (!pointers.has(event.pointerId)) { point(picture.under(x, y)); return; }
      const [a, b] = pointers.get(event.pointerId);
      if (pointers.size === 2) {
        const other = [...pointers.entries()].find(([id]) => id !== event.pointerId)[1];
        picture.zoomBy(Math.hypot(x - other[0], y - other[1]) / (Math.hypot(a - other[0], b - other[1]) || 1), (x + other[0]) / 2, (y + other[1]) / 2);
      } else picture.moveBy(x - a, y - b);
      if (held && Math.hypot(x - held.at[0], y - held.at[1]) > 5) held.moved = true;
      pointers.set(event.pointerId, [x, y]);
    });
    const up = (event) => {
      if (pointers.delete(event.pointerId) && event.type === "pointerup" && held && !held.moved) pick(picture.under(...held.at));
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("pointerleave", () => point(-1));
    canvas.addEventListener("dblclick", (event) => { const node = picture.under(...spot(event)); if (node >= 0) open(node); });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      picture.zoomBy(Math.exp(-event.deltaY * 0.0016), ...spot(event));
    }, { passive: false });
    const KEYS = {
      ArrowLeft: () => picture.moveBy(60, 0), ArrowRight: () => picture.moveBy(-60, 0),
      ArrowUp: () => picture.moveBy(0, 60), ArrowDown: () => picture.moveBy(0, -60),
      "+": () => picture.zoomBy(1.3), "=": () => picture.zoomBy(1.3), "-": () => picture.zoomBy(1 / 1.3), 0: picture.fit,
      n: () => step(1), p: () => step(-1), Escape: () => pick(-1),
      Enter: () => { if (picked >= 0) open(picked); },
    };
    canvas.addEventListener("keydown", (event) => {
      const act = KEYS[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    });

    /* -- the address ----------------------------------------------------------------- */

    const remember = () => {
      const words = new URLSearchParams(Object.entries(chosen).filter(([, value]) => value));
      if (picked >= 0) words.set("at", graph.id[picked]);
      const hash = words.toString();
      if (hash !== location.hash.slice(1)) history.replaceState(history.state, "", hash ? `#${hash}` : location.pathname + location.search);
    };
    const recall = async () => {
      const words = new URLSearchParams(location.hash.slice(1));
      for (const name of Object.keys(chosen)) {
        chosen[name] = words.get(name) || "";
        if (controls[name]) controls[name].value = chosen[name];
      }
      if (Object.entries(chosen).some(([name, value]) => value && name !== "view")) await changed();
      turn();
      if (!words.has("at")) return;
      if (!(await named())) return;
      const node = graph.id.indexOf(words.get("at"));
      if (node >= 0) { pick(node); picture.goTo(node); }
    };

    picture.draw();
    area.dataset.kgNodes = total;
    recall();
    setTimeout(() => { if (area.isConnected) named().then((done) => { if (done) picture.show(shown); }); }, 200);
    const sizes = new ResizeObserver(picture.resize), colours = new MutationObserver(picture.recolour);
    sizes.observe(view);
    colours.observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
    atLeave(area, () => { sizes.disconnect(); colours.disconnect(); });
  };

  window.kgAtlas = Object.assign(window.kgAtlas || {}, { start });
})();
