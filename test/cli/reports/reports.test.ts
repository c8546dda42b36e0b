import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { usePlatform } from '../../e2e/harness/usePlatform.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const platform = usePlatform();
const cwd = temporaryFolder('reports');
const manifest = `kind: gvc
name: shop
spec: {staticPlacement: {locationLinks: [//location/aws-eu-central-1]}}
---
kind: workload
name: web
gvc: shop
spec: {type: standard, containers: [{name: main, image: 'nginx:1', cpu: 50m, memory: 128Mi, ports: [{number: 80, protocol: http}]}]}
`;
beforeAll(() => {
  writeFileSync(join(cwd, 'gantry.yaml'), 'stack: shop\n');
  writeFileSync(join(cwd, 'shop.yaml'), manifest);
});

const gantry = (...args: readonly string[]) => inProcess(platform, args, { cwd });
const read = (file: string): string => readFileSync(join(cwd, file), 'utf8');

describe('--report writes the same as -o json', () => {
  test('of a plan, while standard output has the text', async () => {
    const { stdout } = await gantry('plan', '.', '-o', 'json');
    const told = await gantry('plan', '.', '--report', 'plan.json', '--detailed-exitcode');
    expect(told).toMatchObject({ code: 2, stdout: expect.stringContaining('+ workload/shop/web') });
    expect(read('plan.json')).toBe(stdout);
  });

  test('of a refused plan, with its error', async () => {
    const { stdout } = await gantry('plan', '.', '--max-changes', '1', '-o', 'json', '--report', 'refused.json');
    expect(JSON.parse(stdout)).toMatchObject({ refused: true, error: { code: 'plan.refused' } });
    expect(read('refused.json')).toBe(stdout);
  });

  test('of invalid input', async () => {
    writeFileSync(join(cwd, 'wrong.yml'), 'kind: workload\nname: web\ngvc: shop\nspec: {type: none}\n');
    const { code, stdout } = await gantry(
      'plan',
      'wrong.yml',
      '-o',
      'json',
      '--report',
      'wrong.json',
      '--report',
      'wrong.xml',
    );
    expect(code).toBe(1);
    expect(read('wrong.json')).toBe(stdout);
    expect(read('wrong.xml')).toContain('file="wrong.yml" line="4"');
  });
});

test('a page has its time, its commit and its platform', async () => {
  const env = { CI_COMMIT_SHA: '0123456789abcdef0123456789abcdef01234567' };
  await inProcess(platform, ['plan', '.', '--report', 'made.html'], { cwd, env });
  const [, data = ''] = /id="report">([^<]*)</.exec(read('made.html')) ?? [];
  expect(JSON.parse(data)).toMatchObject({
    made: { at: expect.stringMatching(/^20\d\d-.*Z$/), commit: env.CI_COMMIT_SHA },
    subject: { endpoint: expect.stringMatching(/^http/) },
  });
});

test('an unknown form or folder is an error before anything is sent', async () => {
  const before = platform.requests.length;
  expect(await gantry('apply', '.', '--yes', '--report', 'shop.pdf')).toMatchObject({ code: 64 });
  expect(await gantry('apply', '.', '--yes', '--report', 'out/shop.json')).toMatchObject({ code: 1 });
  expect(platform.requests.length).toBe(before);
});
