import { randomUUID } from 'node:crypto';
import { ToolError } from '../errors.ts';
import { FaultPlan } from './http/faultPlan.ts';
import { listen } from './http/listen.ts';
import { withDialect } from './http/withDialect.ts';
import { withFaults } from './http/withFaults.ts';
import { withRateLimit } from './http/withRateLimit.ts';
import { realClock, virtualClock } from './jobs/clock.ts';
import { jobs } from './jobs/jobs.ts';
import { startRunner } from './jobs/runner.ts';
import { dispatcher } from './routes/dispatch.ts';
import { doorOf } from './routes/door.ts';
import { routes } from './routes/table.ts';
import { beginWith, faultsOf } from './givenState.ts';
import type { ServerOptions } from './options.ts';
import { openService, reasonOf, sha256 } from './service.ts';

export interface RunningServer {
  readonly url: string;
  /** Everything due until then, in order, with a virtual clock; the number of jobs. */
  stepTo(ms: number): Promise<number>;
  /** Answers what is under way, then closes the database. */
  close(): Promise<void>;
}

/** Starts the platform. Errors: `server.no-token`, `server.open`, `server.dev`, `server.org-name`, `server.data`, `server.other-org`, `server.listen`, `server.faults`. */
export async function startServer(given: ServerOptions): Promise<RunningServer> {
  const { host = loopback, port = 4480, latencyMs = 0, requestLog } = given;
  const options = { ...given, dev: isLoopback(host) && given.dev !== false };
  if (given.dev === true && !options.dev) throw notLocal(host);
  const token = tokenOf(options, host);
  const clock = options.clock === 'virtual' ? virtualClock(Date.now()) : realClock(options.now ?? Date.now);
  const metrics = options.metrics === true ? (await import('./metrics.ts')).startMetrics() : undefined;
  const faults = new FaultPlan();
  if (options.faults !== undefined) faults.set(faultsOf(options.faults), options.faults);
  const service = await openService(options, clock, {
    faults,
    stepTo: (ms) => runner.stepTo(ms),
    ...(metrics === undefined ? {} : { metrics: metrics.text }),
  });

  if (options.from !== undefined) await beginWith(service, options.from);

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
    onMistake: (error, { key }) => onMistake(error, key),
    onQueueMistake: (error) => onMistake(error, 'job queue'),
  });
  const dispatch = dispatcher({
    service,
    door: doorOf({ token, others: options.tokens ?? [], digest: sha256 }),
    routes: options.dev ? routes : routes.filter(({ devOnly }) => devOnly !== true),
    onMatched: (head, route) => metrics?.matched(head.id, route.id),
  });
  const elapsedMs = () => performance.now();
  const listening = await listen({
    host,
    port,
    latencyMs,
    newId: randomUUID,
    // Clients take the beginning of a cron run from the header `Date` (protocol 1.1).
    ...(clock.step === undefined ? {} : { now: clock.now }),
    handle: withDialect(
      options.dialect,
      withRateLimit(options.rateLimit, withFaults(faults, dispatch, elapsedMs), sha256, elapsedMs),
    ),
    onAnswered(entry) {
      requestLog?.(entry);
      metrics?.answered(entry);
      log?.info(entry);
    },
    onMistake,
  }).catch(async (cause: unknown) => {
    await runner.stop();
    await service.database.close();
    throw new ToolError({
      code: 'server.listen',
      message: `cannot listen on ${host}, port ${port}: ${reasonOf(cause)}`,
      hint: 'Choose another port (0 for a free one), or an address of this machine.',
      cause,
    });
  });
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${listening.port}`,
    stepTo: (ms) => runner.stepTo(ms),
    async close() {
      await listening.close();
      await runner.stop();
      await service.database.close();
    },
  };
}

const loopback = '127.0.0.1';

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function notLocal(host: string): ToolError {
  return new ToolError({
    code: 'server.dev',
    message: `local-only endpoints may not be served on ${host}`,
    hint: 'Leave out --dev, or --host.',
  });
}

/** Undefined: everyone is let in. */
function tokenOf({ token, noAuth }: ServerOptions, host: string): string | undefined {
  if (noAuth === true) {
    if (isLoopback(host)) return undefined;
    throw new ToolError({
      code: 'server.open',
      message: `a platform that asks for no token may not listen on ${host}`,
      hint: 'Leave out --no-auth, or --host.',
    });
  }
  if (token !== undefined && token !== '') return token;
  throw new ToolError({ code: 'server.no-token', message: 'the platform needs a token', hint: 'Give --token.' });
}

async function openLog() {
  const { default: pino } = await import('pino');
  return pino({ base: null }, pino.destination({ fd: 2, sync: true }));
}
