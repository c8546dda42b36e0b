import type { JsonObject } from '../../base/json/json.ts';
import { type ResourceState, type ResourceStatus, type StackStatus, stateOf } from '../status/status.ts';
import { statusForm } from './statusDocument.ts';

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
