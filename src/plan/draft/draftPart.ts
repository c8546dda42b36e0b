import { isObject, type JsonObject, objectAt, own, sameJson, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { Body } from '../../manifest/model/body.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { partTagOf } from '../../manifest/model/ownTags.ts';
import { type Diff, diff } from '../../patch/diff.ts';
import { fieldChanges } from '../../patch/fieldChanges.ts';
import { bySchema, type Sensitivity } from '../../patch/shouldMask.ts';
import { contextOf, linkOf } from '../../schema/record/ref.ts';
import { type Collection, waysToCollections } from '../../schema/shape/ownableCollections.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import { type Cause, describeCause } from '../model/cause.ts';
import { type FieldChange, isHidden, type Refusal } from '../model/change.ts';
import { type Draft, makeDraft } from '../model/draft.ts';
import { firstCause } from '../model/firstCause.ts';
import { directivesOf, type PlanContext } from '../model/planContext.ts';
import { refuse } from '../model/refusal.ts';
import {
  asSpelled,
  type Claimant,
  type Claims,
  isInDoubt,
  isUnasked,
  laterAlone,
  type OthersTags,
  othersTags,
  tagPatch,
  whyItStays,
} from '../record/claims.ts';
import type { Note } from '../record/fieldClaims.ts';
import { type ItemPath, itemsOf, ownValueAt } from '../record/items.ts';
import { type Holds, readApplied, writePart } from '../record/ownership.ts';
import { answered, maskRecord, sensitivityOf } from '../record/shapeFacts.ts';
import { versionAfter } from '../record/version.ts';
import { type BeforeAndAfter, conflicts, type MergedPart, mergePart, pathText, refusePart } from './mergePart.ts';

/**
 * The draft of a declared part (`lifecycle.part`): declared items are added or changed, owned items that are no longer
 * declared are removed. The resource itself is never created or deleted, and the rest of it stays unchanged.
 */
export function draftPart(resource: DesiredResource, planning: PlanContext): Draft {
  const live = planning.snapshot.resources.get(resource.id);
  const of = { id: resource.id, ref: resource.ref, desired: resource, ...present({ live }) };
  const refused = (refusal: Refusal): Draft =>
    makeDraft(of, { action: 'patch', part: true, reason: 'a part of it is declared', refusals: [refusal] });

  const hidden = planning.hidden(resource.ref);
  if (hidden !== undefined) return refused(refuse.hidden(resource.id, hidden));
  if (live === undefined) return refused(refusePart.absent(resource.id));
  if (planning.carriesOwner(live) && planning.ownership(live).state !== 'copy') return refused(refusePart.owned());
  if (planning.partTag === undefined) return refused(refusePart.ownerTooLong());

  const adopting = planning.options.adopt || resource.lifecycle.adopt === true;
  const { write, fields, refusals, notes, doubt } = changePart(live, resource, adopting, planning);
  if (write === undefined && refusals.length === 0) {
    const kept = makeDraft(of, { action: 'keep', part: true, reason: '', ...doubt, notes });
    return planning.claims(live).mine === undefined ? { ...kept, unchecked: true } : kept;
  }
  const cause = partCause(fields, resource, live, planning);
  const because = cause === undefined ? {} : { cause, reason: `this stack's part: ${describeCause(cause)}` };
  const reason = 'a part of it is declared';
  return makeDraft(of, {
    action: 'patch',
    reason,
    ...write,
    ...because,
    ...doubt,
    part: true,
    fields,
    refusals,
    notes,
  });
}

/** A field without a recorded write was never written by this stack: it is new in the code. */
function partCause(
  fields: Draft['fields'],
  resource: DesiredResource,
  live: LiveResource,
  { partTag = '' }: PlanContext,
): Cause | undefined {
  const recorded = readApplied(stringAt(objectAt(live.record, 'tags'), partTag) ?? '');
  return firstCause(fields, { resource, live, applied: recorded ?? live, wasSet: () => true });
}

/** Removes the items and the tag of a part that is no longer declared. Undefined if this stack owns no part of it. */
export function draftPartRemoval(live: LiveResource, planning: PlanContext): Draft | undefined {
  const { options } = planning;
  if (planning.claims(live).mine === undefined) return undefined;
  const of = { id: live.id, ref: live.ref, live };
  if (options.scope === 'partial' && !options.prune) {
    const notes = ['a part of it is not declared here'];
    return { ...makeDraft(of, { action: 'keep', part: true, reason: '', notes }), unchecked: true };
  }
  const { write, fields, refusals, notes, doubt } = changePart(live, undefined, false, planning);
  const reason = 'its part is no longer declared';
  return write && makeDraft(of, { ...write, ...doubt, reason, part: true, fields, refusals, notes });
}

interface PartChange {
  /** Undefined if there is nothing to write, or writing is refused. */
  readonly write: PartWrite | undefined;
  readonly fields: Draft['fields'];
  readonly refusals: readonly Refusal[];
  readonly notes: readonly Note[];
  readonly doubt: Pick<Draft, 'inDoubt'>;
}

const nothing: Holds = new Map();

/** With `adopting`, existing items that no other stack claims become ours. */
function changePart(
  live: LiveResource,
  declared: DesiredResource | undefined,
  adopting: boolean,
  planning: PlanContext,
): PartChange {
  const { snapshot, org } = planning;
  const context = contextOf(live.ref, org);
  const shape = shapeOf(live.ref.kind, live.record);
  const claims = declared === undefined ? planning.claims(live) : planning.partClaims(live);
  const { mine = nothing } = claims;
  const part = { shape, context, claimAt: claims.at, taking: adopting };
  const merged = mergePart(part, live.record, declared?.record ?? {});
  const liveTags = objectAt(live.record, 'tags');
  const tags = asSpelled(objectAt(merged.record, 'tags'), liveTags);
  const wanted = { ...merged.record, tags: liveTags };
  // An item missing from the whole record was removed by this stack.
  const options = { context, directives: directivesOf(snapshot), wasSet: () => true };
  const found = diff(live.ref.kind, live.record, wanted, options);

  const sensitivity = declared === undefined ? bySchema(shape) : sensitivityOf(declared, live.record);
  const of = { shape, context, live: live.record, target: { ...(found?.target ?? live.record), tags } };
  const isSame = (path: ItemPath): boolean =>
    sameJson(ownValueAt(shape, of.live, path, context), ownValueAt(shape, of.target, path, context));
  const claimed = new Map(
    merged.claimed.map(({ path, hold }) => [claims.hashOf(path), hold === 'set' || isSame(path) ? hold : 'set']),
  );
  const released = merged.released.length > 0;
  const ended = new Set(merged.added.map(claims.hashOf));
  const others = othersTags(live, claims, { ended, passed: new Set() });
  const isMoving = declared !== undefined && planning.former !== undefined;
  const former = isMoving ? partTagOf(planning.former) : undefined;
  const write = partWrite(
    { sensitivity, shape, live, found, tags, mine, claimed, released, adopting, former, others },
    planning,
  );
  const isDoubtful =
    isInDoubt(merged.released.map((path) => laterAlone(claims.at(path)))) ||
    [...merged.claimed, ...merged.fixed].some(
      ({ path }) => isUnasked(claims.at(path), write !== undefined) && isSame(path),
    );
  const tooMany = write === 'too-many' ? [refusePart.tooMany(claimed.size)] : [];
  return {
    write: write === 'too-many' ? undefined : write,
    fields: partFields({ ...of, sensitivity }, merged.record),
    refusals: [...conflicts(of, merged.fixed), ...tooMany],
    notes: notesOf(merged, claims),
    doubt: isDoubtful ? { inDoubt: true } : {},
  };
}

function notesOf({ fixed, released }: MergedPart, claims: Claims): readonly Note[] {
  const shared = fixed
    .filter((item) => item.as === 'item')
    .map(({ path, whose }) => {
      const isFound = whose.length === 0;
      return isFound
        ? `${pathText(path)} already exists, and stays when this part is removed`
        : `${pathText(path)} is declared by ${stacksOf(whose)} too`;
    });
  return [...shared, ...released.map((path) => whyItStays(path, claims.at(path)))];
}

function stacksOf(claimants: readonly Claimant[]): string {
  return claimants.map(({ stack }) => stack).join(', ');
}

/**
 * The changes of a part, for display. Sets and lists without keys are shown item by item: others' items do not concern
 * this stack, and may change between the approval and the write. `merged` is the record with the items as declared, so
 * that they are shown the same regardless of other items.
 */
function partFields(
  of: BeforeAndAfter & { readonly sensitivity: Sensitivity },
  merged: JsonObject,
): readonly FieldChange[] {
  const lists = new Map(plainLists(of.shape, of.live, merged, []).map((list) => [pathText(list.path), list]));
  return fieldChanges(of.sensitivity, of.live, of.target, of.context).flatMap((change) => {
    const list = lists.get(change.path);
    const isWhole = list === undefined || isHidden(change.old) || isHidden(change.new);
    return isWhole ? [change] : itemChanges(list, of);
  });
}

interface PlainList {
  readonly path: ItemPath;
  readonly collection: Collection;
  readonly live: JsonObject;
  readonly target: JsonObject;
}

function plainLists(shape: ObjectShape, live: JsonObject, target: JsonObject, path: ItemPath): readonly PlainList[] {
  return [...waysToCollections(shape)].flatMap(([name, way]): readonly PlainList[] => {
    const [before, after] = [own(live, name), own(target, name)];
    const inside = [...path, name];
    if (way.type === 'object') {
      return plainLists(way, isObject(before) ? before : {}, isObject(after) ? after : {}, inside);
    }
    const isPlain = way.type === 'list' && way.facts.list?.class !== 'keyed';
    return isPlain ? [{ path: inside, collection: way, live, target }] : [];
  });
}

function itemChanges(
  { path, collection, live, target }: PlainList,
  { context }: BeforeAndAfter,
): readonly FieldChange[] {
  const name = path.at(-1) ?? '';
  const before = itemsOf(collection, own(live, name), context);
  const after = itemsOf(collection, own(target, name), context);
  const isIn = (items: typeof before, key: string | undefined): boolean => items.some((item) => item.key === key);
  const at = (key: string | undefined): string => pathText([...path, key ?? '']);
  return [
    ...before.filter(({ key }) => !isIn(after, key)).map(({ key, value }) => ({ path: at(key), old: value })),
    ...after.filter(({ key }) => !isIn(before, key)).map(({ key, value }) => ({ path: at(key), new: value })),
  ];
}

interface PartWriteInput {
  readonly shape: ObjectShape;
  readonly sensitivity: Sensitivity;
  readonly live: LiveResource;
  /** The changes except for tags. */
  readonly found: Diff | undefined;
  /** All tags after the write. */
  readonly tags: JsonObject;
  readonly mine: Holds;
  /** The claims of the stack afterwards. */
  readonly claimed: Holds;
  /** Whether a claim on a remaining item ends. */
  readonly released: boolean;
  readonly adopting: boolean;
  /** The tag that recorded the part under the stack's former name. */
  readonly former: string | undefined;
  /** The changes to the tags of other stacks; only sent together with a change of ours. */
  readonly others: OthersTags;
}

interface PartWrite {
  readonly action: 'patch' | 'adopt';
  readonly reason: string;
  readonly patch: Body;
  readonly expected: Body;
  /** The whole record afterwards. */
  readonly result: JsonObject;
}

/** The PATCH of a part with its tag; undefined if there is nothing to write. */
function partWrite(input: PartWriteInput, planning: PlanContext): PartWrite | 'too-many' | undefined {
  const { shape, sensitivity, live, found, claimed, mine, released, adopting, former } = input;
  const { options, org } = planning;
  const { partTag: tag = '' } = planning;
  const liveTags = objectAt(live.record, 'tags');
  const facts = { link: linkOf(live.ref, org), version: versionAfter(live.version), holds: claimed };
  const text = claimed.size === 0 ? undefined : writePart(facts, options.hash);
  if (claimed.size > 0 && text === undefined) return 'too-many';

  const { set, drop } = changedTags(liveTags, input.tags);
  const isGivenUp = text === undefined && own(liveTags, tag) !== undefined;
  const isMoved = former !== undefined && own(liveTags, former) !== undefined;
  const isClaimed = isMoved || [...claimed].some(([item, hold]) => mine.get(item) !== hold);
  const differs = found !== undefined || tagPatch(set, drop) !== undefined;
  if (!differs && !isGivenUp && !isClaimed && !released) return undefined;

  const marks: JsonObject = { ...input.others.set, ...(text === undefined ? {} : { [tag]: text }) };
  const dropped = [...drop, ...input.others.drop, ...(isGivenUp ? [tag] : []), ...(isMoved ? [former] : [])];
  const tags = tagPatch({ ...set, ...marks }, dropped);
  const others = Object.fromEntries(
    Object.entries(input.tags).filter(([key]) => key !== tag && !dropped.includes(key)),
  );
  const mask = (document: JsonObject): Body => new Body(document, maskRecord(sensitivity, document));
  return {
    action: differs || isGivenUp || !isClaimed ? 'patch' : 'adopt',
    reason: differs
      ? 'a part of it is declared'
      : isGivenUp
        ? 'no part of it belongs to this stack any more'
        : !isClaimed
          ? 'this stack no longer declares some of its items, which stay'
          : adopting
            ? 'existing items become part of this stack'
            : 'this stack declares items that are there already',
    patch: mask({ id: live.uid, version: live.version, ...found?.patch, ...present({ tags }) }),
    expected: mask({ ...answered(shape, found?.proof ?? live.record), tags: { ...others, ...marks } }),
    result: { ...(found?.proof ?? live.record), tags: { ...others, ...marks } },
  };
}

function changedTags(
  live: JsonObject,
  target: JsonObject,
): { readonly set: JsonObject; readonly drop: readonly string[] } {
  return {
    set: Object.fromEntries(Object.entries(target).filter(([key, value]) => own(live, key) !== value)),
    drop: Object.keys(live).filter((key) => !Object.hasOwn(target, key)),
  };
}
