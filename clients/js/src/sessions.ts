/** One conversation under a key of the caller's choice; the first message creates it. */

import type { Items } from "./items.js";
import type { Listed, MemoryFields, SearchFields } from "./memories.js";
import type { BodyOf, QueryOf, Schemas, WithDates } from "./routes.js";
import type { Transport } from "./transport.js";

/** One message of a session. */
export interface NewMessage {
  role: Schemas["Message"]["role"];
  content: string;
  /** Who said it, where that is known. */
  name?: string;
  /** When it was said; now, unless given. */
  created_at?: string | Date;
  /** Your own; `session` names the session that the message belongs to. */
  metadata?: Record<string, unknown>;
}

const MESSAGES = "conversations/{conversation}/messages";
const PLAN = "conversations/{conversation}/plan";
const ITERATIONS = "conversations/{conversation}/iterations/{task_key}";
const MEMORIES = "conversations/{conversation}/memories";

/** What was said in a session. */
export class History {
  constructor(
    private readonly transport: Transport,
    private readonly path: { conversation: string },
  ) {}

  /** Append one message. */
  async append(
    role: NewMessage["role"],
    content: string,
    fields: Omit<NewMessage, "role" | "content"> = {},
  ): Promise<Schemas["Message"]> {
    const body = { role, content, ...fields } as BodyOf<typeof MESSAGES, "post">;
    return (await this.transport.call("post", MESSAGES, { path: this.path, body })) as Schemas["Message"];
  }

  /** Append up to 1,000 messages. */
  async extend(messages: readonly NewMessage[]): Promise<Schemas["Message"][]> {
    const body = { messages } as unknown as BodyOf<typeof MESSAGES, "post">;
    return ((await this.transport.call("post", MESSAGES, { path: this.path, body })) as Schemas["Messages"]).messages;
  }

  /** The newest `n` messages (1 to 200), oldest first; none of a session in which nothing was said yet. */
  async last(n = 20): Promise<Schemas["Message"][]> {
    const page = this.transport.call("get", MESSAGES, { path: this.path, query: { last: n } });
    return (await this.transport.orAbsent(page, { results: [] as Schemas["Message"][] })).results;
  }
}

/** The plan of a session, which outlives the process that wrote it. */
export class Plans {
  constructor(
    private readonly transport: Transport,
    private readonly path: { conversation: string },
  ) {}

  /** The plan as it is now; undefined where there is none. */
  async get(): Promise<Schemas["Plan"] | undefined> {
    return this.transport.orAbsent(this.transport.call("get", PLAN, { path: this.path }), undefined);
  }

  /**
   * Write the whole plan. `version` is that of the plan which this one was made from, 0 for the first. Throws
   * ConflictError when the plan was written meanwhile: its `current` is the plan as it is now.
   */
  async update(goal: string, fields: Partial<Omit<BodyOf<typeof PLAN, "put">, "goal">> = {}): Promise<Schemas["Plan"]> {
    const body = { version: 0, ...fields, goal } as BodyOf<typeof PLAN, "put">;
    return this.transport.call("put", PLAN, { path: this.path, body });
  }

  /** Delete it; the next one begins with version 0. */
  async delete(): Promise<void> {
    await this.transport.remove(PLAN, { path: this.path });
  }
}

/** The attempts at one task of a session, under a key of your choice. */
export class Iterations {
  private readonly path: { conversation: string; task_key: string };

  constructor(
    private readonly transport: Transport,
    conversation: string,
    readonly taskKey: string,
  ) {
    this.path = { conversation, task_key: taskKey };
  }

  /** Log an attempt; the server gives it the next number. Of a task the newest 200 are kept. */
  async append(
    action: string,
    fields: Omit<BodyOf<typeof ITERATIONS, "post">, "action"> = {},
  ): Promise<Schemas["Iteration"]> {
    return this.transport.call("post", ITERATIONS, { path: this.path, body: { action, ...fields } });
  }

  /** The attempts, newest first. */
  list(options: { most?: number } = {}): Items<Schemas["Iteration"]> {
    return this.transport.each(ITERATIONS, this.path, options);
  }

  /** What a sub-agent is given: the task in your words, the plan, the earlier attempts. Put `text` before its prompt. */
  async briefing(query: QueryOf<`${typeof ITERATIONS}/briefing`, "get"> = {}): Promise<Schemas["Briefing"]> {
    return this.transport.call("get", `${ITERATIONS}/briefing`, { path: this.path, query });
  }

