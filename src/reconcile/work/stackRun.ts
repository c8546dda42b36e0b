import type { JsonObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import { planToJson } from '../../change/documents/planDocument.ts';
import type { FirstReads } from '../../client/firstReads.ts';
import { isWrite, Withheld } from '../../client/http/exchange.ts';
import { confirmAndRun, type RunAttempt } from '../../gantry/apply.ts';
import { resultToJson } from '../../gantry/applying/runResult.ts';
import type { NewPlan } from '../../gantry/gantry.ts';
import { interruptByAbort } from '../../gantry/interruptByAbort.ts';
import { type LoadedStack, loadStacks } from '../../gantry/loading/loadStack.ts';
import { planStack } from '../../gantry/plan.ts';
import { checkSaved, openSaved, resumeSaved } from '../../gantry/saved.ts';
import type { StackNote } from '../../integrations/notification.ts';
import type { OwnTrace } from '../../integrations/openTracing.ts';
import { ownerOf } from '../../manifest/model/ownTags.ts';
import { refuseNow } from '../../plan/checks/refusePlan.ts';
import { planRisk } from '../../plan/consequences/risk.ts';
import { actionCounts } from '../../plan/model/plan.ts';
import { sha256 } from '../../project/files/sha256.ts';
import { openHost, type Platform, type PlatformHost, type PlatformOptions } from '../../project/platform/platform.ts';
import type { StepEvent } from '../../project/session/event.ts';
import type { Session } from '../../project/session/session.ts';
import { phase } from '../../project/session/session.ts';
import { effectiveLimits, effectiveSigners } from '../../project/settings/effectiveLimits.ts';
import { addressesOf } from '../../project/settings/endpoints.ts';
import { readKeys } from '../../signing/checkWithKeys.ts';
import { requiredSignatures } from '../../signing/requiredApprovals.ts';
import { targetOf } from '../../signing/target.ts';
import { heldBy } from '../decisions/hold.ts';
import { isSameWish } from '../decisions/planInputs.ts';
import {
  asksRehearsal,
  type Decision,
  mayWriteNow,
  nextRunMs,
  type PlanFacts,
  signedIfAsked,
  whatToDo,
} from '../decisions/whatToDo.ts';
import type { FetchedStack, RunOutcomeName, StackStateName, StackSummary } from '../model.ts';
import { inLines } from '../store/board.ts';
import { judgedApprovals, planTrust } from '../store/keptFiles.ts';
import type { Lease } from '../store/leases.ts';
import type { RunDetails } from '../store/rows.ts';
import type { OpenPlan, StackReads } from '../store/store.ts';
import { claimOwner } from './claimOwner.ts';
import { driftOf, noteOf, storageOf } from './drift.ts';
import { inputsOf, OwnKinds, planName } from './inputsOf.ts';
import { noFile, planFile, withPlanFile } from './planFile.ts';
import { refusalsOf, rehearsalRefusal } from './refusals.ts';
import { asToolError, errorDocument, leaseLost, notAsApproved, sentenceOf, severalStacks } from './runErrors.ts';
import { RunLog } from './runLog.ts';
import type { SharedReads } from './sharedReads.ts';
import { hiddenVariables, projectOf, sessionOf, type WorkerSurroundings } from './surroundings.ts';

/** The worker, with the reads that its stacks share. */
type Surroundings = WorkerSurroundings & { readonly reads: Pick<SharedReads, 'write'> };

/** The outcome of a run, before it is stored. */
interface RunOutcome {
  readonly outcome: RunOutcomeName;
  readonly state: StackStateName;
  readonly because?: string | undefined;
  readonly plan?: string | undefined;
  readonly result?: JsonObject | undefined;
  readonly error?: ToolError | undefined;
}

/** The run of one stack, from its code to the stored result. It ends early if `signal` is aborted. */
export class StackRun {
  readonly #worker: Surroundings;
  readonly #summary: StackSummary;
  readonly id: string;
  readonly #log: RunLog;
  readonly #abort = new AbortController();
  readonly #timeLimit: NodeJS.Timeout;
  /** Undefined without a collector of traces. */
  readonly #trace: OwnTrace | undefined;
  readonly lease: Lease;
  /** Earlier reads of the platform are too old for it. */
  readonly sinceMs: number;
  readonly #kinds = new OwnKinds();
  #fetched: FetchedStack | undefined;
  #session: Session<PlatformOptions> | undefined;
  #stack: LoadedStack | undefined;
  #plan: NewPlan | undefined;
  #failure: ToolError | undefined;
  #requests = 0;

  /** `begun`: the run in the store. */
  constructor(
    worker: Surroundings,
    summary: StackSummary,
    lease: Lease,
    { id, sinceMs }: { readonly id: string; readonly sinceMs: number },
  ) {
    this.#worker = worker;
    this.#summary = summary;
    this.lease = lease;
    this.id = id;
    this.sinceMs = sinceMs;
    this.#timeLimit = setTimeout(
      () => this.stop('it takes too long'),
      Math.min(worker.mostRunMs, longestTimerMs),
    ).unref();
    this.#trace = worker.traces?.begin('gantry reconcile', {
      'gantry.run.id': id,
      'gantry.stack': summary.entry.name,
      'gantry.worker': worker.name,
      'gantry.fence': lease.fence,
    });
    this.#log = new RunLog(() => worker.store.now());
  }

  /** The facts about its plan for notifications; undefined without a plan yet. */
  get note(): StackNote | undefined {
    return this.#plan === undefined ? undefined : noteOf(this.#plan.plan);
  }

  get name(): string {
    return this.#summary.entry.name;
  }

  /** Stops the run: the lease is lost, the worker stops, or it takes too long. */
  stop(why: string): void {
    this.#abort.abort(why);
  }

  /** Records an error that happened before its turn. */
  fail(error: unknown): void {
    this.#failure ??= asToolError(error);
  }

  /** Fetches and loads the code. Stores an error for the end. */
  async load(): Promise<void> {
    const { entry } = this.#summary;
    const { signal } = this.#abort;
    await this.#catchFailure(async () => {
      const tracing = this.#trace?.tracing;
      const fetched = await phase({ tracing }, 'fetch', () => this.#worker.fetchStack(entry, signal));
      this.#fetched = fetched;
      if (fetched.root !== undefined) this.#log.leaveOut(fetched.root);
      const session = sessionOf(this.#worker, entry, {
        ...fetched,
        tell: (event) => this.#log.tell(event),
        interruptible: interruptByAbort(signal),
        ...present({ tracing }),
      });
      this.#session = session;
      this.#log.hideVariables(hiddenVariables(session.environment, entry.source));
      const [stack, second] = await phase(session, 'load', async () =>
        loadStacks(session, ['.'], { project: await projectOf(session, this.#worker) }),
      );
      if (stack === undefined || second !== undefined) throw severalStacks();
      this.#log.hideVariables(hiddenVariables(session.environment));
      this.#log.hide([...stack.desired, ...(stack.others ?? []).flatMap(({ desired }) => desired)]);
      this.#stack = stack;
      await claimOwner(this.#summary.entry, this.lease, stack, this.#worker);
    });
  }

  /** Stacks with equal keys may share reads; undefined if loading failed. */
  get platformKey(): string | undefined {
    return this.#stack === undefined ? undefined : JSON.stringify([this.platform, this.#stack.settings.token]);
  }

  /** Independent of the token; not secret. */
  get platform(): string {
    const { session, stack } = this.#loaded;
    const { endpoint, org, dialect, insecure } = stack.settings;
    // A dialect is a file of the project, so it differs between projects.
    return sha256(JSON.stringify([endpoint, session.options.org ?? org, dialect, insecure, this.#kinds.text]));
  }

  /** Runs work with only this stack's custom kinds. */
  within<T>(work: () => T): T {
    return this.#kinds.within(work);
  }

  get owner(): string {
    return this.#stack?.owner ?? '';
  }

  /** A connection that counts its requests, and refuses writes once the lease is lost. */
  async connect(host: PlatformHost, capabilities?: PlatformOptions['capabilities']): Promise<Platform> {
    const { store, reads } = this.#worker;
    const endpoint = addressesOf(this.#stack?.settings.endpoint).join() || 'embedded';
    const gate: NonNullable<PlatformOptions['gate']> = async (request) => {
      if (isWrite(request) && (this.#abort.signal.aborted || !(await store.leases.isHeld(this.lease)))) {
        this.stop('another worker has taken over');
        throw new Withheld(
          'this worker does not have the stack any more, so nothing is written',
          'Nothing has to be done.',
        );
      }
      this.#requests += 1;
      await store.budget.spend(endpoint);
      return isWrite(request) ? reads.write() : undefined;
    };
    const { session } = this.#loaded;
    const options = { ...session.options, gate, ...present({ capabilities }) };
    return host.connect({ ...session, options });
  }

  /** The platform of its settings. */
  async openHost(): Promise<PlatformHost> {
    const { session, stack } = this.#loaded;
    return this.#worker.host ?? openHost(session, stack.settings);
  }

  async plan(platform: Platform, first: FirstReads | undefined): Promise<void> {
    await this.#catchFailure(async () => {
      this.#plan = await this.#planBy(this.#loaded.session, platform, first);
    });
  }

  /** Plans with reads from before its turn, which only count if nothing is to be done. Returns whether that is so. */
  async isInLine(platform: Platform, first: FirstReads | undefined): Promise<boolean> {
    const events: StepEvent[] = [];
    try {
      const { session } = this.#loaded;
      const silentSession = { ...session, tell: (event: StepEvent) => void events.push(event) };
      const plan = await this.within(() => this.#planBy(silentSession, platform, first));
      if (!plan.isEmpty || plan.refused !== undefined) return false;
      this.#plan = plan;
      for (const event of events) await session.tell(event);
      return true;
    } catch {
      return false; // its own reads show the reason
    }
  }

  #planBy(session: Session, platform: Platform, first: FirstReads | undefined): Promise<NewPlan> {
    const { stack } = this.#loaded;
    const { permits = {} } = this.#summary.entry;
    const rehearse = asksRehearsal(stack.limits);
    const input = first === undefined ? stack : { ...stack, first };
    return planStack(session, platform, input, { permits, rehearse, isSigned: this.#worker.signing !== undefined });
  }

  /** Carries out the decision, and stores the result. Never rejects. */
  finish(host: PlatformHost | undefined): Promise<void> {
    return this.within(() => this.#finish(host));
  }

  async #finish(host: PlatformHost | undefined): Promise<void> {
    let ended: RunOutcome;
    try {
      ended = this.#failure === undefined && host !== undefined ? await this.#act(host) : this.#failed(this.#failure);
    } catch (error) {
      ended = this.#failed(asToolError(error));
    }
    try {
      await this.#storeOutcome(ended);
    } finally {
      clearTimeout(this.#timeLimit); // the timer would keep all reads in memory
      this.#trace?.end({ 'gantry.outcome': ended.outcome, ...present({ 'gantry.plan': ended.plan }) }, ended.error);
      await this.#fetched?.dispose().catch(() => undefined);
    }
  }

  async #act(host: PlatformHost): Promise<RunOutcome> {
    const { entry } = this.#summary;
    const { store, signing } = this.#worker;
    const { stack, plan: made } = this.#planned;
    const { plan } = made;
    const open = await store.openPlan(entry.name);
    const limits = effectiveLimits(stack.settings);
    const required = requiredSignatures({ trust: {}, signers: effectiveSigners(stack.settings), limits });
    const nowMs = store.now();
    const before = await store.stacks(entry.after);
    const presentRefusals = refuseNow(limits, { nowMs, isRehearsed: asksRehearsal(limits), isSigned: true });
    const facts: PlanFacts = {
      isEmpty: made.isEmpty,
      refusals: [...refusalsOf(plan), ...rehearsalRefusal(made), ...presentRefusals],
      demandedApprovals: required.approvals,
      windows: entry.windows,
      heldBy: heldBy(entry, before),
      nowMs,
    };
    const decision = signedIfAsked(whatToDo(entry.mode, facts), required.signature, signing !== undefined);
    if (open !== undefined && (decision.do === 'nothing' || decision.do === 'report' || decision.do === 'fail'))
      await store.drop(
        this.lease,
        decision.do === 'nothing'
          ? 'nothing is to be done any more'
          : decision.do === 'fail'
            ? this.#log.hidden(decision.message)
            : decision.because,
      );
    switch (decision.do) {
      case 'nothing':
        return { outcome: 'in line', state: 'in line' };
      case 'fail':
        return this.#failed(new ToolError({ code: decision.code, message: decision.message }));
      case 'report':
        return { outcome: 'drifted', state: 'drifted', because: decision.because };
      case 'wait':
        return { outcome: 'held', state: 'waiting', because: decision.because };
      case 'apply':
        return this.#applied(await this.#withPlatform(host, (platform) => this.#confirmAndRun(platform, made)));
      case 'propose':
        return this.#propose(decision, facts, { open, host });
    }
  }

  async #propose(
    decision: Extract<Decision, { do: 'propose' }>,
    facts: PlanFacts,
    { open, host }: { open: OpenPlan | undefined; host: PlatformHost },
  ): Promise<RunOutcome> {
    const { store } = this.#worker;
    const { session, stack, plan: made, fetched } = this.#planned;
    const keys = await readKeys({ signers: effectiveSigners(stack.settings), trust: {} }, session.cwd);
    const inputs = await inputsOf(stack, made, fetched, keys);
    // Versions changed by its own writes need no new approval.
    const isResuming = open?.isBegun === true && isSameWish(open.plan.inputs, inputs);
    const name = isResuming ? open.plan.name : planName(inputs);
    // A key of the worker, which is not an input, may remove the reason for blocking.
    if (!isResuming && (open?.plan.name !== name || open.plan.blocked !== decision.blocked)) {
      const saved = decision.blocked === undefined ? await planFile(session, made, this.#worker, this.#log) : noFile;
      const document = this.#document() ?? {};
      const target = targetOf(made.plan, { settings: stack.settings, embedded: session.options.embedded });
      const trust = planTrust(keys, target);
      const isKept = await store.propose(this.lease, { ...decision, ...saved, name, inputs, document, trust });
      if (!isKept) throw leaseLost();
      this.#log.say(`proposed ${name}`);
    }
    const waiting = await store.openPlan(this.name);
    if (waiting === undefined) throw leaseLost();
    const { given: all } = waiting.plan.approvals;
    const judged = decision.signed ? judgedApprovals(waiting, all, facts.nowMs) : all;
    const given = judged.filter(({ uncounted }) => uncounted === undefined).length;
    if (decision.blocked !== undefined && !isResuming)
      return { outcome: 'proposed', state: 'waiting', because: decision.blocked, plan: name };
    if (given < decision.needed && !isResuming)
      return { outcome: 'proposed', state: 'waiting', because: `${given} of ${decision.needed} approvals`, plan: name };
    const now = mayWriteNow(facts);
    if (now.do === 'wait') return { outcome: 'held', state: 'waiting', because: now.because, plan: name };
    if (!(await store.beginPlan(this.lease, name))) throw leaseLost();
    try {
      const attempt = await this.#withPlatform(host, (platform) => this.#applySaved(platform, waiting));
      if (attempt.error === undefined) await store.endPlan(this.lease, name);
      return this.#applied(attempt, name);
    } catch (error) {
      // The live records differ from the approved ones: plan and request approval again.
      if (error instanceof ToolError && notAsApproved.has(error.code))
        await store.drop(this.lease, this.#log.hidden(error.message));
      throw error;
    }
  }

  async #applySaved(platform: Platform, { plan, file, signatures }: OpenPlan): Promise<RunAttempt> {
    const { session } = this.#loaded;
    const given = plan.approvals.given.flatMap(({ signature }) => signature ?? []);
    const signedFile = { file, signatures: inLines([signatures, ...given]) };
    return withPlanFile(
      signedFile,
      async (path) => {
        const [stored] = await openSaved(session, path);
        if (stored === undefined) throw leaseLost();
        const judged = await checkSaved(stored, {});
        const [refusal] = refusalsOf(judged);
        if (refusal !== undefined) throw new ToolError(refusal);
        const { runnable } = await resumeSaved(session, platform, stored);
        return runnable === undefined ? {} : this.#confirmAndRun(platform, runnable);
      },
      this.#log,
    );
  }

  #confirmAndRun(platform: Platform, runnable: Parameters<typeof confirmAndRun>[2]): Promise<RunAttempt> {
    return confirmAndRun(this.#loaded.session, platform, runnable, { signal: this.#abort.signal });
  }

  async #withPlatform<T>(host: PlatformHost, work: (platform: Platform) => Promise<T>): Promise<T> {
    const { signal } = this.#abort;
    if (signal.aborted) throw leaseLost();
    const platform = await this.connect(host);
    const stop = () => platform.client.stopRetrying();
    signal.addEventListener('abort', stop);
    try {
      return await work(platform);
    } finally {
      signal.removeEventListener('abort', stop);
      await platform.close();
    }
  }

  #applied({ run, error }: RunAttempt, plan?: string): RunOutcome {
    const result = run === undefined ? undefined : resultToJson(run);
    if (error === undefined) return { outcome: 'applied', state: 'in line', plan, result };
    const isPartly = (run?.result.done.length ?? 0) > 0;
    return {
      outcome: isPartly ? 'partly' : 'failed',
      state: 'failing',
      because: sentenceOf(error),
      error,
      plan,
      result,
    };
  }

  #failed(error: ToolError | undefined): RunOutcome {
    const because = error === undefined ? 'it was stopped' : sentenceOf(error);
    return { outcome: 'failed', state: 'failing', because, error };
  }

  /** The document for a report; undefined if nothing is to be done. */
  #document(result?: JsonObject): JsonObject | undefined {
    if (this.#plan === undefined || this.#plan.isEmpty) return undefined;
    const document = planToJson(this.#plan.plan, this.#plan.desired);
    return result === undefined ? document : { ...document, result };
  }

  async #storeOutcome({ outcome, state, because, plan, result, error }: RunOutcome): Promise<void> {
    const { store, random, log } = this.#worker;
    const { entry, state: before } = this.#summary;
    const isFailure = state === 'failing';
    const isHeld = outcome === 'held'; // nothing was tried, so the failures stay
    const failures = isFailure ? before.failures + 1 : isHeld ? before.failures : 0;
    const made = this.#plan?.plan;
    const counts = made === undefined ? undefined : actionCounts(made.changes);
    const commit = this.#fetched?.commit;
    const drift = made === undefined ? undefined : driftOf(made);
    const drifted = drift?.count ?? 0;
    const risk = made === undefined || outcome === 'applied' ? undefined : planRisk(made.changes);
    const details: RunDetails = {
      requests: this.#requests,
      ...present({
        ...{ commit, plan, counts, storage: made && storageOf(made, outcome) },
        error: error && errorDocument(error, (text) => this.#log.hidden(text)),
      }),
    };
    const nextMs = nextRunMs(isHeld ? { ...entry, intervalMs: Math.min(entry.intervalMs, heldMs) } : entry, {
      nowMs: store.now(),
      failures,
      random: random(),
    });
    const isPending = this.#plan !== undefined && !this.#plan.isEmpty && outcome !== 'applied';
    const isWritten = await store.end(this.lease, this.id, {
      outcome,
      said: details,
      log: this.#log.lines(),
      document: this.#document(result),
      state: {
        state,
        failures,
        ...present({ because: because === undefined ? because : this.#log.hidden(because), commit }),
        ...(isPending ? present({ counts, drifted: drifted > 0 ? drifted : undefined, worstRisk: risk }) : {}),
        ...(state === 'in line' ? {} : present({ plan })),
      },
      isSuccess: outcome === 'in line' || outcome === 'applied',
      nextMs,
      drift: drift?.digest,
      reads: this.#reads,
    });
    const level = isFailure ? 'error' : 'info';
    const message = isWritten ? (because ?? outcome) : 'the stack was taken over by another worker';
    log({ level, message: this.#log.hidden(message), stack: entry.name, run: this.id, outcome });
  }

  /** The stack's reads, for reading ahead. */
  get #reads(): StackReads | undefined {
    if (this.#plan === undefined) return undefined;
    const live = [...this.#plan.snapshot.resources.values()];
    const others = live.filter(({ record }) => ownerOf(record) !== this.owner).map(({ ref }) => ref);
    const { platform, owner } = this;
    return { platform, owner, records: live.length, others: others.slice(0, mostOthers) };
  }

  get #loaded() {
    if (this.#session === undefined || this.#stack === undefined) throw this.#failure ?? leaseLost();
    return { session: this.#session, stack: this.#stack };
  }

  get #planned() {
    if (this.#plan === undefined || this.#fetched === undefined) throw this.#failure ?? leaseLost();
    return { ...this.#loaded, plan: this.#plan, fetched: this.#fetched };
  }

  async #catchFailure(work: () => Promise<void>): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      await this.within(work);
    } catch (error) {
      this.#failure = asToolError(error);
    }
  }
}

/** Interval for checking a held stack again, if the others are not in line yet. */
const heldMs = 30_000;
const mostOthers = 50;
/** Longer timers (25 days) would fire immediately. */
const longestTimerMs = 2 ** 31 - 1;
