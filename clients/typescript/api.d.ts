// Made from the API's OpenAPI document by generate.py; do not edit.

export type ActionKind = "merge" | "fade" | "archive" | "raise" | "lower" | "archive_note" | "condense";

export interface AddBody {
  /** What is to be known, in a sentence. */
  content: string;
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** The guild, team or group it is about; in private if left out. */
  space?: string | null;
  /** A channel of the space; its general one if left out. */
  channel?: string | null;
  /** Who does this: person:NAME, program:NAME or model:NAME; the person if left out. */
  by?: string | null;
  /** What kind of thing it is; read from the words if left out, else a fact. */
  type?: KnowledgeType | null;
  /** The area of life it belongs to. */
  area?: LifeArea | null;
  /** A part of the area. */
  sub_area?: string | null;
  /** The title. */
  title?: string | null;
  /** Whom it is about; read from the words if left out, else the person. */
  subject?: string | null;
  /** residence, employment, weight, …: a new value ends the older; read from the words if left out. */
  attribute?: string | null;
  /** The attribute's value. */
  value?: string | null;
  /** How it came to be known; by hand from the person if left out. */
  source?: Source | null;
  /** How sure it is. */
  confidence?: number | null;
  /** How much it matters. */
  weight?: number | null;
  /** From 1 to 10; 8 for what happened and 6 for the rest if left out. */
  priority?: number | null;
  /** Words to find it by. */
  tags?: string[] | null;
  /** Ids of items it is connected to. */
  related?: string[] | null;
  /** What it was concluded from. */
  evidence?: string | null;
  /** Ids of messages it was learnt from. */
  message_ids?: string[] | null;
  /** Since when it is so; now if left out. */
  held_from?: string | null;
  /** When it ends by itself. */
  expires_at?: string | null;
  /** Never shown to a model on another machine. */
  local_only?: boolean | null;
}

/** Make many things known, some hundred to a transaction; each batch is kept whole or not at all. */
export interface AddMany {
  items: Item[];
}

export interface AddManyBody {
  /** What is to be known. */
  drafts: Draft[];
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** The guild, team or group it is about; in private if left out. */
  space?: string | null;
  /** A channel of the space; its general one if left out. */
  channel?: string | null;
  /** Who does this: person:NAME, program:NAME or model:NAME; the person if left out. */
  by?: string | null;
}

export interface AppointmentBody {
  /** Whom it is with; the next one known of if left out. */
  profession?: string | null;
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** When it is. */
  at?: string | null;
  /** The language to answer in. */
  language?: string | null;
  /** Who does this: person:NAME, program:NAME or model:NAME; the person if left out. */
  by?: string | null;
}

export interface ArchiveBody {
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** Who does this: person:NAME, program:NAME or model:NAME; the person if left out. */
  by?: string | null;
}

/** A day that comes round each year; the year of birth is often not known. */
export interface Birthday {
  month: number;
  day: number;
  year?: number | null;
}

/** A person blocked, a space switched off, or all spaces that were not switched on by name (called `*`). */
export interface Block {
  kind: BlockKind;
  name: string;
  since: string | null;
  by_settings: boolean;
}

export interface BlockBody {
  /** Their name, in any case, with or without accents. */
  person: string;
}

/** What is blocked. */
export type BlockKind = "person" | "space" | "spaces" | "space_on";

/** Everybody who is blocked and every space that is switched off: people first, each by name. */
export interface Blocks {
  items: Block[];
}

export interface CallToolBody {
  /** What the model gave, as it gave it. */
  arguments?: Record<string, unknown> | string | null;
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** The guild, team or group it is about; in private if left out. */
  space?: string | null;
  /** A channel of the space; its general one if left out. */
  channel?: string | null;
  /** Who does this: person:NAME, program:NAME or model:NAME; the person if left out. */
  by?: string | null;
  /** The language to answer in. */
  language?: string | null;
  /** For a model on another machine: what is marked local-only is left out. */
  outside?: boolean | null;
}

/** Two items that could not both be current. It names them and never quotes them. */
export interface Case {
  id: string;
  tenant: string;
  user: string;
  space: string | null;
  channel: string;
  old_id: string;
  new_id: string;
  judged_by: string;
  why: string;
  certainty: number;
  outcome: Outcome;
  settled_by: string | null;
  change: string | null;
  asked: number;
  asked_at: string | null;
  opened_at: string;
  settled_at: string | null;
  version: number;
}

/** How the person is: preferences, habits and patterns with their confidence and how often they showed. */
export interface Cognitive {
  traits: Trait[];
}

/** The answer to a command: which one it was, what to say, and what it speaks of. */
export interface CommandAnswer {
  items: Item[];
  done: boolean;
  name: string | null;
  text: string | null;
}

export interface CommandBody {
  /** What is said. */
  text: string;
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** The guild, team or group it is about; in private if left out. */
  space?: string | null;
  /** A channel of the space; its general one if left out. */
  channel?: string | null;
  /** The language to answer in. */
  language?: string | null;
  /** For a model on another machine: what is marked local-only is left out. */
  outside?: boolean | null;
}

/** A case with both its sides as they are now; a side that was forgotten would have taken the case along. */
export interface Conflict {
  id: string;
  tenant: string;
  user: string;
  space: string | null;
  channel: string;
  old_id: string;
  new_id: string;
  judged_by: string;
  why: string;
  certainty: number;
  outcome: Outcome;
  settled_by: string | null;
  change: string | null;
  asked: number;
  asked_at: string | null;
  opened_at: string;
  settled_at: string | null;
  version: number;
  old: Item;
  new: Item;
}

/** The case file, newest first: both sides, who or what judged, why, and how it ended. */
export interface Conflicts {
  items: Conflict[];
  next: string | null;
}

/** Do a person's night work now; its record, or None where nothing was said since the last. */
export interface Consolidate {
  run: Run | null;
}

export interface ConsolidateBody {
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
}

/** The records of night work, newest first: a person's, a space's, or of everyone in every tenant. */
export interface Consolidations {
  items: Run[];
  next: string | null;
}

/** The block to put before the assistant, and what it was made of. */
export interface Context {
  text: string;
  tokens: number;
  budget: number;
  language: string;
  format: string;
  hits: Hit[];
  notes: NoteHit[];
  earlier: MessageHit[];
  recent: Message[];
  profiles: string[];
  cut: number;
  shares: Record<string, Share>;
  summary: string | null;
  told: string[];
  question: Question | null;
  insight: Item | null;
}

/** A thread of messages of one person, under an id they or their program chose. */
export interface Conversation {
  id: string;
  tenant: string;
  user: string;
  space: string | null;
  channel: string;
  title: string;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
  version: number;
}

/** Conversations of a person, or of everybody in the tenant, last used first. */
export interface Conversations {
  items: Conversation[];
  next: string | null;
}

export interface CorrectBody {
  /** What is right. */
  content: string;
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** The reason. */
  why?: string | null;
  /** Who does this: person:NAME, program:NAME or model:NAME; the person if left out. */
  by?: string | null;
}

