import { describe, expect, test } from 'vitest';
import { objectAt } from '../../src/base/json/json.ts';
import { Capabilities } from '../../src/capabilities/capabilities.ts';
import type { LiveResource } from '../../src/manifest/live/snapshot.ts';
import type { Change, UncheckedChange } from '../../src/plan/model/change.ts';
import type { Plan } from '../../src/plan/model/plan.ts';
import type { FakeOptions } from './harness/fakePlatform.ts';
import { failures, fakePlatform, writes } from './harness/harness.ts';
import { body, change, creating, deleting, patching, plan, ref, tags } from './harness/plans.ts';

const gvc = 'gvc/shop';
const group = 'group/people';

/** A platform with records of this stack, and runs of plans that were made from them. */
function world(options: Omit<FakeOptions, 'clock'>) {
  const fake = fakePlatform(options);
  const shop = fake.platform.put(ref(gvc), { description: 'old', tags: tags(gvc, 3) }, 3);
  const people = fake.platform.put(ref(group), { description: 'old', tags: tags(group, 5) }, 5);
  const records = new Map<string, LiveResource>([shop, people].map((live) => [live.id, live]));
  const planned = (id: string) => records.get(id);
  const capabilities = new Capabilities();
  Object.assign(fake.platform, { capabilities });
  const apply = (made: Plan, of: Parameters<typeof fake.apply>[1] = {}) => fake.apply(made, { planned, ...of });
  return { ...fake, shop, people, capabilities, apply };
}

/** The whole record is expected, as a plan does. */
function describing(live: LiveResource, description: string): Change {
  const expected = body({ name: live.ref.name, description, tags: tags(live.id, live.version + 1) });
  return patching(live, { description }, { expected });
}

function replacing(live: LiveResource, fields: Partial<UncheckedChange> = {}): Change {
  return creating(live.id, { action: 'replace', liveUid: live.uid, liveVersion: live.version, ...fields });
}

const unsaid = (...changes: readonly Change[]): Plan => ({ ...plan(...changes), preconditions: 'unsaid' });

describe('version.plus-one: a platform whose versions rise by ten, or are counted for all records together', () => {
  test.each([
    { it: 'by ten', nextVersion: (before: number) => before + 10 },
    { it: 'globally', nextVersion: (before: number) => before + 57 },
  ])('$it: what a write returned is its version, and nobody else wrote', async ({ nextVersion }) => {
    const { apply, platform, shop, capabilities } = world({ nextVersion });
    const { result } = await apply(plan(describing(shop, 'new'), creating('secret/a')));
    expect(result).toMatchObject({ failed: [], verified: true });
    expect(result.races).toBeUndefined();
    expect(result.notes).toBeUndefined();
    expect(result.changes).toContainEqual(expect.objectContaining({ id: gvc, version: nextVersion(3) }));
    expect(writes(platform).toSorted()).toEqual(['create secret/a', `patch ${gvc}`]);
    expect(capabilities.isOtherwise('version.plus-one')).toBe(true);
  });

  test('the second step is for the version that the first one returned, and its mark follows that', async () => {
    const { apply, platform } = world({ nextVersion: (before) => before + 10 });
    const id = 'gvc/late';
    const then = body({ description: 'later', tags: { 'gantry/applied': tags(id, 2)['gantry/applied'] ?? '' } });
    const expectedThen = body({ description: 'later', tags: tags(id, 2) });
    const { result } = await apply(plan(creating(id, { then, expectedThen })));
    expect(result).toMatchObject({ failed: [], verified: true });
    expect(platform.at(id)).toMatchObject({ version: 20, record: { description: 'later', tags: tags(id, 11) } });
  });

  test('a replacement is marked, deleted and created', async () => {
    const { apply, platform, shop } = world({ nextVersion: (before) => before + 10 });
    const { result } = await apply(plan(replacing(shop)));
    expect(result).toMatchObject({ done: [gvc], failed: [], verified: true });
    expect(writes(platform)).toEqual([`patch ${gvc}`, `delete ${gvc}`, `create ${gvc}`]);
  });

  test('what somebody else wrote is told apart by the content, and not overwritten', async () => {
    const { apply, platform, shop } = world({ nextVersion: (before) => before + 10, ignoresVersions: true });
    platform.put(ref(gvc), { description: 'old', tags: { ...tags(gvc, 3), team: 'theirs' } }, 13, shop.uid);
    const applied = await apply(plan(describing(shop, 'new')), { replan: () => undefined });
    expect(applied.result).toMatchObject({ failed: [], races: [{ id: gvc, theirs: ['tags.team'] }] });
  });
});

