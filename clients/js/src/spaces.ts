/** Whose memory a client is about: what it names in every call, and the stamp of a key that asks for one. */

import { WorkspaceMemoryError } from "./errors.js";

/** The spaces that a client names; without any of them it reads and writes what is shared. */
export interface Spaces {
  /** Your own key of an end user. */
  readonly user?: string;
  /** The name of an agent. */
  readonly agent?: string;
  /** A space by its whole name, such as `project:apollo`. */
  readonly space?: string;
  /** Whether what is shared is read as well; true unless given. */
  readonly shared?: boolean;
  /** Whether a sub-agent calls, which is given no memory of users. */
  readonly subAgent?: boolean;
}

// Routes that belong to the whole workspace, by how they begin. A test compares both lists with the OpenAPI document.
export const WITHOUT_SPACES = ["api-keys", "members", "memory", "models", "prompt-runs", "settings", "spaces"];
// Routes whose field `agent` says who ran or acted, and not whose memory it is.
export const OWN_AGENT = ["get actions", "get receipts", "get sequences", "post runs", "post undo"];

/** Return these spaces and those. Throws for another name of a kind that has one, and for an empty name. */
export function narrow(here: Spaces, given: Spaces): Spaces {
  for (const kind of ["user", "agent", "space"] as const) {
    const name = given[kind];
    if (name === undefined) continue;
    requireName(kind, name);
    if (here[kind] !== undefined && here[kind] !== name) {
      throw new WorkspaceMemoryError(`This client is for the ${kind} '${here[kind]}': make another one for '${name}'.`);
    }
  }
  const shared = here.shared !== false && given.shared !== false;
  return { ...here, ...given, shared, subAgent: here.subAgent === true || given.subAgent === true };
}

/** Return what a call says of the spaces, in its query string or its body. */
export function spaceFields(spaces: Spaces, method: string, route: string): Record<string, string | boolean> {
  if (WITHOUT_SPACES.includes(route.split("/", 1)[0] ?? "")) return {};
  let { user, agent, space } = spaces;
  if (agent !== undefined && OWN_AGENT.includes(`${method} ${route}`)) {
    if (user === undefined && space === undefined) space = `agent:${agent}`;
    agent = undefined;
  }
  return {
    ...(user === undefined ? {} : { user }),
    ...(agent === undefined ? {} : { agent }),
    ...(space === undefined ? {} : { space }),
    ...(spaces.shared === false ? { shared: false } : {}),
  };
}

/** Return the header that says for which user a call is, at this minute; only the owner of the key can make it. */
export async function stamp(key: string, user: string, now: number = Date.now()): Promise<string> {
  const minute = Math.floor(now / 60_000);
  const { subtle } = await webCrypto();
  if (subtle === undefined) throw new WorkspaceMemoryError("Stamps need Web Crypto: browsers have it on https only.");
  const text = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const secret = await subtle.importKey("raw", text.encode(key), algorithm, false, ["sign"]);
  const code = new Uint8Array(await subtle.sign("HMAC", secret, text.encode(`${user}\n${minute}`)));
  const digits = Array.from(code, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${encodeURIComponent(user)} ${minute} ${digits}`;
}

/** Return a name as one part of an address. Throws for what would lead elsewhere. */
export function quoted(name: string, kind = "name"): string {
  requireName(kind, name);
  // An address with `.` or `..` is shortened before it is sent, percent-encoded or not.
  if (name === "." || name === "..") throw new WorkspaceMemoryError(`The ${kind} cannot be '${name}'.`);
  return encodeURIComponent(name);
}

function requireName(kind: string, name: string): void {
  if (typeof name !== "string" || name.trim() === "") {
    throw new WorkspaceMemoryError(`Name the ${kind}, as text that is not empty.`);
  }
  try {
    encodeURIComponent(name);
  } catch (error) {
    throw new WorkspaceMemoryError(`The ${kind} holds characters that are not text.`, { cause: error });
  }
}

async function webCrypto(): Promise<{ subtle?: SubtleCrypto }> {
  if (globalThis.crypto !== undefined) return globalThis.crypto;
  // Node 18 has it in a module only. The name stands in a variable, so that bundlers for browsers do not look for it.
  const node: string = "node:crypto";
  return ((await import(node)) as { webcrypto: Crypto }).webcrypto;
}
