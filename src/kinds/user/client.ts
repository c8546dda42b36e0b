import type { ClientFacts } from '../common/client.ts';
import { member } from '../common/columns.ts';

export const userClient: ClientFacts = {
  columns: ['name', member('EMAIL', 'email'), member('IDP', 'idp'), 'created', 'tags'],
};
