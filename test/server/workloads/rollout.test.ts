import { expect, test } from 'vitest';
import { lastRelevantChange, startedRollout } from '../../../src/server/records/derived/platformState.ts';
import {
  affectsWorkloads,
  type History,
  progressIn,
  type RolloutStrategy,
  rolloutStrategyOf,
} from '../../../src/server/workloads/decisions/rollout.ts';

interface Case {
  readonly it: string;
  readonly strategy: RolloutStrategy;
  readonly replicas: number;
  /** The time; the rollout starts at 1000 beside an older ready version, and takes 100 ms for each replica. */
  readonly at: number;
  readonly latest: number;
  readonly older: number | undefined;
}

// biome-ignore format: one case a line
const cases: readonly Case[] = [
  { it: 'serverless: the old version serves alone', strategy: 'all at once', replicas: 4, at: 1099, latest: 0, older: 4 },
  { it: 'serverless: then all replicas have the new version', strategy: 'all at once', replicas: 4, at: 1100, latest: 4, older: undefined },
  { it: 'standard: a quarter of the way', strategy: 'rolling', replicas: 4, at: 1025, latest: 1, older: 3 },
  { it: 'standard: nearly done', strategy: 'rolling', replicas: 4, at: 1099, latest: 3, older: 1 },
  { it: 'standard: done', strategy: 'rolling', replicas: 4, at: 1100, latest: 4, older: undefined },
  { it: 'stateful: before the first replica', strategy: 'one after the other', replicas: 3, at: 1099, latest: 0, older: 3 },
  { it: 'stateful: after the first replica', strategy: 'one after the other', replicas: 3, at: 1100, latest: 1, older: 2 },
  { it: 'stateful: before the last replica', strategy: 'one after the other', replicas: 3, at: 1299, latest: 2, older: 1 },
  { it: 'stateful: done after all of them', strategy: 'one after the other', replicas: 3, at: 1300, latest: 3, older: undefined },
  { it: 'without replicas: as long as with one', strategy: 'one after the other', replicas: 0, at: 1099, latest: 0, older: 0 },
];

const gvc = { version: 1, sinceMs: 0 };

test.each(cases)(
  'the progress of a rollout, $it (platform/lifecycle.deployment)',
  ({ strategy, replicas, at, latest, older }) => {
    const history: History = { version: 2, sinceMs: 1000, ready: { version: 1, sinceMs: 10 }, gvc };
    const progress = progressIn(history, { sinceMs: 0, strategy, replicas, readyAfterMs: 100 }, at);
    expect(progress.latestReady).toBe(latest);
    expect(progress.older?.ready).toBe(older);
    expect(progress.done).toBe(older === undefined);
  },
);

interface Told {
  readonly it: string;
  readonly history: History;
  readonly location?: number;
  readonly at: number;
  readonly versions: readonly string[];
}

/** The versions are `workload/gvc`. A rollout takes 100 ms. */
// biome-ignore format: a row is a case
const told: readonly Told[] = [
  { it: 'only the first version at the start', history: { version: 1, sinceMs: 0, gvc }, at: 50, versions: ['1/1'] },
  { it: 'none that was never ready',
    history: { version: 3, sinceMs: 1000, ready: { version: 1, sinceMs: 0 }, gvc }, at: 1050,
    versions: ['3/1', '1/1'] },
  { it: 'a change of the GVC rolls the same version out again',
    history: { version: 2, sinceMs: 1000, gvc: { version: 4, sinceMs: 2000, before: 1 } }, at: 2050,
    versions: ['2/4', '2/1'] },
  { it: 'a change of the GVC during a rollout',
    history: { version: 2, sinceMs: 1950, ready: { version: 1, sinceMs: 0 },
      gvc: { version: 4, sinceMs: 2000, before: 1 } },
    at: 2050, versions: ['2/4', '1/1'] },
  { it: 'a new version after a change of the GVC that was rolled out',
    history: { version: 2, sinceMs: 3000, ready: { version: 1, sinceMs: 0 },
      gvc: { version: 4, sinceMs: 2000, before: 1 } },
    at: 3050, versions: ['2/4', '1/4'] },
  { it: 'a new version during the rollout of a change of the GVC',
    history: { version: 2, sinceMs: 2050, ready: { version: 1, sinceMs: 0 },
      gvc: { version: 4, sinceMs: 2000, before: 1 } },
    at: 2060, versions: ['2/4', '1/1'] },
  { it: 'no older one in a location that was added later',
    history: { version: 2, sinceMs: 1000, ready: { version: 1, sinceMs: 0 }, gvc }, location: 1020, at: 1050,
    versions: ['2/1'] },
];

