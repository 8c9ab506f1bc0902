/* The words of the search: what is a word, its stem, the root of its family, and which words are near to each
   other. Stems are those of kg/publish/build/search/stems.py, by which the index is made. */
"use strict";
{
  const { fold } = window.kg;
  const MAX_WORD_LETTERS = 64;

  const STOP_WORDS = new Set(
    (
      "a an and are as at be been but by can do for from had has have if in into is it its no not of " +
      "on or such than that the their then there these they this to was were will with"
    ).split(" "),
  );
  /* Words that questions are put in: they find a page only where nothing else is asked for, and else count a
     little. */
  const QUESTION_WORDS = new Set(
    (
      "about all also always am any anybody back because better cannot cant could did didn didnt does " +
      "doesn doesnt doing don done dont each either else even ever every get got he her here him his how " +
      "isn isnt just less like made make makes many may me might more most must my need needed never one " +
      "only other our out own really said same say says she should so some somebody someone still them " +
      "thing those too up us very want we well what when where which while who whom whose why would you " +
      "your actually anyone anything aren couldn everybody everyone everything getting give gives given " +
      "going hadn hasn haven kind let lets ll lot much nobody nothing often re shouldn something sort " +
      "take takes taking thing use used uses using usually ve wasn way weren won wont wouldn " +
      "bad being chat chatgpt chats come comes find finds go goes good happen happens know knows look looks " +
      "human humans im ive ok okay own owns people person persons show shows stuff talk talking talks tell " +
      "telling tells think thinking thinks told whats work works youre"
    ).split(" "),
  );
  const PERSONS = new Set(
    "am im me my we us our you your he him his her them someone somebody anyone people".split(" "),
  );
  /* Names of chatbots that stand for all of them in questions. */
  const PRODUCTS = new Set("chat chatgpt".split(" "));
  /* What a question asks to be mended, notes say is less or fewer. */
  const REMEDIES = [
    "fix",
    "cure",
    "solve",
    "stop",
    "reduce",
    "prevent",
    "avoid",
    "mend",
    "less",
    "fewer",
    "lower",
  ];
  const ASKING =
    /^(?:am|are|can|could|did|do|does|doesnt|dont|has|have|how|is|may|might|must|should|was|were|wh[aeioy]\p{L}*|will|would)$/u;
  const DEFINING = /^(?:what|who)/u;
  const C = "[^aeiou][^aeiouy]*";
  const V = "[aeiouy][aeiou]*";
  const SOME = new RegExp(`^(?:${C})?${V}${C}`);
  const ONE = new RegExp(`^(?:${C})?${V}${C}(?:${V})?$`);
  const MORE = new RegExp(`^(?:${C})?${V}${C}${V}${C}`);
  const VOWEL = new RegExp(`^(?:${C})?[aeiouy]`);
  const SHORT = new RegExp(`^${C}[aeiouy][^aeiouwxy]$`);
  const OWN_STEMS = ["politic", "personalit"]; // Porter's rules would give them those of politeness and person
  const DOUBLE = /([^aeioulsz])\1$/;
  const suffixPairs = (text) =>
    text
      .split(" ")
      .map((pair) => pair.split(":"))
      .sort((a, b) => b[0].length - a[0].length);
  const STEP_2 = suffixPairs(
    "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous " +
      "ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al " +
      "iviti:ive biliti:ble logi:log",
  );
  const STEP_3 = suffixPairs("icate:ic ative: alize:al iciti:ic ical:ic ful: ness:");
  const STEP_4 = suffixPairs(
    "al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ou: ism: ate: iti: ous: ive: ize:",
  );

  const cutWord = (word) =>
    word.length > MAX_WORD_LETTERS ? [...word].slice(0, MAX_WORD_LETTERS).join("") : word;
  const findWords = (text) => (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).map(cutWord);
  const isTerm = (word) => !STOP_WORDS.has(word) && !/^[a-z]$/.test(word);

  function replaceSuffix(word, pairs, enough) {
    const pair = pairs.find(([ending]) => word.endsWith(ending));
    if (!pair) return word;
    const bare = word.slice(0, word.length - pair[0].length);
    return enough.test(bare) ? bare + pair[1] : word;
  }

  function removePast(word) {
    if (word.endsWith("eed")) return SOME.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
    const ending = ["ed", "ing"].find((e) => word.endsWith(e));
    if (!ending) return word;
    const bare = word.slice(0, word.length - ending.length);
    if (!VOWEL.test(bare)) return word;
    if (/(?:at|bl|iz)$/.test(bare)) return `${bare}e`;
    if (DOUBLE.test(bare)) return bare.slice(0, -1);
    return SHORT.test(bare) ? `${bare}e` : bare;
  }

  function stem(typed) {
    if (typed.length < 3 || !/^[a-z]+$/.test(typed)) return typed;
    const own = OWN_STEMS.find((each) => typed.startsWith(each));
    if (own) return own;
    let word = typed[0] === "y" ? `Y${typed.slice(1)}` : typed;
    if (/(?:sses|ies)$/.test(word)) word = word.slice(0, -2);
    else if (/s$/.test(word) && !/ss$/.test(word)) word = word.slice(0, -1);
    word = removePast(word);
    if (word.endsWith("y") && VOWEL.test(word.slice(0, -1))) word = `${word.slice(0, -1)}i`;
    word = replaceSuffix(word, STEP_2, SOME);
    word = replaceSuffix(word, STEP_3, SOME);
    if (/(?:sion|tion)$/.test(word)) word = MORE.test(word.slice(0, -3)) ? word.slice(0, -3) : word;
    else word = replaceSuffix(word, STEP_4, MORE);
    if (word.endsWith("e")) {
      const bare = word.slice(0, -1);
      if (MORE.test(bare) || (ONE.test(bare) && !SHORT.test(bare))) word = bare;
    }
    if (word.endsWith("ll") && MORE.test(word)) word = word.slice(0, -1);
    return typed[0] === "y" ? `y${word.slice(1)}` : word;
  }

  /* What a word may end in that is still being typed, its last letter doubled perhaps. */
  const ENDING = new RegExp(
    `^[b-df-hj-np-tvz]?(?:${"ability ably ance ations ement ence erly ers ibility ibly ical ingly ions iously isation ised ists ities ively ization izes ments ness"
      .split(" ")
      .map((ending) => [...ending].reduceRight((rest, letter) => `(?:${letter}${rest})?`, ""))
      .join("|")})$`,
  );

  /* The root that words share which no stem joins: sycophantic and sycophancy. */
  function familyOf(root) {
    const american = root
      .replace(/our(?=$|[^s])/g, "or")
      .replace(/(?<=^(?:advi|defen|devi|licen|offen|practi))c/g, "s")
      .replace(/([iy])s(?=$|e|i|ation)/g, "$1z")
      .replace(/sce(?=p)/g, "ske");
    let [last, word] = ["", stem(american)];
    while (last !== word)
      [last, word] = [word, stem(word).replace(/(?<=.{4})(?:ement|ment|ant|ist|ior|iz|i|e)$/, "")];
    return word.replace(/(?<=..[aeiou])s$/, "d");
  }

  /* How many letters must change to turn `a` into `b`, neighbours swapped counting as one. */
  function editDistance(a, b, limit) {
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

  /* Those that sound alike are one: `sycofancy` is meant for `sycophancy`. */
  const soundKey = (word) => word.replaceAll("ph", "f");

  /* Terms near to a word that no page holds; `open` words may go on, and an ending may be wrong, which is
     less likely than a slip. */
  function findSimilar(word, terms, isOpen, isQuestion) {
    const limit = word.length > (isQuestion ? 9 : 7) ? 2 : word.length > 4 ? 1 : 0;
    const scored = [];
    for (const term of limit ? terms : []) {
      const pairs = [];
      if (isOpen) beginnings(term, word, limit).forEach((cut) => pairs.push([word, cut]));
      /* Of a short term too little is left to tell a slip from another word: `stochastic`, `stock`. */
      const allowed = term.length > 7 ? limit : term.length > 5 ? Math.min(limit, 1) : 0;
      if (term.length > 4 && word.length - term.length < 7) {
        const slips = (cut) => editDistance(soundKey(cut), soundKey(term), limit);
        beginnings(word, term, limit)
          .filter((cut) => slips(cut) <= allowed)
          .forEach((cut) => pairs.push([cut, term]));
      }
      const off = (a, b) => editDistance(soundKey(a), soundKey(b), limit);
      const far = Math.min(off(word, term), ...pairs.map(([a, b]) => off(a, b) + 0.5));
      if (far <= limit) scored.push([far, term]);
    }
    const nearest = Math.min(...scored.map(([far]) => far));
    return scored.filter(([far]) => far === nearest).map(([, term]) => term);
  }

  /* Beginnings of `long` that are about as long as `short`. */
  function beginnings(long, short, limit) {
    const lengths = Array.from({ length: 2 * limit + 1 }, (_, i) => short.length - limit + i);
    return lengths.filter((n) => n > 2 && n < long.length).map((n) => long.slice(0, n));
  }

  const WORD = /[\p{L}\p{N}\p{M}]+/gu;
  window.kg.search = {
    ASKING,
    DEFINING,
    ENDING,
    PERSONS,
    PRODUCTS,
    QUESTION_WORDS,
    REMEDIES,
    WORD,
    cutWord,
    editDistance,
    familyOf,
    findSimilar,
    findWords,
    isTerm,
    soundKey,
    stem,
  };
}
