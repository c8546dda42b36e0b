import { describe, expect, test } from 'vitest';
import { workloadReadiness } from '../../src/plan/status/readiness.ts';
import type { JsonObject } from '../../src/schema/json/json.ts';
import { failures, fakePlatform } from './harness.ts';
import { change, creating, deleting, following, plan, ref, tags } from './plans.ts';

function deployment(version: number, ready: boolean, more: JsonObject = {}, name = 'aws-eu-central-1'): JsonObject {
  return {
    name,
    status: {
      ready,
      lastProcessedVersion: version,
      expectedDeploymentVersion: version,
      versions: [{ workload: version, ready }],
      ...more,
    },
  };
}

const standard = { spec: { type: 'standard' } };
const asleepInOne = { spec: { type: 'standard', localOptions: [{ location: '//location/a', suspend: true }] } };
const scaledToZero = {
  spec: { type: 'standard', localOptions: [{ location: '//location/a', autoscaling: { minScale: 0, maxScale: 0 } }] },
};

interface Case {
  readonly it: string;
  readonly record: JsonObject;
  readonly deployments: readonly JsonObject[];
  readonly ready: boolean;
}

const cases: readonly Case[] = [
  { it: 'no deployment yet', record: standard, deployments: [], ready: false },
  { it: 'every location ready in this version', record: standard, deployments: [deployment(2, true)], ready: true },
  { it: 'a later version', record: standard, deployments: [deployment(3, true)], ready: true },
  { it: 'the version before', record: standard, deployments: [deployment(1, true)], ready: false },
  {
    it: 'one of two not ready',
    record: standard,
    deployments: [deployment(2, true), deployment(2, false)],
    ready: false,
  },
  {
    it: 'the other one suspended',
    record: asleepInOne,
    deployments: [deployment(2, true), deployment(2, false, {}, 'a')],
    ready: true,
  },
  {
    it: 'one not ready beside one that is suspended and ready',
    record: asleepInOne,
    deployments: [deployment(2, false), deployment(2, true, {}, 'a')],
    ready: false,
  },
  {
    it: 'one not ready, and options that suspend it where it is not',
    record: asleepInOne,
    deployments: [deployment(2, true), deployment(2, false, {}, 'b')],
    ready: false,
  },
  {
    it: 'every location suspended',
    record: asleepInOne,
    deployments: [deployment(2, false, {}, 'a')],
    ready: true,
  },
  {
    it: 'the other one scaled to 0',
    record: scaledToZero,
    deployments: [deployment(2, true), deployment(2, false, {}, 'a')],
    ready: true,
  },
  {
    it: 'a failed synchronisation',
    record: standard,
    deployments: [deployment(2, true, { internal: { syncFailed: true } })],
    ready: false,
  },
  {
    it: 'the expected deployment version not ready, an older one ready',
    record: standard,
    deployments: [
      deployment(2, true, {
        versions: [
          { workload: 1, ready: true },
          { workload: 2, ready: false },
        ],
      }),
    ],
    ready: false,
  },
  {
    it: 'a cron workload with one ready location',
    record: { spec: { type: 'cron' } },
    deployments: [deployment(1, true), deployment(1, false)],
    ready: true,
  },
  {
    it: 'a workload that is suspended as a whole',
    record: { spec: { type: 'standard', defaultOptions: { suspend: true } } },
    deployments: [],
    ready: true,
  },
];

test.each([
  ["in the platform's words", deployment(2, false, { message: 'pulling the image' }, 'b'), 'b: pulling the image'],
  ['of a location that lags behind', deployment(1, true, {}, 'b'), 'b: version 2 is not processed yet'],
  ['of one that failed', deployment(2, true, { internal: { syncFailed: true } }, 'b'), 'b: the synchronisation failed'],
])('why it is not ready, %s', (_, other, reason) => {
  const deployments = [deployment(2, true, {}, 'a'), other];
  expect(workloadReadiness(standard, 2, deployments)).toEqual({
    ready: false,
    because: `1 of 2 locations are ready; ${reason}`,
  });
});

test.each(cases)(
  'readiness of version 2 with $it: $ready (platform/lifecycle.readiness)',
  ({ record, deployments, ready }) => {
    expect(workloadReadiness(record, 2, deployments).ready).toBe(ready);
  },
);

