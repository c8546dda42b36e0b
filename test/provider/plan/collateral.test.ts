import { expect, test } from 'vitest';
import { deletionCollateral, updateCollateral } from '../../../src/provider/plan/collateral.ts';

test('a deletion lists resources of others in the GVC, and the number that allows it', () => {
  expect(deletionCollateral('gvc/shop', [], {})).toEqual([]);
  const [one] = deletionCollateral('gvc/shop', ['workload/shop/b', 'identity/shop/a'], { allow_collateral: 1 });
  expect(one?.summary).toBe('gvc/shop contains 2 resources that this configuration has not created');
  expect(one?.detail).toBe(
    'identity/shop/a, workload/shop/b. The apply refuses to delete them with it: allow_collateral is 1. To allow it, ' +
      'apply allow_collateral = 2 first.',
  );
  const [allowed] = deletionCollateral('gvc/shop', ['workload/shop/b', 'identity/shop/a'], { allow_collateral: 2 });
  expect(allowed?.detail).toMatch(/They are deleted with it: allow_collateral = 2 allows exactly that\.$/);
});

test('an update warns about resources of others that lose a location, and says nothing if there are none', () => {
  const takes = [{ what: 'location', name: 'aws-eu-central-1' }] as const;
  expect(updateCollateral('gvc/shop', takes, [])).toEqual([]);
  expect(updateCollateral('gvc/shop', [], ['workload/shop/a'])).toEqual([]);
  expect(updateCollateral('gvc/shop', takes, ['workload/shop/a'])).toMatchObject([
    {
      severity: 'warning',
      summary: 'gvc/shop takes away location aws-eu-central-1 from 1 resource that this configuration has not created',
      detail: 'workload/shop/a.',
    },
  ]);
  expect(updateCollateral('gvc/shop', takes, undefined)).toMatchObject([
    { summary: 'gvc/shop takes away location aws-eu-central-1, perhaps from resources of others' },
  ]);
});
