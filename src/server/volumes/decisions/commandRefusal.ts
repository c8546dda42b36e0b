import { type JsonObject, objectAt, stringAt } from '../../../base/json/json.ts';
import { capacityBounds } from '../../../kinds/volumeset/rules.ts';
import type { ErrorCode } from '../../../schema/facts/errorCodes.ts';
import type { VolumeCommand } from './commandSpec.ts';
import { usedGb } from './nextGrowth.ts';
import { isShared } from './reconcileVolumes.ts';
import { findVolume, type Volume } from './volume.ts';

export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

export interface CommandFacts {
  readonly volumeSet: JsonObject;
  readonly volumes: readonly Volume[];
  readonly nowMs: number;
  /** Names of snapshots of this volume that other commands are creating. */
  readonly namesInWork: readonly string[];
  /** Expansions of one volume by command in 24 hours; undefined: no limit. */
  readonly expandLimit: number | undefined;
}

const dayMs = 86_400_000;

/** The free space on a volume after it was shrunk (platform/commands, rule V13). */
const spareShare = 0.05;

/**
 * Why a command cannot be carried out; undefined: it can. Checked when it is sent, and again before it runs, as earlier
 * commands may have changed the volume. Source: platform/commands, platform/volumeset.
 */
export function commandRefusal(command: VolumeCommand, facts: CommandFacts): Refusal | undefined {
  const { type, location, index } = command;
  const { volumeSet, volumes } = facts;
  if (isShared(volumeSet) && type !== 'expandVolume') {
    return { code: 'command_refused', message: `${type} is not supported on a shared volume set` };
  }
  const here = volumes.filter((volume) => volume.location === location);
  if (here.length === 0)
    return { code: 'not_found', message: `the volume set has no volumes in ${JSON.stringify(location)}` };
  const volume = findVolume(here, command);
  if (volume === undefined) return { code: 'not_found', message: `there is no volume ${index} in ${location}` };
  // The snapshots of a deleted volume still exist.
  if (volume.deleted && type !== 'restoreVolume' && type !== 'deleteVolumeSnapshot') {
    return { code: 'not_found', message: `the volume ${index} in ${location} is deleted` };
  }
  return refusalByType(command, volume, facts);
}

function refusalByType(command: VolumeCommand, volume: Volume, facts: CommandFacts): Refusal | undefined {
  switch (command.type) {
    case 'expandVolume':
      return outOfBounds(command, facts.volumeSet) ?? refusedExpansion(command, volume, facts);
    case 'shrinkVolume':
      return outOfBounds(command, facts.volumeSet) ?? refusedShrinking(command, volume, facts);
    case 'createVolumeSnapshot':
      return refusedSnapshot(command, volume, facts);
    case 'deleteVolumeSnapshot':
    case 'restoreVolume':
      return unknownSnapshot(command, volume);
    default:
      return undefined;
  }
}

function outOfBounds({ capacityGb }: VolumeCommand, volumeSet: JsonObject): Refusal | undefined {
  const performanceClass = stringAt(objectAt(volumeSet, 'spec'), 'performanceClass');
  const { least, most } = capacityBounds(performanceClass);
  if (capacityGb >= least && capacityGb <= most) return undefined;
  const bounds = `${performanceClass ?? 'a volume'} has ${least} to ${most} GB`;
  return { code: 'command_refused', message: `newStorageCapacity is ${capacityGb} GB; ${bounds}` };
}

function refusedExpansion(
  { capacityGb, index, location }: VolumeCommand,
  volume: Volume,
  { expandLimit, nowMs }: CommandFacts,
): Refusal | undefined {
  if (capacityGb <= volume.sizeGb) {
    return {
      code: 'command_refused',
      message: `newStorageCapacity is ${capacityGb} GB, but the volume already has ${volume.sizeGb} GB`,
    };
  }
  if (expandLimit === undefined || recentExpansions(volume, nowMs).length < expandLimit) return undefined;
  const text = `the volume ${index} in ${location} was expanded ${expandLimit} times within 24 hours`;
  return { code: 'expansion_limit', message: text };
}

/** The expansions that the limit of 24 hours counts. */
export function recentExpansions({ expandedMs }: Volume, nowMs: number): readonly number[] {
  return expandedMs.filter((atMs) => atMs > nowMs - dayMs);
}

function refusedShrinking({ capacityGb }: VolumeCommand, volume: Volume, { nowMs }: CommandFacts): Refusal | undefined {
  if (capacityGb >= volume.sizeGb) {
    return {
      code: 'command_refused',
      message: `newStorageCapacity is ${capacityGb} GB, but the volume has only ${volume.sizeGb} GB`,
    };
  }
  const neededGb = Math.round(usedGb(volume, nowMs) * (1 + spareShare) * 1e9) / 1e9;
  if (neededGb <= capacityGb) return undefined;
  const text = `newStorageCapacity is ${capacityGb} GB; the used space plus 5 % is ${neededGb} GB`;
  return { code: 'command_refused', message: text };
}

function refusedSnapshot(
  { snapshotName, expiresMs }: VolumeCommand,
  { snapshots }: Volume,
  { namesInWork, nowMs }: CommandFacts,
): Refusal | undefined {
  if (snapshots.some(({ name }) => name === snapshotName) || namesInWork.includes(snapshotName)) {
    return { code: 'already_exists', message: `the volume already has a snapshot ${JSON.stringify(snapshotName)}` };
  }
  if (expiresMs === 0 || expiresMs > nowMs) return undefined;
  return { code: 'command_refused', message: 'snapshotExpirationDate is in the past' };
}

function unknownSnapshot({ snapshotName }: VolumeCommand, { snapshots }: Volume): Refusal | undefined {
  if (snapshots.some(({ name }) => name === snapshotName)) return undefined;
  return { code: 'not_found', message: `the volume has no snapshot ${JSON.stringify(snapshotName)}` };
}
