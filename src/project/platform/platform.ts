import { randomBytes } from 'node:crypto';
import { basename, join, resolve } from 'node:path';
import type { ApplyClock } from '../../base/clock.ts';
import { present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import type { Capabilities } from '../../capabilities/capabilities.ts';
import type { Client } from '../../client/client.ts';
import type { ReplyBounds } from '../../client/http/bounds.ts';
import type { Gate } from '../../client/http/exchange.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { createFile } from '../../server/store/model/createFile.ts';
import { FileRefusal } from '../files/fileRefusal.ts';
import { readBytes } from '../files/readBytes.ts';
import { fileSizes } from '../files/sizes.ts';
import type { Notice } from '../session/event.ts';
import type { ProjectOptions, Session } from '../session/session.ts';
import { defaultData, type Settings } from '../settings/resolveSettings.ts';
import { openDataFolder, unusableFolder } from './dataFolder.ts';
import { loadDialect } from './dialectFile.ts';
import { type KeptCapabilities, readKept } from './keptCapabilities.ts';

type Retry = Extract<Notice, { type: 'retry' }>;

/** The platform of a plan. */
export interface Platform {
  readonly client: Client;
  readonly org: string;
  /** The platform's own words; undefined: the neutral ones. */
  readonly dialect?: Dialect | undefined;
  /** How long reads older than a write are repeated if a run does not set it; absent: 10 s. */
  readonly consistencyTimeoutMs?: number | undefined;
  /** For a platform whose time passes only by waiting; absent: real time. */
  readonly clock?: ApplyClock;
  /** Reports retried requests separately from other notices, because a display would overwrite these. */
  tellRetriesTo(tell: ((retry: Retry) => void) | undefined): void;
  close(): Promise<void>;
}

/** The name of the org of every embedded platform. */
export const embeddedOrg = 'local';

/** The org for links in manifests; needed before there is a platform. */
export function orgOf({ options }: Session, settings: Settings): string {
  if (options.embedded) return options.org ?? embeddedOrg;
  if (settings.org !== undefined) return settings.org;
  throw new ToolError({
    code: 'settings.org',
    message: 'no org is set',
    hint: 'Give --org NAME, GANTRY_ORG, or org in gantry.yaml, or choose a profile with --profile NAME (gantry profile get lists them); or try it on this machine with --embedded.',
  });
}

export interface PlatformOptions extends ProjectOptions {
  /** Values above the default number of connections need more of them. */
  readonly parallelism?: number;
  /** Called before each attempt of a request. */
  readonly gate?: Gate;
  /** The known properties of the platform. @default those in the files of the project */
  readonly capabilities?: Capabilities;
  /** Limits of one response that differ from the defaults. */
  readonly bounds?: Partial<ReplyBounds>;
}

type PlatformSession = Session<PlatformOptions>;

/** A platform for the duration of a session. */
export interface PlatformHost {
  readonly org: string;
  /** Opens a separate client: closing it, or stopping its retries, does not affect others. */
  connect(session: PlatformSession): Promise<Platform>;
  close(): Promise<void>;
}

/** A single connection, which closes together with the platform. */
export async function openPlatform(session: PlatformSession, settings: Settings): Promise<Platform> {
  const host = await openHost(session, settings);
  const platform = await host.connect(session);
  return {
    ...platform,
    async close() {
      await platform.close();
      await host.close();
    },
  };
}

/** Errors: `settings.endpoint`, `settings.token`. */
export async function openHost(session: PlatformSession, settings: Settings): Promise<PlatformHost> {
  const org = orgOf(session, settings);
  const { consistencyTimeoutMs } = settings;
  const dialect = await loadDialect(settings.dialect);
  if (session.options.embedded) {
    const { url, token, close } = await startEmbedded(session, settings.data, org, dialect);
    return { org, connect: (by) => connect(by, { endpoint: url, token, org, dialect, consistencyTimeoutMs }), close };
  }
  const { endpoint, token, insecure } = settings;
  if (endpoint === undefined) {
    throw new ToolError({
      code: 'settings.endpoint',
      message: 'no platform is set',
      hint: 'Give --endpoint URL, GANTRY_ENDPOINT, or endpoint in gantry.yaml, or make a profile (gantry profile create); or try it on this machine with --embedded.',
    });
  }
  if (settings.tokenTarget !== undefined) {
    const { checkTokenTarget } = await import('../settings/tokenTarget.ts');
    await checkTokenTarget(settings.tokenTarget, session);
  }
  const kept = await readKept(settings, {
    cwd: session.cwd,
    target: { endpoint, org },
    tell: (text) => void session.tell({ type: 'note', text }),
  });
  return {
    org,
    connect: (by) => connect(by, { endpoint, token, org, dialect, insecure, consistencyTimeoutMs, kept }),
    close: () => Promise.resolve(),
  };
}

interface Address {
  readonly endpoint: string;
  readonly token: string | undefined;
  readonly org: string;
  readonly dialect: Dialect | undefined;
  readonly insecure?: boolean;
  readonly consistencyTimeoutMs: number | undefined;
  /** Absent for a platform that ends with the command: its findings are not stored. */
  readonly kept?: KeptCapabilities;
}

async function connect({ tell, options, tracing }: PlatformSession, { kept, ...address }: Address): Promise<Platform> {
  const { defaultConcurrency, makeClient } = await import('../../client/client.ts');
  let tellRetry: (retry: Retry) => void = (retry) => void tell(retry);
  const client = makeClient({
    ...address,
    capabilities: options.capabilities ?? kept?.start(),
    concurrency: Math.max(defaultConcurrency, options.parallelism ?? 0),
    ...present({ bounds: options.bounds, gate: options.gate, watch: tracing?.requests }),
    onRetry: (_, delayMs, because) => tellRetry({ type: 'retry', because, delayMs }),
  });
  return {
    client,
    org: address.org,
    dialect: address.dialect,
    consistencyTimeoutMs: address.consistencyTimeoutMs,
    tellRetriesTo(other) {
      tellRetry = other ?? ((retry) => void tell(retry));
    },
    async close() {
      await kept?.keep(client.capabilities);
      await client.close();
    },
  };
}

/**
 * Starts the platform in this process, on a free loopback port, with its data and token in the folder `data`; with
 * `:memory:` nothing is stored.
 */
async function startEmbedded(
  { cwd, tell, environment }: PlatformSession,
  data: string,
  org: string,
  dialect?: Dialect,
) {
  const folder = resolve(cwd, data === '' ? defaultData : data);
  const inMemory = basename(folder) === ':memory:';
  const secretKey = environment['GANTRY_SECRET_KEY'];
  if (!inMemory) await openDataFolder(folder, (text) => void tell({ type: 'note', text }));
  const [{ startServer }, token] = await Promise.all([
    import('../../server/start.ts'),
    inMemory ? newToken() : tokenOfFolder(folder).then((found) => found.token),
  ]);
  const server = await startServer({
    port: 0,
    data: inMemory ? ':memory:' : join(folder, 'platform.db'),
    token,
    org,
    readyAfterMs: 0,
    ...present({ dialect, secretKey }),
  });
  return { url: server.url, token, close: () => server.close() };
}

interface FolderToken {
  readonly token: string;
  /** True if this call created it. */
  readonly fresh: boolean;
}

export function newToken(): string {
  return randomBytes(24).toString('base64url');
}

/** The token of the platform in this existing folder; created on first use, readable only by its owner. */
export async function tokenOfFolder(folder: string): Promise<FolderToken> {
  const path = join(folder, 'token');
  const made = newToken();
  const fresh = await createFile(path, `${made}\n`).catch((error: unknown) => {
    throw unusableFolder(folder, error);
  });
  if (fresh) return { token: made, fresh };
  const bytes = await readBytes(path, { most: fileSizes.settings }).catch((error: unknown) => {
    throw unusableFolder(folder, error instanceof FileRefusal ? new Error(`${path}: ${error.message}`) : error);
  });
  const token = bytes.toString('utf8').trim();
  if (token === '') throw unusableFolder(folder, new Error(`${path} is empty`));
  return { token, fresh: false };
}
