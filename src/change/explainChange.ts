import { isObject, type JsonObject, objectAt, own, sameJson } from '../base/json/json.ts';
import { compact, present } from '../base/json/present.ts';
import { valueThere } from '../base/json/valuesAt.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import type { LiveResource, Snapshot } from '../manifest/live/snapshot.ts';
import type { WriteEvent } from '../manifest/live/writer.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import { appliedTag, ownerTag } from '../manifest/model/ownTags.ts';
import { alternatives, type Choice, type Way } from '../patch/alternatives.ts';
import { applyPatch } from '../patch/applyPatch.ts';
import type { ReconcileOptions } from '../patch/reconcile.ts';
import { type Directives, writePatch } from '../patch/writePatch.ts';
import { type Change, type Edge, plannedAction } from '../plan/model/change.ts';
import type { Plan } from '../plan/model/plan.ts';
import { deletedBefore, directivesOf, makePlanContext, type PlanContext } from '../plan/model/planContext.ts';
import type { PlanOptions } from '../plan/model/planOptions.ts';
import { declaredTags, ignoredTags } from '../plan/record/claims.ts';
import { type AppliedRecord, appliedOf } from '../plan/record/ownership.ts';
import { unknownFields, withoutUnknown } from '../plan/record/platformValues.ts';
import { replacingTag } from '../plan/record/replacementMark.ts';
import { sensitivityOfLive, withoutFields } from '../plan/record/shapeFacts.ts';
import { contextOf, type RecordContext, type ResourceId } from '../schema/record/ref.ts';
import { holdsSensitive } from '../schema/shape/anywhere.ts';
import { quoted } from '../schema/shape/paths.ts';
import type { ObjectShape } from '../schema/shape/shape.ts';
import { explainDifference, explainVerdict, type FieldSources } from './explainFields.ts';
import {
  type ExplainedChoice,
  type ExplainedField,
  type ExplainedRequest,
  type ExplainedWay,
  type Explanation,
  isManaged,
  type Proof,
  type Reason,
} from './explanation.ts';
import { isCovered, judgeFields, resolveDerived, type Verdict } from './verdicts.ts';

/** A plan and its inputs. */
export interface Explainable {
  readonly plan: Plan;
  readonly desired: readonly DesiredResource[];
  readonly snapshot: Snapshot;
  readonly options: PlanOptions;
}

/** The sources that explain the fields of one change. */
export function sourcesOf(
  { planning, change, desired, live }: StudiedChange,
  writes: FieldSources['writes'],
): FieldSources {
  const wasSet = live === undefined ? () => false : planning.fieldClaims(live, appliedBefore(live, planning)).wasSet;
  return {
    shape: shapeOf(change.kind, desired?.record ?? live?.record),
    sensitivity: sensitivityOfLive(change.ref, desired, live?.record ?? {}),
    desired,
    live: live?.record,
    writes,
    wasSet,
    ...takenOver(change, desired, planning),
  };
}

/**
 * The values that a new resource carries over from the record it replaces: its old name, or a record deleted earlier.
 */
function takenOver(
  { create, renamedFrom }: Change,
  desired: DesiredResource | undefined,
  planning: PlanContext,
): Pick<FieldSources, 'takenOver'> {
  if (create === undefined || desired === undefined) return {};
  const deleted = renamedFrom === undefined ? deletedBefore(desired, planning) : undefined;
  const before = renamedFrom ?? deleted?.id;
  if (before === undefined) return {};
  const which = before === desired.id ? 'the record' : `${before},`;
  const from = deleted === undefined ? `${before}, its old name` : `${which} that an unfinished replacement deleted`;
  return { takenOver: { created: create.expose(), from } };
}

function appliedBefore(live: LiveResource, planning: PlanContext): AppliedRecord | undefined {
  return appliedOf(planning.ownership(live));
}

/** All facts about one change, before they are put into sentences. */
export interface StudiedChange {
  readonly planning: PlanContext;
  readonly change: Change;
  readonly desired: DesiredResource | undefined;
  readonly live: LiveResource | undefined;
  /** The live record, then its state after each PATCH. */
  readonly states: readonly JsonObject[];
  /** The verdicts on the live record; `after`: on the last state. */
  readonly before: readonly Verdict[];
  readonly after: readonly Verdict[];
}

/**
 * Studies one change of a plan again: applies its patch to the live copy and judges each field before and after. Pure.
 * `id` must be in the plan (`findChange`).
 */
