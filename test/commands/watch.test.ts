import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { listenOnLoopback } from '../harness/loopback.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

test.each([
  { it: 'only a name', of: (name: string) => ({ name }) },
  { it: 'an id', of: (name: string) => ({ id: `id-${name}`, name }) },
  { it: 'a link', of: (name: string) => ({ name, links: [{ rel: 'self', href: `/org/acme/gvc/${name}` }] }) },
])('--watch shows each record of a list that has $it', async ({ of }) => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ items: ['one', 'two'].map(of) }));
  });
  const endpoint = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const words = ['gvc', 'get', '--watch', '--wait-timeout', '0s', '-o', 'names'];
  const where = ['--endpoint', endpoint, '--org', 'acme', '--token', 'key'];
  const { code, stdout } = await inProcess(undefined, [...words, ...where], { cwd: temporaryFolder('watch') });
  server.close().closeAllConnections();
  expect(code).toBe(0);
  expect(stdout).toMatch(/one.*\n.*two/);
});
