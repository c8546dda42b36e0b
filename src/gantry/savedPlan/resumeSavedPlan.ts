import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Progress, progressOfAll, remainingPlan } from '../../apply/resume.ts';
import type { JsonValue } from '../../base/json/json.ts';
import { compact, present } from '../../base/json/present.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import { type ErrorCause, ToolError } from '../../base/toolError.ts';
import { maskedResources, replanSaved } from '../../change/replanSaved.ts';
import { replanUndo } from '../../change/replanUndo.ts';
import { refuseSaved, type SavedPlan, type SavedSecret } from '../../change/savedPlan.ts';
import { brokenFacts, newVictims, unseenIn } from '../../change/savedPlanOf.ts';
import { fillRecord, fillSecrets, fingerprintText } from '../../change/savedSecrets.ts';
import { fetchSnapshot, withClosures } from '../../client/fetchSnapshot.ts';
import { hiddenField } from '../../kinds/kindFacts.ts';
import { liveReferences } from '../../manifest/live/liveReference.ts';
import { isShownOnce, wasShown } from '../../manifest/live/shownOnce.ts';
import type { LiveResource, Snapshot, SnapshotRequest } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { gvcsToList } from '../../plan/gvcsToList.ts';
import { lastingNotes } from '../../plan/makePlan.ts';
import type { Change, Refusal } from '../../plan/model/change.ts';
import type { Limits } from '../../plan/model/limits.ts';
import { isEmptyPlan, isIdlePlan, type Plan } from '../../plan/model/plan.ts';
import { refuse } from '../../plan/model/refusal.ts';
import type { Replan } from '../../plan/replan.ts';
import { splitSelector } from '../../project/inputs/stackSelector.ts';
import type { Platform } from '../../project/platform/platform.ts';
import type { Environment, Session } from '../../project/session/session.ts';
import { isContainer } from '../../schema/record/kinds.ts';
import type { Ref, ResourceId } from '../../schema/record/ref.ts';
import type { RunnablePlan } from '../applying/runPlanned.ts';
import { shortHash } from '../loading/hash.ts';
import { inputOfProgram, loadManifests } from '../loading/loadStack.ts';
import { fingerprinter, warnIfSlow } from './fingerprint.ts';
import { withoutHidden } from './hiddenRecords.ts';
import { planOptionsOf } from './options.ts';
import { staleError, staleRecords } from './stale.ts';

/** A saved plan in its present state. */
export interface ResumablePlan {
  /** The remaining changes. */
  readonly remaining: Plan;
  /** Undefined if no change remains. `shown`: the plan as approved. */
  readonly runnable: (Omit<RunnablePlan, 'refused' | 'refusedNow'> & { readonly shown: Plan }) | undefined;
}

/** `session`: in the folder of the inputs. */
export interface ResumeOptions {
  readonly session: Session;
  /** The present limits of its environment, and of others at the same place. */
  readonly limits: readonly Limits[];
  /** Whether its signatures were verified, as many as limits demand. */
  readonly isSigned?: boolean;
  /** The declarations, if already known. */
  readonly inputs?: SecretInputs | undefined;
}

/**
 * Prepares a saved plan to run exactly as approved. Checks all facts that it relies on in one bulk read; recognises
 * what an earlier run has written, and leaves it. Refusals include those by limits.
 *
 * Errors: `plan.stale`, `plan.fact`, and those of secrets.
 */
