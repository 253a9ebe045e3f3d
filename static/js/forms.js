// What forms and verbs do: confirming, waiting, one answer to one press, and half-written texts that are left.
// Uses $, $$ and showToast of app.js. Without it forms post, and the server asks on a page of its own.
"use strict";

// --- Confirming what cannot be undone ------------------------------------------------------------
// A form asks what its fields ask, ask_detail, ask_verb and ask_type say: without script the server asks it on a page.
// A button of a form with several verbs has it in data-confirm, data-confirm-detail, data-confirm-verb.

const askedBy = (form) => form?.matches?.("form") && form.elements.namedItem("ask");

function questionOf(element) {
  const { confirm, confirmDetail, confirmVerb, confirmType } = element.dataset;
  if (confirm) return { confirm, confirmDetail, confirmVerb, confirmType };
  const read = (name) => element.elements.namedItem(name)?.value;
  return { confirm: read("ask"), confirmDetail: read("ask_detail"), confirmVerb: read("ask_verb"), confirmType: read("ask_type") };
}

function askToConfirm(element, goOn) {
  const dialog = $("#confirm");
  const { confirm, confirmDetail = "", confirmVerb = "Confirm", confirmType = "" } = questionOf(element);
  const verb = $("[data-confirm-verb]", dialog);
  const typed = $("#confirm-typed");
  $("[data-confirm-title]", dialog).textContent = confirm;
  $("p[data-confirm-detail]", dialog).textContent = confirmDetail;
  $("[data-confirm-expected]", dialog).textContent = confirmType;
  $("[data-confirm-typing]", dialog).hidden = !confirmType;
  verb.textContent = confirmVerb;
  typed.value = "";
  const check = () => { verb.disabled = typed.value !== confirmType; };
  typed.oninput = check;
  check();
  dialog.returnValue = "no";
  dialog.onclose = () => {
    (element.matches("form") ? $("button", element) : element)?.focus();
    if (dialog.returnValue === "yes") goOn();
  };
  dialog.showModal();
}

document.addEventListener("htmx:confirm", (event) => {
  const { elt, triggeringEvent, issueRequest } = event.detail;
  const asker = [triggeringEvent?.submitter, elt].find((element) => element?.dataset?.confirm || askedBy(element));
  if (!asker) return;
  event.preventDefault();
  askToConfirm(asker, () => issueRequest(true));
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  const asker = [event.submitter, form].find((element) => element?.dataset.confirm || askedBy(element));
  if (!asker || form.dataset.confirmed || form.matches("[hx-post], [hx-delete], [hx-put]")) return;
  event.preventDefault();
  askToConfirm(asker, () => {
    form.dataset.confirmed = "yes";
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "confirmed", value: "yes" }));
    if (askedBy(form) && form.elements.namedItem("ask_type")) form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "typed", value: $("#confirm-typed").value }));
    form.requestSubmit(event.submitter);
    delete form.dataset.confirmed;
  });
});

// --- Waiting: a verb that takes longer than this says so ---------------------------------------------

const WAIT_MS = 150;
const waits = new WeakMap();

function showWaiting(button, place) {
  const timer = setTimeout(() => {
    button?.classList.add("is-waiting");
    place?.setAttribute("aria-busy", "true");
  }, WAIT_MS);
  return () => {
    clearTimeout(timer);
    button?.classList.remove("is-waiting");
    place?.removeAttribute("aria-busy");
  };
}

document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  const { elt, requestConfig, xhr } = detail;
  if (requestConfig.verb === "get") return;
  const pressed = requestConfig.triggeringEvent?.submitter || elt;
  waits.set(xhr, showWaiting(pressed.closest("button"), elt.closest("[data-row], form, section")));
});
document.addEventListener("htmx:afterRequest", ({ detail }) => waits.get(detail.xhr)?.());

// A form that leaves the page is sent once; coming back to the page makes it ready again.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post" || form.matches("[hx-post], [data-chat-form], [data-chat-again]")) return;
  if (event.submitter?.matches("[hx-post], [data-download], [formmethod=dialog]")) return;
  if (form.dataset.sent) { event.preventDefault(); return; }
  form.dataset.sent = "yes";
  const stop = showWaiting(event.submitter, form);
  addEventListener("pageshow", () => { stop(); delete form.dataset.sent; }, { once: true });
});

// --- Leaving a half-written text -------------------------------------------------------------------

// data-guard marks a form whose text would be missed; a form that is being sent is not left.
const isHalfWritten = (form) => !form.dataset.sent && $$("textarea, input:not([type=hidden])", form).some(
  (field) => (field.matches("[type=checkbox], [type=radio]") ? field.checked !== field.defaultChecked : field.value !== field.defaultValue),
);
const halfWritten = () => $$("form[data-guard]").find((form) => form.checkVisibility() && isHalfWritten(form));

function leaveFor(goOn) {
  const form = halfWritten();
  if (!form) return goOn();
  Object.assign(form.dataset, { confirm: "Leave without saving?", confirmDetail: "What you have written here is not saved.", confirmVerb: "Leave" });
  askToConfirm(form, goOn);
  for (const name of ["confirm", "confirmDetail", "confirmVerb"]) delete form.dataset[name];
}

addEventListener("beforeunload", (event) => { if (halfWritten()) event.preventDefault(); });
