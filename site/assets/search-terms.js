/* The index of the search and the terms in it that a typed word stands for. Files of the index, which
   kg/publish/build/search/search_index.py writes, hold terms by their beginnings, texts of pages, and facets;
   each is loaded when a query needs it. Pages are told apart by buckets: codes of a fixed width. */
"use strict";
{
  const { fold, loadData, root } = window.kg;
  const { search } = window.kg;
  const DIGITS = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
  const VALUE = Object.fromEntries([...DIGITS].map((digit, value) => [digit, value]));
  const MAX_FILES_BELOW = 4;
  const MAX_EXPANSIONS = 24;
  const MAX_NEARBY = 3;
  const MAX_FILES_IN_ALL = 64; // of an index that is looked through for a slip in the first letters
  /* How much a term counts beside the word as it was typed. */
  const SHARE = { exact: 1, name: 0.8, longer: 0.7, family: 0.6, guess: 0.5, loose: 0.4, shorter: 0.35 };
  const ASKER = new Set(["i", "me", "my", "us", "you", "your"]); // words of who asks about people
  const LEAST_GUESSED = 6; // letters of a word that may be a slip, and in a question
  const LEAST_SWAPPED = 5;
  const LEAST_GUESSED_IN_QUESTION = 7;

  /* -- the index's files ----------------------------------------------------------------------- */

  const files = new Map();
  function loadFile(name, version) {
    if (!files.has(name)) {
      const loading = loadData(new URL(`search/${name}.js${version ? `?v=${version}` : ""}`, root));
      loading.catch(() => files.get(name) === loading && files.delete(name));
      files.set(name, loading);
    }
    return files.get(name);
  }
  const loadIndex = async () => new Index(await loadFile("index"));
  /* All is read again: perhaps the site was built anew. */
  const forgetIndex = () => files.clear();
  const escapeName = (name) =>
    name.replace(/[^A-Za-z0-9._-]/gu, (sign) => `~${sign.codePointAt(0).toString(16)}~`);

  class Index {
    constructor(content) {
      Object.assign(this, content);
      this.fileSet = new Set(this.files);
    }

    loadTerms(name) {
      return loadFile(`t-${escapeName(name)}`, this.version);
    }

    loadFacets() {
      return loadFile("facets", this.version).catch(() => ({}));
    }

    async loadDocument(bucket) {
      const number = [...bucket].reduce((sum, digit) => sum * 64 + VALUE[digit], 0);
      const documents = await loadFile(
        `d-${Math.floor(number / this.bucketsInFile).toString(16)}`,
        this.version,
      );
      if (!documents[bucket]) throw new Error("the index is of another build");
      return documents[bucket];
    }

    bucketsIn(codes = "", width = this.width) {
      return Array.from({ length: codes.length / width }, (_, at) =>
        codes.slice(at * width, (at + 1) * width),
      );
    }

    /* The pages that hold a term, each with the digit of how much it weighs there. */
    postingsIn(codes) {
      return this.bucketsIn(codes, this.width + 1).map((code) => ({
        bucket: code.slice(0, -1),
        digit: code.at(-1),
      }));
    }

    countPages(terms) {
      const [first] = terms;
      if (terms.length === 1) return first.postings.length / (this.width + 1);
      return this.pagesWith(terms).size;
    }

    pagesWith(terms) {
      return new Set(terms.flatMap(({ postings }) => this.postingsIn(postings).map(({ bucket }) => bucket)));
    }

    fileOf(term) {
      if (this.fileSet.has(`${term}$`)) return `${term}$`;
      for (let end = term.length; end >= 0; end--) {
        if (this.fileSet.has(term.slice(0, end))) return term.slice(0, end);
      }
      return null;
    }

    filesBelow(start) {
      return this.files.filter((name) => name.startsWith(start) && name !== `${start}$`);
    }

    /* Terms with their postings. */
    async loadPostings(names) {
      const shards = await Promise.all(names.map((name) => this.loadTerms(name)));
      return new Map(shards.flatMap((shard) => Object.entries(shard)));
    }
  }

  /* -- terms ----------------------------------------------------------------------------------- */

  /* The files that may hold what a word stands for; one that is `isOpen` may go on. */
  function filesFor(index, word, isOpen) {
    const root = search.stem(word);
    const family = search.familyOf(root);
    const start = family.slice(0, Math.max(3, family.length - 2));
    const names = new Set([root, word, start].map((each) => index.fileOf(each)));
    for (const name of index.filesBelow(start).slice(0, MAX_FILES_BELOW)) names.add(name);
    const below = isOpen ? index.filesBelow(word) : [];
    if (below.length <= MAX_FILES_BELOW || word.length > 2) {
      for (const name of below.slice(0, MAX_FILES_BELOW)) names.add(name);
    }
    names.delete(null);
    return [...names];
  }
  function commonest(postings, isFitting) {
    const terms = [...postings.keys()].filter(isFitting);
    return terms.sort((a, b) => postings.get(b).length - postings.get(a).length).slice(0, MAX_EXPANSIONS);
  }
  /* Shares by term: of the word itself, of its family, and of what it may become while it is typed. */
  function sharesOf(word, postings, isOpen) {
    const root = search.stem(word);
    const family = search.familyOf(root);
    const shares = new Map(postings.has(root) ? [[root, SHARE.exact]] : []);
    const add = (term, share) => shares.has(term) || shares.set(term, share);
    for (const term of postings.keys()) if (search.familyOf(term) === family) add(term, SHARE.family);
    if (!isOpen || word.length < 2) return shares;
    const isShorter = (term) =>
      term.length > 3 && word.startsWith(term) && search.ENDING.test(word.slice(term.length));
    for (const term of commonest(postings, (each) => each.startsWith(word))) add(term, SHARE.longer);
    /* Perhaps the ending that is being typed is none of the stem. */
    if (!postings.has(root)) for (const term of commonest(postings, isShorter)) add(term, SHARE.shorter);
    return shares;
  }
  /* Shares of what a word that no page holds may be meant for. A short word may be no slip: safe is not meant
     for same. A question has more words that pages lack. */
  async function guessShares(index, word, postings, isOpen, isQuestion) {
    const swapped = [...postings.keys()].filter((term) => isSwapped(word, term));
    if (swapped.length) return new Map(swapped.map((term) => [term, SHARE.guess]));
    const least = isQuestion ? LEAST_GUESSED_IN_QUESTION : LEAST_GUESSED;
    if (word.length < least) return new Map();
    const isNear = (term) => term.length >= least - 1 && (term[0] === word[0] || word.length > 8);
    const findNear = () =>
      search.findSimilar(search.stem(word), postings.keys(), isOpen, isQuestion).filter(isNear);
    let near = findNear();
    /* It may be mistyped where it begins, too. */
    if (!near.length && index.files.length <= MAX_FILES_IN_ALL) {
      for (const [term, codes] of await index.loadPostings(index.files)) postings.set(term, codes);
      near = findNear();
    }
    /* Turing is not meant for tuned. */
    if (word.length < LEAST_GUESSED_IN_QUESTION)
      near = near.filter((term) => soundDistance(word, term, 1) <= 1);
    const families = new Set(near.map(search.familyOf));
    const kin = [...postings.keys()].filter((term) => families.has(search.familyOf(term)));
    return new Map([
      ...kin.map((term) => [term, SHARE.guess * SHARE.family]),
      ...near.map((term) => [term, SHARE.guess]),
    ]);
  }
  /* Neighbours that changed places are a slip even in a short word: freind. */
  function isSwapped(word, term) {
    if (word.length < LEAST_SWAPPED || word.length !== term.length) return false;
    const isSame = [...word].sort().join("") === [...term].sort().join("");
    return isSame && search.editDistance(word, term, 1) === 1;
  }
  const soundDistance = (a, b, limit) => search.editDistance(search.soundKey(a), search.soundKey(b), limit);
  /* What a word may be meant for, but is too far from it to be sought unasked. */
  const findNearby = (word, postings) =>
    [...postings]
      .map(([term, codes]) => ({
        word,
        distance: soundDistance(word, term, 2),
        codes,
        terms: new Set([term]),
      }))
      .filter(({ distance }) => distance < 3 && distance <= word.length / 3)
      .sort((a, b) => a.distance - b.distance)
      .slice(0, MAX_NEARBY);

  /* The terms that a typed word stands for, with their postings and their shares. */
  async function expand(index, word, isOpen = false, isQuestion = false) {
    const postings = await index.loadPostings(filesFor(index, word, isOpen));
    const isExact = postings.has(search.stem(word));
    let shares = sharesOf(word, postings, isOpen);
    const isGuessed = !shares.size;
    if (isGuessed) shares = await guessShares(index, word, postings, isOpen, isQuestion);
    const nearby = shares.size ? [] : findNearby(word, postings);
    const terms = [...shares].map(([term, share]) => ({ term, share, postings: postings.get(term) }));
    return { word, isExact, isGuessed, nearby, terms };
  }
  /* A word that no page has, such as `gpt4`, may be written in two: `GPT-4`. */
  async function expandOrSplit(index, { word, isOpen }, isQuestion) {
    const whole = await expand(index, word, isOpen, isQuestion);
    const [, letters, number] = whole.isExact ? [] : (word.match(/^(\p{L}+)(\p{N}.*)$/u) ?? []);
    if (!letters) return [whole];
    const halves = await Promise.all([expand(index, letters), expand(index, number)]);
    return halves.every(({ isExact }) => isExact) ? halves : [whole];
  }
  /* Where a name of the glossary differs from what was typed in one word alone, and little, that word is
     meant: `theory of mnd`. */
  function wordOfName(index, typed, word) {
    const limit = word.length > 5 ? 2 : 1;
    for (const name of index.names.flat().map(search.findWords)) {
      for (let start = 0; name.length > 1 && start + name.length <= typed.length; start++) {
        const others = name.filter((each, at) => search.stem(each) !== search.stem(typed[start + at]));
        const isMeant = others.length === 1 && typed[start + name.indexOf(others[0])] === word;
        if (isMeant && search.editDistance(word, others[0], limit) <= limit) return others[0];
      }
    }
    return null;
  }
  async function expandAsMeant(index, query, typed) {
    const parts = await expandOrSplit(index, typed, query.isQuestion);
    const [{ isExact, isGuessed, terms }] = parts;
    const isUnsure = parts.length === 1 && !isExact && (isGuessed || !terms.length);
    const meant = isUnsure && wordOfName(index, query.words, typed.word);
    if (!meant) return parts;
    return [{ ...(await expand(index, meant)), word: typed.word, isExact: false, isGuessed: true }];
  }

  /* -- names ----------------------------------------------------------------------------------- */

  /* Whose mind is changed, or who is told, is the same to a name: change someone's mind, change my mind. */
  const isNaming = (word) => search.isTerm(word) && !search.PERSONS.has(word);
  const families = new Map();
  function familyOfWord(word) {
    if (!families.has(word)) families.set(word, search.familyOf(search.stem(word)));
    return families.get(word);
  }
  const familiesOf = (text) => search.findWords(text).filter(isNaming).map(familyOfWord).join(" ");
  /* A query that is but the initials of a name of the glossary as that name: ToM, RLHF. */
  function spellOut(index, text) {
    const [initials, ...others] = search.findWords(text);
    if (!initials || others.length) return text;
    const initialsOf = (words) => words.map(([letter]) => letter).join("");
    const isMeant = (name) => {
      const words = search.findWords(name);
      return words.length > 1 && [words, words.filter(search.isTerm)].map(initialsOf).includes(initials);
    };
    const isListed = (names) => names.some((name) => fold(name) === initials);
    return index.names.filter(isListed).flat().find(isMeant) ?? text;
  }
  /* Of the names of one thing, as families, the longest that a query has. */
  function nameIn(query, names) {
    const countWords = (name) => name.split(" ").length;
    const inQuery = names.filter((name) => name && ` ${query.families} `.includes(` ${name} `));
    return inQuery.sort((one, other) => countWords(other) - countWords(one))[0];
  }
  /* The pages that hold all words of a name, as if it were a term; of `pages` alone, if given. */
  async function termOfName(index, name, pages = null) {
    const parts = await Promise.all(
      search
        .findWords(name)
        .filter(search.isTerm)
        .map((word) => expand(index, word)),
    );
    if (!parts.length || !parts.every(({ isExact }) => isExact)) return null;
    const digits = parts.map(
      ({ terms: [{ postings }] }) =>
        new Map(index.postingsIn(postings).map(({ bucket, digit }) => [bucket, digit])),
    );
    const isHolder = (bucket) => digits.every((each) => each.has(bucket)) && (!pages || pages.has(bucket));
    const buckets = [...digits[0].keys()].filter(isHolder);
    const least = (bucket) =>
      digits.map((each) => each.get(bucket)).reduce((a, b) => (VALUE[a] < VALUE[b] ? a : b));
    const term = parts.map(({ terms: [first] }) => first.term).join(" ");
    return {
      name,
      term,
      share: SHARE.name,
      postings: buckets.map((bucket) => bucket + least(bucket)).join(""),
    };
  }
  /* What the words of a query are called besides, by the glossary, counts as these words. Those of a name of
     several words are meant together: by itself each counts for less, and is no shorter name. */
  const loosen = (term) =>
    term.name ? term : { ...term, share: Math.min(term.share, SHARE.loose), isLoose: true };
  /* The pages on the topic that has one of these names, and those of topics; null if none has. */
  async function pagesOfNames(index, families) {
    const { kind, topic } = await index.loadFacets();
    const ofTopic = Object.entries(topic ?? {}).find(([name]) => families.includes(familiesOf(name)));
    return ofTopic
      ? new Set([ofTopic[1], kind.Topic ?? ""].flatMap((codes) => index.bucketsIn(codes)))
      : null;
  }
  /* Other names of a topic mean it only on its pages, but for the first: raters who always agree flatter nobody. */
  async function addNames(index, query, parts) {
    const found = [...index.names, search.REMEDIES].map((names) => {
      const families = names.map(familiesOf);
      const name = nameIn(query, families);
      return { names, families, name, own: new Set(name?.split(" ")) };
    });
    const taken = new Set();
    for (const { names, families, name, own } of found.sort((a, b) => b.own.size - a.own.size)) {
      if (!name || (own.size === 1 && taken.has(name))) continue;
      const others = names.filter((_, at) => families[at] !== name);
      const pages = await pagesOfNames(index, families);
      const find = (other) => termOfName(index, other, other === names[0] ? null : pages);
      const terms = (await Promise.all(others.map(find))).filter((term) => term?.postings);
      const whole = own.size > 1 && (await termOfName(index, names[families.indexOf(name)]));
      for (const part of parts) {
        if (!own.has(search.familyOf(search.stem(part.word)))) continue;
        part.isCalled ||= names !== search.REMEDIES;
        if (whole) part.terms = part.terms.map(loosen).concat({ ...whole, share: SHARE.exact });
        part.terms.push(...terms);
      }
      if (whole) own.forEach((word) => taken.add(word));
    }
  }

  /* -- texts of lists -------------------------------------------------------------------------- */

  /* For lists that are filtered: a function that makes of each word of what was typed a test whether a text
     says it by another form, in two words, or by another name. */
  function listWordings(index, typed) {
    const query = { families: search.familiesOf(typed) };
    const groups = index.names
      .map((names) => names.map(search.familiesOf))
      .map((names) => ({ names, own: nameIn(query, names)?.split(" ") ?? [] }));
    return (word) => {
      const families = search.familiesOf(word);
      /* the small words of a name count with the others */
      if (!families) return () => groups.some(({ own }) => own.length > 1);
      const isOf = ({ own }) => families.split(" ").every((part) => own.includes(part));
      const ofWord = groups.filter(isOf).flatMap(({ names }) => names);
      const parts = word.replace(/(?<=\p{L})(?=\p{N})/gu, " ");
      const wordings = [families, ...ofWord].map((each) => ` ${each} `);
      if (parts !== word) wordings.push(` ${search.familiesOf(parts)}`);
      return (text) => {
        const said = ` ${search.familiesOf(text)} `;
        return wordings.some((each) => said.includes(each));
      };
    };
  }

  /* -- queries --------------------------------------------------------------------------------- */

  const spaceNumbers = (text) =>
    search
      .findWords(text)
      .join(" ")
      .replace(/(\p{L})(?=\p{N})/gu, "$1 ");
  function readQuery(text) {
    const words = search.findWords(text);
    const names = text.split(/\s+/).filter((part) => /[\p{L}\p{N}][-.][\p{N}]/u.test(part));
    return {
      text,
      words,
      families: familiesOf(text),
      isQuestion: search.ASKING.test(words[0]),
      wantsAnswer: search.ASKING.test(words[0]) && !search.DEFINING.test(words[0]),
      asker: words.some((word) => ASKER.has(word)),
      names: names.map(spaceNumbers), // such as `GPT-4.5`: parts that a mark joins, one of them a number
    };
  }
  /* The words that tell pages apart; where there are none, what is left. The last may go on. */
  function significantWords(index, query) {
    const isOpen = /[\p{L}\p{N}\p{M}]$/u.test(query.text);
    const typed = query.words.map((word, at) => ({ word, isOpen: isOpen && at === query.words.length - 1 }));
    const terms = typed.filter(({ word }) => search.isTerm(word));
    const names = index.names.map((each) => nameIn(query, each.map(familiesOf))).filter(Boolean);
    const ofNames = new Set(names.flatMap((name) => name.split(" ")));
    const telling = terms.filter(
      ({ word }) => !search.QUESTION_WORDS.has(word) || ofNames.has(familiesOf(word)),
    );
    if (telling.length) return telling;
    return terms.length ? terms : typed.filter((each) => each.isOpen && each.word.length > 1);
  }
  /* The other words of a question count a little. */
  async function expandFaint(index, query, significant) {
    const words = query.words.filter(
      (word) =>
        search.isTerm(word) &&
        search.QUESTION_WORDS.has(word) &&
        !significant.some((each) => each.word === word),
    );
    return (await Promise.all(words.map((word) => expand(index, word)))).filter(({ isExact }) => isExact);
  }
  /* What half of the pages hold tells none apart (Robertson and Spärck Jones): it counts where nothing else
     does. */
  function withoutCommonWords(index, parts) {
    const isRare = ({ terms }) =>
      2 * index.pagesWith(terms.filter(({ share }) => share >= SHARE.name)).size < index.count;
    const rare = parts.filter(isRare);
    return rare.some(({ isGuessed }) => !isGuessed) ? rare : parts;
  }

  Object.assign(search, {
    SHARE,
    VALUE,
    addNames,
    expand,
    expandAsMeant,
    expandFaint,
    familiesOf,
    forgetIndex,
    listWordings,
    loadIndex,
    nameIn,
    readQuery,
    significantWords,
    spaceNumbers,
    spellOut,
    withoutCommonWords,
  });
}
