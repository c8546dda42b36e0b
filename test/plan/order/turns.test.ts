import { describe, expect, test } from 'vitest';
import { isKeptAsDeclared } from '../../../src/plan/model/plan.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { declared, held, type PlanRow, testPlans } from '../planText.ts';
import { plan } from '../world.ts';

/** Another stack, which the same run applies, with these declarations. */
const run = (desired: string, given: Partial<PlanOptions> = {}): Partial<PlanOptions> => ({
  others: [{ owner: 'base', desired: declared(desired), inRun: true }],
  ...given,
});
const apart = (desired: string) => ({ others: [{ owner: 'base', desired: declared(desired), inRun: false }] });
const used = 'group/x; secret/s; gvc/g pulls(s) by(base)';
const until = (id: string, need: string) => `keep ${id} noting it is deleted after the stack base: ${need} until then`;
const waits = until('secret/s', 'gvc/g needs it at spec.pullSecretLinks.0');
const refused = 'refuse delete secret/s refused delete.referenced';
const child = 'group/x; gvc/g; workload/g/w by(base)';
const renamed = 'gvc/g; volumeset/g/rows; workload/g/store mounts(rows) previously(db)';
const routed = 'gvc/g; volumeset/g/rows; domain/a.com routes(db) by(base); workload/g/db';
const routes = run('domain/a.com routes(store)');

// biome-ignore format: a row is a case
const rows: readonly PlanRow[] = [
  ['waits for the stack that drops its use', 'group/x', used, waits, run('gvc/g')],
  ['waits for the stack that deletes the user', 'group/x', used, waits, run('')],
  ['waits for every user', 'group/x', `${used}; gvc/h pulls(s) by(base)`, waits, run('gvc/h')],
  ['waits for no stack outside of the run', 'group/x', used, refused, apart('')],
  ['waits for no stack that still declares the use', 'group/x', used, `${refused} noting nothing`,
    run('gvc/g pulls(s)')],
  ['waits for a GVC around it that drops its use', 'group/x', 'group/x; gvc/g alias(w) by(base); workload/g/w',
    until('workload/g/w', 'gvc/g needs it at spec.aliasWorkloadLink'), run('gvc/g')],
  ['waits for no GVC around it that its stack deletes with it', 'group/x',
    'group/x; gvc/g alias(w) by(base); workload/g/w', 'refuse delete workload/g/w refused delete.referenced', run('')],
  ['waits for no user of such a deletion, which stays too', 'group/x',
    'group/x; secret/s; gvc/h pulls(s) by(base); gvc/g alias(w) pulls(s) by(base); workload/g/w',
    `${refused} delete.referenced; refuse delete workload/g/w refused delete.referenced`, run('')],
  ['waits for another stack beside a use in its own', 'gvc/g',
    'gvc/g alias(w); workload/g/w; domain/a.com serves(w) by(base)',
    `patch gvc/g; ${until('workload/g/w', 'domain/a.com needs it at spec.workloadLink')}`, run('')],
  ['waits for no user that its stack retains', 'group/x', `${used} retained`, refused, run('')],
  ['waits for a retained user that its stack changes', 'group/x', `${used} retained`, waits, run('gvc/g')],
  ['waits for no user that its stack cannot know as its own', 'group/x', `${used} unmarked`, refused, run('')],
  ['waits for no user that --exclude names', 'group/x', used, refused, run('', { excludes: ['gvc/g'] })],
  ['waits for no user that --target omits', 'group/x', used, refused, run('', { targets: ['secret/s'] })],
  ['that --exclude names waits for nothing', 'group/x', used, '… plan leaving delete secret/s',
    run('', { excludes: ['secret/s'] })],
  ['waits for a record in its GVC', 'group/x', child, until('gvc/g', 'workload/g/w needs it at gvc'), run('')],
  ['waits as long as a record of its own stack that waits', 'group/x',
    'group/x; gvc/g foreign; cloudaccount/c aws; identity/g/app account(c); workload/g/w identity(app) by(base)',
    [until('cloudaccount/c', 'identity/g/app needs it at aws.cloudAccountLink'),
      until('identity/g/app', 'workload/g/w needs it at spec.identityLink')].join('; '), run('workload/g/w')],
  ['waits for a user that others need before', 'group/x',
    'group/x; gvc/g foreign; secret/s; workload/g/w reads(s) calls(w) by(base); domain/a.com routes(w) by(base)',
    until('secret/s', 'workload/g/w needs it at spec.containers.main.env.S.value'), run('')],
  ['counts although it waits', 'group/x', `${used}; group/y`, '… plan refused delete.too-many',
    run('', { maxDeletes: 1 })],
  ['counts once', 'group/x', `${used}; group/y`, `delete group/y; ${waits}`, run('', { maxDeletes: 2 })],
  ['is refused before it waits if its turn would be refused', 'group/x',
    'group/x; secret/s protected; gvc/g pulls(s) by(base)',
    waits.replace('keep secret/s', 'refuse delete secret/s refused delete.protected'), run('')],
  ['is refused before it waits if others have records in its GVC', 'group/x',
    `${child}; workload/g/z foreign`, 'refuse delete gvc/g refused delete.bystander', run('')],
  ['waits under an old name', renamed.replace(' mounts(rows)', ''), routed,
    `create workload/g/store; ${until('workload/g/db',
      'domain/a.com needs it at spec.ports.443.routes."/".workloadLink')}`, routes],
  ['does not wait under an old name if the new one needs its volumes', renamed, `${routed} mounts(rows)`,
    'refuse delete workload/g/db refused delete.referenced; refuse create workload/g/store refused rename.mounted',
    routes],
];

describe('a deletion of what a record of another stack needs', () => {
  testPlans(rows);

  test('leaves a record that is not as declared', () => {
    const { changes } = plan(declared('group/x'), held(used), run('gvc/g'));
    expect(changes.filter(isKeptAsDeclared).map(({ id }) => id)).toEqual(['group/x']);
  });
});
