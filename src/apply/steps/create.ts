import type { ToolError } from '../../errors/toolError.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { notCreatedBy } from '../reply/lostReply.ts';
import { takenName } from '../report/races.ts';
import { isCode } from '../run/applyErrors.ts';
import { lose, notBusyYet, type Run, waitWhileBusy } from '../run/run.ts';
import type { Slot } from '../schedule/schedule.ts';
import type { Creation } from '../schedule/tasks.ts';
import { accept } from './accept.ts';

/**
 * Creates a record. If the answer is lost, or the name exists, the live record decides: one with our tags is our own
 * write; otherwise somebody else was faster, and the plan is stale. A creation that replaces a deleted record is
 * retried while the platform is unavailable.
 */
export async function createRecord(run: Run, change: Creation, slot: Slot): Promise<void> {
  const [body, hidden] = [change.create.toSend(), change.create.hiddenTexts()];
  let lost = false; // what is found may be our own
  for (const busy = notBusyYet(run, change.id); ; ) {
    let refused: ToolError;
    try {
      return accept(run, change, await run.port.create(change.ref, body, hidden), {
        body,
        expected: change.expected,
      });
    } catch (error) {
      if (isCode(error, 'api.unavailable') && run.commitments.owes(change.id)) {
        await waitWhileBusy(run, slot, busy, error);
        continue;
      }
      if (!isCode(error, 'api.reply-lost', 'api.conflict')) throw error;
      refused = error;
      lost ||= refused.code === 'api.reply-lost';
    }

    const found = await run.port.read(change.ref);
    if (found !== undefined) return acceptFound(run, change, found, !lost);
    // Not carried out, or the name is still taken by a pending deletion. If the first POST is still in progress, the
    // second one gets 409, and the next round finds the record.
    await waitWhileBusy(run, slot, busy, refused);
  }
}

function acceptFound(run: Run, change: Creation, found: LiveResource, already: boolean): void {
  const moved = notCreatedBy(change, found, run.plan.org, run.replan);
  if (moved !== undefined) throw lose(run, takenName(change, found, run.plan.org), moved);
  accept(run, change, found, undefined, already);
}
