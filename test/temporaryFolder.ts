import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** A new folder for the tests of a file, or of a group; removed after them. */
export function temporaryFolder(name: string): string {
  const path = mkdtempSync(join(tmpdir(), `gantry-${name}-`));
  // Mutation testing runs the tests of a file one by one, in any order, and these hooks around each.
  beforeAll(() => void mkdirSync(path, { recursive: true }));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
