import { expect, test } from 'vitest';
import type { Change } from '../../src/plan/model/change.ts';
import type { Plan } from '../../src/plan/model/plan.ts';
import { fakePlatform } from './harness/harness.ts';
import { change, patching, plan, ref, tags } from './harness/plans.ts';
import { planned, type RunRow, testRuns } from './harness/runText.ts';

const gvc = 'gvc/shop';
const group = 'group/people';

/** A plan for an endpoint that does not say whether it looks at versions. */
const unsaid = (...changes: readonly Change[]): Plan => ({ ...plan(...changes), preconditions: 'unsaid' });
const oneAtATime = { run: { concurrency: 1 } };

const two = 'patch gvc/shop at(3); patch group/p at(5)';

// biome-ignore format: a row is a case
const asked: readonly RunRow[] = [
  ['an endpoint that says it honours versions is not asked', two, '',
    'calls patch gvc/shop, patch group/p; notes nothing'],
  ['a platform that does not say whether it honours versions is asked once, ' +
      'with the smallest record that is patched anyway', two, '',
    'calls patch group/p, patch gvc/shop, patch group/p; now group/p@6=new, gvc/shop@4=new; notes nothing; ' +
      'verified true; requests 4', { unsaid: true }],
  ['without preconditions a write of somebody else since the plan is not overwritten', two, 'gvc/shop: edited(4)',
    'failed gvc/shop plan.stale; now group/p@6=new, gvc/shop@4=edited', { unsaid: true, ignoresVersions: true }],
  ['a lost reply there is recognised by what is there', two, 'patch gvc/shop: lost',
    'now group/p@6=new, gvc/shop@4=new', { unsaid: true, ignoresVersions: true }],
  ['a question whose answer is lost is asked again', two, 'patch group/p: lost, unsent',
    'done gvc/shop, group/p; notes nothing; requests 6', { unsaid: true }],
  ['write.pins: what others have written is not overwritten where id and version are refused', two,
    'gvc/shop: edited(4)', 'failed gvc/shop plan.stale; now group/p@6=new, gvc/shop@4=edited',
    { unsaid: true, refusesPins: true }],
  ['write.pins: a replacement is marked where id and version are refused', 'replace gvc/shop at(2) carries(tags.team)',
    '', 'done gvc/shop; verified true', { unsaid: true, refusesPins: true }],
  ['the question is no write of somebody else where the platform counts every PATCH as a change', two, '',
    'verified true; races nothing; now group/p@7=new, gvc/shop@4=new',
    { unsaid: true, ignoresVersions: true, countsEveryPatch: true, ...oneAtATime }],
  ['without preconditions the same patch for a moved record is written once', two, 'gvc/shop: touched(4)',
    'verified true; now group/p@6=new, gvc/shop@5=new', { unsaid: true, ignoresVersions: true, again: true }],
  ['an answer that says neither leads to reading and comparing', two, 'patch group/p: api.quota',
    'calls patch group/p, read gvc/shop, patch gvc/shop, read group/p, patch group/p',
    { unsaid: true, ...oneAtATime }],
  ['a record that is busy while it is asked with says nothing: it is asked again',
    'patch group/p at(5); patch gvc/shop at(3)', 'patch group/p: busy*2; read group/p: gvc/shop edited(4,theirs)',
    'failed gvc/shop plan.stale; now group/p@6=new, gvc/shop@4=theirs',
    { unsaid: true, ignoresVersions: true, ...oneAtATime }],
  ['a second step is asked for with the record that the first one made', 'create gvc/shop then()', '',
    'calls create gvc/shop, patch gvc/shop, patch gvc/shop', { unsaid: true }],
  ['without a PATCH nothing is asked', 'create gvc/shop', '', 'calls create gvc/shop', { unsaid: true }],
];

testRuns(asked);

test.each([
  ['write.preconditions: where it does not', { ignoresVersions: true }, 'accepts a PATCH for any version of a record'],
  [
    'write.pins: where it refuses id and version',
    { refusesPins: true },
    'refuses a PATCH that names the id and version of its record',
  ],
] as const)(
  '%s, each PATCH is sent after a read that shows the pinned version, and the result says so',
  async (_, options, does) => {
    const { platform, apply } = planned(two, { unsaid: true, ...options, ...oneAtATime });
    const { result } = await apply();
    expect(result).toMatchObject({ failed: [], verified: true });
    const pairs = ['gvc/shop', 'group/p'].flatMap((id) => [`read ${id}`, `patch ${id}`]);
    expect(platform.log).toEqual(['patch group/p', ...pairs, 'owned shop']);
    expect(result.notes).toEqual([
      `this platform ${does}: each record was read and compared directly before its write (2 reads more); a write of others in between goes unnoticed`,
    ]);
    expect(platform.at('group/p')?.version).toBe(6); // the question changed nothing
  },
);

test('what is adopted is not ours, so it is not asked with: a kept record is', async () => {
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

test('a version that rose by more than one shows that it was not honoured, whatever was said', async () => {
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

test('write.pins: where nothing could be asked, the first write finds it out', async () => {
  const { platform, apply } = fakePlatform({ refusesPins: true });
  const other = platform.put(ref(gvc), { description: 'old', tags: {} }, 2);
  const { result } = await apply(unsaid(patching(other, { description: 'new' }, { action: 'adopt' })));
  expect(platform.log).toEqual([`read ${gvc}`, `patch ${gvc}`, `patch ${gvc}`, 'owned shop']);
  expect(result).toMatchObject({ failed: [], verified: true });
});
