import { ToolError } from '../../base/toolError.ts';
import { parentsInRepository } from '../../project/inputs/readIgnoreFiles.ts';
import type { Session } from '../../project/session/session.ts';
import { readSettingsFile } from '../../project/settings/settingsFile.ts';

/**
 * Refuses an environment that was asked for, where nothing uses it. `GANTRY_ENV` may be there for others: it is refused
 * where the current folder, or one above it in the repository, has environments, whose limits would not hold. Errors:
 * `stack.environment`.
 */
export async function refuseUnusedEnvironment({ options, environment, cwd }: Session): Promise<void> {
  if (options.env !== undefined) throw unusedEnvironment(options.env, '--env');
  const name = environment['GANTRY_ENV'] || undefined;
  if (name === undefined) return;
  const files = await Promise.all([cwd, ...(await parentsInRepository(cwd))].map(readSettingsFile));
  if (files.some(({ environments }) => environments !== undefined && environments.size > 0))
    throw unusedEnvironment(name, 'GANTRY_ENV');
}

function unusedEnvironment(name: string, by: '--env' | 'GANTRY_ENV'): ToolError {
  const source = by === '--env' ? `--env ${name}` : `GANTRY_ENV=${name}`;
  return new ToolError({
    code: 'stack.environment',
    message: `${source} has no effect: neither gantry.yaml nor the stack uses environments`,
    hint:
      'Write `environments` into gantry.yaml, or take the configuration from `new Environments({ … }).current()` in ' +
      `the stack; or leave out ${by}.`,
  });
}
