// Moves inside the console without loading the document again: the frame is replaced; title, focus, place and history
// follow. A page with other scripts, another look of the frame, or no frame at all is loaded as a document.
// Uses $, $$, announce, tidy, expireToast, nameTheme and showCurrentTab of app.js; without it links are links.
"use strict";

const MOVE = "X-Console-Move"; // marks our own requests among those of htmx; never sent
const STYLES_MS = 150; // what a stylesheet that this page did not have is waited for
const places = new Map(); // how far down each address was when it was left

const pathOf = (url) => new URL(url, location.href);
const scriptsOf = (head) => $$("script[src]", head).map((script) => script.getAttribute("src")).sort().join();
const stylesOf = (head) => $$('link[rel="stylesheet"]', head).map((link) => link.getAttribute("href"));

let arriving = null; // where a move leads, and the document that it has fetched

function isMove(link, event) {
  if (!$(".frame")) return false; // a page of one card: the next one is another document
  if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return false;
  if (link.target || link.hasAttribute("download") || link.dataset.document !== undefined || link.matches("[hx-get], [data-dialog]")) return false;
  const to = pathOf(link.href);
  const isHere = to.pathname + to.search === location.pathname + location.search;
  return to.origin === location.origin && to.pathname.startsWith("/w/") && !(isHere && to.hash);
}

async function move(url, { push = true, place = 0 } = {}) {
  const to = pathOf(url);
  const root = document.documentElement;
  root.setAttribute("aria-busy", "true");
  places.set(location.pathname + location.search, scrollY);
  htmx.trigger(document.body, "htmx:abort"); // of two presses the last one counts
  const mine = { to, place, page: null };
  arriving = mine;
  try {
    await htmx.ajax("GET", to.pathname + to.search, {
      source: document.body, target: ".frame", select: ".frame", swap: "outerHTML", push: push ? "true" : "false", headers: { [MOVE]: "yes" },
    });
  } catch {
    // Another move took its place, or the server was not reached, which a toast has said.
  } finally {
    if (arriving === mine && !mine.page) root.removeAttribute("aria-busy");
  }
}

// Styles that are still on their way put the swap off, and with it the arrival.
document.addEventListener("htmx:afterSettle", (event) => {
  if (!arriving?.page || !event.target.matches?.(".frame")) return;
  const { page, to, place } = arriving;
  arriving = null;
  arrive(page, to, place);
  document.documentElement.removeAttribute("aria-busy");
});

function arrive(page, to, place) {
  if (to.hash) history.replaceState(history.state, "", location.pathname + location.search + to.hash);
  const kept = new Set(stylesOf(page.head));
  for (const link of $$('link[rel="stylesheet"]', document.head)) if (!kept.has(link.getAttribute("href"))) link.remove();
  document.title = page.title;
  document.body.dataset.searchUrl = page.body.dataset.searchUrl || "";
  for (const toast of $$("#toasts > [data-toast]", page)) { $("#toasts").append(toast); expireToast(toast); }
  tidy();
  nameTheme();
  showCurrentTab();
  const aim = to.hash && document.getElementById(to.hash.slice(1));
  if (aim) aim.scrollIntoView();
  else scrollTo(0, place);
  const first = $$("main [autofocus]").find((field) => field.checkVisibility());
  (first || $("#content"))?.focus({ preventScroll: true });
  announce(document.title);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || !isMove(link, event)) return;
  event.preventDefault();
  leaveFor(() => move(link.href));
});

document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (!detail.headers[MOVE]) return;
  // A move asks as a browser does: redirects, messages and whole pages come as they would to a document.
  detail.headers = { Accept: "text/html" };
  detail.parameters = {};
});

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!detail.etc?.headers?.[MOVE]) return;
  const { xhr } = detail;
  const page = new DOMParser().parseFromString(xhr.responseText, "text/html");
  const isPage = (xhr.getResponseHeader("Content-Type") || "").startsWith("text/html") && xhr.status === 200;
  // A graph is drawn once by its script, when the document is loaded.
  if (!isPage || !$(".frame", page) || !$(".frame") || $("[data-graph]", page) || scriptsOf(page.head) !== scriptsOf(document.head)) {
    Object.assign(detail, { shouldSwap: false, isError: false });
    location.assign(xhr.responseURL || detail.pathInfo.finalRequestPath);
    return;
  }
  arriving.page = page;
  const missing = stylesOf(page.head).filter((href) => !stylesOf(document.head).includes(href));
  for (const href of missing) document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
  if (missing.length) detail.swapOverride = `outerHTML swap:${STYLES_MS}ms`;
});

// Back and forward: the page is read again, and shown where it was left.
document.addEventListener("htmx:historyCacheMiss", (event) => {
  event.preventDefault();
  const { path } = event.detail;
  move(path, { push: false, place: places.get(path) || 0 });
});
