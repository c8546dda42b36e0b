import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { functions } from '../../../src/hcl/schema/functions.ts';
import { providerBlock } from '../../../src/hcl/schema/providerBlock.ts';
import { domainRouteSchema, ephemeralSchema } from '../../../src/hcl/schema/providerSchema.ts';
import { ephemeralServiceAccountKey, serviceAccountKey } from '../../../src/hcl/schema/serviceAccountKey.ts';
import type { ObjectValue } from '../../../src/hcl/value.ts';
import type { Log } from '../../../src/provider/host/log.ts';
import type { Message } from '../../../src/provider/protocol/messages.ts';
import { readObject, readValue, writeObject, writeValue } from '../../../src/provider/protocol/values.ts';
import { dataSourceTypeNamed, resourceTypeNamed } from '../../../src/provider/services/types.ts';
import { startServer } from '../../../src/server/start.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { type Calls, type Diagnostic, startCalls } from '../harness/calls.ts';

const folder = temporaryFolder('handlers');

/** Starts the provider; with an endpoint, configures it with the GVC `shop`. */
async function provider(endpoint?: string, log?: Log): Promise<Calls> {
  const calls = await startCalls(folder, { log });
  if (endpoint !== undefined) expect(await calls.configure({ endpoint, org: 'local', gvc: 'shop' })).toEqual([]);
  return calls;
}

const keyType = 'gantry_service_account_key';

function attributesOf(type: string) {
  if (type === 'gantry_domain_route') return domainRouteSchema().attributes;
  return type === keyType ? serviceAccountKey.attributes : resourceTypeNamed(type).attributes;
}

/** Each diagnostic as `PLACE: SUMMARY`. */
function places({ diagnostics = [] }: { readonly diagnostics?: readonly Message<'Diagnostic'>[] }) {
  return diagnostics.map(({ summary, attribute: { steps = [] } = {} }) => {
    const place = steps.map((step) => step.attribute_name ?? step.element_key_string ?? step.element_key_int);
    return `${place.join('.')}: ${summary}`;
  });
}

describe('an import', () => {
  const inGvc = 'Write GVC/NAME, or NAME with a gvc in the provider block.';
  // biome-ignore format: a row is a case
  it.each<[type: string, id: string, endpoint: string | undefined, says: ObjectValue | string]>([
    ['gantry_group', 'readers', undefined, { name: 'readers' }],
    ['gantry_workload', 'shop/web', undefined, { gvc: 'shop', name: 'web' }],
    ['gantry_workload', 'web', 'http://127.0.0.1:9', { gvc: 'shop', name: 'web' }],
    ['gantry_org', 'local', 'http://127.0.0.1:9', { name: 'local' }],
    ['gantry_org', 'acme', 'http://127.0.0.1:9', 'The provider is set to the org local. Write NAME.'],
    ['gantry_workload', '/org/acme/gvc/shop/workload/web', undefined, { gvc: 'shop', name: 'web' }],
    ['gantry_group', '//group/readers', 'http://127.0.0.1:9', { name: 'readers' }],
    ['gantry_group', '/org/acme/group/readers', 'http://127.0.0.1:9',
      '"/org/acme/group/readers" is in the org acme, not in local. Write NAME or //group/NAME.'],
    ['gantry_group', '//policy/readers', 'http://127.0.0.1:9',
      '"//policy/readers" is a link to a policy, not to a group. Write NAME or //group/NAME.'],
    ['gantry_group', 'a/b', undefined, 'The kind group is not in a GVC. Write NAME.'],
    ['gantry_group', '', undefined, 'It is empty, or a part of it is. Write NAME.'],
    ['gantry_workload', 'web', undefined, `The kind workload is in a GVC. ${inGvc}`],
    ['gantry_workload', 'a/shop/web', undefined, `It has too many parts. ${inGvc}`],
    ['gantry_service_account_key', 'bot/k1', undefined, { serviceaccount: 'bot', name: 'k1' }],
    ['gantry_service_account_key', 'bot', undefined, 'Write ACCOUNT/NAME.'],
    ['gantry_domain_route', 'a.example:443:/a', undefined, { domain: 'a.example', domain_port: 443, prefix: '/a' }],
    ['gantry_domain_route', 'a.example:443', undefined,
      'Write DOMAIN:PORT:PATH, the path as the prefix or the regular expression says it, behind the host prefix.'],
  ])('of a %s by the id "%s" (%s)', async (type, id, endpoint, says) => {
    const { call } = await provider(endpoint);
    const { imported_resources: [found] = [], diagnostics } = await call('ImportResourceState', { type_name: type, id });
    if (typeof says === 'string') {
      expect(diagnostics?.map(({ detail }) => detail)).toEqual([says]);
      expect(diagnostics?.[0]?.summary).toContain(`${JSON.stringify(id)} is not a valid ID to import a`);
      return;
    }
    const state = Object.entries(readObject(found?.state, attributesOf(type)) ?? {});
    expect(Object.fromEntries(state.filter(([, value]) => value !== null))).toEqual(says);
    expect(found?.type_name).toBe(type);
  });
});

