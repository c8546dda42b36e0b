import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../temporaryFolder.ts';

const opens = `
import { readFileSync } from 'node:fs';
import { openStore } from '${join(import.meta.dirname, '../../../src/reconcile/store/openStore.ts')}';
const store = await openStore({ kind: 'folder', folder: process.argv[1] }, { tell: () => {} });
console.log(/^VmHWM:\\s+(\\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
await store.close();
`;

/** The peak of another process, in MiB. */
async function peakOfMaking(folder: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', opens, folder]);
  return Number(stdout) / 1024;
}

test.runIf(process.platform === 'linux')(
  'a store in a folder takes the memory of its database, without an optimizing compiler',
  async () => {
    // With the compiler the peak is 1,050 to 1,090.
    expect(await peakOfMaking(join(temporaryFolder('reconcile-memory'), 'store'))).toBeLessThan(800);
  },
);
