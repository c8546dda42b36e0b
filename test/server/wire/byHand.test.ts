import { expect, test } from 'vitest';
import { platformForAll } from '../platform.ts';
import { expectRefusal, publicClient, type Send } from './publicClient.ts';

const org = '/org/local';
let send: Send;

const platform = platformForAll({}, async (platform) => {
  send = publicClient(platform.url);
  await send('POST', `${org}/gvc`, { name: 'shop' });
});

test.each([
  ['DELETE', org],
  ['DELETE', `${org}/gvc`],
  ['PATCH', `${org}/gvc`],
  ['POST', `${org}/gvc/shop`],
  ['POST', `${org}/workload`],
  ['DELETE', `${org}/auditctx/scheme`],
  ['POST', `${org}/image`],
  ['POST', `${org}/quota`],
  ['POST', `${org}/task`],
  ['GET', `${org}/gvc/-query`],
  ['DELETE', `${org}/gvc/shop/-eventlog`],
  ['OPTIONS', `${org}/gvc/shop`],
])('%s %s is 405 and says what is there (platform/errors.statuses)', async (method, path) => {
  const answer = await send(method, path);
  expectRefusal(answer, 405);
  expect(answer.headers.get('allow')).toMatch(/[A-Z]+/);
});

test.each([
  `${org}/nokind`,
  `${org}/gvc/shop/domain`,
  `${org}/gvc/shop/-nothing`,
  `${org}/gvc/none/workload`,
  `${org}/gvc/SHOP`,
  `${org}/gvc/__proto__`,
  `${org}/constructor`,
  `${org}/gvc/..%2fgvc`,
  '/org/other',
  '/org/other/gvc/shop',
  '/nothing',
])('%s is 404', async (path) => expectRefusal(await send('GET', path), 404));

test.each(['%zz', '%E0%A4%A', 'a%00b'])('a path with %s is no path', async (name) => {
  expectRefusal(await send('GET', `${org}/gvc/${name}`), 400);
});

test('names may be percent-encoded', async () => {
  expect((await send('GET', `${org}/gvc/sh%6Fp`)).body['name']).toBe('shop');
});

test('HEAD is GET without the body', async () => {
  for (const [name, status] of [
    ['shop', 200],
    ['none', 404],
  ] as const) {
    const headers = { authorization: 'secret-token' };
    const answer = await fetch(`${platform.url}${org}/gvc/${name}`, { method: 'HEAD', headers });
    expect({ status: answer.status, text: await answer.text() }).toEqual({ status, text: '' });
  }
});

test.each([
  '',
  'Bearer',
  'Bearer ',
  'Basic secret-token',
  'Token secret-token',
  'Bearer secret-token x',
  'SECRET-TOKEN',
])('authorization %j is 401, before anything is read of the body (platform/errors.body)', async (authorization) => {
  const other = publicClient(platform.url, authorization);
  expectRefusal(await other('GET', `${org}/gvc/shop`), 401);
  expectRefusal(await other('POST', `${org}/gvc`, '{'), 401);
});

test.each(['secret-token', 'Bearer secret-token', 'bearer secret-token', 'BEARER  secret-token'])(
  'authorization %j is taken (platform/wire.headers)',
  async (authorization) => {
    expect((await publicClient(platform.url, authorization)('GET', `${org}/gvc/shop`)).status).toBe(200);
  },
);

test.each(['', 'null', '[]', '"x"', '5', 'true', '{', '{} {}', "{'name':'x'}", 'name: abc', '{"name":NaN}'])(
  'POST of %j is 400',
  async (body) => expectRefusal(await send('POST', `${org}/gvc`, body), 400),
);

test.each([
  ['a number for a name', { name: 5 }],
  ['another kind', { name: 'abc', kind: 'workload' }],
  ['an unknown member', { name: 'abc', nothing: 1 }],
  ['a directive', { name: 'abc', '$replace/spec': {} }],
  ['an object for a tag', { name: 'abc', tags: { a: {} } }],
  ['a link to another org', { name: 'abc', spec: { pullSecretLinks: ['/org/other/secret/x'] } }],
  ['text that is no number', { name: 'abc', spec: { loadBalancer: { trustedProxies: 'one' } } }],
])('a record with %s is 400, and details.problems say where (platform/errors.codes)', async (_, body) => {
  const answer = await send('POST', `${org}/gvc`, body);
  expectRefusal(answer, 400);
  expect(answer.body['code']).toBe('validation_failed');
});

test.each([
  ['a new name', { name: 'other' }],
  ['an unknown directive', { '$foo/spec': 1 }],
  ['a directive for what is no list', { '$append/description': ['x'] }],
  ['$drop as text', { $drop: 'spec' }],
  ['$drop of what is needed', { $drop: ['name'] }],
  ['an item without its key', { spec: { '$patch/env': [{ value: 'x' }] } }],
])('a PATCH with %s is 400 and changes nothing', async (_, patch) => {
  const { body } = await send('GET', `${org}/gvc/shop`);
  expectRefusal(await send('PATCH', `${org}/gvc/shop`, patch), 400);
  expect((await send('GET', `${org}/gvc/shop`)).body).toEqual(body);
});

test('of twenty creations of one name one succeeds, of twenty changes of one version one', async () => {
  const twenty = Array.from({ length: 20 }, (_, index) => index);
  const made = await Promise.all(twenty.map(() => send('POST', `${org}/gvc`, { name: 'race' })));
  expect(made.map(({ status }) => status).toSorted()).toEqual([201, ...twenty.slice(1).map(() => 409)]);
  const changes = twenty.map((n) => send('PATCH', `${org}/gvc/race`, { version: 1, tags: { [`t${n}`]: n } }));
  const changed = await Promise.all(changes);
  expect(changed.map(({ status }) => status).toSorted()).toEqual([200, ...twenty.slice(1).map(() => 409)]);
});
