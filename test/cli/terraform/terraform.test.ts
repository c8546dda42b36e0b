import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { documentSchemas } from '../../../src/cli/declared/documents.ts';
import { terraformPlatform } from '../../../src/gantry/terraform/installProvider.ts';
import { mirrorConfiguration } from '../../../src/hcl/configuration/cliConfiguration.ts';
import { schemaJson } from '../../../src/hcl/configuration/schemaJson.ts';
import { providerSource } from '../../../src/hcl/provider.ts';
import { providerSchema } from '../../../src/hcl/schema/providerSchema.ts';
import { version } from '../../../src/terminal/version.ts';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { parserOrReason } from '../../hcl/migration/parser.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const root = new URL('../../..', import.meta.url).pathname;
const folder = temporaryFolder('terraform-commands');
const run = (args: readonly string[], input = '') => inProcess(undefined, args, { cwd: folder, input });

/** The document on standard output, checked against its schema. */
async function documentOf(args: readonly string[], schema: string, input = '') {
  const { code, stdout, stderr } = await run([...args, '-o', 'json'], input);
  expect(code, stderr).toBe(0);
  const value = JSON.parse(stdout);
  const check = new Ajv2020({ strict: false }).compile(Object((await documentSchemas[schema]?.()) ?? {}));
  check(value);
  expect(check.errors).toBeNull();
  return value;
}

test('install writes the mirror for terraform init on this machine, and can write it again', async () => {
  const platform = terraformPlatform(process.platform, process.arch);
  const inMirror = join('terraform.d/plugins', providerSource, version, platform);
  const first = await run(['terraform', 'install']);
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('Next: terraform init') });
  expect(readdirSync(join(folder, inMirror))).toEqual(['parts', `terraform-provider-gantry_v${version}`]);
  expect(existsSync(join(folder, inMirror, 'parts/main.mjs'))).toBe(true);
  const file = join(folder, inMirror, `terraform-provider-gantry_v${version}`);
  expect(statSync(file).mode & 0o777).toBe(0o755);
  expect(readFileSync(file, 'utf8').slice(0, 10)).toBe('#!/bin/sh\n');

  const again = await documentOf(['terraform', 'install', '--dir', 'mirror'], 'terraform-installation');
  expect(again).toMatchObject({ source: providerSource, version, platform, folder: join(folder, 'mirror') });
  expect(existsSync(again.file)).toBe(true);
});

test('mirror writes archives for every platform that can start scripts, and keeps other versions', async () => {
  const inMirror = join(folder, 'packed', providerSource);
  mkdirSync(inMirror, { recursive: true });
  writeFileSync(join(inMirror, 'index.json'), '{"versions": {"0.0.9": {}}}');
  const { files, ...rest } = await documentOf(['terraform', 'mirror', 'packed'], 'terraform-mirror');
  expect(rest).toEqual({ source: providerSource, version, folder: join(folder, 'packed') });
  expect(files.map((file: string) => relative(inMirror, file))).toEqual([
    ...['linux_amd64', 'linux_arm64', 'darwin_amd64', 'darwin_arm64'].map(
      (platform) => `terraform-provider-gantry_${version}_${platform}.zip`,
    ),
    `terraform-provider-gantry_${version}_manifest.json`,
    `terraform-provider-gantry_${version}_SHA256SUMS`,
    'index.json',
    `${version}.json`,
  ]);
  for (const file of files) expect(existsSync(file), file).toBe(true);
  const index = JSON.parse(readFileSync(join(inMirror, 'index.json'), 'utf8'));
  expect(index).toEqual({ versions: { '0.0.9': {}, [version]: {} } });

  const again = await run(['terraform', 'mirror', 'packed']);
  expect(again.stdout).toContain(mirrorConfiguration(join(folder, 'packed')));

  writeFileSync(join(inMirror, 'index.json'), '{"versions": ');
  const broken = await run(['terraform', 'mirror', 'packed']);
  expect(broken.stderr).toContain(`${join(inMirror, 'index.json')} is no index of a mirror`);
});