export function study({ plan, desired, snapshot, options }: Explainable, id: ResourceId): StudiedChange {
  const change = plan.changes.find((each) => each.id === id);
  if (change === undefined) throw new Error(`${id} is not in the plan`);
  const planning = makePlanContext(desired, snapshot, options);
  return studyChange(change, planning);
}

function studyChange(change: Change, planning: PlanContext): StudiedChange {
  const declared = planning.desired.get(change.id);
  const live = planning.known.get(change.id);
  const parts = { planning, change, desired: declared, live };
  if (declared === undefined || live === undefined) return { ...parts, states: [], before: [], after: [] };

  const { kind } = declared.ref;
  const context = contextOf(declared.ref, planning.org);
  const states = stepsOfPatch(change, shapeOf(kind, live.record), live.record, context);
  const before = verdictsOn(live.record, declared, live, planning);
  // A replacement has no patch: use the record as it would be if it could be changed in place.
  const wouldBe = change.action === 'keep' ? live.record : before.target;
  const result = change.patch === undefined ? wouldBe : (states.at(-1) ?? live.record);
  const after = verdictsOn(result, declared, live, planning).verdicts;
  const changed = change.fields.map(({ path }) => path);
  return { ...parts, states, before: resolveDerived(before.verdicts, after, changed), after };
}

function judgeOptions(resource: DesiredResource, live: LiveResource, planning: PlanContext): ReconcileOptions {
  const { ref, lifecycle } = resource;
  const applied = appliedBefore(live, planning);
  return {
    context: contextOf(ref, planning.org),
    ignore: lifecycle.ignore ?? [],
    wasSet: planning.fieldClaims(live, applied).wasSet,
    stored: planning.platformValues.formsOf(resource, live, applied),
    revertOperational: planning.options.revertOperational === true,
    part: lifecycle.part === true,
  };
}

/** The desired record, and why; `target` is without its tags and the fields that this token cannot read. */
function verdictsOn(
  held: JsonObject,
  declared: DesiredResource,
  live: LiveResource,
  planning: PlanContext,
): { readonly target: JsonObject; readonly verdicts: readonly Verdict[] } {
  const shape = shapeOf(declared.ref.kind, declared.record);
  const options = judgeOptions(declared, live, planning);
  const tags = judgeTags(shape, objectAt(held, 'tags'), objectAt(declared.record, 'tags'), declared.lifecycle);
  const hidden = unknownFields(live, shape, planning.snapshot);
  const readable = withoutUnknown(declared.record, hidden);
  const unknown = hidden
    .filter((name) => Object.hasOwn(declared.record, name))
    .map((name): Verdict => ({ path: name, why: 'unrevealed', declaredAt: [name] }));
  const { target, verdicts } = judgeFields(shape, withoutUnknown(held, hidden), readable, options);
  return { target, verdicts: [...verdicts, ...unknown, ...tags] };
}

/** `writes`: of the live record, newest first; undefined: not read; `null`: not readable. */
export function explainStudied(
  { plan, snapshot }: Pick<Explainable, 'plan' | 'snapshot'>,
  studied: StudiedChange,
  writes: readonly WriteEvent[] | null | undefined,
): Explanation {
  const { planning, change, desired, live, states, before } = studied;
  const sources = sourcesOf(studied, writes);
  const { shape } = sources;
  const changed = change.fields.map(({ path }) => path);
  const context = contextOf(change.ref, plan.org);
  const proof = proofOf(studied);
  const bodies = states.length > 1 ? [change.patch, change.then] : [];
  const patches = compact(bodies).map((body) => body.expose());
  const weighing = { context, directives: directivesOf(snapshot), lengths: sources.sensitivity.marks.length === 0 };
  return {
    org: plan.org,
    stack: plan.stack,
    resource: change.id,
    action: change.action,
    ...present({ intended: change.intended }),
    reason: change.reason,
    ...present({ risk: change.risk, liveVersion: change.liveVersion }),
    ...present({ owner: live === undefined ? undefined : describeOwner(live, planning), at: desired?.locate([]) }),
    requests: requestsOf(change, planning.options.owner),
    ...present({ proof }),
    choices: proof !== undefined ? alternativesOf(shape, states, weighing) : [],
    fields: change.fields.map((field) => explainDifference(field, sources)),
    equal: equalFields(before, changed, { ...sources, writes: undefined }),
    counts: countWhys(before),
    waitsFor: edgesOf(change),
    takesAlong: change.cascadesTo.map((id) => {
      const along = planning.known.get(id);
      return { id, owner: along === undefined ? 'unknown' : describeOwner(along, planning) };
    }),
    ...present({ hits: change.victims, renamedFrom: change.renamedFrom, via: change.via }),
    refusals: change.refusals,
    notes: isSmallestPatch(shape, states, patches, weighing) ? change.notes : [...change.notes, notSmallest],
  };
}

