import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { Draft } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { refuse, unmarkedLoss } from '../model/refusal.ts';
import { whyUnmarked } from '../record/replacementMark.ts';
import { renamingsOf } from '../rename/rename.ts';

/**
 * A replacement whose record has no room for the mark, although something would be lost without it. With the permit it
 * is a note: what is named is what can be lost.
 */
export function refuseUnmarked(draft: Draft, planning: PlanContext): Draft {
  const { carries, unmarked } = draft;
  const old = carries === undefined ? undefined : deletedFirst(draft, planning);
  const why = old === undefined ? undefined : whyUnmarked(old.record);
  if (carries === undefined || why === undefined) return draft;
  return unmarked === true
    ? { ...draft, notes: [...draft.notes, unmarkedLoss(why, carries)] }
    : { ...draft, refusals: [...draft.refusals, refuse.replaceUnmarked(why, carries)] };
}

/** The record that is deleted before this one is created. */
function deletedFirst({ action, id, live }: Draft, planning: PlanContext): LiveResource | undefined {
  if (action === 'replace') return live;
  const renaming = action === 'create' ? renamingsOf(planning).byNew.get(id) : undefined;
  return renaming?.contested === undefined ? undefined : renaming.old;
}
