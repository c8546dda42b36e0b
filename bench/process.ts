import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Measured {
  readonly wallSeconds: number;
  /** Of the process alone, in MiB; undefined where it cannot be preloaded (Terraform). */
  readonly peakMiB: number | undefined;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const preload = new URL('./measure.mjs', import.meta.url).pathname;

/** Runs a Node program as a process of its own and measures the whole of it. */
export function measureNode(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd: string,
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-rss-'));
  const file = join(folder, 'rss');
  return measure(process.execPath, ['--import', preload, ...args], { ...environment, BENCH_RSS_FILE: file }, cwd)
    .then((measured) => ({ ...measured, peakMiB: Number(readFileSync(file, 'utf8')) / 1024 }))
    .finally(() => rmSync(folder, { recursive: true, force: true }));
}

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
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({
        wallSeconds: (performance.now() - started) / 1000,
        peakMiB: undefined,
        code,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      }),
    );
  });
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
