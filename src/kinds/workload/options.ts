import { constant, fields, flag, integer, link, operational, optional } from '../../schema/facts/define.ts';
import { movesCapacity, reschedules, saves, suspends } from '../../schema/facts/riskFacts.ts';
import { toggle } from '../common/fields.ts';
import { autoscaling } from './autoscaling.ts';

const options = {
  autoscaling: optional(autoscaling),
  timeoutSeconds: optional(integer(constant(5), { minimum: 1, maximum: 3600 })),
  capacityAI: optional(flag({ ...saves, fill: 'derived', derive: 'capacityAI' })),
  capacityAIUpdateMinutes: optional(integer({}, { minimum: 2 })),
  spot: optional(flag({ ...constant(false), ...saves })),
  debug: optional(flag(operational(false))),
  suspend: optional(flag({ ...operational(false), ...suspends })),
  multiZone: optional(toggle(reschedules)),
};

/** Options for all locations (platform/workload.options). */
export const defaultOptions = fields(options);

/**
 * Options for one location: its name, or a link to it (platform/workload.fields, platform/workload.options). They
 * replace the default options as a whole: adding or removing the item changes every option, also those that it does not
 * set.
 */
export const localOptionsItem = fields({
  location: link(['location'], 'hard', { orName: true }, movesCapacity),
  ...options,
});
