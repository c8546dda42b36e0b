import type { Body } from '../../../manifest/body.ts';
import type { LiveResource } from '../../../manifest/snapshot.ts';
import { objectAt, stringAt } from '../../../schema/json.ts';
import { appliedTag, readApplied } from '../../ownership.ts';
import type { Change } from '../../plan.ts';
import { withTags } from './bodyTags.ts';

/**
 * A creation that remembers what the stack had set then, not all that it brings back: what the platform had chosen, and
 * the tags of others, would be taken away again by the code of before.
 */
export function asRecorded(change: Change, kept: LiveResource | undefined): Change {
  const former = stringAt(objectAt(kept?.record ?? {}, 'tags'), appliedTag) ?? '';
  if (change.action !== 'create' || readApplied(former) === undefined) return change;
  const { create, then, expected, expectedThen } = change;
  return {
    ...change,
    ...(create === undefined ? {} : { create: remembering(create, former) }),
    ...(then === undefined ? {} : { then: remembering(then, former) }),
    ...(expected === undefined ? {} : { expected: remembering(expected, former) }),
    ...(expectedThen === undefined ? {} : { expectedThen: remembering(expectedThen, former) }),
  };
}

/** The former record, with the version that this write produces. */
function remembering(body: Body, former: string): Body {
  return withTags(body, (tags) => {
    const version = readApplied(stringAt(tags, appliedTag) ?? '')?.version;
    return version === undefined ? tags : { ...tags, [appliedTag]: former.replace(/;v\d+/, `;v${version}`) };
  });
}
