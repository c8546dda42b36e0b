import type { JsonValue } from '../../../base/json/json.ts';
import { creatableKinds, readOnlyKinds } from '../../../schema/record/kinds.ts';

/** The documents of commands for programs, the file of a plan and `gantry.yaml`: each with its JSON Schema. */
export const documentSchemas: Readonly<Record<string, () => Promise<JsonValue>>> = {
  plan: async () => (await import('../../../change/documents/planDocument.ts')).planSchema,
  plans: async () => (await import('./severalStacks.ts')).plansSchema,
  'saved-plan': async () => (await import('../../../change/saved/savedForm.ts')).savedPlanSchema,
  approval: async () => (await import('../../../change/documents/signaturesDocument.ts')).approvalSchema,
  notification: async () => (await import('../../../integrations/notification.ts')).notificationSchema,
  explanation: async () => (await import('../../../change/documents/explanationDocument.ts')).explanationSchema,
  drift: async () => (await import('../../../change/documents/driftDocument.ts')).driftSchema,
  drifts: async () => (await import('./severalStacks.ts')).driftsSchema,
  status: async () => (await import('../../../change/documents/statusDocument.ts')).statusSchema,
  statuses: async () => (await import('./severalStacks.ts')).statusesSchema,
  outputs: async () => (await import('../../../change/documents/outputsDocument.ts')).outputsSchema,
  'all-outputs': async () => (await import('./severalStacks.ts')).allOutputsSchema,
  adoption: async () => (await import('../../../change/documents/adoptionDocument.ts')).adoptionSchema,
  validation: async () => (await import('../../../change/documents/validationDocument.ts')).validationSchema,
  reconcile: async () => (await import('../../../reconcile/sources/reconcileForm.ts')).reconcileSchema,
  'reconcile-status': async () => (await import('../reconcile/schema.ts')).reconcileStatusSchema,
  'reconcile-worker': async () => (await import('../reconcile/schema.ts')).reconcileWorkerSchema,
  doctor: async () => (await import('../doctor/schema.ts')).doctorSchema,
  platform: async () => (await import('../../../project/platform/keptCapabilities.ts')).platformFileSchema,
  promotion: async () => (await import('../../../change/documents/promotionDocument.ts')).promotionSchema,
  settings: async () => {
    const { settingsSchema } = await import('../../../project/settings/settingsFile.ts');
    return settingsSchema((await import('../../../policies/settings/policySettings.ts')).policySettingsSchema);
  },
  manifests: async () => (await import('../synth/schema.ts')).manifestsSchema,
  dev: async () => (await import('../dev/schema.ts')).devSchema,
  graph: async () => (await import('../graph/schema.ts')).graphSchema,
  'policy-tests': async () => (await import('../policy/schema.ts')).policyTestsSchema,
  rules: async () => (await import('../rules/schema.ts')).rulesSchema,
  server: async () => (await import('../serve/schema.ts')).serverSchema,
  snippet: async () => (await import('../add/schema.ts')).snippetSchema,
  conversion: async () => (await import('../convert/schema.ts')).conversionSchema,
  project: async () => (await import('../init/schema.ts')).projectSchema,
  'terraform-installation': async () => (await import('../terraform/schema.ts')).installationSchema,
  'terraform-mirror': async () => (await import('../terraform/schema.ts')).mirrorSchema,
  'terraform-cli-configuration': async () => (await import('../terraform/schema.ts')).cliConfigurationSchema,
  'terraform-schema': async () => (await import('../terraform/schema.ts')).providerSchemaSchema,
  'terraform-export': async () => (await import('../terraform/schema.ts')).exportSchema,
  'terraform-resources': async () => (await import('../terraform/schema.ts')).fromStateSchema,
  'terraform-migration': async () => (await import('../terraform/schema.ts')).migrationSchema,
  'terraform-bindings': async () => (await import('../terraform/schema.ts')).bindingsSchema,
  'ci-pipeline': async () => (await import('../ci/schema.ts')).pipelineSchema,
  'ci-comment': async () => (await import('../ci/schema.ts')).commentSchema,
  'ci-fetch': async () => (await import('../ci/schema.ts')).keptSchema,
  error: async () => (await import('../../../kinds/published/errorSchema.ts')).errorSchema,
};

/** Everything that `gantry schema` prints a JSON Schema of. */
export const schemaNames: readonly string[] = [...creatableKinds, ...readOnlyKinds, ...Object.keys(documentSchemas)];
