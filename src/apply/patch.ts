import { objectAt, sameJson } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import { valueThere } from '../base/json/valuesAt.ts';
import { type ToolError, unlessToolError } from '../base/toolError.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import { type Body, type RequestBody, requestBody } from '../manifest/model/body.ts';
import { appliedTag, ownerOf, partTagOf } from '../manifest/model/ownTags.ts';
import { affectedChildren } from '../plan/consequences/cascade.ts';
import type { Change } from '../plan/model/change.ts';
import { withTags } from '../plan/record/bodyTags.ts';
import { nameOfLoss } from '../plan/record/gvcLosses.ts';
import { patternOf } from '../plan/record/platformValues.ts';
import { isUnmoved, isUnwritten, movedSince } from '../plan/record/savedRecord.ts';
import { tagsAtVersion, versionAfter, versionBefore, versionsTell } from '../plan/record/version.ts';
import { holdsSensitive } from '../schema/shape/anywhere.ts';
import { matchPath, pointerTo, shapeAt, touches } from '../schema/shape/paths.ts';
import { accept, acceptAnswer, type Shown } from './accept.ts';
import { isCode, movement, StaleError } from './applyErrors.ts';
import { hasLanded, hasMarkOf, isLastMark, type PlannedPatch } from './lostReply.ts';
import {
  directivesIn,
  formOf,
  holdsDirectives,
  isInUnknownForm,
  joinedLists,
  plainOf,
  withClaimsOf,
  withDrops,
  withoutDirectives,
} from './patchForms.ts';
import { changedFields, goneRace, lostRace, type Pin, unsureRace, wonRace } from './races.ts';
import { childrenOf } from './remove.ts';
import { unexplained, withoutOwnWays } from './replyCheck.ts';
import { lose, notBusyYet, type Run, type StepRun, waitWhileBusy } from './run.ts';
import { isSameWrite, movedFields } from './sameWrite.ts';
import type { TwoSteps, Update } from './tasks.ts';

/** How often a patch is planned again because other fields were written in the meantime. */
const mostReplans = 5;

/** The PATCH of the actions patch, adopt and forget, pinned to the planned version. */
export async function patchRecord(run: StepRun, change: Update): Promise<Shown | undefined> {
  const { patch, expected, liveUid, liveVersion } = change;
  const pin = { uid: liveUid, version: liveVersion };
  const planned = { ...toSend(patch), expected, pin, base: run.planned(change.id) };
  return send(run, change, planned, () => checkVictims(run, change));
}

/** The second step of a change, pinned to what the first one returned. */
export async function patchAgain(run: StepRun, change: TwoSteps): Promise<Shown | undefined> {
  const first = run.written.get(change.id);
  if (first?.as !== 'stored') throw new Error(`${change.id} has no first step that the second one can follow`);
  const { live } = first;
  const { then, expectedThen } = run.secondSteps.get(change.id) ?? change;
  if (then === undefined) return 'read'; // another client has written it since
  return send(run, change, writeOnto(live, then, expectedThen));
}

function toSend(patch: Body): Pick<Write, 'body' | 'hidden'> {
  return { body: patch.toSend(), hidden: patch.hiddenTexts() };
}

/** The planned write, for the record as it is here. */
function writeOnto(live: LiveResource, patch: Body, expected: Body | undefined): Write {
  return { ...toSend(patch), expected, pin: live, base: live };
}

interface Write extends PlannedPatch {
  readonly body: RequestBody;
  readonly pin: Pin;
  /** The record that the write was computed from; undefined if it is not known here. */
  readonly base: LiveResource | undefined;
}

