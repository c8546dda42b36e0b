import { expect, test } from 'vitest';
import { container, platformForEach, testPlatform } from './platform.ts';

const platform = platformForEach({ users: ['Ann@Example.com'] });

test('POST answers 201 with Location and the record, filled as in platform/concepts.filled (platform/wire.operations)', async () => {
  const { status, headers, body } = await platform.send('POST', 'gvc', {
    name: 'shop',
    kind: 'gvc',
    version: 9,
    links: [],
  });
  expect([status, headers.get('location')]).toEqual([201, '/org/local/gvc/shop']);
  expect(body).toMatchObject({ version: 1, description: 'shop', tags: {}, spec: { endpointNamingFormat: 'org' } });
  expect(body['alias']).toMatch(/^[a-z0-9]{13}$/);
});

interface Refusal {
  readonly it: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
}

const manyFields = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`f${index}`, 1]));
// biome-ignore format: one case a line
const refusals: readonly Refusal[] = [
  { it: 'a name that is taken', method: 'POST', path: 'location', body: { name: 'aws-us-east-1' }, status: 409 },
  { it: 'an unknown field', method: 'POST', path: 'gvc', body: { name: 'abc', spec: { nope: 1 } }, status: 400 },
  { it: 'no name', method: 'POST', path: 'gvc', body: {}, status: 400 },
  { it: 'another kind', method: 'POST', path: 'gvc', body: { kind: 'group', name: 'abc' }, status: 400 },
  { it: 'bad JSON', method: 'POST', path: 'gvc', body: '{', status: 400 },
  { it: 'JSON that is no object', method: 'POST', path: 'gvc', body: '[]', status: 400 },
  {
    it: 'nesting without end',
    method: 'POST',
    path: 'gvc',
    body: `${'[{"a":'.repeat(2000)}1${'}]'.repeat(2000)}`,
    status: 400,
  },
  { it: 'a body that is too large', method: 'POST', path: 'gvc', body: 'x'.repeat(17 * 1024 * 1024), status: 413 },
  { it: 'an absent parent', method: 'POST', path: 'gvc/none/identity', body: { name: 'abc' }, status: 404 },
  { it: 'an absent record', method: 'GET', path: 'gvc/none', status: 404 },
  { it: 'a name of Object.prototype', method: 'GET', path: 'gvc/__proto__', status: 404 },
  { it: 'an unknown kind', method: 'GET', path: 'constructor', status: 404 },
  { it: 'an unknown operation', method: 'GET', path: 'gvc/-nope', status: 404 },
  { it: 'a bad percent-encoding', method: 'GET', path: 'gvc/%zz', status: 400 },
  { it: 'another org', method: 'GET', path: '/org/other/gvc', status: 404 },
  { it: 'deletion of the org', method: 'DELETE', path: '/org/local', status: 405 },
  { it: 'creation of a user', method: 'POST', path: 'user', body: { name: 'abc' }, status: 405 },
  { it: 'another name in PUT', method: 'PUT', path: 'gvc/abc', body: { name: 'abd' }, status: 400 },
  { it: 'change of a built-in policy', method: 'PATCH', path: 'policy/viewers-gvc', body: { description: 'x' }, status: 400 },
  {
    it: 'a link to nothing',
    method: 'POST',
    path: 'gvc',
    body: { name: 'abc', spec: { pullSecretLinks: ['//secret/none'] } },
    status: 400,
  },
  { it: 'another e-mail address of a user', method: 'PATCH', path: 'user/ann@example.com', body: { email: 'b@b.de' }, status: 400 },
  { it: 'a body that is not UTF-8', method: 'POST', path: 'gvc', body: Buffer.from([0x7b, 0xff, 0x7d]), status: 400 },
  { it: 'a location that is not self-hosted', method: 'POST', path: 'location', body: { name: 'aws-new', provider: 'aws' }, status: 400 },
  { it: 'another provider of a location', method: 'PATCH', path: 'location/aws-us-east-1', body: { provider: 'gcp' }, status: 400 },
  { it: 'a stale version as text', method: 'PATCH', path: 'group/viewers', body: { version: '7', tags: { a: 'b' } }, status: 409 },
  { it: 'a version that is no number', method: 'PATCH', path: 'group/viewers', body: { version: [1], tags: { a: 'b' } }, status: 409 },
  {
    it: 'a tag that would be a directive in a patch',
    method: 'POST',
    path: 'gvc',
    body: { name: 'abc', tags: { $mine: 'b' } },
    status: 400,
  },
  { it: 'the same below $replace', method: 'PATCH', path: 'group/viewers', body: { '$replace/tags': { $mine: 'b' } }, status: 400 },
  { it: 'the same by its own $replace', method: 'PATCH', path: 'group/viewers', body: { tags: { '$replace/$mine': 'b' } }, status: 400 },
  { it: 'text for a number', method: 'POST', path: 'gvc', body: { name: 'abc', spec: { tracing: { sampling: 'much' } } }, status: 400 },
  { it: 'a query that is about something else', method: 'POST', path: 'gvc/-query', body: { kind: 'group' }, status: 400 },
  { it: 'a query whose spec is text', method: 'POST', path: 'gvc/-query', body: { spec: 'all' }, status: 400 },
  { it: 'a hundred thousand fields', method: 'POST', path: 'gvc', body: manyFields, status: 413 },
  { it: 'a field of megabytes', method: 'POST', path: 'gvc', body: { ['k'.repeat(3_000_000)]: 1 }, status: 413 },
  { it: 'a field of half a megabyte', method: 'POST', path: 'gvc', body: { ['k'.repeat(500_000)]: 1 }, status: 400 },
  { it: 'a cursor that is none', method: 'GET', path: 'gvc?next=x', status: 400 },
];