export async function resumeSavedPlan(
  saved: SavedPlan,
  platform: Platform,
  { session, limits, isSigned = false, inputs }: ResumeOptions,
): Promise<ResumablePlan> {
  const { snapshot, progress } = await readProgress(saved, platform);
  const stale = staleRecords(progress, saved.live, platform.org);
  if (stale.length > 0) throw await staleError(stale, platform, hint);
  const remaining = remainingPlan(saved.plan, progress, snapshot);
  if (isIdlePlan(remaining)) return { remaining, runnable: undefined };
  const broken = isEmptyPlan(remaining)
    ? []
    : [
        ...brokenFacts(saved.facts, snapshot),
        ...newVictims(remaining, snapshot, shortHash),
        ...unseenIn(remaining, snapshot, saved),
      ];
  if (broken.length > 0) throw brokenFactsError(broken);

  const filled = await fillBodies(saved, remaining, { snapshot, platform, session, inputs });
  if (filled.snapshot !== snapshot) {
    // Secret values are read last; writes since the first read are refused here, before any write of ours.
    const staleNow = staleRecords(progressIn(filled.snapshot, saved, platform), saved.live, platform.org);
    if (staleNow.length > 0) throw await staleError(staleNow, platform, hint);
  }
  const masked = maskedResources(filled.declared, new Set(filled.changes.keys()));
  const refusals = [
    ...remaining.refusals,
    ...refuseLost(remaining, snapshot),
    ...refuseSaved(saved, limits, { nowMs: Date.now(), isSigned }),
  ];
  const runnable = {
    plan: {
      ...withoutDryRun(remaining, snapshot),
      refusals,
      notes: lastingNotes(remaining.notes),
      changes: remaining.changes.map((change) => filled.changes.get(change.id) ?? change),
    },
    shown: {
      ...saved.plan,
      refusals,
      notes: compact([...lastingNotes(saved.plan.notes), doneNote(progress, saved.plan)]),
    },
    replan: replanUndo(saved, replanSaved(filled.declared, masked, filled.snapshot, planOptionsOf(saved))),
    desired: saved.declared,
    planned: withValues(saved.live, filled.snapshot),
    planAgain: (again: Platform) => readRemainingPlan(saved, again),
  };
  return { remaining, runnable };
}

/**
 * The remaining changes of a plan, before the earlier ones of its file run. Facts and the names of creations are not
 * checked, because the earlier plans may change them. Errors: `plan.stale`, and those of secrets.
 */
export async function previewRemaining(saved: SavedPlan, platform: Platform, session: Session): Promise<Plan> {
  const { snapshot, progress } = await readProgress(saved, platform);
  const created = new Set(saved.plan.changes.filter(({ action }) => action === 'create').map(({ id }) => id));
  const pinned = new Map([...progress].filter(([id]) => !created.has(id)));
  const stale = staleRecords(pinned, saved.live, platform.org);
  if (stale.length > 0) throw await staleError(stale, platform, hint);
  const remaining = remainingPlan(saved.plan, progress, snapshot);
  await fillBodies(saved, remaining, { snapshot, platform, session, inputs: undefined });
  return remaining;
}

/**
 * Refuses values that an earlier run created without saving them: another client may use them, so they are not created
 * again.
 */
function refuseLost({ changes }: Plan, { resources }: Snapshot): readonly Refusal[] {
  const recreated = new Set(
    changes.filter(({ action }) => action === 'create' || action === 'replace').map(({ id }) => id),
  );
  const awaited = liveReferences(changes.flatMap(({ awaits = [] }) => awaits));
  return awaited
    .filter((each) => isShownOnce(each) && !recreated.has(each.id) && wasShown(each, resources.get(each.id)?.record))
    .map((each) => refuse.readLost(each, resources.get(each.id)?.record ?? {}));
}

/** Otherwise a dry run would create a record: it is only sent if the platform still declares that it stores nothing. */
function withoutDryRun({ dryRun, ...plan }: Plan, now: Snapshot): Plan {
  return dryRun !== undefined && now.dryRun === dryRun ? { ...plan, dryRun } : plan;
}

/** The live records, and the progress of each change. */
async function readProgress(saved: SavedPlan, platform: Platform) {
  const snapshot = await readSaved(saved, platform);
  return { snapshot, progress: progressIn(snapshot, saved, platform) };
}

function progressIn(snapshot: Snapshot, saved: SavedPlan, { org }: Platform): ReadonlyMap<ResourceId, Progress> {
  const masked = maskedResources(saved.declared, new Set());
  const replan = replanUndo(saved, replanSaved(saved.declared, masked, snapshot, planOptionsOf(saved)));
  const { capabilities } = snapshot;
  const comparing = { replan: refusingSecretWriters(replan, saved), org, planned: saved.live, capabilities };
  return progressOfAll(saved.plan, snapshot, comparing);
}

