/* The scales of an answer, on which readers weigh it themselves (`data-kg-weigh`): first the studies that
   matter most, then parts of the evidence. What a choice does alone is shown once it is made. It reads the
   file beside the page of the line, which kg/publish/components/line/scales.py writes. */
"use strict";
{
  const { make, makeButton } = window.kg;
  const { Choices, SETTINGS, Scale, Words, inDigits, nameOthers, nameWorks, weigh } = window.kgWeigh;
  const { forgetChoices, goWithin, nameLeftOut, rowsOfTables, tellInAnswer, tellInTables } = window.kgWeigh;
  const {
    byEffect,
    makeEffect,
    makeFieldset,
    makeFoldedFieldset,
    makeScaleWords,
    makeSlider,
    makeSmall,
    makeSwitch,
  } = window.kgWeigh;
  const FIRST_STUDIES = 3;
  const DELAY = 300; // milliseconds until what is chosen stands in the address
  const UNTICK = ": untick to leave out";
  const ONLY = "counting only these";
  const lowerFirst = (words) => words[0].toLowerCase() + words.slice(1);
  const TOO_LARGE = "Reasons go in circles too large to be followed on a page; kg whatif follows them.";
  const makeStatus = (className) => make("p", { className, role: "status" });

  class Panel {
    constructor(area, content) {
      const { weighing } = content;
      Object.assign(this, {
        area,
        content,
        root: area.dataset.kgRoot,
        timer: 0,
        frame: 0,
        withoutById: new Map(),
      });
      this.before = weigh(weighing);
      this.words = new Words(content, this.before);
      this.scale = new Scale(content);
      this.teams = this.listTeams();
      [this.evidence, this.claims] = this.listStatements();
      this.choices = Choices.fromAddress(weighing, location.hash);
      this.address = this.choices.toAddress();
      /* Addresses of what was chosen before; what came with the address can be taken back as well. */
      this.past = this.choices.isChanged ? [""] : [];
      this.makeParts();
      this.update();
    }

    /* -- what there is to choose from ---------------------------------------------------------- */

    /* Works that count as one source stand and fall together; those that matter most come first. */
    listTeams() {
      const { weighing, bylines, lost } = this.content;
      const teams = new Map();
      weighing.works.forEach(({ key, title, fallen }, at) => {
        if (title === undefined || fallen) return;
        const name = [bylines[at] || key, ...(lost[at]?.[1] ?? [])].sort().join("\n");
        if (!teams.has(name))
          teams.set(name, { works: [], effect: this.effectOfWork(at), remark: lost[at]?.[4] ?? "" });
        const byline = bylines[at];
        teams
          .get(name)
          .works.push({ key, at, name: byline || title, title: byline ? `${byline}: ${title}` : title });
      });
      return [...teams.values()].sort((one, other) => byEffect(one.effect, other.effect));
    }

    /* Evidence, and claims but for that in question, what moves the answer most first. */
    listStatements() {
      const { statements, asks } = this.content.weighing;
      const nodeOf = (at) => statements[at].one ?? at;
      const pull = ({ id }) => Math.abs(this.before.moves[id] ?? 0);
      const others = statements
        .map((statement, at) => ({ ...statement, page: this.content.pages[at], at }))
        .filter(({ at }) => nodeOf(at) !== nodeOf(asks))
        .sort((one, other) => pull(other) - pull(one));
      return [
        others.filter(({ quality }) => quality !== undefined),
        others.filter(({ quality }) => quality === undefined),
      ];
    }

    effectOfWork(at) {
      const [strength, , word] = this.content.lost[at] ?? [];
      return this.words.describeEffect(strength, word);
    }

    effectOfStatement(id) {
      if (!this.withoutById.has(id)) {
        const strength = weigh(this.content.weighing, { mute: [id] })?.strength;
        this.withoutById.set(id, this.words.describeEffect(strength));
      }
      return this.withoutById.get(id);
    }

    isTeamOut({ works }) {
      return works.some(({ key }) => this.choices.falls.has(key));
    }

    /* -- making -------------------------------------------------------------------------------- */

    makeParts() {
      this.headline = makeStatus("kg-weigh-now-words");
      this.details = makeStatus("kg-small");
      this.key = make("p", { className: "kg-dial-key" });
      this.controls = make("div", { className: "kg-weigh-controls" });
      const changes = { className: "kg-weigh-out", role: "group", "aria-label": "Your choices" };
      this.changes = make("div", changes);
      this.undo = makeButton("Undo", () => this.takeBack());
      this.undoAll = makeButton("Undo all", () => this.choose(new Choices()));
      const [wordsOfScale, ends] = makeScaleWords(this.content);
      this.wordsOfScale = wordsOfScale;
      const back = make("a", { href: "#answer", className: "kg-button" }, "Back to the answer");
      back.onclick = (event) => {
        const answer = document.getElementById("answer");
        goWithin(event, answer, answer);
      };
      const result = make("div", { className: "kg-weigh-result" }, this.headline, this.undo);
      const parts = [result, this.scale.node, this.wordsOfScale, ends];
      this.area.replaceChildren(
        make("div", { className: "kg-weigh-head" }, ...parts),
        this.details,
        make("p", { className: "kg-tools" }, back, this.undoAll),
        this.changes,
        this.key,
        this.controls,
      );
    }

    /* What is chosen bears on other rows, so all are made anew. */
    makeControls() {
      const first = this.teams.filter(({ effect }) => effect.words).slice(0, FIRST_STUDIES);
      const makeAllOut = () => this.makeAllOut();
      const studies = {
        makeAllOut,
        counts: (team) => this.countsTeam(team),
        effectOf: ({ effect }) => effect,
        isOut: (team) => this.isTeamOut(team),
        makeRow: (team) => this.makeTeamRow(team),
      };
      const statements = {
        makeAllOut,
        counts: (one) => this.countsStatement(one),
        effectOf: ({ id }) => this.effectOfStatement(id),
        isOut: ({ id }) => this.choices.mute.has(id) || this.choices.base.has(id),
        makeRow: (statement) => this.makeStatementRow(statement),
      };
      const open = this.controls.querySelector(".kg-weigh-more")?.open ?? this.choices.hasByHand;
      const summary = "More: other studies, findings and claims, and settings";
      const others = this.teams.filter((team) => !first.includes(team));
      const folded = make(
        "details",
        { className: "kg-weigh-more", open },
        make("summary", {}, summary),
        makeFoldedFieldset(`Other studies${UNTICK}`, others, studies),
        this.makeYears(),
        makeFoldedFieldset(`Evidence${UNTICK}, or grade it otherwise`, this.evidence, statements),
        makeFoldedFieldset(`Other claims${UNTICK}`, this.claims, statements),
        this.makeSettings(),
      );
      const studiesFirst = makeFieldset(`Studies that matter much${UNTICK}`, first, studies);
      const filters = makeFieldset("Count only…", this.makeFilters());
      this.controls.replaceChildren(
        ...[studiesFirst, this.makeFewestLosses(), filters, folded].filter(Boolean),
      );
    }

    /* Where no study alone changes the word, a button that leaves out the fewest found that undo the answer. */
    makeFewestLosses() {
      const { undoing, undoingCount } = this.content;
      if (!undoingCount || this.teams.some(({ effect }) => effect.changesWord)) return null;
      const leaveOut = () => {
        const choices = new Choices();
        for (const name of ["falls", "mute"]) for (const one of undoing[name]) choices[name].add(one);
        this.choose(choices);
      };
      const words = `No study tried changes the word alone. The fewest found that undo the answer are ${undoingCount} sources. `;
      return makeSmall(words, makeButton(`Leave out these ${undoingCount} together`, leaveOut));
    }

    /* What works found: the finding to which their effect is due, and how many more there are. */
    nameFindings({ works, effect }) {
      const found = this.evidence.filter((one) => works.some(({ at }) => one.works?.includes(at)));
      const isDue = ({ id }) => this.effectOfStatement(id).isSurer === effect.isSurer;
      const first = found.find(isDue) ?? found[0];
      return first && first.title + (found.length > 1 ? ` (and ${nameOthers(found.length - 1)})` : "");
    }

    countsTeam(team) {
      return team.works.some(({ at }) => this.choices.countsWork(this.content.weighing, at));
    }

    /* In place of rows that are all left out by filters. */
    makeAllOut() {
      const countAgain = () => {
        this.choices.dropFilters();
        this.rebuild("input");
      };
      return makeSmall(
        `All ${this.nameFilters()}. `,
        makeButton("Undo", countAgain, { "aria-label": "Undo this" }),
      );
    }

    nameFilters() {
      return `left out by ${this.choices.nameFilters(this.content.doubts)}`;
    }

    makeTeamRow(team) {
      const counts = this.countsTeam(team);
      const leaveOut = (isOut) => {
        for (const { key } of team.works) this.choices.setMember("falls", key, isOut);
        this.changed();
      };
      const title = team.works.map((work) => work.title).join("; ");
      const effect = counts ? makeEffect(team.effect, undefined, team.remark) : this.nameFilters();
      const finding = this.nameFindings(team);
      const shown = finding ? [finding, nameWorks(team.works)] : [title];
      const input = makeSwitch(title, this.isTeamOut(team), leaveOut, counts, ...shown);
      return make("li", { title }, input, makeSmall(effect));
    }

    countsStatement(statement) {
      return statement.quality === undefined || this.choices.counts(statement);
    }

    makeStatementRow(statement) {
      const { id, title, quality, page, works = [] } = statement;
      const { choices } = this;
      const isGraded = quality !== undefined;
      const counts = this.countsStatement(statement);
      const grade = (value) => this.change(() => choices.setValue("base", id, value, quality));
      const slider = isGraded && makeSlider("Quality", choices.base.get(id) ?? quality, 0.01, 0.99, grade);
      /* What is left out has no quality to be changed. */
      const lock = (isOut) => isGraded && (slider.querySelector("input").disabled = isOut || !counts);
      lock(choices.mute.has(id));
      const leaveOut = (isOut) => {
        lock(isOut);
        this.change(() => choices.leaveOut([id], isOut));
      };
      /* It may move little alone, and its source more, by its other findings. */
      const hasOthers = isGraded && works.some((at) => this.effectOfWork(at).words);
      const otherwise = hasOthers
        ? "hardly moves it: another finding of its team or data takes its place"
        : undefined;
      const effect = counts ? makeEffect(this.effectOfStatement(id), otherwise) : this.nameFilters();
      const properties = { href: this.root + page, "data-kg": "statement", "aria-label": `Page: ${title}` };
      return make(
        "li",
        {},
        makeSwitch(title, choices.mute.has(id), leaveOut, counts),
        makeSmall(effect, " ", make("a", properties, "page")),
        slider,
      );
    }

    makeFilters() {
      const { doubts, parts } = this.content;
      const rows = Object.entries(doubts).map(([name, label]) => {
        const year = Number(name.split(" ")[1]);
        const onchange = ({ target: { checked } }) => {
          if (year) this.choices.since = checked ? year : 0;
          else this.choices.setMember("only", name, checked);
          this.rebuild(`[data-kind="${name}"]`);
        };
        const checked = year ? this.choices.since === year : this.choices.only.has(name);
        const title = `Count only ${lowerFirst(label)}`;
        const input = make("input", {
          type: "checkbox",
          checked,
          "data-kind": name,
          "aria-label": title,
          onchange,
        });
        const tick = make(
          "label",
          { className: "kg-weigh-switch kg-weigh-only" },
          input,
          make("span", {}, label),
        );
        const [word, strength] = parts[name] ?? [];
        const effect = this.words.describeEffect(strength, word, ONLY);
        const small = makeSmall(makeEffect(effect, `${ONLY}, the answer hardly moves`));
        return { effect, item: make("li", {}, tick, small) };
      });
      return rows.sort((one, other) => byEffect(one.effect, other.effect)).map(({ item }) => item);
    }

    makeYears() {
      const { years = [] } = this.content.weighing;
      const label = "Leave out what was published before";
      const optionOf = (year) => {
        const count = this.evidence.filter((one) => year && !(one.year >= year)).length;
        const words = year ? `${year}: ${count} of ${this.evidence.length} findings` : "any year: nothing";
        return make("option", { value: String(year), selected: year === this.choices.since }, words);
      };
      const onchange = ({ target }) => {
        this.choices.since = Number(target.value);
        this.rebuild("select");
      };
      const select = make("select", { "aria-label": label, onchange }, ...[0, ...years].map(optionOf));
      return (
        years.length && make("label", { className: "kg-weigh-switch" }, make("span", {}, `${label} `), select)
      );
    }

    makeSettings() {
      const { choices } = this;
      const sliders = Object.entries(SETTINGS).map(([name, { label, low, high }]) => {
        const usual = this.content.weighing.settings[name];
        const act = (value) => this.change(() => choices.setValue("settings", name, value, usual));
        return makeSlider(label, choices.settings.get(name) ?? usual, low, Math.max(high, usual), act);
      });
      const open = choices.settings.size > 0;
      return make("details", { open }, make("summary", {}, "Other settings"), ...sliders);
    }

    /* Buttons that each put back one thing that is left out or changed. */
    listChanges() {
      const { choices, content } = this;
      const titleOf = (id) => content.weighing.statements.find((one) => one.id === id).title;
      const nameFirst = (ids) => `“${titleOf(ids[0])}”${ids.length > 1 ? ` and ${ids.length - 1} more` : ""}`;
      const changes = [
        ...this.teams
          .filter((team) => this.isTeamOut(team))
          .map(({ works }) => ({
            label: `without ${nameWorks(works)}`,
            leftOut: nameWorks(works),
            title: works.map(({ title }) => title).join("; "),
            putBack: () => works.forEach(({ key }) => choices.falls.delete(key)),
          })),
        ...(choices.since ? [{ label: `before ${choices.since}`, putBack: () => (choices.since = 0) }] : []),
        ...[...choices.only].map((name) => ({
          label: `only ${lowerFirst(content.doubts[name] ?? name)}`,
          putBack: () => choices.only.delete(name),
        })),
        ...choices.groupMuted(rowsOfTables()).map((ids) => ({
          label: `without ${nameFirst(ids)}`,
          leftOut: nameFirst(ids),
          title: ids.map(titleOf).join("; "),
          putBack: () => choices.leaveOut(ids, false),
        })),
        ...[...choices.base].map(([id, quality]) => ({
          label: `${inDigits(quality)}: ${titleOf(id)}`,
          putBack: () => choices.base.delete(id),
        })),
        ...[...choices.settings].map(([name, value]) => ({
          label: `${inDigits(value)}: ${SETTINGS[name].label}`,
          putBack: () => choices.settings.delete(name),
        })),
      ];
      this.leftOut = nameLeftOut(changes);
      const buttons = changes.map(({ label, title = label, putBack }, at) => {
        const act = () => {
          putBack();
          this.rebuild();
          (this.changes.children[at] ?? this.changes.lastChild ?? this.undo).focus();
        };
        return makeButton(`× ${label}`, act, { title });
      });
      this.changes.replaceChildren(...buttons);
    }

    /* -- what readers do ----------------------------------------------------------------------- */

    update() {
      this.makeControls();
      this.listChanges();
      this.showAnswer();
    }

    rebuild(focus) {
      this.makeControls();
      this.changed();
      if (focus) this.controls.querySelector(focus).focus();
    }

    choose(choices) {
      this.choices = choices;
      this.rebuild();
    }

    change(act) {
      act();
      this.changed();
    }

    changed() {
      this.listChanges();
      this.frame ||= requestAnimationFrame(() => this.showAnswer());
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.keepInAddress(), DELAY);
    }

    keepInAddress() {
      this.remember();
      if (this.area.isConnected) history.replaceState(history.state, "", this.address);
    }

    /* Leaves findings out, or counts them again. */
    leaveOut(ids, isOut) {
      this.choices.leaveOut(ids, isOut);
      this.rebuild();
      cancelAnimationFrame(this.frame);
      this.showAnswer(); // at once, as opening the scales ticks all boxes
    }

    remember() {
      const address = this.choices.toAddress();
      if (address !== this.address) this.past.push(this.address);
      this.address = address;
    }

    takeBack() {
      this.remember();
      const choices = Choices.fromAddress(this.content.weighing, this.past.pop());
      this.address = choices.toAddress();
      this.choose(choices);
    }

    close() {
      clearTimeout(this.timer);
      cancelAnimationFrame(this.frame);
      forgetChoices();
    }

    /* -- showing ------------------------------------------------------------------------------- */

    showAnswer() {
      const { choices, content, words } = this;
      this.frame = 0;
      this.undo.disabled = !this.past.length && choices.toAddress() === this.address;
      this.undoAll.disabled = !choices.isChanged;
      const now = weigh(content.weighing, choices.toScenario());
      if (!now) {
        this.headline.textContent = TOO_LARGE;
        tellInAnswer(this, { answer: TOO_LARGE, note: "" });
        tellInTables(this, lowerFirst(TOO_LARGE));
        return;
      }
      const judgement = words.judge(now, choices);
      const { isChanged, isSame } = judgement;
      const answer = words.describeAnswer(now, judgement);
      const strength = isSame ? words.strengthInWords(now.strength) : words.changeInWords(now.strength);
      const numbers = `strength ${strength}`;
      const places = words.placesOf(now, judgement);
      const inShort = words.describeInShort(now, judgement);
      const limit = words.describeLimit(now, judgement, places.byWeights !== undefined);
      const why = words.describeChoice(now, judgement, this.leftOut, limit);
      tellInAnswer(this, { ...words.describeInTitle(now, judgement), why }, places, judgement, now);
      tellInTables(this, inShort, places, judgement, now);
      const marks = this.listMarks(now, places, judgement);
      this.headline.replaceChildren(make("strong", { title: numbers }, answer));
      this.details.textContent = limit + (isChanged ? words.describeReasons(now) : "");
      this.markReached(this.scale, this.wordsOfScale, judgement);
      this.key.replaceChildren(
        ...marks.map(({ className, label, number }) =>
          make("span", { title: `strength ${number}` }, make("span", { className }), ` ${label}`),
        ),
      );
      const labels = marks.map(({ label, number }) => `${label} ${number}`);
      this.scale.show(places, now.camps, [answer, numbers, ...labels].join(" "));
    }

    /* A word that was not tested is not marked as the answer, nor its bar filled. */
    markReached(scale, wordsOfScale, { side, reached, word: tested }) {
      scale.node.classList.toggle("kg-untested", !tested);
      const word = reached.split(",")[0] + (side < 0 && !reached.includes(",") ? " not" : "");
      this.content.scaleWords.forEach((each, at) =>
        wordsOfScale.children[at].classList.toggle("kg-reached", each === word),
      );
      wordsOfScale.classList.toggle("kg-untested", !tested);
    }

    /* What is marked on the scale beside the answer. */
    listMarks(now, { byWeights }, { isChanged, word }) {
      const { words } = this;
      const camps = Object.entries(now.camps).map(([camp, strength]) => ({
        className: this.scale.classOf(camp),
        label: `${words.labelOfCamp(camp)} alone`,
        number: inDigits(strength),
      }));
      const markOf = (name, label, strength) => ({
        className: `kg-key-${name}`,
        label,
        number: words.strengthInWords(strength),
      });
      const marks = [
        !word && markOf("untested", "not fully tested", now.strength),
        byWeights !== undefined && markOf("weights", "the reasons added up", byWeights),
        isChanged && markOf("before", "as on this page", this.before.strength),
      ];
      return [...marks.filter(Boolean), ...camps];
    }
  }

  window.kgWeigh.showScales = (area, content) => new Panel(area, content);
}