describe('waiting', () => {
  const web = 'workload/shop/web';

  test('a change that waits is done when it is ready, and what depends on it goes on then', async () => {
    const { platform, clock, apply } = fakePlatform();
    platform.deploymentsOf.set(web, (now) => [deployment(1, now > 3_000)]);
    const { result, events } = await apply(
      plan(creating(web, { wait: true }, standard), creating('domain/shop.example', following(web))),
    );
    expect(result.done).toEqual([web, 'domain/shop.example']);
    expect(clock.now()).toBeGreaterThan(3_000);
    expect(events).toContainEqual({
      type: 'waiting',
      id: web,
      for: 'readiness: 0 of 1 locations are ready; aws-eu-central-1: not running yet',
    });
  });

  test('without wait nothing is asked', async () => {
    const { platform, apply } = fakePlatform();
    await apply(plan(creating(web, {}, standard)));
    expect(platform.log.filter((line) => line.startsWith('deployments'))).toEqual([]);
  });

  test('an edge may need readiness that the change itself does not wait for, also of a kept one', async () => {
    const { platform, apply } = fakePlatform();
    platform.put(ref(web), { ...standard, tags: tags(web) }, 4);
    platform.deploymentsOf.set(web, () => [deployment(3, true)]);
    const needs = { requires: [{ on: web, because: 'it needs it', soft: false, ready: true as const }] };
    const applied = await apply(plan(change(web, { action: 'keep' }), creating('domain/shop.example', needs)), {
      patience: { readinessMs: 10_000 },
    });
    expect(failures(applied)).toEqual([`${web}: apply.not-ready`]);
    expect(applied.result.skipped.map(({ id }) => id)).toEqual(['domain/shop.example']);
  });

  test('what is unchanged and to be ready is waited for, with nothing else to do', async () => {
    const { platform, clock, apply } = fakePlatform();
    platform.put(ref(web), { ...standard, tags: tags(web) }, 4);
    platform.deploymentsOf.set(web, (now) => [deployment(4, now > 3_000)]);
    const { result } = await apply(plan(change(web, { action: 'keep', wait: true })));
    expect(result).toMatchObject({ done: [], ready: [web], failed: [], verified: true });
    expect(clock.now()).toBeGreaterThan(3_000);
  });

  test('what is refused, deleted or forgotten is not', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(web), { ...standard, tags: tags(web) }, 4);
    await apply(plan(deleting(live, { wait: true })));
    expect(platform.log.filter((line) => line.startsWith('deployments'))).toEqual([]);
  });

  test('what is unchanged and gone is no success', async () => {
    const { apply } = fakePlatform();
    expect(failures(await apply(plan(change(web, { action: 'keep', wait: true }))))).toEqual([`${web}: plan.stale`]);
  });

  test('many unchanged ones are read with one query', async () => {
    const { platform, apply } = fakePlatform();
    const ids = Array.from({ length: 30 }, (_, index) => `workload/shop/w${index}`);
    for (const id of ids) {
      platform.put(ref(id), { ...standard, tags: tags(id) }, 4);
      platform.deploymentsOf.set(id, () => [deployment(4, true)]);
    }
    const { result } = await apply(plan(...ids.map((id) => change(id, { action: 'keep', wait: true }))));
    expect(result.ready).toHaveLength(30);
    expect(platform.log.filter((line) => !line.startsWith('deployments'))).toEqual(['owned shop']);
  });

  test('each resource may have a time of its own; the message says which one, how far it is, and why', async () => {
    const { platform, clock, apply } = fakePlatform();
    platform.deploymentsOf.set(web, () => [deployment(1, false, { message: 'pulling the image' })]);
    const { result } = await apply(plan(creating(web, { wait: true, waitTimeoutMs: 30_000 }, standard)), {
      patience: { readinessMs: 600_000 },
    });
    expect(result.failed.map(({ error }) => error.message)).toEqual([
      `${web} was not ready after 30 s: 0 of 1 locations are ready; aws-eu-central-1: pulling the image`,
    ]);
    expect(clock.now()).toBeLessThan(31_000);
  });

  test('is for workloads: what is ready as soon as it is written is not asked', async () => {
    const { platform, apply } = fakePlatform();
    await apply(plan(creating('gvc/shop', { wait: true })));
    expect(platform.log).toEqual(['create gvc/shop', 'owned shop']);
  });

  test('says why whenever that is something else, asks less and less often, and needs no record of what it wrote', async () => {
    const { platform, apply } = fakePlatform();
    const why = (message: string) => `readiness: 0 of 1 locations are ready; aws-eu-central-1: ${message}`;
    platform.deploymentsOf.set(web, (now) => [
      deployment(1, now > 90_000, { message: now > 45_000 ? 'starting' : 'pulling the image' }),
    ]);
    const { events } = await apply(plan(creating(web, { wait: true }, standard)));
    expect(events.flatMap((event) => (event.type === 'waiting' ? [event.for] : []))).toEqual(
      ['pulling the image', 'starting'].map(why),
    );
    const asked = platform.log.filter((line) => line === `deployments ${web}`).length;
    expect(asked).toBeGreaterThan(45);
    expect(asked).toBeLessThan(65);
    expect(platform.log).not.toContain(`read ${web}`);
  });

  test('ends when the time is up, after one more look', async () => {
    const { platform, clock, apply } = fakePlatform({ latencyMs: 0 });
    platform.deploymentsOf.set(web, (now) => [deployment(1, now >= 30_000)]);
    const waiting = (waitTimeoutMs: number) => plan(creating(web, { wait: true, waitTimeoutMs }, standard));
    expect(failures(await apply(waiting(29_999), { verifies: false }))).toEqual([`${web}: apply.not-ready`]);
    expect(clock.now()).toBe(29_999);

    const patient = fakePlatform({ latencyMs: 0 });
    patient.platform.deploymentsOf.set(web, (now) => [deployment(1, now >= 30_000)]);
    expect((await patient.apply(waiting(30_000))).result.done).toEqual([web]);
    const asked = patient.platform.log.filter((line) => line === `deployments ${web}`).length;
    expect(asked).toBeGreaterThan(15);
  });

  test('does not take a place from others', async () => {
    const { platform, apply } = fakePlatform();
    platform.deploymentsOf.set(web, (now) => [deployment(1, now > 3_000)]);
    const { result } = await apply(plan(creating(web, { wait: true }, standard), creating('secret/a')), {
      concurrency: 1,
    });
    expect(result.done).toEqual(['secret/a', web]);
  });

  test('gives its place at once to what does not wait for it, also where others wait behind it', async () => {
    const { platform, apply } = fakePlatform();
    platform.deploymentsOf.set(web, (now) => [deployment(1, now > 3_000)]);
    const late = { requires: [{ on: web, because: 'it refers to it', soft: false, ready: true as const }] };
    const { result } = await apply(
      plan(creating(web, { wait: true }, standard), creating('identity/shop/late', late), creating('secret/a')),
      { concurrency: 1 },
    );
    expect(result.done).toEqual(['secret/a', web, 'identity/shop/late']);
  });
});
