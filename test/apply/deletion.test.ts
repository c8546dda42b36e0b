import { describe, expect, test } from 'vitest';
import { failures, fakePlatform, writes } from './harness/harness.ts';
import { deleting, patching, plan, ref, softlyAfter, stack, tags } from './harness/plans.ts';

const gvc = 'gvc/shop';
const nothingHappens = { kind: 'meanwhile', happens: () => {} } as const;

describe('delete', () => {
  test('reads before, and ends when the record is gone, not when it was accepted', async () => {
    const { platform, clock, apply } = fakePlatform({ deletionMs: 1_000 });
    const live = platform.put(ref(gvc), { tags: tags(gvc) });
    const { result, events } = await apply(plan(deleting(live)));
    expect(result.done).toEqual([gvc]);
    expect(platform.log.slice(0, 3)).toEqual([`read ${gvc}`, `children ${gvc}`, `delete ${gvc}`]);
    expect(clock.now()).toBeGreaterThan(1_000);
    expect(events).toContainEqual({ type: 'waiting', id: gvc, for: 'the deletion to end' });
  });

  test('of what is gone already is done, and sends nothing', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    platform.drop('secret/a');
    expect((await apply(plan(deleting(live)))).result.done).toEqual(['secret/a']);
    expect(writes(platform)).toEqual([]);
  });

  test('of a GVC that somebody else deletes while its children are listed is done', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { tags: tags(gvc) });
    platform.fault('children', gvc, { kind: 'meanwhile', happens: () => platform.drop(gvc) });
    expect((await apply(plan(deleting(live)))).result).toMatchObject({ done: [gvc], failed: [] });
    expect(writes(platform)).toEqual([]);
  });

  interface Stale {
    readonly it: string;
    readonly id: string;
    readonly record: Readonly<Record<string, string>>;
    readonly version: number;
    readonly uid: string;
  }
  const moved: readonly Stale[] = [
    { it: 'has another version', id: 'secret/a', record: { 'gantry/stack': stack }, version: 2, uid: 'u' },
    { it: 'has another id', id: 'secret/a', record: { 'gantry/stack': stack }, version: 1, uid: 'v' },
    { it: 'has another owner', id: 'secret/a', record: { 'gantry/stack': 'other' }, version: 1, uid: 'u' },
    { it: 'has lost its owner', id: 'secret/a', record: {}, version: 1, uid: 'u' },
  ];
  test.each(moved)('is not sent when the record $it', async ({ id, record, version, uid }) => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(id), { tags: { 'gantry/stack': stack } }, 1, 'u');
    platform.put(ref(id), { tags: record }, version, uid);
    expect(failures(await apply(plan(deleting(live))))).toEqual([`${id}: plan.stale`]);
    expect(writes(platform)).toEqual([]);
  });

  test('of a GVC is not sent when somebody else has taken the name of what it held', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { tags: tags(gvc) });
    const child = platform.put(ref('workload/shop/web'), { tags: tags('workload/shop/web') }, 1, 'ours');
    platform.put(ref('workload/shop/web'), {}, 1, 'theirs');
    const made = plan(deleting(live, { cascadesTo: [child.id] }), deleting(child, { via: gvc }));
    const { result } = await apply(made);
    expect(result.failed.map(({ error }) => error.message)).toEqual([
      `${gvc} has changed since the plan was made: it now contains another workload/shop/web, which would be deleted with it`,
    ]);
    expect(writes(platform)).toEqual([]);
  });

  test('of a GVC is not sent when it holds more than was approved', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { tags: tags(gvc) });
    platform.put(ref('workload/shop/web'), { tags: tags('workload/shop/web') });
    platform.put(ref('workload/shop/foreign'), {});
    const applied = await apply(plan(deleting(live, { cascadesTo: ['workload/shop/web'] })));
    expect(failures(applied)).toEqual([`${gvc}: plan.stale`]);
    expect(applied.result.failed[0]?.error.message).toContain('workload/shop/foreign');
    expect(writes(platform)).toEqual([]);
  });

  test('of a busy record is repeated, and the record is read before each repetition', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    platform.fault('delete', 'secret/a', { kind: 'error', code: 'api.conflict' });
    expect((await apply(plan(deleting(live)))).result.done).toEqual(['secret/a']);
    expect(platform.log.filter((line) => line !== `owned ${stack}`)).toEqual([
      'read secret/a',
      'delete secret/a',
      'read secret/a',
      'delete secret/a',
      'read secret/a',
    ]);
  });

  test('of what stays in use is given up after --consistency-timeout, with what the platform says of it', async () => {
    const { platform, clock, apply } = fakePlatform();
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    const refused = { kind: 'error', code: 'api.conflict', message: 'in use by //gvc/shop/workload/web' } as const;
    platform.fault('delete', 'secret/a', ...Array.from({ length: 100 }, () => refused));
    const applied = await apply(plan(deleting(live)), { patience: { consistencyMs: 3_000 } });
    expect(failures(applied)).toEqual(['secret/a: apply.in-use']);
    expect(applied.result.failed[0]?.error.message).toContain('in use by //gvc/shop/workload/web');
    expect(clock.now()).toBeLessThan(4_000);
  });

  test('of what this run has let go of is repeated for longer, because the platform may need a while for that', async () => {
    const { platform, clock, apply } = fakePlatform();
    const web = platform.put(ref('workload/shop/web'), { tags: tags('workload/shop/web') });
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    const refused = { kind: 'error', code: 'api.conflict' } as const;
    platform.fault('delete', 'secret/a', ...Array.from({ length: 10 }, () => refused));
    const requires = [{ on: web.id, because: 'it mounts it', soft: false }];
    const { result } = await apply(plan(deleting(web), deleting(live, { requires })), {
      patience: { consistencyMs: 3_000 },
    });
    expect(result).toMatchObject({ failed: [], verified: true });
    expect(clock.now()).toBeGreaterThan(3_000);
  });

  test('is not repeated on a record that changed while it was busy', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    platform.fault('delete', 'secret/a', { kind: 'error', code: 'api.conflict' });
    const changed = () => platform.put(live.ref, { tags: tags('secret/a') }, 2, live.uid);
    platform.fault('read', 'secret/a', nothingHappens, { kind: 'meanwhile', happens: changed });
    expect(failures(await apply(plan(deleting(live))))).toEqual(['secret/a: plan.stale']);
    expect(writes(platform)).toEqual(['delete secret/a']);
  });

  test('is not repeated by the port either on a record that changed, or that is gone, since', async () => {
    const { platform, apply } = fakePlatform();
    const [moved, gone] = ['secret/moved', 'secret/gone'].map((id) => platform.put(ref(id), { tags: tags(id) }));
    if (moved === undefined || gone === undefined) throw new Error('both were put there');
    const changed = () => platform.put(moved.ref, { tags: tags(moved.id) }, 2, moved.uid);
    for (const { id } of [moved, gone]) platform.fault('delete', id, { kind: 'repeated' });
    platform.fault('read', moved.id, nothingHappens, { kind: 'meanwhile', happens: changed });
    platform.fault('read', gone.id, nothingHappens, { kind: 'meanwhile', happens: () => platform.drop(gone.id) });
    const applied = await apply(plan(deleting(moved), deleting(gone)));
    expect(failures(applied)).toEqual(['secret/moved: plan.stale']);
    expect(applied.result.done).toEqual(['secret/gone']);
    expect(writes(platform)).toEqual(['delete secret/moved', 'delete secret/gone']);
  });

  test('is repeated by the port on a record that is as it was', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    platform.fault('delete', 'secret/a', { kind: 'repeated' });
    expect((await apply(plan(deleting(live)))).result.done).toEqual(['secret/a']);
    expect(writes(platform)).toEqual(['delete secret/a', 'delete secret/a']);
  });

  test('whose answer was lost ends when the record is gone', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    platform.fault('delete', 'secret/a', { kind: 'lost-after' });
    expect((await apply(plan(deleting(live)))).result.done).toEqual(['secret/a']);
    expect(writes(platform)).toEqual(['delete secret/a']);
  });

  test('is done when another record has taken the name since', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    platform.fault('delete', 'secret/a', { kind: 'lost-after' });
    const taken = () => platform.put(live.ref, {}, 1, 'another');
    platform.fault('read', 'secret/a', nothingHappens, { kind: 'meanwhile', happens: taken });
    expect((await apply(plan(deleting(live)))).result.done).toEqual(['secret/a']);
    expect(platform.at('secret/a')?.uid).toBe('another');
  });

  test('that is refused for good fails with the blocking links', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    const message = 'used by /org/acme/gvc/shop/workload/web';
    platform.fault('delete', 'secret/a', { kind: 'error', code: 'api.invalid', message });
    const { result } = await apply(plan(deleting(live)));
    expect(result.failed.map(({ error }) => error.message)).toEqual([message]);
  });

  test('that never ends fails when the patience is used up', async () => {
    const { platform, apply } = fakePlatform({ deletionMs: 10_000_000 });
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    const applied = await apply(plan(deleting(live)), { patience: { deletionMs: 60_000 } });
    expect(failures(applied)).toEqual(['secret/a: apply.timeout']);
  });
});

