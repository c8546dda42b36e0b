import {
  choice,
  count,
  described,
  each,
  flag,
  integer,
  list,
  nullable,
  object,
  optional,
  publishedForm,
  text,
} from '../../../base/form/form.ts';
import type { JsonObject } from '../../../base/json/json.ts';
import { sections, states } from '../../../capabilities/doctor/examination.ts';

const assumption = object({
  id: described(`Stable; it begins with its group: ${Object.keys(sections).join(', ')}.`, text),
  section: described('Of the specification, which leaves it open.', text),
  state: described(
    'holds: the platform does what is assumed. otherwise: it does not. not-asked: because says why. not-knowable: no ' +
      'question shows it.',
    choice(...states),
  ),
  assumed: described('What Gantry assumes.', text),
  otherwise: described('What Gantry does where it is not so.', text),
  needed: described('Where it is otherwise, the platform cannot be used.', flag),
  detail: optional(described('What shows it: kinds, fields and statuses.', text)),
  because: optional(described('Why there is no finding.', text)),
});

/** The document of `gantry doctor -o json`. It holds no token, no name and no value of a record. */
export const doctorForm = object({
  formatVersion: choice(1),
  gantry: described('Its version.', text),
  node: described('Its version.', text),
  platform: described('The host of the endpoint; several are separated by commas.', text),
  wrote: described('With --write: some questions were asked in a GVC that was made for them.', flag),
  remains: optional(described('That GVC, where it could not be deleted.', text)),
  clockDifference: described(
    'How many seconds the clock of the platform is ahead of the one here. Null: unknown.',
    nullable(integer),
  ),
  requests: count,
  usable: described('False: something is missing without which nothing can be planned. The exit code is 3 then.', flag),
  missing: described('The ids of that.', list(text)),
  file: optional(described('The file that was written.', text)),
  summary: each([...states], count),
  assumptions: list(assumption),
});

/** The JSON Schema of `gantry doctor -o json`; `gantry schema doctor` prints it. */
export const doctorSchema: JsonObject = publishedForm('doctor', 'Gantry doctor, format 1', doctorForm);
