/* What the choices of a reader on the scales make of the answer elsewhere on its page: in the box at the top,
   and beneath tables of the essay whose rows count in it (`data-kg-counted`). */
"use strict";
{
  const { make } = window.kg;
  const { Choices, LEAST_MOVE, Scale, Words, weigh } = window.kgWeigh;
  const NUMBERS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
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

  /* In the box, what the answer is with the reader's choices; nothing without any. */
  function tellInAnswer({ area, changes, choices, undo }, answer) {
    const box = document.querySelector(".kg-verdict > .kg-glance");
    const count = changes.childElementCount;
    box?.querySelector(".kg-chosen")?.remove();
    if (!box || !count) return;
    const words = `With your ${count > 1 ? `${count} choices` : "choice"}: `;
    const onclick = (event) => goWithin(event, document.getElementById("weigh") ?? area, undo);
    const link = make("a", { href: choices.toAddress(), onclick }, answer);
    box
      .querySelector(".kg-answer-words")
      .after(make("p", { className: "kg-chosen kg-scripted" }, words, link));
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
      const count = others.length === 1 ? "one other finding also counts" : `${others.length} other findings also count`;
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
      const counted = count === all ? `all ${inWords(all)}` : `${inWords(count)} of ${inWords(all)}`;
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
    document.querySelector(".kg-verdict > .kg-glance .kg-chosen")?.remove();
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
