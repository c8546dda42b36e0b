import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, stringAt } from '../../src/base/json/json.ts';
import { inProcess } from '../e2e/harness/inProcess.ts';
import type { Platform } from '../e2e/harness/platform.ts';
import { succeeded } from '../outcome.ts';

/** The tokens of the plan jobs and of the apply job. */
export interface PipelineKeys {
  readonly plan: string;
  readonly apply: string;
}

export interface PipelineStack {
  /** The project folder of the stack. */
  readonly project: string;
  readonly stack: string;
  /** A new folder. */
  readonly folder: string;
  /** Options of `gantry ci policy`. */
  readonly options?: readonly string[];
}

/** Grants as an administrator exactly what `gantry ci policy` prints for the stack, and adds a key to each account. */
export async function pipelineKeys(
  platform: Pick<Platform, 'url'>,
  { project, stack, folder, options = [] }: PipelineStack,
): Promise<PipelineKeys> {
  mkdirSync(folder);
  const run = (args: readonly string[], cwd = folder) => succeeded(inProcess(platform, args, { cwd }));
  const { stdout } = await run(['ci', 'policy', '.', ...options], project);
  writeFileSync(join(folder, 'access.yaml'), stdout);
  await run(['apply', 'access.yaml', '--stack', `access-${stack}`, '--yes']);
  const keyOf = async (role: string) => {
    const account = `pipeline-${stack}-${role}`;
    const added = await run(['serviceaccount', 'add-key', account, '--description', 'ci', '-o', 'json']);
    const key: unknown = JSON.parse(added.stdout);
    return (isObject(key) ? stringAt(key, 'key') : undefined) ?? '';
  };
  return { plan: await keyOf('plan'), apply: await keyOf('apply') };
}
