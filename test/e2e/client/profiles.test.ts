import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { resolveSettings } from '../../../src/project/settings/resolveSettings.ts';
import { succeeded } from '../../outcome.ts';
import { platformForAll } from '../../server/platform.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';

const platform = platformForAll();
const root = temporaryFolder('profiles');
let cwd = root;
let count = 0;

beforeEach(async () => {
  const { mkdirSync } = await import('node:fs');
  count += 1;
  cwd = join(root, String(count));
  mkdirSync(cwd);
});

function run(args: readonly string[], input = '', env: Readonly<Record<string, string>> = {}) {
  return inProcess(undefined, args, { cwd, input, env });
}

const file = (name: string) => join(cwd, '.config/gantry/profiles', name);

test('a profile is created, logged in from standard input and used, and only its owner can read its files', async () => {
  await succeeded(run(['profile', 'create', 'work', '--endpoint', platform.url, '--org', 'local', '--gvc', 'shop']));
  await succeeded(run(['profile', 'login'], 'secret-token\n'));
  expect(statSync(file('work.json')).mode & 0o777).toBe(0o600);
  expect(statSync(join(cwd, '.config/gantry/profiles')).mode & 0o777).toBe(0o700);
  const made = await succeeded(run(['gvc', 'create', '--name', 'shop', '--location', 'aws-us-west-2', '-o', 'names']));
  expect(made.stdout).toBe('shop\n');
  expect((await succeeded(run(['workload', 'get']))).stderr).toBe('No workloads found.\n');
  const { stdout } = await succeeded(run(['profile', 'get', '-o', 'json']));
  expect(stdout).not.toContain('secret-token');
  expect(JSON.parse(stdout)).toMatchObject({ items: [{ name: 'work', default: true, org: 'local', token: 'saved' }] });
});

test('a token can come from a file or the environment; one on the command line is a warning', async () => {
  await succeeded(run(['profile', 'create', 'work', '--endpoint', platform.url, '--org', 'local']));
  writeFileSync(join(cwd, 'token.txt'), 'secret-token\n');
  const token = () => JSON.parse(readFileSync(file('work.json'), 'utf8')).token;
  expect((await succeeded(run(['profile', 'login', 'work', '--token-file', 'token.txt']))).stderr).toBe('');
  expect(token()).toBe('secret-token');
  expect((await succeeded(run(['profile', 'update', 'work', '--token', 'other-token']))).stderr).toMatch(
    /^warning: --token/,
  );
  expect(token()).toBe('other-token');
  expect((await run(['gvc', 'get'])).stderr).toContain('api.unauthorized');
  await succeeded(run(['gvc', 'get'], '', { GANTRY_TOKEN: 'secret-token' }));
  await succeeded(run(['gvc', 'get', '--token-file', 'token.txt']));
  expect((await run(['profile', 'login', 'work'], '')).stderr).toMatch(/settings\.token-file: no token was given/);
  expect(token()).toBe('other-token');
});

test('update keeps the settings that it does not name', async () => {
  expect((await run(['profile', 'login'], 'secret-token')).stderr).toContain('there is no profile to log in to');
  await succeeded(run(['profile', 'create', 'work', '--endpoint', 'https://u:word@p', '--org', 'acme', '--insecure']));
  await succeeded(run(['profile', 'update', 'work', '--org', 'other', '--gvc', '//gvc/shop']));
  const kept = { endpoint: 'https://p', org: 'other', gvc: 'shop', insecure: true };
  expect(JSON.parse(readFileSync(file('work.json'), 'utf8'))).toEqual(kept);
});