/** How many items there are, in all and of each kind; what there is none of is left out. */
export interface Counts {
  total: number;
  areas: Record<string, number>;
  types: Record<string, number>;
  sources: Record<string, number>;
  levels: Record<string, number>;
  validated: number;
  unresolved: number;
}

export interface CreateKeyBody {
  /** What you know it by. */
  name: string;
  /** Each allows what those before it do. */
  right?: Right | null;
  /** Bound to this person; any person of the tenant if left out. */
  user?: string | null;
  /** When it ends; if left out, when it is revoked. */
  expires_at?: string | null;
  /** An operator's key; only an operator may make one. */
  every_tenant?: boolean | null;
}

export interface Draft {
  /** What is to be known, in a sentence. */
  content: string;
  /** What kind of thing it is; read from the words if left out, else a fact. */
  type?: KnowledgeType | null;
  /** The area of life it belongs to. */
  area?: LifeArea | null;
  /** A part of the area. */
  sub_area?: string | null;
  /** The title. */
  title?: string | null;
  /** Whom it is about; read from the words if left out, else the person. */
  subject?: string | null;
  /** residence, employment, weight, …: a new value ends the older; read from the words if left out. */
  attribute?: string | null;
  /** The attribute's value. */
  value?: string | null;
  /** How it came to be known; by hand from the person if left out. */
  source?: Source | null;
  /** How sure it is. */
  confidence?: number | null;
  /** How much it matters. */
  weight?: number | null;
  /** From 1 to 10; 8 for what happened and 6 for the rest if left out. */
  priority?: number | null;
  /** Words to find it by. */
  tags?: string[] | null;
  /** Ids of items it is connected to. */
  related?: string[] | null;
  /** What it was concluded from. */
  evidence?: string | null;
  /** Ids of messages it was learnt from. */
  message_ids?: string[] | null;
  /** Since when it is so; now if left out. */
  held_from?: string | null;
  /** When it ends by itself. */
  expires_at?: string | null;
  /** Never shown to a model on another machine. */
  local_only?: boolean | null;
}

/** One row's change within a change. Entries of one verb share a `change` and are undone together. */
export interface Entry {
  id: string;
  change: string;
  tenant: string;
  user: string;
  at: string;
  verb: string;
  target: Target;
  target_id: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  why: string | null;
  undoes: string | null;
  actor: string;
}

/** Work that was tried and is not done, among the thousand pieces due first; the `error` of each says why. */
export interface FailedJobs {
  items: Job[];
}

/** Look for patterns in what a person said, now; the record of it. */
export interface FindInsights {
  run: Run;
}

export interface FindInsightsBody {
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
}

/** What of a question a row answers beside its words and meaning. */
export type Focus = "name" | "time" | "note" | "topic" | "kind" | "speaker";

/** What would become of one thing a text says: `verdict` is add, repeat, replace, history or ask. */
export interface Foreseen {
  item: Item;
  verdict: string;
  against: Item[];
  why: string;
}

export interface ForgetBody {
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** The id of an item. */
  item?: string | null;
  /** The id of a conversation; what only it taught goes as well. */
  conversation?: string | null;
  /** Everything of the person. */
  all?: boolean | null;
  /** Change nothing, and say what would change. */
  dry_run?: boolean | null;
}

export type Format = "jsonl" | "json" | "markdown" | "notes" | "vault" | "mem0" | "csv";

/** Merge, fade, archive and condense a person's memory now; the record of it. */
export interface Garden {
  run: Run;
}

/** One thing the gardener does, and why: in plain English, and as a rule and numbers for whoever words it. */
export interface GardenAction {
  kind: ActionKind;
  ids: string[];
  shown: string;
  why: string;
  rule: string;
  numbers: Record<string, number>;
  before: string | null;
  after: string | null;
}

export interface GardenBody {
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
}

/** What the gardener would do now and why, without doing it. */
export interface GardenPlan {
  deeds: GardenAction[];
}

/** The receipt of forgetting: how many rows went from where. Places with nothing are listed as 0. */
export interface Gone {
  erased: boolean;
  notes: string[];
  dry_run: boolean;
  forgotten: Record<string, number>;
  total: number;
}

/** An item's line through time: what it replaced (oldest first), what replaced it, and every recorded change. */
export interface History {
  item: Item;
  predecessors: Item[];
  successor: Item | null;
  trail: Entry[];
}

/** A knowledge item that answers, how well, and why. */
export interface Hit {
  item: Item;
  score: number;
  why: Why;
}

/** A question, or the last thing said, as recall needs it. Empty and None: it does not tell. */
export interface Inquiry {
  text: string;
  language?: string | null;
  core: string;
  is_small_talk?: boolean;
  is_task?: boolean;
  names?: string[];
  speakers?: string[];
  voiced?: string | null;
  mentions?: string[];
  period?: PeriodOutput | null;
  topics?: string[];
  about?: string | null;
  types?: KnowledgeType[];
  areas?: LifeArea[];
  attributes?: string[];
  ties?: string[];
  role?: Role | null;
  weights?: Record<string, number>;
  past?: boolean;
  ordered?: boolean;
}

/** The patterns found so far that may be heard in a place, the surest first. */
export interface Insights {
  items: Item[];
}

/** Something held true, where it came from, how sure it is, since when, until when, and what replaced it. */
export interface Item {
  id: string;
  tenant: string;
  user: string;
  space: string | null;
  channel: string;
  type: KnowledgeType;
  area: LifeArea | null;
  sub_area: string | null;
  subject: string;
  speaker: string | null;
  attribute: string | null;
  value: string | null;
  title: string;
  content: string;
  language: string | null;
  source: Source;
  note_id: string | null;
  message_ids: string[];
  evidence: string | null;
  confidence: number;
  weight: number;
  priority: number;
  validated: boolean;
  needs_resolution: boolean;
  related: string[];
  tags: string[];
  person: Record<string, string>;
  observations: number;
  accesses: number;
  last_access: string | null;
  held_from: string;
  held_until: string | null;
  superseded_by: string | null;
  superseded_at: string | null;
  expires_at: string | null;
  archived_at: string | null;
  deleted_at: string | null;
  created_at: string;
  updated_at: string;
  reinforced_at: string | null;
  weighed_at: string | null;
  zone: string;
  local_only: boolean;
  version: number;
}

/** What comes first; among equals the id decides. */
export type ItemOrder = "newest" | "oldest" | "surest" | "unsure" | "changed";

/** What was decided about an item, or is still to be. */
export type ItemState = "confirmed" | "unconfirmed" | "questioned" | "deleted" | "local";

/** One piece of work: ids, never text, so that forgetting has less to chase. A finished job is gone. */
export interface Job {
  id: string;
  kind: string;
  payload: Record<string, unknown>;
  due_at: string;
  created_at: string;
  state: JobState;
  attempts: number;
  lease_until: string | null;
  error: string | null;
  key: string | null;
  tenant: string;
  user: string | null;
  space?: string | null;
}

