// A graph of things: looking around, choosing, expanding, paths, time. graph-model.js holds it, graph-paint.js draws it.
// The page's table has the same content for whoever reads without script or without sight.
"use strict";

(() => {
const stage = document.querySelector("[data-graph]");
if (!stage) return;

const LEAST_SCALE = 0.1;
const MOST_SCALE = 6;
const data = JSON.parse(document.getElementById("graph-data").textContent);
const canvas = stage.querySelector("canvas");
const card = stage.querySelector("[data-graph-card]");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const view = { x: 0, y: 0, scale: 1, width: 0, height: 0 };
const state = { chosen: null, over: null, overLink: null, pathFrom: null };

const model = thingsGraph.makeModel(data, { isCalm: () => calm.matches, onTick: () => painter.draw() });
const painter = thingsGraph.makePainter(stage, canvas, model, view, state);
const draw = () => painter.draw();
const shown = () => model.nodes.filter(model.isShown);

// --- Looking around ------------------------------------------------------------------------------

function resize() {
  const ratio = devicePixelRatio || 1;
  view.width = canvas.clientWidth;
  view.height = canvas.clientHeight;
  canvas.width = Math.round(view.width * ratio);
  canvas.height = Math.round(view.height * ratio);
}

function fit() {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of shown()) {
    left = Math.min(left, x); right = Math.max(right, x); top = Math.min(top, y); bottom = Math.max(bottom, y);
  }
  if (left > right) return;
  const scale = Math.min((view.width - 80) / Math.max(right - left, 60), (view.height - 80) / Math.max(bottom - top, 60));
  view.scale = Math.min(1.6, Math.max(LEAST_SCALE, scale));
  view.x = (-(left + right) / 2) * view.scale;
  view.y = (-(top + bottom) / 2) * view.scale;
  draw();
}

function zoom(factor, at = { x: view.width / 2, y: view.height / 2 }) {
  const scale = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, view.scale * factor));
  const [dx, dy] = [at.x - view.width / 2, at.y - view.height / 2];
  view.x = dx - ((dx - view.x) * scale) / view.scale;
  view.y = dy - ((dy - view.y) * scale) / view.scale;
  view.scale = scale;
  draw();
}

function placeOf(event) {
  const box = canvas.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

const inGraph = ({ x, y }) => [(x - view.width / 2 - view.x) / view.scale, (y - view.height / 2 - view.y) / view.scale];

function nodeAt(place) {
  const [x, y] = inGraph(place);
  let best = null;
  let least = 14 / view.scale;
  for (const node of shown()) {
    const away = Math.hypot(node.x - x, node.y - y);
    if (away < least) { least = away; best = node; }
  }
  return best;
}

// --- Choosing, expanding, paths ------------------------------------------------------------------

function pathAddress(from, to) {
  const address = new URL(from.graph_url, location.origin);
  address.searchParams.set("to", to.id);
  return address.href;
}

function choose(node) {
  if (state.pathFrom && node && node !== state.pathFrom) { location.assign(pathAddress(state.pathFrom, node)); return; }
  state.pathFrom = null;
  state.chosen = node;
  card.hidden = !node;
  if (node) {
    const number = [...model.beside.get(node.id)].filter((id) => model.isShown(model.byId.get(id))).length;
    const about = `${node.type}, ${number} ${number === 1 ? "neighbour" : "neighbours"} here`;
    card.querySelector("[data-title]").textContent = node.title;
    card.querySelector("[data-about]").textContent = node.summary ? `${about} · ${node.summary}` : about;
    card.querySelector("[data-open-node]").href = node.url;
    card.querySelector("[data-centre-node]").href = node.graph_url;
    showCardNextTo(node);
    announce(`${node.title}, ${about}`);
  }
  draw();
}

// The card is in sight, and does not lie on the node that it is about.
function showCardNextTo(node) {
  card.scrollIntoView({ block: "nearest" });
  const [x, y] = [view.width / 2 + view.x + node.x * view.scale, view.height / 2 + view.y + node.y * view.scale];
  const [right, bottom] = [card.offsetLeft + card.offsetWidth + 24, card.offsetTop + card.offsetHeight + 24];
  if (x > right || y > bottom) return;
  if (right < view.width - 24) view.x += right - x; else view.y += bottom - y;
}

async function expand() {
  const node = state.chosen;
  if (!node) return;
  stage.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(node.expand_url, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    const added = model.add(await answer.json(), node);
    renewLegend();
    if (added) announce(`${added} more ${added === 1 ? "node" : "nodes"}`);
    else showToast({ text: `All that is connected with ${node.title} is here already.` });
    model.settle(false);
    choose(node);
  } catch {
    showToast({ text: "The server did not answer. The graph is unchanged; try again.", tone: "error" });
  } finally {
    stage.removeAttribute("aria-busy");
  }
}

function beginPath() {
  state.pathFrom = state.chosen;
  card.querySelector("[data-about]").textContent = "Now choose where the path should lead. Escape ends it.";
  announce("Choose the other end of the path.");
  canvas.focus();
}

// --- Pointers: one drags a node or the ground, two zoom -----------------------------------------

const pointers = new Map();
let dragged = null;
let moved = 0;

canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, placeOf(event));
  moved = 0;
  dragged = pointers.size === 1 ? nodeAt(placeOf(event)) : null;
  canvas.classList.add("is-dragging");
});

