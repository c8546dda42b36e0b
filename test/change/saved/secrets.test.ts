import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { maskedResources, replanSaved } from '../../../src/change/replanSaved.ts';
import type { SavedSecret } from '../../../src/change/savedPlan.ts';
import { savedPlanOf } from '../../../src/change/savedPlanOf.ts';
import { fillRecord, fillSecrets, findSecrets, maskedRecord } from '../../../src/change/savedSecrets.ts';
import { movedSince, savedRecord } from '../../../src/plan/record/savedRecord.ts';
import { changeOf, declare, live, options, org, snapshot } from '../../plan/world.ts';
import { planned, readBack, saved, textOf } from './saving.ts';

const mask = { sensitive: true };
const opaque = (payload: string): JsonObject => ({ type: 'opaque', data: { payload } });
const env = (value: string): JsonObject => ({ spec: { env: [{ name: 'TOKEN', value }] } });
const marks = { sensitive: ['spec.env.TOKEN.value'] };

describe('sensitive values are removed from a saved plan, and filled in again', () => {
  const [one, two] = [declare('secret/one', opaque('first')), declare('secret/two', opaque('second'))];
  const of = planned([one, two, declare('group/plain')], []);
  const found = findSecrets(of.plan, of.desired);
  const secrets = saved(of).secrets;

  test('one place in the body and one in the declaration, for each resource with any', () => {
    expect(found.map(({ resource, in: part, at, value }) => [resource, part, at.join('.'), value])).toEqual([
      ['secret/one', 'create', 'data', { payload: 'first' }],
      ['secret/two', 'create', 'data', { payload: 'second' }],
      ['secret/one', 'record', 'data', { payload: 'first' }],
      ['secret/two', 'record', 'data', { payload: 'second' }],
    ]);
  });

  test('the declaration of a resource whose secrets are not written is omitted', () => {
    const same = planned([one, two], [live('secret/one', opaque('first'))]);
    expect(findSecrets(same.plan, same.desired).map(({ resource }) => resource)).toEqual(['secret/two', 'secret/two']);
  });

  const fillingIn = (wanted: (secret: SavedSecret) => boolean) => (secret: SavedSecret) =>
    wanted(secret) ? { payload: `${secret.resource} in ${secret.in}` } : undefined;

  test('each place of a body gets its own value, and the body is still shown masked', () => {
    const [change] = readBack(textOf(of)).plan.changes.filter(({ id }) => id === 'secret/one');
    if (change === undefined) throw new Error('no change');
    const filled = fillSecrets(
      change,
      secrets,
      fillingIn(() => true),
    );
    expect(filled.create?.expose()).toMatchObject({ data: { payload: 'secret/one in create' } });
    expect(filled.create?.masked).toMatchObject({ data: mask });
    const unknown = fillSecrets(
      change,
      secrets,
      fillingIn(({ resource }) => resource === 'secret/two'),
    );
    expect(unknown.create?.expose()).toMatchObject({ data: mask });
  });

  test('each place of the declaration gets its own value', () => {
    const [declared] = readBack(textOf(of)).declared;
    if (declared === undefined) throw new Error('nothing declared');
    expect(declared.record['data']).toEqual(mask);
    expect(
      fillRecord(
        declared,
        secrets,
        fillingIn(() => true),
      ).record['data'],
    ).toEqual({ payload: 'secret/one in record' });
    expect(
      fillRecord(
        declared,
        secrets,
        fillingIn(({ in: part }) => part === 'create'),
      ),
    ).toEqual(declared);
    expect(
      fillRecord(
        declare('group/plain'),
        secrets,
        fillingIn(() => true),
      ).record,
    ).toEqual({ name: 'plain' });
  });

  test('a body without secrets is unchanged, with its second step', () => {
    const plain = changeOf(of.plan, 'group/plain');
    expect(
      fillSecrets(
        plain,
        secrets,
        fillingIn(() => true),
      ),
    ).toEqual(plain);
    expect(maskedRecord(declare('gvc/g', env('t0p'), marks))).toMatchObject({
      spec: { env: [{ name: 'TOKEN', value: mask }] },
    });
  });
});

describe('the marks of a declaration hide live values', () => {
  const old = live('gvc/old', env('t0p'));
  const hidden = { spec: { env: [{ name: 'TOKEN', value: mask }] } };

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'under its own name', declared: [declare('gvc/old', env('next'), marks)], marking: [], kept: hidden },
      { it: 'under the old name of a renaming',
        declared: [declare('gvc/new', env('t0p'), { ...marks, previously: 'old', replace: true })], marking: [],
        kept: hidden },
      { it: 'for a deleted resource, by a declaration in another stack', declared: [declare('group/a')],
        marking: [declare('gvc/old', env('next'), marks)], kept: hidden },
      { it: 'not without marks', declared: [declare('gvc/old', env('next'))], marking: [],
        kept: env('t0p') },
    ],
  )('$it', ({ declared, marking, kept }) => {
    const of = { ...planned(declared, [old]), marking };
    expect(savedPlanOf(of, { paths: ['.'] }).live.get('gvc/old')?.record).toMatchObject(kept);
  });
});

