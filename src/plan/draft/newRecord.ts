import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  mapMembers,
  objectAt,
  own,
  sameJson,
} from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { compact, present } from '../../base/json/present.ts';
import { compareText } from '../../base/text/compareText.ts';
import { firstOf } from '../../base/text/firstOf.ts';
import { equalValues } from '../../kinds/equal.ts';
import { normalise } from '../../kinds/normalise.ts';
import type { Reference } from '../../kinds/references.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { Body } from '../../manifest/model/body.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { appliedTag, ownerTag, ownTagPrefix } from '../../manifest/model/ownTags.ts';
import { fieldChanges } from '../../patch/fieldChanges.ts';
import { parsePatterns } from '../../patch/place.ts';
import { recreated } from '../../patch/recreated.ts';
import { isContainer } from '../../schema/record/kinds.ts';
import { contextOf, formatRef, type RecordContext } from '../../schema/record/ref.ts';
import { formatPath } from '../../schema/shape/paths.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import type { Refusal } from '../model/change.ts';
import { type Draft, type DraftParts, makeDraft, waiting } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import {
  type Claim,
  type Claims,
  declaredTags,
  hasParts,
  isInDoubt,
  isUnasked,
  laterAlone,
  mayRemove,
  partsAnew,
  ruleDeclared,
  underNewName,
  whyItStays,
} from '../record/claims.ts';
import { type FieldClaims, laterNotes, type Note } from '../record/fieldClaims.ts';
import { type ItemPath, placesOf, tagHash } from '../record/items.ts';
import { appliedOf, type Hold } from '../record/ownership.ts';
import { replacingTag } from '../record/replacementMark.ts';
import { answered, bodiesOf, sensitivityOf, withoutFields, withValue } from '../record/shapeFacts.ts';
import { firstVersion, versionAfter } from '../record/version.ts';
import { withoutItems } from './mergePart.ts';
import { isUnder, leaveToOthers, noOthers } from './partsOfOthers.ts';
import { type FieldsSet, fieldsSet, recordTags, sharedBy } from './recordTags.ts';
import { diffRecord } from './update.ts';

interface NewRecord {
  /** The record that the response must equal. */
  readonly record: JsonObject;
  /** The request body, including values of others that the platform may choose anew. */
  readonly whole: JsonObject;
  readonly tags: NewTags;
  /** The paths of values taken over that no manifest declares. */
  readonly carries: readonly string[];
  readonly notes: readonly Note[];
  /** Refuses to take items from stacks that own a part of the record under the same name. */
  readonly refusals: readonly Refusal[];
  readonly inDoubt?: true;
}

/**
 * The declaration plus the values taken over from the record that it replaces, including others' parts if the name is
 * the same.
 */
export function newRecord(resource: DesiredResource, from: LiveResource | undefined, planning: PlanContext): NewRecord {
  if (from === undefined) {
    const fields = fieldsSet(resource, shapeOf(resource.ref.kind, resource.record), {}, undefined, planning);
    const tags = { declared: tagsOf(resource, resource.record), foreign: {}, held: [], fields };
    return { record: resource.record, whole: resource.record, tags, carries: [], notes: [], refusals: [] };
  }
  const shape = shapeOf(resource.ref.kind, resource.record);
  const claims = planning.claims(from, appliedOf(planning.ownership(from)));
  const isSame = from.id === resource.id;
  // Items that only others declare are not this stack's to carry over to another name.
  const source = { ...from, record: withoutOthersItems(resource, from, claims, planning) };
  const carried = carryOver(resource, source, shape, planning);
  const declared = tagsOf(resource, carried.record);
  const claimAt = (path: ItemPath): Claim => (isSame ? claims.at(path) : underNewName(claims.at(path)));
  const foreign = foreignTags(from, claimAt);
  const stayed = Object.keys(foreign).filter((key) => !Object.hasOwn(declared, key));
  const ended = [
    ...stayed.map((key) => ['tags', key]),
    ...(isSame ? [] : othersItems(resource, { ref: resource.ref, record: carried.whole }, claims, planning)),
  ].filter((path) => laterAlone(claimAt(path)) !== undefined);
  const fields = fieldsSet(
    resource,
    shape,
    carried.whole,
    { live: from, claims: carried.claims, isShared: sharedBy(claims) },
    planning,
  );
  const later = ended.map((path) => laterAlone(claimAt(path)));
  const unasked = Object.keys(declared).some((key) => isUnasked(claims.at(['tags', key]), true));
  const doubt = isInDoubt(later, carried.claims) || fields.inDoubt || unasked ? { inDoubt: true as const } : {};
  const carriedNotes = [...carried.notes, ...ended.map((path) => whyItStays(path, claimAt(path)))];
  const found = Object.keys(declared).filter((key) => isFound(key, declared, from, claims));
  const held = found.map((key): [string, Hold] => [claims.hashOf(['tags', key]), 'found']);
  if (!isSame) {
    const { record, whole } = carried;
    const tags = { declared, foreign, held, fields };
    const carries = carriedPaths(resource, whole, tags, planning);
    return { record, whole, tags, carries, notes: carriedNotes, refusals: [], ...doubt };
  }
  const isShared = hasParts(objectAt(from.record, 'tags'));
  const leave = (record: JsonObject) =>
    isShared ? leaveToOthers(resource, from, record, claims, planning) : { record, ...noOthers };
  const left = leave(carried.record);
  const whole = carried.whole === carried.record ? left.record : leave(carried.whole).record;
  const parts = partsAnew(from, { owner: planning.options.owner, org: planning.org }, claims, left.others);
  const tags = { declared, foreign: { ...foreign, ...parts.tags }, held: [...held, ...left.holds], fields };
  return {
    record: left.record,
    whole,
    tags,
    carries: carriedPaths(resource, whole, tags, planning),
    notes: [...carriedNotes, ...left.notes],
    ...(left.inDoubt(true) || parts.inDoubt ? { inDoubt: true as const } : doubt),
    refusals: left.conflictsIn({ ...left.record, tags: { ...foreign, ...declared } }),
  };
}

