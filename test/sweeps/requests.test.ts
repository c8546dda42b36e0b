import { describe, expect, test } from 'vitest';
import { snapshotRequest } from '../../src/gantry/loading/snapshotRequest.ts';
import { creatableKinds, gvcScopedKinds } from '../../src/schema/record/kinds.ts';
import { formatRef } from '../../src/schema/record/ref.ts';
import { Dice } from '../fuzz/dice.ts';
import { lawFigures } from '../laws/figures.ts';
import { seed } from './harness/budget.ts';
import { applyPlanned, org, planWork, type Work, workOf } from './harness/stack.ts';
import { heldIn } from './harness/state.ts';
import { openWorld, type World } from './harness/world.ts';
import { drawStack, edit, manifestsOf } from './soakStacks.ts';

/** The most names in one query, and records in one page (platform/query). */
const namesOfOneQuery = 100;
const recordsOfOnePage = 1000;
/**
 * If records seem to be absent, or are deleted: up to three GVCs and up to three other names are requested one by one;
 * for more, the rights of the token are read: the caller, policies, groups.
 */
const singleNames = 6;
const rights = 3;

/**
 * The request limit of a plan: the discovery, for each kind a page of owned records, for each kind the names in chunks,
 * a `-reveal` for each declared secret, for each deleted GVC a list of each kind in it, and for absent records: a
 * constant number to decide whether they are absent or hidden, a list of deletions, and each name in it (law 7).
 */
async function boundOf(world: World, { input }: Work): Promise<number> {
  const owned = heldIn(await world.state()).filter(({ record }) => JSON.stringify(record).includes('"gantry/stack"'));
  const pages = creatableKinds.map((kind) => {
    const count = owned.filter(({ id }) => id.startsWith(`${kind}/`)).length;
    return Math.max(1, Math.ceil(count / recordsOfOnePage));
  });
  const { declared, referenced } = snapshotRequest(input.desired, org, input.owner);
  // The GVC of a declared record is requested too.
  const wanted = [...declared, ...referenced].flatMap((ref) => {
    return ref.gvc === undefined ? [ref] : [ref, { kind: 'gvc' as const, name: ref.gvc }];
  });
  const chunks = [...new Set(wanted.map(({ kind }) => kind))].map((kind) => {
    const names = new Set(wanted.filter((ref) => ref.kind === kind).map(({ name }) => name));
    return Math.ceil(names.size / namesOfOneQuery);
  });
  const reveals = declared.filter(({ kind }) => kind === 'secret').length;
  const kept = new Set(declared.map(({ kind, name }) => `${kind}/${name}`));
  const going = owned.filter(({ id }) => id.startsWith('gvc/') && !kept.has(id)).length;
  const there = new Set(heldIn(await world.state()).map(({ id }) => id));
  const absent = declared.filter((ref) => !there.has(formatRef(ref)));
  const trails = absent.length === 0 ? 0 : 1 + absent.length;
  const held = new Set(owned.map(({ id }) => id));
  const unseen = [...declared, ...referenced].some((ref) => !held.has(formatRef(ref)));
  const confirming = unseen || going > 0 || declared.length === 0 ? singleNames + rights : 0;
  return sum([1, ...pages, ...chunks, reveals, going * gvcScopedKinds.length, trails, confirming]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

async function expectWithin(world: World, work: Work): Promise<Awaited<ReturnType<typeof planWork>>> {
  const before = world.platform.requests.length;
  const planned = await planWork(world.exchange, work);
  const asked = world.platform.requests.length - before;
  expect(planned.plan.requests.snapshot).toBe(asked);
  expect(asked).toBeLessThanOrEqual(await boundOf(world, work));
  lawFigures({ plans: 1 });
  return planned;
}

describe('the requests of a plan stay within their bound (law 7)', () => {
  test('for random stacks and edits, whose plans report the number', async () => {
    const dice = new Dice(`${seed}/requests`);
    const world = await openWorld();
    try {
      let drawn = drawStack(dice);
      for (let count = 0; count < 10; count += 1) {
        const work = await workOf({ manifests: manifestsOf(drawn), flags: ['--allow-data-loss=1'] }, 'soak');
        const planned = await expectWithin(world, work);
        if (planned.plan.changes.every(({ refusals }) => refusals.length === 0) && planned.plan.refusals.length === 0) {
          await applyPlanned(world.exchange, planned);
        }
        await expectWithin(world, work);
        drawn = edit(drawn, dice);
      }
      await expectWithin(world, await workOf({ flags: ['--allow-data-loss=1'] }, 'soak'));
    } finally {
      await world.close();
    }
  });

  test('other records of the org cost nothing, a query has a hundred names, and a page a thousand records', async () => {
    const world = await openWorld();
    try {
      const groups = (prefix: string, count: number) =>
        Array.from({ length: count }, (_, index) => `{"kind":"group","name":"${prefix}-${index}"}`).join('\n---\n');
      const small = await workOf({ manifests: groups('ours', 3) }, 'requests');
      const first = (await expectWithin(world, small)).plan.requests.snapshot;
      const alone = first - 3; // Each of the three names may have been deleted by a replacement.
      const others = await workOf({ manifests: groups('theirs', 150) }, 'others');
      await applyPlanned(world.exchange, await expectWithin(world, others));
      expect((await expectWithin(world, small)).plan.requests.snapshot).toBe(first);

      const many = await workOf({ manifests: groups('ours', 1050) }, 'requests');
      const created = await expectWithin(world, many);
      // 11 queries of at most 100 names each, not 1; one for deletions and three for rights, not 1,050 of each.
      expect(created.plan.requests.snapshot).toBe(alone + 10 + 1);
      await applyPlanned(world.exchange, created);
      expect((await expectWithin(world, many)).plan.requests.snapshot).toBe(alone - 3); // Two pages, no names, and no absent record.
    } finally {
      await world.close();
    }
  });
});
