import type { ToolError } from '../base/toolError.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import { firstVersion } from '../plan/record/version.ts';
import { formatRef } from '../schema/record/ref.ts';
import { accept, acceptAnswer, type Shown } from './accept.ts';
import { isCode, NameSpentError, StaleError } from './applyErrors.ts';
import { isPastThen, notCreatedBy } from './lostReply.ts';
import { takenNameRace } from './races.ts';
import { takeMarkBack } from './remove.ts';
import { delayMs, lose, notBusyYet, pause, type Run, type StepRun, waitWhileBusy } from './run.ts';
import type { Creation, Deletion } from './tasks.ts';

const longestDelayMs = 1_000;

/**
 * Creates a record. If the answer is lost, or the name exists, the live record decides: one with our tags is our own
 * write; otherwise another client was faster, and the plan is stale. An accepted creation is waited for and not sent
 * again. One that replaces a deleted record is retried while the platform is unavailable.
 */
export async function createRecord(run: StepRun, change: Creation): Promise<Shown> {
  const [body, hidden] = [change.create.toSend(), change.create.hiddenTexts()];
  const { expected } = change;
  let lost = false; // the record found may be our own
  for (const busy = notBusyYet(run, change.id); ; ) {
    let refused: ToolError;
    try {
      const created = await run.port.create(change.ref, body, hidden);
      if (created.version !== firstVersion) run.capabilities.learn('version.plus-one', 'otherwise');
      return await acceptAnswer(run, change, created, { body, expected, from: undefined });
    } catch (error) {
      if (isCode(error, 'api.name-spent')) throw nameSpent(run, change, error);
      if (isCode(error, 'api.unavailable') && run.commitments.owes(change.id)) {
        await waitWhileBusy(run, busy, error);
        continue;
      }
      if (isCode(error, 'api.unseen')) {
        run.accepted.add(change.id);
        const found = await waitUntilSeen(run, change, error);
        return acceptAnswer(run, change, found, { body, expected, from: undefined, as: 'read' });
      }
      if (isCode(error, 'api.not-found') && (await isGvcBeingMade(run, change))) {
        run.capabilities.learn('write.at-once', 'otherwise');
        await waitWhileBusy(run, busy, error);
        continue;
      }
      if (!isCode(error, 'api.reply-lost', 'api.conflict')) throw error;
      refused = error;
      lost ||= refused.code === 'api.reply-lost';
    }

    const found = await run.port.read(change.ref);
    if (found !== undefined) {
      if (change.action === 'replace') await refuseUndeleted(run, change, found);
      return acceptFound(run, change, found, !lost);
    }
    // The creation was not carried out, or a pending deletion still has the name. If the first POST is in progress, the
    // second one gets 409, and the next round finds the record.
    try {
      await waitWhileBusy(run, busy, refused);
    } catch (error) {
      if (error === refused && isCode(refused, 'api.conflict')) throw nameSpent(run, change, refused);
      throw error;
    }
  }
}

/** A deletion that was only answered with 404 may have hidden the record for a moment: it is not the created one. */
async function refuseUndeleted(run: Run, change: Creation & Deletion, found: LiveResource): Promise<void> {
  const deleted = run.written.get(change.id);
  if (deleted?.as !== 'deleted' || deleted.uid !== found.uid) return;
  run.written.delete(change.id);
  await takeMarkBack(run, change);
  throw new StaleError(change.id, 'it is still there, although its deletion was answered with 404');
}

function acceptFound(run: Run, change: Creation, found: LiveResource, already: boolean): Shown {
  const moved = notCreatedBy(change, found, run.plan.org, run.replan);
  if (moved !== undefined) throw lose(run, takenNameRace(change, found, run.plan.org), moved);
  if (isPastThen(change, found, run.plan.org)) run.secondSteps.set(change.id, {}); // written by another run
  accept(run, change, found, already ? { already } : {});
  return 'read';
}

/** Waits for the record of a creation that the platform has accepted and carries out in the background. */
async function waitUntilSeen(run: StepRun, { id, ref }: Creation, unseen: ToolError): Promise<LiveResource> {
  run.capabilities.learn('write.at-once', 'otherwise');
  for (let round = 0, waitedMs = 0; ; round += 1) {
    const found = await run.port.read(ref);
    if (found !== undefined) return found;
    if (round === 0) run.emit({ type: 'waiting', id, for: 'the platform to show it' });
    if (waitedMs > run.patience.busyMs) throw unseen;
    const delay = delayMs(round, longestDelayMs, run.random());
    await pause(run, delay);
    waitedMs += delay;
  }
}

/** Whether this run, or its caller before, has written the GVC: the platform may not accept its children yet. */
async function isGvcBeingMade(run: Run, { ref: { gvc } }: Creation): Promise<boolean> {
  if (gvc === undefined) return false;
  const id = formatRef({ kind: 'gvc', name: gvc });
  return run.written.get(id)?.as === 'stored' || run.wroteBefore(id);
}

/**
 * The error on a platform that keeps deleted names forever: after a deletion by this run, the name cannot be created.
 */
function nameSpent(run: Run, { id }: Creation, refused: ToolError): ToolError {
  const deleted = run.written.get(id);
  if (!run.commitments.owes(id) || (deleted?.as === 'deleted' && deleted.denied)) return refused;
  run.capabilities.learn('delete.name-reusable', 'otherwise');
  return new NameSpentError(id, refused);
}
