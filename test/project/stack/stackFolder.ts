import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkPackages } from '../../cli/projectFolder.ts';
import { compileCache } from '../../compileCache.ts';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { endedBy, type Outcome } from '../../outcome.ts';

const root = new URL('../../..', import.meta.url).pathname;

export interface RunningCommand {
  readonly child: ChildProcess;
  readonly ended: Promise<Outcome>;
  /** Resolves when standard error contains a match. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
}

/** A folder outside the repository, with this package installed, and one stack file. */
export interface StackFolder {
  readonly path: string;
  /** Writes atomically, so that a watcher never sees an empty file. */
  write(file: string, code: string): void;
  /** Starts the built command line as another process. */
  start(args: readonly string[], env?: Readonly<Record<string, string>>): RunningCommand;
  /** Runs the command line in this process; stacks run in their own. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Outcome>;
  remove(): void;
}

export function makeStackFolder(): StackFolder {
  const path = mkdtempSync(join(tmpdir(), 'gantry-stack-'));
  const beside = `${path}-written`;
  mkdirSync(beside);
  linkPackages(path);
  writeFileSync(join(path, 'package.json'), '{"type": "module"}');
  return {
    path,
    write(file, code) {
      writeFileSync(join(beside, 'file'), code);
      // The times of files are a few milliseconds behind those of processes.
      const soon = Date.now() / 1_000 + 1;
      utimesSync(join(beside, 'file'), soon, soon);
      renameSync(join(beside, 'file'), join(path, file));
    },
    start: (args, env = {}) => command(path, args, env),
    run: (args, env = {}) => inProcess(undefined, args, { cwd: path, env }),
    remove() {
      for (const folder of [path, beside]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function command(cwd: string, args: readonly string[], env: Readonly<Record<string, string>>): RunningCommand {
  const child = spawn(process.execPath, [join(root, 'dist/cli.js'), ...args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, NO_COLOR: '1', ...compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const outcome = endedBy(child);
  let stderr = '';
  child.stderr.on('data', (text: string) => {
    stderr += text;
  });
  return {
    child,
    ended: outcome,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        child.stderr.on('data', () => {
          const found = pattern.exec(stderr);
          if (found !== null) resolve(found);
        });
        outcome.then(({ stdout }) => reject(new Error(`nothing matches ${pattern}:\n${stdout}${stderr}`)), reject);
      }),
  };
}

/** A stack of one GVC, with code before and after it. */
export function stackOf(before: string, after = ''): string {
  return `import { App, Gvc, Stack } from 'gantry';
${before}
const app = new App();
new Gvc(new Stack(app, 's'), 'one');
export default app;
${after}
`;
}
