import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { columnsOf } from '../../src/commands/call/columns.ts';
import { tableOf } from '../../src/commands/call/present.ts';
import { makePalette } from '../../src/terminal/palette.ts';
import { layoutOf } from '../../src/terminal/table.ts';

const look = {
  palette: makePalette(false),
  width: Number.POSITIVE_INFINITY,
  ts: 'iso',
  isWide: false,
  nowMs: Date.parse('2026-05-31T12:00:00.000Z'),
} as const;

function self(href: string): JsonObject {
  return { links: [{ rel: 'self', href }] };
}

/** The status of a deployment that runs this version of its workload. */
function running(version: number): JsonObject {
  const versions = [{ workload: version, ready: true }];
  return { ready: true, lastProcessedVersion: String(version), expectedDeploymentVersion: String(version), versions };
}

// biome-ignore format: a row is a case
const workloads: readonly JsonObject[] = [
  {
    ...self('/org/acme/gvc/shop/workload/web'),
    kind: 'workload',
    name: 'web',
    description: 'What customers see of the shop, in every one of its countries',
    created: '2026-05-31T08:48:00.000Z',
    tags: { team: 'web', n: 5 },
    status: { endpoint: 'https://e.example', canonicalEndpoint: 'https://web.shop.example' },
    version: 3,
    spec: { localOptions: [{ location: '//location/c', suspend: true }] },
    // Ready in the newest version, ready in an older one, and suspended.
    deployments: [
      { name: 'a', status: running(3) },
      { name: 'b', status: running(2) },
      { name: 'c', status: {} },
    ],
  },
  { ...self('/org/acme/gvc/shop/workload/api'), kind: 'workload', name: 'api', created: '2026-05-19T12:00:00.000Z',
    version: 1, health: { readiness: 'partial', readyLocations: 1, totalLocations: 2 } },
];

/** The columns of platform/clients.columns; the description is cut at 40 characters. */
test('a table of workloads has the documented columns', async () => {
  expect(tableOf(await columnsOf('workload'), workloads, look)).toBe(
    [
      'NAME  DESCRIPTION                               GVC   READY  CREATED                   ENDPOINT                  TAGS',
      'web   What customers see of the shop, in ever…  shop  1/2    2026-05-31T08:48:00.000Z  https://web.shop.example  team=web n=5',
      'api                                             shop  1/2    2026-05-19T12:00:00.000Z',
    ].join('\n'),
  );
});

test('at 80 columns the description is cut before a name, an endpoint or an age', async () => {
  const text = tableOf(await columnsOf('workload'), workloads, { ...look, ts: 'age', width: 80 });
  expect(text).toBe(
    [
      'NAME  DESCRIPTION                   GVC   READY  AGE    ENDPOINT',
      'web   What customers see of the s…  shop  1/2    3h12m  https://web.shop.example',
      'api                                 shop  1/2    12d',
    ].join('\n'),
  );
});

test('at 40 columns less important columns are left out, and no line is longer', async () => {
  expect(tableOf(await columnsOf('workload'), workloads, { ...look, ts: 'age', width: 44 })).toBe(
    ['NAME  READY  AGE    ENDPOINT', 'web   1/2    3h12m  https://web.shop.example', 'api   1/2    12d'].join('\n'),
  );
  expect(tableOf(await columnsOf('workload'), workloads, { ...look, ts: 'age', width: 40 })).toBe(
    ['NAME  READY  ENDPOINT', 'web   1/2    https://web.shop.example', 'api   1/2'].join('\n'),
  );
});

/** Each width is too small for the column in question. */
// biome-ignore format: a row is a case
test.each([
  { it: 'names of locations are left out, not cut', kind: 'gvc', record: { name: 'shop', alias: 'a1',
    spec: { staticPlacement: { locationLinks: ['//location/x-1', '//location/x-2'] } } }, width: 20,
    shown: ['NAME  ALIAS', 'shop  a1'] },
  { it: 'prose with less than 24 characters of room is left out', kind: 'location',
    record: { name: 'x-1', description: 'The first one of all locations', provider: 'byok' }, width: 36,
    shown: ['NAME  PROVIDER', 'x-1   byok'] },
  { it: 'prose with more room is cut before a less important column appears', kind: 'permission',
    record: { name: 'edit', description: 'Change everything that there is.', implies: ['view'] }, width: 36,
    shown: ['NAME  DESCRIPTION', 'edit  Change everything that there …'] },
  { it: 'a log line is shown in full below its row', kind: 'logline', record: { time: '2026-05-31T11:59:00Z',
    replica: 'web-1', container: 'main', line: 'starting registry.example.com/app:1' }, width: 40,
    shown: ['TIME  REPLICA  CONTAINER', '1m    web-1    main', '  starting registry.example.com/app:1'] },
  { it: 'the status of a run is kept, and its location is left out', kind: 'cronexecution',
    record: { workload: 'report', location: 'aws-us-east-1', name: 'f00d', status: 'active' }, width: 30,
    shown: ['WORKLOAD  NAME  STATUS', 'report    f00d  active'] },
])('$it', async ({ kind, record, width, shown }) => {
  expect(tableOf(await columnsOf(kind), [record], { ...look, ts: 'age', width })).toBe(shown.join('\n'));
});

