import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Gantry, type NewPlan } from '../../../../src/automation.ts';
import { listAt } from '../../../../src/base/json/json.ts';
import { linkPackages } from '../../../cli/projectFolder.ts';
import { writeBelow } from '../../../harness/writeBelow.ts';
import { succeeded } from '../../../outcome.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';
import { writeKeyPair } from '../../../writeKeyPair.ts';
import { inProcess } from '../../harness/inProcess.ts';
import { token } from '../../harness/platform.ts';
import { testStories } from '../../harness/stories.ts';
import { usePlatform } from '../../harness/usePlatform.ts';

const platform = usePlatform();
const root = temporaryFolder('several');

/** An app with two stacks: net has a GVC, and shop has a workload and a secret in it. */
const program = (more = '') => `import { App, Group, Gvc, Secret, Stack, Workload } from 'gantry';
const app = new App();
const net = new Stack(app, 'net', { name: 'net' });
const shop = new Stack(app, 'shop', { name: 'shop' });
const gvc = new Gvc(net, '@', { locations: ['aws-eu-central-1'] });
new Secret(shop, '@', { type: 'opaque', data: { payload: 'hidden-@' } });
new Workload(shop, 'web', { gvc, type: 'standard', containers: [
  { name: 'main', image: 'nginx', cpu: '50m', memory: '64Mi', ports: [{ number: 80, protocol: 'http' }] }] });
${more}
export default app;
`;
const [gvc, web, secret] = ['gvc/@', 'gvc/@/workload/web', 'secret/@'];
const isThere = (...paths: readonly string[]) => paths.map((path) => `${path} has version: 1`).join('\n');
const isGone = (...paths: readonly string[]) => paths.map((path) => `${path} is absent`).join('\n');
const [there, gone] = [isThere(gvc, web, secret), isGone(gvc, web, secret)];
const code = (more = '') => `gantry.yaml is {project: @}\ndeclares ${more}`;
const planned = (more = '') => `${code(more)}\n$ plan . --all --out it.plan`;
const applied = (more = '') => `${code(more)}\n$ apply . --all --yes`;
const allRest = '$ plan . --all --detailed-exitcode';
const group = (stack: string, name: string, description: string) =>
  `new Group(${stack}, '${name}', { description: '${description}' });`;
const groups = (text: string) =>
  `${group('net', '@-net', text)} ${group('shop', '@-one', text)} ${group('shop', '@-two', text)}`;
const prod = (limits: string) => `gantry.yaml is {project: @, environments: {prod: {limits: {${limits}}}}}`;