test.each([
  ['linux', 'x64', 'linux_amd64'],
  ['darwin', 'arm64', 'darwin_arm64'],
  ['win32', 'x64', 'windows_amd64'],
])('Terraform names %s on %s %s', (platform, arch, name) => {
  expect(terraformPlatform(platform, arch)).toBe(name);
});

test('config prints a CLI configuration for the mirror, or for this installation', async () => {
  const mirror = await run(['terraform', 'config', '--dir', 'mirror']);
  expect(`${mirror.stdout}`).toBe(mirrorConfiguration(join(folder, 'mirror')));
  const { folder: own } = await documentOf(['terraform', 'config', '--dev'], 'terraform-cli-configuration');
  expect(existsSync(join(own, 'terraform-provider-gantry'))).toBe(true);
});

test('schema prints the schema of the provider', async () => {
  const printed = await documentOf(['terraform', 'schema'], 'terraform-schema');
  expect(printed).toEqual(schemaJson(providerSchema(), providerSource));
});

describe('export', () => {
  test('of declared resources', async () => {
    const args = ['terraform', 'export', '--org', 'acme', '--declared', join(root, 'examples/shop-yaml')];
    const made = await documentOf([...args, '--no-import'], 'terraform-export');
    expect(made.resources).toContainEqual({ id: 'workload/shop/api', address: 'gantry_workload.shop_api' });
    expect(made.variables).toContain('secret_shop_database_data_userpass_password');
    expect(made.text).not.toContain('import {');
    expect(made.text).toMatch(/^ {4}identity_link = "\/\/.*identity\/\$\{gantry_identity.shop_backend.name\}"$/m);
  });

  test('of live resources, with import blocks; an existing file is not overwritten', async () => {
    const platform = ['--embedded', '--data', join(folder, 'data')];
    const applied = await run(['apply', join(root, 'examples/hello'), '--yes', ...platform]);
    expect(applied.code, applied.stderr).toBe(0);
    const args = ['terraform', 'export', '--all', '--out', 'main.tf', ...platform];
    const made = await run(args);
    expect(made.code, made.stderr).toBe(0);
    const text = readFileSync(join(folder, 'main.tf'), 'utf8');
    expect(text).toMatch(/^import \{\n {2}to = gantry_gvc\.hello\n {2}id = "hello"\n\}$/m);
    expect(text).not.toContain('tags');

    const again = await run(args);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('error terraform.exists: ') });
    expect(readFileSync(join(folder, 'main.tf'), 'utf8')).toBe(text);
  });

  test.each([
    [['gvc/none'], 'gvc/none does not exist in the org local'],
    [['gvc/none', 'group/none'], 'group/none and gvc/none do not exist in the org local'],
    [['--stack', 'none'], 'the stack none owns nothing in the org local'],
  ])('of %j, which does not exist, is an error, and writes nothing', async (what, message) => {
    const platform = ['--embedded', '--data', join(folder, 'nothing')];
    const { code, stdout, stderr } = await run(['terraform', 'export', ...what, '--out', 'none.tf', ...platform]);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(`error api.not-found: ${message}`)]);
    expect(existsSync(join(folder, 'none.tf'))).toBe(false);
  });

  if (process.platform === 'win32') console.warn('skipped: Windows has no limit on the size of files');
  // A limit on the size of files acts like a full disk.
  test.skipIf(process.platform === 'win32')('leaves no partial file if it cannot be written completely', () => {
    const args = ['terraform', 'export', '--org', 'acme', '--declared', join(root, 'examples/shop-yaml')];
    const command = [process.execPath, join(root, 'dist/cli.js'), ...args, '--out', 'part.tf'];
    const { status, stderr } = spawnSync('sh', ['-c', 'ulimit -f 1; exec "$@"', 'sh', ...command], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('error terraform.files: ')]);
    expect(existsSync(join(folder, 'part.tf'))).toBe(false);
  });

  test.each([[[]], [['--all', 'gvc/shop']], [['gvc/shop', '--declared', '.']]])('of %j is ambiguous', async (args) => {
    const { code, stderr } = await run(['terraform', 'export', ...args]);
    expect([code, stderr]).toEqual([64, expect.stringContaining('say what to export, in one way')]);
  });
});

