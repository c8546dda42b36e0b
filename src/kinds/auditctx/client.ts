import type { ClientFacts } from '../common/client.ts';

export const auditctxClient: ClientFacts = { columns: ['name', 'description', 'origin', 'tags'] };