it('a resource moves with its state to another address of its type, but not to another type', async () => {
  const { call } = await provider();
  const request = {
    source_type_name: 'gantry_group',
    source_state: { json: Buffer.from('{"name":"a"}') },
    source_private: Buffer.from('{"version":3}'),
  };
  const moved = await call('MoveResourceState', { ...request, target_type_name: 'gantry_group' });
  expect(readObject(moved.target_state, attributesOf('gantry_group'))).toMatchObject({ name: 'a' });
  expect(moved.target_private).toEqual(request.source_private);
  const other = await call('MoveResourceState', { ...request, target_type_name: 'gantry_policy' });
  expect(other.diagnostics?.[0]?.detail).toContain('(provider.move)');
});

it.each(['gantry_group', 'gantry_service_account_key'])('the state of a %s is read as it was stored', async (type) => {
  const { call } = await provider();
  const raw_state = { json: Buffer.from('{"name":"a"}') };
  const { upgraded_state: state } = await call('UpgradeResourceState', { type_name: type, version: 0, raw_state });
  expect(readObject(state, attributesOf(type))).toMatchObject({ name: 'a' });
});

it('a function returns its result, or an error at the argument, without a provider block', async () => {
  const { call } = await provider();
  const texts = (...args: readonly string[]) => args.map(writeValue);
  const { result } = await call('CallFunction', { name: 'link', arguments: texts('workload', 'web', 'shop') });
  expect(readValue(result ?? {}, 'string')).toBe('//gvc/shop/workload/web');
  const wrong = await call('CallFunction', { name: 'link', arguments: texts('secrte', 'db') });
  expect(wrong.error).toMatchObject({ text: expect.stringContaining('Did you mean secret?'), function_argument: 0 });
  expect((await call('CallFunction', { name: 'lnik' })).error?.text).toBe(
    'this version of the provider has no function lnik',
  );
  const listed = (await call('GetFunctions', {})).functions ?? {};
  for (const [name, { variadic }] of Object.entries(functions))
    expect([name, listed[name]?.variadic_parameter?.name]).toEqual([name, variadic?.name]);
});

