import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { writeBelow } from '../../harness/writeBelow.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { runCli, startCli } from '../process.ts';

const root = temporaryFolder('outside');
let folder = '';
let count = 0;

const write = (path: string, content: string | Uint8Array) => writeBelow(folder, path, content);

const secret = (payload: string, more = '') => `kind: secret
name: key
type: opaque
data:
  payload: ${payload}
${more}`;

beforeEach(() => {
  count += 1;
  folder = join(root, String(count));
  mkdirSync(folder);
  write('gantry.yaml', 'stack: outside\n');
});

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  inProcess(undefined, args, { cwd: folder, env });

async function revealed(env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, stdout, stderr } = await run(['synth', '.', '--reveal', '-o', 'json'], env);
  expect(code, stderr).toBe(0);
  const [manifest] = JSON.parse(stdout);
  return manifest.data.payload;
}

async function problems(env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, stderr } = await run(['plan', '.', '--embedded'], env);
  expect(code).toBe(1);
  return stderr;
}

describe('the value of a secret is read from', () => {
  test('an environment variable, unchanged', async () => {
    write('a.yaml', secret('{fromEnv: DB_PASSWORD}'));
    expect(await revealed({ DB_PASSWORD: 'correct horse\n' })).toBe('correct horse\n');
  });

  test('a file next to the manifest, without one final line break', async () => {
    write('deep/a.yaml', secret('{fromFile: ../values/key.txt}'));
    write('values/key.txt', 'first\nsecond\n\n');
    expect(await revealed()).toBe('first\nsecond\n');
  });

  test('a binary file, in base64', async () => {
    write('a.yaml', secret('{fromFile: key.der, base64: true}', '  encoding: base64\n'));
    write('key.der', Uint8Array.of(0, 255, 254, 10));
    expect(await revealed()).toBe('AP/+Cg==');
  });

  test('a file outside of the project that gantry.yaml names', async () => {
    write('a.yaml', secret('{fromFile: ../shared/key.txt}'));
    write('gantry.yaml', 'stack: outside\nsecrets: {files: [../shared]}\n');
    write('../shared/key.txt', 'shared value');
    expect(await revealed()).toBe('shared value');
  });

  test('a command that gantry.yaml allows: without a shell, in the project folder, with its errors shown', async () => {
    write('gantry.yaml', 'stack: outside\nsecrets: {commands: true}\n');
    write('deep/a.yaml', secret('{fromCommand: [sh, -c, "echo for people >&2; cat key.txt; echo $1", x, "$HOME"]}'));
    write('key.txt', 'from the project ');
    const { stdout, stderr } = await runCli(['synth', '.', '--reveal', '-o', 'json'], folder);
    expect(stderr).toBe('for people\n');
    expect(JSON.parse(stdout)[0].data.payload).toBe('from the project $HOME');
  });

  test('a source in place of a whole text value', async () => {
    write('a.yaml', 'kind: secret\nname: registry\ntype: docker\ndata: {fromFile: auth.txt}\n');
    write('auth.txt', '{"auths": {"registry.example.com": {}}}\n');
    const { stdout } = await run(['synth', '.', '--reveal', '-o', 'json']);
    expect(JSON.parse(stdout)[0].data).toBe('{"auths": {"registry.example.com": {}}}');
  });

  test('no source if a dictionary has a key with that name', async () => {
    write('a.yaml', 'kind: secret\nname: words\ntype: dictionary\ndata: {fromEnv: HOME}\n');
    const { stdout } = await run(['synth', '.', '--reveal', '-o', 'json']);
    expect(JSON.parse(stdout)[0].data).toEqual({ fromEnv: 'HOME' });
  });
});

