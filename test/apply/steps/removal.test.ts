import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { stillInUse } from '../../../src/kinds/kindFacts.ts';
import type { Change, UncheckedChange } from '../../../src/plan/model/change.ts';
import { type Applied, failures, fakePlatform, writes } from '../harness/harness.ts';
import { change, creating, deleting, patching, plan, ref, softlyAfter, stack, tags } from '../harness/plans.ts';

const gvc = 'gvc/shop';
const ips = 'ipset/a';
const nothingHappens = { kind: 'meanwhile', happens: () => {} } as const;
const bound = { tags: tags(ips), status: { ipAddresses: [{ name: 'x', state: 'bound' }] } };

function waits({ events }: Applied): readonly string[] {
  return events.flatMap((event) => (event.type === 'waiting' ? [event.for] : []));
}

function reads(platform: { readonly log: readonly string[] }, id: string): number {
  return platform.log.filter((line) => line === `read ${id}`).length;
}

describe('a deletion', () => {
  test('of what is gone already looks once', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    platform.drop('secret/a');
    await apply(plan(deleting(live)));
    expect(platform.log).toEqual(['read secret/a', `owned ${stack}`]);
  });

  test('says once that it goes on, and looks less and less often, at least every two seconds', async () => {
    const { platform, clock, apply } = fakePlatform({ deletionMs: 100_000 });
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    const applied = await apply(plan(deleting(live)));
    expect(applied.result.done).toEqual(['secret/a']);
    expect(waits(applied)).toEqual(['the deletion to end']);
    expect(clock.now()).toBeLessThan(102_100);
    expect(reads(platform, 'secret/a')).toBeGreaterThan(50);
    expect(reads(platform, 'secret/a')).toBeLessThan(70);
  });

  test('has the patience that was given from where it was accepted on, not from the start of the run', async () => {
    const { platform, apply } = fakePlatform({ latencyMs: 5_000, deletionMs: 8_000 });
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    expect(failures(await apply(plan(deleting(live)), { patience: { deletionMs: 10_000 } }))).toEqual([]);
    expect(reads(platform, 'secret/a')).toBe(3); // before it, after 5 s, and after 10 s
  });

  test('of a name that another record has had since the plan was made is no race about fields', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') }, 1, 'ours');
    platform.put(live.ref, { description: 'theirs', tags: {} }, 7, 'theirs');
    const { result } = await apply(plan(deleting(live)));
    expect(result.races).toEqual([
      { id: 'secret/a', outcome: 'stale', from: 1, theirs: [], notWritten: [], by: ['unknown'] },
    ]);
  });

  test('of a record that is not ours is made where it is replaced, as it is to be adopted', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('workload/shop/web'), {});
    const replaced = creating(live.id, { action: 'replace', liveUid: live.uid, liveVersion: 1 });
    expect((await apply(plan(replaced))).result).toMatchObject({ done: [live.id], failed: [] });
  });

  test('of a record that is gone already, to be replaced: Ctrl-C meanwhile, and it is created', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('workload/shop/web'), { tags: tags('workload/shop/web') });
    platform.drop(live.id);
    const controller = new AbortController();
    platform.fault('read', live.id, { kind: 'meanwhile', happens: () => controller.abort() });
    const replaced = creating(live.id, { action: 'replace', liveUid: live.uid, liveVersion: 1 });
    const { result } = await apply(plan(replaced), { signal: controller.signal });
    expect(result).toMatchObject({ done: [live.id], interrupted: true });
  });
});

