import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ctrlC, type PseudoTerminal, startInTerminal } from '../../harness/pseudoTerminal.ts';
import { succeeded } from '../../outcome.ts';
import { platformForAll, testPlatform } from '../../server/platform.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';

const platform = platformForAll({}, async (each) => {
  for (const name of ['shop', 'other'])
    await each.send('POST', 'gvc', { name, tags: { of: 'the tests in a terminal' } });
  await each.send('POST', 'gvc/shop/identity', { name: 'ident' });
  await each.send('POST', 'secret', { name: 'dbs', type: 'dictionary', data: { url: 'x' } });
  const env = [{ name: 'DB', value: 'scheme://secret/dbs.url' }];
  const containers = [{ name: 'main', image: 'web:1', cpu: '50m', memory: '128Mi', env }];
  await each.send('POST', 'gvc/other/workload', { name: 'web', spec: { type: 'standard', containers } });
});
const cwd = temporaryFolder('client-terminal');
let terminal: PseudoTerminal | undefined;
afterEach(() => terminal?.close());

function start(args: readonly string[], columns = 80, more: Readonly<Record<string, string>> = {}): PseudoTerminal {
  const env = { GANTRY_ENDPOINT: platform.url, GANTRY_TOKEN: 'secret-token', GANTRY_ORG: 'local', ...more };
  terminal = startInTerminal(args, { cwd, env, columns });
  return terminal;
}

test('delete shows the records that it deletes too; no deletes nothing, yes deletes', async () => {
  const first = start(['gvc', 'delete', 'shop']);
  await first.until(/delete gvc shop\n {2}with identity ident\n\nDelete gvc shop\? \(yes\/no\)/);
  first.type('no\r');
  expect((await first.ended).code).toBe(1);
  expect(first.screen.text).toContain('not confirmed; nothing was changed');
  expect((await platform.send('GET', 'gvc/shop')).status).toBe(200);

  const second = start(['gvc', 'delete', 'shop']);
  await second.until(/Delete gvc shop\?/);
  second.type('yes\r');
  expect((await second.ended).code).toBe(0);
  expect((await platform.send('GET', 'gvc/shop')).status).toBe(404);
});

test('delete names a record that depends on the secret, and yes deletes it anyway', async () => {
  const asked = start(['secret', 'delete', 'dbs'], 120);
  const line = 'workload/other/web needs it at spec.containers.main.env.DB.value';
  await asked.until(/Delete secret dbs\?/);
  expect(asked.screen.text).toContain(`delete secret dbs\n  ${line}\n`);
  asked.type('yes\r');
  expect((await asked.ended).code).toBe(0);
  expect((await platform.send('GET', 'secret/dbs')).status).toBe(404);
});

test('a typed token is not shown; Ctrl-C at the prompt writes nothing and ends with 130', async () => {
  await succeeded(inProcess(undefined, ['profile', 'create', 'work', '--endpoint', platform.url], { cwd }));
  const file = join(cwd, '.config/gantry/profiles/work.json');
  const before = readFileSync(file, 'utf8');
  const first = start(['profile', 'login']);
  await first.until(/Token \(not shown\):/);
  first.type(`half-of-it${ctrlC}`);
  expect((await first.ended).code).toBe(130);
  expect(first.screen.text).not.toContain('half-of-it');
  expect(first.screen.text).toMatch(
    /^Token \(not shown\):\s*\n.*interrupted at the prompt, before these changes were made/m,
  );
  expect(readFileSync(file, 'utf8')).toBe(before);

  const second = start(['profile', 'login']);
  await second.until(/Token/);
  second.type('hidden-value\r');
  expect((await second.ended).code).toBe(0);
  expect(second.screen.text).not.toContain('hidden-value');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ token: 'hidden-value' });
});

