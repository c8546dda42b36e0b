import { fields, optional, text } from '../../schema/facts/define.ts';
import { onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { governing } from '../common/facts.ts';
import { envelope } from '../common/fields.ts';
import type { Sheet } from '../common/sheet.ts';

const definition = fields({ ...envelope, email: optional(text()), idp: optional(text()) }, onlyMetadata);

/** A person; by invitation only (platform/user). */
export const user = {
  singular: 'user',
  plural: 'users',
  about: 'A person in the org, with an e-mail address as the name.',
  typeName: 'UserFields',
  exampleName: 'ann@example.com',
  hasQuota: true,
  permissions: ['delete', 'edit', 'impersonate', 'invite', 'manage', 'view'],
  risks: governing,
  namedByEmail: true,
  minimalFields: (name) => ({ email: name, idp: 'local' }),
  verbs: ['get', 'query', 'permissions', 'delete', 'access-report', 'eventlog', 'audit'],
  definition,
  client: async () => (await import('./client.ts')).userClient,
} satisfies Sheet;
