import type { ClientFacts } from '../common/client.ts';
import { member } from '../common/columns.ts';

/** Its options are those of `create-TYPE`; `create` takes a file. */
export const secretClient: ClientFacts = {
  columns: ['name', 'description', member('TYPE', 'type'), 'created', 'tags'],
};
