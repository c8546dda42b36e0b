import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { changeOf, declare, live, plan, snapshot } from '../world.ts';

const reads = (uri: string): JsonObject => ({
  spec: { type: 'standard', containers: [{ name: 'main', image: 'a', env: [{ name: 'KEY', value: uri }] }] },
});
const secret = (data: JsonObject): JsonObject => ({ type: 'dictionary', data });

const before = secret({ user: 'CANARY-1', password: 'CANARY-2', old: 'CANARY-3' });
const after = secret({ user: 'CANARY-1', password: 'CANARY-4', token: 'CANARY-5' });
const world = [live('gvc/g'), live('workload/g/theirs', reads('scheme://secret/key'), { owner: 'bank' })];
const readers = [
  declare('gvc/g'),
  declare('workload/g/password', reads('scheme://secret/key.password')),
  declare('workload/g/user', reads('scheme://secret/key.user')),
  declare('policy/p', { targetKind: 'secret', targetLinks: ['//secret/key'] }),
];

test('a changed secret is noted with its changed keys and its readers, without values', () => {
  const made = plan([...readers, declare('secret/key', after)], [...world, live('secret/key', before)]);
  const { notes } = changeOf(made, 'secret/key');
  expect(notes).toEqual([
    'keys: password changed, token added, old removed',
    'read by workload/g/password, workload/g/theirs',
  ]);
  expect(JSON.stringify(made.changes.map((change) => change.notes))).not.toContain('CANARY');
});

test('if live values cannot be read, all readers are noted and no keys', () => {
  const state = snapshot([...world, live('secret/key', { type: 'dictionary' })], {
    unrevealed: new Set(['secret/key']),
  });
  const made = plan([...readers, declare('secret/key', after)], state, { writeUnknownSecrets: true });
  expect(changeOf(made, 'secret/key')).toMatchObject({
    reason: 'changed in the code; its value is not revealed, so it is written as a whole',
    notes: ['read by workload/g/password, workload/g/theirs, workload/g/user'],
  });
});

test('another encoding changes every key', () => {
  const opaque = (encoding: string) => ({ type: 'opaque', data: { payload: 'CANARY', encoding } });
  const reader = declare('workload/g/web', reads('scheme://secret/key.payload'));
  const made = plan(
    [declare('gvc/g'), reader, declare('secret/key', opaque('base64'))],
    [live('gvc/g'), live('secret/key', opaque('plain'))],
  );
  expect(changeOf(made, 'secret/key').notes).toEqual(['keys: encoding changed', 'read by workload/g/web']);
});

test('a secret with changed tags only has no note', () => {
  const made = plan(
    [...readers, declare('secret/key', { ...before, tags: { team: 'a' } })],
    [...world, live('secret/key', before)],
  );
  expect(changeOf(made, 'secret/key').notes).toEqual([]);
});
