import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { developmentConfiguration } from '../../src/hcl/configuration/cliConfiguration.ts';
import { startServer } from '../../src/server/start.ts';
import { runCli } from '../cli/process.ts';
import { succeeded } from '../outcome.ts';
import { makeProject, reasonToSkip } from '../provider/harness/terraform.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

/** Appends the address of each file that is loaded as a module, and creates a file when `node:tls` is loaded. */
const preload = `
  import { appendFileSync, writeFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (url.startsWith('file:')) appendFileSync(process.env.LOADED_FILES, url + '\\n');
      return next(url, context);
    },
  });
  process.on('exit', () => {
    if (process.moduleLoadList.includes('NativeModule tls')) writeFileSync(process.env.LOADED_FILES + '.tls', '');
  });
`;

const nodeOptions = `--import=data:text/javascript,${encodeURIComponent(preload)}`;

describe('a command loads few files, because each of them takes time', () => {
  // esbuild cuts the same code into 15, 150 and 170 chunks.
  test.for([
    // The commands of the kinds have their own file, which no plan loads.
    [['gvc', '--help'], 9],
    // Runs of plans have their own file, so that a plan does not load code of other commands.
    [['rules'], 13],
    [['plan', 'gvc.yaml', '--stack', 'shop', '--embedded'], 25],
  ] as const)('%j', async ([args, most]) => {
    const folder = temporaryFolder('loaded');
    const list = join(folder, 'loaded');
    writeFileSync(join(folder, 'gvc.yaml'), 'kind: gvc\nname: shop\n');
    await succeeded(runCli(args, folder, '', { NODE_OPTIONS: nodeOptions, LOADED_FILES: list }));
    const loaded = readFileSync(list, 'utf8').trim().split('\n');
    expect(loaded.length, loaded.join('\n')).toBeLessThanOrEqual(most);
  });
});

test('a plan of a stack on a platform loads less than 1,300 kB of code, no reader of YAML and no commands of kinds', async () => {
  const folder = temporaryFolder('loaded-kb');
  const list = join(folder, 'loaded');
  const platform = await startServer({ port: 0, noAuth: true });
  onTestFinished(() => platform.close());
  const stack = new URL('../../bench/stack.ts', import.meta.url).pathname;
  const at = ['--endpoint', platform.url, '--org', 'local'];
  await succeeded(
    runCli(['plan', stack, '--stack', 'bench', ...at], folder, '', {
      NODE_OPTIONS: nodeOptions,
      LOADED_FILES: list,
      GANTRY_TOKEN: 'none',
    }),
  );
  const loaded = readFileSync(list, 'utf8').trim().split('\n');
  // Without the code that the stack's process loads.
  const chunks = loaded.filter((file) => file.includes('/dist/chunks/')).map((file) => fileURLToPath(file));
  const bytes = chunks.reduce((sum, file) => sum + statSync(file).size, 0);
  expect(chunks.length).toBeGreaterThan(5);
  expect(bytes, chunks.join('\n')).toBeLessThan(1_300_000);
  expect(chunks.filter((file) => /\/(?:yaml|verbs)-/.test(file))).toEqual([]);
  // One character outside Latin-1 doubles the memory of a text, which Node must then encode for its cache.
  expect(chunks.filter((file) => /[^\p{ASCII}]/u.test(readFileSync(file, 'utf8')))).toEqual([]);
  // V8 compares each name in a function with all that its module imports and exports.
  const shared = (file: string) =>
    readFileSync(file, 'utf8')
      .match(/(?:im|ex)port ?\{[^}]*\}/g)
      ?.join()
      .split(',') ?? [];
  expect(Math.max(...chunks.map((file) => shared(file).length))).toBeLessThan(250);
  // With it, Node reads all certificates of NODE_EXTRA_CA_CERTS.
  expect(existsSync(`${list}.tls`)).toBe(false);
});

test('the HTTP parser is compiled once, and not optimized during an apply of 100', async () => {
  const platform = await startServer({ port: 0, noAuth: true });
  onTestFinished(() => platform.close());
  const folder = temporaryFolder('parser');
  const workload = (index: number): string =>
    `kind: workload\nname: web${index}\ngvc: shop\nspec: {type: standard, containers: [{name: main, image: nginx}]}\n`;
  const manifests = ['kind: gvc\nname: shop\n', ...Array.from({ length: 99 }, (_, index) => workload(index))];
  writeFileSync(join(folder, 'all.yaml'), manifests.join('---\n'));
  const telling = `import { setFlagsFromString } from 'node:v8'; setFlagsFromString('--trace-wasm-compilation-times');`;
  const said = await succeeded(
    runCli(
      ['apply', 'all.yaml', '--yes', '--stack', 'shop', '--endpoint', platform.url, '--org', 'local'],
      folder,
      '',
      {
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(telling)}`,
        GANTRY_TOKEN: 'none',
      },
    ),
  );
  expect(said.stdout).toContain('using Liftoff');
  expect(said.stdout).not.toContain('using TurboFan');
});

test('a bundle without the command line contains no commands of kinds', () => {
  const dist = new URL('../../dist/', import.meta.url);
  const carrying = (file: string): boolean =>
    /['"]?--retention-duration/.test(readFileSync(new URL(file, dist), 'utf8'));
  const files = ['stackChild.js', 'policyWorker.js', 'policies.js', 'testing.js'];
  expect(files.filter(carrying)).toEqual([]);
  // The searched names exist in the command line.
  expect(readdirSync(new URL('chunks', dist)).filter((file) => carrying(`chunks/${file}`))).not.toEqual([]);
});

const skipped = reasonToSkip();
if (skipped !== undefined) console.warn(`skipped: the files that a plan of Terraform loads, because ${skipped}`);

test.skipIf(skipped !== undefined)(
  'the three processes of a Terraform plan load few files, and none of the platform',
  async () => {
    const folder = temporaryFolder('loaded-by-terraform');
    const list = join(folder, 'loaded');
    const platform = await startServer({ port: 0, noAuth: true });
    onTestFinished(() => platform.close());
    const project = makeProject(folder, {
      TEST_RC: developmentConfiguration(new URL('../../dist/terraform-provider', import.meta.url).pathname),
      NODE_OPTIONS: nodeOptions,
      LOADED_FILES: list,
      GANTRY_ENDPOINT: platform.url,
      GANTRY_ORG: 'local',
      GANTRY_TOKEN: 'none',
    });
    project.write('resource "gantry_group" "ops" {\n  name = "ops"\n}\n');
    const { code, text } = await project.run('plan', '-no-color');
    expect(code, text).toBe(0);
    const loaded = readFileSync(list, 'utf8').trim().split('\n');
    // Five until the handshake and its first call; the checks and those of groups twice; all others once.
    expect(loaded.length, loaded.join('\n')).toBeLessThanOrEqual(20);
    expect(loaded.filter((file) => file.includes('/platform-'))).toEqual([]);
  },
);
