import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import { runCli } from '../cli/process.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { type Served, served } from './storage/served.ts';

const root = temporaryFolder('process');

async function end({ running }: Served): Promise<void> {
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
}

test('two hundred writers at once: each change has a version of its own (law 9)', async () => {
  const server = await served(':memory:', root);
  await server.send('POST', 'gvc', { name: 'shop' });
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, number) =>
      server.send('PATCH', 'gvc/shop', { tags: { [`w${number % 40}`]: `${number}` } }),
    ),
  );
  expect(new Set(answers.map(({ body }) => body['version'])).size).toBe(200);
  expect((await server.send('GET', 'gvc/shop')).body['version']).toBe(201);
  await end(server);
});

test("two processes on one database see each other's writes", async () => {
  const [one, two] = await Promise.all([served('both', root), served('both', root)]);
  await one.send('POST', 'gvc', { name: 'shop' });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, number) =>
      (number % 2 === 0 ? one : two).send('PATCH', 'gvc/shop', { tags: { a: `${number}` } }),
    ),
  );
  expect(new Set(answers.map(({ body }) => body['version'])).size).toBe(40);
  expect((await two.send('GET', 'gvc/shop')).body).toEqual((await one.send('GET', 'gvc/shop')).body);
  await Promise.all([end(one), end(two)]);
});

interface Unusable {
  readonly it: string;
  readonly args: readonly string[];
  readonly code: string;
}

const closed = { recursive: true, mode: 0o700 } as const;
mkdirSync(join(root, 'folder', 'platform.db'), closed);
mkdirSync(join(root, 'junk'), closed);
writeFileSync(join(root, 'junk', 'platform.db'), 'this is no database, it only has its name. '.repeat(100), {
  mode: 0o600,
});
writeFileSync(join(root, 'file'), '');

mkdirSync(join(root, 'newer'), closed);
const newer = new DatabaseSync(join(root, 'newer', 'platform.db'));
newer.exec('PRAGMA user_version = 999');
newer.close();
chmodSync(join(root, 'newer', 'platform.db'), 0o600);

const unusable: readonly Unusable[] = [
  { it: 'a file for a folder', args: ['--data', 'file'], code: 'data.unusable' },
  { it: 'a folder below a file', args: ['--data', 'file/below'], code: 'data.unusable' },
  { it: 'a folder where the database should be', args: ['--data', 'folder'], code: 'server.data' },
  { it: 'a file that is not a database', args: ['--data', 'junk'], code: 'server.data' },
  { it: 'the database of a newer version', args: ['--data', 'newer'], code: 'server.data' },
  { it: 'an invalid name of an org', args: ['--data', ':memory:', '--org', 'A b'], code: 'server.org-name' },
  { it: 'a reserved name of an org', args: ['--data', ':memory:', '--org', 'index'], code: 'server.org-name' },
  { it: 'the database of another org', args: ['--data', 'ours', '--org', 'other'], code: 'server.other-org' },
];

beforeAll(async () => end(await served('ours', root)));

test.each(unusable)('serve explains what is wrong with $it, and prints no URL', async ({ args, code }) => {
  const outcome = await runCli(['serve', '--port', '0', '--token', 't', ...args], root);
  expect(outcome).toMatchObject({ code: 1, stdout: '' });
  expect(outcome.stderr).toMatch(new RegExp(`^error ${code}: .+\\n {2}hint: .+`));
  expect(outcome.stderr).not.toContain('    at ');
});
