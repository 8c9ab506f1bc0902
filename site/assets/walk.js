/* A walk through an answer: the best reason of each side and the best reply to it are counted one after the
   other, then all others, and a scale shows where those counted so far put it, by the weights alone; then what
   holds its word back, a guess to make, and what would change it. It needs the scripts of the scales, and the file of the line that they read. */
"use strict";
{
  const { make, makeButton } = window.kg;
  const { Scale, Words, groupNames, heldStrength, makeScaleWords, nodeOf, weigh, withoutLead } =
    window.kgWeigh;
  const WALKING = "kg-walking";
  const STAYS_ON_SIDE = ", on the same side";
  const LEAST_SEEN = 0.005; // a smaller move of the strength is not seen in two digits
  const lowerFirst = (words) => words.replace(/^.(?![A-Z])/, (first) => first.toLowerCase());
  const joinWithAnd = (names) => names.join(", ").replace(/, (?=[^,]*$)/, " and ");
  const MET = ", which we met as a reply and which also counts here as a reason of its own";
  const ONE_STUDY = /^(about )?one /;
  const NAMED = 5; // reasons of a step that are not folded
  const NAMED_WORKS = 2; // of each
  const countOf = (number) => (number === 1 ? "The other reason" : `The other ${number} reasons`);

  /* The numbers of the edges by which statements bear on `node`: those that bring it a reason. */
  const reasonsOf = (data, node) =>
    [...data.edges.keys()].filter((at) => {
      const { relation, origin, target, mutual } = data.edges[at];
      if (relation === "undercuts" || relation === "supersedes") return false;
      const [start, end] = [nodeOf(data, origin), nodeOf(data, target)];
      return relation === "depends-on" ? start === node : end === node || (mutual && start === node);
    });

  /* What of an answer is counted at a step, and what is said of it. */
  class Walk {
    constructor(box, content, root) {
      const data = content.weighing;
      Object.assign(this, { box, content, data, root });
      this.whole = weigh(data);
      this.words = new Words(content, this.whole);
      this.direct = reasonsOf(data, nodeOf(data, data.asks));
      this.start = { now: weigh(data, { cut: new Set(this.direct) }) };
      this.steps = this.listSteps();
    }

    /* -- the edges of what the box names ------------------------------------------------------- */

    /* The node of the statement that a link leads to; undefined if nothing weighed has its address. */
    nodeOfLink(link) {
      const at = this.content.pages.findIndex(
        (page) => link && new URL(this.root + page, location.href).href === link.href,
      );
      return at < 0 ? undefined : nodeOf(this.data, at);
    }

    edgesBetween(node, edges) {
      const { data } = this;
      const ends = ({ origin, target, together = [] }) =>
        [origin, target, ...together].map((one) => nodeOf(data, one));
      return edges.filter((at) => ends(data.edges[at]).includes(node));
    }

    /* By which a reply bears on a reason, or on the way from that to the answer. */
    edgesOfReply(reply, reason) {
      const { data } = this;
      const isUndercut = (at) => {
        const { relation, origin, target } = data.edges[at];
        return relation === "undercuts" && nodeOf(data, origin) === reply && reason.edges.includes(target);
      };
      const undercuts = [...data.edges.keys()].filter(isUndercut);
      return [...this.edgesBetween(reply, reasonsOf(data, reason.node)), ...undercuts];
    }

    /* -- the steps ----------------------------------------------------------------------------- */

    listSteps() {
      const steps = [];
      const [counted, roles] = [new Set(), new Map()];
      const addStep = (step, edges) => {
        for (const at of edges) counted.add(at);
        const cut = new Set([...this.direct, ...replies].filter((at) => !counted.has(at)));
        const now = weigh(this.data, { cut });
        const { now: before } = steps.at(-1) ?? this.start;
        steps.push({ ...step, now, effect: this.describeMove(before, now, counted.size) });
      };
      /* Whoever meets a statement twice is told why. */
      const addCase = (step, edges, node, role) => {
        const met = roles.get(node);
        const remark = `We met this as a ${met}${role === met ? " before" : `; here it counts as a ${role}`}.`;
        addStep(
          { ...step, parts: [...step.parts, met && make("p", { className: "kg-small" }, remark)] },
          edges,
        );
        if (node !== undefined) roles.set(node, role);
      };
      const cases = [...this.box.querySelectorAll(".kg-case:not(.kg-indirect)")].map((part) =>
        this.readCase(part),
      );
      const replies = cases.flatMap(({ replyEdges }) => replyEdges);
      for (const one of cases) {
        addCase(one.step, one.edges, one.node, "reason");
        if (one.replyEdges.length) addCase(one.replyStep, one.replyEdges, one.replyNode, "reply");
      }
      const others = this.stepOfOthers(cases);
      if (others) addStep(others, this.direct);
      const shown = steps.flatMap(({ parts }) => parts.map((part) => part?.textContent ?? "")).join("\n");
      return [...steps, ...this.stepsOfAnswer(shown)];
    }

    /* A reason of the box, and the best reply to it. */
    readCase(part) {
      const copy = (selector) => part.querySelector(selector)?.cloneNode(true);
      const node = this.nodeOfLink(part.querySelector("a.kg-chip"));
      const edges = this.edgesBetween(node, this.direct);
      const [reply, side] = [copy(".kg-reply"), part.querySelector(".kg-case-side").textContent];
      const replyNode = this.nodeOfLink(part.querySelector(".kg-reply a.kg-chip"));
      const replyEdges = reply ? this.edgesOfReply(replyNode, { node, edges }) : [];
      reply?.querySelector(".kg-label")?.remove();
      const [statement, study] = ["p:not([class])", ":scope > .kg-small"].map(copy);
      const why = copy("details > .kg-small");
      return {
        node,
        edges,
        replyNode,
        replyEdges,
        step: { name: side, parts: [statement, study, why] },
        replyStep: { name: "The best reply to that", parts: [reply] },
      };
    }

    /* The reasons that the box does not name, those for the answer first; null if there are none. */
    stepOfOthers(cases) {
      const { content, data } = this;
      const shown = cases.map(({ node }) => node);
      const replies = cases.map(({ replyNode }) => replyNode);
      const numberOf = (id) => data.statements.findIndex((one) => one.id === id);
      const nodesOf = (side) =>
        (content.reasons[side] ?? [])
          .map((id) => nodeOf(data, numberOf(id)))
          .filter((node) => !shown.includes(node));
      const ends = { for: content.ends[1], against: content.ends[0] };
      const order = this.whole.strength >= 0.5 ? ["for", "against"] : ["against", "for"];
      const sides = order.map((side) => [ends[side], nodesOf(side)]).filter(([, nodes]) => nodes.length);
      const count = sides.reduce((sum, [, nodes]) => sum + nodes.length, 0);
      if (!count) return null;
      const [[end]] = sides;
      const name = `${countOf(count)}${sides.length > 1 ? "" : ` for “${end}”`}`;
      const parts = sides.flatMap(([side, nodes]) => [
        sides.length > 1 && make("p", { className: "kg-case-side" }, `${nodes.length} for “${side}”`),
        ...this.listReasons(nodes, replies),
      ]);
      return { name, parts };
    }

    /* The heaviest of some reasons, and the rest in a fold. */
    listReasons(nodes, replies) {
      const { content, data, root } = this;
      const linkTo = (node) => make("a", { href: root + content.pages[node] }, data.statements[node].title);
      const makeItem = (node) => {
        const works = this.nameWorks(node);
        const small = works && make("span", { className: "kg-small" }, ` (${works})`);
        return make("li", {}, linkTo(node), small, replies.includes(node) && MET);
      };
      const makeList = (some) => make("ul", { className: "kg-walk-names" }, ...some.map(makeItem));
      const rest = nodes.slice(NAMED);
      const summary = make("summary", {}, `and ${rest.length} more, lighter`);
      return [
        makeList(nodes.slice(0, NAMED)),
        rest.length > 0 && make("details", {}, summary, makeList(rest)),
      ];
    }

    /* Authors and years of what a statement cites; of a claim, of the findings that support it directly. */
    nameWorks(node) {
      const { content, data } = this;
      const supports = reasonsOf(data, node).filter((at) => data.edges[at].relation === "supports");
      const origins = supports.map((at) => data.edges[at].origin);
      const worksOf = (one) => data.statements[one].works ?? [];
      const works = worksOf(node).length ? worksOf(node) : origins.flatMap(worksOf);
      const names = groupNames([...new Set(works.map((at) => content.bylines[at]).filter(Boolean))]);
      const others = names.length - NAMED_WORKS;
      return names.slice(0, NAMED_WORKS).join("; ") + (others > 0 ? ` and ${others} more` : "");
    }

    /* What comes after the reasons: why the word is no surer, a guess, and what would change it. */
    stepsOfAnswer(shown) {
      const { content, box, whole: now } = this;
      const settles = box.querySelector(".kg-settles")?.cloneNode(true);
      const loss = this.heaviestLoss(shown);
      const decides = settles && (this.describeFirmness(settles) ?? settles);
      const steps = [
        content.why && {
          name: `Why we say “${withoutLead(content.sureness)}”`,
          parts: [make("p", {}, this.describeLimit()), !loss && decides],
        },
        loss && { name: "Your turn", parts: [], loss, decides }, // which would give the guess away
        !loss && !content.why && decides && { name: "What decides it", parts: [decides] },
      ];
      const { sureness } = content;
      return steps.filter(Boolean).map((step) => ({ ...step, now, sureness }));
    }

    /* -- the words ----------------------------------------------------------------------------- */

    /* What the weights of what is counted make of the answer, `perhaps not reliably`; or what a sureness that is
       `known` does. */
    phraseOf({ word }, known) {
      const { ends, words } = this.content;
      const [side, surest = "undecided"] = words[word] ?? [];
      return side ? `${known ?? surest} ${lowerFirst(ends[side > 0 ? 1 : 0])}` : "undecided";
    }

    describeMove(before, now, count) {
      if (count === 1) return "By this reason alone.";
      const [old, phrase] = [before, now].map((one) => this.phraseOf(one));
      if (phrase !== old) return `Before: ${old}.`;
      const isMoved = Math.abs(now.strength - before.strength) >= LEAST_SEEN;
      const drift = isMoved && new Words(this.content, before).describeDrift(now.strength);
      return drift ? `${drift[0].toUpperCase()}${drift.slice(1)} than before.` : "That hardly moves it.";
    }

    describeLimit() {
      const { sureness, why } = this.content;
      const surest = this.phraseOf(this.whole);
      return surest.startsWith(sureness)
        ? `No surer than “${sureness}”, because ${why}.`
        : this.words.describeHeldBack(why, surest, sureness);
    }

    /* Where a word is held back: that the side is firm, as the box says. Null where it is not. */
    describeFirmness(settles) {
      const studies = settles.querySelector(".kg-term");
      const [, surest] = this.content.words[this.whole.word] ?? [];
      const isFirm = studies && this.box.querySelector(".kg-firm") && !ONE_STUDY.test(studies.textContent);
      if (!isFirm || !this.words.isSurer(surest)) return null;
      return make("p", {}, "The side is firm: it would take ", studies, " to undo it.");
    }

    /* -- a guess ------------------------------------------------------------------------------- */

    /* Of the independent sources whose loss alone was tried, the one that changes the answer most; one that
       the text of the walk has `shown`, if one of them changes it. */
    heaviestLoss(shown) {
      const { bylines, lost, weighing } = this.content;
      const tried = weighing.works
        .map(({ key, fallen }, at) => ({ key, fallen, at, effect: this.effectOf(lost[at]) }))
        .filter(({ at, fallen }) => !fallen && bylines[at] && lost[at]?.[2])
        .map((one) => ({ ...one, word: lost[one.at][2] }));
      const isShown = (at) => shown.includes(bylines[at]) || shown.includes(this.findingOf([at], shown));
      const rank = ({ at, effect }) =>
        (effect.change ? 2 * isShown(at) : -1) + effect.changesWord + effect.move;
      const first = tried.sort((one, other) => rank(other) - rank(one))[0];
      if (!first || !first.effect.change) return null;
      const group = tried.filter(({ at }) => lost[at][3] === lost[first.at][3]);
      const works = group.map(({ at }) => at);
      const finding = this.findingOf(works, shown);
      const itsWorks = this.data.statements.find(({ title }) => title === finding)?.works ?? works;
      const nameAll = (some) => groupNames(some.map((at) => bylines[at]));
      return {
        ...first,
        keys: group.map(({ key }) => key),
        names: nameAll(works.filter((at) => itsWorks.includes(at))),
        others: nameAll(works.filter((at) => !itsWorks.includes(at))),
        isMany: works.length > 1,
        finding,
      };
    }

    /* The title of what some works found that moves the answer most, of what was `shown` if some was, and of
       what speaks against the answer if their loss makes it surer. */
    findingOf(works, shown) {
      const found = this.data.statements.filter((one) => one.works?.some((at) => works.includes(at)));
      const side =
        (this.whole.strength - 0.5) * (this.effectOf(this.content.lost[works[0]]).isSurer ? -1 : 1);
      const moveOf = ({ id }) => (this.whole.moves[id] ?? 0) * Math.sign(side);
      const rank = (one) => 4 * shown.includes(one.title) + 2 * (moveOf(one) > 0) + Math.abs(moveOf(one));
      return found.sort((one, other) => rank(other) - rank(one))[0]?.title ?? "";
    }

    effectOf([strength, , word] = []) {
      return this.words.describeEffect(strength, word);
    }
  }

  /* -- showing --------------------------------------------------------------------------------- */

  class Panel {
    constructor(walk, onEnd) {
      Object.assign(this, { walk, onEnd, at: 0, scale: new Scale(walk.content) });
      this.name = make("strong");
      this.dots = make("span", { className: "kg-walk-dots", "aria-hidden": "true" });
      this.answer = make("p", { className: "kg-answer-words" });
      this.effect = make("p", { className: "kg-walk-effect", role: "status" });
      this.text = make("div", { className: "kg-walk-text", role: "status" });
      this.back = makeButton("Back", () => this.go(this.at - 1));
      this.next = makeButton("Next", () => this.go(this.at + 1));
      const buttons = make(
        "span",
        {},
        this.back,
        this.next,
        makeButton("×", () => this.end(), { "aria-label": "End" }),
      );
      const [words, ends] = makeScaleWords(walk.content);
      this.wordsOfScale = words;
      this.node = make(
        "div",
        { className: "kg-walk", role: "region", "aria-label": "Walk through the answer" },
        make("p", { className: "kg-walk-head" }, this.name, this.dots, buttons),
        this.answer,
        make("div", { className: "kg-walk-scale" }, this.scale.node, words, ends, this.effect),
        this.text,
      );
      this.node.onkeydown = (event) => this.press(event);
    }

    press(event) {
      const act = {
        ArrowRight: () => this.go(this.at + 1),
        ArrowLeft: () => this.go(this.at - 1),
        Escape: () => this.end(),
      }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    }

    go(to) {
      const { steps } = this.walk;
      if (to >= steps.length) return this.end();
      this.at = Math.max(0, to);
      const { name, parts, effect, loss, decides } = steps[this.at];
      this.name.textContent = `${this.at + 1} of ${steps.length} · ${name}`;
      this.dots.textContent = "●".repeat(this.at + 1) + "○".repeat(steps.length - this.at - 1);
      this.effect.textContent = effect ?? "";
      this.showAnswer(steps[this.at]);
      /* What is told of a guess has the focus, and goes. */
      if (this.text.contains(document.activeElement)) this.next.focus({ preventScroll: true });
      const question = loss && this.askForGuess(loss, decides);
      this.text.replaceChildren(...[...parts, question].filter(Boolean));
      this.showScale(steps[this.at], effect && (steps[this.at - 1] ?? this.walk.start));
      this.back.disabled = !this.at;
      this.next.textContent = this.at + 1 < steps.length ? "Next" : "Done";
    }

    /* What is counted so far makes of the answer; then the answer itself. */
    showAnswer({ now, sureness }) {
      const phrase = this.walk.phraseOf(now, sureness);
      this.answer.replaceChildren(sureness ? "All in all: " : "So far: ", make("strong", {}, phrase));
    }

    /* A loss that the reader is to guess the effect of; then what it does, in words and on the scale, and what
       `decides` the answer. */
    askForGuess(
      { effect: { changesWord, change, keepsSide }, word, keys, names, others, isMany, finding },
      decides,
    ) {
      const { content, data, whole } = this.walk;
      const area = make("div", { tabIndex: -1 });
      const [name, sureness] = [joinWithAnd(names), withoutLead(content.sureness)];
      const answer = changesWord
        ? `the answer becomes ${change.replace(word, `“${word}”`)}${keepsSide ? STAYS_ON_SIDE : ""}`
        : `we would still say “${sureness}”, ${change}`;
      const address = `#weigh?${new URLSearchParams(keys.map((key) => ["falls", key]))}`;
      const show = (guess) => {
        const start = guess === changesWord ? "Right: without" : "Not so: without";
        const link = make("a", { href: address }, "Try others on the scales");
        area.replaceChildren(
          ...[make("p", {}, `${start} ${isMany ? "them" : "it"}, ${answer}. `, link), decides].filter(
            Boolean,
          ),
        );
        area.focus({ preventScroll: true });
        const now = weigh(data, { falls: keys });
        this.showScale({ now, sureness: word }, { now: whole, sureness: content.sureness });
      };
      const buttons = [makeButton("Yes", () => show(false)), makeButton("No", () => show(true))];
      const what = finding ? `“${finding}”, from ` : "";
      const rest = others.length ? `, and what counts as the same source (${joinWithAnd(others)})` : "";
      const question = `Suppose we lost ${what}${name}${rest}. Would we still say “${sureness}”?`;
      area.append(make("p", {}, question), make("p", { className: "kg-tools" }, ...buttons));
      return area;
    }

    /* How far the bar of a step reaches: by the weights alone until all is counted; then as far as the answer's
       word. */
    reachOf({ now, sureness }) {
      const { content, words } = this.walk;
      const side = words.sideOf(now);
      const [, surest = "undecided"] = content.words[now.word] ?? [];
      const word = sureness ?? (side ? surest : "undecided");
      const direction = side || Math.sign(now.strength - 0.5);
      return { side, word, place: heldStrength(content.reach, word, direction, now.strength) };
    }

    /* Where the answer stands at a step, and where it stood `before`. */
    showScale(step, before) {
      const { now, sureness } = step;
      const { leastHeldBack, scaleWords } = this.walk.content;
      const { side, word, place } = this.reachOf(step);
      const weightsOf = (one) => {
        const isHeldBack =
          one.sureness && Math.abs(this.reachOf(one).place - one.now.strength) >= leastHeldBack;
        return isHeldBack ? one.now.strength : undefined;
      };
      const placeBefore = before && (weightsOf(before) ?? this.reachOf(before).place);
      const places = { place, byWeights: weightsOf(step), before: placeBefore };
      this.scale.show(places, {}, sureness ?? this.walk.phraseOf(now));
      const onScale = withoutLead(word) + (side < 0 && !word.includes(",") ? " not" : "");
      scaleWords.forEach((each, at) =>
        this.wordsOfScale.children[at].classList.toggle("kg-reached", each === onScale),
      );
    }

    end() {
      this.node.remove();
      this.onEnd();
    }
  }

  /* Shows a walk in the box of an answer, in place of what the box says; `onEnd` is called when it ends.
     What is returned can `end` it. */
  function walkThrough(box, content, root, onEnd) {
    if (!weigh(content.weighing)) throw new Error("its reasons go in circles too large for a page");
    const panel = new Panel(new Walk(box, content, root), () => {
      box.classList.remove(WALKING);
      onEnd();
    });
    panel.showScale(panel.walk.start);
    box.append(panel.node);
    box.classList.add(WALKING);
    panel.node.getBoundingClientRect(); // so the bar is seen to move from the middle
    panel.go(0);
    panel.next.focus({ preventScroll: true });
    box.scrollIntoView({ block: "nearest" });
    return panel;
  }

  window.kgWeigh.walkThrough = walkThrough;
}
