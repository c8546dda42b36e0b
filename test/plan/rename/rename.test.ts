import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import type { Lifecycle } from '../../../src/manifest/model/manifest.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { makeReplan } from '../../../src/plan/replan.ts';
import { withKinds } from '../../kinds/withKinds.ts';
import { declared, expectPlan, held, type PlanRow, testPlans } from '../planText.ts';
import { changeOf, codes, declare, live, options, plan, snapshot, workload } from '../world.ts';

const unread = 'routes of other stacks that lead to it are not looked up: they have to move before it is deleted';
const link = 'spec.ports.443.routes."/".workloadLink';
const made = (desired: string, there: string, given: Partial<PlanOptions> = {}) =>
  plan(declared(desired), held(there), given);

const web = 'gvc/g; workload/g/web previously(site)';
const site = 'gvc/g; workload/g/site';

// biome-ignore format: a row is a case
const workloads: readonly PlanRow[] = [
  ['creates the new one, waits until it is ready, moves routes, and deletes the old one last',
    `${web}; domain/a.com routes(web)`, `${site}; domain/a.com routes(site)`,
    'create workload/g/web; patch domain/a.com after workload/g/web ready; ' +
      'delete workload/g/site after domain/a.com, workload/g/web ready'],
  ['a firewall list moves when the new one is ready, before the old one is deleted',
    `${web}; workload/g/api calls(web)`,
    `${site}; workload/g/api calls(site)`,
    '… patch workload/g/api after workload/g/web ready; delete workload/g/site after workload/g/api, ' +
      'workload/g/web ready'],
  ['a policy moves when the new one is ready, before the old one is deleted',
    `${web}; policy/p targets(workload/g/web)`,
    `${site}; policy/p targets(workload/g/site)`,
    '… patch policy/p after workload/g/web ready; delete workload/g/site after policy/p, workload/g/web ready'],
  ['an IP set moves when the new one is ready, before the old one is deleted',
    `${web}; ipset/front link(workload/g/web)`,
    `${site}; ipset/front link(workload/g/site)`,
    '… patch ipset/front after workload/g/web ready; delete workload/g/site after ipset/front, workload/g/web ready'],
  ['a GVC that refers to it moves in its second step', 'gvc/g alias(web) text(new); workload/g/web previously(site)',
    'gvc/g alias(site); workload/g/site',
    '… patch gvc/g then-after workload/g/web ready; delete workload/g/site after gvc/g then, workload/g/web ready'],
  ['a GVC without other changes moves in its only step',
    'gvc/g alias(web) pulls(pull); workload/g/web previously(site); secret/pull docker',
    'gvc/g alias(site) pulls(pull); workload/g/site; secret/pull docker',
    '… patch gvc/g after workload/g/web ready then-after nothing; delete workload/g/site after gvc/g, ' +
      'workload/g/web ready'],
  ['a reference to a record outside of the GVC moves in the first step',
    'gvc/g alias(web) pulls(pull); workload/g/web previously(site); secret/pull docker previously(old)',
    'gvc/g alias(site) pulls(old); workload/g/site; secret/old docker',
    '… patch gvc/g after secret/pull then-after workload/g/web ready; delete secret/old after gvc/g, secret/pull; ' +
      'delete workload/g/site after gvc/g then, workload/g/web ready'],
  ['dependsOn may name a record that moves to it: the backend whose firewall lists the frontend',
    'gvc/g; workload/g/web previously(site) dependsOn(workload/g/api); workload/g/api calls(web)',
    `${site}; workload/g/api calls(site)`,
    'create workload/g/web; patch workload/g/api after workload/g/web ready; delete workload/g/site'],
  ['interrupted: the second step of a GVC waits for the existing new one',
    'gvc/g alias(web) text(new); workload/g/web previously(site)', 'gvc/g alias(site); workload/g/site; workload/g/web',
    '… keep workload/g/web; patch gvc/g then-after workload/g/web ready'],
  ['interrupted: the second step of a GVC waits for the existing new one and for other new records',
    'gvc/g alias(web) keda(app) text(new); workload/g/web previously(site); identity/g/app',
    'gvc/g alias(site); workload/g/site; workload/g/web',
    '… keep workload/g/web; patch gvc/g then-after identity/g/app, workload/g/web ready'],
  ['interrupted after the creation: the old one still waits until the new one is ready',
    `${web}; domain/a.com routes(web)`, `${site}; workload/g/web; domain/a.com routes(site)`,
    'patch domain/a.com after workload/g/web ready; delete workload/g/site after domain/a.com, workload/g/web ready'],
  ['applies to a partial input too: the old one is deleted without --prune', 'workload/g/web previously(site)', site,
    'create workload/g/web; delete workload/g/site', { scope: 'partial' }],
  ['releases a retained old one', web, `${site} retained`, 'create workload/g/web; forget workload/g/site'],
  ['does not delete a protected old one', web, `${site} protected`,
    'create workload/g/web; refuse delete workload/g/site refused delete.protected'],
  ['is refused if others refer to the old one', web, `${site}; domain/a.com routes(site) foreign`,
    '… refuse delete workload/g/site refused delete.referenced'],
  ['a partial renaming is refused: a soft reference of the record to itself',
    'gvc/g; workload/g/web calls(site) previously(site)', site,
    '… refuse delete workload/g/site refused rename.referenced'],
  ['routes that others added, which are not in the manifest, do not refuse it',
    `${web}; domain/a.com routes(site) ignore(spec.ports)`, `${site}; domain/a.com routes(elsewhere)`,
    '… delete workload/g/site'],
  ['an ignored reference is not moved, and keeps the old one like one of others',
    `${web}; domain/a.com routes(web) ignore(spec)`, `${site}; domain/a.com routes(site)`,
    '… refuse delete workload/g/site refused delete.referenced'],
  ['an ignored undeclared reference keeps the old one too', `${web}; domain/a.com ignore(spec)`,
    `${site}; domain/a.com routes(site)`, '… refuse delete workload/g/site refused delete.referenced'],
  ['an ignored reference may dangle with the permit', `${web}; domain/a.com routes(web) ignore(spec)`,
    `${site}; domain/a.com routes(site)`, '… delete workload/g/site', { allowDangling: 1 }],
  ['an ignored undeclared reference may dangle with the permit too', `${web}; domain/a.com ignore(spec)`,
    `${site}; domain/a.com routes(site)`, '… delete workload/g/site', { allowDangling: 1 }],
  ['a written reference to the old name is refused once, at the referrer',
    'serviceaccount/new previously(old) replace; group/team text(new) members(serviceaccount/old)',
    'serviceaccount/old; group/team text(old) members(serviceaccount/old)',
    '… refuse patch group/team refused reference.missing'],
  ['lifecycle.wait: false does not wait for it', `${web} noWait`, site,
    '… delete workload/g/site after workload/g/web'],
  ['a partial plan deletes the old one together with the new one and the moved references',
    `${web}; domain/a.com routes(web)`,
    `${site}; domain/a.com routes(site)`, 'create workload/g/web; patch domain/a.com; delete workload/g/site',
    { targets: ['workload/g/site'] }],
  ['a partial plan creates the new one alone', `${web}; domain/a.com routes(web)`, `${site}; domain/a.com routes(site)`,
    'create workload/g/web', { targets: ['workload/g/web'] }],
  ['a partial plan moves references to the new one without the old one', `${web}; domain/a.com routes(web)`,
    `${site}; domain/a.com routes(site)`, 'create workload/g/web; patch domain/a.com', { targets: ['domain/a.com'] }],
];

