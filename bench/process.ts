import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Measured {
  readonly wallSeconds: number;
  /** The memory of this process only, in MiB; undefined if the system does not report it. */
  readonly peakMiB: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

const preload = new URL('./measure.mjs', import.meta.url).pathname;
/** Shared by all programs of one run, so that none compiles what another has cached. */
const compileCache = mkdtempSync(join(tmpdir(), 'gantry-bench-cache-'));
process.on('exit', () => rmSync(compileCache, { recursive: true, force: true }));

/** Runs a Node program in a separate process and measures all of it. */
export async function measureNode(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  cwd: string = tmpdir(),
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-rss-'));
  const file = join(folder, 'rss');
  try {
    const measured = await measure(
      process.execPath,
      ['--import', preload, ...args],
      { NODE_COMPILE_CACHE: compileCache, ...environment, BENCH_RSS_FILE: file },
      cwd,
    );
    return { ...measured, peakMiB: Number(readFileSync(file, 'utf8')) / 1024 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs any program; rejects if it cannot be started or fails. */
export function measure(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd: string,
): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(command, args, {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: cwd, NO_COLOR: '1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let peakMiB: number | undefined;
    const watch = setInterval(() => {
      peakMiB = highWaterMiB(child.pid) ?? peakMiB;
    }, 20);
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('error', (error) => {
      clearInterval(watch);
      reject(error);
    });
    child.on('close', (code) => {
      clearInterval(watch);
      const wallSeconds = (performance.now() - started) / 1000;
      const [out, err] = [Buffer.concat(stdout).toString(), Buffer.concat(stderr).toString()];
      if (code === 0) resolve({ wallSeconds, peakMiB, stdout: out, stderr: err });
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${out}${err}`));
    });
  });
}

/** The peak memory of a process so far; Linux only. */
function highWaterMiB(pid: number | undefined): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The median of several runs of one program. */
export function typical(runs: readonly Measured[]): { readonly wallSeconds: number; readonly peakMiB: number } {
  return {
    wallSeconds: median(runs.map((run) => run.wallSeconds)),
    peakMiB: median(runs.map((run) => run.peakMiB ?? 0)),
  };
}
