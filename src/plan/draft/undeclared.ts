import { isUndeletable } from '../../kinds/kindFacts.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { type Draft, makeDraft } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { refuse } from '../model/refusal.ts';
import { draftPartRemoval } from '../part/draftPart.ts';
import { declaredBy, draftForgotten } from '../rename/handOver.ts';
import { renamedAway } from '../rename/rename.ts';

/** The drafts of resources that carry our owner tag and are not declared. */
export function draftUndeclared(known: ReadonlyMap<ResourceId, LiveResource>, planning: PlanContext): readonly Draft[] {
  return [...known.values()].flatMap((live) => {
    if (planning.desired.has(live.id)) return [];
    const draft = draftRemoval(live, planning);
    return draft === undefined ? [] : [draft];
  });
}

function draftRemoval(live: LiveResource, planning: PlanContext): Draft | undefined {
  const { options, snapshot } = planning;
  const ownership = planning.ownership(live);
  switch (ownership.state) {
    case 'ours': {
      const taken = declaredBy(live.id, planning);
      if (taken?.adopts === true) {
        return { ...keep(live, `handed over to the stack ${taken.owner}, which adopts it`), unchecked: true };
      }
      const renamed = renamedAway(live.id, planning);
      if (renamed === undefined && options.scope === 'partial' && !options.prune) {
        return { ...keep(live, 'not declared here'), unchecked: true };
      }
      if (renamed === undefined && snapshot.gaps !== undefined && options.destroys !== true) {
        return {
          ...keep(live, 'no longer declared, and kept: the platform does not list everything'),
          unchecked: true,
        };
      }
      const reason =
        renamed ?? (options.destroys === true ? 'the whole stack is destroyed' : 'it is no longer declared');
      if (ownership.applied.retain) return draftForgotten(live, `${reason}, but has lifecycle.retain`);
      if (isUndeletable(live.ref.kind, live.record)) {
        return draftForgotten(live, `${reason}, but the platform never deletes it`);
      }
      const refusals = taken === undefined ? [] : [refuse.declaredElsewhere(taken.owner, options.owner)];
      return makeDraft({ id: live.id, ref: live.ref, live }, { action: 'delete', reason, refusals });
    }
    case 'copy':
      return planning.carriesOwner(live)
        ? keepUnowned(live, 'a copy of another resource: not owned, never deleted')
        : draftPartRemoval(live, planning);
    case 'unrecorded':
      return keepUnowned(live, 'the tag gantry/applied is missing, so it may not belong to this stack: never deleted');
    case 'lost':
    case 'other':
    case 'none':
      return draftPartRemoval(live, planning);
  }
}

function keep(live: LiveResource, note: string): Draft {
  return makeDraft({ id: live.id, ref: live.ref, live }, { action: 'keep', reason: '', notes: [note] });
}

function keepUnowned(live: LiveResource, note: string): Draft {
  return { ...keep(live, note), unowned: true };
}
