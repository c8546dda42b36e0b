import { isArray, type JsonArray, type JsonObject, type JsonValue } from '../../../base/json/json.ts';
import type { Kind } from '../../../schema/record/kinds.ts';
import type { Ref } from '../../../schema/record/ref.ts';

/** A stored record: the client's part, and the data that only the platform knows. */
export interface Row {
  readonly seq: number;
  readonly kind: Kind;
  readonly name: string;
  /** Empty for kinds that are not in a GVC. */
  readonly gvc: string;
  readonly uid: string;
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly createdMs: number;
  readonly modifiedMs: number;
  /** `name`, `description`, `tags` and the fields of the kind in normal form, never with the values of a secret. */
  readonly record: JsonObject;
  /** `record` as JSON text, so that responses need no parsing. */
  readonly recordText: string;
  /** The `data` of a secret, sealed (seal.ts); empty for other kinds. */
  readonly hidden: JsonObject;
  /** The platform's data: alias, origin, volumes, addresses, keys, the last rollout. */
  readonly state: JsonObject;
}

export type NewRow = Omit<Row, 'seq' | 'recordText'>;
export type ChangedRow = Omit<Row, 'recordText'>;

export function refOfRow({ kind, name, gvc }: Pick<Row, 'kind' | 'name' | 'gvc'>): Ref {
  return gvc === '' ? { kind, name } : { kind, name, gvc };
}

/** The position of a page in a list: after this record, ordered by creation, then name. */
export interface Cursor {
  readonly createdMs: number;
  readonly name: string;
  readonly seq: number;
}

export function cursorAsJson({ createdMs, name, seq }: Cursor): JsonArray {
  return [createdMs, name, seq];
}

/** Returns undefined if the value is not from `cursorAsJson`. */
export function cursorFromJson(value: JsonValue | undefined): Cursor | undefined {
  const [createdMs, name, seq] = isArray(value) ? value : [];
  const isCursor = typeof createdMs === 'number' && typeof name === 'string' && typeof seq === 'number';
  return isCursor ? { createdMs, name, seq } : undefined;
}

/** The records to read. An index can evaluate all conditions; callers check any others. */
export interface Selection {
  readonly kind: Kind;
  readonly gvc?: string;
  readonly tag?: { readonly key: string; readonly value: string };
  /** At least one of these tags; a tag without a value matches any value. */
  readonly anyTag?: readonly { readonly key: string; readonly value?: string }[];
  readonly names?: readonly string[];
  /** Only subdomains of this domain. */
  readonly below?: string;
  /** Cannot be combined with `anyTag`. */
  readonly seqs?: readonly number[];
  readonly after?: Cursor;
  readonly limit: number;
}

/** More than any database contains. */
export const noLimit = Number.MAX_SAFE_INTEGER;

/** The data stored besides records: audit events, the event log, commands. */
export const journals = ['audit', 'command', 'event'] as const;
export type Journal = (typeof journals)[number];

export function journalNamed(value: unknown): Journal | undefined {
  return journals.find((journal) => journal === value);
}

/**
 * An entry of a journal, which determines the meaning of the columns. audit: `kind` and `name` of the record, `subject`
 * the caller, `context` the audit context. event: `kind` the component, `name` the fingerprint. command: `kind` its
 * type, `name` its life-cycle stage. `body` is the entry as shown.
 */
