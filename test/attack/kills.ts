import { startProxy } from '../e2e/harness/proxy.ts';
import { type Attack, demand, equal } from './attack.ts';
import { type Folder, gantry, makeFolder, start } from './cli.ts';
import { must, type Platform, remote, startPlatform } from './platform.ts';

/*
 * Replaces a workload and a secret (their type is immutable), while a new identity has to come first. Both contain
 * values of others: tags, the value of an ignored field, the switch of an operator. The run is killed at every request.
 */

const gvc = 'kind: gvc\nname: town\nspec:\n  staticPlacement:\n    locationLinks: [//location/aws-eu-central-1]\n';

function workload(type: string, extra: string): string {
  return `kind: workload
name: web
gvc: town
lifecycle:
  ignore: [spec.containers.main.image]
spec:
  type: ${type}
${extra}  containers:
    - name: main
      image: registry.example.com/web:1
      ports: [{number: 8080, protocol: http}]
`;
}

const secretBefore = 'kind: secret\nname: key\ntype: opaque\ndata: {payload: first-value}\n';
const secretAfter = 'kind: secret\nname: key\ntype: dictionary\ndata: {KEY: second-value}\n';
const identity = 'kind: identity\nname: backend\ngvc: town\n';

const before = { 'gvc.yaml': gvc, 'web.yaml': workload('serverless', ''), 'key.yaml': secretBefore };
const after = {
  'gvc.yaml': gvc,
  'web.yaml': workload('standard', '  identityLink: //gvc/town/identity/backend\n'),
  'key.yaml': secretAfter,
  'identity.yaml': identity,
};

const webPath = '/org/local/gvc/town/workload/web';
const kinds = ['gvc', 'gvc/town/workload', 'gvc/town/identity', 'gvc/town/volumeset', 'secret'];

interface Town {
  readonly platform: Platform;
  readonly first: Folder;
  readonly second: Folder;
  /** The state before the change, with the values of others. */
  readonly state: unknown;
  close(): Promise<void>;
}

async function makeTown(): Promise<Town> {
  const platform = await startPlatform();
  const settings = { 'gantry.yaml': 'stack: town\n' };
  const first = makeFolder({ ...settings, ...before });
  const second = makeFolder({ ...settings, ...after });
  const applied = await gantry(remote(platform.url, 'apply', '.', '--yes'), { cwd: first.path });
  equal(applied.code, 0, 'the first apply');
  await must(platform, 'PATCH', webPath, {
    tags: { 'team/owner': 'operations' },
    spec: {
      '$patch/containers': [{ name: 'main', image: 'registry.example.com/web:pipeline' }],
      defaultOptions: { suspend: true },
    },
  });
  await must(platform, 'PATCH', '/org/local/secret/key', { tags: { 'team/owner': 'operations' } });
  const state = await must(platform, 'GET', '/-snapshot?secrets=true');
  return {
    platform,
    first,
    second,
    state,
    async close() {
      await platform.stop();
      first.remove();
      second.remove();
    },
  };
}

async function restore({ platform, state }: Town): Promise<void> {
  await must(platform, 'PUT', '/-snapshot', state);
}

/** Demands the complete change, whatever happened on the way. */
async function demandChanged({ platform, second }: Town): Promise<void> {
  const web = await must(platform, 'GET', webPath);
  const text = JSON.stringify(web);
  demand(text.includes('"type":"standard"'), 'the workload is not what was declared', web);
  demand(text.includes('"team/owner":"operations"'), 'the tag of others on the workload is lost', web);
  demand(text.includes('web:pipeline'), 'the value of the ignored field is lost', web);
  demand(text.includes('"suspend":true'), 'the switch of the operator is lost', web);
  const key = await must(platform, 'GET', '/org/local/secret/key/-reveal');
  demand(JSON.stringify(key).includes('second-value'), 'the secret is not what was declared', Object.keys(key));
  demand(JSON.stringify(key).includes('"team/owner":"operations"'), 'the tag of others on the secret is lost');
  const names: string[] = [];
  for (const kind of kinds) {
    const { items } = await must(platform, 'GET', `/org/local/${kind}`);
    demand(Array.isArray(items), `no list of ${kind}`);
    names.push(...items.map((item: { readonly name: string }) => `${kind}/${item.name}`));
  }
  equal(names, ['gvc/town', 'gvc/town/workload/web', 'gvc/town/identity/backend', 'secret/key'], 'what there is');
  const plan = await gantry(remote(platform.url, 'plan', '.', '--detailed-exitcode'), { cwd: second.path });
  demand(plan.code === 0, 'the plan afterwards is not empty', plan);
}

async function applySecond(town: Town, url = town.platform.url) {
  return gantry(remote(url, 'apply', '.', '--yes'), { cwd: town.second.path });
}

/** The number of requests of an undisturbed apply. */
async function countRequests(town: Town): Promise<number> {
  await restore(town);
  const proxy = await startProxy(town.platform.url, () => 'pass');
  const outcome = await applySecond(town, proxy.url);
  await proxy.close();
  demand(outcome.code === 0, 'the undisturbed apply', outcome);
  await demandChanged(town);
  return proxy.seen.length;
}

type Moment = 'before' | 'after';

