import { join } from 'node:path';
import type { Client } from '../../client/client.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { ToolError } from '../../errors/toolError.ts';
import type { CommandContext } from '../line/context.ts';
import type { GlobalOptions } from '../line/options.ts';
import { defaultData, type Settings } from '../settings/settings.ts';
import { LineLimit } from '../terminal/lineLimit.ts';
import { openDataFolder } from './dataFolder.ts';
import { loadDialect } from './dialectFile.ts';
import { tokenOfFolder } from './tokenFile.ts';

/** Where a plan is read from and applied to, for the length of one command. */
export interface Platform {
  readonly client: Client;
  readonly org: string;
  /** Tells of waiting requests through `say` instead of by plain lines, which a display would draw over. */
  tellThrough(say: ((text: string) => void) | undefined): void;
  close(): Promise<void>;
}

/** The name of the org of every embedded platform. */
export const embeddedOrg = 'local';

/** The org that links of manifests are resolved against; needed before there is a platform. */
export function orgOf({ options }: CommandContext, settings: Settings): string {
  if (options.embedded) return options.org ?? embeddedOrg;
  if (settings.org !== undefined) return settings.org;
  throw new ToolError({
    code: 'settings.org',
    message: 'no org is set',
    hint: 'Give --org NAME, GANTRY_ORG, or org in gantry.yaml; or try it on this machine with --embedded.',
  });
}

/** For the command line: `--parallelism` above the usual number of connections needs more of them. */
type PlatformContext = CommandContext<GlobalOptions & { readonly parallelism?: number }>;

export async function openPlatform(context: PlatformContext, settings: Settings): Promise<Platform> {
  const org = orgOf(context, settings);
  const dialect = await loadDialect(settings.dialect);
  if (!context.options.embedded) {
    if (settings.endpoint === undefined) {
      throw new ToolError({
        code: 'settings.endpoint',
        message: 'no platform is set',
        hint: 'Give --endpoint URL, GANTRY_ENDPOINT, or endpoint in gantry.yaml; or try it on this machine with --embedded.',
      });
    }
    const { client, tellThrough } = await connect(context, settings.endpoint, settings.token, org, dialect);
    return { client, org, tellThrough, close: () => client.close() };
  }
  const server = await startEmbedded(context, settings.data, org, dialect);
  const { client, tellThrough } = await connect(context, server.url, server.token, org, dialect);
  return {
    client,
    org,
    tellThrough,
    async close() {
      await client.close();
      await server.close();
    },
  };
}

async function connect(
  { terminal, now, options: { parallelism = 0 } }: PlatformContext,
  endpoint: string,
  token: string | undefined,
  org: string,
  dialect: Dialect | undefined,
): Promise<Pick<Platform, 'client' | 'tellThrough'>> {
  const { defaultConcurrency, makeClient } = await import('../../client/client.ts');
  const limit = new LineLimit(now);
  let say = terminal.message;
  let quietMs = quietDelayMs;
  const client = makeClient({
    endpoint,
    token,
    org,
    dialect,
    concurrency: Math.max(defaultConcurrency, parallelism),
    onRetry: (_, delayMs, because) => {
      if (delayMs < quietMs) return;
      const line = limit.pass(`${because}; again in ${(delayMs / 1000).toFixed(1)} s`);
      if (line !== undefined) say(line);
    },
  });
  return {
    client,
    tellThrough(other) {
      say = other ?? terminal.message;
      quietMs = other === undefined ? quietDelayMs : 0;
    },
  };
}

/** While only reading, shorter pauses than this are not worth a line. */
const quietDelayMs = 1_000;

/** The platform in this process, on a free port of the loopback interface, with its data and token in `data`. */
async function startEmbedded({ terminal, environment }: PlatformContext, data: string, org: string, dialect?: Dialect) {
  const folder = data === '' ? defaultData : data;
  const secretKey = environment['GANTRY_SECRET_KEY'];
  await openDataFolder(folder, terminal.message);
  const [{ startServer }, { token }] = await Promise.all([import('../../server/start.ts'), tokenOfFolder(folder)]);
  const server = await startServer({
    port: 0,
    data: join(folder, 'platform.db'),
    token,
    org,
    readyAfterMs: 0,
    ...(dialect === undefined ? {} : { dialect }),
    ...(secretKey === undefined ? {} : { secretKey }),
  });
  return { url: server.url, token, close: () => server.close() };
}
