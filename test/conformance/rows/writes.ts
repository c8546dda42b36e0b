import { expect } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { container, makeGvc, town } from '../harness/fixtures.ts';
import { itemsAt } from '../harness/place.ts';
import { ownPart, type Part, parted, partOf, type Row, row } from '../harness/row.ts';
import { alone, type Wire } from '../harness/wire.ts';

type Refusal = readonly [status: number, code: string, it: string, method: string, path: string, body?: unknown];

const manyFields = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`f${index}`, 1]));
const nested = `${'[{"a":'.repeat(2000)}1${'}]'.repeat(2000)}`;
const unknownSecret = { name: 'abc', spec: { pullSecretLinks: ['//secret/none'] } };
const wordyTracing = { name: 'abc', spec: { tracing: { sampling: 'much' } } };

const wrongPatches: readonly JsonObject[] = [
  { name: 'other' },
  { '$foo/spec': 1 },
  { '$append/description': ['x'] },
  { $drop: 'spec' },
  { $drop: ['name'] },
  { spec: { '$patch/env': [{ value: 'x' }] } },
  { spec: { origin: 'builtin' } },
];

// biome-ignore format: one refusal a line
const refusals: readonly Refusal[] = [
  [409, 'already_exists', 'a name that is taken', 'POST', 'location', { name: 'aws-us-east-1' }],
  [400, 'validation_failed', 'an unknown field', 'POST', 'gvc', { name: 'abc', spec: { nope: 1 } }],
  [400, 'validation_failed', 'no name', 'POST', 'gvc', {}],
  [400, 'validation_failed', 'a name of Object.prototype in a body', 'POST', 'gvc', { name: '__proto__' }],
  [400, 'validation_failed', 'another kind', 'POST', 'gvc', { kind: 'group', name: 'abc' }],
  [400, 'validation_failed', 'a number for a name', 'POST', 'gvc', { name: 5 }],
  [400, 'validation_failed', 'a directive in a new record', 'POST', 'gvc', { name: 'abc', '$replace/spec': {} }],
  [400, 'validation_failed', 'a link to another kind', 'POST', 'gvc', { name: 'abc', spec: { staticPlacement: { locationLinks: ['//secret/x'] } } }],
  [400, 'validation_failed', 'a link to another org', 'POST', 'gvc', { name: 'abc', spec: { pullSecretLinks: ['/org/other/secret/x'] } }],
  ...['{', 'null', '[]', '"x"', '5', 'true', '{} {}', "{'name':'x'}", 'name: abc', '{"name":NaN}', '\ufeff\ufeff{"name":"twice"}'].map(
    (body): Refusal => [400, 'unreadable_body', `the body ${JSON.stringify(body)}`, 'POST', 'gvc', body]),
  [400, 'unreadable_body', 'a body that is not UTF-8', 'POST', 'gvc', Buffer.from([0x7b, 0xff, 0x7d])],
  [400, 'unreadable_body', 'very deep nesting', 'POST', 'gvc', nested],
  [413, 'body_too_large', 'a body that is too large', 'POST', 'gvc', 'x'.repeat(17 * 1024 * 1024)],
  [413, 'body_too_large', 'a hundred thousand fields', 'POST', 'gvc', manyFields],
  [413, 'body_too_large', 'a field of megabytes', 'POST', 'gvc', { ['k'.repeat(3_000_000)]: 1 }],
  [400, 'validation_failed', 'a field of half a megabyte', 'POST', 'gvc', { ['k'.repeat(500_000)]: 1 }],
  [404, 'not_found', 'an absent parent', 'POST', 'gvc/none/identity', { name: 'abc' }],
  [404, 'not_found', 'an absent record', 'GET', 'gvc/none'],
  [404, 'not_found', 'a name of Object.prototype', 'GET', 'gvc/__proto__'],
  [404, 'not_found', 'an unknown kind', 'GET', 'constructor'],
  [404, 'not_found', 'an unknown operation', 'GET', 'gvc/-nope'],
  [404, 'not_found', 'the list of an absent parent', 'GET', 'gvc/none/workload'],
  [404, 'not_found', 'a parent folder in a name', 'GET', 'gvc/..%2fgvc'],
  [404, 'not_found', 'an unknown path', 'GET', '/nothing'],
  [404, 'not_found', 'another org', 'GET', '/org/other/gvc'],
  [400, 'invalid_request', 'a bad percent-encoding', 'GET', 'gvc/%zz'],
  [400, 'invalid_request', 'an encoding that ends early', 'GET', 'gvc/%E0%A4%A'],
  [400, 'invalid_request', 'NUL in a path', 'GET', 'gvc/a%00b'],
  [400, 'invalid_request', 'an invalid cursor', 'GET', 'gvc?next=x'],
  [400, 'invalid_request', 'another name in PUT', 'PUT', 'gvc/abc', { name: 'abd' }],
  [405, 'method_not_allowed', 'deletion of the org', 'DELETE', '/org/local'],
  [405, 'method_not_allowed', 'creation of a user', 'POST', 'user', { name: 'abc' }],
  [400, 'built_in', 'change of a built-in policy', 'PATCH', 'policy/viewers-gvc', { description: 'x' }],
  [400, 'validation_failed', 'a link to a missing record', 'POST', 'gvc', unknownSecret],
  [400, 'validation_failed', 'another e-mail address of a user', 'PATCH', 'user/ann@example.com', { email: 'b@b.de' }],
  ...['aws', 'linode', 'oci'].map((provider): Refusal =>
    [400, 'validation_failed', `a location of the provider ${provider}`, 'POST', 'location', { name: 'new', provider }]),
  [400, 'validation_failed', 'another provider of a location', 'PATCH', 'location/aws-us-east-1', { provider: 'gcp' }],
  [409, 'version_mismatch', 'a stale version as text', 'PATCH', 'group/viewers', { version: '99', tags: { a: 'b' } }],
  [409, 'version_mismatch', 'a version that is not a number', 'PATCH', 'group/viewers', { version: [1], tags: { a: 'b' } }],
  [400, 'validation_failed', 'a tag that would be a directive in a patch', 'POST', 'gvc', { name: 'abc', tags: { $mine: 'b' } }],
  [400, 'validation_failed', 'such a tag below $replace', 'PATCH', 'group/viewers', { '$replace/tags': { $mine: 'b' } }],
  [400, 'validation_failed', 'such a tag by its own $replace', 'PATCH', 'group/viewers', { tags: { '$replace/$mine': 'b' } }],
  [400, 'validation_failed', 'text for a number', 'POST', 'gvc', wordyTracing],
  [400, 'validation_failed', 'a query about another kind', 'POST', 'gvc/-query', { kind: 'group' }],
  [400, 'validation_failed', 'a query whose spec is text', 'POST', 'gvc/-query', { spec: 'all' }],
  [400, 'validation_failed', 'a term of a query without tag, property and rel', 'POST', 'gvc/-query', { spec: { terms: [{ op: '=' }] } }],
];

