// The middleware in the real `ai` package, of two major versions, with its own mock model and a running server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Memory } from "workspace-memory";
import { memoryMiddleware } from "workspace-memory/ai";

const memory = Memory.fromEnv();
const RELEASES = [
  { ai: await import("ai"), mocks: await import("ai/test"), Model: "MockLanguageModelV3" },
  { ai: await import("ai-v7"), mocks: await import("ai-v7/test"), Model: "MockLanguageModelV4" },
];
const USAGE = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const FINISH = { unified: "stop", raw: "stop" };
const reply = (text) => ({ content: [{ type: "text", text }], finishReason: FINISH, usage: USAGE, warnings: [] });

for (const [at, { ai, mocks, Model }] of RELEASES.entries()) {
  const session = (name) => `ai/${at}/${name}`;
  const said = async (name) =>
    (await memory.session(session(name)).history.last()).map(({ role, content }) => [role, content]);
  const wrapped = (answer, options, from = memory) => {
    const model = new mocks[Model](answer);
    return {
      model,
      wrapped: ai.wrapLanguageModel({ model, middleware: memoryMiddleware(from, { timeoutMs: 10_000, ...options }) }),
    };
  };

  test(`${Model}: what is remembered stands before the question, and both sides are kept`, async () => {
    const fact = await memory.write(`Tea ${at} is ordered on Mondays.`, { kind: "fact" });
    const { model, wrapped: remembering } = wrapped(
      { doGenerate: async () => reply(`On Mondays [mem:${fact.id}].`) },
      { session: session("generate"), agent: `clerk ${at}` },
    );
    const { text } = await ai.generateText({
      model: remembering,
      system: "Be brief.",
      prompt: `When is tea ${at} ordered?`,
    });

    assert.match(text, /On Mondays/);
    const [system, ...others] = model.doGenerateCalls[0].prompt;
    assert.match(system.content, /^Be brief\.\n\nWhat is remembered/);
    assert.match(system.content, new RegExp(`Tea ${at} is ordered on Mondays`));
    assert.deepEqual(
      others.map(({ role }) => role),
      ["user"],
    );
    assert.deepEqual(await said("generate"), [
      ["user", `When is tea ${at} ordered?`],
      ["assistant", text],
    ]);
    assert.equal((await memory.memories.citations(fact.id).toArray()).length, 1);
  });

  test(`${Model}: a streamed answer is kept once it has ended`, async () => {
    const pieces = [
      { type: "stream-start", warnings: [] },
      { type: "text-start", id: "1" },
      { type: "text-delta", id: "1", delta: "On " },
      { type: "text-delta", id: "1", delta: "Mondays." },
      { type: "text-end", id: "1" },
      { type: "finish", finishReason: FINISH, usage: USAGE },
    ];
    const doStream = async () => ({ stream: mocks.convertArrayToReadableStream(pieces) });
    const { wrapped: remembering } = wrapped({ doStream }, { session: session("stream"), recall: false });
    let text = "";
    for await (const piece of ai.streamText({ model: remembering, prompt: "When?" }).textStream) text += piece;
    assert.equal(text, "On Mondays.");
    assert.deepEqual(await said("stream"), [
      ["user", "When?"],
      ["assistant", "On Mondays."],
    ]);
  });

  test(`${Model}: a call of a tool is not an answer`, async () => {
    const call = { type: "tool-call", toolCallId: "1", toolName: "look", input: "{}" };
    const { wrapped: remembering } = wrapped(
      {
        doGenerate: async () => ({ ...reply("Let me look."), content: [{ type: "text", text: "Let me look." }, call] }),
      },
      { session: session("tool"), recall: false },
    );
    const look = ai.tool({ inputSchema: ai.jsonSchema({ type: "object", properties: {} }) });
    await ai.generateText({ model: remembering, prompt: "When?", tools: { look } });
    assert.deepEqual(await said("tool"), []);
  });

  test(`${Model}: another user's memory stays out`, async () => {
    await memory.forUser(`mara ${at}`).write("Mara is allergic to nuts.", { kind: "fact" });
    const ask = async (from) => {
      const { model, wrapped: remembering } = wrapped({ doGenerate: async () => reply("Yes.") }, {}, from);
      await ai.generateText({ model: remembering, prompt: "May I serve nuts to Mara?" });
      return JSON.stringify(model.doGenerateCalls[0].prompt);
    };
    assert.match(await ask(memory.forUser(`mara ${at}`)), /allergic to nuts/);
    assert.doesNotMatch(await ask(memory.forUser(`bob ${at}`)), /allergic/);
  });

  test(`${Model}: without memory the model answers all the same`, async () => {
    const away = [
      new Memory("http://127.0.0.1:9", "oxa_live_x"),
      new Memory(process.env.WSM_URL, "oxa_live_wrong"),
      new Memory("http://memory.test", "oxa_live_x", { fetch: () => new Promise(() => {}) }),
    ];
    for (const from of away) {
      const errors = [];
      const options = { session: "s", timeoutMs: 200, onError: (error) => errors.push(error) };
      const { model, wrapped: remembering } = wrapped({ doGenerate: async () => reply("Hello.") }, options, from);
      const began = performance.now();
      assert.equal((await ai.generateText({ model: remembering, prompt: "Hello?" })).text, "Hello.");
      assert.ok(performance.now() - began < 2000);
      assert.equal(model.doGenerateCalls[0].prompt.length, 1);
      assert.equal(errors.length, 2);
    }
  });

  test(`${Model}: the platform may finish what is kept`, async () => {
    const works = [];
    const options = { session: session("later"), recall: false, waitUntil: (work) => works.push(work) };
    const { wrapped: remembering } = wrapped({ doGenerate: async () => reply("Later.") }, options);
    await ai.generateText({ model: remembering, prompt: "When?" });
    assert.equal(works.length, 1);
    await works[0];
    assert.equal((await said("later")).length, 2);
  });
}