canvas.addEventListener("pointermove", (event) => {
  const place = placeOf(event);
  const before = pointers.get(event.pointerId);
  if (!before) { hover(place); return; }
  pointers.set(event.pointerId, place);
  moved += Math.abs(place.x - before.x) + Math.abs(place.y - before.y);
  if (pointers.size === 2) { pinch(event.pointerId, before, place); return; }
  if (dragged && moved > 4) {
    [dragged.fx, dragged.fy] = inGraph(place);
    if (calm.matches) { [dragged.x, dragged.y] = [dragged.fx, dragged.fy]; draw(); } else model.simulation.alphaTarget(0.2).restart();
  } else if (!dragged) {
    view.x += place.x - before.x;
    view.y += place.y - before.y;
    draw();
  }
});

function pinch(id, before, place) {
  const [other] = [...pointers].filter(([key]) => key !== id).map(([, value]) => value);
  const length = (point) => Math.hypot(point.x - other.x, point.y - other.y);
  zoom(length(place) / Math.max(1, length(before)), { x: (place.x + other.x) / 2, y: (place.y + other.y) / 2 });
}

function hover(place) {
  const node = nodeAt(place);
  const link = node ? null : painter.linkAt(inGraph(place), 10 / view.scale);
  if (node === state.over && link === state.overLink) return;
  state.over = node;
  state.overLink = link;
  canvas.title = link ? `${link.source.title} ${link.words} ${link.target.title}` : "";
  canvas.classList.toggle("is-over", Boolean(node));
  draw();
}

function release(event) {
  if (!pointers.delete(event.pointerId)) return;
  canvas.classList.remove("is-dragging");
  model.simulation.alphaTarget(0);
  if (moved <= 4 && event.type === "pointerup") choose(nodeAt(placeOf(event)));
  if (dragged && dragged !== model.centre) { dragged.fx = null; dragged.fy = null; }
  dragged = null;
}
canvas.addEventListener("pointerup", release);
canvas.addEventListener("pointercancel", release);
canvas.addEventListener("dblclick", (event) => { const node = nodeAt(placeOf(event)); if (node) { choose(node); expand(); } });
canvas.addEventListener("wheel", (event) => { event.preventDefault(); zoom(Math.exp(-event.deltaY / 400), placeOf(event)); }, { passive: false });

// --- Keys: arrows walk to the next node that way, Enter opens it, x expands it -------------------

const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

function walk([right, down]) {
  const nodes = shown();
  const from = state.chosen || model.centre || nodes[0];
  if (!from) return;
  let best = null;
  let least = Infinity;
  for (const node of nodes) {
    const [dx, dy] = [node.x - from.x, node.y - from.y];
    const along = dx * right + dy * down;
    if (node === from || along <= 0) continue;
    const cost = along + 2 * Math.abs(dx * down - dy * right);
    if (cost < least) { least = cost; best = node; }
  }
  const next = state.chosen ? best || state.chosen : from;
  const armed = state.pathFrom; // walking passes nodes over; Enter chooses the end of a path
  state.pathFrom = null;
  choose(next);
  state.pathFrom = armed;
  if (!thingsGraph.isInSight(next, view)) { view.x = -next.x * view.scale; view.y = -next.y * view.scale; draw(); }
}

function open() {
  if (state.pathFrom && state.pathFrom !== state.chosen) location.assign(pathAddress(state.pathFrom, state.chosen));
  else location.assign(state.chosen.url);
}

