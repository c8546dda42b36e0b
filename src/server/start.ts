import { randomUUID } from 'node:crypto';
import { isLoopback } from '../base/text/hostName.ts';
import { ToolError } from '../base/toolError.ts';
import { assemble } from './assemble.ts';
import { listen } from './http/listen.ts';
import { withoutForeignPages } from './http/webPages.ts';
import type { ServerOptions } from './options.ts';
import { reasonOf } from './service.ts';

export interface RunningServer {
  readonly url: string;
  /** Runs all work that is due by then, in order, with a virtual clock. Returns the number of jobs. */
  stepTo(ms: number): Promise<number>;
  /** Answers the requests in progress, then closes the database. */
  close(): Promise<void>;
}

/**
 * Starts the platform. Errors: `server.no-token`, `server.open`, `server.dev`, `server.org-name`, `server.data`,
 * `server.store-package`, `server.other-org`, `server.listen`, `server.faults`, `server.public-url`.
 */
export async function startServer(given: ServerOptions): Promise<RunningServer> {
  const { host = loopback, port = 4480, latencyMs = 0 } = given;
  const options = { ...given, dev: isLoopback(host) && given.dev !== false };
  if (given.dev === true && !options.dev) throw notLocal(host);
  const publicUrl = given.publicUrl === undefined ? undefined : baseOf(given.publicUrl);
  const platform = await assemble(options, tokenOf(options, host));
  const { clock, handle, onAnswered, onMistake, stepTo } = platform;
  const listening = await listen({
    host,
    port,
    latencyMs,
    newId: randomUUID,
    publicUrl,
    // Clients read the start of a cron run from the header `Date` (platform/wire.headers).
    now: clock.now,
    // With tokens and without local-only endpoints, requests from web pages are harmless, and a proxy may use any host
    // name.
    handle:
      options.dev || options.noAuth === true
        ? withoutForeignPages({ publicUrl, jsonOnly: options.noAuth === true }, handle)
        : handle,
    onAnswered,
    onMistake,
  }).catch(async (cause: unknown) => {
    await platform.close();
    throw new ToolError({
      code: 'server.listen',
      message: `cannot listen on ${host}, port ${port}: ${reasonOf(cause)}`,
      hint: 'Choose another port (0 for a free one), or an address of this machine.',
      cause,
    });
  });
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${listening.port}`,
    stepTo,
    async close() {
      await listening.close();
      await platform.close();
    },
  };
}

const loopback = '127.0.0.1';

function notLocal(host: string): ToolError {
  return new ToolError({
    code: 'server.dev',
    message: `local-only endpoints must not be served on ${host}`,
    hint: 'Leave out --dev, or --host.',
  });
}

/** An address without a trailing slash, as paths are appended. */
function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && url.username === '' && url.search === '' && url.hash === '';
  if (isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/$/, '');
  throw new ToolError({
    code: 'server.public-url',
    message: `${JSON.stringify(text)} cannot be the public address of a server`,
    hint: 'Give it in the form https://platform.example.com, without a query.',
  });
}

/** Undefined: tokens are not checked. */
function tokenOf({ token, noAuth }: ServerOptions, host: string): string | undefined {
  if (noAuth === true) {
    if (isLoopback(host)) return undefined;
    throw new ToolError({
      code: 'server.open',
      message: `a platform without tokens must not listen on ${host}`,
      hint: 'Leave out --no-auth, or --host.',
    });
  }
  if (token !== undefined && token !== '') return token;
  throw new ToolError({ code: 'server.no-token', message: 'the platform needs a token', hint: 'Set --token.' });
}
