import { describe, expect, test } from 'vitest';
import { filledChange, refuseUnfilled } from '../../src/apply/awaited.ts';
import type { LiveResource } from '../../src/manifest/live/snapshot.ts';
import type { Replan } from '../../src/plan/replan.ts';
import { deployment } from '../change/status/deployments.ts';
import { failures, fakePlatform, writes } from './harness/harness.ts';
import { creating, following, patching, plan, ref, tags } from './harness/plans.ts';

const web = 'workload/shop/web';
const api = 'workload/shop/api';
const reference = `\${live.${web}:status.endpoint}`;
const taking = creating(api, { awaits: [reference], ...following(web) }, { description: `at ${reference}` });

describe('a value that a change reads from a live record', () => {
  test('is awaited and written', async () => {
    const { platform, apply } = fakePlatform();
    platform.put(ref(web), {});
    platform.fault('read', web, { kind: 'meanwhile', happens: () => {} });
    const happens = () => void platform.put(ref(web), { status: { endpoint: 'https://web' } });
    platform.fault('read', web, { kind: 'meanwhile', happens });
    const { result, events } = await apply(plan(taking));
    expect(result).toMatchObject({ done: [api], verified: true });
    expect(events).toContainEqual({ type: 'waiting', id: api, for: `status.endpoint of ${web}` });
    expect((await platform.read(ref(api)))?.record['description']).toBe('at https://web');
  });

  test('is not put into text that contains the same reference escaped', async () => {
    const { platform, apply } = fakePlatform();
    const { version } = platform.put(ref(web), { status: { endpoint: 'https://web' } });
    platform.deploymentsOf.set(web, () => [deployment(version, true)]);
    const description = `$${reference} is ${reference}, $$${reference}`;
    const { result } = await apply(plan(creating(api, { awaits: [reference], ...following(web) }, { description })));
    expect(result.failed).toEqual([]);
    expect(platform.at(api)?.record['description']).toBe(`${reference} is https://web, $${reference}`);
  });

  test('that never appears is an error that names it, and nothing is written', async () => {
    const { platform, apply } = fakePlatform();
    platform.put(ref(web), {});
    const applied = await apply(plan(taking));
    expect(failures(applied)).toEqual([`${api}: apply.awaited`]);
    expect(applied.result.failed[0]?.error.message).toBe(`the platform does not say status.endpoint of ${web}`);
    expect(writes(platform)).toEqual([]);
  });
});

describe('a value of a record that an earlier plan of the run changes', () => {
  test('is read when that record is ready, not before', async () => {
    const { platform, apply } = fakePlatform();
    const source = platform.put(ref(web), { status: { endpoint: 'https://old' } }, 2);
    platform.deploymentsOf.set(web, (now) => {
      if (now < 1_500) return [deployment(1, true)];
      platform.put(ref(web), { status: { endpoint: 'https://new' } }, 2, source.uid);
      return [deployment(2, true)];
    });
    const { result } = await apply(plan(taking));
    expect(result).toMatchObject({ done: [api], verified: true });
    expect(platform.at(api)?.record['description']).toBe('at https://new');
  });

  test('is an error if that record does not become ready, and nothing is written', async () => {
    const { platform, apply } = fakePlatform();
    platform.put(ref(web), { status: { endpoint: 'https://old' } }, 2);
    platform.deploymentsOf.set(web, () => [deployment(1, true)]);
    const applied = await apply(plan(taking));
    expect(failures(applied)).toEqual([`${api}: apply.awaited`]);
    expect(applied.result.failed[0]?.error.message).toMatch(
      /might not be the new one yet: .* was not ready after 300 s/,
    );
    expect(writes(platform)).toEqual([]);
  });
});

describe('a value of a kind without readiness', () => {
  const ips = 'ipset/ips';
  const address = `\${live.${ips}:status.warning}`;

  /** `ips` is changed, and its platform shows the effect `afterMs` later. */
  function moved(afterMs: number) {
    const { platform, clock, apply } = fakePlatform();
    const source = platform.put(ref(ips), { status: { warning: 'old' } });
    const change = patching(source, { description: 'another location' });
    const taker = creating(api, { awaits: [address], ...following(ips) }, { description: `at ${address}` });
    const read = platform.read.bind(platform);
    let began = Number.NaN;
    platform.read = async (of) => {
      const written = platform.at(ips);
      if (of.kind === 'ipset' && written !== undefined && written.version > source.version) {
        if (Number.isNaN(began)) began = clock.now();
        const warning = clock.now() - began < afterMs ? 'old' : 'new';
        platform.put(of, { ...written.record, status: { warning } }, written.version, written.uid);
      }
      return read(of);
    };
    return { platform, run: () => apply(plan(change, taker), { planned: (id) => (id === ips ? source : undefined) }) };
  }

  test('is read again while a response may be outdated', async () => {
    const { platform, run } = moved(4_000);
    expect((await run()).result.failed).toEqual([]);
    expect(platform.at(api)?.record['description']).toBe('at new');
  });

  test('counts at the end of that time, as most changes do not affect it', async () => {
    const { platform, run } = moved(60_000);
    expect((await run()).result.failed).toEqual([]);
    expect(platform.at(api)?.record['description']).toBe('at old');
  });
});