describe('renaming a workload', () => {
  testPlans(workloads);

  test('both changes name the renaming, and without the new one it is refused', () => {
    const [desired, there] = [`${web}; domain/a.com routes(web)`, `${site}; domain/a.com routes(site)`];
    const whole = made(desired, there);
    const reason = 'it is the new name of workload/g/site';
    expect(changeOf(whole, 'workload/g/web')).toMatchObject({ renamedFrom: 'workload/g/site', reason, wait: true });
    expect(changeOf(whole, 'workload/g/site').reason).toBe('it is renamed to workload/g/web');
    expect(codes(made(desired, there, { excludes: ['workload/g/web'] })).length).toBeGreaterThan(0);
  });

  test('interrupted and changed since: the first step of the GVC omits the reference', () => {
    const desired = 'gvc/g alias(web) text(new); workload/g/web image(b) previously(site)';
    const there = 'gvc/g alias(site); workload/g/site; workload/g/web';
    const expected = 'patch gvc/g then-after workload/g/web ready; patch workload/g/web; delete workload/g/site';
    expectPlan(desired, there, expected);
    expect(changeOf(made(desired, there), 'gvc/g').patch?.expose()).not.toHaveProperty('spec');
  });

  test('a cycle through it names the line of the moved field', () => {
    const [gvc, , api] = declared('gvc/g; workload/g/x; workload/g/api calls(web) type(standard)');
    const lifecycle = { previously: 'site', dependsOn: ['workload/g/api'] };
    const desired = [
      ...(gvc === undefined ? [] : [gvc]),
      declare('workload/g/web', workload('a:1'), lifecycle, 3),
      declare('workload/g/api', api?.record ?? {}, { replace: true }, 7),
    ];
    expect(() => plan(desired, held(`${site}; workload/g/api calls(site)`))).toThrow(
      /stack\.yaml:7:1 {2}workload\/g\/api waits for workload\/g\/web: .* moves to it/,
    );
  });

  test.each([
    ['does not exist, as it was renamed', ''],
    ['belongs to another stack', '; workload/g/site by(bank)'],
    ['has no owner', '; workload/g/site foreign'],
  ])('is ignored if the old one %s', (_, other) => {
    expectPlan(web, `gvc/g; workload/g/web${other}`, 'nothing');
    // The note appears once, on creation.
    expect(changeOf(made(web, `gvc/g; workload/g/web${other}`), 'workload/g/web').notes).toEqual([]);
    expectPlan(web, `gvc/g${other}`, 'create workload/g/web');
    const { notes, renamedFrom } = changeOf(made(web, `gvc/g${other}`), 'workload/g/web');
    const note = 'workload/g/site does not belong to this stack, so it is not renamed and stays';
    expect([notes, renamedFrom]).toEqual([other === '' ? [] : [note], undefined]);
  });

  test('a partial renaming is refused at each place with the old name; references of others are noted', () => {
    const domain = declare('domain/a.com', declared('domain/a.com routes(site)')[0]?.record ?? {}, {}, 7);
    const there = held(`${site}; domain/a.com routes(site); domain/b.com routes(site) foreign`);
    const half = plan([...declared(web), domain], there, { allowDangling: 2 });
    const place = `stack.yaml:7:1: ${link} of domain/a.com`;
    const message = `${place} still refers to the old name: write workload/g/web instead`;
    expect(changeOf(half, 'workload/g/site')).toMatchObject({
      action: 'refuse',
      refusals: [{ code: 'rename.referenced', message }],
      notes: [`domain/b.com, which is not declared here, refers to it at ${link}`, unread],
    });
    expect(codes(half)).toEqual(['rename.referenced']);
  });

  test('a partial renaming is refused for the routes to the old name, not for other routes', () => {
    const two = 'workload/g/api; domain/a.com routes(api,site)';
    expect(changeOf(made(`${web}; ${two}`, `${site}; ${two}`), 'workload/g/site').refusals).toMatchObject([
      { code: 'rename.referenced', message: expect.stringContaining('routes."/site".workloadLink') },
    ]);
  });

  test('references of others are noted with the permit', () => {
    const permitted = made(web, `${site}; domain/a.com routes(site) foreign`, { allowDangling: 1 });
    const note = `domain/a.com, which is not declared here, refers to it at ${link}`;
    expect(codes(permitted)).toEqual([]);
    expect(changeOf(permitted, 'workload/g/site').notes).toEqual([note, unread]);
  });

  test('a reference to a child of a renamed GVC refuses it too', () => {
    const there = 'gvc/g; workload/g/api calls(web); policy/p targets(workload/g/api)';
    const half = 'gvc/h previously(g) replace; workload/h/api calls(workload/g/web); policy/p targets(workload/g/api)';
    expect(codes(made(half, there))).toContain('rename.referenced');
  });

  test('a retained old one notes its referrers once, without deleted or moved ones', () => {
    const retained = made(
      `${web}; domain/a.com routes(site); ipset/front link(workload/g/web)`,
      `${site} retained; domain/a.com routes(site); domain/gone.com routes(site); domain/b.com routes(site) foreign`,
    );
    expect(codes(retained)).toEqual([]);
    expect(changeOf(retained, 'workload/g/site').notes).toEqual([
      `domain/a.com still refers to the old name at ${link}, not to workload/g/web`,
      `domain/b.com, which is not declared here, refers to it at ${link}`,
    ]);
  });

  test('planned again, the old one of a partial input is still released', () => {
    const kept = live('workload/g/site', workload('web:1'), { applied: { retain: true } });
    const partial = { ...options, scope: 'partial' as const };
    const again = makeReplan(declared('workload/g/web previously(site)'), snapshot([live('gvc/g'), kept]), partial);
    expect(again('workload/g/site', { ...kept, version: 2 })?.action).toBe('forget');
  });
});

