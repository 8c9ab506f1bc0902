/* The box of the search in the header, and suggestions on the page for lost readers. What searches is loaded
   when a reader begins: search-words.js, search-terms.js, search-ranking.js, search-results.js, and then
   files of the index. */
"use strict";
{
  const { fold, loadScripts, setUp } = window.kg;
  const FAILED = "Search could not be loaded";
  const PARTS = {
    "search-words.js": () => window.kg.search,
    "search-terms.js": () => window.kg.search.loadIndex,
    "search-ranking.js": () => window.kg.search.findPages,
    "search-results.js": () => window.kg.search.Results,
  };
  async function loadSearch() {
    await loadScripts(PARTS);
    return window.kg.search;
  }
  window.kg.loadSearch = loadSearch;

  class SearchBox {
    constructor(box) {
      this.box = box;
      this.toggle = document.getElementById("__search");
      this.form = box.querySelector("form");
      this.input = this.form.elements.namedItem("query");
      this.status = box.querySelector(".kg-search-result__meta");
      this.list = box.querySelector(".kg-search-result__list");
      this.count = 0; // of questions asked
      this.listen();
    }

    listen() {
      const { box, form, input, toggle } = this;
      input.addEventListener("focus", () => this.open());
      input.addEventListener("input", () => this.ask());
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        this.links()[0]?.click();
      });
      form.addEventListener("reset", () => setTimeout(() => this.ask()));
      toggle.addEventListener("change", () => toggle.checked && input.focus());
      this.list.addEventListener("click", (event) => event.target.closest("a") && this.close());
      box.addEventListener("keydown", (event) => this.move(event));
      /* Who goes on by Tab is done here; without a target, it is the window that was left. */
      box.addEventListener("focusout", ({ relatedTarget }) => {
        if (relatedTarget && !box.contains(relatedTarget)) this.setOpen(false);
      });
      document.addEventListener("keydown", (event) => this.onShortcut(event));
    }

    async open() {
      this.setOpen(true);
      try {
        await (await loadSearch()).loadIndex();
        if (!this.count) await this.ask();
      } catch {
        if (!this.count) this.fail(); // else the answer to a question says what became of it
      }
    }

    close() {
      this.input.blur();
      this.setOpen(false);
    }

    setOpen(isOpen) {
      this.toggle.checked = isOpen;
      this.toggle.dispatchEvent(new Event("change"));
    }

    onShortcut(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]");
      if (event.key === "Escape" && this.toggle.checked) this.close();
      else if (["/", "s", "f"].includes(event.key) && !isTyping) {
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

    say(text) {
      this.status.textContent = text;
    }

    fail() {
      this.say(FAILED);
    }

    askFor(query) {
      this.input.value = query;
      this.input.focus();
      this.ask();
    }

    async ask() {
      const number = ++this.count;
      const query = this.input.value;
      const isCurrent = () => number === this.count;
      const isEmpty = !/[\p{L}\p{N}]/u.test(fold(query));
      if (isEmpty) {
        this.results?.clear();
        this.say("Type to search");
      } else if (this.results?.isSilent) this.say("Searching …");
      for (const isLast of [false, true]) {
        try {
          const { Results } = await loadSearch();
          this.results ??= new Results(this);
          await (isEmpty ? this.results.begin(isCurrent) : this.results.answer(query, isCurrent));
          return;
        } catch {
          window.kg.search?.forgetIndex?.();
          if (!isCurrent()) return;
          if (isLast) this.fail();
        }
      }
    }
  }

  const box = document.querySelector("[data-kg-search]");
  if (box) new SearchBox(box);

  /* The page for lost readers suggests what their address seems to name. */
  setUp("[data-kg-suggestions]", async (area) => {
    const name = decodeURIComponent(location.pathname.split("/").filter(Boolean).pop() ?? "");
    const { listPages } = await loadSearch();
    const links = await listPages(name.replace(/\.html$/, "")).catch(() => []);
    area.querySelector("ul").replaceChildren(...links);
    area.hidden = !links.length;
  });
}
