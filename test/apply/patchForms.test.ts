import { expect, test } from 'vitest';
import { joinedLists, plainOf, unknownForm, withDrops } from '../../src/apply/patchForms.ts';
import { Capabilities } from '../../src/capabilities/capabilities.ts';
import { requestBody } from '../../src/manifest/model/body.ts';
import { ref } from './harness/plans.ts';

const web = ref('workload/shop/web');
const withPorts = (...numbers: readonly number[]) => ({
  spec: { containers: [{ name: 'main', ports: numbers.map((number) => ({ number })) }] },
});

test('a list that the platform appended is found inside of an item of a list', () => {
  const before = withPorts(80);
  expect(joinedLists(web, withPorts(81), before, withPorts(80, 81))).toEqual(['spec.containers.main.ports']);
  expect(joinedLists(web, withPorts(81), before, withPorts(81))).toEqual([]);
  expect(joinedLists(web, withPorts(81), {}, withPorts(81))).toEqual([]);
});

test('the plain form of a body has the items of all directives for a list', () => {
  const body = { spec: { '$patch/env': [{ name: 'a' }], '$append/env': [{ name: 'b' }], $drop: ['x'] } };
  expect(plainOf(body)).toEqual({ spec: { env: [{ name: 'a' }, { name: 'b' }], $drop: ['x'] } });
});

test('a directive inside of an item of a list may be unknown to the platform', () => {
  const body = { spec: { containers: [{ name: 'main', '$append/ports': [] }] } };
  expect(unknownForm(new Capabilities(), body)).toBe('write.directives');
  expect(unknownForm(new Capabilities([['write.directives', 'otherwise']]), body)).toBeUndefined();
  expect(unknownForm(new Capabilities(), withPorts(80))).toBeUndefined();
});

// biome-ignore format: a row is a case
test.each([
  { it: 'in an object that the PATCH does not contain', body: {}, drops: { spec: { $drop: ['$append/env'] } } },
  { it: 'beside the fields of a PATCH', body: { spec: { a: 1 } }, drops: { spec: { a: 1, $drop: ['$append/env'] } } },
  { it: 'beside the fields that a PATCH drops', body: { spec: { $drop: ['a'] } },
    drops: { spec: { $drop: ['a', '$append/env'] } } },
  { it: 'not in an object that the PATCH replaces', body: { '$replace/spec': { a: 1 } },
    drops: { '$replace/spec': { a: 1 } } },
])('a directive that the platform stored as a field is dropped: $it', ({ body, drops }) => {
  const stored = { spec: { '$append/env': [], env: [], plain: {} }, list: [{}], text: 'x' };
  expect(withDrops(requestBody(body), stored)).toEqual(drops);
});
