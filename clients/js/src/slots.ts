/** Slots: what an agent needs under a name, for a scope. */

import { NotFoundError, WorkspaceMemoryError } from "./errors.js";
import type { Schemas } from "./routes.js";
import type { Transport } from "./transport.js";

/** Where a slot is kept and for how long; `scope` says for whom, such as `{ user_id: "u-1" }`. */
export interface SlotSpec {
  tier: "working" | "session" | "episodic" | "semantic";
  scope?: Record<string, string>;
  /** Seconds after the last writing until it expires. */
  ttl_seconds?: number;
  /** How many newest items a list keeps. */
  max_items?: number;
  /** Megabytes of JSON. */
  max_size_mb?: number;
  /** Your own version of what is in it. */
  schema_version?: number;
}

/** An item that a search found. */
export type SlotHit<T> = Omit<Schemas["SlotHit"], "item"> & { item: T };

const SLOT = "slots/{tier}/{name}";

/** One slot; `T` is what it holds, or for a list what its items are. */
export class Slot<T = unknown> {
  private readonly parts: { path: Record<string, string>; query: Record<string, string> };
  private readonly limits: object;

  constructor(
    private readonly transport: Transport,
    readonly name: string,
    spec: SlotSpec,
  ) {
    const { tier, scope, ...limits } = spec;
    const query = Object.fromEntries(
      Object.entries(scope ?? {}).map(([dimension, value]) => [`scope.${dimension}`, value]),
    );
    for (const [dimension, value] of Object.entries(query)) {
      if (typeof value !== "string" || value === "")
        throw new WorkspaceMemoryError(`Name the ${dimension}, as text that is not empty.`);
    }
    this.parts = { path: { tier, name }, query };
    this.limits = limits;
  }

  /** What it holds; undefined when it is absent or expired. In the working tier, reading keeps it alive. */
  async get<V = T>(): Promise<V | undefined> {
    try {
      return ((await this.transport.send("get", SLOT, this.parts)) as { value: V }).value;
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }

  /** The items of a list; none when it is absent or expired. */
  async items(): Promise<T[]> {
    return (await this.get<T[]>()) ?? [];
  }

  /** Replace what it holds. */
  async set(value: T | T[]): Promise<void> {
    await this.transport.send("put", SLOT, { ...this.parts, body: { value, ...this.limits } });
  }

  /** Add an item to a list, which may be absent, in one step: calls at once lose nothing of each other. */
  async append(item: T): Promise<void> {
    await this.transport.send("post", `${SLOT}/append`, { ...this.parts, body: { item, ...this.limits } });
  }

  /** Its items that fit a query, best first; by words, in the semantic tier also by meaning. */
  async search(query: string, options: { limit?: number } = {}): Promise<SlotHit<T>[]> {
    const found = await this.transport.send("post", `${SLOT}/search`, { ...this.parts, body: { query, ...options } });
    return (found as { results: SlotHit<T>[] }).results;
  }

  /** Delete it; return whether there was anything. */
  async clear(): Promise<boolean> {
    try {
      await this.transport.remove(SLOT, this.parts);
      return true;
    } catch (error) {
      if (error instanceof NotFoundError) return false;
      throw error;
    }
  }
}
