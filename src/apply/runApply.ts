import type { ApplyClock } from '../base/clock.ts';
import { nonEmpty, present } from '../base/json/present.ts';
import { onceFor } from '../base/once.ts';
import { ToolError } from '../base/toolError.ts';
import { Capabilities } from '../capabilities/capabilities.ts';
import { reachableAddresses } from '../kinds/addresses.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import type { WritesOf } from '../manifest/live/writer.ts';
import type { Change } from '../plan/model/change.ts';
import type { Plan } from '../plan/model/plan.ts';
import { refusedPlan } from '../plan/model/refusal.ts';
import { successionsIn, triedCreations } from '../plan/order/applyRequests.ts';
import type { Replan } from '../plan/replan.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import { accept, markStored, type Shown } from './accept.ts';
import { DivergenceError, Interrupted, isCode } from './applyErrors.ts';
import { refuseUnfilled, waitUntilReady, withAwaited } from './awaited.ts';
import { Commitments } from './commitments.ts';
import { createRecord } from './create.ts';
import type { ApplyEvent, ApplyResult, ChangeRun, Failed, Skipped, Unfinished } from './events.ts';
import { monotonicReads } from './monotonicReads.ts';
import { patchAgain, patchRecord } from './patch.ts';
import { type PlatformPort, systemClock, type Unwritten, type Written } from './port.ts';
import { Precondition, UnchangedRecords } from './precondition.ts';
import { settleRaces } from './races.ts';
import { notesOnDenied, removeRecord } from './remove.ts';
import { defaultPatience, type Patience, type Run, runOfStep, type StepRun } from './run.ts';
import { schedule, type Task } from './schedule.ts';
import { describeKey, eventStep, type PlannedStep, planSteps, type Update } from './tasks.ts';
import { type Verification, verify } from './verify.ts';

export interface ApplyOptions {
  /** @default real time */
  readonly clock?: ApplyClock;
  /** Maximum number of concurrent changes. @default 64 */
  readonly concurrency?: number;
  /**
   * After an abort, nothing new is started, running changes are finished, and what was deleted to be replaced is
   * created again.
   */
  readonly signal?: AbortSignal;
  /** Called once, after an abort, as soon as no started replacement is open: from then on requests need no retries. */
  readonly stopRetrying?: () => void;
  readonly onEvent?: (event: ApplyEvent) => void;
  /** In [0, 1); for the jitter of delays. */
  readonly random?: () => number;
  readonly patience?: Partial<Patience>;
  /**
   * Called before each write; returns an error if writes are no longer allowed. The first change that is refused fails
   * with it. Running changes are finished, what was deleted to be replaced is created again, and nothing else starts.
   */
  readonly refusedNow?: () => Promise<ToolError | undefined>;
  /**
   * The records that the plan was made from, so that a changed version alone does not count as a change. Without it, it
   * does.
   */
  readonly planned?: (id: ResourceId) => LiveResource | undefined;
  /** Plans one resource again when its version has changed; without it, such a change is stale. */
  readonly replan?: Replan;
  /** Whether `replan` knows the declaration. If not, an unchanged record with a new version cannot be compared. */
  readonly declares?: (id: ResourceId) => boolean;
  /** In one of several runs: whether an earlier run has written this record. Its values may not be readable yet. */
  readonly wroteBefore?: (id: ResourceId) => boolean;
  /** The whole stack is destroyed: what it still has afterwards was left behind. @default false */
  readonly endsEmpty?: boolean;
  /**
   * If false, written records are not read again: for a run of one change of many, whose caller reads all of them
   * itself. @default true
   */
  readonly verifies?: boolean;
  /** Reads the writers of changed records, after the run and only for those. Without it the writer is `unknown`. */
  readonly writesOf?: WritesOf;
}

/**
 * Carries out a plan, and nothing else. Resolves with the outcome of each change, even if some failed: a failure skips
 * the changes that wait for it, and no others. Rejects with `plan.refused`, before any request, if the plan has a
 * refusal.
 */
