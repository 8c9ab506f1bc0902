/* What pages do beyond being read: previews of links, tables that sort and filter,
   graphs drawn on request. Nothing here is needed for reading, and nothing asks another host. */
"use strict";
(() => {
  const script = document.currentScript;
  const assets = script ? new URL(".", script.src) : new URL("assets/", document.baseURI);

  /* -- small things ------------------------------------------------------------------------ */

  const make = (name, properties = {}, ...children) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (value === undefined || value === null || value === false) continue;
      if (key in node && typeof value !== "string") node[key] = value;
      else node.setAttribute(key === "className" ? "class" : key, value === true ? "" : value);
    }
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
  };
  const load = (address) => {
    const tag = make("script", { src: address });
    return new Promise((resolve, reject) => {
      tag.onload = resolve;
      tag.onerror = () => reject(new Error(`could not load ${address}`));
      document.head.append(tag);
    }).finally(() => tag.remove());
  };
  /* Files of data call `hear` with what they hold; which page asked is told by the file's address. */
  const asked = new Map();
  const hear = (data) => asked.get(document.currentScript?.src)?.(data);
  const loadData = (address) => new Promise((resolve, reject) => {
    const { href } = new URL(address, location.href);
    asked.set(href, resolve);
    load(href).then(() => reject(new Error(`${href} is damaged`)), reject).finally(() => asked.delete(href));
  });
  /* The theme changes pages without unloading them: what outlives its area must be ended. */
  const leaving = [];
  const atLeave = (area, act) => leaving.push([area, act]);
  const endLeft = () => {
    for (const one of leaving.splice(0)) {
      if (one[0].isConnected) leaving.push(one);
      else one[1]();
    }
  };
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  window.kg = { make, fold, atLeave, root: new URL("../", assets) };

  /* -- previews ------------------------------------------------------------------------------ */

  const OPEN_DELAY = 350;
  const CLOSE_DELAY = 500; // long enough to reach the card from its link
  const GAP = 8;
  const LEAST_ROOM = 160;
  const MAX_CARDS_CACHED = 40;
  const pages = new Map();
  let card = null;
  let owner = null;
  let timer = 0;
  let touched = false;

  const LOCAL = location.protocol === "file:";
  const LOAD_TIMEOUT = 5000;
  const PREVIEW_HASH = "#kg-preview";
  if (LOCAL && window.parent !== window && location.hash === PREVIEW_HASH) {
    const whole = document.querySelector(".kg");
    window.parent.postMessage(whole ? whole.outerHTML : "", "*");
  }
  const overHttp = async (address) => {
    const reply = await fetch(address);
    if (!reply.ok) throw new Error(String(reply.status));
    return reply.text();
  };
  /* Pages on the file system may not read each other, but a page in a frame may say what it holds. */
  const fromFrame = (address) => new Promise((resolve, reject) => {
    const frame = make("iframe", { src: address + PREVIEW_HASH, hidden: true, title: "Preview" });
    const end = (act, value) => {
      removeEventListener("message", heard);
      frame.remove();
      act(value);
    };
    const heard = (event) => {
      if (event.source === frame.contentWindow) end(resolve, String(event.data));
    };
    addEventListener("message", heard);
    setTimeout(() => end(reject, new Error("no answer")), LOAD_TIMEOUT);
    document.body.append(frame);
  });
  const fetchPage = (address) => {
    if (!pages.has(address)) {
      const found = (LOCAL ? fromFrame : overHttp)(address)
        .then((text) => new DOMParser().parseFromString(text, "text/html"));
      found.catch(() => pages.delete(address));
      pages.set(address, found);
      if (pages.size > MAX_CARDS_CACHED) pages.delete(pages.keys().next().value);
    }
    return pages.get(address);
  };

  const MOST_WORDS = 40;
  /* What is read of a part of a page: without signs, and without what is said to those who hear it. */
  const plain = (part) => {
    const copy = part.cloneNode(true);
    copy.querySelectorAll(".kg-sr, .kg-out, .kg-cites, .kg-paper-cite, svg").forEach((one) => one.remove());
    return copy.textContent.replace(/\s+/g, " ").replace(/ (?=[.,;])/g, "").trim();
  };
  /* The first sentences of a text, whole, the first one however long. */
  const opening = (text, most = MOST_WORDS) => {
    const sentences = text.split(/(?<=[.!?]["”)]?)(?<!\b(?:al|cf|vs|e\.g|i\.e)\.) (?=["“(]?\p{Lu})/u), first = (count) => sentences.slice(0, count).join(" ");
    let count = 1;
    while (count < sentences.length && first(count + 1).split(" ").length <= most) count += 1;
    return first(count);
  };
  /* How far a statement reaches: notes say so after what was found; else what the record of a study lacks. */
  const reachOf = (page) => {
    const [, second] = page.querySelectorAll(".kg-page-statement > .kg-body > p");
    const lacks = /Not recorded, and so not counted: ([^.]*\.)/.exec(page.querySelector("#study + dl")?.textContent ?? "");
    return second ? opening(plain(second)) : lacks ? `The notes do not record ${lacks[1]}` : "";
  };
  const PARTS = [".kg-banner", ".kg-glance", ".kg-verdict-words", ".kg-facts", ".kg-standfirst"];
  /* What stands beside an essay already is not said again. */
  const preview = (page, address, link) => {
    const whole = page.querySelector(".kg");
    if (!whole) return null;
    const title = plain(whole.querySelector("h1")), study = whole.querySelector("#study + dl");
    const inner = make("div", { className: "kg kg-preview-inner" }, make("p", { className: "kg-preview-title" }, make("a", { href: address }, title)));
    const isBeside = study && link.closest(".kg-essay")?.querySelector(".kg-margin")?.offsetParent;
    for (const part of isBeside ? [".kg-banner"] : PARTS) inner.append(...[...whole.querySelectorAll(part)].slice(0, 1).map((one) => document.importNode(one, true)));
    const say = (words, ...parts) => inner.append(make("p", { className: "kg-preview-label" }, words), ...parts);
    for (const [side, words] of [["for", "Strongest reason"], ["against", "Strongest objection"]]) {
      const first = whole.querySelector(`.kg-column-${side} .kg-arg`);
      if (first) say(words, document.importNode(first, true));
    }
    const reach = reachOf(page), limits = [...(study?.querySelectorAll("dt") ?? [])].find(({ textContent }) => textContent === "What limits it");
    const objection = !whole.querySelector(".kg-column-against .kg-arg") && limits?.parentNode.querySelector("a.kg-chip");
    const text = whole.querySelector(":scope:not(.kg-page-statement) > .kg-body > p, :scope:not(.kg-page-statement) .kg-section > .kg-body > p");
    if (reach) say("How far it reaches", make("p", {}, reach));
    else if (text) inner.append(make("p", {}, opening(plain(text))));
    if (objection) say("Strongest objection", make("p", {}, document.importNode(objection, true)));
    for (const node of inner.querySelectorAll(".kg-scripted")) node.remove();
    for (const node of inner.querySelectorAll("[id]")) node.removeAttribute("id");
    for (const link of inner.querySelectorAll("a[href]")) link.href = new URL(link.getAttribute("href"), address).href;
    return inner;
  };

  const hide = () => {
    clearTimeout(timer);
    if (card) card.remove();
    if (owner) owner.removeAttribute("aria-describedby");
    card = owner = null;
  };
  /* At the edge of the window that is farther from the link, and never over it. */
  const placeAtEdge = (at, top) => {
    const [over, under] = [at.top - top - 8, innerHeight - at.bottom - 16];
    card.classList.add("kg-sheet");
    card.classList.toggle("kg-sheet-over", over > under);
    card.style.maxHeight = `${Math.max(120, Math.min(Math.max(over, under), 0.6 * innerHeight))}px`;
    if (over > under) card.style.top = `${top - 8}px`;
  };
  /* Below or above the row of a table, a paragraph that is not long, or else the lines of the link: what is being read
     stays in sight. */
  const place = (link) => {
    const top = (document.querySelector(".md-header")?.offsetHeight ?? 0) + GAP;
    const text = link.closest("p, li");
    const areas = [link.closest("tr"), text?.offsetHeight <= innerHeight / 4 ? text : null, link].filter(Boolean).map((area) => area.getBoundingClientRect());
    const roomAt = (area) => [area.top - GAP - top, innerHeight - area.bottom - 2 * GAP];
    const at = areas.find((area) => Math.max(...roomAt(area)) >= LEAST_ROOM) ?? areas.at(-1);
    if (touched) { placeAtEdge(at, top); return; }
    const [over, under] = roomAt(at);
    const below = card.offsetHeight <= under || over < under;
    card.style.maxHeight = `${Math.min(card.offsetHeight, below ? under : over)}px`;
    const left = Math.min(areas.at(-1).left, document.documentElement.clientWidth - card.offsetWidth - GAP);
    card.style.left = `${Math.max(GAP, left) + scrollX}px`;
    card.style.top = `${(below ? at.bottom + GAP : at.top - card.offsetHeight - GAP) + scrollY}px`;
  };
  const show = async (link) => {
    const address = link.href.baseVal ? new URL(link.href.baseVal, location.href).href : link.href;
    let page;
    try {
      page = await fetchPage(address.split("#")[0]);
    } catch {
      return false;
    }
    const inner = preview(page, address, link);
    if (!inner || owner !== link) return false;
    if (card) card.remove();
    card = make("div", { className: "md-typeset kg-preview", id: "kg-preview", role: "region", "aria-label": "Preview" }, inner);
    card.addEventListener("pointerenter", () => clearTimeout(timer));
    card.addEventListener("pointerleave", () => { timer = setTimeout(hide, CLOSE_DELAY); });
    document.body.append(card);
    link.setAttribute("aria-describedby", "kg-preview");
    place(link);
    return true;
  };
  const linkOf = (event) => {
    const link = event.target.closest && event.target.closest("a:is(.kg-chip:not(.kg-chip-camp), .kg-cite)");
    return link && !link.closest(".kg-preview, .kg-guessing, .kg-walking") ? link : null; // a guess comes before the answer
  };
  const aim = (link, wait) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (owner !== link) hide();
      owner = link;
      show(link);
    }, wait);
  };

  document.addEventListener("pointerover", (event) => {
    const link = event.pointerType === "mouse" && linkOf(event);
    if (link && link !== owner) aim(link, OPEN_DELAY);
    else if (link) clearTimeout(timer);
  });
  document.addEventListener("pointerout", (event) => {
    if (event.pointerType !== "mouse" || !linkOf(event)) return;
    clearTimeout(timer);
    timer = setTimeout(hide, CLOSE_DELAY);
  });
  document.addEventListener("focusin", (event) => {
    const link = linkOf(event);
    if (link && link.matches(":focus-visible")) aim(link, 0);
    else if (card && !card.contains(event.target)) hide();
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && card) hide(); });
  document.addEventListener("pointerdown", (event) => {
    touched = event.pointerType === "touch";
    if (card && !card.contains(event.target) && linkOf(event) !== owner) hide();
  });
  document.addEventListener("click", (event) => {
    const link = linkOf(event);
    if (!link) { if (card && card.contains(event.target)) setTimeout(hide, 0); return; }
    if (!touched || owner === link) { hide(); return; }
    event.preventDefault();
    event.stopImmediatePropagation();
    hide();
    owner = link;
    show(link).then((shown) => { if (!shown && owner === link) location.href = link.href.baseVal || link.href; });
  }, true);

  /* -- replies: read from the page of the reason, when somebody asks for them ------------------------ */

  const MOST_REPLIES = 12;
  const withAddresses = (node, address) => {
    const copy = document.importNode(node, true);
    for (const link of copy.querySelectorAll("a[href]")) link.href = new URL(link.getAttribute("href"), address).href;
    return copy;
  };
  const fetchReplies = (page, address) => {
    const rows = [...page.querySelectorAll(".kg-side-column .kg-tree > li")];
    const fresh = rows.filter((row) => {
      const [first, here] = [row.querySelector("a.kg-chip"), location.href.split("#")[0]];
      return first && new URL(first.getAttribute("href"), address).href !== here;
    });
    const items = fresh.slice(0, MOST_REPLIES).map((row) => {
      const item = make("li", { className: row.className }, withAddresses(row.querySelector(".kg-arg") ?? row.querySelector("a"), address));
      item.querySelectorAll(".kg-note[title]").forEach((share) => share.remove());
      return item;
    });
    const left = fresh.length - items.length;
    if (left) items.push(make("li", {}, `${left} more on `, make("a", { href: address }, "its page")));
    return make("ul", { className: "kg-tree" }, ...items);
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a.kg-replies");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const address = link.href.split("#")[0];
    fetchPage(address).then((page) => {
      const summary = make("summary", {}, link.textContent);
      link.replaceWith(make("details", { open: true }, summary, fetchReplies(page, address)));
      summary.focus();
    }, () => { location.href = link.href; });
  }, true);

  /* -- tables ------------------------------------------------------------------------------------ */

  const number = (text) => {
    const found = /^[\s−-]*[\d,]+(\.\d+)?/.exec(text);
    return found ? Number(found[0].replace(/[,\s]/g, "").replace("−", "-")) : null;
  };
  const compare = (one, other) => {
    if (one === other) return 0;
    if (one === null || one === "–" || one === "") return 1;
    if (other === null || other === "–" || other === "") return -1;
    return typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other));
  };
  const markSorted = (table, column, way) => [...table.tHead.rows[0].cells].forEach((cell, at) => {
    if (at === column) cell.setAttribute("aria-sort", way < 0 ? "descending" : "ascending");
    else cell.removeAttribute("aria-sort");
  });
  const heads = (table, act) => {
    [...table.tHead.rows[0].cells].forEach((cell, column) => {
      const button = make("button", { type: "button", className: "kg-sort" }, ...cell.childNodes);
      cell.append(button);
      button.addEventListener("click", () => act(column, cell.getAttribute("aria-sort") === "ascending" ? -1 : 1));
    });
  };
  const field = (label, control) => make("label", { className: "kg-field" }, make("span", {}, label), control);
  /* A field to filter by words, and how many fit; `fits` makes a test of texts. */
  const filterBy = (label, act) => {
    const said = make("span", { className: "kg-small", "aria-live": "polite" });
    const input = make("input", { type: "search", autocomplete: "off" });
    input.addEventListener("input", act);
    const fits = () => {
      const words = fold(input.value).split(/\s+/).filter(Boolean);
      return (text) => words.every((word) => text.includes(word));
    };
    /* What is not found here may be on another page: the search of the site is asked for the same words. */
    const elsewhere = () => {
      const search = document.querySelector("[data-kg-search] [name=query]");
      const button = make("button", { type: "button", className: "kg-button" }, "search the whole site");
      button.addEventListener("click", () => {
        search.value = input.value;
        search.focus();
        search.dispatchEvent(new Event("input", { bubbles: true }));
      });
      return search && input.value.trim() ? ["Nothing found here; ", button] : ["Nothing found here"];
    };
    const tell = (kept, all) => said.replaceChildren(...(kept ? [`${kept.toLocaleString("en")} of ${all.toLocaleString("en")}`] : elsewhere()));
    return { fits, tell, input, tools: (...more) => make("div", { className: "kg-tools" }, field(label, input), ...more, said) };
  };
  /* The values of a column, the commonest first, each with how many rows have it. */
  const choice = (label, values, act, named = (value) => value) => {
    const counts = new Map();
    for (const value of values.filter(Boolean)) counts.set(value, (counts.get(value) ?? 0) + 1);
    const options = [...counts].sort(([, a], [, b]) => b - a).map(([value, count]) => make("option", { value }, `${named(value)} (${count})`));
    const select = make("select", {}, make("option", { value: "" }, "All"), ...options);
    select.addEventListener("change", act);
    return [field(label, select), select];
  };

  const FIRST = matchMedia("(max-width: 44em)").matches ? 20 : 50; // rows of a long table
  const setUpSortable = (area) => {
    const table = area.querySelector("table");
    if (!table || area.dataset.kgReady) return;
    area.dataset.kgReady = "1";
    const body = table.tBodies[0];
    const headings = new Map();
    for (const row of [...body.rows].filter((one) => one.querySelector("[data-kg-group]"))) {
      const under = [];
      for (let next = row.nextElementSibling; next && !next.querySelector("[data-kg-group]"); next = next.nextElementSibling) under.push(next);
      headings.set(row, under);
    }
    const rows = [...body.rows].filter((row) => !headings.has(row)).map((row) => ({ row, text: fold(row.textContent), cells: [...row.cells].map((c) => number(c.querySelector("[data-kg-value]")?.dataset.kgValue ?? c.textContent) ?? c.textContent.trim()) }));
    heads(table, (column, way) => {
      markSorted(table, column, way);
      rows.sort((a, b) => {
        const missing = compare(a.cells[column], b.cells[column]);
        const blank = [a, b].some(({ cells }) => cells[column] === "–" || cells[column] === "");
        return blank ? missing : missing * way;
      });
      body.append(...rows.map(({ row }) => row));
      for (const row of headings.keys()) row.remove();
      headings.clear();
      again();
    });
    const only = make("input", { type: "checkbox" });
    const again = () => {
      const holds = filter.fits();
      const fitting = rows.filter(({ row, text }) => holds(text) && (!only.checked || row.querySelector("[data-kg-marked]")));
      const kept = new Set(fitting);
      const later = new Set(fitting.slice(whole || fitting.length < 1.5 * FIRST ? rows.length : FIRST));
      for (const each of rows) {
        /* search in the page finds what is cut off where rows are blocks, and then shows it */
        each.row.hidden = !kept.has(each) || (later.has(each) && "until-found");
        each.row.classList.toggle("kg-later", later.has(each));
      }
      for (const [row, under] of headings) row.hidden = under.every((one) => one.hidden);
      end.hidden = !later.size;
      end.textContent = `Show all ${fitting.length.toLocaleString("en")}`;
      filter.tell(fitting.length, rows.length);
    };
    const filter = filterBy("Filter", again);
    let whole = false;
    const end = make("button", { type: "button", className: "kg-button" });
    end.addEventListener("click", () => { whole = true; again(); });
    only.addEventListener("change", again);
    const marked = area.dataset.kgOnly ? field(area.dataset.kgOnly, only) : null;
    area.prepend(filter.tools(marked));
    area.append(end);
    again();
  };

  /* Entries of a list, of which those stay that hold all words; so do the headings above them. */
  const setUpFilter = (area) => {
    if (area.dataset.kgReady) return;
    area.dataset.kgReady = "1";
    const entries = [...area.querySelectorAll(".kg-entry")].map((entry) => [entry, fold(entry.textContent)]);
    const again = () => {
      const holds = filter.fits();
      for (const [entry, text] of entries) entry.hidden = !holds(text);
      for (const part of area.querySelectorAll(".kg-letter, .kg-section")) part.hidden = !part.querySelector(".kg-entry:not([hidden])");
      filter.tell(entries.filter(([entry]) => !entry.hidden).length, entries.length);
    };
    const filter = filterBy("Filter", again);
    area.prepend(filter.tools());
    again();
  };

  const STEP = 500;
  window.kgRows = hear;
  const setUpRows = (area) => {
    if (area.dataset.kgReady) return;
    area.dataset.kgReady = "1";
    loadData(area.dataset.kgRows).then((found) => fill(area, found)).catch(() => {});
  };
  /* Names of orders, the column that each is of, which way, and what is first. */
  const ORDERS = [
    ["By question"],
    ["Most disputed", 4, -1, "First where both sides are heavy and close; last the claims that are “probably” or surer."],
    ["Surest", 3, -1, "First what surely holds or surely does not; evidence by its quality."],
    ["Least sure", 3, 1, "First what the notes leave undecided; evidence by its quality."],
    ["Title", 0, 1], ["Camp", 1, 1], ["Topic", 2, 1],
  ];
  const KEYS = [(row) => row[0], (row) => row[3], (row) => row[9], (row) => row[6] && (row[7] === null ? row[6] : Math.abs(row[6] - 0.5)), (row) => row[10]];
  const isEvidence = (row) => row[2] === "Evidence";
  const NOWHERE = "none";
  const fill = (area, { camps, lines, other, amounts, full, usual, rows }) => {
    const root = area.dataset.kgRoot;
    const table = area.querySelector("table");
    if (!table) return;
    const body = table.tBodies[0], told = area.querySelector("p");
    ORDERS[0][3] = told.textContent;
    const camp = new Map(camps.map((one) => [one.id, one])), questions = new Map(lines.map((one) => [one[1], one]));
    const placesOf = (row) => row[11].length ? row[11].map((line) => lines[line][1]) : [NOWHERE];
    const names = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
    const texts = rows.map((row) => fold(`${row[0]} ${row[9].join(" ")}`));
    const order = rows.map((_, index) => index);
    let chosen = ORDERS[0];
    let count = 0;
    let found = [];
    let drawn = 0;
    const said = (verdict, limit) => limit && limit !== usual ? `${verdict}, ${limit}` : verdict;
    const linkTo = ([title, page, kind, camped]) => make("a", { href: root + page, className: `kg-chip ${camp.get(camped)?.class ?? "kg-camp-none"}${kind === "Evidence" ? " kg-hollow" : ""}` }, title);
    const amount = (nats, side) => `${amounts.find(([most]) => most === null || nats < most)[1]} ${side} it (${nats.toFixed(2)})`;
    const wide = (name, nats) => make(name, { className: `kg-wide-${Math.min(50, Math.round(50 * nats / full))}` });
    const sides = (pro, con) => make("span", { className: "kg-bar kg-sides", role: "img", title: `${amount(con, "against")}, ${amount(pro, "for")}` }, wide("i", con), wide("b", pro));
    const drawRow = (row) => {
      const [, , , camped, verdict, limit, , pro, con, topics] = row;
      const others = placesOf(row).filter((page) => page !== (byQuestion.value || placesOf(row)[0]));
      const remark = others.length ? make("span", { className: "kg-reason" }, `Also for: ${others.map((page) => questions.get(page)[0]).join(" ")}`) : null;
      const cells = [camp.get(camped)?.label, topics.join(", "), make("span", { title: limit && `No surer: ${limit}` }, said(verdict, limit)), pro === null ? null : sides(pro, con)];
      return make("tr", {}, make("th", { scope: "row" }, linkTo(row), remark), ...cells.map((cell, column) =>
        make("td", { "data-label": names[column + 1], className: cell ? "kg-short" : "kg-blank" }, cell || "–")));
    };
    const across = (name, properties, ...children) => make("tr", {}, make(name, { colspan: String(names.length), ...properties }, ...children));
    const drawFold = (evidence) => {
      const list = make("ul", { className: "kg-plain" });
      const details = make("details", {}, make("summary", {}, evidence.length > 1 ? `${evidence.length.toLocaleString("en")} pieces of evidence` : "1 piece of evidence"), list);
      details.addEventListener("toggle", () => list.append(...evidence.map((index) => make("li", {}, linkTo(rows[index]), make("span", { className: "kg-small" }, rows[index][4])))), { once: true });
      return across("td", {}, details);
    };
    const drawGroup = (group) => {
      const [title, page, answer] = questions.get(group) ?? [];
      return across("th", { scope: "rowgroup", "data-kg-group": true }, ...(page ? [make("a", { href: root + page }, title), make("span", { className: "kg-reason" }, answer)] : [group === NOWHERE ? other : group]));
    };
    const draw = (entry) => entry.evidence ? drawFold(entry.evidence) : "group" in entry ? drawGroup(entry.group) : drawRow(rows[entry.index]);
    /* Rows under headings; evidence in one fold of each question. */
    const grouped = (indices, folds) => {
      const entries = [], byLine = !chosen[2];
      let last = byLine && !lines.length ? NOWHERE : undefined;
      for (const index of indices) {
        const group = byLine ? byQuestion.value || placesOf(rows[index])[0] : isEvidence(rows[index]) ? "Evidence" : undefined;
        if (group !== last) entries.push({ group });
        last = group;
        if (!folds || !isEvidence(rows[index])) entries.push({ index });
        else if (entries.at(-1)?.evidence) entries.at(-1).evidence.push(index);
        else entries.push({ evidence: [index] });
      }
      return entries;
    };
    const more = (step) => {
      body.append(...found.slice(drawn, drawn + step).map(draw));
      drawn = Math.min(found.length, drawn + step);
      const rest = found.length - drawn;
      end.hidden = !rest;
      end.textContent = rest > STEP ? `Show ${STEP} more` : `Show all ${count.toLocaleString("en")}`;
    };
    const again = () => {
      keepInAddress();
      const holds = filter.fits();
      const kept = order.filter((index) =>
        (!byKind.value || rows[index][2] === byKind.value) &&
        (!byCamp.value || rows[index][3] === byCamp.value) &&
        (!byQuestion.value || placesOf(rows[index]).includes(byQuestion.value)) &&
        holds(texts[index]));
      count = kept.length;
      found = grouped(kept, !chosen[2] && count === rows.length);
      body.replaceChildren();
      drawn = 0;
      more(FIRST);
      filter.tell(count, rows.length);
    };
    const sort = () => {
      const [, column, way, hint = ""] = chosen = ORDERS.find(([name]) => name === byOrder.value) ?? ORDERS[0];
      markSorted(table, way ? column : -1, way);
      told.textContent = hint;
      order.sort((a, b) => {
        if (!way) return a - b;
        const [one, other] = [a, b].map((index) => KEYS[column](rows[index]));
        const first = isEvidence(rows[a]) - isEvidence(rows[b]) || (one === null) - (other === null);
        return first || compare(one, other) * way || a - b;
      });
      again();
    };
    const [kindField, byKind] = choice("Kind", rows.map((row) => row[2]), again);
    const [campField, byCamp] = choice("Camp", rows.map((row) => row[3]), again, (id) => camp.get(id).label);
    const [questionField, byQuestion] = choice("Question", lines.length ? rows.flatMap(placesOf) : [], again, (place) => questions.get(place)?.[0] ?? other);
    const byOrder = make("select", {}, ...ORDERS.map(([name], at) => make("option", { value: at ? name : "" }, at || lines.length ? name : "Most said about")));
    byOrder.addEventListener("change", sort);
    const filter = filterBy("Title or topic", again);
    const end = make("button", { type: "button", className: "kg-button" });
    end.addEventListener("click", () => more(STEP));
    area.prepend(filter.tools(kindField, campField, lines.length ? questionField : null, field("Order by", byOrder)));
    area.append(end);
    /* The next order of a column; after its last one, by question again. */
    heads(table, (column) => {
      const mine = ORDERS.filter((one) => one[1] === column);
      byOrder.value = mine[mine.indexOf(chosen) + 1]?.[0] ?? "";
      sort();
    });
    /* What is chosen stands in the address, so that it can be sent to others and is there again on the way back. */
    const settings = new Map([["words", filter.input], ["kind", byKind], ["camp", byCamp], ["question", byQuestion], ["order", byOrder]]);
    const keepInAddress = () => {
      const words = new URLSearchParams([...settings].flatMap(([name, { value }]) => value ? [[name, value]] : []));
      const address = location.pathname + location.search + (`${words}` && `#${words}`);
      if (area.isConnected) history.replaceState(history.state, "", address);
    };
    for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
      const control = settings.get(name);
      if (control && (!control.options || [...control.options].some((option) => option.value === value))) control.value = value;
    }
    sort();
  };

  /* -- a line: weights in the essay --------------------------------------------------------------- */

  const setUpWeights = (tools) => {
    if (tools.dataset.kgReady) return;
    tools.dataset.kgReady = "1";
    const root = document.documentElement;
    const button = make("button", { type: "button", className: "kg-button" }, "Show weights");
    button.title = "A mark of its camp before each statement, and after it a gauge of how firmly the notes back it";
    const set = (on) => { root.classList.toggle("kg-weights", on); button.textContent = on ? "Hide weights" : "Show weights"; };
    button.addEventListener("click", () => set(!root.classList.contains("kg-weights")));
    set(root.classList.contains("kg-weights"));
    tools.prepend(button);
  };

  /* -- a walk through an answer: of each part what the box does not say ------------------------------------ */

  const setUpWalk = (start) => {
    if (start.dataset.kgReady) return;
    start.dataset.kgReady = "1";
    const box = document.querySelector(".kg-verdict"), page = start.closest(".kg"), scales = document.querySelector(".kg-weigh");
    if (!box) return;
    const section = (id) => document.getElementById(id)?.closest(".kg-section");
    /* What was done, how far it reaches, both from the reason's own page, and the best reply. */
    const weakSpot = async (part) => {
      const { href } = part.querySelector("a.kg-chip"), reply = part.querySelector(".kg-reply a.kg-chip");
      const page = await fetchPage(href.split("#")[0]).catch(() => null), done = page?.querySelector(".kg-page-statement > .kg-body > p"), reach = page && reachOf(page);
      return [done && opening(plain(done), 0), reach, reply && `The best reply to it is: “${plain(reply)}”.`].filter(Boolean).join(" ");
    };
    const findSteps = async () => {
      const cases = [...box.querySelectorAll(".kg-case")], turns = section("turns");
      const found = await Promise.all(cases.map(async (part) => [plain(part.firstChild), await weakSpot(part), part]));
      const decides = turns?.querySelector("p:not(.kg-lead-in)");
      return [...found, ["What would decide it", decides ? plain(decides) : "", turns], ["Your turn", "", scales && section("weigh")]]
        .filter(([name, words, place]) => place && (words || name === "Your turn"));
    };
    let steps = [];
    /* A choice to be tried; what it does is seen on the scales. */
    const offer = async () => {
      await openScales();
      const find = () => scales.querySelector("fieldset input"), row = find()?.closest("li");
      if (!row || at + 1 < steps.length) return;
      const name = find().getAttribute("aria-label");
      said.lastChild.append(`What becomes of the answer if you ${name[0].toLowerCase()}${name.slice(1)}? `, press("Try it", () => { if (!find().checked) find().click(); }));
    };
    let at = 0;
    const said = make("p", { role: "status" }), marked = () => document.querySelector(".kg-walked");
    const press = (label, act) => {
      const made = make("button", { type: "button", className: "kg-button" }, label);
      made.addEventListener("click", act);
      return made;
    };
    const end = () => {
      bar.remove();
      page.classList.remove("kg-walking");
      marked()?.classList.remove("kg-walked");
      start.focus();
    };
    const go = (to) => {
      if (to === steps.length) { end(); return; }
      at = Math.max(0, to);
      const [name, words, place] = steps[at];
      marked()?.classList.remove("kg-walked");
      for (let fold = place.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
      place.classList.add("kg-walked");
      place.scrollIntoView({ block: place.offsetHeight > innerHeight / 2 ? "start" : "center" });
      said.replaceChildren(make("strong", {}, `${at + 1} of ${steps.length} · ${name}`), make("span", {}, words));
      if (!words) offer();
      back.disabled = !at;
      next.textContent = at + 1 < steps.length ? "Next" : "Done";
    };
    const back = press("Back", () => go(at - 1)), next = press("Next", () => go(at + 1));
    const bar = make("div", { className: "kg-walk", role: "region", "aria-label": "Walk through the answer" }, said, make("p", {}, back, next, press("End", end)));
    bar.addEventListener("keydown", (event) => {
      const act = { ArrowRight: () => go(at + 1), ArrowLeft: () => go(at - 1), Escape: end }[event.key];
      if (act) { event.preventDefault(); act(); }
    });
    start.addEventListener("click", async () => {
      steps = await findSteps();
      if (!steps.length || !start.isConnected) return;
      page.append(bar);
      page.classList.add("kg-walking");
      go(0);
      next.focus({ preventScroll: true });
    });
  };

  /* -- guess first, then see: on the list of lines, for those who ask for it ----------------------------- */

  const GUESS = "#guess", EDGE = 10, WIDE = 300, LOW = 5, MIDDLE = "undecided"; // the scale is drawn, and its words placed, by graphics/dial.py
  const setUpGuess = (area) => {
    if (area.dataset.kgReady) return;
    area.dataset.kgReady = "1";
    const rows = [...area.querySelectorAll(".kg-questions > li")].filter((row) => row.querySelector(".kg-scale"));
    if (!rows.length) return;
    const button = make("button", { type: "button", className: "kg-button" }), said = make("span", { className: "kg-small", role: "status" });
    const see = (row, guess, end) => {
      const svg = row.querySelector(".kg-scale"), x = EDGE + WIDE * guess, mark = document.createElementNS(svg.namespaceURI, "polygon");
      mark.setAttribute("class", "kg-guessed");
      mark.setAttribute("points", `${x - 6},${LOW} ${x + 6},${LOW} ${x},${-LOW}`);
      svg.append(mark);
      const box = row.querySelector(".kg-guess"), off = Math.abs(guess - 0.5);
      const small = (text) => text.split(":")[0].replace(/^.(?![A-Z])/, (first) => first.toLowerCase());
      const word = off < 0.09 ? MIDDLE : `${off < 0.23 ? "perhaps" : off < 0.37 ? "probably" : "very probably"} ${small(end)}`;
      box.className = "kg-guess-told";
      box.tabIndex = -1;
      box.textContent = `You guessed “${word}” (△ on the scale); the notes say “${small(row.querySelector(".kg-answer-words").textContent)}”.`;
      box.focus();
    };
    const ask = (row) => {
      const title = row.querySelector(".kg-card-title").textContent;
      const input = make("input", { type: "range", min: "0", max: "1", step: "0.01", value: "0.5", "aria-label": `Your guess. ${title}` });
      const [low, high] = [":first-child", ":last-child"].map((end) => row.querySelector(`.kg-two-ends > ${end}`).textContent);
      const told = () => input.setAttribute("aria-valuetext", `${Math.round(100 * input.value)} of 100, from ${low} to ${high}; 50 is ${MIDDLE}`);
      const show = make("button", { type: "button", className: "kg-button" }, "See the answer");
      show.setAttribute("aria-label", `See the answer: ${title}`);
      /* There is no guess before the mark is touched, be it to leave it in the middle. */
      const touch = () => { input.classList.add("kg-touched"); show.disabled = false; told(); };
      for (const name of ["input", "pointerdown"]) input.addEventListener(name, touch);
      input.addEventListener("keydown", ({ key }) => { if (key !== "Tab") touch(); });
      show.disabled = true;
      show.addEventListener("click", () => see(row, Number(input.value), input.value < 0.5 ? low : high));
      row.querySelector(".kg-gauged").append(make("div", { className: "kg-guess" }, input, make("span", { className: "kg-small" }, MIDDLE), show));
    };
    const set = (on) => {
      area.querySelectorAll(".kg-guess, .kg-guessed, .kg-guess-told").forEach((one) => one.remove());
      area.classList.toggle("kg-guessing", on);
      if (on) rows.forEach(ask);
      button.textContent = on ? "Show all answers" : "Guess first";
      said.textContent = on ? "Move each mark to where you expect the answer. Nothing of it is kept." : "";
    };
    button.addEventListener("click", () => {
      const on = !area.classList.contains("kg-guessing");
      history.replaceState(history.state, "", on ? GUESS : location.pathname + location.search);
      set(on);
    });
    area.prepend(make("div", { className: "kg-guess-bar" }, button, said));
    set(location.hash === GUESS);
  };

  /* -- what is there to be copied ------------------------------------------------------------------------ */

  const setUpCopy = (code) => {
    if (code.dataset.kgReady) return;
    code.dataset.kgReady = "1";
    const button = make("button", { type: "button", className: "kg-button kg-copy" }, code.dataset.kgCopy || "Copy");
    const said = make("span", { className: "kg-small", "aria-live": "polite" });
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        said.textContent = " Copied.";
      } catch {
        getSelection().selectAllChildren(code);
        said.textContent = " Selected, for you to copy.";
      }
    });
    code.after(make("p", {}, button, said));
  };

  /* -- graphs: drawn by scripts of their own, asked for when somebody is about to use them ------------ */

  const once = new Map();
  const loadScript = (name, brought) => {
    if (!once.has(name)) {
      const loaded = load(new URL(name, assets).href).then(() => { if (!brought()) throw new Error(`${name} is damaged`); });
      once.set(name, loaded.catch((error) => { once.delete(name); throw error; }));
    }
    return once.get(name);
  };
  window.kgGraph = window.kgWeighing = hear;
  const setUpGraph = async (area) => {
    if (area.dataset.kgReady) return;
    area.dataset.kgReady = "1";
    const loadDrawing = () => loadScript("vis-network.min.js", () => window.vis);
    try {
      await loadScript("explorer.js", () => window.kg.explore);
      if (area.isConnected) await window.kg.explore(area, { loadGraph: loadData, loadDrawing });
    } catch (error) {
      const again = make("button", { type: "button", className: "kg-button" }, "Try again");
      const trouble = make("p", { className: "kg-graph-trouble", role: "status" }, `The graph could not be drawn: ${error.message}. `, again);
      again.addEventListener("click", () => {
        trouble.remove();
        delete area.dataset.kgReady;
        setUpGraph(area);
      });
      area.prepend(trouble);
    }
  };

  /* -- the panel to weigh an answer: fetched when somebody opens it, or comes by a link to what was chosen --- */

  let followWeigh = () => {}, openScales;
  window.addEventListener("hashchange", () => followWeigh());
  const setUpWeigh = (area) => {
    if (area.dataset.kgReady) return;
    area.dataset.kgReady = "1";
    const button = area.querySelector("button");
    const land = () => (document.getElementById("weigh") ?? area).scrollIntoView();
    const open = async () => {
      button.disabled = true;
      try {
        const [data] = await Promise.all([loadData(area.dataset.kgWeigh), loadScript("weigh.js", () => window.kgWeigh)]);
        await loadScript("weigh-panel.js", () => window.kg.weighYourself);
        if (area.isConnected) window.kg.weighYourself(area, data);
      } catch (error) {
        area.querySelector(".kg-weigh-said").textContent = `The scales could not be loaded: ${error.message}.`;
        button.disabled = false;
      }
    };
    button.addEventListener("click", () => open().then(() => { land(); area.querySelector("input")?.focus({ preventScroll: true }); }));
    openScales = () => (area.querySelector(".kg-weigh-head") ? Promise.resolve() : open());
    followWeigh = () => {
      if (!area.isConnected || !/^#weigh($|\?)/.test(location.hash)) return;
      (location.hash === "#weigh" ? openScales() : open()).then(land);
    };
    followWeigh();
  };

  /* Once a page is scrolled its title stands in the header; in the drawer, what is on the page follows the parts. */
  const setUpHeader = () => {
    const title = document.querySelector("[data-md-component=header-topic] .md-ellipsis");
    if (title) title.textContent = document.querySelector("main h1")?.textContent ?? "";
    const [nav, list] = [document.querySelector(".kg-nav"), document.querySelector("main [data-md-component=toc]")];
    if (!nav) return;
    nav.querySelector(".kg-contents")?.remove();
    if (!list) return;
    const copy = make("ul", {}, ...[...list.children].map((entry) => entry.cloneNode(true)));
    for (const link of copy.querySelectorAll("a")) link.removeAttribute("class");
    nav.append(make("div", { className: "kg-contents" }, make("p", {}, "On this page"), copy));
  };

  /* A menu of the head opens when it is pointed at or reached by keys, and is left by going on, a press beside it or Escape. */
  const closeMenus = (kept) => {
    for (const menu of document.querySelectorAll(".kg-menu details[open]")) if (!menu.contains(kept)) menu.open = false;
  };
  const menuOf = ({ target, pointerType }) => pointerType !== "touch" && target.closest?.(".kg-menu");
  document.addEventListener("pointerover", (event) => {
    const menu = menuOf(event);
    if (menu || event.target.closest?.(".kg-nav")) closeMenus(menu);
    if (menu) menu.firstChild.open = true;
  });
  document.addEventListener("pointerout", (event) => {
    const menu = menuOf(event), to = event.relatedTarget;
    if (menu && !menu.contains(to) && !menu.querySelector(":focus-visible")) menu.firstChild.open = false;
  });
  document.addEventListener("click", (event) => {
    closeMenus(event.target);
    if (event.pointerType === "mouse" && menuOf(event) && event.target.closest("summary")) event.preventDefault(); // it is open already
  });
  document.addEventListener("focusin", (event) => {
    closeMenus(event.target);
    if (event.target.matches(".kg-menu summary:focus-visible")) event.target.parentNode.open = true;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    document.activeElement?.closest(".kg-menu")?.querySelector("summary").focus();
    closeMenus(null);
  });

  /* The theme may follow the way past the navigation itself, and then the focus stays behind. */
  document.addEventListener("click", (event) => {
    const skip = event.target.closest && event.target.closest(".md-skip");
    if (skip) setTimeout(() => document.getElementById(skip.hash.slice(1))?.focus(), 50);
  });

  /* -- start ---------------------------------------------------------------------------------------- */

  /* Who follows a link to what is folded wants to see it. */
  const unfold = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const fold = target?.closest("details");
    if (!fold || fold.open) return;
    fold.open = true;
    target.scrollIntoView();
  };
  window.addEventListener("hashchange", unfold);
  const ready = () => {
    hide();
    unfold();
    endLeft();
    setUpHeader();
    document.querySelectorAll("[data-kg-sort]").forEach(setUpSortable);
    document.querySelectorAll("[data-kg-filter]").forEach(setUpFilter);
    document.querySelectorAll("[data-kg-rows]").forEach(setUpRows);
    document.querySelectorAll("[data-kg-weights]").forEach(setUpWeights);
    document.querySelectorAll("[data-kg-walk]").forEach(setUpWalk);
    document.querySelectorAll("[data-kg-guess]").forEach(setUpGuess);
    document.querySelectorAll("[data-kg-copy]").forEach(setUpCopy);
    document.querySelectorAll("[data-kg-graphs]").forEach(setUpGraph);
    document.querySelectorAll("[data-kg-weigh]").forEach(setUpWeigh);
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", ready);
  else ready();
  if (window.document$) window.document$.subscribe(ready);
})();
