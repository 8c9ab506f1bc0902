/* What readers may do with an answer: show weights in the essay (`data-kg-weights`), walk through the reasons
   for it (`data-kg-walk`), and on the list of questions guess it before they see it (`data-kg-guess`). */
"use strict";
{
  const { make, makeButton, setUp, fetchPage, plainText, opening, reachOf } = window.kg;

  setUp("[data-kg-weights]", (tools) => {
    const { classList } = document.documentElement; // so it holds for the next page, too
    const show = (isOn) => {
      classList.toggle("kg-weights", isOn);
      button.textContent = isOn ? "Hide weights" : "Show weights";
    };
    const button = makeButton("", () => show(!classList.contains("kg-weights")));
    show(classList.contains("kg-weights"));
    tools.prepend(button);
  });

  /* -- a walk through an answer: of each part what neither the box nor an earlier step says ----- */

  /* What was done and how far it reaches, both from the reason's own page, and the best reply, unless that is
     the reason of another step. */
  async function describeReason(part, steps) {
    const hrefOf = (one) => one.querySelector("a.kg-chip")?.href;
    const replies = part.querySelectorAll(".kg-reply a.kg-chip");
    const reply = [...replies].find(({ href }) => !steps.some((one) => hrefOf(one) === href));
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
    const cases = [...box.querySelectorAll(".kg-case")];
    const stepOf = async (part) => ({
      name: plainText(part.firstChild),
      words: await describeReason(part, cases),
      part,
    });
    const reasons = await Promise.all(cases.map(stepOf));
    const [part, trials] = [section("turns"), box.querySelector("[data-kg-trials]")];
    const decides = part?.querySelector(".kg-lead-in") ?? part?.querySelector("p");
    const scales = document.querySelector(".kg-weigh") && section("weigh");
    const answer = box.querySelector(".kg-glance");
    const steps = [
      { name: "The answer", words: trials?.dataset.kgTrials, part: answer },
      ...reasons,
      { name: "What would decide it", words: decides && plainText(decides), part },
    ];
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
    const choice = findInput().dataset.kgChoice ?? findInput().getAttribute("aria-label");
    const question = `What becomes of the answer if you ${choice[0].toLowerCase()}${choice.slice(1)}? `;
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
  const MIDDLE = 3; // of the words beneath the scale that kg/publish/graphics/dial.py draws
  const [EDGE, WIDTH, MARK_HEIGHT] = [10, 300, 5];
  const PLACES = [0.065, 0.2, 0.34, 0.5, 0.66, 0.8, 0.935]; // the middles of the parts of its words
  const WORDS = ["undecided", "perhaps", "probably", "very probably"]; // by steps from the middle
  const NUMBERS = ["no", "one", "two", "three", "four", "five", "six"];
  const inShort = (answer) => answer.split(":")[0].replace(/^.(?![A-Z])/, (first) => first.toLowerCase());
  function wordOfGuess(guess, ends) {
    const steps = Math.abs(guess - MIDDLE);
    return steps ? `${WORDS[steps]} ${inShort(ends[guess < MIDDLE ? 0 : 1])}` : WORDS[0];
  }
  /* How far the answer lies from a guess, both as places among the words. */
  function compareGuess(guess, answer) {
    const number = Math.abs(answer - guess);
    if (!number) return "as you guessed";
    const steps = `${NUMBERS[number]} step${number > 1 ? "s" : ""}`;
    const [from, to] = [guess - MIDDLE, answer - MIDDLE];
    if (from * to < 0) return `${steps} away, on the other side`;
    return `${steps} ${Math.abs(to) < Math.abs(from) ? "nearer" : "farther from"} the middle`;
  }
  function markGuess(scale, guess) {
    const x = EDGE + WIDTH * PLACES[guess];
    const mark = document.createElementNS(scale.namespaceURI, "polygon");
    mark.setAttribute("class", "kg-guessed");
    mark.setAttribute("points", `${x - 6},${MARK_HEIGHT} ${x + 6},${MARK_HEIGHT} ${x},${-MARK_HEIGHT}`);
    scale.append(mark);
  }
  function showAnswer(row, guess, ends) {
    const scale = row.querySelector(".kg-scale");
    const answer = inShort(row.querySelector(".kg-answer-words").textContent);
    const distance = compareGuess(guess, Number(scale.dataset.kgWord));
    const words = `You guessed “${wordOfGuess(guess, ends)}” (△ on the scale); we say “${answer}”, ${distance}.`;
    const result = make("div", { className: "kg-guess-told", tabIndex: -1 }, words);
    markGuess(scale, guess);
    row.querySelector(".kg-guess").replaceWith(result);
    result.focus();
  }
  function askForGuess(row) {
    const title = row.querySelector(".kg-card-title").textContent;
    const ends = [":first-child", ":last-child"].map(
      (end) => row.querySelector(`.kg-two-ends > ${end}`).textContent,
    );
    const showWord = () => {
      const word = wordOfGuess(Number(input.value), ends);
      input.setAttribute("aria-valuetext", word);
      output.textContent = `Your guess: ${word}`;
    };
    const input = make("input", {
      type: "range",
      min: "0",
      max: String(2 * MIDDLE),
      value: String(MIDDLE),
      "aria-label": `Your guess. ${title}`,
      oninput: showWord,
    });
    const output = make("span", { className: "kg-small" });
    const see = makeButton("See the answer", () => showAnswer(row, Number(input.value), ends), {
      "aria-label": `See the answer: ${title}`,
    });
    showWord();
    row.querySelector(".kg-gauged").append(make("div", { className: "kg-guess" }, input, output, see));
  }
  setUp("[data-kg-guess]", (area) => {
    const rows = [...area.querySelectorAll(".kg-questions > li")].filter((row) =>
      row.querySelector(".kg-scale[data-kg-word]"),
    );
    if (!rows.length) return;
    const status = make("span", { className: "kg-small", role: "status" });
    const ask = (isOn) => {
      for (const one of area.querySelectorAll(".kg-guess, .kg-guessed, .kg-guess-told")) one.remove();
      area.classList.toggle("kg-guessing", isOn);
      if (isOn) rows.forEach(askForGuess);
      button.textContent = isOn ? "Show all answers" : "Guess first";
      status.textContent = isOn
        ? "Move each mark to where you expect the answer, or leave it in the middle: undecided. Nothing of it is kept."
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
