import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ApplyEvent } from '../../src/apply/events.ts';
import type { Change, Edge } from '../../src/plan/model/change.ts';
import { runs } from '../harness/sampled.ts';
import type { Fault } from './harness/fakePlatform.ts';
import { type Applied, fakePlatform, writes } from './harness/harness.ts';
import { creating, deleting, patching, plan, ref, tags } from './harness/plans.ts';

type Trouble = 'none' | 'lost-before' | 'lost-after' | 'lost-and-old' | 'busy' | 'refused';

interface Step {
  readonly action: 'create' | 'patch' | 'delete';
  readonly trouble: Trouble;
  /** Edges to earlier steps, by distance. */
  readonly edges: readonly { readonly back: number; readonly soft: boolean }[];
}

function stepsWith(...troubles: readonly Trouble[]): fc.Arbitrary<readonly Step[]> {
  const edge = fc.record({ back: fc.integer({ min: 1, max: 6 }), soft: fc.boolean() });
  const step = fc.record({
    action: fc.constantFrom('create', 'patch', 'delete'),
    trouble: fc.constantFrom(...troubles),
    edges: fc.uniqueArray(edge, { maxLength: 3, selector: ({ back }) => back }),
  });
  return fc.array(step, { minLength: 1, maxLength: 14 });
}

const faults: Readonly<Record<Exclude<Trouble, 'none'>, Fault>> = {
  'lost-before': { kind: 'lost-before' },
  'lost-after': { kind: 'lost-after' },
  'lost-and-old': { kind: 'lost-after' },
  busy: { kind: 'error', code: 'api.conflict', message: 'busy' },
  refused: { kind: 'error', code: 'api.invalid', message: 'refused' },
};

const id = (index: number) => `secret/s${index}`;

function requirements(steps: readonly Step[], index: number): readonly Edge[] {
  const edges = steps[index]?.edges ?? [];
  return edges
    .filter(({ back }) => back <= index)
    .map(({ back, soft }) => ({ on: id(index - back), soft, because: 'of the test' }));
}

interface Circumstances {
  readonly signal?: AbortController;
  readonly abortAt?: number;
  /** Options of the platform; if absent, it is unknown whether it checks versions. */
  readonly versions?: 'stated' | 'honoured' | 'ignored';
}

/** Runs the steps on a platform with one fault for each. */
async function run(
  steps: readonly Step[],
  concurrency: number,
  { signal, abortAt = Number.NaN, versions = 'stated' }: Circumstances = {},
) {
  const { platform, apply } = fakePlatform(versions === 'ignored' ? { ignoresVersions: true } : {});
  const changes = steps.map(({ action, trouble }, index): Change => {
    const edges = { requires: requirements(steps, index) };
    if (trouble !== 'none') platform.fault(action, id(index), faults[trouble]);
    if (action === 'create') return creating(id(index), edges);
    const live = platform.put(ref(id(index)), { description: 'old', tags: tags(id(index)) });
    return action === 'patch' ? patching(live, { description: 'new' }, edges) : deleting(live, edges);
  });
  const picture = platform.picture();
  for (const [index, { trouble }] of steps.entries()) {
    if (trouble !== 'lost-and-old') continue;
    platform.fault('read', id(index), { kind: 'stale', picture }, { kind: 'stale', picture });
  }
  let count = 0;
  const planned = plan(...[...changes].reverse());
  const said = versions === 'stated' ? planned : { ...planned, preconditions: 'unsaid' as const };
  const applied = await apply(said, {
    concurrency,
    ...(signal === undefined ? {} : { signal: signal.signal }),
    onEvent: () => {
      count += 1;
      if (count === abortAt) signal?.abort();
    },
  });
  return { platform, applied };
}

function position(events: readonly ApplyEvent[], type: ApplyEvent['type'], of: string): number {
  return events.findIndex((event) => event.type === type && event.id === of);
}

function ended(events: readonly ApplyEvent[], of: string): number {
  return Math.max(...(['done', 'failed', 'skipped'] as const).map((type) => position(events, type, of)));
}

function expectOrder(steps: readonly Step[], { events }: Applied): void {
  for (const index of steps.keys()) {
    const started = position(events, 'started', id(index));
    if (started < 0) continue;
    for (const { on } of requirements(steps, index)) expect(ended(events, on)).toBeLessThan(started);
  }
}

