import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { makeClient } from '../../src/client/client.ts';
import { list, type Reply, record, serve } from './fakeServer.ts';

const gvc = { kind: 'gvc', name: 'shop' } as const;
const ok: Reply = { body: record('gvc', 'shop') };
const refusal = (status: number, message: string, more: object = {}): Reply => ({
  status,
  body: { status, message, id: 'trace', ...more },
});

describe('requests', () => {
  test('carry the token as Bearer, whether or not it contains that word', async () => {
    const plain = await serve(() => ok);
    await plain.client.read(gvc);
    const spelled = await serve(() => ok, { token: 'bearer key' });
    await spelled.client.read(gvc);
    expect([plain.seen[0]?.authorization, spelled.seen[0]?.authorization]).toEqual(['Bearer key', 'Bearer key']);
  });

  test('go to the paths of platform/concepts.kinds', async () => {
    const { client, lines } = await serve(({ path }) => ({
      status: 200,
      body: path.includes('?') || path.endsWith('/deployment') ? list([]) : record('workload', 'web', {}, 'shop'),
    }));
    const web = { kind: 'workload', name: 'web', gvc: 'shop' } as const;
    await client.create(web, { name: 'web' });
    await client.read(web);
    await client.patch(web, { description: 'x' });
    await client.delete(web);
    await client.deployments(web);
    await client.list('workload');
    await client.children('shop');
    expect(lines().slice(0, 6)).toEqual([
      'POST /org/acme/gvc/shop/workload',
      'GET /org/acme/gvc/shop/workload/web',
      'PATCH /org/acme/gvc/shop/workload/web',
      'DELETE /org/acme/gvc/shop/workload/web',
      'GET /org/acme/gvc/shop/workload/web/deployment',
      'GET /org/acme/workload?limit=1000',
    ]);
    expect([...lines().slice(6)].sort()).toEqual([
      'GET /org/acme/gvc/shop/identity?limit=1000',
      'GET /org/acme/gvc/shop/volumeset?limit=1000',
      'GET /org/acme/gvc/shop/workload?limit=1000',
    ]);
    expect(client.requests()).toBe(9);
  });

  test('escape names in paths, so that no name can lead elsewhere', async () => {
    const { client, lines } = await serve(() => refusal(404, 'no such record'));
    await client.read({ kind: 'secret', name: '../gvc/shop?x=1#y' });
    await client.read({ kind: 'user', name: 'a@b.example' });
    expect(lines()).toEqual([
      'GET /org/acme/secret/..%2Fgvc%2Fshop%3Fx%3D1%23y/-reveal',
      'GET /org/acme/secret/..%2Fgvc%2Fshop%3Fx%3D1%23y',
      'GET /org/acme/user/a@b.example',
    ]);
  });

  test('keep a prefix of the endpoint', async () => {
    const { endpoint, lines } = await serve(() => ok);
    const client = makeClient({ endpoint: `${endpoint}/api/`, org: 'acme' });
    await client.read(gvc);
    await client.close();
    expect(lines()).toEqual(['GET /api/org/acme/gvc/shop']);
  });

  test.each(['ftp://host', 'not a url', ''])('an endpoint such as "%s" is refused', (endpoint) => {
    expect(() => makeClient({ endpoint, org: 'acme' })).toThrow(expect.objectContaining({ code: 'client.endpoint' }));
  });

  test('refuse a token that no header can carry, without showing it', () => {
    const token = 'abc\r\nx-evil: 1';
    expect(() => makeClient({ endpoint: 'http://127.0.0.1:1', token, org: 'acme' })).toThrow(
      expect.objectContaining({ code: 'client.token', message: expect.not.stringContaining('evil') }),
    );
  });
});

