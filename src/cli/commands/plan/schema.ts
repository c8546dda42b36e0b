import { planSchema } from '../../../plan/documents/planDocument.ts';
import { described, list, object, objectOf, optional, publishedForm } from '../../../plan/model/form.ts';
import { errorMember } from '../../../schema/published/errorSchema.ts';

const { $schema: _, $id: __, ...plan } = planSchema;
const plans = object({
  stacks: described('In the order in which they are applied.', list(objectOf(plan))),
  error: optional(objectOf(errorMember)),
});

/** The JSON Schema of `plan`, `apply` and `destroy` with `-o json` where they are about several stacks. */
export const plansSchema = publishedForm('plans', 'Plans of several stacks', plans);
