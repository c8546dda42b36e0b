import { type JsonObject, listAt, numberAt, own, stringAt } from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import { locationQueryOf } from '../../../kinds/gvc/gvcView.ts';
import { holdsAddresses, isNamedByHost, runs, storesData } from '../../../kinds/kindFacts.ts';
import { workloadTypeOf } from '../../../schema/facts/workloadTypes.ts';
import { isContainer } from '../../../schema/record/kinds.ts';
import { formatRef, type Ref } from '../../../schema/record/ref.ts';
import { addEvent } from '../../audit/eventLog.ts';
import type { JobWork } from '../../core/job.ts';
import type { Platform } from '../../core/platform.ts';
import type { UnitOfWork } from '../../core/session.ts';
import { nextBatch, stepMs } from '../../core/slices.ts';
import { updateCronState } from '../../cron/cronState.ts';
import { updateDomainState } from '../../domains/domainState.ts';
import { addressBlock } from '../../http/limits.ts';
import {
  type Cursor,
  cursorAsJson,
  cursorFromJson,
  noLimit,
  type Row,
  refOfRow,
  type Transaction,
} from '../../store/model/row.ts';
import { deviceMaker } from '../../volumes/decisions/device.ts';
import { reconcileVolumes } from '../../volumes/decisions/reconcileVolumes.ts';
import { readVolumes } from '../../volumes/decisions/volume.ts';
import { storeVolumes } from '../../volumes/state/volumeSetState.ts';
import {
  type Address,
  type AddressFacts,
  addressChanges,
  boundLocations,
  readAddresses,
  reconcileAddresses,
} from '../decisions/ipSetAddresses.ts';
import { Presenter } from '../shown/presenter.ts';

/**
 * Applies the consequences of a write or deletion, such as volumes for new replicas and addresses for new locations.
 * None raises a version (platform/concepts.version).
 *
 * `targets`: the present and former references of the records. `hasSameLocations`: a GVC among the records has the same
 * locations as before.
 */
export function applyConsequences(
  { platform, tx }: UnitOfWork,
  refs: readonly Ref[],
  targets: readonly Ref[],
  hasSameLocations = false,
): void {
  updateDependentStates(platform, tx, refs, targets);
  for (const { kind, name } of refs) {
    if (isContainer(kind) && !hasSameLocations && tx.get({ kind, name }) !== undefined)
      applyPlacement(platform, tx, name);
    // The query of a GVC may now match it, or no longer match it.
    if (kind === 'location') applyPlacement(platform, tx);
  }
}

/** Updates schedules, volumes and addresses of these records and of the volume sets and IP sets related to them. */
export function updateDependentStates(
  platform: Platform,
  tx: Transaction,
  refs: readonly Ref[],
  targets: readonly Ref[] = [],
): void {
  const presenter = new Presenter(platform, tx);
  const affected = new Map<string, Ref>();
  function addAffected(other: Ref): void {
    if (holdsAddresses(other.kind) || storesData(other.kind)) affected.set(formatRef(other), other);
  }
  for (const ref of refs) {
    if (runs(ref.kind)) updateSchedule(platform, tx, presenter, ref);
    if (isNamedByHost(ref.kind)) updateDomainState({ platform, tx }, ref);
  }
  [...refs, ...targets].forEach(addAffected);
  for (const ref of refs) {
    if (runs(ref.kind) || isContainer(ref.kind)) tx.referrers(ref, 'ipset').map(refOfRow).forEach(addAffected);
  }
  for (const other of affected.values()) {
    if (holdsAddresses(other.kind)) updateIpSetState({ platform, tx }, other, (row) => presenter.addressFacts(row));
    else updateVolumeSet(platform, tx, presenter, other);
  }
}

/** Applies the current schedule and locations of a cron workload. */
function updateSchedule(platform: Platform, tx: Transaction, presenter: Presenter, ref: Ref): void {
  const row = tx.get(ref);
  if (row === undefined || workloadTypeOf(row.record) !== 'cron') return;
  const locations = presenter.locationsOf(row.gvc).map(({ name }) => name);
  updateCronState({ platform, tx }, row, locations);
}

function updateVolumeSet(platform: Platform, tx: Transaction, presenter: Presenter, ref: Ref): void {
  const row = tx.get(ref);
  if (row === undefined) return;
  const after = reconcileVolumes({
    volumeSet: row.record,
    volumes: readVolumes(row.state),
    mounters: presenter.mountersOf(row),
    maker: deviceMaker(platform, row),
    nowMs: platform.now(),
    readyAfterMs: platform.settings.readyAfterMs,
  });
  storeVolumes({ platform, tx }, row, after);
}

