import { join } from 'node:path';
import { startServer } from '../../server/start.ts';
import type { CommandContext } from '../context.ts';
import { exitCode } from '../exitCode.ts';
import type { ServeOptions } from '../options.ts';
import { embeddedOrg } from '../platform.ts';
import { defaultData } from '../settings.ts';
import { keepToken, makeFolder } from '../tokenFile.ts';

/**
 * The platform until SIGTERM or SIGINT. Its URL is the one line of standard output. Only flags count here: a token or an
 * org in the environment are those of another platform.
 */
export async function runServe({ options, environment, terminal }: CommandContext<ServeOptions>): Promise<number> {
  const ended = Promise.withResolvers<void>();
  process.once('SIGTERM', () => ended.resolve());
  process.once('SIGINT', () => ended.resolve());

  const folder = options.data ?? defaultData;
  const inMemory = folder === ':memory:';
  if (!inMemory) await makeFolder(folder);
  const token = options.auth ? (options.token ?? (await madeToken(folder, terminal.message))) : undefined;
  const server = await startServer({
    port: options.port,
    data: inMemory ? ':memory:' : join(folder, 'platform.db'),
    org: options.org ?? embeddedOrg,
    latencyMs: options.latency,
    readyAfterMs: options.readyAfter,
    users: options.user,
    log: true,
    ...(environment['GANTRY_SECRET_KEY'] === undefined ? {} : { secretKey: environment['GANTRY_SECRET_KEY'] }),
    ...(token === undefined ? { noAuth: true } : { token }),
  });
  terminal.result(server.url);

  await ended.promise;
  await server.close();
  return exitCode.ok;
}

/** Told once, when it is made: afterwards it stands in the folder only. */
async function madeToken(folder: string, tell: (text: string) => void): Promise<string> {
  if (folder === ':memory:') {
    const { randomBytes } = await import('node:crypto');
    const token = randomBytes(24).toString('base64url');
    tell(`token: ${token}`);
    return token;
  }
  const { token, fresh } = await keepToken(folder);
  if (fresh) tell(`token: ${token} (kept in ${join(folder, 'token')})`);
  else tell(`token: the one in ${join(folder, 'token')}`);
  return token;
}
