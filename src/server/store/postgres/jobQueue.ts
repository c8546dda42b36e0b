import { setTimeout as sleep } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import type { Due, JobQueue } from '../model/row.ts';
import type { Address } from './connections.ts';
import { isUnavailable } from './failure.ts';
import type { Connection } from './statements.ts';

const queue = 'due';

/** Wakes of one org within this time are combined. A wake is never earlier than its work. */
const bucketMs = 250;

/** After this time another server takes over the wakes of a killed one. */
const takenOverAfterSeconds = 4;

const pollIntervals = { superviseIntervalSeconds: 1, monitorIntervalSeconds: 1, pollingIntervalSeconds: 1 } as const;
const maxTimerMs = 60_000;
const firstPauseMs = 1_000;

interface TimeSource {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly follow: (ms: number) => void;
}

interface Wake {
  readonly org: string;
  readonly atMs: number;
}

/**
 * Wakes for scheduled work in PostgreSQL, by pg-boss. A wake is committed together with its work and goes to one
 * server, which removes the work in the transaction that executes it. After that server was killed, a repeated wake
 * therefore finds nothing to do, and no wake is lost.
 */
export class PostgresQueue implements JobQueue {
  readonly #boss: PgBoss;
  readonly #now: () => number;
  readonly #follow: (ms: number) => void;
  /** The timers by the time at which they fire. */
  readonly #timers = new Map<number, NodeJS.Timeout>();
  /** The orgs to check for work when the queue starts. */
  readonly #waiting: () => Promise<readonly Wake[]>;
  #starting: Promise<void> | undefined;
  #worker: string | undefined;
  #stopped = false;
  /** How far the server's time is ahead of the database's, in seconds. */
  #aheadSeconds = 0;

  constructor({ url, schema }: Address, time: TimeSource, waiting: () => Promise<readonly Wake[]>) {
    this.#now = time.now;
    this.#follow = time.follow;
    this.#waiting = waiting;
    this.#boss = new PgBoss({
      connectionString: url,
      schema: `${schema}_jobs`,
      application_name: 'gantry jobs',
      max: 3,
      schedule: false,
      maintenanceIntervalSeconds: 60,
      superviseIntervalSeconds: pollIntervals.superviseIntervalSeconds,
      monitorIntervalSeconds: pollIntervals.monitorIntervalSeconds,
    });
  }

  start(run: (org: string) => Promise<void>, onMistake: (error: unknown) => void): void {
    const report = throttled(onMistake, this.#now);
    this.#boss.on('error', report);
    this.#starting = this.#startAtLast(run, report);
  }

  /** Must be called in the transaction that schedules the work. */
  async beforeCommit(connection: Connection, org: string, due: readonly Due[]): Promise<void> {
    // No wake is needed before the start, which reads all waiting work.
    if (this.#starting === undefined || this.#stopped) return;
    await this.#starting;
    await this.#insert(
      due.map(({ atMs }) => ({ org, atMs })),
      connection,
    );
  }

  /** Must be called after the commit. Sets a timer on this server, which then need not wait for the next poll. */
  afterCommit(atMs: number): void {
    const endsMs = wakeTime(atMs);
    const delayMs = endsMs - this.#now();
    const worker = this.#worker;
    if (worker === undefined || this.#stopped || delayMs > maxTimerMs || this.#timers.has(endsMs)) return;
    const timer = setTimeout(
      () => {
        this.#timers.delete(endsMs);
        this.#boss.notifyWorker(worker);
      },
      Math.max(0, delayMs),
    );
    timer.unref();
    this.#timers.set(endsMs, timer);
  }

  /**
   * Wakes follow the clock of the database. If that clock is set back, the server's time advances anyway, so waiting
   * work gets new wakes; the old ones find nothing to do.
   */
  async compareTimes(aheadMs: number): Promise<void> {
    const aheadSeconds = Math.round(aheadMs / 1000);
    if (Math.abs(aheadSeconds - this.#aheadSeconds) < 5 || this.#worker === undefined || this.#stopped) return;
    this.#aheadSeconds = aheadSeconds;
    await this.#insert(await this.#waiting());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    if (this.#starting === undefined) return;
    await this.#starting;
    await this.#boss.stop({ graceful: true, timeout: 5_000 });
  }

  async #startAtLast(run: (org: string) => Promise<void>, onMistake: (error: unknown) => void): Promise<void> {
    while (!this.#stopped) {
      try {
        return await this.#start(run);
      } catch (error) {
        onMistake(error);
        await sleep(firstPauseMs);
      }
    }
  }

  async #start(run: (org: string) => Promise<void>): Promise<void> {
    await this.#boss.start();
    await this.#boss.createQueue(queue, {
      policy: 'short', // one waiting wake per org and moment
      retryLimit: 1_000_000,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 30,
      expireInSeconds: takenOverAfterSeconds,
      deleteAfterSeconds: 60,
    });
    await this.#insert(await this.#waiting());
    const polling = { pollingIntervalSeconds: pollIntervals.pollingIntervalSeconds };
    this.#worker = await this.#boss.work<Wake>(queue, polling, async (jobs) => {
      for (const { data } of jobs) {
        const earlyMs = data.atMs - this.#now();
        if (earlyMs > 0) await sleep(Math.min(earlyMs, 1_000));
        // Another server has reached this time: following it avoids waiting for this server's clock.
        this.#follow(data.atMs);
        await run(data.org);
      }
    });
  }

  async #insert(due: readonly Wake[], connection?: Connection): Promise<void> {
    const since = this.#aheadSeconds === 0 ? '' : `/${this.#aheadSeconds}`;
    const wakes = new Map(
      due.map(({ org, atMs }) => [`${org}/${wakeTime(atMs)}${since}`, { org, atMs: wakeTime(atMs) }]),
    );
    if (wakes.size === 0) return;
    const jobs = [...wakes].map(([singletonKey, data]) => {
      // Relative, in seconds, because the queue uses the time of the database.
      return { data, singletonKey, startAfter: String(Math.max(0, data.atMs - this.#now()) / 1000) };
    });
    const db = {
      executeSql: async (text: string, values: unknown[] = []) => {
        if (connection === undefined) throw new Error('there is no transaction');
        return connection.query({ text, values });
      },
    };
    await this.#boss.insert(queue, jobs, connection === undefined ? {} : { db });
  }
}

const reportIntervalMs = 60_000;

/** Reports failed polls of an unavailable database once a minute, and other errors immediately. */
function throttled(report: (error: unknown) => void, now: () => number): (error: unknown) => void {
  let reportedMs = Number.NEGATIVE_INFINITY;
  return (error) => {
    const away = isUnavailable(error);
    if (away && now() - reportedMs < reportIntervalMs) return;
    if (away) reportedMs = now();
    report(error);
  };
}

function wakeTime(atMs: number): number {
  return Math.ceil(atMs / bucketMs) * bucketMs;
}
