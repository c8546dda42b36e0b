import { describe, expect, test } from 'vitest';
import { bySchema } from '../../src/patch/model/sensitivity.ts';
import { fieldChanges } from '../../src/patch/show/fieldChanges.ts';
import { maskSensitive } from '../../src/patch/show/mask.ts';
import { shapeOf } from '../../src/schema/shape/shapeOf.ts';

const context = { org: 'acme', gvc: 'shop' };
const userpass = { name: 's', type: 'userpass', data: { username: 'u', password: 'hunter2' } };
const secret = shapeOf('secret', userpass);
const hidden = 'hunter2';

describe('masks (law 8)', () => {
  test.each([
    { it: 'a record', document: userpass },
    { it: 'a patch', document: { data: { password: hidden } } },
    { it: 'a replaced object', document: { '$replace/data': { password: hidden } } },
    { it: 'a replaced field', document: { data: { '$replace/password': hidden } } },
    { it: 'a field that the schema does not know, beside sensitive ones', document: { data: { future: hidden } } },
    {
      it: 'a field that the schema does not know, replaced beside sensitive ones',
      document: { '$replace/future': hidden },
    },
    { it: 'an unknown directive', document: { $future: hidden } },
    { it: 'a dictionary', document: { type: 'dictionary', data: { key: hidden } } },
  ])('no byte of a value is left in $it', ({ document }) => {
    const masked = JSON.stringify(maskSensitive(bySchema(secret), document));
    expect(masked).not.toContain(hidden);
    expect(masked).toContain('{"sensitive":true}');
  });

  test('what is not sensitive is shown', () => {
    expect(maskSensitive(bySchema(secret), { ...userpass, tags: { a: '1' } })).toMatchObject({
      name: 's',
      type: 'userpass',
      tags: { a: '1' },
    });
  });

  test('a field change says that a sensitive value differs, not how', () => {
    const changes = fieldChanges(
      bySchema(secret),
      userpass,
      { ...userpass, data: { username: 'u', password: 'other' } },
      context,
    );
    expect(JSON.stringify(changes)).not.toMatch(/hunter2|other/);
    expect(changes.every((change) => JSON.stringify(change.new) === '{"sensitive":true,"changed":true}')).toBe(true);
    expect(changes.length).toBe(1);
  });
});

describe('field changes for people (paths)', () => {
  const shape = shapeOf('workload');
  const live = {
    name: 'w',
    spec: { containers: [{ name: 'main', image: 'a', env: [{ name: 'A', value: '1' }] }] },
    tags: { 'a.b': '1' },
  };

  test.each([
    {
      it: 'a value of an item',
      target: { ...live, spec: { containers: [{ name: 'main', image: 'a', env: [{ name: 'A', value: '2' }] }] } },
      changes: [{ path: 'spec.containers.main.env.A.value', old: '1', new: '2' }],
    },
    {
      it: 'a key with a dot',
      target: { ...live, tags: { 'a.b': '2' } },
      changes: [{ path: 'tags."a.b"', old: '1', new: '2' }],
    },
    { it: 'a removed tag', target: { ...live, tags: {} }, changes: [{ path: 'tags."a.b"', old: '1' }] },
    { it: 'an added field', target: { ...live, description: 'x' }, changes: [{ path: 'description', new: 'x' }] },
    { it: 'nothing', target: live, changes: [] },
    {
      it: 'a list without keys as a whole',
      target: {
        ...live,
        spec: { containers: [{ name: 'main', image: 'a', env: [{ name: 'A', value: '1' }], args: ['x'] }] },
      },
      changes: [{ path: 'spec.containers.main.args', new: ['x'] }],
    },
  ])('$it', ({ target, changes }) => {
    expect(fieldChanges(bySchema(shape), live, target, context)).toEqual(changes);
  });
});
