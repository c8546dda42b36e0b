import { randomUUID } from 'node:crypto';
import { isLoopback, readHost } from '../base/text/hostName.ts';
import { causeText } from '../base/thrown.ts';
import { ToolError } from '../base/toolError.ts';
import { assemble } from './assemble.ts';
import { ApiFailure } from './http/apiFailure.ts';
import { listen } from './http/listen.ts';
import type { Handle, RequestHead } from './http/message.ts';
import type { ServerOptions } from './options.ts';

export interface RunningServer {
  readonly url: string;
  /** Runs all jobs due by `ms`, in order, with a virtual clock. Returns the number of jobs. */
  stepTo(ms: number): Promise<number>;
  /** Answers the requests in progress, then closes the database. */
  close(): Promise<void>;
}

/**
 * Starts the platform. Errors: `server.no-token`, `server.open`, `server.dev`, `server.org-name`, `server.data`,
 * `server.store-package`, `server.other-org`, `server.listen`, `server.faults`, `server.public-url`.
 */
export async function startServer(requested: ServerOptions): Promise<RunningServer> {
  const { host = loopback, port = 4480, latencyMs = 0 } = requested;
  const options = { ...requested, dev: isLoopback(host) && requested.dev !== false };
  if (requested.dev === true && !options.dev) throw notLocal(host);
  const publicUrl = requested.publicUrl === undefined ? undefined : baseOf(requested.publicUrl);
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
      message: `cannot listen on ${host}, port ${port}: ${causeText(cause)}`,
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

/** Removes the trailing slash of an address, because paths are appended. */
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

/** Returns undefined if tokens are not checked. */
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

interface PageGuard {
  /** A further address of the server, such as that of a proxy. */
  readonly publicUrl: string | undefined;
  /** Whether bodies must be JSON. Without tokens any page could write, and pages of other sites cannot send JSON. */
  readonly jsonOnly: boolean;
}

/**
 * Every page in a browser on this machine can reach loopback. Requests that such a page could send are refused: another
 * origin, another name for this address (DNS rebinding), a body in the form of an HTML form.
 */
function withoutForeignPages(guard: PageGuard, handle: Handle): Handle {
  return async (head, readBody) => {
    const failure = refusal(guard, head);
    if (failure !== undefined) throw failure;
    return handle(head, readBody);
  };
}

const jsonType = /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i;

/** The values for requests from a page of this server, or from the address bar. */
const ownSites: ReadonlySet<string> = new Set(['none', 'same-origin']);

function refusal(guard: PageGuard, { host, origin, fetchSite, bodyType }: RequestHead): ApiFailure | undefined {
  const named = readHost(host);
  if (named === undefined || !isOwnName(guard, named.name)) {
    // The message does not repeat the header, which can be anything.
    const problem = host === undefined || host === '' ? 'is missing' : 'names another host';
    const message =
      `the header Host ${problem}: this server answers to localhost, 127.0.0.1 and [::1], and to the address of ` +
      '--public-url';
    return new ApiFailure('foreign_host', message);
  }
  if (origin !== undefined && !isOwnOrigin(guard, origin, named.text)) return foreign('Origin');
  if (fetchSite !== undefined && !ownSites.has(fetchSite)) return foreign('Sec-Fetch-Site');
  if (guard.jsonOnly && bodyType !== undefined && !jsonType.test(bodyType)) {
    const message = 'a server without tokens takes JSON only: send the header "content-type: application/json"';
    return new ApiFailure('not_json', message);
  }
  return undefined;
}

function foreign(header: string): ApiFailure {
  const message =
    `the request comes from a web page of another address (by its header ${header}): open this server's own ` +
    'address, or send the request from a program';
  return new ApiFailure('foreign_origin', message);
}

function isOwnName({ publicUrl }: PageGuard, name: string): boolean {
  return isLoopback(name) || (publicUrl !== undefined && readHost(new URL(publicUrl).host)?.name === name);
}

/** Whether the page is served by this host. */
function isOwnOrigin({ publicUrl }: PageGuard, origin: string, host: string): boolean {
  return origin === `http://${host}` || (publicUrl !== undefined && origin === new URL(publicUrl).origin);
}