const db = 'gvc/g; volumeset/g/rows; workload/g/db mounts(rows) previously(old)';
const old = 'gvc/g; volumeset/g/rows volumes(1); workload/g/old mounts(rows)';

// biome-ignore format: a row is a case
const mounted: readonly PlanRow[] = [
  ['the renaming is refused: the old one would have to be deleted first', db, old,
    '… refuse create workload/g/db refused rename.mounted'],
  ['with the permit the old one is deleted before the new one is created, and no data is lost', `${db} replace`, old,
    'delete workload/g/old; create workload/g/db after workload/g/old'],
  ['a partial plan includes the old one', `${db} replace`, old, 'delete workload/g/old; create workload/g/db',
    { targets: ['workload/g/db'] }],
  ['an old one without the mount is not deleted first', db, 'gvc/g; volumeset/g/rows volumes(1); workload/g/old',
    'create workload/g/db; delete workload/g/old'],
  ['the stack that declares the set does not matter', 'gvc/g; workload/g/db mounts(rows) previously(old)',
    'gvc/g; volumeset/g/rows volumes(1) by(bank); workload/g/old mounts(rows)',
    '… refuse create workload/g/db refused rename.mounted'],
  ['moved references wait for the new one, and the old one does not wait for them',
    `${db} replace; domain/a.com routes(db)`, `${old}; domain/a.com routes(old)`,
    'delete workload/g/old; create workload/g/db; patch domain/a.com after workload/g/db ready'],
  ['a workload of others with the old name and the mount blocks it', `${db} replace`, `${old} foreign`,
    '… refuse create workload/g/db refused rename.mounted'],
  ['a shared set can be mounted by both', 'gvc/g; volumeset/g/rows shared; workload/g/db mounts(rows) previously(old)',
    'gvc/g; volumeset/g/rows volumes(1) shared; workload/g/old mounts(rows)',
    'create workload/g/db; delete workload/g/old'],
];

