import { isObject, own } from '../../base/json/json.ts';
import { type ClientFacts, member } from '../common/client.ts';

export const identityClient: ClientFacts = {
  columns: [
    'name',
    'description',
    'gvc',
    { ...member('LOCAL NAME', 'status', 'objectName'), rank: 3 },
    'created',
    {
      title: 'PROVIDERS',
      rank: 2,
      of: (record) => ['aws', 'gcp', 'azure', 'ngs'].filter((provider) => isObject(own(record, provider))).join(' '),
    },
    'tags',
  ],
};
