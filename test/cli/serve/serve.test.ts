import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startProxy, type Verdict } from '../../e2e/harness/proxy.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { runCli, startCli } from '../process.ts';

const root = temporaryFolder('serve');

const url = /^http:\/\/127\.0\.0\.1:\d+$/;

function withToken(token: string) {
  return { headers: { authorization: `Bearer ${token}` } };
}

test('serve prints only its URL on standard output, stores a new token, and ends cleanly on SIGTERM', async () => {
  const server = startCli(['serve', '--port', '0', '--data', 'kept'], root);
  const told = server.line(/^token: /);
  const page = server.line(/^console: /);
  const endpoint = await server.line(url);
  const token = readFileSync(join(root, 'kept', 'token'), 'utf8').trim();

  expect(await told).toContain(token);
  expect(await page).toBe(`console: ${endpoint}/-console`);
  expect((await fetch(`${endpoint}/-console`)).status).toBe(200);
  expect(statSync(join(root, 'kept', 'token')).mode & 0o777).toBe(0o600);
  expect(statSync(join(root, 'kept', 'platform.db.key')).mode & 0o777).toBe(0o600);
  expect((await fetch(`${endpoint}/org/local/gvc`, withToken(token))).status).toBe(200);
  expect((await fetch(`${endpoint}/org/local/gvc`)).status).toBe(401);

  server.child.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0, stdout: `${endpoint}\n` });
});

test('serve takes its token, org and users from flags, and can run without a token', async () => {
  const given = startCli(
    ['serve', '--port', '0', '--data', ':memory:', '--token', 't1', '--org', 'o1', '--user', 'ann@example.com'],
    root,
  );
  const endpoint = await given.line(url);
  const users = await fetch(`${endpoint}/org/o1/user`, withToken('t1'));
  expect(await users.json()).toMatchObject({ items: [{ email: 'admin@example.com' }, { email: 'ann@example.com' }] });
  given.child.kill('SIGINT');
  expect((await given.ended).code).toBe(0);

  const open = startCli(['serve', '--port', '0', '--data', ':memory:', '--no-auth'], root);
  expect((await fetch(`${await open.line(url)}/org/local/gvc`)).status).toBe(200);
  open.child.kill('SIGTERM');
  expect((await open.ended).code).toBe(0);
});

test('a port in use is an error with a hint, without a stack trace', async () => {
  const first = startCli(['serve', '--port', '0', '--data', ':memory:'], root);
  const port = new URL(await first.line(url)).port;
  const second = await runCli(['serve', '--port', port, '--data', ':memory:'], root);
  expect(second.code).toBe(1);
  expect(second.stderr).toMatch(/^error \S+: .+/m);
  expect(second.stderr).not.toContain('    at ');
  first.child.kill('SIGTERM');
  await first.ended;
});

test('Ctrl-C finishes requests in flight and names the remaining changes; the next run continues', async () => {
  const server = startCli(['serve', '--port', '0', '--data', ':memory:', '--token', 't'], root);
  // No identity is answered before the signal arrives.
  const interrupted = Promise.withResolvers<void>();
  const proxy = await startProxy(await server.line(url), async ({ isWrite, path }): Promise<Verdict> => {
    if (isWrite && path.endsWith('/identity')) await interrupted.promise;
    return 'pass';
  });
  const folder = join(root, 'stack');
  mkdirSync(folder);
  const names = Array.from({ length: 12 }, (_, index) => `identity-${index}`);
  const identities = names.map((name) => `---\nkind: identity\nname: ${name}\ngvc: shop\n`);
  writeFileSync(join(folder, 'gantry.yaml'), `stack: shop\norg: local\nendpoint: ${proxy.url}\ntoken: t\n`);
  writeFileSync(join(folder, 'all.yaml'), `kind: gvc\nname: shop\n${identities.join('')}`);

  const run = startCli(['apply', folder, '--yes', '--parallelism', '4'], root);
  const heard = run.line(/finishing the requests in flight/);
  await run.line(/gvc\/shop created/);
  run.child.kill('SIGINT');
  await heard;
  interrupted.resolve();
  const { code, stdout } = await run.ended;
  expect(code).toBe(130);
  expect(stdout).toContain('Interrupted');

  expect((await runCli(['apply', folder, '--yes'], root)).code).toBe(0);
  const again = await runCli(['plan', folder, '--detailed-exitcode'], root);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('13 unchanged') });
  await proxy.close();
  server.child.kill('SIGTERM');
  await server.ended;
});