describe('a value that the run may have changed', () => {
  interface Moving {
    readonly afterMs?: number;
    readonly statusMs?: number;
    readonly ready?: boolean;
  }

  /** `web` is changed, and its platform shows its address and readiness `afterMs` after the write. */
  function moved(
    endpoint: string,
    { afterMs = 1_500, statusMs = 1_500, ready = true, ...given }: Moving & Parameters<typeof fakePlatform>[0] = {},
  ) {
    const { platform, clock, apply } = fakePlatform(given);
    const source = platform.put(ref(web), { status: { endpoint: 'https://old' } });
    const taker = platform.put(ref(api), { description: 'at https://old', tags: tags(api) });
    const version = source.version + 1;
    platform.deploymentsOf.set(web, (now) =>
      now < afterMs ? [deployment(source.version, true)] : [deployment(version, ready)],
    );
    const read = platform.read.bind(platform);
    platform.read = async (of) => {
      const written = platform.at(web);
      if (of.name === 'web' && written?.version === version && clock.now() >= statusMs)
        platform.put(of, { ...written.record, status: { endpoint } }, version, source.uid);
      return read(of);
    };
    const description = `at ${reference}`;
    const changes = [
      patching(source, { description: 'another port' }),
      patching(taker, { description }, { awaits: [reference], ...following(web) }),
    ];
    let wanted: string = description;
    const learn = (_: string, values: ReadonlyMap<string, unknown>) => {
      wanted = `at ${values.get(reference)}`;
    };
    const replan: Replan = Object.assign(
      (id: string, live: LiveResource) =>
        id === api && live.record['description'] !== wanted ? patching(live, { description: wanted }) : undefined,
      { learn },
    );
    const planned = new Map([source, taker].map((live) => [live.id, live]));
    return { platform, run: () => apply(plan(...changes), { replan, planned: (id) => planned.get(id) }) };
  }

  test('is read from the record when that is ready, not the earlier one', async () => {
    const { platform, run } = moved('https://new');
    const { result, events } = await run();
    expect(result).toMatchObject({ done: [web, api], verified: true });
    expect(platform.at(api)?.record['description']).toBe('at https://new');
    expect(events).toContainEqual({
      type: 'waiting',
      id: api,
      for: expect.stringMatching(/^status\.endpoint of workload\/shop\/web: .*version 2 is not processed yet/),
    });
  });

  test.each([
    ['is awaited on a platform that does not report when its status is settled', [], 'at https://new'],
    ['is not awaited on a platform that does', [['read.status', 'holds']], 'at https://old'],
  ] as const)('that appears after readiness %s', async (_, knows, description) => {
    const { platform, run } = moved('https://new', { statusMs: 6_000, knows });
    expect(failures(await run())).toEqual([]);
    expect(platform.at(api)?.record['description']).toBe(description);
  });

  test('that has not changed leaves the record unchanged, and no other run is reported', async () => {
    const { platform, run } = moved('https://old');
    const { result } = await run();
    expect(result.changes?.find(({ id }) => id === api)).toMatchObject({ outcome: 'done', unchanged: true });
    expect(result.changes?.find(({ id }) => id === api)).not.toHaveProperty('already');
    expect(result.compared).toMatchObject({ written: 1, unchanged: 1 });
    expect(writes(platform)).toEqual([`patch ${web}`]);
  });

  test('is not read from a record that does not become ready', async () => {
    const { platform, run } = moved('https://old', { ready: false });
    const applied = await run();
    expect(failures(applied)).toEqual([`${api}: apply.awaited`]);
    expect(applied.result.failed[0]?.error.message).toMatch(
      /^status\.endpoint of workload\/shop\/web might not be the new one yet: workload\/shop\/web was not ready after 300 s/,
    );
    expect(writes(platform)).toEqual([`patch ${web}`]);
  });

  test('is read immediately if it has changed', async () => {
    const { platform, run } = moved('https://old', { ready: false });
    const happens = () =>
      void platform.put(ref(web), { status: { endpoint: 'https://new' } }, 2, platform.at(web)?.uid ?? '');
    platform.fault('read', web, { kind: 'meanwhile', happens });
    expect(failures(await run())).toEqual([]);
    expect(platform.at(api)?.record['description']).toBe('at https://new');
  });
});

test('a change with its values has them in its fields too, with which a new plan of it is compared', () => {
  const fields = [
    { path: 'description', old: 'old', new: `at ${reference}` },
    { path: 'alias', old: 'x' },
  ];
  const filled = filledChange({ ...taking, fields }, new Map([[reference, 'https://web']]));
  expect(filled.fields).toEqual([{ path: 'description', old: 'old', new: 'at https://web' }, fields[1]]);
  expect(filled.create?.expose()).toMatchObject({ description: 'at https://web' });
});

test('a reference in place of an awaited value is never sent', async () => {
  const { platform } = fakePlatform();
  const port = refuseUnfilled(platform, plan(taking));
  const body = taking.create?.toSend();
  if (body === undefined) throw new Error('it is a creation');
  await expect(port.create(ref(api), body)).rejects.toMatchObject({ code: 'internal.live', resource: api });
  await expect(port.patch(ref(api), body)).rejects.toMatchObject({ code: 'internal.live', resource: api });
  expect(writes(platform)).toEqual([]);
  // Elsewhere the same text is literal, escaped by its author.
  await port.create(ref(web), body);
  expect(writes(platform)).toEqual([`create ${web}`]);
});
