/** What a change can do to what runs, from harmless to worst (issue "Risk"). */
export const risks = [
  'none',
  'metadata',
  'rolling-restart',
  'reschedule',
  'endpoint-change',
  'capacity-down',
  'cost-up',
  'data-loss',
] as const;

export type Risk = (typeof risks)[number];

/** The worse of two. */
export function worse(a: Risk, b: Risk): Risk {
  return risks.indexOf(a) >= risks.indexOf(b) ? a : b;
}
