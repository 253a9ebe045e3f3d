// What a graph holds: nodes and edges, which of them are shown now, and where they stand (d3-force).
"use strict";

window.thingsGraph = {};

thingsGraph.makeModel = (data, { isCalm, onTick }) => {
  const RADIUS = 5;
  const WARM_UP = 40; // steps before the first picture, so that nobody watches an explosion
  const STILL = 300; // steps of a picture that does not move
  const HUBS = 10; // of many nodes the ones with the most edges are named from afar

  const model = {
    radius: RADIUS, nodes: [], links: [], byId: new Map(), beside: new Map(), hubs: new Set(), centre: null,
    path: new Set(data.path || []), hiddenTypes: new Set(), until: null, words: "",
  };
  const edgeIds = new Set();

  const simulation = d3.forceSimulation()
    .force("charge", d3.forceManyBody().strength(-90).distanceMax(420))
    .force("x", d3.forceX().strength(0.03))
    .force("y", d3.forceY().strength(0.03))
    .force("apart", d3.forceCollide(RADIUS + 4))
    .stop();
  model.simulation = simulation;

  // Adds what is not there yet; new nodes begin next to the one that they were asked for.
  model.add = (more, near = null) => {
    let added = 0;
    for (const given of more.nodes) {
      if (model.byId.has(given.id)) continue;
      const node = { ...given };
      if (near) { node.x = near.x + Math.random() * 20 - 10; node.y = near.y + Math.random() * 20 - 10; }
      model.byId.set(node.id, node);
      model.beside.set(node.id, new Set());
      model.nodes.push(node);
      added += 1;
    }
    for (const given of more.edges) {
      if (edgeIds.has(given.id) || !model.byId.has(given.source) || !model.byId.has(given.target)) continue;
      edgeIds.add(given.id);
      model.links.push({ ...given, source: model.byId.get(given.source), target: model.byId.get(given.target) });
      model.beside.get(given.source).add(given.target);
      model.beside.get(given.target).add(given.source);
    }
    fanOut();
    const degree = (node) => model.beside.get(node.id).size;
    model.hubs = new Set([...model.nodes].sort((a, b) => degree(b) - degree(a)).slice(0, HUBS));
    simulation.nodes(model.nodes).force("link", d3.forceLink(model.links).distance(60).strength((link) =>
      1 / Math.max(1, Math.min(degree(link.source), degree(link.target)))));
    return added;
  };

  // Several edges between the same two nodes are drawn as arcs next to each other.
  function fanOut() {
    const between = new Map();
    for (const link of model.links) {
      const key = [link.source.id, link.target.id].sort().join();
      if (!between.has(key)) between.set(key, []);
      between.get(key).push(link);
    }
    for (const group of between.values()) {
      group.forEach((link, at) => {
        const turn = link.source.id < link.target.id ? 1 : -1;
        link.bend = (at - (group.length - 1) / 2) * 14 * turn;
      });
    }
  }

  model.settle = (isFirst) => {
    simulation.alpha(isFirst ? 1 : 0.4);
    if (isCalm() || isFirst) simulation.tick(isCalm() ? STILL : WARM_UP);
    if (isCalm()) onTick(); else simulation.on("tick", onTick).restart();
  };

  // Hidden are types that were taken away in the legend, and what was not known yet at the moment of the slider.
  const isKnown = (one) => model.until === null || Date.parse(one.since) <= model.until;
  model.isShown = (node) => isKnown(node) && !model.hiddenTypes.has(node.type);
  model.isLinkShown = (link) => isKnown(link) && model.isShown(link.source) && model.isShown(link.target);
  model.isFound = (node) => !model.words || `${node.title} ${node.type} ${node.summary}`.toLowerCase().includes(model.words);
  model.isOnPath = (link) => model.path.has(link.source.id) && model.path.has(link.target.id) && data.path_edges?.includes(link.id);

  model.add(data);
  model.centre = model.byId.get(data.centre) || null;
  if (model.centre) { model.centre.fx = 0; model.centre.fy = 0; }
  return model;
};
