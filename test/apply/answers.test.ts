import { describe, expect, test } from 'vitest';
import { isAfter } from '../../src/apply/accept.ts';
import { failures, fakePlatform, writes } from './harness/harness.ts';
import { body, creating, following, patching, plan, ref, tags } from './harness/plans.ts';

const gvc = 'gvc/shop';
const web = 'workload/shop/web';

// biome-ignore format: a row is a case
describe('a record shows a write', () => {
  const base = { description: 'old', tags: tags(gvc, 3) };
  const [sent, other] = [{ tags: tags(gvc, 4) }, { tags: { team: '1;v9' } }];
  const stored = { '$append/items': ['b'] };
  test.each([
    { it: 'at a later version', body: {}, before: base, now: base, version: 4, shown: true },
    { it: 'not at the same version', body: {}, before: base, now: base, version: 3, shown: false },
    { it: 'with its mark at the same version', body: sent, before: base, now: { ...base, ...sent }, version: 3, shown: true },
    { it: 'not if the record before is unknown', body: sent, before: undefined, now: { ...base, ...sent }, version: 3,
      shown: false },
    { it: 'not with a mark that was there before', body: sent, before: { ...base, ...sent }, now: { ...base, ...sent },
      version: 3, shown: false },
    { it: 'not with another mark', body: sent, before: base, now: { ...base, tags: tags('gvc/x', 4) }, version: 3,
      shown: false },
    { it: 'not with a mark that names no later version', body: { tags: tags(gvc, 3) }, before: { ...base, tags: {} },
      now: base, version: 3, shown: false },
    { it: 'not with a tag of the user that looks like a mark', body: other, before: base, now: { ...base, ...other },
      version: 3, shown: false },
    { it: 'with its directive as a field', body: stored, before: base, now: { ...base, ...stored }, version: 3,
      shown: true },
    { it: 'without a directive that was a field before', body: stored, before: { ...base, ...stored }, now: base,
      version: 3, shown: true },
    { it: 'not with a directive that was a field before', body: stored, before: { ...base, ...stored },
      now: { ...base, ...stored }, version: 3, shown: false },
  ])('$it', ({ body: sent, before, now, version, shown }) => {
    const live = (record: typeof now, version: number) => ({ ref: ref(gvc), id: gvc, uid: 'uid', version, record });
    const known = before === undefined ? {} : { base: live(before, 3) };
    expect(isAfter({ body: sent, from: 3, ...known }, live(now, version))).toBe(shown);
  });
});

describe('write.answer: a response that does not show the write', () => {
  test('if it is the record before the write, the record is read, and the write is done', async () => {
    const { platform, apply } = fakePlatform({ answersOld: true });
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc, 3) }, 3);
    const { result } = await apply(plan(patching(live, { description: 'new' })));
    expect(result).toMatchObject({ done: [gvc], failed: [], verified: true });
    expect(result.changes).toContainEqual(expect.objectContaining({ id: gvc, version: 4 }));
    expect(platform.log).toEqual([`patch ${gvc}`, `read ${gvc}`, 'owned shop']);
  });

  test('if it is the record before the write, it does not show how the platform stores values', async () => {
    const { platform, apply } = fakePlatform({ answersOld: true });
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc, 3) }, 3);
    const asked: unknown[] = [];
    const ofAnswer = (_: string, { version }: typeof live, as: string) => {
      asked.push([version, as]);
      return { own: ['description'], left: [], notes: [] };
    };
    platform.fault('patch', gvc, { kind: 'divergent', change: (record) => ({ ...record, description: 'NEW' }) });
    const replan = Object.assign(() => undefined, { ofAnswer });
    const { result } = await apply(plan(patching(live, { description: 'new' })), { replan });
    expect(result).toMatchObject({ done: [gvc], failed: [], verified: true });
    expect(asked[0]).toEqual([4, 'read']);
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
    expect(applied.events).toContainEqual({ type: 'failed', ...applied.result.failed[0] });
    expect(platform.capabilities.of('value.tag-keys')).toBeUndefined();
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
    const { result, events } = await apply(plan(creating(gvc), creating(web, following(gvc))));
    expect(result).toMatchObject({ done: [gvc, web], failed: [], verified: true });
    expect(writes(platform)).toEqual([`create ${gvc}`, `create ${web}`]);
    const waits = events.filter(({ type }) => type === 'waiting');
    expect(waits).toEqual([gvc, web].map((id) => ({ type: 'waiting', id, for: 'the platform to show it' })));
  });

  test('is compared with what was sent', async () => {
    const { platform, apply } = fakePlatform({ creationMs: 5_000 });
    platform.fault('create', gvc, { kind: 'divergent', change: (record) => ({ ...record, description: 'else' }) });
    expect(failures(await apply(plan(creating(gvc))))).toEqual([`${gvc}: apply.divergence`]);
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
