import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json/json.ts';
import { makeUndo } from '../../../src/change/makeUndo.ts';
import { ShownValue } from '../../../src/manifest/live/snapshot.ts';
import { planned, readBack, textOf } from '../../change/saved/saving.ts';
import { changeOf, codes, declare, hash, live, plan, snapshot } from '../world.ts';

const value = { payload: 'hush', encoding: 'plain' };

function declared(more: JsonObject = {}) {
  return declare('secret/s', { type: 'opaque', data: value, ...more });
}

function there(more: JsonObject = {}) {
  return live('secret/s', { type: 'opaque', ...more });
}

const unrevealed = { unrevealed: new Set(['secret/s']) };

/** Values that platforms show instead of a secret. */
const shown: readonly (readonly [string, JsonObject])[] = [
  ['nothing', {}],
  ['the whole value', { data: value }],
  ['another whole value', { data: { payload: 'other' } }],
  ['a string of stars', { data: '***' }],
  ['stars in the shape of the value', { data: { payload: '***' } }],
  ['[redacted]', { data: { payload: '[redacted]' } }],
  ['an empty string', { data: '' }],
  ['null', { data: null }],
  ['an empty object', { data: {} }],
  ['the mask that Gantry shows', { data: { sensitive: true } }],
];

describe('a secret for which the platform shows, without -reveal,', () => {
  test.each(shown)('%s is not changed, and no change is reported', (_, data) => {
    const made = plan([declared()], snapshot([there(data)], unrevealed));
    expect(changeOf(made, 'secret/s')).toMatchObject({ action: 'keep', fields: [] });
    expect(changeOf(made, 'secret/s').notes.join()).toContain('its value is unknown');
  });

  test.each(shown)('%s is patched only in its known fields', (_, data) => {
    const made = plan([declared({ description: 'new' })], snapshot([there(data)], unrevealed));
    const { patch, fields } = changeOf(made, 'secret/s');
    expect(fields.map(({ path }) => path)).toEqual(['description']);
    expect(Object.keys(patch?.expose() ?? {}).sort()).toEqual(['description', 'id', 'tags', 'version']);
  });

  test.each(shown)('%s is adopted without its value', (_, data) => {
    const found = live('secret/s', { type: 'opaque', ...data }, { owner: null, applied: null });
    const made = plan([declared()], snapshot([found], unrevealed), { adopt: true });
    expect(Object.keys(changeOf(made, 'secret/s').patch?.expose() ?? {}).sort()).toEqual(['id', 'tags', 'version']);
  });

  test.each(shown)('%s is replaced and renamed with the declared value', (_, data) => {
    const other = declare('secret/s', { type: 'dictionary', data: { key: 'declared' } }, { replace: true });
    const replaced = plan([other], snapshot([there(data)], unrevealed));
    expect(changeOf(replaced, 'secret/s').create?.expose()['data']).toEqual({ key: 'declared' });
    const next = declare('secret/t', { type: 'opaque', data: value }, { previously: 's' });
    const renamed = plan([next], snapshot([there(data)], unrevealed), { maxDeletes: undefined });
    expect(changeOf(renamed, 'secret/t').create?.expose()['data']).toEqual(value);
  });
});

test('a secret read without a value is unknown, whether or not the platform refused to reveal it', () => {
  const change = changeOf(plan([declared()], [there()]), 'secret/s');
  expect(change.action).toBe('keep');
});

describe('an undo of a changed secret', () => {
  /** Fields that a record of any kind may have, and those that a platform adds. */
  const envelopes: readonly (readonly [string, JsonObject])[] = [
    ['nothing else', {}],
    ['spec: {}', { spec: {} }],
    ['an empty status, health and description', { status: {}, health: {}, spec: {} }],
    ['unknown fields', { etag: 'abc', alias: 's1', quota: { used: 1 } }],
  ];
  const cases = envelopes.flatMap(([it, envelope]) =>
    shown.map(([of, data]): readonly [string, string, JsonObject] => [it, of, { ...envelope, ...data }]),
  );

  test.each(cases)('whose record has %s, and shows %s, writes no mask and removes nothing', (_, _of, record) => {
    const of = planned([declared({ description: 'new' })], snapshot([there(record)], unrevealed));
    expect(codes(of.plan)).toEqual([]);
    const after = live('secret/s', { type: 'opaque', ...record, description: 'new' }, { version: 2 });
    const undo = makeUndo(readBack(textOf(of)), snapshot([after]), { allowCollateral: 0, allowDataLoss: 0 }, hash);
    expect(codes(undo.plan)).toEqual([]);
    const body = changeOf(undo.plan, 'secret/s').patch?.toSend() ?? {};
    expect(Object.keys(body).sort()).toEqual(['description', 'id', 'tags', 'version']);
  });

  test.each(cases)('whose record has %s, and shows %s, does not change a changed value', (_, _of, record) => {
    const revealed = live('secret/s', { type: 'opaque', ...record, data: { payload: 'before', encoding: 'plain' } });
    const of = planned([declared({ description: 'new' })], snapshot([revealed]));
    expect(of.plan.changes[0]?.patch?.expose()).toMatchObject({ data: { payload: 'hush' } });
    const after = live('secret/s', { type: 'opaque', ...record, description: 'new' }, { version: 2 });
    const undo = makeUndo(readBack(textOf(of)), snapshot([after]), { allowCollateral: 0, allowDataLoss: 0 }, hash);
    const body = changeOf(undo.plan, 'secret/s').patch?.toSend() ?? {};
    expect(Object.keys(body).sort()).toEqual(['description', 'id', 'tags', 'version']);
    expect(undo.plan.notes.join()).toContain('the former secret values are not in the file: data');
  });
});

