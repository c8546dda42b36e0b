import { type JsonObject, objectAt, own, sameJson, stringAt } from '../../../base/json/json.ts';
import { activeCommands } from '../../audit/activeCommands.ts';
import type { EventFacts } from '../../audit/decisions/eventRecord.ts';
import { addEvent } from '../../audit/eventLog.ts';
import type { UnitOfWork } from '../../core/session.ts';
import { nextTime } from '../../cron/decisions/schedule.ts';
import type { Row, Transaction } from '../../store/model/row.ts';
import { growthPolicy, nextGrowthMs } from '../decisions/growth.ts';
import { isShared } from '../decisions/reconcileVolumes.ts';
import { nextExpiryMs } from '../decisions/snapshots.ts';
import { knownSizes, withoutOldSpans } from '../decisions/usage.ts';
import { readVolumes, type Volume, volumeKey } from '../decisions/volume.ts';

/**
 * Stores the volumes of a set and schedules their work. Returns the changed row, with the same version
 * (platform/concepts.version).
 */
export function storeVolumes(work: UnitOfWork, row: Row, volumes: readonly Volume[]): Row {
  const nowMs = work.platform.now();
  for (const event of volumeEvents(readVolumes(row.state), volumes)) addEvent(work, row, event);
  const kept = volumes.map((volume) => ({
    ...volume,
    usage: withoutOldSpans(volume.usage, nowMs),
    sizes: withoutOldSpans(knownSizes(volume.sizes, volume.sizeGb, nowMs), nowMs),
  }));
  const state = rescheduleJobs(work, row, { ...row.state, volumes: kept }, kept);
  if (!sameJson(state, row.state)) work.tx.updateState(row, state);
  return { ...row, state };
}

/** Reschedules growth, snapshots and their expiry. Returns the state with their data. */
function rescheduleJobs(work: UnitOfWork, row: Row, state: JsonObject, volumes: readonly Volume[]): JsonObject {
  scheduleGrowth(work, row, volumes);
  const expiryMs = nextExpiryMs(volumes);
  const key = `volumeset/${row.uid}/expiry`;
  if (expiryMs === undefined) work.tx.unschedule(key);
  else work.tx.schedule({ key, atMs: expiryMs, job: 'volume.expiry', about: { uid: row.uid } });
  return rescheduleSnapshots(work, row, state);
}

function scheduleGrowth({ platform, tx }: UnitOfWork, row: Row, volumes: readonly Volume[]): void {
  const key = `volumeset/${row.uid}/growth`;
  const policy = growthPolicy(row.record);
  const growing = policy === undefined ? [] : growthCandidates(tx, row, volumes);
  if (policy === undefined || growing.length === 0) {
    tx.unschedule(key);
    return;
  }
  const atMs = nextGrowthMs(growing, policy, platform.now());
  tx.schedule({ key, atMs, job: 'volume.growth', about: { uid: row.uid } });
}

/** The volumes to check for growth, without those that are expanding and will be checked afterwards. */
export function growthCandidates(tx: Transaction, row: Row, volumes: readonly Volume[]): readonly Volume[] {
  const expanding = new Set(
    activeCommands(tx, row)
      .filter(({ command }) => command.type === 'expandVolume')
      .map(({ command }) => volumeKey(command)),
  );
  return volumes.filter((volume) => !volume.deleted && !expanding.has(volumeKey(volume)));
}

/**
 * Plans the next scheduled snapshot once per schedule: planning on each write would skip a snapshot that is just due.
 */
function rescheduleSnapshots({ platform, tx }: UnitOfWork, row: Row, state: JsonObject): JsonObject {
  const schedule = isShared(row.record) ? '' : scheduleOf(row);
  const { snapshotSchedule, ...others } = state;
  if ((snapshotSchedule ?? '') === schedule) return state;
  planSnapshots({ platform, tx }, row);
  return schedule === '' ? others : { ...state, snapshotSchedule: schedule };
}

function scheduleOf({ record }: Row): string {
  return stringAt(objectAt(objectAt(record, 'spec'), 'snapshots'), 'schedule') ?? '';
}

/** Schedules the next snapshots after now. */
export function planSnapshots({ platform, tx }: UnitOfWork, row: Row): void {
  const key = `volumeset/${row.uid}/snapshots`;
  const schedule = scheduleOf(row);
  const next = schedule === '' ? undefined : nextTime(schedule, platform.now());
  if (next?.ok === true) tx.schedule({ key, atMs: next.atMs, job: 'volume.snapshots', about: { uid: row.uid } });
  else tx.unschedule(key);
}

/** An existing volume set and its volumes, for scheduled work. */
export function findVolumeSet(
  tx: Transaction,
  about: JsonObject,
): { readonly row: Row; readonly volumes: readonly Volume[] } | undefined {
  const uid = own(about, 'uid');
  const row = typeof uid === 'string' ? tx.byUid('volumeset', uid) : undefined;
  return row === undefined ? undefined : { row, volumes: readVolumes(row.state) };
}

/** The data of a volume that its events contain. */
export interface LoggedVolume {
  readonly location: string;
  readonly index: number;
  readonly sizeGb: number;
  /** Whether its storage no longer exists. */
  readonly deleted: boolean;
  readonly snapshots: readonly { readonly id: string }[];
}

/**
 * The events of a set's volumes between two states, ordered by the later state (platform/audit.event-log,
 * platform/volumeset.status).
 */
export function volumeEvents(before: readonly LoggedVolume[], after: readonly LoggedVolume[]): readonly EventFacts[] {
  const known = new Map(before.map((volume) => [volumeKey(volume), volume]));
  const now = new Set(after.map(volumeKey));
  const removed = before.filter((volume) => !volume.deleted && !now.has(volumeKey(volume)));
  return [
    ...after.flatMap((volume) => {
      const was = known.get(volumeKey(volume));
      const statuses = [volumeChange(was, volume), ...snapshotEvents(was?.snapshots ?? [], volume.snapshots)];
      return statuses.filter((status) => status !== undefined).map((status) => volumeEvent(volume, status));
    }),
    ...removed.map((volume) => volumeEvent(volume, 'volume deleted')),
  ];
}

function volumeChange(before: LoggedVolume | undefined, after: LoggedVolume): string | undefined {
  if (before === undefined || before.deleted) return after.deleted ? undefined : 'volume created';
  if (after.deleted) return 'volume deleted';
  if (after.sizeGb === before.sizeGb) return undefined;
  return after.sizeGb > before.sizeGb ? 'volume expanded' : 'volume shrunk';
}

/** Snapshots that were created or have expired; several together give one event. */
function snapshotEvents(was: LoggedVolume['snapshots'], is: LoggedVolume['snapshots']): readonly string[] {
  const [before, now] = [new Set(was.map(({ id }) => id)), new Set(is.map(({ id }) => id))];
  return [
    ...(is.some(({ id }) => !before.has(id)) ? ['snapshot created'] : []),
    ...(was.some(({ id }) => !now.has(id)) ? ['snapshot deleted'] : []),
  ];
}

function volumeEvent({ location, index, sizeGb }: LoggedVolume, status: string): EventFacts {
  const message = `volume ${index} in ${location}, ${sizeGb} GB`;
  return { component: 'actuator', category: 'volume', status, location, message };
}