test.each(refusals)(
  '$method is refused with $status for $it (platform/errors.body)',
  async ({ method, path, body, status }) => {
    const answer = await platform.send(method, path, body);
    expect(answer.body).toMatchObject({ status, message: expect.any(String), id: expect.any(String) });
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).not.toContain('node:');
    expect(JSON.stringify(answer.body).length).toBeLessThan(100_000);
  },
);

test('a wrong or missing token is 401, with and without Bearer it is let in (platform/wire.headers)', async () => {
  const asked = ['', 'wrong', 'Bearer wrong', 'secret-token', 'Bearer secret-token', 'bearer secret-token'].map(
    async (authorization) => (await fetch(`${platform.url}/org/local`, { headers: { authorization } })).status,
  );
  expect(await Promise.all(asked)).toEqual([401, 401, 401, 200, 200, 200]);
});

test('PATCH raises the version by one for a change, and never without one (platform/patch.merge, platform/concepts.version)', async () => {
  const { body } = await platform.send('POST', 'gvc', { name: 'shop' });
  const changed = await platform.send('PATCH', 'gvc/shop', { id: body['id'], version: 1, tags: { a: 'b' } });
  expect(changed.body).toMatchObject({ version: 2, tags: { a: 'b' } });
  const same = await platform.send('PATCH', 'gvc/shop', { ...changed.body });
  expect([same.status, same.body['version']]).toEqual([200, 2]);
  expect((await platform.send('PATCH', 'gvc/shop', { version: 1, tags: { a: 'c' } })).status).toBe(409);
  expect((await platform.send('PATCH', 'gvc/shop', { id: 'other', tags: { a: 'c' } })).status).toBe(409);
  expect((await platform.send('PATCH', 'gvc/shop', { name: 'other' })).status).toBe(400);
  expect((await platform.send('GET', 'gvc/shop')).body).toEqual(changed.body);
});

test('version may be sent as text, as the public client does (platform/patch.clients)', async () => {
  const { status, body } = await platform.send('PATCH', 'group/viewers', { version: '1', tags: { a: 'b' } });
  expect([status, body['version']]).toEqual([200, 2]);
});

test('members that only the platform sets are ignored, and null says nothing, in lists too (platform/wire.writes)', async () => {
  const made = await platform.send('POST', 'gvc', {
    name: 'shop',
    id: 'mine',
    version: 9,
    created: 'once',
    lastModified: 'once',
    links: [1],
    status: { a: 1 },
    alias: 'mine',
    description: null,
    spec: { env: [{ name: 'A', value: null }], loadBalancer: null },
  });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({ version: 1, description: 'shop', spec: { env: [{ name: 'A' }] }, status: {} });
  expect(made.body['alias']).not.toBe('mine');
  const again = await platform.send('PUT', 'gvc', { ...made.body, id: 'other', version: 99, created: 'once' });
  expect([again.status, again.body]).toEqual([200, made.body]);
});

