import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import { changeOf, declare, foreign, live, plan, snapshot } from '../world.ts';

describe('a changed secret', () => {
  const id = 'secret/key';
  const reads = (uri: string): JsonObject => ({
    spec: { type: 'standard', containers: [{ name: 'main', image: 'a', env: [{ name: 'KEY', value: uri }] }] },
  });
  const dictionary = (data: JsonObject): JsonObject => ({ type: 'dictionary', data });
  const opaque = (payload: string, encoding = 'plain') => ({ type: 'opaque', data: { payload, encoding } });
  const [one, two] = [dictionary({ b: '1', a: '1' }), dictionary({ b: '2', a: '2' })];
  const reader = (name: string, uri = 'scheme://secret/key') => foreign(`workload/g/${name}`, reads(uri));
  const notes = (desired: JsonObject, from: readonly LiveResource[]) =>
    changeOf(plan([declare('gvc/g'), declare(id, desired)], [live('gvc/g'), ...from], { adopt: true }), id).notes;
  const keys = 'keys: a changed, b changed';

  test.each<[string, JsonObject, readonly LiveResource[], readonly string[]]>(
    // biome-ignore format: a row is a case
    [
      ['names its keys and readers in order', two, [live(id, one), reader('z'), reader('a')],
        [keys, 'read by workload/g/a, workload/g/z']],
      ['does not name a deleted reader, or one of another secret', two,
        [live(id, one), live('workload/g/going', reads('scheme://secret/key')), reader('x', 'scheme://secret/x')], [keys]],
      ['does not name a policy of others as a reader', two,
        [live(id, one), foreign('policy/p', { targetKind: 'secret', targetLinks: ['//secret/key'], bindings: [] })], [keys]],
      ['is noted if it is adopted', two, [foreign(id, one)], [keys]],
      ['is noted if it is replaced', dictionary({ payload: 'x' }),
        [live(id, { type: 'opaque', data: { payload: 'y' } })], ['keys: payload changed']],
      ['is noted beside a changed description', { ...two, description: 'new' }, [live(id, one)], [keys]],
      ['is noted with the readers of any key if the encoding changes', opaque('x', 'base64'),
        [live(id, opaque('x')), reader('web', 'scheme://secret/key.payload')],
        ['keys: encoding changed', 'read by workload/g/web']],
      ['is not noted if only tags change', { ...one, tags: { team: 'a' } }, [live(id, one), reader('a')], []],
    ],
  )('%s', (_, desired, from, expected) => expect(notes(desired, from)).toEqual(expected));

  test('names ten of eleven readers', () => {
    const readers = Array.from({ length: 11 }, (_, index) => reader(`r${index}`));
    const [, read = ''] = notes(two, [live(id, one), ...readers]);
    expect(read.match(/workload\/g\/r/g)).toHaveLength(10);
  });

  const before = dictionary({ user: 'CANARY-1', password: 'CANARY-2', old: 'CANARY-3' });
  const after = dictionary({ user: 'CANARY-1', password: 'CANARY-4', token: 'CANARY-5' });
  const world = [live('gvc/g'), live('workload/g/theirs', reads('scheme://secret/key'), { owner: 'bank' })];
  const desired = [
    declare('gvc/g'),
    declare('workload/g/password', reads('scheme://secret/key.password')),
    declare('workload/g/user', reads('scheme://secret/key.user')),
    declare('policy/p', { targetKind: 'secret', targetLinks: ['//secret/key'] }),
    declare(id, after),
  ];

  test('names the readers of changed keys only, and no values', () => {
    const made = plan(desired, [...world, live(id, before)]);
    expect(changeOf(made, id).notes).toEqual([
      'keys: password changed, token added, old removed',
      'read by workload/g/password, workload/g/theirs',
    ]);
    expect(JSON.stringify(made.changes.map((change) => change.notes))).not.toContain('CANARY');
  });

  test('names all readers and no keys if its live values cannot be read', () => {
    const state = snapshot([...world, live(id, { type: 'dictionary' })], { unrevealed: new Set([id]) });
    expect(changeOf(plan(desired, state, { writeUnknownSecrets: true }), id)).toMatchObject({
      reason: 'changed in the code; its value is not revealed, so it is written as a whole',
      notes: ['read by workload/g/password, workload/g/theirs, workload/g/user'],
    });
  });
});

describe('a change of the initial capacity', () => {
  const set = (initialCapacity: number, fields: JsonObject = {}) => ({
    spec: { fileSystemType: 'ext4', initialCapacity, performanceClass: 'general-purpose-ssd' },
    ...fields,
  });
  const note = 'spec.initialCapacity applies to new volumes only: existing volumes keep their size';
  const places = (...counts: readonly number[]): JsonObject => ({
    status: {
      locations: counts.map((count, index) => ({
        name: `l${index}`,
        volumes: Array.from({ length: count }, (_, at) => ({ index: at, lifecycle: 'bound' })),
      })),
    },
  });

  test.each<[string, JsonObject | undefined, JsonObject, readonly string[]]>([
    ['is noted as applying to new volumes if volumes exist', set(10, places(1)), set(20), [note]],
    ['is noted if only one location has volumes', set(10, places(0, 1)), set(20), [note]],
    ['is noted if the existing volumes are unknown', set(10), set(20), [note]],
    ['is not noted if no volumes exist', set(10, places(0, 0)), set(20), []],
    ['is noted beside other changes', set(10, places(1)), set(20, { description: 'new' }), [note]],
    ['is not noted if something else changes', set(10, places(1)), set(10, { description: 'new' }), []],
    ['is not noted if the set is created', undefined, set(20), []],
    [
      'is not noted if the set is replaced',
      set(10, places(0, 1)),
      { spec: { fileSystemType: 'ext4', initialCapacity: 200, performanceClass: 'high-throughput-ssd' } },
      [],
    ],
  ])('%s', (_, held, desired, expected) => {
    const from = held === undefined ? [] : [live('volumeset/g/rows', held)];
    const made = plan([declare('gvc/g'), declare('volumeset/g/rows', desired)], [live('gvc/g'), ...from]);
    expect(changeOf(made, 'volumeset/g/rows').notes).toEqual(expected);
  });
});
