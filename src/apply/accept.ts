import { type JsonObject, objectAt, own, stringAt } from '../base/json/json.ts';
import { ToolError, unlessToolError } from '../base/toolError.ts';
import { type Capabilities, storedValues } from '../capabilities/capabilities.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import type { Body } from '../manifest/model/body.ts';
import { appliedTag, ownerTag, partTagOf } from '../manifest/model/ownTags.ts';
import type { Change } from '../plan/model/change.ts';
import { readApplied } from '../plan/record/ownership.ts';
import { isUnmoved } from '../plan/record/savedRecord.ts';
import { atVersion, versionAfter, versionOfMark, versionsTell } from '../plan/record/version.ts';
import { quoted } from '../schema/shape/paths.ts';
import { DivergenceError, isCode, tagsInLowerCase, tagsNotKept } from './applyErrors.ts';
import { holdsDirectives } from './patchForms.ts';
import type { Unwritten } from './port.ts';
import { unexplained } from './replyCheck.ts';
import { delayMs, pause, type Run, type StepRun } from './run.ts';

/** Records the state after a write, or why no write was needed. */
export function accept(run: Run, change: Change, live: LiveResource, unwritten: Unwritten = {}): void {
  const tags = objectAt(live.record, 'tags');
  const { stack } = run.plan;
  // Also if another stack has taken the record over in the meantime (a hand-over).
  const forgotten =
    change.part === true
      ? own(tags, partTagOf(stack) ?? '') === undefined
      : change.action === 'forget' && own(tags, ownerTag) !== stack;
  run.written.set(change.id, forgotten ? { as: 'forgotten' } : { as: 'stored', live, ...unwritten });
}

/** The source of a record: the answer to the write, or a later read. */
export type Shown = 'answer' | 'read';

interface Answered {
  readonly body: JsonObject;
  readonly expected: Body | undefined;
  /** The version that the write replaced; undefined if there was no record. */
  readonly from: number | undefined;
  /** The record that the write replaced, if known. */
  readonly base?: LiveResource | undefined;
  readonly as?: Shown;
  /**
   * Called with the record after the write. True if another write corrects the difference, which is then not reported.
   */
  readonly repair?: (stored: LiveResource, as: Shown) => boolean;
}

/**
 * Whether the record shows a write with this body, or a later one: by its version, or by what only this write leaves.
 */
export function isAfter({ body, from, base }: Pick<Answered, 'body' | 'from' | 'base'>, live: LiveResource): boolean {
  if (from === undefined || live.version > from) return true;
  if (base === undefined) return false;
  // The platform stored a directive of this write as a field, or removed one. The mark may be the same as before it.
  const isOfDirective = holdsDirectives(body) && holdsDirectives(live.record) !== holdsDirectives(base.record);
  return isOfDirective || (isMarkedBy(body, live) && !isMarkedBy(body, base));
}

/**
 * Records a write by its answer. The first record that differs from the proof of the plan stops the whole run. An
 * answer that does not show the write proves nothing, so the record is read again first.
 */
export async function acceptAnswer(
  run: StepRun,
  change: Change,
  answer: LiveResource,
  { body, expected, from, base, as: readFrom = 'answer', repair = () => false }: Answered,
): Promise<Shown> {
  const asOf = (live: LiveResource): Shown => (live === answer ? readFrom : 'read');
  const unlikeIn = (live: LiveResource): readonly string[] => {
    if (expected === undefined) return [];
    // The record before the write does not show how the platform stores it.
    const read = () =>
      isAfter({ body, from, base }, live) ? run.replan?.ofAnswer?.(change.id, live, asOf(live)) : undefined;
    const { paths, notes } = unexplained({ body, expected, carries: change.carries }, live, run.plan.org, read);
    for (const note of notes) run.notes.add(note);
    return paths;
  };
  accept(run, change, answer);
  let paths = unlikeIn(answer);
  let last = answer;
  for (let round = 0, waitedMs = 0; paths.length > 0; round += 1) {
    const isShown = isAfter({ body, from, base }, last);
    // A killed run may have left the same directive as a field, which makes the two writes indistinguishable.
    const isStored = holdsDirectives(body) && holdsDirectives(last.record);
    if ((isShown || isStored) && repair(last, asOf(last))) break;
    if ((isShown && round > 0) || run.halt.aborted || waitedMs > run.patience.consistencyMs) {
      run.stop(`the platform did not store ${change.id} as expected`);
      const isOfCase = paths.every((path) => isLowered(path, body, last));
      if (isOfCase) run.capabilities.learn('value.tag-case', 'otherwise');
      const isTagless = isSent(body, ownerTag) && !isSent(last.record, ownerTag);
      if (isTagless) run.capabilities.learn('value.tag-keys', 'otherwise');
      throw new DivergenceError(change.id, paths, isOfCase ? tagsInLowerCase : isTagless ? tagsNotKept : undefined);
    }
    if (round > 0) {
      const delay = delayMs(round, longestDelayMs, run.random());
      await pause(run, delay);
      waitedMs += delay;
    }
    last = (await readIfPossible(run, change.ref)) ?? last;
    paths = unlikeIn(last);
  }
  if (last !== answer) {
    run.capabilities.learn('write.answer', 'otherwise');
    accept(run, change, last);
  }
  if (paths.length === 0) repair(last, asOf(last));
  if (from !== undefined && isMarkedBy(body, last)) {
    for (const id of ['version.rises', 'version.plus-one'] as const) run.capabilities.learn(id, 'otherwise');
  }
  return asOf(last);
}

