import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadDialect } from '../../../src/project/platform/dialectFile.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

test('a pipe is read once, even for simultaneous and later callers', async () => {
  const pipe = join(temporaryFolder('dialect-pipe'), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const asked = [loadDialect(pipe), loadDialect(pipe)];
  await writeFile(pipe, 'names: {}\n');
  const [one, other] = await Promise.all(asked);
  expect(one).toBeDefined();
  expect(other).toBe(one);
  expect(await loadDialect(pipe)).toBe(one);
});
