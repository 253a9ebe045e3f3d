// The neighbourhood of a node, drawn on a canvas: d3-force finds the places, this file draws and listens.
// The page's table has the same content for whoever reads without script or without sight.
"use strict";

(() => {
const stage = document.querySelector("[data-graph]");
if (!stage) return;

const data = JSON.parse(document.getElementById("graph-data").textContent);
const canvas = stage.querySelector("canvas");
const pen = canvas.getContext("2d");
const card = stage.querySelector("[data-graph-card]");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// Types are told apart by shape, the most common ones first; colour is for the centre and what is chosen.
const SHAPES = ["circle", "square", "diamond", "triangle", "hexagon", "star"];
const RADIUS = 5;
const MOST_LABELS_AT_ONCE = 60;
const HUBS = 10; // of many nodes the ones with the most edges are named from afar
const LABEL_FROM_SCALE = 1.3;
const LEAST_SCALE = 0.1;
const MOST_SCALE = 6;
const WARM_UP = 40; // steps before the first picture, so that nobody watches an explosion
const STILL = 300; // steps of a picture that does not move

const counts = new Map();
for (const node of data.nodes) counts.set(node.type, (counts.get(node.type) || 0) + 1);
const types = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a));
const shapeOf = (type) => SHAPES[Math.min(types.indexOf(type), SHAPES.length - 1)];

const byId = new Map(data.nodes.map((node) => [node.id, node]));
const links = data.edges.filter((edge) => byId.has(edge.source) && byId.has(edge.target)).map((edge) => ({ ...edge }));
const beside = new Map(data.nodes.map((node) => [node.id, new Set()]));
for (const { source, target } of links) { beside.get(source).add(target); beside.get(target).add(source); }
const centre = byId.get(data.centre);
if (centre) { centre.fx = 0; centre.fy = 0; }

const hubs = new Set([...data.nodes].sort((a, b) => beside.get(b.id).size - beside.get(a.id).size).slice(0, HUBS));

const view = { x: 0, y: 0, scale: 1, width: 0, height: 0 };
let chosen = null;
let over = null;
let colours = {};

// --- Places --------------------------------------------------------------------------------------

const simulation = d3.forceSimulation(data.nodes)
  .force("link", d3.forceLink(links).id((node) => node.id).distance(46).strength((link) =>
    1 / Math.min(beside.get(link.source.id).size, beside.get(link.target.id).size)))
  .force("charge", d3.forceManyBody().strength(-70).distanceMax(420))
  .force("x", d3.forceX().strength(0.03))
  .force("y", d3.forceY().strength(0.03))
  .force("apart", d3.forceCollide(RADIUS + 3))
  .stop();
simulation.tick(calm.matches ? STILL : WARM_UP);
if (!calm.matches) simulation.on("tick", draw).restart();

// --- Drawing -------------------------------------------------------------------------------------

function readColours() {
  const style = getComputedStyle(stage);
  const read = (name) => {
    const probe = document.createElement("i");
    probe.style.color = `var(${name})`;
    stage.append(probe);
    const colour = getComputedStyle(probe).color;
    probe.remove();
    return colour;
  };
  colours = {
    ink: read("--ink"), quiet: read("--ink-3"), line: read("--line-strong"), accent: read("--accent"), bg: read("--bg-sunken"),
    font: style.fontFamily,
  };
}

function trace(shape, x, y, r) {
  const corners = { square: [4, 0.785], diamond: [4, 0], triangle: [3, -1.571], hexagon: [6, 0], star: [5, -1.571] }[shape];
  pen.beginPath();
  if (!corners) { pen.arc(x, y, r, 0, 2 * Math.PI); return; }
  const [number, turn] = corners;
  const points = shape === "star" ? 2 * number : number;
  for (let corner = 0; corner < points; corner += 1) {
    const length = r * (shape === "star" && corner % 2 ? 0.55 : 1.25);
    const angle = turn + (corner * 2 * Math.PI) / points;
    pen.lineTo(x + length * Math.cos(angle), y + length * Math.sin(angle));
  }
  pen.closePath();
}