describe('a volume set that only one workload may mount (platform/volumeset.volumes)', () => {
  testPlans(mounted);

  test('a note says that no workload serves in between', () => {
    expect(changeOf(made(`${db} replace`, old), 'workload/g/db').notes).toEqual([
      'both mount volumeset/g/rows: the old one is deleted first, and nothing serves until this one is ready',
    ]);
  });
});

// biome-ignore format: a row is a case
const others: readonly PlanRow[] = [
  ['an audit context is never deleted: the old one is released', 'auditctx/new previously(old)', 'auditctx/old',
    'create auditctx/new; forget auditctx/old'],
  ['nothing is lost if the new one exists: the old one is deleted as an undeclared record',
    'ipset/new previously(old)', 'ipset/old; ipset/new', 'delete ipset/old'],
  ['references to the old name refuse its deletion, as in any deletion',
    'gvc/g; identity/g/new previously(old)', 'gvc/g; identity/g/old; workload/g/x identity(old) foreign',
    '… refuse delete identity/g/old refused delete.referenced'],
  ['a volume set keeps its data under the old name: it needs lifecycle.replace and the number',
    'gvc/g; volumeset/g/new previously(old)', 'gvc/g; volumeset/g/old volumes(1)',
    '… refuse create volumeset/g/new refused rename.volumeset; refuse delete volumeset/g/old refused delete.data'],
  ['lifecycle.replace alone does not delete the data of a volume set', 'gvc/g; volumeset/g/new previously(old) replace',
    'gvc/g; volumeset/g/old volumes(1)', '… refuse delete volumeset/g/old refused delete.data'],
  ['a volume set is renamed without its data if both are given', 'gvc/g; volumeset/g/new previously(old) replace',
    'gvc/g; volumeset/g/old volumes(1)', 'create volumeset/g/new; delete volumeset/g/old', { allowDataLoss: 1 }],
];

