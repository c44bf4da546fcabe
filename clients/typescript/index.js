// A client for Relembra's HTTP API: every verb as a method, over `fetch`. Types are in index.d.ts and api.d.ts.

import { ROUTES } from "./routes.js";

const HERE = "http://127.0.0.1:8484";
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const LONGEST_QUIET_MS = 90_000; // a stream may be quiet for a while, but a server that is there gives signs of life

// ── errors ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Whatever a server did not do, in its own words: `problem` is its answer (RFC 9457). */
export class RelembraError extends Error {
  /**
   * @param {string} message
   * @param {{ status?: number, problem?: import("./api.js").Problem, retryAfter?: number, cause?: unknown }} [told]
   */
  constructor(message, { status = 0, problem, retryAfter, cause } = {}) {
    super(message, { cause });
    this.name = new.target.name;
    this.status = status;
    this.problem = problem;
    this.field = problem?.field ?? undefined;
    this.retryAfter = retryAfter;
  }
}
export class InvalidInputError extends RelembraError {}
export class UnauthorizedError extends RelembraError {}
export class ForbiddenError extends RelembraError {}
export class NotFoundError extends RelembraError {}
export class ConflictError extends RelembraError {}
/** The same is being done just now; ask again. */
export class BusyError extends ConflictError {}
/** Somebody changed it since the version that was named. */
export class StaleError extends RelembraError {}
export class TooManyRequestsError extends RelembraError {}
/** The server cannot be reached, or cannot work for now. */
export class UnavailableError extends RelembraError {}

/** @type {Record<number, typeof RelembraError>} */
const KINDS = {
  400: InvalidInputError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  412: StaleError,
  413: InvalidInputError,
  422: InvalidInputError,
  429: TooManyRequestsError,
  503: UnavailableError,
};

/** @param {Response} response */
async function errorOf(response) {
  const text = await response.text().catch(() => "");
  /** @type {any} */
  let problem;
  try {
    problem = JSON.parse(text);
  } catch {
    problem = undefined;
  }
  const wait = Number(response.headers.get("retry-after") ?? NaN);
  const retryAfter = Number.isFinite(wait) ? wait : undefined;
  const detail = problem?.detail ?? problem?.error?.message ?? `the server answered ${response.status}`;
  let Kind = KINDS[response.status] ?? RelembraError;
  if (Kind === ConflictError && retryAfter !== undefined) Kind = BusyError;
  return new Kind(detail, { status: response.status, problem, retryAfter });
}

/** @param {unknown} error */
const passes = (error) =>
  error instanceof TooManyRequestsError || error instanceof UnavailableError || error instanceof BusyError;

// ── the client ───────────────────────────────────────────────────────────────────────────────────────────────────

export class Client {
  /** @param {import("./index.js").ClientOptions} [options] */
  constructor({ url = HERE, key, user, tenant, attempts = 4, timeoutMs = 30_000, fetch, sleep } = {}) {
    this.url = url.replace(/\/+$/, "");
    this.user = user;
    this.attempts = attempts;
    this.timeoutMs = timeoutMs;
    this.fetch = fetch ?? globalThis.fetch;
    this.sleep = sleep ?? ((ms) => new Promise((done) => setTimeout(done, ms)));
    /** @type {Record<string, string>} */
    this.headers = {};
    if (key) this.headers["Authorization"] = `Bearer ${key}`;
    if (tenant) this.headers["X-Relembra-Tenant"] = tenant;
  }

  /**
   * Call a verb by its name.
   * @param {keyof typeof ROUTES} verb
   * @param {Record<string, unknown>} [given]
   * @param {import("./index.js").CallOptions} [options]
   * @returns {Promise<any>}
   */
  async call(verb, given = {}, { idempotencyKey, version, body, contentType, signal } = {}) {
    const route = ROUTES[verb];
    if (!route) throw new TypeError(`there is no verb ${String(verb)}`);
    const rest = plain({ ...given });
    let path = route.path.replace(/{(\w+)}/g, (_, name) => partOf(rest, name));
    if (route.user && rest.user === undefined && this.user !== undefined) rest.user = this.user;
    const headers = { ...this.headers };
    if (route.once) headers["Idempotency-Key"] = idempotencyKey ?? crypto.randomUUID();
    if (version !== undefined) headers["If-Match"] = `"${version}"`;
    /** @type {BodyInit | undefined} */
    let content = body;
    if (route.body) {
      headers["Content-Type"] = "application/json";
      content = JSON.stringify(rest);
    } else {
      if (body !== undefined) headers["Content-Type"] = contentType ?? "application/json";
      path += queryOf(rest);
    }
    const response = await this.send(path, { method: route.method, headers, body: content, signal });
    return route.file ? response : response.json();
  }

  /**
   * The answer to a request, asked again a few times where that helps.
   * @param {string} path
   * @param {RequestInit} asked
   */
  async send(path, asked) {
    let wait = FIRST_WAIT_MS;
    for (let left = this.attempts; ; left -= 1, wait *= 2) {
      try {
        return await this.once(path, asked);
      } catch (error) {
        const asksFor = error instanceof RelembraError ? error.retryAfter : undefined;
        const pause = asksFor === undefined ? wait : asksFor * 1000;
        if (left <= 1 || !passes(error) || pause > LONGEST_WAIT_MS) throw error;
        await this.sleep(pause);
      }
    }
  }