/** The write for this pin: its mark names the version that it produces. */
function pinnedTo(run: Run, change: Change, write: Write, { uid, version: onto }: Pin): Write {
  const pin = { uid, version: onto };
  const key = change.part === true ? (partTagOf(run.plan.stack) ?? '') : appliedTag;
  const version = versionAfter(pin.version);
  const before = objectAt(write.body, 'tags');
  const { liveVersion: planned = 0 } = change.patch === undefined ? {} : change;
  const tags = tagsAtVersion(before, key, version, planned);
  if (tags === before) return { ...write, pin };
  const expected = write.expected && withTags(write.expected, (marks) => tagsAtVersion(marks, key, version, planned));
  return { ...write, body: { ...write.body, tags }, expected, pin };
}

/**
 * `check` is called directly before each attempt; it throws if nothing may be sent. Returns undefined if the write was
 * carried out and another client may have written since.
 */
async function send(run: StepRun, change: Change, planned: Write, check = nothingToCheck): Promise<Shown | undefined> {
  let meeting = { change, promised: planned.expected, from: planned.pin.version, org: run.plan.org };
  let write = pinnedTo(run, change, planned, planned.pin);
  let replans = 0;
  let lost = false; // the record found may be our own
  let repairs = 0;
  if (isInUnknownForm(run, write.body)) write = (await inKnownForm(run, change)) ?? write;
  for (const busy = notBusyYet(run, change.id); ; ) {
    const { sent, stored, found, refused, isOnTop = false } = await attempt(run, change, write, check);
    write = sent;
    const { body, expected, pin, base } = write;
    const theirLast = isOnTop ? versionBelow(run, pin.version, found?.version ?? 0) : found?.version;
    lost ||= refused?.code === 'api.reply-lost';
    if (stored !== undefined) {
      let next: Write | undefined;
      const repair = (now: LiveResource, as: Shown): boolean => {
        next = repairs > 1 ? undefined : repairOf(run, change, sent, { stored: now, as, isSecond: repairs > 0 });
        return next !== undefined;
      };
      const shown = await acceptAnswer(run, change, stored, { body, expected, from: pin.version, base, repair });
      if (next === undefined) {
        if (replans > 0) run.races.set(change.id, wonRace(meeting, pin.version, stored));
        return shown;
      }
      repairs += 1;
      write = next;
      continue;
    }
    if (found === undefined || found.uid !== pin.uid) {
      throw lose(run, goneRace(change, pin), movement(found, pin.uid, pin.version));
    }
    if (refused?.code === 'api.invalid') {
      const next = await inAnotherForm(run, change, write, repairs === 0 ? undefined : planned);
      // Facts learnt about the platform in the meantime may leave nothing to do, if nothing has been written yet.
      if (next === undefined && repairs === 0 && run.replan?.(change.id, found) === undefined) {
        run.secondSteps.set(change.id, {});
        accept(run, change, found, { already: true });
        return 'read';
      }
      if (next === undefined) throw refused;
      write = next;
      continue;
    }
    if (found.version === pin.version && refused !== undefined) {
      if (refused.code === 'api.not-found') throw refused;
      if (refused.code === 'api.conflict') run.precondition.noteBusy(change.id);
      await waitWhileBusy(run, busy, refused); // not carried out; the pin makes a repetition safe
      continue;
    }
    if (refused !== undefined && hasOnlyRisen(run, write, found)) {
      write = pinnedTo(run, change, write, found);
      await waitWhileBusy(run, busy, refused);
      continue;
    }
    if (hasLanded(write, found, run.plan.org, run.replan)) {
      // Without a lost or refused request, our own write is not the only one that raised the version.
      if (refused === undefined && !lost) run.races.set(change.id, wonRace(meeting, theirLast, found));
      else if (replans > 0) run.races.set(change.id, wonRace(meeting, pin.version, found));
      accept(run, change, found, refused?.code === 'api.conflict' && !lost ? { already: true } : {});
      return !isLastMark(found) && addedSince(run, change, write, found).length > 0 ? undefined : 'read';
    }

    const repaired =
      lost && repairs === 0 && isOwnForm(write, found)
        ? repairOf(run, change, sent, { stored: found, as: 'read' })
        : undefined;
    if (repaired !== undefined) {
      repairs += 1;
      write = repaired;
      continue;
    }

    if (run.precondition.wasProbe(change.id, pin.version, found.version)) {
      meeting = { ...meeting, from: found.version };
      write = pinnedTo(run, change, write, found);
      continue;
    }
    const again = run.replan?.(change.id, found);
    if (run.replan !== undefined && again === undefined) {
      run.secondSteps.set(change.id, {});
      run.races.set(change.id, wonRace(meeting, theirLast, found));
      accept(run, change, found, { already: true });
      return 'read';
    }
    const moved = again === undefined ? [] : movedFields(change, again);
    const next = again === undefined || moved.length > 0 ? undefined : sameWrite(change, again, write, found);
    replans += 1;
    if (again === undefined || next === undefined || replans > mostReplans) {
      const isThere = lost && hasMarkOf(body, found);
      if (isThere) {
        run.accepted.add(change.id);
        await removeStored(run, change, sent, found);
      }
      const isUnsure = isThere && !versionsTell(run.capabilities);
      const race = isUnsure ? unsureRace(meeting, found) : lostRace(meeting, found, again);
      throw lose(run, race, [movement(found, pin.uid, pin.version), ...moved].join('; '));
    }
    run.secondSteps.set(change.id, again);
    write = next;
  }
}

