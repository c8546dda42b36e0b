import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt } from '../../src/base/json/json.ts';
import { container, platformForAll } from './platform.ts';

const platform = platformForAll(
  { users: ['nobody@example.com'], tokens: [{ token: 'nobody-at-all', principal: '//user/nobody@example.com' }] },
  async (platform) => {
    await platform.send('POST', 'gvc', { name: 'shop' });
  },
);

function env(count: number): readonly JsonObject[] {
  return Array.from({ length: count }, (_, at) => ({ name: `E_${at}`, value: 'x' }));
}

function workload(name: string, more: JsonObject): JsonObject {
  return { name, spec: { type: 'standard', containers: [container(more)] } };
}

function firstPath(body: JsonObject): unknown {
  const [first] = listAt(objectAt(body, 'details'), 'problems');
  return isObject(first) ? first['path'] : undefined;
}

test('a list can have 1,000 items and no more', async () => {
  const most = await platform.send('POST', 'gvc/shop/workload', workload('most', { env: env(1_000) }));
  expect(most.status).toBe(201);
  const more = await platform.send('POST', 'gvc/shop/workload', workload('more', { env: env(1_001) }));
  expect([more.status, more.body['code'], firstPath(more.body)]).toEqual([
    400,
    'validation_failed',
    'spec.containers.0.env',
  ]);
  expect(more.body['message']).toContain('at most 1000 items');
});

test('a patch cannot append to a list beyond 1,000 items', async () => {
  const grown = {
    spec: { '$patch/containers': [{ name: 'main', '$append/env': [{ name: 'ONE_MORE', value: 'x' }] }] },
  };
  const answer = await platform.send('PATCH', 'gvc/shop/workload/most', grown);
  expect([answer.status, answer.body['message']]).toEqual([400, expect.stringContaining('at most 1000 items')]);
});

test.each([
  [1_000, 200],
  [1_001, 400],
])('an object of %d members is answered with %d', async (count, status) => {
  const members = Object.fromEntries(Array.from({ length: count - 1 }, (_, at) => [`key${at}`, 'x']));
  const answer = await platform.send('PUT', 'secret', {
    name: `s${count}`,
    type: 'dictionary',
    data: { ...members, last: 'x' },
  });
  expect(answer.status === 201 ? 200 : answer.status).toBe(status);
});

/** A record of `count` values: the object, its members, and lists of numbers below one of them. */
function ofValues(count: number): JsonObject {
  const lists: number[][] = [];
  // Each list counts as a value, as do the object, its name and the list of lists.
  for (let left = count - 3; left > 0; left -= 1_000) lists.push(Array<number>(Math.min(999, left - 1)).fill(1));
  return { name: 'values', lists };
}

test.each([
  [10_000, 400],
  [10_001, 413],
])('a body of %d values is answered with %d', async (count, status) => {
  const answer = await platform.send('POST', 'gvc', ofValues(count));
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  if (status === 413) expect(answer.body['message']).toBe('the body contains more than 10000 values');
});

test('brackets and commas within a text do not count as values', async () => {
  const data = { encoding: 'plain', payload: '[{,"\\'.repeat(20_001) };
  expect((await platform.send('POST', 'secret', { name: 'quotes', type: 'opaque', data })).status).toBe(201);
});

function ofBytes(bytes: number, name: string): string {
  const around = `{"name":"${name}","description":""}`;
  return `{"name":"${name}","description":"${'x'.repeat(bytes - around.length)}"}`;
}

test.each([
  [1_048_576, 400],
  [1_048_577, 413],
])('a body of %d bytes is answered with %d', async (bytes, status) => {
  // The smaller body is read, and refused because its description is too long.
  expect((await platform.send('POST', 'group', ofBytes(bytes, `bytes-${bytes}`))).status).toBe(status);
});

test.each([
  [2_097_152, 201],
  [2_097_153, 413],
])('a secret of %d bytes is answered with %d', async (bytes, status) => {
  const around = '{"name":"large","type":"opaque","data":{"encoding":"plain","payload":""}}';
  const text = around.replace('""', `"${'x'.repeat(bytes - around.length)}"`);
  expect((await platform.send('POST', 'secret', text)).status).toBe(status);
  await platform.send('DELETE', 'secret/large');
});

