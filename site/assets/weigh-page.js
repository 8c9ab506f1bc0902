/* What the choices of a reader on the scales make of the answer elsewhere on its page: in the box at the top,
   and beneath tables of the essay whose rows count in it (`data-kg-counted`). */
"use strict";
{
  const { make, makeButton } = window.kg;
  const { Choices, LEAST_MOVE, Scale, Words, groupNames, makeScaleWords, weigh, withoutLead } =
    window.kgWeigh;
  /* as in kg/text/plurals.py */
  const NUMBERS = "none one two three four five six seven eight nine ten eleven twelve".split(" ");
  const inWords = (number) => NUMBERS[number] ?? String(number);
  const tables = new WeakMap();

  /* Follows a link within the page. By its address the theme would bring the page anew, without what is
     chosen. */
  function goWithin(event, target, focus) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    target.scrollIntoView();
    focus.focus({ preventScroll: true });
  }

  /* -- in the box of the answer ------------------------------------------------------------------ */

  const BOX = ".kg-verdict:has(> .kg-glance)";
  const CHOSEN = "kg-with-choices"; // for which kg.css hides what the answer of the page alone says

  const OTHER_REASON = "kg-other-reason"; // of a side whose best reason is another with the choices
  const NONE_LEFT = "With your choices nothing counts directly here.";
  const COUNTED = ".kg-facts > li > .kg-term[href$='#what-is-counted']"; // how many sources count
  let usualCount = null; // the words after that, without choices

  function forgetInAnswer() {
    const box = document.querySelector(BOX);
    if (!box?.classList.contains(CHOSEN)) return;
    box.classList.remove(CHOSEN);
    const chosen = [...box.querySelectorAll(".kg-chosen")];
    if (chosen.some((one) => one.contains(document.activeElement))) box.focus({ preventScroll: true });
    for (const one of chosen) one.remove();
    for (const one of box.querySelectorAll(`.${OTHER_REASON}`)) one.classList.remove(OTHER_REASON);
    for (const one of partsKept(box)) one.style.minHeight = "";
    if (usualCount !== null) document.querySelector(COUNTED).nextSibling.data = usualCount;
    usualCount = null;
  }

  /* -- so that nothing beneath moves ---------------------------------------------------------------- */

  const LARGEST_GAP = 64; // in pixels; the box becomes less high before it has a larger one at its end
  let usualHeight = 0; // of the box
  const partsKept = (box) => [box, ...box.querySelectorAll(".kg-glance, .kg-dial-box, .kg-case")];
  function keepHeightOfBox(box) {
    box.style.minHeight = "";
    if (usualHeight - box.offsetHeight <= LARGEST_GAP) box.style.minHeight = `${usualHeight}px`;
  }
  /* With choices each part stays as high as it is. */
  function keepHeights(box) {
    usualHeight = box.getBoundingClientRect().height;
    const heights = partsKept(box).map((part) => [part, part.getBoundingClientRect().height]);
    for (const [part, height] of heights) part.style.minHeight = `${height}px`;
  }
  /* On phones the height of the window changes as one scrolls. */
  matchMedia("(orientation: portrait)").addEventListener("change", () => {
    const box = document.querySelector(BOX);
    usualHeight = 0;
    for (const one of box ? partsKept(box) : []) one.style.minHeight = "";
  });

  /* In the box, in place of the answer of the page, what it is with the reader's choices, `told` in words; where
     that could be weighed, also on the scale, and the best reasons that then count. */
  function tellInAnswer(panel, told, places, judgement, now = null) {
    const box = document.querySelector(BOX);
    const count = panel.changes.childElementCount;
    if (!box || !count) return forgetInAnswer();
    const parts = (panel.chosen ??= makeChosen(panel));
    const ours = panel.words.sideOf(panel.words.before) ? withoutLead(panel.content.sureness) : "undecided";
    parts.answer.textContent = told.answer;
    parts.link.textContent = `with your ${count > 1 ? `${count} choices` : "choice"}`;
    parts.link.href = panel.choices.toAddress();
    parts.note.textContent = `${told.note}; `;
    parts.ours.textContent = `ours: ${ours})`;
    parts.why.textContent = told.why ?? "";
    if (!box.classList.contains(CHOSEN)) {
      keepHeights(box);
      box.classList.add(CHOSEN);
      tellCountBefore();
    }
    if (!box.contains(parts.title)) {
      box.querySelector(".kg-glance").append(parts.title);
      box.querySelector(":scope > .kg-onward").before(parts.why);
    }
    for (const part of box.querySelectorAll(".kg-case")) tellBestReason(part, panel, now);
    if (now) {
      const drawing = box.querySelector(".kg-dial-box > svg");
      if (drawing && !box.contains(parts.drawing)) drawing.after(parts.drawing);
      parts.scale.show(places, now.camps, told.answer);
      panel.markReached(parts.scale, parts.words, judgement);
    } else parts.drawing.remove();
    keepHeightOfBox(box);
  }

  function makeChosen(panel) {
    const { area, content, undo } = panel;
    const scale = new Scale(content);
    const [words] = makeScaleWords(content);
    const onclick = (event) => goWithin(event, document.getElementById("weigh") ?? area, undo);
    const [answer, link, note, ours] = [make("strong"), make("a", { onclick }), make("span"), make("span")];
    const key = make("span", { className: "kg-key-before" });
    const remark = make("span", { className: "kg-small" }, "(", link, note, key, ours);
    const takeBack = makeButton("Undo", () => panel.takeBack(), { "aria-label": "Undo the last choice" });
    return {
      ...{ answer, link, note, ours, scale, words },
      title: make("p", { className: "kg-chosen kg-scripted" }, answer, remark, takeBack),
      why: make("p", { className: "kg-chosen kg-scripted" }),
      drawing: make("div", { className: "kg-chosen kg-scripted" }, scale.node, words),
    };
  }

  /* The number of sources was counted without choices. */
  function tellCountBefore() {
    const words = document.querySelector(COUNTED)?.nextSibling;
    if (!words) return;
    usualCount = words.data;
    words.data = " counted before your choice";
  }

  /* In a part of the box that has the best reason of a side, the one with the choices, if that is another; of a
     side that has none, that it tells of the page. */
  function tellBestReason(part, panel, now) {
    for (const one of part.querySelectorAll(".kg-chosen")) one.remove();
    const { content, root, words } = panel;
    const { statements } = content.weighing;
    const { href } = part.querySelector("a.kg-chip") ?? {};
    const shown =
      statements[content.pages.findIndex((page) => new URL(root + page, location.href).href === href)];
    const side = Math.sign(words.before.shares[shown?.id] ?? 0);
    const best = side && now ? bestOnSide(content.weighing, now, side) : shown;
    const isOther = Boolean(side && now) && best?.id !== shown.id;
    part.classList.toggle(OTHER_REASON, isOther);
    const chosen = "kg-chosen kg-scripted";
    if (!side) {
      const remark = make("span", { className: chosen }, " (before your choice)");
      part.querySelector(".kg-case-side")?.append(remark);
    } else if (isOther)
      part.append(
        ...(best ? makeReason(best, panel, now) : [NONE_LEFT]).map((words) =>
          make("p", { className: chosen }, words),
        ),
      );
  }

  /* The heaviest statement that counts directly on a side, 1 or -1, but no claim that merely denies what is asked
     if another does. */
  function bestOnSide(data, { shares }, side) {
    const { statements } = data;
    const isDenial = ({ at, quality }) => quality === undefined && deniesAsked(data, at);
    const onSide = statements
      .map((one, at) => ({ ...one, at }))
      .filter(({ id, one }) => one === undefined && (shares[id] ?? 0) * side > LEAST_MOVE)
      .sort(
        (one, other) =>
          isDenial(one) - isDenial(other) || Math.abs(shares[other.id]) - Math.abs(shares[one.id]),
      );
    return onSide[0];
  }

  /* As contradicting_claims in kg/corpus/reasons_for_and_against.py finds it. */
  const deniesAsked = ({ edges, asks }, at) =>
    edges.some(
      ({ relation, origin, target, strength, together }) =>
        relation === "contradicts" &&
        !strength &&
        !together &&
        [origin, target].includes(at) &&
        [origin, target].includes(asks),
    );

  function makeReason({ id, at, title, quality, camp, works = [] }, { content, root }, { shares }) {
    const campClass = content.camps[camp]?.mark.split(" ").at(-1) ?? "kg-camp-none";
    const className = `kg-chip ${campClass}${quality === undefined ? "" : " kg-hollow"}`;
    const names = groupNames(works.map((work) => content.bylines[work]).filter(Boolean));
    const adds = `adds ${Math.abs(shares[id]).toFixed(2)} with your choices`;
    return [
      make("a", { href: root + content.pages[at], className, "data-kg": "statement" }, title),
      make("span", { className: "kg-small" }, [...names, adds].join("; ")),
    ];
  }

  /* What stands beneath a table, and the boxes in its rows. */
  class CountedTable {
    constructor(foot, content) {
      const [sentence, gauge, button] = foot.children;
      Object.assign(this, { content, foot, sentence, button, usual: [...sentence.childNodes] });
      this.scale = new Scale(content);
      gauge.firstChild.replaceWith(this.scale.node);
      const data = content.weighing;
      this.statements = new Map(data.statements.map((one) => [one.id, one]));
      this.boxes = [...foot.previousElementSibling.querySelectorAll("[data-kg-findings]")].map((box) => ({
        box,
        ids: idsOf(box),
      }));
      const before = weigh(data);
      const words = new Words(content, before);
      this.places = words.placesOf(before, words.judge(before, new Choices()));
      /* Boxes stay as they are: somebody may have ticked one while this was loaded. */
      this.scale.show(this.places, {}, sentence.textContent);
    }

    reset() {
      this.show(new Choices(), "", this.places, true);
    }

    /* Whether a finding does not count for a reason other than its box. */
    isExcluded(id, choices) {
      const { works } = this.content.weighing;
      const { works: own = [], ...finding } = this.statements.get(id);
      return (
        !choices.counts(finding) || (own.length > 0 && own.every((at) => choices.falls.has(works[at].key)))
      );
    }

    /* `because 12 other findings also count`, where no row does and the answer stays. */
    nameOthers({ moves }) {
      const ids = new Set(this.boxes.flatMap((one) => one.ids));
      const { statements } = this.content.weighing;
      const others = statements.filter(
        ({ id, one, quality }) =>
          quality !== undefined && one === undefined && !ids.has(id) && Math.abs(moves[id]) > LEAST_MOVE,
      );
      const count =
        others.length === 1 ? "1 other finding also counts" : `${others.length} other findings also count`;
      return others.length ? `, because ${count}` : "";
    }

    show(choices, answer, places, isTested, now) {
      for (const { box, ids } of this.boxes) {
        box.disabled = ids.every((id) => this.isExcluded(id, choices));
        box.checked = !box.disabled && !ids.every((id) => choices.mute.has(id));
      }
      const others = now && !this.boxes.some(({ box }) => box.checked) && this.nameOthers(now);
      const words = choices.isChanged
        ? [this.nameCounted(choices), make("strong", {}, answer), document.createTextNode(others || "")]
        : this.usual;
      if (this.sentence.textContent !== words.map(({ textContent }) => textContent).join(""))
        this.sentence.replaceChildren(...words);
      this.button.classList.toggle("kg-offered", choices.isChanged);
      this.scale.node.classList.toggle("kg-untested", !isTested);
      if (places) this.scale.show(places, {}, this.sentence.textContent);
    }

    /* `With six of seven and your other choices: ` */
    nameCounted(choices) {
      const ids = new Set(this.boxes.flatMap((one) => one.ids));
      const isElsewhere = !choices.isOnly("mute") || [...choices.mute].some((id) => !ids.has(id));
      const [count, all] = [this.boxes.filter(({ box }) => box.checked).length, this.boxes.length];
      const every = all === 2 ? "both" : `all ${inWords(all)}`;
      const counted = count === all ? every : `${inWords(count)} of ${inWords(all)}`;
      const others = isElsewhere ? ` and your ${count === all ? "" : "other "}choices` : "";
      return document.createTextNode(`With ${counted}${others}: `);
    }
  }

  /* The ids of the findings in each row that has a box. */
  const idsOf = (box) => box.dataset.kgFindings.split("\n");
  const rowsOfTables = () => [...document.querySelectorAll("[data-kg-findings]")].map(idsOf);

  /* Draws the scales beneath the tables, if that is not done. */
  function fillTables(content) {
    return [...document.querySelectorAll("[data-kg-counted]")].map((foot) => {
      if (!tables.has(foot)) tables.set(foot, new CountedTable(foot, content));
      return tables.get(foot);
    });
  }

  function tellInTables({ choices, content }, answer, places, { word, staysOnSide } = {}, now = null) {
    for (const table of fillTables(content))
      table.show(choices, answer, places, Boolean(word), staysOnSide ? now : null);
  }

  /* When the scales are put away, all counts again. */
  function forgetChoices() {
    forgetInAnswer();
    for (const foot of document.querySelectorAll("[data-kg-counted]")) tables.get(foot)?.reset();
  }

  Object.assign(window.kgWeigh, {
    fillTables,
    forgetChoices,
    goWithin,
    rowsOfTables,
    tellInAnswer,
    tellInTables,
  });
}