/** Whether the job is done; else the job with its error. */
export interface JobDone {
  done: boolean;
  left: Job | null;
}

export type JobState = "waiting" | "running" | "dead";

/** Work that waits, is under way or was given up, the next due first; everyone's or one person's. */
export interface Jobs {
  items: Job[];
}

export interface KeepLocalBody {
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** False: models on other machines may see it again. */
  local?: boolean | null;
  /** Who does this: person:NAME, program:NAME or model:NAME; the person if left out. */
  by?: string | null;
}

export type Kept = "new" | "old" | "both" | "neither";

/** What is known of a key without its secret. */
export interface Key {
  id: string;
  tenant: string;
  user: string | null;
  name: string;
  prefix: string;
  right: Right;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
}

/** All keys ever made and not forgotten, newest first; those of one tenant, or of all with the operators'. */
export interface Keys {
  items: Key[];
}

/** What a searchable row is. */
export type Kind = "item" | "message" | "note";

export type KnowledgeType = "fact" | "preference" | "memory" | "insight" | "person" | "goal" | "emotion";

export interface LearnBody {
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** The guild, team or group it is about; in private if left out. */
  space?: string | null;
  /** A channel of the space; its general one if left out. */
  channel?: string | null;
}

/** What came of one stretch of talk. */
export interface Learnt {
  added: Item[];
  repeated: Item[];
  opened: Case[];
  unread: number;
  waiting: number;
  why: string | null;
  replaced: Item[];
  settled: Conflict[];
}

/** A row that stays as it is, or goes back only part of the way, since it was changed by others meanwhile. */
export interface Left {
  target: Target;
  id: string;
  why: string;
}

export type LifeArea = "health" | "finance" | "relationships" | "career" | "growth" | "leisure" | "spirituality" | "mental_health";

/** One thing known, where it was learnt, and how sure it is; `about`: what is known of the person it names. */
export interface Line {
  text: string;
  item_id: string;
  note_id: string | null;
  note_title: string | null;
  date: string;
  confidence: number;
  validated: boolean;
  needs_resolution: boolean;
  about?: Line[];
}

/** That an account of another program is this person's: whatever it says there is theirs. */
export interface Link {
  tenant: string;
  channel: string;
  id: string;
  user: string;
  created_at: string;
}

export interface LinkBody {
  /** Which program the account is of. */
  channel: string;
  /** The account's id there. */
  id: string;
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** What the account said so far becomes theirs as well. */
  bring?: boolean | null;
}

/** Whose an account is; None: nobody's. */
export interface Linked {
  user: string | null;
}

/** Accounts and whose they are, by channel: a person's, or everybody's of the tenant. */
export interface Links {
  items: Link[];
}

/** What is known, newest first; or the oldest, surest, unsure (the least sure) or last changed first. */
export interface List {
  items: Item[];
  next: string | null;
}

export interface LoadBody {
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** What is asked; the last thing said if left out. */
  query?: string | null;
  /** At most this many tokens. */
  budget?: number | null;
  /** The conversation at hand. */
  conversation?: string | null;
  /** The guild, team or group it is about; in private if left out. */
  space?: string | null;
  /** A channel of the space; its general one if left out. */
  channel?: string | null;
  /** The language to answer in. */
  language?: string | null;
  /** markdown, xml or chat. */
  format?: string | null;
  /** Who speaks in the space, beside those heard there lately. */
  speakers?: string[] | null;
  /** Who is mentioned. */
  mentioned?: string[] | null;
  /** What was believed at that moment. */
  as_of?: string | null;
  /** What was true at that moment. */
  true_at?: string | null;
  /** What is not held any more as well. */
  history?: boolean | null;
  /** Pass over this one. */
  skip?: boolean | null;
  /** For a model on another machine: what is marked local-only is left out. */
  outside?: boolean | null;
}

/** What an assistant should always know about a person; every list has the most important first. */
export interface Me {
  name: string;
  pronouns: string | null;
  age: number | null;
  location: string | null;
  occupation: string | null;
  family_context: string | null;
  health: string[];
  current_goals: string[];
  current_challenges: string[];
  top_of_mind: string[];
  values: string[];
  communication_style: string | null;
  timezone: string | null;
  learnt_patterns: string[];
  language: string;
  version: number;
  made_at: string;
  last_consolidated_at: string | null;
  text: string;
}

/** One utterance, verbatim, in the memory of the person it was said by or to. */
export interface Message {
  id: string;
  tenant: string;
  user: string;
  conversation: string;
  role: Role;
  author: string;
  text: string;
  sent_at: string;
  zone: string;
  space: string | null;
  channel: string;
  external_id: string | null;
  metadata: Record<string, string>;
  saved_at: string;
  deleted_at: string | null;
}

/** A message that answers, how well, and why; `excerpt`: the words of it that matter, all of a short one's. */
export interface MessageHit {
  message: Message;
  score: number;
  why: Why;
  excerpt: string;
}

/** What was said, newest first. */
export interface Messages {
  items: Message[];
  next: string | null;
}

/** What is known in its shortest form: i, t, c, w, d. */
export interface Minified {
  items: Short[];
}

/** Why a row that matched is not among what was recalled. */
export type Miss = "deleted" | "elsewhere" | "unknown then" | "untrue then" | "superseded" | "archived" | "expired" | "outdone" | "filtered" | "shown" | "told" | "unsure" | "weak" | "outranked" | "cut";

/** A row that matched and was left out. */
export interface Missed {
  miss: Miss;
  score: number;
  why: Why;
  kind: Kind;
  item?: Item | null;
  note?: Note | null;
  message?: Message | null;
}

/** How many rows have no vector of the embedder in use, which `reindex` would give them. Counts everything. */
export interface MissingVectors {
  count: number;
}

/** Something that happened: a note or an event, one of them. */
export interface Moment {
  at: string;
  note: Note | null;
  item: Item | null;
}

/** A key just made, with the secret that is shown this once. */
export interface NewKey {
  key: Key;
  secret: string;
}

/** What happened in a stretch of talk, and the messages or notes it is made of. */
export interface Note {
  id: string;
  tenant: string;
  user: string;
  space: string | null;
  channel: string;
  conversation: string | null;
  kind: NoteKind;
  title: string;
  summary: string;
  participants: string[];
  message_ids: string[];
  note_ids: string[];
  accesses: number;
  last_access: string | null;
  happened_at: string;
  created_at: string;
  archived_at: string | null;
  deleted_at: string | null;
  version: number;
}

/** A note that answers, how well, and why. */
export interface NoteHit {
  note: Note;
  score: number;
  why: Why;
}

export type NoteKind = "conversation" | "topic_cluster" | "session" | "appointment" | "weekly" | "monthly" | "document" | "journal" | "event";

/** What happened, newest first: of a space or channel, or in private one's own and those one took part in. */
export interface Notes {
  items: Note[];
  next: string | null;
}

