/* What the search found, as it is shown: for each page its title and the sentences that tell most of what was
   asked, and ways to narrow it down or to go on. Texts are set as text, never as HTML. */
"use strict";
{
  const { make, makeButton, fold, splitSentences, firstSentences, countWords, root } = window.kg;
  const { search } = window.kg;
  const FACETS = ["kind", "camp", "topic"];
  const MAX_TOPICS = 8;
  const MAX_NAMES = 4;
  const MAX_SUGGESTIONS = 5;
  const WORDS_AROUND = 28;
  const LONG_SENTENCE = 40;
  const LEAST_WORTH = 0.01;
  const UNFINISHED = 0.5; // how much counts what has no full stop

  /* -- texts ----------------------------------------------------------------------------------- */

  /* What is set off in results: the words that were found, unless most pages hold them; of a name of several
     words, such as `GPT-4.5`, the whole. */
  function marksOf(known, names) {
    const ofNames = new Set(names.flatMap((name) => name.split(" ")));
    const least = Math.min(search.COMMON, Math.max(...known.map(({ rarity }) => rarity)));
    const isMarked = ({ word, rarity }) =>
      rarity >= least &&
      !search
        .spaceNumbers(word)
        .split(" ")
        .every((part) => ofNames.has(part));
    const terms = known.filter(isMarked).flatMap((part) => part.terms);
    const called = terms
      .filter(({ term }) => term.includes(" "))
      .map(({ name }) => search.findWords(name).join(" "));
    const whole = [...names, ...called].map((name) => name.split(" ").join("[^\\p{L}\\p{N}]?"));
    const pattern = `(?<![\\p{L}\\p{N}])(?:${whole.join("|")})(?![\\p{L}\\p{N}]|[.-]\\p{N})`;
    return {
      terms: new Set(terms.map(({ term }) => term)),
      names: whole.length ? new RegExp(pattern, "giu") : null,
    };
  }
  /* A text as nodes, with the words and names that were found marked. */
  function markWords(text, { terms, names }) {
    const isFound = ([match]) => search.findWords(match).some((word) => terms.has(search.stem(word)));
    const words = [...text.matchAll(search.WORD)].filter(isFound);
    const nodes = [];
    let at = 0;
    for (const match of [...(names ? text.matchAll(names) : []), ...words].sort(
      (a, b) => a.index - b.index,
    )) {
      if (match.index < at) continue;
      nodes.push(text.slice(at, match.index), make("mark", {}, match[0]));
      at = match.index + match[0].length;
    }
    return [...nodes, text.slice(at)];
  }
  /* How much of what was asked a text tells. */
  function worthOf(text, known) {
    const stems = ` ${search.findWords(text).filter(search.isTerm).map(search.stem).join(" ")} `;
    const shareOf = ({ term, share }) => (stems.includes(` ${term} `) ? share : 0);
    return known.reduce((sum, { rarity, terms }) => sum + rarity * Math.max(0, ...terms.map(shareOf)), 0);
  }
  /* A stretch of a long sentence around the first word that was found. */
  function shorten(sentence, known) {
    const words = sentence.split(" ");
    const found = words.findIndex((word) => worthOf(word, known));
    const start = Math.max(0, Math.min(found - WORDS_AROUND / 2, words.length - WORDS_AROUND));
    const end = start + WORDS_AROUND;
    return (start ? "… " : "") + words.slice(start, end).join(" ") + (end < words.length ? " …" : "");
  }
  /* The sentence that tells most of what was asked, with what follows it in its paragraph while there is
     room. What has no full stop is a list of names or a reason in short, and counts less. */
  function excerpt(text, known) {
    let [best, most] = [[""], -1];
    for (const paragraph of text.split("\n")) {
      const sentences = paragraph.startsWith("|") ? [] : splitSentences(paragraph);
      sentences.forEach((sentence, at) => {
        const worth =
          (worthOf(sentence, known) + LEAST_WORTH) * (/[.!?]\W*$/.test(sentence) ? 1 : UNFINISHED);
        if (worth > most) [most, best] = [worth, sentences.slice(at)];
      });
    }
    if (countWords(best[0]) > LONG_SENTENCE) return shorten(best[0], known);
    const shown = firstSentences(best, WORDS_AROUND);
    /* a short sentence seldom says what was found, but the next one may */
    const [room, next] = [WORDS_AROUND - countWords(best[0]), best[1]];
    const isCut = shown === best[0] && next && room > WORDS_AROUND / 2;
    return isCut ? `${shown} ${next.split(" ").slice(0, room).join(" ")} …` : shown;
  }

  /* -- pages ----------------------------------------------------------------------------------- */

  const readDocument = ([url, title, labels, text, [answer = "", ...reason] = [], links = []]) => ({
    url,
    title,
    labels,
    text,
    answer,
    reason,
    links,
  });
  /* Other wordings of a title stand below it; of the names that a glossary gives, the first tell enough. */
  const shortTitle = (title) => title.split("\n")[0].split(" · ", MAX_NAMES).join(" · ");
  const makeLink = (url, content, className) =>
    make("a", { href: new URL(url, root).href, className }, content);
  const linkToPage = ({ url, title }) => makeLink(url, shortTitle(title));
  function makeItem({ url, title }, marks, label, text, className = "kg-search-result__item") {
    const heading = make("h2", {}, ...markWords(shortTitle(title), marks));
    const article = make(
      "article",
      { className: "kg-search-result__article md-typeset" },
      label && make("p", { className: "kg-search-label" }, label),
      heading,
      make("p", {}, ...text),
    );
    const link = makeLink(url, article, "kg-search-result__link");
    return make("li", { className }, link);
  }
  /* A question that the site asks, where it is what somebody asked: its answer, why, and ways on. */
  function makeAnswer(page, marks) {
    const { url, labels, answer, reason } = page;
    const word = labels.find((label) => answer.startsWith(label)) ?? "";
    const text = [make("strong", {}, word), answer.slice(word.length)];
    const item = makeItem(page, marks, "", text, "kg-search-result__item kg-search-answer");
    const [reasonUrl, reasonTitle] = reason;
    const best =
      reason.length && make("span", {}, "Best reason: ", makeLink(reasonUrl, shortTitle(reasonTitle)));
    item.append(make("p", { className: "kg-search-ways" }, best, makeLink(url, "Read the essay")));
    return item;
  }
  /* Of a question that the site asks, its answer is shown; of other pages what holds the words. An entry of the
     glossary leads on to what it names. */
  function makeResult(page, { known, marks }) {
    const { labels, text, answer, links } = page;
    const shown = answer ? labels.filter((label) => !answer.startsWith(label)) : labels;
    const item = makeItem(page, marks, shown.join(" · "), markWords(answer || excerpt(text, known), marks));
    const ways = links.map(([url, words], at) => [at ? ", " : "See: ", makeLink(url, words)]);
    if (ways.length)
      item.append(make("p", { className: "kg-search-ways" }, make("span", {}, ...ways.flat())));
    return item;
  }
  /* What mistyped words seem to be meant for, as some page spells it. */
  function findMeant(guesses, pages) {
    const words = pages.flatMap(({ title, text }) => search.findWords(`${title} ${text}`));
    return guesses
      .map(({ word, terms }) => ({ word, meant: words.find((one) => terms.has(search.stem(one))) }))
      .filter(({ meant }) => meant);
  }

  /* -- words about results --------------------------------------------------------------------- */

  const quote = (words, joint) => words.map((word) => `“${word}”`).join(joint);
  /* First which words no page has, then how many pages have the others, or what seems to be meant. */
  function describeCount({ isAstray, isPassing, isScattered, guesses, missing }, count, meant) {
    const pages = count === 1 ? "1 page" : `${count} pages`;
    const order = count > search.PAGES_AT_ONCE ? ", best first" : "";
    const absent = [...guesses.map(({ word }) => word), ...missing];
    if (!absent.length) {
      const warning =
        (isAstray && "The site does not ask this.") ||
        (isScattered && "Nothing here says all of this.") ||
        (isPassing && "No page is about this.");
      return (warning ? `${warning} Nearest: ` : "") + pages + order;
    }
    const others = meant.length
      ? quote(
          meant.map((each) => each.meant),
          " and ",
        )
      : "the other words";
    return `Nothing here on ${quote(absent, " or ")}. Nearest: ${pages} with ${others}${order}`;
  }
  /* Why there is nothing but what the site asks. */
  function describeSilence({ missing }) {
    const why = missing.length
      ? `Nothing here on ${quote(missing, " or ")}`
      : "These words stand on nearly every page";
    return `${why}. What the site asks:`;
  }

  /* -- the list -------------------------------------------------------------------------------- */

  const makeFacet = (label, onclick, ...more) => {
    const button = makeButton(label, onclick, { className: "kg-search-facet" });
    button.append(...more);
    return button;
  };
  const makeGroup = (label, buttons) =>
    make(
      "div",
      { className: "kg-search-row", role: "group", "aria-label": label },
      make("span", {}, label),
      ...buttons,
    );

  class Results {
    constructor(searchBox) {
      const find = (name) => searchBox.box.querySelector(`.kg-search-${name}`);
      Object.assign(this, {
        searchBox,
        list: searchBox.list,
        facets: find("facets"),
        meant: find("meant"),
        more: find("more"),
      });
      this.chosen = new Map(); // pages by value of a facet, by facet
      this.meant.onclick = () => searchBox.askFor(this.meant.value);
      this.more.onclick = () => this.showOrFail(this.count + search.PAGES_AT_ONCE);
    }

    get isSilent() {
      return this.found?.isSilent;
    }

    clear() {
      this.found = null;
      this.list.replaceChildren();
      this.facets.hidden = this.more.hidden = this.meant.hidden = true;
    }

    /* Show what answers a query while it is the one that is asked. */
    async answer(query, isCurrent) {
      const found = await search.findPages(query);
      if (!isCurrent()) return;
      this.found = { ...found, marks: marksOf(found.known, found.names) };
      this.query = query.trim();
      this.chosen.clear();
      /* What is only near is seldom meant: the best few stand for it. */
      const isPartial = (found.missing.length || found.isAstray) && !found.isSilent;
      await this.show(isPartial ? search.FEW : search.PAGES_AT_ONCE);
      if (isCurrent()) await this.showFacets();
      if (isCurrent()) this.list.dataset.kgAnswers = query;
    }

    /* What there is to ask about, before anything is asked. */
    async begin(isCurrent) {
      const index = await search.loadIndex();
      const facets = await index.loadFacets();
      if (!isCurrent()) return;
      this.found = { index, nearby: [] };
      await this.offer(facets);
    }

    async loadPages(buckets) {
      const documents = await Promise.all(buckets.map((bucket) => this.found.index.loadDocument(bucket)));
      return documents.map(readDocument);
    }

    async show(count) {
      const { found } = this;
      const buckets = this.filterBuckets();
      const pages = await this.loadPages(buckets.slice(0, count));
      if (found !== this.found) return;
      this.count = count;
      const isAnswer = (page, at) => found.isAnswered && !at && page.answer;
      const makePage = (page, at) =>
        isAnswer(page, at) ? makeAnswer(page, found.marks) : makeResult(page, found);
      this.list.replaceChildren(...pages.map(makePage));
      this.more.hidden = buckets.length <= count;
      const meant = findMeant(found.guesses, pages);
      this.searchBox.say(this.describe(buckets.length, meant));
      this.suggest(meant);
    }

    showOrFail(count) {
      this.show(count).catch(() => this.searchBox.fail());
    }

    describe(count, meant) {
      if (!count)
        return this.chosen.size ? "No page found" : `Nothing here on “${this.query}”. ${this.describeNext()}`;
      return this.found.isSilent ? describeSilence(this.found) : describeCount(this.found, count, meant);
    }

    describeNext() {
      return this.found.nearby.length ? "Nearest:" : "What the site asks:";
    }

    /* The query as it was meant, to ask it so. */
    suggest(meant) {
      const meantFor = new Map(meant.map((each) => [each.word, each.meant]));
      const correct = (word) => meantFor.get(search.cutWord(fold(word))) ?? word;
      this.meant.hidden = !meant.length;
      this.meant.value = this.query.replace(search.WORD, correct);
      this.meant.textContent = `Did you mean “${this.meant.value}”?`;
    }

    filterBuckets() {
      const sets = [...this.chosen.values()]
        .filter((values) => values.size)
        .map((values) => new Set([...values.values()].flat()));
      return this.found.buckets.filter((bucket) => sets.every((set) => set.has(bucket)));
    }

    async showFacets() {
      const { found } = this;
      const facets = await found.index.loadFacets();
      if (found !== this.found) return;
      if (!found.buckets.length) {
        await this.offer(facets);
        return;
      }
      const rows = FACETS.map((name) => this.makeFacetRow(name, facets[name] ?? {})).filter(Boolean);
      this.facets.replaceChildren(make("details", {}, make("summary", {}, "Narrow down"), ...rows));
      this.facets.hidden = !rows.length;
    }

    /* The values of a facet, the commonest first; one topic alone narrows nothing. */
    makeFacetRow(name, codesByValue) {
      const { index, buckets } = this.found;
      const all = new Set(buckets);
      const values = Object.entries(codesByValue)
        .map(([value, codes]) => ({
          value,
          buckets: index.bucketsIn(codes).filter((bucket) => all.has(bucket)),
        }))
        .filter((each) => each.buckets.length)
        .sort((a, b) => b.buckets.length - a.buckets.length || (a.value < b.value ? -1 : 1));
      if (!values.length || (name === "topic" && values.length < 2)) return null;
      const buttons = values.slice(0, MAX_TOPICS).map((each) => {
        const choose = ({ currentTarget }) => this.choose(name, each, currentTarget);
        const button = makeFacet(each.value, choose, make("span", {}, ` ${each.buckets.length}`));
        button.setAttribute("aria-pressed", "false");
        return button;
      });
      return makeGroup(name, buttons);
    }

    choose(name, { value, buckets }, button) {
      const values = this.chosen.get(name) ?? new Map();
      this.chosen.set(name, values);
      if (!values.delete(value)) values.set(value, buckets);
      button.setAttribute("aria-pressed", String(values.has(value)));
      this.showOrFail(search.PAGES_AT_ONCE);
    }

    /* Ways on from a word that no page has. */
    async offer({ kind, topic }) {
      const { found } = this;
      const { index, nearby } = found;
      const holders = await this.loadPages(nearby.map(({ codes }) => codes.slice(0, index.width)));
      const lines = await this.loadPages(index.bucketsIn(kind?.[search.LINE]));
      if (found !== this.found) return;
      const topics = Object.entries(topic ?? {}).sort(([, a], [, b]) => b.length - a.length);
      const makeRow = (label, names) =>
        names.length &&
        makeGroup(
          label,
          names.map((name) => makeFacet(name, () => this.searchBox.askFor(name))),
        );
      const rows = [
        makeRow(
          "similar",
          findMeant(nearby, holders).map(({ meant }) => meant),
        ),
        makeRow(
          "topics",
          topics.slice(0, MAX_TOPICS).map(([name]) => name),
        ),
      ].filter(Boolean);
      const nearest = holders.length ? holders : lines;
      this.facets.replaceChildren(...rows, ...nearest.map((page) => make("p", {}, linkToPage(page))));
      this.facets.hidden = !rows.length && !nearest.length;
    }
  }

  /* Links to the pages that a name may mean, as items of a list. */
  async function listPages(name) {
    const words = search.findWords(name).join(" ");
    if (!words) return [];
    const { index, buckets } = await search.findPages(words);
    const documents = await Promise.all(
      buckets.slice(0, MAX_SUGGESTIONS).map((bucket) => index.loadDocument(bucket)),
    );
    return documents.map((document) => make("li", {}, linkToPage(readDocument(document))));
  }

  Object.assign(search, { Results, listPages });
}
