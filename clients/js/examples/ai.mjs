// A model of the Vercel AI SDK that remembers across processes: WSM_URL and WSM_KEY say where.
// Any provider's model stands in the place of the mock: `import { openai } from "@ai-sdk/openai"`, `openai("gpt-5")`.
import { generateText, wrapLanguageModel } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { Memory } from "workspace-memory";
import { memoryMiddleware } from "workspace-memory/ai";

const memory = Memory.fromEnv().forUser("mara");
await memory.write("Mara is allergic to nuts.", { kind: "fact" });

const echo = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => ({
    content: [{ type: "text", text: prompt[0].content }],
    finishReason: { unified: "stop", raw: "stop" },
    usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
    warnings: [],
  }),
});
const model = wrapLanguageModel({ model: echo, middleware: memoryMiddleware(memory, { session: "kitchen/2" }) });

const { text } = await generateText({ model, prompt: "What may I cook for Mara?" });
console.log(text); // what the model was given to know
console.log((await memory.session("kitchen/2").history.last()).length); // and what was kept: both sides
