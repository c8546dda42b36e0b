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
  ['a firewall list moves when the new one is ready, and before the old one goes', `${web}; workload/g/api calls(web)`,
    `${site}; workload/g/api calls(site)`,
    '… patch workload/g/api after workload/g/web ready; delete workload/g/site after workload/g/api, ' +
      'workload/g/web ready'],
  ['a policy moves when the new one is ready, and before the old one goes', `${web}; policy/p targets(workload/g/web)`,
    `${site}; policy/p targets(workload/g/site)`,
    '… patch policy/p after workload/g/web ready; delete workload/g/site after policy/p, workload/g/web ready'],
  ['an IP set moves when the new one is ready, and before the old one goes', `${web}; ipset/front link(workload/g/web)`,
    `${site}; ipset/front link(workload/g/site)`,
    '… patch ipset/front after workload/g/web ready; delete workload/g/site after ipset/front, workload/g/web ready'],
  ['a GVC that refers to it moves in its second step', 'gvc/g alias(web) text(new); workload/g/web previously(site)',
    'gvc/g alias(site); workload/g/site',
    '… patch gvc/g then-after workload/g/web ready; delete workload/g/site after gvc/g then, workload/g/web ready'],
  ['a GVC with nothing else to change moves in its only step',
    'gvc/g alias(web) pulls(pull); workload/g/web previously(site); secret/pull docker',
    'gvc/g alias(site) pulls(pull); workload/g/site; secret/pull docker',
    '… patch gvc/g after workload/g/web ready then-after nothing; delete workload/g/site after gvc/g, ' +
      'workload/g/web ready'],
  ['what is no child of a GVC moves in its first step',
    'gvc/g alias(web) pulls(pull); workload/g/web previously(site); secret/pull docker previously(old)',
    'gvc/g alias(site) pulls(old); workload/g/site; secret/old docker',
    '… patch gvc/g after secret/pull then-after workload/g/web ready; delete secret/old after gvc/g, secret/pull; ' +
      'delete workload/g/site after gvc/g then, workload/g/web ready'],
  ['what it depends on may be what moves to it: the backend whose firewall names the frontend',
    'gvc/g; workload/g/web previously(site) dependsOn(workload/g/api); workload/g/api calls(web)',
    `${site}; workload/g/api calls(site)`,
    'create workload/g/web; patch workload/g/api after workload/g/web ready; delete workload/g/site'],
  ['interrupted: a GVC waits in its second step for what is there',
    'gvc/g alias(web) text(new); workload/g/web previously(site)', 'gvc/g alias(site); workload/g/site; workload/g/web',
    '… keep workload/g/web; patch gvc/g then-after workload/g/web ready'],
  ['interrupted: a GVC waits in its second step for what is there, and for what else is new',
    'gvc/g alias(web) keda(app) text(new); workload/g/web previously(site); identity/g/app',
    'gvc/g alias(site); workload/g/site; workload/g/web',
    '… keep workload/g/web; patch gvc/g then-after identity/g/app, workload/g/web ready'],
  ['interrupted when the new one is there: the old one still waits until it is ready',
    `${web}; domain/a.com routes(web)`, `${site}; workload/g/web; domain/a.com routes(site)`,
    'patch domain/a.com after workload/g/web ready; delete workload/g/site after domain/a.com, workload/g/web ready'],
  ['is meant by a partial input too: it deletes the old one without --prune', 'workload/g/web previously(site)', site,
    'create workload/g/web; delete workload/g/site', { scope: 'partial' }],
  ['forgets what is to be retained', web, `${site} retained`, 'create workload/g/web; forget workload/g/site'],
  ['deletes nothing that is protected', web, `${site} protected`,
    'create workload/g/web; refuse delete workload/g/site refused delete.protected'],
  ['what others hold is refused', web, `${site}; domain/a.com routes(site) foreign`,
    '… refuse delete workload/g/site refused delete.referenced'],
  ['half done it is refused: a soft reference of the record itself',
    'gvc/g; workload/g/web calls(site) previously(site)', site,
    '… refuse delete workload/g/site refused rename.referenced'],
  ['routes that others added, which are not in the manifest, do not refuse it',
    `${web}; domain/a.com routes(site) ignore(spec.ports)`, `${site}; domain/a.com routes(elsewhere)`,
    '… delete workload/g/site'],
  ['no renaming of ours mends what is ignored: it is held like by others',
    `${web}; domain/a.com routes(web) ignore(spec)`, `${site}; domain/a.com routes(site)`,
    '… refuse delete workload/g/site refused delete.referenced'],
  ['what is ignored and not declared holds it, too', `${web}; domain/a.com ignore(spec)`,
    `${site}; domain/a.com routes(site)`, '… refuse delete workload/g/site refused delete.referenced'],
  ['what is ignored may be left dangling where that is permitted', `${web}; domain/a.com routes(web) ignore(spec)`,
    `${site}; domain/a.com routes(site)`, '… delete workload/g/site', { allowDangling: 1 }],
  ['what is ignored and not declared may be left dangling, too', `${web}; domain/a.com ignore(spec)`,
    `${site}; domain/a.com routes(site)`, '… delete workload/g/site', { allowDangling: 1 }],
  ['what is written with a link to the old name is refused once: for what it refers to',
    'serviceaccount/new previously(old) replace; group/team text(new) members(serviceaccount/old)',
    'serviceaccount/old; group/team text(old) members(serviceaccount/old)',
    '… refuse patch group/team refused reference.missing'],
  ['lifecycle.wait: false does not wait for it', `${web} noWait`, site,
    '… delete workload/g/site after workload/g/web'],
  ['a partial plan deletes the old one together with the new one and what moves', `${web}; domain/a.com routes(web)`,
    `${site}; domain/a.com routes(site)`, 'create workload/g/web; patch domain/a.com; delete workload/g/site',
    { targets: ['workload/g/site'] }],
  ['a partial plan creates the new one alone', `${web}; domain/a.com routes(web)`, `${site}; domain/a.com routes(site)`,
    'create workload/g/web', { targets: ['workload/g/web'] }],
  ['a partial plan moves to the new one without the old one', `${web}; domain/a.com routes(web)`,
    `${site}; domain/a.com routes(site)`, 'create workload/g/web; patch domain/a.com', { targets: ['domain/a.com'] }],
];