describe('renaming other kinds', () => {
  testPlans(others);

  test.each<[string, JsonObject]>([
    ['identity/g/', {}],
    ['secret/', { type: 'opaque', data: { payload: 'x' } }],
    ['policy/', { targetKind: 'secret', bindings: [] }],
    ['group/', {}],
    ['cloudaccount/', { provider: 'aws', data: { roleArn: 'arn' } }],
  ])('%s is created, then the old one is deleted', (id, fields) => {
    const desired = [declare('gvc/g'), declare(`${id}new`, fields, { previously: 'old' })];
    const renamed = plan(desired, [live('gvc/g'), live(`${id}old`, fields)]);
    expect(renamed.changes.flatMap((each) => (each.action === 'keep' ? [] : [`${each.action} ${each.id}`]))).toEqual([
      `create ${id}new`,
      `delete ${id}old`,
    ]);
    expect(changeOf(renamed, `${id}old`).requires).toMatchObject([{ on: `${id}new` }]);
    const reason = `it is the new name of ${id}old`;
    expect(changeOf(renamed, `${id}new`)).toMatchObject({ wait: false, reason });
    expect(changeOf(renamed, `${id}old`).notes).toEqual([]);
  });

  test.each([
    ['ipset', 'its addresses'],
    ['serviceaccount', 'its keys'],
    ['agent', 'everything registered'],
    ['location', 'everything connected'],
  ])('renaming a %s loses something, so it needs a permit', (kind, lost) => {
    const refused = made(`${kind}/new previously(old)`, `${kind}/old`);
    const allow = expect.stringContaining('lifecycle.replace');
    expect(refused.changes.flatMap(({ refusals }) => refusals)).toMatchObject([
      { code: `rename.${kind}`, message: expect.stringContaining(lost), allow },
    ]);
    const expected = `create ${kind}/new; delete ${kind}/old`;
    expectPlan(`${kind}/new previously(old) replace`, `${kind}/old`, expected);
  });

  test('an existing new one has no note', () => {
    expect(changeOf(made('ipset/new previously(old)', 'ipset/old; ipset/new'), 'ipset/new').notes).toEqual([]);
  });

  test('a domain is its name: it has no permit', () => {
    const renamed = made('domain/b.example.com previously(a.example.com) replace', 'domain/a.example.com');
    const [refusal] = changeOf(renamed, 'domain/b.example.com').refusals;
    expect(refusal).toMatchObject({ code: 'rename.domain', message: expect.stringContaining('another domain') });
    expect(refusal?.allow).toBeUndefined();
  });

  test('a volume set loses its data, and names the permits', () => {
    const renamed = made('gvc/g; volumeset/g/new previously(old)', 'gvc/g; volumeset/g/old volumes(1)');
    expect(changeOf(renamed, 'volumeset/g/new').refusals).toMatchObject([
      { message: expect.stringContaining('its data'), allow: expect.any(String) },
    ]);
  });
});

const h = 'gvc/h previously(g) replace; workload/h/web; domain/a.com routes(workload/h/web)';

/** Two volume sets in this GVC, each with a workload; `callers`: the workloads in each one's firewall list. */
const data = (gvc: string, live: string, callers: Readonly<Record<string, readonly string[]>> = {}) =>
  ['logs', 'rows']
    .map((name) => {
      const calls = (callers[name] ?? []).map((caller) => `workload/${gvc}/${caller}-db`).join(',');
      return `volumeset/${gvc}/${name}${live}; workload/${gvc}/${name}-db mounts(${name}) calls(${calls})`;
    })
    .join('; ');

/** Everything that must exist or have moved before anything of the old GVC is deleted. */
const first =
  'domain/a.com, gvc/h, volumeset/h/logs, volumeset/h/rows, workload/h/logs-db ready, workload/h/rows-db ready, ' +
  'workload/h/web ready';

