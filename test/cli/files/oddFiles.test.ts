import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileRefusal } from '../../../src/project/files/fileRefusal.ts';
import { readBytes } from '../../../src/project/files/readBytes.ts';
import { readPipe } from '../../../src/project/files/readPipe.ts';
import { compileCache } from '../../compileCache.ts';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { ended, type Outcome } from '../../outcome.ts';
import { startCli } from '../process.ts';

const main = new URL('../../../dist/cli.js', import.meta.url).pathname;
const group = 'kind: group\nname: one\n';

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'gantry-odd-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
function folder(files: Readonly<Record<string, string>> = {}): string {
  folders += 1;
  const path = join(root, `f${folders}`);
  mkdirSync(path);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
  return path;
}

function pipe(path: string): string {
  execFileSync('mkfifo', [path]);
  return path;
}

/** Runs a shell in which `gantry` is the command line. */
function shell(script: string, cwd: string): Promise<Outcome> {
  const child = spawn('bash', ['-c', `gantry() { ${process.execPath} ${main} "$@"; }; ${script}`], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, ...compileCache },
  });
  return ended(child);
}

function expectRefusal({ code, stdout, stderr }: Outcome, says: string): void {
  expect(`${stdout}${stderr}`).toContain(says);
  expect(`${stdout}${stderr}`).not.toMatch(/\n\s+at /);
  expect(code).toBe(1);
}

describe('a pipe without a writer is refused immediately', () => {
  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'gantry.yaml', name: 'gantry.yaml', args: ['validate', '.'],
        says: 'gantry.yaml: it is a pipe, not a file' },
      { it: 'a manifest in a folder', name: 'b.yaml', args: ['validate', '.'], says: 'b.yaml:1:1  input.not-a-file' },
      { it: 'the stack of a folder', name: 'stack.ts', args: ['validate', '.'],
        says: 'stack.ts:1:1  input.not-a-file' },
      { it: 'the target of --out', name: 'p', args: ['plan', 'a.yaml', '--embedded', '--stack', 'a', '--out', 'p'],
        says: 'it is a pipe that nobody reads' },
      { it: 'the token of a data folder', name: 'token', args: ['serve', '--port', '0', '--data', '.'],
        says: 'token: it is a pipe, not a file' },
      { it: 'the key of a data folder', name: 'platform.db.key',
        args: ['serve', '--port', '0', '--data', '.', '--no-auth'], says: 'it is not a file' },
    ],
  )('as $it', async ({ name, args, says }) => {
    const cwd = folder({ 'a.yaml': group });
    pipe(join(cwd, name));
    expectRefusal(await inProcess(undefined, args, { cwd }), says);
  });
});

test('a device and a socket are refused wherever a path is accepted', async () => {
  const cwd = folder({ 'a.yaml': group, 'gantry.yaml': 'stack: a\n' });
  symlinkSync('/dev/zero', join(cwd, 'zero.yaml'));
  const server = createServer().listen(join(cwd, 'socket.yaml'));
  await new Promise((resolve) => server.once('listening', resolve));
  const all = [
    ['validate', '/dev/zero'],
    ['validate', 'zero.yaml'],
    ['validate', 'socket.yaml'],
    ['plan', 'a.yaml', '--org', 'o', '--snapshot', '/dev/zero'],
    ['plan', 'a.yaml', '--org', 'o', '--snapshot', 'socket.yaml'],
    ['validate', 'a.yaml', '--dialect', '/dev/zero'],
    ['serve', '--port', '0', '--data', ':memory:', '--faults', '/dev/zero'],
    ['serve', '--port', '0', '--data', ':memory:', '--tokens', '/dev/zero'],
    ['serve', '--port', '0', '--data', ':memory:', '--from', '/dev/zero'],
  ];
  for (const args of all)
    expectRefusal(
      await inProcess(undefined, args, { cwd }),
      args.some((arg) => /socket/.test(arg)) ? 'socket' : 'it is a device',
    );
  server.close();
});