/** `stored`: the reply. Otherwise `found`: the record that was read instead, and the error that caused the read. */
interface Attempt {
  /** The write, for the version that it was sent for. */
  readonly sent: Write;
  readonly stored?: LiveResource;
  readonly found?: LiveResource | undefined;
  readonly refused?: ToolError;
  /** True if `found` is the result of our write on top of another client's version. */
  readonly isOnTop?: boolean;
}

async function nothingToCheck(): Promise<void> {}

async function attempt(run: Run, change: Change, write: Write, check: () => Promise<void>): Promise<Attempt> {
  const isHonoured = await run.precondition.isHonoured();
  await check();
  let sent = write;
  if (!isHonoured) {
    const found = await run.port.read(change.ref);
    if (found?.uid !== write.pin.uid) return { sent, found };
    const { org } = run.plan;
    const before = { version: write.pin.version, live: write.base };
    if (!isUnwritten(before, found, { org, capabilities: run.capabilities })) {
      if (!hasOnlyRisen(run, write, found)) return { sent, found };
      sent = pinnedTo(run, change, write, found);
    }
  }
  const { body, hidden, pin } = sent;
  try {
    const stored = await run.precondition.patch(change.ref, pin, body, hidden);
    if (stored.version <= versionAfter(pin.version)) return { sent, stored };
    if (foreignFields(run, change, sent, stored).length === 0 || (await run.precondition.isShown(stored))) {
      run.capabilities.learn('version.plus-one', 'otherwise');
      return { sent, stored };
    }
    run.precondition.noteIgnored(); // another client wrote between the pinned version and this one
    return { sent, found: stored, isOnTop: true };
  } catch (error) {
    // Another change may have shown in the meantime that the platform does not know the form.
    const isOfForm = isCode(error, 'api.invalid') && (formOf(run, body) !== undefined || isInUnknownForm(run, body));
    if (!isOfForm && !isCode(error, 'api.reply-lost', 'api.unseen', 'api.conflict', 'api.not-found')) throw error;
    if (isCode(error, 'api.unseen')) run.accepted.add(change.id);
    return { sent, found: await run.port.read(change.ref), refused: error };
  }
}

/**
 * The last version of other clients before ours. Undefined if more than two versions were added, and it is not known
 * that each write adds one.
 */
function versionBelow({ capabilities }: Run, from: number, ours: number): number | undefined {
  const isSaid = versionsTell(capabilities);
  const isLikely = capabilities.of('version.plus-one') === undefined && ours === versionAfter(from, 2);
  return isSaid || isLikely ? versionBefore(ours) : undefined;
}

