/* The panel of a line in which readers weigh its answer themselves: first the studies that matter most, then the doubts
   of one tick. What a choice does alone is said once it is made (kg.css hides it until then). A tick on a name means
   "left out". What they chose stands in the address. Titles are text wherever they are shown. */
"use strict";
(() => {
  const { make } = window.kg;
  const { weigh, strengthInWords, heldStrength, placeOnScale } = window.kgWeigh;
  const STUDIES = 3, FIRST = 8, WAIT = 300, LEAST_MOVE = 1e-6, LEAST_SEEN = 0.005, START = "#weigh?";
  const OUT = "Leave out ", GONE = "already left out";
  /* The kinds of evidence that may count alone; in the address, what is left out then. */
  const FILTERS = { people: "not-people", read: "unread", reviewed: "unreviewed" };
  const SETTINGS = {
    gain: ["What one flawless study adds to the log-odds", 0.1, 3],
    repeat: ["What a further finding of the same source still counts", 0, 1],
    moderate: ["What a moderate reason weighs", 0, 1],
    weak: ["What a weak reason weighs", 0, 1],
    qualifies: ["What a limitation weighs", 0, 1],
  };
  const UNTRIED = "By the weights alone: the trials and other rules, on which the word depends too, are not tried here.";
  const BY_HAND = ["mute", "falls", "base", "settings"];
  const shown = (number) => number.toFixed(2);
  const within = (text, low, high) => (text.trim() && low <= Number(text) && Number(text) <= high ? Number(text) : null);

  /* -- what was chosen, and how it stands in an address --------------------------------------------- */

  const nothing = () => ({ mute: new Set(), falls: new Set(), only: new Set(), base: new Map(), settings: new Map(), since: 0 });
  const asScenario = ({ mute, falls, only, base, settings, since }) => ({ mute: [...mute], falls: [...falls], only: [...only], since, base: Object.fromEntries(base), settings: Object.fromEntries(settings) });
  const asAddress = ({ mute, falls, only, base, settings, since }) => {
    const words = new URLSearchParams();
    for (const [name, chosen] of Object.entries({ mute, falls })) for (const one of chosen) words.append(name, one);
    for (const one of only) words.append("without", FILTERS[one]);
    if (since) words.append("before", since);
    for (const [id, quality] of base) words.append("quality", `${quality} ${id}`);
    for (const [name, value] of settings) words.append(name, value);
    return `${words}` ? START + words : location.pathname + location.search;
  };
  const fromAddress = ({ statements, works, years = [] }, address = location.hash) => {
    const chosen = nothing();
    const known = { mute: statements.map(({ id }) => id), falls: works.map(({ key }) => key) };
    for (const [name, value] of new URLSearchParams(address.startsWith(START) ? address.slice(START.length) : "")) {
      const space = value.indexOf(" "), quality = name === "quality" ? within(value.slice(0, space), 0, 1) : null;
      if (Object.hasOwn(known, name) && known[name].includes(value)) chosen[name].add(value);
      else if (name === "without") Object.keys(FILTERS).filter((one) => FILTERS[one] === value).forEach((one) => chosen.only.add(one));
      else if (name === "before" && years.includes(Number(value))) chosen.since = Number(value);
      else if (quality !== null && known.mute.includes(value.slice(space + 1))) chosen.base.set(value.slice(space + 1), quality);
      else if (Object.hasOwn(SETTINGS, name) && within(value, ...SETTINGS[name].slice(1)) !== null) chosen.settings.set(name, Number(value));
    }
    return chosen;
  };

  /* -- controls -------------------------------------------------------------------------------------- */

  const button = (words, act) => {
    const made = make("button", { type: "button", className: "kg-button" }, words);
    made.addEventListener("click", act);
    return made;
  };
  /* What is ticked is left out, here by hand or by what stands under "What if". */
  const toggle = (named, isOut, act, counts) => {
    const input = make("input", { type: "checkbox", checked: isOut || !counts, disabled: !counts });
    const seen = make("span", {}, ...named);
    input.setAttribute("aria-label", OUT + seen.textContent.replace(OUT, ""));
    input.addEventListener("change", () => act(input.checked));
    return make("label", { className: "kg-weigh-switch" }, input, seen);
  };
  const slider = (words, value, low, high, act) => {
    const told = make("output", {}, shown(value));
    const input = make("input", { type: "range", min: String(low), max: String(high), step: "0.01", value: String(value) });
    input.addEventListener("input", () => {
      told.textContent = shown(Number(input.value));
      act(Number(input.value));
    });
    return make("label", { className: "kg-weigh-slider" }, make("span", {}, words), input, told);
  };
  /* What changes the answer most comes first: its word, then its number. */
  const byEffect = (one, other) => Boolean(other.word) - Boolean(one.word) || other.move - one.move;
  /* Of some rows those that are left out or, among the first, change something; and a button for the others. */
  const list = (title, rows, effect, isOut, of) => {
    const isShown = (row) => isOut(row) || (rows.indexOf(row) < FIRST && effect(row).says);
    const shown = rows.filter(isShown).sort((one, other) => byEffect(effect(one), effect(other)));
    const body = make("ul", { className: "kg-plain" }, ...shown.map(of));
    const more = rows.length > shown.length && button("Show the others, which change it less", () => {
      body.append(...rows.filter((row) => !shown.includes(row)).map(of));
      body.children[shown.length].querySelector("input").focus();
      more.remove();
    });
    return rows.length ? make("fieldset", {}, make("legend", {}, title), body, more || null) : null;
  };

  /* -- the scale ------------------------------------------------------------------------------------- */

  /* As graphics/dial.py draws it: a bar as far as the word reaches, and a line on to what the weights give. */
  const scale = (camps, placeOf) => {
    const bar = make("div", { className: "kg-weigh-scale", role: "img" }), ofCamp = new Map();
    const part = (name) => bar.appendChild(make("span", { className: name }));
    const [beyond, , answer, byWeights, was] = ["beyond", "half", "now", "by-weights", "before"].map((name) => part(`kg-weigh-${name}`));
    const put = (one, strength) => { one.hidden = strength === undefined; one.style.left = `${100 * placeOf(strength ?? 0)}%`; };
    const stretch = (one, from, to) => { put(one, Math.min(from, to)); one.style.width = `${100 * Math.abs(placeOf(to) - placeOf(from))}%`; };
    return ({ place, weights = place, before }, views, words) => {
      stretch(answer, 0.5, place);
      stretch(beyond, place, weights);
      put(byWeights, weights === place ? undefined : weights);
      stretch(was, 0.5, before ?? 0.5);
      was.hidden = before === undefined;
      for (const camp of Object.keys(views)) if (!ofCamp.has(camp)) ofCamp.set(camp, part(`kg-weigh-mark ${camps[camp]?.mark ?? "kg-mark kg-square kg-camp-none"}`));
      for (const [camp, mark] of ofCamp) put(mark, views[camp]);
      bar.setAttribute("aria-label", words);
      return bar;
    };
  };

  /* -- the panel -------------------------------------------------------------------------------------- */

  const start = (area, { weighing, pages, bylines, lost, reasons, doubts, sureness, why, heldBack, released, words, reach, steps, scaleWords, leastHeldBack, parts, camps, ends }) => {
    const { statements, works, settings, years = [] } = weighing, root = area.dataset.kgRoot;
    const before = weigh(weighing), draw = scale(camps, (strength) => placeOnScale(steps, strength)), sideOf = ({ word }) => words[word]?.[0] ?? 0, told = (strength) => strengthInWords(weighing, strength);
    const said = make("p", { className: "kg-weigh-now-words", role: "status" }), key = make("p", { className: "kg-dial-key" });
    const more = make("p", { className: "kg-small", role: "status" });
    const controls = make("div", { className: "kg-weigh-controls" }), copied = make("span", { className: "kg-small", role: "status" }), out = make("div", { className: "kg-weigh-out", role: "group", "aria-label": "Left out or changed" });
    /* The answers at the ends tell the sides. */
    const named = make("p", { className: "kg-ends" }, ...scaleWords.map((word) => make("span", {}, word.replace(/ not$/, ""))));
    const twoEnds = make("p", { className: "kg-two-ends" }, ...ends.map((end) => make("span", {}, end)));
    let chosen = fromAddress(weighing), timer = 0, frame = 0, listOut, last = asAddress(chosen);
    /* What was chosen before, the last on top: what came with the address can be taken back as well. */
    const past = last.startsWith(START) ? [""] : [];
    const keep = () => {
      const now = asAddress(chosen);
      if (now !== last) past.push(last);
      last = now;
    };

    const rankOf = (word) => Object.keys(reach).indexOf(word);
    const placeInNotes = heldStrength(reach, sideOf(before) ? sureness : "undecided", sideOf(before) || Math.sign(before.strength - 0.5), before.strength);
    /* How the reasons that the page counts fare, compared with the notes. */
    const FATES = ["lost", "weaker", "stronger"];
    const fateOf = (now, id, change = now.strengths[id] - before.strengths[id]) => FATES[!(Math.abs(now.moves[id]) > LEAST_MOVE) ? 0 : change <= -LEAST_SEEN ? 1 : change >= LEAST_SEEN ? 2 : 3];
    const fateOfReasons = (now) => Object.entries(reasons).map(([side, ids]) => {
      const counts = FATES.map((fate) => [ids.filter((id) => fateOf(now, id) === fate).length, fate]).filter(([count]) => count);
      return counts.length ? ` Reasons ${side} it (${ids.length}): ${counts.map((one) => one.join(" ")).join(", ")}.` : "";
    }).join("");
    const isByHand = () => BY_HAND.some((name) => chosen[name].size);
    const onlyFilter = () => {
      const filters = [...chosen.only, ...(chosen.since ? [`since ${chosen.since}`] : [])];
      return filters.length === 1 && !isByHand() ? filters[0] : "";
    };
    /* The program's word without one source, if just that is left out. */
    const wordWithoutOne = (now) => {
      const out = works.map(({ key }, at) => [lost[at], chosen.falls.has(key)]).filter(([, isOut]) => isOut).map(([one]) => one);
      const [without, , word, source] = out[0] ?? [], others = ["mute", "only", "base", "settings"];
      if (!source || chosen.since || others.some((name) => chosen[name].size) || out.some((one) => one[3] !== source)) return "";
      return Math.abs(without - now.strength) < LEAST_MOVE ? word : "";
    };
    /* Why the answer is surer, if what holds back its word is gone: its number does not say so. */
    const cause = (word) => (released && rankOf(word) > rankOf(sureness) ? `, ${released}` : "");
    /* Why it is no surer: what the program found, or else what the strength allows. */
    const limit = (word, cap, side, found, around) => {
      if (!side) return "";
      const next = Object.keys(reach)[rankOf(word) + 1], toward = `${ends[side > 0 ? 1 : 0]}. `;
      if (!word) return toward + UNTRIED;
      if (found) return around ? `${around[0]}${found}${around[1].replace("{}", word.split(",")[0])}` : `${toward}No surer, because ${found}.`;
      if (rankOf(word) < rankOf(cap)) return `${toward}By its strength “${cap}”, but trials or other methods of weighing keep it “${word}”.`;
      return toward + (next ? `No surer, because its strength is too low for “${next}”.` : "");
    };
    /* How a strength differs from that of the notes; the numbers are told on hovering. */
    const drift = (strength) => {
      const change = Math.abs(strength - 0.5) - Math.abs(before.strength - 0.5), size = Math.abs(change);
      return shown(strength) === shown(before.strength) ? "" : `, ${size < 0.05 ? "a little " : size < 0.15 ? "" : "much "}${change > 0 ? "stronger" : "weaker"}`;
    };
    const label = (camp) => camps[camp]?.label ?? { for: "Reasons for it", against: "Reasons against it" }[camp] ?? camp;
    const tell = () => {
      frame = 0;
      const address = asAddress(chosen), isChanged = address.startsWith(START);
      undo.disabled = !past.length && address === last;
      again.disabled = !isChanged;
      const now = weigh(weighing, asScenario(chosen));
      if (!now) {
        said.textContent = "Reasons go in circles too large to be followed on a page; kg whatif follows them.";
        return;
      }
      const side = sideOf(now), was = sideOf(before), stays = side === was, [, cap = "undecided", heldCap = cap] = words[now.word] ?? [];
      const same = !isChanged || (stays && shown(now.strength) === shown(before.strength));
      /* Trials and other rules are the program's: it tried each source alone, and the parts that one filter alone leaves. */
      const [wordOfPart, , found] = isChanged ? parts[onlyFilter()] ?? [] : [sureness, , why];
      const known = isChanged ? wordOfPart || wordWithoutOne(now) || (side ? "" : "undecided") : sureness;
      const lower = rankOf(cap) < rankOf(sureness);
      const sides = now.word === "contested" ? ", weight on both sides" : "", most = known || `at most ${cap}`;
      const becomes = !side ? (was ? "The answer becomes undecided" : "Still undecided") + sides
        : !stays ? (was ? "The answer turns round: " : "Now decided: ") + most
        : known ? (known === sureness ? `${same ? "As in the notes" : "Still"}: ${known}` : `${known[0].toUpperCase()}${known.slice(1)} instead of ${sureness}${cause(known)}`)
        : lower ? `At most ${cap} instead of ${sureness}` : same ? "As strong as in the notes" : "It still stands";
      const reached = side ? known || (stays ? heldCap : cap) : "undecided";
      const inWords = reached.split(",")[0] + (side < 0 && !reached.includes(",") ? " not" : "");
      named.childNodes.forEach((one, at) => one.classList.toggle("kg-reached", scaleWords[at] === inWords));
      const place = heldStrength(reach, reached, side || Math.sign(now.strength - 0.5), now.strength);
      const weights = side && Math.abs(place - now.strength) >= leastHeldBack ? now.strength : undefined;
      const numbers = same ? `strength ${told(now.strength)}` : `strength ${told(before.strength)} → ${told(now.strength)}`;
      said.replaceChildren(make("strong", { title: numbers }, `${becomes}${side && stays ? drift(now.strength) : ""}.`));
      more.textContent = `${limit(known, cap, side, found, weights && heldBack)}${isChanged ? fateOfReasons(now) : ""}`;
      const marks = [weights && ["kg-key-weights", "by our usual weighing", told(weights)], isChanged && ["kg-key-before", "in the notes", told(before.strength)],
        ...Object.entries(now.camps).map(([camp, strength]) => [camps[camp]?.mark ?? "kg-mark kg-square kg-camp-none", `${label(camp)} alone`, shown(strength)])].filter(Boolean);
      key.replaceChildren(...marks.map(([className, words, number]) => make("span", { title: `strength ${number}` }, make("span", { className }), ` ${words}`)));
      draw({ place, weights, before: isChanged ? placeInNotes : undefined }, now.camps, [becomes, numbers, ...marks.map(([, ...words]) => words.join(" "))].join(", "));
    };
    const changed = () => {
      listOut();
      frame ||= requestAnimationFrame(tell);
      clearTimeout(timer);
      timer = setTimeout(() => { keep(); if (area.isConnected) history.replaceState(history.state, "", asAddress(chosen)); }, WAIT);
      copied.textContent = "";
    };
    const put = (set, name, on) => {
      set[on ? "add" : "delete"](name);
      changed();
    };
    const set = (map, name, value, usual) => {
      if (value === usual) map.delete(name);
      else map.set(name, value);
      changed();
    };

    const pull = (id) => Math.abs(before.moves[id] ?? 0);
    /* What leaving something out alone does to the answer of the notes: to its word, where that was tried, and to its number. */
    const effectOf = (left, word) => {
      const strength = left ?? before.strength, turns = (strength - 0.5) * (before.strength - 0.5) < 0 && word !== "undecided";
      const moved = shown(strength) === shown(before.strength) ? "" : `${told(before.strength)} → ${told(strength)}`;
      const becomes = word && (turns || word !== sureness) ? `on its own: ${turns ? "the other answer, " : ""}${word}${turns ? "" : cause(word)}` : "";
      return { word: becomes, move: Math.abs(strength - before.strength), moved, says: becomes || (moved && `on its own:${drift(strength).slice(1)}`) };
    };
    const effectOfWork = (at) => effectOf(lost[at]?.[0], lost[at]?.[2]), effectOfPart = (name) => effectOf(parts[name]?.[1], parts[name]?.[0]);
    const beside = ({ word, moved, says }, instead = "on its own it hardly moves the answer", ...more) => make("span", { className: "kg-weigh-alone", title: moved && `strength ${moved}` }, word ? make("strong", {}, word) : says || instead, ...more);
    /* Whether a finding that moves little alone is of a source that moves more: by its other findings. */
    const standsIn = ({ works: own = [], quality }) => quality !== undefined && own.some((at) => effectOfWork(at).says);
    const isSince = ({ year }, since) => !since || year >= since;
    const counts = (one) => [...chosen.only].every((name) => one[name]) && isSince(one, chosen.since);
    const cites = works.map((_, at) => statements.filter((one) => one.works?.includes(at)));
    const found = new Map();
    const without = (scenario) => {
      const name = JSON.stringify(scenario);
      if (!found.has(name)) found.set(name, weigh(weighing, scenario)?.strength);
      return found.get(name);
    };
    const build = () => {
      const sources = works.map((work, at) => ({ ...work, byline: bylines[at], at })).filter(({ title, fallen }) => title !== undefined && !fallen);
      /* Works that count as one source stand and fall together, in one row. */
      const teamOf = ({ byline, key, at }) => [byline || key, ...(lost[at]?.[1] ?? [])].sort().join("\n");
      const teams = [...new Map(sources.map((one) => [teamOf(one), sources.filter((other) => teamOf(other) === teamOf(one))])).values()];
      const effectOfTeam = ([{ at }]) => effectOfWork(at);
      teams.sort((one, other) => byEffect(effectOfTeam(one), effectOfTeam(other)));
      const asked = statements[weighing.asks].one ?? weighing.asks;
      const others = statements.map((one, at) => [one, at]).filter(([{ one }, at]) => (one ?? at) !== asked).sort(([a], [b]) => pull(b.id) - pull(a.id));
      const isTeamOut = (team) => team.some(({ key }) => chosen.falls.has(key));
      const named = (team) => team.map(({ byline, title }) => (byline ? `${byline}: ${title}` : title)).join("; ");
      const source = (team) => {
        const isIn = team.some(({ at }) => !cites[at].length || cites[at].some(counts));
        return make("li", {}, toggle([named(team)], isTeamOut(team), (on) => team.forEach(({ key }) => put(chosen.falls, key, on)), isIn),
          make("p", { className: "kg-small" }, isIn ? beside(effectOfTeam(team), undefined, lost[team[0].at]?.[4] ?? "") : GONE));
      };
      listOut = () => {
        const rows = teams.filter(isTeamOut).map((team) => [team.map(({ byline, title }) => byline || title).join("; "), () => team.forEach(({ key }) => chosen.falls.delete(key)), named(team)]);
        if (chosen.since) rows.push([`before ${chosen.since}`, () => { chosen.since = 0; }]);
        const nameOf = { only: (name) => doubts[name] ?? name, settings: (name) => SETTINGS[name][0] }, titleOf = (name) => statements.find(({ id }) => id === name).title;
        for (const kind of ["only", "mute", "base", "settings"]) for (const [name, value] of chosen[kind].entries()) rows.push([(value === name ? "" : `${shown(value)}: `) + (nameOf[kind] ?? titleOf)(name), () => chosen[kind].delete(name)]);
        out.replaceChildren(...rows.map(([words, putBack, title = words], at) =>
          Object.assign(button(`× ${words}`, () => { putBack(); build(); changed(); (out.children[at] ?? out.lastChild ?? undo).focus(); }), { title })));
      };
      const effectOfStatement = ([{ id }]) => effectOf(without({ mute: [id] }));
      const isStatementOut = ([{ id }]) => chosen.mute.has(id) || chosen.base.has(id);
      const statement = (row) => {
        const [one, at] = row, { id, title, quality } = one;
        const isIn = quality === undefined || counts(one), effect = !isIn ? GONE : beside(effectOfStatement(row), standsIn(one) ? "hardly moves it: another finding of its team or data takes its place" : undefined);
        const grade = quality !== undefined && slider("Quality", chosen.base.get(id) ?? quality, 0.01, 0.99, (value) => set(chosen.base, id, value, quality));
        /* What is left out has no quality to be changed. */
        const lock = (isOut) => { if (grade) grade.querySelector("input").disabled = isOut || !isIn; };
        lock(chosen.mute.has(id));
        return make("li", {}, toggle([title], chosen.mute.has(id), (on) => { lock(on); put(chosen.mute, id, on); }, isIn),
          make("p", { className: "kg-small" }, effect, " ", make("a", { href: root + pages[at], "data-kg": "statement", "aria-label": `Page: ${title}` }, "page")), grade || null);
      };
      const [evidence, claims] = [true, false].map((graded) => others.filter(([{ quality }]) => (quality !== undefined) === graded));
      /* What is chosen here bears on the other rows: they are made anew. */
      const anew = (selector) => { build(); changed(); controls.querySelector(selector).focus(); };
      const countOf = (isIn) => evidence.filter(([one]) => isIn(one)).length;
      const tick = (name, words, checked, act, effect) => {
        const input = make("input", { type: "checkbox", checked, "data-kind": name, "aria-label": OUT + words[0].toLowerCase() + words.slice(1) });
        input.addEventListener("change", () => { act(input.checked); anew(`[data-kind="${name}"]`); });
        return [effect, make("li", {}, make("label", { className: "kg-weigh-switch kg-weigh-only" }, input, make("span", {}, words)), make("p", { className: "kg-small" }, beside(effect)))];
      };
      const offers = Object.entries(doubts).map(([name, words]) => {
        const year = Number(name.split(" ")[1]), act = (on) => { if (year) chosen.since = on ? year : 0; else put(chosen.only, name, on); };
        return tick(name, words, year ? chosen.since === year : chosen.only.has(name), act, effectOfPart(name));
      });
      offers.sort(([one], [other]) => byEffect(one, other));
      const first = teams.filter((team) => effectOfTeam(team).says).slice(0, STUDIES);
      const offered = (title, rows) => (rows.length ? make("fieldset", {}, make("legend", {}, title), make("ul", { className: "kg-plain" }, ...rows)) : "");
      const select = make("select", { "aria-label": `${OUT}what was published before` }, ...[0, ...years].map((year) => {
        const out = evidence.length - countOf((one) => isSince(one, year));
        return make("option", { value: String(year), selected: year === chosen.since }, year ? `${year}: ${out} of ${evidence.length} findings` : "any year: nothing");
      }));
      select.addEventListener("change", () => { chosen.since = Number(select.value); anew("select"); });
      const ofYears = years.length ? make("label", { className: "kg-weigh-switch" }, make("span", {}, `${OUT}what was published before `), select) : null;
      const ofSources = list("Leave out other studies", teams.filter((team) => !first.includes(team)), effectOfTeam, isTeamOut, source);
      const changes = make("details", { open: chosen.settings.size > 0 }, make("summary", {}, "Other settings"),
        ...Object.entries(SETTINGS).map(([name, [words, low, high]]) => slider(words, chosen.settings.get(name) ?? settings[name], low, Math.max(high, settings[name]), (value) => set(chosen.settings, name, value, settings[name]))));
      const folded = make("details", { className: "kg-weigh-more", open: controls.querySelector(".kg-weigh-more")?.open ?? isByHand() }, make("summary", {}, "More: leave out other studies, findings or claims, and change settings"), ...[
        ofSources, ofYears, list("Leave out evidence, or grade it otherwise", evidence, effectOfStatement, isStatementOut, statement),
        list("Leave out other claims", claims, effectOfStatement, isStatementOut, statement), changes].filter(Boolean));
      controls.replaceChildren(offered("Leave out a study that matters much", first.map(source)), offered("Leave out a kind of evidence", offers.map(([, row]) => row)), folded);
    };
    const again = button("Undo all", () => {
      chosen = nothing();
      build();
      changed();
    });
    const undo = button("Undo", () => {
      keep();
      chosen = fromAddress(weighing, past.pop());
      last = asAddress(chosen);
      build();
      changed();
    });
    const copy = button("Copy link", async () => {
      history.replaceState(history.state, "", asAddress(chosen));
      try {
        await navigator.clipboard.writeText(location.href);
        copied.textContent = "Link copied.";
      } catch {
        copied.textContent = "Not copied: the link is the address of this page.";
      }
    });
    build();
    area.replaceChildren(make("div", { className: "kg-weigh-head" }, make("div", { className: "kg-weigh-result" }, said, undo), draw({ place: 0.5 }, {}, ""), named, twoEnds),
      more, make("p", { className: "kg-tools" }, make("a", { href: "#answer", className: "kg-button" }, "Back to the answer"), again, copy, copied), out, key, controls);
    listOut();
    tell();
  };

  window.kg.weighYourself = start;
})();
