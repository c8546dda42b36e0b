import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isEverySample } from '../../harness/sampled.ts';
import { makeStackFolder } from './stackFolder.ts';

const getter = (name: string) =>
  `const e = new Error('plain');
Object.defineProperty(e, '${name}', { get() { throw new Error('from the getter'); } });
throw e;`;

// biome-ignore format: a row is a case
const everyThrown = [
  { it: 'a getter of message that throws', code: getter('message'), says: 'Error:' },
  { it: 'a getter of stack that throws', code: getter('stack'), says: 'Error: plain' },
  { it: 'a getter of code that throws', code: getter('code'), says: 'Error: plain' },
  { it: 'a getter of name that throws', code: getter('name'), says: 'Error:' },
  { it: 'a getter of hint that throws', code: getter('hint'), says: 'Error: plain' },
  { it: 'a getter of problems that throws', code: getter('problems'), says: 'Error: plain' },
  { it: 'members that are not text',
    code: `throw Object.assign(new Error('plain'), { message: 42, stack: {}, code: [], name: Symbol('x') });`,
    says: 'Error:' },
  { it: 'invalid problems',
    code: `throw Object.assign(new Error('plain'), { code: 'stack.mine', problems: [1, { position: 2 }, { a: 1n }] });`,
    says: 'Error: plain' },
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
  { it: 'an error of another realm', code: `import vm from 'node:vm';\nvm.runInNewContext("throw new Error('far')");`,
    says: 'Error: far' },
  { it: 'text for the terminal', code: `throw new Error('\\u001b[2Jgone');`, says: '[2Jgone' },
  { it: 'a very long message', code: `throw new Error('x'.repeat(10_000_000));`, says: 'Error: xxx' },
  { it: 'a cause that causes itself', code: `const e = new Error('plain'); e.cause = e; throw e;`,
    says: 'Error: plain' },
  { it: 'many errors in one', code: `throw new AggregateError([new Error('a'), new Error('b')], 'all');`, says: 'all' },
];

// biome-ignore format: a row is a case
const values = [
  { it: 'a getter that throws', value: '{ kind: "gvc", name: "one", get spec() { throw new Error("no"); } }' },
  { it: 'a proxy',
    value: '{ kind: "gvc", name: "one", spec: new Proxy({}, { ownKeys() { throw new Error("no"); } }) }' },
  { it: 'a toJSON that throws',
    value: '{ kind: "gvc", name: "one", spec: new (class { toJSON() { throw new Error("no"); } })() }' },
  { it: 'a thenable that throws', value: '{ get then() { throw new Error("no"); } }' },
];

const secret = 'hunter2canary';
const everySource = [
  { it: 'an unterminated text', code: `const password = '${secret};` },
  { it: 'a bare word', code: `const password = x ${secret};` },
  { it: 'two texts', code: `const password = 'x' '${secret}';` },
  { it: 'text in a list', code: `const all = ['a' '${secret}'];` },
  { it: 'text for a type', code: `const all: = '${secret}';` },
  { it: 'a number', code: 'const pin = 12 hunter2canary7;' },
  { it: 'a template', code: `const password = \`${secret}\${;` },
  { it: 'a regular expression', code: `const password = /${secret}(/;` },
  { it: 'invalid JSON', code: `JSON.parse('{"password": ${secret}}');` },
  { it: 'JSON that ends early', code: `JSON.parse('{"password": "${secret}');` },
  { it: 'JSON with more after it', code: `JSON.parse('"x" ${secret}');` },
  { it: 'code that is made', code: `new Function("const x = '${secret}'; y y");` },
  { it: 'an enum', code: `enum Password { it = '${secret}' }` },
  { it: 'a name that is taken', code: `const x = '${secret}'; const x = 2;` },
  { it: 'a decorator', code: `@${secret} class X {}` },
  { it: 'a module of JSON', code: `import secret from './secret.json' with { type: 'json' };\nvoid secret;` },
];

