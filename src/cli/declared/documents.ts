import type { JsonValue } from '../../base/json/json.ts';
import { creatableKinds, readOnlyKinds } from '../../schema/record/kinds.ts';

/** The JSON Schemas of command outputs for programs, of saved plans, and of `gantry.yaml`. */
export const documentSchemas: Readonly<Record<string, () => Promise<JsonValue>>> = {
  plan: async () => (await import('../../change/documents/planDocument.ts')).planSchema,
  plans: async () => (await import('../schemas/plans.ts')).plansSchema,
  'saved-plan': async () => (await import('../../change/savedForm.ts')).savedPlanSchema,
  approval: async () => (await import('../../change/documents/signaturesDocument.ts')).approvalSchema,
  notification: async () => (await import('../../integrations/notification.ts')).notificationSchema,
  explanation: async () => (await import('../../change/documents/explanationDocument.ts')).explanationSchema,
  drift: async () => (await import('../../change/documents/driftDocument.ts')).driftSchema,
  drifts: async () => (await import('../schemas/plans.ts')).driftsSchema,
  status: async () => (await import('../../change/documents/statusDocument.ts')).statusSchema,
  statuses: async () => (await import('../schemas/plans.ts')).statusesSchema,
  outputs: async () => (await import('../../change/documents/outputsDocument.ts')).outputsSchema,
  'all-outputs': async () => (await import('../schemas/plans.ts')).allOutputsSchema,
  adoption: async () => (await import('../../change/documents/adoptionDocument.ts')).adoptionSchema,
  validation: async () => (await import('../../change/documents/validationDocument.ts')).validationSchema,
  reconcile: async () => (await import('../../reconcile/sources/reconcileForm.ts')).reconcileSchema,
  'reconcile-status': async () => (await import('../schemas/reconcile.ts')).reconcileStatusSchema,
  'reconcile-worker': async () => (await import('../schemas/reconcile.ts')).reconcileWorkerSchema,
  doctor: async () => (await import('../schemas/commands.ts')).doctorSchema,
  platform: async () => (await import('../../project/platform/keptCapabilities.ts')).platformFileSchema,
  promotion: async () => (await import('../../change/documents/promotionDocument.ts')).promotionSchema,
  settings: async () => {
    const { settingsSchema } = await import('../../project/settings/settingsFile.ts');
    return settingsSchema((await import('../../policies/rules/policySettings.ts')).policySettingsSchema);
  },
  manifests: async () => (await import('../schemas/commands.ts')).manifestsSchema,
  dev: async () => (await import('../schemas/plans.ts')).devSchema,
  graph: async () => (await import('../schemas/commands.ts')).graphSchema,
  'policy-tests': async () => (await import('../schemas/commands.ts')).policyTestsSchema,
  rules: async () => (await import('../schemas/commands.ts')).rulesSchema,
  server: async () => (await import('../schemas/commands.ts')).serverSchema,
  snippet: async () => (await import('../schemas/commands.ts')).snippetSchema,
  conversion: async () => (await import('../schemas/commands.ts')).conversionSchema,
  project: async () => (await import('../schemas/commands.ts')).projectSchema,
  'terraform-installation': async () => (await import('../schemas/terraform.ts')).installationSchema,
  'terraform-mirror': async () => (await import('../schemas/terraform.ts')).mirrorSchema,
  'terraform-cli-configuration': async () => (await import('../schemas/terraform.ts')).cliConfigurationSchema,
  'terraform-schema': async () => (await import('../schemas/terraform.ts')).providerSchemaSchema,
  'terraform-export': async () => (await import('../schemas/terraform.ts')).exportSchema,
  'terraform-resources': async () => (await import('../schemas/terraform.ts')).fromStateSchema,
  'terraform-migration': async () => (await import('../schemas/terraform.ts')).migrationSchema,
  'terraform-bindings': async () => (await import('../schemas/terraform.ts')).bindingsSchema,
  'ci-pipeline': async () => (await import('../schemas/ci.ts')).pipelineSchema,
  'ci-comment': async () => (await import('../schemas/ci.ts')).commentSchema,
  'ci-fetch': async () => (await import('../schemas/ci.ts')).keptSchema,
  error: async () => (await import('../../kinds/errorSchema.ts')).errorSchema,
};

/** All names that `gantry schema` accepts. */
export const schemaNames: readonly string[] = [...creatableKinds, ...readOnlyKinds, ...Object.keys(documentSchemas)];
