import { At } from '../../base/form/read.ts';
import { type JsonObject, own, stringAt } from '../../base/json/json.ts';
import { activeCommands, commandOf, commandsOnVolume, pendingSnapshots } from '../audit/activeCommands.ts';
import { recordAudit } from '../audit/auditTrail.ts';
import {
  addCommand,
  type CommandState,
  type CommandType,
  changeCommand,
  findCommand,
  stageOf,
  statusOf,
} from '../audit/commandLog.ts';
import { aboutCommand } from '../audit/decisions/auditEvent.ts';
import { addEvent } from '../audit/eventLog.ts';
import { isTerminal } from '../commands/decisions/lifecycle.ts';
import { platformCaller } from '../core/caller.ts';
import type { JobWork } from '../core/job.ts';
import type { Session, UnitOfWork } from '../core/session.ts';
import { ApiFailure } from '../http/apiFailure.ts';
import { applyConsequences } from '../records/derived/consequences.ts';
import { Presenter } from '../records/shown/presenter.ts';
import { requireStorage } from '../records/shown/quotaUse.ts';
import { type Entry, type Row, refOfRow } from '../store/model/row.ts';
import {
  commandRefusal,
  defaultTimeoutMs,
  recentExpansions,
  type VolumeCommand,
  volumeCommandReaders,
} from './decisions/commandSpec.ts';
import { type Course, courseOf, nextStepMs, stepOf, type Timing } from './decisions/commandStages.ts';
import { type DeviceMaker, deviceMaker, newVolume } from './decisions/device.ts';
import { type GrowthTarget, growthAt, growthPolicy } from './decisions/growth.ts';
import { neededVolumes } from './decisions/reconcileVolumes.ts';
import { withSnapshot } from './decisions/snapshots.ts';
import { usageAfterReset } from './decisions/usage.ts';
import { findVolume, readVolumes, type Volume, volumeKey, withVolume } from './decisions/volume.ts';
import { lifecycleOf } from './decisions/volumeSetStatus.ts';
import { findVolumeSet, growthCandidates, storeVolumes } from './state/volumeSetState.ts';

/** The commands that clients can send to the volumes of a set (platform/commands). */
export const volumeCommands: readonly CommandType[] = [...volumeCommandReaders].map(([type, reader]) => ({
  owner: 'volumeset',
  type,
  spec: reader,
  begin: (session, row, { id, spec }) => begin(session, row, id, reader.read(spec, new At())),
}));

/** Creates the command as `pending` until earlier commands on the same volume have ended. */
function begin(session: Session, row: Row, id: string, command: VolumeCommand): CommandState {
  const { tx, platform } = session;
  const earlier = commandsOnVolume(activeCommands(tx, row), command);
  const volumes = readVolumes(row.state);
  const refusal = commandRefusal(command, {
    volumeSet: row.record,
    volumes,
    nowMs: platform.now(),
    pendingSnapshotNames: pendingSnapshots(earlier),
    expandLimit: platform.settings.expandLimit,
  });
  if (refusal !== undefined) throw new ApiFailure(refusal.code, refusal.message);

  if (command.type === 'expandVolume') {
    const { sizeGb = 0 } = findVolume(volumes, command) ?? {};
    requireStorage(tx, command.capacityGb - sizeGb);
    countExpansion(session, row, command);
  }
  if (earlier.length === 0) scheduleFirstStep(session, row, id, platform.settings.commandStageMs);
  return { lifecycleStage: 'pending', status: {} };
}

/** Counts an expansion by a client; those by the platform itself do not count (platform/commands.volumes). */
function countExpansion(session: Session, row: Row, command: VolumeCommand): void {
  const volumes = readVolumes(row.state);
  const volume = findVolume(volumes, command);
  if (volume === undefined) return;
  const nowMs = session.platform.now();
  const expandedMs = [...recentExpansions(volume, nowMs), nowMs];
  storeVolumes(session, row, withVolume(volumes, { ...volume, expandedMs }));
}

/** A running command with its progress. */
interface RunningCommand {
  readonly entry: Entry;
  readonly command: VolumeCommand;
  readonly course: Course;
  readonly timing: Timing;
  /** The index of the current step. */
  readonly at: number;
  /** Whether a replica used the volume when the command began. */
  readonly inUse: boolean;
}

export function scheduleFirstStep({ platform, tx }: UnitOfWork, row: Row, id: string, afterMs: number): void {
  tx.schedule({
    key: `command/${id}`,
    atMs: platform.now() + afterMs,
    job: 'volume.command',
    about: { uid: row.uid, id, at: 0 },
  });
}

