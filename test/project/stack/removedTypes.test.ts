import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { editsOf, withEdits } from '../../../src/project/stack/removedTypes.ts';
import { filesBelow } from '../../harness/filesBelow.ts';
import { makeStackFolder, type StackFolder } from './stackFolder.ts';

/** The module of Node that strips types. */
const remover = 'NativeModule internal/deps/amaro/dist/index';

let folder: StackFolder;
let cache = '';
let types = '';

beforeEach(() => {
  folder = makeStackFolder();
  cache = join(folder.path, 'cache');
  types = join(cache, 'gantry/compiled/types');
  mkdirSync(cache, { mode: 0o700 });
  folder.write('parts.ts', partsOf('one'));
  folder.write(
    'stack.ts',
    `import { App, Gvc, Stack } from 'gantry';
import { named, type Named } from './parts.ts';
const name: Named['name'] = named.name;
const how = process.moduleLoadList.includes('${remover}') ? 'removed' : 'known';
const app = new App();
new Gvc(new Stack(app, 's'), name, { description: \`types are \${how}\` });
export default app;
`,
  );
});
afterEach(() => folder.remove());

function partsOf(name: string): string {
  return `export interface Named {\n  readonly name: string;\n}\nexport const named: Named = { name: '${name}' };\n`;
}

/** The name of the GVC, and whether types were stripped. */
async function synthesized(env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout, stderr, code } = await folder.run(['synth', 'stack.ts'], { XDG_CACHE_HOME: cache, ...env });
  expect(code, stdout + stderr).toBe(0);
  const [, name] = /^name: (.*)$/m.exec(stdout) ?? [];
  const [, how] = /^description: types are (.*)$/m.exec(stdout) ?? [];
  return `${name}, ${how}`;
}

test('the second run knows where the types are, also in an imported file', async () => {
  expect(await synthesized()).toBe('one, removed');
  expect(await synthesized()).toBe('one, known');
});

test('a process that was started early loads the type stripper only while nothing is cached', async () => {
  const run = async () => {
    const { stdout, stderr } = await folder.start(['synth', 'stack.ts'], { XDG_CACHE_HOME: cache }).ended;
    return /types are \w+/.exec(stdout)?.[0] ?? stderr;
  };
  expect(await run()).toBe('types are removed');
  expect(await run()).toBe('types are known');
});

test('an edited file is read again, and so is a restored one', async () => {
  expect(await synthesized()).toBe('one, removed');
  for (const name of ['two', 'one']) {
    folder.write('parts.ts', partsOf(name)); // With the same length and time.
    expect(await synthesized()).toBe(`${name}, removed`);
    expect(await synthesized()).toBe(`${name}, known`);
  }
});

// biome-ignore format: a row is a case
const damages: readonly (readonly [string, (text: string, other: string) => string])[] = [
  ['empty', () => ''],
  ['no object', () => '[]'],
  ['cut off', (text) => text.slice(0, -3)],
  ['without its places', (text) => text.replace(/"edits":\[.*\]/, '"edits":[]')],
  ['with another place', (text) => text.replace(/(\d)(,\d+\]\})$/, (_, digit, rest) => `${9 - digit}${rest}`)],
  ['with an invalid position', (text) => text.replace(/\d+(,\d+\]\})$/, '{}$1')],
  ['with more blanks than the text can have', (text) => text.replace(/\d+\]\}$/, '1e12]}')],
  ['of another file', (_, other) => other],
];

test('a damaged cache entry is rebuilt, whatever the damage', async () => {
  await synthesized();
  const files = filesBelow(types);
  const whole = files.map((file) => readFileSync(file, 'utf8'));
  for (const [it, damage] of damages) {
    const damaged = whole.map((text, index) => damage(text, whole.at(index - 1) ?? ''));
    expect(damaged.filter((text, index) => text === whole[index])).toEqual([]);
    for (const [index, file] of files.entries()) writeFileSync(file, damaged[index] ?? '');
    expect(await synthesized(), it).toBe('one, removed');
    expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(whole);
  }
});

test('without a writable cache, types are stripped each time', async () => {
  await synthesized();
  for (const file of filesBelow(types)) {
    rmSync(file);
    mkdirSync(file);
  }
  expect(await synthesized()).toBe('one, removed');
  rmSync(types, { recursive: true });
  writeFileSync(types, '');
  expect(await synthesized()).toBe('one, removed');
  expect(await synthesized({ NODE_DISABLE_COMPILE_CACHE: '1' })).toBe('one, removed');
});

test('simultaneous runs do not disturb each other', async () => {
  const runs = await Promise.all(Array.from({ length: 6 }, () => synthesized()));
  expect(runs.filter((run) => !run.startsWith('one, '))).toEqual([]);
  expect(await synthesized()).toBe('one, known');
});

