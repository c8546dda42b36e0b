import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeStackFolder, type StackFolder } from './stackFolder.ts';

let folder: StackFolder;
beforeEach(() => {
  folder = makeStackFolder();
});
afterEach(() => folder.remove());

const component = `import { Construct } from 'constructs';
import { Workload } from 'gantry';
export class Api extends Construct {
  constructor(scope, id) {
    super(scope, id);
    new Workload(this, id, {
      type: 'serverless',
      containers: [{ name: 'main', image: 'shop:1', cpu: '10x', ports: [{ number: 8080 }] }],
    });
  }
}
`;

const stack = `import { App, Gvc, Stack } from 'gantry';
import { Api } from './api.js';
const app = new App();
const gvc = new Gvc(new Stack(app, 'shop'), 'shop');
new Api(gvc, 'one');
for (const id of ['two', 'three']) new Api(gvc, id);
`;

test('a problem has the field in the code, the construct, the resource and the line that used the component', async () => {
  folder.write('api.js', component);
  folder.write('stack.ts', stack);
  const { code, stdout } = await folder.run(['validate', '-o', 'json']);
  expect(code).toBe(1);
  const { problems, error } = JSON.parse(stdout);
  const field = { file: 'api.js', line: 8, column: 58 };
  expect(problems[0]).toMatchObject({
    ...field,
    path: 'spec.containers.main.cpu',
    resource: 'workload/shop/one',
    construct: 'shop/shop/one/one',
    callers: [{ file: 'stack.ts', line: 5, column: 1 }],
  });
  expect(error.causes[0]).toMatchObject({
    place: field,
    construct: 'shop/shop/one/one',
    callers: [{ file: 'stack.ts', line: 5, column: 1 }],
  });
});

test('a repeated mistake of a component is one problem, with its count and the lines that used it', async () => {
  folder.write('api.js', component);
  folder.write('stack.ts', stack);
  const { stdout, stderr } = await folder.run(['validate']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^api\.js:8:58 {2}\S+ {2}spec\.containers\.main\.cpu {2}/);
  expect(lines[0]).toContain('at shop/shop/one/one  from stack.ts:5:1');
  expect(lines[0]).toContain('and 2 more from this line, called from stack.ts:6:');
  expect(stderr).toContain('3 problems');
});

test('a problem of an override has the line of the override', async () => {
  folder.write(
    'stack.ts',
    `import { App, Gvc, Stack } from 'gantry';
const gvc = new Gvc(new Stack(new App(), 'shop'), 'shop', { description: 'x' });
gvc.addOverride('description', 3);
`,
  );
  const { stdout } = await folder.run(['validate']);
  expect(stdout).toMatch(/^stack\.ts:3:5 {2}\S+ {2}description {2}/);
});

test('an error of a component has its line, and the line that used the component', async () => {
  folder.write(
    'twice.ts',
    `import { App, Gvc, Stack, StandardService } from 'gantry';
const gvc = new Gvc(new Stack(new App(), 's'), 'shop');
const service = (id: string, props = {}) => new StandardService(gvc, id, { image: 'r/x:1', ...props });
service('api');
service('api');
`,
  );
  const { stdout } = await folder.run(['validate', 'twice.ts']);
  expect(stdout).toMatch(
    /^twice\.ts:3:45 {2}stack\.id .*"api".*first one is at twice\.ts:3.*unique in their scope.*from twice\.ts:5:1\n$/,
  );

  folder.write(
    'misspelt.ts',
    `import { App, Gvc, Stack, StandardService } from 'gantry';
const gvc = new Gvc(new Stack(new App(), 's'), 'shop');
const service = (id: string, props = {}) => new StandardService(gvc, id, { image: 'r/x:1', ...props });
service('api', { prot: 8080 });
`,
  );
  const misspelt = await folder.run(['validate', 'misspelt.ts']);
  expect(misspelt.stdout).toMatch(
    /^misspelt\.ts:3:45 {2}stack\.props .*no property "prot" {2}Did you mean "port"\? .*from misspelt\.ts:4:1\n$/,
  );
});

test('mistakes of constructs and of fields are reported together, and none causes another', async () => {
  folder.write(
    'stack.ts',
    `import { App, Domain, Environments, Gvc, Secret, Stack, StandardService, StatefulService, Workload } from 'gantry';
const stack = new Stack(new App(), 'shop');
const gvc = new Gvc(stack, 'shop');
const outer = { image: 'shop:1' };
const api = new StandardService(gvc, 'api', { image: 'shop:1', prot: 80 });
const web = new StandardService(stack, 'web', outer);
new StatefulService(gvc, 'queue', { image: 'nats:2' });
const words = new Secret(stack, 'words', { type: 'dictionary', data: { A: 'b' } });
const job = new StandardService(gvc, 'job', { image: 'shop:1', port: 80, env: { WORD: words.key('B') } });
new StandardService(gvc, 'job', outer);
new Domain(stack, 'shop.example.com', { gvcLink: gvc }).route('/', job, { port: 80 });
job.allowFrom(web, api).addOverride('spec..x', 1);
new StandardService(gvc, 'last', { image: 'shop:1', cpu: '10x', env: { URL: job.internalUrl(81), API: web.internalHost } });
new Gvc(gvc, 'inner');
Workload.fromLink(stack, 'other', '//secret/x');
new Environments({ dev: {} }).current('prod');
`,
  );
  const { code, stdout } = await folder.run(['validate']);
  expect(code).toBe(1);
  expect(stdout.split('\n').map((line) => line.split('  ', 2).join(' '))).toEqual([
    'stack.ts:5:13 stack.props',
    'stack.ts:6:13 stack.scope',
    'stack.ts:7:1 stack.props',
    'stack.ts:9:93 stack.secret-key',
    'stack.ts:10:1 stack.id',
    'stack.ts:11:57 stack.route',
    'stack.ts:12:25 stack.override',
    'stack.ts:13:81 stack.port',
    'stack.ts:14:1 stack.scope',
    'stack.ts:15:10 stack.link',
    'stack.ts:16:31 stack.environment',
    '',
  ]);

  folder.write(
    'stack.ts',
    `import { App, Group, Stack } from 'gantry';
const stack = new Stack(new App(), 'shop');
new Group(stack, 'one');
new Group(stack, 'one');
new Group(stack, 'Two');
`,
  );
  expect((await folder.run(['validate'])).stdout).toMatch(
    /^stack\.ts:4:1 {2}stack\.id .*\nstack\.ts:5:18 {2}name\.form .*\n$/,
  );
});

test('a missing output of a stack is reported at the line that reads it', async () => {
  folder.write(
    'stack.ts',
    `import { App, Output, Stack } from 'gantry';
const app = new App();
const network = new Stack(app, 'network');
new Output(network, 'url', 'x');
new Output(new Stack(app, 'shop'), 'copy', network.outputs.ulr);
`,
  );
  const { stdout } = await folder.run(['validate', '-o', 'json']);
  expect(JSON.parse(stdout).problems).toEqual([
    expect.objectContaining({ rule: 'stack.output', file: 'stack.ts', line: 5 }),
  ]);
});
