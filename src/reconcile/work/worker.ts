import { setTimeout as sleep } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import { causeText } from '../../base/thrown.ts';
import { ToolError } from '../../base/toolError.ts';
import { askTogether } from '../../client/firstReads.ts';
import { NamedReads } from '../../client/namedReads.ts';
import type { Platform } from '../../project/platform/platform.ts';
import type { ReconcileConfig, StackSummary } from '../model.ts';
import { setBackTimes } from '../store/jobClock.ts';
import { leaseSeconds } from '../store/leases.ts';
import { withBase } from '../store/rows.ts';
import { otherFile } from '../store/store.ts';
import { storeError } from '../store/storeError.ts';
import { Notifier } from './notifier.ts';
import { type Reads, SharedReads } from './sharedReads.ts';
import { StackRun } from './stackRun.ts';
import type { WorkerSurroundings } from './surroundings.ts';

const stacksQueue = 'stacks';
/** Stacks whose workers died repeatedly. */
const givenUpQueue = 'stacks_given_up';
/** The minimum of pg-boss. */
const heartbeatSeconds = 10;
const renewEveryMs = (leaseSeconds * 1_000) / 5;
const pollMs = 1_000;
/**
 * How long a finished run waits for others before the next stacks are taken, because stacks taken together share reads.
 */
const batchWaitMs = 300;
/** Limit of waiting for other stacks' code, which may not end, or whose repository may not respond. */
const mostLoadMs = 5_000;
/** The number of workers that find enough jobs in the queue, including stacks that others have. */
const dueFor = 20;
const followEveryMs = 30_000;
const forgetEveryMs = 3_600_000;
const keepRunsMs = 30 * 24 * 3_600_000;
/** A stack whose workers died this often is not retried before its next interval. */
const mostDeaths = 3;
const retryLeaseMs = 5_000;

interface Job {
  readonly stack: string;
}

interface StartedRun {
  readonly run: StackRun;
  /** Its id in the queue. */
  readonly job: string;
}

/** Takes due stacks up to its limit until it is stopped. Any number of equal workers share a store. */
export class Worker {
  readonly #surroundings: WorkerSurroundings;
  readonly #boss: PgBoss;
  readonly #runs = new Map<string, StackRun>();
  readonly #jobs = new Map<string, string>();
  readonly #batches = new Set<Promise<void>>();
  readonly #notifier: Notifier | undefined;
  readonly #reads: SharedReads;
  #config: ReconcileConfig | undefined;
  #followedMs = Number.NEGATIVE_INFINITY;
  #fetchedMs = Number.NEGATIVE_INFINITY;
  #forgotMs = Number.NEGATIVE_INFINITY;
  #renewedMs = performance.now();
  #isStopping = false;
  #fatalError: ToolError | undefined;
  #wake: () => void = () => {};

