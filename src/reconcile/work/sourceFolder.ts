import { stat } from 'node:fs/promises';
import { ToolError } from '../../base/toolError.ts';
import type { FetchStack } from '../model.ts';

/** The code of a stack that is a folder of this machine. */
export const sourceFolder: FetchStack = async ({ name, source }) => {
  if (source.kind !== 'folder') throw new Error('only folders are known');
  const found = await stat(source.path).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    throw new ToolError({
      code: 'reconcile.source',
      message: `the folder of ${name} is not there: ${source.path}`,
      hint: 'Check its path in reconcile.yaml.',
    });
  }
  return { folder: source.path, dispose: () => Promise.resolve() };
};
