/**
 * What a change can do, from harmless to worst: money, then what an ordinary rollout does, then less of what serves,
 * other addresses, access that nobody had before, an interruption, and data that cannot be had back. Deletions stand
 * above cost, so that a limit of `cost-up` lets nothing go.
 */
export const risks = [
  'none',
  'metadata',
  'cost-up',
  'rolling-restart',
  'reschedule',
  'capacity-down',
  'endpoint-change',
  'exposure',
  'downtime',
  'data-loss',
] as const;

export type Risk = (typeof risks)[number];

/** The worse of two. */
export function worse(a: Risk, b: Risk): Risk {
  return risks.indexOf(a) >= risks.indexOf(b) ? a : b;
}