// biome-ignore format: a row is a story
testStories(platform, 'several', [
  ['one file has the plans of all stacks: it is shown, applied in order, recognised as done, and undone', `
    ${code()}
    $ plan . --all --out it.plan ! The plans are saved in it.plan. ! /Next: .*gantry apply it\\.plan/
    it.plan has no hidden-@
    $ show it.plan -o json = stacks: [{stack: net.@}, {stack: shop.@}]
    $ apply it.plan --yes
    sends POST gvc, POST gvc/@/workload
    sends POST gvc, POST secret
    ${there}
    ${allRest}
    $ apply it.plan --yes > 2 × Everything in this plan is done
    undoes
    ${gone}`],
  ['a stack without changes is named when the file is applied, and is ignored by a second undo', `
    ${applied()}
    declares new Group(shop, '@-group');
    $ apply . --all --yes
    ${planned(group('shop', '@-group', 'another'))}
    $ apply it.plan --yes > /Stack net\\.@ in org local\\n\\nNo changes were planned\\.\\n/
    undoes
    $1 undo it.plan ! error undo.done`],
  ['a stack that fails blocks those after it, and another apply of the file continues there', `
    ${planned()}
    POST gvc is refused: $1 apply it.plan --yes
      ! Not begun: shop.@. Apply the same file again: what is done is recognised.
    ${gone}
    $ apply it.plan --yes
    ${there}`],
  ...[[web, 'gvc/@/workload', 'workload/@/web', secret], [secret, 'secret', 'secret/@', web]].map(
    ([left = '', refused, id, done = '']): readonly [string, string] =>
      [`a file whose apply stopped at ${refused} is undone as far as it was applied`, `
    ${planned()}
    $1 undo it.plan ! error undo.not-applied: this plan was not applied
    POST ${refused} is refused: $5 apply it.plan --yes
    ${isThere(gvc, done)}
    ${isGone(left)}
    $ undo it.plan --out back.plan > left as it is: ${id} was not changed by that plan
    $ apply back.plan --yes
    ${gone}`]),
  ['a stack of the file that was not begun does not affect the undo of the others', `
    ${planned()}
    $ apply ./net --yes
    $ undo it.plan --out back.plan ! shop.@: this plan was not applied:
    $ apply back.plan --yes
    ${gone}`],
  ['each plan is rehearsed on the state after the earlier ones, which satisfies a limit that requires it', `
    ${code()}
    ${prod('rehearsal: required')}
    $ plan . --all --env prod --out untried.plan
    $3 apply untried.plan --yes > limit.rehearsal
    $ plan . --all --env prod --rehearse=crash --out it.plan -o json
      = stacks: [{rehearsal: {consistent: true, stoodInFor: []}}, {rehearsal: {consistent: true, stoodInFor: []}}]
    $ apply it.plan --yes
    ${there}
    declares ${group('net', '@-more', 'of both')}
    $ plan . --all --env prod --rehearse --out more.plan
    $ apply more.plan --yes
    $ undo more.plan --rehearse --out less.plan
    $ apply less.plan --yes
    $ undo it.plan --out back.plan > 2 × Rehearsal: consistent
    $ apply back.plan --yes
    ${gone}`],
  ['plans after a refused plan are not rehearsed', `
    ${code(`new Group(net, '@-net'); new Group(shop, '@-shop');`)}
    $3 plan . --all --rehearse --max-changes=1 > no Rehearsal
      ! The plan is refused, so it was not rehearsed.
      ! The plan of a stack before it is refused, so it was not rehearsed.`],
  ['nothing is written if a later plan of the file is stale, or now refused by a limit', `
    ${code(groups('old'))}
    ${prod('max-changes: 9')}
    $ apply . --all --yes --env prod
    declares ${groups('new')}
    $ plan . --all --env prod --out it.plan
    ${prod('max-changes: 1')}
    $3 apply it.plan --yes > refused limit.max-changes
    ${prod('max-changes: 9')}
    PATCH group/@-two description: of a stranger
    $4 apply it.plan --yes ! nothing was written: group/@-two`],
  ['nothing is written if a later plan of the file writes a secret that has changed', `
    ${planned()}
    stack.ts has hidden-@ and now hidden
    $4 apply it.plan --yes ! saved.secret-changed`],
  ['a resource that moves from one stack of the file to another is handed over, and the next plan is empty', `
    ${applied(`new Group(net, '@-moves');`)}
    ${planned(`new Group(shop, '@-moves', { lifecycle: { adopt: { from: 'net.@' } } });`)}
    $ apply it.plan --yes
    ${allRest}`],
  ['if the plan of one stack is refused, no plan is saved', `
    ${code()}
    $3 plan . --all --out it.plan --max-changes=1
      ! The plan of shop.@ is refused, so no plan was saved to it.plan.`],
  ['a value that a stack takes from a record that an earlier stack changes is known after apply', `
    ${['one', 'two'].map((description) => code(
      `const far = new Gvc(net, '@-far', { locations: ['aws-eu-central-1'], description: '${description}' });
      new Workload(shop, 'api', { gvc: far, type: 'standard', containers: [
        { name: 'main', image: 'nginx', env: { GVC: far.live('description') } }] });`.replaceAll(/\s*\n\s*/g, ' ')))
      .join('\n$ apply . --all --yes\n')}
    $ plan . --all --rehearse --out it.plan > known after apply: description of gvc/@-far
    $ apply it.plan --yes
    gvc/@-far/workload/api has /\\{"name":"GVC","value":"two"\\}/
    ${allRest}`],
], program);

/** The workload `api` of shop takes the address of the last of these workloads of net. */
const taking = (...sources: readonly string[]) =>
  `const far = new Gvc(net, '@-far', { locations: ['aws-eu-central-1'] });
const ports = [{ number: 80, protocol: 'http' }] as const;
const sources = ${JSON.stringify(sources)}.map(
  (each) => new Workload(far, each, { type: 'serverless', containers: [{ name: 'main', image: 'nginx', ports }] }));
new Workload(shop, 'api', { gvc, type: 'standard', containers: [
  { name: 'main', image: 'api', env: { WEB: sources.at(-1).url + '/v1' } }] });`.replaceAll('\n', ' ');
const addressOf = (source: string) => `gvc/@-far/workload/${source} has /"canonicalEndpoint":"(?<${source}>[^"]+)"/`;
const takes = (source: string) => `gvc/@/workload/api has /"value":"<${source}>/v1"/`;

