// The Review page: one key for each verdict, j and k through the queue, and a selection that outlives swaps.
"use strict";

(() => {
  const selected = new Set();
  let last = null; // the check box that was changed last, where a range begins
  let isUndone = false; // what is under way takes a verdict back: the item that waits again gets the focus
  let isBusy = false; // a key that is pressed while a verdict is under way is meant for what comes next

  const page = () => document.querySelector("#review");
  const boxes = () => [...document.querySelectorAll(".review-queue input[type=checkbox]")];
  const current = () => document.querySelector(".queue-row.is-current input[type=checkbox]");

  function note(box, isOn) {
    box.checked = isOn;
    if (isOn) selected.add(box.value); else selected.delete(box.value);
    last = box.value;
    tell();
  }

  function tell() {
    const count = document.querySelector("[data-bulk-count]");
    const number = boxes().filter((box) => box.checked).length;
    if (count) count.textContent = number ? `With the ${number} selected:` : "With those selected:";
  }

  function chooseRange(to) {
    const all = boxes();
    const from = all.findIndex((box) => box.value === last);
    const [low, high] = [from, all.indexOf(to)].sort((one, other) => one - other);
    for (const box of all.slice(Math.max(0, low), high + 1)) note(box, true);
  }

  document.addEventListener("click", (event) => {
    const box = event.target.closest(".review-queue input[type=checkbox]");
    if (!box) return;
    if (event.shiftKey && last) chooseRange(box);
    note(box, box.checked);
  });

  function extend(key) {
    const box = current();
    if (!box) return;
    note(box, true);
    document.querySelector(`[data-review-key="${key}"]`)?.click();
    const row = box.closest("[data-queue-row]");
    const next = key === "j" ? row.nextElementSibling : row.previousElementSibling;
    const other = next?.querySelector("input[type=checkbox]");
    if (other) note(other, true);
  }

  // Before the keys of every page, which move through lists.
  document.addEventListener("keydown", (event) => {
    if (!page() || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const isTyping = event.target.matches("textarea, select, [contenteditable], input:not([type=checkbox])");
    if (document.querySelector("dialog[open]") || isTyping) {
      if (event.key === "Escape" && event.target.closest(".review-edit")) {
        event.target.closest(".review-edit").open = false;
        page().focus();
      }
      return;
    }
    const key = event.key.toLowerCase();
    const chosen = boxes().some((box) => box.checked) && document.querySelector(`[data-bulk-key="${key}"]`);
    const control = chosen || document.querySelector(`[data-review-key="${key}"]`);
    if (!control) return explain(event, key);
    event.preventDefault();
    event.stopImmediatePropagation();
    if (isBusy || event.repeat) return;
    if (event.shiftKey && (key === "j" || key === "k")) extend(key);
    else if (!event.shiftKey) press(control, key);
  }, { capture: true });

  // A key that is a verdict on other kinds of items says why it does nothing here.
  function explain(event, key) {
    const card = document.querySelector("[data-review-card]");
    if (!card || event.shiftKey || event.repeat || key.length > 1 || !page().dataset.verdictKeys.includes(key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!isBusy) showToast({ text: `“${key}” is not a verdict on this item. ${card.dataset.takes}`, tone: "warning" });
  }

  function press(control, key) {
    if (key !== "e") return control.click();
    const edit = control.closest("details");
    edit.open = true;
    edit.querySelector("textarea").focus();
  }

  document.addEventListener("htmx:beforeRequest", ({ target, detail }) => {
    if (!target.closest("#review")) return;
    isBusy = true;
    isUndone = /\/review\/undo(\?|$)/.test(detail.requestConfig.path);
  });
  document.addEventListener("htmx:afterRequest", () => { isBusy = false; });

  document.addEventListener("htmx:afterSettle", () => {
    const here = boxes();
    for (const box of here) box.checked = selected.has(box.value);
    if (document.querySelector(".review-queue")) for (const value of [...selected]) {
      if (!here.some((box) => box.value === value)) selected.delete(value); // decided
    }
    tell();
    document.querySelector(".queue-row.is-current")?.scrollIntoView({ block: "nearest" });
    if (isUndone) document.querySelector(".queue-row.is-current a")?.focus({ preventScroll: true });
    isUndone = false;
  });
})();
