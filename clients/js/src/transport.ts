/** Sending calls: addresses, headers, retries, timeouts, and the workspace of the key. */

import {
  NoAnswerError,
  NotFoundError,
  UnexpectedAnswerError,
  WorkspaceMemoryError,
  WorkspaceNotNamedError,
  apiError,
} from "./errors.js";
import { Items } from "./items.js";
import { pauseAfter, sleep, type Answer, type Retries } from "./retries.js";
import type { AnswerOf, BodyOf, FiltersOf, ItemOf, Method, PathOf, QueryOf, Route, Schemas } from "./routes.js";
import { narrow, quoted, spaceFields, stamp, type Spaces } from "./spaces.js";
import { EventDecoder, type ServerSentEvent } from "./sse.js";

export const VERSION = "0.1.0";

/** How a client calls its server. */
export interface Settings {
  readonly url: string;
  readonly stamped: boolean;
  /** Milliseconds for each attempt. */
  readonly timeoutMs: number;
  readonly retries: Retries;
  readonly fetch: (address: string, init: RequestInit) => Promise<Response>;
  /** What ends every call of this client when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** What a call says: the parameters of its address, its query string and its body. */
export interface Parts {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: object;
}

/** The same for one route of the OpenAPI document. */
export interface PartsOf<R extends Route, M extends Method<R>> {
  path?: PathOf<R, M>;
  query?: QueryOf<R, M>;
  body?: BodyOf<R, M>;
}

interface Message {
  address: string;
  method: string;
  body: string | undefined;
  headers: () => Promise<Record<string, string>>;
}

export class Transport {
  // Private to the language as well, so that no printed or logged client shows it.
  readonly #key: string;

  constructor(
    readonly settings: Settings,
    readonly spaces: Spaces,
    private readonly known: { workspace?: string | undefined },
    key: string,
  ) {
    this.#key = key;
  }

