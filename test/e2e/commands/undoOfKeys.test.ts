import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { listAt } from '../../../src/base/json/json.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { startProxy } from '../harness/proxy.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const platform = usePlatform();
const root = temporaryFolder('undo-of-keys');
let count = 0;
let stack = '';
beforeEach(() => {
  count += 1;
  stack = `keys-${count}`;
});

const account = () => `kind: serviceaccount\nname: ${stack}\n`;
const keyFor = (description: string) => `\${live.serviceaccount/${stack}:keys.${description}.key}`;
const toFile = () => `kind: output\nname: token\nvalue: '${keyFor('pipeline')}'\nsaveTo: { file: ${stack}.key }\n`;
const toSecret = () =>
  `kind: secret\nname: ${stack}-key\ntype: opaque\ndata: { payload: '${keyFor('deploy')}', encoding: plain }\n`;

function declare(...documents: readonly string[]): void {
  writeFileSync(join(root, `${stack}.yaml`), documents.join('---\n'));
}
const run = (verb: string, ...args: readonly string[]) => inProcess(platform, [verb, ...args], { cwd: root });
const inStack = (verb: string, ...more: readonly string[]) => run(verb, `${stack}.yaml`, '--stack', stack, ...more);
const statusOf = async (path: string) => (await platform.call('GET', `/org/local/${path}`)).status;

async function applySaved(): Promise<string> {
  await succeeded(inStack('plan', '--out', `${stack}.plan`));
  const { stdout } = await succeeded(run('apply', `${stack}.plan`, '--yes'));
  expect(stdout).not.toContain('somebody else');
  return `${stack}.plan`;
}

test('a key whose value was lost is not told as a write of others, and not made again by the same plan', async () => {
  declare(account(), toSecret());
  await succeeded(inStack('plan', '--out', `${stack}.plan`));
  const proxy = await startProxy(platform.url, ({ method, path }) =>
    method === 'POST' && path === '/org/local/secret' ? { status: 400, body: { message: 'not today' } } : 'pass',
  );
  try {
    const failed = await run('apply', `${stack}.plan`, '--yes', '--endpoint', proxy.url);
    expect([failed.code, failed.stdout]).toEqual([5, expect.not.stringContaining('somebody else')]);
  } finally {
    await proxy.close();
  }
  const keys = async () => listAt((await platform.call('GET', `/org/local/serviceaccount/${stack}`)).body, 'keys');
  const [key] = await keys();
  const { code, stdout } = await run('apply', `${stack}.plan`, '--yes');
  const removal = `serviceaccount remove-key ${stack} --key ${Object(key).name}`;
  expect([code, stdout.replace(/\s+/g, ' ')]).toEqual([3, expect.stringContaining(removal)]);
  expect(await keys()).toHaveLength(1);
  await succeeded(run('serviceaccount', ...removal.split(' ').slice(1)));
  await succeeded(run('apply', `${stack}.plan`, '--yes'));
  expect(await statusOf(`secret/${stack}-key`)).toBe(200);
});

describe('the undo of a plan that made a key', () => {
  test.each([
    ['for a file', () => [toFile()]],
    ['for a secret', () => [toSecret()]],
    ['for both', () => [toFile(), toSecret()]],
  ])('%s, and its account, deletes both', async (_, documents) => {
    declare(account(), ...documents());
    const plan = await applySaved();
    const undo = await succeeded(run('undo', plan, '--out', `${stack}.back`, '--rehearse=crash'));
    expect(undo.stdout).toContain(`serviceaccount/${stack}`);
    await succeeded(run('apply', `${stack}.back`, '--yes'));
    expect(await Promise.all([`serviceaccount/${stack}`, `secret/${stack}-key`].map(statusOf))).toEqual([404, 404]);
  });

  test('names what it leaves: a key of an account that was there before, and the file', async () => {
    declare(account());
    await succeeded(inStack('apply', '--yes'));
    declare(account(), toFile(), toSecret());
    const plan = await applySaved();
    const undo = await succeeded(run('undo', plan, '--out', `${stack}.back`, '--rehearse'));
    const said = undo.stdout.replace(/\s+/g, ' ');
    const keys = listAt((await platform.call('GET', `/org/local/serviceaccount/${stack}`)).body, 'keys');
    for (const key of keys) {
      const { name, description } = Object(key);
      expect(said).toContain(
        `left as it is: the key of serviceaccount/${stack} for ${description}; ` +
          `gantry serviceaccount remove-key ${stack} --key ${name} removes it`,
      );
    }
    expect(keys).toHaveLength(2);
    expect(said).toContain(`left as it is: the file ${stack}.key (output token)`);
    await succeeded(run('apply', `${stack}.back`, '--yes'));
    expect(await Promise.all([`serviceaccount/${stack}`, `secret/${stack}-key`].map(statusOf))).toEqual([200, 404]);
    expect(existsSync(join(root, `${stack}.key`))).toBe(true);
  });

  test.each([
    ['a file', () => [toFile()]],
    ['a secret', () => [toSecret()]],
  ])('is no drift of its account, unlike a key that somebody else made: for %s', async (_, documents) => {
    declare(account(), ...documents());
    await succeeded(inStack('apply', '--yes'));
    expect((await succeeded(inStack('drift'))).stdout).not.toContain('others');
    await platform.call('POST', `/org/local/serviceaccount/${stack}/-addKey`, { description: 'of a stranger' });
    expect((await inStack('drift')).stdout).toContain(`serviceaccount/${stack} (version 3, this stack wrote 1)`);
  });

  test('hides no write of others behind a key that was made before', async () => {
    const described = (text: string) => `${account()}description: ${text}\n`;
    for (const text of ['one', 'two']) {
      declare(described(text), toFile());
      await succeeded(inStack('apply', '--yes'));
    }
    expect((await succeeded(inStack('drift'))).stdout).toContain('No drift: 1 unchanged.');
    await platform.call('PATCH', `/org/local/serviceaccount/${stack}`, { description: 'of a stranger' });
    const drift = await inStack('drift');
    expect(drift.stdout).toContain('of a stranger');
    expect(drift.stdout).toContain(`serviceaccount/${stack}`);
  });

  test('hides no second key for the same', async () => {
    declare(account(), toFile());
    await succeeded(inStack('apply', '--yes'));
    await platform.call('POST', `/org/local/serviceaccount/${stack}/-addKey`, { description: 'pipeline' });
    expect((await inStack('drift')).stdout).toContain(`serviceaccount/${stack} (version 3, this stack wrote 1)`);
  });

  test('is refused where somebody has written to the account since, or made another key', async () => {
    declare(account(), toFile());
    const plan = await applySaved();
    await platform.call('POST', `/org/local/serviceaccount/${stack}/-addKey`, { description: 'of a stranger' });
    const { code, stderr } = await run('undo', plan);
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining(`serviceaccount/${stack}: it was at version 1, now it is at 3`),
    ]);
  });
});