  /** Delete the log. */
  async clear(): Promise<void> {
    await this.transport.remove(ITERATIONS, { path: this.path });
  }
}

/** A conversation, by its key or id. Nothing is sent until it is used. */
export class Session {
  readonly history: History;
  readonly plan: Plans;
  private readonly path: { conversation: string };

  constructor(
    private readonly transport: Transport,
    readonly key: string,
  ) {
    this.path = { conversation: key };
    this.history = new History(transport, this.path);
    this.plan = new Plans(transport, this.path);
  }

  /** The attempts at one of its tasks. */
  iterations(taskKey: string): Iterations {
    return new Iterations(this.transport, this.key, taskKey);
  }

  /** Its tasks that have attempts, the one that was tried last first. */
  tasks(options: { most?: number } = {}): Items<Schemas["Task"]> {
    return this.transport.each("conversations/{conversation}/iterations", this.path, options);
  }

  /**
   * Remember a text for this session alone; the first one of a new key begins it, as a message does. `search` and
   * contexts of this conversation find it, and nothing else does; it goes when the session ends or is deleted.
   */
  async write(content: string, fields: Partial<MemoryFields> = {}): Promise<Schemas["Memory"]> {
    const body = { content, ...fields } as WithDates<BodyOf<typeof MEMORIES, "post">>;
    return this.transport.call("post", MEMORIES, { path: this.path, body });
  }

  /** Search what was written for this session, best first; nothing where it has not begun. */
  async search(query: string, fields: SearchFields = {}): Promise<Schemas["MemorySearch"]> {
    const body = { limit: 5, ...fields, query };
    const found = this.transport.call("post", `${MEMORIES}/search`, { path: this.path, body });
    return this.transport.orAbsent(found, { results: [], method: "keyword", latency_ms: 0 });
  }

  /** What was written for this session, newest first. */
  memories(filters: Listed<typeof MEMORIES> = {}): Items<Schemas["Memory"]> {
    return this.transport.each(MEMORIES, this.path, filters);
  }

  /** Lift what was written for this session out of it: a fact that all find says it. Needs the scope `facts`. */
  async promote(id: string): Promise<Schemas["Memory"]> {
    const path = { ...this.path, session_memory_id: id };
    return this.transport.call("post", `${MEMORIES}/{session_memory_id}/promote`, { path });
  }

  /** Take what was written for this session out of every recall. */
  async forget(id: string): Promise<Schemas["Memory"]> {
    return this.transport.call("delete", `${MEMORIES}/{session_memory_id}`, {
      path: { ...this.path, session_memory_id: id },
    });
  }

  /** The summaries of older messages, newest first. */
  episodes(options: { most?: number } = {}): Items<Schemas["Episode"]> {
    return this.transport.each("conversations/{conversation}/episodes", this.path, options);
  }

  /** The messages that are nearest to a query, each with what was said around it. */
  async recall(
    query: string,
    fields: Omit<BodyOf<"conversations/{conversation}/recall", "post">, "query"> = {},
  ): Promise<Schemas["Recall"]> {
    return this.transport.call("post", "conversations/{conversation}/recall", {
      path: this.path,
      body: { query, ...fields },
    });
  }

  /** What an agent that goes on with this session should be given of it. */
  async window(query: QueryOf<"conversations/{conversation}/window", "get"> = {}): Promise<Schemas["Window"]> {
    return this.transport.call("get", "conversations/{conversation}/window", { path: this.path, query }) as Promise<
      Schemas["Window"]
    >;
  }

  /**
   * End it: facts and preferences are looked for in the background; the history stays readable. What was written for
   * the session alone is gone. Undefined for a session in which nothing was said yet: there is nothing to end.
   */
  async end(options: { extract?: boolean } = {}): Promise<Schemas["Ended"] | undefined> {
    const body = options.extract === true ? { extract: true } : {};
    const ended = this.transport.call("post", "conversations/{conversation}/end", { path: this.path, body });
    return this.transport.orAbsent(ended, undefined);
  }

  /** Delete it with its messages, episodes, plan, iteration logs and what was written for it. This cannot be undone. */
  async delete(): Promise<void> {
    await this.transport.remove("conversations/{conversation}", { path: this.path });
  }
}
