import { type ClientFacts, member } from '../common/client.ts';

/** The options belong to `create-TYPE`; `create` takes a file. */
export const secretClient: ClientFacts = {
  columns: ['name', 'description', member('TYPE', 'type'), 'created', 'tags'],
};
