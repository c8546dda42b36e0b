import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { rolloutEvents } from '../../../src/server/audit/decisions/eventRecord.ts';
import { type LoggedVolume, volumeEvents } from '../../../src/server/volumes/state/volumeSetState.ts';

function volume(index: number, sizeGb: number, deleted = false, ...ids: readonly string[]): LoggedVolume {
  return { location: 'aws-us-east-1', index, sizeGb, deleted, snapshots: ids.map((id) => ({ id })) };
}

// biome-ignore format: a row is a case
test.each<[string, readonly LoggedVolume[], readonly LoggedVolume[], readonly string[]]>([
  ['nothing', [volume(0, 10)], [volume(0, 10)], []],
  ['a new one', [], [volume(0, 10)], ['volume created: volume 0 in aws-us-east-1, 10 GB']],
  ['a larger one', [volume(0, 10)], [volume(0, 20)], ['volume expanded: volume 0 in aws-us-east-1, 20 GB']],
  ['a smaller one', [volume(0, 20)], [volume(0, 10)], ['volume shrunk: volume 0 in aws-us-east-1, 10 GB']],
  ['one whose storage goes', [volume(0, 10)], [volume(0, 10, true)],
    ['volume deleted: volume 0 in aws-us-east-1, 10 GB']],
  ['one that comes back', [volume(0, 10, true)], [volume(0, 10)], ['volume created: volume 0 in aws-us-east-1, 10 GB']],
  ['one that is no longer there', [volume(0, 10)], [], ['volume deleted: volume 0 in aws-us-east-1, 10 GB']],
  ['one whose storage was gone already', [volume(0, 10, true)], [], []],
  ['a snapshot that is taken', [volume(0, 10, false, 'a')], [volume(0, 10, false, 'a', 'b')],
    ['snapshot created: volume 0 in aws-us-east-1, 10 GB']],
  ['one snapshot in the place of another', [volume(0, 10, false, 'a')], [volume(0, 10, false, 'b')],
    ['snapshot created: volume 0 in aws-us-east-1, 10 GB', 'snapshot deleted: volume 0 in aws-us-east-1, 10 GB']],
  ['several, each by itself', [volume(0, 10), volume(1, 10)], [volume(0, 10), volume(1, 30), volume(2, 10)],
    ['volume expanded: volume 1 in aws-us-east-1, 30 GB', 'volume created: volume 2 in aws-us-east-1, 10 GB']],
])('volumes: %s (platform/audit.event-log, platform/volumeset.status)', (_, before, after, told) => {
  expect(volumeEvents(before, after).map(({ status, message }) => `${status}: ${message}`)).toEqual(told);
});

const rollout: JsonObject = { rollout: { sinceMs: 1_000, takesMs: 500 } };
const ofType = (type: string): JsonObject => ({ name: 'w', spec: { type } });

test('a rollout has a beginning and an end, each with the version that it is about (platform/lifecycle.deployment)', () => {
  const told = rolloutEvents(ofType('standard'), rollout, 3);
  expect(told.map(({ atMs, event }) => [atMs, event.status, event.message])).toEqual([
    [1_000, 'rollout started', 'version 3'],
    [1_500, 'rollout ready', 'version 3'],
  ]);
});

test('a cron workload has no rollout, and without one there is nothing to tell', () => {
  expect(rolloutEvents(ofType('cron'), rollout, 3)).toEqual([]);
  expect(rolloutEvents(ofType('standard'), {}, 3)).toEqual([]);
});
