/** What things are and how they hang together: nodes, edges, and questions to both. */

import type { Items } from "./items.js";
import type { Listed } from "./memories.js";
import type { BodyOf, QueryOf, Schemas } from "./routes.js";
import type { Transport } from "./transport.js";

const NODE = "ontology/nodes/{node_id}";
const EDGE = "ontology/edges/{edge_id}";

/** `memory.ontology.nodes`. */
export class Nodes {
  constructor(private readonly transport: Transport) {}

  /** Create a node. */
  async create(
    type: string,
    name: string,
    fields: Omit<BodyOf<"ontology/nodes", "post">, "type" | "name"> = {},
  ): Promise<Schemas["Node"]> {
    return this.transport.call("post", "ontology/nodes", { body: { ...fields, type, name } });
  }

  /** Nodes, newest first. */
  list(filters: Listed<"ontology/nodes"> = {}): Items<Schemas["Node"]> {
    return this.transport.each("ontology/nodes", {}, filters);
  }

  async get(id: string): Promise<Schemas["Node"]> {
    return this.transport.call("get", NODE, { path: { node_id: id } });
  }

  /** Change what is named; properties are merged, and null takes one away. */
  async edit(id: string, changes: BodyOf<typeof NODE, "patch">): Promise<Schemas["Node"]> {
    return this.transport.call("patch", NODE, { path: { node_id: id }, body: changes });
  }

  /** Delete it; `restore` undoes it, and brings its edges back. */
  async delete(id: string): Promise<void> {
    await this.transport.remove(NODE, { path: { node_id: id } });
  }

  async restore(id: string): Promise<Schemas["Node"]> {
    return this.transport.call("post", `${NODE}/restore`, { path: { node_id: id } });
  }

  /** What happened to it, newest first. */
  history(id: string, options: { most?: number } = {}): Items<Schemas["Change"]> {
    return this.transport.each(`${NODE}/history`, { node_id: id }, options);
  }

  /** What lies within `depth` edges of it, and the edges among that. */
  async neighbours(
    id: string,
    query: QueryOf<`${typeof NODE}/neighbours`, "get"> = {},
  ): Promise<Schemas["Neighbourhood"]> {
    return this.transport.call("get", `${NODE}/neighbours`, { path: { node_id: id }, query });
  }

  /** What leads to it by directed edges, or with `direction: "out"` what it leads to. */
  async impact(id: string, query: QueryOf<`${typeof NODE}/impact`, "get"> = {}): Promise<Schemas["Impact"]> {
    return this.transport.call("get", `${NODE}/impact`, { path: { node_id: id }, query });
  }
}

/** `memory.ontology.edges`. */
export class Edges {
  constructor(private readonly transport: Transport) {}

  /** Connect two nodes by their ids. */
  async create(
    type: string,
    source: string,
    target: string,
    fields: Omit<BodyOf<"ontology/edges", "post">, "type" | "source" | "target"> = {},
  ): Promise<Schemas["Edge"]> {
    return this.transport.call("post", "ontology/edges", { body: { ...fields, type, source, target } });
  }

  /** Edges, newest first. */
  list(filters: Listed<"ontology/edges"> = {}): Items<Schemas["Edge"]> {
    return this.transport.each("ontology/edges", {}, filters);
  }

  async get(id: string): Promise<Schemas["Edge"]> {
    return this.transport.call("get", EDGE, { path: { edge_id: id } });
  }

  async edit(id: string, changes: BodyOf<typeof EDGE, "patch">): Promise<Schemas["Edge"]> {
    return this.transport.call("patch", EDGE, { path: { edge_id: id }, body: changes });
  }

  /** Delete it; `restore` undoes it. */
  async delete(id: string): Promise<void> {
    await this.transport.remove(EDGE, { path: { edge_id: id } });
  }

  async restore(id: string): Promise<Schemas["Edge"]> {
    return this.transport.call("post", `${EDGE}/restore`, { path: { edge_id: id } });
  }
}

/** `memory.ontology`. */
export class Ontology {
  readonly nodes: Nodes;
  readonly edges: Edges;

  constructor(private readonly transport: Transport) {
    this.nodes = new Nodes(transport);
    this.edges = new Edges(transport);
  }

  /** Search nodes of every type by words and by meaning, best first. */
  async search(
    query: string,
    fields: Omit<BodyOf<"ontology/search", "post">, "query"> = {},
  ): Promise<Schemas["NodeSearch"]> {
    return this.transport.call("post", "ontology/search", { body: { ...fields, query } });
  }

  /** Answer a question from what the workspace knows; every claim cites a node. */
  async ask(
    question: string,
    fields: Omit<BodyOf<"ontology/ask", "post">, "question" | "query"> = {},
  ): Promise<Schemas["Answer"]> {
    return this.transport.call("post", "ontology/ask", { body: { ...fields, question } });
  }

  /** Learn nodes and edges from a text, answer it, or both (`intent`). */
  async prompt(
    text: string,
    fields: Omit<BodyOf<"ontology/prompt", "post">, "text" | "prompt"> = {},
  ): Promise<Schemas["Prompted"]> {
    return this.transport.call("post", "ontology/prompt", { body: { ...fields, text } });
  }

  /** A shortest path between two nodes, whichever way its edges point. */
  async path(from: string, to: string, options: { max_depth?: number } = {}): Promise<Schemas["Path"]> {
    return this.transport.call("post", "ontology/path", { body: { ...options, from, to } });
  }

  /** The catalogue of types with counts. */
  types(filters: Listed<"ontology/types"> = {}): Items<Schemas["Type"]> {
    return this.transport.each("ontology/types", {}, filters);
  }

  /** Pairs of nodes that may be one, the likeliest first. */
  mergeCandidates(filters: Listed<"ontology/merge-candidates"> = {}): Items<Schemas["Candidate"]> {
    return this.transport.each("ontology/merge-candidates", {}, filters);
  }

  /** Let one node take over the edges, references and missing properties of another, which is deleted. */
  async merge(body: BodyOf<"ontology/merge", "post">): Promise<Schemas["Merge"]> {
    return this.transport.call("post", "ontology/merge", { body });
  }

  /** Make everything as it was before a merge, except for what was changed since. */
  async undoMerge(id: string): Promise<Schemas["Merge"]> {
    return this.transport.call("post", "ontology/merges/{merge_id}/undo", { path: { merge_id: id } });
  }
}
