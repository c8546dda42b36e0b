import { choice, described, object, objectOf, optional, publishedForm, text } from '../../base/form/form.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { errorMember } from '../../kinds/errorSchema.ts';
import { outputsForm } from '../outputs.ts';

/** The JSON Schema of `gantry output -o json`; `gantry schema outputs` prints it. */
export const outputsSchema: JsonObject = publishedForm(
  'outputs',
  'Gantry outputs, format 1',
  object({
    formatVersion: choice(1),
    org: text,
    stack: described('The owner: the value of the tag gantry/stack.', text),
    outputs: outputsForm,
    error: optional(objectOf(errorMember)),
  }),
);