/**
 * Fields that another client wrote: the record has them now, but did not have them before this write, and the write
 * does not set them. A directive stored as a field, and values that the platform stores in its own way, do not count.
 */
function foreignFields(run: Run, change: Change, write: Write, stored: LiveResource): readonly string[] {
  const added = addedSince(run, change, write, stored);
  if (added.length === 0) return [];
  const clean = { ...stored, record: withoutDirectives(stored.record) };
  return withoutOwnWays(added, run.replan?.ofAnswer?.(change.id, clean, 'read'));
}

/** The same, including fields that the platform itself may have added. */
function addedSince(
  run: Run,
  { ref }: Change,
  { body, expected, base }: Write,
  stored: LiveResource,
): readonly string[] {
  const { org } = run.plan;
  const clean = { ...stored, record: withoutDirectives(stored.record) };
  const moved = base === undefined ? undefined : movedSince(base, clean, org);
  const found = changedFields(expected?.expose(), clean, org);
  const joined = base === undefined ? [] : joinedLists(ref, plainOf(body), base.record, clean.record);
  return found
    .filter((path) => moved === undefined || moved.some((each) => touches(each, path)))
    .filter((path) => !joined.some((each) => touches(each, path)));
}

/**
 * The same change in a form that the platform is known to honour; undefined if it would be another change by now.
 * `repaired`: the write that this one corrects, which may have removed the claims that the change is planned from.
 */
async function inKnownForm(run: Run, change: Change, repaired?: Write): Promise<Write | undefined> {
  const found = await run.port.read(change.ref);
  const claimed =
    found === undefined || repaired === undefined ? found : withClaimsOf(repaired.base, run.plan, change, found);
  const again = claimed === undefined ? undefined : run.replan?.(change.id, claimed);
  if (found === undefined || again?.patch === undefined || movedFields(change, again).length > 0) return undefined;
  run.secondSteps.set(change.id, again);
  return pinnedTo(run, change, writeOnto(found, again.patch, again.expected), found);
}

/**
 * A refused PATCH, without directives that the platform may not know: first without those for items of lists, then
 * without `$replace`. Undefined if the directives are not the cause, so nothing is learnt. `repaired`: see
 * `inKnownForm`.
 */
async function inAnotherForm(
  run: Run,
  change: Change,
  { body }: Write,
  repaired: Write | undefined,
): Promise<Write | undefined> {
  const form = formOf(run, body);
  if (form === undefined) return isInUnknownForm(run, body) ? inKnownForm(run, change, repaired) : undefined;
  run.capabilities.learn(form, 'otherwise');
  // In a repair, the list counts as sent whole before, without replacing the existing one.
  if (repaired !== undefined && form === 'write.replace') run.capabilities.learn('write.list', 'otherwise');
  const next = await inKnownForm(run, change, repaired);
  if (next === undefined) run.capabilities.forget(form);
  return next;
}

/**
 * Whether the platform made this record from a write whose answer was lost. Only our own write can have stored a
 * directive of this change, or have appended its list and set its mark, so it is no other client's write.
 */
function isOwnForm({ body, base }: Write, found: LiveResource): boolean {
  if (holdsDirectives(found.record)) return true;
  if (base === undefined || !hasMarkOf(body, found)) return false;
  return joinedLists(found.ref, plainOf(body), base.record, found.record).length > 0;
}

/** A record after a write, and where it was read from. */
interface Stored {
  readonly stored: LiveResource;
  readonly as: Shown;
}

/**
 * The PATCH that corrects the result of another one: the platform stored a directive as a field, ignored it, or merged
 * a plain list. Undefined if nothing differs, or if it is not certain that this alone corrects it. `isSecond`: the
 * directives are correct by now, and a value that was omitted as the default may still differ.
 */
