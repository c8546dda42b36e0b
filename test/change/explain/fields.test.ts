import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { explainDifference, explainVerdict, type FieldSources } from '../../../src/change/explainFields.ts';
import type { Verdict } from '../../../src/change/verdicts.ts';
import type { WriteEvent } from '../../../src/manifest/live/writer.ts';
import { meaningOf } from '../../../src/patch/recorder.ts';
import { bySchema } from '../../../src/patch/sensitivity.ts';
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

describe('why a field that is not declared, or declared as absent, changes', () => {
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

  test('what means its default is not said to be absent', () => {
    const { because } = explainDifference({ path: 'plain', new: 'y' }, sources({ live: every }));
    expect(because).not.toContain('absent');
  });
});

test('a difference shows both values, where the new one is declared, and its risk; of what is not there nothing', () => {
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

  test('is shown beside the one that is declared', () => {
    const of = sources({ desired: declared({ plain: 'new' }), ...takenOver({ plain: 'old' }) });
    expect(explainDifference({ path: 'plain', new: 'old' }, of)).toStrictEqual({
      ...{ path: 'plain', why: 'differs', because, declared: 'new', at, before: 'old' },
    });
  });

  test('is shown alone where none is declared', () => {
    const of = sources(takenOver({ plain: 'old' }));
    expect(explainDifference({ path: 'plain', new: 'old' }, of)).toStrictEqual({
      ...{ path: 'plain', why: 'differs', because, before: 'old' },
    });
  });

  test.each<[string, string, Partial<FieldSources>]>([
    ['the same', 'plain', { desired: declared({ plain: 'y' }), ...takenOver({ plain: 'y' }) }],
    ['none', 'plain', { desired: declared({ plain: 'y' }), ...takenOver({}) }],
    [
      'the guard, which the declaration decides',
      'tags."scheme/protected"',
      takenOver({ tags: { 'scheme/protected': 'true' } }),
    ],
    ['of nothing that is declared', 'plain', { desired: undefined, ...takenOver({ plain: 'old' }) }],
  ])('is not one that is %s', (_, path, of) => {
    const explained = explainDifference({ path, new: 'y' }, sources(of));
    expect(explained.because).not.toContain('carried over');
    expect(explained).toMatchObject({ declared: 'y' });
    expect(explained).not.toHaveProperty('before');
  });
});

describe('who wrote the live value', () => {
  const write: WriteEvent = {
    ...{ version: 1, at: '2026-11-20', action: 'create', writer: { name: 'ana', type: 'user' } },
    record: { plain: 'x', secret: { inner: 'x' }, version: 1 },
  };
  const live = { plain: 'x', secret: { inner: 'x' }, version: 1 };
  const ana = { name: 'ana', type: 'user', version: 1, at: '2026-11-20' };

  test.each<[string, string, Partial<FieldSources>, unknown]>([
    ['is in the trail', 'plain', { live, writes: [write] }, { writer: ana }],
    ['is not known where the trail cannot be read', 'plain', { live, writes: null }, { writer: null }],
    ['is not known where the trail is too short', 'plain', { live, writes: [] }, { writer: null }],
    ['is not asked where the trail was not read', 'plain', { live }, {}],
    ['is nobody where nothing is live', 'plain', { writes: [write] }, {}],
    ['is nobody where live has no such field', 'derived', { live, writes: [write] }, {}],
    ['is nobody where live has no such field, and no trail', 'derived', { live, writes: null }, {}],
    ['is not known of a secret: the trail holds none', 'secret', { live, writes: [write] }, { writer: null }],
    ['is not known of what is in a secret', 'secret.inner', { live, writes: [write] }, { writer: null }],
  ])('%s', (_, path, of, writer) => {
    const { why: _why, because: _because, path: _path, ...shown } = explainDifference({ path }, sources(of));
    expect(shown).toStrictEqual(writer);
  });
});

describe('a field that does not differ', () => {
  const record = { plain: 'x', secret: { inner: 'x' }, list: [{ name: 'a', value: '1' }] };
  const both = sources({ desired: declared(record), live: record });
  const hidden = { sensitive: true, changed: false };

  test.each<[string, Omit<Verdict, 'path' | 'why'>, unknown]>([
    ['its values and its place', { heldAt: ['plain'], declaredAt: ['plain'] }, { declared: 'x', at, live: 'x' }],
    ['the live value', { heldAt: ['plain'] }, { live: 'x' }],
    ['the declared value', { declaredAt: ['plain'] }, { declared: 'x', at }],
    ['what leaving it out means', { means: 'y' }, { means: 'y' }],
    ['the value of an item', { heldAt: ['list', 0, 'value'] }, { live: '1' }],
    ['no value where there is none', { heldAt: ['list', 3, 'value'] }, {}],
    ['no value below a text', { heldAt: ['plain', 'x'] }, {}],
    ['no secret', { heldAt: ['secret'], declaredAt: ['secret'] }, { declared: hidden, at, live: hidden }],
    ['nothing in a secret', { heldAt: ['secret', 'inner'] }, { live: hidden }],
  ])('shows %s', (_, of, shown) => {
    const { path: _path, why, because, ...others } = explainVerdict({ path: 'p', why: 'same', ...of }, both);
    expect([why, because]).toEqual(['same', 'the same on both sides']);
    expect(others).toStrictEqual(shown);
  });

  test('says nothing of what is neither declared nor live', () => {
    const verdict: Verdict = { path: 'plain', why: 'ignored', heldAt: ['plain'], declaredAt: ['plain'] };
    expect(explainVerdict(verdict, sources({ desired: undefined }))).toStrictEqual({
      ...{ path: 'plain', why: 'ignored', because: 'under lifecycle.ignore: used on creation, never in a patch' },
    });
  });

  test('names the writer of what is live alone', () => {
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
])('equal values of a field with %j are equal by: %s', (facts, why) => {
  expect(meaningOf(scalar(facts))).toBe(why);
});
