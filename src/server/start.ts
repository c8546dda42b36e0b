import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { ToolError } from '../errors.ts';
import { loadValidators } from '../schema/validators.ts';
import { listen, type RequestLogEntry } from './http/listen.ts';
import { dispatch } from './routes/dispatch.ts';
import { type Door, doorOf } from './routes/door.ts';
import type { Platform } from './routes/platform.ts';
import { foundOrg } from './foundOrg.ts';
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

/** Starts the platform on the loopback interface. Errors: `server.no-token`, `server.org-name`, `server.data`, `server.other-org`, `server.listen`. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { port = 4480, latencyMs = 0, requestLog } = options;
  const token = tokenOf(options);
  const platform = await openPlatform(options);
  const admits: Door = token === undefined ? () => true : doorOf(platform, token);

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
    await platform.store.close();
    throw new ToolError({
      code: 'server.listen',
      message: `cannot listen on port ${port}: ${reasonOf(cause)}`,
      hint: 'Choose another port, or 0 for a free one.',
      cause,
    });
  });
  return {
    url: `http://127.0.0.1:${listening.port}`,
    async close() {
      await listening.close();
      await platform.store.close();
    },
  };
}

/** Undefined: everyone is let in. */
function tokenOf({ token, noAuth }: ServerOptions): string | undefined {
  if (noAuth === true) return undefined;
  if (token !== undefined && token !== '') return token;
  throw new ToolError({ code: 'server.no-token', message: 'the platform needs a token', hint: 'Give --token.' });
}

/** Resources A.2. */
const orgName = /^(?=.{1,64}$)[a-z][-a-z0-9]*[a-z0-9]$/;

/** The platform on its database, with its org in it. */
async function openPlatform(options: ServerOptions): Promise<Platform> {
  const { org = 'local', data = ':memory:', now = Date.now, users = [] } = options;
  if (!orgName.test(org)) {
    throw new ToolError({
      code: 'server.org-name',
      message: `${JSON.stringify(org)} cannot be the name of an org`,
      hint: 'Lower-case letters, digits and -, beginning with a letter, at most 64 characters.',
    });
  }
  let store: Store | undefined;
  try {
    store = openSqlite(data, now);
    const platform = platformOn(store, org, now, options);
    await foundOrg(platform, users);
    return platform;
  } catch (cause) {
    await store?.close();
    if (cause instanceof ToolError) throw cause;
    throw new ToolError({
      code: 'server.data',
      message: `the database ${data} cannot be used: ${reasonOf(cause)}`,
      hint: 'Is its folder there, and writable? Or give another one with --data DIR.',
      cause,
    });
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
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
    textOfBase64url: (text) => Buffer.from(text, 'base64url').toString('utf8'),
    readyAfterMs: options.readyAfterMs ?? 500,
    deletionDelayMs: options.deletionDelayMs ?? 0,
    validatorsOf: (kind) => loadValidators([kind]),
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
