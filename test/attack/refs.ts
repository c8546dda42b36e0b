import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allRows } from '../../src/commands/table/rows.ts';
import { isGvcScoped, kindNamed } from '../../src/schema/record/kinds.ts';
import { editor } from '../e2e/client/matrix/life.ts';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { listenOnLoopback } from '../harness/loopback.ts';
import { type Attack, demand } from './attack.ts';

/*
 * Every command of every kind that accepts a REF, with links of another kind, org or GVC, against a server that has a
 * record for every path. Nothing may be written, and the right link must be accepted, as proof that the link decides.
 */

const location = 'aws-eu-central-1';

/** The arguments of each command beside its REF, by verb. */
const words: Readonly<Record<string, readonly string[]>> = {
  get: [],
  edit: ['--yes'],
  patch: ['--file', '-'],
  update: ['--set', 'description=changed'],
  clone: ['--name', 'copy-of-it'],
  tag: ['--tag', 'a=b'],
  delete: ['--yes'],
  'access-report': [],
  eventlog: [],
  audit: [],
  'add-location': ['--location', location],
  'remove-location': ['--location', location],
  'update-location': ['--location', `${location},free`],
  'delete-all-workloads': ['--yes'],
  'add-member': ['--serviceaccount', 'robot'],
  'remove-member': ['--serviceaccount', 'robot'],
  'add-key': ['--description', 'ci'],
  'remove-key': ['--key', 'k1'],
  'add-binding': ['--permission', 'view', '--principal', 'group/admins'],
  'remove-binding': ['--permission', 'edit', '--principal', 'group/admins'],
  reveal: [],
  start: [],
  stop: [],
  'force-redeployment': [],
  'get-deployments': [],
  logs: [],
  'replica get': [],
  'replica stop': ['--location', location, '--replica', 'r-0'],
  'cron get': [],
  'cron start': ['--location', location],
  'cron stop': ['--location', location, '--replica', 'r-0'],
  expand: ['--new-size', '40'],
  shrink: ['--new-size', '12', '--yes'],
  'snapshot create': ['--snapshot-name', 'one'],
  'snapshot get': [],
  'snapshot delete': ['--snapshot-name', 'one', '--yes'],
  'snapshot restore': ['--snapshot-name', 'one', '--yes'],
  'volume get': [],
  'volume delete': ['--yes'],
  complete: ['--answer', 'accept'],
};

/** The verbs that only read. */
const reading = new Set([
  ...['get', 'access-report', 'eventlog', 'audit', 'reveal', 'get-deployments', 'logs', 'replica get', 'cron get'],
  ...['snapshot get', 'volume get'],
]);

interface Request {
  readonly method: string;
  readonly path: string;
}

function isWrite({ method, path }: Request): boolean {
  return method !== 'GET' && !path.endsWith('/-query');
}

/** A record for any path, with all fields that commands read. */
function recordAt(path: string): unknown {
  const segments =
    path
      .split('?')[0]
      ?.split('/')
      .filter((each) => each !== '') ?? [];
  const kind = segments.at(-2) ?? '';
  const name = segments.at(-1) ?? '';
  const volumes = [{ index: 0, lifecycle: 'bound', currentSize: 20, volumeSnapshots: [{ name: 'one', id: 's1' }] }];
  return {
    id: 'an-id',
    kind,
    name,
    description: 'as it was',
    version: 3,
    tags: {},
    links: [{ rel: 'self', href: path }],
    created: '2026-01-01T00:00:00.000Z',
    lastModified: '2026-01-01T00:00:00.000Z',
    type: 'dictionary',
    data: { KEY: 'value' },
    memberLinks: ['/org/local/serviceaccount/robot'],
    targetKind: 'gvc',
    target: 'all',
    bindings: [{ permissions: ['edit'], principalLinks: ['/org/local/group/admins'] }],
    keys: [{ name: 'k1' }],
    spec: {
      type: kind === 'workload' ? 'cron' : undefined,
      job: { schedule: '* * * * *' },
      containers: [{ name: 'main', image: 'job:1' }],
      staticPlacement: { locationLinks: [`/org/local/location/${location}`, '/org/local/location/aws-us-west-2'] },
      locations: [{ name: `/org/local/location/${location}`, retentionPolicy: 'keep' }],
      initialCapacity: 20,
      fileSystemType: 'ext4',
    },
    status: { locations: [{ name: location, volumes }] },
  };
}

