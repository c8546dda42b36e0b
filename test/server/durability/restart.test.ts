import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { names, testPlatform } from '../platform.ts';

test('what was answered is there after a restart on the same file (platform/concepts.record)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-server-'));
  const data = join(folder, 'platform.db');
  const first = await testPlatform({ data });
  const made = await Promise.all(['one', 'two', 'six'].map((name) => first.send('POST', 'gvc', { name })));
  await first.close();
  const second = await testPlatform({ data });
  const found = await second.send('GET', 'gvc');
  await second.close();
  rmSync(folder, { recursive: true });
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(names(found).toSorted()).toEqual(['one', 'six', 'two']);
});