function draw() {
  const ratio = devicePixelRatio || 1;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, view.width, view.height);
  pen.translate(view.width / 2 + view.x, view.height / 2 + view.y);
  pen.scale(view.scale, view.scale);
  const near = chosen ? beside.get(chosen.id) : null;
  drawLinks(near);
  drawNodes(near);
  drawLabels(near);
}

function drawLinks(near) {
  pen.lineWidth = 1 / view.scale;
  pen.strokeStyle = colours.line;
  pen.globalAlpha = near ? 0.2 : 0.55;
  pen.beginPath();
  for (const { source, target } of links) { pen.moveTo(source.x, source.y); pen.lineTo(target.x, target.y); }
  pen.stroke();
  pen.globalAlpha = 1;
  if (!near) return;
  pen.strokeStyle = colours.accent;
  pen.beginPath();
  for (const { source, target } of links) {
    if (source === chosen || target === chosen) { pen.moveTo(source.x, source.y); pen.lineTo(target.x, target.y); }
  }
  pen.stroke();
}

function drawNodes(near) {
  for (const node of data.nodes) {
    const isMain = node === centre || node === chosen;
    pen.globalAlpha = near && !isMain && !near.has(node.id) ? 0.3 : 1;
    trace(shapeOf(node.type), node.x, node.y, isMain ? RADIUS + 2 : RADIUS);
    pen.fillStyle = isMain ? colours.accent : node === over ? colours.ink : colours.quiet;
    pen.fill();
    if (node === chosen) { pen.lineWidth = 2 / view.scale; pen.strokeStyle = colours.ink; pen.stroke(); }
  }
  pen.globalAlpha = 1;
}

function drawLabels(near) {
  const all = data.nodes.length <= MOST_LABELS_AT_ONCE || view.scale >= LABEL_FROM_SCALE;
  const size = 12 / view.scale;
  pen.font = `${size}px ${colours.font}`;
  pen.textAlign = "center";
  pen.lineWidth = 3 / view.scale;
  pen.strokeStyle = colours.bg;
  pen.fillStyle = colours.ink;
  const placed = [];
  const tell = (node) => {
    const text = node.title.length > 28 ? `${node.title.slice(0, 27)}…` : node.title;
    const [half, y] = [pen.measureText(text).width / 2, node.y + RADIUS + 2 + size];
    // A label that would lie on another one is left out; closer by there is room for it.
    if (placed.some((other) => Math.abs(other.x - node.x) < other.half + half && Math.abs(other.y - y) < size)) return;
    placed.push({ x: node.x, y, half });
    pen.strokeText(text, node.x, y);
    pen.fillText(text, node.x, y);
  };
  // The ones that matter most find room first.
  for (const node of new Set([chosen, over, centre, ...hubs, ...data.nodes])) {
    const isTold = node && (node === centre || node === chosen || node === over
      || (near ? near.has(node.id) && near.size <= MOST_LABELS_AT_ONCE : all || hubs.has(node)));
    if (isTold && isInSight(node)) tell(node);
  }
}

function isInSight({ x, y }) {
  return Math.abs(x * view.scale + view.x) < view.width / 2 + 80 && Math.abs(y * view.scale + view.y) < view.height / 2 + 20;
}

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
  for (const { x, y } of data.nodes) {
    left = Math.min(left, x); right = Math.max(right, x); top = Math.min(top, y); bottom = Math.max(bottom, y);
  }
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

function inGraph({ x, y }) {
  return [(x - view.width / 2 - view.x) / view.scale, (y - view.height / 2 - view.y) / view.scale];
}

const nodeAt = (place) => simulation.find(...inGraph(place), 14 / view.scale) || null;

