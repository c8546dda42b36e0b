// The entry `gantry/policies`: for policies as code (docs/policies.md).

export type { JsonObject, JsonValue } from './base/json/json.ts';
export type { PlanDocument } from './change/documents/planDocument.ts';
export { type AnyManifest, isKind, type ManifestOf, masked } from './policies/rules/manifestOf.ts';
export {
  type PlanPolicy,
  type Policy,
  type PolicyContext,
  type PolicyProblem,
  type PolicyProblems,
  type PolicySeverity,
  policy,
  type ResourcePolicy,
} from './policies/rules/policy.ts';
export { starter } from './policies/rules/starter.ts';
export type { CreatableKind } from './schema/record/kinds.ts';
