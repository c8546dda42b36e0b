import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from './harness/filesBelow.ts';

const root = new URL('..', import.meta.url).pathname;

/** Vitest's global setup: what is generated and what is built is there, and not older than what it is made from. */
export function setup(): void {
  const sources = ['src', 'constructs', 'scripts']
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap(filesBelow);
  // For tests that do not start the command line, while other work is half done in the same tree.
  if (process.env['GANTRY_TEST_NO_BUILD'] === '1') return;
  const built = join(root, 'dist/cli.js');
  if (existsSync(built) && changedAt(built) >= Math.max(...sources.map(changedAt))) return;
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.ts')], { cwd: root, stdio: 'inherit' });
  if (status === 0) return;
  // Vitest would go on to print that there are no test files, with all its patterns, below what the build says.
  process.stderr.write('No test was run: the build failed, as it says above.\n');
  process.exit(1);
}

function changedAt(path: string): number {
  return statSync(path).mtimeMs;
}
