/** Following the events of a workspace over connections that end and begin again. */

import { NoAnswerError, RateLimitedError, ServerError } from "./errors.js";
import { backoff, sleep } from "./retries.js";
import type { QueryOf, Schemas } from "./routes.js";
import type { Transport } from "./transport.js";

/** Which events: behind the id `after`, and of what kind. */
export type EventFilters = Omit<QueryOf<"events", "get">, "limit">;

// Milliseconds without a word of a stream, which has a heartbeat every 15 seconds.
const SILENCE = 45_000;
// Milliseconds before the next connection where the server ended one, which it does every minute.
const PAUSE = 500;

/** Yield events behind an id, without an end. Throws ApiError for a refusal, NoAnswerError after too many attempts. */
export async function* followEvents(
  transport: Transport,
  filters: EventFilters,
): AsyncGenerator<Schemas["Event"], void, undefined> {
  const { after, ...query } = filters as { after?: string };
  const { retries, signal } = transport.settings;
  const once = transport.with({ retries: { ...retries, most: 0 } });
  let place = after ?? "";
  for (let failures = 0; ; ) {
    let pause = Math.min(PAUSE, retries.longestPauseMs);
    try {
      for await (const event of once.stream("get", "events", { query }, SILENCE, place)) {
        place = event.id;
        failures = 0;
        if (event.data !== undefined) yield event.data as Schemas["Event"];
      }
    } catch (error) {
      failures += 1;
      const mayPass =
        error instanceof NoAnswerError || error instanceof RateLimitedError || error instanceof ServerError;
      if (!mayPass || failures > retries.most) throw error;
      pause = backoff(retries, failures, Math.random());
    }
    await sleep(pause, signal);
  }
}
