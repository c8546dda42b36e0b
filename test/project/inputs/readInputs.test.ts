import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderProblem } from '../../../src/manifest/model/locatedProblem.ts';
import { readInputs } from '../../../src/project/inputs/readInputs.ts';
import type { StepEvent } from '../../../src/project/session/event.ts';
import { writeBelow } from '../../harness/writeBelow.ts';
import { quiet } from '../../surroundings.ts';

let folder = '';

const write = (path: string, content: string | Uint8Array) => writeBelow(folder, path, content);

async function* input(...chunks: readonly string[]): AsyncGenerator<string> {
  yield* chunks;
}

const read = (...paths: string[]) => readInputs(paths, { ...quiet, cwd: folder });

async function names(...paths: string[]): Promise<readonly string[]> {
  const { documents, problems } = await read(...paths);
  expect(problems).toEqual([]);
  return documents.map(({ value }) => String(Object(value).name));
}

async function lines(...paths: string[]): Promise<readonly string[]> {
  return (await read(...paths)).problems.map(renderProblem);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-inputs-'));
  write('loose/b.yml', 'kind: gvc\nname: b\n');
  write('loose/a.yaml', 'kind: gvc\nname: a1\n---\nkind: gvc\nname: a2\n');
  write('loose/deep/c.json', '{"kind": "gvc", "name": "c"}');
  write('loose/notes.txt', 'not a manifest');
  write('loose/package.json', '{"name": "other"}');
  write('loose/.hidden/d.yaml', 'kind: gvc\nname: hidden\n');
  write('loose/node_modules/x/e.yaml', 'kind: gvc\nname: installed\n');
  write('kept/node_modules_old/f.yaml', 'kind: gvc\nname: kept\n');
  write('project/gantry.yaml', 'stack: p\n');
  write('project/a.yaml', 'kind: gvc\nname: p1\n');
  write('outer/gantry.yaml', 'stack: outer\n');
  write('outer/a.yaml', 'kind: gvc\nname: outer\n');
  write('outer/inner/gantry.yaml', 'stack: inner\n');
  write('outer/inner/b.yaml', 'kind: gvc\nname: inner\n');
  write('void/notes.txt', 'nothing here');
  write('fresh/gantry.yaml', 'stack: fresh\n');
  write('package.json', '{"type": "module"}');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(new URL('../../..', import.meta.url).pathname, join(folder, 'node_modules/gantry'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('files and folders', () => {
  test('a folder is read with its sub-folders, in order, without files of other tools', async () => {
    expect(await names('loose')).toEqual(['a1', 'a2', 'b', 'c']);
  });

  test('a project inside another one has another owner, and is not read with it', async () => {
    expect(await names('outer')).toEqual(['outer']);
    expect(await names('outer/inner')).toEqual(['inner']);
  });

  test('a pattern, a file and a folder that name the same file read it once', async () => {
    expect(await names('loose/*.yaml', 'loose/a.yaml', 'loose')).toEqual(['a1', 'a2', 'b', 'c']);
    expect(await names('loose/**/*.json')).toEqual(['c']);
  });

  test('a pattern skips the folder node_modules, but no other with the same prefix', async () => {
    expect(await names('{loose,kept}/**/[ef].yaml')).toEqual(['kept']);
  });

  test('without a path, the current folder is read', async () => {
    const inputs = await readInputs([], { ...quiet, cwd: join(folder, 'project') });
    expect(inputs).toMatchObject({ problems: [], scope: 'whole' });
    expect(inputs.documents).toHaveLength(1);
  });

  test('a pointer of Git LFS, named or found, is an error that says how to fetch the file', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 12345\n';
    write('large/a.yaml', pointer);
    write('large/b.yaml', 'kind: gvc\nname: b\n');
    for (const path of ['large', 'large/a.yaml']) {
      const rule = 'input.unreadable';
      expect((await read(path)).problems).toMatchObject([{ rule, hint: 'Fetch the file: git lfs pull.' }]);
    }
  });

  test('a saved plan on standard input is an error that says how to apply it', async () => {
    const stdin = input('{"gantry": "saved-plan", "formatVersion": 1}');
    const { problems, documents } = await readInputs(['-'], { ...quiet, cwd: folder, stdin });
    expect(documents).toEqual([]);
    const hint = expect.stringContaining('gantry apply FILE runs it');
    expect(problems).toMatchObject([{ rule: 'input.saved-plan', hint, position: { file: '(standard input)' } }]);
  });

  test('standard input may arrive in pieces, and contain YAML or JSON', async () => {
    const inputs = await readInputs(['-'], { ...quiet, cwd: folder, stdin: input('kind: g', 'vc\nname: s\n') });
    expect(inputs).toMatchObject({ documents: [{ value: { kind: 'gvc', name: 's' } }], scope: 'partial' });
    const json = await readInputs(['-'], { ...quiet, cwd: folder, stdin: input('[{"kind":"gvc","name":"j"}]') });
    expect(json.documents).toMatchObject([{ value: [{ name: 'j' }] }]);
  });

  test.each([
    { path: 'project', scope: 'whole' },
    { path: 'project/gantry.yaml', scope: 'whole' },
    { path: 'fresh', scope: 'whole' },
    { path: 'loose', scope: 'partial' },
    { path: 'project/a.yaml', scope: 'partial' },
  ])('$path is $scope (a stack)', async ({ path, scope }) => {
    expect(await read(path)).toMatchObject({ scope, problems: [] });
  });

  test('a whole project together with a loose file is partial', async () => {
    expect((await read('project', 'loose/b.yml')).scope).toBe('partial');
  });

  test('positions are relative to the current folder', async () => {
    const { documents } = await read('loose');
    expect(documents[1]?.locate(['name'])).toEqual({ file: 'loose/a.yaml', line: 5, column: 1 });
  });
});

describe('invalid files are problems', () => {
  test.each([
    { it: 'missing', path: 'nowhere.yaml', line: /^nowhere\.yaml:1:1 {2}input\.missing {2}- {2}there is no such file/ },
    { it: 'a pattern without a match', path: 'no/*.yaml', line: /^no\/\*\.yaml:1:1 {2}input\.missing/ },
    { it: 'of another format', path: 'loose/notes.txt', line: /^loose\/notes\.txt:1:1 {2}input\.format/ },
    { it: 'a folder without manifests', path: 'void', line: /^void:1:1 {2}input\.empty/ },
  ])('$it', async ({ path, line }) => {
    expect(await lines(path)).toEqual([expect.stringMatching(line)]);
  });

  test.each([
    { it: 'empty', content: '', line: /1:1 {2}input\.empty/ },
    { it: 'only comments', content: '# later\n---\n', line: /1:1 {2}input\.empty/ },
    {
      it: 'invalid UTF-8',
      content: new Uint8Array([107, 58, 32, 97, 10, 98, 58, 32, 255, 10]),
      line: /2:4 {2}input\.encoding/,
    },
    { it: 'tabs', content: 'spec:\n\tx: 1\n', line: /2:1 {2}manifest\.syntax.*Indent with spaces/ },
    { it: 'duplicate keys', content: 'a: 1\na: 2\n', line: /2:1 {2}manifest\.syntax/ },
  ])('$it', async ({ it, content, line }) => {
    const path = `bad-${it.replaceAll(' ', '-')}.yaml`;
    write(path, content);
    expect(await lines(path)).toEqual([expect.stringMatching(line)]);
  });

  test('a circular link', async () => {
    symlinkSync(join(folder, 'circle.yaml'), join(folder, 'circle.yaml'));
    expect(await lines('circle.yaml')).toEqual([expect.stringMatching(/circle/)]);
  });

  // The file systems of macOS and Windows refuse such a name.
  test.runIf(process.platform === 'linux')('a name that is not UTF-8', async () => {
    mkdirSync(join(folder, 'bytes'));
    writeFileSync(Buffer.concat([Buffer.from(join(folder, 'bytes/a')), Buffer.from([0xff]), Buffer.from('.yaml')]), '');
    expect(await lines('bytes')).toEqual([expect.stringMatching(/input\.unreadable {2}- {2}its name is not UTF-8/)]);
  });

  test('a problem in one file does not hide problems in another', async () => {
    write('two/a.yaml', 'a: [');
    write('two/b.yaml', 'a: 1\na: 2\n');
    expect(await lines('two')).toHaveLength(2);
  });
});

describe('stacks', () => {
  const use = `import { App, Gvc, Stack } from 'gantry';\n`;
  const cases: readonly { readonly it: string; readonly code: string }[] = [
    { it: 'an exported app', code: `const app = new App(); new Gvc(new Stack(app, 's'), 'one'); export default app;` },
    { it: 'an exported stack', code: `const s = new Stack(new App(), 's'); new Gvc(s, 'one'); export default s;` },
    { it: 'an app that is not exported', code: `new Gvc(new Stack(new App(), 's'), 'one');` },
    { it: 'a list of manifests', code: `export default [{ kind: 'gvc', name: 'one', spec: { env: undefined } }];` },
    { it: 'one manifest', code: `export default { kind: 'gvc', name: 'one', spec: {} };` },
    { it: 'a function', code: `export default (): object => ({ kind: 'gvc', name: 'one', spec: {} });` },
    {
      it: 'a function with a promise of an app',
      code: `export default async () => { const app = new App(); new Gvc(new Stack(app, 's'), 'one'); return app; };`,
    },
  ];
  test.each(cases)('$it', async ({ it, code }) => {
    const path = `stacks/${it.replaceAll(' ', '-')}.ts`;
    write(path, use + code);
    const { documents, problems, scope } = await read(path);
    expect(problems).toEqual([]);
    expect(documents.map(({ value }) => value)).toEqual([{ kind: 'gvc', name: 'one', spec: {} }]);
    expect(scope).toBe('whole');
  });

  test('a construct has the position of the line that created it', async () => {
    write('stacks/place.ts', `${use}const stack = new Stack(new App(), 's');\n\n  new Gvc(stack, 'one');\n`);
    const { documents } = await read('stacks/place.ts');
    expect(documents[0]?.locate(['spec'])).toMatchObject({ file: 'stacks/place.ts', line: 4 });
  });

  test('a folder with stack.ts, or whose gantry.yaml names a main file, is only that stack', async () => {
    write('typed/stack.ts', `export default [{ kind: 'gvc', name: 'typed' }];`);
    write('typed/other.yaml', 'kind: gvc\nname: other\n');
    write('named/gantry.yaml', 'stack: n\nmain: src/infra.ts\n');
    write('named/src/infra.ts', `export default [{ kind: 'gvc', name: 'named' }];`);
    expect(await names('typed', 'named')).toEqual(['typed', 'named']);
  });

  test("output of a stack is shown line by line, marked as the stack's", async () => {
    const told: StepEvent[] = [];
    write('stacks/loud.ts', `console.log('noise'); export default [{ kind: 'gvc', name: 'loud' }];`);
    await readInputs(['stacks/loud.ts'], { ...quiet, cwd: folder, tell: (notice) => void told.push(notice) });
    expect(told).toEqual([{ type: 'output', file: 'stacks/loud.ts', line: 'noise' }]);
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'throws', code: `\nthrow new Error('no token\\n    at x (/etc/passwd:1:1)');`,
        line: /^stacks\/bad-throws\.ts:2:\d+ {2}stack\.throws {2}- {2}Error: no token {2}/ },
      { it: 'throws text', code: `throw 'oops';`, line: /:1:1 {2}stack\.throws {2}- {2}the stack threw "oops"/ },
      { it: 'throws nothing', code: `throw undefined;`, line: /:1:1 {2}stack\.throws/ },
      { it: 'rejects', code: `export default async () => {\n  throw new TypeError('late');\n};`,
        line: /ts:2:\d+ {2}stack\.throws {2}- {2}TypeError: late/ },
      { it: 'lacks a module', code: `import x from 'not-installed-anywhere';\nexport default x;`,
        line: /stack\.throws.*not-installed-anywhere/ },
      { it: 'is no TypeScript', code: `export default [;`, line: /stack\.throws/ },
      { it: 'returns nothing', code: `const unused: number = 1;\nvoid unused;`,
        line: /^stacks\/bad-returns-nothing\.ts:1:1 {2}stack\.nothing/ },
      { it: 'exports a number', code: `export default 42;`, line: /stack\.nothing/ },
      { it: 'exports a function of nothing', code: `export default () => {};`, line: /stack\.nothing/ },
      { it: 'exports a construct',
        code: `${use}const s = new Stack(new App(), 's');\nexport default new Gvc(s, 'one');`,
        line: /stack\.nothing {2}- {2}the stack file exports no stack/ },
      { it: 'has a value that contains itself',
        code: `const spec: Record<string, unknown> = {};\nspec.a = spec.b = spec;\nexport default { kind: 'gvc', name: 'one', spec };`,
        line: /the value of "[ab]" contains itself/ },
      { it: 'makes its stack too late',
        code: `${use}const app = new App();\nexport default app;\nsetTimeout(() => new Stack(app, 's'), 60_000);`,
        line: /stack\.nothing {2}- {2}the app of the stack file has no stack {2}Make a Stack in it before/ },
      { it: 'exports null', code: `export default null;`, line: /stack\.nothing/ },
      { it: 'has two constructs of one name',
        code: `${use}const s = new Stack(new App(), 's');\nnew Gvc(s, 'one');\nnew Gvc(s, 'one');`,
        line: /ts:4:\d+ {2}stack\.id/ },
    ],
  )('a stack that $it is one problem line, without a stack trace', async ({ it, code, line }) => {
    const path = `stacks/bad-${it.replaceAll(' ', '-')}.ts`;
    write(path, code);
    expect(await lines(path)).toEqual([expect.stringMatching(line)]);
  });

  test('a missing stack file of a project is a problem', async () => {
    write('gone/gantry.yaml', 'main: nowhere.ts\n');
    expect(await lines('gone')).toEqual([expect.stringMatching(/stack\.throws/)]);
  });
});
