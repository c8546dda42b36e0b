import { DivergenceError } from '../../apply/applyErrors.ts';
import { isUnhonoured, joinedLists, unknownForm, withDrops, withoutDirectives } from '../../apply/patchForms.ts';
import {
  type JsonObject,
  type JsonValue,
  listAt,
  mapMembers,
  numberAt,
  objectAt,
  own,
  sameJson,
  stringAt,
} from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { hiddenTexts } from '../../client/hiddenTexts.ts';
import { ApiError, isCode } from '../../client/http/apiError.ts';
import type { Reply } from '../../client/http/requester.ts';
import { hiddenField } from '../../kinds/kindFacts.ts';
import { membersWithoutNulls } from '../../kinds/normalise.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { requestBody } from '../../manifest/model/body.ts';
import { ownTagPrefix } from '../../manifest/model/ownTags.ts';
import { applyPatch } from '../../patch/applyPatch.ts';
import { diff } from '../../patch/diff.ts';
import { directivesOf } from '../../plan/model/planContext.ts';
import { movedSince } from '../../plan/record/savedRecord.ts';
import { versionAfter } from '../../plan/record/version.ts';
import { contextOf, formatRef, type Ref } from '../../schema/record/ref.ts';
import { quoted, touches } from '../../schema/shape/paths.ts';
import type { Api } from './api.ts';
import { isLike, readAfter, readBack, unlikeChange, unlikeCreation, unlikeEither, unlikeRecord } from './lostAnswer.ts';
import { pathOf } from './paths.ts';
import { isWhole, readRecord } from './readRecord.ts';

/** The members of a PATCH that is to fail where the record has changed. */
export function precondition(record: JsonObject): JsonObject {
  const [version, id] = [numberAt(record, 'version'), stringAt(record, 'id')];
  return present({ version, id });
}

/**
 * Sends a PATCH as it is, whatever the record has become, and resolves with the record after it. Only where the platform
 * refuses the directives in it, or stores them, is the record read, and the same change sent in another form. Errors:
 * those of `sendChange`.
 */
export async function sendDocument(api: Api, ref: Ref, body: JsonObject): Promise<JsonObject> {
  const { capabilities } = api;
  const path = pathOf(api, ref);
  const { stored, isSaid } = await sent();
  const clean = withoutDirectives(stored);
  if (!sameJson(clean, stored)) {
    capabilities.learn('write.directives', 'otherwise');
    return sendChange(api, ref, { live: clean, body, stored });
  }
  const left = isSaid ? unlikeTags(body, stored) : undone(stored);
  if (left.length > 0) throw new DivergenceError(formatRef(ref), left);
  return stored;

  /** `isSaid`: the answer was a record. Without one nothing says that the write was carried out. */
  async function sent(): Promise<{ readonly stored: JsonObject; readonly isSaid: boolean }> {
    try {
      const sending = api.send('PATCH', path, body, hiddenTexts(ref.kind, body));
      const { record } = await sending.catch(async (error: unknown) => {
        return { record: await readBack(api, error, { path, kind: ref.kind, body, differs: changesMore }) };
      });
      const stored = shows(record) ? record : await readAfter(() => readRecord(api, ref), shows);
      return { stored, isSaid: isWhole(ref, record) };
    } catch (error) {
      const form = isCode(error, 'api.invalid') ? unknownForm(capabilities, body) : undefined;
      if (form === undefined) throw error;
      await api.discovery().catch(() => undefined);
      if (capabilities.of('write.directives') === 'holds') throw error;
      capabilities.learn(form, 'otherwise');
      const stored = await sendChange(api, ref, { live: await readRecord(api, ref), body }).catch(
        (refused: unknown) => {
          capabilities.forget(form);
          throw isCode(refused, 'api.invalid') ? error : refused;
        },
      );
      return { stored, isSaid: true };
    }
  }

  /** The paths that the record does not have as this PATCH sets them; what is hidden is not in it. */
  function undone(record: JsonObject): readonly string[] {
    const again = applyAgain(record);
    if (!again.ok) return [];
    const hidden = hiddenField(ref.kind);
    const removed = unlikeRecord(ref, again.record, record, api.org);
    return [...new Set([...unlikeCreation(ref, record, again.record, api.org), ...removed])].filter(
      (path) => hidden === undefined || !touches(path, hidden),
    );
  }

  /** Is it a record after this PATCH, so that it would change nothing more? */
  function shows(record: JsonObject): boolean {
    if (!isWhole(ref, record)) return false;
    const again = applyAgain(record);
    return !again.ok || isLike(ref, record, again.record, api.org);
  }

  /** The paths that this PATCH would change in the record; undefined: it cannot be told. */
  function changesMore(record: JsonObject): readonly string[] | undefined {
    const again = applyAgain(record);
    return again.ok ? unlikeEither(ref, record, again.record, api.org) : undefined;
  }

  function applyAgain(record: JsonObject): ReturnType<typeof applyPatch> {
    return applyPatch(shapeOf(ref.kind, record), record, body, contextOf(ref, api.org));
  }
}

