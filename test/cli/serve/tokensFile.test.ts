import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTokensFile } from '../../../src/cli/commands/serve.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { runCli, startCli } from '../process.ts';

const folder = temporaryFolder('tokens');

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test('a file of tokens maps each to a principal and an expiry', async () => {
  const path = file(
    'good.yaml',
    'tokens:\n  - {token: token-of-ann, principal: //user/ann@x.example, expires: 2030-01-01T00:00:00Z}\n',
  );
  expect(await readTokensFile(path, 'local')).toEqual([
    { token: 'token-of-ann', principal: '//user/ann@x.example', expiresMs: 1_893_456_000_000 },
  ]);
});

test.each([
  ['no list', 'tokens: {}', 'server.tokens', 'tokens: must be a list'],
  ['a bad principal', 'tokens: [{token: a-long-token, principal: ann}]', 'server.tokens', 'tokens.0.principal'],
  ['no object', '[]', 'file.read', 'it holds no object'],
])('%s is refused with the place, and without the token', async (name, text, code, message) => {
  const read = readTokensFile(file(`${name}.yaml`, text), 'local');
  await expect(read).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  await expect(read).rejects.not.toMatchObject({ message: expect.stringContaining('a-long-token') });
});

test('serve --tokens accepts these tokens; without one, listening beyond loopback is refused', async () => {
  const path = file('serve.yaml', 'tokens: [{token: token-of-ann, principal: //user/ann@x.example}]');
  const args = ['serve', '--port', '0', '--data', ':memory:'];
  const server = startCli([...args, '--user', 'ann@x.example', '--tokens', path], folder);
  const endpoint = await server.line(/^http:/);
  const answer = await fetch(`${endpoint}/org/local/gvc`, { headers: { authorization: 'token-of-ann' } });
  expect(answer.status).toBe(200);
  server.child.kill('SIGTERM');
  expect((await server.ended).stderr).not.toContain('token-of-ann');

  const open = await runCli([...args, '--host', '0.0.0.0', '--no-auth'], folder);
  expect(open).toMatchObject({ code: 1, stderr: expect.stringContaining('server.open') });
});