function repairOf(
  run: Run,
  change: Change,
  planned: Write,
  { stored, as, isSecond = false }: Stored & { readonly isSecond?: boolean },
): Write | undefined {
  const { body, expected } = planned;
  const { capabilities, replan, plan } = run;
  if (expected === undefined || replan === undefined) return undefined;
  const [forms, defaults] = [capabilities.of('write.directives'), capabilities.of('value.defaults')];
  if (forms === 'holds' && defaults === 'holds') return undefined;
  const { paths } = unexplained({ body, expected }, stored, plan.org, () => replan.ofAnswer?.(change.id, stored, as));
  if (paths.length === 0) return forms === 'holds' ? undefined : withoutStored(run, change, planned, stored);
  const filled = defaults === 'holds' ? undefined : withDefaults(run, change, planned, { stored, as, paths });
  if (filled !== undefined || forms === 'holds' || isSecond) return filled;
  const before = capabilities.of('write.directives');
  capabilities.learn('write.directives', 'otherwise');
  // Without `$replace` the list was sent whole, and did not replace the existing one.
  if (capabilities.isOtherwise('write.replace')) capabilities.learn('write.list', 'otherwise');
  const touched = (path: string, by: Change): boolean => by.fields.some((field) => touches(field.path, path));
  // The platform may fill in more fields of an item that the change adds.
  const isOfNewItem = (path: string): boolean => {
    const item = path.slice(0, path.lastIndexOf('.'));
    const { record } = planned.base ?? { record: undefined };
    return (
      record !== undefined &&
      touched(item, change) &&
      matchPath(item, shapeOf(change.ref.kind, record), record).length === 0
    );
  };
  // Beside a stored directive the earlier values remain, so another value is that of another client.
  const isOverwriting = (again: Change): boolean =>
    as === 'read' && holdsDirectives(stored.record) && movedFields(change, again).length > 0;
  const isCertain = (again: Change | undefined): boolean =>
    again?.patch !== undefined &&
    !isOverwriting(again) &&
    paths.every((path) => touched(path, again)) &&
    again.fields.every(({ path }) => touched(path, change) || isOfNewItem(path));
  const claimed = withClaimsOf(planned.base, run.plan, change, stored);
  const plain = replan(change.id, claimed);
  // In an answer, the platform's own spelling of another field is not a difference.
  const again = isCertain(plain) || as === 'read' ? plain : replan(change.id, claimed, true);
  if (again?.patch === undefined || !isCertain(again)) {
    if (before === undefined) capabilities.forget('write.directives');
    return undefined;
  }
  run.secondSteps.set(change.id, again);
  run.notes.add(
    'the platform did not carry out a change as it was written: it was written again without directives for the items ' +
      'of lists',
  );
  const write = pinnedTo(run, change, writeOnto(stored, again.patch, again.expected), stored);
  return { ...write, body: withDrops(write.body, stored.record) };
}

/** The PATCH that removes directives that the platform has stored as fields; undefined if it has stored none. */
function withoutStored(run: Run, change: Change, planned: Write, stored: LiveResource): Write | undefined {
  const drops = withDrops(requestBody({}), stored.record);
  if (Object.keys(drops).length === 0) return undefined;
  run.capabilities.learn('write.directives', 'otherwise');
  const { tags } = planned.body;
  return pinnedTo(run, change, { ...planned, body: { ...drops, ...present({ tags }) }, base: stored }, stored);
}

/** Removes the directives of a write that is given up, which the platform has stored as fields. */
async function removeStored(run: Run, change: Change, planned: Write, found: LiveResource): Promise<void> {
  const write = withoutStored(run, change, planned, found);
  if (write === undefined) return;
  const { pin, body, hidden } = write;
  const now = await unlessToolError(() => run.precondition.patch(change.ref, pin, body, hidden));
  if (now !== undefined && !holdsDirectives(now.record)) return;
  const fields = directivesIn(found.record).join(', ');
  run.notes.add(`the platform stored ${fields} in ${change.id}, and may not have removed it again: check the record`);
}

