import { resolve } from 'node:path';
import { isSavedPlanFile } from '../../gantry/savedPlan/file.ts';
import type { CommandContext } from '../../terminal/context.ts';
import { shellWord } from '../../terminal/nextCommand.ts';
import { UsageError } from '../../terminal/usageError.ts';

/**
 * The path that is a saved plan, recognised by its content under any name. Errors: `cli.usage` if there are other
 * paths.
 */
export async function findSavedPlan(
  paths: readonly string[],
  { cwd }: Pick<CommandContext, 'cwd'>,
): Promise<string | undefined> {
  const matches = await Promise.all(paths.map((path) => path !== '-' && isSavedPlanFile(resolve(cwd, path))));
  const file = paths[matches.indexOf(true)];
  if (file === undefined || paths.length === 1) return file;
  throw new UsageError(
    `${file} is a saved plan, which is applied by itself`,
    `Apply it with: gantry apply ${shellWord(file)}`,
  );
}