canvas.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (WAYS[event.key]) walk(WAYS[event.key]);
  else if (event.key === "Enter" && state.chosen) open();
  else if (event.key === "x" && state.chosen) expand();
  else if (event.key === "t" && state.chosen) beginPath();
  else if (event.key === "+" || event.key === "=") zoom(1.25);
  else if (event.key === "-") zoom(0.8);
  else if (event.key === "0") fit();
  else if (event.key === "Escape" && state.chosen) choose(null);
  else return;
  event.preventDefault();
  event.stopPropagation();
});

const TOOLS = { in: () => zoom(1.25), out: () => zoom(0.8), fit, expand, path: beginPath };
stage.addEventListener("click", (event) => {
  const tool = event.target.closest("[data-graph-tool]");
  if (tool) TOOLS[tool.dataset.graphTool]();
});

// --- What is shown: words, types, time -----------------------------------------------------------

const tell = (number) => announce(`${number} ${number === 1 ? "node" : "nodes"}`);

stage.querySelector("[data-graph-find]").addEventListener("input", (event) => {
  model.words = event.target.value.trim().toLowerCase();
  draw();
  tell(shown().filter(model.isFound).length);
});
stage.querySelector("[data-graph-find]").addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  const [first] = shown().filter(model.isFound);
  if (first && model.words) { choose(first); view.x = -first.x * view.scale; view.y = -first.y * view.scale; draw(); }
});

// After an expansion: counts, and lines for types that were not there before, in the marks that the server gave them.
function renewLegend() {
  const legend = stage.querySelector("[data-graph-legend]");
  const counts = new Map();
  for (const node of model.nodes) counts.set(node.type, (counts.get(node.type) || 0) + 1);
  const lines = new Map([...legend.querySelectorAll("[data-type]")].map((button) => [button.dataset.type, button]));
  for (const [type, count] of counts) {
    if (!lines.has(type)) {
      const { shape, hue } = model.nodes.find((node) => node.type === type);
      const item = legend.firstElementChild.cloneNode(true);
      const [button, mark, use] = ["button", ".mark", "use"].map((selector) => item.querySelector(selector));
      button.dataset.type = type;
      button.setAttribute("aria-pressed", "true");
      mark.setAttribute("class", `mark hue-${hue}`);
      use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#shape-${shape}`));
      item.querySelector(".type").lastChild.textContent = type;
      legend.append(item);
      lines.set(type, button);
    }
    lines.get(type).querySelector(".count").textContent = count;
  }
}

document.querySelector("[data-graph-legend]").addEventListener("click", (event) => {
  const button = event.target.closest("[data-type]");
  if (!button) return;
  const isOn = button.getAttribute("aria-pressed") === "true";
  button.setAttribute("aria-pressed", String(!isOn));
  if (isOn) model.hiddenTypes.add(button.dataset.type); else model.hiddenTypes.delete(button.dataset.type);
  if (state.chosen && !model.isShown(state.chosen)) choose(null);
  draw();
  tell(shown().length);
});

function beginTime() {
  const slider = stage.querySelector("[data-graph-time]");
  const moments = [...model.nodes, ...model.links].map((one) => Date.parse(one.since)).sort((a, b) => a - b);
  const [first, last] = [moments[0], moments[moments.length - 1]];
  if (!(last > first)) return;
  slider.closest("[data-graph-time-line]").hidden = false;
  const label = stage.querySelector("[data-graph-moment]");
  slider.addEventListener("input", () => {
    const part = Number(slider.value) / Number(slider.max);
    model.until = part === 1 ? null : first + (last - first) * part;
    const text = part === 1 ? "now" : new Date(model.until).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    label.textContent = text;
    slider.setAttribute("aria-valuetext", text);
    if (state.chosen && !model.isShown(state.chosen)) choose(null);
    draw();
  });
}

// --- Beginning -----------------------------------------------------------------------------------

const repaint = () => { painter.readColours(); draw(); };
new MutationObserver(repaint).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
new ResizeObserver(() => { resize(); draw(); }).observe(canvas);
stage.hidden = false;
document.querySelector("[data-graph-table]").open = false;
painter.readColours();
resize();
model.settle(true);
beginTime();
fit();
if (!calm.matches) model.simulation.on("end", () => { stage.dataset.settled = "true"; });
else stage.dataset.settled = "true";
})();
