// Added to pages by `kg serve` alone: reload when this page changed, and name what broke.
(() => {
  "use strict";
  let source = null;
  let page = location.pathname;
  let shown = document.currentScript.dataset.shown;

  function connect() {
    if (page !== location.pathname) {
      disconnect();
      page = location.pathname;
      shown = "";
    }
    // A browser keeps six connections to one host: pages that nobody sees must not hold them all.
    if (source || document.hidden) return;
    source = new EventSource(`/__kg/events?page=${encodeURIComponent(page)}&shown=${shown}`);
    source.addEventListener("reload", () => location.reload());
    source.addEventListener("problems", (event) => {
      shown = event.lastEventId;
      show(JSON.parse(event.data));
    });
  }

  function disconnect() {
    source?.close();
    source = null;
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

  addEventListener("pagehide", disconnect);
  addEventListener("pageshow", connect);
  document.addEventListener("visibilitychange", () => (document.hidden ? disconnect : connect)());
  connect();
  // The theme replaces pages without loading them; each time, listen for the new one.
  window.document$?.subscribe(() => connect());
})();
