import type { Plan } from '../model/plan.ts';

/** The GVCs that lose something, and whose content has not been listed yet. */
export function gvcsToList(plan: Plan, listed: ReadonlyMap<string, unknown>): readonly string[] {
  return plan.changes.flatMap(({ takes, name }) => (takes !== undefined && !listed.has(name) ? [name] : []));
}
