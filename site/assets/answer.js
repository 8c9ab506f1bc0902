/* What readers may do with an answer: show weights in the essay (`data-kg-weights`), walk through the reasons
   for it (`data-kg-walk`), leave out rows of a table (`data-kg-counted`) or bars on the first page
   (`data-kg-bars`), and on the list of questions guess it before they see it (`data-kg-guess`). */
"use strict";
{
  const { make, makeButton, setUp, whenLeft, loadScales } = window.kg;

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

  /* -- a walk through an answer ---------------------------------------------------------------- */

  /* Either the walk is open or the scales are: both say what the answer is, and the address which is open. */
  const WALK = "#walk";
  function showWalkInAddress() {
    const isFromScales = window.kg.closeScales(); // to which the way back leads
    if (location.hash !== WALK) history[isFromScales ? "pushState" : "replaceState"](history.state, "", WALK);
  }
  function takeWalkFromAddress() {
    if (location.hash === WALK) history.replaceState(history.state, "", location.pathname + location.search);
  }
  let followLinkToWalk = () => {};
  window.addEventListener("hashchange", () => followLinkToWalk());
  setUp("[data-kg-walk]", (button) => {
    const [box, area] = [button.closest(".kg-verdict"), document.querySelector("[data-kg-weigh]")];
    const status = make("span", { className: "kg-small", role: "status" });
    button.after(status);
    button.onclick = async () => {
      status.textContent = "";
      try {
        const content = await loadScales(area, { "walk.js": () => window.kgWeigh.walkThrough });
        if (!button.isConnected || box.querySelector(".kg-walk")) return;
        showWalkInAddress();
        const panel = window.kgWeigh.walkThrough(box, content, area.dataset.kgRoot, () => {
          takeWalkFromAddress();
          button.focus({ preventScroll: true });
        });
        window.kg.endWalk = () => panel.node.isConnected && panel.end();
      } catch (error) {
        status.textContent = ` (it could not be loaded: ${error.message})`;
      }
    };
    followLinkToWalk = () => button.isConnected && location.hash === WALK && button.click();
    followLinkToWalk();
  });

  /* -- rows of tables that count in the answer --------------------------------------------------- */

  const NEAR = "400px"; // of what is on the screen: then the scale beneath a table is drawn
  setUp("[data-kg-counted]", (foot) => {
    const area = document.querySelector("[data-kg-weigh]");
    const near = new IntersectionObserver(
      async (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        near.disconnect();
        const content = await loadScales(area).catch(() => null); // whoever ticks a box is told
        if (content && foot.isConnected) window.kgWeigh.fillTables(content);
      },
      { rootMargin: NEAR },
    );
    const table = foot.previousElementSibling;
    const both = make("div", { className: "kg-counting" }); // beside which the answer stays in sight
    table.before(both);
    both.append(table, foot);
    near.observe(foot);
    whenLeft(foot, () => near.disconnect());
    table.onchange = async ({ target: box }) => {
      const isOut = !box.checked;
      const panel = await window.kg.openScales();
      if (panel) return panel.leaveOut(box.dataset.kgFindings.split("\n"), isOut);
      box.checked = true;
      foot.firstChild.textContent = "The answer could not be weighed: the scales could not be loaded.";
    };
    foot.querySelector("button").onclick = async () => (await window.kg.openScales())?.undoAll.click();
  });

  /* -- bars on the first page that count in an answer ------------------------------------------- */

  const [EDGE, WIDTH] = [10, 300]; // of a scale, as kg/publish/graphics/dial.py draws it
  setUp("[data-kg-bars]", (figure) => {
    const { words, answers, places, reached, counts, findings } = JSON.parse(figure.dataset.kgBars);
    const boxes = [...figure.querySelectorAll("input")];
    const [count, remark, answer] = figure.querySelector("[role=status]").children;
    const hint = figure.querySelector(".kg-bars-try");
    const invitation = hint.textContent;
    const undo = makeButton("Undo", () => {
      for (const box of boxes) box.checked = true;
      figure.onchange();
      boxes[0].focus();
    });
    const links = [...figure.querySelectorAll(".kg-card-title > a, .kg-onward > .kg-first")];
    const addresses = links.map((link) => link.getAttribute("href"));
    const bar = figure.querySelector(".kg-dial-answer");
    const wordsOfScale = [...figure.querySelectorAll(".kg-dial-words > span")];
    figure.onchange = () => {
      const ticked = boxes.filter(({ checked }) => checked).length;
      /* as kg/publish/components/countable_bars.py numbers the sets of rows */
      const number = boxes.reduce((sum, { checked }, row) => sum + (checked ? 2 ** row : 0), 0);
      count.textContent = `With ${counts[ticked]}:`;
      [answer.textContent, remark.textContent] = words[answers[number]];
      remark.prepend(" ");
      /* as Choices in weigh-choices.js writes it, which is not loaded here */
      const leftOut = new Set(findings.filter((_, row) => !boxes[row].checked).flat());
      const query = new URLSearchParams([...leftOut].map((id) => ["mute", id]));
      links.forEach((link, at) => (link.href = addresses[at] + (leftOut.size ? `#weigh?${query}` : "")));
      figure.classList.toggle("kg-with-choices", leftOut.size > 0);
      hint.replaceChildren(
        ...(leftOut.size
          ? [`You left out ${boxes.length - ticked} of ${boxes.length}. `, undo]
          : [invitation]),
      );
      wordsOfScale.forEach((word, at) => word.classList.toggle("kg-reached", at === reached[number]));
      const end = EDGE + (WIDTH * places[number]) / 100;
      const start = EDGE + WIDTH / 2;
      const least = Math.abs(end - start) < 1.5 ? 1.5 : 0; // so that it is seen in the middle
      bar.setAttribute("d", `M${start - least} 0H${end + least}`);
    };
  });

  /* -- guess first, then see ------------------------------------------------------------------- */

  const GUESS = "#guess";
  const MIDDLE = 3; // of the words beneath the scale that kg/publish/graphics/dial.py draws
  const MARK_HEIGHT = 5;
  const PLACES = [0.065, 0.2, 0.34, 0.5, 0.66, 0.8, 0.935]; // the middles of the parts of its words
  const NUMBERS = ["no", "one", "two", "three", "four", "five", "six"];
  const INNER_QUOTES = { "“": "‘", "”": "’" };
  const inShort = (answer) =>
    answer
      .split(": ")[0]
      .replace(/^.(?![A-Z])/, (first) => first.toLowerCase())
      .replace(/[“”]/g, (mark) => INNER_QUOTES[mark]);
  function wordOfGuess(guess, ends) {
    const word = document.querySelectorAll("[data-kg-guess] .kg-ends > span")[guess].textContent;
    return guess === MIDDLE ? word : `${word} ${inShort(ends[guess < MIDDLE ? 0 : 1])}`;
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
  /* The list leaves doubts out; who has just seen the answer should see the doubt, too. */
  function showDoubt(row, isShown) {
    const doubt = row.querySelector(".kg-caveats");
    if (doubt) doubt.hidden = !isShown;
  }
  function showAnswer(row, guess, ends) {
    const isGuessed = guess !== null;
    const scale = row.querySelector(".kg-scale");
    const answer = inShort(row.querySelector(".kg-answer-words").textContent);
    const distance = isGuessed && compareGuess(guess, Number(scale.dataset.kgWord));
    const words = isGuessed
      ? `You guessed “${wordOfGuess(guess, ends)}” (△ on the scale); we say “${answer}”, ${distance}.`
      : `We say “${answer}”.`;
    const result = make("div", { className: "kg-guess-told", tabIndex: -1 }, words);
    if (isGuessed) markGuess(scale, guess);
    row.querySelector(".kg-guess").replaceWith(result);
    showDoubt(row, true);
    result.focus();
  }
  function askForGuess(row) {
    const title = row.querySelector(".kg-card-title").textContent;
    const ends = [":first-child", ":last-child"].map(
      (end) => row.querySelector(`.kg-two-ends > ${end}`).textContent,
    );
    const words = [...row.querySelectorAll(".kg-dial-words > span")].map((word, guess) =>
      makeButton(word.textContent, () => showAnswer(row, guess, ends), {
        "aria-label": wordOfGuess(guess, ends),
        className: "kg-guess-word",
      }),
    );
    const group = make("div", { className: "kg-guess-words", role: "group" }, ...words);
    group.setAttribute("aria-label", `Your guess. ${title}`);
    const see = makeButton("No guess: see the answer", () => showAnswer(row, null, ends), {
      "aria-label": `See the answer: ${title}`,
    });
    row.querySelector(".kg-gauged").append(make("div", { className: "kg-guess" }, group, see));
  }
  setUp("[data-kg-guess]", (area) => {
    const rows = [...area.querySelectorAll(".kg-questions > li")].filter((row) =>
      row.querySelector(".kg-scale[data-kg-word]"),
    );
    if (!rows.length) return;
    const status = make("span", { className: "kg-small", role: "status" });
    const ask = (isOn) => {
      for (const one of area.querySelectorAll(".kg-guess, .kg-guessed, .kg-guess-told")) one.remove();
      for (const row of rows) showDoubt(row, false);
      area.classList.toggle("kg-guessing", isOn);
      if (isOn) rows.forEach(askForGuess);
      button.textContent = isOn ? "Show all answers" : "Guess first";
      status.textContent = isOn
        ? "What would you expect? Choose a word on each scale. Your guess is not stored."
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