const long = 'x'.repeat(250);
// biome-ignore format: one description a line
const keyDescriptions = [
  ['', 400], [' ', 400], [`${long}x`, 400], [undefined, 400], [5, 400],
  ['x', 201, 'x'], [' x ', 201, 'x'], [long, 201, long], [` ${long} `, 201, long],
] as const;
// biome-ignore format: one description a line
const accountDescriptions = [
  [long, 200, long], [` ${long} `, 200, long], [`${long}x`, 400, long], ['', 200, ''],
] as const;

const wrongSecrets: readonly (readonly [string, unknown])[] = [
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
  ['none', 'hush-hush'],
];

/** How a write is read, and why it is refused: platform/errors, platform/wire.writes, platform/patch.clients. */
export const writeRows: readonly Row[] = [
  parted(
    'errors/refusals',
    'each refusal has its status and its code, and reveals no internals',
    ...refusals.map(
      ([status, code, it, method, path, body]): Part => [
        `${method} is ${status} ${code} for ${it}`,
        async (wire) => {
          const reply = await wire.call(method, path, body);
          expect([reply.status, reply.body['code']], reply.text.slice(0, 500)).toEqual([status, code]);
          expect(reply.text).not.toMatch(/\.ts:|node:|node_modules|\n\s+at /);
          expect(reply.text.length).toBeLessThan(100_000);
          if (status === 405) expect(reply.headers.get('allow')).toMatch(/GET/);
        },
      ],
    ),
    partOf('no refusal repeats the value of a secret', async (wire) => {
      const texts = [(await wire.call('POST', 'secret', '{"name": "key", "data": hush-hush}')).text];
      for (const [type, data] of wrongSecrets) {
        const reply = await wire.call('POST', 'secret', { name: 'key', type, data });
        expect(reply.status, type).toBe(400);
        texts.push(reply.text);
      }
      texts.push((await wire.call('GET', '/audit/org/local?resourceType=secret&limit=100')).text);
      expect(texts.join()).not.toContain('hush-hush');
    }),
  ),
  parted(
    'wire/writes',
    'a write is read with the types of the schema, without the members that only the platform sets',
    partOf('members that only the platform sets are ignored, and so is null, in lists too', async (wire) => {
      const name = wire.name('gvc');
      const said = { id: 'mine', version: 9, created: 'once', lastModified: 'once', links: [1], alias: 'mine' };
      const spec = { env: [{ name: 'A', value: null }], loadBalancer: null };
      const made = await wire.ok('POST', 'gvc', { name, ...said, status: { a: 1 }, description: null, spec });
      expect(made).toMatchObject({ version: 1, description: name, spec: { env: [{ name: 'A' }] }, status: {} });
      expect(made['alias']).not.toBe('mine');
      const again = await wire.call('PUT', 'gvc', { ...made, id: 'other', version: 99, created: 'once' });
      expect([again.status, again.body]).toEqual([200, made]);
    }),
    partOf('text is read as a number or boolean of the schema, and as a version', async (wire) => {
      const [path, name] = [`gvc/${await town(wire)}/workload`, wire.name('work')];
      const defaultOptions = { timeoutSeconds: '30', suspend: 'false', autoscaling: { minScale: '2', maxScale: '4' } };
      const containers = [container({ ports: [{ number: '8080' }], inheritEnv: 'true' })];
      await wire.ok('POST', path, { name, spec: { type: 'standard', containers, defaultOptions } });
      const change = { version: '1', spec: { defaultOptions: { autoscaling: { minScale: '3' } } } };
      const options = { timeoutSeconds: 30, suspend: false, autoscaling: { minScale: 3, maxScale: 4 } };
      expect(await wire.ok('PATCH', `${path}/${name}`, change)).toMatchObject({
        version: 2,
        spec: {
          containers: [{ ports: [{ number: 8080, protocol: 'http' }], inheritEnv: true }],
          defaultOptions: options,
        },
      });
      await wire.refused(409, 'PATCH', `${path}/${name}`, change);
    }),
    partOf('a refused write changes nothing: the merged record is validated as a whole', async (wire) => {
      const gvc = `gvc/${await makeGvc(wire)}`;
      const before = await wire.get(gvc);
      const change = { description: 'new', spec: { loadBalancer: { trustedProxies: 7 } } };
      const path = 'spec.loadBalancer.trustedProxies';
      const error = await wire.refused(400, 'PATCH', gvc, change);
      expect(itemsAt(error, 'details/problems')).toMatchObject([{ path }]);
      await wire.refused(409, 'PATCH', gvc, { id: 'other', tags: { a: 'c' } });
      for (const patch of wrongPatches) await wire.refused(400, 'PATCH', gvc, patch);
      expect(await wire.get(gvc)).toEqual(before);
    }),
    partOf('of twenty simultaneous creations of one name, or changes of one version, one succeeds', async (wire) => {
      const [name, twenty] = [wire.name('race'), Array.from({ length: 20 }, (_, index) => `t${index}`)];
      const statuses = async (write: (tag: string) => ReturnType<Wire['call']>) =>
        (await Promise.all(twenty.map(write))).map(({ status }) => status).toSorted();
      const refused = twenty.slice(1).map(() => 409);
      expect(await statuses(() => wire.call('POST', 'gvc', { name }))).toEqual([201, ...refused]);
      const change = (tag: string) => wire.call('PATCH', `gvc/${name}`, { version: 1, tags: { [tag]: true } });
      expect(await statuses(change)).toEqual([200, ...refused]);
    }),
    partOf(
      'PUT of an item creates it, or replaces it whatever version it states, and must have its name and kind',
      async (wire) => {
        const name = wire.name('gvc');
        const spec = { staticPlacement: { locationLinks: ['/org/local/location/aws-us-west-2'] } };
        const document = { kind: 'gvc', name, description: 'from a cluster', tags: { owner: 'cluster' } };
        const made = await wire.call('PUT', `gvc/${name}`, { ...document, spec: { ...spec, domain: 'a.example.com' } });
        expect([made.status, made.headers.get('location')]).toEqual([201, `/org/local/gvc/${name}`]);
        const again = await wire.call('PUT', `gvc/${name}`, made.body);
        expect([again.status, again.body]).toEqual([200, made.body]);
        const replaced = await wire.ok('PUT', `gvc/${name}`, { spec, version: 77 });
        expect(replaced).toMatchObject({ id: made.body['id'], version: 2, description: name });
        expect([replaced['tags'], replaced['spec']]).toEqual([{}, { ...spec, endpointNamingFormat: 'org' }]);
        await wire.refused(400, 'PUT', `gvc/${name}`, { ...document, name: `${name}x` });
        await wire.refused(400, 'PUT', `gvc/${name}`, { ...document, kind: 'workload' });
      },
    ),
  ),
  parted(
    'concepts.record/provider of a location',
    'a location keeps its provider, which one that is not built in must have',
    ownPart('a built-in location can be disabled, described and tagged, by PATCH and by PUT', {}, async (wire) => {
      const place = 'location/aws-us-east-1';
      const change = { description: 'ours', tags: { a: 'b' }, spec: { enabled: 'false' } };
      const patched = await wire.ok('PATCH', place, change);
      expect(patched).toMatchObject({ version: 2, ...change, spec: { enabled: false }, region: 'us-east-1' });
      const put = await wire.ok('PUT', place, { ...patched, spec: { enabled: true } });
      expect(put).toMatchObject({ version: 3, origin: 'builtin', provider: 'aws', spec: { enabled: true } });
    }),
    ...['aws-us-west-2', 'home'].map(
      (name): Part => [
        `a PUT of ${name} without its provider keeps it, and nothing removes it`,
        alone({}, async (wire) => {
          if (name === 'home') await wire.ok('POST', 'location', { name, provider: 'byok' });
          const { provider = '' } = await wire.get(`location/${name}`);
          const puts = [
            [`location/${name}`, { description: 'one' }],
            [`location/${name}`, { description: 'two', provider: null }],
            ['location', { name, description: 'three' }],
          ] as const;
          for (const [path, body] of puts) {
            const put = await wire.call('PUT', path, body);
            expect([put.status, put.body]).toMatchObject([200, { provider, description: body.description }]);
          }
          for (const body of [{ provider: null }, { $drop: ['provider'] }]) {
            const error = await wire.refused(400, 'PATCH', `location/${name}`, body);
            expect(JSON.stringify(error)).toContain('the provider cannot be removed');
          }
          await wire.refused(400, 'PATCH', `location/${name}`, { provider: provider === 'byok' ? 'aws' : 'byok' });
          expect(await wire.get(`location/${name}`)).toMatchObject({ provider });
        }),
      ],
    ),
    partOf('a POST or PUT that would create one without its provider is refused', async (wire) => {
      const name = wire.name('home');
      const writes: readonly (readonly [string, string, JsonObject])[] = [
        ['POST', 'location', { name }],
        ['PUT', 'location', { name }],
        ['PUT', `location/${name}`, {}],
      ];
      for (const [method, path, body] of writes) {
        expect(await wire.refused(400, method, path, body)).toMatchObject({
          message: 'provider: a location that is not built in needs its provider, byok. Set provider: byok.',
        });
      }
      await wire.refused(404, 'GET', `location/${name}`);
    }),
  ),
  row(
    'access/descriptions of accounts and keys',
    'a key needs a description, which is the name of an account by default; at most 250 characters, no outer spaces',
    async (wire: Wire) => {
      const name = wire.name('robot');
      await wire.ok('POST', 'serviceaccount', { name });
      for (const [description, status, stored] of keyDescriptions) {
        const added = await wire.call('POST', `serviceaccount/${name}/-addKey`, { description });
        expect([added.status, added.body['description']], String(description)).toEqual([status, stored]);
      }
      for (const [description, status, stored] of accountDescriptions) {
        const { status: answered } = await wire.call('PATCH', `serviceaccount/${name}`, { description });
        const shown = stored === '' ? name : stored;
        expect([answered, (await wire.get(`serviceaccount/${name}`))['description']]).toEqual([status, shown]);
      }
    },
  ),
];
