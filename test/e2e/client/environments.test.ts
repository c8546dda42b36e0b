import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { succeeded } from '../../outcome.ts';
import { platformForAll } from '../../server/platform.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';

const platform = platformForAll({}, async (each) => {
  await each.send('POST', 'gvc', { name: 'shop' });
});
const cwd = temporaryFolder('client-environments');

beforeAll(() => {
  writeFileSync(
    join(cwd, 'gantry.yaml'),
    'stack: web\nenvironments:\n  dev: {org: local, gvc: shop}\n  prod: {org: acme}\n',
  );
});

function run(line: string, env: Readonly<Record<string, string>> = {}) {
  // The org comes from the environment in gantry.yaml.
  return inProcess(undefined, line.split(' '), {
    cwd,
    env: { GANTRY_ENDPOINT: platform.url, GANTRY_TOKEN: 'secret-token', ...env },
  });
}

test('if no environment is chosen, the hint names the ways to choose one and the environments', async () => {
  const { code, stderr } = await run('workload get');
  expect(code).toBe(1);
  expect(stderr).toBe(
    'error settings.environment: no environment was chosen\n' +
      '  hint: Choose one: --env NAME, GANTRY_ENV, or env: NAME in gantry.yaml. Available: dev, prod.\n',
  );
});

test('--env NAME and GANTRY_ENV choose org and GVC, and --env KEY=VALUE sets a variable of the new workload', async () => {
  const made = await succeeded(
    run('workload create --env dev --name web --image shop/web:1 --env A=b --env C=d -o json'),
  );
  const env = [
    { name: 'A', value: 'b' },
    { name: 'C', value: 'd' },
  ];
  expect(JSON.parse(made.stdout)).toMatchObject({ spec: { containers: [{ env }] } });
  await succeeded(run('workload --env dev get web'));
  const dev = { GANTRY_ENV: 'dev' };
  await succeeded(run('workload create --name api --image shop/api:1', dev));
  expect((await succeeded(run('workload get -o names', dev))).stdout.trim().split('\n').toSorted()).toEqual([
    'api',
    'web',
  ]);
  const { stderr } = await run('gvc get --env prd');
  expect(stderr).toMatch(/gantry\.yaml has no environment "prd"\n.*Did you mean prod\?/);
});

test('--env NAME in a project without environments is refused, because it may be a variable without a value', async () => {
  const args = ['workload', 'create', '--org', 'local', '--gvc', 'shop', '--name', 'x', '--image', 'x:1', '--env', 'A'];
  const folder = temporaryFolder('client-no-environments');
  const { code, stderr } = await inProcess(undefined, args, {
    cwd: folder,
    env: { GANTRY_ENDPOINT: platform.url, GANTRY_TOKEN: 'secret-token' },
  });
  expect(code).toBe(64);
  expect(stderr).toBe(
    'error cli.usage: --env A has no effect: gantry.yaml has no environments\n' +
      '  hint: Leave it out. A variable of what is created is --env KEY=VALUE.\n',
  );
});
