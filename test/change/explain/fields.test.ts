import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { explainDifference, explainVerdict, type FieldSources } from '../../../src/change/explainFields.ts';
import type { Verdict } from '../../../src/change/verdicts.ts';
import type { WriteEvent } from '../../../src/manifest/live/writer.ts';
import { meaningOf } from '../../../src/patch/recorder.ts';
import { bySchema } from '../../../src/patch/shouldMask.ts';
import type { FieldFacts } from '../../../src/schema/facts/fieldFacts.ts';
import type { ObjectShape, Shape } from '../../../src/schema/shape/shape.ts';
import { declare } from '../../plan/world.ts';

const scalar = (facts: FieldFacts = {}): Shape => ({ type: 'scalar', of: 'string', facts });
const secret: Shape = { type: 'object', fields: new Map([['inner', scalar()]]), facts: { sensitive: true } };
// biome-ignore format: a row is a case
const named: Shape = {
  ...{ type: 'list', item: { type: 'object', fields: new Map([['name', scalar()], ['value', scalar()]]), facts: {} } },
  facts: { list: { class: 'keyed', key: { parts: [{ fields: ['name'] }], evidence: 'stated' } } },
};
const shape: ObjectShape = {
  type: 'object',
  fields: new Map<string, Shape>([
    ['plain', scalar()],
    ['service', scalar({ fill: 'service' })],
    ['merged', { type: 'free', facts: { fill: 'service', merged: true } }],
    ['derived', scalar({ fill: 'derived' })],
    ['irremovable', scalar({ fill: 'irremovable' })],
    ['operational', scalar({ fill: 'operational' })],
    ['secret', secret],
    ['list', named],
    ['tags', { type: 'map', value: scalar(), facts: {} }],
  ]),
  facts: {},
};

const declared = (record: JsonObject) => declare('group/x', record, {}, 7);
const at = { file: 'stack.yaml', line: 7, column: 1 };

function sources(of: Partial<FieldSources> = {}): FieldSources {
  return {
    ...{ shape, sensitivity: bySchema(shape), desired: declared({}), live: undefined, writes: undefined },
    wasSet: () => false,
    ...of,
  };
}

const every = Object.fromEntries([...shape.fields.keys()].map((name) => [name, 'x']));
const wasSet = () => true;

describe('the reason why an undeclared field, or one declared as absent, changes', () => {
  test.each<{ path: string; next?: string; of?: Partial<FieldSources>; because: string }>([
    { path: 'lifecycle.retain', next: 'x', because: 'still applies when the declaration is gone' },
    { path: 'plain', of: { desired: undefined }, because: 'no longer declared' },
    { path: 'tags."scheme/protected"', next: 'true', because: 'as lifecycle.protect asks' },
    { path: 'plain', next: 'y', of: { desired: declared({ plain: 'y' }) }, because: 'the declared value is written' },
    { path: 'plain', of: { desired: declared({ plain: null }) }, because: 'declared as absent: it is removed' },
    { path: 'tags.team', because: 'an earlier write of this stack set the tag' },
    { path: 'merged', of: { wasSet }, because: 'set it, and it is no longer declared: it is removed' },
    { path: 'merged', because: 'a new record does not have it' },
    { path: 'service', of: { wasSet }, because: 'it is removed once, then the platform chooses' },
    { path: 'service', because: 'it conflicts with this change: the platform chooses again' },
    { path: 'derived', because: 'it follows from the rest of the record' },
    { path: 'irremovable', because: 'the platform sets its documented value again' },
    { path: 'operational', because: '--revert-operational resets' },
    { path: 'plain', because: 'that means absent, or its default' },
    { path: 'plain', next: 'y', because: 'not declared: that means its default' },
    { path: 'derived', of: { live: undefined }, because: 'that means absent, or its default' },
    { path: 'none', because: 'that means absent, or its default' },
  ])('$path: $because', ({ path, next, of, because }) => {
    const change = { path, ...(next === undefined ? {} : { new: next }) };
    const explained = explainDifference(change, sources({ live: every, ...of }));
    expect(explained.because).toContain(because);
  });

  test('a default is not reported as absent', () => {
    const { because } = explainDifference({ path: 'plain', new: 'y' }, sources({ live: every }));
    expect(because).not.toContain('absent');
  });
});

test('a difference shows both values, the place of the new one and its risk, and no missing ones', () => {
  const of = sources({ desired: declared({ plain: 'y' }), live: { plain: 'x' } });
  const because = 'the declared value is written';
  expect(explainDifference({ path: 'plain', old: 'x', new: 'y', risk: 'metadata' }, of)).toStrictEqual({
    ...{ path: 'plain', why: 'differs', because, declared: 'y', at, live: 'x', risk: 'metadata' },
  });
  expect(explainDifference({ path: 'service' }, sources())).toStrictEqual({
    ...{ path: 'service', why: 'differs', because: 'not declared: that means absent, or its default' },
  });
});

