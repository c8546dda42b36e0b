import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeStackFolder, type StackFolder } from './stackFolder.ts';

let folder: StackFolder;
beforeAll(() => {
  folder = makeStackFolder();
  folder.write('package.json', '{"name": "mine", "type": "commonjs"}'); // As `npm init -y` writes it.
});
afterAll(() => folder.remove());

const rest = `new Gvc(new Stack(app, 'mine'), name, { locations: ['aws-eu-central-1'] });\nexport default app;\n`;

test.each(['stack.ts', 'stack.js'])('%s with imports runs in a package of type commonjs', async (file) => {
  folder.write('name.js', `export { name } from './other.js';\n`);
  folder.write('other.js', `exports.name = 'my-shop';\n`);
  const names = file === 'stack.ts' ? `const name = 'my-shop';` : `import { name } from './name.js';`;
  folder.write(file, `import { App, Gvc, Stack } from 'gantry';\n${names}\nconst app = new App();\n${rest}`);

  const { code, stdout, stderr } = await folder.run(['synth', file]);

  expect(stderr).toBe('');
  expect(stdout).toContain('name: my-shop');
  expect(code).toBe(0);
});

test('a file with require remains CommonJS', async () => {
  folder.write('manifests.cjs', `module.exports = [{ kind: 'gvc', name: 'from-require' }];\n`);
  folder.write('stack.ts', `const manifests = require('./manifests.cjs');\nmodule.exports = manifests;\n`);

  const { code, stdout } = await folder.run(['synth', 'stack.ts']);

  expect(stdout).toContain('name: from-require');
  expect(code).toBe(0);
});

test.each(['stack.ts', 'stack.cjs'])(
  'the app of %s is found if it requires gantry, even if not exported',
  async (file) => {
    const code = `const { App, Gvc, Stack } = require('gantry');\nnew Gvc(new Stack(new App(), 'mine'), 'from-require');\n`;
    folder.write(file, code);
    const { code: exit, stdout, stderr } = await folder.run(['synth', file]);
    expect(stdout + stderr).toContain('name: from-require');
    expect(exit).toBe(0);
  },
);

test.each(
  // biome-ignore format: a row is a case
  [
    { it: 'an import without its extension', code: `import { b } from './b';`,
      says: /^stack\.ts:1:19 .*Write '\.\/b\.ts'/ },
    { it: 'a require of a file of TypeScript', code: `\nconst { b } = require('./b');`,
      says: /^stack\.ts:2:23 .*Write '\.\/b\.ts'/ },
    { it: 'a package that is missing', code: `const b = require('nope');`, says: /^stack\.ts:1:19 .*npm install nope/ },
  ],
)('$it is reported at its line', async ({ code, says }) => {
  folder.write('b.ts', `export const b = 'shop';\n`);
  folder.write('stack.ts', `${code}\n`);
  const { code: exit, stdout } = await folder.run(['validate', 'stack.ts']);
  expect(stdout).toMatch(says);
  expect(exit).toBe(1);
});
