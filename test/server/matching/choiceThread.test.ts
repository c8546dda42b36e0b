import { expect, test } from 'vitest';
import type { Question } from '../../../src/server/access/expression.ts';
import { ChoiceThread } from '../../../src/server/access/identityChoice.ts';

const identity = {
  kind: 'identity',
  name: 'app',
  tags: { team: 'red', level: 3 },
  aws: { roleName: 'shop' },
  networkResources: [{ name: 'db' }, { name: 'cache' }],
};

const thread = new ChoiceThread();

/** Whether the expression selects the record; false if there is no answer in time. */
async function ask(language: Question['language'], expression: string): Promise<boolean> {
  return (await thread.ask({ language, expression, record: JSON.stringify(identity) })) === true;
}

test.each([
  ["tags.team == 'red'", true],
  ["tags.team == 'blue'", false],
  ["name == 'app' && tags.level > `2`", true],
  ["contains(networkResources[].name, 'db')", true],
  ['aws', true],
  ['gcp', false],
  ['networkResources', true],
  ["networkResources[?name == 'none']", false],
  ["starts_with(name, 'a')", true],
  ['name ==', false],
  ['fly(name)', false],
  ['"\u2028"', false],
] as const)('jmespath %s selects the record: %s (platform/group)', async (expression, chosen) => {
  expect(await ask('jmespath', expression)).toBe(chosen);
});

test.each([
  ["$.tags.team === 'red'", true],
  ["$.tags.team === 'blue'", false],
  ["const { name } = $; name.startsWith('a')", true],
  ["if ($.aws) { $.aws.roleName === 'shop' } else { false }", true],
  ['$.networkResources.some(({ name }) => /^d/.test(name))', true],
  ['$.gcp.x', false],
  ['throw new Error()', false],
  ['$.name ===', false],
  ['', false],
] as const)('javascript %s selects the record: %s (platform/group)', async (expression, chosen) => {
  expect(await ask('javascript', expression)).toBe(chosen);
});

test('a value selects if JavaScript treats it as true', async () => {
  expect(await ask('javascript', '$.name')).toBe(true);
  expect(await ask('javascript', "''")).toBe(false);
  expect(await ask('javascript', '[]')).toBe(true);
});

test.each(['process', 'require', 'fetch', 'Date', 'setTimeout', 'module', 'WebAssembly', 'Math.random'])(
  'an expression cannot use %s',
  async (name) => {
    expect(await ask('javascript', `typeof ${name} === 'undefined'`)).toBe(true);
  },
);

test('an expression leaves no state for the next one', async () => {
  expect(await ask('javascript', 'globalThis.left = 1; Object.prototype.left = 1; true')).toBe(true);
  expect(await ask('javascript', "typeof left === 'undefined' && $.left === undefined")).toBe(true);
});

test.each([
  ['javascript', 'while (true) {}'],
  ['javascript', "/(a+)+$/.test('a'.repeat(60) + 'b')"],
  ['javascript', 'const all = []; for (;;) all.push([...all, 1])'],
  ['javascript', 'function deeper() { return deeper() + 1 } deeper()'],
  ['javascript', "'x'.repeat(2 ** 29)"],
  ['jmespath', `[@, @][]${' | [@, @][]'.repeat(200)}`],
  ['jmespath', '('.repeat(20_000)],
] as const)('%s %s takes too much time or memory, and selects nothing', async (language, expression) => {
  expect(await ask(language, expression)).toBe(false);
  expect(await ask('javascript', 'true')).toBe(true);
});

// The loop is in the interpreter itself, where no steps are counted.
test('an endless loop of the interpreter ends its thread without an answer, and a new thread answers the next', async () => {
  const expression = 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)';
  expect(await thread.ask({ language: 'javascript', expression, record: '{}' })).toBeUndefined();
  expect(await ask('javascript', 'true')).toBe(true);
});

test('simultaneous questions get their own answers', async () => {
  const asked = ['true', 'while (true) {}', 'false', "$.name === 'app'"];
  expect(await Promise.all(asked.map((expression) => ask('javascript', expression)))).toEqual([
    true,
    false,
    false,
    true,
  ]);
});
