import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { succeeded } from '../outcome.ts';
import { knownCodes } from '../server/refusal.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { startCli } from './process.ts';

const runCli = (args: readonly string[], cwd: string, input = '', env: Readonly<Record<string, string>> = {}) =>
  inProcess(undefined, args, { cwd, input, env });
const root = temporaryFolder('cli');

const gvc = (description: string) => `
kind: gvc
name: shop
description: ${description}
spec:
  staticPlacement:
    locationLinks: [//location/aws-us-west-2]
`;

function folder(name: string, files: Readonly<Record<string, string>>): string {
  const path = join(root, name);
  mkdirSync(path, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

describe('offline commands', () => {
  const good = folder('good', { 'gantry.yaml': 'stack: shop\n', 'gvc.yaml': gvc('The shop') });
  const bad = folder('bad', { 'gvc.yaml': 'kind: gvc\nname: shop\nspec:\n  locatoins: 1\n' });

  test('validate prints one line for valid manifests, and exits 0', async () => {
    expect(await runCli(['validate', good], root)).toEqual({ code: 0, stdout: '1 resource is valid\n', stderr: '' });
  });

  test('validate prints each problem on one line with its place, and exits 1', async () => {
    const { code, stdout } = await runCli(['validate', bad], root);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^bad\/gvc\.yaml:4:\d+ {2}shape\.unknown-field {2}spec\.locatoins {2}.+\n/);
  });

  test('validate -o json prints the same problems', async () => {
    const { code, stdout } = await runCli(['validate', bad, '-o', 'json'], root);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      valid: false,
      problems: [{ file: 'bad/gvc.yaml', line: 4, rule: 'shape.unknown-field', severity: 'error' }],
    });
  });

  test('synth of standard input prints manifests that can be read back', async () => {
    const first = await runCli(['synth', '-'], root, gvc('The shop'));
    const second = await runCli(['synth', '-'], root, first.stdout);
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(/^kind: gvc\nname: shop\ndescription: The shop\nspec:\n/);
    expect(second.stdout).toBe(first.stdout);
  });

  test('rules -o json names id, section, kind, severity, lenient, title and fix of each', async () => {
    const { code, stdout } = await runCli(['rules', '-o', 'json'], root);
    expect(code).toBe(0);
    const rules: unknown[] = JSON.parse(stdout);
    expect(rules.length).toBeGreaterThan(100);
    for (const rule of rules) {
      expect(rule).toMatchObject({
        id: expect.stringMatching(/./),
        section: expect.stringMatching(/./),
        kind: expect.any(String),
        severity: expect.stringMatching(/^(error|warning|behaviour|refusal)$/),
        lenient: expect.any(Boolean),
        title: expect.stringMatching(/./),
        fix: expect.any(String),
      });
    }
  });

  test('rules lists the codes of platform refusals with their status, as text and JSON', async () => {
    const { stdout } = await runCli(['rules', '-o', 'json'], root);
    const rules: readonly { readonly severity: string }[] = JSON.parse(stdout);
    expect(rules.filter(({ severity }) => severity === 'refusal')).toHaveLength(Object.keys(knownCodes).length);
    expect(rules).toContainEqual(expect.objectContaining({ id: 'already_exists', status: 409, keptBy: 'server' }));
    expect((await runCli(['rules'], root)).stdout).toMatch(/^already_exists +HTTP 409 +errors\.codes +The name/m);
  });

  test('schema prints the JSON Schema of a kind, and of plans', async () => {
    const workload = await runCli(['schema', 'workload'], root);
    expect(JSON.parse(workload.stdout)).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
    const plan = await runCli(['schema', 'plan'], root);
    expect(JSON.parse(plan.stdout)).toHaveProperty('properties.changes');
    expect((await runCli(['schema', 'nonsense'], root)).code).toBe(64);
  });

  test('graph prints the edges between resources', async () => {
    const { stdout } = await runCli(['graph', good, '--format', 'dot'], root);
    expect(stdout).toContain('"gvc/shop" -> "location/aws-us-west-2"');
  });
});

