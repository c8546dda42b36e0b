import { isObject, type JsonObject, listAt, numberAt, objectAt, stringAt } from '../../base/json/json.ts';
import { bytesPerGb } from '../../schema/facts/limits.ts';
import type { KindStatus } from './status.ts';

/**
 * From the words that matter most (platform/volumeset.status): while a volume is made or repaired its replica does not
 * run.
 */
const words = ['repairing', 'creating', 'bound', 'unbound', 'unused'] as const;
const underWay: ReadonlySet<string> = new Set(['repairing', 'creating']);

/** A volume set: what its volumes are doing, and how full they are. */
export function volumeStatus(record: JsonObject): KindStatus {
  const places = listAt(objectAt(record, 'status'), 'locations').filter(isObject);
  const volumes = places
    .flatMap((place) => listAt(place, 'volumes'))
    .filter(isObject)
    .filter((volume) => stringAt(volume, 'lifecycle') !== 'deleted');
  const health = words.find((word) => volumes.some((volume) => stringAt(volume, 'lifecycle') === word));
  const sum = (key: string): number => volumes.reduce((total, volume) => total + (numberAt(volume, key) ?? 0), 0);
  const count = volumes.filter((volume) => underWay.has(stringAt(volume, 'lifecycle') ?? '')).length;
  return {
    state: count > 0 ? 'not-ready' : 'ready',
    health: health ?? (volumes.length === 0 ? 'empty' : 'unknown'),
    reasons: count === 0 ? [] : [`${count} of ${volumes.length} volumes are not usable yet`],
    volumes: { count: volumes.length, capacityGb: sum('currentSize'), usedGb: sum('currentBytesUsed') / bytesPerGb },
  };
}
