import { durationWithUnitMs } from '../../base/text/duration.ts';
import { becomesReady } from '../../kinds/kindFacts.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import type { Change } from '../model/change.ts';
import type { PlanOptions } from '../model/planOptions.ts';

/** Does the change count as done only when the resource is ready, and how long may that take? */
export function waiting(
  { ref, lifecycle }: DesiredResource,
  options: PlanOptions,
): Pick<Change, 'wait' | 'waitTimeoutMs'> {
  if (!becomesReady(ref.kind)) return { wait: false };
  const waitTimeoutMs = durationWithUnitMs(lifecycle.waitTimeout ?? '');
  return { wait: lifecycle.wait ?? options.wait, ...(waitTimeoutMs === undefined ? {} : { waitTimeoutMs }) };
}
