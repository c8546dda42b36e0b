import {
  count,
  described,
  list,
  object,
  objectOf,
  optional,
  ordinal,
  publishedForm,
  text,
} from '../../base/form/form.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { driftSchema } from '../../change/documents/driftDocument.ts';
import { outputsSchema } from '../../change/documents/outputsDocument.ts';
import { planSchema } from '../../change/documents/planDocument.ts';
import { statusSchema } from '../../change/documents/statusDocument.ts';
import { problemForm } from '../../change/documents/validationDocument.ts';
import { errorMember } from '../../kinds/errorSchema.ts';

/** The JSON Schema of `plan`, `apply` and `destroy` with `-o json` for several stacks. */
export const plansSchema = schemaOf('plans', 'Plans of several stacks', planSchema);
/** The same for `drift`. */
export const driftsSchema = schemaOf('drifts', 'Drift of several stacks', driftSchema);
/** The same for `status`. */
export const statusesSchema = schemaOf('statuses', 'Status of several stacks', statusSchema);
/** The same for `output`. */
export const allOutputsSchema = schemaOf('all-outputs', 'Outputs of several stacks', outputsSchema);

function schemaOf(name: string, title: string, { $schema: _, $id: __, ...one }: JsonObject): JsonObject {
  const stacks = object({
    stacks: described('In the order in which they are applied.', list(objectOf(one))),
    error: optional(objectOf(errorMember)),
  });
  return publishedForm(name, title, stacks);
}

const { $schema: _, $id: __, ...plan } = planSchema;
const round = object({
  round: ordinal,
  changed: described('The files that were saved.', list(text)),
  milliseconds: described('From the beginning of the round to its plans.', count),
  problems: list(problemForm),
  plans: list(objectOf(plan)),
  output: described('What the stack wrote, line by line.', list(text)),
  error: optional(objectOf(errorMember)),
});

/** The JSON Schema of each line of `gantry dev -o json`. */
export const devSchema = publishedForm('dev', 'A round of gantry dev', round);
