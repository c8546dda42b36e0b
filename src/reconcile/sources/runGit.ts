import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endWithProcess } from '../../project/session/endWithProcess.ts';
import type { Environment } from '../../project/session/session.ts';

export interface GitRun {
  /** What was said on standard error, without control characters of a terminal; cut. */
  readonly said: string;
  readonly output: Buffer;
  /** Null: it was ended by a signal. */
  readonly code: number | null;
  /** Why it was ended before its time. */
  readonly stopped?: 'time' | 'output' | 'size' | 'abort';
}

export interface GitOptions {
  readonly environment: Environment;
  readonly mostMs: number;
  readonly mostOutput?: number;
  readonly input?: Buffer;
  readonly signal?: AbortSignal | undefined;
  /** Asked several times a second: true ends it. */
  readonly isTooLarge?: () => Promise<boolean>;
}

const longestSaid = 16_384;
const lookMs = 200;

/** Runs the machine's git, without a shell, in a group of its own: what it starts ends with it. Throws where there is no git. */
export async function runGit(args: readonly string[], options: GitOptions): Promise<GitRun> {
  const { environment, mostMs, mostOutput = 1_000_000, input, signal, isTooLarge } = options;
  signal?.throwIfAborted();
  const child = spawn('git', args, { env: environment, cwd: '/', stdio: 'pipe', detached: true });
  const chunks: Buffer[] = [];
  let length = 0;
  let said = '';
  let stopped: GitRun['stopped'];
  function stop(why: NonNullable<GitRun['stopped']>): void {
    stopped ??= why;
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      child.kill('SIGKILL'); // no group is left, or the system has none
    }
  }
  const onAbort = () => stop('abort');
  const deadline = setTimeout(() => stop('time'), mostMs);
  const look =
    isTooLarge === undefined
      ? undefined
      : setInterval(() => void isTooLarge().then((is) => is && stop('size')), lookMs);
  signal?.addEventListener('abort', onAbort);
  const release = endWithProcess(onAbort);
  child.stdout.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > mostOutput) stop('output');
    else chunks.push(chunk);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < longestSaid) said += text;
  });
  child.stdin.on('error', () => undefined); // it has ended, which is told by its code
  child.stdin.end(input);
  try {
    const [code] = await once(child, 'close');
    return {
      said,
      output: Buffer.concat(chunks),
      code: typeof code === 'number' ? code : null,
      ...(stopped === undefined ? {} : { stopped }),
    };
  } finally {
    clearTimeout(deadline);
    clearInterval(look);
    signal?.removeEventListener('abort', onAbort);
    release();
  }
}
