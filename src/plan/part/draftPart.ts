import { objectAt, sameJson, stringAt } from '../../base/json/json.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { partTagOf } from '../../manifest/model/partTag.ts';
import { diff } from '../../patch/diff.ts';
import { contextOf } from '../../schema/record/context.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';
import {
  beginsInDoubt,
  type Claimant,
  type Claims,
  goesOnInDoubt,
  isInDoubt,
  othersTags,
  whyItStays,
} from '../claims/claims.ts';
import { type ItemPath, ownValueAt } from '../claims/items.ts';
import { asSpelled } from '../claims/tagPlan.ts';
import { type Cause, describeCause } from '../model/cause.ts';
import type { Refusal } from '../model/change.ts';
import { type Draft, makeDraft } from '../model/draft.ts';
import { firstCause } from '../model/firstCause.ts';
import { directivesOf, type PlanContext } from '../model/planContext.ts';
import { refuse } from '../model/refusal.ts';
import { type Holds, readApplied } from '../record/ownership.ts';
import { sensitivityOfLive } from '../record/sensitivityOf.ts';
import { conflicts, pathText } from './conflicts.ts';
import { type MergedPart, mergePart } from './mergePart.ts';
import { partFields } from './partFields.ts';
import { refusePart } from './partRefusals.ts';
import { type PartWrite, partWrite } from './partWrite.ts';

/**
 * What becomes of a declared part (`lifecycle.part`): the items that it declares are added or changed, those that the
 * stack owns and no longer declares are taken out. The resource itself is never made, never deleted, and nothing else
 * of it is touched.
 */
export function draftPart(resource: DesiredResource, planning: PlanContext): Draft {
  const live = planning.snapshot.resources.get(resource.id);
  const of = { id: resource.id, ref: resource.ref, desired: resource, ...(live === undefined ? {} : { live }) };
  const refused = (refusal: Refusal): Draft =>
    makeDraft(of, { action: 'patch', part: true, reason: 'a part of it is declared', refusals: [refusal] });

  const hidden = planning.hidden(resource.ref);
  if (hidden !== undefined) return refused(refuse.hidden(resource.id, hidden));
  if (live === undefined) return refused(refusePart.absent(resource.id));
  if (planning.carriesOwner(live) && planning.ownership(live).state !== 'copy') return refused(refusePart.owned());
  if (partTagOf(planning.options.owner) === undefined) return refused(refusePart.ownerTooLong());

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

/** What no write recorded yet was never written by this stack: it is new in the code. */
function partCause(
  fields: Draft['fields'],
  resource: DesiredResource,
  live: LiveResource,
  { options }: PlanContext,
): Cause | undefined {
  const recorded = readApplied(stringAt(objectAt(live.record, 'tags'), partTagOf(options.owner) ?? '') ?? '');
  return firstCause(fields, { resource, live, applied: recorded ?? live, wasSet: () => true });
}

/** A part that is no longer declared: its items go, and so does the tag. Undefined: this stack owns no part of it. */
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
  /** Undefined: there is nothing to write, or it cannot be. */
  readonly write: PartWrite | undefined;
  readonly fields: Draft['fields'];
  readonly refusals: readonly Refusal[];
  readonly notes: readonly string[];
  readonly doubt: Pick<Draft, 'inDoubt'>;
}

const nothing: Holds = new Map();

/** `adopting`: items that are there already, and that no other stack claims, become ours. */
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
  // What is left out of the whole record is left out by this stack.
  const options = { context, directives: directivesOf(snapshot), wasSet: () => true };
  const found = diff(live.ref.kind, live.record, wanted, options);

  const sensitivity = sensitivityOfLive(live.ref, live.record, declared);
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
    isInDoubt(merged.released.map((path) => claims.at(path).later)) ||
    merged.fixed.some(({ path, as }) => as === 'item' && beginsInDoubt(claims.at(path))) ||
    (write !== undefined && merged.claimed.some(({ path }) => goesOnInDoubt(claims.at(path)) && isSame(path)));
  const tooMany = write === 'too-many' ? [refusePart.tooMany(claimed.size)] : [];
  return {
    write: write === 'too-many' ? undefined : write,
    fields: partFields({ ...of, sensitivity }, merged.record),
    refusals: [...conflicts(of, merged.fixed), ...tooMany],
    notes: notesOf(merged, claims),
    doubt: isDoubtful ? { inDoubt: true } : {},
  };
}

function notesOf({ fixed, released }: MergedPart, claims: Claims): readonly string[] {
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
