import { describe, expect, test } from 'vitest';
import { hasLanded, isPastThen, notCreatedBy } from '../../../src/apply/lostReply.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import { body, change, creating, ref } from '../harness/plans.ts';

const id = 'gvc/shop';

function live(record: JsonObject, version = 1): LiveResource {
  return { ref: ref(id), id, uid: 'uid', version, record };
}

/** The two tags of a record: its owner, and the record with the hash of its link. */
function tags(owner: string, applied: string): JsonObject {
  return { 'gantry/stack': owner, 'gantry/applied': applied };
}

const ours = tags('shop', '1;lhash;v1;i;s');

describe('a PATCH whose answer was lost has landed', () => {
  const expected = { description: 'new', tags: tags('shop', '1;lhash;v2') };

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'where the record is as promised', record: { ...expected, alias: 'x' }, landed: true },
      { it: 'not where a value is another one', record: { ...expected, description: 'old' }, landed: false },
      { it: 'not where nothing was promised', promised: undefined, record: expected, landed: false },
      { it: 'where the tag that it removes is gone',
        patch: { tags: { $drop: ['team'], 'gantry/applied': '1;lhash;v2' } }, record: expected, landed: true },
      { it: 'not where a tag that it removes is there: what is promised says nothing of it',
        patch: { tags: { $drop: ['team'] } }, record: { ...expected, tags: { ...expected.tags, team: 'a' } },
        landed: false },
      { it: 'where a tag is there that it sets', patch: { tags: { team: 'a' } },
        record: { ...expected, tags: { ...expected.tags, team: 'a' } }, landed: true },
    ],
  )('$it', ({ patch = {}, record, landed, ...rest }) => {
    const promised = 'promised' in rest ? undefined : body(expected);
    expect(hasLanded({ body: patch, expected: promised }, live(record, 2), 'acme')).toBe(landed);
  });
});

describe('a PATCH whose answer was lost, and a value that is in the form of the platform', () => {
  const sent = { description: 'new', tags: tags('shop', '1;lhash;v2') };
  const found = { ...sent, description: 'NEW' };
  const replan = Object.assign(() => undefined, { ofAnswer: () => ({ own: ['description'], left: [], notes: [] }) });

  test.each([
    { it: 'has landed at the version of its mark', version: 2, record: found, landed: true },
    { it: 'may be another write at a later version', version: 5, record: found, landed: false },
    {
      it: 'has not landed where the mark is another one',
      version: 2,
      record: { ...found, tags: tags('shop', '1;lother;v2') },
      landed: false,
    },
  ])('$it', ({ version, record, landed }) => {
    expect(hasLanded({ body: sent, expected: body(sent) }, live(record, version), 'acme', replan)).toBe(landed);
  });
});

describe('a record that is there although it did not exist when it was planned', () => {
  const made = { name: 'shop', description: 'made' };
  const planned = creating(id, {}, { tags: ours });
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
      { it: 'with other values: of another run', record: { ...made, description: 'x', tags: ours },
        why: `${otherRun}description` },
      { it: 'with several other values', record: { name: 'x', description: 'x', tags: ours },
        why: `${otherRun}name, description` },
      { it: 'with other values, and changed since: it may have been as it was sent',
        record: { description: 'x', tags: ours }, version: 2, why: undefined },
      { it: 'of somebody else', record: { ...made, tags: { team: 'a' } }, why: foreign },
      { it: 'without any tags', record: made, why: foreign },
      { it: 'of another stack', record: { tags: tags('other', '1;lhash;v1;i;s') }, why: foreign },
      { it: 'a copy, with the tags of the original', record: { tags: tags('shop', '1;lother;v1;i;s') }, why: foreign },
      { it: 'with the owner only', record: { tags: { 'gantry/stack': 'shop' } }, why: foreign },
      { it: 'changed by a later run', record: { tags: tags('shop', '1;lhash;v3;i;s') }, version: 3, why: changed },
      { it: 'as its second step leaves it', record: { tags: second }, version: 2, why: changed },
      { it: 'as its second step leaves it, where one is planned: another run was faster', of: twoSteps,
        record: { tags: second }, version: 2, why: undefined },
    ],
  )('$it', ({ of = planned, record, version = 1, why }) => {
    expect(notCreatedBy(of, live(record, version), 'acme')).toBe(why);
  });

  test('is ours where a tag that it took over from a deleted record has another value: the platform may keep it', () => {
    const taken = { ...made, tags: { ...ours, 'acme/write': '3' } };
    const creation = (carries: readonly string[]) => creating(id, { carries }, taken);
    const found = live({ ...made, tags: { ...ours, 'acme/write': '1' } });
    expect(notCreatedBy(creation(['tags."acme/write"']), found, 'acme')).toBeUndefined();
    expect(notCreatedBy(creation([]), found, 'acme')).toBe(`${otherRun}tags."acme/write"`);
  });

  test('is not ours where the creation had no tags to know it by', () => {
    const untagged = creating(id, {}, { tags: {} });
    expect(notCreatedBy(untagged, live(made), 'acme')).toBe(foreign);
  });

  test.each([
    { it: 'after both steps', of: twoSteps, record: { tags: second }, past: true },
    { it: 'after the first of them', of: twoSteps, record: { tags: ours }, past: false },
    { it: 'of a creation with one step', of: planned, record: { tags: ours }, past: false },
    { it: 'that is not created', of: change(id, { action: 'delete' }), record: { tags: second }, past: false },
  ])('$it: is it past the second step? $past', ({ of, record, past }) => {
    expect(isPastThen(of, live(record, 2), 'acme')).toBe(past);
  });
});
