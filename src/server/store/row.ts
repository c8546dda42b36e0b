import type { JsonObject } from '../../schema/json/json.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { Ref } from '../../schema/record/ref.ts';

/** One record as it is stored: what its client owns, and beside it what only the platform knows. */
export interface Row {
  readonly seq: number;
  readonly kind: Kind;
  readonly name: string;
  /** Empty for kinds of the org. */
  readonly gvc: string;
  readonly uid: string;
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly createdMs: number;
  readonly modifiedMs: number;
  /** `name`, `description`, `tags`, and the kind's own fields, in normal form; never the values of a secret. */
  readonly record: JsonObject;
  /** The same as JSON text: a reply is put together from it without reading it. */
  readonly recordText: string;
  /** The `data` of a secret, sealed (seal.ts); empty for every other kind. */
  readonly hidden: JsonObject;
  /** What the platform adds and keeps: alias, origin, volumes, addresses, keys, the last rollout. */
  readonly state: JsonObject;
}

export type NewRow = Omit<Row, 'seq' | 'recordText'>;
export type ChangedRow = Omit<Row, 'recordText'>;

export function refOfRow({ kind, name, gvc }: Pick<Row, 'kind' | 'name' | 'gvc'>): Ref {
  return gvc === '' ? { kind, name } : { kind, name, gvc };
}

/** Where a page of a list begins: after this record, in the order of creation, then name. */
export interface Cursor {
  readonly createdMs: number;
  readonly name: string;
  readonly seq: number;
}

/** What a list or query reads. Conditions that the store can answer by an index; the rest is up to the caller. */
export interface Selection {
  readonly kind: Kind;
  readonly gvc?: string;
  readonly tag?: { readonly key: string; readonly value: string };
  /** At least one of these tags; without a value: whatever its value. */
  readonly anyTag?: readonly { readonly key: string; readonly value?: string }[];
  readonly names?: readonly string[];
  /** Domains below this one: names that end with a dot and it. */
  readonly below?: string;
  /** Not together with `anyTag`. */
  readonly seqs?: readonly number[];
  readonly after?: Cursor;
  readonly limit: number;
}

/** More than any database of this size holds. */
export const noLimit = Number.MAX_SAFE_INTEGER;

/** Beside the records: audit events, events of the event log, commands. */
export const journals = ['audit', 'command', 'event'] as const;
export type Journal = (typeof journals)[number];

export function journalNamed(value: unknown): Journal | undefined {
  return journals.find((journal) => journal === value);
}

/**
 * One line of a journal. What the columns mean depends on it. audit: `kind` and `name` of the record, `subject` who did
 * it, `context` the audit context. event: `kind` the component, `name` the fingerprint. command: `kind` its type,
 * `name` its life-cycle stage. `body` is what is shown.
 */
export interface Entry {
  readonly seq: number;
  readonly journal: Journal;
  readonly id: string;
  /** The id of the record that it is about; empty for none. */
  readonly owner: string;
  readonly kind: string;
  readonly name: string;
  readonly subject: string;
  readonly context: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly body: JsonObject;
}

export type NewEntry = Omit<Entry, 'seq'>;

/** Newest first, by `atMs`, then `seq`. */
export interface EntrySelection {
  readonly journal: Journal;
  readonly id?: string;
  readonly owner?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly subject?: string;
  /** What stands behind the last `/` of the subject. */
  readonly subjectName?: string;
  readonly context?: string;
  /** From this time on. */
  readonly fromMs?: number;
  /** Before this time. */
  readonly toMs?: number;
  /** Only what comes after this one in the order. */
  readonly before?: Pick<Entry, 'atMs' | 'seq'>;
  readonly limit: number;
}

/** What can be due: `jobs/jobs.ts` has the work. */
export const jobNames = [
  'command.cancel',
  'command.echo',
  'command.running',
  'cron',
  'domain.stage',
  'gvc.deletion',
  'placement',
  'volume.command',
  'volume.expiry',
  'volume.growth',
  'volume.snapshots',
  'volumeset.deletion',
] as const;
export type JobName = (typeof jobNames)[number];

export function jobNamed(value: unknown): JobName | undefined {
  return jobNames.find((name) => name === value);
}

/** Something that is to happen later. */
export interface Due {
  /** One of each: scheduling it again replaces it. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** One of `jobNames`. */
  readonly job: string;
  readonly about: JsonObject;
}

