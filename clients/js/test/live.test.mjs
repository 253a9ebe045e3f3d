// The client against a running server, which WSM_URL, WSM_KEY, OTHER_KEY (of another workspace) and WSM_OPERATOR_KEY name.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ApiError,
  ConflictError,
  ForbiddenError,
  Memory,
  NotFoundError,
  Operator,
  UnauthenticatedError,
  cite,
} from "workspace-memory";

const memory = Memory.fromEnv({ retries: { firstPauseMs: 20 } });
const outsider = new Memory(process.env.WSM_URL, process.env.OTHER_KEY);
const contents = (found) => found.results.map((hit) => hit.memory.content);

test("a memory is written, found, edited, and goes through its life", async () => {
  const written = await memory.write("The oven of the second shop runs 10 degrees hot.", {
    tags: ["equipment"],
    importance: 0.8,
  });
  const again = await memory.write("The oven of the second shop runs 10 degrees hot.");
  assert.equal(again.id, written.id);
  const found = await memory.search("second shop oven", { limit: 3, tags: ["equipment"] });
  assert.deepEqual(contents(found), [written.content]);
  assert.ok(found.results[0].score > 0 && found.latency_ms >= 0);

  assert.equal((await memory.edit(written.id, { tags: ["oven"], expires_at: new Date("2099-01-01") })).tags[0], "oven");
  assert.equal((await memory.promote(written.id)).kind, "fact");
  assert.equal((await memory.pin(written.id)).pinned, true);
  await assert.rejects(memory.forget(written.id), (error) => error instanceof ConflictError && error.code === "pinned");
  await memory.unpin(written.id);
  assert.equal((await memory.suppress(written.id, { reason: "It was repaired." })).suppressed, true);
  assert.equal((await memory.unsuppress(written.id)).suppressed, false);
  await memory.memories.weigh(written.id, 2);
  await memory.memories.close(written.id);
  await memory.memories.reopen(written.id);
  await memory.memories.demote(written.id);
  assert.equal((await memory.forget(written.id)).is_deleted, true);
  assert.equal((await memory.restore(written.id)).is_deleted, false);
  assert.equal((await memory.get(written.id)).content, written.content);
  const verbs = (await memory.memories.history(written.id).toArray()).length;
  assert.ok(verbs >= 9, `${verbs} revisions`);
});

test("lists are iterated over their pages", async () => {
  for (const n of [1, 2, 3]) await memory.write(`Flour ${n} is kept dry.`, { tags: ["flour"] });
  assert.equal((await memory.list({ tags: ["flour"] }).toArray()).length, 3);
  assert.equal((await memory.list({ tags: ["flour"], most: 2 }).toArray()).length, 2);
});

test("an operator makes workspaces, and opens none", async () => {
  const operator = new Operator(process.env.WSM_URL, process.env.WSM_OPERATOR_KEY);
  const made = await operator.createWorkspace("Bakery", { owner: "anna@harbour.example" });
  assert.deepEqual(
    (await operator.workspaces().toArray()).map(({ id }) => id),
    [made.id],
  );
  const theirs = new Memory(process.env.WSM_URL, made.api_key.secret);
  assert.equal((await theirs.workspace()).name, "Bakery");
  await assert.rejects(new Memory(process.env.WSM_URL, process.env.WSM_OPERATOR_KEY).list().toArray(), (error) => {
    return error instanceof UnauthenticatedError && /opens none of them/.test(error.message);
  });
  await assert.rejects(memory.call("post", "/v1/workspaces", { body: { name: "Mine" } }), ForbiddenError);
});

