import { expect, test } from 'vitest';
import type { Change } from '../../src/plan/model/change.ts';
import type { Plan } from '../../src/plan/model/plan.ts';
import { fakePlatform } from './harness/harness.ts';
import { change, patching, plan, ref, tags } from './harness/plans.ts';
import { planned, type RunRow, testRuns } from './harness/runText.ts';

const gvc = 'gvc/shop';
const group = 'group/people';

/** A plan for an endpoint that does not report whether it checks versions. */
const unsaid = (...changes: readonly Change[]): Plan => ({ ...plan(...changes), preconditions: 'unsaid' });
const oneAtATime = { run: { concurrency: 1 } };

const two = 'patch gvc/shop at(3); patch group/p at(5)';

// biome-ignore format: a row is a case
const asked: readonly RunRow[] = [
  ['an endpoint that reports that it checks versions is not tested', two, '',
    'calls patch gvc/shop, patch group/p; notes nothing'],
  ['a platform that does not report whether it checks versions is tested once, with the smallest patched record', two, '',
    'calls patch group/p, patch gvc/shop, patch group/p; now group/p@6=new, gvc/shop@4=new; notes nothing; ' +
      'verified true; requests 4', { unsaid: true }],
  ['without preconditions, a write of others since the plan is not overwritten', two, 'gvc/shop: edited(4)',
    'failed gvc/shop plan.stale; now group/p@6=new, gvc/shop@4=edited', { unsaid: true, ignoresVersions: true }],
  ['without preconditions, a lost response is resolved by reading the record', two, 'patch gvc/shop: lost',
    'now group/p@6=new, gvc/shop@4=new', { unsaid: true, ignoresVersions: true }],
  ['a test request whose response is lost is repeated', two, 'patch group/p: lost, unsent',
    'done gvc/shop, group/p; notes nothing; requests 6', { unsaid: true }],
  ['write.pins: writes of others are not overwritten if id and version are refused', two,
    'gvc/shop: edited(4)', 'failed gvc/shop plan.stale; now group/p@6=new, gvc/shop@4=edited',
    { unsaid: true, refusesPins: true }],
  ['write.pins: a replacement is marked if id and version are refused', 'replace gvc/shop at(2) carries(tags.team)',
    '', 'done gvc/shop; verified true', { unsaid: true, refusesPins: true }],
  ['the test request is not a write of others if the platform counts every PATCH as a change', two, '',
    'verified true; races nothing; now group/p@7=new, gvc/shop@4=new',
    { unsaid: true, ignoresVersions: true, countsEveryPatch: true, ...oneAtATime }],
  ['without preconditions, the same patch for a changed record is written once', two, 'gvc/shop: touched(4)',
    'verified true; now group/p@6=new, gvc/shop@5=new', { unsaid: true, ignoresVersions: true, again: true }],
  ['an inconclusive response leads to a read and a comparison', two, 'patch group/p: api.quota',
    'calls patch group/p, read gvc/shop, patch gvc/shop, read group/p, patch group/p',
    { unsaid: true, ...oneAtATime }],
  ['a record that is busy at the test request is inconclusive: it is tested again',
    'patch group/p at(5); patch gvc/shop at(3)', 'patch group/p: busy*2; read group/p: gvc/shop edited(4,theirs)',
    'failed gvc/shop plan.stale; now group/p@6=new, gvc/shop@4=theirs',
    { unsaid: true, ignoresVersions: true, ...oneAtATime }],
  ['the test uses the record that the first step created if there is only a second step', 'create gvc/shop then()', '',
    'calls create gvc/shop, patch gvc/shop, patch gvc/shop', { unsaid: true }],
  ['without a PATCH there is no test', 'create gvc/shop', '', 'calls create gvc/shop', { unsaid: true }],
];

testRuns(asked);

