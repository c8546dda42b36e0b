import type { JsonObject } from '../../../base/json/json.ts';
import { hasMembers, storesData } from '../../../kinds/kindFacts.ts';
import type { Kind } from '../../../schema/record/kinds.ts';
import type { Ref } from '../../../schema/record/ref.ts';
import { isDynamic } from '../../access/decisions/membership.ts';
import { readVolumes } from '../../volumes/decisions/volume.ts';
import {
  type ChangedRow,
  type Due,
  type Entry,
  type EntrySelection,
  type Journal,
  type NewEntry,
  type NewRow,
  noLimit,
  type Row,
  type Selection,
  type Store,
  type Transaction,
} from './row.ts';

const generationFact = 'access.generation';
const dynamicGroupsFact = 'access.dynamicGroups';
const storageFact = 'quota.storageGb';

/** The kinds that access rights depend on. Identities are excluded: there are many, and they are read when needed. */
export const accessKinds: ReadonlySet<Kind> = new Set<Kind>(['group', 'policy', 'serviceaccount', 'user']);

/**
 * A text that changes with each change of access rights. Equal texts mean equal rights, in all processes on the
 * database.
 */
export function accessGeneration(tx: Transaction): string {
  return tx.fact(generationFact) ?? '';
}

/** The names of the groups with dynamic members. No links lead to these groups, so each is checked. */
export function dynamicGroups(tx: Transaction): readonly string[] {
  const known = tx.fact(dynamicGroupsFact);
  if (known !== undefined) return known === '' ? [] : known.split(' ');
  return tx
    .select({ kind: 'group', limit: noLimit })
    .filter(({ record }) => isDynamic(record))
    .map(({ name }) => name);
}

/**
 * The storage that all volumes reserve, in GB. Databases of older versions compute the sum until their first write of
 * it.
 */
export function reservedGb(tx: Transaction): number {
  const known = tx.fact(storageFact);
  if (known !== undefined) return Number(known);
  return tx.select({ kind: 'volumeset', limit: noLimit }).reduce((sum, row) => sum + gbOf(row), 0);
}

/** The same sum as facts, for a loaded state. */
export function storageFacts(gb: number): Readonly<Record<string, string>> {
  return { [storageFact]: String(gb) };
}

/** The storage that the volumes of a record reserve, in GB. */
export function gbOf({ kind, state }: Stored): number {
  if (!storesData(kind)) return 0;
  const volumes = readVolumes(state).filter(({ deleted }) => !deleted);
  return volumes.reduce((sum, { sizeGb }) => sum + sizeGb, 0);
}

type Stored = Pick<NewRow, 'kind' | 'state'>;

/** A store whose writes keep these facts current for every caller. `newId`: unique across processes. */
export function countedStore(store: Store, newId: () => string): Store {
  return {
    read: (work, of) => store.read(work, of),
    write: (work) => store.write((tx) => work(new CountedTransaction(tx, newId))),
  };
}

/** The facts of a loaded org. The generation is new, because caches of an old one would be invalid. */
export function withNewFacts(
  loadedFacts: Readonly<Record<string, string>>,
  newId: () => string,
): Readonly<Record<string, string>> {
  const { [dynamicGroupsFact]: _, ...facts } = loadedFacts;
  return { ...facts, [generationFact]: newId() };
}

/** Delegates every call; writes that change rights or storage also update the facts. */
class CountedTransaction implements Transaction {
  readonly org: string;
  readonly #tx: Transaction;
  readonly #newId: () => string;

  constructor(tx: Transaction, newId: () => string) {
    this.org = tx.org;
    this.#tx = tx;
    this.#newId = newId;
  }

  insert(row: NewRow, targets: readonly Ref[]): void {
    this.#countStorage(undefined, row);
    this.#tx.insert(row, targets);
    this.#count(row, isDynamic(row.record));
  }

  update(row: ChangedRow, targets: readonly Ref[]): void {
    this.#countStorage(row, row);
    this.#tx.update(row, targets);
    this.#count(row, isDynamic(row.record));
  }

  updateState(row: Row, state: JsonObject): void {
    this.#countStorage(row, { kind: row.kind, state });
    this.#tx.updateState(row, state);
    this.#count(row, isDynamic(row.record));
  }

  remove(row: Row, untilMs: number | undefined): void {
    this.#countStorage(row, undefined);
    this.#tx.remove(row, untilMs);
    this.#count(row, false);
  }

  leaveUntil(row: NewRow, untilMs: number): void {
    this.#tx.leaveUntil(row, untilMs);
  }

  /** Must be called before the write. `before`: identifies the stored record. */
  #countStorage(before: Pick<Row, 'gvc' | 'kind' | 'name'> | undefined, after: Stored | undefined): void {
    if (!storesData((before ?? after)?.kind)) return;
    const stored =
      before === undefined ? undefined : this.#tx.get({ kind: before.kind, gvc: before.gvc, name: before.name });
    const more = (after === undefined ? 0 : gbOf(after)) - (stored === undefined ? 0 : gbOf(stored));
    if (more !== 0 || this.#tx.fact(storageFact) === undefined) {
      this.#tx.setFact(storageFact, String(reservedGb(this.#tx) + more));
    }
  }

  #count({ kind, name }: Pick<Row, 'kind' | 'name'>, dynamic: boolean): void {
    if (!accessKinds.has(kind)) return;
    this.#tx.setFact(generationFact, this.#newId());
    if (!hasMembers(kind)) return;
    const names = new Set(dynamicGroups(this.#tx));
    if (dynamic) names.add(name);
    else names.delete(name);
    this.#tx.setFact(dynamicGroupsFact, [...names].join(' '));
  }

  get(ref: Ref): Row | undefined {
    return this.#tx.get(ref);
  }

  byUid(kind: Kind, uid: string): Row | undefined {
    return this.#tx.byUid(kind, uid);
  }

  elsewhere(ref: Ref): string | undefined {
    return this.#tx.elsewhere(ref);
  }

  select(selection: Selection): readonly Row[] {
    return this.#tx.select(selection);
  }

  count(kind: Kind): number {
    return this.#tx.count(kind);
  }

  referrers(target: Ref, kind: Kind, limit?: number): readonly Row[] {
    return this.#tx.referrers(target, kind, limit);
  }

  referrerRefs(target: Ref, kind: Kind): readonly Ref[] {
    return this.#tx.referrerRefs(target, kind);
  }

  leaving(ref: Ref): Row | undefined {
    return this.#tx.leaving(ref);
  }

  leavingIn(gvc: string): boolean {
    return this.#tx.leavingIn(gvc);
  }

  nextNumber(): number {
    return this.#tx.nextNumber();
  }

  fact(key: string): string | undefined {
    return this.#tx.fact(key);
  }

  setFact(key: string, value: string): void {
    this.#tx.setFact(key, value);
  }

  addEntry(entry: NewEntry): void {
    this.#tx.addEntry(entry);
  }

  changeEntry(entry: Entry): void {
    this.#tx.changeEntry(entry);
  }

  dropEntry(entry: Entry): void {
    this.#tx.dropEntry(entry);
  }

  dropEntries(owner: string, journals: readonly Journal[]): void {
    this.#tx.dropEntries(owner, journals);
  }

  entries(selection: EntrySelection): readonly Entry[] {
    return this.#tx.entries(selection);
  }

  schedule(due: Due): void {
    this.#tx.schedule(due);
  }

  unschedule(key: string): void {
    this.#tx.unschedule(key);
  }

  due(untilMs: number, limit: number): readonly Due[] {
    return this.#tx.due(untilMs, limit);
  }
}
