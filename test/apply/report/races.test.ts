import { describe, expect, test } from 'vitest';
import {
  changedFields,
  goneRace,
  lostRace,
  type SeenRace,
  settleRaces,
  takenNameRace,
  type WriteConflict,
  wonRace,
} from '../../../src/apply/races.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import type { WriteEvent } from '../../../src/manifest/live/writer.ts';
import type { FieldChange } from '../../../src/plan/model/change.ts';
import { fakePlatform } from '../harness/harness.ts';
import { body, creating, patching, plan, ref, tags } from '../harness/plans.ts';

const gvc = 'gvc/shop';

function live(record: JsonObject, version = 5): LiveResource {
  return { ref: ref(gvc), id: gvc, uid: 'u', version, record };
}

/** The record of the plan, and the approved result. */
const before = { description: 'old', tags: { ...tags(gvc, 3), level: '1' } };
const promised = { description: 'new', tags: { ...tags(gvc, 4), level: '2' } };
const described = (old: string): FieldChange => ({ path: 'description', old, new: 'new' });
const levelled = (old: string): FieldChange => ({ path: 'tags.level', old, new: '2' });
const planned = (fields: readonly FieldChange[]) => patching(live(before, 3), { ...promised }, { fields });
const change = planned([levelled('1'), described('old')]);
const meeting: WriteConflict = { change, promised: body(promised), from: 3, org: 'acme' };

describe('a write that was given up', () => {
  interface Case {
    readonly it: string;
    readonly found: JsonObject;
    readonly now?: readonly FieldChange[];
    readonly theirs: readonly string[];
    readonly notWritten: readonly string[];
  }
  test.each<Case>(
    // biome-ignore format: a row is a case
    [
      { it: 'another client wrote other fields: those are theirs, and all of ours are missing',
        found: { ...before, tags: { ...before.tags, z: 'x', b: 'x' } }, theirs: ['tags.b', 'tags.z'],
        notWritten: ['description', 'tags.level'] },
      { it: 'a field that equals the approved value is not missing',
        found: { ...before, tags: { ...before.tags, level: '2' } }, theirs: [], notWritten: ['description'] },
      { it: 'they wrote one of our fields: by the new plan it is theirs',
        found: { description: 'theirs', tags: { ...before.tags, z: 'x' } }, now: [levelled('1'), described('theirs')],
        theirs: ['description', 'tags.z'], notWritten: ['description', 'tags.level'] },
      { it: 'they wrote one of our fields, and it cannot be planned again: its writer is unknown',
        found: { description: 'theirs', tags: before.tags }, theirs: [], notWritten: ['description', 'tags.level'] },
      { it: 'nothing is missing', found: promised, theirs: [], notWritten: [] },
    ],
  )('$it', ({ found, now, theirs, notWritten }) => {
    const again = now === undefined ? undefined : planned(now);
    expect(lostRace(meeting, live(found), again)).toEqual({
      id: gvc,
      uid: 'u',
      outcome: 'stale',
      from: 3,
      to: 5,
      theirs,
      notWritten,
    });
  });

  test('without an expected record it keeps the found one, for the audit trail', () => {
    const found = live(before);
    expect(lostRace({ ...meeting, promised: undefined }, found)).toMatchObject({ theirs: [], notWritten: [], found });
  });

  test('of a deleted record names the record of the plan and all its fields, sorted', () => {
    expect(goneRace(change, { uid: 'made by this run', version: 3 })).toEqual({
      id: gvc,
      uid: 'made by this run',
      outcome: 'stale',
      from: 3,
      theirs: [],
      notWritten: ['description', 'tags.level'],
    });
  });

  test('of a used name lists the values of others there, and our missing ones, sorted', () => {
    const creation = creating(gvc, {}, { tags: { ...tags(gvc), level: '2', a: '1' } });
    if (creation.action !== 'create') throw new Error('it creates');
    expect(
      takenNameRace(creation, live({ name: 'shop', description: 'theirs', tags: { level: '2', z: 'x' } }), 'acme'),
    ).toEqual({
      id: gvc,
      uid: 'u',
      outcome: 'stale',
      from: 0,
      to: 5,
      theirs: ['description', 'tags.a', 'tags.z'],
      notWritten: ['description', 'tags.a'],
    });
  });
});

describe('a write after one of others', () => {
  test('names the remaining fields of others, each once, sorted, without our own tags', () => {
    const stored = live({ description: 'other', tags: { ...tags(gvc, 6), level: '2', z: 'x', b: 'x' } }, 6);
    expect(wonRace(meeting, 5, stored)).toEqual({
      id: gvc,
      uid: 'u',
      outcome: 'written',
      from: 3,
      to: 5,
      theirs: ['description', 'tags.b', 'tags.z'],
      notWritten: [],
    });
  });

  test('names nothing without an expected record', () => {
    expect(wonRace({ ...meeting, promised: undefined }, 5, live(before))).toMatchObject({ theirs: [] });
  });
});

