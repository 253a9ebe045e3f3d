// The console's behaviour: keys, rows, toasts, copying, times, focus. Pages read without it. What forms do is in
// forms.js, going from page to page in moves.js, the panel in panel.js, selecting rows in selection.js.
// Hooks are data-attributes; docs/reference/design.md lists them.
"use strict";

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const byKey = (key) => key && $(`[data-key="${CSS.escape(key)}"]`);

// --- Saying things -------------------------------------------------------------------------------

function announce(text) {
  const region = $("#announcer");
  region.textContent = "";
  // A new text in a later frame is read out even when it equals the last one.
  requestAnimationFrame(() => { region.textContent = text; });
}

const TOAST_MS = 8000;
const TOASTS_AT_ONCE = 3;

function showToast({ text, tone, undo_url: undoUrl, undo_label: undoLabel, undo_target: undoTarget, undo_fields: undoFields }) {
  const toast = $("#toast-template").content.firstElementChild.cloneNode(true);
  if (tone) toast.classList.add(`toast-${tone}`);
  $("[data-toast-text]", toast).textContent = text;
  if (undoUrl) {
    const button = $("[data-toast-undo]", toast);
    button.hidden = false;
    button.textContent = undoLabel || "Undo";
    button.addEventListener("click", () => { toast.remove(); undo(undoUrl, undoTarget, undoFields); });
  }
  $("#toasts").append(toast);
  $$("[data-toast]", $("#toasts")).slice(0, -TOASTS_AT_ONCE).forEach((old) => old.remove());
  expireToast(toast);
}

function expireToast(toast) {
  let timer = setTimeout(() => toast.remove(), TOAST_MS);
  const hold = () => clearTimeout(timer);
  const release = () => { hold(); timer = setTimeout(() => toast.remove(), TOAST_MS); };
  toast.addEventListener("pointerenter", hold);
  toast.addEventListener("focusin", hold);
  toast.addEventListener("pointerleave", release);
  toast.addEventListener("focusout", release);
}

// Of several things the form `fields` says which; those of them that have a row in the page get it again.
async function undoSeveral(url, form) {
  const values = new FormData(form);
  for (const value of values.getAll("memory")) if (byKey(`memory-${value.split(":")[0]}`)) values.append("shown", value.split(":")[0]);
  const row = focusedRow();
  form.remove();
  await htmx.ajax("POST", url, { values, swap: "none" });
  if (row && document.activeElement === document.body) byKey(row.dataset.key)?.focus(); // it was replaced
}

async function undo(url, selector, fields) {
  if (fields) return undoSeveral(url, $(fields));
  const target = selector && $(selector);
  if (target && document.activeElement === document.body) target.focus({ preventScroll: true }); // the Undo button is gone
  await htmx.ajax("POST", url, target ? { target, source: target, swap: "outerHTML" } : { swap: "none" });
  if (!target) location.reload(); // what was undone is no longer on the page
}

// HX-Trigger: {"remembered": {"url"}}: the dialog goes at once. Where no list takes the row, the server leads to one.
document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.elt.id === "remember-form" && $("[data-memories]")) detail.parameters.set("takes_row", "1");
});
document.addEventListener("remembered", () => {
  $("dialog[open]")?.close();
});

// HX-Trigger: {"toast": {"text", "tone"?, "undo_url"?, "undo_label"?, "undo_target"?, "undo_fields"?}}
document.addEventListener("toast", (event) => {
  const row = event.target.closest("[data-row]");
  const undo_target = row && `[data-key="${CSS.escape(row.dataset.key)}"]`;
  showToast({ undo_target, ...event.detail });
});

const isProblem = (xhr) => (xhr.getResponseHeader("Content-Type") || "").startsWith("application/problem+json");

// Problem details are for reading out, never for swapping in, whatever their status.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (isProblem(detail.xhr)) Object.assign(detail, { shouldSwap: false, isError: true });
});

function failureText(xhr) {
  if (!xhr.status) return "The server cannot be reached. The page is unchanged; try again when the connection is back.";
  if (isProblem(xhr)) return JSON.parse(xhr.responseText).detail;
  return `The server answered ${xhr.status}. The page is unchanged; try again, or reload it.`;
}

function explainFailure({ detail: { xhr } }) {
  if (/"toast"/.test(xhr.getResponseHeader("HX-Trigger") || "")) return;
  $("dialog[open]")?.close(); // it would lie over the toast
  showToast({ text: failureText(xhr), tone: "error" });
}
document.addEventListener("htmx:responseError", explainFailure);
document.addEventListener("htmx:sendError", explainFailure);

// --- Times ---------------------------------------------------------------------------------------

const MINUTE = 60, HOUR = 3600, DAY = 86400, MONTH = 30 * DAY;

