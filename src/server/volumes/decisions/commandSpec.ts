import { converted, map, object, optional as optionalMember, type Reader, textLike } from '../../../base/form/read.ts';
import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  objectAt,
  stringAt,
} from '../../../base/json/json.ts';
import { compact } from '../../../base/json/present.ts';
import { instantOf } from '../../../base/text/instant.ts';
import { capacityBounds } from '../../../kinds/volumeset/rules.ts';
import type { ErrorCode } from '../../../schema/facts/errorCodes.ts';
import { lastSegment } from '../../../schema/record/ref.ts';
import { usedGb } from './growth.ts';
import { isShared } from './reconcileVolumes.ts';
import { findVolume, type Volume } from './volume.ts';

/** A parsed command on one volume (platform/commands). Fields that its type lacks are empty or 0. */
export interface VolumeCommand {
  readonly type: string;
  readonly location: string;
  readonly index: number;
  /** In GB. */
  readonly capacityGb: number;
  readonly timeoutMs: number;
  readonly snapshotName: string;
  /** Milliseconds since 1970; 0 if not set. */
  readonly expiresMs: number;
  readonly tags: JsonArray;
  readonly zone: string;
}

/** The default timeout of a command, which the public client also sends (platform/commands). */
export const defaultTimeoutMs = 600_000;

function toNumber(value: JsonValue): number {
  // Clients also send numbers as text (platform/patch.clients).
  return typeof value === 'string' && value.trim() !== ''
    ? Number(value)
    : typeof value === 'number'
      ? value
      : Number.NaN;
}

/** Reads a number that passes the test. */
function numberReader(isValid: (given: number) => boolean, expected: string, schema: JsonObject): Reader<number> {
  return converted((given) => (isValid(toNumber(given)) ? toNumber(given) : undefined), expected, schema);
}

const isPair = (tag: unknown) => isObject(tag) && Object.keys(tag).length === 1;

/** The reader of each field of a spec, which returns fields of the command. */
const fieldReaders: Readonly<Record<string, Reader<Partial<VolumeCommand>>>> = {
  location: map(
    textLike((given) => lastSegment(given) !== '', 'the name of a location', {
      type: 'string',
      minLength: 1,
      description: 'The name of a location, or a link to it',
    }),
    (link) => ({ location: lastSegment(link) }),
  ),
  volumeIndex: map(
    numberReader((index) => Number.isInteger(index) && index >= 0, 'a whole number, 0 or more', {
      type: ['integer', 'string'],
      description: 'The index of the replica; 0 for a shared set',
    }),
    (index) => ({ index }),
  ),
  newStorageCapacity: map(
    numberReader((gb) => gb > 0 && gb < Number.POSITIVE_INFINITY, 'a number of GB', {
      type: ['number', 'string'],
      description: 'GB in total',
    }),
    (capacityGb) => ({ capacityGb }),
  ),
  timeoutSeconds: map(
    numberReader((seconds) => seconds > 0 && seconds <= 86_400, 'more than 0 and at most 86400', {
      type: ['number', 'string'],
      description: 'Default: 600',
    }),
    (seconds) => ({ timeoutMs: Math.ceil(seconds * 1_000) }),
  ),
  snapshotName: map(labelReader(128), (snapshotName) => ({ snapshotName })),
  zone: map(labelReader(64), (zone) => ({ zone })),
  snapshotExpirationDate: map(
    converted(
      // Only a day without a time needs no zone.
      (given) => (typeof given === 'string' ? instantOf(given, given.includes('T') ? undefined : 'UTC') : undefined),
      'an ISO 8601 date',
      { type: 'string', description: 'ISO 8601' },
    ),
    (expiresMs) => ({ expiresMs }),
  ),
  snapshotTags: map(
    converted(
      (given) => (isArray(given) && given.every(isPair) ? given : undefined),
      'a list of objects of one pair each',
      { type: 'array', items: { type: 'object' }, description: 'Objects of one pair each' },
    ),
    (tags) => ({ tags }),
  ),
};

function labelReader(most: number): Reader<string> {
  const isLabel = (given: string) => given.trim() !== '' && given.length <= most;
  return textLike(isLabel, `text of 1 to ${most} characters`, { type: 'string', minLength: 1, maxLength: most });
}

const volumeFields = ['location', 'volumeIndex'] as const;
const resizeFields = { required: [...volumeFields, 'newStorageCapacity'], optional: ['timeoutSeconds'] } as const;
const snapshotFields = { required: [...volumeFields, 'snapshotName'], optional: [] } as const;

