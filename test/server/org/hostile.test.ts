import { expect, test } from 'vitest';
import { isObject } from '../../../src/base/json/json.ts';
import { platformForAll } from '../platform.ts';
import { expectRefusalForm } from '../refusal.ts';

const platform = platformForAll({}, async (platform) => {
  await platform.send('POST', 'gvc', { name: 'shop' });
  await platform.send('POST', 'auditctx', { name: 'own' });
});

/** Hostile names, each of which must be refused in the one form at every address. */
const segments = [
  '%00',
  'a%00b',
  '%2e%2e%2f',
  '..%2f..%2fetc',
  '%2F',
  '%',
  '%zz',
  '%c0%af',
  '%F0%9F%92%A9',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  "'%20OR%201=1--",
  'x'.repeat(3_000),
  '%20',
  '-x',
  '*',
  '{name}',
];
const templates = [
  '/audit/org/local/id/*',
  '/audit/org/*',
  '/audit/org/local?contextName=*',
  '/audit/org/local?next=*',
  '/audit/org/local?fromEvent=*',
  '/org/*',
  '/account/*',
  '/org/local/gvc/*/-eventlog',
  '/org/local/gvc/shop/-eventlog/*',
  '/org/local/gvc/shop/-eventlog?next=*',
  '/-exporter/terraform/org/local/gvc/*',
  '/-exporter/crd/org/*/gvc/shop',
  '/-exporter/*/org/local/gvc/shop',
];

test.each(templates)('%s with hostile names is refused in the usual form (platform/errors.body)', async (template) => {
  for (const segment of segments) {
    const path = template.replace('*', segment);
    const { status, body } = await platform.send('GET', path);
    const told = `${path}: ${status} ${JSON.stringify(body)}`;
    expect(status, told).toBeGreaterThanOrEqual(400);
    expect(status, told).toBeLessThan(500);
    expectRefusalForm(status, body);
    expect(JSON.stringify(body)).not.toMatch(/\bat .*\.[jt]s:\d+|node:internal|SQLITE/);
    expect(JSON.stringify(body).length, told).toBeLessThan(10_000);
  }
});

const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
const bodies: readonly (string | Uint8Array)[] = [
  '',
  ' ',
  'null',
  'true',
  '1',
  '"text"',
  '[]',
  '{',
  '{"a":}',
  '{"name":"x","name":',
  '{"__proto__":{"name":"x"}}',
  '{"constructor":1}',
  '{"name":{"toString":1}}',
  '{"name":"\\u0000"}',
  '{"name":"\\ud800"}',
  `{"name":${deep}}`,
  `{"resource":{"id":"x","type":"y","data":${deep}}}`,
  `{"name":"${'x'.repeat(100_000)}"}`,
  `{"description":1e999,"tags":{"":""}}`,
  `{"tags":${JSON.stringify(Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`t${index}`, 'x'])))}}`,
  `{"$drop":"name"}`,
  `{"spec":{"$append/nope":[1]}}`,
  new Uint8Array([0xff, 0xfe, 0x7b, 0x7d]),
];

test.each([
  ['POST', '/org'],
  ['POST', '/account/local/org'],
  ['PATCH', '/org/local'],
  ['PUT', '/org/local'],
  ['POST', '/audit/org/local/auditctx/own'],
  ['POST', '/audit/org/local/auditctx/%00'],
])('%s %s with a hostile body is refused in the usual form, and writes nothing', async (method, path) => {
  const before = await platform.send('GET', '/org/local');
  for (const body of bodies) {
    const answer = await platform.send(method, path, body);
    const told = `${String(body).slice(0, 60)}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`;
    if (answer.status === 200) {
      // An empty change, such as from a null body, changes nothing.
      expect(answer.body['version'], told).toBe(before.body['version']);
      continue;
    }
    expect([400, 404, 413], told).toContain(answer.status);
    expect(answer.body, told).toMatchObject({
      status: answer.status,
      message: expect.any(String),
      id: expect.any(String),
    });
    expect(JSON.stringify(answer.body).length, told).toBeLessThan(50_000);
    expect(JSON.stringify(answer.body), told).not.toMatch(/\bat .*\.[jt]s:\d+/);
  }
  const after = await platform.send('GET', '/org/local');
  expect(after.body).toEqual(before.body);
});

test('the audit trail can be read after all hostile requests', async () => {
  const { status, body } = await platform.send('GET', '/audit/org/local?limit=1000');
  expect([status, isObject(body)]).toEqual([200, true]);
});
