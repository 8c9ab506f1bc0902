/* Finds the pages that answer a query, best first. Pages are scored by BM25 with weights made at build time;
   then the best are read, and titles, names and the order of words decide. Of a question, the questions that
   the site asks lead. */
"use strict";
{
  const { search, splitSentences } = window.kg;
  const LINE = "Question";
  const GUIDE = "Guide";
  const SOURCE = "Source";
  const EVIDENCE = "Finding";
  const TOPIC = "Topic";
  const NAME = "Named thing";
  const TERM = "Term";
  const ENTRIES = [TOPIC, NAME, TERM, SOURCE];
  const PAGES_AT_ONCE = 8;
  const FEW = 3; // pages shown however little they match, so that readers see what was nearest
  const PAGES_READ = 2 * PAGES_AT_ONCE;
  const PAGES_READ_FOR_NAMES = 4 * PAGES_AT_ONCE;
  const MAX_SUPPORTING = 10; // pages that answer a question, and so support the line they are of
  const MANY = 3; // words that tell pages apart, which are as good as a question where no page holds them all
  const COMMON = 1; // rarity of what tells no pages apart
  const LEADING = 0.5; // share of what a question says, from which a page may lead
  const ANSWERING = 0.6; // the same, from which it is an answer
  const MOSTLY = 0.75; // the same, where its rarest word is not among that
  /* How many times as near as the next line one must be to lead. By less than a fifth two lines are about as
     near; a page that is called by another name of what is asked may be what is meant, so that it gives way
     only to a line several times as near. Both are judgements, not measured: see docs/decisions/0041. */
  const CLEARLY = 1.2;
  const BY_FAR = 4;
  /* What titles call people, about whom ask those who say “me” or “you”. */
  const PEOPLE = /\b(?:people|users?|you|your)\b/i;
  /* What a page's score is multiplied by. */
  const FACTOR = { exact: 1.25, asker: 1.25, phrase: 1.5, topic: 1.5, finding: 0.5, record: 0.6, faint: 0.2 };

  /* -- scores ---------------------------------------------------------------------------------- */

  function rarityOf(index, terms) {
    const count = index.countPages(terms);
    return Math.log(1 + (index.count - count + 0.5) / (count + 0.5));
  }
  /* By page what the best term of a word is worth there. No other form of a word is taken to be rarer. */
  function scoreWord(index, { terms, isExact }) {
    const own = terms.filter(({ share }) => share >= search.SHARE.name);
    const mostRare = isExact ? rarityOf(index, own) : Infinity;
    const best = new Map();
    for (const each of terms) {
      const rarity = Math.min(mostRare, rarityOf(index, [each]));
      for (const { bucket, digit } of index.postingsIn(each.postings)) {
        const worth = each.share * rarity * (1 + search.VALUE[digit]);
        const known = best.get(bucket);
        if (worth <= (known?.worth ?? 0)) continue;
        best.set(bucket, { worth, rarity, isExact: known?.isExact || each.share === search.SHARE.exact });
      }
    }
    return { best, mostRare };
  }
  const EMPTY_HIT = { named: 0, whole: 0, leads: 0, words: 0, exact: 0, rarity: 0, worth: 0 };
  function scorePages(index, parts, faint) {
    const hits = new Map();
    for (const part of parts) {
      const { best, mostRare } = scoreWord(index, part);
      const tells = !part.isGuessed && mostRare > COMMON;
      part.rarity = rarityOf(
        index,
        part.terms.filter(({ isLoose }) => !isLoose),
      );
      for (const [bucket, { worth, rarity, isExact }] of best) {
        if (!hits.has(bucket)) hits.set(bucket, { ...EMPTY_HIT, bucket, isGuessed: false });
        const hit = hits.get(bucket);
        hit.words += Number(tells);
        hit.isGuessed ||= part.isGuessed;
        hit.exact += Number(isExact);
        hit.rarity += rarity;
        hit.worth += worth;
      }
    }
    for (const {
      terms: [first],
    } of faint) {
      const rarity = rarityOf(index, [first]);
      for (const { bucket, digit } of index.postingsIn(first.postings)) {
        const hit = hits.get(bucket);
        if (hit) hit.worth += FACTOR.faint * rarity * (1 + search.VALUE[digit]);
      }
    }
    return [...hits.values()];
  }
  const byRank = (a, b) =>
    b.named - a.named ||
    b.whole - a.whole ||
    b.leads - a.leads ||
    b.words - a.words ||
    b.exact - a.exact ||
    b.worth - a.worth ||
    (a.bucket < b.bucket ? -1 : 1);
  const byWorth = (a, b) => b.worth - a.worth;

  /* Pages with as many of the words as any page has, and those that only hold what was guessed; where these
     are few, also what holds most of what was asked. */
  function fullestFirst(hits) {
    const most = Math.max(...hits.map(({ words }) => words));
    const isFull = (hit) => hit.words === most || (!hit.words && hit.isGuessed);
    const least = LEADING * Math.max(...hits.map(({ rarity }) => rarity));
    const full = hits.filter(isFull);
    return full.length < PAGES_AT_ONCE ? hits.filter((hit) => isFull(hit) || hit.rarity >= least) : full;
  }

  /* -- questions ------------------------------------------------------------------------------- */

  /* The pages of topics whose names fit. */
  const pagesOnTopics = (index, topics, fits) =>
    new Set(
      Object.entries(topics ?? {}).flatMap(([name, codes]) => (fits(name) ? index.bucketsIn(codes) : [])),
    );
  /* The pages of the topic whose page is `hit`. */
  const pagesOfTopic = (index, topics, hit) =>
    pagesOnTopics(index, topics, (name) => hit?.topic === search.spaceNumbers(name));
  /* By line how much the pages that answer best support it, if they are its own. */
  function supportOfLines(index, hits, lines, members) {
    const membersOf = Object.values(members ?? {}).map((codes) => new Set(index.bucketsIn(codes)));
    const support = new Map();
    let count = 0;
    for (const { bucket, worth } of hits.filter((hit) => !lines.has(hit.bucket)).sort(byWorth)) {
      const holders = membersOf.filter((each) => each.has(bucket));
      for (const each of holders) {
        const line = [...each].find((one) => lines.has(one));
        support.set(line, (support.get(line) ?? 0) + worth / holders.length);
      }
      if (holders.length && ++count === MAX_SUPPORTING) break;
    }
    return support;
  }
  /* A question is seldom put in the words of a note: what tells most of it counts. A line that holds half of
     it, and each telling word, may lead, and counts for more if claims that answer best are its own. So does
     one whose topic is named; a source counts for less. */
  function linesFirst(index, hits, { kind, line, topic }, parts, { isCovering, isMissing, isOnSite }) {
    const [lines, guides, sources] = [LINE, GUIDE, SOURCE].map(
      (name) => new Set(index.bucketsIn(kind?.[name])),
    );
    const singular = (word) => word.replace(/s$/, "");
    const ofNames = parts.flatMap(({ terms }) => terms.filter(({ share }) => share === search.SHARE.name));
    const inQuery = new Set([
      ...parts.map(({ word }) => singular(word)),
      ...ofNames.flatMap(({ term }) => term.split(" ")),
    ]);
    /* Who asks how persuasive something is names persuasion; who asks what it can learn need not name learning. */
    const stems = new Set(parts.map(({ word }) => search.stem(word)));
    const isNamedBy = (stem, word) => inQuery.has(stem) || (!word.endsWith("ing") && stems.has(stem));
    const isInQuery = (word) => inQuery.has(singular(word)) || isNamedBy(search.stem(word), word);
    const onTopic = pagesOnTopics(index, topic, (name) =>
      search.findWords(name).filter(search.isTerm).every(isInQuery),
    );
    const support = supportOfLines(index, hits, lines, line);
    const ofLines = new Set(Object.values(line ?? {}).flatMap((codes) => index.bucketsIn(codes)));
    const most = Math.max(...hits.map(({ rarity }) => rarity));
    const ranked = hits.map((hit) => {
      const own = {
        support: (isCovering(hit.bucket) && support.get(hit.bucket)) || 0,
        onTopic: onTopic.has(hit.bucket),
        isOfLine: ofLines.has(hit.bucket),
      };
      const factor = sources.has(hit.bucket) ? FACTOR.record : own.onTopic ? FACTOR.topic : 1;
      const worth = (hit.worth + own.support / MAX_SUPPORTING) * factor;
      return {
        ...hit,
        ...own,
        words: 0,
        exact: 0,
        worth,
        /* where a topic is named, no line of other topics is what was asked */
        isElsewhere: onTopic.size > 0 && !own.onTopic,
        leads: Number(
          !isMissing &&
            (!onTopic.size || own.onTopic) &&
            lines.has(hit.bucket) &&
            hit.rarity >= LEADING * most &&
            isCovering(hit.bucket),
        ),
      };
    });
    const least = LEADING * Math.max(...ranked.map(({ worth }) => worth));
    for (const hit of ranked)
      if (isOnSite && guides.has(hit.bucket) && hit.rarity >= most && hit.worth >= least) hit.leads = 2;
    return ranked;
  }
  /* Whether a page holds each word that tells pages apart; another name of what is asked may say something
     else, as feelings do of consciousness. */
  function makeCoverTest(index, known) {
    const holders = known
      .filter(({ rarity }) => rarity > COMMON)
      .map(({ terms }) =>
        index.pagesWith(terms.filter(({ share, isLoose }) => share !== search.SHARE.name && !isLoose)),
      );
    return (bucket) => holders.every((pages) => pages.has(bucket));
  }
  /* Of a question the line leads to which clearly most of what answers it belongs; by far most, where one of
     the first pages is called by another name of what is asked; none, where one is called as is asked. */
  function nearestFirst(hits) {
    const nearness = (hit) => hit.support * (1 + (hit.titled ?? 0));
    const [nearest, next] = hits.filter(({ support }) => support).sort((a, b) => nearness(b) - nearness(a));
    const lead = nearest ? nearness(nearest) / (next ? nearness(next) : 1) : 0;
    const first = hits.slice(0, 3);
    const isCalled = first.some((hit) => hit.called >= search.SHARE.name || hit.onTopic);
    const isTaken = hits.some((hit) => hit.named || hit.leads) || first.some(({ asTyped }) => asTyped);
    /* What the title of a page of no line says, and that of the line does not, the line holds by the way; so
       it does where none of its own wordings says any of it. */
    const [{ titled: share = 0, isOfLine } = {}] = first;
    const isAside = share >= LEADING && !isOfLine && !(nearest?.titled >= LEADING);
    const isUnsaid = share > 0 && !(nearest?.titled && nearest.isNamed && !nearest.isElsewhere);
    if (lead < (isCalled ? BY_FAR : CLEARLY) || isTaken || isAside || isUnsaid) return hits;
    return [nearest, ...hits.filter((hit) => hit !== nearest)];
  }

  /* -- titles and texts ------------------------------------------------------------------------ */

  const termsOf = ({ terms }) => terms.flatMap(({ term }) => term.split(" "));
  const stemsOf = (text) => search.findWords(text).filter(search.isTerm).map(search.stem);
  const isHeld = ({ terms }, stems) =>
    terms.some(({ term, isLoose }) => !isLoose && term.split(" ").every((word) => stems.has(word)));
  /* Tests of titles and names by what was typed. */
  function makeTitleTests(query, known) {
    const meant = known.map((part) => new Set(part.isExact ? [search.stem(part.word)] : termsOf(part)));
    const total = known.reduce((sum, { rarity }) => sum + rarity, 0);
    const rarest = known.reduce((most, part) => (most && most.rarity >= part.rarity ? most : part), null);
    const rareTerms = rarest ? meant[known.indexOf(rarest)] : new Set();
    /* The share of what was asked that a title or sentence holds. */
    const shareIn = (text) => {
      const stems = new Set(search.findWords(text).map(search.stem));
      return known.filter((part) => isHeld(part, stems)).reduce((sum, { rarity }) => sum + rarity / total, 0);
    };
    return {
      rareTerms,
      shareIn,
      isMost: (sentence) => shareIn(sentence) >= ANSWERING,
      isMeant(name) {
        const stems = stemsOf(name);
        return stems.length === meant.length && stems.every((term, at) => meant[at].has(term));
      },
      /* The beginning of a short title, word for word, whatever words these are: what changed. */
      isBegun(name) {
        const { words } = query;
        const own = search.findWords(name);
        return (
          words.length > 1 && own.length < words.length + 3 && words.every((word, at) => word === own[at])
        );
      },
      /* What the query calls by a name of several words is what it is about. */
      holdsNames(titles) {
        const stems = new Set(titles.flatMap(stemsOf));
        return known.every((part) => !part.terms.some(({ isLoose }) => isLoose) || isHeld(part, stems));
      },
      holdsRarest: (titles) => Boolean(rarest) && isHeld(rarest, new Set(titles.flatMap(stemsOf))),
      isRarest(name) {
        const stems = stemsOf(name);
        return stems.length === 1 && rareTerms.has(stems[0]);
      },
      isAsked: (name) => stemsOf(name).every((term) => known.some((part) => isHeld(part, new Set([term])))),
      hasAllFamilies: (title) =>
        known.every(({ word }) => ` ${search.familiesOf(title)} `.includes(` ${search.familiesOf(word)} `)),
    };
  }
  /* How much more a page is worth by its text: words count for more as they were typed, and in their
     order. */
  function factorOfText(words, typed) {
    const own = new Set(words);
    const share = typed.filter((word) => own.has(word)).length / typed.length;
    const isPhrase = typed.length > 1 && ` ${words.join(" ")} `.includes(` ${typed.join(" ")} `);
    return FACTOR.exact ** share * (isPhrase ? FACTOR.phrase : 1);
  }
  function readPage(hit, [, title, labels, text], { names, wantsAnswer, asker }, typed, tests) {
    const titles = title.split(/ · |\n/);
    const words = search.findWords(`${title} ${text}`).filter(search.isTerm);
    const is = (kind) => labels.includes(kind);
    const shares = names.length ? [0] : title.split("\n").map(tests.shareIn);
    const titled = Math.max(...shares);
    const isEntry = wantsAnswer && ENTRIES.some(is);
    const isTopic = !isEntry && is(TOPIC) && titles.some(tests.isAsked);
    const called = isTopic ? 1 : isEntry || is(NAME) ? 0 : titled;
    const isNamed = tests.holdsNames(titles);
    const isWording = [LINE, TOPIC, NAME, TERM].some(is);
    /* Half of a question may say what it is about only with its rarest word. */
    const isSaid = isNamed && titled >= (tests.holdsRarest(titles) ? LEADING : MOSTLY);
    const isChance = Number(is(LINE) && !names.length && !isSaid);
    const page = ` ${search.spaceNumbers(`${title} ${text}`)} `;
    const factorOfKind = isTopic ? FACTOR.topic : wantsAnswer && is(EVIDENCE) ? FACTOR.finding : 1;
    const isOnAsker = asker && PEOPLE.test(title);
    return {
      ...hit,
      titled,
      wordings: shares.reduce((sum, share) => sum + share, 0),
      isNamed,
      isSaid,
      isWording,
      isWorded: isWording && tests.hasAllFamilies(title),
      called,
      topic: isTopic || (is(TOPIC) && titled > MOSTLY) ? search.spaceNumbers(titles[0]) : "",
      asTyped: called && tests.hasAllFamilies(title),
      named: Number(!isEntry && titles.some((name) => tests.isMeant(name) || tests.isBegun(name))),
      whole: Number(names.length > 0 && names.every((name) => page.includes(` ${name} `))),
      defines: hit.support !== undefined && is(TERM) && titles.some(tests.isRarest),
      /* Whether one sentence says most of what was asked; words that stand far apart are not about one thing. */
      isTold: () => `${title}\n${text}`.split("\n").flatMap(splitSentences).some(tests.isMost),
      answers: is(LINE) && words.some((word) => tests.rareTerms.has(search.stem(word))),
      worth:
        hit.worth * factorOfText(words, typed) * (1 + titled) * factorOfKind * (isOnAsker ? FACTOR.asker : 1),
      leads: hit.leads * (1 - isChance),
      words: hit.words - isChance,
      /* another form of its name calls a topic as well: sycophantic */
      exact: isTopic && hit.exact < typed.length ? typed.length : hit.exact - isChance,
    };
  }
  /* The index knows stems only: the best pages are read, and those that are called as was asked lead. What
     holds but parts of a name with numbers is left out. One line leads, if its title holds most of a
     question; if no line has its rarest word, the glossary's entry does. */
  async function namedFirst(index, hits, query, parts, known) {
    const tests = makeTitleTests(query, known);
    const typed = parts.map(({ word }) => word);
    const read = async (hit) => readPage(hit, await index.loadDocument(hit.bucket), query, typed, tests);
    const pages = await Promise.all(hits.map(read));
    const lines = pages
      .filter(({ leads }) => leads === 1)
      .sort((a, b) => b.titled - a.titled || b.wordings - a.wordings || byWorth(a, b));
    const entry = !pages.some(({ answers }) => answers) && pages.find(({ defines }) => defines);
    for (const line of lines.slice(entry ? 0 : 1)) line.leads = 0;
    if (entry) entry.leads = 1;
    const whole = query.names.length ? pages.filter((page) => page.whole || page.named) : [];
    return (whole.length ? whole : pages).sort(byRank);
  }
  /* For words that are no question, the one that the site asks with all of them in its title, else in another
     of its wordings, or on the topic that is called so; and whether it comes first. Where a page is called as
     was typed, that comes before a question that only has the words in passing, or only the topic, or that
     says other names of it alone. */
  async function questionOn(index, hits, known) {
    const { kind, topic } = await index.loadFacets();
    const lines = new Set(index.bucketsIn(kind?.[LINE]));
    const tells = known.some(({ rarity }) => rarity > COMMON) && !known.some(({ isGuessed }) => isGuessed);
    const onTopic = pagesOfTopic(index, topic, hits[0]);
    const isOwn = ({ share, isLoose }) => share !== search.SHARE.name && !isLoose;
    const holds = (least) => (wording) => {
      const stems = new Set(stemsOf(wording));
      return known.every(({ terms }) =>
        isHeld({ terms: terms.filter(({ share }) => share >= least) }, stems),
      );
    };
    const read = async ({ bucket, worth }) => {
      const [, titles, , text] = await index.loadDocument(bucket);
      const [title, ...others] = titles.split("\n");
      const isTitled = holds(search.SHARE.exact)(title);
      const marks = Number(others.some(holds(search.SHARE.name))) + Number(onTopic.has(bucket));
      const stems = new Set(stemsOf(`${titles} ${text}`));
      const isSaid = known.every(({ terms }) => isHeld({ terms: terms.filter(isOwn) }, stems));
      return { bucket, worth, isSaid, marks: isTitled ? 3 : marks };
    };
    const found = await Promise.all(hits.filter(({ bucket }) => tells && lines.has(bucket)).map(read));
    const [best] = found.filter(({ marks }) => marks).sort((a, b) => b.marks - a.marks || byWorth(a, b));
    const isFirst = best?.marks > 1 && best.isSaid;
    return best && { ...best, isFirst: isFirst || !(hits[0].named || hits[0].topic) };
  }

  /* Where the first page is that of a topic, pages on it come before those that only hold the words. */
  async function topicFirst(index, hits) {
    const onTopic = pagesOfTopic(index, (await index.loadFacets()).topic, hits[0]);
    if (!onTopic.size) return hits;
    const weigh = (hit) => (onTopic.has(hit.bucket) ? { ...hit, worth: hit.worth * FACTOR.topic } : hit);
    return [hits[0], ...hits.slice(1).map(weigh).sort(byRank)];
  }
  /* Where many pages hold the words as typed, what holds others instead, or is far from these, is left out. */
  function withoutTail(hits) {
    const isWhole = (hit) => hit.exact === Math.max(...hits.map(({ exact }) => exact));
    const whole = hits.filter(isWhole);
    if (whole.length < PAGES_AT_ONCE || hits.some(({ isGuessed }) => isGuessed)) return hits;
    const worths = whole.map(({ unread }) => unread).sort((a, b) => b - a);
    const least = LEADING * worths[PAGES_AT_ONCE - 1];
    return hits.filter((hit) => hit.named || (isWhole(hit) && hit.unread >= least));
  }

  /* Whether the site treats what a question asks: the glossary has names for all of it, or a page says most of
     it. One word alone tells that only where a question of the site or a name has it: what the best chatbot is,
     “the best models come near adults” does not say. */
  function isTreated(pages, known) {
    const telling = known.filter(({ rarity }) => rarity > COMMON);
    const isCalled = telling.length > 0 && telling.every((part) => part.isCalled);
    const isSaid = ({ titled, isWording, isWorded }) =>
      isWorded || (titled >= ANSWERING && (telling.length > 1 || isWording));
    return isCalled || pages.some((page) => page.leads || page.named || isSaid(page));
  }

  /* -- what is found --------------------------------------------------------------------------- */

  /* The best pages, of which some were read. */
  async function rankPages(index, query, parts, known, faint) {
    const isTelling = ({ word, terms }) =>
      rarityOf(index, terms) > COMMON &&
      (!search.QUESTION_WORDS.has(word) || terms.some(({ isLoose }) => isLoose));
    const tells = known.some(isTelling);
    const hits = scorePages(index, known, faint);
    /* Who asks of chatbots, or for what no page has, does not ask about the site. */
    const isMissing = parts.some(({ terms }) => !terms.length);
    const isOnSite = known.length === parts.length && !query.words.some((word) => search.PRODUCTS.has(word));
    const isLong = known.length >= MANY && !query.names.length;
    const isApart = isLong && !hits.some(({ words }) => words === known.length);
    const facets = query.isQuestion || isApart ? await index.loadFacets() : null;
    const isCovering = makeCoverTest(index, known);
    const ranked = (
      facets
        ? linesFirst(index, hits, facets, known, { isCovering, isMissing, isOnSite })
        : fullestFirst(hits)
    ).sort(byRank);
    /* Of a question, what is far from the best matches only by what most pages hold. */
    const least = facets ? LEADING * Math.max(...ranked.map(({ worth }) => worth)) : 0;
    for (const hit of ranked) Object.assign(hit, { unread: hit.worth, isNear: hit.worth >= least });
    /* A question may be one of the site's own wordings, or begin the title of a page about the site, in words
       that tell no page apart. */
    const asking = new Set([GUIDE, LINE].flatMap((kind) => index.bucketsIn(facets?.kind?.[kind])));
    const count = query.names.length ? PAGES_READ_FOR_NAMES : PAGES_READ;
    const isRead = (hit, at) => at < count || asking.has(hit.bucket);
    const best = await namedFirst(index, ranked.filter(isRead), query, parts, known);
    const all = nearestFirst([...best, ...ranked.filter((hit, at) => !isRead(hit, at))]);
    const found = facets || !tells ? all : withoutTail(await topicFirst(index, all));
    const shown = found.filter((hit, at) => at < FEW || hit.isNear || hit.named || hit.leads);
    const isAnswered =
      query.isQuestion &&
      tells &&
      shown[0]?.titled >= ANSWERING &&
      shown[0].isSaid &&
      !shown[0].isElsewhere &&
      isCovering(shown[0].bucket);
    return {
      all,
      shown,
      isAnswered,
      /* Who asks how or whether uses other words than the notes; who asks who or what, or types words, names it. */
      isScattered: !query.wantsAnswer && known.length > 1 && !best.some((page) => page.isTold()),
      isAstray: query.isQuestion && !isTreated(best, known),
      isPassing:
        !query.isQuestion &&
        !query.names.length &&
        tells &&
        !best.some(({ titled, named, onTopic }) => titled || named || onTopic),
    };
  }
  /* The buckets of the pages that are found, best first, and what is to be told of them; `isSilent` if nothing
     was asked that tells pages apart, and what the site asks stands for it. */
  async function findPages(text) {
    const index = await search.loadIndex();
    const query = search.readQuery(search.spellOut(index, text));
    const significant = search.significantWords(index, query);
    const parts = (
      await Promise.all(significant.map((typed) => search.expandAsMeant(index, query, typed)))
    ).flat();
    const faint = await search.expandFaint(index, query, significant);
    await search.addNames(index, query, parts);
    const known = search.withoutCommonWords(
      index,
      parts.filter(({ terms }) => terms.length),
    );
    const missing = parts.filter(({ terms }) => !terms.length).map(({ word }) => word);
    /* Pages on what all pages are about are not near to what none has. */
    const tells = !missing.length || known.some(({ terms }) => rarityOf(index, terms) > COMMON);
    const asked = tells ? known : [];
    const { all, shown, isAnswered, ...warnings } = await rankPages(index, query, parts, asked, faint);
    /* One word of several says little of what was asked, unless a topic is called so. */
    const isAsked = (word) => search.isTerm(word) && !search.PRODUCTS.has(word);
    const isWhole = known.length > 1 || query.words.filter(isAsked).length < 2 || all[0]?.topic;
    const isPlain = isWhole && !query.isQuestion && !missing.length && !query.names.length;
    const question = isPlain ? await questionOn(index, all, known) : null;
    const others = shown.map(({ bucket }) => bucket).filter((bucket) => bucket !== question?.bucket);
    const before = question?.isFirst ? 0 : 1; // pages that stand before the question
    const buckets = question
      ? [...others.slice(0, before), question.bucket, ...others.slice(before)]
      : others;
    const isSilent = !buckets.length && (query.words.length > 1 || !query.words.some(search.isTerm));
    const guessed = known.filter(({ isGuessed }) => isGuessed);
    return {
      index,
      ...warnings,
      isSilent,
      known,
      missing,
      buckets: isSilent ? index.bucketsIn((await index.loadFacets()).kind?.[LINE]) : buckets,
      isAnswered: question ? question.isFirst : isAnswered && !missing.length,
      names: query.names,
      guesses: guessed.map((part) => ({ word: part.word, terms: new Set(termsOf(part)) })),
      nearby: parts.flatMap((part) => part.nearby),
    };
  }

  Object.assign(search, { COMMON, FEW, LINE, PAGES_AT_ONCE, findPages });
}
