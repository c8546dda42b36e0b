import { choice, described, list, object, objectOf, optional, publishedForm, text } from '../../../base/form/form.ts';
import type { JsonObject } from '../../../base/json/json.ts';
import { errorMember } from '../../../kinds/published/errorSchema.ts';

export const projectForm = object({
  template: text,
  folder: described('Absolute.', text),
  stack: described('The name of the stack.', text),
  files: list(
    object({
      path: described('From the folder of the project.', text),
      change: described(
        'extended: a file that was there, with what it lacked.',
        choice('created', 'extended', 'unchanged'),
      ),
    }),
  ),
  next: described('The commands to run next, in the folder of the project.', list(text)),
  error: optional(objectOf(errorMember)),
});

/** The JSON Schema of `gantry init -o json`; `gantry schema project` prints it. */
export const projectSchema: JsonObject = publishedForm('project', 'Gantry project', projectForm);
