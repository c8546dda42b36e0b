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

/** No answer in time is no. */
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
] as const)('jmespath %s chooses: %s (platform/group)', async (expression, chosen) => {
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
] as const)('javascript %s chooses: %s (platform/group)', async (expression, chosen) => {
  expect(await ask('javascript', expression)).toBe(chosen);
});

test('a value counts by what JavaScript takes for true', async () => {
  expect(await ask('javascript', '$.name')).toBe(true);
  expect(await ask('javascript', "''")).toBe(false);
  expect(await ask('javascript', '[]')).toBe(true);
});

test.each(['process', 'require', 'fetch', 'Date', 'setTimeout', 'module', 'WebAssembly', 'Math.random'])(
  'an expression cannot reach %s',
  async (name) => {
    expect(await ask('javascript', `typeof ${name} === 'undefined'`)).toBe(true);
  },
);

test('one expression leaves nothing behind for the next', async () => {
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
] as const)('%s %s takes too much and chooses nothing', async (language, expression) => {
  expect(await ask(language, expression)).toBe(false);
  expect(await ask('javascript', 'true')).toBe(true);
});

// A loop of the interpreter itself, which no step counts.
test('what the interpreter itself does without end has no answer: its thread is ended, and the next one answers', async () => {
  const expression = 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)';
  expect(await thread.ask({ language: 'javascript', expression, record: '{}' })).toBeUndefined();
  expect(await ask('javascript', 'true')).toBe(true);
});

test('questions at the same time get their own answers', async () => {
  const asked = ['true', 'while (true) {}', 'false', "$.name === 'app'"];
  expect(await Promise.all(asked.map((expression) => ask('javascript', expression)))).toEqual([
    true,
    false,
    false,
    true,
  ]);
});
