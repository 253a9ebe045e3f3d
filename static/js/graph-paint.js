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

  // How many corners, the angle of the first one, and for those of a star how far in every second one lies.
  const CORNERS = {
    square: [4, 0.785], diamond: [4, 0], triangle: [3, -1.571], wedge: [3, 1.571], hexagon: [6, 0], star: [5, -1.571, 0.55],
    cross: [4, 0.785, 0.45],
  };

  function trace(shape, x, y, r) {
    pen.beginPath();
    if (!CORNERS[shape]) { pen.arc(x, y, r, 0, 2 * Math.PI); return; }
    const [number, turn, inner] = CORNERS[shape];
    const points = inner ? 2 * number : number;
    for (let corner = 0; corner < points; corner += 1) {
      const length = r * (inner && corner % 2 ? inner : 1.25);
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

  function tip(link) {
    const { target } = link;
    const [fromX, fromY] = middle(link);
    const angle = Math.atan2(target.y - fromY, target.x - fromX);
    const gap = model.radius + 3;
    return [target.x - gap * Math.cos(angle), target.y - gap * Math.sin(angle), angle];
  }

  function arrowhead(link) {
    if (link.source === link.target) return;
    const [x, y, angle] = tip(link);
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

  function write(text, placesOf, taken, size) {
    const half = pen.measureText(text).width / 2;
    const place = thingsGraph.findPlace(placesOf(half), half, size, taken);
    if (!place) return;
    taken.labels.push({ x: place[0], y: place[1], half });
    pen.strokeText(text, ...place);
    pen.fillText(text, ...place);
  }

  // Below its node, above, or to a side of it: where neither another label nor the head of an arrow is.
  const aroundNode = ({ x, y }, size) => (half) => {
    const away = model.radius + 2;
    return [[x, y + away + size], [x, y - away - size / 3], [x + away + size / 3 + half, y + size / 3], [x - away - size / 3 - half, y + size / 3]];
  };

  function drawLabels(nodes, links, near) {
    const all = nodes.length <= MOST_LABELS_AT_ONCE || view.scale >= LABEL_FROM_SCALE;
    const size = 12 / view.scale;
    pen.textAlign = "center";
    pen.lineWidth = 3 / view.scale;
    pen.strokeStyle = colours.bg;
    const taken = { labels: [], heads: thingsGraph.headsByCell(links.filter((link) => link.source !== link.target).map(tip)) };
    const isTold = (node) => node === model.centre || node === state.chosen || node === state.over || model.path.has(node.id)
      || (model.words && model.isFound(node))
      || (near ? near.has(node.id) && near.size <= MOST_LABELS_AT_ONCE : all || model.hubs.has(node));
    pen.font = `${size}px ${colours.font}`;
    pen.fillStyle = colours.ink;
    // The ones that matter most find room first.
    for (const node of new Set([state.chosen, state.over, model.centre, ...model.hubs, ...nodes])) {
      if (!node || !model.isShown(node) || !isTold(node) || !thingsGraph.isInSight(node, view)) continue;
      write(node.title.length > 28 ? `${node.title.slice(0, 27)}…` : node.title, aroundNode(node, size), taken, size);
    }
    pen.font = `italic ${size * 0.9}px ${colours.font}`;
    pen.fillStyle = colours.ink2;
    const named = links.filter((link) => touches(link, state.chosen) || touches(link, state.over) || link === state.overLink
      || model.isOnPath(link) || view.scale >= EDGE_LABEL_FROM_SCALE);
    for (const link of named.slice(0, MOST_EDGE_LABELS)) {
      const [x, y] = middle(link);
      const place = [(x + (link.source.x + link.target.x) / 2) / 2, (y + (link.source.y + link.target.y) / 2) / 2];
      write(link.words, () => [place], taken, size);
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

// --- Where a label has room --------------------------------------------------------------------------

thingsGraph.CELL = 24;
const cellOf = (x, y) => `${Math.floor(x / thingsGraph.CELL)} ${Math.floor(y / thingsGraph.CELL)}`;

thingsGraph.headsByCell = (tips) => {
  const heads = new Map();
  for (const [x, y] of tips) {
    const cell = cellOf(x, y);
    if (heads.has(cell)) heads.get(cell).push([x, y]); else heads.set(cell, [[x, y]]);
  }
  return heads;
};

// Returns the first of the places, each the middle of a label's line, at which it lies on no other label and on no head
// of an arrow; undefined where there is none: the label is left out, and closer by there is room for it.
thingsGraph.findPlace = (places, half, size, { labels, heads }) => {
  const HEAD = 5; // how far a head reaches from its tip
  const isFree = ([x, y]) => {
    if (labels.some((other) => Math.abs(other.x - x) < other.half + half && Math.abs(other.y - y) < size)) return false;
    const [left, right, top, bottom] = [x - half - HEAD, x + half + HEAD, y - size - HEAD, y + size / 3 + HEAD];
    for (let column = left; column < right + thingsGraph.CELL; column += thingsGraph.CELL) {
      for (let row = top; row < bottom + thingsGraph.CELL; row += thingsGraph.CELL) {
        const near = heads.get(cellOf(column, row)) || [];
        if (near.some(([hx, hy]) => hx > left && hx < right && hy > top && hy < bottom)) return false;
      }
    }
    return true;
  };
  return places.find(isFree);
};
