// Search over the site's own index: small files, asked for when a reader begins to type.
// Works from a web server and from a disk alike. Texts are set as text, never as HTML.
(() => {
  "use strict";

  const ROOT = new URL("../", document.currentScript.src);
  const SHOWN = 8;
  const FEW = 3;
  const DIGITS = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
  const VALUE = Object.fromEntries([...DIGITS].map((digit, value) => [digit, value]));
  const EXPANSIONS = 24;
  const FILES_BELOW = 4;
  const TOPICS = 8;
  const NAMES_SHOWN = 4;
  const WORDS_AROUND = 28;
  const LONG_SENTENCE = 40;
  const LEAST = 0.01;
  const WEIGHED = 2 * SHOWN;
  const WEIGHED_NAMES = 4 * SHOWN;
  const SUPPORTING = 10;
  const COMMON = 1;
  const LOOKED_THROUGH = 64;
  const KIN = 0.6;
  const GUESSED = 0.5;
  const GUESSED_LETTERS = 6;
  const GUESSED_FROM = 7;
  const CLEARLY = 1.2;
  const BY_FAR = 4;
  const CALLED = 0.8;
  const FAINT = 0.2;
  const EXACT = 1.25;
  const PHRASE = 1.5;
  const LEADING = 0.5;
  const LINE = "Question";
  const GUIDE = "Guide";
  const SOURCE = "Source";
  const RECORD = 0.6;
  const TOPIC = "Topic";
  const NAME = "Name";
  const TERM = "Term";
  const ENTRIES = [TOPIC, NAME, TERM, SOURCE];
  const EVIDENCE = "Evidence";
  const FINDING = 0.5;
  const LONGEST = 64;
  const FACETS = ["kind", "camp", "topic"];
  const FAILED = "Search could not be loaded";

  // ---- the index's files ------------------------------------------------------------

  const waiting = new Map();

  // Each file of the index calls this with what it holds.
  window.kgSearch = (kind, name, content) => {
    const found = waiting.get(`${kind} ${name}`);
    if (!found) return;
    found.told = true;
    found.resolve(content);
  };

  function load(kind, name, file, version) {
    const key = `${kind} ${name}`;
    if (!waiting.has(key)) {
      const entry = {};
      entry.promise = new Promise((resolve, reject) => Object.assign(entry, { resolve, reject }));
      waiting.set(key, entry);
      const script = document.createElement("script");
      script.src = new URL(`search/${file}.js${version ? `?v=${version}` : ""}`, ROOT);
      script.onload = script.onerror = () => {
        script.remove();
        if (entry.told) return;
        if (waiting.get(key) === entry) waiting.delete(key);
        entry.reject(new Error(`cannot load ${script.src}`));
      };
      document.head.append(script);
    }
    return waiting.get(key).promise;
  }

  const loadIndex = () =>
    load("index", "", "index").then((index) => {
      index.held ??= new Set(index.files);
      return index;
    });

  const escaped = (name) =>
    name.replace(/[^A-Za-z0-9._-]/gu, (c) => `~${c.codePointAt(0).toString(16)}~`);
  const loadTerms = (index, name) => load("t", name, `t-${escaped(name)}`, index.version);
  const loadFacets = (index) => load("facets", "", "facets", index.version);

  function loadDocument(index, slot) {
    const number = [...slot].reduce((sum, digit) => sum * 64 + VALUE[digit], 0);
    const name = Math.floor(number / index.slotsInFile).toString(16);
    return load("d", name, `d-${name}`, index.version).then((documents) => {
      if (!documents[slot]) throw new Error("the index is of another build");
      return documents[slot];
    });
  }

  // ---- words, as kg/publish/build/search/stems.py knows them --------------------------------

  const STOP = new Set(
    ("a an and are as at be been but by can do for from had has have if in into is it its no not of " +
      "on or such than that the their then there these they this to was were will with").split(" "),
  );
  // Words that questions are put in: they find a page only where nothing else is asked for, and else count a little.
  const QUIET = new Set(
    ("about all also always am any anybody back because better cannot cant could did didn didnt does doesn doesnt doing don done " +
      "dont each either else even ever every get got he her here him his how isn isnt just less like made make makes many may me might more most must my need needed never one only other our " +
      "out own really said same say says she should so some somebody someone still them thing those too up us very want we well what " +
      "when where which while who whom whose why would you your " +
      "actually anyone anything aren couldn everybody everyone everything getting give gives given going hadn hasn haven kind let lets ll lot much nobody nothing often " +
      "re shouldn something sort take takes taking thing use used uses using usually ve wasn way weren won wont wouldn").split(" "),
  );
  const PERSONS = new Set("me my we us our you your he him his her them someone somebody anyone people".split(" "));
  // What a question asks to be mended, notes say is less or fewer.
  const REMEDIES = ["fix", "cure", "solve", "stop", "reduce", "prevent", "avoid", "mend", "less", "fewer", "lower"];
  const ASKING = /^(?:am|are|can|could|did|do|does|doesnt|dont|has|have|how|is|may|might|must|should|was|were|wh[aeioy]\p{L}*|will|would)$/u;
  const DEFINING = /^(?:what|who)/u;
  const C = "[^aeiou][^aeiouy]*";
  const V = "[aeiouy][aeiou]*";
  const SOME = new RegExp(`^(?:${C})?${V}${C}`);
  const ONE = new RegExp(`^(?:${C})?${V}${C}(?:${V})?$`);
  const MORE = new RegExp(`^(?:${C})?${V}${C}${V}${C}`);
  const VOWEL = new RegExp(`^(?:${C})?[aeiouy]`);
  const SHORT = new RegExp(`^${C}[aeiouy][^aeiouwxy]$`);
  const POLITICS = "politic"; // Porter's rules would give it the stem of politeness
  const DOUBLE = /([^aeioulsz])\1$/;
  const table = (text) =>
    text
      .split(" ")
      .map((pair) => pair.split(":"))
      .sort((a, b) => b[0].length - a[0].length);
  const STEP_2 = table(
    "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous " +
      "ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al " +
      "iviti:ive biliti:ble logi:log",
  );
  const STEP_3 = table("icate:ic ative: alize:al iciti:ic ical:ic ful: ness:");
  const STEP_4 = table(
    "al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ou: ism: ate: iti: ous: ive: ize:",
  );

  const fold = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const cut = (word) => (word.length > LONGEST ? [...word].slice(0, LONGEST).join("") : word);
  const words = (text) => (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).map(cut);
  const isTerm = (word) => !STOP.has(word) && !/^[a-z]$/.test(word);

  function replaceEnding(word, pairs, enough) {
    const pair = pairs.find(([ending]) => word.endsWith(ending));
    if (!pair) return word;
    const bare = word.slice(0, word.length - pair[0].length);
    return enough.test(bare) ? bare + pair[1] : word;
  }

  function withoutPast(word) {
    if (word.endsWith("eed")) return SOME.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
    const ending = ["ed", "ing"].find((e) => word.endsWith(e));
    if (!ending) return word;
    const bare = word.slice(0, word.length - ending.length);
    if (!VOWEL.test(bare)) return word;
    if (/(?:at|bl|iz)$/.test(bare)) return `${bare}e`;
    if (DOUBLE.test(bare)) return bare.slice(0, -1);
    return SHORT.test(bare) ? `${bare}e` : bare;
  }

  function stem(given) {
    if (given.length < 3 || !/^[a-z]+$/.test(given)) return given;
    if (given.startsWith(POLITICS)) return POLITICS;
    let word = given[0] === "y" ? `Y${given.slice(1)}` : given;
    if (/(?:sses|ies)$/.test(word)) word = word.slice(0, -2);
    else if (/s$/.test(word) && !/ss$/.test(word)) word = word.slice(0, -1);
    word = withoutPast(word);
    if (word.endsWith("y") && VOWEL.test(word.slice(0, -1))) word = `${word.slice(0, -1)}i`;
    word = replaceEnding(word, STEP_2, SOME);
    word = replaceEnding(word, STEP_3, SOME);
    if (/(?:sion|tion)$/.test(word)) word = MORE.test(word.slice(0, -3)) ? word.slice(0, -3) : word;
    else word = replaceEnding(word, STEP_4, MORE);
    if (word.endsWith("e")) {
      const bare = word.slice(0, -1);
      if (MORE.test(bare) || (ONE.test(bare) && !SHORT.test(bare))) word = bare;
    }
    if (word.endsWith("ll") && MORE.test(word)) word = word.slice(0, -1);
    return given[0] === "y" ? `y${word.slice(1)}` : word;
  }

  // What a word may end in that is still being typed, its last letter doubled perhaps.
  const ENDING = new RegExp(
    `^[b-df-hj-np-tvz]?(?:${"ability ably ance ations ement ence erly ers ibility ibly ical ingly ions iously isation ised ists ities ively ization izes ments ness"
      .split(" ")
      .map((ending) => [...ending].reduceRight((rest, letter) => `(?:${letter}${rest})?`, ""))
      .join("|")})$`,
  );

  // Words of one root, which no stem joins: sycophantic and sycophancy.
  function wordFamily(root) {
    const spelled = root.replace(/our(?=$|[^s])/g, "or").replace(/([iy])s(?=$|e|i|ation)/g, "$1z").replace(/sce(?=p)/g, "ske");
    let [last, word] = ["", stem(spelled)];
    while (last !== word) [last, word] = [word, stem(word).replace(/(?<=.{4})(?:ement|ment|ant|ist|ior|iz|i|e)$/, "")];
    return word.replace(/(?<=..[aeiou])s$/, "d");
  }

  // ---- asking -----------------------------------------------------------------------

  function fileOf(index, term) {
    if (index.held.has(`${term}$`)) return `${term}$`;
    for (let end = term.length; end >= 0; end--) {
      if (index.held.has(term.slice(0, end))) return term.slice(0, end);
    }
    return null;
  }

  const filesBelow = (index, start) =>
    index.files.filter((name) => name.startsWith(start) && name !== `${start}$`);

  // How many letters must change to turn `a` into `b`, neighbours swapped counting as one.
  function distance(a, b, limit) {
    if (Math.abs(a.length - b.length) > limit) return limit + 1;
    let before = [];
    let row = Array.from({ length: b.length + 1 }, (_, j) => j);
    for (let i = 1; i <= a.length; i++) {
      const next = [i];
      for (let j = 1; j <= b.length; j++) {
        const same = a[i - 1] === b[j - 1];
        next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (same ? 0 : 1));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
          next[j] = Math.min(next[j], before[j - 2] + 1);
        }
      }
      [before, row] = [row, next];
    }
    return row[b.length];
  }

  // Those that sound alike are one: `sycofancy` is meant for `sycophancy`.
  const soundKey = (word) => word.replaceAll("ph", "f");

  // Terms near to a word that no page holds; `open` words may go on, and an ending may be wrong,
  // which is less likely than a slip.
  function similar(word, terms, open, inQuestion) {
    const limit = word.length > (inQuestion ? 9 : 7) ? 2 : word.length > 4 ? 1 : 0;
    const scored = [];
    for (const term of limit ? terms : []) {
      const pairs = [];
      if (open) cuts(term, word, limit).forEach((cut) => pairs.push([word, cut]));
      // Of a short term too little is left to tell a slip from another word: `stochastic`, `stock`.
      const allowed = term.length > 7 ? limit : term.length > 5 ? Math.min(limit, 1) : 0;
      if (term.length > 4 && word.length - term.length < 7) {
        const slips = (cut) => distance(soundKey(cut), soundKey(term), limit);
        cuts(word, term, limit).filter((cut) => slips(cut) <= allowed).forEach((cut) => pairs.push([cut, term]));
      }
      const off = (a, b) => distance(soundKey(a), soundKey(b), limit);
      const far = Math.min(off(word, term), ...pairs.map(([a, b]) => off(a, b) + 0.5));
      if (far <= limit) scored.push([far, term]);
    }
    const nearest = Math.min(...scored.map(([far]) => far));
    return scored.filter(([far]) => far === nearest).map(([, term]) => term);
  }

  // Beginnings of `long` that are about as long as `short`.
  function cuts(long, short, limit) {
    const lengths = Array.from({ length: 2 * limit + 1 }, (_, i) => short.length - limit + i);
    return lengths.filter((n) => n > 2 && n < long.length).map((n) => long.slice(0, n));
  }

  // The terms that a typed word stands for, with their postings and how much they count.
  async function expand(index, word, open, inQuestion = false) {
    const root = stem(word);
    const start = wordFamily(root).slice(0, Math.max(3, wordFamily(root).length - 2));
    const names = new Set([root, word, start].map((each) => fileOf(index, each)));
    filesBelow(index, start).slice(0, FILES_BELOW).forEach((name) => names.add(name));
    if (open) {
      const below = filesBelow(index, word);
      if (below.length <= FILES_BELOW || word.length > 2) below.slice(0, FILES_BELOW).forEach((n) => names.add(n));
    }
    names.delete(null);
    const shards = await Promise.all([...names].map((name) => loadTerms(index, name)));
    const postings = new Map(shards.flatMap((shard) => Object.entries(shard)));
    const found = new Map();
    const exact = postings.has(root);
    if (exact) found.set(root, 1);
    const family = wordFamily(root);
    for (const term of postings.keys()) if (wordFamily(term) === family && !found.has(term)) found.set(term, KIN);
    if (open && word.length > 1) {
      const goesOn = (term) => term.startsWith(word);
      const isLonger = (term) => term.length > 3 && word.startsWith(term) && ENDING.test(word.slice(term.length));
      commonest(postings, goesOn).forEach((term) => found.has(term) || found.set(term, 0.7));
      // Perhaps the ending that is being typed is none of the stem.
      if (!exact) commonest(postings, isLonger).forEach((term) => found.has(term) || found.set(term, 0.35));
    }
    const guessed = !found.size;
    if (guessed) {
      // A short word may be no slip: safe is not meant for same. A question has more words that pages lack.
      const least = inQuestion ? GUESSED_FROM : GUESSED_LETTERS;
      const isLong = word.length >= least;
      const isNear = (term) => term.length >= least - 1 && (term[0] === word[0] || word.length > 8);
      let near = isLong ? similar(root, postings.keys(), open, inQuestion).filter(isNear) : [];
      // It may be mistyped where it begins, too.
      if (isLong && !near.length && index.files.length <= LOOKED_THROUGH) {
        const all = await Promise.all(index.files.map((name) => loadTerms(index, name)));
        all.flatMap((shard) => Object.entries(shard)).forEach(([term, held]) => postings.set(term, held));
        near = similar(root, postings.keys(), open, inQuestion).filter(isNear);
      }
      // Turing is not meant for tuned.
      if (word.length < GUESSED_FROM) near = near.filter((term) => distance(soundKey(word), soundKey(term), 1) <= 1);
      const meant = new Set(near.map(wordFamily));
      for (const term of postings.keys()) if (meant.has(wordFamily(term))) found.set(term, GUESSED * KIN);
      near.forEach((term) => found.set(term, GUESSED));
    }
    const nearby = found.size ? [] : nearest(word, postings);
    const terms = [...found].map(([term, share]) => ({ term, share, postings: postings.get(term) }));
    return { word, exact, guessed, nearby, found: terms };
  }

  // What a word may be meant for, but is too far from it to be sought unasked.
  const nearest = (word, postings) =>
    [...postings]
      .map(([term, held]) => ({ word, off: distance(soundKey(word), soundKey(term), 2), held, terms: new Set([term]) }))
      .filter(({ off }) => off < 3 && off <= word.length / 3)
      .sort((a, b) => a.off - b.off)
      .slice(0, FEW);

  // A word that no page has, such as `gpt4`, may be written in two: `GPT-4`.
  async function expandOrSplit(index, { word, open, inQuestion }) {
    const whole = await expand(index, word, open, inQuestion);
    const [, letters, number] = whole.exact ? [] : (word.match(/^(\p{L}+)(\p{N}.*)$/u) ?? []);
    if (!letters) return [whole];
    const halves = await Promise.all([expand(index, letters, false), expand(index, number, false)]);
    return halves.every(({ exact }) => exact) ? halves : [whole];
  }

  // Where a name of the glossary differs from what was typed in one word alone, and little, that word is meant:
  // `theory of mnd`.
  function wordOfName(index, query, word) {
    const typed = words(query), limit = word.length > 5 ? 2 : 1;
    for (const name of index.names.flat().map(words)) {
      for (let start = 0; name.length > 1 && start + name.length <= typed.length; start++) {
        const off = name.filter((each, at) => stem(each) !== stem(typed[start + at]));
        const at = start + name.indexOf(off[0]);
        if (off.length === 1 && typed[at] === word && distance(word, off[0], limit) <= limit) return off[0];
      }
    }
    return null;
  }

  async function expandAsMeant(index, query, said) {
    const parts = await expandOrSplit(index, said);
    const meant = parts.length === 1 && !parts[0].exact && (parts[0].guessed || !parts[0].found.length) ? wordOfName(index, query, said.word) : null;
    return meant ? [{ ...(await expand(index, meant, false)), word: said.word, exact: false, guessed: true }] : parts;
  }

  // Whose mind is changed, or who is told, is the same to a name: change someone's mind, change my mind.
  const isNaming = (word) => isTerm(word) && !PERSONS.has(word);
  const families = (text) => words(text).filter(isNaming).map((word) => wordFamily(stem(word))).join(" ");
  const length = (name) => name.split(" ").length;

  // Of the names of one thing the longest that is asked for.
  const nameSaid = (called, asked) =>
    called.filter((name) => name && asked.includes(` ${name} `)).reduce((longest, name) => (longest && length(longest) >= length(name) ? longest : name), null);

  // What the words of a query are called besides, by the glossary, counts as these words.
  async function addNames(index, query, parts) {
    const asked = ` ${families(query)} `;
    for (const names of [...index.names, REMEDIES]) {
      const called = names.map(families);
      const said = nameSaid(called, asked);
      if (!said) continue;
      const own = new Set(said.split(" "));
      const others = names.filter((_, at) => called[at] !== said);
      const found = (await Promise.all(others.map((name) => phrase(index, name)))).filter(Boolean);
      for (const part of parts) if (own.has(wordFamily(stem(part.word)))) part.found.push(...found);
    }
  }

  // The pages that hold all words of a name, as if it were a term.
  async function phrase(index, name) {
    const held = await Promise.all(words(name).filter(isTerm).map((word) => expand(index, word, false)));
    if (!held.length || !held.every(({ exact }) => exact)) return null;
    const step = index.width + 1;
    const maps = held.map(({ found: [{ postings }] }) =>
      new Map(slotsOf(postings, step).map((each) => [each.slice(0, -1), each.at(-1)])));
    const slots = [...maps[0].keys()].filter((slot) => maps.every((map) => map.has(slot)));
    const least = (slot) => maps.map((map) => map.get(slot)).reduce((a, b) => (VALUE[a] < VALUE[b] ? a : b));
    return { name, term: held.map(({ found: [{ term }] }) => term).join(" "), share: CALLED, postings: slots.map((slot) => slot + least(slot)).join("") };
  }

  function commonest(postings, fits) {
    const found = [...postings.keys()].filter(fits);
    return found.sort((a, b) => postings.get(b).length - postings.get(a).length).slice(0, EXPANSIONS);
  }

  // BM25 with weights made at build time and rarity known here. No other form of a word is taken to be rarer.
  function score(index, parts, faint) {
    const step = index.width + 1;
    const scores = new Map();
    const rarity = (...all) => {
      const holding = all.length > 1 ? new Set(all.flatMap(({ postings }) => slotsOf(postings, step).map((each) => each.slice(0, -1)))).size : all[0].postings.length / step;
      return Math.log(1 + (index.count - holding + 0.5) / (holding + 0.5));
    };
    for (const part of parts) {
      const { found, exact, guessed } = part;
      const best = new Map();
      part.rare = rarity(...found);
      const most = exact ? rarity(...found.filter(({ share }) => share >= CALLED)) : Infinity;
      const tells = !guessed && most > COMMON;
      for (const each of found) {
        const rare = Math.min(most, rarity(each));
        for (let at = 0; at < each.postings.length; at += step) {
          const slot = each.postings.slice(at, at + step - 1);
          const worth = each.share * rare * (1 + VALUE[each.postings[at + step - 1]]);
          if (worth <= (best.get(slot)?.worth ?? 0)) continue;
          best.set(slot, { worth, rare, exact: best.get(slot)?.exact || Number(each.share === 1) });
        }
      }
      for (const [slot, { worth, rare, exact: asTyped }] of best) {
        const sum = scores.get(slot) ?? { slot, named: 0, held: 0, leads: 0, words: 0, exact: 0, told: 0, worth: 0, guessed };
        sum.words += Number(tells);
        sum.guessed ||= guessed;
        sum.exact += asTyped;
        sum.told += rare;
        sum.worth += worth;
        scores.set(slot, sum);
      }
    }
    for (const { found: [each] } of faint) {
      const rare = rarity(each);
      for (const posting of slotsOf(each.postings, step)) {
        const sum = scores.get(posting.slice(0, -1));
        if (sum) sum.worth += FAINT * rare * (1 + VALUE[posting.at(-1)]);
      }
    }
    return [...scores.values()];
  }

  const spaced = (text) => words(text).join(" ").replace(/(\p{L})(?=\p{N})/gu, "$1 ");

  // Of a query, names such as `GPT-4.5`: parts that a mark joins, one of them a number.
  const joined = (query) =>
    query.split(/\s+/).filter((part) => /[\p{L}\p{N}][-.][\p{N}]/u.test(part)).map(spaced);

  // The words that tell pages apart; where there are none, what is left.
  function significantWords(index, query) {
    const typed = words(query);
    const open = /[\p{L}\p{N}\p{M}]$/u.test(query);
    const inQuestion = ASKING.test(typed[0]);
    const said = typed.map((word, at) => ({ word, inQuestion, open: open && at === typed.length - 1 }));
    const terms = said.filter(({ word }) => isTerm(word));
    const asked = ` ${families(query)} `;
    const called = new Set(index.names.map((names) => nameSaid(names.map(families), asked)).filter(Boolean).flatMap((name) => name.split(" ")));
    const loud = terms.filter(({ word }) => !QUIET.has(word) || called.has(families(word)));
    return [loud, terms, said.filter(({ word, open: isOpen }) => isOpen && word.length > 1)].find(
      (found, at) => found.length || at === 2,
    );
  }

  // What half of the pages hold tells none apart (Robertson and Spärck Jones): it counts where nothing else does.
  function withoutCommonWords(index, parts) {
    const step = index.width + 1;
    const held = ({ found }) => new Set(found.filter(({ share }) => share >= CALLED).flatMap(({ postings }) => slotsOf(postings, step).map((each) => each.slice(0, -1))));
    const rest = parts.filter((part) => 2 * held(part).size < index.count);
    return rest.some(({ guessed }) => !guessed) ? rest : parts;
  }

  async function search(query) {
    const index = await loadIndex();
    const facets = ASKING.test(words(query)[0]) ? loadFacets(index).catch(() => ({})) : null;
    const said = significantWords(index, query);
    const parts = (await Promise.all(said.map((word) => expandAsMeant(index, query, word)))).flat();
    const quiet = words(query).filter((word) => isTerm(word) && QUIET.has(word) && !said.some((each) => each.word === word));
    const faint = (await Promise.all(quiet.map((word) => expand(index, word, false)))).filter(({ exact }) => exact);
    await addNames(index, query, parts);
    const known = withoutCommonWords(index, parts.filter(({ found }) => found.length));
    const hits = score(index, known, faint);
    const ranked = (facets ? linesFirst(index, hits, await facets, known) : fullestFirst(hits)).sort(byRank);
    // Of a question, what is far from the best matches only by what most pages hold.
    const least = facets ? LEADING * Math.max(...ranked.map(({ worth }) => worth)) : 0;
    for (const hit of ranked) hit.isNear = hit.worth >= least;
    const names = joined(query), weighed = names.length ? WEIGHED_NAMES : WEIGHED;
    /* A question may begin the title of a page about the site in words that tell no page apart. */
    const guides = new Set(slotsOf((await facets)?.kind?.[GUIDE] ?? "", index.width));
    const isWeighed = (hit, at) => at < weighed || guides.has(hit.slot);
    const best = await namedFirst(index, ranked.filter(isWeighed), parts, names, known, query, facets && !DEFINING.test(words(query)[0]));
    const all = [...best, ...ranked.filter((hit, at) => !isWeighed(hit, at))];
    const shown = nearestFirst(all).filter((hit, at) => at < FEW || hit.isNear || hit.named || hit.leads);
    const missing = parts.filter(({ found }) => !found.length).map(({ word }) => word);
    const question = facets || missing.length || names.length ? null : await questionAsked(index, shown, query, known);
    const slots = [...new Set([question, ...shown.map((hit) => hit.slot)].filter(Boolean))];
    // Nothing is asked yet: Do, or What is the; or no page has a word of what is asked.
    const silent = !slots.length && (words(query).length > 1 || !words(query).some(isTerm));
    return {
      index,
      hits: silent ? slotsOf((await (facets ?? loadFacets(index).catch(() => ({}))))?.kind?.[LINE] ?? "", index.width) : slots,
      silent,
      isAnswered: question || (facets && !missing.length && shown[0]?.titled >= LEADING),
      astray: Boolean(facets) && !best.some(({ titled, leads }) => titled || leads),
      known,
      marks: marksOf(known, names),
      guesses: known.filter(({ guessed }) => guessed).map((part) => ({ word: part.word, terms: new Set(termsOf(part)) })),
      missing,
      nearby: parts.flatMap((part) => part.nearby ?? []),
    };
  }

  // For words that are no question, the one the site asks whose title has all of them or whose topic they name.
  async function questionAsked(index, hits, query, known) {
    const { kind, topic } = await loadFacets(index).catch(() => ({}));
    const lines = new Set(slotsOf(kind?.[LINE] ?? "", index.width)), asked = families(query);
    const called = index.names.map((names) => names.map(families)).filter((names) => names.includes(asked)).flat();
    const isNamed = (name) => [asked, ...called].includes(families(name));
    const onTopic = new Set(Object.entries(topic ?? {}).filter(([name]) => isNamed(name)).flatMap(([, codes]) => slotsOf(codes, index.width)));
    const tells = known.some(({ rare }) => rare > COMMON) && !known.some(({ guessed }) => guessed);
    const found = await Promise.all(hits.filter(({ slot }) => tells && lines.has(slot)).map(async ({ slot, worth }) => {
      const said = new Set(words((await loadDocument(index, slot))[1].split("\n")[0]).map(stem));
      const isTitled = known.every((part) => part.found.some(({ term, share }) => share === 1 && said.has(term)));
      return (isTitled || onTopic.has(slot)) && { slot, worth: worth * (isTitled ? PHRASE : 1) };
    }));
    return found.filter(Boolean).sort((a, b) => b.worth - a.worth)[0]?.slot;
  }

  // What is set off in results: the words that were found, unless most pages hold them; of a name of several words,
  // such as `GPT-4.5`, the whole.
  function marksOf(known, names) {
    const within = new Set(names.flatMap((name) => name.split(" ")));
    const least = Math.min(COMMON, Math.max(...known.map(({ rare }) => rare)));
    const apart = known.filter(({ word, rare }) => rare >= least && !spaced(word).split(" ").every((part) => within.has(part)));
    const found = apart.flatMap((part) => part.found);
    const called = found.filter(({ term }) => term.includes(" ")).map(({ name }) => words(name).join(" "));
    const whole = [...names, ...called].map((name) => name.split(" ").join("[^\\p{L}\\p{N}]?"));
    return {
      terms: new Set(found.map(({ term }) => term)),
      names: whole.length ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${whole.join("|")})(?![\\p{L}\\p{N}]|[.-]\\p{N})`, "giu") : null,
    };
  }

  const termsOf = ({ found }) => found.flatMap(({ term }) => term.split(" "));
  const byRank = (a, b) =>
    b.named - a.named || b.held - a.held || b.leads - a.leads || b.words - a.words || b.exact - a.exact || b.worth - a.worth || (a.slot < b.slot ? -1 : 1);

  // Pages with as many of the words as any page has, and those that only hold what was guessed; where
  // these are few, also what holds most of what was asked.
  function fullestFirst(hits) {
    const most = Math.max(...hits.map((hit) => hit.words));
    const full = hits.filter((hit) => hit.words === most || (!hit.words && hit.guessed));
    const told = LEADING * Math.max(...hits.map((hit) => hit.told));
    return full.length < SHOWN ? hits.filter((hit) => full.includes(hit) || hit.told >= told) : full;
  }

  // A question is seldom put in the words of a note: what tells most of it counts. A line that holds half of it may
  // lead; it counts for more if claims that answer best are its own, or its topic is named; a source, for less.
  function linesFirst(index, hits, { kind, line, topic }, parts) {
    const lines = new Set(slotsOf(kind?.[LINE] ?? "", index.width));
    const guides = new Set(slotsOf(kind?.[GUIDE] ?? "", index.width));
    const sources = new Set(slotsOf(kind?.[SOURCE] ?? "", index.width));
    const singular = (word) => word.replace(/s$/, "");
    const asked = new Set(parts.map(({ word }) => singular(word)));
    for (const { term, share } of parts.flatMap(({ found }) => found)) if (share === CALLED) term.split(" ").forEach((each) => asked.add(each));
    const isAsked = (name) => words(name).filter(isTerm).every((word) => asked.has(singular(word)) || asked.has(stem(word)));
    const onTopic = new Set(Object.entries(topic ?? {}).filter(([name]) => isAsked(name)).flatMap(([, codes]) => slotsOf(codes, index.width)));
    const most = Math.max(...hits.map((hit) => hit.told));
    const answering = hits.filter(({ slot }) => !lines.has(slot)).sort((a, b) => b.worth - a.worth);
    const support = new Map();
    const membersOf = Object.values(line ?? {}).map((codes) => new Set(slotsOf(codes, index.width)));
    let left = SUPPORTING;
    for (const { slot, worth } of answering) {
      const holding = membersOf.filter((members) => members.has(slot));
      for (const members of holding) {
        const led = [...members].find((each) => lines.has(each));
        support.set(led, (support.get(led) ?? 0) + worth / holding.length);
      }
      if (holding.length && !--left) break;
    }
    const all = hits.map((hit) => {
      hit.support = support.get(hit.slot) ?? 0;
      hit.onTopic = onTopic.has(hit.slot);
      const worth = hit.worth + hit.support / SUPPORTING;
      if (sources.has(hit.slot)) return { ...hit, words: 0, exact: 0, worth: worth * RECORD };
      return { ...hit, words: 0, exact: 0, worth: hit.onTopic ? worth * PHRASE : worth };
    });
    for (const hit of all) hit.leads = Number(lines.has(hit.slot) && hit.told >= LEADING * most);
    const nearly = LEADING * Math.max(...all.map((hit) => hit.worth));
    for (const hit of all) if (guides.has(hit.slot) && hit.told >= most && hit.worth >= nearly) hit.leads = 2;
    return all;
  }

  // Of a question the line leads to which clearly most of what answers it belongs; by far most, where one of the first
  // pages is called by another name of what is asked; none, where one is called as is asked.
  function nearestFirst(hits) {
    const near = (hit) => hit.support * (1 + (hit.titled ?? 0));
    const [nearest, next] = hits.filter((hit) => hit.support).sort((a, b) => near(b) - near(a));
    const ahead = nearest ? near(nearest) / (next ? near(next) : 1) : 0;
    const first = hits.slice(0, 3);
    const isSaid = first.some((hit) => hit.called >= CALLED || hit.onTopic);
    if (ahead < (isSaid ? BY_FAR : CLEARLY) || hits.some((hit) => hit.named || hit.leads) || first.some((hit) => hit.asTyped)) return hits;
    return [nearest, ...hits.filter((hit) => hit !== nearest)];
  }

  // The index knows stems only; among the best pages, words count for more as they were typed, in their order, and in
  // a title, and pages that are called as was asked lead. What holds but parts of a name with numbers is left out. One
  // line leads, if its title holds most of a question; if no line has its rarest word, the glossary's entry does.
  async function namedFirst(index, hits, parts, names, known, query, wantsAnswer) {
    const asked = known.reduce((sum, { rare }) => sum + rare, 0);
    const isIn = (said) => ({ found }) => found.some(({ term }) => term.split(" ").every((word) => said.has(word)));
    const held = (title) => known.filter(isIn(new Set(words(title).map(stem)))).reduce((sum, { rare }) => sum + rare / asked, 0);
    const typed = parts.map(({ word }) => word);
    const meant = known.map((part) => new Set(part.exact ? [stem(part.word)] : termsOf(part)));
    const isMeant = (name) => {
      const said = words(name).filter(isTerm).map(stem);
      return said.length === meant.length && said.every((term, at) => meant[at].has(term));
    };
    // The beginning of a short title, word for word, whatever words these are: what changed.
    const whole = words(query);
    const begins = (name) => {
      const said = words(name);
      return whole.length > 1 && said.length < whole.length + 3 && whole.every((word, at) => word === said[at]);
    };
    const rarest = known.reduce((most, part) => (most && most.rare >= part.rare ? most : part), null);
    const rare = new Set(rarest ? (rarest.exact ? [stem(rarest.word)] : termsOf(rarest)) : []);
    const isRarest = (name) => {
      const stems = words(name).filter(isTerm).map(stem);
      return stems.length === 1 && rare.has(stems[0]);
    };
    const isAsked = (names) => names.some((name) => {
      const stems = words(name).filter(isTerm).map(stem);
      return stems.every((term) => known.some(isIn(new Set([term]))));
    });
    const weighed = await Promise.all(hits.map(async (hit) => {
      const [, title, labels, text] = await loadDocument(index, hit.slot);
      const titles = title.split(/ · |\n/);
      const said = words(`${title} ${text}`).filter(isTerm);
      const has = new Set(said);
      const titled = names.length ? 0 : Math.max(...title.split("\n").map(held));
      const isEntry = wantsAnswer && ENTRIES.some((kind) => labels.includes(kind));
      const isTopic = !isEntry && labels.includes(TOPIC) && isAsked(titles);
      const byChance = labels.includes(LINE) && !names.length && titled < LEADING;
      const exact = typed.filter((word) => has.has(word)).length / typed.length;
      const phrase = typed.length > 1 && ` ${said.join(" ")} `.includes(` ${typed.join(" ")} `);
      const named = Number(!isEntry && titles.some((name) => isMeant(name) || begins(name)));
      const page = ` ${spaced(`${title} ${text}`)} `;
      const isWhole = Number(names.length > 0 && names.every((name) => page.includes(` ${name} `)));
      const worth = hit.worth * EXACT ** exact * (phrase ? PHRASE : 1) * (1 + titled) * (isTopic ? PHRASE : wantsAnswer && labels.includes(EVIDENCE) ? FINDING : 1);
      const less = Number(byChance);
      const defines = hit.support !== undefined && labels.includes(TERM) && titles.some(isRarest);
      const answers = labels.includes(LINE) && said.some((word) => rare.has(stem(word)));
      const called = isTopic ? 1 : isEntry || labels.includes(NAME) ? 0 : titled;
      const asTyped = called && known.every(({ word }) => ` ${families(title)} `.includes(` ${families(word)} `));
      return { ...hit, named, asTyped, held: isWhole, titled, called, defines, answers, worth, leads: hit.leads * (1 - less), words: hit.words - less, exact: hit.exact - less };
    }));
    const leading = weighed.filter(({ leads }) => leads === 1).sort((a, b) => b.titled - a.titled || b.worth - a.worth);
    for (const hit of leading.slice(1)) hit.leads = 0;
    const entry = weighed.some(({ answers }) => answers) ? null : weighed.find(({ defines }) => defines);
    if (entry) {
      for (const hit of leading) hit.leads = 0;
      entry.leads = 1;
    }
    const holding = names.length ? weighed.filter((hit) => hit.held || hit.named) : [];
    return (holding.length ? holding : weighed).sort(byRank);
  }

  // ---- showing ----------------------------------------------------------------------

  function element(name, className, ...children) {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...children);
    return made;
  }

  // `text` as nodes, with the words and names that were found marked.
  function marked(text, { terms, names }) {
    const nodes = [];
    const isFound = ([said]) => words(said).some((word) => terms.has(stem(word)));
    const called = names ? [...text.matchAll(names)] : [];
    const single = [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].filter(isFound);
    let at = 0;
    for (const found of [...called, ...single].sort((a, b) => a.index - b.index)) {
      if (found.index < at) continue;
      nodes.push(text.slice(at, found.index), element("mark", "", found[0]));
      at = found.index + found[0].length;
    }
    nodes.push(text.slice(at));
    return nodes;
  }

  const SENTENCE_END = /(?<=[.!?]["”’)\]]*)(?<!\b(?:al|cf|e\.g|i\.e|vs|\p{L})\.) +(?=["“‘(]*\p{Lu})/u;

  // How much of what was asked `text` tells.
  function worthOf(text, known) {
    const said = ` ${words(text).filter(isTerm).map(stem).join(" ")} `;
    const shares = known.map(({ rare, found }) => rare * Math.max(0, ...found.map(({ term, share }) => (said.includes(` ${term} `) ? share : 0))));
    return shares.reduce((sum, share) => sum + share, 0);
  }

  // The sentence of `text` that tells most of what was asked, with what follows it in its paragraph while there is
  // room; of a long one a stretch. What has no full stop is a list of names or a reason in short, and counts less.
  function excerpt(text, known) {
    const paragraphs = text.split("\n").filter((line) => !line.startsWith("|")).map((line) => line.split(SENTENCE_END));
    let best = [""];
    let most = -1;
    for (const sentences of paragraphs) {
      sentences.forEach((sentence, at) => {
        const worth = (worthOf(sentence, known) + LEAST) * (/[.!?]\W*$/.test(sentence) ? 1 : LEADING);
        if (worth > most) [most, best] = [worth, sentences.slice(at)];
      });
    }
    const lengthOf = (sentences) => sentences.join(" ").split(" ").length;
    let count = 1;
    while (count < best.length && lengthOf(best.slice(0, count + 1)) <= WORDS_AROUND) count += 1;
    return lengthOf(best.slice(0, 1)) > LONG_SENTENCE ? stretch(best[0], known) : best.slice(0, count).join(" ");
  }

  function stretch(sentence, known) {
    const parts = sentence.split(" ");
    const found = parts.findIndex((part) => worthOf(part, known));
    const start = Math.max(0, Math.min(found - WORDS_AROUND / 2, parts.length - WORDS_AROUND));
    const end = start + WORDS_AROUND;
    return (start ? "… " : "") + parts.slice(start, end).join(" ") + (end < parts.length ? " …" : "");
  }

  // What mistyped words seem to be meant for, as some page spells it.
  function pagesMeant({ guesses }, pages) {
    const held = pages.flatMap(([, title, , text]) => words(`${title} ${text}`));
    return guesses
      .map(({ word, terms }) => [word, held.find((one) => terms.has(stem(one)))])
      .filter(([, other]) => other);
  }

  const quoted = (said, joint) => said.map((word) => `“${word}”`).join(joint);

  // Why there is nothing but what the site asks.
  const silence = ({ missing }) =>
    `${missing.length ? `Nothing here on ${quoted(missing, " or ")}` : "These words stand on nearly every page"}. What the site asks:`;

  // First which words no page has, then how many pages have the others, or what seems to be meant.
  function told(counted, { guesses, missing }, meant) {
    const absent = [...guesses.map(({ word }) => word), ...missing];
    if (!absent.length) return counted;
    const others = meant.length ? quoted(meant.map(([, word]) => word), " and ") : "the other words";
    return `Nothing here on ${quoted(absent, " or ")}. Nearest: ${counted} with ${others}`;
  }

  // Other wordings of a title stand below it; of the names that a glossary gives, the first tell enough.
  const shownTitle = (title) => title.split("\n")[0].split(" · ", NAMES_SHOWN).join(" · ");

  function linkTo([url, title], said = shownTitle(title)) {
    const link = element("a", "", said);
    link.href = new URL(url, ROOT);
    return link;
  }

  // A question that the site asks, where it is what somebody asked: its answer, why, and ways on.
  function answerItem([url, title, labels, , [answer, ...reason]], { marks }) {
    const word = labels.find((label) => answer.startsWith(label)) ?? "";
    const article = element(
      "article",
      "kg-search-result__article md-typeset",
      element("h2", "", ...marked(shownTitle(title), marks)),
      element("p", "", element("strong", "", word), answer.slice(word.length)),
    );
    const ways = element("p", "kg-search-ways", linkTo([url], "Read the essay"));
    if (reason.length) ways.prepend(element("span", "", "Best reason: ", linkTo(reason)));
    const link = linkTo([url], article);
    link.className = "kg-search-result__link";
    return element("li", "kg-search-result__item kg-search-answer", link, ways);
  }

  // Of a question that the site asks, its answer is shown; of other pages what holds the words.
  function resultItem([url, title, labels, text, [answer] = []], { known, marks }) {
    const kinds = answer ? labels.filter((label) => !answer.startsWith(label)) : labels;
    const article = element(
      "article",
      "kg-search-result__article md-typeset",
      element("p", "kg-search-label", kinds.join(" · ")),
      element("h2", "", ...marked(shownTitle(title), marks)),
      element("p", "", ...marked(answer || excerpt(text, known), marks)),
    );
    const link = linkTo([url], article);
    link.className = "kg-search-result__link";
    return element("li", "kg-search-result__item", link);
  }

  class SearchBox {
    constructor(box) {
      this.toggle = document.getElementById("__search");
      this.form = box.querySelector("form");
      this.input = this.form.elements.namedItem("query");
      this.status = box.querySelector(".kg-search-result__meta");
      this.facets = box.querySelector(".kg-search-facets");
      this.meant = box.querySelector(".kg-search-meant");
      this.list = box.querySelector(".kg-search-result__list");
      this.more = box.querySelector(".kg-search-more");
      this.chosen = new Map();
      this.asked = 0;
      this.listen(box);
    }

    listen(box) {
      this.input.addEventListener("focus", () => this.open());
      this.input.addEventListener("input", () => this.ask());
      this.form.addEventListener("submit", (event) => {
        event.preventDefault();
        this.links()[0]?.click();
      });
      this.form.addEventListener("reset", () => setTimeout(() => this.ask()));
      this.toggle.addEventListener("change", () => this.toggle.checked && this.input.focus());
      this.meant.addEventListener("click", () => this.askFor(this.meant.value));
      this.more.addEventListener("click", () => this.showOrSay(this.shown + SHOWN));
      this.list.addEventListener("click", (event) => event.target.closest("a") && this.close());
      box.addEventListener("keydown", (event) => this.move(event));
      // Who goes on by Tab is done here; without a target, it is the window that was left.
      box.addEventListener("focusout", ({ relatedTarget }) => relatedTarget && !box.contains(relatedTarget) && this.fold());
      document.addEventListener("keydown", (event) => this.shortcut(event));
    }

    open() {
      this.toggle.checked = true;
      this.toggle.dispatchEvent(new Event("change"));
      loadIndex().catch(() => this.say(FAILED));
    }

    close() {
      this.input.blur();
      this.fold();
    }

    fold() {
      this.toggle.checked = false;
      this.toggle.dispatchEvent(new Event("change"));
    }

    shortcut(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
      if (event.key === "Escape" && this.toggle.checked) this.close();
      else if (["/", "s", "f"].includes(event.key) && !typing) {
        event.preventDefault();
        this.open();
        this.input.select();
      }
    }

    move(event) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const stops = [this.input, ...this.links()];
      const at = Math.max(0, stops.indexOf(document.activeElement));
      stops[(at + step + stops.length) % stops.length].focus();
    }

    links() {
      return [...this.list.querySelectorAll("a")];
    }

    // The question as it was meant, to ask it so.
    suggest(meant) {
      const query = meant.reduce((said, [word, other]) => said.replace(/[\p{L}\p{N}\p{M}]+/gu, (each) => (cut(fold(each)) === word ? other : each)), this.input.value.trim());
      this.meant.hidden = !meant.length;
      this.meant.textContent = `Did you mean “${query}”?`;
      this.meant.value = query;
    }

    askFor(query) {
      this.input.value = query;
      this.input.focus();
      this.ask();
    }

    say(text) {
      this.status.textContent = text;
    }

    async ask() {
      const number = ++this.asked;
      const query = this.input.value;
      if (!words(query).length) return this.clear();
      if (this.found?.silent) this.say("Searching …");
      for (const last of [false, true]) {
        try {
          return await this.answer(number, query);
        } catch {
          // Perhaps the site was built anew since the index was read: all of it is read again.
          waiting.clear();
          if (number !== this.asked) return;
          if (last) this.say(FAILED);
        }
      }
    }

    async answer(number, query) {
      const found = await search(query);
      if (number !== this.asked) return;
      this.found = found;
      this.chosen.clear();
      await this.show(SHOWN);
      if (number === this.asked) await this.showFacets(number);
      if (number === this.asked) this.list.dataset.kgAnswers = query;
    }

    clear() {
      this.found = null;
      this.list.replaceChildren();
      this.facets.hidden = this.more.hidden = this.meant.hidden = true;
      this.say("Type to search");
    }

    async show(count) {
      const { found } = this;
      const hits = this.filtered();
      // What has but some of the words is seldom meant: the best few stand for it.
      if (found.missing.length && !found.silent && count === SHOWN) count = FEW;
      const shown = await Promise.all(hits.slice(0, count).map((slot) => loadDocument(found.index, slot)));
      if (found !== this.found) return;
      this.shown = count;
      const isAnswer = (hit, at) => found.isAnswered && !at && hit[4].length;
      this.list.replaceChildren(...shown.map((hit, at) => (isAnswer(hit, at) ? answerItem : resultItem)(hit, found)));
      this.more.hidden = hits.length <= count;
      const counted = hits.length === 1 ? "1 page" : `${hits.length} pages`;
      const pages = found.astray ? `The site does not ask this. Nearest: ${counted}` : counted;
      const order = hits.length > SHOWN ? ", best first" : "";
      const meant = pagesMeant(found, shown);
      const nothing = this.chosen.size ? "No page found" : `Nothing here on “${this.input.value.trim()}”. ${found.nearby.length ? "Nearest:" : "What the site asks:"}`;
      this.say(!hits.length ? nothing : found.silent ? silence(found) : told(pages, found, meant) + order);
      this.suggest(meant);
    }

    showOrSay(count) {
      this.show(count).catch(() => this.say(FAILED));
    }

    filtered() {
      const allowed = [...this.chosen.values()].filter((values) => values.size);
      if (!allowed.length) return this.found.hits;
      const sets = allowed.map((values) => new Set([...values.values()].flatMap((slots) => [...slots])));
      return this.found.hits.filter((slot) => sets.every((set) => set.has(slot)));
    }

    async showFacets(number) {
      const { index, hits } = this.found;
      const all = await loadFacets(index).catch(() => ({}));
      if (number !== this.asked) return;
      if (!hits.length) return this.offer(all);
      const held = new Set(hits);
      const rows = FACETS.filter((name) => all[name]).map((name) => {
        const counted = Object.entries(all[name])
          .map(([value, codes]) => [value, slotsOf(codes, index.width).filter((slot) => held.has(slot))])
          .filter(([, slots]) => slots.length)
          .sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
        return counted.length > 1 || name !== "topic" ? this.facetRow(name, counted.slice(0, TOPICS)) : "";
      });
      const fold = element("details", "", element("summary", "", "Narrow down"), ...rows);
      this.facets.replaceChildren(fold);
      this.facets.hidden = !rows.some(Boolean);
    }

    // Ways on from a word that no page has.
    async offer({ kind, topic }) {
      const { found } = this, { index, nearby } = found;
      const pages = (slots) => Promise.all(slots.map((slot) => loadDocument(index, slot)));
      const holding = await pages(nearby.map(({ held }) => held.slice(0, index.width)));
      const lines = await pages(slotsOf(kind?.[LINE] ?? "", index.width));
      if (found !== this.found) return;
      const nearest = holding.length ? holding : lines;
      const topics = Object.entries(topic ?? {}).sort(([, a], [, b]) => b.length - a.length);
      const rows = [["similar", pagesMeant({ guesses: nearby }, holding).map(([, other]) => other)], ["topics", topics.slice(0, TOPICS).map(([name]) => name)]]
        .filter(([, names]) => names.length)
        .map(([label, names]) => this.row(label, names.map((name) => this.button(() => this.askFor(name), name))));
      this.facets.replaceChildren(...rows, ...nearest.map((page) => element("p", "", linkTo(page))));
      this.facets.hidden = !rows.length && !nearest.length;
    }

    button(act, ...children) {
      const button = element("button", "kg-search-facet", ...children);
      button.type = "button";
      button.addEventListener("click", () => act(button));
      return button;
    }

    facetRow(name, values) {
      const buttons = values.map(([value, slots]) => {
        const button = this.button(() => this.choose(name, value, slots, button), value, element("span", "", ` ${slots.length}`));
        button.setAttribute("aria-pressed", "false");
        return button;
      });
      return this.row(name, buttons);
    }

    row(name, buttons) {
      const row = element("div", "kg-search-row", element("span", "", name), ...buttons);
      row.setAttribute("role", "group");
      row.setAttribute("aria-label", name);
      return row;
    }

    choose(name, value, slots, button) {
      const values = this.chosen.get(name) ?? new Map();
      this.chosen.set(name, values);
      if (!values.delete(value)) values.set(value, new Set(slots));
      button.setAttribute("aria-pressed", String(values.has(value)));
      this.showOrSay(SHOWN);
    }
  }

  const slotsOf = (codes, width) =>
    Array.from({ length: codes.length / width }, (_, at) => codes.slice(at * width, (at + 1) * width));

  // The page for lost readers suggests what their address seems to name.
  async function suggest(place) {
    const path = decodeURIComponent(location.pathname).replace(/\.html$/, "");
    const query = words(path.split("/").filter(Boolean).pop() ?? "").join(" ");
    if (!query) return;
    const found = await search(query);
    const hits = await Promise.all(found.hits.slice(0, 5).map((slot) => loadDocument(found.index, slot)));
    const items = hits.map((hit) => element("li", "", linkTo(hit)));
    place.querySelector("ul").replaceChildren(...items);
    place.hidden = !items.length;
  }

  window.kgSearch.stem = stem;
  window.kgSearch.words = words;
  window.kgSearch.search = search;

  const box = document.querySelector("[data-kg-search]");
  if (box) new SearchBox(box);
  const lost = document.querySelector("[data-kg-suggestions]");
  if (lost) suggest(lost).catch(() => {});
})();
