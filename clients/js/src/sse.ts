/** Server-sent events: from the bytes of one connection to names, ids and JSON. */

import { UnexpectedAnswerError } from "./errors.js";

/** One event; `data` is undefined where only the id moved on. */
export interface ServerSentEvent {
  event: string;
  id: string;
  data: unknown;
}

/** Decode the pieces of a stream. `id` is the id to go on behind after what was decoded. */
export class EventDecoder {
  id = "";
  private event = "message";
  private data: string[] = [];
  private rest = "";

  /** Return the events that this piece ends. Throws UnexpectedAnswerError for data that is not JSON. */
  decode(piece: string): ServerSentEvent[] {
    const lines = (this.rest + piece).split("\n");
    this.rest = lines.pop() ?? "";
    return lines.map((line) => this.line(line.replace(/\r$/, ""))).filter((event) => event !== undefined);
  }

  private line(line: string): ServerSentEvent | undefined {
    const [name, value] = split(line);
    if (name === "id") this.id = value;
    else if (name === "event") this.event = value;
    else if (name === "data") this.data.push(value);
    else if (line === "" && this.data.length > 0) return this.finished();
    return undefined;
  }

  private finished(): ServerSentEvent {
    const { event, data } = this;
    this.event = "message";
    this.data = [];
    try {
      return { event, id: this.id, data: JSON.parse(data.join("\n")) as unknown };
    } catch (error) {
      throw new UnexpectedAnswerError("The data of an event is not JSON; is it a newer server?", { cause: error });
    }
  }
}

function split(line: string): [string, string] {
  const colon = line.indexOf(":");
  return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
}
