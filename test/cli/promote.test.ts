// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to values are what it is about
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { promotionForm } from '../../src/change/documents/promotionDocument.ts';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { linkPackages } from './projectFolder.ts';

const folder = temporaryFolder('promote');
let count = 0;

const settings = `stack: shop
environments:
  dev:
    gvc: shop-dev
    org: acme-dev
    # what dev runs
    values: {tag: 1.10, replicas: 1, side: debug} # for dev
  prod:
    gvc: shop-prod
    org: acme
    values:
      # changed by gantry promote
      tag: 1.9 # of last week
      replicas: 3
      side: quiet
`;

const web = `kind: workload
name: web
description: runs \${values.side}
spec:
  type: serverless
  containers: [{name: main, image: "registry.example.com/web:\${values.tag}", ports: [{number: 8080, protocol: http}]}]
  defaultOptions: {autoscaling: {metric: concurrency, target: 100, minScale: 0, maxScale: "\${values.replicas}"}}
---
kind: secret
name: key
type: opaque
data: {payload: "\${values.side}", encoding: plain}
`;

/** A new project. */
function project(others: string, ...manifestsOf: readonly string[]): string {
  const cwd = join(folder, String(count++));
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'gantry.yaml'), `${settings}${others}`);
  for (const [index, text] of manifestsOf.entries()) writeFileSync(join(cwd, `${index}.yaml`), text);
  return cwd;
}

function promote(cwd: string, ...args: readonly string[]) {
  return inProcess(undefined, ['promote', 'dev', 'prod', ...args], { cwd });
}

test('lists differences that are not allowed, with both values and their places, and never a secret', async () => {
  const cwd = project('promotion: {may-differ: [values.replicas]}\n', web);
  const { code, stdout, stderr } = await promote(cwd, '--detailed-exitcode');
  expect(stderr).toBe('');
  expect(stdout).toBe(`dev to prod

1 value carried over with --write:
  values.tag  1.9 → 1.10

secret/key
  data
    dev: (sensitive)  0.yaml:12:1
    prod: (sensitive)  0.yaml:12:1

workload/shop-prod/web
  description
    dev: runs debug  gantry.yaml:7:44
    prod: runs quiet  gantry.yaml:15:13
  spec.containers.main.image
    dev: registry.example.com/web:1.10  gantry.yaml:7:19
    prod: registry.example.com/web:1.9  gantry.yaml:13:12

3 differences, and 1 more allowed by promotion.may-differ.
`);
  expect(code).toBe(2);
  expect(readFileSync(join(cwd, 'gantry.yaml'), 'utf8')).toBe(
    `${settings}promotion: {may-differ: [values.replicas]}\n`,
  );
});

test('notes a path of may-differ that matches nothing, which is probably misspelt', async () => {
  const known = ['values.replicas', 'workload/web:spec.defaultOptions', 'lifecycle.protect', 'spec.containers.*.cpu'];
  const wrong = ['values.replica', 'workload/wbe:spec', 'workload:spec.defaultOption', 'worklod:spec', 'specs'];
  const { code, stderr } = await promote(
    project(`promotion: {may-differ: [${[...known, ...wrong].join(', ')}]}\n`, web),
  );
  expect(stderr.trim().split('\n')).toEqual(
    wrong.map((text) => expect.stringContaining(`promotion.may-differ: ${text} matches nothing in dev and prod`)),
  );
  expect(code).toBe(0);
});

test('--write carries the values of images, and changes nothing else in the file', async () => {
  const rules = 'promotion: {may-differ: [values.replicas, values.side]} # rules\n';
  const cwd = project(rules, web);
  const file = join(cwd, 'gantry.yaml');
  chmodSync(file, 0o640);
  const { code, stdout } = await promote(cwd, '--write', '--detailed-exitcode');
  expect(stdout).toBe(`dev to prod

1 value carried over:
  values.tag  1.9 → 1.10

3 differences, all allowed by promotion.may-differ.
`);
  expect(code).toBe(2);
  expect(readFileSync(file, 'utf8')).toBe(`${settings.replace('tag: 1.9 #', 'tag: 1.10 #')}${rules}`);
  expect(statSync(file).mode & 0o777).toBe(0o640);

  const again = await promote(cwd, '--write', '--detailed-exitcode');
  expect([again.code, again.stdout]).toEqual([
    0,
    'dev to prod\n\n3 differences, all allowed by promotion.may-differ.\n',
  ]);
});

