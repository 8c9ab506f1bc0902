/* What stands in the header for those who have scripts: colours to choose, and the box of the search. It runs
   while the header is read, so that nothing moves afterwards; what the theme's script expects is defined
   here, too. */
"use strict";
{
  const root = new URL("../", document.currentScript.src);
  const keyOf = (name, scope) => `${scope.pathname}.${name}`;
  window.__md_scope = root;
  window.__md_get = (name, store = localStorage, scope = root) =>
    JSON.parse(store.getItem(keyOf(name, scope)));
  window.__md_set = (name, value, store = localStorage, scope = root) => {
    try {
      store.setItem(keyOf(name, scope), JSON.stringify(value));
    } catch {
      /* the browser may not let anything be stored */
    }
  };

  /* -- colours --------------------------------------------------------------------------------- */

  /* A press always goes to the colours that are not seen now; where the device has these, to its setting. */
  const [DEVICE, LIGHT, DARK] = ["", ": light", ": dark"].map((scheme) => `(prefers-color-scheme${scheme})`);
  const COLOURS = [
    { media: DEVICE, scheme: "default", primary: "white", icon: "system", name: "Colours of your device" },
    { media: LIGHT, scheme: "default", primary: "white", icon: "light", name: "Light" },
    { media: DARK, scheme: "slate", primary: "black", icon: "dark", name: "Dark" },
  ];
  const deviceIsDark = matchMedia(DARK);
  const choices = COLOURS.map(
    ({ media, scheme, primary, icon, name }, at) => `
    <input class="md-option" data-md-color-media="${media}" data-md-color-scheme="${scheme}" data-md-color-primary="${primary}"
      data-md-color-accent="indigo" aria-label="${name}" type="radio" name="__palette" id="__palette_${at}">
    <label class="md-header__button kg-icon kg-icon-${icon}" hidden></label>`,
  );
  const palette = document.querySelector("[data-md-component=palette]");
  palette.innerHTML = choices.join("");
  function setNextColours() {
    const next = deviceIsDark.matches ? [1, 0, 1] : [2, 2, 0];
    palette.querySelectorAll("label").forEach((label, at) => {
      const { name } = COLOURS[next[at]];
      label.htmlFor = `__palette_${next[at]}`;
      label.title = `${COLOURS[at].name}. Click for ${name.toLowerCase()}`;
    });
  }
  setNextColours();
  deviceIsDark.addEventListener("change", setNextColours);
  function setColours() {
    const chosen = window.__md_get("__palette")?.color?.media ?? DEVICE;
    const media = chosen !== DEVICE ? chosen : deviceIsDark.matches ? DARK : LIGHT;
    const { scheme, primary } = COLOURS.find((each) => each.media === media) ?? COLOURS[1];
    document.body.setAttribute("data-md-color-scheme", scheme);
    document.body.setAttribute("data-md-color-primary", primary);
  }
  try {
    setColours();
  } catch {
    /* what is stored cannot be read: the page stays as it is */
  }

  /* -- the search ------------------------------------------------------------------------------ */

  /* The theme's switch for search, and its bar while a page is fetched. */
  const drawer = document.getElementById("__drawer");
  if (!document.getElementById("__search")) {
    drawer.insertAdjacentHTML(
      "afterend",
      '<input class="md-toggle" data-md-toggle="search" type="checkbox" id="__search" autocomplete="off">',
    );
  }
  drawer.insertAdjacentHTML(
    "beforebegin",
    '<div class="md-progress" data-md-component="progress" aria-hidden="true"></div>',
  );

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
}
