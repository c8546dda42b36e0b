import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { columnsOf } from '../../src/commands/output/columns.ts';
import { tableOf } from '../../src/commands/output/present.ts';
import { makePalette } from '../../src/terminal/palette.ts';

const look = {
  palette: makePalette(false),
  width: Number.POSITIVE_INFINITY,
  ts: 'iso',
  nowMs: Date.parse('2026-05-31T12:00:00.000Z'),
} as const;

function self(href: string): JsonObject {
  return { links: [{ rel: 'self', href }] };
}

/** Of a deployment that runs this version of its workload. */
function running(version: number): JsonObject {
  const versions = [{ workload: version, ready: true }];
  return { ready: true, lastProcessedVersion: String(version), expectedDeploymentVersion: String(version), versions };
}

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
  {
    ...self('/org/acme/gvc/shop/workload/api'),
    kind: 'workload',
    name: 'api',
    created: '2026-05-19T12:00:00.000Z',
    version: 1,
    health: { readiness: 'partial', readyLocations: 1, totalLocations: 2 },
  },
];

/** Columns of platform/clients.columns; the description is cut at 40 characters. */
test('workloads', () => {
  expect(tableOf(columnsOf('workload'), workloads, look)).toBe(
    [
      'NAME  DESCRIPTION                               GVC   READY  CREATED                   ENDPOINT                  TAGS',
      'web   What customers see of the shop, in ever…  shop  1/2    2026-05-31T08:48:00.000Z  https://web.shop.example  team=web n=5',
      'api                                             shop  1/2    2026-05-19T12:00:00.000Z',
    ].join('\n'),
  );
});

test('in 80 columns the widest cells are cut first, and no line is longer', () => {
  const text = tableOf(columnsOf('workload'), workloads, { ...look, ts: 'age', width: 80 });
  expect(text).toBe(
    [
      'NAME  DESCRIPTION         GVC   READY  CREATED  ENDPOINT            TAGS',
      'web   What customers se…  shop  1/2    3h12m    https://web.shop.…  team=web n=5',
      'api                       shop  1/2    12d',
    ].join('\n'),
  );
  expect(Math.max(...text.split('\n').map(({ length }) => length))).toBe(80);
});

test('control characters of a record do not reach the terminal', () => {
  const text = tableOf(columnsOf('gvc'), [{ name: 'a\u001b[2J', description: 'b\nc' }], look);
  expect(text).toContain('a\\u001b[2J');
  expect(text).toContain('b\\u000ac');
  expect(text.split('\n')).toHaveLength(2);
});

test.each([
  ['iso', '2026-05-31T08:48:00.000Z'],
  ['age', '3h12m'],
  ['local', new Date('2026-05-31T08:48:00.000Z').toLocaleString('sv-SE')],
] as const)('--ts %s', (ts, shown) => {
  expect(tableOf(columnsOf('gvc'), workloads.slice(0, 1), { ...look, ts })).toContain(` ${shown} `);
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
])('the columns of %s', (kind, titles) => {
  expect(
    columnsOf(kind)
      .map(({ title }) => title)
      .join(', '),
  ).toBe(titles);
});
