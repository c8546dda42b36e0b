import { type JsonObject, objectAt, stringAt } from '../base/json/json.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import { Body } from '../manifest/model/body.ts';
import { appliedTag, ownerTag, partTagOf } from '../manifest/model/ownTags.ts';
import { type Change, checkedChange } from '../plan/model/change.ts';
import { type Marks, patchWithMarks, withMarks } from '../plan/record/bodyTags.ts';
import { atVersion, versionAfter, versionOfMark, withoutVersion } from '../plan/record/version.ts';
import type { Replan } from '../plan/replan.ts';
import { withMarksWritten } from './formerClaims.ts';
import type { SavedPlan } from './savedPlan.ts';

/**
 * Adapts a replan to an undo: if a record was written meanwhile, its change still records the former claims, not
 * everything that it restores.
 */
export function replanUndo({ plan, live, options }: SavedPlan, replan: Replan): Replan {
  if (options.undoes !== true) return replan;
  const changes = new Map(plan.changes.map((change) => [change.id, change]));
  const replanWithMarks = (id: string, now: LiveResource, isAnswer?: boolean): Change | undefined => {
    const [planned, next] = [changes.get(id), replan(id, now, isAnswer)];
    return planned === undefined
      ? next
      : withPlannedMarks({ planned, before: live.get(id), now, stack: plan.stack }, next);
  };
  return Object.assign(replanWithMarks, {
    ...(replan.learn && { learn: replan.learn }),
    ofAnswer: (id: string, now: LiveResource, as: 'answer' | 'read') => {
      const reading = replan.ofAnswer?.(id, now, as);
      if (reading === undefined) return undefined;
      // A restored value may have been set by a user, so no mark says that this stack left it.
      const { mark: _mark, ...rest } = reading;
      return rest;
    },
  });
}

interface RewrittenRecord {
  readonly planned: Change;
  /** The record that the plan was made from. */
  readonly before: LiveResource | undefined;
  readonly now: LiveResource;
  readonly stack: string;
}

function withPlannedMarks(rewritten: RewrittenRecord, next: Change | undefined): Change | undefined {
  const { planned, now } = rewritten;
  if (planned.patch === undefined || (next !== undefined && next.action !== 'patch')) return next;
  const tags = objectAt(now.record, 'tags');
  const marksAfter = (writes: number) => marksOf(rewritten, versionAfter(now.version, writes));
  if (next !== undefined) {
    const { action, reason } = planned;
    return checkedChange({
      ...withMarksWritten(next, marksAfter, tags),
      ...(action === 'forget' ? { action, reason } : {}),
    });
  }
  const marks = marksAfter(1);
  const isSame = [...marks].every(([key, text]) => sameMark(text, stringAt(tags, key)));
  if (isSame || planned.fields.length > 0) return undefined;
  const bodyOf = (document: JsonObject): Body => new Body(document, document);
  const { then: _then, expectedThen: _expectedThen, ...change } = planned;
  return checkedChange({
    ...change,
    liveVersion: now.version,
    patch: patchWithMarks(bodyOf({ id: now.uid, version: now.version }), marks, tags),
    expected: withMarks(bodyOf({ tags }), marks),
  });
}

/** The marks that the plan would record, except where another stack has recorded since. */
function marksOf({ planned, before, now, stack }: RewrittenRecord, version: number): Marks {
  const final = (planned.expectedThen ?? planned.expected)?.expose() ?? {};
  const [was, is, wanted] = [before?.record ?? {}, now.record, final].map((each) => objectAt(each, 'tags'));
  const ofWhole = planned.action === 'forget' ? [ownerTag, appliedTag] : [appliedTag];
  const own = planned.part === true ? [partTagOf(stack) ?? ''] : ofWhole;
  const others = Object.keys({ ...was, ...wanted }).filter(
    (key) => key.startsWith(appliedTag) && !own.includes(key) && stringAt(was ?? {}, key) === stringAt(is ?? {}, key),
  );
  return new Map(
    [...others, ...own].map((key) => {
      const text = stringAt(wanted ?? {}, key);
      const isOfWrite = key !== ownerTag && text !== undefined && versionOfMark(text) > (planned.liveVersion ?? 0);
      return [key, isOfWrite && own.includes(key) ? atVersion(text, version) : text] as const;
    }),
  );
}

function sameMark(text: string | undefined, live: string | undefined): boolean {
  return text === live || (text !== undefined && live !== undefined && withoutVersion(text) === withoutVersion(live));
}
