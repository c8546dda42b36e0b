import { at, type ClientFacts, member } from '../common/client.ts';

export const locationClient: ClientFacts = {
  columns: [
    'name',
    'description',
    member('PROVIDER', 'provider'),
    { title: 'ENABLED', rank: 2, of: (record) => at(record, 'spec', 'enabled') },
    member('REGION', 'region'),
    'origin',
    'tags',
  ],
  create: () => ({ provider: 'byok' }),
};
