/** Making workspaces with an operator's key. */

import { Items } from "./items.js";
import { makeTransport, type CallOptions, type MemoryOptions } from "./memory.js";
import type { Schemas } from "./routes.js";
import type { Transport } from "./transport.js";

/** How an operator calls. */
export type OperatorOptions = CallOptions & Pick<MemoryOptions, "fetch">;

/** Who runs the server, with a key of `manage.py make_operator_key`: it makes workspaces and opens none of them. */
export class Operator {
  readonly #transport: Transport;

  constructor(url: string, key: string, options: OperatorOptions = {}) {
    this.#transport = makeTransport(url, key, options);
  }

  /**
   * Make a workspace. Its `api_key` has every scope, and a `secret` that is in this answer and nowhere else; the address
   * `owner` is invited as its owner. A call whose answer was lost is sent again, and makes no second workspace.
   */
  async createWorkspace(name: string, options: { owner?: string } = {}): Promise<Schemas["NewWorkspace"]> {
    const body = { ...options, name };
    return (await this.#transport.send("post", "/v1/workspaces", { body })) as Schemas["NewWorkspace"];
  }

  /** The workspaces that this key has made, by name. */
  workspaces(options: { most?: number } = {}): Items<Schemas["Workspace"]> {
    return new Items(options.most, async (query) => {
      const page = await this.#transport.send("get", "/v1/workspaces", { query });
      return page as Schemas["Page_Workspace_"];
    });
  }
}