describe('from-state', () => {
  const state = JSON.stringify({
    version: 4,
    resources: [
      { mode: 'managed', type: 'gantry_gvc', name: 'shop', instances: [{ attributes: { name: 'shop' } }] },
      {
        mode: 'managed',
        type: 'gantry_secret',
        name: 's',
        instances: [{ attributes: { name: 's', type: 'opaque', data: { opaque: { payload: 'hunter2' } } } }],
      },
      { mode: 'managed', type: 'aws_instance', name: 'i', instances: [{ attributes: {} }] },
    ],
  });

  test('writes manifests, names skipped resources, and shows no secret', async () => {
    writeFileSync(join(folder, 'terraform.tfstate'), state);
    const { code, stdout, stderr } = await run(['terraform', 'from-state', 'terraform.tfstate']);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(
      /^kind: gvc\nname: shop\nlifecycle:\n {2}adopt:\n {4}from: terraform\.[0-9a-f]{12}\n---\nkind: secret\nname: s\n/,
    );
    expect(stderr).toContain('left out: aws_instance.i: aws_instance is not a resource of this provider');
    expect(stdout + stderr).not.toContain('hunter2');
    expect(stderr).toMatch(/^Next: the same command with --out FILE, then gantry apply FILE --stack [a-z0-9-]+$/m);
    expect(stderr).toMatch(/^Then have Terraform forget them: terraform state rm gantry_gvc\.shop gantry_secret\.s$/m);
  });

  test('quotes the next command for another folder and for names that a shell would split', async () => {
    mkdirSync(join(folder, 'else where'), { recursive: true });
    const instance = { index_key: 'a b', attributes: { name: 'shop' } };
    const one = {
      version: 4,
      resources: [{ mode: 'managed', type: 'gantry_gvc', name: 'shop', instances: [instance] }],
    };
    writeFileSync(join(folder, 'else where/terraform.tfstate'), JSON.stringify(one));
    const { stderr } = await run(['terraform', 'from-state', 'else where/terraform.tfstate', '--out', 'my shop.yaml']);
    expect(stderr).toContain("Next: gantry apply 'my shop.yaml' --stack ");
    expect(stderr).toContain(`terraform -chdir='else where' state rm 'gantry_gvc.shop["a b"]'\n`);
  });

  test('writes a stack in TypeScript from standard input', async () => {
    const args = ['terraform', 'from-state', '-', '--format', 'ts', '--reveal', '--from', 'terraform.x'];
    const made = await documentOf(args, 'terraform-resources', state);
    expect(made.text).toContain("new Gvc(stack, 'shop', {\n  lifecycle: {\n    adopt: {\n      from: 'terraform.x',");
    expect(made.text).toContain("payload: 'hunter2'");
    expect(made.skipped).toEqual([
      { id: 'aws_instance.i', because: 'aws_instance is not a resource of this provider' },
    ]);
  });

  test('names the stack in TypeScript after its folder', async () => {
    mkdirSync(join(folder, 'Old shop'), { recursive: true });
    const args = ['terraform', 'from-state', '-', '--format', 'ts', '--out', 'Old shop/stack.ts'];
    const { code, stderr } = await run(args, state);
    expect(code, stderr).toBe(0);
    expect(readFileSync(join(folder, 'Old shop/stack.ts'), 'utf8')).toContain("new Stack(app, 'old-shop')");
  });

  test('refuses invalid state without showing it', async () => {
    const { code, stderr } = await run(['terraform', 'from-state', '-'], 'password: hunter2');
    expect(code).toBe(1);
    expect(stderr).toContain('error terraform.state: standard input: it is not JSON');
    expect(stderr).not.toContain('hunter2');
  });
});

