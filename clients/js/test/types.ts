// What the compiler accepts of the installed package, and what it refuses. It is not run.
import { Memory, type Schemas } from "workspace-memory";
import { memoryMiddleware } from "workspace-memory/ai";
import { wrapLanguageModel } from "ai";
import { wrapLanguageModel as wrap7 } from "ai-v7";
import { MockLanguageModelV3 } from "ai/test";
import { MockLanguageModelV4 } from "ai-v7/test";
const memory = new Memory("http://x", "k");
async function f() {
  const m: Schemas["Memory"] = await memory.write("x", { tags: ["a"], valid_from: new Date() });
  // @ts-expect-error -- no such field
  await memory.write("x", { tagz: ["a"] });
  const found = await memory.search("x", { limit: 3, mode: "keyword", kinds: ["fact"], created_after: new Date() });
  // @ts-expect-error -- no such mode
  await memory.search("x", { mode: "other" });
  const s: number = found.results[0]!.score;
  for await (const one of memory.list({ tags: ["a"], most: 3 })) {
    const c: string = one.content;
  }
  // @ts-expect-error -- no such filter
  memory.list({ nothing: 1 });
  const metrics = await memory.call("get", "metrics");
  const n: string = metrics.results[0]!.name;
  // @ts-expect-error -- no such method
  await memory.call("put", "metrics");
  // @ts-expect-error -- no such route
  await memory.call("get", "nowhere");
  const v: void = await memory.call("delete", "metrics/{metric_id}", { path: { metric_id: "x" } });
  await memory.edit(m.id, { valid_to: null, expires_at: new Date() });
  const node = await memory.ontology.nodes.create("Person", "Mara", { properties: { a: 1 } });
  await memory.actions.record({ session: "s", agent: "a", action_type: "x", outcome: "success" });
  await memory.session("x").plan.update("g", { steps: [{ title: "a" }] });
  await memory.session("x").end();
  await memory.settings.change({ memory: { retention_days: 30 } });
  await memory.keys.create("k", ["read"]);
  const w: string = node.name;
}
const m6 = wrapLanguageModel({ model: new MockLanguageModelV3(), middleware: memoryMiddleware(memory) });
const m7 = wrap7({ model: new MockLanguageModelV4(), middleware: memoryMiddleware(memory) });