test('text is read as the number or boolean that the schema asks for (platform/patch.clients)', async () => {
  await platform.send('POST', 'gvc', { name: 'shop' });
  const options = { timeoutSeconds: '30', suspend: 'false', autoscaling: { minScale: '2', maxScale: '4' } };
  const ports = [{ number: '8080' }];
  await platform.send('POST', 'gvc/shop/workload', {
    name: 'web',
    spec: { type: 'standard', containers: [container({ ports, inheritEnv: 'true' })], defaultOptions: options },
  });
  const { body } = await platform.send('PATCH', 'gvc/shop/workload/web', {
    spec: { defaultOptions: { autoscaling: { minScale: '3' } } },
  });
  expect(body).toMatchObject({
    spec: {
      containers: [{ ports: [{ number: 8080, protocol: 'http' }], inheritEnv: true }],
      defaultOptions: { timeoutSeconds: 30, suspend: false, autoscaling: { minScale: 3, maxScale: 4 } },
    },
  });
});

test('a built-in location can be disabled, described and tagged, by PATCH and by PUT (platform/location)', async () => {
  const change = { description: 'ours', tags: { a: 'b' }, spec: { enabled: 'false' } };
  const patched = await platform.send('PATCH', 'location/aws-us-east-1', change);
  expect(patched.body).toMatchObject({ version: 2, ...change, spec: { enabled: false }, region: 'us-east-1' });
  const put = await platform.send('PUT', 'location/aws-us-east-1', { ...patched.body, spec: { enabled: true } });
  expect(put.body).toMatchObject({ version: 3, origin: 'builtin', provider: 'aws', spec: { enabled: true } });
});

test.each(['aws-us-east-1', 'home'])(
  'a PUT of %s without its provider keeps it, and nothing removes it (platform/location)',
  async (name) => {
    if (name === 'home') await platform.send('POST', 'location', { name, provider: 'byok' });
    const before = (await platform.send('GET', `location/${name}`)).body;
    for (const body of [{ description: 'one' }, { description: 'two', provider: null }]) {
      const { status, body: put } = await platform.send('PUT', `location/${name}`, body);
      expect([status, put['provider'], put['description']]).toEqual([200, before['provider'], body.description]);
    }
    const inCollection = await platform.send('PUT', 'location', { name, description: 'three' });
    expect(inCollection.body['provider']).toBe(before['provider']);
    for (const body of [{ provider: null }, { $drop: ['provider'] }]) {
      const { status, body: refused } = await platform.send('PATCH', `location/${name}`, body);
      expect([status, JSON.stringify(refused)]).toEqual([
        400,
        expect.stringContaining('the provider cannot be removed'),
      ]);
    }
    expect((await platform.send('GET', `location/${name}`)).body['provider']).toBe(before['provider']);
  },
);

test.each([
  ['POST', 'location', { name: 'home' }],
  ['PUT', 'location', { name: 'home' }],
  ['PUT', 'location/home', {}],
])(
  '%s %s that would create a location without its provider is refused (platform/location.own)',
  async (method, path, body) => {
    const { status, body: refused } = await platform.send(method, path, body);
    expect([status, refused['message']]).toEqual([
      400,
      'provider: a location that is not built in needs its provider, byok. Set provider: byok.',
    ]);
    expect((await platform.send('GET', 'location/home')).status).toBe(404);
  },
);

test.each([
  ['', 400, undefined],
  [' ', 400, undefined],
  ['x', 201, 'x'],
  [' x ', 201, 'x'],
  ['x'.repeat(250), 201, 'x'.repeat(250)],
  [` ${'x'.repeat(250)} `, 201, 'x'.repeat(250)],
  ['x'.repeat(251), 400, undefined],
  [undefined, 400, undefined],
  [5, 400, undefined],
])('the description %j of a key: %d (platform/serviceaccount.keys)', async (description, status, stored) => {
  await platform.send('POST', 'serviceaccount', { name: 'robot' });
  const added = await platform.send('POST', 'serviceaccount/robot/-addKey', { description });
  expect([added.status, added.body['description']]).toEqual([status, stored]);
});

test.each([
  ['x'.repeat(250), 200, 'x'.repeat(250)],
  [` ${'x'.repeat(250)} `, 200, 'x'.repeat(250)],
  ['x'.repeat(251), 400, 'robot'],
  ['', 200, 'robot'],
])(
  'the description %j of a service account: %d (platform/serviceaccount.keys)',
  async (description, status, stored) => {
    await platform.send('POST', 'serviceaccount', { name: 'robot' });
    expect((await platform.send('PATCH', 'serviceaccount/robot', { description })).status).toBe(status);
    expect((await platform.send('GET', 'serviceaccount/robot')).body['description']).toBe(stored);
  },
);

