import { type JsonObject, type JsonValue, objectAt, own, stringAt } from '../base/json/json.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import type { Body } from '../manifest/model/body.ts';
import { appliedTag, ownerTag } from '../manifest/model/ownTags.ts';
import type { Change } from '../plan/model/change.ts';
import { readApplied } from '../plan/record/ownership.ts';
import { firstVersion, versionAfter, withoutVersion } from '../plan/record/version.ts';
import type { Replan } from '../plan/replan.ts';
import { unexplained } from './replyCheck.ts';

/** A PATCH, and the record expected after it. */
export interface PlannedPatch {
  readonly body: JsonObject;
  /** Sensitive texts that the platform may repeat in an answer. */
  readonly hidden: readonly string[];
  readonly expected: Body | undefined;
}

/**
 * Whether the live record is the expected result of this PATCH: then only its answer was lost. `replan` shows which
 * values the platform stores in its own way.
 */
export function hasLanded(
  { body, expected }: Omit<PlannedPatch, 'hidden'>,
  live: LiveResource,
  org: string,
  replan?: Replan,
): boolean {
  if (expected === undefined) return false;
  const isAnswer = (): boolean => hasMarkOf(body, live) && isLastMark(live);
  const read = () => (isAnswer() ? replan?.ofAnswer?.(live.id, live, 'read') : undefined);
  const marked = expected.with((document) => markedAs(document, live));
  return unexplained({ body, expected: marked }, live, org, read).paths.length === 0;
}

/** Whether the record has the mark of this write, which proves that it was carried out. Later writes are possible. */
export function hasMarkOf(body: JsonObject, { record }: Pick<LiveResource, 'record'>): boolean {
  const mark = markOf(body);
  return mark !== undefined && mark === markOf(record);
}

/** Whether the version shows that the mark came with the last write. */
export function isLastMark({ record, version }: LiveResource): boolean {
  return readApplied(markOf(record) ?? '')?.version === version;
}

function markOf(record: JsonObject): string | undefined {
  return stringAt(objectAt(record, 'tags'), appliedTag);
}

/** The expected record, with the later versions that the record's marks name: a plan only predicts them. */
function markedAs(expected: JsonObject, { record }: LiveResource): JsonObject {
  const [tags, now] = [objectAt(expected, 'tags'), objectAt(record, 'tags')];
  const isSame = (key: string, mark: JsonValue): boolean => {
    const found = own(now, key);
    if (typeof mark !== 'string' || typeof found !== 'string' || withoutVersion(mark) !== withoutVersion(found))
      return false;
    return (readApplied(found)?.version ?? 0) > (readApplied(mark)?.version ?? 0);
  };
  const marks = Object.entries(tags).filter(([key, mark]) => key.startsWith(appliedTag) && isSame(key, mark));
  if (marks.length === 0) return expected;
  return { ...expected, tags: { ...tags, ...Object.fromEntries(marks.map(([key]) => [key, own(now, key) ?? ''])) } };
}

/**
 * Why an existing record is not the result of this creation, or of another run of it; undefined if it is. Another run
 * of the same stack leaves the same two tags, but perhaps other values.
 */
export function notCreatedBy(change: Change, live: LiveResource, org: string, replan?: Replan): string | undefined {
  const created = change.create?.expose() ?? {};
  const isMarked = isMarkedSince(created, live);
  const changed = 'it did not exist; since then, this stack has created and changed it';
  const isPast = isPastThen(change, live, org);
  if (!carriesTagsOf(created, live) && !isPast) {
    return isOfSameStack(created, live) ? changed : 'it did not exist; since then, somebody else has created it';
  }
  const untouched = live.version === (isPast ? versionAfter(firstVersion) : firstVersion) || isMarked;
  const read = () => replan?.ofAnswer?.(live.id, live, 'read');
  const [body, promised] = isPast ? [change.then?.expose() ?? {}, change.expectedThen] : [created, change.expected];
  const expected = promised?.with((document) => markedAs(document, live));
  const other =
    untouched && expected !== undefined
      ? unexplained({ body, expected, carries: change.carries }, live, org, read).paths
      : [];
  if (other.length === 0) return undefined;
  // A second write that left other content was more than the one that names the record.
  return isMarked
    ? changed
    : `it did not exist; since then, another run has created it with another ${other.join(', ')}`;
}

/** Whether a created record carries the tags that the second step of its creation leaves. */
export function isPastThen({ create, then, expectedThen }: Change, live: LiveResource, org: string): boolean {
  if (create === undefined || then === undefined) return false;
  if (carriesTagsOf(create.expose(), live)) return false;
  const tags = { ...objectAt(create.expose(), 'tags'), ...objectAt(then.expose(), 'tags') };
  return carriesTagsOf({ tags }, live) || hasLanded({ body: then.expose(), expected: expectedThen }, live, org);
}

/** Whether the record differs from what was sent, but has the same owner and link. */
function isOfSameStack(body: JsonObject, live: LiveResource): boolean {
  const [sent, tags] = [objectAt(body, 'tags'), objectAt(live.record, 'tags')];
  const [before, now] = [sent, tags].map((of) => readApplied(stringAt(of, appliedTag) ?? ''));
  return now !== undefined && before?.linkHash === now.linkHash && own(sent, ownerTag) === own(tags, ownerTag);
}

/** Whether both tags are as they were sent: the owner, and the record with the hash of its link. */
function carriesTagsOf(body: JsonObject, live: LiveResource): boolean {
  const sent = objectAt(body, 'tags');
  const tags = objectAt(live.record, 'tags');
  const isSent = (key: string): boolean => own(sent, key) !== undefined && own(sent, key) === own(tags, key);
  return isSent(ownerTag) && (isSent(appliedTag) || isMarkedSince(body, live));
}

/** Whether the second write of this stack was only the one that names the record for later plans (`markStored`). */
function isMarkedSince(body: JsonObject, live: LiveResource): boolean {
  const [sent = '', found = ''] = [markOf(body), markOf(live.record)];
  const [before, now] = [readApplied(sent), readApplied(found)];
  return (
    before !== undefined &&
    now?.writtenTo !== undefined &&
    now.version === live.version &&
    now.version === versionAfter(before.version) &&
    withoutVersion(sent) === withoutVersion(found)
  );
}