/** Ends the process with `signal` when request number `at` arrives, or after it was carried out. */
async function endAt(town: Town, at: number, moment: Moment, signal: NodeJS.Signals): Promise<void> {
  await restore(town);
  let running: ReturnType<typeof start> | undefined;
  const strike = () => running?.child.kill(signal);
  const proxy = await startProxy(
    town.platform.url,
    ({ number }) => {
      if (number === at && moment === 'before') strike();
      return signal === 'SIGKILL' && number === at && moment === 'before' ? 'cut-before' : 'pass';
    },
    ({ number }) => {
      if (number === at && moment === 'after') strike();
    },
  );
  running = start(remote(proxy.url, 'apply', '.', '--yes'), { cwd: town.second.path });
  const outcome = await running.ended;
  await proxy.close();
  if (signal !== 'SIGKILL') {
    const gone = (await town.platform.call('GET', webPath)).status === 404;
    demand(!gone, `${signal} once: the workload is deleted and was not created again`, outcome);
  }
  const again = await applySecond(town);
  demand(again.code === 0, 'the next apply', again);
  await demandChanged(town);
}

function spread(count: number, most: number): readonly number[] {
  if (most >= count) return Array.from({ length: count }, (_, index) => index + 1);
  return Array.from({ length: most }, (_, index) => 1 + Math.round((index * (count - 1)) / (most - 1)));
}

async function sweepKills(kills: number, signals: number): Promise<void> {
  const town = await makeTown();
  const failures: string[] = [];
  try {
    const requests = await countRequests(town);
    const points = [
      ...spread(requests, kills).map((at, index) => [at, index % 2 === 0 ? 'after' : 'before', 'SIGKILL'] as const),
      ...spread(requests, signals).map((at, index) => [at, 'after', index % 2 === 0 ? 'SIGINT' : 'SIGHUP'] as const),
    ];
    for (const [at, moment, signal] of points) {
      await endAt(town, at, moment, signal).catch((error: unknown) => {
        failures.push(`request ${at} of ${requests}, ${moment}, ${signal}: ${String(error)}`);
      });
    }
    demand(failures.length === 0, `${failures.length} of ${points.length} kills`, failures.join('\n\n'));
  } finally {
    await town.close();
  }
}

/** A prerequisite is refused for good: running records must stay, and the summary must not report success. */
async function prerequisiteRefused(): Promise<void> {
  const town = await makeTown();
  try {
    await restore(town);
    const proxy = await startProxy(town.platform.url, ({ method, path }) =>
      method === 'POST' && path === '/org/local/gvc/town/identity'
        ? { status: 400, body: { status: 400, message: 'no identities today', code: 'refused' } }
        : 'pass',
    );
    const outcome = await applySecond(town, proxy.url);
    await proxy.close();
    demand(outcome.code !== 0, 'it must fail', outcome);
    equal((await town.platform.call('GET', webPath)).status, 200, 'the workload after its prerequisite was refused');
    const again = await applySecond(town);
    demand(again.code === 0, 'the next apply', again);
    await demandChanged(town);
  } finally {
    await town.close();
  }
}

/** The second half of a replacement is refused once: it is reported as such, and the next run repairs it. */
async function creationRefused(): Promise<void> {
  const town = await makeTown();
  try {
    await restore(town);
    const proxy = await startProxy(town.platform.url, ({ method, path }) =>
      method === 'POST' && path === '/org/local/gvc/town/workload'
        ? { status: 400, body: { status: 400, message: 'no workloads today', code: 'refused' } }
        : 'pass',
    );
    const outcome = await applySecond(town, proxy.url);
    await proxy.close();
    demand(outcome.code !== 0, 'it must fail', outcome);
    const gone = (await town.platform.call('GET', webPath)).status === 404;
    if (gone) demand(/deleted, not created again/.test(outcome.stdout), 'the summary hides the deletion', outcome);
    const again = await applySecond(town);
    demand(again.code === 0, 'the next apply', again);
    await demandChanged(town);
  } finally {
    await town.close();
  }
}

/** Another client tags a remaining record before every request of a run: every acknowledged tag is kept. */
async function secondWriter(): Promise<void> {
  const town = await makeTown();
  try {
    await restore(town);
    const acknowledged: string[] = [];
    const proxy = await startProxy(town.platform.url, async ({ number }): Promise<'pass'> => {
      const name = `race/n${number}`;
      const { status } = await town.platform.call('PATCH', '/org/local/gvc/town', { tags: { [name]: 'x' } });
      if (status === 200) acknowledged.push(name);
      return 'pass';
    });
    const folder = makeFolder({ 'gantry.yaml': 'stack: town\n', ...after, 'gvc.yaml': `${gvc}description: changed\n` });
    const outcome = await gantry(remote(proxy.url, 'apply', '.', '--yes'), { cwd: folder.path });
    await proxy.close();
    folder.remove();
    demand(outcome.signal === null, 'it was ended', outcome);
    const { tags } = await must(town.platform, 'GET', '/org/local/gvc/town');
    const kept = new Set(Object.keys(Object(tags)));
    demand(acknowledged.length > 10, `only ${acknowledged.length} writes`);
    equal(
      acknowledged.filter((name) => !kept.has(name)),
      [],
      'writes of others that are lost',
    );
  } finally {
    await town.close();
  }
}

export const kills: readonly Attack[] = [
  { name: 'killed or interrupted during replacements, at 8 requests', run: () => sweepKills(6, 2) },
  { name: 'killed or interrupted during replacements, at 60 requests', long: true, run: () => sweepKills(44, 16) },
  { name: 'a prerequisite of a replacement is refused', run: prerequisiteRefused },
  { name: 'the second half of a replacement is refused', run: creationRefused },
  { name: 'a second writer before every request', run: secondWriter },
];
