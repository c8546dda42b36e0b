import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from './harness/filesBelow.ts';

const root = new URL('..', import.meta.url).pathname;

/** Vitest's global setup: makes sure that generated and built files exist, and are newer than their sources. */
export function setup(): void {
  const sources = ['src', 'constructs', 'scripts']
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap(filesBelow);
  // For tests that do not start the command line, during unfinished work in the same tree.
  if (process.env['GANTRY_TEST_NO_BUILD'] === '1') return;
  const built = join(root, 'dist/cli.js');
  if (existsSync(built) && changedAt(built) >= Math.max(...sources.map(changedAt))) return;
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.ts')], { cwd: root, stdio: 'inherit' });
  if (status === 0) return;
  // Otherwise Vitest would print, below the message of the build, that there are no test files, with all its patterns.
  process.stderr.write('No test was run: the build failed, as it says above.\n');
  process.exit(1);
}

function changedAt(path: string): number {
  return statSync(path).mtimeMs;
}
