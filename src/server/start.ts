import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { ToolError } from '../errors.ts';
import { loadValidators } from '../schema/validators.ts';
import { listen, type RequestLogEntry } from './http/listen.ts';
import { dispatch } from './routes/dispatch.ts';
import type { Platform } from './routes/platform.ts';
import { seedOrg } from './seedOrg.ts';
import { openSqlite } from './store/sqlite.ts';
import type { Store } from './store/row.ts';

export interface ServerOptions {
  /** 0 picks a free one. @default 4480 */
  readonly port?: number;
  /** The path of the database file, or `:memory:`. @default :memory: */
  readonly data?: string;
  /** What `Authorization` must hold, with or without `Bearer `. */
  readonly token?: string;
  /** Lets everyone in. */
  readonly noAuth?: boolean;
  /** @default local */
  readonly org?: string;
  /** Added to each request. @default 0 */
  readonly latencyMs?: number;
  /** E-mail addresses of users that exist. */
  readonly users?: readonly string[];
  /** How long a new version of a workload takes until it runs. @default 500 */
  readonly readyAfterMs?: number;
  /** How long a deleted record is still shown. @default 0 */
  readonly deletionDelayMs?: number;
  /** A line for each request on standard error. */
  readonly log?: boolean;
  readonly requestLog?: (entry: RequestLogEntry) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export interface RunningServer {
  readonly url: string;
  /** Answers what is under way, then closes the database. */
  close(): Promise<void>;
}

/** Starts the platform on the loopback interface. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { org = 'local', port = 4480, latencyMs = 0, requestLog } = options;
  const admits = doorOf(options);
  const now = options.now ?? Date.now;
  const store = openSqlite(options.data ?? ':memory:', now);
  claim(store, org, now);
  const platform = platformOn(store, org, now, options);
  await seedOrg(platform, options.users ?? []);

  const log = options.log === true ? await openLog() : undefined;
  const listening = await listen({
    port,
    latencyMs,
    admits,
    newId: randomUUID,
    handle: (request) => dispatch(platform, request),
    onAnswered(entry) {
      requestLog?.(entry);
      log?.info(entry);
    },
    onMistake(error, traceId) {
      const stack = error instanceof Error ? error.stack : String(error);
      if (log === undefined) process.stderr.write(`internal error ${traceId}: ${stack}\n`);
      else log.error({ traceId, stack });
    },
  }).catch(async (cause: unknown) => {
    await store.close();
    throw new ToolError({
      code: 'server.listen',
      message: `cannot listen on port ${port}`,
      hint: 'Choose another port, or 0 for a free one.',
      cause,
    });
  });
  return {
    url: `http://127.0.0.1:${listening.port}`,
    async close() {
      await listening.close();
      await store.close();
    },
  };
}

function platformOn(store: Store, org: string, now: () => number, options: ServerOptions): Platform {
  return {
    store,
    org,
    now,
    newId: randomUUID,
    randomText,
    digest: (text) => createHash('sha256').update(text).digest('hex'),
    base64url: (text) => Buffer.from(text).toString('base64url'),
    readyAfterMs: options.readyAfterMs ?? 500,
    deletionDelayMs: options.deletionDelayMs ?? 0,
    validatorsOf: (kind) => loadValidators([kind]),
  };
}

/** A database belongs to one org: the links in it name that org. */
function claim(store: Store, org: string, now: () => number): void {
  const owner = store.fact('org');
  if (owner === org) return;
  if (owner !== undefined) {
    throw new ToolError({
      code: 'server.other-org',
      message: `this database holds the org ${owner}, not ${org}`,
      hint: `Use --org ${owner}, or another --data folder.`,
    });
  }
  store.setFact('org', org);
  store.setFact('orgId', randomUUID());
  store.setFact('created', new Date(now()).toISOString());
}

/** `/discovery` needs no token (protocol 1.4). */
function doorOf({ token, noAuth }: ServerOptions): (path: string, authorization: string | undefined) => boolean {
  if (noAuth === true) return () => true;
  if (token === undefined || token === '') {
    throw new ToolError({ code: 'server.no-token', message: 'the platform needs a token', hint: 'Give --token.' });
  }
  const expected = createHash('sha256').update(token).digest();
  return (path, authorization) => {
    if (path === '/discovery') return true;
    const given = (authorization ?? '').replace(/^bearer\s+/i, '').trim();
    return timingSafeEqual(createHash('sha256').update(given).digest(), expected);
  };
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('');
}

async function openLog() {
  const { default: pino } = await import('pino');
  return pino({ base: null }, pino.destination({ fd: 2, sync: true }));
}
