import { expect, test } from 'vitest';
import { Commitments } from '../../../src/apply/commitments.ts';
import { planSteps } from '../../../src/apply/tasks.ts';
import { fakePlatform, writes } from '../harness/harness.ts';
import { change, creating, deleting, plan, ref, tags } from '../harness/plans.ts';

const hall = 'workload/town/hall';

test('after Ctrl-C a replacement is completed with its requirements, and nothing else is started', async () => {
  const { platform, apply } = fakePlatform();
  const old = platform.put(ref(hall), { tags: tags(hall) });
  const controller = new AbortController();
  platform.fault('delete', hall, { kind: 'meanwhile', happens: () => controller.abort() });
  const edge = (on: string, soft: boolean) => ({ on, because: 'it refers to it', soft });
  const requires = [edge('gvc/town', false), edge('secret/hard', false), edge('secret/soft', true)];
  const { result } = await apply(
    plan(
      change('gvc/town', { action: 'keep' }),
      creating(hall, { action: 'replace', liveUid: old.uid, liveVersion: 1, requires }),
      creating('secret/soft'),
      creating('secret/hard'),
    ),
    { signal: controller.signal, concurrency: 1 },
  );
  expect(result.done).toEqual(['secret/hard', hall]);
  expect(result.skipped).toEqual([{ id: 'secret/soft', because: 'the run was interrupted' }]);
});

test('a deletion without a replacement is no commitment: after Ctrl-C no request is repeated', async () => {
  const { platform, apply } = fakePlatform();
  const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
  platform.drop(live.id);
  const controller = new AbortController();
  platform.fault('read', live.id, { kind: 'meanwhile', happens: () => controller.abort() });
  let given: readonly string[] | undefined;
  const { result } = await apply(plan(deleting(live), creating('secret/b')), {
    signal: controller.signal,
    concurrency: 1,
    stopRetrying: () => {
      given = writes(platform);
    },
  });
  expect(result).toMatchObject({ done: ['secret/a'], skipped: [{ id: 'secret/b' }] });
  expect(given).toEqual([]);
});

test('each committed step is checked once, with any number of replacements', () => {
  const ids = Array.from({ length: 100 }, (_, index) => `secret/s${index}`);
  const replacing = ids.map((id) => creating(id, { action: 'replace', liveUid: id, liveVersion: 1 }));
  const made = plan(...replacing);
  let looks = 0;
  const steps = planSteps(made).map((step) => ({
    ...step,
    get after() {
      looks += 1;
      return step.after;
    },
  }));
  const commitments = new Commitments(made, steps);
  for (const id of ids) commitments.begin(id);
  expect(ids.every((id) => commitments.owes(id) && commitments.owes(`${id}#delete`))).toBe(true);
  expect(looks).toBe(steps.length);
});
