/* What the scripts of the site share (`window.kg`): elements, files loaded on demand, parts of a page to
   set up. And what every page does itself: menus, contents in the drawer, what is folded and linked to,
   texts to copy. It reads `data-kg-…` attributes. Nothing here is needed for reading, and nothing asks
   another host. */
"use strict";
{
  const assets = new URL(".", document.currentScript.src);

  /* -- elements and texts ---------------------------------------------------------------------- */

  function make(name, properties = {}, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (value === undefined || value === null || value === false) continue;
      if (key in node && typeof value !== "string") node[key] = value;
      else node.setAttribute(key === "className" ? "class" : key, value === true ? "" : value);
    }
    node.append(...children.filter(Boolean));
    return node;
  }
  const makeButton = (label, onclick, properties = {}) =>
    make("button", { type: "button", className: "kg-button", onclick, ...properties }, label);
  const makeField = (label, control) =>
    make("label", { className: "kg-field" }, make("span", {}, label), control);

  /* Without accents and capitals, as kg/publish/build/search/stems.py folds words. */
  const fold = (text) =>
    text
      .normalize("NFKD")
      .replace(/[\u0300-\u036f]/g, "")
      .toLowerCase();
  const SENTENCE_END = /(?<=[.!?]["”’)\]]*)(?<!\b(?:al|cf|e\.g|i\.e|vs|\p{L})\.) +(?=["“‘(]*\p{Lu})/u;
  const splitSentences = (text) => text.split(SENTENCE_END);
  const countWords = (text) => text.split(" ").length;
  /* The first sentences, whole, with up to so many words; the first one however long. */
  function firstSentences(sentences, maxWords) {
    const first = (count) => sentences.slice(0, count).join(" ");
    let count = 1;
    while (count < sentences.length && countWords(first(count + 1)) <= maxWords) count += 1;
    return first(count);
  }

  /* -- scripts and data ------------------------------------------------------------------------ */

  function load(address) {
    const tag = make("script", { src: address });
    return new Promise((resolve, reject) => {
      tag.onload = resolve;
      tag.onerror = () => reject(new Error(`could not load ${address}`));
      document.head.append(tag);
    }).finally(() => tag.remove());
  }
  /* Files of data are scripts, as pages opened from a disk may not fetch. Each calls a function with its
     content; the address of the script says whose it is. */
  const receivers = new Map();
  const receive = (data) => receivers.get(document.currentScript?.src)?.(data);
  window.kgRows = window.kgGraph = window.kgWeighing = receive;
  window.kgSearch = (kind, name, content) => receive(content);
  const loading = new Map(); // one promise for all who ask for a file while it is loaded
  function loadData(address) {
    const { href } = new URL(address, location.href);
    if (!loading.has(href)) {
      const content = new Promise((resolve, reject) => {
        receivers.set(href, resolve);
        load(href).then(() => reject(new Error(`${href} is damaged`)), reject);
      });
      loading.set(
        href,
        content.finally(() => loading.delete(href)),
      );
    }
    return loading.get(href);
  }

  /* Scripts that only some readers need: each is run once, after those before it. By name, whether one did
     what it is for. */
  const scripts = new Map();
  async function loadScript(name, isDefined) {
    await load(new URL(name, assets).href);
    if (!isDefined()) throw new Error(`${name} is damaged`);
  }
  async function loadScripts(tests) {
    for (const name of Object.keys(tests)) {
      if (!scripts.has(name))
        document.head.append(make("link", { rel: "preload", as: "script", href: assets + name }));
    }
    for (const [name, isDefined] of Object.entries(tests)) {
      if (!scripts.has(name)) scripts.set(name, loadScript(name, isDefined));
      await scripts.get(name).catch((error) => {
        scripts.delete(name);
        throw error;
      });
    }
  }

  /* -- pages and their parts ------------------------------------------------------------------- */

  /* The theme changes pages without unloading them: what is set up is done for each page that is shown, and
     what outlives its area must be ended. */
  const pageActions = [];
  let isReady = false;
  let cleanups = [];
  function onPage(act) {
    pageActions.push(act);
    if (isReady) act();
  }
  const ready = new WeakSet();
  const setUp = (selector, act) =>
    onPage(() => {
      for (const area of document.querySelectorAll(selector)) {
        if (ready.has(area)) continue;
        ready.add(area);
        act(area);
      }
    });
  const whenLeft = (area, act) => cleanups.push({ area, act });
  function showPage() {
    isReady = true;
    for (const { area, act } of cleanups) if (!area.isConnected) act();
    cleanups = cleanups.filter(({ area }) => area.isConnected);
    for (const act of pageActions) act();
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", showPage);
  else showPage();
  if (window.document$) window.document$.subscribe(showPage);

  window.kg = {
    make,
    makeButton,
    makeField,
    fold,
    splitSentences,
    firstSentences,
    countWords,
    loadData,
    loadScripts,
    onPage,
    setUp,
    whenLeft,
    root: new URL("../", assets),
  };

  /* -- links to what is folded, and past the navigation ---------------------------------------- */

  function expandTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const details = target?.closest("details");
    if (!details || details.open) return;
    details.open = true;
    target.scrollIntoView();
  }
  window.addEventListener("hashchange", expandTarget);
  onPage(expandTarget);

  /* The theme may follow the way past the navigation itself, and then the focus stays behind. */
  document.addEventListener("click", (event) => {
    const skip = event.target.closest?.(".md-skip");
    if (skip) setTimeout(() => document.getElementById(skip.hash.slice(1))?.focus(), 50);
  });

  /* -- the header ------------------------------------------------------------------------------ */

  /* Once a page is scrolled its title stands in the header; in the drawer, its contents follow the
     navigation. */
  onPage(() => {
    const topic = document.querySelector("[data-md-component=header-topic] .md-ellipsis");
    if (topic) topic.textContent = document.querySelector("main h1")?.textContent ?? "";
    const nav = document.querySelector(".kg-nav");
    const contents = document.querySelector("main [data-md-component=toc]");
    nav?.querySelector(".kg-contents")?.remove();
    if (!nav || !contents) return;
    const copy = make("ul", {}, ...[...contents.children].map((entry) => entry.cloneNode(true)));
    for (const link of copy.querySelectorAll("a")) link.removeAttribute("class");
    nav.append(make("div", { className: "kg-contents" }, make("p", {}, "On this page"), copy));
  });

  /* A menu opens when it is pointed at, on a wide screen, by a press, or by Enter, Space or the arrow down on its
     name, so that Tab passes closed ones; going on, a press beside it or Escape closes it. */
  const isWide = matchMedia("(min-width: 76.25em)");
  const isPointing = ({ pointerType }) => pointerType !== "touch" && isWide.matches;
  const menuOf = ({ target }) => target.closest?.(".kg-menu");
  function closeMenusExcept(node) {
    for (const menu of document.querySelectorAll(".kg-menu details[open]")) menu.open = menu.contains(node);
  }
  document.addEventListener("pointerover", (event) => {
    if (!isPointing(event)) return;
    const menu = menuOf(event);
    if (menu || event.target.closest?.(".kg-nav")) closeMenusExcept(menu);
    if (menu) menu.firstChild.open = true;
  });
  document.addEventListener("pointerout", (event) => {
    const menu = isPointing(event) && menuOf(event);
    if (menu && !menu.contains(event.relatedTarget) && !menu.querySelector(":focus-visible")) {
      menu.firstChild.open = false;
    }
  });
  document.addEventListener("click", (event) => {
    closeMenusExcept(event.target);
    const isOpen = event.pointerType === "mouse" && isPointing(event) && menuOf(event);
    if (isOpen && event.target.closest("summary")) event.preventDefault();
  });
  document.addEventListener("focusin", ({ target }) => closeMenusExcept(target));
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (key === "ArrowDown" && target.matches(".kg-menu summary")) {
      event.preventDefault(); // the page would scroll
      target.parentNode.open = true;
      target.parentNode.querySelector("a").focus();
    }
    if (key !== "Escape") return;
    document.activeElement?.closest(".kg-menu")?.querySelector("summary").focus();
    closeMenusExcept(null);
  });

  /* -- parts of some pages --------------------------------------------------------------------- */

  setUp("[data-kg-copy]", (code) => {
    const status = make("span", { className: "kg-small", "aria-live": "polite" });
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        status.textContent = " Copied.";
      } catch {
        getSelection().selectAllChildren(code);
        status.textContent = " Selected, for you to copy.";
      }
    };
    const button = makeButton(code.dataset.kgCopy || "Copy", copy, { className: "kg-button kg-copy" });
    code.after(make("p", {}, button, status));
  });

  setUp("[data-kg-rows]", async (area) => {
    const loading = loadScripts({ "statement-table.js": () => window.kg.fillStatementTable });
    const [data] = await Promise.all([loadData(area.dataset.kgRows), loading]).catch(() => []);
    if (data) window.kg.fillStatementTable(area, data);
  });

  setUp("[data-kg-graphs]", async function setUpGraph(area) {
    try {
      await loadScripts({ "explorer.js": () => window.kg.explore });
      if (area.isConnected) await window.kg.explore(area);
    } catch (error) {
      const retry = makeButton("Try again", () => {
        message.remove();
        setUpGraph(area);
      });
      const words = `The graph could not be drawn: ${error.message}. `;
      const message = make("p", { className: "kg-graph-trouble", role: "status" }, words, retry);
      area.prepend(message);
    }
  });

  /* The scales are loaded when somebody opens them, or comes by a link to them. */
  const SCALES = {
    "weigh-graph.js": () => window.kgWeigh?.buildGraph,
    "weigh-plan.js": () => window.kgWeigh.makePlan,
    "weigh.js": () => window.kgWeigh.weigh,
    "weigh-choices.js": () => window.kgWeigh.Choices,
    "weigh-words.js": () => window.kgWeigh.Words,
    "weigh-controls.js": () => window.kgWeigh.Scale,
    "weigh-page.js": () => window.kgWeigh.tellInTables,
    "weigh-panel.js": () => window.kgWeigh.showScales,
  };
  /* What the file of a line holds, once it and the scripts of the scales and `more` are there. */
  async function loadScales(area, more = {}) {
    const [data] = await Promise.all([loadData(area.dataset.kgWeigh), loadScripts({ ...SCALES, ...more })]);
    return data;
  }
  window.kg.loadScales = loadScales;
  let followLinkToScales = () => {};
  window.addEventListener("hashchange", () => followLinkToScales());
  setUp("[data-kg-weigh]", (area) => {
    const button = area.querySelector("button");
    const closed = [...area.childNodes];
    let panel = null;
    let opening = null;
    const scroll = () => (document.getElementById("weigh") ?? area).scrollIntoView();
    const open = async () => {
      button.disabled = true;
      try {
        const data = await loadScales(area);
        if (!area.isConnected) return;
        window.kg.endWalk?.();
        return (panel = window.kgWeigh.showScales(area, data));
      } catch (error) {
        area.querySelector(".kg-weigh-said").textContent =
          `The scales could not be loaded: ${error.message}.`;
        button.disabled = false;
      }
    };
    button.onclick = async () => {
      await open();
      scroll();
      area.querySelector("input")?.focus({ preventScroll: true });
    };
    /* Puts the scales away; whether they were open. */
    window.kg.closeScales = () => {
      if (!panel) return false;
      panel.close();
      panel = null;
      area.replaceChildren(...closed);
      button.disabled = false;
      return true;
    };
    /* The panel; undefined if it could not be loaded. */
    window.kg.openScales = async () => panel ?? (opening ??= open().finally(() => (opening = null)));
    followLinkToScales = async () => {
      if (!area.isConnected || !/^#weigh($|\?)/.test(location.hash)) return;
      await (location.hash === "#weigh" ? window.kg.openScales() : open());
      scroll();
    };
    followLinkToScales();
  });
}