describe('answers', () => {
  test('a record in a GVC contains its GVC as a link', async () => {
    const { client } = await serve(() => ({ body: list([record('workload', 'web', {}, 'shop')]) }));
    expect(await client.list('workload')).toMatchObject([
      { id: 'workload/shop/web', ref: { kind: 'workload', name: 'web', gvc: 'shop' }, uid: 'uid-shop-web', version: 1 },
    ]);
  });

  test('lists and queries follow `next`, with GET', async () => {
    const { client, lines, seen } = await serve(({ path }) =>
      path.includes('next')
        ? { body: list([record('gvc', 'b')]) }
        : { body: list([record('gvc', 'a')], '/org/acme/gvc?next=2') },
    );
    const terms = [{ op: '=', property: 'name', value: 'a' }];
    const found = await client.query('gvc', { match: 'any', terms });
    expect(found.map(({ id }) => id)).toEqual(['gvc/a', 'gvc/b']);
    expect(lines()).toEqual(['POST /org/acme/gvc/-query?limit=1000', 'GET /org/acme/gvc?next=2']);
    expect(seen[0]?.body).toEqual({ kind: 'gvc', fetch: 'items', spec: { match: 'any', terms } });
  });

  test.each(['http://elsewhere.example/org/acme/gvc?next=2', '//elsewhere.example/x'])(
    'read.next-path: a next page at %s is refused, because it would get the token',
    async (next) => {
      const { client, seen } = await serve(() => ({ body: list([], next) }));
      await expect(client.list('gvc')).rejects.toMatchObject({ code: 'api.incomplete-list' });
      expect(seen).toHaveLength(1);
    },
  );

  test('an absent record is read as undefined, and its deletion reports that it was not found', async () => {
    const { client } = await serve(() => refusal(404, 'no such record'));
    expect(await client.read(gvc)).toBeUndefined();
    await expect(client.delete(gvc)).resolves.toBe('not-found');
  });

  test('an empty answer to a write is completed by a read', async () => {
    const { client, lines } = await serve(({ method }) => (method === 'POST' ? { status: 201 } : ok));
    expect((await client.create(gvc, { name: 'shop' })).uid).toBe('uid--shop');
    expect(lines()).toEqual(['POST /org/acme/gvc', 'GET /org/acme/gvc/shop']);
  });

  test('secret.reveal: a secret is read with its values, and without them if that is forbidden', async () => {
    const secret = { kind: 'secret', name: 's' } as const;
    const open = await serve(() => ({ body: record('secret', 's', { data: { payload: 'x' } }) }));
    expect((await open.client.read(secret))?.record['data']).toEqual({ payload: 'x' });
    const closed = await serve(({ path }) =>
      path.endsWith('-reveal') ? refusal(403, 'reveal') : { body: record('secret', 's') },
    );
    expect((await closed.client.read(secret))?.record['data']).toBeUndefined();
  });

  const bad: readonly { readonly it: string; readonly reply: Reply }[] = [
    { it: 'no JSON', reply: { text: '<html>' } },
    { it: 'a JSON list', reply: { body: [] } },
    { it: 'nothing', reply: { text: '' } },
    { it: 'a record without id', reply: { body: { name: 'shop', version: 1 } } },
  ];
  test.each(bad)('read.envelope: $it instead of a record is an error', async ({ reply }) => {
    const { client } = await serve(() => reply);
    await expect(client.read(gvc)).rejects.toMatchObject({ code: 'api.bad-reply' });
  });

  test('version.integer: a record without a version is refused by its name', async () => {
    const { client } = await serve(() => ({ body: { id: 'a', name: 'shop', kind: 'gvc' } }));
    await expect(client.read(gvc)).rejects.toMatchObject({
      code: 'api.no-version',
      message: 'gvc/shop has no version that is a number',
    });
  });
});

