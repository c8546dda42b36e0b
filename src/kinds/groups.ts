import type { RuleGroup } from '../schema/rules/rule.ts';
import { builtInPolicyRules, builtInRules, cloudAccountRules, locationRules } from './access/accountRules.ts';
import { groupRules } from './access/groupRules.ts';
import { identityRules } from './access/identityRules.ts';
import { ipSetRules } from './access/ipSetRules.ts';
import { policyRules } from './access/policyRules.ts';
import { descriptionRules, domainEnvelopeRules, envelopeRules, nameRules, sameNameRules } from './common/envelope.ts';
import { linkRules } from './common/links.ts';
import { queryRules } from './common/query.ts';
import { referenceRules } from './common/references.ts';
import { hostRules } from './domain/hostRules.ts';
import { domainRelatedRules } from './domain/relatedRules.ts';
import { routeRules, routingRules } from './domain/routingRules.ts';
import { deprecatedGvcRules } from './gvc/deprecatedRules.ts';
import { gvcRules, tracingRules } from './gvc/gvcRules.ts';
import { orgRules } from './orgRules.ts';
import { secretReferenceRules } from './secret/secretReferenceRules.ts';
import { secretRules } from './secret/secretRules.ts';
import {
  cloudAccountSecretRules,
  domainSecretRules,
  gvcSecretRules,
  tracingSecretRules,
} from './secret/secretUseRules.ts';
import { volumeSetLifeRules } from './volumeset/volumeSetLifeRules.ts';
import { volumeSetRules } from './volumeset/volumeSetRules.ts';
import { containerRules } from './workload/containerRules.ts';
import { imageRules } from './workload/imageRules.ts';
import { mountRules } from './workload/mountRules.ts';
import { jobRules, networkRules } from './workload/networkRules.ts';
import { workloadRelatedRules } from './workload/relatedRules.ts';
import { resourceRules } from './workload/resourceRules.ts';
import { scalingRules } from './workload/scalingRules.ts';
import { typeRules } from './workload/typeRules.ts';
import { vmRules } from './workload/vmRules.ts';

/** The rules of custom kinds: which names these may have is not known. */
export const customGroups: readonly RuleGroup[] = [sameNameRules, descriptionRules, envelopeRules];

/** All rules: what every record has in common first, then kind by kind. */
export const groups: readonly RuleGroup[] = [
  nameRules,
  sameNameRules,
  descriptionRules,
  envelopeRules,
  linkRules,
  referenceRules,
  queryRules,
  mountRules,
  gvcRules,
  tracingRules,
  gvcSecretRules,
  tracingSecretRules,
  deprecatedGvcRules,
  typeRules,
  containerRules,
  imageRules,
  resourceRules,
  scalingRules,
  networkRules,
  jobRules,
  vmRules,
  workloadRelatedRules,
  secretReferenceRules,
  domainEnvelopeRules,
  hostRules,
  routingRules,
  routeRules,
  domainRelatedRules,
  domainSecretRules,
  volumeSetRules,
  volumeSetLifeRules,
  identityRules,
  ipSetRules,
  groupRules,
  policyRules,
  builtInPolicyRules,
  secretRules,
  cloudAccountRules,
  cloudAccountSecretRules,
  locationRules,
  builtInRules,
  orgRules,
];
