import type { ResourceId } from '../../schema/record/ref.ts';
import { deletedBefore, unreadFields } from '../model/deletedBefore.ts';
import { type Draft, withRefusals } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { refuse } from '../model/refusal.ts';

/** Resources that are created anew without the values that they should keep, because these cannot be read. */
export function refuseLostValues(
  drafts: ReadonlyMap<ResourceId, Draft>,
  planning: PlanContext,
): ReadonlyMap<ResourceId, Draft> {
  const lost = [...drafts.values()].flatMap((draft) => {
    const fields = lostValues(draft, planning);
    return fields.length === 0 ? [] : [{ draft, fields }];
  });
  if (lost.length === 0 || planning.options.allowLostValues === lost.length) return drafts;
  const refused = lost.map(({ draft, fields }) => {
    const refusal = refuse.lostValues(fields, draft.action === 'replace', lost.length);
    return [draft.id, withRefusals(draft, [refusal])] as const;
  });
  return new Map([...drafts, ...refused]);
}

function lostValues({ action, desired, live }: Draft, planning: PlanContext): readonly string[] {
  if (desired === undefined) return [];
  const from = action === 'replace' ? live : action === 'create' ? deletedBefore(desired, planning) : undefined;
  return from === undefined ? [] : unreadFields(desired, from);
}
