import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = new URL('../foreign/server', import.meta.url).pathname;

it('the independent platform of test/foreign imports only its own files and Node', () => {
  const imported = readdirSync(folder).flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return [...text.matchAll(/\b(?:from|import)\s*\(?\s*(['"])(.+?)\1/g)].map(([, , from]) => `${name}: ${from}`);
  });
  expect(imported.length).toBeGreaterThan(10);
  expect(imported.filter((line) => !/: (\.\/\w+\.ts|node:(http|zlib|timers\/promises))$/.test(line))).toEqual([]);
});
