import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import type { Client } from '../../client/client.ts';
import type { RequestWatch } from '../../client/http/exchange.ts';
import type { Log } from '../host/log.ts';
import type { ProviderSettings, Surroundings } from './settings.ts';
import { ownFolder } from './unfinishedCreations.ts';

/** The platform during a process. */
export interface Connection {
  readonly client: Client;
  close(): Promise<void>;
}

/** Opened by the first call that needs it: many processes of Terraform only read the schema, or validate. */
export async function openConnection(settings: ProviderSettings, surroundings: Surroundings): Promise<Connection> {
  const { embedded } = settings;
  if (embedded !== undefined) return openEmbedded(embedded, settings, surroundings);
  const [{ makeClient }, { loadDialect }, { readKept }, { platformFileIn }, { defaultData }] = await Promise.all([
    import('../../client/client.ts'),
    import('../../project/platform/dialectFile.ts'),
    import('../../project/platform/keptCapabilities.ts'),
    import('../../project/files/projectFiles.ts'),
    import('../../project/settings/resolveSettings.ts'),
  ]);
  const { endpoint, token, org, insecure, authorities, maxConcurrency } = settings;
  if (endpoint === undefined) throw new Error('there are settings without a platform');
  const { cwd, log } = surroundings;
  const platform = await platformFileIn(cwd);
  // Facts that the command line has learnt about the platform, if it is used in this folder too.
  const isShared = await stat(resolve(cwd, defaultData)).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const data = isShared ? defaultData : ownFolder(surroundings);
  const kept = await readKept({ platform, data }, { cwd, target: { endpoint, org }, tell: () => {} });
  const client = makeClient({
    endpoint,
    token,
    org,
    insecure,
    authorities,
    dialect: await loadDialect(settings.dialect),
    capabilities: kept.start(),
    ...present({ concurrency: maxConcurrency, sleep: surroundings.sleep }),
    ...(log === undefined
      ? {}
      : { watch: loggedRequests(log), onRetry: (_, delayMs, because) => logRetry(log, delayMs, because) }),
  });
  return {
    client,
    async close() {
      await kept.keep(client.capabilities);
      client.close().catch(() => {}); // it would wait for abandoned reads
    },
  };
}

/** As `gantry --embedded`: the same folder, so that both see the same records. */
async function openEmbedded(
  folder: string,
  settings: ProviderSettings,
  { environment, cwd, log }: Surroundings,
): Promise<Connection> {
  const [{ openPlatform }, { openDataFolder, unusableFolder }, { resolveSettings }, { lockFolder }] = await Promise.all(
    [
      import('../../project/platform/platform.ts'),
      import('../../project/platform/dataFolder.ts'),
      import('../../project/settings/resolveSettings.ts'),
      import('./folderLock.ts'),
    ],
  );
  await openDataFolder(folder, () => {});
  const unlock = await lockFolder(folder).catch((error: unknown) => {
    throw error instanceof ToolError ? error : unusableFolder(folder, error);
  });
  try {
    const options = { embedded: true, org: settings.org, data: folder };
    const resolved = resolveSettings({ flags: { data: folder }, environment: {}, file: {} });
    const platform = await openPlatform(
      {
        options,
        environment,
        cwd,
        stdin: nothing(),
        now: () => performance.now(),
        tell(event) {
          if (log !== undefined && event.type === 'retry') logRetry(log, event.delayMs, event.because);
        },
        ...(log === undefined ? {} : { tracing: { phase: (_, work) => work(), requests: loggedRequests(log) } }),
      },
      { ...resolved, org: settings.org, dialect: settings.dialect },
    );
    return {
      client: platform.client,
      async close() {
        await platform.close().finally(unlock);
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

async function* nothing(): AsyncGenerator<string> {}

export function notConfigured(): ToolError {
  return new ToolError({
    code: 'provider.not-configured',
    message: 'the provider has no usable settings',
    hint: 'See the errors of the provider block.',
  });
}

/**
 * Logs a line for each attempt of a request. Its id is sent as `x-request-id`, with which the request can be found in
 * the platform's log.
 */
export function loggedRequests(log: Log, now: () => number = () => performance.now()): RequestWatch {
  return {
    begin({ method, path }, attempt) {
      const [id, began] = [randomUUID(), now()];
      const end = (outcome: { readonly status: number } | { readonly failed: string }): void =>
        log('debug', `${method} ${path}`, {
          method,
          path,
          ...outcome,
          duration_ms: Math.round(now() - began),
          request_id: id,
          ...present({ attempt: attempt === 1 ? undefined : attempt }),
        });
      return {
        headers: { 'x-request-id': id },
        answered: (status) => end({ status }),
        failed: (failed) => end({ failed }),
      };
    },
  };
}

function logRetry(log: Log, delayMs: number, because: string): void {
  log('warn', 'a request is sent again', { delay_ms: Math.round(delayMs), because });
}
