/* What readers may do with an answer: show weights in the essay (`data-kg-weights`), walk through the reasons
   for it (`data-kg-walk`), and on the list of questions guess it before they see it (`data-kg-guess`). */
"use strict";
{
  const { make, makeButton, setUp, fetchPage, plainText, opening, reachOf } = window.kg;

  setUp("[data-kg-weights]", (tools) => {
    const { classList } = document.documentElement; // so it holds for the next page, too
    const title =
      "A mark of its camp before each statement, and after it a gauge of how firmly the notes back it";
    const show = (isOn) => {
      classList.toggle("kg-weights", isOn);
      button.textContent = isOn ? "Hide weights" : "Show weights";
    };
    const button = makeButton("", () => show(!classList.contains("kg-weights")), { title });
    show(classList.contains("kg-weights"));
    tools.prepend(button);
  });

  /* -- a walk through an answer: of each part what the box does not say ------------------------ */

  /* What was done and how far it reaches, both from the reason's own page, and the best reply. */
  async function describeReason(part) {
    const reply = part.querySelector(".kg-reply a.kg-chip");
    const page = await fetchPage(part.querySelector("a.kg-chip").href).catch(() => null);
    const finding = page?.querySelector(".kg-page-statement > .kg-body > p");
    const reach = page && reachOf(page);
    const sentences = [
      finding && opening(finding, 0),
      reach,
      reply && `The best reply to it is: “${plainText(reply)}”.`,
    ];
    return sentences.filter(Boolean).join(" ");
  }
  async function listSteps(box) {
    const section = (id) => document.getElementById(id)?.closest(".kg-section");
    const stepOf = async (part) => ({
      name: plainText(part.firstChild),
      words: await describeReason(part),
      part,
    });
    const steps = await Promise.all([...box.querySelectorAll(".kg-case")].map(stepOf));
    const part = section("turns");
    const decides = part?.querySelector("p:not(.kg-lead-in)");
    const scales = document.querySelector(".kg-weigh") && section("weigh");
    steps.push({ name: "What would decide it", words: decides && plainText(decides), part });
    return [
      ...steps.filter((step) => step.part && step.words),
      ...(scales ? [{ name: "Your turn", part: scales }] : []),
    ];
  }
  /* A choice on the scales to be tried; what it does is seen there. */
  async function offerChoice(status, isLast) {
    await window.kg.openScales();
    const findInput = () => document.querySelector(".kg-weigh fieldset input");
    const row = findInput()?.closest("li");
    if (!row || !isLast()) return;
    const name = findInput().getAttribute("aria-label");
    const question = `What becomes of the answer if you ${name[0].toLowerCase()}${name.slice(1)}? `;
    const choose = () => findInput().checked || findInput().click();
    status.lastChild.append(question, makeButton("Try it", choose));
  }
  function showStep(status, { name, words, part }, number, count) {
    for (let fold = part.closest("details"); fold; fold = fold.parentElement.closest("details"))
      fold.open = true;
    document.querySelector(".kg-walked")?.classList.remove("kg-walked");
    part.classList.add("kg-walked");
    part.scrollIntoView({ block: part.offsetHeight > innerHeight / 2 ? "start" : "center" });
    status.replaceChildren(make("strong", {}, `${number} of ${count} · ${name}`), make("span", {}, words));
  }
  setUp("[data-kg-walk]", (start) => {
    const [box, page] = [document.querySelector(".kg-verdict"), start.closest(".kg")];
    if (!box) return;
    let [steps, at] = [[], 0];
    const status = make("p", { role: "status" });
    const end = () => {
      panel.remove();
      page.classList.remove("kg-walking");
      document.querySelector(".kg-walked")?.classList.remove("kg-walked");
      start.focus();
    };
    const go = (to) => {
      if (to === steps.length) return end();
      at = Math.max(0, to);
      showStep(status, steps[at], at + 1, steps.length);
      if (!steps[at].words) offerChoice(status, () => at + 1 === steps.length);
      back.disabled = !at;
      next.textContent = at + 1 < steps.length ? "Next" : "Done";
    };
    const back = makeButton("Back", () => go(at - 1));
    const next = makeButton("Next", () => go(at + 1));
    const onkeydown = (event) => {
      const act = { ArrowRight: () => go(at + 1), ArrowLeft: () => go(at - 1), Escape: end }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    const properties = {
      className: "kg-walk",
      role: "region",
      "aria-label": "Walk through the answer",
      onkeydown,
    };
    const panel = make("div", properties, status, make("p", {}, back, next, makeButton("End", end)));
    start.onclick = async () => {
      steps = await listSteps(box);
      if (!steps.length || !start.isConnected) return;
      page.append(panel);
      page.classList.add("kg-walking");
      go(0);
      next.focus({ preventScroll: true });
    };
  });

  /* -- guess first, then see ------------------------------------------------------------------- */

  const GUESS = "#guess";
  const MIDDLE = "undecided";
  const [EDGE, WIDTH, MARK_HEIGHT] = [10, 300, 5]; // of the scale that kg/publish/graphics/dial.py draws
  const WORDS = [
    [0.23, "perhaps"],
    [0.37, "probably"],
    [0.5, "very probably"],
  ];
  const inShort = (answer) => answer.split(":")[0].replace(/^.(?![A-Z])/, (first) => first.toLowerCase());
  function wordOfGuess(guess, end) {
    const distance = Math.abs(guess - 0.5);
    if (distance < 0.09) return MIDDLE;
    return `${(WORDS.find(([limit]) => distance < limit) ?? WORDS.at(-1))[1]} ${inShort(end)}`;
  }
  function markGuess(scale, guess) {
    const x = EDGE + WIDTH * guess;
    const mark = document.createElementNS(scale.namespaceURI, "polygon");
    mark.setAttribute("class", "kg-guessed");
    mark.setAttribute("points", `${x - 6},${MARK_HEIGHT} ${x + 6},${MARK_HEIGHT} ${x},${-MARK_HEIGHT}`);
    scale.append(mark);
  }
  function showAnswer(row, guess, end) {
    const answer = inShort(row.querySelector(".kg-answer-words").textContent);
    const words = `You guessed “${wordOfGuess(guess, end)}” (△ on the scale); the notes say “${answer}”.`;
    const result = make("div", { className: "kg-guess-told", tabIndex: -1 }, words);
    markGuess(row.querySelector(".kg-scale"), guess);
    row.querySelector(".kg-guess").replaceWith(result);
    result.focus();
  }
  function askForGuess(row) {
    const title = row.querySelector(".kg-card-title").textContent;
    const [low, high] = [":first-child", ":last-child"].map(
      (end) => row.querySelector(`.kg-two-ends > ${end}`).textContent,
    );
    const see = makeButton(
      "See the answer",
      () => showAnswer(row, Number(input.value), input.value < 0.5 ? low : high),
      {
        "aria-label": `See the answer: ${title}`,
        disabled: true,
      },
    );
    /* There is no guess before the mark is touched, be it to leave it in the middle. */
    const touch = () => {
      const inWords = `${Math.round(100 * input.value)} of 100, from ${low} to ${high}; 50 is ${MIDDLE}`;
      input.setAttribute("aria-valuetext", inWords);
      input.classList.add("kg-touched");
      see.disabled = false;
    };
    const input = make("input", {
      type: "range",
      min: "0",
      max: "1",
      step: "0.01",
      value: "0.5",
      "aria-label": `Your guess. ${title}`,
      oninput: touch,
      onpointerdown: touch,
      onkeydown: ({ key }) => key !== "Tab" && touch(),
    });
    const middle = make("span", { className: "kg-small" }, MIDDLE);
    row.querySelector(".kg-gauged").append(make("div", { className: "kg-guess" }, input, middle, see));
  }
  setUp("[data-kg-guess]", (area) => {
    const rows = [...area.querySelectorAll(".kg-questions > li")].filter((row) =>
      row.querySelector(".kg-scale"),
    );
    if (!rows.length) return;
    const status = make("span", { className: "kg-small", role: "status" });
    const ask = (isOn) => {
      for (const one of area.querySelectorAll(".kg-guess, .kg-guessed, .kg-guess-told")) one.remove();
      area.classList.toggle("kg-guessing", isOn);
      if (isOn) rows.forEach(askForGuess);
      button.textContent = isOn ? "Show all answers" : "Guess first";
      status.textContent = isOn
        ? "Move each mark to where you expect the answer. Nothing of it is kept."
        : "";
    };
    const button = makeButton("", () => {
      const isOn = !area.classList.contains("kg-guessing");
      history.replaceState(history.state, "", isOn ? GUESS : location.pathname + location.search);
      ask(isOn);
    });
    area.prepend(make("div", { className: "kg-guess-bar" }, button, status));
    ask(location.hash === GUESS);
  });
}