test('a user is found by e-mail address without case, and by id (platform/wire.paths, resources GR2)', async () => {
  const [byMail, byName] = [
    await platform.send('GET', 'user/-for/email/ANN%40example.com'),
    await platform.send('GET', 'user/ann@example.com'),
  ];
  expect(byMail.body).toMatchObject({ kind: 'user', email: 'ann@example.com' });
  expect(byName.body).toEqual(byMail.body);
  expect((await platform.send('GET', `user/${byMail.body['id']}`)).body).toEqual(byMail.body);
  expect((await platform.send('GET', 'user/-for/email/bob@example.com')).status).toBe(404);
});

test('PUT creates with 201, then replaces with 200 and keeps the id; a dry run stores nothing (platform/wire.operations)', async () => {
  expect((await platform.send('PUT', 'gvc?dryRun=true', { name: 'shop' })).status).toBe(200);
  expect((await platform.send('GET', 'gvc/shop')).status).toBe(404);
  const created = await platform.send('PUT', 'gvc', { name: 'shop', description: 'one' });
  const replaced = await platform.send('PUT', 'gvc/shop', { description: 'two', version: 77 });
  expect([created.status, replaced.status]).toEqual([201, 200]);
  expect(replaced.body).toMatchObject({ id: created.body['id'], version: 2, description: 'two' });
});

test('the values of a secret are shown by -reveal only (platform/secret)', async () => {
  const value = { name: 'key', type: 'opaque', data: { payload: 'hush-hush' } };
  const answers = [
    await platform.send('POST', 'secret', value),
    await platform.send('GET', 'secret/key'),
    await platform.send('GET', 'secret'),
    await platform.send('POST', 'secret/-query'),
    await platform.send('PATCH', 'secret/key', { description: 'changed' }),
  ];
  expect(JSON.stringify(answers)).not.toContain('hush-hush');
  const revealed = await platform.send('GET', 'secret/key/-reveal');
  expect(revealed.body['data']).toEqual({ payload: 'hush-hush', encoding: 'plain' });
});

test('a key of a service account is shown once, and removed by its name (platform/serviceaccount.keys)', async () => {
  await platform.send('POST', 'serviceaccount', { name: 'robot' });
  const added = await platform.send('POST', 'serviceaccount/robot/-addKey', { description: 'ci' });
  expect(added.status).toBe(201);
  const { body } = await platform.send('GET', 'serviceaccount/robot');
  expect(body).toMatchObject({ version: 2, keys: [{ name: added.body['name'], description: 'ci' }] });
  expect(JSON.stringify(body)).not.toContain(added.body['key']);
  const dropped = await platform.send('PATCH', 'serviceaccount/robot', { '$drop/keys': [added.body['name']] });
  expect(dropped.body).toMatchObject({ version: 3, keys: [] });
});

test('a key of a service account is a token until it is dropped or its account goes (platform/access.tokens)', async () => {
  await platform.send('POST', 'serviceaccount', { name: 'robot' });
  const [first, second] = [
    await platform.send('POST', 'serviceaccount/robot/-addKey', { description: 'one' }),
    await platform.send('POST', 'serviceaccount/robot/-addKey', { description: 'two' }),
  ].map(({ body }) => String(body['key']));
  expect(first).toMatch(/^s[a-z0-9]{10}\.[\w-]+\.[a-z0-9]+$/);
  expect(Buffer.from(first?.split('.')[1] ?? '', 'base64url').toString()).toMatch(/^local\.robot\./);
  const ask = async (authorization: string | undefined) =>
    (await fetch(`${platform.url}/org/local/gvc`, { headers: { authorization: authorization ?? '' } })).status;
  expect([await ask(first), await ask(`Bearer ${first}`), await ask(`${first}x`)]).toEqual([200, 200, 401]);
  await platform.send('PATCH', 'serviceaccount/robot', { '$drop/keys': [first?.split('.')[0]] });
  expect([await ask(first), await ask(second)]).toEqual([401, 200]);
  await platform.send('DELETE', 'serviceaccount/robot');
  expect(await ask(second)).toBe(401);
});

