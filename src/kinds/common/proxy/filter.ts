import { integer, optional, set, text } from '../../../schema/facts/define.ts';

/** The place of a filter among the others, 0 to 100 (platform/proxy.members). */
export function priority() {
  return optional(integer({}, { minimum: 0, maximum: 100 }));
}

/** Names of, or links to, workloads that the filter leaves alone. */
export function excludedWorkloads() {
  return optional(set(text()));
}
