import type { ClientFacts } from '../common/client.ts';
import { member } from '../common/columns.ts';

export const quotaClient: ClientFacts = {
  columns: ['name', 'description', member('CURRENT', 'current'), member('MAX', 'max'), member('UNIT', 'unit')],
};