test("the outsider sees nothing", async () => {
  const written = await memory.write("The safe is behind the third oven.");
  const session = memory.session("secret/1");
  await session.history.append("user", "Where is the safe?");
  assert.deepEqual(contents(await outsider.search("safe behind the oven", { mode: "keyword" })), []);
  assert.deepEqual(await outsider.list().toArray(), []);
  await assert.rejects(outsider.get(written.id), NotFoundError);
  await assert.rejects(outsider.edit(written.id, { content: "Mine." }), NotFoundError);
  assert.deepEqual(await outsider.session("secret/1").history.last(), []);
  assert.equal(await outsider.session("secret/1").end(), undefined);
  const { id } = await memory.workspace();
  const intruder = new Memory(process.env.WSM_URL, process.env.OTHER_KEY, { workspace: id });
  await assert.rejects(intruder.search("safe"), NotFoundError);
  await assert.rejects(intruder.session("secret/1").history.last(), NotFoundError);
  await assert.rejects(new Memory(process.env.WSM_URL, "oxa_live_unknown").list().toArray(), UnauthenticatedError);
});

test("what is said for one user is for them alone", async () => {
  const mara = memory.forUser("mara");
  await mara.write("Mara is allergic to nuts.");
  const clients = [mara, memory, memory.forUser("bob"), mara.forAgent("clerk"), outsider.forUser("mara")];
  const found = await Promise.all(clients.map((client) => client.search("allergic nuts", { mode: "keyword" })));
  assert.deepEqual(
    found.map(({ results }) => results.length),
    [1, 0, 0, 1, 0],
  );
  const apollo = memory.inSpace("project:apollo", { shared: false });
  await apollo.write("Apollo starts in May.");
  assert.deepEqual(
    (await apollo.list().toArray()).map(({ content }) => content),
    ["Apollo starts in May."],
  );
  assert.ok((await memory.spaces.list({ kind: "user" }).toArray()).some(({ space }) => space === "user:mara"));
  assert.equal((await memory.spaces.get("user:mara")).counts.memories, 1);

  const [own] = await mara.list({ most: 1 }).toArray();
  await mara.memories.propose(own.id);
  const [proposal] = await memory.proposals.list({ status: "pending" }).toArray();
  assert.equal((await memory.proposals.reject(proposal.id)).status, "rejected");
  assert.equal((await memory.spaces.erase("user:mara", { dryRun: true })).status, "counted");
  assert.equal((await memory.spaces.erase("user:mara")).status, "erased");
  assert.deepEqual(
    await mara
      .list()
      .toArray()
      .then((all) => all.filter(({ content }) => /nuts/.test(content))),
    [],
  );
});

test("a stamped key acts for the user of each call, and a revoked one for nobody", async () => {
  const made = await memory.keys.create("backend", ["read", "write"], { spaces: ["user:*", "shared"], stamped: true });
  const backend = new Memory(process.env.WSM_URL, made.secret, { stamped: true });
  await backend.forUser("zoë 7").write("Zoë drinks tea.");
  assert.ok(contents(await backend.forUser("zoë 7").search("Zoë", { mode: "keyword" })).includes("Zoë drinks tea."));
  assert.ok(!contents(await backend.forUser("bob").search("Zoë", { mode: "keyword" })).includes("Zoë drinks tea."));
  await assert.rejects(
    backend.search("tea"),
    (error) => error instanceof UnauthenticatedError && error.code === "stamp_required",
  );
  assert.ok((await memory.keys.list().toArray()).some(({ id }) => id === made.id));
  await memory.keys.revoke(made.id);
  await assert.rejects(backend.forUser("bob").list().toArray(), UnauthenticatedError);
});

test("a sub-agent is given no user", async () => {
  const helper = memory.subAgent();
  assert.ok((await helper.context("tea")).left_out.includes("profile"));
  await assert.rejects(
    helper.forUser("mara").search("nuts"),
    (error) => error instanceof ForbiddenError && error.code === "not_for_sub_agents",
  );
});

