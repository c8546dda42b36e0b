import { mkdirSync, writeFileSync } from 'node:fs';
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

test('a stack in neutral words is applied in those of gantry.yaml, which names the file relative to itself', async () => {
  const folder = project('ours', 'dialect: ../own.yaml\n');
  await succeeded(runCli(['apply', folder, '--yes'], root));

  const gvc = await onTheWire('/org/local/gvc/shop');
  expect(gvc).toContain('"value":"quay://secret/key"');
  expect(gvc).toContain('"sidecar":{"sluice":{"http":[{"name":"sluice.filters.http.cors"}]}}');
  expect(gvc).toContain('"provider":{"lamp":');
  expect(await onTheWire('/org/local/secret/key/-reveal')).toContain('scheme://secret/not-a-uri-here');

  const again = await runCli(['plan', folder, '--detailed-exitcode'], root);
  expect(again, again.stdout).toMatchObject({ code: 0 });
  expect((await runCli(['destroy', folder, '--yes'], root)).code).toBe(0);
});

test('--dialect beats gantry.yaml', async () => {
  writeFileSync(join(root, 'bad.yaml'), 'words: {tracer: otel}\n');
  const folder = project('flag', 'dialect: ../bad.yaml\n');
  await succeeded(runCli(['plan', folder, '--dialect', join(root, 'own.yaml')], root));
});

test('a client without the dialect is told what is wrong, in the words that it sent', async () => {
  const applied = await runCli(['apply', project('without', ''), '--yes'], root);
  expect(applied.code).toBe(5);
  expect(applied.stdout + applied.stderr).toContain('spec.sidecar.proxy: "proxy" is not allowed here');
});

test.each([
  ['a collision, with its place', 'bad.yaml', 'dialect.collision', 'gvc spec.tracing.provider'],
  ['a file that is not there', 'none.yaml', 'dialect.file', 'none.yaml'],
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

test('the embedded platform takes it too', async () => {
  const folder = project('embedded', 'dialect: ../own.yaml\n');
  await succeeded(runCli(['apply', folder, '--embedded', '--yes'], folder));
});
