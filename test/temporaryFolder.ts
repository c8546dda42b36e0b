import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A new folder for the tests of a file, or of a group; it is gone after them. */
export function temporaryFolder(name: string): string {
  const path = mkdtempSync(join(tmpdir(), `gantry-${name}-`));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
