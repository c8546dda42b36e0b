import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clientReference } from '../../src/commands/reference.ts';

const mark = 'The rest of this page is generated from the definitions of the commands.\n';
const path = join(import.meta.dirname, '../../docs/client.md');

/** `npx vitest run test/commands/reference.test.ts -u` writes it; the text above the mark is written by hand. */
test('docs/client.md ends with the reference of the commands as they are', async () => {
  const [guide = ''] = readFileSync(path, 'utf8').split(mark);
  await expect(`${guide}${mark}\n${await clientReference()}`).toMatchFileSnapshot(path);
});
