import { describe, expect, test } from 'vitest';
import { failures, fakePlatform, writes } from './harness/harness.ts';
import { deleting, patching, plan, ref, softlyAfter, tags } from './harness/plans.ts';
import { type RunRow, testRuns } from './harness/runText.ts';

const gvc = 'gvc/shop';
const nothingHappens = { kind: 'meanwhile', happens: () => {} } as const;

const child = 'delete gvc/shop cascades(workload/shop/web); delete workload/shop/web via(gvc/shop)';
const full =
  'delete gvc/shop cascades(workload/shop/web,identity/shop/app); delete workload/shop/web via(gvc/shop); ' +
  'delete identity/shop/app via(gvc/shop)';
const data = 'volumeset/shop/data';
const lost = `${data} has changed since the plan was made: the data of ${data} would be lost, which was not shown: 1 volume`;

// biome-ignore format: a row is a case
const deletions: readonly RunRow[] = [
  ['of a record that does not exist is done after one read', 'delete secret/a', 'secret/a: gone',
    'done secret/a; calls read secret/a'],
  ['of a GVC that another client deletes while its children are listed is done', 'delete gvc/shop',
    'children gvc/shop: gone', 'done gvc/shop; sent nothing'],
  ['is not sent if the record has another version', 'delete secret/a', 'secret/a: touched(2)',
    'failed secret/a plan.stale; sent nothing'],
  ['is not sent if the record has another id', 'delete secret/a', 'secret/a: recreated',
    'failed secret/a plan.stale; sent nothing'],
  ['is not sent if the record has another owner', 'delete secret/a', 'secret/a: stolen(1)',
    'failed secret/a plan.stale; sent nothing'],
  ['is not sent if the record lost its owner', 'delete secret/a', 'secret/a: disowned(1)',
    'failed secret/a plan.stale; sent nothing'],
  ['of a GVC is not sent if another client replaced one of its children', child, 'workload/shop/web: another',
    'failed gvc/shop plan.stale (gvc/shop has changed since the plan was made: it now contains another workload/shop/web, ' +
      'which would be deleted with it); sent nothing'],
  ['of a GVC is not sent if it contains more than was approved', 'delete gvc/shop cascades(workload/shop/web)',
    'workload/shop/web: added; workload/shop/foreign: added',
    'failed gvc/shop plan.stale (workload/shop/foreign); sent nothing'],
  ['of a record is no doubt if the platform confirmed it', 'delete secret/a', '', 'done secret/a; notes nothing'],
  ['of a GVC that is refused, and deleted by another client before its content is listed, fails for the refusal',
    'delete gvc/shop', 'delete gvc/shop: api.invalid(refused); children gvc/shop: -, gone',
    'failed gvc/shop api.invalid (refused)'],
  ['of a GVC that is refused, and then deleted by another client, fails for the refusal', 'delete gvc/shop',
    'delete gvc/shop: api.invalid(refused); read gvc/shop: -, gone', 'failed gvc/shop api.invalid (refused)'],
  ['of a busy record is repeated, after a read before each repetition', 'delete secret/a',
    'delete secret/a: busy',
    'done secret/a; calls read secret/a, delete secret/a, read secret/a, delete secret/a, read secret/a'],
  ['is not repeated for a record that changed while it was busy', 'delete secret/a',
    'delete secret/a: busy; read secret/a: -, touched(2)', 'failed secret/a plan.stale; sent delete secret/a'],
  ['is not repeated by the port either for a record that changed or was deleted since',
    'delete secret/moved; delete secret/gone',
    'delete secret/moved: repeated; delete secret/gone: repeated; read secret/moved: -, touched(2); ' +
      'read secret/gone: -, gone',
    'failed secret/moved plan.stale; done secret/gone; sent delete secret/moved, delete secret/gone'],
  ['is repeated by the port for an unchanged record', 'delete secret/a', 'delete secret/a: repeated',
    'done secret/a; sent delete secret/a, delete secret/a'],
  ['with a lost response is done when the record is deleted', 'delete secret/a', 'delete secret/a: lost',
    'done secret/a; sent delete secret/a; there nothing'],
  ['is done if another record has the name since', 'delete secret/a',
    'delete secret/a: lost; read secret/a: -, another', 'done secret/a; there secret/a'],
  ['that is answered with 404 is sent again while reads return the record', 'delete secret/a',
    'delete secret/a: denied, denied',
    'done secret/a; there nothing; retried secret/a, secret/a; ' +
      'sent delete secret/a, delete secret/a, delete secret/a'],
  ['that is answered with 404 like the read after it is noted, as the token may have lost the right to view it',
    'delete secret/a', 'delete secret/a: denied; read secret/a: -, hidden; owned shop: hidden',
    'done secret/a; verified true; notes this run did not delete secret/a: the platform answered 404. ' +
      'Another client has deleted it, or this token can no longer view it.'],
  ['of a record that only reads by name hide fails in the verification', 'delete secret/a', 'read secret/a: hidden*20',
    'done secret/a; sent nothing; verified false; ' +
      'differences secret/a is still there: its deletion was answered with 404'],
  ['that is answered with 404 like the read after it fails in the verification if the record is still listed',
    'delete secret/a', 'delete secret/a: denied; read secret/a: -, hidden*20',
    'done secret/a; verified false; differences secret/a is still there: its deletion was answered with 404'],
  ['that is answered with 404 like the read after it is no deletion if the record then has the name',
    'replace secret/a', 'delete secret/a: denied; read secret/a: -, hidden',
    'failed secret/a plan.stale (it is still there, although its deletion was answered with 404); reached nothing; ' +
      'sent patch secret/a, delete secret/a, create secret/a, patch secret/a; now secret/a@3=old'],
  ['that is answered with 404 does not show that the platform keeps deleted names', 'replace secret/a',
    'delete secret/a: denied; read secret/a: -, hidden*200', 'failed secret/a api.conflict'],
  ['that is answered with 404 is not sent again on a record that changed', 'delete secret/a',
    'delete secret/a: denied; read secret/a: -, -, touched(2)', 'failed secret/a plan.stale; sent delete secret/a'],
  ['that is answered with 404 and never done fails after its time limit, with the reason', 'delete secret/a',
    'delete secret/a: denied*50',
    'failed secret/a apply.timeout (DELETE is answered with 404, but the record is still shown); there secret/a',
    { run: { patience: { deletionMs: 60_000 } } }],
  ['that is refused permanently fails with the blocking links', 'delete secret/a',
    'delete secret/a: api.invalid(used by /org/acme/gvc/shop/workload/web)',
    'failed secret/a api.invalid (used by /org/acme/gvc/shop/workload/web)'],
  ['that never finishes fails after its time limit', 'delete secret/a', '', 'failed secret/a apply.timeout',
    { deletionMs: 10_000_000, run: { patience: { deletionMs: 60_000 } } }],
  ['of a volume set that got data without a new version is not sent (unknown counts as data)',
    `delete ${data}`, `${data}: filled(1)`, `failed ${data} plan.stale (${lost}); sent nothing`],
  ['of a volume set that got data while it was busy is not repeated', `delete ${data}`,
    `delete ${data}: busy; read ${data}: -, filled(1)`, `failed ${data} plan.stale; sent delete ${data}`],
  ['of a volume set with more data is sent if its loss was approved', `delete ${data} loses(${data})`,
    `${data}: filled(2)`, `done ${data}`],
  ['of a GVC is not sent because of data in a cascading volume set of others', `delete gvc/shop cascades(${data})`,
    `${data}: holding(1)`, 'failed gvc/shop plan.stale; sent nothing'],
  ['of a GVC is sent if the loss of that data was approved', `delete gvc/shop cascades(${data}) loses(${data})`,
    `${data}: holding(1)`, 'done gvc/shop'],
];

