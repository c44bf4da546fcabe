// The client against a real server.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import * as errors from "../index.js";
import { started } from "./server.js";

const { Client } = errors;
let server;
before(async () => (server = await started()));
after(() => server.stop());

/** A client that waits for nothing and notes how long it would have waited. */
function aClient(options = {}) {
  const slept = [];
  const client = new Client({ url: server.url, user: "ana", sleep: async (ms) => void slept.push(ms), ...options });
  return { client, slept };
}

/** What a generator gives, so many of it. */
async function first(count, several) {
  const held = [];
  for await (const one of several) if (held.push(one) === count) break;
  return held;
}

test("what is said is kept, learnt and recalled", async () => {
  const { client } = aClient({ user: "joana" });
  const saved = await client.save({ said: "Moro em Recife.", at: new Date("2026-03-01T12:00:00Z") });
  assert.equal(saved.messages[0].text, "Moro em Recife.");
  await client.settle();
  const context = await client.load({ query: "onde eu moro?", budget: 400 });
  assert.match(context.text, /Recife/);
  const [hit] = (await client.search({ query: "cidade" })).hits;
  assert.match(hit.item.content, /Recife/);
  const again = await client.get({ id: hit.item.id });
  assert.deepEqual(again, hit.item);
  assert.deepEqual(await client.call("get", { id: hit.item.id }), again);
});

test("every error is one of its kind, with the server's words", async () => {
  const { client } = aClient();
  const item = await client.add({ content: "Prefere chá" });
  const told = async (Kind, work, status) => {
    const error = await work.then(() => assert.fail("nothing was refused"), (refusal) => refusal);
    assert.ok(error instanceof Kind, String(error));
    assert.ok(error instanceof errors.RelembraError);
    assert.equal(error.name, Kind.name);
    assert.equal(error.status, status);
    assert.equal(error.problem.status, status);
    assert.equal(error.message, error.problem.detail);
    return error;
  };
  assert.equal((await told(errors.InvalidInputError, client.add({ content: " " }), 422)).field, "content");
  await told(errors.NotFoundError, client.get({ id: "0199f7a2-6c1e-7bb0-9d55-3f0c8a1e4b77" }), 404);
  const late = { version: item.version + 7 };
  await told(errors.StaleError, client.correct({ id: item.id, content: "Prefere café" }, late), 412);
  await client.start_conversation({ id: "viagem" });
  await told(errors.ConflictError, client.start_conversation({ id: "viagem" }), 409);
  await told(errors.UnauthorizedError, aClient({ key: "rlb_wrong" }).client.stats(), 401);
  const right = await client.correct({ id: item.id, content: "Prefere café" }, { version: item.version });
  assert.equal(right.content, "Prefere café");
  await assert.rejects(client.get({ id: ".." }), errors.InvalidInputError);
  await assert.rejects(client.call("recollect"), TypeError);
});

test("all rows of all pages come once, in order", async () => {
  const { client } = aClient({ user: "bia" });
  const drafts = Array.from({ length: 7 }, (_, number) => ({ content: `Fato número ${number}` }));
  await client.add_many({ drafts });
  const rows = [];
  for await (const one of client.every("list", { limit: 3, type: ["fact"] })) rows.push(one.id);
  const whole = await client.list({ limit: 100 });
  assert.deepEqual(rows, whole.items.map((one) => one.id));
  assert.equal(rows.length, 7);
});

test("a write that did arrive is not done twice", async () => {
  let lost = 0;
  const fetch = async (...asked) => {
    const response = await globalThis.fetch(...asked);
    if (lost++) return response;
    await response.arrayBuffer();
    throw new TypeError("the answer was lost on the way");
  };
  const { client, slept } = aClient({ user: "caio", fetch });
  await client.save({ said: "Tenho um gato." });
  assert.deepEqual(slept, [500]);
  await client.save({ said: "Ele mia." }, { idempotencyKey: "mine" });
  await client.save({ said: "Ele mia." }, { idempotencyKey: "mine" });
  assert.equal((await client.messages()).items.length, 2);
});

