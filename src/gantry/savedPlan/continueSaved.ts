import { type Progress, progressOfAll, remainingPlan } from '../../apply/resume.ts';
import { ToolError } from '../../base/toolError.ts';
import { brokenFacts, newVictims, unseenIn } from '../../change/saved/facts.ts';
import { maskedResources, replanSaved } from '../../change/saved/replanSaved.ts';
import { refuseSaved } from '../../change/saved/savedLimits.ts';
import type { SavedPlan } from '../../change/saved/savedPlan.ts';
import { replanUndo } from '../../change/undo/replanUndo.ts';
import { fetchSnapshot, withClosures } from '../../client/fetchSnapshot.ts';
import type { LiveResource, Snapshot, SnapshotRequest } from '../../manifest/live/snapshot.ts';
import { gvcsToList } from '../../plan/gvcsToList.ts';
import type { Change } from '../../plan/model/change.ts';
import type { Limits } from '../../plan/model/limits.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { isEmptyPlan, isIdlePlan } from '../../plan/model/planState.ts';
import type { Replan } from '../../plan/replan.ts';
import type { Platform } from '../../project/platform/platform.ts';
import type { Session } from '../../project/session/session.ts';
import { hiddenField } from '../../schema/facts/kindFacts.ts';
import { isContainer } from '../../schema/record/kinds.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import type { RunnablePlan } from '../applying/runPlanned.ts';
import { shortHash } from '../planning/hash.ts';
import { fillBodies, writesSecrets } from './bodies.ts';
import { withoutHidden } from './hidden.ts';
import { planOptionsOf } from './options.ts';
import type { SecretInputs } from './secrets.ts';
import { staleError, staleRecords } from './stale.ts';

/** A saved plan as it can be run now. */
export interface Continued {
  /** What is left of it. */
  readonly left: Plan;
  /** Undefined: nothing is left. */
  readonly runnable: RunnablePlan | undefined;
}

/** `session`: in the folder of its inputs. */
export interface Continuing {
  readonly session: Session;
  /** Of its environment, and of others at the same place, as they are now. */
  readonly limits: readonly Limits[];
  /** Its signatures were verified, as many as limits demand. */
  readonly isSigned?: boolean;
  /** Where what it declares is known already. */
  readonly inputs?: SecretInputs | undefined;
}

/**
 * A saved plan as it can be run now, just as it was approved. Everything that it relies on is checked with one bulk
 * read; what an earlier run of it has written is recognised and left alone. What limits refuse is among its refusals.
 *
 * Errors: `plan.stale`, `plan.fact`, and those of secrets.
 */
export async function continueSaved(
  saved: SavedPlan,
  platform: Platform,
  { session, limits, isSigned = false, inputs }: Continuing,
): Promise<Continued> {
  const { snapshot, standings } = await lookUp(saved, platform);
  const stale = staleRecords(standings, saved.live, platform.org);
  if (stale.length > 0) throw await staleError(stale, platform, hint);
  const left = remainingPlan(saved.plan, standings, snapshot);
  if (isIdlePlan(left)) return { left, runnable: undefined };
  const broken = isEmptyPlan(left)
    ? []
    : [
        ...brokenFacts(saved.facts, snapshot),
        ...newVictims(left, snapshot, shortHash),
        ...unseenIn(left, snapshot, saved),
      ];
  if (broken.length > 0) throw brokenFact(broken);

  const secretWriters = writesSecrets(saved);
  const open = left.changes.filter(({ id, action }) => action !== 'keep' && secretWriters.has(id));
  const filled = await fillBodies(saved, open, { snapshot, platform, session, inputs });
  const masked = maskedResources(filled.declared, new Set(filled.changes.keys()));
  const refusals = [...left.refusals, ...refuseSaved(saved, limits, { nowMs: Date.now(), isSigned })];
  const runnable = {
    plan: {
      ...withoutDryRun(left, snapshot),
      refusals,
      changes: left.changes.map((change) => filled.changes.get(change.id) ?? change),
    },
    shown: { ...saved.plan, refusals, notes: [...saved.plan.notes, ...doneNote(standings, saved.plan)] },
    replan: replanUndo(saved, replanSaved(filled.declared, masked, filled.snapshot, planOptionsOf(saved))),
    desired: saved.declared,
    planned: saved.live,
    planAgain: () => whatIsLeft(saved, platform),
  };
  return { left, runnable };
}

