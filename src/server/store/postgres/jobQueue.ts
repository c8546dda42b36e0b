import { setTimeout as sleep } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import type { Due, JobQueue } from '../row.ts';
import type { Address } from './sql/connections.ts';
import { isAbsence } from './sql/failure.ts';
import type { Connection } from './sql/statement.ts';

const queue = 'due';

/** Wakes of one org that lie so near to each other are one. A wake is never before what it is for. */
const bucketMs = 250;

/** A server that was killed has not said that it is done: its wakes are given to another one after this time. */
const takenOverAfterSeconds = 4;

const everySecond = { superviseIntervalSeconds: 1, monitorIntervalSeconds: 1, pollingIntervalSeconds: 1 } as const;
const farAwayMs = 60_000;
const firstPauseMs = 1_000;

interface Wake {
  readonly org: string;
  readonly atMs: number;
}

/**
 * Wakes for due work in PostgreSQL, by pg-boss. A wake is committed with the due row that it is for, and given to one
 * server; what the server then does takes the due row away in the same transaction. So a wake that is given twice,
 * after its server was killed, finds nothing to do, and one that is lost does not exist.
 */
export class PostgresQueue implements JobQueue {
  readonly #boss: PgBoss;
  readonly #now: () => number;
  /** By the time at which they end. */
  readonly #timers = new Map<number, NodeJS.Timeout>();
  /** Of the orgs whose work has to be looked for when the queue is started. */
  readonly #waiting: () => Promise<readonly Wake[]>;
  #starting: Promise<void> | undefined;
  #worker: string | undefined;
  #stopped = false;

  constructor({ url, schema }: Address, now: () => number, waiting: () => Promise<readonly Wake[]>) {
    this.#now = now;
    this.#waiting = waiting;
    this.#boss = new PgBoss({
      connectionString: url,
      schema: `${schema}_jobs`,
      application_name: 'gantry jobs',
      max: 3,
      schedule: false,
      maintenanceIntervalSeconds: 60,
      superviseIntervalSeconds: everySecond.superviseIntervalSeconds,
      monitorIntervalSeconds: everySecond.monitorIntervalSeconds,
    });
  }

  start(run: (org: string) => Promise<void>, onMistake: (error: unknown) => void): void {
    const report = once(onMistake, this.#now);
    this.#boss.on('error', report);
    this.#starting = this.#startAtLast(run, report);
  }

  /** In the transaction that schedules the work. */
  async beforeCommit(connection: Connection, org: string, due: readonly Due[]): Promise<void> {
    // Where it is not started yet, it looks for what is waiting when it is.
    if (this.#starting === undefined || this.#stopped) return;
    await this.#starting;
    await this.#insert(
      due.map(({ atMs }) => ({ org, atMs })),
      connection,
    );
  }

  /** After the commit: this server is up, so that it need not wait for its next look at the queue. */
  afterCommit(atMs: number): void {
    const endsMs = wakeTime(atMs);
    const delayMs = endsMs - this.#now();
    const worker = this.#worker;
    if (worker === undefined || this.#stopped || delayMs > farAwayMs || this.#timers.has(endsMs)) return;
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
      policy: 'short', // of the wakes of one org and moment one waits
      retryLimit: 1_000_000,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 30,
      expireInSeconds: takenOverAfterSeconds,
      deleteAfterSeconds: 60,
    });
    await this.#insert(await this.#waiting());
    const polling = { pollingIntervalSeconds: everySecond.pollingIntervalSeconds };
    this.#worker = await this.#boss.work<Wake>(queue, polling, async (jobs) => {
      for (const { data } of jobs) {
        // The clock of the database may be ahead of ours.
        const earlyMs = data.atMs - this.#now();
        if (earlyMs > 0) await sleep(Math.min(earlyMs, 1_000));
        await run(data.org);
      }
    });
  }

  async #insert(due: readonly Wake[], connection?: Connection): Promise<void> {
    const wakes = new Map(due.map(({ org, atMs }) => [`${org}/${wakeTime(atMs)}`, { org, atMs: wakeTime(atMs) }]));
    if (wakes.size === 0) return;
    const jobs = [...wakes].map(([singletonKey, data]) => {
      // By the time of the machine: that of the platform may be another one.
      return { data, singletonKey, startAfter: new Date(Date.now() + data.atMs - this.#now()) };
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

const silentMs = 60_000;

/** While the database is away each look at it fails: that is told once a minute. Everything else is told at once. */
function once(tell: (error: unknown) => void, now: () => number): (error: unknown) => void {
  let toldMs = Number.NEGATIVE_INFINITY;
  return (error) => {
    const away = isAbsence(error);
    if (away && now() - toldMs < silentMs) return;
    if (away) toldMs = now();
    tell(error);
  };
}

function wakeTime(atMs: number): number {
  return Math.ceil(atMs / bucketMs) * bucketMs;
}
