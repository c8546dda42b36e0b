import { cpSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../src/reconcile/store/openStore.ts';

/** Writes a new store into a folder. One takes two seconds to make: a run of the tests makes one, and copies it. */
export async function writeNewStore(folder: string): Promise<void> {
  const run = process.env['GANTRY_TEST_RUN'];
  if (run === undefined) throw new Error('test/run-folder.ts is no global setup of this run');
  const made = join(run, 'store');
  if (!existsSync(made)) await makeStore(made);
  cpSync(made, folder, { recursive: true });
}

async function makeStore(place: string): Promise<void> {
  const own = `${place}-${process.pid}`;
  const store = await openStore({ kind: 'folder', folder: own }, { tell: () => {} });
  await store.close();
  try {
    renameSync(own, place);
  } catch (error) {
    if (!existsSync(place)) throw error; // else another worker was faster
  }
}
