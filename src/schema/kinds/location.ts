import { constant, fields, flag, oneOf, optional, responseOnly } from '../facts/define.ts';
import { onlyMetadata, startsReplicas } from '../facts/riskFacts.ts';
import { envelope, origin } from './parts/common.ts';

/** A place where workloads run; only self-hosted ones can be created (platform/location). */
export const location = fields(
  {
    ...envelope,
    ...origin,
    provider: optional(
      oneOf(['aws', 'gcp', 'azure', 'byok', 'linode', 'vultr', 'equinix', 'oci'], { fill: 'service', immutable: true }),
    ),
    region: responseOnly(),
    spec: optional(fields({ enabled: optional(flag({ ...constant(true), ...startsReplicas })) })),
  },
  onlyMetadata,
);
