// The palette: Ctrl+K or ⌘K, or typing into the box of the rail, opens it; arrows choose, Enter goes or does, Escape
// closes. What it lists comes from the server, by the role of the person. And g with a letter leads to a place of the
// rail. Uses $ and $$ of app.js.
"use strict";

(() => {
  const TYPING_MS = 150;
  let timer = 0;
  let asked = null;
  let chosen = 0;
  let goesWhenThere = false; // Enter was pressed before the results of the last letters came

  const dialog = () => $("#palette");
  const input = () => $("[data-palette-input]");
  const options = () => $$("[role=option]", dialog());

  function choose(at) {
    const all = options();
    if (!all.length) return input().removeAttribute("aria-activedescendant");
    chosen = (at + all.length) % all.length;
    all.forEach((each, place) => each.setAttribute("aria-selected", String(place === chosen)));
    input().setAttribute("aria-activedescendant", all[chosen].id);
    all[chosen].scrollIntoView({ block: "nearest" });
  }

  async function read() {
    asked?.abort();
    const mine = asked = new AbortController();
    const form = $(".rail-search"); // of the frame, which moves keep up to date: its space comes along
    const address = new URL(form.action);
    for (const [name, value] of new FormData(form)) address.searchParams.set(name, value);
    address.searchParams.set("q", input().value);
    try {
      const answer = await fetch(address, { headers: { "HX-Request": "true", Accept: "text/html" }, signal: mine.signal });
      const html = await answer.text();
      if (asked !== mine) return;
      asked = null;
      if (!answer.ok || !html.includes("palette-list")) { say("The search did not answer. Try again."); return; }
      $("[data-palette-results]").innerHTML = html;
      const number = Number($("#palette-list").dataset.number);
      say(`${number} ${number === 1 ? "result" : "results"}`);
      choose(0);
      if (goesWhenThere && !timer) go(); // with a timer these are not yet the results of what was typed
    } catch (error) {
      if (error.name !== "AbortError") say("The server cannot be reached. Try again when the connection is back.");
    }
  }

  function say(text) { $("[data-palette-status]").textContent = text; }

  function go() {
    goesWhenThere = false;
    options()[chosen]?.click();
  }

  function open(text = "") {
    if (!dialog() || !$(".rail-search") || $("dialog[open]")) return;
    input().value = text;
    goesWhenThere = false;
    clearTimeout(timer);
    timer = 0;
    dialog().showModal();
    input().focus();
    read();
  }

  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey || event.isComposing) return;
    if (!dialog()) return;
    event.preventDefault();
    if (dialog().open) dialog().close(); else open();
  });

  // The box of the rail is a form of its own; where there is script, it is the door to the dialog.
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-palette-open]")) { event.preventDefault(); open(); }
    else if (event.target === dialog()) dialog().close(); // a click next to it
    else if (event.target.closest("#palette a[role=option]")) dialog().close();
  });
  document.addEventListener("input", (event) => {
    if (event.target.matches("[data-palette-open]")) {
      const text = event.target.value;
      event.target.value = "";
      open(text);
    }
    if (!event.target.matches("[data-palette-input]")) return;
    clearTimeout(timer);
    timer = setTimeout(() => { timer = 0; read(); }, TYPING_MS);
  });

  document.addEventListener("keydown", (event) => {
    if (!event.target.matches?.("[data-palette-input]") || event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) choose(chosen + step);
    else if (event.key === "Enter") { if (timer || asked) goesWhenThere = true; else go(); }
    else if (event.key === "Home" && !input().value) choose(0);
    else return;
    event.preventDefault();
  });

  document.addEventListener("pointermove", (event) => {
    const option = event.target.closest?.("#palette [role=option]");
    if (option && option.getAttribute("aria-selected") !== "true") choose(options().indexOf(option));
  });

  // --- g and the letter of a place ----------------------------------------------------------------------

  const GOING_MS = 1200;
  let going = 0;

  // Before the keys of every page and of Review, to which the letter means something else.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
    if ($("dialog[open]") || event.target.matches("input:not([type=checkbox]), textarea, select, [contenteditable], canvas")) return;
    const isSecond = Date.now() - going < GOING_MS;
    going = event.key === "g" && !isSecond ? Date.now() : 0;
    const place = isSecond && /^[a-z]$/.test(event.key) && $(`.rail [data-go="${event.key}"]`);
    if (!place) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    place.click();
  }, { capture: true });

  function nameKey() {
    if (/Mac|iP(hone|ad)/.test(navigator.platform)) for (const key of $$("[data-palette-key]")) key.textContent = "⌘K";
  }
  nameKey();
  document.addEventListener("htmx:afterSettle", nameKey);
})();
