import { fields, link, oneOf, optional, sequence, set, stored, text } from '../../schema/facts/define.ts';
import { exposes, grants, grantsLater, onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { creatableKinds, principalKinds } from '../../schema/record/kinds.ts';
import { governing, usualPermissions } from '../common/facts.ts';
import { envelope, origin, query } from '../common/fields.ts';
import type { Sheet } from '../common/sheet.ts';

const binding = fields({
  permissions: set(text({}, { minLength: 1 }), {}, { minItems: 1 }),
  principalLinks: set(link(principalKinds, 'soft'), {}, { minItems: 1, maxItems: 200 }),
});

/**
 * Permissions of principals on records; its fields are top level (platform/policy). `targetKinds`: the kinds that it
 * can be about, collected from all kinds.
 */
const definition = (targetKinds: readonly string[]) =>
  fields(
    {
      ...envelope,
      ...origin,
      targetKind: oneOf(targetKinds, { ...exposes, immutable: true }),
      target: optional(oneOf(['all'], grantsLater)),
      targetLinks: optional(set(link([...creatableKinds, 'task', 'user'], 'soft'), grantsLater, { maxItems: 200 })),
      targetQuery: optional(query(exposes)),
      bindings: optional(sequence(binding, { ...stored([]), ...grants, byContent: true }, { maxItems: 50 })),
    },
    onlyMetadata,
  );

export const policy = {
  singular: 'policy',
  plural: 'policies',
  about: 'Gives users, groups, service accounts and identities permissions on records of one kind.',
  className: 'Policy',
  props: 'record',
  discriminator: 'targetKind',
  typeName: 'PolicyFields',
  exampleName: 'viewers',
  hasQuota: true,
  permissions: usualPermissions,
  risks: governing,
  grantsAccess: true,
  initialFields: () => ({ origin: 'default' }),
  definition,
  client: async (targetKinds) => (await import('./client.ts')).policyClient(targetKinds),
} satisfies Sheet;