test('Ctrl-D at the prompt for a token writes nothing and ends with 1, as at other prompts', async () => {
  await succeeded(inProcess(undefined, ['profile', 'create', 'other', '--endpoint', platform.url], { cwd }));
  const file = join(cwd, '.config/gantry/profiles/other.json');
  const before = readFileSync(file, 'utf8');
  const started = start(['profile', 'login', 'other']);
  await started.until(/Token \(not shown\):/);
  started.type('\u0004');
  expect((await started.ended).code).toBe(1);
  expect(started.screen.text).toMatch(/no token was given; the profile is unchanged/);
  expect(started.screen.text).not.toMatch(/unsettled/i);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('--watch keeps its columns and marks new, changed and deleted records; Ctrl-C ends it', async () => {
  const { screen, until, type, ended } = start(['gvc', 'get', '--watch'], 80);
  await until(/^ {2}other /m);
  expect(screen.lines.filter((line) => line.length > 80)).toEqual([]);
  await platform.send('PATCH', 'gvc/other', { description: 'changed' });
  await until(/^~ other +changed/m);
  await platform.send('POST', 'gvc', { name: 'third' });
  await until(/^\+ third/m);
  await platform.send('DELETE', 'gvc/third');
  await until(/^- third/m);
  expect(screen.lines.filter((line) => line.startsWith('  NAME'))).toHaveLength(1);
  type(ctrlC);
  expect((await ended).code).toBe(0);
});

test('after the terminal is resized, a table uses the new width', async () => {
  const description = 'what is told of it in more than twenty letters';
  await platform.send('PATCH', 'gvc/other', { description });
  const { screen, until, type, resize, ended } = start(['gvc', 'get', 'other', '--watch'], 60);
  await until(/^ {2}other .*…/m);
  expect(screen.text).not.toContain(description.slice(0, 36));
  resize(180, 24);
  await platform.send('PATCH', 'gvc/other', { tags: { again: 'yes' } });
  await until(/again=yes/);
  expect(screen.text).toContain(description.slice(0, 39));
  type(ctrlC);
  expect((await ended).code).toBe(0);
});

test.each([
  { it: 'titles are bold', args: [], env: {}, bold: true },
  { it: 'NO_COLOR turns bold titles off', args: [], env: { NO_COLOR: '1' }, bold: false },
  { it: '--no-color turns bold titles off', args: ['--no-color'], env: {}, bold: false },
  { it: '--color wins over NO_COLOR', args: ['--color'], env: { NO_COLOR: '1' }, bold: true },
])('$it', async ({ args, env, bold }) => {
  const started = start(['gvc', 'get', 'other', ...args], 80, env);
  expect((await started.ended).code).toBe(0);
  expect(started.written.includes('\u001b[1mNAME')).toBe(bold);
});

test('--wait shows a bar until the command ends; Ctrl-C ends the waiting, not the command', async () => {
  const stepped = await testPlatform({ clock: 'virtual', readyAfterMs: 1000 });
  try {
    await stepped.send('POST', 'gvc', {
      name: 'town',
      spec: { staticPlacement: { locationLinks: ['//location/aws-us-west-2'] } },
    });
    const container = { name: 'main', image: 'db:1', volumes: [{ uri: 'scheme://volumeset/data', path: '/data' }] };
    await stepped.send('POST', 'gvc/town/volumeset', {
      name: 'data',
      spec: { fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd', initialCapacity: 10 },
    });
    await stepped.send('POST', 'gvc/town/workload', {
      name: 'dbase',
      spec: { type: 'stateful', containers: [container] },
    });
    const pass = () => stepped.send('POST', '/-clock', { advance: '10m' });
    await pass();
    const env = { GANTRY_ENDPOINT: stepped.url };
    const line = ['volumeset', 'expand', 'data', '--gvc', 'town', '--wait', '--new-size'];
    const first = start([...line, '20'], 80, env);
    await first.until(/\[-{20}\] 0\/1 \w+/);
    await pass();
    expect((await first.ended).code).toBe(0);
    expect(first.screen.text).toMatch(/expandVolume +completed/);
    expect(first.screen.text).not.toContain('[--');

    const second = start([...line, '30'], 80, env);
    await second.until(/\[-{20}\] 0\/1 \w+/);
    second.type(ctrlC);
    expect((await second.ended).code).toBe(130);
    expect(second.screen.text).toMatch(/interrupted before the command had ended; it goes on/);
  } finally {
    await stepped.close();
  }
});
