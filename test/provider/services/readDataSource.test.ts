import { expect, it } from 'vitest';
import { unknown } from '../../../src/hcl/value.ts';
import { validateData } from '../../../src/provider/plan/validateData.ts';
import { writeObject } from '../../../src/provider/protocol/values.ts';
import { ProviderSession } from '../../../src/provider/services/providerSession.ts';
import { readDataSource } from '../../../src/provider/services/readDataSource.ts';
import { dataSourceTypeNamed } from '../../../src/provider/services/types.ts';

const nobody = 'http://127.0.0.1:9';

async function read(type: string, config: Parameters<typeof writeObject>[0]) {
  const session = new ProviderSession({ environment: {}, cwd: '/' });
  await session.configure({
    endpoint: nobody,
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
  '%s: an empty name is refused, and nothing asked',
  async (type) => {
    const { diagnostics, state } = await read(type, { name: '' });
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { summary: 'name is empty', attribute: { steps: [{ attribute_name: 'name' }] } },
    ]);
  },
);

it('another org than that of the provider is not there', async () => {
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
