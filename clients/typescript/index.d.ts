// A client for Relembra's HTTP API. The types of what it sends and answers are made from the OpenAPI document.

import type { Entry, Item, Operations, Problem } from "./api.js";

export type * from "./api.js";

export interface ClientOptions {
  /** Where the server is; http://127.0.0.1:8484 if left out. */
  url?: string;
  /** A key of Relembra's (rlb_…), or a token of your identity provider. */
  key?: string;
  /** Whose memory is meant where a call names nobody. */
  user?: string;
  /** For keys of every tenant. */
  tenant?: string;
  /** How often a request is sent at most; 4 if left out. */
  attempts?: number;
  /** How long an answer is waited for; half a minute if left out. */
  timeoutMs?: number;
  /** Instead of the global one. */
  fetch?: typeof globalThis.fetch;
  /** How to wait before another try; for tests. */
  sleep?: (ms: number) => Promise<void>;
}

export interface CallOptions {
  /** A word of yours for this write: sent again with it, it is done once. Every write has one of its own otherwise. */
  idempotencyKey?: string;
  /** The version of an item this change is based on; `StaleError` where it has another by now. */
  version?: number;
  /** What to send as it is, for `import_`. */
  body?: BodyInit;
  /** What that body is; application/json if left out. */
  contentType?: string;
  signal?: AbortSignal;
}

export interface WatchOptions {
  user?: string;
  /** The number of the last change you saw; without it, from now on. */
  after?: number | string;
  /** Ends the stream. */
  signal?: AbortSignal;
}

export interface ChatOptions {
  conversation?: string;
  signal?: AbortSignal;
}

/** One change, as it was recorded. */
export interface Change {
  number: number;
  entry: Entry;
  item: Item | null;
}

/** A piece of a chat completion, as OpenAI's protocol has it. */
export interface ChatPiece {
  choices: { delta: { content?: string | null; role?: string }; finish_reason?: string | null }[];
  [name: string]: unknown;
}

export interface ChatBody {
  model?: string;
  messages: { role: string; content: unknown }[];
  [name: string]: unknown;
}

/** The verbs that answer in pages, and what each has rows of. */
export type Paged = {
  [Name in keyof Operations]: Operations[Name]["answer"] extends { items: unknown[]; next: string | null }
    ? Name
    : never;
}[keyof Operations];

type Given<Name extends keyof Operations> = Operations[Name]["given"];
type Answer<Name extends keyof Operations> = Operations[Name]["answer"];
type Row<Name extends Paged> = Answer<Name> extends { items: (infer One)[] } ? One : never;

/** A verb may be called without anything where all it takes may be left out. */
type Call<Name extends keyof Operations> = {} extends Given<Name>
  ? (given?: Given<Name>, options?: CallOptions) => Promise<Answer<Name>>
  : (given: Given<Name>, options?: CallOptions) => Promise<Answer<Name>>;

type Verbs = { [Name in Exclude<keyof Operations, "watch">]: Call<Name> };

export interface Client extends Verbs {
  /** Call a verb by its name. */
  call<Name extends keyof Operations>(
    verb: Name, given?: Given<Name>, options?: CallOptions,
  ): Promise<Answer<Name>>;
  /** Every row of a verb that answers in pages, asked for page by page. */
  every<Name extends Paged>(verb: Name, given?: Given<Name>, options?: CallOptions): AsyncGenerator<Row<Name>, void>;
  /** What is learnt and changed, as it happens; a connection that breaks is taken up again where it was. */
  watch(options?: WatchOptions): AsyncGenerator<Change, void>;
  /** The pieces of a model's reply by the memory proxy, as they come. */
  chat(body: ChatBody, options?: ChatOptions): AsyncGenerator<ChatPiece, void>;
}

export const Client: { new (options?: ClientOptions): Client };

/** Whatever a server did not do, in its own words: `problem` is its answer (RFC 9457). */
export class RelembraError extends Error {
  /** The HTTP status; 0 where there was no answer. */
  readonly status: number;
  readonly problem?: Problem;
  /** What was given wrongly, where that is known. */
  readonly field?: string;
  /** How many seconds the server asks to wait. */
  readonly retryAfter?: number;
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