/** Undefined if no PATCH is sent, or if the declaration or the live record is not known. */
function proofOf({ change, desired, states, before, after }: StudiedChange): Proof | undefined {
  const [first, ...others] = states;
  const last = others.at(-1);
  if (change.patch === undefined || desired === undefined || first === undefined || last === undefined)
    return undefined;
  const changed = change.fields.map(({ path }) => path);
  return prove({ live: first, target: last }, { before, after }, changed);
}

/** The proof of every PATCH of a plan. */
export function proofsOf({ plan, desired, snapshot, options }: Explainable): ReadonlyMap<ResourceId, Proof> {
  const planning = makePlanContext(desired, snapshot, options);
  const proofs = compact(plan.changes, (change): readonly [ResourceId, Proof] | undefined => {
    if (change.patch === undefined) return undefined;
    const proof = proofOf(studyChange(change, planning));
    return proof === undefined ? undefined : [change.id, proof];
  });
  return new Map(proofs);
}

/** The edges of all steps; the deletion and the creation of a replacement share many. */
function edgesOf({ requires, deleteRequires = [], thenRequires = [] }: Change): readonly Edge[] {
  const edges = [...requires, ...deleteRequires, ...thenRequires];
  return [...new Map(edges.map((edge) => [`${edge.on} ${edge.because}`, edge])).values()];
}

const notSmallest = 'a smaller patch failed its proof, so the next larger one was used';

/** Verdicts that get no line: equal on both sides, or owned by the platform. */
const unlistedReasons: ReadonlySet<Reason> = new Set<Reason>(['same', 'platform', 'differs', 'own-tag']);

function equalFields(
  verdicts: readonly Verdict[],
  changed: readonly string[],
  sources: FieldSources,
): readonly ExplainedField[] {
  return verdicts
    .filter(({ why, path }) => !unlistedReasons.has(why) && !isCovered(path, changed))
    .map((verdict) => explainVerdict(verdict, sources));
}

function countWhys(verdicts: readonly Verdict[]): Readonly<Partial<Record<Reason, number>>> {
  const counts: Partial<Record<Reason, number>> = {};
  for (const { why } of [...verdicts].sort((a, b) => (a.why < b.why ? -1 : 1))) counts[why] = (counts[why] ?? 0) + 1;
  return counts;
}

function requestsOf(change: Change, owner: string): readonly ExplainedRequest[] {
  const what = plannedAction(change);
  const requests: ExplainedRequest[] = [];
  if (what === 'replace') requests.push({ method: 'PATCH', body: { tags: { [replacingTag]: owner } } });
  if ((what === 'delete' && change.via === undefined) || what === 'replace') requests.push({ method: 'DELETE' });
  if (change.create !== undefined) requests.push({ method: 'POST', body: change.create.masked });
  if (change.patch !== undefined) requests.push({ method: 'PATCH', body: change.patch.masked });
  if (change.then !== undefined) requests.push({ method: 'PATCH', then: true, body: change.then.masked });
  return requests;
}

function describeOwner(live: LiveResource, planning: PlanContext): string {
  const ownership = planning.ownership(live);
  switch (ownership.state) {
    case 'ours':
      return 'this stack';
    case 'unrecorded':
      return 'this stack according to its tag, but the tag gantry/applied is missing';
    case 'copy':
      return 'nobody: it is a copy of another resource';
    case 'lost':
      return 'nobody: its owner tag was removed';
    case 'other':
      return `the stack ${ownership.owner}`;
    case 'none':
      return 'nobody';
  }
}

/** One verdict per tag: declared tags are compared as text; undeclared ones belong to others. */
export function judgeTags(
  shape: ObjectShape,
  held: JsonObject,
  declared: JsonObject,
  lifecycle: Pick<DesiredResource['lifecycle'], 'protect' | 'ignore'>,
): readonly Verdict[] {
  const wanted = declaredTags(declared, lifecycle.protect);
  const all = { ...held, ...wanted };
  const ignored = ignoredTags(lifecycle, shape, all);
  return Object.keys(all)
    .sort()
    .map((key) => {
      const [has, wants] = [own(held, key), own(wanted, key)];
      const why: Reason =
        key === ownerTag || key === appliedTag || key === replacingTag || key.startsWith(`${appliedTag}.`)
          ? 'own-tag'
          : ignored.has(key)
            ? 'ignored'
            : wants === undefined
              ? 'foreign-tag'
              : has === wants
                ? 'same'
                : has !== undefined && String(has) === String(wants)
                  ? 'as-text'
                  : 'differs';
      const pointer = ['tags', key];
      return {
        path: `tags.${quoted(key)}`,
        why,
        ...present({ heldAt: has === undefined ? undefined : pointer }),
        ...present({ declaredAt: wants === undefined ? undefined : pointer }),
      };
    });
}