describe('data that came after the plan was made (unknown counts as data)', () => {
  const id = 'volumeset/shop/data';
  const holding = (volumes: number) => ({
    tags: tags(id),
    status: { locations: [{ name: 'l', volumes: Array.from({ length: volumes }, () => ({ lifecycle: 'unbound' })) }] },
  });
  const message = `${id} has changed since the plan was made: the data of ${id} would be lost, which was not shown: 1 volume`;

  test('in a volume set that held none, without a new version: it is not deleted', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(id), holding(0), 1, 'u');
    platform.put(ref(id), holding(1), 1, 'u');
    const { result } = await apply(plan(deleting(live)));
    expect(result.failed.map(({ error }) => error.message)).toEqual([message]);
    expect(writes(platform)).toEqual([]);
  });

  test('while its deletion was refused as busy: it is not repeated', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(id), holding(0), 1, 'u');
    const filled = () => platform.put(ref(id), holding(1), 1, 'u');
    platform.fault('delete', id, { kind: 'error', code: 'api.conflict' });
    platform.fault('read', id, nothingHappens, { kind: 'meanwhile', happens: filled });
    expect(failures(await apply(plan(deleting(live))))).toEqual([`${id}: plan.stale`]);
    expect(writes(platform)).toEqual([`delete ${id}`]);
  });

  test('more of it where its loss was approved: it is deleted', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(id), holding(2));
    expect((await apply(plan(deleting(live, { losesData: [id] })))).result.done).toEqual([id]);
  });

  test('in a volume set of others that goes with its GVC: the GVC is not deleted', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { tags: tags(gvc) });
    platform.put(ref(id), { ...holding(1), tags: {} });
    const parts = { cascadesTo: [id] };
    expect(failures(await apply(plan(deleting(live, parts))))).toEqual([`${gvc}: plan.stale`]);
    expect(writes(platform)).toEqual([]);
    expect((await apply(plan(deleting(live, { ...parts, losesData: [id] })))).result.done).toEqual([gvc]);
  });
});

