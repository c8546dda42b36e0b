import { expect, test } from 'vitest';
import { platformForAll } from '../platform.ts';
import { expectRefusalForm, objectIn } from '../refusal.ts';

const org = '/org/local';
const platform = platformForAll({}, (platform) => platform.send('POST', 'gvc', { name: 'shop' }));

async function sendAs(authorization: string, method: string, path: string, body?: string): Promise<number> {
  const sent = body === undefined ? {} : { body };
  const answer = await fetch(platform.url + path, { method, headers: { authorization }, ...sent });
  if (answer.status >= 400) expectRefusalForm(answer.status, objectIn(await answer.text()));
  return answer.status;
}

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
  const answer = await platform.send(method, path);
  expect(answer.status).toBe(405);
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
])('%s is 404', async (path) => expect((await platform.send('GET', path)).status).toBe(404));

test.each(['%zz', '%E0%A4%A', 'a%00b'])('a path with %s is no path', async (name) => {
  expect((await platform.send('GET', `${org}/gvc/${name}`)).status).toBe(400);
});

test('names may be percent-encoded', async () => {
  expect((await platform.send('GET', `${org}/gvc/sh%6Fp`)).body['name']).toBe('shop');
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
  expect(await sendAs(authorization, 'GET', `${org}/gvc/shop`)).toBe(401);
  expect(await sendAs(authorization, 'POST', `${org}/gvc`, '{')).toBe(401);
});

test.each(['secret-token', 'Bearer secret-token', 'bearer secret-token', 'BEARER  secret-token'])(
  'authorization %j is taken (platform/wire.headers)',
  async (authorization) => {
    expect(await sendAs(authorization, 'GET', `${org}/gvc/shop`)).toBe(200);
  },
);

test.each(['', 'null', '[]', '"x"', '5', 'true', '{', '{} {}', "{'name':'x'}", 'name: abc', '{"name":NaN}'])(
  'POST of %j is 400',
  async (body) => expect((await platform.send('POST', `${org}/gvc`, body)).status).toBe(400),
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
  const answer = await platform.send('POST', `${org}/gvc`, body);
  expect(answer.status).toBe(400);
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
  const { body } = await platform.send('GET', `${org}/gvc/shop`);
  expect((await platform.send('PATCH', `${org}/gvc/shop`, patch)).status).toBe(400);
  expect((await platform.send('GET', `${org}/gvc/shop`)).body).toEqual(body);
});

test('of twenty creations of one name one succeeds, of twenty changes of one version one', async () => {
  const twenty = Array.from({ length: 20 }, (_, index) => index);
  const made = await Promise.all(twenty.map(() => platform.send('POST', `${org}/gvc`, { name: 'race' })));
  expect(made.map(({ status }) => status).toSorted()).toEqual([201, ...twenty.slice(1).map(() => 409)]);
  const changes = twenty.map((n) => platform.send('PATCH', `${org}/gvc/race`, { version: 1, tags: { [`t${n}`]: n } }));
  const changed = await Promise.all(changes);
  expect(changed.map(({ status }) => status).toSorted()).toEqual([200, ...twenty.slice(1).map(() => 409)]);
});
