import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { liveNames } from '../../src/cli/completion/liveNames.ts';
import { remoteAddresses, unencryptedAddresses } from '../../src/project/settings/endpoints.ts';
import { useProjectFolder } from './projectFolder.ts';

const project = useProjectFolder('token-target');
const canary = 'canary-token';

/** Another platform, which records the tokens that it gets. */
const tokens: (string | undefined)[] = [];
const server = createServer((request, response) => {
  tokens.push(request.headers.authorization);
  response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
});
/** An address that Gantry treats as remote, although the system routes it to this machine. */
let elsewhere = '';
let here = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  elsewhere = `http://0.0.0.0:${port}`;
  here = `http://127.0.0.1:${port}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  tokens.length = 0;
  project.write('gvc.yaml', 'kind: gvc\nname: shop\n');
});

const settings = (endpoint: string, more = '') =>
  project.write('gantry.yaml', `stack: shop\norg: acme\nendpoint: ${endpoint}\n${more}`);
const refusal = (token: string) =>
  new RegExp(
    `error settings\\.token: ${token} would go unencrypted to http://0\\.0\\.0\\.0:\\d+, which gantry\\.yaml names\\n.*--endpoint http://0\\.0\\.0\\.0:\\d+, or GANTRY_ENDPOINT`,
  );

describe('a token of the user', () => {
  test.each([
    ['gvc', 'get'],
    ['plan', '.'],
    ['apply', '.', '--yes'],
    ['drift', '.'],
    ['status', '.'],
    ['destroy', '.', '--yes'],
    ['adopt', '--all'],
    ['rest', 'get', '/org'],
  ])('is not sent over plain HTTP to an endpoint of gantry.yaml: gantry %s %s', async (...args) => {
    settings(elsewhere);
    const { stderr, code } = await project.run(args, { GANTRY_TOKEN: canary });
    expect(stderr).toMatch(refusal('the token of GANTRY_TOKEN'));
    expect(stderr).not.toContain(canary);
    expect(code).toBe(1);
    expect(tokens).toEqual([]);
  });

  test('of --token and --token-file is not sent there either', async () => {
    settings(elsewhere);
    writeFileSync(join(project.path, 'token.txt'), canary);
    for (const given of [
      ['--token', canary],
      ['--token-file', 'token.txt'],
    ]) {
      expect((await project.run(['gvc', 'get', ...given])).stderr).toMatch(refusal('the given token'));
    }
    expect(tokens).toEqual([]);
  });

  test('is not sent to such an endpoint of the chosen environment, or as one of several addresses', async () => {
    project.write('gantry.yaml', `stack: shop\norg: acme\nenvironments: { prod: { endpoint: ${elsewhere} } }\n`);
    expect((await project.run(['plan', '.', '--env', 'prod'], { GANTRY_TOKEN: canary })).stderr).toMatch(
      refusal('the token of GANTRY_TOKEN'),
    );
    settings(`"${here},${elsewhere}"`);
    expect((await project.run(['gvc', 'get'], { GANTRY_TOKEN: canary })).stderr).toMatch(
      refusal('the token of GANTRY_TOKEN'),
    );
    expect(tokens).toEqual([]);
  });

  test.each([
    ['--endpoint', (at: string) => ({ args: ['--endpoint', at], env: {} })],
    ['GANTRY_ENDPOINT', (at: string) => ({ args: [], env: { GANTRY_ENDPOINT: at } })],
  ])('is sent to the endpoint of %s, whatever gantry.yaml names', async (_way, name) => {
    settings('https://platform.invalid');
    const { args, env } = name(elsewhere);
    const { stderr } = await project.run(['gvc', 'get', ...args], { GANTRY_TOKEN: canary, ...env });
    expect(stderr).not.toContain('settings.token');
    expect(stderr).not.toContain('for the first time');
    expect(tokens).toContain(`Bearer ${canary}`);
  });

  test('is sent to this machine without a note', async () => {
    settings(here);
    expect((await project.run(['gvc', 'get'], { GANTRY_TOKEN: canary })).stderr).not.toContain('gantry.yaml names');
    expect(tokens).toContain(`Bearer ${canary}`);
  });

  test('does not include a token in gantry.yaml itself', async () => {
    settings(elsewhere, 'token: of-the-file\n');
    await project.run(['gvc', 'get']);
    expect(tokens).toContain('Bearer of-the-file');
  });

  test('in a profile is sent only to the endpoint of the profile', async () => {
    const profile = { endpoint: here, org: 'acme', token: canary };
    project.write('.config/gantry/profiles/work.json', JSON.stringify(profile));
    settings(elsewhere);
    await project.run(['gvc', 'get']);
    expect(tokens).not.toContain(`Bearer ${canary}`);
    await project.run(['gvc', 'get', '--profile', 'work']);
    expect(tokens).toContain(`Bearer ${canary}`);
  });
});