test('a table that continues keeps its columns if a longer row appears, and none becomes narrower', async () => {
  const columns = [{ title: 'NAME' }, { title: 'AGE', rank: 1 }, { title: 'ENDPOINT' }, { title: 'TAGS', rank: 5 }];
  const first = layoutOf(columns, [['web', '1m', 'https://web.example', 'team=web']], 30, { empty: true });
  expect(first.columns.map(({ title }) => title)).toEqual(['NAME', 'AGE', 'ENDPOINT']);
  const later = layoutOf(columns, [['a-longer-name', '', 'https://a-longer-name.example', '']], 30, {
    empty: true,
    earlier: first,
  });
  expect(later.columns.map(({ title, width }) => [title, width])).toEqual([
    ['NAME', 13],
    ['AGE', 3],
  ]);
  expect(later.below).toEqual([2]);
});

test('an endpoint that does not fit next to the name is shown in full below it, and the other columns return', async () => {
  expect(tableOf(await columnsOf('workload'), workloads, { ...look, ts: 'age', width: 30 })).toBe(
    ['NAME  GVC   READY  AGE', 'web   shop  1/2    3h12m', '  https://web.shop.example', 'api   shop  1/2    12d'].join(
      '\n',
    ),
  );
});

test('titles that are wider than their columns are shortened before a column is left out', async () => {
  const sets = [{ name: 'orders-data', spec: { performanceClass: 'general-purpose-ssd', fileSystemType: 'ext4' } }];
  expect(tableOf(await columnsOf('volumeset'), sets, { ...look, width: 40 })).toBe(
    ['NAME         CLASS                FS', 'orders-data  general-purpose-ssd  ext4'].join('\n'),
  );
});

test('only -o wide shows tags of Gantry and descriptions that repeat the name, and it cuts nothing', async () => {
  const tags = { 'gantry/stack': 'shop', 'gantry/applied': '1;a', team: 'web' };
  const records = [
    { ...workloads[0], tags },
    { name: 'api', description: 'api', tags: { 'gantry/stack': 'shop' } },
  ];
  const usual = tableOf(await columnsOf('workload'), records, look);
  expect(usual).toContain('  team=web');
  expect(usual).not.toMatch(/gantry\/|api +api/);
  const wide = tableOf(await columnsOf('workload'), records, { ...look, isWide: true });
  expect(wide).toContain('What customers see of the shop, in every one of its countries');
  expect(wide).toMatch(/gantry\/stack=shop gantry\/applied=1;a team=web\n/);
  expect(wide).toMatch(/^api +api /m);
});

test('a future time is not shown as an age', async () => {
  const snapshot = { name: 'a', location: 'x', created: '2026-05-31T11:59:50Z', expires: '2026-06-07T13:00:00Z' };
  expect(tableOf(await columnsOf('snapshot'), [snapshot], { ...look, ts: 'age' })).toMatch(/ 10s +in 7d/);
});

/** Kinds of records and of other items, each with all fields that their columns read. */
test.each([20, 40, 60, 80])('in a terminal of %i columns no line of a table is longer', async (width) => {
  const long = { description: 'd'.repeat(60), tags: { a: 'b'.repeat(60) }, created: '2026-05-31T08:48:00.000Z' };
  for (const kind of [
    'gvc',
    'workload',
    'domain',
    'volumeset',
    'identity',
    'group',
    'secret',
    'policy',
    'location',
    'event',
  ]) {
    const records = [{ ...long, name: 'a-name', id: 'an-id', type: 'opaque', targetKind: 'workload', provider: 'aws' }];
    const lines = tableOf(await columnsOf(kind), records, { ...look, ts: 'age', width }).split('\n');
    expect({ kind, long: lines.filter((line) => line.length > width) }).toEqual({ kind, long: [] });
  }
});

test('control characters in a record do not reach the terminal', async () => {
  const text = tableOf(await columnsOf('gvc'), [{ name: 'a\u001b[2J', description: 'b\nc' }], look);
  expect(text).toContain('a\\u001b[2J');
  expect(text).toContain('b\\u000ac');
  expect(text.split('\n')).toHaveLength(2);
});

test.each([
  ['iso', '2026-05-31T08:48:00.000Z'],
  ['age', '3h12m'],
  ['local', new Date('2026-05-31T08:48:00.000Z').toLocaleString('sv-SE')],
] as const)('--ts %s', async (ts, shown) => {
  expect(tableOf(await columnsOf('gvc'), workloads.slice(0, 1), { ...look, ts })).toContain(` ${shown} `);
});