test.each(told)(
  'the versions of a location: $it (platform/lifecycle.deployment)',
  ({ history, location = 0, at, versions }) => {
    const { latest, older } = progressIn(
      history,
      { sinceMs: location, strategy: 'all at once', replicas: 1, readyAfterMs: 100 },
      at,
    );
    const shown = [latest, ...(older === undefined ? [] : [older])];
    expect(shown.map((each) => `${each.workload}/${each.gvc}`)).toEqual(versions);
  },
);

test('the strategy of a rollout follows the type (platform/workload.autoscaling, platform/workload.rollout)', () => {
  function strategy(type: string, scalingPolicy?: string): RolloutStrategy {
    return rolloutStrategyOf({ spec: { type, rolloutOptions: scalingPolicy === undefined ? {} : { scalingPolicy } } });
  }
  expect(['serverless', 'standard', 'cron', 'stateful'].map((type) => strategy(type))).toEqual([
    'all at once',
    'rolling',
    'rolling',
    'one after the other',
  ]);
  expect(strategy('stateful', 'Parallel')).toBe('all at once');
  // Without a type it is serverless (platform/concepts.filled).
  expect(rolloutStrategyOf({ spec: {} })).toBe('all at once');
});

test('the last ready version is remembered during rollouts that never finish (platform/lifecycle.deployment)', () => {
  const three = { spec: { type: 'stateful', defaultOptions: { autoscaling: { minScale: 3, maxScale: 3 } } } };
  const first = { rollout: startedRollout({}, { record: three, version: 1, nowMs: 0, readyAfterMs: 100 }) };
  expect(first.rollout).toEqual({ sinceMs: 0, takesMs: 300 });
  expect(startedRollout(first, { record: three, version: 2, nowMs: 299, readyAfterMs: 100 })).toEqual({
    sinceMs: 299,
    takesMs: 300,
  });
  const second = { rollout: startedRollout(first, { record: three, version: 2, nowMs: 300, readyAfterMs: 100 }) };
  expect(second.rollout).toEqual({ sinceMs: 300, takesMs: 300, ready: { version: 1, sinceMs: 0 } });
  expect(startedRollout(second, { record: three, version: 3, nowMs: 400, readyAfterMs: 100 })).toEqual({
    sinceMs: 400,
    takesMs: 300,
    ready: { version: 1, sinceMs: 0 },
  });
});

test('only changes of a GVC that affect its workloads count as its version for them (platform/lifecycle.deployment)', () => {
  const before = { spec: { env: [{ name: 'A', value: '1' }], staticPlacement: { locationLinks: [] } }, tags: {} };
  const placed = { ...before, spec: { ...before.spec, staticPlacement: { locationLinks: ['x'] } }, tags: { a: 'b' } };
  const other = { ...before, spec: { ...before.spec, env: [{ name: 'A', value: '2' }] } };
  expect(affectsWorkloads(before, placed)).toBe(false);
  expect(affectsWorkloads(before, other)).toBe(true);
  const kept = { concerning: lastRelevantChange({}, undefined, { record: before, version: 1, nowMs: 10 }) };
  expect(kept.concerning).toEqual({ version: 1, sinceMs: 10 });
  expect(lastRelevantChange(kept, before, { record: placed, version: 2, nowMs: 20 })).toEqual({
    version: 1,
    sinceMs: 10,
  });
  expect(lastRelevantChange(kept, before, { record: other, version: 3, nowMs: 30 })).toEqual({
    version: 3,
    sinceMs: 30,
    before: 1,
  });
});
