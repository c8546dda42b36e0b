import type { Reference } from '../../kinds/shape/references.ts';
import { formatRef, type ResourceId } from '../../schema/record/ref.ts';
import type { Draft } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';

/** The references of the record after its change; undefined: what it refers to now, because nothing of it is declared. */
export function referencesAfter(draft: Draft, planning: PlanContext): readonly Reference[] | undefined {
  if (draft.part !== true) return draft.desired === undefined ? undefined : planning.desiredReferences(draft.desired);
  const { live, expected } = draft;
  return live === undefined || expected === undefined
    ? undefined
    : planning.liveReferences({ ...live, record: expected.expose() });
}

/** Does the record refer to the target after its change, by any field? One that is not changed refers to what it did. */
export function refersAfter(draft: Draft | undefined, target: ResourceId, planning: PlanContext): boolean {
  const after = draft === undefined ? undefined : referencesAfter(draft, planning);
  return after === undefined || after.some((reference) => formatRef(reference.target) === target);
}