describe('a problem is reported at its attribute, before any request', () => {
  const block = (config: ObjectValue) => ({ config: writeObject(config, providerBlock.attributes) });
  const resource = (type: string, config: ObjectValue, attributes = attributesOf(type)) => ({
    type_name: type,
    config: writeObject(config, attributes),
  });
  // biome-ignore format: a row is a case
  it.each<[string, string, (of: Calls) => Promise<Parameters<typeof places>[0]>]>([
    ['of the provider block', 'max_risk: "much" is not a class of risk',
      ({ call }) => call('ValidateProviderConfig', block({ max_risk: 'much' }))],
    ['of the provider block, when it is configured', 'max_risk: "much" is not a class of risk',
      ({ call }) => call('ConfigureProvider', block({ endpoint: 'http://127.0.0.1:9', org: 'local', max_risk: 'much' }))],
    ['of a write-only value for an older Terraform', 'data_wo: This version of Terraform does not support write-only attributes',
      ({ call }) => call('ValidateResourceConfig', resource('gantry_secret',
        { name: 'key', type: 'opaque', data_wo: { opaque: { payload: 'x' } }, data_wo_version: 1 }))],
    ['of a data source', 'name: name is empty',
      ({ call }) => call('ValidateDataResourceConfig', resource('gantry_group', { name: '' },
        dataSourceTypeNamed('gantry_group').attributes))],
    ['of a timeout', 'timeouts.delete: "soon" is not a valid duration',
      ({ call }) => call('ValidateResourceConfig', resource('gantry_gvc', { name: 'shop', timeouts: { delete: 'soon' } }))],
    ['of a route', 'prefix: prefix: "a" is not a prefix of a path',
      ({ call }) => call('ValidateResourceConfig', resource('gantry_domain_route',
        { domain: 'a.example', prefix: 'a', workload_link: '//gvc/shop/workload/web' }))],
    ['of the port of a route', 'domain_port: domain_port: must be at most 65535',
      ({ call }) => call('ValidateResourceConfig', resource('gantry_domain_route',
        { domain: 'a.example', domain_port: 70000, prefix: '/a', workload_link: '//gvc/shop/workload/web' }))],
    ['of a key', 'description: description is not valid',
      ({ call }) => call('ValidateResourceConfig', resource(keyType, { serviceaccount: 'bot', description: ' ' }))],
    ['of a type that does not exist', ': This version of the provider has no resource gantry_nothing',
      ({ call }) => call('ValidateResourceConfig', { type_name: 'gantry_nothing' })],
    ['of an ephemeral key', 'description: description is not valid',
      ({ call }) => call('ValidateEphemeralResourceConfig', resource(keyType, { serviceaccount: 'bot', description: ' ' },
        ephemeralServiceAccountKey.attributes))],
  ])('%s', async (_, problem, ask) => {
    expect(places(await ask(await provider()))).toEqual([problem]);
  });
});

it('a write-only value is no problem for a Terraform that supports it', async () => {
  const secret = { name: 'key', type: 'opaque', data_wo: { opaque: { payload: 'x' } }, data_wo_version: 1 };
  const answer = await (await provider()).call('ValidateResourceConfig', {
    type_name: 'gantry_secret',
    config: writeObject(secret, attributesOf('gantry_secret')),
    client_capabilities: { write_only_attributes_allowed: true },
  });
  expect(places(answer)).toEqual([]);
});

it('the schema of a type has its version, and its attributes by their names', async () => {
  const answer = await (await provider()).call('GetProviderSchema', {});
  const { resource_schemas: all = {}, diagnostics, server_capabilities: capabilities } = answer;
  // Terraform plans deletions, and moves resources, only with a provider that says so.
  expect(capabilities).toMatchObject({ plan_destroy: true, move_resource_state: true });
  expect(diagnostics ?? []).toEqual([]);
  const { version, block } = all['gantry_group'] ?? {};
  expect([version ?? 0, block?.attributes?.map(({ name }) => name)]).toEqual([
    0,
    expect.arrayContaining(['name', 'tags']),
  ]);
  const { resources } = await (await provider()).call('GetMetadata', {});
  expect(resources?.map(({ type_name: name }) => name).toSorted()).toEqual(Object.keys(all).toSorted());
});

