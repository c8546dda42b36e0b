import { patterns } from '../../base/text/patterns.ts';
import { fields, link, oneOf, optional, responseOnly, text } from '../../schema/facts/define.ts';
import { onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { cloudAccountStatus } from '../common/answers.ts';
import { governing, usualPermissions } from '../common/facts.ts';
import { envelope } from '../common/fields.ts';
import type { Sheet } from '../common/sheet.ts';

const definition = fields(
  {
    ...envelope,
    status: responseOnly(cloudAccountStatus),
    provider: oneOf(['aws', 'gcp', 'azure', 'ngs'], { immutable: true }),
    data: fields(
      {
        roleArn: optional(text({}, { pattern: patterns.arn.pattern })),
        projectId: optional(text({}, { minLength: 6, maxLength: 30 })),
        secretLink: optional(link(['secret'], 'hard', { mayBeMissing: true })),
      },
      { immutable: true },
    ),
  },
  onlyMetadata,
);

/**
 * Access to an account at a cloud provider (platform/cloudaccount). A rule checks the member that each provider needs.
 */
export const cloudaccount = {
  singular: 'cloud account',
  plural: 'cloud accounts',
  about: 'An account at a cloud provider that identities get access to.',
  className: 'CloudAccount',
  props: 'record',
  discriminator: 'provider',
  typeName: 'CloudAccountFields',
  exampleName: 'aws',
  hasQuota: true,
  permissions: [...usualPermissions, 'browse', 'use'],
  risks: governing,
  initialFields: (_, now) => ({ status: { usable: true, lastChecked: now, lastError: '' } }),
  definition,
  client: async () => (await import('./client.ts')).cloudaccountClient,
} satisfies Sheet;
