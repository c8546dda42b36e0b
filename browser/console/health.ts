import { isObject, type JsonObject, listAt, numberAt, objectAt, stringAt } from '../../src/base/json/json.ts';
import type { Tone } from '../../src/change/words.ts';
import { bytesPerGb } from '../../src/schema/facts/limits.ts';

export interface Health {
  readonly word: string;
  readonly tone: Tone;
}

const readinessWords: Readonly<Record<string, Health>> = {
  ready: { word: 'ready', tone: 'add' },
  partial: { word: 'partly ready', tone: 'change' },
  notReady: { word: 'not ready', tone: 'remove' },
  suspended: { word: 'suspended', tone: 'faint' },
  unknown: { word: 'unknown', tone: 'faint' },
};

/** The health of a record; undefined if its kind has none. The words are those of the platform, if known. */
export function healthOf(record: JsonObject): Health | undefined {
  switch (record['kind']) {
    case 'workload': {
      const readiness = stringAt(objectAt(record, 'health'), 'readiness') ?? 'unknown';
      return Object.hasOwn(readinessWords, readiness) ? readinessWords[readiness] : { word: readiness, tone: 'change' };
    }
    case 'domain': {
      const word = stringAt(objectAt(record, 'status'), 'status');
      if (word === undefined) return undefined;
      return { word, tone: word === 'ready' ? 'add' : word === 'errored' ? 'remove' : 'change' };
    }
    case 'volumeset': {
      const fullest = Math.max(0, ...volumesOf(record).map(({ usedGb, sizeGb }) => (sizeGb > 0 ? usedGb / sizeGb : 0)));
      return { word: `${Math.round(100 * fullest)} % full`, tone: toneOfFullness(fullest) };
    }
    default:
      return undefined;
  }
}

export function toneOfFullness(share: number): Tone {
  if (share >= 0.95) return 'remove';
  return share >= 0.8 ? 'change' : 'add';
}

/** The number of records for each word, worst first. */
export function healthCounts(records: readonly JsonObject[]): readonly (Health & { readonly count: number })[] {
  const healths = records.flatMap((record) => healthOf(record) ?? []);
  return [...Map.groupBy(healths, ({ word }) => word).values()]
    .flatMap((same) => (same[0] === undefined ? [] : [{ ...same[0], count: same.length }]))
    .toSorted((a, b) => badness.indexOf(b.tone) - badness.indexOf(a.tone) || (a.word < b.word ? -1 : 1));
}

const badness: readonly Tone[] = ['faint', 'add', 'change', 'remove'];

export interface VolumeNow {
  readonly location: string;
  readonly index: number;
  readonly lifecycle: string;
  readonly sizeGb: number;
  readonly usedGb: number;
  readonly snapshots: number;
}

/** The current volumes of a volume set. */
export function volumesOf(record: JsonObject): readonly VolumeNow[] {
  return listAt(objectAt(record, 'status'), 'locations')
    .filter(isObject)
    .flatMap((location) =>
      listAt(location, 'volumes')
        .filter(isObject)
        .map((volume) => ({
          location: stringAt(location, 'name') ?? '',
          index: numberAt(volume, 'index') ?? 0,
          lifecycle: stringAt(volume, 'lifecycle') ?? '',
          sizeGb: numberAt(volume, 'currentSize') ?? 0,
          usedGb: (numberAt(volume, 'currentBytesUsed') ?? 0) / bytesPerGb,
          snapshots: listAt(volume, 'volumeSnapshots').length,
        })),
    );
}