describe('renaming a workload', () => {
  testPlans(workloads);

  test('is said of both, and nothing of it is made without the new one', () => {
    const [desired, there] = [`${web}; domain/a.com routes(web)`, `${site}; domain/a.com routes(site)`];
    const whole = made(desired, there);
    const reason = 'it is the new name of workload/g/site';
    expect(changeOf(whole, 'workload/g/web')).toMatchObject({ renamedFrom: 'workload/g/site', reason, wait: true });
    expect(changeOf(whole, 'workload/g/site').reason).toBe('it is renamed to workload/g/web');
    expect(codes(made(desired, there, { excludes: ['workload/g/web'] })).length).toBeGreaterThan(0);
  });

  test('interrupted, and changed since: the first step of the GVC leaves out the reference', () => {
    const desired = 'gvc/g alias(web) text(new); workload/g/web image(b) previously(site)';
    const there = 'gvc/g alias(site); workload/g/site; workload/g/web';
    const expected = 'patch gvc/g then-after workload/g/web ready; patch workload/g/web; delete workload/g/site';
    expectPlan(desired, there, expected);
    expect(changeOf(made(desired, there), 'gvc/g').patch?.expose()).not.toHaveProperty('spec');
  });

  test('a cycle through it names the line of the field that moves', () => {
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
    ['is not there: it was renamed', ''],
    ['belongs to another stack', '; workload/g/site by(bank)'],
    ['belongs to nobody', '; workload/g/site foreign'],
  ])('means nothing where the old one %s', (_, other) => {
    expectPlan(web, `gvc/g; workload/g/web${other}`, 'nothing');
    // Said once, when it is created.
    expect(changeOf(made(web, `gvc/g; workload/g/web${other}`), 'workload/g/web').notes).toEqual([]);
    expectPlan(web, `gvc/g${other}`, 'create workload/g/web');
    const { notes, renamedFrom } = changeOf(made(web, `gvc/g${other}`), 'workload/g/web');
    const note = 'workload/g/site does not belong to this stack, so it is not renamed and stays';
    expect([notes, renamedFrom]).toEqual([other === '' ? [] : [note], undefined]);
  });

  test('half done it is refused, with each place that still says the old name; what others hold is noted', () => {
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

  test('half done it is refused for the routes that say the old name, not for those that lead elsewhere', () => {
    const two = 'workload/g/api; domain/a.com routes(api,site)';
    expect(changeOf(made(`${web}; ${two}`, `${site}; ${two}`), 'workload/g/site').refusals).toMatchObject([
      { code: 'rename.referenced', message: expect.stringContaining('routes."/site".workloadLink') },
    ]);
  });

  test('what others hold is noted where that is permitted', () => {
    const permitted = made(web, `${site}; domain/a.com routes(site) foreign`, { allowDangling: 1 });
    const note = `domain/a.com, which is not declared here, refers to it at ${link}`;
    expect(codes(permitted)).toEqual([]);
    expect(changeOf(permitted, 'workload/g/site').notes).toEqual([note, unread]);
  });

  test('what refers to a child of a GVC that is renamed refuses it, too', () => {
    const there = 'gvc/g; workload/g/api calls(web); policy/p targets(workload/g/api)';
    const half = 'gvc/h previously(g) replace; workload/h/api calls(workload/g/web); policy/p targets(workload/g/api)';
    expect(codes(made(half, there))).toContain('rename.referenced');
  });

  test('of what is retained it says who refers to it: not what goes or moves, and nothing twice', () => {
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

  test('planned again, the old one of a partial input is still let go of', () => {
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
  ['the renaming is refused: the old one would have to go first', db, old,
    '… refuse create workload/g/db refused rename.mounted'],
  ['allowed, the old one goes before the new one comes, and no data does', `${db} replace`, old,
    'delete workload/g/old; create workload/g/db after workload/g/old'],
  ['a partial plan takes the old one along', `${db} replace`, old, 'delete workload/g/old; create workload/g/db',
    { targets: ['workload/g/db'] }],
  ['what the old one does not mount is not in the way', db, 'gvc/g; volumeset/g/rows volumes(1); workload/g/old',
    'create workload/g/db; delete workload/g/old'],
  ['it is one whoever declares it', 'gvc/g; workload/g/db mounts(rows) previously(old)',
    'gvc/g; volumeset/g/rows volumes(1) by(bank); workload/g/old mounts(rows)',
    '… refuse create workload/g/db refused rename.mounted'],
  ['what moves to the new one waits for it alone: the old one does not wait for what moves',
    `${db} replace; domain/a.com routes(db)`, `${old}; domain/a.com routes(old)`,
    'delete workload/g/old; create workload/g/db; patch domain/a.com after workload/g/db ready'],
  ['a stranger of the old name that mounts it is in the way', `${db} replace`, `${old} foreign`,
    '… refuse create workload/g/db refused rename.mounted'],
  ['a shared one has room for both', 'gvc/g; volumeset/g/rows shared; workload/g/db mounts(rows) previously(old)',
    'gvc/g; volumeset/g/rows volumes(1) shared; workload/g/old mounts(rows)',
    'create workload/g/db; delete workload/g/old'],
];

describe('a volume set that only one may mount (platform/volumeset.volumes)', () => {
  testPlans(mounted);

  test('that nothing serves in between is noted', () => {
    expect(changeOf(made(`${db} replace`, old), 'workload/g/db').notes).toEqual([
      'both mount volumeset/g/rows: the old one is deleted first, and nothing serves until this one is ready',
    ]);
  });
});

// biome-ignore format: a row is a case
const others: readonly PlanRow[] = [
  ['an audit context is never deleted: the old one is forgotten', 'auditctx/new previously(old)', 'auditctx/old',
    'create auditctx/new; forget auditctx/old'],
  ['nothing is lost by one that is there already: the old one goes as anything that is not declared',
    'ipset/new previously(old)', 'ipset/old; ipset/new', 'delete ipset/old'],
  ['what still refers to the old name refuses its deletion, as in any deletion',
    'gvc/g; identity/g/new previously(old)', 'gvc/g; identity/g/old; workload/g/x identity(old) foreign',
    '… refuse delete identity/g/old refused delete.referenced'],
  ['a volume set keeps its data under the old name: it needs lifecycle.replace and the number',
    'gvc/g; volumeset/g/new previously(old)', 'gvc/g; volumeset/g/old volumes(1)',
    '… refuse create volumeset/g/new refused rename.volumeset; refuse delete volumeset/g/old refused delete.data'],
  ['lifecycle.replace alone does not delete the data of a volume set', 'gvc/g; volumeset/g/new previously(old) replace',
    'gvc/g; volumeset/g/old volumes(1)', '… refuse delete volumeset/g/old refused delete.data'],
  ['a volume set is renamed without its data where both are said', 'gvc/g; volumeset/g/new previously(old) replace',
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
  ])('%s is made anew, then the old one goes', (id, fields) => {
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
  ])('%s loses something, so it has to be allowed', (kind, lost) => {
    const refused = made(`${kind}/new previously(old)`, `${kind}/old`);
    const allow = expect.stringContaining('lifecycle.replace');
    expect(refused.changes.flatMap(({ refusals }) => refusals)).toMatchObject([
      { code: `rename.${kind}`, message: expect.stringContaining(lost), allow },
    ]);
    const expected = `create ${kind}/new; delete ${kind}/old`;
    expectPlan(`${kind}/new previously(old) replace`, `${kind}/old`, expected);
  });

  test('nothing is noted of one that is there already', () => {
    expect(changeOf(made('ipset/new previously(old)', 'ipset/old; ipset/new'), 'ipset/new').notes).toEqual([]);
  });

  test('a domain is its name: nothing allows it', () => {
    const renamed = made('domain/b.example.com previously(a.example.com) replace', 'domain/a.example.com');
    const [refusal] = changeOf(renamed, 'domain/b.example.com').refusals;
    expect(refusal).toMatchObject({ code: 'rename.domain', message: expect.stringContaining('another domain') });
    expect(refusal?.allow).toBeUndefined();
  });

  test('a volume set loses its data, and says what would allow it', () => {
    const renamed = made('gvc/g; volumeset/g/new previously(old)', 'gvc/g; volumeset/g/old volumes(1)');
    expect(changeOf(renamed, 'volumeset/g/new').refusals).toMatchObject([
      { message: expect.stringContaining('its data'), allow: expect.any(String) },
    ]);
  });
});

const h = 'gvc/h previously(g) replace; workload/h/web; domain/a.com routes(workload/h/web)';

/** Two volume sets and who mounts each, in this GVC; `callers`: whom the firewall of which one names. */
const data = (gvc: string, live: string, callers: Readonly<Record<string, readonly string[]>> = {}) =>
  ['logs', 'rows']
    .map((name) => {
      const calls = (callers[name] ?? []).map((caller) => `workload/${gvc}/${caller}-db`).join(',');
      return `volumeset/${gvc}/${name}${live}; workload/${gvc}/${name}-db mounts(${name}) calls(${calls})`;
    })
    .join('; ');

/** What has to be there and to have moved before anything of the old GVC goes. */
const first =
  'domain/a.com, gvc/h, volumeset/h/logs, volumeset/h/rows, workload/h/logs-db ready, workload/h/rows-db ready, ' +
  'workload/h/web ready';

// biome-ignore format: a row is a case
const gvcs: readonly PlanRow[] = [
  ['is refused', h.replace(' replace', ''), 'gvc/g; workload/g/web; domain/a.com routes(web)',
    '… refuse create gvc/h refused rename.gvc'],
  ['allowed, everything in the new one is ready and routes have moved before the old one goes', h,
    'gvc/g; workload/g/web; domain/a.com routes(web)',
    'create gvc/h; create workload/h/web; patch domain/a.com after workload/h/web ready; ' +
      'delete gvc/g after domain/a.com, gvc/h, workload/h/web ready; delete workload/g/web'],
  ['the second step of the new one comes before the old one goes', h.replace('gvc/h', 'gvc/h alias(workload/h/web)'),
    'gvc/g; workload/g/web; domain/a.com routes(web)',
    '… delete gvc/g after domain/a.com, gvc/h then, workload/h/web ready'],
  ['a group that had the name of a GVC holds nothing up in that', 'gvc/g; group/h previously(g)',
    'gvc/g; group/g; identity/g/unused', '… delete identity/g/unused after nothing'],
  ['data and bystanders in it need their numbers', 'gvc/h previously(g) replace',
    'gvc/g; volumeset/g/rows volumes(2); identity/g/theirs foreign unlisted',
    '… refuse delete gvc/g refused delete.bystander; refuse delete volumeset/g/rows refused delete.data'],
  ['with their numbers data and bystanders go', 'gvc/h previously(g) replace',
    'gvc/g; volumeset/g/rows volumes(2); identity/g/theirs foreign unlisted', '… delete gvc/g; delete volumeset/g/rows',
    { allowCollateral: 1, allowDataLoss: 1 }],
  ['of its data, what mounts it waits for all of the new one and for nothing else, also beside another renaming',
    `${h}; ${data('h', '')}; group/b previously(a)`,
    `gvc/g; workload/g/web; ${data('g', ' volumes(1)')}; domain/a.com routes(web); group/a`,
    `… delete workload/g/logs-db after ${first}`, { allowDataLoss: 2 }],
  ['of its data, what mounts it waits for that also where it is the only one of it that is to go',
    `${h}; ${data('h', '')}`, `gvc/g; workload/g/web; ${data('g', ' volumes(1)')}; domain/a.com routes(web)`,
    `… delete workload/g/logs-db after ${first}`, { allowDataLoss: 2, targets: ['workload/g/logs-db'] }],
  ['interrupted, each that is there already is waited for once', `${h}; ${data('h', '')}`,
    `gvc/g; workload/g/web; ${data('g', ' volumes(1)')}; domain/a.com routes(web); gvc/h; workload/h/web; ${data('h', ' volumes(1)')}`,
    '… patch domain/a.com; delete workload/g/logs-db after domain/a.com, workload/h/logs-db ready, workload/h/rows-db ready, ' +
      'workload/h/web ready', { allowDataLoss: 2 }],
  ['what is renamed within the old one is not waited for: it waits for what mounts the data',
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
    ['one that no other has to be deleted before', { rows: ['logs'] }, 'workload/g/rows-db'],
    ['a workload, where they name each other', { rows: ['logs'], logs: ['rows'] }, 'workload/g/logs-db'],
  ])('of its data, %s waits for all of the new one, and the others for that one', (_, callers, goes) => {
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

  test('what is declared in the old one refuses that', () => {
    const there = 'gvc/g; volumeset/g/rows volumes(1); workload/g/site mounts(rows)';
    const desired = 'gvc/h previously(g) replace; workload/g/web mounts(rows) previously(site) replace';
    expect(codes(made(desired, there, { allowDataLoss: 2 }))).toContain('delete.referenced');
  });
});

describe('what takes the place of another takes over from it what a replacement would', () => {
  const created = (desired: string, there: string, given: Partial<PlanOptions> = {}) =>
    changeOf(made(desired, there, given), 'workload/g/web').create?.expose() ?? {};

  test('the live value of what is set only once', () => {
    const desired = `${web} ignore(spec.containers.main.image)`;
    expect(created(desired, 'gvc/g; workload/g/site image(web:7)')).toMatchObject({
      name: 'web',
      spec: { containers: [{ name: 'main', image: 'web:7', cpu: '50m', memory: '128Mi' }] },
    });
  });

  test('what operators switched, which is said; unless it is to be taken back', () => {
    expect(created(web, `${site} suspended`)).toMatchObject({ spec: { defaultOptions: { suspend: true } } });
    expect(changeOf(made(web, `${site} suspended`), 'workload/g/web').notes).toEqual([
      'spec.defaultOptions.suspend stays true: not declared, so operators decide (--revert-operational resets it)',
    ]);
    const reverted = created(web, `${site} suspended`, { revertOperational: true });
    expect(reverted).not.toHaveProperty('spec.defaultOptions');
  });

  test('a switch that stands where it stands by default is neither carried over nor mentioned', () => {
    const running = live('workload/g/site', workload('a:1', [], { defaultOptions: { suspend: false } }));
    const change = changeOf(plan(declared(web), [live('gvc/g'), running]), 'workload/g/web');
    expect(change.create?.expose()['spec']).not.toHaveProperty('defaultOptions');
    expect(change.notes).toEqual([]);
  });

  test('tags of others, and neither its own nor those that remember parts of the old record', () => {
    const tags = { theirs: 'a', ours: 'b', 'gantry/applied.bank': 'of another resource' };
    const tagged = live('workload/g/site', { ...workload('a:1'), tags }, { applied: { tagKeys: ['ours'] } });
    const change = changeOf(plan(declared(web), [live('gvc/g'), tagged]), 'workload/g/web');
    const written = objectAt(change.create?.expose() ?? {}, 'tags');
    expect(Object.keys(written).sort()).toEqual(['gantry/applied', 'gantry/stack', 'theirs']);
  });

  test('a secret whose live value counts is refused: the value would be lost with the old name', () => {
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

  test('loses what it may store, of which nothing is known; nothing where that can be made again', () => {
    const of = (kind: string) => made(`${kind}/new previously(old)`, `${kind}/old`);
    expect(changeOf(of('vault'), 'vault/new').refusals).toMatchObject([
      { message: expect.stringContaining('not known'), allow: expect.stringContaining('lifecycle.replace') },
    ]);
    expect(codes(of('label'))).toEqual([]);
  });
});
