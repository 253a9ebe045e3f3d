/** The entry: one workspace's memory. */

import { ChatTurn, type ChatFields } from "./chat.js";
import { WorkspaceMemoryError, WorkspaceNotNamedError } from "./errors.js";
import { followEvents, type EventFilters } from "./events.js";
import type { Items } from "./items.js";
import {
  Memories,
  Proposals,
  type Listed,
  type MemoryChanges,
  type MemoryFields,
  type SearchFields,
} from "./memories.js";
import { Ontology } from "./ontology.js";
import {
  Actions,
  Conversations,
  Keys,
  Patterns,
  Receipts,
  Runs,
  Slots,
  SpaceList,
  UserMemory,
  WorkspaceSettings,
} from "./resources.js";
import { RETRIES, type Retries } from "./retries.js";
import type { AnswerOf, BodyOf, Method, QueryOf, Route, Schemas } from "./routes.js";
import { Session } from "./sessions.js";
import type { Spaces } from "./spaces.js";
import { Transport, type PartsOf } from "./transport.js";

/** How a client calls. */
export interface CallOptions {
  /** Milliseconds for each attempt; 30,000 unless given. */
  timeoutMs?: number;
  /** How often to ask again, and after which pauses. */
  retries?: Partial<Retries>;
  /** Ends every call of the client when it is aborted. */
  signal?: AbortSignal;
}

/** Whose memory it is, and how the client calls. */
export interface MemoryOptions extends CallOptions, Spaces {
  /** The id of the workspace; that of the key unless given. */
  workspace?: string;
  /** Whether the key acts for one user at a time: calls are then stamped for `user`. */
  stamped?: boolean;
  /** What sends the calls; the `fetch` of the platform unless given. */
  fetch?: (address: string, init: RequestInit) => Promise<Response>;
}

/** What a context may say next to its query. */
export type ContextFields = Omit<BodyOf<"context", "post">, "query">;

/**
 * The memory of one workspace. It reads and writes what is shared; `forUser`, `forAgent` and `inSpace` return clients
 * for the memory of others. Every method throws ApiError for a refusal, NoAnswerError without an answer and
 * UnexpectedAnswerError for an answer of another server.
 */
export class Memory {
  readonly memories: Memories;
  readonly proposals: Proposals;
  readonly ontology: Ontology;
  readonly runs: Runs;
  readonly actions: Actions;
  readonly patterns: Patterns;
  readonly receipts: Receipts;
  readonly conversations: Conversations;
  readonly slots: Slots;
  readonly spaces: SpaceList;
  readonly keys: Keys;
  readonly settings: WorkspaceSettings;
  readonly #transport: Transport;

  constructor(url: string, key: string, options?: MemoryOptions);
  constructor(url: string | Transport, key = "", options: MemoryOptions = {}) {
    const transport = url instanceof Transport ? url : makeTransport(url, key, options);
    this.#transport = transport;
    this.memories = new Memories(transport);
    this.proposals = new Proposals(transport);
    this.ontology = new Ontology(transport);
    this.runs = new Runs(transport);
    this.actions = new Actions(transport);
    this.patterns = new Patterns(transport);
    this.receipts = new Receipts(transport);
    this.conversations = new Conversations(transport);
    this.slots = new Slots(transport);
    this.spaces = new SpaceList(transport);
    this.keys = new Keys(transport);
    this.settings = new WorkspaceSettings(transport);
  }

  /** The memory that WSM_URL, WSM_KEY and WSM_WORKSPACE name; `environment` is for platforms that pass theirs on. */
  static fromEnv(
    options: MemoryOptions = {},
    environment: Record<string, string | undefined> = platformEnvironment(),
  ): Memory {
    const { WSM_URL, WSM_KEY, WSM_WORKSPACE } = environment;
    const workspace = options.workspace ?? WSM_WORKSPACE;
    return new Memory(WSM_URL ?? "", WSM_KEY ?? "", { ...options, ...(workspace ? { workspace } : {}) });
  }

  /** The memory of one of your users, under your own key for them, and what is shared unless `shared` is false. */
  forUser(user: string, options: { shared?: boolean } = {}): Memory {
    return this.naming({ user, ...options });
  }

  /** The memory of one agent. After `forUser` it reads both, and writes into that of the user. */
  forAgent(agent: string, options: { shared?: boolean } = {}): Memory {
    return this.naming({ agent, ...options });
  }

  /** The memory of a space, such as `project:apollo`. */
  inSpace(space: string, options: { shared?: boolean } = {}): Memory {
    return this.naming({ space, ...options });
  }

  /** The client to give to a sub-agent: the server refuses it the memory of users, and contexts leave it out. */
  subAgent(): Memory {
    return this.naming({ subAgent: true });
  }

  /** The same memory with other timeouts or retries, or with a signal that ends its calls. */
  with(options: CallOptions): Memory {
    const { retries, ...others } = options;
    const before = this.#transport.settings.retries;
    return fromTransport(
      this.#transport.with({ ...others, ...(retries ? { retries: { ...before, ...retries } } : {}) }),
    );
  }

  /** Remember a text; the same as `memories.remember`. */
  async write(content: string, fields: MemoryFields = {}): Promise<Schemas["Memory"]> {
    return this.memories.remember(content, fields);
  }

  /** Search by words and by meaning; the same as `memories.search`. */
  async search(query: string, fields: SearchFields = {}): Promise<Schemas["MemorySearch"]> {
    return this.memories.search(query, fields);
  }