function choose(node) {
  chosen = node;
  card.hidden = !node;
  if (node) {
    const number = beside.get(node.id).size;
    card.querySelector("[data-title]").textContent = node.title;
    card.querySelector("[data-about]").textContent = `${node.type}, ${number} ${number === 1 ? "neighbour" : "neighbours"} here`;
    card.querySelector("[data-open-node]").href = node.url;
    card.querySelector("[data-centre-node]").href = node.graph_url;
    announce(`${node.title}, ${node.type}, ${number} ${number === 1 ? "neighbour" : "neighbours"}`);
  }
  draw();
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
    if (calm.matches) { [dragged.x, dragged.y] = [dragged.fx, dragged.fy]; draw(); } else simulation.alphaTarget(0.2).restart();
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
  if (node === over) return;
  over = node;
  canvas.classList.toggle("is-over", Boolean(node));
  draw();
}

function release(event) {
  if (!pointers.delete(event.pointerId)) return;
  canvas.classList.remove("is-dragging");
  simulation.alphaTarget(0);
  if (moved <= 4 && event.type === "pointerup") choose(nodeAt(placeOf(event)));
  if (dragged && dragged !== centre) { dragged.fx = null; dragged.fy = null; }
  dragged = null;
}
canvas.addEventListener("pointerup", release);
canvas.addEventListener("pointercancel", release);
canvas.addEventListener("dblclick", (event) => { const node = nodeAt(placeOf(event)); if (node) location.assign(node.graph_url); });
canvas.addEventListener("wheel", (event) => { event.preventDefault(); zoom(Math.exp(-event.deltaY / 400), placeOf(event)); }, { passive: false });

// --- Keys: arrows walk to the next node that way, Enter opens it --------------------------------

const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

function walk([right, down]) {
  const from = chosen || centre || data.nodes[0];
  let best = null;
  let least = Infinity;
  for (const node of data.nodes) {
    const [dx, dy] = [node.x - from.x, node.y - from.y];
    const along = dx * right + dy * down;
    if (node === from || along <= 0) continue;
    const cost = along + 2 * Math.abs(dx * down - dy * right);
    if (cost < least) { least = cost; best = node; }
  }
  choose(chosen ? best || chosen : from);
  const [x, y] = [chosen.x * view.scale, chosen.y * view.scale];
  if (!isInSight(chosen)) { view.x = -x; view.y = -y; draw(); }
}

canvas.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (WAYS[event.key]) walk(WAYS[event.key]);
  else if (event.key === "Enter" && chosen) location.assign(chosen.url);
  else if (event.key === "+" || event.key === "=") zoom(1.25);
  else if (event.key === "-") zoom(0.8);
  else if (event.key === "0") fit();
  else if (event.key === "Escape" && chosen) choose(null);
  else return;
  event.preventDefault();
  event.stopPropagation();
});

const TOOLS = { in: () => zoom(1.25), out: () => zoom(0.8), fit };
stage.addEventListener("click", (event) => {
  const tool = event.target.closest("[data-graph-tool]");
  if (tool) TOOLS[tool.dataset.graphTool]();
});

// --- Beginning -----------------------------------------------------------------------------------

function drawLegend() {
  const legend = document.querySelector("[data-graph-legend]");
  for (const type of types.slice(0, SHAPES.length)) {
    const line = legend.querySelector("template").content.firstElementChild.cloneNode(true);
    const isLast = type === types[SHAPES.length - 1] && types.length > SHAPES.length;
    line.querySelector("use").setAttribute("href", `#shape-${shapeOf(type)}`);
    line.querySelector("span").textContent = isLast ? "other types" : type;
    legend.append(line);
  }
}

const repaint = () => { readColours(); draw(); };
new MutationObserver(repaint).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
new ResizeObserver(() => { resize(); draw(); }).observe(canvas);
stage.hidden = false;
document.querySelector("[data-graph-table]").open = false;
readColours();
resize();
drawLegend();
fit();
if (!calm.matches) simulation.on("end", () => { stage.dataset.settled = "true"; });
else stage.dataset.settled = "true";
})();
