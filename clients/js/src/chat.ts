/** One turn of a chat, piece by piece or at once. */

import { NoAnswerError, apiError, isObject } from "./errors.js";
import type { BodyOf, Schemas } from "./routes.js";
import type { Transport } from "./transport.js";

/** What a turn may say next to its message. */
export type ChatFields = Omit<BodyOf<"chat", "post">, "conversation" | "message" | "stream">;

/** The events of a turn, in this order: what was recalled, the answer in pieces, what it cites, and the stored turn. */
export type ChatEvent =
  | {
      event: "trace";
      data: {
        layers: Schemas["Layer"][];
        left_out: string[];
        receipt_id: string | null;
        tokens_used: number;
        token_budget: number;
      };
    }
  | { event: "token"; data: { text: string } }
  | { event: "citation"; data: Schemas["CountedMemory"] | Schemas["CountedNode"] }
  | { event: "done"; data: Schemas["Turn"] };

// Milliseconds without a word from the model.
const PATIENCE = 120_000;

/** A turn. Nothing is sent until it is iterated, or awaited with `turn()`; each of these is a turn of its own. */
export class ChatTurn implements AsyncIterable<ChatEvent> {
  constructor(
    private readonly transport: Transport,
    private readonly conversation: string,
    private readonly message: string,
    private readonly fields: ChatFields,
  ) {}

  /** Yield the events as they come. Throws ApiError when the model fails, NoAnswerError when the stream ends early. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ChatEvent, void, undefined> {
    for await (const { event, data } of this.transport.stream("post", "chat", { body: this.body(true) }, PATIENCE)) {
      if (event === "error") throw apiError(isObject(data) ? Number(data["status"]) : 502, data);
      if (data !== undefined) yield { event, data } as ChatEvent;
      if (event === "done") return;
    }
    throw new NoAnswerError("The stream of the answer broke off. What was said of it may be stored.");
  }

  /** Yield the text of the answer, piece by piece. */
  async *text(): AsyncGenerator<string, void, undefined> {
    for await (const piece of this) if (piece.event === "token") yield piece.data.text;
  }

  /** Wait for the whole answer: the stored message, the run, and what was cited. */
  async turn(): Promise<Schemas["Turn"]> {
    return this.transport.with({ timeoutMs: PATIENCE }).call("post", "chat", { body: this.body(false) });
  }

  private body(stream: boolean): BodyOf<"chat", "post"> {
    return { ...this.fields, conversation: this.conversation, message: this.message, stream };
  }
}
