import { numberAt } from '../../base/json/json.ts';
import type { Due, Transaction } from '../store/model/row.ts';
import { isStorageFailure } from '../store/model/storageFailure.ts';
import { platformCaller } from './caller.ts';
import type { Clock } from './clock.ts';
import type { Job } from './job.ts';
import type { Platform, Service } from './platform.ts';
import { nextBatch, stepMs } from './slices.ts';

export interface RunnerOptions {
  readonly service: Service;
  readonly clock: Clock;
  readonly jobs: Readonly<Record<string, Job>>;
  /** Called after its transaction. */
  readonly onDone: (due: Due, outcome: 'done' | 'failed') => void;
  /** Called if a job throws, which is an internal error. The job is retried. */
  readonly onJobError: (error: unknown, due: Due) => void;
  /** Called if the queue of the database fails. */
  readonly onQueueError: (error: unknown) => void;
}

export interface Runner {
  /** Runs all jobs due by then, in order, and advances the virtual clock. Returns the number of jobs. */
  stepTo(untilMs: number): Promise<number>;
  /** Stops after the current work. */
  stop(): Promise<void>;
}

/** The maximum number of jobs in one transaction. The actual number is adjusted to the duration of a step. */
const mostAtOnce = 50;
const firstBatch = 10;
const longestTimerMs = 60_000;
const firstPauseMs = 1_000;
const mostTries = 10;

/** Runs due jobs: by timers if the clock is real, otherwise when it is stepped. */
export function startRunner(options: RunnerOptions): Runner {
  const { service, clock } = options;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<number> = Promise.resolve(0);

  function queue(untilMs: () => number): Promise<number> {
    const run = () => (stopped ? 0 : runUntil(options, untilMs(), () => stopped));
    running = running.then(run, run);
    return running;
  }

  function wakeAt(atMs: number): void {
    if (stopped) return;
    clearTimeout(timer);
    timer = setTimeout(wake, Math.min(Math.max(atMs - clock.now(), 0), longestTimerMs));
    timer.unref();
  }

  let nextMs = Number.POSITIVE_INFINITY;
  function wake(): void {
    nextMs = Number.POSITIVE_INFINITY;
    queue(clock.now)
      .then(() => (stopped ? undefined : service.database.nextDue()))
      .then((found) => wakeNoLaterThan(found?.due.atMs ?? clock.now() + longestTimerMs))
      .catch(() => wakeNoLaterThan(clock.now() + firstPauseMs));
  }

  function wakeNoLaterThan(atMs: number): void {
    if (atMs >= nextMs) return;
    nextMs = atMs;
    wakeAt(atMs);
  }

  const { queue: wakes } = service.database;
  if (clock.step === undefined && wakes === undefined) {
    service.database.onScheduled(wakeNoLaterThan);
    wake();
  }
  // Other servers do the same; the lock of the org ensures that each job runs once.
  if (clock.step === undefined) wakes?.start((org) => runOrg(options, org, () => stopped), options.onQueueError);

  return {
    async stepTo(untilMs) {
      const done = await queue(() => untilMs);
      clock.step?.(untilMs);
      return done;
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await wakes?.stop();
      // The caller that queued the work has received its failure.
      await running.catch(() => {});
    },
  };
}

async function runUntil(options: RunnerOptions, untilMs: number, isStopped: () => boolean): Promise<number> {
  let done = 0;
  const batch = new Batch(options);
  while (!isStopped()) {
    const found = await options.service.database.nextDue();
    if (found === undefined || found.due.atMs > untilMs) return done;
    const platform = await options.service.of(found.org);
    if (platform === undefined) throw new Error(`work for the org ${found.org}, which does not exist`);
    done += await runBatch(options, platform, untilMs, batch);
  }
  return done;
}

/** Runs the due jobs of one org. */
async function runOrg(options: RunnerOptions, org: string, isStopped: () => boolean): Promise<void> {
  const { service, clock } = options;
  const platform = await service.of(org);
  if (platform === undefined) return;
  const batch = new Batch(options);
  for (let done = 1; done > 0 && !isStopped(); ) {
    const isDue = await platform.store.read((tx) => tx.due(clock.now(), 1).length > 0);
    done = isDue ? await runBatch(options, platform, clock.now(), batch) : 0;
  }
}

/** The number of jobs in the next transaction. With a stepped clock no other request waits. */
class Batch {
  size: number;
  readonly #isStepped: boolean;

  constructor({ clock }: RunnerOptions) {
    this.#isStepped = clock.step !== undefined;
    this.size = this.#isStepped ? mostAtOnce : firstBatch;
  }

  adjust(ms: number): void {
    if (!this.#isStepped) this.size = nextBatch(this.size, ms, mostAtOnce, stepMs);
  }
}

/** Runs as many jobs as fit into one transaction; if one throws, only the first. */
async function runBatch(options: RunnerOptions, platform: Platform, untilMs: number, batch: Batch): Promise<number> {
  try {
    let tookMs = 0;
    const done = await platform.store.write((tx) => {
      const startedMs = performance.now();
      const ran: Due[] = [];
      while (ran.length < batch.size) {
        const [due] = tx.due(untilMs, 1);
        if (due === undefined) break;
        runOne(options, platform, tx, due);
        ran.push(due);
      }
      // A server that starts after its clock was set back resumes here, so no scheduled time is far away.
      if (ran.length > 0 && options.clock.step === undefined) tx.setFact('clockMs', String(platform.now()));
      tookMs = performance.now() - startedMs;
      return ran;
    });
    batch.adjust(tookMs);
    for (const due of done) options.onDone(due, 'done');
    return done.length;
  } catch {
    return runFirst(options, platform, untilMs);
  }
}

async function runFirst(options: RunnerOptions, platform: Platform, untilMs: number): Promise<number> {
  const first = await platform.store.read((tx) => tx.due(untilMs, 1)[0]);
  if (first === undefined) return 0;
  try {
    await platform.store.write((tx) => {
      const [due] = tx.due(untilMs, 1);
      if (due !== undefined) runOne(options, platform, tx, due);
    });
    options.onDone(first, 'done');
  } catch (error) {
    // The job did not fail: it is retried when the store works again.
    if (isStorageFailure(error)) throw error;
    options.onJobError(error, first);
    options.onDone(first, 'failed');
    await platform.store.write((tx) => postpone(tx, first, platform.now()));
  }
  return 1;
}

function runOne({ clock, jobs }: RunnerOptions, platform: Platform, tx: Transaction, due: Due): void {
  tx.unschedule(due.key);
  clock.step?.(due.atMs);
  const job = Object.hasOwn(jobs, due.job) ? jobs[due.job] : undefined;
  if (job === undefined) throw new Error(`no job is called ${due.job}`);
  const atMs = due.atMs;
  // A virtual clock is never late, only ahead, when the store repeats the transaction.
  const lateMs = clock.step === undefined ? Math.max(0, clock.now() - atMs) : 0;
  job({ platform: { ...platform, now: () => atMs }, tx, caller: platformCaller(platform), atMs, lateMs }, due.about);
}

/**
 * Retries a job later, doubling the pause each time, and finally gives up, so that one error does not block all jobs.
 */
function postpone(tx: Transaction, due: Due, nowMs: number): void {
  const tries = (numberAt(due.about, 'tries') ?? 0) + 1;
  tx.unschedule(due.key);
  if (tries >= mostTries) return;
  tx.schedule({ ...due, atMs: nowMs + firstPauseMs * 2 ** tries, about: { ...due.about, tries } });
}