  /** Return the same way to the server, for calls that name these spaces. */
  naming(spaces: Spaces): Transport {
    return new Transport(this.settings, narrow(this.spaces, spaces), this.known, this.#key);
  }

  /** Return the same way to the server, with other settings. */
  with(settings: Partial<Settings>): Transport {
    return new Transport({ ...this.settings, ...settings }, this.spaces, this.known, this.#key);
  }

  /** Call a route of the workspace; what it takes and answers is that of the OpenAPI document. */
  async call<R extends Route, M extends Method<R>>(
    method: M,
    route: R,
    parts: PartsOf<R, M> = {},
  ): Promise<AnswerOf<R, M>> {
    return (await this.send(method, route, parts as Parts)) as AnswerOf<R, M>;
  }

  /** Delete what is not there afterwards. What an attempt without an answer may have deleted counts as done. */
  async remove<R extends Route>(route: R, parts: Parts = {}): Promise<void> {
    const { outcome, isRepeated } = await this.outcome(await this.message("delete", route, parts));
    if (!(isRepeated && !(outcome instanceof NoAnswerError) && outcome.status === 404)) this.read(outcome);
  }

  /** Return the items of a list, page by page, up to `most` of them. */
  each<R extends Route>(
    route: R,
    path: Record<string, string>,
    filters: FiltersOf<R> & { most?: number },
  ): Items<ItemOf<R>> {
    const { most, ...query } = filters as { most?: number };
    return new Items(most, async (more) => {
      const page = await this.send("get", route, { path, query: { ...query, ...more } });
      return page as { results: ItemOf<R>[]; next: string | null };
    });
  }

  /** Call a route that stands in the document or not: one of the workspace, or an address that begins with a slash. */
  async send(method: string, route: string, parts: Parts = {}): Promise<unknown> {
    return this.read((await this.outcome(await this.message(method, route, parts))).outcome);
  }

  /** Yield the events of a stream, those behind the id `after`. `silenceMs` is how long it may be without a word. */
  async *stream(
    method: string,
    route: string,
    parts: Parts,
    silenceMs: number,
    after = "",
  ): AsyncGenerator<ServerSentEvent> {
    const message = await this.message(method, route, parts, "text/event-stream");
    const limit = new Limit(silenceMs, this.settings.signal);
    try {
      const response = await this.open(message, limit, after);
      const decoder = new EventDecoder();
      decoder.id = after;
      const text = new TextDecoder();
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      for (;;) {
        limit.extend();
        const { done, value } = await limit.guard(reader.read(), this.settings.url);
        if (done) return;
        limit.hold(); // what the caller does with an event is not silence of the server
        const before = decoder.id;
        const events = decoder.decode(text.decode(value, { stream: true }));
        yield* events;
        if (events.length === 0 && decoder.id !== before) yield { event: "", id: decoder.id, data: undefined };
      }
    } finally {
      limit.end();
    }
  }

  /** Return the id of the workspace: the one that was given, else the only one of the key. */
  async workspace(): Promise<string> {
    if (this.known.workspace === undefined) {
      const found = await this.workspaces();
      const [only] = found;
      if (only === undefined || found.length !== 1) {
        throw new WorkspaceNotNamedError(`The key opens ${found.length} workspaces; name one by its id.`);
      }
      this.known.workspace = only.id;
    }
    return this.known.workspace;
  }

  /** Return the workspaces that the key opens. */
  async workspaces(): Promise<Schemas["Workspace"][]> {
    return ((await this.send("get", "/v1/workspaces")) as Schemas["Page_Workspace_"]).results;
  }

  /** Run a call about one thing that may not have begun; return `absent` for a 404 that is about the thing itself. */
  async orAbsent<T, A>(call: Promise<T>, absent: A): Promise<T | A> {
    try {
      return await call;
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      const here = await this.workspace();
      if (!(await this.workspaces()).some((workspace) => workspace.id === here)) throw error;
      return absent;
    }
  }

  /** Return the response of a stream once it begins. Only what did nothing is asked again: 429 and 503. */
  private async open(message: Message, limit: Limit, after: string): Promise<Response> {
    for (let asked = 1; ; asked += 1) {
      const headers = { ...(await message.headers()), ...(after === "" ? {} : { "Last-Event-ID": after }) };
      const { method, body } = message;
      const sent = this.settings.fetch(message.address, {
        method,
        headers,
        body,
        redirect: "manual",
        signal: limit.signal,
      } as RequestInit);
      const response = await limit.guard(sent, this.settings.url);
      if (response.status === 200 && response.body !== null) return response;
      const answer = await limit.guard(readAnswer(response), this.settings.url);
      const isHarmless = answer.status === 429 || answer.status === 503;
      const pause = isHarmless ? pauseAfter(this.settings.retries, asked, answer) : undefined;
      if (pause === undefined) {
        this.read(answer);
        throw new UnexpectedAnswerError(`${this.settings.url} did not answer with a stream of events.`);
      }
      limit.extend(pause);
      await sleep(pause, this.settings.signal);
    }
  }

  private async message(method: string, route: string, parts: Parts, accept = "application/json"): Promise<Message> {
    const isAbsolute = route.startsWith("/");
    const fields = isAbsolute ? {} : spaceFields(this.spaces, method, route);
    // The body's `space` of an offer is the one that it is made to, so that the query string names the call's.
    const inBody = method !== "get" && (method !== "delete" || parts.body !== undefined) && !route.endsWith("/propose");
    const query = searchParams(inBody ? (parts.query ?? {}) : { ...parts.query, ...fields });
    const body =
      method === "get" ? undefined : { ...(parts.body ?? {}), ...(inBody ? agreeing(parts.body, fields) : {}) };
    const path = route.replace(/\{(\w+)\}/g, (_, name: string) => quoted(parts.path?.[name] ?? "", name));
    const below = isAbsolute ? path : `/v1/workspaces/${quoted(await this.workspace(), "workspace")}/${path}`;
    const idempotencyKey = method === "post" ? randomId() : undefined;
    return {
      address: `${this.settings.url}${below}${query}`,
      method: method.toUpperCase(),
      body: body === undefined ? undefined : toJson(body),
      headers: () => this.headers(accept, idempotencyKey),
    };
  }

  private async headers(accept: string, idempotencyKey: string | undefined): Promise<Record<string, string>> {
    const { stamped } = this.settings;
    const { user, subAgent } = this.spaces;
    return {
      Authorization: `Bearer ${this.#key}`,
      Accept: accept,
      "Content-Type": "application/json",
      ...(isBrowser() ? {} : { "User-Agent": `workspace-memory-js/${VERSION}` }),
      ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
      ...(subAgent === true ? { "X-Sub-Agent": "true" } : {}),
      ...(stamped && user !== undefined ? { "X-On-Behalf-Of": await stamp(this.#key, user) } : {}),
    };
  }

  /** Return what came of a call in the end, and whether an attempt before that one had no answer of its own. */
  private async outcome(message: Message): Promise<{ outcome: Answer | NoAnswerError; isRepeated: boolean }> {
    let isRepeated = false;
    for (let asked = 1; ; asked += 1) {
      const outcome = await this.attempt(message);
      const pause = pauseAfter(this.settings.retries, asked, outcome);
      if (pause === undefined) return { outcome, isRepeated };
      isRepeated ||= outcome instanceof NoAnswerError || outcome.status >= 500;
      await sleep(pause, this.settings.signal);
    }
  }

  private async attempt(message: Message): Promise<Answer | NoAnswerError> {
    const { address, method, body } = message;
    const headers = await message.headers(); // the stamp of an earlier attempt may be of a minute that is over
    const limit = new Limit(this.settings.timeoutMs, this.settings.signal);
    const init = { method, headers, body, redirect: "manual", signal: limit.signal } as RequestInit;
    try {
      return await limit.guard(this.settings.fetch(address, init).then(readAnswer), this.settings.url);
    } catch (error) {
      if (error instanceof NoAnswerError) return error;
      throw error;
    } finally {
      limit.end();
    }
  }

  private read(outcome: Answer | NoAnswerError): unknown {
    if (outcome instanceof NoAnswerError) throw outcome;
    if (outcome.status >= 400) throw apiError(outcome.status, outcome.json);
    // A redirect is not followed, so that the key goes to no other host; browsers show it with the status 0.
    if (outcome.status < 200 || outcome.status >= 300 || (outcome.json === undefined && outcome.text !== "")) {
      const what = `${this.settings.url} answered ${outcome.status} without JSON`;
      throw new UnexpectedAnswerError(`${what}: is it a Workspace Memory server?`);
    }
    return outcome.json;
  }
}

/** The time that an attempt has, and the caller's signal, as one signal. */
class Limit {
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly stop = (): void => this.controller.abort(this.outer?.reason);

  constructor(
    private readonly ms: number,
    private readonly outer: AbortSignal | undefined,
  ) {
    if (outer?.aborted) this.stop();
    else outer?.addEventListener("abort", this.stop, { once: true });
    this.extend();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Restart the time, behind a pause. */
  extend(pauseMs = 0): void {
    this.hold();
    this.timer = setTimeout(() => this.controller.abort(), this.ms + pauseMs);
  }

  /** Stop the time until `extend`. */
  hold(): void {
    clearTimeout(this.timer);
  }

  /** Return what a step of the call gives. Throws the reason of the caller's signal, or NoAnswerError. */
  async guard<T>(step: Promise<T>, url: string): Promise<T> {
    try {
      return await this.race(step);
    } catch (error) {
      if (this.outer?.aborted) throw this.outer.reason;
      const why = this.signal.aborted ? `within ${this.ms} ms` : `(${error instanceof Error ? error.message : "lost"})`;
      throw new NoAnswerError(`${url} does not answer ${why}. Is the server running?`, { cause: error });
    }
  }

  /** Leave a step when the time is over, also where the given `fetch` does not look at the signal. */
  private race<T>(step: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const leave = (): void => reject(this.signal.reason);
      this.signal.addEventListener("abort", leave, { once: true });
      if (this.signal.aborted) leave();
      step.then(resolve, reject).finally(() => this.signal.removeEventListener("abort", leave));
    });
  }

  end(): void {
    this.hold();
    this.outer?.removeEventListener("abort", this.stop);
    this.controller.abort(); // closes a stream that was left before its end
  }
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  let json: unknown;
  try {
    json = text === "" ? undefined : JSON.parse(text);
  } catch {
    json = undefined; // judged by its status, and refused where JSON was expected
  }
  return { status: response.status, headers: response.headers, text, json };
}

/** Return the fields that a body lacks. Throws where it names another user, agent or space than the client. */
function agreeing(
  body: object | undefined,
  fields: Record<string, string | boolean>,
): Record<string, string | boolean> {
  for (const [name, value] of Object.entries(fields)) {
    const own = (body as Record<string, unknown> | undefined)?.[name];
    if (own !== undefined && own !== "" && own !== value) {
      throw new WorkspaceMemoryError(
        `This client is for the ${name} '${String(value)}', and the call names '${String(own)}'.`,
      );
    }
  }
  return fields;
}

function searchParams(query: Record<string, unknown>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(given.map(([name, value]) => [name, parameter(value)])).toString();
  return text === "" ? "" : `?${text}`;
}

function parameter(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.map(parameter).join(",") : String(value);
}

/** Return a value as JSON. Throws for a number that JSON does not have, which would be stored as null. */
function toJson(value: object): string {
  return JSON.stringify(value, (name, item: unknown) => {
    if (typeof item === "number" && !Number.isFinite(item)) {
      throw new WorkspaceMemoryError(`${name === "" ? "The value" : `'${name}'`} is ${item}, which is not JSON.`);
    }
    return item;
  });
}

function randomId(): string {
  const bytes = new Uint8Array(16);
  // Node 18 has no global crypto. The id tells calls apart and is not a secret.
  if (globalThis.crypto === undefined) bytes.forEach((_, place) => (bytes[place] = Math.floor(Math.random() * 256)));
  else globalThis.crypto.getRandomValues(bytes);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function isBrowser(): boolean {
  return "document" in globalThis;
}
