import { describe, expect, test } from 'vitest';
import { objectAt } from '../../src/base/json/json.ts';
import type { LiveResource } from '../../src/manifest/live/snapshot.ts';
import { fakePlatform } from './harness/harness.ts';
import { body, creating, patching, plan, ref, tags } from './harness/plans.ts';
import { planned, type RunRow, testRuns } from './harness/runText.ts';

const gvc = 'gvc/shop';
const group = 'group/people';

const byTen = { nextVersion: (before: number) => before + 10 };
const globally = { nextVersion: (before: number) => before + 57 };
const kept = { nextVersion: (before: number) => Math.max(before, 1) };
const ignoring = { countsEveryPatch: true, ignoresVersions: true, compared: true, unsaid: true } as const;
const neverRises = { ...kept, compared: true, knows: [['version.rises', 'otherwise']] } as const;
const masked = (_: string, found: LiveResource) =>
  patching(found, { description: 'new' }, { fields: [{ path: 'description', old: 'masked', new: 'masked' }] });
const patched = 'patch gvc/shop at(3)';
const unchanged = `${patched}; keep group/people at(5)`;

// biome-ignore format: a row is a case
const jumping: readonly RunRow[] = [
  ['by ten: the version of a response is that of the record, and no other client wrote',
    `${patched}; create secret/a`, '',
    'verified true; races nothing; notes nothing; versions gvc/shop@13, secret/a@10; learned version.plus-one; ' +
      'now gvc/shop@13=new, secret/a@10=made', { ...byTen, compared: true }],
  ['globally: the version of a response is that of the record, and no other client wrote',
    `${patched}; create secret/a`, '',
    'verified true; races nothing; notes nothing; versions gvc/shop@60, secret/a@57; learned version.plus-one; ' +
      'now gvc/shop@60=new, secret/a@57=made', { ...globally, compared: true }],
  ['a replacement is marked, deleted and created', 'replace gvc/shop at(3)', '',
    'done gvc/shop; verified true; sent patch gvc/shop, delete gvc/shop, create gvc/shop; learned version.plus-one; ' +
      'notes nothing', { ...byTen, compared: true }],
  ['the mark of a replacement does not show that the platform ignores versions',
    'replace gvc/shop at(3); patch group/people at(5) after(gvc/shop)', '', 'verified true; notes nothing',
    { ...byTen, compared: true }],
  ['by ten: a creation shows it too', 'create secret/a', '', 'versions secret/a@10; learned version.plus-one', byTen],
  ['a marked record is still the same one when its deletion is repeated', 'replace gvc/shop at(3)',
    'delete gvc/shop: busy', 'done gvc/shop; verified true', byTen],
  ['from 0: a creation does not show that versions stay the same', 'create secret/a; patch gvc/shop at(3) after(secret/a)',
    '', 'verified true; versions gvc/shop@4, secret/a@0; notes nothing',
    { nextVersion: (before) => (before === 0 ? 0 : before + 1), compared: true }],
  ['writes of others are found by content, and not overwritten', patched, 'gvc/shop: tagged(13)',
    'theirs gvc/shop tags.team',
    { ...byTen, compared: true, ignoresVersions: true, again: false }],
];

// biome-ignore format: a row is a case
const rising: readonly RunRow[] = [
  ['a patch is sent again for the current version, and is no race', patched, 'gvc/shop: restored(4)',
    'verified true; races nothing; marks gvc/shop v6; learned version.only-writes',
    { compared: true, risesEvery: 3 }],
  ['a deletion continues if only the version changed', 'delete gvc/shop at(3)', 'gvc/shop: restored(9)',
    'done gvc/shop', { compared: true }],
  ['a deletion stops if the content changed', 'delete gvc/shop at(3)', 'gvc/shop: edited(9)',
    'failed gvc/shop plan.stale; sent nothing', { compared: true }],
  ['a deletion stops if another stack claims a part since', 'delete gvc/shop at(3)',
    'gvc/shop: tagged(9,gantry/applied.edge,1;labc;v9;iabcdef)', 'failed gvc/shop plan.stale', { compared: true }],
  ['the verification ignores records whose version only rose', unchanged, 'owned shop: group/people restored(8)',
    'verified true; written 1; rewritten nothing; not-compared nothing', { compared: true }],
];

