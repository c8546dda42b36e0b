import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { listAt, objectAt } from '../../../src/base/json/json.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const platform = usePlatform();
const cwd = temporaryFolder('client-options');
const run = (...args: readonly string[]) => inProcess(platform, args, { cwd });
const recordOf = async (path: string) => (await platform.call('GET', `/org/local/${path}`)).body;
const [near, far] = ['aws-eu-central-1', 'aws-us-east-1'];

describe('an option that is repeated with the same value', () => {
  test('adds the location to a GVC once, also if the two are spelled differently', async () => {
    const link = `//location/${near}`;
    await succeeded(run('gvc', 'create', '--name', 'twice', '--location', near, '--location', link, '--location', far));
    const placement = objectAt(objectAt(await recordOf('gvc/twice'), 'spec'), 'staticPlacement');
    expect(listAt(placement, 'locationLinks')).toEqual([`/org/local/location/${near}`, `/org/local/location/${far}`]);
  });

  test('adds one member to a group, and one target to a policy', async () => {
    await succeeded(run('serviceaccount', 'create', '--name', 'robot'));
    await succeeded(run('group', 'create', '--name', 'one', '--serviceaccount', 'robot', '--serviceaccount', 'robot'));
    expect(listAt(await recordOf('group/one'), 'memberLinks')).toEqual(['/org/local/serviceaccount/robot']);
    const target = ['--target', 'one', '--target', 'one'];
    await succeeded(run('policy', 'create', '--name', 'one', '--target-kind', 'group', ...target));
    expect(listAt(await recordOf('policy/one'), 'targetLinks')).toEqual(['/org/local/group/one']);
  });

  test('is refused if the two could mean different things', async () => {
    const locations = ['--location', near, '--location', `${near},free`];
    const { code, stderr } = await run('ipset', 'create', '--name', 'ips', ...locations);
    expect(code).toBe(64);
    expect(stderr).toContain(`--location names ${near} twice`);
  });
});

describe('only the creation of an agent shows its bootstrap configuration (platform/agent.bootstrap)', () => {
  const tokenIn = (text: string) => /registrationToken"?: "?([\w-]{20,})/.exec(text)?.[1];

  test.each([['json'], ['yaml']])('-o %s shows it as part of the record', async (form) => {
    const made = await succeeded(run('agent', 'create', '--name', `dc-${form}`, '-o', form));
    expect(tokenIn(made.stdout)).toBeDefined();
    if (form === 'json')
      expect(JSON.parse(made.stdout).status.bootstrapConfig.agentId).toBe(JSON.parse(made.stdout).id);
    expect(made.stderr).toBe('Store what its status shows now: it is not shown again.\n');
    expect((await succeeded(run('agent', 'get', `dc-${form}`, '-o', form))).stdout).not.toContain('registrationToken');
  });

  test('text output shows it below the table', async () => {
    const made = await succeeded(run('agent', 'create', '--name', 'dc-text'));
    expect(made.stdout).toMatch(/^NAME[\s\S]+\n\nstatus:\n {2}bootstrapConfig:\n {4}registrationToken: /);
    expect(made.stderr).not.toContain(tokenIn(made.stdout));
  });

  test('a format without it says so', async () => {
    const made = await succeeded(run('agent', 'create', '--name', 'dc-names', '-o', 'names'));
    expect(made.stdout).toBe('dc-names\n');
    expect(made.stderr).toContain('Delete the agent and create it again with -o json.');
  });
});

test('audit NAME finds a deleted record, and no record of the same name in another GVC', async () => {
  for (const gvc of ['first', 'second']) {
    await succeeded(run('gvc', 'create', '--name', gvc, '--location', near));
    await succeeded(run('identity', 'create', '--name', 'app', '--gvc', gvc));
  }
  await succeeded(run('identity', 'delete', 'app', '--gvc', 'first', '--yes'));
  const { stdout } = await succeeded(run('identity', 'audit', 'app', '--gvc', 'first', '-o', 'json'));
  const events = listAt(JSON.parse(stdout), 'items').map((event) => objectAt({ event }, 'event'));
  expect(events.map((event) => objectAt(event, 'action')['type'])).toEqual(['delete', 'create']);
  const { code, stderr } = await run('identity', 'audit', 'ghost', '--gvc', 'first');
  expect([code === 0, stderr]).toEqual([false, expect.stringContaining('there is no identity "ghost"')]);
});

test('--embedded --data :memory: stores nothing and makes no folder', async () => {
  const stack = ['--embedded', '--data', ':memory:'];
  const { stdout } = await succeeded(inProcess(undefined, ['group', 'get', ...stack], { cwd }));
  expect(stdout).toContain('viewers');
  expect(readdirSync(cwd)).toEqual([]);
});
