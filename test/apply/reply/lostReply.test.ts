import { describe, expect, test } from 'vitest';
import { hasLanded, isPastThen, notCreatedBy } from '../../../src/apply/lostReply.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import { body, change, creating, ref } from '../harness/plans.ts';

const id = 'gvc/shop';

function live(record: JsonObject, version = 1): LiveResource {
  return { ref: ref(id), id, uid: 'uid', version, record };
}

/** The two tags of a record: its owner, and the applied record with the hash of its link. */
function tags(owner: string, applied: string): JsonObject {
  return { 'gantry/stack': owner, 'gantry/applied': applied };
}

const ours = tags('shop', '1;lhash;v1;i;s');

describe('a PATCH with a lost response was stored', () => {
  const expected = { description: 'new', tags: tags('shop', '1;lhash;v2') };

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'if the record is as expected', record: { ...expected, alias: 'x' }, landed: true },
      { it: 'but not if a value differs', record: { ...expected, description: 'old' }, landed: false },
      { it: 'if its mark has a later version than planned', record: { ...expected, tags: tags('shop', '1;lhash;v5') },
        landed: true },
      { it: 'but not if the mark of another write has a later version',
        record: { ...expected, tags: tags('shop', '1;lother;v5') }, landed: false },
      { it: 'but not without an expected record', promised: undefined, record: expected, landed: false },
      { it: 'if the tag that it removes does not exist',
        patch: { tags: { $drop: ['team'], 'gantry/applied': '1;lhash;v2' } }, record: expected, landed: true },
      { it: 'but not if a tag that it removes exists, which the expected record does not show',
        patch: { tags: { $drop: ['team'] } }, record: { ...expected, tags: { ...expected.tags, team: 'a' } },
        landed: false },
      { it: 'if a tag that it sets exists', patch: { tags: { team: 'a' } },
        record: { ...expected, tags: { ...expected.tags, team: 'a' } }, landed: true },
    ],
  )('$it', ({ patch = {}, record, landed, ...rest }) => {
    const promised = 'promised' in rest ? undefined : body(expected);
    expect(hasLanded({ body: patch, expected: promised }, live(record, 2), 'acme')).toBe(landed);
  });
});

describe('a PATCH with a lost response, and a value in the form of the platform', () => {
  const sent = { description: 'new', tags: tags('shop', '1;lhash;v2') };
  const found = { ...sent, description: 'NEW' };
  const replan = Object.assign(() => undefined, { ofAnswer: () => ({ own: ['description'], left: [], notes: [] }) });

  // biome-ignore format: a row is a case
  test.each([
    { it: 'was stored at the version of its mark', version: 2, record: found, landed: true },
    { it: 'may be another write at a later version', version: 5, record: found, landed: false },
    { it: 'was not stored if the mark differs', version: 2, record: { ...found, tags: tags('shop', '1;lother;v2') },
      landed: false },
  ])('$it', ({ version, record, landed }) => {
    expect(hasLanded({ body: sent, expected: body(sent) }, live(record, version), 'acme', replan)).toBe(landed);
    expect(hasLanded({ body: sent, expected: body(sent) }, live(record, version), 'acme')).toBe(false);
  });
});

