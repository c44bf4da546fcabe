// What TypeScript accepts and refuses; compiled, never run.

import { Client, NotFoundError, StaleError, type Change, type Item } from "../index.js";

const client = new Client({ url: "http://127.0.0.1:8484", key: "rlb_x", user: "ana" });

export async function accepted(): Promise<void> {
  const item: Item = await client.add({ content: "Prefere chá", type: "preference" });
  await client.correct({ id: item.id, content: "Prefere café" }, { version: item.version });
  const found = await client.search({ query: "chá", limit: 3 });
  const titles: string[] = found.hits.map((hit) => hit.item.title);
  await client.stats();
  for await (const one of client.every("list", { order: "newest" })) titles.push(one.content);
  for await (const said of client.every("messages")) titles.push(said.text);
  for await (const change of client.watch({ after: 3 })) ((told: Change) => told.number)(change);
  for await (const piece of client.chat({ messages: [{ role: "user", content: "oi" }] })) piece.choices[0]?.delta;
  const file: Response = await client.export({ format: "jsonl" });
  await client.import_({}, { body: await file.blob() });
  try {
    await client.get({ id: "0199" });
  } catch (error) {
    if (error instanceof StaleError || error instanceof NotFoundError) titles.push(error.problem?.detail ?? "");
  }
}

export async function refused(): Promise<void> {
  // @ts-expect-error a sentence is needed
  await client.add({ type: "preference" });
  // @ts-expect-error there is no such type
  await client.add({ content: "x", type: "opinion" });
  // @ts-expect-error there is no such verb
  await client.recollect({});
  // @ts-expect-error what is searched is not answered in pages
  client.every("search", { query: "x" });
  // @ts-expect-error an id is needed
  await client.get();
}
