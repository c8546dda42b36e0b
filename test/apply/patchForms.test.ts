import { expect, test } from 'vitest';
import { joinedLists } from '../../src/apply/patchForms.ts';
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