// biome-ignore format: a row is a story
describe('a value that is known after apply, in the plans of two stacks', () => testStories(platform, 'taking', [
  ['is known to the rehearsal of the second plan, and to the undo of both', `
    ${code(taking('one'))}
    $ plan . --all --rehearse=crash --out it.plan > 2 × Rehearsal: consistent
      > note: known after apply: status.canonicalEndpoint of workload/@-far/one
    $ apply it.plan --yes
    ${addressOf('one')}
    ${takes('one')}
    $ undo it.plan --out back.plan > 2 × Rehearsal: consistent
    $ apply back.plan --yes
    ${gone}`],
  ['in an undo is the applied one, even if the other record was deleted; a value of others makes it stale', `
    ${planned(taking('one'))}
    $ apply it.plan --yes
    DELETE gvc/@-far/workload/one
    $ undo it.plan --rehearse > left as it is: workload/@-far/one was not changed by that plan
      > - workload/@/api (version 1)
    PATCH gvc/@/workload/api spec: {$patch/containers: [{name: main, $patch/env: [{name: WEB, value: "https://theirs/v1"}]}]}
    $4 undo it.plan ! workload/@/api`],
  ['is applied after a stop although others changed another field, and is undone', `
    ${applied(taking('one'))}
    ${addressOf('one')}
    ${planned(taking('one', 'two'))}
    PATCH gvc/@/workload/api is refused: $5 apply it.plan --yes
    PATCH gvc/@/workload/api tags: {theirs: "1"}
    $ apply it.plan --yes
    ${addressOf('two')}
    ${takes('two')}
    gvc/@/workload/api has tags: {theirs: "1"}
    undoes
    ${takes('one')}`],
], program));

/** The folder of the app, and whether its records exist. */
function app(name: string) {
  const cwd = mkdtempSync(join(root, name));
  linkPackages(cwd);
  writeBelow(cwd, 'gantry.yaml', `project: ${name}\n`);
  writeBelow(cwd, 'stack.ts', program().replaceAll('@', name));
  const run = (...args: readonly string[]) => inProcess(platform, args, { cwd });
  const status = async (path: string) => (await platform.call('GET', `/org/local/${path}`)).status;
  const there = () => Promise.all([gvc, web, secret].map((path = '') => status(path.replace('@', name))));
  return { name, cwd, run, there };
}

test('the plans are signed and approved together, and no stack can be removed from the file', async () => {
  const it = app('signed');
  const [planner, approver] = ['planner', 'approver'].map((name) => writeKeyPair(root, name));
  if (planner === undefined || approver === undefined) throw new Error('there are two keys');
  await succeeded(it.run('plan', '.', '--all', '--out', 'all.plan', '--sign', planner.key));
  const trust = ['--signed-by', planner.pub, '--approved-by', approver.pub];
  const early = await it.run('apply', 'all.plan', '--yes', ...trust);
  expect([early.code, early.stderr]).toEqual([3, expect.stringContaining('saved.approvals')]);
  const approved = await succeeded(it.run('approve', 'all.plan', '--sign', approver.key, '--yes', '-o', 'json'));
  expect(JSON.parse(approved.stdout).signatures[1].stack).toBe('net.signed, shop.signed');

  const file = join(it.cwd, 'all.plan');
  const whole = readFileSync(file, 'utf8');
  const parsed = JSON.parse(whole);
  for (const stacks of [listAt(parsed, 'stacks').toReversed(), listAt(parsed, 'stacks').slice(0, 1), []]) {
    writeFileSync(file, JSON.stringify({ ...parsed, stacks }));
    const changed = await it.run('apply', 'all.plan', '--yes', ...trust);
    expect([changed.code, changed.stderr]).toEqual([3, expect.stringContaining('saved.tampered')]);
  }
  writeFileSync(file, whole);
  await succeeded(it.run('apply', 'all.plan', '--yes', ...trust));
  expect(await it.there()).toEqual([200, 200, 200]);
});

test('a program saves the plans of several stacks in one file, opens them and applies each', async () => {
  const it = app('program');
  await using gantry = await Gantry.open({ project: it.cwd, endpoint: platform.url, token, org: 'local' });
  const plans: NewPlan[] = [];
  for (const stack of await gantry.loadAll('.')) plans.push(await gantry.plan(stack, { after: plans }));
  await gantry.save(plans, 'all.plan');
  await expect(gantry.open('all.plan')).rejects.toMatchObject({ code: 'stack.choose', hint: 'Use openAll(file).' });
  for (const plan of await gantry.openAll('all.plan')) await gantry.apply(plan);
  expect(await it.there()).toEqual([200, 200, 200]);
});
