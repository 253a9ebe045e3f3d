// Selecting rows of a list: x, Shift j and Shift k, check boxes (with Shift a range), and the bar that acts on what is
// selected. The selection outlives swaps of its rows, and ends with the page.
// Uses $, $$, announce, focusedRow, moveRow of app.js and openedRow, emptyPanel of panel.js; without it the check boxes
// and the buttons of the bar are an ordinary form.
"use strict";

const BOX = "main [data-row] input[data-select]";
const selection = new Set(); // the values of check boxes up to the colon: what is behind it changes with the row
let lastBox = null; // where a range of the pointer begins
let rangeStart = null; // where a range of the keys begins

const idOf = (box) => box.value.split(":")[0];
const boxes = () => $$(BOX);
const boxOf = (row) => row && $("input[data-select]", row);
const actedRow = () => focusedRow() || openedRow();

function select(box, isOn) {
  box.checked = isOn;
  if (isOn) selection.add(idOf(box)); else selection.delete(idOf(box));
  showSelection();
}

function showSelection() {
  const number = selection.size;
  const bar = $("[data-bulk]");
  if (!bar) return;
  bar.classList.toggle("is-empty", !number);
  $("[data-bulk-count]", bar).textContent = `${number} selected`;
  const all = $("[data-select-all]", bar);
  if (all) {
    all.checked = number > 0 && boxes().every((box) => box.checked);
    all.indeterminate = number > 0 && !all.checked;
  }
  for (const box of boxes()) box.closest("[data-row]").classList.toggle("is-selected", box.checked);
}

const sayNumber = () => announce(selection.size ? `${selection.size} selected` : "Nothing selected");

function clearSelection() {
  selection.clear();
  for (const box of boxes()) box.checked = false;
  lastBox = rangeStart = null;
  showSelection();
}

// --- By key -----------------------------------------------------------------------------------------

function toggleRow() {
  const box = boxOf(actedRow());
  if (!box) return;
  rangeStart = null;
  select(box, !box.checked);
  sayNumber();
}

// Away from where the range began each row is taken in, back towards it each is let go again.
function extendRange(step) {
  const from = actedRow();
  const rows = boxes().map((box) => box.closest("[data-row]"));
  if (!rows.includes(from)) return moveRow(step);
  if (!rows.includes(rangeStart)) rangeStart = from;
  select(boxOf(from), true);
  moveRow(step);
  const to = focusedRow();
  if (!rows.includes(to) || to === from) return;
  const distance = (row) => Math.abs(rows.indexOf(row) - rows.indexOf(rangeStart));
  if (distance(to) < distance(from)) select(boxOf(from), false);
  select(boxOf(to), true);
  sayNumber();
}

KEYS.x = toggleRow;
KEYS.J = () => extendRange(1);
KEYS.K = () => extendRange(-1);

// While something is selected the keys of the verbs act on all of it; before the keys of single rows.
document.addEventListener("keydown", (event) => {
  if (!selection.size || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
  if ($("dialog[open]") || event.target.matches("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
  if (event.key === "Escape" && !isPanelOpen() && !$("details[data-popover][open]")) clearSelection();
  const button = $(`[data-bulk] [data-bulk-key="${CSS.escape(event.key)}"]`);
  if (!button) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!button.matches(".is-waiting")) button.click();
}, { capture: true });

// --- By pointer -------------------------------------------------------------------------------------

document.addEventListener("click", (event) => {
  const box = event.target.closest(BOX);
  if (box) {
    const all = boxes();
    const [low, high] = [all.indexOf(lastBox), all.indexOf(box)].sort((one, other) => one - other);
    if (event.shiftKey && low >= 0) for (const each of all.slice(low, high + 1)) select(each, box.checked);
    select(box, box.checked);
    lastBox = box;
    rangeStart = null;
  } else if (event.target.closest("[data-select-all]")) {
    const isOn = event.target.checked;
    for (const each of boxes()) select(each, isOn);
    sayNumber();
  } else if (event.target.closest("[data-select-none]")) {
    const row = actedRow() || boxes().find((each) => each.checked)?.closest("[data-row]");
    clearSelection();
    row?.focus();
  }
});

// --- After a step ------------------------------------------------------------------------------------

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!detail.successful || !detail.elt.closest("[data-bulk], [data-bulk-dialog]")) return;
  $("dialog[open]")?.close();
  const row = openedRow() || currentSelected();
  clearSelection();
  row?.focus(); // the bar has gone, and with it the button that was pressed
});

// By key, since the row itself has just been replaced.
function currentSelected() {
  const box = boxes().filter((each) => selection.has(idOf(each))).at(-1);
  return box?.closest("[data-row]");
}

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.target.matches?.(".frame")) selection.clear();
  for (const box of boxes()) box.checked = selection.has(idOf(box));
  showSelection();
});

addEventListener("pageshow", () => { // some browsers restore check boxes
  for (const box of boxes()) if (box.checked) selection.add(idOf(box));
  showSelection();
});