test('a value is carried as written: 1.10 and 1.1 are two tags, though the same number', async () => {
  const cwd = project('promotion: {may-differ: [values.replicas, values.side]}\n', web);
  const file = join(cwd, 'gantry.yaml');
  const text = readFileSync(file, 'utf8').replace('tag: 1.9 #', 'tag: 1.1 #');
  writeFileSync(file, text);
  const { code, stdout } = await promote(cwd, '--detailed-exitcode');
  expect(code).toBe(2);
  expect(stdout).toContain('1 value carried over with --write:\n  values.tag  1.1 → 1.10\n');
  expect(stdout).toContain('dev: registry.example.com/web:1.10');
  expect(stdout).toContain('prod: registry.example.com/web:1.1 ');
  await promote(cwd, '--write');
  expect(readFileSync(file, 'utf8')).toBe(text.replace('tag: 1.1 #', 'tag: 1.10 #'));
});

test('promotion.carry names more values; a value that a secret uses is carried without being shown', async () => {
  const cwd = project('promotion: {carry: [values.side]}\n', web);
  const { stdout } = await promote(cwd, '--write');
  expect(stdout).toContain('1 value carried over:\n  values.side  (a secret is made of it)\n');
  expect(readFileSync(join(cwd, 'gantry.yaml'), 'utf8')).toBe(
    `${settings.replace('side: quiet', 'side: debug')}promotion: {carry: [values.side]}\n`,
  );
  expect((await promote(cwd, '--write')).stdout).not.toContain('carried');
});

test('a value with a key named `sensitive` is no secret', async () => {
  const labels = web.replace('spec:', 'tags: "${values.labels}"\nspec:');
  const cwd = project('promotion: {carry: [values.labels]}\n', labels);
  const file = join(cwd, 'gantry.yaml');
  const withLabels = settings
    .replace('side: debug}', 'side: debug, labels: {sensitive: "no", team: a}}')
    .replace('side: quiet', 'side: quiet\n      labels: {sensitive: "no", team: b}');
  writeFileSync(file, `${withLabels}promotion: {carry: [values.labels]}\n`);
  const { stdout } = await promote(cwd);
  expect(stdout).toContain('values.labels  {"sensitive":"no","team":"b"} → {"sensitive":"no","team":"a"}\n');
});

test('a link to gantry.yaml is followed', async () => {
  const cwd = project('', web);
  const linked = join(folder, `${count++}`);
  mkdirSync(linked);
  symlinkSync(join(cwd, 'gantry.yaml'), join(linked, 'gantry.yaml'));
  symlinkSync(join(cwd, '0.yaml'), join(linked, '0.yaml'));
  expect((await promote(linked, '--write')).code).toBe(0);
  expect(readFileSync(join(cwd, 'gantry.yaml'), 'utf8')).toBe(settings.replace('tag: 1.9 #', 'tag: 1.10 #'));
});

test('-o json prints the same with the paths of the values', async () => {
  const cwd = project('promotion: {may-differ: ["workload:spec.defaultOptions"]}\n', web);
  const document: unknown = JSON.parse((await promote(cwd, '-o', 'json')).stdout);
  expect(promotionForm.is(document)).toBe(true);
  expect(document).toMatchObject({
    from: 'dev',
    to: 'prod',
    differs: true,
    written: false,
    carried: [{ value: 'values.tag', from: '1.10', to: 1.9 }],
    differences: [
      { resource: 'secret/key', path: 'data', mayDiffer: false, from: { value: { sensitive: true } } },
      { resource: 'workload/shop-prod/web', path: 'description', from: { values: ['side'] } },
      { path: 'spec.containers.main.image' },
      { path: 'spec.defaultOptions.autoscaling.maxScale', mayDiffer: true, from: { value: 1 }, to: { value: 3 } },
    ],
  });
});

