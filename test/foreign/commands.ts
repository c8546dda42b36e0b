import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { token } from '../e2e/harness/platform.ts';
import { startGantry } from '../e2e/harness/running.ts';
import type { Outcome } from '../outcome.ts';
import type { Change, Seen } from './server/platform.ts';
import type { Served } from './server/serve.ts';

/** A command that sends nothing for this time, in milliseconds, counts as hanging. */
export const silence = 15_000;
/** The request limit of a command, whatever the platform does. */
export const mostRequests = 2_000;

/** The outcome of a command, and the server's view of it. */
export interface Ran extends Outcome {
  readonly line: string;
  readonly writes: readonly Seen[];
  readonly changes: readonly Change[];
  /** The number of requests of any kind. */
  readonly requests: number;
}

/** Command lines in a folder, against the independent platform. */
export class Commands {
  readonly #served: Served;
  readonly #cwd: string;
  readonly #trace: boolean;
  readonly #environment: Readonly<Record<string, string>>;

  constructor(served: Served, cwd: string, trace: boolean) {
    this.#served = served;
    this.#cwd = cwd;
    this.#trace = trace;
    // Knowledge about one platform must not leak to another.
    this.#environment = {
      XDG_CACHE_HOME: join(cwd, 'cache'),
      GANTRY_SECRET_KEY: 'k'.repeat(40),
      EDITOR: "sed -i 's/value: fast/value: slow/'",
    };
  }

  /** Runs in this process. If it does not end, returns the last request. */
  async run(args: readonly string[]): Promise<Ran | { readonly said: string }> {
    const { platform } = this.#served;
    const [requests, changes] = [platform.requests.length, platform.changes.length];
    const inFolder = args.map((arg) => (arg.endsWith('.plan') || arg === '.' ? join(this.#cwd, arg) : arg));
    const command = inProcess(this.#served, inFolder, { cwd: this.#cwd, env: this.#environment });
    const ended = new AbortController();
    const outcome = await Promise.race([command, this.#stuck(requests, ended.signal)]).finally(() => ended.abort());
    if (outcome === undefined) {
      return { said: `gantry ${args.join(' ')}\n${platform.requests.slice(-3).map(written).join('\n')}` };
    }
    const writes = platform.requests
      .slice(requests)
      .filter(({ method, path, writer }) => method !== 'GET' && !path.endsWith('/-query') && writer === token);
    const ran: Ran = {
      ...outcome,
      line: args.join(' '),
      writes,
      requests: platform.requests.length - requests,
      changes: platform.changes.slice(changes).filter(({ writer }) => writer === token),
    };
    if (this.#trace) process.stderr.write(`${excerpt(ran, 6000)}\n${writes.map(written).join('\n')}\n`);
    return ran;
  }

  /** Resolves if a command that began after `before` requests hangs: it sends nothing, or too much. */
  async #stuck(before: number, signal: AbortSignal): Promise<undefined> {
    const { requests } = this.#served.platform;
    for (let seen = -1; seen !== requests.length && requests.length - before < mostRequests; ) {
      seen = requests.length;
      await pause(silence, undefined, { signal });
    }
  }

  /** An apply in another process, which is killed at its write of this number. */
  async killed(write: number): Promise<void> {
    const before = this.#served.platform.requests.length;
    const { child, ended } = startGantry(this.#served.url, ['apply', '.', '--yes'], this.#cwd, this.#environment);
    this.#served.onWrite(write, () => child.kill('SIGKILL'));
    const dead = setTimeout(() => child.kill('SIGKILL'), silence);
    const { signal, stderr } = await ended;
    clearTimeout(dead);
    this.#served.onWrite(0, () => undefined);
    if (!this.#trace) return;
    const sent = this.#served.platform.requests.slice(before);
    process.stderr.write(`killed: ${signal}\n${stderr}${sent.map(written).join('\n')}\n`);
  }
}

export function written({ method, path, body, status }: Seen): string {
  return `${method} ${path} ${JSON.stringify(body ?? null)} → ${status}`;
}

export function excerpt(ran: Ran, length: number): string {
  const said = `${ran.stdout}\n${ran.stderr}`.trim();
  return `gantry ${ran.line} → ${ran.code} (${ran.requests} requests)\n${said.slice(-length)}`;
}
