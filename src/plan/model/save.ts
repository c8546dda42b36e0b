import { described, json, list, type Of, object, text } from '../../base/form/form.ts';

/** A value that a plan makes, that is shown once, and that goes to a file. */
export const saveForm = object({
  output: text,
  file: described('Relative to the folder in which Gantry runs.', text),
  value: described('With references, never with the values themselves.', json),
  of: described('The records that it is of.', list(text)),
});
export type Save = Of<typeof saveForm>;
