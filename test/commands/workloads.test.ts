import { beforeEach, describe, expect, test } from 'vitest';
import { succeeded } from '../outcome.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { useQuickLooks } from './quickLooks.ts';
import { useServer } from './useServer.ts';

const shop = '/org/acme/gvc/shop';

function record(kind: string, name: string, more: object = {}) {
  const self = `${shop}/${kind}/${name}`;
  const links = [
    { rel: 'self', href: self },
    { rel: 'deployment', href: `${self}/deployment` },
  ];
  return { kind, name, id: `${name}-id`, version: 1, links, ...more };
}

const web = record('workload', 'web');

/** The answers by path; a number is a status. Several are given in turn, also after a DELETE, and the last one again. */
let answers: Readonly<Record<string, readonly (object | number)[]>> = {};
let sent: string[] = [];

const send = useServer(temporaryFolder('workloads'), (request, response) => {
  const { method = 'GET', url = '' } = request;
  const [path = ''] = url.split('?');
  const later = sent.slice(sent.indexOf(`DELETE ${path}`) + 1);
  const before = later.filter((each) => each.split('?')[0] === `${method} ${path}`).length;
  sent.push(`${method} ${url}`);
  const found = method === 'DELETE' ? [{}] : (answers[path] ?? [404]);
  const answer = found[before] ?? found.at(-1) ?? 404;
  if (typeof answer === 'number') response.writeHead(answer).end('{"message": "not now"}');
  else response.end(JSON.stringify(answer));
});
const run = (line: string) => send(`${line} --gvc shop`.replaceAll(/ +/g, ' '));
const items = async (line: string) => JSON.parse((await succeeded(run(`${line} -o json`))).stdout).items;
useQuickLooks();
beforeEach(() => {
  sent = [];
});

/** platform/wire.discovery, and the options in docs/client.md. Loki answers with at most 5,000 lines. */
describe('workload logs', () => {
  const stream = (replica: string, ...values: readonly unknown[]) => ({ stream: { replica }, values });
  const [first, second] = ['1769817600', '1769817601'].map((seconds) => `${seconds}000000000`);
  const newestFirst = [[second, '4'], [first, '2'], [first, '1'], ['no line'], 'no value'];
  const result = [stream('b', ...newestFirst), stream('a', [first, '3'])];
  beforeEach(() => {
    answers = {
      [`${shop}/workload/web`]: [web],
      '/discovery': [{ endpoints: { logs: '/' } }],
      '/logs/org/acme/loki/api/v1/query_range': [{ data: { result } }],
    };
  });

  test.each([
    ['', '', '50'],
    ['--location here --container main --replica r-1', ', location="here", container="main", replica="r-1"', '50'],
    ['--max 7', '', '7'],
    ['--max 0', '', '5000'],
    ['--max 6000', '', '5000'],
  ])('%s asks for the newest lines of what is named', async (options, more, limit) => {
    await succeeded(run(`workload logs web --since 2026-01-31 ${options}`));
    const query = `{gvc="shop", workload="web"${more}}`;
    const asked = new URLSearchParams(sent.at(-1)?.split('?')[1]);
    expect(Object.fromEntries(asked)).toEqual({ query, limit, start: first, direction: 'backward' });
  });

  test('shows the lines of the last hour, of all replicas, oldest first, and skips what is no line', async () => {
    const shown = await items('workload logs web');
    expect(shown.map(({ line }: { readonly line: string }) => line)).toEqual(['1', '2', '3', '4']);
    expect(shown[3]).toMatchObject({ time: '2026-01-31T00:00:01.000Z', replica: 'b', location: '', container: '' });
    const startMs = Number(new URLSearchParams(sent.at(-1)?.split('?')[1]).get('start')) / 1_000_000;
    expect(Math.abs(Date.now() - 3_600_000 - startMs)).toBeLessThan(60_000);
  });

  test.each([
    [404, /api\.bad-reply: the service logs cannot be used: the platform does not say where it is/],
    [302, /api\.redirect: /],
  ])('ends with an error if discovery is answered with %i', async (status, says) => {
    answers = { ...answers, '/discovery': [status] };
    expect(await run('workload logs web')).toMatchObject({ code: 1, stderr: expect.stringMatching(says) });
  });
});

