import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Progress, progressOfAll, remainingPlan } from '../../apply/resume.ts';
import type { JsonValue } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import { type ErrorCause, ToolError } from '../../base/toolError.ts';
import { maskedResources, replanSaved } from '../../change/replanSaved.ts';
import { replanUndo } from '../../change/replanUndo.ts';
import { refuseSaved, type SavedPlan, type SavedSecret } from '../../change/savedPlan.ts';
import { brokenFacts, newVictims, unseenIn } from '../../change/savedPlanOf.ts';
import { fillRecord, fillSecrets, fingerprinted } from '../../change/savedSecrets.ts';
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
import { loadManifests } from '../loading/loadStack.ts';
import { fingerprinter, tellIfSlow } from './fingerprint.ts';
import { withoutHidden } from './hidden.ts';
import { planOptionsOf } from './options.ts';
import { staleError, staleRecords } from './stale.ts';

/** A saved plan as it can be run now. */
export interface Continued {
  /** The remaining changes. */
  readonly left: Plan;
  /** Undefined: nothing is left. `shown`: as it was approved, for the reader. */
  readonly runnable: (Omit<RunnablePlan, 'refused' | 'refusedNow'> & { readonly shown: Plan }) | undefined;
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

  const filled = await fillBodies(saved, left, { snapshot, platform, session, inputs });
  if (filled.snapshot !== snapshot) {
    // Secret values are read last. What was written since the first read is refused here, before any write.
    const staleNow = staleRecords(standingsIn(filled.snapshot, saved, platform), saved.live, platform.org);
    if (staleNow.length > 0) throw await staleError(staleNow, platform, hint);
  }
  const masked = maskedResources(filled.declared, new Set(filled.changes.keys()));
  const refusals = [
    ...left.refusals,
    ...refuseLost(left, snapshot),
    ...refuseSaved(saved, limits, { nowMs: Date.now(), isSigned }),
  ];
  const runnable = {
    plan: {
      ...withoutDryRun(left, snapshot),
      refusals,
      notes: lastingNotes(left.notes),
      changes: left.changes.map((change) => filled.changes.get(change.id) ?? change),
    },
    shown: { ...saved.plan, refusals, notes: [...lastingNotes(saved.plan.notes), ...doneNote(standings, saved.plan)] },
    replan: replanUndo(saved, replanSaved(filled.declared, masked, filled.snapshot, planOptionsOf(saved))),
    desired: saved.declared,
    planned: withValues(saved.live, filled.snapshot),
    planAgain: (again: Platform) => whatIsLeft(saved, again),
  };
  return { left, runnable };
}

/**
 * The remaining changes of a plan, before the earlier ones of its file are run. Facts and the names of creations are
 * not checked: the earlier plans may change them. Errors: `plan.stale`, and those of secrets.
 */
export async function lookAhead(saved: SavedPlan, platform: Platform, session: Session): Promise<Plan> {
  const { snapshot, standings } = await lookUp(saved, platform);
  const created = new Set(saved.plan.changes.filter(({ action }) => action === 'create').map(({ id }) => id));
  const pinned = new Map([...standings].filter(([id]) => !created.has(id)));
  const stale = staleRecords(pinned, saved.live, platform.org);
  if (stale.length > 0) throw await staleError(stale, platform, hint);
  const left = remainingPlan(saved.plan, standings, snapshot);
  await fillBodies(saved, left, { snapshot, platform, session, inputs: undefined });
  return left;
}

/**
 * Refuses values that an earlier run was shown and did not write: somebody may use them, so they are not made once
 * more.
 */
function refuseLost({ changes }: Plan, { resources }: Snapshot): readonly Refusal[] {
  const comesAnew = new Set(
    changes.filter(({ action }) => action === 'create' || action === 'replace').map(({ id }) => id),
  );
  const awaited = liveReferences(changes.flatMap(({ awaits = [] }) => awaits));
  return awaited
    .filter((each) => isShownOnce(each) && !comesAnew.has(each.id) && wasShown(each, resources.get(each.id)?.record))
    .map((each) => refuse.readLost(each, resources.get(each.id)?.record ?? {}));
}

/** Elsewhere a dry run would create a record, so it is only sent if the platform still says that it stores nothing. */
function withoutDryRun({ dryRun, ...plan }: Plan, now: Snapshot): Plan {
  return dryRun !== undefined && now.dryRun === dryRun ? { ...plan, dryRun } : plan;
}

