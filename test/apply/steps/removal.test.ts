import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { stillInUse } from '../../../src/kinds/kindFacts.ts';
import type { Change, UncheckedChange } from '../../../src/plan/model/change.ts';
import { type Applied, failures, fakePlatform, writes } from '../harness/harness.ts';
import { creating, deleting, patching, plan, ref, softlyAfter, tags } from '../harness/plans.ts';
import { type RunRow, testRuns } from '../harness/runText.ts';

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

const inside = 'delete workload/shop/web via(gvc/shop); delete workload/shop/api via(gvc/shop)';
const sets = ['z', 'b', 'a'].map((name) => `volumeset/shop/${name}`);
const lost = (id: string) => `the data of ${id} would be lost, which was not shown: its volumes are not known`;

// biome-ignore format: a row is a case
const deletions: readonly RunRow[] = [
  ['of a record of others is done if an adoption replaces it',
    'replace workload/shop/web foreign()', '', 'done workload/shop/web'],
  ['of a missing record to be replaced, with Ctrl-C: it is created', 'replace workload/shop/web',
    'workload/shop/web: gone; read workload/shop/web: abort', 'done workload/shop/web; interrupted true'],
];

// biome-ignore format: a row is a case
const gvcs: readonly RunRow[] = [
  ['ignores children that the plan deletes itself',
    'delete gvc/shop; delete workload/shop/web; delete workload/shop/api', '', 'there nothing',
    { run: { concurrency: 1 } }],
  ['is stale because of children that the plan keeps, and names all that were not approved, sorted',
    'delete gvc/shop; keep workload/shop/web; keep workload/shop/api', '',
    'failed gvc/shop plan.stale (gvc/shop has changed since the plan was made: ' +
      'it now contains workload/shop/api, workload/shop/web, which would be deleted with it)'],
  ['names all children that another stack adopted, sorted',
    `delete gvc/shop cascades(workload/shop/api,workload/shop/web); ${inside}`,
    'workload/shop/web: stolen(2); workload/shop/api: stolen(2)',
    'failed gvc/shop plan.stale (gvc/shop has changed since the plan was made: ' +
      'workload/shop/api, workload/shop/web would be deleted with it, and no longer belongs to this stack); sent nothing'],
  ['with content that cannot be listed (api.not-found) is not sent', 'delete gvc/shop cascades(workload/shop/web)',
    'children gvc/shop: api.not-found', 'failed gvc/shop api.not-found; sent nothing'],
  ['with content that cannot be listed (api.forbidden) is not sent', 'delete gvc/shop cascades(workload/shop/web)',
    'children gvc/shop: api.forbidden', 'failed gvc/shop api.forbidden; sent nothing'],
];

describe('the deletion of a GVC', () => {
  testRuns(gvcs);

  test('names all data that was not approved, sorted, and none whose loss was approved with its own deletion', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { tags: tags(gvc) });
    const [z, ...others] = sets.map((id) => platform.put(ref(id), { tags: tags(id), status: {} }));
    if (z === undefined) throw new Error('there are three');
    const going = others.map((child) => deleting(child, { via: gvc }));
    const approved = deleting(z, { via: gvc, losesData: [z.id] });
    const { result } = await apply(plan(deleting(live, { cascadesTo: sets }), approved, ...going));
    expect(result.failed.map(({ error }) => error.message)).toEqual([
      `${gvc} has changed since the plan was made: ${lost('volumeset/shop/a')}; ${lost('volumeset/shop/b')}`,
    ]);
    expect(writes(platform)).toEqual([]);
  });
});

