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
} from '../../../base/form/form.ts';
import { planSchema } from '../../../change/documents/planDocument.ts';
import { problemForm } from '../../../change/documents/validationDocument.ts';
import { errorMember } from '../../../kinds/published/errorSchema.ts';

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
