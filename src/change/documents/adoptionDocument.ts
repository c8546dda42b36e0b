import { choice, described, dictionary, list, object, objectOf, publishedForm, text } from '../../base/form/form.ts';
import type { JsonObject } from '../../base/json/json.ts';

/** The output of `gantry adopt -o json`. */
export const adoptionForm = object({
  formatVersion: choice(1),
  manifests: described(
    'Ordered by id; each as the schema of its kind has it.',
    list(objectOf({ type: 'object', required: ['kind', 'name'] })),
  ),
  placeholders: described(
    'By id, the fields that hold a placeholder: the value on the platform stays (lifecycle.ignore).',
    dictionary(list(text)),
  ),
  skipped: list(object({ id: described('kind/[gvc/]name', text), because: text })),
  files: described('That were written; empty without --out.', list(text)),
});

/** The JSON Schema of `gantry adopt -o json`; `gantry schema adoption` prints it. */
export const adoptionSchema: JsonObject = publishedForm('adoption', 'Gantry adoption, format 1', adoptionForm);
