import { join } from 'node:path';
import { writeBelow } from '../../harness/writeBelow.ts';
import type { Outcome } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from './inProcess.ts';
import type { Platform } from './platform.ts';

/** A project folder with one stack, and commands that run in it. */
export interface Project {
  readonly name: string;
  readonly folder: string;
  /** The path of a file in the folder. */
  file(path: string): string;
  /** Replaces the manifests. */
  write(manifests: string): void;
  run(...args: readonly string[]): Promise<Outcome>;
  runWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Outcome>;
}

/** Writes the project of the stack `name` below `root`; `settings` are more lines of its gantry.yaml. */
export function writeProject(root: string, name: string, manifests: string, settings = ''): string {
  const folder = join(root, name);
  writeBelow(folder, 'gantry.yaml', `stack: ${name}\n${settings}`);
  writeBelow(folder, 'all.yaml', manifests);
  return folder;
}

/** Makes projects below `root`, each with a new name that its manifests use; without manifests it has one group. */
export function useProjects(
  platform: Pick<Platform, 'url'>,
  prefix: string,
  { root = temporaryFolder(prefix), settings = '' } = {},
) {
  let made = 0;
  return (manifests = (name: string) => `kind: group\nname: ${name}\n`): Project => {
    made += 1;
    const name = `${prefix}-${made}`;
    const folder = writeProject(root, name, manifests(name), settings);
    const runWith: Project['runWith'] = (env, ...args) => inProcess(platform, args, { cwd: folder, env });
    return {
      ...{ name, folder, runWith, run: (...args) => runWith({}, ...args) },
      file: (path) => join(folder, path),
      write: (text) => void writeBelow(folder, 'all.yaml', text),
    };
  };
}