export async function runApply(plan: Plan, port: PlatformPort, options: ApplyOptions): Promise<ApplyResult> {
  const refused = refusedPlan(plan);
  if (refused !== undefined) throw refused;
  // A body that cannot be sent ends the run before anything is written.
  for (const { create, patch, then } of plan.changes) for (const body of [create, patch, then]) body?.toSend();

  const { counted, requests } = countCalls(port);
  const halt = new AbortController();
  let stopped: string | undefined;
  function stop(because: string): void {
    stopped ??= because;
    halt.abort();
  }
  const steps = planSteps(plan);
  const commitments = new Commitments(plan, steps);
  let patient = true;
  function losePatience(): void {
    if (!patient || options.signal?.aborted !== true || !commitments.areMet) return;
    patient = false;
    options.stopRetrying?.();
  }
  function onAbort(): void {
    stop('the run was interrupted');
    losePatience();
  }
  options.signal?.addEventListener('abort', onAbort);
  if (options.signal?.aborted === true) onAbort();

  const written = new Map<ResourceId, Written>();
  const emit = options.onEvent ?? (() => {});
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  const capabilities = port.capabilities ?? new Capabilities();
  const planned = options.planned ?? (() => undefined);
  const patience = { ...defaultPatience, ...options.patience };
  const fresh = monotonicReads(counted, { plan, written, clock, random, patience, capabilities, halt: halt.signal });
  const run: Run = {
    plan,
    port: refuseUnfilled(fresh, plan),
    clock,
    random,
    patience,
    capabilities,
    planned,
    replan: options.replan,
    declares: options.declares ?? (() => false),
    wroteBefore: options.wroteBefore ?? (() => false),
    endsEmpty: options.endsEmpty ?? false,
    halt: halt.signal,
    stop,
    async mayWrite() {
      const late = await options.refusedNow?.();
      if (late === undefined) return;
      if (halt.signal.aborted) throw new Interrupted();
      stop(late.message);
      throw late;
    },
    emit,
    written,
    kept: new UnchangedRecords(plan, fresh),
    precondition: new Precondition({ plan, port: fresh, written, capabilities, planned }),
    secondSteps: new Map(),
    races: new Map(),
    accepted: new Set(),
    denied: new Set(),
    commitments,
    tried: plan.dryRun === 'honoured' ? triedCreations(plan.changes) : new Map(),
    tries: new Map(),
    marks: new Map(),
    marked: new Map(),
    notes: new Set(),
  };
  const tally = new Outcomes(steps, {
    now: () => clock.now(),
    emit,
    version: (id) => versionOf(written.get(id)),
    unwritten: (id) => unwrittenOf(written.get(id)),
    reached: reachedIn(plan, run),
  });
  try {
    await schedule(
      steps.map((step) => makeTask(run, step, tally, { stopped: () => stopped, ended: losePatience })),
      {
        concurrency: options.concurrency ?? 64,
        stopped: () => stopped,
        mustStillRun: (key) => commitments.owes(key),
        runsDespiteFailure: (key) => commitments.insistsOn(key),
        describe: (key, outcome) => `${describeKey(key)} ${outcome === 'failed' ? 'failed' : 'was skipped'}`,
      },
    );
  } finally {
    options.signal?.removeEventListener('abort', onAbort);
  }

  const interrupted = options.signal?.aborted === true;
  const isRead = !interrupted && options.verifies !== false;
  const outcome = tally.result();
  const read: Verification = isRead ? await verify(run) : { verified: undefined };
  const { owned = [], ...verification } = withDivergences(read, outcome.failed);
  const races = await settleRaces(run.races.values(), plan.org, interrupted ? undefined : options.writesOf);
  const inDoubt = run.plan.changes.flatMap(doubts);
  const notes = [...run.precondition.notes(), ...notesOnDenied(written), ...run.notes, ...inDoubt];
  function doubts({ id, doubts: planned = [] }: Change): readonly string[] {
    return run.written.has(id) ? planned.map((note) => `${id}: ${note}`) : [];
  }
  const changes = changeRuns(tally.times(), { written, kept: run.kept, verified: owned });
  return {
    ...outcome,
    requests: requests(),
    interrupted,
    ...present({ inDoubt: inDoubt.length === 0 ? undefined : inDoubt.length }),
    ...verification,
    ...nonEmpty({ changes, races, notes }),
  };
}

/** A record that was not stored as planned is a difference, regardless of its version. */
function withDivergences(found: Verification, failed: ApplyResult['failed']): Verification {
  const diverged = failed.flatMap(({ error }) => (error instanceof DivergenceError ? [error] : []));
  if (diverged.length === 0) return found;
  const { compared: _, ...rest } = found;
  const words = diverged.map(({ id, paths }) => `${id} was written, but not stored as planned: ${paths.join(', ')}`);
  return { ...rest, verified: false, differences: [...words, ...(found.differences ?? [])] };
}

interface StepHooks {
  readonly stopped: () => string | undefined;
  /** Called when a step has ended, with any outcome. */
  readonly ended: () => void;
}

