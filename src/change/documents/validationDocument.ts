import {
  choice,
  count,
  described,
  flag,
  list,
  type Of,
  object,
  objectOf,
  optional,
  ordinal,
  publishedForm,
  text,
} from '../../base/form/form.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { errorMember } from '../../kinds/errorSchema.ts';

const position = { file: text, line: ordinal, column: ordinal };

/** A problem of a manifest, for programs. */
export const problemForm = object({
  ...position,
  rule: described('The id of the rule: gantry rules lists them.', text),
  path: described('The field, empty for the whole document.', text),
  message: text,
  hint: optional(text),
  severity: choice('error', 'warning'),
  resource: optional(described('kind/[gvc/]name', text)),
  construct: optional(described('Of what code made: the path of its construct.', text)),
  callers: optional(described('The calls that led to the problem, innermost first.', list(object(position)))),
});
export type ProblemDocument = Of<typeof problemForm>;

/** The output of `gantry validate -o json`. */
export const validationForm = object({
  valid: described('Without errors; warnings do not count.', flag),
  resources: count,
  declared: optional(described('What was checked: kind/[gvc/]name.', list(text))),
  problems: list(problemForm),
  error: optional(objectOf(errorMember)),
});

/** The JSON Schema of `gantry validate -o json`; `gantry schema validation` prints it. */
export const validationSchema: JsonObject = publishedForm('validation', 'Gantry validation', validationForm);