async function openRecorder() {
  const requests: Request[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '' } = incoming;
    requests.push({ method, path: url });
    const [path = ''] = url.split('?');
    incoming.resume().on('end', () => {
      const last = path.split('/').at(-1) ?? '';
      const collection =
        path.endsWith('/-query') ||
        /^\/org\/[^/]+(\/gvc\/[^/]+)?\/[^/]+$/.test(path) ||
        /\/(deployment|-command|-eventlog)$/.test(path);
      const list = { kind: 'list', items: path.endsWith('/workload') ? [recordAt(`${path}/web`)] : [], links: [] };
      const answer =
        path === '/discovery'
          ? { endpoints: {} }
          : collection && method !== 'POST'
            ? list
            : path.endsWith('/-query')
              ? { ...list, kind: 'queryresult' }
              : recordAt(path);
      const created = method === 'POST' && !path.endsWith('/-query');
      const headers = {
        'content-type': 'application/json',
        ...(created ? { location: last.startsWith('-') ? `${path}/new` : `${path}/copy-of-it` } : {}),
      };
      outgoing.writeHead(created ? 201 : 200, headers).end(JSON.stringify(answer));
    });
  });
  const port = await listenOnLoopback(server);
  return { url: `http://127.0.0.1:${port}`, requests, close: () => server.close() };
}

interface Ref {
  readonly why: string;
  readonly text: string;
}

function wrongRefs(kind: string, scoped: boolean): readonly Ref[] {
  const home = scoped ? `gvc/shop/${kind}` : kind;
  // biome-ignore format: a row is a case
  const others = [
    'gvc/shop', 'gvc/shop/workload/web', 'gvc/shop/volumeset/data', 'secret/key', 'group/team',
    'location/aws-us-west-2',
  ];
  return [
    ...others
      .filter((path) => path.split('/').at(-2) !== kind)
      .flatMap((path) => [
        { why: 'another kind', text: `//${path}` },
        { why: 'another kind, in full', text: `/org/local/${path}` },
      ]),
    { why: 'another org', text: `/org/other/${home}/one` },
    ...(scoped ? [{ why: 'another GVC', text: `//gvc/other/${kind}/one` }] : []),
    ...(scoped ? [] : [{ why: 'what lives in a GVC', text: `//gvc/shop/${kind}/one` }]),
    { why: 'the whole kind', text: `//${home}` },
    { why: 'something below it', text: `//${home}/one/deployment` },
    { why: 'an operation', text: `//${home}/one/-command` },
    { why: 'dots', text: `//${home}/../../gvc/shop` },
    { why: 'encoded dots', text: `//${home}/%2e%2e/gvc/shop` },
    { why: 'the org', text: '/org/local' },
  ].filter(({ text }) => kind !== 'org' || others.some((path) => text.endsWith(path)));
}

interface Line {
  readonly kind: string;
  readonly verb: string;
  readonly scoped: boolean;
}

async function lines(): Promise<readonly Line[]> {
  return [...(await allRows())].flatMap(([noun, rows]) => {
    const kind = kindNamed(noun);
    if (kind === undefined) return [];
    return rows
      .filter(({ args = [] }) => args.some((arg) => /ref/.test(arg)))
      .map(({ verb }) => ({ kind: noun, verb, scoped: isGvcScoped(kind) }));
  });
}