function makeTask(run: Run, planned: PlannedStep, tally: Outcomes, { stopped, ended }: StepHooks): Task {
  const { key, step, change, after } = planned;
  const { id } = change;
  function endStep(reason: Ended['reason']): void {
    tally.settled(id, reason);
    run.commitments.end(key);
    ended();
  }
  return {
    key,
    after,
    async run(slot) {
      tally.started(id);
      const eventName = eventStep(step);
      if (eventName !== undefined) run.emit({ type: 'started', id, step: eventName });
      const { outcome, reason } = await outcomeOf(() => takeStep(runOfStep(run, key, slot), planned), stopped);
      // Without a valid token, nothing else can succeed.
      if (isCode(reason, 'api.unauthorized')) run.stop('the platform rejects the token');
      endStep(reason);
      return outcome;
    },
    skip: endStep,
  };
}

async function takeStep(run: StepRun, { step, change }: PlannedStep): Promise<void> {
  switch (step) {
    case 'create': {
      const as = await createRecord(run, await withAwaited(run, change));
      return change.then === undefined ? markStored(run, change, as) : undefined;
    }
    case 'patch': {
      const as = await patchAwaited(run, change);
      return change.then === undefined ? markStored(run, change, as) : undefined;
    }
    case 'then':
      return markStored(run, change, await patchAgain(run, await withAwaited(run, change)));
    case 'delete':
      return removeRecord(run, change);
    case 'ready':
      return waitUntilReady(run, change);
    case 'via':
      run.written.set(change.id, { as: 'deleted', uid: change.liveUid });
  }
}

/** If the awaited values equal those of the record, nothing is written. */
async function patchAwaited(run: StepRun, change: Update): Promise<Shown | undefined> {
  const known = await withAwaited(run, change);
  if (known === change) return patchRecord(run, change);
  const live = await run.port.read(change.ref);
  if (live?.uid !== change.liveUid || run.replan === undefined || run.replan(change.id, live) !== undefined) {
    return patchRecord(run, known);
  }
  run.secondSteps.set(change.id, {});
  accept(run, change, live, { unchanged: true });
  return 'read';
}

type Ended =
  | { readonly outcome: 'done'; readonly reason: undefined }
  | { readonly outcome: 'failed'; readonly reason: ToolError }
  | { readonly outcome: 'skipped'; readonly reason: string };

async function outcomeOf(step: () => Promise<void>, stopped: () => string | undefined): Promise<Ended> {
  try {
    await step();
    return { outcome: 'done', reason: undefined };
  } catch (error) {
    if (error instanceof Interrupted) return { outcome: 'skipped', reason: stopped() ?? 'the run was stopped' };
    if (error instanceof ToolError) return { outcome: 'failed', reason: error };
    throw error; // our own mistake
  }
}

/** How far an unfinished change has come; for a new name, also whether the old one was already deleted. */
function reachedIn({ changes }: Plan, { written, accepted }: Run): (id: ResourceId) => Unfinished['reached'] {
  const predecessors = new Map([...successionsIn(changes)].map(([deleted, created]) => [created, deleted]));
  const isGone = (id: ResourceId): boolean =>
    written.get(id)?.as === 'deleted' || (!written.has(id) && accepted.has(id));
  return (id) => {
    const predecessor = predecessors.get(id);
    if (predecessor !== undefined && written.get(id)?.as !== 'stored' && isGone(predecessor)) return 'deleted';
    return written.has(id) || accepted.has(id) ? 'written' : undefined;
  };
}

function unwrittenOf(written: Written | undefined): Unwritten {
  if (written?.as !== 'stored') return {};
  const { already, unchanged } = written;
  return { ...(already && { already }), ...(unchanged && { unchanged }) };
}

function versionOf(written: Written | undefined): number | undefined {
  return written?.as === 'stored' ? written.live.version : undefined;
}

interface RunRecords {
  readonly written: ReadonlyMap<ResourceId, Written>;
  readonly kept: UnchangedRecords;
  /** Records that the verification read: newer than the answers to writes. */
  readonly verified: readonly LiveResource[];
}

/** Facts about each change after a run: its times, version and addresses. */
function changeRuns(times: readonly ChangeTime[], { written, kept, verified }: RunRecords): readonly ChangeRun[] {
  const latest = new Map(verified.map((live) => [live.id, live]));
  return times.map((time) => {
    const own = written.get(time.id);
    const live = own?.as === 'stored' ? own.live : kept.seen(time.id);
    if (live === undefined) return time;
    const now = latest.get(time.id);
    const { ref, record } = now?.uid === live.uid ? now : live;
    const endpoints = reachableAddresses(ref.kind, record);
    return { ...time, version: live.version, ...nonEmpty({ endpoints }) };
  });
}

