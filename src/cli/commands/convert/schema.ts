import { described, list, object, objectOf, optional, publishedForm, text } from '../../../base/form/form.ts';
import type { JsonObject } from '../../../base/json/json.ts';
import { errorMember } from '../../../kinds/published/errorSchema.ts';

export const conversionForm = object({
  manifests: list(objectOf({ type: 'object', description: 'A manifest, as gantry schema KIND describes it.' })),
  notes: described(
    'What has no counterpart, and what you have to do yourself.',
    list(object({ about: described('The object, and the path of a field in it.', text), message: text })),
  ),
  error: optional(objectOf(errorMember)),
});

/** The JSON Schema of `gantry convert -o json`; `gantry schema conversion` prints it. */
export const conversionSchema: JsonObject = publishedForm('conversion', 'Gantry conversion', conversionForm);
