import { At, adviceOf, tryRead } from '../base/form/read.ts';
import type { JsonObject } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import { isLoopback } from '../base/text/hostName.ts';
import { ToolError } from '../base/toolError.ts';
import type { Problem } from '../schema/record/problem.ts';
import { authenticator } from './access/authenticate.ts';
import { readDump } from './api/readDump.ts';
import { commandCancel, commandEcho, commandRunning } from './commands/jobs.ts';
import { type Clock, realClock, suppliedClock, virtualClock } from './core/clock.ts';
import type { Job } from './core/job.ts';
import { startRunner } from './core/jobRunner.ts';
import type { Service } from './core/platform.ts';
import { cronStep } from './cron/jobs.ts';
import { domainStage } from './domains/jobs.ts';
import { ApiFailure } from './http/apiFailure.ts';
import { bearerToken } from './http/bearerToken.ts';
import { dispatcher, withFaults } from './http/dispatch/dispatch.ts';
import { withDialect } from './http/dispatch/withDialect.ts';
import { type Faults, faultsReader } from './http/fault.ts';
import { FaultPlan } from './http/faultPlan.ts';
import { type RateLimit, RateLimiter } from './http/limits.ts';
import type { RequestLogEntry } from './http/listen.ts';
import type { Handle } from './http/message.ts';
import type { ServerOptions } from './options.ts';
import { continuePlacement } from './records/derived/consequences.ts';
import { continueGvcDeletion } from './records/gvcDeletion.ts';
import { routes, routesOfCustomKind } from './routeTable.ts';
import { openService, sha256 } from './service.ts';
import type { JobName } from './store/model/row.ts';
import { volumeCommand, volumeExpiry, volumeGrowth, volumeSnapshots } from './volumes/jobs.ts';
import { continueVolumeSetDeletion } from './volumes/volumeSetDeletion.ts';

/** The complete platform, except for its HTTP listener. */
export interface Assembled {
  readonly service: Service;
  readonly clock: Clock;
  readonly handle: Handle;
  readonly onAnswered: (entry: RequestLogEntry) => void;
  readonly onMistake: (error: unknown, traceId: string) => void;
  /** Runs all jobs due by `ms`, in order, with a virtual clock. Returns the number of jobs. */
  readonly stepTo: (ms: number) => Promise<number>;
  /** Stops background work, then closes the database. */
  readonly close: () => Promise<void>;
}

function clockOf({ clock, now }: ServerOptions): Clock {
  if (clock === 'virtual') return virtualClock(Date.now());
  return now === undefined ? realClock(Date.now, () => performance.now()) : suppliedClock(now);
}

/**
 * Builds the platform on its database. `token`: the bootstrap user's; if undefined, no tokens are checked. Errors:
 * `server.org-name`, `server.data`, `server.store-package`, `server.other-org`, `server.snapshot`, `server.faults`.
 */
