import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import type { DesiredResource, Lifecycle } from '../../../src/manifest/model/manifest.ts';
import { isEmptyPlan } from '../../../src/plan/model/plan.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { runs } from '../../harness/sampled.ts';
import { builtIn, carryOut, ModelPlatform } from '../model.ts';
import { codes, declare, plan, workload } from '../world.ts';

/** The records that can be renamed, with their names before and after. */
const names = fc.record({
  web: fc.boolean(),
  db: fc.boolean(),
  app: fc.boolean(),
  key: fc.boolean(),
  reveal: fc.boolean(),
  team: fc.boolean(),
  rows: fc.boolean(),
  gvc: fc.boolean(),
});
type Names = typeof names extends fc.Arbitrary<infer T> ? T : never;

const before: Names = {
  web: false,
  db: false,
  app: false,
  key: false,
  reveal: false,
  team: false,
  rows: false,
  gvc: false,
};

/** A stack with references of every strength to every record that can be renamed. */
function stack(renamed: Names): readonly DesiredResource[] {
  const name = (part: keyof Names): string => (renamed[part] ? `${part}-next` : `${part}-old`);
  const was = (part: keyof Names): Lifecycle =>
    renamed[part] ? { previously: `${part}-old`, replace: true } : { replace: true };
  const g = name('gvc');
  const link = (kind: string, part: keyof Names) => `//gvc/${g}/${kind}/${name(part)}`;
  const reads: JsonObject = { env: [{ name: 'KEY', value: `scheme://secret/${name('key')}` }] };
  return [
    declare(
      `gvc/${g}`,
      {
        spec: {
          aliasWorkloadLink: link('workload', 'web'),
          keda: { enabled: true, identityLink: link('identity', 'app') },
        },
      },
      was('gvc'),
    ),
    declare(`identity/${g}/${name('app')}`, {}, was('app')),
    declare(`secret/${name('key')}`, { type: 'opaque', data: { payload: 'x' } }, was('key')),
    declare(
      `policy/${name('reveal')}`,
      {
        targetKind: 'secret',
        targetLinks: [`//secret/${name('key')}`],
        bindings: [{ permissions: ['reveal'], principalLinks: [link('identity', 'app')] }],
      },
      was('reveal'),
    ),
    declare(`group/${name('team')}`, {}, was('team')),
    declare(
      `volumeset/${g}/${name('rows')}`,
      { spec: { fileSystemType: 'ext4', initialCapacity: 10, performanceClass: 'general-purpose-ssd' } },
      was('rows'),
    ),
    declare(
      `workload/${g}/${name('web')}`,
      {
        spec: {
          type: 'standard',
          identityLink: link('identity', 'app'),
          containers: [{ name: 'main', image: 'web:1', cpu: '50m', memory: '128Mi', ...reads }],
        },
      },
      was('web'),
    ),
    declare(
      `workload/${g}/${name('db')}`,
      workload('db:1', [name('rows')], {
        firewallConfig: {
          internal: { inboundAllowType: 'workload-list', inboundAllowWorkload: [link('workload', 'web')] },
        },
      }),
      was('db'),
    ),
    declare('domain/shop.example.com', {
      spec: { ports: [{ number: 443, routes: [{ prefix: '/', workloadLink: link('workload', 'web') }] }] },
    }),
    declare('ipset/front', { spec: { link: link('workload', 'web') } }),
  ];
}

const allowing: Partial<PlanOptions> = { maxDeletes: undefined, wait: false };

/** Stops a run before its step `limit`. */
class Stopped extends Error {}

function runUpTo(desired: readonly DesiredResource[], platform: ModelPlatform, limit: number, choose: number): boolean {
  const made = plan(desired, platform.snapshot(), allowing);
  expect(codes(made)).toEqual([]);
  let taken = 0;
  try {
    carryOut(made, platform, (count) => {
      if (taken >= limit) throw new Stopped();
      taken += 1;
      return (choose * taken) % count;
    });
    return true;
  } catch (error) {
    if (error instanceof Stopped) return false;
    throw error;
  }
}

function begun(): ModelPlatform {
  const platform = new ModelPlatform();
  platform.put(builtIn);
  runUpTo(stack(before), platform, Number.POSITIVE_INFINITY, 0);
  return platform;
}

/** The stored records, without ids, versions and tags. */
function contents(platform: ModelPlatform): ReadonlyMap<string, JsonObject> {
  const bare = ({ record }: LiveResource): JsonObject => {
    const { id: _id, version: _version, tags: _tags, ...rest } = record;
    return rest;
  };
  return new Map([...platform.snapshot().resources].map(([id, live]) => [id, bare(live)]));
}

describe('a renaming of any record', () => {
  test('interrupted after any number of steps and run again, it has the same result as without interruption', () => {
    const property = fc.property(
      names,
      fc.integer({ min: 0, max: 30 }),
      fc.nat({ max: 12 }),
      (renamed, limit, choose) => {
        const desired = stack(renamed);
        const undisturbed = begun();
        runUpTo(desired, undisturbed, Number.POSITIVE_INFINITY, choose);

        const disturbed = begun();
        runUpTo(desired, disturbed, limit, choose);
        runUpTo(desired, disturbed, Number.POSITIVE_INFINITY, choose + 1);
        expect(contents(disturbed)).toEqual(contents(undisturbed));
        expect(isEmptyPlan(plan(desired, disturbed.snapshot(), allowing))).toBe(true);
        expect([...disturbed.snapshot().resources.keys()].sort()).toEqual(
          [...builtIn.map(({ id }) => id), ...desired.map(({ id }) => id)].sort(),
        );
      },
    );
    fc.assert(property, { numRuns: runs(150) });
  });
});