describe('an existing record that did not exist when it was planned', () => {
  const made = { name: 'shop', description: 'made' };
  const planned = creating(id, {}, { tags: ours });
  const named = (version: number) => tags('shop', `1;lhash;v${version};i;s;uBBBBBB`);
  const second = tags('shop', '1;lhash;v2;i;s');
  const twoSteps = creating(
    id,
    { then: body({ alias: 'x', tags: { 'gantry/applied': '1;lhash;v2;i;s' } }) },
    { tags: ours },
  );
  const [foreign, changed, otherRun] = [
    'it did not exist; since then, somebody else has created it',
    'it did not exist; since then, this stack has created and changed it',
    'it did not exist; since then, another run has created it with another ',
  ];

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'as it was sent: it is ours', record: { ...made, tags: ours }, why: undefined },
      { it: 'with another value: from another run', record: { ...made, description: 'x', tags: ours },
        why: `${otherRun}description` },
      { it: 'with the mark that names the record, which a run writes after its creation',
        record: { ...made, tags: named(2) }, version: 2, why: undefined },
      { it: 'with a mark that names the record, and more writes since', record: { ...made, tags: named(5) }, version: 5,
        why: changed },
      { it: 'with the mark that names the record, and another value', record: { ...made, description: 'x', tags: named(2) },
        version: 2, why: changed },
      { it: 'with the mark that names the record, and a write since', record: { ...made, tags: named(2) }, version: 3,
        why: changed },
      { it: 'with several other values', record: { name: 'x', description: 'x', tags: ours },
        why: `${otherRun}name, description` },
      { it: 'with other values, and changed since: it may have been as sent',
        record: { description: 'x', tags: ours }, version: 2, why: undefined },
      { it: 'of another client', record: { ...made, tags: { team: 'a' } }, why: foreign },
      { it: 'without any tags', record: made, why: foreign },
      { it: 'of another stack', record: { tags: tags('other', '1;lhash;v1;i;s') }, why: foreign },
      { it: 'a copy with the tags of the original', record: { tags: tags('shop', '1;lother;v1;i;s') }, why: foreign },
      { it: 'with the owner tag only', record: { tags: { 'gantry/stack': 'shop' } }, why: foreign },
      { it: 'changed by a later run', record: { tags: tags('shop', '1;lhash;v3;i;s') }, version: 3, why: changed },
      { it: 'as its second step leaves it', record: { tags: second }, version: 2, why: changed },
      { it: 'as a planned second step leaves it: another run was faster', of: twoSteps,
        record: { tags: second }, version: 2, why: undefined },
    ],
  )('$it', ({ of = planned, record, version = 1, why }) => {
    expect(notCreatedBy(of, live(record, version), 'acme')).toBe(why);
  });

  test('is ours even if a tag copied from a deleted record has another value: the platform may keep that', () => {
    const taken = { ...made, tags: { ...ours, 'acme/write': '3' } };
    const creation = (carries: readonly string[]) => creating(id, { carries }, taken);
    const found = live({ ...made, tags: { ...ours, 'acme/write': '1' } });
    expect(notCreatedBy(creation(['tags."acme/write"']), found, 'acme')).toBeUndefined();
    expect(notCreatedBy(creation([]), found, 'acme')).toBe(`${otherRun}tags."acme/write"`);
  });

  test('is not ours if the creation had no tags to identify it', () => {
    const untagged = creating(id, {}, { tags: {} });
    for (const record of [made, { ...made, tags: named(1) }])
      expect(notCreatedBy(untagged, live(record), 'acme')).toBe(foreign);
  });

  const renamed = { name: 'shop', description: 'x', tags: tags('shop', '1;lhash;v3') };
  const laterTags = creating(
    id,
    { then: body({ description: 'x', tags: { 'gantry/applied': '1;lhash;v2;i;s' } }), expectedThen: body(renamed) },
    { tags: ours },
  );

  test.each([
    { it: 'after both steps', of: twoSteps, record: { tags: second }, past: true },
    { it: 'as the second step leaves all else, with other tags of Gantry', of: laterTags, record: renamed, past: true },
    { it: 'with other tags and another value', of: laterTags, record: { ...renamed, description: 'y' }, past: false },
    { it: 'after the first step', of: twoSteps, record: { tags: ours }, past: false },
    { it: 'of a creation with one step', of: planned, record: { tags: ours }, past: false },
    { it: 'that is not created', of: change(id, { action: 'delete' }), record: { tags: second }, past: false },
  ])('$it, it is past the second step: $past', ({ of, record, past }) => {
    expect(isPastThen(of, live(record, 2), 'acme')).toBe(past);
  });
});