test('the default profile is used; --profile and GANTRY_PROFILE choose another one', async () => {
  for (const name of ['one', 'two']) {
    await succeeded(run(['profile', 'create', name, '--endpoint', platform.url, '--org', name]));
  }
  expect((await succeeded(run(['profile', 'get', 'one', '-o', 'json']))).stdout).toContain('"default": true');
  await succeeded(run(['profile', 'set-default', 'two']));
  await writeFileSync(file('token'), 'x'); // not a profile
  expect((await succeeded(run(['profile', 'get', '-o', 'names']))).stdout).toBe('one\ntwo\n');
  const asked = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    /\/org\/(\w+)\//.exec((await run(['gvc', 'get', '-v', ...args], '', env)).stderr)?.[1];
  expect(await asked([])).toBe('two');
  expect(await asked(['--profile', 'one'])).toBe('one');
  expect(await asked([], { GANTRY_PROFILE: 'one' })).toBe('one');
  expect(await asked(['--profile', 'one', '--org', 'three'])).toBe('three');
  await succeeded(run(['profile', 'create', 'three', '--endpoint', platform.url, '--org', 'three', '--default']));
  expect(await asked([])).toBe('three');
  await succeeded(run(['profile', 'delete', 'three']));
  await succeeded(run(['profile', 'delete', 'two']));
  expect(existsSync(file('two.json'))).toBe(false);
  expect(await asked([])).toBe('one');
});

test.each([
  { args: ['profile', 'create', '../x'], says: /"\.\.\/x" cannot be the name of a profile/, code: 1 },
  { args: ['profile', 'update', 'wrk'], says: /no profile "wrk"\n.*Did you mean work\?/, code: 1 },
  { args: ['profile', 'create', 'work'], says: /the profile work already exists/, code: 64 },
  { args: ['gvc', 'get', '--profile', 'wrk'], says: /no profile "wrk"/, code: 1 },
  { args: ['gvc', 'get', '--token-file', 'nowhere'], says: /nowhere: there is no such file/, code: 1 },
])('gantry $args', async ({ args, says, code }) => {
  await succeeded(run(['profile', 'create', 'work', '--endpoint', platform.url]));
  const { stderr, code: ended } = await run(args);
  expect(ended).toBe(code);
  expect(stderr).toMatch(says);
});

test('a profile that is not JSON is an error that does not show its content', async () => {
  await succeeded(run(['profile', 'create', 'work', '--endpoint', platform.url]));
  writeFileSync(file('work.json'), '{"token": "hidden-value"');
  const { stderr } = await run(['gvc', 'get']);
  expect(stderr).toMatch(/settings\.profile: .*work\.json: it is not a JSON object/);
  expect(stderr).not.toContain('hidden-value');
  chmodSync(file('work.json'), 0o600);
});

test('an unreadable profile is an error; one with invalid content can be deleted and created again', async () => {
  const { mkdirSync } = await import('node:fs');
  await succeeded(run(['profile', 'create', 'work', '--endpoint', platform.url]));
  writeFileSync(file('work.json'), '{');
  await succeeded(run(['profile', 'delete', 'work']));
  expect(existsSync(file('work.json'))).toBe(false);
  mkdirSync(file('work.json'));
  for (const line of ['profile get', 'gvc get --profile work', 'profile delete work']) {
    const { code, stderr } = await run(line.split(' '));
    expect([line, code]).toEqual([line, 1]);
    expect(stderr).toMatch(/settings\.profile: .*work\.json: (?:it is a folder|.*directory)/);
  }
  expect((await run(['profile', 'delete', 'nowhere'])).stderr).toContain('there is no profile "nowhere"');
});

test('a note names a token file that other users can read', async () => {
  await succeeded(run(['profile', 'create', 'work', '--endpoint', platform.url, '--org', 'local']));
  await succeeded(run(['profile', 'login', 'work'], 'secret-token'));
  expect((await succeeded(run(['gvc', 'get', '-o', 'names']))).stderr).toBe('');
  chmodSync(file('work.json'), 0o644);
  const { stderr } = await succeeded(run(['gvc', 'get', '-o', 'names']));
  expect(stderr).toBe(`note: ${file('work.json')}: others may read the token in it; chmod 600 ${file('work.json')}\n`);
});