/** Allocates addresses for new locations and updates the others (platform/ipset); changes are logged as events. */
function updateIpSetState({ platform, tx }: UnitOfWork, ref: Ref, factsOf: (row: Row) => AddressFacts): void {
  const row = tx.get(ref);
  if (row === undefined) return;
  const facts = factsOf(row);
  const addresses = reconcileAddresses(facts, (location): Address => {
    return { location, ip: addressOf(tx.nextNumber()), id: platform.newId(), createdMs: platform.now() };
  });
  const bound = boundLocations({ ...facts, addresses });
  const before = { addresses: readAddresses(row.state), bound: boundBefore(row) };
  const changes = addressChanges(before, { addresses, bound });
  if (changes.length === 0) return;
  tx.updateState(row, { ...row.state, addresses: addresses.map((address) => ({ ...address })), bound });
  for (const status of changes) addEvent({ platform, tx }, row, { component: 'actuator', status });
}

/** The next address of the block, without the first and last of each 256. */
function addressOf(number: number): string {
  return `${addressBlock}.${Math.floor(number / 254) % 254}.${(number % 254) + 1}`;
}

function boundBefore(row: Row): readonly string[] {
  return listAt(row.state, 'bound').filter((name) => typeof name === 'string');
}

/** The maximum number of records updated in the write itself, and in each later step. */
const maxStepSize = 40;

const initialStepSize = 10;

/** The pause between two steps, for other requests. */
const pauseMs = 1;

const job = 'placement';

/** The kinds that depend on the locations of their GVC, and those that depend on all locations. */
const kindsInGvc = ['workload', 'volumeset'] as const;
const kindsInOrg = ['gvc', 'ipset'] as const;

/** Where the next step starts. */
interface Position {
  /** Undefined for the whole org. */
  readonly gvc: string | undefined;
  /** The index of the next kind in the list above. */
  readonly at: number;
  readonly after?: Cursor;
}

/** The number of records that still fit into this step. */
interface StepBudget {
  left: number;
}

/**
 * Updates schedules, volumes and addresses for the current locations of a GVC, or of every GVC with a query. Records
 * that do not fit into the write are updated in steps, each its own job, so that other requests do not wait. A later
 * change starts again.
 */
function applyPlacement(platform: Platform, tx: Transaction, gvc?: string): void {
  // With a virtual clock no other request waits.
  const left = platform.service.clock.step === undefined ? maxStepSize : noLimit;
  const next = applyStep(platform, tx, { gvc, at: 0 }, { left });
  if (next === undefined) tx.unschedule(keyOf(gvc));
  else schedule(tx, platform.now() + pauseMs, next, initialStepSize);
}

export function continuePlacement({ platform, tx, atMs, lateMs }: JobWork, about: JsonObject): void {
  const startedMs = performance.now();
  const size = numberAt(about, 'size') ?? initialStepSize;
  const next = applyStep(platform, tx, positionIn(about), { left: size });
  if (next === undefined) return;
  schedule(tx, atMs + lateMs + pauseMs, next, nextBatch(size, performance.now() - startedMs, maxStepSize, stepMs));
}

/** Updates as many records as fit; returns the position of the next one. */
function applyStep(platform: Platform, tx: Transaction, from: Position, budget: StepBudget): Position | undefined {
  const { gvc } = from;
  const kinds = gvc === undefined ? kindsInOrg : kindsInGvc;
  for (const [at, kind] of kinds.entries()) {
    if (at < from.at) continue;
    const after = at === from.at ? from.after : undefined;
    const where = { kind, ...present({ gvc, after }) };
    const limit = budget.left;
    const rows = tx.select({ ...where, limit });
    const last = rows.at(-1);
    if (isContainer(kind)) {
      const stop = applyToGvcs(platform, tx, rows, budget);
      if (stop !== undefined) return { gvc, at, after: stop };
    } else {
      updateDependentStates(platform, tx, rows.map(refOfRow));
      budget.left -= rows.length;
    }
    if (budget.left <= 0 && last !== undefined) return { gvc, at, after: last };
  }
  return undefined;
}

/** Updates GVCs with their content; returns the last one that fits. */
function applyToGvcs(platform: Platform, tx: Transaction, gvcs: readonly Row[], budget: StepBudget): Row | undefined {
  for (const row of gvcs) {
    budget.left -= 1;
    if (locationQueryOf(row.record) !== undefined) {
      const begin = { gvc: row.name, at: 0 };
      const next = budget.left > 0 ? applyStep(platform, tx, begin, budget) : begin;
      if (next !== undefined) schedule(tx, platform.now() + pauseMs, next, initialStepSize);
    }
    if (budget.left <= 0) return row;
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
