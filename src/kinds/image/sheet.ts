import { fields, responseOnly } from '../../schema/facts/define.ts';
import { onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { commonAnswers } from '../common/answers.ts';
import { governing, usualPermissions } from '../common/facts.ts';
import { envelope } from '../common/fields.ts';
import type { Sheet } from '../common/sheet.ts';

const definition = fields(
  {
    ...envelope,
    repository: responseOnly(commonAnswers.text),
    tag: responseOnly(commonAnswers.text),
    digest: responseOnly(commonAnswers.text),
    manifest: responseOnly(),
  },
  onlyMetadata,
);

/** An image of the org's own registry, `repository:tag`; only a push creates it (platform/image). */
export const image = {
  singular: 'image',
  plural: 'images',
  about: 'A container image in the registry of the org.',
  typeName: 'ImageFields',
  exampleName: 'shop:1.4.0',
  hasQuota: true,
  permissions: [...usualPermissions, 'pull'],
  risks: governing,
  nameDescription: 'The name of the image with its tag: `shop:2`.',
  verbs: ['get', 'query', 'permissions', 'delete', 'tag', 'access-report', 'eventlog', 'audit'],
  definition,
  client: async () => (await import('./client.ts')).imageClient,
} satisfies Sheet;