test('a GVC is not deleted when another stack has taken over what would go with it', async () => {
  const { platform, apply } = fakePlatform();
  const live = platform.put(ref(gvc), { tags: tags(gvc) });
  const child = platform.put(ref('workload/shop/web'), { tags: tags('workload/shop/web') }, 1, 'w');
  platform.put(child.ref, { tags: { 'gantry/stack': 'other' } }, 2, 'w');
  const made = plan(deleting(live, { cascadesTo: [child.id] }), deleting(child, { via: gvc }));
  const { result } = await apply(made);
  expect(result.failed.map(({ error }) => error.message)).toEqual([
    `${gvc} has changed since the plan was made: ${child.id} would be deleted with it, and no longer belongs to this stack`,
  ]);
  expect(writes(platform)).toEqual([]);
});

describe('release', () => {
  const bound = { tags: tags('ipset/a'), status: { ipAddresses: [{ name: 'x', state: 'bound' }] } };
  const released = { tags: tags('ipset/a'), status: { ipAddresses: [{ name: 'x', state: 'unbound' }] } };

  test('of an address is awaited when this plan made its user let go', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('ipset/a'), bound);
    const shop = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) });
    const letsGo = () => platform.put(live.ref, released, 1, live.uid);
    platform.fault('read', 'ipset/a', nothingHappens, nothingHappens, { kind: 'meanwhile', happens: letsGo });
    const { result, events } = await apply(
      plan(deleting(live, softlyAfter(gvc)), patching(shop, { description: 'without address' })),
    );
    expect(result.done).toEqual([gvc, 'ipset/a']);
    expect(events).toContainEqual({ type: 'waiting', id: 'ipset/a', for: 'its addresses to be released' });
    expect(platform.log.filter((line) => line.endsWith('ipset/a'))).toEqual([
      ...['read ipset/a', 'read ipset/a', 'read ipset/a'],
      ...['delete ipset/a', 'read ipset/a'],
    ]);
  });

  test('is not awaited when nothing in the plan lets go: the platform refuses', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('ipset/a'), bound);
    platform.fault('delete', 'ipset/a', { kind: 'error', code: 'api.invalid', message: 'an address is bound' });
    expect(failures(await apply(plan(deleting(live))))).toEqual(['ipset/a: api.invalid']);
  });

  test('of volumes is awaited for a bounded time', async () => {
    const { platform, clock, apply } = fakePlatform();
    const data = 'volumeset/shop/data';
    const live = platform.put(ref(data), {
      tags: tags(data),
      status: { locations: [], workloadLinks: ['/org/acme/gvc/shop/workload/db'] },
    });
    platform.fault('delete', data, { kind: 'error', code: 'api.invalid', message: 'is mounted' });
    const applied = await apply(plan(deleting(live, softlyAfter('workload/shop/db'))), { patience: { busyMs: 9_000 } });
    expect(failures(applied)).toEqual([`${data}: api.invalid`]);
    expect(clock.now()).toBeGreaterThan(9_000);
  });
});

