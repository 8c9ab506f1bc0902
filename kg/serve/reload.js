// Added to pages by `kg serve` alone: reload when this page changed, and name what broke.
(() => {
  "use strict";
  let source = null;
  let page = "";
  let shown = document.currentScript.dataset.shown;

  function connect() {
    if (page === location.pathname && source) return;
    source?.close();
    page = location.pathname;
    source = new EventSource(`/__kg/events?page=${encodeURIComponent(page)}&shown=${shown}`);
    shown = "";
    source.addEventListener("reload", () => location.reload());
    source.addEventListener("problems", (event) => show(JSON.parse(event.data)));
  }

  function show(problems) {
    document.getElementById("kg-problems")?.remove();
    if (!problems.length) return;
    const box = document.createElement("div");
    box.id = "kg-problems";
    box.setAttribute("role", "alert");
    Object.assign(box.style, {
      position: "fixed", inset: "auto 0 0 0", zIndex: "1000", maxHeight: "40vh", overflow: "auto",
      padding: "12px 20px", background: "#7a1f1f", color: "#fff", font: "14px/1.5 monospace",
    });
    for (const problem of problems) {
      const line = document.createElement("div");
      line.textContent = problem;
      box.append(line);
    }
    document.body.append(box);
  }

  addEventListener("beforeunload", () => source?.close());
  connect();
  // The theme replaces pages without loading them; each time, listen for the new one.
  window.document$?.subscribe(() => connect());
})();