/** Whether the record has the mark of this write, and that mark names a later version than the record's. */
function isMarkedBy(body: JsonObject, { record, version }: LiveResource): boolean {
  const tags = objectAt(record, 'tags');
  return Object.entries(objectAt(body, 'tags')).some(
    ([key, text]) => key.startsWith(appliedTag) && own(tags, key) === text && versionOfMark(String(text)) > version,
  );
}

function isSent(record: JsonObject, tag: string): boolean {
  return own(objectAt(record, 'tags'), tag) !== undefined;
}

/** Whether the tag was written with capital letters and the record has it in lower case. */
function isLowered(path: string, body: JsonObject, { record }: LiveResource): boolean {
  const tags = objectAt(record, 'tags');
  return Object.keys(objectAt(body, 'tags')).some((key) => {
    const lower = key.toLowerCase();
    return path === `tags.${quoted(key)}` && lower !== key && own(tags, lower) !== undefined;
  });
}

/**
 * Writes the mark again after the platform stored a record in its own way: the mark then names the record and its
 * content. Otherwise, a later plan could not distinguish values that the platform filled in from those of a later
 * writer, or of a record created again with our tags. Nothing depends on it yet, so a refusal is not an error.
 */
export async function markStored(run: Run, change: Change, as: Shown | undefined): Promise<void> {
  if (as === undefined) return; // another writer's content
  const { id, ref } = change;
  const { written, capabilities, replan, precondition, halt, notes } = run;
  const made = written.get(id);
  if (made?.as !== 'stored' || halt.aborted || storedValues.every((each) => capabilities.of(each) === 'holds')) return;
  const { live } = made;
  if (isToldByVersion(live, capabilities)) return;
  const reading = replan?.ofAnswer?.(id, live, as);
  for (const note of reading?.notes ?? []) notes.add(note);
  if (reading?.mark === undefined) return;
  let at = live;
  for (let round = 0; round < mostMarks; round += 1) {
    const { uid, version } = at;
    const mark = atVersion(reading.mark, versionAfter(version));
    const isMarked = ({ record }: LiveResource): boolean => own(objectAt(record, 'tags'), appliedTag) === mark;
    const sent = precondition.patch(ref, { uid, version }, { tags: { [appliedTag]: mark } });
    const stored = await sent.catch((error: unknown) => refusalOf(error));
    if (stored === 'refused') return;
    const now = typeof stored === 'object' && isMarked(stored) ? stored : await readIfPossible(run, ref);
    if (now === undefined || now.uid !== uid) return;
    if (isMarked(now)) return accept(run, change, now);
    // A new record may not accept a PATCH yet, and the platform may raise a version by itself.
    if ((stored !== 'again' && now.version === version) || !isUnmoved(at, now, run.plan.org)) return;
    at = now;
  }
}

const mostMarks = 3;

/** Whether the same write may succeed after this refusal. */
function refusalOf(error: unknown): 'again' | 'refused' {
  if (!(error instanceof ToolError)) throw error;
  return isCode(error, 'api.not-found', 'api.conflict', 'api.reply-lost', 'api.unseen') ? 'again' : 'refused';
}

/**
 * Whether the version will prove that nothing has written the record since. Only on platforms whose versions rise with
 * writes alone, because this one may rise after the run. The mark of a creation names no record.
 */
function isToldByVersion({ record, version }: LiveResource, capabilities: Capabilities): boolean {
  const mark = stringAt(objectAt(record, 'tags'), appliedTag) ?? '';
  const isOfRecord = readApplied(mark)?.writtenTo !== undefined;
  return isOfRecord && versionOfMark(mark) === version && versionsTell(capabilities);
}

const longestDelayMs = 1_000;

/** Undefined on an error: the write itself has succeeded, so a failed read is no failure of it. */
function readIfPossible({ port }: Run, ref: Change['ref']): Promise<LiveResource | undefined> {
  return unlessToolError(() => port.read(ref));
}