describe('a value that cannot be read is a problem with its place', () => {
  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'a variable that is not set', payload: '{fromEnv: NOT_THERE}',
        says: 'value.env  data.payload  the environment variable NOT_THERE is not set' },
      { it: 'a variable of Gantry', payload: '{fromEnv: GANTRY_TOKEN}',
        says: 'value.source  data.payload  variables that begin with GANTRY_' },
      { it: 'a file that is missing', payload: '{fromFile: none.txt}',
        says: 'value.file  data.payload  the file cannot be read: there is no such file' },
      { it: 'a folder', payload: '{fromFile: .}',
        says: 'value.file  data.payload  the file cannot be read: it is not a regular file' },
      { it: 'an empty file', payload: '{fromFile: empty.txt}', says: 'value.empty  data.payload  the file is empty' },
      { it: 'bytes that are not UTF-8', payload: '{fromFile: bytes.bin}',
        says: 'value.encoding  data.payload  the file is not UTF-8 text' },
      { it: 'a file that is too long', payload: '{fromFile: long.txt}',
        says: 'value.file  data.payload  the file cannot be read: it has more than 1 MiB' },
      { it: 'a file outside of the project', payload: '{fromFile: /etc/passwd}',
        says: 'value.file  data.payload  the file is outside of the project folder' },
      { it: 'a link to a file outside of the project', payload: '{fromFile: link.txt}',
        says: 'value.file  data.payload  the file is outside of the project folder' },
      { it: 'a pipe', payload: '{fromFile: pipe}',
        says: 'value.file  data.payload  the file cannot be read: it is not a regular file' },
      { it: 'the settings, which may contain a token', payload: '{fromFile: gantry.yaml}',
        says: 'value.file  data.payload  this file belongs to Gantry' },
      { it: 'a command that is not allowed', payload: '{fromCommand: [cat, x]}',
        says: 'value.command  data.payload  gantry.yaml does not allow commands' },
      { it: 'two sources', payload: '{fromEnv: A, fromFile: b}', says: 'value.source  data.payload  beside fromEnv' },
      { it: 'a source of the wrong form', payload: '{fromCommand: cat x}',
        says: 'value.source  data.payload  fromCommand must be a list' },
    ],
  )('$it', async ({ payload, says }) => {
    write('a.yaml', secret(payload));
    write('empty.txt', '');
    write('bytes.bin', Uint8Array.of(200, 201));
    write('long.txt', 'x'.repeat(1_048_577));
    symlinkSync('/etc/passwd', join(folder, 'link.txt'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const said = await problems({ GANTRY_TOKEN: 'the-token' });
    expect(said).toContain(`a.yaml:5:3  ${says}`);
    expect(said).toContain('1 problem; nothing was written');
  });

  test.each([
    { it: 'does not exist', command: '[no-such-program]', says: 'no-such-program cannot be started' },
    { it: 'fails', command: '[sh, -c, "echo hush-hush; exit 3"]', says: 'sh ended with exit code 3' },
    { it: 'writes without an end', command: '[yes, hush-hush]', says: 'yes wrote more than 1 MiB' },
    {
      it: 'does not write UTF-8',
      command: '["printf", "\\\\300"]',
      says: 'the output of the command is not UTF-8 text',
    },
  ])('a command that $it', async ({ command, says }) => {
    write('gantry.yaml', 'stack: outside\nsecrets: {commands: true}\n');
    write('a.yaml', secret(`{fromCommand: ${command}}`));
    const said = await problems();
    expect(said).toContain('a.yaml:5:3');
    expect(said).toContain(says);
    expect(said).not.toContain('hush-hush');
  });

  test.each([
    {
      it: 'in a field that is not secret',
      text: 'kind: gvc\nname: shop\ndescription: {fromEnv: A}\n',
      says: 'a.yaml:3:1  value.place  description  a value from outside is allowed only in the data of a secret and at paths of lifecycle.sensitive',
    },
    {
      it: 'in place of an object',
      text: secret('').replace('data:\n  payload: ', 'data: {fromFile: x}'),
      says: 'a.yaml:4:1  value.place  data  a value from outside is a single text, but an object is needed',
    },
  ])('$it', async ({ text, says }) => {
    write('a.yaml', text);
    const said = await problems();
    expect(said).toContain(says);
    expect(said).toContain('1 problem; nothing was written');
  });

  test('a tag cannot have a source object as its value', async () => {
    write('a.yaml', 'kind: gvc\nname: shop\ntags: {a: {fromEnv: X}}\n');
    expect(await problems()).toContain('value.place  tags.a');
  });
});

