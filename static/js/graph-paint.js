// The picture of a graph on a canvas: edges with arrowheads and names, nodes by the mark of their type, labels by zoom.
"use strict";

thingsGraph.makePainter = (stage, canvas, model, view, state) => {
  const MOST_LABELS_AT_ONCE = 60;
  const LABEL_FROM_SCALE = 1.3;
  const EDGE_LABEL_FROM_SCALE = 1.9; // closer by, every edge says what it is
  const MOST_EDGE_LABELS = 40;
  const ARROW = 5;
  const HUES = 8;
  const pen = canvas.getContext("2d");
  let colours = {};

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
      ink: read("--ink"), ink2: read("--ink-2"), line: read("--line-strong"), accent: read("--accent"), bg: read("--bg-sunken"),
      hues: Array.from({ length: HUES }, (_, hue) => read(`--hue-${hue}`)), font: style.fontFamily,
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

  function middle({ source, target, bend }) {
    const [dx, dy] = [target.x - source.x, target.y - source.y];
    const length = Math.hypot(dx, dy) || 1;
    return [(source.x + target.x) / 2 - (dy / length) * bend, (source.y + target.y) / 2 + (dx / length) * bend];
  }

  function line(link) {
    const [x, y] = middle(link);
    pen.moveTo(link.source.x, link.source.y);
    if (link.source === link.target) pen.arc(link.source.x, link.source.y - 12, 8, Math.PI / 2, 2.5 * Math.PI);
    else pen.quadraticCurveTo(x, y, link.target.x, link.target.y);
  }

  function arrowhead(link) {
    if (link.source === link.target) return;
    const { target } = link;
    const [fromX, fromY] = middle(link);
    const angle = Math.atan2(target.y - fromY, target.x - fromX);
    const gap = model.radius + 3;
    const [x, y] = [target.x - gap * Math.cos(angle), target.y - gap * Math.sin(angle)];
    pen.moveTo(x, y);
    pen.lineTo(x - ARROW * Math.cos(angle - 0.45), y - ARROW * Math.sin(angle - 0.45));
    pen.lineTo(x - ARROW * Math.cos(angle + 0.45), y - ARROW * Math.sin(angle + 0.45));
    pen.closePath();
  }

  function strokeLinks(links, colour, alpha, width) {
    pen.globalAlpha = alpha;
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = width / view.scale;
    pen.beginPath();
    links.forEach(line);
    pen.stroke();
    pen.beginPath();
    links.forEach(arrowhead);
    pen.fill();
    pen.globalAlpha = 1;
  }

  const touches = (link, node) => node && (link.source === node || link.target === node);

  function drawLinks(links) {
    const isQuiet = state.chosen || model.path.size;
    strokeLinks(links, colours.line, isQuiet ? 0.25 : 0.6, 1);
    strokeLinks(links.filter(model.isOnPath), colours.accent, 1, 2.5);
    strokeLinks(links.filter((link) => touches(link, state.chosen) || link === state.overLink), colours.accent, 1, 1.5);
  }

  function drawNodes(nodes, near) {
    for (const node of nodes) {
      const isMain = node === model.centre || node === state.chosen;
      const isDim = (near && !isMain && !near.has(node.id)) || !model.isFound(node);
      pen.globalAlpha = isDim && !model.path.has(node.id) ? 0.25 : 1;
      trace(node.shape, node.x, node.y, isMain ? model.radius + 2 : model.radius);
      pen.fillStyle = colours.hues[node.hue];
      pen.fill();
      if (!isMain && node !== state.over && !model.path.has(node.id) && !(model.words && model.isFound(node))) continue;
      pen.lineWidth = (node === state.chosen ? 2.5 : 1.5) / view.scale;
      pen.strokeStyle = node === state.over ? colours.ink2 : colours.ink;
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  function write(text, x, y, placed, size) {
    const half = pen.measureText(text).width / 2;
    // A label that would lie on another one is left out; closer by there is room for it.
    if (placed.some((other) => Math.abs(other.x - x) < other.half + half && Math.abs(other.y - y) < size)) return;
    placed.push({ x, y, half });
    pen.strokeText(text, x, y);
    pen.fillText(text, x, y);
  }

  function drawLabels(nodes, links, near) {
    const all = nodes.length <= MOST_LABELS_AT_ONCE || view.scale >= LABEL_FROM_SCALE;
    const size = 12 / view.scale;
    pen.textAlign = "center";
    pen.lineWidth = 3 / view.scale;
    pen.strokeStyle = colours.bg;
    const placed = [];
    const isTold = (node) => node === model.centre || node === state.chosen || node === state.over || model.path.has(node.id)
      || (model.words && model.isFound(node))
      || (near ? near.has(node.id) && near.size <= MOST_LABELS_AT_ONCE : all || model.hubs.has(node));
    pen.font = `${size}px ${colours.font}`;
    pen.fillStyle = colours.ink;
    // The ones that matter most find room first.
    for (const node of new Set([state.chosen, state.over, model.centre, ...model.hubs, ...nodes])) {
      if (!node || !model.isShown(node) || !isTold(node) || !thingsGraph.isInSight(node, view)) continue;
      write(node.title.length > 28 ? `${node.title.slice(0, 27)}…` : node.title, node.x, node.y + model.radius + 2 + size, placed, size);
    }
    pen.font = `italic ${size * 0.9}px ${colours.font}`;
    pen.fillStyle = colours.ink2;
    const named = links.filter((link) => touches(link, state.chosen) || touches(link, state.over) || link === state.overLink
      || model.isOnPath(link) || view.scale >= EDGE_LABEL_FROM_SCALE);
    for (const link of named.slice(0, MOST_EDGE_LABELS)) {
      const [x, y] = middle(link);
      write(link.words, (x + (link.source.x + link.target.x) / 2) / 2, (y + (link.source.y + link.target.y) / 2) / 2, placed, size);
    }
  }

  function draw() {
    const ratio = devicePixelRatio || 1;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, view.width, view.height);
    pen.translate(view.width / 2 + view.x, view.height / 2 + view.y);
    pen.scale(view.scale, view.scale);
    const nodes = model.nodes.filter(model.isShown);
    const links = model.links.filter(model.isLinkShown);
    const near = state.chosen ? model.beside.get(state.chosen.id) : null;
    drawLinks(links);
    drawNodes(nodes, near);
    drawLabels(nodes, links, near);
  }

  // The edge nearest to a place, by the middle of its arc and points around it.
  function linkAt([x, y], within) {
    let best = null;
    let least = within;
    for (const link of model.links) {
      if (!model.isLinkShown(link)) continue;
      const [mx, my] = middle(link);
      for (const t of [0.3, 0.4, 0.5, 0.6, 0.7]) {
        const at = (a, b, c) => (1 - t) ** 2 * a + 2 * (1 - t) * t * b + t ** 2 * c;
        const away = Math.hypot(at(link.source.x, mx, link.target.x) - x, at(link.source.y, my, link.target.y) - y);
        if (away < least) { least = away; best = link; }
      }
    }
    return best;
  }

  return { readColours, draw, linkAt };
};

thingsGraph.isInSight = ({ x, y }, view) =>
  Math.abs(x * view.scale + view.x) < view.width / 2 + 80 && Math.abs(y * view.scale + view.y) < view.height / 2 + 20;
