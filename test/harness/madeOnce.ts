import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Makes a file or folder once for all workers of a test run: the first caller makes it at the given place, and the
 * others wait. It is removed after the run (test/run-folder.ts).
 */
export async function madeOnce(name: string, make: (place: string) => unknown): Promise<string> {
  const run = process.env['GANTRY_TEST_RUN'];
  if (run === undefined) throw new Error('test/run-folder.ts is no global setup of this run');
  const place = join(run, name);
  const [claim, draft] = [`${place}.claim`, `${place}.draft`];
  while (!existsSync(place)) {
    if (!isClaimed(claim)) {
      await sleep(20);
      continue;
    }
    try {
      await make(draft);
      renameSync(draft, place);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      rmSync(claim, { recursive: true }); // The next caller tries.
      throw error;
    }
  }
  return place;
}

/** Creates the folder of a claim; false if another worker has it. */
function isClaimed(claim: string): boolean {
  try {
    mkdirSync(claim);
    return true;
  } catch {
    return false;
  }
}
