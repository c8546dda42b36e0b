import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, test } from 'vitest';
import { compileCache } from '../compileCache.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { installPackage, manifestOf } from './installedProject.ts';

const project = temporaryFolder('installed');
const installed = join(project, 'node_modules/gantry');
const environment = { PATH: process.env['PATH'], HOME: project, ...compileCache };

beforeAll(() => installPackage(project));

function start(args: readonly string[]) {
  const child = spawn(process.execPath, [join(installed, 'dist/cli.js'), ...args], { cwd: project, env: environment });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (bytes) => {
    stdout += String(bytes);
  });
  child.stderr.on('data', (bytes) => {
    stderr += String(bytes);
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, ended, said: () => ({ stdout, stderr }) };
}

test('the package has no scripts and dependencies, and lists the licences of bundled packages', () => {
  const keys = Object.keys(manifestOf(installed));
  for (const ours of ['scripts', 'devDependencies', 'allowScripts', 'imports']) expect(keys).not.toContain(ours);
  expect(Object.keys(manifestOf(installed).dependencies ?? {})).toEqual([]);
  const licences = readFileSync(join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
  for (const name of ['commander', 'undici', 'js-yaml', 'pino', 'prom-client', '@jmespath-community/jmespath'])
    expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
  const { components, ...bill } = JSON.parse(readFileSync(join(installed, 'dist/bundled.cdx.json'), 'utf8'));
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { name: 'gantry' } },
  });
  const listed = components.map(({ name, version }: Record<string, string>) => `${name} ${version}`);
  expect(listed).toEqual([...licences.matchAll(/^(\S+ \d\S*) \([^)]*\)$/gm)].map(([, named]) => named));
  expect(components).toContainEqual(
    expect.objectContaining({ purl: expect.stringMatching(/^pkg:npm\/%40jmespath-community\/jmespath@\d/) }),
  );
  for (const document of ['README.md', 'CHANGELOG.md', 'LICENSE', 'docs/guarantees.md'])
    expect(existsSync(join(installed, document)), document).toBe(true);
});

test('a stack in TypeScript is applied to the embedded platform', async () => {
  writeFileSync(
    join(project, 'stack.ts'),
    `import { App, Gvc, Stack } from 'gantry';
const app = new App();
new Gvc(new Stack(app, 'installed'), 'shop', { locations: ['aws-eu-central-1'] });
export default app;
`,
  );
  writeFileSync(join(project, 'gantry.yaml'), 'stack: installed\n');
  const { ended, said } = start(['apply', 'stack.ts', '--embedded', '--yes', '-o', 'json']);
  expect(await ended, said().stderr).toBe(0);
  expect(said().stdout).toContain('"gvc/shop"');
});

describe('the platform as a service', () => {
  test('evaluates expressions, keeps a log and metrics, and ends its thread of expressions', async () => {
    const tokens = join(project, 'tokens.yaml');
    writeFileSync(tokens, 'tokens: [{token: token-of-app, principal: //gvc/shop/identity/app}]');
    const { child, ended, said } = start([
      'serve',
      '--port',
      '0',
      '--data',
      ':memory:',
      '--token',
      'boot',
      '--tokens',
      tokens,
    ]);
    try {
      const url = await new Promise<string>((resolve, reject) => {
        createInterface({ input: child.stdout }).on('line', resolve);
        ended.then(() => reject(new Error(`the platform did not start: ${said().stderr}`)));
      });
      const call = (token: string, method: string, path: string, body?: object) =>
        fetch(`${url}${path}`, {
          method,
          headers: { authorization: token },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
      const send = async (token: string, method: string, path: string, body?: object) =>
        (await call(token, method, `/org/local/${path}`, body)).status;
      const bindings = [{ permissions: ['view'], principalLinks: ['//group/apps'] }];
      expect(await send('boot', 'POST', 'gvc', { name: 'shop' })).toBe(201);
      expect(await send('boot', 'POST', 'gvc/shop/identity', { name: 'app' })).toBe(201);
      const policy = { name: 'apps', targetKind: 'gvc', target: 'all', bindings };
      expect(await send('boot', 'POST', 'policy', policy)).toBe(201);
      const group = { name: 'apps', identityMatcher: { expression: "name == 'app'" } };
      expect(await send('boot', 'POST', 'group', group)).toBe(201);
      expect(await send('token-of-app', 'GET', 'gvc/shop')).toBe(200);
      const identityMatcher = { expression: "$.name === 'app'", language: 'javascript' };
      expect(await send('boot', 'PATCH', 'group/apps', { identityMatcher })).toBe(200);
      expect(await send('token-of-app', 'GET', 'gvc/shop')).toBe(200);
      expect(await (await call('boot', 'GET', '/-metrics')).text()).toMatch(/^# HELP /m);
      child.kill('SIGTERM');
      expect(await ended).toBe(0);
      expect(said().stderr).toContain('"level":30');
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
  });

  test('on PostgreSQL names the packages that are not included', async () => {
    const { ended, said } = start(['serve', '--store', 'postgres://localhost:1/x', '--token', 'boot', '--port', '0']);
    expect(await ended).not.toBe(0);
    expect(said().stderr).toContain('error server.store-package: --store needs the packages pg and pg-boss');
    expect(said().stderr).toContain('npm install pg@8 pg-boss@12');
  });
});
