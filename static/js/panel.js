// The panel next to a list: a row opens in it, j and k move on with it following, o opens the page of its own. The
// address says what is open (?open=<key of the row>), so that reload and back work.
// Uses $, $$, byKey, KEYS, makeCurrent and focusedRow of app.js, leaveFor of forms.js and move of moves.js; without it
// rows lead to their pages.
"use strict";

const OPEN = "open";
const FOLLOW_MS = 120; // a key that is held down asks for the row that it stops at
const LISTED = "main [data-panels] [data-row]";
const isSheet = matchMedia("(max-width: 48rem)");

let opened = null; // the key of the row that the panel shows
let followTimer = 0;
let listAddress = addressWith(null); // of the page that is shown, without what is open

function addressWith(key) {
  const url = new URL(location.href);
  if (key) url.searchParams.set(OPEN, key);
  else url.searchParams.delete(OPEN);
  return url.pathname + url.search;
}

const isPanelOpen = () => Boolean($("#panel")?.firstChild);
const listedRow = (key) => (byKey(key)?.matches(LISTED) ? byKey(key) : null);
const openedRow = () => (isPanelOpen() ? listedRow(opened) : null);

function markOpenRow() {
  const row = openedRow();
  for (const other of $$("[data-row].is-open")) other.classList.toggle("is-open", other === row);
  row?.classList.add("is-open");
}

async function loadPanel(row) {
  const panel = $("#panel");
  htmx.trigger(panel, "htmx:abort"); // of two rows the last one counts
  try {
    await htmx.ajax("GET", $("[data-open]", row).getAttribute("href"), { source: panel, target: panel, swap: "innerHTML" });
  } catch {
    // Another row took its place, or the server was not reached, which a toast has said.
  }
}

async function showRow(row, { isNew = opened === null } = {}) {
  opened = row.dataset.key;
  if (addressWith(opened) !== location.pathname + location.search) {
    if (isNew) history.pushState({ panel: true }, "", addressWith(opened));
    else history.replaceState(history.state, "", addressWith(opened));
  }
  await loadPanel(row);
  if (opened !== row.dataset.key) return;
  if (!isPanelOpen()) return closePanel(); // refused: a toast says why
  markOpenRow();
  if (!$("[data-open]", row).hash) $("#panel").scrollTop = 0; // htmx goes to what the address names
  row.scrollIntoView({ block: "nearest" }); // the list has become narrower
  if (isSheet.matches) $("#panel").focus({ preventScroll: true });
}

function openRow(row) {
  makeCurrent(row);
  row.focus({ preventScroll: true });
  if (row.dataset.key === opened && isPanelOpen()) $("#panel").focus();
  else leaveFor(() => showRow(row));
}

function emptyPanel() {
  clearTimeout(followTimer);
  const row = openedRow();
  opened = null;
  if (!isPanelOpen()) return;
  htmx.trigger("#panel", "htmx:abort");
  $("#panel").replaceChildren();
  markOpenRow();
  (row || $("#content")).focus();
}

function closePanel() {
  emptyPanel();
  if (!new URL(location.href).searchParams.has(OPEN)) return;
  if (history.state?.panel) history.back(); // to the list as it was before the panel
  else history.replaceState(history.state, "", addressWith(null));
}

function followAddress() {
  const key = new URL(location.href).searchParams.get(OPEN);
  const row = key && listedRow(key);
  if (!row) return emptyPanel();
  if (key === opened && isPanelOpen()) return;
  makeCurrent(row);
  row.focus();
  showRow(row);
}

// --- Opening ----------------------------------------------------------------------------------------

// Before moves.js, which would go to the page of the row.
document.addEventListener("click", (event) => {
  if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const row = event.target.closest(LISTED);
  const control = event.target.closest("a, button, input, label, select, textarea, form");
  if (!row || (control && !control.matches("[data-open]"))) return;
  if (!control && String(getSelection())) return; // a text is being selected
  event.preventDefault();
  openRow(row);
}, { capture: true });

document.addEventListener("focusin", (event) => {
  const row = event.target;
  if (!isPanelOpen() || !row.matches(LISTED) || row.dataset.key === opened) return;
  clearTimeout(followTimer);
  followTimer = setTimeout(() => {
    if (isPanelOpen() && document.activeElement === row) leaveFor(() => showRow(row));
  }, FOLLOW_MS);
});

KEYS.o = () => {
  const row = focusedRow();
  const link = row ? $("[data-open]", row) : $("[data-panel-page]");
  if (link) leaveFor(() => move(link.href));
};

// --- What is done to the thing, in its row or in the panel -----------------------------------------

const isChange = ({ requestConfig, successful }) => successful && requestConfig.verb !== "get";
const rowsBefore = new WeakMap(); // of what is sent from the panel: the form is gone when its answer is there

document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (detail.elt.closest("#panel")) rowsBefore.set(detail.xhr, openedRow());
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!isChange(detail) || !isPanelOpen()) return;
  const row = openedRow();
  if (row && detail.target.dataset.key === opened) loadPanel(row); // by key: the row itself has been replaced
  else if (row && rowsBefore.get(detail.xhr) === row) renewRow(row);
});

// Where the answer did not bring the row along, it is taken out of the list.
function renewRow(row) {
  const selector = `[data-key="${CSS.escape(row.dataset.key)}"]`;
  if ($$(selector).length === 1) htmx.ajax("GET", addressWith(null), { source: row, target: row, select: selector, swap: "outerHTML" });
}

// --- History ----------------------------------------------------------------------------------------

// Before htmx, which would read the page again.
addEventListener("popstate", (event) => {
  if (addressWith(null) !== listAddress) return;
  event.stopImmediatePropagation();
  followAddress();
});

for (const name of ["htmx:pushedIntoHistory", "htmx:replacedInHistory"]) document.addEventListener(name, () => {
  listAddress = addressWith(null);
  if (opened && !new URL(location.href).searchParams.has(OPEN)) emptyPanel(); // another list, under the same frame
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.target.matches?.(".frame")) {
    listAddress = addressWith(null);
    opened = null;
    setTimeout(followAddress); // after moves.js has set the focus
  } else if (event.target.id !== "panel") markOpenRow();
});

document.addEventListener("DOMContentLoaded", followAddress);
