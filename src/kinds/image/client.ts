import { type ClientFacts, member } from '../common/client.ts';

export const imageClient: ClientFacts = {
  columns: ['name', member('REPOSITORY', 'repository'), member('TAG', 'tag'), 'created', member('DIGEST', 'digest')],
};