/** What one request may do in one org. Everything in it happens or nothing does. */
export interface Transaction {
  readonly org: string;
  get(ref: Ref): Row | undefined;
  byUid(kind: Kind, uid: string): Row | undefined;
  /** Another org of this database that has such a record. */
  elsewhere(ref: Ref): string | undefined;
  select(selection: Selection): readonly Row[];
  /** How many records of a kind there are. */
  count(kind: Kind): number;
  /** What of a kind refers to it, by any field; the first so many, all without a limit. */
  referrers(target: Ref, kind: Kind, limit?: number): readonly Row[];
  /** Where the referrers of a kind are: of thousands that is much less to read. */
  referrerRefs(target: Ref, kind: Kind): readonly Ref[];
  /** `targets`: what the record refers to. */
  insert(row: NewRow, targets: readonly Ref[]): void;
  update(row: ChangedRow, targets: readonly Ref[]): void;
  /** Only what the platform keeps beside the record: no new version, nothing else is touched. */
  updateState(row: Row, state: JsonObject): void;
  /** From then on it is not found; with `untilMs` a GET still shows it until then, and its name stays taken. */
  remove(row: Row, untilMs: number | undefined): void;
  /** What was removed is shown until another time than was said then. */
  leaveUntil(row: Row, untilMs: number): void;
  /** Deleted, and still shown. */
  leaving(ref: Ref): Row | undefined;
  /** Whether something of a GVC is deleted and still shown. */
  leavingIn(gvc: string): boolean;
  /** A number that rises with each call, kept over restarts. */
  nextNumber(): number;
  /** Facts of the org as a whole. */
  fact(key: string): string | undefined;
  setFact(key: string, value: string): void;
  addEntry(entry: NewEntry): void;
  /** `kind`, `name`, `atMs` and `body` may be others than before. */
  changeEntry(entry: Entry): void;
  dropEntry(entry: Entry): void;
  dropEntries(owner: string, journals: readonly Journal[]): void;
  entries(selection: EntrySelection): readonly Entry[];
  schedule(due: Due): void;
  unschedule(key: string): void;
  /** What is due at this time, earliest first. */
  due(untilMs: number, limit: number): readonly Due[];
}

/**
 * The state of one org. The work must be synchronous and must touch nothing but its transaction: a store may run it
 * several times before it takes effect.
 */
export interface Store {
  /** A consistent look at what is committed. */
  read<T>(work: (tx: Transaction) => T): Promise<T>;
  /** Resolves when the write is on disk; concurrent writes share one commit. A throw undoes that write alone. */
  write<T>(work: (tx: Transaction) => T): Promise<T>;
}

/** A record with what it refers to. */
export interface DumpedRow extends NewRow {
  readonly targets: readonly Ref[];
}

/** Deleted, and shown until then. */
export interface LeavingRow {
  readonly row: NewRow;
  readonly untilMs: number;
}

/** Everything of one org: what a snapshot holds. */
export interface OrgDump {
  readonly facts: Readonly<Record<string, string>>;
  /** In the order of their making. */
  readonly records: readonly DumpedRow[];
  readonly leaving: readonly LeavingRow[];
  readonly entries: readonly NewEntry[];
  readonly due: readonly Due[];
}

/** A part of such a state on its way in. */
export type Loaded = { readonly org: string } & (
  | { readonly of: 'facts'; readonly facts: Readonly<Record<string, string>> }
  | { readonly of: 'record'; readonly row: DumpedRow }
  | { readonly of: 'leaving'; readonly left: LeavingRow }
  | { readonly of: 'entry'; readonly entry: NewEntry }
  | { readonly of: 'due'; readonly due: Due }
);

export type Dump = Readonly<Record<string, OrgDump>>;

/** Everything in the database at one point in time, however long it takes to read it. Reads nothing ahead. */
export interface View {
  orgs(): Promise<readonly string[]>;
  of(org: string): OrgView;
  /** Whoever opened it closes it, whatever happened: until then the database keeps what was overwritten since. */
  close(): Promise<void>;
}

/** The same of one org; the order is the one in which it has to be put back. */
export interface OrgView {
  facts(): Promise<Readonly<Record<string, string>>>;
  records(): AsyncIterable<DumpedRow>;
  leaving(): AsyncIterable<LeavingRow>;
  entries(): AsyncIterable<NewEntry>;
  due(): AsyncIterable<Due>;
}

/** Where several servers share a database: says to one of them when work of an org is due. */
export interface JobQueue {
  /** `onMistake`: the queue itself does not work at present; it goes on trying. */
  start(run: (org: string) => Promise<void>, onMistake: (error: unknown) => void): void;
  /** Ends after the work under way. */
  stop(): Promise<void>;
}

export interface Database {
  /** Absent: timers of the one server do. */
  readonly queue?: JobQueue;
  of(org: string): Store;
  orgs(): Promise<readonly string[]>;
  /** The earliest work of all orgs. */
  nextDue(): Promise<{ readonly org: string; readonly due: Due } | undefined>;
  /** Called after a commit that scheduled work, with the time of the earliest. */
  onScheduled(listener: (atMs: number) => void): void;
  /** Rejects with what is wrong where it cannot be read, or a write would fail. */
  check(): Promise<void>;
  /** Waits until the one before is closed, where a database can have one only. */
  view(): Promise<View>;
  /**
   * In place of all that is there, as soon as all of it is known: until then, and where the content cannot be had to
   * its end, what is there is served.
   */
  replace(content: AsyncIterable<readonly Loaded[]>): Promise<void>;
  /** The same at once. */
  load(dump: Dump): Promise<void>;
  close(): Promise<void>;
}