describe('delete.cascade: a platform that does not delete a GVC with what it contains', () => {
  const web = 'workload/shop/web';
  const app = 'identity/shop/app';
  function full(refusesFull: 'api.conflict' | 'api.invalid') {
    const fake = fakePlatform({ refusesFull });
    const [shop, ...children] = [gvc, web, app].map((id) => fake.platform.put(ref(id), { tags: tags(id) }));
    if (shop === undefined) throw new Error('there is a GVC');
    const going = children.map((live) => deleting(live, { via: gvc }));
    return { ...fake, shop, changes: [deleting(shop, { cascadesTo: [web, app] }), ...going] };
  }

  test.each(['api.conflict', 'api.invalid'] as const)('%s: its content goes first, then the GVC', async (code) => {
    const { platform, clock, apply, changes } = full(code);
    const { result } = await apply(plan(...changes));
    expect(result).toMatchObject({ done: [gvc, web, app], failed: [], verified: true });
    expect(platform.ids()).toEqual([]);
    expect(writes(platform).slice(-3).toSorted()).toEqual([`delete ${gvc}`, `delete ${app}`, `delete ${web}`]);
    expect(clock.now()).toBeLessThan(5_000);
  });

  test('what is still referred to goes in a later round', async () => {
    const { platform, apply, changes } = full('api.invalid');
    platform.fault('delete', app, { kind: 'error', code: 'api.conflict', message: 'in use by web' });
    const { result } = await apply(plan(...changes));
    expect(result).toMatchObject({ failed: [], verified: true });
    expect(platform.ids()).toEqual([]);
  });

  test('a record of others in it is not deleted by itself, and nothing else is then', async () => {
    const { platform, apply, shop, changes } = full('api.conflict');
    platform.put(ref('workload/shop/theirs'), {});
    const [, ...going] = changes;
    const approved = deleting(shop, { cascadesTo: [web, app, 'workload/shop/theirs'] });
    expect(failures(await apply(plan(approved, ...going)))).toEqual([`${gvc}: apply.not-empty`]);
    expect(platform.ids()).toHaveLength(4);
  });

  test('a GVC that is protected is refused for that, and its content stays', async () => {
    const { platform, apply, shop, changes } = full('api.invalid');
    const [, ...going] = changes;
    const record = { tags: { ...tags(gvc), 'scheme/protected': 'true' } };
    const live = platform.put(ref(gvc), record, 1, shop.uid);
    const applied = await apply(plan(deleting(live, { cascadesTo: [web, app] }), ...going));
    expect(failures(applied)).toEqual([`${gvc}: api.invalid`]);
    expect(platform.ids()).toHaveLength(3);
  });
});
