import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { Body } from '../../manifest/model/body.ts';
import { appliedTag } from '../../manifest/model/ownTags.ts';
import { partTagPrefix } from '../../manifest/model/partTag.ts';
import { type JsonObject, objectAt, stringAt } from '../../schema/json/json.ts';
import type { Change } from '../model/change.ts';
import { readApplied } from '../record/ownership.ts';
import { withTags } from './bodyTags.ts';

/**
 * A creation that remembers what each stack had set then, not all that it brings back: what the platform had chosen,
 * the tags of others, and the parts of other stacks would be taken away again by the code of before.
 */
export function asRecorded(change: Change, kept: LiveResource | undefined): Change {
  const tags = objectAt(kept?.record ?? {}, 'tags');
  const former = stringAt(tags, appliedTag) ?? '';
  if (change.action !== 'create' || readApplied(former) === undefined) return change;
  const { create, then, expected, expectedThen } = change;
  const theirs = Object.fromEntries(Object.entries(tags).filter(([key]) => key.startsWith(partTagPrefix)));
  const remember = (body: Body, more: JsonObject): Body => remembering(body, former, more);
  return {
    ...change,
    ...(create === undefined ? {} : { create: remember(create, theirs) }),
    ...(then === undefined ? {} : { then: remember(then, {}) }),
    ...(expected === undefined ? {} : { expected: remember(expected, theirs) }),
    ...(expectedThen === undefined ? {} : { expectedThen: remember(expectedThen, theirs) }),
  };
}

/** The former record, with the version that this write produces. */
function remembering(body: Body, former: string, more: JsonObject): Body {
  return withTags(body, (tags) => {
    const version = readApplied(stringAt(tags, appliedTag) ?? '')?.version;
    const mark = version === undefined ? {} : { [appliedTag]: former.replace(/;v\d+/, `;v${version}`) };
    return { ...tags, ...more, ...mark };
  });
}
