import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isObject, type JsonObject } from '../../../src/schema/json.ts';

const root = new URL('../../..', import.meta.url).pathname;
export const cliPath = join(root, 'dist/cli.js');
export const token = 'e2e-token';

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

/** A real `gantry serve` process, spoken to with plain HTTP. */
export interface Platform {
  readonly url: string;
  /** Every request that the server has answered so far, in order. */
  readonly requests: readonly LoggedRequest[];
  /** How many requests were answered: asks the server something, and waits until that stands in its log too. */
  seen(): Promise<number>;
  /** Plain HTTP, as another client would: `call('GET', '/org/local/gvc/x')`. */
  call(method: string, path: string, body?: JsonObject): Promise<Reply>;
  stop(): Promise<void>;
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

export async function startPlatform(flags: readonly string[] = []): Promise<Platform> {
  const data = mkdtempSync(join(tmpdir(), 'gantry-e2e-'));
  const child = spawn(
    process.execPath,
    [cliPath, 'serve', '--port', '0', '--data', data, '--token', token, '--ready-after', '20ms', ...flags],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const requests: LoggedRequest[] = [];
  const awaited = new Map<string, () => void>();
  let asked = 0;
  const errors: string[] = [];
  createInterface({ input: child.stderr }).on('line', (text) => {
    errors.push(text);
    if (!text.startsWith('{')) return;
    const line: unknown = JSON.parse(text);
    if (!isRequestLine(line)) return;
    const path = line.path.split('?')[0] ?? '';
    requests.push({ method: line.method, path, status: line.status });
    awaited.get(path)?.();
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`gantry serve ended with ${code}:\n${errors.join('\n')}`)));
  });

  return {
    url,
    requests,
    async seen() {
      asked += 1;
      const path = `/org/local/location/seen-${asked}`;
      const logged = new Promise<void>((resolve) => awaited.set(path, resolve));
      await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      await logged;
      return requests.length;
    },
    async call(method, path, body) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const parsed: unknown = text === '' ? {} : JSON.parse(text);
      return { status: response.status, body: isObject(parsed) ? parsed : {} };
    },
    async stop() {
      child.kill('SIGTERM');
      await ended(child);
      rmSync(data, { recursive: true, force: true });
    },
  };
}
