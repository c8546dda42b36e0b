import { type ClientFacts, member } from '../common/client.ts';

export const userClient: ClientFacts = {
  columns: ['name', member('EMAIL', 'email'), member('IDP', 'idp'), 'created', 'tags'],
};
