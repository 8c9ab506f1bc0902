/* The panel of a line in which readers weigh its answer themselves. A tick always means "left out".
   What they chose stands in the address. Titles are text wherever they are shown. */
"use strict";
(() => {
  const { make } = window.kg;
  const { weigh, strengthInWords, heldStrength } = window.kgWeigh;
  const FIRST = 8, WAIT = 300, LEAST_MOVE = 1e-6, START = "#weigh?";
  const OUT = "Leave out ";
  /* What is left out if only evidence of a kind is to count, in words and in the address. */
  const FILTERS = {
    read: ["evidence that was not seen in the paper or its abstract", "unread"],
    reviewed: ["evidence that is not peer reviewed", "unreviewed"],
    people: ["evidence that was not measured on people", "not-people"],
  };
  const SETTINGS = {
    gain: ["What one flawless study adds to the log-odds", 0.1, 3],
    repeat: ["What a further finding of the same source still counts", 0, 1],
    moderate: ["What a moderate reason weighs", 0, 1],
    weak: ["What a weak reason weighs", 0, 1],
    qualifies: ["What a limitation weighs", 0, 1],
  };
  const ALONE = "Beside each: where the answer of the notes would stand without it alone.";
  const UNTOLD = "What leaving out one source, finding or claim would do is told only while nothing is changed.";
  const shown = (number) => number.toFixed(2);
  const within = (text, low, high) => (text.trim() && low <= Number(text) && Number(text) <= high ? Number(text) : null);

  /* -- what was chosen, and how it stands in an address --------------------------------------------- */

  const nothing = () => ({ mute: new Set(), falls: new Set(), only: new Set(), base: new Map(), settings: new Map(), since: 0 });
  const asScenario = ({ mute, falls, only, base, settings, since }) => ({ mute: [...mute], falls: [...falls], only: [...only], since, base: Object.fromEntries(base), settings: Object.fromEntries(settings) });
  const asAddress = ({ mute, falls, only, base, settings, since }) => {
    const words = new URLSearchParams();
    for (const [name, chosen] of Object.entries({ mute, falls })) for (const one of chosen) words.append(name, one);
    for (const one of only) words.append("without", FILTERS[one][1]);
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
      else if (name === "without") Object.keys(FILTERS).filter((one) => FILTERS[one][1] === value).forEach((one) => chosen.only.add(one));
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
  const toggle = (words, isOut, act, counts = true) => {
    const input = make("input", { type: "checkbox", checked: isOut || !counts, disabled: !counts });
    input.setAttribute("aria-label", words.startsWith(OUT) ? words : OUT + words);
    input.addEventListener("change", () => act(input.checked));
    return make("label", { className: "kg-weigh-switch" }, input, make("span", {}, words, counts ? "" : " (left out above)"));
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
  /* The first of some rows, and a button for the others. */
  const list = (title, rows, of) => {
    const body = make("ul", { className: "kg-plain" }, ...rows.slice(0, FIRST).map(of));
    const more = rows.length > FIRST && button("Show the others, which weigh less", () => {
      body.append(...rows.slice(FIRST).map(of));
      body.children[FIRST].querySelector("input").focus();
      more.remove();
    });
    return rows.length ? make("fieldset", {}, make("legend", {}, title), body, more || null) : null;
  };

  /* -- the scale ------------------------------------------------------------------------------------- */

  const scale = (camps) => {
    const beyond = make("span", { className: "kg-weigh-beyond" });
    const bar = make("div", { className: "kg-weigh-scale", role: "img" }, beyond, make("span", { className: "kg-weigh-half" }));
    const mark = (className) => {
      const made = make("span", { className: `kg-weigh-mark ${className}`, hidden: true });
      bar.append(made);
      return (strength) => {
        made.hidden = strength === undefined;
        made.style.left = `${100 * (strength ?? 0)}%`;
      };
    };
    const marks = { byWeights: mark("kg-weigh-by-weights"), before: mark("kg-weigh-before"), now: mark("kg-weigh-now") };
    const ofCamp = new Map();
    return (places, views, words) => {
      for (const name of Object.keys(marks)) marks[name](places[name]);
      const { now = 0, byWeights = now } = places;
      beyond.style.left = `${100 * Math.min(now, byWeights)}%`;
      beyond.style.width = `${100 * Math.abs(now - byWeights)}%`;
      for (const camp of Object.keys(views)) if (!ofCamp.has(camp)) ofCamp.set(camp, mark(camps[camp]?.mark ?? "kg-mark kg-ring"));
      for (const [camp, move] of ofCamp) move(views[camp]);
      bar.setAttribute("aria-label", words);
      return bar;
    };
  };

  /* -- the panel -------------------------------------------------------------------------------------- */

  const start = (area, { weighing, pages, bylines, lost, sureness, words, reach, leastHeldBack, parts, camps, ends, answers }) => {
    const { statements, works, settings, years = [] } = weighing, root = area.dataset.kgRoot;
    const before = weigh(weighing), draw = scale(camps), sideOf = ({ word }) => words[word]?.[0] ?? 0, told = (strength) => strengthInWords(weighing, strength);
    const said = make("p", { className: "kg-weigh-now-words", role: "status" }), views = make("p", { className: "kg-small" });
    const untried = make("p", { className: "kg-small", hidden: true }, "By the weights alone: the trials and other rules, on which the word depends too, are not tried here.");
    const isHeldBack = (place, { strength }) => Math.abs(place - strength) >= leastHeldBack;
    const heldBefore = heldStrength(reach, sureness, sideOf(before), before.strength);
    const places = make("p", { className: "kg-small" });
    const byWeights = make("details", { className: "kg-small", hidden: true }, make("summary", {}, "Where the bar stands"), places);
    const controls = make("div", { className: "kg-weigh-controls" }), hint = make("p", { className: "kg-small" }), copied = make("span", { className: "kg-small", role: "status" });
    let chosen = fromAddress(weighing), timer = 0, frame = 0, follow = () => {}, last = asAddress(chosen);
    /* What was chosen before, the last on top: what came with the address can be taken back as well. */
    const past = last.startsWith(START) ? [""] : [];
    const keep = () => {
      const now = asAddress(chosen);
      if (now !== last) past.push(last);
      last = now;
      undo.disabled = !past.length;
    };

    const onlyFilter = () => {
      const filters = [...chosen.only, ...(chosen.since ? [`since ${chosen.since}`] : [])];
      return filters.length === 1 && !["mute", "falls", "base", "settings"].some((name) => chosen[name].size) ? filters[0] : "";
    };
    const wordOfFilter = () => parts[onlyFilter()]?.[0];
    /* The program's word without one source, if just that is left out. */
    const wordWithoutOne = (now) => {
      const out = works.map(({ key }, at) => [lost[at], chosen.falls.has(key)]).filter(([, isOut]) => isOut).map(([one]) => one);
      const [without, , word, source] = out[0] ?? [], others = ["mute", "only", "base", "settings"];
      if (!source || chosen.since || others.some((name) => chosen[name].size) || out.some((one) => one[3] !== source)) return "";
      return Math.abs(without - now.strength) < LEAST_MOVE ? word : "";
    };
    const label = (camp) => camps[camp]?.label ?? { for: "Reasons for it", against: "Reasons against it" }[camp] ?? camp;
    const tell = () => {
      frame = 0;
      follow();
      const isChanged = asAddress(chosen).startsWith(START);
      controls.classList.toggle("kg-weigh-changed", isChanged);
      hint.textContent = isChanged ? UNTOLD : ALONE;
      const now = weigh(weighing, asScenario(chosen));
      if (!now) {
        said.textContent = "Reasons go in circles too large to be followed on a page; kg whatif follows them.";
        return;
      }
      const side = sideOf(now), was = sideOf(before), stays = side === was, [, cap = "undecided", heldCap = cap] = words[now.word] ?? [];
      const same = !isChanged || (stays && shown(now.strength) === shown(before.strength));
      /* Trials and other rules are the program's: it tried each source alone, and the parts that one filter alone leaves. */
      const known = isChanged ? wordOfFilter() || wordWithoutOne(now) || (side ? "" : "undecided") : sureness;
      const lower = Object.keys(reach).indexOf(cap) < Object.keys(reach).indexOf(sureness);
      const sides = now.word === "contested" ? ", weight on both sides" : "", most = known || `at most ${cap}`;
      const becomes = !side ? (was ? "Now undecided" : "Still undecided") + sides
        : !stays ? (was ? "The answer turns round: " : "Now decided: ") + most
        : known ? (known === sureness ? `${same ? "As in the notes" : "Still"}: ${known}` : `${known[0].toUpperCase()}${known.slice(1)} instead of ${sureness}`)
        : lower ? `At most ${cap} instead of ${sureness}` : same ? "As strong as in the notes" : "Still on its side";
      const held = heldStrength(reach, known || (stays ? heldCap : cap), side, now.strength), isHeld = isHeldBack(held, now) || isHeldBack(heldBefore, before);
      const numbers = same ? `strength ${told(now.strength)}` : `strength ${told(before.strength)} → ${told(now.strength)}`;
      const place = (at, one) => (isHeldBack(at, one) ? `${shown(at)}, by the weights alone ${told(one.strength)}` : told(one.strength));
      /* An answer in full may quote what is left out here, so of a changed one only its end is shown. */
      said.replaceChildren(make("strong", {}, becomes), ` (${numbers}).`, side && answers[side] ? ` ${isChanged ? `${ends[side > 0 ? 1 : 0]}.` : answers[side]}` : "");
      untried.hidden = Boolean(known);
      views.textContent = Object.entries(now.camps).map(([camp, strength]) => `${label(camp)} alone ${shown(strength)}`).join(" · ");
      byWeights.hidden = !isHeld;
      places.textContent = `No farther than its word reaches: at ${place(held, now)}${same ? "" : `; in the notes at ${place(heldBefore, before)}`}. The fainter mark is the strength by the weights alone.`;
      draw({ before: heldBefore, now: held, byWeights: isHeld ? now.strength : undefined }, now.camps, `${becomes}, ${numbers}, ${views.textContent}`);
    };
    const changed = () => {
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

    const effectOf = (id) => Math.abs(before.moves[id] ?? 0);
    /* What the answer of the notes would lose without it, as the scale shows it. */
    const way = ([without, others = [], word], standsIn = false) => {
      const less = without === null || without === undefined ? 0 : Math.round(100 * before.strength) - Math.round(100 * without);
      const team = others.length ? ` and, of its team or data, ${others.join(", ")}:` : "";
      const other = word && word !== sureness ? `, “${word}”` : "";
      if (!less && other) return make("span", { className: "kg-weigh-alone" }, `without it${team} ${told(without)}${other} `);
      return make("span", { className: "kg-weigh-alone" }, less ? `speaks ${less > 0 ? "for" : "against"} it: without it${team} ${told(without)}${other} ` : standsIn ? "moves it by less than 0.01: another finding of its team or data takes its place " : "moves it by less than 0.01 ");
    };
    /* Whether a finding that moves little alone is of a source that moves more: by its other findings. */
    const hasOthers = ({ works: own = [], quality }) => quality !== undefined && own.some((at) => way(lost[at]).textContent.startsWith("speaks"));
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
      const moved = ([strength]) => Math.abs((strength ?? before.strength) - before.strength);
      const sources = works.map((work, at) => ({ ...work, byline: bylines[at], at })).filter(({ title, fallen }) => title !== undefined && !fallen);
      sources.sort((one, other) => moved(lost[other.at]) - moved(lost[one.at]));
      /* Works that count as one source stand and fall together, in one row. */
      const teamOf = ({ byline, key, at }) => [byline || key, ...(lost[at]?.[1] ?? [])].sort().join("\n");
      const teams = [...new Map(sources.map((one) => [teamOf(one), sources.filter((other) => teamOf(other) === teamOf(one))])).values()];
      const asked = statements[weighing.asks].one ?? weighing.asks;
      const others = statements.map((one, at) => [one, at]).filter(([{ one }, at]) => (one ?? at) !== asked).sort(([a], [b]) => effectOf(b.id) - effectOf(a.id));
      const source = (team) => make("li", {},
        toggle(team.map(({ byline, title }) => (byline ? `${byline}: ${title}` : title)).join("; "), team.some(({ key }) => chosen.falls.has(key)),
          (on) => team.forEach(({ key }) => put(chosen.falls, key, on)), team.some(({ at }) => cites[at].some(counts))), make("p", { className: "kg-small" }, way([lost[team[0].at]?.[0], [], lost[team[0].at]?.[2]])));
      const statement = ([one, at]) => {
        const { id, title, quality } = one;
        const beside = make("p", { className: "kg-small" }, way([without({ mute: [id] })], hasOthers(one)),
          make("a", { href: root + pages[at], "data-kg": "statement", "aria-label": `Page: ${title}` }, "page"));
        const grade = quality !== undefined && slider("Quality", chosen.base.get(id) ?? quality, 0.01, 0.99, (value) => set(chosen.base, id, value, quality));
        return make("li", {}, toggle(title, chosen.mute.has(id), (on) => put(chosen.mute, id, on), quality === undefined || counts(one)), beside, grade || null);
      };
      const [evidence, claims] = [true, false].map((graded) => others.filter(([{ quality }]) => (quality !== undefined) === graded));
      const [heaviest = []] = teams, isOut = () => heaviest.every(({ key }) => chosen.falls.has(key));
      const strongest = heaviest.length && toggle(`${OUT}the source that moves it most: ${heaviest.map(({ byline, title }) => byline || title).join("; ")}`, isOut(), (on) => {
        heaviest.forEach(({ key }) => put(chosen.falls, key, on));
        build();
        controls.querySelector("input").focus();
      });
      follow = () => { if (strongest) strongest.firstChild.checked = isOut(); };
      const published = () => {
        const select = make("select", {}, ...[0, ...years].map((year) => make("option", { value: String(year), selected: year === chosen.since },
          year ? `${year}: ${evidence.filter(([one]) => !isSince(one, year)).length} of ${evidence.length} findings` : "any year: nothing")));
        select.addEventListener("change", () => {
          chosen.since = Number(select.value);
          build();
          changed();
          controls.querySelector("select").focus();
        });
        return make("label", { className: "kg-weigh-switch" }, make("span", {}, `${OUT}what was published before `), select);
      };
      const then = (name) => (parts[name] ? `; then “${parts[name][0]}”, ${told(parts[name][1])}` : "");
      const filters = make("fieldset", {}, make("legend", {}, "What if"), strongest || null,
        ...Object.entries(FILTERS).map(([name, [words]]) => toggle(`${OUT}${words}: ${evidence.filter(([one]) => !one[name]).length} of ${evidence.length} findings${then(name)}`, chosen.only.has(name), (on) => {
          put(chosen.only, name, on);
          build();
          [...controls.querySelectorAll("fieldset:first-of-type input")].slice(-Object.keys(FILTERS).length)[Object.keys(FILTERS).indexOf(name)].focus();
        })), years.length ? published() : null);
      const changes = make("details", { open: chosen.settings.size > 0 }, make("summary", {}, "Other settings"),
        ...Object.entries(SETTINGS).map(([name, [words, low, high]]) => slider(words, chosen.settings.get(name) ?? settings[name], low, Math.max(high, settings[name]), (value) => set(chosen.settings, name, value, settings[name]))));
      controls.replaceChildren(...[filters, hint,
        list("Leave out sources; what moves it most comes first", teams, source),
        list("Leave out evidence, or grade it otherwise", evidence, statement), list("Leave out other claims", claims, statement), changes].filter(Boolean));
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
      undo.disabled = !past.length;
    });
    undo.disabled = !past.length;
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
    tell();
    const named = make("p", { className: "kg-ends" }, ...["surely not", "undecided", "surely"].map((end) => make("span", {}, end)));
    area.replaceChildren(make("p", { className: "kg-small" }, `How sure it is that this holds: ${statements[weighing.asks].title}`), make("div", { className: "kg-weigh-head" }, said, draw({ before: heldBefore }, {}, ""), named, views, byWeights, untried),
      make("p", { className: "kg-tools" }, undo, again, copy, copied), controls);
    tell();
  };

  window.kg.weighYourself = start;
})();
