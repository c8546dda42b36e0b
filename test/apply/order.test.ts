import { describe, expect, test } from 'vitest';
import { failures, fakePlatform, writes } from './harness/harness.ts';
import { change, creating, following, patching, plan, ref, tags } from './harness/plans.ts';
import { type RunRow, testRuns } from './harness/runText.ts';

const cascade =
  'delete gvc/shop cascades(workload/shop/web); delete workload/shop/web via(gvc/shop); delete secret/a after(workload/shop/web)';
const chain =
  'create gvc/shop; create identity/shop/web after(gvc/shop); create workload/shop/web after(identity/shop/web)';

// biome-ignore format: a row is a case
const ordered: readonly RunRow[] = [
  ['a change is sent when everything that it waits for is done',
    'create workload/shop/web after(gvc/shop,identity/shop/web); create identity/shop/web after(gvc/shop); ' +
      'create gvc/shop', '',
    'done gvc/shop, identity/shop/web, workload/shop/web; ' +
      'sent create gvc/shop, create identity/shop/web, create workload/shop/web; verified true'],
  ['the second step is sent when its requirements exist, pinned to the version of the first response',
    'create gvc/shop then(identity/shop/scaler); create identity/shop/scaler after(gvc/shop)', '',
    'done identity/shop/scaler, gvc/shop; sent create gvc/shop, create identity/shop/scaler, patch gvc/shop; ' +
      'now gvc/shop@2=second, identity/shop/scaler@1=made'],
  ['a replacement deletes, then creates; changes that wait for the deletion run in between',
    'replace volumeset/shop/data after(policy/p); patch policy/p afterDeletion(volumeset/shop/data)', '',
    'sent patch volumeset/shop/data, delete volumeset/shop/data, patch policy/p, create volumeset/shop/data'],
  ['own children are done with the DELETE of their GVC', cascade, '',
    'done gvc/shop, workload/shop/web, secret/a; sent delete gvc/shop, delete secret/a; verified true'],
  ['own children are skipped if their GVC fails', cascade, 'delete gvc/shop: api.forbidden(not yours)',
    'failed gvc/shop api.forbidden; skipped workload/shop/web, secret/a'],
  ['a kept resource sends nothing and delays nothing',
    'keep gvc/shop; create identity/shop/web after(gvc/shop,gvc/unknown)', '',
    'done identity/shop/web; calls create identity/shop/web'],
  ['changes that wait for each other are skipped',
    'create secret/a after(secret/b); create secret/b after(secret/a)', '', 'skipped secret/a, secret/b'],
];

// biome-ignore format: a row is a case
const failed: readonly RunRow[] = [
  ['skips the changes that wait for it, also indirectly, and no others',
    `${chain}; create secret/other; create domain/shop.example softly(workload/shop/web)`,
    'create gvc/shop: api.invalid("x" is not allowed)',
    'failed gvc/shop api.invalid; skipped identity/shop/web, workload/shop/web; ' +
      'because gvc/shop failed, identity/shop/web was skipped; there domain/shop.example, secret/other; verified true'],
  ['of the first half of a replacement skips the second', 'replace volumeset/shop/data',
    'delete volumeset/shop/data: api.invalid(is mounted)',
    'failed volumeset/shop/data api.invalid; ' +
      'sent patch volumeset/shop/data, delete volumeset/shop/data, patch volumeset/shop/data; there volumeset/shop/data'],
];

