import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/plan/model/change.ts';
import type { Plan } from '../../src/plan/model/plan.ts';
import { failures, fakePlatform } from './harness/harness.ts';
import { body, change, creating, patching, plan, ref, tags } from './harness/plans.ts';
import { type RunRow, testRuns } from './harness/runText.ts';

const gvc = 'gvc/shop';
const group = 'group/people';

/** A plan for an endpoint that does not say whether it looks at versions. */
const unsaid = (...changes: readonly Change[]): Plan => ({ ...plan(...changes), preconditions: 'unsaid' });

/** Patches of two records, the group being the smaller one. */
function twoPatches(options: Parameters<typeof fakePlatform>[0] = {}) {
  const fake = fakePlatform(options);
  const { platform } = fake;
  const shop = platform.put(ref(gvc), { description: 'old', tags: tags(gvc, 3) }, 3);
  const people = platform.put(ref(group), { description: 'old', tags: tags(group, 5) }, 5);
  const changes = [
    patching(shop, { description: 'a long description of the shop' }),
    patching(people, { description: 'new' }),
  ];
  return { ...fake, shop, people, changes };
}

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
];

testRuns(asked);

test('write.preconditions: where it does not, each PATCH is sent after a read that shows the pinned version, and the result says so', async () => {
  const { platform, apply, changes } = twoPatches({ ignoresVersions: true });
  const { result } = await apply(unsaid(...changes), { concurrency: 1 });
  expect(platform.log).toEqual([
    `patch ${group}`,
    `read ${gvc}`,
    `patch ${gvc}`,
    `read ${group}`,
    `patch ${group}`,
    'owned shop',
  ]);
  expect(result.notes).toEqual([
    'this platform accepts a PATCH for any version of a record: each record was read and compared directly before its write (2 reads more); a write of others in between goes unnoticed',
  ]);
  expect(platform.at(group)?.version).toBe(6); // the question changed nothing
});

test('the question is no write of somebody else where the platform counts every PATCH as a change', async () => {
  const { platform, apply, changes } = twoPatches({ ignoresVersions: true, countsEveryPatch: true });
  const { result } = await apply(unsaid(...changes), { concurrency: 1 });
  expect(result).toMatchObject({ verified: true });
  expect(JSON.stringify(result)).not.toContain('race');
  expect(platform.at(group)).toMatchObject({ version: 7, record: { description: 'new' } });
});

test('without preconditions the same patch for a moved record is written once', async () => {
  const { platform, apply, changes, shop } = twoPatches({ ignoresVersions: true });
  platform.put(ref(gvc), { description: 'old', alias: 'x', tags: tags(gvc, 3) }, 4, shop.uid);
  const { result } = await apply(unsaid(...changes), {
    replan: (_, now) => patching(now, { description: 'a long description of the shop' }),
  });
  expect(result).toMatchObject({ failed: [], verified: true });
  expect(platform.at(gvc)).toMatchObject({
    version: 5,
    record: { description: 'a long description of the shop', alias: 'x' },
  });
});

test('an answer that says neither leads to reading and comparing', async () => {
  const { platform, apply, changes } = twoPatches();
  platform.fault('patch', group, { kind: 'error', code: 'api.quota', message: 'too much' });
  const { result } = await apply(unsaid(...changes));
  expect(result.failed).toEqual([]);
  expect(result.notes).toEqual([expect.stringContaining('it is not known whether')]);
  expect(platform.log.filter((line) => line.startsWith('read'))).toHaveLength(2);
});

test('a record that is busy while it is asked with says nothing: it is asked again', async () => {
  const { platform, apply, changes, shop } = twoPatches({ ignoresVersions: true });
  const busy = { kind: 'error', code: 'api.conflict', message: 'busy' } as const;
  platform.fault('patch', group, busy, busy);
  const theirs = () => platform.put(ref(gvc), { description: 'theirs', tags: tags(gvc, 3) }, 4, shop.uid);
  platform.fault('read', group, { kind: 'meanwhile', happens: theirs });
  const applied = await apply(unsaid(...[...changes].reverse()), { concurrency: 1 });
  expect(failures(applied)).toEqual([`${gvc}: plan.stale`]);
  expect(platform.at(gvc)?.record['description']).toBe('theirs');
});

test('a second step is asked for with the record that the first one made; without a PATCH nothing is asked', async () => {
  const { platform, apply } = fakePlatform();
  const then = body({ alias: 'x' });
  await apply(unsaid(creating(gvc, { then, expectedThen: then })));
  expect(platform.log).toEqual([`create ${gvc}`, `patch ${gvc}`, `patch ${gvc}`, 'owned shop']);
  const plain = fakePlatform();
  await plain.apply(unsaid(creating(gvc)));
  expect(plain.platform.log).toEqual([`create ${gvc}`, 'owned shop']);
});

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
  const { platform, apply, changes, shop } = twoPatches({ ignoresVersions: true });
  platform.put(ref(gvc), { description: 'old', alias: 'x', tags: tags(gvc, 3) }, 4, shop.uid);
  const { result } = await apply(plan(...changes), { concurrency: 1, replan: () => undefined });
  expect(result).toMatchObject({ failed: [], races: [{ id: gvc, outcome: 'written', from: 3 }] });
  expect(platform.log).toEqual([`patch ${gvc}`, `read ${group}`, `patch ${group}`, 'owned shop']);
  expect(result.notes).toHaveLength(1);
});

describe('write.pins: a platform that refuses id and version in a PATCH', () => {
  test('is asked once, and each record is then read, compared, and written without them', async () => {
    const { platform, apply, changes } = twoPatches({ refusesPins: true });
    const { result } = await apply(unsaid(...changes), { concurrency: 1 });
    expect(platform.log).toEqual([
      `patch ${group}`,
      `read ${gvc}`,
      `patch ${gvc}`,
      `read ${group}`,
      `patch ${group}`,
      'owned shop',
    ]);
    expect(result).toMatchObject({ failed: [], verified: true });
    expect(result.notes).toEqual([
      'this platform refuses a PATCH that names the id and version of its record: each record was read and compared directly before its write (2 reads more); a write of others in between goes unnoticed',
    ]);
  });

  test('where nothing could be asked, the first write finds it out', async () => {
    const { platform, apply } = fakePlatform({ refusesPins: true });
    const other = platform.put(ref(gvc), { description: 'old', tags: {} }, 2);
    const { result } = await apply(unsaid(patching(other, { description: 'new' }, { action: 'adopt' })));
    expect(platform.log).toEqual([`read ${gvc}`, `patch ${gvc}`, `patch ${gvc}`, 'owned shop']);
    expect(result).toMatchObject({ failed: [], verified: true });
  });
});
