import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { succeeded } from '../outcome.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { type Running, startCli } from './process.ts';

const root = temporaryFolder('dialect');
const runCli = (args: readonly string[], cwd: string) => inProcess(undefined, args, { cwd });
let server: Running;
let endpoint: string;

const stack = `
kind: gvc
name: shop
spec:
  env: [{name: KEY, value: 'scheme://secret/key'}]
  tracing: {sampling: 1, provider: {tracer: {endpoint: 'collector:1'}}}
  sidecar: {proxy: {http: [{name: proxy.filters.http.cors}]}}
---
kind: secret
name: key
type: opaque
data: {payload: 'scheme://secret/not-a-uri-here'}
`;

/** A project folder with a stack; `settings` are lines of its gantry.yaml. */
function project(name: string, settings: string, manifests = stack): string {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'gantry.yaml'),
    `stack: ${name}\norg: local\nendpoint: ${endpoint}\ntoken: t\n${settings}`,
  );
  writeFileSync(join(folder, 'stack.yaml'), manifests);
  return folder;
}

async function onTheWire(path: string): Promise<string> {
  const response = await fetch(endpoint + path, { headers: { authorization: 'Bearer t' } });
  return response.text();
}

beforeAll(async () => {
  writeFileSync(join(root, 'own.yaml'), 'words: {scheme: quay, proxy: sluice}\nnames: {tracer: lamp}\n');
  server = startCli(
    ['serve', '--port', '0', '--data', ':memory:', '--token', 't', '--dialect', join(root, 'own.yaml')],
    root,
  );
  endpoint = await server.line(/^http:/);
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.ended;
});

test('a stack in neutral words is applied in the dialect of gantry.yaml, which names its file relative to itself', async () => {
  const folder = project('ours', 'dialect: own.yaml\n');
  copyFileSync(join(root, 'own.yaml'), join(folder, 'own.yaml'));
  const { stderr } = await succeeded(runCli(['apply', folder, '--yes'], root));
  expect(stderr).not.toContain('left out');

  const gvc = await onTheWire('/org/local/gvc/shop');
  expect(gvc).toContain('"value":"quay://secret/key"');
  expect(gvc).toContain('"sidecar":{"sluice":{"http":[{"name":"sluice.filters.http.cors"}]}}');
  expect(gvc).toContain('"provider":{"lamp":');
  expect(await onTheWire('/org/local/secret/key/-reveal')).toContain('scheme://secret/not-a-uri-here');

  const again = await runCli(['plan', folder, '--detailed-exitcode'], root);
  expect(again, again.stdout).toMatchObject({ code: 0 });
  expect((await runCli(['destroy', folder, '--yes'], root)).code).toBe(0);
});

const inTheirWords = stack.replace('scheme://secret/key', 'quay://secret/key').replaceAll('proxy', 'sluice');

test("a stack in the platform's own words equals the one in neutral words: rules, references and ownership", async () => {
  const manifests = inTheirWords
    .replace('tracer:', 'lamp:')
    .replace('name: shop', "name: shop\ntags: {quay/note: 'true'}");
  const folder = project('theirs', 'dialect: ../own.yaml\n', manifests);
  await succeeded(runCli(['apply', folder, '--yes'], root));
  expect(await onTheWire('/org/local/gvc/shop')).toContain('"value":"quay://secret/key"');
  expect(await onTheWire('/org/local/gvc/shop')).toContain('"quay/note":"true"');
  expect(await runCli(['plan', folder, '--detailed-exitcode'], root)).toMatchObject({ code: 0 });

  const neutral = stack.replace('name: shop', "name: shop\ntags: {scheme/note: 'true'}");
  writeFileSync(join(folder, 'stack.yaml'), neutral);
  expect(await runCli(['plan', folder, '--detailed-exitcode'], root)).toMatchObject({ code: 0 });

  // The rule about the reserved prefix works on the neutral spelling, and reports the place of the written one.
  writeFileSync(join(folder, 'stack.yaml'), manifests.replace('name: KEY', 'name: QUAY_KEY'));
  const refused = await runCli(['validate', folder], root);
  expect(refused.code).toBe(1);
  expect(refused.stdout).toMatch(/stack\.yaml:6:\d+/);
  expect(refused.stdout).toContain('reserved');

  writeFileSync(join(folder, 'stack.yaml'), manifests.replace('{quay/note', "{scheme/note: 'true', quay/note"));
  const twice = await runCli(['validate', folder], root);
  expect(twice.code).toBe(1);
  expect(twice.stdout).toContain('"scheme/note" and "quay/note" are two spellings of one name');

  writeFileSync(join(folder, 'stack.yaml'), stack);
  await succeeded(runCli(['destroy', folder, '--yes'], root));
});