/** Runs the next step of a command on a volume (platform/commands). `about`: {uid, id, at, startedMs, inUse}. */
export function stepVolumeCommand(work: JobWork, about: JsonObject): void {
  const entry = findCommand(work.tx, stringAt(about, 'id') ?? '');
  const found = findVolumeSet(work.tx, about);
  const command = entry === undefined ? undefined : commandOf(entry);
  if (entry === undefined || found === undefined || command === undefined) return;
  const { row } = found;
  // The command was cancelled while pending.
  if (isTerminal(stageOf(entry))) {
    startNext(work, storeVolumes(work, row, readVolumes(row.state)), command);
    return;
  }
  const [at, startedMs, inUse] = ['at', 'startedMs', 'inUse'].map((key) => own(about, key));
  if (typeof at === 'number' && at > 0 && typeof startedMs === 'number') {
    runStep(work, row, runningCommand(work, entry, command, { at, startedMs, inUse: inUse === true }));
  } else {
    startCommand(work, row, entry, command);
  }
}

function runningCommand(
  { platform }: UnitOfWork,
  entry: Entry,
  command: VolumeCommand,
  { at, startedMs, inUse }: { readonly at: number; readonly startedMs: number; readonly inUse: boolean },
): RunningCommand {
  const timing = { startedMs, stageMs: platform.settings.commandStageMs, timeoutMs: command.timeoutMs };
  return { entry, command, course: courseOf(entry.kind, inUse), timing, at, inUse };
}

/** Starts a command after repeating the checks of its creation, because the volume may have changed meanwhile. */
function startCommand(work: JobWork, row: Row, entry: Entry, command: VolumeCommand): void {
  const { platform, tx } = work;
  const volumes = readVolumes(row.state);
  const others = commandsOnVolume(activeCommands(tx, row), command).filter((active) => active.entry.id !== entry.id);
  const isBlocked = others.some((active) => active.entry.name === 'running');
  // The running command starts this one when it ends.
  if (isBlocked) return;
  const refusal = commandRefusal(command, {
    volumeSet: row.record,
    volumes,
    nowMs: platform.now(),
    pendingSnapshotNames: pendingSnapshots(others.filter((active) => active.entry.seq < entry.seq)),
    expandLimit: undefined,
  });
  const volume = findVolume(volumes, command);
  const needed = neededVolumes(row.record, new Presenter(platform, tx).mountersOf(row));
  const inUse = volume !== undefined && lifecycleOf(volume, needed.has(volumeKey(command)), platform.now()) === 'bound';
  const running = runningCommand(work, entry, command, { at: 0, startedMs: platform.now(), inUse });
  if (refusal !== undefined || volume === undefined) {
    const message = refusal?.message ?? 'the volume no longer exists';
    endCommand(work, row, running, {
      lifecycleStage: 'failed',
      status: { stage: running.course.failedStage, message },
    });
    return;
  }
  const occupied = running.course.detachesVolume ? { ...volume, inWorkBy: entry.id } : volume;
  runStep(work, storeVolumes(work, row, withVolume(volumes, occupied)), running);
}

function runStep(work: JobWork, row: Row, running: RunningCommand): void {
  const { platform, tx } = work;
  const { entry, command, course, timing, at, inUse } = running;
  const next = stepOf(course, at, platform.now(), timing);
  if (next.kind === 'timeout') {
    const message = `it did not finish within ${timing.timeoutMs / 1_000} seconds`;
    endCommand(work, row, running, { lifecycleStage: 'failed', status: { stage: course.failedStage, message } });
    return;
  }
  const after = next.takesEffect ? takeEffect(work, row, entry, command) : row;
  if (next.kind === 'completed') {
    endCommand(work, after, running, { lifecycleStage: 'completed', status: {} });
    return;
  }
  changeCommand(work, entry.id, { lifecycleStage: 'running', status: { ...statusOf(entry), stage: next.stage } });
  tx.schedule({
    key: `command/${entry.id}`,
    atMs: nextStepMs(platform.now(), timing),
    job: 'volume.command',
    about: { uid: row.uid, id: entry.id, at: at + 1, startedMs: timing.startedMs, inUse },
  });
}

function takeEffect(work: JobWork, row: Row, entry: Entry, command: VolumeCommand): Row {
  const { platform } = work;
  const volumes = readVolumes(row.state);
  const volume = findVolume(volumes, command);
  if (volume === undefined) return row;
  const after = commandEffect(command, volume, {
    volumeSet: row.record,
    maker: deviceMaker(platform, row),
    nowMs: platform.now(),
    newId: platform.newId(),
    isAutomatic: own(statusOf(entry), 'law') !== undefined,
  });
  // A command that detaches a volume occupies it until the command ends.
  return storeVolumes(work, row, withVolume(volumes, { ...after, inWorkBy: volume.inWorkBy }));
}

