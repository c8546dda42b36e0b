import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withClientReference } from '../../scripts/reference/clientReference.ts';

test('docs/client.md ends with the current reference of the commands', async () => {
  const page = readFileSync(new URL('../../docs/client.md', import.meta.url), 'utf8');
  expect(await withClientReference(page), 'npm run reference -- --write').toBe(page);
});
