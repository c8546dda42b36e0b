import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { startProxy } from '../e2e/harness/proxy.ts';
import { usePlatform } from '../e2e/harness/usePlatform.ts';
import { succeeded } from '../outcome.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const cwd = temporaryFolder('secret-values');
const platform = usePlatform();
const text = 'first\nlast\n';
const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x0a]);
beforeAll(() => {
  writeFileSync(join(cwd, 'text.txt'), text);
  writeFileSync(join(cwd, 'image.png'), bytes);
  writeFileSync(join(cwd, 'encoded.txt'), 'aGVsbG8=\n');
});

function run(line: string, input = '') {
  return inProcess(platform, ['secret', ...line.split(' ')], { cwd, input });
}

async function dataOf(name: string) {
  return JSON.parse((await succeeded(run(`reveal ${name} -o json`))).stdout).data;
}

test.each([
  { it: 'a file', line: 'create-opaque --payload @text.txt', data: { payload: text } },
  { it: 'standard input', line: 'create-opaque --payload -', data: { payload: text } },
  { it: 'an entry', line: 'create-dictionary --entry a=@text.txt', data: { a: text } },
  { it: 'a password', line: 'create-userpass --username ann --password -', data: { password: text } },
])('the bytes of $it are sent with their final line end', async ({ line, data }) => {
  const name = `text-${expect.getState().currentTestName?.length}`;
  await succeeded(run(`${line} --name ${name}`, text));
  expect(await dataOf(name)).toMatchObject(data);
});

test('bytes that are not UTF-8 are stored in base64 if the type allows it', async () => {
  await succeeded(run('create-opaque --name opaque --payload @image.png'));
  expect(await dataOf('opaque')).toEqual({ payload: bytes.toString('base64'), encoding: 'base64' });
  await succeeded(run('create-userpass --name userpass --username ann --password @image.png'));
  expect(await dataOf('userpass')).toMatchObject({ password: bytes.toString('base64'), encoding: 'base64' });
});

test('update sets a value of a secret as it is written, of the type that the record has', async () => {
  await succeeded(run('create-opaque --name updated --payload old'));
  for (const value of ['new', '5', '"quoted"']) {
    await succeeded(run(`update updated --set data.payload=${value}`));
    expect(await dataOf('updated')).toMatchObject({ payload: value });
  }
});

test('with --encoding base64 a file with base64 is sent unchanged, and other bytes are encoded', async () => {
  await succeeded(run('create-opaque --name ready --payload @encoded.txt --encoding base64'));
  expect(await dataOf('ready')).toEqual({ payload: 'aGVsbG8=', encoding: 'base64' });
  await succeeded(run('create-opaque --name made --payload @image.png --encoding base64'));
  expect(await dataOf('made')).toEqual({ payload: bytes.toString('base64'), encoding: 'base64' });
});

// biome-ignore format: a row is a case
test.each([
  {
    it: 'bytes for a type that only takes text',
    line: 'create-tls --name x --cert @image.png',
    says: /image\.png: this is not UTF-8 text, and secrets of the type tls take only text.*\n.*create-opaque --payload @FILE/,
  },
  { it: 'bytes with --encoding plain', line: 'create-opaque --name x --payload @image.png --encoding plain',
    says: /image\.png is not UTF-8 text, as --encoding plain says\n.*Leave out --encoding/ },
  { it: 'standard input for two values', line: 'create-userpass --name x --username - --password -',
    says: /- is given twice.*\n.*@FILE/ },
  { it: 'a patch that is not text', line: 'patch x --file image.png',
    says: /image\.png: line 1: the text is not UTF-8/ },
  { it: 'a file that does not exist', line: 'create-opaque --name x --payload @none.txt',
    says: /none\.txt: .*\n.*Give a file that exists/ },
])('$it is refused, and nothing is sent', async ({ line, says }) => {
  const before = platform.requests.length;
  const { code, stderr } = await run(line, 'x');
  expect(code).not.toBe(0);
  expect(stderr).toMatch(says);
  expect(platform.requests.slice(before)).toEqual([]);
});

test('edit --replace of a secret is refused before the editor opens, with the command to use instead', async () => {
  const before = platform.requests.length;
  const line = ['secret', 'edit', 'opaque', '--replace'];
  const { code, stderr } = await inProcess(platform, line, { cwd, env: { EDITOR: 'false' } });
  expect([code, stderr]).toEqual([
    64,
    expect.stringMatching(/data is not shown\n.*gantry secret patch REF --file FILE writes data/),
  ]);
  expect(platform.requests.slice(before)).toEqual([]);
});

test('edit of a secret does not print the value that was typed', async () => {
  await succeeded(run('create-opaque --name typed --payload old'));
  writeFileSync(join(cwd, 'typed.yaml'), 'name: typed\ntype: opaque\ndata: {payload: typed-value}\n');
  const env = { EDITOR: 'cp typed.yaml' };
  const edited = await inProcess(platform, ['secret', 'edit', 'typed'], { cwd, env });
  expect(edited).toMatchObject({ code: 0, stderr: expect.stringContaining('data:\n  sensitive: true\n') });
  expect(edited.stdout + edited.stderr).not.toContain('typed-value');
  expect(await dataOf('typed')).toMatchObject({ payload: 'typed-value' });
});

// biome-ignore format: a row is a case
test.each(['//secret', '//secret/', '//secret?a=b', '//secret/x', '//secret/x/', '//secret/x?a=b', '//secret#a'])(
  'a refusal that repeats what rest sent to %s is shown without it',
  async (path) => {
    const body = JSON.stringify({ name: 'x', type: 'opaque', data: { payload: 'sent-value' } });
    const proxy = await startProxy(platform.url, ({ body: sent }) => ({ status: 400, body: { message: `no: ${sent}` } }));
    const line = ['rest', 'post', path, '--file', '-', '--debug'];
    const { code, stdout, stderr } = await inProcess({ url: proxy.url }, line, { cwd, input: body });
    await proxy.close();
    expect([code, stderr]).toEqual([1, expect.stringContaining('> (not shown)\n')]);
    expect(stdout + stderr).not.toContain('sent-value');
  },
);

test('the output of get -o yaml-slim for a secret can be applied, and keeps its value', async () => {
  await succeeded(run('create-opaque --name kept --payload hidden-value'));
  const { stdout } = await succeeded(run('get kept -o yaml-slim'));
  expect(stdout).not.toContain('hidden-value');
  const applied = await inProcess(platform, ['apply', '-', '--stack', 'again', '--adopt', '--yes'], {
    cwd,
    input: stdout,
  });
  expect(applied.code, applied.stderr).toBe(0);
  expect(await dataOf('kept')).toMatchObject({ payload: 'hidden-value' });
});