  constructor(surroundings: WorkerSurroundings) {
    this.#surroundings = surroundings;
    this.#boss = new PgBoss({
      ...surroundings.store.sql.boss,
      application_name: 'gantry reconcile jobs',
      max: 3,
      schedule: false,
      superviseIntervalSeconds: 2,
      monitorIntervalSeconds: 2,
      maintenanceIntervalSeconds: 300,
    });
    const { store, messenger } = surroundings;
    this.#reads = new SharedReads(store);
    this.#notifier =
      messenger === undefined
        ? undefined
        : new Notifier(store, messenger, (message) => surroundings.log({ level: 'warn', message }));
    store.outbox = async (query, stack, news, commit) => {
      const entry = this.#config?.stacks.find(({ name }) => name === stack);
      if (entry === undefined) return;
      await this.#notifier?.tell(query, entry, news, this.#runs.get(stack));
      if (commit !== undefined) await this.#notifier?.tellCommit(query, entry, commit);
    };
    this.#boss.on('error', (error) => this.#warn('the store', error));
  }

  /** Errors: `reconcile.store-away`, `reconcile.store`. */
  async start(): Promise<void> {
    try {
      await this.#boss.start();
      await this.#boss.createQueue(givenUpQueue, { policy: 'exclusive', retryLimit: 0 });
      await this.#boss.createQueue(stacksQueue, {
        policy: 'exclusive', // one job per stack, waiting or in progress
        retryLimit: mostDeaths,
        retryDelay: 1,
        heartbeatSeconds,
        expireInSeconds: 23 * 3_600,
        deleteAfterSeconds: 3_600,
        deadLetter: givenUpQueue,
      });
    } catch (error) {
      await this.close();
      throw storeError(error);
    }
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false }).catch(() => undefined);
  }

  /**
   * Runs until `stop` is called and all current runs have ended. Errors: `reconcile.other-file`, if another list of
   * stacks has taken over the store, whose stacks this worker must not run.
   */
  async run(): Promise<void> {
    const stopListening = await this.#surroundings.store.sql.listen(() => this.#wake());
    const renewing = this.#renewAlways();
    try {
      while (!this.#isStopping) {
        await this.#step().catch((error: unknown) => this.#handleStepError(error));
        await this.#pause(this.#jobs.size > 0 ? batchWaitMs : pollMs);
      }
      await Promise.all(this.#batches);
      await this.#deliverRest();
      if (this.#fatalError !== undefined) throw this.#fatalError;
    } finally {
      this.#isStopping = true;
      this.#wake();
      await Promise.all([renewing, stopListening().catch(() => undefined)]);
      await this.close();
    }
  }

  /** One pass over all stacks that are due now or become due during it. */
  async once(isWanted: (stack: string) => boolean = () => true): Promise<void> {
    const renewing = this.#renewAlways();
    const { store } = this.#surroundings;
    try {
      await this.#follow();
      const startedMs = store.now();
      // Compared for equality only, because the clock may have jumped.
      const lastRuns = new Map([...(await store.stacks())].map(([name, { state }]) => [name, state.lastRunMs]));
      for (;;) {
        const stacks = [...(await store.stacks()).values()];
        const left = stacks.filter(
          ({ entry: { name }, state }) =>
            isWanted(name) && state.pause === undefined && state.lastRunMs === lastRuns.get(name),
        );
        if (left.length === 0 || this.#isStopping) break;
        // Stacks that are ready: those before them have run.
        const open = new Set(left.map(({ entry }) => entry.name));
        const ready = left.filter(({ entry }) => !entry.after.some((name) => open.has(name)));
        for (const { entry } of ready.slice(0, this.#surroundings.concurrency))
          await store.postpone(entry.name, startedMs);
        await this.#step(new Set(ready.map(({ entry }) => entry.name)));
        await Promise.all(this.#batches);
        await sleep(10);
      }
      await this.#deliverRest();
    } finally {
      this.#isStopping = true;
      this.#wake();
      await renewing;
      await this.close();
    }
  }

  /** Finishes current runs. `now`: interrupts them; another worker continues them. */
  stop({ now = false } = {}): void {
    this.#isStopping = true;
    if (now) for (const run of this.#runs.values()) run.stop('the worker ends');
    this.#wake();
  }

  /** The reason why it takes no work; undefined if it does. */
  get unready(): string | undefined {
    if (this.#isStopping) return 'it is ending';
    return performance.now() - this.#renewedMs < leaseSeconds * 1_000 ? undefined : 'its store does not answer';
  }

  get running(): number {
    return this.#runs.size;
  }

  async #step(only?: ReadonlySet<string>): Promise<void> {
    const { store, concurrency } = this.#surroundings;
    if (only === undefined && performance.now() - this.#followedMs > followEveryMs) await this.#follow();
    if (performance.now() - this.#forgotMs > forgetEveryMs) {
      this.#forgotMs = performance.now();
      await store.forgetBefore(store.now() - (this.#config?.keepRunsMs ?? keepRunsMs));
    }
    this.#reads.forgetOld();
    await this.#notifier?.deliver();
    await this.#giveUp();
    const room = concurrency - this.#jobs.size;
    const isTime = only !== undefined || performance.now() - this.#fetchedMs >= batchWaitMs;
    if (room <= 0 || (room < concurrency && !isTime)) return;
    this.#fetchedMs = performance.now();
    const due = await store.due(concurrency * dueFor, only);
    if (due.length > 0)
      await this.#boss.insert(
        stacksQueue,
        due.map((stack) => ({ data: { stack }, singletonKey: stack })),
      );
    const jobs = await this.#boss.fetch<Job>(stacksQueue, { batchSize: room });
    for (const { id, data } of jobs) this.#jobs.set(id, data.stack);
    if (jobs.length > 0) this.#trackBatch(this.#runTogether(jobs.map(({ id, data }) => ({ id, stack: data.stack }))));
  }

  /** Applies the present configuration. Errors: those of the reader; the earlier one stays. */
  async #follow(): Promise<void> {
    this.#followedMs = performance.now();
    const { readConfig, store } = this.#surroundings;
    await setBackTimes(store.sql, [stacksQueue, givenUpQueue]);
    const config = await readConfig(AbortSignal.timeout(followEveryMs * 4));
    this.#config = config;
    store.perSecond = config.requestsPerSecond;
    await store.follow(config);
    await this.#notifier?.follow(config);
  }

  /** Due stacks share their reads; then each continues alone. */
  async #runTogether(jobs: readonly { readonly id: string; readonly stack: string }[]): Promise<void> {
    const { store } = this.#surroundings;
    // If the store does not respond, none begins, and all are due again.
    const stacks = await store
      .stacks(jobs.map(({ stack }) => stack))
      .catch((error: unknown) => this.#warn('the store', error));
    const begun: StartedRun[] = [];
    for (const { id, stack } of jobs) {
      const run = await this.#begin(stack, stacks?.get(stack)).catch((error: unknown) => this.#warn(stack, error));
      if (run === undefined) await this.#complete(id);
      else begun.push({ run, job: id });
    }
    const loaded = new Set<StartedRun>();
    const loading = begun.map(async (each) => {
      await each.run.load();
      loaded.add(each);
      return each;
    });
    await Promise.race([Promise.all(loading), sleep(mostLoadMs, undefined, { ref: false })]);
    const loadedInTime = new Set(loaded);
    const groups = Map.groupBy(loadedInTime, ({ run }) => run.platformKey ?? '');
    await Promise.all([
      ...[...groups.values()].map((group) => this.#runGroup(group)),
      ...loading.map(async (late, index) => {
        const each = begun[index];
        if (each !== undefined && !loadedInTime.has(each)) await this.#runGroup([await late]);
      }),
    ]);
  }

  async #begin(name: string, stack: StackSummary | undefined): Promise<StackRun | undefined> {
    const { store, name: worker } = this.#surroundings;
    // Before the file was read, variables with secrets are not known.
    if (stack === undefined || this.#config === undefined) return undefined;
    const { secretVariables = [], base } = this.#config;
    if (stack.state.pause !== undefined) {
      await store.postpone(name, store.now() + Math.min(stack.entry.intervalMs, 60_000));
      return undefined;
    }
    const lease = await store.leases.take(name, worker);
    if (lease === undefined) {
      await store.postpone(name, store.now() + retryLeaseMs); // its worker may be dead: the lease ends soon
      return undefined;
    }
    const begun = await store.begin(lease, worker);
    if (begun === undefined) return undefined;
    const run = new StackRun(
      {
        ...this.#surroundings,
        reads: this.#reads,
        secretVariables,
        orgs: orgsOf(this.#config, this.#surroundings.options.org),
      },
      base === undefined ? stack : { ...stack, entry: withBase(stack.entry, base) },
      lease,
      begun,
    );
    this.#runs.set(name, run);
    return run;
  }

  /** `group`: stacks with the same platform and token. */
  async #runGroup(group: readonly StartedRun[]): Promise<void> {
    const [{ run: first } = {}] = group;
    if (first === undefined) return;
    const key = first.platformKey;
    const shared =
      key === undefined ? undefined : this.#reads.of(key, Math.max(...group.map(({ run }) => run.sinceMs)));
    const opened =
      shared === undefined
        ? undefined
        : await this.#open(first, shared.reads).catch((error: unknown) => {
            for (const { run } of group) run.fail(error);
            return undefined;
          });
    try {
      const plan =
        shared === undefined || opened === undefined
          ? undefined
          : await this.#readTogether(group, opened.platform, shared).catch((error: unknown) => {
              this.#warn('reading together', error);
              return (run: StackRun) => run.plan(opened.platform, undefined); // each reads for itself
            });
      const worked = group.map(async ({ run, job }) => {
        await plan?.(run).catch((error: unknown) => run.fail(error));
        await run.finish(opened?.host).catch((error: unknown) => this.#warn(run.name, error));
        this.#runs.delete(run.name);
        await this.#surroundings.store.leases.release(run.lease).catch(() => undefined);
        await this.#complete(job);
      });
      await Promise.all(worked);
    } finally {
      await shared?.reads.settled();
      await opened?.platform.close();
      if (opened !== undefined && opened.host !== this.#surroundings.host) await opened.host.close();
    }
  }

  /** Reads the platform once for the group; returns the function that plans each. */
  async #readTogether(
    group: readonly StartedRun[],
    platform: Platform,
    { reads, isNew }: ReturnType<SharedReads['of']>,
  ): Promise<(run: StackRun) => Promise<void>> {
    const { client } = platform;
    const owners = [...new Set(group.map(({ run }) => run.owner))];
    const unreadOwners = owners.filter((owner) => !reads.has(owner));
    // All of them have the same kinds.
    const withinKinds: StackRun['within'] = (work) => (group[0] === undefined ? work() : group[0].run.within(work));
    if (unreadOwners.length > 0) {
      const soon = await this.#reads.readsDueSoon(group[0]?.run.platform ?? '', reads, owners);
      withinKinds(() => reads.ask(client, [...unreadOwners, ...soon.owners], soon.others));
    }
    const firsts = reads.take(client, owners);
    if (isNew) await reads.settled();
    // Queries that also cover other stacks may have failed because of these.
    if (isNew && !reads.isBroken) return (run) => run.plan(platform, firsts.get(run.owner));
    // Reads from before their turn can only prove that nothing is to be done.
    const checks = new Map(group.map(({ run }) => [run, run.isInLine(platform, firsts.get(run.owner))] as const));
    const rereads = Promise.all([...checks].map(async ([{ owner }, isInLine]) => ((await isInLine) ? [] : owner))).then(
      (open) => {
        const left = [...new Set(open.flat())];
        return withinKinds(() => (left.length === 0 ? undefined : askTogether(client, left, new NamedReads())));
      },
    );
    return async (run) => {
      if (!(await checks.get(run))) await run.plan(platform, (await rereads)?.get(run.owner));
    };
  }

  async #open(run: StackRun, reads: Reads) {
    const host = await run.openHost();
    const platform = await run.connect(host, reads.capabilities);
    reads.capabilities = platform.client.capabilities;
    return { host, platform };
  }

  async #complete(job: string): Promise<void> {
    this.#jobs.delete(job);
    await this.#boss.complete(stacksQueue, job).catch((error: unknown) => this.#warn('the queue', error));
    this.#wake();
  }

  /** Fails stacks whose workers died repeatedly, until their next interval. */
  async #giveUp(): Promise<void> {
    const jobs = await this.#boss.fetch<Job>(givenUpQueue, { batchSize: 10 });
    for (const { id, data } of jobs) {
      const { store, name: worker } = this.#surroundings;
      const stack = (await store.stacks([data.stack])).get(data.stack);
      const lease = stack === undefined ? undefined : await store.leases.take(data.stack, worker);
      const begun = lease === undefined ? undefined : await store.begin(lease, worker);
      if (stack !== undefined && lease !== undefined && begun !== undefined) {
        const message = `${mostDeaths + 1} workers ended while they had this stack: it may need too much memory`;
        await store.end(lease, begun.id, {
          outcome: 'failed',
          said: { error: { code: 'reconcile.given-up', message, hint: 'Look at the logs of the workers.' } },
          log: [],
          state: { state: 'failing', because: message, failures: stack.state.failures + 1 },
          isSuccess: false,
          nextMs: store.now() + stack.entry.intervalMs,
        });
        await store.leases.release(lease);
      }
      await this.#boss.complete(givenUpQueue, id);
    }
  }

  /** A worker that cannot renew stops before its next write, because the lease has ended by then. */
  async #renewAlways(): Promise<void> {
    while (!this.#isStopping || this.#runs.size > 0) {
      await this.#renew().catch((error: unknown) => this.#warn('the leases', error));
      for (let waitedMs = 0; waitedMs < renewEveryMs && (!this.#isStopping || this.#runs.size > 0); waitedMs += 100)
        await sleep(100);
    }
  }

  async #renew(): Promise<void> {
    const runs = [...this.#runs.values()];
    const kept = await this.#surroundings.store.leases.renew(runs.map(({ lease }) => lease));
    this.#renewedMs = performance.now();
    const isKept = new Set(kept.map(({ stack }) => stack));
    for (const run of runs)
      if (!isKept.has(run.name) && this.#runs.get(run.name) === run) run.stop('another worker has taken over');
    if (this.#jobs.size > 0) await this.#boss.touch(stacksQueue, [...this.#jobs.keys()]);
  }

  /** Sends the news of the last runs; news that is not accepted now waits in the store for another worker. */
  async #deliverRest(): Promise<void> {
    await this.#notifier?.settled();
    await this.#notifier?.deliver().catch((error: unknown) => this.#warn('notifications', error));
    await this.#notifier?.settled();
  }

  #trackBatch(work: Promise<void>): void {
    const kept = work.catch((error: unknown) => this.#warn('a batch', error)).finally(() => this.#batches.delete(kept));
    this.#batches.add(kept);
  }

  async #pause(ms: number): Promise<void> {
    if (this.#isStopping) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    await Promise.race([promise, sleep(ms)]);
  }

  #handleStepError(error: unknown): void {
    if (!(error instanceof ToolError) || error.code !== otherFile) {
      this.#warn('the next step', error);
      return;
    }
    this.#fatalError = error;
    this.stop();
  }

  #warn(what: string, error: unknown): undefined {
    const why = causeText(error);
    this.#surroundings.log({ level: 'warn', message: `${what}: ${why}` });
  }
}

/** People who may push to a repository must not make a worker for one org write to another one. */
function orgsOf({ followed, orgs }: ReconcileConfig, ofWorker: string | undefined): readonly string[] | undefined {
  return orgs ?? (followed === undefined || ofWorker === undefined ? undefined : [ofWorker]);
}
