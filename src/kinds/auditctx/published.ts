import type { Published } from '../common/words.ts';

export const published: Published = {
  types: {
    AuditContextFields: {
      about: 'An audit trail of its own. It cannot be deleted.',
      section: 'auditctx.life',
      fields: {},
    },
  },
  example: { name: 'releases', description: 'What the release pipeline does' },
};