/** Models other than the one in use that left vectors here, which `reindex` would replace. */
export interface OtherModels {
  models: string[];
}

export type Outcome = "open" | "new" | "old" | "both" | "neither" | "undone";

/** Steps without gaps, the oldest first. */
export interface OverTime {
  step: string;
  zone: string;
  steps: Step[];
}

/** The people and pets in the person's life, the closest first, with what is known of each. */
export interface People {
  people: Person[];
}

export type PeriodInput = "weekly" | "monthly";

/** A stretch of time named in a question, from `start` up to, not including, `end`, both in UTC. */
export interface PeriodOutput {
  start: string;
  end: string;
  text: string;
  precise: boolean;
}

/** Someone in the owner's life: their name (or the tie, while no one said one), and all that is held of them. */
export interface Person {
  name: string;
  relation: string | null;
  facts: string[];
  birthday: Birthday | null;
  closeness: string;
  items: string[];
}

/** What would be learnt from a text; `unread`: it took too long to read, so nothing can be said of it. */
export interface Preview {
  foreseen: Foreseen[];
  unread: boolean;
}

export interface PreviewBody {
  /** What is said. */
  text: string;
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** When it was said, on the speaker's own clock; now if left out. */
  at?: string | null;
  /** Who said it, if not the person. */
  author?: string | null;
  /** The guild, team or group it is about; in private if left out. */
  space?: string | null;
  /** A channel of the space; its general one if left out. */
  channel?: string | null;
}

/** What was wrong and what to do (RFC 9457). */
export interface Problem {
  /** about:blank; the status says which kind it is. */
  type: string;
  title: string;
  status: number;
  /** What was wrong and what to do. */
  detail: string;
  /** Which part of the request it is about. */
  field?: string | null;
  /** Everything that does not fit the document. */
  errors?: Record<string, string>[] | null;
}

/** Who a person is by their own words: six sections, the most important line of each first. */
export interface Profile {
  name: string;
  language: string;
  made_at: string;
  bio: Line[];
  interests: Line[];
  skills: Line[];
  opinions: Line[];
  relationships: Line[];
  other: Line[];
  text: string;
}

/** What to ask the person, and the case the answer settles. */
export interface Question {
  text: string;
  case: string;
}

export type RankingName = "default" | "companion" | "work";

export interface RecallBody {
  /** What is asked. */
  query: string;
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** At most this many. */
  limit?: number | null;
  /** Only rows of these kinds. */
  kinds?: Kind[] | null;
  /** The guild, team or group it is about; in private if left out. */
  space?: string | null;
  /** A channel of the space; its general one if left out. */
  channel?: string | null;
  /** For a model on another machine: what is marked local-only is left out. */
  outside?: boolean | null;
  /** Only of these types. */
  type?: KnowledgeType[] | null;
  /** Only of these areas of life; none: of no area. */
  area?: ("health" | "finance" | "relationships" | "career" | "growth" | "leisure" | "spirituality" | "mental_health" | "none")[] | null;
  /** Only of this part of an area, like allergies or tastes. */
  sub_area?: string | null;
  /** Only learnt this way. */
  source?: Source[] | null;
  /** Only with all of these tags. */
  tags?: string[] | null;
  /** Only about this person or thing; self: the owner of the memory. */
  subject?: string | null;
  /** Only of this attribute, like residence or employment. */
  attribute?: string | null;
  /** Only at least this sure. */
  confidence?: number | null;
  /** Only less sure than this. */
  below?: number | null;
  /** Learnt at or after. */
  since?: string | null;
  /** Learnt before. */
  until?: string | null;
  /** What was believed at that moment. */
  as_of?: string | null;
  /** What was true at that moment. */
  true_at?: string | null;
  /** Only learnt in the note of this id. */
  note?: string | null;
  /** Only what was learnt, said or noted in this space, as far as it may be heard. */
  from_space?: string | null;
  /** Only of this channel, as `from_space`. */
  from_channel?: string | null;
  /** Only those confirmed by the person, unconfirmed, questioned (with an open question), deleted or local. */
  only?: ItemState | null;
  /** What is not held any more as well. */
  history?: boolean | null;
  /** What was deleted as well. */
  deleted?: boolean | null;
}

/** What a question brought back, each list best first. Conversations are ranked by all their messages. */
export interface Recalled {
  query: string;
  inquiry: Inquiry;
  items: Hit[];
  notes: NoteHit[];
  messages: MessageHit[];
  conversations: string[];
}

export interface RecoverBody {
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** Who does this: person:NAME, program:NAME or model:NAME; the person if left out. */
  by?: string | null;
}

/** A file nothing was taken from, and what is wrong with it. */
export interface Refused {
  file: string;
  why: string;
  kind?: string | null;
}

/** Give every row a vector of the embedder in use; may be interrupted and goes on where it stopped. */
export interface Reindex {
  count: number;
}

/** Items connected to one: those it names, then the nearest by meaning and words. */
export interface Related {
  hits: Hit[];
}

export interface RenameConversationBody {
  /** The title. */
  title: string;
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** Who does this: person:NAME, program:NAME or model:NAME; the person if left out. */
  by?: string | null;
}

export interface ReopenBody {
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** Who does this: person:NAME, program:NAME or model:NAME; the person if left out. */
  by?: string | null;
}

/** The report of the week or month a day lies in, written now; None: nothing happened in it. */
export interface Report {
  note: Note | null;
}

export interface ReportBody {
  /** weekly (the default) or monthly. */
  kind?: PeriodInput | null;
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** A day of the week or month; of the last one that is over if left out. */
  day?: string | null;
  /** The language to answer in. */
  language?: string | null;
  /** Who does this: person:NAME, program:NAME or model:NAME; the person if left out. */
  by?: string | null;
}

export interface ResolveBody {
  /** Which side is right. */
  keep: Kept;
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** Who does this: person:NAME, program:NAME or model:NAME; the person if left out. */
  by?: string | null;
}

export interface RestoreBody {
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** Who does this: person:NAME, program:NAME or model:NAME; the person if left out. */
  by?: string | null;
}

/** Retry jobs that were given up; how many there were. */
export interface Retry {
  count: number;
}

/** What a key allows; each allows what those before it do. */
export type Right = "read" | "write" | "admin";

export type Role = "user" | "assistant" | "system";

export interface RollbackBody {
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** A space as a whole, instead of a person. */
  space?: string | null;
  /** Who does this: person:NAME, program:NAME or model:NAME; the person if left out. */
  by?: string | null;
}

/** What a rollback did: rows that are as they were before, rows that were left, and the change it is itself. */
export interface RolledBack {
  run: Run;
  restored: string[];
  left: Left[];
  change: string | null;
}

/** What let a row through. */
export type Rule = "current" | "history" | "as of" | "true at" | "archive" | "said";