test('a saved plan that contains a value only as a mask refuses to write it', () => {
  const marked = declare(
    'gvc/g',
    { spec: { env: [{ name: 'A', value: { sensitive: true } satisfies JsonValue }] } },
    { sensitive: ['spec.env.A.value'] },
  );
  const made = plan([marked], []);
  expect(codes(made)).toEqual(['plan.masked']);
  expect(() => changeOf(made, 'gvc/g').create?.toSend()).toThrow('it was not sent');
});

describe('secret.hidden: a value shown without -reveal is only compared', () => {
  const seen = (data: JsonValue) => ({ ...there(), shown: new ShownValue(data) });
  const other: JsonObject = { payload: 'another secret', encoding: 'plain' };

  test('an equal value is kept, and is not reported as unknown', () => {
    const change = changeOf(plan([declared()], [seen(value)], { writeUnknownSecrets: true }), 'secret/s');
    expect(change).toMatchObject({ action: 'keep', notes: [] });
  });

  test('a whole value that differs is overwritten, and no part of it is in the plan', () => {
    const state = snapshot([seen(other)]);
    const of = planned([declared()], state);
    expect(changeOf(of.plan, 'secret/s').patch?.expose()).toMatchObject({ '$replace/data': value });
    expect(textOf(of)).not.toContain('another secret');
    expect(JSON.stringify(seen(other))).not.toContain('another secret');
  });

  test('a dictionary that differs loses the keys that are no longer declared', () => {
    const now = declare('secret/d', { type: 'dictionary', data: { a: 'new' } });
    const before = { ...live('secret/d', { type: 'dictionary' }), shown: new ShownValue({ a: 'old', b: 'gone' }) };
    expect(changeOf(plan([now], [before]), 'secret/d').patch?.expose()['$replace/data']).toEqual({ a: 'new' });
  });

  test.each<[string, JsonValue]>([
    ['patch', ' {"type":"service_account","project_id":"b"}'],
    ['keep', 'another secret'],
    ['keep', { type: 'service_account' }],
  ])('a value that is JSON in a text: %s for %j', (action, shown) => {
    const now = declare('secret/g', { type: 'gcp', data: '{"type":"service_account","project_id":"a"}' });
    const before = { ...live('secret/g', { type: 'gcp' }), shown: new ShownValue(shown) };
    expect(changeOf(plan([now], [before]), 'secret/g').action).toBe(action);
  });

  test('an undo does not compare the value, and does not write it', () => {
    const of = planned([declared({ description: 'new' })], snapshot([seen(other)], unrevealed));
    const after = {
      ...live('secret/s', { type: 'opaque', description: 'new' }, { version: 2 }),
      shown: new ShownValue(value),
    };
    const undo = makeUndo(readBack(textOf(of)), snapshot([after]), { allowCollateral: 0, allowDataLoss: 0 }, hash);
    const body = changeOf(undo.plan, 'secret/s').patch?.toSend() ?? {};
    expect(Object.keys(body).sort()).toEqual(['description', 'id', 'tags', 'version']);
  });

  test.each<[string, JsonValue]>([
    ['stars', { payload: '***', encoding: 'plain' }],
    ['stars after a prefix', { payload: 'hu****', encoding: 'plain' }],
    ['[redacted]', { payload: '[redacted]' }],
    ['(hidden)', { payload: '(hidden)' }],
    ['dots', { payload: '•••••' }],
    ['a digest', { payload: 'sha256:2c26b46b68ffc68ff99b453c1d3041' }],
    ['an empty string', { payload: '' }],
    ['null', { payload: null }],
    ['a flag', { sensitive: true }],
    ['no fields', {}],
    ['a text', 'another secret'],
    ['a field of another shape', { value: 'another secret' }],
    ['a part of the value', { encoding: 'plain' }],
  ])('%s may be a mask: the value is unknown', (_, data) => {
    const change = changeOf(plan([declared()], [seen(data)]), 'secret/s');
    expect(change.action).toBe('keep');
    expect(change.notes.join()).toContain('its value is unknown');
  });
});
