import { stringAt } from '../../base/json/json.ts';
import type { ClientFacts } from '../common/client.ts';
import { time } from '../common/columns.ts';

export const deploymentClient: ClientFacts = {
  columns: [
    { title: 'LOCATION', of: (record) => stringAt(record, 'name') ?? '' },
    time('MODIFIED', 'lastModified'),
    'readiness',
  ],
};
