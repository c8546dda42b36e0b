import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeStackFolder, type StackFolder } from './stackFolder.ts';

let folder: StackFolder;
beforeAll(() => {
  folder = makeStackFolder();
});
afterAll(() => folder.remove());

async function problemOf(file: string, code: string): Promise<string> {
  folder.write(file, `${code}\nexport default [{ kind: 'gvc', name: 'one' }];\n`);
  const { code: exit, stdout, stderr } = await folder.run(['validate', file]);
  const lines = stdout.trimEnd().split('\n');
  expect(lines, stdout).toHaveLength(1);
  expect(stderr).toBe('1 problem\n');
  expect(exit).toBe(1);
  return lines[0] ?? '';
}

const getter = (name: string) =>
  `const e = new Error('plain');
Object.defineProperty(e, '${name}', { get() { throw new Error('from the getter'); } });
throw e;`;

describe('whatever a stack throws is one problem', () => {
  test.each([
    { it: 'a getter of message that throws', code: getter('message'), says: 'Error:' },
    { it: 'a getter of stack that throws', code: getter('stack'), says: 'Error: plain' },
    { it: 'a getter of code that throws', code: getter('code'), says: 'Error: plain' },
    { it: 'a getter of name that throws', code: getter('name'), says: 'Error:' },
    { it: 'a getter of hint that throws', code: getter('hint'), says: 'Error: plain' },
    { it: 'a getter of problems that throws', code: getter('problems'), says: 'Error: plain' },
    {
      it: 'members that are no text',
      code: `throw Object.assign(new Error('plain'), { message: 42, stack: {}, code: [], name: Symbol('x') });`,
      says: 'Error:',
    },
    {
      it: 'problems that are none',
      code: `throw Object.assign(new Error('plain'), { code: 'stack.mine', problems: [1, { position: 2 }, { a: 1n }] });`,
      says: 'Error: plain',
    },
    {
      it: 'a proxy that throws at every turn',
      code: `const no = () => { throw new Error('trap'); };
throw new Proxy(new Error('x'), { get: no, has: no, getPrototypeOf: no, ownKeys: no, getOwnPropertyDescriptor: no });`,
      says: 'Error: trap',
    },
    { it: 'an object without a prototype', code: 'throw Object.create(null);', says: 'a value of type object' },
    { it: 'a function', code: 'throw () => 1;', says: 'a value of type function' },
    { it: 'a symbol', code: `throw Symbol('x');`, says: 'a value of type symbol' },
    { it: 'nothing', code: 'throw undefined;', says: 'a value of type undefined' },
    {
      it: 'an error of another realm',
      code: `import vm from 'node:vm';\nvm.runInNewContext("throw new Error('far')");`,
      says: 'Error: far',
    },
    { it: 'text for the terminal', code: `throw new Error('\\u001b[2Jgone');`, says: 'Error: \\u001b[2Jgone' },
    { it: 'a very long message', code: `throw new Error('x'.repeat(10_000_000));`, says: 'Error: xxx' },
    {
      it: 'a cause that causes itself',
      code: `const e = new Error('plain'); e.cause = e; throw e;`,
      says: 'Error: plain',
    },
    {
      it: 'many errors in one',
      code: `throw new AggregateError([new Error('a'), new Error('b')], 'all');`,
      says: 'all',
    },
  ])('$it', async ({ code, says }) => {
    const line = await problemOf('throws.ts', code);
    expect(line).toContain('stack.throws');
    expect(line).toContain(says);
    expect(line.length).toBeLessThan(1_000);
  });

  test.each([
    { it: 'a getter that throws', value: '{ kind: "gvc", name: "one", get spec() { throw new Error("no"); } }' },
    {
      it: 'a proxy',
      value: '{ kind: "gvc", name: "one", spec: new Proxy({}, { ownKeys() { throw new Error("no"); } }) }',
    },
    {
      it: 'a toJSON that throws',
      value: '{ kind: "gvc", name: "one", spec: new (class { toJSON() { throw new Error("no"); } })() }',
    },
    { it: 'a thenable that throws', value: '{ get then() { throw new Error("no"); } }' },
  ])('a manifest with $it', async ({ value }) => {
    folder.write('value.ts', `export default ${value};\n`);
    const { code, stdout, stderr } = await folder.run(['validate', 'value.ts']);
    expect(stdout).toMatch(/^value\.ts:1:\d+ {2}stack\.throws {2}- {2}Error: no/);
    expect(stderr).toBe('1 problem\n');
    expect(code).toBe(1);
  });
});

describe('no message quotes the source of a stack, which may hold a secret', () => {
  const secret = 'hunter2canary';
  test.each([
    { it: 'an unterminated text', code: `const password = '${secret};` },
    { it: 'a bare word', code: `const password = x ${secret};` },
    { it: 'two texts', code: `const password = 'x' '${secret}';` },
    { it: 'text in a list', code: `const all = ['a' '${secret}'];` },
    { it: 'text for a type', code: `const all: = '${secret}';` },
    { it: 'a number', code: 'const pin = 12 hunter2canary7;' },
    { it: 'a template', code: `const password = \`${secret}\${;` },
    { it: 'a regular expression', code: `const password = /${secret}(/;` },
    { it: 'JSON that is none', code: `JSON.parse('{"password": ${secret}}');` },
    { it: 'JSON that ends early', code: `JSON.parse('{"password": "${secret}');` },
    { it: 'JSON with more after it', code: `JSON.parse('"x" ${secret}');` },
    { it: 'code that is made', code: `new Function("const x = '${secret}'; y y");` },
    { it: 'an enum', code: `enum Password { it = '${secret}' }` },
    { it: 'a name that is taken', code: `const x = '${secret}'; const x = 2;` },
    { it: 'a decorator', code: `@${secret} class X {}` },
  ])('$it', async ({ code }) => {
    expect(await problemOf('source.ts', `\n${code}`)).not.toContain(secret);
  });

  test('a module of JSON', async () => {
    folder.write('secret.json', `{"password": ${secret}}`);
    const code = `import secret from './secret.json' with { type: 'json' };\nvoid secret;`;
    expect(await problemOf('module.ts', code)).not.toContain(secret);
  });

  test('what somebody writes on purpose is shown', async () => {
    const code = `throw new SyntaxError('line 3: expected a colon');`;
    expect(await problemOf('own.ts', code)).toContain('SyntaxError: line 3: expected a colon');
  });
});

test.each([
  { it: 'a package that is missing', code: `import 'not-installed';`, says: /Install the package/ },
  { it: 'a file that is missing', code: `import './other';`, says: /relative imports need their extension/ },
  { it: 'TypeScript that is more than types', code: 'enum Size { S }', says: /only needs its types removed/ },
  { it: 'a mistake of syntax', code: '\n\nconst = 1;', says: /^hints\.ts:3:\d+ .*SyntaxError/ },
])('$it has its line and what to do', async ({ code, says }) => {
  expect(await problemOf('hints.ts', code)).toMatch(says);
});
