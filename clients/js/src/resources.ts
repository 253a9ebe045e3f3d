/** What else a workspace holds, as one small class for each group of addresses. */

import type { Items } from "./items.js";
import type { Listed } from "./memories.js";
import type { BodyOf, Schemas } from "./routes.js";
import { Slot, type SlotSpec } from "./slots.js";
import type { Transport } from "./transport.js";

/** Pieces of an agent's work; finishing one counts what its output cites as `[mem:<id>]`. */
export class Runs {
  constructor(private readonly transport: Transport) {}

  async start(agent: string, options: { conversation?: string } = {}): Promise<Schemas["Run"]> {
    return this.transport.call("post", "runs", { body: { ...options, agent } });
  }

  /** Bring a run to its end. Finishing again answers the same, and counts nothing. */
  async finish(id: string, result: Partial<BodyOf<"runs/{run_id}/finish", "post">> = {}): Promise<Schemas["Finished"]> {
    const body = { status: "succeeded" as const, output: "", ...result };
    return this.transport.call("post", "runs/{run_id}/finish", { path: { run_id: id }, body });
  }

  async get(id: string): Promise<Schemas["Run"]> {
    return this.transport.call("get", "runs/{run_id}", { path: { run_id: id } });
  }

  /** Runs, newest first. */
  list(filters: Listed<"runs"> = {}): Items<Schemas["Run"]> {
    return this.transport.each("runs", {}, filters);
  }
}

/** One action of an agent: a type and an outcome, never what was in it. */
export type NewAction =
  BodyOf<"actions", "post"> extends { actions: (infer A)[] }
    ? Omit<A, "occurred_at"> & { occurred_at?: string | Date }
    : never;

/** Telemetry: what agents did, as types and outcomes. */
export class Actions {
  constructor(private readonly transport: Transport) {}

  /** Record up to 1,000 actions. None is kept while memory is off for the workspace. */
  async record(actions: NewAction | readonly NewAction[]): Promise<Schemas["Captured"]> {
    const body = { actions: Array.isArray(actions) ? actions : [actions] } as BodyOf<"actions", "post">;
    return this.transport.call("post", "actions", { body });
  }

  /** Actions, newest first. */
  list(filters: Listed<"actions"> = {}): Items<Schemas["Action"]> {
    return this.transport.each("actions", {}, filters);
  }
}

/** What tends to go wrong, mined from actions. */
export class Patterns {
  constructor(private readonly transport: Transport) {}

  /** What tends to go wrong with these nodes, before an agent touches them. */
  async inject(
    nodeIds: readonly string[],
    fields: Omit<BodyOf<"patterns/inject", "post">, "node_ids"> = {},
  ): Promise<Schemas["Injected"]> {
    return this.transport.call("post", "patterns/inject", { body: { ...fields, node_ids: [...nodeIds] } });
  }

  /** Patterns, newest first. */
  list(filters: Listed<"patterns"> = {}): Items<Schemas["Pattern"]> {
    return this.transport.each("patterns", {}, filters);
  }

  async get(id: string): Promise<Schemas["Pattern"]> {
    return this.transport.call("get", "patterns/{pattern_id}", { path: { pattern_id: id } });
  }

  /** Note something on a pattern, or keep it from agents. */
  async annotate(id: string, body: BodyOf<"patterns/{pattern_id}/annotate", "post">): Promise<Schemas["Pattern"]> {
    return this.transport.call("post", "patterns/{pattern_id}/annotate", { path: { pattern_id: id }, body });
  }
}

/** Why contexts held what they held. */
export class Receipts {
  constructor(private readonly transport: Transport) {}

  /** The contexts that agents were given, newest first. */
  list(filters: Listed<"receipts"> = {}): Items<Schemas["ReceiptRow"]> {
    return this.transport.each("receipts", {}, filters);
  }

  async get(id: string): Promise<Schemas["Receipt"]> {
    return this.transport.call("get", "receipts/{receipt_id}", { path: { receipt_id: id } });
  }

  /** What the context would be now, with another question, budget, search or time, or without some of it. */
  async rerun(id: string, body: BodyOf<"receipts/{receipt_id}/rerun", "post"> = {}): Promise<Schemas["Rerun"]> {
    return this.transport.call("post", "receipts/{receipt_id}/rerun", { path: { receipt_id: id }, body });
  }
}

/** API keys of the workspace; the scope `admin`. */
export class Keys {
  constructor(private readonly transport: Transport) {}

  /** Make a key. Its `secret` is in this answer and nowhere else. */
  async create(
    name: string,
    scopes: BodyOf<"api-keys", "post">["scopes"],
    fields: Omit<BodyOf<"api-keys", "post">, "name" | "scopes"> = {},
  ): Promise<Schemas["NewApiKey"]> {
    return this.transport.call("post", "api-keys", { body: { ...fields, name, scopes } });
  }

