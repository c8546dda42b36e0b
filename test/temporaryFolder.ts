import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll } from 'vitest';

const left = new Set<string>();

/** A new folder for the tests of a file, or for one of them; removed after the file. */
export function temporaryFolder(name: string): string {
  const path = mkdtempSync(join(tmpdir(), `gantry-${name}-`));
  left.add(path);
  // Mutation testing runs the tests of a file one by one, in any order, and these hooks around each.
  beforeAll(() => {
    mkdirSync(path, { recursive: true });
    left.add(path);
  });
  return path;
}

/** Removes a folder that a command left, after the file. */
export function removeAfterFile(folder: string): void {
  left.add(folder);
}

/** The setup of each test file calls it, because a test cannot add a hook that runs after its file. */
export function removeTemporaryFolders(): void {
  for (const path of left) rmSync(path, { recursive: true, force: true });
  left.clear();
}
