import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeStackFolder, type StackFolder } from './stackFolder.ts';

let folder: StackFolder;
beforeAll(() => {
  folder = makeStackFolder();
});
afterAll(() => folder.remove());

const use = `import { RootConstruct } from 'constructs';
import { App, Gvc, Stack, Testing, Workload } from 'gantry';
`;
const stackAt = (name: string) => `new Stack(${name}, 's')`;
const newGvc = (app = 'new App()', name = 'a') => `new Gvc(${stackAt(app)}, '${name}');`;
const aaa = `const gvc = ${newGvc('new App()', 'aaa')}`;

// biome-ignore format: a row is a case
test.each<[string, string, RegExp]>([
  ['exports two apps', `const [a, b] = [new App(), new App()];
${newGvc('a')}
${newGvc('b', 'b')}
export default [a, b];`, /:5:1 {2}stack\.second .* in a second app /],
  ['makes two apps', `${newGvc()}\n${newGvc('new App()', 'b')}`, /:4:1 {2}stack\.second .* in a second app /],
  ['exports one of two apps', `const app = new App();
${newGvc('app')}
${newGvc('new App()', 'b')}
export default app;`, /:5:1 {2}stack\.unused .* in an app that the stack file does not export /],
  ['exports manifests beside an app', `${newGvc('new App()', 'b')}
export default [{ kind: 'gvc', name: 'a' }];`, /:3:1 {2}stack\.unused /],
  ['makes resources in no app', `const app = new App();
${newGvc('app')}
new Gvc(new RootConstruct(), 'b');
export default app;`, /:5:1 {2}stack\.unused {2}- {2}this resource is in no app {2}Make it in a Stack/],
  ['has a validation that fails', `${aaa}
gvc.node.addValidation({ validate: () => ['no owner'] });`,
    /:3:13 {2}stack\.validation {2}- {2}no owner {2}.* {2}at s\/aaa {2}in gvc\/aaa$/],
  ['overrides a value with a wrong one', `${aaa}
gvc.addOverride('spec.env', [{ name: '1', value: 'x' }]);`, /:4:5 {2}G4 {2}spec\.env\.1\.name /],
  ['refers to another GVC where that is forbidden', `const stack = ${stackAt('new App()')};
const one = new Gvc(stack, 'one');
const web = Workload.fromName(one, 'web', 'web');
new Gvc(stack, 'two', { aliasWorkloadLink: web });`,
    /:6:1 {2}stack\.gvc .* the workload "web" of the GVC "one" \(stack\.ts:5\)/],
  ['puts a construct into a text', `${aaa}
console.error(\`\${gvc}\`);`, /:4:18 {2}stack\.text .* \.link \(\/\/gvc\/aaa\)/],
  ['has a validation that throws', `const gvc = ${newGvc()}
gvc.node.addValidation({ validate: () => { throw new Error('no'); } });`, /:4:\d+ {2}stack\.throws {2}- {2}Error: no /],
])('a stack that %s is refused, with the position', async (_, code, line) => {
  folder.write('stack.ts', use + code);
  const { code: exit, stdout } = await folder.run(['validate']);
  expect(stdout.trimEnd().split('\n')).toEqual([expect.stringMatching(line)]);
  expect(stdout).toMatch(/^stack\.ts:/);
  expect(exit).toBe(1);
});

// biome-ignore format: a row is a case
test.each<[string, string, readonly string[]]>([
  ['exports a stack, and keeps the rest of its app', `const app = new App();
const stack = ${stackAt('app')};
new Gvc(stack, 'aaa');
new Gvc(app, 'bbb');
export default stack;`, ['aaa', 'bbb']],
  ['exports the manifests of an app', `const app = new App();
${newGvc('app', 'aaa')}
export default app.synth().map(({ value }) => value);`, ['aaa']],
  ['exports the manifests of a part of a tree', `const stack = Testing.stack();
new Gvc(stack, 'aaa');
export default Testing.synth(stack);`, ['aaa']],
  ['has an empty app too', `new App();\n${newGvc('new App()', 'aaa')}`, ['aaa']],
  ['makes its app in a function', `export default async () => {
  const app = new App();
  ${newGvc('app', 'aaa')}
  return app;
};`, ['aaa']],
])('a stack that %s', async (_, code, names) => {
  folder.write('stack.ts', use + code);
  const { stdout, stderr } = await folder.run(['synth', '-o', 'json']);
  const manifests: unknown = JSON.parse(stdout === '' ? '[]' : stdout);
  expect(manifests, stderr).toEqual(names.map((name) => expect.objectContaining({ name })));
});
