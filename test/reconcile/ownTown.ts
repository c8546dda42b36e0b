import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openPlatform } from '../e2e/harness/platform.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { openTown } from './town.ts';

/** A folder, a platform and a store in the folder, for the tests of a file; removed after them. */
export async function ownTown(name: string) {
  const folder = temporaryFolder(name);
  const platform = await openPlatform();
  const town = await openTown(platform.url, { kind: 'folder', folder: join(folder, 'store') });
  afterAll(async () => {
    await town[Symbol.asyncDispose]();
    await platform.stop();
  });
  const stateOf = async (stack: string) => (await town.board.read(stack))?.state;
  return { folder, platform, town, stateOf };
}