/** A platform, and requests of other clients to it. */
async function platform() {
  const { url, close } = await startServer({ port: 0, noAuth: true });
  onTestFinished(close);
  const call = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const headers = { 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${url}/org/local/${path}`, { method, headers, ...sent });
    expect(response.ok, await response.clone().text()).toBe(true);
    return JSON.parse((await response.text()) || '{}');
  };
  return { url, call };
}

it('a refresh reports that the name now belongs to another record', async () => {
  const { url, call } = await platform();
  const calls = await provider(url);
  const state = (await calls.run('gantry_group', { name: 'one' })) ?? {};
  expect(await calls.read('gantry_group', state)).toMatchObject({ state, diagnostics: [] });
  await call('DELETE', 'group/one');
  const { id } = await call('POST', 'group', { name: 'one' });
  const { state: now, diagnostics } = await (await provider(url)).read('gantry_group', state);
  expect(now).toMatchObject({ id });
  expect(diagnostics).toMatchObject([{ severity: 'warning', summary: 'group/one is another record than before' }]);
  expect(diagnostics[0]?.detail).toContain(`It had the id ${String(state['id'])}, and now has ${String(id)}: `);
  await call('DELETE', 'group/one');
  expect(await (await provider(url)).read('gantry_group', state)).toMatchObject({ state: undefined, diagnostics: [] });
});

it.each([
  ['the value alone', {}, 'The value of secret/database was written by somebody else', null],
  ['more than it', { description: 'theirs' }, 'The value of secret/database may have been written by somebody else', 1],
])('a refresh reports that others wrote %s of a secret whose value no state has', async (_, more, summary, version) => {
  const { url, call } = await platform();
  const calls = await provider(url);
  const type = 'gantry_secret';
  const data = { opaque: { payload: 'ours', encoding: 'plain' } };
  const config = { name: 'database', type: 'opaque', data_wo: data, data_wo_version: 1 };
  const { state = {}, own, diagnostics } = await calls.apply(type, config, undefined, await calls.plan(type, config));
  expect(diagnostics).toEqual([]);
  expect(await calls.read(type, state, own)).toMatchObject({ state: { data_wo_version: 1 }, diagnostics: [] });
  await call('PATCH', 'secret/database', { data: { payload: 'theirs' }, ...more });
  const found = await (await provider(url)).read(type, state, own);
  expect(found.diagnostics).toMatchObject([{ severity: 'warning', summary }]);
  expect(found.state).toMatchObject({ data_wo_version: version });
});

describe('an ephemeral resource', () => {
  const opened = (type: string, config: ObjectValue, attributes = ephemeralSchema('secret').attributes) => ({
    type_name: type,
    config: writeObject(config, attributes),
  });

  it('returns the value of a secret, and closes nothing', async () => {
    const { url, call } = await platform();
    await call('POST', 'secret', { name: 'database', type: 'opaque', data: { payload: 'x', encoding: 'plain' } });
    const { call: ask } = await provider(url);
    const { result } = await ask('OpenEphemeralResource', opened('gantry_secret', { name: 'database' }));
    const found = readObject(result, ephemeralSchema('secret').attributes);
    expect(found).toMatchObject({ name: 'database', data: { opaque: { payload: 'x' } } });
    expect(await ask('CloseEphemeralResource', { type_name: 'gantry_secret' })).toEqual({});
    const absent = await ask('OpenEphemeralResource', opened('gantry_secret', { name: 'none' }));
    expect(places(absent)).toEqual([': secret/none does not exist in the org local, or this token cannot view it']);
  });

  it('removes the key of a service account at the end, and only that', async () => {
    const { url, call } = await platform();
    await call('POST', 'serviceaccount', { name: 'bot' });
    const { name: other } = await call('POST', 'serviceaccount/bot/-addKey', { description: 'stays' });
    const { call: ask } = await provider(url);
    const type = keyType;
    const { attributes } = ephemeralServiceAccountKey;
    const { result, private: kept } = await ask(
      'OpenEphemeralResource',
      opened(type, { serviceaccount: 'bot' }, attributes),
    );
    const made = readObject(result, attributes);
    expect(made).toMatchObject({ serviceaccount: 'bot', description: 'Terraform, for one command' });
    const names = async () => {
      const { keys } = await call('GET', 'serviceaccount/bot');
      return Array.isArray(keys) ? keys.map(({ name }) => name) : [];
    };
    expect(await names()).toEqual([other, made?.['name']]);
    const closed = { type_name: type, ...(kept === undefined ? {} : { private: kept }) };
    expect(await ask('CloseEphemeralResource', closed)).toEqual({});
    expect(await names()).toEqual([other]);
  });
});

it('a managed key of a service account is read and imported without its value, and leaves the state once removed', async () => {
  const { url, call } = await platform();
  const calls = await provider(url);
  await call('POST', 'serviceaccount', { name: 'bot' });
  const type = keyType;
  const state = await calls.run(type, { serviceaccount: 'bot', description: 'for CI' });
  expect(state).toMatchObject({ serviceaccount: 'bot', description: 'for CI', key: expect.any(String) });
  expect(await calls.read(type, state ?? {})).toMatchObject({ state });
  const imported = await calls.read(type, { serviceaccount: 'bot', name: state?.['name'] ?? null });
  expect(imported.state).toEqual({ ...state, key: null });
  await calls.run(type, undefined, state);
  expect(await call('GET', 'serviceaccount/bot')).not.toHaveProperty('keys.0');
  expect(await calls.read(type, state ?? {})).toMatchObject({ state: undefined });
});

describe('a plan', () => {
  const summaries = ({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }) =>
    diagnostics.map(({ severity, summary }) => `${severity}: ${summary}`);

  it('with a new resource whose name exists on the platform is an error that says how to import it', async () => {
    const { url, call } = await platform();
    const { id } = await call('POST', 'group', { name: 'one' });
    const plan = await (await provider(url)).plan('gantry_group', { name: 'one' });
    expect(summaries(plan)).toEqual([
      `error: group/one exists already (id ${String(id)}), and this state does not have it`,
    ]);
    expect(plan.diagnostics[0]?.detail).toContain('import { to = gantry_group.NAME, id = "one" }');
  });

  it('is refused in the apply with the same words if the name was taken after the plan', async () => {
    const { url, call } = await platform();
    const calls = await provider(url);
    const plan = await calls.plan('gantry_group', { name: 'one' });
    const { id } = await call('POST', 'group', { name: 'one' });
    const applied = await calls.apply('gantry_group', { name: 'one' }, undefined, plan);
    expect(summaries(applied)).toEqual([
      `error: group/one exists already (id ${String(id)}), and this state does not have it`,
    ]);
    expect(applied.state).toBeUndefined();
  });

  it('says if another resource of this configuration has the name, and takes nothing over', async () => {
    const { url } = await platform();
    const first = await provider(url);
    const state = (await first.run('gantry_group', { name: 'one' })) ?? {};
    await first.read('gantry_group', state);
    const plan = await (await provider(url)).plan('gantry_group', { name: 'one' });
    expect(summaries(plan)).toEqual([
      `warning: group/one exists already (id ${String(state['id'])}): this configuration has created it, for another resource, provider block or state`,
    ]);
  });

  // biome-ignore format: a row is a case
  it.each([
    ['terraform.tfstate', 'gantry_group.old in terraform.tfstate has it', 'write moved { from = gantry_group.old, '],
    ['terraform.tfstate.backup', 'this configuration has created it, for another resource, provider block or state',
      'gantry_group.old in terraform.tfstate.backup has it. If terraform was killed while it wrote its state, apply nothing, ' +
      'and put that back: cp terraform.tfstate.backup terraform.tfstate'],
  ])('says which resource of %s has the name', async (file, whose, hint) => {
    const { url } = await platform();
    const cwd = join(folder, file);
    const started = async () => {
      const calls = await startCalls(cwd);
      await calls.configure({ endpoint: url, org: 'local' });
      return calls;
    };
    const first = await started();
    const { id = null } = (await first.run('gantry_group', { name: 'one' })) ?? {};
    const instances = [{ attributes: { id } }];
    const state = { version: 4, resources: [{ mode: 'managed', type: 'gantry_group', name: 'old', instances }] };
    writeFileSync(join(cwd, file), JSON.stringify(state));
    rmSync(join(cwd, '.terraform/gantry/creations'), { recursive: true });
    const { diagnostics } = await (await started()).plan('gantry_group', { name: 'one' });
    expect(diagnostics.map(({ summary }) => summary)).toEqual([`group/one exists already (id ${String(id)}): ${whose}`]);
    expect(diagnostics[0]?.detail).toContain(hint);
  });

  it('that is refused in the apply leaves no unfinished creation', async () => {
    const { url, call } = await platform();
    const cwd = join(folder, 'refused');
    const calls = await startCalls(cwd);
    await calls.configure({ endpoint: url, org: 'local' });
    const taken = await calls.plan('gantry_group', { name: 'one' });
    await call('POST', 'group', { name: 'one' });
    await calls.apply('gantry_group', { name: 'one' }, undefined, taken);
    const invalid = { name: 'two', member_links: ['//user/nobody@x.io'] };
    const { state } = await calls.apply('gantry_group', invalid, undefined, await calls.plan('gantry_group', invalid));
    expect(state).toBeUndefined();
    expect(readdirSync(join(cwd, '.terraform/gantry/creations'))).toEqual([]);
  });

  it('is an error for a second resource with the same name, but not in another GVC', async () => {
    const calls = await provider((await platform()).url);
    expect(summaries(await calls.plan('gantry_identity', { name: 'one' }))).toEqual([]);
    expect(summaries(await calls.plan('gantry_identity', { name: 'two' }))).toEqual([]);
    expect(summaries(await calls.plan('gantry_identity', { name: 'one', gvc: 'far' }))).toEqual([]);
    expect(summaries(await calls.plan('gantry_identity', { name: 'one' }))).toEqual([
      'error: identity/shop/one is declared by two resources of this configuration',
    ]);
  });

  const twice = ['error: group/one is declared by two resources of this configuration'];
  const moved = ['warning: group/one is deleted at one address and created at another'];
  it.each([
    ['stays', { name: 'one', description: 'x' }, twice],
    ['gets another name', { name: 'two' }, moved],
    ['is deleted', undefined, moved],
  ] as const)('with a new resource whose name is that of one in the state that %s, in either order', async (...row) => {
    const [, config, said] = row;
    const { url } = await platform();
    const first = await provider(url);
    const state = (await first.run('gantry_group', { name: 'one' })) ?? {};
    const newer = (calls: Calls) => calls.plan('gantry_group', { name: 'one' });
    const older = (calls: Calls) => calls.plan('gantry_group', config, state);
    for (const order of [
      [older, newer],
      [newer, older],
    ] as const) {
      const calls = await provider(url);
      await calls.read('gantry_group', state);
      const ofBoth = async (plan: (calls: Calls) => ReturnType<Calls['plan']>) =>
        summaries(await plan(calls)).filter((each) => /by two resources|at another$/.test(each));
      expect(await ofBoth(order[0])).toEqual([]);
      expect(await ofBoth(order[1])).toEqual(said);
    }
  });

  it('warns of a reference to a missing record, except in other orgs or if it was planned before', async () => {
    const { url } = await platform();
    const config = {
      name: 'ops',
      target_kind: 'gvc',
      bindings: [
        {
          permissions: ['view'],
          principal_links: ['//group/none', '//user/none@x.io', '/org/acme/group/theirs', '//group/superusers'],
        },
      ],
    };
    const missing = ['group/none', 'user/none@x.io'].map((id) => `warning: ${id} does not exist`);
    const plan = await (await provider(url)).plan('gantry_policy', config);
    expect(summaries(plan)).toEqual(missing);
    expect(plan.diagnostics.map(({ detail }) => detail.split(':')[0])).toEqual([
      'If this configuration creates it, write gantry_group.NAME.link, so that Terraform knows the order.',
      'Check the name',
    ]);
    const calls = await provider(url);
    await calls.plan('gantry_group', { name: 'none' });
    expect(summaries(await calls.plan('gantry_policy', config))).toEqual(missing.slice(1));
  });

  it('does not warn of missing references if nothing changes', async () => {
    const { url, call } = await platform();
    const calls = await provider(url);
    await call('POST', 'group', { name: 'theirs' });
    const bindings = [{ permissions: ['view'], principal_links: ['//group/theirs'] }];
    const config = { name: 'ops', target_kind: 'gvc', target: 'all', bindings };
    const state = await calls.run('gantry_policy', config);
    await call('DELETE', 'group/theirs');
    expect((await (await provider(url)).plan('gantry_policy', config, state)).diagnostics).toEqual([]);
  });

  it('of a change to a record of a Gantry stack warns once and names the stack', async () => {
    const { url, call } = await platform();
    const state = (await (await provider(url)).run('gantry_group', { name: 'one' })) ?? {};
    await call('PATCH', 'group/one', { tags: { 'gantry/stack': 'shop' } });
    const calls = await provider(url);
    const { state: now } = await calls.read('gantry_group', state);
    expect((await calls.plan('gantry_group', { name: 'one' }, now)).diagnostics).toEqual([]);
    const change = { name: 'one', description: 'other' };
    const first = await calls.plan('gantry_group', change, now);
    expect(summaries(first)).toEqual(['warning: group/one belongs to the stack shop']);
    expect(first.diagnostics[0]?.detail).toContain('run `terraform state rm ADDRESS`');
    expect(summaries(await calls.plan('gantry_group', change, now))).toEqual([]);
  });

  it('of a deletion lists the resources of others in the record', async () => {
    const { url, call } = await platform();
    const calls = await provider(url);
    const gvc = await calls.run('gantry_gvc', { name: 'shop' });
    await call('POST', 'gvc/shop/identity', { name: 'theirs' });
    const ofGvc = await calls.plan('gantry_gvc', undefined, gvc);
    expect(summaries(ofGvc)).toContain('warning: gvc/shop contains 1 resource that this configuration has not created');
    expect(ofGvc.diagnostics.at(-1)?.detail).toContain(
      'identity/shop/theirs. The apply refuses to delete them with it',
    );
  });

  it('of a GVC names the resources of others that lose a location', async () => {
    const { url, call } = await platform();
    const calls = await provider(url);
    const [near, far] = ['aws-eu-central-1', 'aws-us-west-2'];
    const config = (...names: readonly string[]) => ({
      name: 'shop',
      spec: { static_placement: { location_links: names.map((name) => `//location/${name}`) } },
    });
    const state = await calls.run('gantry_gvc', config(near, far));
    const containers = [{ name: 'main', image: 'web:1' }];
    await call('POST', 'gvc/shop/workload', { name: 'theirs', spec: { type: 'standard', containers } });
    expect(summaries(await calls.plan('gantry_gvc', config(near), state))).toContain(
      `warning: gvc/shop takes away location ${far} from 1 resource that this configuration has not created`,
    );
  });

  it('of an org is refused if it was not imported; its deletion only forgets it', async () => {
    const { url } = await platform();
    const calls = await provider(url);
    expect(summaries(await calls.plan('gantry_org', { name: 'local' }))).toEqual([
      'error: The org local exists already, and can only be imported',
    ]);
    const { state } = await calls.read('gantry_org', { name: 'local' });
    const plan = await calls.plan('gantry_org', undefined, state);
    expect(summaries(plan)).toEqual(['warning: org/local is not deleted, only forgotten']);
    expect(await calls.apply('gantry_org', undefined, state, plan)).toMatchObject({
      state: undefined,
      diagnostics: [],
    });
  });
});

