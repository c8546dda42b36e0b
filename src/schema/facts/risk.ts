/**
 * The effects of a change, from harmless to worst: cost, an ordinary rollout, less capacity, other addresses, new
 * access, an interruption, and data that cannot be restored. Deletions rank above cost, so a limit of `cost-up` permits
 * no deletion.
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

export function worse(a: Risk, b: Risk): Risk {
  return risks.indexOf(a) >= risks.indexOf(b) ? a : b;
}