// biome-ignore format: a row is a case
const counting: readonly RunRow[] = [
  // The test request goes to the smaller record. From 3 it makes 4, and the write 5: the mark contains that of the
  // write.
  ['the test request of this run is no write of others', `patch group/people at(5); ${patched}`, '',
    'verified true; races nothing; now group/people@6=new, gvc/shop@5=new; marks group/people v6, gvc/shop v5; ' +
      'learned version.counts-changes', ignoring],
  ['a saved change is written as approved, although a new plan could not prove that it is the same',
    'patch group/people at(5)', '', 'now group/people@7=new',
    { ...ignoring, run: { replan: masked, planned: () => undefined } }],
  ['the test request of this run is no write of others on an unchanged record either',
    'keep group/people at(5); create gvc/late then', '', 'verified true; unchanged 1; rewritten nothing', ignoring],
];

// biome-ignore format: a row is a case
const keeping: readonly RunRow[] = [
  ['is known from the response to a write', patched, '', 'verified true; learned version.rises, version.plus-one',
    { ...kept, compared: true }],
  ['a write is compared with the current record', 'patch group/people at(5)', 'group/people: edited(5)',
    'failed group/people plan.stale; now group/people@5=edited', neverRises],
  ['a record that others wrote is not deleted', 'delete gvc/shop at(3)', 'gvc/shop: edited(3)',
    'failed gvc/shop plan.stale', neverRises],
];

describe('version.plus-one: a platform whose versions rise by ten, or are counted for all records together', () => {
  testRuns(jumping);

  test('the second step is for the version of the first response, and so is its mark', async () => {
    const { apply, platform } = fakePlatform(byTen);
    const id = 'gvc/late';
    const then = body({ description: 'later', tags: { 'gantry/applied': tags(id, 2)['gantry/applied'] ?? '' } });
    const expectedThen = body({ description: 'later', tags: tags(id, 2) });
    const { result } = await apply(plan(creating(id, { then, expectedThen })));
    expect(result).toMatchObject({ failed: [], verified: true });
    expect(platform.at(id)).toMatchObject({ version: 20, record: { description: 'later', tags: tags(id, 11) } });
  });
});

describe('version.plus-one: a jump does not prove a write of others', () => {
  const env = [{ name: 'A', value: 'b' }];
  const own = (path: string) =>
    Object.assign(() => undefined, { ofAnswer: () => ({ own: [path], left: [], notes: [] }) });

  test.each([
    { it: 'a value that existed before the write', before: { spec: { env } }, stored: {}, replan: undefined },
    { it: 'a value of the platform', before: {}, stored: { env }, replan: own('spec.env') },
  ])('$it is not attributed to others', async ({ before, stored, replan }) => {
    const { platform, apply } = fakePlatform({ ...byTen, ignoresVersions: true });
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc, 3), ...before }, 3);
    platform.fault('patch', gvc, {
      kind: 'divergent',
      change: (record) => ({ ...record, spec: { ...objectAt(record, 'spec'), ...stored } }),
    });
    const expected = body({ name: 'shop', description: 'new', tags: tags(gvc, 4) });
    const of = { planned: () => live, ...(replan === undefined ? {} : { replan }) };
    const { result } = await apply(plan(patching(live, { description: 'new' }, { expected })), of);
    expect(result).toMatchObject({ failed: [], verified: true });
    expect(result.races).toBeUndefined();
  });
});

describe('version.only-writes: a platform whose versions rise by themselves', () => testRuns(rising));

describe('version.counts-changes: a platform that counts every PATCH and ignores versions', () => testRuns(counting));

describe('version.rises: a platform on which a record keeps its version', () => {
  testRuns(keeping);

  test('writes of others to an unchanged record are found by content', async () => {
    const { platform, from, apply } = planned(unchanged, neverRises);
    const people = from.get(group) ?? expect.fail();
    const happens = () => platform.put(ref(group), { ...people.record, description: 'theirs' }, 5, people.uid);
    platform.fault('owned', 'shop', { kind: 'meanwhile', happens });
    const { result } = await apply({
      declares: () => true,
      replan: (id, live) => (id === group ? patching(live, { description: 'old' }) : undefined),
    });
    expect(result).toMatchObject({ failed: [], verified: false });
    expect(result.notes).toEqual([
      'the version of a record stays the same on this platform when the record is written: each record was read and ' +
        'compared directly before its write (1 read more); a write of others in between goes unnoticed',
    ]);
  });
});

test('version.as-number: a PATCH contains the version as a string, as on the platform', async () => {
  const { platform, from, apply } = planned(patched, { unsaid: true });
  const sent: unknown[] = [];
  const patch = platform.patch.bind(platform);
  platform.patch = (to, body) => {
    sent.push(body['version']);
    return patch(to, { ...body, version: Number(body['version']) });
  };
  const live = from.get(gvc) ?? expect.fail();
  const { result } = await apply({ planned: () => ({ ...live, record: { ...live.record, version: '3' } }) });
  expect(result.failed).toEqual([]);
  expect(sent).toEqual(['2', '3']);
});