/** One night's work of one kind for one person or space. It holds ids and counts; words only in `raw`. */
export interface Run {
  id: string;
  kind: RunKind;
  night: string | null;
  since: string | null;
  until: string;
  status: RunStatus;
  tally: Tally;
  changes: string[];
  memory_before: number | null;
  memory_after: number | null;
  memory_updates: string[];
  model_calls: number;
  input_tokens: number;
  output_tokens: number;
  error: string | null;
  started_at: string;
  finished_at: string | null;
  version: number;
  seconds: number | null;
  tenant: string;
  user: string | null;
  space?: string | null;
  raw?: string | null;
}

/** A record with every change it accounts for, in the order they were made. */
export interface RunDetail {
  id: string;
  kind: RunKind;
  night: string | null;
  since: string | null;
  until: string;
  status: RunStatus;
  tally: Tally;
  changes: string[];
  memory_before: number | null;
  memory_after: number | null;
  memory_updates: string[];
  model_calls: number;
  input_tokens: number;
  output_tokens: number;
  error: string | null;
  started_at: string;
  finished_at: string | null;
  version: number;
  seconds: number | null;
  tenant: string;
  user: string | null;
  space?: string | null;
  raw?: string | null;
  entries: Entry[];
}

export type RunKind = "consolidation" | "clustering" | "gardening" | "insight" | "report";

export type RunStatus = "running" | "completed" | "partial" | "failed" | "rolled_back";

export interface SaveBody {
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** What the person said. */
  said?: string | null;
  /** What the assistant replied. */
  replied?: string | null;
  /** A list instead, as chat programs hold it, all kept or none: role (user, assistant, system, tool), content (text or parts; texts are kept, and recordings and pictures in base64 in words where the settings say what reads them), and where you have them name, at or created_at, and id. */
  messages?: Record<string, unknown>[] | null;
  /** When it was said, on the speaker's own clock; now if left out. */
  at?: string | null;
  /** The conversation; the place's own if left out, and one of its own for a journal entry. */
  conversation?: string | null;
  /** The guild, team or group it is about; in private if left out. */
  space?: string | null;
  /** A channel of the space; its general one if left out. */
  channel?: string | null;
  /** Your id of it: the same one saved twice is one message. */
  external_id?: string | null;
  /** Who said it, if not the person. */
  author?: string | null;
  /** How an app shows whoever said it; used to address them until they state a name. */
  author_name?: string | null;
  /** A program said it, so nothing is learnt from it. */
  program?: boolean | null;
  /** Pass over this one. */
  skip?: boolean | null;
  /** talk (the default), or journal: an entry of the person's diary. */
  kind?: SavedKind | null;
  /** Words of yours, kept with it. */
  metadata?: Record<string, string> | null;
}

/** What a save stored; `new` is False when the external id had been saved before. */
export interface Saved {
  conversation: string;
  messages: Message[];
  new: boolean;
  refused: relembra__ingest__intake__Refusal | null;
  left_out: string[];
}

/** What is saved: talk, or a diary entry, which is the person's own telling. */
export type SavedKind = "talk" | "journal";

/** The items that answer best by meaning and by words, each with its score and why. */
export interface Search {
  hits: Hit[];
}

export interface SearchBody {
  /** What is asked. */
  query: string;
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** At most this many. */
  limit?: number | null;
  /** The guild, team or group it is about; in private if left out. */
  space?: string | null;
  /** A channel of the space; its general one if left out. */
  channel?: string | null;
  /** For a model on another machine: what is marked local-only is left out. */
  outside?: boolean | null;
  /** Only of these types. */
  type?: KnowledgeType[] | null;
  /** Only of these areas of life; none: of no area. */
  area?: ("health" | "finance" | "relationships" | "career" | "growth" | "leisure" | "spirituality" | "mental_health" | "none")[] | null;
  /** Only of this part of an area, like allergies or tastes. */
  sub_area?: string | null;
  /** Only learnt this way. */
  source?: Source[] | null;
  /** Only with all of these tags. */
  tags?: string[] | null;
  /** Only about this person or thing; self: the owner of the memory. */
  subject?: string | null;
  /** Only of this attribute, like residence or employment. */
  attribute?: string | null;
  /** Only at least this sure. */
  confidence?: number | null;
  /** Only less sure than this. */
  below?: number | null;
  /** Learnt at or after. */
  since?: string | null;
  /** Learnt before. */
  until?: string | null;
  /** What was believed at that moment. */
  as_of?: string | null;
  /** What was true at that moment. */
  true_at?: string | null;
  /** Only learnt in the note of this id. */
  note?: string | null;
  /** Only what was learnt, said or noted in this space, as far as it may be heard. */
  from_space?: string | null;
  /** Only of this channel, as `from_space`. */
  from_channel?: string | null;
  /** Only those confirmed by the person, unconfirmed, questioned (with an open question), deleted or local. */
  only?: ItemState | null;
  /** What is not held any more as well. */
  history?: boolean | null;
  /** What was deleted as well. */
  deleted?: boolean | null;
}

/** Finish all background work that is due now; how many jobs there were. */
export interface Settle {
  count: number;
}

export interface SettleBody {
  /** Learn from what was just said too, without waiting for quiet. */
  flush?: boolean | null;
}

/** How much of a context a part has: its tokens (about), its lines, and how many of its lines did not fit. */
export interface Share {
  tokens: number;
  lines: number;
  cut: number;
}

/** Id, type, content, weight, and since when. */
export interface Short {
  i: string;
  t: string;
  c: string;
  w: number;
  d: string;
}

export type Source = "conversation" | "user_input" | "ai_inference" | "import";

/** The messages an item was learnt from, oldest first. */
export interface Sources {
  items: Message[];
}

/** Whether anything is kept and recalled in a space. */
export interface Space {
  name: string;
  on: boolean;
  by_settings: boolean;
}

/** Every space anything was said in or that was switched on or off, by name. */
export interface Spaces {
  items: Space[];
}

export interface StartConversationBody {
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** An id of yours; a new one if left out. */
  id?: string | null;
  /** The title. */
  title?: string | null;
  /** The guild, team or group it is about; in private if left out. */
  space?: string | null;
  /** A channel of the space; its general one if left out. */
  channel?: string | null;
  /** Who does this: person:NAME, program:NAME or model:NAME; the person if left out. */
  by?: string | null;
}

/** How much is held. `vectors`: rows that have some, by model name. */
export interface Stats {
  people: number;
  conversations: number;
  messages: number;
  notes: number;
  items: Record<string, number>;
  items_by_type: Record<string, number>;
  items_by_area: Record<string, number>;
  vectors: Record<string, number>;
  jobs: Record<string, number>;
  bytes: number;
}

/** What came and went in a day, week or month. */
export interface Step {
  start: string;
  learnt: Record<string, number>;
  ended: number;
  archived: number;
  deleted: number;
  faded: number;
  moods: Record<string, number>;
}

export type Stride = "day" | "week" | "month";

export interface SwitchSpaceBody {
  /** The guild, team or group it is about; in private if left out. */
  space: string;
  /** Whether anything is kept and recalled there. */
  on: boolean;
}

