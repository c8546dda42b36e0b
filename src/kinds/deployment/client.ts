import { stringAt } from '../../base/json/json.ts';
import { type ClientFacts, time } from '../common/client.ts';

export const deploymentClient: ClientFacts = {
  columns: [
    { title: 'LOCATION', of: (record) => stringAt(record, 'name') ?? '' },
    time('MODIFIED', 'lastModified'),
    'readiness',
  ],
};
