import { choice, described, list, object, objectOf, optional, publishedForm, text } from '../../../base/form/form.ts';
import type { JsonObject } from '../../../base/json/json.ts';
import { errorMember } from '../../../kinds/published/errorSchema.ts';

export const snippetForm = object({
  kind: text,
  name: described('The name of the resource.', text),
  format: choice('ts', 'yaml'),
  file: described('The file that was written: absolute.', text),
  next: described('What to do next: lines of code for a stack in TypeScript, else commands.', list(text)),
  error: optional(objectOf(errorMember)),
});

/** The JSON Schema of `gantry add -o json`; `gantry schema snippet` prints it. */
export const snippetSchema: JsonObject = publishedForm('snippet', 'Gantry snippet', snippetForm);
