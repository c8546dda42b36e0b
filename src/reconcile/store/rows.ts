import { sep } from 'node:path';
import { present } from '../../base/json/present.ts';
import type { PlanDocument } from '../../change/documents/planDocument.ts';
import { isPaused } from '../decisions/hold.ts';
import type {
  GivenApproval,
  Pause,
  PlanInputs,
  RunRecord,
  StackEntry,
  StackState,
  StackSummary,
  WaitingPlan,
} from '../model.ts';
import { type Row, storedJson } from './sql.ts';

/** Only the store writes these columns, so a value has the type that it was written with. */
function as<T>(value: unknown): T {
  return value as T;
}

export const stackColumns = 'name, entry, state, pause, next_ms';

export function stackOf({ entry, state, pause, next_ms: next }: Row, nowMs: number): StackSummary {
  const { pause: _, ...kept } = as<StackState>(state);
  const asked = as<StackEntry>(entry);
  const paused = [as<Pause | null>(pause) ?? undefined, asked.paused].find((each) => isPaused(each, nowMs));
  if (paused === undefined) return { entry: asked, state: { ...kept, nextRunMs: Number(next) } };
  if (kept.state === 'running') return { entry: asked, state: { ...kept, pause: paused } };
  return { entry: asked, state: { ...kept, state: 'paused', because: paused.reason, pause: paused } };
}

/** The members of a run that are stored in its column `said`. */
export type RunDetails = Pick<RunRecord, 'commit' | 'plan' | 'counts' | 'requests' | 'storage' | 'error'>;

export const runColumns = 'id, stack, worker, fence, start_ms, end_ms, outcome, said';

export function runOf({
  id,
  stack,
  worker,
  fence,
  start_ms: start,
  end_ms: end,
  outcome,
  said,
  log,
  document,
}: Row): RunRecord {
  return {
    id: String(id),
    stack: String(stack),
    worker: String(worker),
    fence: Number(fence),
    startMs: Number(start),
    ...present({ endMs: end === null ? undefined : Number(end) }),
    ...present({ outcome: outcome === null ? undefined : as<NonNullable<RunRecord['outcome']>>(outcome) }),
    ...as<RunDetails>(said),
    log: log === undefined ? [] : as<RunRecord['log']>(log),
    ...present({ document: document === undefined || document === null ? undefined : as<PlanDocument>(document) }),
  };
}

export const planColumns = 'stack, name, made_ms, inputs, document, needed, signed, blocked, status, superseded';

export function planOf(row: Row, approvals: readonly Row[]): WaitingPlan {
  const { stack, name, made_ms: made, inputs, document, needed, signed, blocked, superseded } = row;
  return {
    name: String(name),
    stack: String(stack),
    madeMs: Number(made),
    inputs: as<PlanInputs>(inputs),
    document: as<PlanDocument>(document),
    approvals: {
      needed: Number(needed),
      signed: signed === true,
      given: approvals.filter(({ plan, stack: of }) => plan === name && of === stack).map(approvalOf),
    },
    ...present({ blocked: blocked === null ? undefined : String(blocked) }),
    ...present({
      superseded: superseded === null ? undefined : as<NonNullable<WaitingPlan['superseded']>>(superseded),
    }),
  };
}

export function approvalOf({ who, person, at_ms: at, signature }: Row): GivenApproval {
  return {
    by: String(who),
    atMs: Number(at),
    ...present({ person: person === null ? undefined : String(person) }),
    ...present({ signature: signature === null ? undefined : String(signature) }),
  };
}

/** Represents the folder of a named list, which differs between workers. */
const here = '(list)';

/** The stored form of an entry. `base`: the folder of a named list. */
export function withoutBase(entry: StackEntry, base: string | undefined): string {
  const below = `${base}${sep}`;
  return storedJson(entry, (_, value: unknown) =>
    base !== undefined && typeof value === 'string' && value.startsWith(below)
      ? `${here}/${value.slice(below.length)}`
      : value,
  );
}

/** The entry with paths of this machine. */
export function withBase(entry: StackEntry, base: string): StackEntry {
  return JSON.parse(JSON.stringify(entry), (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(`${here}/`) ? `${base}${sep}${value.slice(here.length + 1)}` : value,
  );
}
