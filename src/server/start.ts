import { randomUUID } from 'node:crypto';
import { ToolError } from '../errors.ts';
import { listen } from './http/listen.ts';
import { realClock, virtualClock } from './jobs/clock.ts';
import { jobs } from './jobs/jobs.ts';
import { startRunner } from './jobs/runner.ts';
import { dispatcher } from './routes/dispatch.ts';
import { doorOf } from './routes/door.ts';
import { routes } from './routes/table.ts';
import type { ServerOptions } from './options.ts';
import { openService, reasonOf, sha256 } from './service.ts';

export interface RunningServer {
  readonly url: string;
  /** Everything due until then, in order, with a virtual clock; the number of jobs. */
  stepTo(ms: number): Promise<number>;
  /** Answers what is under way, then closes the database. */
  close(): Promise<void>;
}

/** Starts the platform on the loopback interface. Errors: `server.no-token`, `server.org-name`, `server.data`, `server.other-org`, `server.listen`. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { port = 4480, latencyMs = 0, requestLog } = options;
  const token = tokenOf(options);
  const clock = options.clock === 'virtual' ? virtualClock(Date.now()) : realClock(options.now ?? Date.now);
  const service = await openService(options, clock);

  const log = options.log === true ? await openLog() : undefined;
  function onMistake(error: unknown, traceId: string): void {
    const stack = error instanceof Error ? error.stack : String(error);
    if (log === undefined) process.stderr.write(`internal error ${traceId}: ${stack}\n`);
    else log.error({ traceId, stack });
  }
  const runner = startRunner({ service, clock, jobs, onMistake: (error, { key }) => onMistake(error, key) });
  const listening = await listen({
    port,
    latencyMs,
    newId: randomUUID,
    handle: dispatcher({ service, door: doorOf(token, sha256), routes }),
    onAnswered(entry) {
      requestLog?.(entry);
      log?.info(entry);
    },
    onMistake,
  }).catch(async (cause: unknown) => {
    await runner.stop();
    await service.database.close();
    throw new ToolError({
      code: 'server.listen',
      message: `cannot listen on port ${port}: ${reasonOf(cause)}`,
      hint: 'Choose another port, or 0 for a free one.',
      cause,
    });
  });
  return {
    url: `http://127.0.0.1:${listening.port}`,
    stepTo: (ms) => runner.stepTo(ms),
    async close() {
      await listening.close();
      await runner.stop();
      await service.database.close();
    },
  };
}

/** Undefined: everyone is let in. */
function tokenOf({ token, noAuth }: ServerOptions): string | undefined {
  if (noAuth === true) return undefined;
  if (token !== undefined && token !== '') return token;
  throw new ToolError({ code: 'server.no-token', message: 'the platform needs a token', hint: 'Give --token.' });
}

async function openLog() {
  const { default: pino } = await import('pino');
  return pino({ base: null }, pino.destination({ fd: 2, sync: true }));
}
