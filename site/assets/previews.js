/* Cards that show what is behind a link to a statement or a source, when it is pointed at or focused, and
   within running text, touched; and replies to a reason, unfolded in its place. Both are made of
   parts of the page that the link leads to. */
"use strict";
{
  const { make, makeButton, splitSentences, firstSentences, onPage } = window.kg;
  const OPEN_DELAY = 350;
  const CLOSE_DELAY = 500; // long enough to reach the card from its link
  const GAP = 8;
  const LEAST_ROOM = 160;
  const MAX_WORDS = 40;
  const MAX_REPLIES = 12;

  /* -- pages that are read --------------------------------------------------------------------- */

  const pages = new Map();
  const FROM_DISK = location.protocol === "file:";
  const LOAD_TIMEOUT = 5000;
  const PREVIEW_HASH = "#kg-preview";
  if (FROM_DISK && window.parent !== window && location.hash === PREVIEW_HASH) {
    window.parent.postMessage(document.querySelector(".kg")?.outerHTML ?? "", "*");
  }
  async function fetchText(address) {
    const reply = await fetch(address);
    if (!reply.ok) throw new Error(String(reply.status));
    return reply.text();
  }
  /* Pages on a disk may not read each other, but a page in a frame may send what it holds. */
  const textFromFrame = (address) =>
    new Promise((resolve, reject) => {
      const frame = make("iframe", { src: address + PREVIEW_HASH, hidden: true, title: "Preview" });
      const end = (act, value) => {
        removeEventListener("message", receive);
        frame.remove();
        act(value);
      };
      const receive = (event) => {
        if (event.source === frame.contentWindow) end(resolve, String(event.data));
      };
      addEventListener("message", receive);
      setTimeout(() => end(reject, new Error("no answer")), LOAD_TIMEOUT);
      document.body.append(frame);
    });
  function fetchPage(url) {
    const [address] = url.split("#");
    if (!pages.has(address)) {
      const text = FROM_DISK ? textFromFrame(address) : fetchText(address);
      const page = text.then((html) => new DOMParser().parseFromString(html, "text/html"));
      page.catch(() => pages.delete(address));
      pages.set(address, page);
    }
    return pages.get(address);
  }

  /* -- texts of a page ------------------------------------------------------------------------- */

  /* The words of a part without signs, and without what only screen readers say. */
  function plainText(part) {
    const copy = part.cloneNode(true);
    for (const one of copy.querySelectorAll(".kg-sr, .kg-out, .kg-cites, .kg-paper-cite, svg")) one.remove();
    return copy.textContent
      .replace(/\s+/g, " ")
      .replace(/ (?=[.,;])/g, "")
      .trim();
  }
  const opening = (part, maxWords = MAX_WORDS) => firstSentences(splitSentences(plainText(part)), maxWords);
  /* How far a statement reaches: notes say so after what was found. */
  function reachOf(page) {
    const [, second] = page.querySelectorAll(".kg-page-statement > .kg-body > p");
    return second ? opening(second) : "";
  }
  /* A copy of a part of another page for this one. */
  function copyOf(part, address) {
    const copy = document.importNode(part, true);
    for (const node of copy.querySelectorAll(".kg-scripted")) node.remove();
    for (const node of [copy, ...copy.querySelectorAll("[id]")]) node.removeAttribute("id");
    for (const link of [copy, ...copy.querySelectorAll("a")]) {
      if (link.hasAttribute("href")) link.href = new URL(link.getAttribute("href"), address).href;
    }
    return copy;
  }

  /* -- what a card holds ----------------------------------------------------------------------- */

  const STANDING = ".kg-page-statement > .kg-verdict-words";
  const FACTS = ".kg-facts";
  /* Of a study first which it is, then what it was and how good. */
  const headOf = (article, study) =>
    [".kg-banner", ".kg-glance", ...(study ? [FACTS, STANDING] : [STANDING, FACTS]), ".kg-standfirst"]
      .map((part) => article.querySelector(part))
      .filter(Boolean);
  const NO_STUDY = "No study recorded here speaks for it directly.";
  /* The strongest reason; where a claim has another claim for it, also the strongest study of its own. */
  function reasonsFor(article, isStudy) {
    const reasons = [...article.querySelectorAll(".kg-column-for > .kg-tree > li > .kg-arg")];
    const study = reasons.find((reason) => reason.querySelector(".kg-study"));
    const parts = [["Strongest reason", reasons[0]]];
    if (isStudy || study === reasons[0]) return parts;
    return [...parts, study ? ["Strongest study for it", study] : ["", make("p", {}, NO_STUDY)]];
  }
  /* The strongest objection, without its works: readers would take them for the claim's own; of a study
     without objections what limits it. */
  function objectionOf(article, study) {
    const objection = article.querySelector(".kg-column-against .kg-arg")?.cloneNode(true);
    objection?.querySelector(".kg-study")?.remove();
    const limits = [...(study?.querySelectorAll("dt") ?? [])].find(
      (term) => term.textContent === "What limits it",
    );
    return objection ?? limits?.parentNode.querySelector("a.kg-chip");
  }
  /* In a card nothing tells what a bar measures, so its words stand instead. */
  function nameBars(part) {
    for (const bar of part.querySelectorAll("span.kg-bar")) {
      bar.replaceWith(make("span", { className: "kg-small" }, bar.title));
    }
  }
  const NOT_A_STATEMENT = ":scope:not(.kg-page-statement)";
  const TEXT = `${NOT_A_STATEMENT} > .kg-body > p, ${NOT_A_STATEMENT} .kg-section > .kg-body > p`;
  /* What a card holds below its title, each part with its label. */
  function partsOf(page, article) {
    const study = article.querySelector("#study + dl");
    const reach = reachOf(page);
    /* A lead says enough; what follows it stands under headings, which a card lacks. */
    const text = article.querySelector(".kg-standfirst") ? null : article.querySelector(TEXT);
    const words = reach || (text ? opening(text) : "");
    return [
      ...headOf(article, study).map((part) => ["", part]),
      ...reasonsFor(article, Boolean(study)),
      ["Strongest objection", objectionOf(article, study)],
      [reach ? "How far it reaches" : "", words && make("p", {}, words)],
    ].filter(([, part]) => part);
  }
  /* The card of a link; none if all of it stands around the link already. */
  function makePreview(page, address, link) {
    const article = page.querySelector(".kg");
    if (!article) return null;
    const around = plainText(link.closest("tr, li, p") ?? link);
    const isNew = (part) => !around.includes(plainText(part));
    const isShown = ([, part]) => isNew(part) || part.matches(`${STANDING}, ${FACTS}`);
    const parts = partsOf(page, article).filter(isShown);
    const words = (article.querySelector("h1 > cite") ?? article.querySelector("h1")).textContent.trim();
    if (around.includes(words) && !parts.some(([, part]) => isNew(part))) return null;
    const title = make("a", { href: address }, words);
    const preview = make(
      "div",
      { className: "kg kg-preview-inner" },
      make("p", { className: "kg-preview-title" }, title),
    );
    for (const [label, part] of parts) {
      if (label) preview.append(make("p", { className: "kg-preview-label" }, label));
      const copy = copyOf(part, address);
      if (label) nameBars(copy);
      preview.append(part.matches("a") ? make("p", {}, copy) : copy);
    }
    preview.append(make("p", { className: "kg-preview-more" }, make("a", { href: address }, "Read on")));
    return preview;
  }

  /* -- where a card stands --------------------------------------------------------------------- */

  let card = null;
  let cardLink = null;
  let timer = 0;
  let isTouch = false;

  /* At the edge of the window that is farther from the link, and never over it. */
  function placeAtEdge({ top, bottom }, header) {
    const [above, below] = [top - header - 8, innerHeight - bottom - 16];
    const room = Math.max(120, Math.min(Math.max(above, below), 0.6 * innerHeight));
    card.classList.add("kg-sheet");
    card.classList.toggle("kg-sheet-over", above > below);
    card.style.maxHeight = `${room}px`;
    if (above > below) card.style.top = `${header - 8}px`;
  }
  /* Below or above the row of a table, a reason with what is said of it, or a paragraph, if that is not long:
     what is being read stays in sight. Of a long one above the lines of the link, which are read already. */
  function placeCard(link) {
    const header = (document.querySelector(".md-header")?.offsetHeight ?? 0) + GAP;
    const isShort = (part) => part?.offsetHeight <= innerHeight / 4;
    const text = link.closest("p, li");
    const areas = [link.closest("tr"), ...[link.closest(".kg-case, .kg-end"), text].filter(isShort), link]
      .filter(Boolean)
      .map((one) => one.getBoundingClientRect());
    const roomAt = ({ top, bottom }) => [top - GAP - header, innerHeight - bottom - 2 * GAP];
    const area = areas.find((one) => Math.max(...roomAt(one)) >= LEAST_ROOM) ?? areas.at(-1);
    if (isTouch) {
      placeAtEdge(area, header);
      return;
    }
    const [above, below] = roomAt(area);
    const isInText = text && !isShort(text) && area === areas.at(-1);
    const isBelow = isInText
      ? card.offsetHeight > above && above < below
      : card.offsetHeight <= below || above < below;
    card.style.maxHeight = `${Math.min(card.offsetHeight, isBelow ? below : above)}px`;
    const left = Math.min(areas.at(-1).left, document.documentElement.clientWidth - card.offsetWidth - GAP);
    card.style.left = `${Math.max(GAP, left) + scrollX}px`;
    card.style.top = `${(isBelow ? area.bottom + GAP : area.top - card.offsetHeight - GAP) + scrollY}px`;
  }

  /* -- when a card comes and goes -------------------------------------------------------------- */

  function hideCard() {
    clearTimeout(timer);
    card?.remove();
    cardLink?.removeAttribute("aria-describedby");
    card = cardLink = null;
  }
  function hideSoon() {
    clearTimeout(timer);
    timer = setTimeout(hideCard, CLOSE_DELAY);
  }
  const addressOf = (link) =>
    link.href.baseVal ? new URL(link.href.baseVal, location.href).href : link.href;
  /* Whether the card of a link is shown. */
  async function showCard(link) {
    const address = addressOf(link);
    const page = await fetchPage(address).catch(() => null);
    const preview = page && makePreview(page, address, link);
    if (!preview || cardLink !== link) return false;
    const properties = {
      className: "md-typeset kg-preview",
      id: "kg-preview",
      role: "region",
      "aria-label": "Preview",
    };
    card?.remove();
    card = make(
      "div",
      { ...properties, onpointerenter: () => clearTimeout(timer), onpointerleave: hideSoon },
      preview,
    );
    const close = { className: "kg-preview-close", "aria-label": "Close" };
    if (isTouch) card.prepend(makeButton("×", hideCard, close));
    document.body.append(card);
    link.setAttribute("aria-describedby", "kg-preview");
    placeCard(link);
    card.classList.toggle("kg-cut", card.scrollHeight > card.clientHeight);
    return true;
  }
  function showSoon(link, delay) {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (cardLink !== link) hideCard();
      cardLink = link;
      showCard(link);
    }, delay);
  }
  /* The link of an event that has a card; none where a reader is to guess the answer first. */
  function linkOf(event) {
    const link = event.target.closest?.("a:is(.kg-chip:not(.kg-chip-camp), .kg-cite)");
    return link && !link.closest(".kg-preview, .kg-guessing") ? link : null;
  }

  document.addEventListener("pointerover", (event) => {
    const link = event.pointerType === "mouse" && linkOf(event);
    if (link && link !== cardLink) showSoon(link, OPEN_DELAY);
    else if (link) clearTimeout(timer);
  });
  document.addEventListener("pointerout", (event) => {
    if (event.pointerType === "mouse" && linkOf(event)) hideSoon();
  });
  document.addEventListener("focusin", (event) => {
    const link = linkOf(event);
    if (link?.matches(":focus-visible")) showSoon(link, 0);
    else if (card && !card.contains(event.target)) hideCard();
  });
  document.addEventListener("keydown", ({ key }) => key === "Escape" && card && hideCard());
  document.addEventListener("pointerdown", (event) => {
    isTouch = event.pointerType === "touch";
    if (card && !card.contains(event.target) && linkOf(event) !== cardLink) hideCard();
  });
  /* A touch follows a link. Within running text the first shows the card, so that who reads stays there. */
  const IN_TEXT = ".kg-body .kg-cite, :is(.kg-essay, .kg-standfirst, .kg-body > p) a.kg-chip";
  async function onClick(event) {
    const link = linkOf(event);
    if (!link && card?.contains(event.target)) setTimeout(hideCard, 0);
    if (!link) return;
    const isFirstTouch = isTouch && link.matches(IN_TEXT) && cardLink !== link;
    hideCard();
    if (!isFirstTouch) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    cardLink = link;
    if (!(await showCard(link)) && cardLink === link) location.href = addressOf(link);
  }
  document.addEventListener("click", onClick, true);
  onPage(hideCard);

  /* -- replies --------------------------------------------------------------------------------- */

  /* The reasons on the page of a statement, but for the one that the reader comes from. */
  function listReplies(page, address) {
    const [here] = location.href.split("#");
    const isOther = (row) => {
      const link = row.querySelector("a.kg-chip");
      return link && new URL(link.getAttribute("href"), address).href !== here;
    };
    const rows = [...page.querySelectorAll(".kg-side-column .kg-tree > li")].filter(isOther);
    const items = rows.slice(0, MAX_REPLIES).map((row) => {
      const reply = copyOf(row.querySelector(".kg-arg") ?? row.querySelector("a"), address);
      for (const share of reply.querySelectorAll(".kg-note[title]")) share.remove();
      return make("li", { className: row.className }, reply);
    });
    const rest = rows.length - items.length;
    if (rest) items.push(make("li", {}, `${rest} more on `, make("a", { href: address }, "its page")));
    return make("ul", { className: "kg-tree" }, ...items);
  }
  async function expandReplies(event) {
    const link = event.target.closest?.("a.kg-replies");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const page = await fetchPage(link.href).catch(() => null);
    if (!page) {
      location.href = link.href;
      return;
    }
    const summary = make("summary", {}, link.textContent);
    link.replaceWith(make("details", { open: true }, summary, listReplies(page, link.href.split("#")[0])));
    summary.focus();
  }
  document.addEventListener("click", expandReplies, true);
}
