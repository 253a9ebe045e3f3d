// Following the stream of events: the dot in the rail, what is new on lists, and the page Live.
// One connection for a tab that is looked at; a hidden tab has none. Pages read without it.
"use strict";

(() => {
  const POLL_MS = 15_000; // where no stream can be had
  const LIT_MS = 600;
  const GATHER_MS = 400; // events that come together are shown together
  const COUNTERS_MS = 5_000;
  const MAX_ROWS = 300;
  const COUNTED = new Set(["memories", "telemetry", "ontology"]); // what the queue of Review is made of

  const one = (selector) => document.querySelector(selector);
  const address = () => document.body.dataset.liveUrl;
  let source = null;
  let polling = 0;
  let lastId = "";
  let opened = "";

  // --- The connection ------------------------------------------------------------------------------

  function connect() {
    if (document.hidden || !address()) return;
    opened = address();
    source = new EventSource(withPlace(opened));
    source.onopen = () => setState("live");
    source.onmessage = (event) => { lastId = event.lastEventId; hear(JSON.parse(event.data)); };
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) return setState("connecting"); // it tries again by itself
      disconnect();
      setState("polling");
      polling = setInterval(poll, POLL_MS);
    };
  }

  function withPlace(url) {
    return lastId ? `${url}${url.includes("?") ? "&" : "?"}after=${lastId}` : url;
  }

  function disconnect() {
    source?.close();
    source = null;
    clearInterval(polling);
    polling = 0;
  }

  async function poll() {
    const answer = await fetch(withPlace(address()), { headers: { Accept: "application/json" } }).catch(() => null);
    if (!answer?.ok) return;
    const { results, last_event_id: place } = await answer.json();
    const isFirst = !lastId;
    lastId = place;
    if (!isFirst) results.forEach(hear);
  }

  document.addEventListener("visibilitychange", () => {
    disconnect();
    setState("");
    connect();
  });

  // --- Every page: the dot, what is new, the numbers in the rail -------------------------------------

  function setState(state) {
    for (const dot of document.querySelectorAll("[data-live-dot]")) dot.classList.toggle("is-on", state === "live");
    const shown = one("[data-live-state]");
    if (!shown || !rows()) return;
    shown.textContent = { live: "Live", connecting: "Connecting …", polling: "Asking every 15 s" }[state] || "";
    one("[data-live-reload]").hidden = state === "live";
    one("[data-live-pause]").hidden = !state;
    if (isPaused) shown.textContent = "Paused";
  }

  function light() {
    for (const dot of document.querySelectorAll("[data-live-dot]")) {
      dot.classList.add("is-lit");
      setTimeout(() => dot.classList.remove("is-lit"), LIT_MS);
    }
  }

  let counting = 0;

  function hear(event) {
    light();
    if (rows()) tellRows();
    if (event.verb === "read" || event.outcome !== "success") return;
    if (COUNTED.has(event.layer) && !counting) counting = setTimeout(count, COUNTERS_MS);
    const isOwn = event.door === "console" && event.actor.id === document.body.dataset.liveSelf;
    const bar = one(`[data-live-news="${CSS.escape(event.layer)}"]`);
    if (!bar || isOwn) return; // what I did myself is on the page
    bar.dataset.news = Number(bar.dataset.news || 0) + 1;
    bar.querySelector("[data-live-count]").textContent = `${bar.dataset.news} ${bar.dataset.news === "1" ? "change" : "changes"} – show`;
    bar.hidden = false;
  }

  function count() {
    counting = 0;
    if (one("#review-count")) htmx.ajax("GET", document.body.dataset.liveCounters, { swap: "none" });
  }

  // --- The page Live ---------------------------------------------------------------------------------

  let isPaused = false;
  let isHeld = false; // the pointer or the focus is on a row: nothing moves under it
  let waiting = 0;
  let gathering = 0;

  const rows = () => one("[data-live-rows]");

  function tellRows() {
    waiting += 1;
    if (isPaused || isHeld) showWaiting();
    else if (!gathering) gathering = setTimeout(fetchRows, GATHER_MS);
  }

  function showWaiting() {
    const held = one("[data-live-held]");
    held.hidden = !waiting;
    held.firstElementChild.textContent = `${waiting} new – show`;
  }

  async function fetchRows() {
    gathering = 0;
    const body = rows();
    if (!body) return;
    waiting = 0;
    showWaiting();
    const place = body.querySelector("[data-live-id]")?.dataset.liveId || body.dataset.liveLast;
    const url = body.dataset.liveRows;
    await htmx.ajax("GET", `${url}${url.includes("?") ? "&" : "?"}after=${place}`, { target: body, swap: "afterbegin" });
    setClocks();
    [...body.children].slice(MAX_ROWS).forEach((row) => row.remove());
    if (!body.firstElementChild) return;
    one("[data-live-table]").hidden = false;
    one("[data-live-empty]")?.remove();
  }

  // The server writes times in UTC.
  function setClocks() {
    for (const time of document.querySelectorAll("time[data-live-clock]")) {
      time.textContent = new Date(time.dateTime).toLocaleTimeString("en-GB");
      time.removeAttribute("data-live-clock");
    }
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-live-flush]")) return void fetchRows();
    const button = event.target.closest("[data-live-pause]");
    if (!button) return;
    isPaused = !isPaused;
    button.textContent = isPaused ? "Go on" : "Pause";
    button.setAttribute("aria-pressed", String(isPaused));
    setState(source?.readyState === EventSource.OPEN ? "live" : polling ? "polling" : "connecting");
    if (!isPaused && waiting) fetchRows();
  });

  function hold(isOn) {
    if (isHeld === isOn) return;
    isHeld = isOn;
    if (!isOn && !isPaused && waiting) fetchRows();
  }
  const isOnRows = (target) => Boolean(target instanceof Element && target.closest("[data-live-rows]"));
  document.addEventListener("pointerover", (event) => { if (event.pointerType === "mouse") hold(isOnRows(event.target)); });
  document.addEventListener("pointerleave", () => hold(false));
  document.addEventListener("focusin", (event) => hold(isOnRows(event.target)));

  // A page that came without a document: its space may be another one.
  document.addEventListener("htmx:afterSettle", () => {
    setClocks();
    if (opened && opened !== address()) { lastId = ""; disconnect(); connect(); }
    else if (source?.readyState === EventSource.OPEN) setState("live");
  });

  setClocks();
  connect();
})();