describe('an update writes nothing, and keeps the state,', () => {
  const stale = 'group/one has changed since it was planned';
  // biome-ignore format: a row is a case
  it.each<[it: string, act: readonly (readonly [string, string, object?])[], config: ObjectValue, error: string]>([
    ['if others change a value', [['PATCH', 'group/one', { description: 'theirs' }]], {}, `${stale}: description changed`],
    ['if others delete it', [['DELETE', 'group/one']], {}, `${stale}: it no longer exists`],
    ['if others replace it', [['DELETE', 'group/one'], ['POST', 'group', { name: 'one' }]], {},
      `${stale}: another record has its name now`],
    ['if the platform refuses it', [], { member_links: ['//user/nobody@x.io'] }, 'nobody@x.io does not exist'],
  ])('%s after the plan', async (_, acts, more, error) => {
    const { url, call } = await platform();
    const calls = await provider(url);
    const state = await calls.run('gantry_group', { name: 'one' });
    const config = { name: 'one', description: 'ours', ...more };
    const plan = await calls.plan('gantry_group', config, state);
    for (const act of acts) await call(...act);
    const applied = await calls.apply('gantry_group', config, state, plan);
    expect([applied.state, applied.diagnostics.map(({ summary }) => summary)]).toEqual([
      state,
      [expect.stringContaining(error)],
    ]);
    const { items } = await call('GET', 'group');
    expect(JSON.stringify(items)).not.toContain('ours');
  });
});