// biome-ignore format: a row is a case
const cascades: readonly RunRow[] = [
  ['a child that is still referred to is deleted in a later round', full, 'delete identity/shop/app: busy',
    'verified true; there nothing', { refusesFull: 'api.invalid' }],
  ['a child of others is not deleted itself, and then no other one is',
    full.replace('identity/shop/app)', 'identity/shop/app,workload/shop/theirs)'), 'workload/shop/theirs: added',
    'failed gvc/shop apply.not-empty; there gvc/shop, identity/shop/app, workload/shop/theirs, workload/shop/web',
    { refusesFull: 'api.conflict' }],
  ['a GVC that others created under its name in the meantime is not deleted, although it is empty', child,
    'delete workload/shop/web: busy; read gvc/shop: -, -, -, another & workload/shop/web gone',
    'done gvc/shop, workload/shop/web; there gvc/shop; sent delete gvc/shop, delete workload/shop/web',
    { refusesFull: 'api.invalid' }],
  ['children that are all busy are deleted in a later round', full,
    'delete identity/shop/app: busy; delete workload/shop/web: busy', 'verified true; there nothing',
    { refusesFull: 'api.invalid' }],
  ['children that are all refused end the deletion of the GVC, with the reason of the first one', full,
    'delete identity/shop/app: api.invalid(used); delete workload/shop/web: api.invalid(used too)',
    'failed gvc/shop api.invalid; sent delete gvc/shop, delete workload/shop/web, delete identity/shop/app; ' +
      'verified true', { refusesFull: 'api.invalid' }],
  ['a child that stays busy is no deleted one', full, 'delete identity/shop/app: busy*99',
    'failed gvc/shop api.conflict; there gvc/shop, identity/shop/app; verified true; differences nothing',
    { refusesFull: 'api.invalid', run: { patience: { busyMs: 5_000 } } }],
  ['a GVC that is only busy for a moment is deleted with its content', full, 'delete gvc/shop: busy',
    'verified true; there nothing; sent delete gvc/shop, delete gvc/shop'],
  ['a child that this token may not delete ends the deletion of the GVC', full, 'delete identity/shop/app: api.forbidden',
    'failed gvc/shop api.forbidden; sent delete gvc/shop, delete workload/shop/web, delete identity/shop/app; ' +
      'there gvc/shop, identity/shop/app; verified true; differences nothing', { refusesFull: 'api.invalid' }],
  ['a child that was deleted after another one was refused counts as deleted', full,
    'delete workload/shop/web: api.forbidden',
    'failed gvc/shop api.forbidden; there gvc/shop, workload/shop/web; verified true; differences nothing',
    { refusesFull: 'api.invalid' }],
  ['a protected GVC is refused for that, and its content is kept', full, 'gvc/shop: protected(1)',
    'failed gvc/shop api.invalid; there gvc/shop, identity/shop/app, workload/shop/web',
    { refusesFull: 'api.invalid' }],
];

