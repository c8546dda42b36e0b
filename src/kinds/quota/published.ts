import type { Published } from '../common/words.ts';

export const published: Published = {
  types: {
    QuotaFields: {
      about: 'How much of something an org may have.',
      section: 'quota.limits',
      fields: {
        unit: 'Unit of the limit.',
        dimensions: 'What the limit is about.',
        current: 'How much the org has now.',
        max: 'Most that the org may have. No limit, when omitted.',
      },
    },
  },
  example: { name: 'workloads', tags: { reviewed: 'yes' } },
};