/** Ends the command: releases its volume, recreates it if a replica needs it, and starts the next command. */
function endCommand(
  work: JobWork,
  row: Row,
  { entry, command, course }: RunningCommand,
  { lifecycleStage, status: more }: { readonly lifecycleStage: 'completed' | 'failed'; readonly status: JsonObject },
): void {
  changeCommand(work, entry.id, { lifecycleStage, status: { ...statusOf(entry), ...more } });
  const volumes = readVolumes(row.state);
  const volume = findVolume(volumes, command);
  const freed: readonly Volume[] =
    volume?.inWorkBy === entry.id ? withVolume(volumes, { ...volume, inWorkBy: '' }) : volumes;
  const stored = storeVolumes(work, row, freed);
  if (course.detachesVolume) applyConsequences(work, [refOfRow(row)], []);
  if (lifecycleStage === 'failed') {
    const status = `${entry.kind} of the volume ${command.index} in ${command.location} failed`;
    addEvent(work, stored, { component: 'actuator', status });
  }
  startNext(work, stored, command);
}

function startNext(work: JobWork, row: Row, command: VolumeCommand): void {
  const waiting = commandsOnVolume(activeCommands(work.tx, row), command);
  const [next] = waiting;
  if (next !== undefined && next.entry.name === 'pending') scheduleFirstStep(work, row, next.entry.id, 0);
}

interface EffectFacts {
  readonly volumeSet: JsonObject;
  readonly maker: DeviceMaker;
  readonly nowMs: number;
  /** The id of the new snapshot. */
  readonly newId: string;
  /** Whether the platform itself issued the command. */
  readonly isAutomatic: boolean;
}

/** The volume after an accepted command (platform/volumeset.classes, platform/commands). */
function commandEffect(command: VolumeCommand, volume: Volume, facts: EffectFacts): Volume {
  const { volumeSet, maker, nowMs, newId, isAutomatic } = facts;
  const { capacityGb, snapshotName, expiresMs, tags } = command;
  switch (command.type) {
    case 'expandVolume':
      return { ...volume, sizeGb: capacityGb, grown: isAutomatic };
    case 'shrinkVolume':
      // Rule 8: the data is lost. The volume is recreated empty and smaller, and keeps its snapshots.
      return newVolume(maker, volumeSet, volume, { fromMs: nowMs, sizeGb: capacityGb, before: volume });
    case 'replaceVolume':
      return newVolume(maker, volumeSet, volume, { fromMs: nowMs, sizeGb: volume.sizeGb, before: volume });
    case 'deleteVolume':
      return { ...volume, deleted: true };
    case 'createVolumeSnapshot': {
      const request = { name: snapshotName, id: newId, expiresMs, tags, scheduled: false };
      return withSnapshot(volumeSet, volume, request, nowMs);
    }
    case 'deleteVolumeSnapshot':
      return { ...volume, snapshots: volume.snapshots.filter(({ name }) => name !== snapshotName) };
    case 'restoreVolume':
      return restoreVolume(command, volume, facts);
    default:
      return volume;
  }
}

/** Copies the snapshot to new storage, which is never smaller than the snapshot; later writes are lost. */
function restoreVolume({ snapshotName, zone }: VolumeCommand, volume: Volume, facts: EffectFacts): Volume {
  const snapshot = volume.snapshots.find(({ name }) => name === snapshotName);
  if (snapshot === undefined) return volume;
  const { volumeSet, maker, nowMs } = facts;
  const sizeGb = Math.max(volume.sizeGb, snapshot.sizeGb);
  const empty = newVolume(maker, volumeSet, volume, { fromMs: nowMs, sizeGb, before: volume });
  return {
    ...empty,
    abandoned: volume.abandoned,
    zone: zone === '' ? volume.zone : zone,
    usage: usageAfterReset(empty.usage, nowMs, snapshot.usedGb),
  };
}

/** Checks the volumes of a set, and starts an `expandVolume` for those that must grow (platform/volumeset.growth). */
export function growVolumes(work: UnitOfWork, row: Row): void {
  const { platform, tx } = work;
  const policy = growthPolicy(row.record);
  if (policy !== undefined) {
    for (const volume of growthCandidates(tx, row, readVolumes(row.state))) {
      const target = growthAt(volume, policy, platform.now());
      if (target !== undefined) startExpansion(work, row, volume, target);
    }
  }
  storeVolumes(work, row, readVolumes(row.state));
}

function startExpansion(
  { platform, tx }: UnitOfWork,
  row: Row,
  volume: Volume,
  { capacityGb, law }: GrowthTarget,
): void {
  const { location, index } = volume;
  const id = platform.newId();
  const type = 'expandVolume';
  const spec = {
    location,
    volumeIndex: index,
    newStorageCapacity: capacityGb,
    timeoutSeconds: defaultTimeoutMs / 1_000,
  };
  addCommand({ platform, tx }, row, { id, type, spec, tags: {} }, { lifecycleStage: 'pending', status: { law } });
  scheduleFirstStep({ platform, tx }, row, id, platform.settings.commandStageMs);
  const caller = platformCaller(platform);
  recordAudit({ platform, tx, caller }, undefined, {
    action: 'exec',
    kind: 'volumeset',
    row,
    about: aboutCommand(id, type, spec),
  });
  const status = `the volume ${index} in ${location} grows to ${capacityGb} GB`;
  addEvent({ platform, tx }, row, { component: 'actuator', status });
}