describe('named pipes', () => {
  test('are read to their end: <(command), /dev/stdin', async () => {
    const cwd = folder({ 'a.yaml': group });
    const named = await shell(
      `gantry synth <(cat a.yaml; echo '---'; echo 'kind: group'; echo 'name: two') -o json`,
      cwd,
    );
    expect(named.stderr).toBe('');
    expect(named.stdout).toContain('"two"');
    const stdin = await shell('cat a.yaml | gantry synth /dev/stdin -o json', cwd);
    expect(stdin.stdout).toContain('"one"');
    const dialect = await shell(`gantry validate a.yaml --dialect <(echo 'words: {scheme: acme}')`, cwd);
    expect(dialect).toMatchObject({ code: 0 });
  });

  test('are limited in bytes and in silence', async () => {
    const path = pipe(join(folder(), 'p'));
    await expect(readPipe(path, 1_000, 20)).rejects.toThrow('nothing was written for 0.02 s');
    const writer = spawn('bash', ['-c', `yes > ${path}`]);
    await expect(readBytes(path, { most: 1_000, pipes: true })).rejects.toThrow(FileRefusal);
    writer.kill();
  });

  test('are closed by Ctrl-C', async () => {
    const cwd = folder();
    pipe(join(cwd, 'p.yaml'));
    const running = startCli(['validate', 'p.yaml'], cwd);
    const writing = openSync(join(cwd, 'p.yaml'), 'w'); // waits for the reader
    running.child.kill('SIGINT');
    const { code } = await running.ended;
    closeSync(writing);
    expect(code).toBe(130);
  });
});

test('a deleted working folder is one error line', async () => {
  const cwd = folder();
  mkdirSync(join(cwd, 'gone'));
  const outcome = await shell('cd gone; rmdir ../gone; gantry validate', cwd);
  expectRefusal(outcome, 'error cli.folder: the current folder was deleted');
  expect((await shell('mkdir g; cd g; rmdir ../g; gantry --version', cwd)).code).toBe(0);
});

describe('a full disk', () => {
  test.each(['rules', 'rules -o json', '--version', '--help', 'plan a.yaml --embedded --stack a'])(
    'as standard output of %s is one error line, and no success',
    async (command) => {
      const outcome = await shell(`gantry ${command} > /dev/full`, folder({ 'a.yaml': group }));
      expect(outcome).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^error output\.lost: ENOSPC[^\n]*\n$/),
      });
    },
  );

  test('as standard error is an error only if something is printed there', async () => {
    const cwd = folder({ 'a.yaml': group });
    expect(await shell('gantry validate nope.yaml 2> /dev/full', cwd)).toMatchObject({ code: 1 });
    expect(await shell('gantry nosuch 2> /dev/full', cwd)).toMatchObject({ code: 64 });
    expect(await shell('gantry rules 2> /dev/full', cwd)).toMatchObject({ code: 0 });
    expect(await shell('gantry rules > /dev/full 2> /dev/full', cwd)).toMatchObject({ code: 1 });
  });

  test('as --out is an error; a reader that closes early is not', async () => {
    const cwd = folder({ 'a.yaml': group });
    const full = await shell('gantry plan a.yaml --embedded --stack a --out /dev/full', cwd);
    expectRefusal(full, 'saved.unwritable');
    const closed = await shell('gantry rules -o json | head -c 1; echo; echo $PIPESTATUS', cwd);
    expect(closed).toEqual({ code: 0, stdout: '[\n0\n', stderr: '' });
  });

  // A limit on the size of files is what a full disk is, and needs no disk.
  test('leaves package.json as it was, and no part of a new file', async () => {
    const mine = JSON.stringify({ name: 'mine', description: 'the only copy '.repeat(285) });
    const cwd = folder({ 'package.json': mine });
    expectRefusal(await shell('ulimit -f 4; gantry init --name orders', cwd), 'package.json cannot be written');
    expectRefusal(await shell('ulimit -f 0; gantry add secret one --dir .', cwd), 'cannot be written');
    expect(readFileSync(join(cwd, 'package.json'), 'utf8')).toBe(mine);
    expect(readdirSync(cwd).filter((name) => /^one|\.tmp$/.test(name))).toEqual([]);
    expect(await shell('gantry init --name orders && gantry add secret one --dir .', cwd)).toMatchObject({ code: 0 });
  });

  test('--out accepts a pipe with a reader', async () => {
    const cwd = folder({ 'a.yaml': group });
    await shell('gantry plan a.yaml --embedded --stack a --out >(cat > kept.plan); wait $!', cwd);
    expect(readFileSync(join(cwd, 'kept.plan'), 'utf8')).toContain('"saved-plan"');
  });
});

test.each(['SIGHUP', 'SIGTERM', 'SIGINT'] as const)('%s ends a server cleanly', async (signal) => {
  const running = startCli(['serve', '--port', '0', '--data', ':memory:', '--no-auth'], folder());
  await running.line(/^http/);
  running.child.kill(signal);
  expect(await running.ended).toMatchObject({ code: 0 });
});
