import { accessCases } from './cases/access.ts';
import { containerCases } from './cases/containers.ts';
import { domainCases } from './cases/domain.ts';
import { envelopeCases } from './cases/envelope.ts';
import { gvcCases } from './cases/gvc.ts';
import { networkCases } from './cases/network.ts';
import { orgCases } from './cases/org.ts';
import { resourceCases } from './cases/resources.ts';
import { scalingCases } from './cases/scaling.ts';
import { secretCases } from './cases/secret.ts';
import { volumeSetCases } from './cases/volumeset.ts';
import { workloadTypeCases } from './cases/workloadTypes.ts';
import type { RuleCase } from './ruleCase.ts';

/** A record that passes and one that fails, for every rule. */
export const tables = {
  'what all kinds have in common': envelopeCases,
  'the types of workloads': workloadTypeCases,
  containers: containerCases,
  'the resources of containers': resourceCases,
  autoscaling: scalingCases,
  'what workloads connect to': networkCases,
  'the GVC': gvcCases,
  domains: domainCases,
  'volume sets': volumeSetCases,
  'identities, groups, policies, accounts': accessCases,
  secrets: secretCases,
  'the org': orgCases,
} satisfies Record<string, readonly RuleCase[]>;

export const cases = Object.values(tables).flat();
