import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isObject, type JsonObject, type JsonValue } from '../../../src/base/json/json.ts';
import { type ServeOptions, serverOptions } from '../../../src/cli/commands/serve.ts';
import type { ServerOptions } from '../../../src/server/options.ts';
import { startServer } from '../../../src/server/start.ts';
import { dialect, dialectFile } from './dialect.ts';
import { parsedOptions } from './parsedOptions.ts';
import { type Heard, startWiretap } from './wiretap.ts';

const root = new URL('../../..', import.meta.url).pathname;
export const cliPath = join(root, 'dist/cli.js');
export const token = 'e2e-token';

/**
 * With `GANTRY_TEST_DELAYS=<seed>`, requests and answers take up to 30 ms each: requests that a plan does not order
 * arrive in another order for each seed.
 */
const delaySeed =
  process.env['GANTRY_TEST_DELAYS'] === undefined ? undefined : Number(process.env['GANTRY_TEST_DELAYS']);

export interface LoggedRequest {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  readonly status: number;
}

export interface Reply {
  readonly status: number;
  readonly body: JsonObject;
}

/** A platform that tests call with plain HTTP. */
export interface Platform {
  readonly url: string;
  /** Every request that the server has answered so far, in order. */
  readonly requests: readonly LoggedRequest[];
  /** How many requests were answered: sends a request, and waits until it is in the log too. */
  seen(): Promise<number>;
  /** Plain HTTP, as another client would: `call('GET', '/org/local/gvc/x')`. */
  call(method: string, path: string, body?: JsonObject): Promise<Reply>;
  stop(): Promise<void>;
}

/** `gantry serve` in a process of its own. */
export interface ServedPlatform extends Platform {
  /** The lines that it has written to standard error so far. */
  readonly log: readonly string[];
  /** The folder of its data. */
  readonly data: string;
}

/** The writes after the first `from` requests, such as `PUT /org/local/gvc`. */
export function writesSince({ requests }: Pick<Platform, 'requests'>, from: number): readonly string[] {
  return requests
    .slice(from)
    .filter(({ method, path }) => method !== 'GET' && !path.endsWith('/-query'))
    .map(({ method, path }) => `${method} ${path}`);
}

function isRequestLine(line: unknown): line is JsonObject & { method: string; path: string; status: number } {
  return isObject(line) && typeof line['method'] === 'string' && typeof line['path'] === 'string';
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
}

const flagsOfAll = ['--port', '0', '--ready-after', '20ms', '--token', token];

/**
 * The platform in this process with its data in memory. `flags` are those of `gantry serve`; `beside` has options
 * without a flag.
 */
export async function openPlatform(
  flags: readonly string[] = [],
  beside: Pick<ServerOptions, 'tolerate'> = {},
): Promise<Platform> {
  const log = new RequestLog();
  const options = await parsedOptions<ServeOptions>(['serve', ...flagsOfAll, ...flags]);
  const server = await startServer({
    ...(await serverOptions(options)),
    ...beside,
    ...(dialect === undefined ? {} : { dialect }),
    token,
    requestLog: (entry) => log.add(entry),
  });
  return reached(server.url, log, () => server.close());
}

/** The platform as a process, with its data in a folder and its log on standard error. */
export async function startPlatform(
  flags: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<ServedPlatform> {
  const data = mkdtempSync(join(tmpdir(), 'gantry-e2e-'));
  const ofDialect = dialectFile === undefined ? [] : ['--dialect', dialectFile];
  const child = spawn(process.execPath, [cliPath, 'serve', ...flagsOfAll, '--data', data, ...ofDialect, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  const log = new RequestLog();
  const errors: string[] = [];
  createInterface({ input: child.stderr }).on('line', (text) => {
    errors.push(text);
    if (!text.startsWith('{')) return;
    const line: unknown = JSON.parse(text);
    if (isRequestLine(line)) log.add(line);
  });
  const own = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`gantry serve ended with ${code}:\n${errors.join('\n')}`)));
  });
  const platform = await reached(own, log, async () => {
    child.kill('SIGTERM');
    await ended(child);
    rmSync(data, { recursive: true, force: true });
  });
  return { ...platform, log: errors, data };
}

/** The requests that a platform has answered. */
class RequestLog {
  readonly requests: LoggedRequest[] = [];
  readonly #awaited = new Map<string, () => void>();

  add({ method, path, status }: LoggedRequest): void {
    const [bare = ''] = path.split('?');
    this.requests.push({ method, path: bare, status });
    this.#awaited.get(bare)?.();
  }

  /** Resolves when a request to the path has been answered. */
  answered(path: string): Promise<void> {
    return new Promise((resolve) => this.#awaited.set(path, resolve));
  }
}

/** The platform that listens at `own`, through a wiretap if the tests need one. */
async function reached(own: string, log: RequestLog, close: () => Promise<void>): Promise<Platform> {
  const wiretap = dialect === undefined && delaySeed === undefined ? undefined : await startWiretap(own, delaySeed);
  const url = wiretap?.url ?? own;
  let asked = 0;
  return {
    url,
    requests: log.requests,
    async seen() {
      asked += 1;
      const path = `/org/local/location/seen-${asked}`;
      const logged = log.answered(path);
      await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      await logged;
      return log.requests.length;
    },
    async call(method, path, body) {
      const address = dialect?.address(path, 'toWire') ?? path;
      const sent = body === undefined || dialect === undefined ? body : dialect.request(path, body, 'toWire');
      const response = await fetch(`${url}${address}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      });
      const text = await response.text();
      const parsed: JsonValue = text === '' ? {} : JSON.parse(text);
      const said = dialect?.answer(path, response.status, parsed, 'toNeutral') ?? parsed;
      return { status: response.status, body: isObject(said) ? said : {} };
    },
    async stop() {
      await close();
      const heard = await wiretap?.close();
      if (heard !== undefined && dialect !== undefined) expectNoNeutralWords(heard);
    },
  };
}

function expectNoNeutralWords({ words, messages }: Heard): void {
  if (messages === 0) throw new Error('nothing went over the wire');
  if (words.length === 0) return;
  const some = words.slice(0, 20).join('\n');
  throw new Error(`${words.length} neutral words on the wire of a platform that has its own:\n${some}`);
}