/** docs/terraform.md: what is logged at DEBUG. */
it('an embedded platform keeps its records in its folder, and the log contains every request', async () => {
  const lines: string[] = [];
  const calls = await startCalls(folder, { log: (level, message) => lines.push(`${level}: ${message}`) });
  await calls.configure({ embedded: 'data' });
  const state = await calls.run('gantry_group', { name: 'one' });
  expect(lines).toContain('debug: POST /org/local/group');
  await calls.configure({ embedded: 'data' });
  expect(await calls.read('gantry_group', state ?? {})).toMatchObject({ state, diagnostics: [] });
});

it('the log contains each change with its record, and each failure', async () => {
  const { url, call } = await platform();
  await call('POST', 'group', { name: 'theirs' });
  const lines: string[] = [];
  const calls = await provider(url, (level, message) => {
    if (/^(?:did|failed)/.test(message)) lines.push(`${level}: ${message}`);
  });
  const one = await calls.run('gantry_group', { name: 'one' });
  const changed = await calls.run('gantry_group', { name: 'one', description: 'other' }, one);
  await calls.run('gantry_group', undefined, changed);
  const plan = await calls.plan('gantry_group', { name: 'theirs' });
  await calls.apply('gantry_group', { name: 'theirs' }, undefined, plan);
  await calls.run('gantry_serviceaccount', { name: 'bot' });
  const key = await calls.run(keyType, { serviceaccount: 'bot', description: 'for CI' });
  await calls.run(keyType, undefined, key);
  expect(lines).toEqual([
    'info: did create group/one',
    'info: did update group/one',
    'info: did delete group/one',
    'error: failed to create group/theirs',
    'info: did create serviceaccount/bot',
    'info: did create a gantry_service_account_key of serviceaccount/bot',
    'info: did delete a gantry_service_account_key of serviceaccount/bot',
  ]);
});

