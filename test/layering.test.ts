import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

/** Who may import whom (ARCHITECTURE.md). Every area may import itself and src/errors/toolError.ts. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  schema: [],
  manifest: ['schema'],
  patch: ['schema'],
  plan: ['schema', 'manifest', 'patch'],
  apply: ['schema', 'manifest', 'plan'],
  dialect: ['schema'],
  client: ['schema', 'manifest', 'dialect'],
  rehearsal: ['schema', 'manifest', 'plan', 'apply', 'client', 'server'],
  server: ['schema', 'patch', 'dialect'],
  constructs: ['schema', 'manifest'],
};

/** No I/O, no clock, no randomness, no environment. */
const pure: ReadonlySet<string> = new Set([
  'schema',
  'manifest',
  'patch',
  'plan',
  'constructs',
  'dialect',
  'server/rules',
]);
const impure = [
  /\bDate\.now\(/,
  /\bnew Date\(\)/,
  /\bMath\.random\(/,
  /\bprocess\./,
  /\bperformance\.now\(/,
  /\bfetch\(/,
];
const inputOutput = /^(node:|(undici|pino|pg|pg-boss|prom-client|quickjs-emscripten-core)$)/;

const root = new URL('..', import.meta.url).pathname;

function sources(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

function area(file: string): string {
  const [top, second] = file.split('/');
  return top === 'src' ? (second ?? '') : (top ?? '');
}

function imports(text: string): readonly string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
}

const files = [...sources('src'), ...sources('constructs')];

test.each(files.filter((file) => area(file) in mayImport))('%s stays inside its layer', (file) => {
  const allowed = [area(file), 'errors', ...(mayImport[area(file)] ?? [])];
  const outside = imports(readFileSync(join(root, file), 'utf8'))
    .filter((name) => name.startsWith('.'))
    .map((name) => area(join(dirname(file), name)))
    .filter((target) => !allowed.includes(target));
  expect(outside).toEqual([]);
});

test.each(files.filter((file) => pure.has(area(file)) || file.startsWith('src/server/rules/')))(
  '%s is pure',
  (file) => {
    const text = withoutComments(readFileSync(join(root, file), 'utf8'));
    expect(imports(text).filter((name) => inputOutput.test(name))).toEqual([]);
    expect(impure.filter((pattern) => pattern.test(text)).map(String)).toEqual([]);
  },
);

test('there are no import cycles, type-only ones included', () => {
  const edges = new Map(
    files.map((file) => [
      file,
      imports(readFileSync(join(root, file), 'utf8'))
        .filter((name) => name.startsWith('.'))
        .map((name) => join(dirname(file), name)),
    ]),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  function visit(file: string, trail: readonly string[]): void {
    if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '));
    if (done.has(file) || trail.includes(file)) return;
    for (const target of edges.get(file) ?? []) visit(target, [...trail, file]);
    done.add(file);
  }
  for (const file of files) visit(file, []);
  expect(cycles).toEqual([]);
});

test('files stay small: none in src or constructs has more than 300 lines', () => {
  const long = files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 301);
  expect(long).toEqual([]);
});
