import { fields, responseOnly } from '../../schema/facts/define.ts';
import { onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { shown } from '../common/answers.ts';
import { governing, usualPermissions } from '../common/facts.ts';
import { envelope } from '../common/fields.ts';
import type { Sheet } from '../common/sheet.ts';

const definition = fields(
  {
    ...envelope,
    repository: responseOnly(shown.text),
    tag: responseOnly(shown.text),
    digest: responseOnly(shown.text),
    manifest: responseOnly(),
  },
  onlyMetadata,
);

/** An image of the org's own registry, `repository:tag`; only a push creates it (platform/image). */
export const image = {
  one: 'image',
  many: 'images',
  about: 'A container image in the registry of the org.',
  typeName: 'ImageFields',
  usualName: 'shop:1.4.0',
  hasQuota: true,
  permissions: [...usualPermissions, 'pull'],
  risks: governing,
  nameIs: 'The name of the image with its tag: `shop:2`.',
  verbs: ['get', 'query', 'permissions', 'delete', 'tag', 'access-report', 'eventlog', 'audit'],
  definition,
  client: async () => (await import('./client.ts')).imageClient,
} satisfies Sheet;
