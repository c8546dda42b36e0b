/**
 * The start time of the command line, compared with Node alone: alternating, so that other load affects all of them
 * equally. `npm run bench:cli` builds nothing: it runs dist/cli.js.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const main = new URL('../dist/cli.js', import.meta.url).pathname;
const rounds = Number(process.argv[2] ?? 25);
const home = mkdtempSync(join(tmpdir(), 'gantry-cli-bench-'));

const lines: Readonly<Record<string, readonly string[]>> = {
  'node -e 0': ['-e', '0'],
  'gantry --version': [main, '--version'],
  'gantry __complete gvc cr': [main, '__complete', 'gvc', 'cr'],
  'gantry __complete profile get': [main, '__complete', 'profile', 'get', ''],
  'gantry --help': [main, '--help'],
  'gantry gvc --help': [main, 'gvc', '--help'],
};

function timeOf(args: readonly string[]): number {
  const started = performance.now();
  spawnSync(process.execPath, [...args], { cwd: home, env: { PATH: process.env['PATH'], HOME: home } });
  return performance.now() - started;
}

try {
  const times = new Map(Object.keys(lines).map((name) => [name, [] as number[]]));
  for (const args of Object.values(lines)) timeOf(args); // fills the caches of code, commands and names
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, args] of Object.entries(lines)) times.get(name)?.push(timeOf(args));
  }
  const median = (name: string) => times.get(name)?.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  const floor = median('node -e 0');
  for (const name of Object.keys(lines)) {
    const ms = median(name);
    process.stdout.write(`${name.padEnd(34)} ${ms.toFixed(1).padStart(7)} ms  ${(ms / floor).toFixed(2)} times\n`);
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
