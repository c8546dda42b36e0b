import type { JsonObject } from '../base/json/json.ts';
import { isUnrevealed } from '../kinds/kindFacts.ts';
import { formatRef, type ResourceId } from '../schema/record/ref.ts';
import type { Dump, NewRow, OrgDump } from '../server/inProcess.ts';
import { refOfRow } from '../server/store/model/row.ts';
import { type DumpRow, rowOfLive } from './liveRow.ts';
import { hiddenStandIn } from './standInSecret.ts';
import { askedFor, type Known, standInFor, unread } from './standIns.ts';

/** The state that a rehearsal begins with. */
export interface Base {
  readonly state: Dump;
  /** Records that replace those that were not read. */
  readonly standIns: readonly ResourceId[];
  /** Secrets whose values were not read. */
  readonly sealed: readonly ResourceId[];
}

/** The results of the rehearsals of earlier plans of the same run. */
export interface Ground {
  readonly state: Dump;
  /** Records that they created, changed or deleted, whose read values are outdated. */
  readonly touched: ReadonlySet<ResourceId>;
}

/** The state for the next plan, after a run from one state to another. */
export function groundAfter(before: Dump, state: Dump, org: string, earlier: Ground | undefined): Ground {
  const [was, is] = [before, state].map((each) => new Map(each[org]?.records.map((row) => [idOf(row), row])));
  const touched = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])].filter((id) => {
    const [old, now] = [was?.get(id), is?.get(id)];
    return old?.uid !== now?.uid || old?.version !== now?.version;
  });
  return { state, touched: new Set([...(earlier?.touched ?? []), ...touched]) };
}

/**
 * The read records, added to those that every org has (`empty`: the state of a new platform), or to those that earlier
 * plans of the same run left.
 */
export function baseOfReading(known: Known, empty: Dump, ground: Ground = { state: empty, touched: new Set() }): Base {
  const { snapshot, request } = known;
  const { org } = snapshot;
  const live = [...snapshot.resources.values(), ...[...snapshot.closures.values()].flatMap(({ children }) => children)];
  const absent = new Set(askedFor(request));
  for (const { id } of live) absent.delete(id);
  for (const id of ground.touched) absent.delete(id);

  const rows = new Map<ResourceId, DumpRow>();
  const state = ground.state[org] ?? nothing;
  for (const row of state.records) if (!absent.has(idOf(row))) rows.set(idOf(row), row);
  for (const resource of live) {
    const row = rowOfLive(resource, org);
    if (!ground.touched.has(idOf(row))) rows.set(idOf(row), row);
  }
  const missing = unread(known).filter((ref) => !rows.has(formatRef(ref)));
  for (const ref of missing) rows.set(formatRef(ref), standInFor(ref, org));

  const closed = live.filter(({ ref, record }) => isUnrevealed(ref.kind, record));
  return {
    state: { [org]: { ...state, records: inOrder([...rows.values()]) } },
    standIns: missing.map(formatRef),
    sealed: [...new Set(closed.map(({ id }) => id))],
  };
}

const nothing: OrgDump = { facts: {}, records: [], leaving: [], entries: [], due: [] };

/** A complete state; missing values get stand-ins, and its pending work is dropped. */
export function baseOfState(state: Dump): Base {
  const closed: ResourceId[] = [];
  function still(held: OrgDump): OrgDump {
    return { ...held, entries: [], due: [], records: held.records.map(opened) };
  }
  function opened(row: DumpRow): DumpRow {
    if (row.kind === 'quota') return { ...row, record: withoutLimit(row.record) };
    if (!isUnrevealed(row.kind, row.hidden)) return row;
    closed.push(idOf(row));
    return { ...row, hidden: hiddenStandIn(row.kind, row.record) };
  }
  return {
    state: Object.fromEntries(Object.entries(state).map(([org, held]) => [org, still(held)])),
    standIns: [],
    sealed: closed,
  };
}

/** Quotas do not apply in a rehearsal. */
function withoutLimit({ max: _, ...quota }: JsonObject): JsonObject {
  return quota;
}

/** In the order of their creation, which lists use; then by id. */
function inOrder(rows: readonly DumpRow[]): readonly DumpRow[] {
  return [...rows].sort((a, b) => a.createdMs - b.createdMs || (idOf(a) < idOf(b) ? -1 : 1));
}

export function idOf(row: NewRow): ResourceId {
  return formatRef(refOfRow(row));
}