test("a session has a history, memories of its own, a plan and an end", async () => {
  const session = memory.session("support/42 ü");
  assert.deepEqual(await session.history.last(), []);
  assert.equal(await session.plan.get(), undefined);
  assert.deepEqual((await session.search("bread")).results, []);
  await session.history.append("user", "The bread is too dark.", {
    created_at: new Date("2026-01-01"),
    metadata: { shop: 2 },
  });
  const [answer] = await session.history.extend([{ role: "assistant", content: "Lower the oven by 10 degrees." }]);
  assert.equal(answer.role, "assistant");
  assert.deepEqual(
    (await session.history.last(1)).map(({ content }) => content),
    ["Lower the oven by 10 degrees."],
  );
  assert.ok((await memory.conversations.search("dark bread")).results.length > 0);
  assert.ok((await session.recall("dark bread")).results.length > 0);
  assert.ok((await session.window({ last: 2 })).messages.length === 2);
  assert.equal((await memory.conversations.get("support/42 ü")).key, "support/42 ü");

  const kept = await session.write("This customer likes pale bread.");
  assert.deepEqual(contents(await session.search("pale bread", { mode: "keyword" })), [
    "This customer likes pale bread.",
  ]);
  assert.ok(!contents(await memory.search("pale bread", { mode: "keyword" })).includes(kept.content));
  assert.equal((await session.memories().toArray()).length, 1);

  const plan = await session.plan.update("The oven bakes evenly.", {
    steps: [{ title: "Measure each shelf", status: "in_progress" }],
  });
  await assert.rejects(
    session.plan.update("Another."),
    (error) => error instanceof ConflictError && error.current.version === plan.version,
  );
  const attempts = session.iterations("measure");
  await attempts.append("Put a probe on each shelf.", { error: "Probe 3 reads nothing." });
  assert.match((await attempts.briefing({ task: "Measure.", token_budget: 500 })).text, /^Task: measure/);
  assert.equal((await session.tasks().toArray()).length, 1);
  await attempts.clear();
  await session.plan.delete();
  assert.equal((await session.end()).status, "ended");
  await session.delete();
  await assert.rejects(memory.conversations.get("support/42 ü"), NotFoundError);
});

test("contexts have receipts, and runs count what they cite", async () => {
  const fact = await memory.write("Bread turns pale below 200 degrees.", { kind: "fact" });
  const context = await memory.context("why is the bread pale?", { token_budget: 500 });
  assert.ok(context.tokens_used <= 500 && context.text.includes("pale below 200"));
  const run = await memory.runs.start("baker", { conversation: "support/43" });
  const finished = await memory.runs.finish(run.id, { output: `It is too cold ${cite(fact)}.` });
  assert.deepEqual(
    finished.citations.map(({ counted }) => counted),
    [true],
  );
  assert.equal((await memory.runs.get(run.id)).status, "succeeded");
  assert.equal((await memory.memories.citations(fact.id).toArray()).length, 1);
  const receipt = await memory.receipts.get(context.receipt_id);
  assert.equal(receipt.id, context.receipt_id);
  assert.ok((await memory.receipts.list({ most: 5 }).toArray()).length > 0);
  assert.ok(await memory.receipts.rerun(context.receipt_id, { query: "pale bread", without: [fact.id] }));
  await assert.rejects(outsider.receipts.get(context.receipt_id), NotFoundError);
});

test("the profile of a user has versions", async () => {
  const page = await memory.user("mara/1").update({ "Current Goals": "Paler bread." });
  assert.match((await memory.user("mara/1").read()).content, /Paler bread/);
  await memory.user("mara/1").write("# Goals\nDark bread.", { version: page.version });
  await assert.rejects(
    memory.user("mara/1").write("x", { version: page.version }),
    (error) => error.code === "version_conflict",
  );
  await memory.user("mara/1").delete();
});

test("slots hold values for a scope", async () => {
  const scope = { user_id: "u-1", portfolio_id: "p.7" };
  const notes = memory.slots.slot("notes", { tier: "semantic", scope, schema_version: 2, max_items: 2 });
  assert.deepEqual(await notes.items(), []);
  for (const summary of ["Old.", "Prefers bonds over shares.", "Calls on Fridays."]) await notes.append({ summary });
  assert.deepEqual(
    (await notes.items()).map(({ summary }) => summary),
    ["Prefers bonds over shares.", "Calls on Fridays."],
  );
  assert.equal((await notes.search("bonds", { limit: 1 }))[0].item.summary, "Prefers bonds over shares.");
  assert.deepEqual(await memory.slots.slot("notes", { tier: "semantic", scope: { user_id: "u-2" } }).items(), []);
  assert.deepEqual(await outsider.slots.slot("notes", { tier: "semantic", scope }).items(), []);
  const state = memory.slots.slot("state", { tier: "working", scope: { run_id: "r-1" }, ttl_seconds: 60 });
  await state.set({ step: 3 });
  assert.deepEqual(await state.get(), { step: 3 });
  assert.deepEqual([await state.clear(), await state.clear(), await state.get()], [true, false, undefined]);
});

