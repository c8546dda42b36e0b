import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeStackFolder, type StackFolder } from './stackFolder.ts';

let folder: StackFolder;
beforeEach(() => {
  folder = makeStackFolder();
});
afterEach(() => folder.remove());

interface Told {
  readonly code: number | null;
  readonly problems: readonly unknown[];
}

async function validated(...args: readonly string[]): Promise<Told> {
  const { code, stdout } = await folder.run(['validate', ...args, '-o', 'json']);
  const { problems } = JSON.parse(stdout);
  return { code, problems };
}

const cycle = `kind: gvc
name: shop
---
kind: identity
name: one-a
gvc: shop
lifecycle: { dependsOn: [identity/shop/one-b] }
---
kind: identity
name: one-b
gvc: shop
lifecycle: { dependsOn: [identity/shop/one-a] }
`;

test('a cycle of dependsOn is an error, with the position of each link', async () => {
  folder.write('all.yaml', cycle);
  const { code, problems } = await validated('all.yaml');
  expect(code).toBe(1);
  expect(problems).toEqual([
    expect.objectContaining({
      rule: 'plan.cycle',
      severity: 'error',
      file: 'all.yaml',
      line: 7,
      column: 26,
      message:
        'resources wait for each other: identity/shop/one-a waits for identity/shop/one-b: lifecycle.dependsOn names it ' +
        '(all.yaml:7:26); identity/shop/one-b waits for identity/shop/one-a: lifecycle.dependsOn names it (all.yaml:12:26)',
    }),
  ]);
});

const reading = (name: string, other: string) => `kind: workload
name: ${name}
gvc: shop
spec:
  type: standard
  containers:
    - name: main
      image: x:1
      env: [{ name: OTHER, value: '\${live.workload/shop/${other}:status.canonicalEndpoint}' }]
`;

test('a cycle of values can exist, but cannot be created from nothing: a warning', async () => {
  folder.write('all.yaml', `${reading('api', 'web')}---\n${reading('web', 'api')}`);
  expect(await validated('all.yaml')).toMatchObject({
    code: 0,
    problems: [{ rule: 'plan.cycle', severity: 'warning', line: 9, message: /cannot be created from nothing/ }],
  });
});

const container = 'spec: { type: standard, containers: [{ name: main, image: x:1 }] }';
const workload = (more: string) => `kind: workload\nname: web\ngvc: shop\n${more}\n`;

// biome-ignore format: a row is a case
test.each([
  {
    it: 'an undeclared identity in a declared GVC',
    yaml: workload('spec: { type: standard, identityLink: //identity/web, containers: [{ name: main, image: x:1 }] }'),
    problems: [
      { rule: 'reference.undeclared', line: 7, message: 'identity/shop/web is not declared in these manifests',
        severity: 'warning' },
    ],
  },
  { it: 'the same in dependsOn', yaml: workload(`lifecycle: { dependsOn: [volumeset/shop/files] }\n${container}`),
    problems: [{ rule: 'reference.undeclared', line: 7,
    message: 'volumeset/shop/files is not declared in these manifests' }] },
  { it: 'a GVC with a similar name', yaml: workload(container).replace('gvc: shop', 'gvc: shpo'),
    problems: [{ rule: 'reference.undeclared', hint: 'Did you mean gvc/shop?', severity: 'warning' }] },
  {
    it: 'the old name of a renamed resource',
    yaml: workload(
      `lifecycle: { dependsOn: [identity/shop/old-name] }\n${container}\n---\nkind: identity\nname: new-name\ngvc: shop\nlifecycle: { previously: old-name }`,
    ),
    problems: [
      { rule: 'reference.renamed', severity: 'error', line: 7,
        message: 'identity/shop/old-name is the old name of identity/shop/new-name' },
    ],
  },
  {
    it: 'no problem if it may exist on the platform: a GVC, a secret, a name with another number',
    yaml: workload(
      `${container}\n---\nkind: secret\nname: db-1\ntype: opaque\ndata: { payload: x }\n---\nkind: policy\nname: readers\ntargetKind: secret\ntargetLinks: [//secret/db-2, //secret/other]\n---\nkind: identity\nname: far-away\ngvc: production\nlifecycle: { dependsOn: [workload/production/api] }`,
    ),
    problems: [],
  },
])('references are reported: $it', async ({ yaml, problems }) => {
  folder.write('gantry.yaml', 'org: acme\n');
  folder.write('all.yaml', `kind: gvc\nname: shop\n---\n${yaml}`);
  const told = await validated('.');
  expect(told.problems).toMatchObject(problems);
  expect(told.problems).toHaveLength(problems.length);
});

test('a reference in a single file may be declared in another file, and is no problem', async () => {
  folder.write(
    'one.yaml',
    `kind: gvc\nname: shop\n---\n${workload(`lifecycle: { dependsOn: [identity/shop/x-1] }\n${container}`)}`,
  );
  expect(await validated('one.yaml')).toEqual({ code: 0, problems: [] });
});

test('a problem in code has its line; other stacks of the app and external references are known', async () => {
  folder.write(
    'stack.ts',
    `import { App, Gvc, Identity, Stack, VolumeSet, Workload } from 'gantry';
const app = new App();
const network = new Stack(app, 'network');
const gvc = new Gvc(network, 'shop');
const orders = new Stack(app, 'orders');
new Identity(orders, 'orders', { gvc });
const there = Identity.fromName(gvc, 'there', 'payments');
const files = VolumeSet.fromName(gvc, 'files', 'files');
const container = { name: 'main', image: 'x:1' };
new Workload(orders, 'api', { gvc, type: 'standard', identity: '//gvc/shop/identity/orders', containers: [container] });
new Workload(orders, 'pay', {
  gvc,
  type: 'standard',
  identity: there,
  containers: [{ ...container, volumes: [files.mount('/files')] }],
});
new Workload(orders, 'bad', { gvc, type: 'standard', identity: '//gvc/shop/identity/order', containers: [container] });
`,
  );
  expect(await validated('stack.ts')).toEqual({
    code: 0,
    problems: [
      expect.objectContaining({
        rule: 'reference.undeclared',
        file: 'stack.ts',
        line: 17,
        resource: 'workload/shop/bad',
        hint: 'Did you mean identity/shop/orders?',
      }),
    ],
  });
});