/** The plan without the changes that are done. */
async function readRemainingPlan(saved: SavedPlan, platform: Platform): Promise<Plan> {
  const { snapshot, progress } = await readProgress(saved, platform);
  const remaining = remainingPlan(saved.plan, progress, snapshot);
  return { ...remaining, requests: { ...remaining.requests, snapshot: snapshot.requests } };
}

const hint = 'Plan again, review what differs, and apply the new plan.';

function brokenFactsError(broken: readonly string[]): ToolError {
  return new ToolError({
    code: 'plan.fact',
    message: ['facts that the plan relies on have changed; nothing was written:', ...broken].join('\n  '),
    hint,
  });
}

/** The live records that the plan changes or relies on, without values of secrets. */
async function readSaved(saved: SavedPlan, platform: Platform): Promise<Snapshot> {
  const { client, org } = platform;
  const read = await withoutHidden(await fetchSnapshot(client, savedRequest(saved, org)), saved, platform);
  const past = new Map([...saved.live.values()].map((live) => [live.uid, [live]]));
  const snapshot = { ...read, directives: saved.directives, past };
  return withClosures(client, snapshot, gvcsToList(saved.plan, snapshot));
}

function savedRequest({ plan, facts }: SavedPlan, org: string): SnapshotRequest {
  const changed = plan.changes.filter(({ action }) => action !== 'keep');
  const deleted = changed.filter(({ action }) => action === 'delete');
  const unchanged = plan.changes.filter(({ action, kind }) => action === 'keep' && isContainer(kind));
  const visible = changed.filter(({ action, kind }) => action !== 'delete' && hiddenField(kind) === undefined);
  const secrets = changed.filter(({ kind }) => hiddenField(kind) !== undefined);
  return {
    org,
    owner: plan.stack,
    declared: [...visible, ...unchanged].map(({ ref }) => ref),
    referenced: [
      ...[...secrets, ...deleted].map(({ ref }) => ref),
      ...facts.map(({ ref }) => ref),
      ...changed.flatMap(awaitedRefs),
    ],
  };
}

/** The records that it reads unknown values from. */
export function awaitedRefs({ awaits = [] }: Change): readonly Ref[] {
  return liveReferences([...awaits]).map(({ ref }) => ref);
}

/** If a secret was written meanwhile, its value may differ from the one at planning, so its change is refused. */
function refusingSecretWriters(replan: Replan, saved: SavedPlan): Replan {
  const writers = writesSecrets(saved);
  const message = 'it contains a secret, whose value may have changed since';
  const guardedReplan: Replan = (id, live, isAnswer) => {
    const change = writers.has(id) ? saved.plan.changes.find((each) => each.id === id) : undefined;
    return change === undefined
      ? replan(id, live, isAnswer)
      : { ...change, refusals: [{ code: 'plan.stale', message }] };
  };
  const { ofAnswer, learn } = replan;
  return Object.assign(guardedReplan, { ...(ofAnswer && { ofAnswer }), ...(learn && { learn }) });
}

function doneNote(progress: ReadonlyMap<ResourceId, Progress>, { changes }: Plan): string | undefined {
  const done = [...progress].filter(([, { as }]) => as === 'done').map(([id]) => id);
  const all = changes.filter(({ action }) => action !== 'keep').length;
  return done.length === 0 ? undefined : `${done.length} of ${all} are done already: ${done.sort().join(', ')}`;
}

/** Resources into which the plan writes a sensitive value. */
function writesSecrets({ secrets }: SavedPlan): ReadonlySet<ResourceId> {
  return new Set(secrets.filter(({ in: part }) => part !== 'record').map(({ resource }) => resource));
}

interface FilledBodies {
  /** The changes with sensitive values. */
  readonly changes: ReadonlyMap<ResourceId, Change>;
  readonly declared: readonly DesiredResource[];
  /** The snapshot with the live values of patched secrets. */
  readonly snapshot: Snapshot;
}

interface FillBodiesOptions {
  readonly snapshot: Snapshot;
  readonly platform: Platform;
  readonly session: Session;
  /** Absent: the inputs of the plan are read again. */
  readonly inputs: SecretInputs | undefined;
}