// biome-ignore format: a row is a case
test.each([
  ['write.preconditions: if versions are ignored', { ignoresVersions: true },
    'accepts a PATCH for any version of a record'],
  ['write.pins: if id and version are refused', { refusesPins: true },
    'refuses a PATCH that names the id and version of its record'],
] as const)(
  '%s, each PATCH follows a read of the pinned version, and the result notes it',
  async (_, options, does) => {
    const { platform, apply } = planned(two, { unsaid: true, ...options, ...oneAtATime });
    const { result } = await apply();
    expect(result).toMatchObject({ failed: [], verified: true });
    const pairs = ['gvc/shop', 'group/p'].flatMap((id) => [`read ${id}`, `patch ${id}`]);
    expect(platform.log).toEqual(['patch group/p', ...pairs, 'owned shop']);
    expect(result.notes).toEqual([
      `this platform ${does}: each record was read and compared directly before its write (2 reads more); a write of others in between goes unnoticed`,
    ]);
    expect(platform.at('group/p')?.version).toBe(6); // The test request changed nothing.
  },
);

test('an adopted record is not used for the test, as it is not owned: a kept record is', async () => {
  const { platform, apply } = fakePlatform();
  const found = platform.put(ref(gvc), { description: 'old', tags: {} }, 2);
  const kept = platform.put(ref(group), { description: 'old', tags: tags(group) });
  const adopting = patching(found, { description: 'new' }, { action: 'adopt' });
  const keeping = change(group, { action: 'keep', liveUid: kept.uid, liveVersion: kept.version });
  await apply(unsaid(adopting, keeping));
  expect(platform.log).toEqual([`patch ${group}`, `patch ${gvc}`, 'owned shop']);
  expect(platform.at(group)?.version).toBe(1);

  const alone = fakePlatform();
  const other = alone.platform.put(ref(gvc), { description: 'old', tags: {} }, 2);
  await alone.apply(unsaid(patching(other, { description: 'new' }, { action: 'adopt' })));
  expect(alone.platform.log).toEqual([`read ${gvc}`, `patch ${gvc}`, 'owned shop']);
});

test('a version that rose by more than one proves that it was ignored, whatever was reported', async () => {
  const { platform, apply } = fakePlatform({ ignoresVersions: true });
  const shop = platform.put(ref(gvc), { description: 'old', tags: tags(gvc, 3) }, 3);
  const people = platform.put(ref(group), { description: 'old', tags: tags(group, 5) }, 5);
  platform.put(ref(gvc), { description: 'old', alias: 'x', tags: tags(gvc, 3) }, 4, shop.uid);
  const made = plan(patching(shop, { description: 'of the shop' }), patching(people, { description: 'new' }));
  const { result } = await apply(made, { concurrency: 1, replan: () => undefined });
  expect(result).toMatchObject({ failed: [], races: [{ id: gvc, outcome: 'written', from: 3 }] });
  expect(platform.log).toEqual([`patch ${gvc}`, `read ${group}`, `patch ${group}`, 'owned shop']);
  expect(result.notes).toHaveLength(1);
});

test('write.pins: without a test request, the first write finds it out', async () => {
  const { platform, apply } = fakePlatform({ refusesPins: true });
  const other = platform.put(ref(gvc), { description: 'old', tags: {} }, 2);
  const { result } = await apply(unsaid(patching(other, { description: 'new' }, { action: 'adopt' })));
  expect(platform.log).toEqual([`read ${gvc}`, `patch ${gvc}`, `patch ${gvc}`, 'owned shop']);
  expect(result).toMatchObject({ failed: [], verified: true });
});

test('write.pins: a PATCH without id and version that meets a busy record is sent again', async () => {
  const { platform, apply } = fakePlatform({ refusesPins: true });
  const other = platform.put(ref(gvc), { description: 'old', tags: {} }, 2);
  const pass = { kind: 'meanwhile', happens: () => {} } as const;
  platform.fault('patch', gvc, pass, { kind: 'error', code: 'api.conflict' });
  const { result } = await apply(unsaid(patching(other, { description: 'new' }, { action: 'adopt' })));
  expect(result).toMatchObject({ done: [gvc], failed: [], verified: true });
});