describe('version.plus-one: what a jump does not show', () => {
  const env = [{ name: 'A', value: 'b' }];
  const own = (path: string) =>
    Object.assign(() => undefined, { ofAnswer: () => ({ own: [path], left: [], notes: [] }) });

  test.each([
    { it: 'a value that was there before the write', before: { spec: { env } }, stored: {}, replan: undefined },
    { it: 'a value of the platform', before: {}, stored: { env }, replan: own('spec.env') },
  ])('$it was not written by somebody else', async ({ before, stored, replan }) => {
    const { platform, apply } = fakePlatform({ nextVersion: (version) => version + 10, ignoresVersions: true });
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc, 3), ...before }, 3);
    platform.fault('patch', gvc, {
      kind: 'divergent',
      change: (record) => ({ ...record, spec: { ...objectAt(record, 'spec'), ...stored } }),
    });
    const of = { planned: () => live, ...(replan === undefined ? {} : { replan }) };
    const { result } = await apply(plan(describing(live, 'new')), of);
    expect(result).toMatchObject({ failed: [], verified: true });
    expect(result.races).toBeUndefined();
  });
});

describe('version.only-writes: a platform whose versions rise by themselves', () => {
  test('a patch is sent for the version that is there, once more, and is no race', async () => {
    const { apply, platform, shop, capabilities } = world({ risesEvery: 3 });
    platform.put(ref(gvc), shop.record, 4, shop.uid);
    const { result } = await apply(plan(describing(shop, 'new')));
    expect(result).toMatchObject({ failed: [], verified: true });
    expect(result.races).toBeUndefined();
    expect(platform.at(gvc)?.record).toMatchObject({ description: 'new', tags: tags(gvc, 6) });
    expect(capabilities.isOtherwise('version.only-writes')).toBe(true);
  });

  test('a deletion goes on where only the version is another', async () => {
    const { apply, platform, shop } = world({});
    platform.put(ref(gvc), shop.record, 9, shop.uid);
    expect(await apply(plan(deleting(shop)))).toMatchObject({ result: { done: [gvc], failed: [] } });
  });

  test('a deletion stops where the content is another', async () => {
    const { apply, platform, shop } = world({});
    platform.put(ref(gvc), { ...shop.record, description: 'theirs' }, 9, shop.uid);
    expect(failures(await apply(plan(deleting(shop))))).toEqual([`${gvc}: plan.stale`]);
    expect(writes(platform)).toEqual([]);
  });

  test('a deletion stops where another stack claims a part by now', async () => {
    const { apply, platform, shop } = world({});
    const claimed = { ...tags(gvc, 3), 'gantry/applied.edge': '1;labc;v9;iabcdef' };
    platform.put(ref(gvc), { ...shop.record, tags: claimed }, 9, shop.uid);
    expect(failures(await apply(plan(deleting(shop))))).toEqual([`${gvc}: plan.stale`]);
  });

  test('the verification says nothing of what only rose', async () => {
    const { apply, platform, shop, people } = world({});
    const kept = change(group, { action: 'keep', liveUid: people.uid, liveVersion: people.version });
    const risen = () => platform.put(ref(group), people.record, 8, people.uid);
    platform.fault('owned', 'shop', { kind: 'meanwhile', happens: risen });
    const { result } = await apply(plan(describing(shop, 'new'), kept));
    expect(result).toMatchObject({ verified: true, compared: { written: 1, rewritten: [], notCompared: [] } });
  });
});