  list(options: { most?: number } = {}): Items<Schemas["ApiKey"]> {
    return this.transport.each("api-keys", {}, options);
  }

  /** Revoke a key: it opens nothing from now on. */
  async revoke(id: string): Promise<void> {
    await this.transport.remove("api-keys/{key_id}", { path: { key_id: id } });
  }
}

/** Whose memory there is: users, agents and spaces of your own. A key of scope `admin` sees all of them. */
export class SpaceList {
  constructor(private readonly transport: Transport) {}

  /** Spaces by their names; `q` is how a name begins, or the key of a user or agent. */
  list(filters: Listed<"spaces"> = {}): Items<Schemas["Space"]> {
    return this.transport.each("spaces", {}, filters);
  }

  /** One, such as `user:42`, with what is in it and the receipt of its last erasure. */
  async get(space: string): Promise<Schemas["OneSpace"]> {
    return this.transport.call("get", "spaces/{space}", { path: { space } });
  }

  /** Delete all of a space for good, or count what would go. Needs the scope `admin`, and a key without spaces. */
  async erase(space: string, options: { dryRun?: boolean } = {}): Promise<Schemas["Erasure"]> {
    const query = options.dryRun === true ? { dry_run: true } : {};
    return this.transport.call("delete", "spaces/{space}", { path: { space }, query });
  }
}

/** The workspace's conversations; one of them is `memory.session(key)`. */
export class Conversations {
  constructor(private readonly transport: Transport) {}

  /** Conversations, the last used first. */
  list(filters: Listed<"conversations"> = {}): Items<Schemas["Conversation"]> {
    return this.transport.each("conversations", {}, filters);
  }

  /** One, by its key or id. */
  async get(key: string): Promise<Schemas["Conversation"]> {
    return this.transport.call("get", "conversations/{conversation}", { path: { conversation: key } });
  }

  /** Messages that still exist, of all conversations or of one, best first. */
  async search(
    query: string,
    fields: Omit<BodyOf<"messages/search", "post">, "query"> = {},
  ): Promise<Schemas["MessageSearch"]> {
    return this.transport.call("post", "messages/search", { body: { ...fields, query } });
  }
}

/** What an agent keeps about one user, across conversations; it is in every context for that user. */
export class UserMemory {
  private readonly path: { user: string };

  constructor(
    private readonly transport: Transport,
    user: string,
  ) {
    this.path = { user };
  }

  /** What is kept; the template where nothing is. */
  async read(): Promise<Schemas["UserMemory"]> {
    return this.transport.call("get", "users/{user}/memory", { path: this.path });
  }

  /**
   * Replace all of it, up to 16,000 characters of Markdown. With the `version` that was read, a page that was changed
   * since throws ConflictError (`version_conflict`).
   */
  async write(content: string, options: { version?: string } = {}): Promise<Schemas["UserMemory"]> {
    return this.transport.call("put", "users/{user}/memory", { path: this.path, body: { ...options, content } });
  }

  /** Replace the sections with these headings; an empty text takes its section out. `version` as in `write`. */
  async update(sections: Record<string, string>, options: { version?: string } = {}): Promise<Schemas["UserMemory"]> {
    const body = { ...options, sections } as BodyOf<"users/{user}/memory", "patch">;
    return this.transport.call("patch", "users/{user}/memory", { path: this.path, body });
  }

  /** Delete all of it. */
  async delete(): Promise<void> {
    await this.transport.remove("users/{user}/memory", { path: this.path });
  }
}

/** The workspace's settings; changing them needs the scope `admin`. */
export class WorkspaceSettings {
  constructor(private readonly transport: Transport) {}

  async get(): Promise<Schemas["Settings"]> {
    return this.transport.call("get", "settings");
  }

  /** Change what is named, such as `{ memory: { retention_days: 30 } }`; answer all of them. */
  async change(changes: BodyOf<"settings", "put">): Promise<Schemas["Settings"]> {
    return this.transport.call("put", "settings", { body: changes });
  }

  /** Turn memory on; return whether that changed anything. */
  async enableMemory(): Promise<boolean> {
    return ((await this.transport.send("post", "memory/enable")) as { changed: boolean }).changed;
  }

  /** Turn memory off: what is stored stays. Return whether that changed anything. */
  async disableMemory(): Promise<boolean> {
    return ((await this.transport.send("post", "memory/disable")) as { changed: boolean }).changed;
  }
}

/** `memory.slots`. The tenant is the workspace of the key; nothing in a call could name another. */
export class Slots {
  constructor(private readonly transport: Transport) {}

  /** A slot by its name. Nothing is sent until it is used. */
  slot<T = unknown>(name: string, spec: SlotSpec): Slot<T> {
    return new Slot<T>(this.transport, name, spec);
  }
}