/** The live records, and how far each change has come. */
async function lookUp(saved: SavedPlan, platform: Platform) {
  const snapshot = await readSaved(saved, platform);
  return { snapshot, standings: standingsIn(snapshot, saved, platform) };
}

function standingsIn(snapshot: Snapshot, saved: SavedPlan, { org }: Platform): ReadonlyMap<ResourceId, Progress> {
  const masked = maskedResources(saved.declared, new Set());
  const replan = replanUndo(saved, replanSaved(saved.declared, masked, snapshot, planOptionsOf(saved)));
  const { capabilities } = snapshot;
  const comparing = { replan: withoutSecrets(replan, saved), org, planned: saved.live, capabilities };
  return progressOfAll(saved.plan, snapshot, comparing);
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

/** The live records of everything that the plan changes or relies on. Secret values are not asked for. */
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
    referenced: [
      ...[...secrets, ...going].map(({ ref }) => ref),
      ...facts.map(({ ref }) => ref),
      ...changed.flatMap(awaited),
    ],
  };
}

/** The records that it takes unknown values from. */
export function awaited({ awaits = [] }: Change): readonly Ref[] {
  return liveReferences([...awaits]).map(({ ref }) => ref);
}

/** Nobody can say whether a secret value that somebody has written since is the one that the plan was made from. */
function withoutSecrets(replan: Replan, saved: SavedPlan): Replan {
  const writers = writesSecrets(saved);
  const message = 'it contains a secret, whose value may have changed since';
  const again: Replan = (id, live, isAnswer) => {
    const change = writers.has(id) ? saved.plan.changes.find((each) => each.id === id) : undefined;
    return change === undefined
      ? replan(id, live, isAnswer)
      : { ...change, refusals: [{ code: 'plan.stale', message }] };
  };
  const { ofAnswer, learn } = replan;
  return Object.assign(again, { ...(ofAnswer && { ofAnswer }), ...(learn && { learn }) });
}

function doneNote(standings: ReadonlyMap<ResourceId, Progress>, { changes }: Plan): readonly string[] {
  const done = [...standings].filter(([, { as }]) => as === 'done').map(([id]) => id);
  const all = changes.filter(({ action }) => action !== 'keep').length;
  return done.length === 0 ? [] : [`${done.length} of ${all} are done already: ${done.sort().join(', ')}`];
}

/** Resources into which the plan writes a sensitive value. */
function writesSecrets({ secrets }: SavedPlan): ReadonlySet<ResourceId> {
  return new Set(secrets.filter(({ in: part }) => part !== 'record').map(({ resource }) => resource));
}

interface FilledBodies {
  /** With their sensitive values. */
  readonly changes: ReadonlyMap<ResourceId, Change>;
  readonly declared: readonly DesiredResource[];
  /** With the live values of secrets that are patched. */
  readonly snapshot: Snapshot;
}

interface Filling {
  readonly snapshot: Snapshot;
  readonly platform: Platform;
  readonly session: Session;
  /** Absent: the inputs that the plan was made from are read again. */
  readonly inputs: SecretInputs | undefined;
}

/**
 * The bodies of what is left with their sensitive values: read again from the inputs, and each compared with its
 * fingerprint. Without such changes no input is looked at.
 *
 * Errors: `saved.input-missing`, `saved.secret-changed`, `saved.key-missing`.
 */
async function fillBodies(
  saved: SavedPlan,
  left: Plan,
  { snapshot, platform, session, inputs }: Filling,
): Promise<FilledBodies> {
  const secretWriters = writesSecrets(saved);
  const changes = left.changes.filter(({ id, action }) => action !== 'keep' && secretWriters.has(id));
  if (changes.length === 0) return { changes: new Map(), declared: saved.declared, snapshot };
  const recognise = recogniser(saved, session.environment);
  const ids = new Set(changes.map(({ id }) => id));
  if (saved.fingerprints !== undefined) {
    const compared = saved.secrets.filter(({ resource }) => ids.has(resource)).map(({ fingerprint }) => fingerprint);
    await tellIfSlow(saved.fingerprints, new Set(compared).size, session.tell);
  }
  const declared = await readSecretsAgain(saved, ids, recognise, inputs ?? (() => loadInputs(saved, session)));
  const seen = await revealed(saved, changes, snapshot, platform);
  const again = replanSaved(declared, new Set(), seen, planOptionsOf(saved));
  const records = new Map(declared.map((resource) => [resource.id, resource.record]));

  const filled = await Promise.all(
    changes.map(async (change) => {
      const live = seen.resources.get(change.id);
      const now = live === undefined ? undefined : again(change.id, live);
      const candidates = (secret: SavedSecret): readonly (JsonValue | undefined)[] => [
        valueThere(records.get(change.id), secret.at),
        valueThere(now?.patch?.expose(), secret.at),
        valueThere(live?.record, secret.at),
      ];
      return [change.id, await fill(change, saved.secrets, candidates, recognise)] as const;
    }),
  );
  return { changes: new Map(filled), declared, snapshot: seen };
}

