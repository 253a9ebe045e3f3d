// What the client does without a server: `fetch` is a script of answers, and keeps what was asked.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import {
  ConflictError,
  ForbiddenError,
  InvalidError,
  Memory,
  NoAnswerError,
  RateLimitedError,
  ServerError,
  UnexpectedAnswerError,
  WorkspaceMemoryError,
  WorkspaceNotNamedError,
  cite,
} from "workspace-memory";

const URL = "http://memory.test";
const QUICK = { most: 2, firstPauseMs: 1, longestPauseMs: 2 };

/** A client whose `fetch` plays these answers: a response, an error, or a function of the call. */
function scripted(answers, options = {}) {
  const asked = [];
  const fetch = async (address, init) => {
    asked.push({ address, ...init });
    const answer = answers.shift();
    if (typeof answer === "function") return answer(init);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { memory: new Memory(URL, "oxa_live_x", { workspace: "w-1", retries: QUICK, fetch, ...options }), asked };
}

const json = (body, status = 200, headers = {}) => new Response(JSON.stringify(body), { status, headers });
const problem = (status, code, more = {}, headers = {}) =>
  json({ type: "about:blank", title: code, status, detail: `It is ${code}.`, code, ...more }, status, headers);
const page = (results, next = null) => json({ results, next, previous: null });
const hanging = (init) =>
  new Promise((_, reject) => init.signal.addEventListener("abort", () => reject(init.signal.reason)));

test("a call says who asks, for which workspace, in JSON", async () => {
  const { memory, asked } = scripted([json({ id: "m-1" }, 201)]);
  const written = await memory.write("Tea is ordered on Mondays.", { valid_from: new Date("2026-01-02T03:04:05Z") });
  assert.equal(cite(written), "[mem:m-1]");
  const [{ address, method, headers, body, redirect }] = asked;
  assert.equal(address, `${URL}/v1/workspaces/w-1/memories`);
  assert.equal(method, "POST");
  assert.equal(redirect, "manual");
  assert.equal(headers.Authorization, "Bearer oxa_live_x");
  assert.match(headers["Idempotency-Key"], /^[0-9a-f]{32}$/);
  assert.deepEqual(JSON.parse(body), { content: "Tea is ordered on Mondays.", valid_from: "2026-01-02T03:04:05.000Z" });
});

test("the workspace is that of the key, and is looked up once", async () => {
  const { memory, asked } = scripted([page([{ id: "w-9" }]), page([]), page([])], { workspace: undefined });
  await memory.list().toArray();
  await memory.forUser("mara").list().toArray();
  assert.deepEqual(
    asked.map(({ address }) => address),
    [
      `${URL}/v1/workspaces`,
      `${URL}/v1/workspaces/w-9/memories?limit=200`,
      `${URL}/v1/workspaces/w-9/memories?limit=200&user=mara`,
    ],
  );
  const { memory: unnamed } = scripted([page([])], { workspace: undefined });
  await assert.rejects(unnamed.search("tea"), WorkspaceNotNamedError);
});

test("lost connections, 429 and 5xx are asked again under one idempotency key", async () => {
  const { memory, asked } = scripted([new TypeError("fetch failed"), problem(503, "overloaded"), json({ id: "m-1" })]);
  assert.equal((await memory.write("Tea.")).id, "m-1");
  assert.equal(new Set(asked.map(({ headers }) => headers["Idempotency-Key"])).size, 1);
  const { memory: other, asked: others } = scripted([json({ id: "1" }), json({ id: "2" })]);
  await other.write("Tea.");
  await other.write("Tea.");
  assert.equal(new Set(others.map(({ headers }) => headers["Idempotency-Key"])).size, 2);
});

test("Retry-After is obeyed", async () => {
  const { memory } = scripted([problem(429, "too_many_requests", {}, { "Retry-After": "1" }), json({ id: "m-1" })]);
  const began = performance.now();
  await memory.write("Tea.");
  assert.ok(performance.now() - began >= 990);
});

test("an attempt that is still at work is waited for", async () => {
  const { memory, asked } = scripted([problem(409, "idempotency_in_progress"), json({ id: "m-1" })]);
  await memory.write("Tea.");
  assert.equal(asked.length, 2);
});

test("after the retries, what went wrong is thrown", async () => {
  await assert.rejects(
    scripted(
      Array(3)
        .fill()
        .map(() => problem(429, "too_many_requests")),
    ).memory.get("1"),
    RateLimitedError,
  );
  await assert.rejects(
    scripted(
      Array(3)
        .fill()
        .map(() => problem(500, "internal")),
    ).memory.get("1"),
    ServerError,
  );
  await assert.rejects(scripted(Array(3).fill(new TypeError("fetch failed"))).memory.get("1"), {
    name: "NoAnswerError",
    message: `${URL} does not answer (fetch failed). Is the server running?`,
  });
});

test("refusals are errors of their status, with the code and the fields", async () => {
  const errors = [{ field: "content", code: "required", detail: "Say something." }];
  const { memory, asked } = scripted([problem(422, "invalid", { errors })]);
  await assert.rejects(memory.write(""), (error) => {
    assert.ok(error instanceof InvalidError && error instanceof WorkspaceMemoryError && error instanceof Error);
    assert.deepEqual([error.status, error.code, error.problems], [422, "invalid", errors]);
    assert.equal(error.message, "It is invalid. [invalid]");
    return true;
  });
  assert.equal(asked.length, 1);
  const { memory: plans } = scripted([problem(409, "version_conflict", { current: { version: 3 } })]);
  await assert.rejects(
    plans.session("s").plan.update("Bake."),
    (error) => error instanceof ConflictError && error.current.version === 3,
  );
  await assert.rejects(
    scripted([new Response("<html>", { status: 403 })]).memory.get("1"),
    (error) => error instanceof ForbiddenError && error.code === "http_403",
  );
});

test("another server is told apart, and no redirect is followed", async () => {
  await assert.rejects(scripted([new Response("<html>")]).memory.get("1"), UnexpectedAnswerError);
  const moved = new Response("", { status: 302, headers: { Location: "http://elsewhere.test/" } });
  const { memory, asked } = scripted([moved]);
  await assert.rejects(memory.get("1"), UnexpectedAnswerError);
  assert.equal(asked.length, 1);
});

test("a timeout is no answer, and is asked again", async () => {
  const { memory, asked } = scripted([hanging, json({ id: "m-1" })], { timeoutMs: 20 });
  await memory.get("m-1");
  assert.equal(asked.length, 2);
  const slow = scripted([hanging], { timeoutMs: 20, retries: { most: 0 } }).memory;
  await assert.rejects(
    slow.get("m-1"),
    (error) => error instanceof NoAnswerError && /within 20 ms/.test(error.message),
  );
});

test("an aborted signal ends a call, its pauses and its retries", async () => {
  const controller = new AbortController();
  const { memory, asked } = scripted([hanging]);
  const call = memory.with({ signal: controller.signal }).get("m-1");
  controller.abort(new Error("the page was closed"));
  await assert.rejects(call, { message: "the page was closed" });
  assert.ok(asked.length <= 1);

  const pausing = scripted([problem(503, "overloaded", {}, { "Retry-After": "60" })]);
  const again = pausing.memory.with({ signal: AbortSignal.timeout(30) }).get("m-1");
  await assert.rejects(again, { name: "TimeoutError" });
});

test("a list is followed page by page, and no further than asked", async () => {
  const next = "http://inside:8000/v1/workspaces/w-1/memories?limit=200&tags=tea&cursor=abc";
  const { memory, asked } = scripted([page([{ id: "1" }, { id: "2" }], next), page([{ id: "3" }])]);
  assert.deepEqual(
    (await memory.list({ tags: ["tea", "jam"] }).toArray()).map(({ id }) => id),
    ["1", "2", "3"],
  );
  assert.equal(asked[0].address, `${URL}/v1/workspaces/w-1/memories?tags=tea%2Cjam&limit=200`);
  assert.equal(asked[1].address, `${URL}/v1/workspaces/w-1/memories?tags=tea&limit=200&cursor=abc`);

  const few = scripted([page([{ id: "1" }, { id: "2" }], next)]);
  for await (const { id } of few.memory.list({ most: 2 })) assert.ok(id);
  assert.equal(few.asked.length, 1);
});

test("spaces are named in every call, where the route takes them", async () => {
  const answers = Array(8)
    .fill()
    .map(() => page([]));
  const { memory, asked } = scripted(answers);
  const clerk = memory.forUser("mara").forAgent("clerk");
  await clerk.search("tea");
  await memory.inSpace("project:apollo", { shared: false }).search("tea");
  await clerk.memories.propose("m-1");
  await clerk.runs.start("clerk");
  await memory.forAgent("clerk").actions.list().toArray();
  await clerk.keys.list().toArray();
  await clerk.session("s/1").delete();
  assert.deepEqual(JSON.parse(asked[0].body), { query: "tea", user: "mara", agent: "clerk" });
  assert.deepEqual(JSON.parse(asked[1].body), { query: "tea", space: "project:apollo", shared: false });
  assert.match(asked[2].address, /propose\?user=mara&agent=clerk$/);
  assert.deepEqual(JSON.parse(asked[2].body), { space: "shared" });
  assert.deepEqual(JSON.parse(asked[3].body), { agent: "clerk", user: "mara" });
  assert.match(asked[4].address, /actions\?limit=200&space=agent%3Aclerk$/);
  assert.match(asked[5].address, /api-keys\?limit=200$/);
  assert.match(asked[6].address, /conversations\/s%2F1\?user=mara&agent=clerk$/);
});

test("a client is for one user, and names lead nowhere else", async () => {
  const { memory, asked } = scripted([]);
  assert.throws(() => memory.forUser(" "), /Name the user/);
  assert.throws(() => memory.forUser("mara").forUser("bob"), /This client is for the user 'mara'/);
  await assert.rejects(memory.forUser("mara").context("tea", { user: "bob" }), /the call names 'bob'/);
  await assert.rejects(memory.get(".."), /cannot be '\.\.'/);
  await assert.rejects(memory.get(""), /Name the memory_id/);
  await assert.rejects(memory.session("\ud800").history.last(), /not text/);
  await assert.rejects(memory.slots.slot("n", { tier: "working" }).set({ n: Number.NaN }), /'n' is NaN/);
  assert.equal(asked.length, 0);
});

test("a stamped key says for whom each attempt is", async () => {
  const { memory, asked } = scripted([page([])], { stamped: true });
  await memory.forUser("mära 1").list().toArray();
  const [user, minute, code] = asked[0].headers["X-On-Behalf-Of"].split(" ");
  assert.equal(user, encodeURIComponent("mära 1"));
  assert.ok(Math.abs(Date.now() / 60_000 - Number(minute)) < 2);
  assert.equal(code, createHmac("sha256", "oxa_live_x").update(`mära 1\n${minute}`).digest("hex"));
});

test("a sub-agent is marked", async () => {
  const { memory, asked } = scripted([page([]), page([])]);
  await memory.subAgent().list().toArray();
  await memory.list().toArray();
  assert.deepEqual(
    asked.map(({ headers }) => headers["X-Sub-Agent"]),
    ["true", undefined],
  );
});

test("addresses and keys are checked before anything is sent", () => {
  for (const url of ["", "memory.test", "ftp://memory.test", "http://me:secret@memory.test"]) {
    assert.throws(() => new Memory(url, "k"), /The address must be one like/);
  }
  assert.throws(() => new Memory(URL, " "), /An API key of the workspace is needed/);
  assert.throws(() => new Memory(URL, "oxa_live_…"), /characters that no key has/);
  assert.ok(Memory.fromEnv({}, { WSM_URL: URL, WSM_KEY: "k" }) instanceof Memory);
  assert.throws(() => Memory.fromEnv({}, {}), WorkspaceMemoryError);
});

test("the key is in no printed client", async () => {
  const { inspect } = await import("node:util");
  assert.doesNotMatch(inspect(scripted([]).memory, { depth: 9 }), /oxa_live_x/);
});

const stream = (...pieces) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    }),
    { headers: { "Content-Type": "text/event-stream" } },
  );
