import { expect, test } from 'vitest';
import { ProfileStore } from '../../../src/project/settings/profileStore.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

test('addresses that are added at the same time are all stored', async () => {
  const environment = { GANTRY_HOME: temporaryFolder('added-addresses') };
  const addresses = [...Array(20).keys()].map((each) => `https://${each}.example.com`);
  await Promise.all(addresses.map((address) => new ProfileStore(environment).addEndpoints([address])));
  const known = await new ProfileStore(environment).endpoints();
  expect(known).toEqual(expect.arrayContaining(addresses)); // other tests of this process may have added more
});
