import { describe, expect, test } from 'vitest';
import { deployment, standard } from '../change/status/deployments.ts';
import { failures, fakePlatform } from './harness/harness.ts';
import { change, creating, deleting, following, patching, plan, ref, tags } from './harness/plans.ts';

describe('waiting', () => {
  const web = 'workload/shop/web';

  test('a change that waits is done when it is ready, and its dependents start then', async () => {
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

  test.each([
    { it: 'a workload', record: standard },
    { it: 'a cron workload', record: { spec: { type: 'cron' } } },
  ])('$it in a GVC without locations is ready immediately, and the GVC is read once', async ({ record }) => {
    const { platform, clock, apply } = fakePlatform();
    platform.put(ref('gvc/shop'), { spec: { staticPlacement: { locationLinks: [] } } }, 1);
    const api = 'workload/shop/api';
    const { result } = await apply(plan(creating(web, { wait: true }, record), creating(api, { wait: true }, record)));
    expect(result).toMatchObject({ failed: [], verified: true });
    expect(result.done.toSorted()).toEqual([api, web]);
    expect(clock.now()).toBeLessThan(1_000);
    expect(platform.log.filter((line) => line === 'read gvc/shop')).toHaveLength(1);
  });

  test('a GVC that the run created without locations is not read for that', async () => {
    const { platform, apply } = fakePlatform();
    const { result } = await apply(
      plan(creating('gvc/shop'), creating(web, { wait: true, ...following('gvc/shop') }, standard)),
    );
    expect(result.done).toEqual(['gvc/shop', web]);
    expect(platform.log).not.toContain('read gvc/shop');
  });

  test.each([
    { it: 'with a location', spec: { staticPlacement: { locationLinks: ['//location/a'] } } },
    { it: 'with a query for locations', spec: { staticPlacement: { locationQuery: {} } } },
  ])('in a GVC $it, late deployments are awaited', async ({ spec }) => {
    const { platform, clock, apply } = fakePlatform();
    platform.put(ref('gvc/shop'), { spec }, 1);
    platform.deploymentsOf.set(web, (now) => (now > 3_000 ? [deployment(1, true)] : []));
    const { result } = await apply(plan(creating(web, { wait: true }, standard)));
    expect(result.done).toEqual([web]);
    expect(clock.now()).toBeGreaterThan(3_000);
  });

  test('an unchanged workload whose GVC gets locations in the run is awaited', async () => {
    const { platform, clock, apply } = fakePlatform();
    platform.put(ref(web), { ...standard, tags: tags(web) }, 4);
    const gvc = platform.put(ref('gvc/shop'), { tags: tags('gvc/shop') }, 1);
    platform.deploymentsOf.set(web, (now) => (now > 3_000 ? [deployment(4, true)] : []));
    const spec = { staticPlacement: { locationLinks: ['//location/a'] } };
    const { result } = await apply(plan(change(web, { action: 'keep', wait: true }), patching(gvc, { spec })));
    expect(result.ready).toEqual([web]);
    expect(clock.now()).toBeGreaterThan(3_000);
  });

  test('without wait nothing is requested', async () => {
    const { platform, apply } = fakePlatform();
    await apply(plan(creating(web, {}, standard)));
    expect(platform.log.filter((line) => line.startsWith('deployments'))).toEqual([]);
  });

  test('an edge may need readiness for which the change itself does not wait, also of a kept one', async () => {
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

  test('an unchanged workload is awaited if that was requested, without other changes', async () => {
    const { platform, clock, apply } = fakePlatform();
    platform.put(ref(web), { ...standard, tags: tags(web) }, 4);
    platform.deploymentsOf.set(web, (now) => [deployment(4, now > 3_000)]);
    const { result } = await apply(plan(change(web, { action: 'keep', wait: true })));
    expect(result).toMatchObject({ done: [], ready: [web], failed: [], verified: true });
    expect(clock.now()).toBeGreaterThan(3_000);
  });

  test('refused, deleted and released workloads are not awaited', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(web), { ...standard, tags: tags(web) }, 4);
    await apply(plan(deleting(live, { wait: true })));
    expect(platform.log.filter((line) => line.startsWith('deployments'))).toEqual([]);
  });

  test('an unchanged workload that does not exist is no success', async () => {
    const { apply } = fakePlatform();
    expect(failures(await apply(plan(change(web, { action: 'keep', wait: true }))))).toEqual([`${web}: plan.stale`]);
  });

  test('many unchanged ones are read with one list', async () => {
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

  test('each resource may have its own time limit; the message names it, its progress, and the reason', async () => {
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

  test('only applies to workloads: kinds without readiness are not read', async () => {
    const { platform, apply } = fakePlatform();
    await apply(plan(creating('gvc/shop', { wait: true })));
    expect(platform.log).toEqual(['create gvc/shop', 'owned shop']);
  });

  test('reports each new reason, reads with longer and longer pauses, and needs no written record', async () => {
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

  test('ends at the time limit, after one more read', async () => {
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

  test('does not occupy a slot', async () => {
    const { platform, apply } = fakePlatform();
    platform.deploymentsOf.set(web, (now) => [deployment(1, now > 3_000)]);
    const { result } = await apply(plan(creating(web, { wait: true }, standard), creating('secret/a')), {
      concurrency: 1,
    });
    expect(result.done).toEqual(['secret/a', web]);
  });

  test('frees its slot immediately for changes that do not wait for it, even behind others that do', async () => {
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
