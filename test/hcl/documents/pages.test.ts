import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { terraformPages } from '../../../scripts/reference/pages.ts';
import { version } from '../../../src/terminal/version.ts';

const folder = join(import.meta.dirname, '../../../docs/terraform');

test('docs/terraform has a page for everything in the provider, as in the schema', () => {
  const pages = terraformPages(version);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(md|hcl)$/.test(name));
  expect(files.toSorted()).toEqual([...pages.keys()].toSorted());
  const stale = files.filter((file) => readFileSync(join(folder, file), 'utf8') !== pages.get(file));
  expect(stale, 'npm run reference -- --write').toEqual([]);
});
