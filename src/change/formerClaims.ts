import { type JsonObject, objectAt, stringAt } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
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
import { tagBodiesOf } from '../plan/record/shapeFacts.ts';
import {
  atVersion,
  firstVersion,
  markAfter,
  versionAfter,
  versionBefore,
  versionOfMark,
  withoutVersion,
} from '../plan/record/version.ts';

/** A record before the undone plan and as it is now, and the change of that plan. */
export interface UndoneState {
  readonly stack: string;
  readonly org: string;
  readonly hash: Hash;
  readonly former: LiveResource | undefined;
  readonly now: LiveResource | undefined;
  readonly undone: Change | undefined;
  /** The former record as a declaration, with the marks of its values. */
  readonly declared?: DesiredResource | undefined;
}

/**
 * Makes a change record the claims from before the undone plan, not everything that it restores. Otherwise the former
 * code would delete the values set by users or the platform that the undone plan overwrote or deleted. If the undone
 * plan changed only claims, the result only records. A record that is created again also gets back the parts of other
 * stacks.
 */
export function withFormerClaims(change: Change, state: UndoneState): Change {
  const { stack, former, now } = state;
  if (former === undefined) return change;
  const tags = objectAt(former.record, 'tags');
  const tag = change.part === true ? (partTagOf(stack) ?? '') : appliedTag;
  const recordedThen = stringAt(tags, tag);
  const formerMark = recordedThen === undefined ? undefined : forReturn(recordedThen);
  const read = formerMark === undefined ? undefined : readApplied(formerMark);
  if (read === undefined && change.part !== true) return change;
  const mark = (version: number): Marks => {
    if (formerMark === undefined || read === undefined) return new Map([[tag, undefined]]);
    return new Map([
      [
        tag,
        change.action === 'create'
          ? markOfNewRecord(formerMark, former, tag, version)
          : markAfter(formerMark, former.version, version),
      ],
    ]);
  };
  const { liveVersion = versionBefore(firstVersion) } = change;
  const marksAfter = (others: Iterable<readonly [string, string | undefined]>) => (writes: number) =>
    new Map([...others, ...mark(versionAfter(liveVersion, writes))]);
  switch (change.action) {
    case 'keep': {
      if (now === undefined) return change;
      const others = othersMarks(state, tag);
      const marks = new Map([...mark(versionAfter(now.version)), ...others]);
      const before = objectAt(now.record, 'tags');
      const isSame = [...marks].every(([key, text]) => comparableMark(text) === comparableMark(stringAt(before, key)));
      return isSame ? change : markingChange(change, now, marks, state.declared);
    }
    case 'create':
      return withMarksWritten(
        change,
        marksAfter(formerParts(former, state, tag === appliedTag ? read : undefined)),
        {},
      );
    case 'patch':
    case 'adopt':
      return withMarksWritten(change, marksAfter(othersMarks(state, tag)), objectAt(now?.record ?? {}, 'tags'));
    default:
      return change;
  }
}

/**
 * A new record has new versions, which no longer show later writes to the old one: if those are possible, nothing
 * counts as set.
 */
function markOfNewRecord(text: string, kept: LiveResource, tag: string, version: number): string {
  const isDoubtful = laterWrites(kept, {})(versionOfMark(text), tag, () => undefined) !== undefined;
  return atVersion(isDoubtful ? withNothingSet(text) : text, version);
}

function formerParts(
  kept: LiveResource,
  { stack, org, hash }: UndoneState,
  applied: AppliedRecord | undefined,
): readonly (readonly [string, string])[] {
  const of = { owner: stack, org, hash };
  const { tags } = partsAnew(kept, of, claimsOn(kept, of, applied), { set: {}, drop: [] });
  return Object.entries(tags).map(([key, text]) => [key, String(text)]);
}

/**
 * The marks of other stacks from before the undone plan, which passed on or ended these claims. If another stack has
 * written its mark since, that mark stays. `tag`: the mark tag of this stack.
 */
export function othersMarks({ former, now, undone }: UndoneState, tag: string): Marks {
  const appliedRecord = (undone?.expectedThen ?? undone?.expected)?.expose();
  const [before = {}, after = {}, live = {}] = [former?.record, appliedRecord, now?.record].map((each) =>
    objectAt(each ?? {}, 'tags'),
  );
  const keys = Object.keys({ ...before, ...after }).filter((key) => key.startsWith(appliedTag) && key !== tag);
  return new Map(
    keys.flatMap((key) =>
      stringAt(after, key) === stringAt(live, key) ? [[key, stringAt(before, key)] as const] : [],
    ),
  );
}

function comparableMark(text: string | undefined): string | undefined {
  return text === undefined ? undefined : withoutVersion(withoutDeclared(text));
}

function markingChange(change: Change, now: LiveResource, marks: Marks, declared: DesiredResource | undefined): Change {
  const before = objectAt(now.record, 'tags');
  const bodyOf = tagBodiesOf(now, declared);
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

/** The change with these marks written into its bodies. `before`: the live tags that its PATCH starts from. */
export function withMarksWritten<C extends Change>(
  change: C,
  marksAfter: (writes: number) => Marks,
  before: JsonObject,
): C {
  const { create, patch, then, expected, expectedThen } = change;
  const [first, second] = [marksAfter(1), marksAfter(2)];
  const after = expected && withMarks(expected, first);
  return {
    ...change,
    ...present({ create: create === undefined ? undefined : withMarks(create, first) }),
    ...present({ patch: patch === undefined ? undefined : patchWithMarks(patch, first, before), expected: after }),
    ...present({
      then: then === undefined ? undefined : patchWithMarks(then, second, objectAt(after?.expose() ?? {}, 'tags')),
    }),
    ...present({ expectedThen: expectedThen === undefined ? undefined : withMarks(expectedThen, second) }),
  };
}
