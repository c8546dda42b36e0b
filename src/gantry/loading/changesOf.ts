import { plannedAction } from '../../plan/model/change.ts';
import type { Before } from '../../plan/model/planOptions.ts';
import type { Planned } from './planFromPlatform.ts';

/** Plans in the form that later plans read. */
export function changesOf(plans: readonly Pick<Planned, 'plan' | 'snapshot'>[]): Before {
  return new Map(
    plans.flatMap(({ plan: { changes }, snapshot: { resources } }) =>
      changes
        .filter((change) => plannedAction(change) !== 'keep')
        .map((change) => [change.id, { change, found: resources.get(change.id) }] as const),
    ),
  );
}