const event = (id) => `id: ${id}\ndata: {"id": "${id}"}\n\n`;

test("events go on behind the last one after every end", async () => {
  const { memory, asked } = scripted([
    stream("retry: 2000\n\nid: 1-0\n: open\n\n"),
    stream(event("2-0")),
    new TypeError("gone"),
    problem(429, "too_many_streams"),
    stream(event("3-0")),
  ]);
  const ids = [];
  for await (const { id } of memory.events({ verb: "write" })) if (ids.push(id) === 2) break;
  assert.deepEqual(ids, ["2-0", "3-0"]);
  assert.deepEqual(
    asked.map(({ headers }) => headers["Last-Event-ID"]),
    [undefined, "1-0", "2-0", "2-0", "2-0"],
  );
  assert.equal(asked[0].address, `${URL}/v1/workspaces/w-1/events?verb=write`);
  assert.ok(asked.at(-1).signal.aborted, "a stream that was left is closed");
});

test("events end with a refusal, or after as many attempts as said", async () => {
  const refused = scripted([problem(403, "missing_scope")]);
  await assert.rejects(refused.memory.events().next(), ForbiddenError);
  assert.equal(refused.asked.length, 1);
  const away = scripted(Array(3).fill(new TypeError("away")));
  await assert.rejects(away.memory.events().next(), NoAnswerError);
  assert.equal(away.asked.length, 3);
});

