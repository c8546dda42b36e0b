import { expect, it, onTestFinished } from 'vitest';
import { unknown } from '../../../src/hcl/value.ts';
import { validateData } from '../../../src/provider/plan/validateConfig.ts';
import { readObject, writeObject } from '../../../src/provider/protocol/values.ts';
import { ProviderSession } from '../../../src/provider/services/providerSession.ts';
import { readDataSource } from '../../../src/provider/services/readDataSource.ts';
import { dataSourceTypeNamed } from '../../../src/provider/services/types.ts';
import { startServer } from '../../../src/server/start.ts';

const nobody = 'http://127.0.0.1:9';

async function read(type: string, config: Parameters<typeof writeObject>[0], endpoint = nobody) {
  const session = new ProviderSession({ environment: {}, cwd: '/' });
  await session.configure({
    endpoint,
    org: 'local',
    gvc: 'shop',
    token: undefined,
    tokenTarget: undefined,
    ignoredTags: [],
    defaultTags: {},
    insecure: false,
    authorities: undefined,
    dialect: undefined,
    embedded: undefined,
    maxRisk: undefined,
    maxConcurrency: undefined,
    consistencyMs: undefined,
    takesOver: false,
  });
  const { attributes } = dataSourceTypeNamed(type);
  return readDataSource(session, { type_name: type, config: writeObject(config, attributes) }).finally(() =>
    session.close(),
  );
}

it.each(['gantry_group', 'gantry_workload', 'gantry_user'])(
  '%s: an empty name is refused without a request',
  async (type) => {
    const { diagnostics, state } = await read(type, { name: '' });
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { summary: 'name is empty', attribute: { steps: [{ attribute_name: 'name' }] } },
    ]);
  },
);

it("an org other than the provider's does not exist", async () => {
  await expect(read('gantry_org', { name: 'other' })).rejects.toMatchObject({ code: 'provider.not-found' });
});

it('a query that would find something else than it says is refused at its attribute', () => {
  const paths = (query: Parameters<typeof validateData>[0]) => validateData({ query }).map(({ path }) => path);
  expect(paths({ match: 'some', terms: [{}] })).toEqual([['query', 'match']]);
  expect(paths({ match: 'any', terms: [{}, null] })).toEqual([['query', 'terms', 1]]);
  expect(paths({ sort: { by: 'name', order: 'up' } })).toEqual([['query', 'sort', 'order']]);
  expect(paths({ match: null, terms: null, sort: { by: unknown, order: unknown } })).toEqual([]);
  expect(paths({ match: unknown, terms: unknown })).toEqual([]);
  expect(validateData({ query: unknown, name: unknown })).toEqual([]);
  expect(validateData({ query: null, name: null })).toEqual([]);
});

it('a list is sorted by name, within its GVC; a query as the platform sorts it', async () => {
  const platform = await startServer({ port: 0, noAuth: true });
  onTestFinished(() => platform.close());
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const sent = fetch(`${platform.url}/org/local/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect((await sent).status).toBe(201);
  };
  for (const name of ['bees', 'ants', 'cats']) await post('group', { name, tags: { [name]: '1', all: '1' } });
  for (const gvc of ['shop', 'far']) {
    await post('gvc', { name: gvc });
    await post(`gvc/${gvc}/identity`, { name: `of-${gvc}` });
  }
  const names = async (type: string, config: Parameters<typeof writeObject>[0]) => {
    const { state } = await read(type, config, platform.url);
    return readObject(state, dataSourceTypeNamed(type).attributes)?.['names'];
  };
  expect(await names('gantry_identities', {})).toEqual(['of-shop']); // The GVC of the provider block.
  expect(await names('gantry_identities', { gvc: 'far' })).toEqual(['of-far']);
  const found = (match: string, ...tags: readonly string[]) => {
    const terms = tags.map((tag) => ({ tag, op: '=', value: '1' }));
    return names('gantry_groups', { query: { match, terms, sort: { by: 'name', order: 'desc' } } });
  };
  expect(await found('any', 'ants', 'cats')).toEqual(['cats', 'ants']);
  expect(await found('all', 'all', 'bees')).toEqual(['bees']);
  expect(await found('all', 'ants', 'cats')).toEqual([]);
  expect(await found('none', 'ants', 'cats')).toEqual(['viewers', 'superusers', 'bees']);
  await post('gvc', { name: 'town', spec: { staticPlacement: { locationLinks: ['//location/aws-us-west-2'] } } });
  const web = { name: 'web', spec: { type: 'standard', containers: [{ name: 'main', image: 'web:1' }] } };
  await post('gvc/town/workload', web);
  const ofWeb = { gvc: 'town', workload: 'web' };
  expect(await names('gantry_deployments', ofWeb)).toEqual(['aws-us-west-2']);
  expect(await names('gantry_orgs', {})).toEqual(['local']);
  for (const [type, config] of [
    ['gantry_deployment', { ...ofWeb, name: 'aws-us-west-2' }],
    ['gantry_org', { name: 'local' }],
  ] as const) {
    const { attributes } = dataSourceTypeNamed(type);
    expect(readObject((await read(type, config, platform.url)).state, attributes)).toMatchObject(config);
  }
  await expect(read('gantry_deployment', { ...ofWeb, name: 'far' }, platform.url)).rejects.toMatchObject({
    code: 'provider.not-found',
  });
  expect(await names('gantry_groups', {})).toEqual(['ants', 'bees', 'cats', 'superusers', 'viewers']); // Two are built in.
});