describe('delete', () => {
  testRuns(deletions);

  test('reads first, and is done when the record is deleted, not when the request was accepted', async () => {
    const { platform, clock, apply } = fakePlatform({ deletionMs: 1_000 });
    const live = platform.put(ref(gvc), { tags: tags(gvc) });
    const { result, events } = await apply(plan(deleting(live)));
    expect(result.done).toEqual([gvc]);
    expect(platform.log.slice(0, 3)).toEqual([`read ${gvc}`, `children ${gvc}`, `delete ${gvc}`]);
    expect(clock.now()).toBeGreaterThan(1_000);
    expect(events).toContainEqual({ type: 'waiting', id: gvc, for: 'the deletion to end' });
  });

  test("of a record that stays in use is given up after --consistency-timeout, with the platform's reason", async () => {
    const { platform, clock, apply } = fakePlatform();
    const live = platform.put(ref('secret/a'), { tags: tags('secret/a') });
    const refused = { kind: 'error', code: 'api.conflict', message: 'in use by //gvc/shop/workload/web' } as const;
    platform.fault('delete', 'secret/a', ...Array.from({ length: 100 }, () => refused));
    const applied = await apply(plan(deleting(live)), { patience: { consistencyMs: 3_000 } });
    expect(failures(applied)).toEqual(['secret/a: apply.in-use']);
    expect(applied.result.failed[0]?.error.message).toContain('in use by //gvc/shop/workload/web');
    expect(clock.now()).toBeLessThan(4_000);
  });

  test('of a record whose last reference this run dropped is repeated for longer, as the platform may need a while', async () => {
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
});

describe('release', () => {
  const bound = { tags: tags('ipset/a'), status: { ipAddresses: [{ name: 'x', state: 'bound' }] } };
  const released = { tags: tags('ipset/a'), status: { ipAddresses: [{ name: 'x', state: 'unbound' }] } };

  test('of an address is awaited if this plan makes its user drop it', async () => {
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
  testRuns(cascades);

  const web = 'workload/shop/web';
  const app = 'identity/shop/app';
  function full(refusesFull: 'api.conflict' | 'api.invalid') {
    const fake = fakePlatform({ refusesFull });
    const [shop, ...children] = [gvc, web, app].map((id) => fake.platform.put(ref(id), { tags: tags(id) }));
    if (shop === undefined) throw new Error('there is a GVC');
    const going = children.map((live) => deleting(live, { via: gvc }));
    return { ...fake, shop, changes: [deleting(shop, { cascadesTo: [web, app] }), ...going] };
  }

  test.each(['api.conflict', 'api.invalid'] as const)(
    '%s: its content is deleted first, then the GVC',
    async (code) => {
      const { platform, clock, apply, changes } = full(code);
      const { result } = await apply(plan(...changes));
      expect(result).toMatchObject({ done: [gvc, web, app], failed: [], verified: true });
      expect(platform.ids()).toEqual([]);
      expect(writes(platform).slice(-3).toSorted()).toEqual([`delete ${gvc}`, `delete ${app}`, `delete ${web}`]);
      expect(clock.now()).toBeLessThan(5_000);
    },
  );
});