test("commands on single records accept the platform's own words, and print them for its other clients", async () => {
  const flags = ['--dialect', join(root, 'own.yaml'), '--endpoint', endpoint, '--token', 't', '--org', 'local'];
  const run = (...args: readonly string[]) => succeeded(runCli([...args, ...flags], root));
  await run(
    'gvc',
    'create',
    '--name',
    'single',
    '--location',
    'aws-eu-central-1',
    '--tag',
    'quay/mine=1',
    '--env',
    'A=quay://secret/a',
  );
  expect(await onTheWire('/org/local/gvc/single')).toContain('"value":"quay://secret/a"');
  expect(await onTheWire('/org/local/gvc/single')).toContain('"quay/mine"');
  await run('gvc', 'update', 'single', '--set', 'spec.sidecar.sluice.http=[]');

  const neutral = await run('gvc', 'get', 'single', '-o', 'json');
  expect(JSON.parse(neutral.stdout)).toMatchObject({
    tags: { 'scheme/mine': 1 },
    spec: { env: [{ value: 'scheme://secret/a' }], sidecar: { proxy: { http: [] } } },
  });
  for (const command of [
    ['gvc', 'get', 'single'],
    ['gvc', 'query', '--tag', 'quay/mine'],
  ]) {
    const theirs = await run(...command, '-o', 'json', '--words', 'platform');
    expect(theirs.stdout).toContain('"quay/mine"');
    expect(theirs.stdout).toContain('quay://secret/a');
    expect(theirs.stdout).toContain('"sluice"');
    expect(theirs.stdout).not.toMatch(/scheme|proxy/);
  }
  const table = await runCli(['gvc', 'get', '--words', 'platform', ...flags], root);
  expect(table.code).toBe(64);
  expect(table.stderr).toContain('--words platform cannot be combined with -o text');
  await run('gvc', 'delete', 'single', '--yes');
});

test("synth prints manifests in the platform's own words", async () => {
  const folder = project('printed', 'dialect: ../own.yaml\n');
  const printed = await succeeded(runCli(['synth', folder, '--reveal', '--words', 'platform'], root));
  expect(printed.stdout).toContain('quay://secret/key');
  expect(printed.stdout).toContain('name: sluice.filters.http.cors');
  expect(printed.stdout).toContain('lamp:');
  expect(printed.stdout).toContain('scheme://secret/not-a-uri-here');
});

test('--dialect wins over gantry.yaml', async () => {
  writeFileSync(join(root, 'bad.yaml'), 'words: {tracer: otel}\n');
  const folder = project('flag', 'dialect: ../bad.yaml\n');
  await succeeded(runCli(['plan', folder, '--dialect', join(root, 'own.yaml')], root));
});

test('a client without the dialect gets an error in the words that it sent', async () => {
  const applied = await runCli(['apply', project('without', ''), '--yes'], root);
  expect(applied.code).toBe(5);
  expect(applied.stdout + applied.stderr).toContain(
    'spec.tracing.provider.tracer: "tracer" is not allowed here: this platform calls it "lamp"',
  );
});

test.each([
  ['a collision, with its place', 'bad.yaml', 'dialect.collision', 'gvc spec.tracing.provider'],
  ['a file that does not exist', 'none.yaml', 'dialect.file', 'none.yaml'],
])('%s ends the command before any request', async (_, file, code, says) => {
  const folder = project(code.replace('.', '-'), '');
  for (const command of [
    ['plan', folder],
    ['validate', folder],
    ['serve', '--port', '0', '--data', ':memory:'],
  ]) {
    const ended = await runCli([...command, '--dialect', join(root, file)], root);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`error ${code}: `);
    expect(ended.stderr).toContain(says);
    expect(ended.stderr).not.toContain('    at ');
  }
});

test('the embedded platform accepts a dialect too', async () => {
  const folder = project('embedded', 'dialect: ../own.yaml\n');
  await succeeded(runCli(['apply', folder, '--embedded', '--yes'], folder));
});
