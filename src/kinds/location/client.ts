import type { ClientFacts } from '../common/client.ts';
import { at, member } from '../common/columns.ts';

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
