import type { ToolError } from '../../errors.ts';
import type { Body } from '../../manifest/body.ts';
import type { LiveResource } from '../../manifest/snapshot.ts';
import type { Change } from '../../plan/plan.ts';
import { type JsonObject, objectAt, own } from '../../schema/json.ts';
import { movement, StaleError } from '../applyErrors.ts';
import { movedFields } from '../movedFields.ts';
import { unlike } from '../replyCheck.ts';
import { isCode, notBusyYet, type Run, waitWhileBusy } from '../run.ts';
import { isSameWrite } from '../sameWrite.ts';
import type { Slot } from '../schedule.ts';
import { accept } from './accept.ts';

/** The record that a PATCH was computed from. */
interface Pin {
  readonly uid: string;
  readonly version: number;
}

/** How often a patch is taken up again because other fields were written meanwhile (design, section 2). */
const mostReplans = 5;

/** The PATCH of patch, adopt and forget, pinned to the record that the plan was made from. */
export async function patchRecord(run: Run, change: Change, slot: Slot): Promise<void> {
  const { patch, expected, liveUid, liveVersion } = change;
  if (patch === undefined || liveUid === undefined || liveVersion === undefined) {
    throw new Error(`the plan has no pinned patch for ${change.id}`);
  }
  await send(run, change, slot, { body: patch.expose(), expected, pin: { uid: liveUid, version: liveVersion } });
}

/** The second step of a change, pinned to what the first one returned. */
export async function patchAgain(run: Run, change: Change, slot: Slot): Promise<void> {
  const first = run.written.get(change.id);
  if (change.then === undefined || first?.as !== 'stored') throw new Error(`${change.id} has no second step to take`);
  const { uid, version } = first.live;
  await send(run, change, slot, { body: change.then.expose(), expected: change.expectedThen, pin: { uid, version } });
}

interface Write {
  readonly body: JsonObject;
  readonly expected: Body | undefined;
  readonly pin: Pin;
}

async function send(run: Run, change: Change, slot: Slot, planned: Write): Promise<void> {
  let write = planned;
  let replans = 0;
  for (const busy = notBusyYet(run, change.id); ; ) {
    const { body, expected, pin } = write;
    let refused: ToolError;
    try {
      const live = await run.port.patch(change.ref, { ...body, id: pin.uid, version: pin.version });
      return accept(run, change, live, expected);
    } catch (error) {
      if (!isCode(error, 'api.reply-lost', 'api.conflict', 'api.not-found')) throw error;
      refused = error;
    }

    const live = await run.port.read(change.ref);
    if (live === undefined || live.uid !== pin.uid)
      throw new StaleError(change.id, movement(live, pin.uid, pin.version));
    if (live.version === pin.version) {
      if (refused.code === 'api.not-found') throw refused;
      await waitWhileBusy(run, slot, busy, refused); // not carried out; the pin makes a repetition safe
      continue;
    }
    if (landed(run, write, live)) return accept(run, change, live, undefined);

    const again = run.replan?.(change.id, live);
    if (run.replan !== undefined && again === undefined) return accept(run, change, live, undefined);
    const moved = again === undefined ? [] : movedFields(change, again);
    const next = again === undefined || moved.length > 0 ? undefined : sameWrite(change, again, write, live);
    replans += 1;
    if (next === undefined || replans > mostReplans) {
      throw new StaleError(change.id, [movement(live, pin.uid, pin.version), ...moved].join('; '));
    }
    write = next;
  }
}

/** True if the live record is what this write promised: its answer was lost. */
function landed(run: Run, { body, expected }: Write, live: LiveResource): boolean {
  const removed = Object.entries(objectAt(body, 'tags')).filter(([, value]) => value === null);
  const tags = objectAt(live.record, 'tags');
  if (removed.some(([key]) => own(tags, key) !== undefined)) return false;
  return expected !== undefined && unlike(expected.expose(), live, run.plan.org).length === 0;
}

/** The same write for the record as it is now; undefined when it would be another one. */
function sameWrite(change: Change, again: Change, write: Write, live: LiveResource): Write | undefined {
  const body = again.patch?.expose();
  if (body === undefined || !isSameWrite(change, write.body, again)) return undefined;
  return { body, expected: again.expected, pin: { uid: live.uid, version: live.version } };
}
