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
import { errorMember } from '../../kinds/errorSchema.ts';
import {
  type ResourceState,
  type ResourceStatus,
  resourceStates,
  resourceStatusForm,
  type StackStatus,
  stateForm,
  stateOf,
} from '../status.ts';

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

/** The status in its documented form. Keys are in a fixed order. */
export function statusToJson(status: StackStatus): JsonObject {
  const summary = summariseStatus(status.resources);
  return statusForm.write({ ...status, formatVersion: 1, state: stateOf(status), summary });
}

/** How many resources are in each state. */
export function summariseStatus(resources: readonly ResourceStatus[]): Readonly<Record<ResourceState, number>> {
  const of = (state: ResourceState): number => resources.filter((each) => each.state === state).length;
  return { ready: of('ready'), 'not-ready': of('not-ready'), failed: of('failed') };
}
