/* What the scales of an answer are made of: switches, sliders, lists of them, and the scale itself. */
"use strict";
{
  const { make, makeButton } = window.kg;
  const { inDigits, placeOnScale } = window.kgWeigh;
  const TINY = 1e-9; // of a strength: what rounding may make of a bound
  const SHOWN_AT_FIRST = 8;
  const NO_CAMP = "kg-mark kg-square kg-camp-none";

  /* What is ticked counts; what is not is left out, here by hand or, where it does not count, by a filter;
     `act` is told whether it is out. `label` is what is seen of its title, and `names` stand beneath. */
  function makeSwitch(title, isOut, act, counts, label = title, names = "") {
    const onchange = (event) => act(!event.target.checked);
    const properties = { type: "checkbox", checked: !isOut && counts, disabled: !counts, onchange };
    return make(
      "label",
      { className: "kg-weigh-switch" },
      make("input", { ...properties, "aria-label": `Count ${title}` }),
      make("span", {}, label, names && make("span", { className: "kg-small" }, names)),
    );
  }
  function makeSlider(label, value, low, high, act) {
    const output = make("output", {}, inDigits(value));
    const oninput = ({ target }) => {
      output.textContent = inDigits(Number(target.value));
      act(Number(target.value));
    };
    const bounds = { min: String(low), max: String(high), step: "0.01", value: String(value) };
    const input = make("input", { type: "range", ...bounds, oninput });
    return make("label", { className: "kg-weigh-slider" }, make("span", {}, label), input, output);
  }
  const makeSmall = (...content) => make("p", { className: "kg-small" }, ...content);
  /* kg.css hides it until the choice is made. */
  function makeEffect(
    { changesWord, words, numbers },
    otherwise = "without this alone, the answer hardly moves",
    ...more
  ) {
    const content = changesWord ? make("strong", {}, words) : words || otherwise;
    return make("span", { className: "kg-weigh-alone", title: numbers }, content, ...more);
  }

  /* What changes the answer most comes first: its word, then its number. */
  const byEffect = (one, other) => other.changesWord - one.changesWord || other.move - one.move;
  /* With no rows it is none; where filters leave out all rows, one line says so. */
  function makeFieldset(title, rows, { counts = () => true, makeRow = (row) => row, makeAllOut } = {}) {
    const content = rows.some(counts)
      ? make("ul", { className: "kg-plain" }, ...rows.map(makeRow))
      : makeAllOut?.();
    return rows.length ? make("fieldset", {}, make("legend", {}, title), content) : null;
  }
  /* Of some rows those that are left out or, among the first, change something; and a button for the
     others. */
  function makeFoldedFieldset(title, rows, { effectOf, isOut, makeRow, counts, makeAllOut }) {
    if (!rows.some(counts)) return makeFieldset(title, rows, { counts, makeAllOut });
    const isShown = (row, at) => isOut(row) || (at < SHOWN_AT_FIRST && effectOf(row).words);
    const shown = rows.filter(isShown).sort((one, other) => byEffect(effectOf(one), effectOf(other)));
    const others = rows.filter((row) => !shown.includes(row));
    const list = make("ul", { className: "kg-plain" }, ...shown.map(makeRow));
    const more = makeButton("Show the others, which change it less", () => {
      list.append(...others.map(makeRow));
      list.children[shown.length].querySelector("input").focus();
      more.remove();
    });
    return rows.length ? make("fieldset", {}, make("legend", {}, title), list, others.length && more) : null;
  }

  /* As kg/publish/graphics/dial.py draws it: a bar as far as the word reaches, and a line on to what the
     weights give. */
  class Scale {
    constructor({ camps, steps, isMirrored }) {
      Object.assign(this, { camps, steps, isMirrored, marks: new Map() });
      this.node = make("div", { className: "kg-weigh-scale", role: "img" });
      const addPart = (name) => this.node.appendChild(make("span", { className: `kg-weigh-${name}` }));
      [this.beyond, , this.answer, this.byWeights, this.before] = [
        "beyond",
        "half",
        "now",
        "by-weights",
        "before",
      ].map(addPart);
    }

    placeOf(strength) {
      const place = placeOnScale(this.steps, strength);
      return 100 * (this.isMirrored ? 1 - place : place);
    }

    put(part, strength) {
      part.hidden = strength === undefined;
      if (strength !== undefined) part.style.left = `${this.placeOf(strength)}%`;
    }

    stretch(part, from, to) {
      part.hidden = to === undefined;
      const [left, right] = [from, to ?? from].map((one) => this.placeOf(one)).sort((a, b) => a - b);
      Object.assign(part.style, { left: `${left}%`, width: `${right - left}%` });
    }

    /* Where the bar of an answer ends that its word holds back: in the middle of the word's part, as draw_dial in
       kg/publish/graphics/dial.py draws it. `place` is where that part ends. */
    middleBefore(place) {
      const distance = Math.abs(place - 0.5);
      const part = this.steps.findIndex(([bound]) => bound >= distance - TINY);
      const [[low], [high]] = [this.steps[Math.max(part - 1, 0)], this.steps[Math.max(part, 1)]];
      return 0.5 + (Math.sign(place - 0.5) * (low + high)) / 2;
    }

    classOf(camp) {
      return this.camps[camp]?.mark ?? NO_CAMP;
    }

    /* `place` is the strength that the word reaches, `byWeights` what it holds back, if it does, `before` what
       is compared with. */
    show({ place, byWeights, before }, strengthByCamp, label) {
      const end = byWeights === undefined ? place : this.middleBefore(place);
      this.stretch(this.answer, 0.5, end);
      this.stretch(this.beyond, end, byWeights ?? end);
      this.put(this.byWeights, byWeights);
      this.stretch(this.before, 0.5, before);
      for (const camp of Object.keys(strengthByCamp)) {
        if (this.marks.has(camp)) continue;
        const mark = make("span", { className: `kg-weigh-mark ${this.classOf(camp)}` });
        this.marks.set(camp, this.node.appendChild(mark));
      }
      for (const [camp, mark] of this.marks) this.put(mark, strengthByCamp[camp]);
      this.node.setAttribute("aria-label", label);
    }
  }

  /* The words beneath a scale, and the answers at its ends. */
  function makeScaleWords({ scaleWords, isMirrored, ends }) {
    const makeSpans = (className, texts) =>
      make("p", { className }, ...texts.map((text) => make("span", {}, text)));
    const words = scaleWords.map((word) => word.replace(/ not$/, ""));
    return [makeSpans("kg-ends", words), makeSpans("kg-two-ends", isMirrored ? [...ends].reverse() : ends)];
  }

  const controls = {
    Scale,
    byEffect,
    makeEffect,
    makeFieldset,
    makeFoldedFieldset,
    makeScaleWords,
    makeSlider,
    makeSmall,
    makeSwitch,
  };
  Object.assign(window.kgWeigh, controls);
}