test.each([
  ['9007199254740992', 'spec.staticPlacement.x'],
  ['9007199254740993', 'tags.x'],
  ['-9007199254740992', 'tags.x'],
  ['12345678901234567890', 'spec.extra.0.x'],
  ['1e300', 'tags.x'],
  ['1e400', 'tags.x'],
])('the number %s at %s is refused rather than rounded', async (number, path) => {
  const value = path
    .split('.')
    .reduceRight((inner, key) => (key === '0' ? `[${inner}]` : `{"${key}":${inner}}`), number);
  const text = value.replace(/^\{/, '{"name":"rounded",');
  const { status, body } = await platform.send('POST', 'gvc', text);
  expect(status).toBe(400);
  expect(body['message']).toBe(`${path}: an integer beyond ±9007199254740991 cannot be stored as it was written`);
  expect((await platform.send('GET', 'gvc/rounded')).status).toBe(404);
});

test('integers up to ±9007199254740991, and fractions, are stored as they were written', async () => {
  const text = '{"name":"exact","tags":{"a":9007199254740991,"b":-9007199254740991,"c":0.1,"d":123456789.5}}';
  const { status, body } = await platform.send('POST', 'gvc', text);
  expect([status, body['tags']]).toEqual([201, { a: 9007199254740991, b: -9007199254740991, c: 0.1, d: 123456789.5 }]);
});

test.each([
  [100, undefined],
  [101, true],
])('a refusal with %d problems names a hundred, and says whether there are more', async (count, more) => {
  const spec = Object.fromEntries(Array.from({ length: count }, (_, at) => [`unknown${at}`, 1]));
  const { status, body } = await platform.send('POST', 'gvc', { name: 'abc', spec });
  const details = objectAt(body, 'details');
  expect([status, listAt(details, 'problems').length, details['more']]).toEqual([400, 100, more]);
  expect(body['message']).toContain(count === 100 ? '(and 99 more)' : '(and 100 or more others)');
});

test('a rule with more than a hundred problems hides no other rule', async () => {
  const bad = Array.from({ length: 300 }, (_, at) => ({ name: `SCHEME_${at}`, value: 'x' }));
  const { status, body } = await platform.send('POST', 'gvc/shop/workload', workload('Bad_Name', { env: bad }));
  const problems = listAt(objectAt(body, 'details'), 'problems');
  expect([status, problems.length]).toEqual([400, 100]);
  expect(problems).toContainEqual(expect.objectContaining({ path: 'name' }));
});

const hidden: readonly (readonly [string, string, JsonObject])[] = [
  ['POST', 'gvc/shop/workload', workload('bad', { nope: 1 })],
  ['PUT', 'gvc/shop/workload', workload('most', { nope: 1 })],
  ['PUT', 'gvc/shop/workload/most', workload('most', { nope: 1 })],
  ['PATCH', 'gvc/shop/workload/most', { spec: { nope: 1, '$append/nope': 1 } }],
  ['POST', 'secret', { name: 'x', type: 'nope' }],
  ['PATCH', 'gvc/shop', { spec: 1 }],
  ['POST', 'gvc/shop/workload/most/-command', { type: 'nope' }],
];

test.each(hidden)(
  '%s %s without the permission is refused before its problems are checked',
  async (method, path, body) => {
    const answer = await platform.as('nobody-at-all')(method, path, body);
    expect([answer.status, answer.body['message']]).toEqual([403, expect.stringContaining('[')]);
    expect(answer.body).not.toHaveProperty('details');
  },
);

test.each([
  [1_000, 201],
  [1_001, 400],
])('a schedule of %d characters is answered with %d', async (length, status) => {
  const spec = { type: 'cron', containers: [{ name: 'main', image: 'a' }], job: { schedule: '*'.repeat(length) } };
  expect((await platform.send('POST', 'gvc/shop/workload', { name: `cron-${length}`, spec })).status).toBe(status);
});