describe('the first use of an endpoint of gantry.yaml', () => {
  // No server listens there.
  const endpoint = 'https://0.0.0.0:9';
  const note =
    'note: the token of GANTRY_TOKEN goes to https://0.0.0.0:9, which gantry.yaml names, for the first time; to name the platform yourself, set GANTRY_ENDPOINT\n';
  const run = (env = {}) => project.run(['gvc', 'get'], { GANTRY_TOKEN: canary, ...env });

  test('is noted once', async () => {
    settings(endpoint);
    expect((await run()).stderr).toContain(note);
    expect(readFileSync(join(project.path, '.config/gantry/profiles/endpoints'), 'utf8')).toBe(`${endpoint}\n`);
    expect((await run()).stderr).not.toContain('for the first time');
    settings('https://0.0.0.0:10');
    expect((await run()).stderr).toContain('https://0.0.0.0:10, which gantry.yaml names, for the first time');
    expect((await project.run(['profile', 'get', '-o', 'names'])).stdout).toBe('');
  });

  test('is not noted if a profile has the endpoint', async () => {
    settings(endpoint);
    project.write('.config/gantry/profiles/work.json', JSON.stringify({ endpoint: `${endpoint}/` }));
    expect((await run()).stderr).not.toContain('for the first time');
  });

  test('is noted if the note cannot be saved, and the command continues', async () => {
    settings('https://0.0.0.0:11');
    project.write('file', '');
    const { stderr } = await run({ GANTRY_HOME: join(project.path, 'file') });
    expect(stderr).toContain('https://0.0.0.0:11, which gantry.yaml names, for the first time');
    expect(stderr).toContain('cannot connect to 0.0.0.0:11: connection refused');
  });

  test('is not recorded by the completion of names, which shows no note', async () => {
    settings('https://0.0.0.0:12');
    const environment = { GANTRY_TOKEN: canary, HOME: project.path };
    expect(await liveNames('gvc', {}, { environment, cwd: project.path })).toEqual([]);
    expect(existsSync(join(project.path, '.config'))).toBe(false);
  });
});

test.each([
  ['https://platform.example', true, false],
  ['http://platform.example', true, true],
  ['http://localhost:8080', false, false],
  ['http://127.0.0.1', false, false],
  ['http://127.1', false, false],
  ['http://[::1]:80/x', false, false],
  ['http://localhost.example', true, true],
  ['http://127.0.0.1.example', true, true],
  ['http://127.0.0.1@platform.example', true, true],
  ['http://0.0.0.0', true, true],
  ['http://10.0.0.1', true, true],
  ['HTTP://PLATFORM.example', true, true],
])('%s: not on this machine is %s, unencrypted is %s', (endpoint, isRemote, isPlain) => {
  expect(remoteAddresses(endpoint).length > 0).toBe(isRemote);
  expect(unencryptedAddresses(endpoint).length > 0).toBe(isPlain);
});

test('an address is named without its user and password, even if it is not a URL', () => {
  expect(remoteAddresses('https://a:word@one, http://a:word@:99999, http://b\\@two')).toEqual([
    'http://:99999',
    'http://b/@two',
    'https://one',
  ]);
});