/**
 * Fills sensitive values into the bodies of the remaining changes: reads them again from the inputs, and compares each
 * with its fingerprint. Reads no input if there are none.
 *
 * Errors: `saved.input-missing`, `saved.secret-changed`, `saved.key-missing`.
 */
async function fillBodies(
  saved: SavedPlan,
  remaining: Plan,
  { snapshot, platform, session, inputs }: FillBodiesOptions,
): Promise<FilledBodies> {
  const secretWriters = writesSecrets(saved);
  const changes = remaining.changes.filter(({ id, action }) => action !== 'keep' && secretWriters.has(id));
  if (changes.length === 0) return { changes: new Map(), declared: saved.declared, snapshot };
  const matchesFingerprint = fingerprintMatcher(saved, session.environment);
  const ids = new Set(changes.map(({ id }) => id));
  if (saved.fingerprints !== undefined) {
    const compared = saved.secrets.filter(({ resource }) => ids.has(resource)).map(({ fingerprint }) => fingerprint);
    await warnIfSlow(saved.fingerprints, new Set(compared).size, session.tell);
  }
  const declared = await readSecretsAgain(saved, ids, matchesFingerprint, inputs ?? (() => loadInputs(saved, session)));
  const withSecrets = await readSecretValues(saved, changes, snapshot, platform);
  const replanFilled = replanSaved(declared, new Set(), withSecrets, planOptionsOf(saved));
  const records = new Map(declared.map((resource) => [resource.id, resource.record]));

  const filled = await Promise.all(
    changes.map(async (change) => {
      const live = withSecrets.resources.get(change.id);
      const now = live === undefined ? undefined : replanFilled(change.id, live);
      const candidates = (secret: SavedSecret): readonly (JsonValue | undefined)[] => [
        valueThere(records.get(change.id), secret.at),
        valueThere(now?.patch?.expose(), secret.at),
        valueThere(live?.record, secret.at),
      ];
      return [change.id, await fill(change, saved.secrets, candidates, matchesFingerprint)] as const;
    }),
  );
  return { changes: new Map(filled), declared, snapshot: withSecrets };
}

async function fill(
  change: Change,
  secrets: readonly SavedSecret[],
  candidates: (secret: SavedSecret) => readonly (JsonValue | undefined)[],
  matchesFingerprint: FingerprintMatcher,
): Promise<Change> {
  const values = new Map<SavedSecret, JsonValue>();
  for (const secret of secrets.filter(({ resource, in: part }) => resource === change.id && part !== 'record')) {
    for (const value of candidates(secret)) {
      if (value === undefined || !(await matchesFingerprint(secret, value))) continue;
      values.set(secret, value);
      break;
    }
    if (!values.has(secret)) throw secretChanged(change.id);
  }
  return fillSecrets(change, secrets, (secret) => values.get(secret));
}

/** The live records, with the values of secrets to change, unless the plan did not know them either. */
async function readSecretValues(
  { unrevealed }: SavedPlan,
  changes: readonly Change[],
  snapshot: Snapshot,
  { client }: Platform,
): Promise<Snapshot> {
  const known = changes.filter(({ id, kind }) => hiddenField(kind) !== undefined && !unrevealed.has(id));
  const read = await Promise.all(
    known.map(async ({ id, ref }): Promise<readonly LiveResource[]> => {
      if (!snapshot.resources.has(id)) return [];
      const live = await client.read(ref);
      return compact([live]);
    }),
  );
  const resources = new Map(snapshot.resources);
  for (const live of read.flat()) resources.set(live.id, live);
  return { ...snapshot, resources, unrevealed };
}

/**
 * The records that the plan was made from, with secret values if the version is the same. A saved plan lacks these, and
 * without them a version that rises by itself looks like another client's write.
 */
function withValues(
  saved: ReadonlyMap<ResourceId, LiveResource>,
  { resources }: Snapshot,
): ReadonlyMap<ResourceId, LiveResource> {
  const now = [...saved].map(([id, live]): readonly [ResourceId, LiveResource] => {
    const read = resources.get(id);
    return [id, read?.uid === live.uid && read.version === live.version ? read : live];
  });
  return new Map(now);
}

/** Compares a value with the fingerprint of a place. */
type FingerprintMatcher = (secret: SavedSecret, value: JsonValue | undefined) => Promise<boolean>;

