/* What stands in the header for those who have scripts: colours to choose, and the search box. It runs while
   the header is read, so that nothing moves afterwards; what the theme's script expects is defined here, too. */
"use strict";
(() => {
  const root = new URL("../", document.currentScript.src);
  const key = (name, scope) => `${scope.pathname}.${name}`;
  window.__md_scope = root;
  window.__md_hash = (text) => [...text].reduce((sum, letter) => (sum << 5) - sum + letter.charCodeAt(0), 0);
  window.__md_get = (name, store = localStorage, scope = root) => JSON.parse(store.getItem(key(name, scope)));
  window.__md_set = (name, value, store = localStorage, scope = root) => {
    try {
      store.setItem(key(name, scope), JSON.stringify(value));
    } catch {
      /* nothing is kept where nothing may be */
    }
  };

  const COLOURS = [
    ["(prefers-color-scheme)", "default", "white", "system", "Light or dark as on your device. Click for light"],
    ["(prefers-color-scheme: light)", "default", "white", "light", "Light. Click for dark"],
    ["(prefers-color-scheme: dark)", "slate", "black", "dark", "Dark. Click for the setting of your device"],
  ];
  const choices = COLOURS.map(([media, scheme, primary, icon, words], at) => `
    <input class="md-option" data-md-color-media="${media}" data-md-color-scheme="${scheme}" data-md-color-primary="${primary}"
      data-md-color-accent="indigo" aria-label="${words}" type="radio" name="__palette" id="__palette_${at}">
    <label class="md-header__button kg-icon kg-icon-${icon}" title="${words}" for="__palette_${(at + 1) % COLOURS.length}" hidden></label>`);
  document.querySelector("[data-md-component=palette]").innerHTML = choices.join("");
  const paint = () => {
    const chosen = window.__md_get("__palette")?.color?.media ?? COLOURS[0][0];
    const dark = matchMedia(COLOURS[2][0]).matches;
    const [, scheme, primary] = COLOURS.find(([media]) => media === (chosen === COLOURS[0][0] ? COLOURS[dark ? 2 : 1][0] : chosen)) ?? COLOURS[1];
    document.body.setAttribute("data-md-color-scheme", scheme);
    document.body.setAttribute("data-md-color-primary", primary);
  };
  try {
    paint();
  } catch {
    /* what is kept cannot be read: the page stays as it is */
  }

  /* The theme's switch for search, and its bar while a page is fetched. */
  const before = document.getElementById("__drawer");
  if (!document.getElementById("__search")) {
    before.insertAdjacentHTML("afterend", '<input class="md-toggle" data-md-toggle="search" type="checkbox" id="__search" autocomplete="off">');
  }
  before.insertAdjacentHTML("beforebegin", '<div class="md-progress" data-md-component="progress" aria-hidden="true"></div>');

  const box = document.querySelector("[data-kg-search]");
  box.innerHTML = `
    <label class="kg-search__overlay" for="__search"></label>
    <div class="kg-search__inner" role="search">
      <form class="kg-search__form" name="kg-search">
        <input type="text" class="kg-search__input" name="query" aria-label="Search" placeholder="Search" autocapitalize="off" autocorrect="off" autocomplete="off" spellcheck="false" enterkeyhint="search" required>
        <label class="kg-search__icon" for="__search"><span class="kg-icon kg-icon-search"></span><span class="kg-icon kg-icon-back"></span></label>
        <button type="reset" class="kg-search__icon" title="Clear" aria-label="Clear" tabindex="-1"><span class="kg-icon kg-icon-clear"></span></button>
      </form>
      <div class="kg-search__output">
        <div class="kg-search__scrollwrap">
          <div class="kg-search-result">
            <div class="kg-search-result__meta" role="status">Type to search</div>
            <button type="button" class="kg-search-meant" hidden></button>
            <div class="kg-search-facets" hidden></div>
            <ol class="kg-search-result__list"></ol>
            <button type="button" class="kg-search-more" hidden>Show more</button>
          </div>
        </div>
      </div>
    </div>`;
  const opener = document.createElement("label");
  opener.className = "md-header__button kg-icon kg-icon-search";
  opener.htmlFor = "__search";
  box.before(opener);
})();