/** Listen in every space, or only in those that are switched on by name; how all then stand. */
export interface SwitchSpaces {
  spaces: Space[];
}

export interface SwitchSpacesBody {
  /** Whether anything is kept and recalled in spaces that were not switched on by name. */
  on: boolean;
}

/** What an import did, or would do. */
export interface TakenIn {
  added: Record<string, number>;
  skipped: number;
  conflicts: [string, string][];
  conflicted: number;
  left_out: number;
  why: Record<string, number>;
  people: string[];
  dry_run: boolean;
  formats: string[];
  talks: number;
  by: Record<string, number>;
  me: string[];
  first: string | null;
  last: string | null;
  refused: Refused[];
  left_alone: number;
  total: number;
}

/** How much a run did. */
export interface Tally {
  messages?: number;
  created?: number;
  updated?: number;
  superseded?: number;
  merged?: number;
  faded?: number;
  archived?: number;
  inferences?: number;
  notes?: number;
}

export type Target = "item" | "conversation" | "note";

/** A conversation with a page of what was said in it, newest first; `next`: where the page behind it begins. */
export interface Thread {
  id: string;
  tenant: string;
  user: string;
  space: string | null;
  channel: string;
  title: string;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
  version: number;
  messages: Message[];
  next: string | null;
}

/** What happened, newest first: notes, and events, which are items of type `memory` or about something that takes place (an event, meeting, deadline, contract, a goal achieved or dropped). */
export interface Timeline {
  items: Moment[];
  next: string | null;
}

/** What the tool answers, for the model that called it. */
export type ToolAnswer = Record<string, unknown>;

export type ToolFormat = "openai" | "anthropic" | "plain";

/** The three tools for an assistant, as OpenAI or Anthropic want them described, or plainly. */
export interface Tools {
  tools: Record<string, unknown>[];
}

/** How a recall came about: what was asked, what was shown, and every row that matched and was not, with why. */
export interface Trace {
  inquiry: Inquiry;
  context: Context;
  missed: Missed[];
}

/** Something that marks a person, under a key like `communication` or `likes.coffee`, and how well it is known. */
export interface Trait {
  key: string;
  value: string;
  confidence: number;
  observations: number;
  updated_at: string;
  item_ids: string[];
}

/** Listen to a person again; whether they were blocked. A `ConflictError`: the settings block them. */
export interface Unblock {
  unblocked: boolean;
}

export interface UnblockBody {
  /** Their name, in any case, with or without accents. */
  person: string;
}

/** Reverse a change, whole: by its id, or the last one of an item or conversation. The undo is recorded too. */
export interface Undo {
  undone: Entry[];
}

export interface UndoBody {
  /** A change, or an item or conversation whose last change is meant. */
  id: string;
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** Who does this: person:NAME, program:NAME or model:NAME; the person if left out. */
  by?: string | null;
}

/** Let an account be nobody's again; whether it was somebody's. What it said so far stays theirs. */
export interface Unlink {
  unlinked: boolean;
}

/** What language models were asked, by day, task and model; of one person or of everybody. */
export interface Usage {
  items: Use[];
}

/** What a model was asked for one task on one day. */
export interface Use {
  day: string;
  task: string;
  model: string;
  calls: number;
  input_tokens: number;
  output_tokens: number;
}

/** Everybody anything is kept of, by name; a page of them. */
export interface Users {
  items: string[];
  next: string | null;
}

export interface ValidateBody {
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** Who does this: person:NAME, program:NAME or model:NAME; the person if left out. */
  by?: string | null;
}

/** What was checked, and what did not agree; no problems means all is well. */
export interface Verified {
  checked: Record<string, number>;
  problems: string[];
  ok: boolean;
}

/** What a score is made of; None where an arm did not find it. */
export interface Why {
  ranking: RankingName;
  cosine: number | null;
  bm25: number | null;
  terms: string[];
  similarity: number;
  weight: number;
  recency: number;
  focus?: Focus[];
  around?: number;
  moved?: number;
  rule?: Rule;
}

export interface WhyBody {
  /** What is asked. */
  query: string;
  /** Whose memory; a key bound to a person needs none. */
  user?: string | null;
  /** At most this many tokens. */
  budget?: number | null;
  /** The guild, team or group it is about; in private if left out. */
  space?: string | null;
  /** A channel of the space; its general one if left out. */
  channel?: string | null;
  /** The language to answer in. */
  language?: string | null;
  /** What was believed at that moment. */
  as_of?: string | null;
  /** What was true at that moment. */
  true_at?: string | null;
  /** What is not held any more as well. */
  history?: boolean | null;
  /** For a model on another machine: what is marked local-only is left out. */
  outside?: boolean | null;
  /** At most this many of what was left out, the best first. */
  limit?: number | null;
}

/** Why something said was not kept. */
export type relembra__ingest__intake__Refusal = "blocked" | "switched_off" | "skipped";

/** Why nothing would be kept or recalled of a person, in a space, or both; None: it would. */
export interface relembra__interfaces__http__schemas__Refusal {
  refused: relembra__ingest__intake__Refusal | null;
}