/**
 * The record without the items that other stacks' parts set, or found under the same name, unless this stack declares
 * them or ignores them beside its own claim. Under another name, later values of others stay.
 */
function withoutOthersItems(
  resource: DesiredResource,
  { id: before, ref, record }: LiveResource,
  claims: Claims,
  planning: PlanContext,
): JsonObject {
  const isTheirs = (path: ItemPath): boolean => resource.id === before || mayRemove(underNewName(claims.at(path)));
  const theirs = othersItems(resource, { ref, record }, claims, planning).filter(isTheirs);
  if (theirs.length === 0) return record;
  const context = contextOf(ref, planning.org);
  return withoutItems(
    shapeOf(ref.kind, record),
    record,
    new Set(theirs.map(claims.hashOf)),
    context,
    planning.options.hash,
  );
}

/** The items of a record that others claim, unless this stack declares them or ignores them beside its own claim. */
function othersItems(
  { record: declared, lifecycle }: DesiredResource,
  { ref, record }: Pick<LiveResource, 'ref' | 'record'>,
  { at, parts, hashOf }: Claims,
  { org }: PlanContext,
): readonly ItemPath[] {
  if (parts.size === 0) return [];
  const [shape, context, ignored] = [shapeOf(ref.kind, record), contextOf(ref, org), parsePatterns(lifecycle.ignore)];
  const mine = new Set(placesOf(shape, declared, context).map(hashOf));
  return placesOf(shape, record, context).filter((path) => {
    const { mine: hold, others } = at(path);
    return (
      path[0] !== 'tags' &&
      others.length > 0 &&
      !mine.has(hashOf(path)) &&
      !(hold !== undefined && isUnder(ignored, path))
    );
  });
}

function carriedPaths(
  resource: DesiredResource,
  whole: JsonObject,
  { declared, foreign }: NewTags,
  planning: PlanContext,
): readonly string[] {
  const { ref, record, lifecycle } = resource;
  const said = declaredTags(objectAt(record, 'tags'), lifecycle.protect);
  const context = contextOf(ref, planning.org);
  const [before, after] = [
    { ...record, tags: said },
    { ...whole, tags: { ...foreign, ...declared } },
  ];
  const changes = fieldChanges(sensitivityOf(resource), before, after, context);
  return changes.map(({ path }) => path).sort(compareText);
}

/** The draft fields of a creation that describe the preceding record. */
export function takingOver(
  { carries }: Pick<NewRecord, 'carries'>,
  { options }: PlanContext,
): Pick<DraftParts, 'carries' | 'unmarked'> {
  if (carries.length === 0) return {};
  return { carries, ...(options.allowUnmarked === true ? { unmarked: true as const } : {}) };
}

/** Whether the tag existed with the same value and no claimant had set it. */
function isFound(key: string, declared: JsonObject, { record }: LiveResource, { at }: Claims): boolean {
  const before = own(objectAt(record, 'tags'), key);
  if (before === undefined || String(before) !== String(own(declared, key))) return false;
  return ruleDeclared(at(['tags', key]), true, false).hold === 'found';
}

