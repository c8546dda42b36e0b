import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { locationFacts, type WorkloadFacts } from '../../../src/server/workloads/decisions/facts.ts';
import { isSteady, workloadShown } from '../../../src/server/workloads/decisions/workloadStatus.ts';

const time = fc.integer({ min: 0, max: 5_000 });

const record = fc.record({
  type: fc.constantFrom('serverless', 'standard', 'stateful', 'cron', 'vm'),
  minScale: fc.integer({ min: 0, max: 3 }),
  metric: fc.constantFrom('cpu', 'concurrency', 'disabled'),
  suspend: fc.boolean(),
});

const state = fc.record(
  {
    rollout: fc.record(
      {
        sinceMs: time,
        takesMs: time,
        waits: fc.boolean(),
        ready: fc.record({ version: fc.integer({ min: 1, max: 3 }), sinceMs: time }),
      },
      { requiredKeys: ['sinceMs'] },
    ),
    demand: fc.record({ one: fc.record({ sinceMs: time, before: fc.nat(3), replicas: fc.nat(3) }) }),
    restarts: fc.record({
      one: fc.record({ 'web-4-0': fc.record({ atMs: time, count: fc.constant(1) }) }),
    }),
  },
  { requiredKeys: [] },
);

const naming = { workload: 'web', gvc: 'shop', alias: 'abc', prefix: 'local', format: undefined };

interface Drawn {
  readonly spec: JsonObject;
  readonly state: JsonObject;
  readonly rolledMs: number;
  readonly gvcMs: number;
  readonly locationMs: number;
}

function factsAt({ spec, state, rolledMs, gvcMs, locationMs }: Drawn, nowMs: number): WorkloadFacts {
  return {
    record: { name: 'web', spec },
    naming,
    history: { version: 4, sinceMs: rolledMs, gvc: { version: 2, sinceMs: gvcMs, before: 1 } },
    locations: [
      { name: 'one', sinceMs: locationMs },
      { name: 'two', sinceMs: 0 },
    ],
    state,
    nowMs,
    readyAfterMs: 1_000,
  };
}

function shownAt(drawn: Drawn, nowMs: number): JsonObject {
  const facts = factsAt(drawn, nowMs);
  return workloadShown(facts, locationFacts(facts), {
    parentId: 'gvc-1',
    hasAlias: false,
    missingImages: [],
    digest: (text) => text,
  });
}

const drawn = fc.record({ record, state, rolledMs: time, gvcMs: time, locationMs: time }).map(
  ({ record: { type, minScale, metric, suspend }, ...rest }): Drawn => ({
    ...rest,
    spec: {
      type,
      containers: [{ name: 'main', image: 'shop/web:1', ports: [{ number: 8080 }] }],
      defaultOptions: { suspend, capacityAI: false, autoscaling: { metric, minScale, maxScale: 3 } },
    },
  }),
);

test('a steady workload is shown the same at any later time', () => {
  fc.assert(
    fc.property(
      drawn,
      fc.integer({ min: 0, max: 12_000 }),
      fc.integer({ min: 0, max: 1_000_000 }),
      (one, nowMs, later) => {
        const facts = factsAt(one, nowMs);
        fc.pre(isSteady(facts, locationFacts(facts)));
        expect(shownAt(one, nowMs + later)).toEqual(shownAt(one, nowMs));
      },
    ),
    { maxSkipsPerRun: 1_000 }, // about one in a hundred is steady
  );
});

test('a workload is steady once rolled out in every location, but not while it waits, has demand or restarts', () => {
  const spec = { type: 'standard', containers: [] };
  const rolled: Drawn = { spec, state: {}, rolledMs: 0, gvcMs: 0, locationMs: 100 };
  const steadyAt = (state: JsonObject, nowMs: number) => {
    const facts = factsAt({ ...rolled, state }, nowMs);
    return isSteady(facts, locationFacts(facts));
  };
  expect([steadyAt({}, 1_099), steadyAt({}, 1_100)]).toEqual([false, true]);
  expect(steadyAt({ rollout: { waits: true } }, 9_000)).toBe(false);
  expect(steadyAt({ demand: { one: { sinceMs: 0, before: 1, replicas: 0 } } }, 9_000)).toBe(false);
  expect(steadyAt({ restarts: { one: {} } }, 9_000)).toBe(false);
});
