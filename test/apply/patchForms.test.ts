import { expect, test } from 'vitest';
import { joinedLists, withDrops } from '../../src/apply/patchForms.ts';
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
