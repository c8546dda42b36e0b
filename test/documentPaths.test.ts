import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('..', import.meta.url).pathname;

/** Documents that name source files, and the folders in which these may be. */
const documents = {
  'ARCHITECTURE.md': ['.', 'src', 'src/server'],
  'CONTRIBUTING.md': ['.', 'src', 'src/cli', 'src/server'],
  'docs/decisions.md': ['.', 'src', 'src/server'],
  'docs/benchmarks.md': ['.', 'src', 'src/server'],
};

test.each(Object.entries(documents))('%s names only files and folders that exist', (document, bases) => {
  const text = readFileSync(`${root}${document}`, 'utf8');
  const named = [...text.matchAll(/`((?:[\w.-]+\/)+(?:[\w.-]+\.(?:ts|md|mjs|json|yaml))?)`/g)].map(
    ([, path = '']) => path,
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((path) => !bases.some((base) => existsSync(`${root}${base}/${path}`)))).toEqual([]);
});
