import { compact } from '../base/json/present.ts';
import { firstOf } from '../base/text/firstOf.ts';
import { ToolError, unlessToolError } from '../base/toolError.ts';
import { stillInUse } from '../kinds/kindFacts.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import { type RequestBody, requestBody } from '../manifest/model/body.ts';
import { ownerOf } from '../manifest/model/ownTags.ts';
import { dataIn } from '../plan/model/dataLoss.ts';
import { isBeingReplaced, replacementMark, withoutReplacementMark } from '../plan/record/replacementMark.ts';
import { isUnmoved, isUnmovedButTags, isUnwritten } from '../plan/record/savedRecord.ts';
import { versionAfter, versionsTell } from '../plan/record/version.ts';
import { isContainer } from '../schema/record/kinds.ts';
import type { BodyProblem } from '../schema/record/problem.ts';
import { isProtected } from '../schema/record/protection.ts';
import type { Ref, ResourceId } from '../schema/record/ref.ts';
import {
  CreationRefusedError,
  Interrupted,
  InUseError,
  isCode,
  movement,
  NameSpentError,
  NotEmptyError,
  StaleError,
  TimeoutError,
  UnmarkedError,
} from './applyErrors.ts';
import type { DeleteAnswer } from './port.ts';
import { goneRace, lostRace } from './races.ts';
import { defaultPatience, delayMs, lose, notBusyYet, pause, type Run, type StepRun, waitWhileBusy } from './run.ts';
import type { Deletion } from './tasks.ts';

const pollCapMs = 2_000;
/** Between repetitions of a DELETE that is answered with 404. */
export const repeatCapMs = 10_000;
export const deniedThere = 'DELETE is answered with 404, but the record is still shown';

/**
 * Deletes a record and waits until it no longer exists.
 *
 * DELETE has no precondition, so the record is read directly before it and before each retry: it must be the pinned
 * one, ours, and unchanged; a GVC must contain only what was approved. The wait ends when the name is free or belongs
 * to another record, not when the deletion was accepted.
 */
export async function removeRecord(run: StepRun, change: Deletion): Promise<void> {
  const live = await waitUntilReleased(run, change);
  if (live === undefined) {
    run.commitments.begin(change.id);
  } else {
    const isReplaced = run.commitments.successorOf(change.id) !== undefined;
    const answer = await (isReplaced ? deleteToReplace(run, change, live) : sendDelete(run, change));
    await waitUntilGone(run, change, answer);
  }
  const isDenied = live === undefined || (run.denied.has(change.id) && !run.accepted.has(change.id));
  run.written.set(change.id, { as: 'deleted', uid: change.liveUid, ...(isDenied ? { denied: true } : {}) });
  run.commitments.noteDeleted(change.id);
}

/** Deletions of which the platform has confirmed none. */
export function notesOnDenied(written: Run['written']): readonly string[] {
  const denied = [...written].flatMap(([id, how]) => (how.as === 'deleted' && how.denied === true ? [id] : []));
  if (denied.length === 0) return [];
  return [
    `this run did not delete ${firstOf(denied.toSorted(), mostDenied)}: the platform answered 404. ` +
      'Another client has deleted it, or this token can no longer view it.',
  ];
}

const mostDenied = 5;

/**
 * Deletes a record that is created again. Nothing is deleted once the run is stopped; after `begin`, the creation runs
 * even if the run is stopped.
 */
async function deleteToReplace(run: StepRun, change: Deletion, live: LiveResource): Promise<DeleteAnswer> {
  if (run.halt.aborted) throw new Interrupted();
  if (isNameSpent(run, change.id)) throw new NameSpentError(change.id);
  const chain = run.commitments.chainAfter(change.id);
  try {
    await tryOnce(run, change, async () => live);
    for (const each of chain) await tryAhead(run, each, [change, ...chain]);
    await run.mayWrite();
    if (run.halt.aborted) throw new Interrupted();
    run.commitments.begin(change.id);
    for (const each of chain) await markAhead(run, each);
    const marked = await mark(run, change, live);
    if (marked === undefined) return 'not-found';
    const data = unapprovedData([marked], change.losesData);
    if (data !== undefined) throw new StaleError(change.id, data);
    return await sendDelete(run, change);
  } catch (error) {
    for (const each of [change, ...chain]) await takeMarkBack(run, each);
    throw error;
  }
}