test('a refused write changes nothing: the merged record is validated as a whole (platform/patch.merge)', async () => {
  const before = await platform.send('POST', 'gvc', { name: 'shop' });
  const refused = await platform.send('PATCH', 'gvc/shop', {
    description: 'new',
    spec: { loadBalancer: { trustedProxies: 7 } },
  });
  expect(refused.body).toMatchObject({
    status: 400,
    details: {
      problems: [{ path: 'spec.loadBalancer.trustedProxies', message: expect.any(String), rule: expect.any(String) }],
    },
  });
  expect((await platform.send('GET', 'gvc/shop')).body).toEqual(before.body);
});

test('no refusal repeats the value of a secret (platform/secret, rule S7)', async () => {
  const wrong: readonly (readonly [string, unknown])[] = [
    ['opaque', { payload: 'hush-hush', encoding: 'base64' }],
    ['opaque', 'hush-hush'],
    ['dictionary', { a: ['hush-hush'] }],
    ['userpass', { username: 'ann', password: '', more: 'hush-hush' }],
    ['tls', { cert: 'hush-hush' }],
    ['keypair', { secretKey: 'hush-hush' }],
    ['aws', { accessKey: 'hush-hush', secretKey: 'hush-hush', roleArn: 'hush-hush' }],
    ['ecr', { accessKey: 'AKIA1', secretKey: 'hush-hush', repos: ['hush-hush'] }],
    ['docker', '{"auths": hush-hush}'],
    ['gcp', '{"private_key": "hush-hush"}'],
    ['azure-sdk', '"hush-hush"'],
    ['azure-connector', { url: 'hush-hush', code: 'hush-hush' }],
    ['nats-account', { accountId: 'hush-hush', privateKey: 'hush-hush' }],
  ];
  const answers = [await platform.send('POST', 'secret', '{"name": "key", "data": hush-hush}')];
  for (const [type, data] of wrong) answers.push(await platform.send('POST', 'secret', { name: 'key', type, data }));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
  expect(JSON.stringify(answers)).not.toContain('hush-hush');
});

test('suspension is told for each location: local options stand in place of the default ones (platform/workload.status)', async () => {
  const locationLinks = ['//location/aws-us-east-1', '//location/gcp-us-east1'];
  await platform.send('POST', 'gvc', { name: 'shop', spec: { staticPlacement: { locationLinks } } });
  const spec = { type: 'standard', containers: [container()], defaultOptions: { suspend: true } };
  const all = await platform.send('POST', 'gvc/shop/workload', { name: 'web', spec });
  expect(all.body).toMatchObject({
    health: { readiness: 'suspended', totalReplicas: 0 },
    status: { suspendedStatus: 'suspended' },
  });
  const localOptions = [{ location: 'aws-us-east-1', autoscaling: { minScale: 2 } }];
  const some = await platform.send('PATCH', 'gvc/shop/workload/web', { spec: { localOptions } });
  expect(some.body).toMatchObject({
    health: { readiness: 'ready', totalReplicas: 2 },
    status: { suspendedStatus: 'partiallySuspended' },
  });
  const { body } = await platform.send('GET', 'gvc/shop/workload/web/deployment/gcp-us-east1');
  expect(body).toMatchObject({ kind: 'deployment', status: { desiredScale: 0, ready: true, jobExecutions: [] } });
});

test('a workload is ready after the configured while, in each location of its GVC (platform/lifecycle.deployment)', async () => {
  let nowMs = 1_000_000;
  const slow = await testPlatform({ readyAfterMs: 500, now: () => nowMs });
  const locationLinks = ['//location/aws-us-east-1', '//location/gcp-us-east1'];
  await slow.send('POST', 'gvc', { name: 'shop', spec: { staticPlacement: { locationLinks } } });
  await slow.send('POST', 'gvc/shop/workload', { name: 'web', spec: { containers: [container()] } });
  const starting = await slow.send('GET', 'gvc/shop/workload/web');
  nowMs += 500;
  const running = await slow.send('GET', 'gvc/shop/workload/web');
  const found = await slow.send('GET', 'gvc/shop/workload/web/deployment');
  await slow.close();
  expect(starting.body['health']).toMatchObject({ readiness: 'notReady', readyLocations: 0, totalLocations: 2 });
  expect(running.body['health']).toMatchObject({ readiness: 'ready', readyLocations: 2 });
  expect(found.body['items']).toMatchObject([
    {
      name: 'aws-us-east-1',
      status: { ready: true, lastProcessedVersion: 1, versions: [{ workload: 1, ready: true }] },
    },
    { name: 'gcp-us-east1', status: { ready: true } },
  ]);
});
