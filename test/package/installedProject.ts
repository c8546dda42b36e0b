import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const repository = new URL('../..', import.meta.url).pathname;

const run = (command: string, args: readonly string[], cwd: string) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });

let tarball: string | undefined;

/** The tarball that is published: packed once for all test files of a process. */
export function packedTarball(): string {
  if (tarball !== undefined) return tarball;
  const folder = mkdtempSync(join(tmpdir(), 'gantry-packed-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  run(process.execPath, [join(repository, 'scripts/pack.ts'), folder], repository);
  tarball = join(folder, 'gantry-0.1.0.tgz');
  return tarball;
}

/**
 * Installs the packed tarball in a folder, with its dependencies and its peer that is not optional: nothing else is
 * found. Returns where it is.
 */
export function installPackage(project: string): string {
  const installed = join(project, 'node_modules/gantry');
  mkdirSync(installed, { recursive: true });
  run('tar', ['-xzf', packedTarball(), '--strip-components=1', '-C', installed], project);
  for (const name of ['constructs', ...Object.keys(manifestOf(installed).dependencies ?? {})])
    cpSync(join(repository, 'node_modules', name), join(project, 'node_modules', name), { recursive: true });
  writeFileSync(join(project, 'package.json'), '{"type": "module"}');
  return installed;
}

export function manifestOf(installed: string): { readonly dependencies?: object; readonly [key: string]: unknown } {
  return JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
}