test('a resource with another name is the same resource, and links to it are equal', async () => {
  const named = `kind: gvc
name: \${values.side}
spec: {staticPlacement: {locationLinks: [//location/aws-eu-central-1]}}
---
kind: policy
name: readers
targetKind: gvc
targetLinks: ["//gvc/\${values.side}"]
bindings: [{permissions: [view], principalLinks: [//group/viewers]}]
`;
  const cwd = project('', named);
  const { stdout } = await promote(cwd);
  expect(stdout).toContain('gvc/quiet\n  name\n    dev: debug  gantry.yaml:7:44\n    prod: quiet  gantry.yaml:15:13\n');
  expect(stdout).toContain('\n1 difference.\n');
});

test('a resource that only one environment declares is a difference', async () => {
  const cwd = project('');
  writeFileSync(
    join(cwd, 'stack.ts'),
    `import { App, Group, Stack } from 'gantry';
const app = new App<{ side: string }>();
const stack = new Stack(app, 'teams');
new Group(stack, 'all', {});
if (app.environment.values.side === 'debug') new Group(stack, 'debuggers', {});
`,
  );
  linkPackages(cwd);
  const { stdout, stderr } = await promote(cwd);
  expect(stdout).toBe(
    'dev to prod\n\ngroup/debuggers\n    dev: declared  stack.ts:5:46\n    prod: not declared\n\n1 difference.\n',
  );
  expect(stderr).toBe(
    'gantry.yaml:7:19  values.number  -  warning: values.tag: 1.10 is a number here, so code receives 1.1  ' +
      'Put it in quotes: "1.10"; or write 1.1.\n',
  );
});

test.each([
  { it: 'an unknown environment', args: ['dev', 'pord'], says: 'gantry.yaml has no environment "pord"' },
  { it: 'the same twice', args: ['prod', 'prod'], says: 'promote.same: both environments are prod' },
  { it: 'one only', args: ['prod'], says: "missing required argument 'to'" },
])('is refused with $it', async ({ args, says }) => {
  const { code, stderr } = await inProcess(undefined, ['promote', ...args], { cwd: project('', web) });
  expect(stderr).toContain(says);
  expect(code).toBeGreaterThan(0);
});

test.each([
  { promotion: '[x]', says: 'promotion must be an object' },
  { promotion: '{carry: [tag]}', says: 'promotion.carry[0] must be the path of a value, such as values.web.tag' },
  { promotion: '{may-differ: ["a..b"]}', says: 'promotion.may-differ[0] must be a path such as' },
  { promotion: '{may-difer: []}', says: 'Did you mean "may-differ"? Available: ' },
])('gantry.yaml is refused with $promotion', async ({ promotion, says }) => {
  const { code, stderr } = await promote(project(`promotion: ${promotion}\n`, web));
  expect(stderr).toContain(says);
  expect(code).toBe(1);
});

test('a value that cannot be changed without others is left to the user', async () => {
  const cwd = join(folder, String(count++));
  mkdirSync(cwd);
  const text =
    'stack: s\nenvironments:\n  dev: {values: {tag: b}}\n  prod: {values: &p {tag: a}}\n  test: {values: *p}\n';
  writeFileSync(join(cwd, 'gantry.yaml'), text);
  writeFileSync(join(cwd, 'a.yaml'), `gvc: g\n${web.split('---')[0] ?? ''}`.replace(/.*(?:side|replicas).*\n/g, ''));
  const { code, stderr } = await promote(cwd, '--write');
  expect(stderr).toContain('values.tag of prod cannot be changed without rewriting other lines');
  expect([code, readFileSync(join(cwd, 'gantry.yaml'), 'utf8')]).toEqual([1, text]);
});
