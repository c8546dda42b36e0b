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
import { DivergenceError, inLowerCase, isCode, tagsNotKept } from './applyErrors.ts';
import { holdsDirectives } from './patchForms.ts';
import type { Unwritten } from './port.ts';
import { unexplained } from './replyCheck.ts';
import { delayMs, pause, type Run, type StepRun } from './run.ts';

/** Records a write, or why there was none. */
export function accept(run: Run, change: Change, live: LiveResource, unwritten: Unwritten = {}): void {
  const tags = objectAt(live.record, 'tags');
  const { stack } = run.plan;
  // Also when another stack has taken it over meanwhile: a hand-over.
  const forgotten =
    change.part === true
      ? own(tags, partTagOf(stack) ?? '') === undefined
      : change.action === 'forget' && own(tags, ownerTag) !== stack;
  run.written.set(change.id, forgotten ? { as: 'forgotten' } : { as: 'stored', live, ...unwritten });
}

/** Shows a write: the answer to it, or a read after it. */
export type Shown = 'answer' | 'read';

interface Answered {
  readonly body: JsonObject;
  readonly expected: Body | undefined;
  /** The version that was written onto; undefined: there was no record. */
  readonly from: number | undefined;
  /** The record that was written onto, where it is known. */
  readonly base?: LiveResource | undefined;
  readonly as?: Shown;
  /** Takes the record after the write. True: another write sets right what differs, so nothing is said of it. */
  readonly repair?: (stored: LiveResource, as: Shown) => boolean;
}

/** Does the record show a write with this body, or a later one? By its version, or by what only this write has left. */
export function isAfter({ body, from, base }: Pick<Answered, 'body' | 'from' | 'base'>, live: LiveResource): boolean {
  if (from === undefined || live.version > from) return true;
  if (base === undefined) return false;
  // A directive that is stored as a field was in a write, and what the mark says may be the same as before.
  const hasStored = holdsDirectives(body) && holdsDirectives(live.record) && !holdsDirectives(base.record);
  return hasStored || (isMarkedBy(body, live) && !isMarkedBy(body, base));
}

/**
 * Records a write by its answer. The first record that differs from the proof of the plan stops the whole run; an
 * answer that does not show the write says nothing, so the record is read before that is said.
 */
export async function acceptAnswer(
  run: StepRun,
  change: Change,
  answer: LiveResource,
  { body, expected, from, base, as: given = 'answer', repair = () => false }: Answered,
): Promise<Shown> {
  const asOf = (live: LiveResource): Shown => (live === answer ? given : 'read');
  const unlikeIn = (live: LiveResource): readonly string[] => {
    if (expected === undefined) return [];
    // The record before the write tells nothing of how the platform stores it.
    const read = () =>
      isAfter({ body, from, base }, live) ? run.replan?.ofAnswer?.(change.id, live, asOf(live)) : undefined;
    // Only a new record carries something over.
    const carries = from === undefined ? change.carries : undefined;
    const { paths, notes } = unexplained({ body, expected, carries }, live, run.plan.org, read);
    for (const note of notes) run.notes.add(note);
    return paths;
  };
  accept(run, change, answer);
  let paths = unlikeIn(answer);
  let last = answer;
  for (let round = 0, waitedMs = 0; paths.length > 0; round += 1) {
    const isShown = isAfter({ body, from, base }, last);
    // A killed run may have left the same directive as a field, so that nothing tells this write from that one.
    const isStored = holdsDirectives(body) && holdsDirectives(last.record);
    if ((isShown || isStored) && repair(last, asOf(last))) break;
    if ((isShown && round > 0) || run.halt.aborted || waitedMs > run.patience.consistencyMs) {
      run.stop(`the platform did not store ${change.id} as expected`);
      const isOfCase = paths.every((path) => isLowered(path, body, last));
      if (isOfCase) run.capabilities.learn('value.tag-case', 'otherwise');
      const isTagless = isSent(body, ownerTag) && !isSent(last.record, ownerTag);
      if (isTagless) run.capabilities.learn('value.tag-keys', 'otherwise');
      throw new DivergenceError(change.id, paths, isOfCase ? inLowerCase : isTagless ? tagsNotKept : undefined);
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
  if (from !== undefined && last.version <= from && isMarkedBy(body, last)) {
    for (const id of ['version.rises', 'version.plus-one'] as const) run.capabilities.learn(id, 'otherwise');
  }
  return asOf(last);
}

/** Does the record have a mark of this write, which names a later version than the record does? */
function isMarkedBy(body: JsonObject, { record, version }: LiveResource): boolean {
  const tags = objectAt(record, 'tags');
  return Object.entries(objectAt(body, 'tags')).some(
    ([key, text]) => key.startsWith(appliedTag) && own(tags, key) === text && versionOfMark(String(text)) > version,
  );
}

function isSent(record: JsonObject, tag: string): boolean {
  return own(objectAt(record, 'tags'), tag) !== undefined;
}

/** Is it a tag that was written with capital letters, and that the record has in lower case? */
function isLowered(path: string, body: JsonObject, { record }: LiveResource): boolean {
  const tags = objectAt(record, 'tags');
  return Object.keys(objectAt(body, 'tags')).some((key) => {
    const lower = key.toLowerCase();
    return path === `tags.${quoted(key)}` && lower !== key && own(tags, lower) !== undefined;
  });
}

/**
 * A second write to a record that the platform has stored in its own way: the mark says from then on which record it is,
 * and what it holds. Without that, a later plan could not tell what the platform filled in from what somebody declared
 * who wrote the record after us, or created it again with our tags. Nothing depends on it now, so a refusal is no error.
 */
export async function markStored(run: Run, change: Change, as: Shown | undefined): Promise<void> {
  if (as === undefined) return; // what the record holds may be somebody else's
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
    // What was just made may not take a PATCH yet, and the platform may raise a version by itself.
    if ((stored !== 'again' && now.version === version) || !isUnmoved(at, now, run.plan.org)) return;
    at = now;
  }
}

const mostMarks = 3;

/** May the same write pass after this refusal? */
function refusalOf(error: unknown): 'again' | 'refused' {
  if (!(error instanceof ToolError)) throw error;
  return isCode(error, 'api.not-found', 'api.conflict', 'api.reply-lost', 'api.unseen') ? 'again' : 'refused';
}

/**
 * Will its version say that nobody has written the record since? Only where the platform says so of its versions: it may
 * raise one by itself after this run. The mark of a creation names no record.
 */
function isToldByVersion({ record, version }: LiveResource, capabilities: Capabilities): boolean {
  const mark = stringAt(objectAt(record, 'tags'), appliedTag) ?? '';
  const isOfRecord = readApplied(mark)?.writtenTo !== undefined;
  return isOfRecord && versionOfMark(mark) === version && versionsTell(capabilities);
}

const longestDelayMs = 1_000;

/** The write itself has succeeded: that it cannot be looked at is no failure of it. */
function readIfPossible({ port }: Run, ref: Change['ref']): Promise<LiveResource | undefined> {
  return unlessToolError(() => port.read(ref));
}
