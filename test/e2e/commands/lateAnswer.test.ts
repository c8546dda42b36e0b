import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { linkPackages } from '../../cli/projectFolder.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { startProxy } from '../harness/proxy.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const platform = usePlatform();
const root = temporaryFolder('late');

/** A time on a Monday. */
const at = (time: string) => Date.parse(`2026-01-05T${time}:00Z`);

/** Answers yes at this time. */
function answerAt(time: string): void {
  const answers = function* () {
    vi.spyOn(Date, 'now').mockReturnValue(at(time));
    yield 'yes\n';
  };
  Object.defineProperty(process, 'stdin', { value: Readable.from(answers()), configurable: true });
}

function project(name: string, limits: string) {
  const cwd = mkdtempSync(join(root, name));
  writeFileSync(join(cwd, 'gantry.yaml'), `stack: ${name}\nenv: prod\nenvironments: { prod: { ${limits} } }\n`);
  writeFileSync(join(cwd, 'it.yaml'), `kind: group\nname: ${name}\n`);
  vi.spyOn(Date, 'now').mockReturnValue(at('10:00'));
  const run = (...args: readonly string[]) => inProcess(platform, args, { cwd, canAsk: true });
  const status = async () => (await platform.call('GET', `/org/local/group/${name}`)).status;
  return { cwd, run, status };
}

const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
afterEach(() => {
  vi.restoreAllMocks();
  Object.defineProperty(process, 'stdin', stdin);
});

const window = 'limits: { window: { days: [mon], from: "09:00", to: "11:00", timezone: UTC } }';

test.each([
  { it: 'manifests', name: 'late-manifests', path: '.' },
  { it: 'a saved plan', name: 'late-plan', path: 'it.plan' },
])('a window that closes before the answer refuses $it', async ({ name, path }) => {
  const { run, status } = project(name, window);
  await succeeded(run('plan', '.', '--out', 'it.plan'));
  answerAt('11:30');
  const late = await run('apply', path);
  expect([late.code, late.stderr]).toEqual([3, expect.stringContaining('environments.prod.limits.window: it is ')]);
  expect(await status()).toBe(404);
  vi.spyOn(Date, 'now').mockReturnValue(at('10:00'));
  answerAt('10:30');
  await succeeded(run('apply', path));
  expect(await status()).toBe(200);
});

/** A platform on which creating a group takes until this time. */
async function slowPlatform(time: string) {
  return startProxy(
    platform.url,
    () => 'pass',
    ({ method, path }) => {
      if (method === 'POST' && path === '/org/local/group') vi.spyOn(Date, 'now').mockReturnValue(at(time));
    },
  );
}

test('with --yes, a window that closes during the first stack refuses the second one: partly applied', async () => {
  const cwd = mkdtempSync(join(root, 'two'));
  linkPackages(cwd);
  const stacks = ['two-a', 'two-b'].map(
    (name) => `export const ${name.replace('-', '_')} = new Stack(app, '${name}');`,
  );
  const groups = ['two_a', 'two_b'].map((name) => `new Group(${name}, '${name.replace('_', '-')}', {});`);
  writeFileSync(
    join(cwd, 'stack.ts'),
    [
      `import { App, Group, Stack } from 'gantry';`,
      'const app = new App();',
      ...stacks,
      ...groups,
      'export default app;',
    ].join('\n'),
  );
  writeFileSync(join(cwd, 'gantry.yaml'), `project: two\nenv: prod\nenvironments: { prod: { ${window} } }\n`);
  const proxy = await slowPlatform('11:30');
  try {
    vi.spyOn(Date, 'now').mockReturnValue(at('10:00'));
    const late = await inProcess({ ...platform, url: proxy.url }, ['apply', '.', '--all', '--yes', '-o', 'json'], {
      cwd,
    });
    expect([late.code, late.stdout]).toEqual([5, expect.stringContaining('environments.prod.limits.window: it is ')]);
    // The clock of the machine was set forward during the run.
    expect(JSON.parse(late.stdout).stacks[0].result.startedAt).toMatch(/^2026-01-05T10:00:/);
    expect((await platform.call('GET', '/org/local/group/two-a')).status).toBe(200);
    expect((await platform.call('GET', '/org/local/group/two-b')).status).toBe(404);
  } finally {
    await proxy.close();
  }
});

test('a signature that expires before the answer does not count', async () => {
  const { cwd, run, status } = project('late-signature', '');
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(join(cwd, 'it.key'), privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
  writeFileSync(join(cwd, 'it.pub'), publicKey.export({ format: 'pem', type: 'spki' }));
  await succeeded(run('plan', '.', '--out', 'it.plan', '--sign', 'it.key', '--valid-for', '1h'));
  answerAt('11:30');
  const late = await run('apply', 'it.plan', '--signed-by', 'it.pub');
  expect([late.code, late.stderr]).toEqual([4, expect.stringContaining('error saved.signature-expired')]);
  expect(await status()).toBe(404);
});
