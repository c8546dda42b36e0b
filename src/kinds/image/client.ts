import type { ClientFacts } from '../common/client.ts';
import { member } from '../common/columns.ts';

export const imageClient: ClientFacts = {
  columns: ['name', member('REPOSITORY', 'repository'), member('TAG', 'tag'), 'created', member('DIGEST', 'digest')],
};
