import type { Published } from '../common/words.ts';

export const published: Published = {
  construct: 'An audit trail of its own. The platform never deletes one: removing it from a stack forgets it.',
  types: {
    AuditContextFields: {
      about: 'An audit trail of its own. It cannot be deleted.',
      section: 'auditctx.life',
      fields: {},
    },
  },
  example: { name: 'releases', description: 'What the release pipeline does' },
};
