import { describe, expect, test } from 'vitest';
import { failures, fakePlatform, writes } from './harness/harness.ts';
import { body, creating, following, patching, plan, ref, tags } from './harness/plans.ts';

const gvc = 'gvc/shop';
const web = 'workload/shop/web';

describe('write.answer: a response that does not show the write', () => {
  test('if it is the record before the write, the record is read, and the write is done', async () => {
    const { platform, apply } = fakePlatform({ answersOld: true });
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc, 3) }, 3);
    const { result } = await apply(plan(patching(live, { description: 'new' })));
    expect(result).toMatchObject({ done: [gvc], failed: [], verified: true });
    expect(result.changes).toContainEqual(expect.objectContaining({ id: gvc, version: 4 }));
    expect(platform.log).toEqual([`patch ${gvc}`, `read ${gvc}`, 'owned shop']);
  });

  test('if only the response differs, the record that is read counts', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc, 3) }, 3);
    const patch = platform.patch.bind(platform);
    platform.patch = async (to, sent) => {
      const stored = await patch(to, sent);
      return { ...stored, record: { ...stored.record, description: 'old' } };
    };
    const { result } = await apply(plan(patching(live, { description: 'new' })));
    expect(result).toMatchObject({ done: [gvc], failed: [], verified: true });
    expect(platform.log).toEqual([`patch ${gvc}`, `read ${gvc}`, 'owned shop']);
    expect(platform.capabilities.isOtherwise('write.answer')).toBe(true);
  });

  test('reads that are also outdated are repeated', async () => {
    const { platform, apply } = fakePlatform({ answersOld: true, lagMs: 400 });
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc, 3) }, 3);
    const { result } = await apply(plan(patching(live, { description: 'new' })));
    expect(result).toMatchObject({ done: [gvc], failed: [], verified: true });
    expect(writes(platform)).toEqual([`patch ${gvc}`]);
  });

  test('another content in a later version is a divergence immediately, and counts as written', async () => {
    const { platform, clock, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc, 3) }, 3);
    platform.fault('patch', gvc, { kind: 'divergent', change: (record) => ({ ...record, description: 'else' }) });
    const applied = await apply(plan(patching(live, { description: 'new' })));
    expect(failures(applied)).toEqual([`${gvc}: apply.divergence`]);
    expect(applied.result.failed).toMatchObject([{ reached: 'written' }]);
    expect(clock.now()).toBeLessThan(1_000);
  });

  test('a platform that continues to show the record before it diverges after --consistency-timeout', async () => {
    const { platform, clock, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc, 3) }, 3);
    platform.fault('patch', gvc, { kind: 'divergent', change: () => live.record });
    const applied = await apply(plan(patching(live, { description: 'new' })), { patience: { consistencyMs: 3_000 } });
    expect(failures(applied)).toEqual([`${gvc}: apply.divergence`]);
    expect(clock.now()).toBeGreaterThan(3_000);
    expect(clock.now()).toBeLessThan(6_000);
  });
});

describe('write.at-once: a creation in the background', () => {
  test('is awaited with its content, and sent once', async () => {
    const { platform, apply } = fakePlatform({ creationMs: 5_000 });
    const { result } = await apply(plan(creating(gvc), creating(web, following(gvc))));
    expect(result).toMatchObject({ done: [gvc, web], failed: [], verified: true });
    expect(writes(platform)).toEqual([`create ${gvc}`, `create ${web}`]);
  });

  test('that leaves a GVC without children for a while is retried for its children', async () => {
    const { platform, apply } = fakePlatform();
    const notYet = { kind: 'error', code: 'api.not-found', message: 'no such GVC' } as const;
    platform.fault('create', web, notYet, notYet);
    const { result } = await apply(plan(creating(gvc), creating(web, following(gvc))));
    expect(result).toMatchObject({ done: [gvc, web], failed: [], verified: true });
  });

  test('does not cause retries for a child whose GVC this run did not create', async () => {
    const { platform, apply } = fakePlatform();
    platform.fault('create', web, { kind: 'error', code: 'api.not-found', message: 'no such GVC' });
    expect(failures(await apply(plan(creating(web))))).toEqual([`${web}: api.not-found`]);
  });

  test('that never appears is an error, and is not sent a second time', async () => {
    const { platform, apply } = fakePlatform({ creationMs: 10_000_000 });
    const applied = await apply(plan(creating(gvc)));
    expect(failures(applied)).toEqual([`${gvc}: api.unseen`]);
    expect(writes(platform)).toEqual([`create ${gvc}`]);
  });
});

test('writes on a platform that shows them 400 ms later are awaited in every step', async () => {
  const { platform, clock, apply } = fakePlatform({ lagMs: 400 });
  const live = platform.put(ref('secret/a'), { description: 'old', tags: tags('secret/a') });
  await clock.sleep(1_000); // until it is shown
  const then = body({ alias: 'x', tags: { 'gantry/applied': tags(gvc, 2)['gantry/applied'] ?? '' } });
  const replacing = creating('secret/a', { action: 'replace', liveUid: live.uid, liveVersion: live.version });
  const { result } = await apply(plan(creating(gvc, { then }), creating(web, following(gvc)), replacing));
  expect(result).toMatchObject({ failed: [], verified: true });
  expect(
    writes(platform)
      .filter((line) => line.startsWith('create'))
      .toSorted(),
  ).toEqual([`create ${gvc}`, 'create secret/a', `create ${web}`]);
});

// biome-ignore format: a row is a case
test.each([
  { it: 'in time', lagMs: 400, result: { verified: true } },
  { it: 'too late', lagMs: 60_000, result: { verified: false,
    differences: [`${gvc} was written, but the platform shows what was there before: description`] } },
])('a platform without versions that shows a write $it is read again, and no other writer is blamed', async (row) => {
  const knows = [['version.rises', 'otherwise']] as const;
  const { platform, clock, apply } = fakePlatform({ lagMs: row.lagMs, nextVersion: () => 1, knows });
  const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc, 1) }, 1);
  await clock.sleep(100_000); // until it is shown
  const expected = body({ name: live.ref.name, description: 'new' });
  const made = patching(live, { description: 'new', tags: tags(gvc, 2) }, { expected });
  const { result } = await apply(plan(made), {
    planned: () => live,
    declares: () => true,
    replan: (_, now) => (now.record['description'] === 'new' ? undefined : { ...made, fields: [{ path: 'description' }] }),
  });
  expect(result).toMatchObject(row.result);
});
