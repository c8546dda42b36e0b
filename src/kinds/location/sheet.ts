import { constant, fields, flag, oneOf, optional, responseOnly } from '../../schema/facts/define.ts';
import { onlyMetadata, startsReplicas } from '../../schema/facts/riskFacts.ts';
import { commonAnswers, locationStatus } from '../common/answers.ts';
import { serving, usualPermissions } from '../common/facts.ts';
import { envelope, origin } from '../common/fields.ts';
import type { Sheet } from '../common/sheet.ts';

/** The provider of a location that a client creates (platform/location). */
export const ownProvider = 'byok';

const definition = fields(
  {
    ...envelope,
    status: responseOnly(locationStatus),
    ...origin,
    provider: optional(
      oneOf(['aws', 'gcp', 'azure', 'byok', 'linode', 'vultr', 'equinix', 'oci'], {
        fill: 'service',
        immutable: true,
        ownValue: ownProvider,
      }),
    ),
    region: responseOnly(commonAnswers.lastingText),
    spec: optional(fields({ enabled: optional(flag({ ...constant(true), ...startsReplicas })) })),
  },
  onlyMetadata,
);

/** A place where workloads run; clients can create only self-hosted ones (platform/location). */
export const location = {
  singular: 'location',
  plural: 'locations',
  about: 'A region of a cloud provider, or a cluster of your own.',
  className: 'Location',
  props: 'record',
  typeName: 'LocationFields',
  exampleName: 'cellar',
  permissions: usualPermissions,
  risks: serving,
  renaming: { why: 'everything connected to the old one would have to be connected again', allowed: true },
  minimalFields: () => ({ provider: 'aws', spec: { enabled: true } }),
  initialFields: (name) => ({ origin: 'custom', region: name, status: {} }),
  definition,
  client: async () => (await import('./client.ts')).locationClient,
} satisfies Sheet;