describe('refusals', () => {
  const codes: readonly (readonly [number, string])[] = [
    [400, 'api.invalid'],
    [401, 'api.unauthorized'],
    [403, 'api.forbidden'],
    [405, 'api.method'],
    [409, 'api.conflict'],
    [413, 'api.invalid'],
    [422, 'api.invalid'],
  ];
  test.each(codes)('access.bearer: %i is %s, sent once', async (status, code) => {
    const { client, seen } = await serve(() => refusal(status, 'because'));
    await expect(client.get('/org/acme')).rejects.toMatchObject({ code, status });
    expect(seen).toHaveLength(1);
  });

  test('the message is the platform’s, with a line for each detail', async () => {
    const { client } = await serve(() =>
      refusal(400, 'invalid record', {
        details: {
          problems: [
            { path: 'spec.x', message: '"x" is not allowed' },
            { path: '', message: 'one field too many' },
            { message: 'no place' },
            'and more',
          ],
          hint: 'look',
        },
      }),
    );
    await expect(client.create(gvc, {})).rejects.toMatchObject({
      message:
        'POST /org/acme/gvc: invalid record\n  spec.x: "x" is not allowed\n  one field too many\n  no place\n  and more\n  hint: look',
    });
  });

  test.each([
    { it: 'one problem', said: 'spec.x: "x" is not allowed', details: ['spec.x: "x" is not allowed'] },
    { it: 'two', said: 'spec.x: "x" is not allowed (and 1 more)', details: ['spec.x: "x" is not allowed', 'no place'] },
  ])('a message that only repeats the first of $it is not shown twice', async ({ said, details }) => {
    const { client } = await serve(() => refusal(400, said, { details: { problems: details } }));
    await expect(client.create(gvc, {})).rejects.toMatchObject({
      message: `POST /org/acme/gvc: ${details.join('\n  ')}`,
    });
  });

  const sent: readonly { readonly it: string; readonly method: 'create' | 'patch'; readonly body: JsonObject }[] = [
    { it: 'a POST', method: 'create', body: { type: 'userpass', data: { username: 'ann', password: 'p"ass\n1' } } },
    { it: 'a PATCH', method: 'patch', body: { data: { password: 'p"ass\n1' } } },
    {
      it: 'a text of JSON',
      method: 'create',
      body: { type: 'docker', data: JSON.stringify({ auths: { 'r.example.com': { password: 'p"ass\n1' } } }) },
    },
    { it: 'a directive', method: 'patch', body: { '$replace/data': { list: ['p"ass\n1'] } } },
  ];
  test.each(sent)('a secret in $it that the other side repeats is masked (law 8)', async ({ method, body }) => {
    const details = { problems: [{ path: 'data.password', message: 'p"ass\n1 is too short' }] };
    const { client } = await serve(() => refusal(400, 'bad: p"ass\n1', { details }));
    await expect(client[method]({ kind: 'secret', name: 'x' }, body)).rejects.toMatchObject({
      message: `${method === 'create' ? 'POST /org/acme/secret' : 'PATCH /org/acme/secret/x'}: bad: ***\n  data.password: *** is too short`,
      details: { problems: [{ path: 'data.password', message: '*** is too short' }] },
    });
  });

  test('a token that the other side repeats is masked', async () => {
    const { client } = await serve(({ authorization }) => refusal(401, `${authorization} has expired`), {
      token: 'k3y-k3y-k3y',
    });
    await expect(client.get('/org/acme')).rejects.toMatchObject({ message: 'GET /org/acme: Bearer *** has expired' });
  });

  test('details that are not objects are not shown (platform/errors.body)', async () => {
    const { client } = await serve(() => refusal(400, 'invalid record', { details: [{ path: 'x', message: 'y' }] }));
    await expect(client.create(gvc, {})).rejects.toMatchObject({ message: 'POST /org/acme/gvc: invalid record' });
  });

  test('a refusal that is not JSON is shown with its status', async () => {
    const { client } = await serve(() => ({ status: 400, text: '<html>' }));
    await expect(client.get('/org/acme')).rejects.toMatchObject({
      message: 'GET /org/acme: the platform answered 400; the answer is an HTML page, perhaps from a proxy, not JSON',
    });
  });

  test('an unproven domain is reported with the DNS record to create (platform/errors.statuses)', async () => {
    const details = { ownershipConfig: [{ type: 'TXT', host: '_scheme.shop.example', ttl: 600, value: 'acme' }] };
    const { client } = await serve(() => refusal(400, 'prove it', { code: 'must_prove_ownership', details }));
    await expect(client.create({ kind: 'domain', name: 'shop.example' }, {})).rejects.toMatchObject({
      wireCode: 'must_prove_ownership',
      message: expect.stringContaining('create the DNS record TXT _scheme.shop.example acme'),
    });
  });
});