test("a chat comes in pieces, wherever the network cuts them", async () => {
  const said =
    'event: token\ndata: {"text": "Te"}\n\nevent: token\r\ndata: {"text": "ä"}\r\n\r\nevent: done\ndata: {"unresolved": []}\n\n';
  const bytes = new TextEncoder().encode(said);
  const cut = Array.from(bytes, (byte) => new Uint8Array([byte]));
  const body = new ReadableStream({ start: (c) => (cut.forEach((piece) => c.enqueue(piece)), c.close()) });
  const { memory, asked } = scripted([problem(503, "overloaded"), new Response(body)]);
  const pieces = [];
  for await (const { event, data } of memory.chat("c-1", "Tea?")) pieces.push([event, data.text]);
  assert.deepEqual(pieces, [
    ["token", "Te"],
    ["token", "ä"],
    ["done", undefined],
  ]);
  assert.deepEqual(JSON.parse(asked[1].body), { conversation: "c-1", message: "Tea?", stream: true });
});

test("a chat that fails or breaks off says so", async () => {
  const failed = 'event: error\ndata: {"status": 502, "code": "provider_failed", "detail": "No answer."}\n\n';
  const read = async (memory) => {
    for await (const _ of memory.chat("c-1", "Tea?"));
  };
  await assert.rejects(
    read(scripted([stream(failed)]).memory),
    (error) => error instanceof ServerError && error.code === "provider_failed",
  );
  await assert.rejects(read(scripted([stream('event: token\ndata: {"text": "T"}\n\n')]).memory), /broke off/);
  // It may have been stored: a turn is not taken twice.
  const lost = scripted([new TypeError("gone"), stream("")]);
  await assert.rejects(read(lost.memory), NoAnswerError);
  assert.equal(lost.asked.length, 1);
});