  /**
   * @param {string} path
   * @param {RequestInit} asked
   * @param {AbortController} [limit]
   */
  async once(path, asked, limit = new AbortController()) {
    const signal = asked.signal ? AbortSignal.any([asked.signal, limit.signal]) : limit.signal;
    const timer = setTimeout(() => limit.abort(), this.timeoutMs);
    let response;
    try {
      response = await this.fetch(this.url + path, { ...asked, signal });
    } catch (error) {
      if (asked.signal?.aborted) throw error;
      throw new UnavailableError("the server cannot be reached; is it running?", { cause: error });
    } finally {
      clearTimeout(timer);
    }
    if (!response.ok) throw await errorOf(response);
    return response;
  }

  /**
   * Every row of a verb that answers in pages.
   * @param {any} verb
   * @param {Record<string, unknown>} [given]
   * @param {import("./index.js").CallOptions} [options]
   */
  async *every(verb, given = {}, options = {}) {
    let after = given.after;
    do {
      const page = await this.call(verb, after === undefined ? given : { ...given, after }, options);
      yield* page.items;
      after = page.next ?? undefined;
    } while (after !== undefined);
  }

  /**
   * What is learnt and changed, as it happens; a connection that breaks is taken up again where it was.
   * @param {import("./index.js").WatchOptions} [options]
   */
  async *watch({ user = this.user, after, signal } = {}) {
    let last = after === undefined ? undefined : String(after);
    let left = this.attempts;
    let wait = FIRST_WAIT_MS;
    for (;;) {
      const quiet = new AbortController();
      let timer = setTimeout(() => quiet.abort(), LONGEST_QUIET_MS);
      try {
        const headers = { ...this.headers, Accept: "text/event-stream", ...(last ? { "Last-Event-ID": last } : {}) };
        const response = await this.once(`/v1/events${queryOf({ user })}`, { headers, signal }, quiet);
        for await (const event of eventsOf(response, () => timer.refresh())) {
          last = event.id || last;
          left = this.attempts;
          wait = FIRST_WAIT_MS;
          yield JSON.parse(event.data);
        }
      } catch (error) {
        if (signal?.aborted) return;
        if (error instanceof RelembraError && !passes(error)) throw error;
        if ((left -= 1) < 1) throw error;
      } finally {
        clearTimeout(timer);
        quiet.abort();
      }
      if (signal?.aborted) return;
      await this.sleep(wait);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  }

  /**
   * The pieces of a model's reply by the memory proxy, as they come.
   * @param {Record<string, unknown>} body
   * @param {import("./index.js").ChatOptions} [options]
   */
  async *chat(body, { conversation, signal } = {}) {
    const headers = { ...this.headers, "Content-Type": "application/json" };
    if (this.user) headers["X-Relembra-User"] = this.user;
    if (conversation) headers["X-Relembra-Conversation"] = conversation;
    const content = JSON.stringify({ ...body, stream: true });
    const asked = { method: "POST", headers, body: content, signal };
    const response = await this.once("/v1/chat/completions", asked);
    for await (const { data } of eventsOf(response)) {
      if (data === "[DONE]") return;
      const piece = JSON.parse(data);
      if (piece.error) throw new RelembraError(String(piece.error.message ?? "the reply broke off"));
      yield piece;
    }
    throw new UnavailableError("the reply broke off before its end");
  }
}

for (const verb of /** @type {(keyof typeof ROUTES)[]} */ (Object.keys(ROUTES))) {
  if (verb in Client.prototype) continue;
  Object.defineProperty(Client.prototype, verb, {
    /** @this {Client} @param {any} given @param {any} options */
    value(given, options) {
      return this.call(verb, given, options);
    },
  });
}

// ── parts ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Without what is undefined or null, moments as text. @param {any} value @returns {any} */
function plain(value) {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([, part]) => part !== undefined && part !== null);
  return Object.fromEntries(kept.map(([name, part]) => [name, plain(part)]));
}

/** @param {Record<string, any>} rest @param {string} name */
function partOf(rest, name) {
  const part = String(rest[name] ?? "");
  delete rest[name];
  if (part.replaceAll(".", "") === "") throw new InvalidInputError(`${name} is needed`);
  return encodeURIComponent(part);
}

/** @param {Record<string, any>} given */
function queryOf(given) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) query.append(name, String(one));
  }
  return query.size ? `?${query}` : "";
}

/**
 * The events of a stream, each once it is whole.
 * @param {Response} response
 * @param {() => void} [alive]
 */
async function* eventsOf(response, alive = () => {}) {
  const decoder = new TextDecoder();
  let rest = "";
  let id = "";
  /** @type {string[]} */
  let data = [];
  for await (const block of /** @type {any} */ (response.body)) {
    alive();
    const lines = (rest + decoder.decode(block, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (line === "" && data.length) {
        yield { id, data: data.join("\n") };
        data = [];
      } else if (field === "data") data.push(value ?? "");
      else if (field === "id") id = value ?? "";
    }
  }
}
