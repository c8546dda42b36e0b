import { expect, test } from 'vitest';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import { holders } from '../../../src/plan/references/needs.ts';
import { declare, live, org, plan } from '../world.ts';

/** The same resources, with a count of the reads of this member. */
function watched<T extends LiveResource | DesiredResource>(all: readonly T[], member: keyof T) {
  let reads = 0;
  const seen = all.map((each) =>
    Object.defineProperty({ ...each }, member, {
      enumerable: true,
      get() {
        reads += 1;
        return each[member];
      },
    }),
  );
  return { seen, reads: () => reads };
}

const numbers = (count: number) => [...Array(count).keys()];
const uses = (secret: number) => ({ spec: { pullSecretLinks: [`//secret/s-${secret}`] } });

/** This stack deletes secrets; another one used them and drops its references in the same run. */
function deletionsOf(count: number) {
  const declared = watched(
    numbers(count).map((each) => declare(`gvc/g-${each}`)),
    'id',
  );
  const secrets = numbers(count).map((each) => live(`secret/s-${each}`));
  const gvcs = numbers(count).map((each) => live(`gvc/g-${each}`, uses(each), { owner: 'other' }));
  const made = plan([], [...secrets, ...gvcs], {
    allowEmpty: true,
    maxDeletes: count,
    others: [{ owner: 'other', desired: declared.seen, inRun: true }],
  });
  return { made, reads: declared.reads() };
}

test('the cost of a deletion that waits for another stack does not depend on their number', () => {
  const { made, reads } = deletionsOf(40);
  expect(made.waiting).toHaveLength(40);
  expect(made.waiting?.[0]).toMatchObject({ id: 'secret/s-0', after: 'other', by: 'gvc/g-0' });
  expect(deletionsOf(80).reads).toBeLessThanOrEqual(2 * reads);
});

test('records that keep deleted ones, also indirectly, are found with one look at each', () => {
  const chain = numbers(20).map((each) => live(`gvc/g-${each}`, uses(each), { owner: 'other' }));
  const inside = numbers(20).map((each) => live(`workload/g-${each}/w`, {}, { owner: 'other' }));
  const { seen, reads } = watched([...inside, ...chain], 'record');
  const found = holders(['secret/s-3', 'secret/s-7'], seen, org);
  expect(found.map(({ id }) => id)).toEqual(['workload/g-3/w', 'workload/g-7/w', 'gvc/g-3', 'gvc/g-7']);
  expect(reads()).toBe(40);
});
