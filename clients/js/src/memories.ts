/** Memories and facts, and what was offered to another space. */

import type { Items } from "./items.js";
import type { BodyOf, FiltersOf, Route, Schemas } from "./routes.js";
import type { Transport } from "./transport.js";

/** What may be said of a memory next to its text. */
export type MemoryFields = Omit<BodyOf<"memories", "post">, "content">;
/** What may be changed of a memory; null takes a time away. */
export type MemoryChanges = BodyOf<"memories/{memory_id}", "patch">;
/** How to search: `limit`, `mode` and filters. */
export type SearchFields = Omit<BodyOf<"memories/search", "post">, "query" | "filters">;
/** What a list is narrowed to, and `most`, how many of it. */
export type Listed<R extends Route> = FiltersOf<R> & { most?: number };

type Verb = "promote" | "demote" | "pin" | "unpin" | "unsuppress" | "restore" | "close" | "reopen";

/** Memories and facts. `id` is always the id of one; methods answer it as it is afterwards. */
export class Memories {
  constructor(private readonly transport: Transport) {}

  /** Remember a text. The same text again answers the memory that is there. A fact needs the scope `facts`. */
  async remember(content: string, fields: MemoryFields = {}): Promise<Schemas["Memory"]> {
    return this.transport.call("post", "memories", { body: { content, ...fields } });
  }

  /** Search by words and by meaning, best first; `limit` 1 to 200. */
  async search(query: string, fields: SearchFields = {}): Promise<Schemas["MemorySearch"]> {
    return this.transport.call("post", "memories/search", { body: { query, ...fields } });
  }

  /** Memories and facts, newest first: all of them, or the first `most`. */
  list(filters: Listed<"memories"> = {}): Items<Schemas["Memory"]> {
    return this.transport.each("memories", {}, filters);
  }

  /** A memory with the messages that it was extracted from. */
  async get(id: string): Promise<Schemas["MemoryDetail"]> {
    return this.transport.call("get", "memories/{memory_id}", { path: { memory_id: id } });
  }

  /** Change what is named; null takes a time away. */
  async edit(id: string, changes: MemoryChanges): Promise<Schemas["Memory"]> {
    return this.transport.call("patch", "memories/{memory_id}", { path: { memory_id: id }, body: changes });
  }

  /** Take it out of every recall; `restore` undoes it. A pinned one needs `force` and the scope `admin`. */
  async forget(id: string, options: { force?: boolean } = {}): Promise<Schemas["Memory"]> {
    const body = { force: options.force ?? false };
    return this.transport.call("delete", "memories/{memory_id}", { path: { memory_id: id }, body });
  }

  /** Make it a fact; needs the scope `facts`. */
  async promote(id: string): Promise<Schemas["Memory"]> {
    return this.apply("promote", id);
  }

  /** Make a fact a memory again; needs the scope `facts`. */
  async demote(id: string): Promise<Schemas["Memory"]> {
    return this.apply("demote", id);
  }

  /** Keep it on top and from going stale. A key needs the scope `facts`. */
  async pin(id: string): Promise<Schemas["Memory"]> {
    return this.apply("pin", id);
  }

  /** Let it age like any other. A key needs the scope `facts`. */
  async unpin(id: string): Promise<Schemas["Memory"]> {
    return this.apply("unpin", id);
  }

  /** Keep it from every agent until `unsuppress`. */
  async suppress(id: string, options: { reason?: string } = {}): Promise<Schemas["Memory"]> {
    return this.transport.call("post", "memories/{memory_id}/suppress", { path: { memory_id: id }, body: options });
  }

  /** Let agents recall it again. A key needs the scope `facts`. */
  async unsuppress(id: string): Promise<Schemas["Memory"]> {
    return this.apply("unsuppress", id);
  }

  /** Undo forgetting. */
  async restore(id: string): Promise<Schemas["Memory"]> {
    return this.apply("restore", id);
  }

  /** Say that it is no longer true; it stays in history, for `as_of` and `known_at`. */
  async close(id: string): Promise<Schemas["Memory"]> {
    return this.apply("close", id);
  }

  /** Make it current again after it was closed or replaced. */
  async reopen(id: string): Promise<Schemas["Memory"]> {
    return this.apply("reopen", id);
  }

  /** Offer a memory of a user, an agent or a space to `space`, where people decide; it stays where it is. */
  async propose(id: string, options: { space?: string } = {}): Promise<Schemas["Proposal"]> {
    const body = { space: options.space ?? "shared" };
    return this.transport.call("post", "memories/{memory_id}/propose", { path: { memory_id: id }, body });
  }

  /**
   * Move the manual weight by -10 to 10. With the `times_referenced` that you saw, what recall has added since is taken
   * off a positive delta. A key needs the scope `facts`.
   */
  async weigh(id: string, delta: number, options: { times_referenced?: number } = {}): Promise<Schemas["Memory"]> {
    const body = { delta, ...options };
    return this.transport.call("post", "memories/{memory_id}/weight", { path: { memory_id: id }, body });
  }

  /** What happened to it, newest first. */
  history(id: string, filters: Listed<"memories/{memory_id}/history"> = {}): Items<Schemas["Revision"]> {
    return this.transport.each("memories/{memory_id}/history", { memory_id: id }, filters);
  }

  /** The runs that cited it, newest first. */
  citations(id: string, filters: Listed<"memories/{memory_id}/citations"> = {}): Items<Schemas["MemoryCitation"]> {
    return this.transport.each("memories/{memory_id}/citations", { memory_id: id }, filters);
  }

  /** What answers cite and is not pinned. */
  pinRecommendations(options: { most?: number } = {}): Items<Schemas["Memory"]> {
    return this.transport.each("memories/pin-recommendations", {}, options);
  }

  /** What nothing has cited within the retention window. */
  stale(options: { most?: number } = {}): Items<Schemas["Memory"]> {
    return this.transport.each("memories/stale", {}, options);
  }

  /** Forget every stale memory; needs the scope `admin`. */
  async purgeStale(): Promise<Schemas["Purged"]> {
    return this.transport.call("post", "memories/stale/purge");
  }

  private async apply(verb: Verb, id: string): Promise<Schemas["Memory"]> {
    return this.transport.call("post", `memories/{memory_id}/${verb}`, { path: { memory_id: id } });
  }
}

/** Memories that were offered to a space; deciding needs the scope `facts`. */
export class Proposals {
  constructor(private readonly transport: Transport) {}

  /** Proposals to the spaces that this client reads, newest first. */
  list(filters: Listed<"proposals"> = {}): Items<Schemas["Proposal"]> {
    return this.transport.each("proposals", {}, filters);
  }

  /** Copy it into its space, in its own words or in `content`; `memory_id` is the copy, or an equal memory. */
  async accept(id: string, options: { content?: string } = {}): Promise<Schemas["Proposal"]> {
    return this.transport.call("post", "proposals/{proposal_id}/accept", { path: { proposal_id: id }, body: options });
  }

  /** Keep it out of its space. */
  async reject(id: string): Promise<Schemas["Proposal"]> {
    return this.transport.call("post", "proposals/{proposal_id}/reject", { path: { proposal_id: id } });
  }

  /** Take back what is pending: a client of the space that it came from, or one with the scope `facts`. */
  async withdraw(id: string): Promise<void> {
    await this.transport.remove("proposals/{proposal_id}", { path: { proposal_id: id } });
  }
}
