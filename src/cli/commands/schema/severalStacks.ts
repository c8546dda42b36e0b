import { driftSchema } from '../../../plan/documents/driftDocument.ts';
import { planSchema } from '../../../plan/documents/planDocument.ts';
import { statusSchema } from '../../../plan/documents/statusDocument.ts';
import { described, list, object, objectOf, optional, publishedForm } from '../../../plan/model/form.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { errorMember } from '../../../schema/published/errorSchema.ts';

/** The JSON Schema of `plan`, `apply` and `destroy` with `-o json` where they are about several stacks. */
export const plansSchema = schemaOf('plans', 'Plans of several stacks', planSchema);
/** The same of `drift`. */
export const driftsSchema = schemaOf('drifts', 'Drift of several stacks', driftSchema);
/** The same of `status`. */
export const statusesSchema = schemaOf('statuses', 'Status of several stacks', statusSchema);

function schemaOf(name: string, title: string, { $schema: _, $id: __, ...one }: JsonObject): JsonObject {
  const stacks = object({
    stacks: described('In the order in which they are applied.', list(objectOf(one))),
    error: optional(objectOf(errorMember)),
  });
  return publishedForm(name, title, stacks);
}
