import type { JsonValue } from '../../base/json/json.ts';
import { nonEmpty, present } from '../../base/json/present.ts';
import { once } from '../../base/once.ts';
import type { FirstReads } from '../../client/firstReads.ts';
import type { Snapshot, SnapshotRequest } from '../../manifest/live/snapshot.ts';
import type { WriteEvent, WritesOf } from '../../manifest/live/writer.ts';
import type { DesiredResource, Output } from '../../manifest/model/manifest.ts';
import { gvcsToList } from '../../plan/gvcsToList.ts';
import { wantsTrail } from '../../plan/model/cause.ts';
import { plannedAction } from '../../plan/model/change.ts';
import type { Limits } from '../../plan/model/limits.ts';
import { type Permits, permitsOf } from '../../plan/model/permits.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { Before, OtherStack, PlanOptions } from '../../plan/model/planOptions.ts';
import type { StoragePrice } from '../../plan/model/storageUse.ts';
import { ownerWithoutProject } from '../../plan/record/ownership.ts';
import type { Replan } from '../../plan/replan.ts';
import { withSaves } from '../../plan/saves.ts';
import { unconfirmedNames } from '../../plan/unconfirmedNames.ts';
import type { ProjectPolicies } from '../../policies/sandbox/projectPolicies.ts';
import type { Platform } from '../../project/platform/platform.ts';
import { declarableKinds } from '../../schema/record/kinds.ts';
import { formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import { shortHash } from './hash.ts';
import { snapshotRequest } from './snapshotRequest.ts';

export interface PlanInput {
  readonly desired: readonly DesiredResource[];
  readonly outputs?: readonly Output[];
  readonly owner: string;
  readonly scope: 'whole' | 'partial';
  /** Whether this is `gantry destroy`. */
  readonly destroys?: boolean;
  /** For `gantry destroy`: the readable declarations of the manifests. */
  readonly declaredHere?: readonly ResourceId[] | undefined;
  /**
   * For `gantry destroy`: the resources named in the manifests, read by name because a list or a query may lack them.
   */
  readonly namedHere?: readonly Ref[] | undefined;
  /** Overrides the endpoint's `/discovery`. */
  readonly directives: 'all' | 'stated' | undefined;
  /** The storage prices of `gantry.yaml`. */
  readonly price?: StoragePrice | undefined;
  /** The limits of the environments that apply. */
  readonly limits: readonly Limits[];
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Whether it is applied immediately, not saved in a file. */
  readonly isApplied?: boolean;
  /** Whether it is saved in a signed file. */
  readonly isSigned?: boolean;
  /** Whether it is rehearsed on a copy of the platform before it is saved; problems there refuse it. */
  readonly isRehearsed?: boolean;
  /** The policies of the project; undefined if there are none. */
  readonly policies?: ProjectPolicies | undefined;
  /** Earlier plans of the run, for other stacks. */
  readonly before?: Before | undefined;
  /** Resources declared by other stacks of the app, with the names of these stacks. */
  readonly elsewhere?: ReadonlyMap<ResourceId, string> | undefined;
  /** The other stacks of the same project. */
  readonly others?: readonly OtherStack[] | undefined;
  /** Whether an earlier plan of the run has checked the names in `--target` and `--exclude`. */
  readonly isSelectionChecked?: boolean;
  /** Queries that were sent while the stack was loading. */
  readonly first?: FirstReads;
}

/** A plan with its inputs. */
export interface Planned {
  readonly plan: Plan;
  /** For records whose version changes while the plan runs. */
  readonly replan: Replan;
  readonly desired: readonly DesiredResource[];
  readonly snapshot: Snapshot;
  readonly options: PlanOptions;
  /** The ids of the policies that it was made under; absent if there are none. */
  readonly policies?: readonly string[];
  /** The inputs of these verdicts (`Verdict.behind`). */
  readonly behindPolicies?: JsonValue;
}

/** The permits of a plan, and its selection of resources. */
export interface PlanningOptions extends Permits {
  /** Resources, with what they depend on; empty: all. */
  readonly target: readonly string[];
  readonly exclude: readonly string[];
  /** Whether to wait for unchanged workloads too. */
  readonly wait?: boolean;
}

interface PlanningContext {
  readonly options: PlanningOptions;
}

/** Reads the live state and plans. Errors: `selection.unknown` if a `--target` or `--exclude` matches nothing. */
export async function planFromPlatform(
  platform: Platform,
  input: PlanInput,
  context: PlanningContext,
): Promise<Planned> {
  const writesOf = trailOf(platform);
  return withPolicyRefusals(
    await withWriters(await planAndCheckSelection(platform, input, context, writesOf), platform, writesOf),
    input,
  );
}

/** Adds the refusals of the project's policies. */
async function withPolicyRefusals(planned: Planned, { policies, elsewhere }: PlanInput): Promise<Planned> {
  if (policies === undefined) return planned;
  const { plan, desired } = planned;
  const isElsewhere = (id: ResourceId) => elsewhere?.has(id) === true;
  const [verdict, { judgePlan }] = await Promise.all([
    policies.judge({ desired, plan, isElsewhere }),
    import('../../policies/rules/judgePlan.ts'),
  ]);
  return { ...planned, plan: judgePlan(plan, verdict), policies: verdict.policies, behindPolicies: verdict.behind };
}

/** The same without naming writers, and without policies. */
export function planWithoutWriters(platform: Platform, input: PlanInput, context: PlanningContext): Promise<Planned> {
  return planAndCheckSelection(platform, input, context, trailOf(platform));
}

async function planAndCheckSelection(
  platform: Platform,
  input: PlanInput,
  context: PlanningContext,
  writesOf: WritesOf,
): Promise<Planned> {
  const planned = await readAndPlan(platform, input, context, writesOf);
  const { targets, excludes } = planned.options;
  if (targets.length + excludes.length === 0 || input.isSelectionChecked === true) return planned;
  const { checkSelection } = await import('../../plan/consequences/selection.ts');
  checkSelection(planned.plan, planned.options);
  return planned;
}

/** The same after a run: selected resources may be deleted by then. */
export async function planAfterRun(
  platform: Platform,
  { first: _, ...input }: PlanInput,
  context: PlanningContext,
): Promise<Planned> {
  const writesOf = trailOf(platform);
  return withWriters(await readAndPlan(platform, input, context, writesOf), platform, writesOf);
}

async function readAndPlan(
  platform: Platform,
  input: PlanInput,
  context: PlanningContext,
  writesOf: WritesOf,
): Promise<Planned> {
  const [{ fetchSnapshot }] = await Promise.all([import('../../client/fetchSnapshot.ts'), loadPlanner()]);
  const { namedHere = [] } = input;
  const wanted = snapshotRequest(input.desired, platform.org, input.owner);
  const request = namedHere.length === 0 ? wanted : { ...wanted, referenced: namedHere };
  const read = await fetchSnapshot(platform.client, request, input.first);
  const planFrom = (snapshot: Snapshot) => planFromSnapshot(snapshot, input, context);
  const drafted = await planFrom(await withDeleted(read, platform, input));
  const first = await withAuditTrails(drafted, platform, writesOf, planFrom);
  const held = await withHolders(first, platform, input, planFrom);
  const confirmed = await withAbsence(held, request, platform, planFrom);
  return withUnseen(await withVictims(confirmed, platform, planFrom), platform);
}

/** The audit trails of records, each read once for a plan. */
function trailOf({ client }: Platform): WritesOf {
  const trail = once(async () => (await import('../../client/auditTrail.ts')).auditTrail(client));
  return async (uid) => (await trail())(uid);
}

/** Reads audit trails only where they add information, and counts these requests as the plan's. */
async function withWriters(planned: Planned, { client }: Platform, writesOf: WritesOf): Promise<Planned> {
  const { plan } = planned;
  if (!plan.changes.some((change) => change.ownerLost === true || wantsTrail(change))) return planned;
  const { nameWriters } = await import('./nameWriters.ts');
  const before = client.requests();
  const named = await nameWriters(plan, planned, writesOf);
  const { snapshot, apply } = plan.requests;
  return { ...planned, plan: { ...named, requests: { snapshot: snapshot + client.requests() - before, apply } } };
}

/** Adds records that an unfinished replacement of this stack has deleted: only the audit trail knows them. */
async function withDeleted(read: Snapshot, { client }: Platform, { desired, owner }: PlanInput): Promise<Snapshot> {
  const { withUnfinished } = await import('../../plan/unfinishedReplacements.ts');
  return withUnfinished(read, desired, owner, async (refs) => {
    const { trailsOfNames } = await import('../../client/trailsOfNames.ts');
    return trailsOfNames(client, refs);
  });
}

/** Plans again with audit trails, for records with fields that must not be removed before the trail was read. */
async function withAuditTrails(
  planned: Planned,
  { client }: Platform,
  writesOf: WritesOf,
  planFrom: PlanFrom,
): Promise<Planned> {
  const { inDoubt = [] } = planned.plan;
  if (inDoubt.length === 0) return planned;
  const before = client.requests();
  const read = await Promise.all(inDoubt.map(async (uid) => [uid, await writesOf(uid)] as const));
  const { snapshot } = planned;
  const past = new Map<string, readonly WriteEvent[]>();
  for (const [uid, writes] of read) if (writes !== undefined) past.set(uid, writes.filter(hasVersion));
  return planFrom({ ...snapshot, past, requests: snapshot.requests + client.requests() - before });
}

function hasVersion({ action }: WriteEvent): boolean {
  return action === 'create' || action === 'edit';
}

/**
 * Plans again with the records of the project's other stacks that need deleted resources. Only deletions cost these
 * reads.
 */
async function withHolders(
  planned: Planned,
  { client, org }: Platform,
  { others = [] }: PlanInput,
  planFrom: PlanFrom,
): Promise<Planned> {
  const deletedIds = planned.plan.changes.flatMap((change) => (plannedAction(change) === 'delete' ? [change.id] : []));
  if (deletedIds.length === 0 || others.length === 0) return planned;
  const [{ fetchSnapshot }, { recordsOnly }, { holders }] = await Promise.all([
    import('../../client/fetchSnapshot.ts'),
    import('../../client/recordsOnly.ts'),
    import('../../plan/references/needs.ts'),
  ]);
  const before = client.requests();
  const read = await Promise.all(
    others.map(({ owner, desired }) =>
      fetchSnapshot(recordsOnly(client), { org, owner, declared: [], referenced: desired.map(({ ref }) => ref) }),
    ),
  );
  const { snapshot } = planned;
  const live = read.flatMap(({ resources }) => [...resources.values()]).filter(({ id }) => !snapshot.resources.has(id));
  const requests = snapshot.requests + client.requests() - before;
  const found = holders(deletedIds, live, org).map((each) => [each.id, each] as const);
  return planFrom({ ...snapshot, resources: new Map([...snapshot.resources, ...found]), requests });
}

/** Makes the plan again from another snapshot. */
type PlanFrom = (snapshot: Snapshot) => Promise<Planned>;

/** Records that seem absent may only be hidden from this token: if so, plans again. */
async function withAbsence(
  planned: Planned,
  { referenced }: SnapshotRequest,
  platform: Platform,
  planFrom: PlanFrom,
): Promise<Planned> {
  const { plan, desired, snapshot, options } = planned;
  const names = [
    ...unconfirmedNames(plan, desired, referenced, snapshot),
    ...(options.destroys === true ? referenced.filter((ref) => !snapshot.resources.has(formatRef(ref))) : []),
  ];
  if (names.length === 0) return planned;
  const { confirmAbsence } = await import('../../client/absence.ts');
  const confirmed = await confirmAbsence(platform.client, snapshot, names);
  if (confirmed.resources !== snapshot.resources) return planFrom(confirmed);
  const requests = { ...plan.requests, snapshot: confirmed.requests };
  return { ...planned, snapshot: confirmed, plan: { ...plan, requests } };
}

/** Plans again if the content of a GVC had to be listed. */
async function withVictims(planned: Planned, platform: Platform, planFrom: PlanFrom): Promise<Planned> {
  const { withClosures } = await import('../../client/fetchSnapshot.ts');
  const listed = await withClosures(platform.client, planned.snapshot, gvcsToList(planned.plan, planned.snapshot));
  return listed === planned.snapshot ? planned : planFrom(listed);
}

/**
 * Adds a note for an empty stack: it names no records to check, so those that this token cannot view would stay
 * unnoticed.
 */
async function withUnseen(planned: Planned, { client }: Platform): Promise<Planned> {
  const { plan, desired, snapshot } = planned;
  if (desired.length > 0) return planned;
  const before = client.requests();
  const views = await client.views();
  const unseen = views.isKnown ? declarableKinds().filter((kind) => !views.all(kind)) : [];
  const requests = snapshot.requests + client.requests() - before;
  const note = `this token cannot view every ${unseen.join(', ')}: resources of this stack that it cannot view stay unchanged`;
  const notes = unseen.length === 0 ? plan.notes : [...plan.notes, note];
  return {
    ...planned,
    snapshot: { ...snapshot, requests },
    plan: { ...plan, notes, requests: { ...plan.requests, snapshot: requests } },
  };
}

/** Plans for a live state that was already read. */
async function planFromSnapshot(read: Snapshot, input: PlanInput, context: PlanningContext): Promise<Planned> {
  const { desired: declared, destroys = false, directives, before, elsewhere, others } = input;
  const [{ planWithReads }, { makeReplan }] = await loadPlanner();
  const snapshot = directives === undefined ? read : { ...read, directives };
  const options = {
    ...planOptions(input, context.options),
    destroys,
    ...present({ before, elsewhere, others }),
  };
  const { plan, desired } = planWithReads(declared, snapshot, options);
  const { outputs = [] } = input;
  return {
    plan: outputs.some(({ saveTo }) => saveTo !== undefined) ? withSaves(plan, outputs, snapshot) : plan,
    replan: makeReplan(desired, snapshot, options),
    desired,
    snapshot,
    options,
  };
}

/** Loads the planner in advance, while the stack runs in its own process. */
export async function preloadPlanning(): Promise<void> {
  await Promise.all([import('../../client/client.ts'), import('../../client/fetchSnapshot.ts'), loadPlanner()]);
}

function loadPlanner() {
  return Promise.all([import('../../plan/planWithReads.ts'), import('../../plan/replan.ts')]);
}

function planOptions(
  { owner, scope, price, limits, nowMs, declaredHere, isApplied = false, isSigned, isRehearsed = false }: PlanInput,
  options: PlanningContext['options'],
): PlanOptions {
  return {
    owner,
    ...(ownerWithoutProject(owner) === undefined ? { unqualified: true } : {}),
    scope,
    ...present({ declaredHere }),
    ...permitsOf(options),
    wait: options.wait === true,
    targets: options.target,
    excludes: options.exclude,
    moment: { nowMs, isApplied, isSigned },
    ...nonEmpty({ limits }),
    ...(isRehearsed ? { rehearsed: true } : {}),
    ...present({ storagePrice: price }),
    hash: shortHash,
  };
}