describe('a deletion', () => {
  testRuns(deletions);

  test('reports once that it continues, and reads less and less often, at least every two seconds', async () => {
    const { platform, clock, apply } = fakePlatform({ deletionMs: 100_000 });
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    const applied = await apply(plan(deleting(live)));
    expect(applied.result.done).toEqual(['secret/a']);
    expect(waits(applied)).toEqual(['the deletion to end']);
    expect(clock.now()).toBeLessThan(102_100);
    expect(reads(platform, 'secret/a')).toBeGreaterThan(50);
    expect(reads(platform, 'secret/a')).toBeLessThan(70);
  });

  test('has the given time limit from its acceptance, not from the start of the run', async () => {
    const { platform, apply } = fakePlatform({ latencyMs: 5_000, deletionMs: 8_000 });
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    expect(failures(await apply(plan(deleting(live)), { patience: { deletionMs: 10_000 } }))).toEqual([]);
    expect(reads(platform, 'secret/a')).toBe(3); // Before it, after 5 s, and after 10 s.
  });

  test('of a name with another record since the plan reports no race about fields', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') }, 1, 'ours');
    platform.put(live.ref, { description: 'theirs', tags: {} }, 7, 'theirs');
    const { result } = await apply(plan(deleting(live)));
    expect(result.races).toEqual([
      { id: 'secret/a', outcome: 'stale', from: 1, theirs: [], notWritten: [], by: ['unknown'] },
    ]);
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
    { it: 'waits for the change that drops the reference', fields: softlyAfter(gvc), awaited: true },
    { it: 'is the first half of a replacement, and the second half has an edge',
      fields: { ...softlyAfter(gvc), action: 'replace', deleteRequires: [] }, awaited: false },
    { it: 'is the first half of a replacement, and waits for the change that drops the reference',
      fields: { action: 'replace', deleteRequires: softlyAfter(gvc).requires }, awaited: true },
  ];
  test.each(waiting)('of an address is awaited by a deletion that $it: $awaited', async ({ fields, awaited }) => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(ips), bound);
    const pinned = { liveUid: live.uid, liveVersion: 1 };
    const going: Change =
      fields.action === 'replace' ? creating(ips, { ...pinned, ...fields }) : deleting(live, fields);
    const applied = await apply(plan(going), { patience: { busyMs: 9_000 } });
    expect(failures(applied)).toEqual([]);
    expect(waits(applied)).toEqual(awaited ? ['its addresses to be released'] : []);
  });

  test('is read less and less often', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(ips), bound);
    await apply(plan(deleting(live, softlyAfter(gvc))), { patience: { busyMs: 100_000 } });
    expect(reads(platform, ips)).toBeGreaterThan(50);
    expect(reads(platform, ips)).toBeLessThan(70);
  });

  test('is awaited from the first read on, however late that is', async () => {
    const { platform, apply } = fakePlatform({ latencyMs: 5_000 });
    const live = platform.put(ref(ips), bound);
    const shop = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) });
    await apply(plan(deleting(live, softlyAfter(gvc)), patching(shop, { description: 'new' })), {
      patience: { busyMs: 9_000 },
    });
    expect(platform.log.slice(0, 4)).toEqual([`patch ${gvc}`, `read ${ips}`, `read ${ips}`, `delete ${ips}`]);
  });

  test('ends if another client deleted the record', async () => {
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
    { it: 'one address of two is bound', kind: 'ipset',
      status: { ipAddresses: [{ state: 'unbound' }, { state: 'bound' }] }, used: true },
    { it: 'no address is bound', kind: 'ipset', status: { ipAddresses: [{ state: 'unbound' }] }, used: false },
    { it: 'it has no address', kind: 'ipset', status: {}, used: false },
    { it: 'workloads are listed', kind: 'volumeset', status: { workloadLinks: [link] }, used: true },
    { it: 'one workload is named', kind: 'volumeset', status: { workloadLinks: [], usedByWorkload: link }, used: true },
    { it: 'the workload name is empty', kind: 'volumeset', status: { workloadLinks: [], usedByWorkload: '' },
      used: false },
    { it: 'the workload is null', kind: 'volumeset', status: { usedByWorkload: null }, used: false },
    { it: 'no workload is named', kind: 'volumeset', status: { workloadLinks: [] }, used: false },
    { it: 'its kind is never in use', kind: 'secret', status: { usedByWorkload: link }, used: false },
  ];

  test.each(cases)(
    'the release of a $kind is missing if $it: $used (platform/ipset, platform/volumeset.status)',
    ({ kind, status, used }) => {
      expect(stillInUse(kind, { status }) !== undefined).toBe(used);
    },
  );
});
