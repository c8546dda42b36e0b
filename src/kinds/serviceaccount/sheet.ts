import { fields, free, keyed, optional, statedKey, text } from '../../schema/facts/define.ts';
import { onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { usualPermissions } from '../common/facts.ts';
import { envelope, origin } from '../common/fields.ts';
import type { Sheet } from '../common/sheet.ts';

const key = fields({
  name: text(),
  created: optional(free({ answer: { is: 'text' } })),
  description: optional(text()),
  key: optional(free({ sensitive: true, answer: { is: 'text', isShownOnce: true } })),
});

const definition = fields(
  {
    ...envelope,
    ...origin,
    keys: optional(keyed(key, statedKey('name'), { responseOnly: true })),
  },
  onlyMetadata,
);

/**
 * An account for programs. Its keys are created outside of manifests and are never managed (platform/serviceaccount).
 */
export const serviceaccount = {
  singular: 'service account',
  plural: 'service accounts',
  about: 'An account for programs. Its keys are tokens of this API.',
  className: 'ServiceAccount',
  typeName: 'ServiceAccountFields',
  exampleName: 'pipeline',
  hasQuota: true,
  permissions: [...usualPermissions, 'addKey'],
  /** Its keys are deleted with it, and are shown only once, so they cannot be restored (platform/deletion.cascade). */
  risks: { create: 'none', write: 'metadata', delete: 'data-loss' },
  hasKeys: true,
  /** Deleting a service account deletes all its keys (platform/deletion.cascade). */
  renaming: { why: 'its keys would be deleted with the old one', allowed: true },
  initialFields: () => ({ origin: 'default' }),
  definition,
  client: async () => (await import('./client.ts')).serviceaccountClient,
} satisfies Sheet;
