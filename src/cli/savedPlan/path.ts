import { resolve } from 'node:path';
import { beginningBytes, isSavedPlan } from '../../plan/saved/isSavedPlan.ts';
import { openRegular } from '../files/readBytes.ts';
import type { CommandContext } from '../line/context.ts';
import { UsageError } from '../line/usageError.ts';

/**
 * The one of these paths that is the file of a saved plan: by its content, whatever its name is. Errors: `cli.usage`
 * where it is not alone.
 */
export async function savedPlanAmong(
  paths: readonly string[],
  { cwd }: Pick<CommandContext, 'cwd'>,
): Promise<string | undefined> {
  const are = await Promise.all(paths.map((path) => path !== '-' && isSavedPlanFile(resolve(cwd, path))));
  const file = paths[are.indexOf(true)];
  if (file === undefined || paths.length === 1) return file;
  throw new UsageError(`${file} is a saved plan, which is applied by itself`, `Apply it with: gantry apply ${file}`);
}

/** False for folders, manifests, and what is not there: that is for the inputs to report. */
export async function isSavedPlanFile(path: string): Promise<boolean> {
  const opened = await openRegular(path).catch(() => undefined);
  if (opened === undefined) return false;
  const { file } = opened;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(beginningBytes), 0, beginningBytes, 0);
    return isSavedPlan(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
}