describe('races after the run', () => {
  const race = (id: string): SeenRace => ({ ...goneRace(change, { uid: `uid of ${id}`, version: 3 }), id });
  const write = (version: number, name: string, record: JsonObject = {}): WriteEvent => ({
    version,
    at: '2026-01-01T00:00:00Z',
    action: 'edit',
    writer: { name, type: 'user' },
    record,
  });
  const deleted = (name: string): WriteEvent => ({ ...write(5, name), action: 'delete' });

  test('are sorted by their ids, each with one read of its trail', async () => {
    const asked: string[] = [];
    const settled = await settleRaces(['gvc/b', 'gvc/c', 'gvc/a'].map(race), 'acme', async (uid) => {
      asked.push(uid);
      return [deleted(`who deleted ${uid}`)];
    });
    expect(settled.map(({ id, by }) => [id, by])).toEqual(
      ['gvc/a', 'gvc/b', 'gvc/c'].map((id) => [id, [`who deleted uid of ${id}`]]),
    );
    expect(asked.sort()).toEqual(['uid of gvc/a', 'uid of gvc/b', 'uid of gvc/c']);
    expect(settled[0]).not.toHaveProperty('uid');
  });

  const found = live({ description: 'theirs', tags: { z: 'x' } });
  const lost: SeenRace = { ...race(gvc), to: 5, theirs: ['as it was seen'], found };
  const first = { description: 'old', tags: {} };
  test.each([
    {
      it: 'with the version of the plan: its differences',
      trail: [write(3, 'us', first)],
      theirs: ['description', 'tags.z'],
    },
    { it: 'without that version: the observed fields', trail: [write(4, 'ann', first)], theirs: ['as it was seen'] },
    { it: 'that cannot be read: the observed fields', trail: undefined, theirs: ['as it was seen'] },
  ])('get the fields of others from the trail, $it', async ({ trail, theirs }) => {
    const [settled] = await settleRaces([lost], 'acme', async () => trail);
    expect(settled).toMatchObject({ theirs });
    expect(settled).not.toHaveProperty('found');
  });

  test('end with the last version of others before the one that this run wrote', async () => {
    const won: SeenRace = { ...race(gvc), ours: 6 };
    const trail = [write(7, 'bob'), write(6, 'us'), write(5, 'ann'), write(4, 'ann'), write(3, 'us')];
    expect(await settleRaces([won], 'acme', async () => trail)).toMatchObject([{ to: 5, by: ['ann'] }]);
  });

  test('keep the fields of others if they are known', async () => {
    const known: SeenRace = { ...race(gvc), to: 5, theirs: ['tags.z'] };
    expect(await settleRaces([known], 'acme', async () => [write(3, 'us', first)])).toMatchObject([
      { theirs: ['tags.z'] },
    ]);
  });

  // biome-ignore format: a row is a case
  test.each([
    { it: 'after the plan, up to their last version', to: 5,
      trail: [write(6, 'us'), write(5, 'bob'), write(4, 'ann'), write(4, 'ann'), write(3, 'us')], by: ['ann', 'bob'] },
    { it: 'of the deletion, if the record was deleted', trail: [deleted('eve'), write(5, 'bob')], by: ['eve'] },
    { it: 'unknown, if the trail does not contain them', to: 5, trail: [write(3, 'us')], by: ['unknown'] },
    { it: 'unknown, if the trail cannot be read', to: 5, trail: undefined, by: ['unknown'] },
  ])('name the writers: $it', async ({ to, trail, by }) => {
    const seen = { ...race(gvc), ...(to === undefined ? {} : { to }) };
    expect(await settleRaces([seen], 'acme', async () => trail)).toMatchObject([{ by }]);
  });
});

test('a second step whose record was deleted by others is searched by the id from the first one', async () => {
  const { platform, apply } = fakePlatform();
  const then = body({ description: 'second' });
  platform.fault('patch', gvc, { kind: 'meanwhile', happens: () => platform.drop(gvc) });
  const asked: string[] = [];
  const { result } = await apply(plan(creating(gvc, { then, expectedThen: then })), {
    writesOf: async (uid) => void asked.push(uid),
  });
  expect(result.races).toMatchObject([{ id: gvc, outcome: 'stale', from: 1 }]);
  expect(asked).toEqual(['uid-1']);
});

test('tags that the platform answers as null count as absent beside our own', () => {
  const [ours, theirs] = [{ tags: tags(gvc, 3) }, { tags: null }];
  expect(changedFields(ours, live(theirs), 'o')).toEqual([]);
  expect(changedFields(theirs, live(ours), 'o')).toEqual([]);
});