test('validate reads no values from the environment, files or commands', async () => {
  write('gantry.yaml', 'stack: outside\nsecrets: {commands: true}\n');
  write('a.yaml', 'kind: secret\nname: registry\ntype: docker\ndata: {fromCommand: [touch, ran]}\n---\n');
  write('b.yaml', secret('{fromEnv: NOT_THERE}'));
  const { code, stdout, stderr } = await run(['validate', '.']);
  expect(stderr + stdout).toBe('2 resources are valid\n');
  expect(code).toBe(0);
  expect(() => execFileSync('ls', [join(folder, 'ran')], { stdio: 'pipe' })).toThrow('No such file');
});

test('a saved plan reads the values again, and accepts no others', async () => {
  write('a.yaml', secret('{fromEnv: DB_PASSWORD}'));
  const runWith = (DB_PASSWORD: string, ...args: readonly string[]) =>
    run([...args, '--embedded'], { DB_PASSWORD, GANTRY_SECRET_KEY: 'k'.repeat(40) });
  await succeeded(runWith('correct horse', 'plan', '.', '--out', 'kept.plan'));
  const other = await runWith('battery staple', 'apply', 'kept.plan', '--yes');
  expect(other.stderr).toContain('saved.secret-changed');
  await succeeded(runWith('correct horse', 'apply', 'kept.plan', '--yes'));
});

test('a stack that puts a sensitive value into a text is refused at that line, without the value', async () => {
  const index = new URL('../../../src/index.ts', import.meta.url).pathname;
  const lines = [
    `import { App, Secret, sensitive, Stack } from ${JSON.stringify(index)};`,
    "const password = sensitive('swordfish');",
    "new Secret(new Stack(new App(), 's'), 'db', {",
    "  type: 'opaque',",
    "  data: { payload: 'postgres://shop:' + password },",
    '});',
  ];
  write('stack.ts', lines.join('\n'));
  const said = await problems();
  expect(said).toContain('stack.ts:5:');
  expect(said).toContain('a sensitive value can be given to a field as a whole only');
  expect(said).toContain('sensitive(text)');
  expect(said).not.toContain('swordfish');
});

test('interrupting Gantry while a command runs interrupts the command', async () => {
  write('gantry.yaml', 'stack: outside\nsecrets: {commands: true}\n');
  write(
    'a.yaml',
    secret(
      '{fromCommand: [sh, -c, "trap \'echo told to stop >&2; exit 1\' TERM; echo ready >&2; while :; do sleep 0.05; done"]}',
    ),
  );
  const running = startCli(['synth', '.', '--reveal'], folder);
  await running.line(/^ready$/);
  running.child.kill('SIGINT');
  const { code, stderr, stdout } = await running.ended;
  expect(stderr).toContain('told to stop');
  expect(code).not.toBe(0);
  expect(stdout).toBe('');
});

test('a literal placeholder in a secret is a warning at its place, without the value; a read value has none', async () => {
  const literal = ['$', '{x}'].join('');
  write('a.yaml', secret(`'swordfish-${literal}'`));
  write('b.yaml', secret('{fromEnv: TEMPLATE}').replace('name: key', 'name: other'));
  const { code, stderr } = await run(['plan', '.', '--embedded'], { TEMPLATE: literal });
  expect(code, stderr).toBe(0);
  expect(stderr.match(/value\.literal/g)).toHaveLength(1);
  expect(stderr).toContain('a.yaml:5:12  value.literal  data.payload  warning: the value contains $');
  expect(stderr).not.toContain('swordfish');
});
