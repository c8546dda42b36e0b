import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { Body } from '../../manifest/model/body.ts';
import { appliedTag, ownerOf, ownerTag } from '../../manifest/model/ownTags.ts';
import { listAt, objectAt, stringAt } from '../../schema/json/json.ts';
import type { Change } from '../model/change.ts';
import { toChange } from '../model/draft.ts';
import { withoutFields } from '../record/shapeFacts.ts';
import { atVersion, versionAfter } from '../record/version.ts';
import { draftForgotten } from '../rename/handOver.ts';
import type { BeforeAndNow } from './asRecorded.ts';
import { withTags } from './bodyTags.ts';

const reason = 'it was taken over by the plan that is undone';

/** A change back of what was taken over: its last write drops our two tags too, or brings back what was left for us. */
export function releaseOwnership(change: Change, { kept, now }: BeforeAndNow): Change {
  if (now === undefined) return change;
  const back = change.action === 'keep' ? forgetting(change, now) : change;
  if (back.action !== 'patch' && back.action !== 'forget') return change;
  const isOwned = kept === undefined || ownerOf(kept.record) !== undefined;
  const left = isOwned ? undefined : stringAt(objectAt(kept.record, 'tags'), appliedTag);
  const { patch, then, expected, expectedThen } = back;
  const mark = (steps: number) =>
    left === undefined ? {} : { [appliedTag]: atVersion(left, versionAfter(now.version, steps)) };
  const dropping = (body: Body, steps: number): Body =>
    withTags(body, (tags) => ({
      ...withoutFields(tags, [[ownerTag], [appliedTag]]),
      ...mark(steps),
      $drop: [
        ...listAt(tags, '$drop').filter((key) => key !== ownerTag && key !== appliedTag),
        ownerTag,
        ...(left === undefined ? [appliedTag] : []),
      ],
    }));
  const unmarked = (body: Body, steps: number): Body =>
    withTags(body, (tags) => ({ ...withoutFields(tags, [[ownerTag], [appliedTag]]), ...mark(steps) }));
  if (then !== undefined && expectedThen !== undefined) {
    return { ...back, action: 'forget', reason, then: dropping(then, 2), expectedThen: unmarked(expectedThen, 2) };
  }
  return { ...back, action: 'forget', reason, patch: dropping(patch, 1), expected: unmarked(expected, 1) };
}

function forgetting({ requires }: Change, now: LiveResource): Change {
  return toChange(draftForgotten(now, reason), { write: requires, delete: [], then: [] });
}
