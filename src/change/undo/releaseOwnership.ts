import { objectAt, stringAt } from '../../base/json/json.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { appliedTag, ownerOf, ownerTag } from '../../manifest/model/ownTags.ts';
import type { Change } from '../../plan/model/change.ts';
import { toChange } from '../../plan/model/draft.ts';
import { type Marks, patchWithMarks, withMarks } from '../../plan/record/bodyTags.ts';
import { markAfter, versionAfter } from '../../plan/record/version.ts';
import { draftForgotten } from '../../plan/rename/handOver.ts';
import { type BeforeAndNow, othersMarks } from './asRecorded.ts';

const reason = 'it was taken over by the plan that is undone';

/** A change back of what was taken over: its last write drops our two tags too, or brings back what was left for us. */
export function releaseOwnership(change: Change, of: BeforeAndNow): Change {
  const { kept, now } = of;
  if (now === undefined) return change;
  const back = change.action === 'keep' ? forgetting(change, now) : change;
  if (back.action !== 'patch' && back.action !== 'forget') return change;
  const isOwned = kept === undefined || ownerOf(kept.record) !== undefined;
  const left = isOwned ? undefined : stringAt(objectAt(kept.record, 'tags'), appliedTag);
  const { patch, then, expected, expectedThen } = back;
  const marksAfter = (steps: number): Marks =>
    new Map([
      ...othersMarks(of, appliedTag),
      [ownerTag, undefined],
      [appliedTag, left && kept && markAfter(left, kept.version, versionAfter(now.version, steps))],
    ]);
  const [first, second] = [marksAfter(1), marksAfter(2)];
  if (then !== undefined && expectedThen !== undefined) {
    const dropping = patchWithMarks(then, second, objectAt(expected.expose(), 'tags'));
    return { ...back, action: 'forget', reason, then: dropping, expectedThen: withMarks(expectedThen, second) };
  }
  const dropping = patchWithMarks(patch, first, objectAt(now.record, 'tags'));
  return { ...back, action: 'forget', reason, patch: dropping, expected: withMarks(expected, first) };
}

function forgetting({ requires }: Change, now: LiveResource): Change {
  return toChange(draftForgotten(now, reason), { write: requires, delete: [], then: [] });
}
