import { firstOf } from '../../base/text/firstOf.ts';
import { ToolError } from '../../base/toolError.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { isBeingReplaced, replacementMark, withoutReplacementMark } from '../../plan/record/replacementMark.ts';
import { isUnmoved, isUnmovedButTags } from '../../plan/record/savedRecord.ts';
import { versionAfter, versionsTell } from '../../plan/record/version.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { isCode, UnmarkedError } from '../run/applyErrors.ts';
import { notBusyYet, type Run, type StepRun, waitWhileBusy } from '../run/run.ts';
import type { Deletion } from '../schedule/tasks.ts';

/** Errors that mean that this write is not possible: the record is deleted only if nothing can be lost by that. */
const impossible = ['api.invalid', 'api.forbidden', 'api.method', 'api.quota', 'api.bad-reply'] as const;

/**
 * Says on the record that it is about to be replaced, so that the next run knows it if this one dies before the record
 * is created again. Returns the record as it is to be deleted; undefined: it is gone. `look` reads it again, and throws
 * where it is not the one that was approved.
 */
export async function markReplaced(
  run: StepRun,
  change: Deletion,
  live: LiveResource,
  look: () => Promise<LiveResource | undefined>,
): Promise<LiveResource | undefined> {
  const busy = notBusyYet(run, change.id);
  let now: LiveResource | undefined = live;
  let refused: ToolError | undefined;
  while (now !== undefined && !isBeingReplaced(now.record, run.plan.stack)) {
    if (refused !== undefined) await waitWhileBusy(run, busy, refused);
    try {
      const tags = replacementMark(now.record, now.version, run.plan.stack);
      const marked = await run.precondition.patch(change.ref, now, { tags });
      const isMarked = isBeingReplaced(marked.record, run.plan.stack);
      if (isMarked && marked.version <= versionAfter(now.version)) return marked;
      const isSame = versionsTell(run.capabilities) ? isUnmoved : isUnmovedButTags;
      if (isMarked && (isSame(now, marked, run.plan.org) || (await run.precondition.isShown(marked)))) {
        run.capabilities.learn('version.plus-one', 'otherwise');
        return marked;
      }
      // Somebody wrote between the version that was named and this one: look() throws. Or the answer does not show it.
      if (isMarked) run.precondition.isIgnored();
      else refused = unseen(change.id);
    } catch (error) {
      if (isCode(error, ...impossible)) {
        now = await look(); // no version was checked, and DELETE checks none
        if (now === undefined || isBeingReplaced(now.record, run.plan.stack)) return now;
        run.notes.add(withoutMark(run, change.id, error));
        return now;
      }
      if (!isCode(error, 'api.conflict', 'api.reply-lost', 'api.unseen', 'api.not-found')) throw error;
      refused = error;
    }
    now = await look();
  }
  return now;
}

function unseen(id: ResourceId): ToolError {
  return new ToolError({ code: 'api.unseen', message: `the platform took the mark of ${id}, and does not show it` });
}

/** The note on a deletion without a mark; throws where it is not permitted. */
function withoutMark({ commitments, plan }: Run, id: ResourceId, refused: ToolError): string {
  const created = commitments.successorOf(id);
  const { carries = [], unmarked = false } = plan.changes.find((change) => change.id === created) ?? {};
  if (carries.length > 0 && !unmarked) throw new UnmarkedError(id, refused, carries);
  const lost = carries.length === 0 ? '' : ` of ${id}, and this would have been lost: ${firstOf(carries, 10)}`;
  return (
    'a record could not be marked before it was replaced: if this run had been killed ' +
    `in between, the next run would not have recognised the unfinished replacement${lost}`
  );
}

/** Removes the mark, because the record was not deleted. A failure does not matter: the next change removes it. */
export async function takeMarkBack(run: Run, change: Deletion): Promise<void> {
  try {
    const live = await run.port.read(change.ref);
    if (live?.uid !== change.liveUid || !isBeingReplaced(live.record, run.plan.stack)) return;
    await run.precondition.patch(change.ref, live, { tags: withoutReplacementMark(live.record, live.version) });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
  }
}
