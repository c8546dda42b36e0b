import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * The size of each area in tokens (words, and marks other than white space), comments included: formatting and long
 * lines do not change it. `npm run budget` writes the file anew; a commit that lets an area grow carries that change,
 * so that a reader of the commit sees the price.
 */
const root = new URL('../..', import.meta.url).pathname;
const file = join(root, 'test/layering/budget.txt');
const parts = ['src', 'constructs', 'browser', 'scripts', 'bench', 'test'];
/** Tables count as the code that they replace. */
const counted: ReadonlySet<string> = new Set(['.ts', '.tsx', '.css', '.yaml', '.txt']);

/** A folder below `src` or `test` is an area of its own; their files, and the other parts, are one area each. */
function areaOf(path: string): string {
  const [part = '', folder = '', more] = path.split('/');
  return (part === 'src' || part === 'test') && more !== undefined ? `${part}/${folder}` : part;
}

/** Recorded output, and what mutation runs and this test write. */
function isGenerated(path: string): boolean {
  return /\/(?:help|survivors|generated)\//.test(path) || join(root, path) === file;
}

function measured(): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const part of parts) {
    for (const name of readdirSync(join(root, part), { recursive: true, encoding: 'utf8' })) {
      const path = join(part, name);
      if (!counted.has(extname(path)) || isGenerated(path)) continue;
      const tokens = readFileSync(join(root, path), 'utf8').match(/\w+|[^\s\w]/g) ?? [];
      sizes.set(areaOf(path), (sizes.get(areaOf(path)) ?? 0) + tokens.length);
    }
  }
  return new Map([...sizes].sort(([one], [other]) => one.localeCompare(other, 'en')));
}

function budget(): ReadonlyMap<string, number> {
  const rows = readFileSync(file, 'utf8').trimEnd().split('\n');
  return new Map(
    rows.map((row) => {
      const [area = '', tokens = ''] = row.split(/\s+/);
      return [area, Number(tokens)];
    }),
  );
}

/** The areas that are larger than their figure, or have none. */
function overspent(sizes: ReadonlyMap<string, number>, figures: ReadonlyMap<string, number>): readonly string[] {
  return [...sizes]
    .filter(([area, tokens]) => tokens > (figures.get(area) ?? 0))
    .map(([area, tokens]) => `${area} has ${tokens} tokens, and its budget is ${figures.get(area) ?? 0}`);
}

const sizes = measured();

if (process.env['GANTRY_BUDGET'] === 'write') {
  writeFileSync(file, [...sizes].map(([area, tokens]) => `${area.padEnd(24)}${String(tokens).padStart(8)}\n`).join(''));
}

test('no area is larger than its budget (npm run budget writes the figures anew)', () => {
  expect(overspent(sizes, budget())).toEqual([]);
});

test('the budget names no area that is gone', () => {
  expect([...budget().keys()].filter((area) => !sizes.has(area))).toEqual([]);
});

test('an area over its figure, and an area without one, are named', () => {
  const figures = new Map([
    ['src/a', 10],
    ['src/b', 10],
  ]);
  const grown = new Map([
    ['src/a', 10],
    ['src/b', 11],
    ['src/c', 1],
  ]);
  expect(overspent(grown, figures)).toEqual([
    'src/b has 11 tokens, and its budget is 10',
    'src/c has 1 tokens, and its budget is 0',
  ]);
});
