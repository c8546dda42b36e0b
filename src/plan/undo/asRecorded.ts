import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { Body } from '../../manifest/model/body.ts';
import { appliedTag } from '../../manifest/model/ownTags.ts';
import { type JsonObject, objectAt, stringAt } from '../../schema/json/json.ts';
import type { Change } from '../model/change.ts';
import { partTagsAnew } from '../part/partsOfOthers.ts';
import { readApplied, withoutDeclared } from '../record/ownership.ts';
import { atVersion } from '../record/version.ts';
import { withTags } from './bodyTags.ts';

/**
 * A change that records the claims of before, not all that it brings back: what a person or the platform had set, which
 * the undone plan overwrote or deleted, would be taken away again by the code of before. What is created again has the
 * parts of other stacks as before too.
 */
export function asRecorded(change: Change, kept: LiveResource | undefined): Change {
  const tags = objectAt(kept?.record ?? {}, 'tags');
  const former = stringAt(tags, appliedTag) ?? '';
  const isWhole = change.action === 'create' || (change.action === 'patch' && change.part !== true);
  if (!isWhole || readApplied(former) === undefined) return change;
  const { create, then, expected, expectedThen } = change;
  if (change.action === 'patch') {
    return {
      ...change,
      patch: remembering(change.patch, former, {}),
      expected: remembering(change.expected, former, {}),
      ...(then === undefined ? {} : { then: remembering(then, former, {}) }),
      ...(expectedThen === undefined ? {} : { expectedThen: remembering(expectedThen, former, {}) }),
    };
  }
  const theirs = partTagsAnew(tags, undefined);
  const remember = (body: Body, more: JsonObject): Body => remembering(body, former, more);
  return {
    ...change,
    ...(create === undefined ? {} : { create: remember(create, theirs) }),
    ...(then === undefined ? {} : { then: remember(then, {}) }),
    ...(expected === undefined ? {} : { expected: remember(expected, theirs) }),
    ...(expectedThen === undefined ? {} : { expectedThen: remember(expectedThen, theirs) }),
  };
}

/**
 * The former record, with the version that this write produces. It no longer says what was declared: what comes back may
 * be a person's, and must not pass for a default of the platform.
 */
function remembering(body: Body, former: string, more: JsonObject): Body {
  return withTags(body, (tags) => {
    const version = readApplied(stringAt(tags, appliedTag) ?? '')?.version;
    const mark = version === undefined ? {} : { [appliedTag]: atVersion(withoutDeclared(former), version) };
    return { ...tags, ...more, ...mark };
  });
}