function relative(seconds) {
  const ago = (count, unit) => (seconds < 0 ? `in ${count} ${unit}` : `${count} ${unit} ago`);
  const size = Math.abs(seconds);
  if (size < MINUTE) return "just now";
  if (size < HOUR) return ago(Math.floor(size / MINUTE), "min");
  if (size < DAY) return ago(Math.floor(size / HOUR), "h");
  if (size < MONTH) return ago(Math.floor(size / DAY), "d");
  return null; // older than a month: the date says more
}

const exactTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

function refreshTimes(root = document) {
  for (const time of $$("time[data-relative]", root)) {
    const at = new Date(time.dateTime);
    const text = relative((Date.now() - at) / 1000);
    if (text && time.textContent !== text) time.textContent = text;
    time.title = exactTime.format(at);
  }
}
setInterval(refreshTimes, 30_000);

// --- Rows: one tab stop for a list, arrows and j/k inside it ----------------------------------------

const rowsOf = (list) => $$("[data-row]", list);

const currentRow = (list) => $('[data-row][tabindex="0"]', list);

function setTabStop(row, index) {
  row.tabIndex = index;
  row.dataset.ready = "";
  for (const control of $$("a, button, input", row)) control.tabIndex = index;
}

function makeCurrent(row) {
  const before = currentRow(row.closest("[data-roving]"));
  if (before === row) return;
  if (before) setTabStop(before, -1);
  setTabStop(row, 0);
}

function prepareLists() {
  for (const list of $$("[data-roving]")) {
    for (const row of $$("[data-row]:not([data-ready])", list)) setTabStop(row, -1);
    const first = $("[data-row]", list);
    if (first && !currentRow(list)) makeCurrent(first);
  }
  const skip = $("[data-skip-rows]");
  if (skip) skip.hidden = !$("main [data-roving] [data-row]");
}

const focusedRow = () => document.activeElement.closest("[data-row]");

