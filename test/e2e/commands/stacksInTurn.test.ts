import { Readable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { Gantry } from '../../../src/automation.ts';
import { linkPackages } from '../../cli/projectFolder.ts';
import { writeBelow } from '../../harness/writeBelow.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { token } from '../harness/platform.ts';
import { startProxy } from '../harness/proxy.ts';
import { testStories } from '../harness/stories.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const platform = usePlatform();

/** An app of the stacks net, shop and edge with these resources. */
const program = (
  resources: string,
) => `import { App, Domain, Group, Gvc, Identity, Secret, Stack, Workload } from 'gantry';
const app = new App();
const [net, shop, edge] = ['net', 'shop', 'edge'].map((id) => new Stack(app, id, { name: \`@-\${id}\` }));
${resources}
export default app;
`;

// Resources of net; an app that omits one of them drops it.
const gvc = `const gvc = new Gvc(net, '@', { locations: ['aws-eu-central-1'] });`;
const identity = `const identity = new Identity(net, 'api', { gvc });`;
const secretOf = (more = '', name = '@-db') =>
  `const secret = new Secret(net, '${name}', { type: 'opaque', data: { payload: 'x' }${more} });`;
const secret = secretOf();

/** The workload of shop. */
function webOf(uses = '', env = ''): string {
  const container = `{ name: 'main', image: 'nginx', cpu: '50m', memory: '64Mi', ports: [{ number: 80, protocol: 'http' }], env: {${env}} }`;
  return `new Workload(shop, 'web', { gvc, type: 'standard', ${uses} containers: [${container}] });`;
}
const web = webOf();
const using = webOf('identity,', `DB: secret.key('payload')`);
const edge = `new Group(edge, '@-edge', {});`;
const others = `new Group(net, '@-net', {}); new Group(shop, '@-shop', {}); ${edge}`;
const everything = [gvc, identity, secret, using, edge].join(' ');

/** The steps after an apply of this app. */
const after = (app: string, steps: string) =>
  `gantry.yaml is {project: @}\ndeclares ${app}\n$ apply . --all --yes\n${steps}`;
const allRest = '$ plan . --all --detailed-exitcode';

// biome-ignore format: a row is a story
testStories(platform, 'turn', [
  ['an identity and a secret that two stacks drop are deleted after the workload releases them',
    after(everything, `declares ${gvc} ${web} ${edge}
    $ plan . --all > identity/@/api: it is deleted after the stack @-shop.@: workload/@/web needs
      > No changes yet: 3 unchanged > Later: 2 to delete, after @-shop.@.
    $ apply . --all --yes
    sends PATCH gvc/@/workload/web, DELETE gvc/@/identity/api
    sends PATCH gvc/@/workload/web, DELETE secret/@-db
    gvc/@/identity/api is absent
    secret/@-db is absent
    ${allRest}`)],
  ['a GVC, its identity and a workload of another stack in it are deleted in one run, the workload first',
    after(`${gvc} ${identity} ${secret} ${using} ${others}`, `declares ${others}
    $ apply . --all --yes
    gvc/@ is absent
    secret/@-db is absent
    ${allRest}`)],
  ['a renamed secret keeps its old record until the workload of another stack uses the new one',
    after(everything, `
    declares ${gvc} ${identity} ${secretOf(`, lifecycle: { previously: '@-db' }`, '@-db-2')} ${using} ${edge}
    $ plan . --all > secret/@-db: it is deleted after the stack @-shop.@
    $ apply . --all --yes
    secret/@-db is absent
    secret/@-db-2 has name: @-db-2
    ${allRest}`)],
  ['a plan of one stack is refused if another stack uses a resource that it deletes',
    after(everything, `
    declares ${gvc} ${webOf(`identityLink: '//gvc/@/identity/api',`, `DB: 'scheme://secret/@-db.payload'`)}
    ${['--stack @-net', '--all'].map((stacks) => `$3 plan . ${stacks} > refused delete.referenced:
      > workload/@/web of the stack @-shop.@ is declared to need it at spec.identityLink (stack.ts:`).join('\n')}
    declares ${gvc} ${web} ${edge}
    $3 apply . --stack @-net --yes > refused delete.referenced: workload/@/web stays, and needs it at
    secret/@-db has name: @-db`)],
  ['destroy of one stack is refused while another one needs a resource of it',
    after(everything, `
    $3 destroy . --stack @-net --yes
      > refused delete.referenced: workload/@/web of the stack @-shop.@ is declared to
    secret/@-db has name: @-db
    $ destroy . --stack @-shop --yes
    $ destroy . --stack @-net --yes
    secret/@-db is absent
    gvc/@ is absent`)],
  ['a resource that another stack names in dependsOn is not deleted',
    after(`${gvc} new Group(net, '@-gone', {}); new Group(shop, '@-shop', { lifecycle: { dependsOn: ['group/@-gone'] } });`, `
    declares ${gvc} new Group(shop, '@-shop', { lifecycle: { dependsOn: ['group/@-gone'] } });
    $3 plan . --stack @-net > group/@-shop of the stack @-shop.@ is declared to need it at lifecycle`)],
  ...['net', 'edge'].map((from): readonly [string, string] => [
    `a group that ${from} drops and shop adopts is handed over in one run, and not deleted`,
    after(`${others} new Group(${from}, '@', {});`, `
    group/@ has /"id":"(?<id>[^"]+)"/
    declares ${others} new Group(shop, '@', { lifecycle: { adopt: { from: '@-${from}.@' } } });
    $ plan . --all > 1 to adopt > no to delete
    $ apply . --all --yes > no has not released it
    group/@ has id: <id>, tags: {gantry/stack: @-shop.@}
    ${allRest}`)]),
  ['a resource that another stack declares without adopting it is not deleted',
    after(`${others} new Group(net, '@', {});`, `
    declares ${others} new Group(shop, '@', {});
    $3 apply . --all --yes > refused delete.referenced: the stack @-shop.@ declares it
    group/@ has name: @`)],
  ['a deletion that would be refused later in the run is refused before anything is written',
    after(`${gvc} ${identity} ${secretOf(`, tags: { 'scheme/protected': 'true' }`)} ${using} ${edge}`, `
    declares ${gvc} ${web} ${edge}
    $3 plan . --all > refused delete.protected
    $3 apply . --all --yes > refused delete.protected
    $3 apply . --all --yes --max-deletes 1 > delete.too-many`)],
  ['a deletion is refused in the plan if an undeclared workload of another stack still needs the resource',
    after(`${gvc} ${identity} ${secret} ${webOf('lifecycle: { retain: true }, identity,', `DB: secret.key('payload')`)} ${others}`, `
    declares ${gvc} ${others}
    $3 apply . --all --yes > refused delete.referenced: workload/@/web still refers to it at spec.identityLink
      > refused delete.referenced: workload/@/web stays, and needs it at`)],
  ['a run that is interrupted between the passes is completed by the next one',
    after(everything, `declares ${gvc} ${web} ${edge}
    DELETE / is refused: $5 apply . --all --yes
    secret/@-db has name: @-db
    $ apply . --all --yes
    secret/@-db is absent
    gvc/@/identity/api is absent
    ${allRest}`)],
  ['--target and --exclude also choose among the deletions that wait for other stacks',
    after(`${gvc} ${identity} ${secret} new Group(net, '@-old', {}); ${using}`, `declares ${gvc} ${web}
    $ plan . --all --target group/@-old --target secret/* --target workload/@/web
      > this plan is partial: 1 change is left out by --target > Later: 1 to delete, after @-shop.@.
    $ apply . --all --yes --target group/@-old --target secret/* --target workload/@/web
    secret/@-db is absent
    group/@-old is absent
    $ apply . --all --yes --exclude identity/@/api
    gvc/@/identity/api has name: api
    $ apply . --all --yes
    gvc/@/identity/api is absent`)],
  ['a deletion that waits for an excluded change is refused by plan and apply before anything is written',
    after(`${gvc} ${identity} ${secret} ${using}`, `
    declares ${gvc} new Group(net, '@-new', {}); ${web} new Group(shop, '@-shop', {});
    ${['--exclude workload/@/web', '--target secret/@-db --target group/@-new',
      '--target secret/@-db --target group/@-new --target group/@-shop']
      .flatMap((selection) => ['plan', 'apply --yes'].map((command) =>
        `$3 ${command} . --all ${selection} > refused delete.referenced: workload/@/web`)).join('\n')}`)],
  ['a --target or --exclude that matches no stack of the run is refused before anything is written', `
    gantry.yaml is {project: @}
    declares ${gvc} ${web}
    $1 apply . --all --yes --target workload/@/wbe ! --target=workload/@/wbe names no resource of these
      ! Did you mean workload/@/web?
    $1 apply . --all --yes --exclude workload/@/wbe ! --exclude=workload/@/wbe names no resource of these
      ! Did you mean workload/@/web?`],
], program);

const root = temporaryFolder('in-turn');

/** The folder of an app after its apply. */
async function applied(name: string): Promise<string> {
  const cwd = `${root}/${name}`;
  writeBelow(cwd, 'gantry.yaml', `project: ${name}\n`);
  writeBelow(cwd, 'stack.ts', program(everything).replaceAll('@', name));
  linkPackages(cwd);
  await succeeded(inProcess(platform, ['apply', '.', '--all', '--yes'], { cwd }));
  return cwd;
}

test('if the token expires before a later stack is planned, the run is partly applied', async () => {
  const cwd = `${root}/expires`;
  writeBelow(cwd, 'gantry.yaml', 'project: expires\n');
  writeBelow(cwd, 'stack.ts', program(others).replaceAll('@', 'expires'));
  linkPackages(cwd);
  let isExpired = false;
  const proxy = await startProxy(platform.url, ({ body }) => {
    isExpired ||= body.includes('expires-shop.expires');
    return isExpired ? { status: 401, body: { message: 'expired' } } : 'pass';
  });
  try {
    const run = await inProcess(proxy, ['apply', '.', '--all', '--yes', '-o', 'json'], { cwd });
    const { error } = JSON.parse(run.stdout);
    expect([run.code, error.code, error.retry]).toEqual([5, 'apply.partly', 'run-again']);
    expect(error.causes).toMatchObject([{ code: 'api.unauthorized' }]);
    expect(run.stderr).toContain('error apply.partly: what came before is written, and then: api.unauthorized: ');
    expect((await platform.call('GET', '/org/local/group/expires-net')).status).toBe(200);
  } finally {
    await proxy.close();
  }
});

test('Gantry.plan refuses to destroy one stack while another one needs a resource of it', async () => {
  const project = await applied('ruin');
  await using gantry = await Gantry.open({ project, endpoint: platform.url, token, org: 'local' });
  const [first] = await gantry.loadAll('.');
  if (first === undefined) throw new Error('the stack net');
  const { plan } = await gantry.plan(first, { destroy: true });
  const { refusals = [] } = plan.changes.find(({ id }) => id === 'secret/ruin-db') ?? {};
  expect([first.owner, refusals.map(({ code }) => code)]).toEqual(['ruin-net.ruin', ['delete.referenced']]);
});

/** Answers yes to each question. */
function answersYes(): () => number {
  let asked = 0;
  const answers = function* () {
    asked += 1;
    yield 'yes\n';
  };
  Object.defineProperty(process, 'stdin', { get: () => Readable.from(answers()), configurable: true });
  return () => asked;
}

const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
afterEach(() => void Object.defineProperty(process, 'stdin', stdin));

test.each([
  { name: 'asked-with', other: `new Group(net, 'asked-with-group', {});`, questions: 2, it: 'was confirmed with it' },
  { name: 'asked-alone', other: '', questions: 2, it: 'had nothing else to confirm' },
])('a deletion that waits is confirmed once: its stack $it', async ({ name, other, questions }) => {
  const cwd = await applied(name);
  writeBelow(cwd, 'stack.ts', program(`${gvc} ${web} ${edge} ${other}`).replaceAll('@', name));
  const asked = answersYes();
  await succeeded(inProcess(platform, ['apply', '.', '--all'], { cwd, canAsk: true }));
  expect(asked()).toBe(questions);
  expect((await platform.call('GET', `/org/local/secret/${name}-db`)).status).toBe(404);
});
