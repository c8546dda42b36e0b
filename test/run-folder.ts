import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Vitest's global setup: a folder that all workers of a run share. */
export function setup(): () => void {
  const path = mkdtempSync(join(tmpdir(), 'gantry-run-'));
  process.env['GANTRY_TEST_RUN'] = path;
  return () => rmSync(path, { recursive: true, force: true });
}
