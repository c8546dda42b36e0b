import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeOnce } from '../harness/madeOnce.ts';

const repository = new URL('../..', import.meta.url).pathname;

const run = (command: string, args: readonly string[], cwd: string) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });

/** The output of `npm run pack`, and the folder with its tarball: two missing folders, one inside the other. */
export async function packed(): Promise<{ readonly said: string; readonly folder: string }> {
  const place = await madeOnce('packed', (draft) => {
    const args = [join(repository, 'scripts/pack.ts'), join(draft, 'folder')];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: repository, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    writeFileSync(join(draft, 'said'), stderr);
  });
  return { said: readFileSync(join(place, 'said'), 'utf8'), folder: join(place, 'folder') };
}

/** The published tarball. */
export async function packedTarball(): Promise<string> {
  return join((await packed()).folder, 'gantry-0.1.0.tgz');
}

/**
 * Installs the packed tarball in a folder, with its dependencies and its required peer, and no other package. Returns
 * its path.
 */
export async function installPackage(project: string): Promise<string> {
  const installed = join(project, 'node_modules/gantry');
  mkdirSync(installed, { recursive: true });
  run('tar', ['-xzf', await packedTarball(), '--strip-components=1', '-C', installed], project);
  for (const name of ['constructs', ...Object.keys(manifestOf(installed).dependencies ?? {})])
    cpSync(join(repository, 'node_modules', name), join(project, 'node_modules', name), { recursive: true });
  writeFileSync(join(project, 'package.json'), '{"type": "module"}');
  return installed;
}

export function manifestOf(installed: string): { readonly dependencies?: object; readonly [key: string]: unknown } {
  return JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
}
