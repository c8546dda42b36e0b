import type { Snapshot } from '../../manifest/live/snapshot.ts';
import type { Change } from '../../plan/model/change.ts';
import type { Hash } from '../../plan/record/ownership.ts';
import type { SavedPlan } from '../../plan/saved/savedPlan.ts';
import { movedSince } from '../../plan/saved/savedRecord.ts';
import { blockedChanges } from '../../plan/undo/blockedChanges.ts';
import { isOfChange, versionProduced } from './produced.ts';

/**
 * Is everything that the plan changed, and that can be taken back, as it was before it, although it was applied? Of a
 * plan that only creates nobody can say that: what is not there may never have been.
 */
export function isTakenBack(saved: SavedPlan, snapshot: Snapshot, hash: Hash): boolean {
  const stuck = blockedChanges(saved, hash);
  const changes = saved.plan.changes.filter(
    ({ id, action }) => action !== 'keep' && action !== 'refuse' && !stuck.has(id),
  );
  return changes.some(({ action }) => action !== 'create') && changes.every((each) => isBack(each, saved, snapshot));
}

function isBack(change: Change, { plan, live }: SavedPlan, { resources }: Snapshot): boolean {
  const [before, now] = [live.get(change.id), resources.get(change.id)];
  if (change.action === 'create') return now === undefined;
  if (before === undefined || now === undefined) return false;
  const moved = movedSince(before, now, plan.org);
  if (change.action === 'delete') return now.uid !== change.liveUid && moved.length === 0;
  // What others wrote into other fields is theirs.
  const isTouched = moved.some((path) => isOfChange(change, path));
  return now.uid === change.liveUid && now.version > versionProduced(change) && !isTouched;
}
