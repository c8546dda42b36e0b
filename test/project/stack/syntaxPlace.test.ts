import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stackFailure } from '../../../src/project/stack/stackFailure.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

test.each(['plain', 'with a blank'])('a syntax error is shown at its position in a folder %s', (name) => {
  const folder = join(temporaryFolder('syntax-place'), name);
  mkdirSync(folder);
  const path = join(folder, 'stack.cjs');
  writeFileSync(path, '\n\nconst = 1;\n');
  let thrown: unknown;
  try {
    createRequire(path)(path);
  } catch (error) {
    thrown = error;
  }
  expect(stackFailure(thrown, path, folder)).toMatchObject([{ position: { line: 3, column: 7 } }]);
});