async function fill(
  change: Change,
  secrets: readonly SavedSecret[],
  candidates: (secret: SavedSecret) => readonly (JsonValue | undefined)[],
  recognise: Recognise,
): Promise<Change> {
  const values = new Map<SavedSecret, JsonValue>();
  for (const secret of secrets.filter(({ resource, in: part }) => resource === change.id && part !== 'record')) {
    for (const value of candidates(secret)) {
      if (value === undefined || !(await recognise(secret, value))) continue;
      values.set(secret, value);
      break;
    }
    if (!values.has(secret)) throw secretChanged(change.id);
  }
  return fillSecrets(change, secrets, (secret) => values.get(secret));
}

/**
 * The live records, with the values of the secrets that are to be changed, unless they were unknown to the plan too.
 */
async function revealed(
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
      return live === undefined ? [] : [live];
    }),
  );
  const resources = new Map(snapshot.resources);
  for (const live of read.flat()) resources.set(live.id, live);
  return { ...snapshot, resources, unrevealed };
}

/**
 * The records that the plan was made from, with their secret values where they are still at the same version: a saved
 * plan does not have these, and without them a version that rises by itself cannot be told from somebody's write.
 */
function withValues(
  kept: ReadonlyMap<ResourceId, LiveResource>,
  { resources }: Snapshot,
): ReadonlyMap<ResourceId, LiveResource> {
  const now = [...kept].map(([id, live]): readonly [ResourceId, LiveResource] => {
    const read = resources.get(id);
    return [id, read?.uid === live.uid && read.version === live.version ? read : live];
  });
  return new Map(now);
}

/** Compares a value with the fingerprint of a place. */
type Recognise = (secret: SavedSecret, value: JsonValue | undefined) => Promise<boolean>;

/** Declares again what a saved plan was made from, secret values included. */
type SecretInputs = () => Promise<readonly DesiredResource[]>;

/** Errors: `saved.key-missing`. */
function recogniser(saved: SavedPlan, environment: Environment): Recognise {
  const { fingerprints } = saved;
  if (fingerprints === undefined) return () => Promise.resolve(false);
  const fingerprint = fingerprinter(fingerprints, environment);
  return async (secret, value) =>
    value !== undefined && (await fingerprint(fingerprinted(secret.resource, value))) === secret.fingerprint;
}

/**
 * The declared resources, with the secret values of the inputs that the plan was made from, read again. Errors:
 * `saved.input-missing`; `saved.secret-changed` for a value that is not the one of the plan.
 */
async function readSecretsAgain(
  saved: SavedPlan,
  ids: ReadonlySet<ResourceId>,
  recognise: Recognise,
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
  // Side by side, on all cores: each takes long where there is no key.
  const isSame = await Promise.all([...values].map(([secret, value]) => recognise(secret, value)));
  const changed = wanted.find((_, index) => isSame[index] === false);
  if (changed !== undefined) throw secretChanged(changed.resource);
  return saved.declared.map((resource) => fillRecord(resource, wanted, (secret) => values.get(secret)));
}

/** The resources that the inputs of a plan declare, read again. Errors: `saved.input-missing`. */
async function loadInputs({ inputs, plan }: SavedPlan, session: Session): Promise<readonly DesiredResource[]> {
  if (inputs.paths.includes('-')) throw inputMissing('-', 'standard input');
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
  const why = path === '-' ? `${what} cannot be read again` : path === what ? `${path} is not there` : what;
  return new ToolError({
    code: 'saved.input-missing',
    message: `this plan writes secrets, whose values must be read from its manifests again: ${why}`,
    hint: 'Run it where its manifests are, unchanged since the plan was made; or plan again.',
    causes,
  });
}

/** `why` goes on with the message. */
function secretChanged(id: ResourceId, why = ''): ToolError {
  return new ToolError({
    code: 'saved.secret-changed',
    message: `the value of ${id} differs from the one that the plan was made with${why}`,
    hint: 'Plan again with the new value, or restore the old one.',
    resource: id,
  });
}
