import { describe, expect, test } from 'vitest';
import { failures, fakePlatform, writes } from './harness/harness.ts';
import {
  body,
  change,
  creating,
  deleting,
  following,
  patching,
  plan,
  ref,
  softlyAfter,
  tags,
} from './harness/plans.ts';

describe('order', () => {
  test('a change is sent when everything that it waits for is done', async () => {
    const { platform, apply } = fakePlatform();
    const { result } = await apply(
      plan(
        creating('workload/shop/web', following('gvc/shop', 'identity/shop/web')),
        creating('identity/shop/web', following('gvc/shop')),
        creating('gvc/shop'),
      ),
    );
    expect(writes(platform)).toEqual(['create gvc/shop', 'create identity/shop/web', 'create workload/shop/web']);
    expect(result).toMatchObject({ done: ['gvc/shop', 'identity/shop/web', 'workload/shop/web'], verified: true });
  });

  test('independent changes are sent together, never more than the bound', async () => {
    const { platform, apply } = fakePlatform();
    const secrets = Array.from({ length: 40 }, (_, index) => creating(`secret/s${index}`));
    const { result } = await apply(plan(...secrets), { concurrency: 7 });
    expect(platform.busiest).toBe(7);
    expect(result.done).toHaveLength(40);
  });

  test('40 creates of one round trip each, 10 at a time, take 4 round trips and one for the verification', async () => {
    const { clock, apply } = fakePlatform({ latencyMs: 20 });
    await apply(plan(...Array.from({ length: 40 }, (_, index) => creating(`secret/s${index}`))), { concurrency: 10 });
    expect(clock.now()).toBe(5 * 20);
  });

  test('a token that is refused ends the run: nothing else could succeed', async () => {
    const { platform, apply } = fakePlatform();
    platform.fault('create', 'secret/s0', { kind: 'error', code: 'api.unauthorized' });
    const secrets = Array.from({ length: 40 }, (_, index) => creating(`secret/s${index}`));
    const applied = await apply(plan(...secrets), { concurrency: 1 });
    expect(failures(applied)).toEqual(['secret/s0: api.unauthorized']);
    expect(applied.result.skipped).toHaveLength(39);
    expect(applied.result.skipped[0]?.because).toBe('the platform rejects the token');
    expect(writes(platform)).toEqual(['create secret/s0']);
  });

  test('the head of the longest chain goes first', async () => {
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

  test('the second step comes when what it needs is there, pinned to the version that the first one returned', async () => {
    const { platform, apply } = fakePlatform();
    const { result } = await apply(
      plan(
        creating('gvc/shop', {
          then: body({ spec: { keda: { enabled: true, identityLink: '//identity/scaler' } } }),
          thenRequires: [{ on: 'identity/shop/scaler', because: 'it refers to it', soft: false }],
          expectedThen: body({ spec: { keda: { enabled: true } } }),
        }),
        creating('identity/shop/scaler', following('gvc/shop')),
      ),
    );
    expect(writes(platform)).toEqual(['create gvc/shop', 'create identity/shop/scaler', 'patch gvc/shop']);
    expect(result.done).toEqual(['identity/shop/scaler', 'gvc/shop']);
    expect(platform.at('gvc/shop')?.version).toBe(2);
  });

  test('a replacement deletes, then creates; what waits for its deletion goes between', async () => {
    const { platform, apply } = fakePlatform();
    const old = platform.put(ref('volumeset/shop/data'), {
      tags: tags('volumeset/shop/data'),
      status: { locations: [] },
    });
    const policy = platform.put(ref('policy/p'), { tags: tags('policy/p') });
    await apply(
      plan(
        creating('volumeset/shop/data', {
          action: 'replace',
          liveUid: old.uid,
          liveVersion: old.version,
          requires: [{ on: 'policy/p', because: 'it must be changed first', soft: false }],
        }),
        patching(
          policy,
          { description: 'new' },
          {
            requires: [{ on: 'volumeset/shop/data', because: 'the old one goes first', soft: false, step: 'delete' }],
          },
        ),
      ),
    );
    expect(writes(platform)).toEqual([
      'patch volumeset/shop/data',
      'delete volumeset/shop/data',
      'patch policy/p',
      'create volumeset/shop/data',
    ]);
    expect(platform.at('volumeset/shop/data')?.uid).not.toBe(old.uid);
  });

  test('owned children go with the DELETE of their GVC, and with its failure', async () => {
    const { platform, apply } = fakePlatform();
    const gvc = platform.put(ref('gvc/shop'), { tags: tags('gvc/shop') });
    const web = platform.put(ref('workload/shop/web'), { tags: tags('workload/shop/web') });
    const planned = plan(
      deleting(gvc, { cascadesTo: ['workload/shop/web'] }),
      deleting(web, { via: 'gvc/shop' }),
      deleting(platform.put(ref('secret/a'), { tags: tags('secret/a') }), following('workload/shop/web')),
    );
    platform.fault('delete', 'gvc/shop', { kind: 'error', code: 'api.forbidden', message: 'not yours' });
    const refused = await apply(planned);
    expect(refused.result.skipped.map(({ id }) => id)).toEqual(['workload/shop/web', 'secret/a']);

    const { result } = await apply(planned);
    expect(writes(platform)).toEqual(['delete gvc/shop', 'delete gvc/shop', 'delete secret/a']);
    expect(result).toMatchObject({ done: ['gvc/shop', 'workload/shop/web', 'secret/a'], verified: true });
  });

  test('what is kept sends nothing and holds nothing up', async () => {
    const { platform, apply } = fakePlatform();
    platform.put(ref('gvc/shop'), { tags: tags('gvc/shop') });
    const { result } = await apply(
      plan(change('gvc/shop', { action: 'keep' }), creating('identity/shop/web', following('gvc/shop', 'gvc/unknown'))),
    );
    expect(platform.log).toEqual(['create identity/shop/web', 'owned shop']);
    expect(result.done).toEqual(['identity/shop/web']);
  });

  test('an empty plan sends nothing and is verified', async () => {
    const { platform, apply } = fakePlatform();
    expect((await apply(plan())).result).toMatchObject({ done: [], requests: 0, verified: true, interrupted: false });
    expect(platform.log).toEqual([]);
  });

  test('changes that wait for each other are skipped, never hung', async () => {
    const { apply } = fakePlatform();
    const { result } = await apply(
      plan(creating('secret/a', following('secret/b')), creating('secret/b', following('secret/a'))),
    );
    expect(result.skipped.map(({ id }) => id).sort()).toEqual(['secret/a', 'secret/b']);
  });
});

describe('failure', () => {
  test('skips what waits for it, transitively, and nothing else', async () => {
    const { platform, apply } = fakePlatform();
    platform.fault('create', 'gvc/shop', { kind: 'error', code: 'api.invalid', message: '"x" is not allowed' });
    const applied = await apply(
      plan(
        creating('gvc/shop'),
        creating('identity/shop/web', following('gvc/shop')),
        creating('workload/shop/web', following('identity/shop/web')),
        creating('secret/other'),
        creating('domain/shop.example', softlyAfter('workload/shop/web')),
      ),
    );
    expect(failures(applied)).toEqual(['gvc/shop: api.invalid']);
    expect(applied.result.skipped).toEqual([
      { id: 'identity/shop/web', because: 'gvc/shop failed' },
      { id: 'workload/shop/web', because: 'identity/shop/web was skipped' },
    ]);
    expect([...applied.result.done].sort()).toEqual(['domain/shop.example', 'secret/other']);
    expect(applied.result.verified).toBe(true);
  });

  test('of the first half of a replacement skips the second', async () => {
    const { platform, apply } = fakePlatform();
    const old = platform.put(ref('volumeset/shop/data'), {
      tags: tags('volumeset/shop/data'),
      status: { locations: [] },
    });
    platform.fault('delete', 'volumeset/shop/data', { kind: 'error', code: 'api.invalid', message: 'is mounted' });
    const applied = await apply(
      plan(creating('volumeset/shop/data', { action: 'replace', liveUid: old.uid, liveVersion: old.version })),
    );
    expect(failures(applied)).toEqual(['volumeset/shop/data: api.invalid']);
    const marked = 'patch volumeset/shop/data';
    expect(writes(platform)).toEqual([marked, 'delete volumeset/shop/data', marked]);
    expect(platform.at('volumeset/shop/data')?.record['tags']).toEqual(tags('volumeset/shop/data'));
  });

  test('a plan with a refusal is refused before anything is sent', async () => {
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
  test('finishes what is in flight, starts nothing new, and verifies nothing', async () => {
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

  test('before the start: nothing is sent', async () => {
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