interface CommandFields {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** The fields of each type that clients can send (platform/commands.types). */
const fieldsByType: ReadonlyMap<string, CommandFields> = new Map<string, CommandFields>([
  ['expandVolume', resizeFields],
  ['shrinkVolume', resizeFields],
  ['createVolumeSnapshot', { ...snapshotFields, optional: ['snapshotExpirationDate', 'snapshotTags'] }],
  ['deleteVolumeSnapshot', snapshotFields],
  ['restoreVolume', { ...snapshotFields, optional: ['zone'] }],
  ['deleteVolume', { required: volumeFields, optional: [] }],
  ['replaceVolume', { required: volumeFields, optional: [] }],
]);

const defaults = {
  location: '',
  index: 0,
  capacityGb: 0,
  timeoutMs: defaultTimeoutMs,
  snapshotName: '',
  expiresMs: 0,
  tags: [],
  zone: '',
} as const;

/** The reader of each type's spec. */
export const volumeCommandReaders: ReadonlyMap<string, Reader<VolumeCommand>> = new Map(
  [...fieldsByType].map(([type, { required, optional }]) => {
    const members = compact(
      [...required, ...optional],
      (key): readonly [string, Reader<Partial<VolumeCommand>>] | undefined => {
        const reader = fieldReaders[key];
        return reader === undefined ? undefined : [key, required.includes(key) ? reader : optionalMember(reader)];
      },
    );
    const spec = object(Object.fromEntries(members));
    return [type, map(spec, (read) => Object.assign({ type, ...defaults }, ...Object.values(read)))] as const;
  }),
);

interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

interface CommandFacts {
  readonly volumeSet: JsonObject;
  readonly volumes: readonly Volume[];
  readonly nowMs: number;
  /** Names of snapshots that other commands are creating of this volume. */
  readonly pendingSnapshotNames: readonly string[];
  /** Expansions of one volume by command in 24 hours; undefined if unlimited. */
  readonly expandLimit: number | undefined;
}

const dayMs = 86_400_000;

/** The free share of a volume after shrinking (platform/commands, rule V13). */
const spareShare = 0.05;

/**
 * The reason why a command cannot run; undefined if it can. Checked when it is sent and again before it runs, because
 * earlier commands may have changed the volume. Source: platform/commands, platform/volumeset.
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
      return capacityRefusal(command, facts.volumeSet) ?? expansionRefusal(command, volume, facts);
    case 'shrinkVolume':
      return capacityRefusal(command, facts.volumeSet) ?? shrinkRefusal(command, volume, facts);
    case 'createVolumeSnapshot':
      return snapshotRefusal(command, volume, facts);
    case 'deleteVolumeSnapshot':
    case 'restoreVolume':
      return missingSnapshotRefusal(command, volume);
    default:
      return undefined;
  }
}

function capacityRefusal({ capacityGb }: VolumeCommand, volumeSet: JsonObject): Refusal | undefined {
  const performanceClass = stringAt(objectAt(volumeSet, 'spec'), 'performanceClass');
  const { least, most } = capacityBounds(performanceClass);
  if (capacityGb >= least && capacityGb <= most) return undefined;
  const bounds = `${performanceClass ?? 'a volume'} has ${least} to ${most} GB`;
  return { code: 'command_refused', message: `newStorageCapacity is ${capacityGb} GB; ${bounds}` };
}

function expansionRefusal(
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

/** The times of the expansions that count for the limit of 24 hours. */
export function recentExpansions({ expandedMs }: Volume, nowMs: number): readonly number[] {
  return expandedMs.filter((atMs) => atMs > nowMs - dayMs);
}

function shrinkRefusal({ capacityGb }: VolumeCommand, volume: Volume, { nowMs }: CommandFacts): Refusal | undefined {
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

function snapshotRefusal(
  { snapshotName, expiresMs }: VolumeCommand,
  { snapshots }: Volume,
  { pendingSnapshotNames, nowMs }: CommandFacts,
): Refusal | undefined {
  if (snapshots.some(({ name }) => name === snapshotName) || pendingSnapshotNames.includes(snapshotName)) {
    return { code: 'already_exists', message: `the volume already has a snapshot ${JSON.stringify(snapshotName)}` };
  }
  if (expiresMs === 0 || expiresMs > nowMs) return undefined;
  return { code: 'command_refused', message: 'snapshotExpirationDate is in the past' };
}

function missingSnapshotRefusal({ snapshotName }: VolumeCommand, { snapshots }: Volume): Refusal | undefined {
  if (snapshots.some(({ name }) => name === snapshotName)) return undefined;
  return { code: 'not_found', message: `the volume has no snapshot ${JSON.stringify(snapshotName)}` };
}
