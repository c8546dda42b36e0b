import { planSchema } from '../../../plan/documents/planDocument.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { errorMember } from '../../../schema/published/errorSchema.ts';

const { $schema: _, $id: __, ...plan } = planSchema;

/** The JSON Schema of `plan`, `apply` and `destroy` with `-o json` where they are about several stacks. */
export const plansSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'gantry/plans.json',
  title: 'Plans of several stacks',
  type: 'object',
  required: ['stacks'],
  additionalProperties: false,
  properties: {
    stacks: { type: 'array', description: 'In the order in which they are applied.', items: plan },
    error: errorMember,
  },
} as const satisfies JsonObject;