/** Elsewhere a dry run would create a record, so it is only sent if the platform still says that it stores nothing. */
function withoutDryRun({ dryRun, ...plan }: Plan, now: Snapshot): Plan {
  return dryRun !== undefined && now.dryRun === dryRun ? { ...plan, dryRun } : plan;
}

/** What is live, and how far each change has come. */
async function lookUp(saved: SavedPlan, platform: Platform) {
  const snapshot = await readSaved(saved, platform);
  const masked = maskedResources(saved.declared, new Set());
  const replan = replanUndo(saved, replanSaved(saved.declared, masked, snapshot, planOptionsOf(saved)));
  const { capabilities } = snapshot;
  const comparing = { replan: withoutSecrets(replan, saved), org: platform.org, planned: saved.live, capabilities };
  return { snapshot, standings: progressOfAll(saved.plan, snapshot, comparing) };
}

/** The same plan once more, with what is done taken out of it. */
async function whatIsLeft(saved: SavedPlan, platform: Platform): Promise<Plan> {
  const { snapshot, standings } = await lookUp(saved, platform);
  const left = remainingPlan(saved.plan, standings, snapshot);
  return { ...left, requests: { ...left.requests, snapshot: snapshot.requests } };
}

const hint = 'Plan again, review what differs, and apply the new plan.';

function brokenFact(broken: readonly string[]): ToolError {
  return new ToolError({
    code: 'plan.fact',
    message: ['facts that the plan relies on have changed; nothing was written:', ...broken].join('\n  '),
    hint,
  });
}

/** What is live now of everything that the plan changes or relies on. Secret values are not asked for. */
async function readSaved(saved: SavedPlan, platform: Platform): Promise<Snapshot> {
  const { client, org } = platform;
  const read = await withoutHidden(await fetchSnapshot(client, savedRequest(saved, org)), saved, platform);
  const past = new Map([...saved.live.values()].map((live) => [live.uid, [live]]));
  const snapshot = { ...read, directives: saved.directives, past };
  return withClosures(client, snapshot, gvcsToList(saved.plan, snapshot));
}

function savedRequest({ plan, facts }: SavedPlan, org: string): SnapshotRequest {
  const changed = plan.changes.filter(({ action }) => action !== 'keep');
  const going = changed.filter(({ action }) => action === 'delete');
  const unchanged = plan.changes.filter(({ action, kind }) => action === 'keep' && isContainer(kind));
  const staying = changed.filter(({ action, kind }) => action !== 'delete' && hiddenField(kind) === undefined);
  const secrets = changed.filter(({ kind }) => hiddenField(kind) !== undefined);
  return {
    org,
    owner: plan.stack,
    declared: [...staying, ...unchanged].map(({ ref }) => ref),
    referenced: [...[...secrets, ...going].map(({ ref }) => ref), ...facts.map(({ ref }) => ref)],
  };
}

/** Nobody can say whether a secret value that somebody has written since is the one that the plan was made from. */
function withoutSecrets(replan: Replan, saved: SavedPlan): Replan {
  const writers = writesSecrets(saved);
  const message = 'it contains a secret, whose value may have changed since';
  const again = (id: ResourceId, live: LiveResource): Change | undefined => {
    const change = writers.has(id) ? saved.plan.changes.find((each) => each.id === id) : undefined;
    return change === undefined ? replan(id, live) : { ...change, refusals: [{ code: 'plan.stale', message }] };
  };
  return replan.ofAnswer === undefined ? again : Object.assign(again, { ofAnswer: replan.ofAnswer });
}

function doneNote(standings: ReadonlyMap<ResourceId, Progress>, { changes }: Plan): readonly string[] {
  const done = [...standings].filter(([, { as }]) => as === 'done').map(([id]) => id);
  const all = changes.filter(({ action }) => action !== 'keep').length;
  return done.length === 0 ? [] : [`${done.length} of ${all} are done already: ${done.sort().join(', ')}`];
}