interface CreateBodies {
  readonly create: Body;
  readonly expected: Body;
  readonly result: JsonObject;
  readonly then?: Body;
  readonly expectedThen?: Body;
  readonly later?: readonly Reference[];
}

/** The tags of a new record: declared ones, and foreign ones that are carried over. */
interface NewTags {
  readonly declared: JsonObject;
  readonly foreign: JsonObject;
  /** Claims that are carried over; this stack sets all other declared tags. */
  readonly held: readonly (readonly [string, Hold])[];
  readonly fields: FieldsSet;
}

/** `before` is the record that it replaces. */
export function createBodies(
  resource: DesiredResource,
  { record, whole, tags: { declared, foreign, held, fields } }: Pick<NewRecord, 'record' | 'whole' | 'tags'>,
  before: JsonObject | undefined,
  planning: PlanContext,
): CreateBodies {
  const { kind } = resource.ref;
  const context = contextOf(resource.ref, planning.org);
  const shape = shapeOf(kind, record);
  const later = isContainer(kind)
    ? planning
        .desiredReferences(resource)
        .filter(({ strength, target }) => strength === 'second-step' && planning.desired.has(formatRef(target)))
    : [];
  const ownTags = Object.keys(declared).map((key): [string, Hold] => [tagHash(key, planning.options.hash), 'set']);
  const recorded = { holds: new Map([...ownTags, ...held]), fields, after: whole };
  const tagsAt = (version: number): JsonObject => ({
    ...foreign,
    ...declared,
    ...recordTags(resource, recorded, shape, version, planning),
  });
  const mask = bodiesOf(resource, before);
  const expect = (proof: JsonObject, after: JsonObject): Body => mask({ ...answered(shape, proof), tags: after });

  const postponed = later.map((reference) => reference.pointer);
  const first = withoutFields(whole, postponed);
  const stored = normalise(kind, whole === record ? first : withoutFields(record, postponed), context);
  const created = tagsAt(firstVersion);
  const afterwards = whole === record && later.length === 0 ? stored : normalise(kind, whole, context);
  const bodies = {
    create: mask({ ...first, tags: created }),
    expected: expect(stored, created),
    result: { ...afterwards, tags: created },
  };
  if (later.length === 0) return bodies;

  const second = diffRecord({ resource, live: stored, desired: record, planning });
  if (second.patch === undefined) return bodies;
  const changed = tagsAt(versionAfter(firstVersion));
  const then = { ...second.patch, tags: { [appliedTag]: changed[appliedTag] ?? '' } };
  return { ...bodies, then: mask(then), expectedThen: expect(second.proof, changed), later };
}

/** The declared tags, with the values taken over. */
function tagsOf({ record, lifecycle }: DesiredResource, carried: JsonObject): JsonObject {
  const [declared, values] = [objectAt(record, 'tags'), objectAt(carried, 'tags')];
  const tags = Object.entries(declared).map(([key, value]) => [key, own(values, key) ?? value] as const);
  return declaredTags(Object.fromEntries(tags), lifecycle.protect);
}

/**
 * Tags of others survive a replacement; the platform sets its own tags again. Other stacks' parts do not move to
 * another name, so neither do their tags.
 */
function foreignTags({ record }: LiveResource, claimAt: Claims['at']): JsonObject {
  return mapMembers(objectAt(record, 'tags'), (value, key) => {
    if (key.startsWith(ownTagPrefix) || key.startsWith('scheme/')) return undefined;
    return mayRemove(claimAt(['tags', key])) ? undefined : value;
  });
}

/** Values that a new record carries over from the live record that it replaces. */
interface CarriedOver {
  readonly record: JsonObject;
  /** `record` plus undeclared values of fields unknown to the schema. */
  readonly whole: JsonObject;
  readonly claims: FieldClaims;
  readonly notes: readonly Note[];
}

/**
 * The declared record, plus the live values under `lifecycle.ignore`, values that others wrote into fields unknown to
 * the schema, and undeclared operational values unless they are to be reverted.
 */