/** Returns the declarations of a saved plan again, with secret values. */
type SecretInputs = () => Promise<readonly DesiredResource[]>;

/** Errors: `saved.key-missing`. */
function fingerprintMatcher(saved: SavedPlan, environment: Environment): FingerprintMatcher {
  const { fingerprints } = saved;
  if (fingerprints === undefined) return () => Promise.resolve(false);
  const fingerprint = fingerprinter(fingerprints, environment);
  return async (secret, value) =>
    value !== undefined && (await fingerprint(fingerprintText(secret.resource, value))) === secret.fingerprint;
}

/**
 * The declared resources, with secret values read again from the inputs of the plan. Errors: `saved.input-missing`;
 * `saved.secret-changed` if a value differs from that of the plan.
 */
async function readSecretsAgain(
  saved: SavedPlan,
  ids: ReadonlySet<ResourceId>,
  matchesFingerprint: FingerprintMatcher,
  readInputs: SecretInputs,
): Promise<readonly DesiredResource[]> {
  const inputs = new Map((await readInputs()).map((resource) => [resource.id, resource]));
  const wanted = saved.secrets.filter(({ resource, in: part }) => part === 'record' && ids.has(resource));
  const values = new Map<SavedSecret, JsonValue>();
  for (const secret of wanted) {
    const value = valueThere(inputs.get(secret.resource)?.record, secret.at);
    if (value === undefined) throw secretChanged(secret.resource, ': none is declared here');
    values.set(secret, value);
  }
  // In parallel, because each takes long without a key.
  const isSame = await Promise.all([...values].map(([secret, value]) => matchesFingerprint(secret, value)));
  const changed = wanted.find((_, index) => isSame[index] === false);
  if (changed !== undefined) throw secretChanged(changed.resource);
  return saved.declared.map((resource) => fillRecord(resource, wanted, (secret) => values.get(secret)));
}

/** Reads the declarations of a plan's inputs again. Errors: `saved.input-missing`. */
async function loadInputs({ inputs, plan }: SavedPlan, session: Session): Promise<readonly DesiredResource[]> {
  if (inputs.paths.includes('-')) throw inputMissing('-', 'standard input');
  if (inputs.paths.includes(inputOfProgram)) throw inputMissing(inputOfProgram, 'what a program declares');
  const split = await Promise.all(inputs.paths.map((path) => splitSelector(path, session.cwd)));
  for (const { path } of split) {
    if ((await stat(resolve(session.cwd, path)).catch(() => undefined)) === undefined && !/[*?[{]/.test(path)) {
      throw inputMissing(path, path);
    }
  }
  const { gvc, environment: env } = inputs;
  const named = present({ gvc, env });
  const options = { ...session.options, org: plan.org, ...named };
  const { desired } = await loadManifests({ ...session, options }, inputs.paths).catch((error: unknown) => {
    if (!(error instanceof ToolError)) throw error;
    const paths = inputs.paths.join(', ');
    if (error.code === 'stack.environment') throw inputMissing(paths, `${paths} has no environment ${env} here`);
    if (error.code !== 'input.invalid') throw error;
    throw inputMissing(paths, 'what it declares has problems', error.causes);
  });
  return desired;
}

function inputMissing(path: string, what: string, causes: readonly ErrorCause[] = []): ToolError {
  const isProgram = path === inputOfProgram;
  const isGone = isProgram || path === '-';
  const why = isGone ? `${what} cannot be read again` : path === what ? `${path} is not there` : what;
  return new ToolError({
    code: 'saved.input-missing',
    message: `this plan writes secrets, whose values must be read from its manifests again: ${why}`,
    hint: isProgram
      ? 'Apply it in that program, with the stack: apply(plan, { stack }).'
      : 'Run it where its manifests are, unchanged since the plan was made; or plan again.',
    causes,
  });
}

/** `why` continues the message. */
function secretChanged(id: ResourceId, why = ''): ToolError {
  return new ToolError({
    code: 'saved.secret-changed',
    message: `the value of ${id} differs from the one that the plan was made with${why}`,
    hint: 'Plan again with the new value, or restore the old one.',
    resource: id,
  });
}
