/* What a reader chose on the scales of an answer, as a scenario for weigh.js and in the address of the
   page. */
"use strict";
{
  const START = "#weigh?";
  const PARTS_JOINT = "+"; // as in kg/publish/context/site_answers.py
  /* The kinds of evidence that may count alone; in the address, what is left out then. */
  const FILTERS = { people: "not-people", read: "unread", reviewed: "unreviewed" };
  const SETTINGS = {
    gain: { label: "What one top-quality study adds to the log-odds", low: 0.1, high: 3 },
    repeat: { label: "What a further finding of the same source still counts", low: 0, high: 1 },
    moderate: { label: "What a moderate reason weighs", low: 0, high: 1 },
    weak: { label: "What a weak reason weighs", low: 0, high: 1 },
    qualifies: { label: "What a limitation weighs", low: 0, high: 1 },
  };
  /* The number in a text; NaN if it is not between the bounds. */
  function numberWithin(text, low, high) {
    const number = text.trim() ? Number(text) : NaN;
    return low <= number && number <= high ? number : NaN;
  }

  /* `mute` holds ids of statements and `falls` keys of works that are left out, `only` filters, `base`
     qualities by id, `settings` numbers by name; `since` is a year, or 0. */
  class Choices {
    together = []; // the findings that each row left out has, as readers left them out
    mute = new Set();
    falls = new Set();
    only = new Set();
    base = new Map();
    settings = new Map();
    since = 0;

    /* Of an address what the data know. */
    static fromAddress(weighing, address) {
      const choices = new Choices();
      const query = address.startsWith(START) ? address.slice(START.length) : "";
      for (const [name, value] of new URLSearchParams(query)) choices.add(weighing, name, value);
      return choices;
    }

    add({ statements, works, years = [] }, name, value) {
      const isStatement = (text) => statements.some(({ id }) => id === text);
      if (name === "mute" && isStatement(value)) this.mute.add(value);
      else if (name === "falls" && works.some(({ key }) => key === value)) this.falls.add(value);
      else if (name === "before" && years.includes(Number(value))) this.since = Number(value);
      else if (name === "without") {
        for (const filter of Object.keys(FILTERS)) if (FILTERS[filter] === value) this.only.add(filter);
      } else if (name === "quality") {
        const [, quality, id] = /^(\S*) (.*)$/s.exec(value) ?? [];
        if (isStatement(id) && numberWithin(quality, 0, 1) >= 0) this.base.set(id, Number(quality));
      } else if (Object.hasOwn(SETTINGS, name)) {
        const number = numberWithin(value, SETTINGS[name].low, SETTINGS[name].high);
        if (number >= 0) this.settings.set(name, number);
      }
    }

    toAddress() {
      const pairs = [
        ...[...this.mute].map((id) => ["mute", id]),
        ...[...this.falls].map((key) => ["falls", key]),
        ...[...this.only].map((filter) => ["without", FILTERS[filter]]),
        ...(this.since ? [["before", this.since]] : []),
        ...[...this.base].map(([id, quality]) => ["quality", `${quality} ${id}`]),
        ...this.settings,
      ];
      return pairs.length ? START + new URLSearchParams(pairs) : location.pathname + location.search;
    }

    toScenario() {
      const { mute, falls, only, base, settings, since } = this;
      const sets = { mute: [...mute], falls: [...falls], only: [...only] };
      return { ...sets, since, base: Object.fromEntries(base), settings: Object.fromEntries(settings) };
    }

    get isChanged() {
      return this.hasByHand || this.only.size + this.since > 0;
    }

    /* Whether something is chosen beside filters. */
    get hasByHand() {
      return this.mute.size + this.falls.size + this.base.size + this.settings.size > 0;
    }

    /* The name of the part of the evidence that is left, if by filters alone or without some findings alone;
       else empty. */
    get part() {
      if (this.isOnly("mute")) return `without ${[...this.mute].sort().join(PARTS_JOINT)}`;
      const filters = [...this.only, ...(this.since ? [`since ${this.since}`] : [])];
      return this.hasByHand ? "" : filters.sort().join(PARTS_JOINT);
    }

    /* Whether something is chosen, and only of what has this name. */
    isOnly(name) {
      const others = ["mute", "falls", "only", "base", "settings"].filter((other) => other !== name);
      return this[name].size > 0 && !this.since && others.every((other) => !this[other].size);
    }

    /* Whether a piece of evidence counts, by the filters. */
    counts(evidence) {
      return (
        [...this.only].every((filter) => evidence[filter]) && (!this.since || evidence.year >= this.since)
      );
    }

    /* Whether a work has a finding that counts, by the filters; or none that they know. */
    countsWork({ statements }, at) {
      const findings = statements.filter(({ works }) => works?.includes(at));
      return !findings.length || findings.some((one) => this.counts(one));
    }

    /* The filters in words: `“only findings from tests with people”`. */
    nameFilters(doubts) {
      const names = [...this.only, ...(this.since ? [`since ${this.since}`] : [])];
      const inWords = (name) => (doubts[name] ?? name).replace(/^./, (first) => first.toLowerCase());
      return names.map((name) => `“only ${inWords(name).replace(/ \(.*$/, "")}”`).join(" and ");
    }

    dropFilters() {
      this.only.clear();
      this.since = 0;
    }

    /* Leaves statements out by one act, or counts them again. */
    leaveOut(ids, isOut) {
      for (const id of ids) this.setMember("mute", id, isOut);
      if (isOut) this.together.push(ids);
    }

    /* The statements that are left out, those of one act together. Of what an address leaves out, that is not
       known: then what all stands in one of the `rows` of tables is taken for one, large ones first. */
    groupMuted(rows) {
      const left = new Set(this.mute);
      const takeOut = (groups) =>
        groups.filter((ids) => {
          const isOne = ids.every((id) => this.mute.has(id)) && ids.some((id) => left.has(id));
          if (isOne) for (const id of ids) left.delete(id);
          return isOne;
        });
      const chosen = takeOut(this.together);
      const inRows = takeOut([...rows].sort((one, other) => other.length - one.length));
      return [...chosen, ...inRows, ...[...left].map((id) => [id])];
    }

    setMember(name, member, isIn) {
      this[name][isIn ? "add" : "delete"](member);
    }

    setValue(name, key, value, usual) {
      if (value === usual) this[name].delete(key);
      else this[name].set(key, value);
    }
  }

  Object.assign(window.kgWeigh, { Choices, SETTINGS });
}
