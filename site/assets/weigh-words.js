/* The words on the scales of an answer: what becomes of it, why it is no surer, what leaving something out
   does. They say no surer word than the program found (kg/publish/components/line/scales.py has what it tried). */
"use strict";
{
  const { heldStrength, strengthInWords } = window.kgWeigh;
  const LEAST_MOVE = 1e-6;
  const LEAST_SEEN = 0.005;
  const ADDED_UP = "For this choice the reasons are only added up";
  const UNTRIED =
    "Some checks may make the word less sure. They were run beforehand, for one source or one kind of evidence at a time.";
  const NOT_TESTED = " (not fully tested)";
  const NOT_WORKED_OUT = "not worked out for this choice";
  const UNDECIDED = {
    open: "Too little is left that speaks for or against it.",
    "evenly balanced": "Both sides weigh about the same then.",
    contested: "Reasons on both sides count then.",
  };
  const inDigits = (number) => number.toFixed(2);
  const isEqual = (one, other) => inDigits(one) === inDigits(other);
  const capitalize = (text) => text[0].toUpperCase() + text.slice(1);
  const withoutLead = (sureness) => sureness.split(",")[0]; // “undecided, leaning towards”

  /* Works by the same authors are named together: `Cheng et al. 2026a, 2026b`. */
  function groupNames(names) {
    const groups = new Map();
    for (const name of [...names].sort()) {
      const [, authors, year] = /^(.*) (\d{4}\w?)$/.exec(name) ?? [, name, ""];
      groups.set(authors, [...(groups.get(authors) ?? []), year]);
    }
    return [...groups].map(([authors, years]) => `${authors} ${years.join(", ")}`.trim());
  }

  class Words {
    /* `content` is what the file of the line holds, `before` the answer of the page. */
    constructor(content, before) {
      Object.assign(this, { content, before, wordsBySureness: Object.keys(content.reach) });
      const side = this.sideOf(before);
      const direction = side || Math.sign(before.strength - 0.5);
      const sureness = side ? content.sureness : "undecided";
      this.placeBefore = heldStrength(content.reach, sureness, direction, before.strength);
    }

    rankOf(word) {
      return this.wordsBySureness.indexOf(word);
    }

    /* Whether a word is surer than that of the page. */
    isSurer(word) {
      return this.rankOf(word) > this.rankOf(this.content.sureness);
    }

    /* 1 if the answer is yes, -1 if it is no, else 0. */
    sideOf({ word }) {
      return this.content.words[word]?.[0] ?? 0;
    }

    strengthInWords(strength) {
      return strengthInWords(this.content.weighing, strength);
    }

    /* From the strength on the page to another. */
    changeInWords(strength) {
      return `${this.strengthInWords(this.before.strength)} → ${this.strengthInWords(strength)}`;
    }

    /* How a strength differs from that on the page, if it does in two digits. */
    describeDrift(strength) {
      const before = this.before.strength;
      const change = Math.abs(strength - 0.5) - Math.abs(before - 0.5);
      if (isEqual(strength, before)) return "";
      const size = Math.abs(change) < 0.05 ? "a little " : Math.abs(change) < 0.15 ? "" : "much ";
      return size + (change > 0 ? "stronger" : "weaker");
    }

    /* Why the answer is surer, if what holds back its word is gone: its number does not say so. */
    describeRelease(word) {
      const { released } = this.content;
      return released && this.isSurer(word) ? `, ${released}` : "";
    }

    /* What a choice alone does to the answer of the page: to its word, where that was tried, and to its number. */
    describeEffect(strengthWithout, word, choice = "without this alone") {
      const before = this.before.strength;
      const strength = strengthWithout ?? before;
      const turns = (strength - 0.5) * (before - 0.5) < 0 && word !== "undecided";
      const isNewWord = word && (turns || word !== this.content.sureness);
      const newWord = turns ? `the other one, ${word}` : `${word}${this.describeRelease(word)}`;
      const drift = this.describeDrift(strength);
      const change = isNewWord ? newWord : drift;
      const says = turns ? "give the other answer, " : "say ";
      const inWords = isNewWord
        ? `we would ${says}“${word}”${turns ? "" : this.describeRelease(word)}`
        : `the answer is ${drift}`;
      return {
        changesWord: Boolean(isNewWord),
        isSurer: Math.abs(strength - 0.5) > Math.abs(before - 0.5),
        keepsSide: !turns && Boolean(word) && !word.startsWith("undecided"),
        move: Math.abs(strength - before),
        numbers: drift && `strength ${this.changeInWords(strength)}`,
        change,
        words: change && `${choice}, ${inWords}`,
      };
    }

    /* The program's word without one source, if just that is left out. */
    wordWithoutSource(now, choices) {
      const { lost, weighing } = this.content;
      const without = lost.filter((_, at) => choices.falls.has(weighing.works[at].key));
      const [strength, , word, source] = without[0] ?? [];
      if (!source || !choices.isOnly("falls") || without.some((one) => one[3] !== source)) return "";
      return Math.abs(strength - now.strength) < LEAST_MOVE ? word : "";
    }

    /* What is known of an answer. The program tried each source alone, and the parts that one or two filters
       leave; of what else is chosen only the surest word is known that the strength allows. An answer that is
       weaker than on the page is drawn no surer than there, though what held it back may be gone. */
    judge(now, choices) {
      const { sureness, why, parts, words } = this.content;
      const { isChanged } = choices;
      const side = this.sideOf(now);
      const staysOnSide = side === this.sideOf(this.before);
      const [, surest = "undecided"] = words[now.word] ?? [];
      const [wordOfPart, , reason] = isChanged ? (parts[choices.part] ?? []) : [sureness, 0, why];
      const word = wordOfPart || this.wordWithoutSource(now, choices) || (side ? "" : "undecided");
      const isSame = !isChanged || (staysOnSide && isEqual(now.strength, this.before.strength));
      const isOpen =
        side && !word && staysOnSide && !this.isStronger(now) && this.rankOf(surest) >= this.rankOf(sureness);
      const reached = side ? word || (isOpen ? sureness : surest) : "undecided";
      return { side, staysOnSide, surest, word, reason, isChanged, isSame, isOpen, reached };
    }

    isStronger({ strength }) {
      return (
        Math.abs(strength - 0.5) > Math.abs(this.before.strength - 0.5) &&
        !isEqual(strength, this.before.strength)
      );
    }

    /* Where the answer stands on the scale: held back by its word, by the weights alone, and on the page. */
    placesOf(now, { side, reached, isChanged }) {
      const { reach, leastHeldBack } = this.content;
      const direction = side || Math.sign(now.strength - 0.5);
      const place = heldStrength(reach, reached, direction, now.strength);
      const isHeldBack = side && Math.abs(place - now.strength) >= leastHeldBack;
      return {
        place,
        byWeights: isHeldBack ? now.strength : undefined,
        before: isChanged ? (isHeldBack ? this.before.strength : this.placeBefore) : undefined,
      };
    }

    /* What becomes of the answer, with all that is not known of it. Beside another word it says no more. */
    describeAnswer(now, judgement) {
      const { side, staysOnSide, surest, word, isOpen } = judgement;
      const { sureness } = this.content;
      const isNewWord = word && word !== sureness;
      /* Without the reasons left out, what held back the word may be gone, so a weaker answer may be surer. */
      if (isOpen) return `${this.nameRange(surest)}: ${NOT_WORKED_OUT}.`;
      const drift = side && staysOnSide && !isNewWord && this.describeDrift(now.strength);
      const caveat = side && !word ? NOT_TESTED : "";
      return `${this.nameAnswer(now, judgement)}${drift ? `, ${drift}` : ""}${caveat}.`;
    }

    /* The same as a part of a sentence. */
    describeInShort(now, judgement) {
      if (!judgement.side) return "undecided";
      const answer = this.describeAnswer(now, judgement).replace(/^(Still|As on this page): /, "still ");
      const words = answer.replace(": ", ", ").replace(/\.$/, "");
      return words[0].toLowerCase() + words.slice(1);
    }

    /* The same as a title, `Perhaps not reliably`, and what a `note` on it adds. */
    describeInTitle(now, { side, staysOnSide, surest, word, isOpen }) {
      if (!side) return { answer: "Undecided", note: "" };
      const end = this.content.ends[side > 0 ? 1 : 0];
      const drift = staysOnSide && !isOpen && (!word || word === this.content.sureness);
      const untested = isOpen ? NOT_WORKED_OUT : "not fully tested";
      const notes = [drift && this.describeDrift(now.strength), !word && untested].filter(Boolean);
      const range = isOpen ? this.nameRange(surest) : `At most ${surest}`;
      const answer = `${word ? capitalize(word) : range} ${end.replace(/^.(?![A-Z])/, (first) => first.toLowerCase())}`;
      return { answer, note: notes.map((one) => `, ${one}`).join("") };
    }

    /* `Perhaps or probably`: the words from that of the page to the surest that the strength allows. */
    nameRange(surest) {
      const first = Math.max(this.rankOf(this.content.sureness), 0);
      const words = this.wordsBySureness.slice(first, this.rankOf(surest) + 1).map(withoutLead);
      return words.length > 1
        ? capitalize(words.join(", ").replace(/, ([^,]*)$/, " or $1"))
        : `At most ${surest}`;
    }

    nameAnswer(now, { side, staysOnSide, surest, word, isSame }) {
      const { sureness } = this.content;
      const wasDecided = this.sideOf(this.before);
      if (!side) {
        const both = now.word === "contested" ? ", reasons on both sides" : "";
        return (wasDecided ? `Undecided instead of ${withoutLead(sureness)}` : "Still undecided") + both;
      }
      if (!staysOnSide) {
        return (wasDecided ? "The answer turns round: " : "Now decided: ") + (word || `at most ${surest}`);
      }
      if (word === sureness) return `${isSame ? "As on this page" : "Still"}: ${word}`;
      if (word) return `${capitalize(word)} instead of ${sureness}${this.describeRelease(word)}`;
      const before = this.rankOf(surest) < this.rankOf(sureness) ? ` instead of ${sureness}` : "";
      return `${isSame ? "As strong as on this page: at" : "At"} most ${surest}${before}`;
    }

    /* Why it is called only `word`, though by its strength alone it would be `surest`. */
    describeHeldBack(reason, surest, word) {
      const [start, end] = this.content.heldBack;
      return start.replace("{surest}", surest) + reason + end.replace("{sureness}", withoutLead(word));
    }

    /* Why it is no surer: what the program found, or else what the strength allows. */
    describeLimit({ strength }, { side, staysOnSide, surest, word, reason }, isHeldBack) {
      const { ends } = this.content;
      if (!side) return "";
      const answer = `${ends[side > 0 ? 1 : 0]}. `;
      if (!word) {
        const drift = (staysOnSide && this.describeDrift(strength)) || "";
        return `${answer}${ADDED_UP}${drift && `: ${drift} than on this page`}. ${UNTRIED}`;
      }
      if (reason && isHeldBack) return this.describeHeldBack(reason, surest, word);
      if (reason) return `${answer}No surer, because ${reason}.`;
      if (this.rankOf(word) < this.rankOf(surest)) {
        return this.describeHeldBack("other checks hold it back", surest, word);
      }
      const next = this.wordsBySureness[this.rankOf(word) + 1];
      return answer + (next ? `Not strong enough for “${next}”.` : "");
    }

    /* What was done, `leftOut` in words if some evidence was, and why the answer is called what it then is, `limit`
       in words if it is no surer than it could be. */
    describeChoice({ word: wordOfStrength }, { side, staysOnSide, word }, leftOut, limit) {
      const { ends, released } = this.content;
      const start = leftOut && `You left out ${leftOut}. `;
      if (!side) return `${start}${UNDECIDED[wordOfStrength] ?? UNDECIDED.open} So it is undecided.`;
      if (!released || !word || !staysOnSide || !this.isSurer(word))
        return start + limit.replace(`${ends[side > 0 ? 1 : 0]}. `, "");
      return `${start}${capitalize(released.replace(/^as /, ""))}, so it is “${word}”.`;
    }

    isLost({ moves }, id) {
      return !(Math.abs(moves[id]) > LEAST_MOVE);
    }

    /* How the reasons that the page counts fare, compared with the page. */
    describeReasons(now) {
      const ids = Object.values(this.content.reasons).flat();
      if (ids.every((id) => this.isLost(now, id))) return " No reason is left on either side.";
      const fateOf = (id) => {
        const change = now.strengths[id] - this.before.strengths[id];
        if (this.isLost(now, id)) return "lost";
        return change <= -LEAST_SEEN ? "weaker" : change >= LEAST_SEEN ? "stronger" : "";
      };
      const sentenceOf = ([side, ids]) => {
        const fates = ids.map(fateOf);
        const countOf = (fate) => fates.filter((one) => one === fate).length;
        const happened = ["lost", "weaker", "stronger"].filter(countOf);
        if (ids.length === 1) return happened.length ? ` The reason ${side} it is ${happened[0]}.` : "";
        const counts = happened.map(
          (fate) => `${countOf(fate)} ${countOf(fate) === 1 ? "is" : "are"} ${fate}`,
        );
        return counts.length ? ` Of ${ids.length} reasons ${side} it ${counts.join(", ")}.` : "";
      };
      return Object.entries(this.content.reasons).map(sentenceOf).join("");
    }

    labelOfCamp(camp) {
      const sides = { for: "Reasons for it", against: "Reasons against it" };
      return this.content.camps[camp]?.label ?? sides[camp] ?? camp;
    }
  }

  const nameOthers = (count) => `with ${count} more finding${count > 1 ? "s" : ""} by this team`;
  const nameWorks = (works) => groupNames(works.map(({ name }) => name)).join("; ");
  /* `“Studies of 2020” and 2 others`; empty if something else was changed. */
  function nameLeftOut(changes) {
    if (!changes.length || !changes.every(({ leftOut }) => leftOut)) return "";
    const [first, ...others] = changes.map(({ leftOut }) => leftOut);
    if (others.length < 2) return [first, ...others].join(" and ");
    return `${first} and ${others.length} others`;
  }

  Object.assign(window.kgWeigh, {
    groupNames,
    inDigits,
    LEAST_MOVE,
    nameLeftOut,
    nameOthers,
    nameWorks,
    withoutLead,
    Words,
  });
}