async function everyVerb(every: number): Promise<void> {
  const recorder = await openRecorder();
  const cwd = mkdtempSync(join(tmpdir(), 'gantry-refs-'));
  const run = async ({ kind, verb, scoped }: Line, ref: string) => {
    const more = words[verb];
    if (more === undefined) throw new Error(`${kind} ${verb} is new: say in test/attack/refs.ts what it needs`);
    const from = recorder.requests.length;
    const args = [kind, ...verb.split(' '), ref, ...more, ...(scoped ? ['--gvc', 'shop'] : []), '-o', 'json'];
    const outcome = await inProcess(recorder, args, { cwd, input: 'description: changed\n', env: { EDITOR: editor } });
    return { ...outcome, sent: recorder.requests.slice(from), args };
  };
  const found: string[] = [];
  try {
    for (const [index, line] of (await lines()).entries()) {
      if (index % every !== 0) continue;
      const home = line.scoped ? `/org/local/gvc/shop/${line.kind}` : `/org/local/${line.kind}`;
      const right = await run(line, line.kind === 'org' ? '/org/local' : `${home}/one`);
      const reached = right.sent.some((request) => reading.has(line.verb) || isWrite(request));
      if (!reached) found.push(`${right.args.join(' ')}: does nothing (${right.code}): ${right.stderr.slice(0, 300)}`);
      for (const { why, text } of wrongRefs(line.kind, line.scoped)) {
        const { code, sent, args, stderr } = await run(line, text);
        const writes = sent.filter(isWrite).map(({ method, path }) => `${method} ${path}`);
        if (writes.length > 0) found.push(`${args.join(' ')} (${why}) wrote: ${writes.join(', ')}`);
        else if (code === 0) found.push(`${args.join(' ')} (${why}) succeeded`);
        else if (/^\s+at \S.*[(/:]/m.test(stderr)) found.push(`${args.join(' ')} (${why}): a raw trace`);
      }
    }
  } finally {
    recorder.close();
    rmSync(cwd, { recursive: true, force: true });
  }
  demand(found.length === 0, `${found.length} wrong`, found.join('\n'));
}

/** Every option that accepts a link, with one of a wrong kind, or of another org. */
// biome-ignore format: a row is a case
const options: readonly string[] = [
  'workload create --name web --image web:1 --gvc shop --identity LINK', 'ipset create --name ips --link LINK',
  'ipset create --name ips --location LINK', 'ipset add-location ips --location LINK',
  'group create --name team --serviceaccount LINK', 'group add-member team --serviceaccount LINK',
  'group remove-member team --serviceaccount LINK', 'policy create --name see --target-kind gvc --target LINK',
  'policy add-binding see --permission view --principal LINK',
  'cloudaccount create --name cloud --provider azure --secret LINK', 'domain create --name example.com --gvc-link LINK',
  'domain create --name example.com --workload-link LINK', 'domain create --name example.com --route /=LINK',
  'gvc create --name shop --location LINK', 'gvc add-location shop --location LINK',
  'workload cron start job --gvc shop --location LINK',
  'workload replica stop web --gvc shop --replica r-0 --location LINK',
  'volumeset expand data --gvc shop --new-size 40 --location LINK', 'workload stop web --gvc LINK',
];

async function everyOption(): Promise<void> {
  const recorder = await openRecorder();
  const cwd = mkdtempSync(join(tmpdir(), 'gantry-refs-'));
  const found: string[] = [];
  try {
    for (const line of options) {
      for (const link of ['//image/web:1', '/org/other/image/web:1', '//quota/x']) {
        const from = recorder.requests.length;
        const { code } = await inProcess(recorder, line.replace('LINK', link).split(' '), { cwd });
        const writes = recorder.requests
          .slice(from)
          .filter(isWrite)
          .map(({ method, path }) => `${method} ${path}`);
        if (writes.length > 0 || code === 0)
          found.push(`${line.replace('LINK', link)}: exit code ${code}, wrote ${writes.join(', ')}`);
      }
    }
  } finally {
    recorder.close();
    rmSync(cwd, { recursive: true, force: true });
  }
  demand(found.length === 0, `${found.length} wrong`, found.join('\n'));
}

export const refs: readonly Attack[] = [
  { name: 'links of another kind, org or GVC, every fifth command', run: () => everyVerb(5) },
  { name: 'links of another kind, org or GVC, every command of every kind', long: true, run: () => everyVerb(1) },
  { name: 'options that take a link, with one of another kind or org', run: everyOption },
];
