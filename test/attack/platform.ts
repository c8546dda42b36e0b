import { createInterface } from 'node:readline';
import { demand } from './attack.ts';
import { type Folder, makeFolder, start } from './cli.ts';

const token = 'attack-token';

type Json = Readonly<Record<string, unknown>>;

/** `gantry serve` as another process, and plain HTTP requests to it. */
export interface Platform {
  readonly url: string;
  call(
    method: string,
    path: string,
    body?: unknown,
    as?: string,
  ): Promise<{ readonly status: number; readonly body: Json }>;
  stop(): Promise<void>;
}

export async function startPlatform(...flags: readonly string[]): Promise<Platform> {
  const folder: Folder = makeFolder();
  const args = ['serve', '--port', '0', '--data', ':memory:', '--token', token, '--ready-after', '10ms', ...flags];
  const { child, ended } = start(args, { cwd: folder.path, withinMs: 3_600_000 });
  const url = await new Promise<string>((resolve, reject) => {
    if (child.stdout !== null) createInterface({ input: child.stdout }).once('line', resolve);
    ended.then(({ stderr }) => reject(new Error(`the platform did not start\n${stderr}`)), reject);
  });
  return {
    url,
    async call(method, path, body, as = token) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: as, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : {} };
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      folder.remove();
    },
  };
}

/** The same, but any status except success is a mistake of the attack. */
export async function must(platform: Platform, method: string, path: string, body?: unknown): Promise<Json> {
  const { status, body: answer } = await platform.call(method, path, body);
  demand(status < 300, `${method} ${path}: ${status}`, answer);
  return answer;
}

export function remote(url: string, ...args: readonly string[]): readonly string[] {
  return [...args, '--org', 'local', '--endpoint', url, '--token', token];
}