test('lost, outdated and busy responses, in every mode of versions: each change is done once, in order (law 5)', async () => {
  const property = fc.asyncProperty(
    stepsWith('none', 'lost-before', 'lost-after', 'lost-and-old', 'busy'),
    fc.integer({ min: 1, max: 5 }),
    fc.constantFrom('stated', 'honoured', 'ignored'),
    async (steps, concurrency, versions) => {
      const { platform, applied } = await run(steps, concurrency, { versions });
      expect(applied.result).toMatchObject({ failed: [], skipped: [], verified: true });
      expect(applied.result.done).toHaveLength(steps.length);
      for (const [index, { action }] of steps.entries()) {
        const description = { create: 'made', patch: 'new', delete: undefined }[action];
        expect(platform.at(id(index))?.record['description']).toBe(description);
        expect(platform.at(id(index))?.version).toBe({ create: 1, patch: 2, delete: undefined }[action]);
      }
      expect(platform.busiest).toBeLessThanOrEqual(concurrency);
      expectOrder(steps, applied);
    },
  );
  await fc.assert(property, { numRuns: runs(300) });
});

test('a failure skips exactly the changes that wait for it by hard edges', async () => {
  const property = fc.asyncProperty(stepsWith('none', 'none', 'refused'), async (steps) => {
    const { applied } = await run(steps, 4);
    const failed = new Set(steps.flatMap(({ trouble }, index) => (trouble === 'refused' ? [id(index)] : [])));
    const hit = new Set<string>();
    for (const index of steps.keys()) {
      const blocked = requirements(steps, index).some(({ on, soft }) => !soft && (hit.has(on) || failed.has(on)));
      if (blocked) {
        hit.add(id(index));
        failed.delete(id(index));
      }
    }
    expect(applied.result.skipped.map((each) => each.id).sort()).toEqual([...hit].sort());
    expect(applied.result.failed.map((each) => each.id).sort()).toEqual([...failed].sort());
    expect(applied.result.done).toHaveLength(steps.length - hit.size - failed.size);
    expectOrder(steps, applied);
  });
  await fc.assert(property, { numRuns: runs(300) });
});

test('requests: one for each change, with reads, repetitions, the version test and the verification (law 7)', async () => {
  const property = fc.asyncProperty(
    stepsWith('none', 'lost-before', 'lost-after', 'busy'),
    fc.constantFrom('stated', 'honoured', 'ignored'),
    async (steps, versions) => {
      const { platform, applied } = await run(steps, 4, { versions });
      const readsOfDeletions = 2;
      const repetition = 2; // A read, and the request again.
      const bound = steps.reduce((sum, { action, trouble }) => {
        const compared = versions === 'ignored' && action === 'patch' ? (trouble === 'none' ? 1 : 2) : 0;
        return (
          sum + 1 + compared + (action === 'delete' ? readsOfDeletions : 0) + (trouble === 'none' ? 0 : repetition)
        );
      }, 1);
      const asked = versions !== 'stated' && steps.some(({ action }) => action === 'patch') ? 1 : 0;
      expect(platform.log.length).toBeLessThanOrEqual(bound + asked);
      expect(applied.result.requests).toBe(platform.log.length);
    },
  );
  await fc.assert(property, { numRuns: runs(200) });
});

test('interrupted at any point, the run starts nothing afterwards, and every change has one outcome', async () => {
  const property = fc.asyncProperty(
    stepsWith('none', 'lost-after', 'busy', 'refused'),
    fc.integer({ min: 1, max: 40 }),
    async (steps, abortAt) => {
      const { applied, platform } = await run(steps, 3, { signal: new AbortController(), abortAt });
      const { done, failed, skipped, interrupted, verified } = applied.result;
      expect(done.length + failed.length + skipped.length).toBe(steps.length);
      const late = applied.events.slice(abortAt).filter(({ type }) => type === 'started');
      expect(late).toEqual([]);
      expect(interrupted).toBe(applied.events.length >= abortAt);
      expect(verified === undefined).toBe(interrupted);
      for (const each of done) expect(writes(platform).some((line) => line.endsWith(each))).toBe(true);
    },
  );
  await fc.assert(property, { numRuns: runs(300) });
});
