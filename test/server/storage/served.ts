import { isObject, type JsonObject } from '../../../src/base/json/json.ts';
import { type Running, startCli } from '../../cli/process.ts';

export interface StorageAnswer {
  readonly status: number;
  readonly code: unknown;
  readonly message: string;
  readonly retryAfter: string | null;
  readonly body: JsonObject;
}

export interface Served {
  readonly running: Running;
  send(method: string, path: string, body?: JsonObject): Promise<StorageAnswer>;
  end(): Promise<string>;
}

/** Runs `gantry serve` as a process with its data in this folder. Paths are below the org unless they begin with `/`. */
export async function served(data: string, cwd: string): Promise<Served> {
  const running = startCli(['serve', '--port', '0', '--data', data, '--token', 't'], cwd);
  const url = await running.line(/^http:/);
  return {
    running,
    async send(method, path, body) {
      const response = await fetch(url + (path.startsWith('/') ? path : `/org/local/${path}`), {
        method,
        headers: { authorization: 't' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const value: unknown = await response.json();
      const answer = isObject(value) ? value : {};
      const { code = '', message = '' } = answer;
      const retryAfter = response.headers.get('retry-after');
      return { status: response.status, code, message: String(message), retryAfter, body: answer };
    },
    async end() {
      running.child.kill('SIGTERM');
      return (await running.ended).stderr;
    },
  };
}