test.each([
  ['ready', running(3)],
  ['no such image', { ready: false, message: 'no such image', deploying: true }],
  ['deploying', { deploying: true }],
  ['not ready', {}],
])('a deployment is shown as: %s', async (shown, status) => {
  const [, row] = tableOf(await columnsOf('deployment'), [{ name: 'a', status }], look).split('\n');
  expect(row).toContain(`  ${shown}`);
});

/** platform/clients.columns */
test.each([
  ['gvc', 'NAME, DESCRIPTION, CREATED, ALIAS, DOMAIN, LOCATIONS, TAGS'],
  ['volumeset', 'NAME, DESCRIPTION, GVC, CREATED, PERFORMANCE CLASS, FILE SYSTEM TYPE, TAGS'],
  ['identity', 'NAME, DESCRIPTION, GVC, LOCAL NAME, CREATED, PROVIDERS, TAGS'],
  ['ipset', 'NAME, DESCRIPTION, LINK, LOCATIONS, TAGS'],
  ['group', 'NAME, DESCRIPTION, CREATED, FILTER, ORIGIN, TAGS'],
  ['serviceaccount', 'NAME, DESCRIPTION, CREATED, ORIGIN, KEYS, TAGS'],
  ['auditctx', 'NAME, DESCRIPTION, ORIGIN, TAGS'],
  ['task', 'ID, DESCRIPTION, TYPE, TARGET, CREATED, STATUS'],
  ['location', 'NAME, DESCRIPTION, PROVIDER, ENABLED, REGION, ORIGIN, TAGS'],
  ['event', 'ID, STATUS, CREATED, CONTEXT'],
  ['auditevent', 'TIMESTAMP, NAME, TYPE, VERSION, STATUS, MESSAGE, SUBJECT TYPE, SUBJECT'],
])('the columns of %s', async (kind, titles) => {
  const columns = await columnsOf(kind);
  expect(columns.map(({ title }) => title).join(', ')).toBe(titles);
});

const created = '2026-05-31T08:48:00.000Z';

/** platform/clients.columns, and the fields of these items in platform/commands, audit, access and cron. */
// biome-ignore format: a row is a case
test.each<[kind: string, record: JsonObject, cells: string]>([
  ['event', { id: 'e1', status: 'active', created, context: { a: 'b', n: 1 } }, `e1 active ${created} a=b n=1`],
  ['auditevent', { eventTime: created, resource: { name: 'web', data: { version: 3 } }, action: { type: 'edit' },
    result: { status: 'error', message: 'full' }, subject: { data: { type: 'user', principalLink: '//user/ann' } } },
    `${created} web edit 3 error full user ann`],
  ['command', { id: 'c1', type: 'stopReplica', lifecycleStage: 'failed', spec: { replica: 'r' }, created },
    `c1 stopReplica failed {"replica":"r"} ${created}`],
  ['permission', { name: 'edit', description: 'change', implies: ['view', 'use'] }, 'edit change view use'],
  ['access', { permission: 'edit', principalLink: '/org/acme/group/admins', grantingPolicyLink: '/org/acme/policy/all' },
    'edit group/admins policy/all'],
  ['volume', { location: 'here', index: 1, lifecycle: 'bound', currentSize: 10, volumeSnapshots: [{}, {}] },
    'here 1 bound 10 2'],
  ['snapshot', { name: 's', location: 'here', volumeIndex: 0, created, expires: created, size: 3 },
    `s here 0 ${created} ${created} 3`],
  ['cronexecution', { workload: 'job', location: 'here', name: 'run', status: 'Success', startTime: created,
    completionTime: created, replica: 'r' }, `job here run Success ${created} ${created} r`],
  ['key', { name: 'k1', description: 'ci', created, key: 'k1.secret' }, `k1 ci ${created} k1.secret`],
  ['profile', { name: 'work', default: true, endpoint: 'https://p', org: 'acme', gvc: 'shop', token: 'saved' },
    'work * https://p acme shop saved'],
  ['profile', { name: 'home', default: false, endpoint: 'https://q' }, 'home https://q'],
])('the cells of %s', async (kind, record, cells) => {
  const [, row = ''] = tableOf(await columnsOf(kind), [record], { ...look, isWide: true }).split('\n');
  expect(row.replaceAll(/ {2,}/g, ' ')).toBe(cells);
});

test('a cell that a record made far too wide is cut, and widens no other row', async () => {
  const [web = {}, api = {}] = workloads;
  const table = tableOf(await columnsOf('workload'), [{ ...web, tags: { ['x'.repeat(100_000)]: 1 } }, api], look);
  expect(Math.max(...table.split('\n').map((line) => line.length))).toBeLessThan(1_200);
});
