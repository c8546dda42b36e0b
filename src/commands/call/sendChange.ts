import { DivergenceError } from '../../apply/applyErrors.ts';
import {
  directivesIn,
  isUnhonoured,
  joinedLists,
  unknownForm,
  withDrops,
  withoutDirectives,
} from '../../apply/patchForms.ts';
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

/** The members that make a PATCH fail if the record has changed. */
export function precondition(record: JsonObject): JsonObject {
  const [version, id] = [numberAt(record, 'version'), stringAt(record, 'id')];
  return present({ version, id });
}

/**
 * Sends a PATCH as it is, regardless of changes to the record, and resolves with the record after it. Only if the
 * platform refuses or stores its directives is the record read, and the same change sent in another form. Errors: those
 * of `sendChange`.
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

  /** `isSaid`: the answer was a record. Otherwise, nothing shows that the write was carried out. */
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

  /** The paths where the record differs from what this PATCH sets, except hidden values. */
  function undone(record: JsonObject): readonly string[] {
    const again = applyAgain(record);
    if (!again.ok) return [];
    const hidden = hiddenField(ref.kind);
    const removed = unlikeRecord(ref, again.record, record, api.org);
    return [...new Set([...unlikeCreation(ref, record, again.record, api.org), ...removed])].filter(
      (path) => hidden === undefined || !touches(path, hidden),
    );
  }

  /** Whether it is a record after this PATCH, which the PATCH would not change again. */
  function shows(record: JsonObject): boolean {
    if (!isWhole(ref, record)) return false;
    const again = applyAgain(record);
    return !again.ok || isLike(ref, record, again.record, api.org);
  }

  /** The paths that this PATCH would change in the record; undefined if that cannot be determined. */
  function changesMore(record: JsonObject): readonly string[] | undefined {
    const again = applyAgain(record);
    return again.ok ? unlikeEither(ref, record, again.record, api.org) : undefined;
  }

  function applyAgain(record: JsonObject): ReturnType<typeof applyPatch> {
    return applyPatch(shapeOf(ref.kind, record), record, body, contextOf(ref, api.org));
  }
}

/** The tags that a PATCH sets or drops, and that differ in the record. A number may be stored as text. */
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
  /** The record that the PATCH was made for. */
  readonly live: JsonObject;
  readonly body: JsonObject;
  /** The same record with the directives of `body` that the platform has stored in it. */
  readonly stored?: JsonObject;
}

/**
 * Sends a PATCH that was made for this record, and resolves with the result. A platform that refuses or stores
 * directives gets whole lists; one that refuses id and version in a PATCH gets none. Errors: `apply.divergence` if it
 * did not do what the PATCH requests, and those of the platform.
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
   * The paths that are unchanged, or were appended: a value that differs from both is the platform's form of the new
   * one.
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
    // The answer may be empty, the body, or the record before the write.
    const showsWrite = (shown: JsonObject): boolean =>
      isWhole(ref, shown) && (isNewer(shown, onto) || unlikeIn(shown, wanted ?? live).length === 0);
    return showsWrite(record) ? record : readAfter(() => readRecord(api, ref), showsWrite);
  };
  /** The same change in a form that is not known to be refused. A whole list has no nulls: they mean absence. */
  const formFrom = (from: JsonObject): JsonObject | undefined => {
    if (wanted === undefined) return undefined;
    const onto = from === live ? wanted : { ...wanted, tags: tagsOnto(from, { live, wanted }) };
    const [before, after] = [from, onto].map((each) => membersWithoutNulls(shapeOf(ref.kind, each), each));
    const directives = directivesOf({ directives: 'stated', capabilities });
    const options = { context, directives, wasSet: () => true, revertOperational: true };
    return diff(ref.kind, before ?? from, after ?? onto, options)?.patch;
  };

  const known = isUnhonoured(capabilities, body) ? requestBody(formFrom(live) ?? body) : requestBody(body);
  const stored = await inKnownForm(withStored === undefined ? known : withDrops(known, withStored));
  const clean = withoutDirectives(stored);
  const paths = unchanged(stored);
  if (paths.length === 0 && sameJson(clean, stored)) return stored;
  // Another client may have written since. But a directive stored in the record, or our list appended to the existing
  // one, proves that our write was stored.
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
  const repair = withDrops(requestBody(formFrom(clean) ?? {}), stored);
  const again = await whileOnlyRisen(api, ref, { live: stored, body: repair }, (onto) => send(onto, repair)).catch(
    (error: unknown) => {
      // Another client has written in between, and the first request was carried out.
      throw isCode(error, 'api.conflict')
        ? new DivergenceError(formatRef(ref), [...directivesIn(stored), ...paths])
        : error;
    },
  );
  const left = unchanged(again);
  if (left.length > 0) throw new DivergenceError(formatRef(ref), left);
  return again;

  /** Sends a PATCH for this version. If a PATCH must not name it, the record is read and compared directly before. */
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
      // The platform's own description is fetched only now.
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
        // The form was not the cause.
        throw isCode(refused, 'api.invalid') ? error : refused;
      });
    }
  }
}

/** Maximum number of retries after the platform has raised the version of a record by itself. */
const mostRises = 3;

/** The same, but also if only the version has risen since the record was read: its content is unchanged then. */
export function sendUnmoved(api: Api, ref: Ref, live: JsonObject, body: JsonObject): Promise<JsonObject> {
  return whileOnlyRisen(api, ref, { live, body }, (onto) => sendChange(api, ref, { live: onto, body }));
}

async function whileOnlyRisen(
  api: Api,
  ref: Ref,
  { live, body }: Patch,
  send: (onto: JsonObject) => Promise<JsonObject>,
): Promise<JsonObject> {
  let onto = live;
  for (let rises = 0; ; rises += 1) {
    try {
      return await send(onto);
    } catch (error) {
      if (!isCode(error, 'api.conflict') || rises === mostRises) throw error;
      const now = await readRecord(api, ref);
      if (!(await hasOnlyRisen(api, ref, { live: onto, body }, now))) throw error;
      onto = now;
    }
  }
}

/**
 * Whether it is the same record at a later version, with the same content. Tags that `body` does not touch may differ,
 * because a platform may keep its own tags, unless its versions count only writes. Hidden values are unknown, so `body`
 * must not set them.
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
  // Our own tags name the owner, and an added or removed tag comes from a user.
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

/** The tags of a later record with the same change: the platform may change its own tags at each write. */
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
