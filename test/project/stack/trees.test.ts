import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeStackFolder, type StackFolder } from './stackFolder.ts';

let folder: StackFolder;
beforeAll(() => {
  folder = makeStackFolder();
});
afterAll(() => folder.remove());

const use = `import { RootConstruct } from 'constructs';\nimport { App, Gvc, Stack, Testing, Workload } from 'gantry';\n`;
const stackAt = (name: string) => `new Stack(${name}, 's')`;

// biome-ignore format: a row is a case
test.each([
  {
    it: 'exports two apps',
    code: `const [a, b] = [new App(), new App()];
new Gvc(${stackAt('a')}, 'a');
new Gvc(${stackAt('b')}, 'b');
export default [a, b];`,
    line: /:5:1 {2}stack\.second .* in a second app /,
  },
  { it: 'makes two apps', code: `new Gvc(${stackAt('new App()')}, 'a');\nnew Gvc(${stackAt('new App()')}, 'b');`,
    line: /:4:1 {2}stack\.second .* in a second app / },
  {
    it: 'exports one of two apps',
    code: `const app = new App();
new Gvc(${stackAt('app')}, 'a');
new Gvc(${stackAt('new App()')}, 'b');
export default app;`,
    line: /:5:1 {2}stack\.unused .* in an app that the stack file does not export /,
  },
  { it: 'exports manifests beside an app',
    code: `new Gvc(${stackAt('new App()')}, 'b');\nexport default [{ kind: 'gvc', name: 'a' }];`,
    line: /:3:1 {2}stack\.unused / },
  {
    it: 'makes resources in no app',
    code: `const app = new App();
new Gvc(${stackAt('app')}, 'a');
new Gvc(new RootConstruct(), 'b');
export default app;`,
    line: /:5:1 {2}stack\.unused {2}- {2}this resource is in no app {2}Make it in a Stack/,
  },
  {
    it: 'has a validation that fails',
    code: `const gvc = new Gvc(${stackAt('new App()')}, 'aaa');
gvc.node.addValidation({ validate: () => ['no owner'] });`,
    line: /:3:13 {2}stack\.validation {2}- {2}no owner {2}.* {2}at s\/aaa {2}in gvc\/aaa$/,
  },
  {
    it: 'overrides a value with a wrong one',
    code: `const gvc = new Gvc(${stackAt('new App()')}, 'aaa');
gvc.addOverride('spec.env', [{ name: '1', value: 'x' }]);`,
    line: /:4:5 {2}G4 {2}spec\.env\.1\.name /,
  },
  {
    it: 'refers to another GVC where that is forbidden',
    code: `const stack = ${stackAt('new App()')};
const one = new Gvc(stack, 'one');
const web = Workload.fromName(one, 'web', 'web');
new Gvc(stack, 'two', { aliasWorkloadLink: web });`,
    line: /:6:1 {2}stack\.gvc .* the workload "web" of the GVC "one" \(stack\.ts:5\)/,
  },
  {
    it: 'puts a construct into a text',
    code: `const gvc = new Gvc(${stackAt('new App()')}, 'aaa');
console.error(\`\${gvc}\`);`,
    line: /:4:18 {2}stack\.text .* \.link \(\/\/gvc\/aaa\)/,
  },
  {
    it: 'has a validation that throws',
    code: `const gvc = new Gvc(${stackAt('new App()')}, 'a');
gvc.node.addValidation({ validate: () => { throw new Error('no'); } });`,
    line: /:4:\d+ {2}stack\.throws {2}- {2}Error: no /,
  },
])('a stack that $it is refused, with the position', async ({ code, line }) => {
  folder.write('stack.ts', use + code);
  const { code: exit, stdout } = await folder.run(['validate']);
  expect(stdout.trimEnd().split('\n')).toEqual([expect.stringMatching(line)]);
  expect(stdout).toMatch(/^stack\.ts:/);
  expect(exit).toBe(1);
});

test.each([
  {
    it: 'exports a stack, and keeps the rest of its app',
    code: `const app = new App();
const stack = ${stackAt('app')};
new Gvc(stack, 'aaa');
new Gvc(app, 'bbb');
export default stack;`,
    names: ['aaa', 'bbb'],
  },
  {
    it: 'exports the manifests of an app',
    code: `const app = new App();
new Gvc(${stackAt('app')}, 'aaa');
export default app.synth().map(({ value }) => value);`,
    names: ['aaa'],
  },
  {
    it: 'exports the manifests of a part of a tree',
    code: `const stack = Testing.stack();
new Gvc(stack, 'aaa');
export default Testing.synth(stack);`,
    names: ['aaa'],
  },
  { it: 'has an empty app too', code: `new App();\nnew Gvc(${stackAt('new App()')}, 'aaa');`, names: ['aaa'] },
  {
    it: 'makes its app in a function',
    code: `export default async () => {
  const app = new App();
  new Gvc(${stackAt('app')}, 'aaa');
  return app;
};`,
    names: ['aaa'],
  },
])('a stack that $it', async ({ code, names }) => {
  folder.write('stack.ts', use + code);
  const { stdout, stderr } = await folder.run(['synth', '-o', 'json']);
  const manifests: unknown = JSON.parse(stdout === '' ? '[]' : stdout);
  expect(manifests, stderr).toEqual(names.map((name) => expect.objectContaining({ name })));
});
