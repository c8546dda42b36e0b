import { fields, responseOnly } from '../../schema/facts/define.ts';
import { onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { agentStatus } from '../common/answers.ts';
import { serving, usualPermissions } from '../common/facts.ts';
import { envelope } from '../common/fields.ts';
import type { Sheet } from '../common/sheet.ts';

const definition = fields({ ...envelope, status: responseOnly(agentStatus) }, onlyMetadata);

/** A way into a private network (platform/agent). */
export const agent = {
  singular: 'agent',
  plural: 'agents',
  about: 'A program in a private network, through which identities reach resources there.',
  className: 'Agent',
  typeName: 'AgentFields',
  exampleName: 'office',
  hasQuota: true,
  permissions: [...usualPermissions, 'use'],
  /** Workloads reach private networks through it. */
  risks: serving,
  renaming: { why: 'everything registered with the old one would have to be registered again', allowed: true },
  initialFields: () => ({ status: {} }),
  definition,
} satisfies Sheet;