describe('release', () => {
  interface Case {
    readonly it: string;
    readonly fields: Partial<UncheckedChange>;
    readonly awaited: boolean;
  }
  // biome-ignore format: a row is a case
  const waiting: readonly Case[] = [
    { it: 'waits for nothing', fields: {}, awaited: false },
    { it: 'waits for what lets it go', fields: softlyAfter(gvc), awaited: true },
    { it: 'is the first half of a replacement, whose second half waits for something',
      fields: { ...softlyAfter(gvc), action: 'replace', deleteRequires: [] }, awaited: false },
    { it: 'is the first half of a replacement, and waits for what lets it go',
      fields: { action: 'replace', deleteRequires: softlyAfter(gvc).requires }, awaited: true },
  ];
  test.each(waiting)('of an address, by a deletion that $it, is awaited: $awaited', async ({ fields, awaited }) => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(ips), bound);
    const pinned = { liveUid: live.uid, liveVersion: 1 };
    const going: Change =
      fields.action === 'replace' ? creating(ips, { ...pinned, ...fields }) : deleting(live, fields);
    const applied = await apply(plan(going), { patience: { busyMs: 9_000 } });
    expect(failures(applied)).toEqual([]);
    expect(waits(applied)).toEqual(awaited ? ['its addresses to be released'] : []);
  });

  test('is asked for less and less often', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(ips), bound);
    await apply(plan(deleting(live, softlyAfter(gvc))), { patience: { busyMs: 100_000 } });
    expect(reads(platform, ips)).toBeGreaterThan(50);
    expect(reads(platform, ips)).toBeLessThan(70);
  });

  test('is waited for from the first look on, however late that comes', async () => {
    const { platform, apply } = fakePlatform({ latencyMs: 5_000 });
    const live = platform.put(ref(ips), bound);
    const shop = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) });
    await apply(plan(deleting(live, softlyAfter(gvc)), patching(shop, { description: 'new' })), {
      patience: { busyMs: 9_000 },
    });
    expect(platform.log.slice(0, 4)).toEqual([`patch ${gvc}`, `read ${ips}`, `read ${ips}`, `delete ${ips}`]);
  });

  test('is not waited for any longer when somebody else has deleted it', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(ips), bound);
    platform.fault('read', ips, nothingHappens, { kind: 'meanwhile', happens: () => platform.drop(ips) });
    expect((await apply(plan(deleting(live, softlyAfter(gvc))))).result.done).toEqual([ips]);
    expect(writes(platform)).toEqual([]);
  });

  interface Held {
    readonly it: string;
    readonly kind: 'ipset' | 'volumeset' | 'secret';
    readonly status: JsonObject;
    readonly used: boolean;
  }
  const link = '/org/acme/gvc/shop/workload/db';
  // biome-ignore format: one case a line
  const cases: readonly Held[] = [
    { it: 'an address of two is bound', kind: 'ipset', status: { ipAddresses: [{ state: 'unbound' }, { state: 'bound' }] }, used: true },
    { it: 'no address is bound', kind: 'ipset', status: { ipAddresses: [{ state: 'unbound' }] }, used: false },
    { it: 'there is no address', kind: 'ipset', status: {}, used: false },
    { it: 'workloads are listed', kind: 'volumeset', status: { workloadLinks: [link] }, used: true },
    { it: 'one workload is named', kind: 'volumeset', status: { workloadLinks: [], usedByWorkload: link }, used: true },
    { it: 'the workload has no name', kind: 'volumeset', status: { workloadLinks: [], usedByWorkload: '' }, used: false },
    { it: 'the workload is null', kind: 'volumeset', status: { usedByWorkload: null }, used: false },
    { it: 'no workload is named', kind: 'volumeset', status: { workloadLinks: [] }, used: false },
    { it: 'its kind is never in use', kind: 'secret', status: { usedByWorkload: link }, used: false },
  ];

  test.each(cases)(
    'of a $kind is missing where $it: $used (platform/ipset, platform/volumeset.status)',
    ({ kind, status, used }) => {
      expect(stillInUse(kind, { status }) !== undefined).toBe(used);
    },
  );
});

describe('the deletion of a GVC', () => {
  const [web, api] = ['workload/shop/web', 'workload/shop/api'];

  /** A GVC with two workloads of this stack. */
  function inhabited() {
    const fake = fakePlatform();
    const live = fake.platform.put(ref(gvc), { tags: tags(gvc) });
    const inside = [web, api].map((id) => fake.platform.put(ref(id), { tags: tags(id) }));
    return { ...fake, live, inside };
  }

  test('does not mind what the plan deletes there by itself', async () => {
    const { platform, apply, live, inside } = inhabited();
    const { result } = await apply(plan(deleting(live), ...inside.map((child) => deleting(child))), { concurrency: 1 });
    expect(result.failed).toEqual([]);
    expect(platform.ids()).toEqual([]);
  });

  test('minds what the plan keeps there, and names everything that was not shown, sorted', async () => {
    const { apply, live, inside } = inhabited();
    const kept = inside.map(({ id, uid, version }) =>
      change(id, { action: 'keep', liveUid: uid, liveVersion: version }),
    );
    const { result } = await apply(plan(deleting(live), ...kept));
    expect(result.failed.map(({ error }) => error.message)).toEqual([
      `${gvc} has changed since the plan was made: it now contains ${api}, ${web}, which would be deleted with it`,
    ]);
  });

  test('names everything that another stack has taken over, sorted', async () => {
    const { platform, apply, live, inside } = inhabited();
    for (const child of inside) platform.put(child.ref, { tags: { 'gantry/stack': 'other' } }, 2, child.uid);
    const going = inside.map((child) => deleting(child, { via: gvc }));
    const { result } = await apply(plan(deleting(live, { cascadesTo: [api, web] }), ...going));
    expect(result.failed.map(({ error }) => error.message)).toEqual([
      `${gvc} has changed since the plan was made: ${api}, ${web} would be deleted with it, and no longer belongs to this stack`,
    ]);
  });

  test('names all data that was not shown, sorted, and none whose loss was approved with its own deletion', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { tags: tags(gvc) });
    const sets = ['volumeset/shop/z', 'volumeset/shop/b', 'volumeset/shop/a'].map((id) =>
      platform.put(ref(id), { tags: tags(id), status: {} }),
    );
    const going = sets.map((child, index) =>
      deleting(child, { via: gvc, ...(index === 0 ? { losesData: [child.id] } : {}) }),
    );
    const { result } = await apply(plan(deleting(live, { cascadesTo: sets.map(({ id }) => id) }), ...going));
    const lost = (id: string) => `the data of ${id} would be lost, which was not shown: its volumes are not known`;
    expect(result.failed.map(({ error }) => error.message)).toEqual([
      `${gvc} has changed since the plan was made: ${lost('volumeset/shop/a')}; ${lost('volumeset/shop/b')}`,
    ]);
    expect(writes(platform)).toEqual([]);
  });

  test.each(['api.not-found', 'api.forbidden'])('whose content cannot be listed (%s) is not sent', async (code) => {
    const { platform, apply, live } = inhabited();
    platform.fault('children', gvc, { kind: 'error', code });
    expect(failures(await apply(plan(deleting(live, { cascadesTo: [web, api] }))))).toEqual([`${gvc}: ${code}`]);
    expect(writes(platform)).toEqual([]);
  });
});
