import { fields, free, optional, responseOnly } from '../../schema/facts/define.ts';
import { onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { deploymentStatus } from '../common/answers.ts';
import { envelope, inGvc } from '../common/fields.ts';

/** What runs of a workload in one location (platform/deployment). */
export const deployment = fields(
  { ...envelope, ...inGvc, status: responseOnly(deploymentStatus), spec: optional(free()) },
  onlyMetadata,
);