test("what goes by is asked again after the time the server names, and not for ever", async () => {
  const answers = [[429, "2"], [503, "1"]];
  const fetch = async (...asked) => {
    const [status, wait] = answers.shift() ?? [];
    if (!status) return globalThis.fetch(...asked);
    return new Response(JSON.stringify({ status, detail: "later" }), { status, headers: { "Retry-After": wait } });
  };
  const { client, slept } = aClient({ fetch });
  await client.stats();
  assert.deepEqual(slept, [2000, 1000]);
  answers.push([429, "3600"]);
  await assert.rejects(client.stats(), { name: "TooManyRequestsError", retryAfter: 3600, status: 429 });
  assert.deepEqual(slept, [2000, 1000]);
  const away = aClient({ url: "http://127.0.0.1:9" });
  await assert.rejects(away.client.stats(), errors.UnavailableError);
  assert.deepEqual(away.slept, [500, 1000, 2000]);
  await assert.rejects(client.stats({}, { signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("what is learnt is told as it happens, and a stream that breaks goes on where it stopped", async () => {
  const asked = [];
  const fetch = async (url, options) => {
    const response = await globalThis.fetch(url, options);
    asked.push(options.headers["Last-Event-ID"]);
    if (asked.length > 1) return response;
    let blocks = 0;
    const breaking = new TransformStream({
      transform(block, out) {
        out.enqueue(block);
        if (new TextDecoder().decode(block).includes("data:") && ++blocks === 1) out.error(new Error("cut off"));
      },
    });
    return new Response(response.body.pipeThrough(breaking), response);
  };
  const { client } = aClient({ user: "davi" });
  await client.add({ content: "Torce pelo Bahia" });
  const watching = aClient({ user: "davi", fetch }).client.watch({ after: 0 });
  const before = await watching.next();
  assert.equal(before.value.item.content, "Torce pelo Bahia");
  const [next] = await Promise.all([watching.next(), client.add({ content: "Toca violão" })]);
  assert.equal(next.value.item.content, "Toca violão");
  assert.deepEqual(asked, ["0", String(before.value.number)]);
  await watching.return();
  const stop = new AbortController();
  const ended = first(1, aClient({ user: "davi" }).client.watch({ signal: stop.signal }));
  stop.abort();
  assert.deepEqual(await ended, []);
  await assert.rejects(aClient({ key: "rlb_wrong" }).client.watch().next(), errors.UnauthorizedError);
});

test("a model's reply comes piece by piece, and is remembered", async () => {
  const { client } = aClient({ user: "eva" });
  const words = [];
  const body = { model: "m", messages: [{ role: "user", content: "Onde eu moro?" }] };
  for await (const piece of client.chat(body, { conversation: "c1" })) words.push(piece.choices[0].delta.content);
  assert.deepEqual(words, ["Em ", "Recife."]);
  const said = (await client.messages({ conversation: "c1" })).items;
  assert.deepEqual(said.map((one) => one.text), ["Em Recife.", "Onde eu moro?"]);
});

test("a memory goes out as a file and comes in again", async () => {
  const { client } = aClient({ user: "fabio" });
  await client.add({ content: "Coleciona selos" });
  const file = await client.export({ format: "json" });
  assert.ok(file instanceof Response);
  await client.import_({ user: "gil" }, { body: await file.text() });
  assert.equal((await client.list({ user: "gil" })).items[0].content, "Coleciona selos");
});

test("the example of the manual does what it says", async () => {
  const manual = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const code = /```js\n(.*?)```/s.exec(manual)[1];
  const expected = [...code.matchAll(/\/\/ → (.*)/g)].map((found) => found[1]);
  const env = { ...process.env, RELEMBRA_URL: server.url };
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", code], { env, cwd });
  assert.deepEqual(stdout.trim().split("\n"), expected);
});