describe('bindings', () => {
  const generator = join(folder, 'node_modules/@cdktn/provider-generator');
  const bindings = ['terraform', 'bindings', '--out', '.gen'];

  test('without the generator, name the command that installs it', async () => {
    const { code, stderr } = await run([...bindings, '--for', 'cdktf']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('error terraform.generator: @cdktf/provider-generator'),
    ]);
    expect(stderr).toMatch(/hint: Run: npm install -D @cdktf\/provider-generator@\S+ cdktf@\S+ .*jsii-pacmak@\S+/);
  });

  test('are made by the generator of the project, whatever it prints', async () => {
    mkdirSync(generator, { recursive: true });
    const code = `console.log('noise');
const { mkdirSync, writeFileSync } = require('node:fs');
exports.generateProviderBindingsFromSchema = async (out, schema) => {
  mkdirSync(out + '/providers/gantry', { recursive: true });
  writeFileSync(out + '/said.json', JSON.stringify([schema.provider_versions, schema.format_version]));
};`;
    writeFileSync(join(generator, 'index.js'), code);
    const made = await documentOf(bindings, 'terraform-bindings');
    expect(made.folder).toBe(join(folder, '.gen/providers/gantry'));
    expect(JSON.parse(readFileSync(join(folder, '.gen/said.json'), 'utf8'))).toEqual([
      { [providerSource]: version },
      '1.0',
    ]);
  });

  test('report why a broken generator fails', async () => {
    writeFileSync(join(generator, 'index.js'), "require('not-there');");
    const { code, stderr } = await run(bindings);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("@cdktn/provider-generator does not work: Error: Cannot find module 'not-there'"),
    ]);
  });

  test.each([
    ['a generator without output', '.gen-none', 'it created no classes'],
    ['a file in place of the output folder', 'node_modules/@cdktn/provider-generator/index.js', 'it is a file'],
  ])('report %s', async (_, out, because) => {
    writeFileSync(join(generator, 'index.js'), 'exports.generateProviderBindingsFromSchema = async () => {};');
    const { code, stderr } = await run(['terraform', 'bindings', '--out', out]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(because)]);
    expect(stderr).not.toContain('a mistake in Gantry');
  });
});

const parser = await parserOrReason();
if (typeof parser === 'string') console.warn(`skipped: ${parser}`);

