import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { Body } from '../../manifest/model/body.ts';
import { appliedTag } from '../../manifest/model/ownTags.ts';
import { partTagOf } from '../../manifest/model/partTag.ts';
import { type JsonObject, listAt, objectAt, stringAt } from '../../schema/json/json.ts';
import { tagPatch } from '../claims/tagPlan.ts';
import type { Change } from '../model/change.ts';
import { makeDraft, toChange } from '../model/draft.ts';
import { partTagsAnew } from '../part/partsOfOthers.ts';
import { readApplied, withoutDeclared } from '../record/ownership.ts';
import { withoutFields } from '../record/shapeFacts.ts';
import { atVersion, firstVersion, versionAfter, versionBefore, withoutVersion } from '../record/version.ts';
import { withTags } from './bodyTags.ts';

/** A record before the undone plan, and as it is now. */
export interface BeforeAndNow {
  readonly stack: string;
  readonly kept: LiveResource | undefined;
  readonly now: LiveResource | undefined;
}

/**
 * A change that records the claims of before, not all that it brings back: what a person or the platform had set, which
 * the undone plan overwrote or deleted, would be taken away again by the code of before. Where the undone plan changed
 * nothing but claims, that is all there is to do. What is created again has the parts of other stacks as before too.
 */
export function asRecorded(change: Change, { stack, kept, now }: BeforeAndNow): Change {
  if (kept === undefined) return change;
  const tags = objectAt(kept.record, 'tags');
  const tag = change.part === true ? (partTagOf(stack) ?? '') : appliedTag;
  const recordedThen = stringAt(tags, tag);
  // It no longer says what was declared: what comes back may be a person's, and must not pass for a default.
  const former = recordedThen === undefined ? undefined : withoutDeclared(recordedThen);
  const read = former === undefined ? undefined : readApplied(former);
  if (read === undefined && change.part !== true) return change;
  // What somebody may have set since is as doubtful as before; versions of a new record begin anew.
  const isNewest = read?.version === kept.version || change.action === 'create';
  const mark: Mark = (version) =>
    former === undefined || read === undefined ? undefined : isNewest ? atVersion(former, version) : former;
  switch (change.action) {
    case 'keep':
      return now === undefined || recorded(mark(0)) === recorded(stringAt(objectAt(now.record, 'tags'), tag))
        ? change
        : onlyRecording(change, now, tag, mark);
    case 'create':
      return remembering(change, tag, mark, partTagsAnew(tags, undefined));
    case 'patch':
    case 'adopt':
      return remembering(change, tag, mark, {});
    default:
      return change;
  }
}

/** The text of a tag that records claims, as a version has it; undefined: there is none. */
type Mark = (version: number) => string | undefined;

function recorded(text: string | undefined): string | undefined {
  return text === undefined ? undefined : withoutVersion(withoutDeclared(text));
}

function onlyRecording(change: Change, now: LiveResource, tag: string, mark: Mark): Change {
  const text = mark(versionAfter(now.version));
  const patch = {
    id: now.uid,
    version: now.version,
    tags: tagPatch(text === undefined ? {} : { [tag]: text }, text === undefined ? [tag] : []) ?? {},
  };
  const tags = {
    ...withoutFields(objectAt(now.record, 'tags'), [[tag]]),
    ...(text === undefined ? {} : { [tag]: text }),
  };
  const { id, ref, requires, notes } = change;
  const draft = makeDraft(
    { id, ref, live: now },
    {
      action: 'patch',
      reason: 'what the plan that is undone only began to claim is released',
      ...(change.part === true ? { part: true } : {}),
      patch: new Body(patch, patch),
      expected: new Body({ tags }, { tags }),
      notes,
    },
  );
  return toChange(draft, { write: requires, delete: [], then: [] });
}

/** With the former record, and the version that each write produces. */
function remembering<C extends Change>(change: C, tag: string, mark: Mark, more: JsonObject): C {
  const { liveVersion = versionBefore(firstVersion), create, patch, then, expected, expectedThen } = change;
  const inBody = (body: Body, version: number, isPatch: boolean): Body =>
    withTags(body, (tags) => {
      const others = { ...withoutFields(tags, [[tag]]), ...(isPatch ? {} : more) };
      const text = mark(version);
      if (text !== undefined) return { ...others, [tag]: text };
      return isPatch && Object.hasOwn(tags, tag) ? { ...others, $drop: [...listAt(others, '$drop'), tag] } : others;
    });
  return {
    ...change,
    ...(create === undefined ? {} : { create: inBody(create, firstVersion, false) }),
    ...(patch === undefined ? {} : { patch: inBody(patch, versionAfter(liveVersion), true) }),
    ...(expected === undefined ? {} : { expected: inBody(expected, versionAfter(liveVersion), false) }),
    ...(then === undefined ? {} : { then: inBody(then, versionAfter(liveVersion, 2), true) }),
    ...(expectedThen === undefined ? {} : { expectedThen: inBody(expectedThen, versionAfter(liveVersion, 2), false) }),
  };
}