/**
 * The PATCH that sends the declared values that the first one omitted as documented defaults, and for which the
 * platform has filled in others. Undefined if there are differences of another sort.
 */
function withDefaults(
  { capabilities, replan, notes, secondSteps }: Run,
  change: Change,
  { body, expected, pin: before }: Write,
  { stored, as, paths }: Stored & { readonly paths: readonly string[] },
): Write | undefined {
  const shape = shapeOf(stored.ref.kind, stored.record);
  const promised = expected?.expose() ?? {};
  const sent = plainOf(body);
  const found = paths.flatMap((path) => {
    const at = pointerTo(path, shape, stored.record);
    const field = at === undefined ? undefined : shapeAt(shape, at);
    const value = at === undefined ? undefined : valueThere(stored.record, at);
    const usual = field?.facts.default;
    if (field === undefined || usual === undefined || holdsSensitive(field)) return [];
    const declaredAt = pointerTo(path, shape, promised);
    // A list that is sent whole and stored otherwise is not a default.
    if (declaredAt === undefined || !sameJson(valueThere(promised, declaredAt), usual)) return [];
    const isSent = matchPath(path, shape, sent).some((each) => sameJson(valueThere(sent, each), usual));
    return value !== undefined && !isSent ? [{ path: patternOf(path, stored), value }] : [];
  });
  if (found.length < paths.length) return undefined;
  const forms = capabilities.of('write.directives');
  // Only whole lists are safe in a repair if the platform's handling of directives is unknown.
  if (forms === undefined) capabilities.learn('write.directives', 'otherwise');
  const again = replan?.(change.id, stored);
  if (forms === undefined) capabilities.forget('write.directives');
  if (again?.patch === undefined || again.fields.some((field) => !paths.includes(field.path))) return undefined;
  // Another client may have set the value in a later version.
  const isOurs = as === 'answer' || stored.version === versionAfter(before.version);
  for (const { path, value } of found) {
    if (isOurs) capabilities.learnDefault(change.kind, path, value);
    notes.add(
      `the platform fills in ${JSON.stringify(value)} where a ${change.kind} leaves out ${path}: the declared value was ` +
        'written in a second request',
    );
  }
  secondSteps.set(change.id, again);
  return writeOnto(stored, again.patch, again.expected);
}

/** Whether only the version has risen and nothing else has changed, so that neither we nor another client wrote. */
function hasOnlyRisen(run: Run, { base, pin }: Write, found: LiveResource): boolean {
  if (base === undefined || found.version === pin.version || !isUnmoved(base, found, run.plan.org)) return false;
  run.capabilities.learn('version.only-writes', 'otherwise');
  return true;
}

/** The same write for the record as it is now; undefined if it would be another one. */
function sameWrite(change: Change, again: Change, write: Write, live: LiveResource): Write | undefined {
  return isSameWrite(change, write.body, again) ? writeOnto(live, again.patch, again.expected) : undefined;
}

/**
 * An update that removes something from a GVC may affect only the approved records: its content is listed again
 * directly before the PATCH. Throws StaleError if another record is affected.
 */
async function checkVictims(run: Run, { id, name, takes, victims = [] }: Change): Promise<void> {
  if (takes === undefined) return;
  const children = (await childrenOf(run, name)) ?? []; // if the GVC is deleted, the PATCH fails
  const { changes, leftOut = [], org, stack } = run.plan;
  // Resources omitted from a partial plan belong to this stack, or are among the victims; an undo lists only its own.
  const expected = new Set([...victims, ...[...changes, ...leftOut].map((each) => each.id)]);
  const surprises = affectedChildren(takes, children, org).filter(
    ({ id: child, record }) => !expected.has(child) && ownerOf(record) !== stack,
  );
  if (surprises.length === 0) return;
  const hit = surprises.map((child) => child.id).sort();
  throw new StaleError(
    id,
    `it takes away ${takes.map(nameOfLoss).join(', ')} from ${hit.join(', ')}, which was not approved`,
  );
}