function moveRow(step) {
  const list = focusedRow()?.closest("[data-roving]") || $("main [data-roving]");
  if (!list) return;
  const rows = rowsOf(list);
  const from = focusedRow() || openedRow();
  const next = from ? rows[rows.indexOf(from) + step] : currentRow(list);
  if (!next) return;
  makeCurrent(next);
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

document.addEventListener("focusin", (event) => {
  const row = event.target.closest("[data-roving] [data-row]");
  if (row) makeCurrent(row);
});

// --- Keys ----------------------------------------------------------------------------------------

function goSearch() {
  const box = $("main [data-search]");
  if (box) { box.focus(); box.select(); }
  else if (document.body.dataset.searchUrl) location.assign(document.body.dataset.searchUrl);
}

// Of the row with the focus, of what the panel shows, or of the page of one thing; not while it is under way.
function pressVerb(verb) {
  const places = [focusedRow(), $("#panel"), $("article[id]")];
  const buttons = places.map((place) => place?.querySelector(`[data-verb="${verb}"]:not(.is-waiting)`));
  buttons.find(Boolean)?.click();
}

const KEYS = {
  "/": goSearch,
  j: () => moveRow(1),
  k: () => moveRow(-1),
  f: () => pressVerb("promote"),
  p: () => pressVerb("pin"),
  s: () => pressVerb("suppress"),
  X: () => pressVerb("forget"),
  z: () => pressVerb("restore"),
  e: () => pressVerb("edit"),
  n: () => $("[data-dialog=remember]")?.click(),
  u: () => $$("[data-toast-undo]:not([hidden])").at(-1)?.click(),
  "?": () => $("#keys").showModal(),
};
const ROW_KEYS = {
  ArrowDown: () => moveRow(1),
  ArrowUp: () => moveRow(-1),
  ArrowRight: () => { if (isPanelOpen()) $("#panel").focus(); },
  Enter: () => $("[data-open]", document.activeElement)?.click(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === "Escape") return escape(event);
  if ($("dialog[open]") || event.target.matches("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
  const action = KEYS[event.key] || (event.target.matches("[data-row]") && ROW_KEYS[event.key]);
  if (!action) return;
  event.preventDefault();
  action();
});

// A question is a line or two: Enter asks it, Shift and Enter begin a new line.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || !event.target.matches("[data-enter-asks] textarea")) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});

// Dialogs close themselves on Escape; what is left is closed from the inside out.
function escape(event) {
  if ($("dialog[open]")) return;
  const popover = $("details[data-popover][open]");
  if (popover) { popover.open = false; $("summary", popover).focus(); return; }
  if (document.activeElement.matches("[data-search]")) {
    event.preventDefault(); // Chromium would empty the box
    document.activeElement.blur();
    return;
  }
  closePanel();
}

// --- Clicks --------------------------------------------------------------------------------------

const CLICKS = {
  "[data-skip-rows]": (_, event) => { event.preventDefault(); currentRow($("main [data-roving]:has([data-row])")).focus(); },
  "[data-toast-close]": (element) => element.closest("[data-toast]").remove(),
  "[data-close-panel]": (_, event) => { event.preventDefault(); closePanel(); },
  "[data-dialog]": (element, event) => { event.preventDefault(); $(`#${element.dataset.dialog}`).showModal(); },
  "[data-close-dialog]": (element, event) => { event.preventDefault(); element.closest("dialog").close(); },
  "[data-theme-toggle]": turnTheme,
  "[data-row-more]": (element) => element.closest("[data-row]").focus(),
  "[data-copy], [data-copy-from]": copy,
  "[data-show-password]": showPassword,
};

function showPassword(button) {
  const shown = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(shown));
  $("input", button.parentElement).type = shown ? "text" : "password";
}

document.addEventListener("click", (event) => {
  for (const open of $$("details[data-popover][open]")) if (!open.contains(event.target)) open.open = false;
  for (const [selector, act] of Object.entries(CLICKS)) {
    const element = event.target.closest(selector);
    if (element) act(element, event);
  }
});

// A click that asks for a new tab goes to the link's own address, past htmx.
document.addEventListener("click", (event) => {
  if ((event.ctrlKey || event.metaKey || event.shiftKey) && event.target.closest("a[href][hx-get]")) event.stopImmediatePropagation();
}, { capture: true });

async function copy(button) {
  const { copy: text, copyFrom } = button.dataset;
  const copied = await putOnClipboard(text ?? $(`#${copyFrom}`).innerText);
  announce(copied ? "Copied" : "Copying is blocked by the browser. Select the text instead.");
  if (!copied) return;
  showCopied(button, true);
  setTimeout(() => showCopied(button, false), 1500);
}

function showCopied(button, done) {
  const use = $("use", button);
  use.setAttribute("href", use.getAttribute("href").replace(/#.*/, done ? "#check" : "#copy"));
  const label = $("[data-copy-label]", button);
  if (!label) return;
  label.dataset.copyLabel ||= label.textContent;
  label.textContent = done ? "Copied" : label.dataset.copyLabel;
}

// The clipboard interface exists only on https and localhost; the old command works elsewhere.
async function putOnClipboard(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text).then(() => true, () => false);
  const area = Object.assign(document.createElement("textarea"), { value: text, className: "unseen" });
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  return copied;
}

function nameTheme() {
  const label = `Theme: ${document.documentElement.dataset.theme || "system"}`;
  for (const button of $$("[data-theme-toggle]")) {
    button.title = label;
    button.setAttribute("aria-label", label);
  }
  return label;
}

function turnTheme() {
  const root = document.documentElement;
  const next = { undefined: "dark", dark: "light", light: undefined }[root.dataset.theme];
  if (next) { root.dataset.theme = next; localStorage.setItem("theme", next); }
  else { delete root.dataset.theme; localStorage.removeItem("theme"); }
  announce(nameTheme());
}

// --- After a swap: times, rows, focus, announcements -----------------------------------------------

let focusTrail = [];
let focusPlace = null; // list and position of the focused row, for when the row itself goes away

document.addEventListener("htmx:beforeSwap", () => {
  const keyed = [];
  for (let at = document.activeElement?.closest("[data-key]"); at; at = at.parentElement?.closest("[data-key]")) keyed.push(at.dataset.key);
  focusTrail = keyed;
  const row = focusedRow();
  const list = row?.closest("[data-roving]");
  focusPlace = list && { list, index: rowsOf(list).indexOf(row) };
});

function restoreFocus() {
  const lost = !document.activeElement || document.activeElement === document.body;
  if (!lost || !focusTrail.length) return;
  const rows = focusPlace ? rowsOf(focusPlace.list) : [];
  const heirs = [...focusTrail.map(byKey), rows[focusPlace?.index], rows.at(-1), $("#content")];
  focusTrail = [];
  for (const heir of heirs) {
    heir?.focus();
    if (heir && document.activeElement === heir) return; // hidden and disabled ones refuse
  }
}

function tidy() {
  refreshTimes();
  prepareLists();
  restoreFocus();
}

document.addEventListener("htmx:afterRequest", tidy); // the only event when a row was swapped for nothing
document.addEventListener("htmx:afterSettle", (event) => {
  tidy();
  if (event.target.matches?.(".frame")) return; // of a page its name is spoken (moves.js)
  const spoken = event.target.closest?.("[data-announce]") || $("[data-announce]", event.target);
  if (spoken) announce(spoken.dataset.announce);
  $("[data-in-view]", event.target)?.scrollIntoView({ block: "nearest" });
});

// Of more tabs than a phone is wide, the one that is open.
function showCurrentTab() {
  for (const here of $$(".tabs [aria-current]")) here.parentElement.scrollLeft = here.offsetLeft + here.offsetWidth - here.parentElement.clientWidth;
}

refreshTimes();
prepareLists();
nameTheme();
showCurrentTab();
$$("[data-toast]").forEach(expireToast);