/** platform/cron.executions, platform/commands.stages */
test('cron get shows runs by schedule, and those on demand by the stages of their commands', async () => {
  const job = record('workload', 'job', { spec: { type: 'cron' } });
  const [created, lastModified] = ['2026-01-31T00:00:00.000Z', '2026-01-31T00:01:00.000Z'];
  const command = (id: string, type = 'runCronWorkload') => {
    return { id, type, lifecycleStage: id, spec: { location: 'here' }, created, lastModified };
  };
  const jobExecutions = [{ name: 'job-1', status: 'Removed', replica: 'r' }, { name: 'command-c1' }];
  const commands = ['pending', 'running', 'completed', 'failed', 'cancelled'].map((stage) => command(stage));
  answers = {
    [`${shop}/workload`]: [{ items: [job, web] }],
    [`${shop}/workload/job`]: [job],
    [`${shop}/workload/job/deployment`]: [{ items: [{ name: 'here', status: { jobExecutions } }, { name: 'there' }] }],
    [`${shop}/workload/job/-command`]: [{ items: [...commands, command('running', 'stopReplica')] }],
  };
  const place = { workload: 'job', location: 'here' };
  const onDemand = (name: string, status: string, more: object = {}) => {
    return { ...place, name, status, replica: `command-${name}-0`, startTime: created, ...more };
  };
  const runs = [
    { ...place, name: 'job-1', status: 'Removed', replica: 'r' },
    onDemand('pending', 'Active'),
    onDemand('running', 'Active'),
    onDemand('completed', 'Success', { completionTime: lastModified }),
    onDemand('failed', 'Failure', { completionTime: lastModified }),
    onDemand('cancelled', 'cancelled'),
  ];
  for (const words of ['', 'job', '--location here']) expect(await items(`workload cron get ${words}`)).toEqual(runs);
  expect(await items('workload cron get --location there')).toEqual([]);
  expect((await run('workload cron get')).stderr).toMatch(/^Lines of a run: gantry workload logs job --replica r /);
});

/** platform/clients.kinds */
test.each([
  [404, { code: 0, stdout: expect.stringMatching(/^web +shop$/m) }],
  [403, { code: 1, stdout: '' }],
])('workload get counts a missing deployment as none; another answer is an error: %i', async (status, shown) => {
  answers = { [`${shop}/workload`]: [{ items: [web] }], [`${shop}/workload/web/deployment`]: [status] };
  expect(await run('workload get')).toMatchObject(shown);
});

test('audit of a record that cannot be read is an error: only what is not found was deleted', async () => {
  answers = { [`${shop}/workload/web`]: [403] };
  expect(await run('workload audit web')).toMatchObject({ code: 1, stderr: expect.stringContaining('api.forbidden') });
  expect(sent).toEqual([`GET ${shop}/workload/web`]);
});

test('replica get names the locations that do not say where their replicas are listed', async () => {
  const deployments = [{ name: 'here', status: { remote: '/far' } }, { name: 'there' }];
  answers = {
    [`${shop}/workload/web/deployment`]: [{ items: deployments }],
    [`/far/replicas${shop}/workload/web`]: [{ items: ['web-1'] }],
  };
  expect(await run('workload replica get web -o names')).toMatchObject({
    stdout: 'web-1\n',
    stderr: 'The deployment in there does not say where its replicas are listed.\n',
  });
});

/** platform/clients.kinds */
test('gvc delete --force deletes workloads, volume sets, then identities, and waits until the first two are gone', async () => {
  const locations = [{ name: 'here', volumes: [{ index: 0, currentSize: 10 }] }];
  const all = [record('identity', 'i'), record('volumeset', 'v', { status: { locations } }), record('workload', 'w')];
  answers = { [shop]: [{ kind: 'gvc', name: 'shop', id: 'shop-id', version: 1 }] };
  for (const each of all) {
    const looks = { identity: [], volumeset: [404], workload: [each, 404] }[each.kind] ?? [];
    const path = `${shop}/${each.kind}`;
    answers = { ...answers, [path]: [{ items: [each] }], [`${path}/${each.name}`]: [each, ...looks] };
  }
  expect((await run('gvc delete shop --force')).stderr).toContain('  with volume 0 in here with 10 GB of v\n');
  sent = [];
  await succeeded(run('gvc delete shop --force --yes'));
  const of = (path: string, looks: number) => [`DELETE ${path}`, ...Array(looks).fill(`GET ${path}`)].map(String);
  const first = sent.findIndex((each) => each.startsWith('DELETE'));
  expect(sent.slice(first).filter((each) => each !== 'GET /org')).toEqual([
    ...of(`${shop}/workload/w`, 3),
    ...of(`${shop}/volumeset/v`, 2),
    ...of(`${shop}/identity/i`, 0),
    ...of(shop, 0),
  ]);
});