/** The tags that a PATCH sets or drops, and that the record has otherwise. A number may be stored as text. */
function unlikeTags(body: JsonObject, record: JsonObject): readonly string[] {
  const [sent, stored] = [objectAt(body, 'tags'), objectAt(record, 'tags')];
  const isSet = ([key, value]: readonly [string, JsonValue]): boolean =>
    !key.startsWith('$') && value !== null && String(own(stored, key)) !== String(value);
  const set = Object.entries(sent).filter(isSet);
  const left = listAt(sent, '$drop').map(String);
  const others = [...set.map(([key]) => key), ...left.filter((key) => own(stored, key) !== undefined)];
  return others.map((key) => `tags.${quoted(key)}`);
}

interface Patch {
  /** The record that it was made for. */
  readonly live: JsonObject;
  readonly body: JsonObject;
  /** The same record with the directives of `body` that the platform has stored in it. */
  readonly stored?: JsonObject;
}

/**
 * Sends a PATCH that was made for this record, and resolves with what it became. A platform that refuses directives, or
 * stores them, gets whole lists; one that refuses id and version in a PATCH gets none. Errors: `apply.divergence` where it
 * did not do what the PATCH asks for, and those of the platform.
 */
export async function sendChange(api: Api, ref: Ref, { live, body, stored: withStored }: Patch): Promise<JsonObject> {
  const { capabilities } = api;
  const path = pathOf(api, ref);
  const context = contextOf(ref, api.org);
  const made = applyPatch(shapeOf(ref.kind, live), live, body, context);
  const unlikeIn = (stored: JsonObject, expected: JsonObject): readonly string[] =>
    unlikeRecord(ref, stored, expected, api.org);
  const wanted = made.ok ? made.record : undefined;
  /**
   * The paths that are still as they were, or were appended: another value that differs from both is the platform's
   * form of the new one.
   */
  const unchanged = (stored: JsonObject): readonly string[] => {
    if (wanted === undefined) return [];
    const others = unlikeIn(stored, live);
    return [...unlikeIn(stored, wanted).filter((at) => !others.includes(at)), ...joined(stored)];
  };
  const joined = (stored: JsonObject): readonly string[] =>
    wanted === undefined ? [] : joinedLists(ref, wanted, live, stored);
  const differs = (stored: JsonObject): readonly string[] | undefined =>
    wanted === undefined ? undefined : unlikeChange(ref, stored, { before: live, wanted }, api.org);
  const send = async (onto: JsonObject, patch: JsonObject): Promise<JsonObject> => {
    const { record } = await sendPinned(onto, patch).catch(async (error: unknown) => ({
      record: await readBack(api, error, { path, kind: ref.kind, body: patch, differs }),
    }));
    // The answer may be nothing, the body, or the record of before.
    const showsWrite = (shown: JsonObject): boolean =>
      isWhole(ref, shown) && (isNewer(shown, onto) || unlikeIn(shown, wanted ?? live).length === 0);
    return showsWrite(record) ? record : readAfter(() => readRecord(api, ref), showsWrite);
  };
  /** The same change in the form that is not known to be refused. A whole list has no nulls: they mean absence. */
  const formFrom = (from: JsonObject): JsonObject | undefined => {
    if (wanted === undefined) return undefined;
    const onto = from === live ? wanted : { ...wanted, tags: tagsOnto(from, { live, wanted }) };
    const [before, after] = [from, onto].map((each) => membersWithoutNulls(shapeOf(ref.kind, each), each));
    const directives = directivesOf({ directives: 'stated', capabilities });
    const options = { context, directives, wasSet: () => true, revertOperational: true };
    return diff(ref.kind, before ?? from, after ?? onto, options)?.patch;
  };

  const known = isUnhonoured(capabilities, body) ? requestBody(formFrom(live) ?? body) : requestBody(body);
  const stored = await inKnownForm(withStored === undefined ? known : withDrops(known, body, withStored));
  const clean = withoutDirectives(stored);
  const paths = unchanged(stored);
  if (paths.length === 0 && sameJson(clean, stored)) return stored;
  // Somebody else may have written since; but a directive that the record holds, or our list behind the one that was
  // there, was stored with our write.
  const isJoined = joined(stored).length > 0;
  const isOurs =
    isJoined ||
    !sameJson(clean, stored) ||
    numberAt(stored, 'version') === versionAfter(numberAt(live, 'version') ?? 0);
  if (!isOurs || (!isJoined && unknownForm(capabilities, body) === undefined)) {
    throw new DivergenceError(formatRef(ref), paths);
  }
  capabilities.learn('write.directives', 'otherwise');
  if (isJoined) capabilities.learn('write.list', 'otherwise');
  const again = await send(stored, withDrops(requestBody(formFrom(clean) ?? {}), body, stored));
  const left = unchanged(again);
  if (left.length > 0) throw new DivergenceError(formatRef(ref), left);
  return again;

  /** For this version of the record. Where a PATCH may not name it, the record is read and compared directly before. */
  async function sendPinned(onto: JsonObject, patch: JsonObject): Promise<Reply> {
    const pin = precondition(onto);
    const hidden = hiddenTexts(ref.kind, patch);
    const unpinned = async (): Promise<Reply> => {
      if (!sameJson(precondition(await readRecord(api, ref)), pin)) {
        throw new ApiError({ code: 'api.conflict', message: `${formatRef(ref)} has changed since it was read` });
      }
      return api.send('PATCH', path, patch, hidden);
    };
    if (capabilities.isOtherwise('write.pins')) return unpinned();
    try {
      return await api.send('PATCH', path, { ...pin, ...patch }, hidden);
    } catch (error) {
      if (!isCode(error, 'api.invalid')) throw error;
      // What the platform says of itself is asked for only now.
      await api.discovery().catch(() => undefined);
      if (capabilities.of('write.preconditions') === 'holds') throw error;
      const reply = await unpinned().catch((refused: unknown) => {
        throw isCode(refused, 'api.invalid') ? error : refused;
      });
      capabilities.learn('write.pins', 'otherwise');
      return reply;
    }
  }

  async function inKnownForm(patch: JsonObject): Promise<JsonObject> {
    try {
      return await send(live, patch);
    } catch (error) {
      const form = isCode(error, 'api.invalid') ? unknownForm(capabilities, patch) : undefined;
      if (form === undefined) throw error;
      capabilities.learn(form, 'otherwise');
      const next = formFrom(live);
      if (next === undefined || sameJson(next, patch)) throw error;
      return inKnownForm(next).catch((refused: unknown) => {
        capabilities.forget(form);
        // It was not the form that was refused.
        throw isCode(refused, 'api.invalid') ? error : refused;
      });
    }
  }
}

