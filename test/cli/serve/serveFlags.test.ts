import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { type Running, runCli, startCli } from '../process.ts';

const root = temporaryFolder('serve-flags');

const url = /^http:/;
const token = 'flag-token-1';
const headers = { authorization: token, 'content-type': 'application/json' };

function serve(...flags: readonly string[]): Running {
  return startCli(['serve', '--port', '0', '--data', ':memory:', '--token', token, ...flags], root);
}

async function end({ child, ended }: Running): Promise<string> {
  child.kill('SIGTERM');
  const { code, stderr } = await ended;
  expect(code).toBe(0);
  return stderr;
}

test('the log has a line with an id for each request, without tokens and secrets', async () => {
  const server = serve();
  const endpoint = await server.line(url);
  const secret = { name: 'pass', type: 'opaque', data: { payload: 'geheim-42' } };
  const made = await fetch(`${endpoint}/org/local/secret`, { method: 'POST', headers, body: JSON.stringify(secret) });
  const revealed = await fetch(`${endpoint}/org/local/secret/pass/-reveal`, { headers });
  expect(await revealed.text()).toContain('geheim-42');
  await fetch(`${endpoint}/org/local/secret?token=${token}`, { headers: { authorization: 'geheim-43' } });
  await fetch(`${endpoint}/org/local/secret`, { method: 'POST', headers, body: '{"name": "geheim-44' });
  const lines = (await end(server)).split('\n').filter((line) => line.startsWith('{'));
  const entries = lines.map((line): Record<string, unknown> => JSON.parse(line));
  expect(entries.map(({ method, status }) => [method, status])).toEqual([
    ['POST', 201],
    ['GET', 200],
    ['GET', 401],
    ['POST', 400],
  ]);
  expect(entries[0]).toMatchObject({ path: '/org/local/secret', id: made.headers.get('x-request-id') });
  for (const hidden of ['geheim', token]) expect(lines.join('\n')).not.toContain(hidden);
});

test('flags set a virtual clock, faults and a snapshot', async () => {
  writeFileSync(join(root, 'faults.yaml'), 'seed: 1\nfaults:\n  - {method: PATCH, status: 503, times: 1}\n');
  const first = serve('--clock', 'virtual', '--faults', 'faults.yaml');
  const endpoint = await first.line(url);
  const body = JSON.stringify({ name: 'shop' });
  await fetch(`${endpoint}/org/local/gvc`, { method: 'POST', headers, body });
  const patch = () =>
    fetch(`${endpoint}/org/local/gvc/shop`, { method: 'PATCH', headers, body: '{"description":"d"}' });
  expect([(await patch()).status, (await patch()).status]).toEqual([503, 200]);
  const stepped = await fetch(`${endpoint}/-clock`, { method: 'POST', headers, body: '{"advance":"7d"}' });
  expect(stepped.status).toBe(200);
  writeFileSync(join(root, 'state.json'), await (await fetch(`${endpoint}/-snapshot`, { headers })).text());
  await end(first);

  const second = serve('--from', 'state.json');
  const there = await fetch(`${await second.line(url)}/org/local/gvc/shop`, { headers });
  expect(await there.json()).toMatchObject({ name: 'shop', description: 'd', version: 2 });
  await end(second);
});

test.each([
  [['--dev'], 200],
  [['--no-dev'], 404],
  [[], 200],
])('with the flags %j, /-clock answers %i', async (flags, status) => {
  const server = serve(...flags);
  const answer = await fetch(`${await server.line(url)}/-clock`, { headers });
  expect(answer.status).toBe(status);
  await end(server);
});

test.each([
  [['--faults', 'absent.yaml'], 'file.read'],
  [['--from', 'absent.json'], 'file.read'],
  [['--host', '0.0.0.0', '--no-auth'], 'server.open'],
  [['--host', '0.0.0.0', '--dev'], 'server.dev'],
  // With data in memory there is no place for a key, and the secrets would outlive it.
  [['--store', 'postgres://127.0.0.1:1/none'], 'server.secret-key'],
])('serve %j is refused with %s, and prints no URL', async (flags, code) => {
  const outcome = await runCli(['serve', '--port', '0', '--data', ':memory:', ...flags], root);
  expect(outcome).toMatchObject({ code: 1, stdout: '' });
  expect(outcome.stderr).toContain(code);
});
