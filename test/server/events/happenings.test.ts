import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { rolloutEvents } from '../../../src/server/audit/decisions/eventRecord.ts';
import { type LoggedVolume, volumeEvents } from '../../../src/server/volumes/state/volumeSetState.ts';

function volume(index: number, sizeGb: number, deleted = false, ...ids: readonly string[]): LoggedVolume {
  return { location: 'aws-us-east-1', index, sizeGb, deleted, snapshots: ids.map((id) => ({ id })) };
}

// biome-ignore format: a row is a case
test.each<[string, readonly LoggedVolume[], readonly LoggedVolume[], readonly string[]]>([
  ['no event for no change', [volume(0, 10)], [volume(0, 10)], []],
  ['a new volume', [], [volume(0, 10)], ['volume created: volume 0 in aws-us-east-1, 10 GB']],
  ['a larger volume', [volume(0, 10)], [volume(0, 20)], ['volume expanded: volume 0 in aws-us-east-1, 20 GB']],
  ['a smaller volume', [volume(0, 20)], [volume(0, 10)], ['volume shrunk: volume 0 in aws-us-east-1, 10 GB']],
  ['a volume whose storage is deleted', [volume(0, 10)], [volume(0, 10, true)],
    ['volume deleted: volume 0 in aws-us-east-1, 10 GB']],
  ['a volume that is created again', [volume(0, 10, true)], [volume(0, 10)], ['volume created: volume 0 in aws-us-east-1, 10 GB']],
  ['a volume that is removed', [volume(0, 10)], [], ['volume deleted: volume 0 in aws-us-east-1, 10 GB']],
  ['no event for a removed volume whose storage was already deleted', [volume(0, 10, true)], [], []],
  ['a new snapshot', [volume(0, 10, false, 'a')], [volume(0, 10, false, 'a', 'b')],
    ['snapshot created: volume 0 in aws-us-east-1, 10 GB']],
  ['a snapshot that replaces another', [volume(0, 10, false, 'a')], [volume(0, 10, false, 'b')],
    ['snapshot created: volume 0 in aws-us-east-1, 10 GB', 'snapshot deleted: volume 0 in aws-us-east-1, 10 GB']],
  ['one event for each of several changes', [volume(0, 10), volume(1, 10)], [volume(0, 10), volume(1, 30), volume(2, 10)],
    ['volume expanded: volume 1 in aws-us-east-1, 30 GB', 'volume created: volume 2 in aws-us-east-1, 10 GB']],
])('events of volumes: %s (platform/audit.event-log, platform/volumeset.status)', (_, before, after, told) => {
  expect(volumeEvents(before, after).map(({ status, message }) => `${status}: ${message}`)).toEqual(told);
});

const rollout: JsonObject = { rollout: { sinceMs: 1_000, takesMs: 500 } };
const ofType = (type: string): JsonObject => ({ name: 'w', spec: { type } });

test('a rollout has an event for its start and one for its end, each with its version (platform/lifecycle.deployment)', () => {
  const told = rolloutEvents(ofType('standard'), rollout, 3);
  expect(told.map(({ atMs, event }) => [atMs, event.status, event.message])).toEqual([
    [1_000, 'rollout started', 'version 3'],
    [1_500, 'rollout ready', 'version 3'],
  ]);
});

test('a cron workload, and a workload without a rollout, have no rollout events', () => {
  expect(rolloutEvents(ofType('cron'), rollout, 3)).toEqual([]);
  expect(rolloutEvents(ofType('standard'), {}, 3)).toEqual([]);
});