// biome-ignore format: a row is a case
const gvcs: readonly PlanRow[] = [
  ['is refused', h.replace(' replace', ''), 'gvc/g; workload/g/web; domain/a.com routes(web)',
    '… refuse create gvc/h refused rename.gvc'],
  ['with the permit, everything new is ready and routes have moved before the old one is deleted', h,
    'gvc/g; workload/g/web; domain/a.com routes(web)',
    'create gvc/h; create workload/h/web; patch domain/a.com after workload/h/web ready; ' +
      'delete gvc/g after domain/a.com, gvc/h, workload/h/web ready; delete workload/g/web'],
  ['the second step of the new one comes before the deletion of the old one',
    h.replace('gvc/h', 'gvc/h alias(workload/h/web)'),
    'gvc/g; workload/g/web; domain/a.com routes(web)',
    '… delete gvc/g after domain/a.com, gvc/h then, workload/h/web ready'],
  ['a group with the former name of a GVC has no effect on it', 'gvc/g; group/h previously(g)',
    'gvc/g; group/g; identity/g/unused', '… delete identity/g/unused after nothing'],
  ['data and records of others in it need their numbers', 'gvc/h previously(g) replace',
    'gvc/g; volumeset/g/rows volumes(2); identity/g/theirs foreign unlisted',
    '… refuse delete gvc/g refused delete.bystander; refuse delete volumeset/g/rows refused delete.data'],
  ['with their numbers data and records of others are deleted', 'gvc/h previously(g) replace',
    'gvc/g; volumeset/g/rows volumes(2); identity/g/theirs foreign unlisted', '… delete gvc/g; delete volumeset/g/rows',
    { allowCollateral: 1, allowDataLoss: 1 }],
  ['the first deleted mount of its data waits for everything new and nothing else, beside another renaming',
    `${h}; ${data('h', '')}; group/b previously(a)`,
    `gvc/g; workload/g/web; ${data('g', ' volumes(1)')}; domain/a.com routes(web); group/a`,
    `… delete workload/g/logs-db after ${first}`, { allowDataLoss: 2 }],
  ['the mount of its data waits for everything new even if only that is selected',
    `${h}; ${data('h', '')}`, `gvc/g; workload/g/web; ${data('g', ' volumes(1)')}; domain/a.com routes(web)`,
    `… delete workload/g/logs-db after ${first}`, { allowDataLoss: 2, targets: ['workload/g/logs-db'] }],
  ['interrupted, each existing new record is waited for once', `${h}; ${data('h', '')}`,
    `gvc/g; workload/g/web; ${data('g', ' volumes(1)')}; domain/a.com routes(web); gvc/h; workload/h/web; ${data('h', ' volumes(1)')}`,
    '… patch domain/a.com; delete workload/g/logs-db after domain/a.com, workload/h/logs-db ready, workload/h/rows-db ready, ' +
      'workload/h/web ready', { allowDataLoss: 2 }],
  ['a record renamed within the old one is not waited for: it waits for the mounts of the data',
    'gvc/h previously(g) replace; workload/g/web mounts(rows) previously(site) replace',
    'gvc/g; volumeset/g/logs volumes(1); volumeset/g/rows volumes(1); workload/g/logs-db mounts(logs); ' +
      'workload/g/site mounts(rows)',
    'create gvc/h; delete workload/g/logs-db; delete workload/g/site; create workload/g/web',
    { allowDataLoss: 2, targets: ['workload/g/web'] }],
];

describe('renaming a GVC (scenario 25)', () => {
  testPlans(gvcs);

  test('is refused with the reason', () => {
    const refused = made(h.replace(' replace', ''), 'gvc/g; workload/g/web; domain/a.com routes(web)');
    expect(changeOf(refused, 'gvc/h').refusals).toMatchObject([
      { message: expect.stringContaining('everything in it'), allow: expect.stringContaining('lifecycle.replace') },
    ]);
    const renamed = changeOf(made(h, 'gvc/g; workload/g/web; domain/a.com routes(web)'), 'workload/h/web');
    expect(renamed).toMatchObject({ renamedFrom: 'workload/g/web', wait: true });
  });

  test.each<[string, Readonly<Record<string, readonly string[]>>, string]>([
    ['the first by name', {}, 'workload/g/logs-db'],
    ["one that is not the target of another one's firewall", { rows: ['logs'] }, 'workload/g/rows-db'],
    ['a workload, if they refer to each other', { rows: ['logs'], logs: ['rows'] }, 'workload/g/logs-db'],
  ])('of the mounts of its data, %s waits for everything new, and the others wait for that one', (_, callers, goes) => {
    const there = `gvc/g; workload/g/web; ${data('g', ' volumes(1)', callers)}; domain/a.com routes(web)`;
    const renamed = made(`${h}; ${data('h', '', callers)}`, there, { allowDataLoss: 2 });
    expect(codes(renamed)).toEqual([]);
    const on = (id: string) =>
      changeOf(renamed, id).requires.map((edge) => `${edge.on}${edge.ready === true ? ' ready' : ''}`);
    expect(on(goes)).toEqual(expect.arrayContaining(first.split(', ')));
    for (const other of ['volumeset/g/logs', 'volumeset/g/rows', 'workload/g/logs-db', 'workload/g/rows-db'])
      if (other !== goes) expect(on(other)).toContain(goes);
    expect(on('workload/g/web'), 'it goes with its GVC').toEqual([]);
  });

  test('a resource declared in the old one refuses it', () => {
    const there = 'gvc/g; volumeset/g/rows volumes(1); workload/g/site mounts(rows)';
    const desired = 'gvc/h previously(g) replace; workload/g/web mounts(rows) previously(site) replace';
    expect(codes(made(desired, there, { allowDataLoss: 2 }))).toContain('delete.referenced');
  });
});

