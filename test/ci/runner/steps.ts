import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { linkPackages } from '../../cli/projectFolder.ts';
import { compileCache } from '../../compileCache.ts';
import { cliPath } from '../../e2e/harness/platform.ts';
import { headOf } from '../../harness/headOf.ts';

export interface StepOutcome {
  readonly code: number;
  /** Standard output and standard error. */
  readonly log: string;
}

/** A Node script and its first arguments. */
export type Program = readonly [script: string, ...args: readonly string[]];

export const builtGantry: Program = [cliPath];

/** Installs like `npm ci`: afterwards `npx gantry` runs the program, and code can import the packages. */
export function installGantry(workspace: string, program: Program = builtGantry): void {
  linkPackages(workspace);
  const bin = join(workspace, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  const path = join(bin, 'gantry');
  const command = [process.execPath, ...program].map((word) => `"${word}"`).join(' ');
  writeFileSync(path, `#!/bin/sh\nexec ${command} "$@"\n`);
  chmodSync(path, 0o755);
}

/** Runs a line of a job like a runner, without the environment of this process. */
export function runShell(line: string, workspace: string, env: Readonly<Record<string, string>>): Promise<StepOutcome> {
  const environment = { PATH: process.env['PATH'] ?? '', HOME: workspace, NO_COLOR: '1', ...compileCache, ...env };
  return new Promise((resolve) => {
    execFile('sh', ['-e', '-c', line], { cwd: workspace, env: environment }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : 1;
      resolve({ code, log: stdout + stderr });
    });
  });
}

/** Checks out a commit in a new folder that shares its objects with the repository. */
export function checkedOut(
  sha: string,
  { origin, folder }: { readonly origin: string; readonly folder: string },
  name: string,
): string {
  const workspace = mkdtempSync(join(folder, `${name}-`));
  git(origin, 'worktree', 'add', '-q', '--detach', workspace, sha);
  return workspace;
}

/** Commits all changes of a repository; returns the id of the commit. */
export function commitAll(cwd: string, message: string): string {
  git(cwd, 'add', '-A');
  git(cwd, 'commit', '-q', '--allow-empty', '-m', message);
  return headOf(cwd);
}

/** Runs git without settings of this machine or of a surrounding repository (a git hook sets `GIT_DIR`). */
export function git(cwd: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@forge.invalid'];
  return execFileSync('git', [...identity, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}
