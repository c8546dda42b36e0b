import { type JsonObject, numberAt, own, stringAt } from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import { locationQueryOf } from '../../../kinds/gvc/gvcView.ts';
import { isContainer } from '../../../schema/record/kinds.ts';
import type { JobWork } from '../../core/job.ts';
import type { Platform } from '../../core/platform.ts';
import { nextBatch, stepMs } from '../../core/slices.ts';
import {
  type Cursor,
  cursorAsJson,
  cursorFromJson,
  noLimit,
  type Row,
  refOfRow,
  type Transaction,
} from '../../store/model/row.ts';
import { updateDependentStates } from './dependentStates.ts';

/** The most records that are updated with the write itself, and in each step after it. */
const mostAtOnce = 40;

const firstStep = 10;

/** The pause between two steps, for other requests. */
const pauseMs = 1;

const job = 'placement';

/** The kinds that depend on the locations of their GVC, and those that depend on all locations. */
const kindsInGvc = ['workload', 'volumeset'] as const;
const kindsInOrg = ['gvc', 'ipset'] as const;

/** The position of the next step. */
interface Position {
  /** Undefined: the whole org. */
  readonly gvc: string | undefined;
  /** The index of the next kind of the list above. */
  readonly at: number;
  readonly after?: Cursor;
}

/** The remaining number of records for this step. */
interface Room {
  left: number;
}

/**
 * Updates schedules, volumes and addresses for the current locations of a GVC, or of every GVC with a query. The part
 * that does not fit into the write is done in steps, each a job, so that other requests do not wait. A later change
 * starts again.
 */
export function applyPlacement(platform: Platform, tx: Transaction, gvc?: string): void {
  // With a virtual clock no other request waits.
  const left = platform.service.clock.step === undefined ? mostAtOnce : noLimit;
  const next = applySome(platform, tx, { gvc, at: 0 }, { left });
  if (next === undefined) tx.unschedule(keyOf(gvc));
  else schedule(tx, platform.now() + pauseMs, next, firstStep);
}

/** The next step. */
export function continuePlacement({ platform, tx, atMs, lateMs }: JobWork, about: JsonObject): void {
  const startedMs = performance.now();
  const size = numberAt(about, 'size') ?? firstStep;
  const next = applySome(platform, tx, positionIn(about), { left: size });
  if (next === undefined) return;
  schedule(tx, atMs + lateMs + pauseMs, next, nextBatch(size, performance.now() - startedMs, mostAtOnce, stepMs));
}

/** Updates as many records as fit; returns the position of the rest. */
function applySome(platform: Platform, tx: Transaction, from: Position, room: Room): Position | undefined {
  const { gvc } = from;
  const kinds = gvc === undefined ? kindsInOrg : kindsInGvc;
  for (const [at, kind] of kinds.entries()) {
    if (at < from.at) continue;
    const after = at === from.at ? from.after : undefined;
    const where = { kind, ...present({ gvc, after }) };
    const limit = room.left;
    const rows = tx.select({ ...where, limit });
    const last = rows.at(-1);
    if (isContainer(kind)) {
      const stop = applyToGvcs(platform, tx, rows, room);
      if (stop !== undefined) return { gvc, at, after: stop };
    } else {
      updateDependentStates(platform, tx, rows.map(refOfRow));
      room.left -= rows.length;
    }
    if (room.left <= 0 && last !== undefined) return { gvc, at, after: last };
  }
  return undefined;
}

/** Updates GVCs with their content; returns the last one that fitted. */
function applyToGvcs(platform: Platform, tx: Transaction, gvcs: readonly Row[], room: Room): Row | undefined {
  for (const row of gvcs) {
    room.left -= 1;
    if (locationQueryOf(row.record) !== undefined) {
      const begin = { gvc: row.name, at: 0 };
      const next = room.left > 0 ? applySome(platform, tx, begin, room) : begin;
      if (next !== undefined) schedule(tx, platform.now() + pauseMs, next, firstStep);
    }
    if (room.left <= 0) return row;
  }
  return undefined;
}

function keyOf(gvc: string | undefined): string {
  return gvc === undefined ? job : `${job}/${gvc}`;
}

function schedule(tx: Transaction, atMs: number, { gvc, at, after }: Position, size: number): void {
  const about = { ...present({ gvc }), at, after: after === undefined ? [] : cursorAsJson(after), size };
  tx.schedule({ key: keyOf(gvc), atMs, job, about });
}

function positionIn(about: JsonObject): Position {
  const after = cursorFromJson(own(about, 'after'));
  return { gvc: stringAt(about, 'gvc'), at: numberAt(about, 'at') ?? 0, ...present({ after }) };
}