interface WeighingOptions {
  readonly context: RecordContext;
  readonly directives: Directives;
  /** False if the length of a patch would reveal the length of a marked value. */
  readonly lengths: boolean;
}

/** The alternatives that were weighed for each PATCH. `states`: the live record, then its state after each PATCH. */
function alternativesOf(
  shape: ObjectShape,
  states: readonly JsonObject[],
  options: WeighingOptions,
): readonly ExplainedChoice[] {
  return states.slice(1).flatMap((target, step) => {
    const before = states[step] ?? {};
    const found = alternatives(shape, before, withTagsOf(target, before), options);
    return found.map((choice) => explainedChoice(choice, step > 0, options.lengths));
  });
}

/**
 * Whether comparison alone gives the same patches. False if a smaller patch failed its proof or an unreadable secret is
 * written whole; always true for records with secrets.
 */
function isSmallestPatch(
  shape: ObjectShape,
  states: readonly JsonObject[],
  patches: readonly JsonObject[],
  options: Omit<WeighingOptions, 'lengths'>,
): boolean {
  if (holdsSensitive(shape)) return true;
  return patches.every((patch, step) => {
    const [before, target] = [states[step] ?? {}, states[step + 1] ?? {}];
    const written = writePatch(shape, before, withTagsOf(target, before), options) ?? {};
    return sameJson(written, withoutFields(patch, [['id'], ['version'], ['tags']]));
  });
}

function explainedChoice(
  { path, shape, chosen, rejected, impossible }: Choice,
  then: boolean,
  lengths: boolean,
): ExplainedChoice {
  const hidden = !lengths || holdsSensitive(shape);
  const way = ({ entries, leaves, bytes }: Way): ExplainedWay => ({
    entries: entries.map(({ key }) => key),
    leaves,
    ...present({ bytes: hidden ? undefined : bytes }),
  });
  return {
    path,
    ...(then ? { then } : {}),
    chosen: way(chosen),
    rejected: rejected.map(way),
    impossible,
  };
}

/** The live record, then its state after each PATCH of the change, by the reference semantics. */
function stepsOfPatch(
  change: Change,
  shape: ObjectShape,
  live: JsonObject,
  context: RecordContext,
): readonly JsonObject[] {
  const states = [live];
  for (const body of [change.patch, change.then]) {
    const before = states.at(-1);
    if (body === undefined || before === undefined) continue;
    const applied = applyPatch(shape, before, withoutFields(body.expose(), [['id'], ['version']]), context);
    if (!applied.ok) throw new Error(`the patch of ${change.id} cannot be applied to what it was made from`);
    states.push(applied.record);
  }
  return states;
}

/**
 * The proven effect of the patch. `before` and `after`: the verdicts on the live record and on its state after the
 * patch. An unmanaged field must be the same in both, unless the plan shows its change.
 */
export function prove(
  { live, target }: { readonly live: JsonObject; readonly target: JsonObject },
  { before, after }: { readonly before: readonly Verdict[]; readonly after: readonly Verdict[] },
  changed: readonly string[],
): Proof {
  const managed = after.filter(({ why }) => isManaged(why));
  const differing = managed.filter(({ why }) => why === 'differs').map(({ path }) => path);
  const others = before.filter(({ why, path }) => !isManaged(why) && why !== 'own-tag' && !isCovered(path, changed));
  const stays = (verdict: Verdict): boolean => {
    const at = verdict.heldAt === undefined ? undefined : after.find(({ path }) => path === verdict.path)?.heldAt;
    return sameJson(valueThere(live, verdict.heldAt ?? []), at === undefined ? undefined : valueThere(target, at));
  };
  const present = others.filter(({ heldAt }) => heldAt !== undefined);
  const touched = present.filter((verdict) => !stays(verdict)).map(({ path }) => path);
  const against = [...new Set([...differing, ...touched])].sort();
  return {
    holds: against.length === 0,
    managed: managed.length - differing.length,
    untouched: present.length - touched.length,
    against,
  };
}

/** The record with the tags of another one: patches of tags are weighed separately. */
export function withTagsOf(record: JsonObject, other: JsonObject): JsonObject {
  const tags = own(other, 'tags');
  return isObject(tags) ? { ...record, tags } : withoutFields(record, [['tags']]);
}