export async function assemble(options: ServerOptions, token: string | undefined): Promise<Assembled> {
  const clock = clockOf(options);
  const metrics = options.metrics === true ? (await import('./metrics.ts')).startMetrics(clock.now) : undefined;
  const faults = new FaultPlan();
  if (options.faults !== undefined) faults.set(initialFaults(options.faults), options.faults);
  const service = await openService(options, clock, {
    faults,
    stepTo: (ms) => runner.stepTo(ms),
    ...present({ metrics: metrics?.text }),
  });

  if (options.from !== undefined) await loadInitialState(service, options.from);

  const log = options.log === true ? await openLog() : undefined;
  function onMistake(error: unknown, traceId: string): void {
    const stack = error instanceof Error ? error.stack : String(error);
    if (log === undefined) process.stderr.write(`internal error ${traceId}: ${stack}\n`);
    else log.error({ traceId, stack });
  }
  const runner = startRunner({
    service,
    clock,
    jobs,
    onDone: (due, outcome) => metrics?.jobDone(due, outcome),
    onJobError: (error, { key }) => onMistake(error, key),
    onQueueError: (error) => onMistake(error, 'job queue'),
  });
  const dispatch = dispatcher({
    service,
    authenticate: authenticator({ token, staticTokens: options.tokens ?? [], digest: sha256 }),
    routes: options.dev === true ? routes : routes.filter(({ devOnly }) => devOnly !== true),
    routesOfCustomKind,
    isLoopbackOnly: isLoopback(options.host ?? '127.0.0.1'),
  });
  const elapsedMs = () => performance.now();
  return {
    service,
    clock,
    handle: withDialect(
      options.dialect,
      withRateLimit(options.rateLimit, withFaults(faults, dispatch, elapsedMs), sha256, elapsedMs),
    ),
    onAnswered(entry) {
      options.requestLog?.(entry);
      metrics?.answered(entry);
      log?.info(entry);
    },
    onMistake,
    stepTo: (ms) => runner.stepTo(ms),
    async close() {
      await runner.stop();
      await service.database.close();
    },
  };
}

async function openLog() {
  const { default: pino } = await import('pino');
  return pino({ base: null }, pino.destination({ fd: 2, sync: true }));
}

/** Replaces the state of the database with a snapshot. Errors: `server.snapshot`; the database is then closed. */
async function loadInitialState(service: Service, snapshot: JsonObject): Promise<void> {
  const problems: Problem[] = [];
  const dump = readDump(snapshot, problems);
  const [first] = problems;
  if (first === undefined && Object.hasOwn(dump, service.home)) return service.load(dump);
  await service.database.close();
  throw new ToolError({
    code: 'server.snapshot',
    message:
      first === undefined
        ? `the snapshot does not contain the org ${service.home}, but ${Object.keys(dump).join(', ')}`
        : `the snapshot cannot be used: ${first.path}: ${first.message}`,
    hint: 'Use a snapshot from GET /-snapshot; --org names an org in it.',
  });
}

/** The initial faults. Errors: `server.faults`, with the first problem only. */
function initialFaults(body: JsonObject): Faults {
  const read = tryRead(() => faultsReader.read(body, new At()));
  if ('value' in read) return read.value;
  throw new ToolError({
    code: 'server.faults',
    message: `the faults cannot be used: ${adviceOf(read.problems[0])}`,
    hint:
      'They are {seed, faults: [{method, path, probability, at, times, latency, status, drop, reset, stale, ' +
      'slowDeletion, ignorePrecondition}]}.',
  });
}

/**
 * Refuses requests of one token beyond its limit with 429 (platform/wire.retries: without the word that makes clients
 * give up). `digest` avoids storing tokens. `now`: milliseconds, only for differences.
 */
function withRateLimit(
  limit: RateLimit | undefined,
  handle: Handle,
  digest: (text: string) => string,
  now: () => number,
): Handle {
  if (limit === undefined) return handle;
  const limiter = new RateLimiter(limit);
  return (head, readBody) => {
    const wait = limiter.secondsToWait(digest(bearerToken(head.authorization)), now());
    if (wait === undefined) return handle(head, readBody);
    const headers = { 'retry-after': String(wait) };
    throw new ApiFailure(429, `more than ${limit.perSecond} requests a second; try again`, { headers });
  };
}

/** All background jobs of the platform, by the name that they are scheduled under. */
const jobs: Readonly<Record<JobName, Job>> = {
  'command.cancel': commandCancel,
  'command.echo': commandEcho,
  'command.running': commandRunning,
  cron: cronStep,
  'domain.stage': domainStage,
  'gvc.deletion': continueGvcDeletion,
  placement: continuePlacement,
  'volume.command': volumeCommand,
  'volume.expiry': volumeExpiry,
  'volume.growth': volumeGrowth,
  'volume.snapshots': volumeSnapshots,
  'volumeset.deletion': continueVolumeSetDeletion,
};
