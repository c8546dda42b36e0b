import { isObject, type JsonArray, type JsonObject, type JsonValue, own } from '../../../base/json/json.ts';
import { instantOf } from '../../../base/text/instant.ts';
import { lastSegment } from '../../../schema/record/links.ts';

/** A parsed command on one volume (platform/commands). Fields that its type does not have are empty or 0. */
export interface VolumeCommand {
  readonly type: string;
  readonly location: string;
  readonly index: number;
  /** GB. */
  readonly capacityGb: number;
  readonly timeoutMs: number;
  readonly snapshotName: string;
  /** Milliseconds since 1970; 0: not set. */
  readonly expiresMs: number;
  readonly tags: JsonArray;
  readonly zone: string;
}

export interface SpecProblem {
  /** The dotted path in the body of the command. */
  readonly path: string;
  readonly message: string;
}

/** The default timeout of a command: the one that the public client sends (platform/commands). */
export const usualTimeoutMs = 600_000;

type Reader = (value: JsonValue) => Partial<VolumeCommand> | string;

function number(value: JsonValue): number {
  // Clients also send numbers as text (platform/patch.clients).
  return typeof value === 'string' && value.trim() !== ''
    ? Number(value)
    : typeof value === 'number'
      ? value
      : Number.NaN;
}

function text(key: 'snapshotName' | 'zone', most: number): Reader {
  return (value) =>
    typeof value === 'string' && value.trim() !== '' && value.length <= most
      ? { [key]: value }
      : `must be text of 1 to ${most} characters`;
}

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [
    'location',
    (value) =>
      typeof value === 'string' && lastSegment(value) !== ''
        ? { location: lastSegment(value) }
        : 'must be the name of a location',
  ],
  [
    'volumeIndex',
    (value) => {
      const index = number(value);
      return Number.isInteger(index) && index >= 0 ? { index } : 'must be a whole number, 0 or more';
    },
  ],
  [
    'newStorageCapacity',
    (value) => {
      const capacityGb = number(value);
      return capacityGb > 0 && capacityGb < Number.POSITIVE_INFINITY ? { capacityGb } : 'must be a number of GB';
    },
  ],
  [
    'timeoutSeconds',
    (value) => {
      const seconds = number(value);
      return seconds > 0 && seconds <= 86_400
        ? { timeoutMs: Math.ceil(seconds * 1_000) }
        : 'must be more than 0 and at most 86400';
    },
  ],
  ['snapshotName', text('snapshotName', 128)],
  ['zone', text('zone', 64)],
  [
    'snapshotExpirationDate',
    (value) => {
      // Only a day alone needs no zone.
      const expiresMs =
        typeof value === 'string' ? instantOf(value, value.includes('T') ? undefined : 'UTC') : undefined;
      return expiresMs === undefined ? 'must be an ISO 8601 date' : { expiresMs };
    },
  ],
  [
    'snapshotTags',
    (value) => {
      const isPair = (tag: unknown) => isObject(tag) && Object.keys(tag).length === 1;
      if (!Array.isArray(value) || !value.every(isPair)) return 'must be a list of objects of one pair each';
      return { tags: value };
    },
  ],
]);

const place = ['location', 'volumeIndex'] as const;
const sized = { required: [...place, 'newStorageCapacity'], optional: ['timeoutSeconds'] } as const;
const named = { required: [...place, 'snapshotName'], optional: [] } as const;

interface CommandFields {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** The fields of each type that clients can send (platform/commands.types). */
const fields: ReadonlyMap<string, CommandFields> = new Map<string, CommandFields>([
  ['expandVolume', sized],
  ['shrinkVolume', sized],
  ['createVolumeSnapshot', { ...named, optional: ['snapshotExpirationDate', 'snapshotTags'] }],
  ['deleteVolumeSnapshot', named],
  ['restoreVolume', { ...named, optional: ['zone'] }],
  ['deleteVolume', { required: place, optional: [] }],
  ['replaceVolume', { required: place, optional: [] }],
]);

export function commandFields(type: string): CommandFields {
  return fields.get(type) ?? { required: [], optional: [] };
}

export const volumeCommandNames: readonly string[] = [...fields.keys()];

/** The command, or all problems of its spec. Optional fields that are null count as absent. */
export function readVolumeCommand(type: string, spec: JsonObject): VolumeCommand | readonly SpecProblem[] {
  const { required, optional } = commandFields(type);
  const problems: SpecProblem[] = [];
  let command: VolumeCommand = {
    type,
    location: '',
    index: 0,
    capacityGb: 0,
    timeoutMs: usualTimeoutMs,
    snapshotName: '',
    expiresMs: 0,
    tags: [],
    zone: '',
  };
  for (const key of Object.keys(spec)) {
    if (!required.includes(key) && !optional.includes(key)) {
      problems.push({ path: `spec.${key}`, message: `${type} has no field ${JSON.stringify(key)}` });
    }
  }
  for (const key of [...required, ...optional]) {
    const value = own(spec, key);
    if (value === undefined || (value === null && optional.includes(key))) {
      if (required.includes(key)) problems.push({ path: `spec.${key}`, message: 'is required' });
      continue;
    }
    const read = readers.get(key)?.(value) ?? 'is not known';
    if (typeof read === 'string') problems.push({ path: `spec.${key}`, message: read });
    else command = { ...command, ...read };
  }
  return problems.length > 0 ? problems : command;
}
