import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileCache } from '../compileCache.ts';
import { endedBy, type Outcome } from '../outcome.ts';

const root = new URL('../..', import.meta.url).pathname;

export interface RunningCommand {
  readonly child: ChildProcess;
  readonly ended: Promise<Outcome>;
  /** Resolves when standard error holds a text that matches. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
}

/** A folder outside of the repository, with this package installed, and one stack file. */
export interface StackFolder {
  readonly path: string;
  write(file: string, code: string): void;
  start(args: readonly string[], env?: Readonly<Record<string, string>>): RunningCommand;
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Outcome>;
  remove(): void;
}

export function makeStackFolder(): StackFolder {
  const path = mkdtempSync(join(tmpdir(), 'gantry-stack-'));
  mkdirSync(join(path, 'node_modules'));
  symlinkSync(root, join(path, 'node_modules/gantry'));
  symlinkSync(join(root, 'node_modules/constructs'), join(path, 'node_modules/constructs'));
  writeFileSync(join(path, 'package.json'), '{"type": "module"}');
  function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): RunningCommand {
    return command(path, args, env);
  }
  return {
    path,
    write: (file, code) => writeFileSync(join(path, file), code),
    start,
    run: (args, env) => start(args, env).ended,
    remove: () => rmSync(path, { recursive: true, force: true }),
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

/** A stack of one GVC, with some code before and after. */
export function stackOf(before: string, after = ''): string {
  return `import { App, Gvc, Stack } from 'gantry';
${before}
const app = new App();
new Gvc(new Stack(app, 's'), 'one');
export default app;
${after}
`;
}