/**
 * Tries the creation of a replacement before anything of its chain is deleted, because the deleted records cannot be
 * created again without it. A creation that waits for something in between is tried before its own deletion.
 */
async function tryAhead(run: StepRun, change: Deletion, chain: readonly Deletion[]): Promise<void> {
  const [first] = chain;
  if (first === undefined || !run.commitments.isReadyBefore(first.id, change.id)) return;
  await tryOnce(run, change, () => markable(run, change), chain);
}

/** `chain`: records that are deleted before the creation, and that still exist when it is tried. */
async function tryOnce(
  run: Run,
  change: Deletion,
  look: () => Promise<LiveResource | undefined>,
  chain: readonly Deletion[] = [],
): Promise<void> {
  const trying = run.tries.get(change.id) ?? tryCreation(run, change, look, chain);
  run.tries.set(change.id, trying);
  await trying;
}

/**
 * Marks a record of the chain of the one that is to be deleted, before anything of the chain is deleted: if the platform
 * refused the mark later, the deleted record could not be created again.
 */
async function markAhead(run: StepRun, change: Deletion): Promise<void> {
  const marking = run.marks.get(change.id);
  if (marking !== undefined) return void (await marking);
  const live = await markable(run, change);
  if (live !== undefined) await mark(run, change, live);
}

async function markable(run: Run, change: Deletion): Promise<LiveResource | undefined> {
  return run.planned(change.id) ?? (await readDeletable(run, change, 'again'));
}

async function mark(run: StepRun, change: Deletion, live: LiveResource): Promise<LiveResource | undefined> {
  const marking = markReplaced(run, change, live, () => readDeletable(run, change, 'again'));
  run.marks.set(change.id, marking);
  const marked = await marking;
  if (marked !== undefined) run.marked.set(change.id, marked);
  return marked;
}

/** Whether its replacement has the same name, and this platform does not allow that name again. */
function isNameSpent({ capabilities, commitments }: Run, id: ResourceId): boolean {
  return capabilities.isOtherwise('delete.name-reusable') && commitments.successorOf(id) === id;
}

/**
 * Waits while records that this plan has unlinked are still in use. A remaining referrer makes the platform refuse the
 * deletion. Returns undefined if there is nothing left to delete.
 */
async function waitUntilReleased(run: StepRun, change: Deletion): Promise<LiveResource | undefined> {
  const waits = isReleased(change);
  const since = run.clock.now();
  for (let round = 0; ; round += 1) {
    const live = await readDeletable(run, change, 'first');
    if (live === undefined) return undefined;
    const inUse = waits ? stillInUse(change.kind, live.record) : undefined;
    if (inUse === undefined || run.clock.now() - since > run.patience.busyMs) return live;
    if (round === 0) run.emit({ type: 'waiting', id: change.id, for: inUse });
    await pause(run, delayMs(round, pollCapMs, run.random()));
  }
}

/** Whether referrers were changed or deleted first: the platform may need a while until it allows the deletion. */
function isReleased({ deleteRequires, requires }: Deletion): boolean {
  return (deleteRequires ?? requires).length > 0;
}

async function sendDelete(run: StepRun, change: Deletion): Promise<DeleteAnswer> {
  const { capabilities } = run;
  for (const busy = notBusyYet(run, change.id); ; ) {
    const isEmptiedFirst = isContainer(change.kind) && capabilities.isOtherwise('delete.cascade');
    if (isEmptiedFirst && (await empty(run, change)) === undefined) return 'not-found';
    try {
      const isStillNeeded = async () => (await readDeletable(run, change, 'again')) !== undefined;
      const answer = await run.port.delete(change.ref, isStillNeeded);
      if (answer === 'accepted') run.accepted.add(change.id);
      else if (busy.round === 0) run.denied.add(change.id); // later it may be our own deletion
      return answer;
    } catch (error) {
      // A record that is only busy answers 409 too, for a moment.
      const mayBeFull = isCode(error, 'api.invalid') || (isCode(error, 'api.conflict') && busy.round > 0);
      if (isContainer(change.kind) && mayBeFull && (await isFull(run, change))) {
        capabilities.learn('delete.cascade', 'otherwise');
        continue;
      }
      if (!isCode(error, 'api.conflict', 'api.reply-lost')) throw error;
      const { busyMs, consistencyMs } = run.patience;
      const isInUse = isCode(error, 'api.conflict') && !isReleased(change);
      await waitWhileBusy(run, busy, error, isInUse ? consistencyMs : busyMs).catch((last: unknown) => {
        throw isCode(last, 'api.conflict') ? new InUseError(change.id, last) : last;
      });
    }
    if ((await readDeletable(run, change, 'again')) === undefined) return 'not-found';
  }
}