describe('a value that is carried over from another record', () => {
  const from = 'group/old, its old name';
  const takenOver = (created: JsonObject) => ({ takenOver: { created, from } });
  const because = `carried over from ${from}`;

  test('is shown beside the declared value', () => {
    const of = sources({ desired: declared({ plain: 'new' }), ...takenOver({ plain: 'old' }) });
    expect(explainDifference({ path: 'plain', new: 'old' }, of)).toStrictEqual({
      ...{ path: 'plain', why: 'differs', because, declared: 'new', at, before: 'old' },
    });
  });

  test('is shown alone without a declared value', () => {
    const of = sources(takenOver({ plain: 'old' }));
    expect(explainDifference({ path: 'plain', new: 'old' }, of)).toStrictEqual({
      ...{ path: 'plain', why: 'differs', because, before: 'old' },
    });
  });

  test.each<[string, string, Partial<FieldSources>]>([
    ['the same', 'plain', { desired: declared({ plain: 'y' }), ...takenOver({ plain: 'y' }) }],
    ['none', 'plain', { desired: declared({ plain: 'y' }), ...takenOver({}) }],
    [
      'the protection tag, which the declaration decides',
      'tags."scheme/protected"',
      takenOver({ tags: { 'scheme/protected': 'true' } }),
    ],
    ['of an undeclared resource', 'plain', { desired: undefined, ...takenOver({ plain: 'old' }) }],
  ])('does not include one that is %s', (_, path, of) => {
    const explained = explainDifference({ path, new: 'y' }, sources(of));
    expect(explained.because).not.toContain('carried over');
    expect(explained).toMatchObject({ declared: 'y' });
    expect(explained).not.toHaveProperty('before');
  });
});

describe('the writer of the live value', () => {
  const write: WriteEvent = {
    ...{ version: 1, at: '2026-11-20', action: 'create', writer: { name: 'ana', type: 'user' } },
    record: { plain: 'x', secret: { inner: 'x' }, version: 1 },
  };
  const live = { plain: 'x', secret: { inner: 'x' }, version: 1 };
  const ana = { name: 'ana', type: 'user', version: 1, at: '2026-11-20' };

  test.each<[string, string, Partial<FieldSources>, unknown]>([
    ['is in the trail', 'plain', { live, writes: [write] }, { writer: ana }],
    ['is unknown if the trail cannot be read', 'plain', { live, writes: null }, { writer: null }],
    ['is unknown if the trail is too short', 'plain', { live, writes: [] }, { writer: null }],
    ['is not requested if the trail was not read', 'plain', { live }, {}],
    ['does not exist without a live record', 'plain', { writes: [write] }, {}],
    ['does not exist without the live field', 'derived', { live, writes: [write] }, {}],
    ['does not exist without the live field and a trail', 'derived', { live, writes: null }, {}],
    ['is unknown for a secret: the trail does not contain it', 'secret', { live, writes: [write] }, { writer: null }],
    ['is unknown for a nested field of a secret', 'secret.inner', { live, writes: [write] }, { writer: null }],
  ])('%s', (_, path, of, writer) => {
    const { why: _why, because: _because, path: _path, ...shown } = explainDifference({ path }, sources(of));
    expect(shown).toStrictEqual(writer);
  });
});

describe('an equal field', () => {
  const record = { plain: 'x', secret: { inner: 'x' }, list: [{ name: 'a', value: '1' }] };
  const both = sources({ desired: declared(record), live: record });
  const hidden = { sensitive: true, changed: false };

  test.each<[string, Omit<Verdict, 'path' | 'why'>, unknown]>([
    ['its values and its place', { heldAt: ['plain'], declaredAt: ['plain'] }, { declared: 'x', at, live: 'x' }],
    ['the live value', { heldAt: ['plain'] }, { live: 'x' }],
    ['the declared value', { declaredAt: ['plain'] }, { declared: 'x', at }],
    ['the meaning of its absence', { means: 'y' }, { means: 'y' }],
    ['the value of an item', { heldAt: ['list', 0, 'value'] }, { live: '1' }],
    ['no value for a missing one', { heldAt: ['list', 3, 'value'] }, {}],
    ['no value below a string', { heldAt: ['plain', 'x'] }, {}],
    ['no secret', { heldAt: ['secret'], declaredAt: ['secret'] }, { declared: hidden, at, live: hidden }],
    ['nothing in a secret', { heldAt: ['secret', 'inner'] }, { live: hidden }],
  ])('shows %s', (_, of, shown) => {
    const { path: _path, why, because, ...others } = explainVerdict({ path: 'p', why: 'same', ...of }, both);
    expect([why, because]).toEqual(['same', 'the same on both sides']);
    expect(others).toStrictEqual(shown);
  });

  test('shows nothing if it is neither declared nor live', () => {
    const verdict: Verdict = { path: 'plain', why: 'ignored', heldAt: ['plain'], declaredAt: ['plain'] };
    expect(explainVerdict(verdict, sources({ desired: undefined }))).toStrictEqual({
      ...{ path: 'plain', why: 'ignored', because: 'under lifecycle.ignore: used on creation, never in a patch' },
    });
  });

  test('shows the writer of a value that is only live', () => {
    const asked = { ...both, writes: null };
    expect(explainVerdict({ path: 'plain', why: 'same', heldAt: ['plain'] }, asked)).toMatchObject({ writer: null });
    expect(explainVerdict({ path: 'plain', why: 'same', declaredAt: ['plain'] }, asked)).not.toHaveProperty('writer');
  });
});

test.each<[FieldFacts, string]>([
  [{ quantity: 'cpu' }, 'quantity'],
  [{ asText: true }, 'as-text'],
  [{ jsonText: true }, 'json-text'],
  [{ link: { to: ['secret'], strength: 'soft' } }, 'link'],
  [{}, 'spelling'],
])('equal values of a field with %j are equal because of: %s', (facts, why) => {
  expect(meaningOf(scalar(facts))).toBe(why);
});
