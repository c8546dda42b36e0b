import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isArray, isObject, type JsonObject, type JsonValue, own } from '../../src/base/json/json.ts';
import type { ServerOptions } from '../../src/server/options.ts';
import { container, names, nextOf, type TestPlatform, testPlatform, testStore } from './platform.ts';

const readyAfterMs = 10_000;
const begun = 1_700_000_000_000;
const web = 'gvc/shop/workload/web';
/** Read before each change, so that the answers are cached, and after it. */
const paths = [web, 'gvc/shop/workload?limit=1000', 'workload?limit=2', 'gvc/shop', 'gvc', 'secret/key', 'group'];

const ann = 'ann@example.com';
const annToken = { token: 'token-of-ann', principal: `//user/${ann}` };

let nowMs = begun;
let folder = '';
let place: Partial<ServerOptions> = {};
let platform: TestPlatform;

beforeEach(async () => {
  nowMs = begun;
  folder = mkdtempSync(join(tmpdir(), 'gantry-texts-'));
  const shared = testStore();
  // A file has its key beside it. Deriving a key from a text costs every server a tenth of a second.
  place = shared.store === undefined ? { data: join(folder, 'platform.db') } : { ...shared, secretKey: 'k' };
  platform = await another();
  const locationQuery = { spec: { terms: [{ tag: 'edge', value: 'yes' }] } };
  const locationLinks = ['//location/aws-us-east-1'];
  await did('POST', 'gvc', { name: 'shop', spec: { staticPlacement: { locationLinks, locationQuery } } });
  const env = [{ name: 'PASSWORD', value: 'scheme://secret/key.payload' }];
  for (const name of ['web', 'api', 'batch']) {
    await did('POST', 'gvc/shop/workload', { name, spec: { type: 'standard', containers: [container()] } });
  }
  await did('POST', 'gvc/shop/workload', {
    name: 'held',
    spec: { type: 'standard', containers: [container({ env })] },
  });
  await did('POST', 'gvc/shop/workload', {
    name: 'own',
    spec: { type: 'standard', containers: [container({ image: '//image/web:1' })] },
  });
  await did('POST', 'secret', { name: 'other', type: 'opaque', data: { payload: 'x' } });
  await did('POST', 'group', { name: 'makers' });
});
afterEach(async () => {
  await platform.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a server on the same database, with an empty cache. */
function another(): Promise<TestPlatform> {
  return testPlatform({ ...place, readyAfterMs, now: () => nowMs, users: [ann], tokens: [annToken] });
}

async function did(method: string, path: string, body?: JsonObject, by = platform): Promise<void> {
  const { status, body: answer } = await by.send(method, path, body);
  expect(status, `${method} ${path}: ${JSON.stringify(answer)}`).toBeLessThan(300);
}

async function textOf(by: TestPlatform, path: string, authorization = 'secret-token'): Promise<string> {
  const response = await fetch(`${by.url}/org/local/${path}`, { headers: { authorization } });
  // The body of a refusal has the id of its request, so only its status can be compared.
  return response.ok ? response.text() : String(response.status);
}

/** The value at this place in the answer to `path`. */
async function valueAt(path: string, pointer: readonly (number | string)[]): Promise<JsonValue | undefined> {
  let value: JsonValue | undefined = (await platform.send('GET', path)).body;
  for (const part of pointer) {
    if (isArray(value) && typeof part === 'number') value = value[part];
    else value = isObject(value) && typeof part === 'string' ? own(value, part) : undefined;
  }
  return value;
}

interface Change {
  readonly it: string;
  readonly method?: string;
  readonly at?: string;
  readonly body?: JsonObject;
  readonly before?: readonly (readonly [string, string, JsonObject?])[];
  /** Milliseconds that pass after the change. */
  readonly later?: number;
  /** Whether another process on the same database makes the change. */
  readonly elsewhere?: boolean;
  readonly path: string;
  readonly pointer: readonly (number | string)[];
  readonly was: JsonValue | undefined;
  readonly is: JsonValue | undefined;
}

const edge = { tags: { edge: 'yes' } };
const readiness = ['health', 'readiness'];
// biome-ignore format: a row is a case
const changes: readonly Change[] = [
  { it: 'a change of the record', ...{ method: 'PATCH', at: web, body: { description: 'new' } },
    ...{ path: web, pointer: ['description'], was: 'web', is: 'new' } },
  { it: 'a change of the record by another process',
    ...{ method: 'PATCH', at: web, body: { description: 'new' }, elsewhere: true },
    ...{ path: 'gvc/shop/workload?limit=1000', pointer: ['items', 4, 'description'], was: 'web', is: 'new' } },
  { it: 'the replacement of the record by another process, which deletes it and creates a new one',
    ...{ before: [['DELETE', web]], elsewhere: true }, ...{ method: 'POST', at: 'gvc/shop/workload' },
    body: { name: 'web', description: 'again', spec: { type: 'serverless', containers: [container()] } },
    ...{ path: web, pointer: ['description'], was: 'web', is: 'again' } },
  { it: 'the end of its rollout',
    ...{ later: readyAfterMs, path: web, pointer: readiness, was: 'notReady', is: 'ready' } },
  { it: 'a clock that is set back',...{ later: -1, path: web, pointer: readiness, was: 'ready', is: 'notReady' } },
  { it: 'another variable of the GVC, which rolls its workloads out again',
    ...{ method: 'PATCH', at: 'gvc/shop', body: { spec: { env: [{ name: 'A', value: 'b' }] } }, later: 1 },
    ...{ path: web, pointer: readiness, was: 'ready', is: 'notReady' } },
  { it: 'another alias of the GVC by another process',
    ...{ method: 'PATCH', at: 'gvc/shop', body: { spec: { aliasWorkloadLink: '//gvc/shop/workload/web' } },
      elsewhere: true },
    ...{ path: 'gvc/shop', pointer: ['spec', 'aliasWorkloadLink'], was: undefined,
      is: '/org/local/gvc/shop/workload/web' } },
  { it: 'a tag of a location that the query of the GVC matches',
    ...{ method: 'PATCH', at: 'location/azure-eastus2', body: edge },
    ...{ path: web, pointer: ['health', 'totalLocations'], was: 1, is: 2 } },
  { it: 'a tag of a location that the query of the GVC matches, by another process',
    ...{ method: 'PATCH', at: 'location/azure-eastus2', body: edge, elsewhere: true },
    ...{ path: 'workload?limit=2', pointer: ['items', 0, 'health', 'totalLocations'], was: 1, is: 2 } },
  { it: 'the creation of a secret that a rollout waits for',
    ...{ method: 'POST', at: 'secret', body: { name: 'key', type: 'opaque', data: { payload: 'x' } },
      later: readyAfterMs },
    ...{ path: 'gvc/shop/workload/held', pointer: readiness, was: 'notReady', is: 'ready' } },
  { it: "a push of an image into the org's registry",
    ...{ method: 'POST', at: 'image/-simulate', body: { name: 'web:1', digest: 'sha256:abc' } },
    path: 'gvc/shop/workload/own', pointer: ['status', 'resolvedImages', 'errorMessages'],
    was: ['/org/local/image/web:1 is not in the registry'], is: [] },
  { it: 'simulated use', ...{ method: 'POST', at: `${web}/-simulate`, body: { replicas: 3 } },
    ...{ path: web, pointer: ['health', 'totalReplicas'], was: 1, is: 3 } },
];

test.each(changes)('$it is shown immediately, as by a server with an empty cache', async (change) => {
  if (change.was === 'ready') nowMs += readyAfterMs;
  const first = await Promise.all(paths.map((path) => textOf(platform, path)));
  expect(await Promise.all(paths.map((path) => textOf(platform, path)))).toEqual(first);
  expect(await valueAt(change.path, change.pointer)).toEqual(change.was);

  const writer = change.elsewhere === true ? await another() : platform;
  for (const [method, path, body] of change.before ?? []) await did(method, path, body, writer);
  if (change.method !== undefined) await did(change.method, change.at ?? '', change.body, writer);
  if (writer !== platform) await writer.close();
  nowMs += change.later ?? 0;

  expect(await valueAt(change.path, change.pointer)).toEqual(change.is);
  const fresh = await another();
  for (const path of [...paths, change.path]) expect(await textOf(platform, path)).toBe(await textOf(fresh, path));
  await fresh.close();
});

test('the values of a secret are in the answer to -reveal, and in no later answer', async () => {
  await platform.send('GET', 'secret/other');
  expect((await platform.send('GET', 'secret/other/-reveal')).body).toMatchObject({ data: { payload: 'x' } });
  expect((await platform.send('GET', 'secret/other')).body).not.toHaveProperty('data');
  expect(await textOf(platform, 'secret')).not.toContain('payload');
});

test('a dry run does not change later answers', async () => {
  const before = await textOf(platform, web);
  const spec = { type: 'standard', containers: [container({ image: 'shop/web:2' })] };
  const rehearsed = await platform.send('PUT', `${web}?dryRun=true`, { name: 'web', spec });
  expect(rehearsed.body).toMatchObject({ version: 2, spec: { containers: [{ image: 'shop/web:2' }] } });
  expect(await textOf(platform, web)).toBe(before);
  expect(await textOf(platform, 'gvc/shop/workload?limit=1')).toContain('shop/web:1');
});

test.each([{ by: 'this server' }, { by: 'another process' }])(
  'a policy grants nothing after $by removed it',
  async ({ by }) => {
    const bindings = [{ permissions: ['view'], principalLinks: [`//user/${ann}`] }];
    await did('POST', 'policy', {
      name: 'look',
      targetKind: 'workload',
      targetLinks: ['//gvc/shop/workload/web'],
      bindings,
    });
    const list = 'gvc/shop/workload';
    expect(await textOf(platform, web, annToken.token)).toContain('"name":"web"');
    expect(JSON.parse(await textOf(platform, list, annToken.token))).toMatchObject({ items: [{ name: 'web' }] });

    const writer = by === 'this server' ? platform : await another();
    await did('DELETE', 'policy/look', undefined, writer);
    if (writer !== platform) await writer.close();
    expect(await textOf(platform, web, annToken.token)).toBe('403');
    expect(JSON.parse(await textOf(platform, list, annToken.token))).toMatchObject({ items: [] });
  },
);

test('a page that needs several reads has every record once, in order, and links the next page', async () => {
  const many = Array.from({ length: 230 }, (_, at) => `app-${String(at).padStart(3, '0')}`);
  for (const name of many) await did('POST', 'gvc/shop/identity', { name });
  const first = await platform.send('GET', 'gvc/shop/identity?limit=229');
  expect(names(first)).toEqual(many.slice(0, 229));
  expect(names(await platform.send('GET', nextOf(first.body) ?? ''))).toEqual(['app-229']);
  const whole = await platform.send('GET', 'gvc/shop/identity?limit=230');
  expect([names(whole), nextOf(whole.body)]).toEqual([many, undefined]);
});