describe('a missing setting is an error with a hint', () => {
  const nameless = folder('nameless', { 'gvc.yaml': gvc('x') });
  const named = folder('named', { 'gantry.yaml': 'stack: shop\n', 'gvc.yaml': gvc('x') });

  test.each([
    { it: 'the stack', args: ['plan', nameless, '--org', 'o', '--endpoint', 'http://x'], code: 'settings.stack' },
    { it: 'the org', args: ['plan', named, '--endpoint', 'http://x'], code: 'settings.org' },
    { it: 'the platform', args: ['plan', named, '--org', 'o'], code: 'settings.endpoint' },
  ])('$it', async ({ args, code }) => {
    const outcome = await runCli(args, root);
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(new RegExp(`^(?:read .+\\n)?error ${code}: .+\\n {2}hint: .+\\n$`));
  });

  test('--embedded and --endpoint together are a usage error before a command runs', async () => {
    const command = startCli(['plan', named, '--embedded', '--endpoint', 'http://x'], root);
    expect((await command.ended).code).toBe(64);
  });
});

describe('the embedded platform from the first plan to destroy', () => {
  let shop = '';
  const cli = (...args: readonly string[]) => runCli([...args, '--embedded', '--data', 'data'], root);
  beforeAll(() => {
    shop = folder('shop', { 'gantry.yaml': 'stack: shop\n', 'gvc.yaml': gvc('The shop') });
  });

  test('plan shows the creation, writes nothing, and exits 2 only with --detailed-exitcode', async () => {
    expect((await cli('plan', shop)).code).toBe(0);
    const { code, stdout } = await cli('plan', shop, '--detailed-exitcode', '-o', 'json');
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      formatVersion: 1,
      stack: 'shop',
      changes: [{ id: 'gvc/shop', action: 'create' }],
    });
  });

  test('apply --no-input without --yes writes nothing and exits 1', async () => {
    const refused = await cli('apply', shop, '--no-input');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('apply.not-confirmed');
    expect((await cli('plan', shop, '--detailed-exitcode')).code).toBe(2);
  });

  test('apply --yes applies and verifies, and a second apply has nothing to do', async () => {
    const first = await succeeded(cli('apply', shop, '--yes'));
    expect(first.stdout).toContain('Done: 1 created.');
    expect(first.stdout).toContain('Verified');
    expect(first.stderr).toMatch(/ {2}\+ gvc\/shop created \(version 1\)/);

    const second = await cli('apply', shop, '--yes');
    expect(second.code).toBe(0);
    expect(second.stdout).toContain('No changes: 1 unchanged.');
  });

  test('its token is stored, readable only by its owner', () => {
    const file = join(root, 'data', 'token');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8').trim().length).toBeGreaterThan(20);
  });

  test('a change patches only that field; JSON output has the result next to the plan and nothing else', async () => {
    writeFileSync(join(shop, 'gvc.yaml'), gvc('The new shop'));
    const { stdout } = await cli('apply', shop, '--yes', '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      changes: [
        {
          id: 'gvc/shop',
          action: 'patch',
          fields: [{ path: 'description', old: 'The shop', new: 'The new shop' }],
          patch: { description: 'The new shop', version: 1 },
        },
      ],
      result: { done: ['gvc/shop'], failed: [], verified: true },
    });
  });

  test('destroy needs no manifests and deletes everything', async () => {
    rmSync(join(shop, 'gvc.yaml'));
    const refused = await cli('apply', shop, '--yes');
    expect(refused.code).toBe(3);
    expect(refused.stdout).toContain('stack.empty');

    const destroyed = await succeeded(cli('destroy', '--stack', 'shop', '--yes'));
    expect(destroyed.stdout).toContain('Done: 1 deleted.');
    expect((await cli('destroy', '--stack', 'shop', '--yes')).stdout).toContain('No changes');
  });
});
