import type { NewPlan } from '../../gantry/gantry.ts';
import { isRefused, type Plan } from '../../plan/model/plan.ts';

/** The reasons why a plan must not run, each with its resource. */
export function refusalsOf(plan: Plan) {
  if (!isRefused(plan)) return [];
  return [
    ...plan.refusals,
    ...plan.changes.flatMap(({ id, refusals }) =>
      refusals.map((each) => ({ ...each, message: `${id}: ${each.message}` })),
    ),
  ];
}

export function rehearsalRefusal({ rehearsal, refused }: NewPlan): readonly { code: string; message: string }[] {
  return rehearsal?.problem === undefined || refused === undefined ? [] : [refused];
}
