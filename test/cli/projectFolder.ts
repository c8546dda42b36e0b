import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach } from 'vitest';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { writeBelow } from '../harness/writeBelow.ts';
import type { Outcome } from '../outcome.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const repository = new URL('../..', import.meta.url).pathname;

/** A project folder for a test. */
export interface ProjectFolder {
  readonly path: string;
  read(file: string): string;
  write(file: string, content: string | Uint8Array): void;
  /** Every file by its path, except installed packages. */
  files(): Readonly<Record<string, string>>;
  /** Runs the command line in this process. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Outcome>;
}

/** A new project folder for each test of the file. */
export function useProjectFolder(name: string): ProjectFolder {
  const root = temporaryFolder(name);
  let path = '';
  let count = 0;
  beforeEach(() => {
    count += 1;
    path = join(root, `project-${count}`);
    mkdirSync(path);
  });
  return {
    get path() {
      return path;
    },
    read: (file) => readFileSync(join(path, file), 'utf8'),
    write: (file, content) => void writeBelow(path, file, content),
    files() {
      const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      const files = entries.map((entry) => join(entry.parentPath, entry.name));
      return Object.fromEntries(files.map((file) => [file.slice(path.length + 1), readFileSync(file, 'utf8')]));
    },
    run: (args, env = {}) => inProcess(undefined, args, { cwd: path, env }),
  };
}

/** Links this package, `constructs` and the packages of `more` into `node_modules` of a folder. */
export function linkPackages(folder: string, more: Readonly<Record<string, string>> = {}): void {
  const links = { gantry: repository, constructs: join(repository, 'node_modules/constructs'), ...more };
  for (const [at, to] of Object.entries(links)) {
    const link = join(folder, 'node_modules', at);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(to, link);
  }
}