test.each(
  // biome-ignore format: a row is a case
  [
    { line: 'profile create work --endpoint nowhere', input: '', code: 64,
      says: '"nowhere" is not a valid HTTP or HTTPS URL' },
    { line: 'profile create work --endpoint ftp://host', input: '', code: 64,
      says: '"ftp://host" is not a valid HTTP or HTTPS URL' },
    { line: 'profile create work --endpoint http://user:word@:1', input: '', code: 64,
      says: '"http://:1" is not a valid HTTP or HTTPS URL' },
    { line: 'profile login other', input: 'one two', code: 1,
      says: 'it contains white space or characters outside of printable ASCII' },
    { line: 'profile login other', input: 'one\ntwo\n', code: 1,
      says: 'it contains white space or characters outside of printable ASCII' },
  ],
)('$line refuses a value that could never work', async ({ line, input, code, says }) => {
  await succeeded(run(['profile', 'create', 'other']));
  const ended = await run(line.split(' '), input);
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(says)]);
  expect(existsSync(file('work.json'))).toBe(false);
  expect(readFileSync(file('other.json'), 'utf8')).toBe('{}\n');
});

test('XDG_CONFIG_HOME and GANTRY_HOME choose the folder of profiles', async () => {
  await succeeded(run(['profile', 'create', 'a'], '', { XDG_CONFIG_HOME: join(cwd, 'xdg') }));
  await succeeded(run(['profile', 'create', 'b'], '', { GANTRY_HOME: join(cwd, 'own') }));
  expect(readFileSync(join(cwd, 'xdg/gantry/profiles/a.json'), 'utf8')).toBe('{}\n');
  expect(readFileSync(join(cwd, 'own/profiles/b.json'), 'utf8')).toBe('{}\n');
});

test.each([
  ['profile', 'get'],
  ['profile', 'create', 'a'],
  ['profile', 'delete', 'a'],
  ['group', 'get', '--endpoint', 'http://127.0.0.1:1', '--org', 'local'],
])('an unusable folder of profiles is a settings error, not an internal one: %s %s', async (...args) => {
  symlinkSync('closed', join(cwd, 'closed')); // permissions do not stop root
  const ended = await run(args, '', { GANTRY_HOME: join(cwd, 'closed') });
  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/^error settings\.profile: .*its links lead in a circle\n {2}hint: .*GANTRY_HOME/);
});

const profile = { endpoint: 'https://p', token: 'p-token', org: 'p-org', gvc: 'p-gvc' };

test.each(
  // biome-ignore format: a row is a case
  [
    { it: 'alone', namedBy: 'nobody' as const, more: {},
      is: { org: 'p-org', endpoint: 'https://p', token: 'p-token', gvc: undefined } },
    { it: 'the default profile loses against gantry.yaml', namedBy: 'nobody' as const, more: { file: { org: 'f-org' } },
      is: { org: 'f-org', token: 'p-token' } },
    { it: 'a chosen profile wins over gantry.yaml', namedBy: 'user' as const,
      more: { file: { org: 'f-org', token: 'f' } }, is: { org: 'p-org', token: 'p-token' } },
    { it: 'a chosen profile loses against the environment', namedBy: 'user' as const,
      more: { environment: { GANTRY_ORG: 'e-org' } }, is: { org: 'e-org' } },
    { it: 'its token is not sent to the endpoint of gantry.yaml', namedBy: 'nobody' as const,
      more: { file: { endpoint: 'https://evil' } }, is: { endpoint: 'https://evil', token: undefined } },
    { it: 'its token is not sent to the endpoint of a flag', namedBy: 'user' as const,
      more: { flags: { endpoint: 'https://other' } }, is: { token: undefined, insecure: false } },
  ],
)('settings of a profile: $it', ({ namedBy, more, is }) => {
  const chosen = { name: 'p', profile: { ...profile, insecure: true }, namedBy };
  expect(resolveSettings({ flags: {}, environment: {}, file: {}, profile: chosen, ...more })).toMatchObject(is);
});
