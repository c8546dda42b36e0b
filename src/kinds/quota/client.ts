import { type ClientFacts, member } from '../common/client.ts';

export const quotaClient: ClientFacts = {
  columns: ['name', 'description', member('CURRENT', 'current'), member('MAX', 'max'), member('UNIT', 'unit')],
};