/** Whether it contains something that this run has not tried to delete first. */
async function isFull({ capabilities, port }: Run, { name, ref }: Deletion): Promise<boolean> {
  if (capabilities.isOtherwise('delete.cascade')) return false;
  const live = await port.read(ref);
  if (live === undefined || isProtected(live.record)) return false; // the refusal has another cause

  return ((await childrenOf({ port }, name)) ?? []).length > 0;
}

/**
 * Deletes the content of a GVC on a platform that does not cascade: only what the plan deletes, which is checked again
 * directly before. A record that is still referenced is refused at first, and deleted in a later round. Records of
 * others are not deleted individually, although the plan approved their deletion with the GVC. Returns undefined if
 * there is nothing left to delete: another GVC may have the name by then.
 */
async function empty(run: StepRun, change: Deletion): Promise<LiveResource | undefined> {
  for (const busy = notBusyYet(run, change.id); ; ) {
    const live = await readDeletable(run, change, 'again');
    const children = live && (await childrenOf(run, change.name));
    if (children === undefined) return undefined;
    if (children.length === 0) return live;
    checkChildren(run, change, children);
    const strangers = children.filter(({ record }) => ownerOf(record) !== run.plan.stack).map(({ id }) => id);
    if (strangers.length > 0) throw new NotEmptyError(change.id, strangers);
    run.emit({ type: 'waiting', id: change.id, for: `its content to be deleted first: ${children.length} left` });
    const deletions = children.map((child) => deleteChild(run, child));
    await Promise.allSettled(deletions); // the verification has to know all that was deleted
    const refused = (await Promise.all(deletions)).filter((answer) => answer instanceof ToolError);
    const error = refused[0];
    if (error !== undefined && refused.length === children.length && !isCode(error, 'api.conflict')) throw error;
    await waitWhileBusy(run, busy, error ?? stillThere(change.id));
  }
}

function stillThere(id: ResourceId): ToolError {
  return new TimeoutError(id, 'empty', defaultPatience.busyMs);
}

async function deleteChild(run: Run, { id, ref, uid }: LiveResource): Promise<DeleteAnswer | ToolError> {
  try {
    const answer = await run.port.delete(ref);
    if (answer === 'accepted') run.written.set(id, { as: 'deleted', uid });
    return answer;
  } catch (error) {
    if (isCode(error, 'api.conflict', 'api.invalid', 'api.reply-lost')) return error;
    throw error;
  }
}

/** Undefined if there is nothing left to delete. Throws if the record is not the approved one. */
async function readDeletable(run: Run, change: Deletion, time: 'first' | 'again'): Promise<LiveResource | undefined> {
  const { liveUid, liveVersion, ref } = change;
  // In parallel: only changes within one round trip before the DELETE can be missed.
  const [live, children] = await Promise.all([
    run.port.read(ref),
    isContainer(ref.kind) ? childrenOf(run, change.name) : undefined,
  ]);
  if (live === undefined) return undefined;
  if (live.uid !== liveUid && time === 'again') return undefined; // ours is deleted; another has its name
  if (live.uid !== liveUid || !isAsPlanned(run, change, live)) {
    const meeting = { change, promised: undefined, from: liveVersion, org: run.plan.org };
    const race =
      live.uid === liveUid ? lostRace(meeting, live) : goneRace(change, { uid: liveUid, version: liveVersion });
    throw lose(run, race, movement(live, liveUid, liveVersion));
  }
  if (change.action === 'delete' && ownerOf(live.record) !== run.plan.stack) {
    throw new StaleError(change.id, 'it does not belong to this stack');
  }
  const data = unapprovedData([live], change.losesData);
  if (data !== undefined) throw new StaleError(change.id, data);
  if (!isContainer(ref.kind)) return live;
  if (children === undefined) return undefined;
  checkChildren(run, change, children);
  return live;
}