test.each([
  ['without a package.json', undefined],
  ['without a type', '{}'],
  ['of CommonJS', '{"type": "commonjs"}'],
])('the cache works in a package %s too', async (_, text) => {
  rmSync(join(folder.path, 'package.json'));
  if (text !== undefined) folder.write('package.json', text);
  expect(await synthesized()).toBe('one, removed');
  expect(await synthesized()).toBe('one, known');
});

test('a file that is CommonJS by its package is not loaded as a module', async () => {
  folder.write(
    'stack.ts',
    `const name: string = typeof require;\nmodule.exports = { kind: 'gvc', name, description: 'types are known' };\n`,
  );
  folder.write('package.json', '{"type": "module"}');
  const { stderr } = await folder.run(['synth', 'stack.ts'], { XDG_CACHE_HOME: cache });
  expect(stderr).toContain('module is not defined');
  folder.write('package.json', '{}');
  expect(await synthesized()).toBe('function, known');
  expect(await synthesized()).toBe('function, known');
});

test('positions and errors are the same from the first run to the next', async () => {
  const parts = `${partsOf('one')}const f = <T>(a: T): \n  T => a;\nexport const bad: string = f<string>('Not A Name');\n`;
  folder.write('parts.ts', parts);
  folder.write(
    'stack.ts',
    `import { App, Gvc, Stack } from 'gantry';\nimport { bad } from './parts.ts';
interface Options<T extends string = string> {\n  name: T; // é – 😀
}
const app: App = new App();\nconst o: Options = { name: bad };
const stack = new Stack(app, 's'); /* é */ new Gvc(stack as Stack, o.name as string);\nexport default app;\n`,
  );
  const run = async () => (await folder.run(['validate', 'stack.ts'], { XDG_CACHE_HOME: cache })).stdout;
  const first = await run();
  expect(first).toContain('stack.ts:8:68'); // Of `o.name`.
  expect(await run()).toBe(first);

  folder.write('parts.ts', `${parts}\nenum Size { Small }\n`);
  const refused = await run();
  expect(refused).toMatch(/parts\.ts:9\b.*enum/);
  expect(await run()).toBe(refused);
});

test('code that Node transforms because of its options is transformed', async () => {
  await synthesized();
  folder.write('parts.ts', `${partsOf('one')}enum Size { Small }\nnamed.name = Size[0].toLowerCase();\n`);
  expect(await synthesized({ NODE_OPTIONS: '--experimental-transform-types --no-warnings' })).toBe('small, removed');
});

test('a loader of the user overrides the cache', async () => {
  expect(await synthesized()).toBe('one, removed');
  folder.write(
    'loader.mjs',
    `import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    return url.endsWith('/parts.ts') ? { ...loaded, source: String(loaded.source).replace("'one'", "'two'") } : loaded;
  },
});
`,
  );
  const env = { NODE_OPTIONS: '--import ./loader.mjs' };
  expect(await synthesized(env)).toBe('two, removed');
  expect(await synthesized()).toBe('one, removed');
});

test('the cache contains no word of a stack', async () => {
  const canary = 'canary7f3a91c2';
  folder.write(
    'parts.ts',
    `${partsOf(canary)}export const f = (a: '${canary}'): /* ${canary} */\n  '${canary}' => a;
type C = '${canary}'; // ${canary}
let b: C\n`,
  );
  await synthesized();
  const kept = filesBelow(cache).map((file) => readFileSync(file, 'utf8'));
  expect(kept.length).toBe(2);
  expect(kept.filter((text) => text.includes(canary))).toEqual([]);
});

test('a thousand files are cached, then the cache is emptied', async () => {
  await synthesized();
  for (let index = 0; index < 998; index += 1) writeFileSync(join(types, String(index)), '');
  folder.write('more.ts', 'export const more: number = 1;\n');
  folder.write('parts.ts', `import './more.ts';\n${partsOf('one')}`);
  expect(await synthesized()).toBe('one, removed');
  expect(readdirSync(types).length).toBeLessThan(5);
});

test('the cached edits of a text give the same result as Node', () => {
  const files = globSync('{constructs,examples,src/project,test/types}/**/*.ts', { exclude: ['**/node_modules'] });
  expect(files.length).toBeGreaterThan(100);
  const odd = [
    'interface A { /** ä – 😀 */ a: "é–😀x"; }\nconst b = (1 as number);\n',
    'const f = async <T>(\na: number\n): \r\n  Promise<T>\n=> 1;\nlet x = 1\n;(y as any).z()\ntype T = 1\n;(1)',
    '',
  ];
  for (const text of [...odd, ...files.map((file) => readFileSync(file, 'utf8'))]) {
    const without = stripTypeScriptTypes(text);
    const edits = editsOf(text, without);
    expect(withEdits(text, edits ?? []), text).toBe(without);
    if (text !== '') expect(edits).toEqual(JSON.parse(JSON.stringify(edits)));
  }
});

test.each([
  ['of another length', 'a: b', 'a  '],
  ['with words that it did not have', 'a: b', 'a; c'],
])('a text %s is not cached', (_, text, without) => {
  expect(editsOf(text, without)).toBeUndefined();
});