/** The port with a counter of its requests: its own count if it has one, otherwise its calls. */
export function countCalls(port: PlatformPort): { readonly counted: PlatformPort; readonly requests: () => number } {
  const before = port.requests?.() ?? 0;
  let calls = 0;
  function count<T>(call: Promise<T>): Promise<T> {
    calls += 1;
    return call;
  }
  const counted: PlatformPort = {
    create: (ref, body, marked) => count(port.create(ref, body, marked)),
    tryCreate: (ref, body, marked) => count(port.tryCreate(ref, body, marked)),
    patch: (ref, body, marked) => count(port.patch(ref, body, marked)),
    delete: (ref, again) => count(port.delete(ref, again)),
    read: (ref) => count(port.read(ref)),
    children: (gvc) => count(port.children(gvc)),
    deployments: (ref) => count(port.deployments(ref)),
    owned: (owner, kinds, expected) => count(port.owned(owner, kinds, expected)),
    ...present({ shownOnce: port.shownOnce, capabilities: port.capabilities }),
  };
  return { counted, requests: () => (port.requests === undefined ? calls : port.requests() - before) };
}

type ChangeTime = Pick<ChangeRun, 'id' | 'outcome' | keyof Unwritten | 'reached' | 'startedMs' | 'elapsedMs'>;

interface Progress {
  open: number;
  startedAt: number | undefined;
  error: ToolError | undefined;
  skipped: string | undefined;
}

interface TallyOptions {
  readonly now: () => number;
  readonly version: (id: ResourceId) => number | undefined;
  readonly unwritten: (id: ResourceId) => Unwritten;
  readonly reached: (id: ResourceId) => Unfinished['reached'];
  readonly emit: (event: ApplyEvent) => void;
}

/** Combines the outcomes of the steps of a change into one outcome, reported when its last step has ended. */
class Outcomes {
  readonly #options: TallyOptions;
  readonly #kept: ReadonlySet<ResourceId>;
  readonly #times: ChangeTime[] = [];
  readonly #done: ResourceId[] = [];
  readonly #ready: ResourceId[] = [];
  readonly #failed: Failed[] = [];
  readonly #skipped: Skipped[] = [];

  constructor(steps: readonly PlannedStep[], options: TallyOptions) {
    this.#options = options;
    this.#kept = new Set(steps.filter(({ change }) => change.action === 'keep').map(({ change }) => change.id));
    for (const { change } of steps) this.#of(change.id).open += 1;
  }

  started(id: ResourceId): void {
    this.#of(id).startedAt ??= this.#options.now();
  }

  /**
   * Called when a step has ended. `reason`: why it failed, or in words why it was skipped; undefined if it was done.
   */
  settled(id: ResourceId, reason: ToolError | string | undefined): void {
    const progress = this.#of(id);
    progress.open -= 1;
    if (typeof reason === 'string') progress.skipped ??= reason;
    else progress.error ??= reason;
    if (progress.open === 0) this.#close(id, progress);
  }

  /** In the order in which they ended. */
  result(): Pick<ApplyResult, 'done' | 'ready' | 'failed' | 'skipped'> {
    const ready = nonEmpty({ ready: this.#ready });
    return { done: this.#done, ...ready, failed: this.#failed, skipped: this.#skipped };
  }

  /** In the same order. */
  times(): readonly ChangeTime[] {
    return this.#times;
  }

  #close(id: ResourceId, { startedAt, error, skipped }: Progress): void {
    const { emit, now, reached, unwritten, version } = this.#options;
    const elapsedMs = startedAt === undefined ? 0 : now() - startedAt;
    const times = startedAt === undefined ? {} : { startedMs: startedAt, elapsedMs };
    const how = reached(id);
    const unfinished: Unfinished = { id, ...present({ reached: how }) };
    if (error !== undefined) {
      this.#times.push({ ...unfinished, outcome: 'failed', ...times });
      this.#failed.push({ ...unfinished, error });
      emit({ type: 'failed', ...unfinished, error });
    } else if (skipped !== undefined) {
      this.#times.push({ ...unfinished, outcome: 'skipped', ...times });
      this.#skipped.push({ ...unfinished, because: skipped });
      emit({ type: 'skipped', ...unfinished, because: skipped });
    } else {
      const unchanged = this.#kept.has(id);
      const found = unwritten(id);
      this.#times.push({ id, outcome: unchanged ? 'ready' : 'done', ...found, ...times });
      (unchanged ? this.#ready : this.#done).push(id);
      emit({ type: 'done', id, version: version(id), elapsedMs, ...found });
    }
  }

  readonly #of = onceFor(
    (_id: ResourceId): Progress => ({ open: 0, startedAt: undefined, error: undefined, skipped: undefined }),
  );
}
