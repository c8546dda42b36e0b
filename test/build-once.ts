import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;

/** Vitest's global setup: what is generated and what is built is there, and not older than what it is made from. */
export function setup(): void {
  const sources = ['src', 'constructs', 'scripts'].flatMap(filesBelow);
  // For tests that do not start the command line, while other work is half done in the same tree.
  if (process.env['GANTRY_TEST_NO_BUILD'] === '1') return;
  const built = join(root, 'dist/cli.js');
  if (existsSync(built) && changedAt(built) >= Math.max(...sources.map(changedAt))) return;
  execFileSync(process.execPath, [join(root, 'scripts/build.ts')], { cwd: root, stdio: 'inherit' });
}

function filesBelow(folder: string): readonly string[] {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function changedAt(path: string): number {
  return statSync(path).mtimeMs;
}
