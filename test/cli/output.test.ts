import { describe, expect, test } from 'vitest';
import { linkPackages, useProjectFolder } from './projectFolder.ts';

const project = useProjectFolder('gantry-output');

const web = `kind: gvc
name: shop
spec: { staticPlacement: { locationLinks: [//location/aws-eu-central-1] } }
---
kind: workload
name: web
gvc: shop
spec:
  type: serverless
  containers: [{ name: main, image: shop:1, ports: [{ number: 8080, protocol: http }] }]
---
kind: secret
name: login
type: opaque
data: { payload: hunter22, encoding: plain }
`;
const outputs = `---
kind: output
name: url
value: \${live.workload/shop/web:status.canonicalEndpoint}
description: Where it answers
---
kind: output
name: addresses
value: { host: '\${live.workload/shop/web:status.internalName}', page: '<\${live.workload/shop/web:status.canonicalEndpoint}/x>' }
---
kind: output
name: password
value: \${live.secret/login:data.payload}
`;

function declare(manifests = `${web}${outputs}`): void {
  project.write('gantry.yaml', 'stack: shop\n');
  project.write('manifests.yaml', manifests);
}

describe('gantry output', () => {
  test('names missing values before an apply, and prints the values of the platform after it', async () => {
    declare();
    const before = await project.run(['output', '--embedded']);
    expect(before.stdout).toContain('url        (no value: workload/shop/web is not there yet)');
    const none = await project.run(['output', 'url', '--embedded']);
    expect([none.code, none.stdout]).toEqual([1, '']);
    expect(none.stderr).toContain('output.missing');

    const applied = await project.run(['apply', '--embedded', '--yes']);
    expect(applied.stdout).toMatch(
      /^Outputs:\n {2}addresses {2}\{"host":"web\.shop\.[^"]+","page":"<https:[^"]+\/x>"\}$/m,
    );
    const url = await project.run(['output', 'url', '--embedded']);
    expect(url.stdout).toMatch(/^https:\/\/web-\w+\.[\w.]+\n$/);
    const { outputs: said } = JSON.parse((await project.run(['output', '--embedded', '-o', 'json'])).stdout);
    expect(said.url).toEqual({ value: url.stdout.trim(), sensitive: false, description: 'Where it answers' });
    expect(said.addresses.value.page).toBe(`<${url.stdout.trim()}/x>`);
  });

  test('prints sensitive values only with --reveal', async () => {
    declare();
    const applied = await project.run(['apply', '--embedded', '--yes']);
    const all = await project.run(['output', '--embedded']);
    const json = await project.run(['output', '--embedded', '-o', 'json']);
    const named = await project.run(['output', 'password', '--embedded']);
    for (const { stdout, stderr } of [applied, all, json, named]) expect(stdout + stderr).not.toContain('hunter22');
    expect(all.stdout).toContain('password   (sensitive)');
    expect([named.code, named.stdout]).toEqual([1, '']);
    expect(named.stderr).toContain('Add --reveal');
    expect((await project.run(['output', 'password', '--reveal', '--embedded'])).stdout).toBe('hunter22\n');
  });

  test.each([
    ['the field', 'spec.containers.main.env.TOKEN.value'],
    ['the field by its position', 'spec.containers.0.env.0.value'],
    ['the object that contains the field', 'spec'],
  ])('masks values that the code marks as sensitive: %s', async (_, path) => {
    const marked = web
      .replace('kind: workload', 'kind: workload\nlifecycle: { sensitive: [spec.containers.0.env.0.value] }')
      .replace('name: main,', 'name: main, env: [{ name: TOKEN, value: hunter22 }],');
    declare(`${marked}---\nkind: output\nname: token\nvalue: '\${live.workload/shop/web:${path}}'\n`);
    const applied = await project.run(['apply', '--embedded', '--yes']);
    expect(applied.code, applied.stderr).toBe(0);
    const shown = await project.run(['output', '--embedded', '-o', 'json']);
    expect(JSON.parse(shown.stdout).outputs.token.value).toEqual({ sensitive: true });
    for (const { stdout, stderr } of [applied, shown]) expect(stdout + stderr).not.toContain('hunter22');
  });

  test('a plan describes values that are known after apply, and JSON lists them', async () => {
    const api = (port: number) =>
      `${web.replaceAll('8080', String(port))}---
kind: workload
name: api
gvc: shop
spec:
  type: standard
  containers: [{ name: main, image: api:1, env: [{ name: API, value: '\${live.workload/shop/web:status.canonicalEndpoint}/v1' }] }]
`;
    declare(api(8080));
    const reference = '${live.workload/shop/web:status.canonicalEndpoint}';
    const created = await project.run(['plan', '--embedded', '--report', 'plan.md', '--report', 'plan.html']);
    expect(created.stdout).toMatch(/\+ spec\.containers\.main\.env\.API\.value {2}\(known after apply\)\/v1\n/);
    expect(created.stdout).toContain('note: known after apply: status.canonicalEndpoint of workload/shop/web');
    expect(created.stdout).not.toContain('${live.');
    expect(project.read('plan.md')).toContain('+ spec.containers.main.env.API.value: "(known after apply)/v1"');
    await project.run(['apply', '--embedded', '--yes']);
    declare(api(8081));
    const changed = await project.run(['plan', '--embedded']);
    expect(changed.stdout).toMatch(/API\.value {2}https:\/\/web-\S+\/v1 → \(known after apply\)\/v1\n/);
    expect(changed.stdout).toContain('changed in what it takes (status.canonicalEndpoint of workload/shop/web)');
    const { changes } = JSON.parse((await project.run(['plan', '--embedded', '-o', 'json'])).stdout);
    const { awaits, fields } = changes.find(({ id }: { id: string }) => id === 'workload/shop/api');
    expect([awaits, fields[0].new]).toEqual([[reference], `${reference}/v1`]);
  });

  test('suggests the name of an output', async () => {
    declare();
    const { code, stderr } = await project.run(['output', 'ulr', '--embedded']);
    expect(code).toBe(1);
    expect(stderr).toContain('output.unknown: there is no output "ulr"');
    expect(stderr).toContain('Did you mean url?');
  });

  test.each([
    [
      'an unknown field',
      '${live.workload/shop/web:status.canonicalEndpiont}',
      'Did you mean status.canonicalEndpoint?',
    ],
    ['no path', '${live.workload/shop/web}', 'Write it as ${live.workload/GVC/NAME:status.endpoint}'],
    ['a kind of a GVC without the GVC', '${live.workload/web:status.endpoint}', 'Write it as ${live.'],
  ])('refuses a reference with %s, at its line', async (_, value, hint) => {
    declare(`${web}---\nkind: output\nname: url\nvalue: '${value}'\n`);
    const { code, stdout } = await project.run(['validate']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/manifests\.yaml:19:8.*live\.reference/);
    expect(stdout).toContain(hint);
  });

  test('refuses an invalid output, and two outputs with the same name', async () => {
    declare(`${web}${outputs}---\nkind: output\nname: url\nvalue: 1\n---\nkind: output\nname: a b\nvlaue: 1\n`);
    const { stdout } = await project.run(['validate']);
    expect(stdout).toContain('the output url is declared twice; first at manifests.yaml:18');
    expect(stdout).toContain('name must be letters, digits, "-" and "_", beginning with a letter');
    expect(stdout).toContain('Did you mean "value"?');
  });

  test('is part of the output of gantry synth', async () => {
    declare();
    project.write('again/gantry.yaml', 'stack: shop\n');
    project.write('again/all.yaml', (await project.run(['synth', '--reveal'])).stdout);
    const one = await project.run(['synth', '-o', 'json']);
    expect(JSON.parse(one.stdout)).toContainEqual({
      kind: 'output',
      name: 'password',
      value: { sensitive: true },
      sensitive: true,
    });
    project.write('masked/gantry.yaml', 'stack: shop\n');
    project.write('masked/all.yaml', 'kind: output\nname: password\nvalue: { sensitive: true }\nsensitive: true\n');
    expect((await project.run(['validate', 'masked'])).stdout).toContain('gantry synth --reveal prints');
    const again = await project.run(['synth', 'again', '-o', 'json']);
    expect(JSON.parse(one.stdout)).toContainEqual(expect.objectContaining({ kind: 'output', name: 'url' }));
    expect(again.stdout).toBe(one.stdout);
  });

  test('finds an output among several stacks', async () => {
    linkPackages(project.path);
    project.write(
      'stack.ts',
      `import { App, Group, Gvc, Output, Stack, Workload } from 'gantry';
const app = new App();
const network = new Stack(app, 'network');
const gvc = new Gvc(network, 'shop', { locations: ['aws-eu-central-1'] });
const web = new Workload(gvc, 'web', { type: 'serverless', containers: [{ name: 'main', image: 'a:1', ports: [{ number: 80, protocol: 'http' }] }] });
new Output(network, 'url', web.url);
new Output(network, 'name', web.name);
const people = new Stack(app, 'people');
new Output(people, 'name', new Group(people, 'ops').link);
`,
    );
    await project.run(['apply', '--all', '--embedded', '--yes']);
    expect((await project.run(['output', 'url', '--embedded'])).stdout).toMatch(/^https:/);
    expect((await project.run(['output', 'name', 'people', '--embedded'])).stdout).toBe('//group/ops\n');
    expect((await project.run(['output', 'name', '--embedded'])).stderr).toContain(
      'several stacks have an output name',
    );
    const { stacks } = JSON.parse((await project.run(['output', '.', '--all', '--embedded', '-o', 'json'])).stdout);
    expect(stacks.map(({ outputs: { name } }: { outputs: { name: { value: string } } }) => name.value)).toEqual([
      'web',
      '//group/ops',
    ]);
  });
});