describe.skipIf(typeof parser === 'string')('migrate', () => {
  const project = join(folder, 'other');
  const file = join(project, 'main.tf');
  const before = 'resource "acme_gvc" "a" {\n  name   = "a"\n  domain = "a.example.com"\n  colour = "red"\n}\n';
  const write = (text = before) => {
    mkdirSync(project, { recursive: true });
    writeFileSync(file, text);
  };

  test('shows what would change and what you have to do, and writes nothing', async () => {
    write();
    const { code, stdout, stderr } = await run(['terraform', 'migrate', 'other', '--prefix', 'acme']);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('+resource "gantry_gvc" "a" {\n');
    expect(stdout).toContain('+    domain = "a.example.com"\n');
    expect(stdout).toContain(
      'would change: 1 resource in 3 files\nof 5 lines 3 stay as they are (60 %), 1 with other names (together 80 %)\n',
    );
    expect(stdout).toContain(
      'To do by hand (1):\nmain.tf:4: colour has no counterpart in gantry_gvc: write its equivalent\n',
    );
    expect(stdout).toContain('Next: the same command with --write');
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('with --write writes it, prints the same document, and changes nothing the second time', async () => {
    write();
    const args = ['terraform', 'migrate', 'other', '--prefix', 'acme', '--write'];
    expect(await documentOf(args, 'terraform-migration')).toMatchObject({
      written: true,
      files: [
        { path: 'gantry-moves.tf', isNew: true },
        { path: 'gantry-provider.tf', isNew: true },
        { path: 'main.tf', isNew: false },
      ],
      resources: [{ from: 'acme_gvc.a', to: 'gantry_gvc.a' }],
      undone: [{ file: 'main.tf', line: 4 }],
      lines: { all: 5, same: 3, renamed: 1 },
    });
    expect(readFileSync(file, 'utf8')).toContain('resource "gantry_gvc" "a" {');
    expect((await run(args)).stdout).toBe('nothing changes\n');
  });

  test('replaces a link by a file, and lists it', async () => {
    const shared = join(folder, 'shared.tf');
    write();
    writeFileSync(shared, before.replace('"a" {', '"b" {'));
    symlinkSync('../shared.tf', join(project, 'shared.tf'));
    onTestFinished(() => rmSync(join(project, 'shared.tf')));
    const { stdout } = await run(['terraform', 'migrate', 'other', '--prefix', 'acme', '--write']);
    expect(stdout).toContain('shared.tf:1: it is a link, and becomes a file of its own; ../shared.tf stays as it is\n');
    expect(readFileSync(shared, 'utf8')).toContain('resource "acme_gvc" "b" {');
    expect(readFileSync(join(project, 'shared.tf'), 'utf8')).toContain('resource "gantry_gvc" "b" {');
  });

  test('lists a folder that is a link, and does not follow it', async () => {
    const shared = join(folder, 'shared');
    write();
    mkdirSync(shared);
    writeFileSync(join(shared, 'main.tf'), before);
    mkdirSync(join(folder, 'texts'));
    const links = ['shared', 'texts', 'nowhere'].map((name) => join(project, name));
    for (const [at, target] of ['../shared', '../texts', '../nowhere'].entries()) symlinkSync(target, links[at] ?? '');
    onTestFinished(() => {
      for (const link of links) rmSync(link);
    });
    const { code, stdout } = await run(['terraform', 'migrate', 'other', '--prefix', 'acme', '--write']);
    expect(code).toBe(0);
    expect(stdout).toContain('shared:1: it is a link to a folder, and is left as it is: migrate ../shared by itself\n');
    expect(stdout).not.toMatch(/^(texts|nowhere)/m);
    expect(readFileSync(join(shared, 'main.tf'), 'utf8')).toBe(before);
  });

  test('is refused without a write if a file cannot be read', async () => {
    write();
    symlinkSync('../nowhere.tf', join(project, 'gone.tf'));
    onTestFinished(() => rmSync(join(project, 'gone.tf')));
    const { code, stderr } = await run(['terraform', 'migrate', 'other', '--prefix', 'acme', '--write']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/gone\.tf cannot be read: .+; nothing was written/s)]);
    expect(stderr).not.toContain('a mistake in Gantry');
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('is refused without a prefix, for a wrong table, and for invalid configuration', async () => {
    write();
    writeFileSync(join(folder, 'names.yaml'), 'prefix: acme\nresources:\n  acme_gvc:\n    type: gantry_nothing\n');
    const refused = async (...args: readonly string[]) => {
      const { code, stderr } = await run(['terraform', 'migrate', ...args]);
      return { code, stderr };
    };
    expect(await refused('other')).toMatchObject({ code: 64, stderr: expect.stringContaining('--prefix NAME') });
    const table = await refused('other', '--names', 'names.yaml');
    expect(table.stderr).toMatch(/names\.yaml, line 4: resources\.acme_gvc\.type must be a type of this provider/);
    write('a = = 1\n');
    const wrong = await refused('other', '--prefix', 'acme', '--write');
    expect(wrong.stderr).toContain('main.tf, line 1: this is no configuration of Terraform; nothing was written');
    expect((await refused('nowhere', '--prefix', 'acme')).stderr).toContain('terraform.files');
  });
});
