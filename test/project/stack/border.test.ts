import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeStackFolder, type StackFolder, stackOf } from './stackFolder.ts';

let folder: StackFolder;
beforeAll(() => {
  folder = makeStackFolder();
});
afterAll(() => folder.remove());

describe('changes of a stack to its process do not reach Gantry', () => {
  test.each([
    { it: 'goes elsewhere', code: `process.chdir('/');` },
    {
      it: 'changes the environment',
      code: `process.env.GANTRY_ORG = 'other'; process.env.GANTRY_STACK = 'other'; process.env.PATH = '';`,
    },
    {
      it: 'pollutes prototypes',
      code: `Object.assign(Object.prototype, { severity: 'error', message: 'polluted', spec: { x: 1 }, kind: 'secret' });`,
    },
  ])('a stack that $it after it has declared everything', async ({ it, code }) => {
    const data = `data-${it.replaceAll(' ', '-')}`;
    folder.write('stack.ts', stackOf('', `export const made = app.synth();\n${code}`));
    const {
      code: exit,
      stdout,
      stderr,
    } = await folder.run([...['plan', '--embedded', '--data', data, '--stack', 's', '-o', 'json']]);
    const changes = [{ id: 'gvc/one', action: 'create' }];
    expect(JSON.parse(stdout), stderr).toMatchObject({ stack: 's', org: 'local', changes });
    expect(exit).toBe(0);
  });

  test.each([
    { it: 'JSON.parse and JSON.stringify', code: `JSON.parse = () => ({}); JSON.stringify = () => 'x';` },
    { it: 'what lists keys', code: `Object.keys = () => [];` },
    { it: 'how errors are shown', code: `Error.prepareStackTrace = () => { throw new Error('no trace'); };` },
    { it: 'lists', code: `Array.prototype.map = () => { throw new Error('no map'); };` },
    { it: 'promises', code: `Promise.prototype.then = () => { throw new Error('no then'); };` },
  ])('a stack that breaks $it for itself causes at most one problem', async ({ code }) => {
    folder.write('stack.ts', stackOf(code));
    const { code: exit, stdout, stderr } = await folder.run(['validate', 'stack.ts']);
    expect(stdout + stderr).not.toMatch(/\n {4}at |mistake in Gantry/);
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
    expect(exit).toBeLessThanOrEqual(1);
  });
});

describe('a value that is not data is refused at its position', () => {
  test.each([
    { it: 'a function', value: '() => 1', says: 'a function is not data' },
    { it: 'a class', value: 'Date', says: 'a function is not data' },
    { it: 'a symbol', value: `Symbol('x')`, says: 'a symbol is not data' },
    { it: 'a bigint', value: '10n', says: 'a bigint is not data' },
    { it: 'a promise', value: '(async () => 1)()', says: 'a Promise is not data  Write `await`' },
    { it: 'a map', value: `new Map([['a', 'b']])`, says: 'a Map is not data' },
    { it: 'an error', value: `new Error('x')`, says: 'an Error is not data' },
    { it: 'no number', value: 'Number.NaN', says: 'NaN is not a JSON number' },
    { it: 'no end', value: '-Infinity', says: '-Infinity is not a JSON number' },
    { it: 'half a character', value: `'\\ud800'`, says: 'half of a surrogate pair' },
  ])('$it', async ({ value, says }) => {
    folder.write(
      'odd.ts',
      `import { App, Gvc, Stack } from 'gantry';
const odd: any = ${value};
new Gvc(new Stack(new App(), 's'), 'one', { description: odd, tags: { a: odd } });\n`,
    );
    const { code, stdout } = await folder.run(['validate', 'odd.ts']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toEqual(
      [
        { path: 'description', column: 58 },
        { path: 'tags.a', column: 74 },
      ].map(({ path, column }) =>
        expect.stringMatching(
          new RegExp(`^odd\\.ts:3:${column}  manifest\\.not-json  ${path.replace('.', '\\.')}  .*${says}`),
        ),
      ),
    );
    expect(code).toBe(1);
  });

  test('even as all props, or as the variables of a container', async () => {
    folder.write(
      'odd.ts',
      `import { App, Gvc, Stack, Workload } from 'gantry';
const stack = new Stack(new App(), 's');
const load = async (): Promise<any> => ({});
new Gvc(stack, 'two', load() as any);
const env: any = new Map([['A', 'b']]);
new Workload(new Gvc(stack, 'one'), 'web', { type: 'standard', containers: [{ name: 'main', image: 'a:1', env }] });\n`,
    );
    const { code, stdout } = await folder.run(['validate', 'odd.ts']);
    expect(stdout).toMatch(/^odd\.ts:4:1 {2}stack\.props .*a Promise is given for the props {2}Write `await`/m);
    expect(stdout).toMatch(/^odd\.ts:6:\d+ {2}manifest\.not-json {2}spec\.containers\.main\.env {2}a Map is not data/m);
    expect(code).toBe(1);
  });

  test.each(['kind', 'name', 'gvc', 'tags', 'lifecycle', 'spec', 'items', 'links'])(
    'at "%s" too, without a stack trace',
    async (key) => {
      // biome-ignore format: a row is a case
      const values = [
        '() => 1',
        `Symbol('x')`,
        '10n', 'NaN', 'undefined', 'null', '[]', '{}', '[Symbol.iterator]', '{ a: 1n }',
      ];
      const manifests = values.map((value) => `{ kind: 'workload', name: 'one', gvc: 'g', ${key}: ${value} }`);
      folder.write('odd.ts', `export default [${manifests.join(',\n')}];\n`);
      const { code, stdout, stderr } = await folder.run(['validate', 'odd.ts']);
      expect(stdout + stderr).not.toMatch(/\n {4}at |internal/);
      expect(stderr).toMatch(/^\d+ problems\n$/);
      expect(code).toBe(1);
    },
  );
});