describe('order', () => {
  testRuns(ordered);

  test('independent changes are sent concurrently, up to the bound', async () => {
    const { platform, apply } = fakePlatform();
    const secrets = Array.from({ length: 40 }, (_, index) => creating(`secret/s${index}`));
    const { result } = await apply(plan(...secrets), { concurrency: 7 });
    expect(platform.busiest).toBe(7);
    expect(result.done).toHaveLength(40);
  });

  test('40 creations, 10 at a time, take 4 round trips and one for the verification', async () => {
    const { clock, apply } = fakePlatform({ latencyMs: 20 });
    await apply(plan(...Array.from({ length: 40 }, (_, index) => creating(`secret/s${index}`))), { concurrency: 10 });
    expect(clock.now()).toBe(5 * 20);
  });

  test('a refused token ends the run: no other request could succeed', async () => {
    const { platform, apply } = fakePlatform();
    platform.fault('create', 'secret/s0', { kind: 'error', code: 'api.unauthorized' });
    const secrets = Array.from({ length: 40 }, (_, index) => creating(`secret/s${index}`));
    const applied = await apply(plan(...secrets), { concurrency: 1 });
    expect(failures(applied)).toEqual(['secret/s0: api.unauthorized']);
    expect(applied.result.skipped).toHaveLength(39);
    expect(applied.result.skipped[0]?.because).toBe('the platform rejects the token');
    expect(writes(platform)).toEqual(['create secret/s0']);
  });

  test('the head of the longest chain is sent first', async () => {
    const { platform, apply } = fakePlatform();
    await apply(
      plan(
        creating('secret/a'),
        creating('secret/b'),
        creating('gvc/shop'),
        creating('identity/shop/web', following('gvc/shop')),
      ),
      { concurrency: 1 },
    );
    expect(writes(platform)[0]).toBe('create gvc/shop');
  });

  test('an empty plan sends nothing and is verified', async () => {
    const { platform, apply } = fakePlatform();
    expect((await apply(plan())).result).toMatchObject({ done: [], requests: 0, verified: true, interrupted: false });
    expect(platform.log).toEqual([]);
  });
});

describe('failure', () => {
  testRuns(failed);

  test('a plan with a refusal is refused before any request', async () => {
    const { platform, apply } = fakePlatform();
    const refused = change('gvc/shop', {
      action: 'refuse',
      refusals: [
        { code: 'delete.bystander', message: 'gvc/shop holds a workload of others', allow: '--allow-collateral=1' },
      ],
    });
    await expect(apply(plan(refused, creating('secret/a')))).rejects.toMatchObject({
      code: 'plan.refused',
      hint: expect.stringContaining('--allow-collateral=1'),
    });
    expect(platform.log).toEqual([]);
  });
});

describe('interruption', () => {
  test('finishes requests in flight, starts nothing new, and verifies nothing', async () => {
    const { platform, apply } = fakePlatform();
    const controller = new AbortController();
    const secrets = Array.from({ length: 10 }, (_, index) => creating(`secret/s${index}`));
    const { result } = await apply(plan(...secrets), {
      concurrency: 3,
      signal: controller.signal,
      onEvent: (event) => event.type === 'started' && event.id === 'secret/s2' && controller.abort(),
    });
    expect(result).toMatchObject({
      done: ['secret/s0', 'secret/s1', 'secret/s2'],
      interrupted: true,
      verified: undefined,
    });
    expect(result.skipped).toHaveLength(7);
    expect(platform.ids()).toEqual(['secret/s0', 'secret/s1', 'secret/s2']);
  });

  test('before the start sends nothing', async () => {
    const { platform, apply } = fakePlatform();
    const { result } = await apply(plan(creating('secret/a')), { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ done: [], interrupted: true });
    expect(platform.log).toEqual([]);
  });

  test('ends a wait', async () => {
    const { platform, apply } = fakePlatform();
    const controller = new AbortController();
    platform.deploymentsOf.set('workload/shop/web', () => []);
    const { result } = await apply(plan(creating('workload/shop/web', { wait: true })), {
      signal: controller.signal,
      onEvent: (event) => event.type === 'waiting' && controller.abort(),
    });
    expect(result).toMatchObject({
      skipped: [{ id: 'workload/shop/web', because: 'the run was interrupted', reached: 'written' }],
      interrupted: true,
    });
  });
});

test('events: started, then done with version and time, once for each change', async () => {
  const { platform, apply } = fakePlatform({ latencyMs: 20 });
  const gvc = platform.put(ref('gvc/shop'), { tags: tags('gvc/shop') }, 4);
  const { events } = await apply(plan(patching(gvc, { description: 'new' })));
  expect(events).toEqual([
    { type: 'started', id: 'gvc/shop', step: 'patch' },
    { type: 'done', id: 'gvc/shop', version: 5, elapsedMs: 20 },
  ]);
});
