import { type JsonObject, objectAt, stringAt } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import { Body } from '../manifest/model/body.ts';
import { appliedTag, partTagOf } from '../manifest/model/ownTags.ts';
import type { Change } from '../plan/model/change.ts';
import { makeDraft, toChange } from '../plan/model/draft.ts';
import { type Marks, patchWithMarks, withMarks } from '../plan/record/bodyTags.ts';
import { claimsOn, partsAnew } from '../plan/record/claims.ts';
import { laterWrites } from '../plan/record/fieldClaims.ts';
import {
  type AppliedRecord,
  forReturn,
  type Hash,
  readApplied,
  withNothingSet,
  withoutDeclared,
} from '../plan/record/ownership.ts';
import {
  atVersion,
  firstVersion,
  markAfter,
  versionAfter,
  versionBefore,
  versionOfMark,
  withoutVersion,
} from '../plan/record/version.ts';

/** A record before the undone plan, and as it is now, with what that plan did with it. */
export interface BeforeAndNow {
  readonly stack: string;
  readonly org: string;
  readonly hash: Hash;
  readonly kept: LiveResource | undefined;
  readonly now: LiveResource | undefined;
  readonly undone: Change | undefined;
}

/**
 * A change that records the claims of before, not all that it brings back: what a person or the platform had set, which
 * the undone plan overwrote or deleted, would be taken away again by the code of before. Where the undone plan changed
 * nothing but claims, that is all there is to do. What is created again has the parts of other stacks as before too.
 */
export function asRecorded(change: Change, of: BeforeAndNow): Change {
  const { stack, kept, now } = of;
  if (kept === undefined) return change;
  const tags = objectAt(kept.record, 'tags');
  const tag = change.part === true ? (partTagOf(stack) ?? '') : appliedTag;
  const recordedThen = stringAt(tags, tag);
  const former = recordedThen === undefined ? undefined : forReturn(recordedThen);
  const read = former === undefined ? undefined : readApplied(former);
  if (read === undefined && change.part !== true) return change;
  const mark = (version: number): Marks => {
    if (former === undefined || read === undefined) return new Map([[tag, undefined]]);
    return new Map([
      [tag, change.action === 'create' ? anew(former, kept, tag, version) : markAfter(former, kept.version, version)],
    ]);
  };
  const { liveVersion = versionBefore(firstVersion) } = change;
  const marksAfter = (others: Iterable<readonly [string, string | undefined]>) => (writes: number) =>
    new Map([...others, ...mark(versionAfter(liveVersion, writes))]);
  switch (change.action) {
    case 'keep': {
      if (now === undefined) return change;
      const others = othersMarks(of, tag);
      const marks = new Map([...mark(versionAfter(now.version)), ...others]);
      const before = objectAt(now.record, 'tags');
      const isSame = [...marks].every(([key, text]) => recorded(text) === recorded(stringAt(before, key)));
      return isSame ? change : onlyRecording(change, now, marks);
    }
    case 'create':
      return remembering(change, marksAfter(partsOf(kept, of, tag === appliedTag ? read : undefined)), {});
    case 'patch':
    case 'adopt':
      return remembering(change, marksAfter(othersMarks(of, tag)), objectAt(now?.record ?? {}, 'tags'));
    default:
      return change;
  }
}

/** Versions of a new record begin anew, and no doubt would outlast that. */
function anew(text: string, kept: LiveResource, tag: string, version: number): string {
  const isDoubtful = laterWrites(kept, {})(versionOfMark(text), tag, () => undefined) !== undefined;
  return atVersion(isDoubtful ? withNothingSet(text) : text, version);
}

function partsOf(
  kept: LiveResource,
  { stack, org, hash }: BeforeAndNow,
  applied: AppliedRecord | undefined,
): readonly (readonly [string, string])[] {
  const of = { owner: stack, org, hash };
  const { tags } = partsAnew(kept, of, claimsOn(kept, of, applied), { set: {}, drop: [] });
  return Object.entries(tags).map(([key, text]) => [key, String(text)]);
}

/**
 * The records of other stacks about the resource, as they were before the undone plan: claims that it passed on or
 * ended. Where another stack has written its record since, that one stands. `tag`: the one that is not another stack's.
 */
export function othersMarks({ kept, now, undone }: BeforeAndNow, tag: string): Marks {
  const left = (undone?.expectedThen ?? undone?.expected)?.expose();
  const [before = {}, after = {}, live = {}] = [kept?.record, left, now?.record].map((each) =>
    objectAt(each ?? {}, 'tags'),
  );
  const keys = Object.keys({ ...before, ...after }).filter((key) => key.startsWith(appliedTag) && key !== tag);
  return new Map(
    keys.flatMap((key) =>
      stringAt(after, key) === stringAt(live, key) ? [[key, stringAt(before, key)] as const] : [],
    ),
  );
}

function recorded(text: string | undefined): string | undefined {
  return text === undefined ? undefined : withoutVersion(withoutDeclared(text));
}

function onlyRecording(change: Change, now: LiveResource, marks: Marks): Change {
  const before = objectAt(now.record, 'tags');
  const bodyOf = (document: JsonObject): Body => new Body(document, document);
  const { id, ref, requires, notes } = change;
  const draft = makeDraft(
    { id, ref, live: now },
    {
      action: 'patch',
      reason: 'what the plan that is undone only began to claim is released',
      ...(change.part === true ? { part: true } : {}),
      patch: patchWithMarks(bodyOf({ id: now.uid, version: now.version }), marks, before),
      expected: withMarks(bodyOf({ tags: before }), marks),
      notes,
    },
  );
  return toChange(draft, { write: requires, delete: [], then: [] });
}

/** With these records after its writes. `before`: the tags that a PATCH is sent to. */
export function remembering<C extends Change>(change: C, marksAfter: (writes: number) => Marks, before: JsonObject): C {
  const { create, patch, then, expected, expectedThen } = change;
  const [first, second] = [marksAfter(1), marksAfter(2)];
  const after = expected && withMarks(expected, first);
  return {
    ...change,
    ...(create === undefined ? {} : { create: withMarks(create, first) }),
    ...(patch === undefined ? {} : { patch: patchWithMarks(patch, first, before) }),
    ...present({ expected: after }),
    ...(then === undefined ? {} : { then: patchWithMarks(then, second, objectAt(after?.expose() ?? {}, 'tags')) }),
    ...(expectedThen === undefined ? {} : { expectedThen: withMarks(expectedThen, second) }),
  };
}