/** A sample: one in `many` of the cases. */
function some<T>(all: readonly T[], many: number): readonly T[] {
  return isEverySample ? all : all.filter((_, index) => index % many === many - 1);
}
const [thrown, sources] = [some(everyThrown, 3), some(everySource, 2)];

const onPurpose = `throw new SyntaxError('line 3: expected a colon');`;

interface Mistake {
  readonly it: string;
  readonly code: string;
  /** The position and the message. */
  readonly says: RegExp;
  /** The file, if it is not the stack file. */
  readonly file?: string;
}

/** Usual mistakes: the position of each, and the hint. */
// biome-ignore format: one case a line
const mistakes: readonly Mistake[] = [
  { it: 'a package that is missing',
    code: `import 'not-installed';`,
    says: /^1:8 .*no package not-installed .*npm install not-installed/,
  },
  { it: 'an alias of tsconfig', code: `import { x } from '@/lib/x';`, says: /^1:19 .*`paths` of tsconfig\.json/ },
  { it: 'a file that is missing',
    code: `import './other';`,
    says: /^1:8 .*no file \.\/other .*relative imports need their extension/,
  },
  { it: 'a file with a slip in its name',
    code: `\nimport './setings.ts';`,
    says: /^2:8 .*Did you mean settings\.ts\?/,
  },
  { it: 'an extension that is missing',
    code: `import { size } from './settings';`,
    says: /^1:22 .*Write '\.\/settings\.ts'/,
  },
  { it: 'the extension of the compiled file',
    code: `import { size } from "./settings.js";`,
    says: /Write '\.\/settings\.ts'/,
  },
  { it: 'a folder', code: `import { size } from './parts/';`, says: /Write '\.\/parts\/index\.ts'/ },
  { it: 'a late import', code: `void 0;\nawait import('./settings');`, says: /^2:14 .*Write '\.\/settings\.ts'/ },
  { it: 'an import in another file',
    code: `import './broken.ts';`,
    says: /^2:22 .*Write '\.\/settings\.ts'/,
    file: 'broken.ts',
  },
  { it: 'JSON without its attribute',
    code: `import secret from './secret.json';`,
    says: /^1:20 .*with \{ type: 'json' \}/,
  },
  { it: 'an entry that a package does not have',
    code: `import 'gantry/rules';`,
    says: /^1:8 .*no entry gantry\/rules .*It has gantry, gantry\/testing/,
  },
  { it: 'a type that is imported as a value',
    code: `import { Size, size } from './settings.ts';`,
    says: /^1:10 .*exports no Size .*import \{ type Size \}/,
  },
  { it: 'require', code: `const fs = require('node:fs');`, says: /^1:12 .*in place of require\(\)/ },
  { it: 'module.exports', code: `\n  module.exports = 1;`, says: /^2:3 .*export default/ },
  { it: '__dirname', code: `const here = __dirname;`, says: /import\.meta\.dirname/ },
  { it: 'an enumeration', code: '\n  enum Size { S }', says: /^2:3 .*enum is not supported.* Write an object in place of the enum/ },
  { it: 'a parameter property', code: 'class A { constructor(readonly x: number) {} }', says: /^1:\d+ .*Declare the field/ },
  { it: 'a namespace', code: 'namespace N { export const x = 1; }', says: /^1:1 .*A module|^1:1 .*module of its own/ },
  { it: 'an import of CommonJS', code: `import fs = require('node:fs');`, says: /^1:1 .*Write `import x from/ },
  { it: 'an old assertion', code: `const x = <string>'a';`, says: /^1:11 .*value as T/ },
  { it: 'a mistake of syntax', code: '\n\nconst = 1;', says: /^3:\d+ .*SyntaxError/ },
  { it: 'a mistake that only JavaScript finds', code: 'const x: number = 1;\n  const x = 2;', says: /^2:9 .*SyntaxError/ },
  { it: 'a mistake of syntax in a module of JavaScript',
    code: `import { x } from './wrong.mjs';\nvoid x;`,
    says: /^2:12 .*SyntaxError/,
    file: 'wrong.mjs',
  },
];

interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly rule: string;
  readonly message: string;
  readonly hint: string;
}

/** One command validates all of these stacks, and returns one problem for each, by its code. */
const said = new Map<string, string>();
const whole = (code: string) => `${code}\nexport default [{ kind: 'gvc', name: 'one' }];\n`;
const folder = makeStackFolder();
afterAll(() => folder.remove());
beforeAll(async () => {
  folder.write('secret.json', `{"password": ${secret}}`);
  folder.write('settings.ts', 'export const size = 1;\nexport type Size = number;\n');
  folder.write('wrong.mjs', 'export const x = 1;\nconst y = {;\n');
  folder.write('broken.ts', `export const x = 1;\nimport { size } from './settings';\n`);
  mkdirSync(join(folder.path, 'parts'));
  folder.write('parts/index.ts', 'export const size = 1;\n');
  const stacks = [
    ...[...thrown, ...sources, ...mistakes].map(({ code }) => [code, whole(code)] as const),
    ...values.map(({ value }) => [value, `export default ${value};\n`] as const),
    [onPurpose, whole(onPurpose)] as const,
  ];
  const files = stacks.map((_, index) => `stack-${index}.ts`);
  for (const [index, [, text]] of stacks.entries()) folder.write(files[index] ?? '', text);
  const { code, stdout, stderr } = await folder.run(['validate', ...files, '-o', 'json']);
  expect(stderr).toBe(`${files.length} problems\n`);
  expect(code).toBe(1);
  const { problems }: { readonly problems: readonly Problem[] } = JSON.parse(stdout);
  for (const [index, [key]] of stacks.entries()) {
    const at = mistakes.find(({ code: each }) => each === key)?.file ?? files[index];
    const own = problems.filter(({ file }) => file === at);
    expect(own, stdout).toHaveLength(1);
    for (const { line, column, rule, message, hint } of own) {
      said.set(key, `${line}:${column} ${rule} ${message} ${hint}`);
    }
  }
});

test('as text it is one line, without control of the cursor', async () => {
  const loud = everyThrown.filter(({ it }) => ['text for the terminal', 'a very long message'].includes(it));
  const files = loud.map((_, index) => `loud-${index}.ts`);
  for (const [index, { code }] of loud.entries()) folder.write(files[index] ?? '', whole(code));
  const { code, stdout, stderr } = await folder.run(['validate', ...files]);
  const lines = stdout.split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^loud-0\.ts:1:\d+ {2}stack\.throws {2}- {2}Error: \\u001b\[2Jgone /),
    expect.stringMatching(/^loud-1\.ts:1:\d+ {2}stack\.throws {2}- {2}Error: xxx/),
    '',
  ]);
  for (const line of lines) expect(line.length).toBeLessThan(1_000);
  expect(stderr).toBe('2 problems\n');
  expect(code).toBe(1);
});

describe('anything that a stack throws is one problem', () => {
  test.each(thrown)('$it', ({ code, says }) => {
    const line = said.get(code) ?? '';
    expect(line).toContain('stack.throws');
    expect(line).toContain(says);
  });

  test.each(values)('a manifest with $it', ({ value }) => {
    expect(said.get(value)).toMatch(/^1:\d+ stack\.throws Error: no/);
  });
});

describe('no message quotes the source of a stack, which may contain a secret', () => {
  test.each(sources)('$it', ({ code }) => {
    expect(said.get(code)).toMatch(/./);
    expect(said.get(code)).not.toContain(secret);
  });

  test('a message that the author wrote is shown', () => {
    expect(said.get(onPurpose)).toContain('SyntaxError: line 3: expected a colon');
  });
});

test.each(mistakes)('$it is reported with its line and a hint', ({ code, says }) => {
  expect(said.get(code)).toMatch(says);
});
