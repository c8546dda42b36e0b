import { fields, free, optional, responseOnly } from '../../schema/facts/define.ts';
import { onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { deploymentStatus } from '../common/answers.ts';
import { governing } from '../common/facts.ts';
import { envelope, inGvc } from '../common/fields.ts';
import type { Sheet } from '../common/sheet.ts';

const definition = fields(
  { ...envelope, ...inGvc, status: responseOnly(deploymentStatus), spec: optional(free()) },
  onlyMetadata,
);

/** The running part of a workload in one location (platform/deployment). */
export const deployment = {
  singular: 'deployment',
  plural: 'deployments',
  about: 'A workload as it runs in one location. The platform writes it.',
  typeName: 'DeploymentFields',
  exampleName: 'aws-eu-central-1',
  risks: governing,
  nameDescription: 'The location.',
  definition,
  client: async () => (await import('./client.ts')).deploymentClient,
} satisfies Sheet;
