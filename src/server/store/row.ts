import type { JsonObject } from '../../schema/json.ts';
import type { Kind } from '../../schema/kinds.ts';
import type { Ref } from '../../schema/ref.ts';

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
  /** The `data` of a secret, as `{data}`; empty for every other kind. */
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
  readonly names?: readonly string[];
  readonly after?: Cursor;
  readonly limit: number;
}

/** More than any database of this size holds. */
export const noLimit = Number.MAX_SAFE_INTEGER;

/** What one request may do. Everything in it happens or nothing does. */
export interface Transaction {
  get(ref: Ref): Row | undefined;
  byUid(kind: Kind, uid: string): Row | undefined;
  select(selection: Selection): readonly Row[];
  /** What refers to it, by any field; of one kind where that is given. */
  referrers(target: Ref, kind?: Kind): readonly Row[];
  /** `targets`: what the record refers to. */
  insert(row: NewRow, targets: readonly Ref[]): void;
  update(row: ChangedRow, targets: readonly Ref[]): void;
  /** Only what the platform keeps beside the record: no new version, nothing else is touched. */
  updateState(row: Row, state: JsonObject): void;
  /** From then on it is not found; with `untilMs` a GET still shows it until then, and its name stays taken. */
  remove(row: Row, untilMs: number | undefined): void;
  /** Deleted, and still shown. */
  leaving(ref: Ref): Row | undefined;
  /** Whether something of a GVC is deleted and still shown. */
  leavingIn(gvc: string): boolean;
  /** A number that rises with each call, kept over restarts. */
  nextNumber(): number;
}

export interface Store {
  /** A consistent look at what is committed. */
  read<T>(work: (tx: Transaction) => T): T;
  /** Resolves when the write is on disk; concurrent writes share one commit. A throw undoes that write alone. */
  write<T>(work: (tx: Transaction) => T): Promise<T>;
  /** Facts of the database as a whole, such as the org that its links name. */
  fact(key: string): string | undefined;
  setFact(key: string, value: string): void;
  close(): Promise<void>;
}