export interface Entry {
  readonly seq: number;
  readonly journal: Journal;
  readonly id: string;
  /** The id of the record that it concerns; empty if there is none. */
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

/** Selects entries, newest first by `atMs`, then `seq`. */
export interface EntrySelection {
  readonly journal: Journal;
  readonly id?: string;
  readonly owner?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly subject?: string;
  /** The part of the subject after its last `/`. */
  readonly subjectName?: string;
  readonly context?: string;
  /** Inclusive. */
  readonly fromMs?: number;
  /** Exclusive. */
  readonly toMs?: number;
  /** Only entries after this one in the order. */
  readonly before?: Pick<Entry, 'atMs' | 'seq'>;
  readonly limit: number;
}

/** The types of scheduled work, which `assemble.ts` maps to jobs. */
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

/** Scheduled work. */
export interface Due {
  /** Unique: scheduling a key again replaces its earlier work. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** One of `jobNames`. */
  readonly job: string;
  readonly about: JsonObject;
}

/** The operations of one request on one org. Its writes take effect together or not at all. */
export interface Transaction {
  readonly org: string;
  get(ref: Ref): Row | undefined;
  byUid(kind: Kind, uid: string): Row | undefined;
  /** Finds another org of this database that has this record. */
  elsewhere(ref: Ref): string | undefined;
  select(selection: Selection): readonly Row[];
  /** The number of records of a kind. */
  count(kind: Kind): number;
  /** The records of a kind with any reference to the target. Without `limit`: all. */
  referrers(target: Ref, kind: Kind, limit?: number): readonly Row[];
  /** Only the refs of the referrers of a kind, which is much faster if there are thousands. */
  referrerRefs(target: Ref, kind: Kind): readonly Ref[];
  /** `targets`: the records that the row refers to. */
  insert(row: NewRow, targets: readonly Ref[]): void;
  update(row: ChangedRow, targets: readonly Ref[]): void;
  /** Writes only the platform's part of the record; the version does not change. */
  updateState(row: Row, state: JsonObject): void;
  /** Deletes the record. With `untilMs`, GET still shows it until then, and its name stays reserved. */
  remove(row: Row, untilMs: number | undefined): void;
  /** Changes the time until which a deleted record is shown. */
  leaveUntil(row: NewRow, untilMs: number): void;
  /** A deleted record that is still shown. */
  leaving(ref: Ref): Row | undefined;
  /** Whether a GVC has deleted records that are still shown. */
  leavingIn(gvc: string): boolean;
  /** Returns a number that rises with each call, even across restarts. */
  nextNumber(): number;
  /** A fact about the org as a whole. */
  fact(key: string): string | undefined;
  setFact(key: string, value: string): void;
  addEntry(entry: NewEntry): void;
  /** `kind`, `name`, `atMs` and `body` may differ from the stored ones. */
  changeEntry(entry: Entry): void;
  dropEntry(entry: Entry): void;
  dropEntries(owner: string, journals: readonly Journal[]): void;
  entries(selection: EntrySelection): readonly Entry[];
  schedule(due: Due): void;
  unschedule(key: string): void;
  /** The work that is due by this time, earliest first. */
  due(untilMs: number, limit: number): readonly Due[];
}

/** `scan`: a part of a request that reads very many records. A store may prefer other reads. */
export type ReadOf = 'scan';

/**
 * The state of one org. Work must be synchronous and must not have effects outside its transaction, because a store may
 * run it several times.
 */
export interface Store {
  /** Runs the work on a consistent state of committed data. */
  read<T>(work: (tx: Transaction) => T, of?: ReadOf): Promise<T>;
  /** Resolves when the write is on disk. Concurrent writes share one commit. A throw rolls back only its own write. */
  write<T>(work: (tx: Transaction) => T): Promise<T>;
}

/** A record and the records that it refers to. */
export interface DumpedRow extends NewRow {
  readonly targets: readonly Ref[];
}

/** A deleted record that is still shown until `untilMs`. */
export interface LeavingRow {
  readonly row: NewRow;
  readonly untilMs: number;
}

/** The complete state of one org, as in a snapshot. */
export interface OrgDump {
  readonly facts: Readonly<Record<string, string>>;
  /** In the order of creation. */
  readonly records: readonly DumpedRow[];
  readonly leaving: readonly LeavingRow[];
  readonly entries: readonly NewEntry[];
  readonly due: readonly Due[];
}

/** A part of a state that is being loaded. */
export type Loaded = { readonly org: string } & (
  | { readonly of: 'facts'; readonly facts: Readonly<Record<string, string>> }
  | { readonly of: 'record'; readonly row: DumpedRow }
  | { readonly of: 'leaving'; readonly left: LeavingRow }
  | { readonly of: 'entry'; readonly entry: NewEntry }
  | { readonly of: 'due'; readonly due: Due }
);

export type Dump = Readonly<Record<string, OrgDump>>;

/** The whole database at one moment, however long reading takes. Reads nothing in advance. */
export interface View {
  orgs(): Promise<readonly string[]>;
  of(org: string): OrgView;
  /** Must always be called: until then the database keeps overwritten data. */
  close(): Promise<void>;
}

/** A view of one org, in the order in which it must be restored. */
export interface OrgView {
  facts(): Promise<Readonly<Record<string, string>>>;
  records(): AsyncIterable<DumpedRow>;
  leaving(): AsyncIterable<LeavingRow>;
  entries(): AsyncIterable<NewEntry>;
  due(): AsyncIterable<Due>;
}

/** Notifies one of several servers on the same database when work of an org is due. */
export interface JobQueue {
  /** `onMistake` is called if the queue fails; the queue keeps trying. */
  start(run: (org: string) => Promise<void>, onMistake: (error: unknown) => void): void;
  /** Stops after the current work. */
  stop(): Promise<void>;
}

export interface Database {
  /** Absent if the timers of the only server suffice. */
  readonly queue?: JobQueue;
  of(org: string): Store;
  orgs(): Promise<readonly string[]>;
  /** The earliest scheduled work of all orgs. */
  nextDue(): Promise<{ readonly org: string; readonly due: Due } | undefined>;
  /** Sets a listener for commits that scheduled work, which receives the earliest time. */
  onScheduled(listener: (atMs: number) => void): void;
  /** Rejects with the reason if the database is not readable and writable. */
  check(): Promise<void>;
  /** Waits until earlier views are closed if the database allows only one at a time. */
  view(): Promise<View>;
  /**
   * Replaces the whole state once all content has arrived. Until then, or if the content ends in an error, the old
   * state is served.
   */
  replace(content: AsyncIterable<readonly Loaded[]>): Promise<void>;
  /** Replaces the whole state immediately. */
  load(content: readonly Loaded[]): Promise<void>;
  close(): Promise<void>;
}

/** A unique key for a ref in its org. It includes the length of the GVC, because names may contain any character. */
export function rowKey({ kind, gvc = '', name }: Ref): string {
  return `${kind}/${gvc.length}:${gvc}/${name}`;
}
