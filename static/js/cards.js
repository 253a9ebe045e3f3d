// Hover cards: a link to a memory, thing, agent, run, context or conversation shows what that is, on hover and on focus.
// Which links these are stands in their addresses, so that no template marks them; data-no-card leaves one out.
// Uses $, $$ and refreshTimes of app.js. Without script the links are links.
"use strict";

(() => {
  const THING = /^\/w\/[^/]+\/(?:(?:memory|ontology\/nodes|conversations|explain\/runs|explain\/ask|receipts)\/[0-9a-f-]{36}|agents\/agent)$/;
  const SHOW_MS = 300, SHOW_ROW_MS = 900, HIDE_MS = 250;
  const GAP = 6, EDGE = 8;

  const card = Object.assign(document.createElement("div"), { id: "hover-card", className: "hover-card", popover: "manual" });
  card.setAttribute("role", "group");
  card.setAttribute("aria-label", "Preview");
  document.body.append(card);
  // Not a style attribute: htmx copies the page before it moves on, and the content rules refuse one in a copy.
  const position = new CSSStyleSheet();
  document.adoptedStyleSheets.push(position);

  let link = null; // whose card is shown, or will be
  let timer = 0;
  let asked = null; // the AbortController of the request that is under way
  let point = null; // where the pointer came upon a link that takes several lines

  const isOpen = () => card.matches(":popover-open");

  function find(target) {
    const found = target.closest?.("a[href]");
    if (!found || found.matches(".btn, .back, [data-no-card], .rail a, .tabs a") || found.closest("#hover-card, dialog")) return null;
    const to = new URL(found.href, location.href);
    if (to.origin !== location.origin || !THING.test(to.pathname) || to.pathname === location.pathname) return null;
    return isTold(found) ? null : found;
  }

  // The row of a memory says all that a card would, unless its text is cut.
  const isTold = (found) => found.matches(".row-text") && found.scrollWidth <= found.clientWidth && found.scrollHeight <= found.clientHeight;

  function plan(found, wait) {
    clearTimeout(timer);
    if (found === link && isOpen()) return;
    timer = setTimeout(() => show(found), wait);
  }

  function hide() {
    clearTimeout(timer);
    asked?.abort();
    asked = null;
    link?.removeAttribute("aria-describedby");
    link = null;
    if (isOpen()) card.hidePopover();
    card.replaceChildren();
  }

  async function show(found) {
    hide();
    if (!found.isConnected) return;
    link = found;
    if (!(await fill()) || link !== found || !found.isConnected) return;
    card.showPopover();
    place();
    found.setAttribute("aria-describedby", "hover-card");
  }

  // Answers whether there is something to show; what cannot be read just now leaves the link as it is.
  async function fill() {
    const to = new URL(link.href, location.href);
    const address = new URL(`${to.pathname.split("/").slice(0, 3).join("/")}/card`, location.origin);
    address.searchParams.set("of", to.pathname + to.search);
    const space = to.searchParams.get("space");
    if (space) address.searchParams.set("space", space);
    const mine = asked = new AbortController();
    try {
      const answer = await fetch(address, { headers: { "HX-Request": "true", Accept: "text/html" }, signal: mine.signal });
      const isCard = answer.headers.get("Content-Type")?.startsWith("text/html") && (answer.ok || answer.status === 404);
      if (!isCard) return false;
      const html = await answer.text();
      if (asked !== mine || html.includes("<html")) return false;
      card.innerHTML = html;
    } catch {
      return false; // the pointer went on, or the server cannot be reached
    }
    const row = $(`[data-row][data-key="memory-${to.pathname.split("/").pop()}"]`);
    card.setAttribute("hx-target", row ? `[data-key="${row.dataset.key}"]` : "this");
    card.setAttribute("hx-swap", row ? "outerHTML" : "none");
    htmx.process(card);
    refreshTimes(card);
    return true;
  }

  function place() {
    const lines = [...link.getClientRects()];
    const near = point && lines.find((each) => point.y >= each.top && point.y <= each.bottom && point.x >= each.left && point.x <= each.right);
    const at = near || lines[0];
    if (!at) return hide();
    const { width, height } = card.getBoundingClientRect();
    const isBelow = at.bottom + GAP + height <= innerHeight - EDGE || at.top < height + GAP + EDGE;
    const start = near && at.width > width ? point.x - EDGE * 2 : at.left;
    const left = Math.max(EDGE, Math.min(start, innerWidth - width - EDGE));
    const top = Math.max(EDGE, isBelow ? at.bottom + GAP : at.top - GAP - height);
    position.replaceSync(`.hover-card { left: ${left}px; top: ${top}px; }`);
  }

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    if (card.contains(event.target)) return clearTimeout(timer);
    const found = find(event.target);
    if (!found) return;
    point = { x: event.clientX, y: event.clientY };
    plan(found, found.matches("[data-open]") ? SHOW_ROW_MS : SHOW_MS);
  });

  document.addEventListener("pointerout", (event) => {
    if (event.pointerType !== "mouse" || (!link && !timer)) return;
    const isLeaving = find(event.target) || card.contains(event.target);
    const to = event.relatedTarget;
    if (!isLeaving || (to && (card.contains(to) || find(to) === link && link))) return;
    clearTimeout(timer);
    if (!$(":focus-visible", card)) timer = setTimeout(hide, HIDE_MS); // who works in it by keyboard keeps it
  });

  document.addEventListener("focusin", (event) => {
    if (card.contains(event.target)) return clearTimeout(timer);
    const found = find(event.target);
    point = null;
    if (found?.matches(":focus-visible")) plan(found, SHOW_MS);
    else if (isOpen() && event.target !== link) hide();
    else clearTimeout(timer);
  });

  // Tab goes into the card and out of it as if it stood behind its link.
  const stops = () => $$("a[href], button:not([disabled])", card).filter((each) => each.checkVisibility());

  function tab(event) {
    const inside = stops();
    if (document.activeElement === link && !event.shiftKey && inside.length) {
      event.preventDefault();
      inside[0].focus();
    } else if (document.activeElement === inside[0] && event.shiftKey) {
      event.preventDefault();
      link.focus();
    } else if (document.activeElement === inside.at(-1) && !event.shiftKey) {
      const here = link;
      hide();
      here.focus({ preventScroll: true }); // from where the browser goes on
      clearTimeout(timer);
    }
  }

  document.addEventListener("keydown", (event) => {
    if (!isOpen()) return;
    if (event.key === "Tab" && (document.activeElement === link || card.contains(document.activeElement))) return tab(event);
    if (event.key !== "Escape" || $("dialog[open]")) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    const here = card.contains(document.activeElement) && link;
    hide();
    if (here) here.focus();
    clearTimeout(timer);
  }, { capture: true });

  document.addEventListener("click", (event) => {
    if (card.contains(event.target) ? event.target.closest("a[href]") : true) hide();
  });
  addEventListener("scroll", (event) => { if (isOpen() && !card.contains(event.target)) hide(); }, { capture: true, passive: true });

  // A verb was done: the card says how things are now.
  document.addEventListener("htmx:afterRequest", async ({ detail }) => {
    if (!detail.elt || !card.contains(detail.elt) || !link) return;
    const verb = detail.elt.dataset.verb;
    if (!link.isConnected) link = find($(`a[href="${CSS.escape(link.getAttribute("href"))}"]`) || document.body);
    if (!link) return hide();
    const had = card.contains(document.activeElement);
    if (!(await fill())) return hide();
    if (isOpen()) place();
    if (had) ($(`[data-verb="${verb}"]`, card) || stops()[0])?.focus();
  });
  document.addEventListener("htmx:beforeSwap", ({ detail }) => { if (detail.target?.matches?.(".frame")) hide(); });

  // --- Copying: citations as they were written ---------------------------------------------------------

  document.addEventListener("copy", (event) => {
    const selection = getSelection();
    if (!selection.rangeCount || event.target.matches?.("input, textarea")) return;
    const copied = document.createElement("div");
    for (let each = 0; each < selection.rangeCount; each += 1) copied.append(selection.getRangeAt(each).cloneContents());
    const marks = $$("[data-mark]", copied);
    if (!marks.length) return;
    for (const mark of marks) mark.replaceWith(mark.dataset.mark);
    copied.className = "unseen";
    document.body.append(copied); // laid out, so that list items are lines
    event.clipboardData.setData("text/plain", copied.innerText);
    copied.remove();
    event.preventDefault();
  });
})();
