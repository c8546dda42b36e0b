import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { expect, test } from 'vitest';
import { wideFunctions } from './parameters.ts';

/**
 * The size of each area in tokens (words, and marks other than white space), with comments, so that formatting and long
 * lines do not change it. `npm run budget` rewrites the file; a commit that lets an area grow contains the new figure,
 * so that its readers see the cost. The second figure counts functions with five or more parameters, and must only
 * decrease.
 */
const root = new URL('../..', import.meta.url).pathname;
const file = join(root, 'test/layering/budget.txt');
const parts = ['src', 'constructs', 'browser', 'scripts', 'bench', 'test'];
/** Tables count like the code that they replace. */
const counted: ReadonlySet<string> = new Set(['.ts', '.tsx', '.css', '.yaml', '.txt']);

/** A folder below `src` or `test` is an area; their own files, and the other parts, are one area each. */
function areaOf(path: string): string {
  const [part = '', folder = '', more] = path.split('/');
  return (part === 'src' || part === 'test') && more !== undefined ? `${part}/${folder}` : part;
}

/** Recorded output, and files that mutation runs and this test write. */
function isGenerated(path: string): boolean {
  return /\/(?:help|survivors|generated)\//.test(path) || join(root, path) === file;
}

interface Figures {
  readonly tokens: number;
  /** Functions with five or more parameters; tests are not counted. */
  readonly wide: number;
}

interface Size extends Figures {
  readonly wideOnes: readonly string[];
}

function measured(): ReadonlyMap<string, Size> {
  const sizes = new Map<string, Size>();
  for (const part of parts) {
    for (const name of readdirSync(join(root, part), { recursive: true, encoding: 'utf8' })) {
      const path = join(part, name);
      if (!counted.has(extname(path)) || isGenerated(path)) continue;
      const text = readFileSync(join(root, path), 'utf8');
      const before = sizes.get(areaOf(path)) ?? { tokens: 0, wideOnes: [] };
      const tokens = before.tokens + (text.match(/\w+|[^\s\w]/g) ?? []).length;
      const isSource = part !== 'test' && /\.tsx?$/.test(path);
      const wideOnes = isSource ? [...before.wideOnes, ...wideFunctions(path, text)] : before.wideOnes;
      sizes.set(areaOf(path), { tokens, wide: wideOnes.length, wideOnes });
    }
  }
  return new Map([...sizes].sort(([one], [other]) => one.localeCompare(other, 'en')));
}

function budget(): ReadonlyMap<string, Figures> {
  const rows = readFileSync(file, 'utf8').trimEnd().split('\n');
  return new Map(
    rows.map((row) => {
      const [area = '', tokens = '', wide = '0'] = row.split(/\s+/);
      return [area, { tokens: Number(tokens), wide: Number(wide) }];
    }),
  );
}

const nothing: Figures = { tokens: 0, wide: 0 };

/** The areas that exceed their figure, or have none. */
function overspent(sizes: ReadonlyMap<string, Size>, figures: ReadonlyMap<string, Figures>): readonly string[] {
  return [...sizes].flatMap(([area, { tokens, wide, wideOnes }]) => {
    const may = figures.get(area) ?? nothing;
    return [
      ...(tokens > may.tokens ? [`${area} has ${tokens} tokens, and its budget is ${may.tokens}`] : []),
      ...(wide > may.wide
        ? [`${area} has ${wide} functions of 5 parameters or more, not ${may.wide}`, ...wideOnes]
        : []),
    ];
  });
}

/** The new figures. The count of functions with many parameters only decreases: a higher one is written by hand. */
function lowered(
  sizes: ReadonlyMap<string, Figures>,
  figures: ReadonlyMap<string, Figures>,
): ReadonlyMap<string, Figures> {
  return new Map(
    [...sizes].map(([area, { tokens, wide }]) => {
      return [area, { tokens, wide: Math.min(wide, (figures.get(area) ?? nothing).wide) }];
    }),
  );
}

function rowsOf(figures: ReadonlyMap<string, Figures>): string {
  return [...figures]
    .map(([area, { tokens, wide }]) => {
      return `${area.padEnd(24)}${String(tokens).padStart(8)}${wide === 0 ? '' : String(wide).padStart(4)}\n`;
    })
    .join('');
}

const sizes = measured();

if (process.env['GANTRY_BUDGET'] === 'write') writeFileSync(file, rowsOf(lowered(sizes, budget())));

test('no area is larger than its budget (npm run budget writes the figures anew)', () => {
  expect(overspent(sizes, budget())).toEqual([]);
});

test('the budget names only existing areas', () => {
  expect([...budget().keys()].filter((area) => !sizes.has(area))).toEqual([]);
});

test('an area over its figures, and an area without figures, are named', () => {
  const size = (tokens: number, wideOnes: readonly string[] = []): Size => {
    return { tokens, wide: wideOnes.length, wideOnes };
  };
  const figures = new Map(['src/a', 'src/b', 'src/c'].map((area) => [area, { tokens: 10, wide: 1 }]));
  const grown = new Map([
    ['src/a', size(10, ['src/a/x.ts:1 one'])],
    ['src/b', size(11)],
    ['src/c', size(1, ['src/c/x.ts:1 one', 'src/c/x.ts:9 two'])],
    ['src/d', size(1)],
  ]);
  expect(overspent(grown, figures)).toEqual([
    'src/b has 11 tokens, and its budget is 10',
    'src/c has 2 functions of 5 parameters or more, not 1',
    'src/c/x.ts:1 one',
    'src/c/x.ts:9 two',
    'src/d has 1 tokens, and its budget is 0',
  ]);
});

test('rewritten figures may allow more tokens, but never more functions with many parameters', () => {
  const figures = new Map([['src/a', { tokens: 10, wide: 2 }]]);
  expect(rowsOf(lowered(new Map([['src/a', { tokens: 11, wide: 3 }]]), figures))).toMatch(/^src\/a +11 +2\n$/);
  expect(rowsOf(lowered(new Map([['src/a', { tokens: 9, wide: 0 }]]), figures))).toMatch(/^src\/a +9\n$/);
});

test('functions, methods, constructors and callbacks with five parameters or more are counted', () => {
  const text = `
    declare function none(a, b, c, d, e): void;
    function four(a, b, c, d) {}
    function one(a, b, c, d, e = 1) {}
    const two = (a, b, c, d, ...e) => 1;
    class Three {
      constructor(a, b, c, d, e) {}
      #four({ a }, b, c, d, e) { text.replace(/x/, (a, b, c, d, e) => a); }
      five(this: Three, b, c, d, e) {}
    }
  `;
  expect(wideFunctions('x.ts', text)).toEqual([
    'x.ts:4 one',
    'x.ts:5 two',
    'x.ts:7 constructor',
    'x.ts:8 #four',
    'x.ts:8 a function without a name',
  ]);
});