  /** What an agent should know before it acts, never over the token budget, facts excepted. */
  async context(query: string, fields: ContextFields = {}): Promise<Schemas["Context"]> {
    return this.#transport.call("post", "context", { body: { ...fields, query } });
  }

  /** Memories and facts, newest first; the same as `memories.list`. */
  list(filters: Listed<"memories"> = {}): Items<Schemas["Memory"]> {
    return this.memories.list(filters);
  }

  async get(id: string): Promise<Schemas["MemoryDetail"]> {
    return this.memories.get(id);
  }

  async edit(id: string, changes: MemoryChanges): Promise<Schemas["Memory"]> {
    return this.memories.edit(id, changes);
  }

  async forget(id: string, options: { force?: boolean } = {}): Promise<Schemas["Memory"]> {
    return this.memories.forget(id, options);
  }

  async restore(id: string): Promise<Schemas["Memory"]> {
    return this.memories.restore(id);
  }

  async promote(id: string): Promise<Schemas["Memory"]> {
    return this.memories.promote(id);
  }

  async pin(id: string): Promise<Schemas["Memory"]> {
    return this.memories.pin(id);
  }

  async unpin(id: string): Promise<Schemas["Memory"]> {
    return this.memories.unpin(id);
  }

  async suppress(id: string, options: { reason?: string } = {}): Promise<Schemas["Memory"]> {
    return this.memories.suppress(id, options);
  }

  async unsuppress(id: string): Promise<Schemas["Memory"]> {
    return this.memories.unsuppress(id);
  }

  /** A conversation under a key of your choice. Nothing is sent until it is used. */
  session(key: string): Session {
    return new Session(this.#transport, key);
  }

  /** What is kept about a user, under your own name for them. Nothing is sent until it is used. */
  user(name: string): UserMemory {
    return new UserMemory(this.#transport, name);
  }

  /** Answer a message with what the workspace remembers: iterate it for its events, or await `.turn()`. */
  chat(conversation: string, message: string, fields: ChatFields = {}): ChatTurn {
    return new ChatTurn(this.#transport, conversation, message, fields);
  }

  /**
   * Reads and writes as they happen, without an end: types, ids and numbers, never what is stored. `after` is the id of
   * the last event that was seen; "0" begins with all that the server still has. It connects again by itself.
   */
  events(filters: EventFilters = {}): AsyncGenerator<Schemas["Event"], void, undefined> {
    return followEvents(this.#transport, filters);
  }

  /** The latest events, or the first ones behind the id `after`; `last_event_id` is where the next look begins. */
  async recentEvents(filters: QueryOf<"events", "get"> = {}): Promise<Schemas["Events"]> {
    return this.#transport.call("get", "events", { query: filters });
  }

  /** Call any other route of the workspace: `memory.call("get", "metrics")`. */
  async call<R extends Route, M extends Method<R>>(
    method: M,
    route: R,
    parts: PartsOf<R, M> = {},
  ): Promise<AnswerOf<R, M>> {
    return this.#transport.call(method, route, parts);
  }

  /** The workspace that this is the memory of. Throws WorkspaceNotNamedError where the key does not open it. */
  async workspace(): Promise<Schemas["Workspace"]> {
    const here = await this.#transport.workspace();
    const found = (await this.#transport.workspaces()).find((workspace) => workspace.id === here);
    if (found === undefined) throw new WorkspaceNotNamedError(`The key does not open the workspace ${here}.`);
    return found;
  }

  private naming(spaces: Spaces): Memory {
    return fromTransport(this.#transport.naming(spaces));
  }
}

/** Return the mark with which an agent cites a memory in its output. */
export function cite(memory: { id: string }): string {
  return `[mem:${memory.id}]`;
}

/** Return a client that shares a transport, which the constructor takes as well: no exported type says so. */
function fromTransport(transport: Transport): Memory {
  return new Memory(transport as unknown as string, "");
}

/** Return the way to a server. Throws for an address or a key that cannot be one. */
export function makeTransport(url: string, key: string, options: MemoryOptions): Transport {
  if (!isAddress(url)) {
    const what = "The address must be one like http://127.0.0.1:8000, without a password";
    throw new WorkspaceMemoryError(`${what}; give it, or set WSM_URL and call Memory.fromEnv().`);
  }
  if (key.trim() === "")
    throw new WorkspaceMemoryError("An API key of the workspace is needed; give it, or set WSM_KEY.");
  if (!/^[\x20-\x7e]+$/.test(key.trim())) {
    throw new WorkspaceMemoryError(
      "The API key holds characters that no key has: put in the whole key, or set WSM_KEY.",
    );
  }
  const { user, agent, space, shared = true, subAgent = false } = options;
  const settings = {
    url: url.replace(/\/+$/, ""),
    stamped: options.stamped ?? false,
    timeoutMs: options.timeoutMs ?? 30_000,
    retries: { ...RETRIES, ...options.retries },
    fetch: options.fetch ?? ((address: string, init: RequestInit) => globalThis.fetch(address, init)),
    signal: options.signal,
  };
  const named = {
    ...(user === undefined ? {} : { user }),
    ...(agent === undefined ? {} : { agent }),
    ...(space === undefined ? {} : { space }),
    shared,
    subAgent,
  };
  return new Transport(settings, {}, { workspace: options.workspace }, key.trim()).naming(named);
}

function isAddress(text: string): boolean {
  try {
    const { protocol, username, password, hostname } = new URL(text);
    return ["http:", "https:"].includes(protocol) && hostname !== "" && username === "" && password === "";
  } catch {
    return false;
  }
}

function platformEnvironment(): Record<string, string | undefined> {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env ?? {};
}
