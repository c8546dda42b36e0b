import { fields, link, oneOf, optional, set, stored, text } from '../../schema/facts/define.ts';
import { exposes, grantsLater, onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { memberKinds } from '../../schema/record/kinds.ts';
import { governing, usualPermissions } from '../common/facts.ts';
import { envelope, origin, query } from '../common/fields.ts';
import type { Sheet } from '../common/sheet.ts';

const definition = fields(
  {
    ...envelope,
    ...origin,
    memberLinks: optional(set(link(memberKinds, 'hard'), { ...stored([]), ...grantsLater }, { maxItems: 200 })),
    memberQuery: optional(query(exposes)),
    identityMatcher: optional(
      fields(
        {
          expression: text({ spelling: 'expression' }),
          language: optional(oneOf(['jmespath', 'javascript'], stored('jmespath'))),
        },
        exposes,
      ),
    ),
  },
  onlyMetadata,
);

/** Users and service accounts under one name (platform/group). */
export const group = {
  singular: 'group',
  plural: 'groups',
  about: 'Users and service accounts that policies name together.',
  className: 'Group',
  props: 'record',
  typeName: 'GroupFields',
  exampleName: 'developers',
  hasQuota: true,
  permissions: usualPermissions,
  risks: governing,
  hasMembers: true,
  releases: 'all',
  initialFields: () => ({ origin: 'default' }),
  definition,
  client: async () => (await import('./client.ts')).groupClient,
} satisfies Sheet;