/** Whether nothing was written since, except the mark for replacement. Compares the content if it is known. */
function isAsPlanned(run: Run, { id, liveVersion }: Deletion, live: LiveResource): boolean {
  const { plan, capabilities } = run;
  const [before, marked] = [run.planned(id), run.marked.get(id)];
  const isFrom = (version: number | undefined, known: LiveResource | undefined) =>
    isUnwritten({ version, live: known }, live, { org: plan.org, capabilities }) ||
    (known !== undefined && isUnmoved(known, live, plan.org));
  if (isFrom(liveVersion, before) || (marked !== undefined && isFrom(marked.version, marked))) return true;
  return live.version === versionAfter(liveVersion) && isBeingReplaced(live.record, plan.stack);
}

/**
 * A GVC is deleted with its content, which must be only the records that the plan showed, compared by id, not only by
 * name.
 */
function checkChildren({ plan }: Run, change: Deletion, children: readonly LiveResource[]): void {
  const deletions = plan.changes.filter((other) => other.action === 'delete');
  const going = new Map(deletions.map(({ id, liveUid }) => [id, liveUid]));
  // For records of other owners, the plan knows only the names.
  const strangers = new Set(change.cascadesTo.filter((id) => !going.has(id)));
  const surprises = children.filter(({ id, uid }) => going.get(id) !== uid && !strangers.has(id));
  if (surprises.length > 0) {
    const names = surprises.map(({ id }) => (going.has(id) ? `another ${id}` : id)).sort();
    throw new StaleError(change.id, `it now contains ${names.join(', ')}, which would be deleted with it`);
  }
  const released = children.filter(({ id, record }) => going.has(id) && ownerOf(record) !== plan.stack);
  if (released.length > 0) {
    const others = released.map(({ id }) => id).sort();
    throw new StaleError(
      change.id,
      `${others.join(', ')} would be deleted with it, and no longer belongs to this stack`,
    );
  }
  const data = unapprovedData(
    children,
    deletions.flatMap(({ losesData = [] }) => losesData),
  );
  if (data !== undefined) throw new StaleError(change.id, data);
}

/** Undefined if the GVC no longer exists. */
export async function childrenOf(
  { port }: Pick<Run, 'port'>,
  gvc: string,
): Promise<readonly LiveResource[] | undefined> {
  try {
    return await port.children(gvc);
  } catch (error) {
    if (!isCode(error, 'api.not-found')) throw error;
    if ((await port.read({ kind: 'gvc', name: gvc })) !== undefined) throw error;
    return undefined;
  }
}

/**
 * Waits until reads no longer show the record. After a 404 that reads contradict, the DELETE is sent again: the 404 is
 * the answer to a second DELETE while the first one is still carried out, or it came from something in between.
 */
async function waitUntilGone(run: StepRun, change: Deletion, answered: DeleteAnswer): Promise<void> {
  const since = run.clock.now();
  let answer = answered;
  for (let round = 0; ; round += 1) {
    const live = await run.port.read(change.ref);
    if (live?.uid !== change.liveUid) return;
    const because = answer === 'not-found' ? deniedThere : undefined;
    if (round === 0) run.emit({ type: 'waiting', id: change.id, for: 'the deletion to end' });
    if (run.clock.now() - since > run.patience.deletionMs) {
      throw new TimeoutError(change.id, 'gone', run.patience.deletionMs, because);
    }
    const delay = delayMs(round, because === undefined ? pollCapMs : repeatCapMs, run.random());
    if (because !== undefined) run.emit({ type: 'retrying', id: change.id, because, delayMs: delay });
    await pause(run, delay);
    if (because === undefined) continue;
    if ((await readDeletable(run, change, 'again')) === undefined) return;
    answer = await sendDelete(run, change);
  }
}

/** Errors that mean that the mark cannot be written: the record is then deleted only if that loses nothing. */
const impossible = ['api.invalid', 'api.forbidden', 'api.method', 'api.quota', 'api.bad-reply'] as const;

