import { cpSync } from 'node:fs';
import { openStore } from '../../src/reconcile/store/openStore.ts';
import { madeOnce } from '../harness/madeOnce.ts';

/** Writes a new store into a folder: a copy, because creating one takes two seconds. */
export async function writeNewStore(folder: string): Promise<void> {
  const made = await madeOnce('store', async (place) => {
    const store = await openStore({ kind: 'folder', folder: place }, { tell: () => {} });
    await store.close();
  });
  cpSync(made, folder, { recursive: true });
}
