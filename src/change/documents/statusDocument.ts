import {
  choice,
  count,
  described,
  each,
  flag,
  list,
  object,
  objectOf,
  optional,
  publishedForm,
  text,
} from '../../base/form/form.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { errorMember } from '../../kinds/published/errorSchema.ts';
import { resourceStates, resourceStatusForm, stateForm } from '../status/status.ts';

/** The output of `gantry status -o json`. */
export const statusForm = object({
  formatVersion: choice(1),
  org: text,
  stack: described('The owner: the value of the tag gantry/stack.', text),
  state: described('The worst of all: the exit code is 0 for ready, 2 for not-ready, 1 for failed.', stateForm),
  declarationsKnown: described('False: no manifests were read, so that what is absent is not known.', flag),
  resources: described('Ordered by id.', list(resourceStatusForm)),
  unlisted: optional(
    described('Which kinds the platform does not list whole, and why: what belongs to the stack may be missing.', text),
  ),
  requests: count,
  summary: each(resourceStates, count),
  error: optional(objectOf(errorMember)),
});

/** The JSON Schema of `gantry status -o json`; `gantry schema status` prints it. */
export const statusSchema: JsonObject = publishedForm('status', 'Gantry status, format 1', statusForm);
