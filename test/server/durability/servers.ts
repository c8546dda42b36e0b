import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject, type JsonObject, stringAt } from '../../../src/base/json/json.ts';
import type { ServerOptions } from '../../../src/server/options.ts';

const program = new URL('./serverProcess.ts', import.meta.url).pathname;

/** The cache of compiled sources, which the processes share: compiling takes most of the time of a start. */
export const compiledSources = {
  NODE_COMPILE_CACHE: join(tmpdir(), `gantry-test-sources-${process.getuid?.() ?? ''}`),
};

export interface ServerProcess {
  /** Rejects if the process ends before it is ready. */
  readonly url: Promise<string>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

interface Shifted extends ServerOptions {
  /** How far the platform's clock is ahead of the machine's. */
  readonly aheadMs?: number;
  /** How far the machine's clock is ahead of the true time. */
  readonly machineAheadMs?: number;
}

export function startProcess(options: Shifted): ServerProcess {
  const child: ChildProcess = fork(program, [JSON.stringify({ token, ...options })], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, ...compiledSources },
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve(isObject(message) ? (stringAt(message, 'url') ?? '') : ''));
    ended.then(() => reject(new Error(`the server ended: ${said}`)));
  });
  url.catch(() => {}); // each caller that awaits it gets the error
  return {
    url,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const token = 'durable';

export interface Said {
  readonly status: number;
  readonly body: JsonObject;
}

/** Sends one request. Paths are below the org unless they begin with `/`. Rejects if no complete answer comes. */
export async function ask(url: string, method: string, path: string, body?: JsonObject): Promise<Said> {
  const response = await fetch(url + (path.startsWith('/') ? path : `/org/local/${path}`), {
    method,
    headers: { authorization: token },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const value: unknown = await response.json();
  return { status: response.status, body: isObject(value) ? value : {} };
}
