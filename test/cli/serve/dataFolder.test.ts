import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDataFolder } from '../../../src/project/platform/dataFolder.ts';
import { served } from '../../server/storage/served.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const root = temporaryFolder('data');

async function opened(folder: string): Promise<readonly string[]> {
  const told: string[] = [];
  await openDataFolder(folder, (text) => told.push(text));
  return told;
}

function modeOf(...path: readonly string[]): string {
  return (statSync(join(root, ...path)).mode & 0o777).toString(8);
}

function folder(name: string, mode: number, files: Readonly<Record<string, number>> = {}): string {
  const path = join(root, name);
  mkdirSync(path);
  for (const [file, fileMode] of Object.entries(files)) {
    writeFileSync(join(path, file), 'x');
    chmodSync(join(path, file), fileMode);
  }
  chmodSync(path, mode);
  return path;
}

test('a new folder is private and ignored by git, without a message', async () => {
  expect(await opened(join(root, 'new', 'data'))).toEqual([]);
  expect([modeOf('new', 'data'), readFileSync(join(root, 'new', 'data', '.gitignore'), 'utf8')]).toEqual([
    '700',
    '*\n',
  ]);
  expect(await opened(join(root, 'new', 'data'))).toEqual([]);
});

test.each([0o755, 0o777, 0o750, 0o701])(
  'an open folder of the platform (%o) is closed with a message',
  async (mode) => {
    const path = folder(`open-${mode}`, mode, { 'platform.db': 0o600, token: 0o600 });
    expect(await opened(path)).toEqual([
      expect.stringMatching(`^the folder ${path} was open to other users \\(${mode.toString(8)}\\)`),
    ]);
    expect(modeOf(`open-${mode}`)).toBe('700');
    expect(await opened(path)).toEqual([]);
  },
);

test('an empty open folder is closed too', async () => {
  expect(await opened(folder('empty', 0o755))).toHaveLength(1);
  expect(modeOf('empty')).toBe('700');
});

test('every file with a secret is closed, and no other one', async () => {
  const all = {
    'platform.db': 0o644,
    'platform.db-wal': 0o664,
    'platform.db.key': 0o640,
    token: 0o604,
    'notes.txt': 0o644,
  };
  const told = await opened(folder('files', 0o700, all));
  expect(told.map((line) => /files\/(\S+) was open/.exec(line)?.[1])).toEqual([
    'platform.db',
    'platform.db-wal',
    'platform.db.key',
    'token',
  ]);
  expect(Object.keys(all).map((name) => modeOf('files', name))).toEqual(['600', '600', '600', '600', '644']);
});

test('a folder with other files stays readable, and a writable one causes a warning', async () => {
  expect(await opened(folder('shared', 0o755, { 'index.html': 0o644, token: 0o600 }))).toEqual([]);
  const told = await opened(folder('writable', 0o777, { 'index.html': 0o644 }));
  expect(told).toEqual([expect.stringContaining('warning: other users may replace what is in')]);
  expect([modeOf('shared'), modeOf('writable')]).toEqual(['755', '777']);
});

test('a link in place of a file is not followed', async () => {
  writeFileSync(join(root, 'target'), 'x');
  chmodSync(join(root, 'target'), 0o644);
  const path = folder('linked', 0o700);
  symlinkSync(join(root, 'target'), join(path, 'token'));
  expect(await opened(path)).toEqual([]);
  expect(modeOf('target')).toBe('644');
});

test('gantry serve prints the message on standard error, and answers', async () => {
  await (await served('whole', root)).end();
  chmodSync(join(root, 'whole'), 0o755);
  chmodSync(join(root, 'whole', 'platform.db'), 0o644);
  const server = await served('whole', root);
  expect((await server.send('GET', 'gvc')).status).toBe(200);
  const told = await server.end();
  expect(told).toContain('the folder whole was open to other users (755); its permissions are now 700');
  expect(told).toContain('whole/platform.db was open to other users (644)');
  expect([modeOf('whole'), modeOf('whole', 'platform.db')]).toEqual(['700', '600']);
});