describe('retries', () => {
  const failing =
    (times: number, reply: Reply, then: Reply = ok) =>
    (_: unknown, count: number) =>
      count <= times ? reply : then;

  const transient: readonly { readonly it: string; readonly reply: Reply }[] = [
    { it: '500', reply: refusal(500, 'x') },
    { it: '503', reply: refusal(503, 'x') },
    { it: '429', reply: refusal(429, 'slow down') },
    { it: 'a cut connection', reply: { cut: true } },
  ];
  test.each(transient)('a read is retried after $it', async ({ reply }) => {
    const { client, seen, slept } = await serve(failing(2, reply));
    expect((await client.read(gvc))?.id).toBe('gvc/shop');
    expect(seen).toHaveLength(3);
    expect(slept[1]).toBeGreaterThan(slept[0] ?? Number.POSITIVE_INFINITY);
    expect(client.requests()).toBe(3);
  });

  test('a platform that never answers gets two requests, not requests for a quarter of an hour', async () => {
    const { client, seen } = await serve(() => ({ silent: true }), { timeoutMs: 50 });
    await expect(client.read(gvc)).rejects.toMatchObject({ code: 'api.unavailable' });
    expect(seen).toHaveLength(2);
  });

  test('an endpoint that never answered is given up after four cut connections', async () => {
    const { client, seen } = await serve(() => ({ cut: true }));
    await expect(client.read(gvc)).rejects.toMatchObject({ code: 'api.unavailable' });
    expect(seen).toHaveLength(4);
  });

  test('a query counts as a read, although it is sent with POST', async () => {
    const { client, seen } = await serve(failing(1, refusal(502, 'x'), { body: list([]) }));
    expect(await client.query('gvc', { match: 'all', terms: [] })).toEqual([]);
    expect(seen).toHaveLength(2);
  });

  const unknown: readonly { readonly it: string; readonly reply: Reply }[] = [
    { it: '500', reply: refusal(500, 'x') },
    { it: '503 without Retry-After', reply: refusal(503, 'x') },
    { it: '504', reply: refusal(504, 'x') },
    { it: 'a connection cut after the commit', reply: { cut: true } },
  ];
  test.each(unknown)('a write is not retried after $it: it may have been carried out', async ({ reply }) => {
    const { client, seen } = await serve(() => reply);
    await expect(client.create(gvc, {})).rejects.toMatchObject({ code: 'api.reply-lost' });
    await expect(client.patch(gvc, {})).rejects.toMatchObject({ code: 'api.reply-lost' });
    expect(seen).toHaveLength(2);
  });

  test.each([
    { it: '429', reply: refusal(429, 'slow down') },
    { it: '503 with Retry-After', reply: { ...refusal(503, 'x'), headers: { 'retry-after': '1' } } },
  ])('a write is retried after $it: it was not carried out', async ({ reply }) => {
    const { client, seen } = await serve(failing(2, reply));
    await client.create(gvc, {});
    expect(seen).toHaveLength(3);
  });

  test('a quota error is permanent', async () => {
    const { client, seen } = await serve(() => refusal(429, 'the Quota of 5 GVCs is reached'));
    await expect(client.create(gvc, {})).rejects.toMatchObject({ code: 'api.quota' });
    expect(seen).toHaveLength(1);
  });

  test('409 is returned to the caller, on DELETE too', async () => {
    const { client, seen } = await serve(() => refusal(409, 'busy'));
    await expect(client.delete(gvc)).rejects.toMatchObject({ code: 'api.conflict' });
    expect(seen).toHaveLength(1);
  });

  test('the caller decides before a DELETE is retried', async () => {
    const { client, lines } = await serve(() => refusal(500, 'x'));
    const answers = [true, false];
    await client.delete(gvc, () => Promise.resolve(answers.shift() ?? false));
    expect(lines()).toEqual(['DELETE /org/acme/gvc/shop', 'DELETE /org/acme/gvc/shop']);
  });

  test('Retry-After is obeyed: seconds, or a date by the clock of the server', async () => {
    const seconds = await serve(failing(1, { ...refusal(429, 'x'), headers: { 'retry-after': '7' } }));
    await seconds.client.read(gvc);
    const date = 'Mon, 01 Jan 2035 00:00:00 GMT';
    const later = 'Mon, 01 Jan 2035 00:00:09 GMT';
    const dated = await serve(failing(1, { ...refusal(503, 'x'), headers: { date, 'retry-after': later } }));
    await dated.client.read(gvc);
    expect([seconds.slept, dated.slept]).toEqual([[7_000], [9_000]]);
  });

  test('a server whose Retry-After is an hour is unavailable', async () => {
    const { client, seen } = await serve(() => ({ ...refusal(429, 'x'), headers: { 'retry-after': '3600' } }));
    await expect(client.read(gvc)).rejects.toMatchObject({ code: 'api.unavailable' });
    expect(seen).toHaveLength(1);
  });

  test('delays double up to 20 s, and the number of attempts is limited', async () => {
    const { client, seen, slept } = await serve(() => refusal(500, 'x'), { attempts: 12 });
    await expect(client.read(gvc)).rejects.toMatchObject({ code: 'api.unavailable' });
    expect(seen).toHaveLength(12);
    expect(slept).toEqual([150, 300, 600, 1_200, 2_400, 4_800, 9_600, 15_000, 15_000, 15_000, 15_000]);
  });

  test('all requests of a run share one retry budget', async () => {
    const { client, seen } = await serve(() => refusal(500, 'x'), { retryBudget: 5 });
    const reads = Array.from({ length: 10 }, (_, index) => client.read({ kind: 'gvc', name: `g${index}` }));
    const results = await Promise.allSettled(reads);
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(seen).toHaveLength(10 + 5);
  });

  test('a stopped request waits no longer, and is not retried', async () => {
    const asleep = Promise.withResolvers<void>();
    const { client, seen } = await serve(() => refusal(503, 'x'), {
      sleep: () => {
        asleep.resolve();
        return new Promise(() => {}); // Nothing wakes it.
      },
    });
    const read = client.read(gvc);
    await asleep.promise;
    client.stopRetrying();
    await expect(read).rejects.toMatchObject({ code: 'api.unavailable' });
    await expect(client.read(gvc)).rejects.toMatchObject({ code: 'api.unavailable' });
    expect(seen).toHaveLength(2);
  });

  test('ten successes earn one more retry', async () => {
    const failures = new Set([1, 13]);
    const { client, seen } = await serve((_, count) => (failures.has(count) ? refusal(500, 'x') : ok), {
      retryBudget: 1,
    });
    for (let index = 0; index < 12; index += 1) await client.read(gvc);
    expect(seen).toHaveLength(14);
  });

  test('an unreachable endpoint is given up soon, with a hint', async () => {
    const slept: number[] = [];
    const client = makeClient({
      endpoint: 'http://127.0.0.1:1',
      token: 'very-secret',
      org: 'acme',
      sleep: (ms) => Promise.resolve(void slept.push(ms)),
    });
    const error: unknown = await client.create(gvc, {}).catch((reason: unknown) => reason);
    await client.close();
    expect(error).toMatchObject({ code: 'api.unavailable', hint: 'Check the endpoint and the network.' });
    expect(slept).toHaveLength(3);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('very-secret');
  });
});