test("the ontology has nodes, edges and answers", async () => {
  const { nodes, edges } = memory.ontology;
  const mara = await nodes.create("Person", "Mara", { properties: { role: "baker" } });
  const shop = await nodes.create("Shop", "Second shop");
  const edge = await edges.create("works_in", mara.id, shop.id);
  assert.equal((await nodes.edit(mara.id, { properties: { role: "owner" } })).properties.role, "owner");
  assert.equal((await edges.get(edge.id)).type, "works_in");
  assert.equal((await nodes.neighbours(mara.id)).edges.length, 1);
  assert.ok((await memory.ontology.path(mara.id, shop.id)).path);
  assert.equal((await memory.ontology.search("Mara", { mode: "keyword" })).results[0].node.id, mara.id);
  assert.ok((await memory.ontology.types().toArray()).length >= 2);
  assert.ok(await memory.ontology.ask("Who works in the second shop?"));
  assert.ok(await memory.ontology.prompt("Bob works in the third shop.", { intent: "update" }));
  assert.ok((await nodes.list({ type: "Person" }).toArray()).length >= 1);
  await nodes.delete(shop.id);
  await nodes.restore(shop.id);
  await assert.rejects(outsider.ontology.nodes.get(mara.id), NotFoundError);
});

test("actions are recorded, events follow, and any other route can be called", async () => {
  await memory.settings.enableMemory();
  const captured = await memory.actions.record({
    session: "s-1",
    agent: "baker",
    action_type: "bake",
    outcome: "success",
  });
  assert.equal(captured.captured, 1);
  assert.equal((await memory.actions.list({ agent: "baker" }).toArray())[0].action_type, "bake");
  assert.ok(await memory.patterns.inject([]));
  assert.ok(Array.isArray(await memory.patterns.list().toArray()));

  const watched = memory.inSpace("project:watched", { shared: false }); // where no other test writes meanwhile
  await watched.write("Events are cheap.");
  for await (const event of watched.events({ after: "0", verb: "write", layer: "memories" })) {
    assert.deepEqual([event.verb, event.type, event.outcome], ["write", "memory", "success"]);
    break;
  }
  const latest = await watched.recentEvents({ limit: 1 });
  assert.equal(latest.results.length, 1);
  assert.deepEqual((await watched.recentEvents({ after: latest.last_event_id })).results, []);
  assert.deepEqual((await outsider.inSpace("project:watched", { shared: false }).recentEvents()).results, []);
  assert.ok((await outsider.recentEvents()).results.every(({ id }) => id !== latest.results[0].id));

  assert.ok(Array.isArray((await memory.call("get", "metrics")).results));
  assert.equal((await memory.settings.change({ memory: { retention_days: 30 } })).memory.retention_days, 30);
  assert.equal(await memory.settings.enableMemory(), false);
});

test("a chat answers in pieces and at once, from what is remembered", async () => {
  await memory.write("Tea is ordered on Mondays.", { kind: "fact" });
  const events = [];
  let text = "";
  for await (const piece of memory.chat("chat/1", "When is tea ordered?")) {
    events.push(piece.event);
    if (piece.event === "token") text += piece.data.text;
  }
  assert.equal(events[0], "trace");
  assert.equal(events.at(-1), "done");
  assert.match(text, /Mondays/);
  const turn = await memory.chat("chat/1", "On which day is tea ordered?").turn();
  assert.match(turn.message.content, /Mondays/);
  await assert.rejects(memory.chat("chat/1", "").turn(), ApiError);
});
