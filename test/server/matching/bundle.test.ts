import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';

const bundle = new URL('../../../dist/cli.js', import.meta.url).pathname;

test('the bundled command line chooses identities by expressions: its thread goes with it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-matching-'));
  const tokens = join(folder, 'tokens.yaml');
  writeFileSync(tokens, 'tokens: [{token: token-of-app, principal: //gvc/shop/identity/app}]');
  const args = ['serve', '--port', '0', '--data', ':memory:', '--token', 'boot', '--tokens', tokens];
  const child = spawn(process.execPath, [bundle, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', resolve);
      ended.then(() => reject(new Error('the platform did not start')));
    });
    const send = async (token: string, method: string, path: string, body?: object) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return (await fetch(`${url}/org/local/${path}`, { method, headers: { authorization: token }, ...sent })).status;
    };
    const bindings = [{ permissions: ['view'], principalLinks: ['//group/apps'] }];
    expect(await send('boot', 'POST', 'gvc', { name: 'shop' })).toBe(201);
    expect(await send('boot', 'POST', 'gvc/shop/identity', { name: 'app' })).toBe(201);
    expect(await send('boot', 'POST', 'policy', { name: 'apps', targetKind: 'gvc', target: 'all', bindings })).toBe(
      201,
    );
    expect(
      await send('boot', 'POST', 'group', { name: 'apps', identityMatcher: { expression: "name == 'app'" } }),
    ).toBe(201);
    expect(await send('token-of-app', 'GET', 'gvc/shop')).toBe(200);
    const identityMatcher = { expression: "$.name === 'app'", language: 'javascript' };
    expect(await send('boot', 'PATCH', 'group/apps', { identityMatcher })).toBe(200);
    expect(await send('token-of-app', 'GET', 'gvc/shop')).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  } finally {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true });
  }
});
