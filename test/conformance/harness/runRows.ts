import { afterAll, beforeAll, test } from 'vitest';
import { knownFailures } from '../knownFailures.ts';
import type { Row } from './row.ts';
import { openWire, type PlatformOptions, type Wire } from './wire.ts';

/** Makes a test of every check of the rows, which share one platform and use different names in it. */
export function runRows(rows: readonly Row[], options: PlatformOptions = {}): void {
  let opened: Wire | undefined;
  beforeAll(async () => {
    opened = await openWire(options);
  });
  afterAll(() => opened?.close());

  for (const { name, check } of rows.flatMap(({ tests }) => tests)) {
    const run = knownFailures.includes(name) ? test.fails : test;
    run(name, async () => {
      if (opened === undefined) throw new Error('the platform did not start');
      await check(opened);
    });
  }
}