function carryOver(
  resource: DesiredResource,
  live: LiveResource,
  shape: ObjectShape,
  planning: PlanContext,
): CarriedOver {
  const context = contextOf(live.ref, planning.org);
  const claims = planning.fieldClaims(live, appliedOf(planning.ownership(live)));
  const { record, whole } = recreated(shape, live.record, resource.record, {
    context,
    ignore: resource.lifecycle.ignore ?? [],
    wasSet: claims.wasSet,
  });
  const switched = planning.options.revertOperational
    ? []
    : switchedByOperators({ shape, pointer: [] }, live.record, record, context);
  const withSwitched = (carried: JsonObject): JsonObject =>
    switched.reduce((result, { pointer, value }) => withValue(result, pointer, value), carried);
  return {
    record: withSwitched(record),
    whole: withSwitched(whole),
    claims,
    notes: compact([
      foreignNote(shape, record, whole),
      ...laterNotes(claims),
      ...switched.map(
        ({ pointer, value }) =>
          `${formatPath(shape, live.record, pointer)} stays ${JSON.stringify(value)}: not ` +
          'declared, so operators decide (--revert-operational resets it)',
      ),
    ]),
  };
}

function foreignNote(shape: ObjectShape, record: JsonObject, whole: JsonObject): string | undefined {
  const paths = addedIn(record, whole, []).map((pointer) => formatPath(shape, whole, pointer));
  return paths.length === 0 ? undefined : `carried over, although it is not declared here: ${firstOf(paths, 10)}`;
}

/** The places that only `after` has. */
function addedIn(before: JsonValue, after: JsonValue, place: Pointer): readonly Pointer[] {
  if (before === after) return [];
  if (isObject(before) && isObject(after)) {
    return Object.keys(after).flatMap((name) => {
      const [old, next] = [own(before, name), own(after, name)];
      const at = [...place, name];
      return next === undefined ? [] : old === undefined ? [at] : addedIn(old, next, at);
    });
  }
  if (isArray(before) && isArray(after)) {
    return after.flatMap((item, index) => {
      const old = before.find((each) => hasAllOf(item, each));
      return old === undefined ? [[...place, index]] : addedIn(old, item, [...place, index]);
    });
  }
  return [];
}

function hasAllOf(after: JsonValue | undefined, before: JsonValue): boolean {
  if (isObject(before) && isObject(after)) {
    return Object.entries(before).every(([name, value]) => hasAllOf(own(after, name), value));
  }
  if (isArray(before) && isArray(after)) {
    return before.every((item) => after.some((each) => hasAllOf(each, item)));
  }
  return after !== undefined && sameJson(after, before);
}

interface Switched {
  readonly pointer: Pointer;
  readonly value: JsonValue;
}

/** Outside of lists only: a value switched in an old list item may not fit the new item. */
function switchedByOperators(
  { shape, pointer }: { readonly shape: ObjectShape; readonly pointer: readonly string[] },
  live: JsonObject,
  declared: JsonObject,
  context: RecordContext,
): readonly Switched[] {
  return [...shape.fields].flatMap(([name, field]): readonly Switched[] => {
    const [before, wanted] = [own(live, name), own(declared, name)];
    const here = [...pointer, name];
    if (field.type === 'object' && isObject(before) && field.facts.responseOnly !== true) {
      return switchedByOperators({ shape: field, pointer: here }, before, isObject(wanted) ? wanted : {}, context);
    }
    const isSwitched = field.facts.fill === 'operational' && before !== undefined && wanted === undefined;
    return isSwitched && !equalValues(field, before, undefined, context) ? [{ pointer: here, value: before }] : [];
  });
}

/** A DELETE and a POST, because something cannot be changed in place. */
export function draftReplace(
  resource: DesiredResource,
  live: LiveResource,
  reason: string,
  planning: PlanContext,
): Draft {
  const created = newRecord(resource, live, planning);
  const { whole, notes, tags, refusals, inDoubt } = created;
  const after = { ...whole, tags: { ...tags.foreign, ...tags.declared } };
  return makeDraft(
    { id: resource.id, ref: resource.ref, desired: resource, live },
    {
      action: 'replace',
      reason,
      fields: fieldChanges(
        sensitivityOf(resource, live.record),
        withoutOwn(live.record),
        normalise(resource.ref.kind, after, contextOf(resource.ref, planning.org)),
      ),
      ...createBodies(resource, created, live.record, planning),
      ...takingOver(created, planning),
      ...waiting(resource, planning.options),
      ...present({ inDoubt }),
      refusals,
      notes,
    },
  );
}

function withoutOwn(record: JsonObject): JsonObject {
  const tags = withoutFields(objectAt(record, 'tags'), [[ownerTag], [appliedTag], [replacingTag]]);
  return own(record, 'tags') === undefined ? record : { ...record, tags };
}
