/* The table of all statements (`data-kg-rows`), to filter, to order and to send: what is chosen stands in the
   address. It is made of the data beside the page, which kg/publish/pages/statement_table.py writes. */
"use strict";
{
  const { make, makeButton, makeField, fold, whenLeft } = window.kg;
  const { ROWS_AT_FIRST, compare, headsOf, inEnglish, makeFilter, makeHeadsButtons, markSorted } =
    window.kg.tables;
  const STEP = 500;
  const NO_QUESTION = "none";
  const QUESTION = "By question";
  const BY_DECISION = "evidence by its quality.";
  const decidedness = ({ strength, isEvidence }) =>
    strength && (isEvidence ? strength : Math.abs(strength - 0.5));
  const ORDERS = [
    { name: QUESTION },
    {
      name: "Most disputed",
      column: 4,
      direction: -1,
      key: ({ dispute }) => dispute,
      hint: "First the claims with strong reasons on both sides; last those that are “probably” or surer.",
    },
    {
      name: "Surest",
      column: 3,
      direction: -1,
      key: decidedness,
      hint: `First what surely holds or surely does not; ${BY_DECISION}`,
    },
    {
      name: "Least sure",
      column: 3,
      direction: 1,
      key: decidedness,
      hint: `First what the notes leave undecided; ${BY_DECISION}`,
    },
    { name: "Title", column: 0, direction: 1, key: ({ title }) => title },
    { name: "Camp", column: 1, direction: 1, key: ({ camp }) => camp },
    { name: "Topic", column: 2, direction: 1, key: ({ topics }) => topics },
  ];

  /* -- data ------------------------------------------------------------------------------------ */

  function readStatement(row, place, lines) {
    const [title, page, kinds, camp, word, limit, strength, pro, con, topics, dispute, about, questions] =
      row;
    return {
      place,
      title,
      page,
      kinds,
      camp,
      word,
      limit,
      strength,
      pro,
      con,
      topics,
      dispute,
      isEvidence: pro === null,
      text: fold([title, ...topics, ...about].join(" · ")),
      questions: questions.length ? questions.map((at) => lines[at][1]) : [NO_QUESTION],
    };
  }
  function readData({ camps, lines, rows, ...words }, root) {
    return {
      ...words,
      root,
      hasQuestions: lines.length > 0,
      camps: new Map(camps.map((camp) => [camp.id, camp])),
      questions: new Map(
        lines.map(([title, page, answer], at) => [page, { title, page, answer, number: `Q${at + 1}` }]),
      ),
      statements: rows.map((row, place) => readStatement(row, place, lines)),
    };
  }

  /* -- rows ------------------------------------------------------------------------------------ */

  function makeLink({ root, camps }, { title, page, camp, isEvidence }) {
    const className = `kg-chip ${camps.get(camp)?.class ?? "kg-camp-none"}${isEvidence ? " kg-hollow" : ""}`;
    return make("a", { href: root + page, className }, title);
  }
  /* A bar from the middle to either side, as long as the reasons there weigh. */
  function makeSides({ amounts, full }, pro, con) {
    const inWords = (nats) => amounts.find(([limit]) => limit === null || nats < limit)[1];
    const title = `${inWords(con)} against it (${con.toFixed(2)}), ${inWords(pro)} for it (${pro.toFixed(2)})`;
    const bar = (name, nats) =>
      make(name, { className: `kg-wide-${Math.min(50, Math.round((50 * nats) / full))}` });
    return make(
      "span",
      { className: "kg-bar kg-pro-and-con", role: "img", title },
      bar("i", con),
      bar("b", pro),
    );
  }
  /* `Also for Q2, Q5`: links to the questions that list a statement, but for the one that it stands under. */
  function makeNumbers(data, pages, group) {
    const others = [...data.questions.values()].filter(({ page }) => page !== group && pages.includes(page));
    const links = others.flatMap(({ title, page, number }) => [
      ", ",
      make("a", { href: data.root + page, title }, number),
    ]);
    const label = group ? "Also for " : "For ";
    return others.length > 0 && make("span", { className: "kg-reason" }, label, ...links.slice(1));
  }
  function makeRow(data, statement, group, columns) {
    const { camp, topics, word, limit, pro, con, questions } = statement;
    const remark = makeNumbers(data, questions, group);
    const verdict = limit && limit !== data.usual ? `${word}, ${limit}` : word;
    const cells = [
      data.camps.get(camp)?.label,
      topics.join(", "),
      make("span", { title: limit && `No surer: ${limit}` }, verdict),
      pro !== null && makeSides(data, pro, con),
    ].map((cell, at) =>
      make("td", { "data-label": columns[at + 1], className: cell ? "kg-short" : "kg-blank" }, cell || "–"),
    );
    return make("tr", {}, make("th", { scope: "row" }, makeLink(data, statement), remark), ...cells);
  }
  const makeWideRow = (columns, name, properties, ...children) =>
    make("tr", {}, make(name, { colspan: String(columns.length), ...properties }, ...children));
  function makeEvidenceRow(data, evidence, columns) {
    const count = `${inEnglish(evidence.length)} more ${evidence.length > 1 ? "findings" : "finding"}`;
    const list = make("ul", { className: "kg-plain" });
    const itemOf = (each) =>
      make("li", {}, makeLink(data, each), make("span", { className: "kg-small" }, each.word));
    const ontoggle = () => list.firstChild || list.append(...evidence.map(itemOf));
    return makeWideRow(columns, "td", {}, make("details", { ontoggle }, make("summary", {}, count), list));
  }
  function makeGroupRow({ root, questions, other }, group, columns) {
    const { title, page, answer, number } = questions.get(group) ?? {};
    const name = page
      ? [
          `${number} `,
          make("a", { href: root + page }, title),
          make("span", { className: "kg-reason" }, answer),
        ]
      : [group === NO_QUESTION ? other : group];
    return makeWideRow(columns, "th", { scope: "rowgroup", "data-kg-group": true }, ...name);
  }
  /* Functions that make the rows of statements, under headings; in the order of questions all but the first
     findings of each are folded. */
  function listRows(data, statements, { isByQuestion, isWhole, question }, columns) {
    const makers = [];
    let group = isByQuestion && !data.hasQuestions ? NO_QUESTION : undefined;
    let [unfolded, folded] = [0, null];
    for (const each of statements) {
      const own = isByQuestion ? question || each.questions[0] : each.isEvidence ? "Findings" : undefined;
      if (own !== group) {
        makers.push(() => makeGroupRow(data, own, columns));
        [unfolded, folded] = [0, null];
      }
      group = own;
      const isFolded = isByQuestion && isWhole && each.isEvidence && unfolded++ >= data.unfolded;
      if (!isFolded) makers.push(() => makeRow(data, each, isByQuestion && own, columns));
      else if (folded) folded.push(each);
      else {
        const members = (folded = [each]);
        makers.push(() => makeEvidenceRow(data, members, columns));
      }
    }
    return makers;
  }

  /* -- what is chosen -------------------------------------------------------------------------- */

  /* The values of a column, those in `first` before others and then the commonest first, each with how many rows
     have it. */
  function makeSelect(values, onchange, nameOf = (value) => value, first = []) {
    const counts = new Map();
    for (const value of values.filter(Boolean)) counts.set(value, (counts.get(value) ?? 0) + 1);
    const placeOf = (value) => (first.includes(value) ? first.indexOf(value) : first.length);
    const options = [...counts]
      .sort(([one, a], [other, b]) => placeOf(one) - placeOf(other) || b - a)
      .map(([value, count]) => make("option", { value }, `${nameOf(value)} (${count})`));
    return make("select", { onchange }, make("option", { value: "" }, "All"), ...options);
  }
  function sortStatements(statements, { key, direction }) {
    if (!key) return statements;
    return [...statements].sort((a, b) => {
      const [one, other] = [key(a), key(b)];
      const missing = a.isEvidence - b.isEvidence || (one === null) - (other === null);
      return missing || compare(one, other) * direction || a.place - b.place;
    });
  }
  /* So that it can be sent to others, and is there again on the way back. */
  function keepInAddress(controls) {
    const chosen = Object.entries(controls).flatMap(([name, { value }]) => (value ? [[name, value]] : []));
    const hash = chosen.length ? `#${new URLSearchParams(chosen)}` : "";
    history.replaceState(history.state, "", location.pathname + location.search + hash);
  }
  function restoreFromAddress(controls) {
    for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
      const control = Object.hasOwn(controls, name) && controls[name];
      const options = control && control.options && [...control.options];
      if (control && (!options || options.some((option) => option.value === value))) control.value = value;
    }
  }
  function makeControls({ statements, camps, questions, hasQuestions, other }, update, filter) {
    const nameOfOrder = ({ name }) => (name === QUESTION && !hasQuestions ? "Most said about" : name);
    const orders = ORDERS.map((order) =>
      make("option", { value: order.key ? order.name : "" }, nameOfOrder(order)),
    );
    const nameOfQuestion = (page) => {
      const { number, title } = questions.get(page) ?? {};
      return number ? `${number} ${title}` : other;
    };
    const places = hasQuestions ? statements.flatMap((each) => each.questions) : [];
    return {
      words: filter.input,
      kind: makeSelect(
        statements.flatMap(({ kinds }) => kinds),
        update,
      ),
      camp: makeSelect(
        statements.map(({ camp }) => camp),
        update,
        (id) => camps.get(id).label,
      ),
      question: makeSelect(places, update, nameOfQuestion, [...questions.keys()]),
      order: make("select", { onchange: update }, ...orders),
    };
  }

  function fillStatementTable(area, content) {
    const table = area.querySelector("table");
    if (!table || !area.isConnected) return;
    const data = readData(content, area.dataset.kgRoot);
    const columns = headsOf(table).map((cell) => cell.textContent);
    const hint = area.querySelector("p");
    const hintByQuestion = hint.textContent;
    let [makers, count, sorted, sortedBy] = [[], 0, [], null];
    function showMore(step) {
      table.tBodies[0].append(...makers.splice(0, step).map((makeNext) => makeNext()));
      more.hidden = !makers.length;
      more.textContent = makers.length > STEP ? `Show ${STEP} more` : `Show all ${inEnglish(count)}`;
    }
    const chosenOrder = () => ORDERS.find(({ name }) => name === controls.order.value) ?? ORDERS[0];
    function update() {
      const [order, fits] = [chosenOrder(), filter.makeTest()];
      const [kind, camp, question] = [controls.kind.value, controls.camp.value, controls.question.value];
      const isChosen = (each) =>
        (!kind || each.kinds.includes(kind)) &&
        (!camp || each.camp === camp) &&
        (!question || each.questions.includes(question)) &&
        fits(each.text);
      if (order !== sortedBy) sorted = sortStatements(data.statements, order);
      sortedBy = order;
      const chosen = sorted.filter(isChosen);
      const view = { isByQuestion: !order.key, isWhole: chosen.length === data.statements.length, question };
      keepInAddress(controls);
      markSorted(table, order.column, order.direction);
      hint.textContent = order.key ? (order.hint ?? "") : hintByQuestion;
      count = chosen.length;
      makers = listRows(data, chosen, view, columns);
      table.tBodies[0].replaceChildren();
      showMore(ROWS_AT_FIRST);
      filter.showCount(count, data.statements.length);
    }
    const filter = makeFilter("Title, topic or name", update);
    const controls = makeControls(data, update, filter);
    const more = makeButton("", () => showMore(STEP));
    const { kind, camp, question, order } = controls;
    const fields = [
      makeField("Kind", kind),
      makeField("Camp", camp),
      data.hasQuestions && makeField("Question", question),
    ];
    area.prepend(filter.makeTools(...fields, makeField("Order by", order)));
    area.append(more);
    /* The next order of a column; after its last one, by question again. */
    makeHeadsButtons(table, (column) => {
      const own = ORDERS.filter((each) => each.column === column);
      order.value = own[own.indexOf(chosenOrder()) + 1]?.name ?? "";
      update();
    });
    restoreFromAddress(controls);
    update();
    const showAll = () => showMore(Infinity); // on paper no button shows the rest
    window.addEventListener("beforeprint", showAll);
    whenLeft(area, () => window.removeEventListener("beforeprint", showAll));
  }

  window.kg.fillStatementTable = fillStatementTable;
}