describe('writes since a plan was saved', () => {
  const before = live('gvc/g', { ...env('t0p'), description: 'old', tags: { b: '1', c: '1' }, status: { a: 1 } });
  const now = (fields: JsonObject) => live('gvc/g', { ...before.record, ...fields }, { version: 7 });

  test('the saved record contains no read-only field', () => {
    const record = savedRecord(before);
    for (const name of ['id', 'version', 'status']) expect(record).not.toHaveProperty(name);
    expect(record).toMatchObject({ name: 'g', description: 'old' });
  });

  test.each<[string, JsonObject, readonly string[]]>([
    ['none for a newer version and our tags', {}, []],
    [
      'fields, by name',
      { tags: { ...Object(before.record['tags']), c: '2', b: '2' }, description: 'x' },
      ['description', 'tags.b', 'tags.c'],
    ],
    ['read-only fields do not count', { status: { a: 2 } }, []],
  ])('%s', (_, fields, paths) => {
    expect(movedSince(before, now(fields), org)).toEqual(paths);
  });

  test('a secret cannot be compared: neither one of the schema nor a marked one', () => {
    const secret = live('secret/key', { ...opaque('a'), description: 'old' });
    expect(
      movedSince(
        { ...secret, record: savedRecord(secret) },
        live('secret/key', { ...opaque('b'), description: 'old' }),
        org,
      ),
    ).toEqual([]);
    const marked = { ...before, record: savedRecord(before, declare('gvc/g', env('x'), marks)) };
    expect(movedSince(marked, now(env('another')), org)).toEqual([]);
    expect(movedSince(before, now(env('another')), org)).toEqual(['spec.env.TOKEN.value']);
  });
});

describe('a resource of a saved plan is planned again', () => {
  const hidden = declare('secret/key', { type: 'opaque', data: mask, description: 'new' });
  const marked = declare('gvc/g', { ...env('x'), description: 'new' }, marks);
  const saves = { ...marked, record: maskedRecord(marked) };
  const again = (masked: readonly string[]) =>
    replanSaved([hidden, saves, declare('group/a', { description: 'new' })], new Set(masked), snapshot([]), options);

  test('a resource that the file contains completely is planned as declared', () => {
    const group = live('group/a', { description: 'old' });
    expect(again(['secret/key'])('group/a', group)?.patch?.expose()).toMatchObject({ description: 'new' });
    const change = again([])('secret/key', live('secret/key', { ...opaque('x'), description: 'new' }));
    expect(change?.fields.map(({ path }) => path)).toEqual(['data']);
  });

  test('for a secret that it does not contain, the live value counts as declared', () => {
    const changed = again(['secret/key'])('secret/key', live('secret/key', { ...opaque('x'), description: 'old' }));
    expect(changed?.fields.map(({ path }) => path)).toEqual(['description']);
    const same = again(['secret/key'])('secret/key', live('secret/key', { ...opaque('x'), description: 'new' }));
    expect(same).toBeUndefined();
  });

  test('an unreadable one counts as unknown, not as missing', () => {
    const change = again(['secret/key'])('secret/key', live('secret/key', { type: 'opaque', description: 'old' }));
    expect(change?.patch?.expose()).not.toHaveProperty('data');
    expect(change?.notes.join()).toContain('its value is unknown');
  });

  test('a marked value does too', () => {
    const same = again(['gvc/g'])('gvc/g', live('gvc/g', { ...env('whatever'), description: 'new' }));
    expect(same).toBeUndefined();
  });

  // biome-ignore format: a row is a case
  test.each([
    { it: 'a secret', resource: hidden, known: [], masked: true },
    { it: 'not a secret with known values', resource: hidden, known: ['secret/key'], masked: false },
    { it: 'a resource with a marked value', resource: saves, known: [], masked: true },
    { it: 'not a marked resource without a mask', resource: marked, known: [], masked: false },
    { it: 'not a resource without a secret', resource: declare('group/a'), known: [], masked: false },
    { it: 'not an unmarked value that looks like a mask',
      resource: declare('gvc/g', { spec: { env: [{ name: 'A', value: mask }] } }), known: [], masked: false },
  ])('the file does not contain $it completely: $masked', ({ resource, known, masked }) => {
    expect([...maskedResources([resource], new Set(known))]).toEqual(masked ? [resource.id] : []);
  });
});
