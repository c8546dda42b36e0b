import { decimal, fields, optional, responseOnly } from '../../schema/facts/define.ts';
import { onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { commonAnswers } from '../common/answers.ts';
import { governing } from '../common/facts.ts';
import { envelope, origin } from '../common/fields.ts';
import type { Sheet } from '../common/sheet.ts';

const definition = fields(
  {
    ...envelope,
    ...origin,
    unit: responseOnly(commonAnswers.text),
    dimensions: responseOnly(),
    current: responseOnly(commonAnswers.number),
    max: optional(decimal({}, { minimum: 0 })),
  },
  onlyMetadata,
);

/**
 * A limit on how much of something an org may have; clients set only `max`, and without it there is no limit
 * (platform/quota).
 */
export const quota = {
  singular: 'quota',
  plural: 'quotas',
  about: 'A limit on how much an org may use.',
  typeName: 'QuotaFields',
  exampleName: 'workloads',
  permissions: ['create', 'edit', 'manage', 'view'],
  risks: governing,
  undeletable: true,
  verbs: ['get', 'query', 'permissions', 'edit', 'patch'],
  definition,
  client: async () => (await import('./client.ts')).quotaClient,
} satisfies Sheet;
