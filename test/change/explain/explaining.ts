import { explainStudied, study } from '../../../src/change/explainChange.ts';
import { explainPath } from '../../../src/change/explainPath.ts';
import type { Explanation } from '../../../src/change/explanation.ts';
import { findChange } from '../../../src/change/findChange.ts';
import type { LiveResource, Snapshot } from '../../../src/manifest/live/snapshot.ts';
import type { WriteEvent } from '../../../src/manifest/live/writer.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { options, plan, snapshot } from '../../plan/world.ts';

interface Inputs {
  readonly desired?: readonly DesiredResource[];
  readonly from?: readonly LiveResource[] | Snapshot;
  readonly options?: Partial<PlanOptions>;
  readonly writes?: readonly WriteEvent[] | null;
  readonly path?: string;
}

/** The explanation of a resource, as the command gives it. */
export function explain(
  id: string,
  { desired = [], from = [], options: given = {}, writes, path }: Inputs,
): Explanation {
  const state = 'resources' in from ? from : snapshot(from);
  const made = plan(desired, state, given);
  const explainable = { plan: made, desired, snapshot: state, options: { ...options, ...given } };
  const studied = study(explainable, findChange(made, id).id);
  const whole = explainStudied(explainable, studied, writes);
  return path === undefined ? whole : explainPath(whole, studied, path, writes);
}
