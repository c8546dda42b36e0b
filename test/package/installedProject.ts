import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const repository = new URL('../..', import.meta.url).pathname;

/**
 * Installs the packed tarball in a folder, with its dependencies and its peer that is not optional: nothing else is
 * found. Returns where it is.
 */
export function installPackage(project: string): string {
  const installed = join(project, 'node_modules/gantry');
  const run = (command: string, args: readonly string[], cwd: string) =>
    execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  run(process.execPath, [join(repository, 'scripts/pack.ts'), project], repository);
  mkdirSync(installed, { recursive: true });
  run('tar', ['-xzf', join(project, 'gantry-0.1.0.tgz'), '--strip-components=1', '-C', installed], project);
  for (const name of ['constructs', ...Object.keys(manifestOf(installed).dependencies ?? {})])
    cpSync(join(repository, 'node_modules', name), join(project, 'node_modules', name), { recursive: true });
  writeFileSync(join(project, 'package.json'), '{"type": "module"}');
  return installed;
}

export function manifestOf(installed: string): { readonly dependencies?: object; readonly [key: string]: unknown } {
  return JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
}
