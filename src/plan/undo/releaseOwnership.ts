import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { Body } from '../../manifest/model/body.ts';
import { appliedTag, ownerTag } from '../../manifest/model/ownTags.ts';
import { listAt } from '../../schema/json/json.ts';
import type { Change } from '../model/change.ts';
import { toChange } from '../model/draft.ts';
import { withoutFields } from '../record/shapeFacts.ts';
import { draftForgotten } from '../rename/handOver.ts';
import { withTags } from './bodyTags.ts';

const reason = 'it was taken over by the plan that is undone';

/** A change back of what was taken over: its last write drops our two tags too. */
export function releaseOwnership(change: Change, now: LiveResource): Change {
  if (change.action === 'keep')
    return toChange(draftForgotten(now, reason), { write: change.requires, delete: [], then: [] });
  if (change.action !== 'patch') return change;
  const { patch, then, expected, expectedThen } = change;
  if (then !== undefined && expectedThen !== undefined) {
    return { ...change, action: 'forget', reason, then: dropping(then), expectedThen: unmarked(expectedThen) };
  }
  return { ...change, action: 'forget', reason, patch: dropping(patch), expected: unmarked(expected) };
}

/** The PATCH, with the two tags dropped. */
function dropping(body: Body): Body {
  return withTags(body, (tags) => ({
    ...withoutFields(tags, [[ownerTag], [appliedTag]]),
    $drop: [...listAt(tags, '$drop'), ownerTag, appliedTag],
  }));
}

/** The record after it, without them. */
function unmarked(body: Body): Body {
  return withTags(body, (tags) => withoutFields(tags, [[ownerTag], [appliedTag]]));
}