describe('version.counts-changes: a platform that counts every PATCH and ignores versions', () => {
  test('the question of this run is no write of somebody else', async () => {
    const { apply, platform, shop, people, capabilities } = world({ countsEveryPatch: true, ignoresVersions: true });
    const changes = [
      patching(people, { description: 'new' }),
      patching(shop, { description: 'a long new description' }),
    ];
    const { result } = await apply(unsaid(...changes));
    expect(result).toMatchObject({ failed: [], verified: true });
    expect(result.races).toBeUndefined();
    // 5, the question 6, the write 7: the mark names the write.
    expect(platform.at(group)).toMatchObject({ version: 7, record: { description: 'new', tags: tags(group, 7) } });
    expect(capabilities.isOtherwise('version.counts-changes')).toBe(true);
  });

  test('a saved change is written as it was approved, although a new plan could not show that it is the same', async () => {
    const { apply, platform, people } = world({ countsEveryPatch: true, ignoresVersions: true });
    const fields = [{ path: 'description', old: 'masked', new: 'masked' }];
    const replan = (_: string, found: LiveResource) => patching(found, { description: 'new' }, { fields });
    const { result } = await apply(unsaid(patching(people, { description: 'new' })), {
      replan,
      planned: () => undefined,
    });
    expect(result).toMatchObject({ failed: [] });
    expect(platform.at(group)).toMatchObject({ version: 7, record: { description: 'new' } });
  });

  test('nor is it for an unchanged record that was asked with', async () => {
    const { apply, people } = world({ countsEveryPatch: true, ignoresVersions: true });
    const kept = change(group, { action: 'keep', liveUid: people.uid, liveVersion: people.version });
    const then = body({ description: 'then' });
    const { result } = await apply(unsaid(kept, creating('gvc/late', { then, expectedThen: then })));
    expect(result).toMatchObject({ failed: [], verified: true, compared: { unchanged: 1, rewritten: [] } });
  });
});

describe('version.rises: a platform on which a record keeps its version', () => {
  const nextVersion = (before: number) => Math.max(before, 1);

  test('is known by the answer to a write, and the next write is compared with what is there', async () => {
    const { apply, platform, shop, people, capabilities } = world({ nextVersion });
    const { result } = await apply(plan(describing(shop, 'new')));
    expect(result).toMatchObject({ failed: [], verified: true });
    expect(capabilities.isOtherwise('version.rises')).toBe(true);
    expect(capabilities.isOtherwise('version.plus-one')).toBe(true);
    platform.put(ref(group), { ...people.record, description: 'theirs' }, people.version, people.uid);
    expect(failures(await apply(plan(describing(people, 'ours'))))).toEqual([`${group}: plan.stale`]);
    expect(platform.at(group)?.record).toMatchObject({ description: 'theirs' });
  });

  test('what others wrote to an unchanged record is found by its content', async () => {
    const { apply, platform, shop, people, capabilities } = world({ nextVersion });
    capabilities.learn('version.rises', 'otherwise');
    const kept = change(group, { action: 'keep', liveUid: people.uid, liveVersion: people.version });
    const theirs = { ...people.record, description: 'theirs' };
    const happens = () => platform.put(ref(group), theirs, people.version, people.uid);
    platform.fault('owned', 'shop', { kind: 'meanwhile', happens });
    const { result } = await apply(plan(describing(shop, 'new'), kept), {
      declares: () => true,
      replan: (id, live) => (id === group ? patching(live, { description: 'old' }) : undefined),
    });
    expect(result).toMatchObject({ failed: [], verified: false });
    expect(result.notes).toEqual([
      'the version of a record stays the same on this platform when the record is written: each record was read and ' +
        'compared directly before its write (1 read more); a write of others in between goes unnoticed',
    ]);
  });

  test('a record that others have written is not deleted', async () => {
    const { apply, platform, shop, capabilities } = world({ nextVersion });
    capabilities.learn('version.rises', 'otherwise');
    platform.put(ref(gvc), { ...shop.record, description: 'theirs' }, shop.version, shop.uid);
    expect(failures(await apply(plan(deleting(shop))))).toEqual([`${gvc}: plan.stale`]);
  });
});

test('version.as-number: a PATCH names the version as the text in which the platform has it', async () => {
  const { apply, platform, shop, people } = world({});
  const asText = (live: LiveResource) => ({ ...live, record: { ...live.record, version: String(live.version) } });
  const sent: unknown[] = [];
  const patch = platform.patch.bind(platform);
  platform.patch = (to, body) => {
    sent.push(body['version']);
    return patch(to, { ...body, version: Number(body['version']) });
  };
  const planned = (id: string) => [shop, people].map(asText).find((live) => live.id === id);
  const { result } = await apply(unsaid(describing(shop, 'new')), { planned });
  expect(result.failed).toEqual([]);
  expect(sent).toEqual(['2', '3']);
});