/**
 * Marks the record as about to be replaced, so that the next run recognises it if this one dies before the creation.
 * Returns the record to delete; undefined if it no longer exists. `look` reads it again, and throws if it is not the
 * approved one.
 */
async function markReplaced(
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
      // Another client wrote between the pinned version and this one, so look() throws. Or the answer does not show the
      // mark.
      if (isMarked) run.precondition.noteIgnored();
      else refused = unseen(change.id);
    } catch (error) {
      if (isCode(error, ...impossible)) {
        now = await look(); // the refused PATCH checked no version, and DELETE checks none
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

/** The note on a deletion without a mark. Throws if such a deletion is not permitted. */
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
  if (!run.marks.delete(change.id)) return;
  await unlessToolError(async () => {
    const live = await run.port.read(change.ref);
    if (live?.uid !== change.liveUid || !isBeingReplaced(live.record, run.plan.stack)) return;
    await run.precondition.patch(change.ref, live, { tags: withoutReplacementMark(live.record, live.version) });
  });
}

/**
 * Tries a creation by a dry run before the record that it replaces is deleted. If the platform refuses the body,
 * `apply.creation-refused` is thrown, and the old record stays.
 *
 * The dry run uses another name, because under the real name the body would be judged as an update of the old record.
 * It must never stop a replacement that would succeed. So problems that may be caused by the old record or its chain
 * alone are ignored: those that name one of them, and those that a copy of the old record also has. Any answer other
 * than a list of problems (quota, permission, none) says nothing about the body.
 */
async function tryCreation(
  run: Run,
  deleted: Deletion,
  look: () => Promise<LiveResource | undefined>,
  chain: readonly Deletion[],
): Promise<void> {
  const created = run.tried.get(deleted.id);
  if (created?.create === undefined) return;
  const ref = { ...created.ref, name: trialName(created.name) };
  const [body, hidden] = [created.create.toSend(), created.create.hiddenTexts()];

  const found = (await unlessToolError(() => problemsOf(run, ref, body, hidden))) ?? [];
  const names = [created, deleted, ...chain].map(({ name }) => name);
  const suspected = found.filter(({ message }) => !namesOneOf(names, message));
  if (suspected.length === 0) return;

  const ofCopy = await unlessToolError(async () => {
    const live = await look();
    return live && (await problemsOf(run, ref, requestBody(live.record), hidden));
  });
  if (ofCopy === undefined) return;
  const messages = new Set(ofCopy.map(({ message }) => message));
  const proven = suspected.filter(({ message }) => !messages.has(message));
  if (proven.length > 0 && (await isFree(run, ref))) throw new CreationRefusedError(created.id, deleted.id, proven);
}

function problemsOf(
  { port }: Run,
  ref: Ref,
  body: RequestBody,
  hidden: readonly string[],
): Promise<readonly BodyProblem[]> {
  return port.tryCreate(ref, { ...body, name: ref.name }, hidden);
}

/** If a record has the name, the body was judged as an update of it. */
async function isFree({ port }: Run, ref: Ref): Promise<boolean> {
  return (await unlessToolError(async () => ((await port.read(ref)) === undefined ? 'free' : 'taken'))) === 'free';
}

/** The longest name that all kinds allow has 49 characters. */
const longestStem = 40;

/** A name that is valid wherever the original one is. */
export function trialName(name: string): string {
  return `${name.slice(0, longestStem)}-dry-run`;
}

/** Whether the text contains one of the names, other than as part of a longer one. */
function namesOneOf(names: readonly string[], text: string): boolean {
  const words = new Set(text.split(/[^a-z0-9-]/));
  return names.some((name) => words.has(name));
}

/**
 * Data of these records that would be lost without approval, in words. A volume set gains data without a new version,
 * so a pin does not notice it. `approved`: records whose data was shown (`Change.losesData`).
 */
export function unapprovedData(records: readonly LiveResource[], approved?: readonly ResourceId[]): string | undefined {
  const found = compact(records, ({ id, ref, record }) => {
    const data = approved?.includes(id) ? undefined : dataIn(ref.kind, record);
    return data === undefined ? undefined : `the data of ${id} would be lost, which was not shown: ${data}`;
  });
  return found.length === 0 ? undefined : found.sort().join('; ');
}