describe('values that a new name carries over, as a replacement does', () => {
  const created = (desired: string, there: string, given: Partial<PlanOptions> = {}) =>
    changeOf(made(desired, there, given), 'workload/g/web').create?.expose() ?? {};

  test('the live value of a field that is set only once', () => {
    const desired = `${web} ignore(spec.containers.main.image)`;
    expect(created(desired, 'gvc/g; workload/g/site image(web:7)')).toMatchObject({
      name: 'web',
      spec: { containers: [{ name: 'main', image: 'web:7', cpu: '50m', memory: '128Mi' }] },
    });
  });

  test('operational switches, with a note, unless --revert-operational', () => {
    expect(created(web, `${site} suspended`)).toMatchObject({ spec: { defaultOptions: { suspend: true } } });
    expect(changeOf(made(web, `${site} suspended`), 'workload/g/web').notes).toEqual([
      'spec.defaultOptions.suspend stays true: not declared, so operators decide (--revert-operational resets it)',
    ]);
    const reverted = created(web, `${site} suspended`, { revertOperational: true });
    expect(reverted).not.toHaveProperty('spec.defaultOptions');
  });

  test('a switch at its default is neither carried over nor noted', () => {
    const running = live('workload/g/site', workload('a:1', [], { defaultOptions: { suspend: false } }));
    const change = changeOf(plan(declared(web), [live('gvc/g'), running]), 'workload/g/web');
    expect(change.create?.expose()['spec']).not.toHaveProperty('defaultOptions');
    expect(change.notes).toEqual([]);
  });

  test("tags of others, without Gantry's own and those of parts", () => {
    const tags = { theirs: 'a', ours: 'b', 'gantry/applied.bank': 'of another resource' };
    const tagged = live('workload/g/site', { ...workload('a:1'), tags }, { applied: { tagKeys: ['ours'] } });
    const change = changeOf(plan(declared(web), [live('gvc/g'), tagged]), 'workload/g/web');
    const written = objectAt(change.create?.expose() ?? {}, 'tags');
    expect(Object.keys(written).sort()).toEqual(['gantry/applied', 'gantry/stack', 'theirs']);
  });

  test('a secret with an ignored value is refused: the value would be lost with the old name', () => {
    const key = { type: 'opaque', data: { payload: 'long out of date' } };
    const renamed = (lifecycle: Lifecycle) =>
      plan([declare('secret/key', key, lifecycle)], [live('secret/old-key', { type: 'opaque' })]);
    expect(codes(renamed({ previously: 'old-key', ignore: ['data'] }))).toEqual(['rename.unread']);
    expect(codes(renamed({ previously: 'old-key' }))).toEqual([]);
  });
});

describe('renaming a record of a custom kind', () => {
  withKinds({
    vault: { scope: 'org', immutable: [], listKeys: {}, disposable: false },
    label: { scope: 'org', immutable: [], listKeys: {}, disposable: true },
  });

  test('needs a permit, as its stored data is unknown, unless the kind is disposable', () => {
    const of = (kind: string) => made(`${kind}/new previously(old)`, `${kind}/old`);
    expect(changeOf(of('vault'), 'vault/new').refusals).toMatchObject([
      { message: expect.stringContaining('not known'), allow: expect.stringContaining('lifecycle.replace') },
    ]);
    expect(codes(of('label'))).toEqual([]);
  });
});
