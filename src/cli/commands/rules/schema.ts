import {
  choice,
  described,
  flag,
  integer,
  list,
  object,
  optional,
  publishedForm,
  text,
} from '../../../base/form/form.ts';

const rule = object({
  id: text,
  section: described('In docs/platform/.', text),
  kind: described('The kinds, separated by commas.', text),
  kinds: list(text),
  severity: choice('error', 'warning', 'behaviour', 'refusal'),
  lenient: described('gantry serve --lenient only warns.', flag),
  title: text,
  fix: text,
  keptBy: described('check: manifests are checked against it. Otherwise what enforces it.', text),
  status: optional(described('Of a refusal: its HTTP status.', integer)),
});

/** The JSON Schema of `gantry rules -o json`. */
export const rulesSchema = publishedForm('rules', 'Gantry rules', list(rule));
