// A real server on a file of its own, and a model server behind it that streams what it is told to.

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** The server; `stop` ends it. `words`: what the model says, piece by piece. */
export async function started(words = ["Em ", "Recife."]) {
  const folder = await mkdtemp(join(tmpdir(), "relembra-"));
  const model = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    for (const content of words) {
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
    }
    response.end("data: [DONE]\n\n");
  });
  await new Promise((done) => model.listen(0, "127.0.0.1", done));
  const env = { HOME: folder, PATH: process.env.PATH, RELEMBRA_UPSTREAM: `http://127.0.0.1:${model.address().port}/v1` };
  const { PYTHONPATH } = process.env;
  const command = ["-m", "relembra", "--db", join(folder, "m.db"), "--json", "serve", "--port", "0"];
  const server = spawn(process.env.PYTHON ?? "python3", command, {
    cwd: folder,
    env: PYTHONPATH ? { ...env, PYTHONPATH } : env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((done) => server.once("exit", done));
  const told = await Promise.race([
    new Promise((done) => createInterface({ input: server.stdout }).once("line", done)),
    ended.then((code) => Promise.reject(new Error(`relembra serve ended with ${code}`))),
  ]);
  return {
    url: JSON.parse(told).url,
    async stop() {
      server.kill("SIGTERM");
      await ended;
      model.closeAllConnections();
      model.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
