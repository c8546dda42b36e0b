import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { Commands, excerpt, type Ran } from './commands.ts';
import { manifestsOf, type Project, project, strangers } from './project.ts';
import { type Served, serve } from './server/serve.ts';
import type { SwitchName } from './server/switches.ts';

export interface Folder {
  readonly served: Served;
  readonly cwd: string;
  readonly run: (...args: readonly string[]) => Promise<Ran>;
  readonly declare: (next: Project) => void;
}

/** The folder of a stack, and a platform with records of others, until the test ends. */
export async function folder(switches: readonly SwitchName[], declared = project): Promise<Folder> {
  const served = await serve(switches, 1);
  const cwd = mkdtempSync(join(tmpdir(), 'foreign-'));
  onTestFinished(async () => {
    await served.close();
    rmSync(cwd, { recursive: true, force: true });
  });
  for (const [at, body] of strangers) served.platform.plant(at, body);
  writeFileSync(join(cwd, 'gantry.yaml'), 'stack: shop\nproject: p3f9c07a\n');
  const declare = (next: Project) => writeFileSync(join(cwd, 'stack.yaml'), manifestsOf(next));
  declare(declared);
  const commands = new Commands(served, cwd, false);
  const run = async (...args: readonly string[]): Promise<Ran> => {
    const ran = await commands.run(args);
    if (!('writes' in ran)) throw new Error(ran.said);
    return ran;
  };
  return { served, cwd, run, declare };
}

/** The same, with the stack applied. */
export async function applied(switches: readonly SwitchName[]): Promise<Folder> {
  const made = await folder(switches);
  const first = await made.run('apply', '.', '--yes');
  expect(first.code, excerpt(first, 2000)).toBe(0);
  return made;
}