/** A platform may raise the version of a record by itself; so often it is written for the next one. */
const mostRises = 3;

/** The same, also where only the version has risen since the record was read: nobody has changed anything then. */
export async function sendUnmoved(api: Api, ref: Ref, live: JsonObject, body: JsonObject): Promise<JsonObject> {
  let onto = live;
  for (let rises = 0; ; rises += 1) {
    try {
      return await sendChange(api, ref, { live: onto, body });
    } catch (error) {
      if (!isCode(error, 'api.conflict') || rises === mostRises) throw error;
      const now = await readRecord(api, ref);
      if (!(await hasOnlyRisen(api, ref, { live: onto, body }, now))) throw error;
      onto = now;
    }
  }
}

/**
 * Is it the same record at a later version, with the same content? Tags that `body` leaves as they are may have other
 * values: a platform may keep tags of its own, unless it says that versions count writes. Not known of what is hidden, so `body` must
 * not set it.
 */
export async function hasOnlyRisen(
  api: Api,
  ref: Ref,
  { live: before, body }: Patch,
  now: JsonObject,
): Promise<boolean> {
  const { org, capabilities } = api;
  const hidden = hiddenField(ref.kind);
  if (hidden !== undefined && own(body, hidden) !== undefined) return false;
  const liveOf = (record: JsonObject): LiveResource => ({
    ref,
    id: formatRef(ref),
    uid: stringAt(record, 'id') ?? '',
    version: numberAt(record, 'version') ?? 0,
    record,
  });
  const [then, since] = [liveOf(before), liveOf(now)];
  if (then.uid !== since.uid || since.version <= then.version) return false;
  if (movedSince(then, since, org).some((path) => !path.startsWith('tags.'))) return false;
  const tags = { before: objectAt(before, 'tags'), now: objectAt(now, 'tags'), set: objectAt(body, 'tags') };
  const moved = Object.keys({ ...tags.before, ...tags.now }).filter(
    (key) => !sameJson(own(tags.before, key) ?? null, own(tags.now, key) ?? null),
  );
  if (moved.length === 0) {
    capabilities.learn('version.only-writes', 'otherwise');
    return true;
  }
  await api.discovery().catch(() => undefined);
  if (capabilities.of('version.plus-one') === 'holds') return false;
  // Our own tags say whose the record is, and a tag that comes or goes is a person's.
  const counts = (key: string): boolean =>
    key.startsWith(ownTagPrefix) ||
    own(tags.before, key) === undefined ||
    own(tags.now, key) === undefined ||
    own(tags.set, key) !== undefined ||
    listAt(tags.set, '$drop').includes(key);
  return own(body, '$replace/tags') === undefined && !moved.some(counts);
}

function isNewer(one: JsonObject, other: JsonObject): boolean {
  return (numberAt(one, 'version') ?? 0) > (numberAt(other, 'version') ?? 0);
}

/** The tags of a later record with the same change: the platform may give tags of its own another value at each write. */
function tagsOnto(
  now: JsonObject,
  { live, wanted }: { readonly live: JsonObject; readonly wanted: JsonObject },
): JsonObject {
  const [before = {}, after = {}, found = {}] = [live, wanted, now].map((each) => objectAt(each, 'tags'));
  const isNew = (key: string): boolean => own(before, key) === undefined && own(after, key) === undefined;
  return {
    ...mapMembers(found, (value, key) => (isNew(key) ? value : undefined)),
    ...mapMembers(after, (value, key) => (sameJson(value, own(before, key)) ? own(found, key) : value)),
  };
}