it('the log contains each planned action with its reasons', async () => {
  const { url } = await platform();
  const lines: unknown[] = [];
  const calls = await provider(url, (_, message, { attributes, replaced_for, refused } = {}) => {
    if (message.startsWith('plans')) lines.push([message, attributes, replaced_for, refused]);
  });
  const one = await calls.run('gantry_group', { name: 'one' });
  await calls.plan('gantry_group', { name: 'one' }, one);
  await calls.plan('gantry_group', { name: 'one', description: 'x' }, one);
  await calls.plan('gantry_group', { name: 'two' }, one);
  await calls.plan('gantry_group', undefined, one);
  await calls.plan('gantry_group', undefined, { ...one, protected: true });
  expect(lines).toEqual([
    ['plans to create group/one', undefined, [], []],
    ['plans to keep group/one', [], [], []],
    ['plans to update group/one', ['description'], [], []],
    ['plans to replace group/two', ['description', 'link', 'name'], ['name'], []],
    ['plans to delete group/one', undefined, [], []],
    ['plans to delete group/one', undefined, [], [expect.stringContaining('protected')]],
  ]);
});

it('a refresh asks for the value of a secret only if the state has one', async () => {
  const { url } = await platform();
  const lines: string[] = [];
  const calls = await provider(url, (_, message) => lines.push(message));
  const data = { opaque: { payload: 'x', encoding: 'plain' } };
  const state = (await calls.run('gantry_secret', { name: 'key', type: 'opaque', data })) ?? {};
  const asked = async (of: ObjectValue) => {
    lines.length = 0;
    await calls.read('gantry_secret', of);
    return lines.filter((line) => line.endsWith('/-reveal'));
  };
  expect(await asked(state)).toEqual(['GET /org/local/secret/key/-reveal']);
  expect(await asked({ ...state, data: null })).toEqual([]);
});