/** Every verb: what it is given, and what it answers. */
export interface Operations {
  /** Keep what was said, what was replied, or both; durable on return. Indexing and learning go on behind it */
  save: { given: SaveBody; answer: Saved };
  /** What was said, newest first */
  messages: { given: { user?: string | null; conversation?: string | null; space?: string | null; channel?: string | null; limit?: number | null; after?: string | null; outside?: boolean | null }; answer: Messages };
  /** Conversations of a person, or of everybody in the tenant, last used first */
  conversations: { given: { user?: string | null; limit?: number | null; after?: string | null }; answer: Conversations };
  /** Open a conversation under an id of yours or a new one; an id in use is a `ConflictError` */
  start_conversation: { given: StartConversationBody; answer: Conversation };
  /** One conversation of a person, with what they and the assistant said in it, newest first */
  conversation: { given: { id: string; user?: string | null; limit?: number | null; after?: string | null; outside?: boolean | null }; answer: Thread };
  /** Give a conversation another title */
  rename_conversation: { given: { id: string } & RenameConversationBody; answer: Conversation };
  /** Hide a conversation with its messages; `undo` brings both back. What was learnt from it stays known */
  delete_conversation: { given: { id: string; user?: string | null; by?: string | null }; answer: Conversation };
  /** What is known, newest first; or the oldest, surest, unsure (the least sure) or last changed first */
  list: { given: { user?: string | null; space?: string | null; channel?: string | null; order?: ItemOrder | null; limit?: number | null; after?: string | null; outside?: boolean | null; type?: KnowledgeType[] | null; area?: ("health" | "finance" | "relationships" | "career" | "growth" | "leisure" | "spirituality" | "mental_health" | "none")[] | null; sub_area?: string | null; source?: Source[] | null; tags?: string[] | null; subject?: string | null; attribute?: string | null; confidence?: number | null; below?: number | null; since?: string | null; until?: string | null; as_of?: string | null; true_at?: string | null; note?: string | null; from_space?: string | null; from_channel?: string | null; only?: ItemState | null; history?: boolean | null; deleted?: boolean | null }; answer: List };
  /** Make something known. By hand it is certain and confirmed; a value that replaces another ends the older */
  add: { given: AddBody; answer: Item };
  /** Make many things known, some hundred to a transaction; each batch is kept whole or not at all */
  add_many: { given: AddManyBody; answer: AddMany };
  /** The one item whose id starts or ends with a fragment of at least four characters */
  find: { given: { fragment: string; user?: string | null; outside?: boolean | null }; answer: Item };
  /** One item, deleted or superseded ones too */
  get: { given: { id: string; user?: string | null; outside?: boolean | null }; answer: Item };
  /** The person confirms an item: it grows surer, and no machine overwrites it from now on */
  validate: { given: { id: string } & ValidateBody; answer: Item };
  /** Put a right item in the place of a wrong one; the wrong one is deleted and stays in its history */
  correct: { given: { id: string } & CorrectBody; answer: Item };
  /** Hide an item at once; it stays in the audit trail and `restore` or `undo` brings it back */
  delete: { given: { id: string; user?: string | null; why?: string | null; by?: string | null }; answer: Item };
  /** Show a deleted item again; when another value has taken its place, it is marked for the person to settle */
  restore: { given: { id: string } & RestoreBody; answer: Item };
  /** Put an item away: no longer held, and brought back by `recover` or by a question it answers strongly */
  archive: { given: { id: string } & ArchiveBody; answer: Item };
  /** Take an item out of the archive; where another value has taken its place, the person is to settle it */
  recover: { given: { id: string } & RecoverBody; answer: Item };
  /** Mark an item so that no model on another machine sees it or what it was learnt from, or take the mark off */
  keep_local: { given: { id: string } & KeepLocalBody; answer: Item };
  /** An item's line through time and every change recorded of it */
  history: { given: { id: string; user?: string | null }; answer: History };
  /** The messages an item was learnt from, oldest first */
  sources: { given: { id: string; user?: string | null }; answer: Sources };
  /** Items connected to one: those it names, then the nearest by meaning and words */
  related: { given: { id: string; user?: string | null; limit?: number | null }; answer: Related };
  /** Reverse a change, whole: by its id, or the last one of an item or conversation. The undo is recorded too */
  undo: { given: UndoBody; answer: Undo };
  /** Remove for good one item, one conversation with what only it taught, or everything of a person */
  forget: { given: ForgetBody; answer: Gone };
  /** The few lines that matter now, within a budget: who the person is, what is known, noted and was said about the query (or the last thing said), and the conversation at hand */
  load: { given: LoadBody; answer: Context };
  /** The items that answer best by meaning and by words, each with its score and why */
  search: { given: SearchBody; answer: Search };
  /** What answers a question, weak matches too: items, notes and messages, up to `limit` of each kind */
  recall: { given: RecallBody; answer: Recalled };
  /** The context a query would get, from candidates to the cut, misses included. Nothing is counted or asked */
  why: { given: WhyBody; answer: Trace };
  /** Flush this person's open buffers now (or a space's), learn from them, and say what came of it */
  learn: { given: LearnBody; answer: Learnt };
  /** What would be learnt if this were said now, without storing anything */
  preview: { given: PreviewBody; answer: Preview };
  /** What language models were asked, by day, task and model; of one person or of everybody */
  usage: { given: { user?: string | null; since?: string | null }; answer: Usage };
  /** What is learnt and changed of a person, as it is recorded, by whatever program */
  watch: { given: { user?: string | null; after?: number | null }; answer: Response };
  /** What happened, newest first: of a space or channel, or in private one's own and those one took part in */
  notes: { given: { user?: string | null; space?: string | null; channel?: string | null; kind?: NoteKind[] | null; conversation?: string | null; limit?: number | null; after?: string | null; outside?: boolean | null }; answer: Notes };
  /** One note that `notes` lists there: any of a space's, or in private one's own and those one took part in */
  note: { given: { id: string; user?: string | null; space?: string | null; channel?: string | null; outside?: boolean | null }; answer: Note };
  /** A note as a Markdown file */
  note_files: { given: { id: string; user?: string | null }; answer: Response };
  /** The report of the week or month a day lies in, written now; None: nothing happened in it */
  report: { given: ReportBody; answer: Report };
  /** What to tell a doctor or another professional, written now for the next appointment, or one at a moment */
  appointment: { given: AppointmentBody; answer: Note };
  /** Who the person is, in six sections, each line with where it is from */
  profile: { given: { user?: string | null; space?: string | null; channel?: string | null; language?: string | null; outside?: boolean | null }; answer: Profile };
  /** How the person is: preferences, habits and patterns with their confidence and how often they showed */
  cognitive: { given: { user?: string | null; space?: string | null; channel?: string | null; outside?: boolean | null }; answer: Cognitive };
  /** The people and pets in the person's life, the closest first, with what is known of each */
  people: { given: { user?: string | null; space?: string | null; channel?: string | null; outside?: boolean | null }; answer: People };
  /** What is known in its shortest form: i, t, c, w, d */
  minified: { given: { user?: string | null; space?: string | null; channel?: string | null; limit?: number | null; outside?: boolean | null }; answer: Minified };
  /** The compact memory of the person, for every prompt: at most 800 tokens, its version grows as it changes */
  me: { given: { user?: string | null; language?: string | null; outside?: boolean | null }; answer: Me };
  /** How many items `list` would give, in all and by area, type, source and level of confidence */
  count: { given: { user?: string | null; space?: string | null; channel?: string | null; outside?: boolean | null; type?: KnowledgeType[] | null; area?: ("health" | "finance" | "relationships" | "career" | "growth" | "leisure" | "spirituality" | "mental_health" | "none")[] | null; sub_area?: string | null; source?: Source[] | null; tags?: string[] | null; subject?: string | null; attribute?: string | null; confidence?: number | null; below?: number | null; since?: string | null; until?: string | null; as_of?: string | null; true_at?: string | null; note?: string | null; from_space?: string | null; from_channel?: string | null; only?: ItemState | null; history?: boolean | null; deleted?: boolean | null }; answer: Counts };
  /** What was learnt, ended, archived, deleted and faded, and which moods were told, by day, week or month */
  over_time: { given: { user?: string | null; since?: string | null; until?: string | null; step?: Stride | null; space?: string | null; channel?: string | null; outside?: boolean | null }; answer: OverTime };
  /** What happened, newest first: notes, and events, which are items of type `memory` or about something that takes place (an event, meeting, deadline, contract, a goal achieved or dropped) */
  timeline: { given: { user?: string | null; space?: string | null; channel?: string | null; since?: string | null; until?: string | null; limit?: number | null; after?: string | null; outside?: boolean | null }; answer: Timeline };
  /** The patterns found so far that may be heard in a place, the surest first */
  insights: { given: { user?: string | null; space?: string | null; channel?: string | null; outside?: boolean | null }; answer: Insights };
  /** The case file, newest first: both sides, who or what judged, why, and how it ended */
  conflicts: { given: { user?: string | null; open_only?: boolean | null; space?: string | null; channel?: string | null; limit?: number | null; after?: string | null; outside?: boolean | null }; answer: Conflicts };
  /** One case, by its id or the id of an item in it */
  conflict: { given: { id: string; user?: string | null }; answer: Conflict };
  /** The person's answer to a case: keep "new", "old", "both" or "neither"; may be given again to change it */
  resolve: { given: { id: string } & ResolveBody; answer: Conflict };
  /** Take a case's decision back, whoever took it: both sides are current again */
  reopen: { given: { id: string } & ReopenBody; answer: Conflict };
  /** The three tools for an assistant, as OpenAI or Anthropic want them described, or plainly */
  tools: { given: { format?: ToolFormat | null; language?: string | null }; answer: Tools };
  /** Run one of the tools with the arguments a model gave; add_knowledge needs the right to write */
  call_tool: { given: { name: string } & CallToolBody; answer: ToolAnswer };
  /** The answer to a command in chat ("/lembrar …", "/forget …", "/perfil"); None where the text is none */
  command: { given: CommandBody; answer: CommandAnswer };
  /** Do a person's night work now; its record, or None where nothing was said since the last */
  consolidate: { given: ConsolidateBody; answer: Consolidate };
  /** The records of night work, newest first: a person's, a space's, or for an administrator everybody's */
  consolidations: { given: { user?: string | null; space?: string | null; kind?: RunKind[] | null; limit?: number | null; after?: string | null }; answer: Consolidations };
  /** One record of a person or space, by its id or four or more characters of an end of it, with its changes */
  consolidation: { given: { id: string; user?: string | null; space?: string | null; raw?: boolean | null }; answer: RunDetail };
  /** Take back everything a record accounts for, as one change; what someone changed since stays as it is */
  rollback: { given: { id: string } & RollbackBody; answer: RolledBack };
  /** Merge, fade, archive and condense a person's memory now; the record of it */
  garden: { given: GardenBody; answer: Garden };
  /** What the gardener would do now and why, without doing it */
  garden_plan: { given: { user?: string | null }; answer: GardenPlan };
  /** Look for patterns in what a person said, now; the record of it */
  find_insights: { given: FindInsightsBody; answer: FindInsights };
  /** Work that waits, is under way or was given up, the next due first; everyone's or one person's */
  jobs: { given: { user?: string | null; state?: JobState | null; kind?: string[] | null; limit?: number | null }; answer: Jobs };
  /** The tenant's work that was tried and is not done; the `error` of each says why */
  failed_jobs: { given: Record<string, never>; answer: FailedJobs };
  /** One job that is not done yet */
  job: { given: { id: string }; answer: Job };
  /** Let a job that was given up, or still waits for its time, be tried now */
  retry_job: { given: { id: string }; answer: Job };
  /** Do a job now, and whatever else of the same person is due; the job where it is not done, with its error */
  run_job: { given: { id: string }; answer: JobDone };
  /** Take a job that waits or was given up out of the queue; one under way is a `ConflictError` */
  cancel_job: { given: { id: string }; answer: Job };
  /** Retry jobs that were given up; how many there were */
  retry: { given: Record<string, never>; answer: Retry };
  /** Finish all background work that is due now; how many jobs there were */
  settle: { given: SettleBody; answer: Settle };
  /** All of a person's memory; as jsonl without a user everybody's of the tenant */
  export: { given: { user?: string | null; format?: Format | null; language?: string | null }; answer: Response };
  /** Take in an export of ours, of a chat program or of another memory, told by what is in it */
  import_: { given: { user?: string | null; me?: string[] | null; timezone?: string | null; file_name?: string | null; photo_details?: boolean | null; dry_run?: boolean | null }; answer: TakenIn };
  /** All keys of the tenant, newest first, without their secrets */
  keys: { given: { every_tenant?: boolean | null }; answer: Keys };
  /** Make a key; its secret is in this answer and nowhere else */
  create_key: { given: CreateKeyBody; answer: NewKey };
  /** Let a key open nothing any more, by its id, its prefix, or four or more characters of an end of its id */
  revoke_key: { given: { id: string }; answer: Key };
  /** Accounts and whose they are, by channel: a person's, or everybody's of the tenant */
  links: { given: { user?: string | null }; answer: Links };
  /** Say that an account of another program is this person's; if it was another's, it is no longer */
  link: { given: LinkBody; answer: Link };
  /** Whose an account is; None: nobody's */
  linked: { given: { channel: string; id: string }; answer: Linked };
  /** Let an account be nobody's again; whether it was somebody's. What it said so far stays theirs */
  unlink: { given: { channel: string; id: string }; answer: Unlink };
  /** Everybody who is blocked and every space that is switched off: people first, each by name */
  blocks: { given: Record<string, never>; answer: Blocks };
  /** Keep nothing of a person any more, as whoever's memory it is or as who speaks, and recall nothing for them */
  block: { given: BlockBody; answer: Block };
  /** Listen to a person again; whether they were blocked. A `ConflictError`: the settings block them */
  unblock: { given: UnblockBody; answer: Unblock };
  /** Every space anything was said in or that was switched on or off, by name */
  spaces: { given: Record<string, never>; answer: Spaces };
  /** Keep and recall nothing in a space, or everything again. A `ConflictError`: the settings switch it off */
  switch_space: { given: SwitchSpaceBody; answer: Space };
  /** Listen in every space, or only in those that are switched on by name; how all then stand */
  switch_spaces: { given: SwitchSpacesBody; answer: SwitchSpaces };
  /** Why nothing would be kept or recalled of a person, in a space, or both; None: it would */
  refusal: { given: { user?: string | null; space?: string | null }; answer: relembra__interfaces__http__schemas__Refusal };
  /** Everybody anything is kept of, by name; a page of them */
  users: { given: { limit?: number | null; after?: string | null }; answer: Users };
  /** How much is held, of one person or of everybody */
  stats: { given: { user?: string | null }; answer: Stats };
  /** Check that rows, text index and vectors agree */
  verify: { given: Record<string, never>; answer: Verified };
  /** Give every row a vector of the embedder in use; may be interrupted and goes on where it stopped */
  reindex: { given: Record<string, never>; answer: Reindex };
  /** Models other than the one in use that left vectors here, which `reindex` would replace */
  other_models: { given: Record<string, never>; answer: OtherModels };
  /** How many rows have no vector of the embedder in use, which `reindex` would give them. Counts everything */
  missing_vectors: { given: Record<string, never>; answer: MissingVectors };
  /** A consistent copy of everything, made while in use, to download */
  backup: { given: Record<string, never>; answer: Response };
}
