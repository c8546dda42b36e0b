import { expect, it } from 'vitest';
import { writeObject } from '../../../src/provider/protocol/values.ts';
import { ProviderSession } from '../../../src/provider/services/providerSession.ts';
import { readDataSource } from '../../../src/provider/services/readDataSource.ts';
import { dataSourceTypeNamed } from '../../../src/provider/services/types.ts';

const nobody = 'http://127.0.0.1:9';

// The address of a record without a name is that of the list of its kind.
it('an empty name is refused before anything is asked', async () => {
  const session = new ProviderSession({ environment: {}, cwd: '/' });
  await session.configure({
    endpoint: nobody,
    org: 'local',
    gvc: 'shop',
    token: undefined,
    dialect: undefined,
    embedded: undefined,
    maxRisk: undefined,
    maxConcurrency: undefined,
  });
  for (const type of ['gantry_group', 'gantry_workload', 'gantry_user']) {
    const config = writeObject({ name: '' }, dataSourceTypeNamed(type).attributes);
    await expect(readDataSource(session, { type_name: type, config })).rejects.toMatchObject({ code: 'provider.name' });
  }
  await session.close();
});