it('a deletion and a reference to the deleted record are an error, whichever is planned first', async () => {
  const { url, call } = await platform();
  await call('POST', 'gvc', { name: 'shop' });
  const identity = await (await provider(url)).run('gantry_identity', { name: 'web' });
  const containers = [{ name: 'main', image: 'web:1' }];
  const workload = { name: 'web', spec: { type: 'standard', identity_link: '//identity/web', containers } };
  const deleted = (calls: Calls) => calls.plan('gantry_identity', undefined, identity);
  const referring = (calls: Calls) => calls.plan('gantry_workload', workload);
  for (const [first, second] of [
    [deleted, referring],
    [referring, deleted],
  ] as const) {
    const calls = await provider(url);
    const errors = ({ diagnostics }: Awaited<ReturnType<typeof first>>) =>
      diagnostics.filter(({ severity }) => severity === 'error').map(({ summary }) => summary);
    expect(errors(await first(calls))).toEqual([]);
    expect(errors(await second(calls))).toEqual([expect.stringContaining('identity/shop/web does not exist')]);
  }
});

it('warns once in the provider block if its endpoint gets a token from outside it', async () => {
  const environment = { GANTRY_TOKEN: 't', HOME: folder };
  const said = async () =>
    (await startCalls(folder, { environment })).configure({ endpoint: 'https://other.example', org: 'local' });
  const summary = 'The token goes to https://other.example for the first time';
  expect(await said()).toMatchObject([{ severity: 'warning', summary }]);
  expect(await said()).toEqual([]);
});
