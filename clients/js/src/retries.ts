/** When to ask again, and after which pause. */

import { NoAnswerError, isObject } from "./errors.js";

/**
 * How often to ask again after a lost connection, a 429, a 5xx or while the first attempt is still at work. Pauses
 * double from `firstPauseMs` up to `longestPauseMs`; each is multiplied by a random number from 0.5 to 1, so that many
 * agents do not come back at once. A `Retry-After` of the server, up to a minute, is obeyed.
 */
export interface Retries {
  most: number;
  firstPauseMs: number;
  longestPauseMs: number;
}

export const RETRIES: Retries = { most: 3, firstPauseMs: 250, longestPauseMs: 8000 };

/** An answer that was read to its end. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json: unknown;
}

/** Return the milliseconds to wait after `asked` attempts that failed. `jitter` is a random number from 0 to 1. */
export function backoff(retries: Retries, asked: number, jitter: number): number {
  return Math.min(retries.firstPauseMs * 2 ** (asked - 1), retries.longestPauseMs) * (0.5 + jitter / 2);
}

/** Return the milliseconds until the next attempt after `asked` of them; undefined where this outcome is the answer. */
export function pauseAfter(
  retries: Retries,
  asked: number,
  outcome: Answer | NoAnswerError,
  jitter: number = Math.random(),
): number | undefined {
  if (asked > retries.most) return undefined;
  const pause = backoff(retries, asked, jitter);
  if (outcome instanceof NoAnswerError) return pause;
  const isWorthIt = outcome.status === 429 || outcome.status >= 500 || isAtWork(outcome);
  return isWorthIt ? Math.max(pause, retryAfter(outcome)) : undefined;
}

/** Wait. Rejects with the signal's reason when it is aborted meanwhile. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Return whether an attempt that we gave up waiting for holds the key of this call. */
function isAtWork(answer: Answer): boolean {
  return answer.status === 409 && isObject(answer.json) && answer.json["code"] === "idempotency_in_progress";
}

function retryAfter(answer: Answer): number {
  const seconds = answer.headers.get("Retry-After") ?? "";
  return /^\d+$/.test(seconds) ? Math.min(Number(seconds), 60) * 1000 : 0;
}
