import { type JsonObject, type JsonValue, objectAt, own, put } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import { hiddenField } from '../../kinds/kindFacts.ts';
import { membersWithoutNulls } from '../../kinds/normalise.ts';
import type { Reference } from '../../kinds/references.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { LiveResource, Snapshot } from '../../manifest/live/snapshot.ts';
import type { Body } from '../../manifest/model/body.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { appliedTag } from '../../manifest/model/ownTags.ts';
import { diff } from '../../patch/diff.ts';
import { fieldChanges, shownChange } from '../../patch/fieldChanges.ts';
import { parsePatterns, patternsBelow } from '../../patch/place.ts';
import type { StoredForms } from '../../patch/recorder.ts';
import { type Sensitivity, sensitivityOfMember } from '../../patch/shouldMask.ts';
import { mayReplace, writesWholeLists } from '../../patch/writePatch.ts';
import { isContainer } from '../../schema/record/kinds.ts';
import { contextOf, formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import { formatPath } from '../../schema/shape/paths.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import { type Cause, describeCause } from '../model/cause.ts';
import type { FieldChange, Refusal } from '../model/change.ts';
import { type Draft, makeDraft, waiting } from '../model/draft.ts';
import { firstCause } from '../model/firstCause.ts';
import { directivesOf, type PlanContext } from '../model/planContext.ts';
import {
  type Claim,
  type Claims,
  hasParts,
  ignoredTags,
  isInDoubt,
  isUnasked,
  laterAlone,
  type OthersTags,
  planTags,
  type TagPlan,
  tagPatch,
  whyItStays,
} from '../record/claims.ts';
import { type FieldClaims, laterNotes, type Note } from '../record/fieldClaims.ts';
import type { AppliedRecord, Holds } from '../record/ownership.ts';
import { unknownFields, withoutMasks, withoutUnknown } from '../record/platformValues.ts';
import { answered, bodiesOf, sensitivityOf, shapeFacts, withoutFields, withValue } from '../record/shapeFacts.ts';
import { versionAfter } from '../record/version.ts';
import { renamingsOf } from '../references/rename.ts';
import { leaveToOthers, noOthers } from './partsOfOthers.ts';
import { fieldsSet, recordTags, sharedBy } from './recordTags.ts';

export interface UpdateInput {
  readonly resource: DesiredResource;
  readonly live: LiveResource;
  /** The facts of the last write; undefined if unknown. */
  readonly applied: AppliedRecord | undefined;
  /** Why the resource is taken over, if it is. */
  readonly adopting?: string;
  readonly notes: readonly Note[];
  /** Ids of replaced resources that it must not refer to between its two steps. */
  readonly omittedTargets?: ReadonlySet<ResourceId>;
}

/** The smallest proven PATCH that turns the live resource into the declared one; `keep` if nothing differs. */
export function draftUpdate(input: UpdateInput, planning: PlanContext): Draft {
  const { resource, live, applied, adopting } = input;
  const of = { id: resource.id, ref: resource.ref, desired: resource, live };
  const difference = findDifference(input, planning);
  const { first, second, tags, secret, notes } = difference;
  const tagsDiffer = tagPatch(tags.set, tags.drop) !== undefined;

  const retention = retentionChange(resource, applied);
  const doubt = (isWritten: boolean) => (difference.inDoubt(isWritten) ? { inDoubt: true as const } : {});
  if (
    first.patch === undefined &&
    !tagsDiffer &&
    !difference.claimsDiffer &&
    secret === undefined &&
    adopting === undefined &&
    retention.length === 0
  ) {
    return makeDraft(of, {
      action: 'keep',
      reason: '',
      ...waiting(resource, planning.options),
      ...doubt(false),
      notes,
    });
  }

  const shape = shapeOf(resource.ref.kind, resource.record);
  const mask = bodiesOf(resource, live.record);
  const result = withoutFields(
    tags.result,
    difference.others.drop.map((key) => [key]),
  );
  const expect = (diff: RecordDiff, marks: JsonObject): Body =>
    mask({ ...answered(shape, diff.proof), tags: { ...result, ...marks } });
  const after = (second ?? first).target;
  const fieldClaims = planning.fieldClaims(live, applied);
  const set = fieldsSet(
    resource,
    shape,
    after,
    { live, claims: fieldClaims, isShared: sharedBy(planning.claims(live, applied)) },
    planning,
  );
  const content = planning.platformValues.contentAfter(resource, live, applied, after);
  const recorded = { holds: difference.holds(), fields: set, after, uid: live.uid, content };
  const marksAt = (version: number): JsonObject => ({
    ...recordTags(resource, recorded, shape, version, planning),
    ...difference.others.set,
  });

  const fields = [
    ...difference.fields,
    ...tagFields(tags, live.record, sensitivityOf(resource, live.record)),
    ...secretFields(secret),
    ...retention,
  ];
  const { wasSet } = fieldClaims;
  const cause = adopting === undefined ? firstCause(fields, { resource, live, applied, wasSet }) : undefined;
  const marks = marksAt(versionAfter(live.version));
  const patch = {
    id: live.uid,
    version: live.version,
    ...first.patch,
    ...secret,
    tags: tagPatch({ ...tags.set, ...marks }, [...tags.drop, ...difference.others.drop]) ?? {},
  };
  const secondStep = (diff: RecordDiff): Pick<Draft, 'then' | 'expectedThen'> => {
    const after = marksAt(versionAfter(live.version, 2));
    const then = mask({ ...diff.patch, tags: { [appliedTag]: after[appliedTag] ?? '' } });
    return { then, expectedThen: expect(diff, after) };
  };
  return makeDraft(of, {
    action: adopting === undefined ? 'patch' : 'adopt',
    reason: adopting ?? reasonOf(cause, secret, difference.claimsDiffer),
    ...present({ cause }),
    fields,
    patch: mask(patch),
    expected: expect(first, marks),
    ...(unknownFields(live, shape, planning.snapshot).length > 0 ? {} : { result: resultOf(difference, marks) }),
    ...(second?.patch === undefined ? {} : { ...secondStep(second), later: difference.later }),
    ...(difference.secondStepOnly ? { secondStepOnly: true as const } : {}),
    ...waiting(resource, planning.options),
    ...(set.inDoubt ? { inDoubt: true as const } : doubt(true)),
    refusals: difference.refusals,
    notes,
  });
}

function resultOf({ first, second, tags }: Difference, marks: JsonObject): JsonObject {
  const { proof } = second?.patch === undefined ? first : second;
  return { ...proof, tags: { ...tags.result, ...marks } };
}

/**
 * A changed `lifecycle.retain` is written immediately, even if nothing else differs: otherwise a later run without the
 * declaration would delete the resource.
 */
function retentionChange(resource: DesiredResource, applied: AppliedRecord | undefined): readonly FieldChange[] {
  const retain = resource.lifecycle.retain === true;
  return applied === undefined || applied.retain === retain
    ? []
    : [{ path: 'lifecycle.retain', old: applied.retain, new: retain }];
}

interface Difference {
  readonly first: RecordDiff;
  readonly second: RecordDiff | undefined;
  /** Whether only the second step would write something: then it is the only step. */
  readonly secondStepOnly: boolean;
  readonly later: readonly Reference[];
  readonly tags: TagPlan;
  /** The whole value of an unreadable secret, if it is to be written anyway. */
  readonly secret: JsonObject | undefined;
  /** The changes of the record as a whole, both steps together. */
  readonly fields: readonly FieldChange[];
  /** The claims after the write. */
  readonly holds: () => Holds;
  /** Whether a claim shared with other stacks is unrecorded or has ended. */
  readonly claimsDiffer: boolean;
  readonly others: OthersTags;
  /** Whether something stays, or is claimed, without the audit trail having been queried for its last writer. */
  readonly inDoubt: (isWritten: boolean) => boolean;
  /** Refuses to take items from stacks that own a part of it. */
  readonly refusals: readonly Refusal[];
  readonly notes: readonly Note[];
}

function findDifference(input: UpdateInput, planning: PlanContext): Difference {
  const { resource, live, applied } = input;
  const shape = shapeOf(resource.ref.kind, resource.record);
  const claims = planning.claims(live, applied);
  const tags = tagsOf(input, shape, claims, planning);
  const unknown = unknownFields(live, shape, planning.snapshot);
  const readable = withoutUnknown(resource.record, unknown);
  const visible = withoutUnknown(live.record, unknown);
  const { sensitive = [] } = resource.lifecycle;
  const { record: shown, masked } =
    sensitive.length === 0 || planning.options.writeUnknownSecrets
      ? { record: visible, masked: [] }
      : withoutMasks(sensitive, resource.record, shape, visible);
  const left = hasParts(objectAt(live.record, 'tags'))
    ? leaveToOthers(resource, live, readable, claims, planning)
    : { record: readable, ...noOthers };
  const wanted = { ...left.record, tags: objectAt(live.record, 'tags') };

  const { later, firstStep } = secondStepParts(input, wanted, planning);
  const fieldClaims = planning.fieldClaims(live, applied);
  const stored = planning.platformValues.formsOf(resource, live, applied);
  const diff = (from: JsonObject, to: JsonObject): RecordDiff =>
    diffRecord({ resource, live: from, desired: to, claims: fieldClaims, stored, planning });
  const whole = diff(shown, wanted);
  const twoSteps = later.length > 0 && (whole.patch !== undefined || input.omittedTargets !== undefined);
  const first = twoSteps ? diff(shown, firstStep) : whole;
  const tagsDiffer = tagPatch(tags.set, tags.drop) !== undefined;
  const secondStepOnly = twoSteps && first.patch === undefined && !tagsDiffer && input.adopting === undefined;

  const seen = unknown.length === 0 ? 'unknown' : comparedWithShown(resource, live, shape, planning);
  const isWritten = seen === 'other' || (seen === 'unknown' && planning.options.writeUnknownSecrets);
  const secret = unknown.length > 0 && isWritten ? secretPatch(resource, shape, planning.snapshot) : undefined;
  return {
    first: secondStepOnly ? whole : first,
    // The first step has already dropped undeclared fields of earlier writes, so the second does not.
    second:
      twoSteps && !secondStepOnly
        ? diffRecord({ resource, live: first.proof, desired: wanted, stored, planning })
        : undefined,
    secondStepOnly,
    later,
    tags,
    secret,
    fields: whole.fields,
    holds: () =>
      new Map([...tags.keys.map((key) => [claims.hashOf(['tags', key]), tags.holdOf(key)] as const), ...left.holds]),
    claimsDiffer: left.differs || left.passes || tagClaimsDiffer(tags, claims),
    others: left.others,
    inDoubt: (isWritten) =>
      left.inDoubt(isWritten) ||
      isInDoubt(
        tags.released.map((key) => laterAlone(claims.at(['tags', key]))),
        fieldClaims,
      ) ||
      ((isWritten || claims.parts.size > 0) &&
        tags.keys.some((key) => !Object.hasOwn(tags.set, key) && isUnasked(claims.at(['tags', key]), isWritten))),
    refusals: left.conflictsIn({ ...whole.target, tags: tags.result }),
    notes: [
      ...input.notes,
      ...left.notes,
      ...tags.released.map((key) => whyItStays(['tags', key], claims.at(['tags', key]))),
      ...whole.notes,
      ...(unknown.length > 0 && seen !== 'same' && secret === undefined && planning.options.undoes !== true
        ? [unknownNote]
        : []),
      ...masked.map((path) => `${path}: ${unknownNote}`),
    ],
  };
}

const replaces = '$replace/';

const unknownNote =
  'its value is unknown, because it cannot be revealed: it is written only with --write-unknown-secrets';

interface SecondStepParts {
  readonly later: readonly Reference[];
  /** The record after the first step. */
  readonly firstStep: JsonObject;
}

/**
 * Fields that only a second step can write. References to children that do not exist yet, or are not ready to replace
 * another, keep their live value until then; references to replaced resources are omitted until then.
 */
function secondStepParts(
  { resource, live, omittedTargets }: UpdateInput,
  wanted: JsonObject,
  planning: PlanContext,
): SecondStepParts {
  if (!isContainer(resource.ref.kind)) return { later: [], firstStep: wanted };
  const all = planning.desiredReferences(resource);
  const replaced = all.filter(({ target }) => omittedTargets?.has(formatRef(target)) === true);
  const { byNew } = renamingsOf(planning);
  // An undeclared target will never exist, so the reference is written immediately, and noted.
  const isUnborn = (target: Ref): boolean => {
    const id = formatRef(target);
    return planning.desired.has(id) && (planning.liveAt(target) === undefined || byNew.has(id));
  };
  const unborn = all.filter(({ strength, target }) => strength === 'second-step' && isUnborn(target));
  const later = [...replaced, ...unborn];
  const cut = withoutFields(
    wanted,
    later.map(({ pointer }) => pointer),
  );
  const firstStep = unborn.reduce((record, { pointer }) => {
    const before = valueThere(live.record, pointer);
    return before === undefined ? record : withValue(record, pointer, before);
  }, cut);
  return { later, firstStep };
}

/** Whether this stack begins or ends to claim a tag that others claim too. */
function tagClaimsDiffer({ keys, released }: TagPlan, { at, parts }: Claims): boolean {
  if (parts.size === 0) return false;
  const claim = (key: string): Claim => at(['tags', key]);
  return (
    keys.some((key) => claim(key).mine === undefined && claim(key).others.length > 0) ||
    released.some((key) => claim(key).others.length > 0)
  );
}

function tagsOf(input: UpdateInput, shape: ObjectShape, claims: Claims, { partTag }: PlanContext): TagPlan {
  const { resource, live } = input;
  const desired = objectAt(resource.record, 'tags');
  const liveTags = objectAt(live.record, 'tags');
  const ignored = ignoredTags(resource.lifecycle, shape, { ...liveTags, ...desired });
  return planTags({
    desired,
    live: liveTags,
    protect: resource.lifecycle.protect,
    claim: (key) => claims.at(['tags', key]),
    partTag,
    ignored: (key) => ignored.has(key),
  });
}

/** Compares the declared value of a secret with what the platform shows instead of the unrevealed one. */
function comparedWithShown(
  { ref, record }: DesiredResource,
  { shown }: LiveResource,
  shape: ObjectShape,
  { org }: PlanContext,
): 'same' | 'other' | 'unknown' {
  const name = hiddenField(ref.kind) ?? '';
  const [field, declared] = [shape.fields.get(name), own(record, name)];
  if (shown === undefined || field === undefined || declared === undefined) return 'unknown';
  return shown.comparedWith(field, declared, contextOf(ref, org));
}

/**
 * An unreadable value can only be written whole, so it is not written if a part of it is to stay unchanged
 * (`lifecycle.ignore`). On a platform without `$replace`, the declaration is merged into the live value.
 */
function secretPatch(
  { record, lifecycle }: DesiredResource,
  shape: ObjectShape,
  snapshot: Snapshot,
): JsonObject | undefined {
  const directive = mayReplace(directivesOf(snapshot)) ? replaces : '';
  const ignored = parsePatterns(lifecycle.ignore);
  const patch: Record<string, JsonValue> = {};
  for (const name of shapeFacts(shape).sensitive) {
    const value = record[name];
    if (value !== undefined && patternsBelow(ignored, name).length === 0) put(patch, `${directive}${name}`, value);
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

function secretFields(secret: JsonObject | undefined): readonly FieldChange[] {
  const names = Object.keys(secret ?? {}).map((name) => name.replace(replaces, ''));
  return names.map((path) => ({ path, new: { sensitive: true, changed: true } }));
}

function tagFields(tags: TagPlan, live: JsonObject, of: Sensitivity): readonly FieldChange[] {
  const liveTags = objectAt(live, 'tags');
  const inTags = sensitivityOfMember(of, 'tags');
  const path = (key: string): string => formatPath(of.shape, { tags: { ...liveTags, ...tags.set } }, ['tags', key]);
  const shown = (key: string, old: JsonValue | undefined, next: JsonValue | undefined): FieldChange =>
    shownChange(sensitivityOfMember(inTags, key), path(key), { old, new: next });
  const set = Object.entries(tags.set).map(([key, value]) => {
    const old = Object.hasOwn(liveTags, key) ? liveTags[key] : undefined;
    return shown(key, old, value);
  });
  const dropped = tags.drop.map((key) => shown(key, liveTags[key] ?? null, undefined));
  return [...set, ...dropped];
}

function reasonOf(cause: Cause | undefined, secret: JsonObject | undefined, claimsDiffer: boolean): string {
  if (cause === undefined && claimsDiffer) return 'other stacks claim items of it: what each declares is recorded';
  if (cause === undefined) return 'its reference to the replaced resource is removed, and written again afterwards';
  const [written] = Object.keys(secret ?? {});
  const how =
    written?.startsWith(replaces) === true ? 'it is written as a whole' : 'all that is declared of it is written';
  const unread = written === undefined ? '' : `; its value is not revealed, so ${how}`;
  return `${describeCause(cause)}${unread}`;
}

interface RecordDiffInput {
  readonly resource: DesiredResource;
  readonly live: JsonObject;
  readonly desired: JsonObject;
  /** Absent if the stack has set nothing in it before. */
  readonly claims?: FieldClaims;
  /** How the platform stored `live`; absent if unknown or not live. */
  readonly stored?: StoredForms;
  readonly planning: PlanContext;
}

interface RecordDiff {
  /** Undefined if nothing differs. */
  readonly patch: JsonObject | undefined;
  /** The record after the change; the live one if nothing differs. */
  readonly target: JsonObject;
  /** `target` in normal form. */
  readonly proof: JsonObject;
  readonly fields: readonly FieldChange[];
  /** Findings that are reported but not changed. */
  readonly notes: readonly Note[];
}

/** The smallest proven patch for one record, given the facts of earlier writes. */
export function diffRecord({ resource, desired, claims, stored, planning, ...given }: RecordDiffInput): RecordDiff {
  const { kind } = resource.ref;
  const directives = directivesOf(planning.snapshot);
  // A list that is written as a whole cannot contain the nulls that a platform shows for absent items.
  const live = writesWholeLists(directives) ? membersWithoutNulls(shapeOf(kind, given.live), given.live) : given.live;
  const { lifecycle } = resource;
  const context = contextOf(resource.ref, planning.org);
  const notes: Note[] = [];
  const found = diff(kind, live, desired, {
    context,
    directives,
    ignore: lifecycle.ignore ?? [],
    untyped: lifecycle.untyped ?? [],
    ...present({ wasSet: claims?.wasSet, stored }),
    revertOperational: planning.options.revertOperational === true,
    report: (note) => notes.push(note),
  });
  if (claims !== undefined) notes.push(...laterNotes(claims));
  if (found === undefined) return { patch: undefined, target: live, proof: live, fields: [], notes };
  return {
    patch: found.patch,
    target: found.target,
    proof: found.proof,
    fields: fieldChanges(sensitivityOf(resource, live), live, found.target, context),
    notes,
  };
}
